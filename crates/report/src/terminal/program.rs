//! Programs that break a check of a language, and what its checks have exercised.

use super::derivation::draw;
use crate::numbers::plural;
use crate::paint::Paint;
use source::SourceMap;
use std::fmt::Write;
use verdict::program::{Exercised, Mutant, ProgramExample, Witness, WitnessKind};

/// What a mutant is expected to do needs no full account.
pub fn briefly(text: &mut String, found: &ProgramExample, paint: Paint) {
    let programs: Vec<String> =
        found.parts.iter().filter(|p| p.is_program).map(|p| format!("{} = {}", p.name, p.text)).collect();
    let _ = writeln!(text, "    {}", paint.faint(&programs.join("   ")));
}

pub fn render(text: &mut String, sources: &SourceMap, found: &ProgramExample, columns: usize, paint: Paint) {
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
        for line in draw(derivation, columns.saturating_sub(6)) {
            let _ = writeln!(text, "      {line}");
        }
    }
    for step in &found.steps {
        let place = sources.start(step.span);
        let file = &sources.file(step.span.file).name;
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

/// One line per rule and alternative.
pub fn witnesses(exercised: &Exercised, paint: Paint) -> String {
    let mut text = String::new();
    let witnesses = &exercised.witnesses;
    if witnesses.is_empty() {
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
        let _ = writeln!(text, "  {}", paint.faint(&format!("{title:width$}  smallest witness")));
        for witness in all {
            let painted = match (&witness.example, witness.asked_up_to) {
                (Some(example), _) => example.clone(),
                (None, None) => paint.warn("never used"),
                (None, Some(size)) => paint.warn(&format!("not used up to size {size}")),
            };
            let _ = writeln!(text, "  {:width$}  {painted}", witness.name);
        }
    }
    for (rule, n) in &exercised.clipped {
        let what = plural((*n).into(), "ground instance");
        let _ = writeln!(text, "  {}", paint.faint(&format!("clipped by the type bound: {what} of {rule}")));
    }
    text
}

pub fn mutant(mutant: &Mutant, paint: Paint) -> String {
    match (&mutant.killed, &mutant.reason) {
        (Some((check, size)), _) => {
            format!("  {} {:56}  {check} fails at size {size}\n", paint.good("killed  "), mutant.what)
        }
        (None, Some(reason)) => {
            format!("  {} {:56}  {}\n", paint.warn("unknown "), mutant.what, reason.message())
        }
        (None, None) => format!("  {} {}\n", paint.warn("survived"), mutant.what),
    }
}
