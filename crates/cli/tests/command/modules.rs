//! Hob modules: check, run, and what is said of bad ones.

use crate::{Ran, glassbox, redacted, root};
use expect_test::{Expect, expect};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

fn check(arguments: &str, expected: Expect) {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let ran = glassbox(&arguments);
    expected.assert_eq(&format!("{}{}exit {}\n", redacted(&ran.stdout), ran.stderr, ran.status));
}

/// A folder of its own with these files; taken away in the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("glassbox-modules-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        for (name, text) in files {
            std::fs::write(path.join(name), text).expect("a file");
        }
        Folder(path)
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_glassbox"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What `glassbox check .` says in a folder with these files.
pub fn check_files(files: &[(&str, &str)], expected: Expect) {
    let ran = Folder::new(files).run(&["check", "."]);
    expected.assert_eq(&format!("{}{}exit {}\n", redacted(&ran.stdout), ran.stderr, ran.status));
}

const LAMP_FL: &str = "impl module Lamp {\n  format Bulb { on : bool; }\n  proc light(b : Bulb) { b.on = true; }\n}\n";
const LAMP_SL: &str = "spec module Lamp {\n  format Bulb;\n  specvar Lit : Bulb set;\n  proc light(b : Bulb)\n    requires card(b) = 1\n    modifies Lit\n    ensures Lit' = Lit + b;\n}\n";
const LAMP_AL: &str = "abst module Lamp {\n  use plugin \"flags\";\n  Lit = {x : Bulb | \"x.on = true\"};\n}\n";

/// The lamp with something replaced in one of its files.
fn lamp(file: &str, from: &str, to: &str, expected: Expect) {
    let texts = [("Lamp.fl", LAMP_FL), ("Lamp.sl", LAMP_SL), ("Lamp.al", LAMP_AL)];
    let changed = texts.map(|(name, text)| {
        assert!(name != file || text.contains(from), "{from} is not in {file}");
        (name, if name == file { text.replace(from, to) } else { text.to_owned() })
    });
    let files: Vec<(&str, &str)> = changed.iter().map(|(name, text)| (*name, text.as_str())).collect();
    check_files(&files, expected);
}

#[test]
fn a_module_is_verified_and_its_bug_found() {
    lamp(
        "Lamp.fl",
        "true",
        "true",
        expect![[r#"
            Lamp (flags): all heaps
              ✓ light  verified, 1 obligation  [time]

            module  plugin  proved         rests on
            Lamp    flags   for all heaps
            no program to start: there is no main

            1 procedure verified on all heaps
            exit 0
        "#]],
    );
    lamp(
        "Lamp.fl",
        "true",
        "false",
        expect![[r#"
            Lamp (flags): all heaps
              ✗ light  violated, 1 obligation  [time]

            error[hob-ensures]: ensures clause of Lamp.light may not hold at its end
             --> ./Lamp.fl:3:40
              |
            3 |   proc light(b : Bulb) { b.on = false; }
              |                                        ^ a run may end here
              |
             ::: ./Lamp.sl:7:13
              |
            7 |     ensures Lit' = Lit + b;
              |             -------------- what should hold

                         at entry  now
                o1 Bulb  –         –
                b = o1

            module  plugin  proved    rests on
            Lamp    flags   violated
            no program to start: there is no main

            1 procedure violated
            exit 1
        "#]],
    );
    lamp(
        "Lamp.sl",
        "modifies Lit",
        "",
        expect![[r#"
            Lamp (flags): all heaps
              ✗ light  violated, 1 obligation  [time]

            error[hob-frame]: `Lit` may change, but is not in `modifies` of Lamp.light (frame condition)
             --> ./Lamp.fl:3:39
              |
            3 |   proc light(b : Bulb) { b.on = true; }
              |                                       ^ a run may end here
              |
             ::: ./Lamp.sl:3:11
              |
            3 |   specvar Lit : Bulb set;
              |           --- declared here
              |
              = help: list it in `modifies`, or do not change it

                         at entry  now
                o1 Bulb  –         Lit
                b = o1

            module  plugin  proved    rests on
            Lamp    flags   violated
            no program to start: there is no main

            1 procedure violated
            exit 1
        "#]],
    );
}

#[test]
fn names_and_primes() {
    lamp(
        "Lamp.sl",
        "Lit' = Lit + b",
        "Lit' = Lid + b",
        expect![[r#"
        error[unknown-name]: there is no set, Boolean or formal `Lid`
         --> ./Lamp.sl:7:20
          |
        7 |     ensures Lit' = Lid + b;
          |                    ^^^
          |
          = help: did you mean `Lit`?

        exit 2
    "#]],
    );
    lamp(
        "Lamp.sl",
        "requires card(b) = 1",
        "requires b in Lit'",
        expect![[r#"
        error[misplaced-prime]: a precondition has no primes
         --> ./Lamp.sl:5:19
          |
        5 |     requires b in Lit'
          |                   ^^^^
          |
          = help: remove the prime: `requires` speaks of the state at the entry; primed names are of the exit

        exit 2
    "#]],
    );
    lamp(
        "Lamp.fl",
        "b.on",
        "b.of",
        expect![[r#"
        error[unknown-field]: this module gives type `Bulb` no field `of`
         --> ./Lamp.fl:3:28
          |
        3 |   proc light(b : Bulb) { b.of = true; }
          |                            ^^
          |
          = help: did you mean `on`?

        exit 2
    "#]],
    );
}

#[test]
fn sections_that_do_not_fit() {
    lamp(
        "Lamp.fl",
        "proc light(b : Bulb) { b.on = true; }",
        "",
        expect![[r#"
        error[missing-implementation]: procedure `light` has no implementation
         --> ./Lamp.sl:4:8
          |
        4 |   proc light(b : Bulb)
          |        ^^^^^
          |
          = help: add it to the implementation of its module, or remove it here

        exit 2
    "#]],
    );
    lamp(
        "Lamp.al",
        "x.on = true",
        "x.on = false",
        expect![[r#"
        error[not-stationary]: every new object is in the set `Lit`: all of its fields are 0, false or null
         --> ./Lamp.al:3:3
          |
        3 |   Lit = {x : Bulb | "x.on = false"};
          |   ^^^
          |
          = help: a new object must be in no named set: take another constant, such as `x.f = 1`, and set the field

        exit 2
    "#]],
    );
    lamp(
        "Lamp.al",
        "Lit = {x : Bulb | \"x.on = true\"};",
        "Lit = Lit + {x : Bulb | \"x.on = true\"};",
        expect![[r#"
        error[cyclic-definition]: set `Lit` is defined by itself
         --> ./Lamp.al:3:3
          |
        3 |   Lit = Lit + {x : Bulb | "x.on = true"};
          |   ^^^
          |
          = help: define it by conditions, or by sets that do not use it

        exit 2
    "#]],
    );
    lamp(
        "Lamp.al",
        "\"flags\";\n  Lit = {x : Bulb | \"x.on = true",
        "\"PALE\";\n  Lit = {x : Bulb | \"x.on = yes",
        expect![[r#"
            nothing to check in .
            this rests on:
              the specification of Lamp: its code is not checked: its abstraction for "PALE" is not read: `yes` is no variable here

            module  plugin  proved   rests on
            Lamp    PALE    trusted
            no program to start: there is no main

            warning[unread-abstraction]: this part of the abstraction for "PALE" is not read: `yes` is no variable here
             --> ./Lamp.al:3:29
              |
            3 |   Lit = {x : Bulb | "x.on = yes"};
              |                             ^^^
              |
              = help: what it should check is trusted: write it for the plugin "bounded" to have it checked

            exit 3
        "#]],
    );
    check_files(
        &[("Lamp.sl", LAMP_SL), ("Lamp.al", LAMP_AL)],
        expect![[r#"
        error[missing-section]: module `Lamp` has an abstraction, but no implementation
         --> ./Lamp.al:1:13
          |
        1 | abst module Lamp {
          |             ^^^^
          |
          = help: load all files of the module: `.fl`, `.sl` and `.al`

        exit 2
    "#]],
    );
}

#[test]
fn sets_over_fields_of_another_module() {
    let other_fl = "impl module Other { format Bulb { off : bool; } proc p(b : Bulb) { } }\n";
    let other_sl = "spec module Other { format Bulb; specvar Off : Bulb set; proc p(b : Bulb) ensures true; }\n";
    let other_al = "abst module Other { use plugin \"flags\"; Off = {x : Bulb | \"x.on = true\"}; }\n";
    let files = [("Lamp.fl", LAMP_FL), ("Lamp.sl", LAMP_SL), ("Lamp.al", LAMP_AL)];
    let all = [&files[..], &[("Other.fl", other_fl), ("Other.sl", other_sl), ("Other.al", other_al)]].concat();
    check_files(
        &all,
        expect![[r#"
        error[foreign-field]: field `on` of `Bulb` belongs to module `Lamp`
         --> ./Other.al:1:62
          |
        1 | abst module Other { use plugin "flags"; Off = {x : Bulb | "x.on = true"}; }
          |                                                              ^^
          |
          = help: a set is defined over fields of its own module: define it there

        exit 2
    "#]],
    );
}

#[test]
fn scopes_are_respected() {
    let scope = "scope House {\n  modules Lamp, Room;\n  exports Room;\n}\n";
    let room_fl = "impl module Room { proc enter(b : Bulb) { Lamp.light(b); } }\n";
    let room_sl = "spec module Room { format Bulb; proc enter(b : Bulb) requires card(b) = 1 ensures true; }\n";
    let thief_fl = "impl module Thief { proc steal(b : Bulb) { Lamp.light(b); } }\n";
    let thief_sl = "spec module Thief { format Bulb; proc steal(b : Bulb) requires card(b) = 1 modifies Lamp.Lit ensures true; }\n";
    let plugin = "abst module Room { use plugin \"flags\"; } abst module Thief { use plugin \"flags\"; }\n";
    let files = [
        ("Lamp.fl", LAMP_FL),
        ("Lamp.sl", LAMP_SL),
        ("Lamp.al", LAMP_AL),
        ("Room.fl", room_fl),
        ("Room.sl", room_sl),
        ("Thief.fl", thief_fl),
        ("Thief.sl", thief_sl),
        ("Plugins.al", plugin),
        ("House.scope", scope),
    ];
    check_files(
        &files,
        expect![[r#"
        error[hidden-module]: module `Lamp` is hidden from `Thief` by a scope
         --> ./Thief.fl:1:44
          |
        1 | impl module Thief { proc steal(b : Bulb) { Lamp.light(b); } }
          |                                            ^^^^^^^^^^^^^
          |
          = help: let the scope export `Lamp`, or add `Thief` to the scope

        error[hidden-name]: `Lamp.Lit` is hidden from module `Thief` by a scope
         --> ./Thief.sl:1:90
          |
        1 | spec module Thief { format Bulb; proc steal(b : Bulb) requires card(b) = 1 modifies Lamp.Lit ensures true; }
          |                                                                                          ^^^
          |
          = help: let the scope export `Lamp`, or add `Thief` to the scope

        exit 2
    "#]],
    );
}

#[test]
fn files_that_cannot_be_read() {
    check(
        "check nowhere.fl",
        expect![[r#"
        error[missing-file]: there is no file `nowhere.fl`
         |
         = help: paths are relative to the current folder

        exit 2
    "#]],
    );
    check_files(
        &[("a.fl", "impl module A {"), ("b.sl", "spec modul B { }"), ("c.al", "\u{1}")],
        expect![[r#"
            error[syntax-error]: expected `}` after the members of the module, but found the end
             --> ./a.fl:1:16
              |
            1 | impl module A {
              |               -^
              |               |
              |               this brace is not closed
              |
              = help: add the `}` that is missing, here or before; or there is a `{` too many

            error[syntax-error]: expected `module` after `spec`, but found `modul`
             --> ./b.sl:1:6
              |
            1 | spec modul B { }
              |      ^^^^^
              |
              = help: a specification is written `spec module M { … }`

            error[bad-character]: `\u{1}` is not part of the language
             --> ./c.al:1:1
              |
            1 | ␁
              | ^
              |
              = help: names are made of the letters a to z, digits, `_` and `$`; other text goes in double quotes

            exit 2
        "#]],
    );
    let folder = Folder::new(&[("a.fl", LAMP_FL), ("b.txt", "")]);
    std::fs::write(folder.0.join("c.sl"), [0xff, 0xfe]).expect("a file");
    let ran = folder.run(&["check", "a.fl", "b.txt"]);
    expect![[r#"
        error[unknown-suffix]: it cannot be told from its name what `b.txt` is
         |
         = help: files that can be checked end with .java (Java classes), .lang (languages), .dm and .m (Dminor programs), .fl, .sl, .al and .scope (Hob modules)

        exit 2
    "#]]
    .assert_eq(&format!("{}{}exit {}\n", ran.stdout, ran.stderr, ran.status));
    let ran = folder.run(&["check", "c.sl"]);
    expect![[r#"
        error[not-utf-8]: `c.sl` is not UTF-8 text: byte 0 is not part of a character
         |
         = help: save the file as UTF-8

        exit 2
    "#]]
    .assert_eq(&format!("{}{}exit {}\n", ran.stdout, ran.stderr, ran.status));
}

#[test]
fn what_is_not_there() {
    check(
        "check examples/hob/scheduler --module Schedule",
        expect![[r#"
            error[unknown-name]: there is no module `Schedule` to check
             |
             = help: did you mean `Scheduler`?

            exit 2
        "#]],
    );
    check(
        "check examples/hob/scheduler --proc resum",
        expect![[r#"
            error[unknown-name]: there is no procedure `resum` to check
             |
             = help: did you mean `resume`?

            exit 2
        "#]],
    );
    check(
        "check examples/hob/scheduler --emit boogie",
        expect![[r#"
        error[bad-usage]: Hob modules have no Boogie to print
         |
         = help: --emit mona prints what is decided

        exit 2
    "#]],
    );
    check(
        "run examples/hob/scheduler Scheduler.create",
        expect![[r#"
        error[bad-usage]: there is no procedure `Scheduler.create()` without formals
         |
         = help: name a procedure without formals: glassbox run FOLDER Module.proc

        exit 2
    "#]],
    );
    check_files(
        &[("Lamp.fl", LAMP_FL), ("Lamp.sl", LAMP_SL)],
        expect![[r#"
            nothing to check in .
            this rests on:
              the specification of Lamp: its code is not checked here

            module  plugin  proved   rests on
            Lamp    none    trusted
            no program to start: there is no main

            exit 3
        "#]],
    );
}

/// Named files are checked; what they call is found beside them.
#[test]
fn dependencies_are_found_from_calls() {
    check(
        "check examples/hob/scheduler/Main.fl examples/hob/scheduler/Main.sl examples/hob/scheduler/Main.al",
        expect![[r#"
            Main (flags): all heaps
              ✓ turn  verified, 4 obligations  [time]
              ✓ main  verified, 7 obligations  [time]

            module     plugin  proved         rests on
            Main       flags   for all heaps  Scheduler
            Scheduler  flags   trusted
            not closed: Main reaches Scheduler, which is trusted

            2 procedures verified on all heaps
            exit 0
        "#]],
    );
    check(
        "check examples/hob/scheduler --proc Scheduler.resume",
        expect![[r#"
            Scheduler (flags): all heaps
              ✓ resume  verified, 1 obligation  [time]

            1 procedure verified on all heaps
            exit 0
        "#]],
    );
    check(
        "check examples/hob/scheduler --quiet",
        expect![[r#"
        exit 0
    "#]],
    );
}

/// Branches that a failing run takes are shown, others are not.
#[test]
fn the_way_to_a_failure() {
    let fl = "impl module M {
  format T { s : int; on : bool; }
  proc p(x : T; y : T; k : int) {
    if (x.on) {
      if (k > 3) {
        y.s = 1;
      } else {
        x.s = 2;
      }
    } else {
      while (k < 3) {
        x.s = 1;
      }
    }
  }
}
";
    let sl = "spec module M {
  format T;
  specvar A, B : T set;
  proc p(x : T; y : T; k : int)
    requires (card(x) = 1) & (card(y) = 1) & disjoint(x, B)
    modifies A, B
    ensures (x in A') | (y in A') | (A = A');
}
";
    let al = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; B = {x : T | \"x.s = 2\"}; }\n";
    check_files(
        &[("M.fl", fl), ("M.sl", sl), ("M.al", al)],
        expect![[r#"
            M (flags): all heaps
              ✗ p  violated, 1 obligation  [time]

            error[hob-ensures]: ensures clause of M.p may not hold at its end
              --> ./M.fl:15:3
               |
             4 |     if (x.on) {
               |         ---- on the way: this is true
             5 |       if (k > 3) {
               |           ----- on the way: this is false
            ...
            15 |   }
               |   ^ a run may end here
               |
              ::: ./M.sl:7:13
               |
             7 |     ensures (x in A') | (y in A') | (A = A');
               |             -------------------------------- what should hold

                      at entry  now
                o1 T  A         B
                x = o1, y = o1

            module  plugin  proved    rests on
            M       flags   violated
            no program to start: there is no main

            1 procedure violated
            exit 1
        "#]],
    );
}

#[test]
fn the_papers_bug() {
    check(
        "check examples/hob/minesweeper examples/hob/minesweeper/bugs/01-remove-first --module View --quiet",
        expect![[r#"
            View.drawFieldEnd: violated: requires clause in a call to procedure View.drawCellEnd may not hold (default `Collections`)
            exit 1
        "#]],
    );
}

#[test]
fn json_is_for_programs() {
    let ran = glassbox(&[
        "check",
        "examples/hob/scheduler",
        "examples/hob/scheduler/bugs/01-resumed-process-stays-suspended",
        "--json",
    ]);
    assert_eq!(ran.status, 1);
    let object: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(object["verdict"], "violated");
    let is_resume = |i: &serde_json::Value| i["subject"] == "Scheduler" && i["name"] == "resume";
    let resume = crate::items(&object).into_iter().find(is_resume).expect("the procedure");
    let failure = &resume["failures"][0];
    assert_eq!(failure["problems"][0]["id"], "hob-ensures");
    assert_eq!(
        (&failure["example"]["kind"], &failure["example"]["variables"][0]["value"]),
        (&"sets".into(), &"o1".into())
    );
    assert_eq!((&resume["size"], &resume["engine"]), (&serde_json::Value::Null, &"flags".into()));
}

#[test]
fn obligations_for_mona() {
    let ran = glassbox(&["check", "examples/hob/scheduler", "--proc", "suspend", "--emit", "mona"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("Scheduler.suspend, obligation 1") && ran.stdout.contains("ws1s;"), "{}", ran.stdout);
}

#[test]
fn null_is_looked_for_if_asked() {
    let files = [("Lamp.fl", LAMP_FL), ("Lamp.sl", &LAMP_SL.replace("card(b) = 1", "true")), ("Lamp.al", LAMP_AL)];
    let folder = Folder::new(&files);
    assert_eq!(folder.run(&["check", "."]).status, 0);
    let ran = folder.run(&["check", ".", "--check-null"]);
    expect![[r#"
        Lamp (flags): all heaps
          ✗ light  violated, 2 obligations  [time]

        error[hob-null]: this object may be null
         --> ./Lamp.fl:3:26
          |
        3 |   proc light(b : Bulb) { b.on = true; }
          |                          ^
          |
          = help: test it for null first, or require card(..) = 1

            b = null

        module  plugin  proved    rests on
        Lamp    flags   violated
        no program to start: there is no main

        1 procedure violated
        exit 1
    "#]]
    .assert_eq(&format!("{}exit {}\n", redacted(&ran.stdout), ran.status));
}

/// With these lines to read.
fn played(arguments: &[&str], lines: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn minesweeper_is_played() {
    let ran = played(&["run", "examples/hob/minesweeper", "--contracts"], "5 3\ne 0 0\nm 4 4\nq\n");
    expect![[r#"
        Minesweeper. Size of the board (4 to 10) and a number to shuffle by, or return:
          e COLUMN ROW   expose a cell
          m COLUMN ROW   mark a cell as mined, or take the mark away
          c COLUMN ROW   cover an exposed cell again
          o COLUMN ROW   open what is around an exposed cell, if its mines are marked
          h              this help
          q              give up
            0 1 2 3 4 
           +----------+
         0 |# # # # # |
         1 |# # # # # |
         2 |# # # # # |
         3 |# # # # # |
         4 |# # # # # |
        3 mines are not marked yet.
        >     0 1 2 3 4 
           +----------+
         0 |1 # # # # |
         1 |# # # # # |
         2 |# # # # # |
         3 |# # # # # |
         4 |# # # # # |
        3 mines are not marked yet.
        >     0 1 2 3 4 
           +----------+
         0 |1 # # # # |
         1 |# # # # # |
         2 |# # # # # |
         3 |# # # # # |
         4 |# # # # ! |
        2 mines are not marked yet.
        >     0 1 2 3 4 
           +----------+
         0 |1 * 2 1 1 |
         1 |1 1 2 * 2 |
         2 |    1 2 * |
         3 |      1 1 |
         4 |        x |
        Mines marked: 0. Wrong marks: 1.
        The game is over.
        exit 0
    "#]]
    .assert_eq(&format!("{}{}exit {}\n", ran.stdout, ran.stderr, ran.status));
}

#[test]
fn programs_run() {
    check(
        "run examples/hob/scheduler --contracts",
        expect![[r#"
        round 1: editor
        round 1: compiler
        round 2: editor
        round 2: compiler
        round 3: editor
        round 3: compiler
        the compiler is done
        round 4: editor
        exit 0
    "#]],
    );
    check(
        "run examples/hob/ctas",
        expect![[r#"
        GB 101: handed over from north to south
        GB 101: landed
        GB 202: landed
        Their tracks on the radar (y or n)?
        exit 0
    "#]],
    );
}

/// One table at the end: who proves what, how far, what rests on what, whether anything that runs is trusted.
#[test]
fn a_check_ends_with_a_table() {
    let ran = glassbox(&["check", "examples/hob/scheduler"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for line in [
        "module     plugin  proved         rests on",
        "Main       flags   for all heaps  Scheduler",
        "Scheduler  flags   for all heaps",
        "the program is closed: nothing that Main reaches is trusted",
    ] {
        assert!(ran.stdout.lines().any(|l| l.trim_end() == line), "{line:?} is missing in\n{}", ran.stdout);
    }
    // Without its abstraction, what Main calls is trusted.
    let main = [
        ("Lamp.fl", LAMP_FL),
        ("Lamp.sl", LAMP_SL),
        ("Main.fl", "impl module Main { proc main() { Bulb b = new Bulb(); Lamp.light(b); } }"),
        ("Main.sl", "spec module Main { proc main() modifies Lamp.Lit ensures card(Lamp.Lit') >= 1; }"),
        ("Main.al", "abst module Main { use plugin \"flags\"; }"),
    ];
    let ran = Folder::new(&main).run(&["check", "."]);
    assert!(ran.stdout.contains("not closed: Main reaches Lamp, which is trusted"), "{}{}", ran.stdout, ran.stderr);
    // What is assumed is no proof.
    let assumes = LAMP_FL.replacen("{ b.", "{ assume \"card(b) = 1\"; b.", 1);
    assert_ne!(assumes, LAMP_FL);
    let ran = Folder::new(&[("Lamp.fl", &assumes), ("Lamp.al", LAMP_AL), main[1], main[2], main[3], main[4]])
        .run(&["check", "."]);
    let line = "the program is closed but for 1 assumption: nothing else that Main reaches is trusted";
    assert!(ran.stdout.contains(line), "{}{}", ran.stdout, ran.stderr);
}

/// A list for PALE: what is proved for all heaps, what is only checked up to the bound and why, and what is said without MONA.
#[test]
fn lists_are_proved_for_all_heaps() {
    let folder = Folder::new(&[
        (
            "List.fl",
            "impl module List {\n  format Node { next : Node; }\n  reference first : Node;\n  proc add(n : Node) { n.next = first; first = n; }\n  proc turn() {\n    Node done = null;\n    while (first != null) { Node x = first; first = x.next; x.next = done; done = x; }\n    first = done;\n  }\n}\n",
        ),
        (
            "List.sl",
            "spec module List {\n  format Node;\n  specvar Content : Node set;\n  proc add(n : Node)\n    requires (card(n) = 1) & disjoint(n, Content)\n    modifies Content\n    ensures Content' = Content + n;\n  proc turn() ensures true;\n}\n",
        ),
        (
            "List.al",
            "abst module List {\n  use plugin \"PALE\";\n  invariant \"type Node = { data next : Node; }\";\n  invariant \"data first : Node;\";\n  Content = {x : Node | \"first<next*>x\"};\n}\n",
        ),
    ]);
    let ran = folder.run(&["check", "."]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let has_mona = Command::new("mona").output().is_ok();
    if has_mona {
        for part in [
            "add                verified on all heaps",
            "turn               verified, ",
            "List.turn is not proved for all heaps: that `Content` is what it was is not shown",
            "List.sl:8:8",
        ] {
            assert!(ran.stdout.contains(part), "{part} is missing in\n{}", ran.stdout);
        }
        let ran = folder.run(&["check", ".", "--proc", "add"]);
        assert!(ran.stdout.ends_with("1 procedure verified on all heaps\n"), "{}", ran.stdout);
    }
    let output = Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(["check", "."])
        .env("PATH", "")
        .env_remove("GLASSBOX_MONA")
        .current_dir(&folder.0)
        .output()
        .expect("it starts");
    let told = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(told.matches("not proved for all heaps: MONA is not installed").count(), 1, "{told}");
    assert!(!told.contains("verified on all heaps,"), "{told}");
    assert_eq!(output.status.code(), Some(0), "{told}");
}

#[test]
fn modules_and_life_cycles_are_drawn() {
    let folder = Folder::new(&[
        ("Lamp.fl", LAMP_FL),
        ("Lamp.sl", LAMP_SL),
        ("Lamp.al", LAMP_AL),
        ("Log.sl", "spec module Log { proc say() ensures true; }"),
    ]);
    let ran = folder.run(&["check", ".", "--graph", "lamp.svg"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let drawn = std::fs::read_to_string(folder.0.join("lamp.svg")).expect("a drawing");
    for part in ["<svg ", "life cycle of Lamp", ">light</text>", ">Lit</text>", "proved for all heaps", "</svg>"] {
        assert!(drawn.contains(part), "{part} is missing in\n{drawn}");
    }
    // Of one module, that one.
    let ran = folder.run(&["check", ".", "--module", "Lamp", "--graph", "lamp.svg"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let drawn = std::fs::read_to_string(folder.0.join("lamp.svg")).expect("a drawing");
    assert!(drawn.contains("life cycle of Lamp") && !drawn.contains(">Log</text>"), "{drawn}");
}

/// Files are opened below the folder that was named, and nowhere else.
#[test]
fn a_program_opens_only_files_that_it_may() {
    let main = |name: &str| {
        format!(
            "impl module Main {{ proc main() {{
    file_descr f = System.openfile(\"{name}\", System.O_RDWR() | System.O_CREAT(), 0);
    int n = System.write(f, \"one\\ntwo\\n\", 0, 8); System.close(f);
    in_channel c = System.open_in(\"{name}\");
    System.print_string(System.input_line(c) + System.input_line(c) + \"\\n\"); System.exit(7); }} }}"
        )
    };
    let run = |name: &str, arguments: &[&str]| {
        let folder = Folder::new(&[("Main.fl", &main(name))]);
        std::fs::create_dir_all(folder.0.join("data")).expect("a folder");
        let ran = folder.run(arguments);
        (ran, folder)
    };
    let (ran, folder) = run("out.txt", &["run", ".", "--files", "data"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (7, "onetwo\n"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(folder.0.join("data/out.txt")).expect("a file"), "one\ntwo\n");
    for (name, arguments) in [("out.txt", &["run", "."][..]), ("../out.txt", &["run", ".", "--files", "data"][..])] {
        let (ran, folder) = run(name, arguments);
        assert_eq!(ran.status, 1, "{name}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("the program may not open the file"), "{name}: {}", ran.stderr);
        assert!(!folder.0.join("out.txt").exists());
    }
    let sockets = "impl module Main { proc main() { System.print_string(\"open\"); int n = Sockets.listen(Sockets.socket(1), 5); } }";
    let ran = Folder::new(&[("Main.fl", sockets)]).run(&["run", "."]);
    assert_eq!(ran.stdout, "open\n", "the error is printed on a line of its own");
    assert!(ran.stderr.contains("Sockets.socket is not performed here"), "{}", ran.stderr);
}

/// Of the folder beside a file only what is needed is read.
#[test]
fn files_beside_that_are_not_needed_do_not_matter() {
    let files = [
        ("Lamp.fl", LAMP_FL),
        ("Lamp.sl", LAMP_SL),
        ("Lamp.al", LAMP_AL),
        ("OldLamp.fl", "impl module Lamp { this cannot be read"),
        ("Other.fl", "impl module Other { proc ("),
    ];
    let folder = Folder::new(&files);
    assert_eq!(folder.run(&["check", "Lamp.fl", "Lamp.sl", "Lamp.al"]).status, 0);
    let ran = folder.run(&["check", "Lamp.al"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    // Code of a module that is only called is left out if something is wrong with it.
    let main = [
        ("Lamp.sl", LAMP_SL),
        ("Lamp.fl", "impl module Lamp { proc light(b : Bulb) { b.on = nothing; } }"),
        ("Main.fl", "impl module Main { proc main() { Bulb b = new Bulb(); Lamp.light(b); } }"),
        ("Main.sl", "spec module Main { proc main() modifies Lamp.Lit ensures card(Lamp.Lit') >= 1; }"),
        ("Main.al", "abst module Main { use plugin \"flags\"; }"),
    ];
    let folder = Folder::new(&main);
    let ran = folder.run(&["check", "Main.al"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("the specification of Lamp"), "{}", ran.stdout);
    assert_eq!(folder.run(&["check", "."]).status, 2);
}

/// Instances share their code: a fault is shown once, and named for the others; one that is asked for by itself shows it.
#[test]
fn a_fault_of_a_generic_module_is_shown_once() {
    let instances =
        |kind: &str| format!("{kind} module A = Lamp with Bulb = Neon;\n{kind} module B = A with Neon = Led;\n");
    let files = [
        ("Lamp.fl", LAMP_FL.replace("= true", "= false") + &instances("impl")),
        ("Lamp.sl", LAMP_SL.to_owned() + &instances("spec")),
        ("Lamp.al", LAMP_AL.to_owned() + &instances("abst")),
    ];
    let folder = Folder::new(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let errors = |arguments: &[&str]| -> Vec<String> {
        let ran = folder.run(arguments);
        ran.stdout.lines().filter(|line| line.starts_with("error")).map(str::to_owned).collect()
    };
    expect![[r#"
        error[hob-ensures]: ensures clause of Lamp.light may not hold at its end
        error[hob-ensures]: A.light has the same fault as Lamp.light: A shares the code of Lamp
        error[hob-ensures]: B.light has the same fault as Lamp.light: B shares the code of Lamp
    "#]]
    .assert_eq(&(errors(&["check", "."]).join("\n") + "\n"));
    assert_eq!(
        errors(&["check", ".", "--module", "B"]),
        ["error[hob-ensures]: ensures clause of B.light may not hold at its end"]
    );
}

/// A module that nobody checks is trusted and listed, if it is the only one too.
#[test]
fn a_program_of_trusted_modules_only() {
    let folder = Folder::new(&[
        ("m.fl", "impl module M { format T { n : T; } proc main() { } proc put(x : T) { } }"),
        (
            "m.sl",
            "spec module M { format T; specvar A : T set; proc main() ensures true; proc put(x : T) modifies A ensures x in A'; }",
        ),
        ("m.al", "abst module M { use plugin \"zork\"; A = {x : T | \"ALL y. y\"}; }"),
    ]);
    let ran = folder.run(&["check", "m.fl", "m.sl", "m.al"]);
    assert_eq!(ran.status, 3);
    for said in ["nothing to check", "this rests on:", "the specification of M", "zork", "not closed: M reaches M"] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
    let ran = folder.run(&["check", "m.fl", "m.sl", "m.al", "--json"]);
    assert!(ran.stdout.contains("\"rests_on\": [\n    {"), "{}", ran.stdout);
}
