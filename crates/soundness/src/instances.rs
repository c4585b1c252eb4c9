//! The ground instances of a rule of a tree judgment: the second half of preparing it (`rules`).
//!
//! In: the outline of the rule. Out: its plan: which tests its instances make, and per instance the wanted literal of each test and the tuple
//! that it derives. Instances that make the same tests and derive the same are one.

use crate::NotCarried;
use crate::finite::Finite;
use crate::ground::{Assignment, Goal, Join, Table};
use crate::outline::{ContextShape, Outline, Shape, ShapeExtension};
use crate::rules::{Context, Extension, Instance, JudgmentPlan, RulePlan, Test, tuple};
use crate::tables::is_finite;
use lang::term::Terms;
use lang::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// What instances of one rule are made from.
pub struct Instances<'a, 'l> {
    pub terms: &'a mut Terms<'l>,
    pub finite: &'a Finite,
    pub tables: &'a FxHashMap<JudgId, Table>,
    pub rule: &'a Rule,
}

impl<'l> Instances<'_, 'l> {
    pub fn prepare(&mut self, id: RuleId, judgment: &JudgmentPlan, outline: Outline) -> Result<RulePlan, NotCarried> {
        let (lang, rule) = (self.terms.lang, self.rule);
        let Outline { goals, shapes, fixed, .. } = outline;
        let outs: Vec<(&Form, SortId)> = judgment.outs.iter().map(|(i, sort)| (&rule.conclusion[*i], *sort)).collect();
        let out_goals: Vec<Goal> = outs.iter().map(|(form, sort)| Goal::Member(form, *sort)).collect();
        // What occurs only in the conclusion runs over its sort.
        let all_goals: Vec<Goal> = goals.iter().chain(&out_goals).copied().collect();
        let assignments = self.solutions(&all_goals)?;
        let mut plan = RulePlan { rule: id, tests: Vec::new(), instances: Vec::new(), fixed, clipped: 0 };
        let mut numbers: FxHashMap<Test, u16> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for assignment in &assignments {
            let mut values = Values { join: self.join(usize::MAX), assignment };
            let mut instance = Instance { out: values.pairs(&outs), tests: SmallVec::new() };
            for shape in &shapes {
                let (test, index) = values.test(shape);
                let next = numbers.len() as u16;
                let number = *numbers.entry(test.clone()).or_insert_with(|| {
                    plan.tests.push(test);
                    next
                });
                instance.tests.push((number, index));
            }
            if seen.insert((instance.out, instance.tests.clone())) {
                plan.instances.push(instance);
            }
        }
        let is_constant = rule.premises.is_empty() && rule.metas.iter().all(|m| !is_finite(lang, m.sort));
        if is_constant && plan.instances.is_empty() {
            let reason = "its constant does not fit into the bounds of its sort; raise them";
            return Err(NotCarried::new(format!("rule {}: {reason}", rule.name), rule.conclusion_span));
        }
        plan.instances.sort_by_key(|i| i.out);
        plan.clipped = self.clipped(&goals, &out_goals, plan.instances.len())?;
        Ok(plan)
    }

    fn join(&mut self, most: usize) -> Join<'_, 'l> {
        let Instances { terms, finite, tables, rule } = self;
        Join { terms, finite, tables, metas: &rule.metas, failed: false, most }
    }

    /// All assignments that satisfy the goals.
    fn solutions(&mut self, goals: &[Goal]) -> Result<Vec<Assignment>, NotCarried> {
        const MOST: usize = 2_000_000;
        let rule = self.rule;
        let mut join = self.join(MOST);
        let mut assignments = Vec::new();
        join.solve(goals, &mut vec![None; rule.metas.len()], &mut |_, a| assignments.push(a.clone()));
        if join.failed {
            return Err(NotCarried::new(format!("rule {} has a form that is not evaluated", rule.name), rule.span));
        }
        if join.most == 0 {
            let reason = format!("rule {} has more than {MOST} ground instances", rule.name);
            return Err(NotCarried::new(reason, rule.span));
        }
        Ok(assignments)
    }

    /// How many instances have premises within the domains and a conclusion outside.
    fn clipped(&mut self, goals: &[Goal], outs: &[Goal], within: usize) -> Result<u64, NotCarried> {
        let (lang, rule) = (self.terms.lang, self.rule);
        let is_simple = |g: &Goal| matches!(g, Goal::Member(Form::Meta(_), _));
        if outs.iter().all(is_simple) {
            return Ok(0);
        }
        let mut metas = Vec::new();
        for goal in goals.iter().chain(outs) {
            if let Goal::Member(form, _) = goal {
                form.metas(&mut metas);
            }
        }
        metas.sort();
        metas.dedup();
        metas.retain(|m| is_finite(lang, rule.metas[m.index()].sort));
        let size = |m: &MetaId| self.finite.of(lang, rule.metas[m.index()].sort).len() as u64;
        let total = metas.iter().map(size).fold(1u64, u64::saturating_mul);
        if goals.iter().all(is_simple) {
            return Ok(total.saturating_sub(within as u64));
        }
        if total > 1_000_000 {
            return Ok(0);
        }
        let forms: Vec<Form> = metas.iter().map(|m| Form::Meta(*m)).collect();
        let mut open: Vec<Goal> = goals.to_vec();
        open.extend(forms.iter().zip(&metas).map(|(f, m)| Goal::Member(f, rule.metas[m.index()].sort)));
        Ok((self.solutions(&open)?.len() as u64).saturating_sub(within as u64))
    }
}

/// The values of forms under one assignment, as numbers within their domains.
struct Values<'a, 'b, 'l> {
    join: Join<'a, 'l>,
    assignment: &'b Assignment,
}

impl Values<'_, '_, '_> {
    fn value(&mut self, form: &Form, sort: SortId) -> u32 {
        let term = self.join.build(form, self.assignment);
        term.and_then(|t| self.join.finite.of(self.join.terms.lang, sort).position(t)).unwrap_or(0)
    }

    fn pairs(&mut self, pairs: &[(&Form, SortId)]) -> u32 {
        let values: Vec<u32> = pairs.iter().map(|(form, sort)| self.value(form, *sort)).collect();
        let sorts: Vec<SortId> = pairs.iter().map(|(_, sort)| *sort).collect();
        self.index(&values, &sorts)
    }

    fn tuple(&mut self, forms: &[Form], sorts: &[SortId]) -> u32 {
        let values: Vec<u32> = forms.iter().zip(sorts).map(|(form, sort)| self.value(form, *sort)).collect();
        self.index(&values, sorts)
    }

    fn index(&self, values: &[u32], sorts: &[SortId]) -> u32 {
        let size = |sort: &SortId| self.join.finite.of(self.join.terms.lang, *sort).len();
        tuple(values, &sorts.iter().map(size).collect::<Vec<_>>())
    }

    /// A test, and which of its literals is wanted.
    fn test(&mut self, shape: &Shape) -> (Test, u32) {
        match shape {
            Shape::Field(k, form, sort) => (Test::Field(*k), self.value(form, *sort)),
            Shape::Premise(premise, contexts, outs) => {
                let contexts = contexts.iter().map(|context| self.context(context)).collect();
                (Test::Premise { premise: *premise, contexts }, self.pairs(outs))
            }
            Shape::Entry { premise, env, key, fields, plan } => {
                let index = self.tuple(fields, &plan.fields);
                let key = key.map(|key| self.value(key, plan.key));
                (Test::Entry { premise: *premise, env: *env, key }, index)
            }
            Shape::InDomain { premise, env, key, plan } => {
                (Test::InDomain { premise: *premise, env: *env, key: self.value(key, plan.key) }, 0)
            }
        }
    }

    fn context(&mut self, shape: &ContextShape) -> Context {
        let plan = shape.plan;
        let mut extension = |extension: &ShapeExtension| match extension {
            ShapeExtension::Annotated(m) => Extension::Annotated(*m),
            ShapeExtension::Variable(m, fields) => {
                Extension::Variable(*m, fields.map(|fields| self.tuple(fields, &plan.fields)))
            }
            ShapeExtension::Key(key, fields) => {
                let fields = self.tuple(fields, &plan.fields);
                Extension::Key(self.value(key, plan.key), fields)
            }
        };
        Context { env: shape.env, extensions: shape.extensions.iter().map(&mut extension).collect() }
    }
}
