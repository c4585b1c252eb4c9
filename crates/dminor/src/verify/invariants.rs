//! Loop invariants that are not written (docs/dminor.md, "Loop invariants"): many are guessed, those that do not hold at first or are not kept
//! are dropped, until the rest keep each other (Houdini).

use super::condition::{Condition, Kind};
use super::guess::{Guess, Keep};
use super::term::*;
use super::walk::Walker;
use crate::program::*;
use smt::term::Op as Operator;

const COMPARED: [Operator; 3] = [Operator::Equal, Operator::AtMost, Operator::AtLeast];

/// What may be kept of a value that begins with one of the sort.
fn of_sort(sort: Option<Sort>) -> Vec<Guess> {
    let mut all: Vec<Guess> = sort.map(Guess::Sort).into_iter().collect();
    match sort {
        Some(Sort::Int) => {
            all.extend([Guess::AtLeastInitial, Guess::AtMostInitial, Guess::NotNegative]);
            all.extend(COMPARED.map(Guess::Counts));
        }
        Some(Sort::Coll) => {
            all.extend(COMPARED.map(Guess::Sizes));
            all.push(Guess::MembersFrom);
        }
        _ => {}
    }
    all
}

impl Walker<'_, '_> {
    fn candidates(&mut self, keep: &Keep) -> Vec<Guess> {
        let sort = keep.initial.sort();
        let mut all = of_sort(sort);
        if sort != Some(Sort::Coll) {
            all.push(Guess::OneOf);
        }
        if let ExprKind::Entity(fields) = &keep.accumulate.initial.kind {
            let mut collections = Vec::new();
            for (label, part) in fields {
                let sort = self.logic.result(part, keep.env).val.sort();
                all.extend(of_sort(sort).into_iter().map(|guess| Guess::Field(label.clone(), Box::new(guess))));
                collections.extend((sort == Some(Sort::Coll)).then(|| label.clone()));
            }
            all.extend((collections.len() > 1).then_some(Guess::SizesTogether(collections)));
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
            Guess::Field(label, guess) => {
                let label = self.logic.label(label);
                let field = |val: Val| t.dot(val.payload(Sort::Ent, t), label);
                let is_there = t.and([current.is(Sort::Ent, t), t.has(current.payload(Sort::Ent, t), label)]);
                let (keep, current) = (Keep { initial: Val::Any(field(initial)), ..*keep }, Val::Any(field(current)));
                let said = self.guessed(guess, &keep, current, rest);
                t.and([is_there, said])
            }
            Guess::SizesTogether(labels) => {
                let mut size = |val: Val| {
                    let fields = labels.iter().map(|label| t.dot(val.payload(Sort::Ent, t), self.logic.label(label)));
                    let sizes: Vec<Term> = fields.map(|field| t.card(coll(Val::Any(field)))).collect();
                    t.op(Operator::Add, &sizes)
                };
                let (now, first) = (size(current), size(initial));
                t.eq(sum(now, t.card(rest)), sum(first, t.card(bag)))
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
