//! Tests of the whole crate: three opinions on random and structured instances, planted and random faults in proofs,
//! limits.

mod agreement;
mod limits;
mod mutated;
mod planted;
mod propagation;

use crate::solver::{SatLit, Solver};
use work::Chance;

fn lit(number: i32) -> SatLit {
    SatLit::from_dimacs(number).expect("tests use valid literals")
}

fn lits(numbers: &[i32]) -> Vec<SatLit> {
    numbers.iter().map(|&number| lit(number)).collect()
}

/// A fixed sequence, so that a failing round can be run again by its number.
struct Random(Chance);

impl Random {
    fn new(seed: u64) -> Random {
        Random(Chance::new(seed))
    }

    fn below(&mut self, bound: u32) -> u32 {
        (self.0.draw() % u64::from(bound)) as u32
    }

    fn literal(&mut self, vars: u32) -> i32 {
        let variable = 1 + self.below(vars).cast_signed();
        if self.below(2) == 0 { variable } else { -variable }
    }

    fn clause(&mut self, vars: u32, length: u32) -> Vec<i32> {
        (0..length).map(|_| self.literal(vars)).collect()
    }
}

/// `holes + 1` pigeons in `holes` holes, each clause with the guard literal in front if there is one.
fn pigeons(solver: &mut dyn Solver, holes: usize, guard: Option<SatLit>) {
    let at: Vec<Vec<SatLit>> = (0..=holes).map(|_| (0..holes).map(|_| solver.new_var()).collect()).collect();
    for pigeon in &at {
        let clause: Vec<SatLit> = guard.into_iter().chain(pigeon.iter().copied()).collect();
        solver.add_clause(&clause);
    }
    for hole in 0..holes {
        for (first, one) in at.iter().enumerate() {
            for other in &at[..first] {
                let clause: Vec<SatLit> = guard.into_iter().chain([!one[hole], !other[hole]]).collect();
                solver.add_clause(&clause);
            }
        }
    }
}
