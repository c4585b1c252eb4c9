//! All kinds, one file each. A new kind is a file here, a line in [`all`], and a line in `tests/ci.rs`.

mod java_declarative;
mod java_leaving;

use crate::Kind;

pub fn all() -> Vec<Kind> {
    vec![java_declarative::kind(), java_leaving::kind()]
}
