//! Every heap of so many objects, with every choice of arguments: what a procedure breaks there.
//!
//! Only what the module's text mentions is varied; objects that differ in nothing but their numbers are tried in one order.

use hob::Program;
use hob::interp::{Machine, Options, Script, Stop, Value, ViolationKind};
use hob::program::{FieldId, GlobalId, ProcId, Type};

/// Of all runs together.
const MOST_STEPS: u64 = 3_000_000;

/// Which of several values each thing has: a number in a mixed radix.
struct Wheels {
    sizes: Vec<u64>,
    at: Vec<u64>,
}

impl Wheels {
    fn turn(&mut self) -> bool {
        for (at, size) in self.at.iter_mut().zip(&self.sizes) {
            *at += 1;
            if *at < *size {
                return true;
            }
            *at = 0;
        }
        false
    }
}

/// What the runs came to.
#[derive(PartialEq, Eq, Debug)]
pub enum Runs {
    Fine,
    /// The first run that broke something.
    Broken(String),
    TooMany,
}

/// Runs a procedure on every heap of so many objects, unless these are too many.
pub fn all(program: &Program, text: &str, proc: ProcId, objects: u64, most_runs: u64) -> Runs {
    let field = |name: &str| {
        let at = program.fields.iter().position(|f| f.name == name);
        at.map(|at| FieldId(at as u32))
    };
    let fields = ["s", "b", "c", "next", "kids"].map(field);
    let [Some(s), Some(b), Some(c), Some(next), Some(kids)] = fields else { return Runs::TooMany };
    let global = |name: &str| {
        let at = program.globals.iter().position(|g| g.name == name);
        at.map(|at| GlobalId(at as u32))
    };
    let (Some(g), Some(root), Some(d)) = (global("g"), global("root"), global("d")) else { return Runs::TooMany };
    let Type::Object(ty) = program.proc(proc).locals[0].ty else { return Runs::TooMany };
    // Declarations mention everything once.
    let code = &text[text.find("proc ").unwrap_or(0)..];
    let mentions = |name: &str, many: u64| if code.contains(name) { many } else { 1 };
    let may_be_null = if code.contains("(card(x) <= 1)") { 1 } else { 0 };
    let of_object = [
        4,
        2,
        mentions(".c", 2).max(mentions("E", 2)).max(mentions("F", 2)),
        mentions("next", objects + 1),
        mentions("kids", 2),
    ];
    let elements = [mentions("d[", objects + 1).max(mentions("kids", objects + 1)), mentions("kids", objects + 1)];
    let wheel = [
        2,
        mentions("root", objects + 1),
        elements[0],
        elements[0],
        elements[1],
        elements[1],
        objects + may_be_null,
        objects + may_be_null,
        2,
        mentions("n;", 5).max(mentions("n ", 5)).max(mentions("n)", 5)),
    ];
    let mut wheels = Wheels { sizes: wheel.to_vec(), at: Vec::new() };
    (0..objects).for_each(|_| wheels.sizes.extend(of_object));
    wheels.at = vec![0; wheels.sizes.len()];
    let orders: u64 = (1..=objects).product();
    if wheels.sizes.iter().try_fold(1u64, |n, size| n.checked_mul(*size)).is_none_or(|n| n / orders > most_runs) {
        return Runs::TooMany;
    }
    let is_alike = of_object[3] == 1 && wheel[1] == 1 && wheel[2] == 1;
    let options = Options { check_contracts: true, steps: 300, ..Options::default() };
    let mut world = Script::default();
    let mut steps = 0;
    loop {
        let (rest, fields) = wheels.at.split_at(wheel.len());
        // Objects that nothing points at but the arguments are in order.
        let in_order = !is_alike || fields.chunks(of_object.len()).is_sorted();
        if in_order {
            let mut machine = Machine::new(program, &mut world, &options);
            let heap = machine.heap_mut();
            let all: Vec<_> = (0..objects).filter_map(|_| heap.allocate(ty).ok()).collect();
            let object = |k: u64| all.get(k as usize).map_or(Value::Null, |o| Value::Object(*o));
            for (at, values) in all.iter().zip(fields.chunks(of_object.len())) {
                heap.set_field(*at, s, Value::Int(values[0] as i32));
                heap.set_field(*at, b, Value::Bool(values[1] == 1));
                heap.set_field(*at, c, Value::Bool(values[2] == 1));
                heap.set_field(*at, next, if of_object[3] == 1 { Value::Null } else { object(values[3]) });
            }
            heap.set_global(g, Value::Bool(rest[0] == 1));
            if wheel[1] > 1 {
                heap.set_global(root, object(rest[1]));
            }
            if wheel[2] > 1
                && let (Ok(array), Ok(other)) =
                    (heap.allocate_array(2, &Value::Null), heap.allocate_array(2, &Value::Null))
            {
                for (k, array) in [(2, array), (4, other)] {
                    heap.set_element(array, 0, object(rest[k]));
                    heap.set_element(array, 1, object(rest[k + 1]));
                }
                heap.set_global(d, Value::Array(array));
                for (at, values) in all.iter().zip(fields.chunks(of_object.len())) {
                    heap.set_field(*at, kids, Value::Array(if values[4] == 1 { array } else { other }));
                }
            }
            let arguments =
                [object(rest[6]), object(rest[7]), Value::Bool(rest[8] == 1), Value::Int(rest[9] as i32 - 1)];
            let stop = match machine.may_call(proc, &arguments) {
                Some(true) => machine.call(proc, &arguments).err(),
                _ => None,
            };
            steps += machine.steps();
            if let Some(stop) = stop
                && let Stop::Violation(violation) = *stop
            {
                // Who does not do as the callee requires is to blame, whoever notices.
                let by_callee = violation.stack.len() > 1
                    && !matches!(violation.kind, ViolationKind::Requires | ViolationKind::Leaving);
                if !by_callee {
                    return Runs::Broken(format!("{:?} with fields {fields:?}, the rest {rest:?}", violation.kind));
                }
            }
        }
        // Loops that do not end.
        if steps > MOST_STEPS {
            return Runs::TooMany;
        }
        if !wheels.turn() {
            return Runs::Fine;
        }
    }
}
