//! Finding the solver: the one that the user names, `$GLASSBOX_Z3`, `z3` on the path, `cvc5` on the path.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use work::{Stop, output_within};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Z3,
    Cvc5,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Z3 => "Z3",
            Kind::Cvc5 => "cvc5",
        }
    }
}

/// A solver that was found, and answers to its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub path: PathBuf,
    pub kind: Kind,
    /// As it says itself: "4.8.12".
    pub version: String,
    /// Further ones for the command, such as `smt.random_seed=7`.
    pub arguments: Vec<String>,
}

/// Why there is no solver, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    pub message: String,
    pub help: String,
}

/// A program that says nothing for this long is not one that we know.
const PROBE: Duration = Duration::from_secs(10);

/// Older versions of Z3 lack datatypes and sequences as they are used here.
const OLDEST_Z3: (u32, u32) = (4, 8);

/// The probes end when `stop` has a deadline and it is reached.
pub fn find(named: Option<&Path>, stop: &Stop) -> Result<Program, Missing> {
    if let Some(path) = named {
        return Ok(ask(path, stop)?);
    }
    if let Some(path) = std::env::var_os("GLASSBOX_Z3").filter(|p| !p.is_empty()) {
        return Ok(ask(Path::new(&path), stop)?);
    }
    let mut first = None;
    for name in ["z3", "cvc5"] {
        match ask(Path::new(name), stop) {
            Ok(program) => return Ok(program),
            // One that is there but does not fit is reported.
            Err((missing, is_there)) if is_there => return Err(missing),
            Err((missing, _)) => first = first.or(Some(missing)),
        }
    }
    Err(first.unwrap_or_else(|| missing("no SMT solver was found".to_string())))
}

/// A solver that shares nothing with this one: `$GLASSBOX_CVC5` or `cvc5` on the path beside Z3, `z3` beside cvc5.
pub fn another(than: &Program, stop: &Stop) -> Result<Program, Missing> {
    let (name, wanted) = match than.kind {
        Kind::Z3 => (std::env::var_os("GLASSBOX_CVC5").filter(|p| !p.is_empty()).unwrap_or("cvc5".into()), Kind::Cvc5),
        Kind::Cvc5 => ("z3".into(), Kind::Z3),
    };
    let path = Path::new(&name);
    let help = "install it, for example with `apt-get install cvc5`, or name it with GLASSBOX_CVC5";
    match ask(path, stop) {
        Ok(program) if program.kind == wanted => Ok(program),
        Ok(_) => {
            Err(Missing { message: format!("`{}` is not another solver", path.display()), help: help.to_string() })
        }
        Err((Missing { message, .. }, _)) => Err(Missing { message, help: help.to_string() }),
    }
}

fn missing(message: String) -> Missing {
    let help = "install Z3, for example with `apt-get install z3`, or name a solver with --solver PATH or GLASSBOX_Z3";
    Missing { message, help: help.to_string() }
}

/// Whether a program is a solver; if not, why, and whether there is such a program at all.
fn ask(path: &Path, stop: &Stop) -> Result<Program, (Missing, bool)> {
    let time = stop.left().map_or(PROBE, |left| left.min(PROBE));
    let output = output_within(Command::new(path).arg("--version"), time);
    let output = output.map_err(|error| {
        (
            missing(format!("the solver `{}` cannot be run: {error}", path.display())),
            error.kind() != std::io::ErrorKind::NotFound,
        )
    })?;
    let silent = || (missing(format!("`{}` does not answer to `--version`", path.display())), true);
    let text = output.ok_or_else(silent)?;
    let not_a_solver = || (missing(format!("`{}` is not an SMT solver that glassbox knows", path.display())), true);
    let kind = match text.to_lowercase() {
        text if text.contains("z3") => Kind::Z3,
        text if text.contains("cvc5") => Kind::Cvc5,
        _ => return Err(not_a_solver()),
    };
    let version = text.split_whitespace().find(|w| w.starts_with(|c: char| c.is_ascii_digit())).unwrap_or_default();
    let version = version.trim_end_matches(|c: char| !c.is_ascii_digit()).to_string();
    let mut numbers = version.split('.').map(|n| n.parse::<u32>().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if kind == Kind::Z3 && found < OLDEST_Z3 {
        let message = format!("Z3 {version} is too old: {}.{} or newer is needed", OLDEST_Z3.0, OLDEST_Z3.1);
        return Err((missing(message), true));
    }
    Ok(Program { path: path.to_path_buf(), kind, version, arguments: Vec::new() })
}

impl From<(Missing, bool)> for Missing {
    fn from((missing, _): (Missing, bool)) -> Missing {
        missing
    }
}
