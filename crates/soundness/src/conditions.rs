//! Premises evaluated where every metavariable has a value (docs/lang.md, "Classes and guards" and "After a step"): one method per kind of premise.
//!
//! In: a premise and values for its metavariables. Out: the literal that it holds; none if it is of a kind, or about values, that the
//! encoding does not carry.

use crate::encoder::{CtxId, Encoder, EnvId, EnvVal, Row, Stored, Val};
use crate::evaluate::Built;
use crate::finite::compare;
use crate::pattern::Binds;
use crate::rules::{EnvPlan, JudgmentPlan};
use crate::shape::is_tree;
use crate::tables::is_table;
use formula::Lit;
use lang::*;
use source::Span;
use std::rc::Rc;

/// Entries of an environment that is an array: whether there is one, and what it is.
type Entries = Rc<[(Lit, Row)]>;

/// The metavariables of a clause, and their values.
type Given<'a> = (&'a [Meta], &'a Binds);

impl<'p> Encoder<'p, '_> {
    /// A premise all of whose metavariables have values. What cannot be evaluated is said, and false.
    pub fn holds(&mut self, premise: &Premise, metas: &[Meta], binds: &Binds) -> Lit {
        self.try_holds(premise, metas, binds).unwrap_or_else(|| {
            self.give_up("a premise of this kind", Span::default());
            Lit::FALSE
        })
    }

    fn try_holds(&mut self, premise: &Premise, metas: &[Meta], binds: &Binds) -> Option<Lit> {
        let given = (metas, binds);
        match premise {
            Premise::Judgment(j, forms) => self.derivable(*j, forms, given),
            Premise::Not(inner) => self.try_holds(inner, metas, binds).map(|l| !l),
            Premise::Is { form, sort, holds } => self.is_of_sort(form, *sort, *holds, given),
            Premise::Equal { left, right, holds } => self.equation(left, right, *holds, given),
            Premise::Compare(how, left, right) => self.comparison(*how, left, right, given),
            Premise::InDomain { key, map, holds } => self.in_domain(key, map, *holds, given),
            Premise::SameDomain(a, b) => self.same_domain(a, b, given),
            Premise::Entry { key, fields, env, .. } => self.entry(key, fields, env, given),
            Premise::Forall { key, fields, env, body, .. } => self.for_all((*key, fields), env, body, given),
            Premise::Fresh(_) | Premise::Steps(..) => None,
        }
    }

    fn built(&mut self, form: &Form, sort: SortId, (metas, binds): Given) -> Option<Built> {
        self.build(form, sort, metas, binds, false)
    }

    /// A value whose form says its sort.
    fn value(&mut self, form: &Form, given: Given) -> Option<Val> {
        Some(self.built(form, SortId(0), given)?.value)
    }

    fn finite(&mut self, form: &Form, sort: SortId, given: Given) -> Option<Row> {
        if let Val::Fin(row) = self.built(form, sort, given)?.value { Some(row) } else { None }
    }

    fn derivable(&mut self, judgment: JudgId, forms: &[Form], given: Given) -> Option<Lit> {
        let sorts = self.lang.judgment(judgment).args.clone();
        let mut values = Vec::new();
        let mut exists = Lit::TRUE;
        for (form, sort) in forms.iter().zip(&sorts) {
            let built = self.built(form, *sort, given)?;
            exists = self.graph.and(exists, built.exists);
            values.push(built.value);
        }
        let holds = self.judgment_holds(judgment, &values)?;
        Some(self.graph.and(exists, holds))
    }

    fn is_of_sort(&mut self, form: &Form, sort: SortId, holds: bool, given: Given) -> Option<Lit> {
        let built = self.built(form, self.lang.base(sort), given)?;
        let member = match &built.value {
            Val::Tree(id) => self.member(*id, sort),
            Val::Fin(row) => self.field_matches(row, self.lang.base(sort), &Form::Any(sort)),
            Val::Error => Lit::FALSE,
            _ => return None,
        };
        Some(self.graph.and(built.exists, member.flip(!holds)))
    }

    /// Both sides of a condition, of one sort and within the domains.
    fn sides(&mut self, left: &Form, right: &Form, given: Given) -> Option<(SortId, Built, Built)> {
        let sort = self.common_sort(left, right, given.0)?;
        Some((sort, self.built(left, sort, given)?, self.built(right, sort, given)?))
    }

    fn equation(&mut self, left: &Form, right: &Form, holds: bool, given: Given) -> Option<Lit> {
        let (_, a, b) = self.sides(left, right, given)?;
        let exists = self.graph.and(a.exists, b.exists);
        self.must_be_within(&a)?;
        self.must_be_within(&b)?;
        let same = self.equal_values(&a.value, &b.value)?;
        Some(self.graph.and(exists, same.flip(!holds)))
    }

    fn comparison(&mut self, how: Compare, left: &Form, right: &Form, given: Given) -> Option<Lit> {
        let (sort, a, b) = self.sides(left, right, given)?;
        let (Val::Fin(x), Val::Fin(y)) = (&a.value, &b.value) else { return None };
        self.must_be_within(&a)?;
        self.must_be_within(&b)?;
        let numbers = &self.plan.finite.of(self.lang, sort).numbers;
        let mut any = Lit::FALSE;
        for (i, l) in x.iter().enumerate() {
            for (j, k) in y.iter().enumerate() {
                if compare(how, numbers[i], numbers[j]) {
                    let both = self.graph.and(*l, *k);
                    any = self.graph.or(any, both);
                }
            }
        }
        Some(any)
    }

    fn in_domain(&mut self, key: &Form, map: &Form, holds: bool, given: Given) -> Option<Lit> {
        let (Form::Meta(m), value) = (map, self.value(map, given)?) else { return None };
        let key_sort = self.key_sort(given.0[m.index()].sort)?;
        let key = self.finite(key, key_sort, given)?;
        let domain = self.domain_of(&value)?;
        Some(self.equal_rows(&key, &domain).flip(!holds))
    }

    fn same_domain(&mut self, a: &Form, b: &Form, given: Given) -> Option<Lit> {
        let (a, b) = (self.value(a, given)?, self.value(b, given)?);
        let (a, b) = (self.domain_of(&a)?, self.domain_of(&b)?);
        let mut all = Lit::TRUE;
        for (x, y) in a.iter().zip(&b) {
            let same = self.graph.iff(*x, *y);
            all = self.graph.and(all, same);
        }
        Some(all)
    }

    /// An environment whose entries are kept: how, and which.
    fn entries(&mut self, env: &Form, given: Given) -> Option<(&'p EnvPlan, Entries)> {
        let (Form::Meta(m), Val::Env(id)) = (env, self.value(env, given)?) else { return None };
        let plan = self.plan.rules.envs.get(&given.0[m.index()].sort)?;
        let EnvVal::Array { entries, .. } = &self.envs[id.0 as usize] else { return None };
        Some((plan, entries.clone()))
    }

    fn sizes_of(&self, sorts: &[SortId]) -> Vec<usize> {
        sorts.iter().map(|sort| self.plan.finite.of(self.lang, *sort).len()).collect()
    }

    fn entry(&mut self, key: &Form, fields: &[Form], env: &Form, given: Given) -> Option<Lit> {
        let (plan, entries) = self.entries(env, given)?;
        let key = self.finite(key, plan.key, given)?;
        let rows: Option<Vec<Row>> =
            fields.iter().zip(&plan.fields).map(|(field, sort)| self.finite(field, *sort, given)).collect();
        let wanted = self.product(&rows?, &self.sizes_of(&plan.fields));
        let mut any = Lit::FALSE;
        for (hit, (present, row)) in key.iter().zip(entries.iter()) {
            let same = self.equal_rows(&wanted, row);
            let both = self.graph.and(*hit, *present);
            let all = self.graph.and(both, same);
            any = self.graph.or(any, all);
        }
        Some(any)
    }

    fn for_all(&mut self, (key, fields): (MetaId, &[MetaId]), env: &Form, body: &Premise, given: Given) -> Option<Lit> {
        let (plan, entries) = self.entries(env, given)?;
        let (metas, binds) = given;
        let sizes = self.sizes_of(&plan.fields);
        let mut all = Lit::TRUE;
        for (k, (present, row)) in entries.iter().enumerate() {
            for (value, lit) in row.iter().enumerate() {
                let here = self.graph.and(*present, *lit);
                if here == Lit::FALSE {
                    continue;
                }
                let mut inner = binds.clone();
                inner.metas[key.index()] = Some(Val::Fin(self.constant(k, entries.len())));
                let mut rest = value;
                for (field, size) in fields.iter().zip(&sizes).rev() {
                    inner.metas[field.index()] = Some(Val::Fin(self.constant(rest % size, *size)));
                    rest /= size;
                }
                let holds = self.try_holds(body, metas, &inner)?;
                let implied = self.graph.implies(here, holds);
                all = self.graph.and(all, implied);
            }
        }
        Some(all)
    }

    /// A judgment about given values.
    pub fn judgment_holds(&mut self, judgment: JudgId, values: &[Val]) -> Option<Lit> {
        if is_table(self.lang, judgment) {
            return self.in_table(judgment, values);
        }
        match self.plan.rules.judgments.get(&judgment) {
            Some(of) => self.judged(of, values),
            None => self.by_rules(judgment, values),
        }
    }

    fn in_table(&mut self, judgment: JudgId, values: &[Val]) -> Option<Lit> {
        let plan = self.plan;
        let table = plan.tables.get(&judgment)?;
        let sorts = &self.lang.judgment(judgment).args;
        let mut any = Lit::FALSE;
        for row in &table.rows {
            let mut all = Lit::TRUE;
            for ((term, sort), value) in row.iter().zip(sorts).zip(values) {
                let Val::Fin(lits) = value else { return None };
                let position = plan.finite.of(self.lang, *sort).position(*term);
                let lit = position.map_or(Lit::FALSE, |p| lits[p as usize]);
                all = self.graph.and(all, lit);
            }
            any = self.graph.or(any, all);
        }
        Some(any)
    }

    /// A judgment about a tree.
    fn judged(&mut self, of: &JudgmentPlan, values: &[Val]) -> Option<Lit> {
        let envs: Option<Vec<EnvId>> =
            of.envs.iter().map(|e| if let Val::Env(id) = values[*e] { Some(id) } else { None }).collect();
        let ctx: CtxId = self.ctx(envs?);
        let tree = match values[of.subject] {
            Val::Tree(tree) => tree,
            // `error` is not a program; that it ends every check well is settled where steps are.
            Val::Error => return Some(Lit::FALSE),
            _ => return None,
        };
        let row = self.judge(of.judgment, tree, ctx);
        let finite = |(arg, _): &(usize, SortId)| if let Val::Fin(r) = &values[*arg] { Some(r.clone()) } else { None };
        let rows = of.outs.iter().map(finite).collect::<Option<Vec<Row>>>()?;
        if rows.is_empty() {
            return Some(row[0]);
        }
        let sorts: Vec<SortId> = of.outs.iter().map(|out| out.1).collect();
        let wanted = self.product(&rows, &self.sizes_of(&sorts));
        Some(self.equal_rows(&wanted, &row))
    }

    /// About environments and stores: rules with metavariables for arguments, evaluated one by one.
    fn by_rules(&mut self, judgment: JudgId, values: &[Val]) -> Option<Lit> {
        let sorts = self.lang.judgment(judgment).args.clone();
        if sorts.iter().any(|s| is_tree(self.lang, *s)) || self.lang.judgment(judgment).reduction.is_some() {
            return None;
        }
        let mut any = Lit::FALSE;
        for (_, rule) in self.lang.rules_of(judgment).collect::<Vec<_>>() {
            let mut ways = vec![(Lit::TRUE, Binds::new(rule.metas.len()))];
            for ((form, value), sort) in rule.conclusion.iter().zip(values).zip(&sorts) {
                let mut next = Vec::new();
                for (cond, binds) in ways {
                    next.extend(self.match_any(value.clone(), *sort, form, &rule.metas, cond, binds));
                }
                ways = next;
            }
            for (mut cond, mut binds) in ways {
                for premise in &rule.premises {
                    let holds = self.bind_or_hold(&premise.premise, &rule.metas, &mut binds)?;
                    cond = self.graph.and(cond, holds);
                }
                any = self.graph.or(any, cond);
            }
        }
        Some(any)
    }

    fn key_sort(&self, sort: SortId) -> Option<SortId> {
        self.store_key(sort).or_else(|| self.plan.rules.envs.get(&sort).map(|e| e.key))
    }

    /// Which keys have an entry.
    pub fn domain_of(&self, value: &Val) -> Option<Vec<Lit>> {
        match value {
            Val::Store(id) => Some(self.stores[id.0 as usize].entries.iter().map(|(p, _)| *p).collect()),
            Val::Env(id) => match &self.envs[id.0 as usize] {
                EnvVal::Array { entries, .. } => Some(entries.iter().map(|(p, _)| *p).collect()),
                EnvVal::Pointer(_) => None,
            },
            _ => None,
        }
    }

    /// The sort of whichever side has one.
    fn common_sort(&self, left: &Form, right: &Form, metas: &[Meta]) -> Option<SortId> {
        fn of(lang: &Lang, form: &Form, metas: &[Meta]) -> Option<SortId> {
            match form {
                Form::Meta(m) => Some(lang.base(metas[m.index()].sort)),
                Form::Node(prod, _) => Some(lang.prod(*prod).sort),
                Form::Atom(sort, _) => Some(*sort),
                Form::Arith(_, a, b) => of(lang, a, metas).or_else(|| of(lang, b, metas)),
                Form::Subst { body, .. } => of(lang, body, metas),
                Form::Lookup { store, .. } => {
                    let Form::Meta(m) = &**store else { return None };
                    match lang.sort(metas[m.index()].sort).kind {
                        SortKind::Store { extension, .. } => Some(lang.base(lang.prod(extension).args[2])),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        of(self.lang, left, metas).or_else(|| of(self.lang, right, metas))
    }

    pub fn equal_values(&mut self, a: &Val, b: &Val) -> Option<Lit> {
        Some(match (a, b) {
            (Val::Tree(x), Val::Tree(y)) => self.equal_trees(*x, *y, &[]),
            (Val::Fin(x), Val::Fin(y)) => self.equal_rows(x, y),
            (Val::Error, Val::Error) => Lit::TRUE,
            (Val::Error, _) | (_, Val::Error) => Lit::FALSE,
            (Val::Store(x), Val::Store(y)) => {
                let (x, y) = (self.stores[x.0 as usize].entries.clone(), self.stores[y.0 as usize].entries.clone());
                let mut all = Lit::TRUE;
                for ((p, u), (q, v)) in x.iter().zip(y.iter()) {
                    let same_domain = self.graph.iff(*p, *q);
                    let same = match (u, v) {
                        (Stored::Tree(u), Stored::Tree(v)) => self.equal_trees(*u, *v, &[]),
                        (Stored::Fin(u), Stored::Fin(v)) => self.equal_rows(u, v),
                        _ => return None,
                    };
                    let same = self.graph.or(same, !*p);
                    let both = self.graph.and(same_domain, same);
                    all = self.graph.and(all, both);
                }
                all
            }
            (Val::Env(x), Val::Env(y)) if x == y => Lit::TRUE,
            _ => return None,
        })
    }

    /// A premise, which may bind metavariables by an equation.
    pub fn bind_or_hold(&mut self, premise: &Premise, metas: &[Meta], binds: &mut Binds) -> Option<Lit> {
        if let Premise::Equal { left, right, holds: true } = premise {
            for (from, to) in [(left, right), (right, left)] {
                let mut open = Vec::new();
                to.metas(&mut open);
                if open.iter().all(|m| binds.metas[m.index()].is_some()) {
                    continue;
                }
                // An equation that has to be solved for something inside of a sum or a product.
                if !crate::ground::is_pattern(to) {
                    return None;
                }
                let sort = self.common_sort(to, from, metas)?;
                let built = self.build(from, sort, metas, binds, false)?;
                self.must_be_within(&built)?;
                let found = self.match_any(built.value, sort, to, metas, Lit::TRUE, binds.clone());
                let [(cond, inner)] = &found[..] else { return found.is_empty().then_some(Lit::FALSE) };
                *binds = inner.clone();
                return Some(self.graph.and(built.exists, *cond));
            }
        }
        self.try_holds(premise, metas, binds)
    }

    /// A value beyond those that are kept would make a condition wrong, not clipped.
    fn must_be_within(&self, built: &Built) -> Option<()> {
        (built.within == Lit::TRUE).then_some(())
    }
}
