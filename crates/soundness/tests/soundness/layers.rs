//! Rules about the subject of their premises, with several of them: how often they are applied, and that nothing else follows.

use crate::*;
use lang::enumerate::{self, Limits, Outcome as Enumerated};
use lang::mutate::mutants;

/// Programs without types of their own, judged by rules that are given; `-->` takes each to the next.
fn letters(rules: &str) -> String {
    format!(
        "language letters
syntax
  t ::= a | b | c | d t | e t t
  T ::= A | B | C | D | F | G
  v ::= a | d v
  E ::= [] | d E | e E t
judgment t small
  a small  [N-A]    b small  [N-B]

  t small
  --------- N-D
  d t small
judgment ⊢ t : T
{rules}
reduction t --> t'  in E
  b --> a  [E-B]    c --> b  [E-C]    e v t --> d t  [E-E]
bounds t: size 5
check progress     : ⊢ t : T             =>  t is v  or  t steps
check preservation : ⊢ t : T,  t --> t'  =>  ⊢ t' : T
check determinism  : ⊢ t : T,  t --> t1,  t --> t2  =>  t1 = t2
check has-A : ⊢ t : A  =>  t is v  or  t steps
check has-B : ⊢ t : B  =>  t is v  or  t steps
check has-C : ⊢ t : C  =>  t is v  or  t steps
check has-D : ⊢ t : D  =>  t is v  or  t steps
check has-F : ⊢ t : F  =>  t is v  or  t steps
check has-G : ⊢ t : G  =>  t is v  or  t steps
"
    )
}

/// Each such mutant is compared.
const EVERY: usize = 3;

const AXIOMS: &str = "  ⊢ a : A  [T-A]    ⊢ b : B  [T-B]    ⊢ c : C  [T-C]    ⊢ b : A  [T-BA]    ⊢ c : A  [T-CA]

  ⊢ t : T            ⊢ t : A          ⊢ t1 : T   ⊢ t2 : T
  --------- T-D      --------- T-DG   ------------------- T-E
  ⊢ d t : T          ⊢ d t : G        ⊢ e t1 t2 : T
";

/// A, B, C, D, F, each with G from the one before: four layers, wherever one begins.
const CHAIN: &str = "
  ⊢ t : A   ⊢ t : G          ⊢ t : B   ⊢ t : G          ⊢ t : C   ⊢ t : G
  ----------------- L-B      ----------------- L-C      ----------------- L-D
  ⊢ t : B                    ⊢ t : C                    ⊢ t : D

  ⊢ t : D   ⊢ t : G          ⊢ t : F   ⊢ t : G
  ----------------- L-F      ----------------- L-A
  ⊢ t : F                    ⊢ t : A
";

/// Edges, three premises, and a premise twice.
const MIXED: &str = "
  ⊢ t : B         ⊢ t : A   ⊢ t : C   ⊢ t : G         ⊢ t : D   ⊢ t : D
  ------- L-C     --------------------------- L-D     ----------------- L-F
  ⊢ t : C         ⊢ t : D                             ⊢ t : F

  ⊢ t : F   ⊢ t : G
  ----------------- L-B
  ⊢ t : B
";

/// Only of values, and only of what another judgment holds.
const GUARDED: &str = "
  ⊢ v : A   ⊢ v : G          ⊢ t : A   t small          ⊢ t : B   ⊢ t : D   t is v
  ----------------- L-B      ----------------- L-D      -------------------------- L-F
  ⊢ v : B                    ⊢ t : D                    ⊢ t : F

  ⊢ t : F   ⊢ t : G
  ----------------- L-C
  ⊢ t : C
";

/// Only of what another judgment holds, so that obligations stay local.
const JUDGED: &str = "
  ⊢ t : A   t small          ⊢ t : G   ⊢ t : D   t small
  ----------------- L-D      --------------------------- L-F
  ⊢ t : D                    ⊢ t : F
";

fn layers(text: &str) -> Option<usize> {
    let language = &languages(text)[0];
    let mut terms = lang::term::Terms::new(language);
    match soundness::check(&mut terms, &language.checks[2], &Options::default()) {
        Outcome::Holds(held) => held.layers.first().map(|(_, n)| *n),
        other => panic!("{other:?}"),
    }
}

/// Every tier and the enumerator agree on a language and all its mutants; how many checks, how many of them fail.
fn agree(text: &str, size: u32) -> (usize, usize) {
    let language = &languages(text)[0];
    let mut all = vec![language.clone()];
    all.extend(mutants(language).into_iter().step_by(EVERY).map(|m| m.lang));
    let (mut compared, mut broken) = (0, 0);
    for mutant in &all {
        for check in &mutant.checks[..3] {
            let check = with_bounds(mutant, &check.name, &format!("t: size {size}"));
            let expected = enumerate::run_check(mutant, &check, &Limits::strict(size), |_, report| report.outcome);
            let expected = match expected.expect("it runs") {
                Enumerated::Holds | Enumerated::Vacuous => "holds".to_string(),
                Enumerated::Fails(failure) => format!("fails {}", failure.size),
                Enumerated::Stopped { .. } => panic!("no limit was set"),
            };
            for tier in [Tier::Zero, Tier::One, Tier::Two] {
                let found = verdict(mutant, &check, &Options { certify: true, ..options(tier) });
                assert_eq!(found, expected, "{} {} by {tier:?}", mutant.name, check.name);
            }
            compared += 1;
            broken += usize::from(expected != "holds");
        }
    }
    (compared, broken)
}

/// Of a language and all its mutants: per type, as many programs have it as the enumerator finds.
fn count(text: &str, size: u32) -> Vec<Vec<u64>> {
    let language = &languages(text)[0];
    let mut all = vec![language.clone()];
    all.extend(mutants(language).into_iter().step_by(EVERY).map(|m| m.lang));
    let mut first = Vec::new();
    for (i, mutant) in all.iter().enumerate() {
        for name in ["has-A", "has-B", "has-C", "has-D", "has-F", "has-G"] {
            let check = counts::programs_of(mutant, name, "", size);
            let mut terms = lang::term::Terms::new(mutant);
            let found = soundness::well_typed(&mut terms, &check, size, &Options::default()).expect("counts");
            assert_eq!(found, counts::by_enumeration(mutant, &check, size), "{} {name}", mutant.name);
            if i == 0 {
                first.push(found);
            }
        }
    }
    first
}

fn not_carried(text: &str) -> String {
    let language = &languages(text)[0];
    let mut terms = lang::term::Terms::new(language);
    match soundness::check(&mut terms, &language.checks[0], &Options::default()) {
        Outcome::NotCarried(not_carried) => not_carried.reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_chain_takes_as_many_layers_as_it_is_long() {
    let text = letters(&format!("{AXIOMS}{CHAIN}"));
    assert_eq!(layers(&text), Some(4));
    assert_eq!(agree(&text, 4), (156, 54));
    let counts = [
        [0, 3, 3, 12, 30, 111, 363],
        [0, 1, 3, 4, 18, 47, 171],
        [0, 1, 3, 4, 18, 47, 171],
        [0, 0, 3, 3, 12, 39, 129],
        [0, 0, 3, 3, 12, 39, 129],
        [0, 0, 3, 3, 12, 39, 129],
    ];
    assert_eq!(count(&text, 6), counts);
}

#[test]
fn edges_and_clauses_together() {
    let text = letters(&format!("{AXIOMS}{MIXED}"));
    assert_eq!(layers(&text), Some(2));
    assert_eq!(agree(&text, 4), (138, 48));
    let counts = [
        [0, 3, 3, 12, 30, 111, 363],
        [0, 1, 2, 3, 10, 24, 74],
        [0, 2, 2, 6, 14, 42, 122],
        [0, 0, 2, 2, 6, 18, 50],
        [0, 0, 2, 2, 6, 18, 50],
        [0, 0, 3, 3, 12, 39, 129],
    ];
    assert_eq!(count(&text, 6), counts);
}

#[test]
fn other_conditions() {
    let text = letters(&format!("{AXIOMS}{GUARDED}"));
    assert_eq!(layers(&text), Some(3));
    assert_eq!(agree(&text, 4), (135, 50));
    let counts = [
        [0, 3, 3, 12, 30, 111, 363],
        [0, 1, 2, 3, 7, 17, 43],
        [0, 1, 2, 3, 7, 17, 43],
        [0, 2, 2, 6, 14, 42, 122],
        [0, 0, 1, 1, 1, 2, 4],
        [0, 0, 3, 3, 12, 39, 129],
    ];
    assert_eq!(count(&text, 6), counts);
}

#[test]
fn other_judgments() {
    let text = letters(&format!("{AXIOMS}{JUDGED}"));
    assert_eq!(layers(&text), Some(2));
    assert_eq!(agree(&text, 4), (99, 38));
    assert_eq!(count(&text, 6)[3..5], [[0, 2, 2, 6, 14, 42, 122], [0, 0, 2, 2, 2, 6, 14]]);
}

/// Types within types: one layer for each level of intersections.
#[test]
fn intersections_nest() {
    let languages = examples::load("intersection.lang");
    let language = languages.iter().find(|l| l.name == "intersection-all").expect("all types");
    for (bounds, expected) in [("T: size 3", 1), ("T: size 5", 2)] {
        let check = with_bounds(language, "progress", &format!("t: 7 nodes   {bounds}"));
        let mut terms = lang::term::Terms::new(language);
        let outcome = soundness::check(&mut terms, &check, &options(Tier::Zero));
        let Outcome::Holds(held) = outcome else { panic!("{outcome:?}") };
        assert_eq!(held.layers.iter().map(|l| l.1).collect::<Vec<_>>(), [expected]);
    }
    let check = counts::typed_programs(language, "T: size 5", 7);
    let mut terms = lang::term::Terms::new(language);
    let found = soundness::well_typed(&mut terms, &check, 7, &Options::default()).expect("counts");
    assert_eq!(found, counts::by_enumeration(language, &check, 7));
    assert_eq!(found, [0, 1, 1, 8, 9, 73, 94, 236]);
}

#[test]
fn circles_through_two_judgments() {
    let rules = "
  ⊢ t : A   t small
  ----------------- L-B
  ⊢ t : B
judgment t small2
  ⊢ t : B
  -------- M-B
  t small2
";
    assert_eq!(
        not_carried(&letters(&format!("{AXIOMS}{rules}").replace("t small\n", "t small2\n"))),
        "rule L-B: premises about its own subject in a circle"
    );
}
