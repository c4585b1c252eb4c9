//! Mutants of the definitions: verdict and least size as the enumerator has them, by every tier.

use crate::*;
use lang::enumerate::{self, Outcome as Enumerated};

fn agree(text: &str, bounds: &str, size: u32, nth: usize, from: usize) -> usize {
    let language = &languages(text)[0];
    let mut all = vec![language.clone()];
    all.extend(lang::mutate::mutants(language).into_iter().skip(from).step_by(nth).map(|m| m.lang));
    let mut compared = 0;
    for mutant in &all {
        for check in &mutant.checks {
            let check = with_bounds(mutant, &check.name, &format!("{bounds}: size {size}"));
            let limits = enumerate::Limits::strict(size);
            let expected = enumerate::run_check(mutant, &check, &limits, |_, report| report.outcome);
            let expected = match expected {
                Ok(Enumerated::Holds | Enumerated::Vacuous) => "holds".to_string(),
                Ok(Enumerated::Fails(failure)) => format!("fails {}", failure.size),
                other => panic!("{}: {other:?}", mutant.name),
            };
            for tier in [Tier::Zero, Tier::One, Tier::Two] {
                let found = verdict(mutant, &check, &options(tier));
                if found != "not carried" {
                    assert_eq!(found, expected, "{} {} by {tier:?}", mutant.name, check.name);
                    compared += 1;
                }
            }
        }
    }
    compared
}

#[test]
fn arith_mutants() {
    assert!(agree(ARITH, "t", 5, 2, 0) > 150);
}

#[test]
fn stlc_mutants() {
    assert!(agree(STLC, "T: depth 3   n: 0..0   t", 7, 6, 1) > 50);
}

#[test]
fn sub_mutants() {
    assert!(agree(SUB, "T: depth 2   t", 4, 8, 0) > 15);
}

#[test]
fn imp_mutants() {
    assert!(agree(IMP, "x: 1   n: 0..1   c", 4, 6, 0) > 30);
}

#[test]
fn refs_mutants() {
    assert!(agree(REFS, "T: size 3   l: 1   t", 4, 5, 0) > 30);
}
