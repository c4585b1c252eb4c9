//! Universal sets, eliminated on Venn regions.

use super::Limits;
use crate::store::{Formula, Store};

/// An equivalent formula without universal sets, or why there is none.
pub(crate) fn eliminate(_store: &mut Store, _f: Formula, _limits: &Limits) -> Result<Formula, String> {
    Err("a set is quantified universally".into())
}
