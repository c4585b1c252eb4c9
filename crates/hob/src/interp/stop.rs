//! Why a run ended before its procedure returned, and how to say it: every reason knows its place and the calls that led there.

use super::world::Refused;
use crate::program::{Intrinsic, LocalId, ModuleId, ProcId, Program, SpecVarId, Subject};
use source::{Diagnostic, Span};
use std::fmt::Write;

/// A procedure that was running, and where it was called; None for the first.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub proc: ProcId,
    pub called_at: Option<Span>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    Fault {
        fault: Fault,
        span: Span,
        stack: Vec<Call>,
    },
    Violation(Violation),
    /// A false `assume`: the run says nothing about the program.
    Assumption {
        label: Option<String>,
        span: Span,
        stack: Vec<Call>,
    },
    /// More than [`super::Options::steps`].
    Steps {
        span: Span,
        stack: Vec<Call>,
    },
    /// The [world](super::World) asked for it.
    Interrupted,
    /// The program called `System.exit`.
    Exit(i32),
}

/// What the program did wrong, whatever its contracts say.
#[derive(Clone, PartialEq, Debug)]
pub enum Fault {
    /// Of a field's name, `[]` or `length`.
    NullDereference(String),
    IndexOutOfBounds {
        index: i32,
        length: usize,
    },
    DivisionByZero,
    NegativeArraySize(i32),
    /// Some part of a text that is not there.
    TextBounds {
        from: i32,
        to: i32,
        length: usize,
    },
    NotANumber {
        text: String,
        wanted: &'static str,
        /// The procedure that says so beforehand, if there is one.
        ask: Option<&'static str>,
    },
    /// `Math.random` of a number that is not positive.
    EmptyRange(i32),
    NoImplementation(ProcId),
    NoResult(ProcId),
    TooDeep,
    OutOfMemory,
    /// Of the library, and not done here.
    NotPerformed(Intrinsic),
    File {
        name: String,
        why: Refused,
    },
    /// A channel or descriptor that is closed, or that nobody opened.
    NotOpen,
}

/// A contract that did not hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    pub kind: ViolationKind,
    /// Whose contract, or in whose body.
    pub proc: ProcId,
    /// What was false: the clause, or the part of it that was.
    pub span: Span,
    /// Where from: "the invariant of scope C", "the default D".
    pub because: Option<String>,
    /// Innermost last. For [`ViolationKind::Requires`] the last is the call that should not have been made.
    pub stack: Vec<Call>,
    pub sets: Vec<SetsSeen>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ViolationKind {
    /// The caller is to blame.
    Requires,
    Ensures,
    /// Changed, although `modifies` does not list it.
    Frame(SpecVarId),
    Assertion(Option<String>),
    LoopInvariant,
    /// An invariant of the module's representation, where the module is left.
    Representation,
    /// What must hold at a call that leaves the module, or its scope, and may come back.
    Leaving,
}

/// What a name of a violated clause stood for.
#[derive(Clone, PartialEq, Debug)]
pub struct SetsSeen {
    pub subject: Subject,
    pub name: String,
    /// At entry, if the clause speaks of it; `{Cell#1, Cell#4}`, `true`.
    pub before: Option<String>,
    /// When the clause was evaluated.
    pub after: Option<String>,
}

/// More calls than that are not shown one by one.
const SHOWN_CALLS: usize = 12;

impl Fault {
    fn id(&self) -> &'static str {
        match self {
            Fault::NullDereference(_) => "null-dereference",
            Fault::IndexOutOfBounds { .. } => "index-out-of-bounds",
            Fault::DivisionByZero => "division-by-zero",
            Fault::NegativeArraySize(_) => "negative-array-size",
            Fault::TextBounds { .. } => "text-out-of-bounds",
            Fault::NotANumber { .. } => "not-a-number",
            Fault::EmptyRange(_) => "empty-range",
            Fault::NoImplementation(_) => "no-implementation",
            Fault::NoResult(_) => "no-result",
            Fault::TooDeep => "calls-too-deep",
            Fault::OutOfMemory => "out-of-memory",
            Fault::NotPerformed(_) => "not-performed",
            Fault::File { .. } => "file-not-opened",
            Fault::NotOpen => "not-open",
        }
    }

    fn message(&self, program: &Program) -> String {
        match self {
            Fault::NullDereference(what) => format!("{what} of null"),
            Fault::IndexOutOfBounds { index, length } => {
                format!("index {index} is outside of the array, whose length is {length}")
            }
            Fault::DivisionByZero => "division by zero".into(),
            Fault::NegativeArraySize(n) => format!("an array cannot have {n} elements"),
            Fault::TextBounds { from, to, length } if *to == from.wrapping_add(1) => {
                format!("there is no character {from} in a text of length {length}")
            }
            Fault::TextBounds { from, to, length } => {
                format!("there is no part from {from} to {to} in a text of length {length}")
            }
            Fault::NotANumber { text, wanted, .. } => format!("{text:?} is not {wanted}"),
            Fault::EmptyRange(n) => format!("there is no number from 0 on that is less than {n}"),
            Fault::NoImplementation(proc) => {
                format!("{} cannot run: only its specification is known", program.proc_name(*proc))
            }
            Fault::NoResult(proc) => format!("{} ends without returning a value", program.proc_name(*proc)),
            Fault::TooDeep => "the calls are nested too deeply".into(),
            Fault::OutOfMemory => "the program uses more memory than it may".into(),
            Fault::NotPerformed(procedure) => {
                format!("{}.{} is not performed here", procedure.module(), procedure.name())
            }
            Fault::File { name, why: Refused::Missing } => format!("there is no file {name:?} to open"),
            Fault::File { name, why: Refused::NotAllowed } => format!("the program may not open the file {name:?}"),
            Fault::File { name, why: Refused::Failed(why) } => format!("the file {name:?} cannot be used: {why}"),
            Fault::NotOpen => "this file is not open".into(),
        }
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Fault::NullDereference(_) => "test `!= null` first, or find out why there is no object".into(),
            Fault::NotANumber { ask: Some(ask), .. } => format!("ask `{ask}` first"),
            Fault::NotANumber { ask: None, .. } => {
                "each line that is read must hold one number, and nothing else".into()
            }
            Fault::NoImplementation(_) => "give the file with its `impl module`, too".into(),
            Fault::NoResult(_) => "put a `return` on every way through the procedure".into(),
            Fault::TooDeep => "does the recursion end?".into(),
            Fault::NotPerformed(_) => {
                "programs can be checked with it; only the terminal and files are performed".into()
            }
            Fault::File { why: Refused::NotAllowed, .. } => {
                "files are opened only below the folder that you name with `--files DIR`".into()
            }
            _ => return None,
        })
    }
}

impl Stop {
    pub fn diagnostic(&self, program: &Program) -> Diagnostic {
        match self {
            Stop::Fault { fault, span, stack } => {
                let made = Diagnostic::error(fault.id(), *span, fault.message(program));
                let made = Diagnostic { help: fault.help(), ..made };
                with_stack(made, program, stack)
            }
            Stop::Violation(violation) => violation.diagnostic(program),
            Stop::Assumption { label, span, stack } => {
                let name = label.as_ref().map_or(String::new(), |label| format!(" `{label}`"));
                let made = Diagnostic::note("assumption-not-met", *span, format!("the assumption{name} was not met"))
                    .help("the run ends here; it says nothing about what comes after");
                with_stack(made, program, stack)
            }
            Stop::Steps { span, stack } => {
                let made =
                    Diagnostic::error("step-limit", *span, "the run was stopped: it takes more steps than it may")
                        .label("running here");
                with_stack(made, program, stack)
            }
            Stop::Exit(status) => {
                Diagnostic::note("exit", None, format!("the program ended itself with status {status}"))
            }
            Stop::Interrupted => Diagnostic::note("interrupted", None, "the run was interrupted"),
        }
    }
}

impl Violation {
    pub fn diagnostic(&self, program: &Program) -> Diagnostic {
        let name = program.proc_name(self.proc);
        let because = self.because.as_ref().map_or(String::new(), |because| format!(" ({because})"));
        let called_at = self.stack.last().and_then(|call| call.called_at);
        let (id, message, help) = match &self.kind {
            ViolationKind::Requires => (
                "requires-violated",
                format!("a call of {name} does not meet its `requires`{because}"),
                "the caller is to blame: make this true before the call",
            ),
            ViolationKind::Ensures => (
                "ensures-violated",
                format!("{name} does not ensure what it promises{because}"),
                "change the body, or the `ensures` clause",
            ),
            ViolationKind::Frame(variable) => {
                let variable = program.spec_var(*variable);
                let owner = &program.module(variable.module).name;
                (
                    "frame-violated",
                    format!("{name} changes {owner}.{}, which its `modifies` does not list", variable.name),
                    "list it in `modifies`, or leave it as it is",
                )
            }
            ViolationKind::Assertion(label) => {
                let label = label.as_ref().map_or(String::new(), |label| format!(" `{label}`"));
                ("assertion-violated", format!("the assertion{label} in {name} does not hold"), "")
            }
            ViolationKind::LoopInvariant => (
                "loop-invariant-violated",
                format!("the loop invariant in {name} does not hold"),
                "it must hold each time before the condition is tested",
            ),
            ViolationKind::Leaving => (
                "leaving-violated",
                format!("{name}, which may call back, is called while an invariant does not hold{because}"),
                "the code that it may call relies on the invariant: make it true before the call",
            ),
            ViolationKind::Representation => (
                "representation-violated",
                format!("{name} leaves the representation of its module broken"),
                "this invariant of the abstraction must hold whenever the module is left",
            ),
        };
        let mut seen = String::new();
        for set in &self.sets {
            let name = &set.name;
            let before = set.before.as_ref().map(|value| format!("{name} = {value}"));
            let after = set.after.as_ref().map(|value| match self.kind {
                ViolationKind::Requires => format!("{name} = {value}"),
                _ => format!("{name}' = {value}"),
            });
            for part in before.into_iter().chain(after) {
                let separator = if seen.is_empty() { "" } else { ", " };
                let _ = write!(seen, "{separator}{part}");
            }
        }
        // A call that should not have been made is shown where it is made; what it broke comes second.
        let made = match (&self.kind, called_at) {
            (ViolationKind::Requires | ViolationKind::Leaving, Some(call)) => Diagnostic::error(id, call, message)
                .label("this call")
                .related(self.span, if seen.is_empty() { "this is false".into() } else { format!("false: {seen}") }),
            _ => Diagnostic::error(id, self.span, message).label(seen),
        };
        let made = if help.is_empty() { made } else { made.help(help) };
        with_stack(made, program, &self.stack)
    }
}

fn with_stack(mut made: Diagnostic, program: &Program, stack: &[Call]) -> Diagnostic {
    let calls = stack.iter().rev().filter_map(|call| Some((call.called_at?, program.proc_name(call.proc))));
    for (span, name) in calls.take(SHOWN_CALLS) {
        if made.span != Some(span) {
            made = made.related(span, format!("{name} was called here"));
        }
    }
    made
}

/// A name that a program's text would use, and which scope hides the set from the caller.
pub(crate) fn subject_name(program: &Program, proc: ProcId, caller: Option<ModuleId>, subject: Subject) -> String {
    match subject {
        Subject::SpecVar(id) => {
            let name = program.name_from(program.proc(proc).module, id);
            match caller.and_then(|caller| program.hiding(caller, program.spec_var(id).module)) {
                Some(scope) => format!("{name} (hidden by {})", scope.name),
                None => name,
            }
        }
        Subject::Local(LocalId(local)) => program.proc(proc).locals[local as usize].name.clone(),
        Subject::Bound(_) => String::new(),
    }
}
