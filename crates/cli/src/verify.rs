//! `glassbox check FILE.dm`: every named type and every function of a Dminor program, for all inputs.

use crate::args::{Check, Emit, Reading};
use crate::check::{print, refused, wants_color};
use crate::dminor::{and_more, is_for, misfits_json};
use crate::inputs;
use dminor::program::Note;
use dminor::verify::{self, Answer, Certified, Counterexample, Kind, Options, Subject, Unproved, Verdict};
use dminor::{Program, typing};
use report::{Paint, render_diagnostic};
use serde_json::{Value as Json, json};
use source::{Diagnostic, FileId, Severity, SourceMap};
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

/// For one condition, unless the user says otherwise.
const PATIENCE: f64 = 3.0;

/// Inputs that are tried to refute a function.
const TRIES: usize = 3_000;

/// One file that was read.
struct Checked {
    file: FileId,
    program: Program,
    answers: Vec<Answer>,
    reading: Reading,
    /// The name of the solver that repeats proofs.
    certifier: Option<String>,
}

pub fn check(arguments: &Check) -> u8 {
    let mut sources = SourceMap::default();
    match checked(arguments, &mut sources) {
        Ok(all) => {
            let status = if arguments.emit.is_some() { 0 } else { status(&all) };
            if arguments.is_json() {
                print(&format!("{:#}\n", as_json(&sources, &all, status)));
            } else if arguments.emit.is_none() {
                let paint = Paint { color: wants_color(arguments.color, std::io::stdout().is_terminal()) };
                print(&text(&sources, &all, paint, arguments.quiet));
            }
            status
        }
        Err(problems) => refused(&sources, &problems, arguments.is_json(), arguments.color),
    }
}

fn reading_of(reading: Reading) -> dminor::bemol::Reading {
    dminor::bemol::Reading { strict_type_tests: reading.strict_type_tests, strict_ops: reading.strict_ops }
}

/// An error if there is no solver.
pub fn options_of(reading: Reading, solver: Option<&Path>) -> Result<Options, Vec<Diagnostic>> {
    let solver = smt::find(solver)
        .map_err(|missing| vec![Diagnostic::error("no-solver", None, missing.message).help(missing.help)])?;
    Ok(Options {
        reading: reading_of(reading),
        lenient_types: false,
        solver,
        patience: Duration::from_secs_f64(PATIENCE),
        threads: 1,
        tries: TRIES,
        certifier: None,
    })
}

fn options(arguments: &Check) -> Result<Options, Vec<Diagnostic>> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut options = options_of(arguments.reading, arguments.solver.as_deref())?;
    options.lenient_types = arguments.lenient_types;
    options.threads = arguments.threads.map_or(cores, |t| t as usize);
    if let Some(seconds) = arguments.timeout {
        options.patience = Duration::from_secs_f64(seconds);
    }
    if arguments.certify {
        let no_second = |missing: smt::Missing| {
            let message = format!("--certify needs a second solver: {}", missing.message);
            vec![Diagnostic::error("no-solver", None, message).help(missing.help)]
        };
        options.certifier = Some(smt::another(&options.solver).map_err(no_second)?);
    }
    Ok(options)
}

fn checked(arguments: &Check, sources: &mut SourceMap) -> Result<Vec<Checked>, Vec<Diagnostic>> {
    if let Some(other) = arguments.files.iter().find(|f| !is_for(f)) {
        let message = format!("`{}` is no Dminor program", other.display());
        let help = "check .dm, .lang and .java files one after the other";
        return Err(vec![Diagnostic::error("mixed-input", None, message).help(help)]);
    }
    let (mut programs, mut problems) = (Vec::new(), Vec::new());
    for file in inputs::read(sources, &arguments.files)? {
        let loaded = dminor::load(&sources.file(file).text, file);
        problems.extend(loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).cloned());
        programs.extend(loaded.program.map(|program| (file, program)));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    if arguments.emit == Some(Emit::Mona) {
        let problem = Diagnostic::error("bad-usage", None, "a Dminor program has nothing for MONA");
        return Err(vec![problem.help("--emit smt2, bemol or boogie")]);
    }
    let decide = method(arguments)?;
    if let Some(emit) = arguments.emit {
        for (_, program) in &programs {
            print(&work::on_large_stack(|| emitted(program, emit, arguments, sources)));
        }
        return Ok(Vec::new());
    }
    let options = options(arguments)?;
    let all = programs.into_iter().map(|(file, program)| {
        let answers = decide(&program, &options);
        let certifier = options.certifier.as_ref().map(|p| format!("{} {}", p.kind.name(), p.version));
        Checked { file, program, answers, reading: arguments.reading, certifier }
    });
    Ok(all.collect())
}

type Method = fn(&Program, &Options) -> Vec<Answer>;

/// By conditions, or by types.
fn method(arguments: &Check) -> Result<Method, Vec<Diagnostic>> {
    let refuse = |message: String, help: &str| Err(vec![Diagnostic::error("bad-usage", None, message).help(help)]);
    match arguments.method.as_deref() {
        None | Some("conditions") => Ok(verify::check),
        Some("types") if arguments.emit.is_some() => {
            refuse("the type system has no conditions to print".to_string(), "leave out --method types, or --emit")
        }
        Some("types") if arguments.certify => {
            refuse("--certify repeats the proofs of conditions".to_string(), "leave out --method types, or --certify")
        }
        Some("types") => Ok(typing::check),
        Some(other) => refuse(
            format!("`{other}` is no method for Dminor programs"),
            "--method conditions, the default, or --method types",
        ),
    }
}

fn emitted(program: &Program, emit: Emit, arguments: &Check, sources: &SourceMap) -> String {
    let reading = reading_of(arguments.reading);
    match emit {
        Emit::Bemol => dminor::bemol::print(program, reading, sources),
        // Refused before.
        Emit::Mona => String::new(),
        Emit::Boogie => dminor::bemol::boogie(program, reading, sources),
        Emit::Smt2 => {
            let mut out = verify::prelude(smt::Kind::Z3);
            for (k, (subject, condition, text)) in
                verify::emit(program, reading, arguments.lenient_types).into_iter().enumerate()
            {
                let (about, _) = title(program, subject);
                let head = format!("; condition {}: {about}: {}", k + 1, wanted(&condition.kind));
                let _ = writeln!(out, "{head}\n(push 1)\n{text}(check-sat)\n(pop 1)");
            }
            out
        }
    }
}

fn status(all: &[Checked]) -> u8 {
    let verdicts = || all.iter().flat_map(|c| &c.answers).map(|a| &a.verdict);
    if verdicts().any(|v| matches!(v, Verdict::Violated(_))) {
        1
    } else if all.iter().flat_map(|c| &c.answers).any(|a| !a.is_proved()) || verdicts().next().is_none() {
        // Not proved, not certified, or nothing to prove.
        3
    } else {
        0
    }
}

/// "type Order" or "total", and whether it is a type.
fn title(program: &Program, subject: Subject) -> (String, bool) {
    match subject {
        Subject::Type(id) => (format!("type {}", program.named(id).name), true),
        Subject::Function(id) => (program.function(id).name.clone(), false),
    }
}

/// What a condition asks for.
fn wanted(kind: &Kind) -> String {
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

/// What is said of a verdict, beside its sign.
fn said(checked: &Checked, answer: &Answer) -> String {
    let (_, is_type) = title(&checked.program, answer.subject);
    let mut out = match &answer.verdict {
        Verdict::Verified if is_type => "well-formed".to_string(),
        Verdict::Verified => "verified".to_string(),
        Verdict::Violated(_) => "violated".to_string(),
        Verdict::NotProved(_) => "not proved".to_string(),
    };
    if let Some(Certified { proofs, open }) = answer.certified.as_ref().filter(|c| c.proofs > 0) {
        match open.len() {
            0 => out.push_str(", certified"),
            n => out.push_str(&format!(", {} of {proofs} proofs certified", proofs - n)),
        }
    }
    let names = |wanted: fn(&Subject) -> bool| {
        let chosen = answer.assuming.iter().filter(|s| wanted(s));
        chosen.map(|s| format!("`{}`", name(&checked.program, *s))).collect::<Vec<_>>()
    };
    let functions = names(|s| matches!(s, Subject::Function(_)));
    let types = names(|s| matches!(s, Subject::Type(_)));
    match &functions[..] {
        [] => {}
        [one] => out.push_str(&format!(", assuming {one} meets its type")),
        several => out.push_str(&format!(", assuming {} meet their types", several.join(", "))),
    }
    match &types[..] {
        [] => {}
        [one] => out.push_str(&format!(", assuming {one} is well-formed")),
        several => out.push_str(&format!(", assuming {} are well-formed", several.join(", "))),
    }
    out
}

fn text(sources: &SourceMap, all: &[Checked], paint: Paint, quiet: bool) -> String {
    let mut out = String::new();
    let mut counts = [0usize; 5];
    let mut differing = Vec::new();
    for checked in all {
        let width = checked.answers.iter().map(|a| title(&checked.program, a.subject).0.chars().count()).max();
        let width = width.unwrap_or(0).min(40);
        if all.len() > 1 && !quiet {
            let _ = writeln!(out, "{}", paint.strong(&sources.file(checked.file).name));
        }
        for answer in &checked.answers {
            let (name, _) = title(&checked.program, answer.subject);
            let said = said(checked, answer);
            let (sign, said, at) = match &answer.verdict {
                Verdict::Verified if !answer.is_proved() => (paint.warn("?"), paint.warn(&said), 2),
                Verdict::Verified if !answer.assuming.is_empty() => (paint.warn("✓"), paint.warn(&said), 1),
                Verdict::Verified => (paint.good("✓"), paint.good(&said), 0),
                Verdict::Violated(_) => (paint.bad("✗"), paint.bad(&said), 3),
                Verdict::NotProved(_) => (paint.warn("?"), paint.warn(&said), 4),
            };
            counts[at] += 1;
            if quiet && at <= 1 {
                continue;
            }
            let pad = " ".repeat(width.saturating_sub(name.chars().count()));
            let work = match answer.conditions {
                0 => String::new(),
                1 => ", 1 condition".to_string(),
                n => format!(", {n} conditions"),
            };
            let time = format!("  {:.0} ms", answer.seconds * 1e3);
            let _ = writeln!(out, "  {sign} {name}{pad}  {said}{}", paint.faint(&format!("{work}{time}")));
            for note in notes(&checked.program, answer.subject) {
                let _ = writeln!(
                    out,
                    "      {}",
                    paint.warn(&format!("{} than its schema: {}", note.differs.word(), note.text))
                );
                differing.push(format!("`{}`", self::name(&checked.program, answer.subject)));
            }
            let certified = answer.certified.iter().flat_map(|c| &c.open);
            let by = checked.certifier.as_deref().unwrap_or_default();
            let mut open: Vec<Diagnostic> = certified.map(|u| uncertified(u, by)).collect();
            match &answer.verdict {
                Verdict::Verified => {}
                Verdict::Violated(found) => out.push_str(&example(sources, checked, answer.subject, found, paint)),
                Verdict::NotProved(all) => open.extend(all.iter().map(resisted)),
            }
            for problem in &open {
                let _ = writeln!(out, "\n{}", render_diagnostic(sources, problem, paint));
            }
            if answer.late > 0 && matches!(answer.verdict, Verdict::NotProved(_)) {
                let times = if answer.late == 1 { "once".to_string() } else { format!("{} times", answer.late) };
                let _ = writeln!(
                    out,
                    "\n    {}",
                    paint.warn(&format!("the clock stopped the solver {times} here: another run may decide it; --timeout gives more time"))
                );
            }
            if !open.is_empty() {
                out.push('\n');
            }
        }
    }
    let what = ["verified", "verified on an assumption", "verified but not certified", "violated", "not proved"];
    let parts: Vec<String> =
        counts.iter().zip(what).filter(|(n, _)| **n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if !quiet {
        let _ = writeln!(out, "\n{}", if parts.is_empty() { "nothing to check".to_string() } else { parts.join(", ") });
        differing.dedup();
        if !differing.is_empty() {
            let (differs, names) = (if differing.len() == 1 { "differs" } else { "differ" }, differing.join(", "));
            let _ = writeln!(
                out,
                "{names} {differs} from the schema: what is proved here holds of the type, not of the schema"
            );
        }
    }
    out
}

fn name(program: &Program, subject: Subject) -> &str {
    match subject {
        Subject::Type(id) => &program.named(id).name,
        Subject::Function(id) => &program.function(id).name,
    }
}

/// How an imported type differs from its schema.
fn notes(program: &Program, subject: Subject) -> &[Note] {
    match subject {
        Subject::Type(id) => &program.named(id).notes,
        Subject::Function(_) => &[],
    }
}

fn uncertified(open: &Unproved, by: &str) -> Diagnostic {
    let message = format!("{} ({by} does not repeat the proof: {})", wanted(&open.kind), open.why);
    Diagnostic::warning("not-certified", open.span, message).help("a longer --timeout may help")
}

fn resisted(unproved: &Unproved) -> Diagnostic {
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

/// The input that fails, and where it does.
fn example(sources: &SourceMap, checked: &Checked, subject: Subject, found: &Counterexample, paint: Paint) -> String {
    let mut out = String::new();
    let values: Vec<String> = found.arguments.iter().map(|v| v.to_string()).collect();
    match subject {
        Subject::Function(id) => {
            let function = checked.program.function(id);
            let call = format!("{}({})", function.name, values.join(", "));
            let _ = writeln!(out, "\n    {}", paint.strong(&call));
        }
        Subject::Type(id) => {
            let name = &checked.program.named(id).name;
            let _ = writeln!(out, "\n    {}", paint.strong(&format!("{} in {name}", values.join(", "))));
        }
    }
    let problems = and_more(found.failure.diagnostics(), found.failure.misfits());
    let problems: Vec<String> = problems.iter().map(|p| render_diagnostic(sources, p, paint)).collect();
    let _ = writeln!(out, "{}", problems.join("\n\n"));
    if let Some(command) = replay(sources, checked, subject, found) {
        let _ = writeln!(out, "    {}", paint.faint(&format!("replay:  {command}")));
    }
    out.push('\n');
    out
}

/// The command that fails in the same way.
fn replay(sources: &SourceMap, checked: &Checked, subject: Subject, found: &Counterexample) -> Option<String> {
    let Subject::Function(id) = subject else { return None };
    let mut command = "glassbox run --contracts".to_string();
    for (is_on, flag) in
        [(checked.reading.strict_type_tests, " --strict-type-tests"), (checked.reading.strict_ops, " --strict-ops")]
    {
        command.push_str(if is_on { flag } else { "" });
    }
    if !found.failure.order.is_empty() {
        let order: Vec<String> = found.failure.order.iter().map(usize::to_string).collect();
        command.push_str(&format!(" --order {}", order.join(",")));
    }
    let file = &sources.file(checked.file).name;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    let file = if file.starts_with('-') { format!("./{file}") } else { file.clone() };
    let file = if file.chars().all(is_plain) { file } else { quoted(&file) };
    command.push_str(&format!(" {file} {}", checked.program.function(id).name));
    for value in &found.arguments {
        command.push_str(&format!(" {}", quoted(&value.to_string())));
    }
    Some(command)
}

/// For a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn as_json(sources: &SourceMap, all: &[Checked], status: u8) -> Json {
    let word = ["verified", "violated", "error", "unknown"][status.min(3) as usize];
    let mut object = report::json::outcome(sources, word, status, &[], env!("CARGO_PKG_VERSION"));
    object["verdict"] = word.into();
    let mut answers = Vec::new();
    for checked in all {
        for answer in &checked.answers {
            let (_, is_type) = title(&checked.program, answer.subject);
            let verdict = match &answer.verdict {
                Verdict::Verified => "verified",
                Verdict::Violated(_) => "violated",
                Verdict::NotProved(_) => "not-proved",
            };
            let mut one = json!({
                "file": sources.file(checked.file).name,
                "name": name(&checked.program, answer.subject),
                "is": if is_type { "type" } else { "function" },
                "verdict": verdict,
                "conditions": answer.conditions,
                "assuming": answer.assuming.iter().map(|s| name(&checked.program, *s)).collect::<Vec<_>>(),
                "queries": answer.queries,
                "stopped_by_clock": answer.late,
                "seconds": answer.seconds,
                "solver_seconds": answer.solver_seconds,
            });
            let unproved = |u: &Unproved| {
                json!({
                    "message": wanted(&u.kind),
                    "why": u.why,
                    "place": report::json::place(sources, Some(u.span)),
                })
            };
            if let Some(certified) = &answer.certified {
                one["certified"] = json!({
                    "by": checked.certifier,
                    "proofs": certified.proofs,
                    "open": certified.open.iter().map(unproved).collect::<Vec<_>>(),
                });
            }
            if is_type {
                let differs = |n: &Note| json!({ "is": n.differs.word(), "because": n.text });
                one["differs_from_schema"] = notes(&checked.program, answer.subject).iter().map(differs).collect();
            }
            match &answer.verdict {
                Verdict::Verified => {}
                Verdict::Violated(found) => {
                    // As texts: integers of any size must not pass through machine numbers.
                    let values: Vec<String> = found.arguments.iter().map(|v| v.to_string()).collect();
                    one["arguments"] = json!(values);
                    one["failure"] = json!({
                        "id": found.failure.id(),
                        "message": found.failure.message(),
                        "place": report::json::place(sources, Some(found.failure.span)),
                        "misfits": misfits_json(sources, found.failure.misfits()),
                    });
                    one["order"] = json!(found.failure.order);
                    one["replay"] = replay(sources, checked, answer.subject, found).into();
                }
                Verdict::NotProved(open) => one["unproved"] = open.iter().map(unproved).collect(),
            }
            answers.push(one);
        }
    }
    object["answers"] = answers.into();
    object
}
