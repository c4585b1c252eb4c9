//! The choices of a nondeterministic language: a state that is well-typed, not final, and in which every choice is cut off, by an `assume`
//! or by a precondition that takes the choice, is stuck as one without a rule is (docs/java.md, "Languages as classes").
//!
//! What goes in: the step and its space. What comes out: the choices, and whether a state has none that is enabled. Both engines and the
//! replay ask here what the choices are, so that they mean the same.

use crate::check::{Cause, Judgement, Violation, run_operation};
use crate::interp::{Chooser, Interp};
use crate::program::{Program, Ty};
use crate::space::{Domain, Space};
use crate::task::{Checked, CheckedKind, Operation, OperationKind, Spec, SpecArgument};
use crate::value::{ObjId, Value};
use verdict::heap::Kind;

/// Each state is asked for each of them: more are not looked at.
pub const MOST: i64 = 64;

/// What a judged run was cut off by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CutOff {
    #[default]
    Nothing,
    /// A precondition that takes the choice.
    Precondition,
    Assumption,
}

#[derive(Clone, Debug)]
pub struct Choices {
    pub values: Vec<i64>,
    /// Only with the preconditions that are about the state.
    pub state: Operation,
    /// Only with those that take the choice, and nothing that must hold afterwards.
    pub step: Operation,
}

/// What is known of the choices of an operation.
#[derive(Clone, Debug)]
pub enum Known {
    /// It has none.
    Nothing,
    /// No bound says what they are: another one might be enabled.
    Open,
    TooMany,
    All(Box<Choices>),
}

/// Whether a precondition takes an argument.
fn takes_choice(spec: &Spec) -> bool {
    spec.arguments.iter().any(|a| matches!(a, SpecArgument::Parameter(_) | SpecArgument::Before(_)))
}

/// Whether preconditions cut off choices.
pub fn has_guards(operation: &Operation) -> bool {
    operation.preconditions.iter().any(takes_choice)
}

impl Known {
    pub fn of(program: &Program, checked: &Checked, operation: &Operation, space: &Space) -> Known {
        let method = program.method(operation.method);
        let ([parameter], [domain]) = (&method.parameters[..], &space.arguments[..]) else { return Known::Nothing };
        let is_language = matches!(checked.kind, CheckedKind::Language { .. });
        if !is_language || operation.kind != OperationKind::Method || parameter.ty != Ty::Int {
            return Known::Nothing;
        }
        let values = match domain {
            _ if parameter.bound.range.is_none() => return Known::Open,
            &Domain::Int { lo, hi } if hi - lo < MOST => (lo..=hi).collect(),
            Domain::Ints(values) if values.len() as i64 <= MOST => values.clone(),
            &Domain::Fixed(Value::Int(value)) => vec![value],
            _ => return Known::TooMany,
        };
        let (guards, others) = operation.preconditions.iter().cloned().partition(takes_choice);
        let bare = Operation { postconditions: Vec::new(), others: Vec::new(), ..operation.clone() };
        Known::All(Box::new(Choices {
            values,
            state: Operation { preconditions: others, ..bare.clone() },
            step: Operation { preconditions: guards, ..bare },
        }))
    }
}

impl Choices {
    /// Whether the preconditions hold that are about the state.
    pub fn hold<C: Chooser>(&self, interp: &mut Interp<'_, C>, checked: &Checked, receiver: Option<ObjId>) -> bool {
        let mark = interp.heap.mark();
        let arguments: Vec<Value> = self.values.first().copied().map(Value::Int).into_iter().collect();
        let _ = run_operation(interp, checked, &self.state, receiver, &arguments);
        interp.heap.reset(mark);
        interp.cut_off != CutOff::Precondition
    }

    /// Whether every choice is cut off in a valid state that is not final. The heap is left as it was.
    pub fn are_cut_off<C: Chooser>(
        &self,
        interp: &mut Interp<'_, C>,
        checked: &Checked,
        receiver: Option<ObjId>,
    ) -> bool {
        let mark = interp.heap.mark();
        let all = self.values.iter().all(|&choice| {
            let (judgement, _) = run_operation(interp, checked, &self.step, receiver, &[Value::Int(choice)]);
            interp.heap.reset(mark);
            judgement == Judgement::Dropped && interp.cut_off != CutOff::Nothing
        });
        all && !self.values.is_empty()
    }

    pub fn violation(&self, operation: &Operation) -> Violation {
        let (least, most) = (self.values.first(), self.values.last());
        let cause =
            Cause::NoChoice { least: least.copied().unwrap_or_default(), most: most.copied().unwrap_or_default() };
        Violation { kind: Kind::Progress, span: Some(operation.span), cause }
    }
}
