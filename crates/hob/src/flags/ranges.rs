//! Ints that are compared with constants several times (`if (x.f >= 1) { if (x.f <= 2) …`): each comparison excludes constants; together they
//! say that the int is one of those between, if all of these are followed.
//!
//! What goes in: a procedure. What comes out: which ints are compared so, and with what. Whether such an int is at least so much is
//! followed as a Boolean variable would be, until something may write the int: so it does not matter where the comparisons are, as long as
//! one gets from one to the other.

use super::numbers::is_comparison;
use super::vocabulary::Tracked;
use super::walk::{Walk, constant};
use crate::program::*;
use crate::visit;
use sets::Formula as Fact;
use std::collections::{BTreeMap, BTreeSet};

/// An int in a variable, or in a field of the object in one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Int {
    Local(LocalId),
    Field(LocalId, FieldId),
}

impl Int {
    fn read_by(e: &Expr) -> Option<Int> {
        match &e.kind {
            _ if e.ty != Type::Int => None,
            ExprKind::Local(local) => Some(Int::Local(*local)),
            ExprKind::Field(object, field) => match object.kind {
                ExprKind::Local(local) => Some(Int::Field(local, *field)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is another one once the variable has another value.
    pub fn hangs_on(self, local: LocalId) -> bool {
        matches!(self, Int::Local(object) | Int::Field(object, _) if object == local)
    }

    pub fn is_of(self, field: FieldId) -> bool {
        matches!(self, Int::Field(_, f) if f == field)
    }
}

/// An int, and where such a comparison holds: where the int is at least so much, or where it is not.
fn threshold(op: BinaryOp, a: &Expr, b: &Expr) -> Option<(Int, i64, bool)> {
    use BinaryOp::{AtLeast, AtMost, Greater, Less};
    let (int, n, op) = match (constant(a), constant(b), op) {
        (None, Some(Constant::Int(n)), _) => (a, n, op),
        (Some(Constant::Int(n)), None, Less) => (b, n, Greater),
        (Some(Constant::Int(n)), None, AtMost) => (b, n, AtLeast),
        (Some(Constant::Int(n)), None, Greater) => (b, n, Less),
        (Some(Constant::Int(n)), None, AtLeast) => (b, n, AtMost),
        _ => return None,
    };
    let (least, is_at_least) = match op {
        AtLeast => (n, true),
        Greater => (n + 1, true),
        Less => (n, false),
        AtMost => (n + 1, false),
        _ => return None,
    };
    Some((Int::read_by(int)?, least, is_at_least))
}

/// Ints that are compared several times, with the thresholds: `k < 0` and, where it is not, `k > -1` have the same one.
pub fn thresholds(proc: &Proc) -> BTreeMap<Int, BTreeSet<i64>> {
    let mut found: BTreeMap<Int, Vec<i64>> = BTreeMap::new();
    visit::exprs(proc.body.as_deref().unwrap_or_default(), &mut |e| {
        if let ExprKind::Binary(op, a, b) = &e.kind
            && is_comparison(*op)
            && let Some((int, least, _)) = threshold(*op, a, b)
        {
            found.entry(int).or_default().push(least);
        }
    });
    let several = found.into_iter().filter(|(_, thresholds)| thresholds.len() > 1);
    several.map(|(int, thresholds)| (int, thresholds.into_iter().collect())).collect()
}

impl Walk<'_, '_> {
    /// What is followed of ints that something is true of.
    pub fn ranges(&self, is: impl Fn(Int) -> bool) -> Vec<Tracked> {
        let ranges = self.v.tracked.keys().filter(|what| matches!(what, Tracked::AtLeast(int, _) if is(*int)));
        ranges.copied().collect()
    }

    /// What is known beside `sides` where a comparison holds, and where it does not. `known` are the constants that the int is followed
    /// against.
    pub fn within(
        &mut self,
        sides: (Fact, Fact),
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        known: &[(i64, Fact)],
    ) -> (Fact, Fact) {
        let Some((int, least, is_at_least)) = threshold(op, a, b) else { return sides };
        let Some(reaches) = self.reaches(Tracked::AtLeast(int, least)) else { return sides };
        let mut always = Vec::new();
        for what in self.ranges(|other| other == int) {
            let (Tracked::AtLeast(_, other), Some(reaches_other)) = (what, self.reaches(what)) else { continue };
            let (low, reaches_low, high, reaches_high) = match other.cmp(&least) {
                std::cmp::Ordering::Less => (other, reaches_other, least, reaches),
                std::cmp::Ordering::Equal => continue,
                std::cmp::Ordering::Greater => (least, reaches, other, reaches_other),
            };
            always.push(self.v.store.implies(reaches_high, reaches_low));
            let one = |n: i64| known.iter().find(|(c, _)| *c == n).map(|(_, is)| *is);
            // Found at once to be too many: those that are followed are few.
            if let Some(mut any) = (low..high).map(one).collect::<Option<Vec<Fact>>>() {
                any.extend([self.v.store.not(reaches_low), reaches_high]);
                always.push(self.v.store.or(any));
            }
        }
        let short = self.v.store.not(reaches);
        let (holds, fails) = if is_at_least { (reaches, short) } else { (short, reaches) };
        let mut with =
            |fact: Fact, side: Fact| self.v.store.and([fact, side].into_iter().chain(always.iter().copied()));
        (with(sides.0, holds), with(sides.1, fails))
    }

    fn reaches(&mut self, what: Tracked) -> Option<Fact> {
        self.v.now(what).map(|now| self.v.store.boolean(now))
    }
}
