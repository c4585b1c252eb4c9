//! What is known at the moment: values of nodes, intervals of terms, and an order among variables. A store with a trail,
//! mirrored from the propagation engine (docs/engine.md, "The formula graph") and consulted by every constructor; it decides nothing
//! itself.
//!
//! Two sorts of entries: facts of the path, undone to a mark; and the guards of declarative code that is being
//! translated, taken back by [`Graph::suspend`] when a call must not see them.

use crate::graph::{Graph, Lit, Node, NodeId};
use crate::term::{Term, TermId};

/// x - y <= most, for two distinct variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Difference {
    pub x: TermId,
    pub y: TermId,
    pub most: i64,
}

/// A closed interval.
pub type Bounds = (i64, i64);

#[derive(Clone, Copy)]
enum Entry {
    Node(NodeId),
    /// What they were before, and their depth.
    Bounds(TermId, Bounds, Depth),
    /// The last edge out of its source.
    Edge(Difference),
}

/// How many of the decisions so far a fact may rest on: the first so many imply it, with what is settled.
pub type Depth = u32;

/// Scratch space of the search for chains.
#[derive(Clone, Default)]
struct Chains {
    /// In which round a term was reached, and how near.
    best: Vec<(u32, i64)>,
    round: u32,
    queue: Vec<(TermId, i64, Depth)>,
    /// Edges looked at so far.
    steps: u64,
}

impl Chains {
    fn start(&mut self, from: TermId) {
        self.queue.clear();
        self.round += 1;
        self.improve(from, 0, 0);
    }

    fn improve(&mut self, term: TermId, distance: i64, depth: Depth) {
        let best = &mut self.best[term.index()];
        if best.0 != self.round || distance < best.1 {
            *best = (self.round, distance);
            self.queue.push((term, distance, depth));
        }
    }
}

#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    /// 0 unknown, 1 false, 2 true.
    values: Vec<u8>,
    /// Of the nodes that have a value.
    depths: Vec<Depth>,
    bounds: Vec<Bounds>,
    bound_depths: Vec<Depth>,
    /// Edges y -> x of weight `most`, by y.
    out: Vec<Vec<(Difference, Depth)>>,
    /// The same, by x.
    into: Vec<Vec<(Difference, Depth)>>,
    /// Of what is set next.
    depth: Depth,
    chains: Chains,
    trail: Vec<Entry>,
    /// By entry of the trail, a number that no other ever had.
    stamps: Vec<u64>,
    stamp: u64,
    /// By term, what was left of it when the trail was so long, and ended with this stamp.
    narrowed: Vec<(usize, u64, TermId)>,
    /// While set, only settled facts are consulted.
    hidden: bool,
    /// While set, none are.
    is_blank: bool,
    base: Vec<u8>,
    base_bounds: Vec<Bounds>,
}

/// So many variables that are equal are told of one another.
const EQUAL: usize = 8;

/// A point in time of the trail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark(usize);

impl Knowledge {
    pub fn grow(&mut self, id: NodeId) {
        debug_assert_eq!(self.values.len(), id.index());
        self.values.push(0);
        self.depths.push(0);
        self.base.push(0);
    }

    pub fn grow_term(&mut self, interval: Bounds) {
        self.bounds.push(interval);
        self.bound_depths.push(0);
        self.base_bounds.push(interval);
        self.narrowed.push((usize::MAX, 0, TermId(0)));
        self.out.push(Vec::new());
        self.into.push(Vec::new());
        self.chains.best.push((0, 0));
    }

    pub fn value(&self, id: NodeId) -> Option<bool> {
        match if self.hidden { self.base[id.index()] } else { self.values[id.index()] } {
            _ if self.is_blank && id.index() > 0 => None,
            0 => None,
            v => Some(v == 2),
        }
    }

    pub fn set(&mut self, id: NodeId, value: bool) {
        self.values[id.index()] = 1 + u8::from(value);
        self.depths[id.index()] = self.depth;
        self.record(Entry::Node(id));
    }

    fn record(&mut self, entry: Entry) {
        self.trail.push(entry);
        self.stamp += 1;
        self.stamps.push(self.stamp);
    }

    /// Of an entry at the end of a trail of this length, or 0.
    fn stamp_at(&self, length: usize) -> u64 {
        length.checked_sub(1).map_or(0, |last| self.stamps[last])
    }

    /// What was left of a term when something was known that still is.
    pub fn narrowed(&self, term: TermId) -> Option<TermId> {
        let (length, stamp, left) = self.narrowed[term.index()];
        let is_valid = !self.hidden && !self.is_blank && length <= self.trail.len() && self.stamp_at(length) == stamp;
        is_valid.then_some(left)
    }

    pub fn set_narrowed(&mut self, term: TermId, left: TermId) {
        if !self.hidden && !self.is_blank {
            let length = self.trail.len();
            self.narrowed[term.index()] = (length, self.stamp_at(length), left);
        }
    }
}

impl Graph {
    pub fn mark(&self) -> Mark {
        Mark(self.knowledge.trail.len())
    }

    pub fn undo_to(&mut self, mark: Mark) {
        let knowledge = &mut self.knowledge;
        while knowledge.trail.len() > mark.0 {
            match knowledge.trail.pop() {
                Some(Entry::Node(id)) => knowledge.values[id.index()] = 0,
                Some(Entry::Bounds(term, bounds, depth)) => {
                    knowledge.bounds[term.index()] = bounds;
                    knowledge.bound_depths[term.index()] = depth;
                }
                Some(Entry::Edge(edge)) => {
                    knowledge.out[edge.y.index()].pop();
                    knowledge.into[edge.x.index()].pop();
                }
                None => {}
            }
        }
        knowledge.stamps.truncate(mark.0);
    }

    /// Makes all that is known at the moment hold outright, for good.
    pub fn settle(&mut self) {
        self.knowledge.base.clone_from(&self.knowledge.values);
        self.knowledge.base_bounds.clone_from(&self.knowledge.bounds);
    }

    /// Runs `build` with only the settled facts: what it makes is valid on every path.
    pub fn outright<T>(&mut self, build: impl FnOnce(&mut Graph) -> T) -> T {
        let before = self.hide(true);
        let made = build(self);
        self.hide(before);
        made
    }

    /// Runs `build` as if nothing were known, not even what is settled: a definition from which a solver is to find the facts.
    pub(crate) fn blank<T>(&mut self, build: impl FnOnce(&mut Graph) -> T) -> T {
        let before = std::mem::replace(&mut self.knowledge.is_blank, true);
        let made = build(self);
        self.knowledge.is_blank = before;
        made
    }

    /// Whether only settled facts are consulted from now on; returns what it was.
    pub fn hide(&mut self, hidden: bool) -> bool {
        std::mem::replace(&mut self.knowledge.hidden, hidden)
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.knowledge.is_blank
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.knowledge.hidden
    }

    /// Records the value of a node that had none.
    pub fn set(&mut self, node: NodeId, value: bool) {
        self.knowledge.set(node, value);
    }

    /// The literals that became known since a mark.
    pub fn known_since(&self, mark: Mark) -> Vec<Lit> {
        let nodes = self.knowledge.trail[mark.0..].iter().filter_map(|entry| match entry {
            Entry::Node(id) => Some(*id),
            _ => None,
        });
        nodes.map(|id| Lit::new(id, self.knowledge.values[id.index()] == 2)).collect()
    }

    /// What is known of a term's value, on this path.
    pub fn bounds(&self, term: TermId) -> Bounds {
        if self.knowledge.is_blank {
            self.interval(term)
        } else if self.knowledge.hidden {
            self.knowledge.base_bounds[term.index()]
        } else {
            self.knowledge.bounds[term.index()]
        }
    }

    pub fn set_bounds(&mut self, term: TermId, bounds: Bounds) {
        let knowledge = &mut self.knowledge;
        let old = std::mem::replace(&mut knowledge.bounds[term.index()], bounds);
        let depth = knowledge.bound_depths[term.index()];
        // The bound that stays has its own.
        knowledge.bound_depths[term.index()] = depth.max(knowledge.depth);
        knowledge.record(Entry::Bounds(term, old, depth));
    }

    pub fn add_edge(&mut self, edge: Difference) {
        self.knowledge.out[edge.y.index()].push((edge, self.knowledge.depth));
        self.knowledge.into[edge.x.index()].push((edge, self.knowledge.depth));
        self.knowledge.record(Entry::Edge(edge));
    }

    /// What the edges at a variable make of its bounds: bounds of others that are narrower than what is known of them.
    pub fn narrowed_by(&self, term: TermId) -> Vec<(TermId, Bounds, Depth)> {
        let Knowledge { out, into, bounds, bound_depths, .. } = &self.knowledge;
        let ((lo, hi), of_term) = (bounds[term.index()], bound_depths[term.index()]);
        let mut narrowed = Vec::new();
        for &(edge, depth) in &out[term.index()] {
            let (least, most) = bounds[edge.x.index()];
            if let Some(below) = hi.checked_add(edge.most).filter(|&below| below < most) {
                narrowed.push((edge.x, (least, below), depth.max(of_term)));
            }
        }
        for &(edge, depth) in &into[term.index()] {
            let (least, most) = bounds[edge.y.index()];
            if let Some(above) = lo.checked_sub(edge.most).filter(|&above| above > least) {
                narrowed.push((edge.y, (above, most), depth.max(of_term)));
            }
        }
        narrowed
    }

    /// The depth of what is set from now on.
    pub fn set_depth(&mut self, depth: Depth) {
        self.knowledge.depth = depth;
    }

    /// The depth of a literal's value; it has one.
    pub fn depth(&self, lit: Lit) -> Depth {
        self.knowledge.depths[lit.node().index()]
    }

    /// The depth of what is known of a term's value.
    pub fn bounds_depth(&self, term: TermId) -> Depth {
        self.knowledge.bound_depths[term.index()]
    }

    /// All that was set since a mark rests on this many decisions.
    pub fn deepen(&mut self, since: Mark, depth: Depth) {
        let knowledge = &mut self.knowledge;
        for entry in &knowledge.trail[since.0..] {
            match *entry {
                Entry::Node(id) => knowledge.depths[id.index()] = depth,
                Entry::Bounds(term, ..) => knowledge.bound_depths[term.index()] = depth,
                Entry::Edge(edge) => {
                    // Edges since the mark are the last ones out of their source and into their target.
                    for edges in [&mut knowledge.out[edge.y.index()], &mut knowledge.into[edge.x.index()]] {
                        if let Some(found) = edges.iter_mut().rev().find(|(e, _)| *e == edge) {
                            found.1 = depth;
                        }
                    }
                }
            }
        }
    }

    /// Whether x - y <= most follows from the edges and the bounds by chaining; None if neither it nor its negation does.
    pub fn implied(&mut self, d: Difference) -> Option<bool> {
        if self.reaches(d.y, d.x, d.most).is_some() {
            return Some(true);
        }
        self.refuted(d).map(|_| false)
    }

    /// The depth at which x - y <= most is known to fail, if it is.
    pub fn refuted(&mut self, d: Difference) -> Option<Depth> {
        // not (x - y <= c)  iff  y - x <= -c-1
        let negated = d.most.checked_neg().and_then(|c| c.checked_sub(1))?;
        self.reaches(d.x, d.y, negated)
    }

    /// The variables that are known to be equal to one by chains of edges, itself first, each with the depth of that; of long chains only the
    /// beginning.
    pub fn equal_to(&self, term: TermId) -> Vec<(TermId, Depth)> {
        let Knowledge { out, into, .. } = &self.knowledge;
        let mut equal = vec![(term, 0)];
        let mut at = 0;
        while at < equal.len() && equal.len() < EQUAL {
            let (from, depth) = equal[at];
            at += 1;
            for &(edge, there) in out[from.index()].iter().filter(|(edge, _)| edge.most == 0) {
                let back = into[from.index()].iter().find(|(back, _)| back.y == edge.x && back.most == 0);
                if let Some(&(_, back)) = back
                    && equal.iter().all(|(known, _)| *known != edge.x)
                {
                    equal.push((edge.x, depth.max(there).max(back)));
                }
            }
        }
        equal
    }

    /// Whether x - y <= most follows, at a depth, from the bounds of both or from one other edge: then the edge says nothing new.
    pub fn is_known_edge(&self, d: Difference, depth: Depth) -> bool {
        let by_bounds = self.bounds(d.x).1.checked_sub(self.bounds(d.y).0).is_some_and(|w| w <= d.most);
        if by_bounds && self.bounds_depth(d.x) <= depth && self.bounds_depth(d.y) <= depth {
            return true;
        }
        let out = &self.knowledge.out[d.y.index()];
        out.iter().rev().any(|&(edge, of_edge)| edge.x == d.x && edge.most <= d.most && of_edge <= depth)
    }

    /// At which depth to - from <= most, by a chain of edges, or by the bound of what a chain reaches and the bound of `to`.
    fn reaches(&mut self, from: TermId, to: TermId, most: i64) -> Option<Depth> {
        // to <= hi and u >= lo give to - u <= hi - lo.
        let top = self.bounds(to).1;
        let by_bounds = |distance: i64, low: i64| {
            top.checked_sub(low).and_then(|w| w.checked_add(distance)).is_some_and(|w| w <= most)
        };
        let top_depth = self.bounds_depth(to);
        if by_bounds(0, self.bounds(from).0) {
            return Some(top_depth.max(self.bounds_depth(from)));
        }
        if self.knowledge.hidden || self.knowledge.is_blank {
            return None;
        }
        let Knowledge { out, bounds, bound_depths, chains, .. } = &mut self.knowledge;
        chains.start(from);
        while let Some((at, distance, depth)) = chains.queue.pop() {
            if distance > chains.best[at.index()].1 {
                continue;
            }
            chains.steps += out[at.index()].len() as u64;
            for &(edge, of_edge) in &out[at.index()] {
                let Some(through) = distance.checked_add(edge.most) else { continue };
                let depth = depth.max(of_edge);
                if edge.x == to && through <= most {
                    return Some(depth);
                }
                if by_bounds(through, bounds[edge.x.index()].0) {
                    return Some(depth.max(top_depth).max(bound_depths[edge.x.index()]));
                }
                chains.improve(edge.x, through, depth);
            }
        }
        None
    }

    /// How much work the search for chains was.
    pub fn chain_steps(&self) -> u64 {
        self.knowledge.chains.steps
    }

    /// Takes a guard of declarative code as known, without propagation beyond its conjuncts. Returns what to undo to.
    pub fn push_guard(&mut self, guard: Lit) -> Mark {
        self.push_parts(guard, usize::MAX)
    }

    /// The same of so many of its conjuncts and theirs at most.
    pub fn push_parts(&mut self, guard: Lit, mut most: usize) -> Mark {
        let mark = self.mark();
        let mut stack = vec![guard];
        while let Some(lit) = stack.pop() {
            if self.value(lit).is_some() {
                continue;
            }
            if most == 0 {
                break;
            }
            most -= 1;
            self.set(lit.node(), !lit.is_negated());
            match self.node(lit.node()) {
                Node::And(a, b) if !lit.is_negated() => stack.extend([a, b]),
                Node::And(a, b) => {
                    if self.value(a) == Some(true) {
                        stack.push(!b);
                    } else if self.value(b) == Some(true) {
                        stack.push(!a);
                    }
                }
                Node::AtMost(term, most) if matches!(self.term(term), Term::Var(_)) => {
                    let (lo, hi) = self.bounds(term);
                    let narrowed = if lit.is_negated() { (lo.max(most + 1), hi) } else { (lo, hi.min(most)) };
                    if narrowed.0 <= narrowed.1 {
                        self.set_bounds(term, narrowed);
                    }
                }
                _ => {}
            }
        }
        mark
    }
}
