//! `glassbox run` of a Hob program: text in and out, contracts checked on the way if asked for.

use super::files;
use crate::args::Run;
use crate::beside::beside;
use crate::kinds::{Kind, jobs};
use crate::output::tell;
use crate::signals;
use hob::Program;
use hob::interp::{self, Ending, Options, Stop as Stopped, World};
use hob::program::ProcId;
use source::{Diagnostic, SourceMap};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use work::Stop;

pub fn run(arguments: Run) -> u8 {
    let stop = signals::watch(None, None);
    let color = arguments.output.color;
    let at_work = stop.clone();
    // A program that waits for a line does not see a signal: it is left waiting.
    let ended = beside(&stop, move || {
        let mut sources = SourceMap::default();
        let ended = ran(&arguments, &mut sources, at_work).map(|(program, outcome)| {
            let status = match &outcome.ending {
                Ending::Returned(_) => 0,
                Ending::Stopped(stopped) => match **stopped {
                    Stopped::Fault { .. } | Stopped::Violation(_) | Stopped::Assumption { .. } => 1,
                    Stopped::Steps { .. } | Stopped::Interrupted => 3,
                },
            };
            (status, outcome.diagnostic(&program))
        });
        (sources, ended)
    });
    match ended {
        None => 3,
        Some((sources, Ok((status, problem)))) => {
            tell(color, false, &sources, problem.as_slice());
            status
        }
        Some((sources, Err(problems))) => {
            tell(color, false, &sources, &problems);
            2
        }
    }
}

fn ran(arguments: &Run, sources: &mut SourceMap, stop: Stop) -> Result<(Program, interp::Outcome), Vec<Diagnostic>> {
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
    let jobs = jobs(std::slice::from_ref(&arguments.file), &[])?;
    let Some(job) = jobs.into_iter().find(|j| j.kind == Kind::Hob) else {
        return Err(usage("there is no Hob program here".to_owned(), "name its folder"));
    };
    let (program, ..) = files::load(&job.files, &job.alone, sources)?;
    let entry = entry(&program, arguments.term.as_deref())
        .map_err(|message| usage(message, "name a procedure without formals: glassbox run FOLDER Module.proc"))?;
    let folder = if arguments.file.is_dir() { Some(arguments.file.as_path()) } else { arguments.file.parent() };
    let mut world = Terminal { folder: folder.unwrap_or(Path::new("")).to_path_buf(), stop };
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
    stop: Stop,
}

impl World for Terminal {
    fn print(&mut self, text: &str) {
        crate::output::print(text);
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
        self.stop.is_due()
    }
}
