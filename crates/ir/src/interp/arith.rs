//! Integer arithmetic as the Java Language Specification has it (15.15, 15.17 to 15.22, 5.1).
//!
//! What goes in: values of a type, sign-extended (`char`: zero-extended) to 64 bits. What comes out: the same.

use crate::program::*;

/// None if the divisor is zero.
#[inline]
pub fn binary(op: BinaryOp, width: Width, a: i64, b: i64) -> Option<i64> {
    match width {
        Width::W32 => binary32(op, a as i32, b).map(i64::from),
        Width::W64 => binary64(op, a, b),
    }
}

/// The right operand of a shift may be a long; only its lowest bits count.
#[inline]
fn binary32(op: BinaryOp, a: i32, b: i64) -> Option<i32> {
    let (right, distance) = (b as i32, b as u32);
    Some(match op {
        BinaryOp::Add => a.wrapping_add(right),
        BinaryOp::Sub => a.wrapping_sub(right),
        BinaryOp::Mul => a.wrapping_mul(right),
        BinaryOp::Div if right == 0 => return None,
        BinaryOp::Div => a.wrapping_div(right),
        BinaryOp::Rem if right == 0 => return None,
        BinaryOp::Rem => a.wrapping_rem(right),
        BinaryOp::And => a & right,
        BinaryOp::Or => a | right,
        BinaryOp::Xor => a ^ right,
        BinaryOp::Shl => a.wrapping_shl(distance),
        BinaryOp::Shr => a.wrapping_shr(distance),
        BinaryOp::UShr => (a as u32).wrapping_shr(distance) as i32,
    })
}

#[inline]
fn binary64(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let distance = b as u32;
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if b == 0 => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a.wrapping_shl(distance),
        BinaryOp::Shr => a.wrapping_shr(distance),
        BinaryOp::UShr => (a as u64).wrapping_shr(distance) as i64,
    })
}

#[inline]
pub fn negate(width: Width, a: i64) -> i64 {
    match width {
        Width::W32 => (a as i32).wrapping_neg().into(),
        Width::W64 => a.wrapping_neg(),
    }
}

#[inline]
pub fn compare(op: CompareOp, a: i64, b: i64) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    }
}

#[inline]
pub fn logic(op: LogicOp, a: bool, b: bool) -> bool {
    match op {
        LogicOp::And => a & b,
        LogicOp::Or => a | b,
        LogicOp::Xor => a ^ b,
        LogicOp::Eq => a == b,
    }
}

/// To an integral type: the lowest bits, then extended by the sign (`char`: by zeros).
#[inline]
pub fn convert(to: Ty, a: i64) -> i64 {
    match to {
        Ty::Byte => (a as i8).into(),
        Ty::Short => (a as i16).into(),
        Ty::Char => (a as u16).into(),
        Ty::Int => (a as i32).into(),
        _ => a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOp::*;

    #[test]
    fn as_the_language_specification_says() {
        const MIN: i64 = i32::MIN as i64;
        const MAX: i64 = i32::MAX as i64;
        let cases = [
            (Add, MAX, 1, Some(MIN)),
            (Sub, MIN, 1, Some(MAX)),
            (Mul, 65536, 65536, Some(0)),
            (Mul, MIN, -1, Some(MIN)),
            (Div, MIN, -1, Some(MIN)),
            (Div, -7, 2, Some(-3)),
            (Div, 7, 0, None),
            (Rem, MIN, -1, Some(0)),
            (Rem, -7, 2, Some(-1)),
            (Rem, 7, -2, Some(1)),
            (Rem, 0, 0, None),
            (Shl, 1, 32, Some(1)),
            (Shl, 1, 33, Some(2)),
            (Shl, 1, -1, Some(MIN)),
            (Shl, 1, 1 << 40, Some(1)),
            (Shr, MIN, 31, Some(-1)),
            (Shr, -8, 33, Some(-4)),
            (UShr, -1, 28, Some(15)),
            (UShr, -1, 0, Some(-1)),
            (And, -1, 255, Some(255)),
            (Or, MIN, 1, Some(MIN + 1)),
            (Xor, -1, MAX, Some(MIN)),
        ];
        for (op, a, b, expected) in cases {
            assert_eq!(binary(op, Width::W32, a, b), expected, "{op:?} {a} {b}");
        }
        let cases = [
            (Add, i64::MAX, 1, Some(i64::MIN)),
            (Div, i64::MIN, -1, Some(i64::MIN)),
            (Rem, i64::MIN, -1, Some(0)),
            (Div, 1, 0, None),
            (Shl, 1, 64, Some(1)),
            (Shl, 1, 63, Some(i64::MIN)),
            (UShr, -1, 60, Some(15)),
            (Shr, i64::MIN, 127, Some(-1)),
        ];
        for (op, a, b, expected) in cases {
            assert_eq!(binary(op, Width::W64, a, b), expected, "long {op:?} {a} {b}");
        }
        let conversions = [
            (Ty::Byte, 128, -128),
            (Ty::Byte, 0x1ff, -1),
            (Ty::Short, 0x8000, -0x8000),
            (Ty::Char, -1, 0xffff),
            (Ty::Int, 1 << 31, MIN),
            (Ty::Int, (1 << 40) + 5, 5),
            (Ty::Long, MIN, MIN),
        ];
        for (to, from, expected) in conversions {
            assert_eq!(convert(to, from), expected, "({to:?}) {from}");
        }
        assert_eq!(negate(Width::W32, MIN), MIN);
        assert_eq!(negate(Width::W64, i64::MIN), i64::MIN);
    }

    /// Against 64-bit arithmetic that is cut to 32 bits afterwards: another way to the same result.
    #[test]
    fn int_is_long_cut_off() {
        let interesting =
            [0, 1, -1, 2, 3, -3, 31, 32, 33, 255, 65535, -65536, 1 << 30, i32::MAX as i64, i32::MIN as i64];
        for op in [Add, Sub, Mul, And, Or, Xor, Div, Rem] {
            for a in interesting {
                for b in interesting {
                    let wide = binary(op, Width::W64, a, b).map(|r| convert(Ty::Int, r));
                    assert_eq!(binary(op, Width::W32, a, b), wide, "{op:?} {a} {b}");
                }
            }
        }
        for a in interesting {
            for b in interesting {
                let d = b & 31;
                assert_eq!(binary(Shl, Width::W32, a, b), Some(convert(Ty::Int, a << d)));
                assert_eq!(binary(Shr, Width::W32, a, b), Some(a >> d));
                assert_eq!(binary(UShr, Width::W32, a, b), Some(convert(Ty::Int, (a & 0xffff_ffff) >> d)));
            }
        }
    }
}
