//! A program of modules as a drawing: scopes with their modules and sets, calls between them, and the life cycle of each module's objects
//! as a state diagram.

use std::fmt::Write;
use verdict::overview::{Move, Overview, Proved};

const WIDTH: usize = 220;
const GAP: usize = 60;
const LINE: usize = 16;

/// An SVG document.
pub fn svg(overview: &Overview) -> String {
    let mut body = String::new();
    let mut names: Vec<&str> = Vec::new();
    for row in &overview.modules {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    // Modules of one scope side by side.
    names.sort_by_key(|name| {
        overview.scopes.iter().position(|s| s.modules.iter().any(|m| m == name)).unwrap_or(usize::MAX)
    });
    let place = |name: &str| names.iter().position(|n| *n == name).map(|k| GAP + k * (WIDTH + GAP));
    let height = |name: &str| {
        let sets = overview.modules.iter().find(|m| m.name == name).map_or(0, |m| m.sets.len());
        (3 + sets) * LINE
    };
    let tallest = names.iter().map(|n| height(n)).max().unwrap_or(0);
    let top = 90;
    for scope in &overview.scopes {
        let places: Vec<usize> = scope.modules.iter().filter_map(|m| place(m)).collect();
        let (Some(from), Some(to)) = (places.iter().min(), places.iter().max()) else { continue };
        let (x, width) = (from - 20, to - from + WIDTH + 40);
        let _ = writeln!(
            body,
            r##"<rect x="{x}" y="{}" width="{width}" height="{}" rx="12" fill="#f4f4f0" stroke="#999" stroke-dasharray="4 3"/>"##,
            top - 40,
            tallest + 60
        );
        text(&mut body, x + 10, top - 22, &format!("scope {}", scope.name), "#666");
    }
    for name in &names {
        let Some(x) = place(name) else { continue };
        let rows: Vec<_> = overview.modules.iter().filter(|m| m.name == *name).collect();
        let colour = match rows.iter().map(|r| r.proved).find(|p| !matches!(p, Proved::AllHeaps | Proved::UpTo(_))) {
            None => "#e6f4ea",
            Some(Proved::Violated) => "#fde7e9",
            Some(_) => "#fff6dd",
        };
        let is_exported = overview.scopes.iter().any(|s| s.exports.iter().any(|m| m == name));
        let stroke = if is_exported { 3 } else { 1 };
        let _ = writeln!(
            body,
            r##"<rect x="{x}" y="{top}" width="{WIDTH}" height="{}" rx="4" fill="{colour}" stroke="#333" stroke-width="{stroke}"/>"##,
            height(name)
        );
        text(&mut body, x + 10, top + LINE, name, "#000");
        let how: Vec<String> = rows.iter().map(|r| proved(r.proved)).collect();
        text(&mut body, x + 10, top + 2 * LINE, &how.join(", "), "#666");
        for (k, set) in rows.iter().flat_map(|r| r.sets.iter().take(40)).take(rows[0].sets.len()).enumerate() {
            text(&mut body, x + 20, top + (3 + k) * LINE, set, "#225");
        }
        for row in &rows {
            for (module, other) in row.rests_on.iter().filter_map(|m| Some((m, place(m)?))) {
                let (from, to) = (x + WIDTH / 2, other + WIDTH / 2);
                let depth = tallest + top + 30 + from.abs_diff(to) / 10;
                let (start, end) = (top + height(name), top + height(module) + 4);
                let _ = writeln!(
                    body,
                    r##"<path d="M {from} {start} Q {} {depth} {to} {end}" fill="none" stroke="#555" marker-end="url(#arrow)"/>"##,
                    usize::midpoint(from, to)
                );
            }
        }
    }
    let mut y = top + tallest + 160 + names.len() * 10;
    for name in &names {
        let Some(row) = overview.modules.iter().find(|m| m.name == *name).filter(|m| !m.moves.is_empty()) else {
            continue;
        };
        y = life_cycle(&mut body, &row.name, &row.moves, y);
    }
    let width = GAP + names.len().max(3) * (WIDTH + GAP);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}" font-family="sans-serif" font-size="12">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M 0 0 L 8 4 L 0 8 z"/></marker></defs>
<rect width="{width}" height="{y}" fill="white"/>
{body}</svg>
"##
    )
}

fn proved(proved: Proved) -> String {
    match proved {
        Proved::AllHeaps => "proved for all heaps".to_owned(),
        Proved::UpTo(n) => format!("checked up to {n}"),
        Proved::Trusted => "trusted".to_owned(),
        Proved::Violated => "violated".to_owned(),
        Proved::Unknown => "not decided".to_owned(),
    }
}

/// The sets in a row, moves as arcs between them; the empty circle is outside of all sets. Where the next one may begin.
fn life_cycle(body: &mut String, module: &str, moves: &[Move], y: usize) -> usize {
    let mut states: Vec<Option<&str>> = vec![None];
    for set in moves.iter().flat_map(|m| [&m.from, &m.to]).flatten() {
        if !states.contains(&Some(set.as_str())) {
            states.push(Some(set));
        }
    }
    let mut arcs: Vec<(usize, usize, Vec<&str>)> = Vec::new();
    let at = |set: &Option<String>| states.iter().position(|s| *s == set.as_deref()).unwrap_or(0);
    for one in moves {
        let (from, to) = (at(&one.from), at(&one.to));
        match arcs.iter_mut().find(|(f, t, _)| (*f, *t) == (from, to)) {
            Some((.., names)) => names.push(&one.procedure),
            None => arcs.push((from, to, vec![&one.procedure])),
        }
    }
    let highest = arcs.iter().map(|(f, t, _)| f.abs_diff(*t)).max().unwrap_or(1) * 30 + 60;
    let line = y + highest;
    text(body, GAP, y, &format!("life cycle of {module}"), "#000");
    let x = |k: usize| GAP + 20 + k * 170;
    for (k, state) in states.iter().enumerate() {
        match state {
            None => {
                let _ = writeln!(body, r##"<circle cx="{}" cy="{line}" r="12" fill="white" stroke="#333"/>"##, x(k));
            }
            Some(name) => {
                let _ = writeln!(
                    body,
                    r##"<rect x="{}" y="{}" width="110" height="30" rx="15" fill="#eef" stroke="#333"/>"##,
                    x(k) - 55,
                    line - 15
                );
                text(body, x(k) - 45, line + 4, name, "#000");
            }
        }
    }
    for (from, to, names) in &arcs {
        let (a, b) = (x(*from), x(*to));
        let reach = from.abs_diff(*to) * 30 + 30;
        // Forwards above the line, backwards below it.
        let (bend, edge, label) = match to >= from {
            true => (line - 15 - reach, line - 16, line - 15 - reach / 2),
            false => (line + 15 + reach, line + 16, line + 19 + reach / 2),
        };
        let _ = writeln!(
            body,
            r##"<path d="M {a} {edge} Q {} {bend} {b} {edge}" fill="none" stroke="#36c" marker-end="url(#arrow)"/>"##,
            usize::midpoint(a, b)
        );
        text(body, usize::midpoint(a, b).saturating_sub(30), label, &names.join(", "), "#36c");
    }
    line + highest + 20
}

fn text(body: &mut String, x: usize, y: usize, text: &str, colour: &str) {
    let plain = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(body, r##"<text x="{x}" y="{y}" fill="{colour}">{plain}</text>"##);
}
