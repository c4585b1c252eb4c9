//! Random sequences of calls of a module's public procedures, every contract checked.
//!
//! What goes in: a program, modules, and [how much to try](Trials). What comes out: a [`Report`] of what was called and every
//! [distinct way](Found) in which a run stopped on a violation or a fault. The same seed makes the same calls.
//!
//! A call whose `requires` does not hold is dropped, and so is one of which that is unknown: a caller must not make it. A violation
//! is therefore never the driver's fault. A [`Fault`](super::Fault) may be: contracts say nothing about numbers and texts.

use super::machine::Machine;
use super::stop::Stop;
use super::value::Value;
use super::world::{Refused, World};
use super::{Checks, Options};
use crate::program::{ModuleId, ProcId, Program, Type};
use work::Chance;
use work::on_large_stack;

#[derive(Clone, Debug)]
pub struct Trials {
    /// Each from the initial state.
    pub runs: u32,
    /// Calls of each run, dropped ones included.
    pub calls: u32,
    pub seed: u64,
    /// Of one call.
    pub steps: u64,
}

impl Default for Trials {
    fn default() -> Trials {
        Trials { runs: 100, calls: 50, seed: 0, steps: 100_000 }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Calls made, those that stopped included.
    pub calls: u64,
    /// Calls that `requires` does not allow.
    pub dropped: u64,
    /// Calls of which nobody knows whether `requires` allows them.
    pub undecided: u64,
    /// Of these calls, those that stopped at a false `assume`, and those that took too many steps.
    pub assumptions: u64,
    pub unfinished: u64,
    /// Calls made of each procedure that could be called.
    pub made: Vec<(ProcId, u64)>,
    pub checks: Checks,
    pub violations: Vec<Found>,
    pub faults: Vec<Found>,
}

/// A run that stopped, the shortest of its kind.
#[derive(Clone, Debug)]
pub struct Found {
    pub stop: Stop,
    /// The calls from the initial state on, the last is the one that stopped: `List.add(Node#2)`.
    pub calls: Vec<String>,
    /// How many runs stopped in that way.
    pub times: u64,
}

/// Choices of arguments before a call is given up.
const ATTEMPTS: u32 = 6;

/// Room for the objects of one run.
const MEMORY: usize = 1 << 20;

/// The modules that can be called from outside: implemented, and exported by every scope that they are in.
pub fn open_modules(program: &Program) -> Vec<ModuleId> {
    let is_open = |id: &ModuleId| {
        let hidden = program.scopes.iter().any(|scope| scope.modules.contains(id) && !scope.exports.contains(id));
        program.module(*id).has_implementation && !hidden
    };
    (0..program.modules.len() as u32).map(ModuleId).filter(is_open).collect()
}

/// Makes random calls of the public procedures of these modules.
pub fn drive(program: &Program, modules: &[ModuleId], trials: &Trials) -> Report {
    let callable: Vec<ProcId> = modules
        .iter()
        .flat_map(|module| program.module(*module).procs.iter().copied())
        .filter(|proc| !program.proc(*proc).private && program.proc(*proc).body.is_some())
        .collect();
    let mut report = Report { made: callable.iter().map(|proc| (*proc, 0)).collect(), ..Report::default() };
    if callable.is_empty() {
        return report;
    }
    on_large_stack(|| {
        let mut chance = Chance::new(trials.seed);
        for _ in 0..trials.runs {
            one_run(program, trials, &mut chance, &mut report);
        }
    });
    report
}

fn one_run(program: &Program, trials: &Trials, chance: &mut Chance, report: &mut Report) {
    let mut world = Babble { chance: Chance::new(chance.draw()), lines: 20 };
    let options = Options { check_contracts: true, memory: MEMORY, seed: chance.draw(), ..Options::default() };
    let mut machine = Machine::new(program, &mut world, &options);
    let mut history: Vec<(ProcId, Vec<Value>)> = Vec::new();
    for _ in 0..trials.calls {
        let which = chance.below(report.made.len());
        let proc = report.made[which].0;
        let Some(arguments) = allowed_arguments(&mut machine, program, proc, chance, report) else { continue };
        report.calls += 1;
        report.made[which].1 += 1;
        machine.allow_steps(trials.steps);
        history.push((proc, arguments));
        let stop = match history.last().map(|(proc, arguments)| machine.call(*proc, arguments)) {
            Some(Err(stop)) => *stop,
            _ => continue,
        };
        let found = match &stop {
            Stop::Violation(_) => &mut report.violations,
            Stop::Fault { .. } => &mut report.faults,
            Stop::Assumption { .. } => {
                report.assumptions += 1;
                break;
            }
            Stop::Steps { .. } | Stop::Interrupted => {
                report.unfinished += 1;
                break;
            }
            Stop::Exit(_) => break,
        };
        match found.iter_mut().find(|other| same_kind(&other.stop, &stop)) {
            Some(known) => known.times += 1,
            None => {
                let calls =
                    history.iter().map(|(proc, arguments)| shown(&machine, program, *proc, arguments)).collect();
                found.push(Found { stop, calls, times: 1 });
            }
        }
        break;
    }
    let checks = machine.checks();
    report.checks.evaluated += checks.evaluated;
    report.checks.skipped += checks.skipped;
}

/// Arguments with which the procedure may be called now.
fn allowed_arguments(
    machine: &mut Machine,
    program: &Program,
    proc: ProcId,
    chance: &mut Chance,
    report: &mut Report,
) -> Option<Vec<Value>> {
    let called = program.proc(proc);
    let formals = called.locals.get(..called.formals as usize).unwrap_or(&[]);
    let mut known = true;
    for _ in 0..ATTEMPTS {
        let arguments: Vec<Value> = formals.iter().map(|formal| any_argument(machine, &formal.ty, chance)).collect();
        match machine.may_call(proc, &arguments) {
            Some(true) => return Some(arguments),
            Some(false) => {}
            None => known = false,
        }
        if formals.is_empty() {
            break;
        }
    }
    if known {
        report.dropped += 1;
    } else {
        report.undecided += 1;
    }
    None
}

fn any_argument(machine: &mut Machine, ty: &Type, chance: &mut Chance) -> Value {
    match ty {
        Type::Int => Value::Int(chance.below(11) as i32 - 2),
        Type::Byte => Value::Byte(chance.below(7) as i8 - 1),
        Type::Bool => Value::Bool(chance.coin()),
        Type::Char => Value::Char(*chance.pick(&['a', 'b', '0', ' '])),
        Type::Float => Value::Float(*chance.pick(&[0.0, 1.0, -1.0, 0.5, 3.0])),
        Type::String => Value::text(chance.pick::<&str>(&["", "a", "b", "1", "2 3"])),
        Type::Object(ty) => {
            let existing = machine.heap().of_type(*ty);
            match chance.below(10) {
                0 => Value::Null,
                1..=7 if !existing.is_empty() => Value::Object(*chance.pick(existing)),
                _ => machine.heap_mut().allocate(*ty).map_or(Value::Null, Value::Object),
            }
        }
        Type::Array(element) => {
            let length = chance.below(4);
            let Ok(array) = machine.heap_mut().allocate_array(length, &Value::default_of(element)) else {
                return Value::Null;
            };
            for i in 0..length {
                let value = any_argument(machine, element, chance);
                machine.heap_mut().set_element(array, i as i64, value);
            }
            Value::Array(array)
        }
        Type::Null | Type::Nothing => Value::Null,
    }
}

/// Whether two runs stopped for the same reason.
fn same_kind(a: &Stop, b: &Stop) -> bool {
    match (a, b) {
        (Stop::Violation(a), Stop::Violation(b)) => (&a.kind, a.proc, a.span) == (&b.kind, b.proc, b.span),
        (Stop::Fault { fault: a, span: at, .. }, Stop::Fault { fault: b, span: there, .. }) => {
            std::mem::discriminant(a) == std::mem::discriminant(b) && at == there
        }
        _ => false,
    }
}

fn shown(machine: &Machine, program: &Program, proc: ProcId, arguments: &[Value]) -> String {
    let shown: Vec<String> = arguments
        .iter()
        .map(|value| match value {
            Value::Text(text) => format!("{text:?}"),
            Value::Char(c) => format!("{c:?}"),
            _ => {
                let mut text = String::new();
                super::arith::append(&mut text, value, machine.heap(), program);
                text
            }
        })
        .collect();
    format!("{}({})", program.proc_name(proc), shown.join(", "))
}

/// A world that says little: a few random lines, no files, and nobody listens.
struct Babble {
    chance: Chance,
    lines: u32,
}

impl World for Babble {
    fn print(&mut self, _: &str) {}

    fn read_line(&mut self) -> Option<String> {
        self.lines = self.lines.checked_sub(1)?;
        let words = self.chance.below(4);
        let line: Vec<&str> = (0..words).map(|_| *self.chance.pick(&["0", "1", "2", "3", "a", "q"])).collect();
        Some(line.join(" "))
    }

    fn file(&mut self, _: &str) -> Result<Vec<u8>, Refused> {
        Err(Refused::Missing)
    }
}
