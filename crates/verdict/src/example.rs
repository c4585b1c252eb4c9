//! Evidence that something goes wrong, of each kind.

use crate::heap::{HeapExample, Step};
use crate::program::ProgramExample;
use source::{Diagnostic, Span};

/// One way to go wrong, replayed before it is shown.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is wrong, the most telling first: at least one.
    pub problems: Vec<Diagnostic>,
    /// What shows it; None where there is nothing to show but the place.
    pub example: Option<Example>,
    /// The smallest size or bound that shows it, where there are sizes.
    pub size: Option<i64>,
    /// A command that shows it again.
    pub replay: Option<String>,
}

#[derive(Clone, Debug)]
pub enum Example {
    Heap(HeapExample),
    Program(ProgramExample),
    Input(InputExample),
    Sets(SetsExample),
}

/// An input that makes a function fail, or a value on which a type's own condition fails.
#[derive(Clone, Debug)]
pub struct InputExample {
    /// `total([{"price": 3}])`, `{"a": 1} in Order`
    pub call: String,
    /// JSON, as texts: integers of any size must not pass through machine numbers.
    pub arguments: Vec<String>,
    /// Which members of collections were taken; empty if it was the canonical order.
    pub order: Vec<usize>,
    /// Calls, outermost first, then where it fails, then what should hold there.
    pub path: Vec<Step>,
    /// The value that is not in its type, if that is what is wrong.
    pub value: Option<OutOfType>,
    /// Which parts of that value are not in their type.
    pub misfits: Vec<Misfit>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutOfType {
    /// "the result of `total`", "the argument for `order`"
    pub what: String,
    /// As JSON, with the members of collections in the order that misfits count them.
    pub json: String,
}

/// One step into a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selector {
    Field(String),
    Member(usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// Empty for the whole value.
    pub path: Vec<Selector>,
    /// `.lines[3].price`, or `value` for the whole.
    pub place: String,
    /// `.lines[3].price is null, but must be Integer`
    pub message: String,
    /// The clause of the type.
    pub clause: Span,
    /// Where the value was read.
    pub span: Option<Span>,
}

/// Objects with the sets that they are in, at entry and now.
#[derive(Clone, Debug, Default)]
pub struct SetsExample {
    /// Names, and types if they have one.
    pub objects: Vec<(String, Option<String>)>,
    pub sets: Vec<Change<Vec<usize>>>,
    pub booleans: Vec<Change<bool>>,
    /// What variables hold now: the name of an object, `null`, `true` or `false`.
    pub variables: Vec<(String, String)>,
    /// Branches on the way, then where it fails, then what should hold there.
    pub path: Vec<Step>,
}

#[derive(Clone, Debug)]
pub struct Change<T> {
    pub name: String,
    pub entry: T,
    pub now: T,
}

impl Failure {
    /// With nothing to show but the place.
    pub fn of(problem: Diagnostic) -> Failure {
        Failure { problems: vec![problem], example: None, size: None, replay: None }
    }

    /// The way through the source, whatever the kind of the example.
    pub fn path(&self) -> Vec<Step> {
        match &self.example {
            Some(Example::Heap(HeapExample { path, .. }))
            | Some(Example::Input(InputExample { path, .. }))
            | Some(Example::Sets(SetsExample { path, .. }))
                if !path.is_empty() =>
            {
                path.clone()
            }
            Some(Example::Program(program)) => {
                let step = |s: &crate::program::ProgramStep| {
                    let note = format!("{}: {} steps to {}", s.rule, s.before, s.after);
                    Step { span: s.span, note, depth: 0 }
                };
                program.steps.iter().map(step).collect()
            }
            _ => {
                let problem = self.problems.first();
                let related = problem.iter().flat_map(|p| &p.related);
                let mut steps: Vec<Step> =
                    related.map(|(span, text)| Step { span: *span, note: text.clone(), depth: 0 }).collect();
                let end = problem.and_then(|p| Some((p.span?, p.label.clone())));
                steps.extend(end.map(|(span, note)| Step { span, note, depth: 0 }));
                steps
            }
        }
    }
}
