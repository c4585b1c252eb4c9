//! Operators on values. Each operand must be of the operator's operand type, otherwise the result is Error (docs/dminor.md, "Semantics").

use super::{Failure, Fault, Run};
use crate::program::{Expr, Op};
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;
use std::sync::Arc;

/// Of an operator that is not `&&` or `||`, at this expression, whose operands are `parts`.
pub(super) fn operate(op: Op, values: Vec<Value>, parts: &[Expr]) -> Run<Value> {
    let mut values = values.into_iter();
    let (Some(first), second) = (values.next(), values.next()) else { return Ok(Value::Null) };
    let Some(second) = second else {
        return match (op, first) {
            (Op::Not, Value::Logical(b)) => Ok(Value::Logical(!b)),
            (Op::Neg, Value::Integer(n)) => Ok(Value::Integer(-n)),
            (Op::Count, Value::Collection(bag)) => Ok(Value::integer(bag.count())),
            (_, value) => Err(misfit(op, value, &parts[0])),
        };
    };
    match op {
        Op::Eq => Ok(Value::Logical(first == second)),
        Op::Ne => Ok(Value::Logical(first != second)),
        Op::Cons => match second {
            Value::Collection(mut bag) => {
                Arc::make_mut(&mut bag).insert(first, 1);
                Ok(Value::Collection(bag))
            }
            other => Err(misfit(op, other, &parts[1])),
        },
        Op::Concat => match (first, second) {
            (Value::Collection(few), Value::Collection(many)) => {
                let (few, mut many) = if few.kinds() > many.kinds() { (many, few) } else { (few, many) };
                let all = Arc::make_mut(&mut many);
                few.distinct().for_each(|(v, n)| all.insert(v.clone(), n));
                Ok(Value::Collection(many))
            }
            (Value::Collection(_), other) => Err(misfit(op, other, &parts[1])),
            (other, _) => Err(misfit(op, other, &parts[0])),
        },
        _ => match (first, second) {
            (Value::Integer(a), Value::Integer(b)) => arithmetic(op, a, b, &parts[1]),
            (Value::Integer(_), other) => Err(misfit(op, other, &parts[1])),
            (other, _) => Err(misfit(op, other, &parts[0])),
        },
    }
}

fn arithmetic(op: Op, a: BigInt, b: BigInt, divisor: &Expr) -> Run<Value> {
    let compared = |holds: fn(Ordering) -> bool| Ok(Value::Logical(holds(a.cmp(&b))));
    match op {
        Op::Lt => compared(Ordering::is_lt),
        Op::Gt => compared(Ordering::is_gt),
        Op::Le => compared(Ordering::is_le),
        Op::Ge => compared(Ordering::is_ge),
        Op::Add => Ok(Value::Integer(a + b)),
        Op::Sub => Ok(Value::Integer(a - b)),
        Op::Mul => Ok(Value::Integer(a * b)),
        _ if b.is_zero() => {
            Err(Failure::new(Fault::DivisionByZero { dividend: Value::Integer(a) }, divisor.span).stop())
        }
        // Euclidean: rounds down for a positive divisor, up for a negative one.
        _ => Ok(Value::Integer(if b.is_negative() { -a.div_floor(&-b) } else { a.div_floor(&b) })),
    }
}

fn misfit(op: Op, value: Value, part: &Expr) -> Box<super::Stop> {
    let wanted = match op {
        Op::Not | Op::And | Op::Or => "logicals",
        Op::Cons => "a collection on the right",
        Op::Concat => "collections",
        Op::Count => "a collection",
        _ => "integers",
    };
    Failure::new(Fault::Operand { op, value, wanted }, part.span).stop()
}

/// The operand of `&&` and `||`.
pub(super) fn logical(op: Op, value: Value, part: &Expr) -> Run<bool> {
    match value {
        Value::Logical(b) => Ok(b),
        value => Err(misfit(op, value, part)),
    }
}
