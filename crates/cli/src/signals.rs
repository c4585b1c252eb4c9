//! What ends a run from outside: a signal, `--timeout`, `--memory`. All of them raise one [`Stop`].

use std::time::{Duration, Instant};
use work::{Cause, Stop};

/// How often the memory is looked at.
const PAUSE: Duration = Duration::from_millis(50);

/// A second signal sooner than that is the first one.
const AGAIN: Duration = Duration::from_millis(300);

/// Watches the time, the memory, the keyboard and the system. Without a limit of the user's, the memory is most of what is free now: the
/// system would end us without a word.
pub fn watch(timeout: Option<f64>, megabytes: Option<u64>) -> Stop {
    let megabytes = megabytes.or_else(|| free_megabytes().map(|free| free / 10 * 9));
    let stop = timeout.map_or_else(Stop::default, |s| Stop::after(Duration::from_secs_f64(s)));
    let at_signal = stop.clone();
    let mut first: Option<Instant> = None;
    // A handler that cannot be set leaves the default: a signal ends the process.
    let _ = ctrlc::set_handler(move || {
        // Some send one signal twice at once, to the process and to its group; who asks again later does not want to wait.
        match first {
            Some(at) if at.elapsed() > AGAIN => std::process::exit(3),
            Some(_) => {}
            None => {
                first = Some(Instant::now());
                at_signal.raise(Cause::Interrupted);
            }
        }
    });
    if let Some(most) = megabytes {
        let at_memory = stop.clone();
        std::thread::spawn(move || {
            while !at_memory.is_due() {
                if resident_megabytes().is_some_and(|used| used > most) {
                    at_memory.raise(Cause::Memory);
                }
                std::thread::sleep(PAUSE);
            }
        });
    }
    stop
}

fn resident_megabytes() -> Option<u64> {
    megabytes_of("/proc/self/status", "VmRSS:")
}

fn free_megabytes() -> Option<u64> {
    megabytes_of("/proc/meminfo", "MemAvailable:")
}

/// None where the system does not say.
fn megabytes_of(file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes / 1024)
}
