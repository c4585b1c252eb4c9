//! Language definitions (`.lang`): grammar, typing rules and reduction rules as written on paper. Syntax and static checks, the
//! concrete interpreter, the enumerator of well-typed programs. The bounded encoding is in the crate `soundness`.

pub mod cause;
pub mod definition;
pub mod enumerate;
pub mod explain;
pub mod extension;
pub mod interp;
pub mod latex;
pub mod mutate;
pub mod print;
mod statics;
pub mod syntax;
pub mod term;
pub mod universe;

pub use definition::*;
