//! An operation beside that of the abstraction: both states before, both results, both states after, and what differs.

use super::names::{Names, simple};
use super::{Ending, Scene};
use ir::check::{Cause, Violation};
use ir::heap::Heap;
use ir::interp::{Interp, NoChoice, Outcome};
use ir::{Compared, ObjId, OperationKind, Ty, Value};
use verdict::heap::Picture;

/// The abstractions: before, as the abstract operation leaves it, and of the object afterwards.
pub(super) fn pictures(
    scene: &Scene<'_>,
    compared: &Compared,
    names: &mut Names<'_>,
    before: &Heap,
    ending: &Ending,
) -> Vec<Picture> {
    let Compared { abstraction, operation, .. } = compared;
    let method = &scene.linked.program.method(*operation).name;
    let mut pictures = Vec::new();
    let mut draw = |title: String, heap: &Heap, value: Value| {
        names.forget_new();
        pictures.push(Picture { title, state: names.abstract_snapshot(heap, value) });
    };
    if let Some((heap, value)) = scene.space.main.and_then(|main| abstracted(scene, compared, before, main)) {
        draw(format!("as {abstraction}, before"), &heap, value);
    }
    if let Some(value) = Both::of(scene, ending).and_then(|both| both.abstraction()) {
        draw(format!("as {abstraction}, after {abstraction}.{method}"), &ending.heap, value);
    }
    if let Some((heap, value)) = ending.receiver.and_then(|main| abstracted(scene, compared, &ending.heap, main)) {
        draw(format!("as {abstraction}, after {method}"), &heap, value);
    }
    pictures
}

/// The abstraction of an object, made in a copy of the heap.
fn abstracted(scene: &Scene<'_>, compared: &Compared, heap: &Heap, object: ObjId) -> Option<(Heap, Value)> {
    let mut interp = Interp::new(scene.linked, heap.clone(), NoChoice, scene.space.n);
    interp.limits = scene.limits;
    match interp.run_virtual(compared.function, &[Value::Obj(object)]) {
        Outcome::Normal(Some(value)) => Some((interp.heap, value)),
        _ => None,
    }
}

/// What the driver returned.
pub(super) struct Both<'a> {
    scene: &'a Scene<'a>,
    heap: &'a Heap,
    object: ObjId,
}

impl<'a> Both<'a> {
    pub fn of(scene: &'a Scene<'a>, ending: &'a Ending) -> Option<Both<'a>> {
        match ending.outcome {
            Outcome::Normal(Some(Value::Obj(object))) => Some(Both { scene, heap: &ending.heap, object }),
            _ => None,
        }
    }

    /// A field of it, with its type.
    fn field(&self, name: &str) -> Option<(Value, Ty)> {
        let program = self.scene.linked.program;
        let Ty::Class(class) = self.heap.ty(self.object) else { return None };
        let fields = program.instance_fields(class);
        let slot = fields.iter().position(|f| program.field(*f).name == name)?;
        Some((self.heap.get(self.object, slot as u32)?, program.field(fields[slot]).ty))
    }

    /// The abstraction after its own operation.
    pub fn abstraction(&self) -> Option<Value> {
        self.field("a").map(|(value, _)| value).filter(|value| *value != Value::Null)
    }

    /// What the abstraction function threw: then neither operation was run.
    fn thrown_before(&self) -> Option<String> {
        match self.field("w") {
            Some((Value::Obj(thrown), _)) => {
                Some(simple(&self.scene.linked.program.ty_name(self.heap.ty(thrown))).to_string())
            }
            _ => None,
        }
    }

    /// Whether one of the results is the object that was called, and the other is not.
    fn only_one_is_itself(&self, receiver: Option<ObjId>) -> bool {
        let is_receiver = |value: Value| receiver.is_some_and(|receiver| value == Value::Obj(receiver));
        match (self.field("r"), self.field("s"), self.abstraction()) {
            (Some((r, _)), Some((s, _)), Some(a)) => is_receiver(r) != (s == a),
            _ => false,
        }
    }

    /// What the operation did, or the abstract one.
    fn outcome(&self, names: &mut Names<'_>, is_abstract: bool) -> String {
        let (result, thrown) = if is_abstract { ("s", "u") } else { ("r", "t") };
        self.told(names, result, thrown)
    }

    /// By the names of the fields: `returns null`, `throws EmptyStackException`, `returns`.
    pub fn told(&self, names: &mut Names<'_>, result: &str, thrown: &str) -> String {
        match (self.field(thrown), self.field(result)) {
            (Some((Value::Obj(x), _)), _) => {
                format!("throws {}", simple(&self.scene.linked.program.ty_name(self.heap.ty(x))))
            }
            (_, Some((value, ty))) => format!("returns {}", self.value(names, value, ty)),
            _ => "returns".to_string(),
        }
    }

    /// Of an array its elements, as that is what is compared.
    fn value(&self, names: &mut Names<'_>, value: Value, ty: Ty) -> String {
        let Value::Obj(object) = value else { return names.text(self.heap, value, ty) };
        let Ty::Array(array) = self.heap.ty(object) else { return names.text(self.heap, value, ty) };
        let element = self.scene.linked.program.element_ty(array);
        let all = (0..self.heap.len(object)).map(|i| match self.heap.get(object, i) {
            Some(value) => self.value(names, value, element),
            None => "?".to_string(),
        });
        format!("{{{}}}", all.collect::<Vec<_>>().join(", "))
    }

    /// Whether both results are shown alike.
    fn looks_alike(&self, names: &mut Names<'_>) -> bool {
        self.outcome(names, false) == self.outcome(names, true)
    }

    pub fn outcomes(&self, names: &mut Names<'_>, compared: &Compared) -> String {
        let method = &self.scene.linked.program.method(compared.operation).name;
        if let Some(thrown) = self.thrown_before() {
            return format!("not run: `{}` throws {thrown}", self.scene.linked.program.method(compared.function).name);
        }
        let (ours, theirs) = (self.outcome(names, false), self.outcome(names, true));
        match ours == theirs {
            true => format!("{ours}, and so does {}.{method}", compared.abstraction),
            false => format!("{ours}, but {}.{method} {theirs}", compared.abstraction),
        }
    }
}

/// A sentence for a comparison that failed, if it is one.
pub(super) fn violation(
    scene: &Scene<'_>,
    names: &mut Names<'_>,
    ending: &Ending,
    broken: &Violation,
) -> Option<(String, String)> {
    let compared = scene.operation.compared.as_ref()?;
    let Cause::Spec { method, .. } = broken.cause else { return None };
    let name = &scene.linked.program.method(compared.operation).name;
    let is_constructor = scene.operation.kind == OperationKind::Constructor;
    let abstraction = &compared.abstraction;
    if is_constructor && method == compared.same_result {
        let message = format!("`new {name}` does not make what `new {abstraction}` makes");
        return Some((message, "its abstraction is not equal to a new one".to_string()));
    }
    if is_constructor && method == compared.same_state {
        let message = format!("`new {name}` changes its argument, which `new {abstraction}` does not");
        return Some((message, "leaves another argument".to_string()));
    }
    if method == compared.same_result {
        let both = Both::of(scene, ending)?;
        let missing = match both.thrown_before() {
            Some(class) => Some(format!("throws {class}")),
            None => both.abstraction().is_none().then(|| "returns null".to_string()),
        };
        if let Some(missing) = missing {
            let function = &scene.linked.program.method(compared.function).name;
            let message = format!("`{function}` {missing} in a valid state: `{name}` cannot be compared there");
            return Some((message, "the state before it has no abstraction".to_string()));
        }
        if both.only_one_is_itself(ending.receiver) {
            let message = format!(
                "`{name}` does not behave like `{}.{name}`: only one of them returns the object that was called",
                compared.abstraction
            );
            return Some((message, "another object than the abstraction's".to_string()));
        }
        let outcomes = both.outcomes(names, compared);
        // Equal numbers in two boxes that are known as objects only, for example.
        let other = if both.looks_alike(names) { ", but not the same object" } else { "" };
        let message = format!("`{name}` does not behave like `{}.{name}`: it {outcomes}{other}", compared.abstraction);
        return Some((message, "another result than the abstraction's".to_string()));
    }
    (method == compared.same_state).then(|| {
        let message = format!(
            "`{name}` does not behave like `{abstraction}.{name}`: afterwards the abstraction of the object is not equal to what `{abstraction}.{name}` made"
        );
        (message, "leaves another state than the abstraction's".to_string())
    })
}
