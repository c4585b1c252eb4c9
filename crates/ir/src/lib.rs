//! The executable IR of the bounded engines, what is to be checked in it, the space of its states, and its concrete
//! interpreter.

pub mod check;
pub mod choices;
pub mod facts;
pub mod float;
pub mod generics;
pub mod heap;
pub mod interp;
pub mod leaving;
pub mod lines;
pub mod print;
pub mod program;
pub mod purity;
pub mod reach;
pub mod replay;
pub mod seen;
pub mod space;
pub mod task;
pub mod tree;
pub mod value;
mod values;
pub mod walk;
pub mod wellformed;

pub use program::*;
pub use task::*;
pub use value::*;
