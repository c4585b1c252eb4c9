//! Objects in module variables, fields and arrays (docs/hob.md, "Statements"): what is read twice is the same if nothing that may run in
//! between writes it.
//!
//! What goes in: a procedure. What comes out: the places that it mentions more than once, each followed as a variable would be; what a
//! step may have written is known no longer, or is one of two objects. An element may have several names (`a[i]` and `a[1]`): they are
//! related where one is read or written.

use super::effects::Written;
use super::indexes::{Index, Same, Variable};
use super::reading::Value;
use super::vocabulary::Tracked;
use super::walk::Walk;
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

/// Where an array is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Array {
    Held(Holder),
    /// An element of an array of arrays.
    Row(Holder, Index),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Holder {
    Local(LocalId),
    Global(GlobalId),
    Field(LocalId, FieldId),
}

impl Holder {
    fn read_by(e: &Expr) -> Option<Holder> {
        match &e.kind {
            ExprKind::Local(local) => Some(Holder::Local(*local)),
            ExprKind::Global(global) => Some(Holder::Global(*global)),
            ExprKind::Field(object, field) => match object.kind {
                ExprKind::Local(local) => Some(Holder::Field(local, *field)),
                _ => None,
            },
            _ => None,
        }
    }

    fn index(self) -> Option<Index> {
        let of = match self {
            Holder::Local(local) => Variable::Local(local),
            Holder::Global(global) => Variable::Global(global),
            Holder::Field(..) => return None,
        };
        Some(Index { of: Some(of), plus: 0 })
    }

    fn hangs_on(self, variable: Variable) -> bool {
        match self {
            Holder::Local(local) | Holder::Field(local, _) => variable == Variable::Local(local),
            Holder::Global(global) => variable == Variable::Global(global),
        }
    }
}

impl Array {
    fn read_by(e: &Expr) -> Option<Array> {
        match &e.kind {
            ExprKind::Index(array, index) => Some(Array::Row(Holder::read_by(array)?, Index::read_by(index)?)),
            _ => Holder::read_by(e).map(Array::Held),
        }
    }

    pub fn holder(self) -> Holder {
        let (Array::Held(holder) | Array::Row(holder, _)) = self;
        holder
    }

    /// The same array, found before `variable = value` was run.
    fn before(self, variable: Variable, value: &Expr) -> Option<Array> {
        let array = match self.holder() {
            holder if !holder.hangs_on(variable) => Array::Held(holder),
            Holder::Field(_, field) => match value.kind {
                ExprKind::Local(other) => Array::Held(Holder::Field(other, field)),
                _ => return None,
            },
            Holder::Local(_) | Holder::Global(_) => Array::read_by(value)?,
        };
        match (self, array) {
            (Array::Held(_), array) => Some(array),
            (Array::Row(_, index), Array::Held(holder)) => Some(Array::Row(holder, index.before(variable, value)?)),
            (Array::Row(..), Array::Row(..)) => None,
        }
    }
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
        Some(Spot::Element(Array::read_by(array)?, Index::read_by(index)?))
    }

    fn written_by(place: &Place) -> Option<Spot> {
        match place {
            Place::Local(_) => None,
            Place::Global(global) => Some(Spot::Global(*global)),
            Place::Field(object, field) => Spot::field(object, *field),
            Place::Index(array, index) => Spot::element(array, index),
        }
    }

    /// The indexes that lead there.
    pub fn indexes(self) -> Vec<Index> {
        match self {
            Spot::Element(Array::Held(_), index) => vec![index],
            Spot::Element(Array::Row(_, row), index) => vec![row, index],
            Spot::Global(_) | Spot::Field(..) => Vec::new(),
        }
    }

    /// The variable that holds its array, as a row or not.
    pub fn array(self) -> Option<(bool, Index)> {
        let Spot::Element(array, _) = self else { return None };
        Some((matches!(array, Array::Row(..)), array.holder().index()?))
    }

    /// Whether it is another place once the variable has another value.
    pub fn hangs_on(self, variable: Variable) -> bool {
        let is_held_there = match self {
            Spot::Global(_) => false,
            Spot::Field(object, _) => variable == Variable::Local(object),
            Spot::Element(array, _) => array.holder().hangs_on(variable),
        };
        is_held_there || self.indexes().iter().any(|index| index.of == Some(variable))
    }

    /// Where it was before `variable = value` was run.
    fn before(self, variable: Variable, value: &Expr) -> Option<Spot> {
        match self {
            Spot::Global(_) => Some(self),
            Spot::Field(object, _) if variable != Variable::Local(object) => Some(self),
            Spot::Field(_, field) => Spot::field(value, field),
            Spot::Element(array, index) => {
                Some(Spot::Element(array.before(variable, value)?, index.before(variable, value)?))
            }
        }
    }

    /// Whether a write of this kind may change what is there; the object there is of that type.
    pub fn changes_with(self, ty: Option<TypeId>, written: impl Fn(Written) -> bool) -> bool {
        let of_variable = |v: Variable| matches!(v, Variable::Global(global) if written(Written::Global(global)));
        match self {
            Spot::Global(global) => written(Written::Global(global)),
            Spot::Field(_, field) => written(Written::Field(field)),
            Spot::Element(array, _) => {
                ty.is_none_or(|ty| written(Written::ElementOf(ty)))
                    || matches!(array, Array::Row(..)) && written(Written::Row)
                    || match array.holder() {
                        Holder::Local(_) => false,
                        Holder::Global(global) => written(Written::Global(global)),
                        Holder::Field(_, field) => written(Written::Field(field)),
                    }
                    || self.indexes().iter().any(|index| index.of.is_some_and(of_variable))
            }
        }
    }

    /// Whether an assignment to such a field may change what is there.
    pub fn is_behind(self, field: FieldId) -> bool {
        matches!(self, Spot::Field(_, f) if f == field) || self.array_field().is_some_and(|(_, f)| f == field)
    }

    /// The field that holds its array, and of which variable's object.
    fn array_field(self) -> Option<(LocalId, FieldId)> {
        match self {
            Spot::Element(Array::Held(Holder::Field(local, field)) | Array::Row(Holder::Field(local, field), _), _) => {
                Some((local, field))
            }
            _ => None,
        }
    }
}

/// Places of objects that are followed: those that the procedure mentions more than once, and elements of arrays that it reads if it mentions
/// other elements that may be the same. Each with the type of what is there.
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
        writes.extend(Spot::written_by(place).map(|spot| (spot, element_type(place))));
    });
    twice.extend(writes.iter().map(|(spot, _)| *spot));
    let written = writes.iter().filter_map(|(spot, ty)| Some((*spot, (*ty)?)));
    let mentioned = reads.iter().map(|(spot, ty)| (*spot, *ty)).chain(written);
    let elements: BTreeSet<(TypeId, Spot)> =
        mentioned.filter(|(spot, _)| matches!(spot, Spot::Element(..))).map(|(spot, ty)| (ty, spot)).collect();
    let mut found: BTreeMap<Spot, TypeId> = reads.into_iter().filter(|(spot, _)| twice.contains(spot)).collect();
    for of_type in elements.iter().collect::<Vec<_>>().chunk_by(|a, b| a.0 == b.0) {
        if (2..=MOST).contains(&of_type.len()) {
            found.extend(of_type.iter().map(|(ty, spot)| (*spot, *ty)));
        }
    }
    found
}

/// As many elements of one type that may be the same are followed: each is related to all others.
const MOST: usize = 8;

/// Of the element that is written, if it is an object.
fn element_type(place: &Place) -> Option<TypeId> {
    let Place::Index(array, _) = place else { return None };
    let Type::Array(element) = &array.ty else { return None };
    if let Type::Object(ty) = **element { Some(ty) } else { None }
}

impl<'p> Walk<'_, 'p> {
    /// What is followed at places that something is true of.
    pub fn spots(&self, is: impl Fn(Spot) -> bool) -> Vec<Tracked> {
        let spots = self.v.tracked.keys().filter(|what| matches!(what, Tracked::Spot(spot) if is(*spot)));
        spots.copied().collect()
    }

    /// Where two places are the same: elements of one array with one index.
    fn same_spot(&mut self, a: Spot, b: Spot) -> Same {
        let (Spot::Element(a, i), Spot::Element(b, j)) = (a, b) else { return self.same_if(a == b, false) };
        let index = self.same_index(i, j);
        let array = match (a, b) {
            (Array::Held(a), Array::Held(b)) => self.same_holder(a, b),
            (Array::Row(a, i), Array::Row(b, j)) => {
                let (holder, row) = (self.same_holder(a, b), self.same_index(i, j));
                // Two rows may hold one array.
                let no = self.v.store.truth(false);
                Same { yes: self.v.store.and([holder.yes, row.yes]), no }
            }
            _ => self.same_if(false, false),
        };
        Same { yes: self.v.store.and([array.yes, index.yes]), no: self.v.store.or([array.no, index.no]) }
    }

    fn same_holder(&mut self, a: Holder, b: Holder) -> Same {
        match (a, b) {
            (Holder::Field(x, f), Holder::Field(y, g)) if f == g && x != y => {
                let (x, y) = (self.v.now(Tracked::Local(x)), self.v.now(Tracked::Local(y)));
                // Two objects may hold one array.
                let no = self.v.store.truth(false);
                Same { yes: x.zip(y).map_or(no, |(x, y)| self.same(x, y)), no }
            }
            _ => match (a.index(), b.index()) {
                (Some(a), Some(b)) => self.same_index(a, b),
                _ => self.same_if(a == b, false),
            },
        }
    }

    /// The object at a place, in a name of its own: what follows in the same statement may write there.
    pub fn read_spot(&mut self, fact: Fact, e: &Expr) -> Option<(Fact, Value)> {
        let spot = Spot::read_by(e)?;
        let now = self.v.now(Tracked::Spot(spot))?;
        let mut parts = vec![fact];
        for what in self.spots(|other| other != spot && matches!(other, Spot::Element(..))) {
            let (Tracked::Spot(other), Some(there)) = (what, self.v.now(what)) else { continue };
            if self.v.element_type(there) != self.v.element_type(now) {
                continue;
            }
            let (same, equal) = (self.same_spot(spot, other).yes, self.same(now, there));
            parts.push(self.v.store.implies(same, equal));
        }
        let fact = self.v.store.and(parts);
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

    /// `x.f = a`, an array: nobody else holds another one now.
    pub fn write_array(&mut self, fact: Fact, object: Value, field: FieldId) -> Fact {
        let behind = self.spots(|spot| spot.array_field().is_some_and(|(_, f)| f == field));
        let step = self.step(fact, behind.iter().copied());
        let mut kept = Vec::new();
        for what in behind {
            if let Tracked::Spot(spot) = what
                && let Some((holder, _)) = spot.array_field()
                && let (Some(now), Some(&before)) = (self.v.now(what), step.before.get(&what))
                && let (Some(holder), Value::Set(object)) = (self.v.now(Tracked::Local(holder)), object)
            {
                let holder = self.v.store.set(holder);
                let (is_it, same) = (self.v.store.equal(object, holder), self.same(now, before));
                kept.push(self.v.store.or([is_it, same]));
            }
        }
        self.end_step(step, kept)
    }

    /// `a[i] = y`: it is there, and may be wherever two arrays are the same.
    pub fn write_element(&mut self, fact: Fact, array: &Expr, at: Option<Spot>, value: Value) -> Fact {
        let Type::Array(ty) = &array.ty else { return fact };
        if matches!(**ty, Type::Array(_)) {
            return self.write_row(fact, at);
        }
        let Type::Object(element) = **ty else { return fact };
        let mut changed = self.spots(|spot| matches!(spot, Spot::Element(..)));
        changed.retain(|what| self.v.now(*what).and_then(|now| self.v.element_type(now)) == Some(element));
        self.write_spots(fact, changed, value, ty, |walk, spot, kept, written| {
            let Some(at) = at else { return walk.v.store.or([kept, written]) };
            let same = walk.same_spot(at, spot);
            let parts = [
                walk.v.store.implies(same.yes, written),
                walk.v.store.implies(same.no, kept),
                walk.v.store.or([kept, written]),
            ];
            walk.v.store.and(parts)
        })
    }

    /// `a[i] = b`, an array of arrays: rows with other indexes are where they were.
    fn write_row(&mut self, fact: Fact, at: Option<Spot>) -> Fact {
        let changed = self.spots(|spot| matches!(spot, Spot::Element(Array::Row(..), _)));
        let mut kept = Vec::new();
        let step = self.step(fact, changed.iter().copied());
        for what in changed {
            if let (Some(Spot::Element(_, i)), Tracked::Spot(Spot::Element(Array::Row(_, j), _))) = (at, what)
                && let (Some(now), Some(&before)) = (self.v.now(what), step.before.get(&what))
            {
                let (apart, same) = (self.same_index(i, j).no, self.same(now, before));
                kept.push(self.v.store.implies(apart, same));
            }
        }
        self.end_step(step, kept)
    }

    /// `variable = value`: what is where it leads to now was there before, under another name, or may be anything. The variable itself is
    /// not assigned yet.
    pub fn lead_elsewhere(&mut self, fact: Fact, variable: Variable, value: Option<&Expr>) -> Fact {
        let mut changed = self.spots(|spot| spot.hangs_on(variable));
        changed.extend(self.gaps(variable));
        if changed.is_empty() {
            return fact;
        }
        // By names of their own: the old values may change as well.
        let (mut known, mut relation, mut bound) = (vec![fact], Vec::new(), Vec::new());
        for &what in &changed {
            let (Some(now), Some(value)) = (self.v.now(what), value) else { continue };
            match what {
                Tracked::Spot(spot) => {
                    let before = spot.before(variable, value).and_then(|spot| self.v.now(Tracked::Spot(spot)));
                    let Some(before) = before else { continue };
                    let kept = self.v.hat(now);
                    known.push(self.same(kept, before));
                    relation.push(self.same(now, kept));
                    bound.push(kept);
                }
                Tracked::Gap(gap) => {
                    let same = self.gap_before(gap, variable, value);
                    let is = self.v.store.boolean(now);
                    let is_not = self.v.store.not(is);
                    for (side, then) in [(same.yes, is), (same.no, is_not)] {
                        let kept = self.v.temp_bool();
                        let b = self.v.store.boolean(kept);
                        known.push(self.v.store.iff(b, side));
                        relation.push(self.v.store.implies(b, then));
                        bound.push(kept);
                    }
                }
                _ => {}
            }
        }
        let fact = self.v.store.and(known);
        let mut step = self.step(fact, changed);
        step.hats.extend(bound);
        self.end_step(step, relation)
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
