//! The tree structure (dissertation, 2.10), incrementally: after a run, every object that tree edges reach from the checked
//! object is reached once, and the checked object itself is not.
//!
//! Instead of the matrix of Figure 2.9: the state before was a tree, so only an object that a modified edge may point to
//! can have got a second edge. For those, every pair of edges with a modified one must not both point to it and both be
//! reachable. Reachability is worked out only for pairs that are not impossible already; that is sound and exact, and
//! for all the subjects of Table 6.1 the question does not come up.

use crate::heap::Place;
use crate::symbolic::Symbolic;
use crate::value::{Obj, Sym};
use formula::Lit;
use ir::Ty;
use ir::space::Presence;
use rustc_hash::{FxHashMap, FxHashSet};

/// An edge that points to an object under a condition.
#[derive(Clone, Copy)]
struct Edge {
    place: Place,
    points: Lit,
    is_modified: bool,
}

impl Symbolic<'_> {
    /// Conditions that say, all together, that the tree edges form a tree under `main`.
    pub fn tree_conditions(&mut self, main: Obj) -> Vec<Lit> {
        let modified = self.modified_edges();
        let mut targets: FxHashMap<Obj, Vec<Edge>> = FxHashMap::default();
        let mut order = Vec::new();
        for &place in &modified {
            for (obj, points) in self.targets(place) {
                let edges = targets.entry(obj).or_default();
                if edges.is_empty() {
                    order.push(obj);
                }
                edges.push(Edge { place, points, is_modified: true });
            }
        }
        let modified: FxHashSet<Place> = modified.into_iter().collect();
        let mut conditions = Vec::new();
        for obj in order {
            let mut edges = targets.remove(&obj).unwrap_or_default();
            if obj == main {
                for edge in &edges {
                    let reached = self.reached(edge.place, main, &modified, &mut Vec::new());
                    conditions.push(!self.graph.and(edge.points, reached));
                }
                continue;
            }
            edges.extend(self.unmodified_edges(obj, &modified));
            for (i, a) in edges.iter().enumerate() {
                for b in &edges[i + 1..] {
                    if !a.is_modified && !b.is_modified {
                        continue;
                    }
                    let both = self.graph.and(a.points, b.points);
                    if both == Lit::FALSE {
                        continue;
                    }
                    let ra = self.reached(a.place, main, &modified, &mut Vec::new());
                    let rb = self.reached(b.place, main, &modified, &mut Vec::new());
                    let all = self.graph.and_all([both, ra, rb]);
                    conditions.push(!all);
                }
            }
        }
        conditions.retain(|&c| c != Lit::TRUE);
        conditions
    }

    fn is_tree_array(&self, obj: Obj) -> bool {
        let ty = self.ty_of(obj);
        if !matches!(ty, Ty::Array(_)) || self.heap.is_fresh(obj) {
            return false;
        }
        let Presence::AtSlot(slot) = self.space.objects[obj.index()].presence else { return false };
        self.space.slots[slot.0 as usize].owners.iter().any(|at| self.is_tree_slot(Obj(at.object.0), at.slot))
    }

    /// Whether a slot of an object is a tree field.
    fn is_tree_slot(&self, obj: Obj, slot: u32) -> bool {
        match self.ty_of(obj) {
            Ty::Class(class) => {
                let fields = self.program.instance_fields(class);
                fields.get(slot as usize).is_some_and(|&f| self.program.field(f).bound.tree)
            }
            Ty::Array(_) => self.is_tree_array(obj),
            _ => false,
        }
    }

    /// Tree edges that the run wrote, those of fresh objects included.
    fn modified_edges(&mut self) -> Vec<Place> {
        let mut edges: Vec<Place> = (self.heap.log.iter().copied())
            .filter(|&place| matches!(place, Place::Slot(obj, slot) if self.is_tree_slot(obj, slot)))
            .collect();
        for i in 0..self.heap.fresh.len() {
            let obj = Obj((self.heap.space_objects + i) as u32);
            if let Ty::Class(class) = self.ty_of(obj) {
                for (slot, field) in self.program.instance_fields(class).into_iter().enumerate() {
                    if self.program.field(field).bound.tree {
                        edges.push(Place::Slot(obj, slot as u32));
                    }
                }
            }
        }
        // Arrays that are no tree arrays by themselves become such through a modified edge.
        let mut next = 0;
        let mut seen: FxHashSet<Obj> = FxHashSet::default();
        while next < edges.len() {
            let place = edges[next];
            next += 1;
            for (obj, _) in self.targets(place) {
                if matches!(self.ty_of(obj), Ty::Array(_)) && !self.is_tree_array(obj) && seen.insert(obj) {
                    let slots = match self.heap.is_fresh(obj) {
                        true => self.heap.fresh(obj).slots.len(),
                        false => self.space.objects[obj.index()].slots.len(),
                    };
                    edges.extend((0..slots as u32).map(|slot| Place::Slot(obj, slot)));
                }
            }
        }
        edges
    }

    /// Where an edge may point now.
    fn targets(&mut self, place: Place) -> Vec<(Obj, Lit)> {
        let Place::Slot(obj, slot) = place else { return Vec::new() };
        match self.read_slot(obj, slot) {
            Sym::Ref(id) => self.alternatives(id).into_iter().filter(|(o, _)| *o != Obj::NULL).collect(),
            _ => Vec::new(),
        }
    }

    /// Edges that pointed to an object before the run and were not written.
    fn unmodified_edges(&mut self, obj: Obj, modified: &FxHashSet<Place>) -> Vec<Edge> {
        if self.heap.is_fresh(obj) {
            return Vec::new();
        }
        let places: Vec<Place> = match self.space.objects[obj.index()].presence {
            Presence::AtSlot(slot) => (self.space.slots[slot.0 as usize].owners.iter())
                .map(|at| Place::Slot(Obj(at.object.0), at.slot))
                .filter(|&place| matches!(place, Place::Slot(o, s) if self.is_tree_slot(o, s)))
                .collect(),
            Presence::Grown => self.grown_edges.get(&obj).cloned().unwrap_or_default(),
            Presence::Always => Vec::new(),
        };
        let mut edges = Vec::new();
        for place in places {
            if modified.contains(&place) {
                continue;
            }
            if let Some((_, points)) = self.targets(place).into_iter().find(|(o, _)| *o == obj) {
                edges.push(Edge { place, points, is_modified: false });
            }
        }
        edges
    }

    /// When the object that an edge starts from is reached from `main`. `on_the_way`: objects whose reachability is being
    /// asked for; going through them again adds nothing.
    fn reached(&mut self, place: Place, main: Obj, modified: &FxHashSet<Place>, on_the_way: &mut Vec<Obj>) -> Lit {
        let Place::Slot(owner, _) = place else { return Lit::FALSE };
        if owner == main {
            return Lit::TRUE;
        }
        if on_the_way.contains(&owner) {
            return Lit::FALSE;
        }
        on_the_way.push(owner);
        let mut edges = self.unmodified_edges(owner, modified);
        let mut places: Vec<Place> = modified.iter().copied().collect();
        places.sort_unstable();
        for place in places {
            if let Some((_, points)) = self.targets(place).into_iter().find(|(o, _)| *o == owner) {
                edges.push(Edge { place, points, is_modified: true });
            }
        }
        let mut any = Lit::FALSE;
        for edge in edges {
            let before = self.reached(edge.place, main, modified, on_the_way);
            let here = self.graph.and(edge.points, before);
            any = self.graph.or(any, here);
        }
        on_the_way.pop();
        any
    }
}
