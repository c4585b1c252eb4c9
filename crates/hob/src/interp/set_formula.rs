//! Evaluating formulas of the specification language on concrete sets.
//!
//! What goes in: a formula and the [values of its names](Names). What comes out: true, false, or None where that depends on something
//! unknown (three values, as Kleene's): never a guess. The universe is infinite (docs/hob.md, "Specification"): besides the objects that
//! exist, quantifiers range over enough others, which belong to no set. Objects that belong to the same sets cannot be told apart, so a
//! quantifier tries one object of each class, or one set for each choice of how many of each class.

use super::abstraction::SpecValue;
use super::objset::ObjSet;
use super::value::ObjId;
use crate::program::*;
use std::rc::Rc;

/// What names stand for.
pub(crate) trait Names {
    fn value(&mut self, name: &NameRef) -> SpecValue;

    /// How many objects exist: those that names stand for have smaller numbers.
    fn objects(&self) -> usize;

    /// Whether a formula about the heap holds.
    fn heap(&mut self, _formula: &HeapFormula) -> Option<bool> {
        None
    }
}

/// Set expressions evaluated before giving up.
const PATIENCE: u32 = 2_000_000;

/// More quantifiers than that within each other, one of them over sets: unknown.
const NESTED: usize = 8;

pub(crate) fn evaluate(formula: &Formula, names: &mut dyn Names) -> Option<bool> {
    Evaluator::new(formula, names)?.holds(formula)
}

/// None: some name is unknown.
pub(crate) fn evaluate_set(expr: &SetExpr, names: &mut dyn Names) -> Option<Rc<ObjSet>> {
    let universe = names.objects();
    Evaluator { names, bound: Vec::new(), free: Vec::new(), universe, large: 0, patience: PATIENCE }.set(expr)
}

/// The smallest part of a false formula that is false by itself: of a conjunction a false conjunct.
pub(crate) fn false_part<'f>(formula: &'f Formula, names: &mut dyn Names) -> &'f Formula {
    let mut found = formula;
    while let FormulaKind::And(parts) = &found.kind {
        match parts.iter().find(|part| evaluate(part, names) == Some(false)) {
            Some(part) => found = part,
            None => break,
        }
    }
    found
}

struct Evaluator<'n> {
    names: &'n mut dyn Names,
    bound: Vec<(u32, Rc<ObjSet>)>,
    /// What the free names stand for; only if there are quantifiers.
    free: Vec<Rc<ObjSet>>,
    /// Objects that exist, and others that open quantifiers may stand for.
    universe: usize,
    /// Classes of at least this size cannot be told apart.
    large: usize,
    patience: u32,
}

impl<'n> Evaluator<'n> {
    fn new(formula: &Formula, names: &'n mut dyn Names) -> Option<Evaluator<'n>> {
        let large = large(formula)?;
        let mut free: Vec<Rc<ObjSet>> = Vec::new();
        if large > 0 {
            names_of(formula, &mut |name| match names.value(name) {
                SpecValue::Set(set) if !free.contains(&set) => free.push(set),
                _ => {}
            });
        }
        let universe = names.objects();
        Some(Evaluator { names, bound: Vec::new(), free, universe, large, patience: PATIENCE })
    }

    fn atom(&mut self) -> Option<()> {
        self.patience = self.patience.checked_sub(1)?;
        Some(())
    }

    fn holds(&mut self, formula: &Formula) -> Option<bool> {
        match &formula.kind {
            FormulaKind::True => Some(true),
            FormulaKind::False => Some(false),
            FormulaKind::Bool(name) => match self.names.value(name) {
                SpecValue::Bool(b) => Some(b),
                _ => None,
            },
            FormulaKind::Equal(a, b) => Some(self.set(a)? == self.set(b)?),
            FormulaKind::NotEqual(a, b) => Some(self.set(a)? != self.set(b)?),
            FormulaKind::Subset(a, b) => Some(self.set(a)?.is_subset(&*self.set(b)?)),
            FormulaKind::Card(a, op, k) => {
                let count = self.set(a)?.len();
                let k = *k as usize;
                Some(match op {
                    CardOp::Equal => count == k,
                    CardOp::AtMost => count <= k,
                    CardOp::AtLeast => count >= k,
                })
            }
            FormulaKind::Disjoint(parts) => {
                let mut seen = ObjSet::default();
                let mut unknown = false;
                for part in parts {
                    let Some(set) = self.set(part) else {
                        unknown = true;
                        continue;
                    };
                    if !set.is_disjoint(&seen) {
                        return Some(false);
                    }
                    seen = seen.union(&set);
                }
                (!unknown).then_some(true)
            }
            FormulaKind::Not(a) => self.holds(a).map(|held| !held),
            FormulaKind::And(parts) => self.any(parts, false).map(|found| !found),
            FormulaKind::Or(parts) => self.any(parts, true),
            FormulaKind::Implies(a, b) => match self.holds(a) {
                Some(false) => Some(true),
                Some(true) => self.holds(b),
                None => (self.holds(b)?).then_some(true),
            },
            FormulaKind::Iff(a, b) => Some(self.holds(a)? == self.holds(b)?),
            FormulaKind::Quantified { exists, variable, set, body, .. } => {
                if *set {
                    self.over_sets(*exists, *variable, body)
                } else {
                    self.over_singletons(*exists, *variable, body)
                }
            }
            FormulaKind::Heap(formula) => self.names.heap(formula),
            FormulaKind::Uninterpreted(_) | FormulaKind::OverRelation(_) => None,
        }
    }

    /// Whether one of them has the truth value.
    fn any(&mut self, parts: &[Formula], wanted: bool) -> Option<bool> {
        let mut unknown = false;
        for part in parts {
            match self.holds(part) {
                Some(held) if held == wanted => return Some(true),
                Some(_) => {}
                None => unknown = true,
            }
        }
        (!unknown).then_some(false)
    }

    /// The objects, those together that are in the same sets; those in none come last.
    fn classes(&self) -> Vec<Vec<ObjId>> {
        let mut classes = vec![(0..self.universe as u32).map(ObjId).collect::<Vec<_>>()];
        for set in self.free.iter().chain(self.bound.iter().map(|(_, set)| set)) {
            let split = classes.into_iter().flat_map(|class| {
                let (inside, outside): (Vec<ObjId>, Vec<ObjId>) = class.into_iter().partition(|o| set.contains(*o));
                [inside, outside]
            });
            classes = split.filter(|class| !class.is_empty()).collect();
        }
        classes
    }

    fn over_singletons(&mut self, exists: bool, variable: u32, body: &Formula) -> Option<bool> {
        self.universe += 1;
        let singletons = self.classes().into_iter().map(|class| class.into_iter().take(1).collect());
        let held = self.over(exists, variable, body, singletons);
        self.universe -= 1;
        held
    }

    fn over_sets(&mut self, exists: bool, variable: u32, body: &Formula) -> Option<bool> {
        let large = self.large;
        self.universe += large;
        let mut classes = self.classes();
        // There is no end of objects in no set: whatever is taken from there, as many are left.
        if let Some(outside) = classes.last_mut() {
            outside.truncate(large);
        }
        let mut counts = Some(vec![0; classes.len()]);
        let sets = std::iter::from_fn(|| {
            let chosen = counts.take()?;
            let set = classes.iter().zip(&chosen).flat_map(|(class, &n)| class[..n].iter().copied()).collect();
            counts = next_counts(chosen, &classes, large);
            Some(set)
        });
        let held = self.over(exists, variable, body, sets);
        self.universe -= large;
        held
    }

    fn over(
        &mut self,
        exists: bool,
        variable: u32,
        body: &Formula,
        domain: impl Iterator<Item = ObjSet>,
    ) -> Option<bool> {
        let mut unknown = false;
        for set in domain {
            self.atom()?;
            self.bound.push((variable, Rc::new(set)));
            let held = self.holds(body);
            self.bound.pop();
            match held {
                Some(held) if held == exists => return Some(exists),
                Some(_) => {}
                None => unknown = true,
            }
        }
        (!unknown).then_some(!exists)
    }

    fn set(&mut self, expr: &SetExpr) -> Option<Rc<ObjSet>> {
        self.atom()?;
        Some(match expr {
            SetExpr::Empty => Rc::default(),
            SetExpr::Name(name) => match name.subject {
                Subject::Bound(variable) => {
                    Rc::clone(&self.bound.iter().rev().find(|(bound, _)| *bound == variable)?.1)
                }
                _ => match self.names.value(name) {
                    SpecValue::Set(set) => set,
                    _ => return None,
                },
            },
            SetExpr::Union(a, b) => Rc::new(self.set(a)?.union(&*self.set(b)?)),
            SetExpr::Inter(a, b) => Rc::new(self.set(a)?.inter(&*self.set(b)?)),
            SetExpr::Diff(a, b) => Rc::new(self.set(a)?.diff(&*self.set(b)?)),
        })
    }
}

/// The next choice of how many of each class; none in the middle of a large class.
fn next_counts(mut counts: Vec<usize>, classes: &[Vec<ObjId>], large: usize) -> Option<Vec<usize>> {
    for (count, class) in counts.iter_mut().zip(classes) {
        if *count < class.len() {
            *count += 1;
            if *count > large && class.len() - *count > large {
                *count = class.len() - large;
            }
            return Some(counts);
        }
        *count = 0;
    }
    None
}

/// How many objects of a class the formula can tell apart: 2^q (k + 1), where q is the depth of quantifiers and k the largest number
/// in the formula (docs/hob.md, "How formulas are decided"). 0 without quantifiers, None if too many.
fn large(formula: &Formula) -> Option<usize> {
    let (singletons, sets, number) = quantifiers(formula);
    match singletons + sets {
        0 => Some(0),
        _ if sets == 0 => Some(1),
        depth if depth > NESTED => None,
        depth => (1usize << depth).checked_mul(number as usize + 1).filter(|&n| n <= 1 << 12),
    }
}

/// The deepest nesting of quantifiers over singletons and over sets, and the largest number.
fn quantifiers(formula: &Formula) -> (usize, usize, u32) {
    let most = |parts: &mut dyn Iterator<Item = &Formula>| {
        parts.map(quantifiers).fold((0, 0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1), a.2.max(b.2)))
    };
    match &formula.kind {
        FormulaKind::Quantified { set, body, .. } => {
            let (singletons, sets, number) = quantifiers(body);
            if *set { (singletons, sets + 1, number) } else { (singletons + 1, sets, number.max(1)) }
        }
        FormulaKind::Card(_, _, k) => (0, 0, *k),
        FormulaKind::Not(a) => quantifiers(a),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => most(&mut parts.iter()),
        FormulaKind::Implies(a, b) | FormulaKind::Iff(a, b) => most(&mut [&**a, &**b].into_iter()),
        _ => (0, 0, 0),
    }
}

/// Calls `each` with every free name of a formula, one after the other as written.
pub(crate) fn names_of(formula: &Formula, each: &mut dyn FnMut(&NameRef)) {
    let sets = |all: &[&SetExpr], each: &mut dyn FnMut(&NameRef)| all.iter().for_each(|set| set_names(set, each));
    match &formula.kind {
        FormulaKind::True
        | FormulaKind::False
        | FormulaKind::Uninterpreted(_)
        | FormulaKind::Heap(_)
        | FormulaKind::OverRelation(_) => {}
        FormulaKind::Bool(name) => each(name),
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) | FormulaKind::Subset(a, b) => sets(&[a, b], each),
        FormulaKind::Card(a, _, _) => sets(&[a], each),
        FormulaKind::Disjoint(parts) => parts.iter().for_each(|part| set_names(part, each)),
        FormulaKind::Not(a) => names_of(a, each),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().for_each(|part| names_of(part, each)),
        FormulaKind::Implies(a, b) | FormulaKind::Iff(a, b) => {
            names_of(a, each);
            names_of(b, each);
        }
        FormulaKind::Quantified { body, .. } => names_of(body, each),
    }
}

fn set_names(set: &SetExpr, each: &mut dyn FnMut(&NameRef)) {
    match set {
        SetExpr::Empty => {}
        SetExpr::Name(name) => {
            if !matches!(name.subject, Subject::Bound(_)) {
                each(name);
            }
        }
        SetExpr::Union(a, b) | SetExpr::Inter(a, b) | SetExpr::Diff(a, b) => {
            set_names(a, each);
            set_names(b, each);
        }
    }
}
