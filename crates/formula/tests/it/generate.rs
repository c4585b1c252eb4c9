//! Terms and formulas by choices, each with what it means.

use formula::{Assignment, Graph, IntOp, IntTy, Lit, Node, NodeId, TermId};
use test_kit::choices::Choices;
use work::Chance;

/// Computes the value of a term or literal of the graph from the variables.
pub type Meaning<T> = Box<dyn Fn(&[i64], &[bool]) -> T>;

const OPS: [IntOp; 11] = [
    IntOp::Add,
    IntOp::Sub,
    IntOp::Mul,
    IntOp::Div,
    IntOp::Rem,
    IntOp::And,
    IntOp::Or,
    IntOp::Xor,
    IntOp::Shl,
    IntOp::Shr,
    IntOp::UShr,
];

pub fn term(c: &mut Choices, g: &mut Graph, ints: &[TermId], bools: &[Lit], depth: u32) -> (TermId, Meaning<i64>) {
    if depth == 0 || c.below(5) == 0 {
        if c.below(3) == 0 {
            let value = c.below(9) as i64 - 4;
            return (g.constant(value), Box::new(move |_, _| value));
        }
        let i = c.below(ints.len());
        return (ints[i], Box::new(move |v, _| v[i]));
    }
    let (a, x) = term(c, g, ints, bools, depth - 1);
    let (b, y) = term(c, g, ints, bools, depth - 1);
    match c.below(9) {
        0 | 1 => {
            let i = c.below(bools.len());
            (g.int_ite(bools[i], a, b), Box::new(move |v, w| if w[i] { x(v, w) } else { y(v, w) }))
        }
        // A list of one or two entries, and what is asked of the entry: a constant where that holds.
        8 => {
            let (i, is_flipped, value) = (c.below(bools.len()), c.coin(), c.below(5) as i64);
            let ((p, r), (q, s)) = (comparison(c, g, ints, bools, 0), comparison(c, g, ints, bools, 0));
            let (asked, entry, constant) = (g.ite(bools[i], p, q), g.int_ite(bools[i], a, b), g.constant(value));
            let made = if is_flipped { g.int_ite(asked, entry, constant) } else { g.int_ite(asked, constant, entry) };
            let meaning = move |v: &[i64], w: &[bool]| {
                let asked = if w[i] { r(v, w) } else { s(v, w) };
                let entry = if w[i] { x(v, w) } else { y(v, w) };
                if asked != is_flipped { value } else { entry }
            };
            (made, Box::new(meaning))
        }
        2 | 3 => (g.add(IntTy::I32, a, b), Box::new(move |v, w| IntTy::I32.wrap((x(v, w) + y(v, w)).into()))),
        4 => (g.sub(IntTy::I32, a, b), Box::new(move |v, w| IntTy::I32.wrap((x(v, w) - y(v, w)).into()))),
        5 => (g.mul(IntTy::I32, a, b), Box::new(move |v, w| IntTy::I32.wrap((x(v, w) * y(v, w)).into()))),
        6 => {
            let ty = [IntTy::I8, IntTy::I16, IntTy::U16][c.below(3)];
            (g.wrap(ty, a), Box::new(move |v, w| ty.wrap(x(v, w).into())))
        }
        _ => {
            let op = OPS[c.below(11)];
            let (b, y): (TermId, Meaning<i64>) = match op {
                IntOp::Shl | IntOp::Shr | IntOp::UShr => {
                    let mask = g.constant(31);
                    (g.int_op(IntOp::And, IntTy::I32, b, mask), Box::new(move |v, w| y(v, w) & 31))
                }
                // By zero as well: all ways say the same of it.
                _ => (b, y),
            };
            (g.int_op(op, IntTy::I32, a, b), Box::new(move |v, w| op.apply(IntTy::I32, x(v, w), y(v, w))))
        }
    }
}

/// A comparison of two terms of that depth.
fn comparison(c: &mut Choices, g: &mut Graph, ints: &[TermId], bools: &[Lit], depth: u32) -> (Lit, Meaning<bool>) {
    let ((a, x), (b, y)) = (term(c, g, ints, bools, depth), term(c, g, ints, bools, depth));
    match c.below(3) {
        0 => (g.le(a, b), Box::new(move |v, w| x(v, w) <= y(v, w))),
        1 => (g.lt(a, b), Box::new(move |v, w| x(v, w) < y(v, w))),
        _ => (g.eq(a, b), Box::new(move |v, w| x(v, w) == y(v, w))),
    }
}

/// A Boolean combination of comparisons and variables.
pub fn formula(c: &mut Choices, g: &mut Graph, ints: &[TermId], bools: &[Lit], depth: u32) -> (Lit, Meaning<bool>) {
    if depth == 0 || c.below(4) == 0 {
        if c.below(3) == 0 {
            let i = c.below(bools.len());
            return (bools[i], Box::new(move |_, w| w[i]));
        }
        return comparison(c, g, ints, bools, 1);
    }
    let ((a, x), (b, y)) = (formula(c, g, ints, bools, depth - 1), formula(c, g, ints, bools, depth - 1));
    match c.below(8) {
        0 => (!a, Box::new(move |v, w| !x(v, w))),
        1 => (g.and(a, b), Box::new(move |v, w| x(v, w) && y(v, w))),
        2 => (g.or(a, b), Box::new(move |v, w| x(v, w) || y(v, w))),
        3 => (g.implies(a, b), Box::new(move |v, w| !x(v, w) || y(v, w))),
        4 => (g.iff(a, b), Box::new(move |v, w| x(v, w) == y(v, w))),
        5 => (g.xor(a, b), Box::new(move |v, w| x(v, w) != y(v, w))),
        // As with terms.
        6 => {
            let (i, is_flipped, value) = (c.below(bools.len()), c.coin(), c.coin());
            let ((p, r), (q, s)) = (formula(c, g, ints, bools, depth - 1), formula(c, g, ints, bools, 0));
            let (asked, entry, constant) = (g.ite(bools[i], p, q), g.ite(bools[i], a, b), Lit::constant(value));
            let made = if is_flipped { g.ite(asked, entry, constant) } else { g.ite(asked, constant, entry) };
            let meaning = move |v: &[i64], w: &[bool]| {
                let asked = if w[i] { r(v, w) } else { s(v, w) };
                let entry = if w[i] { x(v, w) } else { y(v, w) };
                if asked != is_flipped { value } else { entry }
            };
            (made, Box::new(meaning))
        }
        _ => {
            let (d, z) = formula(c, g, ints, bools, depth - 1);
            (g.ite(d, a, b), Box::new(move |v, w| if z(v, w) { x(v, w) } else { y(v, w) }))
        }
    }
}

/// Any values of the free Boolean variables, bits included.
pub fn bits(g: &Graph, chance: &mut Chance) -> Assignment {
    let free = (0..g.node_count() as u32).map(NodeId).filter(|&id| matches!(g.node(id), Node::Var));
    Assignment { bools: free.map(|id| (id, chance.coin())).collect(), ..Assignment::default() }
}
