//! Whether a formula can be true: the whole way in one file.
//!
//! In: a formula; its free variables are existential. Out: a [`Decision`]. `Sat` comes with a model that was evaluated; `Unsat` is said
//! by folding constants, by a SAT solver over enough elements (`bound`), or by MONA. Steps:
//!
//! 1. existential variables become free (`nnf`);
//! 2. universal sets, if there are any, are eliminated (`regions`), and what is left goes back to 1; if that would take too long, MONA;
//! 3. how many elements are enough (`bound`), for some of the conjuncts first (`lazily`); one bit per set and element (`encode`, `gates`);
//!    SAT (`solve`): a small solver (`quick`), then CaDiCaL;
//! 4. the smallest model, if asked for (`minimise`); replay (`evaluate`).
//!
//! Beside this way: of many formulas, those that small models do not refute (`few`).

mod bound;
mod budget;
mod cells;
mod cnf;
mod encode;
mod few;
mod gates;
mod lazily;
mod minimise;
mod nnf;
mod quick;
mod regions;
mod solve;

pub use few::unrefuted;

use crate::evaluate::evaluate_within;
use crate::model::{Answer, Model};
use crate::mona;
use crate::stack::with_stack;
use crate::store::{Formula, Node, Options, Store};
use solve::Found;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use work::{Cause, Stop};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// Constants folded to an answer; no solver was started.
    Trivial,
    /// A SAT solver, over as many elements as are enough.
    SmallModel,
    /// The same, after universal sets were eliminated.
    Regions,
    Mona,
}

#[derive(Clone, Debug)]
pub struct Decision {
    pub answer: Answer,
    pub method: Method,
    /// How many elements are enough; 0 if that was not asked.
    pub elements: usize,
    pub vars: u64,
    pub clauses: u64,
    pub conflicts: u64,
    /// Whether the answer is an `Unsat` whose proof was checked.
    pub certified: bool,
    pub time: Duration,
}

/// When to give up, and how much to do.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub stop: Stop,
    /// Of the SAT solver, per query.
    pub conflicts: Option<u32>,
    /// The program to ask when nothing else decides.
    pub mona: Option<PathBuf>,
    /// Have every `Unsat` of the SAT solver proof-checked.
    pub certify: bool,
    /// Find a small model.
    pub minimise: bool,
    /// It is known that no model has few elements ([`unrefuted`]): they are not tried.
    pub beyond_few: bool,
}

/// What solvers did for a decision.
#[derive(Default)]
pub(crate) struct Work {
    vars: u64,
    clauses: u64,
    conflicts: u64,
    certified: bool,
    solved: bool,
}

/// Visits of nodes when a model of a quantified formula is replayed.
const REPLAY: u64 = 1 << 16;
/// Recursion over the regions of a set's generators.
const ELIMINATION_DEPTH: u32 = 4096;

/// Whether `f` is satisfiable.
pub fn decide(store: &mut Store, f: Formula, limits: &Limits) -> Decision {
    let start = Instant::now();
    store.heed(&limits.stop);
    let decision = match strip(store, f) {
        _ if store.is_stopped() => undecided(stopped(&limits.stop)),
        Ok(plain) => match small_model(store, plain, limits) {
            Decision { answer: Answer::Unknown(_), .. } if store.options() != Options::default() && plain != f => {
                simplified(store, f, limits)
            }
            decision => decision,
        },
        Err(nnf::Universal) => with_universal_sets(store, f, limits),
    };
    Decision { time: start.elapsed(), ..decision }
}

fn strip(store: &mut Store, f: Formula) -> Result<Formula, nnf::Universal> {
    let depth = store.depth(f);
    with_stack(depth, || nnf::strip(store, f))
}

/// A formula built without simplification may be too large to encode; the same formula with it seldom is.
fn simplified(store: &mut Store, f: Formula, limits: &Limits) -> Decision {
    let simple = regions::with_all_options(store, |store| store.simplify(f));
    match strip(store, simple) {
        _ if store.is_stopped() => undecided(stopped(&limits.stop)),
        Ok(plain) => small_model(store, plain, limits),
        Err(nnf::Universal) => with_universal_sets(store, simple, limits),
    }
}

fn with_universal_sets(store: &mut Store, f: Formula, limits: &Limits) -> Decision {
    let depth = store.depth(f).saturating_add(ELIMINATION_DEPTH);
    let eliminated = with_stack(depth, || regions::eliminate(store, f, limits));
    match (eliminated.map(|g| strip(store, g)), &limits.mona) {
        _ if store.is_stopped() => undecided(stopped(&limits.stop)),
        (Ok(Ok(plain)), _) => {
            let decision = small_model(store, plain, limits);
            replayed(store, f, Decision { method: Method::Regions, ..decision }, REPLAY)
        }
        (Ok(Err(nnf::Universal)), _) => undecided("a universal set was not eliminated".into()),
        (Err(_), Some(program)) => {
            let answer = mona::decide(program, store, f, &limits.stop);
            let decision = Decision { answer, method: Method::Mona, ..undecided(String::new()) };
            replayed(store, f, decision, REPLAY)
        }
        (Err(reason), None) => undecided(reason),
    }
}

fn undecided(reason: String) -> Decision {
    Decision {
        answer: Answer::Unknown(reason),
        method: Method::Regions,
        elements: 0,
        vars: 0,
        clauses: 0,
        conflicts: 0,
        certified: false,
        time: Duration::ZERO,
    }
}

/// Why there is no answer, when it was time to stop.
pub fn stopped(stop: &Stop) -> String {
    match stop.cause() {
        Some(Cause::Memory) => "the memory limit was reached",
        Some(Cause::Interrupted) => "interrupted",
        Some(Cause::Timeout) | None => "the time limit was reached",
    }
    .into()
}

/// A formula without quantifiers.
fn small_model(store: &Store, f: Formula, limits: &Limits) -> Decision {
    // Definitions follow one another: at most all variables.
    let definitions = u32::try_from(store.free(f).len()).unwrap_or(u32::MAX);
    with_stack(store.depth(f).saturating_add(definitions), || small_model_here(store, f, limits))
}

fn small_model_here(store: &Store, f: Formula, limits: &Limits) -> Decision {
    let trivial = |answer| Decision { answer, method: Method::Trivial, ..undecided(String::new()) };
    match store.node(f) {
        Node::True => return trivial(Answer::Sat(Model::new(0))),
        Node::False => return trivial(Answer::Unsat),
        _ => {}
    }
    let conjuncts = store.conjuncts(f);
    let bound = bound::elements(store, &conjuncts);
    let Some(elements) = usize::try_from(bound).ok().filter(|&elements| elements <= bound::MOST_ELEMENTS) else {
        return undecided(format!("models may need {bound} elements"));
    };
    let mut work = Work::default();
    let answer = match lazily::solve(store, &conjuncts, limits, &mut work) {
        Found::Nothing => Answer::Unsat,
        Found::Unknown(reason) => Answer::Unknown(reason),
        Found::Model(model) if limits.minimise => {
            Answer::Sat(minimise::minimise(store, &conjuncts, model, limits, &mut work))
        }
        Found::Model(model) => Answer::Sat(model),
    };
    let method = if work.solved { Method::SmallModel } else { Method::Trivial };
    let Work { vars, clauses, conflicts, certified, .. } = work;
    let certified = certified && answer == Answer::Unsat;
    let decision = Decision { answer, method, elements, vars, clauses, conflicts, certified, time: Duration::ZERO };
    if limits.minimise { replayed(store, f, decision, u64::MAX) } else { decision }
}

/// The decision, unless evaluation says that its model is none: our bug, and no answer.
fn replayed(store: &Store, f: Formula, decision: Decision, fuel: u64) -> Decision {
    match &decision.answer {
        Answer::Sat(model) => match evaluate_within(store, f, model, fuel) {
            Some(true) => decision,
            Some(false) => Decision {
                answer: Answer::Unknown("internal error: the model does not satisfy the formula".into()),
                ..decision
            },
            None if store.stop().is_due() => Decision { answer: Answer::Unknown(stopped(store.stop())), ..decision },
            None => decision,
        },
        _ => decision,
    }
}
