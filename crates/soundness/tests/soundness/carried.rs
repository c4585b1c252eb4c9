//! What the encoding leaves to the enumerator is said, with the place.

use crate::*;

#[test]
fn rules_that_look_into_the_environment() {
    let text = format!("{STLC}\n{}", include_str!("../../../lang/tests/definitions/stlc-bugs.lang"));
    let language = languages(&text).into_iter().find(|l| l.name == "stlc-9").expect("stlc-9");
    let mut terms = lang::term::Terms::new(&language);
    let outcome = soundness::check(&mut terms, &language.checks[0], &Options::default());
    let Outcome::NotCarried(not_carried) = outcome else { panic!("{outcome:?}") };
    assert_eq!(not_carried.reason, "rule T-Var: its conclusion looks into the environment");
    assert!(not_carried.span.end > not_carried.span.start);
}

#[test]
fn types_that_explode() {
    let language = &languages(STLC)[0];
    let check = with_bounds(language, "progress", "t: 7 nodes   T: depth 5");
    let mut terms = lang::term::Terms::new(language);
    assert!(matches!(soundness::check(&mut terms, &check, &Options::default()), Outcome::Exploded(_)));
}

#[test]
fn a_limit_is_an_answer() {
    let language = &languages(STLC)[0];
    let mut terms = lang::term::Terms::new(language);
    let limits = sat::Limits::until(&work::Stop::after(std::time::Duration::ZERO));
    let outcome = soundness::check(&mut terms, &language.checks[0], &Options { limits, ..Options::default() });
    assert!(matches!(outcome, Outcome::Stopped), "{outcome:?}");
}

/// A step to an error, or to a state of another form, is not one to the form that a check asks for: then the check is about nothing, and
/// the encoding says so by itself.
#[test]
fn steps_elsewhere_are_no_steps() {
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
  ⟨ f v, σ ⟩ --> AFTER  [R11]
bounds c: size 3   e: size 2   v: size 2   x: 1
check c : ⟨ e, σ ⟩ --> ⟨ e', σ' ⟩ => e ≠ e'
";
    for (after, is_vacuous) in [("error", true), ("⟨ a, σ ⟩", false)] {
        let language = &languages(&text.replace("AFTER", after))[0];
        for verdict_only in [false, true] {
            let options = Options { verdict_only, ..Options::default() };
            let outcome = soundness::check(&mut lang::term::Terms::new(language), &language.checks[0], &options);
            assert_eq!(matches!(outcome, Outcome::Vacuous), is_vacuous, "{after} {verdict_only}: {outcome:?}");
            assert!(is_vacuous || matches!(outcome, Outcome::Holds(_)), "{after}: {outcome:?}");
        }
    }
}
