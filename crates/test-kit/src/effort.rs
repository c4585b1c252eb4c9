//! Limits on the work of a test in seconds of a processor: a busy machine does not make it fail.

use std::time::Duration;

/// What `task` gives, unless it kept a processor busy for longer than this.
#[track_caller]
pub fn within<T>(limit: Duration, what: &str, task: impl FnOnce() -> T) -> T {
    let before = busy();
    let result = task();
    let spent = busy().saturating_sub(before);
    assert!(spent < limit, "{what} took {spent:?} of a processor");
    result
}

/// How long this thread was running, to a hundredth of a second. Zero where the system does not report it.
fn busy() -> Duration {
    let ticks = || {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
        // After the name of the thread, which may hold anything: the 12th and 13th word.
        let mut words = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut next = || words.next()?.parse::<u64>().ok();
        Some(next()? + next()?)
    };
    Duration::from_millis(10 * ticks().unwrap_or(0))
}
