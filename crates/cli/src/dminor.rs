//! Dminor programs: `glassbox run FILE.dm f ARGUMENTS` and `glassbox validate FILE.dm TYPE DATA.json`.

use crate::args::{Output, Reading, Run, Validate};
use crate::check::{print, tell};
use crate::inputs;
use dminor::explain::{self, Misfit};
use dminor::interp::{Chooser, First, Interp, Options, Random, Stop};
use dminor::json::{self, Data};
use dminor::program::FunId;
use dminor::{Program, Value};
use serde_json::json;
use source::{Diagnostic, SourceMap};
use std::path::{Path, PathBuf};

/// Evaluations of a run unless the user says otherwise.
const MOST_STEPS: u64 = 100_000_000;

/// Whether the file is a Dminor program.
pub fn is_for(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "dm" || e == "m")
}

/// How it went, with the exit status.
enum Ended {
    Value(Value),
    Valid,
    Invalid(Vec<Misfit>),
    /// The function ends with Error, or its result is not in its type.
    Failed(Vec<Diagnostic>),
    BadInput(Vec<Diagnostic>),
    Limit(Diagnostic),
}

impl Ended {
    fn status(&self) -> u8 {
        match self {
            Ended::Value(_) | Ended::Valid => 0,
            Ended::Invalid(_) | Ended::Failed(_) => 1,
            Ended::BadInput(_) => 2,
            Ended::Limit(_) => 3,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Ended::Value(_) => "value",
            Ended::Valid => "valid",
            Ended::Invalid(_) => "invalid",
            Ended::Failed(_) => "failed",
            Ended::BadInput(_) => "error",
            Ended::Limit(_) => "unknown",
        }
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Ended::Value(_) | Ended::Valid => Vec::new(),
            Ended::Invalid(misfits) => misfits.iter().map(|m| m.diagnostic("invalid")).collect(),
            Ended::Failed(problems) | Ended::BadInput(problems) => problems.clone(),
            Ended::Limit(problem) => vec![problem.clone()],
        }
    }
}

pub fn run(arguments: &Run) -> u8 {
    let mut sources = SourceMap::default();
    let ended = dminor::on_large_stack(|| ran(arguments, &mut sources)).unwrap_or_else(Ended::BadInput);
    report(&sources, &ended, arguments.output)
}

pub fn validate(arguments: &Validate) -> u8 {
    let mut sources = SourceMap::default();
    let ended = dminor::on_large_stack(|| validated(arguments, &mut sources)).unwrap_or_else(Ended::BadInput);
    report(&sources, &ended, arguments.output)
}

fn report(sources: &SourceMap, ended: &Ended, output: Output) -> u8 {
    let (status, problems) = (ended.status(), ended.diagnostics());
    if !output.json {
        tell(output.color, false, sources, &problems);
        match ended {
            Ended::Value(value) => print(&format!("{value}\n")),
            Ended::Valid => print("valid\n"),
            _ => {}
        }
        return status;
    }
    let mut object = report::json::outcome(sources, ended.word(), status, &problems, env!("CARGO_PKG_VERSION"));
    if let Ended::Invalid(misfits) = ended {
        let misfit = |m: &Misfit| {
            json!({
                "path": m.place(),
                "message": m.message(),
                "clause": report::json::place(sources, Some(m.clause)),
                "place": report::json::place(sources, m.at),
            })
        };
        object["misfits"] = misfits.iter().map(misfit).collect();
    }
    let mut text = format!("{object:#}");
    if let Ended::Value(value) = ended {
        // Integers of any size: they must not pass through machine numbers.
        text.truncate(text.trim_end_matches(['}', '\n']).len());
        text.push_str(&format!(",\n  \"result\": {value}\n}}"));
    }
    print(&format!("{text}\n"));
    status
}

fn options(reading: Reading) -> Options {
    let (strict_type_tests, strict_ops) = (reading.strict_type_tests, reading.strict_ops);
    Options { strict_type_tests, strict_ops, fuel: Some(MOST_STEPS), contracts: false }
}

pub fn load(path: &PathBuf, sources: &mut SourceMap) -> Result<Program, Vec<Diagnostic>> {
    if !is_for(path) {
        let message = format!("`{}` is no Dminor program", path.display());
        return Err(vec![Diagnostic::error("bad-usage", None, message).help("its name ends with .dm or .m")]);
    }
    let files = inputs::read(sources, std::slice::from_ref(path))?;
    let loaded = dminor::load(&sources.file(files[0]).text, files[0]);
    loaded.program.ok_or(loaded.diagnostics)
}

fn stopped(program: &Program, stop: &Stop) -> Ended {
    match stop {
        Stop::Error(_) => Ended::Failed(vec![stop.diagnostic(program)]),
        Stop::Limit(..) => Ended::Limit(stop.diagnostic(program)),
    }
}

fn function(program: &Program, name: &str) -> Result<FunId, Vec<Diagnostic>> {
    program.function_called(name).ok_or_else(|| {
        let known = program.functions.iter().map(|f| f.name.as_str());
        let help = source::suggestion(name, known, "functions are declared as name(x: T) : U { e }");
        vec![Diagnostic::error("unknown-function", None, format!("there is no function `{name}`")).help(help)]
    })
}

/// JSON from the command line, or from a file behind `@`.
fn arguments_of(given: &[String], sources: &mut SourceMap) -> Result<Vec<Data>, Vec<Diagnostic>> {
    let (mut read, mut problems) = (Vec::new(), Vec::new());
    for (k, text) in given.iter().enumerate() {
        let file = match text.strip_prefix('@') {
            Some(path) => match inputs::read(sources, &[PathBuf::from(path)]) {
                Ok(files) => files[0],
                Err(unreadable) => {
                    problems.extend(unreadable);
                    continue;
                }
            },
            None => sources.add(format!("argument {}", k + 1), text.clone()),
        };
        match json::parse(&sources.file(file).text, file) {
            Ok(data) => read.push(data),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(read) } else { Err(problems) }
}

fn ran(arguments: &Run, sources: &mut SourceMap) -> Result<Ended, Vec<Diagnostic>> {
    let program = load(&arguments.file, sources)?;
    let Some(name) = &arguments.term else {
        let problem = Diagnostic::error("bad-usage", None, "there is no function to run");
        return Err(vec![problem.help("name it: glassbox run FILE.dm FUNCTION ARGUMENT…")]);
    };
    let id = function(&program, name)?;
    let declared = program.function(id);
    let (wanted, given) = (declared.parameters.len(), arguments.arguments.len());
    if wanted != given {
        let names: Vec<&str> = declared.parameters.iter().map(|(v, _)| program.variable(*v).name.as_str()).collect();
        let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (wanted, given) = (counted(wanted, "parameter"), counted(given, "argument"));
        let message = format!("`{}` has {wanted}, but gets {given}", declared.name);
        let problem = Diagnostic::error("wrong-arity", declared.name_span, message);
        return Err(vec![problem.help(format!("pass JSON for each of: {}", names.join(", ")))]);
    }
    let data = arguments_of(&arguments.arguments, sources)?;
    let values: Vec<Value> = data.iter().map(|d| d.value.clone()).collect();
    let mut options = options(arguments.reading);
    options.fuel = Some(arguments.max_steps.unwrap_or(MOST_STEPS));
    match Interp::new(&program, options, &mut First).ill_typed(id, &values) {
        Ok(None) => {}
        Ok(Some(k)) => {
            return match explain::of_argument(&program, options, id, &data, k) {
                Ok(misfits) => {
                    let name = &program.variable(declared.parameters[k].0).name;
                    let problem = |m: &Misfit| {
                        let problem = m.diagnostic("ill-typed-argument");
                        Diagnostic { message: format!("argument `{name}`: {}", problem.message), ..problem }
                    };
                    Err(misfits.iter().map(problem).collect())
                }
                Err(stop) => Ok(stopped(&program, &stop)),
            };
        }
        Err(stop) => return Ok(stopped(&program, &stop)),
    }
    options.contracts = arguments.contracts;
    let mut random;
    let mut first = First;
    let chooser: &mut dyn Chooser = match arguments.seed {
        Some(seed) => {
            random = Random::new(seed);
            &mut random
        }
        None => &mut first,
    };
    let result = match Interp::new(&program, options, chooser).call(id, &values) {
        Ok(result) => result,
        Err(stop) => return Ok(stopped(&program, &stop)),
    };
    match explain::of_result(&program, options, id, &values, &result) {
        Ok(misfits) if misfits.is_empty() => Ok(Ended::Value(result)),
        Ok(misfits) => {
            let name = &program.function(id).name;
            let problem = |m: &Misfit| {
                let problem = m.diagnostic("ill-typed-result");
                let message = format!("the result of `{name}` is not in its type: {}", problem.message);
                Diagnostic { message, ..problem }
            };
            Ok(Ended::Failed(misfits.iter().map(problem).collect()))
        }
        Err(stop) => Ok(stopped(&program, &stop)),
    }
}

fn validated(arguments: &Validate, sources: &mut SourceMap) -> Result<Ended, Vec<Diagnostic>> {
    let mut program = load(&arguments.file, sources)?;
    let type_file = sources.add("the type", arguments.type_text.clone());
    let (ty, variables) = dminor::read_type(&mut program, &arguments.type_text, type_file)?;
    let files = inputs::read(sources, std::slice::from_ref(&arguments.data))?;
    let data = json::parse(&sources.file(files[0]).text, files[0]).map_err(|d| vec![d])?;
    match explain::misfits(&program, options(arguments.reading), &data, &ty, &variables) {
        Ok(misfits) if misfits.is_empty() => Ok(Ended::Valid),
        Ok(misfits) => Ok(Ended::Invalid(misfits)),
        Err(stop) => Ok(stopped(&program, &stop)),
    }
}
