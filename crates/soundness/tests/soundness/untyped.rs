//! Well-typed programs per size of languages that the encoding does not carry: those the enumerator builds along the rules are those that
//! the interpreter accepts among all trees of the grammar.
//!
//! Up to size 10 where that takes seconds. The trees of the next size are three to eight times as many: Featherweight Java stops at 9
//! (half a million trees), linear at 8 (each tree is asked for in every environment of locations), let-poly at 4 (a tree takes 10 ms, since
//! types of binders are guessed).

use crate::counts::{by_enumeration, typed_programs, typing};
use crate::*;
use lang::enumerate::Enumerator;
use lang::term::TermId;
use lang::{Check, Form, Premise};
use work::on_large_stack;

/// All trees of each size, and those the first premise of a check holds of in some environment.
pub fn by_trial(language: &Lang, check: &Check, size: u32) -> (u64, Vec<u64>) {
    let Premise::Judgment(judgment, forms) = &check.premises[0].premise else { panic!("no judgment") };
    let interp = Interp::new(language, Some(check), Reading::Strict).expect("an interpreter");
    let mut enumerator = Enumerator::new(interp, Some(check));
    let is_map = |form: &Form| matches!(form, Form::Meta(m) if language.is_map(check.metas[m.index()].sort));
    let is_tree = |form: &Form| matches!(form, Form::Meta(m) if language.sort(check.metas[m.index()].sort).is_tree);
    let subject = forms.iter().position(is_tree).expect("a program");
    // What is known beside the program: environments, each in turn.
    let mut known: Vec<Vec<Option<TermId>>> = vec![Vec::new()];
    for form in forms {
        let choices: Vec<Option<TermId>> = match form {
            Form::Meta(m) if is_map(form) => {
                let maps = enumerator.all_maps(check.metas[m.index()].sort, false, false).expect("environments");
                maps.iter().map(|map| Some(*map)).collect()
            }
            Form::Meta(_) => vec![None],
            form => vec![Some(lang::explain::ground(&mut enumerator.interp.terms, form, &[]).expect("a value"))],
        };
        known = known.iter().flat_map(|row| choices.iter().map(|c| [&row[..], &[*c]].concat())).collect();
    }
    let sort = language.judgment(*judgment).args[subject];
    let scope = (0..language.sorts.len()).map(|_| 0).collect();
    let (mut all, mut counts) = (0, Vec::new());
    for size in 0..=size {
        let mut count = 0;
        for tree in enumerator.raw(sort, size, &scope).expect("trees").iter() {
            all += 1;
            let holds = known.iter_mut().any(|args| {
                args[subject] = Some(*tree);
                !enumerator.interp.solve(*judgment, args).expect("an answer").is_empty()
            });
            count += u64::from(holds);
        }
        counts.push(count);
    }
    (all, counts)
}

/// The languages of a file whose typing is not that of an earlier one, the first up to a size, the others up to another; how many trees
/// there are of the first, and how many typed per size.
fn compare(file: &str, bounds: &str, [size, others]: [u32; 2], only: &[&str]) -> (u64, Vec<u64>) {
    let mut seen: Vec<String> = Vec::new();
    let mut first = None;
    for language in &examples::load(file) {
        let is_asked = only.is_empty() || only.contains(&language.name.as_str());
        if !is_asked || seen.contains(&typing(language)) {
            continue;
        }
        let size = if seen.is_empty() { size } else { others };
        seen.push(typing(language));
        let check = typed_programs(language, bounds, size);
        let tried = on_large_stack(|| by_trial(language, &check, size));
        assert_eq!(tried.1, by_enumeration(language, &check, size), "{}: all trees, and enumerated", language.name);
        first.get_or_insert(tried);
    }
    first.expect("a language")
}

#[test]
fn type_abstraction() {
    let counts = vec![0, 2, 2, 5, 17, 16, 53, 179, 405, 1022, 2963];
    assert_eq!(compare("system-f.lang", "T: size 4", [10, 8], &[]), (408051, counts));
}

/// Small, since almost every tree has many types.
#[test]
fn generic_lets() {
    assert_eq!(compare("let-poly.lang", "T: size 4   l: 1", [4, 4], &[]), (283, vec![0, 2, 6, 19, 90]));
}

/// Environments that a judgment leaves over are those that it yields: they were once drawn from the bounds of environments, and programs
/// like λ x:Unit. λ x1:Unit. x ; x1 were missed.
#[test]
fn linear_variables() {
    let counts = vec![0, 3, 2, 5, 11, 24, 64, 166, 460];
    assert_eq!(compare("linear.lang", "T: size 5   l: 1", [8, 7], &[]), (77696, counts));
}

#[test]
fn classes() {
    let counts = vec![0, 2, 0, 12, 12, 92, 196, 880, 2604, 9856];
    assert_eq!(compare("featherweight-java.lang", "M: size 4", [9, 7], &[]), (521214, counts));
}

#[test]
fn indices() {
    let counts = vec![0, 1, 0, 2, 0, 2, 0, 6, 0, 10, 0];
    assert_eq!(compare("de-bruijn.lang", "T: size 3   G: size 11   n: 0..4", [10, 10], &[]), (173268, counts));
}

#[test]
fn environments_taken_apart() {
    let counts = vec![0, 6, 0, 4, 0, 6, 6, 12, 16, 29, 40];
    assert_eq!(compare("stlc.lang", "T: size 11   n: 0..0", [10, 10], &["stlc-9"]), (118891, counts));
    let counts = vec![0, 2, 0, 3, 8, 19, 63, 208, 937, 2866, 14072];
    assert_eq!(compare("sf-stlc.lang", "T: size 3", [10, 10], &["sf-stlc-7"]), (40976, counts));
}
