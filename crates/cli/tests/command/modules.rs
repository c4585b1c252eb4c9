//! Hob modules: check, run, and what is said of bad ones.

use crate::{Ran, glassbox, redacted, root};
use expect_test::{Expect, expect};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

fn check(arguments: &str, expected: Expect) {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let ran = glassbox(&arguments);
    expected.assert_eq(&format!("{}{}exit {}\n", redacted(&ran.stdout), ran.stderr, ran.status));
}

/// A folder of its own with these files; taken away in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("glassbox-modules-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        for (name, text) in files {
            std::fs::write(path.join(name), text).expect("a file");
        }
        Folder(path)
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_glassbox"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What `glassbox check .` says in a folder with these files.
fn check_files(files: &[(&str, &str)], expected: Expect) {
    let ran = Folder::new(files).run(&["check", "."]);
    expected.assert_eq(&format!("{}{}exit {}\n", redacted(&ran.stdout), ran.stderr, ran.status));
}

const LAMP_FL: &str = "impl module Lamp {\n  format Bulb { on : bool; }\n  proc light(b : Bulb) { b.on = true; }\n}\n";
const LAMP_SL: &str = "spec module Lamp {\n  format Bulb;\n  specvar Lit : Bulb set;\n  proc light(b : Bulb)\n    requires card(b) = 1\n    modifies Lit\n    ensures Lit' = Lit + b;\n}\n";
const LAMP_AL: &str = "abst module Lamp {\n  use plugin \"flags\";\n  Lit = {x : Bulb | \"x.on = true\"};\n}\n";

/// The lamp with something replaced in one of its files.
fn lamp(file: &str, from: &str, to: &str, expected: Expect) {
    let texts = [("Lamp.fl", LAMP_FL), ("Lamp.sl", LAMP_SL), ("Lamp.al", LAMP_AL)];
    let changed = texts.map(|(name, text)| {
        assert!(name != file || text.contains(from), "{from} is not in {file}");
        (name, if name == file { text.replace(from, to) } else { text.to_owned() })
    });
    let files: Vec<(&str, &str)> = changed.iter().map(|(name, text)| (*name, text.as_str())).collect();
    check_files(&files, expected);
}

#[test]
fn a_module_is_verified_and_its_bug_found() {
    lamp("Lamp.fl", "true", "true", expect![[""]]);
    lamp("Lamp.fl", "true", "false", expect![[""]]);
    lamp("Lamp.sl", "modifies Lit", "", expect![[""]]);
}

#[test]
fn names_and_primes() {
    lamp("Lamp.sl", "Lit' = Lit + b", "Lit' = Lid + b", expect![[""]]);
    lamp("Lamp.sl", "requires card(b) = 1", "requires b in Lit'", expect![[""]]);
    lamp("Lamp.fl", "b.on", "b.of", expect![[""]]);
}

#[test]
fn sections_that_do_not_fit() {
    lamp("Lamp.fl", "proc light(b : Bulb) { b.on = true; }", "", expect![[""]]);
    lamp("Lamp.al", "x.on = true", "x.on = false", expect![[""]]);
    lamp("Lamp.al", "Lit = {x : Bulb | \"x.on = true\"};", "Lit = Lit + {x : Bulb | \"x.on = true\"};", expect![[""]]);
    lamp("Lamp.al", "\"flags\"", "\"flag\"", expect![[""]]);
    check_files(&[("Lamp.sl", LAMP_SL), ("Lamp.al", LAMP_AL)], expect![[""]]);
}

#[test]
fn sets_over_fields_of_another_module() {
    let other_fl = "impl module Other { format Bulb { off : bool; } proc p(b : Bulb) { } }\n";
    let other_sl = "spec module Other { format Bulb; specvar Off : Bulb set; proc p(b : Bulb) ensures true; }\n";
    let other_al = "abst module Other { use plugin \"flags\"; Off = {x : Bulb | \"x.on = true\"}; }\n";
    let files = [("Lamp.fl", LAMP_FL), ("Lamp.sl", LAMP_SL), ("Lamp.al", LAMP_AL)];
    let all = [&files[..], &[("Other.fl", other_fl), ("Other.sl", other_sl), ("Other.al", other_al)]].concat();
    check_files(&all, expect![[""]]);
}

#[test]
fn scopes_are_respected() {
    let scope = "scope House {\n  modules Lamp, Room;\n  exports Room;\n}\n";
    let room_fl = "impl module Room { proc enter(b : Bulb) { Lamp.light(b); } }\n";
    let room_sl = "spec module Room { format Bulb; proc enter(b : Bulb) requires card(b) = 1 ensures true; }\n";
    let thief_fl = "impl module Thief { proc steal(b : Bulb) { Lamp.light(b); } }\n";
    let thief_sl = "spec module Thief { format Bulb; proc steal(b : Bulb) requires card(b) = 1 modifies Lamp.Lit ensures true; }\n";
    let plugin = "abst module Room { use plugin \"flags\"; } abst module Thief { use plugin \"flags\"; }\n";
    let files = [
        ("Lamp.fl", LAMP_FL),
        ("Lamp.sl", LAMP_SL),
        ("Lamp.al", LAMP_AL),
        ("Room.fl", room_fl),
        ("Room.sl", room_sl),
        ("Thief.fl", thief_fl),
        ("Thief.sl", thief_sl),
        ("Plugins.al", plugin),
        ("House.scope", scope),
    ];
    check_files(&files, expect![[""]]);
}

#[test]
fn files_that_cannot_be_read() {
    check("check nowhere.fl", expect![[""]]);
    check_files(&[("a.fl", "impl module A {"), ("b.sl", "spec modul B { }"), ("c.al", "\u{1}")], expect![[""]]);
    let folder = Folder::new(&[("a.fl", LAMP_FL), ("b.txt", "")]);
    std::fs::write(folder.0.join("c.sl"), [0xff, 0xfe]).expect("a file");
    let ran = folder.run(&["check", "a.fl", "b.txt"]);
    expect![[""]].assert_eq(&format!("{}{}exit {}\n", ran.stdout, ran.stderr, ran.status));
    let ran = folder.run(&["check", "c.sl"]);
    expect![[""]].assert_eq(&format!("{}{}exit {}\n", ran.stdout, ran.stderr, ran.status));
}

#[test]
fn what_is_not_there() {
    check("check examples/hob/scheduler --module Schedule", expect![[""]]);
    check("check examples/hob/scheduler --proc resum", expect![[""]]);
    check("check examples/hob/scheduler --emit boogie", expect![[""]]);
    check("run examples/hob/scheduler Scheduler.create", expect![[""]]);
    check_files(&[("Lamp.fl", LAMP_FL), ("Lamp.sl", LAMP_SL)], expect![[""]]);
}

/// Named files are checked; what they call is found beside them.
#[test]
fn dependencies_are_found_from_calls() {
    check(
        "check examples/hob/scheduler/Main.fl examples/hob/scheduler/Main.sl examples/hob/scheduler/Main.al",
        expect![[""]],
    );
    check("check examples/hob/scheduler --proc Scheduler.resume", expect![[""]]);
    check("check examples/hob/scheduler --quiet", expect![[""]]);
}

#[test]
fn the_papers_bug() {
    check(
        "check examples/hob/minesweeper examples/hob/minesweeper/bugs/01-remove-first --module View --quiet",
        expect![[""]],
    );
}

#[test]
fn json_is_for_programs() {
    let ran = glassbox(&[
        "check",
        "examples/hob/scheduler",
        "examples/hob/scheduler/bugs/01-resumed-process-stays-suspended",
        "--json",
    ]);
    assert_eq!(ran.status, 1);
    let object: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(object["verdict"], "violated");
    let scheduler =
        object["modules"].as_array().expect("a list").iter().find(|m| m["module"] == "Scheduler").expect("the module");
    let resume =
        scheduler["procs"].as_array().expect("a list").iter().find(|p| p["proc"] == "resume").expect("the procedure");
    assert_eq!(resume["failures"][0]["id"], "hob-ensures");
    assert_eq!(resume["failures"][0]["example"]["variables"][0]["value"], "o1");
    assert_eq!(scheduler["bound"], serde_json::Value::Null);
}

#[test]
fn obligations_for_mona() {
    let ran = glassbox(&["check", "examples/hob/scheduler", "--proc", "suspend", "--emit", "mona"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("Scheduler.suspend, obligation 1") && ran.stdout.contains("ws1s;"), "{}", ran.stdout);
}

#[test]
fn null_is_looked_for_if_asked() {
    let files = [("Lamp.fl", LAMP_FL), ("Lamp.sl", &LAMP_SL.replace("card(b) = 1", "true")), ("Lamp.al", LAMP_AL)];
    let folder = Folder::new(&files);
    assert_eq!(folder.run(&["check", "."]).status, 0);
    let ran = folder.run(&["check", ".", "--check-null"]);
    expect![[""]].assert_eq(&format!("{}exit {}\n", redacted(&ran.stdout), ran.status));
}

/// With these lines to read.
fn played(arguments: &[&str], lines: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn minesweeper_is_played() {
    let ran = played(&["run", "examples/hob/minesweeper", "--contracts"], "5 3\ne 0 0\nm 4 4\nq\n");
    expect![[""]].assert_eq(&format!("{}{}exit {}\n", ran.stdout, ran.stderr, ran.status));
}

#[test]
fn programs_run() {
    check("run examples/hob/scheduler --contracts", expect![[""]]);
    check("run examples/hob/ctas", expect![[""]]);
}
