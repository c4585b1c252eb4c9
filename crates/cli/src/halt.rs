//! What ends a run from outside: Ctrl-C, `--timeout`, `--memory`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};
use verdict::Reason;

const INTERRUPTED: u8 = 1;
const TIMEOUT: u8 = 2;
const MEMORY: u8 = 3;

/// Shared by all workers; whoever raises it first is the cause.
#[derive(Clone, Default)]
pub struct Halt {
    pub stop: Arc<AtomicBool>,
    pub deadline: Option<Instant>,
    cause: Arc<AtomicU8>,
    /// The watcher ends with the run.
    over: Arc<AtomicBool>,
}

impl Halt {
    /// Watches the time, the memory and the keyboard. Without a limit of the user's, the memory is most of what is free now: the system
    /// would end us without a word.
    pub fn watch(timeout: Option<f64>, megabytes: Option<u64>) -> Halt {
        let megabytes = megabytes.or_else(|| free_megabytes().map(|free| free / 10 * 9));
        let deadline = timeout.and_then(|s| Instant::now().checked_add(Duration::from_secs_f64(s)));
        let halt = Halt { deadline, ..Halt::default() };
        let at_keyboard = halt.clone();
        // A handler that cannot be set leaves the default: Ctrl-C ends the process.
        let _ = ctrlc::set_handler(move || {
            if at_keyboard.stop.load(Ordering::SeqCst) {
                std::process::exit(3);
            }
            at_keyboard.raise(INTERRUPTED);
        });
        if deadline.is_some() || megabytes.is_some() {
            let watcher = halt.clone();
            std::thread::spawn(move || watcher.keep_watch(megabytes));
        }
        halt
    }

    fn keep_watch(&self, megabytes: Option<u64>) {
        while !self.over.load(Ordering::SeqCst) {
            if self.deadline.is_some_and(|d| Instant::now() >= d) {
                self.raise(TIMEOUT);
            }
            if let (Some(most), Some(used)) = (megabytes, resident_megabytes())
                && used > most
            {
                self.raise(MEMORY);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn raise(&self, cause: u8) {
        let _ = self.cause.compare_exchange(0, cause, Ordering::SeqCst, Ordering::SeqCst);
        self.stop.store(true, Ordering::SeqCst);
    }

    pub fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
    }

    /// Why the run was ended, if it was.
    pub fn reason(&self) -> Option<Reason> {
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            self.raise(TIMEOUT);
        }
        match self.cause.load(Ordering::SeqCst) {
            INTERRUPTED => Some(Reason::Interrupted),
            TIMEOUT => Some(Reason::Timeout),
            MEMORY => Some(Reason::Memory),
            _ => None,
        }
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
