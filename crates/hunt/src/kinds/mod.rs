//! All kinds, one file each. A new kind is a file here, a line in [`all`], and a line in `tests/it/ci.rs`.

mod dminor_functions;
mod dminor_schema;
mod hob_bounded;
mod hob_flags;
mod hob_integers;
mod hob_modules;
mod java_declarative;
mod java_histories;
mod java_leaving;
mod java_library;
mod java_reachable;
mod java_statements;
mod java_types;
pub mod lang_checks;
mod lang_mutants;
mod lang_same;

use crate::Kind;

#[rustfmt::skip] // One line each: lines of several branches go together.
pub fn all() -> Vec<Kind> {
    vec![
        dminor_functions::kind(),
        dminor_schema::kind(),
        hob_bounded::kind(),
        hob_flags::kind(),
        hob_integers::kind(),
        hob_modules::KIND,
        java_declarative::kind(),
        java_histories::kind(),
        java_leaving::kind(),
        java_library::kind(),
        java_reachable::kind(),
        java_statements::kind(),
        java_types::kind(),
        lang_checks::kind(),
        lang_mutants::kind(),
        lang_same::kind(),
    ]
}
