//! How a run ends without a value: Error with its reason and place (docs/dminor.md, "Semantics"), or a limit.

use crate::explain::Misfit;
use crate::program::Op;
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
    /// The whole run has to end.
    Stopped(work::Cause),
}

/// Error: what went wrong, where, and in which calls, innermost first.
#[derive(Clone, Debug)]
pub struct Failure {
    pub fault: Fault,
    pub span: Span,
    /// Places of calls; the outermost ones of a deep recursion are left out.
    pub calls: Vec<Span>,
    /// Which members accumulates took on the way, as [`super::Given`] takes it; known if [`super::find_failure`] found it.
    pub order: Vec<usize>,
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
        /// The name of the parameter, function or accumulator.
        of: String,
        value: Value,
        /// Which parts of the value miss which clauses; empty for an invariant.
        misfits: Vec<Misfit>,
    },
    /// A call from outside with too few or too many arguments.
    Arity {
        given: usize,
    },
}

impl Contract {
    fn broken(self, of: &str) -> String {
        match self {
            Contract::Parameter => format!("the argument for `{of}` is not in its type"),
            Contract::Result => format!("the result of `{of}` is not in its type"),
            Contract::Ascription => "the value is not in the type that is ascribed to it".to_string(),
            Contract::Accumulator => format!("the accumulator `{of}` is not in its type"),
            Contract::Invariant => "the invariant does not hold".to_string(),
        }
    }

    /// What is said at the place of the failure.
    fn label(self) -> &'static str {
        match self {
            Contract::Parameter => "in this call",
            Contract::Result => "the result comes from here",
            Contract::Ascription => "this value",
            Contract::Accumulator => "it comes from here",
            Contract::Invariant => "does not hold",
        }
    }
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
        Failure { fault, span, calls: Vec::new(), order: Vec::new() }
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
            Fault::NoEntity { label, value } => {
                format!("`.{label}` is asked of {}, which is not an entity", shown(value))
            }
            Fault::NoField { label, value } => format!("there is no field `{label}` in {}", value.brief()),
            Fault::NoCollection { value } => format!("`from` goes through a collection, but this is {}", shown(value)),
            Fault::Contract { contract, of, value, misfits } => {
                let broken = contract.broken(of);
                match &misfits[..] {
                    [] if *contract == Contract::Invariant => format!("{broken}; `{of}` is {}", value.brief()),
                    [] => format!("{broken}: it is {}", value.brief()),
                    [only] => format!("{broken}: {}", only.message()),
                    [first, others @ ..] => format!("{broken}: {}; and {} more", first.message(), others.len()),
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

impl Failure {
    /// For messages: a broken contract has one for each part that does not fit, at the clause that it misses.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let called = |problem: Diagnostic| {
            self.calls.iter().take(3).fold(problem, |problem, call| problem.related(*call, "called here"))
        };
        let alone = || vec![called(Diagnostic::error(self.id(), self.span, self.message()))];
        let Fault::Contract { contract, of, misfits, .. } = &self.fault else { return alone() };
        if misfits.is_empty() {
            return alone();
        }
        let one = |misfit: &Misfit| {
            let problem = misfit.diagnostic(self.id());
            let message = format!("{}: {}", contract.broken(of), problem.message);
            called(Diagnostic { message, ..problem }.related(self.span, contract.label()))
        };
        misfits.iter().map(one).collect()
    }

    /// The value that is not in its type, and whose it is, if that is what is wrong.
    pub fn out_of_type(&self) -> Option<(String, &Value)> {
        let Fault::Contract { contract, of, value, .. } = &self.fault else { return None };
        let whose = match contract {
            Contract::Parameter => format!("the argument for `{of}`"),
            Contract::Result => format!("the result of `{of}`"),
            Contract::Accumulator => format!("the accumulator `{of}`"),
            Contract::Ascription => "the ascribed value".to_string(),
            // Its condition fails, which is not about a part of a value.
            Contract::Invariant => return None,
        };
        Some((whose, value))
    }

    /// Which parts of a value miss which clauses, if that is what is wrong.
    pub fn misfits(&self) -> &[Misfit] {
        match &self.fault {
            Fault::Contract { misfits, .. } => misfits,
            _ => &[],
        }
    }
}

impl Stop {
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Stop::Error(failure) => failure.diagnostics(),
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
                    Limit::Stopped(work::Cause::Timeout) => {
                        ("stopped", "the run was stopped: the time limit was reached", "raise --timeout")
                    }
                    Limit::Stopped(work::Cause::Memory) => {
                        ("stopped", "the run was stopped: the memory limit was reached", "raise --memory")
                    }
                    Limit::Stopped(work::Cause::Interrupted) => ("stopped", "the run was interrupted", "run it again"),
                };
                vec![Diagnostic::error(id, *span, message).help(help)]
            }
        }
    }
}
