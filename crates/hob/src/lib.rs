//! Hob: modules with abstract sets (`.fl`, `.sl`, `.al`, `.scope`).
//!
//! What goes in: the text of files. What comes out: a [`program::Program`], in which every name is resolved; its runs; and whether every
//! procedure meets its set specification. It follows "Generalized Typestate Checking for Data Structure Consistency" (Lam, Kuncak,
//! Rinard), and `docs/hob.md` where that differs.

pub mod bounded;
mod depends;
mod escape;
pub mod flags;
mod integers;
pub mod interp;
pub mod intrinsics;
pub mod lifecycle;
mod load;
pub mod program;
mod rests_on;
pub mod shape;
mod statics;
pub mod syntax;
mod told;
pub mod visit;

pub use escape::{Escape, escapes};
pub use load::{FileKind, Input, Loaded, load, load_beside, outline};
pub use program::Program;
pub use rests_on::{Assumption, assumptions};
pub use syntax::Outline;
