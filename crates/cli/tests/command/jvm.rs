//! Counterexamples on a JVM: the state is made there, the operation runs on the object and on its abstraction, and what is wrong must be
//! what the command said (`scripts/ReplayEach.java`).

use crate::root;
use serde_json::Value;
use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Counterexamples to run.
#[derive(Default)]
pub struct Cases {
    text: String,
    /// What the JVM must say of each, and what it is.
    expected: Vec<(String, String)>,
}

impl Cases {
    /// A violated item of a class in these folders. False if it is not of a kind that a JVM can show.
    pub fn add(&mut self, folders: &str, class: &str, item: &Value) -> bool {
        let failure = &item["failures"][0];
        let problem = &failure["problems"][0];
        let is_about_trees = problem["message"].as_str().is_some_and(|m| m.contains("tree"));
        let expected = match problem["id"].as_str() {
            Some(kind @ "abstraction") => kind,
            Some(kind @ "invariant") if !is_about_trees => kind,
            Some("preservation") if !is_about_trees => "invariant",
            Some("progress") => "StuckException",
            Some("assertion") => "AssertionError",
            Some("exception") => problem["message"].as_str().and_then(|m| m.split(' ').next()).unwrap_or_default(),
            _ => return false,
        };
        let example = &failure["example"];
        let Some((operation, arguments)) = example["call"].as_str().and_then(|c| c.strip_suffix(')')?.split_once('('))
        else {
            return false;
        };
        let number = self.expected.len();
        let text = |v: &Value| v.as_str().unwrap_or("null").to_string();
        let mut out = format!("case\t{number}\t{folders}\nsize\t{}\n", item["size"]);
        let objects = example["before"].as_array().into_iter().flatten();
        for object in objects.clone() {
            let (name, class) = (text(&object["name"]), text(&object["class"]));
            let _ = match object["is_array"].as_bool() {
                Some(true) => {
                    writeln!(out, "array\t{name}\t{class}\t{}", object["fields"].as_array().map_or(0, Vec::len))
                }
                _ => writeln!(out, "object\t{name}\t{class}"),
            };
        }
        for object in objects {
            for field in object["fields"].as_array().into_iter().flatten() {
                let (name, value) = (text(&field["name"]), text(&field["value"]));
                let _ = writeln!(out, "field\t{}\t{name}\t{value}", text(&object["name"]));
            }
        }
        let operation = operation.strip_prefix("new ").unwrap_or(operation);
        let given: Vec<&str> = arguments.split(", ").filter(|a| !a.is_empty()).collect();
        let given: String = given.iter().map(|a| format!("\t{a}")).collect();
        let _ = writeln!(out, "call\t{class}\t{operation}{given}");
        self.text += &out;
        self.expected.push((expected.to_string(), format!("{folders} {class}.{operation}")));
        true
    }

    /// What the JVM says otherwise. The reason, if there is none here.
    pub fn run(&self) -> Result<Vec<String>, String> {
        let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replayed");
        let mut child = Command::new("java")
            .args(["-Dfile.encoding=UTF-8", "scripts/ReplayEach.java"])
            .args([classes.as_os_str(), "java/glassbox".as_ref()])
            .current_dir(root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("no JVM: {e}"))?;
        let mut stdin = child.stdin.take().ok_or("no input")?;
        let text = self.text.clone();
        let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        let _ = writer.join();
        let told = String::from_utf8_lossy(&output.stdout).to_string();
        let mut wrong = Vec::new();
        for (number, (expected, what)) in self.expected.iter().enumerate() {
            let line = told.lines().find_map(|l| l.strip_prefix(&format!("{number}\t")));
            if line != Some(expected) {
                wrong.push(format!("{what}: {expected}, but the JVM says {line:?}"));
            }
        }
        if !wrong.is_empty() {
            wrong.push(String::from_utf8_lossy(&output.stderr).chars().take(3000).collect());
        }
        Ok(wrong)
    }
}
