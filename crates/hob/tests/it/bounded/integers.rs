//! Integers: quantified ones are all values of type int, whatever arrays there are; those of a state are around every number that is
//! mentioned. Each with its faulty twin.

use super::corners::check;
use super::engine::load;
use hob::bounded::space::integers;
use hob::interp::{Machine, Options, Script, Stop, ViolationKind};

const ELEMENTS: &str = "format E { k : int; } reference d : E[]; var size : int;";

#[test]
fn an_index_beyond_the_array_is_an_integer_too() {
    let within = "invariant \"forall i : int. 0 <= i & i < size => d[i] != null\";";
    check(
        &format!(
            "{ELEMENTS}
             proc get(i : int) returns e : E {{ if (0 <= i && i < size) {{ return d[i]; }} return null; }}
             proc get1(i : int) returns e : E {{ if (0 <= i && i <= size) {{ return d[i]; }} return null; }}
             proc claim() {{ if (d == null) {{ size = 3; }} }}
             proc cut() {{ d = new E[0]; size = 3; }}
             proc none() {{ d = new E[0]; size = 0; }}
             proc unrelated() {{ int[] a = new int[5]; if (d == null) {{ size = 3; }} }}"
        ),
        "format E; proc get(i : int) returns e : E ensures true; proc get1(i : int) returns e : E ensures true;
         proc claim() ensures true; proc cut() ensures true; proc none() ensures true; proc unrelated() ensures true;",
        within,
        &[
            ("get", "+"),
            ("get1", "- an element of null"),
            ("claim", "- leaves the representation"),
            ("cut", "- leaves the representation"),
            ("none", "+"),
            ("unrelated", "- leaves the representation"),
        ],
    );
}

/// The contract at run time does not depend on arrays that the program made elsewhere.
#[test]
fn a_run_finds_the_broken_invariant_without_any_array() {
    for array in ["", "int[] a = new int[5];"] {
        let texts = [
            format!(
                "impl module M {{ {ELEMENTS} proc claim() {{ {array} if (d == null) {{ size = 3; }} }}
                 proc fine() {{ {array} if (d == null) {{ size = 0; }} }} }}"
            ),
            "spec module M { format E; proc claim() ensures true; proc fine() ensures true; }".to_string(),
            "abst module M { use plugin \"bounded\"; invariant \"forall i : int. 0 <= i & i < size => d[i] != null\"; }"
                .to_string(),
        ];
        let program = load(&texts);
        for (proc, is_fine) in [("claim", false), ("fine", true)] {
            let id = program.procs.iter().position(|p| p.name == proc).expect("a procedure");
            let mut world = Script::default();
            let options = Options { check_contracts: true, ..Options::default() };
            let ended = Machine::new(&program, &mut world, &options).call(hob::program::ProcId(id as u32), &[]);
            let is_broken = ended.map_err(|stop| *stop);
            let is_broken = matches!(is_broken, Err(Stop::Violation(v)) if v.kind == ViolationKind::Representation);
            assert_eq!(is_broken, !is_fine, "{proc} with `{array}`");
        }
    }
}

#[test]
fn quantified_integers_without_arrays() {
    check(
        "format E { k : int; } var n : int;
         proc isSmall(e : E) returns b : bool { return 0 < e.k && e.k < 3; }
         proc isSmall1(e : E) returns b : bool { return 0 <= e.k && e.k < 3; }
         proc isOver(e : E) returns b : bool { return e.k > n; }
         proc isOver1(e : E) returns b : bool { return e.k >= n; }
         proc isFar(e : E) returns b : bool { return e.k > n + 1; }
         proc isFar1(e : E) returns b : bool { return e.k > n + 2; }",
        "format E; specvar Small, Over, Far : E set;
         proc isSmall(e : E) returns b : bool requires card(e) = 1 ensures b' <=> (e in Small);
         proc isSmall1(e : E) returns b : bool requires card(e) = 1 ensures b' <=> (e in Small);
         proc isOver(e : E) returns b : bool requires card(e) = 1 ensures b' <=> (e in Over);
         proc isOver1(e : E) returns b : bool requires card(e) = 1 ensures b' <=> (e in Over);
         proc isFar(e : E) returns b : bool requires card(e) = 1 ensures b' <=> (e in Far);
         proc isFar1(e : E) returns b : bool requires card(e) = 1 ensures b' <=> (e in Far);",
        "Small = { x : E | \"exists i : int. 0 < i & i < 3 & x.k = i\" };
         Over = { x : E | \"not (forall i : int. n < i => i > x.k)\" };
         Far = { x : E | \"exists i : int. exists j : int. n <= i & i < j & j < x.k & n < i\" };
         invariant \"n >= 0\";",
        &[
            ("isSmall", "+"),
            ("isSmall1", "- does not ensure"),
            ("isOver", "+"),
            ("isOver1", "- does not ensure"),
            ("isFar", "- does not ensure"),
            ("isFar1", "+"),
            ("the start of M", "+"),
        ],
    );
}

#[test]
fn elements_at_computed_places() {
    check(
        "reference a : int[]; var n : int;
         proc put(v : int) { a[n - 1] = v; }
         proc swap() { if (n == 2) { int v = a[0]; a[0] = a[1]; a[1] = v; } }",
        "proc put(v : int) ensures true; proc swap() ensures true;",
        "invariant \"a != null & n = a.length & 0 < n\";
         invariant \"forall i : int. 0 <= i & i < n - 1 => a[i] <= a[n - 1 - i]\";",
        &[("put", "- leaves the representation"), ("swap", "- leaves the representation")],
    );
    check(
        "reference a : int[]; var n : int;
         proc put(v : int) { if (n == 1 || a[0] <= v) { a[n - 1] = v; } }",
        "proc put(v : int) ensures true;",
        "invariant \"a != null & n = a.length & 0 < n\"; invariant \"forall i : int. 0 <= i & i + 1 < n => a[i] <= a[i + 1]\";",
        &[("put", "+")],
    );
}

/// Added to each other, two integers have no marks; limited on both sides all are tried, otherwise nothing is claimed.
#[test]
fn integers_that_are_added() {
    check(
        "reference a : int[]; var n : int;
         proc put(i : int; v : int) { if (0 <= i && i < n && v >= 0) { a[i] = v; } }
         proc put1(i : int; v : int) { if (0 <= i && i < n) { a[i] = v; } }",
        "proc put(i : int; v : int) ensures true; proc put1(i : int; v : int) ensures true;",
        "invariant \"a != null & n = a.length\";
         invariant \"forall i : int. forall j : int. 0 <= i & i < n & 0 <= j & j < n => (i + j < n => a[i + j] >= 0)\";",
        &[("put", "+"), ("put1", "- leaves the representation")],
    );
    check(
        "var n : int; proc step() { n = n + 1; }",
        "proc step() ensures true;",
        "invariant \"exists i : int. exists j : int. i + j = n & i = j\";",
        &[("step", "? cannot tell which integers")],
    );
}

#[test]
fn numbers_that_the_code_mentions_are_in_the_states() {
    check(
        "format E { k : int; }
         proc at100(e : E) { if (e.k == 100) { e.k = 0; } }
         proc above(e : E) { if (e.k > 1000) { e.k = 0; } }
         proc below(e : E) { if (e.k < -500) { e.k = 0; } }
         proc least(e : E) { if (e.k == -2147483648) { e.k = 0; } }
         proc greatest(e : E) { if (e.k == 2147483647) { e.k = 0; } }
         proc sum(e : E) { if (e.k == 2147483647 && e.k + 1 > 0) { e.k = 0; } }
         proc past(i : int) { int[] a = new int[70]; if (0 <= i) { a[i] = 1; } }
         proc inside(i : int) { int[] a = new int[70]; if (0 <= i && i < a.length) { a[i] = 1; } }
         proc bytes(b : byte) { if (b == 64) { assert \"false\"; } }",
        "format E; specvar Used : E set;
         proc at100(e : E) requires card(e) = 1 ensures true; proc above(e : E) requires card(e) = 1 ensures true;
         proc below(e : E) requires card(e) = 1 ensures true; proc least(e : E) requires card(e) = 1 ensures true;
         proc greatest(e : E) requires card(e) = 1 ensures true; proc sum(e : E) requires card(e) = 1 ensures true;
         proc past(i : int) ensures true; proc inside(i : int) ensures true; proc bytes(b : byte) ensures true;",
        "Used = { x : E | \"x.k != 0\" };",
        &[
            ("at100", "!- changes M.Used"),
            ("above", "!- changes M.Used"),
            ("below", "!- changes M.Used"),
            ("least", "!- changes M.Used"),
            ("greatest", "!- changes M.Used"),
            ("sum", "!+"),
            ("past", "!- outside of the array"),
            ("inside", "!+"),
            ("bytes", "!- does not hold"),
        ],
    );
}

#[test]
fn the_ranges_are_told() {
    let texts = [
        "impl module M { var n : int; proc p() { if (n == 100 || n < -70 || n == 5) { n = 102; } } }".to_string(),
        "spec module M { proc p() ensures true; }".to_string(),
        "abst module M { use plugin \"bounded\"; invariant \"n < 1000\"; }".to_string(),
    ];
    let program = load(&texts);
    let found = integers(&program, hob::program::ModuleId(0));
    assert_eq!(found.ranges(4), [(-71, -69), (-1, 6), (99, 103), (999, 1001)]);
    assert_eq!(found.ranges(8)[1], (-1, 8));
    assert_eq!(found.text(4), "integers from -71 to -69, from -1 to 6, from 99 to 103 and from 999 to 1001");
}

/// A limit that may be no int itself, or next to the last one.
#[test]
fn the_ends_of_all_ints() {
    check(
        "var size : int;
         proc most() { size = 2147483647; }
         proc less() { size = 2147483646; }
         proc keep() { size = size; }",
        "proc most() ensures true; proc less() ensures true; proc keep() ensures true;",
        "invariant \"forall i : int. exists j : int. j + 2 > i\";
         invariant \"forall i : int. i < size => (exists j : int. j > i + 1)\";",
        &[("most", "- leaves the representation"), ("less", "+"), ("keep", "+")],
    );
    check(
        "var size : int;
         proc least() { size = -2147483647; }
         proc more() { size = -2147483646; }",
        "proc least() ensures true; proc more() ensures true;",
        "invariant \"forall i : int. exists j : int. i < j + 1\";
         invariant \"forall i : int. i > size => (exists j : int. j + 2 < i)\";",
        &[("least", "- leaves the representation"), ("more", "+")],
    );
}
