//! Commands that ask one question: `run`, `validate`, `inhabit`, `subtype`, `import`. Like a check they heed signals, wherever they are.

use crate::args::{Color, Import, Inhabit, Output, Run, Subtype, Validate};
use crate::beside::beside;
use crate::kinds::{KNOWN, Kind};
use crate::misuse::{Given, misused};
use crate::output::{outcome, print, tell};
use crate::{dminor, hob, lang, signals};
use source::{Diagnostic, SourceMap};
use verdict::{Outcome, Reason};
use work::Stop;

fn asked(
    command: &str,
    output: Output,
    answer: impl FnOnce(&mut SourceMap, &Stop) -> Result<Outcome, Vec<Diagnostic>> + Send + 'static,
) -> u8 {
    let stop = signals::watch(None, None);
    let of_answer = stop.clone();
    let answered = beside(&stop, move || {
        let mut sources = SourceMap::default();
        let answer = answer(&mut sources, &of_answer).unwrap_or_else(Outcome::refused);
        (sources, answer)
    });
    let (sources, answer) = answered.unwrap_or_else(|| {
        let code = stop.cause().map_or("internal", |cause| Reason::from(cause).code());
        let problem = Diagnostic::error(code, None, "ended before there was an answer");
        (SourceMap::default(), Outcome { problems: vec![problem], ..Outcome::new("unknown", 3) })
    });
    outcome(&sources, command, &answer, output.json, output.color)
}

pub fn run(arguments: Run, given: &Given) -> u8 {
    let kind = if arguments.file.is_dir() { Some(Kind::Hob) } else { Kind::of(&arguments.file) };
    let refuse = |problems: Vec<Diagnostic>| {
        let refused = Outcome::refused(problems);
        outcome(&SourceMap::default(), "run", &refused, arguments.output.json, arguments.output.color)
    };
    let Some(kind) = kind.filter(|k| *k != Kind::Java) else {
        let message = format!("`{}` cannot be run", arguments.file.display());
        let help = format!("a language, a Dminor program or a Hob program can; known are {KNOWN}");
        return refuse(vec![Diagnostic::error("bad-usage", None, message).help(help)]);
    };
    let wrong = misused(given, &[kind]);
    if !wrong.is_empty() {
        return refuse(wrong);
    }
    if kind == Kind::Hob {
        return hob::run(arguments);
    }
    asked("run", arguments.output, move |sources, stop| match kind {
        Kind::Language => lang::run(&arguments, sources, stop),
        _ => dminor::run(&arguments, sources),
    })
}

pub fn validate(arguments: Validate) -> u8 {
    asked("validate", arguments.output, move |sources, _| dminor::validate(&arguments, sources))
}

pub fn inhabit(arguments: Inhabit) -> u8 {
    asked("inhabit", arguments.asking.output, move |sources, stop| dminor::inhabit(&arguments, sources, stop))
}

pub fn subtype(arguments: Subtype) -> u8 {
    asked("subtype", arguments.asking.output, move |sources, stop| dminor::subtype(&arguments, sources, stop))
}

/// The module on standard output, what it does not carry on standard error.
pub fn import(arguments: Import) -> u8 {
    let mut sources = SourceMap::default();
    let (json, color): (bool, Color) = (arguments.output.json, arguments.output.color);
    let imported = match dminor::import(&arguments, &mut sources) {
        Ok(imported) => imported,
        Err(problems) => return outcome(&sources, "import", &Outcome::refused(problems), json, color),
    };
    let mut told: Vec<Diagnostic> = imported.not_carried.iter().map(|n| n.diagnostic(arguments.strict)).collect();
    told.extend(imported.note.clone());
    if arguments.strict && !imported.not_carried.is_empty() {
        return outcome(&sources, "import", &Outcome::refused(told), json, color);
    }
    if json {
        let version = env!("CARGO_PKG_VERSION");
        let object = report::json::emitted(&sources, "import", "dminor", &imported.text, &told, version);
        print(&format!("{object:#}\n"));
    } else {
        tell(color, false, &sources, &told);
        print(&imported.text);
    }
    0
}
