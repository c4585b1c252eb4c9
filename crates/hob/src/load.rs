//! From the texts of files to a program: syntax, then statics.

use crate::program::Program;
use crate::statics;
use crate::syntax::ast::Files;
use crate::syntax::{self, Outline};
use source::{Diagnostic, FileId, Severity};

/// One file.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    pub file: FileId,
    pub kind: FileKind,
    pub text: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileKind {
    /// `.fl`
    Implementation,
    /// `.sl`
    Specification,
    /// `.al`
    Abstraction,
    /// `.scope`
    Scopes,
}

impl FileKind {
    /// By the end of the name.
    pub fn of(file_name: &str) -> Option<FileKind> {
        let (_, extension) = file_name.rsplit_once('.')?;
        Some(match extension {
            "fl" => FileKind::Implementation,
            "sl" => FileKind::Specification,
            "al" => FileKind::Abstraction,
            "scope" => FileKind::Scopes,
            _ => return None,
        })
    }
}

/// What the files say, if it can be used, and all that is wrong with it.
pub struct Loaded {
    /// Only if there is no error.
    pub program: Option<Program>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Names of modules that a text declares, and of those it mentions.
pub fn outline(input: &Input) -> Outline {
    syntax::outline(input)
}

/// More messages than this help nobody.
const MOST_MESSAGES: usize = 200;

pub fn load(inputs: &[Input]) -> Loaded {
    work::on_large_stack(|| load_here(inputs))
}

fn load_here(inputs: &[Input]) -> Loaded {
    let mut files = Files::default();
    let mut diagnostics = Vec::new();
    for input in inputs {
        syntax::parse(input, &mut files, &mut diagnostics);
    }
    let mut loaded = Loaded { program: None, diagnostics };
    // Messages about names would follow from what could not be read.
    if !loaded.has_errors() {
        let program = statics::resolve(&files, &mut loaded.diagnostics);
        if !loaded.has_errors() {
            loaded.program = Some(program);
        }
    }
    loaded.diagnostics.sort_by_key(|d| d.span.map(|s| (s.file, s.start)));
    if loaded.diagnostics.len() > MOST_MESSAGES {
        let more = loaded.diagnostics.len() - MOST_MESSAGES;
        // Errors go first, so that cutting leaves one.
        loaded.diagnostics.sort_by_key(|d| d.severity != Severity::Error);
        loaded.diagnostics.truncate(MOST_MESSAGES);
        let message = format!("{more} more messages are left out");
        loaded.diagnostics.push(Diagnostic::note("more-messages", None, message).help("correct the first ones"));
    }
    loaded
}
