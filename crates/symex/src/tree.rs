//! The tree structure (dissertation, 2.10), incrementally: after a run, every object that tree edges reach from the checked
//! object is reached once, and the checked object itself is not. Nor is anything reached both from it and from another one that the
//! operation got.
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

/// How objects are reached from the checked one after a run.
struct Reach {
    /// None of a static method.
    main: Option<Obj>,
    /// Others that it is asked about, and when.
    others: FxHashMap<Obj, Lit>,
    modified: FxHashSet<Place>,
    /// Modified edges, by the object they may point to.
    into: FxHashMap<Obj, Vec<Edge>>,
    /// When an object is reached, once that is known.
    known: FxHashMap<Obj, Lit>,
    /// Objects whose reachability is being asked for: going through them again adds nothing.
    on_the_way: Vec<Obj>,
}

impl Symbolic<'_> {
    /// Conditions that say, all together, that the tree edges form a tree under `main`, and others apart from it.
    pub fn tree_conditions(&mut self, main: Option<Obj>, others: FxHashMap<Obj, Lit>) -> Vec<Lit> {
        let modified = self.modified_edges();
        let mut into: FxHashMap<Obj, Vec<Edge>> = FxHashMap::default();
        let mut order = Vec::new();
        for &place in &modified {
            for (obj, points) in self.targets(place) {
                let edges = into.entry(obj).or_default();
                if edges.is_empty() {
                    order.push(obj);
                }
                edges.push(Edge { place, points, is_modified: true });
            }
        }
        let modified = modified.into_iter().collect();
        let mut reach = Reach { main, others, modified, into, known: FxHashMap::default(), on_the_way: Vec::new() };
        let mut conditions = Vec::new();
        for obj in order {
            if matches!(self.ty_of(obj), Ty::Class(class) if self.program.identity.values.contains(&class)) {
                continue;
            }
            let edges = self.edges_into(obj, &reach);
            let is_root =
                if Some(obj) == main { Lit::TRUE } else { reach.others.get(&obj).copied().unwrap_or(Lit::FALSE) };
            for edge in edges.iter().filter(|_| is_root != Lit::FALSE) {
                let reached = self.reached(edge.place, &mut reach).0;
                conditions.push(!self.graph.and_all([edge.points, reached, is_root]));
            }
            if Some(obj) == main {
                continue;
            }
            for (i, a) in edges.iter().enumerate() {
                for b in &edges[i + 1..] {
                    if !a.is_modified && !b.is_modified {
                        continue;
                    }
                    let both = self.graph.and(a.points, b.points);
                    if both == Lit::FALSE {
                        continue;
                    }
                    let ra = self.reached(a.place, &mut reach).0;
                    let rb = self.reached(b.place, &mut reach).0;
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

    /// Edges that may point to an object now.
    fn edges_into(&mut self, obj: Obj, reach: &Reach) -> Vec<Edge> {
        let mut edges = reach.into.get(&obj).cloned().unwrap_or_default();
        if Some(obj) != reach.main {
            edges.extend(self.unmodified_edges(obj, &reach.modified));
        }
        edges
    }

    /// When the object that an edge starts from is reached from the checked one; and at which of the objects on the way a way there
    /// was cut off, if at one: then it is asked for again elsewhere.
    fn reached(&mut self, place: Place, reach: &mut Reach) -> (Lit, usize) {
        const NONE: usize = usize::MAX;
        let Place::Slot(owner, _) = place else { return (Lit::FALSE, NONE) };
        if Some(owner) == reach.main {
            return (Lit::TRUE, NONE);
        }
        if let Some(&known) = reach.known.get(&owner) {
            return (known, NONE);
        }
        if let Some(at) = reach.on_the_way.iter().position(|&o| o == owner) {
            return (Lit::FALSE, at);
        }
        let own = reach.on_the_way.len();
        reach.on_the_way.push(owner);
        let (mut any, mut cut) = (reach.others.get(&owner).copied().unwrap_or(Lit::FALSE), NONE);
        for edge in self.edges_into(owner, reach) {
            let (before, at) = self.reached(edge.place, reach);
            let here = self.graph.and(edge.points, before);
            any = self.graph.or(any, here);
            cut = cut.min(at);
        }
        reach.on_the_way.pop();
        if cut < own {
            return (any, cut);
        }
        reach.known.insert(owner, any);
        (any, NONE)
    }
}
