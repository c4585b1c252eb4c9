//! States of a nondeterministic language from which no choice leads on (docs/java.md, "Languages as classes"). A search runs one choice at a
//! time, and where an `assume` cuts it off says nothing about the others: this one runs, on each path, one choice after another until one is
//! enabled. A path on which none is must be taken by no state.
//!
//! Kept: what is dropped by the search of the steps is only what an `assume` or a precondition that takes the choice cuts off, so where
//! there is neither, nothing is searched again.

use super::{End, GlassBox};
use crate::explore::Explorer;
use crate::outcome::Outcome;
use crate::start::Starts;
use formula::{Graph, Lit, Mark};
use ir::Value;
use ir::choices::{Choices, Known, has_guards};
use std::sync::Arc;
use symex::{Executor, Oracle, Restriction, Stop};

/// What cuts off one choice is a decision here: another one may be enabled.
struct Choosing<'e>(&'e mut Explorer);

impl Oracle for Choosing<'_> {
    fn branch(&mut self, graph: &mut Graph, lit: Lit) -> Result<bool, Stop> {
        self.0.branch(graph, lit)
    }

    fn restrict(&mut self, graph: &mut Graph, lit: Lit, why: Restriction) -> Result<(), Stop> {
        match why {
            Restriction::Assumed => self.0.branch(graph, lit)?.then_some(()).ok_or(Stop::Dropped),
            Restriction::Isomorphic => self.0.restrict(graph, lit, why),
        }
    }

    fn goes_on(&mut self, graph: &Graph, steps: u64) -> Result<(), Stop> {
        self.0.goes_on(graph, steps)
    }
}

impl<'p> GlassBox<'p> {
    /// After a search that found nothing wrong with any step.
    pub(crate) fn stuck<'q: 'p>(&mut self, outcome: Outcome, starts: Option<&Starts<'q>>) -> Outcome {
        let is_searched = matches!(outcome, Outcome::Verified | Outcome::AllDropped | Outcome::NoState);
        if !is_searched || self.counts.cut_off == 0 && !has_guards(self.operation) {
            return outcome;
        }
        let space = &self.symbolic.space;
        let Known::All(choices) = Known::of(self.symbolic.program, self.checked, self.operation, space) else {
            return outcome;
        };
        let mut other = self.afresh();
        // It starts from more states.
        other.empty = None;
        (other.choices, other.watch) = (Some(Arc::new(*choices)), None);
        // What runs reach was observed.
        other.options.observe = None;
        let ended = other.search_paths(starts);
        self.counts = self.counts.with_work(other.counts);
        match ended {
            Outcome::Verified | Outcome::AllDropped | Outcome::NoState => outcome,
            Outcome::Violated(state) => {
                self.counts.states_run += 1;
                Outcome::Violated(state)
            }
            ended => ended,
        }
    }

    /// One path, on which choices are tried until one is enabled.
    pub(super) fn run_choices(&mut self, choices: &Choices, ground: Mark) -> Result<(), End> {
        for &choice in &choices.values {
            self.symbolic.reset();
            let argument = self.symbolic.value(Value::Int(choice));
            let mut oracle = Choosing(&mut self.explorer);
            // Isomorphic states are set aside for one choice, and another one would be decided without them.
            let mut executor = Executor::new(&mut self.symbolic, &mut oracle, false);
            let run = executor.choose(self.checked, &choices.step, &[argument]);
            let steps = executor.steps;
            self.explorer.counts.steps += steps;
            match run {
                Err(Stop::Dropped) => {}
                // How a step ends was checked before.
                Ok(_) | Err(Stop::Steps(_)) => {
                    self.cover();
                    return self.certify_facts(ground);
                }
                Err(Stop::Infeasible) => return Ok(()),
                Err(stop @ Stop::Unsupported(_)) => return self.ends_in(stop),
                Err(stop) => return Err(self.stopped(stop)),
            }
        }
        self.ends()
    }
}
