//! Right sides built from what a left side bound (docs/lang.md, "Classes and guards" and "After a step").
//!
//! A built value comes with the condition that it exists (`σ(x)` needs an entry) and with the condition that it is within the
//! domains: what a step makes outside of them is clipped, and neither stuck nor a violation (docs/lang.md, "What a verdict means").

use crate::encoder::{Arg, BinderAt, Encoder, EnvVal, Ov, Row, StoreId, Stored, Val};
use crate::finite::arith;
use crate::pattern::Binds;
use crate::tables::is_finite;
use formula::Lit;
use lang::*;

#[derive(Clone, Debug)]
pub struct Built {
    pub value: Val,
    pub exists: Lit,
    pub within: Lit,
}

impl Built {
    fn of(value: Val) -> Built {
        Built { value, exists: Lit::TRUE, within: Lit::TRUE }
    }
}

impl Encoder<'_, '_> {
    /// Builds a form of a sort. `lemma`: substitutions by the substitution lemma.
    pub fn build(&mut self, form: &Form, sort: SortId, metas: &[Meta], binds: &Binds, lemma: bool) -> Option<Built> {
        match form {
            Form::Meta(m) => binds.metas[m.index()].clone().map(Built::of),
            Form::Error => Some(Built::of(Val::Error)),
            Form::Int(n) => {
                let domain = self.plan.finite.of(self.lang, sort);
                let position = domain.numbers.iter().position(|x| x == n)?;
                Some(Built::of(Val::Fin(self.constant(position, domain.len()))))
            }
            Form::Atom(s, k) => {
                let n = self.plan.finite.of(self.lang, *s).len();
                // A quoted name beyond the bound.
                ((*k as usize) < n).then(|| Built::of(Val::Fin(self.constant(*k as usize, n))))
            }
            Form::Arith(op, a, b) => {
                let (a, b) = (self.build(a, sort, metas, binds, lemma)?, self.build(b, sort, metas, binds, lemma)?);
                let (Val::Fin(x), Val::Fin(y)) = (&a.value, &b.value) else { return None };
                let domain = self.plan.finite.of(self.lang, sort);
                let mut row = vec![Lit::FALSE; domain.len()];
                let mut outside = Lit::FALSE;
                for (i, l) in x.iter().enumerate().filter(|(_, l)| **l != Lit::FALSE) {
                    for (j, k) in y.iter().enumerate().filter(|(_, k)| **k != Lit::FALSE) {
                        let result = arith(*op, domain.numbers[i], domain.numbers[j]);
                        let both = self.graph.and(*l, *k);
                        match domain.numbers.iter().position(|n| *n == result) {
                            Some(at) => row[at] = self.graph.or(row[at], both),
                            None => outside = self.graph.or(outside, both),
                        }
                    }
                }
                self.joined(Val::Fin(row.into()), !outside, &[a, b])
            }
            Form::Node(prod, args) if is_finite(self.lang, self.lang.prod(*prod).sort) => {
                self.build_finite(*prod, args, metas, binds, lemma)
            }
            Form::Node(prod, args) => self.build_node(*prod, args, metas, binds, lemma),
            Form::Subst { body, pairs } => {
                let of = self.build(body, sort, metas, binds, lemma)?;
                let mut parts = vec![of.clone()];
                let Val::Tree(mut tree) = of.value else { return None };
                let mut keys = Vec::new();
                for (by, var) in pairs {
                    let Form::Meta(x) = var else { return None };
                    let Some(Val::Binder(key)) = binds.metas[x.index()] else { return None };
                    let by = self.build(by, sort, metas, binds, lemma)?;
                    let Val::Tree(by_tree) = by.value else { return None };
                    parts.push(by);
                    keys.push((key, by_tree));
                }
                if lemma {
                    tree = self.ov(Ov::Lemma { body: tree, pairs: keys.into() });
                } else {
                    for (binder, by) in keys {
                        tree = self.ov(Ov::Sub { body: tree, binder, by });
                    }
                }
                self.joined(Val::Tree(tree), Lit::TRUE, &parts)
            }
            Form::Lookup { store, key } => {
                let s = self.build(store, sort, metas, binds, lemma)?;
                let (Val::Store(id), Some(store_sort)) = (&s.value, self.sort_of(store, metas)) else { return None };
                let key_sort = self.store_key(store_sort)?;
                let k = self.build(key, key_sort, metas, binds, lemma)?;
                let Val::Fin(row) = &k.value else { return None };
                let (found, exists) = self.stored(*id, row)?;
                let mut built = self.joined(found, Lit::TRUE, &[s, k])?;
                built.exists = self.graph.and(built.exists, exists);
                Some(built)
            }
            Form::Update { store, key, value } => {
                let store_sort = self.sort_of(store, metas)?;
                self.build_update(store, store_sort, key, value, metas, binds, lemma)
            }
            Form::Any(_) | Form::Hole(_) | Form::Call(..) => None,
        }
    }

    fn joined(&mut self, value: Val, within: Lit, parts: &[Built]) -> Option<Built> {
        let mut built = Built { value, exists: Lit::TRUE, within };
        for part in parts {
            built.exists = self.graph.and(built.exists, part.exists);
            built.within = self.graph.and(built.within, part.within);
        }
        Some(built)
    }

    fn sort_of(&self, form: &Form, metas: &[Meta]) -> Option<SortId> {
        match form {
            Form::Meta(m) => Some(metas[m.index()].sort),
            Form::Node(prod, _) => Some(self.lang.prod(*prod).sort),
            Form::Update { store, .. } => self.sort_of(store, metas),
            _ => None,
        }
    }

    pub fn store_key(&self, store: SortId) -> Option<SortId> {
        match self.lang.sort(store).kind {
            SortKind::Store { extension, .. } => Some(self.lang.prod(extension).args[1]),
            _ => None,
        }
    }

    fn build_finite(
        &mut self,
        prod: ProdId,
        args: &[Form],
        metas: &[Meta],
        binds: &Binds,
        lemma: bool,
    ) -> Option<Built> {
        let sorts = self.lang.prod(prod).args.clone();
        let sort = self.lang.prod(prod).sort;
        let mut parts = Vec::new();
        for (arg, s) in args.iter().zip(&sorts) {
            parts.push(self.build(arg, *s, metas, binds, lemma)?);
        }
        let plan = self.plan;
        let mut row = vec![Lit::FALSE; plan.finite.of(self.lang, sort).len()];
        let mut inside = Lit::FALSE;
        for (member, values) in plan.decomposed(prod) {
            let mut all = Lit::TRUE;
            for (part, value) in parts.iter().zip(values) {
                let Val::Fin(of) = &part.value else { return None };
                all = self.graph.and(all, of[*value as usize]);
            }
            row[*member as usize] = all;
            inside = self.graph.or(inside, all);
        }
        self.joined(Val::Fin(row.into()), inside, &parts)
    }

    fn build_node(&mut self, prod: ProdId, args: &[Form], metas: &[Meta], binds: &Binds, lemma: bool) -> Option<Built> {
        let production = self.lang.prod(prod);
        match self.lang.sort(production.sort).kind {
            SortKind::Store { empty, .. } if empty == prod => {
                let key = self.store_key(production.sort)?;
                let keys = self.plan.finite.of(self.lang, key).len();
                let filler = self.store_filler(production.sort)?;
                let store = self.store((0..keys).map(|_| (Lit::FALSE, filler.clone())).collect());
                return Some(Built::of(Val::Store(store)));
            }
            SortKind::Store { .. } => {
                return self.build_update(&args[0], production.sort, &args[1], &args[2], metas, binds, lemma);
            }
            SortKind::Env { empty, .. } if empty == prod => {
                return Some(Built::of(Val::Env(self.empty_env(production.sort))));
            }
            SortKind::Env { .. } => {
                let plan = self.plan.rules.envs.get(&production.sort)?;
                let env = self.build(&args[0], production.sort, metas, binds, lemma)?;
                let (Val::Env(id), false) = (&env.value, plan.by_pointer) else { return None };
                let mut parts = vec![env.clone()];
                let mut rows = Vec::new();
                for (arg, sort) in args[1..].iter().zip([plan.key].iter().chain(&plan.fields)) {
                    let part = self.build(arg, *sort, metas, binds, lemma)?;
                    let Val::Fin(row) = &part.value else { return None };
                    rows.push(row.clone());
                    parts.push(part);
                }
                let sizes: Vec<usize> = plan.fields.iter().map(|f| self.plan.finite.of(self.lang, *f).len()).collect();
                let fields = self.product(&rows[1..], &sizes);
                let EnvVal::Array { entries, .. } = self.envs[id.0 as usize].clone() else { return None };
                let mut updated = Vec::new();
                for (key, (present, row)) in rows[0].iter().zip(entries.iter()) {
                    let fields: Row =
                        fields.iter().zip(row.iter()).map(|(new, old)| self.graph.ite(*key, *new, *old)).collect();
                    updated.push((self.graph.or(*key, *present), fields));
                }
                let id = self.env(EnvVal::Array { entries: updated.into(), before: None });
                return self.joined(Val::Env(id), Lit::TRUE, &parts);
            }
            _ => {}
        }
        let mut parts = Vec::new();
        let mut built = Vec::new();
        let mut inner = binds.clone();
        for binder in &production.binders {
            let Form::Meta(x) = &args[binder.var] else { return None };
            if !matches!(inner.metas[x.index()], Some(Val::Binder(_))) {
                self.new_binders += 1;
                let key = self.binder(BinderAt::New(self.new_binders));
                inner.metas[x.index()] = Some(Val::Binder(key));
            }
        }
        for (i, (arg, &sort)) in args.iter().zip(&production.args).enumerate() {
            if production.is_binder(i) {
                let Form::Meta(x) = arg else { return None };
                let Some(Val::Binder(key)) = inner.metas[x.index()] else { return None };
                built.push(Arg::Binder(key));
                continue;
            }
            if self.lang.sort(sort).kind == SortKind::Var {
                let Form::Meta(x) = arg else { return None };
                built.push(match inner.metas[x.index()].clone()? {
                    Val::Binder(key) => Arg::Refs([(key, Lit::TRUE)].into()),
                    Val::Refs(refs) => Arg::Refs(refs),
                    _ => return None,
                });
                continue;
            }
            let part = self.build(arg, sort, metas, &inner, lemma)?;
            built.push(match &part.value {
                Val::Tree(id) => Arg::Tree(*id),
                Val::Fin(row) => Arg::Fin(row.clone()),
                Val::Store(id) => Arg::Store(*id),
                _ => return None,
            });
            parts.push(part);
        }
        let id = self.ov(Ov::New(prod, built.into()));
        self.joined(Val::Tree(id), Lit::TRUE, &parts)
    }

    /// Something to stand where a store has no entry.
    fn store_filler(&mut self, sort: SortId) -> Option<Stored> {
        let SortKind::Store { extension, .. } = self.lang.sort(sort).kind else { return None };
        let value = self.lang.prod(extension).args[2];
        if is_finite(self.lang, value) {
            let n = self.plan.finite.of(self.lang, value).len();
            return Some(Stored::Fin(vec![Lit::FALSE; n].into()));
        }
        let slot = self.root(value, self.plan.entry_extent(value));
        Some(Stored::Tree(self.at_slot(slot)))
    }

    #[allow(clippy::too_many_arguments)]
    fn build_update(
        &mut self,
        store: &Form,
        sort: SortId,
        key: &Form,
        value: &Form,
        metas: &[Meta],
        binds: &Binds,
        lemma: bool,
    ) -> Option<Built> {
        let SortKind::Store { extension, .. } = self.lang.sort(sort).kind else { return None };
        let args = self.lang.prod(extension).args.clone();
        let s = self.build(store, sort, metas, binds, lemma)?;
        let k = self.build(key, args[1], metas, binds, lemma)?;
        let v = self.build(value, args[2], metas, binds, lemma)?;
        let (Val::Store(id), Val::Fin(keys)) = (&s.value, &k.value) else { return None };
        let entries = self.stores[id.0 as usize].entries.clone();
        let mut updated = Vec::new();
        for ((present, old), &hit) in entries.iter().zip(keys.iter()) {
            let stored = match (old, &v.value) {
                (Stored::Tree(old), Val::Tree(new)) => Stored::Tree(self.ov(Ov::Ite(hit, *new, *old))),
                (Stored::Fin(old), Val::Fin(new)) => {
                    Stored::Fin(old.iter().zip(new.iter()).map(|(o, n)| self.graph.ite(hit, *n, *o)).collect())
                }
                _ => return None,
            };
            updated.push((self.graph.or(hit, *present), stored));
        }
        let id = self.store(updated);
        self.joined(Val::Store(id), Lit::TRUE, &[s, k, v])
    }

    /// What a store has at a key, and whether it has anything.
    fn stored(&mut self, store: StoreId, key: &Row) -> Option<(Val, Lit)> {
        let entries = self.stores[store.0 as usize].entries.clone();
        let mut exists = Lit::FALSE;
        let mut found: Option<Stored> = None;
        for ((present, stored), &hit) in entries.iter().zip(key.iter()) {
            if hit == Lit::FALSE {
                continue;
            }
            let here = self.graph.and(hit, *present);
            exists = self.graph.or(exists, here);
            found = Some(match (found, stored) {
                (None, stored) => stored.clone(),
                (Some(Stored::Tree(old)), Stored::Tree(new)) => Stored::Tree(self.ov(Ov::Ite(hit, *new, old))),
                (Some(Stored::Fin(old)), Stored::Fin(new)) => {
                    Stored::Fin(old.iter().zip(new.iter()).map(|(o, n)| self.graph.ite(hit, *n, *o)).collect())
                }
                _ => return None,
            });
        }
        let value = match found? {
            Stored::Tree(id) => Val::Tree(id),
            Stored::Fin(row) => Val::Fin(row),
        };
        Some((value, exists))
    }
}
