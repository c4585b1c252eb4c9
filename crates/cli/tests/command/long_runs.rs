//! Random well-typed programs of the languages as Java classes, larger ones than the checks reach, run for many steps on a JVM
//! (`scripts/LongRuns.java`): none is stuck, and all stay well typed. With a seeded bug that is found out.

use crate::root;
use std::path::Path;
use std::process::Command;

/// What it says of each folder below `examples/java`. None if there is no JVM.
fn long_runs(programs: u32, folders: &[&str]) -> Option<Vec<Vec<String>>> {
    let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("long-runs-{programs}"));
    let package = classes.join("glassbox");
    let sources =
        std::fs::read_dir(root().join("java/glassbox")).expect("the package").map(|f| f.expect("a file").path());
    let run = |command: &mut Command| match command.current_dir(root()).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8_lossy(&output.stdout).to_string())
        }
        // CI has one.
        Err(why) if std::env::var_os("CI").is_none() => {
            eprintln!("skipped: {why}");
            None
        }
        Err(why) => panic!("no JVM: {why}"),
    };
    run(Command::new("javac").arg("-d").arg(&package).args(sources))?;
    // It is soon over: code is not worth more of the compiler.
    let mut java = Command::new("java");
    java.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"])
        .arg(&package)
        .arg("scripts/LongRuns.java")
        .arg(&classes);
    java.args([&programs.to_string(), "150", "1000"]);
    let told = run(java.args(folders.iter().map(|f| format!("examples/java/{f}"))))?;
    Some(told.lines().map(|l| l.split('\t').map(str::to_string).collect()).collect())
}

#[test]
fn programs_run_on() {
    let folders = [
        "expression-language",
        "languages/imp",
        "languages/featherweight-java",
        "languages/mini-java",
        "languages/ownership-java",
        "languages/non-null",
        "languages/tainted",
    ];
    let Some(told) = long_runs(2, &folders) else { return };
    assert_eq!(told.len(), folders.len());
    for line in told {
        assert_eq!(line[1], "fine", "{line:?}");
        let number = |i: usize| line[i].parse::<u32>().expect("a number");
        assert!(number(3) >= 150 && number(4) >= 20, "{line:?}");
    }
}

/// The test above can fail.
#[test]
fn programs_of_a_wrong_language_do_not() {
    let bugs = [
        ("expression-language/bugs/01-pred-typed-like-zero", "stuck"),
        ("languages/imp/bugs/02-assignment-becomes-its-value", "ill-typed"),
        ("languages/mini-java/bugs/08-field-of-any-class", "stuck"),
        ("languages/non-null/bugs/09-new-leaves-null", "ill-typed"),
        ("languages/tainted/bugs/18-new-keeps-taint", "ill-typed"),
    ];
    let Some(told) = long_runs(8, &bugs.map(|(folder, _)| folder)) else { return };
    let kinds: Vec<&str> = told.iter().map(|line| line[1].as_str()).collect();
    assert_eq!(kinds, bugs.map(|(_, kind)| kind), "{told:?}");
}
