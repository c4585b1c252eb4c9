//! What is made of a program, as text.

use super::Source;
use dminor::bemol::{self, Reading};
use dminor::verify;
use source::SourceMap;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Emit {
    /// The conditions for a solver.
    Smt2,
    /// The program in Bemol, with an assert before every operation that can fail.
    Bemol,
    /// The same as a Boogie program.
    Boogie,
}

pub fn emit(source: &Source, emit: Emit, reading: Reading, lenient_types: bool, sources: &SourceMap) -> String {
    let program = &source.program;
    work::on_large_stack(|| match emit {
        Emit::Bemol => bemol::print(program, reading, sources),
        Emit::Boogie => bemol::boogie(program, reading, sources),
        Emit::Smt2 => {
            let mut out = verify::prelude(smt::Kind::Z3);
            for (k, (subject, condition, text)) in verify::emit(program, reading, lenient_types).into_iter().enumerate()
            {
                let about = match subject {
                    verify::Subject::Type(id) => format!("type {}", program.named(id).name),
                    verify::Subject::Function(id) => program.function(id).name.clone(),
                };
                let head = format!("; condition {}: {about}: {}", k + 1, condition.kind.wanted());
                let _ = writeln!(out, "{head}\n(push 1)\n{text}(check-sat)\n(pop 1)");
            }
            out
        }
    })
}
