//! Smallest witnesses (docs/lang.md, "Reports"): for every rule, production and alternative a smallest program within the check that shows
//! it.
//!
//! Sizes grow from the least; what a size shows is minimised there, so each witness has the least size of all. What no small program
//! shows is asked of the whole bound; None then means never, within the bounds. Where contexts multiply, it is left unsettled.

use crate::encoder::{Encoder, Ov};
use crate::outcome::{Coverage, Item, Witness};
use crate::property::Setup;
use crate::query::{Found, Query};
use crate::search::{Halt, Search};
use crate::shape::SlotId;
use formula::Lit;
use lang::*;

/// Small programs need no more slots than that.
const MOST_SLOTS: usize = 1500;
/// Where contexts multiply, the whole bound is asked only as far as this goes.
const FEW_NODES: usize = 300_000;
const FEW_CONFLICTS: u32 = 20_000;
const SIZES: [u32; 10] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15];

pub fn cover(search: &mut Search) -> Result<Coverage, Halt> {
    let plan = search.plan;
    let mut open = items(search);
    let most = if plan.multiplies() { MOST_SLOTS / 10 } else { MOST_SLOTS };
    let mut found: Vec<(Item, Option<Witness>)> = Vec::new();
    let mut coverage = Coverage::default();
    for size in SIZES {
        if open.is_empty() || !search.needs_at_most(size, most) {
            break;
        }
        show(search, &mut open, &mut found, Some(size))?;
        coverage.asked_up_to = size;
    }
    if !open.is_empty() {
        let (asked, known) = (open.clone(), found.len());
        match show(search, &mut open, &mut found, None) {
            Err(Halt::NotCarried(_) | Halt::Stopped) if plan.multiplies() && !search.options.limits.reached() => {
                found.truncate(known);
                open.clear();
                coverage.unsettled = asked;
            }
            told => told?,
        }
    }
    found.extend(open.into_iter().map(|item| (item, None)));
    for item in items(search) {
        if let Some((_, witness)) = found.iter().find(|(i, _)| *i == item) {
            coverage.push(item, witness.clone());
        }
    }
    for (judgment, table) in &plan.tables {
        for (id, _) in plan.lang.rules_of(*judgment) {
            if !table.used.contains(&id) {
                coverage.rules.push((id, None));
            }
        }
    }
    Ok(coverage)
}

/// What is to be shown: rules of the reduction and of judgments about trees, productions of trees, alternatives.
fn items(search: &Search) -> Vec<Item> {
    let plan = search.plan;
    let lang = plan.lang;
    let mut items = Vec::new();
    if let Some(steps) = &plan.steps {
        items.extend(steps.rules.iter().map(|r| Item::Rule(*r)));
        items.extend(steps.congruences.iter().map(|(r, _)| Item::Rule(*r)));
    }
    for (id, rule) in lang.rule_ids().map(|r| (r, lang.rule(r))) {
        if plan.rules.judgments.contains_key(&rule.judgment) {
            items.push(Item::Rule(id));
        }
    }
    let mut sorts: Vec<SortId> = Vec::new();
    for meta in &plan.check.metas {
        let base = lang.base(meta.sort);
        if crate::shape::is_tree(lang, base) && !sorts.contains(&base) {
            sorts.push(base);
        }
    }
    let mut next = 0;
    while next < sorts.len() {
        for prod in lang.prods_of(sorts[next]) {
            items.push(Item::Prod(prod));
            for sort in &lang.prod(prod).args {
                let base = lang.base(*sort);
                if crate::shape::is_tree(lang, base) && !sorts.contains(&base) {
                    sorts.push(base);
                }
            }
        }
        next += 1;
    }
    for id in lang.sort_ids() {
        match &lang.sort(id).kind {
            SortKind::Sub { base, alts } if sorts.contains(base) => {
                items.extend((0..alts.len()).map(|i| Item::Alternative(id, i)));
            }
            SortKind::Context { alts, .. } if plan.steps.as_ref().is_some_and(|s| s.contexts.is_some()) => {
                items.extend((0..alts.len()).map(|i| Item::Alternative(id, i)));
            }
            _ => {}
        }
    }
    items
}

/// Shows what can be shown up to a size, or within the whole bound, and takes it off the list.
fn show(
    search: &mut Search,
    open: &mut Vec<Item>,
    found: &mut Vec<(Item, Option<Witness>)>,
    size: Option<u32>,
) -> Result<(), Halt> {
    let plan = search.plan;
    let mut encoder = search.encoder();
    let mut query = search.query();
    if size.is_none() && plan.multiplies() {
        encoder.most_nodes = FEW_NODES;
        query = Query::new(
            search.options.certify,
            &sat::Limits { conflicts: Some(FEW_CONFLICTS), ..search.options.limits.clone() },
        );
    }
    let extent = |sort: SortId| match size {
        Some(size) => plan.extent(sort).with_size(size),
        None => plan.extent(sort),
    };
    let Some(mut setup) = encoder.set_up(&extent) else { return Err(Search::gave_up(&encoder)) };
    if encoder.set_up_steps(&mut setup).is_none() {
        return Err(Search::gave_up(&encoder));
    }
    let sizes = size.map(|size| encoder.total_size(&setup, size));
    let mut all = setup.premises.clone();
    if let (Some(size), Some(sizes)) = (size, &sizes) {
        all.extend(sizes.get(size as usize).map(|l| !*l));
    }
    let mut rest = Vec::new();
    for item in open.drain(..) {
        let lits = encoder.shows(&setup, item);
        match smallest(search, &mut encoder, &mut query, &setup, &all, &lits, sizes.as_deref())? {
            Some(witness) => found.push((item, Some(witness))),
            None => rest.push(item),
        }
    }
    *open = rest;
    search.finish(&encoder, &query)
}

fn smallest(
    search: &mut Search,
    encoder: &mut Encoder,
    query: &mut Query,
    setup: &Setup,
    all: &[Lit],
    some: &[Lit],
    sizes: Option<&[Lit]>,
) -> Result<Option<Witness>, Halt> {
    let mut all = all.to_vec();
    let mut best = None;
    loop {
        match query.ask_some(&encoder.graph, &all, Some(some)) {
            Found::Nothing => return Ok(best),
            Found::Unknown(why) => return Err(Search::halted(why)),
            Found::Model(model) => {
                let (size, assignment) = search.assignment(encoder, setup, &model)?;
                best = Some(Witness { size, assignment });
                match (sizes, size.checked_sub(1)) {
                    (Some(sizes), Some(most)) if (most as usize) < sizes.len() => all.push(!sizes[most as usize]),
                    _ => return Ok(best),
                }
            }
        }
    }
}

impl Encoder<'_, '_> {
    /// When a program shows an item: one of these.
    fn shows(&mut self, setup: &Setup, item: Item) -> Vec<Lit> {
        let lang = self.lang;
        match item {
            Item::Rule(rule) if lang.judgment(lang.rule(rule).judgment).reduction.is_some() => {
                let steps: Vec<Lit> = setup.classes.iter().filter(|c| c.rule == rule).map(|c| c.guard).collect();
                let congruence = (SortId(u32::MAX), rule.index());
                match setup.focus.used.get(&congruence).cloned() {
                    Some(used) => self.steps_below(setup, &used),
                    None => steps,
                }
            }
            Item::Rule(rule) => self.types_something(setup, rule),
            Item::Prod(prod) => {
                let mut out = Vec::new();
                for slot in self.slots_of(setup) {
                    let kind = self.slot_kind(slot, prod);
                    if kind != Lit::FALSE {
                        let (present, sort) = (self.present(slot), self.slot_sort(slot, lang.prod(prod).sort));
                        let used = self.graph.and(present, sort);
                        out.push(self.graph.and(used, kind));
                    }
                }
                out
            }
            Item::Alternative(sort, index) => match &lang.sort(sort).kind {
                SortKind::Sub { base, alts } => {
                    let mut out = Vec::new();
                    for slot in self.slots_of(setup) {
                        if !self.shape.get(slot).sorts.contains(base) {
                            continue;
                        }
                        let node = self.at_slot(slot);
                        let shaped = self.shape_matches(node, &alts[index].form);
                        if shaped != Lit::FALSE {
                            let (present, of) = (self.present(slot), self.slot_sort(slot, *base));
                            let used = self.graph.and(present, of);
                            out.push(self.graph.and(used, shaped));
                        }
                    }
                    out
                }
                _ => {
                    let used = setup.focus.used.get(&(sort, index)).cloned().unwrap_or_default();
                    self.steps_below(setup, &used)
                }
            },
        }
    }

    /// A context is used where something below its hole steps.
    fn steps_below(&mut self, setup: &Setup, used: &[(Lit, SlotId)]) -> Vec<Lit> {
        let mut out = Vec::new();
        for (cond, hole) in used {
            for class in &setup.classes {
                let mut at = Some(class.slot);
                while let Some(slot) = at {
                    if slot == *hole {
                        out.push(self.graph.and(*cond, class.guard));
                        break;
                    }
                    at = self.shape.get(slot).parent.map(|(p, _)| p);
                }
            }
        }
        out
    }

    /// The slots of the free programs that were made.
    fn slots_of(&mut self, setup: &Setup) -> Vec<SlotId> {
        let roots: Vec<SlotId> = setup.trees.iter().map(|t| t.1).collect();
        (0..self.shape.slots.len() as u32).map(SlotId).filter(|s| roots.contains(&self.shape.get(*s).root)).collect()
    }

    /// A rule derives something about a part of a program.
    fn types_something(&mut self, setup: &Setup, rule: RuleId) -> Vec<Lit> {
        let plan = self.plan;
        let judgment = self.lang.rule(rule).judgment;
        let Some(of) = plan.rules.judgments.get(&judgment) else { return Vec::new() };
        let roots: Vec<SlotId> = setup.trees.iter().map(|t| t.1).collect();
        let mut places: Vec<_> = self.rows.keys().filter(|(j, _, _)| *j == judgment).copied().collect();
        places.sort_by_key(|(_, node, ctx)| (*node, *ctx));
        let mut out = Vec::new();
        for (_, node, ctx) in places {
            let Ov::Slot(slot) = *self.get(node) else { continue };
            if !roots.contains(&self.shape.get(slot).root) {
                continue;
            }
            let lits: Vec<Lit> = match of.closure_rules.iter().find(|(r, _)| *r == rule) {
                Some((_, edges)) => {
                    let row = self.judge(judgment, node, ctx);
                    let moves = edges.iter().any(|(a, b)| a != b);
                    edges.iter().filter(|(a, b)| !moves || a != b).map(|(a, _)| row[*a as usize]).collect()
                }
                None => {
                    let Some(index) = of.rules.iter().position(|r| r.rule == rule) else { continue };
                    let mut row = vec![Lit::FALSE; of.width];
                    self.stamp(of, index, node, ctx, &mut row);
                    row
                }
            };
            let any = self.any(lits);
            if any != Lit::FALSE {
                let (present, sort) = (self.present(slot), self.slot_sort(slot, of.sort));
                let used = self.graph.and(present, sort);
                out.push(self.graph.and(used, any));
            }
        }
        out
    }
}
