//! How many valid states an answer speaks of: exactly if they can be counted with little work, otherwise the order of
//! magnitude, by sampling the exhaustive engine's tree of decisions (Knuth 1975, "Estimating the efficiency of backtrack
//! programs").
//!
//! What goes in: a space and what is checked. What comes out: a number, or the decimal logarithm of an estimate, or nothing if
//! no sample came upon a valid state. The same on every machine: work is counted, not timed, and the dice are seeded.

use crate::exhaustive::{Extent, Policy, Subjects, Walk, isomorphism, ways};
use ir::heap::Heap;
use ir::interp::{Limits, Linked, Stop, with_stack};
use ir::space::Space;
use ir::{Checked, Operation};

/// Interpreted steps that may be spent on counting, and again on an estimate: some tenths of a second.
const WORK: u64 = 4_000_000;
/// Options of one decision that a sample looks at.
const LOOKED_AT: u64 = 32;
const SAMPLES: u64 = 2_000;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Coverage {
    /// Exactly.
    pub states: Option<u128>,
    /// The decimal logarithm, exact or estimated.
    pub log10: Option<f64>,
}

/// How many valid states with arguments the space of an operation holds.
pub fn coverage(
    linked: &Linked<'_>,
    statics: &Heap,
    space: &Space,
    checked: &Checked,
    operation: &Operation,
) -> Coverage {
    let subjects = Subjects { linked, statics, space, checked, operation };
    let measure = || match count(subjects, Extent::Elements, Some(WORK)) {
        Ok(Some(states)) => Coverage { states: Some(states), log10: (states > 0).then(|| (states as f64).log10()) },
        Ok(None) => Coverage { states: None, log10: estimate(subjects) },
        Err(_) => Coverage::default(),
    };
    with_stack(measure).unwrap_or_default()
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
    with_stack(|| count(subjects, extent, work)).unwrap_or(Err(Stop::Internal("no thread could be started")))
}

fn count(subjects: Subjects<'_>, extent: Extent, work: Option<u64>) -> Result<Option<u128>, Stop> {
    let mut walk = Walk::new(subjects, extent, isomorphism(subjects.linked), Limits::default());
    if let Some(most) = work {
        walk.interrupted = Some(Box::new(move |work| work > most));
    }
    let mut states: u128 = 0;
    while walk.next_structure()? {
        let numbering = walk.interp.chooser.numbering();
        states = states.saturating_add(ways(subjects.space, numbering, walk.leaves()));
    }
    Ok((!walk.is_interrupted && states < u128::MAX).then_some(states))
}

/// The mean over random ways down the tree of decisions of the product of the numbers of options. An option is not counted if
/// the invariant fails without reading on: few samples would ever come upon a valid state otherwise.
fn estimate(subjects: Subjects<'_>) -> Option<f64> {
    let mut walk = Walk::new(subjects, Extent::Elements, isomorphism(subjects.linked), Limits::default());
    walk.interp.chooser.policy = Policy::Pause;
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut logs: Vec<f64> = Vec::new();
    let mut samples = 0u64;
    while samples < SAMPLES
        && let Some(found) = sample(&mut walk, &mut dice).ok()?
    {
        logs.extend(found);
        samples += 1;
    }
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| 10f64.powf(log - greatest)).sum();
    (!logs.is_empty()).then(|| greatest + (sum / samples as f64).log10())
}

/// The decimal logarithm of what one random way down stands for; nothing if it leads nowhere; None if work runs out.
fn sample(walk: &mut Walk<'_>, dice: &mut Dice) -> Result<Option<Option<f64>>, Stop> {
    walk.retract_to(0);
    let mut log = 0.0;
    loop {
        let before = walk.interp.chooser.len();
        if walk.settle()? {
            let leaves = ways(walk.subjects.space, walk.interp.chooser.numbering(), walk.leaves());
            return Ok(Some((leaves > 0).then(|| log + (leaves as f64).log10())));
        }
        if walk.interp.chooser.len() == before {
            return Ok(Some(None));
        }
        let count = walk.interp.chooser.last_count();
        let looked_at = count.min(LOOKED_AT);
        let first = if count > looked_at { dice.below(count) } else { 0 };
        let mut alive = Vec::new();
        for i in 0..looked_at {
            let option = (first + i * (count / looked_at)) % count;
            walk.switch(option);
            if walk.settle()? || walk.interp.chooser.len() > before + 1 {
                alive.push(option);
            }
            walk.retract_to(before + 1);
            if walk.work >= WORK {
                return Ok(None);
            }
        }
        if alive.is_empty() {
            return Ok(Some(None));
        }
        walk.switch(alive[dice.below(alive.len() as u64) as usize]);
        log += (count as f64 * alive.len() as f64 / looked_at as f64).log10();
    }
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n.max(1)
    }
}
