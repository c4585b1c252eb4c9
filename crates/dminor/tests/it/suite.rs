//! The programs of `suite/`: those in `ok` run without failure on random inputs, with every contract checked, whatever the order of
//! accumulates; those in `reject` fail on the input that their first line gives.

use crate::corpus::{program, suite};
use dminor::generate::Generator;
use dminor::interp::{Chooser, First, Interp, Options, Random, Stop, find_failure};
use dminor::program::FunId;
use dminor::{Program, Value};
use std::path::Path;

fn options() -> Options {
    Options { contracts: true, fuel: Some(20_000), ..Options::default() }
}

/// Inputs per function, and how many must have been found.
const INPUTS: usize = 300;
const LEAST: usize = 100;

fn failure(program: &Program, id: FunId, arguments: &[Value], chooser: &mut dyn Chooser) -> Option<String> {
    match Interp::new(program, &options(), chooser).call(id, arguments) {
        Ok(_) => None,
        Err(stop) => match *stop {
            Stop::Error(failure) => Some(failure.message()),
            // Partial correctness: what does not end does not fail.
            Stop::Limit(..) => None,
        },
    }
}

#[test]
fn correct_programs_do_not_fail() {
    let problems: Vec<String> = work::on_large_stack(|| {
        let mut problems = Vec::new();
        for (path, text) in suite("ok") {
            let program = program(&text);
            let name = path.file_stem().expect("a name").to_string_lossy().to_string();
            for (k, function) in program.functions.iter().enumerate() {
                let id = FunId(k as u32);
                let mut generator = Generator::new(&program, k as u64);
                let mut found = 0;
                for seed in 0..INPUTS as u64 {
                    let Some(arguments) = generator.arguments(id) else { continue };
                    found += 1;
                    let choosers: [&mut dyn Chooser; 2] = [&mut First, &mut Random::new(seed)];
                    for chooser in choosers {
                        if let Some(failure) = failure(&program, id, &arguments, chooser) {
                            let shown: Vec<String> = arguments.iter().map(|a| a.to_string()).collect();
                            problems.push(format!("{name}: {}({}): {failure}", function.name, shown.join(", ")));
                            break;
                        }
                    }
                }
                if found < LEAST {
                    problems.push(format!("{name}: {}: only {found} inputs found", function.name));
                }
            }
        }
        problems
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn wrong_programs_fail_on_the_given_input() {
    for (path, text) in suite("reject") {
        let name = path.display();
        let line = text.lines().next().unwrap_or("").strip_prefix("// fails: ").expect("what fails");
        let function = line.split_once('(').expect("a call").0;
        let arguments = in_order(line);
        let program = program(&text);
        let id = program.function_called(function).unwrap_or_else(|| panic!("{name}: no function {function}"));
        let ill_typed = Interp::new(&program, &Options::default(), &mut First).ill_typed(id, &arguments);
        assert!(matches!(ill_typed, Ok(None)), "{name}: the arguments are not in the types of the parameters");
        let tried = find_failure(&program, &options(), id, &arguments, 10_000);
        assert!(tried.failure.is_some(), "{name}: no order of accumulates fails");
    }
}

/// Random inputs are no proof, but the inputs that correct programs survive should find the mistakes of the others.
#[test]
fn random_inputs_find_the_mistakes() {
    let missed: Vec<String> = work::on_large_stack(|| {
        let is_found = |text: &str| {
            let program = program(text);
            program.functions.iter().enumerate().any(|(k, _)| {
                let mut generator = Generator::new(&program, 1);
                (0..INPUTS as u64).any(|seed| {
                    let arguments = generator.arguments(FunId(k as u32));
                    let fails =
                        |a: Vec<Value>| failure(&program, FunId(k as u32), &a, &mut Random::new(seed)).is_some();
                    arguments.is_some_and(fails)
                })
            })
        };
        let missed = suite("reject").into_iter().filter(|(_, text)| !is_found(text));
        missed.map(|(path, _)| path.file_stem().expect("a name").to_string_lossy().to_string()).collect()
    });
    assert!(missed.is_empty(), "missed: {}", missed.join(", "));
}

/// In the order of the parameters.
fn in_order(call: &str) -> Vec<Value> {
    let inner = call.split_once('(').expect("a call").1.trim_end().strip_suffix(')').expect("a call");
    let data = dminor::json::parse(&format!("[{inner}]"), source::FileId(0)).expect("JSON");
    let dminor::json::Parts::Members(members) = data.parts else { return Vec::new() };
    members.into_iter().map(|m| m.value).collect()
}

/// The programs that the pages of the project show can be read.
#[test]
fn programs_in_the_documentation_are_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for page in ["docs/dminor.md", "README.md"] {
        let text = std::fs::read_to_string(root.join(page)).expect("the page");
        let shown = text.split("```").skip(1).step_by(2).filter(|block| block.contains("type Cents :"));
        assert_eq!(shown.map(|block| program(block).functions.len()).filter(|n| *n > 0).count(), 1, "{page}");
    }
}
