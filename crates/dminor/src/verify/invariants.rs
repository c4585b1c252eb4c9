//! Loop invariants that nobody wrote (DMINOR.md, 7.5): many are guessed, those that do not hold at first or are not kept are dropped, until
//! the rest keep each other (Houdini).

use super::loops::Keep;
use super::term::*;
use super::walk::{Condition, Kind, Walker};
use crate::program::*;

#[derive(Clone, Debug)]
pub enum Guess {
    /// The sort stays.
    Sort(Sort),
    AtLeastInitial,
    AtMostInitial,
    NotNegative,
    /// `y + rest.Count == init + c.Count`, or `<=`
    Counts(&'static str),
    /// `y.Count + rest.Count == init.Count + c.Count`, or `<=`
    Sizes(&'static str),
    /// Every member was one of the source, or of the initial collection.
    MembersFrom,
    /// It is a member of the source, or the initial value.
    OneOf,
    /// It is in this type.
    InType(Type),
}

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
                Guess::Counts("="),
                Guess::Counts("<="),
                Guess::OneOf,
            ]),
            Some(Sort::Coll) => all.extend([Guess::Sizes("="), Guess::Sizes("<="), Guess::MembersFrom]),
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
    pub(super) fn guessed(&mut self, guess: &Guess, keep: &Keep, current: &Val, rest: &str) -> Formula {
        let (bag, initial) = (&keep.bag, &keep.initial);
        let int = |val: &Val| val.payload(Sort::Int);
        let coll = |val: &Val| val.payload(Sort::Coll);
        match guess {
            Guess::Sort(sort) => current.is(*sort),
            Guess::AtLeastInitial => format!("(>= {} {})", int(current), int(initial)),
            Guess::AtMostInitial => format!("(<= {} {})", int(current), int(initial)),
            Guess::NotNegative => format!("(>= {} 0)", int(current)),
            Guess::Counts(compare) => {
                format!("({compare} (+ {} (card {rest})) (+ {} (card {bag})))", int(current), int(initial))
            }
            Guess::Sizes(compare) => {
                let (y, init) = (coll(current), coll(initial));
                format!("({compare} (+ (card {y}) (card {rest})) (+ (card {init}) (card {bag})))")
            }
            Guess::MembersFrom => {
                let (y, init) = (coll(current), coll(initial));
                self.logic.all_members(&y, |_, m| or([mem(&m.term(), bag), mem(&m.term(), &init)]))
            }
            Guess::OneOf => or([current.equals(initial), mem(&current.term(), bag)]),
            Guess::InType(ty) => {
                let env = self.promised().map(|(_, env)| env.clone()).unwrap_or_default();
                self.logic.is_in(ty, current, &env)
            }
        }
    }

    /// The guesses that hold before the loop and are kept by a round.
    pub(super) fn invariants(&mut self, keep: &Keep) -> Vec<Guess> {
        let span = keep.accumulate.body.span;
        let initial = keep.initial.clone();
        // Each with the proof that it holds before the loop.
        let mut guesses: Vec<(Guess, Condition)> = Vec::new();
        for guess in self.candidates(keep) {
            let at_first = self.guessed(&guess, keep, &initial, &keep.bag);
            guesses.extend(self.follows(Kind::Guessed, span, &at_first).map(|proof| (guess, proof)));
        }
        let (facts, conditions, relied) = (self.facts.len(), self.conditions.len(), self.relied.len());
        while !guesses.is_empty() {
            self.relied.truncate(relied);
            let all: Vec<Guess> = guesses.iter().map(|(guess, _)| guess.clone()).collect();
            let (result, rest) = self.round(keep, &all);
            let after: Vec<Formula> = all.iter().map(|g| self.guessed(g, keep, &result, &rest)).collect();
            let together = self.follows(Kind::Guessed, span, &and(after.clone()));
            let kept: Vec<Option<Condition>> = match together {
                Some(proof) => vec![Some(proof); 1],
                None => after.iter().map(|f| self.follows(Kind::Guessed, span, f)).collect(),
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
