//! The command `glassbox`: arguments, files, progress, exit status. What is checked and how it is shown is decided elsewhere.
//!
//! Exit status: 0 all verified, 1 a violation, 2 bad usage or bad input, 3 unknown (also after an internal error, of which
//! nothing can be concluded).

mod answer;
mod args;
mod bounds;
mod check;
mod engine;
mod halt;
mod inputs;
mod progress;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args::Command::Check(arguments) = args::Cli::parse().command;
    std::panic::set_hook(Box::new(|panic| {
        eprintln!(
            "internal error: {panic}\nThis is a bug of glassbox, not of your code. Please report it, with the input."
        );
    }));
    let status = std::panic::catch_unwind(|| check::check(Box::leak(Box::new(arguments)))).unwrap_or(3);
    ExitCode::from(status)
}
