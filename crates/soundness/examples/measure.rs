//! Runs the checks of a `.lang` file and prints what they answer and how long they take:
//! `cargo run --release -p soundness --example measure -- FILE [tier 0|1|2] [language] [check] [bounds of t]`.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use lang::term::Terms;
use soundness::{Options, Outcome, Tier};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&args[0]).expect("a file");
    let start = std::time::Instant::now();
    let file = lang::syntax::parse(&text, source::FileId(0));
    for d in &file.diagnostics {
        if file.has_errors() {
            println!("{d:?}");
        }
    }
    println!("parsed in {:.3} s", start.elapsed().as_secs_f64());
    let tier = match args.get(1).map(|s| s.as_str()) {
        Some("1") => Tier::One,
        Some("2") => Tier::Two,
        _ => Tier::Zero,
    };
    for language in file.langs() {
        if args.get(2).is_some_and(|n| n != "-" && *n != language.name) {
            continue;
        }
        for check in &language.checks {
            if args.get(3).is_some_and(|n| n != "-" && *n != check.name) {
                continue;
            }
            let mut check = check.clone();
            if let Some(n) = args.get(4).and_then(|n| n.parse().ok()) {
                let root = language.bounds[0].0;
                check.bounds = vec![(root, lang::Bound::Nodes(n))];
            }
            let start = std::time::Instant::now();
            let mut terms = Terms::new(language);
            let options =
                Options { tier, verdict_only: args.get(5).is_some_and(|v| v == "quick"), ..Options::default() };
            let outcome = soundness::check(&mut terms, &check, &options);
            let seconds = start.elapsed().as_secs_f64();
            print!("{} {}: ", language.name, check.name);
            match outcome {
                Outcome::Holds(held) => {
                    println!(
                        "holds, tier {:?}, {} classes, {} states, {seconds:.3} s",
                        held.tier,
                        held.classes,
                        held.states()
                    );
                    let names: Vec<String> =
                        held.non_empty.iter().map(|(r, n)| format!("{} {n}", language.rule(*r).name)).collect();
                    println!("    {}", names.join(", "));
                    println!("    {:?} {:?}", held.work, held.deeper);
                    for (rule, n) in &held.clipped {
                        println!("    clipped {} {n}", language.rule(*rule).name);
                    }
                    for (rule, w) in &held.coverage.rules {
                        let shown = w.as_ref().map_or("never".into(), |w| show(&terms, &check, &w.assignment));
                        println!("    {:12} {}", language.rule(*rule).name, shown);
                    }
                    for (prod, w) in &held.coverage.prods {
                        let shown = w.as_ref().map_or("never".into(), |w| show(&terms, &check, &w.assignment));
                        println!("    {:12} {}", language.prod(*prod).text, shown);
                    }
                    for (sort, i, w) in &held.coverage.alternatives {
                        let shown = w.as_ref().map_or("never".into(), |w| show(&terms, &check, &w.assignment));
                        println!("    {}: {i} {}", language.sort(*sort).name, shown);
                    }
                }
                Outcome::Fails(failure) => {
                    let class = failure.class.as_ref().map(|(r, p)| (language.rule(*r).name.clone(), p.clone()));
                    println!("FAILS, size {}, {seconds:.3} s, {class:?}", failure.size);
                    println!("    {}", show(&terms, &check, &failure.assignment));
                    println!("    {:?}", failure.work);
                }
                other => println!("{other:?}, {seconds:.3} s"),
            }
        }
    }
}

fn show(terms: &Terms, check: &lang::Check, assignment: &[Option<lang::term::TermId>]) -> String {
    let parts = check
        .metas
        .iter()
        .zip(assignment)
        .filter_map(|(m, v)| v.map(|v| format!("{} = {}", m.name, lang::print::term(terms, v))));
    parts.collect::<Vec<_>>().join(", ")
}
