//! The type system and the verifier side by side, as in Table 1 of the paper.

use crate::verify::{Answer, Verdict};
use std::fmt;

/// What a method spent.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Effort {
    /// Calls of the solver.
    pub queries: u64,
    pub seconds: f64,
    /// Of which in the solver.
    pub solver_seconds: f64,
}

impl Effort {
    fn add(&mut self, answers: &[Answer]) {
        self.queries += answers.iter().map(|a| a.queries).sum::<u64>();
        self.seconds += answers.iter().map(|a| a.seconds).sum::<f64>();
        self.solver_seconds += answers.iter().map(|a| a.solver_seconds).sum::<f64>();
    }
}

/// Programs, by who accepts them.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Table {
    pub both: usize,
    pub only_types: usize,
    pub only_conditions: usize,
    pub neither: usize,
    pub types: Effort,
    pub conditions: Effort,
}

/// A program is accepted if everything in it is.
pub(super) fn accepts(answers: &[Answer]) -> bool {
    answers.iter().all(|a| matches!(a.verdict, Verdict::Verified))
}

impl Table {
    /// One program, by what [`super::check`] and [`crate::verify::check`] say of it.
    pub fn add(&mut self, by_types: &[Answer], by_conditions: &[Answer]) {
        match (accepts(by_types), accepts(by_conditions)) {
            (true, true) => self.both += 1,
            (true, false) => self.only_types += 1,
            (false, true) => self.only_conditions += 1,
            (false, false) => self.neither += 1,
        }
        self.types.add(by_types);
        self.conditions.add(by_conditions);
    }

    pub fn programs(&self) -> usize {
        self.both + self.only_types + self.only_conditions + self.neither
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let line = |f: &mut fmt::Formatter, name: &str, accepted: usize, rejected: usize| {
            writeln!(f, "{name:<20}  {accepted:>14}  {rejected:>14}")
        };
        writeln!(f, "{:<20}  {:>14}  {:>14}", "", "types accept", "types reject")?;
        line(f, "conditions accept", self.both, self.only_conditions)?;
        line(f, "conditions reject", self.only_types, self.neither)?;
        writeln!(f)?;
        writeln!(f, "{:<20}  {:>14}  {:>14}  {:>14}", "", "solver calls", "seconds", "in the solver")?;
        for (name, effort) in [("types", &self.types), ("conditions", &self.conditions)] {
            let Effort { queries, seconds, solver_seconds } = effort;
            writeln!(f, "{name:<20}  {queries:>14}  {seconds:>14.2}  {solver_seconds:>14.2}")?;
        }
        Ok(())
    }
}
