//! The tests of this crate, in one binary: linking is what takes long.

mod corpus;
mod definitions;
mod diagnostics;
mod enumerator;
mod inference;
mod interpreter;
mod latex;
mod printing;
mod robust;
