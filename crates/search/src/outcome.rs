//! What a search is reported and what it answers.

use crate::observe::Observer;
use ir::space::{Concrete, Shape};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use symex::{Limits, Stop};

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub size: i64,
    pub shape: Shape,
    pub strategy: Strategy,
    /// Have every "unsatisfiable" checked by the independent checker.
    pub certify: bool,
    pub limits: Limits,
    /// When to end the search.
    pub stop: work::Stop,
    /// How many threads may run beside the searches that share it, for checks; without one, a search waits for its checks.
    pub beside: Arc<AtomicUsize>,
    /// States run so far, for whoever watches; several searches may share it.
    pub progress: Arc<AtomicU64>,
    /// Holds the search while another one has its turn.
    pub rein: Option<Arc<sat::Rein>>,
    /// Who wants to know what runs reach and where they leave the space.
    pub observe: Option<Observer>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// Search by execution with unit propagation.
    #[default]
    Execution,
    /// The loop of Figure 5.8: a model per state.
    Models,
    /// Every valid state, one by one.
    Exhaustive,
}

impl Options {
    /// For whoever takes long outside of a solver.
    pub fn interrupted(&self) -> symex::Interrupted {
        let limits = self.solver_limits();
        Arc::new(move || limits.reached())
    }

    pub fn solver_limits(&self) -> sat::Limits {
        sat::Limits { stop: self.stop.clone(), conflicts: None, rein: self.rein.clone() }
    }
}

/// How a search ended.
#[derive(Debug)]
pub enum Outcome {
    /// On every state of the space.
    Verified,
    /// On this one.
    Violated(Box<Concrete>),
    /// There is no valid state within the bounds.
    NoState,
    /// Every run was dropped.
    AllDropped,
    /// A limit, or something unsupported was reached.
    Stopped(Stop),
    /// A proof was rejected: our bug.
    Rejected(String),
}

/// Work counted, the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// States run explicitly: paths. What an `assume` drops is none.
    pub states_run: u64,
    /// Those that are final states: nothing is checked.
    pub dropped: u64,
    /// Where an `assume` cut off states of a path.
    pub cut_off: u64,
    /// Those that end with an exception that may escape.
    pub thrown: u64,
    /// Iterations and calls of all runs.
    pub steps: u64,
    /// Runs whose result the exact solver had to check.
    pub checks: u64,
    pub by_propagation: u64,
    pub by_elimination: u64,
    pub solver_queries: u64,
    pub feasibility_checks: u64,
    pub nodes: u64,
    pub assignments: u64,
    pub clauses: u64,
    pub conflicts: u64,
    pub certified: u64,
}

impl Counts {
    /// With the solver's work of another.
    pub fn with_work(self, other: Counts) -> Counts {
        Counts {
            solver_queries: self.solver_queries + other.solver_queries,
            clauses: self.clauses + other.clauses,
            conflicts: self.conflicts + other.conflicts,
            certified: self.certified + other.certified,
            ..self
        }
    }
}
