//! The plugin `bounded`: runs the engine on what `hob::bounded` makes of a module, and has the interpreter confirm what it finds.
//!
//! A procedure is checked with the bounds 1, 2, … up to n, until something is wrong: the example shown is one of the smallest bound that
//! has one. What is verified is verified with n, whose states include those of the smaller bounds. Of modules in a language of shapes it is
//! then tried to prove the same for all heaps (`hob::shape`): that may widen the answer, and never changes it.

use super::flags::options_of;
use super::{Run, Target, undecided};
use crate::{Audience, Event, Place, keep, no_thread};
use hob::Program;
use hob::bounded::{PLUGIN, Subject as About, Task, space, translate, witness};
use hob::program::{Checker, ModuleId, PluginUse, ProcId};
use hob::shape::Ground;
use ir::interp::Linked;
use ir::space::Shape;
use search::{Counts, Options, Outcome, Session, Strategy};
use source::{Diagnostic, Span};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use verdict::{Example, Failure, Item, ItemKind, Reason, Subject, SubjectKind, Verdict};
use work::{Cause, Stop, in_order, with_room};

/// Loop iterations and calls of a run, and nested calls: with a handful of objects, more will not end.
const STEPS: u64 = 20_000;
const DEPTH: u32 = 1_000;

/// A note that says why something is verified up to the bound only.
pub const NOT_FOR_ALL_HEAPS: &str = "hob-not-for-all-heaps";

/// Of MONA's processor time, for one procedure. Most take a tenth of a second; what is not proved by then is verified up to the bound. It is
/// the same for all, whatever the others took: so what is proved depends neither on threads nor on the load.
const MOST_FOR_PROOF: Duration = Duration::from_secs(10);

/// Greater bounds are not within reach.
pub const MOST: i64 = 64;

/// What is to be done for one module.
pub struct Plan {
    pub subject: Subject,
    /// Procedures of it that are checked here.
    pub procs: Vec<ProcId>,
    bound: i64,
    /// Of each item.
    about: Vec<About>,
    /// What the engine runs; an error is about the module as a whole.
    task: Result<&'static Task, Vec<Diagnostic>>,
    only: Option<ProcId>,
    module: ModuleId,
    section: Span,
    /// Whether proofs for all heaps are tried.
    is_shape: bool,
}

pub fn plan(run: &Run<'_>, targets: &[Target]) -> Vec<Plan> {
    let mut plans = Vec::new();
    for &(module, only) in targets {
        for plugin_use in run.program.module(module).plugins.iter().filter(|p| p.checker == Checker::Bounded) {
            let checked = hob::bounded::procs(run.program, module, plugin_use);
            if only.is_none_or(|only| checked.contains(&only)) {
                plans.push(plan_module(run, module, plugin_use, &checked, only));
            }
        }
    }
    plans
}

fn plan_module(
    run: &Run<'_>,
    module: ModuleId,
    plugin_use: &PluginUse,
    checked: &[ProcId],
    only: Option<ProcId>,
) -> Plan {
    let program = run.program;
    let bound = run.options.bound.clamp(1, MOST);
    let mut subject = Subject::new(SubjectKind::Module, program.module(module).name.clone());
    subject.size = Some(bound);
    let is_ours = plugin_use.plugin == PLUGIN;
    let plugin = if is_ours { PLUGIN.to_owned() } else { format!("{PLUGIN}, of {}", plugin_use.plugin) };
    subject.plugin = Some(plugin);
    let integers = space::integers(program, module).text(bound);
    subject.scope = format!("all heaps with {}, {integers}", space::bound_text(bound));
    let task = translate(program, module, plugin_use).map(keep);
    let mut about: Vec<About> = match &task {
        Ok(task) => task.subjects.clone(),
        Err(_) => checked.iter().copied().map(About::Proc).collect(),
    };
    if let Ok(task) = &task {
        about.extend(task.at_calls.iter().map(|(private, _)| About::Proc(*private)));
    }
    about.retain(|a| only.is_none_or(|only| *a == About::Proc(only)));
    about.sort_by_key(|a| match a {
        About::Start => 0,
        About::New(object) => 1 + u64::from(object.0),
        About::Proc(proc) => (1 << 32) + u64::from(proc.0),
    });
    about.dedup();
    let item = |about: &About| match about {
        About::Proc(proc) => run.planned(*proc, verdict::Engine::Glassbox),
        About::Start | About::New(_) => {
            let operation = task.as_ref().ok().and_then(|t| Some((t, t.subjects.iter().position(|s| s == about)?)));
            let name = operation.map(|(task, k)| task.name(program, k)).unwrap_or_default();
            Item::new(ItemKind::Start, name, Verdict::Unknown, verdict::Engine::Glassbox)
        }
    };
    subject.items = about.iter().map(item).collect();
    let (section, is_shape) = (plugin_use.span, hob::shape::concerns(plugin_use));
    Plan { subject, procs: checked.to_vec(), bound, about, task, only, module, section, is_shape }
}

/// What is known about one subject of the engine.
struct Answer {
    about: About,
    /// `List.add`, "the start of List", "a new Entry".
    name: String,
    verdict: Found,
    /// Of what is verified: whether it is so on all heaps, if that was asked.
    proof: Option<Proof>,
    counts: Counts,
    seconds: f64,
}

#[derive(Clone)]
enum Proof {
    AllHeaps,
    /// A note that says why it is not known.
    Open(Diagnostic),
}

enum Found {
    /// On all states within the bound.
    Verified,
    /// With the smallest bound that shows it.
    Refuted {
        bound: i64,
        found: Box<witness::Confirmed>,
    },
    Unknown(Reason),
}

/// All modules, their subjects shared among the threads, and told in order: module by module the start, new objects, procedures as they are
/// declared.
pub fn check(run: &mut Run<'_>, plans: &[Plan], audience: &mut dyn Audience) {
    let first = run.first;
    run.first += plans.len();
    let mut modules: Vec<Checked<'_>> =
        plans.iter().enumerate().map(|(k, plan)| Checked::new(run, plan, first + k)).collect();
    let tasks: Vec<(usize, Engine, usize)> = modules.iter().enumerate().flat_map(|(k, m)| m.tasks(k)).collect();
    let tasks: &'static [(usize, Engine, usize)] = keep(tasks);
    let (stop, bound) = (run.stop, run.options.bound.clamp(1, MOST));
    let workers = run.options.threads.clamp(1, tasks.len().max(1));
    let mut complete = 0;
    // Modules without tasks have no answer to wait for.
    let mut complete_upto =
        |run: &mut Run<'_>, modules: &mut [Checked<'_>], upto: usize, audience: &mut dyn Audience| {
            while complete < upto {
                modules[complete].complete(run, audience);
                complete += 1;
            }
        };
    in_order(
        tasks.len(),
        workers,
        stop,
        move |k, _| Some(tasks[k].1.answer(tasks[k].2, bound)),
        || {},
        |event| {
            let mut answered = |k: usize, answer: Answer| {
                let (module, ..) = tasks[k];
                complete_upto(run, &mut modules, module, audience);
                modules[module].tell(run, answer, audience);
                let is_last = tasks.get(k + 1).is_none_or(|(next, ..)| *next != module);
                complete_upto(run, &mut modules, module + usize::from(is_last), audience);
            };
            match event {
                work::Event::Waiting(k) => {
                    let (_, engine, operation) = tasks[k];
                    audience.tell(Event::Waiting(format!("{PLUGIN}: {}", engine.task.name(engine.program, operation))));
                }
                work::Event::Done(k, answer) => answered(k, answer),
                work::Event::Late(k, cause) => answered(k, tasks[k].1.late(tasks[k].2, cause)),
                work::Event::NoThread => audience.tell(Event::Errors(vec![no_thread()])),
            }
        },
    );
    complete_upto(run, &mut modules, plans.len(), audience);
}

/// A module while it is checked.
struct Checked<'p> {
    plan: &'p Plan,
    /// The number of its subject.
    subject: usize,
    engine: Result<Engine, Vec<Diagnostic>>,
    answers: Vec<Answer>,
}

impl<'p> Checked<'p> {
    fn new(run: &Run<'_>, plan: &'p Plan, subject: usize) -> Checked<'p> {
        let engine = plan.task.as_ref().map_err(Clone::clone).and_then(|task| engine(run, plan, task));
        Checked { plan, subject, engine, answers: Vec::new() }
    }

    /// What is asked of the engine, all but procedures that are checked at their calls.
    fn tasks(&self, module: usize) -> Vec<(usize, Engine, usize)> {
        let Ok(engine) = self.engine else { return Vec::new() };
        let task = engine.task;
        let callers = |proc: ProcId| task.at_calls.iter().find(|(p, _)| *p == proc).map(|(_, callers)| callers);
        let is_wanted = |about: &About| match (self.plan.only, about) {
            (None, _) => true,
            (Some(only), About::Proc(proc)) => *proc == only || callers(only).is_some_and(|c| c.contains(proc)),
            (Some(_), _) => false,
        };
        let wanted = (0..task.subjects.len()).filter(|&i| is_wanted(&task.subjects[i]));
        wanted.map(|operation| (module, engine, operation)).collect()
    }

    fn tell(&mut self, run: &mut Run<'_>, answer: Answer, audience: &mut dyn Audience) {
        let item = item(run.program, self.plan, &answer, run.options.certify);
        self.tell_item(run, answer.about, item, audience);
        self.answers.push(answer);
    }

    fn tell_item(&self, run: &mut Run<'_>, about: About, mut item: Item, audience: &mut dyn Audience) {
        let Some(at) = self.plan.about.iter().position(|a| *a == about) else { return };
        if let About::Proc(proc) = about {
            let is_of_flags = hob::flags::procs(run.program, run.program.proc(proc).module).contains(&proc);
            if !is_of_flags {
                let options = options_of(&run.limits, run.options);
                item.warnings.extend(hob::flags::vacuous(run.program, proc, &options));
            }
            run.complete(proc, &mut item);
        } else {
            run.say_once(&mut item);
        }
        audience.tell(Event::Item(Place { subject: self.subject, item: at }, Box::new(item)));
    }

    /// What follows from the answers, or from there being none.
    fn complete(&mut self, run: &mut Run<'_>, audience: &mut dyn Audience) {
        let plan = self.plan;
        match &self.engine {
            Ok(engine) => {
                for (private, callers) in &engine.task.at_calls {
                    if plan.only.is_none_or(|only| only == *private) {
                        let answer = at_calls(run.program, *private, callers, &self.answers);
                        self.tell(run, answer, audience);
                    }
                }
                let is_proved = |about: &About| {
                    self.answers.iter().any(|a| a.about == *about && matches!(a.proof, Some(Proof::AllHeaps)))
                };
                if plan.about.iter().all(is_proved) {
                    run.for_all_heaps.insert((plan.module, plan.section));
                }
            }
            Err(problems) => {
                for (about, planned) in plan.about.iter().zip(&plan.subject.items) {
                    let reasons = problems.iter().map(|p| undecided(p.span, p.message.clone())).collect();
                    self.tell_item(run, *about, Item { reasons, ..planned.clone() }, audience);
                }
            }
        }
        audience.tell(Event::Complete(self.subject));
    }
}

fn engine(run: &Run<'_>, plan: &Plan, task: &'static Task) -> Result<Engine, Vec<Diagnostic>> {
    let linked: &'static Linked<'static> = keep(Linked::new(&task.program));
    let session = Session::new(linked, plan.bound).map_err(|stopped| {
        vec![Diagnostic::error("internal", None, format!("the engine could not be started: {stopped:?}"))]
    })?;
    let session: &'static Session<'static> = keep(session);
    let states: &'static Arc<AtomicU64> = keep(run.options.states.clone());
    let (program, certify, stop) = (run.program, run.options.certify, keep(run.stop.clone()));
    let proofs: &'static Proofs = keep(if !plan.is_shape {
        Proofs::NotAsked
    } else if let Some(mona) = &run.options.mona {
        Proofs::With(Box::new(Proving { mona: mona.clone(), ground: OnceLock::new() }))
    } else {
        Proofs::NoMona(plan.section)
    });
    Ok(Engine { program, task, session, certify, stop, states, proofs })
}

fn item(program: &Program, plan: &Plan, answer: &Answer, certify: bool) -> Item {
    let at = plan.about.iter().position(|a| *a == answer.about);
    let Some(planned) = at.and_then(|at| plan.subject.items.get(at)) else {
        return Item::new(ItemKind::Procedure, answer.name.clone(), Verdict::Unknown, verdict::Engine::Glassbox);
    };
    let mut item = Item { seconds: answer.seconds, ..planned.clone() };
    let is_private = matches!(answer.about, About::Proc(proc) if program.proc(proc).private);
    if is_private {
        item.notes.push("checked at its calls".to_string());
    } else {
        item.work = vec![("states_run", answer.counts.states_run)];
    }
    if certify {
        item.certified = Some(crate::certified(answer.counts.certified, answer.counts.certified));
    }
    match &answer.verdict {
        Found::Verified => {
            item.verdict = Verdict::Verified;
            match &answer.proof {
                Some(Proof::AllHeaps) => item.scope = "all heaps".to_owned(),
                Some(Proof::Open(note)) => item.warnings.push(note.clone()),
                None => {}
            }
        }
        Found::Unknown(reason) => item.reasons = vec![reason.clone()],
        Found::Refuted { bound, found } => {
            item.verdict = Verdict::Violated;
            let problems = found.violations.iter().map(|v| v.problem.clone()).collect();
            let example = Some(Example::Heap(found.example.clone()));
            item.failures = vec![Failure { problems, example, size: Some(*bound), replay: None }];
        }
    }
    item
}

/// A private procedure keeps its contract if it does so wherever it is called.
fn at_calls(program: &Program, private: ProcId, callers: &[ProcId], answers: &[Answer]) -> Answer {
    let of_caller = |a: &&Answer| matches!(a.about, About::Proc(p) if callers.contains(&p));
    let asked: Vec<&Answer> = answers.iter().filter(of_caller).collect();
    let open = asked.iter().find(|a| !matches!(a.verdict, Found::Verified));
    let span = program.proc(private).span;
    let verdict = match open {
        None if asked.is_empty() => {
            unknown("never-called", span, "no public procedure calls it, so that nothing is checked")
        }
        None => Found::Verified,
        Some(caller) => {
            let message = format!("it is checked at its calls, and {} is not verified", caller.name);
            unknown("caller-not-verified", span, message)
        }
    };
    let (about, name) = (About::Proc(private), program.proc_name(private));
    let all = !asked.is_empty() && asked.iter().all(|a| matches!(a.proof, Some(Proof::AllHeaps)));
    let proof = all.then_some(Proof::AllHeaps);
    Answer { about, name, verdict, proof, counts: Counts::default(), seconds: 0.0 }
}

fn unknown(id: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Found {
    Found::Unknown(Reason::Open(Diagnostic::warning(id, span, format!("not decided: {}", message.into()))))
}

#[derive(Clone, Copy)]
struct Engine {
    program: &'static Program,
    task: &'static Task,
    session: &'static Session<'static>,
    certify: bool,
    stop: &'static Stop,
    /// Run so far, for whoever waits.
    states: &'static Arc<AtomicU64>,
    proofs: &'static Proofs,
}

/// Whether what is verified up to the bound is to be proved for all heaps.
enum Proofs {
    NotAsked,
    With(Box<Proving>),
    /// It would be; of the section there.
    NoMona(Span),
}

struct Proving {
    mona: PathBuf,
    /// What all proofs of the module begin with.
    ground: OnceLock<Ground<'static>>,
}

impl Engine {
    fn prove(self, operation: usize) -> Option<Proof> {
        let proving = match self.proofs {
            Proofs::NotAsked => return None,
            Proofs::NoMona(section) => {
                let message = "not proved for all heaps: MONA is not installed";
                return Some(Proof::Open(Diagnostic::note("hob-no-mona", *section, message)));
            }
            Proofs::With(proving) => proving,
        };
        let options = hob::shape::Options { mona: proving.mona.clone(), most: MOST_FOR_PROOF, stop: self.stop.clone() };
        let ground = proving.ground.get_or_init(|| Ground::new(self.program, self.task.module, &options));
        Some(match ground.prove(self.task.subjects[operation], &options) {
            hob::shape::Answer::Proved => Proof::AllHeaps,
            hob::shape::Answer::Open(span, why) => {
                let name = self.task.name(self.program, operation);
                let message = format!("{name} is not proved for all heaps: {why}");
                Proof::Open(Diagnostic::note(NOT_FOR_ALL_HEAPS, span, message))
            }
        })
    }

    fn answer(self, operation: usize, bound: i64) -> Answer {
        let start = Instant::now();
        // A panic is our bug, and no verdict.
        let asked = catch_unwind(AssertUnwindSafe(|| with_room(|| self.smallest(operation, bound))));
        let (verdict, counts) = match asked {
            Ok(Ok(answer)) => answer,
            Ok(Err(e)) => {
                (self.unknown(operation, "internal", format!("no thread could be started: {e}")), Counts::default())
            }
            Err(_) => (self.unknown(operation, "internal", "the search panicked".into()), Counts::default()),
        };
        let proof = match verdict {
            Found::Verified => catch_unwind(AssertUnwindSafe(|| self.prove(operation))).unwrap_or_default(),
            _ => None,
        };
        Answer {
            about: self.task.subjects[operation],
            name: self.task.name(self.program, operation),
            verdict,
            proof,
            counts,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    /// In the place of one that took longer than it may.
    fn late(self, operation: usize, cause: Cause) -> Answer {
        Answer {
            about: self.task.subjects[operation],
            name: self.task.name(self.program, operation),
            verdict: Found::Unknown(cause.into()),
            proof: None,
            counts: Counts::default(),
            seconds: 0.0,
        }
    }

    fn unknown(self, operation: usize, id: &'static str, message: String) -> Found {
        unknown(id, self.task.checked.operations[operation].span, message)
    }

    /// The bounds from 1 on: most of what is wrong shows with few objects, in no time.
    fn smallest(self, operation: usize, bound: i64) -> (Found, Counts) {
        let mut verified = None;
        for n in 1..=bound {
            let (mut verdict, counts) = self.with_bound(operation, n);
            if let (Found::Unknown(reason), Some(smaller), true) = (&verdict, verified, self.stop.is_due()) {
                let message = format!("{}; verified up to the bound {smaller}", reason.message());
                let span = self.task.checked.operations[operation].span;
                verdict = Found::Unknown(Reason::Open(Diagnostic::warning(reason.code(), span, message)));
                return (verdict, counts);
            }
            if n == bound || matches!(verdict, Found::Refuted { .. }) {
                return (verdict, counts);
            }
            if matches!(verdict, Found::Verified) {
                verified = Some(n);
            }
        }
        (self.unknown(operation, "internal", "there is no bound".into()), Counts::default())
    }

    /// A violation that hangs on more than the module's own code, or on more than a call's contract says.
    fn of_other_modules(self, operation: usize, call: Option<(Span, ProcId)>) -> Found {
        const ID: &str = "hob-bounded-other-modules";
        let Some((span, callee)) = call else {
            let message =
                "a possible violation depends on sets of other modules, in a state that is not known to exist";
            return self.unknown(operation, ID, message.to_string());
        };
        let (name, callee) = (self.program.proc_name(callee), self.program.proc(callee));
        let why = match callee.body {
            None => "its code is not here, and its contract allows more than one outcome or state".to_string(),
            Some(_) => format!(
                "`{}` may never be in the state that shows it, or its code does less than its contract allows",
                self.program.module(callee.module).name
            ),
        };
        unknown(ID, span, format!("a possible violation depends on this call of {name}: {why}"))
    }

    fn with_bound(self, operation: usize, n: i64) -> (Found, Counts) {
        let space = Arc::new(space::space(self.program, self.task, operation, n));
        let options = Options {
            size: n,
            shape: Shape::Complete,
            strategy: Strategy::Execution,
            certify: self.certify,
            limits: symex::Limits { steps: STEPS, depth: DEPTH, ..Default::default() },
            stop: self.stop.clone(),
            beside: Arc::default(),
            progress: self.states.clone(),
            rein: None,
            observe: None,
        };
        let checked = &self.task.checked;
        let described = &checked.operations[operation];
        let (outcome, counts) = self.session.search(&space, checked, described, &options);
        let verdict = match outcome {
            Outcome::Verified => Found::Verified,
            Outcome::Violated(found) => match witness::confirm(self.program, self.task, operation, &space, &found) {
                Ok(found) => Found::Refuted { bound: n, found: Box::new(found) },
                Err(witness::Unconfirmed::OtherModules { call }) => self.of_other_modules(operation, call),
                Err(witness::Unconfirmed::TakesLong) => {
                    let message = format!(
                        "a run on one of the large numbers that the module mentions takes more than {STEPS} steps, or {DEPTH} nested calls"
                    );
                    self.unknown(operation, "step-limit", message)
                }
                Err(witness::Unconfirmed::Disagrees(why)) => {
                    let message = format!("a violation was found that does not replay: {why}");
                    self.unknown(operation, "internal", message)
                }
            },
            Outcome::NoState => {
                let message = format!("no state within the bound {n} meets its precondition and the invariants");
                self.unknown(operation, "no-state", message)
            }
            Outcome::AllDropped => {
                self.unknown(operation, "all-dropped", "an assumption ends every run within the bound".into())
            }
            Outcome::Stopped(symex::Stop::Unsupported(problem)) => {
                Found::Unknown(undecided(problem.span, problem.message))
            }
            Outcome::Stopped(symex::Stop::Steps(span)) => {
                unknown("step-limit", span, format!("a run takes more than {STEPS} steps here"))
            }
            Outcome::Stopped(stop) => match self.stop.cause() {
                Some(cause) => Found::Unknown(cause.into()),
                None => self.unknown(operation, "internal", format!("the search stopped: {stop:?}")),
            },
            Outcome::Rejected(why) => self.unknown(operation, "internal", why),
        };
        (verdict, counts)
    }
}
