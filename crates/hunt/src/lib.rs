//! The hunt for wrong verdicts: inputs of all kinds, made at random, and every pair of ways to the answer compared (engines, a
//! JVM, interpreters with contracts, other solvers). Not for users. `cargo run --release -p hunt -- --minutes 60` hunts;
//! `tests/it/ci.rs` runs the first seeds of every kind, so that a comparison that was broken is noticed.
//!
//! A kind is one generator with the ways that it compares. What disagrees is shrunk before it is shown.

pub mod java;
pub mod kinds;
pub mod shrink;

use std::sync::atomic::{AtomicBool, Ordering};

/// One generator, and the comparison of all ways to the answer for what it makes.
pub struct Kind {
    /// As on the command line: `java-declarative`.
    pub name: &'static str,
    /// What is made and what is compared, in one line.
    pub about: &'static str,
    /// How many seeds CI tries, from 0.
    pub ci: u64,
    /// Makes the input of this seed and compares.
    pub attempt: fn(u64) -> Found,
}

/// What a comparison came to.
#[derive(Debug)]
pub enum Found {
    /// All ways gave this answer: `verified`, `violated`. CI insists on at least two different ones per kind.
    Agreed(&'static str),
    /// Nothing to compare, and why: the input is not in the language, a limit was reached.
    Skipped(String),
    Disagreed(Box<Disagreement>),
}

/// Two ways to the answer that do not give the same one.
#[derive(Debug)]
pub struct Disagreement {
    /// As small as it could be made: all that is needed to see it again.
    pub input: String,
    /// Each way and what it said.
    pub answers: Vec<(String, String)>,
}

/// What a comparison came to, beside agreement.
#[derive(Debug)]
pub enum Apart {
    Skipped(String),
    /// Each way and what it said.
    Disagreed(Vec<(String, String)>),
}

/// Whether inputs are printed before they are compared: a comparison that takes all memory says nothing afterwards.
pub static SHOW: AtomicBool = AtomicBool::new(false);

/// Compares for a text, and makes it small if the ways disagree.
pub fn found(text: &str, mut compare: impl FnMut(&str) -> Result<&'static str, Apart>) -> Found {
    if SHOW.load(Ordering::Relaxed) {
        println!("{text}");
    }
    match compare(text) {
        Ok(answer) => Found::Agreed(answer),
        Err(Apart::Skipped(why)) => Found::Skipped(why),
        Err(Apart::Disagreed(mut answers)) => {
            let input = shrink::lines(text, |less| match compare(less) {
                Err(Apart::Disagreed(said)) => {
                    answers = said;
                    true
                }
                _ => false,
            });
            Found::Disagreed(Box::new(Disagreement { input, answers }))
        }
    }
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (way, answer) in &self.answers {
            writeln!(f, "{way}: {answer}")?;
        }
        write!(f, "\n{}", self.input)
    }
}
