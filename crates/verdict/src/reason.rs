//! Why nothing is known for sure.

use crate::heap::Snapshot;
use source::{Diagnostic, Span};

#[derive(Clone, Debug)]
pub enum Reason {
    /// `--timeout`
    Timeout,
    /// `--memory`
    Memory,
    /// Ctrl-C, or a signal that ends the process.
    Interrupted,
    /// `--max-steps`, in this loop or method; on the state of the counterexample, if there is one.
    Steps { span: Option<Span>, state: Option<Box<Snapshot>>, call: String },
    /// No state within the bounds satisfies the invariant and the precondition.
    NoState,
    /// No program within the bounds satisfies the premises of a check of a language.
    NoProgram,
    /// Of a check of a language: no program below this size breaks it, and not all others were looked at. What was cut, by which rule, and
    /// what to change for a verdict.
    Partly { below: u32, cut: String, help: String },
    /// Every run was dropped by a precondition, an `assume`, or because the state is final.
    AllDropped,
    /// Something in particular was not decided: a condition, an obligation.
    Open(Diagnostic),
    /// The answer did not stand up to replay or proof checking: a bug of glassbox.
    Internal(String),
}

impl Reason {
    /// For programs: kebab-case and stable.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Timeout => "timeout",
            Reason::Memory => "memory",
            Reason::Interrupted => "interrupted",
            Reason::Steps { .. } => "steps",
            Reason::NoState => "no-state",
            Reason::NoProgram => "no-program",
            Reason::Partly { .. } => "partly",
            Reason::AllDropped => "all-dropped",
            Reason::Open(problem) => problem.id,
            Reason::Internal(_) => "internal",
        }
    }

    /// In a sentence.
    pub fn message(&self) -> String {
        match self {
            Reason::Timeout => "the time limit was reached, and no violation was found until then".to_string(),
            Reason::Memory => "the memory limit was reached, and no violation was found until then".to_string(),
            Reason::Interrupted => "interrupted, and no violation was found until then".to_string(),
            Reason::Steps { .. } => "a run exceeded --max-steps: raise it, or bound the loop or recursion".to_string(),
            Reason::NoState => {
                "no state within the bounds satisfies the invariant and the precondition: nothing was checked"
                    .to_string()
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
            Reason::Open(problem) => problem.message.clone(),
            Reason::Internal(what) => format!("internal error: {what}; please report this as a bug, with the input"),
        }
    }

    /// Ended from outside: a limit or a signal.
    pub fn is_limit(&self) -> bool {
        matches!(self, Reason::Timeout | Reason::Memory | Reason::Interrupted)
    }

    /// There was nothing to check.
    pub fn is_vacuous(&self) -> bool {
        matches!(self, Reason::NoState | Reason::AllDropped | Reason::NoProgram)
    }
}

impl From<work::Cause> for Reason {
    fn from(cause: work::Cause) -> Reason {
        match cause {
            work::Cause::Interrupted => Reason::Interrupted,
            work::Cause::Timeout => Reason::Timeout,
            work::Cause::Memory => Reason::Memory,
        }
    }
}
