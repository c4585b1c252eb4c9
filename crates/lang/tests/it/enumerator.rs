//! The enumerator decides the definitions of the corpus and their seeded bugs: verdicts, exact smallest sizes, counts.

use lang::enumerate::{Enumerator, Limits, Outcome, Report, run_check};
use lang::interp::{Fault, Interp, Reading};
use lang::term::{Term, TermId};
use lang::{Expected, JudgId, Lang, SortKind, print};
use source::{FileId, Severity};
use work::on_large_stack;

const ARITH: &str = include_str!("../definitions/arith.lang");
const STLC: &str = include_str!("../definitions/stlc.lang");
const SUB: &str = include_str!("../definitions/sub.lang");
const IMP: &str = include_str!("../definitions/imp.lang");
const REFS: &str = include_str!("../definitions/refs.lang");

fn languages(text: &str) -> Vec<Lang> {
    let file = lang::syntax::parse(text, FileId(0));
    let errors: Vec<_> = file.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    file.langs().cloned().collect()
}

fn bounded(mut lang: Lang, bounds: &str) -> Lang {
    if !bounds.is_empty() {
        lang.bounds.extend(lang::syntax::read_bounds(&lang, bounds, FileId(0)).expect("bounds"));
    }
    lang
}

fn verdict(enumerator: &Enumerator, lang: &Lang, check: &str, report: &Report) -> String {
    let check = lang.checks.iter().find(|c| c.name == check).expect("a check");
    match &report.outcome {
        Outcome::Holds => "holds".into(),
        Outcome::Vacuous => "vacuous".into(),
        Outcome::Stopped { size } => format!("stopped at size {size}"),
        Outcome::Fails(failure) => {
            let parts = check.metas.iter().zip(&failure.assignment).filter_map(|(meta, term)| {
                term.map(|term| format!("{} = {}", meta.name, print::term(&enumerator.interp.terms, term)))
            });
            format!("fails size {}: {}", failure.size, parts.collect::<Vec<_>>().join(", "))
        }
    }
}

fn run(lang: &Lang, check: &str, size: u32) -> (String, Report) {
    let found = lang.checks.iter().find(|c| c.name == check).expect("a check");
    let with = |limits: &Limits| {
        run_check(lang, found, limits, |enumerator, report| (verdict(enumerator, lang, check, &report), report))
    };
    // Where there is no end of types, those within the bound have the last word.
    let answer = match with(&Limits::size(size)) {
        Ok((_, report)) if report.cut.is_some() => with(&Limits::strict(size)),
        answer => answer,
    };
    answer.unwrap_or_else(|fault| panic!("{} {check}: {fault:?}", lang.name))
}

/// All `expect` lines of a file come out as they say.
fn check_expectations(base: &str, bugs: &str, bounds: &str, size: u32) {
    let mut wrong = Vec::new();
    for lang in languages(&format!("{base}\n{bugs}")) {
        let lang = bounded(lang, bounds);
        for expect in &lang.expects {
            let (found, _) = run(&lang, &expect.check, size);
            let expected = match expect.outcome {
                Expected::Holds => "holds".to_string(),
                Expected::Fails { size: None } => "fails".to_string(),
                Expected::Fails { size: Some(size) } => format!("fails size {size}:"),
            };
            if !found.starts_with(&expected) {
                wrong.push(format!("{} {}: expected {expected} found {found}", lang.name, expect.check));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn holds(text: &str, bounds: &str, size: u32) {
    for lang in languages(text) {
        let lang = bounded(lang, bounds);
        for check in &lang.checks {
            assert_eq!(run(&lang, &check.name, size).0, "holds", "{} {}", lang.name, check.name);
        }
    }
}

#[test]
fn definitions_of_the_reference_are_sound() {
    holds(ARITH, "", 7);
    holds(STLC, "", 13);
    holds(SUB, "", 7);
    holds(IMP, "x: 2", 5);
    holds(REFS, "", 6);
}

#[test]
fn well_typed_terms_per_size_are_those_of_the_independent_oracle() {
    let lang = bounded(languages(STLC).remove(0), "T: size 24");
    let (verdict, report) = run(&lang, "progress", 14);
    assert_eq!(verdict, "holds");
    assert_eq!(report.terms, [0, 6, 0, 4, 0, 6, 7, 12, 20, 33, 46, 87, 140, 233, 448]);
    assert_eq!(report.clipped_instances, []);
    assert!(report.coverage.rules.iter().all(Option::is_some));
}

#[test]
fn arith_variations() {
    check_expectations(ARITH, include_str!("../definitions/arith-bugs.lang"), "", 6);
}

#[test]
fn stlc_bugs_at_their_exact_sizes() {
    check_expectations(STLC, include_str!("../definitions/stlc-bugs.lang"), "", 15);
}

#[test]
fn subtyping_variations() {
    check_expectations(SUB, include_str!("../definitions/sub-bugs.lang"), "", 7);
}

#[test]
fn imp_bugs() {
    check_expectations(IMP, include_str!("../definitions/imp-bugs.lang"), "x: 2", 4);
}

#[test]
fn reference_bugs() {
    check_expectations(REFS, include_str!("../definitions/refs-bugs.lang"), "", 5);
}

#[test]
fn other_kinds_of_definitions() {
    for (text, size) in [
        (include_str!("../definitions/debruijn.lang"), 9),
        (include_str!("../definitions/congruence.lang"), 6),
        (include_str!("../definitions/data.lang"), 8),
        (include_str!("../definitions/systemf.lang"), 8),
        (include_str!("../definitions/grow.lang"), 5),
        (include_str!("../definitions/church.lang"), 5),
        (include_str!("../definitions/bidirectional.lang"), 6),
        (include_str!("../definitions/threads.lang"), 5),
        (include_str!("../definitions/intersection.lang"), 5),
        (include_str!("../definitions/negation.lang"), 6),
        (include_str!("../definitions/machine.lang"), 8),
    ] {
        check_expectations("", text, "", size);
    }
}

/// What is generated along the rules is what remains of all trees, and each once.
fn generates_exactly(text: &str, size: u32) {
    for lang in languages(text) {
        for judgment in 0..lang.judgments.len() as u32 {
            let declared = lang.judgment(JudgId(judgment));
            let Some(subject) = declared.subject.filter(|_| declared.reduction.is_none()) else { continue };
            let interp = Interp::new(&lang, None, Reading::Strict).expect("an interpreter");
            let mut enumerator = Enumerator::new(interp, None);
            let args: Vec<Option<TermId>> = declared
                .args
                .iter()
                .map(|sort| match lang.sort(*sort).kind {
                    SortKind::Env { empty, .. } => Some(enumerator.interp.terms.make(empty, [])),
                    _ => None,
                })
                .collect();
            for size in 0..=size {
                let mut generated = enumerator.generate(JudgId(judgment), &args, size).expect("subjects");
                let scope = lang.sorts.iter().filter(|s| s.kind == SortKind::Var).map(|_| 0).collect();
                let all = enumerator.raw(declared.args[subject], size, &scope).expect("trees");
                let mut typed = Vec::new();
                for tree in all.iter() {
                    let mut args = args.clone();
                    args[subject] = Some(*tree);
                    if !enumerator.interp.solve(JudgId(judgment), &args).expect("answers").is_empty() {
                        typed.push(*tree);
                    }
                }
                generated.sort();
                typed.sort();
                assert_eq!(generated, typed, "{} {} size {size}", lang.name, declared.text);
            }
        }
    }
}

#[test]
fn generation_agrees_with_trying_all_trees() {
    let bugs = |base: &str, bugs: &str| format!("{base}\n{bugs}");
    generates_exactly(&bugs(ARITH, include_str!("../definitions/arith-bugs.lang")), 5);
    generates_exactly(&bugs(STLC, include_str!("../definitions/stlc-bugs.lang")), 7);
    generates_exactly(&bugs(SUB, include_str!("../definitions/sub-bugs.lang")), 6);
    generates_exactly(&bugs(IMP, include_str!("../definitions/imp-bugs.lang")), 4);
    generates_exactly(&bugs(REFS, include_str!("../definitions/refs-bugs.lang")), 4);
}

/// Progress and preservation of a closed language, by trying every tree: the smallest size that breaks each.
fn brute(lang: &Lang, size: u32) -> Result<[Option<u32>; 2], Fault> {
    let mut enumerator = Enumerator::new(Interp::new(lang, None, Reading::Strict)?, None);
    let find = |name: &str| lang.sort_ids().find(|s| lang.sort(*s).name == name);
    let (tree, value) = (find("t").expect("t"), find("v").expect("v"));
    let typed = (0..lang.judgments.len() as u32).map(JudgId).find(|j| lang.judgment(*j).subject.is_some());
    let typed = typed.expect("typing");
    let reduction = (0..lang.judgments.len() as u32).map(JudgId).find(|j| lang.judgment(*j).reduction.is_some());
    let reduction = reduction.expect("a reduction");
    let mut found = [None, None];
    for size in 0..=size {
        let scope = lang.sorts.iter().filter(|s| s.kind == SortKind::Var).map(|_| 0).collect();
        for t in enumerator.raw(tree, size, &scope)?.iter() {
            let interp = &mut enumerator.interp;
            let args: Vec<Option<TermId>> = lang
                .judgment(typed)
                .args
                .iter()
                .map(|sort| match lang.sort(*sort).kind {
                    SortKind::Env { empty, .. } => Some(interp.terms.make(empty, [])),
                    _ => (*sort == tree).then_some(*t),
                })
                .collect();
            let types = interp.solve(typed, &args)?;
            if types.is_empty() {
                continue;
            }
            let steps = interp.steps(reduction, *t)?;
            if steps.is_empty() && !interp.terms.is_member(*t, value) && found[0].is_none() {
                found[0] = Some(size);
            }
            for (step, answer) in steps.iter().flat_map(|s| types.iter().map(move |a| (s, a))) {
                let args: Vec<TermId> = answer.iter().map(|a| if a == t { step.result } else { *a }).collect();
                let is_error = *interp.terms.get(step.result) == Term::Error;
                if found[1].is_none()
                    && !is_error
                    && !interp.holds(typed, &args)?
                    && !interp.in_reading(Reading::Open, |open| open.holds(typed, &args))?
                {
                    found[1] = Some(size);
                }
            }
        }
    }
    Ok(found)
}

#[test]
fn mutants_are_judged_as_by_trying_all_trees() {
    let (mut judged, mut broken) = (0, 0);
    for (text, bounds, size) in [(ARITH, "", 4), (STLC, "", 7), (SUB, "T: depth 2", 5)] {
        for mutant in lang::mutate::mutants(&bounded(languages(text).remove(0), bounds)) {
            let expected = on_large_stack(|| brute(&mutant.lang, size));
            for (i, name) in ["progress", "preservation"].into_iter().enumerate() {
                let check = mutant.lang.checks.iter().find(|c| c.name == name).expect("a check");
                let report = run_check(&mutant.lang, check, &Limits::size(size), |_, report| report);
                let found = match &report {
                    Ok(report) => Ok(match &report.outcome {
                        Outcome::Fails(failure) => Some(failure.size),
                        _ => None,
                    }),
                    Err(fault) => Err(fault.clone()),
                };
                assert_eq!(found, expected.clone().map(|e| e[i]), "{} {name}", mutant.what);
                judged += 1;
                broken += found.is_ok_and(|f| f.is_some()) as u32;
            }
        }
    }
    assert!(judged > 200 && broken > 50, "{judged} {broken}");
}
