//! What a person sees.

use crate::{check, redacted, run};
use expect_test::expect;

const SEARCH_TREE: &str = "examples/java/search-tree/SearchTree.java";
const BUG: &str = "examples/java/search-tree/bugs/02-equal-key-inserted-again/SearchTree.java";

#[test]
fn a_verified_class() {
    check(&format!("{SEARCH_TREE} --size 7 --certify"), expect![[""]]);
}

#[test]
fn a_violated_class() {
    check(&format!("{BUG} --size 1"), expect![[""]]);
}

#[test]
fn several_sizes_stop_at_the_smallest_violation() {
    check("examples/java/search-tree/bugs/05-sibling-shared/SearchTree.java --size 1..8 --method insert", expect![[""]]);
}

#[test]
fn quiet_says_only_what_is_wrong() {
    check(&format!("{SEARCH_TREE} --size 3 --quiet"), expect![[""]]);
    check(&format!("{BUG} --size 1 --quiet"), expect![[""]]);
}

#[test]
fn bounds_are_shown() {
    check("examples/java/hash-map/HashMap.java --size 2 --method get --bounds", expect![[""]]);
}

#[test]
fn nothing_is_verified_vacuously() {
    check("crates/cli/tests/bad/NoState.java", expect![[""]]);
    check("crates/cli/tests/bad/AllDropped.java", expect![[""]]);
}

#[test]
fn a_size_without_work_is_no_matter_if_there_is_one_with() {
    let ran = run("examples/java/expression-language/ExpressionLanguage.java --size 1");
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    let ran = run("examples/java/expression-language/ExpressionLanguage.java --size 1..4");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

#[test]
fn a_run_without_end_is_unknown() {
    let ran = run("crates/cli/tests/bad/Endless.java --size 2 --max-steps 1000");
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("Endless.java:8:9"), "{}", ran.stdout);
}

#[test]
fn time_that_runs_out_is_unknown() {
    let ran = run("examples/java/tree-map/TreeMap.java --size 127 --timeout 0.05");
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("the time limit was reached"), "{}", ran.stdout);
}

#[test]
fn memory_that_runs_out_is_unknown() {
    let ran = run("examples/java/tree-map/TreeMap.java --size 127 --memory 1");
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("the memory limit was reached"), "{}", ran.stdout);
}

#[test]
fn colours_only_when_asked_for() {
    let ran = run(&format!("{BUG} --size 1"));
    assert!(!ran.stdout.contains('\u{1b}'));
    let colored = run(&format!("{BUG} --size 1 --color always")).stdout;
    assert!(colored.contains('\u{1b}'));
    let mut plain = String::new();
    let mut rest = colored.as_str();
    while let Some((before, escape)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = escape.split_once('m').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    let squeezed = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(squeezed(&redacted(&plain)), squeezed(&redacted(&ran.stdout)));
}
