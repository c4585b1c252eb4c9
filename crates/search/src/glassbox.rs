//! The glass box search (dissertation, Figure 2.2), by execution. For every path: run the operation, build what must hold
//! afterwards (R), drop what is known, prove the rest by elimination and propagation, and ask the exact solver about what
//! is left.
//!
//! With `certify`, the exact solver, whose every "unsatisfiable" is then checked by the independent checker, must agree
//! with all that propagation said: each literal it set, each conjunct it proved, and that the paths cover S.

use crate::exact::{Exact, Found};
use crate::explore::Explorer;
use crate::outcome::{Counts, Options, Outcome};
use crate::prove::Prover;
use formula::{Assignment, Evaluator, Lit, Mark};
use ir::space::Space;
use ir::{Checked, Operation, Program};
use sat::Preset;
use std::sync::atomic::Ordering;
use symex::{Conjunct, Executor, RunEnd, Stop, Sym, Symbolic};

pub struct GlassBox<'p> {
    pub symbolic: Symbolic<'p>,
    checked: &'p Checked,
    operation: &'p Operation,
    arguments: Vec<Sym>,
    explorer: Explorer,
    isomorphism: bool,
    options: Options,
    /// Where the facts of S end and those of a path begin.
    ground: Mark,
    /// With `certify`: S without the paths so far.
    uncovered: Option<Exact>,
    pub counts: Counts,
}

/// Something on the way that ends the search.
enum End {
    /// Or a run that does not end.
    Violated(Box<Assignment>),
    Stopped(Stop),
    Rejected(String),
}

impl<'p> GlassBox<'p> {
    pub fn new(
        program: &'p Program,
        space: &'p Space,
        statics: &'p ir::space::Statics,
        checked: &'p Checked,
        operation: &'p Operation,
        options: &Options,
    ) -> GlassBox<'p> {
        let symbolic = Symbolic::new(program, space, &statics.fields, &statics.strings, options.limits);
        let exact = Exact::new(Preset::Check, options.certify, options.solver_limits());
        let limits = options.solver_limits();
        let ground = symbolic.graph.mark();
        let uncovered = options.certify.then(|| Exact::new(Preset::Search, true, options.solver_limits()));
        GlassBox {
            symbolic,
            ground,
            uncovered,
            options: options.clone(),
            checked,
            operation,
            arguments: Vec::new(),
            explorer: Explorer::new(exact, Box::new(move || limits.reached())),
            isomorphism: !crate::outcome::looks_at_identity(program),
            counts: Counts::default(),
        }
    }

    /// Explores every path; the answer holds for every state of the space.
    pub fn search(&mut self) -> Outcome {
        let outcome = match self.explore() {
            Ok(outcome) => outcome,
            Err(End::Violated(assignment)) => {
                Outcome::Violated(Box::new(self.symbolic.concretize(&assignment, &self.arguments)))
            }
            Err(End::Rejected(why) | End::Stopped(Stop::Rejected(why))) => Outcome::Rejected(why),
            Err(End::Stopped(stop)) => Outcome::Stopped(stop),
        };
        self.count_work();
        outcome
    }

    fn explore(&mut self) -> Result<Outcome, End> {
        if !self.initialise()? {
            return Ok(Outcome::NoState);
        }
        loop {
            self.symbolic.reset();
            self.run()?;
            let aside = std::mem::take(&mut self.explorer.set_aside);
            if let Some(uncovered) = &mut self.uncovered {
                for set in aside {
                    let opposite: Vec<Lit> = set.into_iter().map(|l| !l).collect();
                    uncovered.add_clause(&mut self.symbolic.graph, &opposite);
                }
            }
            if !self.explorer.backtrack(&mut self.symbolic.graph).map_err(End::Stopped)? {
                break;
            }
        }
        self.certify_cover()?;
        let none = self.counts.states_run == self.counts.dropped;
        Ok(if none { Outcome::AllDropped } else { Outcome::Verified })
    }

    fn count_work(&mut self) {
        self.counts.solver_queries = self.explorer.exact.queries;
        self.counts.feasibility_checks = self.explorer.feasibility_checks;
        self.counts.nodes = self.symbolic.graph.node_count() as u64;
        self.counts.assignments = self.explorer.propagator.assignments;
        self.counts.translated = self.symbolic.cache.misses;
        self.counts.cached = self.symbolic.cache.hits;
        let all = std::iter::once(&self.explorer.exact).chain(&self.uncovered).map(Exact::stats);
        for stats in all {
            self.counts.clauses += stats.clauses;
            self.counts.conflicts += stats.conflicts;
            self.counts.certified += stats.certified;
        }
    }

    /// S: all valid states (2.5). False if there is none.
    fn initialise(&mut self) -> Result<bool, End> {
        let s = &mut self.symbolic;
        self.arguments = s.arguments();
        let conditions = s.initial_conditions(self.checked, self.operation, &self.arguments).map_err(End::Stopped)?;
        s.heap.keep();
        s.cache.keep();
        let explorer = &mut self.explorer;
        let graph = &mut s.graph;
        for &condition in &conditions {
            explorer.exact.assert(condition);
            if let Some(uncovered) = &mut self.uncovered {
                uncovered.assert(condition);
            }
        }
        explorer.propagator.spell_out(graph);
        let is_consistent = conditions.iter().all(|&c| explorer.propagator.assert(graph, c));
        self.ground = graph.mark();
        let is_empty = self.find(&[], &[])?.is_none();
        if !is_consistent && !is_empty {
            return Err(End::Rejected("propagation refutes an invariant that has a model".into()));
        }
        if self.options.certify {
            self.certify_facts(Mark::default())?;
        }
        self.symbolic.graph.settle();
        Ok(!is_empty)
    }

    /// One path, checked on all the states that take it.
    fn run(&mut self) -> Result<(), End> {
        let mut executor = Executor::new(&mut self.symbolic, &mut self.explorer, self.isomorphism);
        let run = match executor.operate(self.checked, self.operation, &self.arguments) {
            Ok(run) => run,
            Err(Stop::Infeasible) => return Ok(()),
            Err(Stop::Dropped) => {
                self.counts.dropped += 1;
                return self.count_run();
            }
            // An error, or worth a look, only if a state gets there.
            Err(stop @ (Stop::Unsupported(_) | Stop::Steps(_))) => {
                return match (self.confirm(&[])?, stop) {
                    (None, _) => Ok(()),
                    (Some(assignment), Stop::Steps(_)) => Err(End::Violated(assignment)),
                    (Some(_), stop) => Err(End::Stopped(stop)),
                };
            }
            Err(stop @ (Stop::Interrupted | Stop::Rejected(_))) => return Err(End::Stopped(stop)),
        };
        if let RunEnd::Escaped(_) = run.end {
            let Some(assignment) = self.confirm(&[])? else {
                self.explorer.found_infeasible();
                return Ok(());
            };
            self.counts.states_run += 1;
            return Err(End::Violated(assignment));
        }
        if !self.explorer.confirms(&mut self.symbolic.graph, self.counts.states_run).map_err(End::Stopped)? {
            return Ok(());
        }
        self.counts.dropped += u64::from(matches!(run.end, RunEnd::Final));
        self.count_run()?;
        let conjuncts = self.symbolic.final_conditions(self.checked, self.operation, &run).map_err(End::Stopped)?;
        let open = self.discharge(&conjuncts);
        if self.options.certify {
            self.certify_facts(self.ground)?;
        }
        // The certifying search asks about all of it.
        let asked = if self.options.certify { &conjuncts } else { &open };
        if asked.is_empty() {
            return Ok(());
        }
        self.counts.checks += u64::from(!open.is_empty());
        let negated: Vec<Lit> = asked.iter().map(|c| !c.lit).collect();
        match self.confirm(&negated)? {
            Some(_) if open.is_empty() => Err(End::Rejected("propagation proved what does not hold".into())),
            Some(assignment) => Err(End::Violated(assignment)),
            None => Ok(()),
        }
    }

    fn count_run(&mut self) -> Result<(), End> {
        self.counts.states_run += 1;
        self.options.progress.fetch_add(1, Ordering::Relaxed);
        if let Some(uncovered) = &mut self.uncovered {
            let not_p: Vec<Lit> = self.explorer.decisions().map(|l| !l).collect();
            uncovered.add_clause(&mut self.symbolic.graph, &not_p);
        }
        Ok(())
    }

    /// Proves what can be proved without the exact solver; returns the rest.
    fn discharge(&mut self, conjuncts: &[Conjunct]) -> Vec<Conjunct> {
        if conjuncts.is_empty() {
            return Vec::new();
        }
        let mut prover = Prover::new(&mut self.symbolic.graph, &mut self.explorer.propagator);
        let open = prover.discharge(conjuncts);
        self.counts.by_propagation += prover.by_propagation;
        self.counts.by_elimination += prover.by_elimination;
        open
    }

    fn find(&mut self, path: &[Lit], some: &[Lit]) -> Result<Option<Box<Assignment>>, End> {
        match self.explorer.exact.find(&mut self.symbolic.graph, path, some) {
            Found::Model(assignment) => Ok(Some(assignment)),
            Found::Nothing => Ok(None),
            Found::Unknown => Err(End::Stopped(Stop::Interrupted)),
            Found::Rejected(why) => Err(End::Rejected(why)),
        }
    }

    /// A state of S that takes the path and satisfies one of `some` (if any), with as few objects as can easily be had.
    fn confirm(&mut self, some: &[Lit]) -> Result<Option<Box<Assignment>>, End> {
        let mut path = self.explorer.path().to_vec();
        let Some(mut found) = self.find(&path, some)? else { return Ok(None) };
        const MOST: usize = 200;
        for lit in self.symbolic.presences().into_iter().rev().take(MOST) {
            // Empty already, or emptied if there is still such a state.
            path.push(!lit);
            if !Evaluator::new(&found).lit(&self.symbolic.graph, !lit) {
                match self.find(&path, some)? {
                    Some(smaller) => found = smaller,
                    None => {
                        path.pop();
                    }
                }
            }
        }
        Ok(Some(found))
    }

    /// Everything that propagation set since a mark follows from S and the path.
    fn certify_facts(&mut self, since: Mark) -> Result<(), End> {
        let opposites: Vec<Lit> = self.symbolic.graph.known_since(since).into_iter().map(|l| !l).collect();
        let path = self.explorer.path().to_vec();
        if opposites.is_empty() || self.find(&path, &opposites)?.is_none() {
            return Ok(());
        }
        Err(End::Rejected("propagation derived what does not follow".into()))
    }

    /// Every state of S took one of the paths.
    fn certify_cover(&mut self) -> Result<(), End> {
        let Some(uncovered) = &mut self.uncovered else { return Ok(()) };
        match uncovered.find(&mut self.symbolic.graph, &[], &[]) {
            Found::Nothing => Ok(()),
            Found::Model(_) => Err(End::Rejected("the paths do not cover every state".into())),
            Found::Unknown => Err(End::Stopped(Stop::Interrupted)),
            Found::Rejected(why) => Err(End::Rejected(why)),
        }
    }
}
