//! Forms: building what they stand for, matching what is there, and the user's functions.

use super::terms::{has_unknown, head, resolved};
use super::{DEEPEST, Oracle, Row, Stuck, Tree, Unknowns};
use lang::*;

impl Oracle<'_> {
    /// Builds a form. A type that nothing has said anything about becomes an unknown. None: undefined.
    pub(super) fn build(
        &self,
        form: &Form,
        metas: &[Meta],
        row: &mut Row,
        unknowns: &mut Unknowns,
    ) -> Result<Option<Tree>, Stuck> {
        Ok(Some(match form {
            Form::Meta(m) => match &row[m.index()] {
                Some(tree) => tree.clone(),
                None if self.is_type(metas[m.index()].sort) => {
                    unknowns.push(None);
                    let tree = Tree::Unknown(unknowns.len() as u32 - 1);
                    row[m.index()] = Some(tree.clone());
                    tree
                }
                None => return Err(Stuck("something is not determined")),
            },
            Form::Int(n) => Tree::Int(*n),
            Form::Atom(sort, n) => Tree::Atom(*sort, *n),
            Form::Error => Tree::Error,
            Form::Node(prod, forms) => {
                let production = self.lang.prod(*prod);
                for binder in &production.binders {
                    if let Form::Meta(m) = forms[binder.var] {
                        row[m.index()].get_or_insert_with(|| Tree::Name(self.new_name()));
                    }
                }
                let mut args = Vec::new();
                for form in forms {
                    let Some(arg) = self.build(form, metas, row, unknowns)? else { return Ok(None) };
                    args.push(arg);
                }
                if args.contains(&Tree::Error) {
                    return Ok(Some(Tree::Error));
                }
                match (self.lang.is_map(production.sort), &args[..]) {
                    (true, []) => Tree::Map(Vec::new()),
                    (true, [map, entry @ ..]) => self.extended(map, *prod, entry.to_vec())?,
                    _ => Tree::Node(*prod, args),
                }
            }
            Form::Subst { body, pairs } => {
                let Some(mut body) = self.build(body, metas, row, unknowns)? else { return Ok(None) };
                for (by, var) in pairs {
                    let by = self.build(by, metas, row, unknowns)?;
                    let var = self.build(var, metas, row, unknowns)?;
                    let (Some(by), Some(Tree::Name(name))) = (by, var) else { return Ok(None) };
                    body = self.replaced(&body, name, &by);
                }
                body
            }
            Form::Call(fun, forms) => {
                let mut args = Vec::new();
                for form in forms {
                    let Some(arg) = self.build(form, metas, row, unknowns)? else { return Ok(None) };
                    args.push(resolved(&arg, unknowns));
                }
                if args.iter().any(has_unknown) {
                    return Err(Stuck("a function of unknowns"));
                }
                return self.call(*fun, &args);
            }
            Form::Lookup { store, key } => {
                let (store, key) = (self.build(store, metas, row, unknowns)?, self.build(key, metas, row, unknowns)?);
                let (Some(Tree::Map(entries)), Some(key)) = (store, key) else { return Ok(None) };
                return Ok(entries.iter().find(|(_, e)| e[0] == key).map(|(_, e)| e[1].clone()));
            }
            Form::Update { store, key, value } => {
                let sort = self.map_sort(store, metas).ok_or(Stuck("a map of no sort"))?;
                let prods = self.lang.prods_of(sort);
                let entry = prods.iter().find(|p| self.lang.prod(**p).args.len() == 3).ok_or(Stuck("no entries"))?;
                let mut parts = Vec::new();
                for form in [store, key, value] {
                    let Some(part) = self.build(form, metas, row, unknowns)? else { return Ok(None) };
                    parts.push(part);
                }
                self.extended(&parts[0], *entry, parts[1..].to_vec())?
            }
            Form::Arith(op, left, right) => {
                let sides = (self.build(left, metas, row, unknowns)?, self.build(right, metas, row, unknowns)?);
                let (Some(Tree::Int(a)), Some(Tree::Int(b))) = sides else { return Ok(None) };
                Tree::Int(match op {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    Op::Mul => a * b,
                })
            }
            _ => return Err(Stuck("another form")),
        }))
    }

    fn map_sort(&self, form: &Form, metas: &[Meta]) -> Option<SortId> {
        match form {
            Form::Meta(m) => Some(metas[m.index()].sort),
            Form::Node(prod, _) => Some(self.lang.prod(*prod).sort),
            Form::Update { store, .. } => self.map_sort(store, metas),
            _ => None,
        }
    }

    /// What the first equation that matches, and whose conditions hold, says.
    fn call(&self, fun: FunId, args: &[Tree]) -> Result<Option<Tree>, Stuck> {
        if self.calls.get() > DEEPEST {
            return Err(Stuck("a function goes deep"));
        }
        let function = self.lang.fun(fun);
        for equation in &function.equations {
            let (mut row, mut unknowns) = (vec![None; equation.metas.len()], Vec::new());
            let mut later = Vec::new();
            let mut all = true;
            for (form, arg) in equation.left.iter().zip(args) {
                all = all && self.matches(form, arg, &equation.metas, &mut row, &mut unknowns, &mut later)?;
            }
            if !all || !later.is_empty() {
                continue;
            }
            let conditions: Vec<&Premise> = equation.conditions.iter().map(|l| &l.premise).collect();
            let ways = self.apart(|| self.solve(&conditions, &equation.metas, row, unknowns, 0))?;
            let Some((mut row, mut unknowns)) = ways.into_iter().next() else { continue };
            self.calls.set(self.calls.get() + 1);
            let value = self.build(&equation.right, &equation.metas, &mut row, &mut unknowns);
            self.calls.set(self.calls.get() - 1);
            return Ok(value?.filter(|v| *v == Tree::Error || self.is_member(v, function.result)));
        }
        Ok(None)
    }

    /// Matches a form against a tree; what has to be computed is left for later.
    pub(super) fn matches<'f>(
        &self,
        form: &'f Form,
        tree: &Tree,
        metas: &[Meta],
        row: &mut Row,
        unknowns: &mut Unknowns,
        later: &mut Vec<(&'f Form, Tree)>,
    ) -> Result<bool, Stuck> {
        let tree = head(tree, unknowns);
        Ok(match form {
            Form::Meta(m) => match row[m.index()].clone() {
                Some(known) => self.unify(&known, &tree, unknowns),
                None => {
                    let sort = metas[m.index()].sort;
                    let fits = match &tree {
                        Tree::Unknown(_) if self.lang.base(sort) == sort => true,
                        Tree::Unknown(_) | Tree::Rigid(_) if self.lang.base(sort) != sort => {
                            return Err(Stuck("a subset of types"));
                        }
                        Tree::Map(_) => self.lang.is_map(sort),
                        Tree::Error => self.is_program(sort),
                        tree => self.is_member(tree, sort),
                    };
                    row[m.index()] = Some(tree);
                    fits
                }
            },
            Form::Node(prod, forms) => match tree {
                Tree::Unknown(_) => {
                    let Some(built) = self.build(form, metas, row, unknowns)? else { return Ok(false) };
                    self.unify(&built, &tree, unknowns)
                }
                Tree::Map(entries) => match (entries.split_last(), &forms[..]) {
                    (None, []) => true,
                    (Some(((_, entry), _)), [_, ..]) if matches!(entry.first(), Some(Tree::Atom(..))) => {
                        return Err(Stuck("a map is taken apart"));
                    }
                    (Some(((p, fields), rest)), [map, inner @ ..]) if p == prod => {
                        if !self.matches(map, &Tree::Map(rest.to_vec()), metas, row, unknowns, later)? {
                            return Ok(false);
                        }
                        for (form, field) in inner.iter().zip(fields) {
                            if !self.matches(form, field, metas, row, unknowns, later)? {
                                return Ok(false);
                            }
                        }
                        true
                    }
                    _ => false,
                },
                Tree::Node(p, mut args) if p == *prod => {
                    let production = self.lang.prod(p);
                    for binder in &production.binders {
                        let (Form::Meta(m), Tree::Name(old)) = (&forms[binder.var], &args[binder.var]) else {
                            return Err(Stuck("a binder"));
                        };
                        let (old, new) = (*old, self.new_name());
                        if row[m.index()].is_some() {
                            return Err(Stuck("a binder twice"));
                        }
                        row[m.index()] = Some(Tree::Name(new));
                        for i in &binder.scope {
                            args[*i] = self.replaced_name(&args[*i], old, new);
                        }
                    }
                    for (i, (form, arg)) in forms.iter().zip(&args).enumerate() {
                        if !production.is_binder(i) && !self.matches(form, arg, metas, row, unknowns, later)? {
                            return Ok(false);
                        }
                    }
                    true
                }
                _ => false,
            },
            Form::Any(sort) => match &tree {
                Tree::Unknown(_) => true,
                Tree::Map(_) => true,
                tree => self.is_member(tree, *sort),
            },
            Form::Int(n) => tree == Tree::Int(*n),
            Form::Atom(sort, n) => tree == Tree::Atom(*sort, *n),
            Form::Error => tree == Tree::Error,
            other => {
                later.push((other, tree));
                true
            }
        })
    }
}
