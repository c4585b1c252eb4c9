//! Unknown types and what is found out about them: unification with a trail.
//!
//! Invariant: an unknown is bound at most once on a path, to a type in which it does not occur; taking back to a mark forgets exactly what
//! was found out, and which unknowns were made, after it.

use super::Inference;
use crate::definition::*;
use crate::term::{Term, TermId};

#[derive(Clone, Copy)]
pub(super) struct Mark {
    trail: usize,
    unknowns: usize,
    used: usize,
    asked: usize,
}

impl Inference<'_, '_> {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            trail: self.trail.len(),
            unknowns: self.unknowns.len(),
            used: self.used.len(),
            asked: self.asked.as_ref().map_or(0, Vec::len),
        }
    }

    pub(super) fn take_back(&mut self, mark: Mark) {
        for unknown in self.trail.drain(mark.trail..) {
            self.unknowns[unknown as usize] = None;
        }
        self.unknowns.truncate(mark.unknowns);
        self.used.truncate(mark.used);
        self.asked.iter_mut().for_each(|asked| asked.truncate(mark.asked));
    }

    pub(super) fn unknown(&mut self, sort: SortId) -> TermId {
        let unknown = self.unknowns.len() as u32;
        self.unknowns.push(None);
        self.en.interp.terms.intern(Term::Unknown(sort, unknown))
    }

    /// What an unknown stands for, as far as its outermost node.
    pub(super) fn walk(&self, mut term: TermId) -> TermId {
        while let Term::Unknown(_, unknown) = self.en.interp.terms.get(term)
            && let Some(Some(found)) = self.unknowns.get(*unknown as usize)
        {
            term = *found;
        }
        term
    }

    /// With everything put in that was found out.
    pub(super) fn resolve(&mut self, term: TermId) -> TermId {
        let term = self.walk(term);
        if !self.en.interp.terms.has_unknown(term) {
            return term;
        }
        let Some((prod, args)) = self.en.interp.terms.node(term) else { return term };
        let args = args.to_vec();
        let args: Vec<TermId> = args.into_iter().map(|arg| self.resolve(arg)).collect();
        self.en.interp.terms.make(prod, args)
    }

    pub(super) fn unify(&mut self, a: TermId, b: TermId) -> bool {
        let (a, b) = (self.walk(a), self.walk(b));
        if a == b {
            return true;
        }
        let terms = &self.en.interp.terms;
        match (terms.get(a), terms.get(b)) {
            (Term::Unknown(_, k), _) if *k >= self.rigid => self.bind(*k, b),
            (_, Term::Unknown(_, k)) if *k >= self.rigid => self.bind(*k, a),
            (Term::Node(p, args), Term::Node(q, _)) if p == q => (0..args.len()).all(|i| {
                let (a, b) = (self.part(a, i), self.part(b, i));
                self.unify(a, b)
            }),
            _ => false,
        }
    }

    /// An argument of a node.
    pub(super) fn part(&self, node: TermId, i: usize) -> TermId {
        self.en.interp.terms.node(node).map_or(node, |(_, args)| args[i])
    }

    fn bind(&mut self, unknown: u32, term: TermId) -> bool {
        if self.occurs(unknown, term) {
            return false;
        }
        self.unknowns[unknown as usize] = Some(term);
        self.trail.push(unknown);
        true
    }

    fn occurs(&self, unknown: u32, term: TermId) -> bool {
        let terms = &self.en.interp.terms;
        if !terms.has_unknown(term) {
            return false;
        }
        match terms.get(term) {
            Term::Unknown(_, k) if *k == unknown => true,
            Term::Unknown(_, k) => self.unknowns[*k as usize].is_some_and(|found| self.occurs(unknown, found)),
            Term::Node(_, args) => args.iter().any(|arg| self.occurs(unknown, *arg)),
            _ => false,
        }
    }
}
