//! The inputs of a check: every member of a sort within its bound, and its size.

use super::{MOST_INPUTS, Oracle, Stuck, Tree};
use lang::*;

impl Oracle<'_> {
    pub fn size(&self, tree: &Tree) -> u32 {
        match tree {
            Tree::Node(prod, args) => self.lang.prod(*prod).weight + args.iter().map(|a| self.size(a)).sum::<u32>(),
            _ => 0,
        }
    }

    pub(super) fn bound(&self, sort: SortId) -> Option<Bound> {
        self.lang.bound(Some(self.check), sort).or(self.lang.bound(Some(self.check), self.lang.base(sort)))
    }

    /// Every program of a sort within its bound.
    pub(super) fn within(&self, sort: SortId) -> Result<Vec<Tree>, Stuck> {
        let branching = self.lang.prods.iter().filter(|p| self.is_program(p.sort)).map(|p| self.kids(p)).max();
        let branching = branching.unwrap_or(1).max(1) as u64;
        let bound = self.bound(sort).ok_or(Stuck("no bound"))?;
        let most = match bound {
            Bound::Size(n) => n,
            Bound::Nodes(n) => 4 * n,
            Bound::Height(n) => 4 * (0..n).fold(0, |sum, _| sum * branching as u32 + 1),
            _ => return Err(Stuck("another bound")),
        };
        let mut all = Vec::new();
        for size in 0..=most {
            for tree in self.of_size(sort, size, &[])? {
                let fits = match bound {
                    Bound::Nodes(n) => self.last_place(&tree, 0, branching) < n.into(),
                    Bound::Height(n) => self.levels(&tree) <= n,
                    _ => true,
                };
                if fits {
                    all.push(tree);
                }
            }
            if all.len() > MOST_INPUTS {
                return Err(Stuck("too many inputs"));
            }
        }
        Ok(all)
    }

    pub(super) fn kids(&self, production: &Production) -> usize {
        production.args.iter().filter(|s| self.is_program(**s)).count()
    }

    pub(super) fn programs<'t>(&self, tree: &'t Tree) -> Vec<&'t Tree> {
        let Tree::Node(prod, args) = tree else { return Vec::new() };
        let sorts = &self.lang.prod(*prod).args;
        args.iter().zip(sorts).filter(|(_, s)| self.is_program(**s)).map(|(a, _)| a).collect()
    }

    pub(super) fn levels(&self, tree: &Tree) -> u32 {
        1 + self.programs(tree).into_iter().map(|t| self.levels(t)).max().unwrap_or(0)
    }

    pub(super) fn last_place(&self, tree: &Tree, place: u64, branching: u64) -> u64 {
        let kids = self.programs(tree).into_iter().enumerate();
        kids.map(|(i, t)| self.last_place(t, place * branching + 1 + i as u64, branching)).max().unwrap_or(place)
    }

    /// Members of a sort of exactly this size; `scope` are the variables bound above.
    pub(super) fn of_size(&self, sort: SortId, size: u32, scope: &[u32]) -> Result<Vec<Tree>, Stuck> {
        self.work.set(self.work.get() + 1);
        if self.work.get() > 400_000 {
            return Err(Stuck("too much to generate"));
        }
        if self.is_type(sort) {
            let types = self.types(sort)?;
            return Ok(types.into_iter().filter(|t| self.size(t) == size).collect());
        }
        match &self.lang.sort(sort).kind {
            SortKind::Var if size == 0 => Ok(scope.iter().map(|n| Tree::Name(*n)).collect()),
            SortKind::Var => Ok(Vec::new()),
            SortKind::Sub { base, .. } => {
                let all = self.of_size(*base, size, scope)?;
                Ok(all.into_iter().filter(|t| self.is_member(t, sort)).collect())
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

    pub(super) fn fill(
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
        let own = binders.iter().filter(|(var, _)| production.binders_over(at).any(|b| b.var == *var));
        let inner: Vec<u32> = scope.iter().copied().chain(own.map(|(_, name)| *name)).collect();
        for size in 0..=rest {
            for tree in self.of_size(production.args[at], size, &inner)? {
                args.push(tree);
                self.fill(production, rest - size, scope, binders, args, found)?;
                args.pop();
            }
        }
        Ok(())
    }

    /// Every type within its bound.
    pub(super) fn types(&self, sort: SortId) -> Result<Vec<Tree>, Stuck> {
        let (most, by_depth) = match self.bound(sort) {
            Some(Bound::Size(n)) => (n, false),
            Some(Bound::Depth(n)) => (n, true),
            None => (2, true),
            _ => return Err(Stuck("another bound of types")),
        };
        let mut all: Vec<Tree> = Vec::new();
        for _ in 0..most {
            let mut next = Vec::new();
            for prod in self.lang.prods_of(sort) {
                let production = self.lang.prod(prod);
                let mut rows: Vec<Vec<Tree>> = vec![Vec::new()];
                for arg in &production.args {
                    if self.lang.base(*arg) != self.lang.base(sort) {
                        return Err(Stuck("types of several sorts"));
                    }
                    rows = rows
                        .iter()
                        .flat_map(|r| all.iter().map(|t| [&r[..], std::slice::from_ref(t)].concat()))
                        .collect();
                }
                next.extend(rows.into_iter().map(|args| Tree::Node(prod, args)));
            }
            all = next;
        }
        if !by_depth {
            all.retain(|t| self.size(t) <= most);
        }
        all.retain(|t| self.is_member(t, sort));
        Ok(all)
    }
}
