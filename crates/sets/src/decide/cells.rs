//! One set, eliminated: `exists x. F` without `x`, for a formula `F` without quantifiers (the method is in `regions`).
//!
//! Invariant of the search: the sums are those of the regions done so far, each capped where its atom cannot tell more.

use super::budget::{Budget, children, rebuilt};
use crate::store::{Compare, Formula, Node, Store, Term, TermNode, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Regions are two to the power of generators.
const MOST_GENERATORS: usize = 11;
/// One bit each.
const MOST_ATOMS: usize = 64;
/// The largest constant.
const MOST_COUNT: u32 = 200;

/// Atoms of `f` that mention `x`, in order.
pub(super) fn atoms_with(store: &Store, f: Formula, x: Var) -> Vec<Formula> {
    let mut atoms = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![f];
    while let Some(f) = stack.pop() {
        if store.is_free(x, f) && seen.insert(f) {
            let below = children(store.node(f));
            if below.is_empty() {
                atoms.push(f);
            }
            stack.extend(below);
        }
    }
    atoms.sort_unstable();
    atoms
}

/// A term, with generators for what has no `x` in it.
enum Shape {
    Empty,
    X,
    Generator(usize),
    Union(Vec<Shape>),
    Inter(Vec<Shape>),
    Diff(Box<(Shape, Shape)>),
}

impl Shape {
    /// Whether an element of the region, in `x` or not, is in the term.
    fn contains(&self, region: usize, in_x: bool) -> bool {
        match self {
            Shape::Empty => false,
            Shape::X => in_x,
            Shape::Generator(i) => region >> i & 1 == 1,
            Shape::Union(parts) => parts.iter().any(|part| part.contains(region, in_x)),
            Shape::Inter(parts) => parts.iter().all(|part| part.contains(region, in_x)),
            Shape::Diff(pair) => pair.0.contains(region, in_x) && !pair.1.contains(region, in_x),
        }
    }
}

struct Generators<'a> {
    store: &'a mut Store,
    x: Var,
    by_variable: bool,
    terms: Vec<Term>,
}

impl Generators<'_> {
    fn generator(&mut self, t: Term) -> Shape {
        let at = self.terms.iter().position(|&known| known == t).unwrap_or_else(|| {
            self.terms.push(t);
            self.terms.len() - 1
        });
        Shape::Generator(at)
    }

    fn shape(&mut self, t: Term) -> Shape {
        if matches!(self.store.term(t), TermNode::Empty) {
            return Shape::Empty;
        }
        if !self.by_variable && self.store.term_free(t).binary_search(&self.x).is_err() {
            return self.generator(t);
        }
        match self.store.term(t).clone() {
            TermNode::Empty => Shape::Empty,
            TermNode::Var(var) if var == self.x => Shape::X,
            TermNode::Var(_) => self.generator(t),
            TermNode::Union(parts) => {
                let (with, without) = self.split(&parts);
                let mut shapes: Vec<Shape> = with.into_iter().map(|part| self.shape(part)).collect();
                if !without.is_empty() {
                    let rest = self.store.union(without);
                    shapes.push(self.shape(rest));
                }
                Shape::Union(shapes)
            }
            TermNode::Inter(parts) if parts.is_empty() => Shape::Empty,
            TermNode::Inter(parts) => {
                let (with, without) = self.split(&parts);
                let mut shapes: Vec<Shape> = with.into_iter().map(|part| self.shape(part)).collect();
                if !without.is_empty() {
                    let rest = self.store.inter(without);
                    shapes.push(self.shape(rest));
                }
                Shape::Inter(shapes)
            }
            TermNode::Diff(a, b) => Shape::Diff(Box::new((self.shape(a), self.shape(b)))),
        }
    }

    /// Parts to look into, and parts to be taken together as one generator.
    fn split(&self, parts: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let mentions = |t: &&Term| self.by_variable || self.store.term_free(**t).binary_search(&self.x).is_ok();
        parts.iter().partition(mentions)
    }
}

/// What an atom says of a sum.
#[derive(Clone, Copy)]
struct Claim {
    compare: Compare,
    count: u32,
    /// Sums from here on are the same to it.
    cap: u32,
    /// Larger sums make `F` false.
    most: u32,
}

impl Claim {
    fn holds(self, sum: u32) -> bool {
        match self.compare {
            Compare::Equal => sum == self.count,
            Compare::AtMost => sum <= self.count,
            Compare::AtLeast => sum >= self.count,
        }
    }
}

/// Regions whose cells are in the same atoms, taken together.
struct Group {
    term: Term,
    inside: Cell,
    outside: Cell,
}

#[derive(Clone, Copy)]
struct Cell {
    /// Bits of the atoms that count it.
    atoms: u64,
    /// How many of its elements matter.
    cap: u32,
}

pub(super) struct Problem<'a> {
    store: &'a mut Store,
    budget: &'a mut Budget,
    body: Formula,
    atoms: Vec<Formula>,
    claims: Vec<Claim>,
    groups: Vec<Group>,
    /// Elements outside of all generators that are in `x`.
    fresh: Cell,
    done: FxHashMap<(usize, Vec<u32>), Formula>,
    leaves: FxHashMap<u64, Formula>,
}

impl<'a> Problem<'a> {
    pub(super) fn new(
        store: &'a mut Store,
        x: Var,
        body: Formula,
        budget: &'a mut Budget,
    ) -> Result<Problem<'a>, String> {
        let atoms = atoms_with(store, body, x);
        if atoms.len() > MOST_ATOMS {
            return Err(format!("a universal set occurs in {} atoms", atoms.len()));
        }
        let (generators, shapes) = shapes(store, x, &atoms);
        if generators.len() > MOST_GENERATORS {
            return Err(format!("a universal set occurs with {} other sets", generators.len()));
        }
        let claims: Vec<Claim> = atoms.iter().map(|&atom| claim(store, body, atom)).collect();
        if let Some(large) = claims.iter().find(|claim| claim.count > MOST_COUNT) {
            return Err(format!("a universal set is counted up to {}", large.count));
        }
        budget.spend((atoms.len() as u64) << generators.len() >> 4)?;
        let cell = |region: usize, in_x: bool| {
            let counts = |shapes: &Vec<Shape>, node: &Node| {
                let mut of = shapes.iter().map(|shape| shape.contains(region, in_x));
                match node {
                    Node::Equal(..) => of.next() != of.next(),
                    Node::Subset(..) => of.next() == Some(true) && of.next() == Some(false),
                    Node::Disjoint(_) => of.filter(|&is_in| is_in).count() > 1,
                    _ => of.next() == Some(true),
                }
            };
            let counting = (0..atoms.len()).filter(|&i| counts(&shapes[i], store.node(atoms[i])));
            let (mut atoms, mut cap) = (0, 0);
            for i in counting {
                atoms |= 1 << i;
                cap = claims[i].cap.max(cap);
            }
            Cell { atoms, cap }
        };
        let fresh = cell(0, true);
        let mut by_cells: BTreeMap<(u64, u64), (Cell, Cell, Vec<usize>)> = BTreeMap::new();
        for region in 1..1usize << generators.len() {
            let (inside, outside) = (cell(region, true), cell(region, false));
            if inside.atoms != 0 || outside.atoms != 0 {
                let key = (inside.atoms, outside.atoms);
                by_cells.entry(key).or_insert((inside, outside, Vec::new())).2.push(region);
            }
        }
        let mut groups = Vec::with_capacity(by_cells.len());
        for (inside, outside, regions) in by_cells.into_values() {
            groups.push(Group { term: term(store, &generators, &regions), inside, outside });
        }
        let (done, leaves) = (FxHashMap::default(), FxHashMap::default());
        Ok(Problem { store, budget, body, atoms, claims, groups, fresh, done, leaves })
    }

    pub(super) fn solve(mut self) -> Result<Formula, String> {
        let none = vec![0; self.claims.len()];
        let mut ways = Vec::new();
        for count in 0..=self.fresh.cap {
            if let Some(sums) = self.plus(&none, self.fresh, count) {
                ways.push(self.from(0, sums)?);
            }
        }
        Ok(self.store.or(ways))
    }

    /// The sums with a cell's elements; `None` if `F` is false with them.
    fn plus(&self, sums: &[u32], cell: Cell, count: u32) -> Option<Vec<u32>> {
        let mut sums = sums.to_vec();
        for (i, sum) in sums.iter_mut().enumerate() {
            if cell.atoms >> i & 1 == 1 {
                *sum = (*sum + count).min(self.claims[i].cap);
                if *sum > self.claims[i].most {
                    return None;
                }
            }
        }
        Some(sums)
    }

    /// What the generators must be like so that `x` can be chosen in the regions from `at` on.
    fn from(&mut self, at: usize, sums: Vec<u32>) -> Result<Formula, String> {
        let Some(&Group { term, inside, outside }) = self.groups.get(at) else { return self.leaf(&sums) };
        if let Some(&done) = self.done.get(&(at, sums.clone())) {
            return Ok(done);
        }
        let mut sizes_by_sums: BTreeMap<Vec<u32>, Sizes> = BTreeMap::new();
        for within in 0..=inside.cap {
            let Some(sums) = self.plus(&sums, inside, within) else { break };
            for without in 0..=outside.cap {
                self.budget.spend(1)?;
                let Some(sums) = self.plus(&sums, outside, without) else { break };
                let sizes = sizes_by_sums.entry(sums).or_default();
                if within == inside.cap || without == outside.cap {
                    sizes.from = sizes.from.min(within + without);
                } else {
                    sizes.exactly.push(within + without);
                }
            }
        }
        let mut ways = Vec::with_capacity(sizes_by_sums.len());
        for (sums, sizes) in sizes_by_sums {
            let rest = self.from(at + 1, sums)?;
            if *self.store.node(rest) != Node::False {
                let size = sizes.formula(self.store, term);
                ways.push(self.store.and([size, rest]));
            }
        }
        let all = self.store.or(ways);
        self.done.insert((at, sums), all);
        Ok(all)
    }

    /// `F` with the truth values of its atoms.
    fn leaf(&mut self, sums: &[u32]) -> Result<Formula, String> {
        let holding = self.claims.iter().zip(sums).enumerate().filter(|(_, (claim, sum))| claim.holds(**sum));
        let mask = holding.fold(0u64, |mask, (i, _)| mask | 1 << i);
        if let Some(&leaf) = self.leaves.get(&mask) {
            return Ok(leaf);
        }
        self.budget.spend(1 + self.atoms.len() as u64)?;
        let mut values = FxHashMap::default();
        for (i, &atom) in self.atoms.iter().enumerate() {
            values.insert(atom, self.store.truth(mask >> i & 1 == 1));
        }
        let leaf = replace(self.store, self.body, &mut values);
        self.leaves.insert(mask, leaf);
        Ok(leaf)
    }
}

fn replace(store: &mut Store, f: Formula, done: &mut FxHashMap<Formula, Formula>) -> Formula {
    if let Some(&known) = done.get(&f) {
        return known;
    }
    if store.step(1) {
        return f;
    }
    let mut parts = FxHashMap::default();
    for part in children(store.node(f)) {
        parts.insert(part, replace(store, part, done));
    }
    let replaced = rebuilt(store, f, &mut |part| parts[&part]);
    done.insert(f, replaced);
    replaced
}

/// The fewest generators, and by atom the shapes of its terms.
fn shapes(store: &mut Store, x: Var, atoms: &[Formula]) -> (Vec<Term>, Vec<Vec<Shape>>) {
    let mut attempt = |by_variable: bool| {
        let mut generators = Generators { store, x, by_variable, terms: Vec::new() };
        let mut shapes = Vec::with_capacity(atoms.len());
        for &atom in atoms {
            let terms = match generators.store.node(atom) {
                Node::Equal(a, b) | Node::Subset(a, b) => vec![*a, *b],
                Node::Card(t, ..) => vec![*t],
                Node::Disjoint(parts) => parts.to_vec(),
                _ => Vec::new(),
            };
            shapes.push(terms.into_iter().map(|t| generators.shape(t)).collect());
        }
        (generators.terms, shapes)
    };
    let (by_term, by_variable) = (attempt(false), attempt(true));
    if by_variable.0.len() < by_term.0.len() { by_variable } else { by_term }
}

fn claim(store: &Store, body: Formula, atom: Formula) -> Claim {
    let (compare, count) = match *store.node(atom) {
        Node::Card(_, compare, count) => (compare, count),
        _ => (Compare::AtMost, 0),
    };
    let is_required = atom == body || matches!(store.node(body), Node::And(parts) if parts.contains(&atom));
    let cap = if compare == Compare::AtLeast { count } else { count.saturating_add(1) };
    let most = if is_required && compare != Compare::AtLeast { count } else { u32::MAX };
    Claim { compare, count, cap, most }
}

/// How many elements a region may have.
struct Sizes {
    exactly: Vec<u32>,
    /// And all sizes from here on.
    from: u32,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { exactly: Vec::new(), from: u32::MAX }
    }
}

impl Sizes {
    fn formula(mut self, store: &mut Store, term: Term) -> Formula {
        self.exactly.sort_unstable();
        self.exactly.dedup();
        self.exactly.retain(|&size| size < self.from);
        while self.exactly.last().is_some_and(|&last| last + 1 == self.from) {
            self.from -= 1;
            self.exactly.pop();
        }
        // Runs of sizes.
        let mut ways = Vec::new();
        let mut at = 0;
        while at < self.exactly.len() {
            let start = at;
            while at + 1 < self.exactly.len() && self.exactly[at + 1] == self.exactly[at] + 1 {
                at += 1;
            }
            let (low, high) = (self.exactly[start], self.exactly[at]);
            ways.push(if low == high {
                store.card(term, Compare::Equal, low)
            } else {
                let (least, most) = (store.card(term, Compare::AtLeast, low), store.card(term, Compare::AtMost, high));
                store.and([least, most])
            });
            at += 1;
        }
        if self.from < u32::MAX {
            ways.push(store.card(term, Compare::AtLeast, self.from));
        }
        store.or(ways)
    }
}

/// The union of regions, as few cubes as merging neighbours gives. The outside is not among them, so every cube is in some generator.
fn term(store: &mut Store, generators: &[Term], regions: &[usize]) -> Term {
    // Generators that matter, and which of them the cube is in.
    let all = (1usize << generators.len()) - 1;
    let mut cubes: FxHashSet<(usize, usize)> = regions.iter().map(|&region| (all, region)).collect();
    for bit in 0..generators.len() {
        let mut merged = FxHashSet::default();
        for &(care, value) in &cubes {
            let is_pair = care >> bit & 1 == 1 && cubes.contains(&(care, value ^ 1 << bit));
            let off = !(1 << bit);
            merged.insert(if is_pair { (care & off, value & off) } else { (care, value) });
        }
        cubes = merged;
    }
    let mut cubes: Vec<(usize, usize)> = cubes.into_iter().collect();
    cubes.sort_unstable();
    let mut parts = Vec::with_capacity(cubes.len());
    for (care, value) in cubes {
        let with = |wanted: usize| {
            let is_wanted = move |i: &usize| care >> i & 1 == 1 && value >> i & 1 == wanted;
            (0..generators.len()).filter(is_wanted).map(|i| generators[i]).collect::<Vec<_>>()
        };
        let (inside, outside) = (store.inter(with(1)), store.union(with(0)));
        parts.push(store.diff(inside, outside));
    }
    store.union(parts)
}
