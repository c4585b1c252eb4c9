//! Answers about languages: programs that break a check, and what a check that holds has exercised.

use source::Span;

/// What a check looked at, beside its verdict.
#[derive(Clone, Debug, Default)]
pub struct Exercised {
    pub classes: Option<Classes>,
    /// Assignments of the premises, if they were enumerated.
    pub programs: Option<u64>,
    /// A smallest example per rule and alternative, none if it was never used.
    pub witnesses: Vec<Witness>,
    /// Ground instances that the type bound cut off, by rule.
    pub clipped: Vec<(String, u64)>,
}

/// Programs that take a step by the same rule at the same place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Classes {
    pub all: u64,
    /// None if they were not counted: contexts multiply.
    pub non_empty: Option<u64>,
    /// Of the non-empty ones, by rule.
    pub by_rule: Vec<(String, u64)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WitnessKind {
    /// A reduction rule.
    Step,
    /// Any other rule.
    Rule,
    /// An alternative of a grammar.
    Alternative,
}

#[derive(Clone, Debug)]
pub struct Witness {
    pub kind: WitnessKind,
    /// `beta`, `T-App`, `v: cons v v`
    pub name: String,
    pub span: Span,
    pub example: Option<String>,
    /// If there is no example: programs up to this size were asked for one, none if all were.
    pub asked_up_to: Option<u32>,
    /// `{unused ok}`
    pub may_be_unused: bool,
}

/// A program that breaks a check, confirmed by the interpreter.
#[derive(Clone, Debug)]
pub struct ProgramExample {
    pub size: u32,
    /// Of each free program of the check, by name.
    pub sizes: Vec<(String, u32)>,
    /// What the metavariables of the check stand for, in order: `t`, `Γ`, `t'`.
    pub parts: Vec<Part>,
    /// Of the premises that are judgments about programs.
    pub derivations: Vec<Derivation>,
    /// The steps of the check.
    pub steps: Vec<ProgramStep>,
    /// What does not hold, in a sentence.
    pub failure: String,
    /// The rule that nearly applied.
    pub nearest: Vec<String>,
    /// Something smaller that points closer to the cause.
    pub cause: Option<Cause>,
    /// A command that shows it again.
    pub replay: String,
}

/// A final part of a stuck program that has the type of what a rule takes there, and not its form.
#[derive(Clone, Debug)]
pub struct Cause {
    /// `cons 0 nil`
    pub value: String,
    /// `v`
    pub sort: String,
    pub size: u32,
    /// `· ⊢ cons 0 nil : Int`
    pub judgment: String,
    /// The rule that nearly applied, and what it takes there.
    pub rule: String,
    pub expected: String,
    /// The smallest form of that type which it would take.
    pub taken: String,
    /// What else holds of the part, if it is little.
    pub others: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    pub text: String,
    pub is_program: bool,
}

/// A derivation as it is drawn: a conclusion, what it is by, and what it rests on.
#[derive(Clone, Debug)]
pub struct Derivation {
    pub conclusion: String,
    pub rule: String,
    pub premises: Vec<Derivation>,
}

#[derive(Clone, Debug)]
pub struct ProgramStep {
    pub before: String,
    pub after: String,
    pub rule: String,
    /// Of the rule.
    pub span: Span,
    /// `v1 = 0`
    pub bindings: Vec<(String, String)>,
}

/// How one change of a language fared (`--mutate`).
#[derive(Clone, Debug)]
pub struct Mutant {
    /// "T-App: premise 2 dropped"
    pub what: String,
    pub span: Span,
    /// By which check, and at which size.
    pub killed: Option<(String, u32)>,
    /// Why nothing is known, if so.
    pub reason: Option<crate::Reason>,
}
