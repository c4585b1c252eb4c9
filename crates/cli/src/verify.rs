//! `glassbox check FILE.dm`: every named type and every function of a Dminor program, for all inputs. Also `inhabit` and `subtype`.

use crate::args::{Asking, Check, Emit, Inhabit, Reading, Subtype};
use crate::check::{print, refused, wants_color};
use crate::dminor::is_for;
use crate::inputs;
use dminor::verify::{self, Answer, Counterexample, Kind, Options, Subject, Unproved, Verdict};
use dminor::{Program, typing};
use report::{Paint, render_diagnostic};
use serde_json::{Value as Json, json};
use source::{Diagnostic, FileId, Severity, SourceMap};
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
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
fn options_of(reading: Reading, solver: Option<&Path>) -> Result<Options, Vec<Diagnostic>> {
    let solver = smt::find(solver)
        .map_err(|missing| vec![Diagnostic::error("no-solver", None, missing.message).help(missing.help)])?;
    Ok(Options {
        reading: reading_of(reading),
        lenient_types: false,
        solver,
        patience: Duration::from_secs_f64(PATIENCE),
        threads: 1,
        tries: TRIES,
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
        programs.iter().for_each(|(_, program)| print(&emitted(program, emit, arguments, sources)));
        return Ok(Vec::new());
    }
    let options = options(arguments)?;
    let all = programs.into_iter().map(|(file, program)| {
        let answers = decide(&program, &options);
        Checked { file, program, answers }
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
    } else if verdicts().any(|v| matches!(v, Verdict::NotProved(_))) || verdicts().next().is_none() {
        // Not proved, or nothing to prove.
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
        Kind::IllFormed(name) => format!("it rests on `{name}`, which is not known to be well-formed"),
    }
}

fn text(sources: &SourceMap, all: &[Checked], paint: Paint, quiet: bool) -> String {
    let mut out = String::new();
    let mut counts = [0usize; 3];
    for checked in all {
        let width = checked.answers.iter().map(|a| title(&checked.program, a.subject).0.chars().count()).max();
        let width = width.unwrap_or(0).min(40);
        if all.len() > 1 && !quiet {
            let _ = writeln!(out, "{}", paint.strong(&sources.file(checked.file).name));
        }
        for answer in &checked.answers {
            let (name, is_type) = title(&checked.program, answer.subject);
            let (sign, said, at) = match &answer.verdict {
                Verdict::Verified if is_type => (paint.good("✓"), paint.good("well-formed"), 0),
                Verdict::Verified => (paint.good("✓"), paint.good("verified"), 0),
                Verdict::Violated(_) => (paint.bad("✗"), paint.bad("violated"), 1),
                Verdict::NotProved(_) => (paint.warn("?"), paint.warn("not proved"), 2),
            };
            counts[at] += 1;
            if quiet && at == 0 {
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
            match &answer.verdict {
                Verdict::Verified => {}
                Verdict::Violated(found) => out.push_str(&example(sources, checked, answer.subject, found, paint)),
                Verdict::NotProved(all) => {
                    for unproved in all {
                        let _ = writeln!(out, "\n{}", render_diagnostic(sources, &resisted(unproved), paint));
                    }
                    out.push('\n');
                }
            }
        }
    }
    let [verified, violated, open] = counts;
    let mut parts = Vec::new();
    for (n, what) in [(verified, "verified"), (violated, "violated"), (open, "not proved")] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    if !quiet {
        let _ = writeln!(out, "\n{}", if parts.is_empty() { "nothing to check".to_string() } else { parts.join(", ") });
    }
    out
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
    let problem = dminor::interp::Stop::Error(found.failure.clone()).diagnostic(&checked.program);
    let _ = writeln!(out, "{}", render_diagnostic(sources, &problem, paint));
    if let Subject::Function(id) = subject {
        let file = &sources.file(checked.file).name;
        let quoted: Vec<String> = values.iter().map(|v| format!(" '{}'", v.replace('\'', "'\\''"))).collect();
        let name = &checked.program.function(id).name;
        let command = format!("glassbox run --contracts {file} {name}{}", quoted.concat());
        let _ = writeln!(out, "    {}\n", paint.faint(&format!("replay:  {command}")));
    }
    out
}

fn as_json(sources: &SourceMap, all: &[Checked], status: u8) -> Json {
    let word = ["verified", "violated", "error", "unknown"][status.min(3) as usize];
    let mut object = report::json::outcome(sources, word, status, &[], env!("CARGO_PKG_VERSION"));
    object["verdict"] = word.into();
    let mut answers = Vec::new();
    for checked in all {
        for answer in &checked.answers {
            let (name, is_type) = match answer.subject {
                Subject::Type(id) => (checked.program.named(id).name.clone(), true),
                Subject::Function(id) => (checked.program.function(id).name.clone(), false),
            };
            let verdict = match &answer.verdict {
                Verdict::Verified => "verified",
                Verdict::Violated(_) => "violated",
                Verdict::NotProved(_) => "not-proved",
            };
            let mut one = json!({
                "file": sources.file(checked.file).name,
                "name": name,
                "is": if is_type { "type" } else { "function" },
                "verdict": verdict,
                "conditions": answer.conditions,
                "queries": answer.queries,
                "seconds": answer.seconds,
                "solver_seconds": answer.solver_seconds,
            });
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
                    });
                }
                Verdict::NotProved(open) => {
                    let unproved = |u: &Unproved| {
                        json!({
                            "message": wanted(&u.kind),
                            "why": u.why,
                            "place": report::json::place(sources, Some(u.span)),
                        })
                    };
                    one["unproved"] = open.iter().map(unproved).collect();
                }
            }
            answers.push(one);
        }
    }
    object["answers"] = answers.into();
    object
}

/// What was found out about a type.
struct Told {
    word: &'static str,
    status: u8,
    text: String,
    value: Option<dminor::Value>,
}

pub fn inhabit(arguments: &Inhabit) -> u8 {
    let ask = |program: &Program, types: &[verify::Closed], options: &Options| {
        let (word, status, text, value) = match verify::inhabit(program, &types[0], options) {
            verify::Inhabited::By(value) => ("inhabited", 0, value.to_string(), Some(value)),
            verify::Inhabited::Never => ("empty", 1, "empty: no value is in it".to_string(), None),
            verify::Inhabited::Unknown(why) => return unknown(&why),
        };
        Told { word, status, text, value }
    };
    asked(&arguments.asking, &arguments.file, &[&arguments.type_text], ask)
}

pub fn subtype(arguments: &Subtype) -> u8 {
    let ask = |program: &Program, types: &[verify::Closed], options: &Options| {
        let (word, status, text, value) = match verify::subtype(program, &types[0], &types[1], options) {
            verify::Subtype::Always => ("subtype", 0, "a subtype: every value of it is in the other".to_string(), None),
            verify::Subtype::Except(value) => {
                ("not-subtype", 1, format!("not a subtype: {value} is in it, and not in the other"), Some(value))
            }
            verify::Subtype::Unknown(why) => return unknown(&why),
        };
        Told { word, status, text, value }
    };
    asked(&arguments.asking, &arguments.file, &[&arguments.type_text, &arguments.of], ask)
}

fn unknown(why: &str) -> Told {
    Told { word: "unknown", status: 3, text: format!("unknown: neither proved nor refuted ({why})"), value: None }
}

/// Reads types over a program, and asks.
fn asked(
    asking: &Asking,
    file: &PathBuf,
    texts: &[&String],
    ask: impl Fn(&Program, &[verify::Closed], &Options) -> Told + Sync,
) -> u8 {
    let mut sources = SourceMap::default();
    let told = crate::dminor::load(file, &mut sources).and_then(|mut program| {
        let mut types = Vec::new();
        for (k, text) in texts.iter().enumerate() {
            let id = sources.add(if k == 0 { "the type" } else { "the other type" }, text.to_string());
            types.push(dminor::read_type(&mut program, text, id)?);
        }
        let options = options_of(asking.reading, asking.solver.as_deref())?;
        let (program, types, options) = (&program, &types[..], &options);
        Ok(dminor::on_large_stack(|| ask(program, types, options)))
    });
    match told {
        Ok(told) if asking.output.json => {
            let mut object = report::json::outcome(&sources, told.word, told.status, &[], env!("CARGO_PKG_VERSION"));
            // As a text: integers of any size must not pass through machine numbers.
            object["value"] = told.value.map(|v| v.to_string()).into();
            print(&format!("{object:#}\n"));
            told.status
        }
        Ok(told) => {
            print(&format!("{}\n", told.text));
            told.status
        }
        Err(problems) => refused(&sources, &problems, asking.output.json, asking.output.color),
    }
}
