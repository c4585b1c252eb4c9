//! A check as formulas over an arrangement of slots (docs/lang.md, "Search"): free values for its metavariables, its premises, its steps,
//! and what it means to break it.
//!
//! Preserved: the premises and the violation of a class hold together iff the values break the check by that step. With `exists`, the
//! choices tried are those that the theorem needs (a new location's entry, every member of a finite sort): that they fail is a
//! candidate for a violation, that one fits is proof.

use crate::encoder::{Encoder, EnvVal, Row, Val};
use crate::guards::{Class, Focus, State, Way};
use crate::pattern::Binds;
use crate::shape::{Extent, SlotId, is_tree};
use crate::tables::is_finite;
use formula::Lit;
use lang::*;

pub struct Setup {
    pub binds: Binds,
    /// Free trees, with their metavariable.
    pub trees: Vec<(MetaId, SlotId)>,
    /// The premises without the steps, and that the values are within their sorts.
    pub premises: Vec<Lit>,
    /// Which of `premises` a premise of the check is.
    pub premise_of: Vec<Option<usize>>,
    pub state: Option<State>,
    pub focus: Focus,
    pub classes: Vec<Class>,
    /// Before and after, of each premise that is a step.
    pub steps: Vec<(Form, Form)>,
    /// Metavariables that a step gives values to.
    pub after_metas: Vec<MetaId>,
}

impl Encoder<'_, '_> {
    /// Values for the metavariables, within these extents, and the premises.
    pub fn set_up(&mut self, extent: &dyn Fn(SortId) -> Extent) -> Option<Setup> {
        let mut setup = self.set_up_values(extent)?;
        self.set_up_premises(&mut setup)?;
        Some(setup)
    }

    /// Values alone.
    pub fn set_up_values(&mut self, extent: &dyn Fn(SortId) -> Extent) -> Option<Setup> {
        let check = self.plan.check;
        let mut setup = Setup {
            binds: Binds::new(check.metas.len()),
            trees: Vec::new(),
            premises: Vec::new(),
            premise_of: Vec::new(),
            state: None,
            focus: Focus::default(),
            classes: Vec::new(),
            steps: Vec::new(),
            after_metas: Vec::new(),
        };
        for located in &check.premises {
            if let Premise::Judgment(j, forms) = &located.premise
                && self.lang.judgment(*j).reduction.is_some()
            {
                let before = setup.after_metas.len();
                forms[1].metas(&mut setup.after_metas);
                let (earlier, own) = setup.after_metas.split_at(before);
                if own.iter().any(|m| earlier.contains(m)) {
                    self.give_up("two steps to one state", located.span);
                    return None;
                }
                setup.steps.push((forms[0].clone(), forms[1].clone()));
            }
        }
        for (i, meta) in check.metas.iter().enumerate() {
            let id = MetaId(i as u32);
            if setup.after_metas.contains(&id) || check.exists.iter().any(|(m, _)| *m == id) {
                continue;
            }
            // Bound by a `forall` of a premise.
            if !self.occurs_freely(id) {
                continue;
            }
            let value = self.free_value(id, meta, extent, &mut setup)?;
            setup.binds.metas[i] = Some(value);
        }
        Some(setup)
    }

    /// The premises that are no steps.
    pub fn set_up_premises(&mut self, setup: &mut Setup) -> Option<()> {
        let check = self.plan.check;
        for located in &check.premises {
            if matches!(&located.premise, Premise::Judgment(j, _) if self.lang.judgment(*j).reduction.is_some()) {
                setup.premise_of.push(None);
                continue;
            }
            if matches!(&located.premise, Premise::Steps(..)) {
                self.give_up("a premise that something steps", located.span);
                return None;
            }
            let mut metas = Vec::new();
            located.premise.metas(&mut metas);
            if metas.iter().any(|m| setup.after_metas.contains(m)) {
                self.give_up("a premise about what a step yields", located.span);
                return None;
            }
            // What it fixes is no input: bounds do not limit it, and its size does not count.
            if matches!(&located.premise, Premise::Equal { left, right, holds: true }
                if matches!(left, Form::Meta(_)) || matches!(right, Form::Meta(_)))
            {
                self.give_up("an equation that fixes a metavariable", located.span);
                return None;
            }
            let Some(lit) = self.bind_or_hold(&located.premise, &check.metas, &mut setup.binds) else {
                self.give_up("a premise of the check", located.span);
                return None;
            };
            setup.premise_of.push(Some(setup.premises.len()));
            setup.premises.push(lit);
        }
        Some(())
    }

    /// Adds the positions where the state of the check can step.
    pub fn set_up_steps(&mut self, setup: &mut Setup) -> Option<()> {
        let check = self.plan.check;
        let mut form = setup.steps.first().map(|(before, _)| before.clone());
        for located in check.conclusions.iter().flatten() {
            if let Premise::Steps(_, f) = &located.premise {
                form.get_or_insert(f.clone());
            }
        }
        let Some(form) = form else { return Some(()) };
        if setup.steps.iter().any(|(before, _)| *before != form) {
            self.give_up("steps of different states", check.span);
            return None;
        }
        let Some(state) = self.state_of(&form, &setup.binds) else {
            self.give_up("a state that is not made of metavariables", check.span);
            return None;
        };
        setup.focus = self.focus(&state);
        setup.classes = self.classes(&state, &setup.focus);
        setup.state = Some(state);
        Some(())
    }

    fn occurs_freely(&self, meta: MetaId) -> bool {
        let check = self.plan.check;
        let mut metas = Vec::new();
        for located in check.premises.iter().chain(check.conclusions.iter().flatten()) {
            located.premise.each_form(&mut |f| f.metas(&mut metas));
        }
        metas.contains(&meta)
            && !check.premises.iter().chain(check.conclusions.iter().flatten()).any(|l| binds_it(&l.premise, meta))
    }

    fn free_value(
        &mut self,
        id: MetaId,
        meta: &Meta,
        extent: &dyn Fn(SortId) -> Extent,
        setup: &mut Setup,
    ) -> Option<Val> {
        let sort = meta.sort;
        let total = self.plan.check.total.contains(&id);
        if is_tree(self.lang, sort) {
            let slot = self.root(sort, extent(sort));
            let node = self.at_slot(slot);
            setup.trees.push((id, slot));
            let member = self.member(node, sort);
            setup.premises.push(member);
            // Where no tree is small enough, there is none; perhaps no premise looks at it.
            let is_there = !self.kinds(slot, self.lang.base(sort)).is_empty();
            setup.premises.push(Lit::constant(is_there));
            if let Some(most) = extent(sort).size {
                let fits = self.at_most(slot, most);
                setup.premises.push(fits);
            }
            return Some(Val::Tree(node));
        }
        if is_finite(self.lang, sort) {
            return Some(Val::Fin(self.free_row(sort)));
        }
        match &self.lang.sort(sort).kind {
            SortKind::Env { .. } => {
                let Some(plan) = self.plan.rules.envs.get(&sort) else {
                    self.give_up("an environment with several kinds of entries", meta.span);
                    return None;
                };
                if plan.by_pointer {
                    self.give_up("a check about open terms", meta.span);
                    return None;
                }
                let domain = self.plan.finite.of(self.lang, plan.key);
                let (before, all) = (domain.before, domain.len());
                let mut entries = Vec::new();
                for key in 0..all {
                    let sizes: Vec<usize> =
                        plan.fields.iter().map(|f| self.plan.finite.of(self.lang, *f).len()).collect();
                    let rows: Vec<Row> = plan.fields.iter().map(|f| self.free_row(*f)).collect();
                    let present = match key < before {
                        false => Lit::FALSE,
                        true if total => Lit::TRUE,
                        true => self.graph.var(),
                    };
                    entries.push((present, self.product(&rows, &sizes)));
                }
                Some(Val::Env(self.env(EnvVal::Array { entries: entries.into(), before: None })))
            }
            SortKind::Store { extension, .. } => {
                let value = self.lang.prod(*extension).args[2];
                let store = self.free_store(sort, total)?;
                for (present, stored) in self.stores[store.0 as usize].entries.clone().iter() {
                    if let crate::encoder::Stored::Tree(tree) = stored {
                        let member = self.member(*tree, value);
                        let mut fits = member;
                        if let (Some(slot), Some(most)) = (self.slot_of(*tree), self.plan.entry_extent(value).size) {
                            let small = self.at_most(slot, most);
                            fits = self.graph.and(member, small);
                        }
                        let implied = self.graph.implies(*present, fits);
                        setup.premises.push(implied);
                    }
                }
                Some(Val::Store(store))
            }
            _ => {
                self.give_up("a metavariable of this sort in a check", meta.span);
                None
            }
        }
    }

    fn free_row(&mut self, sort: SortId) -> Row {
        let domain = self.plan.finite.of(self.lang, sort);
        let (before, all) = (domain.before, domain.len());
        let members: Vec<usize> = (0..before).filter(|i| self.plan.finite.allows(sort, *i as u32)).collect();
        let (_, chosen) = self.choose(members.len());
        let mut row = vec![Lit::FALSE; all];
        for (member, lit) in members.iter().zip(chosen.iter()) {
            row[*member] = *lit;
        }
        row.into()
    }

    /// That the tree at a slot has at most this size.
    pub fn at_most(&mut self, slot: SlotId, most: u32) -> Lit {
        let sort = self.shape.get(slot).sorts[0];
        let size = self.size(slot, sort);
        size.get(most as usize).map_or(Lit::TRUE, |l| !*l)
    }

    /// The sizes of all free trees together: `row[i]` is at least i + 1.
    pub fn total_size(&mut self, setup: &Setup, most: u32) -> Vec<Lit> {
        let mut sum = Vec::new();
        for (_, slot) in &setup.trees {
            let sort = self.shape.get(*slot).sorts[0];
            let size = self.size(*slot, sort);
            sum = self.add(&sum, &size, most as usize + 1);
        }
        sum
    }

    /// The state that a form of the check denotes.
    pub fn state_of(&mut self, form: &Form, binds: &Binds) -> Option<State> {
        let tree = |f: &Form| match f {
            Form::Meta(m) => match binds.metas[m.index()] {
                Some(Val::Tree(id)) => Some(id),
                _ => None,
            },
            _ => None,
        };
        match form {
            Form::Meta(_) => Some(State { root: tree(form)?, stores: Vec::new(), prod: None }),
            Form::Node(prod, args) if self.plan.steps.as_ref().is_some_and(|s| s.is_configuration) => {
                let mut state = State {
                    root: tree(args.iter().find(|a| tree(a).is_some())?)?,
                    stores: Vec::new(),
                    prod: Some(*prod),
                };
                for (arg, sort) in args.iter().zip(&self.lang.prod(*prod).args) {
                    if !is_tree(self.lang, *sort) {
                        let Form::Meta(m) = arg else { return None };
                        let Some(Val::Store(store)) = binds.metas[m.index()] else { return None };
                        state.stores.push(store);
                    }
                }
                Some(state)
            }
            _ => None,
        }
    }

    /// Values of the metavariables after a step, if the state after has the form that the check gives it.
    pub fn bind_after(&mut self, form: &Form, after: &State, binds: &Binds) -> Option<Binds> {
        let mut binds = binds.clone();
        match form {
            Form::Meta(m) => binds.metas[m.index()] = Some(Val::Tree(after.root)),
            Form::Node(prod, args) if after.prod == Some(*prod) => {
                let mut stores = after.stores.iter();
                for (arg, sort) in args.iter().zip(&self.lang.prod(*prod).args) {
                    let Form::Meta(m) = arg else {
                        self.give_up("a state after the step that is not made of metavariables", self.plan.check.span);
                        return None;
                    };
                    let value = match is_tree(self.lang, *sort) {
                        true => Val::Tree(after.root),
                        false => Val::Store(*stores.next()?),
                    };
                    binds.metas[m.index()] = Some(value);
                }
            }
            Form::Node(..) => return None,
            _ => {
                self.give_up("a state after the step that is not made of metavariables", self.plan.check.span);
                return None;
            }
        }
        Some(binds)
    }

    /// Values to try for what `exists`.
    pub fn choices(&mut self, binds: &Binds) -> Option<Vec<Binds>> {
        let check = self.plan.check;
        let mut all = vec![binds.clone()];
        for (meta, base) in &check.exists {
            let sort = check.metas[meta.index()].sort;
            let mut next = Vec::new();
            for binds in all {
                if is_finite(self.lang, sort) {
                    let domain = self.plan.finite.of(self.lang, sort);
                    let n = domain.len();
                    for value in (0..n).filter(|v| self.plan.finite.allows(sort, *v as u32)) {
                        let mut binds = binds.clone();
                        binds.metas[meta.index()] = Some(Val::Fin(self.constant(value, n)));
                        next.push(binds);
                    }
                    continue;
                }
                let base = (*base)?;
                let Some(Val::Env(id)) = binds.metas[base.index()] else { return None };
                let plan = self.plan.rules.envs.get(&sort)?;
                let keys = self.plan.finite.of(self.lang, plan.key);
                let (before, count) = (keys.before, keys.len());
                let EnvVal::Array { entries, .. } = self.envs[id.0 as usize].clone() else { return None };
                let mut grown = vec![id];
                if count > before {
                    for value in 0..plan.width {
                        let mut entries = entries.to_vec();
                        entries[before] = (Lit::TRUE, self.constant(value, plan.width));
                        grown.push(self.env(EnvVal::Array { entries: entries.into(), before: Some(id) }));
                    }
                }
                for env in grown {
                    let mut binds = binds.clone();
                    binds.metas[meta.index()] = Some(Val::Env(env));
                    next.push(binds);
                }
            }
            all = next;
        }
        Some(all)
    }

    /// That some conclusion holds, for some choice of what exists.
    pub fn concludes(&mut self, setup: &Setup, binds: &Binds) -> Option<Lit> {
        let check = self.plan.check;
        let mut any = Lit::FALSE;
        for choice in self.choices(binds)? {
            for conclusion in &check.conclusions {
                let mut all = Lit::TRUE;
                let mut binds = choice.clone();
                for located in conclusion {
                    if all == Lit::FALSE {
                        break;
                    }
                    let holds = match &located.premise {
                        premise if speaks_of_error(premise, &binds) => Lit::TRUE,
                        Premise::Steps(_, form) => self.steps_lit(setup, form, &binds, located)?,
                        premise => match self.bind_or_hold(premise, &check.metas, &mut binds) {
                            Some(lit) => lit,
                            None => {
                                self.give_up("a conclusion of the check", located.span);
                                return None;
                            }
                        },
                    };
                    all = self.graph.and(all, holds);
                }
                any = self.graph.or(any, all);
            }
        }
        Some(any)
    }

    fn steps_lit(&mut self, setup: &Setup, form: &Form, binds: &Binds, located: &Located) -> Option<Lit> {
        let state = self.state_of(form, binds);
        let same = match (&state, &setup.state) {
            (Some(a), Some(b)) => a.root == b.root && a.stores == b.stores,
            _ => false,
        };
        if !same {
            self.give_up("that another state steps", located.span);
            return None;
        }
        let mut any = self.any(setup.classes.iter().map(|c| c.guard));
        // What is below the horizon may step, or not.
        for (_, lit) in setup.focus.beyond.clone() {
            let free = self.graph.var();
            let perhaps = self.graph.and(lit, free);
            any = self.graph.or(any, perhaps);
        }
        Some(any)
    }

    /// That a class breaks the check, exactly: with the whole tree after the step.
    pub fn breaks(&mut self, setup: &Setup, class: &Class) -> Option<Lit> {
        let form = setup.steps.first()?.1.clone();
        let mut any = Lit::FALSE;
        for way in &class.ways {
            let bad = self.way_breaks(setup, class, way, &form)?;
            any = self.graph.or(any, bad);
        }
        Some(any)
    }

    fn way_breaks(&mut self, setup: &Setup, class: &Class, way: &Way, form: &Form) -> Option<Lit> {
        let Some(binds) = self.binds_after(setup, class, way, form, &setup.binds)? else { return Some(Lit::FALSE) };
        let fine = self.concludes(setup, &binds)?;
        let real = self.graph.and(way.cond, way.after.within);
        Some(self.graph.and(real, !fine))
    }

    /// Values of the metavariables after a step; None if the state after, or an error, does not have the form that the check gives it.
    fn binds_after(
        &mut self,
        setup: &Setup,
        class: &Class,
        way: &Way,
        form: &Form,
        binds: &Binds,
    ) -> Option<Option<Binds>> {
        if way.after.value == Val::Error {
            let Form::Meta(meta) = form else { return Some(None) };
            let mut binds = binds.clone();
            binds.metas[meta.index()] = Some(Val::Error);
            return Some(Some(binds));
        }
        let state = setup.state.clone()?;
        let after = self.plug(&state, class.slot, &way.after.value)?;
        Some(self.bind_after(form, &after, binds))
    }

    /// That some class steps to a state of the form that a premise of the check gives it.
    pub fn arrives(&mut self, setup: &Setup, form: &Form) -> Option<Lit> {
        if let Form::Meta(_) = form {
            return Some(self.graph.or_all(setup.classes.iter().map(|class| class.guard)));
        }
        let mut any = Lit::FALSE;
        for class in &setup.classes {
            for way in &class.ways {
                if self.binds_after(setup, class, way, form, &setup.binds)?.is_some() {
                    any = self.graph.or(any, way.cond);
                }
            }
        }
        Some(any)
    }

    /// That two classes both step, to states that break the check.
    pub fn pair_breaks(&mut self, setup: &Setup, one: &Class, two: &Class) -> Option<Lit> {
        let (first, second) = (setup.steps.first()?.1.clone(), setup.steps.get(1)?.1.clone());
        let mut any = Lit::FALSE;
        for a in &one.ways {
            for b in &two.ways {
                let mut both = self.graph.and(a.cond, b.cond);
                both = self.graph.and(both, a.after.within);
                both = self.graph.and(both, b.after.within);
                if both == Lit::FALSE {
                    continue;
                }
                let Some(binds) = self.binds_after(setup, one, a, &first, &setup.binds)? else { continue };
                let Some(binds) = self.binds_after(setup, two, b, &second, &binds)? else { continue };
                let fine = self.concludes(setup, &binds)?;
                let bad = self.graph.and(both, !fine);
                any = self.graph.or(any, bad);
            }
        }
        Some(any)
    }
}

/// Whether a premise of a conclusion is about an error: that is true of every final state, except that equality tells an error from
/// others (docs/lang.md, "Declared errors").
fn speaks_of_error(premise: &Premise, binds: &Binds) -> bool {
    let mut metas = Vec::new();
    premise.metas(&mut metas);
    let is_error = |m: &MetaId| binds.metas[m.index()] == Some(Val::Error);
    !matches!(premise, Premise::Equal { .. }) && metas.iter().any(is_error)
}

fn binds_it(premise: &Premise, meta: MetaId) -> bool {
    match premise {
        Premise::Forall { key, fields, body, .. } => *key == meta || fields.contains(&meta) || binds_it(body, meta),
        Premise::Not(inner) => binds_it(inner, meta),
        _ => false,
    }
}
