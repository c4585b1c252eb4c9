//! Formulas about the concrete heap: which objects a definition puts into a set, and whether an invariant of a representation holds.
//!
//! What goes in: a [`HeapView`] of any heap (the interpreter's, or one that another engine found) and a definition of a
//! [`Program`]. What comes out: the objects, or a truth value; None if a set is nowhere defined, if definitions go in circles, or if
//! a quantifier ranges over something that cannot be enumerated. An atom with an undefined term is false (see [`HeapFormula`]).

use super::objset::ObjSet;
use super::value::ObjId;
use crate::integers::{Free, GREATEST, LEAST, Limit, Linear, Points, Window, conjuncts, limits, points};
use crate::program::*;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
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

    /// A variable of the procedure that the formula stands in.
    fn local(&self, _local: LocalId) -> Option<HeapValue> {
        None
    }

    /// None outside of the bounds.
    fn element(&self, array: u32, index: i64) -> Option<HeapValue>;

    fn length(&self, array: u32) -> i64;
}

/// The objects that a definition puts into its set, in ascending order.
pub fn members(program: &Program, heap: &dyn HeapView, definition: &Definition) -> Option<Vec<ObjId>> {
    Some(member_set(program, heap, definition)?.iter().collect())
}

pub fn member_set<'a>(program: &'a Program, heap: &'a dyn HeapView, definition: &'a Definition) -> Option<ObjSet> {
    Evaluator::new(program, heap).members(definition, &mut Vec::new())
}

/// Whether a formula without free variables holds.
pub fn holds<'a>(program: &'a Program, heap: &'a dyn HeapView, formula: &'a HeapFormula) -> Option<bool> {
    Evaluator::new(program, heap).holds(formula, &mut Vec::new())
}

/// How a set of the specification is defined, if a plugin defines it.
pub fn definition_of(program: &Program, variable: SpecVarId) -> Option<&SetDefinition> {
    let module = program.module(program.spec_var(variable).module);
    module.plugins.iter().flat_map(|plugin| &plugin.sets).find(|set| set.variable == variable)
}

/// The values of quantified variables, innermost last.
type Bindings = Vec<(u32, HeapValue)>;

/// From and to.
type Ranges = Vec<(i64, i64)>;

/// Of a quantified integer that nothing is known about but its limits, no more are tried.
const MOST_TRIED: i64 = 1 << 16;

/// Routes from more objects than that are not remembered.
const REMEMBERED: usize = 4096;

struct Evaluator<'a> {
    program: &'a Program,
    heap: &'a dyn HeapView,
    /// Where a route leads to from an object: a definition asks for the same again for each object it tries.
    routes: RefCell<FxHashMap<(*const Route, ObjId), Rc<ObjSet>>>,
    /// Which integers a quantifier has to try, and what limits them, by its body.
    points: RefCell<FxHashMap<*const HeapFormula, Tried<'a>>>,
}

type Tried<'a> = Rc<(Option<Points<'a>>, Vec<Limit<'a>>)>;

impl<'a> Evaluator<'a> {
    fn new(program: &'a Program, heap: &'a dyn HeapView) -> Evaluator<'a> {
        Evaluator { program, heap, routes: RefCell::default(), points: RefCell::default() }
    }

    /// `within`: the named sets whose definitions we are inside of.
    fn members(&self, definition: &'a Definition, within: &mut Vec<SpecVarId>) -> Option<ObjSet> {
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

    fn holds(&self, formula: &'a HeapFormula, bound: &mut Bindings) -> Option<bool> {
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
                        let ranges = self.integers(*variable, *exists, body, bound)?;
                        let all = ranges.into_iter().flat_map(|(from, to)| from..=to);
                        self.any(all.map(HeapValue::Int), *variable, body, *exists, bound)
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
        body: &'a HeapFormula,
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

    /// The integers that a quantifier has to try, ascending, in ranges: see [`crate::integers`]. None: too many.
    fn integers(&self, variable: u32, exists: bool, body: &'a HeapFormula, bound: &mut Bindings) -> Option<Ranges> {
        let tried = {
            let mut known = self.points.borrow_mut();
            let both = || Rc::new((points(variable, exists, body), limits(variable, exists, body)));
            Rc::clone(known.entry(std::ptr::from_ref(body)).or_insert_with(both))
        };
        let within = self.within(&tried.1, bound);
        let Some(points) = &tried.0 else {
            // Nothing is known about them: all that the limits leave.
            let is_short = within.1.saturating_sub(within.0) < MOST_TRIED;
            return is_short.then(|| if within.0 <= within.1 { vec![within] } else { Vec::new() });
        };
        let mut ranges: Ranges = Vec::new();
        let mut add = |from: i64, to: i64| {
            let (from, to) = (from.max(within.0), to.min(within.1));
            if from <= to {
                ranges.push((from, to));
            }
        };
        for (from, to) in points.ends() {
            add(from, to);
        }
        for mark in &points.marks {
            self.each(&mark.free, bound, &mut |bound| {
                if let Some(value) = self.sum(&mark.value, bound) {
                    add(value.saturating_add(mark.around.0), value.saturating_add(mark.around.1));
                }
            });
        }
        for (window, free) in &points.windows {
            self.each(free, bound, &mut |bound| {
                if let Some((first, last)) = self.window(window, bound) {
                    add(first.saturating_sub(points.spread), last.saturating_add(points.spread + 1));
                }
            });
        }
        ranges.sort_unstable();
        let mut joined: Ranges = Vec::new();
        for (from, to) in ranges {
            match joined.last_mut() {
                Some(last) if from <= last.1 + 1 => last.1 = last.1.max(to),
                _ => joined.push((from, to)),
            }
        }
        Some(joined)
    }

    /// Beyond these a bound in the formula (`0 <= i & i < size`) already decides.
    fn within(&self, limits: &[Limit<'a>], bound: &Bindings) -> (i64, i64) {
        let (mut least, mut most) = (LEAST, GREATEST);
        for Limit { op, factor, value } in limits {
            if !value.terms.iter().all(|(_, term)| is_known(term, bound)) {
                continue;
            }
            let Some(n) = self.sum(value, bound) else { continue };
            // The least number that is n at least, times the factor, and the greatest that is n at most.
            let (up, down) = (-n.saturating_neg().div_euclid(*factor), n.div_euclid(*factor));
            match op {
                BinaryOp::Less => most = most.min(up.saturating_sub(1)),
                BinaryOp::AtMost => most = most.min(down),
                BinaryOp::Greater => least = least.max(down.saturating_add(1)),
                BinaryOp::AtLeast => least = least.max(up),
                BinaryOp::Equal => (least, most) = (least.max(up), most.min(down)),
                _ => {}
            }
        }
        (least, most)
    }

    /// Goes through all values of some variables.
    fn each(&self, free: &[Free<'a>], bound: &mut Bindings, visit: &mut dyn FnMut(&mut Bindings)) {
        let Some((first, rest)) = free.split_first() else { return visit(bound) };
        let mut with = |variable: u32, value: HeapValue| {
            bound.push((variable, value));
            self.each(rest, bound, visit);
            bound.pop();
        };
        match first {
            Free::Object(variable, ty) => {
                for object in self.heap.objects(*ty) {
                    with(*variable, HeapValue::Object(object));
                }
            }
            Free::Bool(variable) => {
                for value in [false, true] {
                    with(*variable, HeapValue::Bool(value));
                }
            }
            Free::Index(variable, window) => {
                let Some((first, last)) = self.window(window, bound) else { return };
                for i in first..=last {
                    bound.push((*variable, HeapValue::Int(i)));
                    self.each(rest, bound, visit);
                    bound.pop();
                }
            }
        }
    }

    /// The first and the last integer of a window.
    fn window(&self, window: &Window<'a>, bound: &Bindings) -> Option<(i64, i64)> {
        let Some(HeapValue::Array(array)) = self.value(window.array, bound) else { return None };
        let (rest, length) = (self.sum(&window.rest, bound)?, self.heap.length(array));
        let ends = (rest.checked_neg()?, length.checked_sub(rest)?.checked_sub(1)?);
        if length == 0 {
            return None;
        }
        Some(if window.sign == 1 { ends } else { (ends.1.checked_neg()?, ends.0.checked_neg()?) })
    }

    fn sum(&self, sum: &Linear<'a>, bound: &Bindings) -> Option<i64> {
        let mut total = sum.constant;
        let integer = |value| match value {
            Some(HeapValue::Int(n)) => Some(n),
            _ => None,
        };
        for (variable, factor) in &sum.variables {
            let value = integer(self.value(&HeapTerm::Bound(*variable), bound))?;
            total = total.checked_add(value.checked_mul(*factor)?)?;
        }
        for (factor, term) in &sum.terms {
            total = total.checked_add(integer(self.value(term, bound))?.checked_mul(*factor)?)?;
        }
        Some(total)
    }

    /// The objects that a definition must try. If it says that x is an element, `exists i. … a[i] = x`, they are those that the
    /// array holds; otherwise all of the type.
    fn candidates(&self, object: TypeId, formula: &'a HeapFormula) -> Vec<ObjId> {
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
        let Some(term @ HeapTerm::Index(array, index)) = given else { return all() };
        if !is_known(array, &Vec::new()) || !matches!(**index, HeapTerm::Bound(v) if v == *variable) {
            return all();
        }
        let Some(HeapValue::Array(array)) = self.value(array, &Vec::new()) else { return Vec::new() };
        let (least, most) = self.within(&limits(*variable, true, body), &Vec::new());
        let mut found = ObjSet::default();
        let mut bound = vec![(*variable, HeapValue::Null)];
        for i in least.max(0)..=most.min(self.heap.length(array) - 1) {
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
            HeapTerm::Local(local) => self.heap.local(*local),
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
            HeapTerm::Arithmetic(op, a, b) => {
                Some(HeapValue::Int(super::arith::unbounded(*op, integer(a)?, integer(b)?)?))
            }
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

/// Whether all variables of a term are bound.
fn is_known(term: &HeapTerm, bound: &Bindings) -> bool {
    match term {
        HeapTerm::Null | HeapTerm::Int(_) | HeapTerm::Bool(_) | HeapTerm::Global(_) | HeapTerm::Local(_) => true,
        HeapTerm::Bound(variable) => bound.iter().any(|(v, _)| v == variable),
        HeapTerm::Field(a, _) | HeapTerm::Length(a) => is_known(a, bound),
        HeapTerm::Index(a, b) | HeapTerm::Arithmetic(_, a, b) => is_known(a, bound) && is_known(b, bound),
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
