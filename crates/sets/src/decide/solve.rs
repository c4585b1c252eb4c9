//! Formulas without quantifiers: gates, clauses, a solver, and the model back.
//!
//! In: conjuncts and the number of elements. Out: `Unsat` for that number, or a model with at most as many elements. Elements are alike, so
//! the columns of the matrix of memberships may be put in order: of all models that differ by the names of elements one is left.

use super::encode::{Encoding, TooLarge};
use super::gates::{Clauses, Lit};
use super::{Limits, Work};
use crate::model::Model;
use crate::store::{Formula, Store};
use sat::{Cadical, Certificate, Certified, Preset, Solver};

pub(crate) enum Found {
    Model(Model),
    Nothing,
    Unknown(String),
}

/// Rows by which columns are ordered. Ordering by some of the rows only is weaker and never wrong.
const ORDERED_ROWS: usize = 24;

pub(crate) struct Query<'a> {
    pub(crate) encoding: Encoding<'a>,
    pub(crate) solver: Box<dyn Solver>,
    pub(crate) clauses: Clauses,
}

pub(crate) fn solver(limits: &Limits, certify: bool) -> Box<dyn Solver> {
    let mut solver: Box<dyn Solver> =
        if certify { Box::new(Certified::new(Preset::Check)) } else { Box::new(Cadical::new(Preset::Check)) };
    if limits.deadline.is_some() || limits.stop.is_some() || limits.conflicts.is_some() {
        solver.set_limits(sat::Limits {
            stop: limits.stop.clone(),
            deadline: limits.deadline,
            conflicts: limits.conflicts,
        });
    }
    solver
}

pub(crate) fn too_large(elements: usize) -> String {
    format!("the encoding with {elements} elements is too large")
}

/// The conjuncts' models of `elements` elements.
pub(crate) fn solve<'a>(
    store: &'a Store,
    conjuncts: &[Formula],
    elements: usize,
    limits: &Limits,
    certify: bool,
    work: &mut Work,
) -> (Found, Option<Query<'a>>) {
    let Ok((mut encoding, roots)) = Encoding::new(store, conjuncts, elements) else {
        return (Found::Unknown(too_large(elements)), None);
    };
    if roots.contains(&Lit::FALSE) {
        return (Found::Nothing, None);
    }
    if roots.iter().all(|&root| root == Lit::TRUE) {
        return (model(encoding.decode(|_| false), elements), None);
    }
    let mut solver = solver(limits, certify);
    let mut clauses = Clauses::new(&encoding.gates);
    for root in roots {
        clauses.assert(&encoding.gates, &mut *solver, root);
    }
    order_columns(&encoding, &mut *solver, &mut clauses);
    let answer = solver.solve();
    let stats = solver.stats();
    work.vars += stats.vars;
    work.clauses += stats.clauses;
    work.conflicts += stats.conflicts;
    work.solved = true;
    match answer {
        sat::Answer::Unsat => {
            work.certified = solver.certificate() == Certificate::Checked;
            (Found::Nothing, None)
        }
        sat::Answer::Unknown => match solver.certificate() {
            Certificate::Rejected(error) => (Found::Unknown(format!("the proof was rejected: {error:?}")), None),
            _ => (Found::Unknown("the solver reached its limit".into()), None),
        },
        sat::Answer::Sat => {
            let value = |lit| clauses.known(lit).is_some_and(|name| solver.value(name) == Some(true));
            let found = model(encoding.decode(value), elements);
            (found, Some(Query { encoding, solver, clauses }))
        }
    }
}

fn model(decoded: Result<Model, TooLarge>, elements: usize) -> Found {
    match decoded {
        Ok(model) => Found::Model(model),
        Err(TooLarge) => Found::Unknown(too_large(elements)),
    }
}

/// Each column is at least the next one, read from the first row on.
fn order_columns(encoding: &Encoding, solver: &mut dyn Solver, clauses: &mut Clauses) {
    let is_used = |&&start: &&usize| encoding.row(start).iter().all(|&bit| clauses.known(bit).is_some());
    let rows: Vec<usize> = encoding.rows.iter().filter(is_used).take(ORDERED_ROWS).copied().collect();
    for element in 1..encoding.elements {
        // All rows before are equal; nothing follows from the last.
        let mut is_equal = None;
        for (at, &start) in rows.iter().enumerate() {
            let row = encoding.row(start);
            let (Some(a), Some(b)) = (clauses.known(row[element - 1]), clauses.known(row[element])) else { continue };
            let mut add = |tail: &[sat::SatLit]| {
                let clause: Vec<sat::SatLit> =
                    is_equal.map(|lit: sat::SatLit| !lit).into_iter().chain(tail.iter().copied()).collect();
                solver.add_clause(&clause);
            };
            add(&[a, !b]);
            if at + 1 < rows.len() {
                let still = solver.new_var();
                let mut add = |tail: &[sat::SatLit]| {
                    let clause: Vec<sat::SatLit> =
                        is_equal.map(|lit: sat::SatLit| !lit).into_iter().chain(tail.iter().copied()).collect();
                    solver.add_clause(&clause);
                };
                add(&[!b, still]);
                add(&[a, still]);
                is_equal = Some(still);
            }
        }
    }
}
