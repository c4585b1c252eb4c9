//! Answers about language definitions: one per language and check.

use crate::{Reason, Verdict};
use source::{Diagnostic, Span};

/// The answer for one check of one language.
#[derive(Clone, Debug)]
pub struct LanguageAnswer {
    pub language: String,
    pub check: String,
    pub verdict: Verdict,
    /// Said by an `expect` line of the definition.
    pub expected: Option<Expected>,
    /// Whether it counts for the exit status: it is expected, or its language expects nothing.
    pub counts: bool,
    /// "every t with at most 511 nodes; types T of depth 3 (38)"
    pub bounds: String,
    /// If types of derivations were taken from their bounds, which the meaning of a check does not say.
    pub covered: Option<Covered>,
    pub engine: Engine,
    /// How it was found out, if not as a user would take for granted: why programs were enumerated, what was assumed.
    pub notes: Vec<String>,
    pub classes: Option<Classes>,
    /// Assignments of the premises, if they were enumerated.
    pub programs: Option<u64>,
    /// A smallest example per rule and alternative, none if it was never used.
    pub witnesses: Vec<Witness>,
    /// Ground instances that the type bound cut off, by rule.
    pub clipped: Vec<(String, u64)>,
    /// If violated.
    pub counterexample: Option<ProgramExample>,
    /// If unknown.
    pub reason: Option<Reason>,
    pub seconds: f64,
    /// Work counted, by name.
    pub work: Vec<(&'static str, u64)>,
}

/// What was looked at: these bounds of types, and all types in programs below a size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covered {
    /// `T: depth 3`
    pub types: String,
    pub all_types_below: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expected {
    pub holds: bool,
    /// Of the smallest counterexample, if it was given.
    pub size: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// Classes of programs that step alike, by SAT.
    Classes,
    /// Well-typed programs one by one, in order of size.
    Enumeration,
    /// Not checked but inherited: `assuming A sound`.
    Inherited,
}

impl Engine {
    /// As in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Classes => "classes",
            Engine::Enumeration => "enumeration",
            Engine::Inherited => "inherited",
        }
    }
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

/// How a language's mutants fared (`--mutate`).
#[derive(Clone, Debug)]
pub struct MutantAnswer {
    pub language: String,
    /// "T-App: premise 2 dropped"
    pub what: String,
    pub span: Span,
    /// By which check, and at which size.
    pub killed: Option<(String, u32)>,
    /// Why nothing is known, if so.
    pub reason: Option<String>,
}

/// All of a run.
#[derive(Clone, Debug, Default)]
pub struct LanguageReport {
    pub answers: Vec<LanguageAnswer>,
    pub mutants: Vec<MutantAnswer>,
    pub warnings: Vec<Diagnostic>,
    pub errors: Vec<Diagnostic>,
}

impl LanguageAnswer {
    /// Whether it came out as the definition expects; as it should if nothing is expected of it.
    pub fn is_right(&self) -> bool {
        match self.expected {
            Some(expected) => self.meets(expected),
            None => self.verdict == Verdict::Verified,
        }
    }

    fn meets(&self, expected: Expected) -> bool {
        match (self.verdict, expected.holds) {
            (Verdict::Verified, true) => true,
            (Verdict::Violated, false) => {
                let found = self.counterexample.as_ref().map(|c| c.size);
                expected.size.is_none() || expected.size == found
            }
            _ => false,
        }
    }
}

impl LanguageReport {
    /// 0 all as it should be, 1 a violation or an expectation that is not met, 2 bad input, 3 unknown; a violation is told
    /// first. A check without an expectation is only shown if its language expects something of others.
    pub fn exit_status(&self) -> u8 {
        let counted: Vec<&LanguageAnswer> = self.answers.iter().filter(|a| a.counts).collect();
        if counted.iter().any(|a| a.verdict != Verdict::Unknown && !a.is_right()) {
            1
        } else if !self.errors.is_empty() {
            2
        } else if self.answers.is_empty() || counted.iter().any(|a| a.verdict == Verdict::Unknown) {
            3
        } else {
            0
        }
    }
}
