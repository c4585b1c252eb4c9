//! Java classes: every operation at every size, spread over threads, answered in the order of declaration. Threads without an operation do
//! the checks of the others (dissertation, 8.1). Neither the verdicts nor the counts depend on the number of threads.

mod bounds;
mod engine;
mod operation;

pub use bounds::{bounds, space_text};

use crate::{Audience, Event, Place, keep, no_thread};
use ir::interp::{Linked, Stop as Stopped};
use ir::space::{Domain, Shape, Space};
use ir::{Checked, Operation, OperationKind};
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

/// All operations at all sizes, until one is violated.
pub fn check(loaded: &'static Loaded, options: &'static Options, stop: &Stop, audience: &mut dyn Audience) {
    let linked = keep(Linked::new(&loaded.program));
    let all: &[Work] =
        keep(loaded.checked.iter().flat_map(|c| c.operations.iter().map(move |o| (c, o))).collect::<Vec<_>>());
    let mut first = 0;
    for n in options.sizes.clone() {
        let size = Size { options, linked, all, n };
        let planned = size.subjects();
        let places = size.places(first);
        first += planned.len();
        audience.tell(Event::Planned(planned));
        audience.tell(Event::Waiting(format!("setting up size {n}")));
        let spaces = match size.spaces(stop) {
            Ok(Some(spaces)) => spaces,
            Ok(None) => break,
            Err(errors) => {
                audience.tell(Event::Errors(errors));
                break;
            }
        };
        if n == *options.sizes.start() {
            audience.tell(Event::Warnings(size.warnings(&spaces)));
        }
        if options.is_bounds_told {
            for ((checked, operation), space) in all.iter().zip(&spaces.spaces) {
                audience.tell(Event::Bounds(bounds(&loaded.program, checked, operation, space)));
            }
        }
        if !size.run(spaces, &places, stop, audience) {
            break;
        }
    }
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
    spaces: Vec<Space>,
    /// By operation: of a constructor, the space that the class's operations start from.
    states: Vec<Option<Arc<Space>>>,
}

impl Size {
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
            (operation.kind == OperationKind::Constructor).then(|| Arc::new(spaces[method].clone()))
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
    fn run(self, spaces: Spaces, places: &[Place], stop: &Stop, audience: &mut dyn Audience) -> bool {
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
