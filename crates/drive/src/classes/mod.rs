//! Java classes: every operation at every size, spread over threads, answered in the order of declaration. Threads without an operation do
//! the checks of the others (dissertation, 8.1). Neither the verdicts nor the counts depend on the number of threads.

mod bounds;
mod engine;
mod operation;

pub use bounds::{bounds, space_text};

use crate::{Audience, Event, Place, keep, no_thread};
use ir::interp::{Linked, Stop as Stopped};
use ir::space::{Domain, Shape, Space};
use ir::{Checked, ClassId, Operation, OperationKind};
use java::Loaded;
use operation::{Shared, Task};
use search::Session;
use source::Diagnostic;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use verdict::{Item, ItemKind, Reason, Subject, SubjectKind, Verdict};
use work::{Stop, Turn, in_order};

/// Which search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The glass box; where it takes long and there are few states, the exhaustive one.
    #[default]
    Auto,
    Glassbox,
    Exhaustive,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub sizes: RangeInclusive<i64>,
    pub engine: Engine,
    /// The glass box asks a solver for each next state.
    pub by_models: bool,
    pub shape: Shape,
    pub threads: usize,
    pub certify: bool,
    /// Of one run.
    pub max_steps: u64,
    /// Count or estimate the states that an answer speaks of.
    pub is_counted: bool,
    /// Tell the bounds in force.
    pub is_bounds_told: bool,
    /// States run so far, for whoever watches.
    pub states: Arc<AtomicU64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            sizes: 4..=4,
            engine: Engine::Auto,
            by_models: false,
            shape: Shape::Complete,
            threads: 1,
            certify: false,
            max_steps: 1_000_000,
            is_counted: true,
            is_bounds_told: false,
            states: Arc::default(),
        }
    }
}

/// One operation of one class.
pub type Work = (&'static Checked, &'static Operation);

/// An abstraction by itself is checked up to this size at least: pairs and triples of equal ones have few states that differ, and are hard to
/// tell apart for a solver. Each size more takes four times as long or worse for what is equal up to order: AbsIntMap 0.6 s at size 3, 2.3 at 4,
/// 9 at 5; AbsPriorityQueue 0.5, 8, 58.
pub const ALONE: i64 = 3;

/// How far it is checked beyond, by the conflicts of the solver at [`ALONE`], which are the same on every machine: lists, stacks and queues
/// have some 30 and take half a second at size 15, and 13 at 31; AbsIntSet has 8,600 and takes a second at size 4.
const BEYOND: [(u64, i64); 2] = [(100, 15), (10_000, 4)];

fn beyond(conflicts: Option<u64>) -> i64 {
    let found = conflicts.and_then(|c| BEYOND.into_iter().find(|(most, _)| c < *most));
    found.map_or(ALONE, |(_, size)| size)
}

/// All operations at all sizes, until one is violated.
/// Gives the classes that are verified to behave like their abstractions.
pub fn check(
    loaded: &'static Loaded,
    options: &'static Options,
    stop: &Stop,
    audience: &mut dyn Audience,
) -> Vec<Behaves> {
    let linked = keep(Linked::new(&loaded.program));
    let is_made = |class: ClassId| loaded.modules.iter().any(|m| m.made.contains(&class));
    let all = loaded.checked.iter().flat_map(|c| c.operations.iter().map(move |o| (c, o)));
    let (made, own): (Vec<Work>, Vec<Work>) = all.partition(|(checked, _)| is_made(checked.class));
    let (made, own): (&[Work], &[Work]) = (keep(made), keep(own));
    let (mut first, mut alone, mut limit) = (0, 0, ALONE);
    let (mut answered, mut answered_alone) = (Vec::new(), Vec::new());
    let mut last = 0;
    for n in options.sizes.clone() {
        let size = Size { options, linked, all: own, n };
        let is_first = n == *options.sizes.start();
        let Some(answers) = size.check(loaded, is_first, &mut first, stop, audience) else { return Vec::new() };
        let mut goes_on = answers.goes_on;
        (answered, last) = (answers.answered, n);
        // Also if the module is violated: an abstraction that is wrong by itself may be why.
        while alone < n.min(limit) && !made.is_empty() && !stop.is_due() {
            let next = if alone < ALONE { n.min(ALONE) } else { n.min(limit) };
            let size = Size { options, linked, all: made, n: next };
            let Some(answers) = size.check(loaded, false, &mut first, stop, audience) else { return Vec::new() };
            let is_verified = answers.answered.iter().all(|a| a.is_verified);
            goes_on &= answers.goes_on;
            if next > ALONE && answers.goes_on && !is_verified {
                // What is known up to the size before is still known.
                limit = alone;
                break;
            }
            (alone, answered_alone) = (next, answers.answered);
            if alone == ALONE && is_verified {
                limit = beyond(answers.conflicts);
            }
        }
        if !goes_on {
            break;
        }
    }
    answered.extend(answered_alone);
    let is_equivalent = |m: &&java::Module| is_equivalent(m, &answered);
    let mut all = Vec::new();
    for module in loaded.modules.iter().filter(is_equivalent) {
        let is_partial = answered.iter().any(|a| a.class == module.class && a.leaves_out);
        audience.tell(Event::Conclusion(conclusion(module, last, alone, is_partial)));
        all.push(Behaves { module: module.name.clone(), abstraction: module.abstraction.clone(), size: last });
    }
    all
}

/// A class that behaves like its abstraction, up to this size.
pub struct Behaves {
    pub module: String,
    pub abstraction: String,
    pub size: i64,
}

/// That a class behaves like its abstraction (dissertation, 3.4), if all answers at this size say so.
fn is_equivalent(module: &java::Module, answered: &[Answered]) -> bool {
    let is_verified = |class: &ClassId| {
        let mut answers = answered.iter().filter(|a| a.class == *class).peekable();
        answers.peek().is_some() && answers.all(|a| a.is_verified)
    };
    module.is_whole && is_verified(&module.class) && module.made.iter().all(is_verified)
}

/// Partial if something was left out, of which the report has lines.
fn conclusion(module: &java::Module, n: i64, alone: i64, is_partial: bool) -> String {
    let java::Module { name, abstraction, .. } = module;
    let only = |who: &str, names: &[String]| match names {
        [] => String::new(),
        names => format!("; only {who} has {}", names.join(", ")),
    };
    let (ours, theirs) = (only(name, &module.not_compared), only(abstraction, &module.only_abstraction));
    let alone = if alone < n { format!("; {abstraction} by itself up to size {alone}") } else { String::new() };
    let but = if is_partial { ", but for what is left out" } else { "" };
    format!("{name} behaves like {abstraction} on every sequence of calls, up to size {n}{but}{alone}{ours}{theirs}")
}

/// All operations at one size. What it refers to lives as long as the process, since workers may.
#[derive(Clone, Copy)]
struct Size {
    options: &'static Options,
    linked: &'static Linked<'static>,
    all: &'static [Work],
    n: i64,
}

/// What the operations of one size start from.
struct Spaces {
    session: Session<'static>,
    /// By operation.
    spaces: Vec<Arc<Space>>,
    /// By operation: of a constructor, the space that the class's operations start from.
    states: Vec<Option<Arc<Space>>>,
}

/// What came of all operations at one size.
struct Answers {
    /// Larger sizes are worth a try.
    goes_on: bool,
    answered: Vec<Answered>,
    /// Of the solver, in all; None if another engine answered.
    conflicts: Option<u64>,
}

/// What came of one operation.
struct Answered {
    class: ClassId,
    is_verified: bool,
    /// As the report says in a line of its own.
    leaves_out: bool,
}

impl Size {
    /// None if it could not be set up.
    fn check(
        self,
        loaded: &Loaded,
        is_first: bool,
        first: &mut usize,
        stop: &Stop,
        audience: &mut dyn Audience,
    ) -> Option<Answers> {
        let planned = self.subjects();
        let places = self.places(*first);
        *first += planned.len();
        audience.tell(Event::Planned(planned));
        audience.tell(Event::Waiting(format!("setting up size {}", self.n)));
        let spaces = match self.spaces(stop) {
            Ok(spaces) => spaces?,
            Err(errors) => {
                audience.tell(Event::Errors(errors));
                return None;
            }
        };
        if is_first {
            audience.tell(Event::Warnings(self.warnings(&spaces)));
        }
        if self.options.is_bounds_told {
            for ((checked, operation), space) in self.all.iter().zip(&spaces.spaces) {
                audience.tell(Event::Bounds(bounds(&loaded.program, checked, operation, space)));
            }
        }
        let mut answers = Answers { goes_on: true, answered: Vec::new(), conflicts: Some(0) };
        answers.goes_on = self.run(spaces, &places, stop, &mut answers, audience);
        Some(answers)
    }

    /// One per class, in order.
    fn subjects(&self) -> Vec<Subject> {
        let mut subjects: Vec<Subject> = Vec::new();
        for (k, (checked, operation)) in self.all.iter().enumerate() {
            if k == 0 || !std::ptr::eq(self.all[k - 1].0, *checked) {
                let name = self.linked.program.class(checked.class).name.clone();
                subjects.push(Subject { size: Some(self.n), ..Subject::new(SubjectKind::Class, name) });
            }
            let engine = operation::engine_of(operation::strategy(self.options));
            let item = Item::new(ItemKind::Operation, operation.name.clone(), Verdict::Unknown, engine);
            if let Some(subject) = subjects.last_mut() {
                subject.items.push(Item { span: Some(operation.span), ..item });
            }
        }
        subjects
    }

    /// Of each operation, if the first class has this number.
    fn places(&self, first: usize) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for (k, (checked, _)) in self.all.iter().enumerate() {
            places.push(match places.last() {
                None => Place { subject: first, item: 0 },
                Some(last) if std::ptr::eq(self.all[k - 1].0, *checked) => Place { item: last.item + 1, ..*last },
                Some(last) => Place { subject: last.subject + 1, item: 0 },
            });
        }
        places
    }

    /// None if it took too long.
    fn spaces(&self, stop: &Stop) -> Result<Option<Spaces>, Vec<Diagnostic>> {
        let session = Session::new(self.linked, self.n).map_err(|stopped| vec![self.bad_statics(stopped)])?;
        let (mut spaces, mut problems) = (Vec::new(), Vec::new());
        for (checked, operation) in self.all {
            if stop.is_due() {
                return Ok(None);
            }
            match session.space(checked, operation, self.options.shape) {
                Ok(space) => spaces.push(space),
                Err(problem) if problems.contains(&problem) => {}
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let states = self.all.iter().map(|(checked, operation)| {
            let of_class = |(other, o): &Work| std::ptr::eq(*other, *checked) && o.kind == OperationKind::Method;
            let method = self.all.iter().position(of_class)?;
            (operation.kind == OperationKind::Constructor).then(|| spaces[method].clone())
        });
        Ok(Some(Spaces { states: states.collect(), session, spaces }))
    }

    /// A parameter that nothing but null can be passed for is as good as not checked.
    fn warnings(&self, spaces: &Spaces) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        for ((_, operation), space) in self.all.iter().zip(&spaces.spaces) {
            let parameters = &self.linked.program.method(operation.method).parameters;
            for (parameter, domain) in parameters.iter().zip(&space.arguments) {
                if matches!(domain, Domain::Ref { objects, nullable: true } if objects.is_empty()) {
                    let message =
                        format!("`{}` is only ever null here: its class has objects in trees alone", parameter.name);
                    let warning = Diagnostic::warning("only-null", operation.span, message)
                        .label("there is no tree yet to take an argument from")
                        .help("let it take what the nodes are made of, or check what it does in a method");
                    warnings.push(warning);
                }
            }
        }
        warnings
    }

    fn bad_statics(&self, stopped: Stopped) -> Diagnostic {
        let program = self.linked.program;
        match stopped {
            Stopped::Unsupported(problem) => *problem,
            Stopped::Initialiser { method, exception, span } => {
                let class = &program.class(program.method(method).class).name;
                let exception = &program.class(exception).name;
                let message = format!("the static initialiser of `{class}` throws {exception}");
                Diagnostic::error("static-initialiser", span, message).label("thrown here")
            }
            stopped => {
                let message = format!("the static initialisers do not come to an end: {stopped:?}");
                Diagnostic::error("static-initialiser", None, message)
            }
        }
    }

    /// Whether larger sizes are worth a try: nothing was violated, nor is there an error, nor is it time to stop.
    fn run(
        self,
        spaces: Spaces,
        places: &[Place],
        stop: &Stop,
        answers: &mut Answers,
        audience: &mut dyn Audience,
    ) -> bool {
        let threads = self.options.threads;
        let workers = threads.min(self.all.len());
        let beside = Arc::new(AtomicUsize::new(threads - workers));
        let shared = Arc::new(Shared { beside, ..Shared::default() });
        let spaces = Arc::new(spaces);
        let work = {
            let (spaces, shared, stop) = (spaces.clone(), shared.clone(), stop.clone());
            move |index, turn| self.answer(&spaces, index, &shared, turn, &stop)
        };
        let leave = {
            let shared = shared.clone();
            move || {
                shared.beside.fetch_add(1, Ordering::Relaxed);
            }
        };
        let mut goes_on = true;
        let mut told = |index: usize, answer: Result<Item, Box<Diagnostic>>, audience: &mut dyn Audience| {
            goes_on &= answer.as_ref().is_ok_and(|item| item.verdict != Verdict::Violated);
            answers.answered.push(Answered {
                class: self.all[index].0.class,
                is_verified: answer.as_ref().is_ok_and(|item| item.verdict == Verdict::Verified),
                leaves_out: answer.as_ref().is_ok_and(|item| item.left_out.iter().any(|l| !l.only_json)),
            });
            let by_solver = answer.as_ref().ok().filter(|item| item.engine == verdict::Engine::Glassbox);
            let conflicts = by_solver.and_then(|item| item.counted("conflicts"));
            answers.conflicts = answers.conflicts.zip(conflicts).map(|(sum, more)| sum + more);
            let place = places[index];
            audience.tell(match answer {
                Ok(item) => Event::Item(place, Box::new(item)),
                Err(problem) => Event::NotAnalysed(place, problem),
            });
            if places.get(index + 1).is_none_or(|next| next.subject != place.subject) {
                audience.tell(Event::Complete(place.subject));
            }
        };
        in_order(self.all.len(), workers, stop, work, leave, |event| match event {
            work::Event::Waiting(index) => {
                let (checked, operation) = self.all[index];
                let class = &self.linked.program.class(checked.class).name;
                let states = self.options.states.load(Ordering::Relaxed);
                let run = if states == 0 { String::new() } else { format!("  {states} states run") };
                audience.tell(Event::Waiting(format!("{class}.{}, size {}{run}", operation.name, self.n)));
            }
            work::Event::Done(index, answer) => told(index, answer, audience),
            work::Event::Late(index, cause) => {
                let turn = Turn { until: None, is_last: true };
                let item = self.task(&spaces, index, &shared, turn, stop, |task| task.unknown(cause.into()));
                told(index, Ok(item), audience);
            }
            work::Event::NoThread => audience.tell(Event::Errors(vec![no_thread()])),
        });
        goes_on && !stop.is_due()
    }

    /// None if its turn was over before there was an answer, and another one comes.
    fn answer(
        &self,
        spaces: &Spaces,
        index: usize,
        shared: &Shared,
        turn: Turn,
        stop: &Stop,
    ) -> Option<Result<Item, Box<Diagnostic>>> {
        self.task(spaces, index, shared, turn, stop, |task| {
            catch_unwind(AssertUnwindSafe(|| task.answer()))
                .unwrap_or_else(|_| Some(Ok(task.unknown(Reason::Internal("the search panicked".to_string())))))
        })
    }

    fn task<T>(
        &self,
        spaces: &Spaces,
        index: usize,
        shared: &Shared,
        turn: Turn,
        stop: &Stop,
        f: impl FnOnce(&Task<'_>) -> T,
    ) -> T {
        let (checked, operation) = self.all[index];
        f(&Task {
            options: self.options,
            session: &spaces.session,
            space: &spaces.spaces[index],
            states: spaces.states[index].clone(),
            checked,
            operation,
            stop,
            shared,
            turn,
        })
    }
}
