//! The adapter to CaDiCaL 3 through `cadical-sys`.
//!
//! In and out: as [`Solver`] says. Assumptions and constraint are kept here and handed over when solving starts, so
//! that a query that is over before it began (limit reached) leaves nothing behind.
//!
//! Options: all in- and preprocessing is off, for two reasons. In an incremental loop it shows as latency (lucky phases
//! alone cost 5 to 8 times per call); and what is left derives only implied clauses, which is all `lrat` accepts.
//! Steps with a witness (RAT) come from `factor`; `block`, `cover`, `condition`, `elim`, `decompose` and `sweep` set
//! clauses aside and may give them back later as if original. `plain` switches off every one of them.

use std::cell::RefCell;

use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};

use crate::solver::{Answer, Limits, SatLit, Solver, Stats};

/// What a solver instance is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Solve, block, solve again: keeps the trail between calls.
    Search,
    /// Many unrelated queries over permanent definitions, mostly unsatisfiable.
    Check,
}

/// Of every preset. Termination is asked about at every decision: with millions of clauses, the ten that are the default take two seconds.
const OPTIONS: [(&str, i32); 5] = [("lucky", 0), ("walk", 0), ("factor", 0), ("phase", 0), ("terminateint", 1)];

impl Preset {
    fn options(self) -> &'static [(&'static str, i32)] {
        match self {
            Preset::Search => &[("ilb", 2), ("chrono", 0)],
            Preset::Check => &[],
        }
    }
}

pub struct Cadical {
    /// Reading a model needs `&mut` in `cadical-sys`, though it changes nothing we can see.
    solver: RefCell<CaDiCal>,
    last: Option<Answer>,
    assumptions: Vec<i32>,
    constraint: Option<Vec<i32>>,
    limits: Limits,
    buffer: Vec<i32>,
    vars: u32,
    clauses: u64,
    solves: u64,
}

impl Cadical {
    pub fn new(preset: Preset) -> Cadical {
        let mut solver = CaDiCal::new();
        // CaDiCaL reads options from the environment when it starts: forget those.
        for configuration in ["default", "plain"] {
            let known = solver.configure(configuration);
            debug_assert!(known, "CaDiCaL has no configuration {configuration}");
        }
        for &(name, value) in OPTIONS.iter().chain(preset.options()) {
            let known = solver.set(name, value);
            debug_assert!(known, "CaDiCaL has no option {name}={value}");
        }
        Cadical {
            solver: RefCell::new(solver),
            last: None,
            assumptions: Vec::new(),
            constraint: None,
            limits: Limits::default(),
            buffer: Vec::new(),
            vars: 0,
            clauses: 0,
            solves: 0,
        }
    }

    /// Sends every proof step with its antecedents to the tracer. Only before the first clause.
    pub(crate) fn trace(&mut self, tracer: impl ProofTracer + 'static) {
        self.solver.get_mut().connect_proof_tracer1(tracer, true, false);
    }

    /// Makes CaDiCaL derive and trace the clauses that the last `Unsat` rests on.
    pub(crate) fn conclude(&mut self) {
        if self.last == Some(Answer::Unsat) {
            self.solver.get_mut().conclude();
        }
    }

    pub(crate) fn assumptions(&self) -> &[i32] {
        &self.assumptions
    }

    pub(crate) fn constraint(&self) -> Option<&[i32]> {
        self.constraint.as_deref()
    }

    fn counter(&self, name: &str) -> u64 {
        u64::try_from(self.solver.borrow().get_statistic_value(name)).unwrap_or(0)
    }
}

impl Solver for Cadical {
    fn new_var(&mut self) -> SatLit {
        let lit = SatLit::after(self.vars);
        self.vars += 1;
        lit
    }

    fn add_clause(&mut self, clause: &[SatLit]) {
        self.last = None;
        self.clauses += 1;
        self.buffer.clear();
        self.buffer.extend(clause.iter().map(|lit| lit.to_dimacs()));
        self.solver.get_mut().clause6(&self.buffer);
    }

    fn assume(&mut self, lit: SatLit) {
        self.last = None;
        self.assumptions.push(lit.to_dimacs());
    }

    fn constrain(&mut self, clause: &[SatLit]) {
        self.last = None;
        self.constraint = Some(clause.iter().map(|lit| lit.to_dimacs()).collect());
    }

    fn solve(&mut self) -> Answer {
        self.solves += 1;
        let assumptions = std::mem::take(&mut self.assumptions);
        let constraint = self.constraint.take();
        let answer = if self.limits.reached() {
            Answer::Unknown
        } else {
            let solver = self.solver.get_mut();
            // Without any variable, CaDiCaL 3.0.1 reads outside an empty table when an empty constraint fails.
            solver.resize(i32::try_from(self.vars).unwrap_or(i32::MAX).max(1));
            for &lit in &assumptions {
                solver.assume(lit);
            }
            for &lit in constraint.iter().flatten() {
                solver.constrain(lit);
            }
            if constraint.is_some() {
                solver.constrain(0);
            }
            if let Some(conflicts) = self.limits.conflicts {
                // CaDiCaL forgets its limits after each call.
                solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
            }
            match solver.solve() {
                Status::SATISFIABLE => Answer::Sat,
                Status::UNSATISFIABLE => Answer::Unsat,
                Status::UNKNOWN => Answer::Unknown,
            }
        };
        self.last = Some(answer);
        answer
    }

    fn value(&self, lit: SatLit) -> Option<bool> {
        (self.last == Some(Answer::Sat)).then(|| self.solver.borrow_mut().val(lit.to_dimacs()) == lit.to_dimacs())
    }

    fn failed(&mut self, lit: SatLit) -> bool {
        self.last == Some(Answer::Unsat) && self.solver.get_mut().failed(lit.to_dimacs())
    }

    fn constraint_failed(&mut self) -> bool {
        self.last == Some(Answer::Unsat) && self.solver.get_mut().constraint_failed()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.solver.get_mut().connect_terminator(Poll(limits.clone()));
        self.limits = limits;
    }

    fn is_over(&self) -> bool {
        self.limits.reached()
    }

    fn stats(&self) -> Stats {
        Stats {
            vars: u64::from(self.vars),
            clauses: self.clauses,
            solves: self.solves,
            conflicts: self.counter("conflicts"),
            propagations: self.counter("propagations"),
            ..Stats::default()
        }
    }
}

struct Poll(Limits);

impl Terminator for Poll {
    fn terminated(&mut self) -> bool {
        self.0.reached()
    }
}
