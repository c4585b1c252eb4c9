//! What every checker answers: plain data, no behaviour beyond names. Renderers show it, tests compare it.

pub mod language;

use source::{Diagnostic, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Verified,
    Violated,
    Unknown,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }
}

/// What can go wrong (JAVA.md, point 8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    Invariant,
    Preservation,
    Postcondition,
    Assertion,
    Exception,
    Progress,
    Divergence,
}

impl Kind {
    /// As in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Invariant => "invariant",
            Kind::Preservation => "preservation",
            Kind::Postcondition => "postcondition",
            Kind::Assertion => "assertion",
            Kind::Exception => "exception",
            Kind::Progress => "progress",
            Kind::Divergence => "divergence",
        }
    }
}

/// The answer for one operation of one class at one size.
#[derive(Clone, Debug)]
pub struct OperationReport {
    pub class: String,
    pub operation: String,
    pub size: i64,
    pub verdict: Verdict,
    /// Whose answer it is.
    pub engine: Engine,
    /// States run explicitly.
    pub states_run: u64,
    pub covered: Covered,
    pub seconds: f64,
    /// Work counted, by name.
    pub work: Vec<(&'static str, u64)>,
    /// If unknown.
    pub reason: Option<Reason>,
    /// If violated.
    pub counterexample: Option<Counterexample>,
    /// What the answer does not speak of, although it matters for this class.
    pub left_out: Vec<LeftOut>,
    /// The code it may run, in files the user named.
    pub statements: Vec<Statement>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The name of its method, or of the class of its constructor.
    pub method: String,
    pub span: Span,
    /// Whether some run did; None if the search did not come to its end.
    pub is_reached: Option<bool>,
}

/// How an answer about an operation was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// One state run for all that behave alike.
    Glassbox,
    /// All states one by one.
    Exhaustive,
}

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Engine::Glassbox => "glassbox",
            Engine::Exhaustive => "exhaustive",
        }
    }
}

/// States that no run started from, although a program that uses the class may get there: a hole in the induction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// What kind of hole, kebab-case. With the span it names the cause: a person sees each cause once.
    pub id: &'static str,
    /// One line, without a full stop.
    pub message: String,
    /// What brings them in, one line: `@Range("0..4") on `n` brings them in`. Empty if nothing does.
    pub remedy: String,
    /// The field, parameter or class that it is about.
    pub span: Option<Span>,
    /// A call that gets there, replayed by the interpreter.
    pub example: Option<String>,
    /// Asked for by the user, so a person need not be told again.
    pub only_json: bool,
}

impl LeftOut {
    /// Two holes with one cause.
    pub fn is_same(&self, other: &LeftOut) -> bool {
        self.id == other.id && self.span == other.span && (self.span.is_some() || self.message == other.message)
    }
}

/// How many valid states (with arguments) the answer speaks of.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// Exactly, if that was cheap to find out.
    pub states: Option<u128>,
    /// The decimal logarithm of an estimate otherwise.
    pub log10: Option<f64>,
    /// No estimate came about: there are so many, and probably many more.
    pub is_least: bool,
    /// "every tree within 7 places, height at most 3"
    pub space: String,
}

/// Why nothing is known for sure.
#[derive(Clone, Debug)]
pub enum Reason {
    /// `--timeout`
    Timeout,
    /// `--memory`
    Memory,
    /// Ctrl-C
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
    /// The answer did not stand up to replay or proof checking: a bug of glassbox.
    Internal(String),
}

/// A concrete example of something going wrong, replayed by the interpreter.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub before: Snapshot,
    /// What excludes states like that, if they never occur: a line each.
    pub notes: Vec<String>,
    /// `insert(3, o1)`
    pub call: String,
    /// The way through the source.
    pub path: Vec<Step>,
    /// If it is too long to be kept.
    pub gap: Option<Gap>,
    /// None if the run did not get that far.
    pub after: Option<Snapshot>,
    /// `returned null`, `threw NullPointerException`
    pub outcome: String,
    /// At least one; the first is the one to show.
    pub violations: Vec<Violation>,
}

#[derive(Clone, Debug)]
pub struct Violation {
    pub kind: Kind,
    /// One sentence.
    pub message: String,
    /// The broken clause, the failed assertion, what threw.
    pub span: Option<Span>,
    /// Said under the span.
    pub label: String,
}

/// Steps that were left out of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Before the step of this number.
    pub at: usize,
    pub steps: u64,
}

/// One branch, call or throw on the way.
#[derive(Clone, Debug)]
pub struct Step {
    pub span: Span,
    /// `true`, `false`, `throws NullPointerException`, or empty for a call.
    pub note: String,
    /// Nesting of calls.
    pub depth: u32,
}

/// A state as a person sees it.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The checked object first; then in the order they are reached.
    pub objects: Vec<SnapshotObject>,
}

#[derive(Clone, Debug)]
pub struct SnapshotObject {
    /// `n0`, `n1` in trees; `o1` for opaque objects. The same object has the same name before and after.
    pub name: String,
    pub class: String,
    pub fields: Vec<SnapshotField>,
    /// Its fields are elements.
    pub is_array: bool,
    /// Made by the operation.
    pub is_new: bool,
}

#[derive(Clone, Debug)]
pub struct SnapshotField {
    /// The name, or the index of an element.
    pub name: String,
    pub value: SnapshotValue,
    /// Part of the tree.
    pub is_tree: bool,
    /// Not as before.
    pub is_changed: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum SnapshotValue {
    /// An integer, a Boolean, an enum constant, a string, an opaque object's name.
    Text(String),
    Null,
    /// Into [`Snapshot::objects`].
    Object(usize),
}

/// The bounds in force for one operation (`--bounds`).
#[derive(Clone, Debug)]
pub struct Bounds {
    pub class: String,
    pub operation: String,
    pub size: i64,
    pub lines: Vec<BoundLine>,
    /// The decimal logarithm of the number of assignments that the bounds allow, valid or not.
    pub log10: f64,
    /// "every tree within 7 places, height at most 3"
    pub space: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundLine {
    /// `Node.key`, `insert: key`, `class Node`
    pub what: String,
    pub bound: String,
    /// Not said by the user.
    pub is_default: bool,
}

/// All of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub operations: Vec<OperationReport>,
    pub warnings: Vec<Diagnostic>,
    /// What is wrong with the input; also what a run reached and cannot be analysed.
    pub errors: Vec<Diagnostic>,
}

impl Report {
    /// 0 all verified, 1 a violation, 2 bad input, 3 unknown; a violation is told first. Of several sizes, those at which an
    /// operation has nothing to do are no matter if it is verified at another one.
    pub fn exit_status(&self) -> u8 {
        if self.operations.iter().any(|o| o.verdict == Verdict::Violated) {
            1
        } else if !self.errors.is_empty() {
            2
        } else if self.operations.is_empty() || self.operations.iter().any(|o| self.is_open(o)) {
            3
        } else {
            0
        }
    }

    fn is_open(&self, answer: &OperationReport) -> bool {
        let elsewhere = |o: &OperationReport| {
            o.verdict == Verdict::Verified && (&o.class, &o.operation) == (&answer.class, &answer.operation)
        };
        match answer.reason {
            Some(Reason::NoState | Reason::AllDropped) => !self.operations.iter().any(elsewhere),
            _ => answer.verdict == Verdict::Unknown,
        }
    }
}
