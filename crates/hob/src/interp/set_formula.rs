//! Evaluating formulas of the specification language on concrete sets.
//!
//! What goes in: a formula and the [values of its names](Names). What comes out: true, false, or None where that depends on something
//! unknown (three values, as Kleene's): never a guess. The universe is infinite (HOB.md 3): besides the objects that exist,
//! quantifiers range over enough others, which belong to no set.

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
}

/// A quantifier over sets tries all subsets of at most so many objects.
const SUBSETS_OF: usize = 16;

/// Atoms evaluated before giving up.
const PATIENCE: u32 = 4_000_000;

pub(crate) fn evaluate(formula: &Formula, names: &mut dyn Names) -> Option<bool> {
    Evaluator::new(formula, names).holds(formula)
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
    /// Objects that exist, and as many others as the formula can tell apart.
    universe: usize,
    patience: u32,
}

impl<'n> Evaluator<'n> {
    fn new(formula: &Formula, names: &'n mut dyn Names) -> Evaluator<'n> {
        let universe = names.objects() + others(formula);
        Evaluator { names, bound: Vec::new(), universe, patience: PATIENCE }
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
            FormulaKind::Uninterpreted(_) => None,
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

    fn over_singletons(&mut self, exists: bool, variable: u32, body: &Formula) -> Option<bool> {
        let universe = self.universe;
        let singletons = (0..universe).map(|n| ObjSet::from_iter([ObjId(n as u32)]));
        self.over(exists, variable, body, singletons)
    }

    fn over_sets(&mut self, exists: bool, variable: u32, body: &Formula) -> Option<bool> {
        let universe = self.universe;
        if universe > SUBSETS_OF {
            return None;
        }
        let subset = |bits: u32| (0..universe as u32).filter(|n| bits >> n & 1 == 1).map(ObjId).collect();
        self.over(exists, variable, body, (0..1u32 << universe).map(subset))
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

/// How many objects outside of all sets the formula can tell apart: one for each quantifier over singletons that is open at once;
/// for quantifiers over sets 2^q (k + 1), where k is the largest number in the formula (HOB.md 7).
fn others(formula: &Formula) -> usize {
    let (singletons, sets, number) = quantifiers(formula);
    if sets == 0 {
        return singletons;
    }
    let depth = (singletons + sets).min(20) as u32;
    (1usize << depth).saturating_mul(number as usize + 1)
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
        FormulaKind::True | FormulaKind::False | FormulaKind::Uninterpreted(_) => {}
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
