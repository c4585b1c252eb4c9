//! The big-step semantics (docs/dminor.md, "Semantics") on big integers, multisets and maps: `eval` evaluates expressions, `operate`
//! applies operators, `test` asks whether a value is in a type, `choose` says which member an accumulate takes next, `moves` when it is
//! updated in place, `failure` what went wrong.
//!
//! A run ends with a value, or stops: with Error, which is a located [`Failure`], or at a limit, of which nothing can be concluded.

mod choose;
mod eval;
mod failure;
mod moves;
mod operate;
mod test;

use crate::program::{Expr, FunId, Function, Program, Type, VarId};
use crate::value::Value;
use source::Span;

pub use choose::{Chooser, Everywhere, First, Given, Random};
pub use failure::{Contract, Failure, Fault, Limit, Stop};

/// How a program is read and how long it may run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The condition of a refinement runs also if the value is not in the refined type (docs/dminor.md, "Type tests").
    pub strict_type_tests: bool,
    /// Both operands of `&&` and `||` are evaluated and must be logicals.
    pub strict_ops: bool,
    /// Check also what the semantics does not: parameters and results of calls, ascriptions, types and invariants of accumulators.
    pub contracts: bool,
    /// Evaluations before the run is given up.
    pub fuel: Option<u64>,
    /// Ends the run when it is due.
    pub stop: work::Stop,
}

/// So many evaluations between two looks at [`Options::stop`].
const LOOK: u64 = 1 << 10;

pub type Run<T> = Result<T, Box<Stop>>;

/// The values of the variables of one declaration.
pub(crate) struct Frame {
    first: u32,
    slots: Vec<Option<Value>>,
    /// Accumulators whose value is moved out when it is used, innermost loop last.
    moving: Vec<VarId>,
}

impl Frame {
    pub(crate) fn new(variables: &std::ops::Range<u32>) -> Frame {
        Frame { first: variables.start, slots: vec![None; variables.len()], moving: Vec::new() }
    }

    pub(crate) fn set(&mut self, variable: VarId, value: Value) {
        if let Some(slot) = self.slots.get_mut(variable.0.wrapping_sub(self.first) as usize) {
            *slot = Some(value);
        }
    }

    pub(crate) fn get(&self, variable: VarId) -> Option<&Value> {
        self.slots.get(variable.0.wrapping_sub(self.first) as usize).and_then(Option::as_ref)
    }
}

impl Frame {
    /// The value of a variable, for the expression that is the variable.
    fn fetch(&mut self, variable: VarId) -> Option<Value> {
        if self.moving.contains(&variable) {
            return self.slots.get_mut(variable.0.wrapping_sub(self.first) as usize).and_then(Option::take);
        }
        self.get(variable).cloned()
    }
}

pub struct Interp<'a> {
    pub program: &'a Program,
    pub options: Options,
    chooser: &'a mut dyn Chooser,
    pub(crate) steps: u64,
    depth: usize,
    deepest: usize,
}

impl<'a> Interp<'a> {
    pub fn new(program: &'a Program, options: &Options, chooser: &'a mut dyn Chooser) -> Interp<'a> {
        Interp { program, options: options.clone(), chooser, steps: 0, depth: 0, deepest: crate::stack::deepest() }
    }

    /// The value of a call. Parameters are not checked, unless contracts are; there must be one argument for each.
    pub fn call(&mut self, function: FunId, arguments: &[Value]) -> Run<Value> {
        let function = self.program.function(function);
        let span = function.name_span;
        if function.parameters.len() != arguments.len() {
            return Err(Failure::new(Fault::Arity { given: arguments.len() }, span).stop());
        }
        self.apply(function, arguments.to_vec(), span)
    }

    /// A frame with these arguments, to test types of the signature in.
    pub(crate) fn frame(&self, function: &Function, arguments: &[Value]) -> Frame {
        let mut frame = Frame::new(&function.variables);
        for ((variable, _), value) in function.parameters.iter().zip(arguments) {
            frame.set(*variable, value.clone());
        }
        frame
    }

    /// The first parameter whose argument is not in its type.
    pub fn ill_typed(&mut self, function: FunId, arguments: &[Value]) -> Run<Option<usize>> {
        let function = self.program.function(function);
        let mut frame = self.frame(function, arguments);
        for (k, ((_, ty), value)) in function.parameters.iter().zip(arguments).enumerate() {
            if !self.test(value, ty, &mut frame)? {
                return Ok(Some(k));
            }
        }
        Ok(None)
    }

    /// Whether a value is in the declared result type, for these arguments.
    pub fn is_result(&mut self, function: FunId, arguments: &[Value], result: &Value) -> Run<bool> {
        let function = self.program.function(function);
        let mut frame = self.frame(function, arguments);
        self.test(result, &function.result, &mut frame)
    }

    /// Whether a value is in a closed type: of a [`crate::program::NamedType`], say.
    pub fn is_in(&mut self, value: &Value, ty: &Type, variables: &std::ops::Range<u32>) -> Run<bool> {
        self.test(value, ty, &mut Frame::new(variables))
    }

    /// One level of evaluation; every recursion of the interpreter goes through here.
    fn deeper<T>(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        self.count(span)?;
        if self.depth >= self.deepest {
            return Err(Box::new(Stop::Limit(Limit::Depth, span)));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// One more evaluation, or round of a loop.
    fn count(&mut self, span: Span) -> Run<()> {
        self.steps += 1;
        let limit = match self.options.fuel {
            Some(most) if self.steps > most => Limit::Fuel,
            _ if !self.steps.is_multiple_of(LOOK) => return Ok(()),
            _ => match self.options.stop.cause() {
                Some(cause) => Limit::Stopped(cause),
                None => return Ok(()),
            },
        };
        Err(Box::new(Stop::Limit(limit, span)))
    }

    /// Values beyond a size are not made.
    fn sized(&self, value: Value, at: &Expr) -> Run<Value> {
        if value.extent().is_too_large() { Err(Box::new(Stop::Limit(Limit::Size, at.span))) } else { Ok(value) }
    }
}

/// What came of trying the orders in which accumulates may take their members.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The first Error, with its order.
    pub failure: Option<Failure>,
    /// Whether all orders were tried; none that ends at a limit counts.
    pub is_complete: bool,
    pub steps: u64,
}

/// Looks for an Error over all orders, in at most so many runs. With [`Options::contracts`] this is the judge of a counterexample.
pub fn find_failure(
    program: &Program,
    options: &Options,
    function: FunId,
    arguments: &[Value],
    most_runs: usize,
) -> Tried {
    let mut everywhere = Everywhere::default();
    let mut tried = Tried { failure: None, is_complete: true, steps: 0 };
    for _ in 0..most_runs {
        let mut interp = Interp::new(program, options, &mut everywhere);
        let ended = interp.call(function, arguments);
        tried.steps += interp.steps;
        match ended.map_err(|stop| *stop) {
            Ok(_) => {}
            Err(Stop::Error(failure)) => {
                tried.failure = Some(Failure { order: everywhere.order(), ..failure });
                tried.is_complete = false;
                return tried;
            }
            Err(Stop::Limit(..)) => tried.is_complete = false,
        }
        if !everywhere.advance() {
            return tried;
        }
    }
    tried.is_complete = false;
    tried
}
