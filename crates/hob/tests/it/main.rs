//! The tests of this crate, in one binary: linking is what takes long.

mod bounded;
mod contracts;
mod corpus;
mod examples;
mod flags;
mod formulas;
mod lifecycle;
mod load;
mod messages;
mod original;
mod parse;
mod precision;
mod programs;
mod robust;
mod running;
mod shape;
mod water;
