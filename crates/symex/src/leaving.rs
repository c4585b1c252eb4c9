//! Leaving the domain, on a path (see [`ir::leaving`]): how the state at its end may be none that runs start from. What the
//! run wrote and made is compared with the domains of the space; nothing is decided here, and no formula is made: a
//! [`Candidate`] says what would have to hold, and whoever has a solver asks whether it can. What it finds is replayed.
//!
//! Kept: a cause that some state on the path leaves by is among the candidates, unless the state has grown beyond the bound.

use crate::heap::Place;
use crate::symbolic::Symbolic;
use crate::value::{Obj, RefId, Refs, Sym};
use formula::{Graph, Lit, TermId};
use ir::leaving::{Cause, How, Members};
use ir::space::{Domain, Presence};
use ir::{ClassKind, FieldId, Location, ObjId, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that may hold at the end of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Atom {
    Holds(Lit),
    Is(TermId, i64),
    /// Greater than.
    Above(TermId, i64),
    Below(TermId, i64),
    /// Not equal to.
    IsNot(TermId, i64),
}

impl Atom {
    fn opposite(self) -> Atom {
        match self {
            Atom::Holds(lit) => Atom::Holds(!lit),
            Atom::Is(term, value) => Atom::IsNot(term, value),
            Atom::IsNot(term, value) => Atom::Is(term, value),
            Atom::Above(term, most) => Atom::Below(term, most + 1),
            Atom::Below(term, least) => Atom::Above(term, least - 1),
        }
    }

    /// As a formula.
    pub fn lit(self, graph: &mut Graph) -> Lit {
        match self {
            Atom::Holds(lit) => lit,
            Atom::Is(term, value) => graph.eq_constant(term, value),
            Atom::Above(term, most) => !graph.le_constant(term, most),
            Atom::Below(term, least) => graph.le_constant(term, least - 1),
            Atom::IsNot(term, value) => !graph.eq_constant(term, value),
        }
    }
}

/// The state leaves the space in this way if all of these hold.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub cause: Cause,
    pub when: Vec<Atom>,
}

/// All that a path was seen to do.
#[derive(Clone, Default, Debug)]
pub struct Leaves {
    pub candidates: Vec<Candidate>,
    /// Objects that the run made and that may hang in trees.
    pub new_in_trees: usize,
    /// What holds where no array has grown beyond the bound, as far as the run made or moved it.
    pub fitting: Vec<Atom>,
}

/// A field that may hold an array, where it is, and when.
type Holder = (FieldId, Option<Place>, Vec<Atom>);

/// A reference to nodes of trees that is no tree edge: whose it is, what it holds, and when that counts.
struct Reference {
    holder: Obj,
    field: FieldId,
    id: RefId,
    when: Vec<Atom>,
}

struct Walk<'w, 'p> {
    members: &'w Members<'w>,
    is_same: bool,
    seen: FxHashSet<(Obj, ObjId)>,
    /// By array: who may hold it, and when.
    holders: FxHashMap<Obj, Vec<Holder>>,
    /// What tree edges and fields with owned arrays hold that were written or made.
    edges: Vec<RefId>,
    /// What other references to nodes hold that were written or made.
    references: Vec<Reference>,
    /// By object, when it is in no tree, if it can be.
    off: FxHashMap<Obj, Option<Vec<Atom>>>,
    leaves: Leaves,
    /// Causes that nobody asks about any more.
    known: &'w FxHashSet<Cause>,
    symbolic: &'w mut Symbolic<'p>,
}

impl<'p> Symbolic<'p> {
    /// What a completed run may have made of the checked object's state, and another that it made; `is_same` if the space of the run is that of the
    /// members, which it is not of a constructor.
    pub fn leaving(
        &mut self,
        members: &Members<'_>,
        is_same: bool,
        main: Obj,
        made: Option<Obj>,
        known: &FxHashSet<Cause>,
    ) -> Leaves {
        let mut walk = Walk {
            members,
            is_same,
            seen: FxHashSet::default(),
            holders: FxHashMap::default(),
            edges: Vec::new(),
            references: Vec::new(),
            off: FxHashMap::default(),
            leaves: Leaves::default(),
            known,
            symbolic: self,
        };
        if walk.is_same {
            for place in walk.symbolic.heap.log.clone() {
                walk.written(place);
            }
        } else if let Some(twin) = members.space.main {
            walk.contents(main, twin, None, &[]);
        }
        if let (Some(made), Some(twin)) = (made.filter(|made| walk.symbolic.heap.is_fresh(*made)), members.space.main) {
            walk.contents(made, twin, None, &[]);
        }
        walk.outside(main);
        walk.shared();
        walk.leaves
    }
}

impl Walk<'_, '_> {
    fn written(&mut self, place: Place) {
        let Place::Slot(obj, slot) = place else { return };
        let members = self.members;
        let space = &members.space;
        if obj.index() < space.statics || obj.is_before() {
            return;
        }
        let (Some(&value), Some(domain)) =
            (self.symbolic.heap.writes.get(&place), space.objects[obj.index()].slots.get(slot as usize))
        else {
            return;
        };
        for field in self.fields_of(obj, slot) {
            self.refer(obj, Location { object: ObjId(obj.0), slot }, value, field, &[]);
            self.value(domain, value, field, Some(place), &[]);
        }
    }

    /// The fields that a slot of an object of the space may belong to: of an array that many may hold, all of them. None for
    /// what hangs on an argument.
    fn fields_of(&self, obj: Obj, slot: u32) -> Vec<FieldId> {
        let mut fields = Vec::new();
        self.add_fields_of(obj, slot, &mut Vec::new(), &mut fields);
        fields
    }

    fn add_fields_of(&self, obj: Obj, slot: u32, seen: &mut Vec<Obj>, fields: &mut Vec<FieldId>) {
        let space = &self.members.space;
        let object = &space.objects[obj.index()];
        match object.ty {
            Ty::Class(class) if self.members.program.class(class).kind != ClassKind::Box => {
                let field = self.members.field(class, slot);
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
            _ if seen.contains(&obj) => {}
            _ => {
                seen.push(obj);
                if let Presence::AtSlot(at) = object.presence {
                    if let Some(owner) = space.slots[at.0 as usize].owners.first() {
                        self.add_fields_of(Obj(owner.object.0), owner.slot, seen, fields);
                    }
                    return;
                }
                for (index, holder) in space.objects.iter().enumerate().skip(space.statics) {
                    for (slot, domain) in holder.slots.iter().enumerate() {
                        if matches!(domain, Domain::Ref { objects, .. } if objects.iter().any(|o| o.0 == obj.0)) {
                            self.add_fields_of(Obj(index as u32), slot as u32, seen, fields);
                        }
                    }
                }
            }
        }
    }

    /// A number that is none of these, ascending.
    fn none_of(&mut self, values: &[i64], term: TermId, field: FieldId, under: &[Atom]) {
        let (Some(&first), Some(&last)) = (values.first(), values.last()) else { return };
        let bounds = self.symbolic.graph.bounds(term);
        if bounds.1 > last {
            self.add(field, How::Above, under, Some(Atom::Above(term, last)));
        }
        if bounds.0 < first {
            self.add(field, How::Below, under, Some(Atom::Below(term, first)));
        }
        for pair in values.windows(2).filter(|pair| pair[1] > pair[0].saturating_add(1)) {
            let when: Vec<Atom> = under.iter().copied().chain([Atom::Below(term, pair[1])]).collect();
            self.add(field, How::Above, &when, Some(Atom::Above(term, pair[0])));
        }
    }

    fn is_known(&self, field: FieldId, how: How) -> bool {
        self.known.contains(&Cause { field, how })
    }

    fn add(&mut self, field: FieldId, how: How, when: &[Atom], more: Option<Atom>) {
        let cause = Cause { field, how };
        if !self.known.contains(&cause) && self.members.matters(cause) {
            let when = when.iter().copied().chain(more).collect();
            self.leaves.candidates.push(Candidate { cause, when });
        }
    }

    fn value(&mut self, domain: &Domain, value: Sym, field: FieldId, place: Option<Place>, under: &[Atom]) {
        match (domain, value) {
            (Domain::Int { lo, hi }, Sym::Int(term)) => {
                let bounds = self.symbolic.graph.bounds(term);
                if bounds.1 > *hi {
                    self.add(field, How::Above, under, Some(Atom::Above(term, *hi)));
                }
                if bounds.0 < *lo {
                    self.add(field, How::Below, under, Some(Atom::Below(term, *lo)));
                }
            }
            (Domain::Ints(values), Sym::Int(term)) => self.none_of(values, term, field, under),
            (_, Sym::Ref(id)) => {
                if let Domain::Slot { .. } | Domain::Grow { .. } = domain {
                    self.edges.push(id);
                }
                for (obj, atom) in self.possible(id) {
                    let when: Vec<Atom> = under.iter().copied().chain(atom).collect();
                    self.refers(domain, obj, field, place, &when);
                }
            }
            _ => {}
        }
    }

    /// What a reference may be, given what is known, and when.
    fn possible(&self, id: RefId) -> Vec<(Obj, Option<Atom>)> {
        let graph = &self.symbolic.graph;
        match self.symbolic.refs.get(id) {
            Refs::Guarded(list) => {
                let alternatives = list.iter().filter(|(_, guard)| graph.value(*guard) != Some(false));
                let atom = |guard: Lit| (graph.value(guard) != Some(true)).then_some(Atom::Holds(guard));
                alternatives.map(|&(obj, guard)| (obj, atom(guard))).collect()
            }
            // Null if the object is not in the state: asking for that is left to the replay.
            &Refs::Choice { index, table } => {
                let index = graph.narrowed(index);
                let (lo, hi) = graph.bounds(index);
                let chosen = |i| self.symbolic.refs.chosen(table, i);
                (lo..=hi).map(|i| (chosen(i), (lo != hi).then_some(Atom::Is(index, i)))).collect()
            }
        }
    }

    fn refers(&mut self, domain: &Domain, obj: Obj, field: FieldId, place: Option<Place>, when: &[Atom]) {
        let members = self.members;
        let space = &members.space;
        let (nullable, objects) = match domain {
            Domain::Ref { nullable, objects }
            | Domain::Slot { nullable, objects, .. }
            | Domain::Grow { nullable, objects } => (*nullable, objects),
            // The end of a tree: it grows there.
            Domain::Fixed(ir::Value::Null) => return,
            Domain::Fixed(ir::Value::Obj(fixed)) => {
                if obj == Obj::NULL || !self.is_same || obj.now().0 != fixed.0 {
                    self.add(field, How::Class, when, None);
                }
                return;
            }
            _ => return,
        };
        if obj == Obj::NULL {
            if !nullable {
                self.add(field, How::Null, when, None);
            }
            return;
        }
        let obj = obj.now();
        if obj.index() < space.statics {
            if !objects.iter().any(|o| o.0 == obj.0) {
                self.other(obj, field, objects, when);
            }
            return;
        }
        let ty = self.symbolic.ty_of(obj);
        let is_owned = matches!(ty, Ty::Array(_)) || self.is_box(ty);
        if is_owned && matches!(domain, Domain::Slot { .. }) {
            self.holders.entry(obj).or_default().push((field, place, when.to_vec()));
        }
        if self.is_same && objects.iter().any(|o| o.0 == obj.0) {
            return;
        }
        let Some(&twin) = objects.iter().find(|o| o.index() >= space.statics && space.object(**o).ty == ty) else {
            if !members.is_growth(domain, field, ty) {
                self.other(obj, field, objects, when);
            }
            return;
        };
        // Boxes that many may hold: one per value.
        if self.is_box(ty) && matches!(space.object(twin).slots[..], [Domain::Fixed(_)]) {
            let of_type = objects.iter().filter(|o| space.object(**o).ty == ty);
            let mut values: Vec<i64> = of_type
                .filter_map(|o| match space.object(*o).slots[..] {
                    [Domain::Fixed(ir::Value::Int(i))] => Some(i),
                    _ => None,
                })
                .collect();
            values.sort_unstable();
            if let Sym::Int(term) = self.symbolic.read_slot(obj, 0) {
                self.none_of(&values, term, field, when);
            }
            return;
        }
        let is_fresh = self.symbolic.heap.is_fresh(obj);
        if is_fresh && space.object(twin).place.is_some() && !self.seen.iter().any(|(o, _)| *o == obj) {
            self.leaves.new_in_trees += 1;
        }
        // A node that moved holds what any node may.
        if self.is_same && !is_fresh && space.objects[obj.index()].place.is_some() {
            return;
        }
        self.contents(obj, twin, Some(field), when);
    }

    /// An object that this field does not start with.
    fn other(&mut self, obj: Obj, field: FieldId, objects: &[ObjId], when: &[Atom]) {
        if !self.members.is_like_another(self.symbolic.ty_of(obj), field, objects) {
            self.add(field, How::Class, when, None);
        }
    }

    fn is_box(&self, ty: Ty) -> bool {
        matches!(ty, Ty::Class(c) if self.members.program.class(c).kind == ClassKind::Box)
    }

    /// What an object holds that takes the place of another.
    fn contents(&mut self, obj: Obj, twin: ObjId, field: Option<FieldId>, when: &[Atom]) {
        if !self.seen.insert((obj, twin)) {
            return;
        }
        let members = self.members;
        let space = members.space.object(twin);
        let is_fresh = self.symbolic.heap.is_fresh(obj);
        let count = match is_fresh {
            true => self.symbolic.heap.fresh(obj).slots.len(),
            false => self.symbolic.space.objects[obj.index()].slots.len(),
        };
        if let (Ty::Array(_), Some(field)) = (space.ty, field) {
            let length = self.symbolic.length(obj);
            let bounds = self.symbolic.graph.bounds(length);
            if bounds.0 < space.length.0 {
                self.add(field, How::Short, when, Some(Atom::Below(length, space.length.0)));
            }
            if bounds.1 > space.length.1 {
                self.leaves.fitting.push(Atom::Below(length, space.length.1 + 1));
            }
        }
        for slot in 0..count.min(space.slots.len()) as u32 {
            let domain = &space.slots[slot as usize];
            let field = match (space.ty, field) {
                (Ty::Class(class), _) if !self.is_box(space.ty) => members.field(class, slot),
                (_, Some(field)) => field,
                _ => continue,
            };
            let place = Place::Slot(obj, slot);
            let value = if is_fresh {
                self.symbolic.heap.fresh(obj).slots[slot as usize]
            } else {
                let written = self.symbolic.heap.writes.get(&place).copied();
                let own = &self.symbolic.space.objects[obj.index()].slots[slot as usize];
                match (written, own, domain) {
                    (Some(value), ..) => value,
                    // It starts within the same bounds.
                    (None, Domain::Int { lo, hi }, Domain::Int { lo: least, hi: most })
                        if least <= lo && hi <= most =>
                    {
                        continue;
                    }
                    (None, Domain::Ints(own), Domain::Ints(wanted)) if own == wanted => continue,
                    (None, Domain::Bool, _) => continue,
                    (None, ..) => self.symbolic.initial_value(place),
                }
            };
            let mut when = when.to_vec();
            if let (Ty::Array(_), false) = (space.ty, is_fresh) {
                let length = self.symbolic.length(obj);
                when.push(Atom::Above(length, slot.into()));
            }
            self.refer(obj, Location { object: twin, slot }, value, field, &when);
            self.value(domain, value, field, Some(place), &when);
        }
    }

    /// Keeps what is in a slot of an object, if such slots refer to nodes.
    fn refer(&mut self, holder: Obj, at: Location, value: Sym, field: FieldId, when: &[Atom]) {
        if let (Sym::Ref(id), true) = (value, self.members.is_into_trees(at)) {
            self.references.push(Reference { holder, field, id, when: when.to_vec() });
        }
    }

    /// A field of the checked object, or of a node that is in a tree, may hold a node that hangs on no tree edge any more, or never did.
    fn outside(&mut self, main: Obj) {
        let references = std::mem::take(&mut self.references);
        for Reference { holder, field, id, when } in references {
            self.may_be_outside(main, holder, field, id, &when);
        }
        // What was not written may refer to what a run took out of its tree.
        if !self.is_same || self.edges.is_empty() {
            return;
        }
        let members = self.members;
        for &Location { object, slot } in &members.referring {
            let holder = Obj(object.0);
            let place = Place::Slot(holder, slot);
            if self.symbolic.heap.writes.contains_key(&place) {
                continue;
            }
            for field in self.fields_of(holder, slot) {
                if self.is_known(field, How::Outside) {
                    continue;
                }
                let mut when = Vec::new();
                if let Ty::Array(_) = members.space.object(object).ty {
                    when.push(Atom::Above(self.symbolic.length(holder), slot.into()));
                }
                if let Sym::Ref(id) = self.symbolic.initial_value(place) {
                    self.may_be_outside(main, holder, field, id, &when);
                }
            }
        }
    }

    fn may_be_outside(&mut self, main: Obj, holder: Obj, field: FieldId, id: RefId, under: &[Atom]) {
        if self.is_known(field, How::Outside) {
            return;
        }
        let mut ways = None;
        for (obj, atom) in self.possible(id) {
            if obj == Obj::NULL || obj.index() < self.members.space.statics {
                continue;
            }
            let Some(off) = self.off(obj.now()) else { continue };
            for on in ways.get_or_insert_with(|| self.on(main, holder)) {
                let when: Vec<Atom> = under.iter().chain(&atom).chain(&off).chain(&*on).copied().collect();
                self.leaves.candidates.push(Candidate { cause: Cause { field, how: How::Outside }, when });
            }
        }
    }

    /// When an object is in no tree: neither it nor anything above it was hung up again. None if that cannot be.
    fn off(&mut self, obj: Obj) -> Option<Vec<Atom>> {
        if let Some(known) = self.off.get(&obj) {
            return known.clone();
        }
        let (chain, is_cut) = self.above(obj);
        let is_there = self.symbolic.present(obj);
        // A reference may be to one that is not in the state: it is null then.
        let may_be = is_cut && self.symbolic.graph.value(is_there) != Some(false);
        let mut off = may_be.then(|| vec![Atom::Holds(is_there)]);
        for edge in if may_be { self.edges_to(&chain) } else { Vec::new() } {
            // What was below a node that hangs elsewhere now is there with it.
            let not =
                edge.filter(|atom| !matches!(atom, Atom::Holds(lit) if self.symbolic.graph.entails(is_there, *lit)));
            off = off.zip(not).map(|(mut off, not)| {
                off.push(not.opposite());
                off
            });
        }
        self.off.insert(obj, off.clone());
        off
    }

    /// The ways in which an object may be in a tree, or be the checked one.
    fn on(&mut self, main: Obj, holder: Obj) -> Vec<Vec<Atom>> {
        // Who holds an array is left to the replay.
        if holder == main || matches!(self.symbolic.ty_of(holder), Ty::Array(_)) {
            return vec![Vec::new()];
        }
        let (chain, is_cut) = self.above(holder);
        let mut ways: Vec<Vec<Atom>> = Vec::new();
        if is_cut {
            ways.extend(self.edges_to(&chain).into_iter().map(|atom| atom.into_iter().collect()));
        }
        if self.is_same && !self.symbolic.heap.is_fresh(holder) {
            let is_grown = self.members.space.objects[holder.index()].presence == Presence::Grown;
            if !is_cut || is_grown {
                ways.push(Vec::new());
            }
            let present = Atom::Holds(self.symbolic.present(holder));
            ways.iter_mut().for_each(|way| way.push(present));
        }
        ways
    }

    /// The written or new tree edges that may hold one of these, each with when it does.
    fn edges_to(&self, objects: &[Obj]) -> Vec<Option<Atom>> {
        let held = self.edges.iter().flat_map(|id| self.possible(*id));
        held.filter(|(held, _)| objects.contains(held)).map(|(_, atom)| atom).collect()
    }

    /// An object with those above it in the tree, as far as the edges between them were not written; whether one was.
    fn above(&self, obj: Obj) -> (Vec<Obj>, bool) {
        let mut chain = vec![obj];
        let (mut next, mut is_cut) = (0, false);
        while let Some(&obj) = chain.get(next) {
            next += 1;
            if !self.is_same || self.symbolic.heap.is_fresh(obj) {
                is_cut = true;
                continue;
            }
            let Presence::AtSlot(at) = self.members.space.objects[obj.index()].presence else {
                // A tree of any shape: what it hangs on is not known.
                is_cut |= self.members.space.objects[obj.index()].presence == Presence::Grown;
                continue;
            };
            for owner in &self.members.space.slots[at.0 as usize].owners {
                let above = Obj(owner.object.0);
                if self.symbolic.heap.writes.contains_key(&Place::Slot(above, owner.slot)) {
                    is_cut = true;
                } else if self.members.space.object(owner.object).presence != Presence::Always
                    && !chain.contains(&above)
                {
                    chain.push(above);
                }
            }
        }
        (chain, is_cut)
    }

    /// Arrays that two fields may hold at once.
    fn shared(&mut self) {
        for (obj, mut holders) in std::mem::take(&mut self.holders) {
            // Its own place still holds it unless something was written there.
            if self.is_same
                && !self.symbolic.heap.is_fresh(obj)
                && let Presence::AtSlot(at) = self.members.space.objects[obj.index()].presence
            {
                for owner in self.members.space.slots[at.0 as usize].owners.clone() {
                    let place = Place::Slot(Obj(owner.object.0), owner.slot);
                    let is_written = self.symbolic.heap.writes.contains_key(&place);
                    let fields = self.fields_of(Obj(owner.object.0), owner.slot);
                    holders.extend(fields.into_iter().filter(|_| !is_written).map(|f| (f, Some(place), Vec::new())));
                }
            }
            for (i, (field, place, when)) in holders.iter().enumerate() {
                for (other, elsewhere, also) in &holders[..i] {
                    if place.is_none() || place != elsewhere {
                        let when: Vec<Atom> = when.iter().chain(also).copied().collect();
                        self.add(*field.min(other), How::Shared, &when, None);
                    }
                }
            }
        }
    }
}
