//! The machine's view: one envelope for every command and every input, as `docs/glassbox.schema.json` describes it.

use crate::{glassbox, items, object, root, run};
use serde_json::Value;
use std::path::PathBuf;

fn json(arguments: &str) -> (Value, i32) {
    let ran = run(&format!("{arguments} --json"));
    assert_eq!(ran.stderr, "");
    (object(&ran), ran.status)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn a_verified_run() {
    let (run, status) = json("examples/java/search-tree/SearchTree.java --size 3");
    assert_eq!(status, 0);
    assert_eq!(keys(&run)[..7], ["tool", "version", "schema", "command", "exit_status", "verdict", "subjects"]);
    assert_eq!((&run["schema"], &run["verdict"]), (&2.into(), &"verified".into()));
    let subject = &run["subjects"][0];
    assert_eq!(
        (&subject["kind"], &subject["name"], &subject["size"]),
        (&"class".into(), &"SearchTree".into(), &3.into())
    );
    let get = &items(&run)[0];
    assert_eq!((&get["kind"], &get["name"]), (&"operation".into(), &"get(int)".into()));
    assert_eq!((&get["work"]["states_run"], &get["covered"]["states_is"]), (&10.into(), &"exact".into()));
}

#[test]
fn a_violated_run() {
    let (run, status) = json("examples/java/search-tree/bugs/02-equal-key-inserted-again/SearchTree.java --size 1");
    assert_eq!(status, 1);
    let insert = &items(&run)[1];
    let failure = &insert["failures"][0];
    assert_eq!((&insert["verdict"], &failure["problems"][0]["id"]), (&"violated".into(), &"invariant".into()));
    assert_eq!(failure["problems"][0]["place"]["line"], 63);
    let found = &failure["example"];
    let names = |state: &Value| -> Vec<String> {
        let objects = state.as_array().expect("objects").iter();
        objects.map(|o| o["name"].as_str().expect("a name").to_string()).collect()
    };
    assert_eq!(names(&found["before"]), ["this", "n0"]);
    assert_eq!(names(&found["after"]), ["this", "n0", "new1"]);
    assert_eq!(found["after"][2]["is_new"], true);
    let node = found["after"][1]["fields"].as_array().expect("fields");
    let changed: Vec<&Value> = node.iter().filter(|f| f["is_changed"] == true).collect();
    assert_eq!(changed.len(), 1);
    assert_eq!((&changed[0]["value"], &changed[0]["is_object"]), (&"new1".into(), &true.into()));
    assert_eq!(failure["path"][0]["place"]["line"], 36);
}

#[test]
fn bad_input() {
    let (run, status) = json("crates/cli/tests/bad/SyntaxError.java");
    assert_eq!((status, &run["verdict"]), (2, &"error".into()));
    let error = &run["errors"][0];
    assert_eq!((&error["id"], &error["place"]["line"]), (&"syntax-error".into(), &7.into()));
}

/// Neither verdicts nor counts may depend on the number of threads.
#[test]
fn threads_change_nothing_but_seconds() {
    let at = |threads: u32| {
        let (run, status) = json(&format!("examples/java/tree-map/TreeMap.java --size 7 --threads {threads}"));
        let mut all = items(&run);
        all.iter_mut().for_each(|item| item["seconds"] = Value::Null);
        (all, status)
    };
    assert_eq!(at(1), at(2));
    assert_eq!(at(1), at(5));
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/glassbox.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

/// Every file or folder below `examples/` that can be checked, with arguments that make it quick. Verdicts do not matter here, so a limit may
/// cut them short: what is unknown is to be described as well.
fn examples() -> Vec<Vec<String>> {
    let listed = |folder: PathBuf| -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        all.sort();
        all
    };
    let text = |path: &PathBuf| path.strip_prefix(root()).unwrap_or(path).display().to_string();
    let mut runs: Vec<Vec<String>> = Vec::new();
    let mut add = |paths: &[&PathBuf], more: &[&str]| {
        runs.push(paths.iter().map(|p| text(p)).chain(more.iter().map(|m| m.to_string())).collect());
    };
    for folder in listed(root().join("examples/java")).iter().filter(|p| p.is_dir()) {
        add(&[folder], &["--size", "1..2", "--timeout", "2", "--certify", "--show-bounds"]);
        if let Some(bug) = listed(folder.join("bugs")).first() {
            add(&[bug], &["--size", "1..3", "--timeout", "2"]);
        }
    }
    for file in listed(root().join("examples/lang")).iter().filter(|p| p.extension().is_some_and(|e| e == "lang")) {
        add(&[file], &["--timeout", "0.4"]);
    }
    for file in listed(root().join("examples/dminor")).iter().filter(|p| p.extension().is_some_and(|e| e == "dm")) {
        add(&[file], &[]);
        ["smt2", "bemol", "boogie"].iter().for_each(|emit| add(&[file], &["--emit", emit]));
    }
    for folder in listed(root().join("examples/hob")).iter().filter(|p| p.is_dir()) {
        add(&[folder], &["--timeout", "1", "--size", "2"]);
        if let Some(bug) = listed(folder.join("bugs")).first() {
            add(&[folder, bug], &["--timeout", "1", "--size", "2"]);
        }
    }
    add(&[&root().join("examples/hob/scheduler")], &["--emit", "mona"]);
    add(&[&root().join("examples/lang/arith.lang")], &["--latex"]);
    add(&[&root().join("examples/lang/arith.lang")], &["--language", "arith", "--bounds", "t: size 5", "--mutate"]);
    runs
}

#[test]
fn every_output_fits_the_schema() {
    let schema = schema();
    let mut wrong = String::new();
    let mut judge = |arguments: &[&str]| {
        let ran = glassbox(arguments);
        let object = object(&ran);
        let faults = test_kit::schema::faults(&schema, &object);
        if !faults.is_empty() || object["exit_status"] != ran.status {
            let shown: Vec<String> = faults.iter().take(3).map(|f| f.chars().take(300).collect()).collect();
            wrong += &format!("{arguments:?}, exit {}: {}\n", ran.status, shown.join("\n"));
        }
    };
    for run in examples().into_iter().step_by(3) {
        let arguments: Vec<&str> = ["check", "--json"].into_iter().chain(run.iter().map(String::as_str)).collect();
        judge(&arguments);
    }
    let shop = "crates/cli/tests/data/shop.dm";
    let order = "crates/cli/tests/data/order.json";
    for arguments in [
        &["check", "--json", "nowhere.java"][..],
        &["check", "--json", "README.md"],
        &["check", "--json", "crates/cli/tests/bad/SyntaxError.java", "examples/lang/arith.lang"],
        &["check", "--json", "examples/lang/arith.lang", "--class", "C"],
        &["check", "--json", "crates/cli/tests/data/mistakes.dm"],
        &["run", "--json", shop, "power", "2", "10"],
        &["run", "--json", shop, "power", "2"],
        &["run", "--json", shop, "promise", "null", "--contracts"],
        &["run", "--json", "examples/lang/arith.lang", "if iszero 0 then pred 0 else succ 0"],
        &["run", "--json", "examples/lang/arith.lang", "succ true"],
        &["validate", "--json", shop, "Order", order],
        &["validate", "--json", shop, "{lines: Line*;}", "crates/cli/tests/data/bad-order.json"],
        &["inhabit", "--json", shop, "Line"],
        &["subtype", "--json", shop, "{price: Integer;}", "Line"],
        &["import", "--json", "json-schema", "crates/cli/tests/data/account.schema.json"],
        &["import", "--json", "json-schema", "nowhere.json"],
    ] {
        judge(arguments);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A schema that allows everything would prove nothing.
#[test]
fn the_schema_notices() {
    let schema = schema();
    let (good, _) = json("examples/java/stack/Stack.java --size 1");
    assert!(test_kit::schema::faults(&schema, &good).is_empty());
    for (pointer, value) in [
        ("/subjects/0/items/0/verdict", Value::from("fine")),
        ("/subjects/0/items/0/covered", Value::Null),
        ("/schema", 1.into()),
        ("/errors", Value::Null),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect("a place") = value;
        assert!(!test_kit::schema::faults(&schema, &bad).is_empty(), "{pointer}");
    }
    let mut more = good.clone();
    more["surprise"] = Value::Null;
    assert!(!test_kit::schema::faults(&schema, &more).is_empty());
}
