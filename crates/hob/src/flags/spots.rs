//! Objects in module variables, fields and arrays (docs/hob.md, "Statements"): what is read twice is the same if nothing that may run in
//! between writes it.
//!
//! What goes in: a procedure. What comes out: the places that it mentions more than once, each followed as a variable would be; what a
//! step may have written is known no longer, or is one of two objects.

use super::effects::Written;
use super::reading::Value;
use super::vocabulary::Tracked;
use super::walk::{Walk, constant};
use crate::program::*;
use crate::visit;
use sets::{Formula as Fact, Var};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Spot {
    Global(GlobalId),
    Field(LocalId, FieldId),
    Element(Array, Index),
}

/// Which variable holds the array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Array {
    Local(LocalId),
    Global(GlobalId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Index {
    Local(LocalId),
    Constant(i64),
}

impl Spot {
    pub fn read_by(e: &Expr) -> Option<Spot> {
        if !matches!(e.ty, Type::Object(_)) {
            return None;
        }
        match &e.kind {
            ExprKind::Global(global) => Some(Spot::Global(*global)),
            ExprKind::Field(object, field) => Spot::field(object, *field),
            ExprKind::Index(array, index) => Spot::element(array, index),
            _ => None,
        }
    }

    pub fn field(object: &Expr, field: FieldId) -> Option<Spot> {
        if let ExprKind::Local(local) = object.kind { Some(Spot::Field(local, field)) } else { None }
    }

    pub fn element(array: &Expr, index: &Expr) -> Option<Spot> {
        let array = match array.kind {
            ExprKind::Local(local) => Array::Local(local),
            ExprKind::Global(global) => Array::Global(global),
            _ => return None,
        };
        let index = match (&index.kind, constant(index)) {
            (ExprKind::Local(local), _) => Index::Local(*local),
            (_, Some(Constant::Int(n))) => Index::Constant(n),
            _ => return None,
        };
        Some(Spot::Element(array, index))
    }

    fn written_by(place: &Place) -> Option<Spot> {
        match place {
            Place::Local(_) => None,
            Place::Global(global) => Some(Spot::Global(*global)),
            Place::Field(object, field) => Spot::field(object, *field),
            Place::Index(array, index) => Spot::element(array, index),
        }
    }

    /// Whether it is another place once the variable has another value.
    pub fn hangs_on(self, local: LocalId) -> bool {
        match self {
            Spot::Global(_) => false,
            Spot::Field(object, _) => object == local,
            Spot::Element(array, index) => array == Array::Local(local) || index == Index::Local(local),
        }
    }

    /// The same of the module variable that holds an array.
    pub fn hangs_on_global(self, global: GlobalId) -> bool {
        matches!(self, Spot::Element(array, _) if array == Array::Global(global))
    }

    /// Whether a write of this kind may change what is there.
    pub fn changes_with(self, written: impl Fn(Written) -> bool) -> bool {
        match self {
            Spot::Global(global) => written(Written::Global(global)),
            Spot::Field(_, field) => written(Written::Field(field)),
            Spot::Element(Array::Global(global), _) => written(Written::Element) || written(Written::Global(global)),
            Spot::Element(Array::Local(_), _) => written(Written::Element),
        }
    }

    /// Whether they are different for certain.
    fn is_apart(self, other: Spot) -> bool {
        match (self, other) {
            (Spot::Element(a, Index::Constant(i)), Spot::Element(b, Index::Constant(j))) => a == b && i != j,
            _ => false,
        }
    }
}

/// Places of objects that the procedure mentions more than once, with the type of what is there.
pub fn spots(proc: &Proc) -> BTreeMap<Spot, TypeId> {
    let (mut reads, mut writes) = (BTreeMap::new(), Vec::new());
    let mut twice = BTreeSet::new();
    let on_expr = &mut |e: &Expr| {
        if let (Some(spot), Type::Object(ty)) = (Spot::read_by(e), &e.ty)
            && reads.insert(spot, *ty).is_some()
        {
            twice.insert(spot);
        }
    };
    visit::stmts(proc.body.as_deref().unwrap_or_default(), on_expr, &mut |place| {
        writes.extend(Spot::written_by(place))
    });
    twice.extend(writes);
    reads.into_iter().filter(|(spot, _)| twice.contains(spot)).collect()
}

impl<'p> Walk<'_, 'p> {
    /// What is followed at places that something is true of.
    pub fn spots(&self, is: impl Fn(Spot) -> bool) -> Vec<Tracked> {
        let spots = self.v.tracked.keys().filter(|what| matches!(what, Tracked::Spot(spot) if is(*spot)));
        spots.copied().collect()
    }

    /// The object at a place, in a name of its own: what follows in the same statement may write there.
    pub fn read_spot(&mut self, fact: Fact, e: &Expr) -> Option<(Fact, Value)> {
        let now = self.v.now(Tracked::Spot(Spot::read_by(e)?))?;
        let there = Value::Set(self.v.store.set(now));
        let (fact, var) = self.bind_object(fact, there, &e.ty)?;
        Some((fact, Value::Set(self.v.store.set(var))))
    }

    fn bind_object(&mut self, fact: Fact, value: Value, ty: &Type) -> Option<(Fact, Var)> {
        let Value::Set(value) = value else { return None };
        let var = self.v.temp_object(ty);
        self.temps.push(var);
        let set = self.v.store.set(var);
        let same = self.v.store.equal(set, value);
        Some((self.v.store.and([fact, same]), var))
    }

    /// `x.f = y`: whoever is x has it now.
    pub fn write_object(&mut self, fact: Fact, object: Value, field: FieldId, value: Value) -> Fact {
        let changed = self.spots(|spot| matches!(spot, Spot::Field(_, f) if f == field));
        self.write_spots(fact, changed, value, &self.v.program.field(field).ty, |walk, spot, kept, written| {
            let (Spot::Field(local, _), Value::Set(object)) = (spot, object) else {
                return walk.v.store.or([kept, written]);
            };
            let Some(local) = walk.v.now(Tracked::Local(local)) else { return walk.v.store.or([kept, written]) };
            let local = walk.v.store.set(local);
            let is_it = walk.v.store.equal(object, local);
            let is_not = walk.v.store.not(is_it);
            let sides = [walk.v.store.and([is_it, written]), walk.v.store.and([is_not, kept])];
            walk.v.store.or(sides)
        })
    }

    /// `a[i] = y`: it is there, and may be wherever two arrays are the same.
    pub fn write_element(&mut self, fact: Fact, array: &Expr, at: Option<Spot>, value: Value) -> Fact {
        let Type::Array(ty) = &array.ty else { return fact };
        let changed = self.spots(|spot| matches!(spot, Spot::Element(..)) && !at.is_some_and(|at| at.is_apart(spot)));
        self.write_spots(fact, changed, value, ty, |walk, spot, kept, written| {
            if Some(spot) == at { written } else { walk.v.store.or([kept, written]) }
        })
    }

    fn write_spots(
        &mut self,
        fact: Fact,
        changed: Vec<Tracked>,
        value: Value,
        ty: &Type,
        related: impl Fn(&mut Self, Spot, Fact, Fact) -> Fact,
    ) -> Fact {
        if changed.is_empty() || !matches!(ty, Type::Object(_)) {
            return fact;
        }
        let Some((fact, written)) = self.bind_object(fact, value, ty) else {
            let step = self.step(fact, changed);
            return self.end_step(step, []);
        };
        let step = self.step(fact, changed.iter().copied());
        let mut relation = Vec::new();
        for what in changed {
            if let (Tracked::Spot(spot), Some(now), Some(&before)) = (what, self.v.now(what), step.before.get(&what)) {
                let (kept, new) = (self.same(now, before), self.same(now, written));
                relation.push(related(self, spot, kept, new));
            }
        }
        self.end_step(step, relation)
    }
}
