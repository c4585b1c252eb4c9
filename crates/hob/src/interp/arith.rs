//! What operators compute. Ints wrap at 32 bits and shifts take the lowest 5 bits of their count, as in Java; texts are compared
//! by their characters.

use super::heap::Heap;
use super::stop::Fault;
use super::value::Value;
use crate::program::{BinaryOp, Program};

/// Both operands are evaluated; `&&` and `||` are not computed here.
pub(crate) fn binary(op: BinaryOp, a: Value, b: Value) -> Result<Value, Fault> {
    if let (Value::Int(a), Value::Int(b)) = (&a, &b) {
        return integers(op, *a, *b);
    }
    Ok(match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Value::Bool(match op {
            BinaryOp::And | BinaryOp::AndThen => a && b,
            BinaryOp::Or | BinaryOp::OrElse => a || b,
            BinaryOp::Equal => a == b,
            _ => a != b,
        }),
        (Value::Float(a), Value::Float(b)) => floats(op, a, b),
        (Value::Float(a), b) if b.integer().is_some() => floats(op, a, f64::from(b.integer().unwrap_or(0))),
        (a, Value::Float(b)) if a.integer().is_some() => floats(op, f64::from(a.integer().unwrap_or(0)), b),
        (a, b) => match (a.integer(), b.integer()) {
            (Some(a), Some(b)) => return integers(op, a, b),
            _ => Value::Bool((a == b) == (op == BinaryOp::Equal)),
        },
    })
}

#[inline]
fn integers(op: BinaryOp, a: i32, b: i32) -> Result<Value, Fault> {
    Ok(Value::Int(match op {
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
        BinaryOp::Equal => return Ok(Value::Bool(a == b)),
        BinaryOp::NotEqual => return Ok(Value::Bool(a != b)),
        BinaryOp::Less => return Ok(Value::Bool(a < b)),
        BinaryOp::AtMost => return Ok(Value::Bool(a <= b)),
        BinaryOp::Greater => return Ok(Value::Bool(a > b)),
        BinaryOp::AtLeast => return Ok(Value::Bool(a >= b)),
        BinaryOp::AndThen | BinaryOp::OrElse => return Ok(Value::Bool(false)),
    }))
}

#[inline]
fn floats(op: BinaryOp, a: f64, b: f64) -> Value {
    match op {
        BinaryOp::Add => Value::Float(a + b),
        BinaryOp::Subtract => Value::Float(a - b),
        BinaryOp::Multiply => Value::Float(a * b),
        BinaryOp::Divide => Value::Float(a / b),
        BinaryOp::Remainder => Value::Float(a % b),
        BinaryOp::Less => Value::Bool(a < b),
        BinaryOp::AtMost => Value::Bool(a <= b),
        BinaryOp::Greater => Value::Bool(a > b),
        BinaryOp::AtLeast => Value::Bool(a >= b),
        BinaryOp::NotEqual => Value::Bool(a != b),
        _ => Value::Bool(a == b),
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
