//! How many elements are enough: a small-model theorem for formulas without quantifiers.
//!
//! In: formulas without quantifiers, to hold together. Out: `w`, such that they are satisfiable if and only if they are in a model of `w` elements.
//!
//! Proof. Let `M` be a model of `f`, in negation normal form. From each disjunction that holds take one disjunct that holds, from each
//! conjunction take all: the literals reached all hold in `M`, and imply `f`. Choose witnesses for each of them, elements of `M`:
//!
//! | literal | witnesses | how many |
//! | --- | --- | --- |
//! | `t != s` | an element of one and not the other | 1 |
//! | `not t <= s` | an element of `t - s` | 1 |
//! | `not disjoint(..)` | an element of two of the sets | 1 |
//! | `card(t) >= k`, `not card(t) <= k-1` | `k` elements of `t` | k |
//! | `card(t) = k` | the elements of `t` | k |
//! | `not card(t) = k` | `k+1` elements of `t` if it has as many, else none | k+1 |
//! | `t = s`, `t <= s`, `disjoint(..)`, `card(t) <= k`, `not card(t) >= k` | none | 0 |
//!
//! Let `W` be all witnesses and `M|W` the model whose sets are those of `M`, each intersected with `W`. Union, intersection and difference
//! act on each element by itself, so a term that is `T` in `M` is `T & W` in `M|W`. Hence the literals that need no witness still
//! hold: equality, inclusion and disjointness element by element, `|T & W| <= |T| <= k`. Those with witnesses hold because these are in
//! `W`: a difference is still seen; `|T & W| >= k`; for `card(t) = k` all of `T` is in `W`, so `|T & W| = k`; for `not card(t) = k` with
//! fewer than `k` elements there still are, and otherwise at least `k+1`. So `M|W` satisfies `f`, has at most `w` elements, where
//! `w(and) = sum`, `w(or) = max`, and elements outside of all sets can be added up to exactly `w`.
//!
//! A literal that occurs in several places needs its witnesses once, and literals about the size of one term (`t != {}` is one) can share
//! them: the most that one of them needs is enough. So the sum over distinct literals, per term the largest, is a bound too; the
//! smaller of both is taken. That fewer would be wrong is pinned in the tests (`card(A)=1 & card(B)=1 & disjoint(A, B)` needs its 2).

use crate::store::{Compare, Formula, Node, Store, Term, TermNode};
use rustc_hash::FxHashMap;

/// Of a conjunction.
pub(crate) fn elements(store: &Store, conjuncts: &[Formula]) -> u64 {
    let mut weights = Weights { store, done: FxHashMap::default(), distinct: 0, sizes: FxHashMap::default() };
    let sum = weights.all(conjuncts, true, true);
    sum.min(weights.sizes.values().fold(weights.distinct, |all, &most| all.saturating_add(most)))
}

struct Weights<'a> {
    store: &'a Store,
    done: FxHashMap<(Formula, bool), u64>,
    /// Of every literal seen, once, but for those about the size of a term.
    distinct: u64,
    /// The largest of those, by term.
    sizes: FxHashMap<Term, u64>,
}

impl Weights<'_> {
    /// The weight of `f`, or of its negation unless `positive`.
    fn of(&mut self, f: Formula, positive: bool) -> u64 {
        if let Some(&known) = self.done.get(&(f, positive)) {
            return known;
        }
        let store = self.store;
        let weight = match store.node(f) {
            Node::True | Node::False | Node::Bool(_) => 0,
            Node::Equal(t, empty) if *store.term(*empty) == TermNode::Empty => self.size_of(*t, u64::from(!positive)),
            Node::Equal(..) | Node::Subset(..) | Node::Disjoint(_) => {
                self.distinct += u64::from(!positive);
                u64::from(!positive)
            }
            Node::Card(t, compare, count) => {
                let count = u64::from(*count);
                let weight = match (compare, positive) {
                    (Compare::Equal | Compare::AtLeast, true) => count,
                    (Compare::Equal | Compare::AtMost, false) => count + 1,
                    (Compare::AtMost, true) | (Compare::AtLeast, false) => 0,
                };
                self.size_of(*t, weight)
            }
            Node::Not(g) => self.of(*g, !positive),
            Node::And(parts) => self.all(parts, positive, positive),
            Node::Or(parts) => self.all(parts, positive, !positive),
            Node::Implies(a, b) => {
                let (a, b) = (self.of(*a, !positive), self.of(*b, positive));
                if positive { a.max(b) } else { a.saturating_add(b) }
            }
            Node::Iff(a, b) => {
                let one = self.of(*a, true).saturating_add(self.of(*b, positive));
                let other = self.of(*a, false).saturating_add(self.of(*b, !positive));
                one.max(other)
            }
            // Not reached: quantifiers are gone.
            Node::Exists(_, g) | Node::Forall(_, g) => self.of(*g, positive),
        };
        self.done.insert((f, positive), weight);
        weight
    }

    fn size_of(&mut self, t: Term, weight: u64) -> u64 {
        let most = self.sizes.entry(t).or_insert(0);
        *most = weight.max(*most);
        weight
    }

    fn all(&mut self, parts: &[Formula], positive: bool, is_sum: bool) -> u64 {
        let weights = parts.iter().map(|&part| self.of(part, positive));
        if is_sum { weights.fold(0, u64::saturating_add) } else { weights.max().unwrap_or(0) }
    }
}
