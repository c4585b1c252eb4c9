//! The Java front-end: sources in, an executable program and what is to be checked in it out.
//!
//! `syntax` parses, `resolve` finds what names mean, `lower` translates what is reached, `check` decides which classes
//! and operations are checked against which specifications. Nothing here runs anything or reads a file: further library
//! sources are asked for through a function.

mod check;
pub mod explain;
mod lower;
mod prelude;
mod resolve;
mod syntax;

use source::{Diagnostic, FileId, SourceMap};

/// What to read and what to check.
pub struct Inputs<'a> {
    pub sources: &'a mut SourceMap,
    /// The files that the user named: classes to check and all that belongs to their states.
    pub files: Vec<FileId>,
    /// Gives file name and text of a further top-level class, by qualified name (`java.util.TreeMap`).
    pub library: &'a (dyn Fn(&str) -> Option<(String, String)> + Sync),
    /// `--class`: only this one; also a nested one, as `Outer.Inner`.
    pub class: Option<String>,
    /// `--method`: only operations of this name, or with this signature, as `put(int,int)`.
    pub method: Option<String>,
}

#[derive(Debug)]
pub struct Loaded {
    pub program: ir::Program,
    pub checked: Vec<ir::Checked>,
    pub warnings: Vec<Diagnostic>,
}

/// No library beside the built-in classes.
pub fn no_library(_: &str) -> Option<(String, String)> {
    None
}

/// Every stage recurses over trees of bounded depth; with this stack no input gets near its end.
const STACK: usize = 512 << 20;

pub fn load(inputs: Inputs) -> Result<Loaded, Vec<Diagnostic>> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || check::load(inputs));
        match worker.map(|w| w.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(e) => Err(vec![Diagnostic::error("internal", None, format!("no thread could be started: {e}"))]),
        }
    })
}
