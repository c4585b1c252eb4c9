//! Text to definitions: `lexer` makes tokens, `items` and `layout` find languages, items and rules in two dimensions (`sketch`), `grammar`
//! infers sorts, `forms` reads the user's own syntax, `rules` the rest; what comes out is a [`Lang`] per language, flat.
//!
//! Every mistake is a located diagnostic, as many per run as can be told apart. A language with an error is not returned.

pub(crate) mod forms;
mod grammar;
mod items;
mod layout;
pub(crate) mod lexer;
mod lower;
pub(crate) mod precedence;
mod rules;
mod show;
mod sketch;
mod terms;

use crate::definition::*;
use crate::statics;
use rustc_hash::FxHashSet;
use source::{Diagnostic, FileId, Severity};
use work::Stop;

pub use terms::{read_bounds, read_term};

/// The languages of a file, in order; those with errors are missing (`None`), so that `extends` keeps its indices.
pub struct File {
    pub languages: Vec<Option<Lang>>,
    pub diagnostics: Vec<Diagnostic>,
}

impl File {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }

    /// Those without errors.
    pub fn langs(&self) -> impl Iterator<Item = &Lang> {
        self.languages.iter().flatten()
    }
}

/// Reads a file.
pub fn parse(text: &str, file: FileId) -> File {
    let nothing = File { languages: Vec::new(), diagnostics: Vec::new() };
    parse_until(text, file, &Stop::default()).unwrap_or(nothing)
}

/// Reads a file, if there is time for it.
pub fn parse_until(text: &str, file: FileId, stop: &Stop) -> Option<File> {
    let mut diagnostics = Vec::new();
    let lines = lexer::lines(text, file);
    let sketches = items::sketches(&lines, stop, &mut diagnostics);
    let mut languages = Vec::new();
    let mut said = FxHashSet::default();
    for sketch in &sketches {
        if stop.is_due() {
            return None;
        }
        let mut own = Vec::new();
        let mut grammar = grammar::Grammar::build(sketch, &mut own);
        let parts = rules::read(&grammar, sketch, stop, &mut own);
        grammar.lang.rules = parts.rules;
        grammar.lang.checks = parts.checks;
        grammar.lang.bounds = parts.bounds;
        grammar.lang.expects.clone_from(&sketch.expects);
        for (fun, equations) in grammar.lang.funs.iter_mut().zip(parts.equations) {
            fun.equations = equations;
        }
        statics::check(&grammar.lang, &mut own);
        unknown_checks(sketch, &mut own);
        let good = !sketch.is_broken && !own.iter().any(|d| d.severity == Severity::Error);
        languages.push(good.then_some(grammar.lang));
        // What an extension inherits was already said where it stands.
        for diagnostic in own {
            if said.insert((diagnostic.id, diagnostic.span, diagnostic.message.clone())) {
                diagnostics.push(diagnostic);
            }
        }
    }
    diagnostics.sort_by_key(|d| d.span.map(|s| s.start));
    // Whoever stopped on the way has left something out.
    (!stop.is_due()).then_some(File { languages, diagnostics })
}

/// N1 for what is expected of a check that is not there. One that could not be read is there all the same.
fn unknown_checks(sketch: &sketch::Sketch, diagnostics: &mut Vec<Diagnostic>) {
    let names: Vec<&str> = sketch.checks.iter().map(|c| c.name.as_str()).collect();
    for expect in sketch.expects.iter().filter(|e| !names.contains(&e.check.as_str())) {
        let help = match names[..] {
            [] => format!("{} has no checks", sketch.name),
            _ => format!("the checks of {} are: {}", sketch.name, names.join(", ")),
        };
        let message = format!("there is no check named {}", expect.check);
        diagnostics.push(Diagnostic::error("N1", expect.span, message).help(help));
    }
}
