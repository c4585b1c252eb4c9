//! Answers about language definitions as a person sees them (LANG.md, section 6).

use crate::derivation::draw;
use crate::numbers::{plural, seconds};
use crate::paint::Paint;
use crate::terminal::why;
use source::SourceMap;
use std::fmt::Write;
use verdict::Verdict;
use verdict::language::{
    Classes, Covered, Engine, LanguageAnswer, LanguageReport, MutantAnswer, ProgramExample, Witness, WitnessKind,
};

/// Renders answers one by one, in the order they are given.
pub struct LanguageTerminal<'a> {
    pub sources: &'a SourceMap,
    pub paint: Paint,
    /// Only what is not as it should be, a line each.
    pub quiet: bool,
    /// Columns for drawings.
    pub columns: usize,
    /// A full account of counterexamples that were expected, too.
    pub full: bool,
    /// The language at hand, and the bounds told of it.
    section: Option<(String, String)>,
}

impl<'a> LanguageTerminal<'a> {
    pub fn new(sources: &'a SourceMap, paint: Paint, quiet: bool, columns: usize) -> LanguageTerminal<'a> {
        LanguageTerminal { sources, paint, quiet, columns, full: false, section: None }
    }

    pub fn answer(&mut self, answer: &LanguageAnswer) -> String {
        let mut text = String::new();
        if self.quiet {
            if answer.counts && !answer.is_right() {
                let _ = writeln!(text, "{}, {}: {}", answer.language, answer.check, self.said(answer));
            }
            return text;
        }
        let told = self.section.as_ref().filter(|(language, _)| *language == answer.language);
        // A check may have bounds of its own.
        let own = told.filter(|(_, bounds)| *bounds != answer.bounds).map(|_| answer.bounds.clone());
        if told.is_none() {
            let gap = if self.section.is_some() { "\n" } else { "" };
            let _ = writeln!(text, "{gap}{}: {}", self.paint.strong(&answer.language), answer.bounds);
            self.section = Some((answer.language.clone(), answer.bounds.clone()));
        }
        let _ = writeln!(text, "{}", self.line(answer));
        if let Some(bounds) = own {
            let _ = writeln!(text, "    {}", self.paint.faint(&format!("bounds: {bounds}")));
        }
        for note in &answer.notes {
            let _ = writeln!(text, "    {}", self.paint.faint(note));
        }
        if let Some(found) = &answer.counterexample {
            // What a mutant is expected to do needs no full account.
            if !self.full && (!answer.counts || (answer.expected.is_some() && answer.is_right())) {
                let programs: Vec<String> =
                    found.parts.iter().filter(|p| p.is_program).map(|p| format!("{} = {}", p.name, p.text)).collect();
                let _ = writeln!(text, "    {}", self.paint.faint(&programs.join("   ")));
            } else {
                self.example(&mut text, found);
            }
        }
        if let Some(reason) = &answer.reason {
            let _ = writeln!(text, "    {}", self.paint.warn(&why(reason)));
        }
        text
    }

    fn line(&self, answer: &LanguageAnswer) -> String {
        let (sign, verdict) = match (answer.verdict, answer.is_right()) {
            (Verdict::Verified, true) => (self.paint.good("✓"), self.paint.good("holds")),
            (Verdict::Verified, false) => (self.paint.bad("✗"), self.paint.bad("holds")),
            (Verdict::Violated, true) => (self.paint.good("✓"), "fails".to_string()),
            (Verdict::Violated, false) if !answer.counts => (self.paint.faint("·"), "fails".to_string()),
            (Verdict::Violated, false) => (self.paint.bad("✗"), self.paint.bad("fails")),
            (Verdict::Unknown, _) => (self.paint.warn("?"), self.paint.warn("unknown")),
        };
        let mut work = String::new();
        if let Some(found) = &answer.counterexample {
            let _ = write!(work, " at size {}", found.size);
        }
        match answer.expected {
            Some(expected) if answer.is_right() && !expected.holds => work.push_str(", as expected"),
            Some(expected) if !answer.is_right() && answer.verdict != Verdict::Unknown => {
                let size = expected.size.map_or(String::new(), |s| format!(" at size {s}"));
                let what = if expected.holds { "holds".to_string() } else { format!("fails{size}") };
                let _ = write!(work, ", but it is expected that it {what}");
            }
            _ => {}
        }
        if let Some(covered) = &answer.covered {
            work.push_str(&covered_text(answer, covered));
        }
        if answer.verdict == Verdict::Verified {
            match (answer.engine, &answer.classes, answer.programs) {
                (Engine::Classes, Some(classes), _) => work.push_str(&classes_text(classes)),
                (Engine::Inherited, ..) => work.push_str(", inherited"),
                (_, _, Some(programs)) => {
                    let _ = write!(work, ", {} enumerated", plural(programs.into(), "program"));
                }
                _ => {}
            }
        }
        let time = self.paint.faint(&seconds(answer.seconds));
        let text = format!("  {sign} {:13}  {verdict}{work}", answer.check);
        format!("{text:70}  {time}")
    }

    fn example(&self, text: &mut String, found: &ProgramExample) {
        let paint = self.paint;
        let _ = writeln!(text, "\n    {}", paint.bad(&found.failure));
        let width = found.parts.iter().map(|p| p.name.chars().count()).max().unwrap_or(0);
        for part in &found.parts {
            let _ = writeln!(text, "    {:width$} = {}", part.name, paint.strong(&part.text));
        }
        if found.sizes.len() > 1 {
            let sizes: Vec<String> = found.sizes.iter().map(|(name, size)| format!("{name} {size}")).collect();
            let _ = writeln!(text, "    sizes: {}", sizes.join(", "));
        }
        for derivation in &found.derivations {
            let _ = writeln!(text);
            for line in draw(derivation, self.columns.saturating_sub(6)) {
                let _ = writeln!(text, "      {line}");
            }
        }
        for step in &found.steps {
            let place = self.sources.start(step.span);
            let file = &self.sources.file(step.span.file).name;
            let _ = writeln!(text, "\n    {}  ⟶  {}", step.before, paint.strong(&step.after));
            let bindings: Vec<String> = step.bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let with = if bindings.is_empty() { String::new() } else { format!("   [{}]", bindings.join(", ")) };
            let _ = writeln!(text, "      by rule {} ({file}:{}){with}", step.rule, place.line);
        }
        if !found.nearest.is_empty() {
            let _ = writeln!(text);
        }
        for line in &found.nearest {
            let _ = writeln!(text, "    nearest: {line}");
        }
        if let Some(cause) = &found.cause {
            let _ = writeln!(
                text,
                "    closer to the cause: {}, a {} of size {}; {} takes {} there, for instance {}",
                paint.strong(&cause.judgment),
                cause.sort,
                cause.size,
                cause.rule,
                cause.expected,
                cause.taken
            );
            if !cause.others.is_empty() {
                let _ = writeln!(text, "      and also: {}", cause.others.join(", "));
            }
        }
        let _ = writeln!(text, "    replay:  {}", found.replay);
    }

    /// What was exercised: one line per rule and alternative of a language, from its answers.
    pub fn witnesses(&self, witnesses: &[Witness], clipped: &[(String, u64)]) -> String {
        let mut text = String::new();
        if self.quiet || witnesses.is_empty() {
            return text;
        }
        for (kind, title) in
            [(WitnessKind::Step, "step"), (WitnessKind::Rule, "rule"), (WitnessKind::Alternative, "alternative")]
        {
            let all: Vec<&Witness> = witnesses.iter().filter(|w| w.kind == kind).collect();
            if all.is_empty() {
                continue;
            }
            let width = all.iter().map(|w| w.name.chars().count()).max().unwrap_or(0).max(title.len());
            let _ = writeln!(text, "  {}", self.paint.faint(&format!("{title:width$}  smallest witness")));
            for witness in all {
                let painted = match (&witness.example, witness.asked_up_to) {
                    (Some(example), _) => example.clone(),
                    (None, None) => self.paint.warn("never used"),
                    (None, Some(size)) => self.paint.warn(&format!("not used up to size {size}")),
                };
                let _ = writeln!(text, "  {:width$}  {painted}", witness.name);
            }
        }
        for (rule, n) in clipped {
            let what = plural((*n).into(), "ground instance");
            let _ = writeln!(text, "  {}", self.paint.faint(&format!("clipped by the type bound: {what} of {rule}")));
        }
        text
    }

    pub fn mutant(&self, answer: &MutantAnswer) -> String {
        let paint = self.paint;
        match (&answer.killed, &answer.reason) {
            (Some((check, size)), _) => {
                format!("  {} {:56}  {check} fails at size {size}\n", paint.good("killed  "), answer.what)
            }
            (None, Some(reason)) => format!("  {} {:56}  {reason}\n", paint.warn("unknown "), answer.what),
            (None, None) => format!("  {} {}\n", paint.warn("survived"), answer.what),
        }
    }

    pub fn summary(&self, report: &LanguageReport) -> String {
        if self.quiet || report.answers.is_empty() {
            return String::new();
        }
        let count = |v: Verdict| report.answers.iter().filter(|a| a.verdict == v).count() as u128;
        let mut parts = Vec::new();
        for (verdict, word) in [(Verdict::Violated, "fail"), (Verdict::Unknown, "unknown"), (Verdict::Verified, "hold")]
        {
            let n = count(verdict);
            if n > 0 {
                let ending = if n == 1 && word != "unknown" { "s" } else { "" };
                parts.push(format!("{} {word}{ending}", plural(n, "check")));
            }
        }
        let expected = report.answers.iter().filter(|a| a.expected.is_some()).count();
        let wrong = report.answers.iter().filter(|a| a.expected.is_some() && !a.is_right()).count();
        let mut text = parts.join(", ");
        if expected > 0 {
            let said = if wrong == 0 { "all as expected".to_string() } else { format!("{wrong} not as expected") };
            let _ = write!(text, "; {said}");
        }
        let painted = match report.exit_status() {
            0 => self.paint.good(&text),
            1 | 2 => self.paint.bad(&text),
            _ => self.paint.warn(&text),
        };
        format!("\n{painted}\n")
    }

    fn said(&self, answer: &LanguageAnswer) -> String {
        match (&answer.counterexample, &answer.reason) {
            (Some(found), _) => format!("{} (size {})", found.failure, found.size),
            (None, Some(reason)) => format!("unknown: {}", why(reason)),
            (None, None) => "holds, which is not expected".to_string(),
        }
    }
}

/// What a verdict speaks of, where that is less than its bounds say.
fn covered_text(answer: &LanguageAnswer, covered: &Covered) -> String {
    let all = match covered.all_types_below {
        0 | 1 => String::new(),
        below => format!(" (all types below size {below})"),
    };
    match answer.verdict {
        Verdict::Verified => format!(" for types within {}{all}", covered.types),
        _ => format!(", smallest for types within {}{all}", covered.types),
    }
}

fn classes_text(classes: &Classes) -> String {
    let mut text = format!(", {}", plural(classes.all.into(), "class").replace("classs", "classes"));
    if classes.all > 0 && classes.non_empty == Some(0) {
        text.push_str(", no program takes a step");
    } else if let Some(non_empty) = classes.non_empty.filter(|_| classes.all > 0) {
        let _ = write!(text, ", {non_empty} non-empty");
        if !classes.by_rule.is_empty() {
            let rules: Vec<String> = classes.by_rule.iter().map(|(rule, n)| format!("{rule} {n}")).collect();
            let _ = write!(text, " ({})", rules.join(", "));
        }
    }
    text
}
