//! All kinds, one file each. A new kind is a file here, a line in [`all`], and a line in `tests/ci.rs`.

mod hob_bounded;
mod hob_integers;

use crate::Kind;

pub fn all() -> Vec<Kind> {
    vec![hob_bounded::kind(), hob_integers::kind()]
}
