//! A limit is a verdict, everywhere: `--timeout`, `--memory` and signals end every input in time, wherever it is, with what is known so far,
//! a valid report and exit status 3. No clock is looked at: what goes on working is ended after
//! seconds of a processor (`ulimit`), with another status.

use crate::{items, object, root};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// In seconds of a processor: far longer than any limit here, far shorter than what runs would take.
const LATE: &str = "ulimit -t 20; exec \"$0\" \"$@\"";

fn written(name: &str, text: &str) -> String {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ending-{name}"));
    std::fs::write(&file, text).expect("a file");
    file.display().to_string()
}

/// A class whose operation takes very long.
fn long_java() -> String {
    "examples/java/tree-map/TreeMap.java".to_string()
}

/// A procedure with thousands of branches.
fn long_hob() -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("ending-hob");
    std::fs::create_dir_all(&folder).expect("a folder");
    let branches: String = (0..2_000).map(|k| format!("if (n == {k}) {{ e.on = {}; }}\n", k % 2 == 0)).collect();
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).expect("a file");
    write("M.fl", format!("impl module M {{ format E {{ on : bool; }}\nproc p(e : E; n : int) {{\n{branches}}} }}\n"));
    let spec = "spec module M { format E; specvar On : E set; proc p(e : E; n : int) requires card(e) = 1 modifies On ensures (On' = On) | (On' = On + e) | (On' = On - e); }\n";
    write("M.sl", spec.to_string());
    write("M.al", "abst module M { use plugin \"flags\"; On = {x : E | \"x.on = true\"}; }\n".to_string());
    folder.display().to_string()
}

/// A program whose conditions keep a solver busy for long.
fn long_dminor(name: &str) -> String {
    // Sums of three cubes: their smallest solutions have fifteen digits and more, or are not known.
    let function = |k: u32| {
        format!("f{k}(x: Integer, y: Integer, z: Integer) : {{1}} {{ x*x*x + y*y*y + z*z*z == {k} ? 0 : 1 }}\n")
    };
    written(name, &[33, 42, 114, 390].map(function).concat())
}

fn started(arguments: &[&str]) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", LATE, env!("CARGO_BIN_EXE_glassbox")]);
    command.args(arguments).current_dir(root()).stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
    command.spawn().expect("the command starts")
}

/// The report and the status.
fn ended(child: Child) -> (Value, i32) {
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let ran = crate::Ran {
        status: output.status.code().unwrap_or(-1),
        stdout: text,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    (object(&ran), ran.status)
}

/// Something was planned and is open for this reason, or it was not even read.
fn is_open(report: &Value, code: &str) -> bool {
    let of = |list: &Value, key: &str| list.as_array().is_some_and(|all| all.iter().any(|r| r[key] == code));
    items(report).iter().any(|i| i["verdict"] == "unknown" && of(&i["reasons"], "code"))
        || of(&report["warnings"], "id")
}

fn inputs() -> Vec<(&'static str, Vec<String>)> {
    vec![
        ("java", vec![long_java(), "--size".into(), "127".into()]),
        ("java, set up", vec![long_java(), "--size".into(), "16383".into()]),
        ("lang", vec!["examples/lang/stlc.lang".into(), "--engine".into(), "exhaustive".into()]),
        ("dminor", vec![long_dminor("long.dm"), "--solver-timeout".into(), "60".into()]),
        ("hob", vec![long_hob()]),
    ]
}

#[test]
fn the_time_ends_every_input() {
    for (name, arguments) in inputs() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (report, status) = ended(started(&[&["check", "--json", "--timeout", "0.5"], &arguments[..]].concat()));
        assert_eq!((status, is_open(&report, "timeout")), (3, true), "{name}: {report:#}");
    }
}

#[test]
fn signals_end_every_input() {
    for (k, (name, arguments)) in inputs().into_iter().enumerate() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let child = started(&[&["check", "--json"], &arguments[..]].concat());
        std::thread::sleep(Duration::from_millis(400));
        let signal = if k % 2 == 0 { "-TERM" } else { "-INT" };
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill").success());
        let (report, status) = ended(child);
        assert_eq!((status, is_open(&report, "interrupted")), (3, true), "{name}: {report:#}");
    }
}

#[test]
fn the_memory_ends_every_input() {
    for (name, arguments) in inputs() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (report, status) = ended(started(&[&["check", "--json", "--memory", "1"], &arguments[..]].concat()));
        assert_eq!((status, is_open(&report, "memory")), (3, true), "{name}: {report:#}");
    }
}

/// What was found before a limit is kept, and a violation stays one.
#[test]
fn what_is_known_is_told() {
    let text = std::fs::read_to_string(long_dminor("base.dm")).expect("a file");
    let file = written("known.dm", &format!("wrong(x: Integer) : Text {{ x }}\n{text}"));
    let (report, status) =
        ended(started(&["check", "--json", "--timeout", "4", "--solver-timeout", "60", "--threads", "1", &file]));
    assert_eq!((status, &items(&report)[0]["verdict"]), (1, &"violated".into()), "{report:#}");
    assert!(is_open(&report, "timeout"), "{report:#}");
}

#[test]
fn a_long_line_ends_in_time() {
    for (name, text) in [("Line.java", "x ".repeat(5_000_000)), ("line.dm", "x ".repeat(5_000_000))] {
        let file = written(name, &text);
        let mut child = started(&["check", "--json", "--timeout", "0.5", &file]);
        let status = child.wait().expect("it ends").code();
        assert!(status == Some(3) || status == Some(2), "{name}: {status:?}");
    }
}

/// Changes that were not tried are not "as expected".
#[test]
fn mutants_that_were_not_tried_are_unknown() {
    let (report, status) = ended(started(&[
        "check",
        "--json",
        "--mutate",
        "--timeout",
        "2",
        "--language",
        "stlc",
        "examples/lang/stlc.lang",
    ]));
    assert_eq!(status, 3, "{report:#}");
    let mutants = report["subjects"][0]["mutants"].as_array().cloned().unwrap_or_default();
    assert!(mutants.iter().any(|m| m["reason"]["code"] == "timeout"), "{report:#}");
}

/// A program that waits for its input hears a signal.
#[test]
fn a_waiting_program_ends() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(["run", "examples/hob/minesweeper"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("an input");
    let _ = input.write_all(b"\n");
    std::thread::sleep(Duration::from_millis(500));
    let is_waiting = child.try_wait().expect("a status").is_none();
    assert!(
        Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill").success() || !is_waiting
    );
    let status = child.wait().expect("it ends").code();
    assert!(!is_waiting || status == Some(3), "{status:?}");
}

/// Plain signs where a terminal shows no others.
#[test]
fn plain_ascii_where_asked() {
    for (name, value) in [("LC_ALL", "C"), ("TERM", "dumb")] {
        let output = Command::new(env!("CARGO_BIN_EXE_glassbox"))
            .args([
                "check",
                "examples/java/search-tree/bugs/02-equal-key-inserted-again/SearchTree.java",
                "--size",
                "1",
            ])
            .current_dir(root())
            .env_remove("LC_ALL")
            .env(name, value)
            .output()
            .expect("it runs");
        assert!(output.stdout.is_ascii(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("x insert(int, Object)"));
    }
}

#[test]
fn completions_and_a_manual_page() {
    for shell in ["bash", "zsh", "fish"] {
        let ran = crate::glassbox(&["completions", shell]);
        assert!(ran.status == 0 && ran.stdout.contains("timeout"), "{shell}: {}", ran.stderr);
    }
    let ran = crate::glassbox(&["man"]);
    assert!(ran.status == 0 && ran.stdout.contains(".TH glassbox"), "{}", ran.stdout);
}

/// Somewhere that is not there.
#[test]
fn a_file_that_cannot_be_written() {
    let nowhere: PathBuf = root().join("no/such/folder/report.html");
    let ran = crate::glassbox(&[
        "check",
        "examples/java/stack/Stack.java",
        "--size",
        "1",
        "--html",
        &nowhere.display().to_string(),
    ]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("could not be written"), "{}", ran.stderr);
}
