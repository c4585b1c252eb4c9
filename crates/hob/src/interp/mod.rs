//! Running Hob programs, with or without a look at their contracts.
//!
//! What goes in: a resolved [`Program`], a procedure and its arguments, a [`World`] to read from and print to. What comes out: an
//! [`Outcome`]: the result, or why the run [stopped](Stop). A run depends on nothing but these and [`Options::seed`].
//!
//! ```text
//! let entry = interp::entry_point(&program)?;
//! let outcome = interp::run(&program, entry, &[], &mut world, &Options::default());
//! if let Some(diagnostic) = outcome.diagnostic(&program) { … }
//! ```
//!
//! With [`Options::check_contracts`], every call evaluates `requires` on the sets that the heap defines at that moment, and every
//! return `ensures` and the frame; the first violation stops the run. A clause about sets that no plugin defines is skipped and
//! counted ([`Outcome::checks`]). [`random::drive`] makes random calls of a module's procedures and checks all of them.
//!
//! One technique per file: `machine` calls, `stmt` and `expr` walk the tree, `arith` computes, `library` and `system` have the
//! library's procedures, `heap` is the state; `heap_formula` and `abstraction` find the sets of a heap, `set_formula` evaluates formulas about
//! sets, `contracts` does so at calls and returns; `stop` says what went wrong.

mod abstraction;
mod arith;
mod contracts;
mod expr;
pub mod heap;
pub mod heap_formula;
mod library;
mod machine;
mod objset;
pub mod random;
mod set_formula;
mod stack;
mod stmt;
mod stop;
mod system;
mod value;
mod world;

pub use abstraction::{Abstraction, SpecValue};
pub use heap::Heap;
pub use machine::Machine;
pub(crate) use machine::{IS_NEW, MADE, RESULT};
pub use objset::ObjSet;
pub(crate) use set_formula::{Names, evaluate, names_of};
pub use stop::{Call, Fault, SetsSeen, Stop, Violation, ViolationKind};
pub use value::{ArrayId, ObjId, Value};
pub use world::{Refused, Script, World};

use crate::program::{ProcId, Program};
use source::Diagnostic;

#[derive(Clone, Debug)]
pub struct Options {
    pub check_contracts: bool,
    /// Statements, rounds of loops and calls.
    pub steps: u64,
    /// Nested calls.
    pub depth: usize,
    /// Fields and elements, 24 bytes each.
    pub memory: usize,
    /// Of the random numbers, until the program calls `Math.seed`.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { check_contracts: false, steps: u64::MAX, depth: 20_000, memory: 1 << 24, seed: 0 }
    }
}

/// How many clauses were looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    pub evaluated: u64,
    /// About sets that no plugin defines, about uninterpreted formulas, or with quantifiers over too much.
    pub skipped: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// With its value, if the procedure has one.
    Returned(Option<Value>),
    /// By `System.exit`.
    Exited(i32),
    Stopped(Box<Stop>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub ending: Ending,
    pub steps: u64,
    pub checks: Checks,
}

impl Outcome {
    /// What to tell the user; None if the procedure returned.
    pub fn diagnostic(&self, program: &Program) -> Option<Diagnostic> {
        match &self.ending {
            Ending::Returned(_) | Ending::Exited(_) => None,
            Ending::Stopped(stop) => Some(stop.diagnostic(program)),
        }
    }
}

/// Runs a procedure from the initial state on. There must be as many arguments as formals, of their types; objects cannot be given,
/// since there are none yet.
pub fn run(program: &Program, entry: ProcId, arguments: &[Value], world: &mut dyn World, options: &Options) -> Outcome {
    work::on_large_stack(|| {
        let mut machine = Machine::new(program, world, options);
        let result = machine.call(entry, arguments);
        machine.outcome(result)
    })
}

/// Where a program may start: `Main.main()`, or else every public `main` without formals.
pub fn entry_points(program: &Program) -> Vec<ProcId> {
    let is_entry = |id: &ProcId| {
        let proc = program.proc(*id);
        proc.name == "main" && !proc.private && proc.formals == 0 && proc.body.is_some()
    };
    let all: Vec<ProcId> = (0..program.procs.len() as u32).map(ProcId).filter(is_entry).collect();
    let main = all.iter().find(|id| program.module(program.proc(**id).module).name == "Main");
    main.map_or(all.clone(), |main| vec![*main])
}

/// Where a program starts: `Main.main()`, or else the only public `main` without formals.
pub fn entry_point(program: &Program) -> Result<ProcId, String> {
    let all = entry_points(program);
    match all[..] {
        [only] => Ok(only),
        [] => {
            let starts: Vec<String> = (0..program.procs.len() as u32)
                .map(ProcId)
                .filter(|id| {
                    let proc = program.proc(*id);
                    !proc.private && proc.formals == 0 && proc.body.is_some()
                })
                .map(|id| format!("{}()", program.proc_name(id)))
                .collect();
            let instead = match starts.len() {
                0 => String::new(),
                _ => format!("; procedures without formals are {}", starts.join(", ")),
            };
            Err(format!("there is no public procedure `main()` to start with{instead}"))
        }
        _ => {
            let names: Vec<String> = all.iter().map(|id| format!("{}()", program.proc_name(*id))).collect();
            Err(format!("several procedures could be the start: {}; say which", names.join(", ")))
        }
    }
}
