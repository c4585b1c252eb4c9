//! Numbers with a fraction: conversions, operators, comparisons, as intrinsics on their bits (`ir/src/float.rs`).

use super::body::{Body, Val, expr, is_literal};
use super::{Lowering, fold, prim_ty};
use crate::resolve::*;
use crate::syntax::ast::{BinaryOp, Modifiers, Prim};
use ir::float::{FloatOp, Format};
use ir::{Expr, ExprKind, Intrinsic, Ty};
use source::Span;

pub fn format_of(prim: Prim) -> Option<Format> {
    match prim {
        Prim::Float => Some(Format::Single),
        Prim::Double => Some(Format::Double),
        _ => None,
    }
}

/// A number that nobody knows: it may be passed on.
pub fn unknown(ty: &Type) -> i64 {
    if *ty == Type::Prim(Prim::Double) { ir::float::UNKNOWN_DOUBLE } else { ir::float::UNKNOWN_FLOAT }
}

/// `@Range("0.75..0.75")` on a `float` or `double`: the one number that it is.
pub fn given(modifiers: &Modifiers, ty: &Type) -> Option<Result<i64, Span>> {
    let annotation = modifiers.annotation("Range")?;
    let format = ty.prim().and_then(format_of)?;
    let text = annotation.strings().next().unwrap_or_default();
    let number =
        text.split_once("..").and_then(|(lo, hi)| (lo.trim() == hi.trim()).then(|| lo.trim().parse::<f64>().ok())?);
    Some(number.map(|value| ir::float::constant(format, value)).ok_or(annotation.span))
}

impl Lowering<'_> {
    /// Whether a floating-point field is kept: in states only with its number. New objects of the library, which states do not have, keep
    /// what they get (the load factor of a map).
    pub fn keeps_number(&self, info: &FieldInfo) -> bool {
        let is_given =
            matches!(&info.origin, FieldOrigin::Declared(decl) if given(&decl.modifiers, &info.ty).is_some());
        is_given || self.is_library(info.class) && !self.table.class(info.class).is_specified
    }
}

impl Body<'_, '_> {
    fn float_op(&mut self, op: FloatOp, format: Format, operands: Vec<Expr>, ty: Ty, span: Span) -> Expr {
        let constants = operands.iter().map(|o| match o.kind {
            ExprKind::Int(v) if is_literal(o) => Some(v),
            _ => None,
        });
        if let Some(value) = constants.collect::<Option<Vec<i64>>>().and_then(|c| op.apply(format, &c)) {
            let kind = if op.is_comparison() { ExprKind::Bool(value != 0) } else { ExprKind::Int(value) };
            return expr(kind, ty, span);
        }
        expr(ExprKind::Intrinsic(Intrinsic::Float(op, format), operands), ty, span)
    }

    /// A primitive number as one of another type (JLS 5.1.2, 5.1.3).
    pub fn number_as(&mut self, e: Expr, from: Prim, to: Prim, span: Span) -> Expr {
        match (format_of(from), format_of(to)) {
            (None, None) => fold::convert(e, prim_ty(to), span),
            (Some(a), Some(b)) if a == b => e,
            (Some(_), Some(b)) => self.float_op(FloatOp::Convert, b, vec![e], prim_ty(to), span),
            (None, Some(b)) => self.float_op(FloatOp::From, b, vec![e], prim_ty(to), span),
            (Some(a), None) if to == Prim::Long => self.float_op(FloatOp::ToLong, a, vec![e], Ty::Long, span),
            (Some(a), None) => {
                let int = self.float_op(FloatOp::ToInt, a, vec![e], Ty::Int, span);
                fold::convert(int, prim_ty(to), span)
            }
        }
    }

    pub fn float_negate(&mut self, e: Expr, prim: Prim, span: Span) -> Val {
        let format = format_of(prim).unwrap_or(Format::Double);
        Val { expr: self.float_op(FloatOp::Negate, format, vec![e], prim_ty(prim), span), ty: Type::Prim(prim) }
    }

    /// Both operands promoted to the wider of the two.
    pub fn float_binary(&mut self, op: BinaryOp, a: (Expr, Prim), b: (Expr, Prim), span: Span) -> Option<Val> {
        let prim = if a.1 == Prim::Double || b.1 == Prim::Double { Prim::Double } else { Prim::Float };
        let format = format_of(prim)?;
        let (x, y) = (self.number_as(a.0, a.1, prim, span), self.number_as(b.0, b.1, prim, span));
        let arithmetic = match op {
            BinaryOp::Add => Some(FloatOp::Add),
            BinaryOp::Sub => Some(FloatOp::Sub),
            BinaryOp::Mul => Some(FloatOp::Mul),
            BinaryOp::Div => Some(FloatOp::Div),
            BinaryOp::Rem => Some(FloatOp::Rem),
            _ => None,
        };
        if let Some(op) = arithmetic {
            return Some(Val {
                expr: self.float_op(op, format, vec![x, y], prim_ty(prim), span),
                ty: Type::Prim(prim),
            });
        }
        // `a > b` is `b < a`, operands evaluated in their order.
        let (op, swap, not) = match op {
            BinaryOp::Lt => (FloatOp::Lt, false, false),
            BinaryOp::Le => (FloatOp::Le, false, false),
            BinaryOp::Gt => (FloatOp::Lt, true, false),
            BinaryOp::Ge => (FloatOp::Le, true, false),
            BinaryOp::Eq => (FloatOp::Eq, false, false),
            BinaryOp::Ne => (FloatOp::Eq, false, true),
            _ => return None,
        };
        let mut block = Vec::new();
        let operands = match swap {
            false => vec![x, y],
            true => {
                let x = self.bind(x, &mut block);
                let y = self.bind(y, &mut block);
                vec![y, x]
            }
        };
        let compared = self.float_op(op, format, operands, Ty::Bool, span);
        let compared = if not { fold::not(compared, span) } else { compared };
        Some(Val { expr: super::body::sequence(block, compared), ty: BOOL })
    }

    /// `Math.ceil` and `Math.floor`.
    pub fn rounded(&mut self, up: bool, argument: Expr, span: Span) -> Val {
        let op = if up { FloatOp::Ceil } else { FloatOp::Floor };
        Val { expr: self.float_op(op, Format::Double, vec![argument], Ty::Long, span), ty: Type::Prim(Prim::Double) }
    }
}
