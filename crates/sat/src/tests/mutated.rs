//! Real proofs of CaDiCaL, recorded and damaged at random: whatever the checker still accepts is implied.

use std::cell::RefCell;
use std::rc::Rc;

use cadical_sys::ProofTracer;

use super::{Random, lits};
use crate::cadical::{Cadical, Preset};
use crate::lrat::Checker;
use crate::solver::Solver;

#[derive(Clone)]
enum Event {
    Original(i64, Vec<i32>),
    Derived(i64, Vec<i32>, Vec<i64>),
    Deleted(i64),
}

#[derive(Default)]
struct Recorder(Vec<Event>);

impl ProofTracer for Recorder {
    fn add_original_clause(&mut self, id: i64, _: bool, clause: &[i32], _: bool) {
        self.0.push(Event::Original(id, clause.to_vec()));
    }
    fn add_derived_clause(&mut self, id: i64, _: bool, _: i32, clause: &[i32], antecedents: &[i64]) {
        self.0.push(Event::Derived(id, clause.to_vec(), antecedents.to_vec()));
    }
    fn delete_clause(&mut self, id: i64, _: bool, _: &[i32]) {
        self.0.push(Event::Deleted(id));
    }
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}

const VARS: u32 = 10;

fn record(random: &mut Random) -> Vec<Event> {
    let recorder = Rc::new(RefCell::new(Recorder::default()));
    let mut solver = Cadical::new(Preset::Check);
    solver.trace(Rc::clone(&recorder));
    for _ in 0..36 + random.below(20) {
        solver.add_clause(&lits(&random.clause(VARS, 3)));
    }
    solver.solve();
    recorder.take().0
}

fn satisfies(assignment: u32, clause: &[i32]) -> bool {
    clause.iter().any(|lit| (assignment >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0))
}

/// Whether the checker accepts every event. Checks of each accepted clause that it holds in all models.
fn replay(events: &[Event], label: &str) -> bool {
    let mut checker = Checker::new();
    let mut models: Vec<u32> = (0..1 << VARS).collect();
    events.iter().all(|event| match event {
        Event::Original(id, clause) => {
            models.retain(|&assignment| satisfies(assignment, clause));
            checker.add_original(*id, clause).is_ok()
        }
        Event::Derived(id, clause, antecedents) => {
            let accepted = checker.add_derived(*id, clause, antecedents).is_ok();
            assert!(!accepted || models.iter().all(|&model| satisfies(model, clause)), "{label}: {clause:?} accepted");
            accepted
        }
        Event::Deleted(id) => checker.delete(*id).is_ok(),
    })
}

fn damage(events: &mut [Event], random: &mut Random) {
    let derived: Vec<usize> = (0..events.len()).filter(|&at| matches!(events[at], Event::Derived(..))).collect();
    let at = derived[random.below(derived.len() as u32) as usize];
    let Event::Derived(id, clause, antecedents) = &mut events[at] else { return };
    let hint = random.below(antecedents.len() as u32) as usize;
    match random.below(5) {
        0 => {
            antecedents.remove(hint);
        }
        1 => antecedents[hint] = 1 + i64::from(random.below(*id as u32)),
        2 => antecedents.reverse(),
        3 if !clause.is_empty() => {
            clause.swap_remove(random.below(clause.len() as u32) as usize);
        }
        _ => clause.iter_mut().take(1).for_each(|lit| *lit = -*lit),
    }
}

#[test]
fn damaged_proofs_never_prove_what_does_not_follow() {
    let mut rejected = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let events = record(&mut random);
        assert!(replay(&events, &format!("seed {seed}")), "seed {seed}: the true proof is rejected");
        if !events.iter().any(|event| matches!(event, Event::Derived(..))) {
            continue;
        }
        for round in 0..40 {
            let mut damaged = events.clone();
            damage(&mut damaged, &mut random);
            rejected += u32::from(!replay(&damaged, &format!("seed {seed}, damage {round}")));
        }
    }
    assert!(rejected > 8000, "only {rejected} damaged proofs were rejected");
}
