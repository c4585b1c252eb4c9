//! What ends a run from outside: Ctrl-C, `--timeout`, `--memory`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use verdict::Reason;
use work::{Cause, Stop};

/// Shared by all workers; whoever raises it first is the cause.
#[derive(Clone, Default)]
pub struct Halt {
    pub stop: Stop,
    /// The watcher ends with the run.
    over: Arc<AtomicBool>,
}

impl Halt {
    /// Watches the time, the memory and the keyboard. Without a limit of the user's, the memory is most of what is free now: the system
    /// would end us without a word.
    pub fn watch(timeout: Option<f64>, megabytes: Option<u64>) -> Halt {
        let megabytes = megabytes.or_else(|| free_megabytes().map(|free| free / 10 * 9));
        let stop = timeout.map_or_else(Stop::default, |s| Stop::after(Duration::from_secs_f64(s)));
        let halt = Halt { stop, ..Halt::default() };
        let at_keyboard = halt.clone();
        // A handler that cannot be set leaves the default: Ctrl-C ends the process.
        let _ = ctrlc::set_handler(move || {
            if at_keyboard.stop.is_due() {
                std::process::exit(3);
            }
            at_keyboard.stop.raise(Cause::Interrupted);
        });
        if megabytes.is_some() {
            let watcher = halt.clone();
            std::thread::spawn(move || watcher.keep_watch(megabytes));
        }
        halt
    }

    fn keep_watch(&self, megabytes: Option<u64>) {
        while !self.over.load(Ordering::SeqCst) {
            if let (Some(most), Some(used)) = (megabytes, resident_megabytes())
                && used > most
            {
                self.stop.raise(Cause::Memory);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
    }

    /// Why the run was ended, if it was.
    pub fn reason(&self) -> Option<Reason> {
        self.stop.cause().map(reason)
    }
}

pub fn reason(cause: Cause) -> Reason {
    match cause {
        Cause::Interrupted => Reason::Interrupted,
        Cause::Timeout => Reason::Timeout,
        Cause::Memory => Reason::Memory,
    }
}

fn resident_megabytes() -> Option<u64> {
    megabytes_of("/proc/self/status", "VmRSS:")
}

fn free_megabytes() -> Option<u64> {
    megabytes_of("/proc/meminfo", "MemAvailable:")
}

/// None where the system does not tell.
fn megabytes_of(file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes / 1024)
}
