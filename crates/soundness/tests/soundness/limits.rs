//! A limit ends a decision wherever it is, and never with a verdict that rests on what was cut.

use crate::{ARITH, IMP, REFS, STLC, SUB, languages, with_bounds};
use lang::enumerate::Enumerator;
use lang::interp::{Fault, Interp, Reading};
use lang::{Check, Lang};
use soundness::{Said, Ways, decide};
use std::time::Duration;
use work::{Cause, Stop, on_large_stack};

fn decided(language: &Lang, check: &Check, stop: &Stop) -> Said {
    on_large_stack(|| {
        let interp = Interp::new(language, Some(check), Reading::Plain).expect("an interpreter");
        let mut ways = Ways { stop: stop.clone(), ..Ways::default() };
        ways.encoding.limits.stop = stop.clone();
        match decide(&mut Enumerator::new(interp, Some(check)), check, &ways) {
            Ok(decision) => decision.said,
            Err(Fault::Stopped) => Said::Stopped { below: None },
            Err(fault) => panic!("{}: {fault:?}", check.name),
        }
    })
}

/// Each of these takes minutes; where they are when the time is over differs: tables of subtypes, formulas, clauses, a solver, maps.
#[test]
fn a_limit_is_kept_wherever_it_is_reached() {
    for (text, name, bounds) in [
        (SUB, "preservation", "t: 60 nodes, T: depth 4"),
        (STLC, "preservation", "t: 300 nodes, T: depth 4"),
        (STLC, "progress", "t: 2000 nodes, T: depth 4"),
        (IMP, "preservation", "e: 400 nodes"),
        (REFS, "preservation", "t: 60 nodes, T: size 7"),
    ] {
        let language = &languages(text)[0];
        let check = with_bounds(language, name, bounds);
        let said = decided(language, &check, &Stop::after(Duration::from_millis(150)));
        assert!(matches!(said, Said::Stopped { .. }), "{} {name}: {said:?}", language.name);
    }
}

#[test]
fn a_stop_changes_no_verdict() {
    let same = |a: &Said, b: &Said| match (a, b) {
        (Said::Fails { size: a, .. }, Said::Fails { size: b, .. }) => a == b,
        (Said::Holds, Said::Holds) => true,
        _ => false,
    };
    for text in [ARITH, STLC, SUB] {
        for language in languages(text).iter().take(3) {
            for check in &language.checks {
                let free = decided(language, check, &Stop::default());
                let mut time = Duration::from_micros(200);
                loop {
                    let said = decided(language, check, &Stop::after(time));
                    if same(&said, &free) {
                        break;
                    }
                    assert!(matches!(said, Said::Stopped { .. }), "{} {}: {said:?}", language.name, check.name);
                    time *= 3;
                }
                let stop = Stop::default();
                stop.raise(Cause::Memory);
                assert!(matches!(decided(language, check, &stop), Said::Stopped { .. }), "{}", check.name);
            }
        }
    }
}
