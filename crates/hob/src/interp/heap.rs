//! The state of a running program: objects, arrays and the modules' variables.
//!
//! Nothing is ever freed: an object belongs to its sets as long as its fields say so, whether or not anything refers to it.
//! Every change of something that is [watched](Watch) is dated, by field, variable and type, so that the abstraction knows which sets to
//! compute anew; the clock only goes on with such changes.

use super::heap_formula::{HeapValue, HeapView};
use super::value::{ArrayId, ObjId, Value};
use crate::program::{FieldId, GlobalId, LocalId, Program, Type, TypeId};

/// There is no room for more, see [`super::Options::memory`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// What is looked at by somebody who must know when it changes.
#[derive(Clone, Debug)]
pub struct Watch {
    pub fields: Vec<bool>,
    pub globals: Vec<bool>,
    /// Of which objects are allocated.
    pub types: Vec<bool>,
    pub arrays: bool,
}

impl Watch {
    pub fn everything(program: &Program, watched: bool) -> Watch {
        Watch {
            fields: vec![watched; program.fields.len()],
            globals: vec![watched; program.globals.len()],
            types: vec![watched; program.types.len()],
            arrays: watched,
        }
    }
}

#[derive(Clone, Debug)]
struct Object {
    ty: TypeId,
    base: u32,
}

#[derive(Clone, Debug)]
struct Array {
    base: u32,
    length: u32,
}

#[derive(Clone, Debug)]
pub struct Heap {
    objects: Vec<Object>,
    by_type: Vec<Vec<ObjId>>,
    arrays: Vec<Array>,
    /// Fields and elements.
    slots: Vec<Value>,
    globals: Vec<Value>,
    limit: usize,
    /// Of each field: its type of objects, and its place among the fields of that type.
    places: Vec<(TypeId, u32)>,
    /// Of each type: the fields of a new object.
    fresh: Vec<Vec<Value>>,
    watch: Watch,
    clock: u64,
    field_changed: Vec<u64>,
    global_changed: Vec<u64>,
    type_changed: Vec<u64>,
    arrays_changed: u64,
}

impl Heap {
    /// The initial state, everything watched. `limit` is the number of fields and elements there may be.
    pub fn new(program: &Program, limit: usize) -> Heap {
        let mut fresh: Vec<Vec<Value>> = vec![Vec::new(); program.types.len()];
        let mut places = Vec::with_capacity(program.fields.len());
        for field in &program.fields {
            let fields = &mut fresh[field.object.index()];
            places.push((field.object, fields.len() as u32));
            fields.push(Value::default_of(&field.ty));
        }
        Heap {
            objects: Vec::new(),
            by_type: vec![Vec::new(); program.types.len()],
            arrays: Vec::new(),
            slots: Vec::new(),
            globals: program.globals.iter().map(|global| Value::default_of(&global.ty)).collect(),
            limit: limit.min(u32::MAX as usize),
            places,
            fresh,
            watch: Watch::everything(program, true),
            clock: 1,
            field_changed: vec![1; program.fields.len()],
            global_changed: vec![1; program.globals.len()],
            type_changed: vec![1; program.types.len()],
            arrays_changed: 1,
        }
    }

    pub fn watch(&mut self, watch: Watch) {
        self.watch = watch;
    }

    #[inline]
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// It stands still as long as nothing that is watched changes.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    pub fn array_count(&self) -> usize {
        self.arrays.len()
    }

    pub fn type_of(&self, object: ObjId) -> TypeId {
        self.objects[object.index()].ty
    }

    pub fn of_type(&self, ty: TypeId) -> &[ObjId] {
        &self.by_type[ty.index()]
    }

    /// A new object, all fields 0, false, "" or null.
    pub fn allocate(&mut self, ty: TypeId) -> Result<ObjId, Full> {
        let fresh = &self.fresh[ty.index()];
        // An object without fields takes room as well.
        if self.slots.len() + self.objects.len() + fresh.len() >= self.limit {
            return Err(Full);
        }
        let id = ObjId(self.objects.len() as u32);
        self.objects.push(Object { ty, base: self.slots.len() as u32 });
        self.slots.extend_from_slice(fresh);
        self.by_type[ty.index()].push(id);
        if self.watch.types[ty.index()] {
            self.type_changed[ty.index()] = self.tick();
        }
        Ok(id)
    }

    #[inline]
    fn slot(&self, object: ObjId, field: FieldId) -> usize {
        (self.objects[object.index()].base + self.places[field.index()].1) as usize
    }

    /// The object must be of the field's type.
    #[inline]
    pub fn field(&self, object: ObjId, field: FieldId) -> &Value {
        &self.slots[self.slot(object, field)]
    }

    #[inline]
    pub fn set_field(&mut self, object: ObjId, field: FieldId, value: Value) {
        let slot = self.slot(object, field);
        self.slots[slot] = value;
        if self.watch.fields[field.index()] {
            self.field_changed[field.index()] = self.tick();
        }
    }

    #[inline]
    pub fn global(&self, global: GlobalId) -> &Value {
        &self.globals[global.index()]
    }

    #[inline]
    pub fn set_global(&mut self, global: GlobalId, value: Value) {
        self.globals[global.index()] = value;
        if self.watch.globals[global.index()] {
            self.global_changed[global.index()] = self.tick();
        }
    }

    /// An array of so many copies of a value.
    pub fn allocate_array(&mut self, length: usize, value: &Value) -> Result<ArrayId, Full> {
        if self.slots.len() + self.arrays.len() + length >= self.limit {
            return Err(Full);
        }
        let id = ArrayId(self.arrays.len() as u32);
        self.arrays.push(Array { base: self.slots.len() as u32, length: length as u32 });
        self.slots.resize(self.slots.len() + length, value.clone());
        self.note_arrays();
        Ok(id)
    }

    #[inline]
    pub fn length(&self, array: ArrayId) -> usize {
        self.arrays[array.index()].length as usize
    }

    /// Where an element is; None outside of the bounds.
    #[inline]
    pub(crate) fn element_slot(&self, array: ArrayId, index: i64) -> Option<usize> {
        let array = &self.arrays[array.index()];
        (0 <= index && index < i64::from(array.length)).then(|| array.base as usize + index as usize)
    }

    #[inline]
    pub(crate) fn slot_value(&self, slot: usize) -> &Value {
        &self.slots[slot]
    }

    /// None outside of the bounds.
    #[inline]
    pub fn element(&self, array: ArrayId, index: i64) -> Option<&Value> {
        self.element_slot(array, index).map(|slot| &self.slots[slot])
    }

    /// Whether the index is within the bounds; if not, nothing changes.
    #[inline]
    pub fn set_element(&mut self, array: ArrayId, index: i64, value: Value) -> bool {
        let Some(slot) = self.element_slot(array, index) else { return false };
        self.slots[slot] = value;
        self.note_arrays();
        true
    }

    #[inline]
    fn note_arrays(&mut self) {
        if self.watch.arrays {
            self.arrays_changed = self.tick();
        }
    }

    pub fn field_changed(&self, field: FieldId) -> u64 {
        self.field_changed[field.index()]
    }

    pub fn global_changed(&self, global: GlobalId) -> u64 {
        self.global_changed[global.index()]
    }

    /// When an object of the type was last allocated.
    pub fn type_changed(&self, ty: TypeId) -> u64 {
        self.type_changed[ty.index()]
    }

    /// When an array was last allocated or an element assigned.
    pub fn arrays_changed(&self) -> u64 {
        self.arrays_changed
    }

    /// `Cell#3`: what messages call an object.
    pub fn name(&self, program: &Program, object: ObjId) -> String {
        match self.objects.get(object.index()) {
            Some(found) => format!("{}#{}", program.types[found.ty.index()].name, object.0 + 1),
            None => format!("a new object #{}", object.0 + 1),
        }
    }
}

fn viewed(value: &Value) -> HeapValue {
    match value {
        Value::Int(_) | Value::Byte(_) | Value::Char(_) => HeapValue::Int(i64::from(value.integer().unwrap_or(0))),
        Value::Float(n) => HeapValue::Float(*n),
        Value::Bool(b) => HeapValue::Bool(*b),
        Value::Text(_) => HeapValue::Other,
        Value::Object(id) => HeapValue::Object(*id),
        Value::Array(id) => HeapValue::Array(id.0),
        Value::Null => HeapValue::Null,
    }
}

impl HeapView for Heap {
    fn objects(&self, ty: TypeId) -> Vec<ObjId> {
        self.of_type(ty).to_vec()
    }

    fn field(&self, object: ObjId, field: FieldId) -> Option<HeapValue> {
        let ty = self.objects.get(object.index())?.ty;
        (self.places[field.index()].0 == ty).then(|| viewed(Heap::field(self, object, field)))
    }

    fn global(&self, global: GlobalId) -> Option<HeapValue> {
        Some(viewed(Heap::global(self, global)))
    }

    fn element(&self, array: u32, index: i64) -> Option<HeapValue> {
        Heap::element(self, ArrayId(array), index).map(viewed)
    }

    fn length(&self, array: u32) -> i64 {
        Heap::length(self, ArrayId(array)) as i64
    }
}

/// A heap with the variables of a procedure.
pub(crate) struct WithLocals<'h> {
    pub heap: &'h Heap,
    pub locals: &'h [Value],
}

impl HeapView for WithLocals<'_> {
    fn objects(&self, ty: TypeId) -> Vec<ObjId> {
        HeapView::objects(self.heap, ty)
    }

    fn field(&self, object: ObjId, field: FieldId) -> Option<HeapValue> {
        HeapView::field(self.heap, object, field)
    }

    fn global(&self, global: GlobalId) -> Option<HeapValue> {
        HeapView::global(self.heap, global)
    }

    fn local(&self, local: LocalId) -> Option<HeapValue> {
        self.locals.get(local.index()).map(viewed)
    }

    fn element(&self, array: u32, index: i64) -> Option<HeapValue> {
        HeapView::element(self.heap, array, index)
    }

    fn length(&self, array: u32) -> i64 {
        HeapView::length(self.heap, array)
    }
}

/// The type of an array's elements.
pub(crate) fn element_type(ty: &Type) -> &Type {
    match ty {
        Type::Array(element) => element,
        _ => &Type::Null,
    }
}
