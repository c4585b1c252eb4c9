//! Languages without a reduction: big steps with stores, environments over names, judgments between programs.

use super::shapes::Speech;
use super::{Made, Writer};

pub fn make(mut w: Writer) -> Made {
    if w.one_in(3) { between(w) } else { evaluation(w) }
}

fn owned(all: &[&str]) -> Vec<String> {
    all.iter().map(|s| s.to_string()).collect()
}

/// `σ ⊢ e ⇓ v` and `Γ ⊢ e : T`.
fn evaluation(mut w: Writer) -> Made {
    let (has_f, has_set, has_int) = (w.one_in(2), w.one_in(2), w.one_in(4));
    w.line(if has_int { "atom x\nint i\nsyntax" } else { "atom x\nsyntax" });
    let more = [(has_f, " | f e"), (has_set, " | set x e e end"), (has_int, " | lit i")];
    let more: String = more.iter().filter(|(has, _)| *has).map(|(_, alt)| *alt).collect();
    w.line(format!("  e ::= a | b | x{more}"));
    let deep = has_f && w.one_in(2);
    let values = if deep { "a | f v" } else { w.pick(&["a", "a | b"]) };
    w.line(format!("  v ⊆ e ::= {values}{}", if has_int { " | lit i" } else { "" }));
    let two = !w.one_in(3);
    w.line(if two { "  T ::= A | B" } else { "  T ::= A" });
    w.line("env   Γ ::= · | Γ, x:T\nstore σ ::= · | σ, x ↦ v");
    w.line("judgment Γ ⊢ e : T");
    let (a, b) = (if two { w.pick(&["A", "A", "B"]) } else { "A" }, if two { w.pick(&["A", "B"]) } else { "A" });
    w.rule(&[], format!("Γ ⊢ a : {a}"));
    if !w.one_in(4) {
        w.rule(&[], format!("Γ ⊢ b : {b}"));
    }
    match w.chance.below(8) {
        0 => {}
        1 => w.rule(&["x ∈ dom Γ".into()], "Γ ⊢ x : A"),
        2 => w.rule(&["x':T ∈ Γ".into()], "Γ ⊢ x : T"),
        3 => w.rule(&["x:T ∈ Γ".into(), "x':T ∈ Γ".into(), "x ≠ x'".into()], "Γ ⊢ x : T"),
        _ => w.rule(&["x:T ∈ Γ".into()], "Γ ⊢ x : T"),
    }
    if w.one_in(5) {
        w.rule(&["x:T ∈ Γ".into()], "Γ ⊢ b : T");
    }
    if has_f {
        let (from, to) = w.pick(&[("T", "T"), ("A", "A"), ("T", "A")]);
        w.rule(&[format!("Γ ⊢ e : {from}")], format!("Γ ⊢ f e : {to}"));
    }
    if has_set {
        let inner = w.pick(&["Γ, x:T1 ⊢ e2 : T", "Γ, x:T1 ⊢ e2 : T", "Γ ⊢ e2 : T"]);
        let first = w.pick(&["Γ ⊢ e1 : T1", "Γ ⊢ e1 : T1", "x:T1 ∈ Γ"]);
        w.rule(&owned(&[first, inner]), "Γ ⊢ set x e1 e2 end : T");
    }
    if has_int {
        let premises = w.pick(&[&[][..], &["where i < 2"], &["where i2 = i + 1", "where i2 ≠ 1"], &["where i = 0"]]);
        w.rule(&owned(premises), "Γ ⊢ lit i : A");
    }
    w.line("judgment Γ ⊢ σ");
    const FITS: &str = "forall x:T ∈ Γ. Γ ⊢ σ(x) : T";
    let store = w.pick(&[&[FITS][..], &[FITS], &["dom Γ = dom σ"], &["dom Γ = dom σ", FITS], &[]]);
    w.rule(&owned(store), "Γ ⊢ σ");
    w.line("judgment σ ⊢ e ⇓ v");
    w.rule(&[], "σ ⊢ v ⇓ v");
    if !w.one_in(6) {
        w.rule(&[], "σ ⊢ x ⇓ σ(x)");
    }
    if has_f {
        let to = if deep { w.pick(&["f v", "v", "a"]) } else { w.pick(&["v", "a"]) };
        w.rule(&["σ ⊢ e ⇓ v".into()], format!("σ ⊢ f e ⇓ {to}"));
    }
    if has_set {
        let inner = w.pick(&["σ[x ↦ v1] ⊢ e2 ⇓ v", "σ[x ↦ v1] ⊢ e2 ⇓ v", "σ ⊢ e2 ⇓ v", "σ[x ↦ a] ⊢ e2 ⇓ v"]);
        w.rule(&owned(&["σ ⊢ e1 ⇓ v1", inner]), "σ ⊢ set x e1 e2 end ⇓ v");
    }
    if has_int {
        w.rule(&owned(&["where i2 = i + 1"]), "σ ⊢ lit i ⇓ lit i2");
    }
    if w.one_in(4) {
        w.rule(&[], "σ ⊢ b ⇓ a");
    }
    type Shape = (
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
        &'static [&'static str],
        &'static [&'static str],
        &'static str,
    );
    // Premises, inputs, programs, types, more to say, the environment of the conclusion.
    let shapes: [Shape; 11] = [
        ("Γ ⊢ e : T, Γ ⊢ σ, σ ⊢ e ⇓ v", &["Γ", "σ", "e"], &["e", "v"], &["T"], &["Γ ⊢ v : T", "Γ ⊢ v : T"], "Γ ⊢ "),
        ("Γ ⊢ e : T, Γ ⊢ σ, σ ⊢ e ⇓ v", &["Γ", "σ", "e"], &["e", "v"], &["T"], &["dom σ = dom Γ"], "Γ ⊢ "),
        ("Γ ⊢ σ, σ ⊢ e ⇓ v", &["Γ", "σ", "e"], &["e", "v"], &[], &["Γ ⊢ v : A"], "Γ ⊢ "),
        ("σ ⊢ e ⇓ v, σ ⊢ e ⇓ v1", &["σ", "e"], &["e", "v", "v1"], &[], &["v = v1", "v = v1"], "· ⊢ "),
        ("Γ ⊢ e : T, Γ ⊢ e : T1", &["Γ", "e"], &["e"], &["T", "T1"], &["T = T1", "T = T1"], "Γ ⊢ "),
        ("Γ ⊢ e : T", &["Γ", "e"], &["e"], &["T"], &["· ⊢ e : T"], "Γ ⊢ "),
        ("· ⊢ e : T, · ⊢ σ, σ ⊢ e ⇓ v", &["σ", "e"], &["e", "v"], &["T"], &["σ = ·"], "· ⊢ "),
        ("x ∉ dom Γ, Γ ⊢ e : T", &["Γ", "x", "e"], &["e"], &["T"], &["Γ, x:A ⊢ e : T", "Γ, x:A ⊢ e : T"], "Γ ⊢ "),
        ("x:T1 ∈ Γ, Γ ⊢ e : T", &["Γ", "e"], &["e"], &["T", "T1"], &["Γ, x:T ⊢ e : T"], "Γ ⊢ "),
        (
            "x ∈ dom σ, σ ⊢ e ⇓ v",
            &["σ", "e"],
            &["e", "v"],
            &[],
            &["· ⊢ σ(x) : A", "σ(x) = v", "σ[x ↦ v] ⊢ e ⇓ v"],
            "· ⊢ ",
        ),
        ("Γ ⊢ e : T, not Γ ⊢ σ", &["Γ", "σ", "e"], &["e"], &["T"], &["dom Γ = dom σ", "x ∉ dom Γ"], "Γ ⊢ "),
    ];
    let (premises, inputs, programs, types, others, top) = w.pick(&shapes);
    let others: Vec<String> = owned(others).into_iter().filter(|o| !o.starts_with("x ∉")).collect();
    let conclusion = if w.one_in(2) {
        w.pick(&others)
    } else {
        let constants: &[&str] = if two { &["A", "B"] } else { &["A"] };
        let speech = Speech {
            top,
            programs,
            values: programs,
            states: &[],
            types,
            constants,
            closed: &["a", "b"],
            others: &others,
        };
        w.conclusion(&speech)
    };
    let names = 1 + usize::from(w.one_in(3));
    let bound = match w.chance.below(6) {
        0 => format!("e: height {}", 1 + w.chance.below(2)),
        1 => format!("e: {} nodes", 1 + w.chance.below(4)),
        _ => format!("e: size {}", 1 + w.chance.below(3)),
    };
    let value = w.pick(&["v: size 1", "v: size 2"]);
    let integers = if has_int { w.pick(&["   i: 0..1", "   i: -1..0", "   i: 1"]) } else { "" };
    w.check(&format!("{bound}   {value}   T: size 1   x: {names}{integers}"), premises, &conclusion, inputs.to_vec())
}

/// `t ~ t'`, which yields the second program or leaves it open.
fn between(mut w: Writer) -> Made {
    let has_binary = w.one_in(3);
    w.line("syntax");
    w.line(format!("  t ::= a | b | f t{}", if has_binary { " | h t t end" } else { "" }));
    let values = w.pick(&["a", "a | f v", "a | b"]);
    w.line(format!("  v ⊆ t ::= {values}"));
    w.line("  T ::= A | B\njudgment ⊢ t : T");
    let b = w.pick(&["A", "B"]);
    w.rule(&[], "⊢ a : A");
    w.rule(&[], format!("⊢ b : {b}"));
    let (from, to) = w.pick(&[("T", "T"), ("A", "B"), ("T", "A"), ("B", "A")]);
    w.rule(&[format!("⊢ t : {from}")], format!("⊢ f t : {to}"));
    if has_binary {
        w.rule(&owned(&["⊢ t1 : T", "⊢ t2 : T"]), "⊢ h t1 t2 end : T");
    }
    w.line("judgment t ~ t'");
    let axioms = w.pick(&[&["a ~ a"][..], &["t ~ t"], &["a ~ b", "b ~ a"], &["a ~ f b", "b ~ b"], &["v ~ a"]]);
    axioms.iter().for_each(|axiom| w.rule(&[], axiom));
    let step = w.pick(&["f t1 ~ f t2", "f t1 ~ t2", "f t1 ~ f (f t2)"]);
    w.rule(&["t1 ~ t2".into()], step);
    if w.one_in(4) {
        w.rule(&owned(&["t1 ~ t2", "t2 ~ t3"]), "t1 ~ t3");
    }
    if has_binary {
        w.rule(&owned(&["t1 ~ t3", "t2 ~ t4"]), "h t1 t2 end ~ h t3 t4 end");
    }
    // A second program that no rule says.
    let is_open = w.one_in(3);
    if is_open {
        let axiom = w.pick(&["b ~ t", "f t1 ~ t2", "a ~ f t"]);
        w.rule(&[], axiom);
    }
    type Shape = (
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
        &'static [&'static str],
        &'static [&'static str],
    );
    let shapes: [Shape; 7] = [
        ("t ~ t1", &["t"], &["t", "t1"], &[], &["t1 ~ t", "t = t1"]),
        ("t ~ t1, ⊢ t : T", &["t"], &["t", "t1"], &["T"], &["⊢ t1 : T"]),
        ("⊢ t1 : T, t ~ t1", &["t"], &["t", "t1"], &["T"], &["⊢ t : T"]),
        ("t ~ t1, t ~ t2", &["t"], &["t", "t1", "t2"], &[], &["t1 = t2", "t1 ~ t2"]),
        ("t ~ t1, t1 ~ t2", &["t"], &["t", "t1", "t2"], &[], &["t ~ t2"]),
        ("⊢ t : T, not t ~ t", &["t"], &["t"], &["T"], &["t is v"]),
        ("⊢ t : T, ⊢ t1 : T, t is v", &["t", "t1"], &["t", "t1"], &["T"], &["t ~ t1", "t = t1"]),
    ];
    let (premises, inputs, programs, types, others) = w.pick(&shapes);
    let inputs = if is_open { programs.to_vec() } else { inputs.to_vec() };
    let others = owned(others);
    let speech = Speech {
        top: "⊢ ",
        programs,
        values: programs,
        states: &[],
        types,
        constants: &["A", "B"],
        closed: &["a", "b", "f a"],
        others: &others,
    };
    let conclusion = if w.one_in(3) { w.pick(&others) } else { w.conclusion(&speech) };
    let bound = match w.chance.below(5) {
        0 => format!("t: height {}", 1 + w.chance.below(2)),
        1 => format!("t: {} nodes", 1 + w.chance.below(4)),
        _ => format!("t: size {}", 1 + w.chance.below(3)),
    };
    w.check(&format!("{bound}   T: size 1"), premises, &conclusion, inputs)
}
