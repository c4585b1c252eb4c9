//! Is what a program can reach among the start states? Random small classes with the fields whose domains are easily too
//! narrow: objects of any class, strings, boxes, arrays that may be shared, integers that are compared with constants.
//!
//! Both engines check every operation. If all are verified, random programs call the constructor and the operations one
//! after another, each on what the last one left. One that gets, within the bounds, to a call that goes wrong has found a
//! state that no check started from. If it has numbers or classes of objects that start states do not have, the engines must
//! have said that an operation makes them.

use crate::{Disagreement, Found, Kind, shrink};
use ir::check::{Judgement, check_operation};
use ir::heap::Heap;
use ir::interp::{Interp, Linked, NoChoice, run_statics, snapshot, text_of};
use ir::leaving::{Cause, How};
use ir::space::{Domain, Shape, Space};
use ir::{Checked, ClassId, FieldId, ObjId, OperationKind, Ty, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use search::{GlassBox, Observer, Options, Outcome, Strategy, exhaustive};
use std::sync::Arc;
use std::time::Duration;
use work::Chance;
use work::with_room;

pub fn kind() -> Kind {
    Kind {
        name: "java-reachable",
        about: "classes that are verified, against programs that call their operations",
        ci: 28,
        attempt,
    }
}

const SIZE: i64 = 2;
/// Random programs per class, and calls of each.
const PROGRAMS: usize = 60;
const CALLS: usize = 6;

fn attempt(seed: u64) -> Found {
    let text = class(&mut Chance::new(seed));
    match compare(&text, seed) {
        Ok(answer) => Found::Agreed(answer),
        Err(Difference::None(why)) => Found::Skipped(why),
        Err(Difference::Some(answers)) => {
            let is_same =
                |text: &str| matches!(compare(text, seed), Err(Difference::Some(a)) if a[0].0 == answers[0].0);
            let input = shrink::lines(&text, is_same);
            let answers = match compare(&input, seed) {
                Err(Difference::Some(answers)) => answers,
                _ => answers,
            };
            Found::Disagreed(Box::new(Disagreement { input, answers }))
        }
    }
}

enum Difference {
    None(String),
    Some(Vec<(String, String)>),
}

fn compare(text: &str, seed: u64) -> Result<&'static str, Difference> {
    let mut sources = source::SourceMap::default();
    let file = sources.add("C.java", text);
    let library = &java::no_library;
    let inputs = java::Inputs { library, ..java::Inputs::new(&mut sources, vec![file]) };
    let loaded = java::load(inputs).map_err(|problems| Difference::None(problems[0].message.clone()))?;
    let linked = Linked::new(&loaded.program);
    // Then boxes that Java does not cache are among the start states.
    let tells_boxes = ["b == d", "b != d", "b == u", "b != u"].iter().any(|same| text.contains(same));
    let both = || both(&linked, &loaded.checked[0], tells_boxes, seed);
    with_room(both).unwrap_or_else(|e| Err(Difference::None(e.to_string())))
}

fn both(linked: &Linked<'_>, checked: &Checked, tells_boxes: bool, seed: u64) -> Result<&'static str, Difference> {
    let statics = run_statics(linked, SIZE).map_err(|stop| Difference::None(format!("{stop:?}")))?;
    let ground = Arc::new(snapshot(linked, &statics));
    let mut spaces = Vec::new();
    let mut is_verified = true;
    // What the engines say to leave the start states, by cause.
    let mut told: [FxHashSet<Cause>; 2] = Default::default();
    for operation in &checked.operations {
        let space = Space::new(linked.program, checked, operation, SIZE, Shape::Complete, &ground.objects);
        spaces.push(Arc::new(space.map_err(|problem| Difference::None(problem.message))?));
    }
    let method = checked.operations.iter().position(|o| o.kind == OperationKind::Method);
    for (operation, space) in checked.operations.iter().zip(&spaces) {
        let states = method.filter(|_| operation.kind == OperationKind::Constructor).map(|m| spaces[m].clone());
        let options = [options(&states), options(&states)];
        let exhaustive = answer(exhaustive::search(linked, &statics, space, checked, operation, &options[0]).0)?;
        let glass_box =
            answer(GlassBox::new(linked.program, space, &ground, checked, operation, &options[1]).search())?;
        for (told, options) in told.iter_mut().zip(options) {
            let observed = options.observe.map(|o| o.observed()).unwrap_or_default();
            told.extend(observed.left.into_keys().chain(observed.undecided));
        }
        if exhaustive != glass_box {
            let of = |engine: &str, answer: &str| (engine.to_string(), format!("{} is {answer}", operation.name));
            return Err(Difference::Some(vec![of("exhaustive", exhaustive), of("glass box", glass_box)]));
        }
        is_verified &= exhaustive == "verified" && space.left_out.is_empty();
    }
    if !is_verified {
        return Ok("violated");
    }
    let mut chance = Chance::new(seed ^ 0x5eed);
    for _ in 0..PROGRAMS {
        let mut program = Run {
            linked,
            checked,
            spaces: &spaces,
            interp: Interp::new(linked, statics.clone(), NoChoice, SIZE),
            known: Vec::new(),
            tells_boxes,
        };
        let Some((calls, needed)) = program.run(&mut chance) else { continue };
        let show = |c: &Cause| format!("{} {:?}", linked.program.field(c.field).name, c.how);
        let reached = ("a program".to_string(), format!("{} goes wrong", calls.join("; ")));
        for (engine, told) in ["exhaustive", "glass box"].iter().zip(&told) {
            if needed.is_empty() || needed.iter().any(|causes| !causes.iter().any(|c| told.contains(c))) {
                let said = told.iter().map(show).collect::<Vec<_>>().join(", ");
                let answer = (engine.to_string(), format!("verified, leaving by [{said}]"));
                return Err(Difference::Some(vec![reached, answer]));
            }
        }
    }
    Ok("verified")
}

fn options(states: &Option<Arc<Space>>) -> Options {
    Options {
        observe: Some(Observer::new(states.clone())),
        size: SIZE,
        shape: Shape::Complete,
        strategy: Strategy::Execution,
        limits: symex::Limits { steps: 20_000, ..symex::Limits::default() },
        stop: work::Stop::after(Duration::from_secs(5)),
        ..Default::default()
    }
}

fn answer(outcome: Outcome) -> Result<&'static str, Difference> {
    match outcome {
        Outcome::Verified | Outcome::AllDropped => Ok("verified"),
        Outcome::Violated(_) => Ok("violated"),
        other => Err(Difference::None(format!("{other:?}"))),
    }
}

/// A program that uses the class.
struct Run<'a> {
    linked: &'a Linked<'a>,
    checked: &'a Checked,
    spaces: &'a [Arc<Space>],
    interp: Interp<'a, NoChoice>,
    /// What it made so far.
    known: Vec<ObjId>,
    /// The code compares boxes by `==`.
    tells_boxes: bool,
}

impl Run<'_> {
    /// The calls up to one that goes wrong in a state within the bounds, and how the first state on the way that is not a start
    /// state leaves; nothing if the last one is a start state.
    fn run(&mut self, chance: &mut Chance) -> Option<(Vec<String>, Vec<Vec<Cause>>)> {
        let operations = &self.checked.operations;
        let constructors: Vec<usize> =
            (0..operations.len()).filter(|&i| operations[i].kind == OperationKind::Constructor).collect();
        let methods: Vec<usize> = (0..operations.len()).filter(|i| !constructors.contains(i)).collect();
        if constructors.is_empty() || methods.is_empty() {
            return None;
        }
        let mut calls = Vec::new();
        let mut receiver = None;
        // From the first state on that is not a start state.
        let mut left: Option<Vec<Vec<Cause>>> = None;
        for step in 0..CALLS {
            let index = *chance.pick(if step == 0 { &constructors } else { &methods });
            let operation = &operations[index];
            let parameters = &self.linked.program.method(operation.method).parameters;
            let arguments: Vec<Value> =
                (0..parameters.len()).map(|i| self.argument(chance, index, i, parameters[i].ty)).collect();
            let here = self.leaving(&self.spaces[index], receiver, &arguments);
            let next = ObjId(self.interp.heap.object_count() as u32);
            calls.push(format!("{}{}", operation.name, self.shown(&arguments)));
            match check_operation(&mut self.interp, self.checked, operation, receiver, &arguments) {
                Judgement::Fine if step == 0 => receiver = Some(next),
                Judgement::Fine => {}
                // What was passed, and not kept, may be anything.
                Judgement::Violated(_) => {
                    let causes = if here?.is_empty() { Vec::new() } else { left.filter(|l| !l.is_empty())? };
                    return Some((calls, causes));
                }
                _ => return None,
            }
            if left.is_none() {
                // If it has grown, nobody says how it leaves later on.
                left = match self.leaving(&self.spaces[methods[0]], receiver, &[]) {
                    Some(causes) if causes.is_empty() => None,
                    causes => Some(causes.unwrap_or_default()),
                };
            }
        }
        None
    }

    fn shown(&self, arguments: &[Value]) -> String {
        let shown = |v: &Value| match v {
            Value::Obj(o) => format!("{}@{}", self.linked.program.ty_name(self.interp.heap.ty(*o)), o.0),
            Value::Int(i) => i.to_string(),
            other => format!("{other:?}"),
        };
        format!("({})", arguments.iter().map(shown).collect::<Vec<_>>().join(", "))
    }

    fn argument(&mut self, chance: &mut Chance, operation: usize, index: usize, ty: Ty) -> Value {
        match &self.spaces[operation].arguments[index] {
            Domain::Bool => return Value::Bool(chance.one_in(2)),
            Domain::Int { lo, hi } => return Value::Int(lo + chance.below((hi - lo + 1) as usize) as i64),
            Domain::Ints(values) => return Value::Int(*chance.pick(values)),
            _ => {}
        }
        if chance.one_in(6) {
            return Value::Null;
        }
        let program = self.linked.program;
        let fits = |o: &ObjId| program.is_subtype(self.interp.heap.ty(*o), ty);
        let known: Vec<ObjId> = self.known.iter().copied().filter(fits).collect();
        if !known.is_empty() && !chance.one_in(3) {
            return Value::Obj(*chance.pick(&known));
        }
        let new = self.new_object(chance, ty);
        self.known.extend(new);
        new.map_or(Value::Null, Value::Obj)
    }

    fn new_object(&mut self, chance: &mut Chance, ty: Ty) -> Option<ObjId> {
        let program = self.linked.program;
        let (heap, layout) = (&mut self.interp.heap, &self.linked.layout);
        match ty {
            Ty::Array(array) => {
                let element = program.element_ty(array);
                let fill = ir::heap::default_value(element);
                let new = heap.allocate_filled(ty, chance.below(SIZE as usize + 1) as u32, Some(fill));
                for slot in 0..heap.len(new) {
                    if element.is_integral() {
                        heap.set(new, slot, Value::Int(chance.below(2) as i64));
                    }
                }
                Some(new)
            }
            Ty::Class(class) if class == program.known.string => {
                let constants = program.constants().len();
                let which = chance.below(constants + 1);
                if which < constants && chance.one_in(2) {
                    return Some(ObjId(which as u32));
                }
                let new = heap.allocate(layout, class);
                heap.set(new, 0, Value::Int(if which < constants { text_of(which) } else { -1 }));
                Some(new)
            }
            Ty::Class(class) if class == program.known.object => {
                let named = |c: &ClassId| {
                    let info = program.class(*c);
                    !info.is_abstract && (info.is_input && info.name != "C" || info.name == "Integer")
                };
                let mut classes: Vec<ClassId> = (0..program.classes.len() as u32).map(ClassId).filter(named).collect();
                classes.extend([program.known.string, class]);
                match *chance.pick(&classes) {
                    object if object == class => Some(heap.allocate(layout, class)),
                    other => self.new_object(chance, Ty::Class(other)),
                }
            }
            Ty::Class(class) => {
                let is_box = program.class(class).kind == ir::ClassKind::Box;
                let values: &[i64] = if is_box && self.tells_boxes { &[0, 1, 128] } else { &[0, 1] };
                let new = heap.allocate(layout, class);
                for (slot, field) in program.instance_fields(class).into_iter().enumerate() {
                    if program.field(field).ty.is_integral() {
                        heap.set(new, slot as u32, Value::Int(*chance.pick(values)));
                    }
                }
                Some(new)
            }
            _ => None,
        }
    }

    /// How a state is none of a space, if it has no more objects and no longer arrays: of each number or object that is never
    /// there, the causes that would say so. None if it has grown.
    fn leaving(&self, space: &Space, receiver: Option<ObjId>, arguments: &[Value]) -> Option<Vec<Vec<Cause>>> {
        let (heap, program): (&Heap, _) = (&self.interp.heap, self.linked.program);
        let given = arguments.iter().filter_map(|a| if let Value::Obj(o) = a { Some(*o) } else { None });
        // With the field that an array or a box hangs on.
        let mut seen: Vec<(ObjId, Option<FieldId>)> = receiver.into_iter().chain(given).map(|o| (o, None)).collect();
        let mut counts: FxHashMap<Ty, usize> = FxHashMap::default();
        let (mut causes, mut next) = (Vec::new(), 0);
        while let Some(&(object, holder)) = seen.get(next) {
            next += 1;
            let is_known = |(o, _): &(ObjId, Option<FieldId>)| *o == object;
            if object.index() < space.statics || seen[..next - 1].iter().any(is_known) {
                continue;
            }
            let ty = heap.ty(object);
            let count = counts.entry(ty).or_default();
            *count += 1;
            let alike: Vec<&ir::space::SpaceObject> =
                space.objects.iter().skip(space.statics).filter(|o| o.ty == ty).collect();
            if alike.is_empty() {
                causes.push(holder.map(|field| Cause { field, how: How::Class }).into_iter().collect());
                continue;
            }
            if *count > alike.len() || matches!(ty, Ty::Array(_)) && i64::from(heap.len(object)) > alike[0].length.1 {
                return None;
            }
            let fields = match ty {
                Ty::Class(class) if program.class(class).kind != ir::ClassKind::Box => program.instance_fields(class),
                _ => Vec::new(),
            };
            for (slot, value) in heap.slots(object).iter().enumerate() {
                let field = fields.get(slot).copied().or(holder);
                match *value {
                    Some(Value::Int(i)) if ty != Ty::Class(program.known.string) => {
                        let is_there = alike.iter().any(|o| o.slots.get(slot).is_some_and(|d| holds(d, i)));
                        let decides = field.is_none_or(|f| program.field(f).bound.seen.decides);
                        if !is_there && decides {
                            let hows = [How::Above, How::Below].into_iter();
                            causes.push(hows.flat_map(|how| field.map(|field| Cause { field, how })).collect());
                        }
                    }
                    Some(Value::Obj(o)) => seen.push((o, field)),
                    _ => {}
                }
            }
        }
        Some(causes)
    }
}

fn holds(domain: &Domain, value: i64) -> bool {
    match domain {
        Domain::Int { lo, hi } => (*lo..=*hi).contains(&value),
        Domain::Ints(values) => values.contains(&value),
        Domain::Fixed(fixed) => *fixed == Value::Int(value),
        _ => false,
    }
}

/// Fields by type: two each, so that they may be the same or equal.
const FIELDS: [(&str, &str, &str); 6] = [
    ("int", "x", "y"),
    ("Object", "o", "q"),
    ("String", "s", "t"),
    ("Integer", "b", "d"),
    ("int[]", "a", "c"),
    ("P", "p", "r"),
];

/// A class of one line per member.
fn class(chance: &mut Chance) -> String {
    let count = 1 + chance.below(2);
    let mut chosen: Vec<(&str, &str, &str)> = Vec::new();
    while chosen.len() < count {
        let field = *chance.pick(&FIELDS);
        if !chosen.contains(&field) {
            chosen.push(field);
        }
    }
    let mut lines = vec!["import glassbox.*;".to_string(), "public class C {".to_string()];
    lines.push("static class P { int v; @Declarative public boolean equals(Object z) { return z instanceof P && ((P) z).v == v; } }".into());
    for (ty, one, other) in &chosen {
        let fresh = *ty == "int[]" && chance.one_in(2);
        let initial = if fresh { " = new int[1]" } else { "" };
        lines.push(format!("{ty} {one}{initial};"));
        lines.push(format!("{ty} {other}{initial};"));
    }
    lines.push("@Declarative boolean repOk() { return true; }".into());
    let (ty, one, other) = *chance.pick(&chosen);
    lines.push(match chance.below(4) {
        0 => format!("public C({ty} u, {ty} w) {{ {one} = u; {other} = w; }}"),
        1 => format!("public C({ty} u) {{ {one} = u; {other} = u; }}"),
        2 => format!("public C({ty} u) {{ {one} = u; }}"),
        _ => "public C() { }".into(),
    });
    for (ty, one, other) in &chosen {
        if chance.one_in(2) {
            lines.push(match chance.below(4) {
                0 => format!("public void set{one}({ty} u) {{ {one} = u; }}"),
                1 => format!("public void set{one}({ty} u) {{ {other} = u; }}"),
                2 => format!("public void tie{one}() {{ {one} = {other}; }}"),
                _ => format!("public {ty} get{one}() {{ return {other}; }}"),
            });
        }
    }
    for number in 0..1 + chance.below(2) {
        let (ty, one, other) = *chance.pick(&chosen);
        let second = if chance.one_in(3) { "u" } else { other };
        let (mut guard, mut claim) = (tests(chance, ty, one, second), tests(chance, ty, one, second));
        if chance.one_in(2) {
            let (before, after) = *chance.pick(apart(ty));
            (guard, claim) = (pick(chance, &[before], one, second), pick(chance, &[after], one, second));
        }
        let write = match ty {
            "int[]" if claim.contains("!= 1") => format!("if ({one} != null && {one}.length > 0) {one}[0] = 1; "),
            "int[]" => format!("if ({one} != null && {one}.length > 0) {one}[0] = {}; ", chance.below(2)),
            "int" => pick(chance, &["", "{one} = {one} + 1; ", "{one} = -{two}; ", "{one} = {one} % 3; "], one, second),
            _ => String::new(),
        };
        lines.push(format!("public void op{number}({ty} u) {{"));
        lines.push(format!("if ({guard}) {{"));
        lines.push(write);
        lines.push(format!("assert {claim};"));
        lines.push("}".into());
        lines.push("}".into());
    }
    lines.push("}".into());
    lines.join("\n") + "\n"
}

fn pick(chance: &mut Chance, from: &[&str], one: &str, two: &str) -> String {
    chance.pick(from).replace("{one}", one).replace("{two}", two)
}

/// Conditions of which the second follows from the first unless two are equal and not the same, or are the same.
fn apart(ty: &str) -> &'static [(&'static str, &'static str)] {
    match ty {
        "int" => &[("{one} > 50", "{one} > 49"), ("{one} == 20", "{two} <= 20")],
        "int[]" => &[
            (
                "{two} == null || {two}.length == 0 || {two}[0] != 1",
                "{two} == null || {two}.length == 0 || {two}[0] != 1",
            ),
            ("{one} != null && {two} != null", "{one} != {two}"),
        ],
        "Integer" => &[
            ("{one} != null && {one}.equals({two})", "{one} == {two}"),
            ("{one} != null && {two} != null && {one} > 127", "{one} != {two}"),
        ],
        "Object" => &[
            ("{one} instanceof P && {one}.equals({two})", "{one} == {two}"),
            ("{one} instanceof String && {one}.equals({two})", "{one} == {two}"),
        ],
        _ => &[("{one} != null && {one}.equals({two})", "{one} == {two}")],
    }
}

/// A condition on two values of a type; about half of them hold rarely, half nearly always.
fn tests(chance: &mut Chance, ty: &str, one: &str, two: &str) -> String {
    let of_any = ["true", "{one} == {two}", "{one} != {two}"];
    let of_references =
        ["{one} == null || {one}.equals({two})", "{one} == null || !{one}.equals({two})", "{one} != null"];
    let more: &[&str] = match ty {
        "int" => &[
            "{one} < 5",
            "{one} > -2",
            "{one} != 40",
            "{one} % 3 != 2",
            "{one} >> 1 < 2",
            "{one} <= {two}",
            "Math.abs({one}) >= 0",
        ],
        "Object" => &[
            "!({one} instanceof P)",
            "!({one} instanceof Integer)",
            "!({one} instanceof String)",
            "{one} instanceof P && ((P) {one}).v == 1",
            "{one} != this",
            "!(\"k\".equals({one}))",
            "!({one} instanceof C)",
        ],
        "String" => &["{one} != \"k\"", "\"k\".equals({one})", "!\"k\".equals({one})"],
        "Integer" => &["{one} == null || {one} < 100", "{one} != null && {one} > 127"],
        "int[]" => &[
            "{one} == null || {one}.length < 2",
            "{one} == null || {one}.length == 0 || {one}[0] == 0",
            "{two} == null || {two}.length == 0 || {two}[0] != 1",
        ],
        _ => &["{one} == null || {one}.v < 2", "{one} == null || {two} == null || {one}.v == {two}.v"],
    };
    let group = match (chance.below(3), ty) {
        (0, _) => &of_any[..],
        (1, "int" | "int[]") | (2, _) => more,
        _ => &of_references[..],
    };
    pick(chance, group, one, two)
}
