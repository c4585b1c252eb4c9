//! What the constructors built, its bits and its thresholds all mean what direct evaluation of the operations says.

use crate::generate::{bits, term};
use formula::{Assignment, Evaluator, Graph, IntOp, IntTy, Lit, Node, NodeId, TermId};
use test_kit::choices::{Choices, for_all};
use work::Chance;

#[test]
fn terms_comparisons_bits_and_thresholds_agree() {
    for_all(600, |numbers| {
        let mut c = Choices::new(numbers);
        let mut chance = Chance::new(c.below(5040) as u64);
        let mut g = Graph::new();
        let ranges = [(0, 3), (-2, 5), (0, 200), (i32::MIN.into(), i32::MAX.into())];
        let ints: Vec<TermId> = ranges.iter().map(|&(lo, hi)| g.int_var(lo, hi)).collect();
        let bools: Vec<Lit> = (0..3).map(|_| g.var()).collect();
        let (a, x) = term(&mut c, &mut g, &ints, &bools, 3);
        let (b, y) = term(&mut c, &mut g, &ints, &bools, 3);
        let comparisons = [g.le(a, b), g.lt(a, b), g.eq(a, b)];
        // Blast everything first: from then on the bits carry the values of the variables.
        let mut definitions = Vec::new();
        for i in 0..g.node_count() {
            let id = NodeId(i as u32);
            if !matches!(g.node(id), Node::And(..) | Node::Var | Node::True) {
                let unary = g.unary_definition(g.node(id));
                definitions.push((id, g.definition(id), unary));
            }
        }
        let conditions = g.range_conditions().to_vec();
        for _ in 0..20 {
            let mut assignment = bits(&g, &mut chance);
            for (&term, &(lo, hi)) in ints.iter().zip(&ranges) {
                let value = lo + chance.below((hi - lo + 1) as usize) as i64;
                if !g.is_blasted(term) {
                    assignment.ints.insert(term, value);
                }
            }
            let mut e = Evaluator::new(&assignment);
            if !conditions.iter().all(|&c| e.lit(&g, c)) {
                continue;
            }
            let values: Vec<i64> = ints.iter().map(|&t| e.term(&g, t)).collect();
            let truths: Vec<bool> = bools.iter().map(|&l| e.lit(&g, l)).collect();
            for (&value, &(lo, hi)) in values.iter().zip(&ranges) {
                assert!(lo <= value && value <= hi);
            }
            let (p, q) = (x(&values, &truths), y(&values, &truths));
            assert_eq!(e.term(&g, a), p);
            assert_eq!(e.term(&g, b), q);
            let (lo, hi) = g.interval(a);
            assert!(lo <= p && p <= hi, "interval");
            let expected = [p <= q, p < q, p == q];
            for (lit, expected) in comparisons.iter().zip(expected) {
                assert_eq!(e.lit(&g, *lit), expected, "comparison");
            }
            for &(id, bits, unary) in &definitions {
                let value = e.lit(&g, Lit::new(id, true));
                assert_eq!(e.lit(&g, bits), value, "bits of {:?}", g.node(id));
                if let Some(unary) = unary {
                    assert_eq!(e.lit(&g, unary), value, "thresholds of {:?}", g.node(id));
                }
            }
        }
    });
}

/// The coefficient with the greatest magnitude: its only bit is the 64th.
#[test]
fn the_least_long_is_a_coefficient() {
    let mut g = Graph::new();
    let (x, z, least) = (g.int_var(0, 1), g.int_var(i64::MIN, i64::MAX), g.constant(i64::MIN));
    let product = g.mul(IntTy::I64, x, least);
    let less = g.lt(product, z);
    let by_bits = g.definition(less.node());
    let vars: Vec<NodeId> =
        (0..g.node_count() as u32).map(NodeId).filter(|&id| matches!(g.node(id), Node::Var)).collect();
    for ones in 0..1 << 4 {
        // Two bits at each end: the variables' order is no matter.
        let is_one = |i: usize| match vars.len() - 1 - i {
            back if back < 2 => ones >> back & 1 == 1,
            _ => i < 2 && ones >> (2 + i) & 1 == 1,
        };
        let bools = vars.iter().enumerate().map(|(i, &id)| (id, is_one(i))).collect();
        let assignment = Assignment { bools, ..Assignment::default() };
        let mut e = Evaluator::new(&assignment);
        let (a, b) = (e.term(&g, x).wrapping_mul(i64::MIN), e.term(&g, z));
        assert_eq!(e.term(&g, product), a);
        assert_eq!(e.lit(&g, by_bits) ^ less.is_negated(), a < b, "{a} < {b}");
    }
}

/// Thresholds of a variable whose range touches the ends of 64 bits.
#[test]
fn thresholds_at_the_ends_of_long() {
    for (lo, hi) in [(i64::MIN, i64::MIN + 3), (i64::MAX - 3, i64::MAX)] {
        let mut g = Graph::new();
        let (x, three) = (g.int_var(lo, hi), g.constant(3));
        let flipped = g.int_op(IntOp::Xor, IntTy::I64, x, three);
        for most in lo..=hi {
            let Some(unary) = g.unary_definition(Node::AtMost(flipped, most)) else { panic!("a small range") };
            for value in lo..=hi {
                let assignment = Assignment { ints: [(x, value)].into_iter().collect(), ..Assignment::default() };
                assert_eq!(Evaluator::new(&assignment).lit(&g, unary), value ^ 3 <= most, "{value} ^ 3 <= {most}");
            }
        }
    }
}

/// An assignment stays what it is where a number is written out in bits only after it was found.
#[test]
fn bits_made_later_say_nothing() {
    let mut g = Graph::new();
    let x = g.int_var(3, 7);
    let found = Assignment::default();
    assert_eq!(Evaluator::new(&found).term(&g, x), 3);
    let bound = g.at_most(x, 4);
    g.definition(bound.node());
    assert!(g.is_blasted(x));
    assert_eq!(Evaluator::new(&found).term(&g, x), 3);
}
