//! What "holds within bounds" means (docs/lang.md): small definitions in which a bound once limited what follows from the inputs, or in which
//! something was left out without a word. Each with its truth, found by trying everything by hand or by `glassbox run`.

use crate::glassbox;
use serde_json::Value;

const CASES: &str = "crates/cli/tests/lang-cases";

/// "holds", "fails 3", "unknown partly": one per check, by language and check.
fn verdicts(file: &str, arguments: &[&str]) -> Vec<String> {
    let ran = glassbox(&[&["check", file, "--json"], arguments].concat());
    let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr));
    let text = |check: &Value| {
        let verdict = match check["verdict"].as_str() {
            Some("verified") => "holds".to_string(),
            Some("violated") => format!("fails {}", check["smallest_size"]),
            _ => format!("unknown {}", check["reasons"][0]["code"].as_str().unwrap_or_default()),
        };
        format!("{} {}: {verdict}", check["subject"].as_str().unwrap_or("?"), check["name"].as_str().unwrap_or("?"))
    };
    crate::items(&json).iter().map(text).collect()
}

fn check(name: &str, expected: &[&str]) {
    let file = format!("{CASES}/{name}.lang");
    assert_eq!(verdicts(&file, &[]), expected, "{name}");
    assert_eq!(verdicts(&file, &["--engine", "exhaustive"]), expected, "{name}, all enumerated");
}

/// A file that is only here.
fn check_text(name: &str, text: &str, expected: &[&str]) {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.lang"));
    std::fs::write(&file, text).expect("a file");
    let file = file.display().to_string();
    assert_eq!(verdicts(&file, &[]), expected, "{name}");
    assert_eq!(verdicts(&file, &["--engine", "exhaustive"]), expected, "{name}, all enumerated");
}

/// A judgment whose output is larger than the bound of its sort loses no step.
#[test]
fn outputs_are_not_bounded() {
    let expected =
        ["dblt preservation: fails 4", "dblt det: holds", "dblt-1 preservation: fails 3", "dblt-1 det: fails 3"];
    check("dbl", &expected);
}

#[test]
fn entries_of_environments_are_not_bounded() {
    check("p", &["p preservation: fails 3"]);
}

#[test]
fn what_a_step_yields_is_no_input() {
    check("exp2", &["e expansion: fails 2"]);
    check("bind", &["bind k: fails 3"]);
}

/// An equation before the conclusion or a function in it: the same check.
#[test]
fn what_an_equation_fixes_is_no_input() {
    const GROW: &str = "
language grow
syntax
  t ::= a | f t
fun more(t) : t
  more(a) = f (f (f a))
  more(f t) = f more(t)
judgment ⊢ t ok
  ⊢ a ok  [O-a]    ⊢ f a ok  [O-1]    ⊢ f (f a) ok  [O-2]    ⊢ f (f (f a)) ok  [O-3]
reduction t --> t'
  f a --> a  [R]
bounds t: size 2
check equation : ⊢ t ok,  t' = more(t)  =>  ⊢ t' ok
check other    : ⊢ t ok,  more(t) = t'  =>  ⊢ t' ok
check call     : ⊢ t ok                 =>  ⊢ more(t) ok
check pattern  : ⊢ t ok,  more(t) = f t2,  ⊢ t2 ok  =>  t2 ≠ f (f a)
";
    let expected = ["grow equation: fails 2", "grow other: fails 2", "grow call: fails 2", "grow pattern: fails 1"];
    check_text("grow", GROW, &expected);
}

#[test]
fn both_steps_may_be_the_same() {
    check("two", &["two one: fails 1", "two two: fails 1"]);
}

/// The conclusion of two steps is asked in both orders.
#[test]
fn two_steps_in_both_orders() {
    const ORDER: &str = "
language order
syntax
  t ::= a | b | c
  v ⊆ t ::= b
reduction t --> t'
  a --> b  [R1]    a --> c  [R2]
bounds t: size 1
check first  : t --> t1,  t --> t2,  t2 is v  =>  t1 is v
check second : t --> t1,  t --> t2,  t1 is v  =>  t2 is v
check either : t --> t1,  t --> t2  =>  t1 = t2  or  t1 is v  or  t2 is v
check one    : t --> t1,  t --> t2  =>  t1 is v  or  t2 = c
check other  : t --> t1,  t --> t2  =>  t2 is v  or  t1 = c
";
    let expected = [
        "order first: fails 1",
        "order second: fails 1",
        "order either: holds",
        "order one: fails 1",
        "order other: fails 1",
    ];
    check_text("order", ORDER, &expected);
}

#[test]
fn an_error_satisfies_what_is_said_of_it() {
    check("er", &["er conv: fails 2", "er left: fails 2"]);
}

#[test]
fn entries_of_other_variables() {
    check("any", &["any preservation: fails 4"]);
}

#[test]
fn contracta_that_do_not_fit_the_hole() {
    check("mix", &["mix progress: fails 2"]);
}

#[test]
fn big_steps() {
    check("st", &["st typed: fails 1", "st isa: fails 1"]);
    check("m2", &["m2 all: holds", "m2 isa: fails 1"]);
}

#[test]
fn places_of_a_tree() {
    check("nod", &["nod short: holds"]);
}

#[test]
fn parts_that_no_premise_judges() {
    check("x4", &["q preservation: holds", "q two: unknown no-program"]);
    let file = format!("{CASES}/x4.lang");
    assert_eq!(verdicts(&file, &["--bounds", "t: size 7"]), ["q preservation: holds", "q two: holds"]);
}

#[test]
fn types_that_are_inferred() {
    check("infer", &["swap progress: fails 3"]);
}

/// Whatever is expected: a rule that no program uses is an error.
#[test]
fn nothing_is_checked_vacuously() {
    let ran = glassbox(&["check", &format!("{CASES}/vacuous.lang")]);
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("error[V1]: the rule T-Bad is never used"), "{}", ran.stderr);
    assert!(ran.stdout.contains("T-Bad  never used"), "{}", ran.stdout);
}
