//! Where the objects of a state are drawn: as a forest, by the tree fields first, by other references where no tree field leads.
//!
//! Every object is placed once, at most [`MOST_OBJECTS`] of them, those near the roots first. A forest without branches runs from
//! left to right, any other one from top to bottom.

use std::collections::VecDeque;
use verdict::heap::{Snapshot, SnapshotObject, SnapshotValue};

/// More say nothing at a glance.
pub const MOST_OBJECTS: usize = 48;
const BESIDE: f64 = 22.0;
const BELOW: f64 = 46.0;

/// One place below an object.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// Of the object above.
    pub field: usize,
    /// None for a tree field that is null beside one that is not: it keeps left and right apart.
    pub object: Option<usize>,
}

pub struct Forest {
    pub roots: Vec<usize>,
    pub children: Vec<Vec<Child>>,
    pub is_placed: Vec<bool>,
    /// From left to right.
    pub is_chain: bool,
}

/// Where a box is: x, y, width, height.
pub type Place = [f64; 4];

impl Forest {
    pub fn of(snapshot: &Snapshot) -> Forest {
        let objects = &snapshot.objects;
        let empty = vec![Vec::new(); objects.len()];
        let is_placed = vec![false; objects.len()];
        let mut forest = Forest { roots: Vec::new(), children: empty, is_placed, is_chain: false };
        let mut is_child = vec![false; objects.len()];
        for (from, object) in objects.iter().enumerate() {
            for target in object.fields.iter().filter(|f| f.is_tree).filter_map(|f| target(&f.value)) {
                is_child[target] |= target != from;
            }
        }
        let mut left = MOST_OBJECTS;
        // The checked object first; then what no tree field leads to, then what is left: cycles.
        let mut order: Vec<usize> = (0..objects.len()).collect();
        order.sort_by_key(|&i| (i != 0, is_child[i]));
        for root in order {
            if !forest.is_placed[root] && left > 0 {
                forest.roots.push(root);
                forest.grow(objects, root, &is_child, &mut left);
            }
        }
        forest.is_chain = objects.len() > 2 && forest.roots.len() == 1 && forest.children.iter().all(|c| c.len() < 2);
        forest
    }

    pub fn left_out(&self) -> usize {
        self.is_placed.iter().filter(|is| !**is).count()
    }

    /// Everything below a root, level by level; what is only referred to goes below who refers to it first.
    fn grow(&mut self, objects: &[SnapshotObject], root: usize, is_child: &[bool], left: &mut usize) {
        self.is_placed[root] = true;
        *left -= 1;
        let mut queue = VecDeque::from([root]);
        let mut others: Vec<usize> = Vec::new();
        while let Some(at) = queue.pop_front().or_else(|| self.referred(objects, &mut others, is_child, left)) {
            others.push(at);
            let object = &objects[at];
            for (field, value) in object.fields.iter().enumerate() {
                // An array is part of its owner, and its elements are part of it.
                let is_part = |t: usize| value.is_tree || object.is_array || objects[t].is_array;
                match target(&value.value) {
                    Some(t) if is_part(t) && !self.is_placed[t] && *left > 0 => {
                        self.is_placed[t] = true;
                        *left -= 1;
                        self.children[at].push(Child { field, object: Some(t) });
                        queue.push_back(t);
                    }
                    None if value.is_tree && !object.is_array && value.value == SnapshotValue::Null => {
                        self.children[at].push(Child { field, object: None });
                    }
                    _ => {}
                }
            }
            if self.children[at].iter().all(|c| c.object.is_none()) {
                self.children[at].clear();
            }
        }
    }

    /// The first object that is only referred to, by those that were placed before.
    fn referred(
        &mut self,
        objects: &[SnapshotObject],
        placed: &mut [usize],
        is_child: &[bool],
        left: &mut usize,
    ) -> Option<usize> {
        for &mut at in placed {
            for (field, value) in objects[at].fields.iter().enumerate() {
                if let Some(t) = target(&value.value)
                    && !self.is_placed[t]
                    && !is_child[t]
                    && *left > 0
                {
                    self.is_placed[t] = true;
                    *left -= 1;
                    self.children[at].push(Child { field, object: Some(t) });
                    return Some(t);
                }
            }
        }
        None
    }

    /// `sizes` are widths and heights of all objects; `labels` how wide the names of edges are, by object and field.
    pub fn places(&self, sizes: &[[f64; 2]], labels: &dyn Fn(usize, usize) -> f64) -> Vec<Place> {
        let mut places = vec![[0.0; 4]; sizes.len()];
        if self.is_chain {
            let tallest = sizes.iter().map(|s| s[1]).fold(0.0, f64::max);
            let (mut at, mut x) = (self.roots[0], 0.0);
            loop {
                let [w, h] = sizes[at];
                places[at] = [x, (tallest - h) / 2.0, w, h];
                let Some(Child { field, object: Some(next) }) = self.children[at].first().copied() else { break };
                x += w + (labels(at, field) + BESIDE).max(BELOW + BESIDE);
                at = next;
            }
            return places;
        }
        let mut across = 0.0;
        for &root in &self.roots {
            across += self.place(root, across, 0.0, sizes, &mut places) + BESIDE * 2.0;
        }
        places
    }

    /// How much room it takes across; its children come side by side under its middle.
    fn place(&self, at: usize, across: f64, along: f64, sizes: &[[f64; 2]], places: &mut [Place]) -> f64 {
        let [w, h] = sizes[at];
        let mut room = 0.0;
        for child in &self.children[at] {
            if room > 0.0 {
                room += BESIDE;
            }
            room += match child.object {
                Some(object) => self.place(object, across + room, along + h + BELOW, sizes, places),
                None => 12.0,
            };
        }
        let extra = (w - room).max(0.0) / 2.0;
        if extra > 0.0 {
            self.shift(at, extra, places);
        }
        places[at] = [across + (room.max(w) - w) / 2.0, along, w, h];
        room.max(w)
    }

    fn shift(&self, at: usize, by: f64, places: &mut [Place]) {
        for child in self.children[at].iter().filter_map(|c| c.object) {
            places[child][0] += by;
            self.shift(child, by, places);
        }
    }
}

pub fn target(value: &SnapshotValue) -> Option<usize> {
    match value {
        SnapshotValue::Object(index) => Some(*index),
        _ => None,
    }
}

/// The line between the borders of two boxes that leads from middle to middle.
pub fn between(from: Place, to: Place) -> [f64; 4] {
    let middle = |[x, y, w, h]: Place| (x + w / 2.0, y + h / 2.0);
    let ((ax, ay), (bx, by)) = (middle(from), middle(to));
    let (dx, dy) = (bx - ax, by - ay);
    let cut = |[_, _, w, h]: Place| {
        let across = if dx == 0.0 { f64::INFINITY } else { w / 2.0 / dx.abs() };
        let down = if dy == 0.0 { f64::INFINITY } else { h / 2.0 / dy.abs() };
        across.min(down).min(0.5)
    };
    let (start, end) = (cut(from), cut(to));
    [ax + dx * start, ay + dy * start, bx - dx * end, by - dy * end]
}
