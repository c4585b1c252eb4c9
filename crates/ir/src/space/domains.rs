//! What a slot may contain: ranges of integers, and arrays with their elements (docs/java.md, "What a field or parameter holds"). A bound
//! that holds nothing at this size is reported where it stands.

use super::build::{Builder, Target};
use super::classes::Node;
use super::{Domain, Presence, Shape, SlotId};
use crate::program::*;
use crate::seen::Seen;
use crate::value::{Location, Value};
use source::{Diagnostic, Span};
use std::collections::BTreeSet;

/// So far beyond a default range does it go on to what the code compares with.
const NEAR: u64 = 8;
/// So many single numbers further away.
const FAR: usize = 12;

impl Builder<'_> {
    /// The domain of a field, parameter or element, and all it owns.
    pub(super) fn domain(
        &mut self,
        target: Target,
        ty: Ty,
        bound: &Bound,
        depth: usize,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let nullable = !bound.non_null;
        match ty {
            Ty::Bool => self.set(target, Domain::Bool),
            Ty::Byte | Ty::Short | Ty::Char | Ty::Int | Ty::Long => {
                let domain = self.integers(ty, bound, &bound.seen, target, span)?;
                self.set(target, domain);
            }
            Ty::Array(array) => self.array(target, array, bound, depth, span)?,
            Ty::Class(class) => self.reference(target, class, bound, nullable, span)?,
            Ty::Null | Ty::Void => self.set(target, Domain::Fixed(Value::Null)),
        }
        Ok(())
    }

    fn range(&self, range: &RangeExpr) -> Result<(i64, i64), Diagnostic> {
        match (range.lo.eval(self.space.n), range.hi.eval(self.space.n)) {
            (Some(lo), Some(hi)) if lo <= hi => Ok((lo, hi)),
            (Some(lo), Some(hi)) => Err(Diagnostic::error(
                "empty-bound",
                range.span,
                format!("the bound is empty at size {}: from {lo} to {hi}", self.space.n),
            )
            .label("nothing lies in this range")
            .help("choose another --size, or a range that holds something at every size")),
            _ => Err(Diagnostic::error(
                "bad-bound",
                range.span,
                format!("the bound has no value at size {}", self.space.n),
            )
            .label("division by zero or overflow here")),
        }
    }

    /// The integers of a `@Range`; without one, what the code can tell apart.
    pub(super) fn integers(
        &mut self,
        ty: Ty,
        bound: &Bound,
        seen: &Seen,
        target: Target,
        span: Span,
    ) -> Result<Domain, Diagnostic> {
        let (least, most) = ty.range();
        let Some(range) = &bound.range else { return Ok(self.default_integers(ty, seen, target, span)) };
        let (lo, hi) = self.range(range)?;
        if lo < least || hi > most {
            return Err(Diagnostic::error(
                "bad-bound",
                range.span,
                format!("the bound {lo}..{hi} does not fit into {}", self.program.ty_name(ty)),
            ));
        }
        Ok(Domain::Int { lo, hi })
    }

    fn may_have_range(&self, target: Target) -> bool {
        let mut ty = match target {
            Target::Argument(i) => self.program.method(self.operation.method).parameters[i].ty,
            Target::At(at) => match self.field(at) {
                Some(field) => field.ty,
                None => self.space.object(at.object).ty,
            },
        };
        while let Ty::Array(array) = ty {
            ty = self.program.element_ty(array);
        }
        !matches!(ty, Ty::Class(class) if self.program.class(class).kind != ClassKind::Box)
    }

    /// 0..n-1, and on to what the code compares with: a range as far as that is near, single numbers further away.
    fn default_integers(&mut self, ty: Ty, seen: &Seen, target: Target, span: Span) -> Domain {
        let (least, most) = ty.range();
        let (mut lo, mut hi) = (0, (self.space.n - 1).clamp(0, most));
        let mut wanted: BTreeSet<i64> = seen.integers.clone();
        if seen.beyond_length {
            wanted.extend([self.longest, self.longest + 1]);
        }
        let mut wanted: Vec<i64> = wanted.into_iter().filter(|w| (least..=most).contains(w)).collect();
        loop {
            wanted.retain(|w| !(lo..=hi).contains(w));
            let distance = |w: &i64| if *w < lo { lo.abs_diff(*w) } else { hi.abs_diff(*w) };
            match wanted.iter().min_by_key(|w| distance(w)) {
                Some(near) if distance(near) <= NEAR => (lo, hi) = (lo.min(*near), hi.max(*near)),
                _ => break,
            }
        }
        if wanted.is_empty() {
            return Domain::Int { lo, hi };
        }
        // Those that are nearest to zero, if there are too many.
        wanted.sort_by_key(|w| w.unsigned_abs());
        if let Some(left_out) = wanted.get(FAR) {
            let message =
                format!("{} is compared with more constants than are tried, {left_out} for one", self.name(target));
            // On a reference of a wider type, which holds such boxes too, no range would be allowed.
            let remedy = match self.may_have_range(target) {
                true => format!("@Range(\"{lo}..{left_out}\") brings them in"),
                false => String::new(),
            };
            self.leave_out("constants", message, remedy, span, false);
        }
        wanted.truncate(FAR);
        wanted.extend(lo..=hi);
        wanted.sort_unstable();
        Domain::Ints(wanted)
    }

    /// An array of its own, unless it may be another's too.
    pub(super) fn array(
        &mut self,
        target: Target,
        array: ArrayId,
        bound: &Bound,
        depth: usize,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let element = self.program.element_ty(array);
        let (lo, hi) = match bound.lengths.get(depth) {
            Some(range) => self.range(range)?,
            None => (0, self.space.n),
        };
        if lo < 0 || hi > 1 << 20 {
            return Err(Diagnostic::error("bad-bound", span, format!("an array cannot have {lo}..{hi} elements")));
        }
        let is_plain = bound.one_of.is_none() && bound.narrow.as_ref().is_some_and(|n| n.of.is_empty());
        let is_edge = bound.tree && !is_plain && matches!(element, Ty::Class(_));
        // Only at the outermost level may an array of a @NonNull field not be null.
        let nullable = !(bound.non_null && depth == 0);
        // Elements of one erased type may be of two.
        let group = bound.seen.may_be_shared.get(depth).copied().flatten().map(|g| (g, bound.narrow.clone()));
        let id = self.bare(Ty::Array(array), Presence::Always);
        self.space.objects[id.index()].length = (lo, hi);
        self.space.objects[id.index()].slots = vec![Domain::Bool; hi as usize];
        match group.filter(|_| !is_edge && !bound.owned) {
            Some(group) => {
                let known = self.groups.iter().position(|g| *g == group).unwrap_or(self.groups.len());
                if known == self.groups.len() {
                    self.groups.push(group);
                }
                self.space.objects[id.index()].group = known as u32;
                self.shareable.push((target, id, nullable));
            }
            None => self.own(target, id, nullable),
        }
        if is_edge
            && self.space.shape == Shape::Any
            && let Ty::Class(class) = element
            && let classes = self.fitting(class, bound)
            && classes.iter().any(|c| self.recursive.contains(c))
        {
            // All trees of the array grow from the same n objects.
            let roots: Vec<Node> = classes.iter().map(|&c| (c, bound.instance(c))).collect();
            let ranks = self.any_ranks(&roots)?;
            for i in 0..hi as u32 {
                let domain = self.grow(&ranks, &roots, true);
                self.set(Target::At(Location { object: id, slot: i }), domain);
            }
            return Ok(());
        }
        let first_slot = self.space.slots.len();
        // @NonNull speaks of the array, not of its elements.
        let inner = Bound { non_null: false, ..bound.clone() };
        for i in 0..hi as u32 {
            let element_target = Target::At(Location { object: id, slot: i });
            if is_edge {
                let Ty::Class(class) = element else { continue };
                self.tree_of(element_target, class, &inner, span)?;
            } else {
                self.domain(element_target, element, &inner, depth + 1, span)?;
            }
        }
        if is_edge {
            let slots: Vec<SlotId> = (first_slot..self.space.slots.len()).map(|s| SlotId(s as u32)).collect();
            self.space.budgets.push((self.space.n, slots));
        }
        Ok(())
    }
}
