//! How much work it is to walk through a space, before anyone does: by random ways through the tree of its decisions, each of
//! which stands for as many as there are options on it (Knuth 1975, "Estimating the efficiency of backtrack programs").
//!
//! What goes in: a space and what is checked. What comes out: steps of the interpreter, or what takes as long. A few ways tell the
//! order of magnitude, rather too little than too much. The same on every machine: the dice are seeded.

use super::walk::{Extent, Subjects, Walk};
use super::{isomorphism, ways};
use ir::interp::Limits;
use work::Chance;

/// Ways that are tried, and steps that all of them may take.
const WAYS: u32 = 300;
const STEPS: u64 = 1_000_000;
/// What an element costs besides the invariant.
const OPERATION: f64 = 60.0;

pub fn work(subjects: Subjects<'_>) -> f64 {
    let mut walk = Walk::new(subjects, Extent::Elements, isomorphism(subjects.linked), Limits::default());
    walk.interp.chooser.dice = Some(Chance::new(0x9E37_79B9_7F4A_7C15));
    let (mut tried, mut sum) = (0, 0.0);
    while tried < WAYS && walk.work < STEPS {
        walk.retract_to(0);
        let before = walk.work;
        let elements = match walk.settle() {
            Ok(true) => ways(subjects.space, walk.interp.chooser.numbering(), walk.leaves()).ln.exp(),
            Ok(false) => 0.0,
            // The walk would end there as well.
            Err(_) => return sum,
        };
        let candidates = walk.interp.chooser.ln_ways().exp();
        sum += candidates * ((walk.work - before) as f64 + elements * OPERATION);
        tried += 1;
    }
    sum / f64::from(tried.max(1))
}
