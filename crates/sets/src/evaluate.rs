//! The meaning of formulas, directly: nothing here is shared with the decision procedures, whose models are replayed by it.
//!
//! In: a formula and a model. Out: its truth value, or `None` if there are too many subsets to go through, or if it is time to stop.
//!
//! A set quantifier ranges over the finite subsets of an infinite universe; going through the subsets of the model's elements and some
//! fresh ones is enough. How many: let `K` be one more than the largest constant a cardinality is compared with (1 if there is none)
//! and `q` the number of set quantifiers on a path. Atoms tell two structures apart only by the sizes of Venn regions up to `K`; by the
//! usual game, with `q` quantifiers to come a region's size matters only up to `2^q * K`. Elements outside of all sets are in no
//! term, so of them only those that quantified sets take matter: at most `2^(q-1) * K`, then `2^(q-2) * K`, ..., in all `(2^q - 1) * K`.
//! Those that are there for the quantifiers to come are not for the taking: the outside never runs out.

use crate::model::Model;
use crate::stack::with_stack;
use crate::store::{Compare, Formula, Node, Sort, Store, Term, TermNode, Var};
use rustc_hash::FxHashMap;
use work::Clock;

/// Visits of nodes before evaluation gives up.
const FUEL: u64 = 1 << 24;
/// Elements whose subsets are gone through one by one.
const MOST_ELEMENTS: usize = 24;

/// `None`: not feasible, or no time left.
pub fn evaluate(store: &Store, f: Formula, model: &Model) -> Option<bool> {
    evaluate_within(store, f, model, FUEL)
}

/// At most `fuel` visits of nodes.
pub(crate) fn evaluate_within(store: &Store, f: Formula, model: &Model, fuel: u64) -> Option<bool> {
    with_stack(store.depth(f), || {
        let quantifiers = Quantifiers::of(store, f);
        let universe = model.elements.checked_add(quantifiers.fresh(f)?)?;
        Evaluation::new(store, model, quantifiers, universe, fuel).formula(f)
    })
}

/// Those of the formulas, which have no quantifiers, that the model makes false. Recursion is the caller's concern.
pub(crate) fn violated(store: &Store, formulas: &[Formula], model: &Model) -> Option<Vec<Formula>> {
    let mut evaluation = Evaluation::new(store, model, Quantifiers::default(), model.elements, FUEL);
    let mut out = Vec::new();
    for &f in formulas {
        if !evaluation.formula(f)? {
            out.push(f);
        }
    }
    Some(out)
}

/// What quantifiers can tell apart.
#[derive(Default)]
struct Quantifiers {
    /// Set quantifiers on the longest path down, by formula.
    depths: FxHashMap<Formula, u32>,
    largest_constant: u32,
}

impl Quantifiers {
    fn of(store: &Store, f: Formula) -> Quantifiers {
        let mut all = Quantifiers::default();
        if store.has_quantifier(f) {
            all.measure(store, f);
        }
        all
    }

    fn measure(&mut self, store: &Store, f: Formula) -> u32 {
        if let Some(&known) = self.depths.get(&f) {
            return known;
        }
        let depth = match store.node(f) {
            Node::Card(_, _, count) => {
                self.largest_constant = self.largest_constant.max(*count);
                0
            }
            Node::Not(g) => self.measure(store, *g),
            Node::And(parts) | Node::Or(parts) => parts.iter().map(|&g| self.measure(store, g)).max().unwrap_or(0),
            Node::Implies(a, b) | Node::Iff(a, b) => self.measure(store, *a).max(self.measure(store, *b)),
            Node::Exists(vars, g) | Node::Forall(vars, g) => {
                self.measure(store, *g).saturating_add(set_count(store, vars))
            }
            _ => 0,
        };
        self.depths.insert(f, depth);
        depth
    }

    fn depth(&self, f: Formula) -> u32 {
        self.depths.get(&f).copied().unwrap_or(0)
    }

    fn fresh(&self, f: Formula) -> Option<usize> {
        self.fresh_below(self.depth(f))
    }

    /// How many elements outside of all sets so many quantifiers can tell apart.
    fn fresh_below(&self, quantifiers: u32) -> Option<usize> {
        let distinct = usize::try_from(self.largest_constant).ok()?.checked_add(1)?;
        1usize.checked_shl(quantifiers).and_then(|all| (all - 1).checked_mul(distinct))
    }
}

fn set_count(store: &Store, vars: &[Var]) -> u32 {
    u32::try_from(vars.iter().filter(|&&var| store.sort(var) == Sort::Set).count()).unwrap_or(u32::MAX)
}

/// The first 64 elements, and the others.
#[derive(Clone, PartialEq, Eq)]
struct Bits {
    first: u64,
    rest: Box<[u64]>,
}

impl Bits {
    fn empty(universe: usize) -> Bits {
        Bits { first: 0, rest: vec![0; universe.saturating_sub(1) / 64].into() }
    }

    fn insert(&mut self, element: usize) {
        let word = match element / 64 {
            0 => &mut self.first,
            word => &mut self.rest[word - 1],
        };
        *word |= 1 << (element % 64);
    }

    fn merge(&mut self, other: &Bits, by: fn(u64, u64) -> u64) {
        self.first = by(self.first, other.first);
        self.rest.iter_mut().zip(&other.rest).for_each(|(a, &b)| *a = by(*a, b));
    }

    fn count(&self) -> u64 {
        let rest: u64 = self.rest.iter().map(|word| u64::from(word.count_ones())).sum();
        rest + u64::from(self.first.count_ones())
    }
}

struct Evaluation<'a> {
    store: &'a Store,
    quantifiers: Quantifiers,
    universe: usize,
    sets: FxHashMap<Var, Bits>,
    bools: FxHashMap<Var, bool>,
    /// Quantifiers around the current place.
    scopes: u32,
    /// Values found outside of all quantifiers, where variables do not change.
    closed: FxHashMap<Formula, bool>,
    closed_terms: FxHashMap<Term, Bits>,
    fuel: u64,
    clock: Clock,
}

impl<'a> Evaluation<'a> {
    fn new(store: &'a Store, model: &Model, quantifiers: Quantifiers, universe: usize, fuel: u64) -> Evaluation<'a> {
        let bits = |members: &[usize]| {
            let mut bits = Bits::empty(universe);
            members.iter().filter(|&&element| element < universe).for_each(|&element| bits.insert(element));
            bits
        };
        let sets = model.sets().map(|(var, members)| (var, bits(members))).collect();
        let bools = model.bools().collect();
        Evaluation {
            store,
            quantifiers,
            universe,
            sets,
            bools,
            scopes: 0,
            closed: FxHashMap::default(),
            closed_terms: FxHashMap::default(),
            fuel,
            clock: Clock::new(store.stop()),
        }
    }

    /// One visit of a node.
    fn spend(&mut self) -> Option<()> {
        self.fuel = self.fuel.checked_sub(1)?;
        (!self.clock.step(1 + self.universe / 64)).then_some(())
    }

    fn term(&mut self, t: Term) -> Option<Bits> {
        if self.scopes == 0
            && let Some(known) = self.closed_terms.get(&t)
        {
            return Some(known.clone());
        }
        self.spend()?;
        let store = self.store;
        let value = match store.term(t) {
            TermNode::Empty => Bits::empty(self.universe),
            TermNode::Var(var) => return Some(self.set(*var)),
            TermNode::Union(parts) => self.fold(parts, |a, b| a | b)?,
            TermNode::Inter(parts) => self.fold(parts, |a, b| a & b)?,
            TermNode::Diff(a, b) => self.fold(&[*a, *b], |a, b| a & !b)?,
        };
        if self.scopes == 0 {
            self.closed_terms.insert(t, value.clone());
        }
        Some(value)
    }

    fn set(&self, var: Var) -> Bits {
        self.sets.get(&var).cloned().unwrap_or_else(|| Bits::empty(self.universe))
    }

    fn fold(&mut self, parts: &[Term], by: fn(u64, u64) -> u64) -> Option<Bits> {
        let Some((&first, others)) = parts.split_first() else { return Some(Bits::empty(self.universe)) };
        let mut all = self.term(first)?;
        for &part in others {
            all.merge(&self.term(part)?, by);
        }
        Some(all)
    }

    fn formula(&mut self, f: Formula) -> Option<bool> {
        self.spend()?;
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
            Node::Equal(a, b) => self.term(*a)? == self.term(*b)?,
            Node::Subset(a, b) => {
                let rest = self.fold(&[*a, *b], |a, b| a & !b)?;
                rest.count() == 0
            }
            Node::Card(t, compare, count) => {
                let size = self.term(*t)?.count();
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
                    let part = self.term(part)?;
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
            Sort::Set => {
                let to_come = self.quantifiers.depth(body).saturating_add(set_count(self.store, others));
                let reserved = self.quantifiers.fresh_below(to_come)?;
                let elements = self.universe.saturating_sub(reserved);
                if elements > MOST_ELEMENTS {
                    return None;
                }
                let outer = self.sets.get(&var).cloned();
                let subsets = 1u64 << elements;
                let none = Bits::empty(self.universe);
                let subset = |i: u64| Bits { first: i, ..none.clone() };
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
