//! The rules of tree judgments, prepared once and stamped at every slot (docs/lang.md, "Judgments at a slot").
//!
//! In: the rules of a judgment with one tree subject, finite arguments, and environments that are looked up and extended. Out: per
//! rule a list of *tests* (a field of the subject, a premise, an entry of an environment), each of which is a row of literals at a
//! given slot, and the ground instances, each a choice of one literal per test and the tuple it derives. Rules about the very
//! subject of their premise (subsumption) become a reflexive and transitive closure, and layers where one premise is not enough.
//!
//! What is not carried is said with its place: rules that look at the shape of an environment, premises about built terms.

use crate::NotCarried;
use crate::finite::Finite;
use crate::ground::{Assignment, Goal, Join, Table};
use crate::layers::{Layered, Layers, is_own};
use crate::tables::{is_finite, is_table};
use lang::term::Terms;
use lang::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use source::Span;

/// How an environment sort is kept.
#[derive(Clone, Debug)]
pub struct EnvPlan {
    pub empty: ProdId,
    pub extension: ProdId,
    pub key: SortId,
    /// Keys are bound variables: the environment of a slot is the binders above it, and nothing is stored.
    pub by_pointer: bool,
    pub fields: Vec<SortId>,
    /// Tuples of fields.
    pub width: usize,
}

#[derive(Clone, Debug)]
pub struct JudgmentPlan {
    pub judgment: JudgId,
    pub subject: usize,
    pub sort: SortId,
    pub envs: Vec<usize>,
    pub outs: Vec<(usize, SortId)>,
    /// Tuples of finite arguments.
    pub width: usize,
    pub rules: Vec<RulePlan>,
    /// Per tuple those it follows from by rules about the same subject, itself included.
    pub closure: Option<Vec<Vec<u32>>>,
    /// Rules of the closure, with their edges.
    pub closure_rules: Vec<(RuleId, Vec<(u32, u32)>)>,
    /// Rules about the same subject that need more than one premise, or have other conditions.
    pub layers: Option<Layers>,
    /// Every rule sees the trees below only through judgments: one level of pattern, no membership, no equality (docs/lang.md, "Tiers").
    pub is_local: bool,
}

impl JudgmentPlan {
    /// Whether a rule only follows from what is known of its subject: by the closure, or in layers.
    pub fn is_about_same(&self, index: usize) -> bool {
        self.layered(index).is_some() || self.closure_rules.iter().any(|(r, _)| *r == self.rules[index].rule)
    }

    pub fn layered(&self, index: usize) -> Option<&Layered> {
        self.layers.iter().flat_map(|l| &l.rules).find(|l| l.index == index)
    }
}

#[derive(Clone, Debug)]
pub struct RulePlan {
    pub rule: RuleId,
    pub tests: Vec<Test>,
    pub instances: Vec<Instance>,
    /// Premises that do not depend on the instance: `t is v`, equalities of trees.
    pub fixed: Vec<usize>,
    /// Instances whose result is outside of the domains.
    pub clipped: u64,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// The so many-th finite field of the subject's pattern.
    Field(usize),
    /// A premise about a tree below, in its context.
    Premise {
        premise: usize,
        contexts: Vec<Context>,
    },
    /// An entry of the environment `env`; the key is a number, or a variable (then the premise says which).
    Entry {
        premise: usize,
        env: usize,
        key: Option<u32>,
    },
    InDomain {
        premise: usize,
        env: usize,
        key: u32,
    },
}

/// An environment of a premise: one of the conclusion's, extended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// Which of the conclusion's environments; None is the empty one.
    pub env: Option<usize>,
    pub extensions: Vec<Extension>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Extension {
    /// The annotation of the variable's binder, as [`Rules::annotations`] has it: nothing to store for a slot.
    Annotated(MetaId),
    /// Another entry for the variable of the binder: a tuple of fields, or none at all.
    Variable(MetaId, Option<u32>),
    /// An entry for a name or location.
    Key(u32, u32),
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub out: u32,
    pub tests: SmallVec<[(u16, u32); 4]>,
}

#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub judgments: FxHashMap<JudgId, JudgmentPlan>,
    pub envs: FxHashMap<SortId, EnvPlan>,
    /// Which fields of a production are the entry of the variable bound at an argument.
    pub annotations: FxHashMap<(ProdId, usize), Vec<usize>>,
}

/// A finite field, or a binder, of a subject's pattern.
struct Parts<'a> {
    fields: Vec<(usize, ProdId, usize, &'a Form)>,
    binders: Vec<(usize, ProdId, usize, MetaId)>,
    /// Variables that occur, binders aside.
    vars: Vec<MetaId>,
    /// Variables bound above each tree metavariable.
    scopes: FxHashMap<MetaId, Vec<MetaId>>,
    nodes: usize,
    /// Only metavariables of full sorts below the top.
    is_flat: bool,
}

pub fn tuple(values: &[u32], sizes: &[usize]) -> u32 {
    values.iter().zip(sizes).fold(0, |index, (v, n)| index * *n as u32 + v)
}

/// Whether a judgment has exactly one tree, on which its rules recurse.
pub fn tree_subject(lang: &Lang, judgment: JudgId) -> Option<usize> {
    let j = lang.judgment(judgment);
    if j.reduction.is_some() {
        return None;
    }
    let is_tree = |s: &SortId| {
        let base = lang.sort(lang.base(*s));
        matches!(base.kind, SortKind::Grammar { .. }) && base.is_tree
    };
    let mut trees = (0..j.args.len()).filter(|i| is_tree(&j.args[*i]));
    let first = trees.next()?;
    let fits = trees.next().is_none()
        && j.args
            .iter()
            .enumerate()
            .all(|(i, s)| i == first || is_finite(lang, *s) || matches!(lang.sort(*s).kind, SortKind::Env { .. }));
    fits.then_some(first)
}

impl Rules {
    pub fn prepare(
        terms: &mut Terms,
        finite: &Finite,
        tables: &FxHashMap<JudgId, Table>,
        needed: &FxHashSet<JudgId>,
    ) -> Result<Rules, NotCarried> {
        let lang = terms.lang;
        let mut rules = Rules::default();
        for id in lang.sort_ids() {
            if let SortKind::Env { empty, extensions } = &lang.sort(id).kind {
                let [extension] = extensions[..] else { continue };
                let args = &lang.prod(extension).args;
                let (key, fields) = (args[1], args[2..].to_vec());
                if fields.iter().any(|f| !is_finite(lang, *f)) {
                    continue;
                }
                let width = fields.iter().map(|f| finite.of(lang, *f).len()).product();
                let by_pointer = lang.sort(key).kind == SortKind::Var;
                rules.envs.insert(id, EnvPlan { empty: *empty, extension, key, by_pointer, fields, width });
            }
        }
        let mut order: Vec<JudgId> = needed.iter().copied().filter(|j| tree_subject(lang, *j).is_some()).collect();
        order.sort();
        for &j in &order {
            rules.find_annotations(lang, j)?;
        }
        for &j in &order {
            let plan = rules.prepare_judgment(terms, finite, tables, j)?;
            rules.judgments.insert(j, plan);
        }
        rules.check_cycles(lang)?;
        Ok(rules)
    }

    /// Which fields annotate which binder: those that some rule puts into the environment.
    fn find_annotations(&mut self, lang: &Lang, judgment: JudgId) -> Result<(), NotCarried> {
        let Some(subject) = tree_subject(lang, judgment) else { return Ok(()) };
        for (_, rule) in lang.rules_of(judgment) {
            let parts = parts_of(lang, rule, &rule.conclusion[subject]);
            for premise in &rule.premises {
                let Premise::Judgment(_, args) = &premise.premise else { continue };
                for arg in args {
                    let mut env = arg;
                    while let Form::Node(prod, inner) = env
                        && let SortKind::Env { .. } = lang.sort(lang.prod(*prod).sort).kind
                        && inner.len() >= 2
                    {
                        if let Form::Meta(x) = &inner[1]
                            && let Some(&(node, p, var, _)) = parts.binders.iter().find(|b| b.3 == *x)
                        {
                            let fields: Option<Vec<usize>> = inner[2..]
                                .iter()
                                .map(|f| parts.fields.iter().find(|(n, _, _, g)| *n == node && *g == f).map(|g| g.2))
                                .collect();
                            if let Some(fields) = fields {
                                self.annotations.entry((p, var)).or_insert(fields);
                            }
                        }
                        env = &inner[0];
                    }
                }
            }
        }
        Ok(())
    }

    fn prepare_judgment(
        &self,
        terms: &mut Terms,
        finite: &Finite,
        tables: &FxHashMap<JudgId, Table>,
        id: JudgId,
    ) -> Result<JudgmentPlan, NotCarried> {
        let lang = terms.lang;
        let judgment = lang.judgment(id);
        let Some(subject) = tree_subject(lang, id) else {
            return Err(NotCarried::new(format!("{} has no single subject", judgment.text), judgment.span));
        };
        let envs: Vec<usize> = (0..judgment.args.len())
            .filter(|i| matches!(lang.sort(judgment.args[*i]).kind, SortKind::Env { .. }))
            .collect();
        for &env in &envs {
            if !self.envs.contains_key(&judgment.args[env]) {
                let reason = "environments with several kinds of entries, or with entries that are not finite";
                return Err(NotCarried::new(reason, judgment.span));
            }
        }
        let outs: Vec<(usize, SortId)> = (0..judgment.args.len())
            .filter(|i| *i != subject && !envs.contains(i))
            .map(|i| (i, judgment.args[i]))
            .collect();
        let width = outs.iter().map(|(_, s)| finite.of(lang, *s).len()).product();
        let mut plan = JudgmentPlan {
            judgment: id,
            subject,
            sort: lang.base(judgment.args[subject]),
            envs,
            outs,
            width,
            rules: Vec::new(),
            closure: None,
            closure_rules: Vec::new(),
            layers: None,
            is_local: true,
        };
        let (mut edges, mut layered) = (Vec::new(), Vec::new());
        for (rule_id, rule) in lang.rules_of(id) {
            let mut prepared = self.prepare_rule(terms, finite, tables, &mut plan, rule_id, rule)?;
            if let Some(rule_edges) = same_subject_edges(lang, &plan, rule, &prepared) {
                edges.extend(rule_edges.iter().copied());
                plan.closure_rules.push((rule_id, rule_edges));
                prepared.instances.clear();
            } else if let Some(of) = Layered::of(lang, &plan, rule, &prepared, plan.rules.len()) {
                edges.extend(of.edges(&prepared));
                layered.push(of);
            }
            plan.rules.push(prepared);
        }
        if !edges.is_empty() || !plan.closure_rules.is_empty() {
            plan.closure = Some(closure(plan.width, &edges));
        }
        if !layered.is_empty() {
            plan.layers = Some(Layers::find(lang, &plan, layered)?);
        }
        Ok(plan)
    }

    fn prepare_rule(
        &self,
        terms: &mut Terms,
        finite: &Finite,
        tables: &FxHashMap<JudgId, Table>,
        plan: &mut JudgmentPlan,
        rule_id: RuleId,
        rule: &Rule,
    ) -> Result<RulePlan, NotCarried> {
        let lang = terms.lang;
        let judgment = lang.judgment(rule.judgment);
        let subject = &rule.conclusion[plan.subject];
        let parts = parts_of(lang, rule, subject);
        let fail = |reason: &str, span: Span| Err(NotCarried::new(format!("rule {}: {reason}", rule.name), span));
        plan.is_local &= parts.is_flat;
        for &env in &plan.envs {
            if !matches!(rule.conclusion[env], Form::Meta(_) | Form::Any(_)) {
                return fail("its conclusion looks into the environment", rule.conclusion_span);
            }
        }
        let env_metas: Vec<Option<MetaId>> =
            plan.envs.iter().map(|e| if let Form::Meta(m) = rule.conclusion[*e] { Some(m) } else { None }).collect();
        let mut counts = vec![0u32; rule.metas.len()];
        for form in &rule.conclusion {
            count_metas(form, &mut counts);
        }
        for premise in &rule.premises {
            premise.premise.each_form(&mut |f| count_metas(f, &mut counts));
        }
        let is_wild = |form: &Form| match form {
            Form::Any(s) => !finite.is_restricted(*s),
            Form::Meta(m) => counts[m.index()] == 1 && !finite.is_restricted(rule.metas[m.index()].sort),
            _ => false,
        };
        let mut goals: Vec<Goal> = Vec::new();
        let mut shapes: Vec<Shape> = Vec::new();
        let mut fixed = Vec::new();
        let out_goals: Vec<Goal> =
            plan.outs.iter().map(|(i, sort)| Goal::Member(&rule.conclusion[*i], *sort)).collect();
        for (k, (_, prod, arg, form)) in parts.fields.iter().enumerate() {
            if !is_wild(form) {
                goals.push(Goal::Member(form, lang.prod(*prod).args[*arg]));
                shapes.push(Shape::Field(k, form, lang.prod(*prod).args[*arg]));
            }
        }
        for (i, premise) in rule.premises.iter().enumerate() {
            let span = premise.span;
            match &premise.premise {
                Premise::Judgment(j, forms) if is_table(lang, *j) => goals.push(Goal::Table(*j, forms)),
                Premise::Judgment(j, forms) => {
                    let Some(s) = tree_subject(lang, *j) else {
                        return fail("a premise that is no judgment about a tree below", span);
                    };
                    let Form::Meta(tree) = &forms[s] else {
                        return fail("a premise about a term that is built", span);
                    };
                    let Some(scope) = parts.scopes.get(tree) else {
                        return fail("a premise about a term that is no part of the subject", span);
                    };
                    let (args, mut contexts, mut outs) = (&lang.judgment(*j).args, Vec::new(), Vec::new());
                    for (a, form) in forms.iter().enumerate() {
                        if a == s {
                            continue;
                        }
                        if is_finite(lang, args[a]) {
                            goals.push(Goal::Member(form, args[a]));
                            outs.push((form, args[a]));
                            continue;
                        }
                        let Some(env) = self.envs.get(&args[a]) else {
                            return fail("an environment that is not carried", span);
                        };
                        let context = self.context_of(lang, env, form, &env_metas, scope, &parts);
                        let Some(context) = context else {
                            return fail("an environment that is built otherwise than by extension", span);
                        };
                        for extension in &context.1 {
                            if let ShapeExtension::Variable(_, Some(fields)) | ShapeExtension::Key(_, fields) =
                                extension
                            {
                                goals.extend(fields.iter().zip(&env.fields).map(|(f, s)| Goal::Member(f, *s)));
                            }
                            if let ShapeExtension::Key(key, _) = extension {
                                goals.push(Goal::Member(key, env.key));
                            }
                        }
                        contexts.push((context.0, context.1, env));
                    }
                    shapes.push(Shape::Premise(i, contexts, outs));
                }
                Premise::Entry { key, fields, env, .. } => {
                    let Form::Meta(m) = env else { return fail("an entry of a built environment", span) };
                    let Some(e) = env_metas.iter().position(|x| *x == Some(*m)) else {
                        return fail("an entry of another environment", span);
                    };
                    let Some(env) = self.envs.get(&judgment.args[plan.envs[e]]) else {
                        return fail("an environment that is not carried", span);
                    };
                    if env.by_pointer && !matches!(key, Form::Meta(x) if parts.vars.contains(x)) {
                        return fail("an entry of a variable that is not in the subject", span);
                    }
                    goals.extend(fields.iter().zip(&env.fields).map(|(f, s)| Goal::Member(f, *s)));
                    let key = (!env.by_pointer).then_some(key);
                    goals.extend(key.map(|k| Goal::Member(k, env.key)));
                    shapes.push(Shape::Entry(i, e, key, fields, env));
                }
                Premise::InDomain { key, map: Form::Meta(m), holds } => {
                    let e = env_metas.iter().position(|x| *x == Some(*m));
                    let env = e.and_then(|e| self.envs.get(&judgment.args[plan.envs[e]]));
                    let (Some(e), Some(env), true) = (e, env, *holds) else {
                        return fail("a condition on a domain", span);
                    };
                    if env.by_pointer {
                        return fail("a condition on the domain of an environment of bound variables", span);
                    }
                    goals.push(Goal::Member(key, env.key));
                    shapes.push(Shape::InDomain(i, e, key, env));
                }
                p @ (Premise::Equal { .. } | Premise::Compare(..) | Premise::Is { .. } | Premise::Not(_)) => {
                    match about(lang, rule, p) {
                        About::Finite => goals.push(Goal::Condition(p)),
                        About::Trees if !matches!(p, Premise::Not(_)) => {
                            fixed.push(i);
                            plan.is_local = false;
                        }
                        _ => return fail("a condition that is not carried", span),
                    }
                }
                _ => return fail("a premise of this kind is not carried in a judgment about trees", span),
            }
        }
        // What occurs only in the conclusion runs over its sort.
        let mut all_goals = goals.clone();
        all_goals.extend(out_goals.iter().copied());
        let assignments = run(terms, finite, tables, rule, &all_goals)?;
        let sizes = |sorts: &[SortId]| -> Vec<usize> { sorts.iter().map(|s| finite.of(lang, *s).len()).collect() };
        let mut prepared = RulePlan { rule: rule_id, tests: Vec::new(), instances: Vec::new(), fixed, clipped: 0 };
        let mut numbers: FxHashMap<Test, u16> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut join = Join { terms, finite, tables, metas: &rule.metas, failed: false, most: usize::MAX };
        for a in &assignments {
            let mut value = |form: &Form, sort: SortId| -> u32 {
                let term = join.build(form, a);
                term.and_then(|t| finite.of(lang, sort).position(t)).unwrap_or(0)
            };
            let mut instance = Instance { out: 0, tests: SmallVec::new() };
            let outs: Vec<u32> = plan.outs.iter().map(|(i, s)| value(&rule.conclusion[*i], *s)).collect();
            let out_sorts: Vec<SortId> = plan.outs.iter().map(|o| o.1).collect();
            instance.out = tuple(&outs, &sizes(&out_sorts));
            for shape in &shapes {
                let (test, index) = match shape {
                    Shape::Field(k, form, sort) => (Test::Field(*k), value(form, *sort)),
                    Shape::Premise(i, contexts, outs) => {
                        let contexts = contexts
                            .iter()
                            .map(|(env, extensions, plan)| Context {
                                env: *env,
                                extensions: extensions
                                    .iter()
                                    .map(|e| {
                                        let mut flat = |fields: &[Form]| {
                                            let values: Vec<u32> =
                                                fields.iter().zip(&plan.fields).map(|(f, s)| value(f, *s)).collect();
                                            tuple(&values, &sizes(&plan.fields))
                                        };
                                        match e {
                                            ShapeExtension::Annotated(m) => Extension::Annotated(*m),
                                            ShapeExtension::Variable(m, None) => Extension::Variable(*m, None),
                                            ShapeExtension::Variable(m, Some(f)) => {
                                                Extension::Variable(*m, Some(flat(f)))
                                            }
                                            ShapeExtension::Key(k, f) => {
                                                let fields = flat(f);
                                                Extension::Key(value(k, plan.key), fields)
                                            }
                                        }
                                    })
                                    .collect(),
                            })
                            .collect();
                        let values: Vec<u32> = outs.iter().map(|(f, s)| value(f, *s)).collect();
                        let sorts: Vec<SortId> = outs.iter().map(|o| o.1).collect();
                        (Test::Premise { premise: *i, contexts }, tuple(&values, &sizes(&sorts)))
                    }
                    Shape::Entry(i, e, key, fields, env) => {
                        let values: Vec<u32> = fields.iter().zip(&env.fields).map(|(f, s)| value(f, *s)).collect();
                        let key = key.map(|k| value(k, env.key));
                        (Test::Entry { premise: *i, env: *e, key }, tuple(&values, &sizes(&env.fields)))
                    }
                    Shape::InDomain(i, e, key, env) => {
                        (Test::InDomain { premise: *i, env: *e, key: value(key, env.key) }, 0)
                    }
                };
                let next = numbers.len() as u16;
                let number = *numbers.entry(test.clone()).or_insert_with(|| {
                    prepared.tests.push(test);
                    next
                });
                instance.tests.push((number, index));
            }
            if seen.insert((instance.out, instance.tests.clone())) {
                prepared.instances.push(instance);
            }
        }
        if rule.premises.is_empty()
            && rule.metas.iter().all(|m| !is_finite(lang, m.sort))
            && prepared.instances.is_empty()
        {
            return fail("its constant does not fit into the bounds of its sort; raise them", rule.conclusion_span);
        }
        prepared.instances.sort_by_key(|i| i.out);
        prepared.clipped = clipped(terms, finite, tables, rule, &goals, &out_goals, prepared.instances.len())?;
        Ok(prepared)
    }

    /// The environment a premise is in: which of the conclusion's, and what is added.
    fn context_of<'a>(
        &self,
        lang: &Lang,
        plan: &EnvPlan,
        form: &'a Form,
        env_metas: &[Option<MetaId>],
        scope: &[MetaId],
        parts: &Parts,
    ) -> Option<(Option<usize>, Vec<ShapeExtension<'a>>)> {
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
                    let fields: Option<Vec<usize>> = args[2..]
                        .iter()
                        .map(|f| parts.fields.iter().find(|(n, _, _, g)| *n == node && *g == f).map(|g| g.2))
                        .collect();
                    let is_annotation = fields.is_some() && self.annotations.get(&(p, var)) == fields.as_ref();
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
                let is_keyed = parts.binders.iter().any(|b| b.3 == *x && lang.prod(b.1).args[b.2] == plan.key);
                if is_keyed && !extended.contains(x) {
                    extensions.push(ShapeExtension::Variable(*x, None));
                }
            }
        }
        extensions.reverse();
        match form {
            Form::Meta(m) => Some((Some(env_metas.iter().position(|e| *e == Some(*m))?), extensions)),
            Form::Node(prod, _) if *prod == plan.empty && !plan.by_pointer => Some((None, extensions)),
            _ => None,
        }
    }

    /// Rules about the same subject must not go round in circles, other than through one judgment's closure.
    fn check_cycles(&self, lang: &Lang) -> Result<(), NotCarried> {
        for plan in self.judgments.values() {
            let mut seen = vec![plan.judgment];
            let mut next = 0;
            while next < seen.len() {
                let Some(current) = self.judgments.get(&seen[next]) else { break };
                next += 1;
                for rule in &current.rules {
                    let written = lang.rule(rule.rule);
                    let Form::Meta(t) = written.conclusion[current.subject] else { continue };
                    for (i, premise) in written.premises.iter().enumerate() {
                        let is_it = |t: &&Test| matches!(t, Test::Premise { premise, .. } if *premise == i);
                        if rule.tests.iter().filter(is_it).all(|t| is_own(current, written, t)) {
                            continue;
                        }
                        let Premise::Judgment(j, forms) = &premise.premise else { continue };
                        let Some(s) = tree_subject(lang, *j) else { continue };
                        if forms[s] != Form::Meta(t) {
                            continue;
                        }
                        if *j == plan.judgment {
                            let reason = format!("rule {}: premises about its own subject in a circle", written.name);
                            return Err(NotCarried::new(reason, premise.span));
                        }
                        if !seen.contains(j) {
                            seen.push(*j);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// A test before its values are known.
enum Shape<'a> {
    Field(usize, &'a Form, SortId),
    #[allow(clippy::type_complexity)]
    Premise(usize, Vec<(Option<usize>, Vec<ShapeExtension<'a>>, &'a EnvPlan)>, Vec<(&'a Form, SortId)>),
    Entry(usize, usize, Option<&'a Form>, &'a [Form], &'a EnvPlan),
    InDomain(usize, usize, &'a Form, &'a EnvPlan),
}

enum ShapeExtension<'a> {
    Annotated(MetaId),
    Variable(MetaId, Option<&'a [Form]>),
    Key(&'a Form, &'a [Form]),
}

fn run(
    terms: &mut Terms,
    finite: &Finite,
    tables: &FxHashMap<JudgId, Table>,
    rule: &Rule,
    goals: &[Goal],
) -> Result<Vec<Assignment>, NotCarried> {
    const MOST: usize = 2_000_000;
    let mut join = Join { terms, finite, tables, metas: &rule.metas, failed: false, most: MOST };
    let mut assignments = Vec::new();
    join.solve(goals, &mut vec![None; rule.metas.len()], &mut |_, a| assignments.push(a.clone()));
    if join.failed {
        return Err(NotCarried::new(format!("rule {} has a form that is not evaluated", rule.name), rule.span));
    }
    if join.most == 0 {
        return Err(NotCarried::new(format!("rule {} has more than {MOST} ground instances", rule.name), rule.span));
    }
    Ok(assignments)
}

/// How many instances have premises within the domains and a conclusion outside.
fn clipped(
    terms: &mut Terms,
    finite: &Finite,
    tables: &FxHashMap<JudgId, Table>,
    rule: &Rule,
    goals: &[Goal],
    outs: &[Goal],
    within: usize,
) -> Result<u64, NotCarried> {
    let lang = terms.lang;
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
    let total =
        metas.iter().fold(1u64, |n, m| n.saturating_mul(finite.of(lang, rule.metas[m.index()].sort).len() as u64));
    if goals.iter().all(is_simple) {
        return Ok(total.saturating_sub(within as u64));
    }
    if total > 1_000_000 {
        return Ok(0);
    }
    let forms: Vec<Form> = metas.iter().map(|m| Form::Meta(*m)).collect();
    let mut open: Vec<Goal> = goals.to_vec();
    open.extend(forms.iter().zip(&metas).map(|(f, m)| Goal::Member(f, rule.metas[m.index()].sort)));
    Ok((run(terms, finite, tables, rule, &open)?.len() as u64).saturating_sub(within as u64))
}

fn count_metas(form: &Form, counts: &mut [u32]) {
    let mut metas = Vec::new();
    form.metas(&mut metas);
    metas.iter().for_each(|m| counts[m.index()] += 1);
}

fn parts_of<'a>(lang: &Lang, rule: &Rule, subject: &'a Form) -> Parts<'a> {
    let mut parts = Parts {
        fields: Vec::new(),
        binders: Vec::new(),
        vars: Vec::new(),
        scopes: FxHashMap::default(),
        nodes: 0,
        is_flat: true,
    };
    collect(lang, rule, subject, 0, &mut Vec::new(), &mut parts);
    parts
}

fn collect<'a>(lang: &Lang, rule: &Rule, form: &'a Form, depth: u32, scope: &mut Vec<MetaId>, parts: &mut Parts<'a>) {
    match form {
        Form::Meta(m) => {
            // The second occurrence is an equality of trees.
            parts.is_flat &= parts.scopes.insert(*m, scope.clone()).is_none();
            parts.is_flat &= lang.base(rule.metas[m.index()].sort) == rule.metas[m.index()].sort;
        }
        Form::Node(prod, args) => {
            parts.is_flat &= depth == 0;
            let node = parts.nodes;
            parts.nodes += 1;
            let production = lang.prod(*prod);
            for binder in &production.binders {
                if let Form::Meta(m) = &args[binder.var] {
                    parts.binders.push((node, *prod, binder.var, *m));
                }
            }
            for (i, arg) in args.iter().enumerate() {
                let sort = production.args[i];
                if production.is_binder(i) {
                    continue;
                }
                if lang.sort(sort).kind == SortKind::Var {
                    if let Form::Meta(m) = arg {
                        parts.vars.push(*m);
                    }
                    continue;
                }
                if is_finite(lang, sort) {
                    parts.fields.push((node, *prod, i, arg));
                    continue;
                }
                let depth_before = scope.len();
                for binder in production.binders_over(i) {
                    if let Form::Meta(m) = &args[binder.var] {
                        scope.push(*m);
                    }
                }
                collect(lang, rule, arg, depth + 1, scope, parts);
                scope.truncate(depth_before);
            }
        }
        Form::Any(sort) => parts.is_flat &= lang.base(*sort) == *sort,
        _ => parts.is_flat = false,
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

/// If the rule only moves its subject from one tuple to another: from where to where.
fn same_subject_edges(lang: &Lang, plan: &JudgmentPlan, rule: &Rule, prepared: &RulePlan) -> Option<Vec<(u32, u32)>> {
    let Form::Meta(t) = rule.conclusion[plan.subject] else { return None };
    if !prepared.fixed.is_empty() || lang.base(rule.metas[t.index()].sort) != rule.metas[t.index()].sort {
        return None;
    }
    let [test] = &prepared.tests[..] else { return None };
    if !is_own(plan, rule, test) {
        return None;
    }
    Some(prepared.instances.iter().map(|i| (i.tests[0].1, i.out)).collect())
}

/// Per tuple, all from which it can be reached.
fn closure(width: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut from: Vec<Vec<u32>> = vec![Vec::new(); width];
    for &(a, b) in edges {
        if a != b {
            from[b as usize].push(a);
        }
    }
    (0..width as u32)
        .map(|start| {
            let mut seen = vec![false; width];
            let mut list = vec![start];
            seen[start as usize] = true;
            let mut next = 0;
            while next < list.len() {
                for &a in &from[list[next] as usize] {
                    if !seen[a as usize] {
                        seen[a as usize] = true;
                        list.push(a);
                    }
                }
                next += 1;
            }
            list
        })
        .collect()
}
