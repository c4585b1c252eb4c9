//! The oracle of `lang-checks` on definitions whose truth is known: those on which the tool was once wrong, and what hunting found since.
//! The tool agrees on all of them, by classes and by enumeration.

use hunt::Apart;
use hunt::kinds::lang_checks::compare;

#[track_caller]
fn check(text: &str, inputs: &[&str], expected: &str) {
    match compare(text, inputs) {
        Ok(answer) => assert_eq!(answer, expected, "{text}"),
        Err(Apart::Skipped(why)) => panic!("{why}\n{text}"),
        Err(Apart::Disagreed(answers)) => panic!("{answers:?}\n{text}"),
    }
}

/// A file of the cases of issue 13, with one of its checks.
#[track_caller]
fn case(name: &str, check_name: &str, inputs: &[&str], expected: &str) {
    let file = format!("{}/../cli/tests/lang-cases/{name}.lang", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).expect("a case");
    let is_other = |line: &&str| line.starts_with("check ") && !line.starts_with(&format!("check {check_name} "));
    let is_first = |line: &&str| !line.starts_with("expect") && !is_other(line);
    let first = text.split("\nlanguage ").next().unwrap_or_default();
    let lines: Vec<&str> = first.lines().filter(is_first).collect();
    check(&format!("{}\n", lines.join("\n")), inputs, expected);
}

#[test]
fn the_oracle_sees_what_was_wrong() {
    case("two", "one", &["t"], "fails");
    case("two", "two", &["t"], "fails");
    case("any", "preservation", &["t"], "fails");
    case("exp2", "expansion", &["t"], "fails");
    case("mix", "progress", &["σ", "c"], "fails");
    case("p", "preservation", &["t"], "fails");
    case("er", "conv", &["t"], "fails");
    case("er", "left", &["t"], "fails");
    case("nod", "short", &["t"], "holds");
    case("bind", "k", &["t"], "fails");
    case("x4", "two", &["t"], "about nothing");
    case("x4", "preservation", &["t"], "holds");
    case("dbl", "preservation", &["t"], "fails");
    case("dbl", "det", &["t"], "holds");
    case("infer", "progress", &["t"], "fails");
    case("m2", "isa", &["Γ", "e"], "fails");
    case("m2", "all", &["Γ", "e"], "holds");
    case("st", "typed", &["σ", "e"], "fails");
    case("st", "isa", &["e"], "fails");
}

const REFERENCES: &str = "language made
atom l
syntax
  t ::= a | l | new t
  T ::= A | R T
  v ⊆ t ::= a | l
  s ::= ⟨ t, μ ⟩
  E ::= [] | new E
  W ::= ⟨ E, μ ⟩
env   Σ ::= · | Σ, l:T
store μ ::= · | μ, l ↦ v
judgment Σ ⊢ t : T
  Σ ⊢ a : A  [T-A]

  l:T ∈ Σ               Σ ⊢ t : T
  ----------- T-Loc     --------------- T-New
  Σ ⊢ l : R T           Σ ⊢ new t : R T
judgment Σ ⊢ μ
  dom Σ = dom μ   forall l:T ∈ Σ. Σ ⊢ μ(l) : T
  -------------------------------------------- Store
  Σ ⊢ μ
reduction s --> s'  in W
  fresh l
  ---------------------------------- New
  ⟨ new v, μ ⟩ --> ⟨ l, (μ, l ↦ v) ⟩
bounds t: size 3   v: size 1   T: depth 2   l: 1
check c : Σ ⊢ t : T, Σ ⊢ μ, ⟨ t, μ ⟩ --> ⟨ t', μ' ⟩ => exists Σ' ⊇ Σ. Σ' ⊢ t' : T, Σ' ⊢ μ'
";

/// New names, not only new locations.
#[test]
fn fresh_atoms() {
    check(REFERENCES, &["Σ", "μ", "t"], "holds");
    check(&REFERENCES.replace("(μ, l ↦ v)", "μ"), &["Σ", "μ", "t"], "fails");
    check(&REFERENCES.replace("atom l", "loc l"), &["Σ", "μ", "t"], "holds");
}

const COMMANDS: &str = "language made
atom x
syntax
  e ::= a | b | x
  c ::= skip | x := e | c ; c {right}
  v ⊆ e ::= a
  s ::= ⟨ c, σ ⟩ | ⟨ e, σ ⟩
store σ ::= · | σ, x ↦ v
reduction s --> s'
  ⟨ x, σ ⟩ --> ⟨ σ(x), σ ⟩  [Read]

  ⟨ e, σ ⟩ --> ⟨ e', σ' ⟩
  ------------------------------ Assign
  ⟨ x := e, σ ⟩ --> ⟨ x := e', σ' ⟩
bounds c: size 3   v: size 1   x: 1
check c : ⟨ c, σ ⟩ --> ⟨ c', σ' ⟩ => c' = skip
";

/// Congruence rules from programs of one sort to those of another.
#[test]
fn congruence_between_sorts() {
    check(COMMANDS, &["σ", "c"], "fails");
    check(&COMMANDS.replace("=> c' = skip", "=> c' ≠ c"), &["σ", "c"], "holds");
}

const INFERENCE: &str = "language made
var x
syntax
  t ::= x | k | t t {left} | λ x. t {bind x in t, infer}
  T ::= I | T -> T {right}
env Γ ::= · | Γ, x:T
judgment Γ ⊢ t : T
  Γ ⊢ k : T -> I  [T-K]    Γ ⊢ λ x. t : T1 -> T2  [T-Abs]

  Γ ⊢ t1 : T1 -> T2   Γ ⊢ t2 : T3
  ------------------------------- T-App
  Γ ⊢ t1 t2 : T2
bounds t: size 3   T: size 1
check c : · ⊢ t : T => not · ⊢ t : I -> I
";

/// Types are inferred without a bound also where something is denied, and where two of them have to differ.
#[test]
fn inferred_types() {
    check(INFERENCE, &["t"], "fails");
    check(&INFERENCE.replace("not · ⊢ t : I -> I", "not · ⊢ t : (I -> I) -> I -> I"), &["t"], "fails");
    check(
        &INFERENCE.replace("=> not · ⊢ t : I -> I", ", · ⊢ t : T1 => T = T1  or  not · ⊢ t : I -> I"),
        &["t"],
        "fails",
    );
}

/// An environment that exists may need types beyond their bound, for names that only it has.
#[test]
fn larger_types_in_an_environment_that_exists() {
    let twice = REFERENCES
        .replace("⟨ t, μ ⟩ --> ⟨ t', μ' ⟩ =>", "⟨ t, μ ⟩ --> ⟨ t1, μ1 ⟩, ⟨ t1, μ1 ⟩ --> ⟨ t', μ' ⟩ =>")
        .replace("T: depth 2", "T: depth 1");
    check(&twice, &["Σ", "μ", "t"], "holds");
    // Without the store, only the type of the whole says what the new name is.
    let untyped = twice.replace("dom Σ = dom μ   forall l:T ∈ Σ. Σ ⊢ μ(l) : T", "dom μ = dom μ");
    check(&untyped.replace("(μ, l ↦ v)", "μ"), &["Σ", "μ", "t"], "holds");
    check(&untyped.replace("(μ, l ↦ v)", "μ").replace("⟨ l, μ ⟩", "⟨ a, μ ⟩"), &["Σ", "μ", "t"], "fails");
}

/// A program that no premise looks into, and a bound in nodes or height for a part of what a premise is about.
/// A name within the bound that Σ lacks may have an entry in Σ'.
#[test]
fn entries_of_old_names_in_an_environment_that_exists() {
    let text = "language made
atom l
syntax
  t ::= a | b | l | get t | set t t end
  T ::= A | B | R T
  v ⊆ t ::= a | b | l
  s ::= ⟨ t, μ ⟩
  E ::= [] | get E | set E t end
  W ::= ⟨ E, μ ⟩
env   Σ ::= · | Σ, l:T
store μ ::= · | μ, l ↦ v
judgment Σ ⊢ t : T
  Σ ⊢ a : A  [R1]
  Σ ⊢ b : A  [R2]

  l:T ∈ Σ
  ------------------------------ R3
  Σ ⊢ l : T


  Σ ⊢ t : R T
  ------------------------------ R4
  Σ ⊢ get t : T


  Σ ⊢ t1 : R T   Σ ⊢ t2 : T
  ------------------------------ R5
  Σ ⊢ set t1 t2 end : B

judgment Σ ⊢ μ
  Σ ⊢ μ  [R6]
reduction s --> s'  in W
  ⟨ get l, μ ⟩ --> ⟨ μ(l), μ ⟩  [R7]
  ⟨ set l v end, μ ⟩ --> ⟨ a, μ[l ↦ v] ⟩  [R8]
bounds t: height 2   v: size 1   T: depth 2   l: 2
check c : Σ ⊢ t : T, Σ ⊢ μ, ⟨ t, μ ⟩ --> ⟨ t', μ' ⟩ => exists Σ' ⊇ Σ. Σ' ⊢ t' : T, Σ' ⊢ μ'
";
    check(text, &["Σ", "t", "μ"], "fails");
}

/// Steps to an error alone are none to a state of a form.
#[test]
fn steps_to_errors_satisfy_no_form() {
    let text = "language made
atom x
syntax
  e ::= a | b | x | f e
  c ::= skip | x := e | c ; c {right}
  v ⊆ e ::= a | b
  s ::= ⟨ c, σ ⟩ | ⟨ e, σ ⟩
  C ::= []
  W ::= ⟨ C, σ ⟩
store σ ::= · | σ, x ↦ v
reduction s --> s'  in W
  ⟨ f v, σ ⟩ --> error  [R11]
bounds c: size 3   e: size 2   v: size 2   x: 1
check c : ⟨ e, σ ⟩ --> ⟨ e', σ' ⟩ => e ≠ e'  or  ⟨ e', σ' ⟩ steps
";
    check(text, &["e", "σ"], "about nothing");
    check(&text.replace("error  [R11]", "⟨ a, σ ⟩  [R11]"), &["e", "σ"], "holds");
}

#[test]
fn parts_of_what_a_premise_is_about() {
    let text = |bound: &str, conclusion: &str| {
        format!(
            "language made\nsyntax\n  t ::= a | b | f t | g t\n  T ::= A | B\njudgment ⊢ t : T\n  ⊢ f t : B  [T-F]\n\
             bounds {bound}   T: size 1\ncheck c : ⊢ f t1 : T => {conclusion}\n"
        )
    };
    for bound in ["t: size 1", "t: size 2", "t: height 1", "t: 2 nodes", "t: height 2"] {
        check(&text(bound, "t1 = a"), &["t1"], "fails");
        check(&text(bound, "not ⊢ t1 : A"), &["t1"], "holds");
    }
    check(&text("t: height 1", "t1 ≠ f a"), &["t1"], "holds");
    check(&text("t: height 2", "t1 ≠ f a"), &["t1"], "fails");
}

/// A step under a binder puts a variable in a place where another one is bound: it stays the one that it was.
#[test]
fn nothing_is_captured() {
    let text = "language made
var x
syntax
  t ::= x | a | b | let x = t1 in t2 {bind x in t2}
  T ::= A | B
  E ::= [] | let x = t1 in E
env Γ ::= · | Γ, x:T
judgment Γ ⊢ t : T
  Γ ⊢ a : A  [T-a]    Γ ⊢ b : B  [T-b]

  x:T ∈ Γ            Γ ⊢ t1 : T1   Γ, x:T1 ⊢ t2 : T2
  --------- T-Var    ------------------------------- T-Let
  Γ ⊢ x : T          Γ ⊢ let x = t1 in t2 : T2
reduction t --> t'  in E
  let x = t1 in t2 --> t2[t1/x]  [Let]
bounds t: size 7   T: size 1
check c : · ⊢ t : T, t --> t1 => · ⊢ t1 : T
";
    check(text, &["t"], "holds");
    check(&text.replace("t2[t1/x]  [Let]", "t2[a/x]  [Let]"), &["t"], "fails");
}

/// The places of a bound in nodes are those of the complete tree: a part of the second subtree needs place 5.
#[test]
fn places_of_the_complete_tree() {
    let text = |bound: &str| {
        format!(
            "language made\nsyntax\n  t ::= a | f t | h t t end\n  T ::= A\njudgment ⊢ t : T\n  ⊢ a : A  [T-a]    ⊢ f t : A  [T-f]    \
             ⊢ h t1 t2 end : A  [T-h]\nbounds t: {bound}   T: size 1\ncheck c : ⊢ t : T => t ≠ h a (f a) end\n"
        )
    };
    check(&text("5 nodes"), &["t"], "holds");
    check(&text("6 nodes"), &["t"], "fails");
    check(&text("height 2"), &["t"], "holds");
    check(&text("height 3"), &["t"], "fails");
}

/// The premise of a congruence rule asks for a state of one form: a part that steps to another one, to an error, or to what is not a value does not count.
#[test]
fn congruence_asks_for_the_form_of_a_state() {
    let text = |right: &str, after: &str| {
        format!(
            "language made\natom x\nsyntax\n  e ::= a | b\n  c ::= skip | c ; c {{right}} | do e\n  v ⊆ c ::= skip\n  s ::= ⟨ c, σ ⟩ | ⟨ e, σ ⟩\n\
             store σ ::= · | σ, x ↦ e\njudgment ok c\n  ok skip  [O-Skip]    ok do e  [O-Do]\n\n  ok c1   ok c2\n  ------------ O-Seq\n  ok c1 ; c2\n\
             judgment fine σ\n  fine σ  [F]\nreduction s --> s'\n  ⟨ skip ; c, σ ⟩ --> ⟨ c, σ ⟩  [Seq]    ⟨ do e, σ ⟩ --> {right}  [Do]\n\n  \
             ⟨ c1, σ ⟩ --> ⟨ {after}, σ' ⟩\n  -------------------------- First\n  ⟨ c1 ; c2, σ ⟩ --> ⟨ {after} ; c2, σ' ⟩\n\
             bounds c: size 4   x: 1\ncheck c : ok c, fine σ => c = skip  or  ⟨ c, σ ⟩ steps\n"
        )
    };
    check(&text("⟨ skip, σ ⟩", "c3"), &["σ", "c"], "holds");
    check(&text("⟨ e, σ ⟩", "c3"), &["σ", "c"], "fails");
    check(&text("error", "c3"), &["σ", "c"], "fails");
    check(&text("⟨ skip ; skip, σ ⟩", "v"), &["σ", "c"], "fails");
}
