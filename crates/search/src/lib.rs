//! The engines: the glass box by execution, the loop of Figure 5.8, and the exhaustive search they must agree with; and the race of
//! the first with the last.

mod amount;
mod cases;
mod checks;
mod coverage;
mod described;
mod exact;
pub mod exhaustive;
mod explore;
mod glassbox;
mod models;
mod narrow;
mod nearby;
mod observe;
mod outcome;
mod propagate;
mod prove;
mod race;
mod session;
mod start;

pub use coverage::{Coverage, count_states, coverage};
pub use described::Described;
pub use glassbox::GlassBox;
pub use models::search as search_models;
pub use narrow::{Narrow, too_narrow};
pub use observe::{Observed, Observer};
pub use outcome::{Counts, Options, Outcome, Strategy};
pub use race::{ALONE, race};
pub use session::Session;
