//! Formulas and terms about the heap, made small where that is easy: connectives, null, numbers of total fields.

use crate::program::{BinaryOp, HeapFormula, HeapTerm, Route, Type};

/// Not the same object: one is null, or they differ.
pub fn apart(a: &HeapTerm, b: &HeapTerm) -> HeapFormula {
    let is_null = HeapFormula::Compare(BinaryOp::Equal, a.clone(), HeapTerm::Null);
    or(vec![is_null, not(HeapFormula::Compare(BinaryOp::Equal, a.clone(), b.clone()))])
}

pub fn is_null(term: &HeapTerm) -> HeapFormula {
    let here = HeapFormula::Compare(BinaryOp::Equal, term.clone(), HeapTerm::Null);
    match term {
        HeapTerm::Null => HeapFormula::True,
        // Variables stand for objects: that one is null is a case of its own.
        HeapTerm::Bound(_) => HeapFormula::False,
        HeapTerm::Field(of, _) => or(vec![is_null(of), here]),
        _ => here,
    }
}

/// The cases of a number in which fields of ints are total: that of null is 0, as a Boolean of null is false. So is the length of null.
pub fn total(term: &HeapTerm) -> Vec<(HeapFormula, HeapTerm)> {
    match term {
        HeapTerm::Field(of, _) | HeapTerm::Length(of) => {
            let at_null = is_null(of);
            let cases = vec![(not(at_null.clone()), term.clone()), (at_null, HeapTerm::Int(0))];
            cases.into_iter().filter(|(when, _)| !matches!(when, HeapFormula::False)).collect()
        }
        HeapTerm::Arithmetic(op, a, b) => {
            let (left, right) = (total(a), total(b));
            let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
            let both = |((at_a, a), (at_b, b)): (&(HeapFormula, HeapTerm), &(HeapFormula, HeapTerm))| {
                let made = HeapTerm::Arithmetic(*op, Box::new(a.clone()), Box::new(b.clone()));
                (and(vec![at_a.clone(), at_b.clone()]), made)
            };
            pairs.map(both).collect()
        }
        HeapTerm::Index(array, index) => {
            let of = |(when, index)| (when, HeapTerm::Index(array.clone(), Box::new(index)));
            total(index).into_iter().map(of).collect()
        }
        _ => vec![(HeapFormula::True, term.clone())],
    }
}

/// As Isabelle has it: `div` rounds down, and `mod` is what is left.
pub fn arithmetic(op: BinaryOp, a: HeapTerm, b: HeapTerm) -> HeapTerm {
    let of = |op, a: &HeapTerm, b: &HeapTerm| HeapTerm::Arithmetic(op, Box::new(a.clone()), Box::new(b.clone()));
    let left = |a: &HeapTerm, b: &HeapTerm| {
        let remainder = of(BinaryOp::Remainder, a, b);
        of(BinaryOp::Remainder, &of(BinaryOp::Add, &remainder, b), b)
    };
    match op {
        BinaryOp::Divide => of(BinaryOp::Divide, &of(BinaryOp::Subtract, &a, &left(&a, &b)), &b),
        BinaryOp::Remainder => left(&a, &b),
        _ => of(op, &a, &b),
    }
}

pub fn either(mut routes: Vec<Route>) -> Route {
    if routes.len() == 1 { routes.remove(0) } else { Route::Either(routes) }
}

pub fn for_all(variable: u32, name: &str, ty: Type, body: HeapFormula) -> HeapFormula {
    HeapFormula::Quantified { exists: false, variable, name: name.to_string(), ty, body: Box::new(body) }
}

pub fn not(formula: HeapFormula) -> HeapFormula {
    match formula {
        HeapFormula::True => HeapFormula::False,
        HeapFormula::False => HeapFormula::True,
        HeapFormula::Not(inner) => *inner,
        other => HeapFormula::Not(Box::new(other)),
    }
}

pub fn and(mut parts: Vec<HeapFormula>) -> HeapFormula {
    if parts.iter().any(|p| matches!(p, HeapFormula::False)) {
        return HeapFormula::False;
    }
    parts.retain(|p| !matches!(p, HeapFormula::True));
    match parts.len() {
        0 => HeapFormula::True,
        1 => parts.remove(0),
        _ => HeapFormula::And(parts),
    }
}

pub fn or(mut parts: Vec<HeapFormula>) -> HeapFormula {
    if parts.iter().any(|p| matches!(p, HeapFormula::True)) {
        return HeapFormula::True;
    }
    parts.retain(|p| !matches!(p, HeapFormula::False));
    match parts.len() {
        0 => HeapFormula::False,
        1 => parts.remove(0),
        _ => HeapFormula::Or(parts),
    }
}
