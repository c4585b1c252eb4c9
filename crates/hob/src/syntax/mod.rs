//! From text to syntax: `.fl`, `.sl`, `.al` and `.scope`. `lexer` makes tokens, `parser` is the cursor over them, the other files
//! read one language each; `outline` finds which modules a text speaks of.
//!
//! Every mistake is a located diagnostic; what follows the next statement or member is read all the same.

mod abstraction;
pub mod ast;
mod expressions;
mod formulas;
pub mod heap;
mod implementation;
mod lexer;
mod outline;
mod parser;
mod pointcuts;
mod specification;

use crate::{FileKind, Input};
use ast::{Files, Formula, Quoted};
use lexer::Mode;
use parser::{CODE_WORDS, FORMULA_WORDS, Parser};
use source::Diagnostic;

pub use outline::{Outline, outline};

/// Reads a file and adds what it says to the others.
pub fn parse(input: &Input, files: &mut Files, diagnostics: &mut Vec<Diagnostic>) {
    let (mode, words): (Mode, &'static [&'static str]) = match input.kind {
        FileKind::Implementation => (Mode::Code, &CODE_WORDS),
        FileKind::Specification | FileKind::Scopes => (Mode::Formula, &FORMULA_WORDS),
        FileKind::Abstraction => (Mode::Formula, &["abst", "use"]),
    };
    let tokens = lexer::tokens(input.text, input.file, 0, mode, diagnostics);
    let mut parser = Parser::new(tokens, words, diagnostics);
    match input.kind {
        FileKind::Implementation => files.impls.extend(implementation::modules(&mut parser)),
        FileKind::Specification | FileKind::Scopes => specification::file(&mut parser, files),
        FileKind::Abstraction => files.abstractions.extend(abstraction::modules(&mut parser)),
    }
}

/// Reads the formula in a string literal; its spans lie in the file. None: what is wrong has been reported.
pub fn parse_formula(quoted: &Quoted, diagnostics: &mut Vec<Diagnostic>) -> Option<Formula> {
    let known = diagnostics.len();
    let start = quoted.span.start as usize;
    let tokens = lexer::tokens(&quoted.text, quoted.span.file, start, Mode::Formula, diagnostics);
    if diagnostics.len() > known {
        return None;
    }
    let mut parser = Parser::new(tokens, &FORMULA_WORDS, diagnostics);
    let formula = parser.formula().ok()?;
    if !parser.at_end() {
        let help = "an operator is missing, or a parenthesis too many";
        parser.unexpected("an operator, or the end of the formula", help);
        return None;
    }
    Some(formula)
}
