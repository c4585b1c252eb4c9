//! Objects with the sets that they are in, at entry and now: a column for each object, an outlined row for each set, a dot where an object is
//! in it. What came in and what left is marked, in the state of now.

use super::svg::{LINE, Svg, width};
use super::text::{brief, esc};
use std::fmt::Write;
use verdict::{Change, SetsExample};

const MOST_OBJECTS: usize = 40;
const MOST_SETS: usize = 60;
/// So few sets are drawn even if nothing is in them.
const FEW_SETS: usize = 4;
const WIDEST: usize = 34;
const ROW: f64 = 34.0;

pub fn draw(example: &SetsExample) -> String {
    let is_empty = |set: &&Change<Vec<usize>>| set.entry.is_empty() && set.now.is_empty();
    let folds = example.sets.len() > FEW_SETS;
    let drawn: Vec<&Change<Vec<usize>>> = example.sets.iter().filter(|s| !folds || !is_empty(s)).collect();
    let empty: Vec<String> = example
        .sets
        .iter()
        .filter(|s| folds && is_empty(s))
        .map(|s| format!("<code>{}</code>", esc(&s.name)))
        .collect();
    let mut text = String::from("<div class=\"states\">\n");
    let titles = [("At entry", false), ("Now", true)];
    for (title, is_now) in titles {
        let _ = writeln!(text, "<figure><figcaption>{title}</figcaption>{}</figure>", panel(example, &drawn, is_now));
    }
    text.push_str("</div>\n");
    if example.objects.len() > MOST_OBJECTS || drawn.len() > MOST_SETS {
        let (objects, sets) = (example.objects.len(), drawn.len());
        let _ = writeln!(text, "<p class=\"faint\">Not all of the {objects} objects and {sets} sets are drawn.</p>");
    }
    if !empty.is_empty() {
        let _ = writeln!(text, "<p><span class=\"faint\">Empty at entry and now:</span> {}</p>", empty.join(" "));
    }
    if !example.variables.is_empty() {
        let one = |(name, value): &(String, String)| format!("<code>{} = {}</code>", esc(name), esc(value));
        let all: Vec<String> = example.variables.iter().map(one).collect();
        let _ = writeln!(text, "<p><span class=\"faint\">Variables now:</span> {}</p>", all.join(" "));
    }
    text
}

fn panel(example: &SetsExample, sets: &[&Change<Vec<usize>>], is_now: bool) -> String {
    let mut svg = Svg::default();
    let names: Vec<String> = sets.iter().take(MOST_SETS).map(|s| brief(&s.name, WIDEST)).collect();
    let first = names.iter().map(|n| width(n)).fold(40.0, f64::max) + 24.0;
    let objects = &example.objects[..example.objects.len().min(MOST_OBJECTS)];
    let labels: Vec<(String, String)> =
        objects.iter().map(|(n, t)| (brief(n, 16), brief(t.as_deref().unwrap_or(""), 16))).collect();
    let wide = labels.iter().map(|(n, t)| width(n).max(width(t))).fold(24.0, f64::max) + 16.0;
    let middle = |k: usize| first + (k as f64 + 0.5) * wide;
    let top = if objects.is_empty() { 0.0 } else { 3.0 * LINE };
    for (k, (name, ty)) in labels.iter().enumerate() {
        let (full, full_type) = &objects[k];
        // Which variables hold it.
        let holders = example.variables.iter().filter(|(_, value)| is_now && value == full).map(|(n, _)| n.as_str());
        let held = holders.collect::<Vec<_>>().join(", ");
        svg.group("thing", full, |svg| {
            svg.middle("holder", middle(k), LINE - 4.0, &brief(&held, 16), &held);
            svg.middle("title", middle(k), 2.0 * LINE - 4.0, name, full);
            svg.middle("type", middle(k), 3.0 * LINE - 6.0, ty, full_type.as_deref().unwrap_or(""));
        });
    }
    let right = first + wide * objects.len().max(1) as f64;
    for (row, set) in sets.iter().take(MOST_SETS).enumerate() {
        let y = top + row as f64 * ROW;
        let is_changed = is_now && set.entry != set.now;
        let state = if is_changed { " changed" } else { "" };
        svg.group(&format!("set{state}"), &set.name, |svg| {
            svg.rect("outline", [0.0, y + 2.0, right, ROW - 6.0], 13.0);
            svg.text("set-name", 12.0, y + ROW / 2.0 + 3.0, &names[row], &set.name);
            for k in 0..objects.len() {
                let (was, is) = (set.entry.contains(&k), set.now.contains(&k));
                let class = match (is_now, was, is) {
                    (false, true, _) | (true, true, true) => "member",
                    (true, false, true) => "member came",
                    (true, true, false) => "member left",
                    _ => continue,
                };
                svg.circle(class, middle(k), y + ROW / 2.0 - 1.0, 8.0);
                let sign = match class {
                    "member came" => "+",
                    "member left" => "−",
                    _ => "",
                };
                if !sign.is_empty() {
                    svg.middle("sign", middle(k), y + ROW / 2.0 + 3.0, sign, sign);
                }
            }
        });
    }
    let bottom = top + names.len() as f64 * ROW + LINE;
    let mut x = 0.0;
    for change in &example.booleans {
        let value = if is_now { change.now } else { change.entry };
        let text = format!("{} = {value}", brief(&change.name, WIDEST));
        let class = if is_now && change.entry != change.now { "chip is-changed" } else { "chip" };
        svg.rect(class, [x, bottom - 14.0, width(&text) + 16.0, 21.0], 10.0);
        svg.text("field", x + 8.0, bottom + 1.0, &text, &format!("{} = {value}", change.name));
        x += width(&text) + 26.0;
    }
    let when = if is_now { "now" } else { "at entry" };
    svg.finish(&format!("{} objects in {} sets {when}", example.objects.len(), sets.len()))
}
