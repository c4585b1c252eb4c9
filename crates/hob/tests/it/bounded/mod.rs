//! The plugin `bounded` on the modules of `tests/modules`: what is right is verified, every seeded fault is found with the smallest bound,
//! and the engine agrees with a plain enumeration of all heaps in the interpreter.

mod agreement;
mod corners;
mod elsewhere;
pub mod engine;
mod escapes;
mod integers;
pub mod languages;
pub mod mutants;
mod plugins;
mod seeded;
