//! The pre-state: a deep copy of a state, which postconditions compare with the state afterwards (docs/java.md, "The state before").
//!
//! Copied are arrays and objects with a state of their own; enums, strings, boxes and opaque `Object`s are shared.

use crate::heap::Heap;
use crate::program::*;
use crate::value::*;
use rustc_hash::FxHashMap;

/// Which object is a copy of which.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    originals: FxHashMap<ObjId, ObjId>,
    copies: FxHashMap<ObjId, ObjId>,
}

impl Copies {
    /// What an object is a copy of; None for one that is no copy.
    #[inline]
    pub fn original(&self, copy: ObjId) -> Option<ObjId> {
        if self.originals.is_empty() { None } else { self.originals.get(&copy).copied() }
    }

    /// The copy of an object; the object itself if it is shared.
    pub fn copy(&self, original: ObjId) -> ObjId {
        self.copies.get(&original).copied().unwrap_or(original)
    }

    pub fn clear(&mut self) {
        self.originals.clear();
        self.copies.clear();
    }

    /// The copy of an object that was not reached when the pre-state was made, because the way to it was not chosen yet.
    /// All its slots are undefined: they are asked for as the original's initial values.
    pub(super) fn copy_late(&mut self, heap: &mut Heap, program: &Program, original: ObjId) -> ObjId {
        if !is_copied(program, heap.ty(original)) {
            return original;
        }
        if let Some(&copy) = self.copies.get(&original) {
            return copy;
        }
        let copy = heap.allocate_filled(heap.ty(original), heap.len(original), None);
        self.insert(original, copy);
        copy
    }

    fn insert(&mut self, original: ObjId, copy: ObjId) {
        self.copies.insert(original, copy);
        self.originals.insert(copy, original);
    }
}

/// Whether objects of that type are copied, not shared. Classes of the library are as well if they have a state.
pub fn is_copied(program: &Program, ty: Ty) -> bool {
    match ty {
        Ty::Array(_) => true,
        Ty::Class(class) => {
            let known = &program.known;
            class != known.object && class != known.string && has_own_state(program, class)
        }
        _ => false,
    }
}

/// False for enums, constants with a body included, and boxes.
fn has_own_state(program: &Program, class: ClassId) -> bool {
    let declaration = program.class(class);
    declaration.kind == ClassKind::Class && declaration.superclass.is_none_or(|s| has_own_state(program, s))
}

/// Copies everything that the roots reach. The copies of undefined slots are undefined.
pub fn clone_state(heap: &mut Heap, program: &Program, roots: &[ObjId]) -> Copies {
    let mut copies = Copies::default();
    let mut queue = Vec::new();
    for &root in roots {
        copy_once(heap, program, root, &mut copies, &mut queue);
    }
    while let Some(copy) = queue.pop() {
        for slot in 0..heap.len(copy) {
            if let Some(Value::Obj(object)) = heap.get(copy, slot) {
                let target = copy_once(heap, program, object, &mut copies, &mut queue);
                heap.set(copy, slot, Value::Obj(target));
            }
        }
    }
    copies
}

/// The new copy's slots still name originals; it is put into the queue.
fn copy_once(heap: &mut Heap, program: &Program, object: ObjId, copies: &mut Copies, queue: &mut Vec<ObjId>) -> ObjId {
    if !is_copied(program, heap.ty(object)) {
        return object;
    }
    if let Some(&copy) = copies.copies.get(&object) {
        return copy;
    }
    let copy = heap.duplicate(object);
    copies.insert(object, copy);
    queue.push(copy);
    copy
}
