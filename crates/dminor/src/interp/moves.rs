//! Whether the value of an accumulator may be moved out of its variable: if no way through the body of the loop uses it twice. Then
//! `x :: y` adds to the collection in place, and a loop over n members costs n, not n², insertions.

use crate::program::{Expr, ExprKind, Type, VarId};

/// At most once on every way through the expression; under a loop and in types it counts as often.
pub(super) fn is_used_once(body: &Expr, variable: VarId) -> bool {
    uses(body, variable) <= 1
}

const OFTEN: usize = 2;

fn uses(expr: &Expr, variable: VarId) -> usize {
    let inner = |e: &Expr| uses(e, variable);
    let looped = |e: &Expr| if inner(e) > 0 { OFTEN } else { 0 };
    match &expr.kind {
        ExprKind::Var(id) => usize::from(*id == variable),
        ExprKind::Cond(condition, then, other) => inner(condition) + inner(then).max(inner(other)),
        ExprKind::Accumulate(a) => {
            let invariant = a.invariant.as_ref().map_or(0, |(_, e)| looped(e));
            let annotation = a.annotation.as_ref().map_or(0, |t| in_type(t, variable));
            inner(&a.source) + inner(&a.initial) + annotation + invariant + looped(&a.body)
        }
        ExprKind::Query(q) => inner(&q.source) + q.filter.as_ref().map_or(0, looped) + looped(&q.select),
        ExprKind::Test(e, ty) | ExprKind::Ascribe(e, ty) => inner(e) + in_type(ty, variable),
        _ => {
            let mut all = 0;
            expr.each_part(&mut |e| all += inner(e));
            all
        }
    }
}

fn in_type(ty: &Type, variable: VarId) -> usize {
    let mut all = 0;
    ty.each_expr(&mut |e| all += if uses(e, variable) > 0 { OFTEN } else { 0 });
    all
}
