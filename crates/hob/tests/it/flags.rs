//! The flag analysis on small modules: each construct of docs/hob.md, "How the flag analysis works", right beside wrong, and every defect
//! of the original.

use hob::flags::{self, Effects, Finding, Options, Verdict, explain};
use hob::{FileKind, Input, Program};
use source::SourceMap;
use std::time::Duration;
use work::{Cause, Stop};

pub fn load(fl: &str, sl: &str, al: &str) -> (Program, SourceMap) {
    let mut sources = SourceMap::default();
    let files = [
        ("m.fl", fl, FileKind::Implementation),
        ("m.sl", sl, FileKind::Specification),
        ("m.al", al, FileKind::Abstraction),
    ]
    .map(|(name, text, kind)| (sources.add(name, text), kind));
    let loaded = {
        let inputs: Vec<Input> = files
            .iter()
            .map(|(file, kind)| Input { file: *file, kind: *kind, text: &sources.file(*file).text })
            .collect();
        hob::load(&inputs)
    };
    let texts: Vec<String> = loaded
        .diagnostics
        .iter()
        .map(|d| format!("{}: {}", d.span.map_or(0, |s| sources.start(s).line), d.message))
        .collect();
    (loaded.program.unwrap_or_else(|| panic!("{texts:#?}\n{fl}\n{sl}\n{al}")), sources)
}

pub fn findings(program: &Program, options: &Options) -> Vec<Finding> {
    let effects = Effects::of(program);
    let modules = (0..program.modules.len() as u32).map(hob::program::ModuleId);
    modules.flat_map(|m| flags::procs(program, m)).map(|p| flags::analyse(program, &effects, p, options)).collect()
}

/// One word per procedure: `p ok`, `p hob-ensures:7 …` with the line of each failure, `p unknown`; warnings as `warning:LINE`.
fn said(program: &Program, sources: &SourceMap, options: &Options) -> String {
    let mut lines = Vec::new();
    for finding in findings(program, options) {
        let mut words = vec![program.proc(finding.proc).name.clone()];
        match &finding.verdict {
            Verdict::Verified => words.push("ok".into()),
            Verdict::Unknown(_) => words.push("unknown".into()),
            Verdict::Fails(failures) => {
                words.extend(failures.iter().map(|f| format!("{}:{}", explain::id(f), sources.start(f.span).line)));
            }
        }
        words.extend(
            finding.warnings.iter().map(|w| format!("warning:{}", w.span.map_or(0, |s| sources.start(s).line))),
        );
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

#[track_caller]
fn check_with(fl: &str, sl: &str, al: &str, options: &Options, expected: &str) {
    let (program, sources) = load(fl, sl, al);
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(said(&program, &sources, options), expected.join("\n"), "{fl}\n{sl}");
}

/// A module `M` over objects of type `T` with sets by an int and a Boolean field.
#[track_caller]
fn check(procs: &str, specs: &str, expected: &str) {
    check_options(procs, specs, &Options::default(), expected);
}

#[track_caller]
fn check_options(procs: &str, specs: &str, options: &Options, expected: &str) {
    let fl = format!(
        "impl module M {{ format T {{ s : int; on : bool; next : T; }} reference ready : bool; reference root : T; reference a : T[];\n{procs}\n}}"
    );
    let sl = format!(
        "spec module M {{ format T; specvar Idle, Busy, On, Both, Known : T set; specvar ready : bool;\n{specs}\n}}"
    );
    let al = "abst module M { use plugin \"flags\"; Idle = {x : T | \"x.s = 1\"}; Busy = {x : T | \"x.s = 2\"}; On = {x : T | \"x.on = true\"};
        Both = Busy cap On; Known = Idle + Busy; predvar ready; }";
    check_with(&fl, &sl, al, options, expected);
}

#[test]
fn a_flag_moves_an_object_between_sets() {
    check(
        "proc start(x : T) { x.s = 2; }",
        "proc start(x : T) requires x in Idle modifies Idle, Busy ensures (Busy' = Busy + x) & (Idle' = Idle - x);",
        "start hob-frame:2",
    );
    check(
        "proc start(x : T) { x.s = 2; }",
        "proc start(x : T) requires x in Idle modifies Idle, Busy, Both ensures (Busy' = Busy + x) & (Idle' = Idle - x);",
        "start ok",
    );
    check(
        "proc start(x : T) { x.s = 1; }",
        "proc start(x : T) requires x in Idle modifies Idle, Busy, Both, Known ensures (Busy' = Busy + x) & (Idle' = Idle - x);",
        "start hob-ensures:2",
    );
}

#[test]
fn a_set_not_listed_must_not_change() {
    check(
        "proc start(x : T) { x.s = 2; }",
        "proc start(x : T) requires (x in Idle) & (card(x) = 1) modifies Busy, Both ensures x in Busy';",
        "start hob-frame:2",
    );
    // Of a null object nothing changes: no run gets any further.
    check(
        "proc start(x : T) { x.s = 2; }",
        "proc start(x : T) requires card(x) = 0 ensures true;",
        "start ok warning:2",
    );
}

#[test]
fn new_objects_are_in_no_set() {
    check(
        "proc make() returns r : T { T x = new T(); return x; }",
        "proc make() returns r : T ensures (card(r') = 1) & disjoint(r', Idle) & disjoint(r', Busy') & disjoint(r', On);",
        "make ok",
    );
    check(
        "proc two() { T x = new T(); T y = new T(); x.s = 1; assert \"disjoint(y', Idle')\"; assert \"y' in Idle'\"; }",
        "proc two() modifies Idle, Known ensures card(Idle' - Idle) = 1;",
        "two hob-assert:2",
    );
    // An object made after one left a set is not that one.
    check(
        "proc swap(x : T) returns r : T { x.s = 0; T y = new T(); return y; }",
        "proc swap(x : T) returns r : T requires x in Idle modifies Idle, Known ensures disjoint(r', Idle) & disjoint(r', Known);",
        "swap ok",
    );
}

#[test]
fn anonymous_sets_of_default_values_grow_with_new_objects() {
    let fl = "impl module M { format T { known : bool; on : bool; }
        proc make() returns r : T { T x = new T(); x.known = true; return x; }
        proc turn(x : T) { x.on = true; }
        proc other() returns r : T { T y = make(); T z = new T(); z.known = true; return z; }
    }";
    let sl = "spec module M { format T; specvar Off, All : T set;
        proc make() returns r : T modifies Off, All ensures (Off' = Off + r') & (All' = All + r') & (card(r') = 1) & disjoint(r', All);
        proc turn(x : T) requires (x in Off) modifies Off ensures Off' = Off - x;
        proc other() returns r : T modifies Off, All ensures (card(r') = 1) & disjoint(r', All) & (r' in Off') & (Off in Off');
    }";
    let al = "abst module M { use plugin \"flags\";
        Off = {x : T | \"x.known = true\"} cap {x : T | \"x.on = false\"}; All = {x : T | \"x.known = true\"}; }";
    check_with(fl, sl, al, &Options::default(), "make ok\nturn ok\nother ok");
    let wrong = sl.replace("(Off' = Off + r') & (All'", "(Off' = Off) & (All'");
    check_with(fl, &wrong, al, &Options::default(), "make hob-ensures:2\nturn ok\nother ok");
}

#[test]
fn branches_know_their_condition() {
    let spec = "proc p(x : T) returns r : bool requires card(x) = 1 ensures";
    check(
        "proc p(x : T) returns r : bool { if (x.s == 1) { return true; } return false; }",
        &format!("{spec} r' <=> (x in Idle);"),
        "p ok",
    );
    check(
        "proc p(x : T) returns r : bool { if (x.s != 1) { return true; } return false; }",
        &format!("{spec} r' <=> (x in Idle);"),
        "p hob-ensures:2 hob-ensures:2",
    );
    check(
        "proc p(x : T) returns r : bool { return x.on && x.s == 2; }",
        &format!("{spec} r' <=> (x in Both);"),
        "p ok",
    );
    check(
        "proc p(x : T) returns r : bool { return x.on || x.s == 2; }",
        &format!("{spec} r' <=> (x in Both);"),
        "p hob-ensures:2",
    );
    check("proc p(x : T) returns r : bool { return !(x.on) ; }", &format!("{spec} r' <=> disjoint(x, On);"), "p ok");
    // A value without a set: in none of the field's sets.
    check("proc p(x : T) returns r : bool { return x.s == 7; }", &format!("{spec} r' => disjoint(x, Known);"), "p ok");
    check(
        "proc p(x : T) returns r : bool { return x.s == 7; }",
        &format!("{spec} r' <=> disjoint(x, Known);"),
        "p hob-ensures:2",
    );
}

#[test]
fn references_are_compared() {
    check(
        "proc p(x : T; y : T) returns r : bool { if (x == y) { return true; } if (x == null) { return false; } return false; }",
        "proc p(x : T; y : T) returns r : bool ensures r' <=> (x = y);",
        "p ok",
    );
    check(
        "proc p(x : T; y : T) { if (x != y) { x.s = 1; } y.s = 2; assert \"(x = y) | (x in Idle')\"; }",
        "proc p(x : T; y : T) modifies Idle, Busy, Both, Known ensures y in Busy';",
        "p ok",
    );
    check(
        "proc p(x : T; y : T) { x.s = 1; y.s = 2; }",
        "proc p(x : T; y : T) modifies Idle, Busy, Both, Known ensures x in Idle';",
        "p hob-ensures:2",
    );
}

#[test]
fn unknown_values_move_only_their_object() {
    // DEFECT of the original: an int variable changes nothing, anything else takes the object out of all sets.
    let proc = "proc p(x : T; k : int) { x.s = k; }";
    let spec = "proc p(x : T; k : int) modifies Idle, Busy, Both, Known ensures";
    check(proc, &format!("{spec} (Idle' - x = Idle - x) & (Busy' - x = Busy - x);"), "p ok");
    check(proc, &format!("{spec} Idle' = Idle;"), "p hob-ensures:2");
    check(proc, &format!("{spec} Idle' = Idle - x;"), "p hob-ensures:2");
    check("proc p(x : T; k : int) { x.s++; }", &format!("{spec} Idle' - x = Idle - x;"), "p ok");
    check("proc p(x : T; k : int) { x.s++; }", &format!("{spec} Idle' = Idle;"), "p hob-ensures:2");
    // What comes from the heap may be any object, even this one.
    let read = "proc p(x : T; k : int) { T y = a[k]; y.s = 1; T z = x.next; z.s = 1; T w = root; w.s = 1; }";
    check(read, &format!("{spec} Idle in Idle';"), "p ok");
    check(read, &format!("{spec} (x in Busy) => (x in Busy');"), "p hob-ensures:2");
    check(read, &format!("{spec} card(Idle' - Idle) <= 3;"), "p ok");
    check(read, &format!("{spec} card(Idle' - Idle) <= 2;"), "p hob-ensures:2");
}

/// Names of a program do not meet each other, nor those of the analysis.
#[test]
fn equal_names_are_different_things() {
    let spec = "proc p(x : T; k : int) modifies Idle, Busy, Both, Known ensures true;";
    for name in ["t1", "t2", "c1", "On", "Idle", "x_", "ready"] {
        check(
            &format!("proc p(x : T; k : int) {{ T {name} = x; T y = a[k]; T z = a[k]; assert \"y' = {name}'\"; }}"),
            spec,
            "p hob-assert:2",
        );
        check(
            &format!(
                "proc p(x : T; k : int) {{ bool {name} = x.on; bool y = k < 3; bool z = k < 4; assert \"y' <=> {name}'\"; }}"
            ),
            spec,
            "p hob-assert:2",
        );
    }
    check(
        "proc p(x : T; k : int) { { T y = x; y.s = 1; } { T y = new T(); y.s = 1; assert \"y' = x\"; } T y_ = a[k]; }",
        spec,
        "p hob-assert:2",
    );
}

#[test]
fn boolean_fields_and_variables() {
    let spec = "proc p(x : T; b : bool) modifies On, Both, ready ensures";
    check(
        "proc p(x : T; b : bool) { x.on = b; }",
        &format!("{spec} (b => (x in On')) & ((not b) => disjoint(x, On'));"),
        "p ok",
    );
    check(
        "proc p(x : T; b : bool) { x.on = !b; }",
        &format!("{spec} (b => (x in On')) & ((not b) => disjoint(x, On'));"),
        "p hob-ensures:2",
    );
    check("proc p(x : T; b : bool) { bool c = b; c = !c; ready = c; }", &format!("{spec} ready' <=> (not b);"), "p ok");
    check(
        "proc p(x : T; b : bool) { ready = x.on; }",
        &format!("{spec} (card(x) = 1) => (ready' <=> (x in On));"),
        "p ok",
    );
    // Of a null object nothing is read: the run has stopped.
    check("proc p(x : T; b : bool) { ready = x.on; }", &format!("{spec} ready' <=> (x in On);"), "p ok");
    check("proc p(x : T; b : bool) { int n = 3; ready = n < 4; }", &format!("{spec} ready';"), "p ok");
    check("proc p(x : T; b : bool) { int n = 3; ready = n < 3; }", &format!("{spec} ready';"), "p hob-ensures:2");
    check("proc p(x : T; b : bool) { if (ready) { x.on = true; } }", &format!("{spec} ready => (x in On');"), "p ok");
}

#[test]
fn calls_check_requires_and_know_ensures() {
    let specs = "proc start(x : T) requires (x in Idle) & (card(x) = 1) modifies Idle, Busy, Both ensures (Busy' = Busy + x) & (Idle' = Idle - x);
        proc stop(x : T) requires x in Busy modifies Idle, Busy, Both ensures (Busy' = Busy - x) & (Idle' = Idle + x);";
    let procs = "proc start(x : T) { x.s = 2; } proc stop(x : T) { x.s = 1; }";
    check(
        &format!("{procs}\nproc p(x : T) {{ start(x); stop(x); }}"),
        &format!(
            "{specs} proc p(x : T) requires (x in Idle) & (card(x) = 1) modifies Idle, Busy, Both ensures (Idle' = Idle) & (Busy' = Busy);"
        ),
        "start ok\nstop ok\np ok",
    );
    check(
        &format!("{procs}\nproc p(x : T) {{ stop(x); start(x); }}"),
        &format!("{specs} proc p(x : T) requires (x in Idle) & (card(x) = 1) modifies Idle, Busy, Both ensures true;"),
        "start ok\nstop ok\np hob-requires:3",
    );
    // After a failed call it goes on, with what the callee required.
    check(
        &format!("{procs}\nproc p(x : T; y : T) {{ start(x);\n start(y); }}"),
        &format!(
            "{specs} proc p(x : T; y : T) requires (x in Idle) & (y in Idle) & (card(x) = 1) & (card(y) = 1) modifies Idle, Busy, Both ensures x in Busy';"
        ),
        "start ok\nstop ok\np hob-requires:4",
    );
}

#[test]
fn contracts_of_other_modules_are_all_that_is_known() {
    let fl = "impl module M { format T { f : bool; }
        proc move(x : T) { Q.remove(x); W.insert(x); }
        proc twice(x : T) { W.insert(x); W.insert(x); }
        proc drain() { bool e = Q.isEmpty(); while (!e) { T x = Q.removeFirst(); W.insert(x); e = Q.isEmpty(); } }
        proc drainWrong() { bool e = Q.isEmpty(); while (e) { T x = Q.removeFirst(); W.insert(x); e = Q.isEmpty(); } } }";
    let sl = "spec module M { format T;
        proc move(x : T) requires (x in Q.Content) & (card(x) = 1) & disjoint(Q.Content, W.Content) modifies Q.Content, W.Content
            ensures (Q.Content' = Q.Content - x) & (W.Content' = W.Content + x) & disjoint(Q.Content', W.Content');
        proc twice(x : T) requires (card(x) = 1) & disjoint(x, W.Content) modifies W.Content ensures x in W.Content';
        proc drain() requires disjoint(Q.Content, W.Content) modifies Q.Content, W.Content
            ensures (Q.Content' = {}) & (W.Content' = W.Content + Q.Content);
        proc drainWrong() requires disjoint(Q.Content, W.Content) modifies Q.Content, W.Content
            ensures (Q.Content' = {}) & (W.Content' = W.Content + Q.Content); }
      spec module Q { format T; specvar Content : T set;
        proc remove(x : T) requires x in Content modifies Content ensures Content' = Content - x;
        proc isEmpty() returns e : bool ensures e' <=> (Content = {});
        proc removeFirst() returns r : T requires card(Content) >= 1 modifies Content
            ensures (card(r') = 1) & (r' in Content) & (Content' = Content - r'); }
      spec module W { format T; specvar Content : T set;
        proc insert(x : T) requires (card(x) = 1) & disjoint(x, Content) modifies Content ensures Content' = Content + x; }";
    let al = "abst module M { use plugin \"flags\"; }";
    check_with(
        fl,
        sl,
        al,
        &Options::default(),
        "move ok\ntwice hob-requires:3\ndrain ok\ndrainWrong hob-requires:5 hob-ensures:5",
    );
}

#[test]
fn loops_with_given_invariants() {
    let spec = "proc p(x : T) requires (x in Idle) & (card(x) = 1) modifies Idle, Busy, Both ensures";
    check(
        "proc p(x : T) { int i = 0; while \"x in (Idle' + Busy')\" (i < 3) { x.s = 2; i = i + 1; } }",
        &format!("{spec} x in (Idle' + Busy');"),
        "p ok",
    );
    check(
        "proc p(x : T) { int i = 0; while \"x in Busy'\" (i < 3) { x.s = 2; i = i + 1; } }",
        &format!("{spec} x in Busy';"),
        "p hob-loop-entry:2",
    );
    check(
        "proc p(x : T) { int i = 0; while \"x in Idle'\" (i < 3) { x.s = 2; i = i + 1; } }",
        &format!("{spec} true;"),
        "p hob-loop-round:2",
    );
}

#[test]
fn loops_whose_invariants_are_found() {
    check(
        "proc p(k : int) { int i = 0; while (i < k) { T y = new T(); y.s = 1; i = i + 1; } }",
        "proc p(k : int) modifies Idle, Known ensures (Idle in Idle') & disjoint(Idle' - Idle, On);",
        "p ok",
    );
    check(
        "proc p(k : int) { for (int i = 0; i < k; i++) { T y = new T(); y.s = 2; } }",
        "proc p(k : int) modifies Idle, Known ensures Idle in Idle';",
        "p hob-frame:2",
    );
    // DEFECT of the original: where the body breaks `modifies` it never ends.
    check(
        "proc p(x : T; k : int) { for (int i = 0; i < k; i++) { x.on = true; } }",
        "proc p(x : T; k : int) requires card(x) = 1 modifies Idle ensures true;",
        "p hob-frame:2 hob-frame:2",
    );
    // A loop that ends where it must.
    check(
        "proc p(x : T) { bool done = false; while (!done) { if (x.s == 1) { done = true; } else { x.s = 1; } } }",
        "proc p(x : T) requires card(x) = 1 modifies Idle, Busy, Both, Known ensures x in Idle';",
        "p ok",
    );
    check(
        "proc p(x : T) { while (x.s != 1) { x.s = 1; } }",
        "proc p(x : T) requires card(x) = 1 modifies Idle, Busy, Both, Known ensures x in Idle';",
        "p ok",
    );
}

#[test]
fn assumptions_are_listed_and_contradictions_are_said() {
    let (program, _) = load(
        "impl module M { format T { s : int; } proc p(x : T) { assume \"why\" : \"x in A'\"; } }",
        "spec module M { format T; specvar A : T set; proc p(x : T) ensures x in A; }",
        "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; }",
    );
    let found = findings(&program, &Options::default());
    assert!(matches!(found[0].verdict, Verdict::Verified));
    let assumptions = hob::assumptions(&program, found[0].proc);
    assert_eq!(assumptions.len(), 1);
    assert_eq!(assumptions[0].label.as_deref(), Some("why"));
    check("proc p(x : T) { assume \"false\"; }", "proc p(x : T) ensures x in Idle';", "p ok warning:2");
    check(
        "proc p(x : T) { x.s = 1; }",
        "proc p(x : T) requires (x in Idle) & (x in Busy) & (card(x) = 1) ensures false;",
        "p ok warning:2",
    );
}

#[test]
fn quantifiers_over_singletons() {
    // DEFECT of the original: a universal one is always false.
    check("proc p() { }", "proc p() requires forall y : T. ((y in Idle) => (y in On)) ensures Idle in On;", "p ok");
    check("proc p() { }", "proc p() requires Idle in On ensures forall y : T. ((y in Idle) => (y in On));", "p ok");
    check("proc p() { }", "proc p() ensures forall y : T. ((y in Idle) => (y in On));", "p hob-ensures:2");
    check("proc p() { }", "proc p() requires card(Idle) >= 1 ensures exists y : T. (y in Known);", "p ok");
}

#[test]
fn quantifiers_over_sets() {
    let all = "proc p(x : T) modifies Idle, Known ensures forall Q : T set. ((Q <= Idle) => (Q <= Idle'));";
    check("proc p(x : T) { T y = new T(); y.s = 1; }", all, "p ok");
    check("proc p(x : T) { x.s = 0; }", &all.replace("modifies Idle", "modifies Busy, Both, Idle"), "p hob-ensures:2");
    check(
        "proc p() { }",
        "proc p() requires exists Q : T set. ((Q <= Idle) & (card(Q) >= 2)) ensures card(Idle) >= 2;",
        "p ok",
    );
    check(
        "proc p() { }",
        "proc p() requires exists Q : T set. ((Q <= Idle) & (card(Q) >= 2)) ensures card(Idle) >= 3;",
        "p hob-ensures:2",
    );
}

#[test]
fn named_predicates() {
    let predicate = "predicate @both(y) = (y in Busy) & (y in On);";
    let spec = format!(
        "{predicate} proc p(x : T) requires card(x) = 1 modifies Idle, Busy, On, Both, Known ensures @both'(x);"
    );
    check("proc p(x : T) { x.s = 2; x.on = true; }", &spec, "p ok");
    check("proc p(x : T) { x.s = 2; }", &spec, "p hob-ensures:2");
    let (program, sources) = load(
        "impl module M { format T { s : int; } proc p(x : T) { x.s = 1; } }",
        "spec module M { format T; specvar A, B : T set; predicate @both(y) = (y in A) & (y in B);
            proc p(x : T) requires card(x) = 1 modifies A, B ensures (x in A') & @both'(x); }",
        "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; B = {x : T | \"x.s = 2\"}; }",
    );
    let Verdict::Fails(failures) = &findings(&program, &Options::default())[0].verdict else { panic!("it fails") };
    let parts: Vec<&str> = failures[0].parts.iter().map(|part| sources.text(*part)).collect();
    assert_eq!(parts, ["@both'(x)"]);
    let spec = format!("{predicate} proc p(x : T) requires @both(x) ensures x in Both';");
    check("proc p(x : T) { }", &spec, "p ok");
}

#[test]
fn dereferences_of_null_are_found_if_asked_for() {
    let options = Options { check_null: true, ..Options::default() };
    check_options(
        "proc p(x : T) { x.s = 1; }",
        "proc p(x : T) modifies Idle, Busy, Known, Both ensures true;",
        &options,
        "p hob-null:2",
    );
    check_options(
        "proc p(x : T) { if (x != null) { x.s = 1; } }",
        "proc p(x : T) modifies Idle, Busy, Known, Both ensures true;",
        &options,
        "p ok",
    );
    check_options(
        "proc p(x : T) { x.s = 1; }",
        "proc p(x : T) requires card(x) = 1 modifies Idle, Busy, Known, Both ensures true;",
        &options,
        "p ok",
    );
}

#[test]
fn early_returns_are_checked_each() {
    check(
        "proc p(x : T) {\n if (x.on) {\n return; }\n x.s = 1; }",
        "proc p(x : T) requires card(x) = 1 modifies Idle, Busy, Known, Both ensures x in Idle';",
        "p hob-ensures:4",
    );
}

#[test]
fn sets_of_another_plugin_change_with_the_heap() {
    let fl = "impl module M { format T { s : int; next : T; } reference root : T;
        proc mark(x : T) { x.s = 1; }
        proc cut(x : T) { x.s = 1; x.next = null; }
        proc drop() { root = null; }
        proc loop(x : T) { int i = 0; while (i < 3) { x.next = root; i++; } }
        proc add(x : T) { x.next = root; root = x; } }";
    let sl = "spec module M { format T; specvar A, Content : T set;
        proc mark(x : T) requires card(x) = 1 modifies A ensures A' = A + x;
        proc cut(x : T) requires card(x) = 1 modifies A ensures A' = A + x;
        proc drop() ensures true;
        proc loop(x : T) requires card(x) = 1 ensures true;
        proc add(x : T) requires (card(x) = 1) & disjoint(x, Content) modifies Content ensures Content' = Content + x; }";
    let al = "abst module M {
        use plugin \"flags\" for { A = {x : T | \"x.s = 1\"}; procs mark, cut, drop, loop; }
        use plugin \"bounded\" for { Content = {x : T | \"root<next*>x\"}; procs add; } }";
    check_with(fl, sl, al, &Options::default(), "mark ok\ncut hob-frame:3\ndrop hob-frame:4\nloop hob-frame:5");
}

/// Modules `M` and `N` in a scope that exports `M`, and `O` outside.
#[track_caller]
fn scoped(code: &str, specs: &str, outside: &str, outside_spec: &str, expected: &str) {
    let fl = format!(
        "impl module M {{ format T {{ s : int; }}\n{code}\n}}
impl module N {{ format T {{ n : int; }} proc put(x : T) {{ x.n = 1; }} proc take(x : T) {{ x.n = 2; }} }}
impl module O {{ {outside} }}"
    );
    let sl = format!(
        "spec module M {{ format T; specvar A : T set; {specs} }}
spec module N {{ format T; specvar C : T set;
    proc put(x : T) requires card(x) = 1 modifies C ensures C' = C + x;
    proc take(x : T) requires card(x) = 1 modifies C ensures C' = C - x; }}
spec module O {{ format T; {outside_spec} }}
scope S {{ modules M, N; exports M; invariant M.A = N.C; }}"
    );
    let al = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; }";
    check_with(&fl, &sl, al, &Options::default(), expected);
}

#[test]
fn invariants_of_scopes() {
    let spec = "proc add(x : T) requires card(x) = 1 modifies A ensures x in A';";
    let (quiet, quiet_spec) = ("proc log() { }", "proc log() ensures true;");
    scoped("proc add(x : T) { x.s = 1; N.put(x); }", spec, quiet, quiet_spec, "add ok");
    scoped("proc add(x : T) { x.s = 1; }", spec, quiet, quiet_spec, "add hob-invariant:2");
    scoped("proc add(x : T) { x.s = 1; N.take(x); }", spec, quiet, quiet_spec, "add hob-invariant:2");
    // A call that leaves the scope and cannot come back does not need it, and changes nothing inside.
    scoped(
        "proc add(x : T) { x.s = 1; O.log(); N.put(x); assert \"N.C' = N.C + x\"; }",
        spec,
        quiet,
        quiet_spec,
        "add ok",
    );
    // One that may come back does; and what is hidden inside may have changed then.
    let spec = "proc add(x : T) requires card(x) = 1 modifies A calls N, O ensures true; proc again(x : T) requires card(x) = 1 modifies A ensures true;";
    let again = "proc again(x : T) { x.s = 1; N.put(x); }";
    let (back, back_spec) =
        ("proc log(x : T) { M.again(x); }", "proc log(x : T) requires card(x) = 1 modifies M.A ensures true;");
    scoped(
        &format!("proc add(x : T) {{ x.s = 1; O.log(x); N.put(x); }} {again}"),
        spec,
        back,
        back_spec,
        "add hob-invariant-at-call:2 hob-invariant:2\nagain ok",
    );
    scoped(
        &format!("proc add(x : T) {{ x.s = 1; N.put(x); O.log(x); }} {again}"),
        spec,
        back,
        back_spec,
        "add ok\nagain ok",
    );
    scoped(
        &format!("proc add(x : T) {{ x.s = 1; N.put(x); O.log(x); assert \"N.C' = N.C + x\"; }} {again}"),
        spec,
        back,
        back_spec,
        "add hob-assert:2\nagain ok",
    );
    // A public procedure of the module itself needs the invariant too.
    scoped(
        &format!("proc add(x : T) {{ x.s = 1; again(x); }} {again}"),
        spec,
        quiet,
        quiet_spec,
        "add hob-invariant-at-call:2\nagain ok",
    );
}

#[test]
fn defaults_are_of_the_exit() {
    // DEFECT of the original: what a default adds to `ensures` speaks of the entry.
    let fl = "impl module M { format T { s : int; } proc p(x : T) { x.s = 1; } proc q(x : T) { x.s = 2; } }";
    let sl = "spec module M { format T; specvar A, B : T set; default NoB = B = {};
        proc p(x : T) requires card(x) = 1 modifies A, B ensures x in A';
        proc q(x : T) requires card(x) = 1 modifies A, B ensures x in B';
    }";
    let al = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; B = {x : T | \"x.s = 2\"}; }";
    check_with(fl, sl, al, &Options::default(), "p ok\nq hob-default:1");
    check_with(
        fl,
        &sl.replace("proc q(x : T) requires", "proc q(x : T) suspends NoB requires"),
        al,
        &Options::default(),
        "p ok\nq ok",
    );
}

#[test]
fn invariants_hold_at_first() {
    let fl = "impl module M { format T { s : int; } proc p(x : T) { x.s = 1; } }";
    let al = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; }";
    for (invariant, broken) in [("card(A) >= 1", 1), ("card(A) <= 3", 0), ("exists x : T. (x in A)", 1)] {
        let sl = format!(
            "spec module M {{ format T; specvar A : T set; invariant {invariant}; proc p(x : T) requires card(x) = 1 modifies A ensures true; }}"
        );
        let (program, _) = load(fl, &sl, al);
        let found = flags::broken_initially(&program, hob::program::ScopeId(0), &sets::Limits::default());
        assert_eq!(found.len(), broken, "{invariant}");
        assert!(found.iter().all(|(_, unknown)| unknown.is_none()), "{invariant}");
        // What was not decided is not broken.
        let over = sets::Limits { stop: work::Stop::after(std::time::Duration::ZERO), ..sets::Limits::default() };
        let found = flags::broken_initially(&program, hob::program::ScopeId(0), &over);
        assert!(found.iter().all(|(_, unknown)| unknown.is_some()), "{invariant}");
    }
}

/// Every combination of transformations gives the same verdicts.
#[test]
fn transformations_change_no_verdict() {
    let procs = "proc p(x : T; y : T) returns r : T { T z = x; if (x.on) { z = y; } else { x.s = 2; } while (z.s == 2) { z.s = 1; z.on = false; } return z; }
        proc q(x : T) { if (ready) { x.s = 1; } else { x.s = 2; ready = true; } T w = p(x, x); w.s = 2; }";
    let specs = "proc p(x : T; y : T) returns r : T requires card(x) = 1 modifies Idle, Busy, Both, On, Known ensures disjoint(r', Busy') & (Known in (Known' + x));
        proc q(x : T) requires card(x) = 1 modifies Idle, Busy, Both, On, Known, ready ensures ready' & (x in Known');";
    for bits in 0..16 {
        let formulas = sets::Options {
            smart_constructors: bits & 1 != 0,
            factoring: bits & 2 != 0,
            one_point: bits & 4 != 0,
            nesting: bits & 8 != 0,
        };
        let options = Options { formulas, ..Options::default() };
        check_options(procs, specs, &options, "p ok\nq hob-ensures:3");
    }
}

/// `n` branches one after the other, each of which doubles what is known: nobody waits for the end.
fn branches(n: usize) -> Program {
    let branch = |i: usize| format!("if (x.s == {}) {{ x.s = {}; }}\n", i % 3, (i + 1) % 3);
    let body: String = (0..n).map(branch).collect();
    let fl = format!("impl module M {{ format T {{ s : int; }} proc p(x : T) {{ {body} }} }}");
    let sl = "spec module M { format T; specvar Idle, Busy : T set;
        proc p(x : T) requires card(x) = 1 modifies Idle, Busy ensures x in (Idle' + Busy'); }";
    let al = "abst module M { use plugin \"flags\"; Idle = {x : T | \"x.s = 1\"}; Busy = {x : T | \"x.s = 2\"}; }";
    load(&fl, sl, al).0
}

/// Branches of whose conditions nothing is known, one after the other and nested: a hundred took 14 s.
#[test]
fn many_branches() {
    let seq = |i: usize| format!("if (n == {i}) {{ x.s = {}; }} else {{ y.s = x.s; }}\n", i % 3);
    let nested = |i: usize| format!("if (n == {i}) {{ x.s = {}; y.s = x.s;\n", i % 3);
    // What one of them breaks the others do not mend.
    let one = |i: usize| format!("if (n == {i}) {{ {}.s = {}; }}\n", if i == 75 { "y" } else { "x" }, i % 3);
    let nests = (0..400).map(nested).collect::<String>() + &"}".repeat(400);
    let bodies = [(0..150).map(seq).collect::<String>(), (0..150).map(one).collect(), nests];
    for body in bodies {
        for (ensures, holds) in [("Idle' - x - y = Idle - x - y", true), ("Idle' - x = Idle - x", false)] {
            let fl = format!("impl module M {{ format T {{ s : int; }} proc p(x : T; y : T; n : int) {{ {body} }} }}");
            let sl = format!(
                "spec module M {{ format T; specvar Idle, Busy : T set;
                 proc p(x : T; y : T; n : int) requires (card(x) = 1) & (card(y) = 1) modifies Idle, Busy ensures {ensures}; }}"
            );
            let al =
                "abst module M { use plugin \"flags\"; Idle = {x : T | \"x.s = 1\"}; Busy = {x : T | \"x.s = 2\"}; }";
            let found = findings(&load(&fl, &sl, al).0, &Options::default());
            assert_eq!(matches!(found[0].verdict, Verdict::Verified), holds, "{ensures}: {:?}", found[0].verdict);
        }
    }
}

/// A loop in every fourth of them, and a fault: what loops keep is looked for twice, roughly and exactly, and most of what they do not keep
/// is refuted at once (166 and 251 questions before).
#[test]
fn few_questions_where_branches_with_loops_fail() {
    let walk = |k: usize| format!("T c{k} = x; while (c{k} != null) {{ c{k}.s = 2; c{k} = c{k}.next; }}");
    let opened = (0..40).map(|k| {
        let walk = if k % 4 == 0 { walk(k) } else { String::new() };
        format!("if (n > {k}) {{ T t{k} = {}; t{k}.s = {}; {walk}", ["x", "y"][k % 2], k % 2 + 1)
    });
    let body = opened.collect::<String>() + &"}".repeat(40);
    let fl =
        format!("impl module M {{ format T {{ s : int; next : T; }} proc p(x : T; y : T; n : int) {{ {body} }} }}");
    let al = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; B = {x : T | \"x.s = 2\"}; }";
    for (ensures, most) in [("A' <= A + x + y", 100), ("x in A'", 75)] {
        let sl = format!(
            "spec module M {{ format T; specvar A, B : T set;
             proc p(x : T; y : T; n : int) requires true modifies A, B ensures {ensures}; }}"
        );
        let found = findings(&load(&fl, &sl, al).0, &Options::default()).remove(0);
        assert_eq!(matches!(found.verdict, Verdict::Verified), most == 100, "{ensures}: {:?}", found.verdict);
        assert!(found.side_questions <= most, "{ensures}: {}", found.side_questions);
    }
}

/// Two sizes against large constants at once took a minute; each by itself is decided, and what one fails on is an example.
#[test]
fn several_large_sizes() {
    let fl = "impl module M { format T { s : int; } proc p(x : T; y : T) { if (x != y) { x.s = 1; y.s = 0; } } }";
    let al = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; B = {x : T | \"x.s = 2\"}; }";
    for (most, least, verdict) in [(90, 78, "p ok"), (89, 78, "p hob-ensures:1"), (90, 79, "p hob-ensures:1")] {
        let sl = format!(
            "spec module M {{ format T; specvar A, B : T set;
             proc p(x : T; y : T) requires (card(A) = 89) & (card(B) >= 80) modifies A, B
             ensures (card(A') <= {most}) & (card(B') >= {least}); }}"
        );
        check_with(fl, &sl, al, &Options::default(), verdict);
    }
}

fn until(stop: &Stop) -> Options {
    Options { limits: sets::Limits { stop: stop.clone(), ..Default::default() }, ..Options::default() }
}

/// Why loops within each other take so long is said.
#[test]
fn a_limit_within_many_loops() {
    let (open, close) = ("while (i < 3) { i = i + 1; ".repeat(30), "} ".repeat(30));
    let fl =
        format!("impl module M {{ format T {{ s : int; }} proc p(x : T) {{ int i = 0; {open} x.s = 1; {close} }} }}");
    let sl =
        "spec module M { format T; specvar A : T set; proc p(x : T) requires card(x) = 1 modifies A ensures A <= A'; }";
    let program = load(&fl, sl, "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; }").0;
    let found = findings(&program, &until(&Stop::after(Duration::from_millis(300)))).remove(0);
    let Verdict::Unknown(why) = &found.verdict else { panic!("{:?}", found.verdict) };
    assert!(why[0].1.ends_with("loops within each other, each of which doubles the work"), "{why:?}");
}

#[test]
fn a_limit_is_kept_whatever_the_procedure() {
    let program = branches(2000);
    let found = findings(&program, &until(&Stop::after(Duration::from_millis(20)))).remove(0);
    let Verdict::Unknown(why) = &found.verdict else { panic!("{:?}", found.verdict) };
    assert_eq!(found.stopped, Some(Cause::Timeout));
    assert_eq!(why.len(), 1, "{why:?}");
    assert_eq!(why[0].1, "the time limit was reached: the analysis of `p` got only this far");
    assert!(
        program.proc(found.proc).span.file == why[0].0.file && why[0].0.start > program.proc(found.proc).span.start
    );
}

#[test]
fn what_was_stopped_is_never_verified() {
    let program = branches(2);
    let free = findings(&program, &Options::default()).remove(0);
    assert!(!matches!(free.verdict, Verdict::Unknown(_)) && free.stopped.is_none(), "{:?}", free.verdict);
    for (cause, words) in [(Cause::Memory, "the memory limit was reached"), (Cause::Interrupted, "interrupted")] {
        let stop = Stop::default();
        stop.raise(cause);
        let found = findings(&program, &until(&stop)).remove(0);
        let Verdict::Unknown(why) = &found.verdict else { panic!("{:?}", found.verdict) };
        assert!(why[0].1.starts_with(words), "{why:?}");
        assert_eq!((found.stopped, found.warnings.len()), (Some(cause), 0));
    }
}
