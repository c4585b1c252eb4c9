//! The exhaustive engine (docs/java.md, "Which engine answers"): every valid state within the bounds with every argument, one by
//! one, run by the concrete interpreter. It knows no formula and no solver: what the glass box answers is compared with it.
//!
//! States are enumerated as Korat does (Boyapati, Khurshid, Marinov, ISSTA 2002): the invariant runs on a state that is
//! decided only where it looks; if it fails, all states that agree there are skipped, valid ones never are.

mod decisions;
mod estimate;
mod leaves;
mod numbering;
mod walk;

pub(crate) use decisions::{Policy, Subject};
use estimate::Pace;
pub(crate) use estimate::work;
pub(crate) use leaves::ways;
pub use walk::Extent;
pub(crate) use walk::{Subjects, Walk};

use crate::observe::Sight;
use crate::outcome::{Counts, Options, Outcome};
use ir::check::{Judgement, run_operation};
use ir::choices::{CutOff, Known};
use ir::heap::Heap;
use ir::interp::{Limits, Linked, Stop};
use ir::lines::Reached;
use ir::space::{Concrete, Space};
use ir::{Checked, Operation, Value};
use std::sync::atomic::Ordering;
use work::with_room;

/// Runs the operation on every valid state; ends at the first violation, or where a run exceeds a limit.
pub fn search(
    linked: &Linked<'_>,
    statics: &Heap,
    space: &Space,
    checked: &Checked,
    operation: &Operation,
    options: &Options,
) -> (Outcome, Counts) {
    search_within(Subjects { linked, statics, space, checked, operation }, options, None)
}

/// The same, but it ends as interrupted when it is seen to take far more work than this.
pub(crate) fn search_within(subjects: Subjects<'_>, options: &Options, most: Option<f64>) -> (Outcome, Counts) {
    let mut counts = Counts::default();
    let outcome = with_room(|| run_all(subjects, options, most, &mut counts));
    let outcome = match outcome {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(stop)) => stopped(stop, subjects.operation),
        Err(error) => Outcome::Rejected(format!("no thread could be started: {error}")),
    };
    (outcome, counts)
}

fn run_all(subjects: Subjects<'_>, options: &Options, most: Option<f64>, counts: &mut Counts) -> Result<Outcome, Stop> {
    let program = subjects.linked.program;
    let choices = match Known::of(program, subjects.checked, subjects.operation, subjects.space) {
        Known::All(choices) => Some(choices),
        _ => None,
    };
    // A precondition that takes the choice cuts it off, as an `assume` does; the others hold on what the walk offers.
    let (offered, guards) = match &choices {
        Some(choices) => (choices.state.preconditions.clone(), choices.step.preconditions.clone()),
        None => (subjects.operation.preconditions.clone(), Vec::new()),
    };
    let offered = Operation { preconditions: offered, ..subjects.operation.clone() };
    let operation = Operation { preconditions: guards, ..subjects.operation.clone() };
    let walked = Subjects { operation: &offered, ..subjects };
    let mut walk = Walk::new(walked, Extent::Elements, isomorphism(subjects.linked), limits(options));
    let mut sight = Sight::new(program, subjects.space, options);
    let all = ir::lines::statements(program, subjects.operation).into_iter().map(|s| s.1);
    let mut reached = sight.is_some().then(|| Box::new(Reached::new(all)));
    let (mut candidates, limits_of_time) = (0u32, options.solver_limits());
    let mut pace = most.map(Pace::new);
    walk.interrupted = Some(Box::new(move |work, decisions| {
        candidates = candidates.wrapping_add(1);
        candidates.is_multiple_of(64) && limits_of_time.reached()
            || pace.as_mut().is_some_and(|pace| pace.is_hopeless(work, || decisions.done()))
    }));
    while walk.next_element()? {
        counts.states_run += 1;
        options.progress.fetch_add(1, Ordering::Relaxed);
        walk.interp.chooser.policy = Policy::Never;
        let mark = walk.interp.heap.mark();
        let arguments: Vec<Value> = walk.interp.chooser.arguments.iter().map(|a| a.unwrap_or(Value::Null)).collect();
        walk.interp.reached = reached.take();
        let (judgement, left) =
            run_operation(&mut walk.interp, subjects.checked, &operation, subjects.space.main, &arguments);
        reached = walk.interp.reached.take();
        let mut after = Vec::new();
        if let (Some(sight), Some(reached)) = (&mut sight, &mut reached) {
            if let Judgement::Fine = judgement {
                sight.reached(reached.count());
                if walk.interp.heap.has_changed(mark) {
                    after = left;
                }
            }
            reached.reopen();
        }
        let leaves = sight.as_ref().map_or(Vec::new(), |sight| sight.new_causes(&walk.interp.heap, &after));
        walk.interp.heap.reset(mark);
        if let (Some(sight), false) = (&mut sight, leaves.is_empty()) {
            sight.left(leaves, &walk.concrete());
        }
        let cut_off = walk.interp.cut_off;
        counts.cut_off += u64::from(cut_off == CutOff::Assumption);
        if let (Judgement::Dropped, Some(choices)) = (&judgement, &choices) {
            // Once for each state.
            let is_first = matches!(arguments[..], [Value::Int(choice)] if choices.values.first() == Some(&choice));
            let main = subjects.space.main;
            if cut_off != CutOff::Nothing && is_first && choices.are_cut_off(&mut walk.interp, subjects.checked, main) {
                return Ok(Outcome::Violated(Box::new(walk.concrete())));
            }
            if cut_off == CutOff::Precondition {
                counts.states_run -= 1;
                walk.interp.chooser.policy = Policy::First;
                continue;
            }
        }
        walk.interp.chooser.policy = Policy::First;
        match judgement {
            Judgement::Fine => counts.thrown += u64::from(walk.interp.threw),
            Judgement::Dropped => counts.dropped += 1,
            Judgement::Violated(_) => return Ok(Outcome::Violated(Box::new(walk.concrete()))),
            Judgement::Unknown(stop) | Judgement::Stopped(stop) => return Err(stop),
        }
    }
    if let (Some(sight), false) = (&sight, walk.is_interrupted) {
        sight.complete();
    }
    Ok(match counts.states_run {
        _ if walk.is_interrupted => Outcome::Stopped(symex::Stop::Interrupted),
        0 => Outcome::NoState,
        all if all == counts.dropped => Outcome::AllDropped,
        _ => Outcome::Verified,
    })
}

/// Calls `visit` with every valid state (and arguments, if they are asked for) until it returns false.
pub fn each_state(
    linked: &Linked<'_>,
    statics: &Heap,
    space: &Space,
    checked: &Checked,
    operation: &Operation,
    extent: Extent,
    visit: &mut (dyn FnMut(Concrete) -> bool + Send),
) -> Result<(), Stop> {
    let subjects = Subjects { linked, statics, space, checked, operation };
    let all = || {
        let mut walk = Walk::new(subjects, extent, isomorphism(linked), Limits::default());
        while walk.next_element()? {
            if !visit(walk.concrete()) {
                break;
            }
        }
        Ok(())
    };
    with_room(all).unwrap_or(Err(Stop::Internal("no thread could be started")))
}

pub(crate) fn isomorphism(linked: &Linked<'_>) -> bool {
    !linked.program.looks_at_identity()
}

fn limits(options: &Options) -> Limits {
    Limits { steps: options.limits.steps, depth: options.limits.depth, ..Limits::default() }
}

fn stopped(stop: Stop, operation: &Operation) -> Outcome {
    match stop {
        Stop::Steps { innermost_loop } => {
            Outcome::Stopped(symex::Stop::Steps(innermost_loop.unwrap_or(operation.span)))
        }
        Stop::Memory | Stop::Stack => Outcome::Stopped(symex::Stop::Steps(operation.span)),
        Stop::Unsupported(diagnostic) => Outcome::Stopped(symex::Stop::Unsupported(diagnostic)),
        other => Outcome::Rejected(format!("the exhaustive engine cannot go on: {other:?}")),
    }
}
