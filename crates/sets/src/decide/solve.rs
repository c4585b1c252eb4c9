//! Formulas without quantifiers: gates, clauses, a solver, and the model back.
//!
//! In: conjuncts and the weights of columns. Out: `Unsat` for these, or a model. Columns of the same weight are alike, so they may be put in
//! order in the matrix of memberships: of all models that differ by the names of elements one is left.

use super::cnf::Cnf;
use super::encode::{Encoding, TooLarge};
use super::gates::{Clauses, Lit};
use super::quick::{self, Outcome};
use super::{Limits, Work, stopped};
use crate::model::Model;
use crate::store::{Formula, Store};
use sat::{Cadical, Certificate, Certified, Preset, SatLit, Solver};

pub(crate) enum Found {
    Model(Model),
    Nothing,
    Unknown(String),
}

/// Rows by which columns are ordered. Ordering by some of the rows only is weaker and never wrong.
const ORDERED_ROWS: usize = 24;
/// Then CaDiCaL takes over: the sooner, the larger the instance (of 300,000 clauses 2,000 conflicts took 3 s, half of all the time).
pub(crate) const QUICK_CONFLICTS: u64 = 2000;
const QUICK_CLAUSES_TIMES_CONFLICTS: u64 = 20_000_000;

pub(crate) struct Query<'a> {
    pub(crate) encoding: Encoding<'a>,
    pub(crate) clauses: Clauses,
    pub(crate) cnf: Cnf,
}

/// The conjuncts' models of these columns.
pub(crate) fn solve<'a>(
    store: &'a Store,
    conjuncts: &[Formula],
    columns: &[usize],
    limits: &Limits,
    certify: bool,
    work: &mut Work,
) -> (Found, Option<Query<'a>>) {
    let too_large = || {
        let is_due = limits.stop.is_due();
        let too_large = || format!("the encoding with {} elements is too large", columns.iter().sum::<usize>());
        Found::Unknown(if is_due { stopped(&limits.stop) } else { too_large() })
    };
    let Ok((encoding, roots)) = Encoding::new(store, conjuncts, columns) else { return (too_large(), None) };
    if !encoding.gates.is_stopped() && roots.contains(&Lit::FALSE) {
        // Whatever was solved before, this answer is not a solver's.
        work.solved = false;
        return (Found::Nothing, None);
    }
    let mut cnf = Cnf::default();
    let mut clauses = Clauses::new(&encoding.gates);
    for root in roots {
        clauses.assert(&encoding.gates, &mut cnf, root);
    }
    if encoding.regions.is_none() {
        order_columns(&encoding, &mut cnf, &clauses);
    }
    if encoding.gates.is_stopped() || clauses.is_stopped() {
        return (Found::Unknown(stopped(&limits.stop)), None);
    }
    let mut query = Query { encoding, clauses, cnf };
    let found = match query.run(limits, certify, work) {
        Run::Unsat => Found::Nothing,
        Run::Unknown(reason) => Found::Unknown(reason),
        Run::Sat(values) => query.decode(&values).map_or_else(|TooLarge| too_large(), Found::Model),
    };
    (found, Some(query))
}

pub(crate) enum Run {
    /// Values by variable.
    Sat(Vec<bool>),
    Unsat,
    Unknown(String),
}

impl Query<'_> {
    pub(crate) fn run(&self, limits: &Limits, certify: bool, work: &mut Work) -> Run {
        if self.cnf.len() == 0 {
            return Run::Sat(vec![false; self.cnf.vars() as usize + 1]);
        }
        work.vars += u64::from(self.cnf.vars());
        work.clauses += self.cnf.len() as u64;
        work.solved = true;
        let most = QUICK_CONFLICTS.min(QUICK_CLAUSES_TIMES_CONFLICTS / (self.cnf.len() as u64).max(1));
        let most = limits.conflicts.map_or(most, |limit| most.min(u64::from(limit)));
        let effort = quick::solve(&self.cnf, most, &limits.stop);
        work.conflicts += effort.conflicts;
        match effort.outcome {
            Outcome::Sat(values) => Run::Sat(values),
            Outcome::Unsat if !certify => Run::Unsat,
            Outcome::GaveUp if limits.stop.is_due() => Run::Unknown(stopped(&limits.stop)),
            Outcome::Unsat | Outcome::GaveUp => self.run_cadical(limits, certify, work),
        }
    }

    fn run_cadical(&self, limits: &Limits, certify: bool, work: &mut Work) -> Run {
        let mut solver: Box<dyn Solver> =
            if certify { Box::new(Certified::new(Preset::Check)) } else { Box::new(Cadical::new(Preset::Check)) };
        let (stop, conflicts) = (limits.stop.clone(), limits.conflicts);
        solver.set_limits(sat::Limits { stop, conflicts, ..Default::default() });
        if !self.cnf.load(&mut *solver, &limits.stop) {
            return Run::Unknown(stopped(&limits.stop));
        }
        let answer = solver.solve();
        work.conflicts += solver.stats().conflicts;
        match (answer, solver.certificate()) {
            (sat::Answer::Unsat, certificate) => {
                work.certified = certificate == Certificate::Checked;
                Run::Unsat
            }
            (sat::Answer::Unknown, Certificate::Rejected(error)) => {
                Run::Unknown(format!("the proof was rejected: {error:?}"))
            }
            (sat::Answer::Unknown, _) if limits.stop.is_due() => Run::Unknown(stopped(&limits.stop)),
            (sat::Answer::Unknown, _) => Run::Unknown("the solver reached its limit".into()),
            (sat::Answer::Sat, _) => {
                let lit = |var: u32| i32::try_from(var).ok().and_then(SatLit::from_dimacs);
                let value = |var: u32| lit(var).and_then(|lit| solver.value(lit)) == Some(true);
                Run::Sat((0..=self.cnf.vars()).map(value).collect())
            }
        }
    }

    pub(crate) fn decode(&mut self, values: &[bool]) -> Result<Model, TooLarge> {
        let clauses = &self.clauses;
        let value = |lit| clauses.known(lit).is_some_and(|name| values[name.variable() as usize] != name.is_negated());
        self.encoding.decode(value)
    }
}

/// Each column is at least the next one of its weight, read from the first row on.
pub(crate) fn order_columns(encoding: &Encoding, cnf: &mut Cnf, clauses: &Clauses) {
    let rows: Vec<Vec<SatLit>> = encoding
        .rows
        .iter()
        .filter_map(|&start| encoding.row(start).iter().map(|&bit| clauses.known(bit)).collect())
        .take(ORDERED_ROWS)
        .collect();
    for at in (1..encoding.weights.len()).filter(|&at| encoding.weights[at - 1] == encoding.weights[at]) {
        // Implied if the columns are equal in all rows so far; at first they are.
        let mut is_equal: Option<SatLit> = None;
        for (number, row) in rows.iter().enumerate() {
            let (a, b) = (row[at - 1], row[at]);
            let unless = is_equal.map(|lit| !lit);
            cnf.add_clause(unless.into_iter().chain([a, !b]));
            if number + 1 < rows.len() {
                let still = cnf.new_var(true);
                cnf.add_clause(unless.into_iter().chain([!b, still]));
                cnf.add_clause(unless.into_iter().chain([a, still]));
                is_equal = Some(still);
            }
        }
    }
}
