//! `glassbox run` of a Hob program: text in and out, contracts checked on the way if asked for.

use super::files;
use crate::args::Run;
use crate::beside::beside;
use crate::kinds::{Kind, jobs};
use crate::output::tell;
use crate::signals;
use hob::Program;
use hob::interp::{self, Ending, Options, Refused, Stop as Stopped, World};
use hob::program::ProcId;
use source::{Diagnostic, SourceMap};
use std::io::{BufRead, ErrorKind};
use std::path::PathBuf;
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
                // What the program says of itself.
                Ending::Exited(status) => *status as u8,
                Ending::Stopped(stopped) => match **stopped {
                    Stopped::Fault { .. } | Stopped::Violation(_) | Stopped::Assumption { .. } => 1,
                    Stopped::Steps { .. } | Stopped::Interrupted | Stopped::Exit(_) => 3,
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
    let files = match &arguments.files {
        Some(folder) => Some(folder.canonicalize().map_err(|e| {
            usage(format!("the folder {} cannot be opened: {e}", folder.display()), "--files names a folder")
        })?),
        None => None,
    };
    let (program, ..) = files::load(&job.files, &job.alone, true, sources)?;
    let entry = entry(&program, arguments.term.as_deref())
        .map_err(|message| usage(message, "name a procedure without formals: glassbox run FOLDER Module.proc"))?;
    let mut world = Terminal { files, stop, is_within_line: false };
    let options = Options {
        check_contracts: arguments.contracts,
        steps: arguments.max_steps.unwrap_or(u64::MAX),
        seed: arguments.seed.unwrap_or(0),
        ..Options::default()
    };
    let outcome = interp::run(&program, entry, &[], &mut world, &options);
    // The error is printed on a line of its own.
    if world.is_within_line && matches!(outcome.ending, Ending::Stopped(_)) {
        world.print("\n");
    }
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

/// The user's terminal or pipe, and the files below the folder that was named.
struct Terminal {
    files: Option<PathBuf>,
    stop: Stop,
    /// The last line that was printed has no end.
    is_within_line: bool,
}

impl Terminal {
    /// Where a file is, if that is below the folder; links and `..` are followed first.
    fn allowed(&self, name: &str) -> Result<PathBuf, Refused> {
        let root = self.files.as_ref().ok_or(Refused::NotAllowed)?;
        let path = root.join(name);
        let real = match path.canonicalize() {
            Ok(real) => real,
            // A file to be made: its folder must be there.
            Err(_) => {
                let (folder, last) = path.parent().zip(path.file_name()).ok_or(Refused::NotAllowed)?;
                let is_link = path.symlink_metadata().is_ok_and(|m| m.is_symlink());
                let folder = folder.canonicalize().map_err(|_| Refused::Missing)?;
                if is_link {
                    return Err(Refused::NotAllowed);
                }
                folder.join(last)
            }
        };
        if real.starts_with(root) { Ok(real) } else { Err(Refused::NotAllowed) }
    }
}

impl World for Terminal {
    fn print(&mut self, text: &str) {
        self.is_within_line = text.chars().next_back().map_or(self.is_within_line, |last| last != '\n');
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

    fn file(&mut self, name: &str) -> Result<Vec<u8>, Refused> {
        let path = self.allowed(name)?;
        std::fs::read(path).map_err(|e| match e.kind() {
            ErrorKind::NotFound => Refused::Missing,
            _ => Refused::Failed(e.to_string()),
        })
    }

    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), Refused> {
        let path = self.allowed(name).map_err(|why| match why {
            Refused::Missing => Refused::Failed("there is no such folder".to_owned()),
            why => why,
        })?;
        std::fs::write(path, bytes).map_err(|e| Refused::Failed(e.to_string()))
    }

    fn now(&self) -> f64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0.0, |since| since.as_secs_f64())
    }

    fn interrupted(&self) -> bool {
        self.stop.is_due()
    }
}
