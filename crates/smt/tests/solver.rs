//! Talking to a solver that is there, that is not, that crashes, that hangs, and that talks nonsense.

use smt::{Answer, Kind, Missing, Program, Session, find, parse, string_literal};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const SHORT: Duration = Duration::from_millis(500);

fn solver() -> Program {
    find(None).expect("z3 is installed by scripts/test")
}

fn fake(name: &str, script: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("glassbox-smt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    path
}

/// A program that claims to be Z3 and then runs the script.
fn pretender(name: &str, script: &str) -> Session {
    let path = fake(name, &format!("if [ \"$1\" = --version ]; then echo 'Z3 version 4.8.12'; exit; fi\n{script}"));
    Session::new(find(Some(&path)).expect("it says so"), String::new())
}

#[test]
fn queries_do_not_depend_on_each_other() {
    let mut session = Session::new(solver(), "(declare-const x Int)\n".to_string());
    assert_eq!(session.check("(assert (> x 0))\n(assert (< x 1))", SHORT), Answer::Unsat);
    assert_eq!(session.check("(assert (> x 0))", SHORT), Answer::Sat);
    let (answer, values) = session.values("(assert (= x (- 5)))", &["x".to_string()], SHORT);
    assert_eq!((answer, values), (Answer::Sat, vec!["((x (- 5)))".to_string()]));
    assert_eq!(session.counts.starts, 1);
}

#[test]
fn a_mistake_in_a_query_proves_nothing() {
    let mut session = Session::new(solver(), String::new());
    assert!(matches!(session.check("(assert (= y 1))\n(assert false)", SHORT), Answer::Unknown(_)));
    assert_eq!(session.check("(assert false)", SHORT), Answer::Unsat);
}

#[test]
fn a_missing_solver() {
    let Missing { message, help } = find(Some(Path::new("no-such-solver"))).expect_err("there is none");
    assert!(message.contains("no-such-solver") && help.contains("apt-get install z3"), "{message} {help}");
}

#[test]
fn another_program() {
    let missing = find(Some(&fake("other", "echo hello"))).expect_err("no solver");
    assert!(missing.message.contains("no SMT solver"), "{}", missing.message);
}

#[test]
fn an_old_solver() {
    let missing = find(Some(&fake("old", "echo 'Z3 version 4.3.1'"))).expect_err("too old");
    assert!(missing.message.contains("too old"), "{}", missing.message);
}

#[test]
fn a_solver_that_crashes_is_started_again() {
    let mut session = pretender("crashes", "read line; exit 1");
    for _ in 0..2 {
        assert!(matches!(session.check("(assert false)", SHORT), Answer::Unknown(_)));
    }
    assert_eq!(session.counts.starts, 2);
}

#[test]
fn a_solver_that_hangs_is_given_up() {
    let mut session = pretender("hangs", "exec sleep 60");
    let start = Instant::now();
    assert!(matches!(session.check("(assert false)", Duration::from_millis(50)), Answer::Unknown(_)));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_solver_that_talks_nonsense() {
    let mut session = pretender("nonsense", "while read line; do echo banana; done");
    assert!(matches!(session.check("(assert false)", Duration::from_millis(50)), Answer::Unknown(_)));
}

#[test]
fn answers_as_trees() {
    let tree = parse("((x (VText \"a\"\"b\\u{e9}\")) (y (- 1)))").expect("a tree");
    assert_eq!(format!("{tree:?}").matches("Atom").count(), 5);
    assert!(format!("{tree:?}").contains("a\\\"bé"), "{tree:?}");
    for broken in ["(", ")", "(()", "\"", "a b", ""] {
        assert_eq!(parse(broken), None, "{broken}");
    }
    assert_eq!(string_literal("a\"\\é"), "\"a\"\"\\u{5c}\\u{e9}\"");
    assert_eq!(solver().kind, Kind::Z3);
}
