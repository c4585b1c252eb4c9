//! Decisions against going through all models; the bound on elements; minimal models.

use crate::formulas::{Shape, chosen_formula, models};
use sets::{Answer, Compare, Decision, Formula, Limits, Method, Model, Options, Sort, Store, Term, decide, evaluate};
use std::cell::Cell;
use std::time::Duration;
use test_kit::choices::for_all;
use work::{Cause, Stop};

const PLAIN: Shape = Shape { sets: 2, bools: 1, depth: 3, count: 2, set_quantifiers: 0, bool_quantifiers: 0 };

fn certified() -> Limits {
    Limits { certify: true, ..Limits::default() }
}

fn minimal() -> Limits {
    Limits { certify: true, minimise: true, ..Limits::default() }
}

/// The size of a smallest model, if one has at most so many elements.
fn smallest(store: &Store, f: Formula, most: usize) -> Option<usize> {
    (0..=most).find(|&elements| {
        models(store, store.free(f), elements).iter().any(|model| evaluate(store, f, model).expect("feasible"))
    })
}

fn check_decision(store: &Store, f: Formula, decision: &Decision) -> bool {
    match &decision.answer {
        Answer::Sat(model) => {
            assert_eq!(evaluate(store, f, model), Some(true), "{}: {model:?}", store.show(f));
            true
        }
        Answer::Unsat => {
            assert!(decision.certified || decision.method == Method::Trivial, "{}: no proof", store.show(f));
            false
        }
        Answer::Unknown(reason) => panic!("{}: {reason}", store.show(f)),
    }
}

#[test]
fn decisions_are_those_of_all_models() {
    let counts = [Cell::new(0), Cell::new(0)];
    for_all(4000, |choices| {
        let mut store = Store::new(Options::default());
        let f = chosen_formula(&mut store, choices, PLAIN);
        let decision = decide(&mut store, f, &minimal());
        let is_sat = check_decision(&store, f, &decision);
        counts[usize::from(is_sat)].update(|n| n + 1);
        // Elements are told apart by two sets: five more than enough are far more than enough.
        let most = (decision.elements + 1).max(3);
        let expected = smallest(&store, f, most.min(7));
        let text = store.show(f);
        match &decision.answer {
            Answer::Sat(model) => {
                assert_eq!(expected, Some(model.elements), "{text}");
                assert!(model.elements <= decision.elements, "{text}: the bound");
            }
            _ => assert_eq!(expected, None, "{text}"),
        }
    });
    let counts = counts.map(Cell::into_inner);
    assert!(counts[0] > 300 && counts[1] > 300, "both answers occur: {counts:?}");
}

/// Of candidates those go that are false in a model of three elements, and no others.
#[test]
fn small_models_refute_candidates() {
    let counts = [Cell::new(0), Cell::new(0)];
    for_all(1500, |choices| {
        let mut store = Store::new(Options::default());
        let known = chosen_formula(&mut store, choices, PLAIN);
        let mut candidates: Vec<Formula> =
            (1..7).map(|skip| chosen_formula(&mut store, choices.get(skip..).unwrap_or_default(), PLAIN)).collect();
        candidates.push(known);
        let left = sets::unrefuted(&mut store, known, &candidates, &Limits::default());
        for candidate in candidates {
            let text = store.show(candidate);
            let not = store.not(candidate);
            let refuted = store.and([known, not]);
            let is_left = smallest(&store, refuted, 3).is_none();
            assert_eq!(left.contains(&candidate), is_left, "{} refutes {text}?", store.show(known));
            counts[usize::from(is_left)].update(|n| n + 1);
        }
    });
    let counts = counts.map(Cell::into_inner);
    assert!(counts[0] > 300 && counts[1] > 300, "both occur: {counts:?}");
}

#[test]
fn existential_variables_and_boolean_quantifiers() {
    let shape = Shape { sets: 3, bools: 2, set_quantifiers: 2, bool_quantifiers: 2, count: 1, ..PLAIN };
    let decided = Cell::new(0);
    for_all(4000, |choices| {
        let mut store = Store::new(Options::default());
        let f = chosen_formula(&mut store, choices, shape);
        if !store.has_quantifier(f) {
            return;
        }
        let decision = decide(&mut store, f, &certified());
        if decision.method == Method::Regions {
            return;
        }
        decided.update(|n| n + 1);
        let is_sat = match &decision.answer {
            Answer::Sat(model) => {
                assert_ne!(evaluate(&store, f, model), Some(false), "{}", store.show(f));
                true
            }
            Answer::Unsat => false,
            Answer::Unknown(reason) => panic!("{}: {reason}", store.show(f)),
        };
        let found = smallest(&store, f, 3).is_some();
        assert!(is_sat || !found, "{}", store.show(f));
        assert!(!is_sat || found || decision.elements > 3, "{}", store.show(f));
    });
    assert!(decided.get() > 500, "{decided:?}");
}

fn sets(store: &mut Store, names: &[&str]) -> Vec<Term> {
    names
        .iter()
        .map(|name| {
            let var = store.variable(name, Sort::Set);
            store.set(var)
        })
        .collect()
}

/// Satisfiable with so many elements, and not with fewer.
fn needs(build: impl Fn(&mut Store) -> Formula, elements: usize) {
    let mut store = Store::new(Options::default());
    let f = build(&mut store);
    let decision = decide(&mut store, f, &minimal());
    let Answer::Sat(model) = &decision.answer else { panic!("{}: {:?}", store.show(f), decision.answer) };
    assert_eq!((model.elements, decision.elements), (elements, elements), "{}", store.show(f));
}

#[test]
fn the_bound_is_reached() {
    needs(
        |s| {
            let [a, b] = sets(s, &["A", "B"])[..] else { unreachable!() };
            let parts = [s.card(a, Compare::Equal, 1), s.card(b, Compare::Equal, 1), s.disjoint([a, b])];
            s.and(parts)
        },
        2,
    );
    needs(
        |s| {
            let [a, b] = sets(s, &["A", "B"])[..] else { unreachable!() };
            let (ab, ba) = (s.subset(a, b), s.subset(b, a));
            let parts = [s.not(ab), s.not(ba)];
            s.and(parts)
        },
        2,
    );
    // Neither none nor one nor two: the literal's k+1.
    needs(
        |s| {
            let a = sets(s, &["A"])[0];
            let two = s.card(a, Compare::Equal, 2);
            let at_most = s.card(a, Compare::AtMost, 1);
            let parts = [s.not(two), s.not(at_most)];
            s.and(parts)
        },
        3,
    );
    needs(
        |s| {
            let [a, b, c] = sets(s, &["A", "B", "C"])[..] else { unreachable!() };
            let all = s.disjoint([a, b, c]);
            let empty = s.empty();
            let mut parts: Vec<Formula> = [a, b, c].into_iter().map(|t| s.not_equal(t, empty)).collect();
            parts.push(all);
            s.and(parts)
        },
        3,
    );
}

#[test]
fn models_have_no_membership_to_spare() {
    let mut store = Store::new(Options::default());
    let [a, b, c] = sets(&mut store, &["A", "B", "C"])[..] else { unreachable!() };
    let f = {
        let ab = store.union([a, b]);
        let (some, apart) = (store.card(ab, Compare::AtLeast, 2), store.subset(c, ab));
        store.and([some, apart])
    };
    let Answer::Sat(model) = decide(&mut store, f, &minimal()).answer else { panic!("satisfiable") };
    assert_eq!((model.elements, model.memberships()), (2, 2), "{model:?}");
}

#[test]
fn what_is_too_large_is_unknown() {
    let mut store = Store::new(Options::default());
    let a = sets(&mut store, &["A"])[0];
    let f = store.card(a, Compare::AtLeast, u32::MAX);
    assert!(matches!(decide(&mut store, f, &Limits::default()).answer, Answer::Unknown(_)));
    let f = store.card(a, Compare::Equal, 2_000_000);
    assert!(matches!(decide(&mut store, f, &Limits::default()).answer, Answer::Unknown(_)));
    for count in [100, 1000, 100_000] {
        let f = store.card(a, Compare::Equal, count);
        let Answer::Sat(model) = decide(&mut store, f, &minimal()).answer else { panic!("satisfiable") };
        assert_eq!((model.elements, model.memberships()), (count as usize, count as usize));
    }
}

/// Sums of large sizes: what is left of a set of a thousand, and what two such sets can have in common.
#[test]
fn large_sizes_are_added_up() {
    let mut store = Store::new(Options::default());
    let [a, b, x] = sets(&mut store, &["A", "B", "x"])[..] else { unreachable!() };
    let (rest, both, common) = (store.diff(a, x), store.union([a, b]), store.inter([a, b]));
    let with_x = store.union([b, x]);
    let mut is_possible = |claims: &[(Term, Compare, u32)]| {
        let mut parts: Vec<Formula> = claims.iter().map(|&(t, compare, count)| store.card(t, compare, count)).collect();
        parts.push(store.subset(x, a));
        let f = store.and(parts);
        match decide(&mut store, f, &Limits { certify: true, ..minimal() }).answer {
            Answer::Sat(_) => true,
            Answer::Unsat => false,
            Answer::Unknown(why) => panic!("{why}"),
        }
    };
    let equal = Compare::Equal;
    for (left, expected) in [(999, true), (998, false), (1000, false)] {
        assert_eq!(is_possible(&[(a, equal, 1000), (x, equal, 1), (rest, equal, left)]), expected, "{left}");
    }
    for (shared, expected) in [(499, false), (500, true), (501, false)] {
        let claims = [(a, equal, 1000), (b, equal, 700), (both, equal, 1200), (common, equal, shared)];
        assert_eq!(is_possible(&claims), expected, "{shared}");
    }
    // An element moves from one to the other: a minute, when elements might be anywhere.
    for (grown, expected) in [(500, true), (501, true), (502, false)] {
        let claims = [(a, equal, 1000), (b, equal, 500), (x, equal, 1), (rest, equal, 999), (with_x, equal, grown)];
        assert_eq!(is_possible(&claims), expected, "{grown}");
    }
    assert!(!is_possible(&[(a, Compare::AtMost, 300), (b, Compare::AtMost, 200), (both, Compare::AtLeast, 501)]));
    assert!(is_possible(&[(a, Compare::AtMost, 300), (b, Compare::AtMost, 200), (both, Compare::AtLeast, 500)]));
}

#[test]
fn deep_formulas_do_not_end_the_process() {
    let mut store = Store::new(Options::default());
    let [a, b] = sets(&mut store, &["A", "B"])[..] else { unreachable!() };
    let mut f = store.equal(a, b);
    for i in 0..20_000 {
        let p = store.variable(&format!("p{}", i % 7), Sort::Bool);
        let p = store.boolean(p);
        let atom = store.subset(a, b);
        f = if i % 2 == 0 { store.or([f, p]) } else { store.implies(f, atom) };
        if i % 1000 == 0 {
            let x = store.variable("A", Sort::Set);
            f = store.exists(&[x], f);
        }
    }
    let f = store.simplify(f);
    let decision = decide(&mut store, f, &Limits::default());
    assert!(matches!(decision.answer, Answer::Sat(_) | Answer::Unsat | Answer::Unknown(_)));
    assert!(!store.show(f).is_empty() && !sets::mona::text(&store, f).is_empty());
    assert_ne!(evaluate(&store, f, &Model::new(0)), Some(false));
}

/// Whenever it comes, in simplification or in a decision: a stop leaves no answer, or the right one.
#[test]
fn a_stop_changes_no_answer() {
    let shape = Shape { sets: 3, bools: 2, depth: 6, set_quantifiers: 2, bool_quantifiers: 2, ..PLAIN };
    let run = |choices: &[u32], stop: &Stop| {
        let mut store = Store::new(Options::default());
        store.heed(stop);
        let f = chosen_formula(&mut store, choices, shape);
        let simple = store.simplify(f);
        decide(&mut store, simple, &Limits { stop: stop.clone(), ..Limits::default() }).answer
    };
    for_all(400, |choices| {
        let time = choices.last().map_or(0, |number| number % 800);
        let cut = run(choices, &Stop::after(Duration::from_micros(time.into())));
        match (&cut, run(choices, &Stop::default())) {
            (Answer::Unknown(why), _) => assert_eq!(why, "the time limit was reached"),
            (Answer::Unsat, Answer::Unsat) | (Answer::Sat(_), Answer::Sat(_)) => {}
            (_, free) => panic!("{cut:?}, but {free:?}"),
        }
    });
    let stop = Stop::default();
    stop.raise(Cause::Memory);
    assert_eq!(run(&[7, 7, 7], &stop), Answer::Unknown("the memory limit was reached".into()));
}
