//! The encoding against the papers' tables, against definitions with seeded bugs, and against the enumerator.

mod agreement;
mod bugs;
mod carried;
mod counts;
mod examples;
mod extension;
mod layers;
mod limits;
mod renaming;
mod tables;
mod untyped;

// For its allocator.
use lang::Lang;
use lang::interp::{Interp, Reading};
use soundness::{Options, Outcome, Tier};
use test_kit as _;

pub const ARITH: &str = include_str!("../../../lang/tests/definitions/arith.lang");
pub const STLC: &str = include_str!("../../../lang/tests/definitions/stlc.lang");
pub const SUB: &str = include_str!("../../../lang/tests/definitions/sub.lang");
pub const IMP: &str = include_str!("../../../lang/tests/definitions/imp.lang");
pub const REFS: &str = include_str!("../../../lang/tests/definitions/refs.lang");

pub fn languages(text: &str) -> Vec<Lang> {
    let file = lang::syntax::parse(text, source::FileId(0));
    assert!(!file.has_errors(), "{:?}", file.diagnostics);
    file.langs().cloned().collect()
}

pub fn with_bounds(language: &Lang, check: &str, bounds: &str) -> lang::Check {
    let mut check = language.checks.iter().find(|c| c.name == check).expect("a check").clone();
    check.bounds = lang::syntax::read_bounds(language, bounds, source::FileId(0)).expect("bounds");
    check
}

pub fn options(tier: Tier) -> Options {
    Options { tier, verdict_only: true, ..Options::default() }
}

/// "holds", "fails 7", "not carried"; a counterexample's premises are derived again by the interpreter.
pub fn verdict(language: &Lang, check: &lang::Check, options: &Options) -> String {
    work::on_large_stack(|| verdict_here(language, check, options))
}

fn verdict_here(language: &Lang, check: &lang::Check, options: &Options) -> String {
    let mut interp = Interp::new(language, Some(check), Reading::Open).expect("an interpreter");
    match soundness::check(&mut interp.terms, check, options) {
        Outcome::Holds(held) => {
            assert!(!options.certify || held.work.certified > 0 || held.work.queries == 0);
            "holds".into()
        }
        Outcome::Fails(failure) => {
            confirm(&mut interp, check, &failure.assignment);
            format!("fails {}", failure.size)
        }
        // The enumerator's verdict is the same.
        Outcome::Vacuous => "holds".into(),
        Outcome::NotCarried(_) => "not carried".into(),
        other => format!("{other:?}"),
    }
}

/// The premises that are judgments hold of the assignment.
pub fn confirm(interp: &mut Interp, check: &lang::Check, assignment: &[Option<lang::term::TermId>]) {
    for located in &check.premises {
        let lang::Premise::Judgment(judgment, forms) = &located.premise else { continue };
        if interp.lang.judgment(*judgment).reduction.is_some() {
            continue;
        }
        let args: Option<Vec<_>> =
            forms.iter().map(|f| lang::explain::ground(&mut interp.terms, f, assignment)).collect();
        let args = args.expect("values for all metavariables");
        let shown = lang::print::judgment(&interp.terms, *judgment, &args);
        assert!(interp.holds(*judgment, &args).expect("an answer"), "{}: {shown} is not derivable", check.name);
    }
}
