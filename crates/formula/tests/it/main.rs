//! The tests of this crate, in one binary: linking is what takes long.

mod generate;
mod knowledge;
mod linear;
mod mirror;
mod places;
mod terms;
