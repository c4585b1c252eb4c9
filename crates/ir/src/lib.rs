//! The executable IR of the bounded engines, what is to be checked in it, the space of its states, and its concrete
//! interpreter.

pub mod program;
pub mod purity;
pub mod task;
pub mod value;

pub use program::*;
pub use task::*;
pub use value::*;
