//! The plugin `bounded`: runs the engine on what `hob::bounded` makes of a module, and has the interpreter confirm what it finds.
//!
//! A procedure is checked with the bounds 1, 2, … up to n, until something is wrong: the example shown is one of the smallest bound that
//! has one. What is verified is verified with n, whose states include those of the smaller bounds.

use super::answers::{self, ModuleAnswer, Problem, ProcAnswer, Reach, spread};
use crate::args::Check;
use crate::halt::Halt;
use crate::progress::Progress;
use hob::Program;
use hob::bounded::{PLUGIN, Subject, Task, space, translate, witness};
use hob::program::{ModuleId, PluginUse, ProcId};
use ir::interp::{Linked, run_statics, snapshot};
use ir::space::{Shape, Statics};
use report::{Paint, draw_state};
use search::{Counts, GlassBox, Options, Outcome, Strategy};
use source::{Diagnostic, SourceMap, Span};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;
use verdict::Reason;
use work::threads;
use work::with_room;

/// Loop iterations and calls of a run, and nested calls: with a handful of objects, more will not end.
const STEPS: u64 = 20_000;
const DEPTH: u32 = 1_000;

/// Greater bounds are not within reach.
const MOST: i64 = 64;

/// What is known about one subject.
struct Answer {
    subject: Subject,
    /// `List.add`, "the start of List", "a new Entry".
    name: String,
    verdict: Verdict,
    /// Runs of the engine, each for all states that take the same way.
    states: u64,
    seconds: f64,
}

enum Verdict {
    /// On all states within the bound.
    Verified,
    /// With the smallest bound that shows it.
    Refuted {
        bound: i64,
        found: Box<witness::Confirmed>,
    },
    Unknown(Box<Diagnostic>),
}

/// The answers for the procedures that are left to this plugin.
pub fn answer(
    program: &Program,
    targets: &[(ModuleId, Option<ProcId>)],
    arguments: &Check,
    sources: &SourceMap,
    halt: &Halt,
) -> Vec<ModuleAnswer> {
    let bound = arguments.size.last.clamp(1, MOST);
    let mut modules: Vec<ModuleAnswer> = Vec::new();
    for &(module, only) in targets {
        for plugin_use in program.module(module).plugins.iter().filter(|p| p.plugin == PLUGIN) {
            let checked = hob::bounded::procs(program, module, plugin_use);
            if only.is_some_and(|only| !checked.contains(&only)) {
                continue;
            }
            let how = (threads(arguments.threads), arguments.certify, !arguments.quiet);
            let procs = match check(program, (module, plugin_use), only, bound, how, halt) {
                Ok(answers) => answers.into_iter().filter_map(|a| told(program, sources, module, a)).collect(),
                Err(problems) => {
                    let why = problems.into_iter().map(|p| (p.span, p.message)).collect::<Vec<_>>();
                    let asked = checked.iter().filter(|p| only.is_none_or(|only| only == **p));
                    asked.map(|p| proc_answer(*p, None, answers::Verdict::Unknown(why.clone()))).collect()
                }
            };
            modules.push(ModuleAnswer { module, plugin: PLUGIN.to_owned(), reach: Reach::UpTo(bound), procs });
        }
    }
    modules
}

fn proc_answer(proc: ProcId, title: Option<String>, verdict: answers::Verdict) -> ProcAnswer {
    ProcAnswer {
        proc,
        title,
        verdict,
        work: String::new(),
        seconds: 0.0,
        warnings: Vec::new(),
        mona: Vec::new(),
        counts: serde_json::Value::Null,
    }
}

fn told(program: &Program, sources: &SourceMap, module: ModuleId, answer: Answer) -> Option<ProcAnswer> {
    let (proc, title) = match answer.subject {
        Subject::Proc(proc) => (proc, None),
        Subject::Start | Subject::New(_) => (*program.module(module).procs.first()?, Some(answer.name)),
    };
    let mut bound = None;
    let verdict = match answer.verdict {
        Verdict::Verified => answers::Verdict::Verified,
        Verdict::Unknown(why) => answers::Verdict::Unknown(vec![(why.span, why.message)]),
        Verdict::Refuted { bound: n, found } => {
            bound = Some(n);
            let drawing = drawing(&found);
            let example = report::json::counterexample(sources, &found.example);
            let mut problems = Vec::new();
            for (i, diagnostic) in found.diagnostics.into_iter().enumerate() {
                // One example for all that is wrong with it.
                let drawing = if i == 0 { drawing.clone() } else { Vec::new() };
                problems.push(Problem { diagnostic, drawing, example: example.clone() });
            }
            answers::Verdict::Fails(problems)
        }
    };
    let is_private = title.is_none() && program.proc(proc).private;
    let work = if is_private { "at its calls".into() } else { report::numbers::plural(answer.states.into(), "state") };
    let counts = serde_json::json!({ "states_run": answer.states, "smallest_bound": bound });
    Some(ProcAnswer { work, seconds: answer.seconds, counts, ..proc_answer(proc, title, verdict) })
}

/// The state before, the call, the state after.
fn drawing(found: &witness::Confirmed) -> Vec<String> {
    let (example, paint) = (&found.example, Paint { color: false });
    let mut text = String::new();
    draw_state(&mut text, &example.before, None, paint);
    text.push_str(&format!("\n  {}", example.call));
    if !example.outcome.is_empty() {
        text.push_str(&format!("  → {}", example.outcome));
    }
    text.push('\n');
    if let Some(after) = &example.after {
        text.push('\n');
        draw_state(&mut text, after, Some(&example.before), paint);
    }
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

/// All answers for a module, in order: the start, new objects, procedures as they are declared. Errors are about the module as a whole.
fn check(
    program: &Program,
    (module, plugin_use): (ModuleId, &PluginUse),
    only: Option<ProcId>,
    bound: i64,
    (threads, certify, is_shown): (usize, bool, bool),
    halt: &Halt,
) -> Result<Vec<Answer>, Vec<Diagnostic>> {
    let task = translate(program, module, plugin_use)?;
    let linked = Linked::new(&task.program);
    let heap = match with_room(|| run_statics(&linked, bound)) {
        Ok(Ok(heap)) => heap,
        failed => {
            let message = format!("the engine could not be started: {:?}", failed.err());
            return Err(vec![Diagnostic::error("internal", program.module(module).span, message)]);
        }
    };
    let statics = snapshot(&linked, &heap);
    let callers = |proc: ProcId| task.at_calls.iter().find(|(p, _)| *p == proc).map(|(_, callers)| callers);
    let is_wanted = |subject: &Subject| match (only, subject) {
        (None, _) => true,
        (Some(only), Subject::Proc(proc)) => *proc == only || callers(only).is_some_and(|c| c.contains(proc)),
        (Some(_), _) => false,
    };
    let wanted: Vec<usize> = (0..task.subjects.len()).filter(|&i| is_wanted(&task.subjects[i])).collect();
    let mut progress = Progress::new(is_shown);
    let states = progress.states.clone();
    let engine = Engine { program, task: &task, statics: &statics, certify, halt, states: &states };
    let what = &program.module(module).name;
    let mut answers = spread(wanted.len(), threads, (what, &mut progress), |k| engine.answer(wanted[k], bound));
    for (private, callers) in &task.at_calls {
        if only.is_none_or(|only| only == *private) {
            answers.push(at_calls(program, *private, callers, &answers));
        }
    }
    answers.retain(|a| only.is_none_or(|only| a.subject == Subject::Proc(only)));
    let place = |a: &Answer| match a.subject {
        Subject::Start => 0,
        Subject::New(object) => 1 + u64::from(object.0),
        Subject::Proc(proc) => (1 << 32) + u64::from(proc.0),
    };
    answers.sort_by_key(place);
    Ok(answers)
}

/// A private procedure keeps its contract if it does so wherever it is called.
fn at_calls(program: &Program, private: ProcId, callers: &[ProcId], answers: &[Answer]) -> Answer {
    let of_caller = |a: &&Answer| matches!(a.subject, Subject::Proc(p) if callers.contains(&p));
    let asked: Vec<&Answer> = answers.iter().filter(of_caller).collect();
    let open = asked.iter().find(|a| !matches!(a.verdict, Verdict::Verified));
    let span = program.proc(private).span;
    let verdict = match open {
        None if asked.is_empty() => {
            unknown("nobody-calls", span, "no public procedure calls it, so that nothing is checked")
        }
        None => Verdict::Verified,
        Some(caller) => {
            let message = format!("it is checked at its calls, and {} is not verified", caller.name);
            unknown("caller-not-verified", span, message)
        }
    };
    Answer { subject: Subject::Proc(private), name: program.proc_name(private), verdict, states: 0, seconds: 0.0 }
}

fn unknown(id: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Verdict {
    Verdict::Unknown(Box::new(Diagnostic::error(id, span, message)))
}

#[derive(Clone, Copy)]
struct Engine<'a> {
    program: &'a Program,
    task: &'a Task,
    statics: &'a Statics,
    certify: bool,
    halt: &'a Halt,
    /// Run so far, for whoever waits.
    states: &'a Arc<AtomicU64>,
}

impl Engine<'_> {
    fn answer(self, operation: usize, bound: i64) -> Answer {
        let start = Instant::now();
        // A panic is our bug, and no verdict.
        let asked = catch_unwind(AssertUnwindSafe(|| with_room(|| self.smallest(operation, bound))));
        let (verdict, counts) = match asked {
            Ok(Ok(answer)) => answer,
            Ok(Err(e)) => {
                (self.unknown(operation, "internal", format!("no thread could be started: {e}")), Counts::default())
            }
            Err(_) => (self.unknown(operation, "internal", "the search broke down".into()), Counts::default()),
        };
        Answer {
            subject: self.task.subjects[operation],
            name: self.task.name(self.program, operation),
            verdict,
            states: counts.states_run,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    fn unknown(self, operation: usize, id: &'static str, message: String) -> Verdict {
        unknown(id, self.task.checked.operations[operation].span, message)
    }

    /// The bounds from 1 on: most of what is wrong shows with few objects, in no time.
    fn smallest(self, operation: usize, bound: i64) -> (Verdict, Counts) {
        let mut verified = None;
        for n in 1..=bound {
            let (mut verdict, counts) = self.with_bound(operation, n);
            if let (Verdict::Unknown(why), Some(smaller), Some(_)) = (&mut verdict, verified, self.halt.reason()) {
                why.message += &format!("; verified up to the bound {smaller}");
                return (verdict, counts);
            }
            if n == bound || matches!(verdict, Verdict::Refuted { .. }) {
                return (verdict, counts);
            }
            if matches!(verdict, Verdict::Verified) {
                verified = Some(n);
            }
        }
        (self.unknown(operation, "internal", "there is no bound".into()), Counts::default())
    }

    fn with_bound(self, operation: usize, n: i64) -> (Verdict, Counts) {
        let space = space::space(self.program, self.task, operation, n);
        let options = Options {
            size: n,
            shape: Shape::Complete,
            strategy: Strategy::Execution,
            certify: self.certify,
            limits: symex::Limits { steps: STEPS, depth: DEPTH, ..Default::default() },
            stop: self.halt.stop.clone(),
            beside: Arc::default(),
            progress: self.states.clone(),
            rein: None,
            observe: None,
        };
        let (checked, program) = (&self.task.checked, &self.task.program);
        let described = &checked.operations[operation];
        let mut glass_box = GlassBox::new(program, &space, self.statics, checked, described, &options);
        let outcome = glass_box.search();
        let verdict = match outcome {
            Outcome::Verified => Verdict::Verified,
            Outcome::Violated(found) => match witness::confirm(self.program, self.task, operation, &space, &found) {
                Ok(found) => Verdict::Refuted { bound: n, found: Box::new(found) },
                Err(witness::Unconfirmed::OtherModules) => {
                    let message = "a possible violation depends on sets of other modules, in a state of theirs that is not known to exist".to_string();
                    self.unknown(operation, "hob-bounded-other-modules", message)
                }
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
            Outcome::Stopped(symex::Stop::Unsupported(problem)) => Verdict::Unknown(problem),
            Outcome::Stopped(symex::Stop::Steps(span)) => {
                unknown("step-limit", span, format!("a run takes more than {STEPS} steps here"))
            }
            Outcome::Stopped(stop) => match self.halt.reason() {
                Some(Reason::Timeout) => self.unknown(operation, "timeout", "the time is up".into()),
                Some(Reason::Memory) => self.unknown(operation, "memory", "the memory is used up".into()),
                Some(_) => self.unknown(operation, "interrupted", "interrupted".into()),
                None => self.unknown(operation, "internal", format!("the search stopped: {stop:?}")),
            },
            Outcome::Rejected(why) => self.unknown(operation, "internal", why),
        };
        (verdict, glass_box.counts)
    }
}
