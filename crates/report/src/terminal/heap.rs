//! A counterexample: the state before, the call, the state after, the way through the source, the clause that broke.

use super::drawing::{Line, draw, lost};
use crate::paint::Paint;
use crate::snippet;
use source::SourceMap;
use std::fmt::Write;
use verdict::heap::{HeapExample, Snapshot, Step};

/// Of a long path, so many steps from its start and its end.
const FIRST_STEPS: usize = 10;
const LAST_STEPS: usize = 14;
const WIDEST_CODE: usize = 60;

pub fn render(out: &mut String, sources: &SourceMap, found: &HeapExample, paint: Paint) {
    heading(out, "before", paint);
    state(out, &found.before, None, paint);
    for note in &found.notes {
        let _ = writeln!(out, "      {}", paint.faint(note));
    }
    let outcome = match found.outcome.is_empty() {
        true => String::new(),
        false => format!("  {}", paint.faint(&format!("→ {}", found.outcome))),
    };
    let _ = writeln!(out, "\n    {}{outcome}", paint.strong(&found.call));
    if let Some(after) = &found.after {
        heading(out, "after", paint);
        state(out, after, Some(&found.before), paint);
    }
    for picture in &found.pictures {
        heading(out, &picture.title, paint);
        state(out, &picture.state, None, paint);
    }
    if !found.path.is_empty() {
        heading(out, "path", paint);
        path(out, sources, found, paint);
    }
}

pub fn state(out: &mut String, snapshot: &Snapshot, before: Option<&Snapshot>, paint: Paint) {
    for line in snapshot.text.iter().flat_map(|text| text.lines()) {
        let _ = writeln!(out, "{}", format!("      {}", paint.strong(line)).trim_end());
    }
    let lines = draw(snapshot, before, paint);
    if lines.is_empty() {
        let _ = writeln!(out, "      {}", paint.faint("nothing yet"));
    }
    for Line { mark, text } in lines {
        let mark = match mark {
            '+' => paint.good("+"),
            '~' => paint.warn("~"),
            _ => " ".to_string(),
        };
        let _ = writeln!(out, "    {mark} {text}");
    }
    let gone = before.map(|before| lost(before, snapshot)).unwrap_or_default();
    if !gone.is_empty() {
        let _ =
            writeln!(out, "    {} {}", paint.bad("-"), paint.bad(&format!("no longer reached: {}", gone.join(", "))));
    }
}

fn heading(out: &mut String, what: &str, paint: Paint) {
    let _ = writeln!(out, "\n  {}", paint.faint(what));
}

fn path(out: &mut String, sources: &SourceMap, found: &HeapExample, paint: Paint) {
    let steps = &found.path;
    // The end of an endless run says no more than its beginning.
    let last_steps = if found.after.is_none() { 1 } else { LAST_STEPS };
    let is_long = steps.len() > FIRST_STEPS + last_steps + 1;
    let first = if is_long { &steps[..FIRST_STEPS] } else { &steps[..] };
    let last = if is_long { &steps[steps.len() - last_steps..] } else { &[][..] };
    let rows: Vec<[String; 2]> = first.iter().chain(last).map(|step| row(sources, step)).collect();
    let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let (place, code) = (width(0), width(1));
    for (i, (row, step)) in rows.iter().zip(first.iter().chain(last)).enumerate() {
        if is_long && i == FIRST_STEPS {
            let left_out = (steps.len() - FIRST_STEPS - last_steps) as u64 + found.gap.map_or(0, |g| g.steps);
            let _ = writeln!(out, "      {}", paint.faint(&format!("… {left_out} more steps")));
        }
        let note = match step.note.as_str() {
            "true" => paint.good("true"),
            note if note.starts_with("throws") => paint.bad(note),
            note => note.to_string(),
        };
        let line = format!("{}  {:code$}  {note}", paint.faint(&format!("{:place$}", row[0])), row[1]);
        let _ = writeln!(out, "      {}", line.trim_end());
    }
}

/// Where, and what stands there, on one line.
fn row(sources: &SourceMap, step: &Step) -> [String; 2] {
    let name = &sources.file(step.span.file).name;
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let place = format!("{name}:{}", sources.start(step.span).line);
    let words: Vec<&str> = sources.text(snippet::bare(sources, step.span)).split_whitespace().collect();
    let mut code = format!("{}{}", "  ".repeat(step.depth.min(8) as usize), words.join(" "));
    if code.chars().count() > WIDEST_CODE {
        code = code.chars().take(WIDEST_CODE - 1).chain(['…']).collect();
    }
    [place, code]
}
