//! Language definitions and checks of many shapes: the tool, by classes and by enumeration, against the meaning of a check word by word.
//! Verdict and smallest size agree, and the tool's counterexample is one.

mod language;
mod oracle;

use crate::{Disagreement, Found, Kind, shrink};
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
    match compare(&made.text, &made.inputs) {
        Compared::Agreed(said) => Found::Agreed(said),
        Compared::Skipped(why) => Found::Skipped(why),
        Compared::Differed(_) => {
            // Checks are not left out: their inputs go by their number.
            let still = |text: &str| {
                text.matches("\ncheck ").count() == made.inputs.len()
                    && matches!(compare(text, &made.inputs), Compared::Differed(_))
            };
            let input = shrink::lines(&made.text, still);
            let Compared::Differed(answers) = compare(&input, &made.inputs) else {
                return Found::Skipped("it went away".into());
            };
            Found::Disagreed(Box::new(Disagreement { input: format!("{input}-- seed {seed}\n"), answers }))
        }
    }
}

enum Compared {
    Agreed(&'static str),
    Skipped(String),
    Differed(Vec<(String, String)>),
}

fn compare(text: &str, inputs: &[Vec<&'static str>]) -> Compared {
    let file = syntax::parse(text, FileId(0));
    if file.has_errors() {
        let messages: Vec<String> = file.diagnostics.iter().map(|d| d.message.clone()).collect();
        return Compared::Skipped(messages.join("; "));
    }
    let Some(language) = file.langs().next() else { return Compared::Skipped("no language".into()) };
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
                    let way = if enumerate { "enumeration" } else { "all engines" };
                    return Compared::Differed(vec![
                        (format!("{}, word by word", check.name), format!("{truth:?}")),
                        (format!("{}, {way}", check.name), format!("{told:?}")),
                    ]);
                }
            }
        }
        said.push(truth);
    }
    match said.iter().map(name).max() {
        Some(name) => Compared::Agreed(name),
        None => Compared::Skipped(skipped.unwrap_or_default()),
    }
}

fn name(truth: &Truth) -> &'static str {
    match truth {
        Truth::Holds => "holds",
        Truth::Fails(_) => "fails",
        Truth::Vacuous => "about nothing",
    }
}

#[derive(Debug)]
enum Told {
    Said(Truth),
    Unknown(String),
    /// Our bug, or a counterexample that is none.
    Wrong(#[allow(dead_code)] String),
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
