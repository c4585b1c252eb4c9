//! Nearest misses: the rule that came closest to applying, and what it lacked (docs/lang.md, "Reports").
//!
//! In: a term that does not step, or a judgment that does not hold. Out: of all rules the one that got furthest, and its first pattern or
//! premise that failed, with what was found instead. For a judgment, the deepest one that fails for a reason of its own.

use super::clause::*;
use super::plan::{Plan, Step};
use super::{Args, Bindings, Fault, Interp, OPEN, mask_of};
use crate::definition::*;
use crate::term::{Term, TermId};

#[derive(Clone, PartialEq, Debug)]
pub struct Miss {
    pub judgment: JudgId,
    /// What was asked for; what is not known is open.
    pub args: Args,
    /// The rule that came closest; none if the judgment holds of something else.
    pub rule: Option<RuleId>,
    /// For a step: the way from the whole term to the place of the redex.
    pub path: Vec<usize>,
    pub reason: Reason,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// This part of the rule's left side or conclusion did not match.
    Shape { expected: Form, found: TermId },
    /// This premise of the rule failed, with its metavariables bound so far. If it is a judgment that holds of other types: these.
    Premise { premise: usize, bindings: Vec<Option<TermId>>, found: Vec<Args> },
    /// All premises hold, but what the rule gives does not exist (a store without the location, a type outside the domain).
    Undefined { bindings: Vec<Option<TermId>> },
    /// The judgment holds, of other types: each with the rule that gives it.
    Other(Vec<(RuleId, Args)>),
}

/// How far a rule got: plan steps passed, and nodes matched in the one that failed.
type Score = (usize, usize);

/// Judgments within judgments that are looked into.
const DEEPEST: usize = 40;

impl Interp<'_> {
    /// Why a term does not step: the rule that nearly applied, at any place where one may apply.
    pub fn nearest_step(&mut self, reduction: JudgId, term: TermId) -> Result<Option<Miss>, Fault> {
        let mut best: Option<((bool, usize, Score), Miss)> = None;
        let mut places = self.redexes(reduction, term)?;
        // Where a value is, nothing was to happen; of the other places the deepest is the one that holds up the rest.
        if places.iter().any(|(_, content, _)| !self.is_value(*content)) {
            places.retain(|(_, content, _)| !self.is_value(*content));
        }
        for (path, _, redex) in places {
            let args = Args::from_slice(&[redex, OPEN]);
            for rule in self.code.clone().of_judgment[reduction.index()].clone() {
                let Some((score, reason)) = self.attempt(reduction, rule, &args)? else { continue };
                // A rule that is about something else altogether tells nothing.
                let rank = (score > (0, 0), path.len(), score);
                if best.as_ref().is_none_or(|(r, _)| rank > *r) {
                    let miss =
                        Miss { judgment: reduction, args: args.clone(), rule: Some(rule), path: path.clone(), reason };
                    best = Some((rank, miss));
                }
            }
        }
        Ok(best.map(|(_, miss)| miss))
    }

    /// A member of some sub-grammar.
    fn is_value(&mut self, term: TermId) -> bool {
        let lang = self.lang;
        lang.sort_ids().any(|s| matches!(lang.sort(s).kind, SortKind::Sub { .. }) && self.terms.is_member(term, s))
    }

    /// Why a judgment does not hold.
    pub fn nearest_judgment(&mut self, judgment: JudgId, args: &[TermId]) -> Result<Option<Miss>, Fault> {
        self.nearest_within(judgment, Args::from_slice(args), DEEPEST)
    }

    fn nearest_within(&mut self, judgment: JudgId, args: Args, depth: usize) -> Result<Option<Miss>, Fault> {
        let code = self.code.clone();
        let asked = self.without_types(judgment, &args);
        if asked.is_some_and(|mask| !code.modes.runs(judgment, mask)) && !code.modes.runs(judgment, mask_of(&args)) {
            return Ok(None);
        }
        let mut open = args.clone();
        if let Some(mask) = asked {
            (0..open.len()).filter(|i| mask >> i & 1 == 0).for_each(|i| open[i] = OPEN);
        }
        let mut given = Vec::new();
        for answer in self.answers(judgment, &open)?.iter() {
            if let Some(derivation) = self.derivation(judgment, &answer.args)? {
                given.push((derivation.rule, answer.args.clone()));
            }
        }
        if !given.is_empty() {
            return Ok(Some(Miss { judgment, args, rule: None, path: Vec::new(), reason: Reason::Other(given) }));
        }
        let mut best: Option<(Score, RuleId, Reason)> = None;
        for rule in &code.of_judgment[judgment.index()] {
            if let Some((score, reason)) = self.attempt(judgment, *rule, &open)?
                && best.as_ref().is_none_or(|(s, ..)| score > *s)
            {
                best = Some((score, *rule, reason));
            }
        }
        let Some((_, rule, mut reason)) = best else { return Ok(None) };
        // A premise that fails for a reason of its own is the nearer miss.
        if let Reason::Premise { premise, bindings, found } = &mut reason
            && let Some((inner, inner_args)) = self.premise_question(rule, *premise, bindings)?
        {
            *found = self.answers(inner, &inner_args)?.iter().map(|answer| answer.args.clone()).collect();
            if found.is_empty()
                && depth > 0
                && (inner, &inner_args) != (judgment, &open)
                && let Some(miss) = self.nearest_within(inner, inner_args, depth - 1)?
            {
                return Ok(Some(miss));
            }
        }
        Ok(Some(Miss { judgment, args, rule: Some(rule), path: Vec::new(), reason }))
    }

    /// The mask of the arguments that are no types, if the judgment can be asked that way.
    fn without_types(&self, judgment: JudgId, args: &Args) -> Option<u32> {
        let sorts = &self.lang.judgment(judgment).args;
        let types = (0..args.len()).filter(|i| is_type(self.lang, sorts[*i])).fold(0u32, |m, i| m | 1 << i);
        let mask = mask_of(args) & !types;
        self.code.modes.runs(judgment, mask).then_some(mask)
    }

    /// A premise that is a judgment, as a question in which types are open.
    fn premise_question(
        &mut self,
        rule: RuleId,
        premise: usize,
        bindings: &[Option<TermId>],
    ) -> Result<Option<(JudgId, Args)>, Fault> {
        let code = self.code.clone();
        let clause = &code.rules[rule.index()];
        let Premise::Judgment(judgment, forms) = &clause.premises[premise] else { return Ok(None) };
        let known: Vec<TermId> = bindings.iter().flatten().copied().collect();
        let mut row = Bindings::new(clause.metas.len(), self.fresh_levels(&known));
        for (i, term) in bindings.iter().enumerate() {
            if let Some(term) = term {
                row.set(MetaId(i as u32), *term);
            }
        }
        let mut args = Args::new();
        for form in forms {
            let mut metas = Vec::new();
            form.metas(&mut metas);
            let is_known = metas.iter().all(|m| row.get(*m).is_some());
            args.push(if is_known { self.build(clause, form, &mut row)?.unwrap_or(OPEN) } else { OPEN });
        }
        let Some(mask) = self.without_types(*judgment, &args) else { return Ok(None) };
        (0..args.len()).filter(|i| mask >> i & 1 == 0).for_each(|i| args[i] = OPEN);
        Ok(Some((*judgment, args)))
    }

    /// Runs one rule as far as it goes; none if it applies after all.
    fn attempt(&mut self, judgment: JudgId, rule: RuleId, args: &Args) -> Result<Option<(Score, Reason)>, Fault> {
        let code = self.code.clone();
        let clause = &code.rules[rule.index()];
        let mode = code.modes.get(judgment, mask_of(args)).filter(|mode| mode.runs);
        let Some((_, plan)) = mode.and_then(|mode| mode.plans.iter().find(|(r, _)| *r == rule)) else {
            return Ok(None);
        };
        let metas = self.lang.rule(rule).metas.len();
        let start = Bindings::new(clause.metas.len(), self.fresh_levels(args));
        let levels = start.fresh.clone();
        let mut rows = vec![start];
        for (passed, step) in plan.steps.iter().enumerate() {
            let one = Plan { steps: vec![step.clone()] };
            let mut next = Vec::new();
            for row in &rows {
                next.extend(self.run(clause, &one, args, row.clone())?);
            }
            if next.is_empty() {
                let Some(mut row) = rows.into_iter().next() else { return Ok(None) };
                let bindings = row.all().take(metas).collect();
                let (nodes, reason) = match step {
                    Step::Match(head) => {
                        let form = &clause.heads[*head];
                        let mut nodes = 0;
                        let miss = self.mismatch(clause, form, args[*head], &mut row, &mut nodes);
                        let (expected, found) = miss.unwrap_or((form.clone(), args[*head]));
                        (nodes, Reason::Shape { expected: as_written(clause, metas, &expected), found })
                    }
                    Step::Confirm(head) => {
                        let expected = as_written(clause, metas, &clause.heads[*head]);
                        (0, Reason::Shape { expected, found: args[*head] })
                    }
                    Step::Premise(premise, _) => {
                        (0, Reason::Premise { premise: *premise, bindings, found: Vec::new() })
                    }
                    Step::Guess(_) => (0, Reason::Undefined { bindings }),
                };
                return Ok(Some(((passed, nodes), reason)));
            }
            rows = next;
        }
        for mut row in rows.clone() {
            if self.conclude(clause, args, &mut row, &levels)?.is_some() {
                return Ok(None);
            }
        }
        let bindings = rows.into_iter().next().map(|row| row.all().take(metas).collect()).unwrap_or_default();
        Ok(Some(((plan.steps.len(), 0), Reason::Undefined { bindings })))
    }

    /// The first part of a form, from left to right, that the tree does not match; counts the nodes before it.
    fn mismatch(
        &mut self,
        clause: &Clause,
        form: &Form,
        term: TermId,
        row: &mut Bindings,
        nodes: &mut usize,
    ) -> Option<(Form, TermId)> {
        if let Form::Node(prod, forms) = form
            && let Term::Node(p, args) = self.terms.get(term).clone()
            && p == *prod
            && self.lang.prod(p).binders.is_empty()
            && !self.lang.is_map(self.lang.prod(p).sort)
        {
            *nodes += 1;
            return forms.iter().zip(args).find_map(|(form, arg)| self.mismatch(clause, form, arg, row, nodes));
        }
        let mut found = Vec::new();
        let matched = self.matches(clause, &[(form, term)], row.clone(), true, &mut found);
        match (matched, found.pop()) {
            (Ok(()), Some(next)) => {
                *row = next;
                *nodes += 1;
                None
            }
            _ => Some((form.clone(), term)),
        }
    }
}

/// A form of a clause as the rule has it: metavariables that stand for blanks are blanks.
fn as_written(clause: &Clause, metas: usize, form: &Form) -> Form {
    match form {
        Form::Meta(meta) if meta.index() >= metas => Form::Any(clause.metas[meta.index()].sort),
        Form::Node(prod, args) => Form::Node(*prod, args.iter().map(|arg| as_written(clause, metas, arg)).collect()),
        _ => form.clone(),
    }
}
