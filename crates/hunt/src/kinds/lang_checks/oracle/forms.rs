//! Forms: building what they stand for, matching what is there, and the user's functions.

use super::terms::head;
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
                if self.lang.is_map(production.sort) {
                    let Some(Tree::Map(entries)) = args.first().cloned().or(Some(Tree::Map(Vec::new()))) else {
                        return Err(Stuck("no map"));
                    };
                    let mut entries = entries;
                    if args.len() > 1 {
                        entries.push((*prod, args[1..].to_vec()));
                    }
                    return Ok(Some(Tree::Map(entries)));
                }
                Tree::Node(*prod, args)
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
                    args.push(arg);
                }
                return self.call(*fun, &args, 0);
            }
            _ => return Err(Stuck("another form")),
        }))
    }

    pub(super) fn call(&self, fun: FunId, args: &[Tree], depth: u32) -> Result<Option<Tree>, Stuck> {
        if depth > DEEPEST {
            return Err(Stuck("a function goes deep"));
        }
        for equation in &self.lang.fun(fun).equations {
            if !equation.conditions.is_empty() {
                return Err(Stuck("a condition of an equation"));
            }
            let (mut row, mut unknowns) = (vec![None; equation.metas.len()], Vec::new());
            let mut later = Vec::new();
            let mut all = true;
            for (form, arg) in equation.left.iter().zip(args) {
                all = all && self.matches(form, arg, &equation.metas, &mut row, &mut unknowns, &mut later)?;
            }
            if all && later.is_empty() {
                return self.build(&equation.right, &equation.metas, &mut row, &mut unknowns);
            }
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
                        Tree::Unknown(_) => return Err(Stuck("a subset of types")),
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
            Form::Error => tree == Tree::Error,
            other => {
                later.push((other, tree));
                true
            }
        })
    }
}
