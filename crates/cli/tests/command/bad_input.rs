//! Each kind of bad input: a located message with advice, and status 2.

use crate::{check, run};
use expect_test::{Expect, expect};

fn check_bad(file: &str, expected: Expect) {
    check(&format!("crates/cli/tests/bad/{file}.java --size 2"), expected);
}

#[test]
fn syntax_error() {
    check_bad(
        "SyntaxError",
        expect![[r#"
            error[syntax-error]: syntax error at or after `+`
             --> crates/cli/tests/bad/SyntaxError.java:7:15
              |
            7 |         x = x + ;
              |               ^
              |
              = help: look for a bracket, comma or operator too many or too few

            exit 2
        "#]],
    );
}

#[test]
fn unknown_type() {
    check_bad(
        "UnknownType",
        expect![[r#"
        error[unknown-type]: the type `Nood` is not known
         --> crates/cli/tests/bad/UnknownType.java:4:5
          |
        4 |     Nood first;
          |     ^^^^
          |
          = help: name its file on the command line, or give its source with `--source-path`

        exit 2
    "#]],
    );
}

#[test]
fn side_effect_in_declarative_code() {
    check_bad(
        "SideEffect",
        expect![[r#"
        error[not-declarative]: an assignment to the field `x` in declarative code
          --> crates/cli/tests/bad/SideEffect.java:12:9
           |
        11 |     boolean repOk() {
           |             ----- `repOk` is declarative
        12 |         x = 0;
           |         ^^^^^
           |
           = help: declarative code computes a value and changes nothing but its own variables

        exit 2
    "#]],
    );
}

#[test]
fn no_invariant() {
    check_bad(
        "NoInvariant",
        expect![[r#"
        error[no-invariant]: no class has an invariant: there is nothing to check
         --> crates/cli/tests/bad/NoInvariant.java:1:14
          |
        1 | public class NoInvariant {
          |              ^^^^^^^^^^^
          |
          = help: add `@Declarative boolean repOk()` to the class that is to be checked

        exit 2
    "#]],
    );
}

#[test]
fn nothing_to_check() {
    check_bad(
        "NothingToCheck",
        expect![[r#"
        error[no-operation]: the class `NothingToCheck` has an invariant, but no operation to check
         --> crates/cli/tests/bad/NothingToCheck.java:3:14
          |
        3 | public class NothingToCheck {
          |              ^^^^^^^^^^^^^^
          |
          = help: add a method or constructor that is not declarative, or mark one with `@Check`

        exit 2
    "#]],
    );
}

#[test]
fn specification_of_no_operation() {
    check_bad(
        "UnknownOperation",
        expect![[r#"
        error[unknown-operation]: there is no operation `decrement` to specify
          --> crates/cli/tests/bad/UnknownOperation.java:10:11
           |
        10 |     @Post("decrement")
           |           ^^^^^^^^^^^
           |
           = help: did you mean `increment`?

        exit 2
    "#]],
    );
}

#[test]
fn unsupported_construct_that_is_reached() {
    check_bad(
        "UnsupportedReached",
        expect![[r#"
            UnsupportedReached, size 2: every state within the bounds of size 2
              ✓ fine()                verified, 1 state run, covering 2 states  [time]
              ✓ notReached()          verified, 1 state run, covering 2 states  [time]
              ✓ UnsupportedReached()  verified, 1 state run, covering 1 state  [time]

            3 operations verified, 1 not analysed
            error[unsupported]: `String.length` is not supported
              --> crates/cli/tests/bad/UnsupportedReached.java:12:25
               |
            10 |     public void measured() {
               |                 -------- a run of this operation gets there
            11 |         String text = "" + x;
            12 |         if (x == 1) x = text.length();
               |                         ^^^^^^^^^^^^^
               |
               = help: what is in a string is not known: compare it with constants (`equals`, `isEmpty`), or keep a number, an enum or an array of `char`

            exit 2
        "#]],
    );
}

#[test]
fn missing_file() {
    check(
        "crates/cli/tests/bad/Missing.java",
        expect![[r#"
        error[missing-file]: there is no file `crates/cli/tests/bad/Missing.java`
         |
         = help: paths are relative to the current folder

        exit 2
    "#]],
    );
}

#[test]
fn folder_instead_of_a_file() {
    check(
        "crates/cli/tests/bad",
        expect![[r#"
            error[syntax-error]: syntax error at or after `+`
             --> crates/cli/tests/bad/SyntaxError.java:7:15
              |
            7 |         x = x + ;
              |               ^
              |
              = help: look for a bracket, comma or operator too many or too few

            exit 2
        "#]],
    );
}

#[test]
fn not_text() {
    let path = std::env::temp_dir().join(format!("glassbox-{}.java", std::process::id()));
    std::fs::write(&path, b"class \xff").expect("a file can be written");
    let ran = run(path.to_str().expect("a plain path"));
    std::fs::remove_file(&path).expect("the file can be removed");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("is not UTF-8 text: byte 6"), "{}", ran.stderr);
}

#[test]
fn unknown_names() {
    check(
        "examples/java/search-tree/SearchTree.java --class Tree",
        expect![[r#"
        error[unknown-class]: the inputs have no class `Tree`
         |
         = help: they have SearchTree, SearchTree.Node

        exit 2
    "#]],
    );
    check(
        "examples/java/search-tree/SearchTree.java --method put",
        expect![[r#"
        error[unknown-operation]: there is no operation `put`
         |
         = help: see `--method`: a name, or `name(int,int)`

        exit 2
    "#]],
    );
    check(
        "examples/java/search-tree/SearchTree.java --source-path nowhere",
        expect![[r#"
        error[bad-source-path]: --source-path `nowhere`: No such file or directory (os error 2)
         |
         = help: give a folder, or a .jar or .zip of sources

        exit 2
    "#]],
    );
}

#[test]
fn bad_usage() {
    check(
        "examples/java/search-tree/SearchTree.java --size 0",
        expect![[r#"
        error: invalid value '0' for '--size <N|A..B>': 0 is not between 1 and 65536

        For more information, try '--help'.
        exit 2
    "#]],
    );
    check(
        "examples/java/search-tree/SearchTree.java --size 8..3",
        expect![[r#"
        error: invalid value '8..3' for '--size <N|A..B>': the range is empty: write 3..8

        For more information, try '--help'.
        exit 2
    "#]],
    );
    for (sizes, status) in [("3..3", 0), ("2..=3", 0), ("..", 2), ("-1", 2), ("x", 2), ("1..", 2)] {
        assert_eq!(run(&format!("examples/java/stack/Stack.java --size {sizes}")).status, status, "{sizes}");
    }
    assert_eq!(run("").status, 2);
    assert_eq!(run("--threads 0 examples/java/search-tree/SearchTree.java").status, 2);
    assert_eq!(run("--timeout -1 examples/java/search-tree/SearchTree.java").status, 2);
    assert_eq!(run("--json --format terminal examples/java/search-tree/SearchTree.java").status, 2);
}

/// A file with this text, for as long as the test.
fn with_file(name: &str, text: &str, test: impl FnOnce(&str)) {
    let folder = std::env::temp_dir().join(format!("glassbox-bad-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a file");
    test(file.to_str().expect("a plain name"));
    std::fs::remove_file(&file).expect("the file can be removed");
}

#[test]
fn fifty_errors_are_enough() {
    with_file("Errors.dm", &"type T : { a : Integre }\n".repeat(3_000), |file| {
        let ran = crate::glassbox(&["check", file]);
        assert_eq!(ran.status, 2);
        assert_eq!(ran.stderr.matches("error[").count(), 50);
        assert!(ran.stderr.contains("more like these"), "{}", &ran.stderr[ran.stderr.len() - 200..]);
    });
}

/// The whole of it was looked at for every message: minutes.
#[test]
fn a_very_long_line_is_shown_in_part() {
    with_file("Line.dm", &"type T : {".repeat(100_000), |file| {
        let ran = crate::glassbox(&["check", file]);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.len() < 200_000, "{}", ran.stderr.len());
        assert!(ran.stderr.contains("Line.dm:1:"), "{}", &ran.stderr[..500]);
    });
}

#[test]
fn deep_expressions_are_printed_for_a_solver() {
    with_file("Deep.dm", &format!("f(x: Integer) : Integer {{ {}x }}", "1 + ".repeat(6_200)), |file| {
        for emit in ["smt2", "bemol", "boogie"] {
            let ran = crate::glassbox(&["check", file, "--emit", emit]);
            assert_eq!(ran.status, 0, "{emit}: {}", ran.stderr);
        }
    });
}

#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        eprintln!("skipped: this system has no /dev/full");
        return;
    };
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(["check", "examples/java/stack/Stack.java", "--size", "2"])
        .current_dir(crate::root())
        .stdout(full)
        .output()
        .expect("the command starts");
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the answer could not be written"), "{said}");
}

/// They were taken for single numbers, and correct code for a mismatch of types.
#[test]
fn new_arrays_of_floating_point_numbers() {
    let text = "class C { int f; public int a() { double[] x = new double[2]; return x.length; } public int b() { float[] x = { 1f }; return x.length; }
        public int c() { return f; } @Declarative boolean repOk() { return true; } }";
    let ran = crate::glassbox(&["check", &crate::java_file("C", text), "--size", "2"]);
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(
        ran.stderr.matches("a new array of floating-point numbers is not supported").count(),
        2,
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("c()  verified"), "{}", ran.stdout);
}
