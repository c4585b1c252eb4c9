//! Why there is no answer: what is wrong with a definition, or a limit of ours.

use crate::definition::*;
use crate::universe::Explosion;

/// Why there is no answer. Never a panic: what is wrong with a definition is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing determines this metavariable, and it is not of a finite domain.
    Undetermined { rule: Option<RuleId>, meta: String },
    /// A judgment is asked for with too little known.
    NotRunnable(JudgId),
    /// A limit of ours was reached: nothing is wrong with the definition for all that is known.
    Limit(Limit),
    /// Negation of what depends on itself.
    Unstratified(JudgId),
    /// A user's function calls itself with the arguments it was called with.
    Endless(FunId),
    /// A context ends at a sort for which the configuration has no production.
    NoConfiguration { reduction: JudgId, hole: SortId },
    /// Members of this sort cannot be enumerated by size: an alternative weighs nothing.
    NotEnumerable(SortId),
    /// Deadline or abort.
    Stopped,
}

/// What there is too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Premises within premises: this rule asks about the judgment, more of them deep than is looked at.
    Depth { judgment: JudgId, rule: Option<RuleId>, most: usize },
    /// Answers to one question about a judgment; the last one by this rule.
    Answers { judgment: JudgId, rule: Option<RuleId>, most: usize },
    /// Instances of this rule for one question; without a rule, of the premises of the check itself.
    Instances { rule: Option<RuleId>, most: usize },
    /// A type that this rule speaks of has grown taller than anything that comes to an end.
    Height { rule: Option<RuleId>, most: u32 },
    /// Calls of this function within each other, each with other arguments.
    Calls { fun: FunId, most: usize },
    /// Members of this sort: programs of one size, or maps.
    Members { sort: SortId, most: usize },
    /// Members of a finite sort within its bound.
    Universe(Explosion),
}

impl Fault {
    pub fn limit(&self) -> Option<Limit> {
        if let Fault::Limit(limit) = self { Some(*limit) } else { None }
    }
}
