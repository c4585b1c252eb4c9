//! The way to a failure, to step through: a list of steps, and beside it the source with the lines that they are on.
//!
//! A step carries what the script of the page marks: `line:start:end` for each of its lines, where `line` is the id of a line without the
//! name of its failure, and columns count UTF-16 units, as scripts do. Without the script, the list and the source can still be read.

use super::text::{brief, esc, prose};
use crate::snippet::bare;
use source::{FileId, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use verdict::{Example, Failure};

/// Lines around a step.
const AROUND: usize = 3;
/// A file with no more lines is shown as a whole.
const SHORT_FILE: usize = 60;
/// Of a long path: from its start, and from its end.
const FIRST_STEPS: usize = 300;
const LAST_STEPS: usize = 150;
/// A step that spans more lines marks only the first of them.
const MOST_MARKED: usize = 12;
const WIDEST_CODE: usize = 80;
const WIDEST_LINE: usize = 2000;

struct Row {
    span: Span,
    note: String,
    depth: u32,
    /// What is wrong, not a step towards it.
    is_problem: bool,
    /// Steps left out before this one.
    left_out: u64,
}

/// `id` is the name of the failure on the page. Empty if no place is known.
pub fn draw(sources: &SourceMap, failure: &Failure, id: &str) -> String {
    let rows = rows(failure);
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    let count = rows.len();
    let _ = write!(
        text,
        "<div class=\"walk\" id=\"{id}-walk\" role=\"group\" aria-label=\"Path to the failure\">\n<div class=\"walk-bar\"><h3>Path to the failure</h3>\
         <span class=\"buttons\"><button type=\"button\" data-step=\"first\" aria-label=\"First step\">|◀</button>\
         <button type=\"button\" data-step=\"back\" aria-label=\"Previous step\">◀</button>\
         <button type=\"button\" data-step=\"next\" aria-label=\"Next step\">▶</button>\
         <button type=\"button\" data-step=\"last\" aria-label=\"Last step\">▶|</button></span>\
         <span class=\"at\" role=\"status\">{count} {}</span><span class=\"faint keys\">or use the arrow keys</span></div>\n<div class=\"walk-body\">\n<ol class=\"steps\">\n",
        if count == 1 { "step" } else { "steps" },
    );
    for row in &rows {
        text.push_str(&step(sources, row));
    }
    text.push_str("</ol>\n<div class=\"listing\" tabindex=\"0\" role=\"group\" aria-label=\"Source\">\n");
    listing(&mut text, sources, &rows, id);
    text.push_str("</div>\n</div>\n</div>\n");
    text
}

fn rows(failure: &Failure) -> Vec<Row> {
    let gap = match &failure.example {
        Some(Example::Heap(heap)) => heap.gap,
        _ => None,
    };
    let path = failure.path();
    let all = path.len();
    let mut rows: Vec<Row> = Vec::new();
    let mut left_out = 0;
    for (k, step) in path.into_iter().enumerate() {
        left_out += gap.filter(|g| g.at == k).map_or(0, |g| g.steps);
        if all > FIRST_STEPS + LAST_STEPS && (FIRST_STEPS..all - LAST_STEPS).contains(&k) {
            left_out += 1;
            continue;
        }
        rows.push(Row { span: step.span, note: step.note, depth: step.depth, is_problem: false, left_out });
        left_out = 0;
    }
    for problem in &failure.problems {
        let Some(span) = problem.span else { continue };
        match rows.iter_mut().rev().find(|r| r.span == span) {
            Some(row) => row.is_problem = true,
            None => {
                let note = if problem.label.is_empty() { &problem.message } else { &problem.label };
                rows.push(Row { span, note: note.clone(), depth: 0, is_problem: true, left_out });
                left_out = 0;
            }
        }
    }
    rows
}

fn step(sources: &SourceMap, row: &Row) -> String {
    let name = &sources.file(row.span.file).name;
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let line = sources.start(row.span).line;
    let marks: Vec<String> = marks(sources, row.span)
        .into_iter()
        .map(|(line, start, end)| format!("{}-{line}:{start}:{end}", row.span.file.0))
        .collect();
    let gap = match row.left_out {
        0 => String::new(),
        n => format!("<li class=\"gap faint\">… {n} steps left out</li>\n"),
    };
    let note = match row.note.as_str() {
        "" => String::new(),
        "true" => "<span class=\"note yes\">true</span>".to_string(),
        "false" => "<span class=\"note no\">false</span>".to_string(),
        note => format!("<span class=\"note\">{}</span>", prose(note)),
    };
    format!(
        "{gap}<li><button type=\"button\" class=\"step{}\" data-marks=\"{}\" data-line=\"{line}\" style=\"--depth:{}\">\
         <span class=\"where\">{}:{line}</span> <code>{}</code> {note}</button></li>\n",
        if row.is_problem { " problem" } else { "" },
        marks.join(" "),
        row.depth.min(12),
        esc(file),
        esc(&brief(sources.text(bare(sources, row.span)), WIDEST_CODE)),
    )
}

/// Lines of a span with the columns on them, in UTF-16 units from 0.
fn marks(sources: &SourceMap, span: Span) -> Vec<(usize, usize, usize)> {
    let (start, end) = (sources.start(span), sources.line_column(span.file, span.end));
    let last = end.line.min(start.line + MOST_MARKED - 1);
    let units = |text: &str, columns: usize| text.chars().take(columns).map(char::len_utf16).sum();
    let one = |line: usize| {
        let text = sources.line(span.file, line);
        let indent = text.chars().take_while(|c| c.is_whitespace()).count();
        let from = if line == start.line { start.column - 1 } else { indent };
        let to = if line == end.line { end.column - 1 } else { text.trim_end().chars().count() };
        (line, units(text, from), units(text, to.max(from)))
    };
    (start.line..=last).map(one).filter(|(line, from, to)| from < to || *line == start.line).collect()
}

/// The lines of all steps and some around them, file by file.
fn listing(text: &mut String, sources: &SourceMap, rows: &[Row], id: &str) {
    let mut files: Vec<FileId> = Vec::new();
    let mut lines: BTreeMap<FileId, BTreeSet<usize>> = BTreeMap::new();
    let mut counts: BTreeMap<FileId, usize> = BTreeMap::new();
    let mut on_path: BTreeMap<(FileId, usize), bool> = BTreeMap::new();
    for row in rows {
        let file = row.span.file;
        if !files.contains(&file) {
            files.push(file);
        }
        let count = *counts.entry(file).or_insert_with(|| sources.file(file).text.lines().count().max(1));
        let shown = lines.entry(file).or_default();
        if count <= SHORT_FILE && shown.is_empty() {
            shown.extend(1..=count);
        }
        for (line, ..) in marks(sources, row.span) {
            shown.extend(line.saturating_sub(AROUND).max(1)..=(line + AROUND).min(count));
            *on_path.entry((file, line)).or_default() |= row.is_problem;
        }
    }
    for file in files {
        let _ = writeln!(text, "<div class=\"file\">{}</div>\n<div class=\"lines\">", esc(&sources.file(file).name));
        let mut before = 0;
        for &line in &lines[&file] {
            if line > before + 1 && before > 0 {
                text.push_str("<div class=\"skip\" aria-hidden=\"true\">⋯</div>\n");
            }
            before = line;
            let class = match on_path.get(&(file, line)) {
                None => "line",
                Some(false) => "line on-path",
                Some(true) => "line on-path wrong",
            };
            let _ = writeln!(
                text,
                "<div class=\"{class}\" id=\"{id}-{}-{line}\"><span class=\"no\">{line}</span><code>{}</code></div>",
                file.0,
                esc(&sources.line(file, line).chars().take(WIDEST_LINE).collect::<String>()),
            );
        }
        text.push_str("</div>\n");
    }
}
