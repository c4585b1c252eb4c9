//! Hob: what crosses borders. Sections of a module that break each other's invariants, calls inside a module while its representation is
//! broken, arrays that leave their module, the start of the program, and what a verdict rests on. Each wrong module has a right twin.

use crate::modules::{Folder, check_files};
use expect_test::expect;

/// Each procedure that is not verified and each error and warning, by its id; then the exit status.
fn said(fl: &str, sl: &str, al: &str, more: &[&str]) -> String {
    let folder = Folder::new(&[("m.fl", fl), ("m.sl", sl), ("m.al", al)]);
    let arguments: Vec<&str> = ["check", "."].into_iter().chain(more.iter().copied()).collect();
    let ran = folder.run(&arguments);
    let mut words = Vec::new();
    for line in format!("{}\n{}", ran.stderr, ran.stdout).lines() {
        let trimmed = line.trim_start();
        if let Some(rest) = trimmed.strip_prefix("✗ ").or(trimmed.strip_prefix("? ")) {
            words.extend(rest.split_whitespace().next().map(str::to_owned));
        } else if let Some((kind @ ("error" | "warning"), rest)) = trimmed.split_once('[') {
            words.extend(rest.split_once(']').map(|(id, _)| format!("{kind}:{id}")));
        }
    }
    words.push(ran.status.to_string());
    words.join(" ")
}

const MX_FL: &str = "impl module M {
  format E { on : bool; }
  var n : int;
  proc start(e : E) { e.on = true; n = -1; }
  proc ask() returns b : bool { return n >= 0; }
}
impl module Main { proc main() { E e = new E(); M.start(e); bool b = M.ask(); Console.println(\"done\"); } }
";
const MX_SL: &str = "spec module M {
  format E; specvar On : E set;
  proc start(e : E) requires card(e) = 1 modifies On ensures On' = On + e;
  proc ask() returns b : bool ensures b';
}
spec module Main { proc main() modifies M.On ensures true; }
";
const MX_AL: &str = "abst module M {
  use plugin \"flags\" for { On = {x : E | \"x.on = true\"}; procs start; }
  use plugin \"bounded\" for { invariant \"n >= 0\"; procs ask; }
}
abst module Main { use plugin \"flags\"; }
";

#[test]
fn an_invariant_holds_for_every_section_of_the_module() {
    check_files(
        &[("m.fl", MX_FL), ("m.sl", MX_SL), ("m.al", MX_AL)],
        expect![[r#"
            M (flags): all heaps
              ✓ start  verified, 1 obligation  [time]

            Main (flags): all heaps
              ✓ main  verified, 1 obligation  [time]

            M (bounded): all heaps with at most 4 objects of each type, arrays of at most 4 elements, integers from -2 to 4
              ✓ the start of M  verified, 1 state run  [time]
              ✓ a new E         verified, 1 state run  [time]
              ✗ start           violated at bound 1, 1 state run  [time]

              before
                  M: module  n=0 On={}
                  E#1  on=false

                start(E#1)  → broke its contract

              after
                ~ M: module  n=-1 (was 0) On={E#1} (was {})
                ~ E#1  on=true (was false)

            error[representation-violated]: M.start leaves the representation of its module broken
             --> ./m.al:3:41
              |
            3 |   use plugin "bounded" for { invariant "n >= 0"; procs ask; }
              |                                         ^^^^^^
              |
              = help: this invariant of the abstraction must hold whenever the module is left

              ✓ ask             verified, 1 state run  [time]

            module  plugin   proved         rests on
            M       flags    violated
            M       bounded  up to 4
            Main    flags    for all heaps  M
            the program is closed: nothing that Main reaches is trusted

            1 procedure violated, 5 verified
            exit 1
        "#]],
    );
    let right = MX_FL.replace("n = -1;", "n = 1;");
    assert_eq!(said(&right, MX_SL, MX_AL, &[]), "0");
    // Asked for alone.
    assert_eq!(said(MX_FL, MX_SL, MX_AL, &["--proc", "start"]), "start error:representation-violated 1");
    // Another section of the same plugin.
    let bounded = MX_AL.replace("\"flags\" for", "\"bounded\" for").replace("x.on = true", "x.on");
    assert_eq!(said(MX_FL, MX_SL, &bounded, &[]), "start error:representation-violated 1");
    assert_eq!(said(&right, MX_SL, &bounded, &[]), "0");
    // Through a private procedure of the other section, and of this one.
    let private = |value: &str| {
        let text = MX_FL.replace("n = -1; }", &format!("set(); }}\n  private proc set() {{ n = {value}; }}"));
        (text, MX_SL.replace("  proc ask", "  private proc set() ensures true;\n  proc ask"))
    };
    let ((wrong, sl), (right, _)) = (private("-1"), private("2"));
    for procs in ["procs start, set; }", "procs set, ask; }"] {
        let al = match procs.contains("ask") {
            true => MX_AL.replace("procs ask; }", procs),
            false => MX_AL.replace("procs start; }", procs),
        };
        let of_private = if procs.contains("ask") { " set warning:caller-not-verified" } else { "" };
        let expected = format!("start error:representation-violated{of_private} 1");
        assert_eq!(said(&wrong, &sl, &al, &[]), expected, "{al}");
        assert_eq!(said(&right, &sl, &al, &[]), "0", "{al}");
    }
}

#[test]
fn a_boolean_is_its_variable_for_every_section() {
    let fl = "impl module M {
  var ok : bool;
  proc turn() { ok = !ok; }
  proc keep() { }
}
";
    let sl = "spec module M { specvar ok : bool; proc turn() ensures true; proc keep() ensures ok' <=> ok; }";
    let al = "abst module M {
  use plugin \"flags\" for { procs turn; }
  use plugin \"bounded\" for { predvar ok; procs keep; }
}";
    assert_eq!(said(fl, sl, al, &[]), "turn error:hob-frame 1");
    assert_eq!(said(fl, &sl.replace("turn() ensures", "turn() modifies ok ensures"), al, &[]), "0");
}

const CB_SL: &str = "spec module M {
 format E; specvar A : E set;
 proc put(e : E) requires (card(e) = 1) & (not (e in A)) modifies A ensures A' = A + e;
 proc ask() returns b : bool ensures b' <=> (A != {});
 proc careless() ensures true;
 proc pass() ensures true;
 proc careless2() ensures true;
}
spec module Main { proc main() requires M.A = {} modifies M.A ensures true; }
";
const CB_AL: &str = "abst module M { use plugin \"bounded\";
 A = {x : E | \"root<next*>x\"};
 invariant \"forall x : E. not x<next+>x\";
 invariant \"flag <=> root != null\";
}
abst module Main { use plugin \"flags\"; }
";

fn callers(careless: &str, careless2: &str) -> String {
    format!(
        "impl module M {{
 format E {{ next : E; }}
 reference root : E; var flag : bool;
 proc put(e : E) {{ e.next = root; root = e; flag = true; }}
 proc ask() returns b : bool {{ return flag; }}
 proc careless() {{ {careless} }}
 proc pass() {{ if (flag) {{ assert \"A' != {{}}\"; }} }}
 proc careless2() {{ {careless2} }}
}}
impl module Main {{ proc main() {{ M.careless2(); Console.println(\"done\"); }} }}
"
    )
}

#[test]
fn a_call_inside_the_module_while_the_representation_is_broken() {
    let wrong = callers("flag = !flag; bool b = ask(); flag = !flag;", "flag = !flag; pass(); flag = !flag;");
    let expected = "careless error:ensures-violated careless2 error:assertion-violated 1";
    assert_eq!(said(&wrong, CB_SL, CB_AL, &[]), expected);
    let right = callers("bool b = ask(); flag = !flag; flag = !flag;", "flag = !flag; flag = !flag; pass();");
    assert_eq!(said(&right, CB_SL, CB_AL, &[]), "0");
    // Broken, but not for what is called: nothing is wrong.
    let harmless = callers(
        "flag = true; bool b = true; if (root == null) { flag = false; }",
        "E e = root; root = null; flag = false; pass(); root = e; flag = root != null;",
    );
    assert_eq!(said(&harmless, CB_SL, CB_AL, &[]), "0");
    // In a loop, and by a call of itself.
    let in_loop = callers(
        "int i = 0; while (i < 2) { flag = !flag; bool b = ask(); i++; }",
        "if (root != null && flag) { flag = false; careless2(); flag = true; }",
    );
    assert_eq!(said(&in_loop, CB_SL, CB_AL, &[]), "careless error:ensures-violated 1");
}

#[test]
fn a_call_of_another_section_while_the_representation_is_broken() {
    let fl = "impl module M {
  format E { on : bool; }
  var n : int;
  proc start(e : E) { n = -1; bool b = ask(); n = 0; e.on = true; }
  proc ask() returns b : bool { return n >= 0; }
}
impl module Main { proc main() { E e = new E(); M.start(e); } }
";
    assert_eq!(said(fl, MX_SL, MX_AL, &[]), "start error:ensures-violated 1");
    assert_eq!(said(&fl.replace("n = -1;", "n = 5;"), MX_SL, MX_AL, &[]), "0");
}

const ARRAY_SL: &str = "spec module M {
  format E; specvar D : E set;
  proc init(e : E) requires card(e) = 1 modifies D ensures D' = e;
  proc ret() returns a : E[] ensures true;
  proc take(a : E[]) modifies D ensures true;
  proc show() modifies D ensures true;
}
spec module N { proc see(a : E[]) ensures true; }
spec module Main { proc main() modifies M.D ensures true; }
";
const ARRAY_AL: &str = "abst module M {
  use plugin \"bounded\"; D = {x : E | \"exists i : int. d[i] = x\"}; invariant \"d != null => d.length > 0\";
}
abst module N { use plugin \"flags\"; }
abst module Main { use plugin \"flags\"; }
";

fn arrays(ret: &str, take: &str, show: &str) -> String {
    format!(
        "impl module M {{
  reference d : E[]; reference other : E[]; reference rows : E[][];
  proc init(e : E) {{ d = new E[1]; d[0] = e; }}
  proc ret() returns a : E[] {{ {ret} }}
  proc take(a : E[]) {{ {take} }}
  proc show() {{ {show} }}
  private proc keep(b : E[]) {{ d = b; }}
}}
impl module N {{ proc see(a : E[]) {{ }} }}
impl module Main {{ proc main() {{ E e = new E(); M.init(e); E[] a = M.ret(); if (a != null && a.length > 0) {{ a[0] = null; }} assert \"e in M.D'\"; }} }}
"
    )
}

fn of_arrays(ret: &str, take: &str, show: &str) -> String {
    let sl = ARRAY_SL.replace("  proc show", "  private proc keep(b : E[]) modifies D ensures true;\n  proc show");
    said(&arrays(ret, take, show), &sl, ARRAY_AL, &[])
}

#[test]
fn an_array_that_leaves_its_module() {
    let copy = "if (d == null) { return null; } E[] c = new E[d.length]; int i = 0; while (i < d.length) { c[i] = d[i]; i++; } return c;";
    let taken = "if (a != null && a.length > 0) { E[] c = new E[1]; c[0] = a[0]; d = c; }";
    // Nobody calls `keep` here.
    let quiet = "keep warning:never-called";
    assert_eq!(of_arrays(copy, taken, "keep(new E[1]);"), "0");
    let cases = [
        ("return d;", taken, "", "ret error:hob-array-escape"),
        ("E[] t = d; return t;", taken, "", "ret warning:hob-unknown"),
        ("other = d; return other;", taken, "", "ret warning:hob-unknown"),
        (
            "E[] t = new E[1]; if (d != null && d.length == 1) { t[0] = d[0]; d = t; } return t;",
            taken,
            "",
            "ret warning:hob-unknown",
        ),
        (copy, "if (a != null && a.length > 0) { d = a; }", "", "take error:hob-array-escape"),
        (
            copy,
            "if (a != null && a.length > 0) { other = a; }",
            "if (other != null && other.length > 0) { d = other; }",
            "show warning:hob-unknown",
        ),
        (copy, taken, "N.see(d);", "show error:hob-array-escape"),
        ("rows = new E[1][]; rows[0] = d; return rows[0];", taken, "", "ret warning:hob-unknown"),
    ];
    for (ret, take, show, expected) in cases {
        assert!(
            of_arrays(ret, take, show).starts_with(expected),
            "{ret} {take} {show}: {}",
            of_arrays(ret, take, show)
        );
    }
    let through_private = of_arrays(copy, "if (a != null && a.length > 0) { keep(a); }", "");
    assert!(through_private.contains("keep warning:hob-unknown"), "{through_private}");
    // A public procedure that makes arrays serves both sides.
    let both = of_arrays(copy, "if (a != null && a.length > 0) { d = ret(); }", "");
    assert_eq!(both.replace(quiet, "").trim(), "3", "{both}");
    // What no set looks into may go anywhere.
    let free = of_arrays("return other;", "other = a;", "N.see(other);");
    assert!(!free.contains("escape") && !free.replace(quiet, "").contains("ret"), "{free}");
}

#[test]
fn the_array_of_the_reproduction() {
    let fl = "impl module M {
  reference d : E[];
  proc init(e : E) { d = new E[1]; d[0] = e; }
  proc ret() returns a : E[] { return d; }
}
impl module Main { proc main() { E e = new E(); M.init(e); E[] a = M.ret(); a[0] = null; assert \"e in M.D'\"; Console.println(\"done\"); } }
";
    let sl = "spec module M {
  format E; specvar D : E set;
  proc init(e : E) requires card(e) = 1 modifies D ensures D' = e;
  proc ret() returns a : E[] ensures true;
}
spec module Main { proc main() modifies M.D ensures true; }
";
    let al = "abst module M {
  use plugin \"bounded\"; D = {x : E | \"exists i : int. d[i] = x\"}; invariant \"d != null => d.length > 0 & d[0] != null\";
}
abst module Main { use plugin \"flags\"; }
";
    check_files(
        &[("m.fl", fl), ("m.sl", sl), ("m.al", al)],
        expect![[r#"
            Main (flags): all heaps
              ✓ main  verified, 2 obligations  [time]

            M (bounded): all heaps with at most 4 objects of each type, arrays of at most 4 elements, integers from -1 to 4
              ✓ the start of M  verified, 1 state run  [time]
              ✓ a new E         verified, 1 state run  [time]
              ✓ init            verified, 1 state run  [time]
              ✗ ret             violated, 1 state run  [time]

            error[hob-array-escape]: M.ret hands out an array of `d`, which the set `D` looks into
             --> ./m.fl:4:39
              |
            4 |   proc ret() returns a : E[] { return d; }
              |                                       ^ whoever holds this array can change its elements at any time
              |
             ::: ./m.al:2:25
              |
            2 |   use plugin "bounded"; D = {x : E | "exists i : int. d[i] = x"}; invariant "d != null => d.length > 0 & d[0] != ...
              |                         - the set `D` depends on them
              |
              = help: return a copy: a new array with the same elements

            module  plugin   proved         rests on
            M       bounded  violated
            Main    flags    for all heaps  M
            the program is closed: nothing that Main reaches is trusted

            1 procedure violated, 4 verified
            exit 1
        "#]],
    );
}

#[test]
fn what_main_requires_holds_at_the_start() {
    let fl = "impl module Main { reference ok : bool; proc main() { assert \"ok'\"; ok = false; } }";
    let sl = "spec module Main { specvar ok : bool; proc main() requires ok modifies ok ensures true; }";
    let al = "abst module Main { use plugin \"flags\"; predvar ok; }";
    check_files(
        &[("m.fl", fl), ("m.sl", sl), ("m.al", al)],
        expect![[r#"
            Main (flags): all heaps
              ✗ main  violated, 1 obligation  [time]

            error[hob-start]: the program starts with Main.main, and its requires clause does not hold then
             --> ./m.sl:1:60
              |
            1 | spec module Main { specvar ok : bool; proc main() requires ok modifies ok ensures true; }
              |                                                            ^^ false when all sets are empty and all Booleans false
              |
             ::: ./m.fl:1:46
              |
            1 | impl module Main { reference ok : bool; proc main() { assert "ok'"; ok = false; } }
              |                                              ---- the program starts here
              |
              = help: remove it, or let the body establish it first

            module  plugin  proved    rests on
            Main    flags   violated
            the program is closed: nothing that Main reaches is trusted

            1 procedure violated
            exit 1
        "#]],
    );
    let right = (fl.replace("ok'", "not ok'"), sl.replace("requires ok", "requires not ok"));
    assert_eq!(said(&right.0, &right.1, al, &[]), "0");
    // A default is part of it.
    let default = sl.replace("requires ok", "").replace("proc main", "default d : pre(proc main()) = ok; proc main");
    assert_eq!(said(fl, &default, al, &[]), "main error:hob-start 1");
    let right = default.replace("= ok;", "= not ok;");
    assert_eq!(said(&fl.replace("ok'", "not ok'"), &right, al, &[]), "0");
    // With the other plugin.
    assert_eq!(said(fl, sl, &al.replace("flags", "bounded"), &[]), "main error:hob-start 1");
    // The program does not start with it.
    let (fl, sl) = (fl.replace("main", "other"), sl.replace("main", "other"));
    assert_eq!(said(&fl, &sl, al, &[]), "0");
}

#[test]
fn what_says_nothing_is_a_warning() {
    let fl = "impl module M { format T { s : int; u : int; } proc p(x : T) { x.s = 1; } proc q() { } }";
    let sl = "spec module M { format T; specvar A, B : T set;
      proc p(x : T) requires card(x) = 1 modifies A, B ensures (x in A') & (B' = B - x);
      proc q() ensures true; }";
    let al = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; B = {x : T | \"x.s = 2\"}; }";
    let with = |from: &str, to: &str| said(fl, &sl.replace(from, to), al, &[]);
    assert_eq!(with("", ""), "0");
    let default = |text: &str| with("proc q", &format!("{text} proc q"));
    assert_eq!(default("default d : pre(proc r()) = disjoint(A, B);"), "warning:unused-default 0");
    assert_eq!(default("default d : pre(proc p(int)) = disjoint(A, B);"), "warning:unused-default 0");
    assert_eq!(default("default d(f, y) = f & (y in A);"), "warning:unused-default 0");
    assert_eq!(default("default d : pre(proc p(T)) = disjoint(A, B);"), "0");
    assert_eq!(default("default d(f, x) : post(all(module M)) = f & (x in A);"), "0");
    assert_eq!(default("specvar C : T set;").split(' ').next(), Some("warning:undefined-set"));
    let unused =
        said(fl, &sl.replace("A, B :", "A, B, C :"), &al.replace("B =", "C = {x : T | \"x.u = 3\"}; B ="), &[]);
    assert_eq!(unused, "warning:unused-set 0");
    let ensures = |more: &str| with("B' = B - x)", &format!("B' = B - x) & ({more})"));
    assert_eq!(ensures("((x in A') & (x in B')) => (A = {})"), "warning:hob-vacuous 0");
    assert_eq!(ensures("(x = {}) => (A = {})"), "warning:hob-vacuous 0");
    assert_eq!(ensures("forall y : T. (((y in A) & (y in B)) => (x in A))"), "warning:hob-vacuous 0");
    assert_eq!(ensures("(x in B) => (x in A')"), "0");
    assert_eq!(ensures("forall y : T. ((y in A) => (y in A'))"), "0");
}

#[test]
fn a_verdict_names_all_that_it_rests_on() {
    let fl = "impl module M {
  format T { s : int; }
  reference d : T;
  proc b(x : T) { h(x); }
  private proc h(x : T) { assume \"x in A'\"; deep(x); }
  private proc deep(x : T) { assume \"why\" : \"x in A'\"; }
  proc c(x : T) { x.s = 1; }
}
impl module L { proc add() { } }
impl module Free { proc f() { } }
";
    let sl = "spec module M { format T; specvar A : T set;
  proc b(x : T) requires card(x) = 1 ensures true;
  private proc h(x : T) requires card(x) = 1 ensures true;
  private proc deep(x : T) requires card(x) = 1 ensures true;
  proc c(x : T) requires card(x) = 1 modifies A ensures x in A';
}
spec module L { proc add() ensures true; }
spec module Free { proc f() ensures true; }
";
    for plugin in ["flags", "bounded"] {
        let al = format!("abst module M {{ use plugin \"{plugin}\"; A = {{x : T | \"x.s = 1\"}}; }}\n");
        let folder = Folder::new(&[("m.fl", fl), ("m.sl", sl), ("m.al", &al)]);
        let ran = folder.run(&["check", ".", "--proc", "b"]);
        let rests = ran.stdout.split("this rests on:").nth(1).expect("it rests on something").to_owned();
        assert!(rests.contains("in M.h,") && rests.contains("(why)") && rests.contains("in M.deep,"), "{rests}");
        assert!(!folder.run(&["check", ".", "--proc", "c"]).stdout.contains("this rests on"));
    }
    let al = "abst module M {
  use plugin \"flags\" for { A = {x : T | \"x.s = 1\"}; procs c; }
  use plugin \"Isabelle\" for { procs b, h, deep; }
}
abst module L { use plugin \"HOL\"; }
";
    check_files(
        &[("m.fl", fl), ("m.sl", sl), ("m.al", al)],
        expect![[r#"
            M (flags): all heaps
              ✓ c  verified, 1 obligation  [time]

            this rests on:
              the specification of M.b, M.h, M.deep: its code is not checked: there is no plugin "Isabelle" here
              the specification of L: its code is not checked: there is no plugin "HOL" here
              the specification of Free: its code is not checked here

            module  plugin    proved         rests on
            M       flags     for all heaps
            M       Isabelle  trusted
            L       HOL       trusted
            Free    none      trusted
            no program to start: there is no main

            1 procedure verified on all heaps
            warning[unknown-plugin]: there is no plugin "Isabelle" here: what it should check is trusted
             --> ./m.al:3:15
              |
            3 |   use plugin "Isabelle" for { procs b, h, deep; }
              |               ^^^^^^^^
              |
              = help: plugins are "flags" and "bounded"; "PALE", "Bohne" and "vcgen" are read as "bounded"

            warning[unknown-plugin]: there is no plugin "HOL" here: what it should check is trusted
             --> ./m.al:5:29
              |
            5 | abst module L { use plugin "HOL"; }
              |                             ^^^
              |
              = help: plugins are "flags" and "bounded"; "PALE", "Bohne" and "vcgen" are read as "bounded"

            exit 0
        "#]],
    );
    let json = Folder::new(&[("m.fl", fl), ("m.sl", sl), ("m.al", al)]).run(&["check", ".", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let trusted = json["rests_on"].as_array().expect("assumptions").iter();
    let trusted: Vec<(&str, &str)> =
        trusted.map(|a| (a["kind"].as_str().expect("a kind"), a["name"].as_str().expect("a name"))).collect();
    assert_eq!(trusted, [("trusted", "M.b, M.h, M.deep"), ("trusted", "L"), ("trusted", "Free")]);
}
