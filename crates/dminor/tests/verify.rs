//! Verdicts on the suite: every correct program is proved, every wrong one has an input that fails.

use dminor::bemol::Reading;
use dminor::generate::Generator;
use dminor::interp::{self, Failure, find_failure};
use dminor::program::FunId;
use dminor::verify::{Answer, Options, Subject, Verdict, check, emit, is_contradictory, prelude};
use dminor::{Program, Value, load, on_large_stack};
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

/// On both cores, in order.
fn each<R: Send>(folder: &str, run: impl Fn(&str, &str) -> R + Sync) -> Vec<R> {
    let all = programs(folder);
    let half = all.len().div_ceil(2).max(1);
    std::thread::scope(|scope| {
        let run = &run;
        let parts: Vec<_> = all
            .chunks(half)
            .map(|part| {
                scope.spawn(move || {
                    let name =
                        |file: &Path| file.file_name().map_or(String::new(), |n| n.to_string_lossy().to_string());
                    part.iter().map(|(file, text)| run(&name(file), text)).collect::<Vec<_>>()
                })
            })
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
    })
}

#[test]
fn correct_programs_are_proved() {
    let wrong = each("ok", |file, text| {
        let (program, answers) = answers(text);
        let mut wrong = Vec::new();
        for answer in &answers {
            let what = name(&program, answer);
            match &answer.verdict {
                Verdict::Verified => {}
                Verdict::Violated(found) => wrong.push(format!("{file} {what}: {found:?}")),
                Verdict::NotProved(all) => {
                    for u in all {
                        let at = &text[u.span.start as usize..u.span.end as usize];
                        wrong.push(format!("{file} {what}: {:?} {at} {}", u.kind, u.why));
                    }
                }
            }
        }
        wrong
    });
    assert!(wrong.concat().is_empty(), "{}", wrong.concat().join("\n"));
}

#[test]
fn wrong_programs_are_refuted() {
    let wrong = each("reject", |file, text| {
        let (program, answers) = answers(text);
        let verdict = |a: &Answer| format!("{file} {}: {:?}", name(&program, a), a.verdict);
        let is_refuted = answers.iter().any(|a| matches!(a.verdict, Verdict::Violated(_)));
        if is_refuted { Vec::new() } else { answers.iter().map(verdict).collect() }
    });
    assert!(wrong.concat().is_empty(), "{}", wrong.concat().join("\n"));
}

/// `false` does not follow from the axioms of any program.
#[test]
fn axioms_do_not_contradict_each_other() {
    let patience = Duration::from_millis(700);
    let solver = options().solver;
    let contradictory = |file: &str, text: &str| {
        let program = load(text, FileId(0)).program.expect("a program");
        let is = on_large_stack(|| is_contradictory(&program, Reading::default(), &solver, patience));
        is.then(|| file.to_string())
    };
    let mut found: Vec<String> = each("ok", contradictory).into_iter().flatten().collect();
    found.extend(each("reject", contradictory).into_iter().flatten());
    // These loops depend on the order, which is what is wrong with them.
    let expected = ["order-matters-concat.dm", "order-matters.dm"];
    found.retain(|f| !expected.contains(&f.as_str()));
    assert!(found.is_empty(), "{found:?}");
}

/// Small changes to correct programs: what is still verified does not fail on any input that is tried.
#[test]
fn verified_mutants_do_not_fail() {
    let changes = [
        (" >= ", " > "),
        (" <= ", " < "),
        (" > ", " >= "),
        (" < ", " <= "),
        (" + ", " - "),
        (" == ", " != "),
        (" - ", " + "),
        ("&& ", "|| "),
        ("|| ", "&& "),
        ("? ", "? null : "),
        ("Integer", "Any"),
        ("Integer*", "Any*"),
        ("Text", "Integer"),
        (" :: ", " :: null :: "),
        ("null", "0"),
        ("0", "1"),
        ("1", "0"),
        ("true", "false"),
        (".Count", ".Count + 1"),
    ];
    let told = each("ok", |file, text| {
        let (mut verified, mut refuted, mut wrong) = (0, 0, Vec::new());
        // A few of each program, spread over its length, so that the test ends soon.
        let mut made = 0;
        for (k, (from, to)) in changes.iter().enumerate() {
            let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
            let Some(at) = places.get((k * 7) % places.len().max(1)) else { continue };
            let mutant = format!("{}{to}{}", &text[..*at], &text[at + from.len()..]);
            let Some(program) = load(&mutant, FileId(0)).program else { continue };
            if text.lines().count() > 40 || made >= 3 {
                break;
            }
            made += 1;
            let mut options = options();
            (options.patience, options.tries) = (Duration::from_millis(500), 300);
            let answers = on_large_stack(|| check(&program, &options));
            let are_types_fine = answers
                .iter()
                .all(|a| matches!((a.subject, &a.verdict), (Subject::Function(_), _) | (_, Verdict::Verified)));
            for answer in &answers {
                let Subject::Function(id) = answer.subject else { continue };
                match answer.verdict {
                    Verdict::Verified if are_types_fine => verified += 1,
                    Verdict::Violated(_) => {
                        refuted += 1;
                        continue;
                    }
                    _ => continue,
                }
                // What it calls may be at fault: then it is not its own failure.
                let failure = on_large_stack(|| fails(&program, id, 150));
                let own = program.function(id).body.span;
                if let Some((arguments, failure)) = failure
                    && failure.calls.is_empty()
                    && failure.span.start >= own.start
                    && failure.span.end <= own.end
                {
                    wrong.push(format!("{file} {from}->{to}: {:?} {:?}\n{mutant}", arguments, failure));
                }
            }
        }
        (verified, refuted, wrong)
    });
    let (verified, refuted) = told.iter().fold((0, 0), |(v, r), t| (v + t.0, r + t.1));
    let wrong: Vec<String> = told.into_iter().flat_map(|t| t.2).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(verified >= 80 && refuted >= 20, "{verified} verified, {refuted} refuted");
}

/// The first random input that fails.
fn fails(program: &Program, id: FunId, tries: usize) -> Option<(Vec<Value>, Failure)> {
    let mut generator = Generator::new(program, 7);
    let options = interp::Options { contracts: true, fuel: Some(100_000), ..interp::Options::default() };
    (0..tries).find_map(|_| {
        let arguments = generator.arguments(id)?;
        let failure = find_failure(program, options, id, &arguments, 4).0?;
        Some((arguments, failure))
    })
}

/// Another solver on the same conditions: it may know less, but it does not contradict.
#[test]
fn another_solver_does_not_contradict() {
    let other = smt::find(Some(Path::new("cvc5"))).expect("cvc5 is installed by scripts/test");
    let patience = Duration::from_millis(400);
    let told = each("ok", |file, text| {
        let program = load(text, FileId(0)).program.expect("a program");
        let lenient = text.contains("lenient types");
        let (mut proved, mut wrong) = (0, Vec::new());
        let mut session = smt::Session::new(other.clone(), prelude(smt::Kind::Cvc5));
        for (_, condition, query) in
            on_large_stack(|| emit(&program, Reading::default(), lenient)).into_iter().step_by(5)
        {
            match session.check(&query, patience) {
                smt::Answer::Unsat => proved += 1,
                smt::Answer::Sat => wrong.push(format!("{file} {:?}", condition.kind)),
                smt::Answer::Unknown(why) if why.contains("error") => wrong.push(format!("{file}: {why}")),
                smt::Answer::Unknown(_) => {}
            }
        }
        (proved, wrong)
    });
    let proved: usize = told.iter().map(|t| t.0).sum();
    let wrong: Vec<String> = told.into_iter().flat_map(|t| t.1).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(proved > 50, "{proved}");
}

/// The paper's first example, with its invariant, with a type alone, and with nothing.
#[test]
fn remove_nulls() {
    let program = |annotation: &str| {
        format!(
            "removeNulls(c: (Integer?)*) : (x: Integer* where x.Count <= c.Count) {{
               from x in c let y = {{}} {annotation} accumulate x != null ? x :: y : y
             }}"
        )
    };
    for annotation in [": Integer* invariant y.Count + rest.Count <= c.Count", ": Integer*", ""] {
        let (_, answers) = answers(&program(annotation));
        assert!(matches!(answers[0].verdict, Verdict::Verified), "{annotation}: {:?}", answers[0].verdict);
    }
    let wrong = program(": Integer*").replace("x :: y :", "x :: x :: y :");
    assert!(matches!(answers(&wrong).1[0].verdict, Verdict::Violated(_)));
}

/// Where types need not be well-formed, a test of one may go wrong all the same.
#[test]
fn lenient_types() {
    let text = "type Large : (x: Any where x > 5);
                four() : {false} { 4 in Large }
                any(y: Any) : Logical { y in Large }";
    let program = load(text, FileId(0)).program.expect("a program");
    let verdicts = |lenient_types: bool| {
        let options = Options { lenient_types, ..options() };
        let answers = on_large_stack(|| check(&program, &options));
        let short = |a: &Answer| match a.verdict {
            Verdict::Verified => "verified",
            Verdict::Violated(_) => "violated",
            Verdict::NotProved(_) => "not proved",
        };
        answers.iter().map(short).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(true), ["verified", "verified", "violated"]);
    assert_eq!(verdicts(false), ["violated", "not proved", "violated"]);
}

/// Inputs that nobody would guess: the solver does.
#[test]
fn needles() {
    for text in [
        "f(n: Integer) : Integer { n * n == 152399025 ? n + null : n }",
        "f(x: {a: Integer; b: Integer;}) : Integer { 3 * x.a + 7 * x.b == 123457 && x.a > 20000 ? x.c : 0 }",
        "f(a: Integer, b: Text) : Logical { a - 77777 == 99999 && b == \"needle\" ? 1 : true }",
    ] {
        let (_, answers) = answers(text);
        assert!(matches!(answers[0].verdict, Verdict::Violated(_)), "{text}: {:?}", answers[0].verdict);
    }
}
