//! Language definitions on the command line: what is printed, and the exit status.

use crate::{Ran, check, root, run};
use expect_test::{Expect, expect};
use serde_json::Value;
use std::process::Command;

const BAD: &str = "crates/cli/tests/bad-lang";

/// `glassbox` with these arguments, one by one.
fn glassbox(arguments: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn check_bad(file: &str, expected: Expect) {
    check(&format!("{BAD}/{file}.lang"), expected);
}

/// Standard output, then standard error, then the status.
fn check_run(file: &str, term: &str, expected: Expect) {
    let ran = glassbox(&["run", file, term]);
    expected.assert_eq(&format!("{}{}exit {}\n", ran.stdout, ran.stderr, ran.status));
}

/// Every example file is a regression test of its own: each check comes out as its `expect` line says.
#[test]
fn every_example_comes_out_as_expected() {
    let mut files: Vec<_> = std::fs::read_dir(root().join("examples/lang"))
        .expect("examples/lang")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "lang"))
        .collect();
    files.sort();
    assert!(files.len() >= 15, "{files:?}");
    let mut expectations = 0;
    for file in &files {
        let ran = glassbox(&["check", &file.display().to_string(), "--quiet"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}: {}", file.display(), ran.stderr);
        let text = std::fs::read_to_string(file).expect("the example");
        let own = text.lines().filter(|l| l.trim_start().starts_with("expect ")).count();
        assert!(own >= 6, "{} expects too little", file.display());
        expectations += own;
    }
    assert!(expectations >= 200, "{expectations}");
}

#[test]
fn a_language_that_is_sound() {
    check("examples/lang/arith.lang --language arith --bounds t:13nodes", expect![[]]);
}

#[test]
fn a_language_that_is_not() {
    check_bad("typo", expect![[]]);
}

#[test]
fn nothing_satisfies_the_premises() {
    check_bad("vacuous", expect![[]]);
}

#[test]
fn a_rule_that_is_never_used() {
    check_bad("unused", expect![[]]);
}

#[test]
fn bounds_that_explode() {
    check_bad("explodes", expect![[]]);
}

#[test]
fn several_mistakes_at_once() {
    check_bad("mistakes", expect![[]]);
}

#[test]
fn nothing_to_check() {
    check_bad("no-check", expect![[]]);
}

#[test]
fn bad_usage() {
    let mut all = String::new();
    for arguments in [
        "crates/cli/tests/bad-lang/none.lang",
        "examples/lang/arith.lang examples/java/stack/Stack.java",
        "examples/lang/arith.lang --language arit",
        "examples/lang/arith.lang --check progres",
        "examples/lang/arith.lang --bounds t:many",
        "examples/lang/arith.lang --bounds z:3",
        "",
    ] {
        let ran = run(arguments);
        all.push_str(&format!("$ check {arguments}\n{}{}exit {}\n\n", ran.stdout, ran.stderr, ran.status));
    }
    expect![[]].assert_eq(&all);
}

#[test]
fn a_program_is_run() {
    check_run("examples/lang/arith.lang", "if iszero (pred 0) then succ 0 else 0", expect![[]]);
    check_run("examples/lang/imp.lang", "x := 0 ; while x <= 0 do x := x + 1", expect![[]]);
    check_run("examples/lang/stlc.lang", "plus 0 (cons 0 nil)", expect![[]]);
    check_run("examples/lang/refs.lang", "(λ x:Ref Unit. x := ! x) (ref unit)", expect![[]]);
    check_run("examples/lang/stlc.lang", "plus zero", expect![[]]);
    check_run("examples/lang/stlc.lang", "λ x:Int. x1", expect![[]]);
}

#[test]
fn mutants_are_killed_or_survive() {
    check("examples/lang/arith.lang --language arith --check preservation --bounds t:size5 --mutate", expect![[]]);
}

#[test]
fn a_figure_for_a_paper() {
    let ran = glassbox(&["check", "examples/lang/arith.lang", "--language", "arith", "--latex"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("\\mathsf{iszero}") || ran.stdout.contains("iszero"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("\\begin{").count(), ran.stdout.matches("\\end{").count());
}

#[test]
fn the_machines_view() {
    let ran = glassbox(&["check", &format!("{BAD}/typo.lang"), "--json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let json: Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
    assert_eq!((&json["verdict"], &json["exit_status"]), (&"violated".into(), &1.into()));
    let [progress, preservation] = &json["checks"].as_array().expect("checks")[..] else { panic!("{json}") };
    assert_eq!((&progress["verdict"], &progress["engine"]), (&"verified".into(), &"classes".into()));
    assert!(progress["classes"]["non_empty"].as_u64() > Some(5), "{progress}");
    assert_eq!((&preservation["verdict"], &preservation["minimal_size"]), (&"violated".into(), &7.into()));
    let found = &preservation["counterexample"];
    assert_eq!(found["parts"][0]["text"], "tl (cons 0 nil)");
    assert_eq!(found["steps"][0]["rule"], "tl");
    assert_eq!(found["derivations"][0]["rule"], "T-App");
}

/// Both engines, and any number of threads, say the same.
#[test]
fn engines_and_threads_agree() {
    let verdicts = |arguments: &[&str]| -> Vec<(String, String, String)> {
        let ran =
            glassbox(&[&["check", "examples/lang/stlc.lang", "--json", "--bounds", "t: size 10"], arguments].concat());
        let json: Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
        let text = |v: &Value| v.to_string();
        json["checks"]
            .as_array()
            .expect("checks")
            .iter()
            .map(|c| (text(&c["language"]) + &text(&c["check"]), text(&c["verdict"]), text(&c["minimal_size"])))
            .collect()
    };
    let classes = verdicts(&["--certify"]);
    assert_eq!(classes.len(), 20);
    assert_eq!(classes, verdicts(&["--engine", "exhaustive"]));
    assert_eq!(classes, verdicts(&["--threads", "1"]));
}
