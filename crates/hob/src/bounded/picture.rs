//! A heap of the interpreter as a person sees it: the module with its variables and sets, then the objects in the order they are
//! reached, then those that nothing refers to.

use crate::interp::{ArrayId, Heap, Machine, ObjId, SpecValue, Value};
use crate::program::*;
use rustc_hash::FxHashMap;
use verdict::heap::{Snapshot, SnapshotField, SnapshotObject, SnapshotValue};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Object(ObjId),
    Array(ArrayId),
}

struct Picture<'a> {
    program: &'a Program,
    module: ModuleId,
    heap: &'a Heap,
    numbers: FxHashMap<Node, usize>,
    order: Vec<Node>,
}

/// With these sets and Booleans of other modules. `new_from`: objects with this number or a greater one are new.
pub fn picture(machine: &mut Machine<'_, '_>, module: ModuleId, others: &[SpecVarId], new_from: usize) -> Snapshot {
    let program = machine.program;
    let shown = program.module(module).spec_vars.iter().chain(others);
    let values: Vec<(SpecVarId, SpecValue)> = shown.map(|&v| (v, machine.spec_value(v))).collect();
    let heap = machine.heap();
    let mut picture = Picture { program, module, heap, numbers: FxHashMap::default(), order: Vec::new() };
    let declared = program.module(module);
    let mut fields = Vec::new();
    for &global in &declared.globals {
        let value = picture.value(heap.global(global));
        fields.push(field(&program.globals[global.index()].name, value));
    }
    for object in (0..heap.object_count() as u32).map(ObjId) {
        picture.number(Node::Object(object));
    }
    for (variable, value) in values {
        let name = program.name_from(module, variable);
        let text = match value {
            SpecValue::Set(set) => {
                let names: Vec<String> = set.iter().map(|o| heap.name(program, o)).collect();
                format!("{{{}}}", names.join(", "))
            }
            // Shown already, as the variable that it is.
            SpecValue::Bool(_) if fields.iter().any(|f| f.name == name) => continue,
            SpecValue::Bool(value) => value.to_string(),
            SpecValue::Unknown => continue,
        };
        fields.push(field(&name, SnapshotValue::Text(text)));
    }
    let state =
        SnapshotObject { name: declared.name.clone(), class: "module".into(), fields, is_array: false, is_new: false };
    let mut objects = vec![state];
    let mut next = 0;
    while let Some(&node) = picture.order.get(next) {
        next += 1;
        objects.push(picture.object(node, new_from));
    }
    Snapshot { text: None, objects }
}

/// What changed is marked.
pub fn compare(before: &Snapshot, after: &mut Snapshot) {
    let named = |snapshot: &Snapshot, value: &SnapshotValue| match value {
        SnapshotValue::Object(index) => snapshot.objects[*index].name.clone(),
        SnapshotValue::Text(text) => text.clone(),
        SnapshotValue::Null => "null".into(),
    };
    let mut changed = Vec::new();
    for (o, object) in after.objects.iter().enumerate() {
        let Some(old) = before.objects.iter().find(|old| old.name == object.name) else { continue };
        for (f, field) in object.fields.iter().enumerate() {
            let was = old.fields.iter().find(|old| old.name == field.name).map(|old| named(before, &old.value));
            if was.as_ref() != Some(&named(after, &field.value)) {
                changed.push((o, f));
            }
        }
    }
    for (o, f) in changed {
        after.objects[o].fields[f].is_changed = true;
    }
}

fn field(name: &str, value: SnapshotValue) -> SnapshotField {
    SnapshotField { name: name.to_string(), value, is_tree: false, is_changed: false }
}

impl Picture<'_> {
    /// The place in the snapshot; the state comes first.
    fn number(&mut self, node: Node) -> usize {
        if let Some(&number) = self.numbers.get(&node) {
            return number;
        }
        self.order.push(node);
        self.numbers.insert(node, self.order.len());
        self.order.len()
    }

    fn value(&mut self, value: &Value) -> SnapshotValue {
        match value {
            Value::Null => SnapshotValue::Null,
            Value::Object(object) => SnapshotValue::Object(self.number(Node::Object(*object))),
            Value::Array(array) => SnapshotValue::Object(self.number(Node::Array(*array))),
            Value::Text(text) => SnapshotValue::Text(format!("{text:?}")),
            Value::Float(value) => SnapshotValue::Text(value.to_string()),
            Value::Bool(value) => SnapshotValue::Text(value.to_string()),
            Value::Char(value) => SnapshotValue::Text(format!("{value:?}")),
            Value::Int(_) | Value::Byte(_) => SnapshotValue::Text(value.integer().unwrap_or(0).to_string()),
        }
    }

    fn object(&mut self, node: Node, new_from: usize) -> SnapshotObject {
        let heap = self.heap;
        match node {
            Node::Object(object) => {
                let ty = heap.type_of(object);
                let program = self.program;
                let mut fields = Vec::new();
                for &id in &program.module(self.module).fields {
                    if program.field(id).object == ty {
                        let value = self.value(heap.field(object, id));
                        fields.push(field(&program.field(id).name, value));
                    }
                }
                let class = program.types[ty.index()].name.clone();
                let is_new = object.index() >= new_from;
                SnapshotObject { name: heap.name(program, object), class, fields, is_array: false, is_new }
            }
            Node::Array(array) => {
                let mut fields = Vec::new();
                for index in 0..heap.length(array) as i64 {
                    let value = heap.element(array, index).cloned().unwrap_or(Value::Null);
                    let value = self.value(&value);
                    fields.push(field(&index.to_string(), value));
                }
                let name = format!("array#{}", array.0 + 1);
                SnapshotObject { name, class: String::new(), fields, is_array: true, is_new: false }
            }
        }
    }
}
