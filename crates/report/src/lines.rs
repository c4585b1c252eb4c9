//! Lines that no run reached: the statements of all operations, by line.

use crate::numbers::plural;
use source::{FileId, SourceMap, Span};
use std::collections::BTreeMap;
use verdict::{Report, Statement, Verdict};

/// A line of code that was checked on no state.
pub struct Line<'a> {
    pub method: &'a str,
    /// From its first statement to its end.
    pub span: Span,
    pub number: usize,
}

/// In the order of the files. What an operation without an answer might reach is not among them; none if nothing is verified.
pub fn unreached<'a>(sources: &SourceMap, report: &'a Report) -> Vec<Line<'a>> {
    if report.items().all(|(_, i)| i.verdict != Verdict::Verified) {
        return Vec::new();
    }
    let mut lines: BTreeMap<(FileId, usize), (&Statement, bool)> = BTreeMap::new();
    for statement in report.items().flat_map(|(_, i)| &i.statements).filter(|s| is_written(sources, s)) {
        let number = sources.start(statement.span).line;
        let line = lines.entry((statement.span.file, number)).or_insert((statement, false));
        line.1 |= statement.is_reached != Some(false);
        if statement.span.start < line.0.span.start {
            line.0 = statement;
        }
    }
    let unreached = lines.into_iter().filter(|(_, (_, is_reached))| !is_reached);
    let line = |((file, number), (statement, _)): ((FileId, usize), (&'a Statement, bool))| {
        let column = sources.start(statement.span).column - 1;
        let rest: usize = sources.line(file, number).chars().skip(column).map(char::len_utf8).sum();
        let end = statement.span.end.min(statement.span.start + rest as u32);
        Line { method: &statement.method, span: Span { end, ..statement.span }, number }
    };
    unreached.map(line).collect()
}

/// Of what was made to compare an operation, the user wrote nothing but what it calls.
pub fn is_written(sources: &SourceMap, statement: &Statement) -> bool {
    !sources.file(statement.span.file).name.starts_with("<made from>")
}

/// "3 lines of `equals` were never reached"
pub fn sentence(lines: &[Line<'_>]) -> Option<String> {
    let mut methods: Vec<(&str, u128)> = Vec::new();
    for line in lines {
        match methods.iter_mut().find(|(m, _)| *m == line.method) {
            Some((_, count)) => *count += 1,
            None => methods.push((line.method, 1)),
        }
    }
    let were = if lines.len() == 1 { "was" } else { "were" };
    let of: Vec<String> = methods.iter().map(|(m, n)| format!("{} of `{m}`", plural(*n, "line"))).collect();
    match &of[..] {
        [] => None,
        [one] => Some(format!("{one} {were} never reached")),
        [rest @ .., last] if of.len() <= 3 => Some(format!("{} and {last} were never reached", rest.join(", "))),
        _ => Some(format!("{} of {} methods were never reached", plural(lines.len() as u128, "line"), of.len())),
    }
}
