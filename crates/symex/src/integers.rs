//! Integer operators of the IR on terms.

use crate::symbolic::Symbolic;
use formula::{IntOp, IntTy, Lit, TermId};
use ir::{BinaryOp, CompareOp, Ty, Width};

pub fn int_ty(width: Width) -> IntTy {
    match width {
        Width::W32 => IntTy::I32,
        Width::W64 => IntTy::I64,
    }
}

impl Symbolic<'_> {
    /// The value, and when it is an error: a zero divisor.
    pub fn binary(&mut self, op: BinaryOp, width: Width, a: TermId, b: TermId) -> (TermId, Lit) {
        let ty = int_ty(width);
        let g = &mut self.graph;
        let value = match op {
            BinaryOp::Add => g.add(ty, a, b),
            BinaryOp::Sub => g.sub(ty, a, b),
            BinaryOp::Mul => g.mul(ty, a, b),
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = g.eq_constant(b, 0);
                let op = if op == BinaryOp::Div { IntOp::Div } else { IntOp::Rem };
                return (g.int_op(op, ty, a, b), zero);
            }
            BinaryOp::And => g.int_op(IntOp::And, ty, a, b),
            BinaryOp::Or => g.int_op(IntOp::Or, ty, a, b),
            BinaryOp::Xor => g.int_op(IntOp::Xor, ty, a, b),
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UShr => {
                let mask = g.constant(ty.bits() as i64 - 1);
                let (lo, hi) = g.interval(b);
                let distance =
                    if lo >= 0 && hi < ty.bits() as i64 { b } else { g.int_op(IntOp::And, IntTy::I64, b, mask) };
                let op = match op {
                    BinaryOp::Shl => IntOp::Shl,
                    BinaryOp::Shr => IntOp::Shr,
                    _ => IntOp::UShr,
                };
                g.int_op(op, ty, a, distance)
            }
        };
        (value, Lit::FALSE)
    }

    pub fn compare(&mut self, op: CompareOp, a: TermId, b: TermId) -> Lit {
        let g = &mut self.graph;
        match op {
            CompareOp::Eq => g.eq(a, b),
            CompareOp::Ne => !g.eq(a, b),
            CompareOp::Lt => g.lt(a, b),
            CompareOp::Le => g.le(a, b),
            CompareOp::Gt => g.lt(b, a),
            CompareOp::Ge => g.le(b, a),
        }
    }

    pub fn negate(&mut self, width: Width, a: TermId) -> TermId {
        let zero = self.graph.constant(0);
        self.graph.sub(int_ty(width), zero, a)
    }

    /// `~a` is -a - 1.
    pub fn complement(&mut self, width: Width, a: TermId) -> TermId {
        let minus_one = self.graph.constant(-1);
        self.graph.sub(int_ty(width), minus_one, a)
    }

    pub fn convert(&mut self, ty: Ty, a: TermId) -> TermId {
        let ty = match ty {
            Ty::Byte => IntTy::I8,
            Ty::Short => IntTy::I16,
            Ty::Char => IntTy::U16,
            Ty::Long => IntTy::I64,
            _ => IntTy::I32,
        };
        self.graph.wrap(ty, a)
    }
}
