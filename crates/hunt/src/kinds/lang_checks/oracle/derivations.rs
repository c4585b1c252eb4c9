//! Derivations: every way to satisfy premises, by resolution.

use super::terms::{has_rigid, has_unknown, resolved};
use super::{DEEPEST, MOST_WORK, Oracle, Row, Stuck, Tree, Unknowns, Ways};
use lang::*;

impl Oracle<'_> {
    /// Every way to satisfy premises, the first that is ready first.
    pub(super) fn solve(
        &self,
        premises: &[&Premise],
        metas: &[Meta],
        row: Row,
        unknowns: Unknowns,
        depth: u32,
    ) -> Ways<Row> {
        if premises.is_empty() {
            return Ok(vec![(row, unknowns)]);
        }
        let ready = |p: &&Premise| self.is_ready(p, metas, &row);
        let at = premises.iter().position(|p| ready(p) && self.is_settled(p, metas, &row));
        let Some(at) = at.or(premises.iter().position(ready)) else {
            return Err(Stuck("no premise is ready"));
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
            Premise::InDomain { map, holds: true, .. } => known(map),
            Premise::Fresh(_) => true,
            Premise::Forall { key, fields, env, body, .. } => {
                let mut own = [&[*key][..], fields].concat();
                let mut all = known(env);
                body.each_form(&mut |f| all = all && self.is_known(f, metas, row, &mut own));
                all
            }
            other => {
                let mut all = true;
                other.each_form(&mut |f| all = all && known(f));
                all
            }
        }
    }

    /// Whether nothing is gained by waiting: types in environments, and what is denied, are known.
    fn is_settled(&self, premise: &Premise, metas: &[Meta], row: &Row) -> bool {
        let is_open = |m: &MetaId| row[m.index()].is_none() && self.is_type(metas[m.index()].sort);
        let mut needed = Vec::new();
        match premise {
            Premise::Judgment(j, forms) => {
                let maps = forms.iter().zip(&self.lang.judgment(*j).args).filter(|(_, s)| self.lang.is_map(**s));
                maps.for_each(|(f, _)| f.metas(&mut needed));
            }
            Premise::Not(inner) => inner.metas(&mut needed),
            Premise::Equal { holds: false, .. } => premise.metas(&mut needed),
            _ => {}
        }
        !needed.iter().any(is_open)
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
        if depth > DEEPEST || self.work.get() > MOST_WORK {
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
                let sorts = &self.lang.judgment(*j).args;
                let given = args.iter().zip(sorts).filter(|(_, s)| !self.is_type(**s));
                let given: Vec<(Tree, SortId)> = given.filter_map(|(a, s)| a.clone().map(|a| (a, *s))).collect();
                // An environment with a type that no premise says: any.
                let choices = if self.unifies.get() { vec![unknowns] } else { self.grounded(&given, unknowns)? };
                let mut found = Vec::new();
                for unknowns in choices {
                    found.extend(self.judge(*j, &args, unknowns, depth + 1)?);
                }
                for (results, mut unknowns) in found {
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
                let mut metas_of = Vec::new();
                inner.metas(&mut metas_of);
                let said = metas_of.iter().filter_map(|m| row[m.index()].as_ref());
                if said.map(|t| resolved(t, &unknowns)).any(|t| has_unknown(&t) || has_rigid(&t)) {
                    return Err(Stuck("a negation of unknowns"));
                }
                let copy = (row.clone(), unknowns.clone());
                self.apart(|| self.premise(inner, metas, copy.0, copy.1, depth + 1))?.is_empty()
            }
            Premise::InDomain { key, map, holds } => {
                let Some(Tree::Map(entries)) = self.build(map, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                if !self.is_known(key, metas, &row, &mut Vec::new()) {
                    for (_, entry) in &entries {
                        let (mut row, mut unknowns) = (row.clone(), unknowns.clone());
                        if self.matches(key, &entry[0], metas, &mut row, &mut unknowns, &mut Vec::new())? {
                            all.push((row, unknowns));
                        }
                    }
                    return Ok(all);
                }
                let Some(key) = self.build(key, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                entries.iter().any(|(_, entry)| entry[0] == key) == *holds
            }
            Premise::SameDomain(left, right) => {
                let left = self.build(left, metas, &mut row, &mut unknowns)?;
                let right = self.build(right, metas, &mut row, &mut unknowns)?;
                let (Some(Tree::Map(left)), Some(Tree::Map(right))) = (left, right) else { return Ok(all) };
                let within = |a: &[(ProdId, Vec<Tree>)], b: &[(ProdId, Vec<Tree>)]| {
                    a.iter().all(|(_, e)| b.iter().any(|(_, f)| e[0] == f[0]))
                };
                within(&left, &right) && within(&right, &left)
            }
            Premise::Fresh(meta) => {
                let stored = |m: &Meta| matches!(self.lang.sort(m.sort).kind, SortKind::Store { .. });
                let stores = row.iter().zip(metas).filter(|(_, m)| stored(m)).filter_map(|(t, _)| t.as_ref());
                let mut taken = Vec::new();
                for store in stores {
                    if let Tree::Map(entries) = store {
                        taken.extend(entries.iter().map(|(_, e)| e[0].clone()));
                    }
                }
                match &row[meta.index()] {
                    Some(name) => !taken.contains(name),
                    None => {
                        // Beyond all that inputs have: a program may mention what its store lacks.
                        let sort = metas[meta.index()].sort;
                        let new = (self.count(sort)?..).map(|k| Tree::Atom(sort, k)).find(|name| !taken.contains(name));
                        row[meta.index()] = new;
                        true
                    }
                }
            }
            Premise::Compare(compare, left, right) => {
                let left = self.build(left, metas, &mut row, &mut unknowns)?;
                let right = self.build(right, metas, &mut row, &mut unknowns)?;
                let (Some(Tree::Int(a)), Some(Tree::Int(b))) = (left, right) else { return Ok(all) };
                match compare {
                    Compare::Eq => a == b,
                    Compare::Ne => a != b,
                    Compare::Lt => a < b,
                    Compare::Le => a <= b,
                    Compare::Gt => a > b,
                    Compare::Ge => a >= b,
                }
            }
            Premise::Forall { prod, key, fields, env, body } => {
                let Some(Tree::Map(entries)) = self.build(env, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                let mut ways = vec![unknowns];
                for (_, entry) in entries.iter().filter(|(p, _)| p == prod) {
                    let mut inner = row.clone();
                    for (meta, tree) in std::iter::once(key).chain(fields).zip(entry) {
                        inner[meta.index()] = Some(tree.clone());
                    }
                    let mut next = Vec::new();
                    for unknowns in ways {
                        for (_, unknowns) in self.premise(body, metas, inner.clone(), unknowns, depth + 1)? {
                            next.push(unknowns);
                        }
                    }
                    ways = next;
                }
                return Ok(ways.into_iter().map(|unknowns| (row.clone(), unknowns)).collect());
            }
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

    /// What the rules say of a judgment, by resolution.
    pub(super) fn resolve(&self, j: JudgId, args: &[Option<Tree>], unknowns: Unknowns, depth: u32) -> Ways<Vec<Tree>> {
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
