//! Progress by induction over programs, instead of one formula about all positions (docs/lang.md, "Induction").
//!
//! A program that is stuck has a least part that is, in evaluation position: all typed parts of *it* in evaluation position are final
//! or step. So it is enough to exclude programs at the root that are typed, not final, match no rule, and whose parts in evaluation
//! position are final or untyped. What is below a horizon is left free; unsatisfiable then means that nothing is stuck at any
//! size. Parts of another sort than the check's (expressions in commands) need a claim of their own: they are final if they are in
//! the one sub-grammar of their sort; the claim is shown in the same way.
//!
//! Nothing is said if the argument fails: then the formula about all positions decides.

use crate::encoder::{CtxId, Encoder};
use crate::guards::{Focus, State};
use crate::property::Setup;
use crate::query::Found;
use crate::rules::tree_subject;
use crate::search::{Halt, Search, height};
use crate::shape::{Extent, SlotId, is_tree};
use formula::Lit;
use lang::*;

/// The shape of a progress theorem.
struct Progress {
    judgment: JudgId,
    /// The premise with it.
    premise: usize,
    forms: Vec<Form>,
    /// The program.
    meta: MetaId,
    state: Form,
    /// Conclusions other than that it steps.
    finals: Vec<Premise>,
}

/// Something evaluated: in which context, of which sort.
type Claim = (Option<SortId>, SortId);

fn find(search: &Search) -> Option<Progress> {
    let plan = search.plan;
    let (lang, check) = (plan.lang, plan.check);
    let mut state = None;
    let mut finals = Vec::new();
    for conclusion in &check.conclusions {
        let [one] = &conclusion[..] else { return None };
        match &one.premise {
            Premise::Steps(_, form) if state.is_none() => state = Some(form.clone()),
            Premise::Steps(..) => return None,
            other => finals.push(other.clone()),
        }
    }
    let state = state?;
    let meta = match &state {
        Form::Meta(m) => *m,
        Form::Node(prod, args) => args.iter().zip(&lang.prod(*prod).args).find_map(|(a, s)| match a {
            Form::Meta(m) if is_tree(lang, *s) => Some(*m),
            _ => None,
        })?,
        _ => return None,
    };
    let mut found = None;
    let mut counts = vec![0; check.metas.len()];
    for (i, located) in check.premises.iter().enumerate() {
        let mut metas = Vec::new();
        located.premise.each_form(&mut |f| f.metas(&mut metas));
        metas.iter().for_each(|m| counts[m.index()] += 1);
        if metas.contains(&meta) {
            let Premise::Judgment(j, forms) = &located.premise else { return None };
            if found.is_some() || tree_subject(lang, *j).is_none_or(|s| forms[s] != Form::Meta(meta)) {
                return None;
            }
            found = Some((*j, i, forms.clone()));
        }
    }
    let (judgment, premise, forms) = found?;
    // Any type: a part has one of its own.
    let plan_of = plan.rules.judgments.get(&judgment)?;
    for (arg, _) in &plan_of.outs {
        let Form::Meta(m) = &forms[*arg] else { return None };
        let mut metas = Vec::new();
        finals.iter().for_each(|f| f.each_form(&mut |f| f.metas(&mut metas)));
        if counts[m.index()] != 1 || metas.contains(m) {
            return None;
        }
    }
    if !check.exists.is_empty() || lang.base(check.metas[meta.index()].sort) != check.metas[meta.index()].sort {
        return None;
    }
    Some(Progress { judgment, premise, forms, meta, state, finals })
}

/// Whether every typed program is final or steps, by induction.
pub fn progresses(search: &mut Search) -> Result<bool, Halt> {
    let Some(progress) = find(search) else { return Ok(false) };
    if search.contexts_bind() {
        return Ok(false);
    }
    let plan = search.plan;
    let Some(steps) = &plan.steps else { return Ok(false) };
    let deepest = steps.rules.iter().map(|r| height(&plan.lang.rule(*r).conclusion[0])).max().unwrap_or(1);
    'horizon: for horizon in [2, deepest, deepest + 2] {
        let mut claims: Vec<Claim> = Vec::new();
        let mut next = 0;
        loop {
            match excluded(search, &progress, claims.get(next).copied(), horizon)? {
                None => continue 'horizon,
                Some(needed) => {
                    if claims.is_empty() {
                        // The first one found is the check's own.
                        claims.extend(needed.first().copied());
                        next = 0;
                    }
                    for claim in needed {
                        if !claims.contains(&claim) {
                            claims.push(claim);
                        }
                    }
                }
            }
            next += 1;
            if next >= claims.len() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Shows one claim, given all claims for smaller parts. None: not shown. Otherwise the claims used, its own first.
fn excluded(
    search: &mut Search,
    progress: &Progress,
    claim: Option<Claim>,
    horizon: u32,
) -> Result<Option<Vec<Claim>>, Halt> {
    let plan = search.plan;
    let mut encoder = search.encoder();
    let mut query = search.query();
    let extent = |sort: SortId| Extent { horizon: Some(horizon), ..plan.extent(sort) };
    let Some(setup) = encoder.set_up(&|sort| Extent { horizon: Some(0), ..plan.extent(sort) }) else {
        return Err(Search::gave_up(&encoder));
    };
    let program = plan.lang.base(plan.check.metas[progress.meta.index()].sort);
    let Some(own) = encoder.state_of(&progress.state, &setup.binds) else { return Ok(None) };
    let mut focus = Focus::default();
    let start = encoder.start(&own, &mut focus);
    let [(context, Lit::TRUE)] = start[..] else { return Ok(None) };
    if !focus.holes.is_empty() {
        return Ok(None);
    }
    let first = (context, program);
    let (context, sort) = claim.unwrap_or(first);
    let slot = encoder.root(sort, extent(program));
    let state = State { root: encoder.at_slot(slot), ..own };
    let Some(ctx) = encoder.forms_ctx(progress.judgment, &progress.forms, &setup.binds) else { return Ok(None) };
    let mut all: Vec<Lit> = Vec::new();
    for (i, at) in setup.premise_of.iter().enumerate() {
        all.extend(at.filter(|_| i != progress.premise).map(|at| setup.premises[at]));
    }
    let named: Vec<usize> = setup.premise_of.iter().flatten().copied().collect();
    all.extend((0..setup.premises.len()).filter(|i| !named.contains(i)).map(|i| setup.premises[i]));
    let is_own = (context, sort) == first;
    let Some(typed) = encoder.typed_for(progress, sort, slot, ctx, is_own) else { return Ok(None) };
    let Some(is_final) = encoder.final_for(progress, &setup, sort, slot, is_own) else { return Ok(None) };
    all.extend([typed, !is_final]);
    let reached = encoder.reach_once(slot, &state, vec![(context, Lit::TRUE)], &mut focus);
    for (at, sort, cond) in reached.holes {
        let mut classes = Vec::new();
        encoder.classes_at(&state, at, sort, cond, &mut classes);
        all.extend(classes.iter().map(|c| !c.guard));
    }
    let mut used = vec![(context, sort)];
    for (at, sort, context, cond) in reached.below {
        let is_own = (context, sort) == first;
        let (Some(typed), Some(is_final)) =
            (encoder.typed_for(progress, sort, at, ctx, is_own), encoder.final_for(progress, &setup, sort, at, is_own))
        else {
            return Ok(None);
        };
        used.push((context, sort));
        let steps = encoder.graph.and(typed, !is_final);
        let steps = encoder.graph.and(cond, steps);
        all.push(!steps);
    }
    let found = if encoder.strained { None } else { Some(query.ask(&encoder.graph, &all)) };
    search.finish(&encoder, &query)?;
    match found {
        Some(Found::Nothing) => Ok(Some(used)),
        Some(Found::Unknown(why)) => Err(Search::halted(why)),
        Some(Found::Model(_)) | None => Ok(None),
    }
}

impl Encoder<'_, '_> {
    /// That a part is typed: by the check's own judgment, or by any that it rests on.
    fn typed_for(&mut self, progress: &Progress, sort: SortId, slot: SlotId, ctx: CtxId, is_own: bool) -> Option<Lit> {
        let tree = self.at_slot(slot);
        if is_own {
            let row = self.judge(progress.judgment, tree, ctx);
            return Some(self.any(row.iter().copied()));
        }
        self.typed(progress.judgment, sort, tree, ctx)
    }

    /// That a part is final: as the check says, or as a member of the only sub-grammar of its sort.
    fn final_for(
        &mut self,
        progress: &Progress,
        setup: &Setup,
        sort: SortId,
        slot: SlotId,
        is_own: bool,
    ) -> Option<Lit> {
        let tree = self.at_slot(slot);
        if is_own {
            let mut binds = setup.binds.clone();
            binds.metas[progress.meta.index()] = Some(crate::encoder::Val::Tree(tree));
            let mut any = Lit::FALSE;
            for premise in &progress.finals {
                let holds = self.holds(premise, &self.plan.check.metas, &binds);
                any = self.graph.or(any, holds);
            }
            return Some(any);
        }
        let mut subs = self.lang.sort_ids().filter(|s| *s != sort && self.lang.base(*s) == sort);
        let is_sub = |s: &SortId| matches!(self.lang.sort(*s).kind, SortKind::Sub { .. });
        let found: Vec<SortId> = subs.by_ref().filter(is_sub).collect();
        let [values] = found[..] else { return None };
        Some(self.member(tree, values))
    }
}
