//! What a verified class leaves out: where its operations go that no run started from, and the lines that no run reached.

use crate::{check, run};
use expect_test::expect;
use serde_json::Value;

fn json(arguments: &str) -> Value {
    serde_json::from_str(&run(&format!("crates/cli/tests/leaving/{arguments} --json")).stdout).expect("one JSON object")
}

/// Identifiers of what is left out, over all operations, with whether a person is told.
fn left_out(file: &str, engine: &str) -> Vec<(String, String, bool)> {
    let report = json(&format!("{file} {engine}"));
    let operations = crate::items(&report);
    let holes = operations.iter().flat_map(|o| {
        let holes = o["left_out"].as_array().expect("a list").iter();
        holes.map(|h| (o["name"].to_string(), h["id"].to_string(), h["is_asked_for"] == false))
    });
    holes.map(|(o, id, told)| (o.replace('"', ""), id.replace('"', ""), told)).collect()
}

#[test]
fn the_fifth_call() {
    let ran = run("crates/cli/tests/leaving/Full.java --method add");
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("this: Full  a=[0, 0, 0, 0] n=4"), "{}", ran.stdout);
}

#[test]
fn numbers_between_those_that_the_code_compares_with() {
    let ran = run("crates/cli/tests/leaving/Steps.java --method step");
    assert!(ran.stdout.contains("which no start state has (-1..3): calls that go on from there"), "{}", ran.stdout);
    says("Steps.java --method step", &[("step()", "above-range", true)]);
}

#[test]
fn the_fifth_call_with_the_annotation() {
    let ran = run("crates/cli/tests/leaving/FullRange.java --method add");
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    check(
        "crates/cli/tests/leaving/FullChecked.java --method add",
        expect![[r#"
            FullChecked, size 4: every state within the bounds of size 4
              ✓ add(int)  verified, 5 states run, covering 5,120 states  [time]

            1 operation verified on every state within the bounds of size 4
            exit 0
        "#]],
    );
}

/// Keys and counters that other numbers would do for are not reported; a number that the rest of the state determines is.
#[test]
fn a_full_tree_that_no_operation_leads_to() {
    check(
        "crates/cli/tests/leaving/Counted.java --size 3",
        expect![[r#"
        Counted, size 3: every tree within 3 places, height at most 2
          ✓ isRoot(int)  verified, 1 state run, covering 738 states  [time]
          ✓ clear()      verified, 1 state run, covering 246 states  [time]
          ✓ Counted()    verified, 1 state run, covering 1 state  [time]

        3 operations verified on every tree within 3 places, height at most 2
        left out: a state with size = 3 satisfies the invariant, but `size` is -1..2 here: states like it were not checked
                  for example root = n0, size = 3, changes = 0; @Range("-1..n") on `size` brings them in
        exit 0
    "#]],
    );
    let full = [("isRoot(int)", "above-range", true), ("clear()", "above-range", true)];
    says("Counted.java --size 3", &full);
    assert_eq!(left_out("Counted.java", "--size 3 --engine exhaustive"), left_out("Counted.java", "--size 3"));
    says("Counted.java --size 7 --method clear", &[("clear()", "above-range", true)]);
    says("CountedRange.java --size 3", &[]);
}

/// Each engine says the same.
fn all(file: &str) -> Vec<(String, String, bool)> {
    let said = left_out(file, "");
    for engine in ["--engine exhaustive", "--search models"] {
        assert_eq!(left_out(file, engine), said, "{file} {engine}");
    }
    said
}

/// What all of them say of a class: the operation, the cause, and whether a person is told.
fn says(arguments: &str, expected: &[(&str, &str, bool)]) {
    let said = all(arguments);
    let said: Vec<(&str, &str, bool)> = said.iter().map(|(o, i, t)| (o.as_str(), i.as_str(), *t)).collect();
    assert_eq!(said, expected, "{arguments}");
}

/// Numbers that decide nothing are no cause, and the user's own range is for the JSON.
#[test]
fn numbers() {
    says("Counts.java --size 3", &[("lower()", "below-range", true), ("take()", "above-range", false)]);
    let expected =
        [("Built(int)", "above-range", true), ("put(int)", "above-range", true), ("put(int)", "below-range", true)];
    says("Built.java --size 2", &expected);
    says("Ranges.java --size 3", &[]);
}

#[test]
fn classes() {
    says("Other.java", &[("lambda()", "other-class", true)]);
}

/// No string that an operation makes is one that no start state has.
#[test]
fn strings() {
    says("Texts.java --size 2", &[]);
}

/// Copies of constants are few, and that is said where the code can tell.
#[test]
fn names() {
    says("Names.java --method number --size 1", &[("number()", "equal-strings", true)]);
    let ran = run("crates/cli/tests/leaving/Names.java --method number --size 1");
    assert!(ran.stdout.contains("no string equals \"i\" and is another object"), "{}", ran.stdout);
}

/// Who knows that two fields never share an array is told how to say so.
#[test]
fn an_array_that_two_fields_share() {
    let ran = run("crates/cli/tests/leaving/Tally.java --method tick");
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    let note = "`now` and `last` hold the same array here; `@Owned` on either says that they never do";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
    let report = json("Tally.java --method tick");
    assert_eq!(crate::items(&report)[0]["failures"][0]["example"]["notes"], serde_json::json!([note]));
}

#[test]
fn nodes_outside_of_the_tree() {
    says("Cursor.java --size 3", &[("remove()", "outside-tree", true)]);
    // Beside an array that may grow beyond the bound.
    says("Grown.java --size 3", &[("remove(int)", "outside-tree", true)]);
    // In a node of the tree: one that nobody wrote, one that is new.
    says("BackLinks.java --size 3", &[("pop()", "outside-tree", true)]);
    says("Chains.java --size 3", &[("put(int)", "outside-tree", true)]);
}

#[test]
fn arrays() {
    says("Shared.java --size 2", &[("link()", "shared-array", true)]);
}

#[test]
fn lines() {
    check(
        "crates/cli/tests/leaving/Lines.java --coverage",
        expect![[r#"
            Lines, size 4: every state within the bounds of size 4
              ✓ grow(int)  verified, 1 state run, covering 12 states  [time]
              ✓ Lines()    verified, 1 state run, covering 1 state  [time]

            2 operations verified on every state within the bounds of size 4
            2 lines of `grow` and 1 line of `twice` were never reached:
              crates/cli/tests/leaving/Lines.java:14: n = 0;
              crates/cli/tests/leaving/Lines.java:15: return -1;
              crates/cli/tests/leaving/Lines.java:24: throw new IllegalStateException();
            exit 0
        "#]],
    );
    let lines = |engine: &str| json(&format!("Lines.java {engine}"))["unreached"].clone();
    let by_default = lines("");
    assert_eq!(by_default.as_array().map(Vec::len), Some(3));
    assert_eq!(lines("--engine exhaustive"), by_default);
    assert_eq!(lines("--search models"), by_default);
}

/// What a place has no room for is there at other places: the tree has grown, and nothing is left out.
#[test]
fn trees_that_grow_beyond_the_bound() {
    says("Nested.java --size 3", &[]);
    says("Nested.java --size 7", &[]);
}
