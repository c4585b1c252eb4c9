//! Estimates of how many states an answer covers, at sizes where nobody can count them out, against closed forms worked out
//! here from what each example's invariant says. All numbers are natural logarithms.

use crate::engines::{examples, load};
use ir::interp::Linked;
use ir::space::Shape;
use search::{Session, coverage};
use std::collections::HashMap;

fn sum(lns: impl IntoIterator<Item = f64>) -> f64 {
    lns.into_iter().fold(f64::NEG_INFINITY, |a, b| {
        let (less, more) = if a < b { (a, b) } else { (b, a) };
        if less == f64::NEG_INFINITY { more } else { more + (less - more).exp().ln_1p() }
    })
}

/// By the number of objects: of two independent parts.
fn both(a: &[f64], b: &[f64]) -> Vec<f64> {
    let sums = 0..a.len() + b.len() - 1;
    sums.map(|k| sum((0..a.len()).filter(|&i| i <= k && k - i < b.len()).map(|i| a[i] + b[k - i]))).collect()
}

fn either(a: &[f64], b: &[f64]) -> Vec<f64> {
    let at = |x: &[f64], k: usize| x.get(k).copied().unwrap_or(f64::NEG_INFINITY);
    (0..a.len().max(b.len())).map(|k| sum([at(a, k), at(b, k)])).collect()
}

fn one_more(mut a: Vec<f64>) -> Vec<f64> {
    a.insert(0, f64::NEG_INFINITY);
    a
}

fn choose(n: usize, k: usize) -> f64 {
    (1..=k).map(|i| ((n - k + i) as f64 / i as f64).ln()).sum()
}

/// Null or one of eight objects that look alike, so many times.
fn values(count: usize) -> f64 {
    let mut ways = [f64::NEG_INFINITY; 9];
    ways[0] = 0.0;
    for _ in 0..count {
        for named in (0..9).rev() {
            let again = ways[named] + ((named + 1) as f64).ln();
            ways[named] = sum([again, if named > 0 { ways[named - 1] } else { f64::NEG_INFINITY }]);
        }
    }
    sum(ways)
}

/// By the number of nodes: how many search trees have places in a complete tree of so many.
fn search_trees(n: usize, place: usize) -> Vec<f64> {
    if place >= n {
        return vec![0.0];
    }
    either(&[0.0], &one_more(both(&search_trees(n, 2 * place + 1), &search_trees(n, 2 * place + 2))))
}

/// By colour of the root and black height, then by the number of nodes.
type RedBlack = HashMap<(bool, u32), Vec<f64>>;

fn red_black_trees(n: usize, place: usize) -> RedBlack {
    let mut all: RedBlack = [((false, 0), vec![0.0])].into();
    if place >= n {
        return all;
    }
    let (left, right) = (red_black_trees(n, 2 * place + 1), red_black_trees(n, 2 * place + 2));
    for (&(left_red, height), a) in &left {
        for (&(right_red, _), b) in right.iter().filter(|(key, _)| key.1 == height) {
            let trees = one_more(both(a, b));
            let mut roots = vec![(false, height + 1)];
            if !left_red && !right_red {
                roots.push((true, height));
            }
            for root in roots {
                let before = all.remove(&root).unwrap_or_default();
                all.insert(root, either(&before, &trees));
            }
        }
    }
    all
}

/// Trees of either kind with keys from 0 to 2n and a value each.
fn filled(n: usize, shapes: &[f64]) -> f64 {
    sum(shapes.iter().enumerate().map(|(k, shapes)| shapes + choose(2 * n + 1, k) + values(k)))
}

/// Well-typed Booleans and numbers.
fn expressions(n: usize, place: usize) -> (f64, f64) {
    if place >= n {
        return (f64::NEG_INFINITY, f64::NEG_INFINITY);
    }
    let [a, b, c] = [1, 2, 3].map(|i| expressions(n, 3 * place + i));
    (sum([2f64.ln(), a.1, a.0 + b.0 + c.0]), sum([0.0, 2f64.ln() + a.1, a.0 + b.1 + c.1]))
}

fn hash_maps(n: usize) -> f64 {
    let bin = |key: usize| (key ^ (key >> 4)) & 15;
    let chains = (0..16).map(|i| {
        let keys = (0..n).filter(|&key| bin(key) == i).count();
        // In any order.
        (0..=keys).map(|k| (0..k).map(|i| ((keys - i) as f64).ln()).sum()).collect::<Vec<f64>>()
    });
    let maps = chains.fold(vec![0.0], |all, chain| both(&all, &chain));
    sum(maps.iter().enumerate().map(|(k, maps)| maps + values(k)))
}

/// Within an order of magnitude, or two percent of many.
fn check(example: &str, operation: &str, cases: &[(usize, f64)]) {
    let path = examples().into_iter().find(|p| p.ends_with(example)).expect("an example");
    let loaded = load(&std::fs::read_to_string(path).expect("a readable example")).expect("a class");
    let linked = Linked::new(&loaded.program);
    let checked = &loaded.checked[0];
    let operation = checked.operations.iter().find(|o| o.name.starts_with(operation)).expect("an operation");
    for &(size, ln) in cases {
        let session = Session::new(&linked, size as i64).expect("static initialisers that run");
        let space = session.space(checked, operation, Shape::Complete).expect("a space");
        let found = coverage(&session, &space, checked, operation);
        let (log10, expected) = (found.log10.expect("an estimate"), ln / std::f64::consts::LN_10);
        let tolerance = if expected > 50.0 { expected / 50.0 } else { 1.0 };
        assert!((log10 - expected).abs() < tolerance, "{example} {size}: 10^{log10}, not 10^{expected}");
    }
}

fn with_argument(ln: f64, values: usize) -> f64 {
    ln + (values as f64).ln()
}

#[test]
fn search_trees_with_keys() {
    let count = |n: usize| with_argument(filled(n, &search_trees(n, 0)), 2 * n + 1);
    check("search-tree/SearchTree.java", "get", &[3, 7, 15, 20, 63, 127].map(|n| (n, count(n))));
}

#[test]
fn red_black_trees_with_keys() {
    let black = |trees: RedBlack| trees.into_iter().filter(|(key, _)| !key.0).fold(Vec::new(), |a, b| either(&a, &b.1));
    let count = |n: usize| filled(n, &black(red_black_trees(n, 0)));
    check("tree-map/TreeMap.java", "isEmpty", &[3, 7, 10, 15, 31, 63, 127, 255].map(|n| (n, count(n))));
    check("tree-map/TreeMap.java", "get", &[15, 63].map(|n| (n, with_argument(count(n), 2 * n + 1))));
}

#[test]
fn lists_and_stacks() {
    let stacks = |n: usize| sum((0..=n).map(|k| values(k + 1)));
    check("stack/Stack.java", "push", &[10, 100, 1024].map(|n| (n, stacks(n))));
    let popped = |n: usize| sum((1..=n).map(values));
    check("stack/Stack.java", "pop", &[(64, popped(64))]);
    let queues = |n: usize| sum((0..=2 * n).map(|k| ((k.min(2 * n - k) + 1) as f64).ln() + values(k + 1)));
    check("queue/Queue.java", "enqueue", &[8, 64, 256].map(|n| (n, queues(n))));
    let lists = |n: usize| with_argument(sum((0..=n).map(|k| choose(2 * n + 1, k))), 2 * n + 1);
    check("sorted-list/SortedList.java", "contains", &[5, 31, 255].map(|n| (n, lists(n))));
}

#[test]
fn hash_maps_with_values() {
    check("hash-map/HashMap.java", "isEmpty", &[4, 8, 16, 32, 64].map(|n| (n, hash_maps(n))));
}

#[test]
fn well_typed_expressions() {
    let count = |n: usize| {
        let (booleans, numbers) = expressions(n, 0);
        sum([booleans, numbers])
    };
    check("expression-language/ExpressionLanguage.java", "smallStep", &[4, 13, 40, 364, 3280].map(|n| (n, count(n))));
}
