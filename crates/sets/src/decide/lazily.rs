//! Conjuncts that need witnesses, a few at a time.
//!
//! In: conjuncts without quantifiers. Out: a model of all of them, or `Nothing` if there is none. Most obligations need few of their
//! elements to be refuted: that `x` is not empty matters only if the goal is about `x`. So conjuncts without weight (`bound`) are there
//! from the start, and the largest of the others, which is the negated goal as a rule; more join when the model found so far violates
//! them, twice as many each time. A formula that is not refuted at once is likely to have a model with few elements, so those are tried
//! before more conjuncts join. What some of the conjuncts cannot have, all of them cannot have; and a model is handed out when
//! evaluation finds no conjunct violated.

use super::solve::{Found, solve as solve_with};
use super::{Limits, Work, bound};
use crate::evaluate::violated;
use crate::model::Model;
use crate::store::{Formula, Store};

/// With 3, models of all but the largest obligations were found.
const FEW: usize = 3;
/// Where there may have to be more, a model with few elements is looked for before anything else: of 2,000 branches within one another, the
/// first question of all was too large.
const MANY: usize = 64;

pub(crate) fn solve(store: &Store, conjuncts: &[Formula], limits: &Limits, work: &mut Work) -> Found {
    let needs_witness = |f: &Formula| bound::elements(store, &[*f]) > 0;
    let (mut later, mut active): (Vec<Formula>, Vec<Formula>) = conjuncts.iter().partition(|f| needs_witness(f));
    if let Some(first) = (0..later.len()).max_by_key(|&i| store.size(later[i])) {
        active.push(later.remove(first));
    }
    // With as few elements for all of them nothing is won by leaving some out: a hundred branches one after the other took 16 rounds.
    if bound::elements(store, conjuncts) <= FEW as u64 {
        active.append(&mut later);
    }
    let mut at_once = 1;
    let mut tried_few = limits.beyond_few;
    loop {
        let columns = bound::columns(store, &active);
        if columns.len() > MANY
            && !std::mem::replace(&mut tried_few, true)
            && let Some(model) = few_elements(store, conjuncts, limits, work)
        {
            return Found::Model(model);
        }
        let model = match solve_with(store, &active, &columns, limits, limits.certify, work) {
            (Found::Model(model), _) => model,
            (found, _) => return found,
        };
        let Some(wrong) = violated(store, conjuncts, &model) else {
            // Too much to evaluate: all conjuncts at once, and no replay.
            if later.is_empty() {
                return Found::Model(model);
            }
            active.append(&mut later);
            continue;
        };
        if wrong.is_empty() {
            return Found::Model(model);
        }
        let mut joining: Vec<Formula> = later.iter().copied().filter(|f| wrong.contains(f)).collect();
        if joining.is_empty() {
            return Found::Unknown("internal error: the model does not satisfy the formula".into());
        }
        if !std::mem::replace(&mut tried_few, true)
            && let Some(model) = few_elements(store, conjuncts, limits, work)
        {
            return Found::Model(model);
        }
        // Those that speak of what the conjuncts with witnesses speak of come first.
        let known: Vec<_> = active.iter().filter(|f| needs_witness(f)).flat_map(|&f| store.free(f)).collect();
        let strangers = |f: Formula| store.free(f).iter().filter(|&var| !known.contains(&var)).count();
        joining.sort_by_key(|&f| (strangers(f), f));
        joining.truncate(at_once);
        at_once = at_once.saturating_mul(2);
        later.retain(|f| !joining.contains(f));
        active.extend(joining);
    }
}

/// A smallest model, if it has few elements.
fn few_elements(store: &Store, conjuncts: &[Formula], limits: &Limits, work: &mut Work) -> Option<Model> {
    (0..=FEW).find_map(|elements| match solve_with(store, conjuncts, &vec![1; elements], limits, false, work) {
        (Found::Model(model), _) => violated(store, conjuncts, &model)?.is_empty().then_some(model),
        _ => None,
    })
}
