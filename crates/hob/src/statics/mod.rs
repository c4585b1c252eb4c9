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
pub mod foreign;
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
        unread: None,
    };
    resolver.declare();
    resolver.declare_scopes();
    resolver.invariants();
    resolver.contracts();
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
    one_for_each_cause(diagnostics);
    program
}

/// What is missing or hidden is reported where it is first mentioned, with how often it is mentioned.
fn one_for_each_cause(diagnostics: &mut Vec<Diagnostic>) {
    const CAUSES: [&str; 7] = [
        "unknown-module",
        "unknown-plugin",
        "unknown-procedure",
        "unknown-type",
        "unknown-name",
        "hidden-name",
        "hidden-module",
    ];
    let mut firsts: FxHashMap<(&'static str, String), usize> = FxHashMap::default();
    let mut counts = vec![0usize; diagnostics.len()];
    let mut is_first = vec![true; diagnostics.len()];
    let mut order: Vec<usize> = (0..diagnostics.len()).collect();
    order.sort_by_key(|k| diagnostics[*k].span.map(|s| (s.file, s.start)));
    for k in order {
        let d = &diagnostics[k];
        if CAUSES.contains(&d.id) {
            let first = *firsts.entry((d.id, d.message.clone())).or_insert(k);
            counts[first] += usize::from(first != k);
            is_first[k] = first == k;
        }
    }
    let mut k = 0;
    diagnostics.retain_mut(|d| {
        if let more @ 1.. = counts[k] {
            d.message += &format!(" (here and in {more} more {})", if more == 1 { "place" } else { "places" });
        }
        k += 1;
        is_first[k - 1]
    });
}
