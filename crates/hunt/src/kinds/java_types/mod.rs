//! `java-types`: static types and overloads of generated expressions, as `javac` finds them and as our front-end does. No
//! engine can disagree with another about them: all run what the front-end made of the text. So a JVM is the table.
//!
//! A seed is one class with many test methods, a line each. `javac` may refuse some; what it takes, we have to take, and
//! the value or exception of each must be that of the JVM. `Batch.java` does the JVM's part.

mod generate;

use crate::{Disagreement, Found, Kind};
use generate::Generator;
use ir::interp::{Interp, Limits, Linked, NoChoice, Outcome, run_statics};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use work::with_room;

const METHODS: usize = 150;
const MEMBERS: &str = include_str!("Members.java");
const BATCH: &str = include_str!("Batch.java");

pub fn kind() -> Kind {
    Kind {
        name: "java-types",
        about: "150 Java expressions: types and overloads as javac finds them, against our front-end and interpreter",
        ci: 2,
        attempt,
    }
}

/// What came of a test method.
#[derive(Clone, PartialEq, Debug)]
enum Answer {
    /// A value, or the name of an exception.
    Ran(String),
    Refused(String),
    /// Not supported by us, and told so.
    Unsupported,
}

fn attempt(seed: u64) -> Found {
    // Every other seed is about which method is called, the rest about the value.
    let is_overload = seed % 2 == 1;
    let tests = Generator::new(seed, is_overload).methods(METHODS);
    let jvm = match on_the_jvm(&class(&tests), seed) {
        Ok(answers) => answers,
        Err(problem) => return Found::Skipped(problem),
    };
    let taken = |name: &str| matches!(jvm.get(name), Some(Answer::Ran(_)));
    let accepted: Vec<(String, String)> = tests.iter().filter(|(name, _)| taken(name)).cloned().collect();
    let ours = interpreted(accepted.clone());
    let mut wrong = Vec::new();
    let mut answers = BTreeSet::new();
    for (name, line) in &accepted {
        match (&jvm[name], ours.get(name).or(ours.get("members"))) {
            (_, Some(Answer::Unsupported)) => {}
            (Answer::Ran(jvm), Some(Answer::Ran(here))) if jvm == here => {
                answers.insert(jvm.clone());
            }
            (jvm, here) => wrong.push((name, line, format!("JVM {jvm:?}, here {here:?}"))),
        }
    }
    if wrong.is_empty() {
        return match answers.len() {
            0..5 => Found::Skipped(format!("only {} different answers", answers.len())),
            _ if is_overload => Found::Agreed("overloads"),
            _ => Found::Agreed("values"),
        };
    }
    let input: Vec<(String, String)> = wrong.iter().map(|(n, l, _)| (String::clone(n), String::clone(l))).collect();
    let answers = wrong.iter().map(|(n, l, what)| (format!("{n}: {what}"), String::clone(l))).collect();
    Found::Disagreed(Box::new(Disagreement { input: class(&input), answers }))
}

fn class(tests: &[(String, String)]) -> String {
    let tests: String =
        tests.iter().map(|(name, body)| format!("    @Check static long {name}() {{ {body} }}\n")).collect();
    format!("import glassbox.*;\npublic class T {{\n{MEMBERS}{tests}}}\n")
}

fn on_the_jvm(text: &str, seed: u64) -> Result<BTreeMap<String, Answer>, String> {
    // The specification is not needed there; lines stay what they are.
    let text = text.replace("@Check ", "").replace("@Declarative ", "").replace("import glassbox.*;", "");
    let folder = std::env::temp_dir().join(format!("hunt-java-types-{}-{seed}", std::process::id()));
    let written = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(folder.join("Batch.java"), BATCH))
        .and_then(|()| std::fs::write(folder.join("T.txt"), text));
    written.map_err(|e| e.to_string())?;
    let run = Command::new("java")
        .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "Batch.java", "T.txt"])
        .current_dir(&folder)
        .output();
    let removed = std::fs::remove_dir_all(&folder);
    let run = run.map_err(|e| format!("java: {e}"))?;
    removed.map_err(|e| e.to_string())?;
    if !run.status.success() {
        return Err(format!("java: {}", String::from_utf8_lossy(&run.stderr)));
    }
    let mut answers = BTreeMap::new();
    for line in String::from_utf8_lossy(&run.stdout).lines() {
        let Some((name, answer)) = line.split_once(' ') else { continue };
        let answer = match answer.strip_prefix("- ") {
            Some(problem) => Answer::Refused(problem.into()),
            None => Answer::Ran(answer.into()),
        };
        answers.insert(name.to_string(), answer);
    }
    Ok(answers)
}

/// Our own answers. What we refuse is left out, and the rest tried again.
fn interpreted(mut tests: Vec<(String, String)>) -> BTreeMap<String, Answer> {
    let mut answers = BTreeMap::new();
    loop {
        let text = class(&tests);
        let mut sources = source::SourceMap::default();
        let file = sources.add("T.java", text.as_str());
        let library = &java::no_library;
        let inputs = java::Inputs { library, class: Some("T".into()), ..java::Inputs::new(&mut sources, vec![file]) };
        let problems = match java::load(inputs) {
            Ok(loaded) => {
                run(&loaded, &tests, &mut answers);
                return answers;
            }
            Err(problems) => problems,
        };
        let first = text.lines().count() - tests.len() - 1;
        let before = tests.len();
        for problem in problems {
            let line = problem.span.map_or(0, |span| sources.start(span).line);
            if let Some((name, _)) = line.checked_sub(first + 1).and_then(|i| tests.get(i)) {
                answers.insert(name.clone(), Answer::Refused(problem.message.clone()));
            } else {
                answers.insert("members".into(), Answer::Refused(problem.message.clone()));
            }
        }
        tests.retain(|(name, _)| !answers.contains_key(name));
        if tests.len() == before {
            return answers;
        }
    }
}

fn run(loaded: &java::Loaded, tests: &[(String, String)], answers: &mut BTreeMap<String, Answer>) {
    let program = &loaded.program;
    let problems = ir::wellformed::problems(program);
    if let Some(problem) = problems.first() {
        answers.insert("members".into(), Answer::Refused(format!("not well-formed: {problem}")));
        return;
    }
    let linked = Linked::new(program);
    let heap = match with_room(|| run_statics(&linked, 0)) {
        Ok(Ok(heap)) => heap,
        stopped => {
            answers.insert("members".into(), Answer::Refused(format!("static initialisers: {stopped:?}")));
            return;
        }
    };
    for (name, _) in tests {
        let wanted = format!("{name}()");
        let operations = loaded.checked.iter().flat_map(|c| &c.operations);
        let Some(operation) = operations.into_iter().find(|o| o.name == wanted) else { continue };
        let mut interp = Interp::new(&linked, heap.clone(), NoChoice, 0);
        interp.limits = Limits { steps: 1_000_000, ..Limits::default() };
        let answer = match with_room(|| interp.run(operation.method, &[])) {
            Ok(Outcome::Normal(Some(ir::Value::Int(value)))) => Answer::Ran(value.to_string()),
            Ok(Outcome::Threw(object)) => {
                let class = program.ty_name(interp.heap.ty(object));
                Answer::Ran(class.rsplit('.').next().unwrap_or(&class).to_string())
            }
            // The JVM has more memory.
            Ok(Outcome::Stop(ir::interp::Stop::Unsupported(_) | ir::interp::Stop::Memory)) => Answer::Unsupported,
            other => Answer::Ran(format!("{other:?}")),
        };
        answers.insert(name.clone(), answer);
    }
}
