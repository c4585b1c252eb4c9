//! What is known of each named type and function, and what it means to a reader.

use super::Counterexample;
use super::walk::Kind;
use crate::program::*;
use smt::Counts;
use source::{Diagnostic, Span};
use std::fmt;
use std::time::Instant;
use work::Cause;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    Type(TypeId),
    Function(FunId),
}

impl Subject {
    pub fn name(self, program: &Program) -> &str {
        match self {
            Subject::Type(id) => &program.named(id).name,
            Subject::Function(id) => &program.function(id).name,
        }
    }

    /// Where it is declared: its name.
    pub fn span(self, program: &Program) -> Span {
        match self {
            Subject::Type(id) => program.named(id).name_span,
            Subject::Function(id) => program.function(id).name_span,
        }
    }

    /// What whoever relies on it takes for granted, in a sentence without a full stop.
    pub fn assumption(self, program: &Program) -> String {
        let name = self.name(program);
        match self {
            Subject::Type(_) => format!("`{name}` is well-formed"),
            Subject::Function(_) => format!("`{name}` meets its type"),
        }
    }

    /// How an imported type differs from its schema.
    pub fn notes(self, program: &Program) -> &[Note] {
        match self {
            Subject::Type(id) => &program.named(id).notes,
            Subject::Function(_) => &[],
        }
    }
}

#[derive(Clone, Debug)]
pub enum Verdict {
    Verified,
    Violated(Box<Counterexample>),
    NotProved(Vec<Unproved>),
    /// The whole run had to end before it was decided.
    Stopped(Cause),
    /// A bug of ours, or of the machine.
    Internal(&'static str),
}

/// A condition that resisted.
#[derive(Clone, Debug)]
pub struct Unproved {
    pub kind: Kind,
    pub span: Span,
    pub why: Why,
    /// The conditions on the way to it, and what they are.
    pub path: Vec<(Span, bool)>,
}

/// Why a condition is not proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The solver has a model in which it does not hold, or believes so.
    Model,
    Unknown(smt::Why),
    /// No rule of the type system applies.
    Rule(&'static str),
    /// A type whose own conditions are not proved.
    IllFormed,
    /// One solver has a proof, the other a model.
    Disagreement,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Model => write!(f, "the solver finds a case in which it fails"),
            Why::Unknown(why) => write!(f, "{why}"),
            Why::Rule(why) => write!(f, "{why}"),
            Why::IllFormed => write!(f, "its own conditions are not proved"),
            Why::Disagreement => write!(f, "the solvers disagree: one has a proof, the other a model"),
        }
    }
}

impl From<smt::Why> for Why {
    fn from(why: smt::Why) -> Why {
        Why::Unknown(why)
    }
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub subject: Subject,
    pub verdict: Verdict,
    pub conditions: usize,
    /// What a verdict `Verified` takes to be fine although it is not known to be: functions that are called and types, directly or not,
    /// at most a hundred of them.
    pub assuming: Vec<Subject>,
    /// Of a verdict `Verified`, if there is a second solver.
    pub certified: Option<Certified>,
    pub queries: u64,
    /// Queries that the clock stopped: the verdict may be another on a machine with less to do.
    pub late: u64,
    pub seconds: f64,
    /// Of which in the solver.
    pub solver_seconds: f64,
}

/// What a second solver says of the proofs of a verdict.
#[derive(Clone, Debug)]
pub struct Certified {
    /// All proofs: of the conditions, and of what was guessed on the way.
    pub proofs: usize,
    /// Those that it does not repeat.
    pub open: Vec<Unproved>,
}

impl Answer {
    pub(crate) fn of(subject: Subject, verdict: Verdict) -> Answer {
        Answer {
            subject,
            verdict,
            conditions: 0,
            assuming: Vec::new(),
            certified: None,
            queries: 0,
            late: 0,
            seconds: 0.0,
            solver_seconds: 0.0,
        }
    }

    /// What was spent on it since then.
    pub(crate) fn spent(&mut self, since: Instant, before: Counts, now: Counts) {
        self.queries = now.queries - before.queries;
        self.late = now.late - before.late;
        self.solver_seconds = (now.micros - before.micros) as f64 / 1e6;
        self.seconds = since.elapsed().as_secs_f64();
    }

    /// Verified, and certified if that was asked for; perhaps on assumptions.
    pub fn is_proved(&self) -> bool {
        matches!(self.verdict, Verdict::Verified) && self.certified.as_ref().is_none_or(|c| c.open.is_empty())
    }

    /// Whether the end of the run came before the end of the work on it.
    pub fn is_stopped(&self) -> bool {
        let is_stopped = |u: &Unproved| matches!(u.why, Why::Unknown(smt::Why::Stopped(_)));
        matches!(self.verdict, Verdict::Stopped(_))
            || self.certified.as_ref().is_some_and(|c| c.open.iter().any(is_stopped))
    }

    /// How far the verdict depends on the machine, in a sentence without a full stop.
    pub fn note(&self) -> Option<String> {
        if self.late == 0 || !matches!(self.verdict, Verdict::NotProved(_)) {
            return None;
        }
        let times = if self.late == 1 { "once".to_string() } else { format!("{} times", self.late) };
        Some(format!(
            "the clock stopped the solver {times} here: another run may decide it; --solver-timeout gives more time"
        ))
    }
}

impl Kind {
    /// What may be wrong if a condition of this kind does not hold.
    pub fn wanted(&self) -> String {
        match self {
            Kind::Operand(op) => format!("an operand of `{}` may be of the wrong sort", op.symbol()),
            Kind::DivisionByZero => "the divisor may be 0".to_string(),
            Kind::Condition => "the condition may be neither true nor false".to_string(),
            Kind::Field(label) => format!("there may be no field `{label}`"),
            Kind::Entity(label) => format!("`.{label}` may be asked of a value that is not an entity"),
            Kind::Collection => "this may not be a collection".to_string(),
            Kind::Test => "the test itself may fail".to_string(),
            Kind::Argument(name) => format!("the argument may not be in the type of `{name}`"),
            Kind::Result => "the result may not be in the declared type".to_string(),
            Kind::Ascription => "the value may not be in the type that is ascribed to it".to_string(),
            Kind::AccumulatorInitial => "the first accumulator may not be in its type".to_string(),
            Kind::Accumulator => "the next accumulator may not be in its type".to_string(),
            Kind::InvariantInitial => "the invariant may not hold before the loop".to_string(),
            Kind::Invariant => "the invariant may not hold after a round".to_string(),
            Kind::Refinement => "the condition of a refinement may be neither true nor false".to_string(),
            Kind::Order => "the result may depend on the order of the members".to_string(),
            Kind::Guessed => "an invariant that was guessed may not hold".to_string(),
            Kind::IllFormed(name) => format!("it rests on `{name}`, which is not known to be well-formed"),
        }
    }
}

/// Conditions on the way that are shown.
const MOST_PATH: usize = 4;

impl Unproved {
    pub fn diagnostic(&self) -> Diagnostic {
        let message = format!("{} (not proved: {})", self.kind.wanted(), self.why);
        let help = match self.kind {
            Kind::Accumulator | Kind::Invariant | Kind::AccumulatorInitial | Kind::InvariantInitial => {
                "say more about the accumulator: `invariant e` may mention it and `rest`, the members not yet taken"
            }
            Kind::Result => {
                "what is known of the result is its parts' types, what was tested, and the types of what is called"
            }
            _ => "test it first with `in`, or give a parameter a more precise type",
        };
        let problem = Diagnostic::warning("not-proved", self.span, message).help(help);
        self.path.iter().rev().take(MOST_PATH).fold(problem, |problem, (span, truth)| {
            problem.related(*span, if *truth { "known here: this is true" } else { "known here: this is false" })
        })
    }

    /// The same for a proof that a second solver, of this name, does not repeat.
    pub fn uncertified(&self, by: &str) -> Diagnostic {
        let message = format!("{} ({by} does not repeat the proof: {})", self.kind.wanted(), self.why);
        Diagnostic::warning("not-certified", self.span, message).help("a longer --solver-timeout may help")
    }
}
