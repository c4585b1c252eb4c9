//! A new object is in no named set (docs/hob.md, "Abstraction"), and derived sets are not defined by themselves.
//!
//! The first is decided by evaluating a definition on an object whose fields are 0, false and null and that nothing refers to. What
//! depends on the rest of the heap is unknown, and accepted: only a definition that surely holds of a new object is refused.

use super::resolver::Resolver;
use crate::program::{BinaryOp, Constant, Definition, HeapFormula, HeapTerm, ModuleId, SetDefinition, SpecVarId, Type};
use rustc_hash::FxHashMap;
use source::Span;

/// Definitions of one module, by set.
type Definitions<'p> = FxHashMap<SpecVarId, &'p SetDefinition>;

fn definitions(uses: &[crate::program::PluginUse]) -> Definitions<'_> {
    uses.iter().flat_map(|u| &u.sets).map(|s| (s.variable, s)).collect()
}

impl Resolver<'_, '_> {
    pub(super) fn check_cycles(&mut self, module: ModuleId) {
        let mut found: Vec<(SpecVarId, Span)> = Vec::new();
        let all = definitions(&self.program.module(module).plugins);
        let mut state: FxHashMap<SpecVarId, bool> = FxHashMap::default();
        let mut order: Vec<SpecVarId> = all.keys().copied().collect();
        order.sort();
        for start in order {
            // By hand: a chain of definitions may be long.
            let mut stack = vec![(start, false)];
            while let Some((variable, done)) = stack.pop() {
                if done {
                    state.insert(variable, true);
                    continue;
                }
                match state.get(&variable) {
                    Some(true) => continue,
                    Some(false) => {
                        if let Some(set) = all.get(&variable) {
                            found.push((variable, set.span));
                        }
                        continue;
                    }
                    None => {}
                }
                state.insert(variable, false);
                stack.push((variable, true));
                if let Some(set) = all.get(&variable) {
                    set.definition.names(&mut |v| stack.push((v, false)));
                }
            }
        }
        found.sort();
        found.dedup();
        let is_cyclic = !found.is_empty();
        for (variable, span) in found {
            let message = format!("set `{}` is defined by itself", self.program.spec_var(variable).name);
            self.error("cyclic-definition", span, message, "define it by conditions, or by sets that do not use it");
        }
        if is_cyclic {
            // Nobody may follow them.
            self.program.modules[module.index()].plugins.iter_mut().for_each(|u| u.sets.clear());
        }
    }

    pub(super) fn check_stationarity(&mut self, module: ModuleId) {
        let mut found = Vec::new();
        let all = definitions(&self.program.module(module).plugins);
        let mut known: FxHashMap<SpecVarId, Option<bool>> = FxHashMap::default();
        for set in self.program.module(module).plugins.iter().flat_map(|u| &u.sets) {
            if self.holds(&set.definition, &all, &mut known, 0) == Some(true) {
                found.push((set.variable, set.span));
            }
        }
        for (variable, span) in found {
            let message = format!(
                "every new object is in the set `{}`: all of its fields are 0, false or null",
                self.program.spec_var(variable).name
            );
            let help =
                "a new object must be in no named set: take another constant, such as `x.f = 1`, and set the field";
            self.error("not-stationary", span, message, help);
        }
    }

    /// Of a new object, if that can be told.
    fn holds(
        &self,
        definition: &Definition,
        all: &Definitions,
        known: &mut FxHashMap<SpecVarId, Option<bool>>,
        depth: usize,
    ) -> Option<bool> {
        match definition {
            Definition::Union(a, b) => or(self.holds(a, all, known, depth), self.holds(b, all, known, depth)),
            Definition::Inter(a, b) => and(self.holds(a, all, known, depth), self.holds(b, all, known, depth)),
            Definition::Named(variable) => {
                if let Some(value) = known.get(variable) {
                    return *value;
                }
                // A chain longer than this is left to the analysis.
                let set = all.get(variable).filter(|_| depth < 100)?;
                let value = self.holds(&set.definition, all, known, depth + 1);
                known.insert(*variable, value);
                value
            }
            Definition::Flag { constant, .. } => Some(matches!(constant, Constant::Int(0) | Constant::Bool(false))),
            Definition::Heap { formula, .. } => self.formula_holds(formula),
        }
    }

    fn formula_holds(&self, formula: &HeapFormula) -> Option<bool> {
        match formula {
            HeapFormula::True => Some(true),
            HeapFormula::False => Some(false),
            HeapFormula::Not(inner) => self.formula_holds(inner).map(|b| !b),
            HeapFormula::And(parts) => parts.iter().map(|p| self.formula_holds(p)).reduce(and).flatten(),
            HeapFormula::Or(parts) => parts.iter().map(|p| self.formula_holds(p)).reduce(or).flatten(),
            HeapFormula::Implies(a, b) => or(self.formula_holds(a).map(|b| !b), self.formula_holds(b)),
            HeapFormula::Iff(a, b) => Some(self.formula_holds(a)? == self.formula_holds(b)?),
            HeapFormula::Compare(op, a, b) => self.compare(*op, a, b),
            HeapFormula::Holds(term) => match self.value(term)? {
                Value::Bool(value) => Some(value),
                _ => None,
            },
            // Nothing refers to a new object, but it reaches itself by a route of no steps.
            HeapFormula::Reach(from, _, HeapTerm::Bound(0)) if !matches!(from, HeapTerm::Bound(_)) => Some(false),
            HeapFormula::Reach(..) | HeapFormula::Quantified { .. } => None,
        }
    }

    fn compare(&self, op: BinaryOp, a: &HeapTerm, b: &HeapTerm) -> Option<bool> {
        let is_new = |t: &HeapTerm| matches!(t, HeapTerm::Bound(0));
        let is_old = |t: &HeapTerm| matches!(t, HeapTerm::Global(_) | HeapTerm::Field(..) | HeapTerm::Index(..));
        if is_new(a) && is_old(b) || is_old(a) && is_new(b) {
            // A term that is undefined makes the comparison false; a variable is never undefined.
            let is_variable = matches!((a, b), (HeapTerm::Global(_), _) | (_, HeapTerm::Global(_)));
            return match op {
                BinaryOp::Equal => Some(false),
                _ => is_variable.then_some(true),
            };
        }
        match (self.value(a)?, self.value(b)?) {
            (Value::Int(a), Value::Int(b)) => Some(match op {
                BinaryOp::Equal => a == b,
                BinaryOp::NotEqual => a != b,
                BinaryOp::Less => a < b,
                BinaryOp::AtMost => a <= b,
                BinaryOp::Greater => a > b,
                _ => a >= b,
            }),
            (a, b) => match op {
                BinaryOp::Equal => Some(a == b),
                BinaryOp::NotEqual => Some(a != b),
                _ => None,
            },
        }
    }

    fn value(&self, term: &HeapTerm) -> Option<Value> {
        match term {
            HeapTerm::Null => Some(Value::Null),
            HeapTerm::Int(value) => Some(Value::Int(*value)),
            HeapTerm::Bool(value) => Some(Value::Bool(*value)),
            HeapTerm::Bound(0) => Some(Value::New),
            HeapTerm::Field(inner, field) if matches!(**inner, HeapTerm::Bound(0)) => {
                match self.program.field(*field).ty {
                    Type::Int | Type::Byte => Some(Value::Int(0)),
                    Type::Bool => Some(Value::Bool(false)),
                    Type::Object(_) | Type::Array(_) => Some(Value::Null),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Int(i64),
    Bool(bool),
    Null,
    New,
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}
