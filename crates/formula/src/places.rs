//! Of which places formulas speak: places form a forest (those of a tree in a state), a variable is at one of them or at none, and a formula
//! is at the lowest place that has all places of its variables below it. So what is far from a place is found without looking into it.

use crate::graph::{Graph, Node, NodeId, Parent};
use crate::term::{Term, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A place of the forest, or one of the two below.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlaceId(pub u32);

impl PlaceId {
    /// Of formulas whose variables are at no place.
    pub const NONE: PlaceId = PlaceId(u32::MAX);
    /// Of formulas that no one place is above of.
    pub const SEVERAL: PlaceId = PlaceId(u32::MAX - 1);

    /// Whether it is one place of the forest.
    pub fn is_one(self) -> bool {
        self.0 < PlaceId::SEVERAL.0
    }
}

/// Which place is above which.
#[derive(Clone, Default)]
pub struct Forest {
    above: Vec<Option<PlaceId>>,
    below: Vec<Vec<PlaceId>>,
    /// When a walk through the forest enters a place and leaves it.
    times: Vec<(u32, u32)>,
    /// How many of the places are in a tree with others.
    count: usize,
}

impl Forest {
    /// By place, the one above it. Places that are above themselves are in none of its trees.
    pub fn new(above: Vec<Option<PlaceId>>) -> Forest {
        let mut below: Vec<Vec<PlaceId>> = vec![Vec::new(); above.len()];
        let mut stack = Vec::new();
        for (place, above) in (0u32..).map(PlaceId).zip(&above) {
            match above {
                Some(above) => below[above.0 as usize].push(place),
                None => stack.push((place, false)),
            }
        }
        let mut times = vec![(0, 0); above.len()];
        let mut clock = 0;
        while let Some((place, is_leaving)) = stack.pop() {
            clock += 1;
            if is_leaving {
                times[place.0 as usize].1 = clock;
            } else {
                times[place.0 as usize].0 = clock;
                stack.push((place, true));
                stack.extend(below[place.0 as usize].iter().map(|&place| (place, false)));
            }
        }
        let count = above.iter().zip(&below).filter(|(above, below)| above.is_some() || !below.is_empty()).count();
        Forest { above, below, times, count }
    }

    fn is_above(&self, a: PlaceId, b: PlaceId) -> bool {
        let (a, b) = (self.times[a.0 as usize], self.times[b.0 as usize]);
        a.0 <= b.0 && b.1 <= a.1
    }

    /// The lowest place above both, or that is both.
    fn meet(&self, a: PlaceId, b: PlaceId) -> PlaceId {
        if a == b || b == PlaceId::NONE {
            return a;
        }
        if a == PlaceId::NONE {
            return b;
        }
        if !a.is_one() || !b.is_one() {
            return PlaceId::SEVERAL;
        }
        if self.is_above(b, a) {
            return b;
        }
        let mut above = std::iter::successors(Some(a), |place| self.above[place.0 as usize]);
        above.find(|&place| self.is_above(place, b)).unwrap_or(PlaceId::SEVERAL)
    }
}

/// The places of the formulas of a graph.
#[derive(Clone, Default)]
pub(crate) struct Places {
    forest: Arc<Forest>,
    of_nodes: Vec<PlaceId>,
    of_terms: Vec<PlaceId>,
    /// Where variables are that are made next.
    here: Option<PlaceId>,
    /// Of nodes with many parents, these by place.
    parents: FxHashMap<NodeId, ByPlace>,
}

#[derive(Clone, Default)]
struct ByPlace {
    /// So many of them are in it.
    known: usize,
    anywhere: Vec<Parent>,
    at: FxHashMap<PlaceId, Vec<Parent>>,
}

impl Graph {
    /// Before there are variables.
    pub fn set_forest(&mut self, forest: Forest) {
        self.places.forest = Arc::new(forest);
    }

    /// How many there are.
    pub fn place_count(&self) -> usize {
        self.places.forest.count
    }

    /// The places that hang on a place.
    pub fn places_below(&self, place: PlaceId) -> &[PlaceId] {
        self.places.forest.below.get(place.0 as usize).map_or(&[], |below| below)
    }

    /// Variables that are made from now on are at this place. What it was before is to be set again.
    pub fn go_to(&mut self, place: Option<PlaceId>) -> Option<PlaceId> {
        std::mem::replace(&mut self.places.here, place)
    }

    pub fn place(&self, node: NodeId) -> PlaceId {
        self.places.of_nodes[node.index()]
    }

    pub fn place_of_term(&self, term: TermId) -> PlaceId {
        self.places.of_terms[term.index()]
    }

    pub(crate) fn grow_places(&mut self, node: Node) {
        let forest = &self.places.forest;
        let place = match node {
            Node::True => PlaceId::NONE,
            Node::Var => self.places.here.unwrap_or(PlaceId::NONE),
            Node::And(a, b) => forest.meet(self.place(a.node()), self.place(b.node())),
            Node::AtMost(x, _) => self.place_of_term(x),
            Node::Difference(d) => forest.meet(self.place_of_term(d.x), self.place_of_term(d.y)),
            Node::LinearEq(linear) | Node::LinearLe(linear) => self.place_of_linear(linear),
        };
        self.places.of_nodes.push(place);
    }

    pub(crate) fn grow_term_places(&mut self, term: Term) {
        let forest = &self.places.forest;
        let place = match term {
            Term::Const(_) => PlaceId::NONE,
            Term::Var(_) => self.places.here.unwrap_or(PlaceId::NONE),
            Term::Ite(c, a, b) => {
                let parts = forest.meet(self.place_of_term(a), self.place_of_term(b));
                forest.meet(self.place(c.node()), parts)
            }
            Term::Sum(linear) => self.place_of_linear(linear),
            Term::Op(_, _, a, b) => forest.meet(self.place_of_term(a), self.place_of_term(b)),
            Term::Wrap(_, a) => self.place_of_term(a),
        };
        self.places.of_terms.push(place);
    }

    fn place_of_linear(&self, linear: crate::linear::LinearId) -> PlaceId {
        let places = self.linear(linear).terms.iter().map(|&(term, _)| self.place_of_term(term));
        places.fold(PlaceId::NONE, |a, b| self.places.forest.meet(a, b))
    }

    /// Sorts the parents of a node by their places, as far as they are new.
    pub fn sort_parents(&mut self, id: NodeId) {
        if self.places.parents.get(&id).is_some_and(|sorted| sorted.known == self.parents(id).len()) {
            return;
        }
        let mut sorted = self.places.parents.remove(&id).unwrap_or_default();
        for &parent in &self.parents(id)[sorted.known..] {
            match self.place(parent.gate.node()) {
                place if place.is_one() => sorted.at.entry(place).or_default().push(parent),
                _ => sorted.anywhere.push(parent),
            }
        }
        sorted.known = self.parents(id).len();
        self.places.parents.insert(id, sorted);
    }

    /// Of the parents of a node, as they were sorted last: those at no one place, and those at these places.
    pub fn parents_at<'a>(&'a self, id: NodeId, places: &'a [PlaceId]) -> impl Iterator<Item = &'a Parent> {
        let sorted = self.places.parents.get(&id);
        let at = move |place| sorted.and_then(|s| s.at.get(place)).into_iter().flatten();
        sorted.into_iter().flat_map(|s| &s.anywhere).chain(places.iter().flat_map(at))
    }
}
