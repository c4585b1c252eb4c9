//! Values for numbers of which only differences and bounds are asked: shortest paths. Finding a model so spares the solver
//! the bits of most numbers; that there is none is still for the bits to say.

use rustc_hash::FxHashMap;

/// x - y <= most, where zero stands for a missing x or y.
#[derive(Clone, Copy, Debug)]
pub struct AtMost<V> {
    pub x: Option<V>,
    pub y: Option<V>,
    pub most: i64,
}

/// Values that satisfy all of them, small ones if there are such; `range` gives the range of a variable.
pub fn place<V: Copy + Eq + std::hash::Hash>(
    constraints: &[AtMost<V>],
    range: impl Fn(V) -> (i64, i64),
) -> Option<Vec<(V, i64)>> {
    let mut numbers: FxHashMap<V, usize> = FxHashMap::default();
    let mut variables: Vec<V> = Vec::new();
    let mut edges: Vec<(usize, usize, i128)> = Vec::new();
    for constraint in constraints {
        let mut number = |v: Option<V>| {
            v.map_or(0, |v| {
                *numbers.entry(v).or_insert_with(|| {
                    variables.push(v);
                    variables.len()
                })
            })
        };
        let (x, y) = (number(constraint.x), number(constraint.y));
        edges.push((x, y, constraint.most.into()));
    }
    let few = variables.len() as i128;
    [(0, few), (-few, few), (i128::MIN, i128::MAX)].into_iter().find_map(|(least, most)| {
        let ranges = variables.iter().map(|&v| {
            let (lo, hi) = range(v);
            let (lo, hi) = (i128::from(lo), i128::from(hi));
            // A range that has nothing near zero stays as it is.
            if lo.max(least) <= hi.min(most) { (lo.max(least), hi.min(most)) } else { (lo, hi) }
        });
        let least = lowest(&edges, &ranges.collect::<Vec<_>>())?;
        Some(variables.iter().copied().zip(least.into_iter().map(|v| v as i64)).collect())
    })
}

/// The lowest values within the ranges: each constraint y >= x - most raises y until nothing changes.
fn lowest(edges: &[(usize, usize, i128)], ranges: &[(i128, i128)]) -> Option<Vec<i128>> {
    let mut values: Vec<i128> = std::iter::once(0).chain(ranges.iter().map(|r| r.0)).collect();
    let mut raises: Vec<Vec<(usize, i128)>> = vec![Vec::new(); values.len()];
    for &(x, y, most) in edges {
        raises[x].push((y, most));
    }
    let mut queue: std::collections::VecDeque<usize> = (0..values.len()).collect();
    let mut is_queued = vec![true; values.len()];
    let mut rounds = vec![0usize; values.len()];
    while let Some(x) = queue.pop_front() {
        is_queued[x] = false;
        for &(y, most) in &raises[x] {
            let least = values[x] - most;
            if values[y] >= least {
                continue;
            }
            values[y] = least;
            rounds[y] += 1;
            // Zero is fixed; beyond its range, or raised in a circle, there is no solution.
            if y == 0 || least > ranges[y - 1].1 || rounds[y] > values.len() {
                return None;
            }
            if !std::mem::replace(&mut is_queued[y], true) {
                queue.push_back(y);
            }
        }
    }
    values.remove(0);
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(constraints: &[(Option<u32>, Option<u32>, i64)], range: (i64, i64), expected: Option<&[i64]>) {
        let constraints: Vec<AtMost<u32>> = constraints.iter().map(|&(x, y, most)| AtMost { x, y, most }).collect();
        let found = place(&constraints, |_| range).map(|mut values| {
            values.sort_unstable();
            values.into_iter().map(|(_, value)| value).collect::<Vec<_>>()
        });
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn chains_circles_and_ranges() {
        let less = |x, y| (Some(x), Some(y), -1);
        check(&[less(0, 1), less(1, 2)], (-9, 9), Some(&[0, 1, 2]));
        check(&[less(0, 1), less(1, 0)], (-9, 9), None);
        check(&[less(0, 1), less(1, 2)], (0, 1), None);
        check(&[less(0, 1), (Some(1), None, -5)], (-9, 9), Some(&[-9, -8]));
        check(&[less(0, 1), (None, Some(0), -7)], (-9, 9), Some(&[7, 8]));
        check(&[(Some(0), Some(1), 0), (Some(1), Some(0), 0), (None, Some(1), -3)], (0, 9), Some(&[3, 3]));
        check(&[less(0, 1)], (i64::MIN, i64::MIN + 1), Some(&[i64::MIN, i64::MIN + 1]));
    }
}
