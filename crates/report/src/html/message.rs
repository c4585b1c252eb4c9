//! A diagnostic on the page: what is wrong, where, the line with the place marked, what to do.

use super::text::{esc, prose};
use source::{Diagnostic, Severity, SourceMap, Span};
use std::fmt::Write;

/// More are counted, not shown.
const MOST: usize = 50;
const WIDEST: usize = 240;
const AROUND: usize = 80;

pub fn render(sources: &SourceMap, problem: &Diagnostic) -> String {
    let severity = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut out = format!(
        "<div class=\"message {severity}\"><p class=\"what\">{} <span class=\"id\">{}</span></p>\n",
        prose(&problem.message),
        esc(problem.id)
    );
    if let Some(span) = problem.span {
        out.push_str(&excerpt(sources, span, &problem.label));
    }
    for (span, label) in &problem.related {
        out.push_str(&excerpt(sources, *span, label));
    }
    if let Some(help) = &problem.help {
        let _ = writeln!(out, "<p class=\"help\">{}</p>", prose(help));
    }
    out.push_str("</div>\n");
    out
}

/// Each once, and no more than fit on a page.
pub fn all<'a>(sources: &SourceMap, problems: impl IntoIterator<Item = &'a Diagnostic>) -> String {
    let mut shown: Vec<&Diagnostic> = Vec::new();
    let mut more = 0;
    for problem in problems {
        if shown.contains(&problem) {
            continue;
        }
        if shown.len() < MOST { shown.push(problem) } else { more += 1 }
    }
    let mut out: String = shown.iter().map(|p| render(sources, p)).collect();
    if more > 0 {
        let _ = writeln!(out, "<p class=\"faint\">… and {more} more</p>");
    }
    out
}

/// `file:12:3`
pub fn place(sources: &SourceMap, span: Span) -> String {
    let at = sources.start(span);
    format!("{}:{}:{}", sources.file(span.file).name, at.line, at.column)
}

fn excerpt(sources: &SourceMap, span: Span, label: &str) -> String {
    let (start, end) = (sources.start(span), sources.line_column(span.file, span.end));
    let line = sources.line(span.file, start.line);
    let from = start.column - 1;
    let long = line.chars().count();
    let to = if end.line == start.line { end.column - 1 } else { long };
    // Of a long line, what is around the place.
    let first = if long > WIDEST { from.saturating_sub(AROUND) } else { 0 };
    let last = long.min(first + WIDEST);
    let (to, dots) = (to.min(last), |is_cut: bool| if is_cut { "…" } else { "" });
    let part = |from: usize, to: usize| esc(&line.chars().skip(from).take(to.saturating_sub(from)).collect::<String>());
    let label =
        if label.is_empty() { String::new() } else { format!(" <span class=\"label\">{}</span>", prose(label)) };
    format!(
        "<div class=\"excerpt\"><div class=\"place\">{}</div><pre>{}{}<mark>{}</mark>{}{}</pre>{label}</div>\n",
        esc(&place(sources, span)),
        dots(first > 0),
        part(first, from),
        part(from, to),
        part(to.max(from), last),
        dots(last < long),
    )
}
