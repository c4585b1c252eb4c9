//! A long run shows that it lives: on a terminal, after half a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(500);

pub struct Progress {
    pub states: Arc<AtomicU64>,
    what: String,
    start: Instant,
    is_wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(is_wanted: bool) -> Progress {
        let is_wanted = is_wanted && std::io::stderr().is_terminal();
        Progress { states: Arc::default(), what: "reading".to_string(), start: Instant::now(), is_wanted, bar: None }
    }

    /// This is being checked now.
    pub fn wait_for(&mut self, what: &str) {
        if self.what != what {
            self.what = what.to_string();
        }
        self.tick();
    }

    pub fn tick(&mut self) {
        if !self.is_wanted || self.start.elapsed() < PATIENCE {
            return;
        }
        let states = self.states.load(Ordering::Relaxed);
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
                bar.set_style(style);
            }
            bar
        });
        let what = &self.what;
        bar.set_message(if states == 0 { what.clone() } else { format!("{what}  {states} states run") });
        bar.tick();
    }

    /// Prints without disturbing the bar.
    pub fn aside(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
