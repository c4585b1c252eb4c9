//! V1: what no program within the bounds uses. A rule is an error, whatever is expected; an alternative is a warning. And checks about
//! steps that no program takes.

use super::{Language, exercised, is_empty};
use lang::JudgId;
use source::Diagnostic;
use verdict::program::WitnessKind;
use verdict::{Item, Verdict};

/// Only if every check of the language was decided, and holds.
pub fn unused(language: &Language, items: &[Item]) -> Vec<Diagnostic> {
    let all_hold = items.iter().all(|i| i.verdict == Verdict::Verified);
    if !all_hold || items.len() < language.lang.checks.len() {
        return Vec::new();
    }
    let witnesses = exercised(items).witnesses;
    let mut problems = Vec::new();
    for witness in witnesses.iter().filter(|w| w.example.is_none() && !w.may_be_unused) {
        let is_rule = witness.kind != WitnessKind::Alternative;
        let what = format!("{} {}", if is_rule { "the rule" } else { "the alternative" }, witness.name);
        let message = match witness.asked_up_to {
            None => format!("{what} is never used by any program within the bounds"),
            Some(size) => format!("{what} is not used by any program up to size {size}; larger ones were not asked"),
        };
        let diagnostic = if is_rule && witness.asked_up_to.is_none() {
            Diagnostic::error("V1", witness.span, message)
        } else {
            Diagnostic::warning("V1", witness.span, message)
        };
        problems.push(diagnostic.help(if is_rule {
            "raise the bounds, fix the rule, or mark it {unused ok}"
        } else {
            "raise the bounds, or remove it"
        }));
    }
    let is_told = witnesses.iter().any(|w| w.kind == WitnessKind::Step && w.example.is_none() && !w.may_be_unused);
    for (item, check) in items.iter().zip(&language.lang.checks).filter(|_| !is_told) {
        if is_about_steps_not_taken(language, item, check) {
            let message =
                format!("no program that {} is about takes a step: nothing about steps was checked", check.name);
            problems.push(Diagnostic::error("V1", check.span, message).help("raise the bounds, or fix the rules"));
        }
    }
    problems
}

fn is_about_steps_not_taken(language: &Language, item: &Item, check: &lang::Check) -> bool {
    let mut speaks_of_steps = false;
    for located in check.premises.iter().chain(check.conclusions.iter().flatten()) {
        let is_step = |j: JudgId| language.lang.judgment(j).reduction.is_some();
        located.premise.each_judgment(&mut |j, _| speaks_of_steps |= is_step(j));
    }
    // What is inherited has exercised nothing.
    let Some(exercised) = &item.exercised else { return false };
    let mut steps = exercised.witnesses.iter().filter(|w| w.kind == WitnessKind::Step).peekable();
    let is_shown = steps.peek().is_none() || steps.any(|w| w.example.is_some() || w.asked_up_to.is_some());
    exercised.classes.as_ref().is_some_and(is_empty) || (speaks_of_steps && !is_shown)
}
