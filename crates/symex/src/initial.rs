//! The initial symbolic heap H0 (dissertation, 5.1): a free variable per slot of the [space](ir::space), made when first
//! needed, and the conditions under which an assignment of them is a state at all.

use crate::heap::Place;
use crate::symbolic::Symbolic;
use crate::value::{Boxes, Obj, Refs, Sym, Table};
use formula::{Lit, TermId};
use ir::space::{Concrete, Domain, Presence, Slot, SlotId};
use ir::{Location, ObjId, Value};

/// What a slot holds: a literal if only one object fits, an index into them (0: none) otherwise.
#[derive(Clone, Copy, Debug)]
pub enum SlotVar {
    Present(Lit),
    Which(TermId),
}

/// From so many candidates on, a reference is a [choice](Refs::Choice) that is not written out.
const WRITTEN_OUT: usize = 3;

impl Symbolic<'_> {
    fn slot_var(&mut self, slot: SlotId) -> SlotVar {
        if let Some(var) = self.slot_vars[slot.0 as usize] {
            return var;
        }
        let space = self.space.clone();
        let Slot { objects, owners, is_padded } = &space.slots[slot.0 as usize];
        let place = self.graph.go_to(self.places.at(slot));
        let var = match (&objects[..], &owners[..]) {
            // It is there wherever what it hangs on is.
            ([_], &[owner]) if *is_padded || space.is_before_padded(owner) => {
                SlotVar::Present(self.edge_is_there(owner))
            }
            ([_], _) => SlotVar::Present(self.graph.var()),
            (many, _) => SlotVar::Which(self.graph.int_var(0, many.len() as i64)),
        };
        self.graph.go_to(place);
        self.slot_vars[slot.0 as usize] = Some(var);
        var
    }

    fn at_slot(&mut self, slot: SlotId, obj: Obj) -> Lit {
        match self.slot_var(slot) {
            SlotVar::Present(lit) => lit,
            SlotVar::Which(term) => {
                let objects = &self.space.slots[slot.0 as usize].objects;
                let place = objects.iter().position(|o| o.0 == obj.0).map_or(0, |p| p as i64 + 1);
                self.graph.eq_constant(term, place)
            }
        }
    }

    fn is_filled(&mut self, slot: SlotId) -> Lit {
        match self.slot_var(slot) {
            SlotVar::Present(lit) => lit,
            SlotVar::Which(term) => !self.graph.eq_constant(term, 0),
        }
    }

    /// Whether an object is in the state at the beginning, provided that the conditions below hold.
    pub fn present(&mut self, obj: Obj) -> Lit {
        let obj = obj.now();
        if self.heap.is_fresh(obj) {
            return Lit::TRUE;
        }
        match self.space.objects[obj.index()].presence {
            Presence::Always => Lit::TRUE,
            Presence::AtSlot(slot) => self.at_slot(slot, obj),
            Presence::Grown => {
                if let Some(&lit) = self.presence.get(&obj) {
                    return lit;
                }
                let lit = self.graph.outright(|g| g.var());
                self.presence.insert(obj, lit);
                lit
            }
        }
    }

    pub(crate) fn initial_length(&mut self, array: Obj) -> TermId {
        if let Some(&length) = self.lengths.get(&array) {
            return length;
        }
        let (lo, hi) = self.space.objects[array.index()].length;
        let at = self.graph.go_to(self.places.of(&self.space, array));
        let length = self.graph.int_var(lo, hi);
        self.graph.go_to(at);
        self.lengths.insert(array, length);
        length
    }

    pub(crate) fn initial_value(&mut self, place: Place) -> Sym {
        if let Some(&value) = self.heap.initial.get(&place) {
            return value;
        }
        let Place::Slot(obj, slot) = place else { return Sym::Ref(self.null) };
        let space = self.space.clone();
        // It is remembered: nothing of this path may be folded into it.
        let before = self.graph.hide(true);
        let at = self.graph.go_to(self.places.of(&space, obj));
        let value = self.initial_of(&space.objects[obj.index()].slots[slot as usize]);
        self.graph.go_to(at);
        self.graph.hide(before);
        self.heap.initial.insert(place, value);
        value
    }

    /// The lengths of arrays, and what slots hold at the beginning, are those of this state; only of what was asked for so far, and of slots that
    /// the filter lets through.
    pub fn is_state(&mut self, state: &Concrete, filter: impl Fn(Location) -> bool) -> Vec<Lit> {
        let mut lits = Vec::new();
        for (object, values) in (0u32..).map(ObjId).zip(&state.objects) {
            if let Some(&length) = self.lengths.get(&Obj(object.0)) {
                lits.push(self.graph.eq_constant(length, values.len() as i64));
            }
            for (slot, &value) in (0u32..).zip(values) {
                let at = Location { object, slot };
                if let Some(symbol) = self.asked(at).filter(|_| filter(at)) {
                    lits.push(self.is_value(symbol, value));
                }
            }
        }
        lits
    }

    /// What a slot holds at the beginning, if anything has asked so far: no formula speaks of it otherwise.
    pub fn asked(&self, at: Location) -> Option<Sym> {
        self.heap.initial.get(&Place::Slot(Obj(at.object.0), at.slot)).copied()
    }

    /// When a symbolic value is this one.
    pub fn is_value(&mut self, symbol: Sym, value: Value) -> Lit {
        match (symbol, value) {
            (Sym::Bool(lit), Value::Bool(value)) => lit.flip(!value),
            (Sym::Int(term), Value::Int(value)) => self.graph.eq_constant(term, value),
            (Sym::Ref(id), Value::Null) => self.is_null(id),
            (Sym::Ref(id), Value::Obj(object)) => self.is_object(id, Obj(object.0)),
            _ => Lit::FALSE,
        }
    }

    /// A fresh symbolic value for a domain.
    pub fn initial_of(&mut self, domain: &Domain) -> Sym {
        match domain {
            Domain::Fixed(value) => self.value(*value),
            Domain::Bool => Sym::Bool(self.graph.var()),
            Domain::Int { lo, hi } => Sym::Int(self.graph.int_var(*lo, *hi)),
            Domain::Ints(values) => self.one_of(values),
            Domain::Slot { slot, objects, .. } => {
                let mut list: Vec<(Obj, Lit)> = Vec::new();
                let mut some = Lit::FALSE;
                for object in objects {
                    let obj = Obj(object.0);
                    let guard = self.at_slot(*slot, obj);
                    list.push((obj, guard));
                    some = self.graph.or(some, guard);
                }
                list.push((Obj::NULL, !some));
                Sym::Ref(self.refs.intern(Refs::Guarded(list)))
            }
            Domain::Ref { nullable, objects } | Domain::Grow { nullable, objects } => self.choice(*nullable, objects),
        }
    }

    /// One of these integers: which one is the variable.
    fn one_of(&mut self, values: &[i64]) -> Sym {
        let which = self.graph.int_var(0, values.len() as i64 - 1);
        let constants = values.iter().map(|&v| self.graph.constant(v)).collect::<Vec<_>>();
        let mut rest = constants.into_iter().enumerate().rev();
        let Some((_, mut value)) = rest.next() else { return Sym::Int(self.graph.constant(0)) };
        for (index, constant) in rest {
            let is_it = self.graph.eq_constant(which, index as i64);
            value = self.graph.int_ite(is_it, constant, value);
        }
        Sym::Int(value)
    }

    fn choice(&mut self, nullable: bool, objects: &[ObjId]) -> Sym {
        let is_exact = objects.iter().all(|&o| self.space.object(o).presence == Presence::Always);
        let mut table: Vec<Obj> = if nullable || is_exact { vec![Obj::NULL] } else { Vec::new() };
        let first = if nullable { 0 } else { table.len() as i64 };
        table.extend(objects.iter().map(|o| Obj(o.0)));
        let last = table.len() as i64 - 1;
        if objects.is_empty() {
            return Sym::Ref(self.null);
        }
        // A single object may still be absent; then there is nothing to point to.
        let index = self.graph.int_var(first, last);
        let boxes = if is_exact { self.boxes_among(&table) } else { Vec::new() };
        let table = Table { objects: table, is_exact, boxes };
        let number = match self.refs.tables.iter().position(|t| *t == table) {
            Some(number) => number,
            None => {
                self.refs.tables.push(table);
                self.refs.tables.len() - 1
            }
        };
        let id = self.refs.intern(Refs::Choice { index, table: number as u32 });
        if ((last - first + 1) as usize) < WRITTEN_OUT {
            let list = self.alternatives(id);
            return Sym::Ref(self.refs.intern(Refs::Guarded(list)));
        }
        Sym::Ref(id)
    }

    fn boxes_among(&self, objects: &[Obj]) -> Vec<Boxes> {
        let mut all: Vec<Boxes> = Vec::new();
        for (place, &obj) in objects.iter().enumerate() {
            let place = place as i64;
            let Some((class, value)) = self.boxed_constant(obj) else { continue };
            match all.last_mut() {
                Some(b) if b.class == class && b.last + 1 == place && b.value + (place - b.first) == value => {
                    b.last = place;
                }
                _ => all.push(Boxes { class, first: place, last: place, value }),
            }
        }
        all
    }

    /// The integer in a box of the space.
    fn boxed_constant(&self, obj: Obj) -> Option<(ir::ClassId, i64)> {
        if !self.is_box(obj) {
            return None;
        }
        let object = self.space.objects.get(obj.index())?;
        match (object.ty, &object.slots[..]) {
            (ir::Ty::Class(class), [Domain::Fixed(Value::Int(value))]) => Some((class, *value)),
            _ => None,
        }
    }

    pub(crate) fn collect_grown_edges(&mut self) {
        for (index, object) in self.space.objects.iter().enumerate() {
            for (slot, domain) in object.slots.iter().enumerate() {
                if let Domain::Grow { objects, .. } = domain {
                    for target in objects {
                        let place = Place::Slot(Obj(index as u32), slot as u32);
                        self.grown_edges.entry(Obj(target.0)).or_default().push(place);
                    }
                }
            }
        }
    }

    /// Where a node may hang, and the literal that says that one does, in the order of the slots: what hangs lower comes later.
    pub fn filled(&mut self) -> Vec<(SlotId, Lit)> {
        let space = self.space.clone();
        let is_node = |slot: &Slot| slot.objects.iter().any(|&o| space.object(o).place.is_some());
        let numbers = (0..).map(SlotId).zip(&space.slots).filter(|(_, slot)| !slot.is_padded && is_node(slot));
        numbers.map(|(number, _)| (number, self.is_filled(number))).filter(|(_, lit)| !lit.is_constant()).collect()
    }

    /// Nothing hangs at these slots in any state. Must be said before anything is translated.
    pub fn leave_empty(&mut self, slots: &[SlotId]) {
        for slot in slots {
            self.slot_vars[slot.0 as usize] = Some(SlotVar::Present(Lit::FALSE));
        }
    }

    /// Literals that say that something hangs at a slot, or has grown: a state with fewer of them true is smaller.
    pub fn presences(&mut self) -> Vec<Lit> {
        let mut lits: Vec<Lit> = (0..self.space.slots.len() as u32).map(|s| self.is_filled(SlotId(s))).collect();
        let mut grown: Vec<Obj> = self.grown_edges.keys().copied().collect();
        grown.sort_unstable();
        for obj in grown {
            lits.push(self.present(obj));
        }
        lits
    }

    /// The integers and Booleans that were asked for so far, each with the value that says least: false, or the number nearest to zero. Of
    /// objects in their order, so that those of the checked object come first.
    pub fn plain_values(&self) -> Vec<(Sym, i64)> {
        let mut plain = Vec::new();
        for (object, slots) in (0u32..).map(ObjId).zip(self.space.objects.iter().map(|o| &o.slots)) {
            for (slot, domain) in (0u32..).zip(slots) {
                let nearest = match domain {
                    Domain::Bool => Some(0),
                    Domain::Int { lo, hi } => Some(0.clamp(*lo, *hi)),
                    Domain::Ints(values) => values.iter().copied().min_by_key(|v| v.unsigned_abs()),
                    _ => None,
                };
                plain.extend(self.asked(Location { object, slot }).zip(nearest));
            }
        }
        plain
    }

    /// Those of them that count the nodes of trees.
    pub fn nodes(&mut self) -> Vec<Lit> {
        let space = self.space.clone();
        let is_node = |o: &ObjId| space.object(*o).place.is_some();
        let slots = (0..space.slots.len() as u32).filter(|s| space.slots[*s as usize].objects.iter().any(is_node));
        let mut lits: Vec<Lit> = slots.map(|s| self.is_filled(SlotId(s))).collect();
        for index in 0..space.objects.len() as u32 {
            if space.objects[index as usize].presence == Presence::Grown {
                lits.push(self.present(Obj(index)));
            }
        }
        lits
    }

    /// The conditions under which the variables describe a state: what hangs somewhere hangs on something that is there,
    /// edges that may not be null are not, budgets are kept, grown trees are trees.
    pub fn state_conditions(&mut self) -> Vec<Lit> {
        let space = self.space.clone();
        let mut conditions = Vec::new();
        let mut implications = Vec::new();
        self.graph.entail(&implications);
        for (number, slot) in space.slots.iter().enumerate() {
            if slot.owners.is_empty() {
                continue;
            }
            // What is at a slot hangs on an edge that is there and takes it.
            for &object in &slot.objects {
                let held = self.at_slot(SlotId(number as u32), Obj(object.0));
                let mut owned = Lit::FALSE;
                for &at in &slot.owners {
                    let domain = &space.object(at.object).slots[at.slot as usize];
                    if matches!(domain, Domain::Slot { objects, .. } if objects.contains(&object)) {
                        let there = self.edge_is_there(at);
                        owned = self.graph.or(owned, there);
                    }
                }
                conditions.push(self.graph.implies(held, owned));
                implications.push((held, owned));
            }
        }
        for (index, object) in space.objects.iter().enumerate() {
            for (slot, domain) in object.slots.iter().enumerate() {
                let at = Location { object: ObjId(index as u32), slot: slot as u32 };
                match domain {
                    Domain::Slot { slot, nullable, .. } if !nullable || space.slots[slot.0 as usize].is_padded => {
                        let (there, filled) = (self.edge_is_there(at), self.is_filled(*slot));
                        conditions.push(self.graph.implies(there, filled));
                    }
                    Domain::Ref { nullable: false, .. } | Domain::Grow { nullable: false, .. }
                        if self.may_point_to_nothing(domain) =>
                    {
                        let there = self.edge_is_there(at);
                        let Sym::Ref(id) = self.initial_value(Place::Slot(Obj(at.object.0), at.slot)) else { continue };
                        let null = self.is_null(id);
                        conditions.push(self.graph.implies(there, !null));
                    }
                    _ => {}
                }
            }
        }
        for (most, slots) in &space.budgets {
            if slots.len() as i64 <= *most {
                continue;
            }
            let mut filled_ones = Vec::new();
            for &slot in slots {
                // Boxes and arrays that an element owns cost no place.
                let counts = space.slots[slot.0 as usize].objects.iter().any(|o| space.object(*o).place.is_some());
                if counts {
                    let filled = self.is_filled(slot);
                    filled_ones.push(self.graph.int_of(filled));
                }
            }
            if let Some(sum) = self.graph.sum(&filled_ones) {
                let most = self.graph.constant(*most);
                conditions.push(self.graph.le(sum, most));
            }
        }
        self.grown_conditions(&mut conditions);
        self.graph.entail(&implications);
        conditions
    }

    /// Only references to objects that may be absent, or to none at all, can fail to be non-null.
    fn may_point_to_nothing(&self, domain: &Domain) -> bool {
        match domain {
            Domain::Ref { objects, .. } | Domain::Grow { objects, .. } => {
                objects.is_empty() || objects.iter().any(|o| self.space.object(*o).presence != Presence::Always)
            }
            _ => false,
        }
    }

    /// The object is there and, if it is an array, long enough.
    fn edge_is_there(&mut self, at: Location) -> Lit {
        let obj = Obj(at.object.0);
        let present = self.present(obj);
        if matches!(self.space.objects[obj.index()].ty, ir::Ty::Array(_)) {
            let length = self.initial_length(obj);
            let short = self.graph.at_most(length, i64::from(at.slot));
            return self.graph.and(present, !short);
        }
        present
    }

    /// A grown object is there iff exactly one edge of objects that are there points to it.
    fn grown_conditions(&mut self, conditions: &mut Vec<Lit>) {
        let space = self.space.clone();
        let grown: Vec<usize> =
            (0..space.objects.len()).filter(|&o| space.objects[o].presence == Presence::Grown).collect();
        for &target in &grown {
            let target = Obj(target as u32);
            let edges = self.grown_edges.get(&target).cloned().unwrap_or_default();
            let present = self.present(target);
            let mut any = Lit::FALSE;
            for &edge in &edges {
                let Place::Slot(owner, slot) = edge else { continue };
                let Sym::Ref(id) = self.initial_value(edge) else { continue };
                let there = self.edge_is_there(Location { object: ObjId(owner.0), slot });
                let chosen = self.chooses(id, target);
                let points = self.graph.and(there, chosen);
                let twice = self.graph.and(any, points);
                conditions.push(!twice);
                any = self.graph.or(any, points);
            }
            conditions.push(self.graph.iff(present, any));
        }
        // Each number stands for one object, and objects are numbered without gaps: one numbering less per tree.
        for &index in &grown {
            let Some((tree, place)) = space.objects[index].place else { continue };
            let here = self.present(Obj(index as u32));
            let mut before = Lit::FALSE;
            for &other in &grown {
                let there = self.present(Obj(other as u32));
                if space.objects[other].place == Some((tree, place)) && other < index {
                    let both = self.graph.and(here, there);
                    conditions.push(!both);
                }
                if place > 0 && space.objects[other].place == Some((tree, place - 1)) {
                    before = self.graph.or(before, there);
                }
            }
            if place > 0 {
                conditions.push(self.graph.implies(here, before));
            }
        }
    }

    /// Whether the index of a choice is that of an object, present or not.
    fn chooses(&mut self, id: crate::value::RefId, obj: Obj) -> Lit {
        match self.refs.get(id).clone() {
            Refs::Choice { index, table } => {
                let place = self.refs.place(table, obj);
                place.map_or(Lit::FALSE, |place| self.graph.eq_constant(index, place))
            }
            Refs::Guarded(_) => self.is_object(id, obj),
        }
    }
}
