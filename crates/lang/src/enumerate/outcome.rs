//! What trying a check on every program tells.

use crate::definition::*;
use crate::interp::{Args, Limit, Reading};
use crate::term::TermId;
use work::Stop;

#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest total size that is tried, where the bounds of the check allow more.
    pub max_size: Option<u32>,
    /// Assignments, at most.
    pub max_assignments: u64,
    /// Draws, at most: also those that come to nothing.
    pub max_draws: u64,
    /// Instances of rules that the interpreter looks at, at most.
    pub max_work: u64,
    pub stop: Stop,
    /// Where binders have no annotation: types are unified, not taken from the domain.
    pub unify: bool,
    /// How types of the premises are taken.
    pub reading: Reading,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_size: None,
            max_assignments: u64::MAX,
            max_draws: u64::MAX,
            max_work: u64::MAX,
            stop: Stop::default(),
            unify: true,
            reading: Reading::Plain,
        }
    }
}

impl Limits {
    pub fn size(max_size: u32) -> Limits {
        Limits { max_size: Some(max_size), ..Limits::default() }
    }

    /// All types are of the domain, as the encoding has them: to compare with it.
    pub fn strict(max_size: u32) -> Limits {
        Limits { unify: false, reading: Reading::Strict, ..Limits::size(max_size) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No assignment up to the largest size breaks it.
    Holds,
    /// The first of the smallest assignments that do.
    Fails(Failure),
    /// Nothing satisfies its premises.
    Vacuous,
    /// By a limit, which [`Report::cut`] names if it is not one of [`Limits`]; every size below this one was tried wholly.
    Stopped { size: u32 },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub size: u32,
    /// Per metavariable of the check.
    pub assignment: Vec<Option<TermId>>,
}

#[derive(Clone, Debug)]
pub struct Report {
    pub outcome: Outcome,
    /// That satisfy the premises; up to a renaming of locations and atoms.
    pub assignments: u64,
    /// How many different subjects of the first premise there are of size 0, 1, 2, …
    pub terms: Vec<u64>,
    /// Assignments that only seem to break the check, because a type leaves the domain.
    pub clipped: u64,
    /// Instances outside the domain, of the rules that have some.
    pub clipped_instances: Vec<(RuleId, u64)>,
    pub coverage: Coverage,
    /// Types were unified: they are not bounded, and an assignment stands for all instances of its types.
    pub is_inferred: bool,
    /// What could not be looked at wholly.
    pub cut: Option<Limit>,
}

/// A smallest assignment that shows something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// Per metavariable of the check.
    Assignment(Vec<Option<TermId>>),
    /// The conclusion of the rule: it is used, but not in a lowest derivation of any assignment.
    Conclusion(Args),
}

/// What was exercised.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Per rule.
    pub rules: Vec<Option<Witness>>,
    /// Per production of a tree sort: the first tree that has it.
    pub prods: Vec<Option<TermId>>,
    /// Per alternative of a sub-grammar: the first tree with a part of this shape. Of contexts: the first that steps within it.
    pub alternatives: Vec<(SortId, usize, Option<TermId>)>,
}
