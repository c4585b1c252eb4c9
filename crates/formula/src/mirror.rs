//! A copy of a graph on another thread: it starts as a clone, then takes over what the original got since, as far as it is
//! asked about. Both may go on to add nodes of their own, so what is new has another number in each.

use crate::evaluate::{Assignment, Evaluator};
use crate::graph::{Graph, Lit, Node, NodeId};
use crate::linear::{Linear, LinearId};
use crate::term::{Term, TermId};
use rustc_hash::FxHashMap;

/// How much a graph holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    nodes: usize,
    terms: usize,
    linears: usize,
}

/// What a graph got since it had an extent.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    nodes: Vec<(Node, Option<(TermId, u32)>)>,
    terms: Vec<(Term, (i64, i64))>,
    linears: Vec<Linear>,
}

impl Graph {
    pub fn extent(&self) -> Extent {
        Extent { nodes: self.node_count(), terms: self.term_count(), linears: self.linears.len() }
    }

    pub fn growth(&self, since: Extent) -> Growth {
        let nodes = since.nodes as u32..self.node_count() as u32;
        let terms = since.terms as u32..self.term_count() as u32;
        Growth {
            nodes: nodes.map(|id| (self.node(NodeId(id)), self.bit_of.get(&NodeId(id)).copied())).collect(),
            terms: terms.map(|id| (self.term(TermId(id)), self.interval(TermId(id)))).collect(),
            linears: self.linears[since.linears..].to_vec(),
        }
    }
}

pub struct Mirror {
    pub graph: Graph,
    /// What was cloned: the same in both.
    shared: Extent,
    /// What the original got since.
    growth: Growth,
    lits: FxHashMap<NodeId, Lit>,
    ints: FxHashMap<TermId, TermId>,
    /// Variables that the original made later, with their twins here.
    bool_vars: Vec<(NodeId, Lit)>,
    int_vars: Vec<(TermId, TermId)>,
}

impl Mirror {
    pub fn new(graph: Graph) -> Mirror {
        Mirror {
            shared: graph.extent(),
            graph,
            growth: Growth::default(),
            lits: FxHashMap::default(),
            ints: FxHashMap::default(),
            bool_vars: Vec::new(),
            int_vars: Vec::new(),
        }
    }

    pub fn grow(&mut self, growth: Growth) {
        self.growth.nodes.extend(growth.nodes);
        self.growth.terms.extend(growth.terms);
        self.growth.linears.extend(growth.linears);
    }

    /// The twin of a literal of the original. None if a number in it is too large, which the original's never are.
    pub fn lit(&mut self, lit: Lit) -> Option<Lit> {
        let id = lit.node();
        if id.index() < self.shared.nodes {
            return Some(lit);
        }
        let twin = match self.lits.get(&id) {
            Some(&twin) => twin,
            None => {
                let twin = self.import_node(id)?;
                self.lits.insert(id, twin);
                twin
            }
        };
        Some(twin.flip(lit.is_negated()))
    }

    fn import_node(&mut self, id: NodeId) -> Option<Lit> {
        let (node, bit_of) = *self.growth.nodes.get(id.index() - self.shared.nodes)?;
        Some(match node {
            Node::True => Lit::TRUE,
            Node::Var => match bit_of {
                Some((term, bit)) => {
                    let term = self.term(term)?;
                    *self.graph.blank(|g| g.bits(term)).get(bit as usize)?
                }
                None => {
                    let twin = self.graph.var();
                    self.bool_vars.push((id, twin));
                    twin
                }
            },
            Node::And(a, b) => {
                let (a, b) = (self.lit(a)?, self.lit(b)?);
                self.graph.and(a, b)
            }
            Node::AtMost(term, most) => {
                let term = self.term(term)?;
                self.graph.at_most(term, most)
            }
            Node::Difference(d) => {
                let (x, y) = (self.term(d.x)?, self.term(d.y)?);
                self.graph.difference(x, y, d.most)
            }
            Node::LinearLe(linear) => {
                let linear = self.linear(linear)?;
                self.graph.at_most_zero(linear)
            }
            Node::LinearEq(linear) => {
                let linear = self.linear(linear)?;
                self.graph.equals_zero(linear)
            }
        })
    }

    fn term(&mut self, id: TermId) -> Option<TermId> {
        if id.index() < self.shared.terms {
            return Some(id);
        }
        if let Some(&twin) = self.ints.get(&id) {
            return Some(twin);
        }
        let (term, (lo, hi)) = *self.growth.terms.get(id.index() - self.shared.terms)?;
        let twin = match term {
            Term::Const(value) => self.graph.constant(value),
            Term::Var(_) => {
                let twin = self.graph.int_var(lo, hi);
                self.int_vars.push((id, twin));
                twin
            }
            Term::Ite(c, a, b) => {
                let (c, a, b) = (self.lit(c)?, self.term(a)?, self.term(b)?);
                self.graph.int_ite(c, a, b)
            }
            Term::Sum(linear) => {
                let linear = self.linear(linear)?;
                self.graph.term_of_linear(linear)?
            }
            Term::Op(op, ty, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.graph.int_op(op, ty, a, b)
            }
            Term::Wrap(ty, a) => {
                let a = self.term(a)?;
                self.graph.wrap(ty, a)
            }
        };
        self.ints.insert(id, twin);
        Some(twin)
    }

    fn linear(&mut self, id: LinearId) -> Option<Linear> {
        let index = id.0 as usize;
        let original = match index.checked_sub(self.shared.linears) {
            None => return Some(self.graph.linear(id).clone()),
            Some(index) => self.growth.linears.get(index)?.clone(),
        };
        let mut twin = Linear { constant: original.constant, terms: Vec::new() };
        for (term, coefficient) in original.terms {
            let term = self.term(term)?;
            let form = self.graph.linear_of(term)?;
            // Mostly one variable behind the others.
            match form.terms[..] {
                [(t, c)] if form.constant == 0 && twin.terms.last().is_none_or(|(last, _)| *last < t) => {
                    twin.terms.push((t, c.checked_mul(coefficient)?));
                }
                _ => twin = twin.plus(&form, coefficient)?,
            }
        }
        Some(twin)
    }

    /// An assignment of the mirror, for the original.
    pub fn reflect(&self, assignment: &Assignment) -> Assignment {
        let mut evaluator = Evaluator::new(assignment);
        let mut reflected = Assignment::default();
        for index in 0..self.shared.nodes as u32 {
            let id = NodeId(index);
            if let Node::Var = self.graph.node(id) {
                reflected.bools.insert(id, evaluator.lit(&self.graph, Lit::new(id, true)));
            }
        }
        for &(id, twin) in &self.bool_vars {
            reflected.bools.insert(id, evaluator.lit(&self.graph, twin));
        }
        for index in 0..self.shared.terms as u32 {
            let id = TermId(index);
            if let Term::Var(_) = self.graph.term(id) {
                reflected.ints.insert(id, evaluator.term(&self.graph, id));
            }
        }
        for &(id, twin) in &self.int_vars {
            reflected.ints.insert(id, evaluator.term(&self.graph, twin));
        }
        // A number may be written out in bits there and not here.
        for (index, (_, bit_of)) in self.growth.nodes.iter().enumerate() {
            if let Some((term, bit)) = bit_of
                && let Some(value) = reflected.ints.get(term)
            {
                let id = NodeId((self.shared.nodes + index) as u32);
                reflected.bools.insert(id, value >> (*bit).min(63) & 1 == 1);
            }
        }
        reflected
    }
}
