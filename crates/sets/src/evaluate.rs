//! The meaning of formulas, directly: nothing here is shared with the decision procedures, whose models are replayed by it.
//!
//! In: a formula and a model. Out: its truth value, or `None` if there are too many subsets to go through.
//!
//! A set quantifier ranges over the finite subsets of an infinite universe; going through the subsets of the model's elements and some
//! fresh ones is enough. How many: let `K` be one more than the largest constant a cardinality is compared with (1 if there is none)
//! and `q` the number of set quantifiers on a path. Atoms tell two structures apart only by the sizes of Venn regions up to `K`; by the
//! usual game, with `q` quantifiers to come a region's size matters only up to `2^q * K`. Elements outside of all sets are in no
//! term, so of them only those that quantified sets take matter: at most `2^(q-1) * K`, then `2^(q-2) * K`, ..., in all `(2^q - 1) * K`.

use crate::model::Model;
use crate::stack::with_stack;
use crate::store::{Compare, Formula, Node, Sort, Store, Term, TermNode, Var};
use rustc_hash::FxHashMap;

/// Visits of nodes before evaluation gives up.
const FUEL: u64 = 1 << 24;
/// Elements whose subsets are gone through one by one.
const MOST_ELEMENTS: usize = 24;

/// `None`: not feasible.
pub fn evaluate(store: &Store, f: Formula, model: &Model) -> Option<bool> {
    evaluate_within(store, f, model, FUEL)
}

/// At most `fuel` visits of nodes.
pub(crate) fn evaluate_within(store: &Store, f: Formula, model: &Model, fuel: u64) -> Option<bool> {
    with_stack(store.depth(f), || {
        let fresh = fresh_elements(store, f)?;
        let universe = model.elements.checked_add(fresh)?;
        let bits = |members: &[usize]| {
            let mut bits = Bits::empty(universe);
            members.iter().filter(|&&element| element < universe).for_each(|&element| bits.insert(element));
            bits
        };
        let sets = model.sets().map(|(var, members)| (var, bits(members))).collect();
        let bools = model.bools().collect();
        Evaluation { store, universe, sets, bools, scopes: 0, closed: FxHashMap::default(), fuel }.formula(f)
    })
}

/// How many elements beyond the model's the quantifiers of `f` can tell apart.
fn fresh_elements(store: &Store, f: Formula) -> Option<usize> {
    if !store.has_quantifier(f) {
        return Some(0);
    }
    let mut seen: FxHashMap<Formula, u32> = FxHashMap::default();
    let mut largest = 0;
    let quantifiers = measure(store, f, &mut seen, &mut largest);
    let distinct = usize::try_from(largest).ok()?.checked_add(1)?;
    1usize.checked_shl(quantifiers).and_then(|all| (all - 1).checked_mul(distinct))
}

/// Set quantifiers on the longest path; on the way, the largest constant.
fn measure(store: &Store, f: Formula, seen: &mut FxHashMap<Formula, u32>, largest: &mut u32) -> u32 {
    if let Some(&known) = seen.get(&f) {
        return known;
    }
    let mut below = |g: Formula| measure(store, g, seen, largest);
    let depth = match store.node(f) {
        Node::Card(_, _, count) => {
            *largest = (*largest).max(*count);
            0
        }
        Node::Not(g) => below(*g),
        Node::And(parts) | Node::Or(parts) => parts.iter().map(|&g| below(g)).max().unwrap_or(0),
        Node::Implies(a, b) | Node::Iff(a, b) => below(*a).max(below(*b)),
        Node::Exists(vars, g) | Node::Forall(vars, g) => {
            let own = vars.iter().filter(|&&var| store.sort(var) == Sort::Set).count();
            below(*g).saturating_add(u32::try_from(own).unwrap_or(u32::MAX))
        }
        _ => 0,
    };
    seen.insert(f, depth);
    depth
}

#[derive(Clone, PartialEq, Eq)]
struct Bits(Box<[u64]>);

impl Bits {
    fn empty(universe: usize) -> Bits {
        Bits(vec![0; universe.div_ceil(64)].into())
    }

    fn insert(&mut self, element: usize) {
        self.0[element / 64] |= 1 << (element % 64);
    }

    fn merge(&mut self, other: &Bits, by: fn(u64, u64) -> u64) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, &b)| *a = by(*a, b));
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

struct Evaluation<'a> {
    store: &'a Store,
    universe: usize,
    sets: FxHashMap<Var, Bits>,
    bools: FxHashMap<Var, bool>,
    /// Quantifiers around the current place.
    scopes: u32,
    /// Values found outside of all quantifiers, where variables do not change.
    closed: FxHashMap<Formula, bool>,
    fuel: u64,
}

impl Evaluation<'_> {
    fn term(&self, t: Term) -> Bits {
        let fold = |first: Bits, others: &[Term], by: fn(u64, u64) -> u64| {
            others.iter().fold(first, |mut all, &part| {
                all.merge(&self.term(part), by);
                all
            })
        };
        match self.store.term(t) {
            TermNode::Empty => Bits::empty(self.universe),
            TermNode::Var(var) => self.sets.get(var).cloned().unwrap_or_else(|| Bits::empty(self.universe)),
            TermNode::Union(parts) => fold(Bits::empty(self.universe), parts, |a, b| a | b),
            TermNode::Inter(parts) => match parts.split_first() {
                Some((&first, others)) => fold(self.term(first), others, |a, b| a & b),
                None => Bits::empty(self.universe),
            },
            TermNode::Diff(a, b) => fold(self.term(*a), &[*b], |a, b| a & !b),
        }
    }

    fn formula(&mut self, f: Formula) -> Option<bool> {
        self.fuel = self.fuel.checked_sub(1)?;
        if self.scopes == 0
            && let Some(&known) = self.closed.get(&f)
        {
            return Some(known);
        }
        let store = self.store;
        let value = match store.node(f) {
            Node::True => true,
            Node::False => false,
            Node::Bool(var) => self.bools.get(var).copied().unwrap_or(false),
            Node::Equal(a, b) => self.term(*a) == self.term(*b),
            Node::Subset(a, b) => {
                let mut rest = self.term(*a);
                rest.merge(&self.term(*b), |a, b| a & !b);
                rest.count() == 0
            }
            Node::Card(t, compare, count) => {
                let size = self.term(*t).count();
                match compare {
                    Compare::Equal => size == u64::from(*count),
                    Compare::AtMost => size <= u64::from(*count),
                    Compare::AtLeast => size >= u64::from(*count),
                }
            }
            Node::Disjoint(parts) => {
                let mut all = Bits::empty(self.universe);
                let mut total = 0;
                for &part in parts {
                    let part = self.term(part);
                    total += part.count();
                    all.merge(&part, |a, b| a | b);
                }
                all.count() == total
            }
            Node::Not(g) => !self.formula(*g)?,
            Node::And(parts) => self.find(parts, false)?,
            Node::Or(parts) => self.find(parts, true)?,
            Node::Implies(a, b) => !self.formula(*a)? || self.formula(*b)?,
            Node::Iff(a, b) => self.formula(*a)? == self.formula(*b)?,
            Node::Exists(vars, g) => self.quantified(vars, *g, true)?,
            Node::Forall(vars, g) => self.quantified(vars, *g, false)?,
        };
        if self.scopes == 0 {
            self.closed.insert(f, value);
        }
        Some(value)
    }

    /// The value of a connective that `settling` settles.
    fn find(&mut self, parts: &[Formula], settling: bool) -> Option<bool> {
        for &part in parts {
            if self.formula(part)? == settling {
                return Some(settling);
            }
        }
        Some(!settling)
    }

    fn quantified(&mut self, vars: &[Var], body: Formula, settling: bool) -> Option<bool> {
        let Some((&var, others)) = vars.split_first() else { return self.formula(body) };
        self.scopes += 1;
        let value = match self.store.sort(var) {
            Sort::Bool => {
                let outer = self.bools.get(&var).copied();
                let value = self.first_of(2, others, body, settling, |this, i| _ = this.bools.insert(var, i == 1));
                self.bools.insert(var, outer.unwrap_or(false));
                value
            }
            Sort::Set if self.universe > MOST_ELEMENTS => None,
            Sort::Set => {
                let outer = self.sets.get(&var).cloned();
                let subsets = 1u64 << self.universe;
                let words = self.universe.div_ceil(64);
                let subset = |i: u64| Bits(if words == 0 { Box::new([]) } else { Box::new([i]) });
                let value =
                    self.first_of(subsets, others, body, settling, |this, i| _ = this.sets.insert(var, subset(i)));
                self.sets.insert(var, outer.unwrap_or_else(|| Bits::empty(self.universe)));
                value
            }
        };
        self.scopes -= 1;
        value
    }

    fn first_of(
        &mut self,
        values: u64,
        others: &[Var],
        body: Formula,
        settling: bool,
        bind: impl Fn(&mut Self, u64),
    ) -> Option<bool> {
        for i in 0..values {
            bind(self, i);
            if self.quantified(others, body, settling)? == settling {
                return Some(settling);
            }
        }
        Some(!settling)
    }
}
