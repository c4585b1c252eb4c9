//! What a proof looks at (docs/engine.md, "Prove by propagation"): the places that the path and what is to be proved speak of. What is known
//! about other places is as true, and mostly says nothing about these; but what all places have in common, such as a table of classes, ties
//! it to all that is assumed.

use formula::{Graph, Lit, Node, NodeId, PlaceId};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// So many parts of each formula to be proved are looked through for places.
const LOOKED_THROUGH: usize = 100;

/// Places that propagation keeps to.
#[derive(Clone, Default)]
pub struct Nearby {
    places: Vec<PlaceId>,
    is_near: Vec<bool>,
}

impl Nearby {
    /// The places of what was decided, and of what is to be proved and its parts; and those below them, which a step may bring up. (The last
    /// 12 decisions alone: 116 conjuncts of Featherweight Java at 85 were left to the exact solver, not 5.)
    pub fn new(graph: &Graph, path: &[Lit], goals: impl Iterator<Item = Lit>) -> Nearby {
        let mut nearby = Nearby::default();
        path.iter().for_each(|lit| nearby.add(graph.place(lit.node())));
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        for goal in goals {
            let mut open = VecDeque::from([goal.node()]);
            for _ in 0..LOOKED_THROUGH {
                let Some(id) = open.pop_front() else { break };
                nearby.add(graph.place(id));
                match graph.node(id) {
                    Node::And(a, b) => open.extend([a.node(), b.node()].into_iter().filter(|n| seen.insert(*n))),
                    Node::Difference(d) => [d.x, d.y].into_iter().for_each(|x| nearby.add(graph.place_of_term(x))),
                    _ => {}
                }
            }
        }
        for near in 0..nearby.places.len() {
            let below = graph.places_below(nearby.places[near]);
            below.iter().for_each(|place| nearby.add(*place));
        }
        nearby
    }

    fn add(&mut self, place: PlaceId) {
        if place.is_one() && !self.holds(place) {
            let index = place.0 as usize;
            self.is_near.resize(self.is_near.len().max(index + 1), false);
            self.is_near[index] = true;
            self.places.push(place);
        }
    }

    /// Whether a formula at such a place is near: if it is at no one place, too.
    pub fn holds(&self, place: PlaceId) -> bool {
        !place.is_one() || self.is_near.get(place.0 as usize).is_some_and(|is_near| *is_near)
    }

    /// Whether any place is far.
    pub fn leaves_some_out(&self, graph: &Graph) -> bool {
        self.places.len() < graph.place_count()
    }

    /// Whether more than half of them are.
    pub fn leaves_much_out(&self, graph: &Graph) -> bool {
        self.places.len() * 2 < graph.place_count()
    }

    pub fn places(&self) -> &[PlaceId] {
        &self.places
    }
}
