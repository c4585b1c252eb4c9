//! Conditions that keep an int between two constants: `x.f >= 1 && x.f <= 2`, or where `k < 1 || k > 2` does not hold. Each comparison
//! excludes constants; together they say that the int is one of those between, if all of these are followed.

use super::numbers::is_comparison;
use super::walk::{Walk, constant};
use crate::program::*;
use crate::visit;
use sets::Formula as Fact;

/// So many constants are followed at most.
const MOST: i64 = 8;

/// An int and the least and greatest value that it may have.
type Range<'p> = (&'p Expr, i64, i64);

impl<'p> Walk<'_, 'p> {
    /// What a condition that holds, or does not, says of the range of an int, beside what its parts say.
    pub fn within(&mut self, fact: Fact, condition: &'p Expr, holds: bool) -> Fact {
        let Some((int, least, most)) = range(condition, holds).filter(|(_, least, most)| most - least < MOST) else {
            return fact;
        };
        let (fact, value) = self.eval(fact, int);
        let known = self.known_values(value);
        let one = |n: i64| known.iter().find(|(c, _)| *c == n).map(|(_, is)| *is);
        match (least..=most).map(one).collect::<Option<Vec<Fact>>>() {
            Some(any) => {
                let any = self.v.store.or(any);
                self.v.store.and([fact, any])
            }
            None => fact,
        }
    }
}

/// The range of the one int that a condition without effects compares with constants.
fn range(e: &Expr, holds: bool) -> Option<Range<'_>> {
    match (&e.kind, holds) {
        (ExprKind::Unary(UnaryOp::Not, inner), _) => range(inner, !holds),
        (ExprKind::Binary(BinaryOp::AndThen, a, b), true) | (ExprKind::Binary(BinaryOp::OrElse, a, b), false) => {
            match (range(a, holds), range(b, holds)) {
                (Some((x, from, to)), Some((y, least, most))) if is_same(x, y) => {
                    Some((x, from.max(least), to.min(most)))
                }
                (Some(one), None) if is_quiet(b) => Some(one),
                (None, Some(one)) if is_quiet(a) => Some(one),
                _ => None,
            }
        }
        (ExprKind::Binary(op, a, b), _) if is_comparison(*op) => {
            let (int, n, is_turned) = match (constant(a), constant(b)) {
                (None, Some(Constant::Int(n))) => (&**a, n, false),
                (Some(Constant::Int(n)), None) => (&**b, n, true),
                _ => return None,
            };
            let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
            let is_plain = matches!(&int.kind, ExprKind::Local(_))
                || matches!(&int.kind, ExprKind::Field(object, _) if matches!(object.kind, ExprKind::Local(_)));
            let (from, to) = match (op, holds, is_turned) {
                (BinaryOp::Equal, true, _) | (BinaryOp::NotEqual, false, _) => (n, n),
                (BinaryOp::Less, true, false)
                | (BinaryOp::AtLeast, false, false)
                | (BinaryOp::Greater, true, true)
                | (BinaryOp::AtMost, false, true) => (least, n - 1),
                (BinaryOp::AtMost, true, false)
                | (BinaryOp::Greater, false, false)
                | (BinaryOp::AtLeast, true, true)
                | (BinaryOp::Less, false, true) => (least, n),
                (BinaryOp::Greater, true, false)
                | (BinaryOp::AtMost, false, false)
                | (BinaryOp::Less, true, true)
                | (BinaryOp::AtLeast, false, true) => (n + 1, most),
                (BinaryOp::AtLeast, true, false)
                | (BinaryOp::Less, false, false)
                | (BinaryOp::AtMost, true, true)
                | (BinaryOp::Greater, false, true) => (n, most),
                _ => return None,
            };
            (is_plain && int.ty == Type::Int).then_some((int, from, to))
        }
        _ => None,
    }
}

fn is_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Field(a, f), ExprKind::Field(b, g)) => f == g && is_same(a, b),
        _ => false,
    }
}

/// Evaluating it changes nothing.
fn is_quiet(e: &Expr) -> bool {
    let mut is_so = true;
    let mut look = |e: &Expr| {
        is_so &=
            !matches!(e.kind, ExprKind::Call(..) | ExprKind::Intrinsic(..) | ExprKind::Step { .. } | ExprKind::New(_));
    };
    visit::condition(e, &mut look, &mut |_| {});
    is_so
}
