//! The exact solver: it alone sees the bits, and it alone says that something is violated. It lives as long as the search
//! of one operation; formulas are added when first asked about, and stay.

use crate::nearby::Nearby;
use crate::outcome::Counts;
use formula::{Assignment, Graph, Lit};
use sat::{Answer, Cadical, Certificate, Certified, Check, Encoding, Limits, Preset, Solver};

pub struct Exact {
    solver: Box<dyn Solver>,
    preset: Preset,
    certify: bool,
    encoding: Encoding,
    /// Conjuncts of S that the solver does not have yet.
    pending: Vec<Lit>,
    facts: Vec<Lit>,
    asked_nearby: u32,
    ruled_out: u32,
    clauses: Vec<Vec<Lit>>,
    limits: Limits,
    queries: u64,
    /// Whether a solver that is full of other questions is given up.
    renews: bool,
    /// Clauses that the solver had after its first answer.
    at_first: Option<u64>,
    /// Of the solvers before this one.
    before: Counts,
}

/// A solver that has so many clauses, and so many times as many as after its first answer, is exchanged for a new one: whatever it was
/// asked about other paths is worked through with every assignment. (159 paths of a tree of 6 nodes: 10 s instead of 19.)
const MOST_CLAUSES: u64 = 60_000;
const TIMES: u64 = 3;

#[derive(Debug)]
pub enum Found {
    Model(Box<Assignment>),
    Nothing,
    Unknown,
    /// The proof of an "unsatisfiable" was rejected: our bug, never a verdict.
    Rejected(String),
}

impl Exact {
    /// On the states that satisfy all of `conditions`.
    pub fn new(conditions: &[Lit], preset: Preset, certify: bool, limits: Limits) -> Exact {
        Exact {
            solver: solver(preset, certify, &limits),
            preset,
            certify,
            encoding: Encoding::default(),
            pending: conditions.to_vec(),
            facts: Vec::new(),
            asked_nearby: 0,
            ruled_out: 0,
            clauses: Vec::new(),
            limits,
            queries: 0,
            renews: false,
            at_first: None,
            before: Counts::default(),
        }
    }

    /// For arbitrary heaps, where a formula of one path says little about another. (What is learned about the chains of a hash map is
    /// worth keeping: without it, 25 paths take as long as 287.)
    #[must_use]
    pub fn renewing(self, renews: bool) -> Exact {
        Exact { renews, ..self }
    }

    /// Gives up a solver that is full of other questions.
    fn renew(&mut self, graph: &mut Graph) {
        if !self.renews {
            return;
        }
        let clauses = self.solver.stats().clauses;
        if self.at_first.is_none_or(|first| clauses < (first * TIMES).max(MOST_CLAUSES)) {
            return;
        }
        self.before = Counts { solver_queries: 0, ..self.work() };
        self.solver = solver(self.preset, self.certify, &self.limits);
        self.encoding = Encoding::default();
        self.at_first = None;
        self.pending.splice(..0, std::mem::take(&mut self.facts));
        for clause in std::mem::take(&mut self.clauses) {
            self.add_clause(graph, &clause);
        }
    }

    /// Whether it is seen that no state satisfies the path and one of `some`, where only what is near is looked at: of what is far, anything
    /// might be so.
    pub fn rules_out(&mut self, graph: &mut Graph, path: &[Lit], some: &[Lit], nearby: &Nearby) -> bool {
        self.renew(graph);
        let is_ruled_out = matches!(self.find_now(graph, path, some, Some(nearby)), Found::Nothing);
        self.at_first.get_or_insert_with(|| self.solver.stats().clauses);
        self.asked_nearby += 1;
        self.ruled_out += u32::from(is_ruled_out);
        is_ruled_out
    }

    /// While half of what [`Exact::rules_out`] was asked was seen there.
    pub fn is_worth_asking(&self) -> bool {
        self.asked_nearby < 8 || self.ruled_out * 2 >= self.asked_nearby
    }

    /// A clause over formulas, from now on.
    pub fn add_clause(&mut self, graph: &mut Graph, lits: &[Lit]) {
        let clause: Vec<_> = lits.iter().map(|&l| self.encoding.lit(graph, &mut *self.solver, l)).collect();
        self.solver.add_clause(&clause);
        self.clauses.push(lits.to_vec());
    }

    /// Is there a state on which all of `path` holds, and one of `some` (if there are any)?
    pub fn find(&mut self, graph: &mut Graph, path: &[Lit], some: &[Lit]) -> Found {
        self.renew(graph);
        let found = self.find_now(graph, path, some, None);
        self.at_first.get_or_insert_with(|| self.solver.stats().clauses);
        found
    }

    /// [`Found::Unknown`] also if more than what is near has to be looked at.
    fn find_now(&mut self, graph: &mut Graph, path: &[Lit], some: &[Lit], nearby: Option<&Nearby>) -> Found {
        for lit in std::mem::take(&mut self.pending) {
            let unit = self.encoding.lit(graph, &mut *self.solver, lit);
            self.solver.add_clause(&[unit]);
            self.facts.push(lit);
        }
        self.encoding.add_ranges(graph, &mut *self.solver);
        let assumptions: Vec<_> = path.iter().map(|&l| self.encoding.lit(graph, &mut *self.solver, l)).collect();
        let clause: Vec<_> = some.iter().map(|&l| self.encoding.lit(graph, &mut *self.solver, l)).collect();
        // What is asked for will be needed; of S and the path, only some.
        self.encoding.define_cones(graph, &mut *self.solver, some);
        // How many levels of a formula are handed over at once: the more rounds, the more of it is needed.
        let mut levels = 4u32;
        loop {
            if self.limits.reached() {
                return Found::Unknown;
            }
            self.queries += 1;
            for &lit in &assumptions {
                self.solver.assume(lit);
            }
            if !clause.is_empty() {
                self.solver.constrain(&clause);
            }
            match self.solver.solve() {
                Answer::Sat => {
                    let mut assignment = self.encoding.decode(&*self.solver);
                    match self.evaluate(graph, &mut assignment, path, some, levels, nearby) {
                        Check::Holds => return Found::Model(Box::new(assignment)),
                        Check::Refined => {}
                        Check::Free => return Found::Unknown,
                        Check::Broken => {
                            return Found::Rejected("a model of the clauses is none of the formulas".into());
                        }
                    }
                    levels = levels.saturating_mul(2);
                }
                Answer::Unsat => return Found::Nothing,
                Answer::Unknown => {
                    return match self.solver.certificate() {
                        Certificate::Rejected(error) => Found::Rejected(format!("{error:?}")),
                        _ => Found::Unknown,
                    };
                }
            }
        }
    }

    /// After [`Found::Nothing`] of a path: how many of its literals, counted from the first, rule out its last one.
    pub fn blamed(&mut self, graph: &Graph, path: &[Lit]) -> usize {
        let Some((_, before)) = path.split_last() else { return 0 };
        let failed = |&lit: &Lit| {
            let lit = self.encoding.lit(graph, &mut *self.solver, lit);
            self.solver.failed(lit)
        };
        before.iter().rposition(failed).map_or(0, |last| last + 1)
    }

    /// Whether a model really satisfies everything; definitions that it got round are added otherwise.
    fn evaluate(
        &mut self,
        graph: &mut Graph,
        assignment: &mut Assignment,
        path: &[Lit],
        some: &[Lit],
        levels: u32,
        nearby: Option<&Nearby>,
    ) -> Check {
        // Of a clause, one literal that the solver made true.
        let chosen = |clause: &Vec<Lit>, encoding: &mut Encoding, solver: &mut dyn Solver| {
            let is_true = |l: &&Lit| {
                let lit = encoding.lit(graph, solver, **l);
                solver.value(lit) == Some(true)
            };
            clause.iter().find(is_true).copied()
        };
        let mut roots: Vec<Lit> = self.facts.iter().chain(path).copied().collect();
        for clause in &self.clauses {
            roots.extend(chosen(clause, &mut self.encoding, &mut *self.solver));
        }
        if !some.is_empty() {
            roots.extend(chosen(&some.to_vec(), &mut self.encoding, &mut *self.solver));
        }
        let is_wanted = |graph: &Graph, id| nearby.is_none_or(|nearby| nearby.holds(graph.place(id)));
        self.encoding.check(graph, &mut *self.solver, assignment, &roots, levels, &is_wanted)
    }

    /// What was done for the answers so far.
    pub fn work(&self) -> Counts {
        let sat::Stats { clauses, conflicts, certified, .. } = self.solver.stats();
        Counts { solver_queries: self.queries, clauses, conflicts, certified, ..Counts::default() }
            .with_work(self.before)
    }
}

fn solver(preset: Preset, certify: bool, limits: &Limits) -> Box<dyn Solver> {
    let mut solver: Box<dyn Solver> =
        if certify { Box::new(Certified::new(preset)) } else { Box::new(Cadical::new(preset)) };
    solver.set_limits(limits.clone());
    solver
}
