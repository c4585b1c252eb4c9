//! When a run has to end, everything that is not decided says so, whatever it was waiting for. No clock is read: a limit that is not heeded
//! shows as a verdict that comes too late to be `Stopped`, or as a test that does not end.

use crate::corpus::{self, Check, program};
use dminor::bemol::Reading;
use dminor::interp::{First, Interp, Limit, Stop as Ended};
use dminor::verify::{self, Answer, Inhabited, Options, Subject, Subtype, Verdict};
use dminor::{Program, load_until, typing};
use source::FileId;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use work::{Cause, Stop};

/// Longer than any test may take.
const HOUR: Duration = Duration::from_secs(3600);

fn soon() -> Stop {
    Stop::after(Duration::from_millis(300))
}

fn options(solver: smt::Program, stop: Stop) -> Options {
    Options {
        reading: Reading::default(),
        lenient_types: false,
        solver,
        patience: HOUR,
        threads: 2,
        tries: 1_000_000,
        certifier: None,
        stop,
    }
}

fn z3() -> smt::Program {
    smt::find(None, &Stop::default()).expect("z3 is installed by scripts/test")
}

/// A solver that never answers.
fn asleep() -> smt::Program {
    let path: PathBuf = std::env::temp_dir().join(format!("glassbox-dminor-asleep-{}", std::process::id()));
    let script = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Z3 version 4.8.12'; exit; fi\nexec sleep 600\n";
    if !path.exists() {
        let fresh = path.with_extension(format!("{:?}", std::thread::current().id()));
        std::fs::write(&fresh, script).expect("a script");
        std::fs::set_permissions(&fresh, std::fs::Permissions::from_mode(0o755)).expect("permissions");
        std::fs::rename(&fresh, &path).expect("a script");
    }
    smt::find(Some(&path), &Stop::default()).expect("it says so")
}

const METHODS: [Check; 2] = [verify::check, typing::check];

/// Two types and two functions, each with something to prove.
const SMALL: &str = "type Large : Integer where value > 5 && 10 / (value - value + 1) == 10;
    type Larger : Large where 100 / (value - value + 2) == value;
    f(x: Large) : (r: Integer where r > 100) { x * 100 }
    g(x: Integer) : (r: Integer where r > 7) { x > 7 ? x : 8 }";

fn subjects(program: &Program) -> Vec<Subject> {
    let types = (0..program.types.len()).map(|k| Subject::Type(dminor::program::TypeId(k as u32)));
    types.chain((0..program.functions.len()).map(|k| Subject::Function(dminor::program::FunId(k as u32)))).collect()
}

fn assert_all_stopped(program: &Program, answers: &[Answer], cause: Cause) {
    let told: Vec<Subject> = answers.iter().map(|a| a.subject).collect();
    assert_eq!(told, subjects(program), "every subject once, in order");
    for answer in answers {
        assert!(matches!(answer.verdict, Verdict::Stopped(c) if c == cause), "{:?}", answer.verdict);
        assert!(answer.is_stopped() && !answer.is_proved());
    }
}

#[test]
fn a_solver_that_does_not_answer() {
    let program = program(SMALL);
    for method in METHODS {
        assert_all_stopped(&program, &corpus::answers(method, &program, &options(asleep(), soon())), Cause::Timeout);
    }
}

#[test]
fn somebody_says_so() {
    let program = program(SMALL);
    for (method, cause) in METHODS.into_iter().zip([Cause::Interrupted, Cause::Memory]) {
        let stop = Stop::default();
        let raised = stop.clone();
        let mut answers = Vec::new();
        let mut waited = Vec::new();
        let waiting = &mut |subject| {
            waited.push(subject);
            raised.raise(cause);
        };
        method(&Arc::new(program.clone()), &options(asleep(), stop), waiting, &mut |a| answers.push(a));
        assert_all_stopped(&program, &answers, cause);
        assert_eq!(waited[0], answers[0].subject);
    }
}

/// An answer is handed out before the next one is known, unless it rests on that.
#[test]
fn answers_come_one_by_one() {
    let text = "alone(x: Integer) : Integer { x }
                caller(x: Integer) : Integer { hard(x) }
                hard(x: Integer) : (r: Integer where r > 7) { x > 7 ? x : 8 }
                last(x: Integer) : Integer { x }";
    let program = Arc::new(program(text));
    let (stop, answers) = (Stop::default(), std::cell::RefCell::new(Vec::new()));
    let known_before = std::cell::Cell::new(None);
    let waiting = &mut |subject: Subject| {
        if subject.name(&program) == "hard" && known_before.get().is_none() {
            known_before.set(Some(answers.borrow().len()));
            stop.raise(Cause::Interrupted);
        }
    };
    let options = Options { threads: 1, ..options(asleep(), stop.clone()) };
    verify::check(&program, &options, waiting, &mut |a| answers.borrow_mut().push(a));
    assert_eq!(known_before.get(), Some(1), "`alone` is known, `caller` rests on `hard`");
    let answers = answers.into_inner();
    let names: Vec<&str> = answers.iter().map(|a| a.subject.name(&program)).collect();
    assert_eq!(names, ["alone", "caller", "hard", "last"]);
    assert!(answers[0].is_proved() && answers[1].is_proved() && answers[2].is_stopped());
    assert_eq!(answers[1].assuming, [answers[2].subject]);
}

/// As deep as a declaration may be: nothing overflows, and nothing takes a time that grows with the square of a number in the thousands.
#[test]
fn long_sums_are_written() {
    let sum = " + 1".repeat(6_200);
    for text in [
        format!("f(x: Integer) : (r: Integer where r > x) {{ x{sum} }}"),
        format!("type T : (x: Integer where x{sum} > 0); f(x: Integer) : T {{ x }}"),
        format!("f(x: Any) : (r: Integer where r > 0) {{ x{sum} }}"),
    ] {
        let written = verify::emit(&program(&text), Reading::default(), false);
        let is_whole = |text: &str| text.len() > 6_200 && text.ends_with(")\n");
        assert!(written.iter().any(|(_, _, text)| is_whole(text)), "{}", &text[..40]);
    }
}

/// A type that takes all the time it is given leaves functions theirs, and so does a function.
#[test]
fn what_is_hard_leaves_time_to_the_others() {
    let cubes = "value.a > 0 && value.b > 0 && value.a * value.a * value.a + value.b * value.b * value.b
                   == value.c * value.c * value.c";
    let text = format!(
        "type Hard : {{a: Integer; b: Integer; c: Integer;}} where !({cubes}) || value.d > 0;
         hard(a: Integer, b: Integer) : (r: Integer where a <= 0 || b <= 0 || r * r * r != a * a * a + b * b * b) {{ a + b }}
         g(x: Integer) : (r: Integer where r > 7) {{ x > 7 ? x : 8 }}"
    );
    let program = program(&text);
    let options = Options { threads: 1, ..options(z3(), Stop::after(Duration::from_secs(8))) };
    let answers = corpus::answers(verify::check, &program, &options);
    assert!(answers[0].is_stopped(), "{:?}", answers[0].verdict);
    assert!(answers[2].is_proved(), "{:?}", answers[2].verdict);
}

#[test]
fn what_is_decided_before_is_answered() {
    let wrong = format!("{SMALL}\n h(x: Integer) : Text {{ x }}");
    for method in METHODS {
        let program = program(&wrong);
        let answers = corpus::answers(method, &program, &options(z3(), Stop::after(HOUR)));
        let verified = answers.iter().filter(|a| matches!(a.verdict, Verdict::Verified)).count();
        assert_eq!((answers.len(), verified), (5, 4), "{answers:?}");
    }
}

/// Queries in queries: each level is looked at several times, so that the conditions would never be complete.
#[test]
fn while_conditions_are_made() {
    let nested = (0..60).rev().fold("x59".to_string(), |inner, k| match k {
        0 => format!("from x0 in c select {inner}"),
        k => format!("(from x{k} in x{} select {inner})", k - 1),
    });
    let program = program(&format!("f(c: Any) : Any {{ {nested} }}"));
    for method in METHODS {
        assert_all_stopped(&program, &corpus::answers(method, &program, &options(z3(), soon())), Cause::Timeout);
    }
}

/// Random inputs of a function that takes long on each.
#[test]
fn while_inputs_are_tried() {
    let text = "f(n: Integer) : (r: Integer where r != 41) { n == 0 ? 41 + g(30) : 7 }
                g(n: Integer) : Integer { n <= 0 ? 0 : g(n - 1) + g(n - 1) }";
    let program = program(text);
    let stop = soon();
    let interp = dminor::interp::Options { stop: stop.clone(), ..Default::default() };
    let ended = work::on_large_stack(|| {
        let id = program.function_called("g").expect("a function");
        Interp::new(&program, &interp, &mut First).call(id, &[corpus::value("1000")])
    });
    assert!(matches!(ended.map_err(|s| *s), Err(Ended::Limit(Limit::Stopped(Cause::Timeout), _))));
    let answers = corpus::answers(verify::check, &program, &options(z3(), stop));
    assert_all_stopped(&program, &answers, Cause::Timeout);
}

#[test]
fn questions_about_types() {
    // There is none, which is hard to prove.
    let mut program = program(
        "type Cubes : {a: Integer; b: Integer; c: Integer;}
           where value.a > 0 && value.b > 0
              && value.a * value.a * value.a + value.b * value.b * value.b == value.c * value.c * value.c;",
    );
    let mut closed = |text: &str| dminor::read_type(&mut program, text, FileId(0)).expect("a type");
    let (cubes, null) = (closed("Cubes"), closed("{null}"));
    for solver in [asleep, z3] {
        let inhabited = verify::inhabit(&program, &cubes, &options(solver(), soon()));
        assert!(matches!(inhabited, Inhabited::Stopped(Cause::Timeout)), "{inhabited:?}");
        let told = verify::subtype(&program, &cubes, &null, &options(solver(), soon()));
        assert!(matches!(told, Subtype::Stopped(Cause::Timeout)), "{told:?}");
    }
}

/// What is proved stays proved, and is not certified.
#[test]
fn while_proofs_are_repeated() {
    let program = program(SMALL);
    let certifier = smt::Program { kind: smt::Kind::Cvc5, ..asleep() };
    let stop = Stop::after(Duration::from_secs(2));
    let answers =
        corpus::answers(verify::check, &program, &Options { certifier: Some(certifier), ..options(z3(), stop) });
    assert!(answers.iter().all(|a| a.is_stopped() && !a.is_proved()), "{answers:?}");
}

#[test]
fn while_reading() {
    let text: String = (0..20_000).map(|k| format!("f{k}(x: Integer) : Integer {{ x + 1 }}\n")).collect();
    let due = Stop::default();
    due.raise(Cause::Interrupted);
    let loaded = load_until(&text, FileId(0), &due);
    assert!(loaded.program.is_none() && loaded.diagnostics.is_empty() && !loaded.has_errors());
    assert_eq!(loaded.stopped, Some(Cause::Interrupted));
    assert!(load_until(SMALL, FileId(0), &Stop::after(HOUR)).program.is_some());
}

/// Very many functions that call each other in a circle: what each rests on is not listed, nor kept.
#[test]
fn many_functions_that_lead_to_each_other() {
    const MANY: usize = 20_000;
    let call = |k: usize| format!("f{k}(x: Integer) : Integer {{ x > 0 ? f{}(x - 1) : 0 }}\n", (k + 1) % MANY);
    let calls: String = (0..MANY).map(call).collect();
    let wrong = "g(x: Integer) : Text { x } h(x: Integer) : Integer { g(x) == g(x) ? f7(x) : 0 }";
    let program = program(&format!("{calls}{wrong}"));
    let answers = corpus::answers(verify::check, &program, &options(z3(), Stop::after(HOUR)));
    assert!(answers[..MANY].iter().all(|a| a.is_proved() && a.assuming.is_empty()));
    assert!(matches!(answers[MANY].verdict, Verdict::Violated(_)));
    assert_eq!(answers[MANY + 1].assuming, [answers[MANY].subject]);
}

/// Under a limit that is too short for all of them, some are decided: the type that they rest on, and some of the functions.
#[test]
fn of_very_many_some_are_decided() {
    let one = |k: usize| format!("f{k}(x: Large) : (r: Integer where r > {k}) {{ x > {k} ? x : {} }}\n", k + 1);
    let large = "type Large : Integer where value > 5 && 10 / (value - value + 1) == 10;\n";
    let program = program(&format!("{large}{}", (0..3_000).map(one).collect::<String>()));
    let options = options(z3(), Stop::after(Duration::from_secs(4)));
    let answers = corpus::answers(verify::check, &program, &options);
    let proved = answers.iter().skip(1).filter(|a| a.is_proved()).count();
    assert!(answers[0].is_proved() && proved > 0 && answers.len() == 3_001, "{:?}, {proved}", answers[0].verdict);
    assert!(answers.iter().all(|a| a.is_proved() || a.is_stopped()));
}

/// A circle of types is found in one go: once it took a time that grew with the cube of their number.
#[test]
fn many_types_that_lead_to_each_other() {
    let types: String = (0..20_000).map(|k| format!("type T{k} : {{a: T{}?;}};\n", (k + 1) % 20_000)).collect();
    let loaded = load_until(&types, FileId(0), &Stop::after(HOUR));
    assert!(loaded.program.is_some_and(|program| program.types.iter().all(|named| named.is_recursive)));
    let unguarded: String = (0..2_000).map(|k| format!("type T{k} : Integer | T{};\n", (k + 1) % 2_000)).collect();
    let loaded = load_until(&format!("{unguarded}type U : T0 | {{u: U;}};"), FileId(0), &Stop::after(HOUR));
    assert_eq!(loaded.diagnostics.len(), 2_000, "`U` is guarded, and is on no circle with the others");
}
