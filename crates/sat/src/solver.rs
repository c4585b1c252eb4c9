//! What the rest of the program may ask of a SAT solver.
//!
//! In: clauses over DIMACS literals, added at any time; per query a set of assumptions and at most one constraint (a
//! clause that holds for that query only). Out: an [`Answer`], then a model or a core. Assumptions and constraint are
//! dropped by `solve`, whatever its answer. A solver never sees formulas: `encode` does.
//!
//! Invariant: after `Unsat`, the clauses, the assumptions with `failed`, and the constraint if `constraint_failed`, are
//! together unsatisfiable. The core need not be minimal.

use std::fmt;
use std::ops::Not;
use std::sync::Arc;

use crate::lrat::ProofError;
use crate::rein::Rein;
use work::Stop;

/// A literal in DIMACS form: never zero, the variable's number if positive, its negation if negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SatLit(i32);

impl SatLit {
    /// `None` for zero, and for `i32::MIN`, whose negation does not exist.
    pub fn from_dimacs(number: i32) -> Option<SatLit> {
        (number != 0 && number != i32::MIN).then_some(SatLit(number))
    }

    /// The positive literal of the variable after the first `count`.
    pub(crate) fn after(count: u32) -> SatLit {
        SatLit(i32::try_from(count + 1).expect("a solver holds fewer than 2^31 variables"))
    }

    pub fn to_dimacs(self) -> i32 {
        self.0
    }

    /// The variable's number, from 1 on.
    pub fn variable(self) -> u32 {
        self.0.unsigned_abs()
    }

    pub fn is_negated(self) -> bool {
        self.0 < 0
    }

    /// Negated if `flip`.
    pub fn flip(self, flip: bool) -> SatLit {
        if flip { !self } else { self }
    }
}

impl Not for SatLit {
    type Output = SatLit;

    fn not(self) -> SatLit {
        SatLit(-self.0)
    }
}

impl fmt::Debug for SatLit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for SatLit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat,
    Unsat,
    /// Stopped by its [`Limits`], or an `Unsat` whose proof was rejected: see [`Solver::certificate`].
    Unknown,
}

/// When `solve` has to give up. All limits hold for every later `solve`, until they are replaced.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub stop: Stop,
    /// Conflicts in one call of `solve`.
    pub conflicts: Option<u32>,
    /// Held or ended by whoever runs two searches.
    pub rein: Option<Arc<Rein>>,
}

impl Limits {
    pub fn until(stop: &Stop) -> Limits {
        Limits { stop: stop.clone(), ..Limits::default() }
    }

    /// Whether it is time to stop, or the search was ended; waits while it is held.
    pub fn reached(&self) -> bool {
        let is_over = || self.stop.is_due();
        self.rein.as_ref().is_some_and(|rein| rein.is_ended(|| !is_over())) || is_over()
    }
}

/// What is known about the last answer beyond the solver's word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// The last answer was not `Unsat`, or this solver's proofs are not checked.
    Absent,
    /// The last `Unsat` follows from the clauses handed over; so does its core.
    Checked,
    /// The solver, the checker or their connection is wrong: an internal error, never a verdict.
    Rejected(ProofError),
}

/// Counted since the solver was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub vars: u64,
    /// Clauses handed over, constraints not included.
    pub clauses: u64,
    pub solves: u64,
    pub conflicts: u64,
    pub propagations: u64,
    /// `Unsat` answers confirmed by the checker.
    pub certified: u64,
    /// Derived clauses the checker accepted on the way.
    pub proof_steps: u64,
}

pub trait Solver {
    /// A new variable, as its positive literal.
    fn new_var(&mut self) -> SatLit;

    /// Adds a clause for good; the empty clause makes every later query `Unsat`.
    fn add_clause(&mut self, clause: &[SatLit]);

    /// Assumes a literal for the next `solve` only.
    fn assume(&mut self, lit: SatLit);

    /// One clause that holds for the next `solve` only; a second call before it replaces the first.
    fn constrain(&mut self, clause: &[SatLit]);

    fn solve(&mut self) -> Answer;

    /// The literal's value in the model; `None` unless the last call that changed anything was a `solve` with `Sat`.
    fn value(&self, lit: SatLit) -> Option<bool>;

    /// Whether the core of the last `Unsat` holds this assumption.
    fn failed(&mut self, lit: SatLit) -> bool;

    /// Whether the core of the last `Unsat` needs the constraint.
    fn constraint_failed(&mut self) -> bool;

    fn set_limits(&mut self, limits: Limits);

    /// Whether a limit is reached, so that no `solve` will decide anything.
    fn is_over(&self) -> bool;

    fn stats(&self) -> Stats;

    fn certificate(&self) -> Certificate {
        Certificate::Absent
    }
}
