//! Derivations: every way to satisfy premises, by resolution.

use super::terms::{has_unknown, resolved};
use super::{DEEPEST, Oracle, Row, Stuck, Tree, Unknowns, Ways};
use lang::*;

impl Oracle<'_> {
    /// Every way to satisfy premises, the first that is ready first.
    pub(super) fn solve(&self, premises: &[&Premise], metas: &[Meta], row: Row, unknowns: Unknowns, depth: u32) -> Ways<Row> {
        let Some(at) = premises.iter().position(|p| self.is_ready(p, metas, &row)) else {
            return if premises.is_empty() { Ok(vec![(row, unknowns)]) } else { Err(Stuck("no premise is ready")) };
        };
        let mut rest = premises.to_vec();
        let premise = rest.remove(at);
        let mut all = Vec::new();
        for (row, unknowns) in self.premise(premise, metas, row, unknowns, depth)? {
            all.extend(self.solve(&rest, metas, row, unknowns, depth)?);
        }
        Ok(all)
    }

    /// Whether the programs and maps of a form are known.
    pub(super) fn is_known(&self, form: &Form, metas: &[Meta], row: &Row, own: &mut Vec<MetaId>) -> bool {
        match form {
            Form::Meta(m) => row[m.index()].is_some() || own.contains(m) || self.is_type(metas[m.index()].sort),
            Form::Node(prod, forms) => {
                let binders = self.lang.prod(*prod).binders.iter();
                own.extend(binders.filter_map(|b| if let Form::Meta(m) = forms[b.var] { Some(m) } else { None }));
                forms.iter().all(|f| self.is_known(f, metas, row, own))
            }
            other => {
                let mut all = true;
                other.each_child(&mut |child| all = all && self.is_known(child, metas, row, own));
                all
            }
        }
    }

    pub(super) fn is_ready(&self, premise: &Premise, metas: &[Meta], row: &Row) -> bool {
        let known = |form: &Form| self.is_known(form, metas, row, &mut Vec::new());
        match premise {
            Premise::Judgment(j, forms) => {
                let judgment = self.lang.judgment(*j);
                if judgment.reduction.is_some() {
                    return known(&forms[0]);
                }
                let first = judgment.args.iter().position(|s| self.is_program(*s));
                let is_needed = |i: usize| Some(i) == first || self.lang.is_map(judgment.args[i]);
                (0..forms.len()).all(|i| !is_needed(i) || known(&forms[i]))
            }
            Premise::Equal { left, right, holds: true } => known(left) || known(right),
            Premise::Entry { env, .. } => known(env),
            other => {
                let mut all = true;
                other.each_form(&mut |f| all = all && known(f));
                all
            }
        }
    }

    pub(super) fn premise(
        &self,
        premise: &Premise,
        metas: &[Meta],
        mut row: Row,
        mut unknowns: Unknowns,
        depth: u32,
    ) -> Ways<Row> {
        self.work.set(self.work.get() + 1);
        if depth > DEEPEST || self.work.get() > 3_000_000 {
            return Err(Stuck("derivations go deep"));
        }
        let mut all = Vec::new();
        let holds = match premise {
            Premise::Judgment(j, forms) => {
                let mut args = Vec::new();
                for form in forms {
                    args.push(match self.is_known(form, metas, &row, &mut Vec::new()) {
                        true => match self.build(form, metas, &mut row, &mut unknowns)? {
                            Some(arg) => Some(arg),
                            None => return Ok(all),
                        },
                        false => None,
                    });
                }
                for (results, mut unknowns) in self.judge(*j, &args, unknowns, depth + 1)? {
                    let mut row = row.clone();
                    let mut later = Vec::new();
                    let mut fits = true;
                    for ((form, arg), result) in forms.iter().zip(&args).zip(&results) {
                        fits = fits
                            && (arg.is_some()
                                || self.matches(form, result, metas, &mut row, &mut unknowns, &mut later)?);
                    }
                    if fits && self.settles(&later, metas, &mut row, &mut unknowns)? {
                        all.push((row, unknowns));
                    }
                }
                return Ok(all);
            }
            Premise::Entry { prod, key, fields, env } => {
                let Some(Tree::Map(entries)) = self.build(env, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                for (p, entry) in entries.iter().rev() {
                    let (mut row, mut unknowns, mut later) = (row.clone(), unknowns.clone(), Vec::new());
                    let mut fits = p == prod;
                    for (form, tree) in std::iter::once(key).chain(fields).zip(entry) {
                        fits = fits && self.matches(form, tree, metas, &mut row, &mut unknowns, &mut later)?;
                    }
                    if fits && later.is_empty() {
                        all.push((row, unknowns));
                    }
                }
                return Ok(all);
            }
            Premise::Equal { left, right, holds: true } => {
                let known = |form: &Form, row: &Row| self.is_known(form, metas, row, &mut Vec::new());
                let (from, to) = if known(left, &row) { (left, right) } else { (right, left) };
                let Some(tree) = self.build(from, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                let mut later = Vec::new();
                self.matches(to, &tree, metas, &mut row, &mut unknowns, &mut later)?
                    && self.settles(&later, metas, &mut row, &mut unknowns)?
            }
            Premise::Equal { left, right, holds: false } => {
                let (a, b) = (
                    self.build(left, metas, &mut row, &mut unknowns)?,
                    self.build(right, metas, &mut row, &mut unknowns)?,
                );
                let (Some(a), Some(b)) = (a, b) else { return Ok(all) };
                let (a, b) = (resolved(&a, &unknowns), resolved(&b, &unknowns));
                if has_unknown(&a) || has_unknown(&b) {
                    return Err(Stuck("an inequality of unknowns"));
                }
                !self.same(&a, &b, &mut Vec::new())
            }
            Premise::Is { form, sort, holds } => {
                let Some(tree) = self.build(form, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                self.is_member(&tree, *sort) == *holds
            }
            Premise::Steps(j, form) => {
                let Some(tree) = self.build(form, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                !self.steps(*j, &tree, depth + 1)?.is_empty()
            }
            Premise::Not(inner) => {
                let found = self.premise(inner, metas, row.clone(), unknowns.clone(), depth + 1)?;
                found.is_empty()
            }
            _ => return Err(Stuck("another premise")),
        };
        if holds {
            all.push((row, unknowns));
        }
        Ok(all)
    }

    /// What was left to be computed is what it was matched against.
    pub(super) fn settles(
        &self,
        later: &[(&Form, Tree)],
        metas: &[Meta],
        row: &mut Row,
        unknowns: &mut Unknowns,
    ) -> Result<bool, Stuck> {
        for (form, tree) in later {
            match self.build(form, metas, row, unknowns)? {
                Some(built) if self.unify(&built, tree, unknowns) => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    pub(super) fn judge(&self, j: JudgId, args: &[Option<Tree>], unknowns: Unknowns, depth: u32) -> Ways<Vec<Tree>> {
        if self.lang.judgment(j).reduction.is_some() {
            let Some(before) = &args[0] else { return Err(Stuck("a step of nothing")) };
            let mut all = Vec::new();
            for after in self.steps(j, before, depth)? {
                if args[1].as_ref().is_none_or(|a| self.same(a, &after, &mut Vec::new())) {
                    all.push((vec![before.clone(), after], unknowns.clone()));
                }
            }
            return Ok(all);
        }
        let mut all = Vec::new();
        for (_, rule) in self.lang.rules_of(j) {
            let (mut row, mut own, mut later) = (vec![None; rule.metas.len()], unknowns.clone(), Vec::new());
            let mut fits = true;
            for (form, arg) in rule.conclusion.iter().zip(args) {
                if let Some(arg) = arg {
                    fits = fits && self.matches(form, arg, &rule.metas, &mut row, &mut own, &mut later)?;
                }
            }
            if !fits {
                continue;
            }
            let premises: Vec<&Premise> = rule.premises.iter().map(|l| &l.premise).collect();
            for (mut row, mut own) in self.solve(&premises, &rule.metas, row, own, depth)? {
                if !self.settles(&later, &rule.metas, &mut row, &mut own)? {
                    continue;
                }
                let mut results = Vec::new();
                for (form, arg) in rule.conclusion.iter().zip(args) {
                    results.push(match arg {
                        Some(arg) => Some(arg.clone()),
                        None => self.build(form, &rule.metas, &mut row, &mut own)?,
                    });
                }
                if let Some(results) = results.into_iter().collect() {
                    all.push((results, own));
                }
            }
        }
        Ok(all)
    }
}
