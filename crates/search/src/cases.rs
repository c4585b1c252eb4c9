//! Proofs by cases (docs/engine.md, "By cases"): what propagation does not see at once it often sees for each value of one or two small
//! numbers, such as the classes of the objects at hand, by which entries of a table are chosen.
//!
//! Which numbers, is tried: those of the objects that the path speaks of last, and of the objects below them. A number that does not help
//! is found out by its first value.

use crate::propagate::Propagator;
use formula::{Graph, Lit, Node, NodeId, Term, TermId};
use ir::space::Domain;
use ir::{Location, ObjId, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use symex::{Sym, Symbolic};

/// Numbers with more values than that are not told apart.
const MOST_VALUES: i64 = 16;

/// So many numbers are tried.
const MOST_NUMBERS: usize = 10;

/// So many numbers that helped before are tried first.
const MOST_HELPFUL: usize = 3;

/// So many of them together.
pub const TOGETHER: u32 = 2;

/// Cases that one conjunct is worth.
pub const CASES: u32 = 1_200;

/// The same where a run ends that no state is to take: what it ends in is often about one number more.
pub const AT_AN_END: (u32, u32) = (3, 20_000);

/// Decisions, the last ones, whose objects are at hand.
const DECISIONS: usize = 6;

/// Formulas looked through for numbers.
const LOOKED_THROUGH: usize = 100;

/// The small numbers of each object that is no array, and whose they are.
#[derive(Clone, Default)]
pub struct Numbers {
    of_object: Vec<Vec<TermId>>,
    /// The objects that are below it in a tree.
    below: Vec<Vec<usize>>,
    object: FxHashMap<TermId, usize>,
}

impl Numbers {
    pub fn new(symbolic: &Symbolic<'_>) -> Numbers {
        let mut numbers = Numbers::default();
        for (object, id) in symbolic.space.objects.iter().zip((0u32..).map(ObjId)) {
            let mut own = Vec::new();
            for slot in (0..object.slots.len() as u32).filter(|_| matches!(object.ty, Ty::Class(_))) {
                if let Some(Sym::Int(term)) = symbolic.asked(Location { object: id, slot }) {
                    numbers.object.insert(term, id.index());
                    let is_small =
                        matches!(object.slots[slot as usize], Domain::Int { lo, hi } if hi - lo < MOST_VALUES);
                    own.extend(is_small.then_some(term));
                }
            }
            numbers.of_object.push(own);
            let below = object.slots.iter().flat_map(|domain| match domain {
                Domain::Slot { objects, .. } | Domain::Grow { objects, .. } => &objects[..],
                _ => &[],
            });
            numbers.below.push(below.map(|o| o.index()).collect());
        }
        numbers
    }

    /// Those of the objects that formulas speak of, and of the objects below them, in the order of the formulas.
    fn near(&self, graph: &Graph, formulas: impl Iterator<Item = Lit>) -> Vec<TermId> {
        let mut near = Vec::new();
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        for formula in formulas {
            // What a formula says first is nearer than what it says of parts of parts.
            let mut open = VecDeque::from([formula.node()]);
            for _ in 0..LOOKED_THROUGH {
                let Some(id) = open.pop_front() else { break };
                match graph.node(id) {
                    Node::And(a, b) => open.extend([a.node(), b.node()].into_iter().filter(|n| seen.insert(*n))),
                    Node::AtMost(x, _) => self.add(x, &mut near),
                    Node::Difference(d) => [d.x, d.y].into_iter().for_each(|x| self.add(x, &mut near)),
                    _ => {}
                }
            }
        }
        near
    }

    fn add(&self, x: TermId, near: &mut Vec<TermId>) {
        let Some(&object) = self.object.get(&x) else { return };
        for object in std::iter::once(&object).chain(&self.below[object]) {
            let new: Vec<TermId> = self.of_object[*object].iter().copied().filter(|y| !near.contains(y)).collect();
            near.extend(new);
        }
    }
}

/// The numbers of objects that the path speaks of last, found only where they are wanted.
#[derive(Clone, Copy)]
pub struct Near<'a> {
    pub numbers: &'a Numbers,
    pub path: &'a [Lit],
}

impl Near<'_> {
    /// Of the last decisions, the last one first.
    pub fn find(self, graph: &Graph) -> Vec<TermId> {
        self.numbers.near(graph, self.path.iter().rev().take(DECISIONS).copied())
    }
}

pub struct Cases<'a> {
    pub graph: &'a mut Graph,
    pub propagator: &'a mut Propagator,
    /// What is tried.
    pub numbers: &'a [TermId],
    /// Cases left.
    pub budget: u32,
    /// Numbers that helped before come first.
    pub helpful: &'a mut Vec<TermId>,
}

impl Cases<'_> {
    /// Whether nothing is left of what is known now, seen with so many numbers together.
    pub fn none_is_left(&mut self, most_together: u32) -> bool {
        let mut numbers: Vec<TermId> = self.helpful.iter().copied().filter(|x| self.is_small(*x)).collect();
        for &x in self.numbers {
            if numbers.len() < MOST_NUMBERS && self.is_small(x) && !numbers.contains(&x) {
                numbers.push(x);
            }
        }
        (1..=most_together).any(|together| self.is_refuted(&numbers, together))
    }

    fn is_refuted(&mut self, numbers: &[TermId], together: u32) -> bool {
        numbers.iter().any(|&x| {
            let is_refuted = self.is_small(x) && self.each_value_is_refuted(x, numbers, together);
            if is_refuted {
                self.helpful.retain(|y| *y != x);
                self.helpful.insert(0, x);
                self.helpful.truncate(MOST_HELPFUL);
            }
            is_refuted
        })
    }

    fn each_value_is_refuted(&mut self, x: TermId, numbers: &[TermId], together: u32) -> bool {
        let level = self.propagator.level(self.graph);
        let (lo, hi) = self.graph.bounds(x);
        let mut values = lo..=hi;
        let is_refuted = loop {
            let Some(value) = values.next() else { break true };
            let is_value = self.graph.eq_constant(x, value);
            if !self.value_is_refuted(is_value, numbers, together) {
                break false;
            }
            // Other values are left, or nothing is.
            if !self.propagator.assert(self.graph, !is_value) {
                break true;
            }
        };
        self.propagator.undo_to(self.graph, level);
        is_refuted
    }

    fn value_is_refuted(&mut self, is_value: Lit, numbers: &[TermId], together: u32) -> bool {
        if self.graph.value(is_value) == Some(false) {
            return true;
        }
        if self.budget == 0 {
            return false;
        }
        self.budget -= 1;
        let level = self.propagator.level(self.graph);
        let is_refuted =
            !self.propagator.assert(self.graph, is_value) || together > 1 && self.is_refuted(numbers, together - 1);
        self.propagator.undo_to(self.graph, level);
        is_refuted
    }

    fn is_small(&self, x: TermId) -> bool {
        let (lo, hi) = self.graph.bounds(x);
        matches!(self.graph.term(x), Term::Var(_)) && lo < hi && hi - lo < MOST_VALUES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propagate::tests::formula;
    use formula::{Assignment, Evaluator};
    use work::Chance;

    /// What is refuted by cases has no state, of some formulas that propagation alone does not refute; and nothing stays assumed.
    #[test]
    fn what_is_refuted_by_cases_has_no_state() {
        let mut refuted = 0;
        for seed in 0..8_000 {
            let chance = &mut Chance::new(seed);
            let mut g = Graph::new();
            let ints: Vec<TermId> = (0..3).map(|_| g.int_var(0, 3)).collect();
            let bools: Vec<Lit> = (0..2).map(|_| g.var()).collect();
            let formulas: Vec<Lit> = (0..5 + seed % 4).map(|_| formula(chance, &mut g, &ints, &bools, 3)).collect();
            let mut propagator = Propagator::default();
            if !formulas.iter().all(|&lit| propagator.assert(&mut g, lit)) {
                continue;
            }
            let mark = g.mark();
            let mut helpful = Vec::new();
            let mut cases = Cases {
                graph: &mut g,
                propagator: &mut propagator,
                numbers: &ints,
                budget: CASES,
                helpful: &mut helpful,
            };
            let is_refuted = cases.none_is_left(TOGETHER);
            assert_eq!(g.mark(), mark, "seed {seed}");
            refuted += u32::from(is_refuted);
            for case in (0..256u32).filter(|_| is_refuted) {
                let state = Assignment {
                    bools: bools.iter().zip(0..).map(|(b, i)| (b.node(), case >> i & 1 == 1)).collect(),
                    ints: ints.iter().zip(0..).map(|(&t, i)| (t, i64::from(case >> (2 + 2 * i) & 3))).collect(),
                };
                assert!(!formulas.iter().all(|&lit| Evaluator::new(&state).lit(&g, lit)), "seed {seed}: {state:?}");
            }
        }
        assert!(refuted > 10, "{refuted}");
    }
}
