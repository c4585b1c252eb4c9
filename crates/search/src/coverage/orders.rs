//! In how many ways integers can be chosen that are only compared with each other: keys of a search tree, say.
//!
//! What goes in: an interval for each, and inequations x - y <= c. What comes out: the logarithm of the number of solutions
//! and the least one, if the inequations, without those that follow from others, make up a forest: then the solutions of a
//! subtree depend on its root only, and one table per integer suffices. A total order is a path, hence a forest.

/// Values in all tables together.
const LARGEST: i64 = 1 << 22;

/// x - y <= most, by number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Inequation {
    pub x: usize,
    pub y: usize,
    pub most: i64,
}

pub struct Solutions {
    pub ln: f64,
    pub least: Vec<i64>,
    /// How many entries the tables had.
    pub work: u64,
}

/// None if there are too many values, or if the inequations make up no forest.
pub fn solutions(bounds: &[(i64, i64)], inequations: &[Inequation]) -> Option<Solutions> {
    let width = |&(lo, hi): &(i64, i64)| hi.checked_sub(lo).map(|w| w.saturating_add(1));
    let widths: Option<Vec<i64>> = bounds.iter().map(width).collect();
    let values = widths?.into_iter().fold(0i64, i64::saturating_add);
    if values > LARGEST {
        return None;
    }
    let edges = reduced(bounds.len(), inequations);
    let mut neighbours = vec![Vec::new(); bounds.len()];
    for (number, edge) in edges.iter().enumerate() {
        neighbours[edge.x].push(number);
        neighbours[edge.y].push(number);
    }
    let mut is_seen = vec![false; bounds.len()];
    let mut ln = 0.0;
    // From an end of a path the numbers grow one way only, and what is lost for being small is small in the end.
    let (ends, others): (Vec<usize>, Vec<usize>) = (0..bounds.len()).partition(|&i| neighbours[i].len() <= 1);
    for root in ends.into_iter().chain(others) {
        if is_seen[root] {
            continue;
        }
        // From the root on, each with the edge that led to it.
        let mut order: Vec<(usize, Option<usize>)> = vec![(root, None)];
        is_seen[root] = true;
        let mut next = 0;
        while let Some(&(at, from)) = order.get(next) {
            next += 1;
            for &edge in neighbours[at].iter().filter(|&&e| Some(e) != from) {
                let other = edges[edge].x + edges[edge].y - at;
                if std::mem::replace(&mut is_seen[other], true) {
                    return None;
                }
                order.push((other, Some(edge)));
            }
        }
        ln += tree(bounds, &edges, &order);
    }
    Some(Solutions { ln, least: least(bounds, &edges), work: values as u64 })
}

/// Without inequations that follow from a chain of others.
fn reduced(count: usize, inequations: &[Inequation]) -> Vec<Inequation> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, edge) in inequations.iter().enumerate() {
        out[edge.y].push(number);
    }
    let mut is_dropped = vec![false; inequations.len()];
    let mut best: Vec<(usize, i64)> = vec![(usize::MAX, 0); count];
    for (number, edge) in inequations.iter().enumerate() {
        let mut queue = vec![(edge.y, 0i64)];
        while !is_dropped[number]
            && let Some((at, distance)) = queue.pop()
        {
            let mut follows = false;
            for &next in out[at].iter().filter(|&&n| n != number && !is_dropped[n]) {
                let Inequation { x, most, .. } = inequations[next];
                let through = distance.saturating_add(most);
                follows |= x == edge.x && through <= edge.most;
                if best[x].0 != number || through < best[x].1 {
                    best[x] = (number, through);
                    queue.push((x, through));
                }
            }
            is_dropped[number] = follows;
        }
    }
    inequations.iter().zip(is_dropped).filter(|(_, is_dropped)| !is_dropped).map(|(edge, _)| *edge).collect()
}

/// The logarithm of the number of solutions of one tree, whose nodes come in an order from the root.
fn tree(bounds: &[(i64, i64)], edges: &[Inequation], order: &[(usize, Option<usize>)]) -> f64 {
    let mut tables: Vec<Vec<f64>> = vec![Vec::new(); bounds.len()];
    for &(at, _) in order {
        tables[at] = vec![1.0; (bounds[at].1 - bounds[at].0 + 1).max(0) as usize];
    }
    let mut ln = 0.0;
    for &(at, edge) in order.iter().rev() {
        let mut table = std::mem::take(&mut tables[at]);
        let greatest = table.iter().copied().fold(0.0, f64::max);
        if greatest == 0.0 {
            return f64::NEG_INFINITY;
        }
        // Scaled, so that no table overflows.
        ln += greatest.ln();
        table.iter_mut().for_each(|ways| *ways /= greatest);
        let Some(edge) = edge else {
            ln += table.iter().sum::<f64>().ln();
            continue;
        };
        let Inequation { x, y, most } = edges[edge];
        let above = x + y - at;
        // How many in all up to here, or from here on: a difference of such sums would lose all digits.
        if at != x {
            table.reverse();
        }
        let mut so_far = 0.0;
        table.iter_mut().for_each(|ways| {
            so_far += *ways;
            *ways = so_far;
        });
        let (lo, hi) = bounds[at];
        let from = bounds[above].0;
        for (i, ways) in tables[above].iter_mut().enumerate() {
            let value = from + i as i64;
            // at <= value + most, or value - at <= most.
            let last = if at == x { value + most - lo } else { hi - (value - most) };
            *ways *= if last < 0 { 0.0 } else { table[(last as usize).min(table.len() - 1)] };
        }
    }
    ln
}

/// The least solution, if there is one: pushed up until nothing is violated.
fn least(bounds: &[(i64, i64)], edges: &[Inequation]) -> Vec<i64> {
    let mut values: Vec<i64> = bounds.iter().map(|b| b.0).collect();
    for _ in 0..=values.len() {
        let mut is_changed = false;
        for edge in edges.iter().rev() {
            let needed = values[edge.x].saturating_sub(edge.most);
            if values[edge.y] < needed {
                values[edge.y] = needed;
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(pairs: &[(usize, usize)]) -> Vec<Inequation> {
        pairs.iter().map(|&(x, y)| Inequation { x, y, most: -1 }).collect()
    }

    #[test]
    fn forests_are_counted() {
        let count = |n: usize, values: i64, pairs: &[(usize, usize)]| {
            solutions(&vec![(0, values - 1); n], &below(pairs)).map(|s| s.ln.exp().round())
        };
        // 10 over 3, with an inequation that follows.
        assert_eq!(count(3, 10, &[(0, 1), (1, 2), (0, 2)]), Some(120.0));
        // One below two others: the squares up to 3.
        assert_eq!(count(3, 4, &[(0, 1), (0, 2)]), Some(14.0));
        assert_eq!(count(2, 5, &[]), Some(25.0));
        assert_eq!(count(3, 2, &[(0, 1), (1, 2)]), Some(0.0));
        // Two below two others.
        assert_eq!(count(4, 4, &[(0, 2), (0, 3), (1, 2), (1, 3)]), None);
    }

    #[test]
    fn the_least_solution_comes_along() {
        let found = solutions(&[(0, 9), (0, 9), (0, 9)], &below(&[(2, 1), (1, 0)])).expect("a path");
        assert_eq!(found.least, [2, 1, 0]);
    }

    #[test]
    fn large_numbers_do_not_overflow() {
        let pairs: Vec<_> = (1..1024).map(|i| (i - 1, i)).collect();
        let found = solutions(&vec![(0, 2048); 1024], &below(&pairs)).expect("a path");
        let binomial: f64 = (1..=1024).map(|i| (f64::from(1025 + i) / f64::from(i)).ln()).sum();
        assert!((found.ln - binomial).abs() < 1e-6, "{} {binomial}", found.ln);
    }
}
