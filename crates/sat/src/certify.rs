//! CaDiCaL with every `Unsat` checked while it is produced.
//!
//! In and out: as [`Solver`] says, with one difference: `Unsat` is answered only if the checker of `lrat` confirms that
//! the clauses *we* added contradict the assumptions and the constraint *we* made; otherwise the answer is `Unknown` and
//! [`Solver::certificate`] says what was wrong. A failure is final: a proof with a hole is no proof of anything later.
//!
//! What is not taken from the solver: the original clauses (each is compared, literal by literal, with the clause being
//! added at that moment), the assumptions and the constraint (kept here), and the core (`failed` answers from the
//! checked concluding clauses). What is: models, which whoever reads them replays.
//!
//! How CaDiCaL concludes, once asked to: with the empty clause; or with one clause of negated assumptions; or, if the
//! constraint failed, with one clause per constraint literal, holding its negation and negated assumptions.

use std::cell::RefCell;
use std::rc::Rc;

use cadical_sys::ProofTracer;

use crate::cadical::{Cadical, Preset};
use crate::lrat::{Checker, Core, ProofError};
use crate::solver::{Answer, Certificate, Limits, SatLit, Solver, Stats};

pub struct Certified {
    solver: Cadical,
    /// Shared with the solver, which calls it while we call the solver; never borrowed across such a call.
    witness: Rc<RefCell<Witness>>,
    certificate: Certificate,
    core: Core,
    certified: u64,
}

impl Certified {
    pub fn new(preset: Preset) -> Certified {
        let witness = Rc::new(RefCell::new(Witness::new()));
        let mut solver = Cadical::new(preset);
        solver.trace(Rc::clone(&witness));
        Certified { solver, witness, certificate: Certificate::Absent, core: Core::default(), certified: 0 }
    }

    fn forget_answer(&mut self) {
        self.certificate = Certificate::Absent;
        self.core = Core::default();
    }

    fn certify(&mut self, assumptions: &[i32], constraint: Option<&[i32]>) -> Answer {
        self.solver.conclude();
        match self.witness.borrow_mut().conclude(assumptions, constraint) {
            Ok(core) => {
                self.core = core;
                self.certificate = Certificate::Checked;
                self.certified += 1;
                Answer::Unsat
            }
            Err(error) => {
                self.certificate = Certificate::Rejected(error);
                Answer::Unknown
            }
        }
    }
}

impl Solver for Certified {
    fn new_var(&mut self) -> SatLit {
        self.solver.new_var()
    }

    fn add_clause(&mut self, clause: &[SatLit]) {
        self.forget_answer();
        self.witness.borrow_mut().expect(clause);
        self.solver.add_clause(clause);
        self.witness.borrow_mut().expect_nothing();
    }

    fn assume(&mut self, lit: SatLit) {
        self.forget_answer();
        self.solver.assume(lit);
    }

    fn constrain(&mut self, clause: &[SatLit]) {
        self.forget_answer();
        self.solver.constrain(clause);
    }

    fn solve(&mut self) -> Answer {
        self.forget_answer();
        let assumptions = self.solver.assumptions().to_vec();
        let constraint = self.solver.constraint().map(<[i32]>::to_vec);
        match self.solver.solve() {
            Answer::Unsat => self.certify(&assumptions, constraint.as_deref()),
            answer => answer,
        }
    }

    fn value(&self, lit: SatLit) -> Option<bool> {
        self.solver.value(lit)
    }

    fn failed(&mut self, lit: SatLit) -> bool {
        self.core.contains(lit.to_dimacs())
    }

    fn constraint_failed(&mut self) -> bool {
        self.core.constraint
    }

    fn set_limits(&mut self, limits: Limits) {
        self.solver.set_limits(limits);
    }

    fn is_over(&self) -> bool {
        self.solver.is_over()
    }

    fn stats(&self) -> Stats {
        let proof_steps = self.witness.borrow().checker.steps();
        Stats { certified: self.certified, proof_steps, ..self.solver.stats() }
    }

    fn certificate(&self) -> Certificate {
        self.certificate.clone()
    }
}

/// Hears the proof from the solver and passes it to the checker; remembers the first thing that was wrong.
///
/// Its methods run inside C++, where a panic would end the process: they only record.
pub(crate) struct Witness {
    checker: Checker,
    failure: Option<ProofError>,
    /// The clause being added, until the solver names it as original.
    expected: Option<Vec<i32>>,
    /// A clause's memory to use again.
    spare: Vec<i32>,
}

impl Witness {
    pub(crate) fn new() -> Witness {
        Witness { checker: Checker::new(), failure: None, expected: None, spare: Vec::new() }
    }

    pub(crate) fn expect(&mut self, clause: &[SatLit]) {
        let mut expected = std::mem::take(&mut self.spare);
        expected.clear();
        expected.extend(clause.iter().map(|lit| lit.to_dimacs()));
        self.expected = Some(expected);
    }

    pub(crate) fn expect_nothing(&mut self) {
        if self.expected.take().is_some() {
            self.record(Err(ProofError::OriginalMissing));
        }
    }

    pub(crate) fn conclude(&mut self, assumptions: &[i32], constraint: Option<&[i32]>) -> Result<Core, ProofError> {
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None => self.checker.conclude(assumptions, constraint).inspect_err(|e| self.failure = Some(e.clone())),
        }
    }

    fn record(&mut self, outcome: Result<(), ProofError>) {
        if let Err(error) = outcome {
            self.failure.get_or_insert(error);
        }
    }
}

impl ProofTracer for Witness {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        let outcome = match self.expected.take() {
            Some(expected) if expected == clause && !restored => {
                let outcome = self.checker.add_original(id, &expected);
                self.spare = expected;
                outcome
            }
            _ => Err(ProofError::ForeignOriginal { id }),
        };
        self.record(outcome);
    }

    fn add_derived_clause(&mut self, id: i64, _redundant: bool, witness: i32, clause: &[i32], antecedents: &[i64]) {
        if self.failure.is_none() {
            let outcome = match witness {
                0 => self.checker.add_derived(id, clause, antecedents),
                _ => Err(ProofError::NotImplied { step: id }),
            };
            self.record(outcome);
        }
    }

    fn delete_clause(&mut self, id: i64, _redundant: bool, _clause: &[i32]) {
        if self.failure.is_none() {
            let outcome = self.checker.delete(id);
            self.record(outcome);
        }
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        if self.failure.is_none() {
            let outcome = self.checker.add_conclusion(id, clause, antecedents);
            self.record(outcome);
        }
    }

    // The query as the solver understood it, and what it says of its own conclusion, are not evidence.
    fn add_assumption(&mut self, _lit: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _conclusion_type: i32, _model: &[i32]) {}
    fn conclude_unsat(&mut self, _conclusion_type: i32, _clause_ids: &[i64]) {}
    fn conclude_unknown(&mut self, _trail: &[i32]) {}

    // Only with in-processing, which is off; a clause given back would be rejected as `restored`.
    fn weaken_minus(&mut self, _id: i64, _clause: &[i32]) {}
    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_proof_gives_unknown_and_stays_broken() {
        let mut solver = Certified::new(Preset::Check);
        let [a, b] = [solver.new_var(), solver.new_var()];
        for clause in [[a, b], [a, !b], [!a, b]] {
            solver.add_clause(&clause);
        }
        assert_eq!(solver.witness.borrow_mut().checker.delete(2), Ok(()));
        assert_eq!(solver.solve(), Answer::Sat, "models are not certified");
        solver.assume(!a);
        assert_eq!(solver.solve(), Answer::Unknown);
        assert!(matches!(solver.certificate(), Certificate::Rejected(_)));
        assert!(!solver.failed(!a));
        solver.add_clause(&[]);
        assert_eq!(solver.solve(), Answer::Unknown);
        assert!(matches!(solver.certificate(), Certificate::Rejected(_)));
        assert_eq!(solver.stats().certified, 0);
    }
}
