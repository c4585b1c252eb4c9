//! Integers of a [sample](super::sample) that are only compared with each other: decided last, all ways at once.

use super::orders::{Inequation, solutions};
use super::sample::Sampler;
use super::shares::domain;
use formula::{Bounds, Lit, NodeId, TermId};
use ir::interp::Stop;
use ir::space::Domain;
use rustc_hash::FxHashMap;

impl Sampler<'_, '_> {
    /// Decides the integers that are only compared, and in how many ways that can be done. None: there is no telling, and they
    /// are sampled like all others from now on.
    pub(super) fn count_postponed(&mut self) -> Result<Option<f64>, Stop> {
        let found = self.inequations().and_then(|(bounds, inequations)| solutions(&bounds, &inequations));
        let Some(found) = found else {
            self.compared.clear();
            return Ok(None);
        };
        self.work += found.work / 8;
        for (index, &least) in found.least.iter().enumerate() {
            let subject = self.postponed[index].0;
            let first = match domain(self.walk.subjects.space, subject) {
                Domain::Int { lo, .. } => *lo,
                _ => return Ok(None),
            };
            if !self.walk.decide(subject)? {
                return Ok(None);
            }
            self.walk.take(least.wrapping_sub(first) as u64);
        }
        Ok(Some(found.ln))
    }

    /// None if something about the postponed integers is still open.
    fn inequations(&mut self) -> Option<(Vec<Bounds>, Vec<Inequation>)> {
        let graph = &mut self.described.symbolic.graph;
        let mut bounds = Vec::new();
        let mut numbers: FxHashMap<TermId, usize> = FxHashMap::default();
        for (number, &(_, term)) in self.postponed.iter().enumerate() {
            let within = graph.bounds(term);
            let is_open = |&(most, node): &(i64, NodeId)| {
                node.index() < self.nodes
                    && within.0 <= most
                    && most < within.1
                    && graph.value(Lit::new(node, true)).is_none()
            };
            if graph.thresholds(term).iter().any(is_open) {
                return None;
            }
            bounds.push(within);
            numbers.insert(term, number);
        }
        let mut inequations = Vec::new();
        for &(node, d) in &self.differences {
            let (Some(&x), Some(&y)) = (numbers.get(&d.x), numbers.get(&d.y)) else { continue };
            match graph.value(Lit::new(node, true)) {
                Some(true) => inequations.push(Inequation { x, y, most: d.most }),
                Some(false) => inequations.push(Inequation { x: y, y: x, most: -d.most - 1 }),
                None if graph.implied(d).is_none() => return None,
                None => {}
            }
        }
        Some((bounds, inequations))
    }
}
