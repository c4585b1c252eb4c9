//! Language definitions and checks of many shapes: the tool, by classes and by enumeration, against the meaning of a check word by word.
//! Verdict and smallest size agree, and the tool's counterexample is one.

mod language;
mod oracle;

use crate::{Apart, Found, Kind, found};
use lang::enumerate::Enumerator;
use lang::interp::{Interp, Reading, on_large_stack};
use lang::term::{Term, TermId, Terms};
use lang::*;
use oracle::{Oracle, Stuck, Tree, Truth};
use soundness::{Said, Ways};
use source::FileId;

pub fn kind() -> Kind {
    Kind {
        name: "lang-checks",
        about: "languages with checks of many shapes: classes, enumeration, and the meaning word by word",
        ci: 30,
        attempt,
    }
}

fn attempt(seed: u64) -> Found {
    let made = language::make(seed);
    found(&made.text, |text| {
        // Checks are not left out: their inputs go by their number.
        if text.matches("\ncheck ").count() != made.inputs.len() {
            return Err(Apart::Skipped("a check is missing".to_string()));
        }
        compare(text, &made.inputs)
    })
}

fn compare(text: &str, inputs: &[Vec<&'static str>]) -> Result<&'static str, Apart> {
    let file = syntax::parse(text, FileId(0));
    if file.has_errors() {
        let messages: Vec<String> = file.diagnostics.iter().map(|d| d.message.clone()).collect();
        return Err(Apart::Skipped(messages.join("; ")));
    }
    let Some(language) = file.langs().next() else { return Err(Apart::Skipped("no language".into())) };
    let mut said = Vec::new();
    let mut skipped = None;
    for (check, inputs) in language.checks.iter().zip(inputs) {
        let is_input = |m: &MetaId| inputs.contains(&check.metas[m.index()].name.as_str());
        let inputs: Vec<MetaId> = (0..check.metas.len() as u32).map(MetaId).filter(is_input).collect();
        let truth = match on_large_stack(|| Oracle::new(language, check).truth(&inputs)) {
            Ok(truth) => truth,
            Err(Stuck(why)) => {
                skipped = Some(why.to_string());
                continue;
            }
        };
        for enumerate in [false, true] {
            match on_large_stack(|| by_tool(language, check, &inputs, enumerate)) {
                Told::Said(told) if told == truth => {}
                Told::Unknown(why) => skipped = Some(why),
                told => {
                    let told = match told {
                        Told::Said(told) => format!("{told:?}"),
                        Told::Unknown(why) | Told::Wrong(why) => why,
                    };
                    let way = if enumerate { "enumeration" } else { "all engines" };
                    return Err(Apart::Disagreed(vec![
                        (format!("{}, word by word", check.name), format!("{truth:?}")),
                        (format!("{}, {way}", check.name), told),
                    ]));
                }
            }
        }
        said.push(truth);
    }
    match said.iter().map(name).max() {
        Some(name) => Ok(name),
        None => Err(Apart::Skipped(skipped.unwrap_or_default())),
    }
}

fn name(truth: &Truth) -> &'static str {
    match truth {
        Truth::Holds => "holds",
        Truth::Fails(_) => "fails",
        Truth::Vacuous => "about nothing",
    }
}

enum Told {
    Said(Truth),
    Unknown(String),
    /// Our bug, or a counterexample that is none.
    Wrong(String),
}

fn by_tool(language: &Lang, check: &Check, inputs: &[MetaId], enumerate: bool) -> Told {
    let interp = match Interp::new(language, Some(check), Reading::Plain) {
        Ok(interp) => interp,
        Err(fault) => return Told::Unknown(format!("{fault:?}")),
    };
    let mut enumerator = Enumerator::new(interp, Some(check));
    let decision = soundness::decide(&mut enumerator, check, &Ways { enumerate, ..Ways::default() });
    match decision.map(|d| d.said) {
        Ok(Said::Holds) => Told::Said(Truth::Holds),
        Ok(Said::Vacuous) => Told::Said(Truth::Vacuous),
        Ok(Said::Fails { size, assignment }) => {
            let terms = &enumerator.interp.terms;
            let mut row = vec![None; check.metas.len()];
            for meta in inputs {
                row[meta.index()] = assignment[meta.index()].map(|t| tree(terms, t, &mut Vec::new()));
            }
            match Oracle::new(language, check).breaks(row.clone()) {
                Ok(Some(true)) => Told::Said(Truth::Fails(size)),
                told => Told::Wrong(format!("a counterexample of size {size} is none: {row:?} ({told:?})")),
            }
        }
        Ok(Said::Partly { below, cut }) => Told::Unknown(format!("only below {below}: {cut:?}")),
        Ok(other) => Told::Wrong(format!("{other:?}")),
        Err(fault) => Told::Wrong(format!("{fault:?}")),
    }
}

/// A term of the tool as a tree; `bound` are the names of the binders above, outermost first.
fn tree(terms: &Terms, term: TermId, bound: &mut Vec<u32>) -> Tree {
    match terms.get(term) {
        Term::Node(prod, args) => {
            let production = terms.lang.prod(*prod);
            if terms.lang.is_map(production.sort) {
                return Tree::Map(Vec::new());
            }
            let depth = bound.len() as u32;
            let names: Vec<(usize, u32)> =
                production.binders.iter().enumerate().map(|(i, b)| (b.var, depth * 10 + i as u32)).collect();
            let args = args.iter().enumerate().map(|(i, arg)| {
                if let Some((_, name)) = names.iter().find(|(var, _)| *var == i) {
                    return Tree::Name(*name);
                }
                let before = bound.len();
                for binder in production.binders_over(i) {
                    bound.extend(names.iter().find(|(var, _)| *var == binder.var).map(|(_, name)| *name));
                }
                let tree = tree(terms, *arg, bound);
                bound.truncate(before);
                tree
            });
            Tree::Node(*prod, args.collect())
        }
        Term::Bound(_, index) => Tree::Name(bound[bound.len() - 1 - *index as usize]),
        Term::Int(n) => Tree::Int(*n),
        _ => Tree::Error,
    }
}
