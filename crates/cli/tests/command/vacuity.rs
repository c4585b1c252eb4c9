//! Nothing is checked of nothing: what no checked program uses stands in the table as never used, whichever engine decides, and what some
//! program uses does not.

use crate::glassbox;
use serde_json::Value;

fn write(name: &str, text: &str) -> String {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("vacuity-{name}.lang"));
    std::fs::write(&file, text).expect("a file");
    file.display().to_string()
}

/// The names of what no check shows an example of.
fn unused(json: &Value) -> Vec<String> {
    let mut shown: Vec<(String, bool)> = Vec::new();
    for witness in crate::items(json).iter().flat_map(|c| c["exercised"]["witnesses"].as_array().into_iter().flatten())
    {
        let name = witness["name"].as_str().expect("a name").to_string();
        let has_example = !witness["example"].is_null();
        match shown.iter_mut().find(|(n, _)| *n == name) {
            Some((_, known)) => *known |= has_example,
            None => shown.push((name, has_example)),
        }
    }
    let mut names: Vec<String> = shown.into_iter().filter(|(_, is_shown)| !is_shown).map(|(name, _)| name).collect();
    names.sort();
    names
}

/// Both engines say that these are never used; rules among them are errors.
fn never(name: &str, text: &str, expected: &[&str], status: i32) {
    let file = write(name, text);
    for engine in ["auto", "exhaustive"] {
        let ran = glassbox(&["check", &file, "--engine", engine, "--json"]);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr));
        assert_eq!(unused(&json), expected, "{name}, {engine}: {}", ran.stdout);
        assert_eq!(ran.status, status, "{name}, {engine}: {}", ran.stdout);
        let ran = glassbox(&["check", &file, "--engine", engine]);
        for name in expected {
            let line = ran.stdout.lines().find(|l| l.trim_start().starts_with(&format!("{name} ")));
            assert!(line.is_some_and(|l| l.ends_with("never used")), "{name}, {engine}: {}", ran.stdout);
        }
        assert!(!ran.stdout.contains(", 0 non-empty"), "{name}, {engine}: {}", ran.stdout);
    }
}

/// A rule and a step that no program can use, with bounds of nodes.
const PLAIN: &str = "
language plain
syntax
  t ::= 0 | succ t | pred t | bad t
  v ⊆ t ::= 0 | succ v
  T ::= Nat | Bool
  E ::= [] | succ E | pred E | bad E
judgment ⊢ t : T
  ⊢ 0 : Nat  [T-Zero]

  ⊢ t : Nat               ⊢ t : Nat               ⊢ t : Bool
  -------------- T-Succ   -------------- T-Pred   ------------- T-Bad
  ⊢ succ t : Nat          ⊢ pred t : Nat          ⊢ bad t : Nat
reduction t --> t' in E
  pred 0 --> 0  [E-Pred0]    pred (succ v) --> v  [E-Pred]    bad v --> v  [E-Bad]
bounds t: size 5
check progress     : ⊢ t : T             =>  t is v  or  t steps
check preservation : ⊢ t : T,  t --> t'  =>  ⊢ t' : T
";

#[test]
fn rules_steps_and_alternatives() {
    never("plain", PLAIN, &["E-Bad", "E: bad E", "T-Bad", "t: bad t"], 2);
    let used = PLAIN.replace("⊢ t : Bool", "⊢ t : Nat ");
    never("plain-twin", &used, &[], 0);
}

/// The same with a let: bodies are judged once per type, and the encoding asks small programs only.
#[test]
fn where_contexts_multiply() {
    let with_let = PLAIN
        .replace("language plain\n", "language lets\nvar x\n")
        .replace("| bad t\n", "| bad t | x | let x = t1 in t2 {bind x in t2}\n")
        .replace("| bad E\n", "| bad E | let x = E in t\n")
        .replace("judgment ⊢ t : T", "env Γ ::= · | Γ, x:T\njudgment Γ ⊢ t : T")
        .replace(" ⊢ 0 : Nat  [T-Zero]", " Γ ⊢ 0 : Nat  [T-Zero]\n\n  Γ ⊢ t1 : T1   Γ, x:T1 ⊢ t2 : T2\n  ------------------------------- T-Let\n  Γ ⊢ let x = t1 in t2 : T2\n\n  x:T ∈ Γ\n  --------- T-Var\n  Γ ⊢ x : T")
        .replace("  ⊢ t : Nat               ⊢ t : Nat               ⊢ t : Bool", "  Γ ⊢ t : Nat             Γ ⊢ t : Nat             Γ ⊢ t : Bool")
        .replace("  -------------- T-Succ   -------------- T-Pred   ------------- T-Bad", "  ---------------- T-Succ ---------------- T-Pred ---------------- T-Bad")
        .replace("  ⊢ succ t : Nat          ⊢ pred t : Nat          ⊢ bad t : Nat", "  Γ ⊢ succ t : Nat        Γ ⊢ pred t : Nat        Γ ⊢ bad t : Nat")
        .replace("bad v --> v  [E-Bad]", "bad v --> v  [E-Bad]    let x = v in t --> t[v/x]  [E-Let]")
        .replace(": ⊢ t : T ", ": · ⊢ t : T ")
        .replace(": ⊢ t : T,", ": · ⊢ t : T,")
        .replace("=>  ⊢ t' : T", "=>  · ⊢ t' : T");
    never("lets", &with_let, &["E-Bad", "E: bad E", "T-Bad", "t: bad t"], 2);
    never("lets-twin", &with_let.replace("Γ ⊢ t : Bool", "Γ ⊢ t : Nat "), &[], 0);
    // Not all are enumerated beside the encoding: then the table says up to which size none was found, and V1 warns.
    let many = with_let.replace("t: size 5", "t: 4095 nodes");
    let ran = glassbox(&["check", &write("lets-many", &many)]);
    assert!(ran.stdout.contains("T-Bad   not used up to size "), "{}", ran.stdout);
    let warning = "warning[V1]: the rule T-Bad is not used by any program up to size ";
    assert!(ran.stderr.contains(warning), "{}{}", ran.stdout, ran.stderr);
}

/// With types to be inferred.
#[test]
fn where_types_are_inferred() {
    const INFER: &str = "
language inferred
var x
syntax
  t ::= x | 0 | bad t | λ x. t {bind x in t, infer} | t t {left}
  v ⊆ t ::= 0 | λ x. t
  T ::= Nat | Bool | T -> T {right}
  E ::= [] | E t | v E | bad E
env Γ ::= · | Γ, x:T
judgment Γ ⊢ t : T
  Γ ⊢ 0 : Nat  [T-Zero]

  x:T ∈ Γ          Γ, x:T1 ⊢ t : T2              Γ ⊢ t1 : T1 -> T2   Γ ⊢ t2 : T1         · ⊢ t : Bool
  --------- T-x    --------------------- T-Lam   ------------------------------- T-App   --------------- T-Bad
  Γ ⊢ x : T        Γ ⊢ λ x. t : T1 -> T2         Γ ⊢ t1 t2 : T2                          Γ ⊢ bad t : Nat
reduction t --> t' in E
  (λ x. t) v --> t[v/x]  [E-Beta]    bad v --> 0  [E-Bad]
bounds t: size 7   T: size 3
check progress     : · ⊢ t : T             =>  t is v  or  t steps
check preservation : · ⊢ t : T,  t --> t'  =>  · ⊢ t' : T
";
    never("infer", INFER, &["E-Bad", "E: bad E", "T-Bad", "t: bad t"], 2);
    never("infer-twin", &INFER.replace("· ⊢ t : Bool", "· ⊢ t : Nat "), &[], 0);
}

/// A rule that has instances, but of no program that the check speaks of.
#[test]
fn instances_that_no_checked_program_uses() {
    const PAIRS: &str = "
language pairs
syntax
  t ::= 0 | succ t | '{' t , t '}' | fst t
  v ⊆ t ::= 0 | succ v | '{' v , v '}'
  T ::= Nat | Pair
judgment ⊢ t : T
  ⊢ 0 : Nat  [T-Zero]

  ⊢ t : Nat               ⊢ t1 : Nat   ⊢ t2 : Nat            ⊢ t : Nat
  -------------- T-Succ   ----------------------- T-Pair     ------------- T-Fst
  ⊢ succ t : Nat          ⊢ { t1 , t2 } : Pair               ⊢ fst t : Nat
reduction t --> t'
  fst 0 --> 0  [E-Fst0]    fst (succ v) --> v  [E-Fst]
bounds t: size 5
check preservation : ⊢ t : Nat,  t --> t'  =>  ⊢ t' : Nat
";
    never("pairs", PAIRS, &["T-Pair", "t: '{' t , t '}'", "v: '{' v , v '}'"], 2);
    let twin = PAIRS.replace("⊢ t : Nat\n  -------------- T-Succ", "⊢ t : Pair\n  -------------- T-Succ");
    let twin = twin
        .replace("⊢ t1 : Nat   ⊢ t2 : Nat            ⊢ t : Nat\n", "⊢ t1 : Nat   ⊢ t2 : Nat            ⊢ t : Pair\n");
    let twin = twin.replace("fst 0 --> 0  [E-Fst0]    fst (succ v) --> v  [E-Fst]", "fst { v1 , v2 } --> v1  [E-Fst]");
    never("pairs-twin", &twin, &[], 0);
}

/// An alternative of contexts that only large programs use: many smaller ones do not.
#[test]
fn contexts_that_are_used_late() {
    const LATE: &str = "
language late
syntax
  t ::= a | b | c | d | s t | g t t | h t t t t
  v ⊆ t ::= a | b | c | d | s v | g v v
  E ::= [] | s E | g E t | g v E | h v v v E
judgment ⊢ t ok
  ⊢ a ok  [O-a]    ⊢ b ok  [O-b]    ⊢ c ok  [O-c]    ⊢ d ok  [O-d]

  ⊢ t ok            ⊢ t1 ok   ⊢ t2 ok          ⊢ t ok
  --------- O-s     ----------------- O-g      ------------------ O-h
  ⊢ s t ok          ⊢ g t1 t2 ok               ⊢ h a a a t ok
reduction t --> t' in E
  h v1 v2 v3 v --> v  [R]
bounds t: size 10
check preservation : ⊢ t ok,  t --> t'  =>  ⊢ t' ok
";
    never("late", &LATE.replace("size 10", "size 9"), &[], 0);
}

/// A check that no program is about is `unknown`; one about steps that no program takes is an error.
#[test]
fn checks_of_nothing() {
    let text = PLAIN.replace("check progress     : ⊢ t : T ", "check progress     : ⊢ t : Bool ");
    let text = text.replace("⊢ t : T,  t --> t'  =>  ⊢ t' : T", "⊢ t : Bool,  t --> t'  =>  ⊢ t' : Bool");
    let file = write("nothing", &text);
    for engine in ["auto", "exhaustive"] {
        let ran = glassbox(&["check", &file, "--engine", engine]);
        assert_eq!(ran.status, 3, "{engine}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout.matches("nothing was checked").count(), 2, "{engine}: {}", ran.stdout);
    }
    // All steps may be unused, but then no step was checked.
    let text = PLAIN.replace("[E-Bad]", "[E-Bad] {unused ok}").replace("T-Bad\n", "T-Bad {unused ok}\n");
    let text = text.replace("pred 0 --> 0  [E-Pred0]    pred (succ v) --> v  [E-Pred]    ", "");
    let text = text.replace("t is v  or  t steps", "⊢ t : T  or  t steps");
    let text: String =
        text.lines().filter(|l| !l.starts_with("check preservation")).map(|l| format!("{l}\n")).collect();
    let file = write("no-steps", &text);
    for engine in ["auto", "exhaustive"] {
        let ran = glassbox(&["check", &file, "--engine", engine]);
        assert_eq!(ran.status, 2, "{engine}: {}{}", ran.stdout, ran.stderr);
        let message = "error[V1]: no program that progress is about takes a step: nothing about steps was checked";
        assert!(ran.stderr.contains(message), "{engine}: {}{}", ran.stdout, ran.stderr);
    }
}

/// A state that the check puts together is shown, and so is what its steps are shown by.
#[test]
fn states_of_several_parts() {
    let text = "language machine\nsyntax\n  p ::= end | push p\n  s ::= nil | one s\n  W ::= <<p, s>>\njudgment ⊢ W ok\n  \
                ⊢ <<p, s>> ok  [Ok]\nreduction W --> W'\n  <<push p, s>> --> <<p, one s>>  [Push]\nbounds p: size 3   s: size 2\n\
                check progress : ⊢ <<p, s>> ok  =>  p = end  or  <<p, s>> steps\n";
    never("machine", text, &[], 0);
    let ran = glassbox(&["check", &write("machine", text)]);
    for shown in ["  Push  push end, nil", "  Ok    end, nil", "  W: <<p, s>>  <<end, nil>>"] {
        assert!(ran.stdout.lines().any(|line| line == shown), "{}", ran.stdout);
    }
}
