//! Each kind of bad input: a located message with advice, and status 2.

use crate::{check, run};
use expect_test::{Expect, expect};

fn check_bad(file: &str, expected: Expect) {
    check(&format!("crates/cli/tests/bad/{file}.java --size 2"), expected);
}

#[test]
fn syntax_error() {
    check_bad("SyntaxError", expect![[""]]);
}

#[test]
fn unknown_type() {
    check_bad("UnknownType", expect![[""]]);
}

#[test]
fn side_effect_in_declarative_code() {
    check_bad("SideEffect", expect![[""]]);
}

#[test]
fn no_invariant() {
    check_bad("NoInvariant", expect![[""]]);
}

#[test]
fn nothing_to_check() {
    check_bad("NothingToCheck", expect![[""]]);
}

#[test]
fn specification_of_no_operation() {
    check_bad("UnknownOperation", expect![[""]]);
}

#[test]
fn unsupported_construct_that_is_reached() {
    check_bad("UnsupportedReached", expect![[""]]);
}

#[test]
fn missing_file() {
    check("crates/cli/tests/bad/Missing.java", expect![[""]]);
}

#[test]
fn folder_instead_of_a_file() {
    check("crates/cli/tests/bad", expect![[""]]);
}

#[test]
fn not_text() {
    let path = std::env::temp_dir().join(format!("glassbox-{}.java", std::process::id()));
    std::fs::write(&path, b"class \xff").expect("a file can be written");
    let ran = run(path.to_str().expect("a plain path"));
    std::fs::remove_file(&path).expect("the file can be removed");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("is not UTF-8 text: byte 6"), "{}", ran.stderr);
}

#[test]
fn unknown_names() {
    check("examples/java/search-tree/SearchTree.java --class Tree", expect![[""]]);
    check("examples/java/search-tree/SearchTree.java --method put", expect![[""]]);
    check("examples/java/search-tree/SearchTree.java --source-path nowhere", expect![[""]]);
}

#[test]
fn bad_usage() {
    check("examples/java/search-tree/SearchTree.java --size 0", expect![[""]]);
    check("examples/java/search-tree/SearchTree.java --size 8..3", expect![[""]]);
    assert_eq!(run("").status, 2);
    assert_eq!(run("--threads 0 examples/java/search-tree/SearchTree.java").status, 2);
    assert_eq!(run("--timeout -1 examples/java/search-tree/SearchTree.java").status, 2);
    assert_eq!(run("--json --format terminal examples/java/search-tree/SearchTree.java").status, 2);
}
