//! The path that a run took through the source: what a counterexample shows between the state before and after.
//!
//! Bounded in length: the first and the last steps are kept, those between are only counted.

use crate::program::MethodId;
use crate::value::ObjId;
use source::Span;
use std::collections::VecDeque;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    /// A condition, and whether it was true.
    Branch {
        span: Span,
        taken: bool,
    },
    /// What a `switch` went by.
    Switch {
        span: Span,
        value: i64,
    },
    /// A call; the method that the run started with has depth 1.
    Call {
        method: MethodId,
        depth: u32,
        span: Span,
    },
    Throw {
        span: Span,
        object: ObjId,
    },
    Catch {
        object: ObjId,
    },
}

#[derive(Clone, Debug)]
pub struct Trace {
    first: Vec<Step>,
    last: VecDeque<Step>,
    /// At each end.
    keep: usize,
    omitted: u64,
}

impl Default for Trace {
    fn default() -> Trace {
        Trace::new(2_000)
    }
}

impl Trace {
    /// Keeps that many steps at each end.
    pub fn new(keep: usize) -> Trace {
        Trace { first: Vec::new(), last: VecDeque::new(), keep, omitted: 0 }
    }

    pub(super) fn push(&mut self, step: Step) {
        if self.first.len() < self.keep {
            self.first.push(step);
            return;
        }
        self.last.push_back(step);
        if self.last.len() > self.keep {
            self.last.pop_front();
            self.omitted += 1;
        }
    }

    /// The steps before the gap, how many are missing in it, and the steps after it.
    pub fn parts(&self) -> (&[Step], u64, impl Iterator<Item = &Step>) {
        (&self.first, self.omitted, self.last.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_both_ends() {
        let mut trace = Trace::new(2);
        for value in 0..7 {
            trace.push(Step::Switch { span: Span::default(), value });
        }
        let value = |step: &Step| match step {
            Step::Switch { value, .. } => *value,
            _ => -1,
        };
        let (first, omitted, last) = trace.parts();
        let first: Vec<i64> = first.iter().map(value).collect();
        let last: Vec<i64> = last.map(value).collect();
        assert_eq!((first, omitted, last), (vec![0, 1], 3, vec![5, 6]));
    }
}
