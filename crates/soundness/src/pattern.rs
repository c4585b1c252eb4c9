//! Left sides: a form matched against trees, with the condition under which it matches and what its metavariables then stand for.

use crate::encoder::{Encoder, OvId, Row, Val};
use crate::tables::is_finite;
use formula::Lit;
use lang::*;

#[derive(Clone, Debug)]
pub struct Binds {
    pub metas: Vec<Option<Val>>,
    /// The finite fields met, in order.
    pub fields: Vec<Row>,
}

impl Binds {
    pub fn new(metas: usize) -> Binds {
        Binds { metas: vec![None; metas], fields: Vec::new() }
    }
}

/// Ways to match: exclusive conditions.
pub type Matches = Vec<(Lit, Binds)>;

impl Encoder<'_, '_> {
    /// All ways a tree matches a form.
    pub fn match_tree(&mut self, id: OvId, form: &Form, metas: &[Meta], cond: Lit, binds: Binds) -> Matches {
        if cond == Lit::FALSE || self.is_late() {
            return Vec::new();
        }
        match form {
            Form::Meta(m) => {
                let member = self.member(id, metas[m.index()].sort);
                let mut cond = self.graph.and(cond, member);
                let mut binds = binds;
                match &binds.metas[m.index()] {
                    Some(Val::Tree(known)) => {
                        let known = *known;
                        let same = self.equal_trees(known, id, &[]);
                        cond = self.graph.and(cond, same);
                    }
                    _ => binds.metas[m.index()] = Some(Val::Tree(id)),
                }
                if cond == Lit::FALSE { Vec::new() } else { vec![(cond, binds)] }
            }
            Form::Any(sort) => {
                let member = self.member(id, *sort);
                let cond = self.graph.and(cond, member);
                if cond == Lit::FALSE { Vec::new() } else { vec![(cond, binds)] }
            }
            Form::Node(prod, forms) => {
                let mut out = Vec::new();
                for &(lit, node) in self.cases(id).iter() {
                    let kind = self.kind(node, *prod);
                    let here = self.graph.and(lit, kind);
                    let here = self.graph.and(cond, here);
                    if here == Lit::FALSE {
                        continue;
                    }
                    let mut ways = vec![(here, binds.clone())];
                    for (arg, form) in forms.iter().enumerate() {
                        let mut next = Vec::new();
                        for (cond, binds) in ways {
                            next.extend(self.match_arg(node, *prod, arg, form, metas, cond, binds));
                        }
                        ways = next;
                    }
                    out.extend(ways);
                }
                out
            }
            _ => Vec::new(),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn match_arg(
        &mut self,
        node: OvId,
        prod: ProdId,
        arg: usize,
        form: &Form,
        metas: &[Meta],
        cond: Lit,
        binds: Binds,
    ) -> Matches {
        let sort = self.lang.prod(prod).args[arg];
        let Some(value) = self.argument(node, prod, arg) else { return Vec::new() };
        match value {
            Val::Tree(kid) => self.match_tree(kid, form, metas, cond, binds),
            Val::Fin(row) => {
                let mut binds = binds;
                binds.fields.push(row.clone());
                self.match_row(&row, sort, form, metas, cond, binds)
            }
            value => self.match_value(value, form, cond, binds),
        }
    }

    /// A value that is neither a tree nor finite: bound, or compared with what is bound.
    pub fn match_value(&mut self, value: Val, form: &Form, cond: Lit, binds: Binds) -> Matches {
        let Form::Meta(m) = form else {
            return if matches!(form, Form::Any(_)) { vec![(cond, binds)] } else { Vec::new() };
        };
        let mut binds = binds;
        let mut cond = cond;
        match (&binds.metas[m.index()], &value) {
            (None, _) => binds.metas[m.index()] = Some(value),
            (Some(Val::Refs(a)), Val::Refs(b)) => {
                let (a, b) = (a.clone(), b.clone());
                let mut any = Lit::FALSE;
                for (x, l) in a.iter() {
                    for (y, k) in b.iter().filter(|(y, _)| y == x) {
                        let _ = y;
                        let both = self.graph.and(*l, *k);
                        any = self.graph.or(any, both);
                    }
                }
                cond = self.graph.and(cond, any);
            }
            (Some(Val::Binder(key)), Val::Refs(b)) | (Some(Val::Refs(b)), Val::Binder(key)) => {
                let hit: Vec<Lit> = b.iter().filter(|(y, _)| y == key).map(|(_, l)| *l).collect();
                let hit = self.any(hit);
                cond = self.graph.and(cond, hit);
            }
            (Some(known), other) if known == other => {}
            _ => self.give_up("an equality of environments, stores or binders", source::Span::default()),
        }
        if cond == Lit::FALSE { Vec::new() } else { vec![(cond, binds)] }
    }

    /// A finite value against a form. Structure in the form splits by the members that match it.
    pub fn match_row(
        &mut self,
        row: &Row,
        sort: SortId,
        form: &Form,
        metas: &[Meta],
        cond: Lit,
        binds: Binds,
    ) -> Matches {
        let mut binds = binds;
        let cond = match form {
            Form::Any(_) | Form::Int(_) | Form::Atom(..) => {
                let matches = self.field_matches(row, sort, form);
                self.graph.and(cond, matches)
            }
            Form::Meta(m) => {
                let meta_sort = metas[m.index()].sort;
                let mut cond = cond;
                if self.plan.finite.is_restricted(meta_sort) {
                    let allowed = self.field_matches(row, sort, &Form::Any(meta_sort));
                    cond = self.graph.and(cond, allowed);
                }
                match binds.metas[m.index()].clone() {
                    Some(Val::Fin(known)) => {
                        let same = self.equal_rows(&known, row);
                        self.graph.and(cond, same)
                    }
                    _ => {
                        binds.metas[m.index()] = Some(Val::Fin(row.clone()));
                        cond
                    }
                }
            }
            Form::Node(..) => return self.match_members(row, sort, form, metas, cond, binds),
            _ => Lit::FALSE,
        };
        if cond == Lit::FALSE { Vec::new() } else { vec![(cond, binds)] }
    }

    /// One way per member that has the form's structure.
    fn match_members(
        &mut self,
        row: &Row,
        sort: SortId,
        form: &Form,
        metas: &[Meta],
        cond: Lit,
        binds: Binds,
    ) -> Matches {
        let Some(found) = self.plan.members_matching(sort, form, metas) else {
            self.give_up("a pattern of a finite sort that is not evaluated", source::Span::default());
            return Vec::new();
        };
        let mut out = Vec::new();
        for (member, values) in found {
            let mut here = self.graph.and(cond, row[member as usize]);
            let mut inner = binds.clone();
            for (meta, value) in values {
                let n = self.plan.finite.of(self.lang, metas[meta.index()].sort).len();
                match inner.metas[meta.index()].clone() {
                    Some(Val::Fin(known)) => here = self.graph.and(here, known[value as usize]),
                    _ => inner.metas[meta.index()] = Some(Val::Fin(self.constant(value as usize, n))),
                }
            }
            if here != Lit::FALSE {
                out.push((here, inner));
            }
        }
        out
    }

    /// Any value against a form.
    pub fn match_any(
        &mut self,
        value: Val,
        sort: SortId,
        form: &Form,
        metas: &[Meta],
        cond: Lit,
        binds: Binds,
    ) -> Matches {
        match value {
            Val::Tree(id) => self.match_tree(id, form, metas, cond, binds),
            Val::Fin(row) if is_finite(self.lang, sort) => self.match_row(&row, sort, form, metas, cond, binds),
            value => self.match_value(value, form, cond, binds),
        }
    }
}
