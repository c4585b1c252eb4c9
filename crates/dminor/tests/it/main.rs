//! The tests of this crate, in one binary: linking is what takes long.

mod bemol;
mod boogie;
mod corpus;
mod diagnostics;
mod explain;
mod json;
mod limits;
mod parsing;
mod robust;
mod runs;
mod schema;
mod semantics;
mod statics;
mod suite;
mod typing;
mod verify;
