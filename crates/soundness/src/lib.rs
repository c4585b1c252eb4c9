//! Type soundness by bounded SAT encoding (docs/lang.md, "How it is checked"): a check of a language definition, on every program within
//! its bounds at once.
//!
//! In: a definition and one of its checks. Out: that it holds, with what was covered; or the smallest assignment that breaks it; or
//! that the definition uses something this encoding does not carry, with the place, so that the caller can enumerate instead.
//!
//! From the outside in: `decide` puts this and enumeration together, `search` finds violations, `local` proves their absence without
//! looking at positions, `property` is the check as formulas, `guards` are the classes, `judge` the typing rules, `overlay` and `slots` the
//! trees; `query` alone holds a solver.

mod closing;
mod conditions;
mod count;
mod coverage;
mod decide;
mod decode;
mod determinism;
mod encoder;
mod evaluate;
mod finite;
mod ground;
mod guards;
mod induction;
mod inhabited;
mod instances;
mod judge;
mod layers;
mod local;
mod outcome;
mod outline;
mod overlay;
mod parts;
mod pattern;
mod plan;
mod prepare;
mod property;
mod query;
mod rules;
mod search;
mod shape;
mod slots;
mod steps;
mod tables;
mod trees;

pub use count::{well_typed, well_typed_one_by_one};
pub use decide::{Covered, Decision, Engine, Said, Ways, decide};
pub use outcome::{Coverage, Deeper, Failure, Held, Item, NotCarried, Options, Outcome, Tier, Witness, Work};
pub use search::check;
