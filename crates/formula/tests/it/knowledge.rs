//! What is known simplifies what is built, is right wherever it holds, and is undone.

use crate::generate::formula;
use formula::{Assignment, Difference, Evaluator, Graph, Lit, TermId};
use test_kit::choices::{Choices, for_all};

#[test]
fn constructors_fold() {
    let mut g = Graph::new();
    let (a, b) = (g.var(), g.var());
    assert_eq!(g.and(a, !a), Lit::FALSE);
    assert_eq!(g.and(a, Lit::TRUE), a);
    let ab = g.and(a, b);
    assert_eq!(g.and(b, a), ab);
    assert_eq!(g.and(ab, a), ab);
    assert_eq!(g.and(ab, !a), Lit::FALSE);
    let a_not_ab = g.and(a, !ab);
    let a_not_b = g.and(a, !b);
    assert_eq!(a_not_ab, a_not_b);
    assert_eq!(g.ite(a, b, b), b);
    let x = g.iff(a, b);
    let y = g.iff(b, a);
    assert_eq!(x, y);
    let z = g.xor(a, b);
    assert_eq!(z, !x);
}

#[test]
fn knowledge_folds_and_is_undone() {
    let mut g = Graph::new();
    let (a, b) = (g.var(), g.var());
    let ab = g.and(a, b);
    let mark = g.mark();
    g.set(a.node(), true);
    assert_eq!(g.and(a, b), b);
    assert_eq!(g.known(ab), ab);
    g.undo_to(mark);
    assert_eq!(g.and(a, b), ab);
}

/// Chains of strict and weak edges decide what follows and nothing else.
#[test]
fn order_is_chained() {
    let mut g = Graph::new();
    let v: Vec<TermId> = (0..4).map(|_| g.int_var(0, 100)).collect();
    let edge = |x, y, most| Difference { x, y, most };
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

/// Every value of two small numbers and two truths.
fn everything(ints: &[TermId], bools: &[Lit]) -> Vec<(Vec<i64>, Vec<bool>, Assignment)> {
    let mut all = Vec::new();
    for case in 0..64i64 {
        let values = vec![case % 4, case / 4 % 4 - 1];
        let truths = vec![case & 16 != 0, case & 32 != 0];
        let assignment = Assignment {
            bools: bools.iter().map(|b| b.node()).zip(truths.iter().copied()).collect(),
            ints: ints.iter().copied().zip(values.iter().copied()).collect(),
        };
        all.push((values, truths, assignment));
    }
    all
}

/// Under a guard, bounds and an edge, a formula may become a simpler one; it is the same wherever these hold. What is built after they are
/// undone is right everywhere.
#[test]
fn what_is_known_may_be_used_where_it_holds() {
    for_all(2_000, |numbers| {
        let mut c = Choices::new(numbers);
        let mut g = Graph::new();
        let ints = [g.int_var(0, 3), g.int_var(-1, 2)];
        let bools = [g.var(), g.var()];
        let (guard, is_guarded) = formula(&mut c, &mut g, &ints, &bools, 2);
        let mark = g.push_guard(guard);
        let edge = Difference { x: ints[0], y: ints[1], most: c.below(5) as i64 - 2 };
        let has_edge = c.coin();
        if has_edge {
            g.add_edge(edge);
        }
        let at = c.below(numbers.len().max(1));
        let (under, meaning) = formula(&mut Choices::new(&numbers[at.min(numbers.len())..]), &mut g, &ints, &bools, 3);
        let known = g.known(under);
        g.undo_to(mark);
        let (anywhere, same) = formula(&mut Choices::new(&numbers[at.min(numbers.len())..]), &mut g, &ints, &bools, 3);
        for (values, truths, assignment) in everything(&ints, &bools) {
            let mut e = Evaluator::new(&assignment);
            assert_eq!(e.lit(&g, guard), is_guarded(&values, &truths));
            assert_eq!(e.lit(&g, anywhere), same(&values, &truths), "after what was known, at {values:?} {truths:?}");
            let holds = is_guarded(&values, &truths) && (!has_edge || values[0] - values[1] <= edge.most);
            if holds {
                let expected = meaning(&values, &truths);
                assert_eq!((e.lit(&g, under), e.lit(&g, known)), (expected, expected), "at {values:?} {truths:?}");
            }
        }
    });
}
