//! Prepares the rules of tree judgments (`rules`): each is outlined (`outline`) and instantiated (`instances`); those about the very subject of
//! their premise become a closure, or layers.

use crate::NotCarried;
use crate::finite::Finite;
use crate::ground::Table;
use crate::instances::Instances;
use crate::layers::is_own;
use crate::outline::Outline;
use crate::parts::Parts;
use crate::rules::{EnvPlan, JudgmentPlan, Layered, Layers, RulePlan, Rules, Test, tree_subject};
use crate::tables::is_finite;
use lang::term::Terms;
use lang::*;
use rustc_hash::{FxHashMap, FxHashSet};

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
            let parts = Parts::of(lang, rule, &rule.conclusion[subject]);
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
                            && let Some(fields) = parts.fields_of(node, &inner[2..])
                        {
                            self.annotations.entry((p, var)).or_insert(fields);
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
            let mut prepared = self.prepare_rule(terms, finite, tables, &mut plan, (rule_id, rule))?;
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
        (id, rule): (RuleId, &Rule),
    ) -> Result<RulePlan, NotCarried> {
        let outline = Outline::of(self, terms.lang, finite, plan, rule)?;
        let is_local = outline.is_local;
        let prepared = Instances { terms, finite, tables, rule }.prepare(id, plan, outline)?;
        plan.is_local &= is_local;
        Ok(prepared)
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
