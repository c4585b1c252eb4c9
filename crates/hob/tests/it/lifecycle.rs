//! Life cycles (docs/hob.md: `--graph`): which procedures move objects from which set to which.

use crate::flags::load;
use hob::lifecycle::moves;
use hob::program::ModuleId;

fn told(spec: &str) -> String {
    let (program, _) = load("", spec, "");
    let name = |set: Option<_>| set.map_or("-".to_string(), |set| program.spec_var(set).name.clone());
    let lines: Vec<String> = moves(&program, ModuleId(0))
        .iter()
        .map(|m| format!("{} to {}: {}", name(m.from), name(m.to), program.proc(m.proc).name))
        .collect();
    lines.join("\n")
}

#[test]
fn moves_under_conditions_and_of_some_object() {
    let spec = "spec module M { format T; specvar Fresh, Busy, Done, Kept : T set;
        proc make() returns t : T modifies Fresh ensures (card(t') = 1) & (Fresh' = Fresh + t');
        proc read(t : T) returns ok : bool requires (card(t) = 1) & (t in Fresh) modifies Fresh, Busy, Done
            ensures (Fresh' = Fresh - t) & (ok' => (Busy' = Busy + t)) & (ok' => (Done' = Done)) & ((not ok') => ((Done' = Done + t) & (Busy' = Busy)));
        proc answer(t : T) requires (card(t) = 1) & (t in Busy) modifies Fresh, Busy, Done
            ensures (Busy' = Busy - t) & ((t in Kept) => (Fresh' = Fresh + t)) & ((not (t in Kept)) => (Done' = Done + t));
        proc next() requires Fresh != {} modifies Fresh, Done ensures exists t : T. ((t in Fresh) & (Fresh' = Fresh - t) & (Done' = Done + t));
        proc drop(t : T) requires card(t) = 1 modifies Done ensures Done' = Done - t;
        proc look(t : T) returns b : bool requires card(t) = 1 ensures b' => (t in Busy);
    }";
    expect_test::expect![[r#"
        - to Fresh: make
        Fresh to Busy: read
        Fresh to Done: read
        Fresh to Done: next
        Busy to Fresh: answer
        Busy to Done: answer
        Done to -: drop"#]]
    .assert_eq(&told(spec));
}

/// What a procedure may not change stays, whatever it requires; what is said of whole sets moves the objects in them.
#[test]
fn moves_of_whole_sets() {
    let spec = "spec module M { format T; specvar A, B, D : T set;
        proc stays(x : T) requires (card(x) = 1) & (x in B) modifies D ensures D' = D + x;
        proc leaves(x : T) requires (card(x) = 1) & (x in A) modifies A, D ensures (x in D') & (not (x in A'));
        proc clear() modifies A ensures A' = {};
        proc all() modifies A, B ensures (B' = A + B) & (A' = {});
        proc swap() modifies A, B ensures (A' = B) & (B' = A);
        proc some() modifies A, B ensures (A' + B' = A + B) & (A' <= A);
        proc drop(x : T) modifies A, B, D ensures disjoint(x, A' + B' + D');
        proc add(x : T) modifies A, B ensures x in A';
        proc keep() modifies A ensures card(A') = 1;
    }";
    expect_test::expect![[r#"
        - to A: add
        - to D: stays
        A to -: clear
        A to -: drop
        A to B: all
        A to B: swap
        A to B: some
        A to D: leaves
        B to -: drop
        B to A: swap
        D to -: drop"#]]
    .assert_eq(&told(spec));
}
