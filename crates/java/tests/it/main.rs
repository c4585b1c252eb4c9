//! The tests of this crate, in one binary: linking is what takes long.

mod checked;
mod diagnostics;
mod examples;
mod interp;
mod jvm;
mod mangled;
mod semantics;
