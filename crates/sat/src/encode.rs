//! Clauses from formulas (Tseitin), on demand, and the way back from a model to an assignment.
//!
//! A node gets a literal when it is first mentioned; the clauses that define it come only when a model gives it a value
//! that evaluation does not confirm. Most of a large invariant speaks of objects that are absent from the states in
//! question, and is never written out.
//!
//! Kept: every clause is a definition of a node (or of a variable's range), so an "unsatisfiable" with some of the
//! definitions is one with all of them; and [`Encoding::check`] accepts a model only if the formulas evaluate to what
//! they must be. Once a limit is reached nothing more is written out: bits of many products and quotients would take all memory
//! before the solver is asked again, and it answers no more.

use crate::order::{AtMost, place};
use crate::solver::{SatLit, Solver};
use formula::{Assignment, Evaluator, Graph, LinearId, Lit, Node, NodeId, Term, TermId};

#[derive(Default)]
pub struct Encoding {
    /// By node.
    literals: Vec<Option<SatLit>>,
    is_defined: Vec<bool>,
    variables: Vec<(NodeId, SatLit)>,
    /// How many of the graph's range conditions the solver has.
    ranges: usize,
}

/// What evaluation says of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    Holds,
    /// It got round definitions, which the solver has now.
    Refined,
    /// It gets round definitions that are not wanted, and round no others.
    Free,
    /// It satisfies all definitions and not the formulas: our bug.
    Broken,
}

/// What keeps a model from being one.
struct Missing {
    /// Nodes whose definition it ignores, of those that are wanted.
    nodes: Vec<NodeId>,
    /// Whether it ignores others.
    is_free: bool,
    roots_hold: bool,
}

impl Encoding {
    /// The solver's literal for a formula.
    pub fn lit(&mut self, graph: &Graph, solver: &mut dyn Solver, lit: Lit) -> SatLit {
        self.name(graph, solver, lit.node()).flip(lit.is_negated())
    }

    fn name(&mut self, graph: &Graph, solver: &mut dyn Solver, id: NodeId) -> SatLit {
        if self.literals.len() < graph.node_count() {
            self.literals.resize(graph.node_count(), None);
            self.is_defined.resize(graph.node_count(), false);
        }
        if let Some(lit) = self.literals[id.index()] {
            return lit;
        }
        let lit = solver.new_var();
        self.literals[id.index()] = Some(lit);
        match graph.node(id) {
            Node::True => {
                solver.add_clause(&[lit]);
                self.is_defined[id.index()] = true;
            }
            Node::Var => {
                self.variables.push((id, lit));
                self.is_defined[id.index()] = true;
            }
            _ => {}
        }
        lit
    }

    /// Adds the clauses that define a node, and the conjunctions directly below it.
    fn define(&mut self, graph: &mut Graph, solver: &mut dyn Solver, id: NodeId, levels: u32) {
        let lit = self.name(graph, solver, id);
        if self.is_defined[id.index()] {
            return;
        }
        self.is_defined[id.index()] = true;
        match graph.node(id) {
            Node::And(a, b) => {
                let (x, y) = (self.lit(graph, solver, a), self.lit(graph, solver, b));
                solver.add_clause(&[!lit, x]);
                solver.add_clause(&[!lit, y]);
                solver.add_clause(&[lit, !x, !y]);
                for operand in [a, b] {
                    let is_wanted = match graph.node(operand.node()) {
                        Node::And(..) => levels > 0,
                        // The bits are there: without its definition, it would only disagree with them.
                        Node::AtMost(term, _) => graph.is_blasted(term),
                        Node::Difference(d) => graph.is_blasted(d.x) && graph.is_blasted(d.y),
                        _ => false,
                    };
                    if is_wanted {
                        self.define(graph, solver, operand.node(), levels.saturating_sub(1));
                    }
                }
            }
            _ if solver.is_over() => {}
            _ => {
                let definition = graph.definition(id);
                let other = self.lit(graph, solver, definition);
                solver.add_clause(&[!lit, other]);
                solver.add_clause(&[lit, !other]);
                self.define_whole(graph, solver, definition.node());
            }
        }
    }

    /// Adds the definitions of all conjunctions in these formulas, and of the comparisons in them unless sums are compared.
    pub fn define_cones(&mut self, graph: &mut Graph, solver: &mut dyn Solver, roots: &[Lit]) {
        const MOST: usize = 100_000;
        let mut stack: Vec<NodeId> = roots.iter().map(|root| root.node()).collect();
        let (mut seen, mut comparisons) = (rustc_hash::FxHashSet::default(), Vec::new());
        while let Some(id) = stack.pop() {
            if seen.len() >= MOST || !seen.insert(id) {
                continue;
            }
            match graph.node(id) {
                Node::And(a, b) => {
                    self.define(graph, solver, id, 0);
                    stack.extend([a.node(), b.node()]);
                }
                Node::AtMost(..) | Node::Difference(_) => comparisons.push(id),
                Node::LinearLe(_) | Node::LinearEq(_) | Node::Var | Node::True => {}
            }
        }
        for id in comparisons {
            self.define(graph, solver, id, 0);
        }
        self.add_ranges(graph, solver);
    }

    /// Asserts the ranges of variables that got bits since the last call, through whichever solver.
    pub fn add_ranges(&mut self, graph: &mut Graph, solver: &mut dyn Solver) {
        while let Some(&condition) = graph.range_conditions().get(self.ranges) {
            self.ranges += 1;
            let unit = self.lit(graph, solver, condition);
            solver.add_clause(&[unit]);
            self.define_whole(graph, solver, condition.node());
        }
    }

    /// Bits are of no use by halves.
    fn define_whole(&mut self, graph: &mut Graph, solver: &mut dyn Solver, root: NodeId) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            self.name(graph, solver, id);
            if !self.is_defined[id.index()] {
                self.define(graph, solver, id, 0);
                if let Node::And(a, b) = graph.node(id) {
                    stack.extend([a.node(), b.node()]);
                }
            }
        }
    }

    /// Whether the solver's model, evaluated, makes all of `roots` true. Definitions that it got round are added, so many levels
    /// at once; then the solver has to be asked again.
    ///
    /// An equation with a variable that the solver does not know is solved for it first: a `size` follows from what it
    /// counts, and needs no bits.
    ///
    /// Nodes whose definitions are not wanted are left free, with all that is in them.
    pub fn check(
        &mut self,
        graph: &mut Graph,
        solver: &mut dyn Solver,
        assignment: &mut Assignment,
        roots: &[Lit],
        levels: u32,
        is_wanted: &dyn Fn(&Graph, NodeId) -> bool,
    ) -> Check {
        self.place_numbers(graph, solver, assignment, roots);
        let mut solved = rustc_hash::FxHashSet::default();
        let missing = loop {
            match self.ignored(graph, solver, assignment, roots, &mut solved, is_wanted) {
                Ok(missing) => break missing,
                Err((variable, value)) => assignment.ints.insert(variable, value),
            };
        };
        if missing.nodes.is_empty() {
            return match missing.roots_hold {
                true => Check::Holds,
                false if missing.is_free => Check::Free,
                // What is missing was not written out.
                false if solver.is_over() => Check::Refined,
                false => Check::Broken,
            };
        }
        for id in missing.nodes {
            self.define(graph, solver, id, levels);
        }
        self.add_ranges(graph, solver);
        Check::Refined
    }

    /// Gives numbers without bits values that agree with the comparisons the model relies on, if there are such values.
    fn place_numbers(&self, graph: &Graph, solver: &dyn Solver, assignment: &mut Assignment, roots: &[Lit]) {
        let mut evaluator = Evaluator::new(assignment);
        let mut constraints: Vec<AtMost<TermId>> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<Lit> = roots.to_vec();
        while let Some(lit) = stack.pop() {
            let id = lit.node();
            if !seen.insert(lit) {
                continue;
            }
            let (x, y, most) = match graph.node(id) {
                Node::And(..) if !self.is_defined.get(id.index()).is_some_and(|&d| d) => continue,
                Node::And(a, b) if lit.is_negated() => {
                    stack.push(self.false_operand(solver, a, b));
                    continue;
                }
                Node::And(a, b) => {
                    stack.extend([a, b]);
                    continue;
                }
                Node::AtMost(term, most) if matches!(graph.term(term), Term::Var(_)) => (term, None, most),
                Node::Difference(d) => (d.x, Some(d.y), d.most),
                _ => continue,
            };
            // What has bits has its value already.
            let mut most = i128::from(most);
            let mut free = |term: TermId, sign: i128| {
                if !graph.is_blasted(term) {
                    return Some(term);
                }
                most -= sign * i128::from(evaluator.term(graph, term));
                None
            };
            let (x, y) = (free(x, 1), y.and_then(|y| free(y, -1)));
            // not (x - y <= c)  iff  y - x <= -c-1
            let (x, y, most) = if lit.is_negated() { (y, x, -most - 1) } else { (x, y, most) };
            if let (true, Ok(most)) = (x.is_some() || y.is_some(), i64::try_from(most)) {
                constraints.push(AtMost { x, y, most });
            }
        }
        let values = place(&constraints, |term| graph.interval(term));
        assignment.ints.extend(values.into_iter().flatten());
    }

    /// The negation of the operand that makes a conjunction false for the solver.
    fn false_operand(&self, solver: &dyn Solver, a: Lit, b: Lit) -> Lit {
        let literal = self.literals.get(a.node().index()).copied().flatten();
        let is_false = literal.and_then(|s| solver.value(s.flip(a.is_negated()))) == Some(false);
        if is_false { !a } else { !b }
    }

    /// Nodes whose definition the model ignores; or a variable that should have another value.
    fn ignored(
        &self,
        graph: &mut Graph,
        solver: &dyn Solver,
        assignment: &Assignment,
        roots: &[Lit],
        solved: &mut rustc_hash::FxHashSet<TermId>,
        is_wanted: &dyn Fn(&Graph, NodeId) -> bool,
    ) -> Result<Missing, (TermId, i64)> {
        let mut evaluator = Evaluator::new(assignment);
        let mut missing: Vec<NodeId> = Vec::new();
        let mut is_free = false;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<Lit> = roots.to_vec();
        // Each literal on the stack is true for the solver.
        while let Some(lit) = stack.pop() {
            if evaluator.lit(graph, lit) || !seen.insert(lit) {
                continue;
            }
            let id = lit.node();
            if !self.is_defined.get(id.index()).is_some_and(|&d| d) {
                if let (Node::LinearEq(linear), false) = (graph.node(id), lit.is_negated())
                    && let Some((variable, value)) = solve_for(graph, &mut evaluator, linear)
                    && solved.insert(variable)
                {
                    return Err((variable, value));
                }
                if is_wanted(graph, id) {
                    missing.push(id);
                } else {
                    is_free = true;
                }
                continue;
            }
            match graph.node(id) {
                Node::And(a, b) if !lit.is_negated() => stack.extend([a, b]),
                // False for the solver, so one operand is; evaluation says that both are true.
                Node::And(a, b) => stack.push(self.false_operand(solver, a, b)),
                Node::True | Node::Var => {}
                _ => {
                    let definition = graph.definition(id);
                    stack.push(definition.flip(lit.is_negated()));
                }
            }
        }
        Ok(Missing { is_free, roots_hold: roots.iter().all(|&root| evaluator.lit(graph, root)), nodes: missing })
    }

    /// The values of the free variables in the solver's model.
    pub fn decode(&self, solver: &dyn Solver) -> Assignment {
        let mut assignment = Assignment::default();
        for &(id, lit) in &self.variables {
            if let Some(value) = solver.value(lit) {
                assignment.bools.insert(id, value);
            }
        }
        assignment
    }
}

/// A variable of the equation that has no bits, and the value that makes the equation true.
fn solve_for(graph: &Graph, evaluator: &mut Evaluator<'_>, linear: LinearId) -> Option<(TermId, i64)> {
    let linear = graph.linear(linear);
    let is_free = |t: TermId| matches!(graph.term(t), Term::Var(_)) && !graph.is_blasted(t);
    let &(variable, coefficient) = linear.terms.iter().find(|(t, c)| c.abs() == 1 && is_free(*t))?;
    let rest =
        linear.terms.iter().filter(|(t, _)| *t != variable).fold(i128::from(linear.constant), |sum, &(t, c)| {
            sum + i128::from(evaluator.term(graph, t)) * i128::from(c)
        });
    let value = i64::try_from(-rest * i128::from(coefficient)).ok()?;
    let (lo, hi) = graph.interval(variable);
    (lo <= value && value <= hi).then_some((variable, value))
}
