//! How many valid states an answer speaks of: exactly if they can be counted with little work, otherwise the order of
//! magnitude, by [samples](sample).
//!
//! What goes in: a space and what is checked. What comes out: a number, or the decimal logarithm of an estimate, or of a
//! lower bound if no sample came upon a valid state. The same on every machine, as far as its exponentials are: work is
//! counted, not timed, and the dice are seeded.

mod integers;
mod orders;
mod postponed;
mod sample;
mod shares;

use crate::amount::{Amount, sum};
use crate::exhaustive::{Extent, Subjects, Walk, isomorphism, ways};
use crate::session::Session;
use ir::heap::Heap;
use ir::interp::{Limits, Linked, Stop};
use ir::space::{Shape, Space};
use ir::{Checked, Operation};
use sample::Sampler;
use std::sync::Arc;
use work::with_room;

/// Steps that may be spent on counting: a tenth of a second or two.
const COUNTING: u64 = 2_500_000;
/// And on samples: a tenth or two.
const SAMPLING: u64 = 2_000_000;
/// While there are few of them, and on one by itself.
const LONGEST: u64 = 6_000_000;
const FEWEST: usize = 10;
const SAMPLES: usize = 400;
/// A lower bound of fewer states says that counting is slow, and reads as if nearly nothing were checked.
const TELLING: f64 = 1_000.0;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Coverage {
    /// Exactly.
    pub states: Option<u128>,
    /// The decimal logarithm, exact or estimated.
    pub log10: Option<f64>,
    /// There is no estimate: so many were counted before giving up.
    pub is_least: bool,
}

/// How many valid states with arguments the space of an operation holds. Those of operations that start from the same states and have
/// the same arguments are counted once.
pub fn coverage(session: &Session<'_>, space: &Arc<Space>, checked: &Checked, operation: &Operation) -> Coverage {
    let measure = || measure(session, space, checked, operation);
    if !operation.preconditions.is_empty() {
        return measure();
    }
    match session.starts.counted(space, checked) {
        Some(counted) => *counted.get_or_init(measure),
        None => measure(),
    }
}

fn measure(session: &Session<'_>, space: &Arc<Space>, checked: &Checked, operation: &Operation) -> Coverage {
    let subjects = Subjects { linked: session.linked, statics: &session.heap, space, checked, operation };
    let log10 = |ln: f64| (ln > f64::NEG_INFINITY).then_some(ln / std::f64::consts::LN_10);
    let measure = || match count(subjects, Extent::Elements, Some(COUNTING)) {
        Ok((states, true)) => Coverage { states: states.exact, log10: log10(states.ln), is_least: false },
        Ok((least, false)) => {
            // One that is less than what was counted before giving up is wrong for certain.
            let estimate = estimate(session, space, subjects).filter(|&ln| ln > least.ln).and_then(log10);
            let least = log10(least.ln).filter(|_| least.ln >= TELLING.ln());
            let log10 = estimate.or(least);
            Coverage { states: None, log10, is_least: estimate.is_none() && log10.is_some() }
        }
        Err(_) => Coverage::default(),
    };
    with_room(measure).unwrap_or_default()
}

/// How many valid states there are, with arguments or without; None if that takes more work than allowed.
pub fn count_states(
    linked: &Linked<'_>,
    statics: &Heap,
    space: &Space,
    checked: &Checked,
    operation: &Operation,
    extent: Extent,
    work: Option<u64>,
) -> Result<Option<u128>, Stop> {
    let subjects = Subjects { linked, statics, space, checked, operation };
    let count = with_room(|| count(subjects, extent, work));
    let (states, is_complete) = count.unwrap_or(Err(Stop::Internal("no thread could be started")))?;
    Ok(states.exact.filter(|_| is_complete))
}

/// How many there are, and whether that is all: work may run out.
fn count(subjects: Subjects<'_>, extent: Extent, work: Option<u64>) -> Result<(Amount, bool), Stop> {
    let mut walk = Walk::new(subjects, extent, isomorphism(subjects.linked), Limits::default());
    if let Some(most) = work {
        walk.interrupted = Some(Box::new(move |work, _| work > most));
    }
    let mut states = Amount::ZERO;
    while walk.next_structure()? {
        states = states.plus(ways(subjects.space, walk.interp.chooser.numbering(), walk.leaves()));
        walk.work += 10 * walk.leaves().len() as u64;
    }
    Ok((states, !walk.is_interrupted))
}

/// The logarithm of the mean over all samples; one that found nothing counts as none. None if most found nothing.
fn estimate(session: &Session<'_>, space: &Arc<Space>, subjects: Subjects<'_>) -> Option<f64> {
    // Tried and dropped: of about 40,000 red-black trees of any shape, samples found about 100. Most lead to dead ends.
    if space.shape == Shape::Any && !space.trees.is_empty() {
        return None;
    }
    let described = session.described(space, subjects.checked, subjects.operation, symex::Limits::default());
    let mut sampler = Sampler::new(subjects, described.ok()?, 0x9E37_79B9_7F4A_7C15)?;
    let mut samples = Vec::new();
    let mut found = 0;
    while samples.len() < SAMPLES && sampler.work() < if (1..FEWEST).contains(&found) { LONGEST } else { SAMPLING } {
        let sample = sampler.sample(LONGEST).ok()?;
        found += usize::from(sample.is_some());
        samples.push(sample.unwrap_or(f64::NEG_INFINITY));
    }
    // Most samples that found nothing were given up, which is not to say that their states are few: a language of records had "about 62
    // states" at size 10 where 13 of 400 found one, and 747,126 were counted at 7.
    if 2 * found < samples.len() {
        return None;
    }
    Some(sum(&samples) - (samples.len() as f64).ln())
}
