//! A small SAT solver for small instances: clause learning, two watched literals, move-to-front, restarts, and nothing else.
//!
//! Why: obligations are many and small, and CaDiCaL takes 0.1 ms to start and about 2 µs to take a clause; most obligations are over in
//! less. What is not over after some conflicts is left to CaDiCaL. Models are replayed by whoever asks; an `Unsat` that is to be
//! certified is proved again by `sat::Certified`.
//!
//! Invariants: the first two literals of a clause are watched; if one is false, the other is true or the clause is in the queue. A literal
//! is `2 * variable + is_negated`; a clause is the place of its length in the arena, which is followed by where the last literal to watch was
//! found: the next is looked for from there on, round and round. From the start each time, a clause that loses its literals one after the
//! other takes the square of its length (the ways through 2,000 branches: a minute).

use super::cnf::Cnf;
use sat::SatLit;
use work::{Clock, Stop};

pub(crate) enum Outcome {
    /// Values by variable, from 1 on; the first is not used.
    Sat(Vec<bool>),
    Unsat,
    GaveUp,
}

pub(crate) struct Effort {
    pub(crate) outcome: Outcome,
    pub(crate) conflicts: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Lit(u32);

impl Lit {
    fn of(lit: SatLit) -> Lit {
        Lit(lit.variable() * 2 + u32::from(lit.is_negated()))
    }

    fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn index(self) -> usize {
        self.0 as usize
    }

    fn negated(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Another literal of the clause: if it is true there is nothing to do.
    blocker: Lit,
}

const UNASSIGNED: u8 = 2;
const NO_CLAUSE: u32 = u32::MAX;
const RESTART: u64 = 64;

pub(crate) struct Quick {
    arena: Vec<Lit>,
    watches: Vec<Vec<Watch>>,
    /// By variable: 0 false, 1 true.
    values: Vec<u8>,
    phases: Vec<u8>,
    levels: Vec<u32>,
    reasons: Vec<u32>,
    trail: Vec<Lit>,
    propagated: usize,
    /// Where each decision is on the trail.
    decisions: Vec<usize>,
    order: Order,
    seen: Vec<bool>,
    clock: Clock,
}

/// Variables in a list, those of the last conflict at its end, where decisions are taken from. 0 is not a variable.
struct Order {
    before: Vec<u32>,
    after: Vec<u32>,
    last: u32,
    /// Larger, the closer to the end.
    stamps: Vec<u64>,
    stamp: u64,
    /// All variables after this one have values.
    next: u32,
}

impl Order {
    /// The last variable at the end: the conjunct with the most to choose from is written last (`lazily`), and its disjuncts should not
    /// wait for all other decisions each time one of them is refuted.
    fn new(vars: u32) -> Order {
        Order {
            before: (0..=vars).map(|var| var.saturating_sub(1)).collect(),
            after: (0..=vars).map(|var| if var == vars { 0 } else { var + 1 }).collect(),
            last: vars,
            stamps: (0..=vars).map(u64::from).collect(),
            stamp: u64::from(vars),
            next: vars,
        }
    }

    fn move_to_end(&mut self, var: u32) {
        if self.last == var {
            return;
        }
        let (before, after) = (self.before[var as usize], self.after[var as usize]);
        if before != 0 {
            self.after[before as usize] = after;
        }
        // It is not the last, so there is one after it.
        self.before[after as usize] = before;
        if self.next == var {
            self.next = after;
        }
        self.after[self.last as usize] = var;
        self.before[var as usize] = self.last;
        self.after[var as usize] = 0;
        self.last = var;
        self.stamp += 1;
        self.stamps[var as usize] = self.stamp;
    }

    /// A variable that lost its value.
    fn reopen(&mut self, var: usize) {
        if self.stamps[var] > self.stamps[self.next as usize] || self.next == 0 {
            self.next = var as u32;
        }
    }
}

/// Gives up after so many conflicts, and when it is time to stop.
pub(crate) fn solve(cnf: &Cnf, most_conflicts: u64, stop: &Stop) -> Effort {
    match Quick::new(cnf, stop) {
        Some(mut quick) => quick.search(most_conflicts),
        None => Effort { outcome: Outcome::Unsat, conflicts: 0 },
    }
}

impl Quick {
    /// None: no model satisfies the clauses.
    pub(crate) fn new(cnf: &Cnf, stop: &Stop) -> Option<Quick> {
        let vars = cnf.vars() as usize + 1;
        let mut quick = Quick {
            arena: Vec::new(),
            watches: vec![Vec::new(); 2 * vars],
            values: vec![UNASSIGNED; vars],
            phases: std::iter::once(0).chain(cnf.first().iter().map(|&first| u8::from(first))).collect(),
            levels: vec![0; vars],
            reasons: vec![NO_CLAUSE; vars],
            trail: Vec::with_capacity(vars),
            propagated: 0,
            decisions: Vec::new(),
            order: Order::new(cnf.vars()),
            seen: vec![false; vars],
            clock: Clock::new(stop),
        };
        let mut clause = Vec::new();
        for lits in cnf.clauses() {
            clause.clear();
            clause.extend(lits.iter().map(|&lit| Lit::of(lit)));
            if !quick.add(&clause) {
                return None;
            }
        }
        Some(quick)
    }

    /// One more clause, whose literals are decided before all others, to be true; whether it leaves a chance.
    pub(crate) fn also(&mut self, clause: &[SatLit]) -> bool {
        self.undo_to(0);
        let mut open = Vec::with_capacity(clause.len());
        for &lit in clause {
            self.phases[lit.variable() as usize] = u8::from(!lit.is_negated());
            self.order.move_to_end(lit.variable());
            match self.value(Lit::of(lit)) {
                1 => return true,
                UNASSIGNED => open.push(Lit::of(lit)),
                _ => {}
            }
        }
        self.order.next = self.order.last;
        self.add(&open)
    }

    /// 0 false, 1 true.
    fn value(&self, lit: Lit) -> u8 {
        match self.values[lit.var()] {
            UNASSIGNED => UNASSIGNED,
            value => value ^ (lit.0 & 1) as u8,
        }
    }

    /// A clause of the input; whether it leaves a chance.
    fn add(&mut self, clause: &[Lit]) -> bool {
        match clause {
            [] => false,
            [only] => match self.value(*only) {
                UNASSIGNED => {
                    self.assign(*only, NO_CLAUSE);
                    true
                }
                value => value == 1,
            },
            _ => {
                self.attach(clause);
                true
            }
        }
    }

    fn attach(&mut self, clause: &[Lit]) -> u32 {
        let at = self.arena.len() as u32;
        self.arena.extend([Lit(clause.len() as u32), Lit(0)]);
        self.arena.extend_from_slice(clause);
        self.watches[clause[0].index()].push(Watch { clause: at, blocker: clause[1] });
        self.watches[clause[1].index()].push(Watch { clause: at, blocker: clause[0] });
        at
    }

    fn lits(&self, clause: u32) -> std::ops::Range<usize> {
        let at = clause as usize;
        at + 2..at + 2 + self.arena[at].0 as usize
    }

    fn assign(&mut self, lit: Lit, reason: u32) {
        let var = lit.var();
        self.values[var] = 1 - (lit.0 & 1) as u8;
        self.levels[var] = self.decisions.len() as u32;
        self.reasons[var] = reason;
        self.trail.push(lit);
    }

    /// The clause that is false, if one is.
    fn propagate(&mut self) -> Option<u32> {
        while self.propagated < self.trail.len() {
            let is_false = self.trail[self.propagated].negated();
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[is_false.index()]);
            let (mut read, mut kept) = (0, 0);
            let mut conflict = None;
            self.clock.step(1 + watches.len());
            while read < watches.len() {
                let watch = watches[read];
                read += 1;
                if self.value(watch.blocker) == 1 {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let lits = self.lits(watch.clause);
                let first = lits.start;
                if self.arena[first] == is_false {
                    self.arena.swap(first, first + 1);
                }
                let other = self.arena[first];
                if other != watch.blocker && self.value(other) == 1 {
                    watches[kept] = Watch { blocker: other, ..watch };
                    kept += 1;
                    continue;
                }
                let from = first + 2 + self.arena[first - 1].0 as usize;
                if let Some(at) = (from..lits.end).chain(first + 2..from).find(|&at| self.value(self.arena[at]) != 0) {
                    self.arena[first - 1] = Lit((at - first - 2) as u32);
                    self.arena.swap(first + 1, at);
                    let watched = self.arena[first + 1];
                    self.watches[watched.index()].push(Watch { blocker: other, ..watch });
                    continue;
                }
                watches[kept] = watch;
                kept += 1;
                if self.value(other) == 0 {
                    conflict = Some(watch.clause);
                    break;
                }
                self.assign(other, watch.clause);
            }
            watches.copy_within(read.., kept);
            watches.truncate(kept + watches.len() - read);
            self.watches[is_false.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    fn undo_to(&mut self, level: usize) {
        let Some(&start) = self.decisions.get(level) else { return };
        for lit in self.trail.drain(start..) {
            self.phases[lit.var()] = self.values[lit.var()];
            self.values[lit.var()] = UNASSIGNED;
            self.order.reopen(lit.var());
        }
        self.decisions.truncate(level);
        self.propagated = start;
    }

    /// The clause learned from a conflict (first unique implication point), asserting literal first, and the level to go back to.
    fn analyse(&mut self, conflict: u32) -> (Vec<Lit>, usize) {
        let current = self.decisions.len() as u32;
        let mut learned = vec![Lit(0)];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut reason = conflict;
        let mut touched = Vec::new();
        loop {
            for i in self.lits(reason) {
                let lit = self.arena[i];
                let var = lit.var();
                if self.seen[var] || self.levels[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                touched.push(var);
                if self.levels[var] == current {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].var()] {
                    break;
                }
            }
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                learned[0] = lit.negated();
                break;
            }
            reason = self.reasons[lit.var()];
            // Its own literal is true and would be counted again.
            self.seen[lit.var()] = true;
        }
        touched.sort_unstable_by_key(|&var| self.order.stamps[var]);
        for var in touched {
            self.seen[var] = false;
            self.order.move_to_end(var as u32);
        }
        // The second literal is of the highest level left, so that both watches are right after going back.
        let level = |lit: &Lit| self.levels[lit.var()];
        if let Some(second) = (1..learned.len()).max_by_key(|&i| level(&learned[i])) {
            learned.swap(1, second);
        }
        let back = learned.get(1).map_or(0, level);
        (learned, back as usize)
    }

    pub(crate) fn search(&mut self, most_conflicts: u64) -> Effort {
        let mut conflicts = 0;
        let mut restart_at = RESTART;
        loop {
            if let Some(conflict) = self.propagate() {
                if self.decisions.is_empty() {
                    return Effort { outcome: Outcome::Unsat, conflicts };
                }
                conflicts += 1;
                let (learned, level) = self.analyse(conflict);
                self.undo_to(level);
                let reason = if learned.len() > 1 { self.attach(&learned) } else { NO_CLAUSE };
                self.assign(learned[0], reason);
                continue;
            }
            if conflicts >= most_conflicts || self.clock.step(1) {
                return Effort { outcome: Outcome::GaveUp, conflicts };
            }
            if conflicts >= restart_at {
                restart_at = conflicts + RESTART;
                self.undo_to(0);
                continue;
            }
            while self.order.next != 0 && self.values[self.order.next as usize] != UNASSIGNED {
                self.order.next = self.order.before[self.order.next as usize];
            }
            let var = self.order.next;
            if var == 0 {
                let values = self.values.iter().map(|&value| value == 1).collect();
                return Effort { outcome: Outcome::Sat(values), conflicts };
            }
            self.decisions.push(self.trail.len());
            self.assign(Lit(var * 2 + u32::from(self.phases[var as usize] != 1)), NO_CLAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sat::{Answer, Cadical, Preset, Solver};

    /// Random clauses of three literals, about as many as make both answers likely.
    #[test]
    fn agrees_with_cadical() {
        let mut chance = work::Chance::new(1);
        let mut below = |limit: u32| chance.below(limit as usize) as u32;
        let mut answers = [0; 2];
        for round in 0..600u32 {
            let vars = 5 + round % 40;
            let mut cnf = Cnf::default();
            let names: Vec<SatLit> = (0..vars).map(|var| cnf.new_var(var % 2 == 0)).collect();
            for _ in 0..vars * 43 / 10 {
                let mut lit = || names[below(vars) as usize].flip(below(2) == 1);
                let clause: Vec<SatLit> = if round % 7 == 0 { vec![lit(), lit()] } else { vec![lit(), lit(), lit()] };
                cnf.add_clause(clause);
            }
            let mut cadical = Cadical::new(Preset::Check);
            cnf.load(&mut cadical, &Stop::default());
            let expected = cadical.solve();
            match solve(&cnf, u64::MAX, &Stop::default()).outcome {
                Outcome::Sat(values) => {
                    assert_eq!(expected, Answer::Sat, "round {round}");
                    let holds = |lit: &SatLit| values[lit.variable() as usize] != lit.is_negated();
                    assert!(cnf.clauses().all(|clause| clause.iter().any(holds)), "round {round}: no model");
                    answers[1] += 1;
                }
                Outcome::Unsat => {
                    assert_eq!(expected, Answer::Unsat, "round {round}");
                    answers[0] += 1;
                }
                Outcome::GaveUp => panic!("without a limit"),
            }
        }
        assert!(answers[0] > 100 && answers[1] > 100, "{answers:?}");
    }
}
