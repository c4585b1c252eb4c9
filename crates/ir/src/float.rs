//! Numbers with a fraction, as far as a path knows them (load factors, thresholds). A `float` is the int of its bits, a `double` the long; an
//! operation on them is an intrinsic that both engines run by [`FloatOp::apply`]. The glass box takes a path per value of an operand.
//!
//! Invariant: what nobody knows (a parameter, a field without `@Range`) is [`UNKNOWN_FLOAT`], a NaN that no operation gives. It may be kept
//! and passed on; an operation on it is not supported.

use source::{Diagnostic, Span};

/// In which format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    Single,
    Double,
}

pub const UNKNOWN_FLOAT: i64 = 0x7fc0_dead;
pub const UNKNOWN_DOUBLE: i64 = 0x7ff8_dead_dead_dead;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Negate,
    Lt,
    Le,
    Eq,
    Ceil,
    Floor,
    /// From an integer.
    From,
    /// To an integer, as a cast does it.
    ToInt,
    ToLong,
    /// From the other format.
    Convert,
}

impl FloatOp {
    pub fn is_comparison(self) -> bool {
        matches!(self, FloatOp::Lt | FloatOp::Le | FloatOp::Eq)
    }

    /// The result on operands of a format: bits, an integer, or 0 and 1. None if an operand is not known.
    pub fn apply(self, format: Format, operands: &[i64]) -> Option<i64> {
        let of_other = match format {
            Format::Single => Format::Double,
            Format::Double => Format::Single,
        };
        let of = if self == FloatOp::Convert { of_other } else { format };
        let is_unknown = |v: &i64| *v == if of == Format::Single { UNKNOWN_FLOAT } else { UNKNOWN_DOUBLE };
        if self != FloatOp::From && operands.iter().any(is_unknown) {
            return None;
        }
        let a = *operands.first()?;
        if self == FloatOp::From {
            // Rounded once, from all 64 bits.
            return Some(match format {
                Format::Single => bits_of_single(a as f32),
                Format::Double => bits_of_double(a as f64),
            });
        }
        let value = |bits: i64| match of {
            Format::Single => f64::from(f32::from_bits(bits as u32)),
            Format::Double => f64::from_bits(bits as u64),
        };
        let (x, y) = (value(a), value(operands.get(1).copied().unwrap_or_default()));
        let given = |v: f64| match format {
            Format::Single => bits_of_single(v as f32),
            Format::Double => bits_of_double(v),
        };
        Some(match self {
            // Of two floats, a sum, product or quotient that is rounded twice is as if rounded once: a double has more than twice the bits.
            FloatOp::Add => given(x + y),
            FloatOp::Sub => given(x - y),
            FloatOp::Mul => given(x * y),
            FloatOp::Div => given(x / y),
            FloatOp::Rem => given(x % y),
            FloatOp::Negate => given(-x),
            FloatOp::Ceil => given(x.ceil()),
            FloatOp::Floor => given(x.floor()),
            FloatOp::Lt => i64::from(x < y),
            FloatOp::Le => i64::from(x <= y),
            FloatOp::Eq => i64::from(x == y),
            // As Java: towards zero, NaN to 0, and no further than the type goes.
            FloatOp::ToInt => i64::from(x as i32),
            FloatOp::ToLong => x as i64,
            FloatOp::Convert => given(x),
            FloatOp::From => return None,
        })
    }

    pub fn unknown(span: Span) -> Box<Diagnostic> {
        let d = Diagnostic::error(
            "unsupported",
            span,
            "floating-point arithmetic on a number that is not known is not supported",
        );
        Box::new(
            d.label("a run gets here")
                .help("use `int` or `long`; of a field or parameter, `@Range(\"0.75..0.75\")` gives the number"),
        )
    }
}

/// NaNs have one form, which is not that of an unknown number.
fn bits_of_single(value: f32) -> i64 {
    if value.is_nan() { 0x7fc0_0000 } else { i64::from(value.to_bits() as i32) }
}

fn bits_of_double(value: f64) -> i64 {
    if value.is_nan() { 0x7ff8 << 48 } else { value.to_bits() as i64 }
}

/// A number as a person writes it.
pub fn text(format: Format, bits: i64) -> String {
    match (format, bits) {
        (Format::Single, UNKNOWN_FLOAT) | (Format::Double, UNKNOWN_DOUBLE) => "any number".to_string(),
        (Format::Single, _) => f32::from_bits(bits as u32).to_string(),
        (Format::Double, _) => f64::from_bits(bits as u64).to_string(),
    }
}

/// The bits of a constant.
pub fn constant(format: Format, value: f64) -> i64 {
    match format {
        Format::Single => bits_of_single(value as f32),
        Format::Double => bits_of_double(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_java() {
        let single = |v| constant(Format::Single, v);
        let apply = |op: FloatOp, a, b| op.apply(Format::Single, &[a, b]);
        assert_eq!(apply(FloatOp::Mul, single(16.0), single(0.75)), Some(single(12.0)));
        assert_eq!(FloatOp::From.apply(Format::Single, &[16_777_217]), Some(single(16_777_216.0)));
        assert_eq!(FloatOp::ToInt.apply(Format::Single, &[single(1e20)]), Some(i64::from(i32::MAX)));
        assert_eq!(FloatOp::ToInt.apply(Format::Single, &[single(f64::NAN)]), Some(0));
        assert_eq!(FloatOp::ToInt.apply(Format::Single, &[single(-1.9)]), Some(-1));
        assert_eq!(
            FloatOp::Convert.apply(Format::Double, &[single(0.1)]),
            Some(constant(Format::Double, f64::from(0.1f32)))
        );
        assert_eq!(apply(FloatOp::Eq, single(f64::NAN), single(f64::NAN)), Some(0));
        assert_eq!(apply(FloatOp::Eq, single(0.0), single(-0.0)), Some(1));
        assert_eq!(apply(FloatOp::Lt, UNKNOWN_FLOAT, single(1.0)), None);
        assert_ne!(apply(FloatOp::Div, single(0.0), single(0.0)), Some(UNKNOWN_FLOAT));
        assert_eq!(apply(FloatOp::Add, single(16_777_216.0), single(1.0)), Some(single(16_777_216.0)));
    }
}
