//! The command `glassbox`: arguments, files, signals, progress, and the choice of a format. What is checked and how it is shown is decided
//! elsewhere.
//!
//! Exit status: 0 all verified, 1 a violation, 2 bad usage or bad input, 3 unknown (also after an internal error, of which
//! nothing can be concluded).

mod args;
mod ask;
mod check;
mod dminor;
mod hob;
mod inputs;
mod java;
mod kinds;
mod lang;
mod misuse;
mod output;
mod progress;
mod session;
mod signals;

/// Formulas are made and dropped by the thousand: a third of the time of a check went into the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};
use std::process::ExitCode;

fn main() -> ExitCode {
    let matches = Cli::command().get_matches();
    let command = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli.command,
        Err(problem) => problem.exit(),
    };
    let given = misuse::given(&matches);
    std::panic::set_hook(Box::new(|panic| {
        eprintln!(
            "internal error: {panic}\nThis is a bug of glassbox, not of your code. Please report it, with the input."
        );
    }));
    let status = std::panic::catch_unwind(|| match command {
        Command::Check(arguments) => check::check(*arguments, &given),
        Command::Run(arguments) => ask::run(arguments, &given),
        Command::Validate(arguments) => ask::validate(arguments),
        Command::Inhabit(arguments) => ask::inhabit(arguments),
        Command::Subtype(arguments) => ask::subtype(arguments),
        Command::Import(arguments) => ask::import(arguments),
        Command::Completions { shell } => output::completions(shell),
        Command::Man => output::man(),
    })
    .unwrap_or(3);
    ExitCode::from(output::status_if_written(status))
}
