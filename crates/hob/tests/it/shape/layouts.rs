//! Every heap has a layout: an assertion that some small heap breaks is not proved. One that was would be true of all layouts, so that a kind
//! of heap had none.

use super::{ask, ground};
use crate::bounded::engine::{Answer as Bounded, Subject};
use crate::programs::has_mona;
use hob::shape::Answer;

/// The declarations of a module M, its abstraction, and assertions that do not hold of all its heaps.
const KINDS: &[(&str, &str, &[&str])] = &[
    // Any two lists: sharing, cycles, tails.
    (
        "format N { next : N; } reference a, b : N;",
        r#"use plugin "Bohne"; S = {x : N | "x ~= null & (rtrancl (lambda u v. next u = v) a x | rtrancl (lambda u v. next u = v) b x)"};"#,
        &[
            "a = null",
            "a ~= null --> next a = null",
            "a ~= null --> a ~= b",
            "a ~= null & b ~= null --> a = b",
            "rtrancl (lambda u v. next u = v) a null",
            "rtrancl (lambda u v. next u = v) b null",
            "b ~= null --> ~(rtrancl (lambda u v. next u = v) a b)",
            "a ~= null --> ~(rtrancl (lambda u v. next u = v) b a)",
            "a ~= null & next a ~= null --> next a ~= next b | a = b",
            "ALL x. x ~= null & rtrancl (lambda u v. next u = v) a x & rtrancl (lambda u v. next u = v) b x --> x = a | x = b",
            "ALL x. x ~= null & rtrancl (lambda u v. next u = v) a x & trancl (lambda u v. next u = v) x x --> x = a",
            "ALL x. x ~= null & rtrancl (lambda u v. next u = v) a x --> next x ~= x",
            "ALL x. x ~= null & rtrancl (lambda u v. next u = v) a x --> next (next x) ~= x | next x = x",
            "ALL x. x ~= null --> rtrancl (lambda u v. next u = v) a x | rtrancl (lambda u v. next u = v) b x",
            "ALL x y. x ~= null & next x = y & y ~= null --> rtrancl (lambda u v. next u = v) a x | rtrancl (lambda u v. next u = v) b x",
        ],
    ),
    // A list, and objects outside of it that lead nowhere, to the root, or to themselves.
    (
        "format N { next : N; on : bool; } reference a : N;",
        r#"use plugin "Bohne";
            invariant "rtrancl (lambda u v. next u = v) a null";
            invariant "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> next x = null | next x = a & on x | next x = x";
            S = {x : N | "x ~= null & rtrancl (lambda u v. next u = v) a x"};"#,
        &[
            "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> next x = null",
            "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> next x ~= null",
            "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> next x ~= a | a = null",
            "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> next x ~= x",
            "ALL x. x ~= null & on x --> next x = null",
            "ALL x. x ~= null --> rtrancl (lambda u v. next u = v) a x",
        ],
    ),
    // A list or a ring that another variable leads into or not, and objects outside of the first that lead nowhere.
    (
        "format N { next : N; on : bool; } reference a, b : N;",
        r#"use plugin "Bohne";
            invariant "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> next x = null | next x = a & on x";
            S = {x : N | "x ~= null & rtrancl (lambda u v. next u = v) b x"};"#,
        &[
            "rtrancl (lambda u v. next u = v) a null",
            "rtrancl (lambda u v. next u = v) b null",
            "b ~= null --> rtrancl (lambda u v. next u = v) a b",
            "b ~= null --> ~(rtrancl (lambda u v. next u = v) a b)",
            "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> next x = null",
            "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> next x ~= null",
            "ALL x. x ~= null --> rtrancl (lambda u v. next u = v) a x | rtrancl (lambda u v. next u = v) b x",
            "b ~= null & next b = a & a ~= null --> on b | rtrancl (lambda u v. next u = v) a b & a = b",
        ],
    ),
    // A list, or any list, with a way back that some objects outside of it have as well.
    (
        "format N { next, prev : N; } reference a : N; reference b : N;",
        r#"use plugin "Bohne";
            invariant "ALL x y. x ~= null & y ~= null & prev x = y --> next y = x";
            invariant "ALL x y. x ~= null & y ~= null & next x = y --> prev y = x";
            S = {x : N | "x ~= null & rtrancl (lambda u v. next u = v) a x"};"#,
        &[
            "a = null",
            "a ~= null --> prev a = null",
            "a ~= null --> prev a ~= null",
            "a ~= null & next a ~= null --> next (next a) = null",
            "rtrancl (lambda u v. next u = v) a null",
            "a ~= null --> prev a ~= a",
            "ALL x. x ~= null --> prev x = null | next x = null",
            "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> prev x = null",
            "ALL x. x ~= null & ~(rtrancl (lambda u v. next u = v) a x) --> next x = null",
        ],
    ),
    // Nodes that hold different members, or none.
    (
        "format N { next : N; held : E; } reference a : N; reference e : E;",
        r#"use plugin "Bohne";
            invariant "ALL x y. x ~= null & y ~= null & x ~= y & rtrancl (lambda u v. next u = v) a x
                & rtrancl (lambda u v. next u = v) a y & held x ~= null --> held x ~= held y";
            S = {x : N | "x ~= null & rtrancl (lambda u v. next u = v) a x"};"#,
        &[
            "a ~= null --> held a = null",
            "a ~= null --> held a ~= null",
            "a ~= null & next a ~= null --> held (next a) = null",
            "a ~= null & next a ~= null --> held a = null | held (next a) = null",
            "a ~= null & next a ~= null --> held a ~= null | held (next a) = null",
            "a ~= null & next a ~= null --> held a = null | held (next a) ~= null",
            "rtrancl (lambda u v. next u = v) a null",
            "e ~= null --> (EX x. x ~= null & rtrancl (lambda u v. next u = v) a x & held x = e)",
            "e ~= null --> ~(EX x. x ~= null & rtrancl (lambda u v. next u = v) a x & held x = e)",
        ],
    ),
    // PALE's trees, with a way up.
    (
        "format N { left, right, up : N; } reference a, b, p : N;",
        r#"use plugin "PALE";
            invariant "type N = { data left, right : N; pointer up : N[this^N.left = {up} & this^N.right = {} | this^N.right = {up} & this^N.left = {}]; }";
            invariant "data a, b : N;"; S = {x : N | "a<(left + right)*>x"};"#,
        &[
            "a = null | b = null",
            "a = null | a.left = null",
            "a = null | a.right = null",
            "a = null | a.left = null | a.right = null",
            "a = null | a.left = null | a.left.right = null",
            "b = null | b.right = null | b.right.up = null",
            "p = null | a<(left + right)*>p | b<(left + right)*>p",
            "p = null | !(a<(left + right)*>p)",
            "p = null | !(b<(left + right)*>p)",
            "p = null | p.up = null",
        ],
    ),
];

#[test]
fn every_kind_of_heap_has_a_layout() {
    if !has_mona() {
        return;
    }
    let mut wrong = String::new();
    for (declared, abstraction, assertions) in KINDS {
        let (mut code, mut specification) =
            (format!("impl module M {{ {declared}\n"), String::from("spec module M { format N;"));
        specification += if declared.contains("held") { " format E;" } else { "" };
        specification += " specvar S : N set;\n";
        for (i, assertion) in assertions.iter().enumerate() {
            code += &format!("proc p{i}() {{ assert \"{assertion}\"; }}\n");
            specification += &format!("proc p{i}() ensures true;\n");
        }
        let texts = [code + "}", specification + "}", format!("abst module M {{ {abstraction} }}")];
        let subject = Subject::new(&texts);
        let ground = ground(&subject);
        for (operation, name) in subject.operations() {
            let Some(number) = name.strip_prefix("M.p").and_then(|n| n.parse::<usize>().ok()) else { continue };
            let told = assertions[number];
            match ask(&ground, &subject, operation) {
                Answer::Open(_, why) if why == "this assertion is not shown" => {}
                answer => wrong += &format!("{told}: {answer:?}\n"),
            }
            if !(1..=3).any(|n| matches!(subject.ask(operation, n).0, Bounded::Refuted(_))) {
                wrong += &format!("{told}: not refuted up to 3\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
