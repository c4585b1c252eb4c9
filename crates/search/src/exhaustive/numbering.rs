//! Isomorphic heaps are one state (dissertation, 2.8; Korat): objects that may be renamed are numbered in the order in which
//! they are mentioned. A group is a class of interchangeable objects, or a tree of [`Shape::Any`](ir::space::Shape).

use ir::generics::InstanceId;
use ir::space::{Presence, Space};
use ir::{ObjId, Ty};
use rustc_hash::FxHashMap;

pub struct Numbering {
    /// How many objects of each group were mentioned.
    mentioned: Vec<u32>,
    /// The group of an object and its number there. What belongs to an interchangeable object alone is renamed with it.
    numbered: Vec<Option<(u32, u32)>>,
}

impl Numbering {
    pub fn new(space: &Space, isomorphism: bool) -> Numbering {
        let mut groups: FxHashMap<(Ty, Option<InstanceId>), u32> = FxHashMap::default();
        // Arrays of one type that differ in their bounds are of two groups.
        let mut arrays: Vec<(usize, u32)> = Vec::new();
        let mut sizes: Vec<u32> = Vec::new();
        let mut numbered = vec![None; space.objects.len()];
        for (index, object) in space.objects.iter().enumerate() {
            if object.interchangeable && isomorphism {
                let known = match object.ty {
                    Ty::Array(_) => {
                        arrays.iter().find(|(first, _)| object.is_array_like(&space.objects[*first])).map(|a| a.1)
                    }
                    ty => groups.get(&(ty, object.instance)).copied(),
                };
                let group = known.unwrap_or_else(|| {
                    let group = sizes.len() as u32;
                    sizes.push(0);
                    match object.ty {
                        Ty::Array(_) => arrays.push((index, group)),
                        ty => _ = groups.insert((ty, object.instance), group),
                    }
                    group
                });
                numbered[index] = Some((group, sizes[group as usize]));
                sizes[group as usize] += 1;
            }
        }
        for index in 0..space.objects.len() {
            numbered[index] = numbered[owner_of_all(space, ObjId(index as u32)).index()];
        }
        let first_tree = sizes.len() as u32;
        for (index, object) in space.objects.iter().enumerate() {
            if let (Some((tree, place)), Presence::Grown) = (object.place, object.presence) {
                numbered[index] = Some((first_tree + tree, place));
            }
        }
        Numbering { mentioned: vec![0; sizes.len() + space.trees.len()], numbered }
    }

    pub fn group(&self, object: ObjId) -> Option<u32> {
        self.numbered[object.index()].map(|(group, _)| group)
    }

    /// How many objects of a group were mentioned.
    pub fn mentioned(&self, group: u32) -> u32 {
        self.mentioned[group as usize]
    }

    /// Whether it was mentioned, or is the first of its group that was not.
    pub fn is_canonical(&self, object: ObjId) -> bool {
        self.numbered[object.index()].is_none_or(|(group, number)| number <= self.mentioned[group as usize])
    }

    /// Whether it is the first of its group that was not mentioned.
    pub fn is_next(&self, object: ObjId) -> bool {
        self.numbered[object.index()].is_some_and(|(group, number)| number == self.mentioned[group as usize])
    }

    /// The group, if this is the first time.
    pub fn mention(&mut self, object: ObjId) -> Option<u32> {
        let group = self.group(object).filter(|_| self.is_next(object))?;
        self.mentioned[group as usize] += 1;
        Some(group)
    }

    pub fn take_back(&mut self, group: u32) {
        self.mentioned[group as usize] -= 1;
    }
}

/// What an object hangs on, over any number of slots: itself if it hangs on nothing.
fn owner_of_all(space: &Space, mut object: ObjId) -> ObjId {
    while let Presence::AtSlot(slot) = space.object(object).presence
        && let Some(owner) = space.slots[slot.0 as usize].owners.first()
    {
        object = owner.object;
    }
    object
}
