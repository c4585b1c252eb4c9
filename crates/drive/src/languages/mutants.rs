//! Every mutant of a language, and which of its checks notices.

use super::Language;
use super::check::Task;
use lang::mutate;
use source::Diagnostic;
use verdict::program::Mutant;
use verdict::{Example, Reason};
use work::Stop;

/// The languages that a small change makes of one.
pub fn of(language: &Language, stop: &Stop) -> Vec<mutate::Mutant> {
    mutate::mutants_until(&language.lang, stop)
}

/// Whether a check notices; the one with the smallest counterexample.
pub fn judge(language: &Language, mutant: &mutate::Mutant, certify: bool, enumerate: bool, stop: &Stop) -> Mutant {
    let own: &'static Language =
        crate::keep(Language { lang: mutant.lang.clone(), base: None, file: language.file.clone() });
    let mut killed: Option<(String, u32)> = None;
    let mut reason = None;
    for check in &own.lang.checks {
        let task = Task { language: own, check, certify, enumerate, stop: stop.clone(), counted_by: Some("") };
        let answer = match task.answer() {
            Ok(answer) => answer,
            Err(problem) => {
                reason = Some(Reason::Open(*problem));
                continue;
            }
        };
        for failure in &answer.failures {
            if let Some(Example::Program(found)) = &failure.example
                && killed.as_ref().is_none_or(|(_, size)| found.size < *size)
            {
                killed = Some((check.name.clone(), found.size));
            }
        }
        let open = |id, message: String| Some(Reason::Open(Diagnostic::note(id, check.span, message)));
        match answer.reasons.into_iter().next() {
            Some(limit) if limit.is_limit() => reason = Some(limit),
            Some(Reason::NoProgram) => {
                reason = open("no-program", format!("nothing satisfies the premises of {}", check.name));
            }
            Some(other) => reason = open(other.code(), format!("{} is unknown", check.name)),
            None => {}
        }
    }
    if killed.is_some() {
        reason = None;
    }
    Mutant { what: mutant.what.clone(), span: mutant.span, killed, reason }
}
