//! What a check answers: plain data.

use lang::term::TermId;
use lang::universe::Explosion;
use lang::*;
use sat::Limits;
use source::Span;

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub limits: Limits,
    /// Have the proof of every "unsatisfiable" checked.
    pub certify: bool,
    /// Which argument to try first; for comparing them.
    pub tier: Tier,
    /// Leave out counting classes and looking for witnesses.
    pub verdict_only: bool,
}

/// How a class was seen to break nothing (docs/lang.md, "Tiers").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Tier {
    /// Once per rule, whatever the position.
    #[default]
    Zero,
    /// Per class, about the redex.
    One,
    /// Per class, about the whole tree after the step.
    Two,
}

/// Something that this encoding does not carry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotCarried {
    pub reason: String,
    pub span: Span,
}

impl NotCarried {
    pub fn new(reason: impl Into<String>, span: Span) -> NotCarried {
        NotCarried { reason: reason.into(), span }
    }
}

/// Whether tables over deeper domains say the same (docs/lang.md, "Tables").
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deeper {
    NoTables,
    Same,
    /// These judgments say more; what they say is used.
    Differs(Vec<JudgId>),
    /// The deeper domains are too large.
    NotRun,
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Holds(Box<Held>),
    Fails(Box<Failure>),
    /// Nothing within the bounds satisfies the premises.
    Vacuous,
    NotCarried(NotCarried),
    /// By a limit.
    Stopped,
    Exploded(Explosion),
    /// Our bug, never a verdict: a rejected proof, or a model that is none.
    Broken(String),
}

#[derive(Clone, Debug)]
pub struct Failure {
    /// Of the free trees together; no smaller assignment within the bounds breaks the check.
    pub size: u32,
    /// Per metavariable of the check; those that a step gives values to are open.
    pub assignment: Vec<Option<TermId>>,
    /// The step: its rule, and from the root down which subtree it is in.
    pub class: Option<(RuleId, Vec<u8>)>,
    pub work: Work,
}

#[derive(Clone, Debug)]
pub struct Held {
    /// Rules at positions, as far as there is room.
    pub classes: usize,
    /// Of those, per rule how many some well-typed program is in. Empty if that would take too long, see `counted`.
    pub non_empty: Vec<(RuleId, usize)>,
    /// Whether the classes with programs were counted: not where contexts multiply.
    pub counted: bool,
    /// Some program satisfies the premises and takes no step.
    pub has_final: bool,
    /// The last resort that was needed for a step.
    pub tier: Tier,
    pub coverage: Coverage,
    /// Ground instances of typing rules whose result is outside of the domains.
    pub clipped: Vec<(RuleId, u64)>,
    /// Judgments whose rules are applied in layers to one subject (M2), with the number of layers.
    pub layers: Vec<(JudgId, usize)>,
    pub deeper: Deeper,
    pub work: Work,
}

impl Held {
    /// Non-empty classes, and one for the programs that take no step: the states of the papers' tables.
    pub fn states(&self) -> usize {
        self.non_empty.iter().map(|(_, n)| n).sum::<usize>() + usize::from(self.has_final)
    }
}

/// A smallest program that shows something: its size, and the assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub size: u32,
    pub assignment: Vec<Option<TermId>>,
}

/// What is to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    Rule(RuleId),
    Prod(ProdId),
    Alternative(SortId, usize),
}

#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Reduction and typing rules; None: never used within the bounds.
    pub rules: Vec<(RuleId, Option<Witness>)>,
    pub prods: Vec<(ProdId, Option<Witness>)>,
    /// Alternatives of sub-grammars and contexts.
    pub alternatives: Vec<(SortId, usize, Option<Witness>)>,
    /// What no program up to a size shows, where larger ones are not asked for: contexts multiply.
    pub unsettled: Vec<Item>,
    pub asked_up_to: u32,
}

impl Coverage {
    pub(crate) fn push(&mut self, item: Item, witness: Option<Witness>) {
        match item {
            Item::Rule(rule) => self.rules.push((rule, witness)),
            Item::Prod(prod) => self.prods.push((prod, witness)),
            Item::Alternative(sort, index) => self.alternatives.push((sort, index, witness)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    pub slots: u64,
    /// Members of the largest finite sort.
    pub members: u64,
    pub nodes: u64,
    pub variables: u64,
    pub clauses: u64,
    pub queries: u64,
    pub certified: u64,
}
