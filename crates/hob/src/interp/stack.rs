//! When there is no more room for recursion: the interpreter recurses with the calls of a program and with the nesting of its expressions.

/// Used at most, however much there is.
const MOST: usize = 512 << 20;

/// Kept free for whatever is called between two looks at the guard.
const RESERVE: usize = 128 << 10;

use work::address;

/// Where the stack began, and how far it may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    start: usize,
    budget: usize,
}

impl Guard {
    pub(crate) fn new() -> Guard {
        Guard { start: address(), budget: work::room().min(MOST).saturating_sub(RESERVE) }
    }

    #[inline(always)]
    pub(crate) fn is_used_up(&self) -> bool {
        self.start.abs_diff(address()) > self.budget
    }
}
