//! Ground trees, hash-consed, so that equal means the same index. Variables are locally nameless: a bound occurrence counts the binders
//! of its sort between itself and its own, a free one has a level; hence equality is equality modulo α, and substitution never captures.
//! Metavariables of rules only ever hold locally closed trees: matching a binder opens its scope with a new free variable,
//! building one closes it again.
//!
//! Environments and stores are trees as well, of the productions of their sort. Over atoms and locations they are kept sorted by key,
//! each key once, so that equal maps are the same index.

use crate::definition::*;
use rustc_hash::FxHashMap;
use work::{Clock, Stop};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    Node(ProdId, Box<[TermId]>),
    /// An occurrence bound by a binder within the tree: 0 is the innermost binder of this sort.
    Bound(SortId, u32),
    /// A free variable, by level.
    Free(SortId, u32),
    /// Stands where a binder has its variable.
    Binder(SortId),
    Atom(SortId, u32),
    Loc(SortId, u32),
    Int(i64),
    Error,
    /// A type that is not known (yet), or a map of which nothing is known: only where types are inferred.
    Unknown(SortId, u32),
}

/// Facts about a tree, kept with it.
#[derive(Clone, Copy, Default, Debug)]
struct Facts {
    /// Per `var` sort a byte: how many binders are missing above (0: locally closed).
    loose: u64,
    /// Per `var` sort a byte: one more than the highest level of a free variable (0: none).
    free: u64,
    size: u32,
    height: u32,
    /// Something in it is unknown.
    unknown: bool,
}

/// The arena of all trees of one language.
pub struct Terms<'l> {
    pub lang: &'l Lang,
    terms: Vec<Term>,
    facts: Vec<Facts>,
    table: FxHashMap<Term, TermId>,
    /// The byte of each `var` sort in [`Facts`].
    byte: Vec<u32>,
    clock: Clock,
}

/// The larger of each pair of bytes.
fn bytes_max(a: u64, b: u64) -> u64 {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    u64::from_le_bytes(std::array::from_fn(|i| a[i].max(b[i])))
}

impl<'l> Terms<'l> {
    pub fn new(lang: &'l Lang) -> Terms<'l> {
        let mut next = 0;
        let byte = lang
            .sorts
            .iter()
            .map(|sort| {
                if sort.kind != SortKind::Var {
                    return 0;
                }
                next += 1;
                // Further sorts share the last byte: facts about them are then too large, never too small.
                (next - 1u32).min(7) * 8
            })
            .collect();
        Terms { lang, terms: Vec::new(), facts: Vec::new(), table: FxHashMap::default(), byte, clock: Clock::default() }
    }

    /// From now on this says when to stop.
    pub fn heed(&mut self, stop: &Stop) {
        self.clock = Clock::new(stop);
    }

    /// Whether it is time to stop, asked by whoever goes through many terms: nothing is concluded from what was found since.
    pub fn is_late(&mut self) -> bool {
        self.clock.step(1)
    }

    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Sum of the weights of the productions; names, numbers, environments and stores count 0 (docs/lang.md, "Size").
    pub fn size(&self, id: TermId) -> u32 {
        self.facts[id.0 as usize].size
    }

    /// A node whose arguments are names or nothing has height 1.
    pub fn height(&self, id: TermId) -> u32 {
        self.facts[id.0 as usize].height
    }

    /// The node, if it is one.
    pub fn node(&self, id: TermId) -> Option<(ProdId, &[TermId])> {
        match self.get(id) {
            Term::Node(prod, args) => Some((*prod, args)),
            _ => None,
        }
    }

    pub fn intern(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.table.get(&term) {
            return id;
        }
        let facts = self.facts_of(&term);
        let id = TermId(self.terms.len() as u32);
        self.terms.push(term.clone());
        self.facts.push(facts);
        self.table.insert(term, id);
        id
    }

    fn facts_of(&self, term: &Term) -> Facts {
        match term {
            Term::Bound(sort, index) => {
                Facts { loose: ((*index as u64 + 1).min(255)) << self.byte[sort.index()], ..Facts::default() }
            }
            Term::Free(sort, level) => {
                Facts { free: ((*level as u64 + 1).min(255)) << self.byte[sort.index()], ..Facts::default() }
            }
            Term::Node(prod, args) => {
                let production = self.lang.prod(*prod);
                let mut facts = Facts::default();
                for (i, arg) in args.iter().enumerate() {
                    let below = self.facts[arg.0 as usize];
                    let mut loose = below.loose;
                    for binder in production.binders_over(i) {
                        let shift = self.byte[production.args[binder.var].index()];
                        if (loose >> shift) & 255 > 0 && (shift < 56 || self.exact_last_byte()) {
                            loose -= 1 << shift;
                        }
                    }
                    facts.loose = bytes_max(facts.loose, loose);
                    facts.free = bytes_max(facts.free, below.free);
                    facts.unknown |= below.unknown;
                    facts.size = facts.size.saturating_add(below.size);
                    facts.height = facts.height.max(below.height);
                }
                let is_map = self.lang.is_map(production.sort);
                facts.size = if is_map { 0 } else { facts.size.saturating_add(production.weight) };
                facts.height = if is_map { 0 } else { facts.height + 1 };
                facts
            }
            Term::Unknown(..) => Facts { unknown: true, ..Facts::default() },
            _ => Facts::default(),
        }
    }

    /// Whether no two sorts share the last byte.
    fn exact_last_byte(&self) -> bool {
        self.lang.sorts.iter().filter(|s| s.kind == SortKind::Var).count() <= 8
    }

    pub fn make(&mut self, prod: ProdId, args: impl Into<Box<[TermId]>>) -> TermId {
        self.intern(Term::Node(prod, args.into()))
    }

    /// One more than the highest level of a free variable of this sort (at least).
    pub fn free_level(&self, id: TermId, sort: SortId) -> u32 {
        (self.facts[id.0 as usize].free >> self.byte[sort.index()]) as u32 & 255
    }

    /// Whether something in it is unknown.
    pub fn has_unknown(&self, id: TermId) -> bool {
        self.facts[id.0 as usize].unknown
    }

    /// Whether a variable occurs in it that is bound further out.
    pub fn has_loose(&self, id: TermId) -> bool {
        self.facts[id.0 as usize].loose != 0
    }

    /// Whether any variable is free in it.
    pub fn has_free(&self, id: TermId) -> bool {
        self.facts[id.0 as usize].free != 0
    }

    /// Replaces the variable of the missing binder `depth` of `sort` by a locally closed tree: goes under a binder.
    pub fn open(&mut self, id: TermId, sort: SortId, by: TermId) -> TermId {
        let mut memo = FxHashMap::default();
        self.open_at(id, sort, 0, by, &mut memo)
    }

    fn open_at(
        &mut self,
        id: TermId,
        sort: SortId,
        depth: u32,
        by: TermId,
        memo: &mut FxHashMap<(TermId, u32), TermId>,
    ) -> TermId {
        if (self.facts[id.0 as usize].loose >> self.byte[sort.index()]) & 255 <= depth as u64 {
            return id;
        }
        if let Some(&done) = memo.get(&(id, depth)) {
            return done;
        }
        let done = match self.get(id).clone() {
            Term::Bound(s, index) if s == sort && index == depth => by,
            Term::Bound(s, index) if s == sort && index > depth => self.intern(Term::Bound(s, index - 1)),
            Term::Node(prod, args) => {
                let args: Vec<TermId> = (0..args.len())
                    .map(|i| {
                        let depth = depth + self.binders_of(prod, i, sort);
                        self.open_at(args[i], sort, depth, by, memo)
                    })
                    .collect();
                self.make(prod, args)
            }
            _ => id,
        };
        memo.insert((id, depth), done);
        done
    }

    /// How many variables of `sort` are bound in argument `arg` of a production.
    pub fn binders_of(&self, prod: ProdId, arg: usize, sort: SortId) -> u32 {
        let production = self.lang.prod(prod);
        production.binders_over(arg).filter(|b| production.args[b.var] == sort).count() as u32
    }

    /// Makes the free variable (of `sort`, `level`) the variable of a binder put above: the inverse of [`Terms::open`]. Variables
    /// whose binders are missing already belong to binders further out from now on: with several, close the outermost first.
    pub fn close(&mut self, id: TermId, sort: SortId, level: u32) -> TermId {
        let var = self.intern(Term::Free(sort, level));
        let id = self.lift_at(id, sort, 0);
        self.replace_at(id, var, 0, Replacement::Bound(sort), &mut FxHashMap::default())
    }

    /// One more binder of `sort` between the missing binders and what is below `depth` of them.
    fn lift_at(&mut self, id: TermId, sort: SortId, depth: u32) -> TermId {
        if (self.facts[id.0 as usize].loose >> self.byte[sort.index()]) & 255 <= depth as u64 {
            return id;
        }
        match self.get(id).clone() {
            Term::Bound(s, index) if s == sort && index >= depth => self.intern(Term::Bound(s, index + 1)),
            Term::Node(prod, args) => {
                let args: Vec<TermId> = (0..args.len())
                    .map(|i| {
                        let depth = depth + self.binders_of(prod, i, sort);
                        self.lift_at(args[i], sort, depth)
                    })
                    .collect();
                self.make(prod, args)
            }
            _ => id,
        }
    }

    /// Whether the free variable (of `sort`, `level`) occurs.
    pub fn occurs(&self, id: TermId, sort: SortId, level: u32) -> bool {
        if self.free_level(id, sort) <= level.min(254) {
            return false;
        }
        match self.get(id) {
            Term::Free(s, l) => *s == sort && *l == level,
            Term::Node(_, args) => args.iter().any(|arg| self.occurs(*arg, sort, level)),
            _ => false,
        }
    }

    /// `id[by/var]`, all pairs at once. Each `var` is a free variable, each `by` a locally closed tree, which takes the place of
    /// the whole production that is only a name, or again a variable.
    pub fn substitute(&mut self, id: TermId, pairs: &[(TermId, TermId)]) -> TermId {
        match pairs {
            [] => id,
            [(by, var)] => self.substitute_one(id, *by, *var),
            _ => {
                // Through variables that occur nowhere, so that no pair sees what another put in.
                let mut renamed: Vec<(TermId, TermId)> = Vec::new();
                let mut result = id;
                for (by, var) in pairs {
                    let Term::Free(sort, _) = *self.get(*var) else { continue };
                    let top = pairs.iter().chain(&renamed).flat_map(|(b, v)| [*b, *v]).chain([result]);
                    let level = top.map(|t| self.free_level(t, sort)).max().unwrap_or(0);
                    // A name that no earlier pair was given, even if it does not occur in the result.
                    let name = self.intern(Term::Free(sort, level + renamed.len() as u32));
                    result = self.substitute_one(result, name, *var);
                    renamed.push((*by, name));
                }
                for (by, name) in renamed {
                    result = self.substitute_one(result, by, name);
                }
                result
            }
        }
    }

    fn substitute_one(&mut self, id: TermId, by: TermId, var: TermId) -> TermId {
        self.replace_at(id, var, 0, Replacement::Tree(by), &mut FxHashMap::default())
    }

    /// Replaces the free variable `var` in what is below `depth` binders of its sort.
    fn replace_at(
        &mut self,
        id: TermId,
        var: TermId,
        depth: u32,
        by: Replacement,
        memo: &mut FxHashMap<(TermId, u32), TermId>,
    ) -> TermId {
        let Term::Free(sort, level) = *self.get(var) else { return id };
        if self.free_level(id, sort) <= level.min(254) {
            return id;
        }
        if let Some(&done) = memo.get(&(id, depth)) {
            return done;
        }
        let done = match (self.get(id).clone(), by) {
            (Term::Free(..), Replacement::Bound(sort)) if id == var => self.intern(Term::Bound(sort, depth)),
            (Term::Free(..), Replacement::Tree(tree)) if id == var && matches!(self.get(tree), Term::Free(..)) => tree,
            (Term::Node(prod, args), Replacement::Tree(tree))
                if args[..] == [var] && self.node(tree).is_some_and(|(p, _)| self.takes_place(prod, p)) =>
            {
                tree
            }
            (Term::Node(prod, args), _) => {
                let replaced: Vec<TermId> = (0..args.len())
                    .map(|i| {
                        let depth = depth + self.binders_of(prod, i, sort);
                        self.replace_at(args[i], var, depth, by, memo)
                    })
                    .collect();
                self.make(prod, replaced)
            }
            _ => id,
        };
        memo.insert((id, depth), done);
        done
    }

    /// Whether a tree of production `by` may stand for a node of production `name`, which is only a name.
    fn takes_place(&self, name: ProdId, by: ProdId) -> bool {
        let (name, by) = (self.lang.prod(name), self.lang.prod(by));
        name.pieces.len() == 1 && name.sort == by.sort
    }
}

/// What a free variable is replaced by.
#[derive(Clone, Copy)]
enum Replacement {
    Bound(SortId),
    Tree(TermId),
}

/// Maps: environments and stores.
impl Terms<'_> {
    /// The entries, oldest first: production, key, fields.
    pub fn entries(&self, mut map: TermId) -> Vec<(ProdId, TermId, Vec<TermId>)> {
        let mut entries = Vec::new();
        while let Some((prod, args)) = self.node(map)
            && args.len() >= 2
        {
            entries.push((prod, args[1], args[2..].to_vec()));
            map = args[0];
        }
        entries.reverse();
        entries
    }

    /// The innermost entry of a key.
    pub fn entry(&self, mut map: TermId, key: TermId) -> Option<(ProdId, Vec<TermId>)> {
        while let Some((prod, args)) = self.node(map)
            && args.len() >= 2
        {
            if args[1] == key {
                return Some((prod, args[2..].to_vec()));
            }
            map = args[0];
        }
        None
    }

    /// The tree of a production: an entry of a map goes to its place.
    pub fn assemble(&mut self, prod: ProdId, args: Vec<TermId>) -> TermId {
        match &args[..] {
            [map, key, fields @ ..] if self.lang.is_map(self.lang.prod(prod).sort) => {
                self.extend(prod, *map, *key, fields)
            }
            _ => self.make(prod, args),
        }
    }

    /// `Γ, x:T` or `σ[x ↦ v]`: over atoms and locations the entry of the key is replaced, and keys stay sorted.
    pub fn extend(&mut self, prod: ProdId, map: TermId, key: TermId, fields: &[TermId]) -> TermId {
        if matches!(self.get(key), Term::Free(..) | Term::Bound(..)) {
            return self.make_entry(prod, map, key, fields);
        }
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for entry in self.entries(map) {
            match self.key_order(entry.1).cmp(&self.key_order(key)) {
                std::cmp::Ordering::Less => below.push(entry),
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Greater => above.push(entry),
            }
        }
        let mut result = self.empty_of(map);
        for (p, k, f) in below.into_iter().chain([(prod, key, fields.to_vec())]).chain(above) {
            result = self.make_entry(p, result, k, &f);
        }
        result
    }

    fn make_entry(&mut self, prod: ProdId, map: TermId, key: TermId, fields: &[TermId]) -> TermId {
        let args: Vec<TermId> = [map, key].into_iter().chain(fields.iter().copied()).collect();
        self.make(prod, args)
    }

    /// The empty map of its sort.
    pub fn empty_of(&self, mut map: TermId) -> TermId {
        while let Some((_, args)) = self.node(map)
            && args.len() >= 2
        {
            map = args[0];
        }
        map
    }

    fn key_order(&self, key: TermId) -> (u32, i64) {
        match *self.get(key) {
            Term::Atom(sort, k) | Term::Loc(sort, k) | Term::Free(sort, k) | Term::Bound(sort, k) => (sort.0, k as i64),
            Term::Int(n) => (u32::MAX, n),
            _ => (u32::MAX, key.0 as i64),
        }
    }

    /// The keys, each once, in order.
    pub fn domain(&self, map: TermId) -> Vec<TermId> {
        let mut keys: Vec<TermId> = self.entries(map).into_iter().map(|(_, key, _)| key).collect();
        keys.sort_by_key(|k| self.key_order(*k));
        keys.dedup();
        keys
    }
}

/// Membership in subsets.
impl Terms<'_> {
    /// Whether a locally closed tree of the sort's base is a member of the sort.
    pub fn is_member(&mut self, id: TermId, sort: SortId) -> bool {
        let lang = self.lang;
        match &lang.sort(sort).kind {
            SortKind::Sub { alts, .. } => {
                matches!(self.get(id), Term::Node(..)) && alts.iter().any(|alt| self.matches_shape(id, &alt.form))
            }
            SortKind::Context { .. } => false,
            SortKind::Var => {
                matches!(self.get(id), Term::Free(s, _) | Term::Bound(s, _) | Term::Binder(s) if *s == sort)
            }
            SortKind::Atom => matches!(self.get(id), Term::Atom(s, _) if *s == sort),
            SortKind::Loc => matches!(self.get(id), Term::Loc(s, _) if *s == sort),
            SortKind::Int => matches!(self.get(id), Term::Int(_)),
            _ => self.node(id).is_some_and(|(prod, _)| lang.prod(prod).sort == sort),
        }
    }

    /// Whether a tree has the shape of an alternative: only `Any`, `Node` and constants occur. Scopes need no opening, since a
    /// bound variable is a member of its `var` sort as it is.
    pub fn matches_shape(&mut self, id: TermId, form: &Form) -> bool {
        match form {
            Form::Any(sort) => self.is_member(id, *sort),
            Form::Node(prod, forms) => {
                let Some((p, args)) = self.node(id) else { return false };
                let args = args.to_vec();
                p == *prod && args.iter().zip(forms).all(|(arg, form)| self.matches_shape(*arg, form))
            }
            Form::Int(n) => *self.get(id) == Term::Int(*n),
            Form::Atom(sort, k) => *self.get(id) == Term::Atom(*sort, *k),
            _ => false,
        }
    }
}
