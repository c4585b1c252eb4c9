//! Formulas about the concrete heap: which objects a definition puts into a set, and whether an invariant of a representation holds.
//!
//! What goes in: a [`HeapView`] of any heap (the interpreter's, or one that another engine found) and a definition of a
//! [`Program`]. What comes out: the objects, or a truth value; None if a set is nowhere defined, if definitions go in circles, or if
//! a quantifier ranges over something that cannot be enumerated. An atom with an undefined term is false (see [`HeapFormula`]).

use super::objset::ObjSet;
use super::value::ObjId;
use crate::program::*;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum HeapValue {
    Null,
    /// Of an int, a byte or a char.
    Int(i64),
    Float(f64),
    Bool(bool),
    Object(ObjId),
    /// A number that the view knows the array by.
    Array(u32),
    /// Formulas cannot say anything about it: a text.
    Other,
}

/// What formulas look at.
pub trait HeapView {
    /// Those of the type that exist.
    fn objects(&self, ty: TypeId) -> Vec<ObjId>;

    /// None if the object is not of the field's type.
    fn field(&self, object: ObjId, field: FieldId) -> Option<HeapValue>;

    fn global(&self, global: GlobalId) -> Option<HeapValue>;

    /// None outside of the bounds.
    fn element(&self, array: u32, index: i64) -> Option<HeapValue>;

    fn length(&self, array: u32) -> i64;

    /// The length of the longest array there is; integers that are quantified over are less.
    fn longest_array(&self) -> i64;
}

/// The objects that a definition puts into its set, in ascending order.
pub fn members(program: &Program, heap: &dyn HeapView, definition: &Definition) -> Option<Vec<ObjId>> {
    Some(member_set(program, heap, definition)?.iter().collect())
}

pub fn member_set(program: &Program, heap: &dyn HeapView, definition: &Definition) -> Option<ObjSet> {
    Evaluator::new(program, heap).members(definition, &mut Vec::new())
}

/// Whether a formula without free variables holds.
pub fn holds(program: &Program, heap: &dyn HeapView, formula: &HeapFormula) -> Option<bool> {
    Evaluator::new(program, heap).holds(formula, &mut Vec::new())
}

/// How a set of the specification is defined, if a plugin defines it.
pub fn definition_of(program: &Program, variable: SpecVarId) -> Option<&SetDefinition> {
    let module = program.module(program.spec_var(variable).module);
    module.plugins.iter().flat_map(|plugin| &plugin.sets).find(|set| set.variable == variable)
}

/// The values of quantified variables, innermost last.
type Bindings = Vec<(u32, HeapValue)>;

/// Routes from more objects than that are not remembered.
const REMEMBERED: usize = 4096;

struct Evaluator<'a> {
    program: &'a Program,
    heap: &'a dyn HeapView,
    /// Where a route leads to from an object: a definition asks for the same again for each object it tries.
    routes: RefCell<FxHashMap<(*const Route, ObjId), Rc<ObjSet>>>,
}

impl<'a> Evaluator<'a> {
    fn new(program: &'a Program, heap: &'a dyn HeapView) -> Evaluator<'a> {
        Evaluator { program, heap, routes: RefCell::default() }
    }

    /// `within`: the named sets whose definitions we are inside of.
    fn members(&self, definition: &Definition, within: &mut Vec<SpecVarId>) -> Option<ObjSet> {
        Some(match definition {
            Definition::Union(a, b) => self.members(a, within)?.union(&self.members(b, within)?),
            Definition::Inter(a, b) => self.members(a, within)?.inter(&self.members(b, within)?),
            Definition::Named(variable) => {
                if within.contains(variable) {
                    return None;
                }
                within.push(*variable);
                let members = self.members(&definition_of(self.program, *variable)?.definition, within);
                within.pop();
                members?
            }
            Definition::Flag { object, field, constant } => {
                let is_member = |id: &ObjId| match (self.heap.field(*id, *field), constant) {
                    (Some(HeapValue::Int(n)), Constant::Int(c)) => n == *c,
                    (Some(HeapValue::Bool(b)), Constant::Bool(c)) => b == *c,
                    _ => false,
                };
                self.heap.objects(*object).into_iter().filter(is_member).collect()
            }
            Definition::Heap { object, formula } => {
                let mut set = ObjSet::default();
                for id in self.candidates(*object, formula) {
                    if self.holds(formula, &mut vec![(0, HeapValue::Object(id))])? {
                        set.insert(id);
                    }
                }
                set
            }
        })
    }

    fn holds(&self, formula: &HeapFormula, bound: &mut Bindings) -> Option<bool> {
        Some(match formula {
            HeapFormula::True => true,
            HeapFormula::False => false,
            HeapFormula::Not(a) => !self.holds(a, bound)?,
            HeapFormula::And(all) => {
                for part in all {
                    if !self.holds(part, bound)? {
                        return Some(false);
                    }
                }
                true
            }
            HeapFormula::Or(any) => {
                for part in any {
                    if self.holds(part, bound)? {
                        return Some(true);
                    }
                }
                false
            }
            HeapFormula::Implies(a, b) => !self.holds(a, bound)? || self.holds(b, bound)?,
            HeapFormula::Iff(a, b) => self.holds(a, bound)? == self.holds(b, bound)?,
            HeapFormula::Compare(op, a, b) => {
                let (Some(a), Some(b)) = (self.value(a, bound), self.value(b, bound)) else { return Some(false) };
                compare(*op, a, b)
            }
            HeapFormula::Holds(term) => self.value(term, bound) == Some(HeapValue::Bool(true)),
            HeapFormula::Reach(from, route, to) => {
                let (Some(HeapValue::Object(from)), Some(HeapValue::Object(to))) =
                    (self.value(from, bound), self.value(to, bound))
                else {
                    return Some(false);
                };
                self.reached(from, route).contains(to)
            }
            HeapFormula::Quantified { exists, variable, ty, body, .. } => {
                let found = match ty {
                    Type::Object(ty) => {
                        let all = self.heap.objects(*ty);
                        self.any(all.into_iter().map(HeapValue::Object), *variable, body, *exists, bound)
                    }
                    Type::Int => {
                        let range = self.range(*variable, *exists, body, bound);
                        self.any(range.map(HeapValue::Int), *variable, body, *exists, bound)
                    }
                    Type::Bool => {
                        self.any([false, true].into_iter().map(HeapValue::Bool), *variable, body, *exists, bound)
                    }
                    _ => return None,
                };
                found? == *exists
            }
        })
    }

    /// Whether the body has the truth value for one of these.
    fn any(
        &self,
        domain: impl Iterator<Item = HeapValue>,
        variable: u32,
        body: &HeapFormula,
        wanted: bool,
        bound: &mut Bindings,
    ) -> Option<bool> {
        for value in domain {
            bound.push((variable, value));
            let held = self.holds(body, bound);
            bound.pop();
            if held? == wanted {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The indexes that an integer variable ranges over, without those for which a bound in the formula (`0 <= i & i < size`) already
    /// decides.
    fn range(&self, variable: u32, exists: bool, body: &HeapFormula, bound: &Bindings) -> Range<i64> {
        let mut range = 0..self.heap.longest_array();
        conjuncts(body, exists, &mut |part| {
            let HeapFormula::Compare(op, a, b) = part else { return };
            let (op, limit) = match (a, b) {
                (HeapTerm::Bound(v), limit) if *v == variable => (*op, limit),
                (limit, HeapTerm::Bound(v)) if *v == variable => (mirrored(*op), limit),
                _ => return,
            };
            if !is_known(limit, bound) {
                return;
            }
            match (self.value(limit, bound), op) {
                (Some(HeapValue::Int(n)), BinaryOp::Less) => range.end = range.end.min(n),
                (Some(HeapValue::Int(n)), BinaryOp::AtMost) => range.end = range.end.min(n.saturating_add(1)),
                (Some(HeapValue::Int(n)), BinaryOp::Greater) => range.start = range.start.max(n.saturating_add(1)),
                (Some(HeapValue::Int(n)), BinaryOp::AtLeast) => range.start = range.start.max(n),
                _ => {}
            }
        });
        range
    }

    /// The objects that a definition must try. If it says that x is what some term gives for some index, `exists i. … a[i] = x`, they
    /// are those that the term gives; otherwise all of the type.
    fn candidates(&self, object: TypeId, formula: &HeapFormula) -> Vec<ObjId> {
        let all = || self.heap.objects(object);
        let HeapFormula::Quantified { exists: true, variable, ty: Type::Int, body, .. } = formula else { return all() };
        let mut given = None;
        conjuncts(body, true, &mut |part| {
            if let HeapFormula::Compare(BinaryOp::Equal, a, b) = part {
                match (a, b) {
                    (HeapTerm::Bound(0), term) | (term, HeapTerm::Bound(0)) => given = Some(term),
                    _ => {}
                }
            }
        });
        let mut bound = vec![(*variable, HeapValue::Null)];
        let Some(term) = given.filter(|term| is_known(term, &bound)) else { return all() };
        let mut found = ObjSet::default();
        for i in self.range(*variable, true, body, &Vec::new()) {
            bound[0].1 = HeapValue::Int(i);
            if let Some(HeapValue::Object(id)) = self.value(term, &bound) {
                found.insert(id);
            }
        }
        all().into_iter().filter(|id| found.contains(*id)).collect()
    }

    /// None: undefined.
    fn value(&self, term: &HeapTerm, bound: &Bindings) -> Option<HeapValue> {
        let integer = |term| match self.value(term, bound) {
            Some(HeapValue::Int(n)) => Some(n),
            _ => None,
        };
        match term {
            HeapTerm::Null => Some(HeapValue::Null),
            HeapTerm::Int(n) => Some(HeapValue::Int(*n)),
            HeapTerm::Bool(b) => Some(HeapValue::Bool(*b)),
            HeapTerm::Global(global) => self.heap.global(*global),
            HeapTerm::Bound(variable) => bound.iter().rev().find(|(v, _)| v == variable).map(|(_, value)| *value),
            HeapTerm::Field(object, field) => match self.value(object, bound)? {
                HeapValue::Object(object) => self.heap.field(object, *field),
                _ => None,
            },
            HeapTerm::Index(array, index) => match self.value(array, bound)? {
                HeapValue::Array(array) => self.heap.element(array, integer(index)?),
                _ => None,
            },
            HeapTerm::Length(array) => match self.value(array, bound)? {
                HeapValue::Array(array) => Some(HeapValue::Int(self.heap.length(array))),
                _ => None,
            },
            HeapTerm::Add(a, b) => Some(HeapValue::Int(integer(a)?.checked_add(integer(b)?)?)),
            HeapTerm::Subtract(a, b) => Some(HeapValue::Int(integer(a)?.checked_sub(integer(b)?)?)),
        }
    }

    fn reached(&self, from: ObjId, route: &Route) -> Rc<ObjSet> {
        let key = (std::ptr::from_ref(route), from);
        if let Some(known) = self.routes.borrow().get(&key) {
            return Rc::clone(known);
        }
        let set = Rc::new(self.image(route, &ObjSet::from_iter([from])));
        let mut routes = self.routes.borrow_mut();
        if routes.len() >= REMEMBERED {
            routes.clear();
        }
        routes.insert(key, Rc::clone(&set));
        set
    }

    /// Where the route leads to from any of these objects.
    fn image(&self, route: &Route, from: &ObjSet) -> ObjSet {
        match route {
            Route::Field(field) => from
                .iter()
                .filter_map(|object| match self.heap.field(object, *field) {
                    Some(HeapValue::Object(next)) => Some(next),
                    _ => None,
                })
                .collect(),
            Route::Sequence(parts) => parts.iter().fold(from.clone(), |set, part| self.image(part, &set)),
            Route::Either(parts) => {
                parts.iter().fold(ObjSet::default(), |set, part| set.union(&self.image(part, from)))
            }
            Route::Star(part) => self.closure(part, from),
            Route::Plus(part) => self.closure(part, &self.image(part, from)),
            Route::Optional(part) => from.union(&self.image(part, from)),
        }
    }

    fn closure(&self, part: &Route, from: &ObjSet) -> ObjSet {
        let mut all = from.clone();
        // One object at a time if it is a single field: a list of n objects is then n steps, not n sets.
        if let Route::Field(field) = part {
            let mut waiting: Vec<ObjId> = from.iter().collect();
            while let Some(object) = waiting.pop() {
                if let Some(HeapValue::Object(next)) = self.heap.field(object, *field)
                    && all.insert(next)
                {
                    waiting.push(next);
                }
            }
            return all;
        }
        let mut new = from.clone();
        while !new.is_empty() {
            new = self.image(part, &new).diff(&all);
            all = all.union(&new);
        }
        all
    }
}

/// Calls `each` with the parts that must all hold for the body of an `exists` to be true, or for that of a `forall` to be false;
/// those within further quantifiers of the same kind as well.
fn conjuncts<'f>(body: &'f HeapFormula, exists: bool, each: &mut dyn FnMut(&'f HeapFormula)) {
    match body {
        HeapFormula::Quantified { exists: inner, body, .. } if *inner == exists => conjuncts(body, exists, each),
        HeapFormula::And(parts) if exists => parts.iter().for_each(|part| conjuncts(part, true, each)),
        HeapFormula::Implies(a, _) if !exists => conjuncts(a, true, each),
        _ if exists => each(body),
        _ => {}
    }
}

/// Whether all variables of a term are bound.
fn is_known(term: &HeapTerm, bound: &Bindings) -> bool {
    match term {
        HeapTerm::Null | HeapTerm::Int(_) | HeapTerm::Bool(_) | HeapTerm::Global(_) => true,
        HeapTerm::Bound(variable) => bound.iter().any(|(v, _)| v == variable),
        HeapTerm::Field(a, _) | HeapTerm::Length(a) => is_known(a, bound),
        HeapTerm::Index(a, b) | HeapTerm::Add(a, b) | HeapTerm::Subtract(a, b) => {
            is_known(a, bound) && is_known(b, bound)
        }
    }
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::AtMost => BinaryOp::AtLeast,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::AtLeast => BinaryOp::AtMost,
        other => other,
    }
}

/// Values of different kinds are neither equal nor different: such an atom is undefined, hence false.
fn compare(op: BinaryOp, a: HeapValue, b: HeapValue) -> bool {
    use HeapValue::{Array, Bool, Float, Int, Null, Object};
    let ordering = match (a, b) {
        (Int(a), Int(b)) => Some(a.cmp(&b)),
        (Float(a), Float(b)) => a.partial_cmp(&b),
        (Int(a), Float(b)) => (a as f64).partial_cmp(&b),
        (Float(a), Int(b)) => a.partial_cmp(&(b as f64)),
        (Bool(_), Bool(_)) | (Null | Object(_), Null | Object(_)) | (Null | Array(_), Null | Array(_)) => {
            return match op {
                BinaryOp::Equal => a == b,
                BinaryOp::NotEqual => a != b,
                _ => false,
            };
        }
        _ => return false,
    };
    match op {
        BinaryOp::Equal => ordering.is_some_and(|o| o.is_eq()),
        BinaryOp::NotEqual => !ordering.is_some_and(|o| o.is_eq()),
        BinaryOp::Less => ordering.is_some_and(|o| o.is_lt()),
        BinaryOp::AtMost => ordering.is_some_and(|o| o.is_le()),
        BinaryOp::Greater => ordering.is_some_and(|o| o.is_gt()),
        BinaryOp::AtLeast => ordering.is_some_and(|o| o.is_ge()),
        _ => false,
    }
}
