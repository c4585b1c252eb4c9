//! The symbolic heap H: every slot of every object maps to a symbolic value. Initial values are made when first read;
//! writes go into an overlay that is thrown away after the run (docs/engine.md, "Translate what was touched").

use crate::makers::MakerId;
use crate::value::{Obj, Sym};
use formula::TermId;
use ir::{FieldId, Ty};
use rustc_hash::FxHashMap;

/// A slot of an object, or a static field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Slot(Obj, u32),
    Static(FieldId),
}

/// An object made during a run, or by declarative code.
#[derive(Clone)]
pub struct Fresh {
    pub ty: Ty,
    pub slots: Vec<Sym>,
    pub length: TermId,
    /// Whose it is, if declarative code made it (`makers.rs`).
    pub maker: Option<MakerId>,
}

#[derive(Clone)]
pub struct Heap {
    /// How many objects the space has; fresh ones are numbered after.
    pub space_objects: usize,
    pub initial: FxHashMap<Place, Sym>,
    pub writes: FxHashMap<Place, Sym>,
    /// Places in the order they were first written.
    pub log: Vec<Place>,
    pub fresh: Vec<Fresh>,
    /// Fresh objects below this number belong to cached translations, or to how every run begins, and stay.
    kept: usize,
    /// What runs wrote into those, as it was before.
    undo: Vec<(Obj, u32, Sym)>,
}

impl Heap {
    pub fn new(space_objects: usize) -> Heap {
        Heap {
            space_objects,
            initial: FxHashMap::default(),
            writes: FxHashMap::default(),
            log: Vec::new(),
            fresh: Vec::new(),
            kept: 0,
            undo: Vec::new(),
        }
    }

    pub fn is_fresh(&self, obj: Obj) -> bool {
        obj.now().index() >= self.space_objects
    }

    pub fn fresh(&self, obj: Obj) -> &Fresh {
        &self.fresh[obj.index() - self.space_objects]
    }

    pub fn fresh_mut(&mut self, obj: Obj) -> &mut Fresh {
        let first = self.space_objects;
        &mut self.fresh[obj.index() - first]
    }

    pub fn allocate(&mut self, fresh: Fresh) -> Obj {
        self.fresh.push(fresh);
        Obj((self.space_objects + self.fresh.len() - 1) as u32)
    }

    /// Takes the last object back, if this is it.
    pub fn discard(&mut self, obj: Obj) {
        if obj.index() + 1 == self.space_objects + self.fresh.len() {
            self.fresh.pop();
        }
    }

    pub fn write(&mut self, place: Place, value: Sym) {
        if let Place::Slot(obj, slot) = place
            && self.is_fresh(obj)
        {
            let old = std::mem::replace(&mut self.fresh_mut(obj).slots[slot as usize], value);
            if obj.index() < self.space_objects + self.kept {
                self.undo.push((obj, slot, old));
            }
            return;
        }
        if self.writes.insert(place, value).is_none() {
            self.log.push(place);
        }
    }

    /// Objects made so far stay for good, as they are.
    pub fn keep(&mut self) {
        self.kept = self.fresh.len();
        self.undo.clear();
    }

    /// Whether nothing was written but into objects made since.
    pub fn is_initial(&self) -> bool {
        self.log.is_empty()
    }

    /// Back to the initial heap.
    pub fn reset(&mut self) {
        self.writes.clear();
        self.log.clear();
        while let Some((obj, slot, old)) = self.undo.pop() {
            self.fresh_mut(obj).slots[slot as usize] = old;
        }
        self.fresh.truncate(self.kept);
    }
}
