//! How S uses its integers, and what propagation does not say about them though it follows.

use formula::{Difference, Graph, LinearId, Node, NodeId, Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Variables that occur in comparisons with each other, or with constants, and nowhere else; the comparisons; and those that
/// occur in sums.
pub fn integers(graph: &Graph) -> (FxHashSet<TermId>, Vec<(NodeId, Difference)>, FxHashSet<TermId>) {
    let mut compared = FxHashSet::default();
    let mut differences = Vec::new();
    let mut others = FxHashSet::default();
    let mut summed = FxHashSet::default();
    for id in (0..graph.node_count() as u32).map(NodeId) {
        match graph.node(id) {
            Node::Difference(d) => {
                compared.extend([d.x, d.y]);
                differences.push((id, d));
            }
            Node::LinearLe(l) | Node::LinearEq(l) => {
                let terms: Vec<TermId> = graph.linear(l).terms.iter().map(|t| t.0).collect();
                let is_pair = terms.len() == 2 && terms.iter().all(|&t| matches!(graph.term(t), Term::Var(_)));
                if is_pair { others.extend(terms) } else { summed.extend(terms) }
            }
            _ => {}
        }
    }
    for term in (0..graph.term_count() as u32).map(TermId) {
        match graph.term(term) {
            Term::Ite(_, a, b) | Term::Op(_, _, a, b) => others.extend([a, b]),
            Term::Sum(l) => others.extend(graph.linear(l).terms.iter().map(|t| t.0)),
            Term::Wrap(_, a) => others.extend([a]),
            Term::Const(_) | Term::Var(_) => {}
        }
    }
    compared.retain(|term| !others.contains(term) && !summed.contains(term));
    (compared, differences, summed)
}

/// What the bounds of two integers say, whatever else is known of them.
pub fn by_bounds(graph: &Graph, d: Difference) -> Option<bool> {
    let (x, y) = (graph.bounds(d.x), graph.bounds(d.y));
    let (least, most) = (x.0.saturating_sub(y.1), x.1.saturating_sub(y.0));
    if most <= d.most { Some(true) } else { (least > d.most).then_some(false) }
}

/// Comparisons of two integers, by integer.
pub fn comparisons(graph: &Graph) -> FxHashMap<TermId, Vec<NodeId>> {
    let mut comparisons: FxHashMap<TermId, Vec<NodeId>> = FxHashMap::default();
    for id in (0..graph.node_count() as u32).map(NodeId) {
        let pair = match graph.node(id) {
            Node::Difference(d) => [d.x, d.y],
            Node::LinearEq(l) => match graph.linear(l).terms[..] {
                [(x, _), (y, _)] => [x, y],
                _ => continue,
            },
            _ => continue,
        };
        for term in pair {
            comparisons.entry(term).or_default().push(id);
        }
    }
    comparisons
}

/// The value of a term, if what is known fixes it.
pub fn value_of(graph: &Graph, term: TermId) -> Option<i64> {
    let (lo, hi) = graph.bounds(term);
    if lo == hi {
        return Some(lo);
    }
    match graph.term(term) {
        Term::Ite(c, a, b) => value_of(graph, if graph.value(c)? { a } else { b }),
        Term::Sum(l) => linear_value(graph, l),
        _ => None,
    }
}

pub fn linear_value(graph: &Graph, linear: LinearId) -> Option<i64> {
    let linear = graph.linear(linear);
    let parts = linear.terms.iter().map(|&(t, c)| c.checked_mul(value_of(graph, t)?));
    parts.sum::<Option<i64>>()?.checked_add(linear.constant)
}
