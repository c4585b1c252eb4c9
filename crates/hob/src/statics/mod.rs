//! From syntax to a [`Program`]: names, types, instances, contracts, abstractions (docs/hob.md, "Implementation", "Specification" and
//! "Abstraction").
//!
//! What goes in: the syntax of all files. What comes out: a program, which is right only if no error was reported. The steps, in order:
//! `sections` finds the texts of each module, `declare` what it declares, `scopes` what is hidden, `contracts` and `defaults` complete
//! the specifications, `bodies` checks the code, `abstractions` the definitions of the sets, `effects` what procedures say they call
//! and change, `unused` what nothing is said of.

mod abstractions;
mod bodies;
mod calls;
mod contracts;
mod copies;
mod declare;
mod defaults;
mod effects;
mod expressions;
mod formula_names;
mod formulas;
mod heap;
mod names;
mod resolver;
mod scopes;
mod sections;
mod stationarity;
mod unused;

use crate::program::Program;
use crate::syntax::ast::Files;
use resolver::Resolver;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Severity};

pub fn resolve(files: &Files, diagnostics: &mut Vec<Diagnostic>) -> Program {
    let units = sections::units(files, diagnostics);
    let mut resolver = Resolver {
        files,
        units,
        names: Vec::new(),
        program: Program::default(),
        modules: FxHashMap::default(),
        types: FxHashMap::default(),
        texts: Vec::new(),
        calls: Vec::new(),
        members: Vec::new(),
        scopes_of: Vec::new(),
        diagnostics,
        bound: 0,
    };
    resolver.declare();
    resolver.declare_scopes();
    resolver.invariants();
    resolver.contracts();
    resolver.check_exports();
    resolver.defaults();
    resolver.join_invariants();
    resolver.frames();
    resolver.bodies();
    resolver.abstractions();
    resolver.effects();
    // Beside an error it would distract: what could not be read may use it.
    if resolver.diagnostics.iter().all(|d| d.severity != Severity::Error) {
        resolver.unused();
    }
    let program = std::mem::take(&mut resolver.program);
    // An instance tells what its original has told.
    let mut seen = FxHashSet::default();
    diagnostics.retain(|d| seen.insert((d.span, d.message.clone())));
    program
}
