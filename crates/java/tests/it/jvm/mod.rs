//! Java's semantics compared with a real JVM: thousands of generated methods, each compiled by `javac` and run on the JVM,
//! and loaded by our front-end and run by our interpreter; and the recorded results of programs written by hand. Every
//! line has to agree.

mod generate;

use generate::Generator;
use ir::interp::{Interp, Limits, Linked, NoChoice, Outcome, run_statics};
use ir::{Program, Ty, Value};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use work::with_room;

const CLASSES: usize = 14;
const METHODS: usize = 100;

#[test]
fn as_on_the_jvm() {
    if !has_jdk() {
        return;
    }
    let texts: Vec<String> = (0..CLASSES).map(|i| Generator::new(i as u64 + 1).class(&class(i), METHODS)).collect();
    let (expected, ours) = std::thread::scope(|scope| {
        let jvm = scope.spawn(|| on_the_jvm(&texts));
        let ours: Vec<String> = texts.iter().enumerate().flat_map(|(i, text)| interpreted(&class(i), text)).collect();
        (jvm.join().expect("the JVM runs"), ours)
    });
    assert_eq!(expected.len(), CLASSES * METHODS);
    let wrong: Vec<String> = expected
        .iter()
        .zip(&ours)
        .filter(|(expected, ours)| expected != ours)
        .map(|(expected, ours)| format!("JVM: {expected}   here: {ours}"))
        .collect();
    assert!(wrong.is_empty() && ours.len() == expected.len(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// `semantics.rs` holds our interpreter to the recorded results of the programs written by hand; here the record is
/// held to the JVM. `UPDATE_EXPECT=1` writes it anew.
#[test]
fn the_record_of_the_jvm_is_up_to_date() {
    if !has_jdk() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics");
    let names = std::fs::read_dir(&folder).expect("the folder").map(|f| f.expect("a file").file_name());
    let names = names.map(|name| name.into_string().expect("a plain name"));
    let files: Vec<String> = names.filter(|name| name.ends_with(".java")).collect();
    let classes = files.iter().map(|file| file.trim_end_matches(".java")).filter(|class| *class != "Run");
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("semantics");
    let mut lines = compile_and_run(&folder, &out, &files, &[&["Run"], &classes.collect::<Vec<_>>()[..]].concat());
    lines.sort();
    let (found, record) = (lines.join("\n") + "\n", folder.join("expected.txt"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(record, found).expect("a record");
    } else {
        assert_eq!(std::fs::read_to_string(record).expect("a record"), found);
    }
}

fn has_jdk() -> bool {
    let missing = ["javac", "java"].into_iter().find(|tool| Command::new(tool).arg("-version").output().is_err());
    if let Some(tool) = missing {
        assert!(std::env::var_os("CI").is_none(), "{tool} is missing, and CI may not do without");
        eprintln!("skipped: {tool} is not installed");
    }
    missing.is_none()
}

fn class(index: usize) -> String {
    format!("T{index}")
}

/// One line per method: its name, then its value or the exception that escaped.
fn on_the_jvm(texts: &[String]) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("jvm");
    std::fs::create_dir_all(&folder).expect("a folder for the Java files");
    for (i, text) in texts.iter().enumerate() {
        std::fs::write(folder.join(format!("{}.java", class(i))), text).expect("a Java file");
    }
    std::fs::write(folder.join("Main.java"), harness(texts.len())).expect("a Java file");
    let files: Vec<String> = (0..texts.len()).map(class).chain(["Main".into()]).map(|n| format!("{n}.java")).collect();
    compile_and_run(&folder, &folder.join("out"), &files, &["Main"])
}

/// Files of a folder to an output folder, then the class that comes first with the rest as arguments: the lines it prints.
fn compile_and_run(folder: &Path, out: &Path, files: &[String], run: &[&str]) -> Vec<String> {
    let annotations = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java");
    // Short runs do not pay for the optimising compiler.
    let compiled = Command::new("javac")
        .args(["-nowarn", "-proc:none", "-g:none", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-sourcepath"])
        .arg(annotations)
        .arg("-d")
        .arg(out)
        .args(files)
        .current_dir(folder)
        .output()
        .expect("javac runs");
    assert!(compiled.status.success(), "javac: {}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new("java")
        .args(["-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"])
        .arg(out)
        .args(run)
        .output()
        .expect("java runs");
    assert!(run.status.success(), "java: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).lines().map(String::from).collect()
}

fn harness(classes: usize) -> String {
    let mut text = String::from(
        "public class Main {
    interface Method { long run(); }
    static void print(String name, Method method) {
        String result;
        try { result = Long.toString(method.run()); } catch (Throwable t) { result = t.getClass().getSimpleName(); }
        System.out.println(name + \" \" + result);
    }
",
    );
    for i in (0..classes).map(class) {
        let _ = writeln!(text, "    static void run{i}() {{");
        for method in 0..METHODS {
            let _ = writeln!(text, "        print(\"{i}.t{method}\", {i}::t{method});");
        }
        text.push_str("    }\n");
    }
    text.push_str("    public static void main(String[] args) {\n");
    for i in (0..classes).map(class) {
        let _ = writeln!(text, "        run{i}();");
    }
    text.push_str("    }\n}\n");
    text
}

/// The same lines from our own front-end and interpreter.
fn interpreted(class: &str, text: &str) -> Vec<String> {
    let mut sources = source::SourceMap::default();
    let file = sources.add(format!("{class}.java"), text);
    let inputs = java::Inputs { class: Some(class.into()), ..java::Inputs::new(&mut sources, vec![file]) };
    let loaded = java::load(inputs).unwrap_or_else(|problems| {
        let at = |d: &source::Diagnostic| {
            d.span.map_or(String::new(), |span| sources.line(span.file, sources.start(span).line).to_string())
        };
        let problems: Vec<String> = problems.iter().map(|d| format!("{d}: {}", at(d))).collect();
        panic!("{class}.java does not load: {}", problems.join("\n"))
    });
    let problems = ir::wellformed::problems(&loaded.program);
    assert!(problems.is_empty(), "{class}: {}", problems.join("\n"));
    let program = &loaded.program;
    let linked = Linked::new(program);
    let heap = with_room(|| run_statics(&linked, 0)).expect("a thread").expect("static initialisers run");
    let mut lines = Vec::new();
    for index in 0..METHODS {
        let name = format!("t{index}()");
        let operation = loaded.checked.iter().flat_map(|c| &c.operations).find(|o| o.name == name);
        let method = operation.unwrap_or_else(|| panic!("{class} has no {name}")).method;
        let mut interp = Interp::new(&linked, heap.clone(), NoChoice, 0);
        interp.limits = Limits { steps: 10_000_000, ..Limits::default() };
        let result = match with_room(|| interp.run(method, &[])).expect("a thread") {
            Outcome::Normal(Some(Value::Int(value))) => value.to_string(),
            Outcome::Threw(object) => simple_name(program, interp.heap.ty(object)),
            other => format!("{other:?}"),
        };
        lines.push(format!("{class}.t{index} {result}"));
    }
    lines
}

fn simple_name(program: &Program, ty: Ty) -> String {
    let name = program.ty_name(ty);
    name.rsplit('.').next().unwrap_or(&name).to_string()
}
