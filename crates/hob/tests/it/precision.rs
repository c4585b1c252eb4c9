//! What the flag analysis can tell of ints, loops and Booleans (docs/hob.md, "Statements" and "Loops"): each beside a twin that must fail.

use crate::flags::{findings, load};
use hob::flags::{Options, Verdict};

/// Whether a procedure of a module with sets `A = {x.f = 1}` and `B = {x.f = 2}` is verified.
fn is_verified(proc: &str, spec: &str) -> bool {
    let fl = format!(
        "impl module M {{ format T {{ f, g : int; on : bool; next : T; kids : T[]; }} reference all : T[]; reference grid : T[][]; reference size : int; reference root : T; {proc} }}"
    );
    let sl = format!("spec module M {{ format T; specvar A, B : T set; {spec} }}");
    let al = "abst module M { use plugin \"flags\"; A = {x : T | \"x.f = 1\"}; B = {x : T | \"x.f = 2\"}; }";
    let (program, _) = load(&fl, &sl, al);
    let found = findings(&program, &Options::default());
    found.iter().all(|f| matches!(f.verdict, Verdict::Verified))
}

/// The first ensures holds, the second does not.
#[track_caller]
fn check(formals: &str, body: &str, holds: &str, fails: &str) {
    let ask = |ensures: &str| {
        let spec = format!("proc p({formals}) requires true modifies A, B ensures {ensures};");
        is_verified(&format!("proc p({formals}) {{ {body} }}"), &spec)
    };
    assert!(ask(holds), "should hold: {holds}\n{body}");
    assert!(!ask(fails), "should fail: {fails}\n{body}");
}

#[test]
fn whoever_was_used_was_there() {
    check("x : T", "x.f = 1;", "(card(x) = 1) & (x in A')", "(card(x) = 1) & (x in B')");
    check("x : T", "int k = x.f;", "card(x) = 1", "x in A");
    check("x : T; y : T", "x.f = 1;", "card(x) = 1", "card(y) = 1");
    check("x : T", "bool b = x.on;", "card(x) = 1", "card(x) = 0");
}

#[test]
fn constants_in_variables() {
    check("x : T", "int k = 2; x.f = k;", "x in B'", "x in A'");
    check("x : T; k : int", "if (k == 1) { x.f = k; } else { x.f = 2; }", "x in A' + B'", "x in A'");
    check("x : T; k : int", "if (k == 1) { x.f = k; }", "(x in A') | (A' = A)", "x in A'");
    check("x : T", "int k = 1; if (k == 1) { x.f = 2; } else { x.f = 1; }", "x in B'", "x in A'");
    check("x : T; b : bool", "int k = 1; if (b) { k = 2; } x.f = k;", "x in A' + B'", "x in B'");
    check("x : T; y : T", "x.f = 1; int k = x.f; y.f = k;", "y in A'", "y in B'");
    check("x : T; y : T", "x.f = 1; y.f = x.f;", "(x + y) in A'", "y in B'");
    check("x : T; y : T", "y.f = x.f; x.f = 2;", "x in B'", "(x != y) => (y in B')");
    check("x : T", "int k = 0; k = 3; x.f = k;", "disjoint(x, A' + B')", "x in A'");
    check("x : T", "int k = 1; k++; x.f = k;", "x in B'", "x in A'");
    check("x : T", "int k = 1; int j = k++; x.f = j;", "x in A'", "x in B'");
    check("x : T", "int k = 3; int j = --k; x.f = j;", "x in B'", "x in A'");
    check("x : T", "int k = 0; int j = k + 1; if (j == 1) { x.f = j + 1; }", "x in B'", "x in A'");
    check("x : T", "x.f = 1; x.f++;", "x in B'", "x in A'");
    check("x : T", "x.f = 1; int k = x.f++; x.f = k;", "x in A'", "x in B'");
    check("x : T", "x.f = 1; int k = ++x.f; x.f = 0; x.f = k;", "x in B'", "x in A'");
    check("x : T", "int k = 1; if (k++ == 1 && k == 2) { x.f = 2; } else { x.f = 1; }", "x in B'", "x in A'");
    check("x : T", "int k = 2147483647; k = k + 1; if (k > 0) { x.f = 1; } else { x.f = 2; }", "x in B'", "x in A'");
    check("x : T", "int k = 1; while (k++ < 3) { } x.f = k;", "(A' - x) = (A - x)", "x in A' + B'");
    check("x : T", "x.f = 3; x.f--; x.f = x.f - 1;", "x in A'", "x in B'");
    check("x : T; k : int", "if (k + 1 == 2) { x.f = k; } else { x.f = 2; }", "x in A' + B'", "x in A'");
    check("x : T; b : bool", "int k = 1; while (System.eof()) { k++; } x.f = k;", "(A' - x) = (A - x)", "x in A'");
    check("x : T", "int k = 1; int j = k; x.f = j;", "x in A'", "x in B'");
    check("x : T", "int k = 0 - 1; x.f = k;", "(A' - x) = (A - x)", "x in A'");
}

/// Each branch asks something that is not followed: what is known afterwards does not double with each.
#[test]
fn many_branches_one_after_the_other() {
    let branches = |many: usize, of: &str| (0..many).map(|k| of.replace('#', &k.to_string())).collect::<String>();
    let moves = branches(40, "if (n > #) { x.f = 2; } else { x.f = 1; }");
    check("x : T; n : int", &moves, "x in A' + B'", "x in B'");
    // Took a minute: each read of a field asked for an element of its own.
    let copies = branches(40, "if (n > #) { y.f = x.f; }");
    check("x : T; y : T; n : int", &format!("x.f = 1; {copies}"), "(x in A') & (A <= A')", "y in A'");
    let within = branches(12, "if (n > #) { if (n > 2) { x.f = 2; } y.f = 1; } else { y.f = 2; }");
    let after = "((A' + B') - (x + y)) = ((A + B) - (x + y))";
    check("x : T; y : T; n : int", &within, after, "(A' + B') = (A + B)");
    let leaving = branches(15, "if (n > #) { x.f = 2; if (System.eof()) { return; } x.f = 1; }");
    check("x : T; n : int", &format!("{leaving} x.f = 1;"), "x in A' + B'", "x in A'");
    let looped = branches(20, "if (n > #) { x.f = 2; } else { x.f = 1; }");
    check(
        "x : T; n : int",
        &format!("int k = n; while (k > 0) {{ {looped} k = k - 1; }} x.f = 2;"),
        "x in B'",
        "B' = B",
    );
}

/// However deep they are.
#[test]
fn branches_within_branches() {
    let nested = |many: usize, inner: &str| {
        let opened: String = (0..many).map(|k| format!("if (n > {k}) {{ ")).collect();
        format!("{opened} {inner} {}", "}".repeat(many))
    };
    check("x : T; n : int", &format!("x.f = 1; {}", nested(2_000, "x.f = 2;")), "x in A' + B'", "x in B'");
    let both: String = (0..150).map(|k| format!("if (n > {k}) {{ x.f = 2; ")).collect();
    let both = format!("{both} {}", "} else { x.f = 1; }".repeat(150));
    check("x : T; n : int", &format!("x.f = 1; {both}"), "x in A' + B'", "x in B'");
    let chain: Vec<String> = (0..300).map(|k| format!("if (n == {k}) {{ x.f = {}; }}", k % 2 + 1)).collect();
    check("x : T; n : int", &format!("{} else {{ x.f = 1; }}", chain.join(" else ")), "x in A' + B'", "x in B'");
}

/// Each with an object of its own and statements around the next: 100 took 4 s, and 200 a minute.
#[test]
fn branches_within_branches_with_bodies() {
    let nested = |many: usize| {
        let opened: String = (0..many)
            .map(|k| format!("w = w.next; if (w.f == 1 || n > {k}) {{ x.f = {}; w.on = n > {k}; ", k % 3))
            .collect();
        format!("T w = x; {opened} {} x.f = 1;", "x.f = 2; } else { w = x; }".repeat(many))
    };
    check("x : T; n : int", &nested(30), "(x in A') & disjoint(A', B')", "x in B'");
    let spec = "proc p(x : T; n : int) requires card(x) = 1 modifies A, B ensures (x in A') & disjoint(A', B');";
    assert!(is_verified(&format!("proc p(x : T; n : int) {{ {} }}", nested(300)), spec));
}

/// Each with objects of its own that nothing mentions afterwards: 34 took more than a minute.
#[test]
fn branches_with_objects_of_their_own() {
    let nested = |many: usize, of: &dyn Fn(usize) -> String| {
        let opened: String = (0..many).map(|k| format!("if (n > {k}) {{ {}", of(k))).collect();
        opened + &"}".repeat(many)
    };
    let own = |k: usize| format!("T t{k} = {}; t{k}.f = {};", ["x", "y"][k % 2], k % 2 + 1);
    let walk = |k: usize| format!("T c{k} = x; while (c{k} != null) {{ c{k}.f = 2; c{k} = c{k}.next; }}");
    let walks = |k: usize| own(k) + &if k.is_multiple_of(4) { walk(k) } else { String::new() };
    check("x : T; y : T; n : int", &nested(150, &own), "A' <= A + x + y", "x in A'");
    check("x : T; y : T; n : int", &nested(40, &walks), "A' <= A + x + y", "x in A'");
    // What is mentioned further down, in the next round, or by another index, is known as before.
    let many: String = (0..20).map(|k| format!("if (n > {k}) {{ y.f = 2; }} ")).collect();
    check("x : T; y : T; n : int", &format!("T t = x; {many} t.f = 1;"), "A' <= A + x", "A' <= A");
    let round = format!("T t = x; while (System.eof()) {{ T u = t; u.f = 1; {many} }}");
    check("x : T; y : T; n : int", &round, "A' <= A + x", "A' <= A");
    let element = format!("int k = n; a[k] = x; int j = k; {many} T z = a[j]; z.f = 1;");
    check("a : T[]; x : T; y : T; n : int", &element, "A' <= A + x", "A' <= A");
}

/// Of a field, too, against constants that no set is defined by.
#[test]
fn constants_in_fields() {
    check("x : T", "x.f = 3; if (x.f == 0) { x.f = 1; } else { x.f = 2; }", "x in B'", "x in A'");
    check("x : T", "x.f = 5; if (x.f >= 3) { x.f = 1; } else { x.f = 2; }", "x in A'", "x in B'");
    check("x : T", "if (x.f == 7) { x.f = 1; if (x.f == 7) { x.f = 2; } }", "not (x in (B' - B))", "x in A'");
    check("", "T y = new T(); if (y.f == 0) { y.f = 1; } else { y.f = 2; }", "B' = B", "A' = A");
    check(
        "x : T; y : T",
        "x.g = 4; y.g = 5; if (x.g == 4) { x.f = 1; } else { x.f = 2; }",
        "(x != y) => (x in A')",
        "x in A'",
    );
    // Of another procedure's writes nothing is known.
    let fl = "proc q(x : T) { x.g = 5; } proc p(x : T) { x.g = 4; q(x); if (x.g == 4) { x.f = 1; } else { x.f = 2; } }";
    let spec = |ensures: &str| format!("proc q(x : T) ensures true; proc p(x : T) modifies A, B ensures {ensures};");
    assert!(is_verified(fl, &spec("x in A' + B'")));
    assert!(!is_verified(fl, &spec("x in A'")));
}

#[test]
fn ranges() {
    check("x : T", "x.f = 1; if (x.f >= 1) { x.f = 2; }", "x in B'", "x in A'");
    check("x : T", "if (x.f >= 2) { x.f = 1; }", "not (x in (A - A'))", "x in A'");
    check("x : T", "if (x.f < 2) { x.f = 2; }", "(x in A) => (x in B')", "x in B'");
    check("x : T", "x.f = 1; if (x.f > 1) { x.f = 2; }", "x in A'", "x in B'");
    check(
        "x : T; k : int",
        "if (1 <= k) { x.f = 1; if (k == 0) { x.f = 2; } } else { x.f = 1; }",
        "x in A'",
        "x in B'",
    );
    check(
        "x : T; k : int",
        "if (x.f != k) { x.f = 1; } else { if (k == 1) { x.f = k; } else { x.f = 1; } }",
        "x in A'",
        "x in B'",
    );
}

#[test]
fn loops_that_run_once_or_not_at_all() {
    let body = "bool first = true; while (first) { x.f = 2; first = false; }";
    check("x : T", body, "x in B'", "x in A'");
    let body = "bool first = false; while (first) { x.f = 2; first = false; }";
    check("x : T", body, "(A' = A) & (B' = B)", "x in B'");
    check("x : T; b : bool", "x.f = 1; while (b) { x.f = 1; }", "x in A'", "x in B'");
    check("x : T; b : bool", "bool c = b; while (c) { x.f = 2; c = false; }", "b => (x in B')", "x in B'");
}

/// A loop that counts between constants begins, and one that counts the other way does not.
#[test]
fn loops_that_count() {
    for count in ["int i = 0; while (i < 3) { x.f = 2; i = i + 1; }", "for (int i = 0; i < 3; i++) { x.f = 2; }"] {
        check("x : T", count, "x in B'", "x in A'");
    }
    check("x : T", "int i = 7; while (i > 0) { x.f = 2; i--; }", "(x in B') & (card(x) = 1)", "x in A'");
    check("x : T", "int i = 3; while (i < 3) { x.f = 2; i = i + 1; }", "B' = B", "x in B'");
    check("x : T; n : int", "int i = n; while (i < 3) { x.f = 2; i = i + 1; }", "A' <= A", "x in B'");
    check("x : T; n : int", "int i = 0; while (i < n) { x.f = 2; i = i + 1; }", "A' <= A", "x in B'");
    check("x : T", "int i = 0; while (i < 3) { if (i == 0) { x.f = 1; } i = i + 1; }", "x in A'", "x in B'");
}

/// Round by round, if they write what they count.
#[test]
fn loops_that_write_what_they_count() {
    let left = "disjoint(x, A' + B')";
    for count in [
        "k = 1; k <= 3; k++",
        "k = 0; k < 6; k++",
        "k = 0; k <= 4; k = k + 2",
        "k = 5; k != 2; k--",
        "k = 1; k <= 12; k++",
    ] {
        check("x : T", &format!("int k; for ({count}) {{ x.f = k; }}"), left, "x in A'");
    }
    check("x : T", "int k = 1; while (k != 3) { x.f = k; k = k + 1; }", "x in B'", "x in A'");
    check("x : T", "int k; for (k = 3; k >= 1; k--) { x.f = k; }", "(x in A') & (B' = B - x)", left);
    let both = "int k; for (k = 1; k <= 2; k++) { if (k == 1) { x.f = k; } else { y.f = k; } }";
    check("x : T; y : T", both, "(y in B') & ((x != y) => (x in A'))", "x in A'");
    let within = "int k; int j; for (k = 1; k <= 2; k++) { for (j = 0; j < k; j++) { x.f = k; } }";
    check("x : T", within, "x in B'", "x in A'");
}

/// Characters are compared, and assigned, as ints are.
#[test]
fn characters() {
    check("x : T", "char c = 'b'; if (c == 'b') { x.f = 1; } else { x.f = 2; }", "x in A'", "x in B'");
    check("x : T", "if ('a' == 'b') { x.f = 1; } else { x.f = 2; }", "x in B'", "x in A'");
    check("x : T; c : char", "x.f = 2; if (c == 'a') { if (c != 'a') { x.f = 1; } }", "x in B'", "x in A'");
    check("x : T; c : char", "x.f = 2; if (c == 'a') { if (c != 'b') { x.f = 1; } }", "x in A' + B'", "x in B'");
    check("x : T", "char c; if (c == 'a') { x.f = 1; } else { x.f = 2; }", "x in B'", "x in A'");
    let scan = "char c = 'a'; x.f = 1; while (c != 'z') { c = String.get(s, 0); if (c == 'z') { x.f = 2; } }";
    check("x : T; s : string", scan, "x in A' + B'", "x in A'");
}

/// What is ensured of the result holds, round after round, of the variable that is returned.
#[test]
fn results_of_loops() {
    let ask = |body: &str, ensures: &str| {
        let fl = format!(
            "proc p(a : T[]) returns any : bool {{ bool some = false; for (int i = 0; i < a.length; i++) {{
               T x = a[i]; if (x != null) {{ if (x.f == 1) {{ {body} }} }} }} return some; }}"
        );
        is_verified(&fl, &format!("proc p(a : T[]) returns any : bool modifies A, B ensures {ensures};"))
    };
    let ensures = "(A' <= A) & ((not any') => (A' = A))";
    assert!(ask("x.f = 2; some = true;", ensures));
    assert!(!ask("x.f = 2;", ensures));
    assert!(!ask("some = true; x.f = 2; some = false;", ensures));
}

/// Boolean fields that no set is defined by.
#[test]
fn flags_without_sets() {
    check("x : T", "x.on = true; if (x.on) { x.f = 1; } else { x.f = 2; }", "x in A'", "x in B'");
    check("x : T", "if (x.on) { x.f = 1; if (!x.on) { x.f = 2; } } else { x.f = 1; }", "x in A'", "x in B'");
    check("x : T; y : T", "x.on = true; y.on = false; if (x.on) { x.f = 1; }", "(x != y) => (x in A')", "x in A'");
    check("x : T; y : T", "x.on = y.on; if (x.on == y.on) { x.f = 1; } else { x.f = 2; }", "x in A'", "x in B'");
    check("", "T y = new T(); if (y.on) { y.f = 1; }", "A' = A", "B' != B");
    let calls = |body: &str| {
        let fl = format!("proc q(x : T) {{ {body} }} proc p(x : T) {{ x.on = true; q(x); if (x.on) {{ x.f = 1; }} }}");
        let spec = "proc q(x : T) ensures true; proc p(x : T) modifies A, B ensures x in A';";
        is_verified(&fl, spec)
    };
    assert!(calls("bool b = x.on;"));
    assert!(!calls("x.on = false;"));
}

#[test]
fn what_a_loop_does_not_reach() {
    let body = "T y = a; while (System.eof()) { y.f = 2; if (y == a) { y = c; } else { y = a; } }";
    check("a : T; c : T", body, "((A' - a) - c) = ((A - a) - c)", "(A' - a) = (A - a)");
    check("a : T; c : T", body, "((B' - a) - c) = ((B - a) - c)", "B' = B");
}

#[test]
fn walks_along_lists() {
    let body = "T y = x; while (y != null) { y.f = 2; y = y.next; }";
    check("x : T", body, "(A' <= A) & (B <= B')", "A' = A");
    check("x : T", body, "x in B'", "B' = B + x");
}

/// As many constants as a field has states; and rounds that are counted by another variable.
#[test]
fn many_states() {
    let steps: String = (1..20).map(|k| format!("if (k == {k}) {{ x.f = {}; }} ", k + 1)).collect();
    check("x : T", &format!("x.f = 1; int k = x.f; {steps}"), "x in B'", "x in A'");
    check("x : T", &format!("x.f = 19; int k = x.f; {steps} if (x.f == 20) {{ x.f = 1; }}"), "x in A'", "x in B'");
    check("x : T", "x.f = 0; for (int i = 0; i < 2; i++) { x.f = x.f + 1; }", "x in B'", "x in A'");
    check("x : T", "x.f = 4; int i = 3; while (i > 0) { x.f--; i--; }", "x in A'", "x in B'");
    check("x : T; n : int", "x.f = 0; for (int i = 0; i < n; i++) { x.f = x.f + 1; }", "A - x <= A'", "x in A' + B'");
}

/// What is read twice is the same, unless something in between may have written it.
#[test]
fn objects_in_arrays_fields_and_module_variables() {
    // The second read is of the object that was written: nothing has joined A.
    check("i : int", "all[i].f = 1; all[i].f = 2;", "A' <= A", "B' <= B");
    check("i : int; j : int", "all[i].f = 1; all[j].f = 2;", "card(A' - A) <= 1", "A' <= A");
    check("i : int", "int k = i; all[k].f = 1; k = k + 1; all[k].f = 2;", "card(A' - A) <= 1", "A' <= A");
    check("x : T; y : T", "all[0] = x; all[1] = y; all[0].f = 1;", "x in A'", "y in A'");
    check(
        "x : T; i : int",
        "all[0] = x; all[i] = null; T z = all[0]; if (z != null) { z.f = 1; }",
        "A' <= A + x",
        "x in A'",
    );
    check("a : T[]; x : T; y : T", "a[0] = x; all[0] = y; a[0].f = 1;", "A' <= A + x + y", "x in A'");
    check("a : T[]; x : T", "T[] b = a; b[0] = x; b = all; b[0].f = 1;", "card(A' - A) <= 1", "x in A'");
    check("x : T", "x.next.f = 1; x.next.f = 2;", "A' <= A", "B' <= B");
    check(
        "x : T; y : T; z : T",
        "x.next = z; y.next = null; T w = x.next; if (w != null) { w.f = 1; }",
        "A' <= A + z",
        "z in A'",
    );
    check("x : T; y : T", "T z = x; z.next.f = 1; z = y; z.next.f = 2;", "card(A' - A) <= 1", "A' <= A");
    check("", "root.f = 1; root.f = 2;", "A' <= A", "B' <= B");
    check("x : T", "root = x; root.f = 1;", "x in A'", "x in B'");
    check("x : T", "root.f = 1; root = x; root.f = 2;", "x in B'", "A' <= A");
    check("x : T", "root = x; while (System.eof()) { root.f = 1; } root.f = 2;", "x in B'", "x in A'");
    check("x : T", "root = x; while (System.eof()) { root = root.next; } root.f = 2;", "B <= B'", "x in B'");
    let calls = |body: &str, ensures: &str| {
        let fl = format!(
            "proc q(x : T) {{ {body} }} proc p(x : T; y : T) {{ root = x; all[0] = x; x.next = x; q(y); T z = root; z.f = 1; z = all[0]; z.f = 1; z = x.next; z.f = 1; }}"
        );
        is_verified(&fl, &format!("proc q(x : T) ensures true; proc p(x : T; y : T) modifies A, B ensures {ensures};"))
    };
    assert!(calls("bool b = x == null;", "A' <= A + x"));
    for writes in ["root = x;", "all[0] = x;", "x.next = null;", "all = new T[1];"] {
        assert!(!calls(writes, "A' <= A + x"), "{writes}");
    }
}

/// An element has several names: what is written with one is read with the other, until something in between may have written it. The
/// object is put to A if it is `x`: `z` is what was read.
#[test]
fn elements_by_other_names() {
    let ask = |body: &str| {
        let formals = "a : T[]; c : T[]; m : T[][]; x : T; y : T; i : int; j : int; b : bool";
        let fl = format!(
            "proc nothing(a : T[]) {{ }} proc clear(a : T[]) {{ a[0] = null; }} proc down() {{ size = size - 1; }}
             proc turn(a : T[]) {{ all = a; }}
             proc p({formals}) {{ T z = null; {body} if (z != null) {{ z.f = 1; }} }}"
        );
        let others = "proc nothing(a : T[]) ensures true; proc clear(a : T[]) ensures true; proc down() ensures true;
            proc turn(a : T[]) ensures true;";
        let spec = format!("{others} proc p({formals}) modifies A, B ensures A' <= A + x;");
        is_verified(&fl, &spec)
    };
    let hold = [
        "a[1] = x; int k = 1; z = a[k];",
        "a[1] = x; int k = 1; a[2] = y; z = a[k];",
        "a[1] = x; int k = 0; k++; z = a[k];",
        "int k = 1; a[k] = x; z = a[1];",
        "int k = 1; if (b) { k = 2; } a[k] = x; if (k == 2) { z = a[2]; } else { z = a[1]; }",
        "a[i] = x; z = a[i + 0];",
        "a[i + 1] = x; z = a[1 + i];",
        "a[i] = x; a[i + 1] = y; z = a[i];",
        "int k = i; a[i] = x; z = a[k];",
        "int k = i; a[k] = x; z = a[i];",
        "int k = i; a[k] = x; k = k + 1; a[k] = y; z = a[i];",
        "int k = i; a[k + 1] = x; k = k + 1; z = a[k];",
        "int k = i; a[k] = x; k++; z = a[k - 1];",
        "int k = i + 1; a[k] = x; z = a[i + 1];",
        "if (i == j) { a[i] = x; z = a[j]; }",
        "a[i] = x; if (i != j) { a[j] = y; } z = a[i];",
        "a[i] = x; if (j < i) { a[j] = y; } z = a[i];",
        "a[i] = x; T[] d = a; z = d[i];",
        "x.kids[i] = x; z = x.kids[i];",
        "x.kids[0] = x; T w = x; z = w.kids[0];",
        "x.kids[0] = x; if (x == y) { z = y.kids[0]; }",
        "x.kids[i] = x; if (x != y) { y.kids = c; } z = x.kids[i];",
        "x.kids[i] = x; T w = new T(); w.kids = c; z = x.kids[i];",
        "x.kids[i] = x; while (System.eof()) { T w = new T(); w.kids = c; } z = x.kids[i];",
        "all[size] = x; z = all[size];",
        "all[size] = x; size = size + 1; z = all[size - 1];",
        "all[size] = x; size++; z = all[size - 1];",
        "m[i][j] = x; z = m[i][j];",
        "m[i][1] = x; m[i][2] = y; int k = 1; z = m[i][k];",
        "m[i][j] = x; T[] row = m[i]; z = row[j];",
        "m[0][j] = x; m[1] = c; z = m[0][j];",
        "a[i] = x; nothing(a); z = a[i];",
        "all[size] = x; nothing(all); z = all[size];",
        "a[i] = x; while (System.eof()) { bool d = b; } z = a[i];",
        "a[1] = x; c[2] = y; z = a[1];",
        "T[] d = a; a[i] = x; z = d[i];",
        "T[] d = a; d[i] = x; d = c; z = a[i];",
        "T[] d = all; all[i] = x; all = new T[3]; all[i] = y; z = d[i];",
        "a[i] = x; T[] d = new T[3]; d[i] = y; z = a[i];",
        "T[] d = a; if (b) { d = new T[3]; } d[i] = x; if (!b) { z = a[i]; }",
        "if (a == c) { a[i] = x; z = c[i]; }",
        "a[i] = x; if (a != c) { c[i] = y; } z = a[i];",
        "T[][] n = m; m[i][j] = x; z = n[i][j];",
    ];
    let fail = [
        "T[] d = a; d = c; a[i] = x; z = d[i];",
        "T[] d = all; all = c; all[i] = x; z = d[i];",
        "T[] d = all; turn(c); all[i] = x; z = d[i];",
        "T[] d = all; while (System.eof()) { all = c; } all[i] = x; z = d[i];",
        "T[] d = a; a[i] = x; c[i] = y; z = d[i];",
        "T[] d = new T[3]; d = c; a[i] = x; d[i] = y; z = a[i];",
        "T[] d = a; if (b) { d = new T[3]; } d[i] = x; z = a[i];",
        "if (a != c) { a[i] = x; z = c[i]; }",
        "a[i] = x; if (a == c) { c[i] = y; } z = a[i];",
        "T[][] n = m; m[i][j] = x; z = n[j][i];",
        "m[0] = c; m[1] = c; m[0][j] = x; m[1][j] = y; z = m[0][j];",
        "a[1] = x; int k = 2; z = a[k];",
        "a[1] = x; int k = 1; a[1] = y; z = a[k];",
        "a[1] = x; int k = 1; a[k] = y; z = a[1];",
        "a[1] = x; int k = 1; c[1] = y; z = a[k];",
        "a[1] = x; T[] d = a; d[1] = y; z = a[1];",
        "a[1] = x; int k = 1; if (b) { k = 2; } z = a[k];",
        "a[1] = x; int k = 1; if (b) { a[k] = y; } z = a[1];",
        "a[1] = x; int k = 1; while (System.eof()) { k = k + 1; } z = a[k];",
        "a[1] = x; int k = 1; while (System.eof()) { a[i] = y; } z = a[k];",
        "a[1] = x; int k = 0; k++; k++; z = a[k];",
        "a[i + 1] = x; z = a[i];",
        "a[i] = x; a[j] = y; z = a[i];",
        "int k = i; a[i] = x; k = j; z = a[k];",
        "int k = i; a[k] = x; k = k + 1; z = a[k];",
        "int k = i; a[i] = x; k++; z = a[k];",
        "int k = i; a[k] = x; a[i] = y; z = a[k];",
        "int k = i; a[k] = a[k++]; z = a[k];",
        "int k = 0; a[k] = a[++k]; z = a[k];",
        "if (i <= j) { a[i] = x; z = a[j]; }",
        "a[i] = x; if (i <= j) { a[j] = y; } z = a[i];",
        "x.kids[i] = x; x.kids = c; z = x.kids[i];",
        "x.kids[i] = x; y.kids = c; z = x.kids[i];",
        "x.kids[i] = x; y.kids[i] = y; z = x.kids[i];",
        "x.kids[i] = x; if (x != y) { y.kids[i] = y; } z = x.kids[i];",
        "x.kids[i] = x; if (x == y) { y.kids = c; } z = x.kids[i];",
        "x.kids[i] = x; if (x == y) { T v = new T(); y.kids[j] = v; } z = x.kids[i];",
        "x.kids[i] = x; T w = new T(); if (b) { w = x; } w.kids = c; z = x.kids[i];",
        "x.kids[i] = x; T w = new T(); while (System.eof()) { w.kids = c; w = x; } z = x.kids[i];",
        "x.kids[0] = x; T w = y; int k = 0; z = w.kids[k];",
        "all[size] = x; size = size + 1; z = all[size];",
        "all[size] = x; size--; z = all[size];",
        "all[size] = x; down(); z = all[size];",
        "all[size] = x; all = c; z = all[size];",
        "m[i][j] = x; m[i] = c; z = m[i][j];",
        "m[i][j] = x; m[j] = c; z = m[i][j];",
        "m[i][1] = x; m[j][1] = y; z = m[i][1];",
        "m[0][j] = x; T[] row = m[1]; row[j] = y; z = m[0][j];",
        "m[i][j] = x; T[] row = m[j]; z = row[j];",
        "m[i][j] = x; grid = m; T[] row = c; grid[i] = row; z = m[i][j];",
        "a[i] = x; clear(a); z = a[i];",
        "a[i] = x; clear(c); z = a[i];",
        "a[1] = x; c[1] = y; z = a[1];",
    ];
    let wrong = |bodies: &[&'static str], holds: bool| -> Vec<&str> {
        bodies.iter().copied().filter(|body| ask(body) != holds).collect()
    };
    assert_eq!((wrong(&hold, true), wrong(&fail, false)), (Vec::new(), Vec::new()));
}

/// A set that a scope keeps to itself need not be listed: that it stays is known from the procedures that could change it.
#[test]
fn frames_of_internal_sets() {
    let ask = |calls: &str, ensures: &str| {
        let fl = format!(
            "impl module N {{ format T {{ on : bool; }} proc put(x : T) {{ x.on = true; }} proc look(x : T) returns b : bool {{ return x.on; }} proc drop(x : T) {{ x.on = false; }} }}
             impl module M {{ format T {{ f : int; }} proc q(x : T) {{ {calls} }} proc p(x : T; y : T) {{ N.put(x); q(y); }} }}"
        );
        let sl = format!(
            "scope C {{ modules M, N; exports M; }}
             spec module N {{ format T; specvar S : T set; proc put(x : T) requires card(x) = 1 modifies S ensures S' = S + x;
               proc look(x : T) returns b : bool requires card(x) = 1 ensures b' <=> (x in S); proc drop(x : T) requires card(x) = 1 modifies S ensures S' = S - x; }}
             spec module M {{ format T; proc q(x : T) requires card(x) = 1 calls N ensures true;
               proc p(x : T; y : T) requires (card(x) = 1) & (card(y) = 1) calls N ensures {ensures}; }}"
        );
        let al = "abst module M { use plugin \"flags\"; } abst module N { use plugin \"flags\"; S = {x : T | \"x.on = true\"}; }";
        let (program, _) = load(&fl, &sl, al);
        findings(&program, &Options::default()).iter().all(|f| matches!(f.verdict, Verdict::Verified))
    };
    assert!(ask("bool b = N.look(x);", "x in N.S'"));
    assert!(!ask("N.drop(x);", "x in N.S'"));
    assert!(!ask("bool b = N.look(x);", "y in N.S'"));
}

#[test]
fn booleans() {
    check(
        "x : T; b : bool; c : bool",
        "if (b ^ c) { x.f = 1; } else { x.f = 2; }",
        "(b <=> c) <=> (x in B')",
        "x in A'",
    );
    check(
        "x : T; b : bool; c : bool",
        "if (b & c) { x.f = 1; } else { x.f = 2; }",
        "(b & c) <=> (x in A')",
        "b <=> (x in A')",
    );
    check("x : T; b : bool; c : bool", "bool d = b | c; if (d) { x.f = 1; }", "(b | c) => (x in A')", "x in A'");
}

/// A loop that uses up a set says on the way what is ensured of all but the rest of it.
#[test]
fn loops_over_what_is_left() {
    let ask = |body: &str, ensures: &str| {
        let fl = format!(
            "impl module Use {{ format N {{ seen : bool; }}
               proc all() {{ Seq.open(); bool last = Seq.isLast(); while (!last) {{ {body} last = Seq.isLast(); }} }} }}"
        );
        let sl = format!(
            "spec module Seq {{ format N; specvar Content, Iter : N set;
               proc open() modifies Iter ensures Iter' = Content;
               proc next() returns n : N requires Iter != {{}} modifies Iter ensures (card(n') = 1) & (n' in Iter) & (Iter' = Iter - n');
               proc isLast() returns b : bool ensures b' <=> (Iter = {{}}); }}
             spec module Use {{ format N; specvar Seen : N set; proc all() modifies Seen, Seq.Iter calls Seq ensures {ensures}; }}"
        );
        let al = "abst module Use { use plugin \"flags\"; Seen = {x : N | \"x.seen = true\"}; }";
        let (program, _) = load(&fl, &sl, al);
        findings(&program, &Options::default()).iter().all(|f| matches!(f.verdict, Verdict::Verified))
    };
    let (marks, clears) = ("N n = Seq.next(); n.seen = true;", "N n = Seq.next(); n.seen = false;");
    assert!(ask(marks, "(Seq.Content <= Seen') & (Seen <= Seen') & (Seq.Iter' = {})"));
    assert!(ask(clears, "disjoint(Seq.Content, Seen') & (Seen' <= Seen)"));
    assert!(!ask(clears, "Seq.Content <= Seen'"));
    assert!(!ask("N n = Seq.next(); N m = Seq.next(); n.seen = true;", "Seq.Content <= Seen'"));
    assert!(!ask("N n = Seq.next(); bool b = Seq.isLast(); if (!b) { n.seen = true; }", "Seq.Content <= Seen'"));
    // That what comes is from a set which the loop does not change, though nothing says so of the rest of it but how it began.
    assert!(ask(marks, "Seen' <= Seen + Seq.Content"));
    assert!(!ask("N n = Seq.next(); n.seen = true; N m = new N(); m.seen = true;", "Seen' <= Seen + Seq.Content"));
    assert!(!ask(marks, "Seen' <= Seen"));
}

/// Comparisons that leave an int no value but constants that are followed.
#[test]
fn ranges_of_two_comparisons() {
    // The same threshold in other words; of another one nothing is known.
    let (either, either_or_none) = ("(x in A') | (x in B')", "(x in A) | (x in A') | (x in B')");
    for second in ["k > -1", "k >= 0", "-1 < k", "!(k <= -1)"] {
        let body = format!("if (k < 0) {{ x.f = 1; }} else {{ if ({second}) {{ x.f = 2; }} }}");
        check("x : T; k : int", &body, either, "x in A'");
        let other = body.replace("k < 0", "k < -1");
        assert!(!is_verified(
            &format!("proc p(x : T; k : int) {{ {other} }}"),
            &format!("proc p(x : T; k : int) requires card(x) = 1 modifies A, B ensures {either_or_none};")
        ));
    }
    for condition in
        ["x.f >= 1 && x.f <= 2", "x != null && x.f > 0 && 2 >= x.f", "!(x.f < 1 || x.f > 2)", "x.f >= 1 && !(x.f >= 3)"]
    {
        let body = format!("if ({condition}) {{ assert \"x in A' + B'\"; }} else {{ x.f = 1; }}");
        check("x : T", &body, "x in A' + B'", "x in A'");
    }
    for wide in
        ["x.f >= 1 && x.f <= 3", "x.f >= 1", "x.f >= 0 && x.f <= 2", "x.f >= 1 || x.f <= 2", "!(x.f < 1 && x.f > 2)"]
    {
        let body = format!("if ({wide}) {{ }} else {{ x.f = 1; }}");
        check("x : T", &body, "true", "x in A' + B'");
    }
    check("x : T; k : int", "if (k >= 1 && k < 3) { x.f = k; } else { x.f = 2; }", "x in A' + B'", "x in B'");
    // What changes between the two comparisons is not the same int.
    let moved = "proc q(x : T) { x.f = 9; } proc r(x : T) returns b : bool { x.f = 0; return true; }
        proc p(x : T) { if (x.f >= 1 && r(x) && x.f <= 2) { } else { x.f = 1; } }";
    let spec = "proc q(x : T) modifies A, B ensures true; proc r(x : T) returns b : bool modifies A, B ensures true;";
    assert!(!is_verified(moved, &format!("{spec} proc p(x : T) modifies A, B ensures x in A' + B';")));
}

/// It does not matter where the two comparisons are, as long as the int is the same.
#[test]
fn ranges_in_different_ifs() {
    let one = "x in A' + B'";
    check("x : T", "if (x.f >= 1) { if (x.f <= 2) { } else { x.f = 1; } } else { x.f = 2; }", one, "x in A'");
    check("x : T", "if (x.f < 1) { x.f = 1; return; } if (x.f > 2) { x.f = 1; }", one, "x in A'");
    check(
        "x : T; k : int",
        "if (k < 1) { x.f = 1; return; } if (3 <= k) { x.f = 2; return; } x.f = k;",
        one,
        "x in B'",
    );
    check("x : T", "int k = x.f; if (k >= 1) { if (!(k >= 3)) { return; } } x.f = 2;", one, "x in B'");
    // One of three, and one that the next test excludes.
    let three = "if (x.f >= 0) { if (x.f <= 2) { if (x.f != 0) { return; } } } x.f = 1;";
    check("x : T", three, one, "x in A'");
    // Another object, another value meanwhile, a bound that is not met.
    for body in [
        "if (x.f >= 1) { x = y; if (x.f <= 2) { z = x; } }",
        "if (x.f >= 1) { y.f = 0; if (x.f <= 2) { z = x; } }",
        "if (x.f >= 1) { if (y.f <= 2) { z = x; } }",
        "if (x.f >= 1) { if (x.f <= 3) { z = x; } }",
        "if (x.f >= 1) { } if (x.f <= 2) { z = x; }",
        "bool b = x.f >= 1; if (x.f <= 2) { z = x; }",
    ] {
        let proc =
            |body: &str| format!("proc p(a : T; y : T) returns r : T {{ T x = a; T z = null; {body} return z; }}");
        let spec = "proc p(a : T; y : T) returns r : T modifies A, B ensures r' in A' + B';";
        assert!(!is_verified(&proc(body), spec), "{body}");
        assert!(is_verified(&proc("if (x.f >= 1) { if (x.f <= 2) { z = x; } }"), spec));
    }
    // Round after round: what is known at the head of a loop must hold of all of them.
    let walk = "T x = a; while (x != null) { if (x.f < 1) { x.f = 1; } if (x.f > 2) { x.f = 2; } x = x.next; }";
    check("a : T", walk, "(card(a) = 0) | (a in A' + B')", "a in A'");
}

/// A run that ends the program reaches no exit.
#[test]
fn the_program_ends_itself() {
    check("x : T; n : int", "if (n < 0) { System.exit(3); } else { x.f = 1; }", "x in A'", "x in B'");
    check("x : T; n : int", "if (n < 0) { System.exit(3); } x.f = 1;", "x in A'", "x in B'");
    check(
        "x : T",
        "while (x.f != 1) { if (System.eof()) { System.exit(3); } x.f = 1; }",
        "(x in A') | (card(x) = 0)",
        "x in B'",
    );
}

/// What a loop counts up stays among the constants that it meets, whichever of them it is at.
#[test]
fn a_field_is_at_one_of_several_constants() {
    let ask = |body: &str, ensures: &str| {
        let fl = format!("impl module M {{ format T {{ f : int; }} proc p(x : T) {{ {body} }} }}");
        let sl = format!(
            "spec module M {{ format T; specvar A, B, D : T set; proc p(x : T) modifies A, B, D ensures {ensures}; }}"
        );
        let al = r#"abst module M { use plugin "flags"; A = {x : T | "x.f = 1"}; B = {x : T | "x.f = 2"}; D = {x : T | "x.f = 3"}; }"#;
        let (program, _) = load(&fl, &sl, al);
        findings(&program, &Options::default()).iter().all(|f| matches!(f.verdict, Verdict::Verified))
    };
    let up = "x.f = 1; while (x.f < 3) { x.f = x.f + 1; } x.f = x.f - 1;";
    assert!(ask(up, "(A' <= A + x) & (not (x in D'))"));
    assert!(!ask(up, "(A' <= A + x) & (not (x in B'))"));
}
