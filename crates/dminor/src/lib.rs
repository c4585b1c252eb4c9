//! Dminor (`.dm`, `.m`): data-processing programs with refinement types and dynamic type tests. Syntax, static checks, values, the
//! big-step interpreter, JSON, explanations of what does not fit a type, random values of a type, types from JSON Schema, and the verifier.
//!
//! What goes in: the text of a file. What comes out: a [`program::Program`], in which every name is resolved, its runs ([`interp`]), and
//! whether it can ever go wrong ([`verify`], [`typing`]). The language is described in `docs/dminor.md`; it follows "Automatically Verifying
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
use work::{Cause, Stop};

pub use program::Program;
pub use value::Value;

/// What a file says, if it can be used, and all that is wrong with it.
pub struct Loaded {
    pub program: Option<Program>,
    pub diagnostics: Vec<Diagnostic>,
    /// The run had to end before all was read: then there is neither a program nor a diagnostic.
    pub stopped: Option<Cause>,
}

impl Loaded {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Reads a file: syntax, then names, arities, purity and recursive types. A program comes out only if there is no error.
pub fn load(text: &str, file: FileId) -> Loaded {
    load_until(text, file, &Stop::default())
}

/// The same, unless `stop` is due before.
pub fn load_until(text: &str, file: FileId, stop: &Stop) -> Loaded {
    work::on_large_stack(|| {
        let syntax::Parsed { modules, doubtful, mut diagnostics } = syntax::parse(text, file, stop);
        let program = statics::resolve(&modules, doubtful, stop, &mut diagnostics);
        if let Some(cause) = stop.cause() {
            return Loaded { program: None, diagnostics: Vec::new(), stopped: Some(cause) };
        }
        diagnostics.sort_by_key(|d| d.span.map(|s| s.start));
        let mut loaded = Loaded { program: None, diagnostics, stopped: None };
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
