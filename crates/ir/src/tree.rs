//! The tree property (docs/java.md, "Trees"; dissertation, 2.10): what `@Tree` fields and the elements of
//! `@Tree` arrays reach from the checked object is a tree, and has nothing in common with that of another one.
//!
//! What goes in: a heap, the checked object and others. What comes out: the first edge, breadth first, that leads to an object which
//! is a root or was reached before. Arrays are part of an edge, no nodes: two of them may be one as long as it is empty.

use crate::interp::{Chooser, Interp, Stop};
use crate::program::*;
use crate::value::*;
use rustc_hash::FxHashMap;

/// A tree edge: from an object's field, through elements if it is an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub object: ObjId,
    pub field: FieldId,
    /// The index in the innermost array.
    pub index: Option<u32>,
}

/// How the tree property is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeBreak {
    pub edge: Edge,
    /// What it leads to.
    pub target: ObjId,
    /// The edge that leads there as well; None if it is a root.
    pub other: Option<Edge>,
}

/// None if the property holds.
pub fn broken_tree<C: Chooser>(interp: &mut Interp<'_, C>, roots: &[ObjId]) -> Result<Option<TreeBreak>, Stop> {
    let mut walk = Walk { reached: FxHashMap::default(), arrays: Vec::new(), queue: Vec::new() };
    for &root in roots {
        if walk.reached.insert(root, None).is_none() {
            walk.queue.push(root);
        }
    }
    let mut next = 0;
    while let Some(&object) = walk.queue.get(next) {
        next += 1;
        let linked = interp.linked;
        for &field in linked.tree_fields(interp.class_of(object)) {
            let value = interp.read_slot(object, linked.layout.slot(field))?;
            if let Some(broken) = walk.follow(interp, Edge { object, field, index: None }, value)? {
                return Ok(Some(broken));
            }
        }
    }
    Ok(None)
}

struct Walk {
    /// By which edge each object was reached; the roots by none.
    reached: FxHashMap<ObjId, Option<Edge>>,
    /// The arrays that are being followed: one may hold itself.
    arrays: Vec<ObjId>,
    queue: Vec<ObjId>,
}

impl Walk {
    fn follow<C: Chooser>(
        &mut self,
        interp: &mut Interp<'_, C>,
        edge: Edge,
        value: Value,
    ) -> Result<Option<TreeBreak>, Stop> {
        let Value::Obj(target) = value else { return Ok(None) };
        let Ty::Array(array) = interp.heap.ty(target) else {
            if let Some(&other) = self.reached.get(&target) {
                if interp.linked.program.identity.values.contains(&interp.class_of(target)) {
                    return Ok(None);
                }
                return Ok(Some(TreeBreak { edge, target, other }));
            }
            self.reached.insert(target, Some(edge));
            self.queue.push(target);
            return Ok(None);
        };
        if !interp.linked.program.element_ty(array).is_reference() || self.arrays.contains(&target) {
            return Ok(None);
        }
        self.arrays.push(target);
        for index in 0..interp.heap.len(target) {
            let element = interp.read_slot(target, index)?;
            if let Some(broken) = self.follow(interp, Edge { index: Some(index), ..edge }, element)? {
                return Ok(Some(broken));
            }
        }
        self.arrays.pop();
        Ok(None)
    }
}
