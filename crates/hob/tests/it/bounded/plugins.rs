//! Two plugins on one program: what the flag analysis verifies on all heaps, `bounded` does not refute; and whatever the examples do,
//! translation makes a well-formed program of it, or says why not.

use super::engine::{Answer, ask};
use hob::bounded::{Subject, translate};
use hob::flags::{self, Effects};
use hob::program::ModuleId;
use hob::{FileKind, Input, Program};
use source::SourceMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use verdict::heap::Kind;

/// The folders of `examples/hob`, the seeded bugs included.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hob");
    let (mut found, mut waiting) = (Vec::new(), vec![root]);
    while let Some(folder) = waiting.pop() {
        let entries: Vec<PathBuf> =
            std::fs::read_dir(&folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
        waiting.extend(entries.iter().filter(|p| p.is_dir()).cloned());
        if entries.iter().any(|p| p.extension().is_some_and(|e| e == "al")) {
            found.push(folder);
        }
    }
    found.sort();
    found
}

fn program_of(folder: &Path) -> Option<Program> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.file_name().and_then(|n| n.to_str()).and_then(FileKind::of).is_some());
    files.sort();
    let texts: Vec<String> = files.iter().map(|f| std::fs::read_to_string(f).expect("a text")).collect();
    let mut sources = SourceMap::default();
    let mut inputs = Vec::new();
    for (path, text) in files.iter().zip(&texts) {
        let name = path.to_str().expect("a name");
        let kind = FileKind::of(name).expect("a kind");
        inputs.push(Input { file: sources.add(name, text.clone()), kind, text });
    }
    hob::load(&inputs).program
}

#[test]
fn what_the_flag_analysis_verifies_is_not_refuted() {
    let (mut wrong, mut compared, mut open, mut refuted) = (String::new(), 0, 0, 0);
    for folder in folders() {
        let Some(program) = program_of(&folder) else { continue };
        let effects = Effects::of(&program);
        for (module, declared) in program.modules.iter().enumerate() {
            for plugin_use in &declared.plugins {
                let module = ModuleId(module as u32);
                let task = match translate(&program, module, plugin_use) {
                    Ok(task) => task,
                    Err(problems) => {
                        wrong += &format!("{}: {problems:?}\n", declared.name);
                        continue;
                    }
                };
                for (operation, subject) in task.subjects.iter().enumerate() {
                    let Subject::Proc(proc) = *subject else { continue };
                    let name = format!("{}: {}", folder.display(), program.proc_name(proc));
                    match ask(&program, &task, operation, 2, Some(Duration::from_secs(2))).0 {
                        Answer::Verified => compared += 1,
                        Answer::Refuted(found) if plugin_use.plugin == flags::PLUGIN => {
                            let kind = found.violations[0].kind;
                            let finding = flags::analyse(&program, &effects, proc, &flags::Options::default());
                            let is_verified = matches!(finding.verdict, flags::Verdict::Verified);
                            // Errors of a run are not the flag analysis's business.
                            if is_verified && !matches!(kind, Kind::Exception | Kind::Divergence) {
                                wrong += &format!("{name}: {}\n", found.violations[0].problem.message);
                            }
                            refuted += 1;
                        }
                        Answer::Refuted(_) => refuted += 1,
                        Answer::NoState => open += 1,
                        Answer::Other(why)
                            // A molecule has three atoms, which is assumed: two objects are not enough.
                            if why == "AllDropped"
                                || why.contains("Unsupported")
                                || why.contains("OtherModules")
                                || why.contains("Interrupted") =>
                        {
                            open += 1
                        }
                        Answer::Other(why) => wrong += &format!("{name}: {why}\n"),
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared > 20 && refuted > 0, "{compared} verified, {refuted} refuted, {open} open");
}
