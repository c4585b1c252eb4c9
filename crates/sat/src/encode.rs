//! Clauses from formulas (Tseitin), each node once per solver, and the way back from a model to an assignment.
//!
//! Kept: the clauses of a node are satisfiable by every assignment of the free variables within their ranges, and force
//! its literal to the node's value. Comparisons are encoded by their [definition](Graph::definition) in bits.

use crate::solver::{SatLit, Solver};
use formula::{Assignment, Graph, Lit, Node, NodeId};

#[derive(Default)]
pub struct Encoding {
    /// By node.
    literals: Vec<Option<SatLit>>,
    variables: Vec<(NodeId, SatLit)>,
}

impl Encoding {
    /// The solver's literal for a formula; adds the clauses that define it.
    pub fn lit(&mut self, graph: &mut Graph, solver: &mut dyn Solver, lit: Lit) -> SatLit {
        let node = self.node(graph, solver, lit.node());
        loop {
            let conditions = graph.take_range_conditions();
            if conditions.is_empty() {
                break;
            }
            for condition in conditions {
                let condition = self.node(graph, solver, condition.node()).flip(condition.is_negated());
                solver.add_clause(&[condition]);
            }
        }
        node.flip(lit.is_negated())
    }

    fn node(&mut self, graph: &mut Graph, solver: &mut dyn Solver, root: NodeId) -> SatLit {
        if self.literals.len() < graph.node_count() {
            self.literals.resize(graph.node_count(), None);
        }
        // An explicit stack: chains of conjunctions are as long as the lists they speak of.
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.get(id).is_some() {
                stack.pop();
                continue;
            }
            let encoded = match graph.node(id) {
                Node::True => {
                    let lit = solver.new_var();
                    solver.add_clause(&[lit]);
                    lit
                }
                Node::Var => {
                    let lit = solver.new_var();
                    self.variables.push((id, lit));
                    lit
                }
                Node::And(a, b) => {
                    let (Some(x), Some(y)) = (self.get(a.node()), self.get(b.node())) else {
                        stack.extend([a.node(), b.node()]);
                        continue;
                    };
                    let (x, y) = (x.flip(a.is_negated()), y.flip(b.is_negated()));
                    let lit = solver.new_var();
                    solver.add_clause(&[!lit, x]);
                    solver.add_clause(&[!lit, y]);
                    solver.add_clause(&[lit, !x, !y]);
                    lit
                }
                _ => {
                    let definition = graph.definition(id);
                    if self.literals.len() < graph.node_count() {
                        self.literals.resize(graph.node_count(), None);
                    }
                    match self.get(definition.node()) {
                        Some(lit) => lit.flip(definition.is_negated()),
                        None => {
                            stack.push(definition.node());
                            continue;
                        }
                    }
                }
            };
            self.literals[id.index()] = Some(encoded);
            stack.pop();
        }
        match self.get(root) {
            Some(lit) => lit,
            None => solver.new_var(),
        }
    }

    fn get(&self, id: NodeId) -> Option<SatLit> {
        self.literals.get(id.index()).copied().flatten()
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
