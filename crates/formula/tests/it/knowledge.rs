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

/// Where some literals imply others, as in a forest, a formula or a number may become a simpler one; it is the same wherever they do.
#[test]
fn implications_may_be_used_where_they_hold() {
    for_all(1_500, |numbers| {
        let mut c = Choices::new(numbers);
        let mut g = Graph::new();
        let ints = [g.int_var(0, 1), g.int_var(-1, 0)];
        let bools: Vec<Lit> = (0..5).map(|_| g.var()).collect();
        // Each is under an earlier one, or under none.
        let above: Vec<Option<usize>> = (0..5usize).map(|i| c.below(i + 1).checked_sub(1)).collect();
        let pairs: Vec<(Lit, Lit)> = (0..5).filter_map(|i| Some((bools[i], bools[above[i]?]))).collect();
        g.entail(&pairs);
        let (lit, holds) = formula(&mut c, &mut g, &ints, &bools, 4);
        // A count over the forest: of what is below, a number of its own, and whether any one of them holds.
        let worth: Vec<i64> = (0..5).map(|_| 1 + c.below(2) as i64).collect();
        let asks: Vec<usize> = (0..5).map(|_| c.below(5)).collect();
        let mut counts = [g.constant(0); 5];
        let zero = g.constant(0);
        for i in (0..5).rev() {
            let own = [g.constant(worth[i]), g.int_of(bools[asks[i]])];
            let parts: Vec<TermId> =
                own.into_iter().chain((i + 1..5).filter(|&j| above[j] == Some(i)).map(|j| counts[j])).collect();
            let Some(sum) = g.sum(&parts) else { panic!("a small sum") };
            counts[i] = g.int_ite(bools[i], sum, zero);
        }
        g.entail(&[]);
        for case in 0..128u32 {
            let truths: Vec<bool> = (0..5).map(|i| case >> i & 1 == 1).collect();
            if (0..5).any(|i| truths[i] && above[i].is_some_and(|j| !truths[j])) {
                continue;
            }
            let values = [i64::from(case >> 5 & 1), i64::from(case >> 6 & 1) - 1];
            let assignment = Assignment {
                bools: bools.iter().map(|b| b.node()).zip(truths.iter().copied()).collect(),
                ints: ints.iter().copied().zip(values).collect(),
            };
            let mut e = Evaluator::new(&assignment);
            assert_eq!(e.lit(&g, lit), holds(&values, &truths), "at {values:?} {truths:?}, {above:?}");
            let mut expected = [0; 5];
            for i in (0..5).rev().filter(|&i| truths[i]) {
                expected[i] += worth[i] + i64::from(truths[asks[i]]);
                if let Some(j) = above[i] {
                    expected[j] += expected[i];
                }
            }
            for (count, expected) in counts.iter().zip(expected) {
                assert_eq!(e.term(&g, *count), expected, "a count at {truths:?}, {above:?}");
            }
        }
    });
}
