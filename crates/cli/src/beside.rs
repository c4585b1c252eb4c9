//! Work that heeds signals, wherever it is: on a thread of its own.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use work::Stop;

/// How long an answer may take after a limit or a signal.
pub const GRACE: Duration = Duration::from_millis(700);

/// The time between a limit and the end.
pub struct Grace {
    stop: Stop,
    time: Duration,
    /// When the limit was seen.
    since: Option<Instant>,
}

impl Grace {
    pub fn new(stop: &Stop, time: Duration) -> Grace {
        Grace { stop: stop.clone(), time, since: None }
    }

    /// Whether nothing is waited for any more.
    pub fn is_over(&mut self) -> bool {
        self.stop.is_due() && self.since.get_or_insert_with(Instant::now).elapsed() > self.time
    }
}

/// Works on a thread of its own with a large stack, which is left to itself if it does not heed a signal: then there is nothing.
pub fn beside<T: Send + 'static>(stop: &Stop, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let _ = send.send(work::on_large_stack(work));
    });
    let mut grace = Grace::new(stop, GRACE);
    loop {
        match receive.recv_timeout(Duration::from_millis(50)) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if grace.is_over() {
            return None;
        }
    }
}
