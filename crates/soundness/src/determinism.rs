//! Checks with two steps from one state: `t --> t1, t --> t2 => t1 = t2` (docs/lang.md, "Induction").
//!
//! By induction, as progress: of a program with two different steps take a least part that has them. Either both are at its root, or one
//! is and the other below, or they are in two different parts, or one part that is not typed has both. That a part steps is
//! over-approximated by: it is in no sub-grammar of values, where a sub-grammar counts if it is shown first that its members
//! never step. Unsatisfiable with everything below a horizon left free means deterministic at every size.
//!
//! Otherwise: pairs of guards that hold together are found one model at a time, and only for those the states after are compared.

use crate::encoder::Encoder;
use crate::guards::{Class, Focus, State};
use crate::property::Setup;
use crate::query::{Found, Query};
use crate::search::{Halt, Search, height};
use crate::shape::{Extent, SlotId};
use formula::Lit;
use lang::*;

/// Something evaluated: in which context, of which sort.
type Claim = (Option<SortId>, SortId);

/// Whether the check is that a step has only one result, and by induction holds.
pub fn holds_by_induction(search: &mut Search) -> Result<bool, Halt> {
    let plan = search.plan;
    let (lang, check) = (plan.lang, plan.check);
    let steps: Vec<&Vec<Form>> = check
        .premises
        .iter()
        .filter_map(|l| match &l.premise {
            Premise::Judgment(j, forms) if lang.judgment(*j).reduction.is_some() => Some(forms),
            _ => None,
        })
        .collect();
    let [one, two] = &steps[..] else { return Ok(false) };
    let Form::Meta(before) = &one[0] else { return Ok(false) };
    let sort = check.metas[before.index()].sort;
    if !asks_whether_equal(check, &one[1], &two[1])
        || one[0] != two[0]
        || search.contexts_bind()
        || !check.exists.is_empty()
        || lang.base(sort) != sort
    {
        return Ok(false);
    }
    let Some(reduction) = &plan.steps else { return Ok(false) };
    if reduction.is_configuration {
        return Ok(false);
    }
    let deepest = reduction.rules.iter().map(|r| height(&lang.rule(*r).conclusion[0])).max().unwrap_or(1);
    'horizon: for horizon in [deepest, deepest + 2] {
        let mut claims: Vec<Claim> = vec![(reduction.contexts, sort)];
        let mut next = 0;
        while next < claims.len() {
            let (context, sort) = claims[next];
            next += 1;
            let mut still = Vec::new();
            for values in lang.sort_ids().filter(|s| *s != sort && lang.base(*s) == sort) {
                let is_sub = matches!(lang.sort(values).kind, SortKind::Sub { .. });
                if is_sub && never_steps(search, context, sort, values, horizon)? {
                    still.push(values);
                }
            }
            let Some(needed) = excluded(search, context, sort, &still, horizon)? else { continue 'horizon };
            for claim in needed {
                if !claims.contains(&claim) {
                    claims.push(claim);
                }
            }
        }
        return Ok(true);
    }
    Ok(false)
}

/// Whether all that a check asks is that two steps lead to the same state: then a step need not be compared with itself, nor two with each
/// other in both orders.
fn asks_whether_equal(check: &Check, one: &Form, two: &Form) -> bool {
    let [conclusion] = &check.conclusions[..] else { return false };
    matches!(&conclusion[..], [Located { premise: Premise::Equal { left, right, holds: true }, .. }]
        if (left == one && right == two) || (left == two && right == one))
}

/// A program at the root, with everything below a horizon left free.
fn start<'p, 'l>(search: &Search<'p, 'l>, sort: SortId, horizon: u32) -> (Encoder<'p, 'l>, SlotId, State) {
    let plan = search.plan;
    let mut encoder = search.encoder();
    let bound = plan.check.metas.iter().map(|m| m.sort).find(|s| plan.lang.base(*s) == sort);
    let extent = Extent { horizon: Some(horizon), ..plan.extent(bound.unwrap_or(sort)) };
    let slot = encoder.root(sort, extent);
    let root = encoder.at_slot(slot);
    (encoder, slot, State { root, stores: Vec::new(), prod: None })
}

/// Whether no member of a sub-grammar steps, given that smaller members do not.
fn never_steps(
    search: &mut Search,
    context: Option<SortId>,
    sort: SortId,
    values: SortId,
    horizon: u32,
) -> Result<bool, Halt> {
    let (mut encoder, slot, state) = start(search, sort, horizon);
    let mut query = search.query();
    let reached = encoder.reach_once(slot, &state, vec![(context, Lit::TRUE)], &mut Focus::default());
    let mut some = Vec::new();
    for (at, sort, cond) in reached.holes {
        let mut classes = Vec::new();
        encoder.classes_at(&state, at, sort, cond, &mut classes);
        some.extend(classes.iter().map(|c| c.guard));
    }
    for (at, of, inner, cond) in reached.below {
        let kid = encoder.at_slot(at);
        // Of another kind, it may step.
        let value = if (inner, of) == (context, sort) { encoder.member(kid, values) } else { Lit::FALSE };
        some.push(encoder.graph.and(cond, !value));
    }
    let is_value = encoder.member(state.root, values);
    if encoder.strained {
        return Ok(false);
    }
    let found = query.ask_some(&encoder.graph, &[is_value], Some(&some));
    search.finish(&encoder, &query)?;
    match found {
        Found::Nothing => Ok(true),
        Found::Model(_) => Ok(false),
        Found::Unknown(why) => Err(Search::halted(why)),
    }
}

/// Whether a least program with two different steps is impossible; then the claims about its parts that this rests on.
fn excluded(
    search: &mut Search,
    context: Option<SortId>,
    sort: SortId,
    values: &[SortId],
    horizon: u32,
) -> Result<Option<Vec<Claim>>, Halt> {
    let (mut encoder, slot, state) = start(search, sort, horizon);
    let mut query = search.query();
    let reached = encoder.reach_once(slot, &state, vec![(context, Lit::TRUE)], &mut Focus::default());
    let mut classes = Vec::new();
    for (at, sort, cond) in reached.holes {
        encoder.classes_at(&state, at, sort, cond, &mut classes);
    }
    let mut some = Vec::new();
    // Two rules at the root, or one in two ways.
    let ways: Vec<_> = classes.iter().flat_map(|c| c.ways.iter().map(|w| (c.slot, w.clone()))).collect();
    for (i, (here, one)) in ways.iter().enumerate() {
        for (there, two) in &ways[i + 1..] {
            let both = encoder.graph.and(one.cond, two.cond);
            if both == Lit::FALSE {
                continue;
            }
            let same = match here == there {
                true => encoder.equal_values(&one.after.value, &two.after.value).unwrap_or(Lit::FALSE),
                false => Lit::FALSE,
            };
            some.push(encoder.graph.and(both, !same));
        }
    }
    let mut used = Vec::new();
    let mut steps = Vec::new();
    for (at, of, inner, cond) in reached.below {
        let kid = encoder.at_slot(at);
        let mut may = cond;
        if (inner, of) == (context, sort) {
            for &v in values {
                let value = encoder.member(kid, v);
                may = encoder.graph.and(may, !value);
            }
        }
        used.push((inner, of));
        steps.push((at, inner, may));
    }
    for class in &classes {
        for (_, _, may) in &steps {
            some.push(encoder.graph.and(class.guard, *may));
        }
    }
    for (i, one) in steps.iter().enumerate() {
        for two in &steps[i + 1..] {
            // Two frames into one part, in one context, are one.
            if (one.0, one.1) != (two.0, two.1) {
                some.push(encoder.graph.and(one.2, two.2));
            }
        }
    }
    if encoder.strained {
        return Ok(None);
    }
    let found = query.ask_some(&encoder.graph, &[], Some(&some));
    search.finish(&encoder, &query)?;
    match found {
        Found::Nothing => Ok(Some(used)),
        Found::Model(_) => Ok(None),
        Found::Unknown(why) => Err(Search::halted(why)),
    }
}

/// The pairs of classes that some program is in at once: the first step by the one, the second by the other.
pub fn pairs(encoder: &mut Encoder, query: &mut Query, setup: &Setup) -> Result<Vec<(usize, usize)>, Halt> {
    let mut pairs = joint(encoder, query, setup)?;
    let is_equality =
        matches!(&setup.steps[..], [(_, one), (_, two)] if asks_whether_equal(encoder.plan.check, one, two));
    let alone = |c: &Class| !is_equality || c.ways.len() > 1;
    if !is_equality {
        let others: Vec<(usize, usize)> = pairs.iter().map(|(i, j)| (*j, *i)).collect();
        pairs.extend(others);
    }
    pairs.extend(setup.classes.iter().enumerate().filter(|(_, c)| alone(c)).map(|(i, _)| (i, i)));
    Ok(pairs)
}

/// The pairs of different classes that some program is in at once, each in one order.
fn joint(encoder: &mut Encoder, query: &mut Query, setup: &Setup) -> Result<Vec<(usize, usize)>, Halt> {
    let guards: Vec<Lit> = setup.classes.iter().map(|c| c.guard).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let (mut seen, mut two) = (Lit::FALSE, Lit::FALSE);
    for &guard in &guards {
        let both = encoder.graph.and(seen, guard);
        two = encoder.graph.or(two, both);
        seen = encoder.graph.or(seen, guard);
    }
    let mut all = setup.premises.clone();
    all.push(two);
    match query.ask(&encoder.graph, &all) {
        Found::Nothing => return Ok(pairs),
        Found::Unknown(why) => return Err(Search::halted(why)),
        Found::Model(_) => {}
    }
    let mut open: Vec<((usize, usize), Lit)> = Vec::new();
    for (i, one) in guards.iter().enumerate() {
        for (j, two) in guards.iter().enumerate().skip(i + 1) {
            let both = encoder.graph.and(*one, *two);
            if both != Lit::FALSE {
                open.push(((i, j), both));
            }
        }
    }
    loop {
        let some: Vec<Lit> = open.iter().map(|(_, l)| *l).collect();
        match query.ask_some(&encoder.graph, &setup.premises, Some(&some)) {
            Found::Nothing => return Ok(pairs),
            Found::Unknown(why) => return Err(Search::halted(why)),
            Found::Model(model) => {
                let mut reader = crate::query::Reader::new(&encoder.graph, &model);
                let before = pairs.len();
                open.retain(|(pair, lit)| {
                    let on = reader.is_true(*lit);
                    if on {
                        pairs.push(*pair);
                    }
                    !on
                });
                if pairs.len() == before {
                    return Err(Halt::Broken("a model without the two steps it should have".into()));
                }
            }
        }
    }
}
