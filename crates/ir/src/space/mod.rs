//! The space of states within the bounds (dissertation, 2.2): which objects a state may hold and what each of their slots
//! may contain. Both engines start from it; they share nothing else.
//!
//! What goes in: a program, what is checked, n, and the objects that static initialisers made. What comes out: one
//! [`Space`] per operation, whose elements are all assignments of a value of its domain to every slot and argument. An
//! element is a state if the tree property and the invariant hold. See docs/java.md, "A start state".

mod build;
mod classes;
mod domains;
mod opaque;
mod outer;
mod pools;
mod trees;

pub use classes::{held, held_in};

use crate::generics::InstanceId;
use crate::program::*;
use crate::value::{Location, ObjId, Value};
use rustc_hash::FxHashMap;

/// How many opaque objects stand for `Object`.
pub const OPAQUE_OBJECTS: usize = 8;
/// The text of the opaque string that has a copy; those of the others are less, those of constants greater.
pub const COPIED_TEXT: i64 = -1;

/// A place where a tree edge, an owned array or an owned box may hang an object, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SlotId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// Each tree has n places of its own, laid out as a complete tree in breadth-first order.
    #[default]
    Complete,
    /// Every tree of at most n objects.
    Any,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    Fixed(Value),
    Bool,
    Int {
        lo: i64,
        hi: i64,
    },
    /// One of these, ascending: a default range, and what the code compares with far from it.
    Ints(Vec<i64>),
    /// Null, or any of these that the state holds.
    Ref {
        nullable: bool,
        objects: Vec<ObjId>,
    },
    /// Null, or the one of these that is at the slot.
    Slot {
        slot: SlotId,
        nullable: bool,
        objects: Vec<ObjId>,
    },
    /// A tree edge of [`Shape::Any`]: null, or one of these, none of which any other tree edge points to.
    Grow {
        nullable: bool,
        objects: Vec<ObjId>,
    },
}

/// How an object comes to be in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// Static objects, the checked object, pools: always there, part of the state if something reaches them.
    Always,
    /// If the slot holds it.
    AtSlot(SlotId),
    /// If a tree edge of [`Shape::Any`] points to it.
    Grown,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SpaceObject {
    pub ty: Ty,
    pub presence: Presence,
    /// Of a class: its instance fields. Of an array: its elements up to the greatest length.
    pub slots: Vec<Domain>,
    /// Of an array.
    pub length: (i64, i64),
    /// Where it stands in a tree: which tree, which place.
    pub place: Option<(u32, u32)>,
    /// Any renaming among objects of one class with this set gives the same state (dissertation, 2.8); among arrays, of one
    /// type and group.
    pub interchangeable: bool,
    /// Of arrays that may be shared: those with the same number are at any of their places.
    pub group: u32,
    /// Of a generic class: with which type arguments, if they say what its fields hold.
    pub instance: Option<InstanceId>,
}

impl SpaceObject {
    /// Whether two arrays have the same type, group and bounds: each may be where the other is.
    pub fn is_array_like(&self, other: &SpaceObject) -> bool {
        let is_alike = |(a, b): (&Domain, &Domain)| match (a, b) {
            (Domain::Slot { nullable: x, .. }, Domain::Slot { nullable: y, .. }) => x == y,
            _ => a == b,
        };
        (self.ty, self.group) == (other.ty, other.group)
            && self.length == other.length
            && self.slots.iter().zip(&other.slots).all(is_alike)
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Slot {
    /// What it may hold: at most one per class.
    pub objects: Vec<ObjId>,
    /// The edges that lead to it; one of their objects is present if the slot is not empty. None: an argument.
    pub owners: Vec<Location>,
    /// The glass box takes it to be filled: states in which it is not are equal to one in which it is. The exhaustive engine runs
    /// them all.
    pub is_padded: bool,
}

#[derive(Clone, Debug)]
pub struct Space {
    pub n: i64,
    pub shape: Shape,
    pub objects: Vec<SpaceObject>,
    /// The first objects are those of the static initialisers, with fixed values.
    pub statics: usize,
    /// The checked object; a constructor has none before it runs.
    pub main: Option<ObjId>,
    /// The objects of [`Program::static_state`], the first after the static ones.
    pub static_state: Vec<ObjId>,
    pub arguments: Vec<Domain>,
    pub slots: Vec<Slot>,
    /// Sets of slots of which at most so many hold something.
    pub budgets: Vec<(i64, Vec<SlotId>)>,
    /// How many trees, of how many places, with what fan-out: for the report.
    pub trees: Vec<Tree>,
    /// Why there are no states to run the operation on: where it looks nothing can be, not even null.
    pub refused: Option<Box<source::Diagnostic>>,
    /// What a program may hold and no element of the space does, and what brings it in: for the report.
    pub left_out: Vec<verdict::LeftOut>,
}

#[derive(Clone, Debug)]
pub struct Tree {
    pub places: u32,
    pub fan_out: u32,
}

impl Tree {
    /// The greatest height of a complete tree with so many places.
    pub fn height(&self) -> u32 {
        let (mut height, mut last, mut level) = (0, 0u64, 1u64);
        while last < self.places.into() {
            height += 1;
            last += level;
            level = level.saturating_mul(self.fan_out.into());
        }
        height
    }
}

/// What the static initialisers left: the first objects of every state.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    pub objects: Vec<StaticObject>,
    pub fields: FxHashMap<FieldId, Value>,
    /// The object of each string constant.
    pub strings: Vec<ObjId>,
}

/// One element of a space.
#[derive(Clone, PartialEq, Debug)]
pub struct Concrete {
    /// By object of the space; the length of an array is the number of its values.
    pub objects: Vec<Vec<Value>>,
    pub arguments: Vec<Value>,
}

/// A static object as the initialisers left it.
#[derive(Clone, Debug)]
pub struct StaticObject {
    pub ty: Ty,
    pub values: Vec<Value>,
}
impl Space {
    pub fn object(&self, id: ObjId) -> &SpaceObject {
        &self.objects[id.index()]
    }

    /// Whether an edge of the tree leads, wherever the object that it starts from is, to one that a padded list hangs on.
    pub fn is_before_padded(&self, edge: Location) -> bool {
        let domain = &self.object(edge.object).slots[edge.slot as usize];
        let is_padded = |d: &Domain| matches!(d, Domain::Slot { slot, .. } if self.slots[slot.0 as usize].is_padded);
        let holds_padded = |o: &ObjId| self.object(*o).slots.iter().any(is_padded);
        matches!(domain, Domain::Slot { nullable: false, objects, .. } if objects.iter().any(holds_padded))
    }

    /// Whether both have the same states, whatever the arguments are.
    pub fn has_the_states_of(&self, other: &Space) -> bool {
        let of = |s: &Space| (s.n, s.shape, s.statics, s.main);
        of(self) == of(other)
            && self.static_state == other.static_state
            && self.objects == other.objects
            && self.slots == other.slots
            && self.budgets == other.budgets
    }

    /// What a run starts from, beside the arguments.
    pub fn roots(&self) -> impl Iterator<Item = ObjId> + '_ {
        self.static_state.iter().copied().chain(self.main)
    }

    /// The decimal logarithm of the number of elements of the space: what the bounds alone span.
    pub fn log10_size(&self) -> f64 {
        let size = |domain: &Domain| match domain {
            Domain::Fixed(_) => 1.0,
            Domain::Bool => 2.0,
            Domain::Int { lo, hi } => hi.abs_diff(*lo) as f64 + 1.0,
            Domain::Ints(values) => values.len() as f64,
            Domain::Ref { nullable, objects } | Domain::Grow { nullable, objects } => {
                (objects.len() + usize::from(*nullable)) as f64
            }
            Domain::Slot { .. } => 1.0,
        };
        let in_objects: f64 = self.objects.iter().flat_map(|o| &o.slots).map(|d| size(d).max(1.0).log10()).sum();
        let lengths: f64 = self.objects.iter().map(|o| ((o.length.1 - o.length.0 + 1).max(1) as f64).log10()).sum();
        let in_arguments: f64 = self.arguments.iter().map(|d| size(d).max(1.0).log10()).sum();
        let at_slots: f64 = self.slots.iter().map(|s| ((s.objects.len() + 1) as f64).log10()).sum();
        in_objects + lengths + in_arguments + at_slots
    }
}
