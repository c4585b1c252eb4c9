//! Sums and equations between them.

use formula::{Elimination, Graph, IntTy, Linear, TermId};
use test_kit::choices::{Choices, for_all};

/// Just this term.
fn unit(term: TermId) -> Linear {
    Linear { constant: 0, terms: vec![(term, 1)] }
}

#[test]
fn conditionals_resolve_when_their_condition_is_known() {
    let mut g = Graph::new();
    let p = g.var();
    let (x, one, zero) = (g.int_var(0, 9), g.constant(1), g.constant(0));
    let sum = g.add(IntTy::I32, x, one);
    let count = g.int_ite(p, sum, zero);
    assert_eq!(g.linear_of(count), Some(unit(count)));
    g.set(p.node(), true);
    assert_eq!(g.linear_of(count), Some(Linear { constant: 1, terms: vec![(x, 1)] }));
}

#[test]
fn elimination_keeps_the_constant() {
    let mut g = Graph::new();
    let (size, t1, t2) = (g.int_var(0, 9), g.int_var(0, 9), g.int_var(0, 9));
    let mut facts = Elimination::default();
    // size = 1 + t1 + t2
    facts.assume(&Linear { constant: -1, terms: vec![(size, 1), (t1, -1), (t2, -1)] });
    // size + 1 = 2 + t1 + t2 holds; size + 1 = 3 + t1 + t2 does not.
    let after = |c: i64| Linear { constant: 1 - c, terms: vec![(size, 1), (t1, -1), (t2, -1)] };
    assert_eq!(facts.decide(&after(2)), Some(true));
    assert_eq!(facts.decide(&after(3)), Some(false));
    assert_eq!(facts.decide(&unit(size)), None);
}

/// What elimination decides of an equation holds for all numbers that fulfil what it assumed.
#[test]
fn elimination_decides_what_follows() {
    let mut g = Graph::new();
    let terms: Vec<TermId> = (0..3).map(|_| g.int_var(-9, 9)).collect();
    for_all(3_000, |numbers| {
        let mut c = Choices::new(numbers);
        let mut equation = || {
            let part = |term: &TermId, factor: i64| (factor != 0).then_some((*term, factor));
            let coefficients: Vec<i64> = terms.iter().map(|_| c.below(5) as i64 - 2).collect();
            let parts = terms.iter().zip(&coefficients).filter_map(|(term, factor)| part(term, *factor));
            Linear { constant: c.below(7) as i64 - 3, terms: parts.collect() }
        };
        let facts = [equation(), equation()];
        // Mostly one that follows, or nearly.
        let Some(mut question) = facts[0].plus(&facts[1], equation().constant) else { return };
        question.constant += equation().constant.max(0);
        let mut elimination = Elimination::default();
        facts.iter().for_each(|fact| elimination.assume(fact));
        let Some(decided) = elimination.decide(&question) else { return };
        for case in 0..11 * 11 * 11 {
            let values = [case % 11 - 5, case / 11 % 11 - 5, case / 121 - 5];
            let holds = |equation: &Linear| {
                let sum = |(term, value)| equation.coefficient(term) * value;
                equation.constant + terms.iter().copied().zip(values).map(sum).sum::<i64>() == 0
            };
            if facts.iter().all(holds) {
                assert_eq!(holds(&question), decided, "{facts:?} {question:?} at {values:?}");
            }
        }
    });
}
