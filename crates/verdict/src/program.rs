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

/// Of several checks of one language: the smallest witness of each rule and alternative.
pub fn together<'a>(all: impl Iterator<Item = &'a Exercised>) -> Exercised {
    let mut sum = Exercised::default();
    for exercised in all {
        for witness in &exercised.witnesses {
            let shorter = |a: &Option<String>, b: &Option<String>| match (a, b) {
                (Some(a), Some(b)) => a.chars().count() < b.chars().count(),
                (Some(_), None) => true,
                _ => false,
            };
            match sum.witnesses.iter_mut().find(|w| w.kind == witness.kind && w.name == witness.name) {
                Some(known) if shorter(&witness.example, &known.example) => known.example.clone_from(&witness.example),
                // Never is more than not so far.
                Some(known) => known.asked_up_to = known.asked_up_to.and(witness.asked_up_to),
                None => sum.witnesses.push(witness.clone()),
            }
        }
        for (rule, n) in &exercised.clipped {
            match sum.clipped.iter_mut().find(|(r, _)| r == rule) {
                Some((_, known)) => *known = (*known).max(*n),
                None => sum.clipped.push((rule.clone(), *n)),
            }
        }
    }
    sum
}

/// A program of a language that was run.
#[derive(Clone, Debug)]
pub struct Ran {
    pub program: String,
    pub size: u32,
    pub typings: Vec<Typing>,
    /// None if programs of its sort take no steps.
    pub trace: Option<Trace>,
}

/// How a judgment about the program is derived.
#[derive(Clone, Debug)]
pub struct Typing {
    /// `· ⊢ succ true : _`
    pub judgment: String,
    /// None: it does not hold.
    pub derivations: Vec<Derivation>,
    /// Derivations beyond those.
    pub more: usize,
    /// If there is none: the rule that nearly applied.
    pub nearest: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Trace {
    pub start: String,
    pub steps: Vec<Stepped>,
    pub end: TraceEnd,
}

#[derive(Clone, Debug)]
pub struct Stepped {
    pub after: String,
    pub rule: String,
    /// Other ways to step, with their rules.
    pub others: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
pub enum TraceEnd {
    /// It is of this sort of final programs.
    Final(String),
    Error,
    /// No rule applies; these nearly did.
    Stuck(Vec<String>),
    /// More steps than these.
    NotDone(u64),
}
