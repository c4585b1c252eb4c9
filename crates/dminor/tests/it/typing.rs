//! The type system next to the verifier, on the suite: what it accepts the verifier accepts too, and it accepts no wrong program.

use crate::corpus::{self, Check};
use dminor::bemol::Reading;
use dminor::generate::Generator;
use dminor::interp::{self, Interp, Random, Stop};
use dminor::program::FunId;
use dminor::typing::{self, Effort, Table};
use dminor::verify::{self, Answer, Options, Subject, Verdict};
use dminor::{Program, load};
use expect_test::expect;
use source::FileId;
use std::path::{Path, PathBuf};
use std::time::Duration;
use work::on_large_stack;

fn options(text: &str, seconds: f64) -> Options {
    Options {
        reading: Reading {
            strict_type_tests: text.contains("strict type tests"),
            strict_ops: text.contains("strict ops"),
        },
        lenient_types: false,
        solver: smt::find(None, &work::Stop::default()).expect("z3 is installed by scripts/test"),
        patience: Duration::from_secs_f64(seconds),
        threads: 2,
        tries: 0,
        certifier: None,
        stop: work::Stop::default(),
    }
}

fn programs(folder: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(path).expect("a folder").flatten().map(|e| e.path()).collect();
    files.sort();
    let only = std::env::var("ONLY").unwrap_or_default();
    files.retain(|f| f.to_string_lossy().contains(&only));
    let name = |f: &PathBuf| f.file_stem().map(|n| n.to_string_lossy().to_string()).unwrap_or_default();
    files.into_iter().map(|f| (name(&f), std::fs::read_to_string(f).expect("a text"))).collect()
}

fn name(program: &Program, answer: &Answer) -> String {
    match answer.subject {
        Subject::Type(id) => format!("type {}", program.named(id).name),
        Subject::Function(id) => program.function(id).name.clone(),
    }
}

fn is_accepted(answer: &Answer) -> bool {
    matches!(answer.verdict, Verdict::Verified)
}

fn answers(text: &str, seconds: f64, check: Check) -> (Program, Vec<Answer>) {
    on_large_stack(|| {
        let program = load(text, FileId(0)).program.expect("a program");
        let answers = corpus::answers(check, &program, &options(text, seconds));
        (program, answers)
    })
}

/// What is rejected, and which rules do not apply.
fn rejections(program: &Program, answers: &[Answer]) -> Vec<String> {
    let mut all = Vec::new();
    for answer in answers {
        if let Verdict::NotProved(open) = &answer.verdict {
            let mut kinds: Vec<String> = open.iter().map(|u| format!("{:?}", u.kind)).collect();
            kinds.dedup();
            all.push(format!("{}: {}", name(program, answer), kinds.join(", ")));
        }
    }
    all
}

/// What the type system accepts and the verifier does not.
fn only_typed(file: &str, program: &Program, by_types: &[Answer], by_conditions: &[Answer]) -> Vec<String> {
    let both = by_types.iter().zip(by_conditions);
    let only = both.filter(|(typed, verified)| is_accepted(typed) && !is_accepted(verified));
    only.map(|(typed, _)| format!("{file}: {}", name(program, typed))).collect()
}

/// For each program: how many declarations the type system accepts, how many the verifier does, of how many; which the type system does not,
/// and why.
#[test]
fn what_the_type_system_accepts_the_verifier_accepts() {
    let (mut lines, mut table, mut wrong) = (String::new(), Table::default(), Vec::new());
    for (file, text) in programs("ok") {
        let (program, by_types) = answers(&text, 5.0, typing::check);
        let (_, by_conditions) = answers(&text, 5.0, verify::check);
        table.add(&by_types, &by_conditions);
        wrong.extend(only_typed(&file, &program, &by_types, &by_conditions));
        let accepted = |answers: &[Answer]| answers.iter().filter(|a| is_accepted(a)).count();
        let line = format!(
            "{file:<20} {:>3} {:>3} {:>3}  {}",
            accepted(&by_types),
            accepted(&by_conditions),
            by_types.len(),
            rejections(&program, &by_types).join("; ")
        );
        lines.push_str(&format!("{}\n", line.trim_end()));
    }
    assert!(wrong.is_empty(), "only the type system accepts {}", wrong.join(", "));
    if std::env::var("ONLY").is_err() {
        assert_eq!((table.both, table.only_types, table.only_conditions, table.neither), (47, 0, 7, 0));
        expect![[r#"
            accumulate-entity      3   3   3
            all-and-exists         5   5   5
            arithmetic             6   6   6
            ascription             3   3   3
            collections            6   6   6
            comments               1   1   1
            conditionals           4   4   4
            config-merge          30  32  32  mergedEntries: Result; newEntries: Result
            copy                   0   2   2  copy: Invariant, Result; concat: Invariant, Result
            defaults               3   3   3
            dependent-pair         5   5   5
            dependent-parameters   3   3   3
            divergence             2   2   2
            division               4   4   4
            entities               5   5   5
            entity-equality        2   2   2
            factorial              3   3   3
            filter                 3   3   3
            group-by               4   4   4
            intersection           4   4   4
            invoices              26  28  28  missing: Result; invoices: Result
            join                   4   4   4
            json                   3   3   3
            labels                 5   5   5
            lets                   4   4   4
            list                   7   7   7
            maximum                3   3   3
            min-max                3   3   3
            modules-one            4   4   4
            money                  4   4   4
            multisets              4   4   4
            mutual                 8   8   8
            negation               5   5   5
            nullable-field         4   4   4
            nullable               3   3   3
            order-independent      4   4   4
            remove-nulls           1   2   2  removeNulls: Invariant, Result
            rose                   4   4   4
            schema-versions        5   6   6  all: Result
            select                 5   5   5
            short-circuit          3   3   3
            singletons             5   5   5
            state-machine          4   4   4
            sum                    2   3   3  count: Invariant, Result
            tagged                 6   6   6
            tree                   5   5   5
            type-test              2   2   2
            unions                 4   4   4
            valid-type-test        0   1   1  four: Operand(Gt)
            validate-foreign       3   3   3
            value-nests            3   3   3
            where-chain            3   3   3
            while-language        35  35  35
            width                  4   4   4
        "#]]
        .assert_eq(&lines);
    }
}

/// What the type system rejects in correct programs of which wrong ones are made; one of the wrong ones is made so in one of these.
const ALWAYS: [&str; 4] = ["missing", "invoices", "mergedEntries", "newEntries"];
const WRONG_THERE: &str = "config-merge-drops";

#[test]
fn no_wrong_program_is_accepted() {
    let mut wrong = Vec::new();
    for (file, text) in programs("reject").into_iter().step_by(2) {
        let (program, answers) = answers(&text, 0.3, typing::check);
        let is_found = |a: &Answer| !is_accepted(a) && (file == WRONG_THERE || !ALWAYS.contains(&&*name(&program, a)));
        if !answers.iter().any(is_found) {
            wrong.push(file);
        }
    }
    assert!(wrong.is_empty(), "accepted: {}", wrong.join(", "));
}

/// A program with one word changed, for each place and change.
fn mutants(text: &str) -> Vec<String> {
    const CHANGES: [(&str, &str); 18] = [
        (" + ", " - "),
        (" - ", " + "),
        (" < ", " <= "),
        (" > ", " >= "),
        (" >= ", " > "),
        (" <= ", " < "),
        (" == ", " != "),
        (" != ", " == "),
        (" && ", " || "),
        ("0", "1"),
        ("1", "0"),
        ("null", "0"),
        ("Integer", "Any"),
        ("Integer", "(Integer?)"),
        ("Text", "Integer"),
        ("{}", "{7}"),
        (" in Integer", " in Text"),
        ("value", "1"),
    ];
    let mut all = Vec::new();
    for (from, to) in CHANGES {
        for (at, _) in text.match_indices(from) {
            all.push(format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
        }
    }
    all
}

/// An input on which a function fails, with every contract checked.
fn failure(program: &Program) -> Option<String> {
    let options = interp::Options {
        strict_type_tests: false,
        strict_ops: false,
        contracts: true,
        fuel: Some(5_000),
        ..interp::Options::default()
    };
    for (k, function) in program.functions.iter().enumerate() {
        let id = FunId(k as u32);
        let mut generator = Generator::new(program, k as u64);
        for seed in 0..60 {
            let Some(arguments) = generator.arguments(id) else { continue };
            let mut chooser = Random::new(seed);
            if let Err(stop) = Interp::new(program, &options, &mut chooser).call(id, &arguments)
                && let Stop::Error(failure) = *stop
            {
                return Some(format!("{}({arguments:?}): {}", function.name, failure.message()));
            }
        }
    }
    None
}

/// Mistakes are made in correct programs: what is accepted then still does not fail.
#[test]
fn no_mistake_is_accepted() {
    let every: usize = std::env::var("EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(15);
    let small = programs("ok").into_iter().filter(|(_, text)| text.lines().count() < 20);
    let all: Vec<(String, String)> =
        small.flat_map(|(file, text)| mutants(&text).into_iter().map(move |m| (file.clone(), m))).collect();
    let (mut accepted, mut rejected, mut wrong) = (0, 0, Vec::new());
    for (file, text) in all.into_iter().skip(every / 2).step_by(every) {
        on_large_stack(|| {
            let Some(program) = load(&text, FileId(0)).program else { return };
            if !corpus::answers(typing::check, &program, &options(&text, 0.3)).iter().all(is_accepted) {
                rejected += 1;
                return;
            }
            accepted += 1;
            wrong.extend(failure(&program).map(|failure| format!("{file}: {failure}\n{text}")));
        });
    }
    assert!(wrong.is_empty(), "{accepted} accepted, {rejected} rejected, wrong:\n{}", wrong.join("\n"));
    assert!(accepted > 20 && rejected > 20, "{accepted} accepted, {rejected} rejected");
}

/// The declarations that are accepted.
fn accepted(text: &str) -> String {
    let (program, answers) = answers(text, 5.0, typing::check);
    answers.iter().filter(|a| is_accepted(a)).map(|a| name(&program, a)).collect::<Vec<_>>().join(" ")
}

#[test]
fn variables_do_not_leave_where_they_are_bound() {
    // What is known of one member is not known of the others, nor of what comes after the loop.
    let same = "same(x: Integer) : {x} { x }";
    let says = |f: &str| accepted(&format!("{same}\n{f}"));
    assert_eq!(says("f(c: Integer*, y: Integer) : {y}* { from x in c where x == y select same(x) }"), "same");
    assert_eq!(says("f(c: Integer*) : Integer* { from x in c select same(x) }"), "same f");
    assert_eq!(says("f(c: Integer*) : {1}* { from x in c where same(x) == 1 select 2 }"), "same");
    assert_eq!(says("f(c: Integer*) : {1}* { from x in c where x == 1 select x }"), "same f");
    assert_eq!(
        says("f(c: Any*) : Integer* { from x in (from y in c where y in Integer select {a => y}) select x.a + 1 }"),
        "same f"
    );
    assert_eq!(
        says("f(c: Any*) : Integer* { from x in (from y in c where y in Text select {a => y}) select x.a + 1 }"),
        "same"
    );
    assert_eq!(says("f(b: Logical) : Integer { let r = (b ? same(1) : null) in b ? r + 1 : 0 }"), "same f");
    assert_eq!(says("f(b: Logical) : Integer { let r = (b ? same(1) : null) in b ? 0 : r + 1 }"), "same");
    assert_eq!(says("f(b: Any) : Integer { (b in Integer && same(b) > 0) || b > 0 ? 1 : 0 }"), "same");
}

#[test]
fn parameters_are_replaced_all_at_once() {
    // The arguments of a call of the function itself mention its own parameters.
    let says = accepted;
    assert_eq!(says("f(x: Integer, y: Integer where value > x) : {true} { f(y, y + 1) }"), "f");
    assert_eq!(says("f(x: Integer, y: Integer where value > x) : {true} { f(y, x) }"), "");
    assert_eq!(
        says("f(x: Integer, y: Integer) : (value: Integer where value == x - y) { x == y ? 0 : -f(y, x) }"),
        "f"
    );
    assert_eq!(says("f(x: Integer, y: Integer) : (value: Integer where value == x - y) { x == y ? 0 : f(y, x) }"), "");
    assert_eq!(says("f(x: Integer) : (y: Integer where y in (x: Integer where x == y)) { x }"), "f");
}

#[test]
fn loops_in_types_are_functions() {
    // A type in which the order matters has no meaning: who relies on it is rejected as well.
    let last = "last(c: Integer*) : (r: Integer where r == (from x in c let y = 0 accumulate x)) { 0 }";
    assert_eq!(accepted(&format!("{last} f() : Text {{ let x = last({{1, 2}}) in 3 }}")), "");
    let sum = "sum(c: Integer*) : (r: Integer where r == (from x in c let y = 0 accumulate y + x)) {
        from x in c let y = 0 : Integer accumulate y + x
    }";
    assert_eq!(accepted(sum), "sum");
    assert_eq!(accepted(&sum.replace("Integer accumulate y + x", "Integer accumulate y - x")), "");
}

#[test]
fn an_invariant_of_the_accumulator_is_part_of_its_type() {
    let says = accepted;
    let f = "f(c: Integer*) : (Integer where value >= 0) { from x in c let n = 0 : Integer invariant n >= 0 accumulate n + 1 }";
    assert_eq!(says(f), "f");
    assert_eq!(says(&f.replace("n + 1 }", "n + x }")), "");
    assert_eq!(says(&f.replace("n = 0", "n = -1")), "");
    assert_eq!(says(&f.replace("invariant n >= 0", "invariant n")), "");
}

#[test]
fn readings_are_kept_to() {
    let f = "f(x: Any) : Logical { x in (y: Integer where y > 5) }";
    let g = "f(x: Any) : Logical { x in Integer && x > 5 }";
    assert_eq!([f, g].map(accepted), ["f", "f"]);
    assert_eq!(accepted(&format!("// strict type tests\n{f}")), "");
    assert_eq!(accepted(&format!("// strict ops\n{g}")), "");
}

#[test]
fn the_table_reads_as_one() {
    let effort = |queries, seconds| Effort { queries, seconds, solver_seconds: seconds / 2.0 };
    let table = Table {
        both: 62,
        only_types: 4,
        only_conditions: 2,
        neither: 31,
        types: effort(10, 1.0),
        conditions: effort(20, 2.5),
    };
    assert_eq!(table.programs(), 99);
    expect![[r#"
                                types accept    types reject
        conditions accept                 62               2
        conditions reject                  4              31

                                solver calls         seconds   in the solver
        types                             10            1.00            0.50
        conditions                        20            2.50            1.25
    "#]]
    .assert_eq(&table.to_string());
}
