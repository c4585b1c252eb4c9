//! Objects as texts: as commands for `scripts/ReplayEach.java`, which makes them, and as it prints what is reached after a run.

use ir::heap::Heap;
use ir::interp::{Linked, identity_hash, text_of};
use ir::{ClassId, ClassKind, ExprKind, FieldId, Intrinsic, ObjId, Program, Ty, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Commands that make everything that is reached.
pub fn commands(linked: &Linked<'_>, heap: &Heap, roots: &[Value], main: Option<ObjId>) -> String {
    let program = linked.program;
    let held = held(linked, heap);
    let name = |value: Value| reference(value, main);
    let mut made = String::new();
    for (&object, &field) in &held {
        let class = program.field(field).class;
        let hash = match heap.ty(object) == Ty::Class(program.known.object) && asks_for_identity(program, class) {
            true => format!("\t{}", identity_hash(object)),
            false => String::new(),
        };
        let (class, field) = (&program.class(class).name, &program.field(field).name);
        let _ = writeln!(made, "static\t{}\t{class}\t{field}{hash}", name(Value::Obj(object)));
    }
    let mut set = String::new();
    let mut found: Vec<ObjId> = Vec::new();
    let reach = |value: Value, found: &mut Vec<ObjId>| {
        if let Value::Obj(object) = value
            && !held.contains_key(&object)
            && !found.contains(&object)
        {
            found.push(object);
        }
    };
    roots.iter().for_each(|&root| reach(root, &mut found));
    let mut at = 0;
    while let Some(&object) = found.get(at) {
        at += 1;
        let own = name(Value::Obj(object));
        let ty = heap.ty(object);
        let slots: Vec<Value> = heap.slots(object).iter().map(|s| s.unwrap_or(Value::Null)).collect();
        if let Some(number) = number(program, heap, object) {
            let _ = writeln!(made, "box\t{own}\t{}\t{number}", program.ty_name(ty));
            continue;
        }
        if let Some(of) = named_class(linked, heap, object) {
            let _ = writeln!(made, "class\t{own}\t{of}");
            continue;
        }
        let fields: Vec<String> = match ty {
            Ty::Class(class) if class == program.known.string => {
                let _ = writeln!(made, "string\t{own}\t{}", text(program, slots.first()));
                continue;
            }
            Ty::Class(class) if class == program.known.object => {
                let _ = writeln!(made, "plain\t{own}\t{}", identity_hash(object));
                continue;
            }
            Ty::Class(class) => {
                let _ = writeln!(made, "object\t{own}\t{}", program.ty_name(ty));
                program.instance_fields(class).iter().map(|f| declared(program, *f)).collect()
            }
            _ => {
                let _ = writeln!(made, "array\t{own}\t{}\t{}", program.ty_name(ty), slots.len());
                (0..slots.len()).map(|index| index.to_string()).collect()
            }
        };
        for (field, &value) in fields.iter().zip(&slots) {
            let _ = writeln!(set, "field\t{own}\t{field}\t{}", name(value));
            reach(value, &mut found);
        }
    }
    made + &set
}

/// A value in a command.
pub fn reference(value: Value, main: Option<ObjId>) -> String {
    match value {
        Value::Obj(object) if Some(object) == main => "this".into(),
        Value::Obj(object) => format!("#{}", object.0),
        Value::Null => "null".into(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
    }
}

/// What static fields hold, by the first of them.
fn held(linked: &Linked<'_>, heap: &Heap) -> BTreeMap<ObjId, FieldId> {
    let program = linked.program;
    let mut held = BTreeMap::new();
    for field in (0..program.fields.len() as u32).map(FieldId).filter(|&f| program.field(f).is_static) {
        if let Some(Value::Obj(object)) = heap.get_static(&linked.layout, field)
            && number(program, heap, object).is_none()
            && heap.ty(object) != Ty::Class(program.known.string)
            && program.class_objects.iter().all(|o| o.1 != field)
        {
            held.entry(object).or_insert(field);
        }
    }
    held
}

/// The type that an object of `Class` stands for.
fn named_class(linked: &Linked<'_>, heap: &Heap, object: ObjId) -> Option<String> {
    let program = linked.program;
    let is_it = |o: &&(Ty, FieldId)| heap.get_static(&linked.layout, o.1) == Some(Value::Obj(object));
    program.class_objects.iter().find(is_it).map(|o| program.ty_name(o.0))
}

/// Whether code of a class asks for identity hash codes itself.
fn asks_for_identity(program: &Program, class: ClassId) -> bool {
    let mut found = false;
    for method in program.methods.iter().filter(|m| m.class == class) {
        ir::walk::block(method.body.as_deref().unwrap_or_default(), &mut |e| {
            found |= matches!(e.kind, ExprKind::Intrinsic(Intrinsic::IdentityHash, _));
        });
    }
    found
}

/// What is in a string: a constant, or anything for a number that stands for none.
fn text(program: &Program, number: Option<&Value>) -> String {
    let Some(Value::Int(number)) = number else { return String::new() };
    let constant = program.strings.iter().enumerate().find(|(index, _)| text_of(*index) == *number);
    constant.map_or_else(|| format!("text {number}"), |(_, text)| text.clone())
}

/// A field and its class: an inner class that extends another has two fields `this$0`.
fn declared(program: &Program, field: FieldId) -> String {
    let field = program.field(field);
    format!("{} of {}", field.name, program.class(field.class).name)
}

/// The number in a box.
fn number(program: &Program, heap: &Heap, object: ObjId) -> Option<String> {
    match heap.ty(object) {
        Ty::Class(class) if program.class(class).kind == ClassKind::Box => match heap.get(object, 0)? {
            Value::Int(i) => Some(i.to_string()),
            Value::Bool(b) => Some(b.to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// All that is reached, numbered in the order in which it is.
pub struct Graph<'h> {
    linked: &'h Linked<'h>,
    heap: &'h Heap,
    held: BTreeMap<ObjId, FieldId>,
    found: Vec<ObjId>,
}

impl<'h> Graph<'h> {
    pub fn of(linked: &'h Linked<'h>, heap: &'h Heap, roots: &[Value]) -> String {
        let mut graph = Graph { linked, heap, held: held(linked, heap), found: Vec::new() };
        let mut texts: Vec<String> = roots.iter().map(|&root| graph.value(root)).collect();
        let mut at = 0;
        while let Some(&object) = graph.found.get(at) {
            let parts = graph.parts(object).join(",");
            texts.push(format!("#{at}={}{{{parts}}}", linked.program.ty_name(heap.ty(object))));
            at += 1;
        }
        texts.join(" ")
    }

    fn parts(&mut self, object: ObjId) -> Vec<String> {
        let program = self.linked.program;
        if let Some(number) = number(program, self.heap, object) {
            return vec![number];
        }
        let slots: Vec<Value> = self.heap.slots(object).iter().map(|s| s.unwrap_or(Value::Null)).collect();
        let Ty::Class(class) = self.heap.ty(object) else {
            return slots.into_iter().map(|v| self.value(v)).collect();
        };
        let fields = program.instance_fields(class);
        let mut fields: Vec<(String, FieldId, Value)> =
            fields.into_iter().zip(slots).map(|(field, value)| (declared(program, field), field, value)).collect();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        fields.into_iter().map(|(_, f, value)| format!("{}={}", program.field(f).name, self.value(value))).collect()
    }

    fn value(&mut self, value: Value) -> String {
        let object = match value {
            Value::Obj(object) => object,
            Value::Null => return "null".into(),
            Value::Bool(b) => return b.to_string(),
            Value::Int(i) => return i.to_string(),
        };
        let program = self.linked.program;
        if let Some(&field) = self.held.get(&object) {
            let field = program.field(field);
            return format!("@{}.{}", program.class(field.class).name, field.name);
        }
        if let Some(of) = named_class(self.linked, self.heap, object) {
            return format!("{of}.class");
        }
        let ty = self.heap.ty(object);
        if let Some(number) = number(program, self.heap, object) {
            // Boxes that are the same wherever they come from.
            let is_same = number.parse::<i64>().is_ok_and(|n| (-128..128).contains(&n));
            let name = program.ty_name(ty);
            if name != "Character" && (is_same || number == "true" || number == "false") {
                return format!("{name}:{number}");
            }
        }
        if ty == Ty::Class(program.known.string) {
            return "String".into();
        }
        let at = self.found.iter().position(|&o| o == object).unwrap_or_else(|| {
            self.found.push(object);
            self.found.len() - 1
        });
        format!("#{at}")
    }
}
