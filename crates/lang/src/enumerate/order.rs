//! The order in which the metavariables of a rule or a check are drawn.
//!
//! In: a clause, what is known at the start, what must be known in the end. Out: a list of [`Draw`]s. Subjects of premises are drawn from
//! the well-typed programs of their environment, types of annotations by size, and only what no premise speaks of from the bare
//! grammar. Premises that are cheap to decide come as early as they can.
//!
//! Of a check, only *inputs* are drawn: what a premise yields once others are known (the state after a step, the result of a judgment
//! about a program, the metavariable that an equation fixes) is not, as long as there is anything else to draw.

use super::subject_of;
use crate::definition::*;
use crate::interp::clause::*;
use crate::interp::plan::{GUESSING, Modes, next_ready};

#[derive(Clone, Debug)]
pub enum Draw {
    /// The variable of a binder of the subject: so many levels above the scope.
    Variable(MetaId, u32),
    /// A premise whose subject is known, or a side condition.
    Premise(usize, u32),
    /// The subject of a premise, with this many variables above the scope.
    Subject(usize, Vec<u32>),
    /// Any member of its sort, with this many variables above the scope.
    Member(MetaId, Vec<u32>),
    /// An environment or a store; if a premise judges it, those that satisfy it.
    Map(MetaId, Option<(usize, u32)>),
}

#[derive(Clone, Debug)]
pub struct Order {
    pub draws: Vec<Draw>,
    /// Per metavariable, how often its size counts.
    pub weights: Vec<u32>,
}

pub struct Planner<'a> {
    pub lang: &'a Lang,
    pub clause: &'a Clause,
    pub modes: &'a Modes,
    /// All `var` sorts.
    pub vars: &'a [SortId],
}

/// What a check or a rule still has to find.
struct State {
    known: Known,
    rest: Vec<usize>,
    draws: Vec<Draw>,
    /// Per metavariable: variables of binders above it in the subject, per `var` sort.
    above: Vec<Vec<u32>>,
    /// Per metavariable: some premise yields it, so that it is no input.
    yielded: Vec<bool>,
}

impl Planner<'_> {
    /// For a rule whose heads in `mask` are known: the metavariables of the subject.
    pub fn rule(&self, mask: u32, subject: usize) -> Option<Order> {
        let mut state = self.start();
        for (i, head) in self.clause.heads.iter().enumerate() {
            if mask >> i & 1 == 1 {
                let mut binds = Vec::new();
                pattern(head, &mut binds, &mut Vec::new());
                binds.iter().for_each(|m| state.known[m.index()] = true);
            }
        }
        let form = &self.clause.heads[subject];
        let mut weights = vec![0; self.clause.metas.len()];
        self.place(form, &vec![0; self.vars.len()], &mut state, &mut weights);
        let mut wanted = Vec::new();
        form.metas(&mut wanted);
        self.draw_all(&mut state, &wanted, false)?;
        Some(Order { draws: state.draws, weights })
    }

    /// For a check: all its metavariables that are not `exists`, and every premise.
    pub fn check(&self) -> Result<Order, MetaId> {
        let mut state = self.start();
        state.yielded = self.yielded();
        let mut wanted = Vec::new();
        self.clause.premises.iter().for_each(|p| p.metas(&mut wanted));
        wanted.retain(|m| !self.is_local(*m));
        if self.draw_all(&mut state, &wanted, true).is_none() {
            return Err(wanted.into_iter().find(|m| !state.known[m.index()]).unwrap_or(MetaId(0)));
        }
        let mut weights = vec![0; self.clause.metas.len()];
        for draw in &state.draws {
            let drawn = match draw {
                Draw::Subject(p, _) => self.subject_form(*p).map(|form| {
                    let mut metas = Vec::new();
                    form.metas(&mut metas);
                    metas
                }),
                Draw::Member(m, _) => Some(vec![*m]),
                _ => None,
            };
            for meta in drawn.into_iter().flatten() {
                let sort = self.clause.metas[meta.index()].sort;
                if !is_interned(self.lang, sort) && !self.lang.is_map(sort) {
                    weights[meta.index()] = 1;
                }
            }
        }
        Ok(Order { draws: state.draws, weights })
    }

    fn is_program(&self, sort: SortId) -> bool {
        !is_interned(self.lang, sort) && !self.lang.is_map(sort)
    }

    /// Whether an equation says that a metavariable is another one.
    fn is_equated(&self, meta: MetaId) -> bool {
        let alone = Form::Meta(meta);
        self.clause.premises.iter().any(|premise| {
            matches!(premise, Premise::Equal { left: left @ Form::Meta(_), right: right @ Form::Meta(_), holds: true }
                if *left == alone || *right == alone)
        })
    }

    fn start(&self) -> State {
        State {
            known: vec![false; self.clause.metas.len()],
            rest: (0..self.clause.premises.len()).collect(),
            draws: Vec::new(),
            above: vec![vec![0; self.vars.len()]; self.clause.metas.len()],
            yielded: vec![false; self.clause.metas.len()],
        }
    }

    /// Per metavariable, whether a premise of the check determines it as soon as the others in it are known.
    fn yielded(&self) -> Vec<bool> {
        let mut yielded = vec![false; self.clause.metas.len()];
        let metas = |form: &Form| {
            let mut metas = Vec::new();
            form.metas(&mut metas);
            metas
        };
        let mut yields = |to: Vec<MetaId>, from: Vec<MetaId>| {
            to.into_iter().filter(|m| !from.contains(m)).for_each(|m| yielded[m.index()] = true);
        };
        for premise in &self.clause.premises {
            match premise {
                Premise::Judgment(judgment, forms) if self.lang.judgment(*judgment).reduction.is_some() => {
                    yields(metas(&forms[1]), metas(&forms[0]));
                }
                Premise::Judgment(judgment, forms) => {
                    // Programs and types beside the subject, if the judgment finds them.
                    let Some(subject) = subject_of(self.lang, *judgment) else { continue };
                    let sorts = &self.lang.judgment(*judgment).args;
                    let is_program = |i: &usize| self.is_program(sorts[*i]);
                    let is_found = |i: &usize| is_program(i) || is_type(self.lang, sorts[*i]);
                    let others = || (0..forms.len()).filter(|i| *i != subject);
                    let all: [Vec<usize>; 2] =
                        [others().filter(is_found).collect(), others().filter(is_program).collect()];
                    let runs = |found: &&Vec<usize>| {
                        let given = (0..forms.len()).filter(|i| !found.contains(i));
                        self.modes.runs(*judgment, given.fold(0, |mask, i| mask | 1 << i))
                    };
                    let found = all.iter().find(runs).into_iter().flatten();
                    found.for_each(|i| yields(metas(&forms[*i]), metas(&forms[subject])));
                }
                // A metavariable alone is what the other side says; else a pattern is matched against what is computed.
                Premise::Equal { left, right, holds: true } => match (left, right) {
                    (Form::Meta(_), Form::Meta(_)) => {
                        yields(metas(left), Vec::new());
                        yields(metas(right), Vec::new());
                    }
                    (Form::Meta(_), other) => yields(metas(left), metas(other)),
                    (other, Form::Meta(_)) => yields(metas(right), metas(other)),
                    (left, right) if is_pattern(left) != is_pattern(right) => {
                        let (pattern, computed) = if is_pattern(left) { (left, right) } else { (right, left) };
                        yields(metas(pattern), metas(computed));
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        yielded
    }

    /// Bound by a `forall` of a premise.
    fn is_local(&self, meta: MetaId) -> bool {
        self.clause.premises.iter().any(|premise| match premise {
            Premise::Forall { key, fields, .. } => *key == meta || fields.contains(&meta),
            _ => false,
        })
    }

    /// Walks the subject: opens its binders, counts its metavariables, notes the variables above each.
    fn place(&self, form: &Form, above: &[u32], state: &mut State, weights: &mut [u32]) {
        match form {
            Form::Meta(meta) => {
                let sort = self.clause.metas[meta.index()].sort;
                if matches!(self.lang.sort(sort).kind, SortKind::Grammar { .. } | SortKind::Sub { .. }) {
                    weights[meta.index()] += 1;
                }
                state.above[meta.index()] = above.to_vec();
            }
            Form::Node(prod, forms) => {
                let production = self.lang.prod(*prod);
                // Binders that share a scope get levels one above the other; those that do not may share a level.
                let mut offsets: Vec<Option<(usize, u32)>> = Vec::new();
                for (b, binder) in production.binders.iter().enumerate() {
                    let sort = production.args[binder.var];
                    let Some(at) = self.vars.iter().position(|s| *s == sort) else {
                        offsets.push(None);
                        continue;
                    };
                    let shares = |other: &Binder| other.scope.iter().any(|i| binder.scope.contains(i));
                    let earlier = production.binders[..b].iter().zip(&offsets);
                    let next = earlier
                        .filter_map(|(other, offset)| offset.filter(|o| shares(other) && o.0 == at))
                        .map(|(_, level)| level + 1)
                        .max();
                    let level = next.unwrap_or(above[at]);
                    offsets.push(Some((at, level)));
                    if let Form::Meta(meta) = forms[binder.var]
                        && !state.known[meta.index()]
                    {
                        state.known[meta.index()] = true;
                        state.draws.push(Draw::Variable(meta, level));
                    }
                }
                for (i, form) in forms.iter().enumerate() {
                    if production.is_binder(i) {
                        continue;
                    }
                    let mut inner = above.to_vec();
                    for (binder, offset) in production.binders.iter().zip(&offsets) {
                        if let Some((at, level)) = offset
                            && binder.scope.contains(&i)
                        {
                            inner[*at] = inner[*at].max(level + 1);
                        }
                    }
                    self.place(form, &inner, state, weights);
                }
            }
            _ => {}
        }
    }

    /// Draws until everything wanted is known; with `all`, until every premise is satisfied as well.
    fn draw_all(&self, state: &mut State, wanted: &[MetaId], all: bool) -> Option<()> {
        loop {
            let open = wanted.iter().find(|m| !state.known[m.index()]);
            if open.is_none() && (!all || state.rest.is_empty()) {
                return Some(());
            }
            // Maps come before programs: one then stands for all that differ only in names.
            if self.ready(state, 3)
                || (all && self.map(state))
                || self.subject(state)
                || self.ready(state, GUESSING)
                || self.annotation(state, wanted)
                || self.for_subject(state)
                || (all && self.ready(state, u32::MAX))
            {
                continue;
            }
            let meta = *open?;
            match wanted.iter().find(|m| !state.known[m.index()] && !state.yielded[m.index()]) {
                Some(input) => self.member(state, *input)?,
                // Each is yielded by another: one has to be drawn after all, best one that is only said to be another.
                None => {
                    let is_open = |m: &&MetaId| !state.known[m.index()];
                    let equated = wanted.iter().filter(is_open).find(|m| self.is_equated(**m));
                    state.yielded[equated.copied().unwrap_or(meta).index()] = false;
                }
            }
        }
    }

    fn know(&self, state: &mut State, metas: &[MetaId]) {
        metas.iter().for_each(|m| state.known[m.index()] = true);
    }

    fn ready(&self, state: &mut State, most: u32) -> bool {
        let Some((premise, mask, binds)) =
            next_ready(self.lang, self.clause, self.modes, &state.known, &state.rest, most)
        else {
            return false;
        };
        state.rest.retain(|p| *p != premise);
        state.draws.push(Draw::Premise(premise, mask));
        self.know(state, &binds);
        true
    }

    pub fn subject_form(&self, premise: usize) -> Option<&Form> {
        match &self.clause.premises[premise] {
            Premise::Judgment(judgment, forms) => forms.get(subject_of(self.lang, *judgment)?),
            _ => None,
        }
    }

    /// What a premise misses before its subject can be drawn; none if its subject cannot be.
    fn subject_needs(&self, premise: usize, known: &Known) -> Option<Vec<MetaId>> {
        let Premise::Judgment(judgment, forms) = &self.clause.premises[premise] else { return None };
        let at = subject_of(self.lang, *judgment)?;
        if is_known(self.lang, &forms[at], known) || !is_pattern(&forms[at]) {
            return None;
        }
        let declared = self.lang.judgment(*judgment);
        let (mut binds, mut needs, mut given) = (Vec::new(), Vec::new(), Vec::new());
        // Maps and programs that the judgment yields, as an environment that is left over, are not chosen: there is no bound for them.
        let mut mask = 1u32 << at;
        for i in (0..forms.len()).filter(|i| is_known(self.lang, &forms[*i], known)) {
            mask |= 1 << i;
        }
        let yields = self.modes.runs(*judgment, mask);
        for (i, form) in forms.iter().enumerate() {
            let is_output = self.lang.is_map(declared.args[i]) || self.is_program(declared.args[i]);
            let is_yielded = yields && mask >> i & 1 == 0 && is_output;
            if i == at || is_type(self.lang, declared.args[i]) || is_yielded {
                pattern(form, &mut binds, &mut needs);
            } else {
                form.metas(&mut given);
            }
        }
        needs.retain(|m| !binds.contains(m));
        needs.extend(given);
        needs.retain(|m| !known[m.index()]);
        Some(needs)
    }

    fn subject(&self, state: &mut State) -> bool {
        let is_input = |p: usize| {
            let mut metas = Vec::new();
            self.subject_form(p).into_iter().for_each(|form| form.metas(&mut metas));
            metas.iter().all(|m| state.known[m.index()] || !state.yielded[m.index()])
        };
        let is_drawn =
            |p: &usize| is_input(*p) && self.subject_needs(*p, &state.known).is_some_and(|needs| needs.is_empty());
        let Some(premise) = state.rest.iter().copied().find(is_drawn) else { return false };
        state.rest.retain(|p| *p != premise);
        let mut metas = Vec::new();
        let form = self.subject_form(premise);
        form.into_iter().for_each(|form| form.metas(&mut metas));
        let above = metas.iter().find(|m| !state.known[m.index()]).map(|m| state.above[m.index()].clone());
        self.clause.premises[premise].metas(&mut metas);
        state.draws.push(Draw::Subject(premise, above.unwrap_or_else(|| vec![0; self.vars.len()])));
        self.know(state, &metas);
        true
    }

    /// A type written in the subject.
    fn annotation(&self, state: &mut State, wanted: &[MetaId]) -> bool {
        let found = wanted.iter().find(|m| {
            !state.known[m.index()]
                && !state.yielded[m.index()]
                && is_type(self.lang, self.clause.metas[m.index()].sort)
                && self.is_in_subject(**m)
        });
        match found {
            Some(meta) => self.member(state, *meta).is_some(),
            None => false,
        }
    }

    fn is_in_subject(&self, meta: MetaId) -> bool {
        self.clause.heads.iter().any(|head| {
            let mut metas = Vec::new();
            head.metas(&mut metas);
            metas.contains(&meta)
        })
    }

    /// A type, or a map, that the first premise with an open subject waits for.
    fn for_subject(&self, state: &mut State) -> bool {
        let needs = state.rest.iter().filter_map(|p| self.subject_needs(*p, &state.known)).flatten();
        let found = needs.filter(|m| !state.yielded[m.index()]).find(|m| {
            let sort = self.clause.metas[m.index()].sort;
            is_interned(self.lang, sort) || self.lang.is_map(sort)
        });
        match found {
            Some(meta) => self.member(state, meta).is_some(),
            None => false,
        }
    }

    /// A map that a premise judges, everything else in it being known.
    fn map(&self, state: &mut State) -> bool {
        for premise in state.rest.clone() {
            let mut metas = Vec::new();
            self.clause.premises[premise].metas(&mut metas);
            metas.sort();
            metas.dedup();
            metas.retain(|m| !state.known[m.index()] && !self.is_local(*m));
            let [meta] = metas[..] else { continue };
            if state.yielded[meta.index()] || !self.lang.is_map(self.clause.metas[meta.index()].sort) {
                continue;
            }
            state.known[meta.index()] = true;
            let ready = next_ready(self.lang, self.clause, self.modes, &state.known, &[premise], GUESSING);
            if let Some((_, mask, binds)) = ready {
                state.rest.retain(|p| *p != premise);
                state.draws.push(Draw::Map(meta, Some((premise, mask))));
                self.know(state, &binds);
                return true;
            }
            state.known[meta.index()] = false;
        }
        false
    }

    fn member(&self, state: &mut State, meta: MetaId) -> Option<()> {
        state.known[meta.index()] = true;
        let sort = self.clause.metas[meta.index()].sort;
        state.draws.push(match self.lang.sort(sort).kind {
            SortKind::Context { .. } => return None,
            SortKind::Env { .. } | SortKind::Store { .. } => Draw::Map(meta, None),
            _ => Draw::Member(meta, state.above[meta.index()].clone()),
        });
        Some(())
    }
}
