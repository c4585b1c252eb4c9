//! What is to be proved, and what it is about.

use super::term::Formula;
use crate::program::Op;
use source::Span;

/// What a condition is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Operand(Op),
    DivisionByZero,
    Condition,
    Field(String),
    Entity(String),
    Collection,
    Test,
    Argument(String),
    Result,
    Ascription,
    AccumulatorInitial,
    Accumulator,
    InvariantInitial,
    Invariant,
    /// The invariant itself must not fail, and be a logical.
    Refinement,
    Order,
    /// An invariant that was guessed holds.
    Guessed,
    /// A named type that it rests on is not well-formed.
    IllFormed(String),
}

/// `facts |- goal`
#[derive(Clone, Debug)]
pub struct Condition {
    pub kind: Kind,
    pub span: Span,
    /// How many of the walker's constants there were.
    pub(super) declared: usize,
    pub(super) facts: Vec<Formula>,
    pub(super) goal: Formula,
    /// The conditions on the way to here, and what they are.
    pub path: Vec<(Span, bool)>,
}
