//! What every checker answers, whatever it was given: plain data, no behaviour beyond names and the exit status. Renderers show it, tests
//! compare it.
//!
//! A [`Report`] has subjects (a class, a language, a program, a module), a [`Subject`] has items (an operation, a check, a function, a
//! procedure), an [`Item`] has a verdict and what speaks for it: failures with examples, reasons why nothing is known, and what it rests on.

mod example;
pub mod heap;
mod outcome;
pub mod overview;
pub mod program;
mod reason;

pub use example::{Change, Example, Failure, InputExample, Misfit, OutOfType, Selector, SetsExample};
pub use outcome::Outcome;
pub use reason::Reason;

use program::{Exercised, Mutant};
use source::{Diagnostic, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Verified,
    Violated,
    Unknown,
}

impl Verdict {
    /// As in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }
}

/// All of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub subjects: Vec<Subject>,
    /// What answers rest on beside what their items say: code that was not checked here.
    pub rests_on: Vec<Assumption>,
    /// What follows from several answers together, each in a sentence without a full stop.
    pub conclusions: Vec<String>,
    /// Of programs of modules, one each.
    pub overviews: Vec<overview::Overview>,
    pub warnings: Vec<Diagnostic>,
    /// What is wrong with the input; also what a run reached and cannot be analysed.
    pub errors: Vec<Diagnostic>,
    /// If they were asked for.
    pub bounds: Vec<Bounds>,
    /// Of several reports put together: the worst of theirs, since one of them may have nothing to show.
    pub status: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubjectKind {
    Class,
    Language,
    Program,
    Module,
    /// Several Hob modules with invariants of their own.
    Scope,
}

impl SubjectKind {
    /// As in JSON.
    pub fn name(self) -> &'static str {
        match self {
            SubjectKind::Class => "class",
            SubjectKind::Language => "language",
            SubjectKind::Program => "program",
            SubjectKind::Module => "module",
            SubjectKind::Scope => "scope",
        }
    }
}

/// What was checked as a whole, at one size if there are sizes.
#[derive(Clone, Debug)]
pub struct Subject {
    pub kind: SubjectKind,
    pub name: String,
    /// The bound n, where there is one.
    pub size: Option<i64>,
    /// Of a module: which plugin answers.
    pub plugin: Option<String>,
    /// What "verified" speaks of, in words: "every tree within 7 places, height at most 3", "all heaps".
    pub scope: String,
    pub items: Vec<Item>,
    pub mutants: Vec<Mutant>,
}

impl Subject {
    pub fn new(kind: SubjectKind, name: impl Into<String>) -> Subject {
        let name = name.into();
        Subject { kind, name, size: None, plugin: None, scope: String::new(), items: Vec::new(), mutants: Vec::new() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    Operation,
    Check,
    Function,
    Type,
    Procedure,
    /// What must hold when a program starts, or of a new object.
    Start,
}

impl ItemKind {
    /// As in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ItemKind::Operation => "operation",
            ItemKind::Check => "check",
            ItemKind::Function => "function",
            ItemKind::Type => "type",
            ItemKind::Procedure => "procedure",
            ItemKind::Start => "start",
        }
    }
}

/// How an answer was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// One state run for all that behave alike.
    Glassbox,
    /// All states one by one.
    Exhaustive,
    /// Classes of programs that step alike, by SAT.
    Classes,
    /// Well-typed programs one by one, in order of size.
    Enumeration,
    /// Not checked but inherited: `assuming A sound`.
    Inherited,
    /// Verification conditions, by an SMT solver.
    Conditions,
    /// The Dminor type system.
    Types,
    /// The flag analysis: formulas over sets.
    Flags,
}

impl Engine {
    /// As in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Glassbox => "glassbox",
            Engine::Exhaustive => "exhaustive",
            Engine::Classes => "classes",
            Engine::Enumeration => "enumeration",
            Engine::Inherited => "inherited",
            Engine::Conditions => "conditions",
            Engine::Types => "types",
            Engine::Flags => "flags",
        }
    }
}

/// The answer for one operation, check, function or procedure.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub name: String,
    pub span: Option<Span>,
    pub verdict: Verdict,
    /// Whose answer it is.
    pub engine: Engine,
    /// What the verdict speaks of, in words, where that is not what its subject says.
    pub scope: String,
    pub covered: Covered,
    /// Said by an `expect` line of a language.
    pub expected: Option<Expected>,
    /// Whether it counts for the exit status: a check that nothing is expected of, in a language that expects something of others, does not.
    pub counts: bool,
    /// If violated.
    pub failures: Vec<Failure>,
    /// If unknown.
    pub reasons: Vec<Reason>,
    pub rests_on: Vec<Assumption>,
    /// How it was found out, if not as a user would take for granted.
    pub notes: Vec<String>,
    pub warnings: Vec<Diagnostic>,
    /// What the answer does not speak of, although it matters.
    pub left_out: Vec<LeftOut>,
    /// Work counted, by name.
    pub work: Vec<(&'static str, u64)>,
    /// With `--certify`.
    pub certified: Option<Certified>,
    pub seconds: f64,
    /// The code it may run, in files the user named.
    pub statements: Vec<Statement>,
    /// Of a check of a language.
    pub exercised: Option<Box<Exercised>>,
}

impl Item {
    pub fn new(kind: ItemKind, name: impl Into<String>, verdict: Verdict, engine: Engine) -> Item {
        Item {
            kind,
            name: name.into(),
            span: None,
            verdict,
            engine,
            scope: String::new(),
            covered: Covered::default(),
            expected: None,
            counts: true,
            failures: Vec::new(),
            reasons: Vec::new(),
            rests_on: Vec::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
            left_out: Vec::new(),
            work: Vec::new(),
            certified: None,
            seconds: 0.0,
            statements: Vec::new(),
            exercised: None,
        }
    }

    /// Work of this name, if it was counted.
    pub fn counted(&self, name: &str) -> Option<u64> {
        self.work.iter().find(|(n, _)| *n == name).map(|(_, n)| *n)
    }

    /// Of the smallest failure, where there are sizes.
    pub fn smallest(&self) -> Option<i64> {
        self.failures.iter().filter_map(|f| f.size).min()
    }

    /// Whether it came out as expected; as it should if nothing is expected of it.
    pub fn is_right(&self) -> bool {
        match (self.expected, self.verdict) {
            (None, verdict) => verdict == Verdict::Verified,
            (Some(expected), Verdict::Verified) => expected.holds,
            (Some(expected), Verdict::Violated) => {
                let is_size = |size: u32| self.smallest() == Some(size.into());
                !expected.holds && expected.size.is_none_or(is_size)
            }
            (Some(_), Verdict::Unknown) => false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expected {
    pub holds: bool,
    /// Of the smallest counterexample, if it was given.
    pub size: Option<u32>,
}

/// How much the answer speaks of.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// Valid states with arguments, exactly, if that was cheap to find out.
    pub states: Option<u128>,
    /// The decimal logarithm of an estimate otherwise.
    pub log10: Option<f64>,
    /// No estimate came about: there are so many, and probably many more.
    pub is_least: bool,
    /// Of a language, if types of derivations were taken from their bounds.
    pub types: Option<CoveredTypes>,
}

/// These bounds of types, and all types in programs below a size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredTypes {
    /// `T: depth 3`
    pub bounds: String,
    pub all_below: u32,
}

/// How many of its proofs were checked by somebody else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// "cvc5 1.0.3", "an LRAT checker"
    pub by: String,
    pub checked: u64,
    pub proofs: u64,
}

/// Something that an answer takes for granted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    pub kind: AssumptionKind,
    /// Whose: a function, a type, a module, a procedure, a language.
    pub name: String,
    /// In a sentence without a full stop.
    pub message: String,
    pub span: Option<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AssumptionKind {
    /// An `assume` in the code.
    Assumed,
    /// The specification of code that was not checked here.
    Trusted,
    /// A function or type that is violated, or not known to be fine.
    Unproved,
    /// A language that is assumed to be sound.
    Sound,
    /// A type that is wider or narrower than the schema that it was imported from.
    Schema,
}

impl AssumptionKind {
    /// As in JSON.
    pub fn name(self) -> &'static str {
        match self {
            AssumptionKind::Assumed => "assumed",
            AssumptionKind::Trusted => "trusted",
            AssumptionKind::Unproved => "unproved",
            AssumptionKind::Sound => "sound",
            AssumptionKind::Schema => "schema",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The name of its method, or of the class of its constructor.
    pub method: String,
    pub span: Span,
    /// Whether some run did; None if the search did not come to its end.
    pub is_reached: Option<bool>,
}

/// States that no run started from, although a program that uses the class may get there: a hole in the induction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// What kind of hole, kebab-case. With the span it names the cause: a person sees each cause once.
    pub id: &'static str,
    /// One line, without a full stop.
    pub message: String,
    /// What brings them in, one line: `@Range("0..4") on `n` brings them in`. Empty if nothing does.
    pub remedy: String,
    /// The field, parameter or class that it is about.
    pub span: Option<Span>,
    /// A call that gets there, replayed by the interpreter.
    pub example: Option<String>,
    /// Asked for by the user, so it is in the JSON alone.
    pub only_json: bool,
}

impl LeftOut {
    /// Two holes with one cause.
    pub fn is_same(&self, other: &LeftOut) -> bool {
        self.id == other.id && self.span == other.span && (self.span.is_some() || self.message == other.message)
    }
}

/// The bounds in force for one operation (`--show-bounds`).
#[derive(Clone, Debug)]
pub struct Bounds {
    pub class: String,
    pub operation: String,
    pub size: i64,
    pub lines: Vec<BoundLine>,
    /// The decimal logarithm of the number of assignments that the bounds allow, valid or not.
    pub log10: f64,
    /// "every tree within 7 places, height at most 3"
    pub space: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundLine {
    /// `Node.key`, `insert: key`, `class Node`
    pub what: String,
    pub bound: String,
    /// Not said by the user.
    pub is_default: bool,
}

impl Report {
    pub fn items(&self) -> impl Iterator<Item = (&Subject, &Item)> {
        self.subjects.iter().flat_map(|s| s.items.iter().map(move |i| (s, i)))
    }

    /// 0 all as it should be, 1 a violation or an expectation that is not met, 2 bad input, 3 unknown or nothing checked; a violation
    /// comes first.
    pub fn exit_status(&self) -> u8 {
        if let Some(status) = self.status {
            return status;
        }
        let counted = || self.items().filter(|(_, i)| i.counts);
        let is_open = |mutant: &Mutant| mutant.reason.as_ref().is_some_and(Reason::is_limit);
        if counted().any(|(_, i)| i.verdict != Verdict::Unknown && !i.is_right()) {
            1
        } else if !self.errors.is_empty() {
            2
        } else if self.items().next().is_none()
            || counted().any(|(s, i)| self.is_open(s, i))
            || self.subjects.iter().flat_map(|s| &s.mutants).any(is_open)
        {
            3
        } else {
            0
        }
    }

    /// Of several sizes, those at which there is nothing to do are no matter if the item is verified at another one.
    pub fn is_open(&self, subject: &Subject, item: &Item) -> bool {
        let is_same = |(s, i): (&Subject, &Item)| {
            i.verdict == Verdict::Verified && (s.kind, &s.name, &i.name) == (subject.kind, &subject.name, &item.name)
        };
        match item.verdict {
            Verdict::Unknown if !item.reasons.is_empty() && item.reasons.iter().all(Reason::is_vacuous) => {
                !self.items().any(is_same)
            }
            verdict => verdict == Verdict::Unknown,
        }
    }

    /// The worst of all, in a word.
    pub fn verdict_name(&self) -> &'static str {
        match self.exit_status() {
            0 => "verified",
            1 => "violated",
            2 => "error",
            _ => "unknown",
        }
    }
}
