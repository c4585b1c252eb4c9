//! Derivations by resolution: the rules run backwards, programs known and types unknown.
//!
//! In: premises, one after the other. Out: each way to satisfy them all, as what is then known of the unknowns. Every way is found, since types
//! that unify do so in one most general way; a rule that leads back to its own question is noticed by the depth.

use super::{Inference, Stuck};
use crate::definition::*;
use crate::interp::clause::*;
use crate::interp::{Args, Bindings};
use crate::term::{Term, TermId};
use std::rc::Rc;

/// Premises within premises: more of them than any program of the sizes at hand has nodes.
const DEEPEST: usize = 3_000;

/// What is still to be satisfied.
#[derive(Clone)]
pub(super) enum Goals<'a> {
    Done,
    Premises {
        clause: Rc<Clause>,
        at: usize,
        row: Bindings,
        next: Rc<Goals<'a>>,
    },
    /// The rest of the entries of a `forall`.
    Entries {
        forall: Rc<Forall>,
        at: usize,
        row: Bindings,
        next: Rc<Goals<'a>>,
    },
    /// The premises of the check, with something in between: what has to be drawn.
    Check {
        task: &'a super::check::Task<'a>,
        at: usize,
        row: Bindings,
    },
}

pub(super) struct Forall {
    clause: Rc<Clause>,
    /// Key and fields.
    metas: Vec<MetaId>,
    entries: Vec<Vec<TermId>>,
    body: Premise,
}

/// What is done with each way; true stops the search.
pub(super) type Found<'f, 'e, 'l> = &'f mut dyn FnMut(&mut Inference<'e, 'l>, &Bindings) -> Result<bool, Stuck>;

/// The clause of a rule, its premises in an order in which programs are known when they are asked about: cheap ones first.
pub(super) fn ordered(lang: &Lang, clause: &Clause) -> Clause {
    let mut known = vec![false; clause.metas.len()];
    let judgment = clause.rule.map(|rule| lang.rule(rule).judgment);
    if let Some(judgment) = judgment {
        for (head, sort) in clause.heads.iter().zip(&lang.judgment(judgment).args) {
            if !is_type(lang, *sort) {
                let mut metas = Vec::new();
                head.metas(&mut metas);
                metas.iter().for_each(|m| known[m.index()] = true);
            }
        }
    }
    let mut rest = clause.premises.clone();
    let mut premises = Vec::new();
    while !rest.is_empty() {
        let is_ready = |p: &Premise| open_programs(lang, clause, p, &|m| known[m.index()]).is_empty();
        let is_cheap = |p: &Premise| !matches!(p, Premise::Judgment(..) | Premise::Forall { .. });
        let ready = rest.iter().position(|p| is_ready(p) && is_cheap(p)).or_else(|| rest.iter().position(is_ready));
        let premise = rest.remove(ready.unwrap_or(0));
        let mut metas = Vec::new();
        premise.metas(&mut metas);
        metas.iter().for_each(|m| known[m.index()] = true);
        premises.push(premise);
    }
    Clause { premises, ..clause.clone() }
}

/// The metavariables, types aside, that must be known before a premise is asked about, and are not.
pub(super) fn open_programs(
    lang: &Lang,
    clause: &Clause,
    premise: &Premise,
    known: &dyn Fn(MetaId) -> bool,
) -> Vec<MetaId> {
    let open = |form: &Form| {
        let mut metas = Vec::new();
        form.metas(&mut metas);
        metas.retain(|m| !known(*m) && !is_type(lang, clause.metas[m.index()].sort));
        metas
    };
    match premise {
        Premise::Judgment(judgment, forms) if lang.judgment(*judgment).reduction.is_some() => open(&forms[0]),
        Premise::Equal { left, right, holds: true } => {
            let (left, right) = (open(left), open(right));
            if left.is_empty() || right.is_empty() { Vec::new() } else { [left, right].concat() }
        }
        Premise::Forall { key, fields, env, body, .. } => {
            let mut metas = open(env);
            let own = |m: MetaId| known(m) || m == *key || fields.contains(&m);
            metas.extend(open_programs(lang, clause, body, &own));
            metas
        }
        other => {
            let mut metas = Vec::new();
            other.each_form(&mut |form| metas.extend(open(form)));
            metas
        }
    }
}

impl<'e, 'l> Inference<'e, 'l> {
    /// Every way to reach the goals; true if `found` stopped it.
    pub(super) fn solve(&mut self, goals: &Goals<'_>, found: Found<'_, 'e, 'l>) -> Result<bool, Stuck> {
        self.en.interp.tick().map_err(Stuck::from)?;
        if self.depth >= DEEPEST {
            return Err(Stuck::NotCarried);
        }
        self.depth += 1;
        let told = self.solve_next(goals, found);
        self.depth -= 1;
        told
    }

    fn solve_next(&mut self, goals: &Goals<'_>, found: Found<'_, 'e, 'l>) -> Result<bool, Stuck> {
        match goals {
            Goals::Done => found(self, &Bindings::new(0, Default::default())),
            Goals::Check { task, at, row } => self.solve_check(task, *at, row, found),
            Goals::Entries { forall, at, row, next } => match forall.entries.get(*at) {
                None => self.solve(next, found),
                Some(entry) => {
                    let mut row = row.clone();
                    forall.metas.iter().zip(entry).for_each(|(meta, value)| row.set(*meta, *value));
                    self.premise(&forall.clause, &forall.body, row, found, &|row| Goals::Entries {
                        forall: forall.clone(),
                        at: at + 1,
                        row,
                        next: next.clone(),
                    })
                }
            },
            Goals::Premises { clause, at, row, next } => match clause.premises.get(*at) {
                None if matches!(**next, Goals::Done) => found(self, row),
                None => self.solve(next, found),
                Some(premise) => self.premise(clause, premise, row.clone(), found, &|row| Goals::Premises {
                    clause: clause.clone(),
                    at: at + 1,
                    row,
                    next: next.clone(),
                }),
            },
        }
    }

    /// Every way to satisfy a premise, and then what comes after it.
    pub(super) fn premise<'a>(
        &mut self,
        clause: &Rc<Clause>,
        premise: &Premise,
        mut row: Bindings,
        found: Found<'_, 'e, 'l>,
        after: &dyn Fn(Bindings) -> Goals<'a>,
    ) -> Result<bool, Stuck> {
        let lang = self.en.interp.lang;
        macro_rules! build {
            ($form:expr) => {
                match self.build(clause, $form, &mut row)? {
                    Some(term) => term,
                    None => return Ok(false),
                }
            };
        }
        let holds = match premise {
            Premise::Judgment(judgment, forms) if lang.judgment(*judgment).reduction.is_some() => {
                let before = build!(&forms[0]);
                let before = self.resolve(before);
                if self.en.interp.terms.has_unknown(before) {
                    return Err(Stuck::NotCarried);
                }
                for step in self.en.interp.steps(*judgment, before)? {
                    let mut rows = Vec::new();
                    self.en.interp.matches(clause, &[(&forms[1], step.result)], row.clone(), false, &mut rows)?;
                    for row in rows {
                        if self.branch(&after(row), found)? {
                            return Ok(true);
                        }
                    }
                }
                return Ok(false);
            }
            Premise::Judgment(judgment, forms) => {
                let mut args = Args::new();
                for form in forms {
                    args.push(build!(form));
                }
                return self.judgment(*judgment, &args, &Rc::new(after(row)), found);
            }
            Premise::Entry { prod, key, fields, env } => {
                let (env, key) = (build!(env), build!(key));
                match self.en.interp.terms.entry(env, key) {
                    Some((p, values)) => {
                        p == *prod && {
                            let pairs: Vec<(&Form, TermId)> = fields.iter().zip(values).collect();
                            let mut all = true;
                            for (form, value) in pairs {
                                all = all && self.match_type(clause, form, value, &mut row)?;
                            }
                            all
                        }
                    }
                    // Any entry may be in a map of which nothing is known: whatever the fields are, they may be that.
                    None => self.is_unknown_map(env),
                }
            }
            Premise::InDomain { key, map, holds } => {
                let (map, key) = (build!(map), build!(key));
                self.en.interp.terms.entry(map, key).is_some() == *holds || self.is_unknown_map(map)
            }
            Premise::Equal { left, right, holds } => {
                return self.equal(clause, (left, right, *holds), row, found, after);
            }
            Premise::Is { form, sort, holds } => {
                let term = build!(form);
                let term = self.resolve(term);
                if self.en.interp.terms.has_unknown(term) {
                    return Err(Stuck::NotCarried);
                }
                self.en.interp.terms.is_member(term, *sort) == *holds
            }
            Premise::SameDomain(left, right) => {
                let (left, right) = (build!(left), build!(right));
                self.is_unknown_map(left)
                    || self.is_unknown_map(right)
                    || self.en.interp.terms.domain(left) == self.en.interp.terms.domain(right)
            }
            Premise::Forall { prod, key, fields, env, body } => {
                let env = build!(env);
                if self.is_unknown_map(env) {
                    return self.branch(&after(row), found);
                }
                let entries = self.en.interp.terms.entries(env).into_iter().filter(|(p, ..)| p == prod);
                let forall = Forall {
                    clause: clause.clone(),
                    metas: std::iter::once(*key).chain(fields.iter().copied()).collect(),
                    entries: entries.map(|(_, key, values)| std::iter::once(key).chain(values).collect()).collect(),
                    body: (**body).clone(),
                };
                let next = Rc::new(after(row.clone()));
                return self.solve(&Goals::Entries { forall: Rc::new(forall), at: 0, row, next }, found);
            }
            Premise::Steps(judgment, form) => {
                let state = build!(form);
                let state = self.resolve(state);
                if self.en.interp.terms.has_unknown(state) {
                    return Err(Stuck::NotCarried);
                }
                !self.en.interp.steps(*judgment, state)?.is_empty()
            }
            Premise::Not(inner) => {
                // Whether something is not derivable depends on what is unknown in it.
                let mut metas = Vec::new();
                inner.metas(&mut metas);
                for meta in metas {
                    let known = row.get(meta).map(|term| self.resolve(term));
                    if known.is_none_or(|term| self.en.interp.terms.has_unknown(term)) {
                        return Err(Stuck::NotCarried);
                    }
                }
                let (mark, used) = (self.mark(), self.used.len());
                let is_derivable = self.premise(clause, inner, row.clone(), &mut |_, _| Ok(true), &|_| Goals::Done)?;
                self.take_back(mark);
                self.used.truncate(used);
                !is_derivable
            }
            Premise::Compare(..) | Premise::Fresh(_) => return Err(Stuck::NotCarried),
        };
        if holds { self.solve(&after(row), found) } else { Ok(false) }
    }

    /// Goals, whose findings are taken back.
    fn branch(&mut self, goals: &Goals<'_>, found: Found<'_, 'e, 'l>) -> Result<bool, Stuck> {
        let mark = self.mark();
        let told = self.solve(goals, found)?;
        self.take_back(mark);
        Ok(told)
    }

    fn judgment(
        &mut self,
        judgment: JudgId,
        args: &Args,
        next: &Rc<Goals<'_>>,
        found: Found<'_, 'e, 'l>,
    ) -> Result<bool, Stuck> {
        let lang = self.en.interp.lang;
        if let Some(asked) = &mut self.asked {
            let sorts = &lang.judgment(judgment).args;
            asked.extend(args.iter().zip(sorts).filter(|(_, sort)| is_type(lang, **sort)).map(|(arg, _)| *arg));
        }
        for rule in self.candidates(judgment, args).iter() {
            let clause = self.rules[rule.index()].clone();
            let start = Bindings::new(clause.metas.len(), self.en.interp.fresh_levels(args));
            let mark = self.mark();
            if let Some(row) = self.head(&clause, judgment, args, start)? {
                self.used.push(*rule);
                let goals = Goals::Premises { clause, at: 0, row, next: next.clone() };
                if self.solve(&goals, found)? {
                    return Ok(true);
                }
            }
            self.take_back(mark);
        }
        Ok(false)
    }

    /// The rules whose subject has the production that is asked about.
    fn candidates(&mut self, judgment: JudgId, args: &Args) -> Rc<[RuleId]> {
        let code = &self.en.interp.code;
        let lang = self.en.interp.lang;
        let subject = lang.judgment(judgment).subject;
        let Some((arg, (prod, _))) = subject.and_then(|s| Some((s, self.en.interp.terms.node(args[s])?))) else {
            return code.of_judgment[judgment.index()].iter().copied().collect();
        };
        let may_apply = |rule: &RuleId| !matches!(&lang.rule(*rule).conclusion[arg], Form::Node(p, _) if *p != prod);
        let all = || code.of_judgment[judgment.index()].iter().copied().filter(may_apply).collect();
        self.of_subject.entry((judgment, prod)).or_insert_with(all).clone()
    }

    /// Matches the conclusion of a rule: programs first, then types.
    fn head(
        &mut self,
        clause: &Clause,
        judgment: JudgId,
        args: &Args,
        mut row: Bindings,
    ) -> Result<Option<Bindings>, Stuck> {
        let lang = self.en.interp.lang;
        let sorts = &lang.judgment(judgment).args;
        for (i, form) in clause.heads.iter().enumerate() {
            if is_type(lang, sorts[i]) {
                continue;
            }
            if lang.is_map(sorts[i]) {
                match form {
                    Form::Meta(meta) if row.get(*meta).is_none_or(|map| map == args[i]) => row.set(*meta, args[i]),
                    _ => return Err(Stuck::NotCarried),
                }
                continue;
            }
            match self.en.interp.match_tree(clause, form, args[i], &mut row) {
                Some(true) => {}
                Some(false) => return Ok(None),
                None => return Err(Stuck::NotCarried),
            }
        }
        for (i, form) in clause.heads.iter().enumerate() {
            if is_type(lang, sorts[i]) && !self.match_type(clause, form, args[i], &mut row)? {
                return Ok(None);
            }
        }
        Ok(Some(row))
    }

    fn equal<'a>(
        &mut self,
        clause: &Rc<Clause>,
        (left, right, holds): (&Form, &Form, bool),
        mut row: Bindings,
        found: Found<'_, 'e, 'l>,
        after: &dyn Fn(Bindings) -> Goals<'a>,
    ) -> Result<bool, Stuck> {
        let lang = self.en.interp.lang;
        let is_open = |form: &Form, row: &Bindings| {
            let mut metas = Vec::new();
            form.metas(&mut metas);
            metas.iter().any(|m| row.get(*m).is_none() && !is_type(lang, clause.metas[m.index()].sort))
        };
        if holds && (is_open(left, &row) || is_open(right, &row)) {
            let (known, pattern) = if is_open(left, &row) { (right, left) } else { (left, right) };
            let Some(known) = self.build(clause, known, &mut row)? else { return Ok(false) };
            let known = self.resolve(known);
            if self.en.interp.terms.has_unknown(known) {
                return Err(Stuck::NotCarried);
            }
            let mut rows = Vec::new();
            self.en.interp.matches(clause, &[(pattern, known)], row, false, &mut rows)?;
            for row in rows {
                if self.branch(&after(row), found)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let (Some(left), Some(right)) = (self.build(clause, left, &mut row)?, self.build(clause, right, &mut row)?)
        else {
            return Ok(false);
        };
        if holds {
            return if self.unify(left, right) { self.solve(&after(row), found) } else { Ok(false) };
        }
        // Whether unknown types differ depends on what they are.
        let (left, right) = (self.resolve(left), self.resolve(right));
        if self.en.interp.terms.has_unknown(left) || self.en.interp.terms.has_unknown(right) {
            return Err(Stuck::NotCarried);
        }
        if left != right { self.branch(&after(row), found) } else { Ok(false) }
    }

    /// The tree of a form; types that nothing has been said about are unknown.
    pub(super) fn build(&mut self, clause: &Clause, form: &Form, row: &mut Bindings) -> Result<Option<TermId>, Stuck> {
        if let Form::Meta(meta) = form
            && let Some(term) = row.get(*meta)
        {
            return Ok(Some(term));
        }
        self.name_unknowns(clause, form, row);
        Ok(self.en.interp.build(clause, form, row)?)
    }

    fn name_unknowns(&mut self, clause: &Clause, form: &Form, row: &mut Bindings) {
        if let Form::Meta(meta) = form {
            let sort = clause.metas[meta.index()].sort;
            if row.get(*meta).is_none() && is_type(self.en.interp.lang, sort) {
                let unknown = self.unknown(sort);
                row.set(*meta, unknown);
            }
        }
        form.each_child(&mut |child| self.name_unknowns(clause, child, row));
    }

    fn match_type(&mut self, clause: &Clause, form: &Form, term: TermId, row: &mut Bindings) -> Result<bool, Stuck> {
        match form {
            Form::Meta(meta) => match row.get(*meta) {
                Some(bound) => Ok(self.unify(bound, term)),
                None => {
                    row.set(*meta, term);
                    Ok(true)
                }
            },
            Form::Node(prod, forms) => {
                let term = self.walk(term);
                if let Some((p, args)) = self.en.interp.terms.node(term) {
                    if p != *prod {
                        return Ok(false);
                    }
                    for (i, form) in forms.iter().enumerate().take(args.len()) {
                        let arg = self.part(term, i);
                        if !self.match_type(clause, form, arg, row)? {
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                }
                let Some(built) = self.build(clause, form, row)? else { return Ok(false) };
                Ok(self.unify(built, term))
            }
            _ => {
                let Some(built) = self.build(clause, form, row)? else { return Ok(false) };
                Ok(self.unify(built, term))
            }
        }
    }

    /// Whether there may be more entries than are known.
    fn is_unknown_map(&self, map: TermId) -> bool {
        let terms = &self.en.interp.terms;
        matches!(terms.get(terms.empty_of(map)), Term::Unknown(..))
    }
}
