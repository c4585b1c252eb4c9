//! What was written for the original system, read as it reads it (docs/hob.md, "Where we differ from the original"): each reading with
//! modules that must be verified and others that must not.

use crate::corpus::{load, split};
use hob::Loaded;
use hob::flags::{self, Effects, Options, Verdict, explain};
use hob::program::ModuleId;
use source::{Severity, SourceMap};

fn files(text: &str) -> (SourceMap, Loaded) {
    let files = split(text);
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let (sources, mut loaded) = load(&files);
    // Texts that are this small use little of what they declare.
    loaded.diagnostics.retain(|d| d.id != "unused-set");
    (sources, loaded)
}

/// What is said: errors and warnings by their ids when it is read, then each procedure of the plugin `flags`.
fn said(text: &str) -> String {
    let (sources, loaded) = files(text);
    let mut words: Vec<String> = Vec::new();
    for d in &loaded.diagnostics {
        words.push(if d.severity == Severity::Error { format!("{}!", d.id) } else { d.id.to_string() });
    }
    if let Some(program) = &loaded.program {
        let effects = Effects::of(program);
        for module in (0..program.modules.len() as u32).map(ModuleId) {
            for proc in flags::procs(program, module) {
                let finding = flags::analyse(program, &effects, proc, &Options::default());
                let name = program.proc_name(proc);
                words.extend(finding.warnings.iter().map(|w| w.id.to_string()));
                words.push(match &finding.verdict {
                    Verdict::Verified => format!("{name} ok"),
                    Verdict::Unknown(reasons) => {
                        let at = |span: &source::Span| sources.file(span.file).name.clone();
                        let files: Vec<String> = reasons.iter().map(|(span, _)| at(span)).collect();
                        format!("{name} unknown in {}", files.join(" "))
                    }
                    Verdict::Fails(failures) => {
                        let ids: Vec<_> = failures.iter().map(explain::id).collect();
                        format!("{name} {}", ids.join(" "))
                    }
                });
            }
        }
    }
    words.join(", ")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(said(text), expected, "{text}");
}

/// A module over objects of type T with sets `A = {x.f = 1}`, `B = {x.f = 2}` and the Boolean `ready`.
fn module(spec: &str, code: &str) -> String {
    format!(
        "--- m.sl\nspec module M {{ format T; specvar A, B : T set; specvar ready : bool;\n{spec}\n}}
--- m.fl\nimpl module M {{ format T {{ f : int; }} reference ready : bool;\n{code}\n}}
--- m.al\nabst module M {{ use plugin \"flags\"; A = {{x : T | \"x.f = 1\"}}; B = {{x : T | \"x.f = 2\"}}; predvar ready; }}\n"
    )
}

#[test]
fn r1_a_default_with_parameters_stands_for_the_clause() {
    let with = |default: &str, body: &str| {
        let spec = format!("{default} proc p(x : T) requires card(x) = 1 modifies A, B, ready ensures x in A';");
        module(&spec, &format!("proc p(x : T) {{ {body} }}"))
    };
    // Joined to the clause: both are required and both are ensured.
    check(&with("default d(f) = f & ready;", "assert \"ready\"; x.f = 1;"), "M.p ok");
    check(&with("default d(f) = f & ready;", "x.f = 1; ready = false;"), "M.p hob-default");
    check(&with("default d(f) = f & ready;", "x.f = 2;"), "M.p hob-ensures");
    // The other parameters are names of formals.
    check(&with("default d(f, x) = f & (x in B);", "assert \"x in B\"; x.f = 1;"), "M.p hob-default");
    check(&with("default d(f, x) : pre(proc M.p) = f & (x in B);", "assert \"x in B\"; x.f = 1;"), "M.p ok");
    check(&with("default d(f, y) = f & (y in B);", "assert \"x in B\"; x.f = 1;"), "unused-default, M.p hob-assert");
    // Any formula of the clause.
    check(&with("default d(f) = ready => f;", "if (ready) { x.f = 1; }"), "M.p ok");
    check(&with("default d(f) = ready => f;", ""), "M.p hob-default");
    check(&with("default d(f) = ready;", "x.f = 2;"), "replacing-default, M.p ok");
    check(&with("default d(x) = x in B;", "x.f = 1;"), "type-mismatch!");
}

/// Words of formulas may be names of fields, as they may in the code.
#[test]
fn fields_are_called_as_in_the_code() {
    for field in ["in", "card", "exists", "inter"] {
        let text =
            module("proc p(x : T) requires card(x) = 1 modifies A, B ensures x in A';", "proc p(x : T) { x.f = 1; }");
        let text = text.replace("x.f", &format!("x.{field}")).replace("f : int", &format!("{field} : int"));
        check(&text, "M.p ok");
        check(&text.replace(&format!("x.{field} = 1; }}"), "}"), "M.p hob-ensures");
    }
}

#[test]
fn r2_pointcuts() {
    let with = |pointcut: &str, body: &str| {
        let spec = format!(
            "default d : pre({pointcut}) = ready; proc init(x : T; k : int) requires card(x) = 1 modifies A, B ensures true;"
        );
        module(&spec, &format!("proc init(x : T; k : int) {{ {body} }}"))
    };
    let asks = "assert \"ready\";";
    check(&with("proc *.init()", asks), "M.init ok");
    check(&with("proc M.init()", asks), "M.init ok");
    check(&with("proc M.other()", asks), "unused-default, M.init hob-assert");
    check(&with("proc M.init(T*; int)", asks), "M.init ok");
    check(&with("proc M.init(U*; int)", asks), "unused-default, M.init hob-assert");
    check(&with("proc M.init(T)", asks), "unused-default, M.init hob-assert");
    check(&with("proc M.init(T; i*)", asks), "M.init ok");
}

/// A scope with an invariant, a call of N from inside of it while the invariant does not hold.
fn scope(calls: &str) -> String {
    format!(
        "{}--- n.sl\nspec module N {{ proc q() {calls} ensures true; }}
--- s.scope\nscope C {{ modules M; exports M; invariant A = {{}}; }}\n",
        module(
            "proc p(x : T) requires card(x) = 1 modifies A, B calls N ensures true;",
            "proc p(x : T) { x.f = 1; N.q(); x.f = 2; }",
        )
    )
}

#[test]
fn r3_without_calls_nobody_is_called() {
    check(&scope(""), "M.p ok");
    check(&scope("calls M"), "M.p hob-invariant-at-call");
}

#[test]
fn r4_invariants_in_private_procedures() {
    let with = |spec: &str| {
        format!(
            "{}--- s.scope\nscope C {{ modules M; exports M; invariant disjoint(A, B) & (ready => (A = {{}})); }}\n",
            module(
                "proc p(x : T) requires card(x) = 1 modifies A, B, ready ensures true;",
                &format!(
                    "proc p(x : T) {{ if (ready) {{ h(x); }} }} private proc h(x : T) {spec} {{ assert \"ready => (A = {{}})\"; }}"
                ),
            )
        )
    };
    check(&with("requires \"ready\""), "M.p ok, private-invariant, M.h hob-assert");
    check(&with("requires \"ready & (ready => (A = {}))\""), "M.p ok, M.h ok");
}

#[test]
fn what_a_private_invariant_of_another_module_would_show() {
    let with = |public: &str, told: &str| {
        format!(
            "--- n.sl\nspec module N {{ format T; specvar S, R : T set; invariant S = S; {public} invariant disjoint(S, R); \
             proc add(x : T) requires (card(x) = 1) & (not (x in R)) modifies S ensures S' = S + x; }}\n{}",
            module(
                "proc p(x : T) requires (x in N.S) & (card(x) = 1) modifies N.S calls N ensures true;",
                &format!("proc p(x : T) {{ {told} N.add(x); }}")
            )
        )
    };
    check(&with("public", ""), "M.p ok");
    check(&with("", ""), "private-invariant, M.p hob-requires");
    check(&with("", "assume \"not (x in N.R)\";"), "M.p ok");
}

/// L is hidden in a scope that exports F; main is outside.
fn hidden(spec: &str, invariant: &str, main: &str) -> String {
    format!(
        "--- l.sl\nspec module L {{ format T; specvar S : T set; specvar full : bool; proc use(x : T) modifies S, full ensures true; }}
--- f.sl\nspec module F {{ format T; specvar Open : T set; specvar on : bool; {spec} }}
--- s.scope\nscope C {{ modules F, L; exports F; {invariant} }}
--- m.sl\nspec module Main {{ format T; proc go(x : T) requires card(x) = 1 modifies F.Open, F.on calls F ensures true; }}
--- m.fl\nimpl module Main {{ proc go(x : T) {{ {main} }} }}
--- m.al\nabst module Main {{ use plugin \"flags\"; }}\n"
    )
}

#[test]
fn r5_hidden_sets_in_contracts() {
    let needs =
        "proc take(x : T) requires (x in L.S) | (not F.on) modifies Open, on ensures (x in Open') & (on' <=> on);
                 proc start() modifies Open, on ensures (not on') & (L.S' = {});";
    // For all values of the hidden set that the invariant allows.
    check(&hidden(needs, "", "F.start(); F.take(x);"), "Main.go ok");
    check(&hidden(needs, "", "F.take(x);"), "Main.go hob-requires");
    check(&hidden(needs, "invariant on => (L.S = Open);", "F.take(x);"), "Main.go hob-requires");
    check(&hidden(needs, "invariant not on;", "F.take(x);"), "Main.go ok");
    // What is ensured of it is known until code of the scope runs again.
    let pair = "proc open() modifies on ensures L.full'; proc put() requires L.full modifies on ensures true;";
    check(&hidden(pair, "", "F.open(); F.put();"), "Main.go ok");
    check(&hidden(pair, "", "F.open(); F.put(); F.put();"), "Main.go hob-requires");
    check(&hidden(pair, "", "F.put();"), "Main.go hob-requires");
    // Nobody who could change it does.
    let kept = hidden(pair, "", "F.open(); F.put(); F.put();").replace("modifies S, full ", "modifies S ");
    check(&kept, "Main.go ok");
}

#[test]
fn r5_a_failure_names_the_set_and_its_scope() {
    let needs = "proc take(x : T) requires x in L.S modifies Open, on ensures true;";
    let (_, loaded) = files(&hidden(needs, "", "F.take(x);"));
    let program = loaded.program.expect("a program");
    let main = program.module_named("Main").expect("a module");
    let effects = Effects::of(&program);
    let finding = flags::analyse(&program, &effects, flags::procs(&program, main)[0], &Options::default());
    let Verdict::Fails(failures) = finding.verdict else { panic!("{:?}", finding.verdict) };
    let told = explain::diagnostic(&program, finding.proc, &failures[0]);
    let related: Vec<&str> = told.related.iter().map(|(_, text)| text.as_str()).collect();
    assert!(related.iter().any(|r| r.contains("L.S is hidden by scope C")), "{related:?}");
    let sets: Vec<&str> = failures[0].example.sets.iter().map(|(name, ..)| name.as_str()).collect();
    assert!(sets.contains(&"L.S (hidden by C)"), "{sets:?}");
}

#[test]
fn r6_what_callees_change_counts() {
    let with = |modifies: &str, ensures: &str, body: &str| {
        format!(
            "--- n.sl\nspec module N {{ format T; specvar S : T set; proc grow(x : T) modifies S ensures S' = S + x; }}\n{}",
            module(
                &format!(
                    "proc p(x : T) requires card(x) = 1 {modifies} calls N ensures {ensures};
                     proc q(x : T) requires card(x) = 1 calls N ensures true;"
                ),
                &format!("proc p(x : T) {{ N.grow(x); }} proc q(x : T) {{ {body} }}"),
            )
        )
    };
    check(&with("modifies N.S", "true", ""), "M.p ok, M.q ok");
    check(&with("", "x in N.S'", ""), "omitted-modifies, M.p ok, M.q ok");
    // What p does not list is changed by it all the same: q must not take it for the same.
    let body = "p(x); assert \"N.S' = N.S\";";
    check(&with("", "true", body), "omitted-modifies, omitted-modifies, M.p ok, M.q hob-assert");
    check(&with("", "true", "assert \"N.S' = N.S\";"), "omitted-modifies, M.p ok, M.q ok");
}

#[test]
fn r7_accepted_with_a_warning() {
    // A procedure without a specification is private.
    let extra = "proc p(x : T) { h(x); } proc h(x : T) { }";
    check(&module("proc p(x : T) ensures A' = A;", extra), "missing-specification, M.p ok, M.h ok");
    let changes = "proc p(x : T) { h(x); } proc h(x : T) { x.f = 1; }";
    check(
        &module("proc p(x : T) ensures A' = A;", changes),
        "missing-specification, M.p hob-ensures hob-frame hob-frame, M.h ok",
    );
    // It promises nothing: what its code may change it modifies, through others without a specification too, and nothing else.
    let twice = "proc p(x : T) { k(x); } proc k(x : T) { h(x); } private proc h(x : T) { x.f = 1; }";
    check(
        &module("proc p(x : T) modifies A, B ensures ready' <=> ready;", twice),
        "missing-specification, M.p ok, M.k ok, M.h ok",
    );
    check(
        &module("proc p(x : T) modifies A, B ensures x in A';", twice),
        "missing-specification, M.p hob-ensures, M.k ok, M.h ok",
    );
    // A set that nobody defines: nothing changes it, whatever is claimed.
    let open = |ensures: &str| {
        format!(
            "--- m.sl\nspec module M {{ format T; specvar A, Free : T set; proc p(x : T) modifies A, Free ensures {ensures}; }}
--- m.fl\nimpl module M {{ format T {{ f : int; }} proc p(x : T) {{ x.f = 1; }} }}
--- m.al\nabst module M {{ use plugin \"flags\"; A = {{x : T | \"x.f = 1\"}}; }}\n"
        )
    };
    check(&open("Free' = Free"), "undefined-set, M.p ok");
    check(&open("x in Free'"), "undefined-set, M.p hob-ensures");
    // A predvar without a variable, a bool compared with 1, a format that is declared nowhere.
    let text = |ensures: &str| {
        format!(
            "--- m.sl\nspec module M {{ specvar A : T set; specvar b : bool; proc p(x : T) modifies A, b ensures {ensures}; }}
--- m.fl\nimpl module M {{ format T {{ on : bool; }} proc p(x : T) {{ x.on = 1; }} }}
--- m.al\nabst module M {{ use plugin \"flags\"; A = {{x : T | \"x.on = 1\"}}; predvar b; }}\n"
        )
    };
    check(&text("(x in A') & (b' <=> b)"), "bool-as-number, bool-as-number, bad-predvar, M.p ok");
    check(&text("b'"), "bool-as-number, bool-as-number, bad-predvar, M.p hob-ensures");
    let nowhere = "--- m.sl\nspec module M { specvar A : Ghost set; proc p(x : Ghost) ensures A' = A; }\n";
    check(nowhere, "unknown-type");
    // A string is never null.
    let string = |ensures: &str| {
        module(
            &format!("proc p(x : T) requires card(x) = 1 modifies A, B ensures {ensures};"),
            "proc p(x : T) { string s = \"\"; if (s != null) { x.f = 1; } }",
        )
    };
    check(&string("x in A'"), "string-null, M.p ok");
    check(&string("x in B'"), "string-null, M.p hob-ensures");
}

#[test]
fn r8_instances_of_modules_without_code() {
    let with = |body: &str| {
        format!(
            "--- list.sl\nspec module List {{ format Entry; specvar Content : Entry set;
    proc add(e : Entry) requires card(e) = 1 modifies Content ensures Content' = Content + e; }}
--- l.fl\nimpl module Cells = List with Entry <- T;
--- l.al\nabst module Cells = List with Entry = T;
{}",
            module(
                "proc p(x : T) requires card(x) = 1 modifies Cells.Content ensures x in Cells.Content';",
                &format!("proc p(x : T) {{ {body} }}"),
            )
        )
    };
    check(&with("Cells.add(x);"), "M.p ok");
    check(&with(""), "M.p hob-ensures");
    check("--- l.fl\nimpl module Cells = List with Entry <- T;\n", "unknown-module!");
}

#[test]
fn r10_forms() {
    // A variable in an invariant before its declaration.
    let walk = |invariant: &str| {
        module(
            "proc p(x : T) requires card(x) = 1 modifies A, B ensures true;",
            &format!("proc p(x : T) {{ while \"{invariant}\" (System.eof()) {{ T y = x; y.f = 2; }} }}"),
        )
    };
    check(&walk("y' in (x + {})"), "M.p ok");
    check(&walk("y' in A'"), "M.p hob-loop-round");
    // `specvar S : T;`, `var a, b : T;`, a format in an abstraction.
    let forms = |ensures: &str| {
        format!(
            "--- m.sl\nspec module M {{ format T; specvar A : T; proc p(x : T) modifies A ensures {ensures}; }}
--- m.fl\nimpl module M {{ format T {{ f : int; }} var a, b : T; proc p(x : T) {{ a = x; b = a; x.f = 1; }} }}
--- m.al\nabst module M {{ use plugin \"flags\"; format T {{ f : int; }} A = {{x : T | \"x.f = 1\"}}; }}\n"
        )
    };
    check(&forms("A' = A + x"), "M.p ok");
    check(&forms("A' = A"), "M.p hob-ensures");
    // Relations are read; what uses them is not decided.
    let relation = |ensures: &str| {
        module(
            &format!("specvar r : (T * T) set; proc p(x : T) modifies A, B ensures {ensures};"),
            "proc p(x : T) { x.f = 1; }",
        )
    };
    check(&relation("(x in A') & (r' = r + (x * x))"), "M.p unknown in m.sl");
    check(&relation("(x in A') & ((x, x) in r')"), "M.p unknown in m.sl");
    check(&relation("(x in B') & ((x, x) in r')"), "M.p hob-ensures");
    check(&relation("x in A'"), "M.p ok");
    check(&relation("(x in B') & (r' = r)"), "M.p hob-ensures");
}

#[test]
fn one_message_for_one_cause() {
    let calls = "proc p(x : T) { Lost.a(x); Lost.b(x); Lost.c(x); } proc q(x : T) { Lost.a(x); }";
    check(&module("proc p(x : T) ensures true; proc q(x : T) ensures true;", calls), "unknown-module!");
    // The first round of a loop and later ones.
    let rounds = "proc need(x : T) { } proc p(x : T; n : int) { int k = n; \
        while (k > 0) { T y = null; if (k > 1) { y = x; } need(y); k = k - 1; } }";
    let contracts =
        "proc need(x : T) requires card(x) = 1 ensures true; proc p(x : T; n : int) requires card(x) = 1 ensures true;";
    check(&module(contracts, rounds), "M.need ok, M.p hob-requires");
    let library = "proc p(x : T) { System.prin_int(1); System.prin_int(2); }";
    check(&module("proc p(x : T) ensures true;", library), "unknown-procedure!");
    // What has no code needs no plugin.
    let lost = module("proc p(x : T) ensures true; proc q(x : T) ensures true;", "proc p(x : T) { }");
    let (before, after) = lost.split_once("use plugin \"flags\";").expect("a plugin");
    let partitioned = format!("{before}use plugin \"flags\" for {{ procs p;{} }}\n", after.trim_end());
    check(&partitioned, "missing-implementation!");
}

#[test]
fn the_library_changes_no_set() {
    let body = "if (System.random(10) > 5) { System.print_string(System.string_of_int(String.length(\"abc\"))); }
                file_descr s = Sockets.accept(Sockets.socket(Sockets.PF_INET()));
                StringBuffer b = new StringBuffer(); int n = System.read(s, b, 0, 10);
                Graphics.set_colour(Graphics.colour(\"red\")); CRC.reset(); Zip.finish(); System.close(s);";
    let with =
        |ensures: &str| module(&format!("proc p(x : T) ensures {ensures};"), &format!("proc p(x : T) {{ {body} }}"));
    check(&with("(A' = A) & (B' = B)"), "M.p ok");
    check(&with("A' = B'"), "M.p hob-ensures");
    // What a socket accepts is new.
    let sockets = |ensures: &str| {
        format!(
            "--- m.sl\nspec module M {{ specvar Open : file_descr set;
    proc p(s : file_descr) requires s in Open modifies Open ensures {ensures}; }}
--- m.fl\nimpl module M {{ format file_descr {{ open : bool; }}
    proc p(s : file_descr) {{ file_descr c = Sockets.accept(s); c.open = true; assert \"not (c' in Open)\"; }} }}
--- m.al\nabst module M {{ use plugin \"flags\"; Open = {{x : file_descr | \"x.open = true\"}}; }}\n"
        )
    };
    check(&sockets("(Open <= Open') & (Open' != Open)"), "M.p ok");
    check(&sockets("Open' = Open"), "M.p hob-ensures");
}

#[test]
fn formulas_of_other_plugins_are_kept_as_text() {
    let with = |plugin: &str| {
        format!(
            "--- m.sl\nspec module M {{ format T; specvar S : T set; proc p(x : T) ensures true; }}
--- m.fl\nimpl module M {{ format T {{ next : T; }} reference root : T;
    proc p(x : T) {{ while \"root<next*>x & x ~= null\" (false) {{ }} assert \"ALL v. (v : S) --> rtrancl v\"; }} }}
--- m.al\nabst module M {{ use plugin \"{plugin}\"; something odd {{ here }}; S = {{x : T | \"whatever it says\"}}; }}\n"
        )
    };
    check(&with("Isabelle"), "unknown-plugin");
    assert!(said(&with("flags")).contains('!'));
}
