//! The encoding against the enumerator, which shares nothing with it but the definition, terms and finite domains: on every example
//! language, every seeded bug and hundreds of mutants, tier 0, tier 1, tier 2 and the enumerator give one verdict and one minimal size.
//! Every counterexample is confirmed by the interpreter, every "unsatisfiable" by the proof checker.

use lang::enumerate::{self, Enumerator, Limits};
use lang::interp::{Interp, Reading};
use lang::mutate::mutants;
use lang::*;
use soundness::{Options, Outcome, Tier};
use std::path::Path;

/// What an engine says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Holds,
    Fails(u32),
    Vacuous,
    /// Not decided: not carried, or a bound artefact, which the command has the enumerator decide.
    Nothing(String),
}

pub fn load(name: &str) -> Vec<Lang> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lang").join(name);
    crate::languages(&std::fs::read_to_string(&path).expect("the example is there"))
}

/// Programs up to a size, whatever the definition says; types stay as they are bounded.
pub fn bounded(lang: &Lang, size: u32, others: &[(&str, Bound)]) -> Lang {
    let mut lang = lang.clone();
    for id in lang.sort_ids() {
        if lang.sort(id).is_tree && matches!(lang.sort(id).kind, SortKind::Grammar { .. }) {
            lang.bounds.push((id, Bound::Size(size)));
        }
        let name = &lang.sort(id).name;
        let own = others.iter().filter(|(n, _)| n == name).map(|(_, b)| (id, *b)).collect::<Vec<_>>();
        lang.bounds.extend(own);
    }
    lang.checks.iter_mut().for_each(|c| c.bounds.clear());
    lang
}

pub fn by_classes(lang: &Lang, check: &Check, tier: Tier) -> Said {
    let interp = Interp::new(lang, Some(check), Reading::Open).expect("it runs");
    let mut enumerator = Enumerator::new(interp, Some(check));
    let options = Options { tier, certify: true, verdict_only: true, ..Options::default() };
    match soundness::check(&mut enumerator.interp.terms, check, &options) {
        Outcome::Holds(_) => Said::Holds,
        Outcome::Vacuous => Said::Vacuous,
        Outcome::Fails(failure) => match enumerator.confirm(check, &failure.assignment).expect("it runs") {
            Some(_) => Said::Fails(failure.size),
            None => Said::Nothing("a bound artefact".to_string()),
        },
        Outcome::NotCarried(why) => Said::Nothing(why.reason),
        other => panic!("{}, {}: {other:?}", lang.name, check.name),
    }
}

pub fn by_enumeration(lang: &Lang, check: &Check, size: u32) -> Said {
    let told = enumerate::run_check(lang, check, &Limits::strict(size), |_, report| report.outcome).expect("it runs");
    match told {
        enumerate::Outcome::Holds => Said::Holds,
        enumerate::Outcome::Fails(failure) => Said::Fails(failure.size),
        enumerate::Outcome::Vacuous => Said::Vacuous,
        enumerate::Outcome::Stopped { .. } => panic!("no limit was set"),
    }
}

/// How many answers were compared, and how many were not carried.
#[derive(Default, Debug)]
pub struct Tally {
    compared: usize,
    broken: usize,
    not_carried: Vec<String>,
}

pub fn agree(lang: &Lang, size: u32, tally: &mut Tally) {
    for check in &lang.checks {
        let zero = by_classes(lang, check, Tier::Zero);
        if let Said::Nothing(why) = zero {
            if !tally.not_carried.contains(&why) {
                tally.not_carried.push(why);
            }
            continue;
        }
        let wanted = by_enumeration(lang, check, size);
        assert_eq!(zero, wanted, "{}, {}: tier 0 and the enumerator", lang.name, check.name);
        for tier in [Tier::One, Tier::Two] {
            let said = by_classes(lang, check, tier);
            assert_eq!(said, wanted, "{}, {}: {tier:?} and the enumerator", lang.name, check.name);
        }
        tally.compared += 1;
        tally.broken += usize::from(matches!(wanted, Said::Fails(_)));
    }
}

/// What was compared, at least something.
pub fn tally_of(run: impl FnOnce(&mut Tally)) {
    let mut tally = Tally::default();
    run(&mut tally);
    assert!(tally.compared > 0, "{tally:?}");
}

/// Every language of a file.
fn check_file(name: &str, size: u32, others: &[(&str, Bound)], least: usize) {
    let mut tally = Tally::default();
    for lang in load(name) {
        agree(&bounded(&lang, size, others), size, &mut tally);
    }
    assert!(tally.compared >= least, "{name}: only {tally:?}");
}

/// Every mutant of the first language of a file, but only each `step`-th.
fn check_mutants(name: &str, size: u32, others: &[(&str, Bound)], step: usize, least: usize) {
    let lang = bounded(&load(name)[0], size, others);
    let mut tally = Tally::default();
    for mutant in mutants(&lang).iter().step_by(step) {
        agree(&mutant.lang, size, &mut tally);
    }
    assert!(tally.compared >= least && tally.broken > 0, "{name}: only {tally:?}");
}

const SMALL: &[(&str, Bound)] = &[("x", Bound::Count(2)), ("l", Bound::Count(1)), ("T", Bound::Size(3))];

#[test]
fn examples_arith() {
    check_file("arith.lang", 6, &[], 18);
}

#[test]
fn examples_stlc() {
    check_file("stlc.lang", 10, &[], 16);
}

#[test]
fn mutants_arith() {
    check_mutants("arith.lang", 6, &[], 2, 50);
}

#[test]
fn mutants_stlc() {
    check_mutants("stlc.lang", 8, &[], 2, 30);
}

#[test]
fn examples_and_mutants_imp() {
    check_file("imp.lang", 4, SMALL, 8);
    check_mutants("imp.lang", 4, SMALL, 3, 20);
}

#[test]
fn examples_and_mutants_sub() {
    check_file("sub.lang", 5, &[("T", Bound::Depth(2))], 8);
    check_mutants("sub.lang", 4, &[("T", Bound::Depth(2))], 7, 4);
}

#[test]
fn examples_and_mutants_intersection() {
    check_file("intersection.lang", 5, &[("T", Bound::Size(3))], 39);
    check_mutants("intersection.lang", 4, &[("T", Bound::Size(3))], 3, 30);
}

#[test]
fn examples_and_mutants_refs() {
    check_file("refs.lang", 4, SMALL, 8);
    check_mutants("refs.lang", 4, SMALL, 1, 30);
}

#[test]
fn examples_of_software_foundations() {
    check_file("sf-arith.lang", 5, &[], 10);
    check_file("sf-stlc.lang", 6, &[("T", Bound::Size(3))], 10);
    check_file("sf-sub.lang", 4, &[("T", Bound::Depth(2))], 6);
}

#[test]
fn other_examples() {
    check_file("exceptions.lang", 5, &[("T", Bound::Size(3))], 4);
    check_file("sums-products.lang", 5, &[("T", Bound::Size(3))], 4);
    check_file("threads.lang", 4, SMALL, 4);
    check_file("nonnull-tainted.lang", 3, &[("T", Bound::Depth(2)), ("l", Bound::Count(1))], 4);
}

/// Contexts and congruence rules in one reduction, also where the congruence is all that makes it nondeterministic.
#[test]
fn congruences_beside_contexts() {
    let lang = load("sf-arith.lang").into_iter().find(|l| l.name == "sf-arith-3").expect("variation 3");
    let lang = bounded(&lang, 5, &[]);
    let check = lang.checks.iter().find(|c| c.name == "determinism").expect("determinism");
    assert_eq!(by_enumeration(&lang, check, 5), Said::Fails(5));
    assert!(!matches!(by_classes(&lang, check, Tier::Zero), Said::Holds));
}
