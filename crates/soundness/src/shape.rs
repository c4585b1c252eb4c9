//! Which trees fit: the slots of a tree within its bound (docs/lang.md, "Slots"), without any formula.
//!
//! A slot is a place in the complete tree whose branching is the largest number of subtrees of a production. `N nodes` are the first
//! N places, breadth first; `height N` the first N levels; `size N` the places that some tree of at most that size reaches, found
//! by what the path to them and the least siblings cost. A limit on the size may come on top of any bound. Below a *horizon*
//! slots are abstract: nothing is said of what is there.

use crate::tables::is_finite;
use lang::*;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SlotId(pub u32);

impl SlotId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
pub struct Slot {
    pub parent: Option<(SlotId, u8)>,
    pub root: SlotId,
    pub depth: u32,
    /// Breadth-first number in its tree; saturates.
    pub place: u64,
    /// No tree here is larger.
    pub budget: u32,
    pub is_abstract: bool,
    kids: Vec<Option<Option<SlotId>>>,
    /// Base sorts that may stand here.
    pub sorts: Vec<SortId>,
}

/// How far a tree reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub nodes: Option<u64>,
    pub height: Option<u32>,
    pub size: Option<u32>,
    pub horizon: Option<u32>,
}

impl Extent {
    pub fn of(bound: Bound) -> Extent {
        let none = Extent { nodes: None, height: None, size: None, horizon: None };
        match bound {
            Bound::Nodes(n) | Bound::Count(n) => Extent { nodes: Some(n.into()), ..none },
            Bound::Height(n) | Bound::Depth(n) => Extent { height: Some(n), ..none },
            Bound::Size(n) => Extent { size: Some(n), ..none },
            Bound::Range(_, n) => Extent { nodes: Some(n.max(0) as u64), ..none },
        }
    }

    pub fn with_size(self, most: u32) -> Extent {
        Extent { size: Some(self.size.map_or(most, |s| s.min(most))), ..self }
    }
}

/// Facts of the grammar that do not depend on a bound.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// Subtrees of the production with most of them.
    pub branching: usize,
    /// Per production and argument, which subtree it is.
    pub position: Vec<Vec<Option<u8>>>,
    /// Per sort, the least size of a member.
    pub least: Vec<u32>,
    /// Per production likewise.
    pub least_of: Vec<u32>,
    /// `var` sorts, as bits of a scope.
    pub vars: Vec<SortId>,
    /// Per production: nothing below, so that it fits everywhere.
    pub is_leaf: Vec<bool>,
}

pub fn is_tree(lang: &Lang, sort: SortId) -> bool {
    let base = lang.sort(lang.base(sort));
    base.is_tree && matches!(base.kind, SortKind::Grammar { .. })
}

impl Grammar {
    /// `least_field`: the least size of a member of a finite sort.
    pub fn new(lang: &Lang, roots: &[SortId], least_field: impl Fn(SortId) -> u32) -> Grammar {
        let mut grammar = Grammar {
            vars: lang.sort_ids().filter(|s| lang.sort(*s).kind == SortKind::Var).collect(),
            ..Grammar::default()
        };
        for prod in &lang.prods {
            let mut next = 0;
            let position = prod.args.iter().enumerate().map(|(i, s)| {
                (is_tree(lang, *s) && !prod.is_binder(i)).then(|| {
                    next += 1;
                    next - 1
                })
            });
            grammar.position.push(position.collect());
            grammar.is_leaf.push(next == 0);
        }
        let mut reached: Vec<SortId> = roots.iter().map(|s| lang.base(*s)).collect();
        let mut next = 0;
        while next < reached.len() {
            for prod in lang.prods_of(reached[next]) {
                let args = &lang.prod(prod).args;
                let kids = args.iter().filter(|s| is_tree(lang, **s)).map(|s| lang.base(*s));
                let kids: Vec<SortId> = kids.collect();
                grammar.branching = grammar.branching.max(kids.len());
                for kid in kids {
                    if !reached.contains(&kid) {
                        reached.push(kid);
                    }
                }
            }
            next += 1;
        }
        grammar.branching = grammar.branching.max(1);
        const FAR: u32 = 1 << 20;
        grammar.least = vec![FAR; lang.sorts.len()];
        for sort in lang.sort_ids() {
            if is_finite(lang, sort) {
                grammar.least[sort.index()] = least_field(sort);
            } else if !is_tree(lang, sort) {
                grammar.least[sort.index()] = 0;
            }
        }
        grammar.least_of = vec![FAR; lang.prods.len()];
        loop {
            let mut changed = false;
            for (i, prod) in lang.prods.iter().enumerate() {
                let sum =
                    prod.args.iter().fold(prod.weight, |n, s| n.saturating_add(grammar.least[lang.base(*s).index()]));
                let sum = sum.min(FAR);
                if sum < grammar.least_of[i] {
                    grammar.least_of[i] = sum;
                    changed = true;
                }
                let base = lang.base(prod.sort);
                if is_tree(lang, base) && sum < grammar.least[base.index()] {
                    grammar.least[base.index()] = sum;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for sort in lang.sort_ids() {
            if is_tree(lang, sort) {
                grammar.least[sort.index()] = grammar.least[lang.base(sort).index()];
            }
        }
        grammar
    }
}

/// The slots made so far.
#[derive(Default)]
pub struct Shape {
    pub slots: Vec<Slot>,
    extents: FxHashMap<SlotId, Extent>,
    /// Of trees where only these places are not abstract: the places, as paths from the root.
    pub concrete: FxHashMap<SlotId, Vec<Vec<u8>>>,
    can: FxHashMap<(SlotId, SortId, u32), bool>,
}

impl Shape {
    pub fn root(&mut self, grammar: &Grammar, sort: SortId, extent: Extent) -> SlotId {
        let id = SlotId(self.slots.len() as u32);
        self.slots.push(Slot {
            parent: None,
            root: id,
            depth: 1,
            place: 0,
            budget: extent.size.unwrap_or(u32::MAX),
            is_abstract: extent.horizon == Some(0),
            kids: vec![None; grammar.branching],
            sorts: vec![sort],
        });
        self.extents.insert(id, extent);
        id
    }

    pub fn get(&self, id: SlotId) -> &Slot {
        &self.slots[id.index()]
    }

    /// The slot of the so many-th subtree, if the bound has it.
    pub fn kid(&mut self, lang: &Lang, grammar: &Grammar, id: SlotId, position: u8) -> Option<SlotId> {
        if let Some(known) = self.slots[id.index()].kids.get(position as usize).copied().flatten() {
            return known;
        }
        let kid = self.new_kid(lang, grammar, id, position);
        self.slots[id.index()].kids[position as usize] = Some(kid);
        kid
    }

    fn new_kid(&mut self, lang: &Lang, grammar: &Grammar, id: SlotId, position: u8) -> Option<SlotId> {
        let slot = self.slots[id.index()].clone();
        let extent = self.extents[&slot.root];
        let branching = grammar.branching as u64;
        let place = slot.place.saturating_mul(branching).saturating_add(1 + position as u64);
        let depth = slot.depth + 1;
        if extent.nodes.is_some_and(|n| place >= n) || extent.height.is_some_and(|h| depth > h) {
            return None;
        }
        let (mut budget, mut sorts) = (None, Vec::new());
        for sort in &slot.sorts {
            for prod in lang.prods_of(*sort) {
                let Some(arg) = grammar.position[prod.index()].iter().position(|p| *p == Some(position)) else {
                    continue;
                };
                let base = lang.base(lang.prod(prod).args[arg]);
                let rest = grammar.least_of[prod.index()].saturating_sub(grammar.least[base.index()]);
                let Some(left) = slot.budget.checked_sub(rest) else { continue };
                if left < grammar.least[base.index()] {
                    continue;
                }
                budget = budget.max(Some(if slot.budget == u32::MAX { u32::MAX } else { left }));
                if !sorts.contains(&base) {
                    sorts.push(base);
                }
            }
        }
        let id_of_kid = SlotId(self.slots.len() as u32);
        let is_abstract = match self.concrete.get(&slot.root) {
            Some(places) => {
                let mut path = self.path(id);
                path.push(position);
                !places.contains(&path)
            }
            None => extent.horizon.is_some_and(|h| depth > h),
        };
        self.slots.push(Slot {
            parent: Some((id, position)),
            root: slot.root,
            depth,
            place,
            budget: budget?,
            is_abstract,
            kids: vec![None; grammar.branching],
            sorts,
        });
        Some(id_of_kid)
    }

    /// Whether some tree of the production fits, when variables of the sorts in `scope` are bound above.
    pub fn fits(&mut self, lang: &Lang, grammar: &Grammar, id: SlotId, prod: ProdId, scope: u32) -> bool {
        if grammar.least_of[prod.index()] > self.get(id).budget {
            return false;
        }
        let production = lang.prod(prod);
        (0..production.args.len()).all(|arg| {
            let sort = production.args[arg];
            if production.is_binder(arg) {
                return true;
            }
            if let Some(bit) = grammar.vars.iter().position(|v| *v == sort) {
                return scope & 1 << bit != 0;
            }
            let Some(position) = grammar.position[prod.index()][arg] else { return true };
            let Some(kid) = self.kid(lang, grammar, id, position) else { return false };
            let mut inner = scope;
            for binder in production.binders_over(arg) {
                if let Some(bit) = grammar.vars.iter().position(|v| *v == production.args[binder.var]) {
                    inner |= 1 << bit;
                }
            }
            self.can_hold(lang, grammar, kid, lang.base(sort), inner)
        })
    }

    pub fn can_hold(&mut self, lang: &Lang, grammar: &Grammar, id: SlotId, sort: SortId, scope: u32) -> bool {
        if self.get(id).is_abstract {
            return true;
        }
        if let Some(&known) = self.can.get(&(id, sort, scope)) {
            return known;
        }
        let mut prods = lang.prods_of(sort);
        prods.sort_by_key(|p| !grammar.is_leaf[p.index()]);
        let can = prods.iter().any(|p| self.fits(lang, grammar, id, *p, scope));
        self.can.insert((id, sort, scope), can);
        can
    }

    pub fn extent_of(&self, id: SlotId) -> Extent {
        self.extents[&self.get(id).root]
    }

    /// From the root: which subtree at each step.
    pub fn path(&self, mut id: SlotId) -> Vec<u8> {
        let mut path = Vec::new();
        while let Some((parent, position)) = self.get(id).parent {
            path.push(position);
            id = parent;
        }
        path.reverse();
        path
    }
}
