//! Language definitions and checks of many shapes: the tool, by classes and by enumeration, against the meaning of a check word by word.
//! Verdict and smallest size agree, and the tool's counterexample is one.

pub(super) mod languages;
mod oracle;

use crate::{Apart, Found, Kind, found};
use lang::enumerate::Enumerator;
use lang::interp::{Interp, Reading};
use lang::term::{Term, TermId, Terms};
use lang::*;
use oracle::{Oracle, Stuck, Tree, Truth};
use soundness::{Said, Ways};
use source::FileId;
use std::time::Duration;
use work::on_large_stack;

/// For one check by one way: more is waste.
const LONGEST: Duration = Duration::from_secs(5);

pub fn kind() -> Kind {
    Kind {
        name: "lang-checks",
        about: "languages with checks of many shapes: classes, enumeration, and the meaning word by word",
        ci: 150,
        attempt,
    }
}

fn attempt(seed: u64) -> Found {
    let made = languages::make(seed);
    found(&made.text, |text| compare(text, &made.inputs))
}

/// The answer on which all ways agree for the first check of a text, whose inputs have these names.
pub fn compare(text: &str, inputs: &[&str]) -> Result<&'static str, Apart> {
    let file = syntax::parse(text, FileId(0));
    if file.has_errors() {
        let messages: Vec<String> = file.diagnostics.iter().map(|d| d.message.clone()).collect();
        return Err(Apart::Skipped(format!("no language: {}", messages.join("; "))));
    }
    let language = file.langs().next();
    let Some((language, check)) = language.and_then(|l| Some((l, l.checks.first()?))) else {
        return Err(Apart::Skipped("no check".into()));
    };
    let meta = |name: &&str| check.metas.iter().position(|m| m.name == **name).map(|i| MetaId(i as u32));
    let inputs: Vec<MetaId> = inputs.iter().filter_map(meta).collect();
    let truth = on_large_stack(|| Oracle::new(language, check).truth(&inputs));
    let truth = truth.map_err(|Stuck(why)| Apart::Skipped(format!("oracle: {why}")))?;
    let mut unknown = None;
    for enumerate in [false, true] {
        let way = if enumerate { "enumeration" } else { "all engines" };
        let told = match on_large_stack(|| by_tool(language, check, &inputs, enumerate)) {
            Told::Said(told) if told == truth => continue,
            Told::Unknown(why) => {
                unknown = Some(format!("{way}: {why}"));
                continue;
            }
            Told::Said(told) => format!("{told:?}"),
            Told::Wrong(why) => why,
        };
        return Err(Apart::Disagreed(vec![("word by word".to_string(), format!("{truth:?}")), (way.into(), told)]));
    }
    match unknown {
        Some(why) => Err(Apart::Skipped(why)),
        None => Ok(match truth {
            Truth::Holds => "holds",
            Truth::Fails(_) => "fails",
            Truth::Vacuous => "about nothing",
        }),
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
    let stop = work::Stop::after(LONGEST);
    let decision = soundness::decide(&mut enumerator, check, &Ways { enumerate, stop, ..Ways::default() });
    match decision.map(|d| d.said) {
        Ok(Said::Holds) => Told::Said(Truth::Holds),
        Ok(Said::Vacuous) => Told::Said(Truth::Vacuous),
        Ok(Said::Fails { size, assignment }) => {
            let terms = &enumerator.interp.terms;
            let mut row = vec![None; check.metas.len()];
            for meta in inputs {
                row[meta.index()] = assignment[meta.index()].map(|t| tree(terms, t, &mut Vec::new()));
            }
            let oracle = Oracle::new(language, check);
            let outside =
                |m: &&MetaId| row[m.index()].as_ref().is_some_and(|t| oracle.is_input(**m, t, &row) == Ok(false));
            if let Some(meta) = inputs.iter().find(outside) {
                let name = &check.metas[meta.index()].name;
                return Told::Wrong(format!(
                    "in a counterexample of size {size}, {name} is not within its bound: {row:?}"
                ));
            }
            match oracle.breaks(row.clone()) {
                Ok(Some(true)) => Told::Said(Truth::Fails(size)),
                told => Told::Wrong(format!("a counterexample of size {size} is none: {row:?} ({told:?})")),
            }
        }
        Ok(Said::Partly { below, cut }) => Told::Unknown(format!("only below {below}: {cut:?}")),
        Ok(Said::Stopped { .. }) => Told::Unknown("takes long".to_string()),
        Ok(other) => Told::Wrong(format!("{other:?}")),
        Err(fault) => Told::Unknown(format!("{fault:?}")),
    }
}

/// A term of the tool as a tree; `bound` are the names of the binders above, outermost first.
fn tree(terms: &Terms, term: TermId, bound: &mut Vec<u32>) -> Tree {
    match terms.get(term) {
        Term::Node(prod, args) => {
            let production = terms.lang.prod(*prod);
            if terms.lang.is_map(production.sort) {
                let entries = terms.entries(term).into_iter().map(|(prod, key, fields)| {
                    (prod, std::iter::once(key).chain(fields).map(|t| tree(terms, t, bound)).collect())
                });
                return Tree::Map(entries.collect());
            }
            let depth = bound.len() as u32;
            let names: Vec<(usize, u32)> =
                production.binders.iter().enumerate().map(|(i, b)| (b.var, 100 + depth * 10 + i as u32)).collect();
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
        // Of an environment that is an input: the variables in order.
        Term::Free(_, level) => Tree::Name(level + 1),
        Term::Atom(sort, k) | Term::Loc(sort, k) => Tree::Atom(*sort, *k),
        Term::Int(n) => Tree::Int(*n),
        _ => Tree::Error,
    }
}
