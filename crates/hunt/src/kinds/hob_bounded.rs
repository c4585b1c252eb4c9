//! Modules with the plugin `bounded`: the engine against every heap within the bound, one by one, run by the interpreter with all
//! contracts. It knows nothing of the IR, of numbered objects and of symbols; the heaps have the integers of the same ranges.
//!
//! Modules have lists, arrays, numbers far from 0, quantified integers in sets and invariants, and procedures that call each other.

use crate::chance::Chance;
use crate::{Disagreement, Found, Kind, shrink};
use hob::bounded::{self, Subject, Task, space, witness};
use hob::interp::heap_formula::holds;
use hob::interp::{Call, Heap, Machine, ObjId, Options, Script, Stop, Value, ViolationKind, on_large_stack};
use hob::program::{FieldId, GlobalId, ModuleId, ProcId, Type, TypeId};
use hob::{FileKind, Input, Program};
use ir::interp::{Linked, run_statics, snapshot, with_stack};
use search::{GlassBox, Outcome, Strategy};
use source::SourceMap;

pub fn kind() -> Kind {
    Kind {
        name: "hob-bounded",
        about: "modules with arrays, quantified ints, large numbers, inner calls: the engine against all small heaps",
        ci: 40,
        attempt,
    }
}

/// More heaps are not looked at.
const MOST: u64 = 40_000;
/// Loops go as far as the greatest number that a module mentions.
const STEPS: u64 = 60_000;
/// Between the three sections of a module.
const CUT: &str = "//////";

fn attempt(seed: u64) -> Found {
    let text = module(&mut Chance::new(seed));
    let found = compare(&text);
    if !matches!(found, Found::Disagreed(_)) {
        return found;
    }
    let small = shrink::lines(&text, |t| matches!(compare(t), Found::Disagreed(_)));
    compare(&small)
}

fn compare(text: &str) -> Found {
    let program = match load(text) {
        Ok(program) => program,
        Err(why) => return Found::Skipped(why),
    };
    let Some(plugin_use) = program.modules[0].plugins.first() else { return Found::Skipped("no plugin".into()) };
    let task = match bounded::translate(&program, ModuleId(0), plugin_use) {
        Ok(task) => task,
        Err(told) => return Found::Skipped(format!("{told:?}")),
    };
    let (mut compared, mut violated) = (0, 0);
    let mut why = String::from("too many heaps");
    for operation in 0..task.subjects.len() {
        let Subject::Proc(proc) = task.subjects[operation] else { continue };
        for n in 1..=2 {
            let Some(slow) = on_large_stack(|| Enumerator { program: &program, n, proc }.run()) else { break };
            let fast = ask(&program, &task, operation, n);
            if let Answer::Other(told) = fast {
                why = told;
                break;
            }
            compared += 1;
            violated += usize::from(slow == Answer::Violated);
            if fast != slow {
                let name = &program.proc(proc).name;
                let answers = vec![
                    (format!("the engine on {name} with {n}"), format!("{fast:?}")),
                    ("all heaps".into(), format!("{slow:?}")),
                ];
                return Found::Disagreed(Box::new(Disagreement { input: text.into(), answers }));
            }
        }
    }
    match (compared, violated) {
        (0, _) => Found::Skipped(why),
        (_, 0) => Found::Agreed("verified"),
        _ => Found::Agreed("violated"),
    }
}

fn load(text: &str) -> Result<Program, String> {
    let mut sources = SourceMap::default();
    let kinds = [FileKind::Implementation, FileKind::Specification, FileKind::Abstraction];
    let parts: Vec<&str> = text.split(CUT).collect();
    let inputs: Vec<Input> = parts
        .iter()
        .zip(kinds)
        .map(|(text, kind)| Input { file: sources.add(format!("{kind:?}"), text.to_string()), kind, text })
        .collect();
    let loaded = hob::load(&inputs);
    loaded.program.ok_or_else(|| loaded.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    Verified,
    Violated,
    /// No heap meets the precondition.
    NoState,
    /// Not supported, or a limit.
    Other(String),
}

fn ask(hob: &Program, task: &Task, operation: usize, n: i64) -> Answer {
    let asked = with_stack(|| {
        let (program, checked) = (&task.program, &task.checked);
        let linked = Linked::new(program);
        let heap = run_statics(&linked, n).expect("no initialisers");
        let statics = snapshot(&linked, &heap);
        let space = space::space(hob, task, operation, n);
        let options = search::Options {
            size: n,
            shape: ir::space::Shape::Complete,
            strategy: Strategy::Execution,
            limits: symex::Limits { steps: 20_000, depth: 500, ..Default::default() },
            deadline: None,
            ..Default::default()
        };
        let mut glass_box = GlassBox::new(program, &space, &statics, checked, &checked.operations[operation], &options);
        match glass_box.search() {
            Outcome::Verified => Answer::Verified,
            Outcome::NoState => Answer::NoState,
            Outcome::Violated(found) => match witness::confirm(hob, task, operation, &space, &found) {
                Ok(_) => Answer::Violated,
                Err(why) => Answer::Other(format!("{why:?}")),
            },
            other => Answer::Other(format!("{other:?}")),
        }
    });
    asked.expect("a thread")
}

/// Where a value goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Field(u32, FieldId),
    Global(GlobalId),
    Argument,
}

#[derive(Clone)]
enum Choice {
    Value(Value),
    /// A new array of this length.
    New(usize),
    /// The array at an earlier place.
    Same(usize),
}

enum Slot {
    Place(Place, Type),
    /// Of the array at the place of this number, if it was made there.
    Element(usize, i64),
}

struct Enumerator<'p> {
    program: &'p Program,
    n: i64,
    proc: ProcId,
}

impl Enumerator<'_> {
    /// None: too many, or a run takes too long.
    fn run(&self) -> Option<Answer> {
        let Some(ty) = self.program.fields.first().map(|f| f.object) else { return self.with_objects(&[]) };
        let mut best = Answer::NoState;
        for count in 0..=self.n {
            match self.with_objects(&vec![ty; count as usize])? {
                Answer::NoState => {}
                Answer::Violated => return Some(Answer::Violated),
                other => best = other,
            }
        }
        Some(best)
    }

    fn slots(&self, objects: &[TypeId]) -> Vec<(Slot, Vec<Choice>)> {
        let (program, proc) = (self.program, self.program.proc(self.proc));
        let module = &program.modules[0];
        let mut places: Vec<(Place, Type)> = Vec::new();
        for number in 0..objects.len() as u32 {
            places.extend(module.fields.iter().map(|&f| (Place::Field(number, f), program.field(f).ty.clone())));
        }
        places.extend(module.globals.iter().map(|&g| (Place::Global(g), program.globals[g.index()].ty.clone())));
        places.extend(proc.locals.iter().take(proc.formals as usize).map(|l| (Place::Argument, l.ty.clone())));
        let mut slots: Vec<(Slot, Vec<Choice>)> = Vec::new();
        for (place, ty) in places {
            let Type::Array(element) = &ty else {
                let choices = self.values(&ty, objects).into_iter().map(Choice::Value).collect();
                slots.push((Slot::Place(place, ty), choices));
                continue;
            };
            let at = slots.len();
            let mut choices = vec![Choice::Value(Value::Null)];
            choices.extend((0..=self.n as usize).map(Choice::New));
            let same = slots.iter().enumerate().filter(|(_, (s, _))| matches!(s, Slot::Place(_, t) if *t == ty));
            choices.extend(same.map(|(k, _)| Choice::Same(k)));
            let elements = self.values(element, objects);
            slots.push((Slot::Place(place, ty), choices));
            for index in 0..self.n {
                slots.push((Slot::Element(at, index), elements.iter().cloned().map(Choice::Value).collect()));
            }
        }
        slots
    }

    fn with_objects(&self, objects: &[TypeId]) -> Option<Answer> {
        let slots = self.slots(objects);
        let all = slots.iter().try_fold(1u64, |all, (_, choices)| all.checked_mul(choices.len() as u64));
        if all.is_none_or(|all| all > MOST) {
            return None;
        }
        let mut at = vec![0; slots.len()];
        let mut best = Answer::NoState;
        loop {
            match self.one(objects, &slots, &at)? {
                Answer::NoState => {}
                Answer::Violated => return Some(Answer::Violated),
                other => best = other,
            }
            let Some(next) = (0..slots.len()).find(|&s| at[s] + 1 < slots[s].1.len()) else { return Some(best) };
            at[next] += 1;
            at[..next].fill(0);
        }
    }

    fn values(&self, ty: &Type, objects: &[TypeId]) -> Vec<Value> {
        match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int => {
                let ranges = space::integers(self.program, ModuleId(0)).ranges(self.n);
                ranges.into_iter().flat_map(|(lo, hi)| lo..=hi).map(|number| Value::Int(number as i32)).collect()
            }
            _ => {
                let some = (0..objects.len() as u32).map(|o| Value::Object(ObjId(o)));
                std::iter::once(Value::Null).chain(some).collect()
            }
        }
    }

    fn one(&self, objects: &[TypeId], slots: &[(Slot, Vec<Choice>)], at: &[usize]) -> Option<Answer> {
        let mut heap = Heap::new(self.program, 1 << 16);
        for ty in objects {
            heap.allocate(*ty).expect("room");
        }
        let mut arguments = Vec::new();
        let mut made: Vec<Option<Value>> = vec![None; slots.len()];
        let mut lengths = vec![0; slots.len()];
        for (k, ((slot, choices), &chosen)) in slots.iter().zip(at).enumerate() {
            match (slot, &choices[chosen]) {
                (Slot::Place(place, ty), choice) => {
                    let value = match choice {
                        Choice::Value(value) => value.clone(),
                        Choice::New(length) => {
                            let alike =
                                |j: &usize| matches!(&slots[*j].0, Slot::Place(_, t) if t == ty) && made[*j].is_some();
                            // No more arrays of a type than objects.
                            if (0..k).filter(alike).count() as i64 >= self.n {
                                return Some(Answer::NoState);
                            }
                            let Type::Array(element) = ty else { return None };
                            let array = heap.allocate_array(*length, &Value::default_of(element)).expect("room");
                            made[k] = Some(Value::Array(array));
                            lengths[k] = *length as i64;
                            Value::Array(array)
                        }
                        Choice::Same(earlier) => match &made[*earlier] {
                            Some(array) => array.clone(),
                            None => return Some(Answer::NoState),
                        },
                    };
                    match *place {
                        Place::Field(object, field) => heap.set_field(ObjId(object), field, value),
                        Place::Global(global) => heap.set_global(global, value),
                        Place::Argument => arguments.push(value),
                    }
                }
                (Slot::Element(array, index), Choice::Value(value)) => match &made[*array] {
                    Some(Value::Array(id)) if *index < lengths[*array] => {
                        heap.set_element(*id, *index, value.clone());
                    }
                    // Of elements that are not there, one value is enough.
                    _ if chosen > 0 => return Some(Answer::NoState),
                    _ => {}
                },
                _ => return None,
            }
        }
        let invariants = &self.program.modules[0].plugins[0].invariants;
        let is_valid = |heap: &Heap| invariants.iter().all(|i| holds(self.program, heap, &i.formula) == Some(true));
        if !is_valid(&heap) {
            return Some(Answer::NoState);
        }
        let mut world = Script::default();
        let options = Options { check_contracts: true, steps: STEPS, depth: 200, ..Options::default() };
        let mut machine = Machine::new(self.program, &mut world, &options);
        *machine.heap_mut() = heap;
        Some(match machine.call(self.proc, &arguments).map_err(|stop| *stop) {
            Ok(_) if is_valid(machine.heap()) => Answer::Verified,
            Ok(_) => Answer::Violated,
            Err(Stop::Violation(v)) if v.kind == ViolationKind::Requires && is_first(&v.stack) => Answer::NoState,
            Err(Stop::Steps { .. }) => return None,
            Err(_) => Answer::Violated,
        })
    }
}

fn is_first(stack: &[Call]) -> bool {
    stack.last().is_none_or(|call| call.called_at.is_none())
}

/// What a module has beside its objects.
struct Maker<'c> {
    chance: &'c mut Chance,
    numbers: Vec<i64>,
    has_root: bool,
    /// `E` or `int`.
    array: Option<&'static str>,
    has_flag: bool,
    sets: Vec<&'static str>,
    /// The procedure's formals.
    formals: Vec<(&'static str, &'static str)>,
    /// Those that were made: names and formals.
    procs: Vec<(String, Vec<&'static str>)>,
}

/// A module as text: one statement, clause or definition per line.
fn module(chance: &mut Chance) -> String {
    let far = [0, 1, 2, 3, 5, 63, 64, 100, 255, 1000, -1, -2, -64, -1000];
    let numbers = (0..2).map(|_| *chance.pick(&far)).collect();
    let array = *chance.pick(&[None, Some("E"), Some("int")]);
    let (has_root, has_flag) = (chance.one_in(2), chance.one_in(3));
    let mut maker =
        Maker { chance, numbers, has_root, array, has_flag, sets: Vec::new(), formals: Vec::new(), procs: Vec::new() };
    let mut definitions = vec![("A", format!("\"x.k = {}\"", maker.number()))];
    let (c0, c1) = (maker.number(), maker.number());
    definitions.push(match maker.chance.below(3) {
        0 => ("B", format!("\"exists i : int. {c0} < i & i <= {c1} & x.k = i\"")),
        1 => ("B", format!("\"not (forall i : int. i >= x.k => i > {c0})\"")),
        _ => ("B", format!("\"exists i : int. exists j : int. size <= i & i < j & j <= x.k & j != {c0}\"")),
    });
    if has_root {
        definitions.push(("C", "\"root<next*>x\"".into()));
    }
    if array == Some("E") {
        definitions.push(("D", "\"exists i : int. 0 <= i & i < size & d[i] = x\"".into()));
    } else if array == Some("int") {
        definitions.push(("D", "\"exists i : int. d[i] = x.k & i < size\"".into()));
    }
    while definitions.len() > 1 + maker.chance.below(3) {
        let drop = maker.chance.below(definitions.len());
        definitions.remove(drop);
    }
    maker.sets = definitions.iter().map(|(name, _)| *name).collect();
    let mut abstraction = String::from("abst module M {\n use plugin \"bounded\";\n");
    for (name, definition) in &definitions {
        abstraction += &format!(" {name} = {{ x : E | {definition} }};\n");
    }
    for _ in 0..maker.chance.below(3) {
        abstraction += &format!(" invariant \"{}\";\n", maker.invariant());
    }
    abstraction += "}\n";

    let mut code = String::from("impl module M {\n format E { k : int; next : E; }\n var size : int;\n");
    if has_root {
        code += " reference root : E;\n";
    }
    if let Some(element) = array {
        code += &format!(" reference d : {element}[];\n");
    }
    if has_flag {
        code += " var flag : bool;\n";
    }
    let mut specification = String::from("spec module M {\n format E;\n");
    specification += &format!(" specvar {} : E set;\n", maker.sets.join(", "));
    for k in 0..1 + maker.chance.below(2) {
        maker.proc(&format!("p{k}"), &mut code, &mut specification);
    }
    format!("{code}}}\n{CUT}\n{specification}}}\n{CUT}\n{abstraction}")
}

impl Maker<'_> {
    fn number(&mut self) -> i64 {
        let k = self.chance.below(self.numbers.len());
        self.numbers[k]
    }

    fn invariant(&mut self) -> String {
        let c = self.number();
        let mut all = vec![
            "0 <= size".to_string(),
            format!("size < {c}"),
            format!("forall x : E. x.k <= {c}"),
            format!("exists i : int. i > {c} & i < size"),
            "forall x : E. forall i : int. (i < x.k & 0 <= i) => i < size".to_string(),
            "forall x : E. not x<next+>x".to_string(),
        ];
        match self.array {
            Some("E") => all.extend([
                "forall i : int. 0 <= i & i < size => d[i] != null".to_string(),
                "d = null => size = 0".to_string(),
                "d != null & size <= d.length".to_string(),
                "forall i : int. forall j : int. 0 <= i & i < j & j < size => d[i] != d[j]".to_string(),
                format!("forall i : int. d[i + 1] != null => (d[i] != null | i < {c})"),
            ]),
            Some(_) => all.extend([
                "forall i : int. 0 <= i & i < size => d[i] <= size".to_string(),
                format!("forall i : int. i < size => d[i] != {c}"),
                "forall i : int. 0 <= i & i + 1 < size => d[i] <= d[i + 1]".to_string(),
                "forall i : int. (exists j : int. d[j] = i) => 0 <= i".to_string(),
                "forall i : int. 0 <= i & i < size => d[size - 1 - i] >= 0".to_string(),
            ]),
            None => {}
        }
        self.chance.pick(&all).clone()
    }

    fn int(&mut self) -> String {
        let mut all =
            vec![self.number().to_string(), "size".into(), self.number().to_string(), "size + 1".into(), "0".into()];
        for (name, ty) in self.formals.clone() {
            match ty {
                "int" => all.extend([name.into(), format!("{name} - 1")]),
                _ => all.push(format!("{name}.k")),
            }
        }
        if self.array.is_some() && self.chance.one_in(4) {
            all.push("d.length".into());
        }
        if self.array == Some("int") && self.chance.one_in(3) {
            all.push("d[0]".into());
        }
        self.chance.pick(&all).clone()
    }

    fn object(&mut self) -> String {
        let mut all = vec!["null".to_string()];
        all.extend(self.formals.iter().filter(|(_, ty)| *ty == "E").map(|(name, _)| name.to_string()));
        if self.has_root {
            all.push("root".into());
        }
        if self.array == Some("E") && self.chance.one_in(2) {
            all.push(format!("d[{}]", self.int()));
        }
        self.chance.pick(&all).clone()
    }

    fn condition(&mut self) -> String {
        match self.chance.below(5) {
            0 => format!("{} == {}", self.object(), self.object()),
            1 if self.has_flag => "flag".into(),
            2 if self.array.is_some() => "d != null".into(),
            _ => {
                let op = *self.chance.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("{} {op} {}", self.int(), self.int())
            }
        }
    }

    fn statements(&mut self, depth: usize, indent: usize, code: &mut String) {
        for _ in 0..1 + self.chance.below(2) {
            self.statement(depth, indent, code);
        }
    }

    fn statement(&mut self, depth: usize, indent: usize, code: &mut String) {
        let space = " ".repeat(indent);
        let is_object = self.formals.iter().any(|(name, _)| *name == "e");
        let line = match self.chance.below(10) {
            0 | 1 if depth > 0 => {
                let guard = if is_object && self.chance.one_in(3) { "e != null && " } else { "" };
                *code += &format!("{space}if ({guard}{}) {{\n", self.condition());
                self.statements(depth - 1, indent + 1, code);
                if self.chance.one_in(3) {
                    *code += &format!("{space}}} else {{\n");
                    self.statements(depth - 1, indent + 1, code);
                }
                *code += &format!("{space}}}\n");
                return;
            }
            2 if is_object => format!("e.k = {};", self.int()),
            3 => format!("size = {};", self.int()),
            4 if self.has_root => format!("root = {};", self.object()),
            4 | 5 if is_object => format!("e.next = {};", self.object()),
            6 if self.array == Some("E") => format!("d[{}] = {};", self.int(), self.object()),
            6 if self.array.is_some() => format!("d[{}] = {};", self.int(), self.int()),
            7 if self.array.is_some() => {
                let element = self.array.unwrap_or("int");
                format!("d = new {element}[{}];", *self.chance.pick(&["0", "1", "2", "70"]))
            }
            8 if !self.procs.is_empty() => {
                let k = self.chance.below(self.procs.len());
                let (name, formals) = self.procs[k].clone();
                let actuals: Vec<String> =
                    formals.iter().map(|ty| if *ty == "int" { self.int() } else { self.object() }).collect();
                format!("{name}({});", actuals.join(", "))
            }
            9 if self.has_flag => format!("flag = {};", self.condition()),
            9 => format!("if (size < 3) {{ size = size + 1; }} else {{ size = {}; }}", self.int()),
            _ => {
                let (set, other) = (self.set(), self.set());
                let formula = match self.chance.below(3) {
                    0 => format!("{set}' = {other}'"),
                    1 => format!("{set} <= {set}'"),
                    _ => format!("({set}' = {{}}) | (not ({set}' = {other}))"),
                };
                format!("assert \"{formula}\";")
            }
        };
        *code += &format!("{space}{line}\n");
    }

    fn set(&mut self) -> &'static str {
        let k = self.chance.below(self.sets.len());
        self.sets[k]
    }

    fn proc(&mut self, name: &str, code: &mut String, specification: &mut String) {
        self.formals = match self.chance.below(4) {
            0 => vec![("i", "int")],
            1 => vec![("e", "E"), ("i", "int")],
            _ => vec![("e", "E")],
        };
        let formals: Vec<String> = self.formals.iter().map(|(name, ty)| format!("{name} : {ty}")).collect();
        let has_result = self.chance.one_in(3);
        let result = if has_result { " returns b : bool" } else { "" };
        let head = format!("proc {name}({}){result}", formals.join("; "));
        *code += &format!(" {head} {{\n");
        self.statements(2, 2, code);
        if has_result {
            *code += &format!("  return {};\n", self.condition());
        }
        *code += " }\n";
        let is_object = self.formals[0].0 == "e";
        let (set, other) = (self.set(), self.set());
        let requires = match self.chance.below(4) {
            0 if is_object => format!(" requires (card(e) = 1) & (not (e in {set}))"),
            1 if is_object => " requires card(e) = 1".into(),
            2 => format!(" requires {set} = {{}}"),
            _ => String::new(),
        };
        let modified: Vec<&str> = self.sets.clone().into_iter().filter(|_| !self.chance.one_in(4)).collect();
        let modifies = if modified.is_empty() { String::new() } else { format!(" modifies {}", modified.join(", ")) };
        let ensures = match self.chance.below(6) {
            0 if is_object => format!("{set}' <= {set} + e"),
            1 if is_object && has_result => format!("b' => (e in {set}')"),
            2 => format!("{set}' <= {other}'"),
            3 if is_object => format!("(e in {set}') | ({other}' <= {other})"),
            4 => format!("card({set}') <= 1"),
            _ => "true".into(),
        };
        *specification += &format!(" {head}{requires}{modifies} ensures {ensures};\n");
        self.procs.push((name.into(), self.formals.iter().map(|(_, ty)| *ty).collect()));
    }
}
