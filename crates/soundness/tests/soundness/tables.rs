//! Numbers that are known: the papers' table for arith, and those of docs/lang.md, "Known figures".

use crate::*;
use soundness::Held;

fn held(language: &Lang, check: &lang::Check, options: &Options) -> Held {
    let mut terms = lang::term::Terms::new(language);
    match soundness::check(&mut terms, check, options) {
        Outcome::Holds(held) => *held,
        other => panic!("{} {}: {other:?}", language.name, check.name),
    }
}

fn per_rule(language: &Lang, held: &Held) -> String {
    let counts = held.non_empty.iter().map(|(r, n)| format!("{} {n}", language.rule(*r).name));
    counts.collect::<Vec<_>>().join(", ")
}

#[test]
fn arith_has_the_states_of_the_paper() {
    let language = &languages(ARITH)[0];
    let expected =
        [(1, 1), (2, 3), (3, 3), (4, 5), (13, 11), (40, 17), (121, 23), (364, 29), (1093, 35), (3280, 41), (29524, 53)];
    for (nodes, states) in expected {
        for name in ["progress", "preservation", "determinism"] {
            let check = with_bounds(language, name, &format!("t: {nodes} nodes"));
            if nodes == 1 && name != "progress" {
                // Nothing steps yet.
                let mut terms = lang::term::Terms::new(language);
                let outcome = soundness::check(&mut terms, &check, &Options::default());
                assert!(matches!(outcome, Outcome::Vacuous));
                continue;
            }
            let held = held(language, &check, &Options::default());
            assert_eq!(held.states(), states, "{name} at {nodes} nodes");
            assert_eq!(held.tier, Tier::Zero);
        }
    }
}

#[test]
fn classes_counted_by_contexts_and_by_models_are_the_same() {
    for (text, nodes) in [(ARITH, [4, 13, 30, 40]), (STLC, [7, 15, 22, 31]), (SUB, [7, 12, 15, 31])] {
        let language = &languages(text)[0];
        for n in nodes {
            let check = with_bounds(language, "preservation", &format!("t: {n} nodes"));
            let by_contexts = held(language, &check, &Options::default());
            let by_models = held(language, &check, &Options { tier: Tier::Two, ..Options::default() });
            assert_eq!(by_contexts.classes, by_models.classes);
            assert_eq!(by_contexts.non_empty, by_models.non_empty, "{} at {n}", language.name);
            assert_eq!(by_models.tier, Tier::Two);
        }
    }
}

#[test]
fn stlc_has_the_classes_of_the_experiment() {
    let language = &languages(STLC)[0];
    let check = with_bounds(language, "preservation", "t: 511 nodes   T: depth 3   n: 0..0");
    let held = held(language, &check, &Options::default());
    assert_eq!(held.classes, 890);
    assert_eq!(per_rule(language, &held), "beta 53, hd 20, tl 20, hd-nil 54, tl-nil 54, plus 33");
    let clipped: Vec<_> = held.clipped.iter().map(|(r, n)| (language.rule(*r).name.as_str(), *n)).collect();
    assert_eq!(clipped, [("T-Lam", 1408)]);
    assert!(held.coverage.rules.iter().all(|(_, w)| w.is_some()));
    assert!(held.coverage.prods.iter().all(|(_, w)| w.is_some()));
    assert!(held.coverage.alternatives.iter().all(|(_, _, w)| w.is_some()));
    let beta = held.coverage.rules.iter().find(|(r, _)| language.rule(*r).name == "beta").expect("beta");
    assert_eq!(beta.1.as_ref().map(|w| w.size), Some(8), "(λ x:Int. x) 0");
}

#[test]
fn imp_has_the_classes_of_the_experiment() {
    let language = &languages(IMP)[0];
    let check = with_bounds(language, "preservation", "c: 511 nodes   x: 4   n: 0..1");
    let held = held(language, &check, &Options::default());
    assert_eq!(held.states(), 145);
}

#[test]
fn references_hold_and_say_what_the_type_bound_leaves_out() {
    let language = &languages(REFS)[0];
    for name in ["progress", "preservation"] {
        let check = with_bounds(language, name, "t: 31 nodes   T: size 3   l: 2");
        let held = held(language, &check, &Options::default());
        assert_eq!(held.tier, Tier::Zero);
        let never: Vec<_> = held.coverage.alternatives.iter().filter(|a| a.2.is_none()).map(|a| (a.0, a.1)).collect();
        // `E t` steps only if some function has a function type, which has a size of 4 or more behind a reference.
        assert_eq!(never.len(), 1);
        assert_eq!(language.sort(never[0].0).name, "E");
    }
}

#[test]
fn witnesses_are_derivable() {
    for text in [ARITH, STLC, SUB, IMP, REFS] {
        let language = &languages(text)[0];
        for check in &language.checks {
            let bounds = match &*language.name {
                "imp" => "c: 15 nodes   x: 2   n: 0..1",
                "arith" => "t: 13 nodes",
                "refs" => "t: 15 nodes   T: size 3",
                _ => "t: 15 nodes   T: depth 3",
            };
            let check = with_bounds(language, &check.name, bounds);
            let mut interp = Interp::new(language, Some(&check), Reading::Open).expect("an interpreter");
            let outcome = soundness::check(&mut interp.terms, &check, &Options::default());
            let Outcome::Holds(held) = outcome else { panic!("{outcome:?}") };
            let coverage = &held.coverage;
            let rules = coverage.rules.iter().filter_map(|(_, w)| w.as_ref());
            let prods = coverage.prods.iter().filter_map(|(_, w)| w.as_ref());
            let others = coverage.alternatives.iter().filter_map(|(_, _, w)| w.as_ref());
            let all: Vec<_> = rules.chain(prods).chain(others).cloned().collect();
            assert!(all.len() > 10);
            for witness in all {
                confirm(&mut interp, &check, &witness.assignment);
            }
        }
    }
}
