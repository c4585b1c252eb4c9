//! The programs of `examples/hob`: each of them, and with each of its seeded bugs, is read without a complaint; they run, and keep
//! their contracts meanwhile; minesweeper's lists are right up to a bound, and the bugs in them are found.
//!
//! A bug's folder has the files that differ, which replace the program's of the same name, and `bug.txt`: module, procedure, a part
//! of what the finding says, and why. What the flag analysis finds is in `programs`.

mod running;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::bounded::engine::{Answer, Subject};
use hob::{FileKind, Input, Program};
use source::{Severity, SourceMap};

/// Texts by file name.
type Texts = BTreeMap<String, String>;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hob")
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(of) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn texts(folder: &Path) -> Texts {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.is_file() && FileKind::of(&name(path)).is_some())
        .map(|path| (name(&path), fs::read_to_string(&path).unwrap()))
        .collect()
}

/// The program, or what is wrong with it, a line each. Warnings are wrong too.
fn load(texts: &Texts) -> Result<Program, String> {
    let mut map = SourceMap::default();
    let inputs: Vec<Input> = texts
        .iter()
        .map(|(name, text)| Input { file: map.add(name, text), kind: FileKind::of(name).unwrap(), text })
        .collect();
    let loaded = hob::load(&inputs);
    let complaints: Vec<String> = loaded
        .diagnostics
        .iter()
        .filter(|d| d.severity != Severity::Note)
        .map(|d| {
            let place =
                d.span.map_or(String::new(), |span| format!("{}:{}", map.file(span.file).name, map.start(span).line));
            format!("  {place}: {}: {} (help: {})", d.id, d.message, d.help.as_deref().unwrap_or("none"))
        })
        .collect();
    match loaded.program {
        Some(program) if complaints.is_empty() => Ok(program),
        _ => Err(complaints.join("\n")),
    }
}

/// The value of `key: value`, which must be there once and not be empty.
fn entry(bug: &str, key: &str) -> Result<String, String> {
    let mut values = bug.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    match (values.next(), values.next()) {
        (Some(value), None) if !value.trim().is_empty() => Ok(value.trim().to_string()),
        _ => Err(format!("  bug.txt must have one line `{key}: ...`")),
    }
}

fn check_bug(program_texts: &Texts, folder: &Path) -> Result<(), String> {
    let bug = fs::read_to_string(folder.join("bug.txt")).map_err(|error| format!("  bug.txt: {error}"))?;
    let (module, proc) = (entry(&bug, "module")?, entry(&bug, "proc")?);
    entry(&bug, "clause")?;
    entry(&bug, "why")?;
    let changed = texts(folder);
    if changed.is_empty() {
        return Err("  no file is changed".to_string());
    }
    let mut all = program_texts.clone();
    for (name, text) in changed {
        match all.insert(name.clone(), text.clone()) {
            None => return Err(format!("  {name} replaces no file of the program")),
            Some(old) if old == text => return Err(format!("  {name} is not changed")),
            Some(_) => {}
        }
    }
    let program = load(&all)?;
    let found = program.procs.iter().any(|p| p.name == proc && program.module(p.module).name == module);
    if found { Ok(()) } else { Err(format!("  there is no {module}.{proc}")) }
}

#[test]
fn every_example_and_every_bug_loads() {
    let mut wrong = Vec::new();
    let mut bugs = BTreeMap::new();
    for folder in folders(&examples()) {
        let texts = texts(&folder);
        if let Err(complaints) = load(&texts) {
            wrong.push(format!("{}\n{complaints}", name(&folder)));
            continue;
        }
        let of_this = folders(&folder.join("bugs"));
        bugs.insert(name(&folder), of_this.len());
        for bug in of_this {
            if let Err(complaints) = check_bug(&texts, &bug) {
                wrong.push(format!("{}/bugs/{}\n{complaints}", name(&folder), name(&bug)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (example, least) in [("scheduler", 3), ("prodcons", 3), ("ctas", 3), ("compiler", 3), ("minesweeper", 5)] {
        assert!(bugs.get(example).is_some_and(|&n| n >= least), "{example} has {:?} bugs", bugs.get(example));
    }
}

/// In the table of `examples/hob`, or of the program itself.
#[test]
fn every_bug_is_in_a_readme() {
    for folder in folders(&examples()) {
        let readmes = [examples(), folder.clone()].map(|f| fs::read_to_string(f.join("README.md")).unwrap_or_default());
        for bug in folders(&folder.join("bugs")) {
            let why = entry(&fs::read_to_string(bug.join("bug.txt")).unwrap(), "why").unwrap();
            let line =
                |text: &String| text.lines().any(|l| l.contains(&format!("`{}`", name(&bug))) && l.contains(&why));
            assert!(readmes.iter().any(line), "{}: {why}", bug.display());
        }
    }
}

/// Fields, sets and procedures of a module are in its own file: the README's table of sizes counts on it.
#[test]
fn minesweeper_has_the_modules_of_the_paper() {
    let program = load(&texts(&examples().join("minesweeper"))).unwrap();
    let mut modules: Vec<&str> = program.modules.iter().map(|m| m.name.as_str()).collect();
    modules.sort_unstable();
    assert_eq!(modules, ["Board", "Controller", "ExposedSet", "List", "Main", "UnexposedList", "View"]);
    let list = program.module(program.module_named("UnexposedList").unwrap());
    assert_eq!(list.instance_of.as_deref(), Some("List"));
    assert_eq!(list.plugins[0].plugin, "PALE");
    assert!(program.scopes.iter().any(|scope| scope.name == "Game" && scope.invariants.len() == 7));
}

/// The texts of a module, some of them replaced by a bug's.
fn module_texts(all: &Texts, module: &str) -> [String; 3] {
    ["fl", "sl", "al"].map(|end| all[&format!("{module}.{end}")].clone())
}

#[test]
fn minesweepers_lists_are_right_up_to_a_bound() {
    let all = texts(&examples().join("minesweeper"));
    for module in ["List", "ExposedSet"] {
        let subject = Subject::new(&module_texts(&all, module));
        for n in 1..=4 {
            for (operation, name) in subject.operations() {
                let (answer, _) = subject.ask(operation, n);
                assert!(matches!(answer, Answer::Verified), "{name} at {n}: {answer:?}");
            }
        }
    }
}

/// In the procedure that `bug.txt` names, in its words, and in no other.
#[test]
fn bugs_in_the_lists_are_found() {
    let folder = examples().join("minesweeper");
    let mut found = 0;
    for bug in folders(&folder.join("bugs")) {
        let text = fs::read_to_string(bug.join("bug.txt")).unwrap();
        let (module, proc) = (entry(&text, "module").unwrap(), entry(&text, "proc").unwrap());
        let mut all = texts(&folder);
        all.extend(texts(&bug));
        if !all[&format!("{module}.al")].contains("\"PALE\"") {
            continue;
        }
        let subject = Subject::new(&module_texts(&all, &module));
        for (operation, name) in subject.operations() {
            match subject.ask(operation, 3).0 {
                Answer::Verified => assert_ne!(name, format!("{module}.{proc}"), "{}", bug.display()),
                Answer::Refuted(example) => {
                    assert_eq!(name, format!("{module}.{proc}"), "{}", bug.display());
                    let (said, clause) = (&example.violations[0].problem.message, entry(&text, "clause").unwrap());
                    assert!(said.contains(&clause), "{}: {said}", bug.display());
                    found += 1;
                }
                other => panic!("{}: {name}: {other:?}", bug.display()),
            }
        }
    }
    assert_eq!(found, 5);
}
