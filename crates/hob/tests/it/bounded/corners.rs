//! Small modules at the corners of the languages: what is verified, refuted, left open. Where the enumeration of all heaps can follow,
//! it says the same.

use super::agreement::differences;
use super::engine::{Answer, Subject};

/// `impl`, `spec` and `abst` of a module M with these members; procedures and what becomes of them: `+`, `-`, or `?` with a part of
/// the reason; `!` in front: the enumeration does not get there.
pub fn check(code: &str, specification: &str, abstraction: &str, expected: &[(&str, &str)]) {
    let texts = [
        format!("impl module M {{ {code} }}"),
        format!("spec module M {{ {specification} }}"),
        format!("abst module M {{ use plugin \"bounded\"; {abstraction} }}"),
    ];
    let subject = Subject::new(&texts);
    let mut wrong = String::new();
    for (proc, verdict) in expected {
        let (verdict, is_enumerated) = (verdict.trim_start_matches('!'), !verdict.starts_with(['!', '?']));
        let found = subject.operations().find(|(_, name)| name == proc || name == &format!("M.{proc}"));
        let (operation, name) = found.unwrap_or_else(|| panic!("there is no {proc}"));
        let (answer, _) = subject.ask(operation, 2);
        let is_right = match &answer {
            Answer::Verified => verdict == "+",
            Answer::Refuted(found) => {
                verdict.strip_prefix("- ").is_some_and(|part| found.violations[0].problem.message.contains(part))
            }
            Answer::NoState | Answer::Other(_) => {
                verdict.strip_prefix("? ").is_some_and(|part| format!("{answer:?}").contains(part))
            }
        };
        if !is_right {
            wrong += &format!("{name}: {answer:?}, not {verdict}\n");
        }
        if is_enumerated {
            wrong += &differences(&subject, 2, &|other| other == name);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A line for each operation but the first ones, at size 2; of what is not decided, what `of_reason` makes of the reason.
pub fn answers(subject: &Subject, first: usize, of_reason: impl Fn(&str) -> String) -> String {
    let line = |(operation, name): (usize, String)| {
        let answer = match subject.ask(operation, 2).0 {
            Answer::Verified => "verified".to_string(),
            Answer::Refuted(f) => format!("refuted: {}", f.violations[0].problem.message),
            Answer::Other(why) => format!("unknown: {}", of_reason(&why)),
            Answer::NoState => "no state".to_string(),
        };
        format!("{name}: {answer}\n")
    };
    subject.operations().skip(first).map(line).collect()
}

#[test]
fn booleans_of_the_specification() {
    check(
        "var on : bool; var off : bool;
         proc start() { on = true; }
         proc swap() { bool kept = on; on = off; off = kept; }
         proc ask() returns b : bool { return on && !off; }",
        "specvar on, off : bool;
         proc start() modifies on ensures on';
         proc swap() modifies on ensures on' <=> off;
         proc ask() returns b : bool ensures b' <=> (on & (not off));",
        "predvar on; predvar off;",
        &[("start", "+"), ("swap", "- changes M.off"), ("ask", "+"), ("the start of M", "+")],
    );
}

#[test]
fn derived_sets_and_flags() {
    check(
        "format T { kind : int; marked : bool; }
         proc a(x : T) { x.kind = 1; }
         proc b(x : T) { x.kind = 1; x.marked = true; }
         proc both(x : T) { x.marked = true; if (x.kind == 0) { x.kind = 2; } }",
        "format T; specvar One, Two, Marked, Any, Both : T set;
         proc a(x : T) requires card(x) = 1 modifies One, Two, Any, Both ensures (One' = One + x) & (Two' = Two - x);
         proc b(x : T) requires (card(x) = 1) & (x in Two) modifies One, Two, Marked, Both
             ensures (Both' = Both + x) & (Any' = Any);
         proc both(x : T) requires card(x) = 1 modifies Two, Marked, Any, Both ensures Two' = Two + x;",
        "One = { x : T | \"x.kind = 1\" }; Two = { x : T | \"x.kind = 2\" }; Marked = { x : T | \"x.marked = true\" };
         Any = One + Two; Both = One cap Marked;",
        &[("a", "+"), ("b", "+"), ("both", "- does not ensure"), ("a new T", "+"), ("the start of M", "+")],
    );
}

#[test]
fn quantifiers_of_the_specification() {
    check(
        "format T { on : bool; }
         proc put(x : T) { x.on = true; }
         proc none() { }",
        "format T; specvar S : T set;
         proc put(x : T) requires card(x) = 1 modifies S
             ensures (exists y : T. (y in S')) & (forall y : T. ((y in S') => ((y in S) | (y = x))));
         proc none() ensures exists y : T. (not (y in S));",
        "S = { x : T | \"x.on = true\" };",
        &[("put", "+"), ("none", "+")],
    );
    check(
        "format T { on : bool; } proc all() { } proc two() { }",
        "format T; specvar S : T set;
         proc all() ensures forall y : T. (y in S);
         proc two() ensures exists y : T. (exists z : T. ((y != z) & (not (y in S)) & (not (z in S))));",
        "S = { x : T | \"x.on = true\" };",
        &[("all", "- does not ensure"), ("two", "+")],
    );
}

#[test]
fn invariants_of_the_module() {
    check(
        "format T { a : bool; b : bool; }
         proc toA(x : T) { x.a = true; x.b = false; }
         proc toB(x : T) { x.b = true; }",
        "format T; specvar A, B : T set; invariant disjoint(A, B);
         proc toA(x : T) requires card(x) = 1 modifies A, B ensures A' = A + x;
         proc toB(x : T) requires card(x) = 1 modifies A, B ensures B' = B + x;",
        "A = { x : T | \"x.a = true\" }; B = { x : T | \"x.b = true\" };",
        &[("toA", "+"), ("toB", "- the invariant of module M"), ("the start of M", "+")],
    );
}

#[test]
fn assertions_and_loop_invariants() {
    check(
        "format T { next : T; on : bool; } reference root : T;
         proc good(x : T) { assert \"S' = S\"; x.on = true; assert \"after\": \"S' = S + x\"; }
         proc bad(x : T) { x.on = true; assert \"S' = S\"; x.on = false; }
         proc loop(x : T) {
             int i = 0;
             while \"S' = S\" (i < 2) { x.on = !x.on; x.on = !x.on; i++; }
         }
         proc badLoop(x : T) {
             int i = 0;
             while \"S' = S\" (i < 2) { x.on = true; i++; }
         }
         proc assumed(x : T) { assume \"x in S\"; x.on = true; }",
        "format T; specvar S : T set;
         proc good(x : T) requires card(x) = 1 modifies S ensures true;
         proc bad(x : T) requires (card(x) = 1) & (not (x in S)) ensures true;
         proc loop(x : T) requires card(x) = 1 ensures true;
         proc badLoop(x : T) requires card(x) = 1 modifies S ensures true;
         proc assumed(x : T) requires card(x) = 1 ensures true;",
        "S = { x : T | \"x.on = true\" };",
        &[
            ("good", "+"),
            ("bad", "- the assertion in M.bad does not hold"),
            ("loop", "+"),
            ("badLoop", "- the loop invariant"),
            ("assumed", "+"),
        ],
    );
}

#[test]
fn private_procedures_at_their_calls() {
    check(
        "format T { on : bool; }
         private proc set(x : T; to : bool) { x.on = to; }
         private proc flip(x : T) { x.on = !x.on; }
         proc put(x : T) { set(x, true); }
         proc drop(x : T) { set(x, false); }
         proc turn(x : T) { flip(x); flip(x); }
         proc carelessly(x : T) { flip(x); }",
        "format T; specvar S : T set;
         private proc set(x : T; to : bool) requires card(x) = 1 modifies S
             ensures (to => (S' = S + x)) & ((not to) => (S' = S - x));
         private proc flip(x : T) requires (card(x) = 1) & (x in S) modifies S ensures S' = S - x;
         proc put(x : T) requires card(x) = 1 modifies S ensures S' = S + x;
         proc drop(x : T) requires card(x) = 1 modifies S ensures S' = S - x;
         proc turn(x : T) requires (card(x) = 1) & (x in S) modifies S ensures true;
         proc carelessly(x : T) requires card(x) = 1 modifies S ensures true;",
        "S = { x : T | \"x.on = true\" };",
        &[
            ("put", "+"),
            ("drop", "+"),
            ("turn", "- a call of M.flip does not meet its `requires`"),
            ("carelessly", "- a call of M.flip"),
        ],
    );
}

#[test]
fn new_objects() {
    check(
        "format T { next : T; } reference root : T;
         proc push() returns x : T { T made = new T(); made.next = root; root = made; return made; }
         proc lose() returns x : T { return new T(); }
         proc two() { root = new T(); root.next = new T(); }",
        "format T; specvar S : T set;
         proc push() returns x : T modifies S ensures (card(x') = 1) & (S' = S + x') & (not (x' in S));
         proc lose() returns x : T modifies S ensures S' = S + x';
         proc two() modifies S ensures (card(S') = 2) & disjoint(S, S');",
        "S = { x : T | \"root<next*>x\" }; invariant \"forall x : T. not x<next+>x\";",
        &[("push", "+"), ("lose", "- does not ensure"), ("two", "+")],
    );
}

#[test]
fn arrays_that_are_shared() {
    check(
        "format T { mark : int; } reference a : T[]; reference b : T[];
         proc put(x : T) { if (a != null && a.length > 0) { a[0] = x; } }
         proc own(x : T) { a = new T[1]; a[0] = x; }",
        "format T; specvar A, B : T set;
         proc put(x : T) requires card(x) = 1 modifies A ensures true;
         proc own(x : T) requires card(x) = 1 modifies A ensures A' = x;",
        "A = { x : T | \"exists i : int. a[i] = x\" }; B = { x : T | \"exists i : int. b[i] = x\" };",
        // The enumeration does not share arrays.
        &[("put", "!- changes M.B"), ("own", "+")],
    );
}

/// Nobody outside has an array that a set looks into, as long as none escapes; any other array may be an argument.
#[test]
fn arrays_of_callers() {
    let code = "format T { own : T[]; } reference a : T[]; reference spare : T[];
         proc clear(b : T[]) { if (b != null && b.length > 0) { b[0] = null; } }
         proc mine(b : T[]) returns r : bool { return b != null && b == a; }
         proc other(b : T[]) returns r : bool { return b != null && b == spare; }
         proc theirs(x : T; b : T[]) returns r : bool { return b != null && b == x.own; }
         proc inside() { clear(a); }
         proc spared() { spare = a; clear(spare); }";
    let specification = "format T; specvar A, O : T set;
         proc clear(b : T[]) ensures true;
         proc mine(b : T[]) returns r : bool ensures not r';
         proc other(b : T[]) returns r : bool ensures not r';
         proc theirs(x : T; b : T[]) returns r : bool requires card(x) = 1 ensures not r';
         proc inside() modifies A ensures true;
         proc spared() modifies A ensures true;";
    let sets = "A = { x : T | \"exists i : int. a[i] = x\" }; O = { x : T | \"x.own[0] != null\" };";
    check(
        code,
        specification,
        sets,
        &[
            ("clear", "!+"),
            ("mine", "!+"),
            ("other", "!- ensure"),
            ("theirs", "!+"),
            // A call inside of the module gives what it likes.
            ("inside", "!- changes M."),
            ("spared", "!- changes M."),
        ],
    );
    // An array that is handed out comes back.
    check(
        &format!("{code} proc give() returns r : T[] {{ a = new T[1]; return a; }}"),
        &format!("{specification} proc give() returns r : T[] modifies A ensures true;"),
        sets,
        &[("clear", "!- changes M."), ("mine", "!- ensure"), ("theirs", "!- ensure")],
    );
}

/// An array within an array is one as well.
#[test]
fn arrays_of_callers_that_hold_arrays() {
    let code = "format T { mark : int; } reference a : T[][];
         proc row(b : T[]) returns r : bool { return b != null && a != null && a.length > 0 && a[0] == b; }
         proc rows(b : T[][]) returns r : bool {
             return b != null && b.length > 0 && b[0] != null && a != null && a.length > 0 && a[0] == b[0]; }";
    let specification = "format T; specvar A : T set;
         proc row(b : T[]) returns r : bool ensures not r'; proc rows(b : T[][]) returns r : bool ensures not r';";
    let deep = "A = { x : T | \"exists i : int. exists j : int. a[i][j] = x\" };";
    check(code, specification, deep, &[("row", "!+"), ("rows", "!+")]);
    // What nobody looks into is anybody's.
    let flat = "A = { x : T | \"a[0] != null & x.mark = 1\" };";
    check(code, specification, flat, &[("row", "!- ensure"), ("rows", "!- ensure")]);
}

/// `flags` does not follow what a procedure does with an array that it gives: then the argument may be any.
#[test]
fn arrays_of_callers_of_another_plugin() {
    let subject = |caller: &str| {
        Subject::new(&[
            format!(
                "impl module M {{ format T {{ on : bool; }} reference a : T[];
                 proc clear(b : T[]) {{ if (b != null && b.length > 0) {{ b[0] = null; }} }}
                 proc make() {{ a = new T[1]; }}
                 proc call() {{ {caller} }} }}"
            ),
            "spec module M { format T; specvar A, On : T set; proc clear(b : T[]) ensures true;
             proc make() modifies A ensures true; proc call() ensures true; }"
                .to_string(),
            "abst module M { use plugin \"flags\" for { On = {x : T | \"x.on = true\"}; procs call; }
             use plugin \"bounded\" for { A = {x : T | \"exists i : int. a[i] = x\"}; procs clear, make; } }"
                .to_string(),
        ])
    };
    for (caller, is_verified) in
        [("", true), ("clear(null);", true), ("T[] own = new T[1]; clear(own);", true), ("clear(a);", false)]
    {
        let subject = subject(caller);
        let (operation, _) = subject.operations().find(|(_, name)| name == "M.clear").expect("clear");
        let (answer, _) = subject.ask(operation, 2);
        assert_eq!(matches!(answer, Answer::Verified), is_verified, "{caller}: {answer:?}");
    }
}

/// As many arrays as there are places for them, whatever the bound.
#[test]
fn every_place_may_hold_an_array_of_its_own() {
    let subject = Subject::new(&[
        "impl module M { format T { own : int[]; } reference a : int[]; reference b : int[];
         proc differ(x : T; c : int[]) returns r : bool {
             return a != null && b != null && c != null && x.own != null
                 && a != b && a != c && b != c && a != x.own && b != x.own && c != x.own; } }"
            .to_string(),
        "spec module M { format T; proc differ(x : T; c : int[]) returns r : bool requires card(x) = 1 ensures not r'; }"
            .to_string(),
        "abst module M { use plugin \"bounded\"; }".to_string(),
    ]);
    let (operation, _) = subject.operations().find(|(_, name)| name == "M.differ").expect("differ");
    let (answer, _) = subject.ask(operation, 1);
    assert!(matches!(&answer, Answer::Refuted(f) if f.violations[0].problem.message.contains("ensure")), "{answer:?}");
}

#[test]
fn what_is_not_supported_is_unknown() {
    check(
        "format T { on : bool; name : string; weight : float; }
         proc copy(x : T; y : T) { x.name = y.name; x.weight = y.weight * 2.0; Console.println(x.name + 1); x.on = true; }
         proc look(x : T) { if (x.weight > 1.0) { x.on = true; } }
         proc throwDice(x : T) { if (Math.random(2) == 0) { x.on = true; } }
         proc choose(x : T) { choice x.on = true; | x.on = false; }
         proc sets(x : T) { x.on = true; }",
        "format T; specvar S : T set;
         proc copy(x : T; y : T) requires (card(x) = 1) & (card(y) = 1) modifies S ensures S' = S + x;
         proc look(x : T) requires card(x) = 1 modifies S ensures true;
         proc throwDice(x : T) requires card(x) = 1 modifies S ensures true;
         proc choose(x : T) requires card(x) = 1 modifies S ensures true;
         proc sets(x : T) requires card(x) = 1 modifies S ensures exists X : T set. (S' = X);",
        "S = { x : T | \"x.on = true\" };",
        &[
            ("copy", "!+"),
            ("look", "? does not know this value"),
            ("throwDice", "? does not know this value"),
            ("choose", "!+"),
            ("sets", "!+"),
        ],
    );
}

/// A second module, of which only the specification matters: its sets are whatever they are, its procedures are not followed.
#[test]
fn other_modules() {
    let texts = [
        "impl module M {
             format T { on : bool; }
             proc put(x : T) { x.on = true; }
             proc careless(x : T) { x.on = true; }
             proc ask(x : T) { x.on = true; Other.take(x); }
         }
         impl module Other {
             format T { taken : bool; }
             proc take(x : T) { x.taken = true; }
         }"
        .to_string(),
        "spec module M {
             format T; specvar S : T set;
             proc put(x : T) requires (card(x) = 1) & (x in Other.Taken) & (S <= Other.Taken) modifies S
                 ensures (S' = S + x) & (S' <= Other.Taken);
             proc careless(x : T) requires (card(x) = 1) & (S <= Other.Taken) modifies S ensures S' <= Other.Taken;
             proc ask(x : T) requires card(x) = 1 modifies S, Other.Taken calls Other ensures S' = S + x;
         }
         spec module Other {
             format T; specvar Taken : T set;
             proc take(x : T) requires card(x) = 1 modifies Taken ensures Taken' = Taken + x;
         }"
        .to_string(),
        "abst module M { use plugin \"bounded\"; S = { x : T | \"x.on = true\" }; }
         abst module Other { use plugin \"flags\"; Taken = { x : T | \"x.taken = true\" }; }"
            .to_string(),
    ];
    let subject = Subject::new(&texts);
    let answer = |wanted: &str| {
        let found = subject.operations().find(|(_, name)| name == wanted);
        subject.ask(found.expect("an operation").0, 2).0
    };
    assert!(matches!(answer("M.put"), Answer::Verified));
    let careless = answer("M.careless");
    assert!(
        matches!(&careless, Answer::Refuted(f) if f.violations[0].problem.message.contains("ensure")),
        "{careless:?}"
    );
    assert!(matches!(answer("M.ask"), Answer::Verified));
}

/// Quantifiers over sets: all sets of objects, those outside of all others included.
#[test]
fn quantified_sets() {
    check(
        "format T { on : bool; } format E { of : T; }
         proc some(x : T) { x.on = true; }
         proc none(x : T) { x.on = true; }
         proc every(x : T) { x.on = true; }
         proc everyWrong(x : T) { x.on = true; }
         proc beyond(x : T) { x.on = true; }
         proc made() { T y = new T(); y.on = true; }
         proc madeWrong() { T y = new T(); y.on = true; }
         proc size(x : T) { x.on = true; }",
        "format T, E; specvar S : T set; specvar R : E set;
         proc some(x : T) requires card(x) = 1 modifies S ensures exists X : T set. ((X <= S') & (x <= X));
         proc none(x : T) requires card(x) = 1 modifies S ensures exists X : T set. ((X <= S') & (not (X <= S')));
         proc every(x : T) requires card(x) = 1 modifies S ensures forall X : T set. ((S' <= X) => (x <= X));
         proc everyWrong(x : T) requires card(x) = 1 modifies S ensures forall X : T set. ((x <= X) => (S' <= X));
         proc beyond(x : T) requires card(x) = 1 modifies S ensures exists X : T set. ((not (X <= S' + R' + x)) & disjoint(X, S' + R'));
         proc made() modifies S ensures exists X : T set. ((S' = S + X) & disjoint(X, S) & (X != {}));
         proc madeWrong() modifies S ensures forall X : T set. ((S' = S + X) => (X = S'));
         proc size(x : T) requires card(x) = 1 modifies S ensures exists X : T set. (card(X) = 7);",
        "S = { x : T | \"x.on\" }; R = { x : E | \"x.of != null\" };",
        &[
            ("some", "+"),
            ("none", "- ensure"),
            ("every", "+"),
            ("everyWrong", "- ensure"),
            ("beyond", "+"),
            ("made", "+"),
            ("madeWrong", "- ensure"),
            ("size", "? beside its size"),
        ],
    );
}

/// `havoc` and `choice`: whatever a run does, and each run that breaks something is found and replayed.
#[test]
fn runs_that_are_free() {
    check(
        "format T { on : bool; } var n : int; var flag : bool; reference root : T;
         proc either(x : T) { choice { x.on = true; } | { x.on = false; } }
         proc onlyOn(x : T) { choice { x.on = true; } | { x.on = false; } }
         proc number() { int k; havoc k; if (k > 0) { n = k; } }
         proc anyNumber() { int k; havoc k; n = k; }
         proc object() { T x; havoc x; if (x != null) { x.on = true; } root = x; }
         proc sure() { T x; havoc x; x.on = true; }
         proc twice() { bool b; havoc b; flag = b; havoc b; flag = flag || b; }
         proc twiceOff() { bool b; havoc b; flag = b; havoc b; flag = flag && b; }
         proc rounds(k : int) { int i = 0; while (i < k) { choice { flag = true; } | { } i = i + 1; } }",
        "format T; specvar On : T set; specvar flag : bool;
         proc either(x : T) requires card(x) = 1 modifies On ensures (On' = On + x) | (On' = On - x);
         proc onlyOn(x : T) requires card(x) = 1 modifies On ensures On' = On + x;
         proc number() ensures true;
         proc anyNumber() ensures true;
         proc object() modifies On ensures On <= On';
         proc sure() modifies On ensures true;
         proc twice() modifies flag ensures true;
         proc twiceOff() modifies flag ensures not flag';
         proc rounds(k : int) modifies flag ensures flag => flag';",
        "On = { x : T | \"x.on\" }; predvar flag; invariant \"0 <= n\";",
        &[
            ("either", "+"),
            ("onlyOn", "- ensure"),
            ("number", "+"),
            ("anyNumber", "- leaves the representation"),
            ("object", "+"),
            ("sure", "- null"),
            ("twice", "+"),
            ("twiceOff", "- ensure"),
            ("rounds", "+"),
        ],
    );
}

/// Procedures of other modules do what their contracts allow, new objects included.
#[test]
fn calls_by_contract() {
    let subject = Subject::new(&[
        "impl module M {
             format T { next : T; on : bool; } reference root : T; var n : int;
             proc push(x : T) { if (Other.likes(x)) { x.next = root; root = x; } }
             proc pushAny(x : T) { bool b = Other.likes(x); x.next = root; root = x; }
             proc fill() { T x = Other.fresh(); x.next = root; root = x; }
             proc fillOld() { T x = Other.some(); if (x != null) { x.next = root; root = x; } }
             proc count() { n = Other.number(); }
             proc countAny() { n = Other.any(); }
             proc needs(x : T) { Other.serve(x); }
             proc served(x : T) { if (Other.likes(x)) { Other.serve(x); } }
             proc twice(x : T) { if (Other.likes(x)) { bool again = Other.likes(x); if (!again) { n = -5; } } }
             proc moody(x : T) { if (Other.some() == null) { if (Other.some() != null) { n = -5; } } }
             proc often(x : T) { int k = 0; while (k < 4) { Other.serve(x); k = k + 1; } }
             proc asks(x : T) { int k = 0; while (k < 9) { bool b = Other.likes(x); k = k + 1; } }
         }
         impl module Other {
             format T { liked : bool; }
             proc likes(x : T) returns b : bool { return x.liked; }
             proc fresh() returns x : T { return new T(); }
             proc some() returns x : T { return null; }
             proc number() returns k : int { return 1; }
             proc any() returns k : int { return 1; }
             proc serve(x : T) { }
         }".to_string(),
        "spec module M {
             format T; specvar Content : T set;
             proc push(x : T) requires (card(x) = 1) & disjoint(x, Content) & (Content <= Other.Liked) modifies Content ensures Content' <= Other.Liked;
             proc pushAny(x : T) requires (card(x) = 1) & disjoint(x, Content) & (Content <= Other.Liked) modifies Content ensures Content' <= Other.Liked;
             proc fill() modifies Content ensures card(Content' - Content) = 1;
             proc fillOld() modifies Content ensures true;
             proc count() ensures true;
             proc countAny() ensures true;
             proc needs(x : T) requires card(x) = 1 ensures true;
             proc served(x : T) requires card(x) = 1 ensures true;
             proc twice(x : T) requires card(x) = 1 ensures true;
             proc moody(x : T) requires card(x) = 1 ensures true;
             proc often(x : T) requires (card(x) = 1) & (x in Other.Liked) ensures true;
             proc asks(x : T) requires card(x) = 1 ensures true;
         }
         spec module Other {
             format T; specvar Liked : T set;
             proc likes(x : T) returns b : bool requires card(x) = 1 ensures b' <=> (x in Liked);
             proc fresh() returns x : T ensures (card(x') = 1) & disjoint(x', M.Content');
             proc some() returns x : T ensures true;
             proc number() returns k : int ensures true;
             proc any() returns k : int ensures true;
             proc serve(x : T) requires (card(x) = 1) & (x in Liked) ensures true;
         }".to_string(),
        "abst module M { use plugin \"bounded\"; Content = { x : T | \"root<next*>x\" }; invariant \"forall x : T. not x<next+>x\"; invariant \"-1 <= n\"; }
         abst module Other { use plugin \"flags\"; Liked = { x : T | \"x.liked = true\" }; }".to_string(),
    ]);
    let told = answers(&subject, 0, |why| why.contains("follows this 8 times in a run").to_string());
    expect_test::expect![[r#"
        the start of M: verified
        a new T: verified
        M.push: verified
        M.pushAny: refuted: M.pushAny does not ensure what it promises
        M.fill: verified
        M.fillOld: refuted: M.fillOld leaves the representation of its module broken
        M.count: refuted: M.count leaves the representation of its module broken
        M.countAny: refuted: M.countAny leaves the representation of its module broken
        M.needs: refuted: a call of Other.serve does not meet its `requires`
        M.served: verified
        M.twice: verified
        M.moody: refuted: M.moody leaves the representation of its module broken
        M.often: verified
        M.asks: unknown: true
    "#]]
    .assert_eq(&told);
}

/// Calls that change sets of other modules: to what their contracts say.
#[test]
fn calls_that_change_sets() {
    let subject = Subject::new(&[
        "impl module M {
             format T { on : bool; }
             proc take(x : T) { x.on = true; Other.take(x); }
             proc forget(x : T) { x.on = true; Other.take(x); }
             proc fresh() { T x = new T(); x.on = true; Other.take(x); }
             proc two(x : T; y : T) { Other.take(x); Other.swap(x, y); x.on = false; y.on = true; }
             proc order(x : T) { Other.take(x); Other.give(x); }
             proc wrongOrder(x : T) { Other.give(x); Other.take(x); }
             proc flagged(x : T) { Other.raise(); if (Other.isUp()) { x.on = true; } }
             proc lowered(x : T) { Other.raise(); Other.lower(); if (Other.isUp()) { x.on = true; } }
             proc vague(x : T) { Other.stir(x); }
         }
         impl module Other {
             format T { taken : bool; free : bool; } var up : bool;
             proc take(x : T) { x.taken = true; x.free = false; }
             proc give(x : T) { x.taken = false; }
             proc swap(x : T; y : T) { if (x != y) { x.taken = false; } y.taken = true; y.free = false; }
             proc raise() { up = true; }
             proc lower() { up = false; }
             proc isUp() returns b : bool { return up; }
             proc stir(x : T) { x.taken = true; x.free = false; }
         }"
        .to_string(),
        "spec module M {
             format T; specvar S : T set;
             proc take(x : T) requires (card(x) = 1) & (S <= Other.Taken) modifies S, Other.Taken, Other.Free calls Other
                 ensures (S' <= Other.Taken') & (Other.Taken' = Other.Taken + x);
             proc forget(x : T) requires card(x) = 1 modifies S, Other.Taken, Other.Free calls Other ensures Other.Taken' = Other.Taken;
             proc fresh() requires S <= Other.Taken modifies S, Other.Taken, Other.Free calls Other
                 ensures (S' <= Other.Taken') & (card(Other.Taken' - Other.Taken) = 1);
             proc two(x : T; y : T) requires (card(x) = 1) & (card(y) = 1) & (S <= Other.Taken) modifies S, Other.Taken, Other.Free calls Other
                 ensures S' <= Other.Taken';
             proc order(x : T) requires card(x) = 1 modifies Other.Taken, Other.Free calls Other ensures disjoint(x, Other.Taken');
             proc wrongOrder(x : T) requires card(x) = 1 modifies Other.Taken, Other.Free calls Other ensures true;
             proc flagged(x : T) requires card(x) = 1 modifies S, Other.up calls Other ensures (x in S') & Other.up';
             proc lowered(x : T) requires card(x) = 1 modifies S, Other.up calls Other ensures x in S';
             proc vague(x : T) requires card(x) = 1 modifies Other.Taken, Other.Free calls Other ensures true;
         }
         spec module Other {
             format T; specvar Taken, Free : T set; specvar up : bool;
             invariant disjoint(Taken, Free);
             proc take(x : T) requires card(x) = 1 modifies Taken, Free ensures (Taken' = Taken + x) & (Free' = Free - x);
             proc give(x : T) requires (card(x) = 1) & (x in Taken) modifies Taken ensures Taken' = Taken - x;
             proc swap(x : T; y : T) requires (card(x) = 1) & (card(y) = 1) modifies Taken, Free ensures (Taken' = (Taken - x) + y) & (Free' = Free - y);
             proc raise() modifies up ensures up';
             proc lower() modifies up ensures not up';
             proc isUp() returns b : bool ensures b' <=> up;
             proc stir(x : T) requires card(x) = 1 modifies Taken, Free ensures Taken <= Taken';
         }"
        .to_string(),
        "abst module M { use plugin \"bounded\"; S = { x : T | \"x.on\" }; }
         abst module Other { use plugin \"flags\"; Taken = { x : T | \"x.taken = true\" }; Free = { x : T | \"x.free = true\" }; predvar up; }"
            .to_string(),
    ]);
    let told = answers(&subject, 2, |why| why.to_string());
    expect_test::expect![[r#"
        M.take: verified
        M.forget: refuted: M.forget does not ensure what it promises
        M.fresh: verified
        M.two: verified
        M.order: verified
        M.wrongOrder: refuted: a call of Other.give does not meet its `requires`
        M.flagged: verified
        M.lowered: refuted: M.lowered does not ensure what it promises
        M.vague: verified
    "#]]
    .assert_eq(&told);
}

/// Callees that say of a set that they change no more than a relation: it may be any that the relation allows. Where their code does less,
/// nothing is claimed.
#[test]
fn callees_that_ensure_relations() {
    let subject = Subject::new(&[
        "impl module Q {
           format M { next : M; }
           reference head : M;
           proc grow(m : M) { Log.seen(m); }
           proc keep(m : M) { Log.seen(m); }
           proc shrink(m : M) { Log.seen(m); }
           proc other(m : M) { Log.seen(m); }
           proc fresh() { M m = new M(); Log.any(); }
           proc twice(m : M) { Log.seen(m); Log.any(); }
           proc flag(m : M) { Log.toggle(); }
           proc flagOn(m : M) { Log.toggle(); }
           proc four(m : M) { Log.any(); Log.any(); Log.any(); Log.any(); }
           proc all() { M at = head; while (at != null) { Log.seen(at); at = at.next; } }
           proc lone() returns r : M { M m = new M(); Log.any(); return m; }
           proc half() { M at = head; while (at != null) { Log.seen(at); at = at.next; if (at != null) { at = at.next; } } }
         }
         impl module Log {
           format M { seen : bool; } reference on : bool;
           proc seen(m : M) { m.seen = true; }
           proc any() { }
           proc toggle() { on = true; }
         }"
        .to_string(),
        "spec module Q {
           format M; specvar C : M set;
           proc grow(m : M) requires card(m) = 1 modifies Log.Seen calls Log ensures (Log.Seen <= Log.Seen') & (m in Log.Seen');
           proc keep(m : M) requires card(m) = 1 modifies Log.Seen calls Log ensures Log.Seen' = Log.Seen + m;
           proc shrink(m : M) requires card(m) = 1 modifies Log.Seen calls Log ensures Log.Seen' <= Log.Seen;
           proc other(m : M) requires (card(m) = 1) & (C <= Log.Seen) modifies Log.Seen calls Log ensures C <= Log.Seen';
           proc fresh() modifies Log.Seen calls Log ensures Log.Seen' <= Log.Seen;
           proc twice(m : M) requires card(m) = 1 modifies Log.Seen calls Log ensures m in Log.Seen';
           proc flag(m : M) requires not Log.on modifies Log.on calls Log ensures Log.on' | (not Log.on);
           proc flagOn(m : M) modifies Log.on calls Log ensures Log.on';
           proc four(m : M) modifies Log.Seen calls Log ensures true;
           proc all() modifies Log.Seen calls Log ensures (C <= Log.Seen') & (Log.Seen <= Log.Seen');
           proc lone() returns r : M modifies Log.Seen calls Log ensures disjoint(r', Log.Seen');
           proc half() modifies Log.Seen calls Log ensures C <= Log.Seen';
         }
         spec module Log {
           format M; specvar Seen : M set; predvar on;
           proc seen(m : M) requires card(m) = 1 modifies Seen ensures (Seen <= Seen') & (m in Seen');
           proc any() modifies Seen ensures card(Seen') <= 3;
           proc toggle() modifies on ensures on => on';
         }"
        .to_string(),
        r#"abst module Q { use plugin "PALE"; invariant "type M = { data next : M; }"; invariant "data head : M;"; C = {x : M | "head<next*>x"}; }
         abst module Log { use plugin "flags"; Seen = {x : M | "x.seen = true"}; predvar on; }"#
            .to_string(),
    ]);
    let told = answers(&subject, 2, |why| why.starts_with("OtherModules").to_string());
    expect_test::expect![[r#"
        Q.grow: verified
        Q.keep: unknown: true
        Q.shrink: refuted: Q.shrink does not ensure what it promises
        Q.other: verified
        Q.fresh: unknown: true
        Q.twice: unknown: true
        Q.flag: verified
        Q.flagOn: unknown: true
        Q.four: verified
        Q.all: verified
        Q.lone: unknown: true
        Q.half: refuted: Q.half does not ensure what it promises
    "#]]
    .assert_eq(&told);
}

/// Callees that change a set and return something: `x = Queue.get()`, the most common way to use another module. Where code goes wrong
/// the other module's code cannot be run in a state that it may never be in, and nothing is claimed.
#[test]
fn results_of_calls_that_change_sets() {
    let subject = Subject::new(&[
        "impl module M {
             format T { next : T; } reference busy : T;
             proc fetch() { T t = Queue.get(); t.next = busy; busy = t; }
             proc lost() { T t = Queue.get(); t.next = null; busy = t; }
             proc again() { T t = Queue.get(); Queue.put(t); }
             proc twice() { T t = Queue.get(); Queue.put(t); Queue.put(t); }
             proc count() returns n : int { if (Queue.isGone()) { return 1; } return 0; }
         }
         impl module Queue {
             format T { queued : bool; link : T; } reference head : T; var gone : bool;
             proc get() returns t : T { T r = head; head = r.link; r.queued = false; return r; }
             proc put(t : T) { t.queued = true; t.link = head; head = t; }
             proc isGone() returns b : bool { bool before = gone; gone = true; return before; }
         }"
        .to_string(),
        "spec module Queue {
             format T; specvar Jobs : T set; specvar gone : bool;
             proc get() returns t : T requires Jobs != {} modifies Jobs
                 ensures (card(t') = 1) & (t' in Jobs) & (Jobs' = Jobs - t');
             proc put(t : T) requires (card(t) = 1) & not (t in Jobs) modifies Jobs ensures Jobs' = Jobs + t;
             proc isGone() returns b : bool modifies gone ensures (b' <=> gone) & gone';
         }
         spec module M {
             format T; specvar Busy : T set;
             proc fetch() requires (Queue.Jobs != {}) & disjoint(Busy, Queue.Jobs) modifies Busy, Queue.Jobs calls Queue
                 ensures (Busy' + Queue.Jobs' = Busy + Queue.Jobs) & disjoint(Busy', Queue.Jobs') & (card(Busy' - Busy) = 1);
             proc lost() requires (Queue.Jobs != {}) & disjoint(Busy, Queue.Jobs) modifies Busy, Queue.Jobs calls Queue
                 ensures Busy' + Queue.Jobs' = Busy + Queue.Jobs;
             proc again() requires Queue.Jobs != {} modifies Queue.Jobs calls Queue ensures Queue.Jobs' = Queue.Jobs;
             proc twice() requires Queue.Jobs != {} modifies Queue.Jobs calls Queue ensures true;
             proc count() returns n : int modifies Queue.gone calls Queue ensures Queue.gone';
         }"
        .to_string(),
        "abst module M { use plugin \"bounded\"; Busy = { x : T | \"busy<next*>x\" };
             invariant \"forall x : T. not x<next+>x\"; }
         abst module Queue { use plugin \"flags\"; Jobs = { x : T | \"x.queued = true\" }; predvar gone; }"
            .to_string(),
    ]);
    let told = answers(&subject, 2, |why| why.split(' ').next().unwrap_or_default().to_string());
    expect_test::expect![[r#"
        M.fetch: verified
        M.lost: unknown: OtherModules
        M.again: verified
        M.twice: unknown: OtherModules
        M.count: verified
    "#]]
    .assert_eq(&told);
}

/// Objects that nothing refers to but each other: no numbering of them may be left out.
#[test]
fn circles_outside_of_the_structure() {
    check(
        "format T { next : T; } var flag : bool;
         proc set() { flag = true; }
         proc keep() { flag = flag && true; }",
        "format T; proc set() ensures true; proc keep() ensures true;",
        "invariant \"flag => (forall x : T. forall y : T. (x<next>y & y<next>x) => x = y)\";",
        &[("set", "- leaves the representation"), ("keep", "+")],
    );
}

/// States of a route that go on alike are one: each is a method that the engine goes through.
#[test]
fn routes_have_few_states() {
    for (route, states) in [("a*", 1), ("(a|b)*", 1), ("a+", 2), ("a*.b", 2), ("a?.b", 3)] {
        let subject = Subject::new(&[
            "impl module M { format E { a : E; b : E; } reference root : E; proc p() { } }".to_string(),
            "spec module M { format E; specvar S : E set; proc p() ensures true; }".to_string(),
            format!("abst module M {{ use plugin \"bounded\"; S = {{x : E | \"root<{route}>x\"}}; }}"),
        ]);
        let made = subject.task.program.methods.iter().filter(|m| m.name == "leads to").count();
        assert_eq!(made, states, "{route}");
    }
}

/// What can be told of a heap from its variable and two arguments: each object by the first way to it, in the order of the ways.
fn seen(fields: &[&str], heap: &[Vec<usize>], roots: [usize; 3]) -> String {
    let nothing = heap.len();
    let mut ways: Vec<(usize, String)> = Vec::new();
    let mut told = Vec::new();
    let mut see = |way: String, object: usize, ways: &mut Vec<(usize, String)>| {
        if object == nothing {
            told.push(format!("{way} == null"));
        } else if let Some((_, other)) = ways.iter().find(|(o, _)| *o == object) {
            told.push(format!("{way} == {other}"));
        } else {
            told.push(format!("{way} != null"));
            told.extend(ways.iter().map(|(_, other)| format!("{way} != {other}")));
            ways.push((object, way));
        }
    };
    for (way, object) in ["root", "x", "y"].into_iter().zip(roots) {
        see(way.to_string(), object, &mut ways);
    }
    let mut turn = 0;
    while let Some((object, way)) = ways.get(turn).cloned() {
        for (field, &target) in fields.iter().zip(&heap[object]) {
            see(format!("{way}.{field}"), target, &mut ways);
        }
        turn += 1;
    }
    told.join(" && ")
}

/// Of heaps that differ in which object is which one is checked, and of others none is left out: for each that the code can tell apart
/// from all others, a procedure that stops on it alone is found to.
#[test]
fn no_heap_is_left_out_by_numbering() {
    for (fields, n) in [(&["f"][..], 3), (&["f", "g"][..], 2)] {
        let slots = n * fields.len() + 3;
        let mut told = std::collections::BTreeSet::new();
        for code in 0..(n + 1).pow(slots as u32) {
            let value = |slot: usize| code / (n + 1).pow(slot as u32) % (n + 1);
            let heap: Vec<Vec<usize>> =
                (0..n).map(|o| (0..fields.len()).map(|f| value(3 + o * fields.len() + f)).collect()).collect();
            told.insert(seen(fields, &heap, [value(0), value(1), value(2)]));
        }
        let procs = |body: &dyn Fn(usize, &String) -> String| {
            let all: Vec<String> = told.iter().enumerate().map(|(k, text)| body(k, text)).collect();
            all.join("\n")
        };
        let declared = fields.iter().map(|f| format!("{f} : T;")).collect::<String>();
        let code = procs(&|k, text| format!("proc p{k}(x : T; y : T) {{ if ({text}) {{ T z = null; z.f = null; }} }}"));
        let subject = Subject::new(&[
            format!("impl module M {{ format T {{ {declared} }} reference root : T; {code} }}"),
            format!(
                "spec module M {{ format T; specvar S : T set; {} }}",
                procs(&|k, _| format!("proc p{k}(x : T; y : T) ensures true;"))
            ),
            "abst module M { use plugin \"bounded\"; S = {x : T | \"root<f>x\"}; }".to_string(),
        ]);
        let procs =
            subject.operations().filter(|(o, _)| matches!(subject.task.subjects[*o], hob::bounded::Subject::Proc(_)));
        for (operation, name) in procs.step_by(5) {
            let answer = subject.ask(operation, n as i64).0;
            assert!(matches!(answer, Answer::Refuted(_)), "{name}: {answer:?}");
        }
    }
}

/// Calls of other modules that come back: what the module's procedures rely on must hold at the call, and afterwards whatever they may
/// have written is anything that the invariants and the callee's contract allow.
#[test]
fn calls_that_come_back() {
    let subject = Subject::new(&[
        "impl module L {
           format N { next : N; } reference root : N;
           proc add(n : N) { n.next = root; root = n; Watch.looks(n); }
           proc early(n : N) { Watch.looks(n); n.next = root; root = n; }
           proc ring(n : N) { n.next = n; root = n; Watch.looks(n); }
           proc mended(n : N) { n.next = n; root = n; Watch.looks(n); n.next = null; }
           proc same(n : N) { n.next = root; root = n; Watch.grows(); assert \"n in C'\"; }
           proc still(n : N) { n.next = root; root = n; Watch.grows(); N f = root; assert \"f' = n\"; }
           proc make() { N n = new N(); n.next = root; root = n; Watch.grows(); N f = root; assert \"(f' in C') & (n' in C')\"; }
           proc made() { N n = new N(); n.next = root; root = n; Watch.grows(); N f = root; assert \"f' = n'\"; }
           proc lost(n : N) { n.next = root; root = n; Watch.shrinks(); assert \"n in C'\"; }
           proc others() { Watch.looksOnly(); }
           proc twice() { Watch.grows(); Watch.grows(); }
           proc empties() { Watch.shrinks(); assert \"C' <= C\"; }
           proc back() { N f = root; Watch.grows(); root = f; }
           proc quiet(n : N) { n.next = root; root = n; }
           proc takeFirst() { root = root.next; }
           proc isEmpty() returns b : bool { return root == null; }
         }
         impl module Watch {
           format N { seen : bool; }
           proc looks(n : N) { n.seen = true; bool b = L.isEmpty(); }
           proc grows() { N n = new N(); L.quiet(n); }
           proc shrinks() { bool b = L.isEmpty(); if (!b) { L.takeFirst(); } }
           proc looksOnly() { bool b = L.isEmpty(); }
         }"
        .to_string(),
        "spec module L {
           format N; specvar C : N set;
           proc add(n : N) requires (card(n) = 1) & disjoint(n, C) modifies C, Watch.Seen calls Watch ensures C' = C + n;
           proc early(n : N) requires (card(n) = 1) & disjoint(n, C) modifies C, Watch.Seen calls Watch ensures C' = C + n;
           proc ring(n : N) requires (card(n) = 1) & disjoint(n, C) modifies C, Watch.Seen calls Watch ensures true;
           proc mended(n : N) requires (card(n) = 1) & disjoint(n, C) modifies C, Watch.Seen calls Watch ensures true;
           proc same(n : N) requires (card(n) = 1) & disjoint(n, C) modifies C calls Watch ensures C + n <= C';
           proc still(n : N) requires (card(n) = 1) & disjoint(n, C) modifies C calls Watch ensures true;
           proc make() modifies C calls Watch ensures C <= C';
           proc made() modifies C calls Watch ensures C <= C';
           proc lost(n : N) requires (card(n) = 1) & disjoint(n, C) modifies C calls Watch ensures true;
           proc others() calls Watch ensures true;
           proc twice() modifies C calls Watch ensures C <= C';
           proc empties() modifies C calls Watch ensures true;
           proc back() modifies C calls Watch ensures C' = C;
           proc quiet(n : N) requires (card(n) = 1) & disjoint(n, C) modifies C ensures C' = C + n;
           proc takeFirst() requires C != {} modifies C ensures C' <= C;
           proc isEmpty() returns b : bool ensures b' <=> (C = {});
         }
         spec module Watch {
           format N; specvar Seen : N set;
           proc looks(n : N) requires (card(n) = 1) & (n in L.C) modifies Seen calls L ensures Seen' = Seen + n;
           proc grows() modifies L.C calls L ensures L.C <= L.C';
           proc shrinks() modifies L.C calls L ensures L.C' <= L.C;
           proc looksOnly() calls L ensures true;
         }"
        .to_string(),
        "abst module L { use plugin \"bounded\"; C = { x : N | \"root<next*>x\" }; invariant \"forall x : N. not (root<next*>x & x<next+>x)\"; }
         abst module Watch { use plugin \"flags\"; Seen = { x : N | \"x.seen = true\" }; }"
            .to_string(),
    ]);
    let told = answers(&subject, 2, |why| why.split(' ').next().unwrap_or_default().to_string());
    expect_test::expect![[r#"
        L.add: verified
        L.early: refuted: a call of Watch.looks does not meet its `requires`
        L.ring: refuted: Watch.looks, which may call back, is called while an invariant does not hold
        L.mended: refuted: Watch.looks, which may call back, is called while an invariant does not hold
        L.same: verified
        L.still: refuted: the assertion in L.still does not hold
        L.make: verified
        L.made: refuted: the assertion in L.made does not hold
        L.lost: refuted: the assertion in L.lost does not hold
        L.others: verified
        L.twice: verified
        L.empties: verified
        L.back: unknown: OtherModules
        L.quiet: verified
        L.takeFirst: verified
        L.isEmpty: verified
    "#]]
    .assert_eq(&told);
}

/// The invariants of a scope, at calls that come back into another module of it.
#[test]
fn calls_that_come_back_into_the_scope() {
    let program = |first: &str| {
        Subject::new(&[
            format!(
                "impl module Inner {{ format T {{ on : bool; }} reference last : T;
                   proc put(x : T) {{ {first} }} }}
                 impl module Door {{ format T {{ known : bool; }} proc ask() returns b : bool {{ return true; }} proc note(x : T) {{ x.known = true; }} }}
                 impl module Out {{ proc tell() {{ bool b = Door.ask(); }} }}"
            ),
            "spec module Inner { format T; specvar S : T set;
               proc put(x : T) requires (card(x) = 1) & (S <= Door.Known) modifies S, Door.Known calls Out, Door ensures true; }
             spec module Door { format T; specvar Known : T set; proc ask() returns b : bool ensures true;
               proc note(x : T) requires card(x) = 1 modifies Known ensures Known' = Known + x; }
             spec module Out { proc tell() calls Door ensures true; }
             scope C { modules Inner, Door; exports Door; invariant Inner.S <= Door.Known; }"
                .to_string(),
            "abst module Inner { use plugin \"bounded\"; S = { x : T | \"x.on\" }; }
             abst module Door { use plugin \"flags\"; Known = { x : T | \"x.known = true\" }; }
             abst module Out { use plugin \"flags\"; }"
                .to_string(),
        ])
    };
    let told = |first| answers(&program(first), 2, |why| why.to_string());
    assert_eq!(told("Out.tell(); x.on = true;"), "Inner.put: verified\n");
    let wrong = told("x.on = true; Out.tell();");
    assert!(
        wrong.contains("refuted: Out.tell, which may call back, is called while an invariant does not hold"),
        "{wrong}"
    );
}

/// Callees that write into arrays: not into those that sets look into, since nobody else has them. Of others the elements may be anything.
#[test]
fn callees_that_write_into_arrays() {
    let subject = Subject::new(&[
        "impl module Buf {
           reference d : Item[]; reference own : int[];
           proc put(i : Item) { Stats.count(3); d[0] = i; Stats.count(4); }
           proc drop() { Stats.count(1); d[0] = null; }
           proc give(k : int[]) { if (k != null) { if (k.length > 0) { k[0] = 1; Stats.fill(k); int a = k[0]; if (a != 1) { d[0] = null; } } } }
           proc kept(k : int[]) { if (k != null) { if (k.length > 0) { k[0] = 1; int a = k[0]; if (a != 1) { d[0] = null; } } } }
           proc step(k : int[]) { if (k != null) { if (k.length > 0) { k[0] = 1; Stats.fill(k); int a = k[0]++; if (a != 1) { d[0] = null; } } } }
         }
         impl module Stats {
           reference hist : int[];
           proc count(k : int) { if (hist == null) { hist = new int[9]; } hist[k] = hist[k] + 1; }
           proc fill(a : int[]) { a[0] = 7; }
         }"
        .to_string(),
        "spec module Buf {
           format Item; specvar In : Item set;
           proc put(i : Item) requires (card(i) = 1) & (In != {}) modifies In calls Stats ensures i in In';
           proc drop() requires In != {} modifies In calls Stats ensures (In' <= In) & (not (In' = In));
           proc give(k : int[]) requires In != {} calls Stats ensures true;
           proc kept(k : int[]) requires In != {} calls Stats ensures true;
           proc step(k : int[]) requires In != {} calls Stats ensures true;
         }
         spec module Stats { proc count(k : int) ensures true; proc fill(a : int[]) ensures true; }"
            .to_string(),
        "abst module Buf { use plugin \"bounded\"; In = { x : Item | \"d[0] = x\" }; }
         abst module Stats { use plugin \"flags\"; }"
            .to_string(),
    ]);
    let told = answers(&subject, 2, |why| why.split(' ').next().unwrap_or_default().to_string());
    expect_test::expect![[r#"
        Buf.put: verified
        Buf.drop: verified
        Buf.give: refuted: Buf.give changes Buf.In, which its `modifies` does not list
        Buf.kept: verified
        Buf.step: refuted: Buf.step changes Buf.In, which its `modifies` does not list
    "#]]
    .assert_eq(&told);
}

/// What a call returns may be an object that the run has made and given away, or anyone's array; `havoc` gives any object as well. Each
/// beside a twin that must fail.
#[test]
fn what_comes_back_from_other_modules() {
    let subject = Subject::new(&[
        "impl module L {
           format N { next : N; } reference root : N; reference d : N[]; reference size : int;
           proc same() { N x = new N(); root = x; Pool.add(x); N y = Pool.first(); if (y == x) { x.next = x; } }
           proc other() { N x = new N(); Pool.add(x); N y = Pool.first(); if (y != x) { return; } root = x; }
           proc second() { N x = new N(); N y = new N(); root = x; Pool.add(x); N z = Pool.first(); if (z == x) { x.next = y; y.next = x; } }
           proc third() { N x = new N(); N y = new N(); root = x; Pool.add(x); N z = Pool.first(); if (z == x) { x.next = y; } }
           proc any() { N x = new N(); root = x; N y; havoc y; if (y == x) { x.next = x; } }
           proc none() { N x = new N(); root = x; N y; havoc y; if (y == null) { x.next = y; } }
           proc take() { N[] a = Pool.items(); if (a != null && a.length > 0 && d != null && size < d.length && size >= 0) {
             N x = a[0]; if (x != null) { d[size] = x; size = size + 1; } } }
           proc hole() { N[] a = Pool.items(); if (a != null && a.length > 0 && d != null && size < d.length && size >= 0) {
             d[size] = a[0]; size = size + 1; } }
           proc write() { N[] a = Pool.items(); if (a != null && a.length > 0) { a[0] = null; } }
           proc far() { N[] a = Pool.items(); if (a != null) { a[0] = null; } }
           proc made() { N x = new N(); root = x; Pool.add(x); N[] a = Pool.items(); if (a != null && a.length > 0) {
             N y = a[0]; if (y == x) { x.next = x; } } }
         }
         impl module Pool {
           format N { is : bool; } reference all : N[]; reference head : N;
           proc add(x : N) { x.is = true; head = x; all = new N[1]; all[0] = x; }
           proc first() returns r : N { if (head != null) { if (head.is) { return head; } } return null; }
           proc items() returns r : N[] { return all; }
         }"
        .to_string(),
        "spec module L {
           format N; specvar C, D : N set;
           proc same() modifies C, Pool.S calls Pool ensures true;
           proc other() modifies C, Pool.S calls Pool ensures true;
           proc second() modifies C, Pool.S calls Pool ensures true;
           proc third() modifies C, Pool.S calls Pool ensures true;
           proc any() modifies C ensures true;
           proc none() modifies C ensures true;
           proc take() modifies D calls Pool ensures (D <= D') & (card(D' - D) <= 1);
           proc hole() modifies D calls Pool ensures D <= D';
           proc write() calls Pool ensures true;
           proc far() calls Pool ensures true;
           proc made() modifies C, Pool.S calls Pool ensures true;
         }
         spec module Pool { format N; specvar S : N set;
           proc add(x : N) requires card(x) = 1 modifies S ensures S' = S + x;
           proc first() returns r : N ensures r' in S;
           proc items() returns r : N[] ensures true; }"
            .to_string(),
        "abst module L { use plugin \"bounded\"; C = {x : N | \"root<next*>x\"};
           D = {x : N | \"exists i : int. 0 <= i & i < size & d[i] = x\"};
           invariant \"forall x : N. root<next*>x => not x<next+>x\"; invariant \"size >= 0\";
           invariant \"forall i : int. 0 <= i & i < size => d[i] != null\"; }
         abst module Pool { use plugin \"flags\"; S = {x : N | \"x.is = true\"}; }"
            .to_string(),
    ]);
    let told = answers(&subject, 2, |why| why.split(' ').next().unwrap_or_default().to_string());
    expect_test::expect![[r#"
        L.same: refuted: L.same leaves the representation of its module broken
        L.other: verified
        L.second: refuted: L.second leaves the representation of its module broken
        L.third: verified
        L.any: refuted: L.any leaves the representation of its module broken
        L.none: verified
        L.take: verified
        L.hole: refuted: L.hole leaves the representation of its module broken
        L.write: verified
        L.far: refuted: index 0 is outside of the array, whose length is 0
        L.made: unknown: OtherModules
    "#]]
    .assert_eq(&told);
}
