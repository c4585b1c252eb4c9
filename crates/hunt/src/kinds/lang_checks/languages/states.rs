//! Languages whose states are a program with a store: commands and expressions over names, or terms over locations that are allocated.

use super::shapes::Speech;
use super::{Made, Writer};

pub fn make(mut w: Writer) -> Made {
    if w.one_in(2) { commands(w) } else { references(w) }
}

/// What a check says: premises, inputs, what may be judged, what may be compared, what steps, the types that are there, and more to say.
struct Shape {
    premises: String,
    inputs: Vec<&'static str>,
    programs: Vec<&'static str>,
    values: Vec<&'static str>,
    states: Vec<&'static str>,
    types: Vec<&'static str>,
    others: Vec<String>,
}

fn owned(all: &[&str]) -> Vec<String> {
    all.iter().map(|s| s.to_string()).collect()
}

fn commands(mut w: Writer) -> Made {
    let (has_f, has_do, has_if) = (w.one_in(2), w.one_in(2), w.one_in(4));
    w.line("atom x\nsyntax");
    w.line(format!("  e ::= a | b | x{}", if has_f { " | f e" } else { "" }));
    let more = [(has_do, " | do e"), (has_if, " | if e c c end")];
    let more: String = more.iter().filter(|(has, _)| *has).map(|(_, alt)| *alt).collect();
    w.line(format!("  c ::= skip | x := e | c ; c {{right}}{more}"));
    let values = w.pick(&["a | b", "a | b", "a", if has_f { "a | b | f v" } else { "a" }]);
    w.line(format!("  v ⊆ e ::= {values}"));
    w.line("  T ::= A | B");
    let contexts = !w.one_in(4);
    w.line("  s ::= ⟨ c, σ ⟩ | ⟨ e, σ ⟩");
    if contexts {
        w.line(format!("  E ::= []{}", if has_f { " | f E" } else { "" }));
        let mut alts = vec!["[]"];
        let all = [" C ; c", "c ; C", "x := E", "do E", "if E c c end"];
        alts.extend(all.iter().map(|a| a.trim()).filter(|a| {
            let there = (has_do || !a.starts_with("do")) && (has_if || !a.starts_with("if"));
            there && *a != "c ; C"
        }));
        alts.retain(|a| *a == "[]" || !w.chance.one_in(5));
        if w.one_in(5) {
            alts.push("c ; C");
        }
        w.line(format!("  C ::= {}", alts.join(" | ")));
        w.line("  W ::= ⟨ C, σ ⟩");
    }
    w.line("env   Γ ::= · | Γ, x:T\nstore σ ::= · | σ, x ↦ v");
    w.line("judgment Γ ⊢ e : T");
    w.rule(&[], "Γ ⊢ a : A");
    let b = w.pick(&["A", "B", "B"]);
    w.rule(&[], format!("Γ ⊢ b : {b}"));
    w.rule(&["x:T ∈ Γ".into()], "Γ ⊢ x : T");
    if has_f {
        let (from, to) = w.pick(&[("T", "T"), ("A", "B"), ("A", "A"), ("T", "B")]);
        w.rule(&[format!("Γ ⊢ e : {from}")], format!("Γ ⊢ f e : {to}"));
    }
    if w.one_in(6) {
        w.rule(&["x:T ∈ Γ".into()], "Γ ⊢ b : T");
    }
    w.line("judgment Γ ⊢ c ok");
    w.rule(&[], "Γ ⊢ skip ok");
    let assign = [
        &["x:T ∈ Γ", "Γ ⊢ e : T"][..],
        &["x:T ∈ Γ", "Γ ⊢ e : T"],
        &["x ∈ dom Γ"],
        &["Γ ⊢ e : _"],
        &["x:_ ∈ Γ", "Γ ⊢ e : _"],
    ];
    let assign = w.pick(&assign);
    w.rule(&owned(assign), "Γ ⊢ x := e ok");
    let seq = w.pick(&[&["Γ ⊢ c1 ok", "Γ ⊢ c2 ok"][..], &["Γ ⊢ c1 ok", "Γ ⊢ c2 ok"], &["Γ ⊢ c1 ok"]]);
    w.rule(&owned(seq), "Γ ⊢ c1 ; c2 ok");
    if has_do {
        let premises = w.pick(&[&["Γ ⊢ e : _"][..], &["Γ ⊢ e : A"], &[], &["e is not v"]]);
        w.rule(&owned(premises), "Γ ⊢ do e ok");
    }
    if has_if {
        w.rule(&owned(&["Γ ⊢ e : A", "Γ ⊢ c1 ok", "Γ ⊢ c2 ok"]), "Γ ⊢ if e c1 c2 end ok");
    }
    w.line("judgment Γ ⊢ σ");
    const FITS: &str = "forall x:T ∈ Γ. Γ ⊢ σ(x) : T";
    let store = w.pick(&[&[FITS][..], &[FITS], &["dom Γ = dom σ"], &["dom Γ = dom σ", FITS], &[]]);
    w.rule(&owned(store), "Γ ⊢ σ");
    w.line(if contexts { "reduction s --> s'  in W" } else { "reduction s --> s'" });
    if !w.one_in(8) {
        w.rule(&[], "⟨ x, σ ⟩ --> ⟨ σ(x), σ ⟩");
    }
    let store = w.pick(&["σ[x ↦ v]", "σ[x ↦ v]", "σ[x ↦ v]", "σ", "(σ, x ↦ v)", "σ[x ↦ a]"]);
    w.rule(&[], format!("⟨ x := v, σ ⟩ --> ⟨ skip, {store} ⟩"));
    w.rule(&[], "⟨ skip ; c, σ ⟩ --> ⟨ c, σ ⟩");
    if has_f {
        let right = w.pick(&["⟨ v, σ ⟩", "⟨ a, σ ⟩", "error"]);
        w.rule(&[], format!("⟨ f v, σ ⟩ --> {right}"));
    }
    if has_do {
        let (left, right) = w.pick(&[
            ("⟨ do v, σ ⟩", "⟨ skip, σ ⟩"),
            ("⟨ do e, σ ⟩", "⟨ e, σ ⟩"),
            ("⟨ do b, σ ⟩", "error"),
            ("⟨ do x, σ ⟩", "⟨ do σ(x), σ ⟩"),
            ("⟨ do e, σ ⟩", "⟨ do e ; do e, σ ⟩"),
        ]);
        w.rule(&[], format!("{left} --> {right}"));
    }
    if has_if {
        w.rule(&[], "⟨ if a c1 c2 end, σ ⟩ --> ⟨ c1, σ ⟩");
        if w.one_in(2) {
            w.rule(&[], "⟨ if b c1 c2 end, σ ⟩ --> ⟨ c2, σ ⟩");
        }
    }
    if !contexts {
        w.rule(&["⟨ c1, σ ⟩ --> ⟨ c3, σ' ⟩".into()], "⟨ c1 ; c2, σ ⟩ --> ⟨ c3 ; c2, σ' ⟩");
        if w.one_in(2) {
            w.rule(&["⟨ e, σ ⟩ --> ⟨ e', σ' ⟩".into()], "⟨ x := e, σ ⟩ --> ⟨ x := e', σ' ⟩");
        }
    }
    let state = "⟨ c, σ ⟩";
    let ok = ["Γ ⊢ c ok".to_string(), "Γ ⊢ σ".into(), "Γ ⊢ c' ok".into(), "Γ ⊢ σ'".into()];
    let step = || owned(&["dom σ = dom σ'", "σ = σ'", "Γ ⊢ c' ok, Γ ⊢ σ'", "Γ ⊢ c' ok", "c' = skip"]);
    let bare = || owned(&["dom σ = dom σ'", "σ = σ'", "c' = skip", "⟨ c', σ' ⟩ steps"]);
    let shape =
        |premises: &str, inputs: &[&'static str], values: &[&'static str], states: &[&'static str], others| Shape {
            premises: premises.to_string(),
            inputs: inputs.to_vec(),
            programs: vec!["x"],
            values: values.to_vec(),
            states: states.to_vec(),
            types: vec!["A"],
            others,
        };
    let both = format!("{}, {}", ok[0], ok[1]);
    let after = "⟨ c, σ ⟩ --> ⟨ c', σ' ⟩";
    let shapes = [
        shape(&both, &["Γ", "σ", "c"], &["c"], &[state], owned(&["c = skip", "c = skip"])),
        shape(&both, &["Γ", "σ", "c"], &["c"], &[state], owned(&["c = skip", "c ≠ skip"])),
        shape(&format!("{both}, {after}"), &["Γ", "σ", "c"], &["c", "c'"], &["⟨ c', σ' ⟩"], step()),
        shape(&format!("{both}, {after}"), &["Γ", "σ", "c"], &["c", "c'"], &["⟨ c', σ' ⟩"], step()),
        shape(after, &["σ", "c"], &["c", "c'"], &[state], bare()),
        shape("⟨ c, σ ⟩ --> s1, ⟨ c, σ ⟩ --> s2", &["σ", "c"], &["s1", "s2"], &["s1"], owned(&["s1 = s2"; 3])),
        shape(&format!("{both}, ⟨ c, σ ⟩ --> s1, s1 --> s2"), &["Γ", "σ", "c"], &["s1", "s2"], &["s1", "s2"], vec![]),
        shape("⟨ c, σ ⟩ --> ⟨ c1, σ1 ⟩, ⟨ c1, σ1 ⟩ --> ⟨ c', σ' ⟩", &["σ", "c"], &["c", "c1", "c'"], &[state], bare()),
        shape(
            "⟨ e, σ ⟩ --> ⟨ e', σ' ⟩",
            &["σ", "e"],
            &["e", "e'"],
            &["⟨ e', σ' ⟩"],
            owned(&["e' is v", "σ = σ'", "Γ0"]),
        ),
    ];
    let mut shape = pick(&mut w, shapes);
    shape.others.retain(|o| o != "Γ0");
    let conclusion = says(&mut w, &shape);
    let names = 1 + usize::from(w.one_in(4));
    let size = 1 + w.chance.below(if names == 2 { 3 } else { 4 });
    let bound = match w.chance.below(6) {
        0 => format!("c: height {}", 1 + w.chance.below(2)),
        1 => format!("c: {} nodes", 1 + w.chance.below(5)),
        _ => format!("c: size {size}"),
    };
    let value = w.pick(&["v: size 1", "v: size 2"]);
    let bounds = format!("{bound}   e: size {}   {value}   x: {names}", 1 + w.chance.below(3));
    w.check(&bounds, &shape.premises, &conclusion, shape.inputs)
}

fn references(mut w: Writer) -> Made {
    let has_cells = w.one_in(3);
    let is_atom = w.one_in(4);
    w.line(if is_atom { "atom l\nsyntax" } else { "loc l\nsyntax" });
    let has_new = !w.one_in(3);
    w.line(format!("  t ::= a | b | l | get t | set t t end{}", if has_new { " | new t" } else { "" }));
    w.line(if has_cells { "  T ::= A | B | R T" } else { "  T ::= A | B | R" });
    let values = w.pick(&["a | b | l", "a | b | l", "a | l", "a | b"]);
    w.line(format!("  v ⊆ t ::= {values}"));
    w.line("  s ::= ⟨ t, μ ⟩");
    let alts: Vec<&str> = ["get E", "set E t end", "set v E end", "new E"].to_vec();
    let mut alts: Vec<&str> = alts.into_iter().filter(|a| has_new || !a.starts_with("new")).collect();
    alts.retain(|_| !w.chance.one_in(6));
    w.line(format!("  E ::= []{}", alts.iter().map(|a| format!(" | {a}")).collect::<String>()));
    w.line("  W ::= ⟨ E, μ ⟩");
    w.line("env   Σ ::= · | Σ, l:T\nstore μ ::= · | μ, l ↦ v");
    let cell = if has_cells { "R T" } else { "R" };
    w.line("judgment Σ ⊢ t : T");
    w.rule(&[], "Σ ⊢ a : A");
    let b = w.pick(&["A", "B"]);
    w.rule(&[], format!("Σ ⊢ b : {b}"));
    let of = w.pick(&[cell, cell, cell, "T"]);
    w.rule(&["l:T ∈ Σ".into()], format!("Σ ⊢ l : {of}"));
    let (from, to) =
        if has_cells { w.pick(&[("R T", "T"), ("R T", "T"), ("T", "T")]) } else { w.pick(&[("R", "A"), ("R", "B")]) };
    w.rule(&[format!("Σ ⊢ t : {from}")], format!("Σ ⊢ get t : {to}"));
    let second = if has_cells { w.pick(&["T", "T", "_"]) } else { w.pick(&["A", "_"]) };
    let result = w.pick(&["A", "A", "B"]);
    w.rule(&[format!("Σ ⊢ t1 : {cell}"), format!("Σ ⊢ t2 : {second}")], format!("Σ ⊢ set t1 t2 end : {result}"));
    if has_new {
        let of = if has_cells { "T" } else { w.pick(&["A", "_"]) };
        w.rule(&[format!("Σ ⊢ t : {of}")], format!("Σ ⊢ new t : {cell}"));
    }
    w.line("judgment Σ ⊢ μ");
    const FITS: &str = "forall l:T ∈ Σ. Σ ⊢ μ(l) : T";
    let premises = w.pick(&[&["dom Σ = dom μ", FITS][..], &["dom Σ = dom μ", FITS], &[FITS], &["dom Σ = dom μ"], &[]]);
    w.rule(&owned(premises), "Σ ⊢ μ");
    w.line("reduction s --> s'  in W");
    let right = w.pick(&["⟨ μ(l), μ ⟩", "⟨ μ(l), μ ⟩", "⟨ μ(l), μ ⟩", "⟨ l, μ ⟩", "⟨ a, μ ⟩"]);
    w.rule(&[], format!("⟨ get l, μ ⟩ --> {right}"));
    let right = w.pick(&["⟨ a, μ[l ↦ v] ⟩", "⟨ a, μ[l ↦ v] ⟩", "⟨ v, μ[l ↦ v] ⟩", "⟨ a, μ ⟩", "error"]);
    let premises = w.pick(&[&[][..], &[], &["l ∈ dom μ"], &["v ≠ b"], &["l ∉ dom μ"]]);
    w.rule(&owned(premises), format!("⟨ set l v end, μ ⟩ --> {right}"));
    if has_new {
        let right =
            w.pick(&["⟨ l, (μ, l ↦ v) ⟩", "⟨ l, (μ, l ↦ v) ⟩", "⟨ l, μ[l ↦ v] ⟩", "⟨ l, μ ⟩", "⟨ l, (μ, l ↦ a) ⟩"]);
        w.rule(&["fresh l".into()], format!("⟨ new v, μ ⟩ --> {right}"));
    }
    if w.one_in(5) {
        w.rule(&[], "⟨ get a, μ ⟩ --> error");
    }
    let state = "⟨ t, μ ⟩";
    let typed = "Σ ⊢ t : T, Σ ⊢ μ";
    let after = "⟨ t, μ ⟩ --> ⟨ t', μ' ⟩";
    let shape = |premises: &str,
                 inputs: &[&'static str],
                 programs: &[&'static str],
                 states: &[&'static str],
                 types: &[&'static str],
                 others: &[&str]| Shape {
        premises: premises.to_string(),
        inputs: inputs.to_vec(),
        programs: programs.to_vec(),
        values: programs.to_vec(),
        states: states.to_vec(),
        types: types.to_vec(),
        others: owned(others),
    };
    let larger = "exists Σ' ⊇ Σ. Σ' ⊢ t' : T, Σ' ⊢ μ'";
    let any = "exists Σ'. Σ' ⊢ t' : T, Σ' ⊢ μ'";
    let all = &["Σ", "μ", "t"];
    // Twice as often as the others.
    let stepped = || {
        let more = [larger, larger, larger, any, "dom μ = dom μ'"];
        shape(&format!("{typed}, {after}"), all, &["t'"], &["⟨ t', μ' ⟩"], &["T"], &more)
    };
    let shapes = [
        shape(typed, all, &["t"], &[state], &["T"], &["t is v", "l ∈ dom μ"]),
        shape(typed, all, &["t"], &[state], &["T"], &["t is v"]),
        stepped(),
        stepped(),
        shape(
            &format!("{typed}, ⟨ t, μ ⟩ --> s1, ⟨ t, μ ⟩ --> s2"),
            all,
            &["t"],
            &["s1"],
            &["T"],
            &["s1 = s2", "s1 = s2"],
        ),
        shape("⟨ t, μ ⟩ --> s1, s1 --> s2", &["μ", "t"], &["t"], &["s2"], &[], &["s1 ≠ s2", "s2 steps"]),
        shape(
            &format!("{typed}, ⟨ t, μ ⟩ --> ⟨ t1, μ1 ⟩, ⟨ t1, μ1 ⟩ --> ⟨ t', μ' ⟩"),
            all,
            &["t'"],
            &["⟨ t', μ' ⟩"],
            &["T"],
            &[larger, larger, any],
        ),
    ];
    let mut shape = pick(&mut w, shapes);
    let quantified: Vec<String> = shape.others.iter().filter(|o| o.starts_with("exists")).cloned().collect();
    let conclusion = if !quantified.is_empty() && !w.one_in(4) {
        let said = w.pick(&quantified);
        if w.one_in(4) { format!("{said}  or  t' is v") } else { said }
    } else {
        shape.others.retain(|o| !o.starts_with("exists") && !o.starts_with("l "));
        // Without an environment there is nothing to be typed in.
        if !shape.inputs.contains(&"Σ") { w.pick(&shape.others) } else { says(&mut w, &shape) }
    };
    let names = 1 + usize::from(w.one_in(4));
    let bound = match w.chance.below(6) {
        0 => format!("t: height {}", 1 + w.chance.below(2)),
        1 => format!("t: {} nodes", 1 + w.chance.below(4)),
        _ => format!("t: size {}", 1 + w.chance.below(if names == 2 { 3 } else { 4 })),
    };
    let types = if has_cells { w.pick(&["T: size 1", "T: size 2", "T: depth 2"]) } else { "T: size 1" };
    w.check(&format!("{bound}   v: size 1   {types}   l: {names}"), &shape.premises, &conclusion, shape.inputs)
}

fn pick<const N: usize>(w: &mut Writer, shapes: [Shape; N]) -> Shape {
    let at = w.chance.below(N);
    let mut all: Vec<Shape> = shapes.into_iter().collect();
    all.swap_remove(at)
}

/// A conclusion that names what there is.
fn says(w: &mut Writer, shape: &Shape) -> String {
    let is_program = |v: &&str| !v.starts_with('s');
    if shape.programs == ["x"] {
        // Commands have no types: what may be said is listed.
        let mut parts: Vec<String> = shape.others.clone();
        parts.extend(shape.states.iter().map(|s| format!("{s} steps")));
        let plain: Vec<&str> = shape.values.iter().copied().filter(is_program).collect();
        if let [first, .., last] = plain[..] {
            parts.push(format!("{first} ≠ {last}"));
            parts.push(format!("{first} = {last}"));
        }
        let mut said: Vec<String> = (0..1 + w.chance.below(3)).map(|_| w.pick(&parts)).collect();
        said.dedup();
        return said.join("  or  ");
    }
    let speech = Speech {
        top: "Σ ⊢ ",
        programs: &shape.programs,
        values: &shape.values,
        states: &shape.states,
        types: &shape.types,
        constants: &["A", "B"],
        closed: &["a", "b"],
        others: &shape.others,
    };
    w.conclusion(&speech)
}
