//! Every limit of the engines that decide languages, as a user meets it: `unknown` with how far the check got, the rule and the knob, in the
//! text and in the JSON; never an error, never a verdict. And that the knob works: with the bounds that are proposed there is a verdict.

use crate::{Ran, glassbox};
use serde_json::Value;

/// Writes a definition and checks it.
fn checked(name: &str, text: &str, arguments: &[&str]) -> Ran {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("limit-{name}.lang"));
    std::fs::write(&file, text).expect("a file");
    glassbox(&[&["check", &file.display().to_string()], arguments].concat())
}

fn first_check(name: &str, text: &str, arguments: &[&str]) -> Value {
    let ran = checked(name, text, &[&["--json"], arguments].concat());
    let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr));
    assert_eq!(json["errors"], Value::Array(Vec::new()), "{name}");
    crate::items(&json)[0].clone()
}

/// The first check of a definition is cut at a size for a reason, with some help; in text and JSON, and with every engine.
fn cut(name: &str, text: &str, below: u32, cut: &str, help: &str) {
    for engine in ["auto", "exhaustive"] {
        let check = first_check(name, text, &["--engine", engine]);
        let reason = &check["reasons"][0];
        assert_eq!(check["verdict"], "unknown", "{name}, {engine}: {check}");
        assert_eq!(reason["code"], "partly", "{name}, {engine}: {check}");
        assert_eq!(reason["below"], below, "{name}, {engine}: {check}");
        assert_eq!(reason["cut"], cut, "{name}, {engine}");
        assert_eq!(reason["help"], help, "{name}, {engine}");
        let ran = checked(name, text, &["--engine", engine]);
        assert_eq!(ran.status, 3, "{name}, {engine}: {}{}", ran.stdout, ran.stderr);
        let message = format!("{cut}. For a verdict: {help}");
        assert!(ran.stdout.contains(&message), "{name}, {engine}: {message}\n{}", ran.stdout);
        assert!(!ran.stderr.contains("error"), "{name}, {engine}: {}", ran.stderr);
    }
}

/// With other bounds, a verdict.
fn with_bounds(name: &str, text: &str, bounds: &str, verdict: &str) {
    let ran = checked(name, text, &["--json", "--bounds", bounds]);
    let check = crate::items(&crate::object(&ran))[0].clone();
    assert_eq!(check["verdict"], verdict, "{name} {bounds}: {check}");
}

/// Programs that are enumerated, since a premise calls a function, in a bound that is not one of size.
const MANY: &str = "
language many
syntax
  t ::= a | b | p t t
fun same(t) : t
  same(t) = t
judgment ⊢ t ok
  ⊢ a ok  [O-a]    ⊢ b ok  [O-b]

  ⊢ t1 ok   ⊢ t2 ok   t1 = same(t1)
  ------------------------------- O-p
  ⊢ p t1 t2 ok
bounds t: 127 nodes
check all : ⊢ t ok => ⊢ same(t) ok
";

#[test]
fn too_many_programs() {
    cut("many", MANY, 13, "there are too many programs", "bounds t: size 12 (or the option --bounds 't: size 12')");
}

/// Evaluation that does not end: each question is about a larger program.
const DEEP: &str = "
language deep
syntax
  t ::= a | s t | loop t
  v ⊆ t ::= a | s v
judgment t ⇓ v
  v ⇓ v  [B-v]

  loop (s t) ⇓ v
  -------------- B-loop
  loop t ⇓ v
bounds t: size 4
check values : t ⇓ v => t is v
";

#[test]
fn premises_within_premises() {
    let what = "B-loop asks for t ⇓ v more than 4000 premises deep";
    let help = "bounds t: size 1 (or the option --bounds 't: size 1'), or make what each premise of B-loop asks smaller than its conclusion";
    cut("deep", DEEP, 2, what, help);
    with_bounds("deep", DEEP, "t: size 1", "verified");
}

/// Two types are left free: all pairs.
fn pairs(depth: u32) -> String {
    format!(
        "
language pairs
syntax
  t ::= a | s t
  v ⊆ t ::= a
  T ::= A | B | T -> T {{right}}
judgment ⊢ t : T ; T'
  ⊢ a : T ; T'  [P-a]
fun same(t) : t
  same(t) = t
bounds t: size 2   T: size {depth}
check values : ⊢ same(t) : T ; T' => t is v
"
    )
}

#[test]
fn answers_and_instances() {
    let knob = |size: u32| format!("bounds T: size {size} (or the option --bounds 'T: size {size}')");
    // 2, 4, 16, 80: 2 + 4 + 16 + 80 + 448 types up to size 9.
    let what = "⊢ t : T ; T' holds in more than 100000 ways of one program, by P-a";
    cut("answers", &pairs(9), 0, what, &knob(8));
    with_bounds("answers", &pairs(9), "T: size 5", "verified");
    let what = "P-a has more than 400000 instances for one program";
    cut("instances", &pairs(11), 0, what, &knob(10));
}

/// A step that makes a number without end.
const TALL: &str = "
language tall
syntax
  t ::= num n | up n
  n ::= z | s n
judgment n up n'
  n up n  [U-z]

  s n up n2
  --------- U-s
  n up n2
judgment ⊢ t ok
  ⊢ num n ok  [O-n]    ⊢ up n ok  [O-u]
reduction t --> t'
  n up n2
  ---------------- up
  up n --> num n2
bounds t: size 3   n: size 2
check preservation : ⊢ t ok,  t --> t'  =>  ⊢ t' ok
";

#[test]
fn types_without_end_in_a_step() {
    let what = "U-s makes types that are more than 68 levels tall";
    let help = "make what each premise of U-s asks smaller than its conclusion";
    cut("tall", TALL, 2, what, &format!("bounds t: size 1 (or the option --bounds 't: size 1'), or {help}"));
}

/// The same where programs are typed: there is an end within the bound of types, and the verdict says so.
const BOXES: &str = "
language boxes
syntax
  t ::= a | s t | id t
  v ⊆ t ::= a | s v
  T ::= A | Box T
judgment T <: T'
  T <: Box T  [S-Box]

  T1 <: T2   T2 <: T3
  ------------------- S-Trans
  T1 <: T3
judgment ⊢ t : T
  ⊢ a : A  [T-a]

  ⊢ t : T          ⊢ t : T           ⊢ t : T   T <: T'
  ----------- T-s  ------------ T-id ----------------- T-Sub
  ⊢ s t : T        ⊢ id t : T        ⊢ t : T'
reduction t --> t'
  id v --> v  [E-id]
bounds t: 15 nodes   T: depth 3
check preservation : ⊢ t : T,  t --> t'  =>  ⊢ t' : T
";

#[test]
fn types_without_end_in_a_derivation() {
    for engine in ["auto", "exhaustive"] {
        let check = first_check("boxes", BOXES, &["--engine", engine]);
        assert_eq!(check["verdict"], "verified", "{engine}: {check}");
        assert_eq!(check["covered"]["types"]["bounds"], "T: depth 3", "{engine}: {check}");
        let ran = checked("boxes", BOXES, &["--engine", engine]);
        assert!(ran.stdout.contains("holds for types within T: depth 3"), "{engine}: {}", ran.stdout);
    }
    // The twin: what has a large type does not keep it.
    let broken = BOXES.replace("id v --> v  [E-id]", "id v --> s b  [E-id]").replace("t ::= a |", "t ::= a | b |");
    for engine in ["auto", "exhaustive"] {
        let check = first_check("boxes-broken", &broken, &["--engine", engine]);
        assert_eq!((&check["verdict"], &check["smallest_size"]), (&"violated".into(), &2.into()), "{engine}: {check}");
    }
}

const CALLS: &str = "
language calls
syntax
  t ::= a | s t
fun far(t) : t
  far(a) = a
  far(s t) = far(s (s t))
judgment ⊢ t ok
  ⊢ a ok  [O-a]

  ⊢ t ok
  -------- O-s
  ⊢ s t ok
bounds t: size 3
check ends : ⊢ t ok => ⊢ far(t) ok
";

#[test]
fn calls_within_calls() {
    let help = "bounds t: size 1 (or the option --bounds 't: size 1'), or call far on a smaller argument each time";
    cut("calls", CALLS, 2, "calls of far go more than 2000 deep", help);
    with_bounds("calls", CALLS, "t: size 1", "verified");
}

/// A call that comes upon itself has no end for certain: that is a mistake in the definition.
#[test]
fn a_function_that_never_ends() {
    let text = CALLS.replace("far(s (s t))", "far(s t)");
    let ran = checked("endless", &text, &[]);
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("error[X1]: the function far does not end"), "{}", ran.stderr);
}

const MAPS: &str = "
language maps
atom x
syntax
  t ::= x | a
  v ⊆ t ::= a
  T ::= A | B | C | D | T -> T {right}
env Γ ::= · | Γ, x:T
fun same(t) : t
  same(t) = t
judgment Γ ⊢ t : T
  Γ ⊢ a : A  [T-a]

  x:T ∈ Γ
  --------- T-x
  Γ ⊢ x : T
bounds t: size 1   x: 9   T: depth 2
check typed : Γ ⊢ same(t) : T => Γ ⊢ t : T
";

#[test]
fn too_many_maps() {
    let help = "bounds x: 8 (or the option --bounds 'x: 8')";
    cut("maps", MAPS, 0, "there are more than 500000 Γ to look at", help);
    with_bounds("maps", MAPS, "x: 2", "verified");
}

const EXPLODES: &str = "
language explodes
var x
syntax
  t ::= x | unit | λ x:T. t {bind x in t}
  T ::= Unit | T -> T {right}
  v ⊆ t ::= unit | λ x:T. t
env Γ ::= · | Γ, x:T
judgment Γ ⊢ t : T
  Γ ⊢ unit : Unit  [T-Unit]

  x:T ∈ Γ          Γ, x:T1 ⊢ t : T2
  --------- T-x    ------------------------ T-Lam
  Γ ⊢ x : T        Γ ⊢ λ x:T1. t : T1 -> T2
bounds t: 7 nodes   T: depth 6
check values : · ⊢ t : T => t is v
";

#[test]
fn types_that_explode() {
    let help = "bounds T: depth 5 (or the option --bounds 'T: depth 5')";
    cut("explodes", EXPLODES, 0, "T has more than 20000 members of depth 6", help);
    with_bounds("explodes", EXPLODES, "T: depth 3", "verified");
}

/// Types that rules only take apart stay within their bound: the verdict speaks of all of them. Types that a rule puts together do not.
#[test]
fn what_was_covered() {
    const ANNOTATED: &str = "
language annotated
syntax
  t ::= c T | unbox t | id t
  T ::= A | Box T
  v ⊆ t ::= c T
judgment ⊢ t : T
  ⊢ c T : T  [T-c]

  ⊢ t : Box T           ⊢ t : T
  ------------- T-un    ---------- T-id
  ⊢ unbox t : T         ⊢ id t : T
reduction t --> t'
  unbox (c (Box T)) --> c T  [E-un]    id v --> v  [E-id]
bounds t: 63 nodes   T: depth 3
check preservation : ⊢ t : T,  t --> t'  =>  ⊢ t' : T
";
    let check = first_check("annotated", ANNOTATED, &[]);
    assert_eq!((&check["verdict"], &check["covered"]["types"]), (&"verified".into(), &Value::Null), "{check}");
    let boxes =
        ANNOTATED.replace("T-id\n  ⊢ unbox t : T         ⊢ id t : T", "T-id\n  ⊢ unbox t : T         ⊢ id t : Box T");
    let boxes = boxes.replace(
        "⊢ t : T\n  ------------- T-un    ---------- T-id",
        "⊢ t : T\n  ------------- T-un    -------------- T-id",
    );
    let boxes = boxes.replace("id v --> v  [E-id]", "id (c T) --> c (Box T)  [E-id]");
    // Here a step does it: then all programs are enumerated.
    let check = first_check("boxes-in-steps", &boxes, &["--bounds", "t: size 7"]);
    assert_eq!((&check["verdict"], &check["covered"]["types"]), (&"verified".into(), &Value::Null), "{check}");
    assert_eq!(check["engine"], "enumeration", "{check}");
    let boxes = boxes.replace("id (c T) --> c (Box T)  [E-id]", "unbox (id v) --> v  [E-id]");
    let check = first_check("boxes-built", &boxes, &[]);
    assert_eq!(
        (&check["verdict"], &check["covered"]["types"]["bounds"]),
        (&"verified".into(), &"T: depth 3".into()),
        "{check}"
    );
    // Pairs alone have odd sizes: that there is no type of the next one does not make three all there is.
    let file = "examples/lang/sums-products.lang";
    let ran = glassbox(&["check", file, "--language", "sums-products", "--check", "progress"]);
    assert!(ran.stdout.contains("holds for types within T: size 3 (all types below size "), "{}", ran.stdout);
}

/// Without programs, the size is that of the types, with every engine.
#[test]
fn sizes_of_types() {
    let text = include_str!("../../../lang/tests/definitions/grow.lang");
    for engine in ["auto", "exhaustive"] {
        let ran = checked("refl", text, &["--engine", engine, "--check", "refl", "--json"]);
        assert_eq!(crate::items(&crate::object(&ran))[0]["smallest_size"], 4, "{engine}: {}", ran.stdout);
    }
}
