//! Dminor programs, as the command line gives them.

mod ask;

pub use ask::{import, inhabit, run, subtype, validate};

use crate::args::{By, Check, Emit, Reading};
use crate::inputs;
use crate::session::Teller;
use dminor::verify;
use drive::programs::{self, Method, Source};
use drive::{Audience, Event};
use source::{Diagnostic, Severity, SourceMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use work::Stop;

/// Inputs that are tried to refute a function.
const TRIES: usize = 3_000;

fn reading_of(reading: Reading) -> dminor::bemol::Reading {
    dminor::bemol::Reading { strict_type_tests: reading.strict_type_tests, strict_ops: reading.strict_ops }
}

/// An error if there is no solver.
fn options_of(reading: Reading, solver: Option<&Path>, stop: &Stop) -> Result<verify::Options, Vec<Diagnostic>> {
    let solver = smt::find(solver, stop)
        .map_err(|missing| vec![Diagnostic::error("no-solver", None, missing.message).help(missing.help)])?;
    Ok(verify::Options {
        reading: reading_of(reading),
        lenient_types: false,
        solver,
        patience: Duration::from_secs(3),
        threads: 1,
        tries: TRIES,
        certifier: None,
        stop: stop.clone(),
    })
}

fn options(arguments: &Check, stop: &Stop) -> Result<verify::Options, Vec<Diagnostic>> {
    let mut options = options_of(arguments.reading, arguments.solver.as_deref(), stop)?;
    options.lenient_types = arguments.lenient_types;
    options.threads = arguments.threads();
    options.patience = Duration::from_secs_f64(arguments.solver_timeout);
    if arguments.certify {
        let no_second = |missing: smt::Missing| {
            let message = format!("--certify needs a second solver: {}", missing.message);
            vec![Diagnostic::error("no-solver", None, message).help(missing.help)]
        };
        options.certifier = Some(smt::another(&options.solver, stop).map_err(no_second)?);
    }
    Ok(options)
}

pub fn check(arguments: &Check, files: &[PathBuf], sources: &mut SourceMap, stop: &Stop, teller: &mut Teller) {
    let loaded = load(files, sources);
    teller.tell(Event::Sources(Arc::new(sources.clone())));
    if let Err(errors) = loaded.and_then(|programs| checked(arguments, programs, sources, stop, teller)) {
        teller.tell(Event::Errors(errors));
    }
}

fn load(files: &[PathBuf], sources: &mut SourceMap) -> Result<Vec<Source>, Vec<Diagnostic>> {
    let (mut programs, mut problems) = (Vec::new(), Vec::new());
    for id in inputs::read(sources, files)? {
        let loaded = dminor::load(&sources.file(id).text, id);
        problems.extend(loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).cloned());
        let file = sources.file(id).name.clone();
        programs.extend(loaded.program.map(|program| Source { file, program: Arc::new(program) }));
    }
    if problems.is_empty() { Ok(programs) } else { Err(problems) }
}

fn checked(
    arguments: &Check,
    programs: Vec<Source>,
    sources: &SourceMap,
    stop: &Stop,
    teller: &mut Teller,
) -> Result<(), Vec<Diagnostic>> {
    let refuse = |message: &str, help: &str| Err(vec![Diagnostic::error("bad-usage", None, message).help(help)]);
    let emit = match (arguments.emit, arguments.by) {
        (Some(Emit::Mona), _) => {
            return refuse("a Dminor program has nothing for MONA", "--emit smt2, bemol or boogie");
        }
        (Some(_), By::Types) => {
            return refuse("the type system has no conditions to print", "leave out --by types, or --emit");
        }
        (None, By::Types) if arguments.certify => {
            return refuse("--certify repeats the proofs of conditions", "leave out --by types, or --certify");
        }
        (Some(Emit::Smt2), _) => Some(("smt2", programs::Emit::Smt2)),
        (Some(Emit::Bemol), _) => Some(("bemol", programs::Emit::Bemol)),
        (Some(Emit::Boogie), _) => Some(("boogie", programs::Emit::Boogie)),
        (None, _) => None,
    };
    if let Some((word, emit)) = emit {
        let reading = reading_of(arguments.reading);
        let text = programs.iter().map(|p| programs::emit(p, emit, reading, arguments.lenient_types, sources));
        teller.emit(word, text.collect());
        return Ok(());
    }
    let method = match arguments.by {
        By::Conditions => Method::Conditions,
        By::Types => Method::Types,
    };
    programs::check(&programs, method, &options(arguments, stop)?, teller);
    Ok(())
}
