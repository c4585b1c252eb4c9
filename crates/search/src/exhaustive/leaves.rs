//! Values on which nothing further hangs: how many ways there are to choose them is computed, not counted out.

use super::decisions::{Decisions, Subject};
use super::numbering::Numbering;
use crate::amount::Amount;
use ir::space::{Domain, Presence, Space};
use std::collections::BTreeMap;

/// Integers, Booleans, and references to objects without a state of their own.
pub fn is_leaf(space: &Space, decisions: &Decisions<'_>, domain: &Domain) -> bool {
    match domain {
        Domain::Fixed(_) | Domain::Bool | Domain::Int { .. } | Domain::Ints(_) => true,
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
pub fn ways(space: &Space, numbering: &Numbering, leaves: &[Subject]) -> Amount {
    let mut product = Amount::of(1);
    // For each group, by how many of its objects are mentioned then: in how many ways.
    let mut groups: BTreeMap<u32, Vec<Amount>> = BTreeMap::new();
    for leaf in leaves {
        let domain = match *leaf {
            Subject::At(at) => &space.object(at.object).slots[at.slot as usize],
            Subject::Argument(index) => &space.arguments[index],
        };
        match domain {
            Domain::Bool => product = product.times(Amount::of(2)),
            Domain::Int { lo, hi } => product = product.times(Amount::of(u128::from(hi.abs_diff(*lo)) + 1)),
            Domain::Ints(values) => product = product.times(Amount::of(values.len() as u128)),
            Domain::Ref { nullable, objects } => {
                let group = objects.iter().find_map(|&o| numbering.group(o));
                let members = objects.iter().filter(|&&o| numbering.group(o).is_some()).count();
                let others = objects.len() - members + usize::from(*nullable);
                let Some(group) = group else {
                    product = product.times(Amount::of(others as u128));
                    continue;
                };
                let mentioned = numbering.mentioned(group) as usize;
                let before = groups.entry(group).or_insert_with(|| {
                    let mut ways = vec![Amount::ZERO; mentioned + 1];
                    ways[mentioned] = Amount::of(1);
                    ways
                });
                let mut after = vec![Amount::ZERO; (before.len() + 1).min(members.max(mentioned) + 1)];
                for (mentioned, &ways) in before.iter().enumerate().skip(mentioned) {
                    let again = ways.times(Amount::of((others + mentioned) as u128));
                    after[mentioned] = after[mentioned].plus(again);
                    if mentioned < members {
                        after[mentioned + 1] = after[mentioned + 1].plus(ways);
                    }
                }
                *before = after;
            }
            Domain::Fixed(_) | Domain::Slot { .. } | Domain::Grow { .. } => {}
        }
    }
    groups.into_values().fold(product, |product, ways| product.times(ways.into_iter().fold(Amount::ZERO, Amount::plus)))
}
