//! Counterexamples of code over a heap: a state, a call, a state, and the way through the source.

use source::{Diagnostic, Span};

/// What can go wrong (docs/java.md, "What can go wrong").
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    Invariant,
    Preservation,
    Postcondition,
    /// Another result than the abstraction has, or another state.
    Abstraction,
    /// Two operations give something else in the other order.
    Order,
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
            Kind::Abstraction => "abstraction",
            Kind::Order => "order",
            Kind::Assertion => "assertion",
            Kind::Exception => "exception",
            Kind::Progress => "progress",
            Kind::Divergence => "divergence",
        }
    }
}

/// One thing that is wrong with a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    pub kind: Kind,
    /// The broken clause, the failed assertion, what threw.
    pub problem: Diagnostic,
}

/// The state before, the call, the state after.
#[derive(Clone, Debug)]
pub struct HeapExample {
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
    /// What else there is to see: of an operation beside that of an abstraction, the abstractions.
    pub pictures: Vec<Picture>,
}

#[derive(Clone, Debug)]
pub struct Picture {
    /// `as AbsMap, before`
    pub title: String,
    pub state: Snapshot,
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
    /// As the class itself shows it: `toString` or `@Show`.
    pub text: Option<String>,
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
