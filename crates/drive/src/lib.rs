//! From input that was read to an answer, for all four kinds: which engine decides what, how far, and what that means to a user.
//!
//! What goes in: loaded classes, languages, programs or modules, and options. What comes out: [`Event`]s, as soon as something is known,
//! from which a [`Ledger`] makes a [`verdict::Report`]. Nothing here reads a file or prints.

pub mod classes;
pub mod languages;
mod ledger;
pub mod modules;
pub mod programs;

pub use ledger::{Event, Ledger, Place};

use source::Diagnostic;
use verdict::Certified;

/// Whoever wants to know how it goes.
pub trait Audience {
    fn tell(&mut self, event: Event);
}

impl<F: FnMut(Event)> Audience for F {
    fn tell(&mut self, event: Event) {
        self(event);
    }
}

/// For as long as the process: workers that do not heed a limit are left to themselves, and may still look at it.
pub fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// How many proofs of the SAT solver were checked.
pub(crate) fn certified(checked: u64, proofs: u64) -> Certified {
    Certified { by: "an LRAT checker".to_string(), checked, proofs }
}

/// Why nothing was checked.
pub(crate) fn no_thread() -> Diagnostic {
    Diagnostic::error("internal", None, "no thread could be started: is the memory of the process limited?")
}
