//! Talking to a solver that is there, that is not, that crashes, that hangs, and that talks nonsense.

use smt::{Answer, Kind, Missing, Program, Session, Why, find, parse, string_literal};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use work::{Cause, Stop};

const SHORT: Duration = Duration::from_millis(500);

fn solver() -> Program {
    find(None, &Stop::default()).expect("z3 is installed by scripts/test")
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
    Session::new(find(Some(&path), &Stop::default()).expect("it says so"), String::new())
}

#[test]
fn queries_do_not_depend_on_each_other() {
    let mut session = Session::new(solver(), "(declare-const x Int)\n".to_string());
    assert_eq!(session.check("(assert (> x 0))\n(assert (< x 1))", SHORT, &Stop::default()), Answer::Unsat);
    assert_eq!(session.check("(assert (> x 0))", SHORT, &Stop::default()), Answer::Sat);
    let (answer, values) = session.values("(assert (= x (- 5)))", &["x".to_string()], SHORT, &Stop::default());
    assert_eq!((answer, values), (Answer::Sat, vec!["((x (- 5)))".to_string()]));
    assert_eq!(session.counts.starts, 1);
}

#[test]
fn a_mistake_in_a_query_proves_nothing() {
    let mut session = Session::new(solver(), String::new());
    assert!(matches!(session.check("(assert (= y 1))\n(assert false)", SHORT, &Stop::default()), Answer::Unknown(_)));
    assert_eq!(session.check("(assert false)", SHORT, &Stop::default()), Answer::Unsat);
}

#[test]
fn a_missing_solver() {
    let Missing { message, help } =
        find(Some(Path::new("no-such-solver")), &Stop::default()).expect_err("there is none");
    assert!(message.contains("no-such-solver") && help.contains("apt-get install z3"), "{message} {help}");
}

#[test]
fn another_program() {
    let missing = find(Some(&fake("other", "echo hello")), &Stop::default()).expect_err("no solver");
    assert!(missing.message.contains("not an SMT solver"), "{}", missing.message);
}

#[test]
fn an_old_solver() {
    let missing = find(Some(&fake("old", "echo 'Z3 version 4.3.1'")), &Stop::default()).expect_err("too old");
    assert!(missing.message.contains("too old"), "{}", missing.message);
}

#[test]
fn a_solver_that_crashes_is_started_again() {
    let mut session = pretender("crashes", "read line; exit 1");
    for _ in 0..2 {
        assert!(matches!(session.check("(assert false)", SHORT, &Stop::default()), Answer::Unknown(_)));
    }
    assert_eq!(session.counts.starts, 2);
}

#[test]
fn a_solver_that_hangs_is_given_up() {
    let mut session = pretender("hangs", "exec sleep 60");
    assert!(matches!(
        session.check("(assert false)", Duration::from_millis(50), &Stop::default()),
        Answer::Unknown(Why::Clock(_))
    ));
    assert_eq!(session.counts.late, 1);
}

/// More than a pipe holds.
#[test]
fn a_solver_that_does_not_read_is_given_up() {
    let mut session = pretender("deaf", "exec sleep 60");
    let text = "(assert true)\n".repeat(100_000);
    assert!(matches!(
        session.check(&text, Duration::from_millis(50), &Stop::default()),
        Answer::Unknown(Why::Clock(_))
    ));
}

#[test]
fn a_solver_that_never_stops_talking_is_given_up() {
    let mut session = pretender("chatty", "while true; do echo banana; sleep 0.01; done");
    assert!(matches!(
        session.check("(assert false)", Duration::from_millis(50), &Stop::default()),
        Answer::Unknown(Why::Clock(_))
    ));
    let mut session = pretender("endless", "exec tr '\\000' x < /dev/zero");
    assert!(matches!(session.check("(assert false)", SHORT, &Stop::default()), Answer::Unknown(_)));
}

/// Whatever the solver does: within a deadline, or when somebody says so.
#[test]
fn a_solver_is_killed_when_the_run_has_to_end() {
    let stop = Stop::after(Duration::from_millis(200));
    let mut session = pretender("sleeps", "exec sleep 60");
    let hour = Duration::from_secs(3600);
    assert_eq!(session.check("(assert false)", hour, &stop), Answer::Unknown(Why::Stopped(Cause::Timeout)));
    let (stop, mut session) = (Stop::default(), Session::new(solver(), String::new()));
    let started = std::sync::Barrier::new(2);
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            started.wait();
            stop.raise(Cause::Interrupted);
        });
        started.wait();
        session.check(&much_work(), hour, &stop)
    });
    assert_eq!(answer, Answer::Unknown(Why::Stopped(Cause::Interrupted)));
    // Nothing is asked any more, and another run is answered.
    assert_eq!(session.check("(assert false)", hour, &stop), Answer::Unknown(Why::Stopped(Cause::Interrupted)));
    assert_eq!(session.check("(assert false)", hour, &Stop::default()), Answer::Unsat);
}

#[test]
fn a_program_that_does_not_say_its_version() {
    let stop = Stop::after(Duration::from_millis(200));
    let missing = find(Some(&fake("silent", "exec sleep 60")), &stop).expect_err("no solver");
    assert!(missing.message.contains("does not answer"), "{}", missing.message);
}

/// The system takes whoever starts a process for a thread, and binds the process to that.
#[test]
fn a_solver_outlives_the_thread_that_asked_it_first() {
    let mut session = Session::new(solver(), "(declare-const x Int)\n".to_string());
    for _ in 0..3 {
        let ask = || session.check("(assert (> x 0))\n(assert (< x 1))", SHORT, &Stop::default());
        let answer = std::thread::scope(|scope| scope.spawn(ask).join().expect("an answer"));
        assert_eq!(answer, Answer::Unsat);
    }
    assert_eq!(session.counts.starts, 1);
}

#[test]
fn a_solver_that_talks_nonsense() {
    let mut session = pretender("nonsense", "while read line; do echo banana; done");
    assert!(matches!(session.check("(assert false)", Duration::from_millis(50), &Stop::default()), Answer::Unknown(_)));
}

/// A program that speaks like Z3, and says what `$answer` comes to at each question; `$n` is its number, from 0.
fn liar(name: &str, answer: &str) -> Session {
    let script = format!(
        "n=0\nwhile read -r line; do case \"$line\" in *check-sat*) {answer}; n=$((n+1));; *'(echo'*) echo \"$line\" | sed 's/.*(echo \"\\(.*\\)\").*/\\1/';; esac; done"
    );
    pretender(name, &script)
}

#[test]
fn a_solver_that_always_says_unsat_is_not_believed() {
    let mut session = liar("always", "echo unsat");
    match session.check("(assert false)", SHORT, &Stop::default()) {
        Answer::Unknown(Why::Broken(what)) => assert!(what.contains("proves what is not true"), "{what}"),
        other => panic!("{other:?}"),
    }
    // One that is right about the axioms is believed: that is what a second solver is for.
    let mut session = liar("nearly-always", "if [ $n = 0 ]; then echo sat; else echo unsat; fi");
    assert_eq!(session.check("(assert true)", SHORT, &Stop::default()), Answer::Unsat);
}

/// Much work: 14 different numbers below 13.
fn much_work() -> String {
    let numbers: Vec<String> = (0..14).map(|k| format!("x{k}")).collect();
    let declared: String =
        numbers.iter().map(|x| format!("(declare-const {x} Int)\n(assert (<= 0 {x} 12))\n")).collect();
    format!("{declared}(assert (distinct {}))", numbers.join(" "))
}

#[test]
fn a_limit_of_work_differs_from_giving_up() {
    let options = "(set-option :auto_config false)\n(set-option :smt.mbqi false)\n";
    let gives_up = "(declare-fun f (Int) Int)\n(assert (forall ((x Int)) (! (> (f x) x) :pattern ((f x)))))";
    let mut session = Session::new(solver(), options.to_string());
    assert_eq!(session.check(&much_work(), Duration::from_millis(100), &Stop::default()), Answer::Unknown(Why::Work));
    assert!(
        matches!(session.check(gives_up, SHORT, &Stop::default()), Answer::Unknown(Why::GaveUp(why)) if why.contains("quantifiers"))
    );
    let cvc5 = find(Some(Path::new("cvc5")), &Stop::default()).expect("cvc5 is installed by scripts/test");
    let mut session = Session::new(cvc5, String::new());
    assert_eq!(session.check(&much_work(), Duration::from_millis(100), &Stop::default()), Answer::Unknown(Why::Work));
}

/// Z3 refuses everything after some queries that reached the limit of work, `pop` and `push` as well: it is started again.
#[test]
fn a_limit_of_work_is_forgotten_with_its_query() {
    let script = "bad=0; n=0; while read -r line; do case \"$line\" in
        '(push 1)'|'(pop 1)') [ $bad = 0 ] || echo '(error \"canceled\")';;
        *check-sat*) if [ $n = 1 ] && [ ! -e \"$0.was\" ]; then bad=1; touch \"$0.was\"; echo unknown; else echo sat; fi; n=$((n+1));;
        *reason-unknown*) echo '(:reason-unknown \"canceled\")';;
        *'(echo'*) echo \"$line\" | sed 's/.*(echo \"\\(.*\\)\").*/\\1/';;
        esac; done";
    let mut session = pretender("canceled", script);
    let mut ask = || session.check("(assert true)", SHORT, &Stop::default());
    assert_eq!((ask(), ask(), ask()), (Answer::Unknown(Why::Work), Answer::Sat, Answer::Sat));
    assert_eq!(session.counts.starts, 2);
}

/// The answers to a query do not depend on the queries before a reset: the units of work are the same.
#[test]
fn a_reset_forgets_everything() {
    let numbers: Vec<String> = (0..8).map(|k| format!("x{k}")).collect();
    let declared: String =
        numbers.iter().map(|x| format!("(declare-const {x} Int)\n(assert (<= 0 {x} 90))\n")).collect();
    // Many models: which one comes first depends on how terms are numbered.
    let text = format!("{declared}(assert (distinct {}))\n(assert (> (+ x0 x3 x5) (* 2 x1)))", numbers.join(" "));
    let work = |session: &mut Session| session.values(&text, &numbers, SHORT, &Stop::default());
    let options = "(set-option :auto_config false)\n(set-option :smt.mbqi false)\n".to_string();
    let mut session = Session::new(solver(), options.clone());
    let first = work(&mut session);
    session.check("(declare-const a Int)\n(assert (> (* a a a) 100))\n(assert (< a 1000))", SHORT, &Stop::default());
    session.reset();
    assert_eq!(work(&mut session), first);
    assert_eq!(session.counts.starts, 1);
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
