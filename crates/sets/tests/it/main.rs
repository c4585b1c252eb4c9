//! The tests of this crate, in one binary: linking is what takes long.

mod decide;
mod formulas;
mod quantified;
mod simplify;
