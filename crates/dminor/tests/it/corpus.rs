//! What the tests share: reading a program, values as JSON, diagnostics as lines.

use dminor::interp::{First, Interp, Options, Stop};
use dminor::verify::{self, Answer, Subject};
use dminor::{Program, Value, json};
use source::{Diagnostic, FileId, SourceMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn program(text: &str) -> Program {
    let mut map = SourceMap::default();
    let id = map.add("test.dm", text);
    let loaded = dminor::load(text, id);
    assert!(!loaded.has_errors(), "{}\nin\n{text}", render(&map, &loaded.diagnostics));
    loaded.program.expect("a program without errors")
}

/// The programs of `suite/ok` or `suite/reject`, sorted by name.
pub fn suite(kind: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(kind);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("the suite").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let texts = paths.into_iter().map(|p| {
        let text = std::fs::read_to_string(&p).expect("UTF-8");
        (p, text)
    });
    texts.collect()
}

pub fn value(json: &str) -> Value {
    json::parse(json, FileId(0)).unwrap_or_else(|d| panic!("{json}: {d}")).value
}

pub fn render(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    test_kit::messages::render(map, diagnostics, false)
}

/// The value of the expression, or why there is none.
pub fn eval_with(text: &str, options: &Options) -> String {
    let source = format!("main() : Any {{ {text} }}");
    let program = program(&source);
    call(&program, "main", &[], options)
}

pub fn call(program: &Program, function: &str, arguments: &[Value], options: &Options) -> String {
    work::on_large_stack(|| {
        let id = program.function_called(function).expect("the function");
        let mut first = First;
        match Interp::new(program, options, &mut first).call(id, arguments) {
            Ok(value) => value.to_string(),
            Err(stop) => match *stop {
                Stop::Error(failure) => format!("Error: {}", failure.message()),
                Stop::Limit(limit, _) => format!("limit: {limit:?}"),
            },
        }
    })
}

/// A method of checking a program.
pub type Check = fn(&Arc<Program>, &verify::Options, &mut dyn FnMut(Subject), &mut dyn FnMut(Answer));

/// All answers of a method.
pub fn answers(check: Check, program: &Program, options: &verify::Options) -> Vec<Answer> {
    let mut all = Vec::new();
    check(&Arc::new(program.clone()), options, &mut |_| {}, &mut |answer| all.push(answer));
    all
}
