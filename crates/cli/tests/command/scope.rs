//! `{escape ok}`: a rule derives nothing in which a variable has left the scope of its binder, the report says so, and the mark turns it off.

use crate::glassbox;
use serde_json::Value;

/// A type abstraction that keeps the type of its body: X may occur in it.
const ABSTRACTIONS: &str = "
language abstractions
var x X
syntax
  t ::= x | true | t '[' T ']' | λ x:T. t {bind x in t} | Λ X. t {bind X in t}
  T ::= X | Bool | T -> T {right}
  v ⊆ t ::= true | λ x:T. t | Λ X. t
env Γ ::= · | Γ, x:T | Γ, X
judgment Γ ⊢ t : T
  Γ ⊢ true : Bool  [T-True]

  x:T ∈ Γ            Γ, x:T1 ⊢ t : T2
  --------- T-Var    ------------------------ T-Abs
  Γ ⊢ x : T          Γ ⊢ λ x:T1. t : T1 -> T2

  Γ, X ⊢ t : T            Γ ⊢ t : T
  --------------- T-TAbs  -------------- T-TApp
  Γ ⊢ Λ X. t : T          Γ ⊢ t [_] : T
reduction t --> t'
  (Λ X. t) [T] --> t[T/X]  [E-TBeta]
bounds t: size 6   T: size 1
check preservation : · ⊢ t : T,  t --> t'  =>  · ⊢ t' : T
check values       : · ⊢ t : T             =>  t is v  or  t steps
check typed        : · ⊢ t : T,  t --> t'  =>  exists T'. · ⊢ t' : T'
";

fn checks(name: &str, text: &str, arguments: &[&str]) -> Vec<(Value, Value, Value)> {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.lang"));
    std::fs::write(&file, text).expect("a file");
    let ran = glassbox(&[&["check", &file.display().to_string(), "--json"], arguments].concat());
    let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr));
    let part = |check: &Value| (check["verdict"].clone(), check["smallest_size"].clone(), check["notes"].clone());
    crate::items(&json).iter().map(part).collect()
}

#[test]
fn variables_that_leave_their_scope() {
    let note = "T-TAbs derives nothing in which a variable has left its scope; to allow that, mark a rule {escape ok}";
    let allowed = ABSTRACTIONS.replace("--- T-TAbs  --", "--- T-TAbs {escape ok}  --");
    let allowed =
        allowed.replace("Γ, X ⊢ t : T            Γ ⊢ t : T", "Γ, X ⊢ t : T                         Γ ⊢ t : T");
    let allowed = allowed.replace("Γ ⊢ Λ X. t : T          Γ", "Γ ⊢ Λ X. t : T                       Γ");
    for engine in ["auto", "exhaustive"] {
        let kept = checks("scope-kept", ABSTRACTIONS, &["--engine", engine]);
        let left = checks("scope-left", &allowed, &["--engine", engine]);
        let says = |notes: &Value| notes.as_array().is_some_and(|all| all.iter().any(|n| n == note));
        assert!(says(&kept[0].2) && says(&kept[2].2), "{engine}: {kept:?}");
        assert!(!left.iter().any(|(_, _, notes)| says(notes)), "{engine}: {left:?}");
        // (Λ X. λ x:X. x) [Bool] : X -> X, and the step puts Bool for X.
        assert_eq!((&kept[0].0, &kept[0].1), (&"verified".into(), &Value::Null), "{engine}");
        assert_eq!((&left[0].0, &left[0].1), (&"violated".into(), &6.into()), "{engine}");
        // true [Bool] is stuck, and what is typed stays so: in both.
        for told in [&kept, &left] {
            assert_eq!((&told[1].0, &told[1].1), (&"violated".into(), &3.into()), "{engine}");
            assert_eq!(told[2].0, "verified", "{engine}");
        }
    }
}
