//! Unit propagation over the formula graph (docs/engine.md, "Search by execution"): levels, no learning. Conjunctions propagate along the
//! graph itself, thresholds of a term along their order, differences of variables as chains of edges. It finds conflicts
//! soundly and not always: what it leaves open is for the exact solver.
//!
//! Invariant: everything it sets in the graph follows from what was asserted.

mod sums;

use crate::nearby::Nearby;
use formula::{Bounds, Depth, Difference, Graph, LinearId, Lit, Mark, Node, NodeId, Parent, TermId};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// How far above two equations that mean the same the conjunctions are compared.
const LEVELS: u32 = 2;

/// So many guards within each other are looked through.
const GUARDS: usize = 2;

/// So many bounds are narrowed by one comparison at most.
const NARROWED: usize = 256;

/// So many parents are sorted by their places.
const MANY: usize = 64;

#[derive(Clone, Default)]
pub struct Propagator {
    /// What follows, and how many of the decisions it rests on.
    queue: Vec<(Lit, Depth)>,
    /// Linear equations known to hold, in the order they were found.
    equations: Vec<LinearId>,
    /// Linear equations known to fail.
    inequations: Vec<LinearId>,
    pub assignments: u64,
    /// While what is asserted is given.
    is_given: bool,
    /// If only what is near is propagated.
    nearby: Option<Nearby>,
    /// Formulas that say of no pair that it differs, each within so many guards. While what is asserted is given.
    without_pairs: FxHashSet<(Lit, usize)>,
}

/// What to go back to.
#[derive(Clone, Copy)]
pub struct Level {
    mark: Mark,
    equations: usize,
    inequations: usize,
}

impl Propagator {
    pub fn level(&self, graph: &Graph) -> Level {
        Level { mark: graph.mark(), equations: self.equations.len(), inequations: self.inequations.len() }
    }

    pub fn undo_to(&mut self, graph: &mut Graph, level: Level) {
        graph.undo_to(level.mark);
        self.equations.truncate(level.equations);
        self.inequations.truncate(level.inequations);
        self.queue.clear();
    }

    /// All that was set since a level rests on this many decisions.
    pub fn deepen(&self, graph: &mut Graph, since: Level, depth: Depth) {
        graph.deepen(since.mark, depth);
    }

    pub fn equations(&self) -> &[LinearId] {
        &self.equations
    }

    /// Whether a known equation has no solution within the bounds: a `size` of 0, and something that is counted.
    pub fn has_no_solution(&self, graph: &Graph) -> bool {
        self.equations.iter().any(|&linear| {
            let resolved = graph.resolve_linear(graph.linear(linear));
            let bounds = resolved.map(|l| graph.linear_bounds(&l));
            bounds.is_some_and(|(lo, hi)| lo > 0 || hi < 0)
        })
    }

    pub fn inequations_since(&self, level: Level) -> &[LinearId] {
        &self.inequations[level.inequations..]
    }

    /// Asserts a literal and all that follows; false on a conflict, after which the caller must undo.
    pub fn assert(&mut self, graph: &mut Graph, lit: Lit) -> bool {
        self.assert_at(graph, lit, 0).is_ok()
    }

    /// The same for a literal that rests on so many decisions; on a conflict, how many decisions contradict it.
    pub fn assert_at(&mut self, graph: &mut Graph, lit: Lit, depth: Depth) -> Result<(), Depth> {
        self.queue.clear();
        self.queue.push((lit, depth));
        self.follow(graph)
    }

    /// Sets what is queued, and all that follows.
    fn follow(&mut self, graph: &mut Graph) -> Result<(), Depth> {
        while let Some((lit, depth)) = self.queue.pop() {
            match graph.value(lit) {
                Some(true) => continue,
                Some(false) => return Err(depth.max(graph.depth(lit))),
                None => {}
            }
            let (id, value) = (lit.node(), !lit.is_negated());
            graph.set_depth(depth);
            graph.set(id, value);
            self.assignments += 1;
            self.consequences(graph, id, value, depth)?;
            match &self.nearby {
                None => graph.parents(id).iter().for_each(|p| above(graph, &mut self.queue, *p, value, depth)),
                Some(near) if graph.parents(id).len() < MANY => {
                    let parents = graph.parents(id).iter();
                    let near = parents.filter(|p| near.holds(graph.place(p.gate.node())));
                    near.for_each(|p| above(graph, &mut self.queue, *p, value, depth));
                }
                Some(near) => {
                    graph.sort_parents(id);
                    let near = graph.parents_at(id, near.places());
                    near.for_each(|p| above(graph, &mut self.queue, *p, value, depth));
                }
            }
        }
        Ok(())
    }

    /// From now on propagates only what is at these places, or at no one place; everything, if there are none. What it kept to before.
    pub fn keep_near(&mut self, nearby: Option<Nearby>) -> Option<Nearby> {
        std::mem::replace(&mut self.nearby, nearby)
    }

    /// Asserts what is given before anything is decided: its parts are looked through for what holds outright.
    pub fn assert_given(&mut self, graph: &mut Graph, given: &[Lit]) -> bool {
        self.is_given = true;
        let is_consistent = given.iter().all(|&lit| self.assert(graph, lit));
        self.is_given = false;
        self.without_pairs = FxHashSet::default();
        is_consistent
    }

    /// Small sums are spelled out as thresholds: propagation sees through them.
    pub fn spell_out(&mut self, graph: &mut Graph) {
        for index in 0..graph.node_count() as u32 {
            let id = NodeId(index);
            if let Some(definition) = graph.unary_definition(graph.node(id)) {
                let same = graph.iff(Lit::new(id, true), definition);
                self.assert(graph, same);
            }
        }
    }

    fn consequences(&mut self, graph: &mut Graph, id: NodeId, value: bool, depth: Depth) -> Result<(), Depth> {
        match graph.node(id) {
            Node::And(a, b) if value => {
                if let Some((x, y)) = graph.as_equality(a, b) {
                    for (e, f) in graph.equal_pairs(x, y) {
                        self.alike(graph, e, f, depth, LEVELS);
                    }
                    self.equal_through(graph, x, y, depth);
                    self.share_bounds(graph, x, y, depth)?;
                    for (of_x, of_y) in graph.same_operations(x, y) {
                        self.equate(graph, of_x, of_y, depth)?;
                    }
                }
                // An equality last: what is known of one of its variables by then is known of the other.
                let (last, first) = if is_equality(graph, b) { (b, a) } else { (a, b) };
                self.queue.extend([(last, depth), (first, depth)]);
            }
            Node::And(a, b) => {
                self.gate(graph, id, depth);
                if self.is_given {
                    self.unguarded(graph, a, b);
                    self.unguarded(graph, b, a);
                }
            }
            Node::AtMost(term, most) => {
                let (lo, hi) = graph.bounds(term);
                let narrowed = if value { (lo, hi.min(most)) } else { (lo.max(most + 1), hi) };
                self.narrow(graph, (term, narrowed, depth))?;
            }
            Node::Difference(d) => {
                let edge = edge(d, value);
                if graph.is_known_edge(edge, depth) {
                    return Ok(());
                }
                // Already refuted by a chain the other way?
                if let Some(refuted) = graph.refuted(edge) {
                    return Err(depth.max(refuted));
                }
                graph.add_edge(edge);
                // Where one side is known, the other one has a bound. (Keys are only known by their order: nothing is narrowed there.)
                for term in [edge.x, edge.y] {
                    let (lo, hi) = graph.bounds(term);
                    if lo == hi {
                        graph.narrowed_by(term).into_iter().try_for_each(|narrowed| self.narrow(graph, narrowed))?;
                    }
                }
                for &(most, node) in graph.differences(d) {
                    if if value { d.most < most } else { most < d.most } {
                        self.queue.push((Lit::new(node, value), depth));
                    }
                }
            }
            Node::LinearEq(linear) if value => self.equations.push(linear),
            Node::LinearEq(linear) => self.inequations.push(linear),
            Node::True | Node::Var | Node::LinearLe(_) => {}
        }
        Ok(())
    }

    /// Narrows the bounds of a term, and those of the variables that differences tie to it.
    fn narrow(&mut self, graph: &mut Graph, first: (TermId, Bounds, Depth)) -> Result<(), Depth> {
        let mut open = vec![first];
        let mut steps = 0;
        while let Some((term, (least, most), depth)) = open.pop() {
            let (lo, hi) = graph.bounds(term);
            let narrowed = (lo.max(least), hi.min(most));
            let depth = depth.max(graph.bounds_depth(term));
            if narrowed.0 > narrowed.1 {
                return Err(depth);
            }
            if narrowed == (lo, hi) {
                continue;
            }
            graph.set_depth(depth);
            graph.set_bounds(term, narrowed);
            for &(most, node) in graph.thresholds(term) {
                if narrowed.1 <= most {
                    self.queue.push((Lit::new(node, true), depth));
                } else if narrowed.0 > most {
                    self.queue.push((Lit::new(node, false), depth));
                }
            }
            steps += 1;
            if steps < NARROWED {
                open.extend(graph.narrowed_by(term));
            }
        }
        Ok(())
    }

    /// Two terms have the same value.
    fn equate(&mut self, graph: &mut Graph, x: TermId, y: TermId, depth: Depth) -> Result<(), Depth> {
        graph.set_depth(depth);
        for edge in [Difference { x, y, most: 0 }, Difference { x: y, y: x, most: 0 }] {
            if !graph.is_known_edge(edge, depth) {
                graph.add_edge(edge);
            }
        }
        self.share_bounds(graph, x, y, depth)
    }

    /// Two variables are equal, so what is equal to one is equal to what is equal to the other: of two entries with one hash code, each the
    /// number that is its key, the keys are the same.
    fn equal_through(&mut self, graph: &Graph, x: TermId, y: TermId, depth: Depth) {
        let (like_x, like_y) = (graph.equal_to(x), graph.equal_to(y));
        for &(a, of_a) in &like_x {
            for &(b, of_b) in &like_y {
                if let Some(equality) = graph.equality(a, b).filter(|_| (a, b) != (x, y)) {
                    self.queue.push((equality, depth.max(of_a).max(of_b)));
                }
            }
        }
    }

    /// Whatever bounds one has, the other has.
    fn share_bounds(&mut self, graph: &mut Graph, x: TermId, y: TermId, depth: Depth) -> Result<(), Depth> {
        self.narrow(graph, (x, graph.bounds(y), depth.max(graph.bounds_depth(y))))?;
        self.narrow(graph, (y, graph.bounds(x), depth.max(graph.bounds_depth(x))))
    }

    /// Two formulas that are equivalent at present: what is known of one holds of the other, and of conjunctions with the same.
    fn alike(&mut self, graph: &Graph, e: Lit, f: Lit, depth: Depth, levels: u32) {
        match (graph.value(e), graph.value(f)) {
            (Some(value), _) => self.queue.push((f.flip(!value), depth.max(graph.depth(e)))),
            (None, Some(value)) => self.queue.push((e.flip(!value), depth.max(graph.depth(f)))),
            (None, None) if levels == 0 => {}
            (None, None) => {
                for (e, of_e) in as_good_as(graph, e) {
                    self.alike_above(graph, (e, f), depth.max(of_e), levels);
                }
                for &(f, of_f) in &as_good_as(graph, f)[1..] {
                    self.alike_above(graph, (e, f), depth.max(of_f), levels);
                }
            }
        }
    }

    /// Conjunctions of two equivalent formulas with the same are equivalent.
    fn alike_above(&mut self, graph: &Graph, (e, f): (Lit, Lit), depth: Depth, levels: u32) {
        for parent in graph.parents(e.node()) {
            let operand = f.flip(parent.gate.is_negated() != e.is_negated());
            if let Some(other) = graph.conjunction(operand, parent.other) {
                self.alike(graph, Lit::new(parent.gate.node(), true), other, depth, levels - 1);
            }
        }
    }

    /// A guard implies a conjunction, which stands negated here. Those parts of it whose own guard implies this one hold outright:
    /// what an invariant says of the places below one that may be absent, it says of each by itself.
    fn unguarded(&mut self, graph: &mut Graph, guard: Lit, negated: Lit) {
        let mut open = vec![!negated];
        let mut seen = FxHashSet::default();
        while let Some(part) = open.pop() {
            match graph.node(part.node()) {
                Node::And(a, b) if !part.is_negated() && seen.insert(part) => open.extend([a, b]),
                Node::And(..) if !part.is_negated() => {}
                Node::And(a, b) if graph.entails(a, guard) || graph.entails(b, guard) => self.queue.push((part, 0)),
                _ => {}
            }
        }
        self.pairs_that_differ(graph, &mut vec![guard], negated);
    }

    /// That variables differ where these guards hold is said pair by pair: what is equal to one of them is seen to differ from the other.
    /// Whether there was such a pair.
    fn pairs_that_differ(&mut self, graph: &mut Graph, guards: &mut Vec<Lit>, negated: Lit) -> bool {
        let is_variable = |graph: &Graph, lit: Lit| matches!(graph.node(lit.node()), Node::Var);
        if guards.len() > GUARDS || guards.last().is_none_or(|&guard| !is_variable(graph, guard)) {
            return false;
        }
        // A chain of a hash map was looked through for each guard: 620,000 parts of 4 nodes.
        let whole = (negated, guards.len());
        if self.without_pairs.contains(&whole) {
            return false;
        }
        let mut found = false;
        for part in graph.conjuncts(!negated) {
            let Node::And(a, b) = graph.node(part.node()) else { continue };
            if is_equality(graph, a) || is_equality(graph, b) {
                let pair = guards.iter().rev().fold(!part, |pair, &guard| graph.and(guard, pair));
                self.queue.push((!pair, 0));
                found = true;
                continue;
            }
            for (guard, rest) in [(a, b), (b, a)] {
                if rest.is_negated() {
                    guards.push(guard);
                    found |= self.pairs_that_differ(graph, guards, rest);
                    guards.pop();
                }
            }
        }
        if !found {
            self.without_pairs.insert(whole);
        }
        found
    }

    /// What a conjunction that is false and its operands say about each other.
    fn gate(&mut self, graph: &mut Graph, id: NodeId, depth: Depth) {
        let Node::And(a, b) = graph.node(id) else { return };
        let gate = Lit::new(id, true);
        match (graph.value(a), graph.value(b)) {
            (Some(false), _) | (_, Some(false)) => {}
            (Some(true), Some(true)) => self.queue.push((gate, graph.depth(a).max(graph.depth(b)))),
            (Some(true), None) => self.queue.push((!b, depth.max(graph.depth(a)))),
            (None, Some(true)) => self.queue.push((!a, depth.max(graph.depth(b)))),
            (None, None) if graph.as_equality(a, b).is_some() => {
                // Neither half of an equation that does not hold is known by itself; chains may say it.
                for (half, other) in [(a, b), (b, a)] {
                    if let Node::Difference(d) = graph.node(half.node())
                        && let Some(known) = graph.refuted(edge(d, half.is_negated()))
                    {
                        self.queue.push((!other, depth.max(known)));
                    }
                }
            }
            _ => {}
        }
    }
}

/// What follows for a conjunction, or for its other operand, from the value of one of its operands.
fn above(graph: &Graph, queue: &mut Vec<(Lit, Depth)>, parent: Parent, value: bool, depth: Depth) {
    let gate = Lit::new(parent.gate.node(), true);
    if value == parent.gate.is_negated() {
        // False: so is the conjunction.
        if graph.value(gate) != Some(false) {
            queue.push((!gate, depth));
        }
        return;
    }
    match (graph.value(parent.other), graph.value(gate)) {
        (Some(true), Some(true)) | (Some(false), Some(false)) => {}
        (Some(other), _) => queue.push((gate.flip(!other), depth.max(graph.depth(parent.other)))),
        (None, Some(false)) => queue.push((!parent.other, depth.max(graph.depth(gate)))),
        (None, _) => {}
    }
}

/// Whether it says that two variables are equal.
fn is_equality(graph: &Graph, lit: Lit) -> bool {
    match graph.node(lit.node()) {
        Node::And(a, b) if !lit.is_negated() => graph.as_equality(a, b).is_some(),
        _ => false,
    }
}

/// What a literal is equivalent to at present, itself first: conjunctions with what is known. And the depth of that.
fn as_good_as(graph: &Graph, lit: Lit) -> SmallVec<[(Lit, Depth); 4]> {
    let mut same: SmallVec<[(Lit, Depth); 4]> = smallvec![(lit, 0)];
    let mut from = 0;
    for _ in 0..GUARDS {
        let until = same.len();
        for at in from..until {
            let (lit, depth) = same[at];
            for parent in graph.parents(lit.node()).iter().filter(|p| graph.value(p.other) == Some(true)) {
                let gate = Lit::new(parent.gate.node(), parent.gate.is_negated() == lit.is_negated());
                same.push((gate, depth.max(graph.depth(parent.other))));
            }
        }
        from = until;
    }
    same
}

/// A difference that holds, or does not, as one that holds.
fn edge(d: Difference, holds: bool) -> Difference {
    if holds { d } else { Difference { x: d.y, y: d.x, most: -d.most - 1 } }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use formula::{Assignment, Evaluator, IntOp, IntTy};
    use work::Chance;

    pub fn formula(chance: &mut Chance, g: &mut Graph, ints: &[TermId], bools: &[Lit], depth: u32) -> Lit {
        if depth == 0 || chance.below(4) == 0 {
            let (x, y) = (ints[chance.below(ints.len())], ints[chance.below(ints.len())]);
            let shifted = g.shifted(y, chance.below(5) as i64 - 2).unwrap_or(y);
            return match chance.below(8) {
                0 | 1 => bools[chance.below(bools.len())],
                7 => {
                    let mut terms = vec![x];
                    for _ in 0..2 {
                        let counted = bools[chance.below(bools.len())];
                        terms.push(g.int_of(counted));
                    }
                    let sum = g.sum(&terms).expect("a small sum");
                    g.eq(sum, y)
                }
                6 => {
                    let by = g.constant(1 + chance.below(2) as i64);
                    let op = [IntOp::And, IntOp::Rem, IntOp::Mul][chance.below(3)];
                    let (a, b) = if op != IntOp::Rem && chance.below(2) == 0 { (by, x) } else { (x, by) };
                    let done = g.int_op(op, IntTy::I32, a, b);
                    g.at_most(done, chance.below(4) as i64)
                }
                2 => g.lt(x, y),
                3 => g.eq(x, y),
                4 => g.le(x, shifted),
                _ => g.eq_constant(x, chance.below(4) as i64),
            };
        }
        let (a, b) = (formula(chance, g, ints, bools, depth - 1), formula(chance, g, ints, bools, depth - 1));
        let a = a.flip(chance.below(2) == 0);
        if chance.below(4) == 0 { g.iff(a, b) } else { g.and(a, b) }
    }

    /// Keys of one hash code, each key the hash code of its entry, are equal: no entry with the key of another one has its hash code.
    #[test]
    fn what_is_equal_to_equal_variables_is_equal() {
        let mut g = Graph::new();
        let [hash, key, other_hash, other_key] = [(); 4].map(|()| g.int_var(0, 9));
        let mut propagator = Propagator::default();
        let same_keys = g.eq(key, other_key);
        for (hash, key) in [(hash, key), (other_hash, other_key)] {
            let is_hash = g.eq(hash, key);
            assert!(propagator.assert(&mut g, is_hash));
        }
        let same_hashes = g.outright(|g| g.eq(hash, other_hash));
        let level = propagator.level(&g);
        assert!(propagator.assert(&mut g, same_hashes));
        assert_eq!(g.value(same_keys), Some(true));
        propagator.undo_to(&mut g, level);
        assert!(propagator.assert(&mut g, !same_keys));
        assert!(!propagator.assert(&mut g, same_hashes));
    }

    /// Entries that are counted, and how many there are: where one is known, so is the other.
    #[test]
    fn sums_narrow_what_they_add_up() {
        let mut g = Graph::new();
        let size = g.int_var(0, 3);
        let entries: Vec<Lit> = (0..4).map(|_| g.var()).collect();
        let counted: Vec<TermId> = entries.iter().map(|&entry| g.int_of(entry)).collect();
        let count = g.sum(&counted).expect("a small sum");
        let is_size = g.eq(size, count);
        let mut propagator = Propagator::default();
        assert!(propagator.assert(&mut g, is_size));
        for entry in &entries[..2] {
            assert!(propagator.assert(&mut g, *entry));
        }
        assert!(propagator.narrow_sums(&mut g, 0).is_ok());
        assert_eq!(g.bounds(size), (2, 3));
        let is_two = g.at_most(size, 2);
        let level = propagator.level(&g);
        assert!(propagator.assert(&mut g, is_two) && propagator.narrow_sums(&mut g, 0).is_ok());
        assert!(entries[2..].iter().all(|&entry| g.value(entry) == Some(false)));
        propagator.undo_to(&mut g, level);
        assert!(propagator.assert(&mut g, !is_two) && propagator.assert(&mut g, !entries[3]));
        assert!(propagator.narrow_sums(&mut g, 0).is_ok());
        assert_eq!(g.value(entries[2]), Some(true));
    }

    /// What is known at a depth follows from that many of the decisions, and a conflict from as many as it blames.
    #[test]
    fn facts_follow_from_the_decisions_they_rest_on() {
        let (mut facts, mut conflicts) = (0, 0);
        for seed in 0..400 {
            let chance = &mut Chance::new(seed);
            let mut g = Graph::new();
            let ints: Vec<TermId> = (0..3).map(|_| g.int_var(0, 3)).collect();
            let bools: Vec<Lit> = (0..3).map(|_| g.var()).collect();
            let formulas: Vec<Lit> = (0..9).map(|_| formula(chance, &mut g, &ints, &bools, 3)).collect();
            let states: Vec<Assignment> = (0..512u32)
                .map(|case| Assignment {
                    bools: bools.iter().zip(0..).map(|(b, i)| (b.node(), case >> i & 1 == 1)).collect(),
                    ints: ints.iter().zip(0..).map(|(&t, i)| (t, i64::from(case >> (3 + 2 * i) & 3))).collect(),
                })
                .collect();
            let holds = |g: &Graph, state: usize, lit: Lit| Evaluator::new(&states[state]).lit(g, lit);
            let mut propagator = Propagator::default();
            let ground = propagator.level(&g);
            let mut decisions: Vec<Lit> = Vec::new();
            for &lit in &formulas {
                if g.value(lit).is_some() {
                    continue;
                }
                let level = propagator.level(&g);
                let allowed = |g: &Graph, depth: Depth, state: usize| {
                    decisions[..depth as usize].iter().all(|&d| holds(g, state, d))
                };
                let of_decisions = decisions.len() as Depth;
                let asserted = propagator.assert_at(&mut g, lit, 0);
                match asserted.and_then(|()| propagator.narrow_sums(&mut g, of_decisions)) {
                    Ok(()) => {
                        decisions.push(lit);
                        propagator.deepen(&mut g, level, decisions.len() as Depth);
                    }
                    Err(depth) => {
                        propagator.undo_to(&mut g, level);
                        conflicts += 1;
                        let left = (0..512).filter(|&s| allowed(&g, depth, s)).find(|&s| holds(&g, s, lit));
                        assert_eq!(left, None, "seed {seed}: {depth} of {decisions:?} contradict {lit:?}");
                        if propagator.assert_at(&mut g, !lit, depth).is_err() {
                            break;
                        }
                    }
                }
            }
            for known in g.known_since(ground.mark) {
                facts += 1;
                let depth = g.depth(known);
                let allowed = |s: &usize| decisions[..depth as usize].iter().all(|&d| holds(&g, *s, d));
                let not = (0..512).filter(allowed).find(|&s| !holds(&g, s, known));
                assert_eq!(not, None, "seed {seed}: {depth} of {decisions:?} imply {known:?}");
            }
        }
        assert!(facts > 1_000 && conflicts > 100, "{facts} facts, {conflicts} conflicts");
    }

    /// A proof that keeps to one place finds what follows there, and assigns nothing of what else is tied to the same variable.
    #[test]
    fn what_is_far_is_not_propagated() {
        let mut g = Graph::new();
        let far = 200;
        g.set_forest(formula::Forest::new(
            (0..far + 2).map(|place| (place > 0).then_some(formula::PlaceId(0))).collect(),
        ));
        let shared = g.var();
        let mut propagator = Propagator::default();
        let mut own = Vec::new();
        for place in 1..far + 2 {
            g.go_to(Some(formula::PlaceId(place)));
            let (x, y) = (g.var(), g.var());
            let implied = g.implies(shared, x);
            let further = g.implies(x, y);
            assert!(propagator.assert(&mut g, implied) && propagator.assert(&mut g, further));
            own.push(y);
        }
        let goals = [own[0]].into_iter();
        let nearby = Nearby::new(&g, &[], goals);
        assert!(nearby.leaves_some_out(&g));
        propagator.keep_near(Some(nearby));
        let (level, before) = (propagator.level(&g), propagator.assignments);
        assert!(!propagator.assert(&mut g, !own[0]) || !propagator.assert(&mut g, shared), "what is near follows");
        propagator.undo_to(&mut g, level);
        assert!(propagator.assert(&mut g, shared));
        assert_eq!(g.value(own[0]), Some(true));
        assert_eq!(g.value(own[1]), None);
        assert!(propagator.assignments - before < 20, "{}", propagator.assignments - before);
        propagator.undo_to(&mut g, level);
        propagator.keep_near(None);
        assert!(propagator.assert(&mut g, shared));
        assert_eq!(g.value(own[1]), Some(true));
    }
}
