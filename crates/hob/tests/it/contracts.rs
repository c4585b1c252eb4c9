//! Contracts at run time: a program that breaks one is caught, its correct twin is not; and random calls find what is broken.

use hob::interp::random::{self, Trials};
use hob::interp::{self, Checks, Options, Outcome, Script, Stop};
use hob::{FileKind, Input, Program};
use source::SourceMap;

/// Parts that begin with `impl`, `spec`, `abst` or `scope` modules go to files of these kinds.
fn try_load(text: &str) -> (Option<Program>, SourceMap, Vec<String>) {
    let mut map = SourceMap::default();
    let mut inputs = Vec::new();
    for part in text.split("----") {
        let kind = match part.split_whitespace().next() {
            Some("impl") => FileKind::Implementation,
            Some("spec") => FileKind::Specification,
            Some("abst") => FileKind::Abstraction,
            _ => FileKind::Scopes,
        };
        inputs.push(Input { file: map.add(format!("{kind:?}"), part), kind, text: part });
    }
    let loaded = hob::load(&inputs);
    let messages: Vec<String> =
        loaded.diagnostics.iter().map(|d| format!("{} at {:?}", d.message, d.span.map(|s| map.text(s)))).collect();
    (loaded.program, map, messages)
}

fn load(text: &str) -> (Program, SourceMap) {
    match try_load(text) {
        (Some(program), map, _) => (program, map),
        (None, _, messages) => panic!("{messages:#?}\n{text}"),
    }
}

fn run(program: &Program) -> Outcome {
    let entry = interp::entry_point(program).unwrap();
    let options = Options { check_contracts: true, ..Options::default() };
    interp::run(program, entry, &[], &mut Script::default(), &options)
}

/// "identifier: text it points at: label or first related text", or "fine".
fn verdict(text: &str) -> String {
    let (program, map) = load(text);
    let outcome = run(&program);
    let Some(diagnostic) = outcome.diagnostic(&program) else { return "fine".into() };
    let at = diagnostic.span.map_or("", |span| map.text(span));
    // A part of a clause is in parentheses, as part of the text.
    let at = at.strip_prefix('(').and_then(|at| at.strip_suffix(')')).unwrap_or(at);
    let seen = if diagnostic.label.is_empty() || diagnostic.label == "this call" {
        diagnostic.related.first().map_or("", |(_, text)| text)
    } else {
        &diagnostic.label
    };
    format!("{}: {at}: {seen}", diagnostic.id)
}

/// The correct text is fine; with each replacement it is not. `…` stands for any rest.
fn check(correct: &str, bugs: &[(&str, &str, &str)]) {
    assert_eq!(verdict(correct), "fine", "{correct}");
    for (from, to, expected) in bugs {
        assert!(correct.contains(from), "{from} is not in the text");
        let found = verdict(&correct.replacen(from, to, 1));
        let held = match expected.strip_suffix('…') {
            Some(start) => found.starts_with(start),
            None => found == *expected,
        };
        assert!(held, "{from} -> {to}: {found}\nexpected: {expected}");
    }
}

const LAMPS: &str = r#"
impl module Lamps {
  format Lamp { state : int; }
  var any : bool;
  proc make() returns l : Lamp { Lamp x = new Lamp(); x.state = 1; return x; }
  proc turnOn(l : Lamp) { l.state = 2; any = true; }
  proc isOn(l : Lamp) returns b : bool { return l.state == 2; }
  proc breakIt(l : Lamp) { l.state = 3; }
}
impl module Main {
  proc main() {
    Lamp a = Lamps.make();
    Lamp b = Lamps.make();
    Lamps.turnOn(a);
    bool on = Lamps.isOn(a);
    on = Lamps.isOn(b);
    Lamps.breakIt(b);
  }
}
----
spec module Lamps {
  format Lamp;
  specvar On, Off, Whole : Lamp set;
  specvar any : bool;
  invariant disjoint(On, Off);
  proc make() returns l : Lamp
    modifies Off, Whole
    ensures (card(l') = 1) & (Off' = Off + l') & disjoint(l', Off) & (Whole' = Whole + l');
  proc turnOn(l : Lamp)
    requires (card(l) = 1) & (l in Off)
    modifies On, Off, any
    ensures (On' = On + l) & (Off' = Off - l) & any';
  proc isOn(l : Lamp) returns b : bool
    requires card(l) = 1
    ensures b' <=> (l in On);
  proc breakIt(l : Lamp)
    requires (card(l) = 1) & (l in Whole)
    modifies On, Off, Whole
    ensures (Whole' = Whole - l) & not (l in (On' + Off'));
}
spec module Main {
  proc main() modifies Lamps.On, Lamps.Off, Lamps.Whole, Lamps.any ensures card(Lamps.On') = 1;
}
----
abst module Lamps {
  use plugin "flags";
  Off = { x : Lamp | "x.state = 1" };
  On = { x : Lamp | "x.state = 2" };
  Whole = On + Off;
  predvar any;
}
abst module Main { use plugin "flags"; }
"#;

#[test]
fn flags() {
    check(
        LAMPS,
        &[
            (
                "x.state = 1; return",
                "x.state = 2; return",
                "ensures-violated: Off' = Off + l': Off = {}, Off' = {}, l' = {Lamp#1}",
            ),
            ("l.state = 2; any", "l.state = 1; any", "ensures-violated: On' = On + l: On = {}, On' = {}, l = {Lamp#1}"),
            ("any = true;", "", "ensures-violated: any': any' = false"),
            (
                "return l.state == 2;",
                "return l.state == 1;",
                "ensures-violated: b' <=> (l in On): b' = false, l = {Lamp#1}, On = {Lamp#1}",
            ),
            (
                "return l.state == 2;",
                "l.state = 2; return true;",
                "ensures-violated: b' <=> (l in On): b' = true, l = {Lamp#2}, On = {Lamp#1}",
            ),
            (
                "bool on =",
                "Lamps.turnOn(a); bool on =",
                "requires-violated: Lamps.turnOn(a): false: l = {Lamp#1}, Off = {Lamp#2}",
            ),
            ("Lamps.turnOn(a)", "Lamps.turnOn(null)", "requires-violated: Lamps.turnOn(null): false: l = {}"),
            ("Lamps.turnOn(a);", "", "ensures-violated: card(Lamps.On') = 1: Lamps.On' = {}"),
        ],
    );
}

#[test]
fn frames() {
    let text = LAMPS.replace(
        "proc breakIt(l : Lamp)\n    requires (card(l) = 1) & (l in Whole)\n    modifies On, Off, Whole\n    ensures (Whole' = Whole - l) & not (l in (On' + Off'));",
        "proc breakIt(l : Lamp) requires card(l) = 1 modifies On ensures true;",
    );
    let (program, _) = load(&text);
    let diagnostic = run(&program).diagnostic(&program).unwrap();
    assert_eq!(diagnostic.id, "frame-violated");
    assert_eq!(diagnostic.message, "Lamps.breakIt changes Lamps.Off, which its `modifies` does not list");
    assert_eq!(diagnostic.label, "Off = {Lamp#2}, Off' = {}");
    // A spec Boolean is framed as well.
    let text = LAMPS.replace(
        "modifies On, Off, any\n    ensures (On' = On + l) & (Off' = Off - l) & any';",
        "modifies On, Off ensures true;",
    );
    assert!(verdict(&text).starts_with("frame-violated:"), "{}", verdict(&text));
    assert_eq!(verdict(&text.replace("any = true;", "")), "fine");
}

#[test]
fn blame_follows_the_calls() {
    let text = LAMPS.replace("Lamps.turnOn(a);", "twice(a);").replace(
        "impl module Main {",
        "impl module Main { private proc twice(l : Lamp) modifies Lamps.On, Lamps.Off, Lamps.any { Lamps.turnOn(l); Lamps.turnOn(l); }",
    );
    let (program, map) = load(&text);
    let diagnostic = run(&program).diagnostic(&program).unwrap();
    assert_eq!((diagnostic.id, map.text(diagnostic.span.unwrap())), ("requires-violated", "Lamps.turnOn(l)"));
    let calls: Vec<&str> = diagnostic.related.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(calls, ["false: l = {Lamp#1}, Off = {Lamp#2}", "Main.twice was called here"]);
}

#[test]
fn assertions_assumptions_and_loop_invariants() {
    let with = |statement: &str| verdict(&LAMPS.replace("bool on =", &format!("{statement} bool on =")));
    assert_eq!(with("assert \"a' in Lamps.On'\";"), "fine");
    assert_eq!(
        with("assert \"name\" : \"b' in Lamps.On'\";"),
        "assertion-violated: b' in Lamps.On': b' = {Lamp#2}, Lamps.On' = {Lamp#1}"
    );
    assert_eq!(with("assume \"disjoint(a', b')\";"), "fine");
    assert!(with("assume \"a' = b'\";").starts_with("assumption-not-met: a' = b':"));
    let counting = |invariant: &str| {
        with(&format!("int i = 0; while \"{invariant}\" (i < 3) {{ Lamp x = Lamps.make(); i = i + 1; }}"))
    };
    assert_eq!(counting("Lamps.On' = a'"), "fine");
    assert!(counting("card(Lamps.Off') <= 3").starts_with("loop-invariant-violated: card(Lamps.Off') <= 3:"));
}

#[test]
fn an_assumption_is_not_an_error() {
    let (program, _) = load(&LAMPS.replace("bool on =", "assume \"Lamps.On' = {}\"; bool on ="));
    match run(&program).ending {
        interp::Ending::Stopped(stop) => assert!(matches!(*stop, Stop::Assumption { .. })),
        ending => panic!("{ending:?}"),
    }
}

#[test]
fn module_invariants() {
    let text = LAMPS.replace("invariant disjoint(On, Off);", "invariant On = {};");
    let (program, map) = load(&text);
    let diagnostic = run(&program).diagnostic(&program).unwrap();
    assert_eq!(diagnostic.message, "Lamps.turnOn does not ensure what it promises (the invariant of module Lamps)");
    assert_eq!(map.text(diagnostic.span.unwrap()), "On = {}");
}

const LIST: &str = r#"
impl module List {
  format Node { next : Node; }
  reference root : Node;
  proc add(n : Node) { n.next = root; root = n; }
  proc remove(n : Node) {
    if (root == n) { root = n.next; }
    else {
      Node p = root;
      while (p.next != n) { p = p.next; }
      p.next = n.next;
    }
    n.next = null;
  }
  proc isEmpty() returns b : bool { return root == null; }
  proc first() returns n : Node { return root; }
}
impl module Main {
  proc main() {
    Node a = new Node(); Node b = new Node(); Node c = new Node();
    List.add(a); List.add(b); List.add(c);
    List.remove(b);
    List.remove(c);
    bool e = List.isEmpty();
    List.remove(a);
    e = List.isEmpty();
  }
}
----
spec module List {
  format Node;
  specvar Content : Node set;
  proc add(n : Node) requires (card(n) = 1) & not (n in Content) modifies Content ensures Content' = Content + n;
  proc remove(n : Node) requires (card(n) = 1) & (n in Content) modifies Content ensures Content' = Content - n;
  proc isEmpty() returns b : bool ensures b' <=> (Content = {});
  proc first() returns n : Node requires card(Content) >= 1 ensures (card(n') = 1) & (n' in Content);
}
spec module Main { proc main() modifies List.Content ensures true; }
----
abst module List {
  use plugin "bounded";
  Content = { x : Node | "root<next*>x" };
}
"#;

#[test]
fn lists() {
    check(
        LIST,
        &[
            (
                "p.next = n.next;",
                "p.next = null;",
                "ensures-violated: Content' = Content - n: Content = {Node#1, Node#2, Node#3}, Content' = {Node#3}, n = {Node#2}",
            ),
            ("root = n; }", "}", "ensures-violated: Content' = Content + n: Content = {}, Content' = {}, n = {Node#1}"),
            ("return root == null;", "root = null; return false;", "frame-violated: …"),
            (
                "List.add(a); List.add(b);",
                "List.add(a); List.add(a);",
                "requires-violated: List.add(a): false: n = {Node#1}, Content = {Node#1}",
            ),
        ],
    );
}

const TABLE: &str = r#"
impl module Table {
  format Entry { key : int; }
  var table : Entry[];
  var size : int;
  proc init() { table = new Entry[4]; }
  proc add(e : Entry) { table[size] = e; size = size + 1; }
  proc removeLast() { size = size - 1; }
}
impl module Main {
  proc main() {
    Table.init();
    Table.add(new Entry()); Table.add(new Entry());
    Table.removeLast();
    Table.add(new Entry());
  }
}
----
spec module Table {
  format Entry;
  specvar Content : Entry set;
  proc init() requires Content = {} ensures true;
  proc add(e : Entry) requires (card(e) = 1) & not (e in Content) modifies Content ensures Content' = Content + e;
  proc removeLast() requires card(Content) >= 1 modifies Content
    ensures exists x : Entry. ((x in Content) & (Content' = Content - x));
}
spec module Main { proc main() modifies Table.Content ensures card(Table.Content') = 2; }
----
abst module Table {
  use plugin "bounded";
  Content = { x : Entry | "exists i : int. 0 <= i & i < size & table[i] = x" };
}
"#;

#[test]
fn arrays() {
    check(
        TABLE,
        &[
            (
                "table[size] = e; size = size + 1;",
                "size = size + 1; table[size] = e;",
                "ensures-violated: Content' = Content + e: Content = {}, Content' = {}, e = {Entry#1}",
            ),
            (
                "size = size - 1;",
                "size = 0;",
                "ensures-violated: exists x : Entry. ((x in Content) & (Content' = Content - x)): Content = {Entry#1, Entry#2}, Content' = {}",
            ),
        ],
    );
}

#[test]
fn what_nobody_defines_is_skipped_and_counted() {
    let sections: Vec<&str> = LAMPS.split("----").collect();
    let text = format!("{}----{}", sections[0].replace("return l.state == 2;", "return false;"), sections[1]);
    let (program, _) = load(&text);
    let outcome = run(&program);
    assert_eq!(outcome.diagnostic(&program), None);
    // `card(l) = 1` says nothing about sets and is evaluated even so.
    assert!(outcome.checks.skipped > 10 && outcome.checks.evaluated > 0, "{:?}", outcome.checks);
    let (program, _) = load(LAMPS);
    assert_eq!(run(&program).checks.skipped, 0);
}

#[test]
fn nothing_is_checked_unless_asked() {
    let (program, _) = load(&LAMPS.replace("l.state = 2; any", "l.state = 1; any"));
    let entry = interp::entry_point(&program).unwrap();
    let outcome = interp::run(&program, entry, &[], &mut Script::default(), &Options::default());
    assert_eq!((outcome.diagnostic(&program), outcome.checks), (None, Checks::default()));
}

/// Two modules in a scope whose sets must not meet, seen from outside through one of them.
const SCOPE: &str = r#"
impl module Left { format T { l : bool; } proc add(x : T) { x.l = true; } proc drop(x : T) { x.l = false; } }
impl module Right { format T { r : bool; } proc add(x : T) { x.r = true; } proc drop(x : T) { x.r = false; } }
impl module Front {
  proc toLeft(x : T) { Right.drop(x); Left.add(x); }
  proc toRight(x : T) { Left.drop(x); Right.add(x); }
}
impl module Main {
  proc main() { T a = new T(); T b = new T(); Front.toLeft(a); Front.toRight(b); Front.toRight(a); }
}
----
spec module Left { format T; specvar L : T set;
  proc add(x : T) requires card(x) = 1 modifies L ensures L' = L + x;
  proc drop(x : T) requires card(x) = 1 modifies L ensures L' = L - x; }
spec module Right { format T; specvar R : T set;
  proc add(x : T) requires card(x) = 1 modifies R ensures R' = R + x;
  proc drop(x : T) requires card(x) = 1 modifies R ensures R' = R - x; }
spec module Front { format T;
  proc toLeft(x : T) requires card(x) = 1 calls Left, Right ensures true;
  proc toRight(x : T) requires card(x) = 1 calls Left, Right ensures true; }
spec module Main { proc main() calls Front ensures true; }
----
scope S { modules Left, Right, Front; exports Front; invariant disjoint(Left.L, Right.R); }
----
abst module Left { use plugin "flags"; L = { x : T | "x.l = true" }; }
abst module Right { use plugin "flags"; R = { x : T | "x.r = true" }; }
abst module Front { use plugin "flags"; }
abst module Main { use plugin "flags"; }
"#;

#[test]
fn invariants_of_scopes() {
    check(
        SCOPE,
        &[(
            "Left.drop(x); Right.add(x);",
            "Right.add(x);",
            "ensures-violated: disjoint(Left.L, Right.R): Left.L' = {T#1}, Right.R' = {T#1, T#2}",
        )],
    );
}

fn driven(text: &str, module: &str, trials: &Trials) -> random::Report {
    let (program, _) = load(text);
    let modules = [program.module_named(module).unwrap()];
    random::drive(&program, &modules, trials)
}

#[test]
fn random_calls_find_no_violation_in_correct_modules() {
    let trials = Trials { runs: 200, calls: 40, ..Trials::default() };
    for (text, module) in [(LAMPS, "Lamps"), (LIST, "List"), (SCOPE, "Front"), (SCOPE, "Left")] {
        let report = driven(text, module, &trials);
        assert!(report.violations.is_empty() && report.faults.is_empty(), "{module}: {report:#?}");
        assert!(report.calls > 2000 && report.checks.skipped == 0, "{module}: {report:#?}");
        assert!(report.made.iter().all(|(_, made)| *made > 50), "{module}: {report:#?}");
        assert_eq!(report.undecided, 0);
    }
}

#[test]
fn random_calls_find_planted_bugs() {
    let bugs = [
        (LAMPS, "Lamps", "l.state = 2; any", "l.state = 1; any", "Lamps.turnOn(Lamp#"),
        (LAMPS, "Lamps", "l.state = 3", "l.state = 2", "Lamps.breakIt(Lamp#"),
        // Only shows in a list of three.
        (LIST, "List", "p.next = n.next;", "if (p != root) p.next = null; else p.next = n.next;", "List.remove(Node#"),
        (LIST, "List", "root = n.next; }", "root = null; }", "List.remove(Node#"),
        (SCOPE, "Front", "Left.drop(x); Right.add(x);", "Right.add(x);", "Front.toRight(T#"),
    ];
    for (text, module, from, to, last) in bugs {
        assert!(text.contains(from), "{from}");
        let trials = Trials { runs: 200, calls: 40, seed: 3, ..Trials::default() };
        let report = driven(&text.replacen(from, to, 1), module, &trials);
        let found = report.violations.first().unwrap_or_else(|| panic!("{from} -> {to} not found: {report:#?}"));
        assert!(found.calls.last().is_some_and(|call| call.starts_with(last)), "{:?}", found.calls);
    }
}

#[test]
fn the_same_seed_makes_the_same_calls() {
    let text = LIST.replace("root = n.next; }", "root = null; }");
    let with = |seed| format!("{:?}", driven(&text, "List", &Trials { seed, ..Trials::default() }));
    assert_eq!(with(1), with(1));
    assert_ne!(with(1), with(2));
}

#[test]
fn faults_of_random_calls_are_told_apart_from_violations() {
    // The fifth element does not fit, and nothing in the contract says so.
    let report = driven(TABLE, "Table", &Trials { runs: 300, ..Trials::default() });
    assert!(report.violations.is_empty(), "{report:#?}");
    assert!(!report.faults.is_empty());
}

#[test]
fn modules_hidden_by_a_scope_are_not_open() {
    let (program, _) = load(SCOPE);
    let names: Vec<&str> = random::open_modules(&program).iter().map(|id| program.module(*id).name.as_str()).collect();
    assert_eq!(names, ["Front", "Main"]);
}

#[test]
fn a_module_leaves_its_representation_in_order() {
    let text = TABLE
        .replace("var size : int;", "var size : int; var mirror : int;")
        .replace("size = size + 1;", "size = size + 1; mirror = size;")
        .replace("size = size - 1;", "size = size - 1; note();")
        .replacen("proc init() {", "private proc note() { mirror = size; } proc init() {", 1)
        .replace("table[i] = x\" };", "table[i] = x\" }; invariant \"mirror = size\";");
    check(&text, &[("size = size - 1; note();", "size = size - 1;", "representation-violated: mirror = size: …")]);
}

/// Texts that are almost right, run with all contracts checked and called at random: whatever they do, nothing breaks here.
#[test]
fn nothing_panics_on_changed_programs() {
    let mut chance = work::Chance::new(1);
    let class = |token: &str| token.chars().next().map(|c| (c.is_numeric(), c.is_alphabetic()));
    let mut loaded = 0;
    for round in 0..1500 {
        let text = [LAMPS, LIST, TABLE, SCOPE][round % 4];
        let mut tokens: Vec<&str> = text
            .split_inclusive(|c: char| !c.is_alphanumeric())
            .flat_map(|part| part.split_at_checked(part.trim_end_matches(|c: char| !c.is_alphanumeric()).len()))
            .flat_map(|(word, rest)| [word, rest])
            .filter(|token| !token.is_empty())
            .collect();
        for _ in 0..1 + chance.below(2) {
            let at = chance.below(tokens.len());
            let alike: Vec<&str> = tokens.iter().copied().filter(|token| class(token) == class(tokens[at])).collect();
            tokens[at] = chance.pick::<&str>(&alike);
        }
        let changed = tokens.concat();
        let Some(program) = try_load(&changed).0 else { continue };
        loaded += 1;
        if let Ok(entry) = interp::entry_point(&program) {
            let options = Options { check_contracts: true, steps: 20_000, memory: 10_000, ..Options::default() };
            let outcome = interp::run(&program, entry, &[], &mut Script::default(), &options);
            let _ = outcome.diagnostic(&program);
        }
        let trials = Trials { runs: 2, calls: 20, steps: 2_000, ..Trials::default() };
        random::drive(&program, &random::open_modules(&program), &trials);
    }
    assert!(loaded > 100, "only {loaded} could be loaded");
}
