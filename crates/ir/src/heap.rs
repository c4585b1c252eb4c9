//! A concrete heap: objects of classes and arrays, and the static fields.
//!
//! What goes in: types and values. What comes out: objects whose slots are read and written in constant time, with
//! everything since a [`Mark`] undone in time proportional to what was written. All slots lie in one arena (static fields
//! first), so that allocation is a push, undoing it a truncation, and a clone two copies of memory.
//!
//! Invariant: an object's slots are `start..start + len` of the arena, and objects lie there in the order of their numbers.

use crate::program::*;
use crate::value::*;

/// What is kept in one slot: a value, or nothing yet (an engine that enumerates states lazily chooses it on the first read).
pub type Slot = Option<Value>;

/// Where each field is kept, and what a new object holds.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Of an instance field, its position in [`Program::instance_fields`]; of a static one, its position among the static ones.
    slots: Vec<u32>,
    /// Of each class, the default values of its instance fields.
    defaults: Vec<Box<[Slot]>>,
    /// Default values of the static fields.
    statics: Box<[Slot]>,
}

impl Layout {
    pub fn new(program: &Program) -> Layout {
        let mut slots = vec![0; program.fields.len()];
        let defaults = (0..program.classes.len() as u32).map(|class| {
            let fields = program.instance_fields(ClassId(class));
            for (slot, field) in fields.iter().enumerate() {
                slots[field.index()] = slot as u32;
            }
            fields.iter().map(|&field| Some(default_value(program.field(field).ty))).collect()
        });
        let defaults = defaults.collect();
        let mut statics = Vec::new();
        for (index, field) in program.fields.iter().enumerate().filter(|(_, field)| field.is_static) {
            slots[index] = statics.len() as u32;
            statics.push(Some(default_value(field.ty)));
        }
        Layout { slots, defaults, statics: statics.into() }
    }

    /// The slot of an instance field, the same in every subclass.
    #[inline]
    pub fn slot(&self, field: FieldId) -> u32 {
        self.slots[field.index()]
    }

    /// The default values of a new object of a class.
    #[inline]
    pub fn defaults(&self, class: ClassId) -> &[Slot] {
        &self.defaults[class.index()]
    }
}

/// What a field or an element of that type holds at first (JLS 4.12.5).
pub fn default_value(ty: Ty) -> Value {
    match ty {
        Ty::Bool => Value::Bool(false),
        Ty::Byte | Ty::Short | Ty::Char | Ty::Int | Ty::Long => Value::Int(0),
        Ty::Void | Ty::Null | Ty::Class(_) | Ty::Array(_) => Value::Null,
    }
}

#[derive(Clone, Copy, Debug)]
struct Object {
    ty: Ty,
    start: u32,
    len: u32,
}

#[derive(Clone, Debug)]
pub struct Heap {
    objects: Vec<Object>,
    slots: Vec<Slot>,
    /// What slots below `logged` held, oldest first.
    log: Vec<(u32, Slot)>,
    /// Slots from here on are younger than the latest mark: a reset drops them, so writes to them need no log.
    logged: u32,
}

/// A moment to go back to, see [`Heap::reset`].
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    objects: u32,
    slots: u32,
    log: u32,
}

impl Heap {
    /// No objects; the static fields have their default values.
    pub fn new(layout: &Layout) -> Heap {
        Heap { objects: Vec::new(), slots: layout.statics.to_vec(), log: Vec::new(), logged: 0 }
    }

    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// All objects, in the order of their allocation.
    pub fn objects(&self) -> impl Iterator<Item = ObjId> + use<> {
        (0..self.objects.len() as u32).map(ObjId)
    }

    /// How many slots there are in all: what the heap costs.
    #[inline]
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// The class or array type of an object.
    #[inline]
    pub fn ty(&self, object: ObjId) -> Ty {
        self.objects[object.index()].ty
    }

    /// How many slots an object has: for an array, its length.
    #[inline]
    pub fn len(&self, object: ObjId) -> u32 {
        self.objects[object.index()].len
    }

    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    #[inline]
    pub fn get(&self, object: ObjId, slot: u32) -> Slot {
        let object = &self.objects[object.index()];
        debug_assert!(slot < object.len);
        self.slots[(object.start + slot) as usize]
    }

    pub fn at(&self, location: Location) -> Slot {
        self.get(location.object, location.slot)
    }

    /// All slots of an object.
    pub fn slots(&self, object: ObjId) -> &[Slot] {
        let object = &self.objects[object.index()];
        &self.slots[object.start as usize..(object.start + object.len) as usize]
    }

    #[inline]
    pub fn set(&mut self, object: ObjId, slot: u32, value: Value) {
        self.put(object, slot, Some(value));
    }

    /// Sets a slot to a value or to undefined.
    #[inline]
    pub fn put(&mut self, object: ObjId, slot: u32, value: Slot) {
        let object = &self.objects[object.index()];
        debug_assert!(slot < object.len);
        self.write(object.start + slot, value);
    }

    /// The value of a static field.
    #[inline]
    pub fn get_static(&self, layout: &Layout, field: FieldId) -> Slot {
        self.slots[layout.slot(field) as usize]
    }

    #[inline]
    pub fn set_static(&mut self, layout: &Layout, field: FieldId, value: Value) {
        self.write(layout.slot(field), Some(value));
    }

    /// The values of all static fields, in the order of their numbers.
    pub fn statics(&self, layout: &Layout) -> &[Slot] {
        &self.slots[..layout.statics.len()]
    }

    #[inline]
    fn write(&mut self, index: u32, value: Slot) {
        let old = std::mem::replace(&mut self.slots[index as usize], value);
        if index < self.logged {
            self.log.push((index, old));
        }
    }

    /// A new object of a class with default values.
    #[inline]
    pub fn allocate(&mut self, layout: &Layout, class: ClassId) -> ObjId {
        let start = self.slots.len() as u32;
        let defaults = layout.defaults(class);
        self.slots.extend_from_slice(defaults);
        self.push(Ty::Class(class), start, defaults.len() as u32)
    }

    /// A new object, a class's or an array, with `len` slots that all hold the same.
    pub fn allocate_filled(&mut self, ty: Ty, len: u32, fill: Slot) -> ObjId {
        let start = self.slots.len() as u32;
        self.slots.resize(self.slots.len() + len as usize, fill);
        self.push(ty, start, len)
    }

    /// A new object of a class with all fields undefined.
    pub fn allocate_undefined(&mut self, layout: &Layout, class: ClassId) -> ObjId {
        self.allocate_filled(Ty::Class(class), layout.defaults(class).len() as u32, None)
    }

    /// A shallow copy.
    pub fn duplicate(&mut self, object: ObjId) -> ObjId {
        let Object { ty, start, len } = self.objects[object.index()];
        let copy = self.slots.len() as u32;
        self.slots.extend_from_within(start as usize..(start + len) as usize);
        self.push(ty, copy, len)
    }

    #[inline]
    fn push(&mut self, ty: Ty, start: u32, len: u32) -> ObjId {
        self.objects.push(Object { ty, start, len });
        ObjId(self.objects.len() as u32 - 1)
    }

    /// From here on every effect can be undone with [`Heap::reset`]. Marks nest.
    pub fn mark(&mut self) -> Mark {
        self.logged = self.slots.len() as u32;
        Mark { objects: self.objects.len() as u32, slots: self.logged, log: self.log.len() as u32 }
    }

    /// Whether anything was written or made since the mark.
    pub fn has_changed(&self, mark: Mark) -> bool {
        self.log.len() > mark.log as usize || self.objects.len() > mark.objects as usize
    }

    /// Undoes everything since the mark, which stays usable; marks made since are void.
    pub fn reset(&mut self, mark: Mark) {
        while self.log.len() > mark.log as usize {
            if let Some((index, old)) = self.log.pop() {
                self.slots[index as usize] = old;
            }
        }
        self.slots.truncate(mark.slots as usize);
        self.objects.truncate(mark.objects as usize);
        self.logged = mark.slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap() -> Heap {
        Heap { objects: Vec::new(), slots: Vec::new(), log: Vec::new(), logged: 0 }
    }

    #[test]
    fn reset_undoes_writes_and_allocations_of_nested_marks() {
        let mut h = heap();
        let array = Ty::Array(ArrayId(0));
        let a = h.allocate_filled(array, 2, Some(Value::Int(1)));
        let outer = h.mark();
        h.set(a, 0, Value::Int(2));
        let b = h.allocate_filled(array, 1, None);
        let inner = h.mark();
        h.set(a, 0, Value::Int(3));
        h.set(b, 0, Value::Int(4));
        h.duplicate(b);
        h.reset(inner);
        assert_eq!((h.get(a, 0), h.get(b, 0), h.object_count()), (Some(Value::Int(2)), None, 2));
        h.set(a, 1, Value::Int(5));
        h.reset(outer);
        assert_eq!((h.slots(a), h.object_count()), (&[Some(Value::Int(1)); 2][..], 1));
        h.set(a, 1, Value::Int(6));
        h.reset(outer);
        assert_eq!(h.get(a, 1), Some(Value::Int(1)));
    }

    /// Random writes, allocations and nested marks against plain clones.
    #[test]
    fn reset_is_the_same_as_a_clone() {
        let mut h = heap();
        let mut marks: Vec<(Mark, Heap)> = Vec::new();
        let mut chance = work::Chance::new(7);
        let mut below = |n: usize| chance.below(n);
        for step in 0..20_000 {
            match below(10) {
                0 => drop(h.allocate_filled(Ty::Array(ArrayId(0)), 1 + below(3) as u32, None)),
                1 if marks.len() < 8 => {
                    let mark = h.mark();
                    marks.push((mark, h.clone()));
                }
                2 if !marks.is_empty() => {
                    // To any of them; it stays, later ones are void.
                    let index = below(marks.len());
                    marks.truncate(index + 1);
                    let (mark, copy) = &marks[index];
                    h.reset(*mark);
                    assert_eq!(h.slots, copy.slots, "step {step}");
                    assert_eq!(h.object_count(), copy.object_count());
                    if below(2) == 0 {
                        marks.pop();
                    }
                }
                _ if h.object_count() > 0 => {
                    let object = ObjId(below(h.object_count()) as u32);
                    let slot = below(h.len(object) as usize) as u32;
                    h.put(object, slot, Some(Value::Int(step)));
                }
                _ => {}
            }
        }
    }
}
