//! The Boolean graph: an and-inverter graph with structural hashing (docs/engine.md, "The formula graph"), whose leaves are free variables
//! and comparisons of integer terms.
//!
//! Kept by every constructor: the result is equivalent to the operation on its operands *given what is known*
//! ([`crate::knowledge`]); with nothing known it is equivalent outright. Two calls with the same operands and the same
//! knowledge give the same literal.

use crate::knowledge::{Difference, Knowledge};
use crate::linear::{Linear, LinearId};
use crate::term::{TermId, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Not;

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    pub const TRUE: Lit = Lit(0);
    pub const FALSE: Lit = Lit(1);

    #[inline]
    pub fn new(node: NodeId, value: bool) -> Lit {
        Lit(node.0 << 1 | u32::from(!value))
    }

    #[inline]
    pub fn node(self) -> NodeId {
        NodeId(self.0 >> 1)
    }

    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Negated if `flip`.
    #[inline]
    pub fn flip(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
    }

    /// A number that tells literals apart, for keys of caches.
    pub fn code(self) -> u32 {
        self.0
    }

    pub fn of_code(code: u32) -> Lit {
        Lit(code)
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    True,
    /// A free Boolean variable.
    Var,
    And(Lit, Lit),
    /// term <= constant
    AtMost(TermId, i64),
    /// x - y <= c, for two variables (docs/engine.md, "Keys as an order").
    Difference(Difference),
    /// A linear form <= 0.
    LinearLe(LinearId),
    /// A linear form = 0.
    LinearEq(LinearId),
}

/// A conjunction, as one of its operands sees it.
#[derive(Clone, Copy, Debug)]
pub struct Parent {
    /// Negated if the operand stands in it negated.
    pub gate: Lit,
    /// The other operand.
    pub other: Lit,
}

/// Nodes, terms and what is known of them.
#[derive(Clone, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    parents: Vec<SmallVec<[Parent; 3]>>,
    table: FxHashMap<Node, NodeId>,
    thresholds: FxHashMap<TermId, Vec<(i64, NodeId)>>,
    /// Nodes that compare the difference of two variables with a constant.
    differences: FxHashMap<(TermId, TermId), Vec<(i64, NodeId)>>,
    /// By variable, the others whose equality with it was asked for, ascending, and the equality.
    compared: FxHashMap<TermId, Vec<(TermId, Lit)>>,
    pub(crate) terms: Terms,
    pub(crate) linears: Vec<Linear>,
    pub(crate) linear_table: FxHashMap<Linear, LinearId>,
    pub(crate) knowledge: Knowledge,
    pub(crate) definitions: FxHashMap<NodeId, Lit>,
    pub(crate) blasted: FxHashMap<TermId, Vec<Lit>>,
    /// Which bit of which variable a node is.
    pub(crate) bit_of: FxHashMap<NodeId, (TermId, u32)>,
    /// Side conditions of blasted variables: their values lie within their ranges.
    pub(crate) range_conditions: Vec<Lit>,
    pub(crate) unary_forms: FxHashMap<TermId, crate::unary::Row>,
    entailments: crate::entail::Entailments,
    pub(crate) places: crate::places::Places,
}

impl Graph {
    pub fn new() -> Graph {
        let mut graph = Graph::default();
        graph.add_node(Node::True);
        graph.knowledge.set(NodeId(0), true);
        graph
    }

    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    /// The conjunctions that a node is an operand of.
    pub fn parents(&self, id: NodeId) -> &[Parent] {
        &self.parents[id.index()]
    }

    fn add_node(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.parents.push(SmallVec::new());
        self.knowledge.grow(id);
        self.grow_places(node);
        id
    }

    /// The node itself, made if it is new.
    pub(crate) fn intern(&mut self, node: Node) -> NodeId {
        if let Some(&id) = self.table.get(&node) {
            return id;
        }
        let id = self.add_node(node);
        self.table.insert(node, id);
        if let Node::Difference(d) = node {
            self.differences.entry((d.x, d.y)).or_default().push((d.most, id));
        }
        if let Node::And(a, b) = node {
            self.parents[a.node().index()].push(Parent { gate: Lit::new(id, !a.is_negated()), other: b });
            self.parents[b.node().index()].push(Parent { gate: Lit::new(id, !b.is_negated()), other: a });
            if let Some((x, y)) = self.as_equality(a, b) {
                for (x, y) in [(x, y), (y, x)] {
                    let others = self.compared.entry(x).or_default();
                    let at = others.partition_point(|other| other.0 < y);
                    others.insert(at, (y, Lit::new(id, true)));
                }
            }
        }
        id
    }

    /// The two variables that `a and b` says are equal, if it says so.
    pub fn as_equality(&self, a: Lit, b: Lit) -> Option<(TermId, TermId)> {
        let (Node::Difference(d), Node::Difference(e)) = (self.node(a.node()), self.node(b.node())) else {
            return None;
        };
        let (d, e) = if a.is_negated() { (e, d) } else { (d, e) };
        let is_one = a.is_negated() != b.is_negated() && (d.x, d.y) == (e.x, e.y) && (d.most, e.most) == (0, -1);
        is_one.then_some((d.x, d.y))
    }

    /// All that say a variable is equal to another.
    pub fn equalities(&self, x: TermId) -> Vec<Lit> {
        self.compared.get(&x).map_or(Vec::new(), |others| others.iter().map(|other| other.1).collect())
    }

    /// `x = y`, if it was made.
    pub fn equality(&self, x: TermId, y: TermId) -> Option<Lit> {
        let others = self.compared.get(&x)?;
        others.binary_search_by_key(&y, |other| other.0).ok().map(|at| others[at].1)
    }

    /// For every z that both are compared with: `x = z` and `y = z`.
    pub fn equal_pairs(&self, x: TermId, y: TermId) -> Vec<(Lit, Lit)> {
        let others = |x| self.compared.get(&x).map_or(&[][..], |others| others);
        let mut left = others(y);
        let pair = |&(z, is_x): &(TermId, Lit)| {
            left = &left[left.partition_point(|other| other.0 < z)..];
            let &(first, is_y) = left.first()?;
            (first == z).then_some((is_x, is_y))
        };
        others(x).iter().filter_map(pair).collect()
    }

    /// The conjunction, if it was made.
    pub fn conjunction(&self, a: Lit, b: Lit) -> Option<Lit> {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.table.get(&Node::And(a, b)).map(|&id| Lit::new(id, true))
    }

    pub(crate) fn intern_at_most(&mut self, term: TermId, most: i64) -> NodeId {
        let known = self.nodes.len();
        let id = self.intern(Node::AtMost(term, most));
        if id.index() == known {
            self.thresholds.entry(term).or_default().push((most, id));
        }
        id
    }

    /// The nodes that compare a term with a constant.
    pub fn thresholds(&self, term: TermId) -> &[(i64, NodeId)] {
        self.thresholds.get(&term).map_or(&[], |t| t)
    }

    /// The nodes that compare the difference of the same two variables with a constant.
    pub fn differences(&self, d: Difference) -> &[(i64, NodeId)] {
        self.differences.get(&(d.x, d.y)).map_or(&[], |d| d)
    }

    /// A fresh Boolean variable.
    pub fn var(&mut self) -> Lit {
        Lit::new(self.add_node(Node::Var), true)
    }

    /// What is known of a literal.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.knowledge.value(lit.node()).map(|v| v ^ lit.is_negated())
    }

    /// The literal, or the constant it is known to equal.
    pub fn known(&self, lit: Lit) -> Lit {
        match self.value(lit) {
            Some(value) => Lit::constant(value),
            None => lit,
        }
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (self.known(a), self.known(b));
        if a == Lit::FALSE || b == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if b == Lit::TRUE {
            return a;
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.entails(x, y) {
                return x;
            }
            if self.entails(x, !y) {
                return Lit::FALSE;
            }
            if let Node::And(p, q) = self.node(y.node()) {
                // x & (c ? z : w), and the node is the negation of the conditional.
                if let Some((c, z, w)) = self.as_conditional(p, q) {
                    if self.entails(x, c) {
                        return self.and(x, z.flip(!y.is_negated()));
                    }
                    if self.entails(x, !c) {
                        return self.and(x, w.flip(!y.is_negated()));
                    }
                }
                if y.is_negated() {
                    // x & !(p & q): one operand known makes it the other; a contradiction makes it x.
                    if self.entails(x, p) {
                        return self.and(x, !q);
                    }
                    if self.entails(x, q) {
                        return self.and(x, !p);
                    }
                    if self.entails(x, !p) || self.entails(x, !q) {
                        return x;
                    }
                } else if self.entails(p, x) || self.entails(q, x) {
                    return y;
                } else if self.entails(x, !p) || self.entails(x, !q) {
                    return Lit::FALSE;
                }
            }
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let id = self.intern(Node::And(a, b));
        self.known(Lit::new(id, true))
    }

    /// From now on, each first literal is taken to imply the second: conditions that hold in every state, and that formulas built before
    /// say. What was taken so before is not any more.
    pub fn entail(&mut self, implications: &[(Lit, Lit)]) {
        self.entailments = crate::entail::Entailments::new(implications);
    }

    /// Whether one literal is taken to imply another.
    pub fn entails(&self, a: Lit, b: Lit) -> bool {
        a == b || !self.is_blank() && self.entailments.hold(a, b)
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        // One form for all of a <-> b, b <-> a and their negations.
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = (a.flip(a.is_negated()), b.flip(b.is_negated()));
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let (a, b) = (self.known(a), self.known(b));
        let same = if a.is_constant() {
            b.flip(a == Lit::FALSE)
        } else if b.is_constant() {
            a.flip(b == Lit::FALSE)
        } else if a == b {
            Lit::TRUE
        } else {
            let (both, neither) = (self.and(a, b), self.and(!a, !b));
            self.or(both, neither)
        };
        same.flip(flip)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        !self.iff(a, b)
    }

    pub fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (c, a, b) = (self.known(c), self.known(a), self.known(b));
        if c.is_constant() || a == b {
            return if c == Lit::FALSE { b } else { a };
        }
        match self.asked_of_each(c, a, b) {
            Some(lit) => lit,
            None => self.select(c, a, b),
        }
    }

    /// `c ? a : b` without a look at lists, as it is for bits of numbers.
    pub(crate) fn select(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (c, a, b) = (self.known(c), self.known(a), self.known(b));
        if c.is_constant() || a == b {
            return if c == Lit::FALSE { b } else { a };
        }
        if a == Lit::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Lit::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Lit::TRUE || b == !c {
            return self.or(!c, a);
        }
        if b == Lit::FALSE || b == c {
            return self.and(c, a);
        }
        if a == !b {
            return self.iff(c, a);
        }
        if c.is_negated() {
            return self.select(!c, b, a);
        }
        let then = self.and(c, a);
        let otherwise = self.and(!c, b);
        self.or(then, otherwise)
    }

    /// `(h ? p : q) ? a : (h ? x : y)` as `h ? (p ? a : x) : (q ? a : y)`: what is asked of an entry of a list is asked of each
    /// entry, and found where the entry is.
    fn asked_of_each(&mut self, c: Lit, a: Lit, b: Lit) -> Option<Lit> {
        // Two chains would be taken apart into pieces that nothing else has.
        if !a.is_constant() && !b.is_constant() {
            return None;
        }
        let Node::And(p, q) = self.node(c.node()) else { return None };
        let conditions = self.conditional(c).map_or([p, q], |(h, ..)| [h, h]);
        for h in conditions {
            let (of_a, of_b) = (self.cofactors(a, h), self.cofactors(b, h));
            if of_a.is_some() || of_b.is_some() {
                let (p, q) = self.cofactors(c, h)?;
                let ((a, z), (b, w)) = (of_a.unwrap_or((a, a)), of_b.unwrap_or((b, b)));
                // The list goes on in one of the two; going on in both would take time exponential in the depth of a circuit.
                let goes_on = self.conditional(q).is_some();
                let then = if goes_on { self.select(p, a, b) } else { self.ite(p, a, b) };
                let otherwise = if goes_on { self.ite(q, z, w) } else { self.select(q, z, w) };
                return Some(self.select(h, then, otherwise));
            }
        }
        // The list itself may be empty: `(p and (h ? ..)) ? a : b`.
        let condition = |lit: Lit| self.conditional(lit).map(|(h, ..)| h);
        let (p, q) = [(p, q), (q, p)].into_iter().find(|&(_, q)| {
            let h = condition(q);
            h.is_some() && (condition(a) == h || condition(b) == h)
        })?;
        let (a, b) = if c.is_negated() { (b, a) } else { (a, b) };
        let inner = self.ite(q, a, b);
        Some(self.ite(p, inner, b))
    }

    /// Reads a literal as `c ? x : y`, c positive.
    fn conditional(&self, lit: Lit) -> Option<(Lit, Lit, Lit)> {
        let Node::And(a, b) = self.node(lit.node()) else { return None };
        let (c, x, y) = self.as_conditional(a, b)?;
        let (x, y) = (x.flip(!lit.is_negated()), y.flip(!lit.is_negated()));
        Some(if c.is_negated() { (!c, y, x) } else { (c, x, y) })
    }

    /// Reads `not (a and b)` as a conditional `c ? x : y`, if it is one: a is not (c and x), b is not (not c and y).
    pub fn as_conditional(&self, a: Lit, b: Lit) -> Option<(Lit, Lit, Lit)> {
        let (Node::And(p, q), Node::And(r, s)) = (self.node(a.node()), self.node(b.node())) else { return None };
        if !a.is_negated() || !b.is_negated() {
            return None;
        }
        for (c, x) in [(p, q), (q, p)] {
            for (d, y) in [(r, s), (s, r)] {
                if c == !d {
                    return Some((c, x, y));
                }
            }
        }
        None
    }

    /// What a formula is where h holds and where it does not, if it is a conditional on h.
    pub fn cofactors(&self, lit: Lit, h: Lit) -> Option<(Lit, Lit)> {
        let Node::And(a, b) = self.node(lit.node()) else { return None };
        let (then, otherwise) =
            if let Some((c, x, y)) = self.as_conditional(a, b).filter(|(c, ..)| c.node() == h.node()) {
                // The node is the negation of the conditional.
                if c == h { (!x, !y) } else { (!y, !x) }
            } else if a == h || b == h {
                (if a == h { b } else { a }, Lit::FALSE)
            } else if a == !h || b == !h {
                (Lit::FALSE, if a == !h { b } else { a })
            } else {
                return None;
            };
        Some((then.flip(lit.is_negated()), otherwise.flip(lit.is_negated())))
    }

    pub fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut all = Lit::TRUE;
        for lit in lits {
            all = self.and(all, lit);
        }
        all
    }

    pub fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut any = Lit::FALSE;
        for lit in lits {
            any = self.or(any, lit);
        }
        any
    }

    /// The conjuncts of a literal, as far down as conjunctions go, each once; known ones are left out.
    pub fn conjuncts(&self, lit: Lit) -> Vec<Lit> {
        let mut out = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            if self.value(lit) == Some(true) || !seen.insert(lit) {
                continue;
            }
            match self.node(lit.node()) {
                Node::And(a, b) if !lit.is_negated() => stack.extend([b, a]),
                _ => out.push(lit),
            }
        }
        out
    }
}
