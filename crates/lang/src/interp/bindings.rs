//! What the metavariables of a clause stand for while it is run.

use crate::definition::{Form, MetaId};
use crate::term::TermId;
use smallvec::SmallVec;

/// Not (yet) known.
pub const OPEN: TermId = TermId(u32::MAX);

/// The arguments of a judgment; those that are not given are [`OPEN`].
pub type Args = SmallVec<[TermId; 4]>;

/// The bits of the arguments that are given.
pub fn mask_of(args: &[TermId]) -> u32 {
    args.iter().enumerate().filter(|(_, t)| **t != OPEN).fold(0, |mask, (i, _)| mask | 1 << i)
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bindings {
    slots: SmallVec<[TermId; 10]>,
    /// Per `var` sort: the level of the next new variable.
    pub fresh: SmallVec<[u32; 2]>,
    /// Something in it was guessed from a finite domain, hence it only counts within the domain.
    pub guessed: bool,
}

impl Bindings {
    pub fn new(metas: usize, fresh: SmallVec<[u32; 2]>) -> Bindings {
        Bindings { slots: SmallVec::from_elem(OPEN, metas), fresh, guessed: false }
    }

    pub fn get(&self, meta: MetaId) -> Option<TermId> {
        let term = self.slots[meta.index()];
        (term != OPEN).then_some(term)
    }

    pub fn set(&mut self, meta: MetaId, term: TermId) {
        self.slots[meta.index()] = term;
    }

    pub fn clear(&mut self, meta: MetaId) {
        self.slots[meta.index()] = OPEN;
    }

    /// Whether every metavariable of a form has a value.
    pub fn has_all(&self, form: &Form) -> bool {
        let mut metas = Vec::new();
        form.metas(&mut metas);
        metas.iter().all(|m| self.get(*m).is_some())
    }

    /// One per metavariable, in order.
    pub fn all(&self) -> impl Iterator<Item = Option<TermId>> {
        self.slots.iter().map(|t| (*t != OPEN).then_some(*t))
    }
}
