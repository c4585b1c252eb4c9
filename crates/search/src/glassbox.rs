//! The glass box search (dissertation, Figure 2.2), by execution. For every path: run the operation, build what must hold
//! afterwards (R), drop what is known, prove the rest by elimination and propagation, and ask the exact solver about what
//! is left.

use crate::exact::{Exact, Found};
use crate::explore::Explorer;
use crate::outcome::{Counts, Options, Outcome};
use formula::{Elimination, Graph, Lit, Node};
use ir::space::Space;
use ir::{Checked, Operation, Program};
use sat::Preset;
use symex::{Conjunct, Executor, RunEnd, Stop, Sym, Symbolic};

pub struct GlassBox<'p> {
    pub symbolic: Symbolic<'p>,
    checked: &'p Checked,
    operation: &'p Operation,
    arguments: Vec<Sym>,
    explorer: Explorer,
    isomorphism: bool,
    pub counts: Counts,
}

/// Something on the way that ends the search.
enum End {
    Violated(Box<formula::Assignment>),
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
        GlassBox {
            symbolic,
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
        match self.initialise() {
            Ok(true) => {}
            Ok(false) => return Outcome::NoState,
            Err(stop) => return Outcome::Stopped(stop),
        }
        loop {
            self.symbolic.reset();
            match self.run() {
                Ok(()) => {}
                Err(End::Violated(assignment)) => {
                    let concrete = self.symbolic.concretize(&assignment, &self.arguments);
                    return Outcome::Violated(Box::new(concrete));
                }
                Err(End::Stopped(stop)) => return Outcome::Stopped(stop),
                Err(End::Rejected(why)) => return Outcome::Rejected(why),
            }
            match self.explorer.backtrack(&mut self.symbolic.graph) {
                Ok(true) => {}
                Ok(false) => break,
                Err(stop) => return Outcome::Stopped(stop),
            }
        }
        self.count_solver();
        if self.counts.states_run == self.counts.dropped { Outcome::AllDropped } else { Outcome::Verified }
    }

    fn count_solver(&mut self) {
        self.counts.solver_queries = self.explorer.exact.queries;
        self.counts.feasibility_checks = self.explorer.feasibility_checks;
        self.counts.nodes = self.symbolic.graph.node_count() as u64;
        self.counts.assignments = self.explorer.propagator.assignments;
        self.counts.translated = self.symbolic.cache.misses;
        self.counts.cached = self.symbolic.cache.hits;
        let stats = self.explorer.exact.stats();
        self.counts.clauses = stats.clauses;
        self.counts.conflicts = stats.conflicts;
        self.counts.certified = stats.certified;
    }

    /// S: all valid states (2.5). False if there is none.
    fn initialise(&mut self) -> Result<bool, Stop> {
        let s = &mut self.symbolic;
        self.arguments = s.arguments();
        let conditions = s.initial_conditions(self.checked, self.operation, &self.arguments)?;
        s.heap.keep();
        s.cache.keep();
        let explorer = &mut self.explorer;
        let graph = &mut s.graph;
        // Small sums are spelled out as thresholds: propagation sees through them.
        for index in 0..graph.node_count() as u32 {
            let id = formula::NodeId(index);
            if let Some(definition) = graph.unary_definition(graph.node(id)) {
                let same = graph.iff(Lit::new(id, true), definition);
                explorer.propagator.assert(graph, same);
            }
        }
        for &condition in &conditions {
            explorer.exact.assert(condition);
            if !explorer.propagator.assert(graph, condition) {
                return Ok(false);
            }
        }
        graph.settle();
        match explorer.exact.find(graph, &[], &[]) {
            Found::Model(_) => Ok(true),
            Found::Nothing(_) => Ok(false),
            Found::Unknown | Found::Rejected(_) => Err(Stop::Interrupted),
        }
    }

    /// One path, checked on all the states that take it.
    fn run(&mut self) -> Result<(), End> {
        let mut executor = Executor::new(&mut self.symbolic, &mut self.explorer, self.isomorphism);
        let run = match executor.operate(self.checked, self.operation, &self.arguments) {
            Ok(run) => run,
            Err(Stop::Infeasible) => return Ok(()),
            Err(Stop::Dropped) => {
                self.counts.states_run += 1;
                self.counts.dropped += 1;
                return Ok(());
            }
            // An error only if a state gets there.
            Err(stop @ (Stop::Unsupported(_) | Stop::Steps(_))) => {
                return match self.confirm(&[])? {
                    Some(_) => Err(End::Stopped(stop)),
                    None => Ok(()),
                };
            }
            Err(Stop::Interrupted) => return Err(End::Stopped(Stop::Interrupted)),
        };
        match run.end {
            RunEnd::Escaped(_) => match self.confirm(&[])? {
                Some(assignment) => {
                    self.counts.states_run += 1;
                    return Err(End::Violated(assignment));
                }
                None => {
                    self.explorer.found_infeasible();
                    return Ok(());
                }
            },
            RunEnd::Final | RunEnd::Returned(_) | RunEnd::Threw(_) => {
                if !self.explorer.confirms(&mut self.symbolic.graph, self.counts.states_run).map_err(End::Stopped)? {
                    return Ok(());
                }
            }
        }
        self.counts.states_run += 1;
        self.counts.dropped += u64::from(matches!(run.end, RunEnd::Final));
        let conjuncts =
            self.symbolic.final_conditions(self.checked, self.operation, &run).map_err(End::Stopped)?;
        let open = self.discharge(conjuncts);
        if open.is_empty() {
            return Ok(());
        }
        self.counts.checks += 1;
        let negated: Vec<Lit> = open.iter().map(|c| !c.lit).collect();
        match self.confirm(&negated)? {
            Some(assignment) => {
                Err(End::Violated(assignment))
            }
            None => Ok(()),
        }
    }

    /// A state of S that takes the path and satisfies one of `some` (if any).
    fn confirm(&mut self, some: &[Lit]) -> Result<Option<Box<formula::Assignment>>, End> {
        let path = self.explorer.path().to_vec();
        match self.explorer.exact.find(&mut self.symbolic.graph, &path, some) {
            Found::Model(assignment) => Ok(Some(assignment)),
            Found::Nothing(_) => Ok(None),
            Found::Unknown => Err(End::Stopped(Stop::Interrupted)),
            Found::Rejected(why) => Err(End::Rejected(why)),
        }
    }

    /// Proves what can be proved without the exact solver; returns the rest.
    fn discharge(&mut self, conjuncts: Vec<Conjunct>) -> Vec<Conjunct> {
        let mut facts: Option<Elimination> = None;
        let mut open = Vec::new();
        let mut left = conjuncts;
        left.reverse();
        while let Some(conjunct) = left.pop() {
            if self.symbolic.graph.value(conjunct.lit) == Some(true) {
                continue;
            }
            let facts = facts.get_or_insert_with(|| self.equations());
            if self.follows(conjunct.lit, facts) {
                continue;
            }
            // Once more, spelled out as thresholds.
            let graph = &mut self.symbolic.graph;
            match graph.unary_comparison(graph.node(conjunct.lit.node())) {
                Some(rows) if !conjunct.lit.is_negated() => {
                    let parts = graph.conjuncts(rows);
                    left.extend(parts.into_iter().map(|lit| Conjunct { lit, of: conjunct.of }));
                }
                _ => open.push(conjunct),
            }
        }
        open
    }

    /// The equations known on this path, with what is known put in.
    fn equations(&self) -> Elimination {
        let graph = &self.symbolic.graph;
        let mut facts = Elimination::default();
        for &linear in self.explorer.propagator.equations() {
            if let Some(resolved) = graph.resolve_linear(graph.linear(linear)) {
                facts.assume(&resolved);
            }
        }
        facts
    }

    /// Whether a literal follows on this path: its conjuncts one by one, a disjunction by assuming the opposite of one side.
    fn follows(&mut self, lit: Lit, facts: &Elimination) -> bool {
        let mut budget = 2_000;
        self.prove(lit, facts, &mut budget)
    }

    fn prove(&mut self, lit: Lit, facts: &Elimination, budget: &mut u32) -> bool {
        let graph = &mut self.symbolic.graph;
        match graph.value(lit) {
            Some(true) => return true,
            Some(false) => return false,
            None => {}
        }
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        match (graph.node(lit.node()), lit.is_negated()) {
            (Node::And(a, b), false) => self.prove(a, facts, budget) && self.prove(b, facts, budget),
            (Node::And(a, b), true) => {
                if let Some((c, x, y)) = graph.as_conditional(a, b) {
                    return self.prove_under(c, x, facts, budget) && self.prove_under(!c, y, facts, budget);
                }
                // not a or not b: assume the one, prove the opposite of the other; a conjunction is better proved.
                let is_goal = |l: Lit| matches!(graph.node(l.node()), Node::And(..)) && l.is_negated();
                let (first, second) = if is_goal(a) { (b, a) } else { (a, b) };
                let both_ways = is_goal(first);
                self.prove_under(first, !second, facts, budget)
                    || both_ways && self.prove_under(second, !first, facts, budget)
            }
            _ => self.refute(lit, facts),
        }
    }

    fn prove_under(&mut self, hypothesis: Lit, goal: Lit, facts: &Elimination, budget: &mut u32) -> bool {
        let graph = &mut self.symbolic.graph;
        let level = self.explorer.propagator.level(graph);
        let proved = !self.explorer.propagator.assert(graph, hypothesis) || self.prove(goal, facts, budget);
        self.explorer.propagator.undo_to(&mut self.symbolic.graph, level);
        proved
    }

    /// Whether the opposite leads to a conflict: by elimination, by propagation, or by both.
    fn refute(&mut self, lit: Lit, facts: &Elimination) -> bool {
        let graph = &mut self.symbolic.graph;
        if eliminates(graph, facts, lit) {
            self.counts.by_elimination += 1;
            return true;
        }
        let propagator = &mut self.explorer.propagator;
        let level = propagator.level(graph);
        let mut refuted = !propagator.assert(graph, !lit);
        if !refuted {
            refuted = propagator.inequations_since(level).iter().any(|&(linear, _)| {
                graph.resolve_linear(graph.linear(linear)).is_some_and(|l| facts.decide(&l) == Some(true))
            });
        }
        propagator.undo_to(graph, level);
        self.counts.by_propagation += u64::from(refuted);
        refuted
    }
}

/// Whether a comparison follows from the equations known on the path.
fn eliminates(graph: &Graph, facts: &Elimination, lit: Lit) -> bool {
    let is_negated = lit.is_negated();
    let at_most_zero = match graph.node(lit.node()) {
        Node::LinearEq(linear) => {
            let resolved = graph.resolve_linear(graph.linear(linear));
            return resolved.and_then(|l| facts.decide(&l)) == Some(!is_negated);
        }
        Node::LinearLe(linear) => graph.resolve_linear(graph.linear(linear)),
        Node::AtMost(term, most) => graph.linear_of(term).and_then(|mut l| {
            l.constant = l.constant.checked_sub(most)?;
            Some(l)
        }),
        _ => None,
    };
    // not (l <= 0)  iff  -l + 1 <= 0
    let at_most_zero = at_most_zero.and_then(|l| {
        if !is_negated {
            return Some(l);
        }
        let mut opposite = l.scale(-1)?;
        opposite.constant = opposite.constant.checked_add(1)?;
        Some(opposite)
    });
    at_most_zero.and_then(|l| facts.reduce(&l)).is_some_and(|l| graph.linear_bounds(&l).1 <= 0)
}
