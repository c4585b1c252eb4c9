//! Mutants of the example languages within small bounds: by classes, by enumeration, and with the rules and the alternatives of subsets and
//! contexts in the opposite order. One verdict, one smallest size.

use crate::{Disagreement, Found, Kind};
use lang::enumerate::Enumerator;
use lang::interp::{Interp, Reading};
use lang::{Bound, Check, Lang, SortKind, mutate, syntax};
use soundness::{Said, Ways};
use source::FileId;
use std::path::Path;
use work::Chance;
use work::on_large_stack;

pub fn kind() -> Kind {
    Kind {
        name: "lang-mutants",
        about: "mutants of example languages: classes, enumeration, and everything in the opposite order",
        ci: 18,
        attempt,
    }
}

/// A file, and the largest size of programs that is quick.
pub const EXAMPLES: [(&str, u32); 18] = [
    ("arith", 5),
    ("stlc", 9),
    ("sub", 5),
    ("imp", 4),
    ("refs", 4),
    ("exceptions", 5),
    ("sums-products", 4),
    ("sf-stlc", 5),
    ("sf-arith", 5),
    ("sf-sub", 5),
    ("threads", 4),
    ("de-bruijn", 5),
    ("featherweight-java", 4),
    ("intersection", 4),
    ("let-poly", 4),
    ("linear", 4),
    ("nonnull-tainted", 4),
    ("system-f", 5),
];

pub fn example(file: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/lang/{file}.lang"));
    std::fs::read_to_string(path).ok()
}

fn attempt(seed: u64) -> Found {
    let mut chance = Chance::new(seed);
    // In turn, so that the first seeds have them all.
    let (file, most) = EXAMPLES[seed as usize % EXAMPLES.len()];
    let Some(text) = example(file) else { return Found::Skipped("no example".into()) };
    let languages: Vec<Lang> = syntax::parse(&text, FileId(0)).languages.into_iter().flatten().collect();
    let mut language = bounded(chance.pick(&languages), 2 + chance.below(most as usize - 1) as u32, chance.one_in(2));
    let mut what = language.name.clone();
    if !chance.one_in(6) {
        let mutants = mutate::mutants(&language);
        let mutant = chance.pick(&mutants);
        what = format!("{what}, {}", mutant.what);
        language = mutant.lang.clone();
    }
    let check = chance.pick(&language.checks).clone();
    let mut opposite = language.clone();
    opposite.rules.reverse();
    for sort in &mut opposite.sorts {
        if let SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } = &mut sort.kind {
            alts.reverse();
        }
    }
    let said = [
        ("by classes", on_large_stack(|| verdict(&language, &check, false))),
        ("by enumeration", on_large_stack(|| verdict(&language, &check, true))),
        ("in the opposite order", on_large_stack(|| verdict(&opposite, &check, false))),
    ];
    let first = &said[0].1;
    if let Some((_, unknown)) = said.iter().find(|(_, s)| s.starts_with("unknown")) {
        return Found::Skipped(format!("{file}: {unknown}"));
    }
    if said.iter().any(|(_, s)| s != first) {
        let answers = said.iter().map(|(way, s)| (way.to_string(), s.clone())).collect();
        let input = format!("{what}\ncheck {}\n{:?}\n", check.name, language.bounds);
        return Found::Disagreed(Box::new(Disagreement { input, answers }));
    }
    Found::Agreed(match first.split(' ').next() {
        Some("holds") => "holds",
        Some("fails") => "fails",
        _ => "about nothing",
    })
}

/// Programs up to a size, few names and numbers, and small types.
pub fn bounded(language: &Lang, size: u32, smaller: bool) -> Lang {
    let mut language = language.clone();
    for id in language.sort_ids() {
        let sort = language.sort(id);
        let bound = match sort.kind {
            SortKind::Grammar { .. } if sort.is_tree => Bound::Size(size),
            SortKind::Grammar { .. } if smaller => Bound::Depth(2),
            SortKind::Grammar { .. } => continue,
            SortKind::Atom | SortKind::Loc => Bound::Count(1),
            SortKind::Int => Bound::Range(0, 1),
            _ => continue,
        };
        language.bounds.push((id, bound));
    }
    language.checks.iter_mut().for_each(|c| c.bounds.clear());
    language
}

fn verdict(language: &Lang, check: &Check, enumerate: bool) -> String {
    let interp = match Interp::new(language, Some(check), Reading::Plain) {
        Ok(interp) => interp,
        Err(fault) => return format!("unknown {fault:?}"),
    };
    let mut enumerator = Enumerator::new(interp, Some(check));
    match soundness::decide(&mut enumerator, check, &Ways { enumerate, ..Ways::default() }).map(|d| d.said) {
        Ok(Said::Holds) => "holds".into(),
        Ok(Said::Vacuous) => "about nothing".into(),
        Ok(Said::Fails { size, .. }) => format!("fails {size}"),
        Ok(Said::Broken(why)) => format!("broken {why}"),
        Ok(other) => format!("unknown {other:?}"),
        Err(fault) => format!("unknown {fault:?}"),
    }
}
