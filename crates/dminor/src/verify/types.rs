//! Questions about types alone: is there a value in it, is every value of one in the other? Answered by a value, or by a proof.

use super::condition::Kind;
use super::decide::decide;
use super::logic::{Env, Logic};
use super::prove::{Prover, Query, Solver};
use super::reach::{Uses, names_in};
use super::refute::smaller;
use super::term::Terms;
use super::walk::Walker;
use super::{Options, Subject, Verdict};
use crate::generate::Generator;
use crate::interp::{self, First, Interp};
use crate::program::*;
use crate::value::Value;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use work::Cause;

/// A closed type, with the range of its variables, as [`crate::read_type`] gives it.
pub type Closed = (Type, Range<u32>);

#[derive(Clone, Debug)]
pub enum Inhabited {
    By(Value),
    /// Proved.
    Never,
    Unknown(String),
    /// The whole run had to end before it was decided.
    Stopped(Cause),
}

#[derive(Clone, Debug)]
pub enum Subtype {
    /// Proved.
    Always,
    /// In the one, and not in the other.
    Except(Value),
    Unknown(String),
    /// The whole run had to end before it was decided.
    Stopped(Cause),
}

/// A value of a type, as small as it gets, or that there is none.
pub fn inhabit(program: &Program, ty: &Closed, options: &Options) -> Inhabited {
    let tester = Tester { program, options };
    if let Some(value) = tester.find(&[ty], |value| tester.is_in(value, ty) == Some(true)) {
        return Inhabited::By(value);
    }
    match (tester.proves(&ty.0, None), options.stop.cause()) {
        (Ok(()), _) => Inhabited::Never,
        (Err(_), Some(cause)) => Inhabited::Stopped(cause),
        (Err(why), None) => Inhabited::Unknown(why),
    }
}

/// Whether every value of one type is in the other.
pub fn subtype(program: &Program, ty: &Closed, of: &Closed, options: &Options) -> Subtype {
    let tester = Tester { program, options };
    let told = tester.proves(&ty.0, Some(&of.0));
    if told.is_ok() {
        return Subtype::Always;
    }
    let is_exception = |value: &Value| tester.is_in(value, ty) == Some(true) && tester.is_in(value, of) == Some(false);
    match (tester.find(&[ty, of], is_exception), options.stop.cause()) {
        (Some(value), _) => Subtype::Except(value),
        (None, Some(cause)) => Subtype::Stopped(cause),
        (None, None) => Subtype::Unknown(told.err().unwrap_or_default()),
    }
}

struct Tester<'a> {
    program: &'a Program,
    options: &'a Options,
}

impl Tester<'_> {
    /// None if the test itself goes wrong.
    fn is_in(&self, value: &Value, (ty, variables): &Closed) -> Option<bool> {
        let mut first = First;
        let options = interp::Options {
            strict_type_tests: self.options.reading.strict_type_tests,
            strict_ops: self.options.reading.strict_ops,
            contracts: false,
            fuel: Some(200_000),
            stop: self.options.stop.clone(),
        };
        Interp::new(self.program, &options, &mut first).is_in(value, ty, variables).ok()
    }

    /// A small value that is wanted, from the first of these types or near it.
    fn find(&self, types: &[&Closed], is_wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        let mut generator = Generator::new(self.program, 0x5eed).until(&self.options.stop);
        let is_due = || self.options.stop.is_due();
        for k in (0..self.options.tries).take_while(|_| !is_due()) {
            let (ty, variables) = types[if k % 4 == 3 { types.len() - 1 } else { 0 }];
            let drawn = if k % 8 == 7 { Some(generator.any(2)) } else { generator.value(ty, variables) };
            let Some(value) = drawn.filter(&is_wanted) else { continue };
            return Some(shrunk(value, &is_wanted, is_due));
        }
        None
    }

    /// That nothing in a type is outside of the other; with no other, that nothing is in it.
    fn proves(&self, ty: &Type, of: Option<&Type>) -> Result<(), String> {
        let mut solver = Solver::new(self.options);
        // The formulas of types that are not well-formed mean what they say, but loops must be functions.
        let (uses, assumed) = (Uses::new(self.program), vec![true; self.program.types.len()]);
        let named = names_in(ty).into_iter().chain(of.map(names_in).unwrap_or_default()).map(Subject::Type);
        let all = |n: Subject| uses.rests_on(n, usize::MAX, |_| true).into_iter().chain([n]);
        let needed: BTreeSet<Subject> = named.flat_map(all).collect();
        for subject in needed {
            let answer = decide(self.program, subject, &assumed, self.options, &mut solver);
            if !matches!(answer.verdict, Verdict::Verified) {
                return Err(format!("`{}` is not known to be well-formed", subject.name(self.program)));
            }
        }
        let well_formed = Rc::new(vec![true; self.program.types.len()]);
        let terms = Terms::default();
        let logic = Logic::new(self.program, &terms, self.options.reading, well_formed, self.options.stop.clone());
        let mut walker = Walker::new(logic, &mut solver);
        walker.well_formed(ty, &Env::new());
        of.into_iter().for_each(|of| walker.well_formed(of, &Env::new()));
        let mut conditions = std::mem::take(&mut walker.conditions);
        let value = walker.any("value");
        let fact = walker.logic.is_in(ty, value, &Env::new());
        let goal = match of {
            Some(of) => {
                walker.know(fact);
                walker.logic.is_in(of, value, &Env::new())
            }
            None => terms.not(fact),
        };
        conditions.push(walker.condition(Kind::Result, ty.span, goal));
        let logic = walker.logic;
        // The walk may have been cut short.
        if self.options.stop.is_due() {
            return Err("the run had to end".to_string());
        }
        for condition in conditions {
            solver.prove(&Query::new(&logic, &condition)).map_err(|why| why.to_string())?;
        }
        Ok(())
    }
}

fn shrunk(mut value: Value, is_wanted: impl Fn(&Value) -> bool, is_due: impl Fn() -> bool) -> Value {
    for _ in (0..200).take_while(|_| !is_due()) {
        match smaller(&value).into_iter().find(&is_wanted) {
            Some(next) => value = next,
            None => break,
        }
    }
    value
}
