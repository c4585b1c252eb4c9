//! A language definition said in another way: other names, another order, congruence rules for contexts, other spellings, layouts, bounds and equations
//! that mean the same. Verdict and smallest size stay, and with names and orders the counts.

mod definitions;
mod texts;

use super::lang_checks::languages;
use super::lang_mutants::{EXAMPLES, bounded, example};
use crate::{Disagreement, Found, Kind};
use lang::enumerate::Enumerator;
use lang::interp::{Interp, Reading};
use lang::{Check, Lang, syntax};
use soundness::{Said, Ways};
use source::FileId;
use work::Chance;
use work::on_large_stack;

pub fn kind() -> Kind {
    Kind {
        name: "lang-same",
        about: "languages said in another way: names, orders, contexts, spellings, layouts, bounds, equations",
        ci: 36,
        attempt,
    }
}

fn attempt(seed: u64) -> Found {
    let mut chance = Chance::new(seed);
    // Examples with the largest size of programs that is quick.
    let source = match chance.below(4) {
        0 => {
            let (file, most) = *chance.pick(&EXAMPLES);
            example(file).map(|text| (text, Some(2 + chance.below(most as usize - 1) as u32)))
        }
        _ => Some((languages::make(chance.draw()).text, None)),
    };
    let Some((text, size)) = source else { return Found::Skipped("no example".into()) };
    let languages = parsed(&text);
    if languages.is_empty() {
        return Found::Skipped("no language".into());
    }
    let at = chance.below(languages.len());
    let within = |language: &Lang| match size {
        Some(size) => bounded(language, size, true),
        None => language.clone(),
    };
    let language = within(&languages[at]);
    if language.checks.is_empty() {
        return Found::Skipped("no check".into());
    }
    let check = chance.below(language.checks.len());
    let (how, is_counted, other) = match chance.below(8) {
        0 | 1 => {
            let (how, text) = texts::other_names(&text, &languages[at], &mut chance);
            let Some(other) = parsed(&text).into_iter().nth(at) else { return lost(how, &text) };
            (how, true, (within(&other), text))
        }
        2 | 3 => {
            let (how, text) = match chance.one_in(2) {
                true => texts::other_spellings(&text, &mut chance),
                false => texts::other_layout(&text, &mut chance),
            };
            let Some(other) = parsed(&text).into_iter().nth(at) else { return lost(how, &text) };
            (how, true, (within(&other), text))
        }
        kind => {
            let other = match kind {
                4 | 5 => None,
                6 => definitions::congruence(&language).map(|l| ("congruence rules", false, l)),
                _ if chance.one_in(2) => {
                    definitions::other_bounds(&language, &mut chance).map(|l| ("bounds", false, l))
                }
                _ => definitions::equation(&language, check, &mut chance).map(|l| ("an equation before", false, l)),
            };
            // What has nothing else to change has an order.
            let (how, is_counted, other) = other.unwrap_or_else(|| definitions::other_order(&language, &mut chance));
            (how, is_counted, (other, text.clone()))
        }
    };
    let (other, text) = other;
    let one = on_large_stack(|| answer(&language, &language.checks[check], is_counted));
    let two = on_large_stack(|| answer(&other, &other.checks[check], is_counted));
    if one.starts_with("unknown") || two.starts_with("unknown") {
        return Found::Skipped(format!("unknown: {how}"));
    }
    if one != two {
        let answers = vec![("as it is".to_string(), one), (how.to_string(), two)];
        let name = &language.checks[check].name;
        let input = format!("{}, check {name}, {:?}\n{text}", language.name, language.bounds);
        return Found::Disagreed(Box::new(Disagreement { input, answers }));
    }
    Found::Agreed(match one.split(' ').next() {
        Some("holds") => "holds",
        Some("fails") => "fails",
        _ => "about nothing",
    })
}

fn parsed(text: &str) -> Vec<Lang> {
    let file = syntax::parse(text, FileId(0));
    if file.has_errors() { Vec::new() } else { file.languages.into_iter().flatten().collect() }
}

/// What was a language is none in other words.
fn lost(how: &str, text: &str) -> Found {
    let file = syntax::parse(text, FileId(0));
    let messages: Vec<String> = file.diagnostics.iter().map(|d| d.message.clone()).collect();
    let answers = vec![("as it is".to_string(), "a language".to_string()), (how.to_string(), messages.join("; "))];
    Found::Disagreed(Box::new(Disagreement { input: text.to_string(), answers }))
}

/// The verdict with the smallest size, and if it holds what was counted.
fn answer(language: &Lang, check: &Check, is_counted: bool) -> String {
    let interp = match Interp::new(language, Some(check), Reading::Plain) {
        Ok(interp) => interp,
        Err(fault) => return format!("unknown {fault:?}"),
    };
    let mut enumerator = Enumerator::new(interp, Some(check));
    let decision = match soundness::decide(&mut enumerator, check, &Ways::default()) {
        Ok(decision) => decision,
        Err(fault) => return format!("unknown {fault:?}"),
    };
    match decision.said {
        Said::Holds => {
            let mut text = "holds".to_string();
            if let (true, Some(held)) = (is_counted, decision.held) {
                text += &format!(", {} classes, {} states", held.classes, held.states());
            }
            if let (true, Some(report)) = (is_counted, decision.report) {
                text += &format!(", programs by size: {:?}", report.terms);
            }
            text.replacen(',', " ,", 1)
        }
        Said::Vacuous => "nothing".into(),
        Said::Fails { size, .. } => format!("fails {size}"),
        Said::Broken(why) => format!("broken {why}"),
        other => format!("unknown {other:?}"),
    }
}
