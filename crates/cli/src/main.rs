//! The command `glassbox`: arguments, files, progress, exit status. What is checked and how it is shown is decided elsewhere.
//!
//! Exit status: 0 all verified, 1 a violation, 2 bad usage or bad input, 3 unknown (also after an internal error, of which
//! nothing can be concluded).

mod answer;
mod args;
mod bounds;
mod check;
mod dminor;
mod engine;
mod halt;
mod import;
mod inputs;
mod judge;
mod language;
mod limits;
mod modules;
mod progress;
mod run;
mod types;
mod verify;

/// Formulas are made and dropped by the thousand: a third of the time of a check went into the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = args::Cli::parse().command;
    std::panic::set_hook(Box::new(|panic| {
        eprintln!(
            "internal error: {panic}\nThis is a bug of glassbox, not of your code. Please report it, with the input."
        );
    }));
    let status = std::panic::catch_unwind(|| match command {
        args::Command::Check(arguments) => {
            let arguments: &'static args::Check = Box::leak(Box::new(arguments.tidy()));
            if arguments.files.iter().any(|f| dminor::is_for(f)) {
                verify::check(arguments)
            } else if arguments.files.iter().any(|f| modules::is_for(f)) {
                modules::check(arguments)
            } else if language::is_for(arguments) {
                language::check(arguments)
            } else {
                check::check(arguments)
            }
        }
        args::Command::Run(arguments) => run::run(&arguments),
        args::Command::Validate(arguments) => dminor::validate(&arguments),
        args::Command::Inhabit(arguments) => types::inhabit(&arguments),
        args::Command::Subtype(arguments) => types::subtype(&arguments),
        args::Command::Import(arguments) => import::import(&arguments),
    })
    .unwrap_or(3);
    ExitCode::from(check::status_if_written(status))
}
