//! Numbered tasks on some threads, their answers in order.
//!
//! Under a time limit each task has its share of the time that is left, so that a hard one does not keep the others from theirs; what
//! is left when all have had their turn goes to those that were not finished.
//!
//! A worker that does not heed a limit is left behind after a moment of grace: it ends with the process, and what it owes is answered in
//! its place.

use crate::stack::spawn;
use crate::stop::{Cause, Stop};
use std::collections::VecDeque;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a worker may take to heed a limit.
const GRACE: Duration = Duration::from_millis(500);

/// What whoever waits is reported.
pub enum Event<T> {
    /// This task is being waited for.
    Waiting(usize),
    /// The answer to the next task.
    Done(usize, T),
    /// The next task has no answer within its grace.
    Late(usize, Cause),
    /// There was no thread to do the rest.
    NoThread,
}

/// When a task is tried.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Its share of the time ends then.
    pub until: Option<Instant>,
    /// There is no other turn after it.
    pub is_last: bool,
}

impl Turn {
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// Tasks that wait.
struct Queue {
    first: VecDeque<usize>,
    /// With the time that they had.
    again: VecDeque<(usize, Duration)>,
    workers: usize,
    deadline: Option<Instant>,
}

impl Queue {
    fn next(&mut self) -> Option<(usize, Turn)> {
        let now = Instant::now();
        let left = |waiting: usize| {
            let share = (self.workers as f64 / (waiting + 1) as f64).min(1.0);
            self.deadline.map(|deadline| deadline.saturating_duration_since(now).mul_f64(share))
        };
        if let Some(index) = self.first.pop_front() {
            let until = left(self.first.len()).map(|time| now + time);
            return Some((index, Turn { until, is_last: self.deadline.is_none() }));
        }
        let (index, had) = self.again.pop_front()?;
        // With less time than before it would come to less: all that is left, then, or nothing.
        let shares = [left(self.again.len()), left(0)];
        let time = shares[0].map(|_| shares.into_iter().flatten().find(|time| *time > had).unwrap_or_default());
        Some((index, Turn { until: time.map(|time| now + time), is_last: true }))
    }
}

/// As many threads as the user wants, or as there are cores.
pub fn threads(wanted: Option<u32>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    wanted.map_or(cores, |n| n as usize)
}

/// Does `count` tasks by `work` on `workers` threads; `leave` is called by each that finds no more of them. A task without an answer is
/// tried again, unless that was its last turn.
pub fn in_order<T: Send + 'static>(
    count: usize,
    workers: usize,
    stop: &Stop,
    work: impl Fn(usize, Turn) -> Option<T> + Send + Sync + 'static,
    leave: impl Fn() + Send + Sync + 'static,
    mut tell: impl FnMut(Event<T>),
) {
    let queue = Queue { first: (0..count).collect(), again: VecDeque::new(), workers, deadline: stop.deadline() };
    let (work, queue) = (Arc::new((work, leave)), Arc::new(Mutex::new(queue)));
    let (sender, receiver) = mpsc::channel();
    for _ in 0..workers {
        let (sender, work, queue) = (sender.clone(), work.clone(), queue.clone());
        let run = move || {
            let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let Some((index, turn)) = lock().next() else { break };
                let start = Instant::now();
                let Some(answer) = (work.0)(index, turn) else {
                    lock().again.push_back((index, start.elapsed()));
                    continue;
                };
                if sender.send((index, answer)).is_err() {
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
    let mut since: Option<Instant> = None;
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
        if let Some(cause) = stop.cause()
            && since.get_or_insert_with(Instant::now).elapsed() > GRACE
        {
            for (index, answer) in waiting.into_iter().enumerate().skip(told) {
                tell(match answer {
                    Some(answer) => Event::Done(index, answer),
                    None => Event::Late(index, cause),
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
            &Stop::default(),
            move |k, _| Some(work(k)),
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
        let stop = Stop::after(Duration::ZERO);
        let start = Instant::now();
        let work = |k: usize, _| {
            std::thread::sleep(Duration::from_secs(if k == 1 { 60 } else { 0 }));
            Some(())
        };
        let mut events = Vec::new();
        in_order(
            3,
            2,
            &stop,
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

    /// A task that takes all the time it is given, among others: they get theirs, and it gets the rest.
    #[test]
    fn a_hard_task_leaves_time_to_the_others() {
        let stop = Stop::after(Duration::from_secs(4));
        let work = |k: usize, turn: Turn| {
            while k == 0 && !turn.is_over() {
                std::thread::sleep(Duration::from_millis(5));
            }
            (k > 0 || turn.is_last).then(Instant::now)
        };
        let (start, mut ends) = (Instant::now(), Vec::new());
        in_order(
            4,
            1,
            &stop,
            work,
            || {},
            |event| {
                if let Event::Done(k, end) = event {
                    ends.push((k, (end - start).as_secs_f64()));
                }
            },
        );
        let [(0, hard), (1, a), (2, b), (3, c)] = ends[..] else { panic!("{ends:?}") };
        assert!(a < 2.5 && b < 2.5 && c < 2.5 && hard > 3.0, "{ends:?}");
    }
}
