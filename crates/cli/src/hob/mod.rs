//! Hob modules, as the command line gives them.

mod files;
mod run;

pub use run::run;

use crate::args::{Check, Emit};
use crate::session::Teller;
use drive::modules::{self, Choice, Options};
use drive::{Audience, Event, keep};
use source::{Diagnostic, SourceMap};
use std::path::PathBuf;
use std::sync::Arc;
use work::Stop;

pub fn check(
    arguments: &Check,
    (files, alone): (&[PathBuf], &[PathBuf]),
    sources: &mut SourceMap,
    stop: &Stop,
    teller: &mut Teller,
) {
    let loaded = files::load(files, alone, false, sources);
    teller.tell(Event::Sources(Arc::new(sources.clone())));
    let checked = loaded.and_then(|(program, given, warnings)| {
        if let Some(emit) = arguments.emit.filter(|e| *e != Emit::Mona) {
            let message = format!("Hob modules have no {emit:?} to print");
            return Err(vec![Diagnostic::error("bad-usage", None, message).help("--emit mona prints what is decided")]);
        }
        let choice = Choice { given, module: arguments.module.clone(), proc: arguments.proc.clone() };
        let targets = choice.targets(&program)?;
        teller.tell(Event::Warnings(warnings));
        let options = options(arguments);
        teller.watch(&options.states);
        if arguments.emit == Some(Emit::Mona) {
            teller.emit("mona", modules::mona(&program, &targets, &options, sources, stop));
        } else {
            modules::check(keep(program), &choice, &targets, &options, stop, teller);
        }
        Ok(())
    });
    if let Err(errors) = checked {
        teller.tell(Event::Errors(errors));
    }
}

fn options(arguments: &Check) -> Options {
    Options {
        bound: arguments.size.last,
        threads: arguments.threads(),
        certify: arguments.certify,
        check_null: arguments.check_null,
        mona: mona(),
        ..Options::default()
    }
}

/// `GLASSBOX_MONA`, or `mona` where programs are.
fn mona() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("GLASSBOX_MONA") {
        return Some(PathBuf::from(path));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join("mona")).find(|path| path.is_file())
}
