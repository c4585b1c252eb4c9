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
//! smaller of both is taken. If `card(t) <= 1` is one of the formulas, the element of `t`, if any, is kept: then a literal whose witness
//! must be that element (`not t <= s`, `not disjoint(t, s)`) needs no other, and all of these share one. That fewer would be wrong is pinned in the tests (`card(A)=1 & card(B)=1 & disjoint(A, B)` needs its 2).
//!
//! With large constants that is many elements, most of which are in the same sets. So elements come in blocks ([`columns`]): a block of weight
//! `2^j` stands for as many elements, all in the same sets. How many blocks are enough: let `M` be a model of at most `w` elements. A term is
//! large if a large constant is compared with its size; of every other term whose size is asked, up to one more than the largest such
//! constant, keep that many elements of `M`, or all; keep the other witnesses of the table. Kept elements are blocks of weight 1. The rest
//! of `M`, without elements of terms that were kept as a whole, gives each of the `d` large terms a size: a sum of vectors in `{0,1}^d`, one for
//! each region of `M`, as often as the region has elements. If there are so many different vectors, `N`, that `2^N > (N+1)^d`, two sets of them
//! have the same sum, and one of them can be left out: the vectors it has are exchanged for those of the other until one is used up (Kuncak, Rinard,
//! "Towards Efficient Satisfiability Checking for Boolean Algebra with Presburger Arithmetic", section 3). So at most the largest `N` with
//! `2^N <= (N+1)^d` regions are enough, each of at most `w` elements, which are a block for each of the digits of their number. Where there
//! are no more regions at all than that, each is given its blocks beforehand ([`super::encode`]), and those of weight 1 beyond are not needed.

use crate::store::{Compare, Formula, Node, Store, Term, TermNode};
use rustc_hash::{FxHashMap, FxHashSet};

/// More are not encoded.
pub(crate) const MOST_ELEMENTS: usize = 1 << 20;

/// Of a conjunction.
pub(crate) fn elements(store: &Store, conjuncts: &[Formula]) -> u64 {
    measured(store, conjuncts).0
}

fn measured<'a>(store: &'a Store, conjuncts: &[Formula]) -> (u64, Weights<'a>) {
    let (done, sizes, told_apart) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
    let mut singles = FxHashSet::default();
    conjuncts.iter().for_each(|&f| add_singles(store, f, &mut singles));
    let mut weights = Weights { store, done, distinct: 0, sizes, told_apart, singles };
    let sum = weights.all(conjuncts, true, true);
    let by_literal = weights.sizes.values().fold(weights.distinct, |all, &most| all.saturating_add(most));
    (sum.min(by_literal), weights)
}

/// Terms that have at most one element wherever the formula holds.
fn add_singles(store: &Store, f: Formula, found: &mut FxHashSet<Term>) {
    match store.node(f) {
        Node::And(parts) => parts.iter().for_each(|&part| add_singles(store, part, found)),
        Node::Card(t, Compare::AtMost | Compare::Equal, 1) => drop(found.insert(*t)),
        _ => {}
    }
}

/// A term is large if it is compared with more than this.
const SMALL: u64 = 16;
/// So many elements are taken one by one.
const FEW: u64 = 64;

/// The weights of blocks that are enough for a conjunction; all are 1 if that is not many more.
pub(crate) fn columns(store: &Store, conjuncts: &[Formula]) -> Vec<usize> {
    let (elements, weights) = measured(store, conjuncts);
    let one_by_one = || vec![1; usize::try_from(elements).unwrap_or(usize::MAX).min(MOST_ELEMENTS)];
    if elements <= FEW {
        return one_by_one();
    }
    let blocks = blocks(elements, &weights, SMALL);
    if (blocks.len() as u64) < elements / 2 { blocks } else { one_by_one() }
}

/// Terms that are compared with more than `small` are large.
fn blocks(elements: u64, weights: &Weights<'_>, small: u64) -> Vec<usize> {
    let (large, small): (Vec<u64>, Vec<u64>) = weights.told_apart.values().partition(|&&most| most > small);
    let units = small.iter().fold(weights.distinct, |all, &most| all.saturating_add(most));
    let digits = (0..=elements.max(1).ilog2().min(MOST_ELEMENTS.ilog2())).rev();
    let regions = regions(large.len()) as usize;
    let heavy = digits.flat_map(|digit| std::iter::repeat_n(1 << digit, regions));
    heavy.chain(std::iter::repeat_n(1, usize::try_from(units).unwrap_or(usize::MAX).min(MOST_ELEMENTS))).collect()
}

/// Different vectors of zeros and ones that are enough to make any sum of such vectors: the largest `N` with `2^N <= (N+1)^terms`.
fn regions(terms: usize) -> u32 {
    let is_possible = |n: &u32| f64::from(*n) <= terms as f64 * f64::from(n + 1).log2() + 1e-9;
    let most = 64 * u32::try_from(terms).unwrap_or(u32::MAX / 64).max(1);
    (0..=most).take_while(is_possible).last().unwrap_or(most)
}

struct Weights<'a> {
    store: &'a Store,
    done: FxHashMap<(Formula, bool), u64>,
    /// Of every literal seen, once, but for those about the size of a term.
    distinct: u64,
    /// The largest of those, by term.
    sizes: FxHashMap<Term, u64>,
    /// Up to what the size of a term matters: one more than the largest constant.
    told_apart: FxHashMap<Term, u64>,
    singles: FxHashSet<Term>,
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
            Node::Equal(t, empty) if *store.term(*empty) == TermNode::Empty => {
                self.size_of(*t, 1, u64::from(!positive))
            }
            Node::Subset(t, _) if !positive && self.singles.contains(t) => self.size_of(*t, 2, 1),
            Node::Disjoint(pair) if !positive && pair.len() == 2 && pair.iter().any(|t| self.singles.contains(t)) => {
                let single = if self.singles.contains(&pair[0]) { pair[0] } else { pair[1] };
                self.size_of(single, 2, 1)
            }
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
                self.size_of(*t, count + 1, weight)
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

    fn size_of(&mut self, t: Term, told_apart: u64, weight: u64) -> u64 {
        let most = self.told_apart.entry(t).or_insert(0);
        *most = told_apart.max(*most);
        let most = self.sizes.entry(t).or_insert(0);
        *most = weight.max(*most);
        weight
    }

    fn all(&mut self, parts: &[Formula], positive: bool, is_sum: bool) -> u64 {
        let weights = parts.iter().map(|&part| self.of(part, positive));
        if is_sum { weights.fold(0, u64::saturating_add) } else { weights.max().unwrap_or(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::solve::{Found, solve};
    use super::super::{Limits, Work};
    use super::*;
    use crate::store::{Options, Sort};
    use work::Chance;

    fn term(chance: &mut Chance, store: &mut Store, sets: &[Term]) -> Term {
        let (a, b) = (sets[chance.below(sets.len())], sets[chance.below(sets.len())]);
        match chance.below(5) {
            0 => store.union([a, b]),
            1 => store.inter([a, b]),
            2 => store.diff(a, b),
            _ => a,
        }
    }

    fn literal(chance: &mut Chance, store: &mut Store, sets: &[Term]) -> Formula {
        let (a, b) = (term(chance, store, sets), term(chance, store, sets));
        let compare = [Compare::Equal, Compare::AtLeast, Compare::AtMost][chance.below(3)];
        let f = match chance.below(8) {
            0 => store.equal(a, b),
            1 => store.subset(a, b),
            2 => store.disjoint([a, b]),
            _ => store.card(a, compare, chance.below(7) as u32),
        };
        if chance.below(3) == 0 { store.not(f) } else { f }
    }

    /// What must be an element of a set of one is that one; of other sets there may be several.
    #[test]
    fn elements_of_sets_of_one_are_shared() {
        let store = &mut Store::new(Options::default());
        let [a, b, c] = ["A", "B", "C"].map(|name| store.variable(name, Sort::Set)).map(|var| store.set(var));
        let (in_b, in_c) = (store.subset(a, b), store.subset(a, c));
        let (apart_b, apart_c) = (store.disjoint([a, b]), store.disjoint([a, c]));
        let single = store.card(a, Compare::AtMost, 1);
        for (one, other) in [(in_b, in_c), (apart_b, apart_c)] {
            let mut asked = vec![store.not(one), store.not(other)];
            assert_eq!(elements(store, &asked), 2);
            asked.push(single);
            assert_eq!(elements(store, &asked), 1);
        }
        // The single one is on the right: the witness is outside of it.
        let (into, also) = (store.subset(b, a), store.subset(c, a));
        let asked = [store.not(into), store.not(also), single];
        assert_eq!(elements(store, &asked), 2);
    }

    /// Blocks have models if and only if enough single elements do, wherever the line between small and large is.
    #[test]
    fn blocks_are_enough() {
        let mut answers = [0; 2];
        for seed in 0..1500 {
            let chance = &mut Chance::new(seed);
            let store = &mut Store::new(Options::default());
            let sets: Vec<Term> =
                ["A", "B", "C"].map(|name| store.variable(name, Sort::Set)).map(|var| store.set(var)).to_vec();
            let mut conjuncts = Vec::new();
            for _ in 0..2 + chance.below(5) {
                let (f, g) = (literal(chance, store, &sets), literal(chance, store, &sets));
                let either = store.or([f, g]);
                conjuncts.push(if chance.below(3) == 0 { either } else { f });
            }
            for &set in sets.iter().take(chance.below(3)) {
                conjuncts.push(store.card(set, Compare::AtMost, 1));
            }
            let has_model = |columns: &[usize]| match solve(
                store,
                &conjuncts,
                columns,
                &Limits::default(),
                false,
                &mut Work::default(),
            )
            .0
            {
                Found::Model(model) => {
                    let wrong = crate::evaluate::violated(store, &conjuncts, &model);
                    assert_eq!(wrong, Some(vec![]), "seed {seed}");
                    true
                }
                Found::Nothing => false,
                Found::Unknown(why) => panic!("seed {seed}: {why}"),
            };
            let (elements, weights) = measured(store, &conjuncts);
            let expected = has_model(&vec![1; elements as usize + 4]);
            assert_eq!(has_model(&vec![1; elements as usize]), expected, "seed {seed}");
            answers[usize::from(expected)] += 1;
            for small in [0, 2, 4] {
                assert_eq!(has_model(&blocks(elements, &weights, small)), expected, "seed {seed}, {small}");
            }
        }
        assert!(answers.iter().all(|&n| n > 200), "{answers:?}");
    }
}
