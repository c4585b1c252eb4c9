//! The slow path: all heaps within the bound, one by one, run by the interpreter. It knows nothing of the IR and its engine.
//!
//! A heap has up to n objects of each type that the module gives fields or takes as arguments, fields and variables with every value,
//! one array per variable of array type.

use super::engine::{Answer, Subject, texts};
use super::seeded::{FAULTS, with_fault};
use hob::Program;
use hob::bounded;
use hob::interp::heap_formula::holds;
use hob::interp::{Call, Heap, Machine, Options, Script, Stop, Value, ViolationKind};
use hob::program::{FieldId, GlobalId, HeapInvariant, Module, ModuleId, ProcId, Type, TypeId};
use work::on_large_stack;

/// From the least to what decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Found {
    /// No heap meets the precondition.
    Nothing,
    AllFine,
    Violation,
}

/// Where a value goes.
#[derive(Clone, Copy)]
enum Slot {
    Field(u32, FieldId),
    Global(GlobalId),
    /// The length of a variable's array, 0 for null.
    Length(GlobalId),
    Element(GlobalId, i64),
}

struct Enumerator<'p> {
    program: &'p Program,
    invariants: &'p [HeapInvariant],
    n: i64,
    module: ModuleId,
    procs: &'p [ProcId],
}

impl Enumerator<'_> {
    fn module(&self) -> &Module {
        self.program.module(self.module)
    }

    fn types(&self) -> Vec<TypeId> {
        let mut types: Vec<TypeId> = self.module().fields.iter().map(|f| self.program.field(*f).object).collect();
        let formals = self.procs.iter().flat_map(|p| self.formals(*p));
        let globals = self.module().globals.iter().map(|g| &self.program.globals[g.index()].ty);
        types.extend(formals.chain(globals).filter_map(element));
        types.sort_unstable();
        types.dedup();
        types
    }

    fn formals(&self, proc: ProcId) -> impl Iterator<Item = &Type> {
        let proc = self.program.proc(proc);
        proc.locals.iter().take(proc.formals as usize).map(|l| &l.ty)
    }

    /// What there is of each procedure. Every heap is made once for all of them.
    fn run(&self) -> Vec<Found> {
        let types = self.types();
        let choices = vec![self.n as usize + 1; types.len()];
        let mut found = vec![Found::Nothing; self.procs.len()];
        let mut counts = vec![0; types.len()];
        loop {
            let objects: Vec<TypeId> = types.iter().zip(&counts).flat_map(|(ty, &count)| vec![*ty; count]).collect();
            self.with_objects(&objects, &mut found);
            let is_known = found.iter().all(|f| *f == Found::Violation);
            if is_known || !advance(&mut counts, &choices) {
                return found;
            }
        }
    }

    fn with_objects(&self, objects: &[TypeId], found: &mut [Found]) {
        let mut slots: Vec<(Slot, Vec<Value>)> = Vec::new();
        for (number, ty) in objects.iter().enumerate() {
            for &field in &self.module().fields {
                if self.program.field(field).object == *ty {
                    let values = self.values(&self.program.field(field).ty, objects);
                    slots.push((Slot::Field(number as u32, field), values));
                }
            }
        }
        for &global in &self.module().globals {
            match &self.program.globals[global.index()].ty {
                Type::Array(element) => {
                    let lengths = (0..=self.n + 1).map(|l| Value::Int(l as i32)).collect();
                    slots.push((Slot::Length(global), lengths));
                    for index in 0..self.n {
                        slots.push((Slot::Element(global, index), self.values(element, objects)));
                    }
                }
                ty => slots.push((Slot::Global(global), self.values(ty, objects))),
            }
        }
        let arguments = |p: &ProcId| self.formals(*p).map(|ty| self.values(ty, objects)).collect();
        let arguments: Vec<Vec<Vec<Value>>> = self.procs.iter().map(arguments).collect();
        let choices: Vec<usize> = slots.iter().map(|(_, values)| values.len()).collect();
        let mut at = vec![0; slots.len()];
        loop {
            if let Some(heap) = self.heap(objects, &slots, &at) {
                for ((found, proc), arguments) in found.iter_mut().zip(self.procs).zip(&arguments) {
                    *found = self.with_arguments(*proc, &heap, arguments, *found);
                }
            }
            if !advance(&mut at, &choices) {
                return;
            }
        }
    }

    fn with_arguments(&self, proc: ProcId, heap: &Heap, arguments: &[Vec<Value>], mut found: Found) -> Found {
        let choices: Vec<usize> = arguments.iter().map(Vec::len).collect();
        let mut at = vec![0; choices.len()];
        while found != Found::Violation {
            let chosen: Vec<Value> =
                arguments.iter().zip(&at).map(|(values, &chosen)| values[chosen].clone()).collect();
            found = found.max(self.one(proc, heap, &chosen));
            if !advance(&mut at, &choices) {
                break;
            }
        }
        found
    }

    fn values(&self, ty: &Type, objects: &[TypeId]) -> Vec<Value> {
        match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int => {
                let ranges = bounded::space::integers(self.program, self.module).ranges(self.n);
                ranges.into_iter().flat_map(|(lo, hi)| lo..=hi).map(|number| Value::Int(number as i32)).collect()
            }
            Type::Object(ty) => {
                let of_type = (0..objects.len() as u32).filter(|&o| objects[o as usize] == *ty);
                let some = of_type.map(|o| Value::Object(hob::interp::ObjId(o)));
                std::iter::once(Value::Null).chain(some).collect()
            }
            other => panic!("no values of {other:?}"),
        }
    }

    /// The heap with these values, if it is one to begin with.
    fn heap(&self, objects: &[TypeId], slots: &[(Slot, Vec<Value>)], at: &[usize]) -> Option<Heap> {
        let mut heap = Heap::new(self.program, 1 << 16);
        for ty in objects {
            heap.allocate(*ty).expect("room");
        }
        for ((slot, values), &chosen) in slots.iter().zip(at) {
            let value = values[chosen].clone();
            match *slot {
                Slot::Field(object, field) => heap.set_field(hob::interp::ObjId(object), field, value),
                Slot::Global(global) => heap.set_global(global, value),
                Slot::Length(global) => {
                    let Value::Int(length) = value else { continue };
                    if length > 0 {
                        let array = heap.allocate_array(length as usize - 1, &Value::Null).expect("room");
                        heap.set_global(global, Value::Array(array));
                    }
                }
                Slot::Element(global, index) => {
                    let fits = match heap.global(global) {
                        Value::Array(array) => heap.set_element(*array, index, value),
                        _ => false,
                    };
                    // Of elements that are not there, one value is enough.
                    if !fits && chosen > 0 {
                        return None;
                    }
                }
            }
        }
        self.is_valid(&heap).then_some(heap)
    }

    fn is_valid(&self, heap: &Heap) -> bool {
        self.invariants.iter().all(|i| holds(self.program, heap, &i.formula) == Some(true))
    }

    fn one(&self, proc: ProcId, heap: &Heap, arguments: &[Value]) -> Found {
        let mut best = Found::Nothing;
        for seed in 0..self.seeds(proc) {
            let mut world = Script::default();
            let options = Options { check_contracts: true, steps: 5_000, depth: 200, seed, ..Options::default() };
            let mut machine = Machine::new(self.program, &mut world, &options);
            *machine.heap_mut() = heap.clone();
            match machine.call(proc, arguments).map_err(|stop| *stop) {
                Ok(_) if self.is_valid(machine.heap()) => best = Found::AllFine,
                Ok(_) => return Found::Violation,
                Err(Stop::Violation(v)) if v.kind == ViolationKind::Requires && is_first(&v.stack) => {}
                Err(Stop::Assumption { .. }) => {}
                Err(_) => return Found::Violation,
            }
        }
        best
    }

    /// One that is free may go on in several ways.
    fn seeds(&self, proc: ProcId) -> u64 {
        let body = self.program.proc(proc).body.as_deref().unwrap_or_default();
        if format!("{body:?}").contains("Havoc(") || format!("{body:?}").contains("Choice(") { 24 } else { 1 }
    }
}

/// The next of all ways to choose, as an odometer counts; false after the last.
fn advance(at: &mut [usize], choices: &[usize]) -> bool {
    let Some(next) = (0..at.len()).find(|&i| at[i] + 1 < choices[i]) else { return false };
    at[next] += 1;
    at[..next].fill(0);
    true
}

fn is_first(stack: &[Call]) -> bool {
    stack.last().is_none_or(|call| call.called_at.is_none())
}

fn element(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Object(object) => Some(*object),
        Type::Array(inner) => element(inner),
        _ => None,
    }
}

/// The differences between the engine and the enumeration, for the operations that `wanted` names.
pub fn differences(subject: &Subject, n: i64, wanted: &dyn Fn(&str) -> bool) -> String {
    let proc_of = |operation: usize| match subject.task.subjects[operation] {
        bounded::Subject::Proc(proc) => Some(proc),
        _ => None,
    };
    let asked = subject.operations().filter(|(_, name)| wanted(name));
    let asked: Vec<_> = asked.filter_map(|(operation, name)| Some((operation, name, proc_of(operation)?))).collect();
    let procs: Vec<ProcId> = asked.iter().map(|(.., proc)| *proc).collect();
    let (program, invariants) = (&subject.program, &subject.task.invariants[..]);
    let module = subject.task.module;
    let slow = on_large_stack(|| Enumerator { program, invariants, n, module, procs: &procs }.run());
    let mut found = String::new();
    for ((operation, name, _), slow) in asked.into_iter().zip(slow) {
        let fast = subject.ask(operation, n).0;
        let agrees = matches!(
            (&fast, slow),
            (Answer::Verified, Found::AllFine)
                | (Answer::Refuted(_), Found::Violation)
                | (Answer::NoState, Found::Nothing)
        );
        if !agrees {
            found += &format!("{name} at {n}: the engine says {fast:?}, the enumeration {slow:?}\n");
        }
    }
    found
}

#[test]
fn the_engine_agrees_with_all_heaps_on_right_modules() {
    let mut wrong = String::new();
    for (module, most) in [("list", 3), ("dlist", 2), ("arrayset", 2), ("tree", 2), ("hashtable", 2), ("bag", 2)] {
        let subject = Subject::new(&texts(module));
        for n in 1..=most {
            wrong += &differences(&subject, n, &|_| true);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_engine_agrees_with_all_heaps_on_faults() {
    let mut wrong = String::new();
    for fault in FAULTS {
        let subject = Subject::new(&with_fault(fault));
        for n in 1..=2 {
            let told = differences(&subject, n, &|name| n == 1 || name == fault.operation);
            if !told.is_empty() {
                wrong += &format!("{} with {:?}: {told}", fault.module, fault.instead);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
