//! Dminor (`.dm`, `.m`): data-processing programs with refinement types and dynamic type tests. Syntax, static checks, values, the
//! big-step interpreter, JSON, explanations of what does not fit a type, random values of a type, and types from JSON Schema.
//!
//! What goes in: the text of a file. What comes out: a [`program::Program`], in which every name is resolved, and its runs. That a
//! program can never go wrong is not decided here. The language is described in `docs/dminor.md`; it follows "Automatically Verifying
//! Typing Constraints for a Data Processing Language" (Backes, Hritcu, Tarrach).

pub mod bemol;
pub mod explain;
pub mod generate;
pub mod import;
pub mod interp;
pub mod json;
pub mod program;
mod stack;
mod statics;
pub mod syntax;
pub mod typing;
pub mod value;
pub mod verify;

use source::{Diagnostic, FileId, Severity};
use std::ops::Range;

pub use program::Program;
pub use value::Value;

/// What a file says, if it can be used, and all that is wrong with it.
pub struct Loaded {
    pub program: Option<Program>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Reads a file: syntax, then names, arities, purity and recursive types. A program comes out only if there is no error.
pub fn load(text: &str, file: FileId) -> Loaded {
    work::on_large_stack(|| {
        let syntax::Parsed { modules, doubtful, mut diagnostics } = syntax::parse(text, file);
        let program = statics::resolve(&modules, doubtful, &mut diagnostics);
        diagnostics.sort_by_key(|d| d.span.map(|s| s.start));
        let mut loaded = Loaded { program: None, diagnostics };
        if !loaded.has_errors() {
            loaded.program = Some(program);
        }
        loaded
    })
}

/// Reads a closed type, such as one of the command line, over the names of a program. It comes with the range of its variables.
pub fn read_type(
    program: &mut Program,
    text: &str,
    file: FileId,
) -> Result<(program::Type, Range<u32>), Vec<Diagnostic>> {
    work::on_large_stack(|| {
        let (parsed, mut diagnostics) = syntax::parse_type(text, file);
        let start = program.variables.len() as u32;
        let resolved = parsed.map(|ty| statics::resolve_type(program, &ty, &mut diagnostics));
        match resolved {
            Some(ty) if diagnostics.is_empty() => Ok((ty, start..program.variables.len() as u32)),
            _ => Err(diagnostics),
        }
    })
}
