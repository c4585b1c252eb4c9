//! What operators compute. Ints wrap at 32 bits and shifts take the lowest 5 bits of their count, as in Java; texts are compared
//! by their characters.

use super::heap::Heap;
use super::stop::Fault;
use super::value::Value;
use crate::program::{BinaryOp, Program};

/// The operator must be one that gives a number.
#[inline]
pub(crate) fn integers(op: BinaryOp, a: i32, b: i32) -> Result<i32, Fault> {
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide | BinaryOp::Remainder if b == 0 => return Err(Fault::DivisionByZero),
        BinaryOp::Divide => a.wrapping_div(b),
        BinaryOp::Remainder => a.wrapping_rem(b),
        BinaryOp::ShiftLeft => a.wrapping_shl(b as u32),
        BinaryOp::ShiftRight => a.wrapping_shr(b as u32),
        BinaryOp::ShiftRightUnsigned => (a as u32).wrapping_shr(b as u32) as i32,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        // Relations are computed by `compare`.
        _ => 0,
    })
}

/// In formulas about the heap, where nothing wraps. None: it has no value.
pub(crate) fn unbounded(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => a.checked_div(b),
        _ => a.checked_rem(b),
    }
}

/// The operator must be one that gives a number.
#[inline]
pub(crate) fn floats(op: BinaryOp, a: f64, b: f64) -> f64 {
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        _ => a % b,
    }
}

/// As `+` joins it to a text.
pub(crate) fn append(text: &mut String, value: &Value, heap: &Heap, program: &Program) {
    use std::fmt::Write;
    let _ = match value {
        Value::Int(n) => write!(text, "{n}"),
        Value::Byte(n) => write!(text, "{n}"),
        Value::Float(n) => write!(text, "{n:?}"),
        Value::Bool(b) => write!(text, "{b}"),
        Value::Char(c) => write!(text, "{c}"),
        Value::Text(t) => write!(text, "{t}"),
        Value::Object(id) => write!(text, "{}", heap.name(program, *id)),
        Value::Array(id) => write!(text, "array of {}", heap.length(*id)),
        Value::Null => write!(text, "null"),
    };
}
