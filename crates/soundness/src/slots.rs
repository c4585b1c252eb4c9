//! What stands in a slot (docs/lang.md, "Slots"): its production, its finite fields, the binder its variable points at, the size of its
//! tree.
//!
//! Preserved: every assignment of the free variables picks exactly one production among those that fit, so that every slot that is
//! looked at holds a tree within the bound; each tree within the bound is picked by some assignment. A variable points at a
//! binder above it: no names, and one way to write each tree modulo α. Whether a variable is possible depends on the binders above;
//! if one is picked where none is, the first production that fits takes its place.
//!
//! Tried and dropped: one variable per production with clauses that exactly one holds. Every query then has to satisfy the clauses
//! of all slots.

use crate::encoder::{BinderAt, BinderKey, Encoder, Refs, Row};
use crate::shape::SlotId;
use crate::tables::is_finite;
use formula::Lit;
use lang::*;
use std::rc::Rc;

impl Encoder<'_, '_> {
    pub fn slot_kid(&mut self, slot: SlotId, position: u8) -> Option<SlotId> {
        self.shape.kid(self.lang, &self.plan.grammar, slot, position)
    }

    /// The productions of a sort that may stand here, each with its literal.
    pub fn kinds(&mut self, slot: SlotId, sort: SortId) -> Rc<Vec<(ProdId, Lit)>> {
        if let Some(known) = self.kinds.get(&(slot, sort)) {
            return known.clone();
        }
        let vars = self.plan.grammar.vars.clone();
        let full = (1u32 << vars.len()) - 1;
        let mut possible = Vec::new();
        for prod in self.lang.prods_of(sort) {
            self.check_args(prod);
            let args = &self.lang.prod(prod).args;
            let empty = args.iter().any(|s| is_finite(self.lang, *s) && self.plan.finite.of(self.lang, *s).before == 0);
            if empty || !self.shape.fits(self.lang, &self.plan.grammar, slot, prod, full) {
                continue;
            }
            // The least scopes that make it fit.
            let mut available = Lit::FALSE;
            for scope in 0..=full {
                if self.shape.fits(self.lang, &self.plan.grammar, slot, prod, scope) {
                    let mut all = Lit::TRUE;
                    for (bit, var) in vars.iter().enumerate() {
                        if scope & 1 << bit != 0 {
                            let some = self.some_binder(slot, *var);
                            all = self.graph.and(all, some);
                        }
                    }
                    available = self.graph.or(available, all);
                    if available == Lit::TRUE {
                        break;
                    }
                }
            }
            if available != Lit::FALSE {
                possible.push((prod, available));
            }
        }
        // Leaves first: they are what a solver tries, and what takes the place of what is not available.
        possible.sort_by_key(|(p, a)| (*a != Lit::TRUE, !self.plan.grammar.is_leaf[p.index()]));
        let (_, codes) = self.choose(possible.len());
        let mut kinds = Vec::new();
        let mut picked = Lit::FALSE;
        for ((prod, available), code) in possible.iter().zip(codes.iter()) {
            let lit = self.graph.and(*available, *code);
            picked = self.graph.or(picked, lit);
            kinds.push((*prod, lit));
        }
        let mut missed = !picked;
        for ((_, available), (_, lit)) in possible.iter().zip(kinds.iter_mut()) {
            if missed == Lit::FALSE {
                break;
            }
            let instead = self.graph.and(missed, *available);
            *lit = self.graph.or(*lit, instead);
            missed = self.graph.and(missed, !*available);
        }
        let kinds = Rc::new(kinds);
        self.kinds.insert((slot, sort), kinds.clone());
        kinds
    }

    /// Arguments of productions in slots are trees, finite, or variables.
    fn check_args(&mut self, prod: ProdId) {
        let production = self.lang.prod(prod);
        let is_name = production.pieces.len() == 1;
        for (i, sort) in production.args.iter().enumerate() {
            let is_var = self.lang.sort(*sort).kind == SortKind::Var;
            if is_var && !production.is_binder(i) && !is_name {
                self.give_up(format!("'{}' has a variable beside other arguments", production.text), production.span);
            }
            if !is_var && !is_finite(self.lang, *sort) && !crate::shape::is_tree(self.lang, *sort) {
                self.give_up(format!("'{}' holds an environment or a store", production.text), production.span);
            }
        }
    }

    pub fn slot_kind(&mut self, slot: SlotId, prod: ProdId) -> Lit {
        let sort = self.lang.base(self.lang.prod(prod).sort);
        if !self.shape.get(slot).sorts.contains(&sort) {
            return Lit::FALSE;
        }
        let kinds = self.kinds(slot, sort);
        kinds.iter().find(|(p, _)| *p == prod).map_or(Lit::FALSE, |(_, l)| *l)
    }

    /// Whether the slot is used for this sort, given that it is used.
    pub fn slot_sort(&mut self, slot: SlotId, sort: SortId) -> Lit {
        let here = self.shape.get(slot).clone();
        if here.sorts.len() <= 1 {
            return Lit::constant(here.sorts.contains(&sort));
        }
        let Some((parent, position)) = here.parent else { return Lit::constant(here.sorts[0] == sort) };
        let mut any = Lit::FALSE;
        for above in self.shape.get(parent).sorts.clone() {
            let used = self.slot_sort(parent, above);
            for &(prod, lit) in self.kinds(parent, above).iter() {
                let arg = self.plan.grammar.position[prod.index()].iter().position(|p| *p == Some(position));
                if arg.is_some_and(|a| self.lang.base(self.lang.prod(prod).args[a]) == sort) {
                    let both = self.graph.and(used, lit);
                    any = self.graph.or(any, both);
                }
            }
        }
        any
    }

    /// Whether the slot is part of the tree of its root.
    pub fn present(&mut self, slot: SlotId) -> Lit {
        let Some((parent, position)) = self.shape.get(slot).parent else { return Lit::TRUE };
        let above = self.present(parent);
        let mut any = Lit::FALSE;
        for sort in self.shape.get(parent).sorts.clone() {
            let used = self.slot_sort(parent, sort);
            for &(prod, lit) in self.kinds(parent, sort).iter() {
                if self.plan.grammar.position[prod.index()].contains(&Some(position)) {
                    let both = self.graph.and(used, lit);
                    any = self.graph.or(any, both);
                }
            }
        }
        self.graph.and(above, any)
    }

    /// The binders of a sort above a slot, innermost first, each with the condition that it binds here.
    pub fn scope(&mut self, slot: SlotId, var: SortId) -> Refs {
        if let Some(known) = self.scopes.get(&(slot, var)) {
            return known.clone();
        }
        let mut found = Vec::new();
        if let Some((parent, position)) = self.shape.get(slot).parent {
            for sort in self.shape.get(parent).sorts.clone() {
                for prod in self.lang.prods_of(sort) {
                    let production = self.lang.prod(prod);
                    let arg = self.plan.grammar.position[prod.index()].iter().position(|p| *p == Some(position));
                    let Some(arg) = arg else { continue };
                    let binders: Vec<usize> =
                        production.binders_over(arg).map(|b| b.var).filter(|v| production.args[*v] == var).collect();
                    for bound in binders.into_iter().rev() {
                        let (used, kind) = (self.slot_sort(parent, sort), self.slot_kind(parent, prod));
                        let lit = self.graph.and(used, kind);
                        if lit != Lit::FALSE {
                            found.push((self.binder(BinderAt::Slot(parent, prod, bound)), lit));
                        }
                    }
                }
            }
            found.extend(self.scope(parent, var).iter().copied());
        } else if let Some(free) = self.free.get(&slot).cloned() {
            let of_sort = |k: &BinderKey| matches!(self.binders[k.0 as usize], BinderAt::Free(_, s) if s == var);
            found.extend(free.iter().filter(|(k, _)| of_sort(k)).copied());
        }
        let found: Refs = found.into();
        self.scopes.insert((slot, var), found.clone());
        found
    }

    fn some_binder(&mut self, slot: SlotId, var: SortId) -> Lit {
        let scope = self.scope(slot, var);
        self.any(scope.iter().map(|(_, l)| *l))
    }

    /// At which binder the variable of a slot points, if the slot has this production.
    pub fn slot_refs(&mut self, slot: SlotId, prod: ProdId, arg: usize) -> Refs {
        if let Some(known) = self.refs.get(&(slot, prod, arg)) {
            return known.clone();
        }
        let scope = self.scope(slot, self.lang.prod(prod).args[arg]);
        let (_, codes) = self.choose(scope.len());
        let mut refs: Vec<(BinderKey, Lit)> = Vec::new();
        let mut picked = Lit::FALSE;
        for (&(key, binds), &code) in scope.iter().zip(codes.iter()) {
            let lit = self.graph.and(binds, code);
            picked = self.graph.or(picked, lit);
            refs.push((key, lit));
        }
        let mut missed = !picked;
        for (&(_, binds), (_, lit)) in scope.iter().zip(refs.iter_mut()) {
            let instead = self.graph.and(missed, binds);
            *lit = self.graph.or(*lit, instead);
            missed = self.graph.and(missed, !binds);
        }
        let refs: Refs = refs.into();
        self.refs.insert((slot, prod, arg), refs.clone());
        refs
    }

    /// Bits and literals of a finite field. Productions share the fields of a slot, since it has only one of them.
    pub fn slot_field(&mut self, slot: SlotId, prod: ProdId, arg: usize) -> (Rc<[Lit]>, Row) {
        let args = &self.lang.prod(prod).args;
        let sort = args[arg];
        let number = args[..arg].iter().filter(|s| **s == sort).count() as u8;
        if let Some(known) = self.fields.get(&(slot, sort, number)) {
            return known.clone();
        }
        let domain = self.plan.finite.of(self.lang, sort);
        let (before, all) = (domain.before, domain.len());
        let members: Vec<usize> = (0..before).filter(|i| self.plan.finite.allows(sort, *i as u32)).collect();
        let (bits, chosen) = self.choose(members.len());
        let mut row = vec![Lit::FALSE; all];
        for (member, lit) in members.iter().zip(chosen.iter()) {
            row[*member] = *lit;
        }
        let field = (bits, Row::from(row));
        self.fields.insert((slot, sort, number), field.clone());
        field
    }

    /// `row[i]`: the tree here has a size of at least i + 1; as long as the budget, and one more for all that is larger.
    pub fn size(&mut self, slot: SlotId, sort: SortId) -> Row {
        if let Some(known) = self.sizes.get(&(slot, sort)) {
            return known.clone();
        }
        if self.shape.get(slot).is_abstract {
            return vec![Lit::TRUE; self.plan.grammar.least[sort.index()] as usize].into();
        }
        let most = self.shape.get(slot).budget as usize + 1;
        let mut row = vec![Lit::FALSE; most];
        if self.is_late() {
            return row.into();
        }
        for &(prod, kind) in self.kinds(slot, sort).iter() {
            let production = self.lang.prod(prod);
            let mut sum: Vec<Lit> = vec![Lit::TRUE; (production.weight as usize).min(most)];
            for (arg, &arg_sort) in production.args.iter().enumerate() {
                let part = if let Some(position) = self.plan.grammar.position[prod.index()][arg] {
                    let Some(kid) = self.slot_kid(slot, position) else { continue };
                    self.size(kid, self.lang.base(arg_sort)).to_vec()
                } else if is_finite(self.lang, arg_sort) {
                    self.field_size(slot, prod, arg)
                } else {
                    continue;
                };
                sum = self.add(&sum, &part, most);
            }
            for (lit, s) in row.iter_mut().zip(&sum) {
                let both = self.graph.and(kind, *s);
                *lit = self.graph.or(*lit, both);
            }
        }
        let row: Row = row.into();
        self.sizes.insert((slot, sort), row.clone());
        row
    }

    fn field_size(&mut self, slot: SlotId, prod: ProdId, arg: usize) -> Vec<Lit> {
        let sort = self.lang.prod(prod).args[arg];
        let domain = self.plan.finite.of(self.lang, sort);
        let sizes = domain.sizes[..domain.before].to_vec();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        if largest == 0 {
            return Vec::new();
        }
        let (_, row) = self.slot_field(slot, prod, arg);
        let at_least = |n: u32, this: &mut Self| {
            let lits: Vec<Lit> = (0..sizes.len()).filter(|i| sizes[*i] >= n).map(|i| row[i]).collect();
            if sizes.iter().all(|s| *s >= n) { Lit::TRUE } else { this.any(lits) }
        };
        (1..=largest).map(|n| at_least(n, self)).collect()
    }

    /// The sum of two numbers in unary, cut at `most`.
    pub fn add(&mut self, a: &[Lit], b: &[Lit], most: usize) -> Vec<Lit> {
        let at = |row: &[Lit], n: usize| match n {
            0 => Lit::TRUE,
            _ => row.get(n - 1).copied().unwrap_or(Lit::FALSE),
        };
        (1..=(a.len() + b.len()).min(most))
            .map(|n| {
                let mut any = Lit::FALSE;
                for i in n.saturating_sub(b.len())..=n.min(a.len()) {
                    let both = self.graph.and(at(a, i), at(b, n - i));
                    any = self.graph.or(any, both);
                }
                any
            })
            .collect()
    }
}
