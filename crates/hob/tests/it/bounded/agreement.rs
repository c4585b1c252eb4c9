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
use hob::program::{FieldId, GlobalId, HeapInvariant, ProcId, Type, TypeId};
use work::on_large_stack;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    Argument,
}

struct Enumerator<'p> {
    program: &'p Program,
    invariants: &'p [HeapInvariant],
    n: i64,
    proc: ProcId,
}

impl Enumerator<'_> {
    fn types(&self) -> Vec<TypeId> {
        let module = self.program.module(self.program.proc(self.proc).module);
        let proc = self.program.proc(self.proc);
        let mut types: Vec<TypeId> = module.fields.iter().map(|f| self.program.field(*f).object).collect();
        let formals = proc.locals.iter().take(proc.formals as usize).map(|l| &l.ty);
        types.extend(
            formals.chain(module.globals.iter().map(|g| &self.program.globals[g.index()].ty)).filter_map(element),
        );
        types.sort_unstable();
        types.dedup();
        types
    }

    fn run(&self) -> Found {
        let types = self.types();
        let mut counts = vec![0; types.len()];
        let mut best = Found::Nothing;
        loop {
            match self.with_objects(&types, &counts) {
                Found::Violation => return Found::Violation,
                Found::AllFine => best = Found::AllFine,
                Found::Nothing => {}
            }
            let Some(next) = counts.iter().position(|&c| c < self.n) else { return best };
            counts[next] += 1;
            counts[..next].fill(0);
        }
    }

    fn with_objects(&self, types: &[TypeId], counts: &[i64]) -> Found {
        let module = self.program.module(self.program.proc(self.proc).module);
        let proc = self.program.proc(self.proc);
        let mut objects: Vec<TypeId> = Vec::new();
        for (ty, &count) in types.iter().zip(counts) {
            objects.extend((0..count).map(|_| *ty));
        }
        let mut slots: Vec<(Slot, Vec<Value>)> = Vec::new();
        for (number, ty) in objects.iter().enumerate() {
            for &field in &module.fields {
                if self.program.field(field).object == *ty {
                    let values = self.values(&self.program.field(field).ty, &objects);
                    slots.push((Slot::Field(number as u32, field), values));
                }
            }
        }
        for &global in &module.globals {
            match &self.program.globals[global.index()].ty {
                Type::Array(element) => {
                    let lengths = (0..=self.n + 1).map(|l| Value::Int(l as i32)).collect();
                    slots.push((Slot::Length(global), lengths));
                    for index in 0..self.n {
                        slots.push((Slot::Element(global, index), self.values(element, &objects)));
                    }
                }
                ty => slots.push((Slot::Global(global), self.values(ty, &objects))),
            }
        }
        for formal in proc.locals.iter().take(proc.formals as usize) {
            slots.push((Slot::Argument, self.values(&formal.ty, &objects)));
        }
        let mut at = vec![0; slots.len()];
        let mut best = Found::Nothing;
        loop {
            match self.one(&objects, &slots, &at) {
                Found::Violation => return Found::Violation,
                Found::AllFine => best = Found::AllFine,
                Found::Nothing => {}
            }
            let Some(next) = (0..slots.len()).find(|&s| at[s] + 1 < slots[s].1.len()) else { return best };
            at[next] += 1;
            at[..next].fill(0);
        }
    }

    fn values(&self, ty: &Type, objects: &[TypeId]) -> Vec<Value> {
        match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int => {
                let module = self.program.proc(self.proc).module;
                let ranges = bounded::space::integers(self.program, module).ranges(self.n);
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

    fn one(&self, objects: &[TypeId], slots: &[(Slot, Vec<Value>)], at: &[usize]) -> Found {
        let mut heap = Heap::new(self.program, 1 << 16);
        for ty in objects {
            heap.allocate(*ty).expect("room");
        }
        let mut arguments = Vec::new();
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
                        return Found::Nothing;
                    }
                }
                Slot::Argument => arguments.push(value),
            }
        }
        let is_valid =
            |heap: &Heap| self.invariants.iter().all(|i| holds(self.program, heap, &i.formula) == Some(true));
        if !is_valid(&heap) {
            return Found::Nothing;
        }
        let mut best = Found::Nothing;
        for seed in 0..self.seeds() {
            let mut world = Script::default();
            let options = Options { check_contracts: true, steps: 5_000, depth: 200, seed, ..Options::default() };
            let mut machine = Machine::new(self.program, &mut world, &options);
            *machine.heap_mut() = heap.clone();
            match machine.call(self.proc, &arguments).map_err(|stop| *stop) {
                Ok(_) if is_valid(machine.heap()) => best = Found::AllFine,
                Ok(_) => return Found::Violation,
                Err(Stop::Violation(v)) if v.kind == ViolationKind::Requires && is_first(&v.stack) => {}
                Err(Stop::Assumption { .. }) => {}
                Err(_) => return Found::Violation,
            }
        }
        best
    }

    /// One that is free may go on in several ways.
    fn seeds(&self) -> u64 {
        let body = self.program.proc(self.proc).body.as_deref().unwrap_or_default();
        if format!("{body:?}").contains("Havoc(") || format!("{body:?}").contains("Choice(") { 24 } else { 1 }
    }
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
    let mut found = String::new();
    for (operation, name) in subject.operations() {
        let bounded::Subject::Proc(proc) = subject.task.subjects[operation] else { continue };
        if !wanted(&name) {
            continue;
        }
        let invariants = &subject.task.invariants;
        let slow = on_large_stack(|| Enumerator { program: &subject.program, invariants, n, proc }.run());
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
    for (module, most) in [("list", 3), ("dlist", 3), ("arrayset", 3), ("tree", 2), ("hashtable", 2), ("bag", 2)] {
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
