//! The machine's view.

use crate::run;
use serde_json::Value;

fn json(arguments: &str) -> (Value, i32) {
    let ran = run(&format!("{arguments} --json"));
    assert_eq!(ran.stderr, "");
    (serde_json::from_str(&ran.stdout).expect("one JSON object"), ran.status)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn a_verified_run() {
    let (run, status) = json("examples/java/search-tree/SearchTree.java --size 3");
    assert_eq!(status, 0);
    assert_eq!(
        keys(&run),
        ["tool", "version", "schema", "verdict", "exit_status", "operations", "unreached", "warnings", "errors"]
    );
    assert_eq!((&run["schema"], &run["verdict"]), (&1.into(), &"verified".into()));
    let get = &run["operations"][0];
    assert_eq!(
        keys(get),
        [
            "class",
            "operation",
            "size",
            "verdict",
            "kind",
            "engine",
            "states_run",
            "states_covered",
            "states_covered_log10",
            "states_covered_is",
            "space",
            "seconds",
            "work",
            "reason",
            "counterexample",
            "left_out"
        ]
    );
    assert_eq!((&get["class"], &get["operation"]), (&"SearchTree".into(), &"get(int)".into()));
    assert_eq!((&get["size"], &get["states_run"], &get["kind"]), (&3.into(), &10.into(), &Value::Null));
}

#[test]
fn a_violated_run() {
    let (run, status) = json("examples/java/search-tree/bugs/02-equal-key-inserted-again/SearchTree.java --size 1");
    assert_eq!(status, 1);
    let insert = &run["operations"][1];
    assert_eq!((&insert["verdict"], &insert["kind"]), (&"violated".into(), &"invariant".into()));
    let found = &insert["counterexample"];
    assert_eq!(keys(found), ["before", "notes", "call", "outcome", "after", "path", "path_gap", "violations"]);
    let place = &found["violations"][0]["place"];
    assert_eq!(keys(place), ["file", "line", "column", "end_line", "end_column", "text"]);
    assert_eq!(place["line"], 63);
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
}

#[test]
fn bad_input() {
    let (run, status) = json("crates/cli/tests/bad/SyntaxError.java");
    assert_eq!((status, &run["verdict"]), (2, &"error".into()));
    let error = &run["errors"][0];
    assert_eq!(keys(error), ["id", "severity", "message", "label", "place", "related", "help"]);
    assert_eq!((&error["id"], &error["place"]["line"]), (&"syntax-error".into(), &7.into()));
}

/// Neither verdicts nor counts may depend on the number of threads.
#[test]
fn threads_change_nothing_but_seconds() {
    let at = |threads: u32| {
        let (mut run, status) = json(&format!("examples/java/tree-map/TreeMap.java --size 7 --threads {threads}"));
        for operation in run["operations"].as_array_mut().expect("operations") {
            operation["seconds"] = Value::Null;
        }
        (run, status)
    };
    assert_eq!(at(1), at(2));
    assert_eq!(at(1), at(5));
}
