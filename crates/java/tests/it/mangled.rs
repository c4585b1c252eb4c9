//! No input makes the front-end panic: mangled versions of real sources, cut at random by a fixed generator.

use source::SourceMap;
use test_kit::mangle::{mangle, mix_words};
use work::Chance;

const SEEDS: &[&str] = &[
    include_str!("../semantics/Arithmetic.java"),
    include_str!("../semantics/Control.java"),
    include_str!("../semantics/Classes.java"),
    include_str!("../semantics/More.java"),
];

fn load(text: String) -> bool {
    let mut sources = SourceMap::default();
    let file = sources.add("Mangled.java", text.clone());
    let inputs = java::Inputs::new(&mut sources, vec![file]);
    match java::load(inputs) {
        Ok(loaded) => {
            let problems = ir::wellformed::problems(&loaded.program);
            assert!(problems.is_empty(), "{problems:#?} in\n{text}");
            true
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            false
        }
    }
}

const PIECES: [&str; 24] = [
    "{", "}", "(", ")", "[]", ";", ",", ".", "<", ">", "->", "=", "@", "\"", "'", "/*", "\\u0022", "\0", "é", "🦀",
    "class", "int", "null", "1L",
];

/// The changed texts of so many rounds; how many of them are still programs.
fn changed(rounds: usize, seed: u64, change: impl Fn(&str, &mut Chance) -> String) -> usize {
    let mut chance = Chance::new(seed);
    (0..rounds).filter(|round| load(change(SEEDS[round % SEEDS.len()], &mut chance))).count()
}

#[test]
fn mangled_texts_never_panic() {
    let programs = changed(90, 1, |text, chance| mangle(text, &PIECES, chance));
    assert!(programs > 0, "nothing got through");
}

/// Most of them are read: names and types go wrong instead.
#[test]
fn mixed_words_never_panic() {
    changed(90, 2, mix_words);
}

#[test]
fn odd_texts_never_panic() {
    let deep = ["(", "{", "[", "a.b(", "x -> ", "new A<", "if(1)", "!"]
        .map(|s| format!("class A {{ int x = {}", s.repeat(5000)));
    for text in ["", "\u{feff}", "\0", "class", "class A", "é", "/*", "\"", "'", "@", "class A { int x = '\\u00'; }"] {
        load(text.to_string());
    }
    for text in deep {
        load(text);
    }
    let sum = format!(
        "class A {{ int x = 1{}; @Declarative boolean repOk() {{ return x > 0; }} void f() {{ }} }}",
        " + 1".repeat(5000)
    );
    load(sum);
}
