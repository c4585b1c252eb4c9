//! Loop invariants that may be guessed, and the loop that they are of.

use super::logic::Env;
use super::term::*;
use crate::program::*;
use crate::value::Label;
use smt::term::Op as Operator;

#[derive(Clone, Debug)]
pub enum Guess {
    /// The sort stays.
    Sort(Sort),
    AtLeastInitial,
    AtMostInitial,
    NotNegative,
    /// `y + rest.Count == init + c.Count`, or `<=`, or `>=`
    Counts(Operator),
    /// `y.Count + rest.Count == init.Count + c.Count`, or `<=`, or `>=`
    Sizes(Operator),
    /// Every member was one of the source, or of the initial collection.
    MembersFrom,
    /// It is a member of the source, or the initial value.
    OneOf,
    /// It is in this type.
    InType(Type),
    /// It has this field, of which that is guessed.
    Field(Label, Box<Guess>),
    /// The collections in these fields have all members that were taken between them.
    SizesTogether(Vec<Label>),
}

/// A loop whose invariant is sought.
#[derive(Clone, Copy)]
pub(super) struct Keep<'a> {
    pub accumulate: &'a Accumulate,
    pub env: &'a Env,
    pub bag: Term,
    pub initial: Val,
}
