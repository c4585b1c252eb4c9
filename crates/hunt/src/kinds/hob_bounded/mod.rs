//! Modules with the plugin `bounded`, alone or beside `flags`: the engine against every heap within the bound, one by one, run by the
//! interpreter with all contracts. It knows nothing of the IR, of numbered objects and of symbols.
//!
//! What `bounded` is asked about has to agree both ways. What only `flags` is asked about must not break where all that it calls is
//! verified. Where the heaps are too many some are drawn: then only what is wrong on one of them counts.

mod heaps;
mod module;

use crate::{Disagreement, Found, Kind, shrink};
use heaps::{Heaps, Seen};
use hob::bounded::{self, Subject, Task, space, witness};
use hob::flags::{self, Effects};
use hob::program::{ExprKind, ModuleId, ProcId, Type};
use hob::{FileKind, Input, Program};
use ir::interp::{Linked, run_statics, snapshot};
use search::{GlassBox, Outcome, Strategy};
use source::SourceMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use work::Chance;
use work::on_large_stack;
use work::with_room;

pub fn kind() -> Kind {
    Kind {
        name: "hob-bounded",
        about: "modules of several plugins with arrays, quantified ints, inner calls: the engine against all small heaps",
        ci: 26,
        attempt,
    }
}

const M: ModuleId = ModuleId(0);

fn attempt(seed: u64) -> Found {
    let text = module::random(&mut Chance::new(seed));
    let found = compare(&text, seed);
    if !matches!(found, Found::Disagreed(_)) {
        return found;
    }
    let small = shrink::lines(&text, |t| matches!(compare(t, seed), Found::Disagreed(_)));
    compare(&small, seed)
}

fn compare(text: &str, seed: u64) -> Found {
    let program = match load(text) {
        Ok(program) => program,
        Err(why) => return Found::Skipped(why),
    };
    let mut tasks = Vec::new();
    for section in program.modules[0].plugins.iter().filter(|p| p.plugin == "bounded") {
        match bounded::translate(&program, M, section) {
            Ok(task) => tasks.push(task),
            Err(told) => return Found::Skipped(format!("{told:?}")),
        }
    }
    let by_flags = by_flags(&program);
    let (mut compared, mut violated) = (0, 0);
    let mut why = String::from("nothing to compare");
    for n in 1..=3 {
        let mut answers: BTreeMap<ProcId, Vec<Answer>> = BTreeMap::new();
        // New objects, whoever makes them: `flags` leaves them to `bounded`.
        let mut others: Vec<Answer> = Vec::new();
        for task in &tasks {
            for operation in 0..task.subjects.len() {
                match task.subjects[operation] {
                    Subject::Proc(p) => answers.entry(p).or_default().push(ask(&program, task, operation, n)),
                    _ if by_flags.is_empty() => {}
                    _ => others.push(ask(&program, task, operation, n)),
                }
            }
        }
        let is_sound = others.iter().all(Answer::is_fine) && hob::escapes(&program, M).is_empty();
        let mut is_small = true;
        for &proc in program.modules[0].procs.iter().filter(|p| !program.proc(**p).private) {
            if takes_arrays_of(&program, proc, &by_flags) {
                continue;
            }
            let seen = on_large_stack(|| Heaps::new(&program, text, n, proc).seen(seed));
            let Some((seen, is_complete)) = seen else {
                why = "a run takes too long".into();
                continue;
            };
            is_small &= is_complete;
            let answers_for = answers.get(&proc).map_or(&[][..], |a| a);
            let mut wrong = None;
            for answer in answers_for {
                if let Answer::Other(told) = answer {
                    why = told.clone();
                    continue;
                }
                compared += 1;
                violated += usize::from(*answer == Answer::Violated);
                if !answer.agrees(seen, is_complete) {
                    wrong = Some(format!("{answer:?}"));
                }
            }
            if answers_for.is_empty() && is_sound && is_claimed(&program, proc, &by_flags, &answers) {
                compared += 1;
                if seen == Seen::Broken {
                    wrong = Some("verified by `flags`".into());
                }
            }
            if let Some(answer) = wrong {
                let name = &program.proc(proc).name;
                let heaps = if is_complete { "all heaps" } else { "some heaps" };
                let answers = vec![(format!("{name} with {n}"), answer), (heaps.into(), format!("{seen:?}"))];
                return Found::Disagreed(Box::new(Disagreement { input: text.into(), answers }));
            }
        }
        // Greater ones are worth it where the states of this one were few.
        if n > 1 && !is_small {
            break;
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
    let parts: Vec<&str> = text.split(module::CUT).collect();
    let inputs: Vec<Input> = parts
        .iter()
        .zip(kinds)
        .map(|(text, kind)| Input { file: sources.add(format!("{kind:?}"), text.to_string()), kind, text })
        .collect();
    let loaded = hob::load(&inputs);
    loaded.program.ok_or_else(|| loaded.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
}

/// The procedures of sections for `flags`, and whether they are verified.
fn by_flags(program: &Program) -> BTreeMap<ProcId, bool> {
    let (effects, options) = (Effects::of(program), flags::Options::default());
    let procs = flags::procs(program, M).into_iter();
    procs
        .map(|p| (p, matches!(flags::analyse(program, &effects, p, &options).verdict, flags::Verdict::Verified)))
        .collect()
}

/// Whether a procedure that only `flags` follows gives it an array: then the engine may ask for more than callers from outside do.
fn takes_arrays_of(program: &Program, proc: ProcId, by_flags: &BTreeMap<ProcId, bool>) -> bool {
    let mut found = false;
    for caller in by_flags.keys() {
        hob::visit::exprs(program.proc(*caller).body.as_deref().unwrap_or_default(), &mut |e| {
            if let ExprKind::Call(callee, arguments) = &e.kind {
                found |= *callee == proc && arguments.iter().any(|a| matches!(a.ty, Type::Array(_)));
            }
        });
    }
    found
}

/// Whether the procedure and all that calls lead to are verified.
fn is_claimed(
    program: &Program,
    proc: ProcId,
    by_flags: &BTreeMap<ProcId, bool>,
    by_bounded: &BTreeMap<ProcId, Vec<Answer>>,
) -> bool {
    let mut reached = vec![proc];
    let mut next = 0;
    while let Some(&proc) = reached.get(next) {
        next += 1;
        hob::visit::exprs(program.proc(proc).body.as_deref().unwrap_or_default(), &mut |e| {
            if let ExprKind::Call(callee, _) = e.kind
                && !reached.contains(&callee)
            {
                reached.push(callee);
            }
        });
    }
    let is_verified = |p: &ProcId| {
        by_flags.get(p) != Some(&false) && by_bounded.get(p).is_none_or(|all| all.iter().all(Answer::is_fine))
    };
    reached.iter().all(is_verified)
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

impl Answer {
    fn is_fine(&self) -> bool {
        matches!(self, Answer::Verified | Answer::NoState)
    }

    fn agrees(&self, seen: Seen, is_complete: bool) -> bool {
        match self {
            Answer::Verified => seen == Seen::Fine || seen == Seen::Nothing && !is_complete,
            Answer::Violated => seen >= Seen::Stopped || !is_complete,
            Answer::NoState => seen == Seen::Nothing,
            Answer::Other(_) => true,
        }
    }
}

fn ask(hob: &Program, task: &Task, operation: usize, n: i64) -> Answer {
    let asked = with_room(|| {
        let (program, checked) = (&task.program, &task.checked);
        let linked = Linked::new(program);
        let heap = run_statics(&linked, n).expect("no initialisers");
        let statics = Arc::new(snapshot(&linked, &heap));
        let space = Arc::new(space::space(hob, task, operation, n));
        let options = search::Options {
            size: n,
            shape: ir::space::Shape::Complete,
            strategy: Strategy::Execution,
            limits: symex::Limits { steps: 20_000, depth: 500, ..Default::default() },
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
