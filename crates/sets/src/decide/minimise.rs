//! A model a person can read: the fewest elements, then no membership that could be left out.
//!
//! In: conjuncts and a model of them. Out: a model of the smallest size there is (small sizes are tried first), in which no set of memberships
//! can be taken away while the rest stays as it is. If many elements are needed, they stay in blocks (`bound`), and are not counted.

use super::gates::Lit;
use super::solve::{Found, Query, Run, solve};
use super::{Limits, Work, bound};
use crate::model::Model;
use crate::store::{Formula, Store, Var};
use sat::SatLit;

/// Larger sizes are bisected.
const ONE_BY_ONE: usize = 4;
/// Of a formula with very many sets, memberships that could be left out may stay: the sooner, the larger it is (2,000 branches took 8 s for
/// a hundred models, of which people see two moments).
const MOST_MODELS: usize = 100;
const MOST_CLAUSES_TIMES_MODELS: usize = 2_000_000;

pub(crate) fn minimise(store: &Store, conjuncts: &[Formula], model: Model, limits: &Limits, work: &mut Work) -> Model {
    let mut best = without_unused(model);
    let columns = bound::columns(store, conjuncts);
    if columns.iter().any(|&weight| weight > 1) && best.elements > columns.len() {
        return match solve(store, conjuncts, &columns, limits, false, work) {
            (Found::Model(model), query) => without_unused(fewer_memberships(model, query, limits, work)),
            _ => best,
        };
    }
    let mut query = None;
    // An element outside of all sets changes nothing: what has a model of some size has one of every larger size.
    let mut least = 0;
    while least < best.elements {
        let elements = if least < ONE_BY_ONE { least } else { least.midpoint(best.elements) };
        // Models need no proof, and neither does a smaller size's lack of them.
        match solve(store, conjuncts, &vec![1; elements], limits, false, work) {
            (Found::Model(model), found) => {
                best = model;
                query = found;
            }
            (Found::Nothing, _) => least = elements + 1,
            (Found::Unknown(_), _) => return best,
        }
    }
    if query.is_none()
        && let (Found::Model(model), found) = solve(store, conjuncts, &vec![1; best.elements], limits, false, work)
    {
        best = model;
        query = found;
    }
    fewer_memberships(best, query, limits, work)
}

/// Elements that are in no set are left out, the others renumbered.
fn without_unused(model: Model) -> Model {
    let mut used: Vec<usize> = model.sets().flat_map(|(_, members)| members).copied().collect();
    used.sort_unstable();
    used.dedup();
    let mut out = Model::new(used.len());
    for (var, members) in model.sets() {
        out.put_set(var, members.iter().filter_map(|member| used.binary_search(member).ok()));
    }
    for (var, value) in model.bools() {
        out.put_bool(var, value);
    }
    out
}

/// Asks for models whose memberships are a proper subset, until there is none. What is asked for is never taken back: every model to
/// come has fewer memberships than the last.
fn fewer_memberships(model: Model, query: Option<Query<'_>>, limits: &Limits, work: &mut Work) -> Model {
    let Some(mut query) = query else { return model };
    let Ok(rows) = query.encoding.variable_bits() else { return model };
    let mut places: Vec<(Lit, Var, usize)> = Vec::new();
    for &(var, start) in &rows {
        let row = query.encoding.row(start).iter().enumerate();
        places.extend(row.map(|(column, &bit)| (bit, var, query.encoding.elements_of(column).start)));
    }
    places.sort_unstable();
    places.dedup_by_key(|(bit, ..)| *bit);
    query.clauses.grow(&query.encoding.gates);
    let absent: Vec<SatLit> =
        places.iter().map(|&(bit, ..)| query.clauses.name(&query.encoding.gates, &mut query.cnf, !bit)).collect();
    query.clauses.define(&query.encoding.gates, &mut query.cnf);
    let mut best = model;
    for _ in 0..MOST_MODELS.min(MOST_CLAUSES_TIMES_MODELS / query.cnf.len().max(1)) {
        let mut some_less = Vec::new();
        for (&(_, var, element), &absent) in places.iter().zip(&absent) {
            if best.set(var).binary_search(&element).is_ok() {
                some_less.push(absent);
            } else {
                query.cnf.add_clause([absent]);
            }
        }
        query.cnf.add_clause(some_less);
        match query.run(limits, false, work) {
            Run::Sat(values) => match query.decode(&values) {
                Ok(model) => best = model,
                Err(_) => return best,
            },
            _ => return best,
        }
    }
    best
}
