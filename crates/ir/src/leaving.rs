//! Leaving the domain: whether a state that an operation made is one that runs start from, and if not, why. The induction
//! behind "verified" has a hole there: calls that go on from such a state were not checked.
//!
//! What goes in: a space, a heap after a run, the checked object in it. What comes out: nothing if the state has more objects
//! than the bound allows (everybody expects that), else each [`Cause`]; none if the state is in the space. An object of the
//! heap is matched with one of the space edge by edge: what hangs on tree edges and owned arrays first, since they decide
//! which object it must be, then other references, for which any object of the class will do.

use crate::heap::Heap;
use crate::program::*;
use crate::space::{Domain, Presence, Space};
use crate::value::{CACHED, Location, ObjId, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A field and how it leaves its domain; of an array or a box, what the field holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cause {
    pub field: FieldId,
    pub how: How,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum How {
    /// A number greater than any that it starts with.
    Above,
    Below,
    /// An array that another field, or another element, holds too. The field is the first of them.
    Shared,
    /// An object of a class that is never there, or another one than always.
    Class,
    /// Null where there is none.
    Null,
    /// An array shorter than any.
    Short,
    /// An object that is in no tree any more, where all of its class are.
    Outside,
}

/// One way in which a state is not in the space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Leaving {
    pub cause: Cause,
    /// What is there instead, in the heap; of [`How::Short`], the array.
    pub value: Value,
    /// Of [`How::Shared`]: who else holds it.
    pub other: Option<FieldId>,
    /// Of a number: the range that it starts in.
    pub range: (i64, i64),
}

/// Membership in one space.
pub struct Members<'a> {
    pub program: &'a Program,
    pub space: Arc<Space>,
    /// By class.
    fields: Vec<Vec<FieldId>>,
    /// What is in a tree: a place without room for what must hang below one does not have it.
    in_trees: FxHashSet<Ty>,
    /// Slots that refer to what hangs on tree edges, among them those in arrays, and are none themselves.
    into_trees: FxHashSet<Location>,
    /// Those of the checked object, and of what hangs on it, in order.
    pub referring: Vec<Location>,
}

/// A state of which some objects are matched.
struct Matching<'m> {
    heap: &'m Heap,
    /// By object of the heap: which of the space it is.
    twins: Vec<Option<ObjId>>,
    /// By object of the space.
    is_used: Vec<bool>,
    /// Matched, and the field that its slots belong to if it is an array or a box.
    matched: Vec<(ObjId, ObjId, Option<FieldId>)>,
    /// References that any object of the class satisfies.
    references: Vec<(&'m Domain, ObjId, FieldId)>,
    /// Owned arrays and the fields that hold them.
    holders: Vec<(ObjId, FieldId)>,
    found: Vec<Leaving>,
}

/// More objects than the bound allows.
struct Grown;

impl<'a> Members<'a> {
    pub fn new(program: &'a Program, space: Arc<Space>) -> Members<'a> {
        let classes = (0..program.classes.len() as u32).map(ClassId);
        let fields: Vec<Vec<FieldId>> = classes.map(|c| program.instance_fields(c)).collect();
        let in_trees = space.objects.iter().filter(|o| o.place.is_some()).map(|o| o.ty).collect();
        let into_trees = into_trees(program, &space);
        let mut members = Members { program, space, fields, in_trees, into_trees, referring: Vec::new() };
        let is_of_state = |at: &Location| members.space.main.is_some_and(|main| members.hangs_on(at.object, main));
        members.referring = members.into_trees.iter().copied().filter(is_of_state).collect();
        members.referring.sort_unstable();
        members
    }

    pub fn is_into_trees(&self, at: Location) -> bool {
        self.into_trees.contains(&at)
    }

    /// Whether an object of the space is another one or hangs on it, by tree edges and owned arrays.
    fn hangs_on(&self, object: ObjId, main: ObjId) -> bool {
        let mut at = object;
        // Owners come before what they own, but for trees of any shape.
        for _ in 0..self.space.objects.len() {
            match self.space.object(at).presence {
                Presence::AtSlot(slot) => match self.space.slots[slot.0 as usize].owners.first() {
                    Some(owner) => at = owner.object,
                    None => return false,
                },
                Presence::Grown => return true,
                Presence::Always => break,
            }
        }
        at == main
    }

    /// Whether an object of a type where there is none makes a tree higher than it may be: elsewhere in it there is one.
    pub fn is_growth(&self, domain: &Domain, field: FieldId, ty: Ty) -> bool {
        let bound = &self.program.field(field).bound;
        matches!(domain, Domain::Slot { .. } | Domain::Grow { .. })
            && bound.tree
            && bound.one_of.is_none()
            && self.in_trees.contains(&ty)
    }

    /// Whether leaving by it matters: a number that decides nothing may be any.
    pub fn matters(&self, cause: Cause) -> bool {
        match cause.how {
            How::Above | How::Below => self.program.field(cause.field).bound.seen.decides,
            How::Shared => self.is_told_apart(self.program.field(cause.field).ty),
            _ => true,
        }
    }

    /// Whether the code can tell one array, or box, that two hold from two that are equal.
    fn is_told_apart(&self, ty: Ty) -> bool {
        match ty {
            Ty::Array(array) => {
                self.program.identity.arrays.contains(&array) || self.is_told_apart(self.program.element_ty(array))
            }
            Ty::Class(class) if self.program.class(class).kind == ClassKind::Box => self.program.identity.boxes,
            // Behind a wider type it may be either.
            _ => ty.is_reference(),
        }
    }

    /// Whether what an object of a type is cannot be told where a field of a wider type holds it: the code never asks.
    pub fn is_unasked(&self, ty: Ty, field: FieldId) -> bool {
        let field = self.program.field(field);
        let mut declared = field.ty;
        while let Ty::Array(array) = declared {
            declared = self.program.element_ty(array);
        }
        let is_wide = |class: ClassId| {
            let info = self.program.class(class);
            !info.is_input && info.kind != ClassKind::Box && class != self.program.known.string
        };
        matches!(declared, Ty::Class(class) if is_wide(class))
            && !field.bound.seen.types.iter().any(|k| self.program.is_subtype(ty, k.ty()))
    }

    /// Whether an object is, to all that the code asks, like one that a field of a wider type starts with.
    pub fn is_like_another(&self, ty: Ty, field: FieldId, objects: &[ObjId]) -> bool {
        self.is_unasked(ty, field) && objects.iter().any(|o| self.is_unasked(self.space.object(*o).ty, field))
    }

    /// The field of a slot of a class's object.
    pub fn field(&self, class: ClassId, slot: u32) -> FieldId {
        self.fields[class.index()][slot as usize]
    }

    /// How the state of an object leaves the space; None if it has grown beyond the bound.
    pub fn leaving<'m>(&'m self, heap: &'m Heap, main: ObjId) -> Option<Vec<Leaving>> {
        let Some(twin) = self.space.main else { return Some(Vec::new()) };
        let mut matching = Matching {
            heap,
            twins: vec![None; heap.object_count()],
            is_used: vec![false; self.space.objects.len()],
            matched: Vec::new(),
            references: Vec::new(),
            holders: Vec::new(),
            found: Vec::new(),
        };
        if heap.ty(main) != self.space.object(twin).ty {
            return Some(Vec::new());
        }
        matching.pair(main, twin, None);
        self.walk(&mut matching).ok()?;
        let mut found = matching.found;
        matching.holders.sort_unstable();
        for pair in matching.holders.windows(2) {
            if let &[(object, field), (same, other)] = pair
                && object == same
            {
                let cause = Cause { field, how: How::Shared };
                found.push(Leaving { cause, value: Value::Obj(object), other: Some(other), range: (0, 0) });
            }
        }
        found.retain(|l| self.matters(l.cause));
        found.sort_unstable_by_key(|l| l.cause);
        found.dedup_by_key(|l| l.cause);
        Some(found)
    }

    fn walk<'m>(&'m self, m: &mut Matching<'m>) -> Result<(), Grown> {
        let mut late: Vec<(&'m Domain, ObjId, FieldId)> = Vec::new();
        let (mut next, mut next_reference) = (0, 0);
        loop {
            if let Some(&(object, twin, field)) = m.matched.get(next) {
                next += 1;
                self.slots(m, object, twin, field)?;
            } else if let Some(&(domain, object, field)) = m.references.get(next_reference) {
                next_reference += 1;
                if !self.refer(m, domain, object, field)? {
                    late.push((domain, object, field));
                }
            } else {
                break;
            }
        }
        for (domain, object, field) in late {
            let Domain::Ref { objects, .. } = domain else { continue };
            match m.twins[object.index()] {
                Some(twin) if objects.contains(&twin) => {}
                Some(_) => self.other(m, objects, object, field),
                None if self.is_plain(m.heap, object) => {
                    let is_string = |o: &ObjId| self.space.object(*o).ty == m.heap.ty(object);
                    let strings = objects.iter().copied().filter(|o| o.index() >= self.space.statics);
                    let free = strings.filter(is_string).find(|o| !m.is_used[o.index()]).ok_or(Grown)?;
                    m.take(object, free);
                }
                None => m.leaves(field, How::Outside, Value::Obj(object)),
            }
        }
        for (most, slots) in &self.space.budgets {
            let counts = |(_, twin, _): &&(ObjId, ObjId, Option<FieldId>)| {
                let object = self.space.object(*twin);
                object.place.is_some() && matches!(object.presence, Presence::AtSlot(s) if slots.contains(&s))
            };
            if m.matched.iter().filter(counts).count() as i64 > *most {
                return Err(Grown);
            }
        }
        Ok(())
    }

    /// Looks at all slots of a matched object.
    fn slots<'m>(
        &'m self,
        m: &mut Matching<'m>,
        object: ObjId,
        twin: ObjId,
        field: Option<FieldId>,
    ) -> Result<(), Grown> {
        let space = self.space.object(twin);
        let length = i64::from(m.heap.len(object));
        if let Ty::Array(_) = space.ty {
            if length > space.length.1 {
                return Err(Grown);
            }
            if let (true, Some(field)) = (length < space.length.0, field) {
                m.leaves(field, How::Short, Value::Obj(object));
            }
        }
        for slot in 0..m.heap.len(object) {
            let (Some(domain), Some(value)) = (space.slots.get(slot as usize), m.heap.get(object, slot)) else {
                continue;
            };
            let field = match space.ty {
                Ty::Class(class) if self.program.class(class).kind != ClassKind::Box => self.field(class, slot),
                _ => match field {
                    Some(field) => field,
                    None => continue,
                },
            };
            self.value(m, domain, value, field)?;
        }
        Ok(())
    }

    fn value<'m>(
        &'m self,
        m: &mut Matching<'m>,
        domain: &'m Domain,
        value: Value,
        field: FieldId,
    ) -> Result<(), Grown> {
        match (domain, value) {
            (&Domain::Int { lo, hi }, Value::Int(i)) if i < lo || hi < i => {
                let how = if i < lo { How::Below } else { How::Above };
                m.found.push(Leaving { cause: Cause { field, how }, value, other: None, range: (lo, hi) });
            }
            (Domain::Ints(values), Value::Int(i)) if values.binary_search(&i).is_err() => {
                m.found.push(beside(values, i, field));
            }
            (Domain::Fixed(Value::Null), Value::Obj(_)) => return Err(Grown),
            (Domain::Fixed(Value::Obj(fixed)), Value::Obj(object)) => {
                let twin = if object.index() < self.space.statics { Some(object) } else { m.twins[object.index()] };
                if twin != Some(*fixed) {
                    m.leaves(field, How::Class, value);
                }
            }
            (Domain::Fixed(fixed), _) if *fixed != value => m.leaves(field, How::Class, value),
            (
                Domain::Ref { nullable: false, .. }
                | Domain::Slot { nullable: false, .. }
                | Domain::Grow { nullable: false, .. },
                Value::Null,
            ) => m.leaves(field, How::Null, value),
            (Domain::Ref { .. }, Value::Obj(object)) => m.references.push((domain, object, field)),
            (Domain::Slot { objects, .. } | Domain::Grow { objects, .. }, Value::Obj(object)) => {
                if object.index() < self.space.statics {
                    m.leaves(field, How::Class, value);
                    return Ok(());
                }
                if !self.is_shareable(m.heap, object) {
                    m.holders.push((object, field));
                }
                if m.twins[object.index()].is_some() {
                    return Ok(());
                }
                let of_class = |o: &&ObjId| self.space.object(**o).ty == m.heap.ty(object);
                let mut fitting = objects.iter().filter(of_class).peekable();
                if fitting.peek().is_none() {
                    if self.is_growth(domain, field, m.heap.ty(object)) {
                        return Err(Grown);
                    }
                    m.leaves(field, How::Class, value);
                    return Ok(());
                }
                let Some(&twin) = fitting.find(|o| !m.is_taken(&self.space, **o)) else { return Err(Grown) };
                m.pair(object, twin, Some(field));
            }
            _ => {}
        }
        Ok(())
    }

    /// Tree edges and boxes whose identity nobody can tell may be met again: the tree property is checked elsewhere.
    fn is_shareable(&self, heap: &Heap, object: ObjId) -> bool {
        match heap.ty(object) {
            Ty::Array(_) => false,
            Ty::Class(class) if self.program.class(class).kind == ClassKind::Box => match heap.get(object, 0) {
                Some(Value::Int(i)) => CACHED.contains(&i),
                _ => true,
            },
            _ => true,
        }
    }

    /// Matches a reference; false if that must wait until all trees are known.
    fn refer<'m>(
        &'m self,
        m: &mut Matching<'m>,
        domain: &'m Domain,
        object: ObjId,
        field: FieldId,
    ) -> Result<bool, Grown> {
        let Domain::Ref { objects, .. } = domain else { return Ok(true) };
        let known = if object.index() < self.space.statics { Some(object) } else { m.twins[object.index()] };
        if let Some(twin) = known {
            if !objects.contains(&twin) {
                self.other(m, objects, object, field);
            }
            return Ok(true);
        }
        let of_class = |o: &&ObjId| o.index() >= self.space.statics && self.space.object(**o).ty == m.heap.ty(object);
        let mut fitting = objects.iter().filter(of_class).peekable();
        if fitting.peek().is_none() {
            // What `@Max` leaves out is said once.
            if self.has_none(m.heap.ty(object)) {
                return Err(Grown);
            }
            self.other(m, objects, object, field);
            return Ok(true);
        }
        if self.is_plain(m.heap, object) {
            let fitting: Vec<ObjId> = fitting.copied().collect();
            return self.plain(m, &fitting, object, field);
        }
        let is_pooled = |o: &&ObjId| self.space.object(**o).presence == Presence::Always;
        if !objects.iter().filter(of_class).all(|o| is_pooled(&o)) {
            return Ok(false);
        }
        let Some(&twin) = fitting.find(|o| !m.is_used[o.index()]) else { return Err(Grown) };
        m.pair(object, twin, Some(field));
        Ok(true)
    }
}

impl Members<'_> {
    /// An object that this field does not start with.
    fn other(&self, m: &mut Matching<'_>, objects: &[ObjId], object: ObjId, field: FieldId) {
        if !self.is_like_another(m.heap.ty(object), field, objects) {
            m.leaves(field, How::Class, Value::Obj(object));
        }
    }

    /// Whether a state may hold no object of a class (`@Max("0")`).
    fn has_none(&self, ty: Ty) -> bool {
        let max = |class: ClassId| self.program.class(class).max.as_ref().and_then(|m| m.eval(self.space.n));
        matches!(ty, Ty::Class(class) if max(class) == Some(0))
    }

    /// Strings and boxes: what they hold says which one they are.
    fn is_plain(&self, heap: &Heap, object: ObjId) -> bool {
        let Ty::Class(class) = heap.ty(object) else { return false };
        class == self.program.known.string || self.program.class(class).kind == ClassKind::Box
    }

    fn plain(&self, m: &mut Matching<'_>, fitting: &[ObjId], object: ObjId, field: FieldId) -> Result<bool, Grown> {
        let held = m.heap.get(object, 0);
        let fixed = |o: &ObjId| match self.space.object(*o).slots.first() {
            Some(&Domain::Fixed(value)) => Some(value),
            _ => None,
        };
        let is_string = m.heap.ty(object) == Ty::Class(self.program.known.string);
        let equal: Vec<ObjId> = fitting.iter().copied().filter(|o| fixed(o) == held).collect();
        if equal.is_empty() && is_string {
            // Nobody knows the contents of a string that the code built: it is any that is left when all others are known.
            return Ok(false);
        }
        if equal.is_empty() {
            if let Some(Value::Int(i)) = held {
                let ints =
                    fitting.iter().filter_map(|o| if let Some(Value::Int(i)) = fixed(o) { Some(i) } else { None });
                let mut values: Vec<i64> = ints.collect();
                values.sort_unstable();
                m.found.push(beside(&values, i, field));
            }
            return Ok(true);
        }
        if is_string || !self.is_shareable(m.heap, object) {
            m.take(object, equal.into_iter().find(|o| !m.is_used[o.index()]).ok_or(Grown)?);
        }
        Ok(true)
    }
}

fn into_trees(program: &Program, space: &Space) -> FxHashSet<Location> {
    let is_node = |object: &ObjId| {
        let object = space.object(*object);
        let is_box = |class: ClassId| program.class(class).kind == ClassKind::Box;
        object.presence != Presence::Always && matches!(object.ty, Ty::Class(class) if !is_box(class))
    };
    let mut found = FxHashSet::default();
    for (object, info) in (0u32..).map(ObjId).zip(&space.objects).skip(space.statics) {
        for (slot, domain) in (0u32..).zip(&info.slots) {
            if matches!(domain, Domain::Ref { objects, .. } if objects.iter().any(is_node)) {
                found.insert(Location { object, slot });
            }
        }
    }
    found
}

/// A number that is none of these: beyond the range that is next to it from below, or below all.
fn beside(values: &[i64], i: i64, field: FieldId) -> Leaving {
    let next = values.partition_point(|&v| v < i);
    let how = if next == 0 { How::Below } else { How::Above };
    let hi = next.checked_sub(1).map_or(values.last(), |below| values.get(below)).copied().unwrap_or(i);
    let first = values.partition_point(|&v| v <= hi);
    let lo = values[..first].iter().rev().scan(hi + 1, |at, &v| {
        *at -= 1;
        (v == *at).then_some(v)
    });
    let lo = if next == 0 { values.first().copied() } else { lo.last() };
    Leaving { cause: Cause { field, how }, value: Value::Int(i), other: None, range: (lo.unwrap_or(hi), hi) }
}

impl Matching<'_> {
    fn take(&mut self, object: ObjId, twin: ObjId) {
        self.twins[object.index()] = Some(twin);
        self.is_used[twin.index()] = true;
    }

    fn pair(&mut self, object: ObjId, twin: ObjId, field: Option<FieldId>) {
        self.take(object, twin);
        self.matched.push((object, twin, field));
    }

    /// Whether an object of the space stands for another already, or its place in a tree of any shape is.
    fn is_taken(&self, space: &Space, twin: ObjId) -> bool {
        let object = space.object(twin);
        let is_there = |o: ObjId| space.object(o).presence == Presence::Grown && space.object(o).place == object.place;
        self.is_used[twin.index()]
            || object.presence == Presence::Grown && self.matched.iter().any(|(_, o, _)| is_there(*o))
    }

    fn leaves(&mut self, field: FieldId, how: How, value: Value) {
        self.found.push(Leaving { cause: Cause { field, how }, value, other: None, range: (0, 0) });
    }
}
