//! Verification (docs/dminor.md, "Verification"): can any input of the parameter types make a function fail, or give a result outside of
//! its type? Each function by itself, against the signatures of those it calls, for all inputs.
//!
//! In: a program. Out: a [`Verdict`] per named type and function: proved by the solver; or a concrete input, confirmed by the
//! interpreter; or neither, with the conditions that resisted. What the solver does not answer proves nothing.

mod answer;
mod check;
pub(crate) mod closures;
pub(crate) mod condition;
mod decide;
mod guess;
mod invariants;
pub(crate) mod logic;
mod loops;
mod models;
pub(crate) mod prove;
pub(crate) mod reach;
mod refute;
pub(crate) mod term;
mod types;
pub(crate) mod walk;

pub use answer::{Answer, Certified, Subject, Unproved, Verdict, Why};
pub use condition::{Condition, Kind};
pub use prove::prelude;
pub use refute::Counterexample;
pub use types::{Closed, Inhabited, Subtype, inhabit, subtype};

pub(crate) use check::each_subject;

use crate::bemol::Reading;
use crate::program::*;
use logic::Logic;
use prove::Query;
use reach::subjects;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use term::Terms;
use walk::Walker;
use work::Stop;

#[derive(Clone, Debug)]
pub struct Options {
    pub reading: Reading,
    /// Types need not be well-formed (docs/dminor.md, "Well-formed types").
    pub lenient_types: bool,
    pub solver: smt::Program,
    /// For one condition.
    pub patience: Duration,
    pub threads: usize,
    /// Inputs that are tried before a function counts as not refuted.
    pub tries: usize,
    /// A second solver, which must repeat every proof.
    pub certifier: Option<smt::Program>,
    /// For everything: what is not decided when it is due is [`Verdict::Stopped`].
    pub stop: Stop,
}

/// Decides everything in a program: types first, then functions, in the order of the text. Every answer is handed out in that order as soon
/// as it and what it rests on are known; `waiting` is called now and then with what is being waited for.
pub fn check(
    program: &Arc<Program>,
    options: &Options,
    waiting: &mut dyn FnMut(Subject),
    done: &mut dyn FnMut(Answer),
) {
    each_subject(program, options, decide::decide, waiting, done);
}

/// The conditions of everything in a program as questions to a solver, to be sent after the [`prelude`].
pub fn emit(program: &Program, reading: Reading, lenient_types: bool) -> Vec<(Subject, Condition, String)> {
    work::on_large_stack(|| {
        let mut all = Vec::new();
        let (types, functions) = subjects(program);
        for subject in types.into_iter().chain(functions) {
            let well_formed = Rc::new(vec![true; program.types.len()]);
            let mut prover = NoProver;
            let terms = Terms::default();
            let logic = Logic::new(program, &terms, reading, well_formed, Stop::default());
            let mut walker = Walker::new(logic, &mut prover);
            walker.lenient_types = lenient_types;
            walker.subject(subject);
            for condition in std::mem::take(&mut walker.conditions) {
                let text = Query::new(&walker.logic, &condition).text;
                all.push((subject, condition, text));
            }
        }
        all
    })
}

/// Whether the axioms of everything in a program contradict each other, as far as the solver sees: then every proof is worth nothing.
pub fn is_contradictory(program: &Program, reading: Reading, solver: &smt::Program, patience: Duration) -> bool {
    let (types, functions) = subjects(program);
    let well_formed = Rc::new(vec![true; types.len()]);
    let mut prover = NoProver;
    let terms = Terms::default();
    let logic = Logic::new(program, &terms, reading, well_formed, Stop::default());
    let mut walker = Walker::new(logic, &mut prover);
    for k in 0..types.len() as u32 {
        walker.logic.define(TypeId(k));
    }
    types.into_iter().chain(functions).for_each(|subject| walker.subject(subject));
    // No facts: only what is taken to be true of all values.
    let text = walker.logic.items.everything(&terms);
    let mut session = smt::Session::new(solver.clone(), prove::prelude(solver.kind));
    session.check(&text, patience, &Stop::default()) == smt::Answer::Unsat
}

/// Proves nothing.
struct NoProver;

impl prove::Prover for NoProver {
    fn prove(&mut self, _: &Query) -> Result<(), Why> {
        Err(Why::Rule("no solver was asked"))
    }

    fn guess(&mut self, _: &Query) -> bool {
        false
    }
}
