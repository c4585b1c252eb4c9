//! Primitive operators on values, by themselves: bottom (`None`) where an operand is not of its type. Shared by expressions of Bemol and
//! by terms of its formulas; it has nothing in common with `interp::operate`, so that each can be tested against the other.

use crate::program::Op;
use crate::value::{Bag, Value};
use num_bigint::BigInt;
use num_traits::{Euclid, Zero};
use std::sync::Arc;

pub(super) fn apply(op: Op, operands: &[Value]) -> Option<Value> {
    use Value::{Collection, Integer, Logical};
    Some(match (op, operands) {
        (Op::Not, [Logical(a)]) => Logical(!a),
        (Op::And, [Logical(a), Logical(b)]) => Logical(*a && *b),
        (Op::Or, [Logical(a), Logical(b)]) => Logical(*a || *b),
        (Op::Eq, [a, b]) => Logical(a == b),
        (Op::Ne, [a, b]) => Logical(a != b),
        (Op::Lt, [Integer(a), Integer(b)]) => Logical(a < b),
        (Op::Gt, [Integer(a), Integer(b)]) => Logical(a > b),
        (Op::Le, [Integer(a), Integer(b)]) => Logical(a <= b),
        (Op::Ge, [Integer(a), Integer(b)]) => Logical(a >= b),
        (Op::Add, [Integer(a), Integer(b)]) => Integer(a + b),
        (Op::Sub, [Integer(a), Integer(b)]) => Integer(a - b),
        (Op::Mul, [Integer(a), Integer(b)]) => Integer(a * b),
        (Op::Div, [Integer(a), Integer(b)]) if !b.is_zero() => Integer(a.div_euclid(b)),
        (Op::Neg, [Integer(a)]) => Integer(-a),
        (Op::Cons, [a, Collection(b)]) => {
            let mut bag = Bag::clone(b);
            bag.insert(a.clone(), 1);
            Collection(Arc::new(bag))
        }
        (Op::Concat, [Collection(a), Collection(b)]) => {
            let mut bag = Bag::clone(a);
            b.iter().for_each(|v| bag.insert(v.clone(), 1));
            Collection(Arc::new(bag))
        }
        (Op::Count, [Collection(a)]) => Integer(BigInt::from(a.count())),
        _ => return None,
    })
}

/// One occurrence less.
pub(super) fn remove(bag: &Bag, member: &Value) -> Option<Bag> {
    let place = bag.distinct().position(|(v, _)| v == member)?;
    let mut rest = bag.clone();
    rest.take(place)?;
    Some(rest)
}
