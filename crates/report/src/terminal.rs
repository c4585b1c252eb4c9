//! What a person sees: a line per operation, counterexamples drawn, a sentence at the end.

use crate::counterexample;
use crate::lines::{sentence, unreached};
use crate::numbers::{covered, plural, seconds};
use crate::paint::Paint;
use crate::snippet;
use source::SourceMap;
use std::fmt::Write;
use verdict::{Engine, LeftOut, OperationReport, Reason, Report, Verdict};

/// Renders answers one by one, in the order they are given.
pub struct Terminal<'a> {
    pub sources: &'a SourceMap,
    pub paint: Paint,
    /// Only what is not verified, a line each.
    pub quiet: bool,
    /// Of the longest name of an operation.
    pub width: usize,
    /// Show the lines that no run reached.
    pub coverage: bool,
    /// Class and size of the latest headline.
    section: Option<(String, i64)>,
}

impl<'a> Terminal<'a> {
    pub fn new(sources: &'a SourceMap, paint: Paint, quiet: bool, width: usize) -> Terminal<'a> {
        Terminal { sources, paint, quiet, width, coverage: false, section: None }
    }

    pub fn operation(&mut self, answer: &OperationReport) -> String {
        let mut text = String::new();
        if self.quiet {
            if answer.verdict != Verdict::Verified {
                let _ = writeln!(text, "{}.{}, size {}: {}", answer.class, answer.operation, answer.size, said(answer));
            }
            return text;
        }
        let section = Some((answer.class.clone(), answer.size));
        if self.section != section {
            let gap = if self.section.is_some() { "\n" } else { "" };
            let title = format!("{}, size {}", answer.class, answer.size);
            // A constructor without parameters has one run: nothing to say of a space.
            let space =
                if answer.covered.space.is_empty() { String::new() } else { format!(": {}", answer.covered.space) };
            let _ = writeln!(text, "{gap}{}{space}", self.paint.strong(&title));
            self.section = section;
        }
        text.push_str(&self.line(answer));
        if let Some(found) = &answer.counterexample {
            text.push_str(&counterexample::render(self.sources, found, self.paint));
        }
        if let Some(reason) = &answer.reason {
            self.reason(&mut text, reason);
        }
        text
    }

    fn line(&self, answer: &OperationReport) -> String {
        let (sign, verdict) = match answer.verdict {
            Verdict::Verified => (self.paint.good("✓"), self.paint.good("verified")),
            Verdict::Violated => (self.paint.bad("✗"), self.paint.bad("violated")),
            Verdict::Unknown => (self.paint.warn("?"), self.paint.warn("unknown ")),
        };
        let how = if answer.engine == Engine::Exhaustive { " one by one" } else { "" };
        let mut work = format!("{} run{how}", plural(answer.states_run.into(), "state"));
        if answer.verdict == Verdict::Verified
            && let Some(covered) = covered(&answer.covered)
        {
            let _ = write!(work, ", covering {covered}");
        }
        let time = self.paint.faint(&seconds(answer.seconds));
        let width = self.width;
        format!("  {sign} {:width$}  {verdict}  {work:44}  {time}\n", answer.operation)
    }

    fn reason(&self, text: &mut String, reason: &Reason) {
        let _ = writeln!(text, "    {}", self.paint.warn(&why(reason)));
        if let Reason::Steps { span, state, call } = reason {
            if let Some(state) = state {
                let _ = writeln!(text);
                counterexample::state(text, state, None, self.paint);
                let _ = writeln!(text, "\n    {}", self.paint.strong(call));
            }
            if let Some(span) = span {
                let place =
                    snippet::place(self.sources, *span, "the run was here", "when the steps ran out", self.paint);
                let _ = writeln!(text, "\n{place}\n");
            }
        }
    }

    /// "2 operations verified on every tree within 7 places, height at most 3"
    pub fn summary(&self, report: &Report) -> String {
        if self.quiet {
            return String::new();
        }
        let with = |v: Verdict| report.operations.iter().filter(|o| o.verdict == v).collect::<Vec<_>>();
        let (good, bad, open) = (with(Verdict::Verified), with(Verdict::Violated), with(Verdict::Unknown));
        let is_range = report.operations.iter().any(|o| o.size != report.operations[0].size);
        let mut parts = Vec::new();
        let mut say = |answers: &[&OperationReport], what: &str| {
            if !answers.is_empty() {
                let unit = if is_range { "check" } else { "operation" };
                parts.push(format!("{} {what}", plural(answers.len() as u128, unit)));
            }
        };
        say(&bad, "violated");
        say(&open, "unknown");
        say(&good, "verified");
        if !report.errors.is_empty() {
            parts.push(format!("{} not analysed", report.errors.len()));
        }
        let mut text = parts.join(", ");
        let is_clean = bad.is_empty() && open.is_empty() && report.errors.is_empty();
        if is_clean && !good.is_empty() {
            let spaces = good.iter().rev().map(|o| o.covered.space.as_str());
            let mut spaces: Vec<&str> = spaces.filter(|s| !s.is_empty()).collect();
            spaces.dedup();
            if let [space] = spaces[..] {
                let _ = write!(text, " on {space}");
            } else if is_range && let (Some(last), Some(space)) = (report.operations.last(), spaces.first()) {
                let _ = write!(text, ", up to size {}: {space}", last.size);
            }
        }
        let painted = match (bad.is_empty(), is_clean) {
            (false, _) => self.paint.bad(&text),
            (true, false) => self.paint.warn(&text),
            (true, true) => self.paint.good(&text),
        };
        let gap = if report.operations.last().is_some_and(|o| o.counterexample.is_some()) { "" } else { "\n" };
        format!("{gap}{painted}\n{}{}", self.left_out(&good), self.unreached(report))
    }

    /// How many lines no run reached; which, if that was asked for.
    fn unreached(&self, report: &Report) -> String {
        let lines = unreached(self.sources, report);
        let Some(sentence) = sentence(&lines) else {
            let is_known = |o: &OperationReport| o.statements.iter().all(|s| s.is_reached.is_some());
            let is_all = self.coverage && report.errors.is_empty() && report.operations.iter().all(is_known);
            return if is_all { "every line was reached\n".to_string() } else { String::new() };
        };
        if !self.coverage {
            return format!("{sentence}; --coverage shows which\n");
        }
        let mut text = format!("{sentence}:\n");
        for line in &lines {
            let file = self.sources.file(line.span.file);
            let source = self.sources.line(line.span.file, line.number).trim();
            let _ = writeln!(text, "  {}:{}: {source}", file.name, line.number);
        }
        text
    }

    /// Each cause once, of the greatest size alone: what a smaller one leaves out is in there.
    fn left_out(&self, good: &[&OperationReport]) -> String {
        let last = good.iter().map(|o| o.size).max();
        let mut told: Vec<&LeftOut> = Vec::new();
        for hole in good.iter().filter(|o| Some(o.size) == last).flat_map(|o| &o.left_out) {
            if !hole.only_json && !told.iter().any(|t| t.is_same(hole)) {
                told.push(hole);
            }
        }
        let mut text = String::new();
        for hole in told {
            let _ = writeln!(text, "{} {}", self.paint.warn("left out:"), hole.message);
            let example = hole.example.as_ref().map(|call| format!("for example {call}"));
            let remedy = Some(hole.remedy.clone()).filter(|r| !r.is_empty());
            let rest: Vec<String> = example.into_iter().chain(remedy).collect();
            if !rest.is_empty() {
                let _ = writeln!(text, "          {}", rest.join("; "));
            }
        }
        text
    }
}

/// The one thing to say of an answer that is not "verified".
fn said(answer: &OperationReport) -> String {
    match (&answer.counterexample, &answer.reason) {
        (Some(found), _) => {
            let what = found.violations.first().map_or("", |v| v.message.as_str());
            format!("violated by {}: {what}", found.call)
        }
        (None, Some(reason)) => format!("unknown: {}", why(reason)),
        (None, None) => answer.verdict.name().to_string(),
    }
}

/// Why nothing is known for sure, in a sentence.
pub fn why(reason: &Reason) -> String {
    match reason {
        Reason::Timeout => "the time limit was reached; what was run until then showed no violation".to_string(),
        Reason::Memory => "the memory limit was reached; what was run until then showed no violation".to_string(),
        Reason::Interrupted => "interrupted; what was run until then showed no violation".to_string(),
        Reason::Steps { .. } => "a run exceeded --max-steps: raise it, or bound the loop or recursion".to_string(),
        Reason::NoState => {
            "no state within the bounds satisfies the invariant and the precondition: nothing was checked".to_string()
        }
        Reason::NoProgram => {
            "no program within the bounds satisfies the premises: nothing was checked. Raise the bounds, or fix the rules"
                .to_string()
        }
        Reason::Partly { below, cut, help } => {
            let far = if *below == 0 {
                "no program was looked at".to_string()
            } else {
                format!("no program below size {below} breaks it, but larger ones were not all looked at")
            };
            format!("{far}: {cut}. For a verdict: {help}")
        }
        Reason::AllDropped => {
            "every run was dropped by a precondition, an `assume` or a final state: nothing was checked".to_string()
        }
        Reason::Internal(what) => format!("internal error: {what}; please report this as a bug, with the input"),
    }
}
