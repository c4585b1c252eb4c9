//! What expressions read from the heap and, in declarative code, write to objects of their own: fields, elements, arrays.
//! Each read answers with the value and when there is nothing to read from.

use crate::heap::{Fresh, Place};
use crate::oracle::Stop;
use crate::symbolic::Symbolic;
use crate::value::{Obj, RefId, Refs, Sym};
use formula::{Lit, TermId};
use ir::*;
use rustc_hash::FxHashMap;

impl Symbolic<'_> {
    /// RD-FIELD-READ: the value, and when there is nothing to read from.
    pub fn field(&mut self, object: RefId, field: FieldId) -> (Sym, Lit) {
        let slot = self.field_slots[field.index()];
        if let Some(obj) = self.refs.only(object)
            && obj != Obj::NULL
            && self.has_field(obj, field)
        {
            let value = self.read_slot(obj, slot);
            return (self.narrow(value), Lit::FALSE);
        }
        if let Refs::Choice { index, table } = *self.refs.get(object)
            && self.program.class(self.program.field(field).class).kind == ClassKind::Box
            && let Some(value) = self.unboxed(index, table, self.program.field(field).class)
        {
            return (self.narrow(Sym::Int(value)), self.is_null(object));
        }
        let mut parts = Vec::new();
        let mut missing = Lit::FALSE;
        for (obj, guard) in self.alternatives(object) {
            if obj == Obj::NULL {
                missing = guard;
            } else if self.has_field(obj, field) {
                let value = self.read_slot(obj, slot);
                parts.push((guard, value));
            }
        }
        match self.select(parts) {
            Some(value) => (self.narrow(value), missing),
            None => (self.default_of(self.program.field(field).ty), Lit::TRUE),
        }
    }

    /// An alternative of another class cannot be the object whenever the code is well typed.
    fn has_field(&self, obj: Obj, field: FieldId) -> bool {
        match self.ty_of(obj) {
            Ty::Class(class) => self.program.is_subclass(class, self.program.field(field).class),
            _ => false,
        }
    }

    pub fn length_of(&mut self, array: RefId) -> (TermId, Lit) {
        let mut parts = Vec::new();
        let mut missing = Lit::FALSE;
        for (obj, guard) in self.alternatives(array) {
            if obj == Obj::NULL {
                missing = guard;
            } else if matches!(self.ty_of(obj), Ty::Array(_)) {
                let length = Sym::Int(self.length(obj));
                parts.push((guard, length));
            }
        }
        match self.select(parts) {
            Some(Sym::Int(length)) => (length, missing),
            _ => (self.graph.constant(0), Lit::TRUE),
        }
    }

    /// An element at an index that need not be known.
    pub fn element(&mut self, array: RefId, index: TermId, ty: Ty) -> (Sym, Lit) {
        let mut parts = Vec::new();
        let mut error = Lit::FALSE;
        for (obj, guard) in self.alternatives(array) {
            if obj == Obj::NULL {
                error = self.graph.or(error, guard);
                continue;
            }
            let outside = self.is_outside(obj, index);
            let outside = self.graph.and(guard, outside);
            error = self.graph.or(error, outside);
            let (lo, hi) = self.graph.bounds(index);
            let length = self.length(obj);
            let (_, longest) = self.graph.bounds(length);
            for i in lo.max(0)..=hi.min(longest - 1) {
                let here = self.graph.eq_constant(index, i);
                let here = self.graph.and(guard, here);
                if here != Lit::FALSE {
                    let value = self.read_slot(obj, i as u32);
                    parts.push((here, value));
                }
            }
        }
        match self.select(parts) {
            Some(value) => (self.narrow(value), error),
            None => (self.default_of(ty), Lit::TRUE),
        }
    }

    /// Whether a reference is an object of a type; null is not.
    pub fn instance_of(&mut self, id: RefId, ty: Ty) -> Lit {
        self.is_one(id, |s, obj| obj != Obj::NULL && s.program.is_subtype(s.ty_of(obj), ty))
    }

    /// Whether a reference may be held as one of a type: null may.
    pub fn fits(&mut self, id: RefId, ty: Ty) -> Lit {
        self.is_one(id, |s, obj| obj == Obj::NULL || s.program.is_subtype(s.ty_of(obj), ty))
    }

    fn is_one(&mut self, id: RefId, of: impl Fn(&Self, Obj) -> bool) -> Lit {
        if let Refs::Choice { index, table } = *self.refs.get(id)
            && self.refs.tables[table as usize].is_exact
        {
            let mut places: Vec<(i64, i64)> = Vec::new();
            for (place, &obj) in (0..).zip(&self.refs.tables[table as usize].objects) {
                match places.last_mut() {
                    _ if !of(self, obj) => {}
                    Some((_, last)) if *last + 1 == place => *last = place,
                    _ => places.push((place, place)),
                }
            }
            return self.is_within(index, &places, &mut FxHashMap::default());
        }
        let mut any = Lit::FALSE;
        for (obj, guard) in self.alternatives(id) {
            if of(self, obj) {
                any = self.graph.or(any, guard);
            }
        }
        any
    }

    /// Whether an index is within one of these intervals: asked where the value is, along a chain of conditionals.
    fn is_within(&mut self, index: TermId, places: &[(i64, i64)], made: &mut FxHashMap<TermId, Lit>) -> Lit {
        let index = self.graph.narrow(index);
        if let Some(&lit) = made.get(&index) {
            return lit;
        }
        let lit = if let formula::Term::Ite(c, x, y) = self.graph.term(index) {
            let (x, y) = (self.is_within(x, places, made), self.is_within(y, places, made));
            self.graph.ite(c, x, y)
        } else {
            let mut any = Lit::FALSE;
            for &(first, last) in places {
                let (first, last) = (self.graph.constant(first), self.graph.constant(last));
                let (above, below) = (self.graph.le(first, index), self.graph.le(index, last));
                let within = self.graph.and(above, below);
                any = self.graph.or(any, within);
            }
            any
        };
        made.insert(index, lit);
        lit
    }

    /// An assignment to a field of an object that declarative code made itself.
    pub(super) fn fill(&mut self, object: RefId, slot: u32, value: Sym, e: &Expr) -> Result<Lit, Stop> {
        match self.known_object(object) {
            Some(Obj::NULL) => Ok(Lit::TRUE),
            Some(obj) if self.heap.is_fresh(obj) => {
                self.fill_slot(obj, slot, value, Lit::TRUE);
                Ok(Lit::FALSE)
            }
            _ => Err(Stop::unsupported(e, "a write to an existing object in declarative code")),
        }
    }

    /// An assignment to an element of an array that the present method made itself, at an index that need not be known.
    pub(super) fn store(&mut self, array: RefId, index: TermId, value: Sym, e: &Expr) -> Result<Lit, Stop> {
        let mut error = Lit::FALSE;
        for (obj, guard) in self.alternatives(array) {
            if obj == Obj::NULL {
                error = self.graph.or(error, guard);
                continue;
            }
            if obj.is_before() || obj.index() < self.heap.space_objects + self.own {
                return Err(Stop::unsupported(e, "a write to an array that was not made here, in declarative code"));
            }
            let mut bad = self.is_outside(obj, index);
            if let (Sym::Ref(id), Ty::Array(ty)) = (value, self.ty_of(obj)) {
                let element = self.program.element_ty(ty);
                let passes = self.fits(id, element);
                bad = self.graph.or(bad, !passes);
            }
            let bad = self.graph.and(guard, bad);
            error = self.graph.or(error, bad);
            let (lo, hi) = self.graph.bounds(index);
            let longest = self.heap.fresh(obj).slots.len() as i64;
            for i in lo.max(0)..=hi.min(longest - 1) {
                let here = self.graph.eq_constant(index, i);
                let here = self.graph.and(guard, here);
                if here != Lit::FALSE {
                    self.fill_slot(obj, i as u32, value, here);
                }
            }
        }
        Ok(error)
    }

    /// When an index is not one of an array's.
    fn is_outside(&mut self, array: Obj, index: TermId) -> Lit {
        let length = self.length(array);
        let zero = self.graph.constant(0);
        let (low, high) = (self.graph.lt(index, zero), self.graph.le(length, index));
        self.graph.or(low, high)
    }

    /// Under a condition and the guards of the present method; they are known at the moment, so the choice is built without
    /// knowledge.
    fn fill_slot(&mut self, obj: Obj, slot: u32, value: Sym, when: Lit) {
        let old = self.heap.fresh(obj).slots[slot as usize];
        let guards: Vec<Lit> = self.guards.iter().map(|(g, _)| *g).chain([when]).collect();
        let merged = self.outright(|s| {
            let all = s.graph.and_all(guards);
            s.ite(all, value, old)
        });
        self.write(Place::Slot(obj, slot), merged);
    }

    /// Runs `build` with settled facts only.
    fn outright<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.graph.hide(true);
        let made = build(self);
        self.graph.hide(before);
        made
    }

    /// An array, and when its length is negative. One length need not be known; several must be.
    pub fn new_array(&mut self, e: &Expr, lengths: &[Sym]) -> Result<(Obj, Lit), Stop> {
        const LONGEST: i64 = 256;
        if let (&[Sym::Int(length)], Ty::Array(array)) = (lengths, e.ty)
            && self.graph.as_constant(length).is_none()
            && self.graph.bounds(length).1 <= LONGEST
        {
            let element = self.default_of(self.program.element_ty(array));
            let slots = vec![element; self.graph.bounds(length).1.max(0) as usize];
            let zero = self.graph.constant(0);
            let negative = self.graph.lt(length, zero);
            return Ok((self.heap.allocate(Fresh { ty: e.ty, slots, length, maker: None }), negative));
        }
        let mut fixed = Vec::new();
        for &length in lengths {
            let Sym::Int(length) = length else { return Ok((Obj::NULL, Lit::TRUE)) };
            match self.graph.as_constant(length) {
                Some(length) if length > 1 << 20 => {
                    return Err(Stop::unsupported(e, "an array of more than a million elements"));
                }
                Some(length) => fixed.push(length),
                None => return Err(Stop::unsupported(e, "an array whose length is not fixed, in declarative code")),
            }
        }
        if fixed.iter().any(|&l| l < 0) {
            return Ok((Obj::NULL, Lit::TRUE));
        }
        Ok((self.array_of(e.ty, &fixed), Lit::FALSE))
    }

    pub fn array_of(&mut self, ty: Ty, lengths: &[i64]) -> Obj {
        let Ty::Array(array) = ty else { return Obj::NULL };
        let element = self.program.element_ty(array);
        let Some((&length, rest)) = lengths.split_first() else { return Obj::NULL };
        let slots = (0..length).map(|_| {
            if rest.is_empty() {
                self.default_of(element)
            } else {
                let inner = self.array_of(element, rest);
                self.single(inner)
            }
        });
        let slots = slots.collect();
        self.allocate(ty, slots)
    }
}
