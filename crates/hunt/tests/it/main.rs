//! The tests of this crate, in one binary: linking is what takes long.

mod ci;
mod lang;
