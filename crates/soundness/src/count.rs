//! What a check that holds has covered (docs/lang.md, "Reports"): classes that some program is in, smallest witnesses, model counts.

use crate::decode::Decoded;
use crate::encoder::{Encoder, Val};
use crate::outcome::*;
use crate::plan::Plan;
use crate::query::{Found, Query};
use crate::search::{Halt, Search};
use crate::shape::SlotId;
use crate::trees::Trees;
use formula::Lit;
use lang::term::Terms;
use lang::*;

/// The report of a check that nothing breaks.
pub fn report(search: &mut Search, tier: Tier) -> Result<Outcome, Halt> {
    let plan = search.plan;
    let mut held = Held {
        classes: 0,
        non_empty: Vec::new(),
        counted: false,
        has_final: false,
        tier,
        coverage: Coverage::default(),
        clipped: Vec::new(),
        layers: Vec::new(),
        deeper: plan.deeper.clone(),
        work: search.work,
    };
    let mut judgments: Vec<_> = plan.rules.judgments.values().collect();
    judgments.sort_by_key(|j| j.judgment);
    held.layers.extend(judgments.iter().filter_map(|j| Some((j.judgment, j.layers.as_ref()?.news.len()))));
    for rule in judgments.iter().flat_map(|j| &j.rules) {
        if rule.clipped > 0 {
            held.clipped.push((rule.rule, rule.clipped));
        }
    }
    if search.options.verdict_only {
        let vacuous = is_vacuous(search)?;
        held.work = search.work;
        return Ok(if vacuous { Outcome::Vacuous } else { Outcome::Holds(Box::new(held)) });
    }
    let mut encoder = search.encoder();
    let mut query = search.query();
    let Some(mut setup) = encoder.set_up_values(&|sort| plan.extent(sort)) else {
        return Err(Search::gave_up(&encoder));
    };
    if encoder.set_up_steps(&mut setup).is_none() {
        return Err(Search::gave_up(&encoder));
    }
    held.classes = setup.classes.len();
    let mut counts: Vec<(RuleId, usize)> = plan.steps.iter().flat_map(|s| &s.rules).map(|r| (*r, 0)).collect();
    let known = match search.options.tier {
        Tier::Two => None,
        _ => crate::inhabited::non_empty(search, &mut encoder, &setup)?,
    };
    held.has_final = rests(search)?;
    let feasible = known.is_some() || !plan.multiplies();
    if ((known.is_none() && feasible) || !held.has_final) && encoder.set_up_premises(&mut setup).is_none() {
        return Err(Search::gave_up(&encoder));
    }
    held.counted = feasible;
    for (i, class) in setup.classes.clone().iter().enumerate().filter(|_| feasible) {
        let inhabited = match &known {
            Some(known) => known[i],
            None => {
                let mut all = setup.premises.clone();
                all.push(class.guard);
                query.is_possible(&encoder.graph, &all, None).map_err(Search::halted)?
            }
        };
        counts.iter_mut().filter(|(r, _)| inhabited && *r == class.rule).for_each(|(_, n)| *n += 1);
    }
    if feasible {
        held.non_empty = counts;
    }
    if !held.has_final {
        let mut all = setup.premises.clone();
        all.extend(setup.classes.iter().map(|c| !c.guard));
        held.has_final = query.is_possible(&encoder.graph, &all, None).map_err(Search::halted)?;
    }
    search.finish(&encoder, &query)?;
    held.coverage = crate::coverage::cover(search)?;
    held.work = search.work;
    if let Some(rule) = held.non_empty.iter().find(|(rule, n)| disagree(&held.coverage, *rule, *n)) {
        let name = &plan.lang.rule(rule.0).name;
        return Err(Halt::Broken(format!(
            "{} classes of {name} have programs, and its witness says otherwise",
            rule.1
        )));
    }
    // A check with a step speaks of programs that take one, to a state of the form that it gives it: which classes do not count.
    let vacuous = match held.counted && !may_step_elsewhere(plan) {
        true => held.states() == usize::from(search.takes_step() && held.has_final),
        false => is_vacuous(search)?,
    };
    if vacuous {
        return Ok(Outcome::Vacuous);
    }
    Ok(Outcome::Holds(Box::new(held)))
}

/// Whether the number of classes with programs and the witness of a rule, found on different ways, contradict each other.
fn disagree(coverage: &Coverage, rule: RuleId, classes: usize) -> bool {
    coverage.rules.iter().any(|(r, witness)| *r == rule && witness.is_some() != (classes > 0))
}

/// Whether a step may end in an error, or in a state of another form than a premise of the check asks for.
fn may_step_elsewhere(plan: &Plan) -> bool {
    let is_other = |wanted: ProdId, made: &Form| match made {
        Form::Error => true,
        Form::Node(prod, _) => *prod != wanted,
        _ => false,
    };
    plan.check.premises.iter().any(|located| match &located.premise {
        Premise::Judgment(j, forms) if plan.lang.judgment(*j).reduction.is_some() => match forms[1] {
            Form::Node(wanted, _) => plan.lang.rules_of(*j).any(|(_, rule)| is_other(wanted, &rule.conclusion[1])),
            _ => false,
        },
        _ => false,
    })
}

/// Whether nothing satisfies the premises of the check, its steps included: small programs are asked for first.
fn is_vacuous(search: &mut Search) -> Result<bool, Halt> {
    let plan = search.plan;
    for size in [Some(2), Some(4), Some(8), None] {
        if size.is_some_and(|size| !search.is_small(size)) {
            continue;
        }
        let mut encoder = search.encoder();
        let mut query = search.query();
        let extent = |sort: SortId| match size {
            Some(size) => plan.extent(sort).with_size(size),
            None => plan.extent(sort),
        };
        let Some(mut setup) = encoder.set_up(&extent) else { return Err(Search::gave_up(&encoder)) };
        if encoder.set_up_steps(&mut setup).is_none() {
            return Err(Search::gave_up(&encoder));
        }
        let mut all = setup.premises.clone();
        for (_, after) in &setup.steps {
            let Some(arrives) = encoder.arrives(&setup, after) else { return Err(Search::gave_up(&encoder)) };
            all.push(arrives);
        }
        let possible = query.is_possible(&encoder.graph, &all, None).map_err(Search::halted)?;
        search.finish(&encoder, &query)?;
        if possible {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether some small program satisfies the premises and takes no step.
fn rests(search: &mut Search) -> Result<bool, Halt> {
    let plan = search.plan;
    for size in [1, 3, 6] {
        let mut encoder = search.encoder();
        let mut query = search.query();
        let Some(mut setup) = encoder.set_up(&|sort| plan.extent(sort).with_size(size)) else { return Ok(false) };
        if encoder.set_up_steps(&mut setup).is_none() {
            return Ok(false);
        }
        let mut all = setup.premises.clone();
        all.extend(setup.classes.iter().map(|c| !c.guard));
        let found = query.ask(&encoder.graph, &all);
        search.finish(&encoder, &query)?;
        match found {
            Found::Nothing => {}
            Found::Model(_) => return Ok(true),
            Found::Unknown(why) => return Err(Search::halted(why)),
        }
    }
    Ok(false)
}

/// How many trees of the first metavariable of a check satisfy its premises, per size: the models are counted over the tree of slots.
/// For checks of which only one tree is free.
pub fn well_typed<'l>(
    terms: &mut Terms<'l>,
    check: &'l Check,
    sizes: u32,
    options: &Options,
) -> Result<Vec<u64>, Outcome> {
    terms.heed(&options.limits.stop);
    let plan = Plan::new(terms, check)?;
    let mut encoder = Encoder::new(&plan, &options.limits);
    let Some((root, formulas)) = formulas_by_size(&mut encoder, sizes)? else { return Ok(Vec::new()) };
    let counted = Trees::new(&mut encoder).count(root, sizes, &formulas);
    if encoder.stopped { Err(Outcome::Stopped) } else { counted.map_err(Outcome::Broken) }
}

/// The same by asking the solver for models until there is none.
pub fn well_typed_one_by_one<'l>(
    terms: &mut Terms<'l>,
    check: &'l Check,
    sizes: u32,
    options: &Options,
) -> Result<Vec<u64>, Outcome> {
    terms.heed(&options.limits.stop);
    let plan = Plan::new(terms, check)?;
    let mut encoder = Encoder::new(&plan, &options.limits);
    let mut query = Query::new(options.certify, &options.limits);
    let Some((root, formulas)) = formulas_by_size(&mut encoder, sizes)? else { return Ok(Vec::new()) };
    let sort = encoder.shape.get(root).sorts[0];
    let tree = Val::Tree(encoder.at_slot(root));
    let mut counts = Vec::new();
    for formula in formulas {
        let mut count = 0;
        loop {
            match query.ask(&encoder.graph, &[formula]) {
                Found::Nothing => break,
                Found::Unknown(why) => {
                    return Err(why.map_or(Outcome::Stopped, Outcome::Broken));
                }
                Found::Model(model) => {
                    let mut seen = Decoded::default();
                    if encoder.decode(terms, &model, &tree, sort, &mut seen).is_none() {
                        return Err(Outcome::Broken("a model without a tree".into()));
                    }
                    count += 1;
                    query.block(&encoder.graph, &seen.choices);
                }
            }
        }
        counts.push(count);
    }
    Ok(counts)
}

/// The first free tree of a check, and per size that its premises hold and that it has the size.
fn formulas_by_size(encoder: &mut Encoder, sizes: u32) -> Result<Option<(SlotId, Vec<Lit>)>, Outcome> {
    let plan = encoder.plan;
    let setup = encoder.set_up(&|sort| plan.extent(sort).with_size(sizes));
    let (Some(setup), None) = (setup, encoder.not_carried.clone()) else {
        let unknown = NotCarried::new("a form that is not carried", plan.check.span);
        return Err(Outcome::NotCarried(encoder.not_carried.clone().unwrap_or(unknown)));
    };
    let Some(&(_, root)) = setup.trees.first() else { return Ok(None) };
    let row = encoder.total_size(&setup, sizes);
    if encoder.stopped {
        return Err(Outcome::Stopped);
    }
    let premises = encoder.graph.and_all(setup.premises.iter().copied());
    let mut formulas = Vec::new();
    for size in 0..=sizes as usize {
        let at_least = if size > 0 { row.get(size - 1).copied().unwrap_or(Lit::FALSE) } else { Lit::TRUE };
        let at_most = row.get(size).map_or(Lit::TRUE, |l| !*l);
        formulas.push(encoder.graph.and_all([premises, at_least, at_most]));
    }
    Ok(Some((root, formulas)))
}
