//! Picks the search.

use super::operation::strategy;
use super::{Engine, Options};
use ir::space::Space;
use ir::{Checked, Operation};
use search::{ALONE, Counts, Outcome, Session, Strategy};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The outcome, and which search came to it.
pub fn search(
    chosen: &Options,
    session: &Session<'_>,
    space: &Arc<Space>,
    checked: &Checked,
    operation: &Operation,
    options: &search::Options,
    late: &AtomicU32,
) -> (Outcome, Counts, Strategy) {
    // What nothing but a run shows has no proof to check.
    if chosen.engine != Engine::Auto || chosen.by_models || chosen.certify {
        let (outcome, counts) = session.search(space, checked, operation, options);
        return (outcome, counts, strategy(chosen));
    }
    // Half as long for each operation that was late: a class of hard ones is not waited for again and again.
    let alone = ALONE / (1 << late.load(Ordering::Relaxed).min(4));
    let answer = session.race(space, checked, operation, options, alone);
    late.fetch_add(u32::from(answer.2 == Strategy::Exhaustive), Ordering::Relaxed);
    answer
}
