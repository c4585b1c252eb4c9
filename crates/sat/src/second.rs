//! A second opinion: the same questions to `batsat`, a solver that shares nothing with CaDiCaL. For tests only.
//!
//! Batsat has no constraint for one query: it becomes a clause under a new activation literal that is assumed once and
//! then switched off for good. Batsat's variables are therefore not numbered like ours.

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};

use crate::solver::{Answer, Limits, SatLit, Solver, Stats};

pub struct Batsat {
    solver: batsat::Solver<Budget>,
    /// Batsat's variable for each of ours.
    variables: Vec<Var>,
    assumptions: Vec<SatLit>,
    constraint: Option<Vec<SatLit>>,
    model: Option<Vec<lbool>>,
    /// Negated assumptions.
    core: Vec<Lit>,
    constraint_failed: bool,
    clauses: u64,
    solves: u64,
}

impl Batsat {
    pub fn new() -> Batsat {
        Batsat {
            solver: batsat::Solver::new(SolverOpts::default(), Budget::default()),
            variables: Vec::new(),
            assumptions: Vec::new(),
            constraint: None,
            model: None,
            core: Vec::new(),
            constraint_failed: false,
            clauses: 0,
            solves: 0,
        }
    }

    fn lit(&self, lit: SatLit) -> Lit {
        Lit::new(self.variables[lit.variable() as usize - 1], !lit.is_negated())
    }

    fn lits(&self, lits: &[SatLit]) -> Vec<Lit> {
        lits.iter().map(|&lit| self.lit(lit)).collect()
    }

    fn forget_answer(&mut self) {
        self.model = None;
        self.core.clear();
        self.constraint_failed = false;
    }
}

impl Solver for Batsat {
    fn new_var(&mut self) -> SatLit {
        let lit = SatLit::after(self.variables.len() as u32);
        self.variables.push(self.solver.new_var_default());
        lit
    }

    fn add_clause(&mut self, clause: &[SatLit]) {
        self.forget_answer();
        self.clauses += 1;
        let mut clause = self.lits(clause);
        self.solver.add_clause_reuse(&mut clause);
    }

    fn assume(&mut self, lit: SatLit) {
        self.forget_answer();
        self.assumptions.push(lit);
    }

    fn constrain(&mut self, clause: &[SatLit]) {
        self.forget_answer();
        self.constraint = Some(clause.to_vec());
    }

    fn solve(&mut self) -> Answer {
        self.forget_answer();
        self.solves += 1;
        let assumptions = std::mem::take(&mut self.assumptions);
        let mut assumptions = self.lits(&assumptions);
        let activation = self.constraint.take().map(|clause| {
            let activation = Lit::new(self.solver.new_var_default(), true);
            let mut clause = self.lits(&clause);
            clause.push(!activation);
            self.solver.add_clause_reuse(&mut clause);
            assumptions.push(activation);
            activation
        });
        let outcome = self.solver.solve_limited(&assumptions);
        let answer = if outcome == lbool::TRUE {
            self.model = Some(self.solver.get_model().to_vec());
            Answer::Sat
        } else if outcome == lbool::FALSE {
            self.core = self.solver.unsat_core().to_vec();
            self.constraint_failed = activation.is_some_and(|lit| self.core.contains(&!lit));
            Answer::Unsat
        } else {
            Answer::Unknown
        };
        if let Some(activation) = activation {
            self.solver.add_clause_reuse(&mut vec![!activation]);
        }
        answer
    }

    fn value(&self, lit: SatLit) -> Option<bool> {
        let lit = self.lit(lit);
        let value = *self.model.as_ref()?.get(lit.var().idx() as usize)?;
        Some((value == lbool::TRUE) == lit.sign())
    }

    fn failed(&mut self, lit: SatLit) -> bool {
        self.core.contains(&!self.lit(lit))
    }

    fn constraint_failed(&mut self) -> bool {
        self.constraint_failed
    }

    fn set_limits(&mut self, limits: Limits) {
        self.solver.cb_mut().limits = limits;
    }

    fn is_over(&self) -> bool {
        self.solver.cb().limits.reached()
    }

    fn stats(&self) -> Stats {
        Stats {
            vars: self.variables.len() as u64,
            clauses: self.clauses,
            solves: self.solves,
            conflicts: self.solver.num_conflicts(),
            propagations: self.solver.num_propagations(),
            ..Stats::default()
        }
    }
}

#[derive(Default)]
struct Budget {
    limits: Limits,
    /// Clauses learnt in this query, about as many as conflicts.
    learnt: u32,
}

impl Callbacks for Budget {
    fn on_start(&mut self) {
        self.learnt = 0;
    }

    fn on_new_clause(&mut self, _clause: &[Lit], kind: ClauseKind) {
        self.learnt += u32::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        self.limits.conflicts.is_some_and(|conflicts| self.learnt >= conflicts) || self.limits.reached()
    }
}
