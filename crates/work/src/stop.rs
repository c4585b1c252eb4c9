//! When to stop: one value for a time limit, a memory limit and the keyboard, heeded by whoever works long.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// What ended a run from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    Interrupted,
    Timeout,
    Memory,
}

const CAUSES: [Cause; 3] = [Cause::Interrupted, Cause::Timeout, Cause::Memory];

/// Shared by all who work on one thing: a clone is raised with the original. By default it never is.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// 0, or one more than the index of its cause. Whoever raises it first is the cause.
    raised: Arc<AtomicU8>,
    deadline: Option<Instant>,
}

impl Stop {
    /// At the latest so long from now.
    pub fn after(time: Duration) -> Stop {
        Stop { deadline: Instant::now().checked_add(time), ..Stop::default() }
    }

    /// The same, and at the latest then.
    pub fn until(&self, deadline: Option<Instant>) -> Stop {
        let deadline = match (self.deadline, deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Stop { deadline, raised: self.raised.clone() }
    }

    /// One that may be raised by itself, and ends no later than this one's deadline.
    pub fn apart(&self) -> Stop {
        Stop { deadline: self.deadline, ..Stop::default() }
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// How much time is left, if there is a deadline.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|at| at.saturating_duration_since(Instant::now()))
    }

    pub fn raise(&self, cause: Cause) {
        let code = 1 + CAUSES.iter().position(|c| *c == cause).unwrap_or(0) as u8;
        let _ = self.raised.compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
    }

    pub fn is_due(&self) -> bool {
        self.raised.load(Ordering::Relaxed) != 0 || self.deadline.is_some_and(|at| Instant::now() >= at)
    }

    /// Why it is due, if it is.
    pub fn cause(&self) -> Option<Cause> {
        match self.raised.load(Ordering::SeqCst) {
            0 => self.deadline.is_some_and(|at| Instant::now() >= at).then_some(Cause::Timeout),
            code => CAUSES.get(usize::from(code) - 1).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cause_counts() {
        let stop = Stop::default();
        let other = stop.until(Instant::now().checked_add(Duration::from_secs(3600)));
        assert_eq!((stop.cause(), other.is_due()), (None, false));
        other.raise(Cause::Memory);
        stop.raise(Cause::Interrupted);
        assert_eq!((stop.cause(), other.cause()), (Some(Cause::Memory), Some(Cause::Memory)));
        assert!(!stop.apart().is_due());
    }

    #[test]
    fn a_deadline_is_a_cause() {
        let stop = Stop::after(Duration::ZERO);
        assert_eq!((stop.is_due(), stop.cause(), stop.left()), (true, Some(Cause::Timeout), Some(Duration::ZERO)));
        assert!(Stop::default().until(stop.deadline()).is_due());
    }
}
