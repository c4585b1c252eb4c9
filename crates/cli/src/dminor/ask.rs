//! Questions about Dminor programs: run a function, hold data against a type, ask about types, import a schema.

use super::{options_of, reading_of};
use crate::args::{Asking, Import, Inhabit, Reading, Run, SchemaFormat, Subtype, Validate};
use crate::inputs;
use crate::kinds::Kind;
use dminor::Program;
use dminor::import::{Imported, json_schema};
use dminor::interp::Options;
use dminor::json::{self, Data};
use dminor::verify;
use drive::programs::{self, Asked, Call};
use source::{Diagnostic, SourceMap};
use std::path::{Path, PathBuf};
use work::Stop;

/// Evaluations of a run unless the user says otherwise.
const MOST_STEPS: u64 = 100_000_000;

fn options(reading: Reading) -> Options {
    let reading = reading_of(reading);
    let (strict_type_tests, strict_ops) = (reading.strict_type_tests, reading.strict_ops);
    Options { strict_type_tests, strict_ops, fuel: Some(MOST_STEPS), ..Options::default() }
}

fn load(path: &Path, sources: &mut SourceMap) -> Result<Program, Vec<Diagnostic>> {
    if Kind::of(path) != Some(Kind::Dminor) {
        let message = format!("`{}` is not a Dminor program", path.display());
        return Err(vec![Diagnostic::error("bad-usage", None, message).help("its name ends with .dm or .m")]);
    }
    let files = inputs::read(sources, &[path.to_path_buf()])?;
    let loaded = dminor::load(&sources.file(files[0]).text, files[0]);
    loaded.program.ok_or(loaded.diagnostics)
}

/// JSON from the command line, or from a file after `@`.
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

pub fn run(arguments: &Run, sources: &mut SourceMap) -> Asked {
    let program = load(&arguments.file, sources)?;
    let Some(name) = &arguments.term else {
        let problem = Diagnostic::error("bad-usage", None, "there is no function to run");
        return Err(vec![problem.help("name it: glassbox run FILE.dm FUNCTION ARGUMENT…")]);
    };
    let data = arguments_of(&arguments.arguments, sources)?;
    let fuel = Some(arguments.max_steps.unwrap_or(MOST_STEPS));
    let call = Call {
        options: Options { fuel, ..options(arguments.reading) },
        contracts: arguments.contracts,
        seed: arguments.seed,
        order: arguments.order.clone(),
    };
    programs::run(&program, name, &data, &call)
}

pub fn validate(arguments: &Validate, sources: &mut SourceMap) -> Asked {
    let mut program = load(&arguments.file, sources)?;
    let type_file = sources.add("the type", arguments.type_text.clone());
    let ty = dminor::read_type(&mut program, &arguments.type_text, type_file)?;
    let files = inputs::read(sources, std::slice::from_ref(&arguments.data))?;
    let data = json::parse(&sources.file(files[0]).text, files[0]).map_err(|d| vec![d])?;
    Ok(programs::validate(&program, &ty, &data, &options(arguments.reading)))
}

pub fn inhabit(arguments: &Inhabit, sources: &mut SourceMap, stop: &Stop) -> Asked {
    let (program, types, options) =
        about_types(&arguments.asking, &arguments.file, &[&arguments.type_text], sources, stop)?;
    Ok(programs::inhabit(&program, &types[0], &options))
}

pub fn subtype(arguments: &Subtype, sources: &mut SourceMap, stop: &Stop) -> Asked {
    let texts = [&arguments.type_text, &arguments.of];
    let (program, types, options) = about_types(&arguments.asking, &arguments.file, &texts, sources, stop)?;
    Ok(programs::subtype(&program, &types[0], &types[1], &options))
}

/// Reads types over a program.
fn about_types(
    asking: &Asking,
    file: &Path,
    texts: &[&String],
    sources: &mut SourceMap,
    stop: &Stop,
) -> Result<(Program, Vec<verify::Closed>, verify::Options), Vec<Diagnostic>> {
    let mut program = load(file, sources)?;
    let mut types = Vec::new();
    for (k, text) in texts.iter().enumerate() {
        let id = sources.add(if k == 0 { "the type" } else { "the other type" }, text.to_string());
        types.push(dminor::read_type(&mut program, text, id)?);
    }
    let options = options_of(asking.reading, asking.solver.as_deref(), stop)?;
    Ok((program, types, options))
}

/// A module of Dminor types.
pub fn import(arguments: &Import, sources: &mut SourceMap) -> Result<Imported, Vec<Diagnostic>> {
    let files = inputs::read(sources, std::slice::from_ref(&arguments.file))?;
    let from = arguments.file.file_name().unwrap_or_default().to_string_lossy().to_string();
    let name = arguments.name.clone().unwrap_or_else(|| type_name(&from));
    match arguments.format {
        SchemaFormat::JsonSchema => json_schema(&sources.file(files[0]).text, files[0], &name, &from),
    }
}

/// `order.schema.json` has a schema of orders.
fn type_name(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().to_string();
    stem.trim_end_matches(".schema").trim_end_matches("-schema").to_string()
}
