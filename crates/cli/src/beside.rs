//! Work that heeds signals, wherever it is: on a thread of its own.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use work::Stop;

/// How long an answer may take after a signal.
const GRACE: Duration = Duration::from_millis(700);

/// Works on a thread of its own with a large stack, which is left to itself if it does not heed a signal: then there is nothing.
pub fn beside<T: Send + 'static>(stop: &Stop, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let _ = send.send(work::on_large_stack(work));
    });
    let mut since: Option<Instant> = None;
    loop {
        match receive.recv_timeout(Duration::from_millis(50)) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if stop.is_due() && since.get_or_insert_with(Instant::now).elapsed() > GRACE {
            return None;
        }
    }
}
