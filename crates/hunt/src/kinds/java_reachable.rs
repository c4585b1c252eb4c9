//! Is what a program can reach among the start states? Random small classes with the fields whose domains are easily too
//! narrow: objects of any class, strings, boxes, arrays that may be shared, integers that are compared with constants.
//!
//! Both engines check every operation. If all are verified, random programs call the constructor and the operations one
//! after another, each on what the last one left. One that gets, within the bounds, to a call that goes wrong has found a
//! state that no check started from.

use crate::chance::Chance;
use crate::{Disagreement, Found, Kind, shrink};
use ir::check::{Judgement, check_operation};
use ir::heap::Heap;
use ir::interp::{Interp, Linked, NoChoice, run_statics, snapshot, text_of, with_stack};
use ir::space::{Domain, Shape, Space, Statics};
use ir::{Checked, ClassId, ObjId, Operation, OperationKind, Program, Ty, Value};
use rustc_hash::FxHashMap;
use search::{GlassBox, Options, Outcome, Strategy, exhaustive};
use std::time::{Duration, Instant};

pub fn kind() -> Kind {
    Kind {
        name: "java-reachable",
        about: "classes that are verified, against programs that call their operations",
        ci: 60,
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
    let inputs = java::Inputs { sources: &mut sources, files: vec![file], library, class: None, method: None };
    let loaded = java::load(inputs).map_err(|problems| Difference::None(problems[0].message.clone()))?;
    let linked = Linked::new(&loaded.program);
    let both = || both(&linked, &loaded.checked[0], seed);
    with_stack(both).unwrap_or_else(|e| Err(Difference::None(e.to_string())))
}

fn both(linked: &Linked<'_>, checked: &Checked, seed: u64) -> Result<&'static str, Difference> {
    let statics = run_statics(linked, SIZE).map_err(|stop| Difference::None(format!("{stop:?}")))?;
    let ground = snapshot(linked, &statics);
    let mut spaces = Vec::new();
    let mut is_verified = true;
    for operation in &checked.operations {
        let space = Space::new(linked.program, checked, operation, SIZE, Shape::Complete, &ground.objects);
        let space = space.map_err(|problem| Difference::None(problem.message))?;
        let exhaustive = answer(exhaustive::search(linked, &statics, &space, checked, operation, &options()).0)?;
        let glass_box = glass_box(linked.program, &space, &ground, checked, operation)?;
        if exhaustive != glass_box {
            let of = |engine: &str, answer: &str| (engine.to_string(), format!("{} is {answer}", operation.name));
            return Err(Difference::Some(vec![of("exhaustive", exhaustive), of("glass box", glass_box)]));
        }
        is_verified &= exhaustive == "verified" && space.left_out.is_empty();
        spaces.push(space);
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
        };
        if let Some(calls) = program.run(&mut chance) {
            let reached = ("a program".to_string(), format!("{} goes wrong", calls.join("; ")));
            return Err(Difference::Some(vec![reached, ("both engines".to_string(), "verified".to_string())]));
        }
    }
    Ok("verified")
}

fn options() -> Options {
    Options {
        size: SIZE,
        shape: Shape::Complete,
        strategy: Strategy::Execution,
        limits: symex::Limits { steps: 20_000, ..symex::Limits::default() },
        deadline: Some(Instant::now() + Duration::from_secs(5)),
        ..Default::default()
    }
}

fn glass_box(
    program: &Program,
    space: &Space,
    statics: &Statics,
    checked: &Checked,
    operation: &Operation,
) -> Result<&'static str, Difference> {
    answer(GlassBox::new(program, space, statics, checked, operation, &options()).search())
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
    spaces: &'a [Space],
    interp: Interp<'a, NoChoice>,
    /// What it made so far.
    known: Vec<ObjId>,
}

impl Run<'_> {
    /// The calls up to one that goes wrong in a state within the bounds.
    fn run(&mut self, chance: &mut Chance) -> Option<Vec<String>> {
        let operations = &self.checked.operations;
        let constructors: Vec<usize> =
            (0..operations.len()).filter(|&i| operations[i].kind == OperationKind::Constructor).collect();
        let methods: Vec<usize> = (0..operations.len()).filter(|i| !constructors.contains(i)).collect();
        if constructors.is_empty() || methods.is_empty() {
            return None;
        }
        let mut calls = Vec::new();
        let mut receiver = None;
        for step in 0..CALLS {
            let index = *chance.pick(if step == 0 { &constructors } else { &methods });
            let operation = &operations[index];
            let parameters = &self.linked.program.method(operation.method).parameters;
            let arguments: Vec<Value> =
                (0..parameters.len()).map(|i| self.argument(chance, index, i, parameters[i].ty)).collect();
            let is_within = self.is_within(&self.spaces[index], receiver, &arguments);
            let next = ObjId(self.interp.heap.object_count() as u32);
            calls.push(format!("{}{}", operation.name, self.shown(&arguments)));
            match check_operation(&mut self.interp, self.checked, operation, receiver, &arguments) {
                Judgement::Fine if step == 0 => receiver = Some(next),
                Judgement::Fine => {}
                Judgement::Violated(_) if is_within => return Some(calls),
                _ => return None,
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
                let constants = program.strings.len();
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
                // Larger boxes are among the start states only if the code can tell them apart.
                let is_box = program.class(class).kind == ir::ClassKind::Box;
                let values: &[i64] = if is_box && program.identity.boxes { &[0, 1, 128] } else { &[0, 1] };
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

    /// Whether a state has no more objects, no longer arrays and no other integers than a space.
    fn is_within(&self, space: &Space, receiver: Option<ObjId>, arguments: &[Value]) -> bool {
        let heap: &Heap = &self.interp.heap;
        let mut seen: Vec<ObjId> = receiver.into_iter().collect();
        seen.extend(arguments.iter().filter_map(|a| if let Value::Obj(o) = a { Some(*o) } else { None }));
        let mut counts: FxHashMap<Ty, usize> = FxHashMap::default();
        let mut next = 0;
        while let Some(&object) = seen.get(next) {
            next += 1;
            if object.index() < space.statics || seen[..next - 1].contains(&object) {
                continue;
            }
            let ty = heap.ty(object);
            let count = counts.entry(ty).or_default();
            *count += 1;
            let alike: Vec<&ir::space::SpaceObject> =
                space.objects.iter().skip(space.statics).filter(|o| o.ty == ty).collect();
            if *count > alike.len() || matches!(ty, Ty::Array(_)) && i64::from(heap.len(object)) > alike[0].length.1 {
                return false;
            }
            for (slot, value) in heap.slots(object).iter().enumerate() {
                let is_known = match *value {
                    Some(Value::Int(i)) if ty != Ty::Class(self.linked.program.known.string) => {
                        alike.iter().any(|o| o.slots.get(slot).is_some_and(|d| holds(d, i)))
                    }
                    Some(Value::Obj(o)) => {
                        seen.push(o);
                        true
                    }
                    _ => true,
                };
                if !is_known {
                    return false;
                }
            }
        }
        true
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
        let guard = tests(chance, ty, one, second);
        let claim = tests(chance, ty, one, second);
        let write = match ty {
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
