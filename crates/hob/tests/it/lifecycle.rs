//! Life cycles (docs/hob.md: `--graph`): which procedures move objects from which set to which.

use crate::flags::load;
use hob::lifecycle::moves;
use hob::program::ModuleId;

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
    let (program, _) = load("", spec, "");
    let name = |set: Option<_>| set.map_or("-".to_string(), |set| program.spec_var(set).name.clone());
    let lines: Vec<String> = moves(&program, ModuleId(0))
        .iter()
        .map(|m| format!("{} to {}: {}", name(m.from), name(m.to), program.proc(m.proc).name))
        .collect();
    expect_test::expect![[r#"
        - to Fresh: make
        Fresh to Busy: read
        Fresh to Done: read
        Fresh to Done: next
        Busy to Fresh: answer
        Busy to Done: answer
        Done to -: drop"#]]
    .assert_eq(&lines.join("\n"));
}
