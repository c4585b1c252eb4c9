//! Building operators, folding constants as Java does at compile time (JLS 15.29): a constant expression is one that
//! folds to a literal.

use super::body::{expr, is_literal};
use ir::{BinaryOp, CompareOp, Expr, ExprKind, LogicOp, Ty, Width};
use source::Span;

/// The value as the integral type holds it.
pub fn truncate(value: i64, ty: Ty) -> i64 {
    match ty {
        Ty::Byte => i64::from(value as i8),
        Ty::Short => i64::from(value as i16),
        Ty::Char => i64::from(value as u16),
        Ty::Int => i64::from(value as i32),
        _ => value,
    }
}

pub fn convert(e: Expr, ty: Ty, span: Span) -> Expr {
    if e.ty == ty {
        return e;
    }
    if let ExprKind::Int(v) = e.kind {
        return expr(ExprKind::Int(truncate(v, ty)), ty, span);
    }
    expr(ExprKind::Convert(Box::new(e)), ty, span)
}

pub fn binary(op: BinaryOp, width: Width, a: Expr, b: Expr, span: Span) -> Expr {
    let ty = if width == Width::W64 { Ty::Long } else { Ty::Int };
    if let (ExprKind::Int(x), ExprKind::Int(y)) = (&a.kind, &b.kind)
        && let Some(value) = evaluate(op, width, *x, *y)
    {
        return expr(ExprKind::Int(truncate(value, ty)), ty, span);
    }
    expr(ExprKind::Binary(op, width, Box::new(a), Box::new(b)), ty, span)
}

/// None if it throws.
fn evaluate(op: BinaryOp, width: Width, x: i64, y: i64) -> Option<i64> {
    let mask = if width == Width::W64 { 63 } else { 31 };
    let shift = (y & mask) as u32;
    Some(match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::Div if y != 0 => x.wrapping_div(y),
        BinaryOp::Rem if y != 0 => x.wrapping_rem(y),
        BinaryOp::Div | BinaryOp::Rem => return None,
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        BinaryOp::Shl => x.wrapping_shl(shift),
        BinaryOp::Shr => x >> shift,
        BinaryOp::UShr if width == Width::W64 => ((x as u64) >> shift) as i64,
        BinaryOp::UShr => i64::from(((x as u32) >> shift) as i32),
    })
}

pub fn negate(width: Width, a: Expr, span: Span) -> Expr {
    let ty = a.ty;
    match a.kind {
        ExprKind::Int(v) => expr(ExprKind::Int(truncate(v.wrapping_neg(), ty)), ty, span),
        _ => expr(ExprKind::Negate(width, Box::new(a)), ty, span),
    }
}

pub fn complement(width: Width, a: Expr, span: Span) -> Expr {
    let ty = a.ty;
    match a.kind {
        ExprKind::Int(v) => expr(ExprKind::Int(!v), ty, span),
        _ => expr(ExprKind::Complement(width, Box::new(a)), ty, span),
    }
}

pub fn not(a: Expr, span: Span) -> Expr {
    match a.kind {
        ExprKind::Bool(b) => expr(ExprKind::Bool(!b), Ty::Bool, span),
        _ => expr(ExprKind::Not(Box::new(a)), Ty::Bool, span),
    }
}

pub fn compare(op: CompareOp, a: Expr, b: Expr, span: Span) -> Expr {
    if let (ExprKind::Int(x), ExprKind::Int(y)) = (&a.kind, &b.kind) {
        let value = match op {
            CompareOp::Eq => x == y,
            CompareOp::Ne => x != y,
            CompareOp::Lt => x < y,
            CompareOp::Le => x <= y,
            CompareOp::Gt => x > y,
            CompareOp::Ge => x >= y,
        };
        return expr(ExprKind::Bool(value), Ty::Bool, span);
    }
    expr(ExprKind::Compare(op, Box::new(a), Box::new(b)), Ty::Bool, span)
}

pub fn logic(op: LogicOp, a: Expr, b: Expr, span: Span) -> Expr {
    if let (ExprKind::Bool(x), ExprKind::Bool(y)) = (&a.kind, &b.kind) {
        let value = match op {
            LogicOp::And => x & y,
            LogicOp::Or => x | y,
            LogicOp::Xor => x ^ y,
            LogicOp::Eq => x == y,
        };
        return expr(ExprKind::Bool(value), Ty::Bool, span);
    }
    expr(ExprKind::Logic(op, Box::new(a), Box::new(b)), Ty::Bool, span)
}

/// `&&`: folds only if both are constants, so that what Java evaluates stays visible.
pub fn and_then(a: Expr, b: Expr, span: Span) -> Expr {
    match (&a.kind, &b.kind) {
        (ExprKind::Bool(x), ExprKind::Bool(y)) => expr(ExprKind::Bool(*x && *y), Ty::Bool, span),
        _ => expr(ExprKind::AndThen(Box::new(a), Box::new(b)), Ty::Bool, span),
    }
}

pub fn or_else(a: Expr, b: Expr, span: Span) -> Expr {
    match (&a.kind, &b.kind) {
        (ExprKind::Bool(x), ExprKind::Bool(y)) => expr(ExprKind::Bool(*x || *y), Ty::Bool, span),
        _ => expr(ExprKind::OrElse(Box::new(a), Box::new(b)), Ty::Bool, span),
    }
}

pub fn conditional(c: Expr, a: Expr, b: Expr, span: Span) -> Expr {
    let ty = a.ty;
    if let ExprKind::Bool(value) = c.kind
        && is_literal(&a)
        && is_literal(&b)
        && !matches!(a.kind, ExprKind::Null)
        && !matches!(b.kind, ExprKind::Null)
    {
        return if value { a } else { b };
    }
    expr(ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b)), ty, span)
}
