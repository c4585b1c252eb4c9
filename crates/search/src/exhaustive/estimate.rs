//! How much work it is to walk through a space. Before anyone does: by random ways through the tree of its decisions, each of
//! which stands for as many as there are options on it (Knuth 1975, "Estimating the efficiency of backtrack programs"). On the
//! way: by how much of that tree was left behind of late.
//!
//! What goes in: a space and what is checked. What comes out: steps of the interpreter, or what takes as long. A few ways tell the
//! order of magnitude, rather too little than too much: where nearly all of them end early (class tables), what the others lead to
//! is not seen. The same on every machine: the dice are seeded.

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

/// When a walk looks at its pace first.
const FIRST: u64 = 1 << 24;

/// Ends a walk that will take far longer than it may.
pub struct Pace {
    most: f64,
    next: u64,
    /// Work, and how much was done, at the last look.
    before: (u64, f64),
}

impl Pace {
    pub fn new(most: f64) -> Pace {
        Pace { most, next: FIRST, before: (0, 0.0) }
    }

    /// Whether what is left takes too long at the pace since the last look. The less was seen, the more doubt.
    pub fn is_hopeless(&mut self, work: u64, done: impl FnOnce() -> f64) -> bool {
        if work < self.next {
            return false;
        }
        let done = done();
        let pace = (done - self.before.1) / (work - self.before.0) as f64;
        (self.next, self.before) = (work.saturating_mul(2), (work, done));
        (1.0 - done) / pace > self.most * (self.most / work as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The work at which a walk is ended that has done so much by so much work, and may take 10^9.
    fn ended(done: impl Fn(f64) -> f64) -> Option<u64> {
        let mut pace = Pace::new(1e9);
        (1..1_000).map(|look| look * 1_000_000).find(|&work| pace.is_hopeless(work, || done(work as f64).min(1.0)))
    }

    #[test]
    fn a_walk_ends_early_if_it_hardly_gets_on() {
        assert_eq!(ended(|work| work / 9e8), None);
        // Nearly all candidates come soon: what counts is the pace of late.
        assert_eq!(ended(|work| 1.0 - 1e-3 / (1.0 + work / 1e6)), None);
        assert_eq!(ended(|work| 1.0 - 1e-3 + work / 1e16), Some(34_000_000));
        assert_eq!(ended(|work| work / 1e10), Some(136_000_000));
        // Too small a part to be seen.
        assert_eq!(ended(|_| 0.5), Some(34_000_000));
    }
}
