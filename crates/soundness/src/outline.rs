//! What a rule of a tree judgment asks, before there are values: the first half of preparing it (`rules`).
//!
//! In: a rule and what is known of its judgment and of environments. Out: an [`Outline`]: goals over finite sorts whose solutions are the
//! ground instances of the rule, and the shape of every test that an instance makes at a slot; or what is not carried, with its place.

use crate::NotCarried;
use crate::finite::Finite;
use crate::ground::Goal;
use crate::parts::Parts;
use crate::rules::{EnvPlan, JudgmentPlan, Rules, tree_subject};
use crate::tables::{is_finite, is_table};
use lang::*;
use source::Span;

/// A test before its values are known.
pub enum Shape<'a> {
    Field(usize, &'a Form, SortId),
    Premise(usize, Vec<ContextShape<'a>>, Vec<(&'a Form, SortId)>),
    Entry { premise: usize, env: usize, key: Option<&'a Form>, fields: &'a [Form], plan: &'a EnvPlan },
    InDomain { premise: usize, env: usize, key: &'a Form, plan: &'a EnvPlan },
}

/// The environment a premise is in: which of the conclusion's, or the empty one, and what is added.
pub struct ContextShape<'a> {
    pub env: Option<usize>,
    pub extensions: Vec<ShapeExtension<'a>>,
    pub plan: &'a EnvPlan,
}

pub enum ShapeExtension<'a> {
    Annotated(MetaId),
    Variable(MetaId, Option<&'a [Form]>),
    Key(&'a Form, &'a [Form]),
}

pub struct Outline<'a> {
    pub goals: Vec<Goal<'a>>,
    pub shapes: Vec<Shape<'a>>,
    /// Premises that do not depend on the instance.
    pub fixed: Vec<usize>,
    /// The rule sees the trees below only through judgments.
    pub is_local: bool,
}

/// Outlines one rule.
struct Outliner<'a> {
    rules: &'a Rules,
    lang: &'a Lang,
    judgment: &'a JudgmentPlan,
    rule: &'a Rule,
    parts: Parts<'a>,
    /// Per environment of the conclusion, its metavariable.
    env_metas: Vec<Option<MetaId>>,
    outline: Outline<'a>,
}

impl<'a> Outline<'a> {
    pub fn of(
        rules: &'a Rules,
        lang: &'a Lang,
        finite: &Finite,
        judgment: &'a JudgmentPlan,
        rule: &'a Rule,
    ) -> Result<Outline<'a>, NotCarried> {
        let parts = Parts::of(lang, rule, &rule.conclusion[judgment.subject]);
        let meta_of = |env: &usize| if let Form::Meta(m) = rule.conclusion[*env] { Some(m) } else { None };
        let env_metas = judgment.envs.iter().map(meta_of).collect();
        let outline = Outline { goals: Vec::new(), shapes: Vec::new(), fixed: Vec::new(), is_local: parts.is_flat };
        let mut outliner = Outliner { rules, lang, judgment, rule, parts, env_metas, outline };
        let is_whole = |env: &usize| matches!(rule.conclusion[*env], Form::Meta(_) | Form::Any(_));
        if !judgment.envs.iter().all(is_whole) {
            return outliner.fail("its conclusion looks into the environment", rule.conclusion_span);
        }
        outliner.fields(finite);
        for (i, premise) in rule.premises.iter().enumerate() {
            outliner.premise(i, &premise.premise, premise.span)?;
        }
        Ok(outliner.outline)
    }
}

impl<'a> Outliner<'a> {
    fn fail<T>(&self, reason: &str, span: Span) -> Result<T, NotCarried> {
        Err(NotCarried::new(format!("rule {}: {reason}", self.rule.name), span))
    }

    fn member(&mut self, form: &'a Form, sort: SortId) {
        self.outline.goals.push(Goal::Member(form, sort));
    }

    fn members(&mut self, forms: &'a [Form], sorts: &[SortId]) {
        forms.iter().zip(sorts).for_each(|(form, sort)| self.member(form, *sort));
    }

    /// The fields of the subject, but for those that may be anything.
    fn fields(&mut self, finite: &Finite) {
        let rule = self.rule;
        let mut counts = vec![0u32; rule.metas.len()];
        let mut count = |form: &Form| {
            let mut metas = Vec::new();
            form.metas(&mut metas);
            metas.iter().for_each(|m| counts[m.index()] += 1);
        };
        rule.conclusion.iter().for_each(&mut count);
        rule.premises.iter().for_each(|p| p.premise.each_form(&mut count));
        let is_wild = |form: &Form| match form {
            Form::Any(s) => !finite.is_restricted(*s),
            Form::Meta(m) => counts[m.index()] == 1 && !finite.is_restricted(rule.metas[m.index()].sort),
            _ => false,
        };
        for (k, &(_, prod, arg, form)) in self.parts.fields.iter().enumerate() {
            if !is_wild(form) {
                let sort = self.lang.prod(prod).args[arg];
                self.outline.goals.push(Goal::Member(form, sort));
                self.outline.shapes.push(Shape::Field(k, form, sort));
            }
        }
    }

    fn premise(&mut self, index: usize, premise: &'a Premise, span: Span) -> Result<(), NotCarried> {
        match premise {
            Premise::Judgment(j, forms) if is_table(self.lang, *j) => {
                self.outline.goals.push(Goal::Table(*j, forms));
                Ok(())
            }
            Premise::Judgment(j, forms) => self.judgment(index, *j, forms, span),
            Premise::Entry { key, fields, env, .. } => self.entry(index, key, fields, env, span),
            Premise::InDomain { key, map: Form::Meta(map), holds } => self.in_domain(index, key, *map, *holds, span),
            Premise::Equal { .. } | Premise::Compare(..) | Premise::Is { .. } | Premise::Not(_) => {
                self.condition(index, premise, span)
            }
            _ => self.fail("a premise of this kind is not carried in a judgment about trees", span),
        }
    }

    /// A premise about a tree below the subject.
    fn judgment(&mut self, index: usize, judgment: JudgId, forms: &'a [Form], span: Span) -> Result<(), NotCarried> {
        let lang = self.lang;
        let Some(subject) = tree_subject(lang, judgment) else {
            return self.fail("a premise that is not a judgment about a tree below", span);
        };
        let Form::Meta(tree) = &forms[subject] else {
            return self.fail("a premise about a term that is built", span);
        };
        let Some(scope) = self.parts.scopes.get(tree).cloned() else {
            return self.fail("a premise about a term that is not part of the subject", span);
        };
        let (mut contexts, mut outs) = (Vec::new(), Vec::new());
        for ((i, form), &sort) in forms.iter().enumerate().zip(&lang.judgment(judgment).args) {
            if i == subject {
                continue;
            }
            if is_finite(lang, sort) {
                self.member(form, sort);
                outs.push((form, sort));
                continue;
            }
            let Some(plan) = self.rules.envs.get(&sort) else {
                return self.fail("an environment that is not carried", span);
            };
            let Some(context) = self.context(plan, form, &scope) else {
                return self.fail("an environment that is built otherwise than by extension", span);
            };
            for extension in &context.extensions {
                match extension {
                    ShapeExtension::Annotated(_) | ShapeExtension::Variable(_, None) => {}
                    ShapeExtension::Variable(_, Some(fields)) => self.members(fields, &plan.fields),
                    ShapeExtension::Key(key, fields) => {
                        self.members(fields, &plan.fields);
                        self.member(key, plan.key);
                    }
                }
            }
            contexts.push(context);
        }
        self.outline.shapes.push(Shape::Premise(index, contexts, outs));
        Ok(())
    }

    /// The environment of a premise whose subject is in a scope.
    fn context(&self, plan: &'a EnvPlan, form: &'a Form, scope: &[MetaId]) -> Option<ContextShape<'a>> {
        let parts = &self.parts;
        let mut extensions = Vec::new();
        let mut extended = Vec::new();
        let mut form = form;
        while let Form::Node(prod, args) = form
            && *prod == plan.extension
        {
            if plan.by_pointer {
                let Form::Meta(x) = &args[1] else { return None };
                let &(node, p, var, _) = parts.binders.iter().find(|b| b.3 == *x)?;
                // An entry for a variable that is not bound around the subject of the premise has no use, but hides nothing.
                if scope.contains(x) && !extended.contains(x) {
                    let fields = parts.fields_of(node, &args[2..]);
                    let is_annotation = fields.is_some() && self.rules.annotations.get(&(p, var)) == fields.as_ref();
                    extensions.push(match is_annotation {
                        true => ShapeExtension::Annotated(*x),
                        false => ShapeExtension::Variable(*x, Some(&args[2..])),
                    });
                    extended.push(*x);
                }
            } else {
                extensions.push(ShapeExtension::Key(&args[1], &args[2..]));
            }
            form = &args[0];
        }
        if plan.by_pointer {
            for x in scope {
                let is_keyed = parts.binders.iter().any(|b| b.3 == *x && self.lang.prod(b.1).args[b.2] == plan.key);
                if is_keyed && !extended.contains(x) {
                    extensions.push(ShapeExtension::Variable(*x, None));
                }
            }
        }
        extensions.reverse();
        let env = match form {
            Form::Meta(m) => Some(self.env_of(*m)?),
            Form::Node(prod, _) if *prod == plan.empty && !plan.by_pointer => None,
            _ => return None,
        };
        Some(ContextShape { env, extensions, plan })
    }

    /// Which environment of the conclusion a metavariable is.
    fn env_of(&self, meta: MetaId) -> Option<usize> {
        self.env_metas.iter().position(|e| *e == Some(meta))
    }

    fn plan_of(&self, env: usize) -> Option<&'a EnvPlan> {
        let sorts = &self.lang.judgment(self.rule.judgment).args;
        self.rules.envs.get(&sorts[self.judgment.envs[env]])
    }

    fn entry(
        &mut self,
        premise: usize,
        key: &'a Form,
        fields: &'a [Form],
        env: &Form,
        span: Span,
    ) -> Result<(), NotCarried> {
        let Form::Meta(m) = env else { return self.fail("an entry of a built environment", span) };
        let Some(env) = self.env_of(*m) else { return self.fail("an entry of another environment", span) };
        let Some(plan) = self.plan_of(env) else { return self.fail("an environment that is not carried", span) };
        if plan.by_pointer && !matches!(key, Form::Meta(x) if self.parts.vars.contains(x)) {
            return self.fail("an entry of a variable that is not in the subject", span);
        }
        self.members(fields, &plan.fields);
        let key = (!plan.by_pointer).then_some(key);
        if let Some(key) = key {
            self.member(key, plan.key);
        }
        self.outline.shapes.push(Shape::Entry { premise, env, key, fields, plan });
        Ok(())
    }

    fn in_domain(
        &mut self,
        premise: usize,
        key: &'a Form,
        map: MetaId,
        holds: bool,
        span: Span,
    ) -> Result<(), NotCarried> {
        let env = self.env_of(map);
        let (Some(env), Some(plan), true) = (env, env.and_then(|e| self.plan_of(e)), holds) else {
            return self.fail("a condition on a domain", span);
        };
        if plan.by_pointer {
            return self.fail("a condition on the domain of an environment of bound variables", span);
        }
        self.member(key, plan.key);
        self.outline.shapes.push(Shape::InDomain { premise, env, key, plan });
        Ok(())
    }

    fn condition(&mut self, index: usize, premise: &'a Premise, span: Span) -> Result<(), NotCarried> {
        match about(self.lang, self.rule, premise) {
            About::Finite => self.outline.goals.push(Goal::Condition(premise)),
            About::Trees if !matches!(premise, Premise::Not(_)) => {
                self.outline.fixed.push(index);
                self.outline.is_local = false;
            }
            _ => return self.fail("a condition that is not carried", span),
        }
        Ok(())
    }
}

#[derive(PartialEq)]
enum About {
    Finite,
    Trees,
    Mixed,
}

/// What kind of things a condition speaks of.
fn about(lang: &Lang, rule: &Rule, premise: &Premise) -> About {
    let mut metas = Vec::new();
    let mut nodes = Vec::new();
    premise.each_form(&mut |f| {
        f.metas(&mut metas);
        if let Form::Node(prod, _) = f {
            nodes.push(lang.prod(*prod).sort);
        }
    });
    let sorts: Vec<SortId> = metas.iter().map(|m| rule.metas[m.index()].sort).chain(nodes).collect();
    if sorts.iter().all(|s| is_finite(lang, *s)) {
        About::Finite
    } else if sorts.iter().all(|s| lang.sort(lang.base(*s)).is_tree) {
        About::Trees
    } else {
        About::Mixed
    }
}
