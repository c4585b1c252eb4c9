//! What is outside of a module: invariants of other scopes, sets that nobody defines, callees without code, the end of the program. Each
//! right procedure stands beside a faulty twin.

use super::corners::{answers, check};
use super::engine::Subject;

/// Verdicts at size 2 of module L, and of what is not decided the first word of the reason.
#[track_caller]
fn told(code: &str, specification: &str, abstraction: &str, expected: expect_test::Expect) {
    let subject = Subject::new(&[code.to_string(), specification.to_string(), abstraction.to_string()]);
    expected.assert_eq(&answers(&subject, 2, |why| why.split(' ').next().unwrap_or_default().to_string()));
}

/// A hidden set is what the scope's invariants allow; a set that the caller sees may be anything but what public invariants exclude.
#[test]
fn invariants_of_scopes_that_the_module_is_outside_of() {
    told(
        "impl module L { format N { next : N; } reference root : N;
           proc known(x : N) { F.look(x); }
           proc any(x : N) { F.look(x); }
           proc other(x : N; y : N) { F.close(x); F.look(y); }
           proc closed(x : N) { F.close(x); F.look(x); }
           proc apart(x : N) { assert \"not (x in G.Shut')\"; G.look(x); }
           proc both(x : N) { G.look(x); }
           proc kept(x : N) { G.move(x); assert \"disjoint(G.Open', G.Shut')\"; }
           proc lost(x : N) { G.move(x); assert \"not (x in G.Shut')\"; }
           proc secret(x : N) { K.look(x); }
         }
         impl module F { format N { o : bool; } proc look(x : N) { } proc close(x : N) { x.o = false; H.close(x); } }
         impl module H { format N { h : bool; } proc close(x : N) { x.h = false; } }
         impl module G { format N { g : bool; s : bool; } proc look(x : N) { } proc move(x : N) { x.g = false; x.s = true; } }
         impl module K { format N { k : bool; s : bool; } proc look(x : N) { } }",
        "spec module L { format N; specvar C : N set;
           proc known(x : N) requires x in F.Open calls F ensures true;
           proc any(x : N) requires card(x) = 1 calls F ensures true;
           proc other(x : N; y : N) requires (card(x) = 1) & (y in F.Open) & (x != y) modifies F.Open calls F ensures true;
           proc closed(x : N) requires (card(x) = 1) & (x in F.Open) modifies F.Open calls F ensures true;
           proc apart(x : N) requires (card(x) = 1) & (x in G.Open) calls G ensures not (x in G.Shut);
           proc both(x : N) requires card(x) = 1 calls G ensures true;
           proc kept(x : N) requires card(x) = 1 modifies G.Open, G.Shut calls G ensures true;
           proc lost(x : N) requires card(x) = 1 modifies G.Open, G.Shut calls G ensures true;
           proc secret(x : N) requires (card(x) = 1) & (x in K.Open) calls K ensures true;
         }
         spec module F { format N; specvar Open : N set; proc look(x : N) requires x in H.In ensures true;
           proc close(x : N) requires card(x) = 1 modifies Open, H.In calls H ensures Open' = Open - x; }
         spec module H { format N; specvar In : N set; proc close(x : N) requires card(x) = 1 modifies In ensures In' = In - x; }
         spec module G { format N; specvar Open, Shut : N set; proc look(x : N) requires (card(x) = 1) & not (x in Shut) ensures true;
           proc move(x : N) requires card(x) = 1 modifies Open, Shut ensures (x in Shut') & (Open' <= Open); }
         spec module K { format N; specvar Open, Shut : N set; proc look(x : N) requires not (x in Shut) ensures true; }
         scope S { modules F, H; exports F; invariant H.In = F.Open; }
         scope P { modules G; exports G; public invariant disjoint(G.Open, G.Shut); }
         scope Q { modules K; exports K; invariant disjoint(K.Open, K.Shut); }",
        "abst module L { use plugin \"bounded\"; C = {x : N | \"root<next*>x\"}; }
         abst module F { use plugin \"flags\"; Open = {x : N | \"x.o = true\"}; }
         abst module H { use plugin \"flags\"; In = {x : N | \"x.h = true\"}; }
         abst module G { use plugin \"flags\"; Open = {x : N | \"x.g = true\"}; Shut = {x : N | \"x.s = true\"}; }
         abst module K { use plugin \"flags\"; Open = {x : N | \"x.k = true\"}; Shut = {x : N | \"x.s = true\"}; }",
        expect_test::expect![[r#"
            L.known: verified
            L.any: refuted: a call of F.look does not meet its `requires`
            L.other: verified
            L.closed: refuted: a call of F.look does not meet its `requires`
            L.apart: verified
            L.both: refuted: a call of G.look does not meet its `requires`
            L.kept: verified
            L.lost: refuted: the assertion in L.lost does not hold
            L.secret: refuted: a call of K.look does not meet its `requires`
        "#]],
    );
}

/// A hidden set is named with its module and its scope, and the state shown has the sets of other modules that matter.
#[test]
fn a_hidden_set_is_named() {
    let subject = Subject::new(&[
        "impl module L { format N { next : N; } reference root : N; proc p(x : N) { F.look(x); } }
         impl module F { format N { o : bool; } proc look(x : N) { } }
         impl module H { format N { h : bool; } }"
            .to_string(),
        "spec module L { format N; specvar C : N set; proc p(x : N) requires card(x) = 1 calls F ensures true; }
         spec module F { format N; specvar Open : N set; proc look(x : N) requires x in H.In ensures true; }
         spec module H { format N; specvar In : N set; }
         scope S { modules F, H; exports F; invariant H.In = F.Open; }"
            .to_string(),
        "abst module L { use plugin \"bounded\"; C = {x : N | \"root<next*>x\"}; }
         abst module F { use plugin \"flags\"; Open = {x : N | \"x.o = true\"}; }
         abst module H { use plugin \"flags\"; In = {x : N | \"x.h = true\"}; }"
            .to_string(),
    ]);
    let super::engine::Answer::Refuted(found) = subject.ask(2, 2).0 else { panic!("p is wrong") };
    let problem = &found.violations[0].problem;
    assert_eq!(problem.related[0].1, "false: x = {N#1}, H.In (hidden by S) = {}");
    let module: Vec<&str> = found.example.before.objects[0].fields.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(module, ["root", "C", "F.Open", "H.In"]);
}

/// Nobody defines it: it is any set, and nothing changes it.
#[test]
fn sets_that_nobody_defines() {
    check(
        "format T { next : T; } reference root : T;
         proc same(x : T) { root = null; }
         proc emptied() { root = null; }
         proc ready() { root = null; }
         proc wasReady() { root = null; }
         proc asked(x : T) { give(x); }
         proc given(x : T) { give(x); }
         proc give(x : T) { root = null; }",
        "format T; specvar In, Gone : T set; specvar ready : bool;
         proc same(x : T) requires x in Gone modifies In, Gone ensures (x in Gone') & (In' = {});
         proc emptied() modifies In, Gone ensures (In' = {}) & (Gone' = {});
         proc ready() modifies In, ready ensures ready';
         proc wasReady() requires ready modifies In, ready ensures ready';
         proc asked(x : T) requires x in Gone modifies In ensures true;
         proc given(x : T) requires card(x) = 1 modifies In ensures true;
         proc give(x : T) requires x in Gone modifies In ensures In' = {};",
        "In = {x : T | \"root<next*>x\"};",
        &[
            ("same", "!+"),
            ("emptied", "!- does not ensure"),
            ("ready", "!- does not ensure"),
            ("wasReady", "!+"),
            ("asked", "!+"),
            ("given", "!- does not meet its `requires`"),
            ("the start of M", "!+"),
        ],
    );
}

/// What a call needs, and what must hold when the module is left, is the caller's business, whoever has the callee's code.
#[test]
fn callees_without_code() {
    told(
        "impl module L { format N { next : N; } reference root : N;
           proc add(x : N) { F.take(x); K.put(x); x.next = root; root = x; }
           proc blind(x : N) { F.take(x); K.put(x); x.next = root; root = x; }
           proc broken(x : N) { F.take(x); x.next = x; root = x; }
           proc twice(x : N) { F.take(x); F.take(x); }
           proc left(x : N) { x.next = root; root = x; K.put(x); Ext.back(x); }
           proc early(x : N) { x.next = root; root = x; Ext.back(x); K.put(x); }
           proc after(x : N) { F.take(x); assert \"not (x in F.Open')\"; }
           proc open(x : N) { F.any(); assert \"x in F.Open'\"; }
         }",
        "spec module F { format N; specvar Open : N set; proc take(x : N) requires x in Open modifies Open ensures Open' = Open - x;
           proc any() modifies Open ensures Open' <= Open; }
         spec module K { format N; specvar D : N set; proc put(x : N) requires card(x) = 1 modifies D ensures D' = D + x; }
         spec module Ext { format N; proc back(x : N) modifies L.C calls L ensures true; }
         spec module L { format N; specvar C : N set;
           proc add(x : N) requires (card(x) = 1) & disjoint(x, C) & (x in F.Open) modifies C, F.Open calls F, K ensures C' = C + x;
           proc blind(x : N) requires (card(x) = 1) & disjoint(x, C) modifies C, F.Open calls F, K ensures C' = C + x;
           proc broken(x : N) requires (card(x) = 1) & disjoint(x, C) & (x in F.Open) modifies C, F.Open calls F, K ensures true;
           proc twice(x : N) requires (card(x) = 1) & (x in F.Open) modifies F.Open calls F ensures true;
           proc left(x : N) requires (card(x) = 1) & disjoint(x, C) modifies C calls K, Ext ensures true;
           proc early(x : N) requires (card(x) = 1) & disjoint(x, C) modifies C calls K, Ext ensures true;
           proc after(x : N) requires (card(x) = 1) & (x in F.Open) modifies F.Open calls F ensures true;
           proc open(x : N) requires (card(x) = 1) & (x in F.Open) modifies F.Open calls F ensures true;
         }
         scope S { modules L, K; exports L; invariant K.D = L.C; }",
        "abst module L { use plugin \"bounded\"; C = {x : N | \"root<next*>x\"}; invariant \"forall x : N. not (root<next*>x & x<next+>x)\"; }",
        expect_test::expect![[r#"
            L.add: verified
            L.blind: refuted: a call of F.take does not meet its `requires`
            L.broken: refuted: L.broken does not ensure what it promises (the invariant of scope S)
            L.twice: refuted: a call of F.take does not meet its `requires`
            L.left: verified
            L.early: refuted: Ext.back, which may call back, is called while an invariant does not hold (the invariant of scope S)
            L.after: verified
            L.open: unknown: OtherModules
        "#]],
    );
}

/// A run that ends the program reaches no exit.
#[test]
fn the_program_ends_itself() {
    check(
        "format T { next : T; } reference root : T;
         proc taken() { if (root == null) { System.print_string(\"no\"); System.exit(3); } root = root.next; }
         proc gone() { if (root == null) { System.exit(3); } root = null; }
         proc quit() { root = null; System.exit(1); root = root.next; }
         proc late() { root = null; System.exit(1); }
         proc inner() { stop(); root = root.next; }
         private proc stop() { if (root == null) { System.exit(1); } }",
        "format T; specvar C : T set;
         proc taken() modifies C ensures C' <= C;
         proc gone() modifies C ensures C' = C;
         proc quit() ensures true;
         proc late() modifies C ensures card(C') = 1;
         proc inner() modifies C ensures C' <= C;",
        "C = {x : T | \"root<next*>x\"};",
        &[("taken", "!+"), ("gone", "!- does not ensure"), ("quit", "!+"), ("late", "!+"), ("inner", "!+")],
    );
}

/// What a section that nobody reads may define, the module's code may change.
#[test]
fn sets_of_a_section_that_is_not_read() {
    told(
        "impl module M { format T { next : T; on : bool; } reference root : T;
           proc put(x : T) { x.on = true; }
           proc all(x : T) { root = null; assert \"In' = {}\"; } }",
        "spec module M { format T; specvar In, Other : T set;
           proc put(x : T) requires card(x) = 1 modifies Other ensures x in Other';
           proc all(x : T) modifies In ensures true; }",
        "abst module M {
           use plugin \"bounded\" for { In = {x : T | \"root<next*>x\"}; procs put, all; }
           use plugin \"zork\" for { Other = {x : T | \"lit x\"}; } }",
        expect_test::expect![[r#"
            M.put: unknown: OtherModules
            M.all: verified
        "#]],
    );
}
