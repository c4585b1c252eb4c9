//! Trees as formulas: slots, and what a step makes of them (docs/lang.md, "After a step"). A DAG of lazily evaluated nodes, hash-consed,
//! that answer which production they are, what their arguments are, and whether they belong to a sub-grammar.
//!
//! Preserved: a node denotes exactly one tree under every assignment. Copies share their literals; a substitution is pushed down
//! as it is looked at. Capture cannot happen, since variables point at binders: what is put in keeps pointing above the redex, and
//! binders below move with the body. [`Ov::Lemma`] alone is not a tree but a stand-in for one, see `judge`.

use crate::encoder::{Arg, BinderAt, BinderKey, Encoder, Ov, OvId, Refs, Row, Val};
use crate::shape::SlotId;
use formula::Lit;
use lang::*;
use std::rc::Rc;

impl Encoder<'_, '_> {
    pub fn ov(&mut self, ov: Ov) -> OvId {
        let ov = match ov {
            Ov::Ite(Lit::TRUE, a, _) => return a,
            Ov::Ite(Lit::FALSE, _, b) => return b,
            Ov::Ite(_, a, b) if a == b => return a,
            ov => ov,
        };
        if let Some(&id) = self.ov_ids.get(&ov) {
            return id;
        }
        let id = OvId(self.ovs.len() as u32);
        self.ovs.push(ov.clone());
        self.ov_ids.insert(ov, id);
        id
    }

    pub fn at_slot(&mut self, slot: SlotId) -> OvId {
        self.ov(Ov::Slot(slot))
    }

    pub fn get(&self, id: OvId) -> &Ov {
        &self.ovs[id.0 as usize]
    }

    /// The slot that a node is, or is a changed version of.
    pub fn slot_of(&self, id: OvId) -> Option<SlotId> {
        match self.get(id) {
            Ov::Slot(slot) => Some(*slot),
            Ov::Under { node, .. } | Ov::Repl(node, ..) => self.slot_of(*node),
            _ => None,
        }
    }

    /// Which of several nodes without choice it is: exclusive conditions, of which one holds.
    pub fn cases(&mut self, id: OvId) -> Rc<Vec<(Lit, OvId)>> {
        if let Some(known) = self.cases.get(&id) {
            return known.clone();
        }
        let mut cases: Vec<(Lit, OvId)> = Vec::new();
        match self.get(id).clone() {
            Ov::Ite(c, a, b) => {
                for (side, of) in [(c, a), (!c, b)] {
                    for &(lit, node) in self.cases(of).iter() {
                        let both = self.graph.and(side, lit);
                        cases.push((both, node));
                    }
                }
            }
            Ov::Sub { body, binder, by } => {
                for &(lit, node) in self.cases(body).iter() {
                    let hit = self.is_variable(node, binder);
                    let (hit, miss) = (self.graph.and(lit, hit), self.graph.and(lit, !hit));
                    if hit != Lit::FALSE {
                        for &(l, n) in self.cases(by).iter() {
                            let both = self.graph.and(hit, l);
                            cases.push((both, n));
                        }
                    }
                    if miss != Lit::FALSE {
                        let under = self.ov(Ov::Under { node, binder, by });
                        cases.push((miss, under));
                    }
                }
            }
            _ => cases.push((Lit::TRUE, id)),
        }
        cases.retain(|(lit, _)| *lit != Lit::FALSE);
        let mut merged: Vec<(Lit, OvId)> = Vec::with_capacity(cases.len());
        for (lit, node) in cases {
            match merged.iter_mut().find(|(_, n)| *n == node) {
                Some((known, _)) => *known = self.graph.or(*known, lit),
                None => merged.push((lit, node)),
            }
        }
        let merged = Rc::new(merged);
        self.cases.insert(id, merged.clone());
        merged
    }

    /// Productions that are only a variable.
    fn variable_prods(&self, node: OvId) -> Vec<ProdId> {
        let is_variable = |p: &ProdId| {
            let production = self.lang.prod(*p);
            production.args.len() == 1
                && production.pieces.len() == 1
                && self.lang.sort(production.args[0]).kind == SortKind::Var
        };
        let sorts = match self.get(node) {
            Ov::New(prod, _) => vec![self.lang.prod(*prod).sort],
            _ => self.slot_of(node).map_or(Vec::new(), |s| self.shape.get(s).sorts.clone()),
        };
        sorts.into_iter().flat_map(|s| self.lang.prods_of(s)).filter(is_variable).collect()
    }

    /// Whether a node is used for this sort.
    fn node_sort(&mut self, node: OvId, sort: SortId) -> Lit {
        match self.slot_of(node) {
            Some(slot) => self.slot_sort(slot, sort),
            None => Lit::TRUE,
        }
    }

    /// Whether a node (without choice) is an occurrence of the binder's variable.
    fn is_variable(&mut self, node: OvId, binder: BinderKey) -> Lit {
        if matches!(self.get(node), Ov::Lemma { .. }) {
            self.strained = true;
            return Lit::FALSE;
        }
        let mut any = Lit::FALSE;
        for prod in self.variable_prods(node) {
            let kind = self.kind(node, prod);
            // A slot has a production per sort that may stand there; only one of them counts.
            let sort = self.node_sort(node, self.lang.prod(prod).sort);
            let kind = self.graph.and(kind, sort);
            if kind == Lit::FALSE {
                continue;
            }
            for &(key, lit) in self.refs(node, prod, 0).iter() {
                if key == binder {
                    let both = self.graph.and(kind, lit);
                    any = self.graph.or(any, both);
                }
            }
        }
        any
    }

    /// Whether a node without choice is of this production.
    pub fn kind(&mut self, node: OvId, prod: ProdId) -> Lit {
        match self.get(node).clone() {
            Ov::Slot(slot) => self.slot_kind(slot, prod),
            Ov::New(p, _) => Lit::constant(p == prod),
            Ov::Repl(inner, ..) => self.kind(inner, prod),
            Ov::Under { node, binder, .. } => {
                let kind = self.kind(node, prod);
                if kind == Lit::FALSE || !self.variable_prods(node).contains(&prod) {
                    return kind;
                }
                let hit = self.is_variable(node, binder);
                self.graph.and(kind, !hit)
            }
            Ov::Ite(..) | Ov::Sub { .. } | Ov::Lemma { .. } => {
                self.strained = true;
                self.graph.var()
            }
        }
    }

    /// A subtree of a node without choice, given its production. None: there is no room for it.
    pub fn kid(&mut self, node: OvId, prod: ProdId, arg: usize) -> Option<OvId> {
        let position = self.plan.grammar.position[prod.index()][arg]?;
        match self.get(node).clone() {
            Ov::Slot(slot) => {
                let kid = self.slot_kid(slot, position)?;
                Some(self.at_slot(kid))
            }
            Ov::New(_, args) => match &args[arg] {
                Arg::Tree(kid) => Some(*kid),
                _ => None,
            },
            Ov::Repl(inner, at, by) => {
                if at == position {
                    Some(by)
                } else {
                    self.kid(inner, prod, arg)
                }
            }
            Ov::Under { node, binder, by } => {
                let body = self.kid(node, prod, arg)?;
                Some(self.ov(Ov::Sub { body, binder, by }))
            }
            Ov::Ite(..) | Ov::Sub { .. } | Ov::Lemma { .. } => {
                self.strained = true;
                None
            }
        }
    }

    /// A finite field of a node without choice.
    pub fn field(&mut self, node: OvId, prod: ProdId, arg: usize) -> Row {
        match self.get(node).clone() {
            Ov::Slot(slot) => self.slot_field(slot, prod, arg).1,
            Ov::New(_, args) => match &args[arg] {
                Arg::Fin(row) => row.clone(),
                _ => Row::from([]),
            },
            Ov::Repl(inner, ..) | Ov::Under { node: inner, .. } => self.field(inner, prod, arg),
            Ov::Ite(..) | Ov::Sub { .. } | Ov::Lemma { .. } => {
                self.strained = true;
                let n = self.plan.finite.of(self.lang, self.lang.prod(prod).args[arg]).len();
                self.choose(n).1
            }
        }
    }

    /// Where the variable of a node without choice points.
    pub fn refs(&mut self, node: OvId, prod: ProdId, arg: usize) -> Refs {
        match self.get(node).clone() {
            Ov::Slot(slot) => self.slot_refs(slot, prod, arg),
            Ov::New(_, args) => match &args[arg] {
                Arg::Refs(refs) => refs.clone(),
                _ => Refs::from([]),
            },
            Ov::Repl(inner, ..) => self.refs(inner, prod, arg),
            Ov::Under { node, binder, .. } => {
                self.refs(node, prod, arg).iter().copied().filter(|(key, _)| *key != binder).collect()
            }
            Ov::Ite(..) | Ov::Sub { .. } | Ov::Lemma { .. } => {
                self.strained = true;
                Refs::from([])
            }
        }
    }

    pub fn binder_of(&mut self, node: OvId, prod: ProdId, arg: usize) -> BinderKey {
        match self.get(node).clone() {
            Ov::Slot(slot) => self.binder(BinderAt::Slot(slot, prod, arg)),
            Ov::New(_, args) => match &args[arg] {
                Arg::Binder(key) => *key,
                _ => self.binder(BinderAt::New(u32::MAX)),
            },
            Ov::Repl(inner, ..) | Ov::Under { node: inner, .. } => self.binder_of(inner, prod, arg),
            Ov::Ite(..) | Ov::Sub { .. } | Ov::Lemma { .. } => {
                self.strained = true;
                self.binder(BinderAt::New(u32::MAX))
            }
        }
    }

    /// Whether a tree belongs to a sort.
    pub fn member(&mut self, id: OvId, sort: SortId) -> Lit {
        let lang = self.lang;
        let SortKind::Sub { alts, .. } = &lang.sort(sort).kind else { return Lit::TRUE };
        if let Some(&known) = self.members.get(&(id, sort)) {
            return known;
        }
        let mut any = Lit::FALSE;
        for &(lit, node) in self.cases(id).iter() {
            let mut inner = Lit::FALSE;
            if matches!(self.get(node), Ov::Lemma { .. }) {
                self.strained = true;
                inner = self.graph.var();
            } else if self.is_abstract(node) {
                inner = self.abstract_member(node, sort);
            } else {
                for alt in alts {
                    let matches = self.shape_matches(node, &alt.form);
                    inner = self.graph.or(inner, matches);
                }
            }
            let both = self.graph.and(lit, inner);
            any = self.graph.or(any, both);
        }
        self.members.insert((id, sort), any);
        any
    }

    /// Below the horizon, also after a substitution: nothing is known.
    pub fn is_abstract(&self, node: OvId) -> bool {
        self.slot_of(node).is_some_and(|s| self.shape.get(s).is_abstract)
    }

    /// Free, except that an alternative that needs no room is told by the production.
    fn abstract_member(&mut self, node: OvId, sort: SortId) -> Lit {
        let lang = self.lang;
        let SortKind::Sub { alts, .. } = &lang.sort(sort).kind else { return Lit::TRUE };
        let (mut sure, mut perhaps) = (Lit::FALSE, Lit::FALSE);
        for alt in alts {
            match &alt.form {
                Form::Node(prod, args) => {
                    let kind = self.kind(node, *prod);
                    let plain = args.iter().all(|a| matches!(a, Form::Any(s) if lang.base(*s) == *s));
                    let side = if plain { &mut sure } else { &mut perhaps };
                    *side = self.graph.or(*side, kind);
                }
                Form::Any(inner) if inner != &sort => {
                    let inner = self.member(node, *inner);
                    sure = self.graph.or(sure, inner);
                }
                _ => perhaps = Lit::TRUE,
            }
        }
        let free = self.graph.var();
        let perhaps = self.graph.and(perhaps, free);
        self.graph.or(sure, perhaps)
    }

    /// Whether a tree has the shape of an alternative.
    pub fn shape_matches(&mut self, id: OvId, form: &Form) -> Lit {
        match form {
            Form::Any(sort) => self.member(id, *sort),
            Form::Node(prod, forms) => {
                let mut any = Lit::FALSE;
                for &(lit, node) in self.cases(id).iter() {
                    let kind = self.kind(node, *prod);
                    let mut all = self.graph.and(lit, kind);
                    for (arg, form) in forms.iter().enumerate() {
                        if all == Lit::FALSE {
                            break;
                        }
                        let holds = self.arg_matches(node, *prod, arg, form);
                        all = self.graph.and(all, holds);
                    }
                    any = self.graph.or(any, all);
                }
                any
            }
            _ => Lit::FALSE,
        }
    }

    fn arg_matches(&mut self, node: OvId, prod: ProdId, arg: usize, form: &Form) -> Lit {
        let production = self.lang.prod(prod);
        let sort = production.args[arg];
        if production.is_binder(arg) || self.lang.sort(sort).kind == SortKind::Var {
            return Lit::TRUE;
        }
        if crate::shape::is_tree(self.lang, sort) {
            return match self.kid(node, prod, arg) {
                Some(kid) => self.shape_matches(kid, form),
                None => Lit::FALSE,
            };
        }
        if !crate::tables::is_finite(self.lang, sort) {
            return Lit::TRUE;
        }
        let row = self.field(node, prod, arg);
        self.field_matches(&row, sort, form)
    }

    /// Whether a finite value has the shape of an alternative.
    pub fn field_matches(&mut self, row: &Row, sort: SortId, form: &Form) -> Lit {
        let n = row.len();
        match form {
            Form::Any(s) if !self.plan.finite.is_restricted(*s) => Lit::TRUE,
            Form::Any(s) => {
                let lits: Vec<Lit> =
                    (0..n).filter(|i| self.plan.finite.allows(*s, *i as u32)).map(|i| row[i]).collect();
                self.any(lits)
            }
            Form::Int(number) => {
                let numbers = &self.plan.finite.of(self.lang, sort).numbers;
                let lits: Vec<Lit> = (0..n).filter(|i| numbers[*i] == *number).map(|i| row[i]).collect();
                self.any(lits)
            }
            Form::Atom(_, k) => row.get(*k as usize).copied().unwrap_or(Lit::FALSE),
            _ => {
                self.give_up("an alternative with a shape of a finite sort", source::Span::default());
                Lit::FALSE
            }
        }
    }

    /// Whether two trees are equal modulo α; `map` pairs the binders above.
    pub fn equal_trees(&mut self, a: OvId, b: OvId, map: &[(BinderKey, BinderKey)]) -> Lit {
        if a == b && map.iter().all(|(x, y)| x == y) {
            return Lit::TRUE;
        }
        if self.is_late() {
            return Lit::FALSE;
        }
        let key = (a, b, map.to_vec());
        if let Some(&known) = self.equal.get(&key) {
            return known;
        }
        let mut any = Lit::FALSE;
        for &(lit, x) in self.cases(a).iter() {
            for &(other, y) in self.cases(b).iter() {
                let both = self.graph.and(lit, other);
                if both == Lit::FALSE {
                    continue;
                }
                let same = self.equal_nodes(x, y, map);
                let all = self.graph.and(both, same);
                any = self.graph.or(any, all);
            }
        }
        self.equal.insert(key, any);
        any
    }

    fn equal_nodes(&mut self, x: OvId, y: OvId, map: &[(BinderKey, BinderKey)]) -> Lit {
        if x == y && map.iter().all(|(p, q)| p == q) {
            return Lit::TRUE;
        }
        if self.is_abstract(x) || self.is_abstract(y) {
            return self.graph.var();
        }
        let sorts = |this: &Self, node: OvId| match this.get(node) {
            Ov::New(prod, _) => vec![this.lang.prod(*prod).sort],
            _ => this.slot_of(node).map_or(Vec::new(), |s| this.shape.get(s).sorts.clone()),
        };
        let (mine, theirs) = (sorts(self, x), sorts(self, y));
        let mut any = Lit::FALSE;
        for prod in mine.iter().filter(|s| theirs.contains(s)).flat_map(|s| self.lang.prods_of(*s)).collect::<Vec<_>>()
        {
            let (k1, k2) = (self.kind(x, prod), self.kind(y, prod));
            let mut all = self.graph.and(k1, k2);
            for node in [x, y] {
                let sort = self.node_sort(node, self.lang.prod(prod).sort);
                all = self.graph.and(all, sort);
            }
            let production = self.lang.prod(prod);
            for arg in 0..production.args.len() {
                if all == Lit::FALSE {
                    break;
                }
                let sort = production.args[arg];
                let same = if production.is_binder(arg) {
                    Lit::TRUE
                } else if self.plan.grammar.position[prod.index()][arg].is_some() {
                    let (Some(p), Some(q)) = (self.kid(x, prod, arg), self.kid(y, prod, arg)) else {
                        all = Lit::FALSE;
                        break;
                    };
                    let mut inner = map.to_vec();
                    for bound in production.binders_over(arg).map(|b| b.var).collect::<Vec<_>>() {
                        let pair = (self.binder_of(x, prod, bound), self.binder_of(y, prod, bound));
                        inner.retain(|(a, b)| *a != pair.0 && *b != pair.1);
                        if pair.0 != pair.1 {
                            inner.push(pair);
                        }
                    }
                    self.equal_trees(p, q, &inner)
                } else if self.lang.sort(sort).kind == SortKind::Var {
                    let (p, q) = (self.refs(x, prod, arg), self.refs(y, prod, arg));
                    let mut some = Lit::FALSE;
                    for (a, l) in p.iter() {
                        for (b, m) in q.iter() {
                            let paired = map.iter().find(|(u, v)| u == a || v == b);
                            if paired.map_or(a == b, |(u, v)| u == a && v == b) {
                                let both = self.graph.and(*l, *m);
                                some = self.graph.or(some, both);
                            }
                        }
                    }
                    some
                } else {
                    let (p, q) = (self.field(x, prod, arg), self.field(y, prod, arg));
                    self.equal_rows(&p, &q)
                };
                all = self.graph.and(all, same);
            }
            any = self.graph.or(any, all);
        }
        any
    }

    /// What a production's argument is, as a value.
    pub fn argument(&mut self, node: OvId, prod: ProdId, arg: usize) -> Option<Val> {
        let production = self.lang.prod(prod);
        let sort = production.args[arg];
        if production.is_binder(arg) {
            return Some(Val::Binder(self.binder_of(node, prod, arg)));
        }
        if self.lang.sort(sort).kind == SortKind::Var {
            return Some(Val::Refs(self.refs(node, prod, arg)));
        }
        if crate::shape::is_tree(self.lang, sort) {
            return self.kid(node, prod, arg).map(Val::Tree);
        }
        if crate::tables::is_finite(self.lang, sort) {
            return Some(Val::Fin(self.field(node, prod, arg)));
        }
        match self.get(node).clone() {
            Ov::New(_, args) => match &args[arg] {
                Arg::Store(store) => Some(Val::Store(*store)),
                _ => None,
            },
            _ => None,
        }
    }
}
