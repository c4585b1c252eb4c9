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
pub mod specs;
mod syntax;

pub use resolve::Library;

use source::{Diagnostic, FileId, SourceMap, Span};

/// What to read and what to check.
pub struct Inputs<'a> {
    pub sources: &'a mut SourceMap,
    /// The files that the user named: classes to check and all that belongs to their states.
    pub files: Vec<FileId>,
    /// Gives file name and text of a further top-level class, by qualified name (`java.util.TreeMap`).
    pub library: Library<'a>,
    /// The same of a class that has no file of its name, if finding it takes long: asked when the name means nothing else.
    pub beside: Library<'a>,
    /// Where that looks, in words.
    pub looked_in: String,
    /// `--class`: only this one; also a nested one, as `Outer.Inner`.
    pub class: Option<String>,
    /// Whether classes are compared with their abstractions: not with `--no-abstraction`.
    pub abstraction: bool,
    /// `--replace`: classes and the abstractions that take their places.
    pub replace: Vec<(String, String)>,
    /// `--commute`: operations that are to give the same in any order.
    pub commute: Vec<Vec<String>>,
    /// `--block`: only the block with this label, from every value of what it uses.
    pub block: Option<String>,
    /// `--method`: only operations of this name, or with this signature, as `put(int,int)`.
    pub method: Option<String>,
    /// Whether specifications that come with the command are taken by themselves.
    pub takes_specs: bool,
}

impl<'a> Inputs<'a> {
    /// Everything in these files, without a library.
    pub fn new(sources: &'a mut SourceMap, files: Vec<FileId>) -> Inputs<'a> {
        Inputs {
            sources,
            files,
            library: &no_library,
            beside: &no_library,
            looked_in: String::from("there is no library"),
            class: None,
            abstraction: true,
            replace: Vec::new(),
            commute: Vec::new(),
            block: None,
            method: None,
            takes_specs: false,
        }
    }
}

#[derive(Debug)]
pub struct Loaded {
    pub program: ir::Program,
    pub checked: Vec<ir::Checked>,
    /// Those that are compared with abstractions.
    pub modules: Vec<Module>,
    /// Classes and the abstractions in their places, by name.
    pub replaced: Vec<(String, String)>,
    /// Methods that operations reach and that have a `@Model` in their place, with the name of it.
    pub models: Vec<(String, Span)>,
    /// Library classes with objects in states by a specification that was taken by itself.
    pub taken: Vec<&'static str>,
    pub warnings: Vec<Diagnostic>,
}

/// A class that is compared with its abstraction.
#[derive(Clone, Debug)]
pub struct Module {
    pub name: String,
    pub abstraction: String,
    pub class: ir::ClassId,
    /// Classes that were made to check the abstraction by itself.
    pub made: Vec<ir::ClassId>,
    /// Whether all operations are checked that both have.
    pub is_whole: bool,
    /// Operations of the module that the abstraction does not have.
    pub not_compared: Vec<String>,
    /// Operations that only the abstraction has.
    pub only_abstraction: Vec<String>,
}

/// No library beside the built-in classes.
pub fn no_library(_: &str) -> Option<(String, String)> {
    None
}

/// Every stage recurses over trees of bounded depth.
pub fn load(inputs: Inputs) -> Result<Loaded, Vec<Diagnostic>> {
    work::with_room(|| check::load(inputs))
        .unwrap_or_else(|e| Err(vec![Diagnostic::error("internal", None, format!("no thread could be started: {e}"))]))
}
