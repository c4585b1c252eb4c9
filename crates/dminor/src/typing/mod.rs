//! The Dminor type system (docs/dminor.md, "The type system"): bidirectional typing, with semantic subtyping decided by a solver. It is
//! here to be compared with the verifier, and asks the same question: can any input of the parameter types make a function fail, or give a
//! result outside of its type?
//!
//! In: a program. Out: an [`Answer`] per named type (its conditions are logicals, by typing) and per function (accepted, or rejected with
//! each place where a rule does not apply). What is accepted cannot fail; what is rejected may be correct.
//!
//! An environment has bindings `x : T` and conditions; `E |- T <: U` if every value that is in T under the formulas of E is in U. A
//! synthesised type comes with a pure expression of the same value, so that singletons `[e : T]` are put in where types are compared. A
//! call, and a loop whose order matters, have no such expression: a fresh variable of their type takes their place, as if a `let` had named
//! them.

mod checker;
mod copy;
mod loops;
mod normal;
mod synth;
mod table;

pub use table::{Effort, Table};

use crate::program::*;
use crate::verify::logic::Logic;
use crate::verify::prove::Solver;
use crate::verify::reach::ill_formed;
use crate::verify::term::Terms;
use crate::verify::walk::Walker;
use crate::verify::{Answer, Options, Subject, Verdict, each_subject};
use checker::Checker;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Types everything in a program, and hands the answers out, as [`crate::verify::check`] does. Nothing is ever refuted: a function is accepted
/// (`Verified`) or rejected (`NotProved`). Types must be well-formed, whatever `lenient_types` says: the rule for tests rests on it.
pub fn check(
    program: &Arc<Program>,
    options: &Options,
    waiting: &mut dyn FnMut(Subject),
    done: &mut dyn FnMut(Answer),
) {
    each_subject(program, options, decide, waiting, done);
}

fn decide(program: &Program, subject: Subject, well_formed: &[bool], options: &Options, solver: &mut Solver) -> Answer {
    // There may be very many subjects.
    if let Some(cause) = options.stop.cause() {
        return Answer::of(subject, Verdict::Stopped(cause));
    }
    let (start, before) = (Instant::now(), solver.counts());
    let terms = Terms::default();
    let logic = Logic::new(program, &terms, options.reading, Rc::new(well_formed.to_vec()), options.stop.clone());
    let mut checker = Checker::new(Walker::new(logic, solver));
    match subject {
        Subject::Type(id) => checker.well_formed(&program.named(id).definition),
        Subject::Function(id) => checker.function(program.function(id)),
    }
    let (conditions, mut rejected) = (checker.judgements, checker.rejected);
    rejected.extend(ill_formed(program, subject, well_formed));
    // Typing may have been cut short: then nothing is known.
    let verdict = match options.stop.cause() {
        Some(cause) => Verdict::Stopped(cause),
        None if rejected.is_empty() => Verdict::Verified,
        None => Verdict::NotProved(rejected),
    };
    let mut answer = Answer { conditions, ..Answer::of(subject, verdict) };
    answer.spent(start, before, solver.counts());
    answer
}
