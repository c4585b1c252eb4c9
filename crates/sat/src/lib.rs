//! SAT solving, and the proof that an "unsatisfiable" is one.
//!
//! `solver` says what may be asked; `cadical` answers; `certify` answers and has every proof checked by `lrat`, which
//! shares no code with any solver; `rup` propagates over the checker's clauses; `second` is another solver for tests.

pub mod cadical;
pub mod certify;
pub mod encode;
pub mod lrat;
mod order;
mod rein;
pub mod rup;
pub mod solver;

#[cfg(test)]
mod second;
#[cfg(test)]
mod tests;

pub use cadical::{Cadical, Preset};
pub use certify::Certified;
pub use encode::{Check, Encoding};
pub use lrat::{Checker, ProofError};
pub use rein::Rein;
pub use solver::{Answer, Certificate, Limits, SatLit, Solver, Stats};
