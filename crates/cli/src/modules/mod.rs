//! `glassbox check` of Hob modules: files or a folder in, one answer per procedure out, by the plugin that the module names.

mod answers;
mod bounded;
mod files;
mod json;
mod run;
mod text;

pub use files::is_for;
pub use run::run;

use crate::args::{Check, Emit};
use crate::check::{print, refused, tell, wants_color};
use crate::halt::Halt;
use answers::{Answers, Verdict};
use report::Paint;
use source::{Diagnostic, Severity, SourceMap};
use std::io::IsTerminal;

pub fn check(arguments: &'static Check) -> u8 {
    let mut sources = SourceMap::default();
    match checked(arguments, &mut sources) {
        Ok((answers, warnings)) if arguments.emit == Some(Emit::Mona) => {
            tell(arguments.color, false, &sources, &warnings);
            print(&answers.mona(&sources));
            0
        }
        Ok((answers, warnings)) => {
            let status = status(&answers);
            if arguments.is_json() {
                print(&format!("{:#}\n", json::report(&sources, &answers, &warnings, status)));
            } else {
                tell(arguments.color, arguments.quiet, &sources, &warnings);
                let paint = Paint { color: wants_color(arguments.color, std::io::stdout().is_terminal()) };
                print(&text::report(&sources, &answers, paint, arguments.quiet));
            }
            status
        }
        Err(problems) => refused(&sources, &problems, arguments.is_json(), arguments.color),
    }
}

fn checked(arguments: &Check, sources: &mut SourceMap) -> Result<(Answers, Vec<Diagnostic>), Vec<Diagnostic>> {
    if let Some(emit) = arguments.emit.filter(|e| *e != Emit::Mona) {
        let message = format!("Hob modules have no {emit:?} to print");
        return Err(vec![Diagnostic::error("bad-usage", None, message).help("--emit mona prints what is decided")]);
    }
    let (program, given, mut warnings) = files::load(&arguments.files, sources)?;
    warnings.retain(|d| d.severity != Severity::Error);
    let targets = answers::targets(&program, &given, arguments.module.as_deref(), arguments.proc.as_deref())?;
    let halt = Halt::watch(arguments.timeout, arguments.memory);
    let answers = answers::answer(program, &given, &targets, arguments, sources, &halt);
    halt.end();
    Ok((answers, warnings))
}

/// As everywhere: 1 a violation, 3 not decided or nothing to check.
fn status(answers: &Answers) -> u8 {
    let verdicts = || answers.modules.iter().flat_map(|m| &m.procs).map(|p| &p.verdict);
    if verdicts().any(|v| matches!(v, Verdict::Fails(_))) || !answers.broken_initially.is_empty() {
        1
    } else if verdicts().any(|v| matches!(v, Verdict::Unknown(_))) || verdicts().next().is_none() {
        3
    } else {
        0
    }
}
