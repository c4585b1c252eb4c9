//! Values on which nothing further hangs: how many ways there are to choose them is computed, not counted out.

use super::decisions::{Decisions, Subject};
use super::numbering::Numbering;
use ir::space::{Domain, Presence, Space};
use rustc_hash::FxHashMap;

/// Integers, Booleans, and references to objects without a state of their own.
pub fn is_leaf(space: &Space, decisions: &Decisions<'_>, domain: &Domain) -> bool {
    match domain {
        Domain::Fixed(_) | Domain::Bool | Domain::Int { .. } => true,
        Domain::Slot { .. } | Domain::Grow { .. } => false,
        Domain::Ref { objects, .. } => {
            let mut groups = objects.iter().filter_map(|&o| decisions.numbering().group(o));
            let first = groups.next();
            let has_one_group = groups.all(|g| Some(g) == first);
            has_one_group
                && objects.iter().all(|&o| {
                    let object = space.object(o);
                    object.presence == Presence::Always
                        && (space.main == Some(o) || object.slots.iter().all(|d| matches!(d, Domain::Fixed(_))))
                })
        }
    }
}

/// In how many ways leaves can be chosen, up to isomorphism.
pub fn ways(space: &Space, numbering: &Numbering, leaves: &[Subject]) -> u128 {
    let mut product: u128 = 1;
    // For each group, by how many of its objects are mentioned then: in how many ways.
    let mut groups: FxHashMap<u32, Vec<u128>> = FxHashMap::default();
    for leaf in leaves {
        let domain = match *leaf {
            Subject::At(at) => &space.object(at.object).slots[at.slot as usize],
            Subject::Argument(index) => &space.arguments[index],
        };
        match domain {
            Domain::Bool => product = product.saturating_mul(2),
            Domain::Int { lo, hi } => product = product.saturating_mul(u128::from(hi.abs_diff(*lo)) + 1),
            Domain::Ref { nullable, objects } => {
                let group = objects.iter().find_map(|&o| numbering.group(o));
                let members = objects.iter().filter(|&&o| numbering.group(o).is_some()).count();
                let others = (objects.len() - members + usize::from(*nullable)) as u128;
                let Some(group) = group else {
                    product = product.saturating_mul(others);
                    continue;
                };
                let mentioned = numbering.mentioned(group) as usize;
                let before = groups.entry(group).or_insert_with(|| {
                    let mut ways = vec![0; mentioned + 1];
                    ways[mentioned] = 1;
                    ways
                });
                let mut after = vec![0u128; before.len() + 1];
                for (mentioned, &ways) in before.iter().enumerate() {
                    after[mentioned] = after[mentioned].saturating_add(ways.saturating_mul(others + mentioned as u128));
                    if mentioned < members {
                        after[mentioned + 1] = after[mentioned + 1].saturating_add(ways);
                    }
                }
                *before = after;
            }
            Domain::Fixed(_) | Domain::Slot { .. } | Domain::Grow { .. } => {}
        }
    }
    for ways in groups.values() {
        let sum = ways.iter().fold(0u128, |sum, &w| sum.saturating_add(w));
        product = product.saturating_mul(sum);
    }
    product
}
