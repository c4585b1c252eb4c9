//! One operation at one size: search, replay what was found, explain it.

use super::bounds::space_text;
use super::engine::search;
use super::{Engine, Options};
use ir::check::Judgement;
use ir::choices::{Known, has_guards};
use ir::interp::Stop;
use ir::leaving::{Cause, Members};
use ir::lines::statements;
use ir::replay::replay;
use ir::space::{Concrete, Space};
use ir::{Checked, ClassId, MethodId, Operation, OperationKind};
use java::explain::{Scene, explain, left_out, picture, undecided};
use search::{Counts, Observed, Observer, Outcome, Session, Strategy, coverage};
use source::Diagnostic;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use verdict::{Covered, Failure, Item, ItemKind, LeftOut, Reason, Statement, Verdict};
use work::{Stop as Limit, Turn, with_room};

/// What is to be done.
pub struct Task<'a> {
    pub options: &'a Options,
    pub session: &'a Session<'static>,
    pub space: &'a Arc<Space>,
    /// Of a constructor: the space that operations start from.
    pub states: Option<Arc<Space>>,
    pub checked: &'a Checked,
    pub operation: &'a Operation,
    pub stop: &'a Limit,
    pub shared: &'a Shared,
    pub turn: Turn,
}

/// What the searches of one size share.
#[derive(Default)]
pub struct Shared {
    /// Operations for which the glass box took too long.
    pub late: AtomicU32,
    /// Threads that are free for checks.
    pub beside: Arc<AtomicUsize>,
    /// By class: states that default ranges leave out.
    pub narrow: Mutex<BTreeMap<ClassId, Vec<LeftOut>>>,
}

/// What a search means for the user.
enum Meaning {
    Verified,
    Violated(Box<Failure>),
    Unknown(Reason),
    Error(Box<Diagnostic>),
}

impl Task<'_> {
    fn options(&self) -> search::Options {
        let limits = symex::Limits { steps: self.options.max_steps, ..Default::default() };
        search::Options {
            size: self.space.n,
            shape: self.space.shape,
            strategy: strategy(self.options),
            certify: self.options.certify,
            limits,
            stop: self.stop.until(self.turn.until),
            beside: self.shared.beside.clone(),
            progress: self.options.states.clone(),
            rein: None,
            observe: Some(Observer::new(self.states.clone())),
        }
    }

    /// An error if a run reached something that cannot be analysed; None if there is no answer yet and another turn comes. Must run
    /// with enough stack.
    pub fn answer(&self) -> Option<Result<Item, Box<Diagnostic>>> {
        let start = Instant::now();
        if let Some(problem) = &self.space.refused {
            return Some(Err(problem.clone()));
        }
        if let Some(reason) = self.reason() {
            return Some(Ok(self.unknown(reason)));
        }
        let options = self.options();
        let (outcome, counts, by) =
            search(self.options, self.session, self.space, self.checked, self.operation, &options, &self.shared.late);
        let is_interrupted = matches!(outcome, Outcome::Stopped(symex::Stop::Interrupted));
        if is_interrupted && self.turn.is_over() && !self.turn.is_last && !self.stop.is_due() {
            return None;
        }
        let meaning = self.meaning(outcome);
        let seconds = start.elapsed().as_secs_f64();
        Some(match meaning {
            Meaning::Error(problem) => {
                Err(Box::new(problem.related(self.operation.span, "a run of this operation gets there")))
            }
            meaning => {
                let observed = options.observe.map(|o| o.observed()).unwrap_or_default();
                Ok(self.report(meaning, counts, by, seconds, &observed))
            }
        })
    }

    /// Why the search was ended, if it was.
    fn reason(&self) -> Option<Reason> {
        self.stop.cause().map(Reason::from).or_else(|| self.turn.is_over().then_some(Reason::Timeout))
    }

    fn meaning(&self, outcome: Outcome) -> Meaning {
        match outcome {
            Outcome::Verified => Meaning::Verified,
            Outcome::Violated(concrete) => self.confirm(&concrete),
            Outcome::NoState => Meaning::Unknown(Reason::NoState),
            Outcome::AllDropped => Meaning::Unknown(Reason::AllDropped),
            Outcome::Stopped(symex::Stop::Unsupported(problem)) => Meaning::Error(problem),
            Outcome::Stopped(symex::Stop::Steps(span)) => {
                Meaning::Unknown(Reason::Steps { span: Some(span), state: None, call: String::new() })
            }
            Outcome::Stopped(stop) => Meaning::Unknown(
                self.reason().unwrap_or_else(|| Reason::Internal(format!("the search stopped: {stop:?}"))),
            ),
            Outcome::Rejected(why) => Meaning::Unknown(Reason::Internal(why)),
        }
    }

    /// Replays from scratch: a violation, or a run that exceeds its steps. What does not replay is our bug, never a
    /// violation.
    fn confirm(&self, concrete: &Concrete) -> Meaning {
        let Session { linked, heap, .. } = self.session;
        let limits = ir::interp::Limits { steps: self.options.max_steps, ..Default::default() };
        let (space, checked, operation) = (self.space, self.checked, self.operation);
        let found = with_room(|| {
            let scene = Scene { linked, space, checked, operation, concrete, limits };
            let replayed = replay(linked, heap, space, concrete, checked, operation, limits);
            explain(&scene, &replayed).ok_or_else(|| match replayed.judgement {
                Judgement::Unknown(Stop::Steps { innermost_loop }) => {
                    let (state, call) = picture(&scene, heap);
                    Reason::Steps { span: innermost_loop, state: Some(Box::new(state)), call }
                }
                other => Reason::Internal(format!("a counterexample did not replay: {other:?}")),
            })
        });
        match found {
            Ok(Ok(found)) => Meaning::Violated(Box::new(found)),
            Ok(Err(reason)) => Meaning::Unknown(reason),
            Err(e) => Meaning::Unknown(Reason::Internal(format!("no thread for the replay: {e}"))),
        }
    }

    pub fn unknown(&self, reason: Reason) -> Item {
        let by = strategy(self.options);
        self.report(Meaning::Unknown(reason), Counts::default(), by, 0.0, &Observed::default())
    }

    fn report(&self, meaning: Meaning, counts: Counts, by: Strategy, seconds: f64, observed: &Observed) -> Item {
        let (verdict, reasons, failures) = match meaning {
            Meaning::Verified => (Verdict::Verified, Vec::new(), Vec::new()),
            Meaning::Violated(found) => (Verdict::Violated, Vec::new(), vec![*found]),
            Meaning::Unknown(reason) => (Verdict::Unknown, vec![reason], Vec::new()),
            Meaning::Error(_) => (Verdict::Unknown, Vec::new(), Vec::new()),
        };
        // Where nothing runs, nothing is reached.
        let is_known = matches!(reasons[..], [Reason::NoState | Reason::AllDropped])
            || verdict == Verdict::Verified && observed.is_complete;
        // Every proof that counts was checked: one that was not gives no verdict.
        let certified = self.options.certify.then(|| crate::certified(counts.certified, counts.certified));
        Item {
            span: Some(self.operation.span),
            scope: space_text(self.space, self.operation),
            covered: self.covered(verdict, counts.states_run, by),
            reasons,
            failures,
            left_out: self.left_out(verdict, &counts, observed),
            work: work(&counts),
            certified,
            seconds,
            statements: self.statements(is_known, observed),
            ..Item::new(ItemKind::Operation, self.operation.name.clone(), verdict, engine_of(by))
        }
    }

    /// What the space leaves out, and what the operation makes that is not in it.
    fn left_out(&self, verdict: Verdict, counts: &Counts, observed: &Observed) -> Vec<LeftOut> {
        let mut holes = self.space.left_out.clone();
        if verdict == Verdict::Verified {
            holes.extend(self.too_narrow());
            holes.extend(self.no_choice(counts));
            holes.extend((counts.thrown + counts.dropped == counts.states_run).then(|| self.always_throws()));
        }
        if verdict != Verdict::Verified || observed.left.is_empty() && observed.undecided.is_empty() {
            return holes;
        }
        let Session { linked, heap, .. } = self.session;
        let limits = ir::interp::Limits { steps: self.options.max_steps, ..Default::default() };
        let (space, checked, operation) = (self.space, self.checked, self.operation);
        let states = self.states.clone().unwrap_or_else(|| space.clone());
        let members = Members::new(linked.program, states);
        let said = with_room(|| {
            let say = |(&cause, concrete): (&Cause, &Concrete)| {
                left_out(&Scene { linked, space, checked, operation, concrete, limits }, heap, &members, cause)
            };
            observed.left.iter().filter_map(say).collect::<Vec<_>>()
        });
        holes.extend(said.unwrap_or_default());
        let open = observed.undecided.iter().filter(|c| !observed.left.contains_key(c));
        holes.extend(open.map(|&cause| undecided(linked.program, checked, operation, cause)));
        holes
    }

    /// Choices that are cut off, of which it was not asked whether any is enabled.
    fn no_choice(&self, counts: &Counts) -> Option<LeftOut> {
        let program = self.session.linked.program;
        let parameter = program.method(self.operation.method).parameters.first()?;
        let (why, remedy) = match Known::of(program, self.checked, self.operation, self.space) {
            Known::Open => ("has no `@Range`", "a `@Range`"),
            Known::TooMany => ("has too many values", "a `@Range` of fewer values"),
            Known::Nothing | Known::All(_) => return None,
        };
        let name = &parameter.name;
        (counts.cut_off > 0 || has_guards(self.operation)).then(|| LeftOut {
            id: "no-choice",
            message: format!("states in which no choice is enabled were not looked for: `{name}` {why}"),
            remedy: format!("{remedy} on `{name}` that says which choices there are brings them in"),
            span: Some(self.operation.span),
            example: None,
            only_json: false,
        })
    }

    /// Postconditions are about runs that return: here there is none.
    fn always_throws(&self) -> LeftOut {
        let name = &self.operation.name;
        LeftOut {
            id: "always-throws",
            message: format!("every run of `{name}` ends with an exception: that it ever returns was not seen"),
            remedy: "start states, or arguments, for which it returns bring it in".to_string(),
            span: Some(self.operation.span),
            example: None,
            only_json: false,
        }
    }

    /// Looked for once per class.
    fn too_narrow(&self) -> Vec<LeftOut> {
        if self.operation.kind != OperationKind::Method || self.stop.is_due() {
            return Vec::new();
        }
        let mut all = self.shared.narrow.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(self.checked.class)
            .or_insert_with(|| {
                let Session { linked, heap, .. } = self.session;
                let (checked, operation) = (self.checked, self.operation);
                let limits = ir::interp::Limits { steps: self.options.max_steps, ..Default::default() };
                let mut found = search::too_narrow(self.session, self.space, checked, &self.options());
                let say = |narrow: &mut search::Narrow| {
                    // Only the checked object's part counts: arguments are as simple as can be.
                    narrow.space.arguments.clear();
                    let (space, concrete) = (&narrow.space, &narrow.state);
                    let scene = Scene { linked, space, checked, operation, concrete, limits };
                    java::explain::too_narrow(&scene, heap, narrow.field, narrow.at, narrow.range)
                };
                found.iter_mut().filter_map(say).collect()
            })
            .clone()
    }

    fn statements(&self, is_known: bool, observed: &Observed) -> Vec<Statement> {
        let program = self.session.linked.program;
        let name = |method: MethodId| {
            let method = program.method(method);
            if method.is_constructor { program.class(method.class).name.clone() } else { method.name.clone() }
        };
        let is_reached = |span| match observed.reached.contains(&span) {
            true => Some(true),
            false => (is_known && !observed.open.contains(&span)).then_some(false),
        };
        let statement = |(method, span)| Statement { method: name(method), span, is_reached: is_reached(span) };
        statements(program, self.operation).into_iter().map(statement).collect()
    }

    /// Counted after the search and not part of its time.
    fn covered(&self, verdict: Verdict, states_run: u64, by: Strategy) -> Covered {
        if verdict != Verdict::Verified || !self.options.is_counted || self.stop.is_due() {
            return Covered::default();
        }
        if by == Strategy::Exhaustive {
            return Covered { states: Some(states_run.into()), ..Covered::default() };
        }
        let found = coverage(self.session, self.space, self.checked, self.operation);
        // Each run stands for a state that no other does: less than that is no news, and wrong as an estimate.
        if found.states.is_none() && found.log10.is_some_and(|log10| log10 <= (states_run as f64).log10()) {
            return Covered::default();
        }
        Covered { states: found.states, log10: found.log10, is_least: found.is_least, types: None }
    }
}

pub fn strategy(options: &Options) -> Strategy {
    match (options.engine, options.by_models) {
        (Engine::Exhaustive, _) => Strategy::Exhaustive,
        (_, true) => Strategy::Models,
        (_, false) => Strategy::Execution,
    }
}

pub fn engine_of(strategy: Strategy) -> verdict::Engine {
    match strategy {
        Strategy::Exhaustive => verdict::Engine::Exhaustive,
        Strategy::Execution | Strategy::Models => verdict::Engine::Glassbox,
    }
}

fn work(counts: &Counts) -> Vec<(&'static str, u64)> {
    vec![
        ("states_run", counts.states_run),
        ("dropped", counts.dropped),
        ("steps", counts.steps),
        ("checks", counts.checks),
        ("by_propagation", counts.by_propagation),
        ("by_elimination", counts.by_elimination),
        ("solver_queries", counts.solver_queries),
        ("feasibility_checks", counts.feasibility_checks),
        ("nodes", counts.nodes),
        ("assignments", counts.assignments),
        ("clauses", counts.clauses),
        ("conflicts", counts.conflicts),
        ("certified", counts.certified),
    ]
}
