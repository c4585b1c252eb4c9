//! Concrete values: what the interpreter computes with and what a counterexample consists of.

/// An object of a concrete heap, and of the [space](crate::space) of states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjId(pub u32);

impl ObjId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Bool(bool),
    /// Of any integral type, within its range.
    Int(i64),
    Null,
    Obj(ObjId),
}

/// Java keeps one box of each of these numbers (JLS 5.1.7).
pub const CACHED: std::ops::RangeInclusive<i64> = -128..=127;

/// Where a value is kept: a slot of an object. For an object of a class, the slots are
/// [its instance fields](crate::Program::instance_fields) in order; for an array, its elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location {
    pub object: ObjId,
    pub slot: u32,
}
