//! Hint-free propagation agrees with a propagation that rescans all clauses, and watches survive many questions.

use super::Random;
use crate::lrat::Checker;
use crate::rup::Propagator;

/// Scans all clauses until nothing changes.
fn naive(clauses: &[Vec<i32>], clause: &[i32]) -> bool {
    let mut true_lits: Vec<i32> = clause.iter().map(|lit| -lit).collect();
    loop {
        if true_lits.iter().any(|lit| true_lits.contains(&-lit)) {
            return true;
        }
        let found = clauses.iter().find_map(|clause| {
            let mut open: Vec<i32> = clause.iter().copied().filter(|lit| !true_lits.contains(&-lit)).collect();
            open.dedup();
            match open[..] {
                [] => Some(0),
                [unit] if !true_lits.contains(&unit) => Some(unit),
                _ => None,
            }
        });
        match found {
            Some(0) => return true,
            Some(unit) => true_lits.push(unit),
            None => return false,
        }
    }
}

#[test]
fn rup_without_hints() {
    let mut implied = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let vars = 4 + random.below(20);
        let mut checker = Checker::new();
        let mut clauses = Vec::new();
        for id in 1..=i64::from(2 * vars) {
            let length = 2 + u32::from(random.below(3) == 0) - u32::from(random.below(20) == 0);
            let mut clause = random.clause(vars, length);
            clause.sort_unstable();
            assert_eq!(checker.add_original(id, &clause), Ok(()));
            match random.below(5) {
                0 => assert_eq!(checker.delete(id), Ok(())),
                _ => clauses.push(clause),
            }
        }
        let mut propagator = Propagator::new(&checker);
        for _ in 0..30 {
            let length = random.below(4);
            let question = random.clause(vars + 2, length);
            let expected = naive(&clauses, &question);
            assert_eq!(propagator.implies(&question), expected, "seed {seed}, {question:?}");
            assert_eq!(checker.rup(&question), expected, "seed {seed}, {question:?}, one question");
            implied += u32::from(expected);
        }
    }
    assert!(implied > 1000, "only {implied} questions were implied");
}
