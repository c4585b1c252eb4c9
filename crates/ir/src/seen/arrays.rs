//! Which fields and parameters may hold the same array. An array gets into two of them if the code keeps it twice, or a
//! caller from outside does: whoever passed it, or was given it, still has it.
//!
//! What goes in: the flow of values, and what may be called from outside. What comes out: the places of the fields, elements
//! and parameters that may share an array with another, each with a number that those have in common which may share one;
//! only where the code can tell: it writes to arrays of that type, or compares them by `==`. A field that no code ever sets can only have been set from outside.

use super::Scan;
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where an array comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Origin {
    /// Made by the expression there.
    Made(u64),
    /// There at the beginning, at this place.
    Initial(u32),
    /// From whoever calls.
    Outside,
}

pub(super) fn shared(scan: &Scan<'_>, operations: &[MethodId]) -> FxHashMap<u32, u32> {
    let program = scan.program;
    let is_array = |ty: Ty| matches!(ty, Ty::Array(array) if scan.identity.arrays.contains(&array));
    // A type parameter may stand for an array.
    let instances = program.generics.instances.iter().flat_map(|i| &i.fields);
    let narrow: FxHashSet<FieldId> = instances.filter(|(_, n)| is_array(n.ty)).map(|(field, _)| *field).collect();
    // Places that hold arrays from one call to the next, or at the beginning of one.
    let mut holders: FxHashSet<u32> = FxHashSet::default();
    for (index, field) in program.fields.iter().enumerate() {
        let id = FieldId(index as u32);
        if (is_array(field.ty) || narrow.contains(&id)) && !field.bound.owned && !field.is_static {
            holders.insert(scan.places.field(id));
        }
    }
    for (index, &ty) in program.arrays.iter().enumerate() {
        if is_array(ty) {
            holders.insert(scan.places.elements(ArrayId(index as u32)));
        }
    }
    let mut parameters: Vec<u32> = Vec::new();
    for &operation in operations {
        let method = program.method(operation);
        for (i, parameter) in method.parameters.iter().enumerate() {
            let place = scan.places.local(operation, LocalId(i as u32 + u32::from(!method.is_static)));
            if is_array(parameter.ty) && !parameter.bound.owned {
                holders.insert(place);
                parameters.push(place);
            }
        }
    }
    if holders.is_empty() {
        return FxHashMap::default();
    }
    let mut origins: Vec<FxHashSet<Origin>> = vec![FxHashSet::default(); scan.places.count()];
    for &place in &holders {
        origins[place as usize].insert(Origin::Initial(place));
    }
    for &place in &parameters {
        origins[place as usize].insert(Origin::Outside);
    }
    let set: FxHashSet<u32> = scan.stores.iter().map(|s| s.place).collect();
    for &place in holders.iter().filter(|place| scan.places.is_kept(**place) && !set.contains(*place)) {
        origins[place as usize].insert(Origin::Outside);
    }
    for &(place, made) in &scan.made {
        origins[place as usize].insert(Origin::Made(made));
    }
    loop {
        let mut changed = false;
        for (from, to) in scan.moves() {
            let new: Vec<Origin> = origins[from as usize].difference(&origins[to as usize]).copied().collect();
            changed |= !new.is_empty();
            origins[to as usize].extend(new);
        }
        // What an operation returns, its caller may pass again.
        let returned = operations.iter().flat_map(|&m| origins[scan.places.result(m) as usize].clone());
        let returned: FxHashSet<Origin> = returned.collect();
        for &place in &parameters {
            let before = origins[place as usize].len();
            origins[place as usize].extend(&returned);
            changed |= origins[place as usize].len() > before;
        }
        if !changed {
            break;
        }
    }
    // How often an array of an origin is kept.
    let mut kept: FxHashMap<Origin, u32> = FxHashMap::default();
    let mut keep = |origin: Origin, times: u32| *kept.entry(origin).or_default() += times;
    for &place in &holders {
        for &origin in &origins[place as usize] {
            match origin {
                Origin::Outside => keep(origin, 2),
                Origin::Initial(at) if at == place => keep(origin, 1),
                // A parameter that had it as an argument of the call: the caller has it too.
                _ if parameters.contains(&place) => keep(origin, 1),
                _ => {}
            }
        }
    }
    for store in scan.stores.iter().filter(|s| holders.contains(&s.place)) {
        let from = store.value.places.iter().flat_map(|&p| &origins[p as usize]);
        for &origin in from.collect::<FxHashSet<_>>() {
            keep(origin, if store.in_loop { 2 } else { 1 });
        }
        store.value.allocations.iter().for_each(|&made| keep(Origin::Made(made), 1));
    }
    // Those with an origin in common go by the least of them.
    let mut places: Vec<u32> = holders.into_iter().collect();
    places.sort_unstable();
    let is_shared = |o: &Origin| kept.get(o).is_some_and(|&times| times > 1);
    let mut groups: FxHashMap<u32, u32> = FxHashMap::default();
    for &place in &places {
        let of_place: FxHashSet<Origin> = origins[place as usize].iter().copied().filter(is_shared).collect();
        if of_place.is_empty() {
            continue;
        }
        groups.insert(place, place);
        for &other in places.iter().filter(|&&other| other < place) {
            if let Some(&joined) = groups.get(&other)
                && !of_place.is_disjoint(&origins[other as usize])
            {
                let own = groups[&place];
                groups.values_mut().filter(|g| **g == own || **g == joined).for_each(|g| *g = own.min(joined));
            }
        }
    }
    groups
}

impl Scan<'_> {
    /// If the code can tell two arrays of a type apart, it can tell those behind a wider or narrower one.
    pub(super) fn widen_arrays(&mut self) {
        let (program, told) = (self.program, self.identity.arrays.clone());
        let is_either = |a: ArrayId, b: ArrayId| program.is_subtype(Ty::Array(a), Ty::Array(b));
        let all = (0..program.arrays.len() as u32).map(ArrayId);
        self.identity.arrays = all.filter(|&a| told.iter().any(|&t| is_either(a, t) || is_either(t, a))).collect();
    }
}
