//! Arrays that two fields or parameters hold at the start of a counterexample: whoever knows that they never do can say so.

use super::Scene;
use super::leaving::name;
use ir::heap::Heap;
use ir::{ObjId, Ty, Value};
use rustc_hash::FxHashSet;

/// A line for each such array.
pub fn notes(scene: &Scene<'_>, before: &Heap) -> Vec<String> {
    let program = scene.linked.program;
    let mut walk = Walk { scene, heap: before, seen: FxHashSet::default(), holders: Vec::new() };
    for root in scene.space.roots() {
        walk.value(Value::Obj(root), "");
    }
    let parameters = program.method(scene.operation.method).parameters.iter();
    for (parameter, &value) in parameters.zip(&scene.concrete.arguments) {
        walk.value(value, &format!("`{}`", parameter.name));
    }
    let mut notes: Vec<String> = Vec::new();
    for (index, (array, first)) in walk.holders.iter().enumerate() {
        let Some((_, second)) = walk.holders[index + 1..].iter().find(|(other, _)| other == array) else { continue };
        let what = match first == second {
            true => format!("{first} holds one array twice here; `@Owned` on it says that it never does"),
            false => {
                format!("{first} and {second} hold the same array here; `@Owned` on either says that they never do")
            }
        };
        if !notes.contains(&what) {
            notes.push(what);
        }
    }
    notes
}

struct Walk<'a> {
    scene: &'a Scene<'a>,
    heap: &'a Heap,
    seen: FxHashSet<ObjId>,
    /// Arrays, and the fields or parameters that hold them, themselves or as elements.
    holders: Vec<(ObjId, String)>,
}

impl Walk<'_> {
    fn value(&mut self, value: Value, holder: &str) {
        let Value::Obj(object) = value else { return };
        if object.index() < self.scene.space.statics {
            return;
        }
        let ty = self.heap.ty(object);
        if matches!(ty, Ty::Array(_)) {
            self.holders.push((object, holder.to_string()));
        }
        if !self.seen.insert(object) {
            return;
        }
        let program = self.scene.linked.program;
        let fields = match ty {
            Ty::Class(class) => program.instance_fields(class),
            _ => Vec::new(),
        };
        for slot in 0..self.heap.len(object) {
            let Some(value) = self.heap.get(object, slot) else { continue };
            match fields.get(slot as usize) {
                Some(&field) => self.value(value, &name(program, self.scene.checked, field)),
                None => self.value(value, holder),
            }
        }
    }
}
