//! Alternating quantifiers: elimination on regions, going through subsets, and MONA say the same.

use crate::formulas::{Shape, chosen_formula, models};
use sets::{Answer, Compare, Formula, Limits, Method, Options, Sort, Store, decide, evaluate, mona};
use std::cell::Cell;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use test_kit::choices::for_all;

const ALTERNATING: Shape = Shape { sets: 3, bools: 1, depth: 4, count: 1, set_quantifiers: 3, bool_quantifiers: 1 };

fn has_mona() -> bool {
    let is_missing = Command::new("mona").output().is_err();
    if is_missing {
        assert!(std::env::var_os("CI").is_none(), "mona is missing, and CI may not do without");
        eprintln!("skipped: mona is not installed");
    }
    !is_missing
}

fn is_sat(store: &Store, f: Formula, answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Sat(model) => {
            assert_ne!(evaluate(store, f, model), Some(false), "{}: {model:?}", store.show(f));
            Some(true)
        }
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// Whether there is a model with so many elements; `None` if that could not be found out.
fn has_model(store: &Store, f: Formula, most: usize) -> Option<bool> {
    let mut unknown = false;
    for elements in 0..=most {
        for model in models(store, store.free(f), elements) {
            match evaluate(store, f, &model) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => unknown = true,
            }
        }
    }
    (!unknown).then_some(false)
}

#[test]
fn elimination_agrees_with_all_models() {
    let [eliminated, compared, unsat] = [(); 3].map(|()| Cell::new(0));
    for_all(3000, |choices| {
        let mut store = Store::new(Options::default());
        let f = chosen_formula(&mut store, choices, ALTERNATING);
        let decision = decide(&mut store, f, &Limits { certify: true, ..Limits::default() });
        if decision.method != Method::Regions {
            return;
        }
        eliminated.update(|n| n + 1);
        let sat = is_sat(&store, f, &decision.answer).unwrap_or_else(|| panic!("{}: {decision:?}", store.show(f)));
        unsat.update(|n| n + u32::from(!sat));
        // A model may need more elements than are tried here: then only one direction is checked.
        if let Some(found) = has_model(&store, f, 2) {
            compared.update(|n| n + 1);
            assert!(sat || !found, "{} has a model", store.show(f));
            assert!(!sat || found || decision.elements > 2, "{} has no small model", store.show(f));
        }
    });
    let [eliminated, compared, unsat] = [eliminated, compared, unsat].map(Cell::into_inner);
    assert!(eliminated > 400 && compared > 400 && unsat > 100, "{eliminated} {compared} {unsat}");
}

#[test]
fn every_procedure_agrees_with_mona() {
    if !has_mona() {
        return;
    }
    let compared = Cell::new(0);
    for_all(600, |choices| {
        let shape = Shape { count: 2, ..ALTERNATING };
        let mut store =
            Store::new(if choices.len().is_multiple_of(3) { Options::all(false) } else { Options::default() });
        let f = chosen_formula(&mut store, choices, shape);
        let ours = decide(&mut store, f, &Limits { certify: true, ..Limits::default() });
        let theirs = mona::decide(Path::new("mona"), &store, f, &work::Stop::after(Duration::from_secs(20)));
        let text = store.show(f);
        let theirs = is_sat(&store, f, &theirs).unwrap_or_else(|| panic!("{text}: {theirs:?}"));
        if let Some(ours) = is_sat(&store, f, &ours.answer) {
            compared.update(|n| n + 1);
            assert_eq!(ours, theirs, "{text}");
        }
    });
    assert!(compared.get() > 550, "{compared:?}");
}

/// `B = C - B` holds of empty sets alone; written as it is, MONA says that it holds whenever B is empty.
#[test]
fn mona_is_asked_about_differences_in_words_that_it_understands() {
    if !has_mona() {
        return;
    }
    for is_reversed in [false, true] {
        let mut store = Store::new(Options::all(false));
        let [b, c] = ["B", "C"].map(|name| store.variable(name, Sort::Set)).map(|var| store.set(var));
        let (difference, empty) = (store.diff(c, b), store.empty());
        let equal = if is_reversed { store.equal(difference, b) } else { store.equal(b, difference) };
        let (differ, is_empty) = (store.not(equal), store.equal(b, empty));
        let f = store.and([differ, is_empty]);
        let answer = mona::decide(Path::new("mona"), &store, f, &work::Stop::default());
        assert_eq!(is_sat(&store, f, &answer), Some(true), "{answer:?}");
    }
}

/// The last 22 numbers before one: MONA goes through all sets of them.
#[test]
fn monas_time_is_limited_and_counted() {
    if !has_mona() {
        return;
    }
    let ask = |text: &str, left: &mut Duration| {
        mona::satisfiable(Path::new("mona"), text, &work::Stop::default(), left).map_err(|_| ())
    };
    let (easy, hard) = ("ws1s; var2 X; ex1 p: p in X;", "ws1s; var2 X; var1 e; ~(ex1 p: p in X & p + 22 = e);");
    let mut left = Duration::from_secs(60);
    assert_eq!(ask(easy, &mut left), Ok(true));
    let before = Duration::from_millis(200).min(left);
    left = before;
    assert_eq!((ask(hard, &mut left), left), (Err(()), Duration::ZERO));
    assert_eq!(ask(easy, &mut left), Err(()), "there is nothing left");
}

/// A universal set among more sets than are gone through: refused, and left to MONA if there is one.
#[test]
fn what_is_too_much_is_left_to_mona() {
    let mut store = Store::new(Options::default());
    let x = store.variable("x", Sort::Set);
    let set = store.set(x);
    let empty = store.empty();
    let mut term = set;
    for i in 0..14 {
        let other = store.variable(&format!("A{i}"), Sort::Set);
        let other = store.set(other);
        term = match i % 2 {
            0 => store.diff(term, other),
            _ => {
                let both = store.inter([set, other]);
                store.union([term, both])
            }
        };
    }
    // An element of x that is in no other set is in the term.
    let none = store.equal(term, empty);
    let f = store.forall(&[x], none);
    let decision = decide(&mut store, f, &Limits::default());
    assert!(matches!(decision.answer, Answer::Unknown(_)), "{decision:?}");
    if has_mona() {
        let limits = Limits { mona: Some("mona".into()), ..Limits::default() };
        let decision = decide(&mut store, f, &limits);
        assert_eq!((decision.answer, decision.method), (Answer::Unsat, Method::Mona));
    }
    let limits = Limits { mona: Some("no-such-program".into()), ..Limits::default() };
    assert!(matches!(decide(&mut store, f, &limits).answer, Answer::Unknown(_)));
}

/// Each true in the infinite universe, and each needing elements that no free set has.
#[test]
fn there_is_always_a_fresh_element() {
    let mut store = Store::new(Options::default());
    let [a, x, y] = ["A", "x", "y"].map(|name| store.variable(name, Sort::Set));
    let [ta, tx, ty] = [a, x, y].map(|var| store.set(var));
    let one = store.card(tx, Compare::Equal, 1);
    let outside = store.disjoint([ta, tx]);
    let both = store.and([one, outside]);
    let some = store.exists(&[x], both);
    let for_all = store.forall(&[a], some);
    let larger = {
        let (up, same) = (store.subset(tx, ty), store.equal(tx, ty));
        let proper = store.not(same);
        let proper = store.and([up, proper]);
        let some = store.exists(&[y], proper);
        store.forall(&[x], some)
    };
    for f in [for_all, larger] {
        assert!(matches!(decide(&mut store, f, &Limits::default()).answer, Answer::Sat(_)), "{}", store.show(f));
        let not = store.not(f);
        assert_eq!(decide(&mut store, not, &Limits::default()).answer, Answer::Unsat, "{}", store.show(not));
        assert_eq!(evaluate(&store, f, &sets::Model::new(0)), Some(true));
    }
}
