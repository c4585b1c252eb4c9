//! All trees of a sort, well typed or not.
//!
//! In: a sort, a size, the variables in scope. Out: every tree of exactly this size, each once modulo α. Types come from the finite domain;
//! names, locations and numbers are those within their bounds.

use super::{Enumerator, Scope};
use crate::definition::*;
use crate::interp::clause::{is_interned, is_type};
use crate::interp::{Fault, Limit};
use crate::term::{Term, TermId};
use std::rc::Rc;

/// More trees than that of one size are not kept.
const MOST: usize = 2_000_000;

impl Enumerator<'_> {
    /// Every tree of a sort of exactly this size over the variables in scope.
    pub fn raw(&mut self, sort: SortId, size: u32, scope: &Scope) -> Result<Rc<Vec<TermId>>, Fault> {
        let key = (sort, size, scope.clone());
        if let Some(known) = self.raw.get(&key) {
            return Ok(known.clone());
        }
        if !self.raw_under_way.insert(key.clone()) {
            // A production of weight 0 that contains its own sort.
            return Err(Fault::NotEnumerable(sort));
        }
        let found = self.raw_members(sort, size, scope);
        self.raw_under_way.remove(&key);
        let found = Rc::new(found?);
        self.raw.insert(key, found.clone());
        Ok(found)
    }

    fn raw_members(&mut self, sort: SortId, size: u32, scope: &Scope) -> Result<Vec<TermId>, Fault> {
        let lang = self.interp.lang;
        let only_empty = |members: Vec<TermId>| if size == 0 { members } else { Vec::new() };
        if is_type(lang, sort) && scope.iter().all(|n| *n == 0) {
            let terms = &self.interp.terms;
            let members = self.interp.universe().members(sort).iter();
            return Ok(members.copied().filter(|t| terms.size(*t) == size).collect());
        }
        match &lang.sort(sort).kind {
            SortKind::Var => {
                let at = self.interp.code.vars.iter().position(|s| *s == sort);
                let count = at.and_then(|at| scope.get(at)).copied().unwrap_or(0);
                Ok(only_empty((0..count).map(|k| self.interp.terms.intern(Term::Free(sort, k))).collect()))
            }
            SortKind::Atom | SortKind::Loc | SortKind::Int => {
                Ok(only_empty(self.interp.universe().members(sort).to_vec()))
            }
            SortKind::Env { .. } | SortKind::Store { .. } => {
                if size > 0 {
                    return Ok(Vec::new());
                }
                Ok(self.all_maps(sort, false, false)?.to_vec())
            }
            SortKind::Context { .. } => Err(Fault::NotEnumerable(sort)),
            SortKind::Sub { base, .. } => {
                let members = self.raw(*base, size, scope)?;
                let mut found = Vec::new();
                for member in members.iter() {
                    if self.interp.terms.is_member(*member, sort) {
                        found.push(*member);
                    }
                }
                Ok(found)
            }
            SortKind::Grammar { prods } => {
                let mut found = Vec::new();
                for prod in prods {
                    if let Some(rest) = size.checked_sub(lang.prod(*prod).weight) {
                        self.raw_rows(*prod, rest, scope, &mut Vec::new(), &mut found)?;
                    }
                }
                if is_interned(lang, sort) {
                    found.retain(|t| self.interp.in_domain(sort, *t));
                }
                Ok(found)
            }
        }
    }

    /// Every way to fill the arguments of a production with `rest` in all.
    fn raw_rows(
        &mut self,
        prod: ProdId,
        rest: u32,
        scope: &Scope,
        row: &mut Vec<TermId>,
        out: &mut Vec<TermId>,
    ) -> Result<(), Fault> {
        let lang = self.interp.lang;
        let production = lang.prod(prod);
        let arg = row.len();
        if arg == production.args.len() {
            if rest == 0 {
                self.interp.tick()?;
                if out.len() >= MOST {
                    return Err(Fault::Limit(Limit::Members { sort: production.sort, most: MOST }));
                }
                let tree = self.interp.terms.make(prod, row.clone());
                if self.may_fit(tree) {
                    out.push(tree);
                }
            }
            return Ok(());
        }
        if production.is_binder(arg) {
            row.push(self.interp.terms.intern(Term::Binder(production.args[arg])));
            self.raw_rows(prod, rest, scope, row, out)?;
            row.pop();
            return Ok(());
        }
        let mut below = scope.clone();
        let mut opened = Vec::new();
        for binder in production.binders_over(arg) {
            let sort = production.args[binder.var];
            if let Some(at) = self.interp.code.vars.iter().position(|s| *s == sort) {
                opened.push((sort, below[at]));
                below[at] += 1;
            }
        }
        let others: u32 = production.args[arg + 1..].iter().map(|s| self.least[s.index()]).sum();
        let Some(most) = rest.checked_sub(others) else { return Ok(()) };
        let is_last = (arg + 1..production.args.len()).all(|i| production.is_binder(i));
        let from = if is_last { rest } else { self.least[production.args[arg].index()] };
        for size in from..=most {
            let choices = self.raw(production.args[arg], size, &below)?;
            for choice in choices.iter() {
                let mut tree = *choice;
                for (sort, level) in &opened {
                    tree = self.interp.terms.close(tree, *sort, *level);
                }
                row.push(tree);
                self.raw_rows(prod, rest - size, scope, row, out)?;
                row.pop();
            }
        }
        Ok(())
    }
}
