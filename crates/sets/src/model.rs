//! A finite interpretation of free variables: the example heap a person reads.

use crate::store::Var;
use std::collections::BTreeMap;

/// Elements are `0..elements`; a variable that is absent is `{}` or false.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    pub elements: usize,
    sets: BTreeMap<Var, Vec<usize>>,
    bools: BTreeMap<Var, bool>,
}

impl Model {
    pub fn new(elements: usize) -> Model {
        Model { elements, ..Model::default() }
    }

    /// In order.
    pub fn set(&self, var: Var) -> &[usize] {
        self.sets.get(&var).map_or(&[], Vec::as_slice)
    }

    pub fn bool(&self, var: Var) -> bool {
        self.bools.get(&var).copied().unwrap_or(false)
    }

    pub fn sets(&self) -> impl Iterator<Item = (Var, &[usize])> {
        self.sets.iter().map(|(&var, members)| (var, members.as_slice()))
    }

    pub fn bools(&self) -> impl Iterator<Item = (Var, bool)> {
        self.bools.iter().map(|(&var, &value)| (var, value))
    }

    /// Elements that are not there yet are added.
    pub fn put_set(&mut self, var: Var, members: impl IntoIterator<Item = usize>) {
        let mut members: Vec<usize> = members.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        self.elements = self.elements.max(members.last().map_or(0, |&last| last + 1));
        self.sets.insert(var, members);
    }

    pub fn put_bool(&mut self, var: Var, value: bool) {
        self.bools.insert(var, value);
    }

    /// How many memberships there are in all sets.
    pub fn memberships(&self) -> usize {
        self.sets.values().map(Vec::len).sum()
    }
}

/// Whether a formula can be true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Unsat,
    Sat(Model),
    /// With the reason.
    Unknown(String),
}
