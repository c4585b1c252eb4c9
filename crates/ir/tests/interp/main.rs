//! The interpreter and the checks of operations, on programs built by hand.

mod build;
mod checks;
mod semantics;
mod wellformed;
