//! The algebra of finite sets: formulas, their simplification, and whether they can be true.
//!
//! In: formulas over set and Boolean variables, with unions, intersections, differences, cardinalities bounded by constants and
//! quantifiers over both sorts (the specification language of Lam, Kuncak, Rinard, "Generalized Typestate Checking for Data Structure
//! Consistency", Figure 1). Out: a smaller formula that means the same (section 4 of that paper), or a [`Decision`] with a model.
//!
//! The domain: finite subsets of a countably infinite universe. There is always an element outside of all sets, and no complement.
//!
//! Invariants: a [`Model`] is handed out only after [`evaluate`] has confirmed it, wherever evaluation is feasible; `Unsat` is said only
//! by a complete procedure; what no procedure decides is `Unknown`. No input panics.

mod build;
mod decide;
mod evaluate;
mod model;
pub mod mona;
mod show;
mod simplify;
mod stack;
mod store;
mod substitute;

pub use decide::{Decision, Limits, Method, decide, stopped, unrefuted};
pub use evaluate::evaluate;
pub use model::{Answer, Model};
pub use store::{Compare, Formula, Node, Options, Sort, Store, Term, TermNode, Var};
pub use substitute::Replacement;
