//! Where a step is possible: evaluation contexts as *focus* literals that spread from the root, and one guard per rule and position,
//! the whole path constraint of a class (docs/lang.md, "Classes and guards").
//!
//! Preserved: `guard(R, n)` holds iff rule R contracts the subtree at n; a step of the tree exists iff some guard holds. Slots below
//! the horizon are not entered; that the focus reaches them is remembered.

use crate::encoder::{Arg, Encoder, Ov, OvId, StoreId, Stored, Val};
use crate::evaluate::Built;
use crate::pattern::Binds;
use crate::shape::SlotId;
use formula::Lit;
use lang::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A state in slots: a tree, with the stores around it.
#[derive(Clone, Debug)]
pub struct State {
    pub root: OvId,
    pub stores: Vec<StoreId>,
    /// The production that pairs them, for a configuration.
    pub prod: Option<ProdId>,
}

/// A rule at a position.
#[derive(Clone, Debug)]
pub struct Class {
    pub rule: RuleId,
    pub slot: SlotId,
    pub guard: Lit,
    pub ways: Vec<Way>,
}

/// One way of a rule to match, with what it makes.
#[derive(Clone, Debug)]
pub struct Way {
    pub cond: Lit,
    pub binds: Binds,
    /// By real substitution.
    pub after: Built,
}

/// All positions that evaluation reaches.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// Per slot and sort: something of this sort may be contracted here.
    pub holes: BTreeMap<(u32, SlotId, SortId), Lit>,
    /// Slots below the horizon that evaluation reaches.
    pub beyond: Vec<(SlotId, Lit)>,
    /// Per context alternative (or congruence rule): when it is used, and where its hole is.
    pub used: FxHashMap<(SortId, usize), Vec<(Lit, SlotId)>>,
    /// The contexts bind variables above the hole.
    pub binds: bool,
}

impl Encoder<'_, '_> {
    /// Everything that evaluation contexts reach from the root of a state.
    pub fn focus(&mut self, state: &State) -> Focus {
        let mut focus = Focus::default();
        let Some(root) = self.slot_of(state.root) else { return focus };
        let mut pending: Pending = BTreeMap::new();
        for (context, cond) in self.start(state, &mut focus) {
            self.add_pending(&mut pending, root, context, cond);
        }
        while let Some(((depth, slot), contexts)) = pending.pop_first() {
            let list: Vec<(Option<SortId>, Lit)> = contexts.into_iter().collect();
            if self.shape.get(slot).is_abstract {
                focus.beyond.extend(list.iter().map(|(_, here)| (slot, *here)));
                continue;
            }
            let reached = self.reach_once(slot, state, list, &mut focus);
            for (at, sort, cond) in reached.holes {
                let depth = if at == slot { depth } else { self.shape.get(at).depth };
                if self.shape.get(at).is_abstract {
                    focus.beyond.push((at, cond));
                } else {
                    self.add_hole(&mut focus, depth, at, sort, cond);
                }
            }
            for (at, _, context, cond) in reached.below {
                self.add_pending(&mut pending, at, context, cond);
            }
        }
        focus
    }

    /// The contexts that evaluation of a state starts in, at the root of its program.
    pub fn start(&mut self, state: &State, focus: &mut Focus) -> Vec<(Option<SortId>, Lit)> {
        let plan = self.plan;
        let (Some(steps), Some(root)) = (&plan.steps, self.slot_of(state.root)) else { return Vec::new() };
        if steps.is_configuration
            && let Some(contexts) = steps.contexts
        {
            let mut pending: Pending = BTreeMap::new();
            self.enter_configuration(contexts, state, root, &mut pending, focus);
            return pending.into_values().flatten().collect();
        }
        vec![(steps.contexts, Lit::TRUE)]
    }

    /// One step of focus: what may be contracted in these contexts at a slot, and where evaluation goes on below it.
    pub fn reach_once(
        &mut self,
        slot: SlotId,
        state: &State,
        contexts: Vec<(Option<SortId>, Lit)>,
        focus: &mut Focus,
    ) -> Reached {
        let mut reached = Reached::default();
        let node = self.at_slot(slot);
        let mut list = contexts;
        let mut next = 0;
        while next < list.len() {
            let (context, here) = list[next];
            next += 1;
            if here == Lit::FALSE || self.is_late() {
                continue;
            }
            let Some(context) = context else {
                for sort in self.shape.get(slot).sorts.clone() {
                    let of_sort = self.slot_sort(slot, sort);
                    let hole = self.graph.and(here, of_sort);
                    reached.holes.push((slot, sort, hole));
                }
                self.spread_congruences(node, state, here, None, &mut reached, focus);
                continue;
            };
            let lang = self.lang;
            let SortKind::Context { alts, .. } = &lang.sort(context).kind else { continue };
            for (index, alt) in alts.iter().enumerate() {
                let mut found = Vec::new();
                self.frames(node, &alt.form, here, &mut found, &mut focus.binds);
                for (hole, cond, inner) in found {
                    let Some(at) = self.slot_of(hole) else { continue };
                    focus.used.entry((context, index)).or_default().push((cond, at));
                    match inner {
                        Inner::Hole(sort) => {
                            let sort = self.lang.base(sort);
                            let of_sort = self.slot_sort(at, sort);
                            let cond = self.graph.and(cond, of_sort);
                            reached.holes.push((at, sort, cond));
                            // Congruence rules beside contexts: where a rule applies, they do, and what steps is a whole
                            // program again.
                            if !self.shape.get(at).is_abstract {
                                let start = self.plan.steps.as_ref().and_then(|s| s.contexts);
                                self.spread_congruences(hole, state, cond, start, &mut reached, focus);
                            }
                        }
                        Inner::Context(c) if at == slot => {
                            if !list.iter().any(|(k, _)| *k == Some(c)) {
                                list.push((Some(c), cond));
                            }
                        }
                        Inner::Context(c) => reached.below.push((at, self.lang.base(c), Some(c), cond)),
                    }
                }
            }
        }
        reached
    }

    fn add_hole(&mut self, focus: &mut Focus, depth: u32, slot: SlotId, sort: SortId, lit: Lit) {
        let known = focus.holes.entry((depth, slot, sort)).or_insert(Lit::FALSE);
        *known = self.graph.or(*known, lit);
    }

    fn add_pending(&mut self, pending: &mut Pending, slot: SlotId, context: Option<SortId>, lit: Lit) {
        let depth = self.shape.get(slot).depth;
        let known = pending.entry((depth, slot)).or_default().entry(context).or_insert(Lit::FALSE);
        *known = self.graph.or(*known, lit);
    }

    /// `W ::= ⟨ E, μ ⟩`: evaluation goes into the program of the state.
    fn enter_configuration(
        &mut self,
        contexts: SortId,
        state: &State,
        root: SlotId,
        pending: &mut Pending,
        focus: &mut Focus,
    ) {
        let lang = self.lang;
        let SortKind::Context { alts, .. } = &lang.sort(contexts).kind else { return };
        for (index, alt) in alts.iter().enumerate() {
            match &alt.form {
                Form::Hole(_) => {
                    for sort in self.shape.get(root).sorts.clone() {
                        self.add_hole(focus, 1, root, sort, Lit::TRUE);
                    }
                }
                Form::Node(prod, args) => {
                    let tree = (0..args.len()).find(|i| crate::shape::is_tree(lang, lang.prod(*prod).args[*i]));
                    let Some(tree) = tree else { continue };
                    let fits = state.prod == Some(*prod)
                        || self.shape.get(root).sorts.contains(&lang.base(lang.prod(*prod).args[tree]));
                    match &args[tree] {
                        Form::Any(c) if fits && matches!(lang.sort(*c).kind, SortKind::Context { .. }) => {
                            self.add_pending(pending, root, Some(*c), Lit::TRUE);
                            focus.used.entry((contexts, index)).or_default().push((Lit::TRUE, root));
                        }
                        Form::Hole(sort) if fits => {
                            self.add_hole(focus, 1, root, lang.base(*sort), Lit::TRUE);
                            focus.used.entry((contexts, index)).or_default().push((Lit::TRUE, root));
                        }
                        _ if !fits => {}
                        _ => self.give_up("a context of states that is not carried", alt.span),
                    }
                }
                _ => self.give_up("a context of states that is not carried", alt.span),
            }
        }
    }

    /// Where the hole of a context alternative is, and under which condition.
    fn frames(&mut self, id: OvId, form: &Form, cond: Lit, out: &mut Vec<(OvId, Lit, Inner)>, binds: &mut bool) {
        match form {
            Form::Hole(sort) => out.push((id, cond, Inner::Hole(*sort))),
            Form::Any(sort) if matches!(self.lang.sort(*sort).kind, SortKind::Context { .. }) => {
                out.push((id, cond, Inner::Context(*sort)));
            }
            Form::Node(prod, forms) => {
                let kind = self.kind(id, *prod);
                let mut cond = self.graph.and(cond, kind);
                let mut hole = None;
                for (arg, form) in forms.iter().enumerate() {
                    if cond == Lit::FALSE {
                        return;
                    }
                    if has_hole(self.lang, form) {
                        *binds |= self.lang.prod(*prod).binders_over(arg).next().is_some();
                        hole = self.kid(id, *prod, arg).map(|k| (k, form));
                        if hole.is_none() {
                            return;
                        }
                        continue;
                    }
                    let matches = self.shape_arg(id, *prod, arg, form);
                    cond = self.graph.and(cond, matches);
                }
                if let Some((kid, form)) = hole {
                    self.frames(kid, form, cond, out, binds);
                }
            }
            _ => {}
        }
    }

    fn shape_arg(&mut self, id: OvId, prod: ProdId, arg: usize, form: &Form) -> Lit {
        match self.argument(id, prod, arg) {
            Some(Val::Tree(kid)) => self.shape_matches(kid, form),
            Some(Val::Fin(row)) => {
                let sort = self.lang.prod(prod).args[arg];
                self.field_matches(&row, sort, form)
            }
            Some(_) => Lit::TRUE,
            None => Lit::FALSE,
        }
    }

    fn spread_congruences(
        &mut self,
        node: OvId,
        state: &State,
        here: Lit,
        context: Option<SortId>,
        reached: &mut Reached,
        focus: &mut Focus,
    ) {
        let plan = self.plan;
        let Some(steps) = &plan.steps else { return };
        for (rule_id, meta) in &steps.congruences {
            let rule = self.lang.rule(*rule_id);
            // A slot that may hold programs of several sorts has a kind for each: only one of them counts.
            let sort = self.left_sort(&rule.conclusion[0], &rule.metas);
            let here = match (self.slot_of(node), sort) {
                (Some(slot), Some(sort)) => {
                    let of_sort = self.slot_sort(slot, sort);
                    self.graph.and(here, of_sort)
                }
                _ => here,
            };
            for (cond, mut binds) in self.match_state(node, state, &rule.conclusion[0], &rule.metas) {
                let mut cond = self.graph.and(here, cond);
                for premise in &rule.premises {
                    if matches!(&premise.premise, Premise::Judgment(j, _) if *j == steps.judgment) {
                        continue;
                    }
                    match self.bind_or_hold(&premise.premise, &rule.metas, &mut binds) {
                        Some(holds) => cond = self.graph.and(cond, holds),
                        None => self.give_up("a premise of a congruence rule", premise.span),
                    }
                }
                if let Some(Val::Tree(kid)) = binds.metas[meta.index()]
                    && let Some(slot) = self.slot_of(kid)
                    && cond != Lit::FALSE
                {
                    focus.binds |= self.goes_under_binder(&rule.conclusion[0], *meta);
                    focus.used.entry((SortId(u32::MAX), rule_id.index())).or_default().push((cond, slot));
                    reached.below.push((slot, self.lang.base(rule.metas[meta.index()].sort), context, cond));
                }
            }
        }
    }

    fn goes_under_binder(&self, form: &Form, meta: MetaId) -> bool {
        match form {
            Form::Node(prod, args) => args.iter().enumerate().any(|(i, arg)| {
                let mut metas = Vec::new();
                arg.metas(&mut metas);
                metas.contains(&meta)
                    && (self.lang.prod(*prod).binders_over(i).next().is_some() || self.goes_under_binder(arg, meta))
            }),
            _ => false,
        }
    }

    /// A left side against the subtree at a node, in its state.
    fn match_state(&mut self, node: OvId, state: &State, left: &Form, metas: &[Meta]) -> Vec<(Lit, Binds)> {
        let plan = self.plan;
        let binds = Binds::new(metas.len());
        let Some(steps) = &plan.steps else { return Vec::new() };
        if !steps.is_configuration {
            return self.match_tree(node, left, metas, Lit::TRUE, binds);
        }
        match left {
            Form::Node(prod, _) => {
                let configuration = self.configuration(*prod, node, &state.stores);
                self.match_tree(configuration, left, metas, Lit::TRUE, binds)
            }
            _ => {
                self.give_up("a left side that is a metavariable for a whole state", source::Span::default());
                Vec::new()
            }
        }
    }

    /// The state that a production makes of a program and the stores.
    pub fn configuration(&mut self, prod: ProdId, node: OvId, stores: &[StoreId]) -> OvId {
        let mut stores = stores.iter();
        let args: Vec<Arg> = self
            .lang
            .prod(prod)
            .args
            .clone()
            .iter()
            .map(|s| match crate::shape::is_tree(self.lang, *s) {
                true => Arg::Tree(node),
                false => stores.next().map_or(Arg::Tree(node), |s| Arg::Store(*s)),
            })
            .collect();
        self.ov(Ov::New(prod, args.into()))
    }

    /// The classes of a state: every rule at every position where it may apply.
    pub fn classes(&mut self, state: &State, focus: &Focus) -> Vec<Class> {
        let mut classes = Vec::new();
        for (&(_, slot, sort), &hole) in &focus.holes {
            if hole != Lit::FALSE && !self.is_late() {
                self.classes_at(state, slot, sort, hole, &mut classes);
            }
        }
        classes
    }

    /// The rules that may contract what is at a slot, each under `hole` and its own conditions.
    pub fn classes_at(&mut self, state: &State, slot: SlotId, sort: SortId, hole: Lit, classes: &mut Vec<Class>) {
        let plan = self.plan;
        let Some(steps) = &plan.steps else { return };
        for &rule_id in &steps.rules {
            if self.is_late() {
                return;
            }
            let rule = self.lang.rule(rule_id);
            let left = &rule.conclusion[0];
            if self.left_sort(left, &rule.metas) != Some(sort) {
                continue;
            }
            if !self.keeps_sort(rule_id, sort) {
                continue;
            }
            let node = self.at_slot(slot);
            let mut class = Class { rule: rule_id, slot, guard: Lit::FALSE, ways: Vec::new() };
            for (cond, mut binds) in self.match_state(node, state, left, &rule.metas) {
                let mut cond = self.graph.and(hole, cond);
                for premise in &rule.premises {
                    if cond == Lit::FALSE {
                        break;
                    }
                    if let Premise::Fresh(m) = premise.premise {
                        let domain = self.plan.finite.of(self.lang, rule.metas[m.index()].sort);
                        let row = self.constant(domain.before, domain.len());
                        binds.metas[m.index()] = Some(Val::Fin(row));
                        continue;
                    }
                    let is_within = self.is_within(&premise.premise, &rule.metas, &binds);
                    match self.bind_or_hold(&premise.premise, &rule.metas, &mut binds).filter(|_| is_within) {
                        Some(holds) => cond = self.graph.and(cond, holds),
                        None => {
                            self.give_up(format!("a premise of rule {}", rule.name), premise.span);
                            cond = Lit::FALSE;
                        }
                    }
                }
                if cond == Lit::FALSE {
                    continue;
                }
                let Some(after) = self.build(&rule.conclusion[1], steps.state, &rule.metas, &binds, false) else {
                    self.give_up(format!("the right side of rule {}", rule.name), rule.conclusion_span);
                    continue;
                };
                let cond = self.graph.and(cond, after.exists);
                if cond != Lit::FALSE && after.within != Lit::TRUE {
                    let reason = format!("rule {}: its result may be beyond the bounds", rule.name);
                    self.give_up(reason, rule.conclusion_span);
                }
                if cond != Lit::FALSE {
                    class.guard = self.graph.or(class.guard, cond);
                    class.ways.push(Way { cond, binds, after });
                }
            }
            if class.guard != Lit::FALSE {
                classes.push(class);
            }
        }
    }

    /// Whether the arguments of a premise that is a judgment are within the domains: of what is beyond them it would be false.
    fn is_within(&mut self, premise: &Premise, metas: &[Meta], binds: &Binds) -> bool {
        match premise {
            Premise::Judgment(j, forms) => {
                let sorts = self.lang.judgment(*j).args.clone();
                let mut built = |(form, sort): (&Form, &SortId)| self.build(form, *sort, metas, binds, false);
                forms.iter().zip(&sorts).all(|pair| built(pair).is_none_or(|b| b.within == Lit::TRUE))
            }
            Premise::Not(inner) => self.is_within(inner, metas, binds),
            _ => true,
        }
    }

    /// Whether what a rule makes of a program in a context can take its place there. If not, the rule makes no step: it would if the whole
    /// state were in the hole of a context, which is not carried.
    fn keeps_sort(&mut self, rule: RuleId, sort: SortId) -> bool {
        let plan = self.plan;
        let lang = self.lang;
        let Some(steps) = plan.steps.as_ref().filter(|s| s.is_configuration) else { return true };
        let (Some(contexts), Form::Node(prod, _)) = (steps.contexts, &lang.rule(rule).conclusion[1]) else {
            return true;
        };
        let made = lang.prod(*prod).args.iter().find(|s| crate::shape::is_tree(lang, **s)).map(|s| lang.base(*s));
        if made == Some(sort) {
            return true;
        }
        let SortKind::Context { alts, .. } = &lang.sort(contexts).kind else { return true };
        if alts.iter().any(|alt| matches!(alt.form, Form::Hole(_))) {
            let reason = format!("rule {} makes a program of another sort", lang.rule(rule).name);
            self.give_up(reason, lang.rule(rule).conclusion_span);
        }
        false
    }

    /// The sort of the program that a left side contracts.
    fn left_sort(&self, left: &Form, metas: &[Meta]) -> Option<SortId> {
        let plan = self.plan;
        let steps = plan.steps.as_ref()?;
        match left {
            Form::Node(prod, _) if steps.is_configuration => {
                let args = &self.lang.prod(*prod).args;
                args.iter().find(|s| crate::shape::is_tree(self.lang, **s)).map(|s| self.lang.base(*s))
            }
            Form::Node(prod, _) => Some(self.lang.prod(*prod).sort),
            Form::Meta(m) => Some(self.lang.base(metas[m.index()].sort)),
            _ => None,
        }
    }

    /// The state after a step at a slot: the whole tree, and the stores. None: an error.
    pub fn plug(&mut self, state: &State, slot: SlotId, after: &Val) -> Option<State> {
        let (contractum, stores, prod) = self.contractum(state, after)?;
        let mut tree = contractum;
        let mut at = slot;
        while let Some((parent, position)) = self.shape.get(at).parent {
            let above = self.at_slot(parent);
            tree = self.ov(Ov::Repl(above, position, tree));
            at = parent;
        }
        // At the root, the state is what the rule says; below, the production around it stays.
        let prod = if at == slot { prod.or(state.prod) } else { state.prod };
        Some(State { root: tree, stores, prod })
    }

    /// What takes the place of the redex, and the stores after the step.
    pub fn contractum(&mut self, state: &State, after: &Val) -> Option<(OvId, Vec<StoreId>, Option<ProdId>)> {
        match after {
            Val::Tree(id) if self.plan.steps.as_ref().is_some_and(|s| s.is_configuration) => {
                let Ov::New(prod, args) = self.get(*id).clone() else { return None };
                let tree = args.iter().find_map(|a| if let Arg::Tree(t) = a { Some(*t) } else { None })?;
                let stores = args.iter().filter_map(|a| if let Arg::Store(s) = a { Some(*s) } else { None }).collect();
                Some((tree, stores, Some(prod)))
            }
            Val::Tree(id) => Some((*id, state.stores.clone(), None)),
            _ => None,
        }
    }

    /// Free stores and values, for a metavariable of a check.
    pub fn free_store(&mut self, sort: SortId, total: bool) -> Option<StoreId> {
        let SortKind::Store { extension, .. } = self.lang.sort(sort).kind else { return None };
        let args = self.lang.prod(extension).args.clone();
        let keys = self.plan.finite.of(self.lang, args[1]);
        let (before, all) = (keys.before, keys.len());
        let mut entries = Vec::new();
        for key in 0..all {
            let present = match key < before {
                false => Lit::FALSE,
                true if total => Lit::TRUE,
                true => self.graph.var(),
            };
            let stored = if crate::tables::is_finite(self.lang, args[2]) {
                let n = self.plan.finite.of(self.lang, args[2]).before;
                Stored::Fin(self.choose(n).1)
            } else {
                let slot = self.root(args[2], self.plan.entry_extent(args[2]));
                Stored::Tree(self.at_slot(slot))
            };
            entries.push((present, stored));
        }
        Some(self.store(entries))
    }
}

/// Conditions under which evaluation is at a slot, in a context; by depth, so that each is complete when it is looked at.
type Pending = BTreeMap<(u32, SlotId), FxHashMap<Option<SortId>, Lit>>;

/// One step of focus.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Something of this sort may be contracted here.
    pub holes: Vec<(SlotId, SortId, Lit)>,
    /// Evaluation goes on here, with something of this sort, in this context.
    pub below: Vec<(SlotId, SortId, Option<SortId>, Lit)>,
}

#[derive(Clone, Copy, Debug)]
enum Inner {
    Hole(SortId),
    Context(SortId),
}

/// Whether the hole of a context is in the form.
pub fn has_hole(lang: &Lang, form: &Form) -> bool {
    match form {
        Form::Hole(_) => true,
        Form::Any(sort) => matches!(lang.sort(*sort).kind, SortKind::Context { .. }),
        _ => {
            let mut found = false;
            form.each_child(&mut |child| found |= has_hole(lang, child));
            found
        }
    }
}
