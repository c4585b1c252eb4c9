//! Environments and stores within the bounds.
//!
//! Over atoms and locations: all partial maps, or all total ones. Over bound variables: up to `bounds Γ: k` entries. Values of a store are
//! closed members of their sort up to its bound. Names are interchangeable as long as the definition quotes none, so of maps that
//! differ only in their names one may be taken for all: the verdict and the smallest size stay the same.

use super::{Enumerator, Scope};
use crate::definition::*;
use crate::interp::clause::is_interned;
use crate::interp::{Fault, Limit};
use crate::term::{Term, TermId};
use std::rc::Rc;

/// More maps than that are not enumerated.
const MOST: usize = 500_000;
/// The size of values in a store, where no bound says otherwise.
pub(super) const DEFAULT_VALUE: u32 = 3;

/// A production of a map and its fields, for one entry.
type Choice = (ProdId, Vec<TermId>);

impl Enumerator<'_> {
    /// All maps of a sort; `canonical`: up to a renaming of the keys.
    pub fn all_maps(&mut self, sort: SortId, total: bool, canonical: bool) -> Result<Rc<Vec<TermId>>, Fault> {
        if let Some(known) = self.maps.get(&(sort, total, canonical)) {
            return Ok(known.clone());
        }
        let lang = self.interp.lang;
        let (empty, extensions) = match &lang.sort(sort).kind {
            SortKind::Env { empty, extensions } => (*empty, extensions.clone()),
            SortKind::Store { empty, extension } => (*empty, vec![*extension]),
            _ => return Err(Fault::NotEnumerable(sort)),
        };
        let mut choices = Vec::new();
        for prod in &extensions {
            for fields in self.entries_of(*prod)? {
                choices.push((*prod, fields));
            }
        }
        let empty = self.interp.terms.make(empty, Vec::new());
        let key = extensions.first().and_then(|p| lang.prod(*p).args.get(1)).copied();
        let maps = match key.map(|key| (key, &lang.sort(key).kind)) {
            None => vec![empty],
            Some((key, SortKind::Var)) => self.scoped_maps(sort, key, empty, &choices)?,
            Some((key, _)) => {
                let keys = self.interp.universe().members(key).to_vec();
                // With several extensions the keys may differ in sort; then every key is taken as it is.
                let is_uniform = extensions.iter().all(|p| lang.prod(*p).args.get(1) == Some(&key));
                let canonical = canonical && is_uniform && is_anonymous(lang, key);
                let sorted = canonical && extensions.iter().all(|p| !mentions(lang, *p, key));
                self.keyed_maps(sort, &keys, empty, &choices, total, canonical, sorted)?
            }
        };
        let maps = Rc::new(maps);
        self.maps.insert((sort, total, canonical), maps.clone());
        Ok(maps)
    }

    /// Whether so many maps of a sort are not too many, and fewer than there may be draws.
    fn has_room(&self, sort: SortId, maps: usize) -> Result<(), Fault> {
        match maps {
            _ if maps > MOST => Err(Fault::Limit(Limit::Members { sort, most: MOST })),
            _ if maps as u64 > self.most_draws => Err(Fault::Stopped),
            _ => Ok(()),
        }
    }

    /// Everything that may stand after the key.
    fn entries_of(&mut self, prod: ProdId) -> Result<Vec<Vec<TermId>>, Fault> {
        let lang = self.interp.lang;
        let mut rows: Vec<Vec<TermId>> = vec![Vec::new()];
        for field in lang.prod(prod).args.iter().skip(2) {
            let members = self.values(*field)?;
            let mut next = Vec::new();
            for row in &rows {
                for member in &members {
                    self.interp.tick()?;
                    self.has_room(lang.prod(prod).sort, next.len())?;
                    let mut row = row.clone();
                    row.push(*member);
                    next.push(row);
                }
            }
            rows = next;
        }
        Ok(rows)
    }

    /// Closed members of a sort within its bound.
    pub(super) fn values(&mut self, sort: SortId) -> Result<Vec<TermId>, Fault> {
        let lang = self.interp.lang;
        if is_interned(lang, sort) {
            return Ok(self.interp.universe().members(sort).to_vec());
        }
        if lang.is_map(sort) {
            return Err(Fault::NotEnumerable(sort));
        }
        let most = match lang.bound(self.check, sort) {
            Some(Bound::Size(n) | Bound::Nodes(n) | Bound::Height(n) | Bound::Depth(n) | Bound::Count(n)) => n,
            _ => DEFAULT_VALUE,
        };
        // The bound of programs is meant for programs, not for each of the values in a store.
        let most =
            if matches!(lang.sort(sort).kind, SortKind::Grammar { .. }) { most.min(DEFAULT_VALUE) } else { most };
        let scope: Scope = self.interp.code.vars.iter().map(|_| 0).collect();
        let mut members = Vec::new();
        for size in 0..=most {
            members.extend(self.raw(sort, size, &scope)?.iter().copied());
        }
        Ok(members)
    }

    #[allow(clippy::too_many_arguments)]
    fn keyed_maps(
        &mut self,
        sort: SortId,
        keys: &[TermId],
        empty: TermId,
        choices: &[Choice],
        total: bool,
        canonical: bool,
        sorted: bool,
    ) -> Result<Vec<TermId>, Fault> {
        // A map so far, whether it may still grow, and the first choice for its next entry.
        let mut maps = vec![(empty, true, 0)];
        for key in keys {
            let mut next = Vec::new();
            for (map, open, from) in maps {
                if !total {
                    next.push((map, !canonical, from));
                }
                if open {
                    for (i, (prod, fields)) in choices.iter().enumerate().skip(from) {
                        self.interp.tick()?;
                        let map = self.interp.terms.extend(*prod, map, *key, fields);
                        next.push((map, true, if sorted { i } else { 0 }));
                    }
                }
                self.has_room(sort, next.len())?;
            }
            maps = next;
        }
        // Small ones first.
        let mut maps: Vec<TermId> = maps.into_iter().map(|(map, ..)| map).collect();
        maps.sort_by_key(|map| self.interp.terms.entries(*map).len());
        Ok(maps)
    }

    /// Up to the bound, keys in order.
    fn scoped_maps(
        &mut self,
        sort: SortId,
        key: SortId,
        empty: TermId,
        choices: &[Choice],
    ) -> Result<Vec<TermId>, Fault> {
        let most = match self.interp.lang.bound(self.check, sort) {
            Some(Bound::Count(n) | Bound::Size(n) | Bound::Nodes(n) | Bound::Height(n) | Bound::Depth(n)) => n,
            _ => 1,
        };
        let mut maps = vec![empty];
        let mut last = vec![empty];
        for level in 0..most {
            let key = self.interp.terms.intern(Term::Free(key, level));
            let mut next = Vec::new();
            for map in &last {
                for (prod, fields) in choices {
                    self.interp.tick()?;
                    next.push(self.interp.terms.extend(*prod, *map, key, fields));
                }
                self.has_room(sort, maps.len() + next.len())?;
            }
            maps.extend(&next);
            last = next;
        }
        Ok(maps)
    }
}

impl Enumerator<'_> {
    /// Of maps that differ only in names which the earlier maps do not tell apart, the one whose entries are in order.
    pub(super) fn is_canonical(&self, map: TermId, earlier: &[TermId]) -> bool {
        let terms = &self.interp.terms;
        let Some((prod, _)) = terms.node(map) else { return true };
        let prods = terms.lang.prods_of(terms.lang.prod(prod).sort);
        let Some(key) = prods.iter().find_map(|p| terms.lang.prod(*p).args.get(1)) else { return true };
        if !is_anonymous(terms.lang, *key) {
            return true;
        }
        let mut last: Vec<(Vec<Option<Choice>>, Option<Choice>)> = Vec::new();
        for name in self.interp.universe().members(*key) {
            let class: Vec<Option<Choice>> = earlier.iter().map(|map| terms.entry(*map, *name)).collect();
            let entry = terms.entry(map, *name);
            match last.iter_mut().find(|(c, _)| *c == class) {
                // No entry comes last.
                Some((_, before)) => {
                    if (before.is_none(), &*before) > (entry.is_none(), &entry) {
                        return false;
                    }
                    *before = entry;
                }
                None => last.push((class, entry)),
            }
        }
        true
    }
}

/// Whether no name of a sort occurs in the entries of a map.
pub(super) fn is_nameless(lang: &Lang, map: SortId, name: SortId) -> bool {
    lang.prods_of(map).iter().all(|p| !mentions(lang, *p, name))
}

/// No rule, function, alternative or check names a member of this sort.
fn is_anonymous(lang: &Lang, sort: SortId) -> bool {
    fn names(form: &Form, sort: SortId) -> bool {
        let mut found = matches!(form, Form::Atom(s, _) if *s == sort);
        form.each_child(&mut |child| found |= names(child, sort));
        found
    }
    let mut found = false;
    let mut look = |form: &Form| found |= names(form, sort);
    for rule in &lang.rules {
        rule.conclusion.iter().for_each(&mut look);
        rule.premises.iter().for_each(|p| p.premise.each_form(&mut |f| look(f)));
    }
    for equation in lang.funs.iter().flat_map(|f| &f.equations) {
        equation.left.iter().chain([&equation.right]).for_each(&mut look);
        equation.conditions.iter().for_each(|p| p.premise.each_form(&mut |f| look(f)));
    }
    for check in &lang.checks {
        check
            .premises
            .iter()
            .chain(check.conclusions.iter().flatten())
            .for_each(|p| p.premise.each_form(&mut |f| look(f)));
    }
    for sort in &lang.sorts {
        if let SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } = &sort.kind {
            alts.iter().for_each(|alt| look(&alt.form));
        }
    }
    !found
}

/// Whether a name may occur in the fields of an entry.
fn mentions(lang: &Lang, prod: ProdId, name: SortId) -> bool {
    let mut reached: Vec<SortId> = lang.prod(prod).args.iter().skip(2).copied().collect();
    let mut at = 0;
    while at < reached.len() {
        let mut parts = Vec::new();
        match &lang.sort(reached[at]).kind {
            SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } => {
                let mut forms: Vec<&Form> = alts.iter().map(|alt| &alt.form).collect();
                while let Some(form) = forms.pop() {
                    if let Form::Any(sort) | Form::Hole(sort) | Form::Atom(sort, _) = form {
                        parts.push(*sort);
                    }
                    form.each_child(&mut |child| forms.push(child));
                }
            }
            _ => parts.extend(lang.prods_of(reached[at]).iter().flat_map(|p| &lang.prod(*p).args)),
        }
        parts.retain(|sort| !reached.contains(sort));
        parts.sort();
        parts.dedup();
        reached.extend(parts);
        at += 1;
    }
    reached.contains(&name)
}
