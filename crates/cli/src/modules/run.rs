//! `glassbox run` of a Hob program: text in and out, contracts checked on the way if asked for.

use super::files;
use crate::args::Run;
use crate::check::tell;
use crate::halt::Halt;
use hob::Program;
use hob::interp::{self, Ending, Options, Stop, World};
use hob::program::ProcId;
use source::{Diagnostic, SourceMap};
use std::io::BufRead;
use std::path::{Path, PathBuf};

pub fn run(arguments: &Run) -> u8 {
    let mut sources = SourceMap::default();
    match ran(arguments, &mut sources) {
        Ok((program, outcome)) => {
            let status = match &outcome.ending {
                Ending::Returned(_) => 0,
                Ending::Stopped(stop) => match **stop {
                    Stop::Fault { .. } | Stop::Violation(_) | Stop::Assumption { .. } => 1,
                    Stop::Steps { .. } | Stop::Interrupted => 3,
                },
            };
            if let Some(problem) = outcome.diagnostic(&program) {
                tell(arguments.output.color, false, &sources, &[problem]);
            }
            status
        }
        Err(problems) => {
            tell(arguments.output.color, false, &sources, &problems);
            2
        }
    }
}

fn ran(arguments: &Run, sources: &mut SourceMap) -> Result<(Program, interp::Outcome), Vec<Diagnostic>> {
    let usage = |message: String, help: &str| vec![Diagnostic::error("bad-usage", None, message).help(help)];
    if arguments.output.json {
        return Err(usage("a program prints what it prints, not JSON".to_owned(), "leave out --json"));
    }
    if let Some(extra) = arguments.arguments.first() {
        return Err(usage(
            format!("a Hob program takes no arguments, but `{extra}` follows"),
            "it reads its input by lines",
        ));
    }
    let (program, ..) = files::load(std::slice::from_ref(&arguments.file), sources)?;
    let entry = entry(&program, arguments.term.as_deref())
        .map_err(|message| usage(message, "name a procedure without formals: glassbox run FOLDER Module.proc"))?;
    let folder = if arguments.file.is_dir() { Some(arguments.file.as_path()) } else { arguments.file.parent() };
    let mut world = Terminal { folder: folder.unwrap_or(Path::new("")).to_path_buf(), halt: Halt::watch(None, None) };
    let options = Options {
        check_contracts: arguments.contracts,
        steps: arguments.max_steps.unwrap_or(u64::MAX),
        seed: arguments.seed.unwrap_or(0),
        ..Options::default()
    };
    let outcome = interp::run(&program, entry, &[], &mut world, &options);
    Ok((program, outcome))
}

fn entry(program: &Program, name: Option<&str>) -> Result<ProcId, String> {
    let Some(name) = name else { return interp::entry_point(program) };
    let fits = |id: &ProcId| {
        let proc = program.proc(*id);
        program.proc_name(*id) == name && proc.formals == 0 && proc.body.is_some()
    };
    let all = (0..program.procs.len() as u32).map(ProcId);
    all.into_iter().find(fits).ok_or_else(|| format!("there is no procedure `{name}()` without formals"))
}

/// The user's terminal or pipe; files are looked up in the program's folder first.
struct Terminal {
    folder: PathBuf,
    halt: Halt,
}

impl World for Terminal {
    fn print(&mut self, text: &str) {
        crate::check::print(text);
    }

    fn read_line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let read = std::io::stdin().lock().read_until(b'\n', &mut line).ok()?;
        if read == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&line);
        Some(line.trim_end_matches(['\n', '\r']).to_owned())
    }

    fn file(&mut self, name: &str) -> Option<Vec<String>> {
        let beside = self.folder.join(name);
        let text = std::fs::read_to_string(beside).or_else(|_| std::fs::read_to_string(name)).ok()?;
        Some(text.lines().map(str::to_owned).collect())
    }

    fn interrupted(&self) -> bool {
        self.halt.reason().is_some()
    }
}
