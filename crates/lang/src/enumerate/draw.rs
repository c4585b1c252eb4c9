//! Drawing: every assignment of the metavariables of an [`Order`] with exactly a given total size.

use super::order::{Draw, Order};
use super::{Enumerator, Scope, subject_of};
use crate::definition::*;
use crate::interp::clause::*;
use crate::interp::{Args, Bindings, Fault, OPEN};
use crate::term::{Term, TermId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// One run of an order.
pub struct Job<'a> {
    pub clause: &'a Clause,
    pub order: &'a Order,
    /// What the sizes must add up to, each times its weight.
    pub total: u32,
    /// The variables that may be free in what is drawn.
    pub scope: Scope,
    /// In a check: how maps are drawn.
    pub maps: Option<&'a CheckMaps>,
}

/// How the maps of a check are drawn.
#[derive(Default)]
pub struct CheckMaps {
    /// With an entry for every name.
    pub total: Vec<MetaId>,
    /// Up to a renaming that leaves the earlier ones as they are.
    pub canonical: Vec<(MetaId, Vec<MetaId>)>,
    /// The maps that satisfy a premise, by what else it mentions.
    pub judged: RefCell<Judged>,
}

impl CheckMaps {
    /// The maps that are drawn before a canonical one, over the same names.
    fn earlier(&self, meta: MetaId) -> Option<&[MetaId]> {
        self.canonical.iter().find(|(m, _)| *m == meta).map(|(_, earlier)| &earlier[..])
    }
}

/// By the premise and what it mentions, the maps that satisfy it.
type Judged = FxHashMap<(usize, Args), Rc<Vec<Bindings>>>;

/// What is done with each assignment; stops at an error.
pub type Visit<'v, 'l> = &'v mut dyn FnMut(&mut Enumerator<'l>, Bindings) -> Result<(), Fault>;

impl<'l> Enumerator<'l> {
    /// Draws the rest of an order, from draw number `at`.
    pub fn draw(&mut self, job: &Job, at: usize, row: Bindings, visit: Visit<'_, 'l>) -> Result<(), Fault> {
        self.count_draw()?;
        let Some(rest) = self.rest(job, &row) else { return Ok(()) };
        if job.maps.is_some() && at > 0 && !self.is_bounded(job, at - 1, &row) {
            return Ok(());
        }
        let Some(draw) = job.order.draws.get(at) else {
            return if rest == 0 { visit(self, row) } else { Ok(()) };
        };
        match draw {
            Draw::Variable(meta, above) => {
                let sort = job.clause.metas[meta.index()].sort;
                let Some(var) = self.interp.code.vars.iter().position(|s| *s == sort) else { return Ok(()) };
                let level = job.scope[var] + above;
                let mut row = row;
                row.set(*meta, self.interp.terms.intern(Term::Free(sort, level)));
                row.fresh[var] = row.fresh[var].max(level + 1);
                self.draw(job, at + 1, row, visit)
            }
            Draw::Premise(premise, mask) => {
                let mut next = Vec::new();
                self.interp.premise(job.clause, &job.clause.premises[*premise], *mask, row, &mut next)?;
                for row in next {
                    self.draw(job, at + 1, row, visit)?;
                }
                Ok(())
            }
            Draw::Subject(premise, above) => self.draw_subject(job, at, *premise, above, rest, row, visit),
            Draw::Member(meta, above) => {
                let sort = job.clause.metas[meta.index()].sort;
                let scope = self.scope_above(job, &row, above);
                for size in self.sizes(job, *meta, rest, &row) {
                    let members = if job.order.weights[meta.index()] == 0 && is_interned(self.interp.lang, sort) {
                        Rc::new(self.interp.universe().members(sort).to_vec())
                    } else {
                        self.raw(sort, size, &scope)?
                    };
                    for member in members.iter() {
                        let mut next = row.clone();
                        if self.interp.bind(job.clause, *meta, *member, &mut next) {
                            self.draw(job, at + 1, next, visit)?;
                        }
                    }
                }
                Ok(())
            }
            Draw::Map(meta, judged) => {
                let rows = match (judged, job.maps) {
                    (Some((premise, mask)), Some(maps)) => self.judged_maps(job, maps, *meta, *premise, *mask, &row)?,
                    _ => Rc::new(self.map_rows(job, *meta, &row)?),
                };
                for found in rows.iter() {
                    let mut next = row.clone();
                    for (i, term) in found.all().enumerate() {
                        if let Some(term) = term {
                            next.set(MetaId(i as u32), term);
                        }
                    }
                    next.fresh.iter_mut().zip(&found.fresh).for_each(|(a, b)| *a = (*a).max(*b));
                    self.draw(job, at + 1, next, visit)?;
                }
                Ok(())
            }
        }
    }

    /// Whether what a draw of a check gave is within the bounds of inputs.
    fn is_bounded(&self, job: &Job, drawn: usize, row: &Bindings) -> bool {
        let fits = |meta: &MetaId| {
            job.order.weights[meta.index()] == 0
                || row.get(*meta).is_none_or(|tree| self.fits(job.clause.metas[meta.index()].sort, tree))
        };
        match &job.order.draws[drawn] {
            Draw::Member(meta, _) => fits(meta),
            Draw::Subject(premise, _) => {
                let mut metas = Vec::new();
                if let Premise::Judgment(judgment, forms) = &job.clause.premises[*premise]
                    && let Some(subject) = subject_of(self.interp.lang, *judgment)
                {
                    forms[subject].metas(&mut metas);
                }
                metas.iter().all(fits)
            }
            _ => true,
        }
    }

    /// What is left of the size; none if too much is used already.
    fn rest(&self, job: &Job, row: &Bindings) -> Option<u32> {
        let mut rest = job.total;
        let mut needed = 0u32;
        for ((term, weight), meta) in row.all().zip(&job.order.weights).zip(&job.clause.metas) {
            if *weight == 0 {
                continue;
            }
            match term {
                Some(term) => rest = rest.checked_sub(weight * self.interp.terms.size(term))?,
                None => needed += weight * self.least[meta.sort.index()].min(1 << 20),
            }
        }
        (rest >= needed).then_some(rest)
    }

    /// The sizes a metavariable may have, within the bound of its own sort if it is one of a check.
    fn sizes(&self, job: &Job, meta: MetaId, rest: u32, row: &Bindings) -> std::ops::RangeInclusive<u32> {
        let sizes = self.sizes_that_fit(job, meta, rest, row);
        match self.check {
            Some(check) if job.maps.is_some() && job.order.weights[meta.index()] > 0 => {
                let most = self.largest(check, job.clause.metas[meta.index()].sort);
                *sizes.start()..=(*sizes.end()).min(most)
            }
            _ => sizes,
        }
    }

    /// Only one, if nothing else is open.
    fn sizes_that_fit(&self, job: &Job, meta: MetaId, rest: u32, row: &Bindings) -> std::ops::RangeInclusive<u32> {
        let weight = job.order.weights[meta.index()];
        if weight == 0 {
            return 0..=0;
        }
        let mut others = None;
        for (i, term) in row.all().enumerate() {
            if term.is_none() && i != meta.index() && job.order.weights[i] > 0 {
                let least = job.order.weights[i] * self.least[job.clause.metas[i].sort.index()].min(1 << 20);
                others = Some(others.unwrap_or(0) + least);
            }
        }
        match others {
            // The smaller of them is in no case smaller than the least of its sort.
            Some(others) => {
                let least = self.least[job.clause.metas[meta.index()].sort.index()];
                least..=rest.saturating_sub(others) / weight
            }
            #[allow(clippy::reversed_empty_ranges)]
            None if !rest.is_multiple_of(weight) => 1..=0,
            None => rest / weight..=rest / weight,
        }
    }

    fn scope_above(&self, job: &Job, row: &Bindings, above: &[u32]) -> Scope {
        if job.maps.is_some() {
            return row.fresh.clone();
        }
        job.scope.iter().zip(above).map(|(a, b)| a + b).collect()
    }

    #[allow(clippy::too_many_arguments)]
    fn draw_subject(
        &mut self,
        job: &Job,
        at: usize,
        premise: usize,
        above: &[u32],
        rest: u32,
        mut row: Bindings,
        visit: Visit<'_, 'l>,
    ) -> Result<(), Fault> {
        let lang = self.interp.lang;
        let Premise::Judgment(judgment, forms) = &job.clause.premises[premise] else { return Ok(()) };
        let Some(subject) = subject_of(lang, *judgment) else { return Ok(()) };
        let declared = lang.judgment(*judgment);
        // Types that are known only select; unless the judgment has to be given them.
        let mut known = Args::from_elem(OPEN, forms.len());
        let mut key = known.clone();
        for (i, form) in forms.iter().enumerate() {
            let mut metas = Vec::new();
            form.metas(&mut metas);
            if i != subject && metas.iter().all(|m| row.get(*m).is_some()) {
                let Some(arg) = self.interp.build(job.clause, form, &mut row)? else { return Ok(()) };
                known[i] = arg;
                if !is_type(lang, declared.args[i]) {
                    key[i] = arg;
                }
            }
        }
        let mask = crate::interp::mask_of(&key) | 1 << subject;
        if !self.interp.code.modes.runs(*judgment, mask) {
            key = known.clone();
        }
        let scope = self.scope_above(job, &row, above);
        let (sizes, is_meta) = match &forms[subject] {
            Form::Meta(meta) => (self.sizes(job, *meta, rest, &row), true),
            form => (self.pattern_sizes(job, form, rest, &row), false),
        };
        let is_first = job.maps.is_some() && job.order.draws[..at].iter().all(|d| !matches!(d, Draw::Subject(..)));
        for size in sizes {
            let family = self.family(*judgment, key.clone(), scope.clone(), size)?;
            for (outputs, subjects) in &family.groups {
                if known.iter().zip(outputs).enumerate().any(|(i, (k, o))| i != subject && *k != OPEN && k != o) {
                    continue;
                }
                let open = (0..forms.len()).filter(|i| *i != subject && known[*i] == OPEN);
                let pairs: Vec<(&Form, TermId)> = open.map(|i| (&forms[i], outputs[i])).collect();
                let mut matched = Vec::new();
                self.interp.matches(job.clause, &pairs, row.clone(), false, &mut matched)?;
                for next in matched {
                    for tree in subjects {
                        if is_first {
                            self.first_subjects.insert(*tree);
                        }
                        if let (true, Form::Meta(meta)) = (is_meta, &forms[subject]) {
                            let mut next = next.clone();
                            if self.interp.bind(job.clause, *meta, *tree, &mut next) {
                                self.draw(job, at + 1, next, visit)?;
                            }
                            continue;
                        }
                        let mut found = Vec::new();
                        self.interp.matches(
                            job.clause,
                            &[(&forms[subject], *tree)],
                            next.clone(),
                            false,
                            &mut found,
                        )?;
                        for next in found {
                            self.draw(job, at + 1, next, visit)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A subject that is a pattern: its own nodes and types come on top of the metavariables that count.
    fn pattern_sizes(&self, job: &Job, form: &Form, rest: u32, row: &Bindings) -> std::ops::RangeInclusive<u32> {
        let (mut fixed, mut most) = (0, rest);
        let mut forms = vec![form];
        while let Some(form) = forms.pop() {
            match form {
                Form::Node(prod, args) => {
                    fixed += self.interp.lang.prod(*prod).weight;
                    forms.extend(args);
                }
                Form::Meta(meta) => match row.get(*meta) {
                    Some(term) => fixed += self.interp.terms.size(term),
                    None => {
                        let members = self.interp.universe().members(job.clause.metas[meta.index()].sort);
                        most += members.iter().map(|t| self.interp.terms.size(*t)).max().unwrap_or(0);
                    }
                },
                _ => {}
            }
        }
        fixed..=fixed + most
    }

    /// The row extended by every map.
    fn map_rows(&mut self, job: &Job, meta: MetaId, row: &Bindings) -> Result<Vec<Bindings>, Fault> {
        let sort = job.clause.metas[meta.index()].sort;
        let total = job.maps.is_some_and(|maps| maps.total.contains(&meta));
        let earlier = job.maps.and_then(|maps| maps.earlier(meta));
        let all = self.all_maps(sort, total, earlier.is_some_and(<[MetaId]>::is_empty))?;
        let earlier: Vec<TermId> = earlier.unwrap_or_default().iter().filter_map(|m| row.get(*m)).collect();
        let mut rows = Vec::new();
        self.draws += all.len() as u64;
        for map in all.iter() {
            if !earlier.is_empty() && !self.is_canonical(*map, &earlier) {
                continue;
            }
            let mut next = row.clone();
            if self.interp.bind(job.clause, meta, *map, &mut next) {
                let levels = self.interp.fresh_levels(&[*map]);
                next.fresh.iter_mut().zip(&levels).for_each(|(a, b)| *a = (*a).max(*b));
                rows.push(next);
            }
        }
        Ok(rows)
    }

    /// The maps that satisfy a premise, found once for what else it mentions.
    fn judged_maps(
        &mut self,
        job: &Job,
        maps: &CheckMaps,
        meta: MetaId,
        premise: usize,
        mask: u32,
        row: &Bindings,
    ) -> Result<Rc<Vec<Bindings>>, Fault> {
        let mut metas = maps.earlier(meta).unwrap_or_default().to_vec();
        job.clause.premises[premise].metas(&mut metas);
        let others: Args = metas.iter().map(|m| row.get(*m).unwrap_or(OPEN)).collect();
        let key = (premise, others);
        if let Some(known) = maps.judged.borrow().get(&key) {
            return Ok(known.clone());
        }
        // Only what the premise mentions, so that the rows serve every other row.
        let mut bare = Bindings::new(job.clause.metas.len(), row.fresh.clone());
        for m in &metas {
            if let Some(term) = row.get(*m) {
                bare.set(*m, term);
            }
        }
        let mut found = Vec::new();
        for row in self.map_rows(job, meta, &bare)? {
            self.count_draw()?;
            self.interp.premise(job.clause, &job.clause.premises[premise], mask, row, &mut found)?;
        }
        let found = Rc::new(found);
        maps.judged.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}
