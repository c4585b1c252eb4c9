//! Families: all subjects of one size that a judgment holds of, for an environment.
//!
//! In: a judgment, its known arguments, the variables in scope, a size. Out: every subject, and its answers. Candidates come from the
//! rules: those whose subject is a production draw its parts; those that speak of the same subject again add nothing but what the rules
//! they rest on give. The interpreter decides about each candidate.

use super::draw::Job;
use super::order::{Draw, Order, Planner};
use super::{Enumerator, Scope, subject_of};
use crate::definition::*;
use crate::interp::clause::*;
use crate::interp::{Args, Bindings, Fault, OPEN, mask_of};
use crate::term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub struct Family {
    pub subjects: Vec<TermId>,
    /// By the other arguments of the judgment (the subject's place is open).
    pub groups: Vec<(Args, Vec<TermId>)>,
}

/// Same-subject rules lead to at most so many other questions.
const MOST_RELATED: usize = 200;

impl<'l> Enumerator<'l> {
    pub fn family(&mut self, judgment: JudgId, args: Args, scope: Scope, size: u32) -> Result<Rc<Family>, Fault> {
        let key = (judgment, args, scope, size);
        if let Some(known) = self.families.get(&key) {
            return Ok(known.clone());
        }
        if !self.families_under_way.insert(key.clone()) {
            // A production of weight 0 around its own sort.
            let sort = subject_of(self.interp.lang, judgment).map(|s| self.interp.lang.judgment(judgment).args[s]);
            return Err(sort.map_or(Fault::NotRunnable(judgment), Fault::NotEnumerable));
        }
        let found = self.find_family(judgment, &key.1, &key.2, size);
        self.families_under_way.remove(&key);
        let found = Rc::new(found?);
        self.families.insert(key, found.clone());
        Ok(found)
    }

    fn find_family(&mut self, judgment: JudgId, args: &Args, scope: &Scope, size: u32) -> Result<Family, Fault> {
        let lang = self.interp.lang;
        let Some(subject) = subject_of(lang, judgment) else { return Err(Fault::NotRunnable(judgment)) };
        if self.interp.leaves_domain(judgment, args) {
            return Ok(Family::default());
        }
        let mut candidates = Vec::new();
        let mut related = vec![(judgment, args.clone())];
        let mut is_raw = false;
        let mut at = 0;
        while at < related.len() && !is_raw {
            let (judgment, args) = related[at].clone();
            at += 1;
            for rule in self.interp.code.clone().of_judgment[judgment.index()].clone() {
                self.candidates(judgment, rule, &args, scope, size, &mut related, &mut is_raw, &mut candidates)?;
            }
            if related.len() > MOST_RELATED {
                is_raw = true;
            }
        }
        if is_raw {
            candidates = self.raw(lang.judgment(judgment).args[subject], size, scope)?.to_vec();
        }
        let mut family = Family::default();
        let mut seen = FxHashSet::default();
        let mut index: FxHashMap<Args, usize> = FxHashMap::default();
        for candidate in candidates {
            // A premise may have found a type or a number in it that no input has.
            if !seen.insert(candidate) || !self.is_input(candidate) || !self.may_fit(candidate) {
                continue;
            }
            let mut asked = args.clone();
            asked[subject] = candidate;
            let answers = self.interp.answers(judgment, &asked)?;
            if answers.is_empty() {
                continue;
            }
            family.subjects.push(candidate);
            for answer in answers.iter() {
                let mut outputs = answer.args.clone();
                outputs[subject] = OPEN;
                let group = *index.entry(outputs.clone()).or_insert_with(|| {
                    family.groups.push((outputs, Vec::new()));
                    family.groups.len() - 1
                });
                family.groups[group].1.push(candidate);
            }
        }
        Ok(family)
    }

    /// What one rule gives: subjects, further questions about the same subject, or the need to take every tree.
    #[allow(clippy::too_many_arguments)]
    fn candidates(
        &mut self,
        judgment: JudgId,
        rule: RuleId,
        args: &Args,
        scope: &Scope,
        size: u32,
        related: &mut Vec<(JudgId, Args)>,
        is_raw: &mut bool,
        out: &mut Vec<TermId>,
    ) -> Result<(), Fault> {
        let code = self.interp.code.clone();
        let lang = self.interp.lang;
        let clause = &code.rules[rule.index()];
        let Some(subject) = subject_of(lang, judgment) else { return Ok(()) };
        if !self.interp.may_apply(clause, args) {
            return Ok(());
        }
        let known: Vec<(&Form, TermId)> =
            (0..args.len()).filter(|i| args[*i] != OPEN).map(|i| (&clause.heads[i], args[i])).collect();
        let mut rows = Vec::new();
        let start = Bindings::new(clause.metas.len(), scope.clone());
        self.interp.matches(clause, &known, start, true, &mut rows)?;
        if rows.is_empty() {
            return Ok(());
        }
        if let Form::Meta(meta) = clause.heads[subject] {
            for row in rows {
                match self.same_subject(clause, meta, row)? {
                    Some(question) if related.contains(&question) => {}
                    Some(question) => related.push(question),
                    None => *is_raw = true,
                }
            }
            return Ok(());
        }
        let form = &clause.heads[subject];
        let fixed = fixed_size(lang, form);
        let Some(total) = size.checked_sub(fixed) else { return Ok(()) };
        let Some(order) = &*self.order(rule, mask_of(args), subject) else {
            *is_raw = true;
            return Ok(());
        };
        // A premise about something that is not smaller would ask for its own family, or for larger ones without end.
        let is_smaller = |draw: &Draw| match draw {
            Draw::Subject(premise, _) => match &clause.premises[*premise] {
                Premise::Judgment(judgment, forms) => {
                    subject_of(lang, *judgment).is_none_or(|at| fixed_size(lang, &forms[at]) < fixed)
                }
                _ => true,
            },
            _ => true,
        };
        if !order.draws.iter().all(is_smaller) {
            *is_raw = true;
            return Ok(());
        }
        for row in rows {
            let job = Job { clause, order, total, scope: scope.clone(), maps: None };
            self.draw(&job, 0, row, &mut |enumerator, mut row| {
                if let Some(tree) = enumerator.interp.build(clause, form, &mut row)? {
                    let levels = enumerator.interp.fresh_levels(&[tree]);
                    if levels.iter().zip(scope).all(|(level, most)| level <= most) {
                        out.push(tree);
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn order(&mut self, rule: RuleId, mask: u32, subject: usize) -> Rc<Option<Order>> {
        if let Some(known) = self.orders.get(&(rule, mask)) {
            return known.clone();
        }
        let code = self.interp.code.clone();
        let clause = &code.rules[rule.index()];
        let planner = Planner { lang: self.interp.lang, clause, modes: &code.modes, vars: &code.vars };
        let order = Rc::new(planner.rule(mask, subject));
        self.orders.insert((rule, mask), order.clone());
        order
    }

    /// The premise of a rule about the subject of its conclusion, as a question.
    fn same_subject(
        &mut self,
        clause: &Clause,
        meta: MetaId,
        mut row: Bindings,
    ) -> Result<Option<(JudgId, Args)>, Fault> {
        let lang = self.interp.lang;
        'premises: for premise in &clause.premises {
            let Premise::Judgment(judgment, forms) = premise else { continue };
            let Some(subject) = subject_of(lang, *judgment) else { continue };
            if forms[subject] != Form::Meta(meta) {
                continue;
            }
            let mut args = Args::from_elem(OPEN, forms.len());
            for (i, form) in forms.iter().enumerate() {
                if i == subject {
                    continue;
                }
                let mut metas = Vec::new();
                form.metas(&mut metas);
                let is_known = metas.iter().all(|m| row.get(*m).is_some());
                if is_type(lang, lang.judgment(*judgment).args[i]) {
                    continue;
                }
                if !is_known {
                    continue 'premises;
                }
                let Some(arg) = self.interp.build(clause, form, &mut row)? else { continue 'premises };
                args[i] = arg;
            }
            if self.interp.code.modes.runs(*judgment, mask_of(&args) | 1 << subject) {
                return Ok(Some((*judgment, args)));
            }
        }
        Ok(None)
    }
}

/// The weights of a form's own nodes.
fn fixed_size(lang: &Lang, form: &Form) -> u32 {
    let mut size = match form {
        Form::Node(prod, _) if !lang.is_map(lang.prod(*prod).sort) => lang.prod(*prod).weight,
        _ => 0,
    };
    form.each_child(&mut |child| size += fixed_size(lang, child));
    size
}
