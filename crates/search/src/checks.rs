//! Checks beside the search (dissertation, 8.1): "As long as all static analyses are eventually run, they can be deferred or
//! done in parallel." Whatever needs the exact solver is a question about a path, answered by a [`Checker`] on a thread of
//! its own, with its own copy of the formulas.
//!
//! Kept: questions are answered in the order they are asked, and the first answer that is not [`Reply::Fine`] ends the
//! search with the counts of its question. So the outcome does not depend on how far the search got meanwhile, nor on
//! whether it waited.

use crate::exact::{Exact, Found};
use crate::nearby::Nearby;
use crate::outcome::{Counts, Options};
use formula::{Assignment, Evaluator, Extent, Graph, Growth, Lit, Mirror};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use symex::Sym;
use work::{Cause, Stop};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Does any state take this path, or this beginning of one?
    Feasible,
    /// It ends badly: does any state get there?
    Ends,
    /// Is there none that takes it and satisfies one of these? Something that must hold is false there.
    Open,
    /// The same, where propagation says that there is none.
    Proved,
}

pub struct Question {
    pub ask: Ask,
    pub path: Vec<Lit>,
    pub some: Vec<Lit>,
    /// What the search's graph got since the last question.
    growth: Growth,
}

#[derive(Debug)]
pub enum Reply {
    Fine,
    /// No state takes the path.
    Infeasible,
    /// This state takes it, and ends badly or is violated there.
    Reached(Box<Assignment>),
    /// A limit was reached.
    Unknown,
    Rejected(String),
}

/// A reply, and the work done so far.
pub type Answered = (Reply, Counts);

/// The asking side.
pub struct Checks {
    questions: Sender<Question>,
    replies: Receiver<Answered>,
    /// As much of the graph as the checker was reported of.
    told: Extent,
    /// By question without a reply: the counts when it was asked.
    pending: VecDeque<Counts>,
    /// Raised by the checker when the search may end.
    pub is_over: Arc<AtomicBool>,
    /// Raised to end the checker.
    stop: Stop,
    limits: sat::Limits,
    /// Threads that may run beside the searches: a checker takes one, or its search waits for it.
    beside: Arc<AtomicUsize>,
    has_thread: bool,
    /// The checker's work, as far as it was reported.
    work: Counts,
}

impl Drop for Checks {
    fn drop(&mut self) {
        self.stop.raise(Cause::Interrupted);
        self.release();
    }
}

impl Checks {
    /// Both ends, and what stops the checker's solver.
    pub fn new(options: &Options, graph: &Graph) -> (Checks, impl FnOnce(Checker) + use<>, sat::Limits) {
        let (questions, asked) = std::sync::mpsc::channel::<Question>();
        let (answers, replies) = std::sync::mpsc::channel::<Answered>();
        let (is_over, stop) = (Arc::new(AtomicBool::new(false)), options.stop.apart());
        let limits = sat::Limits { stop: stop.clone(), ..options.solver_limits() };
        let checks = Checks {
            questions,
            replies,
            told: graph.extent(),
            pending: VecDeque::new(),
            is_over: is_over.clone(),
            stop,
            limits: options.solver_limits(),
            beside: options.beside.clone(),
            has_thread: false,
            work: Counts::default(),
        };
        let serve = move |mut checker: Checker| {
            for question in asked {
                let reply = checker.answer(question);
                let is_last = !matches!(reply, Reply::Fine);
                is_over.fetch_or(is_last, Ordering::Relaxed);
                if answers.send((reply, checker.work())).is_err() || is_last {
                    return;
                }
            }
        };
        (checks, serve, limits)
    }

    /// Asks; waits for the answer if there is no thread to find it meanwhile.
    pub fn ask(
        &mut self,
        graph: &Graph,
        ask: Ask,
        path: Vec<Lit>,
        some: Vec<Lit>,
        counts: Counts,
    ) -> Result<(), Answered> {
        self.pending.push_back(counts);
        let growth = graph.growth(self.told);
        self.told = graph.extent();
        // If the checker is gone, its last reply is yet to be read.
        let _ = self.questions.send(Question { ask, path, some, growth });
        if !self.has_thread {
            let take = |free: usize| free.checked_sub(1);
            self.has_thread = self.beside.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok();
        }
        if self.has_thread { self.poll() } else { self.wait() }
    }

    /// Reads what was answered meanwhile. An error is the reply that ends the search.
    pub fn poll(&mut self) -> Result<(), Answered> {
        while !self.pending.is_empty() {
            match self.replies.try_recv() {
                Ok(answered) => self.take(answered)?,
                Err(_) => return Ok(()),
            }
        }
        self.release();
        Ok(())
    }

    /// Waits for all that is still to be answered.
    pub fn wait(&mut self) -> Result<(), Answered> {
        while let Some(&counts) = self.pending.front() {
            match self.replies.recv_timeout(Duration::from_millis(20)) {
                Ok(answered) => self.take(answered)?,
                Err(RecvTimeoutError::Timeout) => {
                    if self.limits.reached() {
                        self.stop.raise(Cause::Interrupted);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err((Reply::Rejected("the checker panicked".into()), counts));
                }
            }
        }
        self.release();
        Ok(())
    }

    fn take(&mut self, (reply, work): Answered) -> Result<(), Answered> {
        self.work = work;
        let counts = self.pending.pop_front().unwrap_or_default();
        if matches!(reply, Reply::Fine) { Ok(()) } else { Err((reply, self.total(counts))) }
    }

    fn release(&mut self) {
        if std::mem::take(&mut self.has_thread) {
            self.beside.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The search's counts with the checker's work.
    pub fn total(&self, counts: Counts) -> Counts {
        counts.with_work(self.work)
    }
}

/// So many questions are asked to empty a state, and again to make its values plain.
const MOST_QUERIES: usize = 200;

/// The answering side: a copy of the graph that the search starts from, and the exact solver.
pub struct Checker {
    pub mirror: Mirror,
    pub exact: Exact,
    /// The same, for proofs by what is near to the path.
    pub near: Exact,
    /// What makes a state smaller when it is false.
    pub presences: Vec<Lit>,
    /// Values of slots, and what each is in a state that says as little as it can.
    pub plain: Vec<(Sym, i64)>,
}

impl Checker {
    fn answer(&mut self, question: Question) -> Reply {
        self.mirror.grow(question.growth);
        let mut twins = |lits: &[Lit]| lits.iter().map(|&l| self.mirror.lit(l)).collect::<Option<Vec<Lit>>>();
        let (Some(path), Some(some)) = (twins(&question.path), twins(&question.some)) else {
            return Reply::Rejected("a formula could not be copied".into());
        };
        self.check(question.ask, &path, &some).unwrap_or_else(|reply| reply)
    }

    fn check(&mut self, ask: Ask, path: &[Lit], some: &[Lit]) -> Result<Reply, Reply> {
        if matches!(ask, Ask::Ends | Ask::Open) && self.is_ruled_out_nearby(path, some) {
            return Ok(Reply::Fine);
        }
        let found = self.find(path, some)?;
        Ok(match (ask, found) {
            (Ask::Feasible, Some(_)) | (Ask::Ends | Ask::Open | Ask::Proved, None) => Reply::Fine,
            (Ask::Feasible, None) => Reply::Infeasible,
            (Ask::Proved, Some(_)) => Reply::Rejected("propagation derived what does not follow".into()),
            (Ask::Ends | Ask::Open, Some(state)) => {
                let state = self.smaller(path, some, state)?;
                Reply::Reached(Box::new(self.mirror.reflect(&state)))
            }
        })
    }

    fn is_ruled_out_nearby(&mut self, path: &[Lit], some: &[Lit]) -> bool {
        let graph = &mut self.mirror.graph;
        let nearby = Nearby::new(graph, path, some.iter().copied());
        nearby.leaves_much_out(graph) && self.near.is_worth_asking() && self.near.rules_out(graph, path, some, &nearby)
    }

    /// What both solvers did.
    fn work(&self) -> Counts {
        self.exact.work().with_work(self.near.work())
    }

    fn find(&mut self, path: &[Lit], some: &[Lit]) -> Result<Option<Box<Assignment>>, Reply> {
        match self.exact.find(&mut self.mirror.graph, path, some) {
            Found::Model(assignment) => Ok(Some(assignment)),
            Found::Nothing => Ok(None),
            Found::Unknown => Err(Reply::Unknown),
            Found::Rejected(why) => Err(Reply::Rejected(why)),
        }
    }

    /// A state of the same kind, with as few objects as can easily be had, and then with as many plain values.
    fn smaller(&mut self, path: &[Lit], some: &[Lit], mut found: Box<Assignment>) -> Result<Box<Assignment>, Reply> {
        let mut path = path.to_vec();
        let mut left = MOST_QUERIES;
        for index in (0..self.presences.len()).rev() {
            let absent = !self.presences[index];
            self.settle(&mut path, some, &mut found, &[absent], &mut left)?;
        }
        let graph = &mut self.mirror.graph;
        let plain = self.plain.iter().filter_map(|&(value, nearest)| match value {
            Sym::Bool(lit) => Some(lit.flip(nearest == 0)),
            Sym::Int(term) => Some(graph.outright(|g| g.eq_constant(term, nearest))),
            Sym::Ref(_) => None,
        });
        let plain: Vec<Lit> = plain.collect();
        let mut left = MOST_QUERIES;
        self.settle(&mut path, some, &mut found, &plain, &mut left)?;
        Ok(found)
    }

    /// Adds these to the path if there is still such a state, and otherwise as many of them as can easily be had.
    fn settle(
        &mut self,
        path: &mut Vec<Lit>,
        some: &[Lit],
        found: &mut Box<Assignment>,
        wanted: &[Lit],
        left: &mut usize,
    ) -> Result<(), Reply> {
        let mut evaluator = Evaluator::new(found);
        let is_so = wanted.iter().all(|&lit| evaluator.lit(&self.mirror.graph, lit));
        if !is_so && *left == 0 {
            return Ok(());
        }
        path.extend(wanted);
        if is_so {
            return Ok(());
        }
        *left -= 1;
        match self.find(path, some) {
            Ok(Some(smaller)) => {
                *found = smaller;
                return Ok(());
            }
            Ok(None) => {}
            // What was found is not lost because there is no time to make it smaller.
            Err(Reply::Unknown) => *left = 0,
            Err(reply) => return Err(reply),
        }
        path.truncate(path.len() - wanted.len());
        if wanted.len() > 1 {
            let (first, second) = wanted.split_at(wanted.len() / 2);
            self.settle(path, some, found, first, left)?;
            self.settle(path, some, found, second, left)?;
        }
        Ok(())
    }
}
