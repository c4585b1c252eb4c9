//! A heap as a person sees it: what the roots reach, breadth first, with what changed.

use super::names::Names;
use crate::lower::capture::OUTER;
use ir::heap::Heap;
use ir::{ObjId, Ty, Value};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use verdict::heap::{Snapshot, SnapshotField, SnapshotObject, SnapshotValue};

/// What is still to be looked into.
struct Walk {
    index: FxHashMap<ObjId, usize>,
    /// With whether the elements of an array are tree edges.
    queue: VecDeque<(ObjId, bool)>,
}

impl Walk {
    fn reach(&mut self, object: ObjId, in_tree: bool) -> usize {
        let next = self.index.len();
        *self.index.entry(object).or_insert_with(|| {
            self.queue.push_back((object, in_tree));
            next
        })
    }
}

/// One slot, before it is drawn.
struct Place {
    name: String,
    ty: Ty,
    is_tree: bool,
    format: Option<ir::float::Format>,
}

impl Names<'_> {
    /// What `main` and then the others reach. `before` is what to compare with.
    pub fn snapshot(&mut self, heap: &Heap, main: Option<ObjId>, others: &[Value], before: Option<&Heap>) -> Snapshot {
        let mut walk = Walk { index: FxHashMap::default(), queue: VecDeque::new() };
        if let Some(main) = main {
            walk.reach(main, false);
        }
        let mut snapshot = Snapshot::default();
        self.look(heap, &mut walk, before, &mut snapshot);
        for &other in others {
            if let Value::Obj(object) = other
                && self.plain(heap, object).is_none()
            {
                walk.reach(object, false);
                self.look(heap, &mut walk, before, &mut snapshot);
            }
        }
        snapshot
    }

    /// What an abstraction holds. An object whose field `present` is false is a gap, which is passed over for what its `next` holds.
    pub fn abstract_snapshot(&mut self, heap: &Heap, value: Value) -> Snapshot {
        let mut heap = heap.clone();
        for object in (0..heap.object_count() as u32).map(ObjId) {
            let Ty::Class(class) = heap.ty(object) else { continue };
            for slot in 0..self.program.instance_fields(class).len() as u32 {
                let mut value = heap.get(object, slot);
                while let Some(Value::Obj(next)) = value
                    && let Some(rest) = self.gap(&heap, next)
                {
                    value = Some(rest);
                }
                if let Some(value) = value {
                    heap.set(object, slot, value);
                }
            }
        }
        self.snapshot(&heap, None, &[value], None)
    }

    /// What comes after a gap, if it is one.
    fn gap(&self, heap: &Heap, object: ObjId) -> Option<Value> {
        let Ty::Class(class) = heap.ty(object) else { return None };
        let fields = self.program.instance_fields(class);
        let slot = |name: &str| fields.iter().position(|f| self.program.field(*f).name == name);
        let is_present = heap.get(object, slot("present")? as u32)?;
        (is_present == Value::Bool(false)).then_some(heap.get(object, slot("next")? as u32)?)
    }

    fn look(&mut self, heap: &Heap, walk: &mut Walk, before: Option<&Heap>, snapshot: &mut Snapshot) {
        while let Some((object, in_tree)) = walk.queue.pop_front() {
            let name = self.name(heap, object);
            let mut fields = Vec::new();
            for (slot, place) in self.places(heap, object, in_tree) {
                let value = heap.get(object, slot).unwrap_or(Value::Null);
                let shown = self.value(heap, walk, value, &name, &place);
                let is_changed = before.filter(|_| self.is_old(object)).is_some_and(|before| {
                    let old = before.get(object, slot).unwrap_or(Value::Null);
                    old != value && self.text(before, old, place.ty) != self.text(heap, value, place.ty)
                });
                fields.push(SnapshotField { name: place.name, value: shown, is_tree: place.is_tree, is_changed });
            }
            let ty = heap.ty(object);
            let class = self.program.ty_name(ty);
            let is_new = before.is_some() && !self.is_old(object);
            snapshot.objects.push(SnapshotObject { name, class, fields, is_array: matches!(ty, Ty::Array(_)), is_new });
        }
    }

    fn value(&mut self, heap: &Heap, walk: &mut Walk, value: Value, owner: &str, place: &Place) -> SnapshotValue {
        match value {
            Value::Null => SnapshotValue::Null,
            Value::Obj(object) if self.plain(heap, object).is_none() => {
                let is_array = matches!(heap.ty(object), Ty::Array(_));
                if is_array {
                    self.name_array(object, owner, &place.name);
                }
                SnapshotValue::Object(walk.reach(object, place.is_tree && is_array))
            }
            _ => SnapshotValue::Text(match (value, place.format) {
                (Value::Int(bits), Some(format)) => ir::float::text(format, bits),
                _ => self.text(heap, value, place.ty),
            }),
        }
    }

    /// The slots of an object that a user knows of.
    fn places(&self, heap: &Heap, object: ObjId, in_tree: bool) -> Vec<(u32, Place)> {
        match heap.ty(object) {
            Ty::Class(class) => {
                let fields = self.program.instance_fields(class);
                let fields = fields.iter().map(|&field| self.program.field(field)).enumerate();
                // An outer instance is worth a word only if it is not the checked object.
                let is_known = |slot: usize, field: &ir::Field| match heap.get(object, slot as u32) {
                    _ if !field.is_synthetic => true,
                    Some(Value::Obj(outer)) => self.is_old(outer) && self.scene.space.main.is_some_and(|m| m != outer),
                    _ => false,
                };
                let known = fields.filter(|(slot, field)| is_known(*slot, field));
                // As Java writes it. A class and its superclass may be within the same one: each has a field of its own.
                let name = |field: &ir::Field| match field.ty {
                    Ty::Class(outer) if field.name == OUTER => {
                        let outer = &self.program.class(outer).name;
                        format!("{}.this", outer.rsplit('.').next().unwrap_or(outer))
                    }
                    _ => field.name.clone(),
                };
                let mut outer: Vec<String> = Vec::new();
                let known = known.filter(|(_, field)| {
                    let is_again = field.is_synthetic && outer.contains(&name(field));
                    outer.push(name(field));
                    !is_again
                });
                let place = |field: &ir::Field| Place {
                    name: name(field),
                    ty: field.ty,
                    is_tree: field.bound.tree,
                    format: field.bound.format,
                };
                known.map(|(slot, field)| (slot as u32, place(field))).collect()
            }
            Ty::Array(array) => {
                let ty = self.program.element_ty(array);
                let is_tree = in_tree && ty.is_reference();
                let place = |slot: u32| Place { name: slot.to_string(), ty, is_tree, format: None };
                (0..heap.len(object)).map(|slot| (slot, place(slot))).collect()
            }
            _ => Vec::new(),
        }
    }
}
