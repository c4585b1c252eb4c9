//! The inputs of a check: every member of a sort within its bound, and its size.

use super::{MOST_INPUTS, MOST_WORK, Oracle, Row, Stuck, Tree};
use lang::*;
use std::rc::Rc;

/// The size of values in a store, where their sort has no bound.
const LARGEST_VALUE: u32 = 3;

impl Oracle<'_> {
    /// Every assignment of the inputs within their bounds, with its size. Maps come before the programs that they bind variables of.
    pub(super) fn rows(&self, inputs: &[MetaId]) -> Result<Vec<(u32, Row)>, Stuck> {
        let sort = |m: &MetaId| self.check.metas[m.index()].sort;
        let has_programs = inputs.iter().any(|m| self.is_program(sort(m)));
        let mut all: Vec<(u32, Row)> = vec![(0, vec![None; self.check.metas.len()])];
        for meta in inputs {
            let mut next = Vec::new();
            for (size, row) in &all {
                let counts = self.is_program(sort(meta)) || !has_programs;
                for tree in self.within(sort(meta), &free_names(row))?.iter() {
                    let mut row = row.clone();
                    let size = size + if counts { self.size(tree) } else { 0 };
                    row[meta.index()] = Some(tree.clone());
                    if !self.is_refuted(&row, *meta)? {
                        next.push((size, row));
                    }
                }
                if next.len() > MOST_INPUTS {
                    return Err(Stuck("too many inputs"));
                }
            }
            all = next;
        }
        Ok(all)
    }

    /// Whether a premise that speaks of nothing but what is chosen, the last choice included, does not hold.
    fn is_refuted(&self, row: &Row, last: MetaId) -> Result<bool, Stuck> {
        for located in &self.check.premises {
            let mut metas = Vec::new();
            located.premise.metas(&mut metas);
            if metas.contains(&last)
                && metas.iter().all(|m| row[m.index()].is_some())
                && self.premise(&located.premise, &self.check.metas, row.clone(), Vec::new(), 0)?.is_empty()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether something is an input within its bound.
    pub fn is_input(&self, meta: MetaId, tree: &Tree, row: &Row) -> Result<bool, Stuck> {
        let all = self.within(self.check.metas[meta.index()].sort, &free_names(row))?;
        Ok(all.iter().any(|t| self.same(t, tree, &mut Vec::new())))
    }

    pub fn size(&self, tree: &Tree) -> u32 {
        match tree {
            Tree::Node(prod, args) => self.lang.prod(*prod).weight + args.iter().map(|a| self.size(a)).sum::<u32>(),
            _ => 0,
        }
    }

    fn own_bound(&self, sort: SortId) -> Option<Bound> {
        self.lang.bound(Some(self.check), sort)
    }

    fn bound(&self, sort: SortId) -> Option<Bound> {
        self.own_bound(sort).or(self.own_bound(self.lang.base(sort)))
    }

    /// Every input of a sort within its bound.
    fn within(&self, sort: SortId, scope: &[u32]) -> Result<Rc<Vec<Tree>>, Stuck> {
        let key = (sort, scope.to_vec());
        if let Some(known) = self.inputs.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = Rc::new(self.all_within(sort, scope)?);
        self.inputs.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    fn all_within(&self, sort: SortId, scope: &[u32]) -> Result<Vec<Tree>, Stuck> {
        if self.is_type(sort) {
            return self.types(sort);
        }
        match &self.lang.sort(sort).kind {
            SortKind::Grammar { .. } | SortKind::Sub { .. } => {
                self.programs(sort, self.bound(sort).ok_or(Stuck("no bound"))?, scope)
            }
            SortKind::Env { .. } | SortKind::Store { .. } => self.maps(sort),
            SortKind::Var => Ok(scope.iter().map(|n| Tree::Name(*n)).collect()),
            _ => self.leaves(sort),
        }
    }

    /// Names and numbers.
    fn leaves(&self, sort: SortId) -> Result<Vec<Tree>, Stuck> {
        match (&self.lang.sort(sort).kind, self.own_bound(sort)) {
            (SortKind::Atom | SortKind::Loc, Some(Bound::Count(n))) => {
                Ok((0..n).map(|k| Tree::Atom(sort, k)).collect())
            }
            (SortKind::Int, Some(Bound::Range(lo, hi))) => Ok((lo..=hi).map(Tree::Int).collect()),
            (SortKind::Int, Some(Bound::Count(n))) => Ok((0..n.into()).map(Tree::Int).collect()),
            _ => Err(Stuck("another sort of inputs")),
        }
    }

    /// How many names of a sort inputs have.
    pub(super) fn count(&self, sort: SortId) -> Result<u32, Stuck> {
        Ok(self.leaves(sort)?.len() as u32)
    }

    /// Every environment or store: over atoms and locations all partial maps, over variables so many entries as the bound says.
    fn maps(&self, sort: SortId) -> Result<Vec<Tree>, Stuck> {
        let mut entries: Vec<(ProdId, Vec<Tree>)> = Vec::new();
        let mut key = None;
        for prod in self.lang.prods_of(sort) {
            let args = &self.lang.prod(prod).args;
            let Some(own) = args.get(1) else { continue };
            if key.is_some_and(|k| k != *own) {
                return Err(Stuck("keys of several sorts"));
            }
            key = Some(*own);
            let mut rows: Vec<Vec<Tree>> = vec![Vec::new()];
            for field in &args[2..] {
                let members = if self.is_type(*field) {
                    self.types(*field)?
                } else if self.is_program(*field) {
                    // A bound of programs is not one of the values in a store: those are small in any case.
                    let bound = match (self.own_bound(*field), self.lang.base(*field) == *field) {
                        (Some(bound), false) => bound,
                        (Some(Bound::Size(n)), true) => Bound::Size(n.min(LARGEST_VALUE)),
                        _ => Bound::Size(LARGEST_VALUE),
                    };
                    self.programs(*field, bound, &[])?
                } else {
                    self.leaves(*field)?
                };
                rows = extended_by(&rows, &members);
            }
            entries.extend(rows.into_iter().map(|fields| (prod, fields)));
        }
        let key = key.ok_or(Stuck("a map without keys"))?;
        let is_ordered = matches!(self.lang.sort(key).kind, SortKind::Var);
        let keys: Vec<Tree> = match (is_ordered, self.own_bound(sort)) {
            (false, _) => self.leaves(key)?,
            (true, Some(Bound::Count(n))) => (1..=n).map(Tree::Name).collect(),
            (true, _) => return Err(Stuck("no bound of entries")),
        };
        let mut maps = vec![Vec::new()];
        for (i, key) in keys.iter().enumerate() {
            let mut next = maps.clone();
            // Variables are taken in order: an environment has the first ones.
            for map in maps.iter().filter(|m| !is_ordered || m.len() == i) {
                for (prod, fields) in &entries {
                    let entry = [std::slice::from_ref(key), &fields[..]].concat();
                    next.push([&map[..], &[(*prod, entry)]].concat());
                }
            }
            if next.len() > MOST_INPUTS {
                return Err(Stuck("too many maps"));
            }
            maps = next;
        }
        Ok(maps.into_iter().map(Tree::Map).collect())
    }

    /// Every program of a sort within a bound.
    fn programs(&self, sort: SortId, bound: Bound, scope: &[u32]) -> Result<Vec<Tree>, Stuck> {
        match bound {
            Bound::Size(n) => {
                let mut all = Vec::new();
                for size in 0..=n {
                    all.extend(self.of_size(sort, size, scope)?.iter().cloned());
                }
                Ok(all)
            }
            Bound::Nodes(n) => {
                self.grown(sort, Room::Places { at: 0, most: n.into(), branching: self.branching() }, scope)
            }
            Bound::Height(n) => self.grown(sort, Room::Levels(n), scope),
            _ => Err(Stuck("another bound")),
        }
    }

    /// Every program that has room.
    fn grown(&self, sort: SortId, room: Room, scope: &[u32]) -> Result<Vec<Tree>, Stuck> {
        self.generate()?;
        if !self.is_program(sort) {
            let leaves = matches!(self.lang.sort(sort).kind, SortKind::Atom | SortKind::Loc | SortKind::Int);
            return match &self.lang.sort(sort).kind {
                SortKind::Var => Ok(scope.iter().map(|n| Tree::Name(*n)).collect()),
                _ if leaves => self.leaves(sort),
                _ => self.types(sort),
            };
        }
        let mut all = Vec::new();
        for prod in self.lang.prods_of(sort) {
            let production = self.lang.prod(prod);
            let binders: Vec<(usize, u32)> = production.binders.iter().map(|b| (b.var, self.new_name())).collect();
            let mut rows = if room.is_there() { vec![Vec::new()] } else { Vec::new() };
            let mut programs = 0;
            for (i, arg) in production.args.iter().enumerate() {
                let inner = inner_scope(production, i, scope, &binders);
                let members = match binders.iter().find(|(var, _)| *var == i) {
                    Some((_, name)) => vec![Tree::Name(*name)],
                    None if rows.is_empty() => Vec::new(),
                    None => self.grown(*arg, room.below(programs), &inner)?,
                };
                programs += u64::from(self.is_program(*arg));
                rows = extended_by(&rows, &members);
                if rows.len() > MOST_INPUTS {
                    return Err(Stuck("too many inputs"));
                }
            }
            all.extend(rows.into_iter().map(|args| Tree::Node(prod, args)));
        }
        all.retain(|t| self.is_member(t, sort));
        Ok(all)
    }

    fn generate(&self) -> Result<(), Stuck> {
        self.work.set(self.work.get() + 1);
        if self.work.get() > MOST_WORK { Err(Stuck("too much to generate")) } else { Ok(()) }
    }

    /// The most subtrees of a production that the programs of the check, or the values of its stores, are made of.
    fn branching(&self) -> u64 {
        let mut sorts: Vec<SortId> = Vec::new();
        for meta in &self.check.metas {
            sorts.push(self.lang.base(meta.sort));
            if let SortKind::Store { extension, .. } = self.lang.sort(meta.sort).kind {
                sorts.push(self.lang.base(self.lang.prod(extension).args[2]));
            }
        }
        let mut most = 1;
        let mut at = 0;
        while at < sorts.len() {
            for prod in self.lang.prods_of(sorts[at]) {
                let production = self.lang.prod(prod);
                if !self.is_program(production.sort) {
                    continue;
                }
                most = most.max(production.args.iter().filter(|s| self.is_program(**s)).count() as u64);
                for sort in &production.args {
                    let base = self.lang.base(*sort);
                    if !sorts.contains(&base) {
                        sorts.push(base);
                    }
                }
            }
            at += 1;
        }
        most
    }

    /// Members of a sort of exactly this size; `scope` are the variables bound above.
    fn of_size(&self, sort: SortId, size: u32, scope: &[u32]) -> Result<Rc<Vec<Tree>>, Stuck> {
        let key = (sort, size, scope.to_vec());
        if let Some(known) = self.sized.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = Rc::new(self.all_of_size(sort, size, scope)?);
        if found.len() > 4 * MOST_INPUTS {
            return Err(Stuck("too many inputs"));
        }
        self.sized.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    fn all_of_size(&self, sort: SortId, size: u32, scope: &[u32]) -> Result<Vec<Tree>, Stuck> {
        self.generate()?;
        if self.is_type(sort) {
            let types = self.types(sort)?;
            return Ok(types.into_iter().filter(|t| self.size(t) == size).collect());
        }
        match &self.lang.sort(sort).kind {
            SortKind::Var if size == 0 => Ok(scope.iter().map(|n| Tree::Name(*n)).collect()),
            SortKind::Atom | SortKind::Loc | SortKind::Int if size == 0 => self.leaves(sort),
            SortKind::Var | SortKind::Atom | SortKind::Loc | SortKind::Int => Ok(Vec::new()),
            SortKind::Sub { base, .. } => {
                let all = self.of_size(*base, size, scope)?;
                Ok(all.iter().filter(|t| self.is_member(t, sort)).cloned().collect())
            }
            SortKind::Grammar { prods } => {
                let mut all = Vec::new();
                for prod in prods {
                    let production = self.lang.prod(*prod);
                    let Some(rest) = size.checked_sub(production.weight) else { continue };
                    let binders: Vec<(usize, u32)> =
                        production.binders.iter().map(|b| (b.var, self.new_name())).collect();
                    self.fill(production, rest, scope, &binders, &mut Vec::new(), &mut |args| {
                        all.push(Tree::Node(*prod, args));
                    })?;
                }
                Ok(all)
            }
            _ => Err(Stuck("another sort of inputs")),
        }
    }

    fn fill(
        &self,
        production: &Production,
        rest: u32,
        scope: &[u32],
        binders: &[(usize, u32)],
        args: &mut Vec<Tree>,
        found: &mut dyn FnMut(Vec<Tree>),
    ) -> Result<(), Stuck> {
        let at = args.len();
        if at == production.args.len() {
            if rest == 0 {
                found(args.clone());
            }
            return Ok(());
        }
        if let Some((_, name)) = binders.iter().find(|(var, _)| *var == at) {
            args.push(Tree::Name(*name));
            self.fill(production, rest, scope, binders, args, found)?;
            args.pop();
            return Ok(());
        }
        let inner = inner_scope(production, at, scope, binders);
        let is_last = at + 1 == production.args.len();
        for size in if is_last { rest } else { 0 }..=rest {
            for tree in self.of_size(production.args[at], size, &inner)?.iter() {
                args.push(tree.clone());
                self.fill(production, rest - size, scope, binders, args, found)?;
                args.pop();
            }
        }
        Ok(())
    }

    /// Every type within its bound.
    pub(super) fn types(&self, sort: SortId) -> Result<Vec<Tree>, Stuck> {
        let mut all = match self.bound(sort) {
            Some(Bound::Size(n)) => {
                let mut all = self.of_depth(sort, n)?;
                all.retain(|t| self.size(t) <= n);
                all
            }
            Some(Bound::Depth(n) | Bound::Height(n)) => self.of_depth(sort, n)?,
            None => self.of_depth(sort, 2)?,
            _ => return Err(Stuck("another bound of types")),
        };
        all.retain(|t| self.is_member(t, sort));
        Ok(all)
    }

    /// All types of a sort, if they are finitely many and all within the bound.
    pub(super) fn all_types(&self, sort: SortId) -> Result<Option<Vec<Tree>>, Stuck> {
        if let Some(known) = self.finite.borrow().get(&sort) {
            return Ok(known.clone());
        }
        let within = self.types(sort)?;
        let base = self.lang.base(sort);
        let is_finite = match (self.of_depth(base, 4), self.of_depth(base, 5)) {
            (Ok(all), Ok(deeper)) => {
                all.len() == deeper.len() && all.iter().filter(|t| self.is_member(t, sort)).count() == within.len()
            }
            _ => false,
        };
        let found = is_finite.then_some(within);
        self.finite.borrow_mut().insert(sort, found.clone());
        Ok(found)
    }

    fn of_depth(&self, sort: SortId, depth: u32) -> Result<Vec<Tree>, Stuck> {
        if !self.is_type(sort) {
            return self.leaves(sort);
        }
        let mut all = Vec::new();
        for prod in self.lang.prods_of(sort) {
            let mut rows: Vec<Vec<Tree>> = vec![Vec::new()];
            for arg in &self.lang.prod(prod).args {
                if depth < 2 && self.is_type(*arg) {
                    rows.clear();
                    break;
                }
                rows = extended_by(&rows, &self.of_depth(*arg, depth.saturating_sub(1))?);
                if rows.len() > 1_000 {
                    return Err(Stuck("too many types"));
                }
            }
            if depth > 0 {
                all.extend(rows.into_iter().map(|args| Tree::Node(prod, args)));
            }
        }
        Ok(all)
    }
}

/// The variables in scope in an argument.
fn inner_scope(production: &Production, arg: usize, scope: &[u32], binders: &[(usize, u32)]) -> Vec<u32> {
    let own = binders.iter().filter(|(var, _)| production.binders_over(arg).any(|b| b.var == *var));
    scope.iter().copied().chain(own.map(|(_, name)| *name)).collect()
}

/// Where a program may still grow.
#[derive(Clone, Copy)]
enum Room {
    Levels(u32),
    /// The first places, breadth first, of the complete tree.
    Places {
        at: u64,
        most: u64,
        branching: u64,
    },
}

impl Room {
    fn is_there(self) -> bool {
        match self {
            Room::Levels(n) => n > 0,
            Room::Places { at, most, .. } => at < most,
        }
    }

    fn below(self, child: u64) -> Room {
        match self {
            Room::Levels(n) => Room::Levels(n - 1),
            Room::Places { at, most, branching } => Room::Places { at: at * branching + 1 + child, most, branching },
        }
    }
}

fn extended_by(rows: &[Vec<Tree>], members: &[Tree]) -> Vec<Vec<Tree>> {
    rows.iter().flat_map(|r| members.iter().map(|t| [&r[..], std::slice::from_ref(t)].concat())).collect()
}

/// The variables of the environments in a row.
fn free_names(row: &Row) -> Vec<u32> {
    let mut names = Vec::new();
    for tree in row.iter().flatten() {
        if let Tree::Map(entries) = tree {
            names.extend(entries.iter().filter_map(|(_, e)| if let Tree::Name(n) = e[0] { Some(n) } else { None }));
        }
    }
    names
}
