//! How a run ends without a value: Error with its reason and place (DMINOR.md, section 4), or a limit.

use crate::program::{Op, Program};
use crate::value::{Label, Value};
use source::{Diagnostic, Span};

#[derive(Clone, Debug)]
pub enum Stop {
    Error(Failure),
    /// Of the run, reached here: nothing can be concluded.
    Limit(Limit, Span),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Fuel,
    Depth,
    Size,
}

/// Error: what went wrong, where, and in which calls, innermost first.
#[derive(Clone, Debug)]
pub struct Failure {
    pub fault: Fault,
    pub span: Span,
    /// Places of calls; the outermost ones of a deep recursion are left out.
    pub calls: Vec<Span>,
}

#[derive(Clone, Debug)]
pub enum Fault {
    /// An operand is not of the operator's operand type.
    Operand {
        op: Op,
        value: Value,
        wanted: &'static str,
    },
    DivisionByZero {
        dividend: Value,
    },
    /// The condition of `?:`, or the `where` of a query.
    Condition {
        value: Value,
    },
    /// The condition of a refinement.
    Refinement {
        value: Value,
    },
    NoEntity {
        label: Label,
        value: Value,
    },
    NoField {
        label: Label,
        value: Value,
    },
    /// What `from x in e` goes through.
    NoCollection {
        value: Value,
    },
    /// Only where contracts are checked.
    Contract {
        contract: Contract,
        value: Value,
    },
    /// A call from outside with too few or too many arguments.
    Arity {
        given: usize,
    },
}

/// What a value was promised to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contract {
    Parameter,
    Result,
    Ascription,
    Accumulator,
    Invariant,
}

impl Failure {
    pub(super) fn new(fault: Fault, span: Span) -> Failure {
        Failure { fault, span, calls: Vec::new() }
    }

    pub(super) fn stop(self) -> Box<Stop> {
        Box::new(Stop::Error(self))
    }

    /// In a sentence.
    pub fn message(&self) -> String {
        match &self.fault {
            Fault::Operand { op, value, wanted } => {
                format!("`{}` takes {wanted}, but got {}", op.symbol(), shown(value))
            }
            Fault::DivisionByZero { dividend } => format!("{} is divided by 0", dividend.brief()),
            Fault::Condition { value } => format!("a condition is true or false, but this is {}", shown(value)),
            Fault::Refinement { value } => {
                format!("the condition of a refinement is true or false, but this is {}", shown(value))
            }
            Fault::NoEntity { label, value } => format!("`.{label}` is asked of {}, which is no entity", shown(value)),
            Fault::NoField { label, value } => format!("there is no field `{label}` in {}", value.brief()),
            Fault::NoCollection { value } => format!("`from` goes through a collection, but this is {}", shown(value)),
            Fault::Contract { contract, value } => {
                let value = value.brief();
                match contract {
                    Contract::Parameter => format!("the argument {value} is not in the type of its parameter"),
                    Contract::Result => format!("the result {value} is not in the declared type"),
                    Contract::Ascription => format!("{value} is not in the type that is ascribed to it"),
                    Contract::Accumulator => format!("the accumulator is {value}, which is not in its type"),
                    Contract::Invariant => format!("the invariant does not hold; the accumulator is {value}"),
                }
            }
            Fault::Arity { given } => format!("{given} arguments do not fit the parameters"),
        }
    }

    /// Kebab-case and stable.
    pub fn id(&self) -> &'static str {
        match &self.fault {
            Fault::Operand { .. } => "bad-operand",
            Fault::DivisionByZero { .. } => "division-by-zero",
            Fault::Condition { .. } | Fault::Refinement { .. } => "bad-condition",
            Fault::NoEntity { .. } => "no-entity",
            Fault::NoField { .. } => "no-field",
            Fault::NoCollection { .. } => "no-collection",
            Fault::Contract { .. } => "broken-contract",
            Fault::Arity { .. } => "wrong-arity",
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_string(),
        value => format!("{} {}", value.sort(), value.brief()),
    }
}

impl Stop {
    pub fn diagnostic(&self, _: &Program) -> Diagnostic {
        match self {
            Stop::Error(failure) => {
                let mut problem = Diagnostic::error(failure.id(), failure.span, failure.message());
                for call in failure.calls.iter().take(3) {
                    problem = problem.related(*call, "called here");
                }
                problem
            }
            Stop::Limit(limit, span) => {
                let (id, message, help) = match limit {
                    Limit::Fuel => ("out-of-fuel", "the run was given up: too many steps", "raise --max-steps"),
                    Limit::Depth => (
                        "too-deep",
                        "the run was given up: too many calls within calls",
                        "does the recursion end? Each call should be about something smaller",
                    ),
                    Limit::Size => (
                        "too-large",
                        "the run was given up: a value grows too large",
                        "values have up to 20,000,000 parts and 1,000 levels",
                    ),
                };
                Diagnostic::error(id, *span, message).help(help)
            }
        }
    }
}
