//! Unit propagation over the checker's clauses, to ask whether a clause follows without any hint.
//!
//! In: the clauses a [`Checker`] holds now. Out: whether assuming a clause's negation gives a conflict by unit
//! propagation alone. `true` implies that the clause follows; `false` says nothing.
//!
//! Two watched literals per clause. Invariant between questions: nothing but the units' consequences is assigned, and
//! a watched literal that is false is in a clause whose other watch is true by those consequences.

use crate::lrat::{Checker, code};

pub struct Propagator<'a> {
    clauses: Vec<Clause<'a>>,
    /// Clauses that watch a literal, by the literal's code.
    watches: Vec<Vec<u32>>,
    truth: Vec<bool>,
    trail: Vec<u32>,
    /// First trail entry whose watchers were not visited.
    next: usize,
    /// The clauses are contradictory by propagation alone.
    conflict: bool,
}

struct Clause<'a> {
    literals: &'a [u32],
    watched: [u32; 2],
}

impl<'a> Propagator<'a> {
    pub fn new(checker: &'a Checker) -> Propagator<'a> {
        let codes = checker.clauses().flatten().copied().max().map_or(0, |lit| (lit | 1) as usize + 1);
        let mut propagator = Propagator {
            clauses: Vec::with_capacity(checker.live()),
            watches: vec![Vec::new(); codes],
            truth: vec![false; codes],
            trail: Vec::new(),
            next: 0,
            conflict: false,
        };
        for literals in checker.clauses() {
            match *literals {
                [] => propagator.conflict = true,
                [unit] => propagator.conflict |= !propagator.assign(unit),
                [first, ..] => {
                    // A repeated literal must not hold both watches.
                    let Some(&second) = literals.iter().find(|&&lit| lit != first) else {
                        propagator.conflict |= !propagator.assign(first);
                        continue;
                    };
                    let index = propagator.clauses.len() as u32;
                    propagator.clauses.push(Clause { literals, watched: [first, second] });
                    propagator.watches[first as usize].push(index);
                    propagator.watches[second as usize].push(index);
                }
            }
        }
        propagator.conflict = propagator.conflict || !propagator.propagate();
        propagator
    }

    pub fn implies(&mut self, clause: &[i32]) -> bool {
        if self.conflict {
            return true;
        }
        let level = self.trail.len();
        let mut conflict = false;
        for &lit in clause {
            let negation = code(lit) ^ 1;
            let room = (negation | 1) as usize + 1;
            if self.truth.len() < room {
                self.truth.resize(room, false);
                self.watches.resize(room, Vec::new());
            }
            conflict |= !self.assign(negation);
        }
        conflict = conflict || !self.propagate();
        for lit in self.trail.drain(level..) {
            self.truth[lit as usize] = false;
        }
        self.next = level;
        conflict
    }

    /// `false` if the literal is false already.
    fn assign(&mut self, lit: u32) -> bool {
        if self.truth[(lit ^ 1) as usize] {
            return false;
        }
        if !self.truth[lit as usize] {
            self.truth[lit as usize] = true;
            self.trail.push(lit);
        }
        true
    }

    /// `false` on a conflict.
    fn propagate(&mut self) -> bool {
        while let Some(&lit) = self.trail.get(self.next) {
            self.next += 1;
            let falsified = lit ^ 1;
            let mut kept = 0;
            let mut conflict = false;
            let mut watchers = std::mem::take(&mut self.watches[falsified as usize]);
            for at in 0..watchers.len() {
                let index = watchers[at];
                if conflict || !self.move_watch(index, falsified) {
                    watchers[kept] = index;
                    kept += 1;
                    let [first, second] = self.clauses[index as usize].watched;
                    let other = if first == falsified { second } else { first };
                    conflict = conflict || !self.assign(other);
                }
            }
            watchers.truncate(kept);
            self.watches[falsified as usize] = watchers;
            if conflict {
                return false;
            }
        }
        true
    }

    /// Watches another literal of the clause instead of the falsified one, if there is one that is not false.
    fn move_watch(&mut self, index: u32, falsified: u32) -> bool {
        let clause = &mut self.clauses[index as usize];
        let slot = usize::from(clause.watched[0] != falsified);
        let other = clause.watched[1 - slot];
        if self.truth[other as usize] {
            return false;
        }
        let free = |&&lit: &&u32| lit != other && lit != falsified && !self.truth[(lit ^ 1) as usize];
        let Some(&replacement) = clause.literals.iter().find(free) else { return false };
        clause.watched[slot] = replacement;
        self.watches[replacement as usize].push(index);
        true
    }
}

impl Checker {
    /// Whether unit propagation over all present clauses, without hints, refutes the negation of the clause. Linear in
    /// all clauses; for several questions make one [`Propagator`].
    pub fn rup(&self, clause: &[i32]) -> bool {
        Propagator::new(self).implies(clause)
    }
}
