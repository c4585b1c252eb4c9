//! What a file is, by its name: several kinds at once, folders, names that say nothing, and options that are for other inputs.

use crate::{Ran, glassbox, items, object};
use std::path::PathBuf;

/// A folder of its own, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("kinds-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
    }
    folder
}

const GOOD_JAVA: &str = "import glassbox.*;\npublic class Good { int n; @Declarative boolean repOk() { return n >= 0; } void up() { if (n < 3) n++; } }\n";
const BAD_JAVA: &str = "import glassbox.*;\npublic class Bad { int n; @Declarative boolean repOk() { return n >= 0; } void down() { n--; } }\n";
const GOOD_DM: &str = "f(x: Integer) : Integer { x + 1 }\n";
const GOOD_LANG: &str = "language a\nsyntax\n  t ::= 0 | s t\njudgment ⊢ t ok\n  ⊢ 0 ok  [Z]\n\n  ⊢ t ok\n  -------- S\n  ⊢ s t ok\nbounds t: size 4\ncheck all : ⊢ t ok => ⊢ t ok\n";

fn check(files: &[&PathBuf], more: &[&str]) -> Ran {
    let files: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    let arguments: Vec<&str> =
        ["check"].into_iter().chain(files.iter().map(String::as_str)).chain(more.iter().copied()).collect();
    glassbox(&arguments)
}

/// Each file as what it is, a summary for each, and the worst status.
#[test]
fn several_kinds_at_once() {
    let files =
        folder("mixed", &[("Good.java", GOOD_JAVA), ("Bad.java", BAD_JAVA), ("a.dm", GOOD_DM), ("a.lang", GOOD_LANG)]);
    let file = |name: &str| files.join(name);
    let (good, bad, dm, lang) = (file("Good.java"), file("Bad.java"), file("a.dm"), file("a.lang"));
    let ran = check(&[&good, &dm, &lang], &[]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout.matches("\n== ").count() + usize::from(ran.stdout.starts_with("== ")), 3, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("1 function verified for all inputs") && ran.stdout.contains("1 check holds"),
        "{}",
        ran.stdout
    );
    let ran = check(&[&dm, &bad, &lang], &["--json"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    let report = object(&ran);
    let kinds: Vec<&str> =
        report["subjects"].as_array().expect("subjects").iter().filter_map(|s| s["kind"].as_str()).collect();
    assert_eq!(kinds, ["program", "class", "language"]);
    // Places are in the right file.
    let violated = items(&report).into_iter().find(|i| i["verdict"] == "violated").expect("a violation");
    assert!(violated["failures"][0]["problems"][0]["place"]["file"].as_str().is_some_and(|f| f.ends_with("Bad.java")));
    // One of them has nothing to check: that is not "verified".
    let empty = folder("empty", &[("b.dm", "// nothing\n")]).join("b.dm");
    assert_eq!(check(&[&dm, &empty], &[]).status, 3);
    assert_eq!(check(&[&dm, &empty], &["--json"]).status, 3);
    // Bad input in one does not keep the others from being checked, and is worse than not to know.
    let broken = folder("broken", &[("c.dm", "f(\n")]).join("c.dm");
    let ran = check(&[&broken, &dm], &["--json"]);
    assert_eq!((ran.status, items(&object(&ran)).len()), (2, 1), "{}", ran.stdout);
    assert_eq!(check(&[&broken, &bad], &[]).status, 1);
}

#[test]
fn a_folder_is_searched_for_all_kinds() {
    let all = folder("all", &[("Good.java", GOOD_JAVA), ("a.dm", GOOD_DM), ("a.lang", GOOD_LANG), ("notes.txt", "")]);
    let ran = check(&[&all], &["--json"]);
    assert_eq!((ran.status, object(&ran)["subjects"].as_array().map(Vec::len)), (0, Some(3)), "{}", ran.stdout);
    // Folders in it, each by itself, if it has no files of its own: two classes of one name do not meet.
    let nested = folder("nested", &[("one/Good.java", GOOD_JAVA), ("two/Good.java", GOOD_JAVA), ("two/a.dm", GOOD_DM)]);
    let ran = check(&[&nested], &["--json"]);
    assert_eq!((ran.status, object(&ran)["subjects"].as_array().map(Vec::len)), (0, Some(3)), "{}", ran.stdout);
    let none = folder("none", &[("notes.txt", "")]);
    let ran = check(&[&none], &[]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("error[no-file]") && ran.stderr.contains(".java"), "{}", ran.stderr);
}

#[test]
fn a_name_that_says_nothing() {
    let files = folder("names", &[("a.txt", ""), ("b", "")]);
    for name in ["a.txt", "b"] {
        let ran = check(&[&files.join(name)], &[]);
        assert_eq!(ran.status, 2);
        for known in [".java", ".lang", ".dm", ".fl", ".sl", ".al", ".scope"] {
            assert!(ran.stderr.contains(known), "{}", ran.stderr);
        }
    }
}

/// A pipe is read like a file.
#[test]
fn a_pipe_with_a_name() {
    let folder = folder("pipe", &[("x", "")]);
    let pipe = folder.join("p.dm");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, GOOD_DM)
    });
    let ran = check(&[&pipe], &[]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(writer.join().expect("a writer").is_ok());
    // One that nobody writes to ends with the time.
    let ran = check(&[&pipe], &["--timeout", "0.3", "--json"]);
    assert_eq!((ran.status, &object(&ran)["warnings"][0]["id"]), (3, &"timeout".into()), "{}", ran.stdout);
}

/// One file of a module brings the other two.
#[test]
fn a_module_by_one_of_its_files() {
    for end in ["fl", "sl", "al"] {
        let ran = glassbox(&["check", &format!("examples/hob/scheduler/Scheduler.{end}"), "--json"]);
        let named: Vec<String> = items(&object(&ran)).iter().map(|i| i["subject"].to_string()).collect();
        assert_eq!(ran.status, 0, "{}", ran.stdout);
        assert!(!named.is_empty() && named.iter().all(|s| s == "\"Scheduler\""), "{end}: {named:?}");
    }
}

/// An option that does not apply says what it is for.
#[test]
fn options_for_other_inputs_are_refused() {
    let java = "examples/java/stack/Stack.java";
    let lang = "examples/lang/arith.lang";
    let dm = "examples/dminor/invoices.dm";
    let hob = "examples/hob/scheduler";
    for (file, option, of) in [
        (dm, "--coverage", "Java classes"),
        (lang, "--coverage", "Java classes"),
        (hob, "--method=put", "Java classes"),
        (dm, "--method=types", "Java classes"),
        (java, "--latex", "languages"),
        (dm, "--mutate", "languages"),
        (hob, "--bounds=t: size 3", "languages"),
        (java, "--bounds=t: size 3", "languages"),
        (java, "--module=M", "Hob modules"),
        (lang, "--check-null", "Hob modules"),
        (java, "--lenient-types", "Dminor programs"),
        (hob, "--solver=z3", "Dminor programs"),
        (lang, "--emit=smt2", "Dminor programs and Hob modules"),
        (dm, "--engine=exhaustive", "Java classes and languages"),
        (hob, "--engine=exhaustive", "Java classes and languages"),
        (dm, "--size=3", "Java classes and Hob modules"),
        (lang, "--size=3", "Java classes and Hob modules"),
        (lang, "--max-steps=3", "Java classes"),
    ] {
        let ran = glassbox(&["check", file, option]);
        let (name, _) = option.split_once('=').unwrap_or((option, ""));
        assert_eq!(ran.status, 2, "{file} {option}: {}", ran.stdout);
        assert!(ran.stderr.contains(&format!("{name} is for {of}, and ")), "{file} {option}: {}", ran.stderr);
    }
    let ran = glassbox(&["run", lang, "0", "--order", "1"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("--order is for Dminor programs"), "{}", ran.stderr);
    // It applies to one of them.
    let mixed = folder("options", &[("Good.java", GOOD_JAVA), ("a.dm", GOOD_DM)]);
    assert_eq!(check(&[&mixed], &["--size", "2"]).status, 0);
}
