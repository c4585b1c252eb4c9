//! A failure in words: what may not hold, where, whose demand it is, and how a run gets there.

use super::oblige::{Blame, Failure, Kind};
use crate::program::*;
use source::Diagnostic;

/// The message for a person, with the places that matter.
pub fn diagnostic(program: &Program, proc: ProcId, failure: &Failure) -> Diagnostic {
    let module = program.proc(proc).module;
    let from = from(program, failure);
    let message = match &failure.kind {
        Kind::Call(callee) => {
            format!("requires clause in a call to procedure {} may not hold{from}", program.proc_name(*callee))
        }
        Kind::Exit => match &failure.blame {
            Blame::Frame(id) => format!(
                "`{}` may change, but is not in `modifies` of {} (frame condition)",
                program.name_from(module, *id),
                program.proc_name(proc)
            ),
            _ => format!("ensures clause of {} may not hold at its end{from}", program.proc_name(proc)),
        },
        Kind::Assert(Some(label)) => format!("assertion \"{label}\" may not hold"),
        Kind::Assert(None) => "this assertion may not hold".to_owned(),
        Kind::LoopEntry => {
            "the loop invariant may not hold before the loop (prestate must imply loop invariant)".to_owned()
        }
        Kind::LoopRound => "a round may break the loop invariant (preservation of loop invariant)".to_owned(),
        Kind::Null => "this object may be null".to_owned(),
    };
    let mut problem = Diagnostic::error(id(failure), failure.span, message).label(label(failure));
    let clause = match &failure.blame {
        Blame::Requires(span) | Blame::Ensures(span) | Blame::Default { span, .. } | Blame::Invariant { span, .. } => {
            Some(*span)
        }
        Blame::Loop(span) | Blame::Assert(span) => Some(*span).filter(|span| *span != failure.span),
        Blame::Frame(_) | Blame::Null(_) => None,
    };
    if let Blame::Frame(variable) = &failure.blame {
        problem = problem.related(program.spec_var(*variable).span, "declared here");
    }
    let parts = if failure.parts.is_empty() { clause.into_iter().collect() } else { failure.parts.clone() };
    for part in parts {
        problem = problem.related(part, "what should hold");
    }
    for id in &failure.hidden {
        let variable = program.spec_var(*id);
        if let Some(scope) = program.hiding(module, variable.module) {
            let name = program.name_from(module, *id);
            let message =
                format!("{name} is hidden by scope {}: any value that its invariants allow counts", scope.name);
            problem = problem.related(variable.span, message);
        }
    }
    for (span, kind, held) in &failure.way {
        let text = match (*kind, *held) {
            ("while", true) => "in a round of this loop",
            ("while", false) => "after this loop",
            (_, true) => "on the way: this is true",
            (_, false) => "on the way: this is false",
        };
        problem = problem.related(*span, text);
    }
    match help(failure) {
        _ if !failure.hidden.is_empty() => {
            problem.help("callers cannot know it: say it with sets that they see, or as an invariant of the scope")
        }
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// The program starts with a procedure whose `requires` is false then.
pub fn not_met_at_start(program: &Program, main: ProcId, clause: &Clause) -> Diagnostic {
    let name = program.proc_name(main);
    let from = match &clause.reason {
        Reason::Default(default) => format!(" (default `{default}`)"),
        Reason::Written | Reason::Invariant(_) => String::new(),
    };
    Diagnostic::error(
        "hob-start",
        clause.span,
        format!("the program starts with {name}, and its requires clause does not hold then{from}"),
    )
    .label("false when all sets are empty and all Booleans false")
    .related(program.proc(main).span, "the program starts here")
    .help("remove it, or let the body establish it first")
}

/// Stable, for programs.
pub fn id(failure: &Failure) -> &'static str {
    match (&failure.kind, &failure.blame) {
        (Kind::Call(_), Blame::Invariant { .. }) => "hob-invariant-at-call",
        (Kind::Call(_), _) => "hob-requires",
        (_, Blame::Frame(_)) => "hob-frame",
        (_, Blame::Default { .. }) => "hob-default",
        (_, Blame::Invariant { .. }) => "hob-invariant",
        (Kind::Exit, _) => "hob-ensures",
        (Kind::Assert(_), _) => "hob-assert",
        (Kind::LoopEntry, _) => "hob-loop-entry",
        (Kind::LoopRound, _) => "hob-loop-round",
        (Kind::Null, _) => "hob-null",
    }
}

/// Who put the clause there, if not the specification of the procedure itself.
fn from(program: &Program, failure: &Failure) -> String {
    match &failure.blame {
        Blame::Default { name, .. } => format!(" (default `{name}`)"),
        Blame::Invariant { scope, .. } => {
            let scope = &program.scopes[scope.index()];
            let kind = if scope.implicit { "module" } else { "scope" };
            format!(" (invariant of {kind} {})", scope.name)
        }
        _ => String::new(),
    }
}

fn label(failure: &Failure) -> &'static str {
    match failure.kind {
        Kind::Call(_) => "called here",
        Kind::Exit => "a run may end here",
        Kind::Assert(_) | Kind::Null => "",
        Kind::LoopEntry | Kind::LoopRound => "this loop",
    }
}

fn help(failure: &Failure) -> Option<&'static str> {
    match (&failure.kind, &failure.blame) {
        (_, Blame::Frame(_)) => Some("list it in `modifies`, or do not change it"),
        (Kind::LoopEntry | Kind::LoopRound, _) => {
            Some("primed names are values now, unprimed ones values when the procedure began")
        }
        (Kind::Null, _) => Some("test it for null first, or require card(..) = 1"),
        _ => None,
    }
}
