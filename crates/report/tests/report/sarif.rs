//! SARIF: every kind of report against the official schema (`tests/data`, as the crate `serde-sarif` 0.8 carries it), and what becomes what.

use crate::build::{Kit, Texts};
use serde_json::{Value, json};
use source::Diagnostic;
use test_kit::schema::faults;
use verdict::heap::Gap;
use verdict::{Example, Report, Subject};

#[track_caller]
fn check(log: &Value) {
    let schema: Value = serde_json::from_str(include_str!("../data/sarif-schema-2.1.0.json")).expect("JSON");
    let faults = faults(&schema, log);
    assert!(faults.is_empty(), "{}\n{log:#}", faults.join("\n"));
}

fn render(kit: &Kit, report: &Report) -> Value {
    let text = report::sarif::render(&kit.sources, report, "1.2.3");
    serde_json::from_str(&text).expect("JSON")
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().expect("results")
}

/// The one result of an id.
fn only<'a>(log: &'a Value, id: &str) -> &'a Value {
    let found: Vec<&Value> = results(log).iter().filter(|r| r["ruleId"] == id).collect();
    assert_eq!(found.len(), 1, "{id}: {found:#?}");
    found[0]
}

#[test]
fn every_kind_is_valid() {
    for texts in [Texts::Plain, Texts::Markup] {
        let makers: [fn(&mut Kit) -> Subject; 4] = [Kit::class, Kit::language, Kit::program, Kit::module];
        for maker in makers {
            let mut kit = Kit::new(texts);
            let report = Report { subjects: vec![maker(&mut kit)], ..Report::default() };
            check(&render(&kit, &report));
        }
        let mut kit = Kit::new(texts);
        let report = kit.report();
        check(&render(&kit, &report));
    }
    let nothing = Kit::new(Texts::Plain);
    check(&render(&nothing, &Report::default()));
}

#[test]
fn a_failure_has_its_place_and_its_path() {
    let mut kit = Kit::new(Texts::Plain);
    let report = Report { subjects: vec![kit.class()], ..Report::default() };
    let log = render(&kit, &report);
    let broken = only(&log, "broken-invariant");
    assert_eq!(broken["level"], "error");
    assert_eq!(broken["message"]["text"], "`insert` breaks the invariant\nthis clause is false\ncompare keys before");
    let place = &broken["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "Tree.java");
    assert_eq!(place["region"], json!({ "startLine": 3, "startColumn": 30, "endLine": 3, "endColumn": 45 }));
    assert_eq!(broken["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "acme.Tree.insert");
    assert_eq!(broken["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 2);
    let flow = broken["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a flow");
    let lines: Vec<&Value> = flow.iter().map(|l| &l["location"]["physicalLocation"]["region"]["startLine"]).collect();
    assert_eq!(lines, [6, 7, 7, 6, 10]);
    assert_eq!(flow[3]["location"]["message"]["text"], "(12 steps left out) false");
    assert_eq!(flow[2]["nestingLevel"], 1);
    let properties = &broken["properties"];
    let keys = ["subject", "item", "size", "call", "outcome", "replay"].map(|key| properties[key].clone());
    let replay = "glassbox check Tree.java --operation insert --size 2";
    assert_eq!(json!(keys), json!(["acme.Tree", "insert", 2, "insert(4)", "returned", replay]));
    assert_eq!(
        log["runs"][0]["tool"]["driver"]["rules"][broken["ruleIndex"].as_u64().expect("an index") as usize]["id"],
        "broken-invariant"
    );
}

#[test]
fn what_is_unknown_is_open_and_what_is_verified_is_not_a_result() {
    let mut kit = Kit::new(Texts::Plain);
    let report = Report { subjects: vec![kit.class(), kit.program()], ..Report::default() };
    let log = render(&kit, &report);
    // SARIF 3.27.10: what is not a failure has the level "none".
    for id in ["steps", "not-proved", "timeout"] {
        let open = only(&log, id);
        assert_eq!((&open["kind"], &open["level"]), (&json!("open"), &json!("none")), "{id}");
    }
    assert_eq!(only(&log, "steps")["locations"][0]["physicalLocation"]["region"]["startLine"], 6);
    assert_eq!(only(&log, "values-outside")["level"], "note");
    assert!(results(&log).iter().all(|r| r["properties"]["item"] != "contains" || r["ruleId"] == "values-outside"));
    let items = log["runs"][0]["properties"]["items"].as_array().expect("items");
    let verdicts: Vec<&Value> = items.iter().map(|i| &i["verdict"]).collect();
    assert_eq!(verdicts, ["violated", "verified", "unknown", "violated", "unknown"]);
}

#[test]
fn a_long_path_is_cut_and_says_so() {
    let mut kit = Kit::new(Texts::Plain);
    let mut subject = kit.class();
    let Some(Example::Heap(heap)) = &mut subject.items[0].failures[0].example else { panic!("a heap") };
    let step = heap.path[0].clone();
    heap.path = vec![step; 5000];
    heap.gap = Some(Gap { at: 2500, steps: 70_000 });
    let log = render(&kit, &Report { subjects: vec![subject], ..Report::default() });
    let flow = &only(&log, "broken-invariant")["codeFlows"][0]["threadFlows"][0]["locations"];
    let said = |k: usize| (&flow[k]["executionOrder"], &flow[k]["location"]["message"]["text"]);
    assert_eq!(flow.as_array().map(Vec::len), Some(900));
    assert_eq!(said(599), (&json!(600), &json!("true")));
    assert_eq!(said(600), (&json!(4701), &json!("(74100 steps left out) true")));
}

#[test]
fn what_a_definition_expects_is_suppressed() {
    let mut kit = Kit::new(Texts::Plain);
    let mut subject = kit.language();
    let log = render(&kit, &Report { subjects: vec![subject.clone()], ..Report::default() });
    let of = |item: &str| results(&log).iter().find(|r| r["properties"]["item"] == item).expect("a result");
    assert_eq!((&of("progress")["level"], of("progress").get("suppressions")), (&json!("error"), None));
    assert_eq!(
        (&of("mutant")["level"], &of("mutant")["suppressions"][0]["kind"]),
        (&json!("note"), &json!("inSource"))
    );
    assert_eq!(only(&log, "mutant-survived")["level"], "note");
    // A check that should fail and holds is wrong, although there is nothing to show.
    subject.items[2].expected = Some(verdict::Expected { holds: false, size: None });
    let log = render(&kit, &Report { subjects: vec![subject], ..Report::default() });
    assert_eq!(only(&log, "unexpected-verdict")["level"], "error");
}

#[test]
fn bad_input_is_a_result_and_a_failed_invocation() {
    let mut kit = Kit::new(Texts::Plain);
    let file = kit.file("a b.lang", "language é X");
    let error = Diagnostic::error("syntax", kit.at(file, "X"), "unexpected `X`");
    let unused = Diagnostic::warning("unused", kit.at(file, "é"), "not used");
    let report = Report { errors: vec![error], warnings: vec![unused.clone(), unused], ..Report::default() };
    let log = render(&kit, &report);
    let run = &log["runs"][0];
    let invocation = &run["invocations"][0];
    assert_eq!((&invocation["executionSuccessful"], &invocation["exitCode"]), (&json!(false), &json!(2)));
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let place = &only(&log, "syntax")["locations"][0]["physicalLocation"];
    assert_eq!(
        (&place["region"]["startColumn"], &place["artifactLocation"]["uri"]),
        (&json!(12), &json!("a%20b.lang"))
    );
    assert_eq!(only(&log, "unused")["level"], "warning");
}
