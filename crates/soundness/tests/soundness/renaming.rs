//! Environments and stores that differ only in names: the enumerator takes one for all. Here it takes all, and comes to the same verdicts
//! and least sizes, for languages over names or locations and their seeded bugs.

use crate::*;
use lang::enumerate::{self, Limits, Outcome as Enumerated};

/// Every check of every language of a file: how many of them fail. With the restriction there are fewer assignments.
fn compare(file: &str, bounds: &str, size: u32) -> usize {
    let mut broken = 0;
    let (mut all, mut few) = (0, 0);
    for language in &examples::load(file) {
        for check in &language.checks {
            let check = with_bounds(language, &check.name, bounds);
            let run = |all_names: bool| {
                let limits = Limits::strict(size);
                let told = enumerate::run_check_over(language, &check, &limits, all_names, |_, report| report);
                let told = told.expect("it runs");
                let verdict = match told.outcome {
                    Enumerated::Fails(failure) => Some(failure.size),
                    Enumerated::Holds | Enumerated::Vacuous => None,
                    Enumerated::Stopped { .. } => panic!("no limit was set"),
                };
                (verdict, told.assignments)
            };
            let ((wanted, n), (found, m)) = (run(true), run(false));
            assert_eq!(found, wanted, "{}, {}: least size", language.name, check.name);
            (all, few) = (all + n, few + m);
            broken += usize::from(wanted.is_some());
        }
    }
    assert!(few < all, "{file}: {few} of {all}");
    broken
}

#[test]
fn variables_of_commands() {
    assert_eq!(compare("imp.lang", "x: 2   n: 0..1   c: size 5", 5), 11);
    assert_eq!(compare("imp.lang", "x: 3   n: 0..0   c: size 4", 4), 9);
    assert_eq!(compare("threads.lang", "x: 2   n: 0..1   c: size 4", 4), 8);
    assert_eq!(compare("threads.lang", "x: 3   n: 0..0   c: size 4", 4), 8);
}

#[test]
fn locations() {
    assert_eq!(compare("refs.lang", "T: size 2   l: 2   t: size 3", 3), 9);
    assert_eq!(compare("refs.lang", "T: size 2   l: 3   t: size 3", 3), 9);
    assert_eq!(compare("nonnull-tainted.lang", "T: depth 3   l: 2   t: size 2", 2), 12);
    assert_eq!(compare("let-poly.lang", "T: size 2   l: 2   t: size 3", 3), 3);
    assert_eq!(compare("linear.lang", "T: size 3   l: 2   t: size 5", 5), 6);
}
