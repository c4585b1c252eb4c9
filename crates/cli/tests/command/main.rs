//! The command as a user meets it: what it prints and its exit status. `UPDATE_EXPECT=1` writes new expectations.

mod abstraction;
mod architecture;
mod bad_input;
mod borders;
mod bounded;
mod bugs;
mod choices;
mod citations;
mod clients;
mod compared;
mod dminor;
mod documents;
mod ending;
mod held;
mod held_by_clients;
mod import;
mod jdk;
mod json;
mod jvm;
mod kinds;
mod language_classes;
mod languages;
mod leaving;
mod library;
mod limits;
mod long_runs;
mod meaning;
mod modules;
mod orders;
mod output;
mod pages;
mod patterns;
mod race;
mod reach;
mod readme;
mod ready_made;
mod results;
mod scope;
mod show;
mod start;
mod types;
mod vacuity;

use expect_test::Expect;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a run left.
struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What the first line of a seeded bug says after `Smallest size:`, `Operation:` or `Kind:`.
fn of_bug(path: &Path, key: &str) -> String {
    let text = std::fs::read_to_string(path).expect("a bug");
    let line = text.lines().find(|l| l.starts_with("// Bug:")).unwrap_or_default();
    let (_, rest) = line.split_once(key).unwrap_or_else(|| panic!("{}: {key}", path.display()));
    rest.trim_start().split('.').next().unwrap_or("").trim().to_string()
}

/// A class in a folder of its own, as tests run beside each other.
fn java_file(name: &str, text: &str) -> String {
    static FILES: AtomicU32 = AtomicU32::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("class-{number}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{name}.java"));
    std::fs::write(&path, format!("import glassbox.*;\n{text}")).expect("a file");
    path.display().to_string()
}

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

/// Runs `glassbox check` with the arguments, which are separated by spaces, in the root of the repository.
fn run(arguments: &str) -> Ran {
    let arguments: Vec<&str> = std::iter::once("check").chain(arguments.split_whitespace()).collect();
    glassbox(&arguments)
}

/// The one object that a run printed.
fn object(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", ran.stdout, ran.stderr))
}

/// All items of a report in order, each with the `subject` and its `size`.
fn items(report: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    for subject in report["subjects"].as_array().into_iter().flatten() {
        for item in subject["items"].as_array().into_iter().flatten() {
            let mut item = item.clone();
            item["subject"] = subject["name"].clone();
            item["size"] = subject["size"].clone();
            all.push(item);
        }
    }
    all
}

/// Without what differs from run to run.
fn redacted(text: &str) -> String {
    let line = |line: &str| {
        let is_answer = ["✓", "✗", "?"].iter().any(|sign| line.trim_start().starts_with(sign));
        match line.rsplit_once("  ") {
            Some((start, _)) if is_answer => format!("{}  [time]\n", start.trim_end()),
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

/// Standard output, then standard error, then the status.
fn check(arguments: &str, expected: Expect) {
    let ran = run(arguments);
    expected.assert_eq(&format!("{}{}exit {}\n", redacted(&ran.stdout), ran.stderr, ran.status));
}
