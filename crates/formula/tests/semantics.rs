//! Random terms and comparisons: what the constructors built, its bits and its thresholds all mean what direct
//! evaluation of the operation says.

use formula::{Assignment, Evaluator, Graph, IntOp, IntTy, Lit, Mirror, Node, NodeId, TermId};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// A term or literal of the graph beside a closure that computes its value from the variables.
type Meaning<T> = Box<dyn Fn(&[i64], &[bool]) -> T>;

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

fn random_term(r: &mut Random, g: &mut Graph, ints: &[TermId], bools: &[Lit], depth: u32) -> (TermId, Meaning<i64>) {
    if depth == 0 || r.below(5) == 0 {
        if r.below(3) == 0 {
            let value = r.below(9) as i64 - 4;
            return (g.constant(value), Box::new(move |_, _| value));
        }
        let i = r.below(ints.len() as u64) as usize;
        return (ints[i], Box::new(move |v, _| v[i]));
    }
    let (a, x) = random_term(r, g, ints, bools, depth - 1);
    let (b, y) = random_term(r, g, ints, bools, depth - 1);
    match r.below(8) {
        0 | 1 => {
            let i = r.below(bools.len() as u64) as usize;
            (g.int_ite(bools[i], a, b), Box::new(move |v, w| if w[i] { x(v, w) } else { y(v, w) }))
        }
        2 | 3 => (g.add(IntTy::I32, a, b), Box::new(move |v, w| IntTy::I32.wrap((x(v, w) + y(v, w)).into()))),
        4 => (g.sub(IntTy::I32, a, b), Box::new(move |v, w| IntTy::I32.wrap((x(v, w) - y(v, w)).into()))),
        5 => (g.mul(IntTy::I32, a, b), Box::new(move |v, w| IntTy::I32.wrap((x(v, w) * y(v, w)).into()))),
        6 => {
            let ty = [IntTy::I8, IntTy::I16, IntTy::U16][r.below(3) as usize];
            (g.wrap(ty, a), Box::new(move |v, w| ty.wrap(x(v, w).into())))
        }
        _ => {
            let op = OPS[r.below(11) as usize];
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

#[test]
fn terms_comparisons_bits_and_thresholds_agree() {
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..600 {
        let mut g = Graph::new();
        let ranges = [(0, 3), (-2, 5), (0, 200), (i32::MIN.into(), i32::MAX.into())];
        let ints: Vec<TermId> = ranges.iter().map(|&(lo, hi)| g.int_var(lo, hi)).collect();
        let bools: Vec<Lit> = (0..3).map(|_| g.var()).collect();
        let (a, x) = random_term(&mut r, &mut g, &ints, &bools, 3);
        let (b, y) = random_term(&mut r, &mut g, &ints, &bools, 3);
        let comparisons = [g.le(a, b), g.lt(a, b), g.eq(a, b)];
        // Blast everything first: from then on the bits carry the values of the variables.
        let mut definitions = Vec::new();
        for i in 0..g.node_count() {
            let id = formula::NodeId(i as u32);
            if !matches!(g.node(id), Node::And(..) | Node::Var | Node::True) {
                let unary = g.unary_definition(g.node(id));
                definitions.push((id, g.definition(id), unary));
            }
        }
        let conditions = g.range_conditions().to_vec();
        let bits: Vec<formula::NodeId> =
            (0..g.node_count() as u32).map(formula::NodeId).filter(|&id| matches!(g.node(id), Node::Var)).collect();
        for _ in 0..20 {
            let mut assignment = Assignment::default();
            for &bit in &bits {
                assignment.bools.insert(bit, r.below(2) == 0);
            }
            for (&term, &(lo, hi)) in ints.iter().zip(&ranges) {
                let value = lo + r.below((hi - lo + 1) as u64) as i64;
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
            assert_eq!(e.term(&g, a), p, "round {round}");
            assert_eq!(e.term(&g, b), q, "round {round}");
            let (lo, hi) = g.interval(a);
            assert!(lo <= p && p <= hi, "interval, round {round}");
            let expected = [p <= q, p < q, p == q];
            for (lit, expected) in comparisons.iter().zip(expected) {
                assert_eq!(e.lit(&g, *lit), expected, "comparison, round {round}");
            }
            for &(id, bits, unary) in &definitions {
                let value = e.lit(&g, Lit::new(id, true));
                assert_eq!(e.lit(&g, bits), value, "bits of {:?}, round {round}", g.node(id));
                if let Some(unary) = unary {
                    assert_eq!(e.lit(&g, unary), value, "thresholds of {:?}, round {round}", g.node(id));
                }
            }
        }
    }
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

/// Chains of strict and weak edges decide what follows and nothing else.
#[test]
fn order_is_chained() {
    let mut g = Graph::new();
    let v: Vec<TermId> = (0..4).map(|_| g.int_var(0, 100)).collect();
    let edge = |x, y, most| formula::Difference { x, y, most };
    g.add_edge(edge(v[0], v[1], -1));
    g.add_edge(edge(v[1], v[2], 0));
    assert_eq!(g.lt(v[0], v[2]), Lit::TRUE);
    assert_eq!(g.le(v[2], v[0]), Lit::FALSE);
    assert_eq!(g.eq(v[0], v[2]), Lit::FALSE);
    assert!(!g.lt(v[1], v[2]).is_constant());
    assert!(!g.lt(v[0], v[3]).is_constant());
    g.add_edge(edge(v[2], v[1], 0));
    assert_eq!(g.eq(v[1], v[2]), Lit::TRUE);
}

/// What a mirror takes over later means what it means in the original, whatever either of them added meanwhile.
#[test]
fn mirrors_reflect() {
    let mut r = Random(0x1234_5678_9abc_def1);
    for round in 0..300 {
        let mut g = Graph::new();
        let mut ints: Vec<TermId> = [(0, 3), (-2, 5)].iter().map(|&(lo, hi)| g.int_var(lo, hi)).collect();
        let mut bools: Vec<Lit> = (0..2).map(|_| g.var()).collect();
        let (a, _) = random_term(&mut r, &mut g, &ints, &bools, 2);
        let (b, _) = random_term(&mut r, &mut g, &ints, &bools, 2);
        g.le(a, b);
        let mut mirror = Mirror::new(g.clone());
        let mut told = g.extent();
        for _ in 0..3 {
            ints.push(g.int_var(0, 40));
            bools.push(g.var());
            let (a, _) = random_term(&mut r, &mut g, &ints, &bools, 3);
            let (b, _) = random_term(&mut r, &mut g, &ints, &bools, 3);
            let lits = [g.le(a, b), g.lt(a, b), g.eq(a, b)];
            mirror.grow(g.growth(told));
            told = g.extent();
            let twins: Vec<Lit> = lits.iter().map(|&l| mirror.lit(l).expect("numbers that fit")).collect();
            for lit in &twins {
                if !matches!(mirror.graph.node(lit.node()), Node::And(..) | Node::Var | Node::True) {
                    mirror.graph.definition(lit.node());
                }
            }
            let m = &mirror.graph;
            let is_var = |id: &NodeId| matches!(m.node(*id), Node::Var);
            let vars: Vec<NodeId> = (0..m.node_count() as u32).map(NodeId).filter(is_var).collect();
            let conditions = m.range_conditions().to_vec();
            for _ in 0..10 {
                let mut assignment = Assignment::default();
                assignment.bools.extend(vars.iter().map(|&v| (v, r.below(2) == 0)));
                let mut here = Evaluator::new(&assignment);
                if !conditions.iter().all(|&c| here.lit(m, c)) {
                    continue;
                }
                let reflected = mirror.reflect(&assignment);
                let mut there = Evaluator::new(&reflected);
                for (&lit, &twin) in lits.iter().zip(&twins) {
                    assert_eq!(there.lit(&g, lit), here.lit(m, twin), "round {round}");
                }
            }
        }
    }
}
