//! Names for the objects of a state: short, and the same before and after the operation.
//!
//! The checked object is `this`; objects in trees go by their places (`n0`, `n1`; one letter per tree if there are a few,
//! `n3.0` if there are many); opaque objects are `o1`, opaque strings `s1`; others the initial of their class and a number;
//! what the operation makes is `new1`. Numbers follow the order of appearance.

use super::Scene;
use ir::heap::Heap;
use ir::space::Presence;
use ir::{ClassId, ClassKind, FieldId, ObjId, Program, Ty, Value};
use rustc_hash::FxHashMap;

/// One letter per tree, as long as they last.
const TREE_LETTERS: [char; 4] = ['n', 'm', 'p', 'q'];

pub struct Names<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) program: &'a Program,
    /// Objects of the state before; the rest is new.
    old: usize,
    given: FxHashMap<ObjId, String>,
    counters: FxHashMap<String, u32>,
    /// What a static field holds goes by its name.
    by_static: FxHashMap<ObjId, FieldId>,
}

impl<'a> Names<'a> {
    pub fn new(scene: &'a Scene<'a>, before: &Heap) -> Names<'a> {
        let program = scene.linked.program;
        let mut by_static = FxHashMap::default();
        for (index, field) in program.fields.iter().enumerate().filter(|(_, f)| f.is_static) {
            let id = FieldId(index as u32);
            if let Some(Value::Obj(object)) = before.get_static(&scene.linked.layout, id) {
                let known = by_static.entry(object).or_insert(id);
                if field.enum_constant {
                    *known = id;
                }
            }
        }
        let old = before.object_count();
        Names { scene, program, old, given: FxHashMap::default(), counters: FxHashMap::default(), by_static }
    }

    /// How a value stands in a sentence or a picture.
    pub fn text(&mut self, heap: &Heap, value: Value, ty: Ty) -> String {
        match value {
            Value::Null => "null".to_string(),
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => integer(value, ty),
            Value::Obj(object) => self.plain(heap, object).unwrap_or_else(|| self.name(heap, object)),
        }
    }

    /// Of an object that has nothing to look into: an enum constant, a string, a box, an opaque object.
    pub fn plain(&mut self, heap: &Heap, object: ObjId) -> Option<String> {
        let Ty::Class(class) = heap.ty(object) else { return None };
        if let Some(&field) = self.by_static.get(&object)
            && self.program.field(field).enum_constant
        {
            return Some(self.program.field(field).name.clone());
        }
        let known = &self.program.known;
        if self.program.class(class).kind == ClassKind::Box {
            let field = *self.program.instance_fields(class).first()?;
            let value = heap.get(object, 0)?;
            let text = self.text(heap, value, self.program.field(field).ty);
            return Some(match self.is_second(heap, object) {
                true => format!("{text} (another box)"),
                false => text,
            });
        }
        if class == known.string {
            return Some(match self.program.strings.get(object.index()) {
                Some(constant) => format!("{constant:?}"),
                None if !self.is_old(object) || object.index() < self.scene.space.statics => "a string".to_string(),
                None => match self.first_like(heap, object) {
                    Some(first) => format!("a copy of {}", self.text(heap, Value::Obj(first), heap.ty(first))),
                    None => self.number(object, "s"),
                },
            });
        }
        (class == known.object).then(|| self.name(heap, object))
    }

    /// Whether there are two boxes of this value in the state, and this is the later one.
    fn is_second(&self, heap: &Heap, object: ObjId) -> bool {
        self.program.identity.boxes && self.is_old(object) && self.first_like(heap, object).is_some()
    }

    /// The object before this one that is equal to it: of strings and boxes that the state shares.
    fn first_like(&self, heap: &Heap, object: ObjId) -> Option<ObjId> {
        let is_there = |o: ObjId| self.scene.space.object(o).presence == Presence::Always;
        let is_like =
            |o: &ObjId| is_there(*o) && heap.ty(*o) == heap.ty(object) && heap.slots(*o) == heap.slots(object);
        (0..object.0).map(ObjId).filter(|_| is_there(object)).find(is_like)
    }

    /// Those that have names by now.
    pub fn named(&self) -> impl Iterator<Item = (ObjId, String)> {
        self.given.iter().map(|(object, name)| (*object, name.clone()))
    }

    pub fn enum_constants(&self) -> impl Iterator<Item = (ObjId, String)> {
        let fields = self.by_static.iter().map(|(object, field)| (*object, self.program.field(*field)));
        fields.filter(|(_, field)| field.enum_constant).map(|(object, field)| (object, field.name.clone()))
    }

    pub fn is_old(&self, object: ObjId) -> bool {
        object.index() < self.old
    }

    /// Names an array by where it was first seen: each has one owner.
    pub fn name_array(&mut self, object: ObjId, owner: &str, field: &str) {
        if self.is_old(object) && !self.given.contains_key(&object) {
            let path = if owner == "this" { field.to_string() } else { format!("{owner}.{field}") };
            self.given.insert(object, path);
        }
    }

    pub fn name(&mut self, heap: &Heap, object: ObjId) -> String {
        if let Some(name) = self.given.get(&object) {
            return name.clone();
        }
        let is_checked = Some(object) == self.scene.space.main
            || (self.scene.operation.kind == ir::OperationKind::Constructor && object.index() == self.old);
        if is_checked {
            return self.give(object, "this".to_string());
        }
        if !self.is_old(object) {
            return self.number(object, "new");
        }
        if let Some(&field) = self.by_static.get(&object) {
            let name = self.program.field(field).name.clone();
            return self.give(object, name);
        }
        if let Some((tree, place)) = self.scene.space.object(object).place {
            let name = match self.scene.space.trees.len() {
                0..=4 => format!("{}{place}", TREE_LETTERS[tree as usize % TREE_LETTERS.len()]),
                _ => format!("n{tree}.{place}"),
            };
            return self.give(object, name);
        }
        match heap.ty(object) {
            Ty::Class(class) if class == self.program.known.object => self.number(object, "o"),
            Ty::Class(class) => {
                let prefix = self.prefix(class);
                self.number(object, &prefix)
            }
            _ => self.number(object, "a"),
        }
    }

    /// The initial of a class, or its name if the letter means something else.
    fn prefix(&self, class: ClassId) -> String {
        let name = simple(&self.program.class(class).name).to_lowercase();
        let initial = name.chars().next().unwrap_or('x');
        if TREE_LETTERS.contains(&initial) || ['o', 's', 'a'].contains(&initial) { name } else { initial.to_string() }
    }

    /// Another heap follows: what is new in it has nothing to do with what was.
    pub fn forget_new(&mut self) {
        let old = self.old;
        self.given.retain(|object, _| object.index() < old);
        self.counters.remove("new");
    }

    fn number(&mut self, object: ObjId, prefix: &str) -> String {
        if let Some(name) = self.given.get(&object) {
            return name.clone();
        }
        let counter = self.counters.entry(prefix.to_string()).or_default();
        *counter += 1;
        let name = format!("{prefix}{counter}");
        self.give(object, name)
    }

    fn give(&mut self, object: ObjId, name: String) -> String {
        self.given.insert(object, name.clone());
        name
    }
}

fn integer(value: i64, ty: Ty) -> String {
    match (ty, u32::try_from(value).ok().and_then(char::from_u32)) {
        (Ty::Char, Some(c)) if c.is_ascii_graphic() || c == ' ' => format!("{c:?}"),
        _ => value.to_string(),
    }
}

/// Without packages and outer classes.
pub fn simple(name: &str) -> &str {
    name.rsplit(['.', '$']).next().unwrap_or(name)
}
