//! The paper's own pipeline: Dminor to Bemol to Boogie to Z3, on every program of the suite. Boogie takes what is written; it proves
//! the correct programs, but for those listed here; and it proves no function that fails.

use crate::corpus;
use dminor::Program;
use dminor::bemol::{self, Reading};
use dminor::generate::Generator;
use dminor::interp::{Contract, Failure, Fault, First, Interp, Options, Random, Stop};
use dminor::program::FunId;
use source::SourceMap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const BOTH_STRICT: Reading = Reading { strict_type_tests: true, strict_ops: true };

/// Correct, but not proved: that an accumulate in a type does not fail on any collection takes induction.
const UNPROVED: [&str; 1] = ["order-independent: isBalanced"];

/// They end by not ending.
const NEVER_RETURN: [&str; 1] = ["divergence: forever"];

/// Processes at a time.
const AT_ONCE: usize = 2;

struct Case {
    name: String,
    program: Program,
    map: SourceMap,
}

fn cases(kind: &str) -> Vec<Case> {
    let read = |(path, text): (PathBuf, String)| {
        let mut map = SourceMap::default();
        let file = map.add("test.dm", &*text);
        let program = dminor::load(&text, file).program.expect("a program");
        Case { name: path.file_stem().expect("a name").to_string_lossy().to_string(), program, map }
    };
    corpus::suite(kind).into_iter().map(read).collect()
}

fn has_boogie() -> bool {
    let missing = ["boogie", "z3"].into_iter().find(|tool| Command::new(tool).arg("-version").output().is_err());
    if let Some(tool) = missing {
        assert!(std::env::var_os("CI").is_none(), "{tool} is missing, and CI may not do without");
        eprintln!("skipped: {tool} is not installed");
    }
    missing.is_none()
}

/// By program and procedure, whether it was proved.
type Verdicts = BTreeMap<(String, String), bool>;

fn verify(folder: &str, cases: &[Case], write: impl Fn(&Case) -> String) -> Verdicts {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("boogie").join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let files: Vec<String> = cases.iter().map(|case| format!("{}.bpl", case.name)).collect();
    for (case, file) in cases.iter().zip(&files) {
        std::fs::write(folder.join(file), write(case)).expect("a file");
    }
    let run = |part: usize| {
        let files = files.iter().skip(part).step_by(AT_ONCE);
        let mut boogie = Command::new("boogie");
        boogie.args(["/trace", "/timeLimit:5", "/verifySeparately"]).args(files).current_dir(&folder);
        String::from_utf8_lossy(&boogie.output().expect("boogie runs").stdout).to_string()
    };
    let mut verdicts = Verdicts::new();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..AT_ONCE).map(|part| scope.spawn(move || run(part))).collect();
        for run in runs {
            read(&run.join().expect("a run"), &mut verdicts);
        }
    });
    verdicts
}

fn read(trace: &str, verdicts: &mut Verdicts) {
    let (mut file, mut procedure) = ("", None);
    for line in trace.lines() {
        if let Some(name) = line.strip_prefix("Parsing ") {
            file = name.strip_suffix(".bpl").unwrap_or(name);
        } else if let Some(name) = line.strip_prefix("Verifying ") {
            procedure = Some(name.trim_end_matches(" ..."));
        } else if line.contains("proof obligation")
            && let Some(procedure) = procedure.take()
        {
            verdicts.insert((file.to_string(), procedure.to_string()), line.ends_with("  verified"));
        }
        assert!(!line.contains("errors detected in"), "{file}: Boogie does not take it: {trace}");
    }
}

/// The verdict about each function of each program, in the order of the programs.
fn functions<'c>(cases: &'c [Case], verdicts: &Verdicts, prefix: &str) -> Vec<(&'c Case, FunId, bool)> {
    let mut all = Vec::new();
    for case in cases {
        for k in 0..case.program.functions.len() {
            let id = FunId(k as u32);
            let procedure = format!("{prefix}{}", bemol::boogie_name(&case.program, id));
            let verdict = verdicts.get(&(case.name.clone(), procedure.clone()));
            let verdict = verdict.unwrap_or_else(|| panic!("{}: nothing was said about {procedure}", case.name));
            all.push((case, id, *verdict));
        }
    }
    all
}

fn called(case: &Case, id: FunId) -> String {
    format!("{}: {}", case.name, case.program.function(id).name)
}

/// Whether the function is to blame, not one that it calls.
fn is_its_own(failure: &Failure) -> bool {
    match (&failure.fault, failure.calls.len()) {
        (Fault::Contract { contract: Contract::Parameter, .. }, calls) => calls == 1,
        (_, calls) => calls == 0,
    }
}

/// Whether an input is found on which the function itself goes wrong.
fn fails(program: &Program, reading: Reading, id: FunId) -> bool {
    let Reading { strict_type_tests, strict_ops } = reading;
    let options = Options { strict_type_tests, strict_ops, contracts: true, fuel: Some(4_000), ..Options::default() };
    let mut generator = Generator::new(program, 5);
    (0..60).any(|seed| {
        let Some(arguments) = generator.arguments(id) else { return false };
        let mut random = Random::new(seed);
        // Under a strict reading, the types of parameters themselves may fail: then the caller is to blame.
        let is_well_typed = matches!(Interp::new(program, &options, &mut First).ill_typed(id, &arguments), Ok(None));
        match Interp::new(program, &options, &mut random).call(id, &arguments) {
            Err(stop) => is_well_typed && matches!(&*stop, Stop::Error(failure) if is_its_own(failure)),
            Ok(_) => false,
        }
    })
}

#[test]
fn correct_programs_are_proved() {
    if !has_boogie() {
        return;
    }
    let cases = cases("ok");
    let verdicts = verify("ok", &cases, |c| bemol::boogie(&c.program, Reading::default(), &c.map));
    let all = functions(&cases, &verdicts, "");
    let unproved: Vec<String> = all.iter().filter(|(.., proved)| !proved).map(|(c, id, _)| called(c, *id)).collect();
    assert_eq!(unproved, UNPROVED, "of {}", all.len());
    assert_eq!(verdicts.get(&("order-independent".to_string(), "order.0".to_string())), Some(&true));
}

#[test]
fn wrong_programs_are_not() {
    if !has_boogie() {
        return;
    }
    let cases: Vec<Case> = cases("reject").into_iter().step_by(2).collect();
    let verdicts = verify("reject", &cases, |c| bemol::boogie(&c.program, Reading::default(), &c.map));
    let all = functions(&cases, &verdicts, "");
    for case in &cases {
        let proved = all.iter().filter(|(c, ..)| c.name == case.name).all(|(.., proved)| *proved);
        assert!(!proved, "{}: all functions were proved", case.name);
    }
    let wrong = work::on_large_stack(|| {
        let proved = all.iter().filter(|(.., proved)| *proved);
        let wrong = proved.filter(|(case, id, _)| fails(&case.program, Reading::default(), *id));
        wrong.map(|(case, id, _)| called(case, *id)).collect::<Vec<String>>()
    });
    assert!(wrong.is_empty(), "proved, but they fail: {wrong:?}");
    let failing = work::on_large_stack(|| {
        all.iter().filter(|(case, id, _)| fails(&case.program, Reading::default(), *id)).count()
    });
    assert!(failing > 30, "{failing}");
}

/// The strict readings reject more: what fails under them is not proved under them.
#[test]
fn strict_readings_are_strict() {
    if !has_boogie() {
        return;
    }
    let cases: Vec<Case> = cases("ok").into_iter().filter(|c| c.program.functions.len() <= 7).step_by(2).collect();
    let verdicts = verify("strict", &cases, |c| bemol::boogie(&c.program, BOTH_STRICT, &c.map));
    let all = functions(&cases, &verdicts, "");
    let (mut wrong, mut failing) = (Vec::new(), 0);
    work::on_large_stack(|| {
        for (case, id, proved) in &all {
            if fails(&case.program, BOTH_STRICT, *id) {
                failing += 1;
                if *proved {
                    wrong.push(called(case, *id));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "proved, but they fail: {wrong:?}");
    assert!(failing > 5, "{failing}");
}

/// Nothing follows from the axioms alone, or from a body and what is taken for granted of its loops.
#[test]
fn nothing_contradicts_itself() {
    if !has_boogie() {
        return;
    }
    let cases: Vec<Case> = cases("ok").into_iter().step_by(2).collect();
    let verdicts = verify("smoke", &cases, |c| bemol::boogie_smoke(&c.program, Reading::default(), &c.map));
    for (prefix, expected) in [("", &[] as &[&str]), ("end.", &NEVER_RETURN)] {
        let all = functions(&cases, &verdicts, prefix);
        let proved: Vec<String> = all.iter().filter(|(.., proved)| *proved).map(|(c, id, _)| called(c, *id)).collect();
        assert_eq!(proved, expected, "proved `false`");
    }
}

/// Small changes, most of which are mistakes.
const CHANGES: [(&str, &str); 16] = [
    (" < ", " <= "),
    (" >= ", " > "),
    (" > ", " >= "),
    (" + ", " - "),
    (" && ", " || "),
    ("==", "!="),
    ("!=", "=="),
    ("Integer", "Any"),
    ("Text", "Any"),
    ("0", "1"),
    ("1", "2"),
    ("null", "0"),
    ("?;", ";"),
    ("{}", "null"),
    (" | ", " & "),
    (" where ", " where !"),
];

/// Random mistakes: whoever is seen to fail is not proved.
#[test]
fn mistakes_are_not_proved() {
    if !has_boogie() {
        return;
    }
    let mut random = Random::new(4);
    let mut cases = Vec::new();
    for (path, text) in corpus::suite("ok").into_iter().filter(|(_, text)| text.lines().count() < 20) {
        for _ in 0..2 {
            let (from, to) = CHANGES[random.below(CHANGES.len())];
            let places: Vec<usize> = text.match_indices(from).map(|(k, _)| k).collect();
            let Some(&at) = places.get(random.below(places.len())) else { continue };
            let text = format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
            let mut map = SourceMap::default();
            let file = map.add("test.dm", &*text);
            if let Some(program) = dminor::load(&text, file).program {
                let name = path.file_stem().expect("a name").to_string_lossy();
                cases.push(Case { name: format!("{name}-{}", cases.len()), program, map });
            }
        }
    }
    let verdicts = verify("mistakes", &cases, |c| bemol::boogie(&c.program, Reading::default(), &c.map));
    let all = functions(&cases, &verdicts, "");
    let failing: Vec<_> = work::on_large_stack(|| {
        all.iter().filter(|(case, id, _)| fails(&case.program, Reading::default(), *id)).collect()
    });
    let wrong: Vec<String> =
        failing.iter().filter(|(.., proved)| *proved).map(|(case, id, _)| called(case, *id)).collect();
    assert!(wrong.is_empty(), "proved, but they fail: {wrong:?}");
    assert!(failing.len() > 20, "{} of {}", failing.len(), all.len());
}

/// What the suite has little of: loops, lets and tests in types, and names that Boogie knows, or the prelude, or that need quotes.
const CORNERS: &str = r#"
type Keyed : {items: {k: Integer; v: Text;}*;} where (from i in value.items where i.k > 0 select i.k) == {1};
type Sum : {amounts: Integer*; total: Integer;} where value.total == (from x in value.amounts let s = 0 : Integer accumulate s + x);
type Deep : (a: Any where a in (b: Integer where b in (c: Integer where
  (let d = c + 1 in let e = (d > 3 ? d : c) in e in (f: Integer where f > 2)))));
type Lets : (x: Integer where let y = (x > 0 ? x : 0 - x) in {y} in ((q: Integer where q >= 0)*));
quoted(x: {"é \"q\" \n": Text; if: Integer; "": Any;}) : {"a\nb"} | {"c//"} | {"*/"} {
  x.if > 0 ? "a\nb" : x.if == 0 ? "c//" : "*/"
}
procedure(type1: Integer, var: Text, text: Text, m: Integer, v: Any) : (b: Text where b == "x" || b == text) { m > 0 ? text : "x" }
texts(t: Text) : {"x"} { t == "x" ? t : "x" }
keyed(s: Text) : Keyed { {items => {{k => 1, v => s}, {k => -1, v => "none"}}} }
sum(n: Integer) : Sum { {amounts => {n}, total => n} }
deep(x: Deep) : (y: Integer where y > 2) { x }
lets(x: Integer) : Lets { x }
minus(x: Integer) : {-5} | (y: Integer where y != -5) { x }
nested(c: (Integer where value > 0)**) : (Integer where value > 1)** { from b in c select (from x in b select x * 2) }
power(n: Integer where value >= 0) : (r: Integer where r > n) { n == 0 ? 1 : 2 * power(n - 1) }
powers(c: (Integer where value >= 0)*) : (Integer where value > 3)* { from n in c where power(n) > 3 select (let p = power(n + 3) in p) }
order(a: Integer, b: Integer where value > a) : (r: Integer where r == b - a) { b - a }
swapped(a: Integer, b: Integer where value < a) : (Integer where value > 0)* { from x in {1} select order(b, a) }
large() : {123456789012345678901234567890123} { 123456789012345678901234567890122 + 1 }
wrongTexts(t: Text) : {"x"} { t }
wrongKeyed(s: Text) : Keyed { {items => {{k => 2, v => s}}} }
wrongSum(n: Integer) : Sum { {amounts => {n, 1}, total => n} }
wrongDeep(x: Deep) : (y: Integer where y > 3) { x }
wrongPowers(c: (Integer where value >= 0)*) : (Integer where value > 3)* { from n in c select power(n) }
wrongSwapped(a: Integer, b: Integer where value < a) : Integer* { from x in {1} select order(a, b) }
"#;

#[test]
fn corners() {
    if !has_boogie() {
        return;
    }
    let mut map = SourceMap::default();
    let file = map.add("test.dm", CORNERS);
    let program = dminor::load(CORNERS, file).program.expect("a program");
    let cases = [Case { name: "corners".to_string(), program, map }];
    let verdicts = verify("corners", &cases, |c| bemol::boogie(&c.program, Reading::default(), &c.map));
    for (case, id, proved) in functions(&cases, &verdicts, "") {
        let name = &case.program.function(id).name;
        assert_eq!(proved, !name.starts_with("wrong"), "{name}");
    }
    let smoke = verify("corners-smoke", &cases, |c| bemol::boogie_smoke(&c.program, Reading::default(), &c.map));
    assert!(
        smoke.len() == 2 * cases[0].program.functions.len() && smoke.values().all(|proved| !proved),
        "proved `false`: {smoke:?}"
    );
    // Boogie takes what is written for the strict readings, too.
    verify("corners-strict", &cases, |c| bemol::boogie(&c.program, BOTH_STRICT, &c.map));
}
