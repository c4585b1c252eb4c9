//! Evaluation of formulas and terms under an assignment of the free variables: the other way back from a model, and the
//! independent reading of what the constructors built.

use crate::graph::{Graph, Lit, Node, NodeId};
use crate::linear::Linear;
use crate::term::{Term, TermId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Values of free variables. Those not mentioned are false, or the value of their range nearest to zero.
#[derive(Clone, Default, Debug)]
pub struct Assignment {
    pub bools: FxHashMap<NodeId, bool>,
    /// Where there is none, the bits of a variable decide, if any of them is mentioned.
    pub ints: FxHashMap<TermId, i64>,
}

/// Evaluates under one assignment, remembering what it computed.
pub struct Evaluator<'a> {
    assignment: Cow<'a, Assignment>,
    /// By node: 0 unknown, 1 false, 2 true.
    bools: Vec<u8>,
    ints: Vec<Option<i64>>,
}

impl<'a> Evaluator<'a> {
    pub fn new(assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { assignment: Cow::Borrowed(assignment), bools: Vec::new(), ints: Vec::new() }
    }

    /// For as long as one likes.
    pub fn owning(assignment: Assignment) -> Evaluator<'static> {
        Evaluator { assignment: Cow::Owned(assignment), bools: Vec::new(), ints: Vec::new() }
    }

    pub fn lit(&mut self, graph: &Graph, lit: Lit) -> bool {
        let id = lit.node();
        // The graph may have grown since.
        if self.bools.len() <= id.index() {
            self.bools.resize(graph.node_count(), 0);
        }
        let value = match self.bools[id.index()] {
            0 => {
                let value = match graph.node(id) {
                    Node::True => true,
                    Node::Var => self.assignment.bools.get(&id).copied().unwrap_or(false),
                    Node::And(a, b) => self.lit(graph, a) && self.lit(graph, b),
                    Node::AtMost(term, most) => self.term(graph, term) <= most,
                    Node::Difference(d) => {
                        i128::from(self.term(graph, d.x)) - i128::from(self.term(graph, d.y)) <= d.most.into()
                    }
                    Node::LinearLe(linear) => self.linear(graph, graph.linear(linear)) <= 0,
                    Node::LinearEq(linear) => self.linear(graph, graph.linear(linear)) == 0,
                };
                self.bools[id.index()] = 1 + u8::from(value);
                value
            }
            known => known == 2,
        };
        value ^ lit.is_negated()
    }

    fn linear(&mut self, graph: &Graph, linear: &Linear) -> i128 {
        linear
            .terms
            .iter()
            .fold(linear.constant.into(), |sum, &(term, c)| sum + i128::from(self.term(graph, term)) * i128::from(c))
    }

    pub fn term(&mut self, graph: &Graph, term: TermId) -> i64 {
        if self.ints.len() <= term.index() {
            self.ints.resize(graph.term_count(), None);
        }
        if let Some(value) = self.ints[term.index()] {
            return value;
        }
        let value = match graph.term(term) {
            Term::Const(value) => value,
            Term::Var(_) => {
                let (lo, hi) = graph.interval(term);
                // Bits that it got after the assignment was found say nothing.
                let bits = graph.variable_bits(term).map(<[Lit]>::to_vec);
                let bits = bits.filter(|bits| bits.iter().any(|b| self.assignment.bools.contains_key(&b.node())));
                match (self.assignment.ints.get(&term), bits) {
                    (Some(&value), _) => value,
                    (None, Some(bits)) => {
                        let sign = bits.last().is_some_and(|&b| self.lit(graph, b));
                        let mut value: i128 = if sign { -1 } else { 0 };
                        for (i, bit) in bits.into_iter().enumerate() {
                            let mask = 1i128 << i;
                            value = if self.lit(graph, bit) { value | mask } else { value & !mask };
                        }
                        value as i64
                    }
                    (None, None) => 0i64.clamp(lo, hi),
                }
            }
            Term::Ite(c, a, b) => {
                if self.lit(graph, c) {
                    self.term(graph, a)
                } else {
                    self.term(graph, b)
                }
            }
            Term::Sum(id) => self.linear(graph, graph.linear(id)) as i64,
            Term::Op(op, ty, a, b) => op.apply(ty, self.term(graph, a), self.term(graph, b)),
            Term::Wrap(ty, a) => ty.wrap(self.term(graph, a).into()),
        };
        self.ints[term.index()] = Some(value);
        value
    }
}
