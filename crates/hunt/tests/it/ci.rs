//! The first seeds of every kind: all ways agree, and on more than one answer.

use hunt::{Found, kinds};
use std::collections::BTreeMap;

fn check(name: &str) {
    let kind = kinds::all().into_iter().find(|k| k.name == name).expect("a kind of that name");
    let mut answers: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..kind.ci {
        match (kind.attempt)(seed) {
            Found::Agreed(answer) => *answers.entry(answer).or_default() += 1,
            Found::Skipped(_) => {}
            Found::Disagreed(disagreement) => panic!("{name} seed {seed}\n{disagreement}"),
        }
    }
    let compared: u64 = answers.values().sum();
    assert!(compared * 2 >= kind.ci, "{name}: only {compared} of {} inputs were compared", kind.ci);
    assert!(answers.len() > 1, "{name}: always the same answer: {answers:?}");
}

/// A test per kind, and none forgotten.
macro_rules! kinds {
    ($($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            check($name);
        })*

        #[test]
        fn every_kind_is_tried() {
            let tried: &[&str] = &[$($name),*];
            let all: Vec<&str> = kinds::all().iter().map(|k| k.name).collect();
            assert_eq!(tried, all);
        }
    };
}

kinds! {
    dminor_functions "dminor-functions"
    dminor_schema "dminor-schema"
    hob_bounded "hob-bounded"
    hob_flags "hob-flags"
    hob_integers "hob-integers"
    hob_modules "hob-modules"
    java_declarative "java-declarative"
    java_histories "java-histories"
    java_leaving "java-leaving"
    java_library "java-library"
    java_reachable "java-reachable"
    java_statements "java-statements"
    java_types "java-types"
    lang_checks "lang-checks"
    lang_mutants "lang-mutants"
    lang_same "lang-same"
}

#[test]
fn what_is_not_needed_goes() {
    let text = "a\n{\nb\nc {\nd\n}\n}\ne\n";
    assert_eq!(hunt::shrink::lines(text, |t| t.contains('d')), "d\n");
    assert_eq!(hunt::shrink::lines(text, |t| t.contains('d') && t.contains("c {")), "c {\nd\n}\n");
    assert_eq!(hunt::shrink::lines(text, |t| t.contains('a') && t.contains('e')), "a\ne\n");
}
