//! What conditions ask for, in words, and how a failure is seen again.

use super::Source;
use dminor::bemol::Reading;
use dminor::verify::{Counterexample, Kind, Subject, Unproved};
use source::Diagnostic;

/// What a condition asks for.
pub fn wanted(kind: &Kind) -> String {
    match kind {
        Kind::Operand(op) => format!("an operand of `{}` may be of another sort", op.symbol()),
        Kind::DivisionByZero => "the divisor may be 0".to_string(),
        Kind::Condition => "the condition may be neither true nor false".to_string(),
        Kind::Field(label) => format!("there may be no field `{label}`"),
        Kind::Entity(label) => format!("`.{label}` may be asked of what is no entity"),
        Kind::Collection => "this may be no collection".to_string(),
        Kind::Test => "the test itself may fail".to_string(),
        Kind::Argument(name) => format!("the argument may not be in the type of `{name}`"),
        Kind::Result => "the result may not be in the declared type".to_string(),
        Kind::Ascription => "the value may not be in the type that is ascribed to it".to_string(),
        Kind::AccumulatorInitial => "the first accumulator may not be in its type".to_string(),
        Kind::Accumulator => "the next accumulator may not be in its type".to_string(),
        Kind::InvariantInitial => "the invariant may not hold before the loop".to_string(),
        Kind::Invariant => "the invariant may not hold after a round".to_string(),
        Kind::Refinement => "the condition of a refinement may be neither true nor false".to_string(),
        Kind::Order => "the result may depend on the order of the members".to_string(),
        Kind::Guessed => "an invariant that was guessed may not hold".to_string(),
        Kind::IllFormed(name) => format!("it rests on `{name}`, which is not known to be well-formed"),
    }
}

pub fn uncertified(open: &Unproved, by: &str) -> Diagnostic {
    let message = format!("{} ({by} does not repeat the proof: {})", wanted(&open.kind), open.why);
    Diagnostic::warning("not-certified", open.span, message).help("a longer --solver-timeout may help")
}

pub fn resisted(unproved: &Unproved) -> Diagnostic {
    let message = format!("{} (not proved: {})", wanted(&unproved.kind), unproved.why);
    let help = match unproved.kind {
        Kind::Accumulator | Kind::Invariant | Kind::AccumulatorInitial | Kind::InvariantInitial => {
            "say more about the accumulator: `invariant e` may mention it and `rest`, the members not yet taken"
        }
        Kind::Result => {
            "what is known of the result is its parts' types, what was tested, and the types of what is called"
        }
        _ => "test it before with `in`, or give a parameter a more precise type",
    };
    let problem = Diagnostic::warning("not-proved", unproved.span, message).help(help);
    unproved.path.iter().rev().take(4).fold(problem, |problem, (span, truth)| {
        problem.related(*span, if *truth { "known here: this is true" } else { "known here: this is false" })
    })
}

/// The command that fails in the same way.
pub fn replay(source: &Source, subject: Subject, found: &Counterexample, reading: Reading) -> Option<String> {
    let Subject::Function(id) = subject else { return None };
    let mut command = "glassbox run --contracts".to_string();
    for (is_on, flag) in [(reading.strict_type_tests, " --strict-type-tests"), (reading.strict_ops, " --strict-ops")] {
        command.push_str(if is_on { flag } else { "" });
    }
    if !found.failure.order.is_empty() {
        let order: Vec<String> = found.failure.order.iter().map(usize::to_string).collect();
        command.push_str(&format!(" --order {}", order.join(",")));
    }
    let file = &source.file;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    let file = if file.starts_with('-') { format!("./{file}") } else { file.clone() };
    let file = if file.chars().all(is_plain) { file } else { quoted(&file) };
    command.push_str(&format!(" {file} {}", source.program.function(id).name));
    for value in &found.arguments {
        command.push_str(&format!(" {}", quoted(&value.to_string())));
    }
    Some(command)
}

/// For a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
