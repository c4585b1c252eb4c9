//! Which places of a state are places of the forest that formulas speak of (`formula/src/places.rs`): those of large trees, and what hangs on
//! them. Small trees have the same size whatever n is: nothing in them is far.

use crate::value::Obj;
use formula::{Forest, PlaceId};
use ir::space::{Presence, SlotId, Space};
use std::sync::Arc;

/// A tree with fewer slots is at no place.
const LARGE: usize = 16;

#[derive(Clone, Default)]
pub(crate) struct SlotPlaces {
    by_slot: Arc<Vec<Option<PlaceId>>>,
}

impl SlotPlaces {
    pub fn new(space: &Space) -> (SlotPlaces, Forest) {
        let slot_of = |object: ir::ObjId| match space.object(object).presence {
            Presence::AtSlot(slot) => Some(slot),
            _ => None,
        };
        // Of several owners, none: it may hang on any of them.
        let above: Vec<Option<SlotId>> = space
            .slots
            .iter()
            .map(|slot| match &slot.owners[..] {
                [first, rest @ ..] => {
                    let above = slot_of(first.object);
                    above.filter(|_| rest.iter().all(|owner| slot_of(owner.object) == above))
                }
                [] => None,
            })
            .collect();
        let roots = roots(&above);
        let mut sizes = vec![0; above.len()];
        roots.iter().flatten().for_each(|root| sizes[*root] += 1);
        let is_large = |slot: usize| roots[slot].is_some_and(|root| sizes[root] >= LARGE);
        let by_slot = (0..above.len()).map(|slot| is_large(slot).then_some(PlaceId(slot as u32))).collect();
        let above = (0..above.len()).map(|slot| above[slot].filter(|_| is_large(slot)).map(|s| PlaceId(s.0)));
        (SlotPlaces { by_slot: Arc::new(by_slot) }, Forest::new(above.collect()))
    }

    pub fn at(&self, slot: SlotId) -> Option<PlaceId> {
        self.by_slot.get(slot.0 as usize).copied().flatten()
    }

    /// Where an object of the space is.
    pub fn of(&self, space: &Space, obj: Obj) -> Option<PlaceId> {
        match space.objects[obj.index()].presence {
            Presence::AtSlot(slot) => self.at(slot),
            _ => None,
        }
    }
}

/// The slot at the top of each; none in a circle.
fn roots(above: &[Option<SlotId>]) -> Vec<Option<usize>> {
    let mut roots: Vec<Option<usize>> = vec![None; above.len()];
    for slot in 0..above.len() {
        let mut way = vec![slot];
        let root = loop {
            let last = way[way.len() - 1];
            match above[last].map(|s| s.0 as usize) {
                _ if roots[last].is_some() => break roots[last],
                None => break Some(last),
                Some(_) if way.len() > above.len() => break None,
                Some(next) => way.push(next),
            }
        };
        way.into_iter().for_each(|slot| roots[slot] = root);
    }
    roots
}
