//! Text to syntax trees and back: `lexer` makes tokens, `parser` declarations, `types` and `expressions` what is in them, `print` text
//! that reads back to the same tree. Every mistake is a located diagnostic; what follows the next declaration is read all the same.

pub mod ast;
mod expected;
mod expressions;
mod layout;
pub(crate) mod lexer;
mod parser;
mod print;
mod types;

use ast::{Module, Type};
use source::{Diagnostic, FileId};
use std::collections::HashSet;
use work::Stop;

pub use layout::laid_out;
pub use lexer::quote;
pub use print::{expression, label, modules as print, note, type_text};

/// What was read.
pub struct Parsed {
    /// Declarations with mistakes are left out.
    pub modules: Vec<Module>,
    /// Names that occur in those.
    pub doubtful: HashSet<String>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file. When `stop` is due, what comes out is not all of it.
pub fn parse(text: &str, file: FileId, stop: &Stop) -> Parsed {
    work::on_large_stack(|| {
        let mut diagnostics = Vec::new();
        let tokens = lexer::tokens(text, file, stop, &mut diagnostics);
        let (modules, doubtful) = parser::modules(tokens, stop, &mut diagnostics);
        Parsed { modules, doubtful, diagnostics }
    })
}

/// Reads a closed type.
pub(crate) fn parse_type(text: &str, file: FileId) -> (Option<Type>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let tokens = lexer::tokens(text, file, &Stop::default(), &mut diagnostics);
    let parsed = parser::only_type(tokens, &mut diagnostics);
    (parsed, diagnostics)
}
