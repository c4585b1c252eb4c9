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

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

/// As [`load`], with files that nobody named: a section of a module that is in one of the named files too is taken from there. What is
/// wrong with the code or the abstraction of a module is no reason to stop if nobody named either: its specification is trusted.
pub fn load_beside(named: &[Input], beside: &[Input], needs_code: bool) -> Loaded {
    work::on_large_stack(|| {
        let of_code = |input: &Input| matches!(input.kind, FileKind::Implementation | FileKind::Abstraction);
        let declared = |only_code: bool| -> Vec<String> {
            let inputs = named.iter().filter(|input| !only_code || of_code(input));
            inputs.flat_map(|input| outline(input).declares).collect()
        };
        // Whoever names specifications alone wants to know what is wrong with their code.
        let given = Some(declared(true)).filter(|given| !given.is_empty()).unwrap_or_else(|| declared(false));
        let mut rest = beside.to_vec();
        loop {
            let loaded = load_both(named, &rest);
            let mut broken: Vec<String> = Vec::new();
            for error in loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error) {
                let input = rest.iter().find(|input| error.span.is_some_and(|s| s.file == input.file));
                let modules = input.filter(|input| of_code(input)).map(|input| outline(input).declares);
                match modules {
                    Some(modules) if !modules.iter().any(|module| given.contains(module)) => broken.extend(modules),
                    _ => return loaded,
                }
            }
            let before = rest.len();
            rest.retain(|i| !of_code(i) || !outline(i).declares.iter().any(|module| broken.contains(module)));
            if needs_code || rest.len() == before {
                return loaded;
            }
        }
    })
}

fn load_here(inputs: &[Input]) -> Loaded {
    load_both(inputs, &[])
}

fn load_both(named: &[Input], beside: &[Input]) -> Loaded {
    let mut files = Files::default();
    let mut diagnostics = Vec::new();
    for input in named {
        syntax::parse(input, &mut files, &mut diagnostics);
    }
    for input in beside {
        let mut more = Files::default();
        syntax::parse(input, &mut more, &mut diagnostics);
        let impls: Vec<String> = files.impls.iter().map(|m| m.name.text.clone()).collect();
        let specs: Vec<String> = files.specs.iter().map(|m| m.name.text.clone()).collect();
        let abstractions: Vec<String> = files.abstractions.iter().map(|m| m.name.text.clone()).collect();
        let scopes: Vec<String> = files.scopes.iter().map(|s| s.name.text.clone()).collect();
        files.impls.extend(more.impls.into_iter().filter(|m| !impls.contains(&m.name.text)));
        files.specs.extend(more.specs.into_iter().filter(|m| !specs.contains(&m.name.text)));
        files.abstractions.extend(more.abstractions.into_iter().filter(|m| !abstractions.contains(&m.name.text)));
        files.scopes.extend(more.scopes.into_iter().filter(|s| !scopes.contains(&s.name.text)));
        files.defaults.extend(more.defaults);
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
