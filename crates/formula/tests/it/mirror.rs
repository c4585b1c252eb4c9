//! A copy of the graph that another thread works on.

use crate::generate::{bits, term};
use formula::{Evaluator, Graph, Lit, Mirror, Node, TermId};
use test_kit::choices::{Choices, for_all};
use work::Chance;

/// What a mirror takes over later means what it means in the original, whatever either of them added meanwhile.
#[test]
fn mirrors_reflect() {
    for_all(300, |numbers| {
        let mut c = Choices::new(numbers);
        let mut chance = Chance::new(c.below(5040) as u64);
        let mut g = Graph::new();
        let mut ints: Vec<TermId> = [(0, 3), (-2, 5)].iter().map(|&(lo, hi)| g.int_var(lo, hi)).collect();
        let mut bools: Vec<Lit> = (0..2).map(|_| g.var()).collect();
        let (a, _) = term(&mut c, &mut g, &ints, &bools, 2);
        let (b, _) = term(&mut c, &mut g, &ints, &bools, 2);
        g.le(a, b);
        let mut mirror = Mirror::new(g.clone());
        let mut seen = g.extent();
        for _ in 0..3 {
            ints.push(g.int_var(0, 40));
            bools.push(g.var());
            let (a, _) = term(&mut c, &mut g, &ints, &bools, 3);
            let (b, _) = term(&mut c, &mut g, &ints, &bools, 3);
            let lits = [g.le(a, b), g.lt(a, b), g.eq(a, b)];
            mirror.grow(g.growth(seen));
            seen = g.extent();
            let twins: Vec<Lit> = lits.iter().map(|&l| mirror.lit(l).expect("numbers that fit")).collect();
            for lit in &twins {
                if !matches!(mirror.graph.node(lit.node()), Node::And(..) | Node::Var | Node::True) {
                    mirror.graph.definition(lit.node());
                }
            }
            let m = &mirror.graph;
            let conditions = m.range_conditions().to_vec();
            for _ in 0..10 {
                let assignment = bits(m, &mut chance);
                let mut here = Evaluator::new(&assignment);
                if !conditions.iter().all(|&c| here.lit(m, c)) {
                    continue;
                }
                let reflected = mirror.reflect(&assignment);
                let mut there = Evaluator::new(&reflected);
                for (&lit, &twin) in lits.iter().zip(&twins) {
                    assert_eq!(there.lit(&g, lit), here.lit(m, twin));
                }
            }
        }
    });
}
