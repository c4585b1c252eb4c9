//! Everything in a program, decided on several threads and answered in order.
//!
//! Types come before functions: a verdict on a function has to know which types are well-formed.

use super::reach::{Uses, subjects};
use super::{Answer, Options, Subject, Verdict};
use crate::program::Program;
use crate::verify::prove::Solver;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use work::{Event, Turn, in_order};

/// A method: what it says of a subject, given the named types that a verdict may rest on.
pub(crate) type Decide = fn(&Program, Subject, &[bool], &Options, &mut Solver) -> Answer;

/// Decides everything in a program by some method.
pub(crate) fn each_subject(
    program: &Arc<Program>,
    options: &Options,
    decide: Decide,
    waiting: &mut dyn FnMut(Subject),
    done: &mut dyn FnMut(Answer),
) {
    let (types, functions) = subjects(program);
    let mut is_fine = Vec::new();
    let mut outbox = Outbox::new(Uses::new(program), types.len() + functions.len(), done);
    let workers = Workers { program: program.clone(), options: options.clone(), decide, idle: Arc::default() };
    // Under a time limit hard types must leave functions their share; but what rests on a type that is not decided is not proved either.
    let part = (types.len() as f64 / (types.len() + functions.len()).max(1) as f64).max(0.5);
    let until = options.stop.left().map(|left| Instant::now() + left.mul_f64(part));
    let first = Workers { options: Options { stop: options.stop.until(until), ..options.clone() }, ..workers.clone() };
    // Each type by itself, the tests of those it names taken to be fine: if one is not, none that leads to it is.
    first.spread(&types, vec![true; types.len()], waiting, &mut |answer| {
        is_fine.push(matches!(answer.verdict, Verdict::Verified));
        outbox.put(answer);
    });
    // A type that is not well-formed, or that rests on one, may go wrong when tested.
    let fine = outbox.uses.fine(&is_fine);
    workers.spread(&functions, fine, waiting, &mut |answer| outbox.put(answer));
}

/// How much of what a verdict rests on is listed at most.
const MOST_ASSUMED: usize = 100;

/// Answers that are on their way out: an answer is held back until it is known what it rests on.
struct Outbox<'a> {
    uses: Uses,
    /// Subjects that are known, which are not proved, and which rest on one that is not.
    known: usize,
    is_doubtful: Vec<bool>,
    rests_on_doubt: Vec<bool>,
    held: VecDeque<Answer>,
    done: &'a mut dyn FnMut(Answer),
}

impl<'a> Outbox<'a> {
    fn new(uses: Uses, count: usize, done: &'a mut dyn FnMut(Answer)) -> Outbox<'a> {
        let none = vec![false; count];
        Outbox { uses, known: 0, is_doubtful: none.clone(), rests_on_doubt: none, held: VecDeque::new(), done }
    }

    fn put(&mut self, answer: Answer) {
        if !answer.is_proved() {
            let number = self.uses.number(answer.subject);
            self.is_doubtful[number] = true;
            self.uses.mark_users(number, &mut self.rests_on_doubt);
        }
        self.known += 1;
        self.held.push_back(answer);
        while let Some(next) = self.held.front() {
            let number = self.uses.number(next.subject);
            // Only what is verified rests on anything.
            let is_verified = matches!(next.verdict, Verdict::Verified);
            if is_verified && self.uses.needed(number) > self.known {
                break;
            }
            let Some(mut answer) = self.held.pop_front() else { break };
            if is_verified && self.rests_on_doubt[number] {
                answer.assuming = self.uses.rests_on(answer.subject, MOST_ASSUMED, |k| self.is_doubtful[k]);
            }
            (self.done)(answer);
        }
    }
}

/// The share of the time that a subject has at least: with less for each of very many, none would be decided.
const LEAST: Duration = Duration::from_secs(1);

/// Whoever decides subjects.
#[derive(Clone)]
struct Workers {
    program: Arc<Program>,
    options: Options,
    decide: Decide,
    /// Solvers that are not in use.
    idle: Arc<Mutex<Vec<Solver>>>,
}

impl Workers {
    fn spread(
        &self,
        subjects: &[Subject],
        fine: Vec<bool>,
        waiting: &mut dyn FnMut(Subject),
        done: &mut dyn FnMut(Answer),
    ) {
        let count = subjects.len();
        let threads = self.options.threads.clamp(1, count.max(1));
        let work = {
            let (workers, subjects) = (self.clone(), subjects.to_vec());
            move |k: usize, turn| workers.answer(subjects[k], &fine, turn)
        };
        let mut answered = 0;
        in_order(
            count,
            threads,
            &self.options.stop,
            work,
            || {},
            |event| {
                match event {
                    Event::Waiting(k) => return waiting(subjects[k]),
                    Event::Done(_, answer) => done(answer),
                    Event::Late(k, cause) => done(Answer::of(subjects[k], Verdict::Stopped(cause))),
                    Event::NoThread => {
                        let reason = "no thread could be started: is the memory of the process limited?";
                        let none = |subject: &Subject| Answer::of(*subject, Verdict::Internal(reason));
                        return subjects[answered..].iter().map(none).for_each(&mut *done);
                    }
                }
                answered += 1;
            },
        );
    }

    /// None if its turn was over before there was an answer, and another one comes.
    fn answer(&self, subject: Subject, fine: &[bool], turn: Turn) -> Option<Answer> {
        let least = Instant::now() + LEAST;
        let stop = self.options.stop.until(turn.until.map(|until| until.max(least)));
        let options = Options { stop, ..self.options.clone() };
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let free = idle().pop();
        let decided = catch_unwind(AssertUnwindSafe(|| {
            let mut solver = free.unwrap_or_else(|| Solver::new(&options));
            solver.begin(&options);
            let answer = (self.decide)(&self.program, subject, fine, &options, &mut solver);
            (answer, solver)
        }));
        let Ok((answer, solver)) = decided else {
            return Some(Answer::of(subject, Verdict::Internal("the verifier panicked")));
        };
        idle().push(solver);
        (turn.is_last || self.options.stop.is_due() || !answer.is_stopped()).then_some(answer)
    }
}
