//! What a search sees besides its answer: the statements that its runs reach, and the ways in which they
//! [leave the space](ir::leaving). Both are true of some state that was run, whatever the answer is; they are complete if it is
//! `verified`.
//!
//! The glass box runs paths, and propagation lets some through that no state takes. So what a path reaches is kept until the
//! exact solver finds a state that takes one of the paths. How a path may leave is a formula; a state that satisfies one is
//! asked for, replayed by the interpreter, and only what is seen there counts.

use crate::exact::{Exact, Found};
use crate::outcome::Options;
use crate::propagate::Propagator;
use formula::{Assignment, Evaluator, Graph, Lit};
use ir::check::Judgement;
use ir::heap::Heap;
use ir::interp::{Limits, Linked, restore};
use ir::leaving::{Cause, How, Leaving, Members};
use ir::lines::{Reached, statements};
use ir::replay::replay;
use ir::space::{Concrete, Space, Statics};
use ir::{Checked, ObjId, Operation, OperationKind, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use sat::Preset;
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use symex::{Atom, Candidate, Run, RunEnd, Sym, Symbolic};

/// Who wants to know. Several searches of one operation may share it.
#[derive(Clone, Debug, Default)]
pub struct Observer {
    /// The space that operations start from, if that of the search is none: of a constructor.
    pub states: Option<Arc<Space>>,
    seen: Arc<Mutex<Observed>>,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    pub reached: FxHashSet<Span>,
    /// One example per cause, in the order of the causes.
    pub left: BTreeMap<Cause, Concrete>,
    /// Causes and statements that the solver could not decide about within its limit.
    pub undecided: BTreeSet<Cause>,
    pub open: FxHashSet<Span>,
    /// A search came to its end: what is not here does not happen.
    pub is_complete: bool,
}

impl Observer {
    pub fn new(states: Option<Arc<Space>>) -> Observer {
        Observer { states, seen: Arc::default() }
    }

    pub fn observed(&self) -> Observed {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn see<T>(&self, see: impl FnOnce(&mut Observed) -> T) -> T {
        see(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The space that a state after the operation is compared with.
    pub(crate) fn members<'p>(&self, program: &'p Program, space: &Space) -> Members<'p> {
        let states = self.states.clone().unwrap_or_else(|| Arc::new(space.clone()));
        Members::new(program, states)
    }
}

/// Paths to a statement, or candidates, that are asked about at once.
const MOST: usize = 1 << 9;
/// Examples that turn out to be beyond the bound before a cause is given up.
const ROUNDS: usize = 12;
/// Conflicts that one question is worth: some are about sums, which take a solver for ever.
const CONFLICTS: u32 = 400;

/// What a question about a cause came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Settled {
    Leaves,
    Never,
    Undecided,
}

/// What a glass box search collects.
pub(crate) struct Watch<'p> {
    observer: Observer,
    members: Members<'p>,
    linked: Linked<'p>,
    heap: Heap,
    checked: &'p Checked,
    operation: &'p Operation,
    limits: Limits,
    solver: sat::Limits,
    known: FxHashSet<Cause>,
    /// Reached on paths that a state takes.
    confirmed: Vec<Span>,
    /// Other paths with what they reached.
    paths: Vec<(Vec<Lit>, Vec<Span>)>,
    /// By statement, how many of them reach it.
    witnesses: FxHashMap<Span, usize>,
    candidates: BTreeMap<Cause, Vec<Pending>>,
    is_full: bool,
    most: usize,
}

struct Pending {
    path: usize,
    candidate: Candidate,
    new_in_trees: usize,
    fitting: Arc<[Atom]>,
}

/// Who is asked about what was collected.
struct Asking<'a, 'p> {
    s: &'a mut Symbolic<'p>,
    exact: Exact,
    arguments: &'a [Sym],
}

impl<'p> Watch<'p> {
    pub fn new(
        symbolic: &mut Symbolic<'p>,
        statics: &Statics,
        checked: &'p Checked,
        operation: &'p Operation,
        options: &Options,
    ) -> Option<Watch<'p>> {
        let observer = options.observe.clone()?;
        symbolic.reached = Some(Reached::new(statements(symbolic.program, operation).into_iter().map(|s| s.1)));
        let linked = Linked::new(symbolic.program);
        Some(Watch {
            members: observer.members(symbolic.program, &symbolic.space),
            observer,
            heap: restore(&linked, statics),
            linked,
            checked,
            operation,
            limits: Limits { steps: options.limits.steps, ..Limits::default() },
            solver: sat::Limits { conflicts: Some(CONFLICTS), ..options.solver_limits() },
            known: FxHashSet::default(),
            confirmed: Vec::new(),
            paths: Vec::new(),
            witnesses: FxHashMap::default(),
            candidates: BTreeMap::new(),
            is_full: false,
            most: MOST,
        })
    }

    fn clear(&mut self) {
        self.paths.clear();
        self.witnesses.clear();
        self.candidates.clear();
        self.is_full = false;
    }

    /// A run came to an end that counts; `is_taken` if a state takes the path, or the search starts again. What propagation refutes, with
    /// all that it knows on the path, need not be asked about.
    pub fn completed(
        &mut self,
        symbolic: &mut Symbolic<'p>,
        propagator: &mut Propagator,
        run: &Run,
        path: &[Lit],
        is_taken: bool,
    ) {
        let Some(reached) = &mut symbolic.reached else { return };
        let spans = if is_taken {
            self.confirmed.extend(reached.count());
            Vec::new()
        } else {
            reached.reopen()
        };
        let index = self.paths.len();
        for &span in &spans {
            let witnesses = self.witnesses.entry(span).or_default();
            *witnesses += 1;
            self.is_full |= *witnesses >= self.most;
        }
        let has_state = match run.end {
            RunEnd::Returned(_) => true,
            RunEnd::Threw(_) => self.operation.kind == OperationKind::Method,
            RunEnd::Escaped(_) | RunEnd::Final => false,
        };
        let mut is_needed = !spans.is_empty();
        if let (true, Some(main)) = (has_state, run.main) {
            let is_same = self.operation.kind == OperationKind::Method && self.observer.states.is_none();
            let leaves = symbolic.leaving(&self.members, is_same, main, run.made, &self.known);
            let (new_in_trees, fitting) = (leaves.new_in_trees, Arc::from(leaves.fitting));
            for candidate in leaves.candidates {
                if is_refuted(&mut symbolic.graph, propagator, &candidate.when) {
                    continue;
                }
                is_needed = true;
                let pending = self.candidates.entry(candidate.cause).or_default();
                pending.push(Pending { path: index, candidate, new_in_trees, fitting: Arc::clone(&fitting) });
                self.is_full |= pending.len() >= self.most;
            }
        }
        if is_needed {
            self.paths.push((path.to_vec(), spans));
        }
    }

    /// Whether it is time to ask, so that what is kept stays small.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Asks about all that was collected; returns the statements that are reached for certain. The formulas that this takes
    /// are not the search's: one that goes on gives a copy, in which nothing is known but what follows from S.
    pub fn settle(&mut self, s: &mut Symbolic<'p>, conditions: &[Lit], arguments: &[Sym]) -> Vec<Span> {
        if self.witnesses.is_empty() && self.candidates.is_empty() {
            return Vec::new();
        }
        let exact = Exact::new(conditions, Preset::Check, false, self.solver.clone());
        let all: Vec<Lit> =
            self.paths.iter().map(|(p, _)| s.graph.outright(|g| g.and_all(p.iter().copied()))).collect();
        let mut asking = Asking { s, exact, arguments };
        let reached = self.settle_lines(&mut asking, &all);
        for (cause, pending) in std::mem::take(&mut self.candidates) {
            if !self.known.contains(&cause) {
                self.settle_cause(&mut asking, &all, cause, &pending);
            }
        }
        self.clear();
        self.most *= 2;
        reached
    }

    /// Paths that reach most of what is open first: each question costs a state of S.
    fn settle_lines(&mut self, asking: &mut Asking<'_, 'p>, all: &[Lit]) -> Vec<Span> {
        let Asking { s, exact, .. } = asking;
        let mut reached: FxHashSet<Span> = FxHashSet::default();
        let mut left: Vec<usize> = (0..all.len()).collect();
        loop {
            let gain = |index: &usize| self.paths[*index].1.iter().filter(|span| !reached.contains(span)).count();
            // The first of them, so that nothing depends on how they are kept.
            let Some(best) = left.iter().copied().max_by_key(|index| (gain(index), usize::MAX - index)) else { break };
            if gain(&best) == 0 {
                break;
            }
            left.retain(|&index| index != best);
            let (path, spans) = &self.paths[best];
            match exact.find(&mut s.graph, path, &[]) {
                Found::Model(_) => reached.extend(spans),
                Found::Nothing => {}
                Found::Unknown | Found::Rejected(_) => self.observer.see(|seen| seen.open.extend(spans)),
            }
        }
        self.observer.see(|seen| seen.reached.extend(&reached));
        reached.into_iter().collect()
    }

    /// Looks for a state that leaves in this way: first among those that have room for what the runs make, since others
    /// grow beyond the bound.
    fn settle_cause(&mut self, asking: &mut Asking<'_, 'p>, all: &[Lit], cause: Cause, pending: &[Pending]) {
        let s = &mut *asking.s;
        let nodes = s.nodes();
        let places: i64 = s.space.trees.iter().map(|t| i64::from(t.places)).sum();
        let places = s.space.budgets.iter().map(|(most, _)| *most).fold(places, i64::min);
        let is_new = |p: &Pending| p.new_in_trees > 0 && !nodes.is_empty();
        let may_grow = pending.iter().any(|p| is_new(p) || !p.fitting.is_empty());
        for has_room in if may_grow { &[true, false][..] } else { &[false] } {
            let s = &mut *asking.s;
            let mut some: Vec<Lit> = Vec::with_capacity(pending.len());
            for p in pending {
                let mut holds = vec![all[p.path]];
                if *has_room && is_new(p) {
                    holds.push(at_most(s, &nodes, places - p.new_in_trees as i64));
                }
                if *has_room {
                    holds.push(conjunction(s, Vec::new(), &p.fitting));
                }
                some.push(conjunction(s, holds, &p.candidate.when));
            }
            let settled = self.example(asking, cause, &some);
            if settled == Settled::Undecided {
                self.observer.see(|seen| seen.undecided.insert(cause));
                return;
            }
            if settled == Settled::Leaves {
                let s = &mut *asking.s;
                // The next number beyond the bound makes the better example.
                let nearest: Vec<Lit> = pending
                    .iter()
                    .filter_map(|p| {
                        let (last, rest) = p.candidate.when.split_last()?;
                        let last = match *last {
                            Atom::Above(term, most) => Atom::Is(term, most + 1),
                            Atom::Below(term, least) => Atom::Is(term, least - 1),
                            _ => return None,
                        };
                        let holds = conjunction(s, vec![all[p.path]], rest);
                        Some(conjunction(s, vec![holds], &[last]))
                    })
                    .collect();
                if matches!(cause.how, How::Above | How::Below) && !nearest.is_empty() {
                    self.example(asking, cause, &nearest);
                }
                return;
            }
        }
    }

    /// Finds a state that satisfies one of these and is seen to leave; remembers it.
    fn example(&mut self, asking: &mut Asking<'_, 'p>, cause: Cause, some: &[Lit]) -> Settled {
        let (nodes, presences) = (asking.s.nodes(), asking.s.presences());
        let mut fewer: Vec<Lit> = Vec::new();
        for _ in 0..ROUNDS {
            let Asking { s, exact, arguments } = asking;
            let model = match exact.find(&mut s.graph, &fewer, some) {
                Found::Model(model) => model,
                Found::Nothing => return Settled::Never,
                Found::Unknown | Found::Rejected(_) => return Settled::Undecided,
            };
            let state = s.concretize(&model, arguments);
            let found = self.replayed(&s.space, &state);
            let has_grown = found.is_none();
            let found = found.unwrap_or_default();
            if found.iter().any(|l| l.cause == cause) {
                let (state, found) = self.smaller(asking, cause, some, (state, found), model);
                self.known.extend(found.iter().map(|l| l.cause));
                self.observer.see(|seen| {
                    for Leaving { cause: also, .. } in found {
                        if also == cause {
                            seen.left.insert(cause, state.clone());
                        } else {
                            seen.left.entry(also).or_insert_with(|| state.clone());
                        }
                    }
                });
                return Settled::Leaves;
            }
            // If it has grown beyond the bound, so have others with as many nodes.
            let mut evaluator = Evaluator::new(&model);
            let count = nodes.iter().filter(|&&node| evaluator.lit(&s.graph, node)).count() as i64;
            if has_grown && count > 0 {
                fewer = vec![at_most(s, &nodes, count - 1)];
                continue;
            }
            let same: Vec<Lit> = presences.iter().map(|&p| p.flip(!evaluator.lit(&s.graph, p))).collect();
            let taken: Vec<Lit> = some.iter().copied().filter(|&l| evaluator.lit(&s.graph, l)).collect();
            let same = s.graph.outright(|g| g.and_all(same));
            for lit in taken {
                exact.add_clause(&mut s.graph, &[!lit, !same]);
            }
        }
        Settled::Undecided
    }

    /// An example with as few objects as can easily be had.
    fn smaller(
        &self,
        asking: &mut Asking<'_, 'p>,
        cause: Cause,
        some: &[Lit],
        first: (Concrete, Vec<Leaving>),
        mut model: Box<Assignment>,
    ) -> (Concrete, Vec<Leaving>) {
        const MOST: usize = 40;
        let Asking { s, exact, arguments } = asking;
        let mut absent: Vec<Lit> = Vec::new();
        for presence in s.presences().into_iter().rev().take(MOST) {
            absent.push(!presence);
            if Evaluator::new(&model).lit(&s.graph, presence) {
                match exact.find(&mut s.graph, &absent, some) {
                    Found::Model(smaller) => model = smaller,
                    _ => drop(absent.pop()),
                }
            }
        }
        let state = s.concretize(&model, arguments);
        match self.replayed(&s.space, &state) {
            Some(found) if found.iter().any(|l| l.cause == cause) => (state, found),
            _ => first,
        }
    }

    /// How the operation leaves from this state, as the interpreter runs it; None if it grows beyond the bound.
    fn replayed(&self, space: &Space, state: &Concrete) -> Option<Vec<Leaving>> {
        let replayed = replay(&self.linked, &self.heap, space, state, self.checked, self.operation, self.limits);
        if replayed.judgement != Judgement::Fine {
            return Some(Vec::new());
        }
        let all = replayed.states.iter().map(|object| self.members.leaving(&replayed.after, *object));
        all.collect::<Option<Vec<_>>>().map(|all| all.concat())
    }

    /// The search came to its end.
    pub fn complete(&self) {
        let is_complete = !self.solver.reached();
        self.observer.see(|seen| {
            seen.reached.extend(&self.confirmed);
            seen.is_complete |= is_complete;
        });
    }
}

fn is_refuted(graph: &mut Graph, propagator: &mut Propagator, atoms: &[Atom]) -> bool {
    let level = propagator.level(graph);
    let is_consistent = atoms.iter().all(|atom| {
        let lit = atom.lit(graph);
        propagator.assert(graph, lit)
    });
    propagator.undo_to(graph, level);
    !is_consistent
}

fn conjunction(s: &mut Symbolic<'_>, mut holds: Vec<Lit>, atoms: &[Atom]) -> Lit {
    s.graph.outright(|g| {
        holds.extend(atoms.iter().map(|a| a.lit(g)).collect::<Vec<_>>());
        g.and_all(holds)
    })
}

/// At most so many of them are true.
fn at_most(s: &mut Symbolic<'_>, lits: &[Lit], most: i64) -> Lit {
    s.graph.outright(|g| {
        let ones: Vec<_> = lits.iter().map(|&l| g.int_of(l)).collect();
        match g.sum(&ones) {
            Some(sum) => {
                let most = g.constant(most);
                g.le(sum, most)
            }
            None => Lit::TRUE,
        }
    })
}

/// What the exhaustive engine collects: it sees states.
pub(crate) struct Sight<'p> {
    observer: Observer,
    members: Members<'p>,
    known: FxHashSet<Cause>,
}

impl<'p> Sight<'p> {
    pub fn new(program: &'p Program, space: &Space, options: &Options) -> Option<Sight<'p>> {
        let observer = options.observe.clone()?;
        Some(Sight { members: observer.members(program, space), observer, known: FxHashSet::default() })
    }

    pub fn reached(&self, spans: Vec<Span>) {
        if !spans.is_empty() {
            self.observer.see(|seen| seen.reached.extend(spans));
        }
    }

    /// How a state that a run left leaves the space, as far as that is new.
    pub fn new_causes(&self, heap: &Heap, left: &[ObjId]) -> Vec<Cause> {
        let found = left.iter().flat_map(|object| self.members.leaving(heap, *object).unwrap_or_default());
        let found = found.map(|l| l.cause);
        found.filter(|c| !self.known.contains(c)).collect()
    }

    /// The state that the run started from.
    pub fn left(&mut self, causes: Vec<Cause>, state: &Concrete) {
        self.known.extend(&causes);
        self.observer.see(|seen| {
            for cause in causes {
                seen.left.entry(cause).or_insert_with(|| state.clone());
            }
        });
    }

    pub fn complete(&self) {
        self.observer.see(|seen| seen.is_complete = true);
    }
}
