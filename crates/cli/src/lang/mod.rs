//! Definitions of languages, as the command line gives them.

use crate::args::{Check, Engine, Run};
use crate::inputs;
use crate::session::Teller;
use drive::languages::{self, Choice, Language, Options};
use drive::{Audience, Event, keep};
use source::{Diagnostic, Severity, SourceMap};
use std::path::PathBuf;
use std::sync::Arc;
use verdict::Outcome;
use work::Stop;

/// Steps of a program unless the user says otherwise.
const MOST_STEPS: u64 = 100;

pub fn check(arguments: &Check, files: &[PathBuf], sources: &mut SourceMap, stop: &Stop, teller: &mut Teller) {
    let (languages, problems) = load(arguments, files, sources, stop);
    teller.tell(Event::Sources(Arc::new(sources.clone())));
    let (errors, warnings): (Vec<_>, Vec<_>) = problems.into_iter().partition(|p| p.severity == Severity::Error);
    teller.tell(Event::Warnings(warnings));
    if !errors.is_empty() {
        teller.tell(Event::Errors(errors));
        return;
    }
    if languages.is_empty() {
        return;
    }
    if arguments.latex {
        let texts: Vec<String> = languages.iter().map(|l| lang::latex::definition(&l.lang)).collect();
        teller.emit("latex", texts.join("\n"));
        return;
    }
    let options = Options {
        check: arguments.check.clone(),
        threads: arguments.threads(),
        certify: arguments.certify,
        enumerate: arguments.engine == Engine::Exhaustive,
        mutate: arguments.mutate,
    };
    languages::check(keep(languages), &options, stop, teller);
}

fn load(
    arguments: &Check,
    files: &[PathBuf],
    sources: &mut SourceMap,
    stop: &Stop,
) -> (Vec<Language>, Vec<Diagnostic>) {
    let files = match inputs::read(sources, files) {
        Ok(files) => files,
        Err(problems) => return (Vec::new(), problems),
    };
    let choice = Choice {
        language: arguments.language.clone(),
        check: arguments.check.clone(),
        bounds: arguments.bounds.clone(),
    };
    languages::load(&files, sources, &choice, stop)
}

/// A program of a language. Must run on a large stack.
pub fn run(arguments: &Run, sources: &mut SourceMap, stop: &Stop) -> Result<Outcome, Vec<Diagnostic>> {
    let usage = |message: String| {
        let help = "quote it: glassbox run FILE.lang 'TERM'";
        vec![Diagnostic::error("bad-usage", None, message).help(help)]
    };
    if let Some(extra) = arguments.arguments.first() {
        return Err(usage(format!("a program of a language is one argument, but `{extra}` follows")));
    }
    let Some(written) = &arguments.term else { return Err(usage("there is no program to run".to_string())) };
    let files = inputs::read(sources, std::slice::from_ref(&arguments.file))?;
    let file = lang::syntax::parse(&sources.file(files[0]).text, files[0]);
    if file.has_errors() {
        return Err(file.diagnostics);
    }
    let lang = languages::choose(&file.languages, arguments.language.as_deref()).map_err(|d| vec![d])?;
    let id = sources.add("the command line", written.as_str());
    let ran = languages::run(lang, written, id, arguments.max_steps.unwrap_or(MOST_STEPS), stop)?;
    Ok(Outcome { ran: Some(Box::new(ran)), ..Outcome::new("ran", 0) })
}
