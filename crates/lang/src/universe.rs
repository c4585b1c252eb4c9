//! The finite domains: every closed member, within the bound, of each sort that is not made of programs (docs/lang.md, "Finite domains").
//! Types, names, locations and numbers are *interned*: built once, and named by their place in this list from then on.
//!
//! A bound that explodes is an error before anything else is built: it names the sort, the number, and what to turn.

use crate::definition::*;
use crate::term::{Term, TermId, Terms};
use rustc_hash::FxHashMap;

/// More members than this of one sort, and nothing would end in time.
pub const MOST_MEMBERS: usize = 20_000;
/// About a second, at worst: a limit in work, so that it is the same on every machine.
const MOST_TRIED: u32 = 4_000_000;

/// Sizes that no type has, one after the other, at most.
const MOST_GAP: u32 = 8;

/// What is assumed where a definition gives no bound.
pub const DEFAULT_DEPTH: u32 = 2;
pub const DEFAULT_NAMES: u32 = 2;

#[derive(Clone, Debug, Default)]
pub struct Universe {
    members: Vec<Vec<TermId>>,
    index: Vec<FxHashMap<TermId, u32>>,
}

/// A sort has too many members within its bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explosion {
    pub sort: SortId,
    pub bound: Bound,
    /// At least so many.
    pub members: usize,
}

impl Universe {
    /// All members within the bounds of a check; with `deeper` levels (or sizes that some member has) for grammar sorts.
    pub fn build(terms: &mut Terms, check: Option<&Check>, deeper: u32) -> Result<Universe, Explosion> {
        let lang = terms.lang;
        let mut universe = Universe::default();
        for id in lang.sort_ids() {
            let sort = lang.sort(id);
            let bound = lang.bound(check, id);
            let members = match &sort.kind {
                SortKind::Var | SortKind::Context { .. } | SortKind::Env { .. } | SortKind::Store { .. } => Vec::new(),
                SortKind::Atom => (0..count(bound)).map(|k| terms.intern(Term::Atom(id, k))).collect(),
                SortKind::Loc => (0..count(bound)).map(|k| terms.intern(Term::Loc(id, k))).collect(),
                SortKind::Int => {
                    let (lo, hi) = match bound {
                        Some(Bound::Range(lo, hi)) => (lo, hi),
                        Some(Bound::Count(n)) => (0, n as i64 - 1),
                        _ => (0, 1),
                    };
                    if hi - lo >= MOST_MEMBERS as i64 {
                        let members = (hi - lo) as usize;
                        return Err(Explosion { sort: id, bound: Bound::Range(lo, hi), members });
                    }
                    (lo..=hi).map(|n| terms.intern(Term::Int(n))).collect()
                }
                SortKind::Grammar { .. } if !sort.is_tree => {
                    let bound = match bound.unwrap_or(Bound::Depth(DEFAULT_DEPTH)) {
                        Bound::Size(n) => Bound::Size(n + deeper),
                        Bound::Depth(n) | Bound::Height(n) | Bound::Nodes(n) | Bound::Count(n) => {
                            Bound::Depth(n + deeper)
                        }
                        Bound::Range(_, hi) => Bound::Depth(hi.max(0) as u32 + deeper),
                    };
                    let mut builder = Builder { terms, memo: FxHashMap::default(), tried: 0 };
                    let explosion = |bound| Explosion { sort: id, bound, members: MOST_MEMBERS + 1 };
                    let mut members = builder.all(id, bound).ok_or(explosion(bound))?;
                    // With binary constructors alone, no type has an even size.
                    if let (Bound::Size(n), 1..) = (bound, deeper) {
                        let within = members.iter().filter(|t| builder.terms.size(**t) <= n - deeper).count();
                        let further = (n + 1..=n + MOST_GAP).take_while(|_| members.len() == within);
                        for bound in further.map(Bound::Size).collect::<Vec<_>>() {
                            if members.len() == within {
                                members = builder.all(id, bound).ok_or(explosion(bound))?;
                            }
                        }
                    }
                    members
                }
                SortKind::Grammar { .. } | SortKind::Sub { .. } => Vec::new(),
            };
            universe.index.push(members.iter().enumerate().map(|(i, t)| (*t, i as u32)).collect());
            universe.members.push(members);
        }
        // Subsets of interned sorts are filtered from them.
        for id in lang.sort_ids() {
            if let SortKind::Sub { base, .. } = lang.sort(id).kind
                && !lang.sort(base).is_tree
            {
                let members: Vec<TermId> =
                    universe.members[base.index()].iter().copied().filter(|t| terms.is_member(*t, id)).collect();
                universe.index[id.index()] = members.iter().enumerate().map(|(i, t)| (*t, i as u32)).collect();
                universe.members[id.index()] = members;
            }
        }
        Ok(universe)
    }

    /// Adds a type.
    pub fn admit(&mut self, sort: SortId, term: TermId) {
        if !self.contains(sort, term) {
            self.index[sort.index()].insert(term, self.members[sort.index()].len() as u32);
            self.members[sort.index()].push(term);
        }
    }

    /// In order of size.
    pub fn members(&self, sort: SortId) -> &[TermId] {
        &self.members[sort.index()]
    }

    pub fn position(&self, sort: SortId, term: TermId) -> Option<u32> {
        self.index[sort.index()].get(&term).copied()
    }

    pub fn contains(&self, sort: SortId, term: TermId) -> bool {
        self.index[sort.index()].contains_key(&term)
    }
}

/// Whether a sort of types has members beyond its bound.
pub fn is_cut(lang: &Lang, check: Option<&Check>, sort: SortId) -> bool {
    let Some((height, size)) = largest(lang, sort, &mut Vec::new()) else { return true };
    match lang.bound(check, sort).unwrap_or(Bound::Depth(DEFAULT_DEPTH)) {
        Bound::Size(n) => size > n,
        Bound::Depth(n) | Bound::Height(n) | Bound::Nodes(n) | Bound::Count(n) => height > n,
        Bound::Range(_, hi) => i64::from(height) > hi,
    }
}

/// The height and the size of the largest members of a sort; none if there is no end of them.
fn largest(lang: &Lang, sort: SortId, above: &mut Vec<SortId>) -> Option<(u32, u32)> {
    let sort = lang.base(sort);
    if !matches!(lang.sort(sort).kind, SortKind::Grammar { .. }) {
        return Some((0, 0));
    }
    if above.contains(&sort) {
        return None;
    }
    above.push(sort);
    let mut most = (0, 0);
    for prod in lang.prods_of(sort) {
        let production = lang.prod(prod);
        let (mut height, mut size) = (0, production.weight);
        for arg in &production.args {
            let (h, s) = largest(lang, *arg, above)?;
            (height, size) = (height.max(h), size.saturating_add(s));
        }
        most = (most.0.max(height + 1), most.1.max(size));
    }
    above.pop();
    Some(most)
}

fn count(bound: Option<Bound>) -> u32 {
    match bound {
        Some(Bound::Count(n) | Bound::Size(n) | Bound::Nodes(n) | Bound::Depth(n) | Bound::Height(n)) => n,
        Some(Bound::Range(lo, hi)) => (hi - lo + 1).clamp(0, MOST_MEMBERS as i64) as u32,
        None => DEFAULT_NAMES,
    }
}

/// Variables that are bound above, per `var` sort that occurs.
type Scope = Vec<(SortId, u32)>;

struct Builder<'a, 'l> {
    terms: &'a mut Terms<'l>,
    /// Members of a sort of exactly this size, or of at most this depth, in a scope.
    memo: FxHashMap<(SortId, u32, Scope), Option<Vec<TermId>>>,
    /// Ways to fill an argument that were tried, most of which come to nothing where no size fits.
    tried: u32,
}

impl Builder<'_, '_> {
    fn all(&mut self, sort: SortId, bound: Bound) -> Option<Vec<TermId>> {
        let mut members = match bound {
            Bound::Size(n) => {
                let mut members = Vec::new();
                for size in 1..=n {
                    members.extend(self.of_size(sort, size, &Vec::new())?);
                    if members.len() > MOST_MEMBERS {
                        return None;
                    }
                }
                members
            }
            Bound::Depth(n) => self.of_depth(sort, n, &Vec::new())?,
            _ => Vec::new(),
        };
        members.sort_by_key(|t| (self.terms.size(*t), *t));
        Some(members)
    }

    /// Names, numbers and variables in scope.
    fn leaves(&mut self, sort: SortId, scope: &Scope) -> Option<Vec<TermId>> {
        let lang = self.terms.lang;
        let bound = lang.bound(None, sort);
        match lang.sort(sort).kind {
            SortKind::Var => {
                let depth = scope.iter().find(|(s, _)| *s == sort).map_or(0, |(_, n)| *n);
                Some((0..depth).map(|k| self.terms.intern(Term::Bound(sort, k))).collect())
            }
            SortKind::Atom => Some((0..count(bound)).map(|k| self.terms.intern(Term::Atom(sort, k))).collect()),
            SortKind::Loc => Some((0..count(bound)).map(|k| self.terms.intern(Term::Loc(sort, k))).collect()),
            SortKind::Int => {
                let (lo, hi) = if let Some(Bound::Range(lo, hi)) = bound { (lo, hi) } else { (0, 1) };
                Some((lo..=hi).take(MOST_MEMBERS).map(|n| self.terms.intern(Term::Int(n))).collect())
            }
            _ => None,
        }
    }

    fn of_depth(&mut self, sort: SortId, depth: u32, scope: &Scope) -> Option<Vec<TermId>> {
        if let Some(leaves) = self.leaves(sort, scope) {
            return Some(leaves);
        }
        if depth == 0 {
            return Some(Vec::new());
        }
        let key = (self.terms.lang.base(sort), depth, scope.clone());
        if let Some(done) = self.memo.get(&key) {
            return done.clone();
        }
        let mut members = Vec::new();
        for prod in self.terms.lang.prods_of(sort) {
            let mut rows = vec![Vec::new()];
            for arg in 0..self.terms.lang.prod(prod).args.len() {
                let choices = match self.argument(prod, arg, scope) {
                    Argument::Binder(binder) => vec![binder],
                    Argument::Sort(sort, scope) => self.of_depth(sort, depth - 1, &scope)?,
                };
                rows = product(rows, &choices)?;
            }
            for row in rows {
                members.push(self.terms.make(prod, row));
            }
            if members.len() > MOST_MEMBERS {
                self.memo.insert(key, None);
                return None;
            }
        }
        self.memo.insert(key, Some(members.clone()));
        Some(members)
    }

    fn of_size(&mut self, sort: SortId, size: u32, scope: &Scope) -> Option<Vec<TermId>> {
        if let Some(leaves) = self.leaves(sort, scope) {
            return Some(if size == 0 { leaves } else { Vec::new() });
        }
        let key = (self.terms.lang.base(sort), size, scope.clone());
        if let Some(done) = self.memo.get(&key) {
            return done.clone();
        }
        let mut members = Vec::new();
        for prod in self.terms.lang.prods_of(sort) {
            let production = self.terms.lang.prod(prod);
            if let Some(rest) = size.checked_sub(production.weight) {
                let args = production.args.len();
                self.rows_of_size(prod, args, rest, scope, &mut Vec::new(), &mut members)?;
            }
        }
        self.memo.insert(key, Some(members.clone()));
        Some(members)
    }

    /// Every way to fill the arguments of a production with trees of `rest` in all.
    fn rows_of_size(
        &mut self,
        prod: ProdId,
        args: usize,
        rest: u32,
        scope: &Scope,
        row: &mut Vec<TermId>,
        out: &mut Vec<TermId>,
    ) -> Option<()> {
        let arg = row.len();
        if arg == args {
            if rest == 0 {
                out.push(self.terms.make(prod, row.clone()));
            }
            return (out.len() <= MOST_MEMBERS).then_some(());
        }
        let (sort, scope_below) = match self.argument(prod, arg, scope) {
            Argument::Binder(binder) => {
                row.push(binder);
                self.rows_of_size(prod, args, rest, scope, row, out)?;
                row.pop();
                return Some(());
            }
            Argument::Sort(sort, scope) => (sort, scope),
        };
        for size in 0..=rest {
            // A weight of 0 would never end.
            if size == rest && self.terms.lang.prod(prod).weight == 0 && self.terms.lang.prod(prod).sort == sort {
                continue;
            }
            for choice in self.of_size(sort, size, &scope_below)? {
                self.tried += 1;
                if self.tried > MOST_TRIED {
                    return None;
                }
                row.push(choice);
                self.rows_of_size(prod, args, rest - size, scope, row, out)?;
                row.pop();
            }
        }
        Some(())
    }

    fn argument(&mut self, prod: ProdId, arg: usize, scope: &Scope) -> Argument {
        let production = self.terms.lang.prod(prod);
        let sort = production.args[arg];
        if production.is_binder(arg) {
            return Argument::Binder(self.terms.intern(Term::Binder(sort)));
        }
        let mut scope = scope.clone();
        for binder in production.binders_over(arg) {
            let var = production.args[binder.var];
            match scope.iter_mut().find(|(s, _)| *s == var) {
                Some((_, n)) => *n += 1,
                None => scope.push((var, 1)),
            }
        }
        scope.sort();
        Argument::Sort(sort, scope)
    }
}

enum Argument {
    Binder(TermId),
    Sort(SortId, Scope),
}

fn product(rows: Vec<Vec<TermId>>, choices: &[TermId]) -> Option<Vec<Vec<TermId>>> {
    if rows.len().saturating_mul(choices.len()) > MOST_MEMBERS {
        return None;
    }
    let mut out = Vec::with_capacity(rows.len() * choices.len());
    for row in &rows {
        for choice in choices {
            let mut row = row.clone();
            row.push(*choice);
            out.push(row);
        }
    }
    Some(out)
}
