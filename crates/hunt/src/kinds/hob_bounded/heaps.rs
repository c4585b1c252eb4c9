//! All heaps within a bound, one by one: a heap is made by choices, and the next one by other choices.
//!
//! With bound n there are up to n objects of each type, and arrays of up to n elements, each of which may be in several places. An
//! array that a set or invariant looks into is nobody's argument, unless it escapes.

use super::module::CUT;
use hob::Program;
use hob::interp::heap_formula::holds;
use hob::interp::{ArrayId, Call, Heap, Machine, ObjId, Options, Script, Stop, Value, ViolationKind};
use hob::program::{HeapInvariant, ModuleId, ProcId, Type, TypeId};
use work::Chance;

/// More heaps are not looked at one by one: then so many are drawn.
const MOST: u64 = 6_000;
const DRAWN: u64 = 3_000;
/// Loops go as far as the greatest number that a module mentions.
const STEPS: u64 = 60_000;

/// The worst that was seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Seen {
    /// No heap meets the precondition.
    Nothing,
    Fine,
    /// By a run-time error.
    Stopped,
    /// A contract or invariant.
    Broken,
}

pub struct Heaps<'p> {
    program: &'p Program,
    n: i64,
    proc: ProcId,
    /// Of objects that there may be.
    types: Vec<TypeId>,
    integers: Vec<i32>,
    invariants: Vec<&'p HeapInvariant>,
    /// Names of variables and fields whose arrays no caller has.
    kept: Vec<&'p str>,
}

/// What is chosen next, of so many.
struct Choices {
    /// Chosen, of how many.
    made: Vec<(usize, usize)>,
    next: usize,
    drawn: Option<Chance>,
}

impl Choices {
    fn choose(&mut self, of: usize) -> usize {
        if let Some(chance) = &mut self.drawn {
            return chance.below(of);
        }
        if self.next == self.made.len() {
            self.made.push((0, of));
        }
        self.next += 1;
        self.made[self.next - 1].0
    }

    /// Whether there are other choices left.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((chosen, of)) = self.made.pop() {
            if chosen + 1 < of {
                self.made.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

/// A heap that is being made, with its arrays by type.
struct Making {
    heap: Heap,
    arrays: Vec<(Type, ArrayId)>,
    /// Those that no caller has.
    kept: Vec<ArrayId>,
}

impl<'p> Heaps<'p> {
    pub fn new(program: &'p Program, text: &str, n: i64, proc: ProcId) -> Heaps<'p> {
        let module = &program.modules[0];
        let mut types: Vec<TypeId> = program.fields.iter().map(|f| f.object).collect();
        types.sort_unstable();
        types.dedup();
        let fields = module.fields.iter().map(|f| program.field(*f).name.as_str());
        let globals = module.globals.iter().map(|g| program.globals[g.index()].name.as_str());
        let parts: Vec<&str> = text.split(CUT).collect();
        let (code, abstraction) = (parts[0], parts.get(2).copied().unwrap_or_default());
        let is_kept = hob::escapes(program, ModuleId(0)).is_empty();
        Heaps {
            program,
            n,
            proc,
            types,
            integers: integers(n as i32, &[numbers(code), numbers(abstraction)].concat()),
            invariants: module.plugins.iter().flat_map(|p| &p.invariants).collect(),
            kept: fields.chain(globals).filter(|name| is_kept && abstraction.contains(&format!("{name}["))).collect(),
        }
    }

    /// The worst, and whether all heaps were looked at. None: a run takes too long.
    pub fn seen(&self, seed: u64) -> Option<(Seen, bool)> {
        let mut choices = Choices { made: Vec::new(), next: 0, drawn: None };
        let mut worst = Seen::Nothing;
        for _ in 0..MOST {
            worst = worst.max(self.one(&mut choices)?);
            if worst == Seen::Broken || !choices.advance() {
                return Some((worst, true));
            }
        }
        choices.drawn = Some(Chance::new(seed));
        for _ in 0..DRAWN {
            worst = worst.max(self.one(&mut choices)?);
        }
        Some((worst, false))
    }

    fn one(&self, choices: &mut Choices) -> Option<Seen> {
        let (program, proc) = (self.program, self.program.proc(self.proc));
        let module = &program.modules[0];
        let mut making = Making { heap: Heap::new(program, 1 << 16), arrays: Vec::new(), kept: Vec::new() };
        for ty in &self.types {
            for _ in 0..choices.choose(self.n as usize + 1) {
                making.heap.allocate(*ty).expect("room");
            }
        }
        for object in (0..making.heap.object_count() as u32).map(ObjId) {
            let ty = making.heap.type_of(object);
            for &field in module.fields.iter().filter(|f| program.field(**f).object == ty) {
                let declared = program.field(field);
                let value = self.value(&declared.ty, &mut making, choices, true);
                self.keep(&declared.name, &value, &mut making);
                making.heap.set_field(object, field, value);
            }
        }
        for &global in &module.globals {
            let declared = &program.globals[global.index()];
            let value = self.value(&declared.ty, &mut making, choices, true);
            self.keep(&declared.name, &value, &mut making);
            making.heap.set_global(global, value);
        }
        let is_valid = |heap: &Heap| self.invariants.iter().all(|i| holds(program, heap, &i.formula) == Some(true));
        if !is_valid(&making.heap) {
            return Some(Seen::Nothing);
        }
        let formals = proc.locals.iter().take(proc.formals as usize);
        let arguments: Vec<Value> = formals.map(|l| self.value(&l.ty, &mut making, choices, false)).collect();
        let mut world = Script::default();
        let options = Options { check_contracts: true, steps: STEPS, depth: 200, ..Options::default() };
        let mut machine = Machine::new(program, &mut world, &options);
        *machine.heap_mut() = making.heap;
        Some(match machine.call(self.proc, &arguments).map_err(|stop| *stop) {
            Ok(_) if is_valid(machine.heap()) => Seen::Fine,
            Ok(_) => Seen::Broken,
            Err(Stop::Violation(v)) if v.kind == ViolationKind::Requires && is_first(&v.stack) => Seen::Nothing,
            Err(Stop::Violation(_)) => Seen::Broken,
            Err(Stop::Steps { .. }) => return None,
            Err(_) => Seen::Stopped,
        })
    }

    /// Any value; of the module, or given to it.
    fn value(&self, ty: &Type, making: &mut Making, choices: &mut Choices, is_own: bool) -> Value {
        match ty {
            Type::Bool => Value::Bool(choices.choose(2) == 1),
            Type::Int => Value::Int(self.integers[choices.choose(self.integers.len())]),
            Type::Object(object) => {
                let objects = making.heap.of_type(*object);
                match choices.choose(objects.len() + 1) {
                    0 => Value::Null,
                    k => Value::Object(objects[k - 1]),
                }
            }
            Type::Array(element) => {
                let known = making.arrays.iter().filter(|(t, a)| t == ty && (is_own || !making.kept.contains(a)));
                let known: Vec<ArrayId> = known.map(|(_, a)| *a).collect();
                let chosen = choices.choose(1 + known.len() + self.n as usize + 1);
                if chosen == 0 {
                    return Value::Null;
                }
                if let Some(array) = known.get(chosen - 1) {
                    return Value::Array(*array);
                }
                let length = chosen - 1 - known.len();
                let array = making.heap.allocate_array(length, &Value::default_of(element)).expect("room");
                for index in 0..length {
                    let value = self.value(element, making, choices, is_own);
                    making.heap.set_element(array, index as i64, value);
                }
                making.arrays.push((ty.clone(), array));
                Value::Array(array)
            }
            _ => Value::Null,
        }
    }

    /// An array that a set looks into, and those that are its elements.
    fn keep(&self, name: &str, value: &Value, making: &mut Making) {
        if let Value::Array(array) = value
            && self.kept.contains(&name)
        {
            making.kept.push(*array);
            for index in 0..making.heap.length(*array) as i64 {
                if let Some(inner @ Value::Array(_)) = making.heap.element(*array, index).cloned() {
                    self.keep(name, &inner, making);
                }
            }
        }
    }
}

/// The numbers of a text; a minus right before one belongs to it.
fn numbers(text: &str) -> Vec<i32> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.split(|c: char| !is_part(c)).filter_map(|word| word.parse().ok()).collect()
}

/// From -1 to n, and what is mentioned with its neighbours; all between those that are near 0.
fn integers(n: i32, mentioned: &[i32]) -> Vec<i32> {
    let (near, far): (Vec<i32>, Vec<i32>) = mentioned.iter().partition(|m| m.abs() < 64);
    let least = near.iter().map(|m| m - 1).min().map_or(-1, |m| m.min(-1));
    let most = near.iter().map(|m| m + 1).max().map_or(n, |m| m.max(n));
    let mut all: Vec<i32> = (least..=most).chain(far.iter().flat_map(|m| m - 1..=m + 1)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn is_first(stack: &[Call]) -> bool {
    stack.last().is_none_or(|call| call.called_at.is_none())
}
