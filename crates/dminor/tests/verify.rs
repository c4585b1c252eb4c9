//! Verdicts on the suite: every correct program is proved, every wrong one has an input that fails.

use dminor::verify::{Answer, Options, Reading, Subject, Verdict, check};
use dminor::{Program, load, on_large_stack};
use source::FileId;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn options() -> Options {
    Options {
        reading: Reading::default(),
        lenient_types: false,
        solver: smt::find(None).expect("z3 is installed by scripts/test"),
        patience: Duration::from_secs(3),
        threads: 1,
        tries: 2_000,
    }
}

fn programs(folder: &str) -> Vec<(PathBuf, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(path).expect("a folder").flatten().map(|e| e.path()).collect();
    files.sort();
    let only = std::env::var("ONLY").unwrap_or_default();
    files.retain(|f| f.to_string_lossy().contains(&only));
    files.into_iter().map(|f| (f.clone(), std::fs::read_to_string(f).expect("a text"))).collect()
}

fn name(program: &Program, answer: &Answer) -> String {
    match answer.subject {
        Subject::Type(id) => format!("type {}", program.named(id).name),
        Subject::Function(id) => program.function(id).name.clone(),
    }
}

fn answers(text: &str) -> (Program, Vec<Answer>) {
    let mut options = options();
    options.reading.strict_type_tests = text.contains("strict type tests");
    options.reading.strict_ops = text.contains("strict ops");
    on_large_stack(|| {
        let program = load(text, FileId(0)).program.expect("a program");
        let answers = check(&program, &options);
        (program, answers)
    })
}

#[test]
fn correct_programs_are_proved() {
    let mut wrong = Vec::new();
    for (file, text) in programs("ok") {
        let (program, answers) = answers(&text);
        for answer in &answers {
            let what = name(&program, answer);
            println!(
                "{} {what}: {:?} {} {} {:.3}",
                file.display(),
                matches!(answer.verdict, Verdict::Verified),
                answer.conditions,
                answer.queries,
                answer.seconds
            );
            match &answer.verdict {
                Verdict::Verified => {}
                Verdict::Violated(found) => wrong.push(format!("{} {what}: {found:?}", file.display())),
                Verdict::NotProved(all) => {
                    for u in all {
                        let at = &text[u.span.start as usize..u.span.end as usize];
                        wrong.push(format!("{} {what}: {:?} {at} {}", file.display(), u.kind, u.why));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_programs_are_refuted() {
    let mut wrong = Vec::new();
    for (file, text) in programs("reject") {
        let (program, answers) = answers(&text);
        let violated = answers.iter().any(|a| matches!(a.verdict, Verdict::Violated(_)));
        println!("{} {:.3}", file.display(), answers.iter().map(|a| a.seconds).sum::<f64>());
        if !violated {
            for answer in &answers {
                wrong.push(format!("{} {}: {:?}", file.display(), name(&program, answer), answer.verdict));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
