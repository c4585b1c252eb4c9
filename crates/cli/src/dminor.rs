//! Dminor programs: `glassbox run FILE.dm f ARGUMENTS` and `glassbox validate FILE.dm TYPE DATA.json`.

use crate::args::{Output, Reading, Run, Validate};
use crate::check::{print, tell};
use crate::inputs;
use dminor::explain::{self, Misfit};
use dminor::interp::{Chooser, First, Given, Interp, Options, Random, Stop};
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
    /// The function ends with Error, or a value is not in the type that it must be in, and why.
    Failed(Vec<Diagnostic>, Vec<Misfit>),
    BadInput(Vec<Diagnostic>),
    Limit(Vec<Diagnostic>),
}

/// Says so where not all misfits are shown.
pub fn and_more(mut problems: Vec<Diagnostic>, misfits: &[Misfit]) -> Vec<Diagnostic> {
    if misfits.len() >= explain::MOST {
        let message = format!("the first {} parts that do not fit are shown; there may be more", misfits.len());
        problems.push(Diagnostic::note("more-misfits", None, message));
    }
    problems
}

impl Ended {
    fn status(&self) -> u8 {
        match self {
            Ended::Value(_) | Ended::Valid => 0,
            Ended::Invalid(_) | Ended::Failed(..) => 1,
            Ended::BadInput(_) => 2,
            Ended::Limit(_) => 3,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Ended::Value(_) => "value",
            Ended::Valid => "valid",
            Ended::Invalid(_) => "invalid",
            Ended::Failed(..) => "failed",
            Ended::BadInput(_) => "error",
            Ended::Limit(_) => "unknown",
        }
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Ended::Value(_) | Ended::Valid => Vec::new(),
            Ended::Invalid(misfits) => and_more(misfits.iter().map(|m| m.diagnostic("invalid")).collect(), misfits),
            Ended::Failed(problems, misfits) => and_more(problems.clone(), misfits),
            Ended::BadInput(problems) | Ended::Limit(problems) => problems.clone(),
        }
    }
}

pub fn run(arguments: &Run) -> u8 {
    let mut sources = SourceMap::default();
    let ended = work::on_large_stack(|| ran(arguments, &mut sources)).unwrap_or_else(Ended::BadInput);
    report(&sources, &ended, arguments.output)
}

pub fn validate(arguments: &Validate) -> u8 {
    let mut sources = SourceMap::default();
    let ended = work::on_large_stack(|| validated(arguments, &mut sources)).unwrap_or_else(Ended::BadInput);
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
    if let Ended::Invalid(misfits) | Ended::Failed(_, misfits) = ended {
        object["misfits"] = misfits_json(sources, misfits);
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

pub fn misfits_json(sources: &SourceMap, misfits: &[Misfit]) -> serde_json::Value {
    let misfit = |m: &Misfit| {
        json!({
            "path": m.place(),
            "message": m.message(),
            "clause": report::json::place(sources, Some(m.clause)),
            "place": report::json::place(sources, m.at),
        })
    };
    misfits.iter().map(misfit).collect()
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

fn stopped(stop: &Stop) -> Ended {
    match stop {
        Stop::Error(failure) => Ended::Failed(failure.diagnostics(), failure.misfits().to_vec()),
        Stop::Limit(..) => Ended::Limit(stop.diagnostics()),
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
                Err(stop) => Ok(stopped(&stop)),
            };
        }
        Err(stop) => return Ok(stopped(&stop)),
    }
    options.contracts = arguments.contracts;
    let mut given = Given::new(arguments.order.clone());
    let mut random;
    let chooser: &mut dyn Chooser = match arguments.seed {
        Some(seed) => {
            random = Random::new(seed);
            &mut random
        }
        None => &mut given,
    };
    let ended = Interp::new(&program, options, chooser).call(id, &values);
    if given.is_beyond || given.is_longer() {
        let message = "this --order does not fit the run: the run has fewer choices, or fewer members to choose from";
        let help = "leave it out for canonical order, or take the one that `glassbox check` prints";
        return Err(vec![Diagnostic::error("bad-usage", None, message).help(help)]);
    }
    let result = match ended {
        Ok(result) => result,
        Err(stop) => return Ok(stopped(&stop)),
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
            Ok(Ended::Failed(misfits.iter().map(problem).collect(), misfits))
        }
        Err(stop) => Ok(stopped(&stop)),
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
        Err(stop) => Ok(stopped(&stop)),
    }
}
