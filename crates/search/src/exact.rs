//! The exact solver: it alone sees the bits, and it alone says that something is violated. It lives as long as the search
//! of one operation; formulas are added when first asked about, and stay.

use formula::{Assignment, Graph, Lit};
use sat::{Answer, Cadical, Certificate, Certified, Encoding, Limits, Preset, Solver};

pub struct Exact {
    solver: Box<dyn Solver>,
    encoding: Encoding,
    /// Conjuncts of S that the solver does not have yet.
    pending: Vec<Lit>,
    pub queries: u64,
}

#[derive(Debug)]
pub enum Found {
    Model(Box<Assignment>),
    /// Which of the assumptions cannot hold together.
    Nothing(Vec<Lit>),
    Unknown,
    /// The proof of an "unsatisfiable" was rejected: our bug, never a verdict.
    Rejected(String),
}

impl Exact {
    pub fn new(preset: Preset, certify: bool, limits: Limits) -> Exact {
        let mut solver: Box<dyn Solver> =
            if certify { Box::new(Certified::new(preset)) } else { Box::new(Cadical::new(preset)) };
        solver.set_limits(limits);
        Exact { solver, encoding: Encoding::default(), pending: Vec::new(), queries: 0 }
    }

    /// From now on this holds.
    pub fn assert(&mut self, lit: Lit) {
        self.pending.push(lit);
    }

    /// A clause over formulas, from now on.
    pub fn add_clause(&mut self, graph: &mut Graph, lits: &[Lit]) {
        let clause: Vec<_> = lits.iter().map(|&l| self.encoding.lit(graph, &mut *self.solver, l)).collect();
        self.solver.add_clause(&clause);
    }

    /// Is there a state on which all of `path` holds, and one of `some` (if there are any)?
    pub fn find(&mut self, graph: &mut Graph, path: &[Lit], some: &[Lit]) -> Found {
        for lit in std::mem::take(&mut self.pending) {
            let lit = self.encoding.lit(graph, &mut *self.solver, lit);
            self.solver.add_clause(&[lit]);
        }
        self.queries += 1;
        let assumptions: Vec<_> = path.iter().map(|&l| (l, self.encoding.lit(graph, &mut *self.solver, l))).collect();
        let clause: Vec<_> = some.iter().map(|&l| self.encoding.lit(graph, &mut *self.solver, l)).collect();
        for &(_, lit) in &assumptions {
            self.solver.assume(lit);
        }
        if !clause.is_empty() {
            self.solver.constrain(&clause);
        }
        match self.solver.solve() {
            Answer::Sat => Found::Model(Box::new(self.encoding.decode(&*self.solver))),
            Answer::Unsat => {
                Found::Nothing(assumptions.iter().filter(|(_, l)| self.solver.failed(*l)).map(|(l, _)| *l).collect())
            }
            Answer::Unknown => match self.solver.certificate() {
                Certificate::Rejected(error) => Found::Rejected(format!("{error:?}")),
                _ => Found::Unknown,
            },
        }
    }

    pub fn stats(&self) -> sat::Stats {
        self.solver.stats()
    }
}
