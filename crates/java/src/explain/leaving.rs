//! How an operation leaves the space of states, in a sentence: what it makes, what start states have instead, and the
//! annotation that brings it in.
//!
//! What goes in: a state from which it does so. What comes out: the sentence, or None if the replay does not show it.

use super::{Scene, picture};
use ir::check::{Answer, Judgement, check_invariant};
use ir::heap::Heap;
use ir::interp::{Interp, NoChoice};
use ir::leaving::{Cause, How, Leaving, Members};
use ir::replay::{heap_of, replay};
use ir::{Checked, ClassKind, FieldId, Location, ObjId, Operation, OperationKind, Program, Ty, Value};
use verdict::LeftOut;
use verdict::heap::{Snapshot, SnapshotValue};

/// Must run [with enough stack](work::with_room). The members are of the space that operations start from.
pub fn left_out(scene: &Scene<'_>, statics: &Heap, members: &Members<'_>, cause: Cause) -> Option<LeftOut> {
    let Scene { linked, space, checked, operation, concrete, limits } = *scene;
    let replayed = replay(linked, statics, space, concrete, checked, operation, limits);
    if replayed.judgement != Judgement::Fine {
        return None;
    }
    let found = |object: &ObjId| members.leaving(&replayed.after, *object)?.into_iter().find(|l| l.cause == cause);
    let leaving = replayed.states.iter().find_map(found)?;
    let program = linked.program;
    let field = program.field(cause.field);
    let name = |id: FieldId| name(program, checked, id);
    let (who, this) = (who(program, operation), name(cause.field));
    let (what, remedy) = sentence(program, &replayed.after, &leaving, &this, &name);
    let (before, call) = picture(scene, statics);
    Some(LeftOut {
        id: id(cause.how),
        message: format!("{who} {what}: calls that go on from there were not checked"),
        remedy,
        span: Some(field.span),
        example: Some(example(operation.kind, &before, &call)),
        only_json: is_asked_for(program, cause),
    })
}

/// A cause that nobody could decide about.
pub fn undecided(program: &Program, checked: &Checked, operation: &Operation, cause: Cause) -> LeftOut {
    let (who, this) = (who(program, operation), name(program, checked, cause.field));
    LeftOut {
        id: id(cause.how),
        message: format!("{who} may give {this} a value that no start state has; whether it does was not decided"),
        remedy: String::new(),
        span: Some(program.field(cause.field).span),
        example: None,
        only_json: is_asked_for(program, cause),
    }
}

/// A valid state that is in no start state, since a field has a number outside of its default range there. None if the interpreter finds it
/// invalid. The space of the scene must have it.
pub fn too_narrow(
    scene: &Scene<'_>,
    statics: &Heap,
    field: FieldId,
    at: Location,
    range: (i64, i64),
) -> Option<LeftOut> {
    let Scene { linked, space, checked, concrete, .. } = *scene;
    let mut interp = Interp::new(linked, heap_of(linked, statics, space, concrete), NoChoice, space.n);
    if check_invariant(&mut interp, checked, space.main?, false) != Answer::Holds {
        return None;
    }
    let Value::Int(value) = concrete.objects[at.object.index()][at.slot as usize] else { return None };
    let this = name(linked.program, checked, field);
    let (lo, hi) = range;
    let end = if value == space.n { "n".to_string() } else { hi.max(value).to_string() };
    let (before, _) = picture(scene, statics);
    Some(LeftOut {
        id: if value > hi { "above-range" } else { "below-range" },
        message: format!(
            "a state with {} = {value} satisfies the invariant, but {this} is {lo}..{hi} here: states like it were not checked",
            this.trim_matches('`')
        ),
        remedy: format!("@Range(\"{}..{end}\") on {this} brings them in", lo.min(value)),
        span: Some(linked.program.field(field).span),
        example: Some(fields(&before)).filter(|text| !text.is_empty()),
        only_json: false,
    })
}

fn id(how: How) -> &'static str {
    match how {
        How::Above => "above-range",
        How::Below => "below-range",
        How::Shared => "shared-array",
        How::Class => "other-class",
        How::Null => "null",
        How::Short => "short-array",
        How::Outside => "outside-tree",
    }
}

/// Whether a bound of the user leaves it out. `@NonNull` is no bound but a claim, and this operation makes it untrue: the next call meets a
/// null that no run met.
fn is_asked_for(program: &Program, cause: Cause) -> bool {
    let bound = &program.field(cause.field).bound;
    match cause.how {
        How::Above | How::Below => bound.range.is_some(),
        How::Class => bound.one_of.is_some(),
        How::Short => !bound.lengths.is_empty(),
        How::Null | How::Shared | How::Outside => false,
    }
}

pub(super) fn name(program: &Program, checked: &Checked, field: FieldId) -> String {
    let field = program.field(field);
    match field.class == checked.class {
        true => format!("`{}`", field.name),
        false => format!("`{}.{}`", program.class(field.class).name, field.name),
    }
}

/// Of an array, its elements.
fn is_number(program: &Program, ty: Ty) -> bool {
    match ty {
        Ty::Array(array) => is_number(program, program.element_ty(array)),
        Ty::Class(class) => program.class(class).kind == ClassKind::Box,
        _ => true,
    }
}

fn who(program: &Program, operation: &Operation) -> String {
    if let Some(orders) = &operation.orders {
        let [first, second] = &orders.names;
        return if orders.is_pair { format!("`{first}` and `{second}`") } else { format!("`{first}`") };
    }
    let method = program.method(operation.compared.as_ref().map_or(operation.method, |c| c.operation));
    match operation.kind {
        OperationKind::Constructor => format!("`new {}`", program.class(method.class).name),
        _ => format!("`{}`", method.name),
    }
}

/// What it does, and what brings it in.
fn sentence(
    program: &Program,
    after: &Heap,
    leaving: &Leaving,
    this: &str,
    name: &dyn Fn(FieldId) -> String,
) -> (String, String) {
    let field = program.field(leaving.cause.field);
    let bare = this.trim_matches('`');
    let is_element = matches!(field.ty, Ty::Array(_));
    match (leaving.cause.how, leaving.value) {
        (How::Above | How::Below, Value::Int(value)) => {
            let (lo, hi) = leaving.range;
            let what = match is_element {
                true => format!("puts {value} into {this}, where no start state has it ({lo}..{hi})"),
                false => format!("makes {bare} = {value}, which no start state has ({lo}..{hi})"),
            };
            let (lo, hi) = (lo.min(value), hi.max(value));
            // On an `Object` no range is allowed.
            let remedy = match is_number(program, field.ty) {
                true => format!("@Range(\"{lo}..{hi}\") on {this} brings it in"),
                false => String::new(),
            };
            (what, remedy)
        }
        (How::Shared, value) => {
            let is_array = matches!(value, Value::Obj(object) if matches!(after.ty(object), Ty::Array(_)));
            let thing = if is_array { "array" } else { "box" };
            let what = match leaving.other.filter(|&other| other != leaving.cause.field) {
                Some(other) => {
                    format!("lets {this} and {} be the same {thing}, which they are in no start state", name(other))
                }
                None => format!("puts one {thing} into {this} twice, which no start state has"),
            };
            (what, String::new())
        }
        (How::Class, Value::Obj(object)) => {
            let ty = after.ty(object);
            let what = format!("puts {} into {this}, where no start state has one", article(&program.ty_name(ty)));
            let is_nameable = |c| !program.class(c).is_local && program.class(c).kind == ClassKind::Class;
            let remedy = match ty {
                Ty::Class(class) if is_nameable(class) && !field.is_synthetic => {
                    format!("@OneOf with {}.class on {this} brings it in", program.class(class).name)
                }
                _ => String::new(),
            };
            (what, remedy)
        }
        (How::Null, _) => {
            let what = format!("sets {this} to null, which it is in no start state");
            (what, format!("say in the invariant that {this} is not null, or leave out its @NonNull"))
        }
        (How::Short, Value::Obj(array)) => {
            let what = format!("makes {this} an array of {}, shorter than in any start state", after.len(array));
            (what, format!("a smaller @Length on {this} brings it in"))
        }
        (How::Outside, Value::Obj(object)) => {
            let class = article(&program.ty_name(after.ty(object)));
            // Whether a field of a node is a tree edge is for the user to say.
            let remedy = match after.ty(object) == Ty::Class(field.class) {
                true => format!("if nodes hang on {this}, @Tree on it brings it in"),
                false => String::new(),
            };
            (format!("leaves in {this} {class} that is in no tree, which no start state has"), remedy)
        }
        _ => (format!("gives {this} a value that no start state has"), String::new()),
    }
}

fn article(noun: &str) -> String {
    let is_vowel = noun.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
    format!("{} {noun}", if is_vowel { "an" } else { "a" })
}

/// `add(0) where n = 3, a = [0, 0]`
fn example(kind: OperationKind, before: &Snapshot, call: &str) -> String {
    let state = if kind == OperationKind::Method { fields(before) } else { String::new() };
    if state.is_empty() { call.to_string() } else { format!("{call} where {state}") }
}

/// `n = 3, a = [0, 0]`, of the checked object.
fn fields(before: &Snapshot) -> String {
    let fields = before.objects.first().map_or(&[][..], |main| &main.fields);
    const MOST: usize = 5;
    let mut parts: Vec<String> = Vec::new();
    for field in fields.iter().take(MOST) {
        parts.push(format!("{} = {}", field.name, value(before, &field.value)));
    }
    if fields.len() > MOST {
        parts.push("…".to_string());
    }
    parts.join(", ")
}

fn value(state: &Snapshot, value: &SnapshotValue) -> String {
    match value {
        SnapshotValue::Text(text) => text.clone(),
        SnapshotValue::Null => "null".to_string(),
        SnapshotValue::Object(index) => {
            let object = &state.objects[*index];
            if !object.is_array {
                return object.name.clone();
            }
            let element = |v: &SnapshotValue| match v {
                SnapshotValue::Object(inner) => state.objects[*inner].name.clone(),
                SnapshotValue::Text(text) => text.clone(),
                SnapshotValue::Null => "null".to_string(),
            };
            format!("[{}]", object.fields.iter().map(|f| element(&f.value)).collect::<Vec<_>>().join(", "))
        }
    }
}
