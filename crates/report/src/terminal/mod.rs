//! What a person sees: a line per item, counterexamples drawn, a sentence at the end. The same for all kinds of input.

mod bounds;
mod derivation;
mod drawing;
mod heap;
mod input;
mod line;
mod outcome;
mod plain;
mod program;
mod sets;
mod summary;

pub use plain::{fold, to_ascii};

use crate::lines::unreached;
use crate::paint::Paint;
use crate::snippet;
use source::SourceMap;
use std::fmt::Write;
use verdict::program::{Mutant, together};
use verdict::{AssumptionKind, Bounds, Example, Failure, Item, ItemKind, Reason, Subject, Verdict};

/// Renders answers one by one, in the order they are given.
pub struct Terminal {
    pub paint: Paint,
    /// Only what is not as it should be, a line each.
    pub quiet: bool,
    /// Columns for drawings.
    pub columns: usize,
    /// A full account of counterexamples that were expected, too.
    pub full: bool,
    /// Show the lines that no run reached.
    pub coverage: bool,
    /// What the rules of a language are exercised by.
    pub witnesses: bool,
    /// The number of the subject at hand.
    section: Option<usize>,
    /// The last thing shown ends with an empty line.
    is_open: bool,
}

impl Terminal {
    pub fn new(paint: Paint, columns: usize) -> Terminal {
        let (quiet, full, coverage, witnesses) = (false, false, false, true);
        Terminal { paint, quiet, columns, full, coverage, witnesses, section: None, is_open: false }
    }

    /// Of one of several jobs.
    pub fn title(&self, title: &str, is_first: bool) -> String {
        format!("{}{}\n", if is_first { "" } else { "\n" }, self.paint.strong(&format!("== {title}")))
    }

    /// What comes is about something else.
    pub fn start_over(&mut self) {
        (self.section, self.is_open) = (None, false);
    }

    /// An answer, below the headline of its subject, which has this number.
    pub fn item(&mut self, sources: &SourceMap, number: usize, subject: &Subject, item: &Item) -> String {
        let mut text = String::new();
        if self.quiet {
            if item.counts && !item.is_right() {
                let _ = writeln!(text, "{}: {}", line::full_name(subject, item), line::said(item));
            }
            return text;
        }
        if self.section != Some(number) {
            let gap = if self.section.is_some() && !self.is_open { "\n" } else { "" };
            let _ = writeln!(text, "{gap}{}", line::headline(subject, item, self.paint));
            self.section = Some(number);
        }
        self.is_open = false;
        text.push_str(&line::line(subject, item, self.paint));
        self.below(&mut text, sources, subject, item);
        self.is_open = text.ends_with("\n\n");
        text
    }

    /// What there is to say beside the line.
    fn below(&self, text: &mut String, sources: &SourceMap, subject: &Subject, item: &Item) {
        if item.kind == ItemKind::Check && item.scope != line::scope(subject, item) {
            let _ = writeln!(text, "    {}", self.paint.faint(&format!("bounds: {}", item.scope)));
        }
        for note in &item.notes {
            let _ = writeln!(text, "    {}", self.paint.faint(note));
        }
        for differs in item.rests_on.iter().filter(|a| a.kind == AssumptionKind::Schema) {
            let _ = writeln!(text, "    {}", self.paint.warn(&differs.message));
        }
        for warning in &item.warnings {
            let _ = writeln!(text, "\n{}\n", snippet::diagnostic(sources, warning, self.paint));
        }
        let is_expected = !self.full && (!item.counts || (item.expected.is_some() && item.is_right()));
        for failure in &item.failures {
            self.failure(text, sources, failure, is_expected);
        }
        for reason in &item.reasons {
            self.reason(text, sources, reason);
        }
    }

    fn failure(&self, text: &mut String, sources: &SourceMap, failure: &Failure, is_expected: bool) {
        let paint = self.paint;
        match &failure.example {
            Some(Example::Program(found)) if is_expected => program::briefly(text, found, paint),
            Some(Example::Program(found)) => program::render(text, sources, found, self.columns, paint),
            Some(Example::Heap(found)) => {
                heap::render(text, sources, found, paint);
                self.problems(text, sources, failure);
                text.push('\n');
            }
            Some(Example::Input(found)) => {
                let _ = writeln!(text, "\n    {}", paint.strong(&found.call));
                let problems = failure.problems.iter().map(|p| snippet::diagnostic(sources, p, paint));
                let _ = writeln!(text, "{}", problems.collect::<Vec<_>>().join("\n\n"));
                input::replay(text, failure, paint);
                text.push('\n');
            }
            Some(Example::Sets(found)) => {
                self.problems(text, sources, failure);
                text.push('\n');
                sets::render(text, found);
                text.push('\n');
            }
            None => {
                self.problems(text, sources, failure);
                text.push('\n');
            }
        }
    }

    fn problems(&self, text: &mut String, sources: &SourceMap, failure: &Failure) {
        for problem in &failure.problems {
            let _ = writeln!(text, "\n{}", snippet::diagnostic(sources, problem, self.paint));
        }
    }

    fn reason(&self, text: &mut String, sources: &SourceMap, reason: &Reason) {
        match reason {
            Reason::Open(problem) => {
                let _ = writeln!(text, "\n{}\n", snippet::diagnostic(sources, problem, self.paint));
            }
            Reason::Steps { span, state, call } => {
                let _ = writeln!(text, "    {}", self.paint.warn(&reason.message()));
                if let Some(state) = state {
                    let _ = writeln!(text);
                    heap::state(text, state, None, self.paint);
                    let _ = writeln!(text, "\n    {}", self.paint.strong(call));
                }
                if let Some(span) = span {
                    let place =
                        snippet::place(sources, *span, "the run was here", "when the steps ran out", self.paint);
                    let _ = writeln!(text, "\n{place}\n");
                }
            }
            _ => {
                let _ = writeln!(text, "    {}", self.paint.warn(&reason.message()));
            }
        }
    }

    /// After the last item of a subject: what its checks have exercised, if all of them hold.
    pub fn complete(&self, subject: &Subject) -> String {
        let items = &subject.items;
        if self.quiet || !self.witnesses || items.iter().any(|i| i.verdict != Verdict::Verified) {
            return String::new();
        }
        program::witnesses(&together(items.iter().filter_map(|i| i.exercised.as_deref())), self.paint)
    }

    pub fn mutant(&self, mutant: &Mutant) -> String {
        program::mutant(mutant, self.paint)
    }

    pub fn bounds(&self, bounds: &Bounds) -> String {
        bounds::render(bounds, self.paint)
    }
}
