//! Of many candidates those that no model of few elements refutes.
//!
//! In: a formula, and candidates without quantifiers. Out: the candidates but those that are false in some model of the formula. Whether the
//! others follow is left to [`super::decide`]: here no model is only no small model. Of what a loop may keep most is refuted at once, a few
//! candidates by each model: with a question of its own for each of these models (seven, as a rule) the same formula was encoded as often.

use super::encode::Encoding;
use super::gates::{Clauses, Lit};
use super::quick::{Outcome, Quick};
use super::solve::{QUICK_CONFLICTS, order_columns};
use super::{Limits, cnf::Cnf, strip};
use crate::stack::with_stack;
use crate::store::{Formula, Store};
use sat::SatLit;

/// With 5 or 8 as many models are needed, and each takes longer.
const FEW: usize = 3;

pub fn unrefuted(store: &mut Store, known: Formula, candidates: &[Formula], limits: &Limits) -> Vec<Formula> {
    store.heed(&limits.stop);
    let Ok(known) = strip(store, known) else { return candidates.to_vec() };
    let definitions = u32::try_from(store.free(known).len()).unwrap_or(u32::MAX);
    let depth = candidates.iter().map(|&candidate| store.depth(candidate)).fold(store.depth(known), u32::max);
    with_stack(depth.saturating_add(definitions), || left(store, known, candidates, limits))
}

fn left(store: &Store, known: Formula, candidates: &[Formula], limits: &Limits) -> Vec<Formula> {
    let Ok((mut encoding, roots)) = Encoding::new(store, &store.conjuncts(known), &[1; FEW]) else {
        return candidates.to_vec();
    };
    let Ok(lits) = candidates.iter().map(|&candidate| encoding.formula(candidate)).collect::<Result<Vec<Lit>, _>>()
    else {
        return candidates.to_vec();
    };
    let (mut cnf, mut clauses) = (Cnf::default(), Clauses::new(&encoding.gates));
    for root in roots {
        clauses.assert(&encoding.gates, &mut cnf, root);
    }
    let is_false: Vec<SatLit> = lits.iter().map(|&lit| clauses.name(&encoding.gates, &mut cnf, !lit)).collect();
    clauses.define(&encoding.gates, &mut cnf);
    order_columns(&encoding, &mut cnf, &clauses);
    let mut left: Vec<usize> = (0..candidates.len()).collect();
    let mut quick = Quick::new(&cnf, &limits.stop);
    while let Some(solver) = quick.as_mut()
        && !encoding.gates.is_stopped()
        && !clauses.is_stopped()
        && solver.also(&left.iter().map(|&at| is_false[at]).collect::<Vec<_>>())
        && let Outcome::Sat(values) = solver.search(QUICK_CONFLICTS).outcome
    {
        let value =
            |lit| clauses.known(lit).is_some_and(|name: SatLit| values[name.variable() as usize] != name.is_negated());
        let values = encoding.gates.evaluate(value);
        let before = left.len();
        left.retain(|&at| lits[at].value(&values));
        if left.len() == before {
            break;
        }
    }
    left.into_iter().map(|at| candidates[at]).collect()
}
