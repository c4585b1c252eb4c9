//! What the bounds of a check allow as an input, and how large inputs get.
//!
//! A bound of `N nodes` is the first N places, breadth first, of the complete tree whose branching is the largest number of subtrees of
//! any production that the programs of the check are made of; `height N` is its first N levels. Types, names and numbers in a program are
//! members of their sorts within their own bounds.

use super::Enumerator;
use super::maps::DEFAULT_VALUE;
use crate::definition::*;
use crate::interp::clause::{is_interned, is_type};
use crate::term::TermId;

/// Of programs for which no bound is given.
pub const DEFAULT_NODES: u32 = 15;

/// More is no size to be tried: it stands for "no bound".
pub const LARGEST: u32 = 100_000;

impl Enumerator<'_> {
    /// Whether a program is within the bound of its sort.
    pub(super) fn fits(&self, sort: SortId, tree: TermId) -> bool {
        let Some(check) = self.check else { return true };
        let lang = self.interp.lang;
        match bound_of(lang, check, sort) {
            Bound::Size(most) => self.interp.terms.size(tree) <= most,
            Bound::Height(most) | Bound::Depth(most) => self.levels(tree) <= most,
            Bound::Nodes(most) | Bound::Count(most) => self.last_place(tree, 0) < most.into(),
            Bound::Range(_, most) => self.last_place(tree, 0) < most.max(0) as u64,
        }
    }

    /// The subtrees of a program that are programs.
    fn subtrees(&self, tree: TermId) -> Vec<TermId> {
        let lang = self.interp.lang;
        let Some((prod, args)) = self.interp.terms.node(tree) else { return Vec::new() };
        let sorts = &lang.prod(prod).args;
        args.iter().zip(sorts).filter(|(_, sort)| is_program(lang, **sort)).map(|(arg, _)| *arg).collect()
    }

    fn levels(&self, tree: TermId) -> u32 {
        1 + self.subtrees(tree).iter().map(|t| self.levels(*t)).max().unwrap_or(0)
    }

    /// Whether a program may be part of an input, by its levels alone: of the trees of one size, most are too high for a bound in nodes.
    pub(super) fn may_fit(&self, tree: TermId) -> bool {
        self.most_levels.is_none_or(|most| self.levels(tree) <= most)
    }

    /// The last place that a tree at a place reaches.
    fn last_place(&self, tree: TermId, place: u64) -> u64 {
        let kid = |i: usize| place.saturating_mul(self.branching).saturating_add(1 + i as u64);
        let below = self.subtrees(tree).into_iter().enumerate().map(|(i, t)| self.last_place(t, kid(i)));
        below.max().unwrap_or(place).max(place)
    }

    /// Whether the types, names and numbers in a program are within their bounds.
    pub(super) fn is_input(&self, tree: TermId) -> bool {
        let lang = self.interp.lang;
        let Some((prod, args)) = self.interp.terms.node(tree) else { return true };
        args.iter().zip(&lang.prod(prod).args).all(|(arg, sort)| {
            if is_type(lang, *sort) {
                self.interp.in_domain(lang.base(*sort), *arg)
            } else if is_interned(lang, *sort) {
                self.interp.universe().contains(*sort, *arg)
            } else {
                self.is_input(*arg)
            }
        })
    }

    /// The largest size that a program of a sort has within its bound.
    pub(super) fn largest(&self, check: &Check, sort: SortId) -> u32 {
        let lang = self.interp.lang;
        let places = match bound_of(lang, check, sort) {
            Bound::Size(most) => return most,
            Bound::Nodes(most) | Bound::Count(most) => most.into(),
            Bound::Range(_, most) => most.max(0) as u64,
            Bound::Height(most) | Bound::Depth(most) => {
                (0..most).fold(0u64, |n, _| n.saturating_mul(self.branching).saturating_add(1))
            }
        };
        let field = |sort: &SortId| {
            let members = self.interp.universe().members(lang.base(*sort));
            members.iter().map(|t| self.interp.terms.size(*t)).max().unwrap_or(0)
        };
        let programs = lang.prods.iter().filter(|p| is_program(lang, p.sort));
        let weight = programs.map(|p| p.weight + p.args.iter().map(field).sum::<u32>()).max().unwrap_or(1);
        places.saturating_mul(weight.into()).min(LARGEST.into()) as u32
    }
}

/// Whether members of a sort are programs, or parts of them that have places of their own.
pub(super) fn is_program(lang: &Lang, sort: SortId) -> bool {
    let base = lang.sort(lang.base(sort));
    base.is_tree && matches!(base.kind, SortKind::Grammar { .. })
}

/// The bound of the programs of a sort, of which a check may have its own.
fn bound_of(lang: &Lang, check: &Check, sort: SortId) -> Bound {
    let own = lang.bound(Some(check), sort).or_else(|| lang.bound(Some(check), lang.base(sort)));
    own.unwrap_or(Bound::Nodes(DEFAULT_NODES))
}

/// The most levels of a program within the bounds of a check, or of a value in its stores. None if only sizes are bounded.
pub(super) fn most_levels(lang: &Lang, check: &Check, branching: u64) -> Option<u32> {
    // By size alone there may be any number of levels.
    if lang.prods.iter().any(|p| p.weight == 0 && is_program(lang, p.sort)) {
        return None;
    }
    let mut most = None;
    for meta in &check.metas {
        let levels = match lang.sort(meta.sort).kind {
            SortKind::Store { extension, .. } => match lang.bound(Some(check), lang.prod(extension).args[2]) {
                // Values are measured by size, whatever their bound is called.
                Some(Bound::Range(..)) => return None,
                Some(Bound::Size(n) | Bound::Nodes(n) | Bound::Height(n) | Bound::Depth(n) | Bound::Count(n)) => n,
                None => DEFAULT_VALUE,
            },
            _ if !is_program(lang, meta.sort) => continue,
            _ => match bound_of(lang, check, meta.sort) {
                Bound::Height(n) | Bound::Depth(n) => n,
                Bound::Nodes(n) => {
                    let (mut levels, mut places, mut wide) = (0, 0u64, 1u64);
                    while places < n.into() {
                        places = places.saturating_add(wide);
                        wide = wide.saturating_mul(branching);
                        levels += 1;
                    }
                    levels
                }
                _ => return None,
            },
        };
        most = most.max(Some(levels));
    }
    // The subject of a premise may be larger than what the check is about: `f t` of a program t.
    let mut above = 0;
    for located in &check.premises {
        located.premise.each_form(&mut |form| above = above.max(nodes_above(form)));
    }
    most.map(|levels| levels.saturating_add(above))
}

/// How many productions a form has one below the other.
fn nodes_above(form: &Form) -> u32 {
    let mut below = 0;
    form.each_child(&mut |child| below = below.max(nodes_above(child)));
    below + u32::from(matches!(form, Form::Node(..)))
}

/// The largest number of subtrees of a production that the programs of a check, or the values of its stores, are made of.
pub(super) fn branching(lang: &Lang, check: &Check) -> u64 {
    let value = |sort: SortId| match lang.sort(sort).kind {
        SortKind::Store { extension, .. } => lang.prod(extension).args[2],
        _ => sort,
    };
    let mut sorts: Vec<SortId> = check.metas.iter().map(|m| lang.base(value(m.sort))).collect();
    let mut most = 1;
    let mut at = 0;
    while at < sorts.len() {
        if is_program(lang, sorts[at]) {
            for prod in lang.prods_of(sorts[at]) {
                let args = lang.prod(prod).args.iter().filter(|s| is_program(lang, **s));
                let kids: Vec<SortId> = args.map(|s| lang.base(*s)).collect();
                most = most.max(kids.len() as u64);
                kids.into_iter().for_each(|kid| {
                    if !sorts.contains(&kid) {
                        sorts.push(kid);
                    }
                });
            }
        }
        at += 1;
    }
    most
}
