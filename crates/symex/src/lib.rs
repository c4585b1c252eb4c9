//! From the IR to formulas: the symbolic heap, concrete-guided symbolic execution (dissertation, Figures 5.5 and 5.6) and
//! the translation of declarative code (Figure 5.7).
//!
//! Architecture invariant: nothing here sees a solver. Whoever drives an execution answers its branches through
//! [`Oracle`]; what is known meanwhile sits in the graph and folds the formulas as they are built.

mod cache;
mod calls;
mod chosen;
mod concretize;
mod execute;
mod heap;
mod initial;
mod integers;
mod isomorphism;
mod leaving;
mod loops;
mod makers;
mod operate;
mod oracle;
mod places;
mod run;
mod statements;
mod symbolic;
mod tails;
mod translate;
mod tree;
mod value;

pub use execute::Executor;
pub use leaving::{Atom, Candidate, Leaves};
pub use operate::{Conjunct, Part, Run, RunEnd};
pub use oracle::{Flow, LONG, Oracle, Restriction, Stop};
pub use symbolic::{Interrupted, Limits, Symbolic};
pub use value::{Obj, Sym};
