//! Clauses, before it is known who solves them.

use sat::{SatLit, Solver};
use work::{Clock, Stop};

/// Variables are numbered from 1 on, as the solvers do.
#[derive(Default)]
pub(crate) struct Cnf {
    /// By variable, the value to try first.
    first: Vec<bool>,
    lits: Vec<SatLit>,
    ends: Vec<usize>,
}

impl Cnf {
    /// A new variable, as its positive literal, and the value to try first.
    pub(crate) fn new_var(&mut self, first: bool) -> SatLit {
        self.first.push(first);
        i32::try_from(self.first.len()).ok().and_then(SatLit::from_dimacs).expect("gates are limited to fewer")
    }

    pub(crate) fn first(&self) -> &[bool] {
        &self.first
    }

    pub(crate) fn add_clause(&mut self, clause: impl IntoIterator<Item = SatLit>) {
        self.lits.extend(clause);
        self.ends.push(self.lits.len());
    }

    pub(crate) fn vars(&self) -> u32 {
        self.first.len() as u32
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn clauses(&self) -> impl Iterator<Item = &[SatLit]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.lits[start..end])
    }

    /// Hands everything to a solver that has nothing yet; whether there was time for it.
    pub(crate) fn load(&self, solver: &mut dyn Solver, stop: &Stop) -> bool {
        let mut clock = Clock::new(stop);
        for _ in &self.first {
            solver.new_var();
        }
        for clause in self.clauses() {
            // CaDiCaL takes about 2 µs for one.
            if clock.step(64) {
                return false;
            }
            solver.add_clause(clause);
        }
        true
    }
}
