//! Verdicts on the suite: every correct program is proved, every wrong one has an input that fails.

use crate::corpus;
use dminor::bemol::Reading;
use dminor::generate::Generator;
use dminor::interp::{self, Failure, Given, Interp, Stop, find_failure};
use dminor::program::FunId;
use dminor::verify::{Answer, Options, Subject, Verdict, check, emit, is_contradictory, prelude};
use dminor::{Program, Value, load};
use source::FileId;
use std::path::{Path, PathBuf};
use std::time::Duration;
use work::on_large_stack;

fn options() -> Options {
    Options {
        reading: Reading::default(),
        lenient_types: false,
        solver: smt::find(None, &work::Stop::default()).expect("z3 is installed by scripts/test"),
        patience: Duration::from_secs(3),
        threads: 1,
        tries: 2_000,
        certifier: None,
        stop: work::Stop::default(),
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
        let answers = corpus::answers(check, &program, &options);
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
                Verdict::Stopped(_) | Verdict::Internal(_) => {
                    wrong.push(format!("{file} {what}: {:?}", answer.verdict))
                }
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
        let strange: Vec<String> = answers.iter().filter(|a| !replays(&program, text, a)).map(verdict).collect();
        if !strange.is_empty() {
            return strange;
        }
        let is_refuted = answers.iter().any(|a| matches!(a.verdict, Verdict::Violated(_)));
        if is_refuted { Vec::new() } else { answers.iter().map(verdict).collect() }
    });
    assert!(wrong.concat().is_empty(), "{}", wrong.concat().join("\n"));
}

/// The arguments as they are printed, the order as it is printed: the same failure, at the same place.
fn replays(program: &Program, text: &str, answer: &Answer) -> bool {
    let (Subject::Function(id), Verdict::Violated(found)) = (answer.subject, &answer.verdict) else { return true };
    let read = |value: &Value| dminor::json::parse(&value.to_string(), FileId(0)).expect("JSON").value;
    let arguments: Vec<Value> = found.arguments.iter().map(read).collect();
    let options = interp::Options {
        strict_type_tests: text.contains("strict type tests"),
        strict_ops: text.contains("strict ops"),
        contracts: true,
        fuel: None,
        stop: work::Stop::default(),
    };
    let mut given = Given::new(found.failure.order.clone());
    let ended = on_large_stack(|| Interp::new(program, &options, &mut given).call(id, &arguments));
    let is_same = |failure: &Failure| {
        (failure.span, failure.message()) == (found.failure.span, found.failure.message())
            && failure.misfits().len() == found.failure.misfits().len()
    };
    !given.is_beyond && !given.is_longer() && matches!(ended.map_err(|s| *s), Err(Stop::Error(f)) if is_same(&f))
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
            if text.lines().count() > 40 || made >= 1 {
                break;
            }
            made += 1;
            let mut options = options();
            (options.patience, options.tries) = (Duration::from_millis(500), 300);
            let answers = on_large_stack(|| corpus::answers(check, &program, &options));
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
        let failure = find_failure(program, &options, id, &arguments, 4).failure?;
        Some((arguments, failure))
    })
}

/// Another solver on the same conditions: it may know less, but it does not contradict.
#[test]
fn another_solver_does_not_contradict() {
    let other = smt::find(Some(Path::new("cvc5")), &work::Stop::default()).expect("cvc5 is installed by scripts/test");
    let patience = Duration::from_millis(400);
    let told = each("ok", |file, text| {
        let program = load(text, FileId(0)).program.expect("a program");
        let lenient = text.contains("lenient types");
        let (mut proved, mut open, mut wrong) = (0, 0, Vec::new());
        let mut session = smt::Session::new(other.clone(), prelude(smt::Kind::Cvc5));
        for (_, condition, query) in
            on_large_stack(|| emit(&program, Reading::default(), lenient)).into_iter().step_by(5)
        {
            match session.check(&query, patience, &work::Stop::default()) {
                smt::Answer::Unsat => proved += 1,
                smt::Answer::Sat => wrong.push(format!("{file} {:?}", condition.kind)),
                smt::Answer::Unknown(smt::Why::Broken(why)) => wrong.push(format!("{file}: {why}")),
                smt::Answer::Unknown(_) => open += 1,
            }
        }
        (proved, open, wrong)
    });
    let (proved, open) = told.iter().fold((0, 0), |(p, o), t| (p + t.0, o + t.1));
    let wrong: Vec<String> = told.into_iter().flat_map(|t| t.2).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(proved > 150 && open * 30 < proved, "{proved} proved, {open} open");
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
        let answers = on_large_stack(|| corpus::answers(check, &program, &options));
        let short = |a: &Answer| match a.verdict {
            Verdict::Verified => "verified",
            Verdict::Violated(_) => "violated",
            Verdict::NotProved(_) => "not proved",
            Verdict::Stopped(_) => "stopped",
            Verdict::Internal(_) => "internal",
        };
        answers.iter().map(short).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(true), ["verified", "verified", "violated"]);
    assert_eq!(verdicts(false), ["violated", "not proved", "violated"]);
}

/// Inputs that random choices would not find: the solver does.
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

/// A guessed invariant that every round keeps, and that does not hold before the first one, for an input that random choices would not find. Beside it,
/// one that does.
#[test]
fn guesses_hold_before_the_loop() {
    let loops = [
        ("(r: Integer where r >= 0)", "0 - 1", "0", "y + (x > 0 ? x : 0)"),
        ("(r: Integer where r >= 0)", "0 - 5", "7", "y"),
        ("Integer", "null", "3", "y"),
        ("(Integer where value > 3)*", "{1}", "{}", "(x > 3 ? (x :: y) : y)"),
    ];
    for (result, wrong, right, body) in loops {
        let f = |initial: &str| {
            format!(
                "f(c: Integer*, k: Integer) : {result} {{
                    from x in c let y = (k * k == 152399025 ? {initial} : {right}) accumulate {body} }}"
            )
        };
        for (initial, is_right) in [(wrong, false), (right, true)] {
            let (_, answers) = answers(&f(initial));
            assert_eq!(short(&answers[0]) == "verified", is_right, "{}: {:?}", f(initial), answers[0].verdict);
        }
    }
}

/// What is guessed of an entity's fields; each beside a loop that does not keep it.
#[test]
fn guesses_about_fields() {
    let loops = [
        (
            "(r: {a: Integer*; b: Integer*;} where r.a.Count + r.b.Count == c.Count)",
            "{a => {}, b => {}}",
            "x > 0 ? {a => x :: y.a, b => y.b} : {a => y.a, b => x :: y.b}",
            "x > 0 ? {a => x :: y.a, b => y.b} : {a => y.a, b => x :: y.a}",
        ),
        (
            "(r: {n: Integer; s: Integer;} where r.n == c.Count && r.s >= r.n)",
            "{n => 0, s => 0}",
            "{n => y.n + 1, s => y.s + x * x + 1}",
            "{n => y.n + 1, s => y.s + x * x}",
        ),
        ("(n: Integer where n >= c.Count)", "0", "y + x * x + 1", "y + x * x"),
    ];
    for (result, initial, right, wrong) in loops {
        let f = |body: &str| format!("f(c: Integer*) : {result} {{ from x in c let y = {initial} accumulate {body} }}");
        let verdict = |body: &str| short(&answers(&f(body)).1[0]);
        assert_eq!((verdict(right), verdict(wrong)), ("verified", "violated"), "{}", f(right));
    }
}

/// One of the invariants that are guessed takes the solver to its limit of work; what is asked afterwards is asked afresh.
#[test]
fn a_limit_of_work_ends_with_its_question() {
    let (_, answers) = answers(
        "type Name : Text where value != \"\";
         type Person : {first: Name; last: Name; age: Integer where value >= 0; mails: Name*; boss: Text?;};
         adults(ps: Person*) : (n: Integer where n >= 0 && n <= ps.Count) {
             from p in ps let n = 0 : Integer accumulate (p.age >= 18 ? n + 1 : n)
         }",
    );
    assert_eq!(answers.iter().map(short).collect::<Vec<_>>(), ["verified"; 3]);
}

/// Says what kind of verdict each is, in the order of the text.
fn short(answer: &Answer) -> &'static str {
    match answer.verdict {
        Verdict::Verified => "verified",
        Verdict::Violated(_) => "violated",
        Verdict::NotProved(_) => "not proved",
        Verdict::Stopped(_) => "stopped",
        Verdict::Internal(_) => "internal",
    }
}

fn assumed(program: &Program, answer: &Answer) -> Vec<String> {
    let name = |s: &Subject| match s {
        Subject::Type(id) => program.named(*id).name.clone(),
        Subject::Function(id) => program.function(*id).name.clone(),
    };
    answer.assuming.iter().map(name).collect()
}

/// What calls a function that does not meet its type, directly or not, is verified on that assumption.
#[test]
fn callers_of_a_violated_function_assume() {
    let text = "charge(n: Integer where value >= 0) : (r: Integer where r >= 0) { n - 1 }
                pay(n: Integer where value > 0) : (r: Integer where r >= 0) { charge(n) }
                twice(n: Integer where value > 0) : (r: Integer where r >= 0) { pay(n) + 1 }
                alone(n: Integer) : Integer { n }
                type Bad : (x: Any where x > 5);
                type Rests : {a: Bad;};";
    let (program, told) = answers(text);
    let told: Vec<String> = told
        .iter()
        .map(|a| format!("{} {} {}", name(&program, a), short(a), assumed(&program, a).join(" ")).trim().to_string())
        .collect();
    let wanted = [
        "type Bad violated",
        "type Rests verified Bad",
        "charge violated",
        "pay verified charge",
        "twice verified charge",
        "alone verified",
    ];
    assert_eq!(told, wanted);
    let (_, told) = answers(&text.replace("n - 1 }", "n }").replace("x > 5", "true"));
    assert!(told.iter().all(|a| short(a) == "verified" && a.assuming.is_empty()), "{told:?}");
}

/// The order in which members are taken is part of a counterexample.
#[test]
fn a_violation_carries_its_order() {
    let (program, told) = answers("f(c: {{0,1}}) : {1} { from x in c let y = 1 : Integer accumulate x }");
    let Verdict::Violated(found) = &told[0].verdict else { panic!("{told:?}") };
    assert_eq!(found.failure.order, [1]);
    assert!(replays(&program, "", &told[0]));
    // Canonical order gives 1, and that is fine.
    let options = interp::Options { contracts: true, ..interp::Options::default() };
    assert!(Interp::new(&program, &options, &mut Given::new(Vec::new())).call(FunId(0), &found.arguments).is_ok());
    let (_, told) = answers("f(c: {{0,1}}) : {0} | {1} { from x in c let y = 1 : {0} | {1} accumulate x }");
    assert_eq!(short(&told[0]), "verified");
}

/// All parts that do not fit, each with its clause.
#[test]
fn a_result_says_what_does_not_fit() {
    let text = "type Cents : Integer where value >= 0;
                type Bill : {total: Cents; tax: Cents; lines: {n: Integer;}*;} where value.total >= value.tax && value.tax < 50;
                f(x: Cents) : Bill { {total => 0 - 1, tax => 77, lines => {{n => 1}, {n => \"a\"}}} }";
    let (_, told) = answers(text);
    let Some(Verdict::Violated(found)) = told.last().map(|a| &a.verdict) else { panic!("{told:?}") };
    let at = |span: source::Span| &text[span.start as usize..span.end as usize];
    let all: Vec<String> =
        found.failure.misfits().iter().map(|m| format!("{}: {}", m.message(), at(m.clause))).collect();
    let whole = r#"{lines => {{n => 1}, {n => "a"}}, tax => 77, total => -1}"#;
    let wanted = [
        ".total is -1, for which a condition does not hold: value >= 0".to_string(),
        r#".lines[1].n is "a", but must be an integer: Integer"#.to_string(),
        format!("value is {whole}, for which a condition does not hold: value.total >= value.tax"),
        format!("value is {whole}, for which a condition does not hold: value.tax < 50"),
    ];
    assert_eq!(all, wanted);
    assert_eq!(found.failure.diagnostics().len(), 4);
}

/// Each subject begins anew: neither the threads nor what was asked before change a query.
#[test]
fn answers_do_not_depend_on_who_asks() {
    let (_, text) = programs("ok").into_iter().find(|(f, _)| f.ends_with("invoices.dm")).expect("a program");
    let program = load(&text, FileId(0)).program.expect("a program");
    let told = |threads: usize| {
        let answers = corpus::answers(check, &program, &Options { threads, ..options() });
        answers.iter().map(|a| (short(a), a.conditions, a.queries)).collect::<Vec<_>>()
    };
    assert_eq!(told(1), told(3));
}

/// A program that claims to be a solver; `answer` is a command of the shell, `$n` the number of the question.
fn liar(name: &str, version: &str, answer: &str) -> smt::Program {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("glassbox-dminor-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo '{version}'; exit; }}\nn=0\nwhile read -r line; do case \"$line\" in \
         *check-sat*) {answer}; n=$((n+1));; \
         *'(echo'*) echo \"$line\" | sed 's/.*(echo \"\\(.*\\)\").*/\\1/';; esac; done\n"
    );
    std::fs::write(&path, script).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    smt::find(Some(&path), &work::Stop::default()).expect("it says so")
}

/// A solver that lies is noticed: at once if it says `unsat` of the axioms too, by the second solver if it does not.
#[test]
fn a_second_solver_notices_a_lie() {
    let z3 = "Z3 version 4.8.12";
    let text = "f(n: Integer where value < 0 - 1000000000000) : (r: Integer where r > 7) { n }";
    let program = load(text, FileId(0)).program.expect("a program");
    let cvc5 = smt::another(&options().solver, &work::Stop::default()).expect("cvc5 is installed by scripts/test");
    let told = |solver: smt::Program, certifier: Option<smt::Program>| {
        // Nothing is refuted: only proofs are asked about.
        let options = Options { solver, certifier, tries: 0, ..options() };
        corpus::answers(check, &program, &options).remove(0)
    };
    let always = liar("always", z3, "echo unsat");
    let answer = told(always, None);
    assert!(
        matches!(&answer.verdict, Verdict::NotProved(all) if all[0].why.to_string().contains("proves what is not true"))
    );
    let nearly = liar("nearly", z3, "if [ $n = 0 ]; then echo sat; else echo unsat; fi");
    assert_eq!(short(&told(nearly.clone(), None)), "verified", "it is believed");
    let answer = told(nearly, Some(cvc5.clone()));
    assert!(!answer.is_proved(), "{answer:?}");
    // A second solver that has a model where the first has a proof: nothing is proved.
    let models = liar("models", "This is cvc5 version 1.0.3", "echo sat");
    let right = "f(n: Integer where value > 8) : (r: Integer where r > 7) { n }";
    let right = load(right, FileId(0)).program.expect("a program");
    let certify =
        |certifier| corpus::answers(check, &right, &Options { certifier: Some(certifier), ..options() }).remove(0);
    assert_eq!(short(&certify(models)), "not proved");
    let answer = certify(cvc5);
    assert!(answer.is_proved() && answer.certified.is_some_and(|c| c.proofs == 1));
}

/// What is guessed on the way is repeated as well.
#[test]
fn guesses_are_certified() {
    let text =
        "copy(c: Integer*) : (r: Integer* where r.Count == c.Count) { from x in c let y = {} accumulate x :: y }";
    let program = load(text, FileId(0)).program.expect("a program");
    let cvc5 = smt::another(&options().solver, &work::Stop::default()).expect("cvc5 is installed by scripts/test");
    let answer = corpus::answers(check, &program, &Options { certifier: Some(cvc5), ..options() }).remove(0);
    let certified = answer.certified.as_ref().expect("it was asked for");
    assert!(answer.is_proved() && certified.proofs > answer.conditions, "{answer:?}");
}
