//! Well-typed programs per size, by model counting and by enumeration: for every language of every example that the encoding carries, up to
//! size 10 and more. Those it does not carry are in `untyped`.

use crate::*;
use lang::enumerate::{self, Limits};
use lang::{Check, SortKind};
use work::on_large_stack;

/// The check of progress, of which only the first premise is left, within bounds; its program up to a size.
pub fn typed_programs(language: &Lang, bounds: &str, size: u32) -> Check {
    programs_of(language, "progress", bounds, size)
}

/// The same of another check.
pub fn programs_of(language: &Lang, check: &str, bounds: &str, size: u32) -> Check {
    let mut check = with_bounds(language, check, bounds);
    // The enumerator counts subjects of the first premise, whether or not there is a store that goes with them.
    check.premises.truncate(1);
    check.conclusions = vec![Vec::new()];
    let sort = check.metas.iter().map(|m| m.sort).find(|s| language.sort(*s).is_tree).expect("a program");
    check.bounds.push((sort, lang::Bound::Size(size)));
    check
}

fn by_models(language: &Lang, check: &Check, size: u32) -> Result<Vec<u64>, Outcome> {
    let mut terms = lang::term::Terms::new(language);
    soundness::well_typed(&mut terms, check, size, &Options::default())
}

/// Environments over names count as they are, not up to a renaming.
pub fn by_enumeration(language: &Lang, check: &Check, size: u32) -> Vec<u64> {
    // Types from the domain, as everything that this is compared with has them.
    let limits = Limits::strict(size);
    enumerate::run_check_over(language, check, &limits, true, |_, report| report.terms).expect("a report")
}

/// What typing depends on: variants that differ from their language only in steps have the same programs.
pub fn typing(language: &Lang) -> String {
    let sorts: Vec<_> = language.sorts.iter().filter(|s| !matches!(s.kind, SortKind::Context { .. })).collect();
    let is_step = |rule: &lang::Rule| language.judgment(rule.judgment).reduction.is_some();
    let rules: Vec<_> = language.rules.iter().filter(|r| !is_step(r)).collect();
    format!("{sorts:?} {:?} {rules:?}", language.prods)
}

/// The first language of a file has these programs; of its variants, those that type differently are compared up to a size of their own.
/// Says which were not carried.
fn compare(file: &str, bounds: &str, pinned: &[u64], others: &str, size: u32) -> Vec<String> {
    let mut not_carried = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for language in &examples::load(file) {
        let (bounds, size) = if seen.is_empty() { (bounds, pinned.len() as u32 - 1) } else { (others, size) };
        if seen.contains(&typing(language)) {
            continue;
        }
        let check = typed_programs(language, bounds, size);
        match on_large_stack(|| by_models(language, &check, size)) {
            Ok(counts) => {
                assert_eq!(counts, by_enumeration(language, &check, size), "{}: models and enumerated", language.name);
                assert!(!seen.is_empty() || counts == pinned, "{}: {counts:?}", language.name);
            }
            Err(Outcome::NotCarried(_)) => not_carried.push(language.name.clone()),
            Err(other) => panic!("{}: {other:?}", language.name),
        }
        seen.push(typing(language));
    }
    not_carried
}

const NONE: [&str; 0] = [];

#[test]
fn arith() {
    let counts = [0, 3, 3, 6, 22, 51, 147, 537, 1636, 5283, 18850];
    assert_eq!(compare("arith.lang", "", &counts, "", 10), NONE);
    assert_eq!(compare("sf-arith.lang", "", &counts, "", 10), NONE);
}

#[test]
fn functions() {
    // All types that a term of this size can have.
    let counts = [0, 6, 0, 4, 0, 6, 7, 12, 20, 32, 46, 84, 136];
    let bounds = "T: size 16   n: 0..0";
    assert_eq!(compare("stlc.lang", bounds, &counts, "T: size 11   n: 0..0", 12), ["stlc-9"]);
    let counts = [0, 2, 0, 3, 8, 6, 27, 108, 168, 771, 2196];
    assert_eq!(compare("sf-stlc.lang", "T: size 3", &counts, "T: size 3", 10), ["sf-stlc-7"]);
}

#[test]
fn exceptions() {
    let counts = [0, 2, 2, 5, 21, 79, 248, 975, 4134, 16989, 70359];
    assert_eq!(compare("exceptions.lang", "T: size 5", &counts, "T: size 5", 8), NONE);
}

#[test]
fn subtyping() {
    let counts = [0, 1, 0, 4, 0, 16, 0, 73, 0, 367, 0, 1977];
    assert_eq!(compare("sub.lang", "T: depth 2", &counts, "T: depth 2", 9), NONE);
    let counts = [0, 3, 0, 12, 18, 69, 256, 703, 3018, 10175];
    assert_eq!(compare("sf-sub.lang", "T: depth 2", &counts, "T: depth 2", 8), NONE);
}

#[test]
fn intersections() {
    let counts = [0, 1, 1, 8, 9, 19, 29, 101, 221, 603, 1222];
    assert_eq!(compare("intersection.lang", "T: size 3", &counts, "T: size 3", 7), NONE);
}

#[test]
fn pairs_and_sums() {
    let counts = [0, 3, 6, 17, 28, 132, 486, 1704, 5902, 28268];
    // Of every variant: a branch binds a variable without annotation, so each has fourteen formulas per type.
    assert_eq!(compare("sums-products.lang", "T: size 3", &counts, "T: size 3", 5), NONE);
}

#[test]
fn commands() {
    let counts = [0, 1, 10, 13, 100, 317, 1644, 6646, 32355, 144385];
    assert_eq!(compare("imp.lang", "x: 2   n: 0..0", &counts, "x: 1   n: 0..0", 8), NONE);
    let counts = [0, 1, 10, 10, 52, 312, 1066, 4950, 24478, 110538];
    assert_eq!(compare("threads.lang", "x: 2   n: 0..0", &counts, "x: 1   n: 0..0", 9), NONE);
}

#[test]
fn references() {
    let counts = [0, 2, 3, 8, 14, 32, 78, 178, 443, 1098, 2749];
    // With subtyping there are so many types per program that the enumerator takes ten times as long.
    assert_eq!(compare("refs.lang", "T: size 3   l: 1", &counts, "T: size 3   l: 1", 7), NONE);
}

#[test]
fn objects() {
    let counts = [0, 3, 3, 5, 24, 67, 201, 755, 2615, 9222];
    let bounds = "T: depth 2   l: 1";
    assert_eq!(compare("nonnull-tainted.lang", bounds, &counts, bounds, 7), NONE);
}

/// The solver, asked for models until there is none, finds as many as are counted.
#[test]
fn one_by_one() {
    let examples = [
        ("arith.lang", "", 7),
        ("stlc.lang", "T: size 11   n: 0..0", 10),
        ("sub.lang", "T: depth 2", 8),
        ("intersection.lang", "T: size 3", 7),
        ("sums-products.lang", "T: size 3", 6),
        ("threads.lang", "x: 2   n: 0..0", 6),
        ("refs.lang", "T: size 3   l: 2", 7),
    ];
    for (file, bounds, size) in examples {
        let language = &examples::load(file)[0];
        let check = typed_programs(language, bounds, size);
        let mut terms = lang::term::Terms::new(language);
        let found = soundness::well_typed_one_by_one(&mut terms, &check, size, &Options::default()).expect("counts");
        assert_eq!(by_models(language, &check, size).expect("counts"), found, "{file}");
    }
}

/// A type that only a premise speaks of is within the bound as well: the handler of `(try raise true with λ x:Bool. raise x) true` would
/// need a larger one.
#[test]
fn types_beyond_the_bound_in_premises() {
    let language = &examples::load("exceptions.lang")[0];
    let check = typed_programs(language, "T: size 3", 9);
    let counts = by_models(language, &check, 9).expect("counts");
    assert_eq!(counts[8..], [3565, 13930]);
    assert_eq!(counts, by_enumeration(language, &check, 9));
}

/// A type that a rule puts together, in an annotation or an environment, is within the bound as a whole: λ x:Nat & (Nat & Nat). 0 is not
/// among the programs, although each part of its annotation is.
#[test]
fn types_put_together_beyond_the_bound() {
    const INTERSECTION: &str = include_str!("../../../../examples/lang/intersection.lang");
    const VARIANTS: &str = "
language annotation-of-three extends intersection
  replace
  Γ, x:T1 ⊢ t : T
  -------------------------------- T-Abs
  Γ ⊢ λ x:T1 & T2 & T3. t : T
language entry-of-another-type extends intersection
  add
  Γ, x:T1 -> T1 ⊢ t : T
  --------------------- T-Entry
  Γ ⊢ λ x:T1. t : T
";
    let pinned = [
        ("intersection-6", [0, 1, 1, 8, 9, 37, 52, 150]),
        ("annotation-of-three", [0, 1, 1, 2, 2, 4, 4, 8]),
        ("entry-of-another-type", [0, 1, 1, 8, 12, 60, 116, 508]),
    ];
    let languages = languages(&format!("{INTERSECTION}{VARIANTS}"));
    for (name, pinned) in pinned {
        let language = languages.iter().find(|l| l.name == name).expect("a variant");
        let check = typed_programs(language, "T: size 3", 7);
        assert_eq!(by_models(language, &check, 7).expect("counts"), pinned, "{name}: models");
        assert_eq!(on_large_stack(|| untyped::by_trial(language, &check, 7)).1, pinned, "{name}: all trees");
        assert_eq!(by_enumeration(language, &check, 7), pinned, "{name}: enumerated");
    }
}
