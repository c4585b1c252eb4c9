//! The type system next to the verifier, on the suite: what it accepts the verifier accepts too, and it accepts no wrong program.

use dminor::typing::{self, Table};
use dminor::verify::{self, Answer, Options, Reading, Subject, Verdict};
use dminor::{Program, load, on_large_stack};
use expect_test::expect;
use source::FileId;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn options(text: &str, seconds: u64) -> Options {
    Options {
        reading: Reading {
            strict_type_tests: text.contains("strict type tests"),
            strict_ops: text.contains("strict ops"),
        },
        lenient_types: false,
        solver: smt::find(None).expect("z3 is installed by scripts/test"),
        patience: Duration::from_secs(seconds),
        threads: 2,
        tries: 0,
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

type Check = fn(&Program, &Options) -> Vec<Answer>;

fn answers(text: &str, seconds: u64, check: Check) -> (Program, Vec<Answer>) {
    on_large_stack(|| {
        let program = load(text, FileId(0)).program.expect("a program");
        let answers = check(&program, &options(text, seconds));
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
        let (program, by_types) = answers(&text, 5, typing::check);
        let (_, by_conditions) = answers(&text, 5, verify::check);
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
    for (file, text) in programs("reject") {
        let (program, answers) = answers(&text, 1, typing::check);
        let is_found = |a: &Answer| !is_accepted(a) && (file == WRONG_THERE || !ALWAYS.contains(&&*name(&program, a)));
        if !answers.iter().any(is_found) {
            wrong.push(file);
        }
    }
    assert!(wrong.is_empty(), "accepted: {}", wrong.join(", "));
}
