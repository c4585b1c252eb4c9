//! Compares with the enumerator, on a definition and its mutants, all programs up to a size:
//! `cargo run --release -p soundness --example compare -- FILE SIZE [every nth mutant]`.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use lang::enumerate::{self, Outcome as Enumerated};
use lang::term::Terms;
use lang::{Bound, Lang};
use soundness::{Options, Outcome, Tier};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&args[0]).expect("a file");
    let size: u32 = args[1].parse().expect("a size");
    let nth: usize = args.get(2).and_then(|n| n.parse().ok()).unwrap_or(1);
    let file = lang::syntax::parse(&text, source::FileId(0));
    let (mut same, mut differ, mut left) = (0, 0, 0);
    for language in file.langs() {
        let mut all: Vec<(String, Lang)> = vec![("as it is".into(), language.clone())];
        if nth > 0 {
            all.extend(lang::mutate::mutants(language).into_iter().step_by(nth).map(|m| (m.what, m.lang)));
        }
        for (what, mutant) in &all {
            for check in &mutant.checks {
                let mut check = check.clone();
                for meta in check.metas.clone() {
                    let sort = mutant.sort(meta.sort);
                    if sort.is_tree && matches!(sort.kind, lang::SortKind::Grammar { .. }) {
                        check.bounds.push((meta.sort, Bound::Size(size)));
                    }
                }
                let mut limits = enumerate::Limits::size(size);
                limits.halt.deadline = Some(std::time::Instant::now() + std::time::Duration::from_secs(20));
                let expected =
                    enumerate::run_check(mutant, &check, &limits, |_, report| (report.outcome, report.clipped));
                let mut answers = Vec::new();
                for tier in [Tier::Zero, Tier::One, Tier::Two] {
                    let mut terms = Terms::new(mutant);
                    let options = Options { tier, verdict_only: true, ..Options::default() };
                    let outcome = soundness::check(&mut terms, &check, &options);
                    answers.push(match outcome {
                        Outcome::Holds(_) => "holds".into(),
                        Outcome::Fails(f) => format!("fails {}", f.size),
                        Outcome::NotCarried(n) => format!("not carried: {}", n.reason),
                        other => format!("{other:?}"),
                    });
                }
                let (expected, clipped) = match expected {
                    Ok((Enumerated::Holds | Enumerated::Vacuous, c)) => ("holds".to_string(), c),
                    Ok((Enumerated::Fails(f), c)) => (format!("fails {}", f.size), c),
                    other => (format!("{other:?}"), 0),
                };
                let carried = !answers[0].starts_with("not carried");
                if !carried || expected.starts_with("Ok(") || expected.starts_with("Err(") {
                    left += 1;
                    println!("left: {} [{what}] {}: {} / {}", mutant.name, check.name, expected, answers[0]);
                } else if answers.iter().all(|a| *a == expected) {
                    same += 1;
                } else {
                    differ += 1;
                    println!(
                        "DIFFER: {} [{what}] {}: enumerator {expected} (clipped {clipped}), here {answers:?}",
                        mutant.name, check.name
                    );
                }
            }
        }
    }
    println!("{same} same, {differ} differ, {left} left out");
}
