//! The decisions that make up one element of a space, taken when the interpreter first reads a slot (Korat's candidate
//! vector, built lazily).
//!
//! What goes in: a [`Space`]. What comes out: a [`Chooser`] whose trail of decisions can be advanced like an odometer, last
//! one first, so that every element, up to isomorphism, is reached by exactly one trail:
//! - a decision partitions what is left, and what is decided next depends on the decisions before it only;
//! - interchangeable objects and objects of [`Shape::Any`](ir::space::Shape) are numbered in the order in which decisions
//!   mention them: any mentioned one, or the first one that is not;
//! - a reference may name an object of which it is not decided yet whether it is in the state. Whoever looks into it, or
//!   completes the state, asks [`Decisions::is_present`] first, which decides the tree edges on the way to it.

use super::numbering::Numbering;
use ir::heap::Heap;
use ir::interp::{Chooser, Stop};
use ir::space::{Domain, Presence, SlotId, Space};
use ir::{Location, ObjId, Ty, Value};
use work::Chance;

/// What a decision is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    At(Location),
    Argument(usize),
}

#[derive(Clone, Copy, Debug)]
struct Decision {
    subject: Subject,
    options: Options,
    taken: u64,
    /// The group whose next object it was the first to mention.
    claimed: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Options {
    Bool,
    /// From this one on, so many.
    Ints(i64, u64),
    /// Some of [`Decisions::listed`]: from there on, so many.
    Listed(u32, u32),
    /// Null if it may be, then the array with so many elements or more, so many lengths.
    Array {
        nullable: bool,
        array: ObjId,
        least: u32,
        lengths: u64,
    },
}

/// An option that is written out.
#[derive(Clone, Copy, Debug)]
struct Listed {
    value: Value,
    /// Of an array that is not mentioned before: it has so many elements then.
    length: Option<u32>,
}

impl Options {
    fn count(self) -> u64 {
        match self {
            Options::Bool => 2,
            Options::Ints(_, count) => count,
            Options::Listed(_, count) => count.into(),
            Options::Array { nullable, lengths, .. } => u64::from(nullable) + lengths,
        }
    }
}

/// What happens where something is undecided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// The first option is taken.
    First,
    /// So it is, and the run ends: for a look ahead.
    Pause,
    /// The state is complete; nothing is undecided.
    Never,
}

pub struct Decisions<'a> {
    pub space: &'a Space,
    pub policy: Policy,
    pub arguments: Vec<Option<Value>>,
    /// Options are taken by chance if there are dice.
    pub dice: Option<Chance>,
    /// A length was decided that is not the one in the heap, which has to be built anew.
    pub is_stale: bool,
    trail: Vec<Decision>,
    listed: Vec<Listed>,
    /// What each slot of the space holds, as far as it is decided.
    content: Vec<Option<Value>>,
    lengths: Vec<Option<u32>>,
    numbering: Numbering,
    /// Which grown objects are there.
    grown: Vec<bool>,
    /// The budgets that a slot counts for, and what is left of each.
    budgets: Vec<Vec<u32>>,
    left: Vec<i64>,
}

impl<'a> Decisions<'a> {
    /// With `isomorphism`, objects that are interchangeable are.
    pub fn new(space: &'a Space, isomorphism: bool) -> Decisions<'a> {
        let mut budgets = vec![Vec::new(); space.slots.len()];
        for (number, (_, slots)) in space.budgets.iter().enumerate() {
            for slot in slots {
                // Boxes and arrays that an element owns cost no place.
                if space.slots[slot.0 as usize].objects.iter().any(|o| space.object(*o).place.is_some()) {
                    budgets[slot.0 as usize].push(number as u32);
                }
            }
        }
        Decisions {
            space,
            policy: Policy::First,
            arguments: vec![None; space.arguments.len()],
            dice: None,
            is_stale: false,
            trail: Vec::new(),
            listed: Vec::new(),
            content: vec![None; space.slots.len()],
            lengths: vec![None; space.objects.len()],
            numbering: Numbering::new(space, isomorphism),
            grown: vec![false; space.objects.len()],
            budgets,
            left: space.budgets.iter().map(|b| b.0).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.trail.len()
    }

    /// What an option of the last decision means: a value, and of an array its length.
    pub fn last_option(&self, option: u64) -> Option<(Value, Option<u32>)> {
        let decision = Decision { taken: option, ..*self.trail.last()? };
        Some((self.value(&decision), self.decided_length(&decision)))
    }

    /// The length of an array, if a decision is the one about it.
    fn decided_length(&self, decision: &Decision) -> Option<u32> {
        match decision.options {
            Options::Array { nullable, least, .. } if decision.taken >= u64::from(nullable) => {
                Some(least + (decision.taken - u64::from(nullable)) as u32)
            }
            Options::Listed(start, _) => self.listed[start as usize + decision.taken as usize].length,
            _ => None,
        }
    }

    /// How many options the last decision has.
    pub fn last_count(&self) -> u64 {
        self.trail.last().map_or(0, |d| d.options.count())
    }

    /// The logarithm of the number of ways to take all decisions.
    pub fn ln_ways(&self) -> f64 {
        self.trail.iter().map(|d| (d.options.count() as f64).ln()).sum()
    }

    /// How much of the tree of decisions is behind, from 0 to 1, if each option of a decision is as much as the others.
    pub fn done(&self) -> f64 {
        let (mut done, mut share) = (0.0, 1.0);
        for decision in &self.trail {
            share /= decision.options.count() as f64;
            done += share * decision.taken as f64;
        }
        done
    }

    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// The length that an array has in the state so far.
    pub fn length(&self, array: ObjId) -> u32 {
        self.lengths[array.index()].unwrap_or(self.space.object(array).length.0 as u32)
    }

    /// Writes the decisions from the given one on into a heap that does not have them.
    pub fn write(&self, heap: &mut Heap, from: usize) {
        for decision in &self.trail[from..] {
            if let Subject::At(at) = decision.subject {
                heap.set(at.object, at.slot, self.value(decision));
            }
        }
    }

    /// Takes back the last decisions that have no further option, and takes the next option of the one before them; false
    /// if there is none. What is undecided then is undefined in the heap.
    pub fn advance(&mut self, heap: &mut Heap) -> bool {
        while let Some(mut decision) = self.retract(heap) {
            decision.taken += 1;
            if decision.taken < decision.options.count() {
                self.take(heap, decision);
                return true;
            }
            self.forget(decision.options);
        }
        false
    }

    /// Takes the decisions back down to so many.
    pub fn retract_to(&mut self, heap: &mut Heap, length: usize) {
        while self.trail.len() > length
            && let Some(decision) = self.retract(heap)
        {
            self.forget(decision.options);
        }
    }

    /// Takes another option of the last decision.
    pub fn switch(&mut self, heap: &mut Heap, option: u64) {
        if let Some(mut decision) = self.retract(heap) {
            decision.taken = option;
            self.take(heap, decision);
        }
    }

    fn forget(&mut self, options: Options) {
        if let Options::Listed(start, _) = options {
            self.listed.truncate(start as usize);
        }
    }

    fn domain(&self, subject: Subject) -> &'a Domain {
        match subject {
            Subject::At(at) => &self.space.object(at.object).slots[at.slot as usize],
            Subject::Argument(index) => &self.space.arguments[index],
        }
    }

    fn value(&self, decision: &Decision) -> Value {
        match decision.options {
            Options::Bool => Value::Bool(decision.taken == 1),
            Options::Ints(lo, _) => Value::Int(lo.wrapping_add(decision.taken as i64)),
            Options::Listed(start, _) => self.listed[start as usize + decision.taken as usize].value,
            Options::Array { nullable: true, .. } if decision.taken == 0 => Value::Null,
            Options::Array { array, .. } => Value::Obj(array),
        }
    }

    fn take(&mut self, heap: &mut Heap, mut decision: Decision) -> Value {
        let value = self.value(&decision);
        match decision.subject {
            Subject::At(at) => heap.set(at.object, at.slot, value),
            Subject::Argument(index) => self.arguments[index] = Some(value),
        }
        if let (Value::Obj(array), Some(length)) = (value, self.decided_length(&decision)) {
            self.lengths[array.index()] = Some(length);
            self.is_stale |= heap.len(array) != length;
        }
        if let Value::Obj(object) = value {
            decision.claimed = self.numbering.mention(object);
        }
        match (self.domain(decision.subject), value) {
            (Domain::Slot { slot, .. }, _) => self.fill(*slot, value),
            (Domain::Grow { .. }, Value::Obj(object)) => self.grown[object.index()] = true,
            _ => {}
        }
        self.trail.push(decision);
        value
    }

    fn retract(&mut self, heap: &mut Heap) -> Option<Decision> {
        let mut decision = self.trail.pop()?;
        let value = self.value(&decision);
        match decision.subject {
            Subject::At(at) => heap.put(at.object, at.slot, None),
            Subject::Argument(index) => self.arguments[index] = None,
        }
        if let (Value::Obj(array), Some(_)) = (value, self.decided_length(&decision)) {
            self.lengths[array.index()] = None;
        }
        if let Some(group) = decision.claimed.take() {
            self.numbering.take_back(group);
        }
        match (self.domain(decision.subject), value) {
            (Domain::Slot { slot, .. }, _) => self.empty(*slot),
            (Domain::Grow { .. }, Value::Obj(object)) => self.grown[object.index()] = false,
            _ => {}
        }
        Some(decision)
    }

    fn fill(&mut self, slot: SlotId, value: Value) {
        self.content[slot.0 as usize] = Some(value);
        if let Value::Obj(_) = value {
            for &budget in &self.budgets[slot.0 as usize] {
                self.left[budget as usize] -= 1;
            }
        }
    }

    fn empty(&mut self, slot: SlotId) {
        if let Some(Value::Obj(_)) = self.content[slot.0 as usize].take() {
            for &budget in &self.budgets[slot.0 as usize] {
                self.left[budget as usize] += 1;
            }
        }
    }

    /// Decides what a slot of an object that is in the state, or an argument, holds.
    pub fn decide(&mut self, heap: &mut Heap, subject: Subject) -> Result<Value, Stop> {
        let space = self.space;
        let options = match self.domain(subject) {
            Domain::Fixed(value) => {
                match subject {
                    Subject::At(at) => heap.set(at.object, at.slot, *value),
                    Subject::Argument(index) => self.arguments[index] = Some(*value),
                }
                return Ok(*value);
            }
            Domain::Bool => Options::Bool,
            Domain::Int { lo, hi } => Options::Ints(*lo, hi.abs_diff(*lo).saturating_add(1)),
            Domain::Ints(values) => {
                let start = self.listed.len() as u32;
                self.listed.extend(values.iter().map(|&v| Listed { value: Value::Int(v), length: None }));
                Options::Listed(start, values.len() as u32)
            }
            Domain::Ref { nullable, objects } => {
                if objects.iter().any(|&o| space.object(o).presence == Presence::Grown) {
                    self.grow_all(heap)?;
                }
                self.list(*nullable, objects, Self::may_be_named)
            }
            Domain::Grow { nullable, objects } => self.list(*nullable, objects, |d, o| d.numbering.is_next(o)),
            Domain::Slot { slot, nullable, objects } => {
                let is_full = self.budgets[slot.0 as usize].iter().any(|&b| self.left[b as usize] <= 0);
                match objects[..] {
                    [array] if matches!(space.object(array).ty, Ty::Array(_)) => {
                        let (lo, hi) = space.object(array).length;
                        let lengths = (hi - lo + 1) as u64;
                        Options::Array { nullable: *nullable, array, least: lo as u32, lengths }
                    }
                    _ => self.list(*nullable, objects, |_, _| !is_full),
                }
            }
        };
        if options.count() == 0 || self.policy == Policy::Never {
            return Err(Stop::Backtrack);
        }
        let taken = self.dice.as_mut().map_or(0, |dice| dice.below(options.count() as usize) as u64);
        let value = self.take(heap, Decision { subject, options, taken, claimed: None });
        // Whoever looked at a stale array would see another length.
        if self.is_stale || self.policy == Policy::Pause { Err(Stop::Backtrack) } else { Ok(value) }
    }

    fn list(&mut self, nullable: bool, objects: &[ObjId], may: impl Fn(&Self, ObjId) -> bool) -> Options {
        let start = self.listed.len() as u32;
        if nullable {
            self.listed.push(Listed { value: Value::Null, length: None });
        }
        for &object in objects {
            if !may(self, object) {
                continue;
            }
            let value = Value::Obj(object);
            // One that many places share gets its length from the first that mentions it.
            let info = self.space.object(object);
            let is_open = matches!(info.ty, Ty::Array(_)) && info.presence == Presence::Always;
            if is_open && self.lengths[object.index()].is_none() {
                let (lo, hi) = info.length;
                self.listed.extend((lo..=hi).map(|l| Listed { value, length: Some(l as u32) }));
            } else {
                self.listed.push(Listed { value, length: None });
            }
        }
        Options::Listed(start, self.listed.len() as u32 - start)
    }

    /// By a reference that is not a tree edge; whether the object is in the state may be open.
    fn may_be_named(&self, object: ObjId) -> bool {
        let may = match self.space.object(object).presence {
            Presence::Always => true,
            Presence::AtSlot(slot) => self.content[slot.0 as usize].is_none_or(|c| c == Value::Obj(object)),
            Presence::Grown => return self.grown[object.index()],
        };
        may && self.numbering.is_canonical(object)
    }

    /// Whether an object is in the state; the tree edges on the way to it are decided if they are not.
    pub fn is_present(&mut self, heap: &mut Heap, object: ObjId) -> Result<bool, Stop> {
        let space = self.space;
        let slot = match space.object(object).presence {
            Presence::Always => return Ok(true),
            Presence::Grown => return Ok(self.grown[object.index()]),
            Presence::AtSlot(slot) => slot,
        };
        if let Some(content) = self.content[slot.0 as usize] {
            return Ok(content == Value::Obj(object));
        }
        for &at in &space.slots[slot.0 as usize].owners {
            if self.is_present(heap, at.object)? && at.slot < heap.len(at.object) {
                let content = match heap.at(at) {
                    Some(content) => content,
                    None => self.decide(heap, Subject::At(at))?,
                };
                return Ok(content == Value::Obj(object));
            }
        }
        Ok(false)
    }

    /// Decides all trees of [`Shape::Any`](ir::space::Shape): a reference cannot name an object that has no number yet.
    fn grow_all(&mut self, heap: &mut Heap) -> Result<(), Stop> {
        let space = self.space;
        for (index, owner) in space.objects.iter().enumerate() {
            let object = ObjId(index as u32);
            for (slot, domain) in owner.slots.iter().enumerate() {
                let at = Location { object, slot: slot as u32 };
                if let Domain::Grow { .. } = domain
                    && self.is_present(heap, object)?
                    && at.slot < heap.len(object)
                    && heap.at(at).is_none()
                {
                    self.decide(heap, Subject::At(at))?;
                }
            }
        }
        Ok(())
    }
}

impl Chooser for Decisions<'_> {
    fn choose(&mut self, heap: &mut Heap, at: Location) -> Result<Value, Stop> {
        if self.policy == Policy::Never {
            return Err(Stop::Undefined(at));
        }
        if self.is_present(heap, at.object)? { self.decide(heap, Subject::At(at)) } else { Err(Stop::Backtrack) }
    }
}
