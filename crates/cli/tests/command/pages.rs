//! `--html` and `--sarif`: one counterexample of each input, from its file to a browser that steps through its path.

use crate::{root, run};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use test_kit::browser::{STEP, see};
use test_kit::schema::faults;

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A Hob program with one of its bugs, whose files replace those of the same name.
fn with_bug(folder: &Path, program: &str, bug: &str) {
    for from in [format!("examples/hob/{program}"), format!("examples/hob/{program}/bugs/{bug}")] {
        for entry in fs::read_dir(root().join(from)).expect("an example") {
            let file = entry.expect("a file").path();
            if file.is_file() && file.extension().is_some_and(|e| e != "txt") {
                fs::copy(&file, folder.join(file.file_name().expect("a name"))).expect("a copy");
            }
        }
    }
}

fn sarif(path: &Path) -> Value {
    let log: Value = serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON");
    let schema = root().join("crates/report/tests/data/sarif-schema-2.1.0.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).expect("a schema")).expect("JSON");
    assert_eq!(faults(&schema, &log), Vec::<String>::new());
    log
}

#[test]
fn a_counterexample_of_each_input() {
    let folder = folder("pages");
    let (page, log) = (folder.join("report.html"), folder.join("report.sarif"));
    let module = folder.join("prodcons");
    fs::create_dir_all(&module).expect("a folder");
    with_bug(&module, "prodcons", "01-full-slot-filled-again");
    let ran = run(&format!(
        "examples/java/search-tree/bugs/02-equal-key-inserted-again examples/lang/sf-arith.lang \
         examples/dminor/invoices-bug.dm {} --html {} --sarif {}",
        module.display(),
        page.display(),
        log.display()
    ));
    assert_eq!(ran.status, 1, "{}", ran.stderr);

    let log = sarif(&log);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let errors = results.iter().filter(|r| r["level"] == "error");
    let found: Vec<(&str, &str, bool)> = errors
        .map(|r| {
            let steps = r["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
            let text = |key: &str| r["properties"][key].as_str().unwrap_or("");
            (text("itemKind"), r["ruleId"].as_str().unwrap_or(""), steps.is_some_and(|s| !s.is_empty()))
        })
        .collect();
    let expected = [
        ("operation", "invariant", true),
        ("function", "no-field", true),
        ("function", "broken-contract", true),
        ("procedure", "hob-requires", true),
    ];
    assert_eq!(found, expected);
    // What the language expects of its mutants is not an error.
    assert!(results.iter().any(|r| r["suppressions"][0]["kind"] == "inSource" && r["level"] == "note"));

    let page = fs::read_to_string(page).expect("a page");
    let Some(seen) = see(&page, STEP) else { return };
    let all = seen.as_array().expect("failures");
    for kind in ["heap", "program", "input", "sets"] {
        let of_kind: Vec<&Value> = all.iter().filter(|f| f["kind"] == kind).collect();
        assert!(!of_kind.is_empty(), "{kind}: {seen:#}");
        for failure in of_kind {
            let nodes = failure["nodes"].as_u64().expect("a number");
            assert!(nodes > 0 || kind == "input", "{failure:#}");
            assert_eq!(failure["nodes"], failure["visible"], "{failure:#}");
            let drawings = failure["drawings"].as_u64().expect("a number");
            assert!(drawings > 0, "{failure:#}");
            // Every step marks a place.
            let lines = failure["lines"].as_array().expect("lines");
            assert!(!lines.is_empty() && lines.iter().all(|l| l[0].is_u64()), "{failure:#}");
        }
        // A stuck program has no step but the check that it breaks.
        let is_walk = |f: &&Value| f["lines"][0] != f["lines"][1] && f["lines"][1][0].is_u64() && f["focus"] == true;
        assert!(all.iter().filter(|f| f["kind"] == kind).any(|f| is_walk(&f)), "{kind}: {seen:#}");
    }
    let heap = all.iter().find(|f| f["kind"] == "heap").expect("a heap");
    assert_eq!(heap["marks"].as_array().and_then(|m| m.last()), Some(&json!("(low != null && low.key >= n.key)")));
}

/// A limit and bad input leave complete files as well, and a file that cannot be written is said.
#[test]
fn files_are_complete_whatever_happens() {
    let folder = folder("pages-early");
    let (page, log) = (folder.join("report.html"), folder.join("report.sarif"));
    let both = format!("--html {} --sarif {}", page.display(), log.display());
    let run_of = |given: &Value| given["runs"][0]["invocations"][0].clone();

    let ran = run(&format!("examples/java/tree-map --size 31 --timeout 0.2 {both}"));
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    let found = sarif(&log);
    assert_eq!(run_of(&found)["exitCode"], 3);
    let results = found["runs"][0]["results"].as_array().expect("results");
    assert!(results.iter().any(|r| r["ruleId"] == "timeout"), "{found:#}");
    assert!(fs::read_to_string(&page).expect("a page").ends_with("</html>\n"));

    for input in ["crates/cli/tests/bad-lang/mistakes.lang", "no-such-file.lang"] {
        let ran = run(&format!("{input} {both}"));
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        let found = sarif(&log);
        assert_eq!((&run_of(&found)["exitCode"], &run_of(&found)["executionSuccessful"]), (&json!(2), &json!(false)));
        let results = found["runs"][0]["results"].as_array().expect("results");
        assert!(results.iter().any(|r| r["level"] == "error"), "{found:#}");
        assert!(fs::read_to_string(&page).expect("a page").contains("The input has errors"));
    }

    let nowhere = folder.join("no/such/folder.html");
    let ran = run(&format!("examples/lang/arith.lang --html {} --sarif {}", nowhere.display(), log.display()));
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("could not be written"), "{}", ran.stderr);
    assert_eq!(run_of(&sarif(&log))["exitCode"], 0);
}
