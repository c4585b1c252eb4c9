//! Terms: membership, equality modulo the names of bound variables, substitution, unification of types.

use super::{Oracle, Stuck, Tree, Unknowns};
use lang::*;

impl Oracle<'_> {
    pub(super) fn is_member(&self, tree: &Tree, sort: SortId) -> bool {
        match &self.lang.sort(sort).kind {
            SortKind::Sub { alts, .. } => alts.iter().any(|alt| self.has_shape(tree, &alt.form)),
            SortKind::Var => matches!(tree, Tree::Name(_)),
            SortKind::Int => matches!(tree, Tree::Int(_)),
            SortKind::Atom | SortKind::Loc => matches!(tree, Tree::Atom(s, _) if *s == sort),
            SortKind::Env { .. } | SortKind::Store { .. } => matches!(tree, Tree::Map(_)),
            SortKind::Grammar { .. } if matches!(tree, Tree::Rigid(_)) => self.is_type(sort),
            _ => matches!(tree, Tree::Node(p, _) if self.lang.prod(*p).sort == sort),
        }
    }

    pub(super) fn has_shape(&self, tree: &Tree, form: &Form) -> bool {
        match (form, tree) {
            (Form::Any(sort), _) => self.is_member(tree, *sort),
            (Form::Node(p, forms), Tree::Node(q, args)) => {
                p == q && forms.iter().zip(args).all(|(f, a)| self.has_shape(a, f))
            }
            (Form::Int(n), Tree::Int(m)) => n == m,
            (Form::Atom(s, n), Tree::Atom(t, m)) => (s, n) == (t, m),
            _ => false,
        }
    }

    /// Equality modulo the names of bound variables.
    pub(super) fn same(&self, a: &Tree, b: &Tree, pairs: &mut Vec<(u32, u32)>) -> bool {
        match (a, b) {
            (Tree::Name(x), Tree::Name(y)) => match pairs.iter().rev().find(|(p, q)| p == x || q == y) {
                Some((p, q)) => p == x && q == y,
                None => x == y,
            },
            (Tree::Node(p, xs), Tree::Node(q, ys)) if p == q => {
                let production = self.lang.prod(*p);
                (0..xs.len()).all(|i| {
                    if production.is_binder(i) {
                        return true;
                    }
                    let before = pairs.len();
                    for binder in production.binders_over(i) {
                        if let (Tree::Name(x), Tree::Name(y)) = (&xs[binder.var], &ys[binder.var]) {
                            pairs.push((*x, *y));
                        }
                    }
                    let same = self.same(&xs[i], &ys[i], pairs);
                    pairs.truncate(before);
                    same
                })
            }
            (Tree::Map(xs), Tree::Map(ys)) => {
                xs.len() == ys.len()
                    && xs.iter().zip(ys).all(|((p, a), (q, b))| {
                        p == q && a.iter().zip(b).all(|(a, b)| self.same(a, b, &mut Vec::new()))
                    })
            }
            _ => a == b,
        }
    }

    /// A tree with something in place of a free variable. Binders get new names, so that nothing is captured.
    pub(super) fn replaced(&self, tree: &Tree, name: u32, by: &Tree) -> Tree {
        match tree {
            Tree::Name(n) if *n == name && matches!(by, Tree::Name(_)) => by.clone(),
            Tree::Node(prod, args) => {
                let production = self.lang.prod(*prod);
                if production.pieces.len() == 1
                    && args[..] == [Tree::Name(name)]
                    && matches!(by, Tree::Node(p, _) if self.lang.prod(*p).sort == production.sort)
                {
                    return by.clone();
                }
                let mut args = args.clone();
                for binder in &production.binders {
                    let fresh = self.new_name();
                    if let Tree::Name(old) = args[binder.var] {
                        for i in &binder.scope {
                            args[*i] = self.replaced_name(&args[*i], old, fresh);
                        }
                        args[binder.var] = Tree::Name(fresh);
                    }
                }
                let is_binder = |i: usize| production.is_binder(i);
                let args = args.iter().enumerate();
                Tree::Node(
                    *prod,
                    args.map(|(i, a)| if is_binder(i) { a.clone() } else { self.replaced(a, name, by) }).collect(),
                )
            }
            other => other.clone(),
        }
    }

    pub(super) fn replaced_name(&self, tree: &Tree, old: u32, new: u32) -> Tree {
        match tree {
            Tree::Name(n) if *n == old => Tree::Name(new),
            // Names are bound once each, so none is shadowed.
            Tree::Node(prod, args) => Tree::Node(*prod, args.iter().map(|a| self.replaced_name(a, old, new)).collect()),
            other => other.clone(),
        }
    }

    /// A map with a further entry: production, key and fields.
    pub(super) fn extended(&self, map: &Tree, prod: ProdId, entry: Vec<Tree>) -> Result<Tree, Stuck> {
        let Tree::Map(entries) = map else { return Err(Stuck("no map")) };
        let mut entries = entries.clone();
        if let Tree::Atom(..) = entry[0] {
            entries.retain(|(_, e)| e[0] != entry[0]);
        }
        entries.push((prod, entry));
        // Keys of one sort each: the number decides.
        entries.sort_by_key(|(_, e)| if let Tree::Atom(_, k) = e[0] { k } else { 0 });
        Ok(Tree::Map(entries))
    }

    pub(super) fn unify(&self, a: &Tree, b: &Tree, unknowns: &mut Unknowns) -> bool {
        let (a, b) = (head(a, unknowns), head(b, unknowns));
        match (&a, &b) {
            (Tree::Unknown(u), Tree::Unknown(w)) if u == w => true,
            (Tree::Unknown(u), other) | (other, Tree::Unknown(u)) => {
                if occurs(*u, other, unknowns) {
                    return false;
                }
                unknowns[*u as usize] = Some(other.clone());
                true
            }
            (Tree::Node(p, xs), Tree::Node(q, ys)) if self.is_type(self.lang.prod(*p).sort) => {
                p == q && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y, unknowns))
            }
            (Tree::Map(xs), Tree::Map(ys)) => {
                xs.len() == ys.len()
                    && xs
                        .iter()
                        .zip(ys)
                        .all(|((p, a), (q, b))| p == q && a.iter().zip(b).all(|(a, b)| self.unify(a, b, unknowns)))
            }
            (a, b) => self.same(a, b, &mut Vec::new()),
        }
    }
}

pub(super) fn head(tree: &Tree, unknowns: &Unknowns) -> Tree {
    let mut tree = tree.clone();
    while let Tree::Unknown(u) = tree
        && let Some(known) = &unknowns[u as usize]
    {
        tree = known.clone();
    }
    tree
}

pub(super) fn resolved(tree: &Tree, unknowns: &Unknowns) -> Tree {
    match head(tree, unknowns) {
        Tree::Node(prod, args) => Tree::Node(prod, args.iter().map(|a| resolved(a, unknowns)).collect()),
        Tree::Map(entries) => {
            let entries = entries.into_iter();
            Tree::Map(entries.map(|(p, e)| (p, e.iter().map(|t| resolved(t, unknowns)).collect())).collect())
        }
        other => other,
    }
}

pub(super) fn has_unknown(tree: &Tree) -> bool {
    match tree {
        Tree::Unknown(_) => true,
        Tree::Node(_, args) => args.iter().any(has_unknown),
        Tree::Map(entries) => entries.iter().flat_map(|(_, e)| e).any(has_unknown),
        _ => false,
    }
}

pub(super) fn occurs(unknown: u32, tree: &Tree, unknowns: &Unknowns) -> bool {
    match head(tree, unknowns) {
        Tree::Unknown(u) => u == unknown,
        Tree::Node(_, args) => args.iter().any(|a| occurs(unknown, a, unknowns)),
        _ => false,
    }
}

/// Whether a type may be anything: then "not derivable" for it does not say "not derivable" for what it stands for.
pub(super) fn has_rigid(tree: &Tree) -> bool {
    match tree {
        Tree::Rigid(_) => true,
        Tree::Node(_, args) => args.iter().any(has_rigid),
        _ => false,
    }
}
