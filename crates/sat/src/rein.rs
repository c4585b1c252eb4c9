//! Holds a search while another one has its turn, and ends it when it is not needed any more.
//!
//! Invariant: whoever asks [`Limits::reached`](crate::Limits::reached) waits there while it is held, with all threads of its search.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

const FREE: u8 = 0;
const HELD: u8 = 1;
const ENDED: u8 = 2;

#[derive(Debug, Default)]
pub struct Rein {
    state: AtomicU8,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Rein {
    pub fn hold(&self) {
        self.change(FREE, HELD);
    }

    pub fn release(&self) {
        self.change(HELD, FREE);
    }

    /// For good.
    pub fn end(&self) {
        self.state.store(ENDED, Ordering::SeqCst);
        self.changed.notify_all();
    }

    fn change(&self, from: u8, to: u8) {
        let _ = self.state.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst);
        self.changed.notify_all();
    }

    /// Whether it was ended; waits while it is held and `goes_on`.
    pub(crate) fn is_ended(&self, goes_on: impl Fn() -> bool) -> bool {
        while self.state.load(Ordering::Relaxed) == HELD && goes_on() {
            let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
            // A change between the test and the wait costs one such pause.
            let _ = self.changed.wait_timeout(guard, Duration::from_millis(20));
        }
        self.state.load(Ordering::Relaxed) == ENDED
    }
}
