//! Standard output and standard error: colours, plain text, a pipe that is closed, a disk that is full.

use crate::args::{Cli, Color};
use clap::CommandFactory;
use report::{Paint, Terminal, render_diagnostic};
use source::{Diagnostic, Severity, SourceMap};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;
use verdict::Outcome;

/// Columns for drawings where the terminal does not say how many there are.
const COLUMNS: usize = 120;

/// Errors and warnings that are printed, at most: what follows from a first mistake helps nobody.
const MOST_DIAGNOSTICS: usize = 50;

pub fn paint(color: Color) -> Paint {
    Paint { color: wants_color(color, std::io::stdout().is_terminal()) }
}

fn wants_color(color: Color, is_terminal: bool) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && !is_dumb() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

fn is_dumb() -> bool {
    variable("TERM").is_some_and(|t| t == "dumb")
}

/// Whether nothing but ASCII can be shown: on a dumb terminal, and where the locale says so.
fn is_ascii() -> bool {
    static IS_ASCII: OnceLock<bool> = OnceLock::new();
    *IS_ASCII.get_or_init(|| {
        let locale = variable("LC_ALL").or_else(|| variable("LC_CTYPE")).or_else(|| variable("LANG"));
        is_dumb() || locale.is_some_and(|l| l == "C" || l == "POSIX")
    })
}

/// Of the terminal, if standard output is one.
fn terminal_width() -> Option<usize> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let columns = variable("COLUMNS").and_then(|c| c.parse().ok());
    columns.or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
}

pub fn terminal(color: Color) -> Terminal {
    Terminal::new(paint(color), terminal_width().unwrap_or(COLUMNS))
}

/// Set if an answer could not be written.
static UNWRITTEN: OnceLock<std::io::Error> = OnceLock::new();

/// As it is: for programs, and what programs print.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    // Whoever closed the pipe does not want to hear more; whatever else keeps us from writing is said in the end.
    if let Err(problem) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && problem.kind() != std::io::ErrorKind::BrokenPipe
    {
        let _ = UNWRITTEN.set(problem);
    }
}

fn shown(text: &str) -> String {
    let text = if is_ascii() { report::to_ascii(text) } else { text.to_string() };
    terminal_width().map_or(text.clone(), |columns| report::fold(&text, columns))
}

/// For a person.
pub fn show(text: &str) {
    if !text.is_empty() {
        print(&shown(text));
    }
}

/// Diagnostics on standard error.
pub fn tell(color: Color, quiet: bool, sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let paint = Paint { color: wants_color(color, std::io::stderr().is_terminal()) };
    let wanted = |d: &&Diagnostic| d.severity == Severity::Error || !quiet;
    let say = |text: String| {
        let text = if is_ascii() { report::to_ascii(&text) } else { text };
        let _ = writeln!(std::io::stderr(), "{text}\n");
    };
    for diagnostic in diagnostics.iter().filter(wanted).take(MOST_DIAGNOSTICS) {
        say(render_diagnostic(sources, diagnostic, paint));
    }
    match diagnostics.iter().filter(wanted).count().saturating_sub(MOST_DIAGNOSTICS) {
        0 => {}
        more => say(format!("and {more} more like these")),
    }
}

/// What came of a question without parts.
pub fn outcome(sources: &SourceMap, command: &str, outcome: &Outcome, json: bool, color: Color) -> u8 {
    if json {
        let object = report::json::outcome(sources, command, outcome, env!("CARGO_PKG_VERSION"));
        print(&format!("{object:#}\n"));
    } else {
        tell(color, false, sources, &outcome.problems);
        show(&terminal(color).outcome(outcome));
    }
    outcome.status
}

/// What was made of the input; warnings beside it.
pub fn emitted(sources: &SourceMap, what: &str, text: &str, warnings: &[Diagnostic], json: bool, color: Color) {
    if json {
        let object = report::json::emitted(sources, "check", what, text, warnings, env!("CARGO_PKG_VERSION"));
        print(&format!("{object:#}\n"));
    } else {
        tell(color, false, sources, warnings);
        print(text);
    }
}

/// A report in a file of its own.
pub fn write_file(path: &Path, text: &str) -> bool {
    match std::fs::write(path, text) {
        Ok(()) => true,
        Err(problem) => {
            eprintln!("error: `{}` could not be written: {problem}", path.display());
            false
        }
    }
}

/// The status of the process, after everything is printed: an answer that could not be written is no answer.
pub fn status_if_written(status: u8) -> u8 {
    match UNWRITTEN.get() {
        None => status,
        Some(problem) => {
            eprintln!("error: the answer could not be written: {problem}");
            if status == 0 { 3 } else { status }
        }
    }
}

pub fn completions(shell: clap_complete::Shell) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "glassbox", &mut text);
    print(&String::from_utf8_lossy(&text));
    0
}

pub fn man() -> u8 {
    let mut text = Vec::new();
    if let Err(problem) = clap_mangen::Man::new(Cli::command()).render(&mut text) {
        eprintln!("error: {problem}");
        return 3;
    }
    print(&String::from_utf8_lossy(&text));
    0
}
