//! Numbered tasks on some threads, their answers in order. Shared by the checks of classes and of languages.
//!
//! A worker that does not heed a limit is left behind after a moment of grace: it ends with the process, and what it owes is answered in
//! its place.

use crate::engine::spawn;
use crate::halt::Halt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use verdict::Reason;

/// How long a worker may take to heed a limit.
const GRACE: Duration = Duration::from_secs(3);

/// What whoever waits is told.
pub enum Event<T> {
    /// This task is being waited for.
    Waiting(usize),
    /// The answer to the next task.
    Done(usize, T),
    /// The next task has no answer within its grace.
    Late(usize, Reason),
    /// There was no thread to do the rest.
    NoThread,
}

/// As many threads as the user wants, or as there are cores.
pub fn threads(wanted: Option<u32>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    wanted.map_or(cores, |n| n as usize)
}

/// Does `count` tasks by `work` on `workers` threads; `leave` is called by each that finds no more of them.
pub fn in_order<T: Send + 'static>(
    count: usize,
    workers: usize,
    halt: &Halt,
    work: impl Fn(usize) -> T + Send + Sync + 'static,
    leave: impl Fn() + Send + Sync + 'static,
    mut tell: impl FnMut(Event<T>),
) {
    let (work, next) = (Arc::new((work, leave)), Arc::new(AtomicUsize::new(0)));
    let (sender, receiver) = mpsc::channel();
    for _ in 0..workers {
        let (sender, work, next) = (sender.clone(), work.clone(), next.clone());
        let run = move || {
            loop {
                let index = next.fetch_add(1, Ordering::SeqCst);
                if index >= count || sender.send((index, (work.0)(index))).is_err() {
                    break;
                }
            }
            (work.1)();
        };
        if spawn(run).is_err() {
            break;
        }
    }
    drop(sender);
    let mut waiting: Vec<Option<T>> = (0..count).map(|_| None).collect();
    let mut told = 0;
    let mut since_halt: Option<Instant> = None;
    while told < count {
        match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok((index, answer)) => waiting[index] = Some(answer),
            Err(RecvTimeoutError::Timeout) => tell(Event::Waiting(told)),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some(answer) = waiting.get_mut(told).and_then(Option::take) {
            tell(Event::Done(told, answer));
            told += 1;
        }
        if let Some(reason) = halt.reason()
            && since_halt.get_or_insert_with(Instant::now).elapsed() > GRACE
        {
            for (index, answer) in waiting.into_iter().enumerate().skip(told) {
                tell(match answer {
                    Some(answer) => Event::Done(index, answer),
                    None => Event::Late(index, reason.clone()),
                });
            }
            return;
        }
    }
    if told < count {
        tell(Event::NoThread);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(count: usize, workers: usize, work: impl Fn(usize) -> usize + Send + Sync + 'static) -> Vec<usize> {
        let mut all = Vec::new();
        in_order(
            count,
            workers,
            &Halt::default(),
            work,
            || {},
            |event| {
                if let Event::Done(index, answer) = event {
                    all.extend([index, answer]);
                }
            },
        );
        all
    }

    #[test]
    fn answers_come_in_order() {
        let slow_first = |k: usize| {
            std::thread::sleep(Duration::from_millis(if k == 0 { 50 } else { 0 }));
            k * k
        };
        assert_eq!(told(4, 3, slow_first), [0, 0, 1, 1, 2, 4, 3, 9]);
        assert!(told(0, 0, |k| k).is_empty());
    }

    #[test]
    fn who_does_not_heed_a_limit_is_left_behind() {
        let mut halt = Halt::default();
        halt.deadline = Some(Instant::now());
        let start = Instant::now();
        let work = |k: usize| std::thread::sleep(Duration::from_secs(if k == 1 { 60 } else { 0 }));
        let mut events = Vec::new();
        in_order(
            3,
            2,
            &halt,
            work,
            || {},
            |event| match event {
                Event::Done(k, ()) => events.push((k, None)),
                Event::Late(k, reason) => events.push((k, Some(reason))),
                Event::Waiting(_) | Event::NoThread => {}
            },
        );
        assert!(start.elapsed() < Duration::from_secs(30));
        assert_eq!(events.len(), 3);
        assert!(events.iter().enumerate().all(|(k, (index, reason))| k == *index && reason.is_some() == (k == 1)));
    }
}
