//! The flag analysis: sets by the values of fields, checked for all heaps (paper, section 3; docs/hob.md, "How the flag analysis works").
//!
//! What goes in: a program, and which procedures. What comes out: for each whether it meets its specification, with an example where it
//! does not. `effects` says what a call may touch, `vocabulary` what is followed, `reading` turns
//! specifications into facts, `walk`, `values`, `writes`, `spots`, `indexes`, `calls` and `loops` go through the code, `oblige` asks the decision procedure.

mod calls;
mod effects;
pub mod explain;
mod indexes;
mod lasting;
mod loops;
mod numbers;
mod oblige;
mod ranges;
mod reading;
mod spots;
mod vacuous;
mod values;
mod vocabulary;
mod walk;
mod writes;

pub use effects::{Effects, Written};
pub use oblige::{Blame, Example, Failure, Kind, Measured, Obligation, Shown};

use crate::program::*;
use oblige::Log;
use reading::Reading;
use rustc_hash::FxHashMap;
use sets::Sort;
use source::{Diagnostic, Span};
use std::time::{Duration, Instant};
use vocabulary::Vocabulary;
pub(crate) use vocabulary::calls_with_hidden;
use walk::Walk;
use work::Cause;

/// As abstraction sections name it.
pub const PLUGIN: &str = "flags";

#[derive(Clone, Debug)]
pub struct Options {
    /// Which transformations of formulas are on (paper, section 4).
    pub formulas: sets::Options,
    pub limits: sets::Limits,
    /// Every object whose field is used must be there.
    pub check_null: bool,
    /// Warn where no run gets.
    pub warn_unreachable: bool,
    /// Keep each obligation as a text for MONA.
    pub emit_mona: bool,
    /// Invariants that a procedure relies on although it may not: only to see whether they are what is missing.
    pub trusted: Vec<Span>,
    /// The first round of every loop apart from the others: what a loop does at least once, or not at all, is known then.
    pub peel: bool,
    /// Of a branch that was gone through little is remembered: tried first where there are very many branches.
    pub rough: bool,
    /// A fact of this size is set aside before a branch (`Walk::set_aside`).
    pub set_aside: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            formulas: sets::Options::all(true),
            limits: sets::Limits::default(),
            check_null: false,
            warn_unreachable: true,
            emit_mona: false,
            trusted: Vec::new(),
            peel: false,
            rough: false,
            set_aside: 1 << 11,
        }
    }
}

impl Options {
    /// For questions whose models nobody sees.
    fn side_limits(&self) -> sets::Limits {
        sets::Limits { minimise: false, ..self.limits.clone() }
    }
}

/// What the analysis says of one procedure.
#[derive(Clone, Debug)]
pub struct Finding {
    pub proc: ProcId,
    pub verdict: Verdict,
    pub obligations: Vec<Obligation>,
    pub warnings: Vec<Diagnostic>,
    /// Why not all of it was analysed, if so: then it is not verified, and failures may be missing.
    pub stopped: Option<Cause>,
    /// Questions besides the obligations: invariants of loops, points that no run reaches.
    pub side_questions: u64,
    pub time: Duration,
    /// Of it, in the decision procedure.
    pub decision_time: Duration,
}

#[derive(Clone, Debug)]
pub enum Verdict {
    /// It meets its specification on all heaps.
    Verified,
    /// Each clause that it may break, with an example.
    Fails(Vec<Failure>),
    /// Where, and why.
    Unknown(Vec<(Span, String)>),
}

/// Analyses one procedure that has a body. If it fails, it is gone through again with the branches written down and examples made small.
pub fn analyse(program: &Program, effects: &Effects, proc: ProcId, options: &Options) -> Finding {
    let start = Instant::now();
    let peeled = Options { peel: true, ..options.clone() };
    let (mut log, mut learned) = first_pass(program, effects, proc, options, &peeled);
    let mut options = options;
    let has_loop = program.proc(proc).body.as_deref().is_some_and(has_loop);
    if log.is_peeled {
        options = &peeled;
    }
    // Only where it does not do without: it costs as much again for every loop within a loop.
    if !log.failures.is_empty() && log.stopped.is_none() && has_loop && !log.is_peeled {
        let (again, of_again) = learning(program, effects, proc, &peeled);
        if again.stopped.is_none() {
            let (asked, spent) = (log.side_questions, log.decision_time);
            (log, learned) = (again, of_again);
            log.side_questions += asked;
            log.decision_time += spent;
            options = &peeled;
        } else if again.failures.is_empty() {
            // What the rounds together seem to break, each round by itself may not.
            log.failures.clear();
            log.stopped = again.stopped;
        }
    }
    if !log.failures.is_empty() && log.stopped.is_none() {
        let small = Options { limits: sets::Limits { minimise: true, ..options.limits.clone() }, ..options.clone() };
        let traced = traced(program, effects, proc, &small, learned);
        // A failure stays one, even if it should come out otherwise the second time, or there was no time for it.
        if !traced.failures.is_empty() && traced.stopped.is_none() {
            log.failures = traced.failures;
        }
    }
    log.warnings.extend(missing_invariant(program, effects, proc, options, &log));
    if options.warn_unreachable {
        log.warnings.extend(vacuous(program, proc, options));
    }
    let stopped = log.stopped.and(options.limits.stop.cause());
    if let Some(span) = log.stopped {
        let why = sets::stopped(&options.limits.stop);
        let deep = match loops_around(program.proc(proc).body.as_deref().unwrap_or_default(), span) {
            most @ DEEP.. => format!(", in {most} loops within each other, each of which doubles the work"),
            _ => String::new(),
        };
        let message = format!("{why}: the analysis of `{}` got only this far{deep}", program.proc(proc).name);
        log.unknown.push((span, message));
    }
    let verdict = if !log.failures.is_empty() {
        Verdict::Fails(log.failures)
    } else if !log.unknown.is_empty() {
        Verdict::Unknown(log.unknown)
    } else {
        Verdict::Verified
    };
    Finding {
        proc,
        verdict,
        obligations: log.obligations,
        warnings: log.warnings,
        stopped,
        side_questions: log.side_questions,
        time: start.elapsed(),
        decision_time: log.decision_time,
    }
}

/// So many branches within each other, exactly, may take the analysis a minute.
const VERY_MANY_BRANCHES: usize = 32;

/// Where there are very many branches what is verified without their details is verified. What is not will come to have the first rounds of
/// its loops apart, as a rule: at once then, if that costs at most as much again twice.
fn first_pass<'p>(
    program: &'p Program,
    effects: &Effects,
    proc: ProcId,
    options: &Options,
    peeled: &Options,
) -> (Log, Found<'p>) {
    let body = program.proc(proc).body.as_deref().unwrap_or_default();
    if branches(body) > VERY_MANY_BRANCHES {
        let rough = Options { rough: true, ..options.clone() };
        let (mut log, learned) = learning(program, effects, proc, &rough);
        if log.stopped.is_some() {
            log.unknown.clear();
        }
        if log.failures.is_empty() && log.unknown.is_empty() {
            return (log, learned);
        }
        if matches!(loops_within(body), 1..=2) {
            let (v, learned) = learned;
            let earlier = walk::Learned { certain: learned.certain, ..walk::Learned::default() };
            let mut walk = Walk { v, earlier, ..walk(program, effects, proc, peeled, false) };
            walk.run();
            return (Log { is_peeled: true, ..walk.log }, (walk.v, walk.learned));
        }
    }
    learning(program, effects, proc, options)
}

/// How many loops are within one another.
fn loops_within(body: &[Stmt]) -> usize {
    let within = |statement: &Stmt| match &statement.kind {
        StmtKind::Block(body) => loops_within(body),
        StmtKind::While { body, .. } => 1 + loops_within(body),
        StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => loops_within(a).max(loops_within(b)),
        _ => 0,
    };
    body.iter().map(within).max().unwrap_or_default()
}

/// So many loops within each other take the analysis a second.
const DEEP: usize = 12;

/// How many loops a place is in.
fn loops_around(body: &[Stmt], span: Span) -> usize {
    let mut left: Vec<(&Stmt, usize)> = body.iter().map(|s| (s, 0)).collect();
    let mut most = 0;
    while let Some((stmt, depth)) = left.pop() {
        let is_around = stmt.span.file == span.file && stmt.span.start <= span.start && span.end <= stmt.span.end;
        if !is_around {
            continue;
        }
        most = most.max(depth);
        match &stmt.kind {
            StmtKind::Block(inner) => left.extend(inner.iter().map(|s| (s, depth))),
            StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                left.extend(a.iter().chain(b).map(|s| (s, depth)));
            }
            StmtKind::While { body, .. } => left.extend(body.iter().map(|s| (s, depth + 1))),
            _ => {}
        }
    }
    most
}

/// A procedure that fails only because it may not rely on invariants: a private one on those of its scope (the original assumes them
/// there, although nobody establishes them at the calls), or any on those that other scopes keep to themselves.
fn missing_invariant(
    program: &Program,
    effects: &Effects,
    proc: ProcId,
    options: &Options,
    log: &Log,
) -> Option<Diagnostic> {
    let declared = program.proc(proc);
    if log.failures.is_empty() || log.stopped.is_some() {
        return None;
    }
    let helps = |trusted: Vec<Span>| {
        let trusting = Options { trusted, warn_unreachable: false, ..options.clone() };
        let again = pass(program, effects, proc, &trusting);
        again.failures.is_empty() && again.unknown.is_empty() && again.stopped.is_none()
    };
    let name = &declared.name;
    let (own, others): (Vec<&Scope>, Vec<&Scope>) =
        program.scopes.iter().partition(|s| s.modules.contains(&declared.module));
    let own = own.into_iter().find(|s| declared.private && !s.invariants.is_empty());
    let (span, message, help) = match own.filter(|s| helps(s.invariants.iter().map(|i| i.span).collect())) {
        Some(scope) => (
            scope.invariants[0].span,
            format!(
                "`{name}` is private, so it does not rely on the invariant of {}; with it, nothing would fail here",
                scope.name
            ),
            "calls inside of the scope need not find it true: state it in the procedure's `requires`",
        ),
        None => {
            let kept = others.iter().flat_map(|s| &s.invariants).filter(|i| !i.public);
            let kept: Vec<Span> = kept.map(|i| i.span).collect();
            // Each pass takes as long as the first: one by one only if all together would do.
            if kept.len() > 1 && !helps(kept.clone()) {
                return None;
            }
            (
                kept.into_iter().find(|span| helps(vec![*span]))?,
                format!(
                    "with this invariant nothing would fail in `{name}`, which may not rely on it: it is not public"
                ),
                "write `public invariant`, if others may rely on it",
            )
        }
    };
    let problem = Diagnostic::warning("private-invariant", span, message);
    Some(problem.related(declared.span, "this procedure").help(help))
}

/// Warnings about a contract and the formulas in a body, whoever checks the procedure.
pub fn vacuous(program: &Program, proc: ProcId, options: &Options) -> Vec<Diagnostic> {
    walk(program, &Effects::default(), proc, options, false).vacuous()
}

fn pass(program: &Program, effects: &Effects, proc: ProcId, options: &Options) -> Log {
    learning(program, effects, proc, options).0
}

/// What a pass learned, and the variables that it is about.
type Found<'p> = (Vocabulary<'p>, walk::Learned);

fn learning<'p>(program: &'p Program, effects: &Effects, proc: ProcId, options: &Options) -> (Log, Found<'p>) {
    let mut walk = walk(program, effects, proc, options, false);
    walk.run();
    (walk.log, (walk.v, walk.learned))
}

/// Once more, with the branches written down. What the pass before learned it takes from there: it asks only what did not hold.
fn traced<'p>(
    program: &'p Program,
    effects: &Effects,
    proc: ProcId,
    options: &Options,
    (v, earlier): Found<'p>,
) -> Log {
    let mut walk = Walk { v, earlier, ..walk(program, effects, proc, options, true) };
    walk.run();
    walk.log
}

fn walk<'a, 'p>(
    program: &'p Program,
    effects: &'a Effects,
    proc: ProcId,
    options: &'a Options,
    tracing: bool,
) -> Walk<'a, 'p> {
    let v = Vocabulary::new(program, program.proc(proc).module, Some(proc), sets::Store::new(options.formulas));
    let log = Log { tracing, ..Log::default() };
    Walk {
        v,
        proc,
        effects,
        options,
        log,
        temps: Vec::new(),
        numbers: Vec::new(),
        quiet: false,
        way: Vec::new(),
        kept: FxHashMap::default(),
        aside: Vec::new(),
        branches: branches(program.proc(proc).body.as_deref().unwrap_or_default()),
        lasting: FxHashMap::default(),
        rounds_left: MOST_APART,
        earlier: walk::Learned::default(),
        learned: walk::Learned::default(),
    }
}

/// Rounds of loops that are gone through one by one, in all: loops within each other multiply.
const MOST_APART: u32 = 64;

fn branches(body: &[Stmt]) -> usize {
    let within = |statement: &Stmt| match &statement.kind {
        StmtKind::Block(body) | StmtKind::While { body, .. } => branches(body),
        StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => 1 + branches(a) + branches(b),
        _ => 0,
    };
    body.iter().map(within).sum()
}

fn has_loop(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StmtKind::While { .. } => true,
        StmtKind::Block(inner) => has_loop(inner),
        StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => has_loop(a) || has_loop(b),
        _ => false,
    })
}

/// The procedures that this plugin is named for, in the order of the program.
pub fn procs(program: &Program, module: ModuleId) -> Vec<ProcId> {
    let plugins = program.module(module).plugins.iter().filter(|p| p.checker == Checker::Flags);
    plugins.flat_map(|p| p.procs.iter().copied()).filter(|p| program.proc(*p).body.is_some()).collect()
}

/// Invariants of a scope that do not hold when all sets are empty and all Booleans false, or why that is not known: nothing would establish
/// them (docs/hob.md, "Scopes and invariants").
pub fn broken_initially(program: &Program, scope: ScopeId, limits: &sets::Limits) -> Vec<(Span, Option<String>)> {
    let scope = &program.scopes[scope.index()];
    let Some(&module) = scope.modules.first() else { return Vec::new() };
    let asked = scope.invariants.iter().map(|i| (i.span, holds_initially(program, module, &i.formula, limits)));
    asked.filter(|(_, holds)| *holds != Ok(true)).map(|(span, holds)| (span, holds.err())).collect()
}

/// Clauses of the `requires` of a procedure that the program may start with which do not hold then, or why that is not known.
/// Invariants are asked by themselves.
pub fn not_met_at_start<'p>(
    program: &'p Program,
    main: ProcId,
    limits: &sets::Limits,
) -> Vec<(&'p Clause, Option<String>)> {
    let proc = program.proc(main);
    let clauses = proc.contract.requires.iter().filter(|c| !matches!(c.reason, Reason::Invariant(_)));
    let asked = clauses.map(|clause| (clause, holds_initially(program, proc.module, &clause.formula, limits)));
    asked.filter(|(_, holds)| *holds != Ok(true)).map(|(clause, holds)| (clause, holds.err())).collect()
}

/// Whether a formula without variables of a procedure holds when all sets are empty and all Booleans false, or why that is not known.
fn holds_initially(
    program: &Program,
    module: ModuleId,
    formula: &Formula,
    limits: &sets::Limits,
) -> Result<bool, String> {
    let mut v = Vocabulary::new(program, module, None, sets::Store::new(sets::Options::all(true)));
    let fact = v.formula(formula, Reading::OWN);
    let mut parts = vec![v.store.not(fact)];
    let opaque = v.opaque_part(fact).cloned();
    for var in v.store.free(fact).to_vec() {
        parts.push(match v.store.sort(var) {
            Sort::Set => {
                let (set, empty) = (v.store.set(var), v.store.empty());
                v.store.equal(set, empty)
            }
            Sort::Bool if v.opaque.contains_key(&var) => continue,
            Sort::Bool => {
                let b = v.store.boolean(var);
                v.store.not(b)
            }
        });
    }
    let query = v.store.and(parts);
    match sets::decide(&mut v.store, query, limits).answer {
        sets::Answer::Unsat => Ok(true),
        sets::Answer::Sat(_) => opaque.map_or(Ok(false), Err),
        sets::Answer::Unknown(why) => Err(why),
    }
}
