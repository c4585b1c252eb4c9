//! One answer per procedure, whichever plugin gives it.

use super::bounded;
use crate::args::{Check, Emit};
use crate::halt::Halt;
use crate::progress::Progress;
use hob::Program;
use hob::flags::{self, Effects};
use hob::program::{ModuleId, ProcId, ScopeId};
use serde_json::Value as Json;
use source::{Diagnostic, SourceMap, Span};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use work::threads;

/// All that is known in the end.
pub struct Answers {
    pub program: Program,
    pub modules: Vec<ModuleAnswer>,
    /// Invariants that do not hold when everything is empty.
    pub broken_initially: Vec<(ScopeId, Span)>,
    pub trusted: Vec<Trusted>,
}

/// Contracts that are believed: nobody checked that the code keeps them.
pub struct Trusted {
    pub module: ModuleId,
    /// The plugin that should check it and is not ours; None without an abstraction.
    pub plugin: Option<String>,
    pub procs: Vec<ProcId>,
}

pub struct ModuleAnswer {
    pub module: ModuleId,
    pub plugin: String,
    pub reach: Reach,
    pub procs: Vec<ProcAnswer>,
}

/// What "verified" means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    AllHeaps,
    /// Every heap within the bound.
    UpTo(i64),
}

pub struct ProcAnswer {
    pub proc: ProcId,
    /// What it is about if it is not that procedure: the start of the program, a new object.
    pub title: Option<String>,
    pub verdict: Verdict,
    /// "3 obligations", "120 states".
    pub work: String,
    pub seconds: f64,
    pub warnings: Vec<Diagnostic>,
    /// Each obligation for MONA, if asked for.
    pub mona: Vec<(Span, String)>,
    pub counts: Json,
}

pub enum Verdict {
    Verified,
    Fails(Vec<Problem>),
    Unknown(Vec<(Option<Span>, String)>),
}

/// A way to go wrong.
pub struct Problem {
    pub diagnostic: Diagnostic,
    /// The example, drawn.
    pub drawing: Vec<String>,
    pub example: Json,
}

/// Of the modules that the user named those with a plugin, and the procedures asked for.
pub fn targets(
    program: &Program,
    given: &BTreeSet<String>,
    module: Option<&str>,
    proc: Option<&str>,
) -> Result<Vec<(ModuleId, Option<ProcId>)>, Vec<Diagnostic>> {
    let unknown = |what: &str, name: &str, known: Vec<&str>| {
        let message = format!("there is no {what} `{name}` to check");
        Err(vec![Diagnostic::error("unknown-name", None, message).help(format!("there is: {}", known.join(", ")))])
    };
    let all = (0..program.modules.len() as u32).map(ModuleId);
    let mut modules: Vec<ModuleId> =
        all.filter(|m| given.contains(&program.module(*m).name) && !program.module(*m).plugins.is_empty()).collect();
    if let Some(name) = module {
        let known = modules.iter().map(|m| program.module(*m).name.as_str()).collect();
        modules.retain(|m| program.module(*m).name == name);
        if modules.is_empty() {
            return unknown("module", name, known);
        }
    }
    let Some(name) = proc else { return Ok(modules.into_iter().map(|m| (m, None)).collect()) };
    let procs = || modules.iter().flat_map(|m| program.module(*m).procs.iter().map(move |p| (*m, *p)));
    let found: Vec<_> = procs()
        .filter(|(_, p)| program.proc(*p).name == name || program.proc_name(*p) == name)
        .map(|(m, p)| (m, Some(p)))
        .collect();
    if found.is_empty() {
        return unknown("procedure", name, procs().map(|(_, p)| program.proc(p).name.as_str()).collect());
    }
    Ok(found)
}

pub fn answer(
    program: Program,
    given: &BTreeSet<String>,
    targets: &[(ModuleId, Option<ProcId>)],
    arguments: &Check,
    sources: &SourceMap,
    halt: &Halt,
) -> Answers {
    let effects = Effects::of(&program);
    let limits =
        sets::Limits { stop: halt.stop.clone(), mona: mona(), certify: arguments.certify, ..sets::Limits::default() };
    let options = flags::Options {
        limits: limits.clone(),
        check_null: arguments.check_null,
        emit_mona: arguments.emit == Some(Emit::Mona),
        ..flags::Options::default()
    };
    let wanted: Vec<ProcId> = targets
        .iter()
        .flat_map(|(module, only)| {
            flags::procs(&program, *module).into_iter().filter(move |p| only.is_none_or(|o| o == *p))
        })
        .collect();
    let mut progress = Progress::new(!arguments.quiet);
    let findings = spread(wanted.len(), threads(arguments.threads), (flags::PLUGIN, &mut progress), |k| {
        flags::analyse(&program, &effects, wanted[k], &options)
    });
    let mut findings: Vec<Option<ProcAnswer>> = findings.into_iter().map(|f| Some(of_flags(&program, f))).collect();
    let mut modules = Vec::new();
    for (module, _) in targets {
        if modules.iter().any(|m: &ModuleAnswer| m.module == *module) {
            continue;
        }
        let mine = |k: &usize| program.proc(wanted[*k]).module == *module;
        let procs: Vec<ProcAnswer> = (0..wanted.len()).filter(mine).filter_map(|k| findings[k].take()).collect();
        if !procs.is_empty() {
            modules.push(ModuleAnswer {
                module: *module,
                plugin: flags::PLUGIN.to_owned(),
                reach: Reach::AllHeaps,
                procs,
            });
        }
    }
    if !options.emit_mona {
        modules.extend(bounded::answer(&program, targets, arguments, sources, halt));
    }
    for main in hob::interp::entry_points(&program) {
        for (clause, unknown) in flags::not_met_at_start(&program, main, &limits) {
            let told = flags::explain::not_met_at_start(&program, main, clause);
            add(&mut modules, main, told, unknown.map_or(Ok(()), Err));
        }
    }
    for (module, _) in targets {
        for escape in hob::escapes(&program, *module) {
            let may = Err(escape.diagnostic.message.clone());
            add(&mut modules, escape.proc, escape.diagnostic, if escape.is_certain { Ok(()) } else { may });
        }
    }
    for answer in modules.iter_mut().filter(|m| m.plugin != flags::PLUGIN).flat_map(|m| &mut m.procs) {
        if answer.title.is_none() && !wanted.contains(&answer.proc) {
            answer.warnings.extend(flags::vacuous(&program, answer.proc, &options));
        }
    }
    // A default or an invariant is of many procedures: what is odd about it is said once.
    let mut said = BTreeSet::new();
    for answer in modules.iter_mut().flat_map(|m| &mut m.procs) {
        answer.warnings.retain(|w| said.insert((w.id, w.span)));
    }
    let mut broken_initially = Vec::new();
    for id in (0..program.scopes.len() as u32).map(ScopeId) {
        let concerned = |m: &ModuleId| targets.iter().any(|(target, _)| target == m);
        if program.scopes[id.index()].modules.iter().any(concerned) {
            broken_initially.extend(flags::broken_initially(&program, id, &limits).into_iter().map(|span| (id, span)));
        }
    }
    let is_all = arguments.module.is_none() && arguments.proc.is_none();
    let asked = |module: ModuleId| match is_all {
        true => given.contains(&program.module(module).name),
        false => targets.iter().any(|(target, _)| *target == module),
    };
    let trusted = trusted(&program, &modules, &asked);
    Answers { program, modules, broken_initially, trusted }
}

/// One thing more that is wrong with a procedure, or why it is not decided. It is said once, whichever plugins answer for it.
fn add(modules: &mut [ModuleAnswer], proc: ProcId, diagnostic: Diagnostic, is_certain: Result<(), String>) {
    let mut answers = modules.iter_mut().flat_map(|m| &mut m.procs).filter(|a| a.proc == proc && a.title.is_none());
    let Some(answer) = answers.next() else { return };
    match (&mut answer.verdict, is_certain) {
        (Verdict::Fails(problems), Ok(())) => problems.push(problem(diagnostic)),
        (verdict, Ok(())) => *verdict = Verdict::Fails(vec![problem(diagnostic)]),
        (Verdict::Fails(_), Err(_)) => {}
        (Verdict::Unknown(reasons), Err(why)) => reasons.push((diagnostic.span, why)),
        (verdict, Err(why)) => *verdict = Verdict::Unknown(vec![(diagnostic.span, why)]),
    }
}

fn problem(diagnostic: Diagnostic) -> Problem {
    Problem { diagnostic, drawing: Vec::new(), example: Json::Null }
}

/// `GLASSBOX_MONA`, or `mona` where programs are.
fn mona() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("GLASSBOX_MONA") {
        return Some(PathBuf::from(path));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join("mona")).find(|path| path.is_file())
}

/// `work(0)`, `work(1)`, … on some threads; procedures are independent of each other. A long run shows how far it is.
pub fn spread<T: Send>(
    count: usize,
    workers: usize,
    (what, progress): (&str, &mut Progress),
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, T)> = Vec::with_capacity(count);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers.min(count) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let run = move || {
                loop {
                    let k = next.fetch_add(1, Ordering::SeqCst);
                    if k >= count || sender.send((k, work(k))).is_err() {
                        break;
                    }
                }
            };
            // Deep programs need a deep stack.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(answer) => done.push(answer),
                Err(RecvTimeoutError::Timeout) => progress.tick(&format!("{what}: {} of {count} done", done.len())),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    progress.finish();
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, answer)| answer).collect()
}

const STACK: usize = 256 << 20;

/// Whose code is not checked: procedures that the checked ones call, what other plugins should check in the modules asked for, and, if all
/// modules are asked for, those without an abstraction.
fn trusted(program: &Program, modules: &[ModuleAnswer], asked: &dyn Fn(ModuleId) -> bool) -> Vec<Trusted> {
    let mut called = BTreeSet::new();
    for proc in modules.iter().flat_map(|m| &m.procs) {
        hob::visit::exprs(program.proc(proc.proc).body.as_deref().unwrap_or_default(), &mut |e| {
            if let hob::program::ExprKind::Call(callee, _) = &e.kind {
                called.insert(*callee);
            }
        });
    }
    let mut found = Vec::new();
    for (i, module) in program.modules.iter().enumerate() {
        let id = ModuleId(i as u32);
        let mut add = |plugin: Option<String>, procs: &[ProcId], is_asked: bool| {
            if is_asked || procs.iter().any(|p| called.contains(p)) {
                found.push(Trusted { module: id, plugin, procs: procs.to_vec() });
            }
        };
        for section in module.plugins.iter().filter(|section| !hob::is_provided(&section.plugin)) {
            add(Some(section.plugin.clone()), &section.procs, asked(id));
        }
        if module.plugins.is_empty() {
            add(None, &module.procs, module.has_implementation && asked(id));
        }
    }
    found
}

fn of_flags(program: &Program, finding: flags::Finding) -> ProcAnswer {
    let proc = finding.proc;
    let verdict = match finding.verdict {
        flags::Verdict::Verified => Verdict::Verified,
        flags::Verdict::Unknown(why) => {
            Verdict::Unknown(why.into_iter().map(|(span, why)| (Some(span), why)).collect())
        }
        flags::Verdict::Fails(failures) => Verdict::Fails(
            failures
                .iter()
                .map(|failure| Problem {
                    diagnostic: flags::explain::diagnostic(program, proc, failure),
                    drawing: super::text::drawing(program, &failure.example),
                    example: super::json::example(program, &failure.example),
                })
                .collect(),
        ),
    };
    let mona = finding.obligations.iter().filter_map(|o| Some((o.span, o.mona.clone()?))).collect();
    let nodes: u64 = finding.obligations.iter().fold(0, |sum, o| sum.saturating_add(o.nodes));
    let counts = serde_json::json!({
        "obligations": finding.obligations.len(),
        "formula_nodes": nodes,
        "side_questions": finding.side_questions,
        "decision_seconds": finding.decision_time.as_secs_f64(),
    });
    ProcAnswer {
        proc,
        title: None,
        verdict,
        work: report::numbers::plural(finding.obligations.len() as u128, "obligation"),
        seconds: finding.time.as_secs_f64(),
        warnings: finding.warnings,
        mona,
        counts,
    }
}

impl ProcAnswer {
    /// What the verdict rests on.
    pub fn assumptions(&self, program: &Program) -> Vec<hob::Assumption> {
        if self.title.is_none() { hob::assumptions(program, self.proc) } else { Vec::new() }
    }

    pub fn name(&self, program: &Program) -> String {
        self.title.clone().unwrap_or_else(|| program.proc(self.proc).name.clone())
    }
}

impl Answers {
    /// All obligations for MONA, one after the other.
    pub fn mona(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        for proc in self.modules.iter().flat_map(|m| &m.procs) {
            for (k, (span, text)) in proc.mona.iter().enumerate() {
                let (name, at) = (self.program.proc_name(proc.proc), sources.start(*span));
                let file = &sources.file(span.file).name;
                let _ = writeln!(
                    out,
                    "# {name}, obligation {} ({file}:{}): it holds if this is unsatisfiable\n{text}",
                    k + 1,
                    at.line
                );
            }
        }
        out
    }
}
