//! A formula without quantifiers as gates: one bit per set and column, which is an element or a block of elements that are in the same sets.
//!
//! In: conjuncts and the weights of columns. Out: literals that hold in exactly the models with these columns. A conjunct that says what a
//! variable is (`x = t`, `b <=> F`, `b`) is no constraint but a definition: the variable's bits are those of the term, as the
//! one-point rule would have it, but without rewriting anything. Definitions are not circular: see [`Definitions`].

use super::gates::{Gates, Lit};
use crate::model::Model;
use crate::store::{Compare, Formula, Node, Sort, Store, Term, TermNode, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use work::Clock;

/// More gates than this are not built: about a gigabyte.
const MOST_GATES: usize = 4_000_000;

/// The encoding would not fit, or it is time to stop.
pub(crate) struct TooLarge;

#[derive(Clone, Copy)]
enum Definition {
    Set(Term),
    Bool { formula: Formula, is_negated: bool },
    Constant(bool),
}

/// Variables that top-level conjuncts define, such that no variable depends on itself.
struct Definitions<'a> {
    store: &'a Store,
    of: FxHashMap<Var, Definition>,
    clock: Clock,
}

impl<'a> Definitions<'a> {
    /// The definitions among the conjuncts; what is left is in `rest`.
    fn split(store: &'a Store, conjuncts: &[Formula], rest: &mut Vec<Formula>) -> Definitions<'a> {
        let mut all = Definitions { store, of: FxHashMap::default(), clock: Clock::new(store.stop()) };
        for &conjunct in conjuncts {
            if !all.take(conjunct) {
                rest.push(conjunct);
            }
        }
        all
    }

    fn take(&mut self, conjunct: Formula) -> bool {
        let store = self.store;
        match *store.node(conjunct) {
            Node::Equal(a, b) => [(a, b), (b, a)].into_iter().any(|(left, right)| {
                store.as_variable(left).is_some_and(|var| self.define(var, Definition::Set(right)))
            }),
            Node::Iff(a, b) => [(a, b), (b, a)].into_iter().any(|(left, right)| {
                store
                    .as_literal(left)
                    .is_some_and(|(var, is_negated)| self.define(var, Definition::Bool { formula: right, is_negated }))
            }),
            _ => store
                .as_literal(conjunct)
                .is_some_and(|(var, is_negated)| self.define(var, Definition::Constant(!is_negated))),
        }
    }

    fn define(&mut self, var: Var, definition: Definition) -> bool {
        let is_possible = !self.of.contains_key(&var) && !self.depends(definition, var);
        if is_possible {
            self.of.insert(var, definition);
        }
        is_possible
    }

    /// Also when it is time to stop: a definition that is none costs a constraint, not the answer.
    fn depends(&mut self, definition: Definition, var: Var) -> bool {
        let store = self.store;
        let needs = |definition: Definition| match definition {
            Definition::Set(t) => store.term_free(t),
            Definition::Bool { formula, .. } => store.free(formula),
            Definition::Constant(_) => &[],
        };
        let mut seen: FxHashSet<Var> = FxHashSet::default();
        let mut stack = needs(definition).to_vec();
        while let Some(next) = stack.pop() {
            if next == var || self.clock.step(1) {
                return true;
            }
            if let Some(&definition) = self.of.get(&next)
                && seen.insert(next)
            {
                stack.extend_from_slice(needs(definition));
            }
        }
        false
    }
}

pub(crate) struct Encoding<'a> {
    store: &'a Store,
    pub(crate) gates: Gates,
    /// How many elements each column stands for.
    pub(crate) weights: Vec<usize>,
    /// The first element of each.
    first: Vec<usize>,
    definitions: Definitions<'a>,
    /// Where a term's bits start in `bits`, one per column.
    terms: FxHashMap<Term, usize>,
    /// The same, for variables.
    sets: FxHashMap<Var, usize>,
    bits: Vec<Lit>,
    /// Sets that are not defined, in the order they were met: the rows of the matrix whose columns are ordered.
    pub(crate) rows: Vec<usize>,
    /// Of each column, whether it is there, and in which rows: bit by bit of a number. None: it may be in any, and is there.
    pub(crate) regions: Option<Vec<(Lit, usize)>>,
    bools: FxHashMap<Var, Lit>,
    formulas: FxHashMap<Formula, Lit>,
}

impl<'a> Encoding<'a> {
    /// The encoding, and the literals that must hold.
    pub(crate) fn new(
        store: &'a Store,
        conjuncts: &[Formula],
        weights: &[usize],
    ) -> Result<(Encoding<'a>, Vec<Lit>), TooLarge> {
        let mut rest = Vec::new();
        let definitions = Definitions::split(store, conjuncts, &mut rest);
        let first = weights.iter().scan(0, |next, weight| Some(std::mem::replace(next, *next + weight))).collect();
        let mut gates = Gates::new(store.stop());
        let regions = regions(&definitions, conjuncts, weights, &mut gates);
        let mut encoding = Encoding {
            store,
            gates,
            regions,
            weights: weights.to_vec(),
            first,
            definitions,
            terms: FxHashMap::default(),
            sets: FxHashMap::default(),
            bits: Vec::new(),
            rows: Vec::new(),
            bools: FxHashMap::default(),
            formulas: FxHashMap::default(),
        };
        let mut roots = Vec::with_capacity(rest.len());
        for conjunct in rest {
            let root = encoding.formula(conjunct)?;
            roots.push(root);
            if root == Lit::FALSE {
                break;
            }
        }
        Ok((encoding, roots))
    }

    pub(crate) fn row(&self, start: usize) -> &[Lit] {
        &self.bits[start..start + self.weights.len()]
    }

    fn check_size(&self) -> Result<(), TooLarge> {
        let is_over = self.gates.len() > MOST_GATES || self.bits.len() > MOST_GATES || self.gates.is_stopped();
        if is_over { Err(TooLarge) } else { Ok(()) }
    }

    fn add_bits(&mut self, bits: impl IntoIterator<Item = Lit>) -> usize {
        let start = self.bits.len();
        self.bits.extend(bits);
        start
    }

    fn set(&mut self, var: Var) -> Result<usize, TooLarge> {
        if let Some(&start) = self.sets.get(&var) {
            return Ok(start);
        }
        let start = match self.definitions.of.get(&var) {
            Some(&Definition::Set(t)) => self.term(t)?,
            _ => {
                let row = self.rows.len();
                let bits: Vec<Lit> = match &self.regions {
                    Some(regions) => {
                        let bit =
                            |&(there, region): &(Lit, usize)| if region >> row & 1 == 1 { there } else { Lit::FALSE };
                        regions.iter().map(bit).collect()
                    }
                    None => (0..self.weights.len()).map(|_| self.gates.input()).collect(),
                };
                let start = self.add_bits(bits);
                self.rows.push(start);
                start
            }
        };
        self.sets.insert(var, start);
        Ok(start)
    }

    fn term(&mut self, t: Term) -> Result<usize, TooLarge> {
        if let Some(&start) = self.terms.get(&t) {
            return Ok(start);
        }
        self.check_size()?;
        let start = match self.store.term(t) {
            TermNode::Empty => self.add_bits(std::iter::repeat_n(Lit::FALSE, self.weights.len())),
            TermNode::Var(var) => self.set(*var)?,
            TermNode::Union(parts) => self.each_element(parts, |gates, bits| gates.or(bits.iter().copied()))?,
            TermNode::Inter(parts) if parts.is_empty() => self.each_element(parts, |_, _| Lit::FALSE)?,
            TermNode::Inter(parts) => self.each_element(parts, |gates, bits| gates.and(bits.iter().copied()))?,
            TermNode::Diff(a, b) => self.each_element(&[*a, *b], |gates, bits| gates.and([bits[0], !bits[1]]))?,
        };
        self.terms.insert(t, start);
        Ok(start)
    }

    /// A term's bits, each computed from those of its parts in the same column.
    fn each_element(&mut self, parts: &[Term], gate: fn(&mut Gates, &[Lit]) -> Lit) -> Result<usize, TooLarge> {
        let columns = self.columns(parts, gate)?;
        Ok(self.add_bits(columns))
    }

    fn columns(&mut self, parts: &[Term], gate: fn(&mut Gates, &[Lit]) -> Lit) -> Result<Vec<Lit>, TooLarge> {
        let starts = parts.iter().map(|&part| self.term(part)).collect::<Result<Vec<_>, _>>()?;
        let mut column = Vec::with_capacity(starts.len());
        let mut out = Vec::with_capacity(self.weights.len());
        for at in 0..self.weights.len() {
            column.clear();
            column.extend(starts.iter().map(|start| self.bits[start + at]));
            out.push(gate(&mut self.gates, &column));
        }
        Ok(out)
    }

    fn bool(&mut self, var: Var) -> Result<Lit, TooLarge> {
        if let Some(&lit) = self.bools.get(&var) {
            return Ok(lit);
        }
        let lit = match self.definitions.of.get(&var) {
            Some(&Definition::Constant(value)) => constant(value),
            Some(&Definition::Bool { formula, is_negated }) => {
                let lit = self.formula(formula)?;
                if is_negated { !lit } else { lit }
            }
            _ => self.gates.input(),
        };
        self.bools.insert(var, lit);
        Ok(lit)
    }

    pub(crate) fn formula(&mut self, f: Formula) -> Result<Lit, TooLarge> {
        if let Some(&lit) = self.formulas.get(&f) {
            return Ok(lit);
        }
        self.check_size()?;
        let store = self.store;
        let lit = match store.node(f) {
            Node::True => Lit::TRUE,
            Node::False => Lit::FALSE,
            Node::Bool(var) => self.bool(*var)?,
            Node::Equal(a, b) => self.everywhere(&[*a, *b], |gates, bits| gates.iff(bits[0], bits[1]))?,
            Node::Subset(a, b) => self.everywhere(&[*a, *b], |gates, bits| gates.or([!bits[0], bits[1]]))?,
            Node::Card(t, compare, count) => self.card(*t, *compare, *count)?,
            Node::Disjoint(parts) => self.everywhere(parts, |gates, bits| !at_least(gates, bits, &[], 2))?,
            Node::Not(g) => !self.formula(*g)?,
            Node::And(parts) => {
                let parts = self.all(parts)?;
                self.gates.and(parts)
            }
            Node::Or(parts) => {
                let parts = self.all(parts)?;
                self.gates.or(parts)
            }
            Node::Implies(a, b) => {
                let (a, b) = (self.formula(*a)?, self.formula(*b)?);
                self.gates.or([!a, b])
            }
            Node::Iff(a, b) => {
                let (a, b) = (self.formula(*a)?, self.formula(*b)?);
                self.gates.iff(a, b)
            }
            // Not reached: quantifiers are gone.
            Node::Exists(..) | Node::Forall(..) => return Err(TooLarge),
        };
        self.formulas.insert(f, lit);
        Ok(lit)
    }

    fn all(&mut self, parts: &[Formula]) -> Result<Vec<Lit>, TooLarge> {
        parts.iter().map(|&part| self.formula(part)).collect()
    }

    fn everywhere(&mut self, parts: &[Term], gate: fn(&mut Gates, &[Lit]) -> Lit) -> Result<Lit, TooLarge> {
        let columns = self.columns(parts, gate)?;
        Ok(self.gates.and(columns))
    }

    fn card(&mut self, t: Term, compare: Compare, count: u32) -> Result<Lit, TooLarge> {
        let start = self.term(t)?;
        let bits = self.row(start).to_vec();
        let count = count as usize;
        if bits.len().saturating_mul(count.min(bits.len())) > MOST_GATES {
            return Err(TooLarge);
        }
        let mut least = |count: usize| at_least(&mut self.gates, &bits, &self.weights, count);
        Ok(match compare {
            Compare::AtLeast => least(count),
            Compare::AtMost => !least(count + 1),
            Compare::Equal => {
                let (enough, too_many) = (least(count), least(count + 1));
                self.gates.and([enough, !too_many])
            }
        })
    }

    /// Reads a model off the values of inputs. Takes every variable that occurs, or is defined.
    pub(crate) fn decode(&mut self, input: impl Fn(Lit) -> bool) -> Result<Model, TooLarge> {
        let bits = self.variable_bits()?;
        let values = self.gates.evaluate(input);
        let mut model = Model::new(self.weights.iter().sum());
        for (var, start) in bits {
            let columns = (0..self.weights.len()).filter(|column| self.bits[start + column].value(&values));
            model.put_set(var, columns.flat_map(|column| self.elements_of(column)));
        }
        for (&var, lit) in &self.bools {
            model.put_bool(var, lit.value(&values));
        }
        Ok(model)
    }

    /// The elements that a column stands for.
    pub(crate) fn elements_of(&self, column: usize) -> std::ops::Range<usize> {
        self.first[column]..self.first[column] + self.weights[column]
    }

    /// Where the bits of each set variable are; makes those of defined variables that nothing else mentions.
    pub(crate) fn variable_bits(&mut self) -> Result<Vec<(Var, usize)>, TooLarge> {
        let defined: Vec<(Var, Definition)> = self.definitions.of.iter().map(|(&var, &def)| (var, def)).collect();
        for (var, definition) in defined {
            match definition {
                Definition::Set(_) => _ = self.set(var)?,
                _ => _ = self.bool(var)?,
            }
        }
        let mut all: Vec<(Var, usize)> = self.sets.iter().map(|(&var, &start)| (var, start)).collect();
        all.sort_unstable();
        Ok(all)
    }
}

/// If there are as many blocks of each weight as regions of the sets that are not defined, each block is of one region: then only how many
/// elements a region has is open, and no block is like another. (The sizes of two sets against 1000 and 500: 40 s without.)
fn regions(
    definitions: &Definitions<'_>,
    conjuncts: &[Formula],
    weights: &[usize],
    gates: &mut Gates,
) -> Option<Vec<(Lit, usize)>> {
    let store = definitions.store;
    let mut sets: Vec<Var> = conjuncts.iter().flat_map(|&f| store.free(f)).copied().collect();
    sets.sort_unstable();
    sets.dedup();
    sets.retain(|var| store.sort(*var) == Sort::Set && !definitions.of.contains_key(var));
    let (heaviest, many) = (*weights.first()?, 1usize.checked_shl(u32::try_from(sets.len()).ok()?)?);
    let is_enough = heaviest > 1 && many - 1 <= weights.iter().take_while(|&&weight| weight == heaviest).count();
    is_enough.then(|| {
        let mut place = 0;
        let regions = weights.iter().enumerate().map(|(at, weight)| {
            place = if at > 0 && weights[at - 1] == *weight { place + 1 } else { 1 };
            if place < many { (gates.input(), place) } else { (Lit::FALSE, 0) }
        });
        regions.collect()
    })
}

fn constant(value: bool) -> Lit {
    if value { Lit::TRUE } else { Lit::FALSE }
}

/// Whether `count` of the bits hold, each taken as often as its weight says, or once: a sequential counter, row by row
/// `s[j] := s[j] | (s[j-weight] & bit)`.
fn at_least(gates: &mut Gates, bits: &[Lit], weights: &[usize], count: usize) -> Lit {
    let weight = |at: usize| weights.get(at).copied().unwrap_or(1);
    let total: usize = (0..bits.len()).map(weight).sum();
    if count > total {
        return constant(count == 0);
    }
    let mut least = vec![Lit::FALSE; count + 1];
    least[0] = Lit::TRUE;
    let mut done = 0;
    for (at, &bit) in bits.iter().enumerate() {
        if gates.is_stopped() {
            break;
        }
        done += weight(at);
        for j in (1..=count.min(done)).rev() {
            let more = gates.and([least[j.saturating_sub(weight(at))], bit]);
            least[j] = gates.or([least[j], more]);
        }
    }
    least[count]
}
