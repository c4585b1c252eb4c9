//! Picks the search.

use super::{Engine, Options};
use ir::heap::Heap;
use ir::interp::Linked;
use ir::space::{Space, Statics};
use ir::{Checked, Operation};
use search::{ALONE, Counts, GlassBox, Outcome, Strategy, exhaustive, race, search_models};
use std::sync::atomic::{AtomicU32, Ordering};

/// What every search of one size starts from.
pub struct Ground<'a> {
    pub linked: &'a Linked<'a>,
    pub heap: &'a Heap,
    pub statics: &'a Statics,
}

/// The outcome, and which search came to it.
pub fn search(
    chosen: &Options,
    ground: &Ground<'_>,
    space: &Space,
    checked: &Checked,
    operation: &Operation,
    options: &search::Options,
    late: &AtomicU32,
) -> (Outcome, Counts, Strategy) {
    let Ground { linked, heap, statics } = *ground;
    let program = linked.program;
    match (chosen.engine, chosen.by_models) {
        (Engine::Exhaustive, _) => {
            let (outcome, counts) = exhaustive::search(linked, heap, space, checked, operation, options);
            (outcome, counts, Strategy::Exhaustive)
        }
        (_, true) => {
            let (outcome, counts) = search_models(program, space, statics, checked, operation, options);
            (outcome, counts, Strategy::Models)
        }
        // What nothing but a run shows has no proof to check.
        (Engine::Auto, false) if !chosen.certify => {
            // Half as long for each operation that was late: a class of hard ones is not waited for again and again.
            let alone = ALONE / (1 << late.load(Ordering::Relaxed).min(4));
            let answer = race(linked, heap, space, checked, operation, options, alone);
            late.fetch_add(u32::from(answer.2 == Strategy::Exhaustive), Ordering::Relaxed);
            answer
        }
        (Engine::Auto | Engine::Glassbox, false) => {
            let mut glass_box = GlassBox::new(program, space, statics, checked, operation, options);
            let outcome = glass_box.search();
            (outcome, glass_box.counts, Strategy::Execution)
        }
    }
}
