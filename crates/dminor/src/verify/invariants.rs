//! Loop invariants that are not written (docs/dminor.md, "Loop invariants"): many are guessed, those that do not hold at first or are not kept
//! are dropped, until the rest keep each other (Houdini).

use super::condition::{Condition, Kind};
use super::guess::{Guess, Keep};
use super::term::*;
use super::walk::Walker;
use crate::program::*;
use smt::term::Op as Operator;

impl Walker<'_, '_> {
    fn candidates(&self, keep: &Keep) -> Vec<Guess> {
        let mut all = Vec::new();
        let sort = keep.initial.sort();
        all.extend(sort.map(Guess::Sort));
        match sort {
            Some(Sort::Int) => all.extend([
                Guess::AtLeastInitial,
                Guess::AtMostInitial,
                Guess::NotNegative,
                Guess::Counts(Operator::Equal),
                Guess::Counts(Operator::AtMost),
                Guess::OneOf,
            ]),
            Some(Sort::Coll) => {
                all.extend([Guess::Sizes(Operator::Equal), Guess::Sizes(Operator::AtMost), Guess::MembersFrom])
            }
            _ => all.push(Guess::OneOf),
        }
        if let Some((ty, _)) = self.promised() {
            let mut ty = ty;
            loop {
                all.push(Guess::InType(ty.clone()));
                match &ty.kind {
                    TypeKind::Refinement(_, base, _) => ty = base,
                    _ => break,
                }
            }
        }
        all
    }

    /// What a guess says of an accumulator and the members to come. Payloads mean something only if the sort is right, which is a guess of
    /// its own.
    pub(super) fn guessed(&mut self, guess: &Guess, keep: &Keep, current: Val, rest: Term) -> Formula {
        let t = self.logic.terms;
        let (bag, initial) = (keep.bag, keep.initial);
        let int = |val: Val| val.payload(Sort::Int, t);
        let coll = |val: Val| val.payload(Sort::Coll, t);
        let sum = |a, b| t.op(Operator::Add, &[a, b]);
        match guess {
            Guess::Sort(sort) => current.is(*sort, t),
            Guess::AtLeastInitial => t.op(Operator::AtLeast, &[int(current), int(initial)]),
            Guess::AtMostInitial => t.op(Operator::AtMost, &[int(current), int(initial)]),
            Guess::NotNegative => t.op(Operator::AtLeast, &[int(current), t.number(0)]),
            Guess::Counts(compare) => {
                t.op(*compare, &[sum(int(current), t.card(rest)), sum(int(initial), t.card(bag))])
            }
            Guess::Sizes(compare) => {
                let (now, first) = (t.card(coll(current)), t.card(coll(initial)));
                t.op(*compare, &[sum(now, t.card(rest)), sum(first, t.card(bag))])
            }
            Guess::MembersFrom => {
                let first = coll(initial);
                let from = |m: Term| t.or([t.mem(m, bag), t.mem(m, first)]);
                self.logic.all_members(coll(current), |_, m| from(m.term(t)))
            }
            Guess::OneOf => t.or([current.equals(initial, t), t.mem(current.term(t), bag)]),
            Guess::InType(ty) => {
                let env = self.promised().map(|(_, env)| env.clone()).unwrap_or_default();
                self.logic.is_in(ty, current, &env)
            }
        }
    }

    /// The guesses that hold before the loop and are kept by a round.
    pub(super) fn invariants(&mut self, keep: &Keep) -> Vec<Guess> {
        let span = keep.accumulate.body.span;
        // Each with the proof that it holds before the loop.
        let mut guesses: Vec<(Guess, Condition)> = Vec::new();
        for guess in self.candidates(keep) {
            let at_first = self.guessed(&guess, keep, keep.initial, keep.bag);
            guesses.extend(self.follows(Kind::Guessed, span, at_first).map(|proof| (guess, proof)));
        }
        let (facts, conditions, relied) = (self.facts.len(), self.conditions.len(), self.relied.len());
        while !guesses.is_empty() {
            self.relied.truncate(relied);
            let all: Vec<Guess> = guesses.iter().map(|(guess, _)| guess.clone()).collect();
            let (result, rest) = self.round(keep, &all);
            let after: Vec<Formula> = all.iter().map(|g| self.guessed(g, keep, result, rest)).collect();
            let together = self.follows(Kind::Guessed, span, self.logic.terms.and(after.iter().copied()));
            let kept: Vec<Option<Condition>> = match together {
                Some(proof) => vec![Some(proof); 1],
                None => after.iter().map(|f| self.follows(Kind::Guessed, span, *f)).collect(),
            };
            self.facts.truncate(facts);
            self.conditions.truncate(conditions);
            if kept.iter().all(Option::is_some) {
                // What inner loops rely on in this round stays in the list.
                self.relied.extend(kept.into_iter().flatten());
                break;
            }
            let mut kept = kept.into_iter();
            guesses.retain(|_| kept.next().flatten().is_some());
        }
        if guesses.is_empty() {
            self.relied.truncate(relied);
        }
        let (guesses, at_first): (Vec<Guess>, Vec<Condition>) = guesses.into_iter().unzip();
        self.relied.extend(at_first);
        guesses
    }
}
