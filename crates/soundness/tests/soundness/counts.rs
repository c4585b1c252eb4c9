//! Well-typed programs per size, by model counting and by enumeration.

use crate::*;
use lang::enumerate;

fn compare(text: &str, check: &str, bounds: &str, size: u32) -> Vec<u64> {
    let language = &languages(text)[0];
    let mut check = with_bounds(language, check, &format!("{bounds}: size {size}"));
    // The enumerator counts subjects of the first premise, whether or not there is a store that goes with them.
    check.premises.truncate(1);
    check.conclusions = vec![Vec::new()];
    let mut terms = lang::term::Terms::new(language);
    let counts = soundness::well_typed(&mut terms, &check, size, &Options::default()).expect("counts");
    let limits = enumerate::Limits::size(size);
    let enumerated = enumerate::run_check(language, &check, &limits, |_, report| report.terms).expect("a report");
    assert_eq!(counts, enumerated, "{}", language.name);
    counts
}

#[test]
fn arith() {
    assert_eq!(compare(ARITH, "preservation", "t", 7), [0, 3, 3, 6, 22, 51, 147, 537]);
}

#[test]
fn stlc_as_redex_has_it() {
    // With all types that a term of this size can have.
    let counts = compare(STLC, "preservation", "T: size 16   n: 0..0   t", 8);
    assert_eq!(counts[1..], [6, 0, 4, 0, 6, 7, 12, 20]);
    // With fewer types, fewer terms: cons below a λ has a type of depth 4.
    let counts = compare(STLC, "preservation", "T: depth 3   n: 0..0   t", 10);
    assert_eq!(counts[1..], [6, 0, 4, 0, 6, 5, 12, 16, 31, 40]);
}

#[test]
fn subtyping() {
    compare(SUB, "preservation", "T: depth 2   t", 6);
}

#[test]
fn imp_and_references() {
    compare(IMP, "preservation", "x: 1   n: 0..1   c", 4);
    compare(REFS, "preservation", "T: size 3   l: 1   t", 4);
}
