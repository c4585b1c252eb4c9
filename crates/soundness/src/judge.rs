//! One literal per judgment, tree and tuple of finite arguments: `J(x, ā)` holds iff it is derivable (docs/lang.md, "Judgments at a slot").
//!
//! Preserved: the least fixpoint. Rules about trees below recurse, rules about the same subject are a closure (`layers`), so there
//! is no cycle in the formula. Below the horizon the literals are free: unsatisfiable there is unsatisfiable everywhere.
//!
//! A [`Ov::Lemma`] is judged by the substitution lemma instead of the substituted body (docs/lang.md, "Tiers"): `J(body, ā)` and whatever
//! the variable has, what takes its place has. That *implies* the judgment of the real tree if all rules see trees only through judgments
//! and environments only through lookup and extension; it is never used for the state before.

use crate::encoder::{Arg, BinderAt, BinderKey, CtxId, Encoder, EnvId, EnvVal, Ov, OvId, Refs, Row, Val};
use crate::pattern::Binds;
use crate::rules::{Context, Extension, JudgmentPlan, Test, tuple};
use formula::Lit;
use lang::*;

impl Encoder<'_, '_> {
    /// All tuples of a judgment about a tree.
    pub fn judge(&mut self, judgment: JudgId, id: OvId, ctx: CtxId) -> Row {
        let ctx = self.without_news(id, ctx);
        if let Some(known) = self.rows.get(&(judgment, id, ctx)) {
            return known.clone();
        }
        let plan = self.plan;
        let Some(rules) = plan.rules.judgments.get(&judgment) else {
            self.give_up("a judgment that is not prepared", self.lang.judgment(judgment).span);
            return Row::from([]);
        };
        if !self.goes_on() {
            return vec![Lit::FALSE; rules.width].into();
        }
        let cases = self.cases(id);
        let row = if cases.len() == 1 && cases[0] == (Lit::TRUE, id) {
            self.judge_node(rules, id, ctx)
        } else {
            let mut row = vec![Lit::FALSE; rules.width];
            for &(cond, node) in cases.iter() {
                let inner = self.judge(judgment, node, ctx);
                for (lit, i) in row.iter_mut().zip(inner.iter()) {
                    let both = self.graph.and(cond, *i);
                    *lit = self.graph.or(*lit, both);
                }
            }
            row.into()
        };
        self.rows.insert((judgment, id, ctx), row.clone());
        row
    }

    /// A slot of the state before does not mention what a step added to an environment.
    fn without_news(&mut self, id: OvId, ctx: CtxId) -> CtxId {
        if !matches!(self.get(id), Ov::Slot(_)) {
            return ctx;
        }
        let envs = &self.ctxs[ctx.0 as usize];
        let before = |e: &EnvId| match &self.envs[e.0 as usize] {
            EnvVal::Array { before: Some(before), .. } => *before,
            _ => *e,
        };
        let stripped: Vec<EnvId> = envs.iter().map(before).collect();
        if stripped == *envs { ctx } else { self.ctx(stripped) }
    }

    fn judge_node(&mut self, plan: &JudgmentPlan, node: OvId, ctx: CtxId) -> Row {
        if let Ov::Lemma { body, pairs } = self.get(node).clone() {
            return self.judge_lemma(plan, body, &pairs, ctx);
        }
        if self.is_abstract(node) {
            let row = (0..plan.width).map(|_| self.graph.var()).collect();
            return self.close_any(plan, row);
        }
        let mut row = vec![Lit::FALSE; plan.width];
        for index in (0..plan.rules.len()).filter(|i| !plan.is_about_same(*i)) {
            self.stamp(plan, index, node, ctx, &mut row);
        }
        self.close(plan, row, node, ctx)
    }

    /// Adds what one rule derives at a node without choice.
    pub fn stamp(&mut self, plan: &JudgmentPlan, index: usize, node: OvId, ctx: CtxId, row: &mut [Lit]) {
        let prepared = &plan.rules[index];
        if prepared.instances.is_empty() {
            return;
        }
        for (cond, binds) in self.ways(plan, index, node, ctx) {
            let tests: Vec<Row> =
                prepared.tests.iter().map(|t| self.test_of(plan, index, t, node, ctx, &binds)).collect();
            // Those of one tuple together, so that the condition is conjoined once.
            let mut sums: Vec<(u32, Lit)> = Vec::new();
            for instance in &prepared.instances {
                let mut all = Lit::TRUE;
                for &(test, value) in &instance.tests {
                    let lit = tests[test as usize].get(value as usize).copied().unwrap_or(Lit::FALSE);
                    all = self.graph.and(all, lit);
                    if all == Lit::FALSE {
                        break;
                    }
                }
                if all == Lit::FALSE {
                    continue;
                }
                match sums.last_mut() {
                    Some((out, sum)) if *out == instance.out => *sum = self.graph.or(*sum, all),
                    _ => sums.push((instance.out, all)),
                }
            }
            for (out, sum) in sums {
                let derived = self.graph.and(cond, sum);
                row[out as usize] = self.graph.or(row[out as usize], derived);
            }
        }
    }

    /// The ways in which a rule's subject matches a node and what does not depend on the instance holds.
    pub fn ways(&mut self, plan: &JudgmentPlan, index: usize, node: OvId, ctx: CtxId) -> Vec<(Lit, Binds)> {
        let prepared = &plan.rules[index];
        let rule = self.lang.rule(prepared.rule);
        let mut binds = Binds::new(rule.metas.len());
        for (env, arg) in self.ctxs[ctx.0 as usize].iter().zip(&plan.envs) {
            if let Form::Meta(m) = rule.conclusion[*arg] {
                binds.metas[m.index()] = Some(Val::Env(*env));
            }
        }
        let mut ways = self.match_tree_fields(node, &rule.conclusion[plan.subject], &rule.metas, binds);
        for (cond, binds) in &mut ways {
            for &premise in &prepared.fixed {
                let holds = self.holds(&rule.premises[premise].premise, &rule.metas, binds);
                *cond = self.graph.and(*cond, holds);
            }
        }
        ways.retain(|(cond, _)| *cond != Lit::FALSE);
        ways
    }

    /// A subject's pattern, where finite fields are tested by the instances and only trees and variables are matched here.
    fn match_tree_fields(&mut self, node: OvId, form: &Form, metas: &[Meta], binds: Binds) -> Vec<(Lit, Binds)> {
        let loose = loosen(self.lang, form);
        self.match_tree(node, &loose, metas, Lit::TRUE, binds)
    }

    /// A test of a rule at a node: one literal per value.
    pub fn test_of(
        &mut self,
        plan: &JudgmentPlan,
        index: usize,
        test: &Test,
        node: OvId,
        ctx: CtxId,
        binds: &Binds,
    ) -> Row {
        let rule = self.lang.rule(plan.rules[index].rule);
        let envs = &self.ctxs[ctx.0 as usize].clone();
        match test {
            Test::Field(k) => binds.fields[*k].clone(),
            Test::Premise { premise, contexts } => {
                let Premise::Judgment(j, forms) = &rule.premises[*premise].premise else { return Row::from([]) };
                let plan = &self.plan.rules.judgments[j];
                let Form::Meta(m) = &forms[plan.subject] else { return Row::from([]) };
                let Some(Val::Tree(tree)) = binds.metas[m.index()] else { return Row::from([]) };
                let inner: Vec<EnvId> = contexts
                    .iter()
                    .zip(&plan.envs)
                    .map(|(c, arg)| self.extended(c, self.lang.judgment(*j).args[*arg], node, envs, binds))
                    .collect();
                let ctx = self.ctx(inner);
                self.judge(*j, tree, ctx)
            }
            Test::Entry { premise, env, key } => match key {
                Some(key) => match &self.envs[envs[*env].0 as usize] {
                    EnvVal::Array { entries, .. } => {
                        let (present, row) = entries[*key as usize].clone();
                        row.iter().map(|l| self.graph.and(present, *l)).collect()
                    }
                    EnvVal::Pointer(_) => Row::from([]),
                },
                None => {
                    let Premise::Entry { key: Form::Meta(x), prod, .. } = &rule.premises[*premise].premise else {
                        return Row::from([]);
                    };
                    match binds.metas[x.index()].clone() {
                        Some(Val::Refs(refs)) => self.look_up(&refs, envs[*env], self.lang.prod(*prod).sort),
                        _ => Row::from([]),
                    }
                }
            },
            Test::InDomain { env, key, .. } => match &self.envs[envs[*env].0 as usize] {
                EnvVal::Array { entries, .. } => Row::from([entries[*key as usize].0]),
                EnvVal::Pointer(_) => Row::from([]),
            },
        }
    }

    /// The environment of a premise.
    fn extended(&mut self, context: &Context, sort: SortId, node: OvId, envs: &[EnvId], binds: &Binds) -> EnvId {
        let width = self.plan.rules.envs[&sort].width;
        let mut id = match context.env {
            Some(e) => envs[e],
            None => self.empty_env(sort),
        };
        for extension in &context.extensions {
            let value = self.envs[id.0 as usize].clone();
            id = match (extension, value) {
                (Extension::Annotated(m), EnvVal::Pointer(overrides)) => {
                    let Some(Val::Binder(key)) = binds.metas[m.index()] else { continue };
                    self.annotated(overrides, sort, node, key)
                }
                (Extension::Variable(m, fields), EnvVal::Pointer(mut overrides)) => {
                    let Some(Val::Binder(key)) = binds.metas[m.index()] else { continue };
                    let entry = fields.map(|f| self.constant(f as usize, width));
                    overrides.retain(|(k, _)| *k != key);
                    overrides.push((key, entry));
                    overrides.sort_by_key(|(k, _)| *k);
                    self.env(EnvVal::Pointer(overrides))
                }
                (Extension::Key(key, fields), EnvVal::Array { entries, .. }) => {
                    let mut entries = entries.to_vec();
                    entries[*key as usize] = (Lit::TRUE, self.constant(*fields as usize, width));
                    self.env(EnvVal::Array { entries: entries.into(), before: None })
                }
                _ => id,
            };
        }
        id
    }

    /// Under a binder whose entry is its annotation: nothing to store, unless the node was made by a step.
    fn annotated(
        &mut self,
        mut overrides: Vec<(BinderKey, Option<Row>)>,
        sort: SortId,
        node: OvId,
        key: BinderKey,
    ) -> EnvId {
        overrides.retain(|(k, _)| *k != key);
        match self.get(node).clone() {
            Ov::New(prod, args) => {
                let var = args.iter().position(|a| *a == Arg::Binder(key));
                let fields = var.and_then(|v| self.plan.rules.annotations.get(&(prod, v)));
                let Some(fields) = fields else {
                    self.strained = true;
                    self.give_up("a binder inside of a pattern on a built term", self.lang.prod(prod).span);
                    return self.env(EnvVal::Pointer(overrides));
                };
                let rows: Vec<Row> = fields.iter().map(|f| self.field(node, prod, *f)).collect();
                let sizes: Vec<usize> = self.plan.rules.envs[&sort]
                    .fields
                    .iter()
                    .map(|f| self.plan.finite.of(self.lang, *f).len())
                    .collect();
                let entry = self.product(&rows, &sizes);
                overrides.push((key, Some(entry)));
                overrides.sort_by_key(|(k, _)| *k);
            }
            _ => {
                // A slot, changed or not: its fields are its own.
            }
        }
        self.env(EnvVal::Pointer(overrides))
    }

    /// The entries that a variable may mean, in an environment of bound variables.
    pub fn look_up(&mut self, refs: &Refs, env: EnvId, sort: SortId) -> Row {
        let plan = &self.plan.rules.envs[&sort];
        let EnvVal::Pointer(overrides) = self.envs[env.0 as usize].clone() else { return Row::from([]) };
        if overrides.is_empty()
            && let Some(row) = self.look_up_bits(refs, plan.width)
        {
            return row;
        }
        let mut row = vec![Lit::FALSE; plan.width];
        for (key, lit) in refs.iter() {
            let entry = match overrides.iter().find(|(k, _)| k == key) {
                Some((_, None)) => continue,
                Some((_, Some(entry))) => entry.clone(),
                None => match self.annotation(*key, sort) {
                    Some(entry) => entry,
                    None => continue,
                },
            };
            for (out, e) in row.iter_mut().zip(entry.iter()) {
                let both = self.graph.and(*lit, *e);
                *out = self.graph.or(*out, both);
            }
        }
        row.into()
    }

    /// The same by the bits of the annotations, which are fewer than the types.
    fn look_up_bits(&mut self, refs: &Refs, width: usize) -> Option<Row> {
        if refs.len() < 2 {
            return None;
        }
        let mut of = Vec::with_capacity(refs.len());
        for (key, lit) in refs.iter() {
            let BinderAt::Slot(slot, prod, var) = self.binders[key.0 as usize] else { return None };
            let [field] = self.plan.rules.annotations.get(&(prod, var))?[..] else { return None };
            let sort = self.lang.prod(prod).args[field];
            let domain = self.plan.finite.of(self.lang, sort);
            if self.plan.finite.is_restricted(sort) || domain.len() != width || domain.before != width {
                return None;
            }
            of.push((*lit, self.slot_field(slot, prod, field).0));
        }
        let bits: Vec<Lit> = (0..of[0].1.len())
            .map(|b| {
                let mut any = Lit::FALSE;
                for (lit, bits) in &of {
                    let both = self.graph.and(*lit, bits[b]);
                    any = self.graph.or(any, both);
                }
                any
            })
            .collect();
        let some = self.any(refs.iter().map(|(_, l)| *l));
        let row = self.spell(&bits, width);
        Some(row.iter().map(|l| self.graph.and(some, *l)).collect())
    }

    /// The annotation of a binder, as a tuple of fields.
    fn annotation(&mut self, key: BinderKey, sort: SortId) -> Option<Row> {
        let plan = self.plan;
        let BinderAt::Slot(slot, prod, var) = self.binders[key.0 as usize] else { return None };
        let args = plan.rules.annotations.get(&(prod, var))?;
        let rows: Vec<Row> = args.iter().map(|a| self.slot_field(slot, prod, *a).1).collect();
        let sizes: Vec<usize> =
            plan.rules.envs[&sort].fields.iter().map(|f| plan.finite.of(self.lang, *f).len()).collect();
        Some(self.product(&rows, &sizes))
    }

    /// The row of tuples.
    pub fn product(&mut self, rows: &[Row], sizes: &[usize]) -> Row {
        if let [row] = rows {
            return row.clone();
        }
        let width: usize = sizes.iter().product();
        let mut out = vec![Lit::FALSE; width];
        let mut values = vec![0u32; sizes.len()];
        for _ in 0..width {
            let lits: Vec<Lit> = values.iter().zip(rows).map(|(v, r)| r[*v as usize]).collect();
            out[tuple(&values, sizes) as usize] = self.graph.and_all(lits);
            for i in (0..sizes.len()).rev() {
                values[i] += 1;
                if (values[i] as usize) < sizes[i] {
                    break;
                }
                values[i] = 0;
            }
        }
        out.into()
    }

    pub fn empty_env(&mut self, sort: SortId) -> EnvId {
        let plan = self.plan;
        match plan.rules.envs.get(&sort) {
            Some(env) if !env.by_pointer => {
                let keys = plan.finite.of(self.lang, env.key).len();
                let row: Row = vec![Lit::FALSE; env.width].into();
                let entries = (0..keys).map(|_| (Lit::FALSE, row.clone())).collect();
                self.env(EnvVal::Array { entries, before: None })
            }
            _ => self.env(EnvVal::Pointer(Vec::new())),
        }
    }

    /// What the body has, if what takes the variable's place has all that the variable has.
    fn judge_lemma(&mut self, plan: &JudgmentPlan, body: OvId, pairs: &[(BinderKey, OvId)], ctx: CtxId) -> Row {
        let mut contexts = vec![ctx];
        for (key, _) in pairs {
            let BinderAt::Slot(_, prod, var) = self.binders[key.0 as usize] else {
                self.strained = true;
                continue;
            };
            if self.plan.rules.annotations.contains_key(&(prod, var)) {
                continue;
            }
            // No annotation: any entry will do, one at a time.
            let mut next = Vec::new();
            for ctx in contexts {
                next.extend(self.with_each_entry(plan, ctx, *key, self.lang.prod(prod).args[var]));
            }
            contexts = next;
        }
        let mut row = vec![Lit::FALSE; plan.width];
        for inner in contexts {
            let mut hit = Lit::TRUE;
            for (key, by) in pairs {
                let takes = self.takes_place(plan, *key, *by, inner, ctx);
                hit = self.graph.and(hit, takes);
            }
            if hit == Lit::FALSE {
                continue;
            }
            let of_body = self.judge(plan.judgment, body, inner);
            for (lit, b) in row.iter_mut().zip(of_body.iter()) {
                let both = self.graph.and(hit, *b);
                *lit = self.graph.or(*lit, both);
            }
        }
        row.into()
    }

    fn with_each_entry(&mut self, plan: &JudgmentPlan, ctx: CtxId, key: BinderKey, var: SortId) -> Vec<CtxId> {
        let args = &self.lang.judgment(plan.judgment).args;
        let envs = self.ctxs[ctx.0 as usize].clone();
        let mut out = Vec::new();
        for (i, arg) in plan.envs.iter().enumerate() {
            let env = &self.plan.rules.envs[&args[*arg]];
            let EnvVal::Pointer(overrides) = self.envs[envs[i].0 as usize].clone() else { continue };
            if env.key != var {
                continue;
            }
            for entry in 0..env.width {
                let mut overrides = overrides.clone();
                overrides.retain(|(k, _)| *k != key);
                overrides.push((key, Some(self.constant(entry, env.width))));
                overrides.sort_by_key(|(k, _)| *k);
                let mut envs = envs.clone();
                envs[i] = self.env(EnvVal::Pointer(overrides));
                out.push(self.ctx(envs));
            }
        }
        out
    }

    /// Every judgment that the variable has, in the context of the body, the tree has that takes its place.
    fn takes_place(&mut self, plan: &JudgmentPlan, key: BinderKey, by: OvId, inner: CtxId, outer: CtxId) -> Lit {
        let BinderAt::Slot(_, binding, var) = self.binders[key.0 as usize] else { return Lit::FALSE };
        let var_sort = self.lang.prod(binding).args[var];
        let mut all = Lit::TRUE;
        for prod in (0..self.lang.prods.len() as u32).map(ProdId) {
            let production = self.lang.prod(prod);
            if production.args[..] != [var_sort] || production.pieces.len() != 1 || production.is_binder(0) {
                continue;
            }
            let refs: Refs = [(key, Lit::TRUE)].into();
            let variable = self.ov(Ov::New(prod, [Arg::Refs(refs)].into()));
            for judgment in self.plan.about(plan.judgment, self.lang.base(production.sort)) {
                let other = &self.plan.rules.judgments[&judgment];
                let (args, own) = (&self.lang.judgment(judgment).args, &self.lang.judgment(plan.judgment).args);
                if !other.envs.iter().map(|e| args[*e]).eq(plan.envs.iter().map(|e| own[*e])) {
                    self.strained = true;
                    return Lit::FALSE;
                }
                let (has, gets) = (self.judge(judgment, variable, inner), self.judge(judgment, by, outer));
                for (h, g) in has.iter().zip(gets.iter()) {
                    let implied = self.graph.implies(*h, *g);
                    all = self.graph.and(all, implied);
                }
            }
        }
        all
    }
}

/// A pattern with its finite fields left open.
fn loosen(lang: &Lang, form: &Form) -> Form {
    match form {
        Form::Node(prod, args) => {
            let sorts = &lang.prod(*prod).args;
            let inner = args.iter().zip(sorts).map(|(arg, sort)| {
                if crate::tables::is_finite(lang, *sort) { Form::Any(lang.base(*sort)) } else { loosen(lang, arg) }
            });
            Form::Node(*prod, inner.collect())
        }
        other => other.clone(),
    }
}
