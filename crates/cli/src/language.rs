//! `glassbox check` on language definitions.

use crate::args::Check;

/// Whether the arguments name definitions of languages.
pub fn is_for(arguments: &Check) -> bool {
    arguments.files.iter().any(|f| f.extension().is_some_and(|e| e == "lang"))
}

pub fn check(_arguments: &'static Check) -> u8 {
    3
}
