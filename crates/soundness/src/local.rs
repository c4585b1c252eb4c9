//! Obligations that do not depend on where a step happens (docs/lang.md, "Tiers").
//!
//! If every rule of the judgments concerned sees the trees below only through judgments, then `J(redex) ⊆ J(contractum)` for all of
//! them implies the same at every ancestor, and for `t[v/x]` the substitution lemma replaces the body. So what has to be shown is
//! about the redex alone. Tier 0 asks it once per rule, with the redex at the root and everything below a horizon left
//! free: unsatisfiable means preserved at every position of every tree. Tier 1 asks it per class, with the whole tree around it.

use crate::encoder::{CtxId, Encoder, OvId, Val};
use crate::guards::{Class, Way};
use crate::pattern::Binds;
use crate::plan::Plan;
use crate::property::Setup;
use crate::rules::{Extension, Test, tree_subject};
use crate::shape::is_tree;
use formula::Lit;
use lang::*;

/// The shape of a preservation theorem: the judgment that is kept, and what else must hold after the step.
#[derive(Clone, Debug)]
pub struct Preservation {
    pub judgment: JudgId,
    /// Which premise it is.
    pub premise: usize,
    /// The conclusion's form of it.
    pub after: Vec<Form>,
    /// Conclusions that do not speak of the program.
    pub rest: Vec<Located>,
    /// That the program is typed means that the redex is.
    pub descends: bool,
    /// There are other premises than the judgment and the step.
    pub has_context: bool,
    /// A derivation has one judgment about each part of the program, so that what exists may depend on it: `new null` has many types,
    /// and each of them its own entry for the new location.
    pub is_linear: bool,
}

impl Preservation {
    pub fn find(plan: &Plan) -> Option<Preservation> {
        let (lang, check) = (plan.lang, plan.check);
        let steps = plan.steps.as_ref()?;
        let [conclusion] = &check.conclusions[..] else { return None };
        let mut forms = check.premises.iter().filter_map(|l| match &l.premise {
            Premise::Judgment(j, forms) if *j == steps.judgment => Some(forms),
            _ => None,
        });
        let step = forms.next()?;
        if forms.next().is_some() {
            return None;
        }
        let tree_of = |form: &Form| -> Option<MetaId> {
            match form {
                Form::Meta(m) => Some(*m),
                Form::Node(prod, args) => args.iter().zip(&lang.prod(*prod).args).find_map(|(a, s)| match a {
                    Form::Meta(m) if is_tree(lang, *s) => Some(*m),
                    _ => None,
                }),
                _ => None,
            }
        };
        let (before, after) = (tree_of(&step[0])?, tree_of(&step[1])?);
        let mentions = |l: &Located, m: MetaId| {
            let mut metas = Vec::new();
            l.premise.each_form(&mut |f| f.metas(&mut metas));
            metas.contains(&m)
        };
        let (about, rest): (Vec<&Located>, Vec<&Located>) = conclusion.iter().partition(|l| mentions(l, after));
        let [about] = about[..] else { return None };
        let Premise::Judgment(judgment, forms) = &about.premise else { return None };
        let subject = tree_subject(lang, *judgment)?;
        if forms[subject] != Form::Meta(after) || rest.iter().any(|l| matches!(l.premise, Premise::Steps(..))) {
            return None;
        }
        // The same judgment before, up to an environment that may have grown.
        let premise = check.premises.iter().position(|l| match &l.premise {
            Premise::Judgment(j, old) if j == judgment && old[subject] == Form::Meta(before) => {
                old.iter().zip(forms).enumerate().all(|(i, (o, n))| {
                    let grown = check
                        .exists
                        .iter()
                        .any(|(m, base)| *n == Form::Meta(*m) && base.is_some_and(|b| *o == Form::Meta(b)));
                    i == subject || o == n || grown
                })
            }
            _ => false,
        })?;
        let closed = check.exists.iter().all(|(_, base)| base.is_some());
        if !closed || !plan.is_local(*judgment) {
            return None;
        }
        let others =
            check.premises.iter().enumerate().filter(|(i, l)| {
                *i != premise && !matches!(&l.premise, Premise::Judgment(j, _) if *j == steps.judgment)
            });
        let others: Vec<&Located> = others.map(|(_, l)| l).collect();
        // Other premises about the program before would be lost below the root.
        if others.iter().any(|l| mentions(l, before)) || rest.iter().any(|l| mentions(l, before)) {
            return None;
        }
        Some(Preservation {
            judgment: *judgment,
            premise,
            after: forms.clone(),
            rest: rest.into_iter().cloned().collect(),
            descends: plan.descends(*judgment),
            has_context: !others.is_empty(),
            is_linear: plan.is_linear(*judgment),
        })
    }
}

impl<'l> Plan<'l> {
    /// Judgments that the rules of one reach, itself included.
    pub fn reach(&self, judgment: JudgId) -> Vec<JudgId> {
        let mut seen = vec![judgment];
        let mut next = 0;
        while next < seen.len() {
            for (_, rule) in self.lang.rules_of(seen[next]) {
                for premise in &rule.premises {
                    if let Premise::Judgment(j, _) = premise.premise
                        && self.rules.judgments.contains_key(&j)
                        && !seen.contains(&j)
                    {
                        seen.push(j);
                    }
                }
            }
            next += 1;
        }
        seen
    }

    /// Of those, the ones about trees of a sort.
    pub fn about(&self, judgment: JudgId, sort: SortId) -> Vec<JudgId> {
        let mut found = self.reach(judgment);
        found.retain(|j| self.rules.judgments.get(j).is_some_and(|p| p.sort == sort));
        found
    }

    /// Every rule reached sees trees only through judgments, and extends only environments of bound variables.
    pub fn is_local(&self, judgment: JudgId) -> bool {
        self.reach(judgment).iter().all(|j| {
            let Some(plan) = self.rules.judgments.get(j) else { return false };
            let extends = |t: &Test| match t {
                Test::Premise { contexts, .. } => contexts
                    .iter()
                    .any(|c| c.env.is_none() || c.extensions.iter().any(|e| matches!(e, Extension::Key(..)))),
                _ => false,
            };
            plan.is_local && !plan.rules.iter().any(|r| r.tests.iter().any(extends))
        })
    }

    /// Whether no rule reached has two premises about the same tree.
    fn is_linear(&self, judgment: JudgId) -> bool {
        self.reach(judgment).iter().flat_map(|j| self.lang.rules_of(*j)).all(|(_, rule)| {
            let mut subjects: Vec<&Form> = Vec::new();
            rule.premises.iter().all(|l| match &l.premise {
                Premise::Judgment(j, forms) => match tree_subject(self.lang, *j) {
                    Some(s) if subjects.contains(&&forms[s]) => false,
                    Some(s) => {
                        subjects.push(&forms[s]);
                        matches!(forms[s], Form::Meta(_))
                    }
                    None => true,
                },
                _ => true,
            })
        })
    }

    /// Whether some rule puts a type into the environment that only its premises know (let, case): such bodies are judged once per
    /// type, and again in each other.
    pub fn multiplies(&self) -> bool {
        let puts = |e: &Extension| matches!(e, Extension::Variable(_, Some(_)) | Extension::Key(..));
        self.rules.judgments.values().flat_map(|j| &j.rules).flat_map(|r| &r.tests).any(|t| match t {
            Test::Premise { contexts, .. } => contexts.iter().any(|c| c.extensions.iter().any(puts)),
            _ => false,
        })
    }

    /// Whether every rule has a premise about the subtree in which a context goes on, so that what is evaluated is typed.
    fn descends(&self, judgment: JudgId) -> bool {
        let Some(steps) = &self.steps else { return false };
        let mut holes: Vec<(ProdId, usize)> = Vec::new();
        for sort in &self.lang.sorts {
            if let SortKind::Context { alts, .. } = &sort.kind {
                alts.iter().for_each(|a| hole_path(self.lang, &a.form, &mut holes));
            }
        }
        for (rule, meta) in &steps.congruences {
            meta_path(&self.lang.rule(*rule).conclusion[0], *meta, &mut holes);
        }
        self.reach(judgment).iter().all(|j| {
            let Some(plan) = self.rules.judgments.get(j) else { return false };
            plan.rules.iter().enumerate().all(|(index, r)| {
                let rule = self.lang.rule(r.rule);
                let Form::Node(prod, args) = &rule.conclusion[plan.subject] else {
                    return plan.is_about_same(index);
                };
                args.iter().enumerate().filter(|(i, _)| holes.contains(&(*prod, *i))).all(|(_, arg)| {
                    let Form::Meta(m) = arg else { return false };
                    rule.premises.iter().any(|l| match &l.premise {
                        Premise::Judgment(k, forms) => {
                            tree_subject(self.lang, *k).is_some_and(|s| forms[s] == Form::Meta(*m))
                        }
                        _ => false,
                    })
                })
            })
        })
    }
}

fn hole_path(lang: &Lang, form: &Form, out: &mut Vec<(ProdId, usize)>) {
    if let Form::Node(prod, args) = form {
        for (i, arg) in args.iter().enumerate() {
            if crate::guards::has_hole(lang, arg) {
                out.push((*prod, i));
                hole_path(lang, arg, out);
            }
        }
    }
}

fn meta_path(form: &Form, meta: MetaId, out: &mut Vec<(ProdId, usize)>) {
    if let Form::Node(prod, args) = form {
        for (i, arg) in args.iter().enumerate() {
            let mut metas = Vec::new();
            arg.metas(&mut metas);
            if metas.contains(&meta) {
                out.push((*prod, i));
                meta_path(arg, meta, out);
            }
        }
    }
}

impl Encoder<'_, '_> {
    /// That a class does not keep what its redex has, or breaks another conclusion: unsatisfiable means that it breaks nothing.
    pub fn breaks_locally(&mut self, setup: &Setup, class: &Class, kept: &Preservation) -> Option<Lit> {
        let mut any = Lit::FALSE;
        for way in &class.ways {
            let bad = self.way_breaks_locally(setup, class, way, kept)?;
            any = self.graph.or(any, bad);
        }
        Some(any)
    }

    fn way_breaks_locally(&mut self, setup: &Setup, class: &Class, way: &Way, kept: &Preservation) -> Option<Lit> {
        let plan = self.plan;
        let steps = plan.steps.as_ref()?;
        let state = setup.state.clone()?;
        let rule = self.lang.rule(class.rule);
        let after = self.build(&rule.conclusion[1], steps.state, &rule.metas, &way.binds, true)?;
        if after.value == Val::Error {
            // Other conclusions have to hold all the same, unless the state after has a form that an error does not have.
            let is_settled = kept.rest.is_empty() || !matches!(setup.steps.first()?.1, Form::Meta(_));
            return is_settled.then_some(Lit::FALSE);
        }
        let (contractum, stores, _) = self.contractum(&state, &after.value)?;
        let after_form = setup.steps.first()?.1.clone();
        // The production around the program stays, below the root; at the root it must be the form's for the premise to hold.
        let mut shown = state.clone();
        shown.root = contractum;
        shown.stores = stores;
        if let Form::Node(prod, _) = &after_form {
            shown.prod = Some(*prod);
        }
        let binds = self.bind_after(&after_form, &shown, &setup.binds)?;
        let redex = self.at_slot(class.slot);
        let sort = self.sort_at(class)?;
        let before = self.forms_ctx(kept.judgment, &self.premise_forms(kept), &setup.binds)?;
        let mut choices = Vec::new();
        for choice in self.choices(&binds)? {
            let ctx = self.forms_ctx(kept.judgment, &kept.after, &choice)?;
            let mut inner = choice.clone();
            let mut rest = Lit::TRUE;
            for located in &kept.rest {
                let holds = self.bind_or_hold(&located.premise, &plan.check.metas, &mut inner)?;
                rest = self.graph.and(rest, holds);
            }
            choices.push((rest, self.gets(kept.judgment, sort, redex, contractum, before, ctx)?));
        }
        let fine = if kept.is_linear { self.fine_each(&choices) } else { self.fine_at_once(&choices) };
        let real = self.graph.and(way.cond, way.after.within);
        Some(self.graph.and(real, !fine))
    }

    fn premise_forms(&self, kept: &Preservation) -> Vec<Form> {
        match &self.plan.check.premises[kept.premise].premise {
            Premise::Judgment(_, forms) => forms.clone(),
            _ => Vec::new(),
        }
    }

    pub fn sort_at(&self, class: &Class) -> Option<SortId> {
        let rule = self.lang.rule(class.rule);
        match &rule.conclusion[0] {
            Form::Node(prod, _) if self.plan.steps.as_ref().is_some_and(|s| s.is_configuration) => {
                let args = &self.lang.prod(*prod).args;
                args.iter().find(|s| is_tree(self.lang, **s)).map(|s| self.lang.base(*s))
            }
            Form::Node(prod, _) => Some(self.lang.prod(*prod).sort),
            Form::Meta(m) => Some(self.lang.base(rule.metas[m.index()].sort)),
            _ => None,
        }
    }

    /// The environments that the forms of a judgment give.
    pub fn forms_ctx(&mut self, judgment: JudgId, forms: &[Form], binds: &Binds) -> Option<CtxId> {
        let plan = self.plan;
        let of = plan.rules.judgments.get(&judgment)?;
        let args = &self.lang.judgment(judgment).args;
        let mut envs = Vec::new();
        for &env in &of.envs {
            let built = self.build(&forms[env], args[env], &plan.check.metas, binds, false)?;
            let Val::Env(id) = built.value else { return None };
            envs.push(id);
        }
        Some(self.ctx(envs))
    }

    /// The same environments for another judgment, by their sorts.
    pub fn ctx_for(&mut self, from: JudgId, ctx: CtxId, to: JudgId) -> Option<CtxId> {
        let plan = self.plan;
        let (a, b) = (plan.rules.judgments.get(&from)?, plan.rules.judgments.get(&to)?);
        let (sorts, wanted) = (&self.lang.judgment(from).args, &self.lang.judgment(to).args);
        let envs = self.ctxs[ctx.0 as usize].clone();
        let mut found = Vec::new();
        for e in &b.envs {
            let at = a.envs.iter().position(|x| sorts[*x] == wanted[*e])?;
            found.push(envs[at]);
        }
        Some(self.ctx(found))
    }

    /// Every judgment that the one tree may have, and whether the other has it.
    fn gets(
        &mut self,
        judgment: JudgId,
        sort: SortId,
        redex: OvId,
        contractum: OvId,
        before: CtxId,
        after: CtxId,
    ) -> Option<Vec<(Lit, Lit)>> {
        let mut all = Vec::new();
        for other in self.plan.about(judgment, sort) {
            let (b, a) = (self.ctx_for(judgment, before, other)?, self.ctx_for(judgment, after, other)?);
            let (has, gets) = (self.judge(other, redex, b), self.judge(other, contractum, a));
            all.extend(has.iter().copied().zip(gets.iter().copied()));
        }
        Some(all)
    }

    /// One choice of what exists for all judgments that the redex has.
    fn fine_at_once(&mut self, choices: &[(Lit, Vec<(Lit, Lit)>)]) -> Lit {
        let mut fine = Lit::FALSE;
        for (rest, kept) in choices {
            let mut all = *rest;
            for (has, gets) in kept {
                let implied = self.graph.implies(*has, *gets);
                all = self.graph.and(all, implied);
            }
            fine = self.graph.or(fine, all);
        }
        fine
    }

    /// A choice for each judgment that the redex has: a derivation uses but one.
    fn fine_each(&mut self, choices: &[(Lit, Vec<(Lit, Lit)>)]) -> Lit {
        let judgments = choices.first().map_or(0, |(_, kept)| kept.len());
        // Also where a derivation uses none.
        let mut fine = self.any(choices.iter().map(|(rest, _)| *rest));
        for k in 0..judgments {
            let mut any = Lit::FALSE;
            for (rest, kept) in choices {
                let both = self.graph.and(*rest, kept[k].1);
                any = self.graph.or(any, both);
            }
            let implied = self.graph.implies(choices[0].1[k].0, any);
            fine = self.graph.and(fine, implied);
        }
        fine
    }

    /// That some judgment concerned holds of a tree.
    pub fn typed(&mut self, judgment: JudgId, sort: SortId, tree: OvId, ctx: CtxId) -> Option<Lit> {
        let mut any = Lit::FALSE;
        for other in self.plan.about(judgment, sort) {
            let inner = self.ctx_for(judgment, ctx, other)?;
            let row = self.judge(other, tree, inner);
            let here = self.any(row.iter().copied());
            any = self.graph.or(any, here);
        }
        Some(any)
    }
}
