//! A model a person can read: the fewest elements, then no membership that could be left out.
//!
//! In: conjuncts and a model of them. Out: a model of the smallest size there is (sizes are tried from 0 on), in which no set of memberships
//! can be taken away while the rest stays as it is.

use super::solve::{Found, Query, solve};
use super::{Limits, Work};
use crate::model::Model;
use crate::store::{Formula, Store};
use sat::{Answer, SatLit};

pub(crate) fn minimise(
    store: &Store,
    conjuncts: &[Formula],
    model: Model,
    query: Option<Query<'_>>,
    limits: &Limits,
    work: &mut Work,
) -> Model {
    let model = without_unused(model);
    for elements in 0..model.elements {
        // Models need no proof, and neither does a smaller size's lack of them.
        match solve(store, conjuncts, elements, limits, false, work) {
            (Found::Model(model), query) => return fewer_memberships(model, query),
            (Found::Nothing, _) => {}
            (Found::Unknown(_), _) => return model,
        }
    }
    if query.as_ref().is_some_and(|query| query.encoding.elements == model.elements) {
        return fewer_memberships(model, query);
    }
    match solve(store, conjuncts, model.elements, limits, false, work) {
        (Found::Model(model), query) => fewer_memberships(model, query),
        _ => model,
    }
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

/// Asks for models whose memberships are a proper subset, until there is none.
fn fewer_memberships(model: Model, query: Option<Query<'_>>) -> Model {
    let Some(Query { mut encoding, mut solver, mut clauses }) = query else { return model };
    let Ok(rows) = encoding.variable_bits() else { return model };
    let mut bits: Vec<_> = rows.iter().flat_map(|&(_, start)| encoding.row(start)).copied().collect();
    bits.sort_unstable();
    bits.dedup();
    clauses.grow(&encoding.gates);
    let absent: Vec<SatLit> = bits.iter().map(|&bit| clauses.name(&mut *solver, !bit)).collect();
    clauses.define(&encoding.gates, &mut *solver);
    let mut best = model;
    // What the solver says of a bit that was named after its last answer is read off the model.
    loop {
        let is_in = |bit: &crate::decide::gates::Lit, best: &Model| {
            rows.iter().any(|&(var, start)| {
                let at = encoding.row(start).iter().position(|other| other == bit);
                at.is_some_and(|element| best.set(var).binary_search(&element).is_ok())
            })
        };
        let mut some_less = Vec::new();
        for (bit, &absent) in bits.iter().zip(&absent) {
            if is_in(bit, &best) {
                some_less.push(absent);
            } else {
                solver.assume(absent);
            }
        }
        if some_less.is_empty() {
            return best;
        }
        solver.constrain(&some_less);
        if solver.solve() != Answer::Sat {
            return best;
        }
        let value = |lit| clauses.known(lit).is_some_and(|name| solver.value(name) == Some(true));
        match encoding.decode(value) {
            Ok(model) => best = model,
            Err(_) => return best,
        }
    }
}
