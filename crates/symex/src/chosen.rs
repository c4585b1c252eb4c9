//! Calls with a choice of numbers among their arguments (`is there a child ? its type : none`). Once the path says which it is, the call
//! with that number alone is the same one; and its translation for all states, of which much may be known, is what a run should find.

use crate::cache::{EntryId, Key};
use crate::symbolic::Symbolic;
use crate::value::Sym;
use formula::Graph;
use ir::MethodId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// In a key, in the place of a choice.
const CHOICE: u64 = u64::MAX;

/// Of more that differ in their choices only, the others are not looked through.
const MOST_ALIKE: usize = 64;

/// Translations for all states with choices among their arguments.
#[derive(Clone, Default)]
pub struct Chosen {
    /// By what is left of their keys.
    table: FxHashMap<Key, Vec<EntryId>>,
    /// By method, the sets of arguments that are choices somewhere.
    places: FxHashMap<MethodId, Vec<u64>>,
}

impl Symbolic<'_> {
    /// What was translated since stays for all runs.
    pub(crate) fn keep_chosen(&mut self) {
        for (id, (method, codes)) in self.cache.not_kept() {
            let choices = |(i, code): (usize, &u64)| is_choice(&self.graph, *code).then_some(1 << i);
            let choices = codes.iter().enumerate().take(64).filter_map(choices).sum::<u64>();
            if choices == 0 {
                continue;
            }
            // All operations share what they start from.
            let chosen = Arc::make_mut(&mut self.chosen);
            let places = chosen.places.entry(*method).or_default();
            if !places.contains(&choices) {
                places.push(choices);
            }
            let alike = chosen.table.entry(without(&(*method, codes.clone()), choices)).or_default();
            if alike.len() < MOST_ALIKE {
                alike.push(id);
            }
        }
    }

    /// The translation for all states of a call that is this one on the path.
    pub(crate) fn by_choice(&self, key: &Key) -> Option<EntryId> {
        let is_number = |code: u64| matches!(Sym::of_code(code), Sym::Int(_));
        for choices in self.chosen.places.get(&key.0)? {
            if !key.1.iter().enumerate().all(|(i, code)| choices >> i & 1 == 0 || is_number(*code)) {
                continue;
            }
            let Some(alike) = self.chosen.table.get(&without(key, *choices)) else { continue };
            let is_same = |id: &&EntryId| {
                let codes = self.cache.key(**id).1.iter().zip(&key.1);
                codes
                    .enumerate()
                    .all(|(i, (known, wanted))| choices >> i & 1 == 0 || narrowed(&self.graph, *known) == *wanted)
            };
            if let Some(id) = alike.iter().find(is_same) {
                return Some(*id);
            }
        }
        None
    }
}

fn without(key: &Key, choices: u64) -> Key {
    let codes = key.1.iter().enumerate();
    (key.0, codes.map(|(i, code)| if choices >> i & 1 == 1 { CHOICE } else { *code }).collect())
}

/// What is left of a number on the path.
fn narrowed(graph: &Graph, code: u64) -> u64 {
    match Sym::of_code(code) {
        Sym::Int(term) => Sym::Int(graph.narrowed(term)).code(),
        _ => code,
    }
}

fn is_choice(graph: &Graph, code: u64) -> bool {
    matches!(Sym::of_code(code), Sym::Int(term) if graph.is_small_choice(term))
}
