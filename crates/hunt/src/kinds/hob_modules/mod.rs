//! Hob programs of several modules and plugins: invariants stated in one section and code in another, calls inside a module while its
//! representation is broken, calls that come back, arrays that cross borders, a `main` with a precondition.
//!
//! What `flags` and `bounded` together verify is run by the interpreter with contracts: `main`, and random calls from outside, between
//! which the caller changes the elements of every array that it holds. Nothing may break a contract. States stay within the bound.

mod program;

use crate::{Disagreement, Found, Kind, shrink};
use hob::bounded::{Subject, space, translate};
use hob::flags::{self, Effects};
use hob::interp::{self, Ending, Machine, ObjId, Script, Stop, Value};
use hob::program::{ModuleId, ProcId, ScopeId, Type};
use hob::{FileKind, Input, Program};
use ir::interp::{Linked, run_statics, snapshot};
use search::{GlassBox, Outcome};
use source::SourceMap;
use std::sync::Arc;
use work::Chance;
use work::on_large_stack;
use work::with_room;

pub const KIND: Kind = Kind {
    name: "hob-modules",
    about: "Hob programs of several modules and plugins: what is verified, run with contracts by random callers",
    ci: 24,
    attempt,
};

/// Objects of a type, and elements of an array.
const BOUND: i64 = 2;
/// Runs of random calls for a program.
const DRIVES: u64 = 150;
const NAMES: [(&str, FileKind); 3] =
    [("m.fl", FileKind::Implementation), ("m.sl", FileKind::Specification), ("m.al", FileKind::Abstraction)];

fn attempt(seed: u64) -> Found {
    let mut chance = Chance::new(seed);
    let mut random = program::random(&mut chance);
    let mut has_failed = false;
    // What is not verified is made weaker until all is.
    for _ in 0..40 {
        let texts = random.texts();
        let program = match load(&texts) {
            Ok(program) => program,
            // What was left out is missed.
            Err(_) if has_failed => break,
            Err(why) => return Found::Skipped(why),
        };
        let failed = failed(&program);
        if failed.is_empty() {
            return match broken(&program, seed) {
                None if has_failed => Found::Agreed("verified in part"),
                None => Found::Agreed("verified"),
                Some(_) => disagreement(&texts, seed),
            };
        }
        has_failed = true;
        for proc in random.procs.iter_mut().filter(|p| failed.contains(&format!("M.{}", p.name))) {
            proc.weaken(&mut chance);
        }
        if failed.iter().any(|name| !name.starts_with("M.")) {
            random.weaken_main(&mut chance);
        }
    }
    Found::Agreed("violated")
}

fn load(texts: &[String; 3]) -> Result<Program, String> {
    let mut sources = SourceMap::default();
    let files: Vec<_> = NAMES.iter().zip(texts).map(|((name, _), text)| sources.add(*name, text.clone())).collect();
    let inputs: Vec<Input> = files
        .iter()
        .zip(NAMES)
        .zip(texts)
        .map(|((&file, (_, kind)), text)| Input { file, kind, text: text.as_str() })
        .collect();
    let loaded = hob::load(&inputs);
    let told = |d: &source::Diagnostic| format!("{:?} {}", d.span.map(|s| sources.text(s).to_owned()), d.message);
    loaded.program.ok_or_else(|| loaded.diagnostics.iter().map(told).collect::<Vec<_>>().join("\n"))
}

/// Names of procedures that are not verified, or of modules.
fn failed(program: &Program) -> Vec<String> {
    let (effects, options) = (Effects::of(program), flags::Options::default());
    let limits = sets::Limits::default();
    let mut found = Vec::new();
    for main in interp::entry_points(program) {
        if !flags::not_met_at_start(program, main, &limits).is_empty() {
            found.push(program.proc_name(main));
        }
    }
    for scope in (0..program.scopes.len() as u32).map(ScopeId) {
        if !flags::broken_initially(program, scope, &limits).is_empty() {
            found.push("an invariant of a scope".into());
        }
    }
    for (i, module) in program.modules.iter().enumerate() {
        let id = ModuleId(i as u32);
        found.extend(hob::escapes(program, id).iter().map(|escape| program.proc_name(escape.proc)));
        for proc in flags::procs(program, id) {
            let verdict = flags::analyse(program, &effects, proc, &options).verdict;
            if !matches!(verdict, flags::Verdict::Verified) {
                found.push(program.proc_name(proc));
            }
        }
        for section in module.plugins.iter().filter(|p| p.plugin == "bounded") {
            match translate(program, id, section) {
                Ok(task) => found.extend(refuted(program, &task)),
                Err(_) => found.push(module.name.clone()),
            }
        }
    }
    found
}

fn refuted(program: &Program, task: &hob::bounded::Task) -> Vec<String> {
    let mut found = Vec::new();
    for operation in 0..task.subjects.len() {
        let outcome = with_room(|| {
            let linked = Linked::new(&task.program);
            let heap = run_statics(&linked, BOUND).expect("no initialisers");
            let statics = Arc::new(snapshot(&linked, &heap));
            let space = Arc::new(space::space(program, task, operation, BOUND));
            let options = search::Options {
                size: BOUND,
                shape: ir::space::Shape::Complete,
                strategy: search::Strategy::Execution,
                limits: symex::Limits { steps: 20_000, depth: 500, ..Default::default() },
                ..Default::default()
            };
            let described = &task.checked.operations[operation];
            GlassBox::new(&task.program, &space, &statics, &task.checked, described, &options).search()
        });
        let is_verified = matches!(outcome, Ok(Outcome::Verified | Outcome::NoState));
        if !is_verified {
            found.push(match task.subjects[operation] {
                Subject::Proc(proc) => program.proc_name(proc),
                Subject::Start | Subject::New(_) => "the start".into(),
            });
        }
    }
    found
}

/// What a run breaks.
fn broken(program: &Program, seed: u64) -> Option<String> {
    on_large_stack(|| {
        let options = interp::Options { check_contracts: true, steps: 10_000, ..interp::Options::default() };
        if let Ok(main) = interp::entry_point(program)
            && let Ending::Stopped(stop) = interp::run(program, main, &[], &mut Script::default(), &options).ending
            && matches!(*stop, Stop::Violation(_))
        {
            return Some(format!("main: {}", stop.diagnostic(program).message));
        }
        (0..DRIVES).find_map(|drive| driven(program, &mut Chance::new(seed ^ (drive << 32)), &options))
    })
}

/// Random calls of M by somebody who keeps every array that he gives or gets.
fn driven(program: &Program, chance: &mut Chance, options: &interp::Options) -> Option<String> {
    let module = program.module_named("M")?;
    let procs: Vec<ProcId> =
        program.module(module).procs.iter().copied().filter(|p| !program.proc(*p).private).collect();
    let ty = program.types.iter().position(|t| t.name == "E")?;
    let ty = hob::program::TypeId(ty as u32);
    let mut world = Script::default();
    let mut machine = Machine::new(program, &mut world, options);
    let objects: Vec<ObjId> = (0..BOUND).filter_map(|_| machine.heap_mut().allocate(ty).ok()).collect();
    let mut arrays = Vec::new();
    let mut calls = Vec::new();
    for _ in 0..6 {
        for &array in &arrays {
            if chance.one_in(2) {
                let value = if chance.one_in(2) { Value::Null } else { Value::Object(*chance.pick(&objects)) };
                machine.heap_mut().set_element(array, 0, value);
            }
        }
        if procs.is_empty() {
            return None;
        }
        let proc = *chance.pick(&procs);
        let called = program.proc(proc);
        let mut arguments = Vec::new();
        for formal in &called.locals[..called.formals as usize] {
            arguments.push(match formal.ty {
                Type::Array(_) if chance.one_in(3) => Value::Null,
                Type::Array(_) => {
                    if arrays.is_empty() || chance.one_in(2) {
                        arrays.push(machine.heap_mut().allocate_array(1, &Value::Null).ok()?);
                    }
                    Value::Array(*chance.pick(&arrays))
                }
                _ => Value::Object(*chance.pick(&objects)),
            });
        }
        if machine.may_call(proc, &arguments) != Some(true) {
            continue;
        }
        calls.push(called.name.clone());
        match machine.call(proc, &arguments) {
            Ok(Some(Value::Array(array))) => arrays.push(array),
            Ok(_) => {}
            Err(stop) if matches!(*stop, Stop::Violation(_)) => {
                return Some(format!("{}: {}", calls.join("; "), stop.diagnostic(program).message));
            }
            // It stopped at an error: `flags` does not look for them.
            Err(_) => return None,
        }
    }
    None
}

const SEPARATOR: &str = "=====";

fn disagreement(texts: &[String; 3], seed: u64) -> Found {
    let of = |text: &str| -> Option<Program> {
        let parts: Vec<String> = text.split(&format!("{SEPARATOR}\n")).map(str::to_owned).collect();
        load(&<[String; 3]>::try_from(parts).ok()?).ok()
    };
    let joined = texts.join(&format!("{SEPARATOR}\n"));
    let still =
        |text: &str| of(text).is_some_and(|program| failed(&program).is_empty() && broken(&program, seed).is_some());
    let input = shrink::lines(&joined, still);
    let said = of(&input).and_then(|program| broken(&program, seed)).unwrap_or_default();
    let answers = vec![("glassbox check".to_owned(), "verified".to_owned()), ("run --contracts".to_owned(), said)];
    Found::Disagreed(Box::new(Disagreement { input, answers }))
}
