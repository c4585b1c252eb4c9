//! Languages with binders whose types nothing determines: unification finds them.

use super::shapes::Speech;
use super::{Made, Writer};

pub fn make(mut w: Writer) -> Made {
    let has_lists = w.one_in(3);
    let has_let = w.one_in(3);
    w.line("var x\nsyntax");
    let mut alts = vec!["x", "z", "k", "t t {left}", "λ x. t {bind x in t, infer}"];
    if has_lists {
        alts.push("nil");
    }
    if has_let {
        alts.push("let x = t1 in t2 {bind x in t2}");
    }
    w.line(format!("  t ::= {}", alts.join(" | ")));
    w.line(if has_lists { "  T ::= I | L T | T -> T {right}" } else { "  T ::= I | J | T -> T {right}" });
    let mut values = w.pick(&["z | λ x. t | k", "z | λ x. t", "z | k | k v | λ x. t"]).to_string();
    if has_lists {
        values.push_str(" | nil");
    }
    w.line(format!("  v ⊆ t ::= {values}"));
    let contexts = w.one_in(2);
    if contexts {
        let more = w.pick(&["E t | v E", "E t", "E t | t E", "E t | v E | λ x. E"]);
        w.line(format!("  E ::= [] | {more}"));
    }
    w.line("env Γ ::= · | Γ, x:T\njudgment Γ ⊢ t : T");
    w.rule(&[], "Γ ⊢ z : I");
    let k = w.pick(&["I -> I", "I -> I -> I", "(I -> I) -> I", "T -> T", "T -> I"]);
    w.rule(&[], format!("Γ ⊢ k : {k}"));
    if has_lists {
        w.rule(&[], "Γ ⊢ nil : L T");
    }
    w.rule(&["x:T ∈ Γ".into()], "Γ ⊢ x : T");
    let abs = w.pick(&["T1 -> T2", "T1 -> T2", "T1 -> T2", "T2 -> T1", "T1 -> T1"]);
    w.rule(&["Γ, x:T1 ⊢ t : T2".into()], format!("Γ ⊢ λ x. t : {abs}"));
    let app = w.pick(&[["T1 -> T2", "T1"], ["T1 -> T2", "T1"], ["T1", "T1 -> T2"], ["T1 -> T2", "T3"], ["T2", "T1"]]);
    w.rule(&[format!("Γ ⊢ t1 : {}", app[0]), format!("Γ ⊢ t2 : {}", app[1])], "Γ ⊢ t1 t2 : T2");
    if has_let {
        match w.chance.below(3) {
            0 => w.rule(&["Γ ⊢ t1 : T1".into(), "Γ ⊢ t2[t1/x] : T2".into()], "Γ ⊢ let x = t1 in t2 : T2"),
            1 => w.rule(&["Γ, x:T1 ⊢ t2 : T2".into(), "Γ ⊢ t1 : T1".into()], "Γ ⊢ let x = t1 in t2 : T2"),
            _ => w.rule(&["Γ, x:T1 ⊢ t2 : T2".into()], "Γ ⊢ let x = t1 in t2 : T2"),
        }
    }
    w.line(if contexts { "reduction t --> t'  in E" } else { "reduction t --> t'" });
    let by = w.pick(&["v", "v", "t1"]);
    w.rule(&[], format!("(λ x. t) {by} --> t[{by}/x]"));
    let left = w.pick(&["k z", "k v", "k t", "z z"]);
    let right = w.pick(&["z", "k", "error", "λ x. x"]);
    w.rule(&[], format!("{left} --> {right}"));
    if has_let {
        w.rule(&[], "let x = t1 in t2 --> t2[t1/x]");
    }
    if !contexts && w.one_in(2) {
        w.rule(&["t1 --> t2".into()], "t1 t --> t2 t");
    }
    type Shape = (&'static str, &'static [&'static str], &'static [&'static str]);
    let shapes: [Shape; 9] = [
        ("· ⊢ t : T", &["t"], &["T"]),
        ("· ⊢ t : T", &["t"], &["T"]),
        ("· ⊢ t : T, t --> t1", &["t", "t1"], &["T"]),
        ("· ⊢ t : T, t --> t1", &["t", "t1"], &["T"]),
        ("t --> t1, · ⊢ t1 : T", &["t", "t1"], &["T"]),
        ("· ⊢ t : T, t --> t1, t1 --> t2", &["t", "t1", "t2"], &["T"]),
        ("· ⊢ t : T, t --> t1, t --> t2", &["t", "t1", "t2"], &["T"]),
        ("· ⊢ t : T, · ⊢ t : T1", &["t"], &["T", "T1"]),
        ("· ⊢ t : I, t is not v", &["t"], &[]),
    ];
    let (premises, programs, types) = w.pick(&shapes);
    let speech = Speech {
        top: "· ⊢ ",
        programs,
        values: programs,
        states: programs,
        types,
        constants: &["I", "I -> I"],
        closed: &["z", "k", "k z"],
        others: &[],
    };
    let conclusion = w.conclusion(&speech);
    let bound = match w.chance.below(5) {
        0 => format!("t: height {}", 1 + w.chance.below(3)),
        _ => format!("t: size {}", 2 + w.chance.below(4)),
    };
    let types = w.pick(&["T: size 1", "T: size 3", "T: depth 2", "T: size 2"]);
    w.check(&format!("{bound}   {types}"), premises, &conclusion, vec!["t"])
}
