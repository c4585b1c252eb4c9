//! Formulas: a hash-consed Boolean graph behind smart constructors, integers on top of it, what is known of them, and an
//! evaluator. No solver lives here.

mod blast;
mod compare;
mod entail;
mod evaluate;
mod graph;
mod knowledge;
mod linear;
mod mirror;
mod places;
mod term;
mod unary;

pub use evaluate::{Assignment, Evaluator};
pub use graph::{Graph, Lit, Node, NodeId, Parent};
pub use knowledge::{Bounds, Depth, Difference, Mark};
pub use linear::{Elimination, Linear, LinearId};
pub use mirror::{Extent, Growth, Mirror};
pub use places::{Forest, PlaceId};
pub use term::{IntOp, IntTy, Term, TermId};
