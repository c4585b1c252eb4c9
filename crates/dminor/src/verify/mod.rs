//! Verification (DMINOR.md, sections 6 to 8): can any input of the parameter types make a function fail, or give a result outside of
//! its type? Each function by itself, against the signatures of those it calls, for all inputs.
//!
//! In: a program. Out: a [`Verdict`] per named type and function: proved by the solver; or a concrete input, confirmed by the
//! interpreter; or neither, with the conditions that resisted. What the solver does not answer proves nothing.

pub(crate) mod closures;
mod invariants;
pub(crate) mod logic;
mod loops;
mod models;
pub(crate) mod prove;
mod refute;
pub(crate) mod term;
mod types;
pub(crate) mod walk;

pub use prove::prelude;
pub use refute::Counterexample;
pub use types::{Closed, Inhabited, Subtype, inhabit, subtype};
pub use walk::{Condition, Kind};

use crate::bemol::Reading;
use crate::program::*;
use crate::value::Value;
use logic::{Env, Logic};
use prove::{Certifier, Doubt, Query, Solver};
use source::Span;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use walk::Walker;

#[derive(Clone, Debug)]
pub struct Options {
    pub reading: Reading,
    /// Types need not be well-formed (DMINOR.md, 6.6).
    pub lenient_types: bool,
    pub solver: smt::Program,
    /// For one condition.
    pub patience: Duration,
    pub threads: usize,
    /// Inputs that are tried before a function counts as not refuted.
    pub tries: usize,
    /// A second solver, which must repeat every proof.
    pub certifier: Option<smt::Program>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Type(TypeId),
    Function(FunId),
}

#[derive(Clone, Debug)]
pub enum Verdict {
    Verified,
    Violated(Box<Counterexample>),
    NotProved(Vec<Unproved>),
}

/// A condition that resisted.
#[derive(Clone, Debug)]
pub struct Unproved {
    pub kind: Kind,
    pub span: Span,
    pub why: String,
    /// The conditions on the way to it, and what they are.
    pub path: Vec<(Span, bool)>,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub subject: Subject,
    pub verdict: Verdict,
    pub conditions: usize,
    /// What a verdict `Verified` takes to be fine although it is not known to be: functions that are called and types, directly or not.
    pub assuming: Vec<Subject>,
    /// Of a verdict `Verified`, if there is a second solver.
    pub certified: Option<Certified>,
    pub queries: u64,
    /// Queries that the clock stopped: the verdict may be another on a machine with less to do.
    pub late: u64,
    pub seconds: f64,
    /// Of which in the solver.
    pub solver_seconds: f64,
}

/// What a second solver says of the proofs of a verdict.
#[derive(Clone, Debug)]
pub struct Certified {
    /// All proofs: of the conditions, and of what was guessed on the way.
    pub proofs: usize,
    /// Those that it does not repeat.
    pub open: Vec<Unproved>,
}

impl Answer {
    pub(crate) fn new(subject: Subject) -> Answer {
        Answer {
            subject,
            verdict: Verdict::Verified,
            conditions: 0,
            assuming: Vec::new(),
            certified: None,
            queries: 0,
            late: 0,
            seconds: 0.0,
            solver_seconds: 0.0,
        }
    }

    /// Verified, and certified if that was asked for; perhaps on assumptions.
    pub fn is_proved(&self) -> bool {
        matches!(self.verdict, Verdict::Verified) && self.certified.as_ref().is_none_or(|c| c.open.is_empty())
    }
}

/// Decides everything in a program: types first, then functions, in the order of the text.
pub fn check(program: &Program, options: &Options) -> Vec<Answer> {
    each_subject(program, options, |subject, fine, solver| decide(program, subject, fine, options, solver))
}

/// Decides everything in a program by some method, which is told the named types that a verdict may rest on.
pub(crate) fn each_subject(
    program: &Program,
    options: &Options,
    decide: impl Fn(Subject, &[bool], &mut Solver) -> Answer + Sync,
) -> Vec<Answer> {
    let (types, functions) = subjects(program);
    // Each type by itself, the tests of those it names taken to be fine: if one is not, none that leads to it is.
    let assumed = vec![true; types.len()];
    let mut answers = spread(&types, options, |subject, solver| decide(subject, &assumed, solver));
    // A type that is not well-formed, or that rests on one, may go wrong when tested.
    let is_fine: Vec<bool> = answers.iter().map(|a| matches!(a.verdict, Verdict::Verified)).collect();
    let fine: Vec<bool> = (0..types.len()).map(|k| reaches(program, k).iter().all(|n| is_fine[*n])).collect();
    answers.extend(spread(&functions, options, |subject, solver| decide(subject, &fine, solver)));
    assume(program, &mut answers);
    answers
}

/// Says of every verdict what it rests on that is not known to be fine.
fn assume(program: &Program, answers: &mut [Answer]) {
    let doubtful: Vec<Subject> = answers.iter().filter(|a| !a.is_proved()).map(|a| a.subject).collect();
    for answer in answers.iter_mut().filter(|a| matches!(a.verdict, Verdict::Verified)) {
        let reached: Vec<Subject> = match answer.subject {
            Subject::Type(id) => {
                reaches(program, id.0 as usize).into_iter().map(|k| Subject::Type(TypeId(k as u32))).collect()
            }
            Subject::Function(id) => {
                let types = named_by(program, id).into_iter().flat_map(|id| reaches(program, id.0 as usize));
                let types = types.map(|k| Subject::Type(TypeId(k as u32)));
                called(program, id).into_iter().map(Subject::Function).chain(types).collect()
            }
        };
        answer.assuming = doubtful.iter().filter(|d| **d != answer.subject && reached.contains(d)).copied().collect();
    }
}

/// The functions that a function calls, directly or not.
fn called(program: &Program, from: FunId) -> Vec<FunId> {
    fn calls(expr: &Expr, out: &mut Vec<FunId>) {
        if let ExprKind::Call(id, _) = &expr.kind
            && !out.contains(id)
        {
            out.push(*id);
        }
        expr.each_part(&mut |part| calls(part, out));
    }
    let mut reached = Vec::new();
    calls(&program.function(from).body, &mut reached);
    let mut at = 0;
    while at < reached.len() {
        calls(&program.function(reached[at]).body, &mut reached);
        at += 1;
    }
    reached
}

/// The types and the functions of a program, in the order of the text.
fn subjects(program: &Program) -> (Vec<Subject>, Vec<Subject>) {
    let types = (0..program.types.len() as u32).map(|k| Subject::Type(TypeId(k)));
    let functions = (0..program.functions.len() as u32).map(|k| Subject::Function(FunId(k)));
    (types.collect(), functions.collect())
}

/// The conditions of everything in a program as questions to a solver, behind the [`prelude`].
pub fn emit(program: &Program, reading: Reading, lenient_types: bool) -> Vec<(Subject, Condition, String)> {
    let mut all = Vec::new();
    let (types, functions) = subjects(program);
    for subject in types.into_iter().chain(functions) {
        let well_formed = Rc::new(vec![true; program.types.len()]);
        let mut nobody = Nobody;
        let mut walker = Walker::new(Logic::new(program, reading, well_formed), &mut nobody);
        walker.lenient_types = lenient_types;
        walk(&mut walker, subject);
        for condition in std::mem::take(&mut walker.conditions) {
            let text = Query::new(&walker.logic, &condition).text;
            all.push((subject, condition, text));
        }
    }
    all
}

/// Whether the axioms of everything in a program contradict each other, as far as the solver sees: then every proof is worth nothing.
pub fn is_contradictory(program: &Program, reading: Reading, solver: &smt::Program, patience: Duration) -> bool {
    let (types, functions) = subjects(program);
    let well_formed = Rc::new(vec![true; types.len()]);
    let mut nobody = Nobody;
    let mut walker = Walker::new(Logic::new(program, reading, well_formed), &mut nobody);
    (0..types.len() as u32).for_each(|k| walker.logic.define(TypeId(k)));
    types.into_iter().chain(functions).for_each(|subject| walk(&mut walker, subject));
    // No facts: only what is taken to be true of all values.
    let text = walker.logic.items.everything();
    let mut session = smt::Session::new(solver.clone(), prove::prelude(solver.kind));
    session.check(&text, patience) == smt::Answer::Unsat
}

/// Proves nothing.
struct Nobody;

impl prove::Prover for Nobody {
    fn prove(&mut self, _: &Query) -> Result<(), String> {
        Err("nobody was asked".to_string())
    }

    fn guess(&mut self, _: &Query) -> bool {
        false
    }
}

fn walk<'p>(walker: &mut Walker<'_, 'p>, subject: Subject) {
    let program = walker.logic.program;
    match subject {
        Subject::Type(id) => walker.well_formed(&program.named(id).definition, &Env::new()),
        Subject::Function(id) => walker.function(program.function(id)),
    }
}

/// Runs on several threads, each with a solver of its own; answers in order.
fn spread(subjects: &[Subject], options: &Options, run: impl Fn(Subject, &mut Solver) -> Answer + Sync) -> Vec<Answer> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Answer>>> = Mutex::new(vec![None; subjects.len()]);
    std::thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, subjects.len().max(1)) {
            let work = || {
                let mut solver = Solver::new(options.solver.clone(), options.patience);
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(subject) = subjects.get(at) else { break };
                    solver.reset();
                    let answer = work::on_large_stack(|| run(*subject, &mut solver));
                    if let Ok(mut done) = done.lock() {
                        done[at] = Some(answer);
                    }
                }
            };
            scope.spawn(work);
        }
    });
    done.into_inner().map_or(Vec::new(), |answers| answers.into_iter().flatten().collect())
}

fn decide(program: &Program, subject: Subject, well_formed: &[bool], options: &Options, solver: &mut Solver) -> Answer {
    let start = Instant::now();
    let before = solver.counts();
    let mut answer = Answer::new(subject);
    let ill = ill_formed(program, subject, well_formed);
    let mut gathered = Gathered::default();
    let mut try_out = |guesses: bool, answer: &mut Answer, solver: &mut Solver| {
        attempt(program, subject, well_formed, options, solver, guesses, (answer, &mut gathered))
    };
    // What is not proved at once may be wrong, and an input that shows it is often found sooner than a proof is given up.
    solver.patience = prove::SHORT.min(options.patience);
    let mut unproved = try_out(false, &mut answer, solver);
    solver.patience = options.patience;
    if !unproved.is_empty() || !ill.is_empty() {
        // Random inputs first: they do not depend on the solver.
        let mut refuted = refute::refute(program, subject, options, &[], options.tries / 10);
        if refuted.is_none() && !unproved.is_empty() {
            unproved = try_out(has_accumulate(program, subject), &mut answer, solver);
        }
        if refuted.is_none() && !(unproved.is_empty() && ill.is_empty()) {
            refuted = refute::refute(program, subject, options, &gathered.hints, options.tries);
        }
        unproved.extend(ill);
        answer.verdict = match refuted {
            Some(found) => Verdict::Violated(Box::new(found)),
            None if unproved.is_empty() => Verdict::Verified,
            None => Verdict::NotProved(unproved),
        };
    }
    if let (Verdict::Verified, Some(certifier)) = (&answer.verdict, &options.certifier) {
        certify(&mut answer, gathered.proofs, &mut Certifier::new(certifier, options.patience));
    }
    let counts = solver.counts();
    answer.queries = counts.queries - before.queries;
    answer.late = counts.late - before.late;
    answer.solver_seconds = (counts.micros - before.micros) as f64 / 1e6;
    answer.seconds = start.elapsed().as_secs_f64();
    answer
}

/// Has the proofs repeated by a second solver. Where that has a model instead, nothing is proved.
fn certify(answer: &mut Answer, proofs: Vec<(Condition, Query)>, certifier: &mut Certifier) {
    let (mut open, mut contradicted) = (Vec::new(), Vec::new());
    let total = proofs.len();
    for (condition, query) in proofs {
        let Err(doubt) = certifier.repeat(&query) else { continue };
        let Condition { kind, span, path, .. } = condition;
        match doubt {
            Doubt::Open(why) => open.push(Unproved { kind, span, why, path }),
            Doubt::Contradicted => {
                let why = "the solvers disagree: one has a proof, the other a model".to_string();
                contradicted.push(Unproved { kind, span, why, path });
            }
        }
    }
    if contradicted.is_empty() {
        answer.certified = Some(Certified { proofs: total, open });
    } else {
        answer.verdict = Verdict::NotProved(contradicted);
    }
}

/// What attempts leave beside their verdict.
#[derive(Default)]
struct Gathered {
    /// Inputs that the solver hints at.
    hints: Vec<Vec<Value>>,
    /// The proofs of the last attempt.
    proofs: Vec<(Condition, Query)>,
}

/// Inputs that the solver hints at, for one function.
const MOST_HINTS: usize = 4;

/// The conditions that are not proved.
fn attempt(
    program: &Program,
    subject: Subject,
    well_formed: &[bool],
    options: &Options,
    solver: &mut Solver,
    guesses: bool,
    (answer, Gathered { hints, proofs }): (&mut Answer, &mut Gathered),
) -> Vec<Unproved> {
    use prove::Prover;
    // Where types need not be well-formed, a test of any of them may go wrong.
    let tested = well_formed.iter().map(|fine| *fine && !options.lenient_types).collect();
    let logic = Logic::new(program, options.reading, Rc::new(tested));
    let mut walker = Walker::new(logic, solver);
    walker.guesses = guesses;
    walker.lenient_types = options.lenient_types;
    walk(&mut walker, subject);
    let conditions = std::mem::take(&mut walker.conditions);
    answer.conditions = conditions.len();
    let (logic, parameters) = (walker.logic, walker.parameters);
    // What an earlier attempt proved is of no use to this one.
    let relied = walker.relied.into_iter().filter(|condition| !term::is_true(&condition.goal));
    *proofs = relied.map(|condition| (condition.clone(), Query::new(&logic, &condition))).collect();
    let mut unproved = Vec::new();
    for condition in conditions {
        let query = Query::new(&logic, &condition);
        match solver.prove(&query) {
            Ok(()) => proofs.push((condition, query)),
            Err(why) => {
                if hints.len() < MOST_HINTS && !parameters.is_empty() {
                    hints.extend(models::arguments(&logic, &query, &parameters, solver));
                }
                unproved.push(Unproved { kind: condition.kind, span: condition.span, why, path: condition.path });
            }
        }
    }
    unproved
}

/// The types that a function rests on and that are not fine.
pub(crate) fn ill_formed(program: &Program, subject: Subject, well_formed: &[bool]) -> Vec<Unproved> {
    let Subject::Function(id) = subject else { return Vec::new() };
    let ill = named_by(program, id).into_iter().filter(|id| !well_formed[id.0 as usize]);
    ill.map(|id| Unproved {
        kind: Kind::IllFormed(program.named(id).name.clone()),
        span: program.named(id).name_span,
        why: "its own conditions are not proved".to_string(),
        path: Vec::new(),
    })
    .collect()
}

/// Named types in a function, and in the signatures of what it calls.
fn named_by(program: &Program, id: FunId) -> Vec<TypeId> {
    let mut named = Vec::new();
    let function = program.function(id);
    function.parameters.iter().for_each(|(_, ty)| named_in(ty, &mut named));
    named_in(&function.result, &mut named);
    names_of(&function.body, program, &mut named);
    named
}

/// The named types that a type stands on.
fn names_in(ty: &Type) -> Vec<TypeId> {
    let mut named = Vec::new();
    named_in(ty, &mut named);
    named
}

/// Named types in a type.
fn named_in(ty: &Type, out: &mut Vec<TypeId>) {
    if let TypeKind::Named(id) = ty.kind
        && !out.contains(&id)
    {
        out.push(id);
    }
    ty.each_part(&mut |part| named_in(part, out));
    ty.each_expr(&mut |e| types_of(e, out));
}

fn types_of(expr: &Expr, out: &mut Vec<TypeId>) {
    expr.each_type(&mut |ty| named_in(ty, out));
    expr.each_part(&mut |part| types_of(part, out));
}

/// Named types in a body, and in the signatures of what it calls.
fn names_of(expr: &Expr, program: &Program, out: &mut Vec<TypeId>) {
    types_of(expr, out);
    if let ExprKind::Call(id, _) = &expr.kind {
        let called = program.function(*id);
        called.parameters.iter().for_each(|(_, ty)| named_in(ty, out));
        named_in(&called.result, out);
    }
    expr.each_part(&mut |part| names_of(part, program, out));
}

/// The named types that a type leads to, itself included.
fn reaches(program: &Program, from: usize) -> Vec<usize> {
    let mut reached = vec![TypeId(from as u32)];
    let mut at = 0;
    while at < reached.len() {
        let mut named = Vec::new();
        named_in(&program.named(reached[at]).definition, &mut named);
        named.retain(|id| !reached.contains(id));
        reached.extend(named);
        at += 1;
    }
    reached.into_iter().map(|id| id.0 as usize).collect()
}

fn has_accumulate(program: &Program, subject: Subject) -> bool {
    let found = |expr: &Expr| expr.has(&|kind| matches!(kind, ExprKind::Accumulate(_)));
    match subject {
        Subject::Type(id) => {
            let mut any = false;
            program.named(id).definition.each_expr(&mut |e| any |= found(e));
            any
        }
        Subject::Function(id) => found(&program.function(id).body),
    }
}
