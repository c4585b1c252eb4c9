//! Types unified and types taken from the domain: the same verdicts, smallest sizes and numbers of programs.

use lang::enumerate::{Limits, Outcome, run_check};
use lang::mutate::mutants;
use lang::syntax::{self, read_bounds};
use lang::{Check, Lang};
use source::FileId;

fn languages(text: &str) -> Vec<Lang> {
    let file = syntax::parse(text, FileId(0));
    assert!(!file.has_errors(), "{:?}", file.diagnostics);
    file.languages.into_iter().flatten().collect()
}

fn example(name: &str) -> Vec<Lang> {
    let path = format!("{}/../../examples/lang/{name}.lang", env!("CARGO_MANIFEST_DIR"));
    languages(&std::fs::read_to_string(path).expect("an example"))
}

fn with_bounds(lang: &Lang, check: &Check, bounds: &str) -> Check {
    let mut check = check.clone();
    check.bounds = read_bounds(lang, bounds, FileId(0)).expect("bounds");
    check
}

/// The verdict with its size, and how many programs of each size are well typed.
fn run(lang: &Lang, check: &Check, size: u32, unify: bool) -> (String, Vec<u64>) {
    let limits = Limits { unify, ..Limits::size(size) };
    run_check(lang, check, &limits, |_, report| {
        assert_eq!(report.is_inferred, unify, "{} {}", lang.name, check.name);
        let verdict = match report.outcome {
            Outcome::Fails(failure) => format!("fails {}", failure.size),
            other => format!("{other:?}"),
        };
        (verdict, report.terms)
    })
    .unwrap_or_else(|fault| panic!("{} {}: {fault:?}", lang.name, check.name))
}

fn agree(lang: &Lang, size: u32, bounds: &str) -> Vec<String> {
    let mut verdicts = Vec::new();
    for check in &lang.checks {
        let check = with_bounds(lang, check, bounds);
        let (unified, bounded) = (run(lang, &check, size, true), run(lang, &check, size, false));
        assert_eq!(unified.0, bounded.0, "{} {}", lang.name, check.name);
        verdicts.push(format!("{} {}: {}", lang.name, check.name, unified.0));
    }
    verdicts
}

/// As many programs of each size have a type: those of the first premise alone, as which stores go with them is another question.
fn counts_agree(lang: &Lang, size: u32, bounds: &str) {
    let mut typed = with_bounds(lang, &lang.checks[0], bounds);
    typed.premises.truncate(1);
    typed.conclusions = vec![Vec::new()];
    assert_eq!(run(lang, &typed, size, true), run(lang, &typed, size, false), "{}", lang.name);
}

#[test]
fn let_polymorphism() {
    for (number, lang) in example("let-poly").iter().enumerate() {
        agree(lang, 3, "v: size 2   T: size 4   l: 1");
        // Types within a program may be larger than those of programs: fewer would not do.
        if number % 3 == 0 {
            counts_agree(lang, 3, "v: size 2   T: size 6   l: 1");
        }
    }
}

#[test]
fn mutants_of_let_polymorphism() {
    let lang = &example("let-poly")[0];
    let mut broken = 0;
    let all = mutants(lang);
    for mutant in &all {
        let verdicts = agree(&mutant.lang, 3, "v: size 2   T: size 4   l: 1");
        broken += usize::from(verdicts.iter().any(|v| v.contains("fails")));
    }
    assert!(all.len() >= 40 && broken >= 20, "{} mutants, {broken} broken", all.len());
}

const CURRY: &str = "
language curry
var x
int n
syntax
  t ::= x | n | add t t | λ x. t {bind x in t, infer} | t t {left} | if t then t else t
  T ::= Int | T -> T {right}
  v ::= n | λ x. t
  E ::= [] | add E t | add v E | E t | v E | if E then t else t
env Γ ::= · | Γ, x:T
judgment Γ ⊢ t : T
  Γ ⊢ n : Int  [T-Int]

  x:T ∈ Γ            Γ, x:T1 ⊢ t : T2              Γ ⊢ t1 : T1 -> T2   Γ ⊢ t2 : T1
  --------- T-Var    --------------------- T-Lam   ------------------------------- T-App
  Γ ⊢ x : T          Γ ⊢ λ x. t : T1 -> T2         Γ ⊢ t1 t2 : T2

  Γ ⊢ t1 : Int   Γ ⊢ t2 : Int           Γ ⊢ t1 : Int   Γ ⊢ t2 : T   Γ ⊢ t3 : T   T = T
  --------------------------- T-Add     ---------------------------------------------- T-If
  Γ ⊢ add t1 t2 : Int                   Γ ⊢ if t1 then t2 else t3 : T
reduction t --> t'  in E
  (λ x. t) v --> t[v/x]  [beta]
  if 0 then t2 else t3 --> t2  [if-zero]

  where n = n1 + n2          n ≠ 0
  -------------------- add   ------------------------------ if-else
  add n1 n2 --> n            if n then t2 else t3 --> t3
bounds t: size 5   T: depth 3   n: 0..1
check progress     : · ⊢ t : T             =>  t is v  or  t steps
check preservation : · ⊢ t : T,  t --> t'  =>  · ⊢ t' : T
check unique       : · ⊢ t : T1,  · ⊢ t : T2  =>  T1 = T2
";

#[test]
fn functions_without_annotations() {
    let lang = &languages(CURRY)[0];
    counts_agree(lang, 4, "T: size 7   n: 0..1");
    let verdicts = agree(lang, 4, "T: size 7   n: 0..1");
    // The function that gives back its argument has many types.
    assert_eq!(verdicts, ["curry progress: Holds", "curry preservation: Holds", "curry unique: fails 2"]);
    for mut mutant in mutants(lang) {
        // Whether types are unique hangs on types that the domain does not have.
        mutant.lang.checks.truncate(2);
        agree(&mutant.lang, 4, "T: size 7   n: 0..0");
    }
}

#[test]
fn the_value_restriction() {
    let lang = &example("let-poly")[1];
    // With stores of one value, to be quick.
    let check = with_bounds(lang, &lang.checks[1], "t: size 8   v: size 1   T: size 2   l: 1");
    assert_eq!(run(lang, &check, 8, true).0, "fails 8");
}
