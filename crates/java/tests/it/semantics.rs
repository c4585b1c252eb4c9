//! What lowered Java computes is what a JVM computes.
//!
//! Every `@Check static long` method of `tests/semantics/*.java` is run by the interpreter of the IR; `tests/semantics/expected.txt`
//! holds what `java -ea` (17) gave for the same method: a number, or the exception that escaped. `jvm` compares it
//! with the JVM, and makes it anew.

use ir::interp::{Interp, Linked, NoChoice, Outcome, run_statics};
use source::SourceMap;
use work::with_room;

fn load_all(name: &str, text: &str) -> java::Loaded {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let inputs = java::Inputs::new(&mut sources, vec![file]);
    match java::load(inputs) {
        Ok(loaded) => {
            let problems = ir::wellformed::problems(&loaded.program);
            assert!(problems.is_empty(), "{name}: {problems:#?}");
            loaded
        }
        Err(problems) => {
            let shown: Vec<String> = problems
                .iter()
                .map(|d| {
                    let at = d.span.map(|s| (sources.file(s.file).name.clone(), sources.start(s)));
                    format!("{at:?}: {} {} {:?}", d.id, d.message, d.help)
                })
                .collect();
            panic!("{name}: {shown:#?}")
        }
    }
}

fn check(class: &str, text: &str) -> Vec<String> {
    with_room(|| check_here(class, text)).expect("a thread with a large stack")
}

fn check_here(class: &str, text: &str) -> Vec<String> {
    let loaded = load_all(class, text);
    let program = &loaded.program;
    let expected: Vec<(&str, &str)> = include_str!("../semantics/expected.txt")
        .lines()
        .filter_map(|l| l.strip_prefix(class)?.strip_prefix('.')?.split_once(' '))
        .collect();
    let linked = Linked::new(program);
    let mut wrong = Vec::new();
    // Other classes of the file are checked by themselves.
    let operations =
        || loaded.checked.iter().filter(|c| program.class(c.class).name == class).flat_map(|c| &c.operations);
    for operation in operations() {
        let name = program.method(operation.method).name.clone();
        let wanted = expected.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        let got = match run_statics(&linked, 3) {
            Err(stop) => format!("{stop:?}"),
            Ok(heap) => {
                let mut interp = Interp::new(&linked, heap, NoChoice, 3);
                match interp.run(operation.method, &[]) {
                    Outcome::Normal(Some(ir::Value::Int(v))) => v.to_string(),
                    Outcome::Threw(object) => {
                        let full = program.class(interp.class_of(object)).name.clone();
                        full.rsplit('.').next().unwrap_or("").to_string()
                    }
                    other => format!("{other:?}"),
                }
            }
        };
        if wanted != Some(got.as_str()) {
            wrong.push(format!(
                "{class}.{name}: a JVM gives {wanted:?}, we {got}\n{}",
                ir::print::method(program, operation.method)
            ));
        }
    }
    assert_eq!(expected.len(), operations().count(), "methods of {class}");
    wrong
}

#[test]
fn code_computes_what_a_jvm_computes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/semantics");
    let files = std::fs::read_dir(folder).expect("the folder").map(|f| f.expect("a file").path());
    let java = files.filter(|f| f.extension().is_some_and(|e| e == "java"));
    let mut classes: Vec<(String, String)> = java
        .map(|f| (f.file_stem().expect("a name").display().to_string(), std::fs::read_to_string(&f).expect("text")))
        .filter(|(class, _)| class != "Run")
        .collect();
    classes.sort();
    let wrong: Vec<String> = classes.iter().flat_map(|(class, text)| check(class, text)).collect();
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}
