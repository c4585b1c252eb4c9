//! Wrong proofs are rejected: by the checker step by step, and by the witness that stands between it and the solver.

use cadical_sys::ProofTracer;

use super::{Random, lits};
use crate::certify::Witness;
use crate::lrat::{Checker, ProofError};

/// a ∨ b, a ∨ ¬b, ¬a ∨ b, ¬a ∨ ¬b as clauses 1 to 4.
fn square() -> Checker {
    let mut checker = Checker::new();
    for (id, clause) in (1..).zip([[1, 2], [1, -2], [-1, 2], [-1, -2]]) {
        assert_eq!(checker.add_original(id, &clause), Ok(()));
    }
    checker
}

#[test]
fn the_right_proof_is_accepted() {
    let mut checker = square();
    assert_eq!(checker.add_derived(5, &[1], &[1, 2]), Ok(()));
    assert!(!checker.refuted());
    assert_eq!(checker.add_derived(6, &[], &[5, 3, 4]), Ok(()));
    assert!(checker.refuted());
    assert_eq!(checker.steps(), 2);
}

#[test]
fn wrong_steps_are_rejected() {
    let step = 5;
    let wrong: [(&[i32], &[i64], ProofError); 8] = [
        // An antecedent is missing, all are, or one is another clause.
        (&[1], &[1], ProofError::NoConflict { step }),
        (&[1], &[], ProofError::NoConflict { step }),
        (&[1], &[1, 3], ProofError::AntecedentNotUnit { step, antecedent: 3 }),
        // A literal was dropped: [1] is derivable, [] is not from these.
        (&[], &[1, 2], ProofError::AntecedentNotUnit { step, antecedent: 1 }),
        // Another literal than the one derived.
        (&[2], &[1, 2], ProofError::AntecedentNotUnit { step, antecedent: 2 }),
        (&[3], &[1, 2], ProofError::AntecedentNotUnit { step, antecedent: 1 }),
        (&[1], &[1, 9], ProofError::UnknownAntecedent { step, antecedent: 9 }),
        (&[1], &[-1, 2], ProofError::NotImplied { step }),
    ];
    for (clause, antecedents, error) in wrong {
        assert_eq!(square().add_derived(step, clause, antecedents), Err(error), "{clause:?} by {antecedents:?}");
    }
    assert_eq!(square().add_derived(4, &[1], &[1, 2]), Err(ProofError::BadId { id: 4 }));
    assert_eq!(square().add_derived(0, &[1], &[1, 2]), Err(ProofError::BadId { id: 0 }));
    assert_eq!(square().add_derived(5, &[1, 0], &[1, 2]), Err(ProofError::BadLiteral));
}

#[test]
fn order_of_antecedents_matters() {
    let mut checker = Checker::new();
    for (id, clause) in (1..).zip([[-1, 2], [-2, 3]]) {
        assert_eq!(checker.add_original(id, &clause), Ok(()));
    }
    assert_eq!(checker.add_original(3, &[-3, 4, 5]), Ok(()));
    let disordered = ProofError::AntecedentNotUnit { step: 4, antecedent: 3 };
    assert_eq!(checker.add_derived(4, &[-1, 4, 6], &[1, 3, 2]), Err(disordered));
    assert_eq!(checker.add_derived(4, &[-1, 4, 5], &[1, 2, 3]), Ok(()));
}

#[test]
fn deleted_clauses_are_gone_and_their_memory_too() {
    let mut checker = square();
    assert_eq!(checker.delete(2), Ok(()));
    assert_eq!(checker.delete(2), Err(ProofError::DeletionOfUnknown { id: 2 }));
    assert_eq!(checker.delete(-3), Err(ProofError::DeletionOfUnknown { id: -3 }));
    let gone = ProofError::UnknownAntecedent { step: 5, antecedent: 2 };
    assert_eq!(checker.add_derived(5, &[1], &[1, 2]), Err(gone));

    let mut random = Random::new(1);
    let clauses: Vec<Vec<i32>> = (0..50_000).map(|_| random.clause(100, 10)).collect();
    for (id, clause) in (10..).zip(&clauses) {
        assert_eq!(checker.add_original(id, clause), Ok(()));
        if id % 100 != 0 {
            assert_eq!(checker.delete(id), Ok(()));
        }
    }
    assert_eq!(checker.live(), 3 + 500);
    assert!(checker.words() < 4 * 500 * 12, "{} words", checker.words());
    // What is left is still found under its id: each clause implies itself.
    for (id, clause) in (10..).zip(&clauses).filter(|(id, _)| id % 100 == 0) {
        assert_eq!(checker.add_derived(100_000 + id, clause, &[id]), Ok(()));
    }
}

#[test]
fn conclusions_must_contradict_the_query() {
    let concluded = |clauses: &[(&[i32], &[i64])]| {
        let mut checker = Checker::new();
        // 1 → 3, 2 → 3, and 4 → ¬3.
        for (id, clause) in (1..).zip([[-1, 3], [-2, 3], [-4, -3]]) {
            assert_eq!(checker.add_original(id, &clause), Ok(()));
        }
        for (clause, antecedents) in clauses {
            assert_eq!(checker.add_conclusion(9, clause, antecedents), Ok(()));
        }
        checker
    };
    let by_assumptions: &[(&[i32], &[i64])] = &[(&[-1, -4], &[1, 3])];
    let core = concluded(by_assumptions).conclude(&[5, 1, 4], None);
    assert_eq!(core.map(|core| (core.assumptions, core.constraint)), Ok((vec![1, 4], false)));
    assert_eq!(concluded(by_assumptions).conclude(&[1], None), Err(ProofError::NoContradiction));
    assert_eq!(concluded(by_assumptions).conclude(&[1, -4], None), Err(ProofError::NoContradiction));
    assert_eq!(concluded(&[]).conclude(&[1, 4], None), Err(ProofError::NoContradiction));

    let by_constraint: &[(&[i32], &[i64])] = &[(&[-4, -1], &[1, 3]), (&[-2, -4], &[2, 3])];
    let core = concluded(by_constraint).conclude(&[4, 6], Some(&[1, 2]));
    assert_eq!(core.map(|core| (core.assumptions, core.constraint)), Ok((vec![4], true)));
    // One constraint literal is left standing; there is no constraint; an assumption is missing.
    assert_eq!(concluded(by_constraint).conclude(&[4], Some(&[1, 2, 5])), Err(ProofError::NoContradiction));
    assert_eq!(concluded(by_constraint).conclude(&[4], None), Err(ProofError::NoContradiction));
    assert_eq!(concluded(by_constraint).conclude(&[], Some(&[1, 2])), Err(ProofError::NoContradiction));
    // Conclusions belong to one query.
    let mut checker = concluded(by_assumptions);
    assert!(checker.conclude(&[1, 4], None).is_ok());
    assert_eq!(checker.conclude(&[1, 4], None), Err(ProofError::NoContradiction));
}

#[test]
fn a_solver_that_invents_alters_or_loses_originals_is_caught() {
    let verdict = |play: &dyn Fn(&mut Witness)| {
        let mut witness = Witness::new();
        witness.expect(&lits(&[1, 2]));
        play(&mut witness);
        witness.expect_nothing();
        // Whatever came of it, this would be a refutation if the solver were believed.
        witness.expect(&[]);
        witness.add_original_clause(7, false, &[], false);
        witness.expect_nothing();
        witness.conclude(&[], None).err()
    };
    assert_eq!(verdict(&|witness| witness.add_original_clause(1, false, &[1, 2], false)), None);
    let foreign = Some(ProofError::ForeignOriginal { id: 1 });
    assert_eq!(verdict(&|witness| witness.add_original_clause(1, false, &[1], false)), foreign);
    assert_eq!(verdict(&|witness| witness.add_original_clause(1, false, &[1, -2], false)), foreign);
    assert_eq!(verdict(&|witness| witness.add_original_clause(1, false, &[1, 2], true)), foreign);
    assert_eq!(verdict(&|_| {}), Some(ProofError::OriginalMissing));
    let twice = |witness: &mut Witness| {
        witness.add_original_clause(1, false, &[1, 2], false);
        witness.add_original_clause(2, false, &[1, 2], false);
    };
    assert_eq!(verdict(&twice), Some(ProofError::ForeignOriginal { id: 2 }));
    let witnessed = |witness: &mut Witness| {
        witness.add_original_clause(1, false, &[1, 2], false);
        witness.add_derived_clause(2, true, 3, &[3], &[]);
    };
    assert_eq!(verdict(&witnessed), Some(ProofError::NotImplied { step: 2 }));
}
