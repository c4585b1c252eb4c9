//! Abstractions that have a meaning but a wrong one: definitions of sets, conditions about the heap, plugins.

use super::{check, module};
use expect_test::{Expect, expect};

/// About what a flag abstraction says, from line 3 on.
#[track_caller]
fn flags(items: &str, expected: Expect) {
    let code = "reference flag : int; proc p() { }";
    module("proc p() ensures true;", code, &format!("use plugin \"flags\";\n{items}"), expected);
}

/// About the condition of a set, which begins at column 2 of line 2.
#[track_caller]
fn heap(condition: &str, expected: Expect) {
    check(
        &format!(
            "--- m.sl
spec module M {{ format T; set A : T; }}
--- m.fl
impl module M {{
    format T {{ next, left : T; data : U; size : int; }}
    format U {{ key : int; }}
    reference root : T;
    reference items : T[];
    reference count : int;
    reference on : bool;
}}
--- m.al
abst module M {{ use plugin \"bounded\"; A = {{ x : T |
\"{condition}\" }}; }}
"
        ),
        expected,
    );
}

#[test]
fn definitions() {
    flags(
        r#"
A = { x : T | "x.f = 1" };
B = { x : T | "x.b = true" };
predvar on;
"#,
        expect![[""]],
    );
    flags(
        r#"A = { x : T | "x.f = 1" };"#,
        expect![[r#"
            m.al:1:13: undefined-set (warning): the abstraction does not define the set `B`: nothing is known of it, and nothing changes it
                m.sl:3:16: it is declared here
                help: add `B = { x : T | "x.f = 1" };`, or remove it from the specification
            m.al:1:13: undefined-set (warning): the abstraction does not say what the Boolean `on` is: nothing is known of it, and nothing changes it
                m.sl:4:13: it is declared here
                help: add `predvar on;` for the module's variable of that name
        "#]],
    );
    flags(
        r#"
A = { x : T | "x.f = 1" };
B = { x : T | "x.b = true" };
predvar on;
A = B;
C = A;
predvar D;
predvar A;
on = A;
"#,
        expect![[r#"
            m.al:7:1: duplicate-name: a second definition of `A`
                m.al:4:1: the first one
                help: give one of them another name, or remove it
            m.al:8:1: unknown-name: the specification declares no set or Boolean `C`
                help: there are: A, B, on
            m.al:9:9: unknown-name: the specification declares no set or Boolean `D`
                help: there are: A, B, on
            m.al:10:9: type-mismatch: `A` is a set
                help: `predvar` is for Booleans; define a set by `S = …;`
            m.al:11:1: type-mismatch: `on` is a Boolean
                help: only sets are defined by `=`; write `predvar b;`
        "#]],
    );
    flags(
        r#"
A = { x : T | "x.f = true" };
B = { x : T | "x.g = 1" };
predvar on;
"#,
        expect![[r#"
            m.al:4:22: type-mismatch: field `f` has type int
                help: an int is compared with a number that fits it, a bool with `true` or `false`
            m.al:5:18: unknown-field: this module gives type `T` no field `g`
                help: there are: b, f, next
        "#]],
    );
    flags(
        r#"
A = { x : T | "x.f = 0" };
B = A + { x : T | "x.b = false" } cap { x : T | "x.f = 1" };
predvar on;
"#,
        expect![[r#"
            m.al:4:1: not-stationary: every new object is in the set `A`: all of its fields are 0, false or null
                help: a new object must be in no named set: take another constant, such as `x.f = 1`, and set the field
            m.al:5:1: not-stationary: every new object is in the set `B`: all of its fields are 0, false or null
                help: a new object must be in no named set: take another constant, such as `x.f = 1`, and set the field
        "#]],
    );
    flags(
        r#"
A = { x : T | "x.f = 1" } cap { x : T | "x.b = false" };
B = { x : T | "x.f = -1" };
predvar on;
"#,
        expect![[""]],
    );
    flags(
        r#"
A = B + { x : T | "x.f = 1" };
B = A;
predvar on;
"#,
        expect![[r#"
            m.al:4:1: cyclic-definition: set `A` is defined by itself
                help: define it by conditions, or by sets that do not use it
        "#]],
    );
    flags(
        r#"
A = { x : T | "x.f > 1" };
B = { x : T | "x.next = null" };
invariant "true";
predvar on;
"#,
        expect![[r#"
            m.al:4:16: bad-definition: the flag plugin does not know this condition
                help: a set of the flag plugin is one field and one constant: `x.f = 1`, `x.f = true`; others need plugin "bounded"
            m.al:5:25: bad-definition: a constant is expected here
                help: a set of the flag plugin is one field and one constant: `x.f = 1`, `x.f = true`; others need plugin "bounded"
            m.al:6:12: misplaced-invariant (warning): the flag plugin does not know invariants of the representation: this one is left out
                help: write it in the specification, over sets: `invariant disjoint(A, B);`; or use plugin "bounded"
        "#]],
    );
    flags(
        r#"
A = { x : T | "y.f = 1" };
B = { x : U | "x.f = 1" };
predvar on;
"#,
        expect![[r#"
            m.al:4:16: bad-definition: the flag plugin does not know this condition
                help: a set of the flag plugin is one field and one constant: `x.f = 1`, `x.f = true`; others need plugin "bounded"
            m.al:5:11: unknown-type: there is no type `U`
                help: there are: T
        "#]],
    );
    flags(
        r#"
A = on;
B = { x : T | "x.f = x" };
predvar on;
"#,
        expect![[r#"
            m.al:4:5: type-mismatch: `on` is a Boolean, not a set
                help: sets are made of sets
            m.al:5:22: bad-definition: a constant is expected here
                help: a set of the flag plugin is one field and one constant: `x.f = 1`, `x.f = true`; others need plugin "bounded"
        "#]],
    );
    module(
        "specvar flag, w : bool;",
        "reference flag : int;",
        r#"
use plugin "flags";
A = { x : T | "x.f = 1" };
B = { x : T | "x.b = true" };
predvar on;
predvar flag, w;
"#,
        expect![[r#"
            m.al:6:9: bad-predvar (warning): the variable `flag` has type int, not bool: nothing is known of it, and nothing changes it
                help: add `reference flag : bool;` to the implementation
            m.al:6:15: bad-predvar (warning): the module has no variable `w`: nothing is known of it, and nothing changes it
                help: add `reference w : bool;` to the implementation
        "#]],
    );
    check(
        r#"
--- m.sl
spec module M { format T; format U; specvar A : T set; }
--- m.fl
impl module M { format U { f : int; } }
impl module N { format U { g : int; } }
--- m.al
abst module M { use plugin "flags"; A = { x : U | "x.g = 1" } + { x : U | "x.f = 2" }; }
"#,
        expect![[r#"
            m.al:1:54: foreign-field: field `g` of `U` belongs to module `N`
                help: a set is defined over fields of its own module: define it there
        "#]],
    );
    check(
        r#"
--- m.sl
spec module M { format T; format U; specvar A : T set; }
--- m.fl
impl module M { format U { f : int; } }
--- m.al
abst module M { use plugin "flags"; A = { x : U | "x.f = 2" }; }
"#,
        expect![[r#"
            m.al:1:37: type-mismatch: `A` is a set of U here, but of T in the specification
                help: write the same type in both
        "#]],
    );
}

#[test]
fn a_set_that_is_neither_defined_nor_used() {
    check(
        r#"
--- m.sl
spec module M { format T; specvar A, Ghost : T set; proc p(x : T) modifies A ensures true; }
--- m.fl
impl module M { format T { f : int; } proc p(x : T) { x.f = 1; } }
--- m.al
abst module M { use plugin "flags"; A = { x : T | "x.f = 1" }; }
"#,
        expect![[r#"
            m.al:1:13: undefined-set (warning): the abstraction does not define the set `Ghost`: nothing is known of it, and nothing changes it
                m.sl:1:38: it is declared here
                help: add `Ghost = { x : T | "x.f = 1" };`, or remove it from the specification
        "#]],
    );
}

/// Of a formula for another plugin that is not read: which part, and why.
#[test]
fn why_a_formula_is_not_read() {
    let invariant = |formula: &str, expected: &str| {
        let found = warnings(formula);
        assert_eq!(found, [expected], "{formula}");
    };
    invariant("ALL x. next x = y", "16 `y` is no variable here");
    invariant("ALL x. x ~= null --> foo x = 3", "25 unexpected `x`");
    invariant("ALL x. rtrancl (lambda a b. next b = a) root x", "40 unexpected `root`");
    invariant("ALL x::Foo. x = null", "7 there is no type `Foo`");
    invariant("ALL x. next x = 5", "0 it compares values of different types");
    invariant("ALL x. (next x = root", "0 it ends too early");
    invariant("ALL x. next x", "0 its types do not fit");
    invariant("next root = null \\<turnstile> true", "17 unexpected `\\`");
    for read in [
        "ALL x. on x = True --> x = root",
        "ALL x. x ~= null --> x : {root, next root} | x ~: {next x}",
        "ALL (x::N) y. next x = y --> y ~= root",
        "ALL x. rtrancl (% a b. next a = b) root x | x = null",
    ] {
        assert!(warnings(read).is_empty(), "{read}");
    }
}

/// What is said of an invariant of Bohne's, with the place in its text.
fn warnings(invariant: &str) -> Vec<String> {
    let texts = [
        ("m.fl", "impl module M { format N { next : N; on : bool; } reference root : N; }".to_string()),
        ("m.sl", "spec module M { format N; specvar S : N set; }".to_string()),
        (
            "m.al",
            format!(
                "abst module M {{ use plugin \"Bohne\"; S = {{x : N | \"x = root\"}}; invariant \"root = root\";
                    invariant \"{invariant}\"; }}"
            ),
        ),
    ];
    let mut sources = source::SourceMap::default();
    let inputs: Vec<hob::Input<'_>> = texts
        .iter()
        .map(|(name, text)| hob::Input {
            file: sources.add((*name).to_string(), text.clone()),
            kind: hob::FileKind::of(name).expect("a kind"),
            text,
        })
        .collect();
    let first = texts[2].1.rfind("invariant \"").expect("it") + "invariant \"".len();
    let unread = hob::load(&inputs).diagnostics.into_iter().filter(|d| d.id == "unread-abstraction");
    unread
        .map(|d| {
            let (_, why) = d.message.split_once("is not read: ").expect("a reason");
            format!("{} {why}", d.span.expect("a place").start as usize - first)
        })
        .collect()
}

#[test]
fn plugins() {
    module(
        "proc p() ensures true;",
        "proc p() { }",
        r#"
use plugin "PALE";
A = { x : T | "whatever ' here" };
"#,
        expect![[r#"
            m.al:3:25: unread-abstraction (warning): this part of the abstraction for "PALE" is not read: unexpected `'`
                help: what it should check is trusted: write it for the plugin "bounded" to have it checked
        "#]],
    );
    module(
        "proc p() ensures true;",
        "proc p() { }",
        "use plugin \"bounded\"; on = \"all != null\";",
        expect![[r#"
        m.al:2:28: syntax-error: expected a set, or `predvar b;` for a Boolean, but found a text
            help: a Boolean is a variable of the module: write `predvar b;`
    "#]],
    );
    module(
        "proc p() ensures true;",
        "proc p() { }",
        "use plugin \"vcgen\"; on = \"all ~= null\";",
        expect![[r#"
        m.al:2:26: unread-abstraction (warning): this part of the abstraction for "vcgen" is not read: expected a set, or `predvar b;` for a Boolean, but found a text
            help: what it should check is trusted: write it for the plugin "bounded" to have it checked
    "#]],
    );
    module(
        r#"
proc p() ensures true;
proc q() ensures true;
proc r() ensures true;
"#,
        "proc p() { } proc q() { } proc r() { }",
        r#"
use plugin "flags" for {
A = { x : T | "x.f = 1" };
B = { x : T | "x.b = true" };
predvar on;
procs p, q, z; }
use plugin "bounded" for { procs q; }
"#,
        expect![[r#"
            m.al:2:1: bad-partition: no plugin checks procedure `r`
                m.fl:4:32: it is declared here
                help: add it to the `procs` of one of the plugins
            m.al:6:13: unknown-procedure: the module has no procedure `z`
                help: there are: p, q, r
            m.al:7:34: duplicate-name: a second plugin for procedure `q`
                m.al:6:10: the first one
                help: give one of them another name, or remove it
        "#]],
    );
    module(
        "proc p() ensures true;",
        "proc p() { }",
        r#"
use plugin "flags"; A = { x : T | "x.f = 1" };
B = { x : T | "x.b = true" };
predvar on;
use plugin "bounded";
"#,
        expect![[r#"
            m.al:2:1: bad-partition: of several plugins, each says which procedures it checks
                help: write `use plugin "…" for { … procs p, q; }` for each of them
        "#]],
    );
    check(
        r#"
--- m.al
abst module M { use plugin "flags"; }
"#,
        expect![[r#"
            m.al:1:13: missing-section: module `M` has an abstraction, but no implementation
                help: load all files of the module: `.fl`, `.sl` and `.al`
        "#]],
    );
    check(
        r#"
--- m.al
abst module M { use plugin "flags"; }
--- m.fl
impl module M { }
"#,
        expect![[r#"
            m.al:1:13: missing-section: module `M` has an abstraction, but no specification
                help: load all files of the module: `.fl`, `.sl` and `.al`
        "#]],
    );
    module(
        " ",
        " ",
        "  ",
        expect![[r#"
        m.al:1:13: missing-plugin: this abstraction uses no plugin
            help: write `use plugin "flags";`
    "#]],
    );
}

#[test]
fn conditions_about_the_heap() {
    heap("root<next*>x", expect![[""]]);
    heap("root<(next|left)*>x & not x = null | on", expect![[""]]);
    heap("exists i : int. 0 <= i & i < items.length - 1 & items[i] = x", expect![[""]]);
    heap(
        "root<data>x",
        expect![[r#"
        m.al:2:12: type-mismatch: the route does not lead to T
            help: look at the types of the fields on the route
    "#]],
    );
    heap(
        "root<nxt*>x",
        expect![[r#"
        m.al:2:7: unknown-field: this module gives type `T` no field `nxt`
            help: did you mean `next`?
    "#]],
    );
    heap(
        "root<size*>x",
        expect![[r#"
        m.al:2:7: type-mismatch: field `size` has type int
            help: a route goes along fields that hold objects
    "#]],
    );
    heap(
        "count<next*>x",
        expect![[r#"
        m.al:2:2: type-mismatch: a route begins at an object, not at int
            help: write `root<next*>x`, where `root` is an object
    "#]],
    );
    heap(
        "root < x",
        expect![[r#"
        m.al:2:2: type-mismatch: T and T cannot be compared so
            help: `=` and `!=` compare ints, Booleans, characters and objects of one type, `<` and its kin ints
    "#]],
    );
    heap(
        "x.size",
        expect![[r#"
        m.al:2:2: type-mismatch: a condition is expected, but this has type int
            help: compare it, as in `e = 1` or `e != null`
    "#]],
    );
    heap(
        "x = count",
        expect![[r#"
        m.al:2:2: type-mismatch: T and int cannot be compared so
            help: `=` and `!=` compare ints, Booleans, characters and objects of one type, `<` and its kin ints
    "#]],
    );
    heap(
        "exists i : float. true",
        expect![[r#"
        m.al:2:2: type-mismatch: a quantifier cannot range over float
            help: it ranges over int, bool or objects
    "#]],
    );
    heap(
        "rot = x",
        expect![[r#"
        m.al:2:2: unknown-name: there is no variable `rot` here
            help: did you mean `root`?
    "#]],
    );
    heap(
        "x.next.size + root = 1",
        expect![[r#"
        m.al:2:2: type-mismatch: arithmetic is for ints
            help: sets are joined outside of the quotes
    "#]],
    );
    heap(
        "items[root] = x",
        expect![[r#"
        m.al:2:8: type-mismatch: an index has type int, not T
            help: write a number or an int variable
    "#]],
    );
    heap(
        "root[1] = x",
        expect![[r#"
        m.al:2:2: type-mismatch: a value of type T has no elements
            help: only arrays have elements `a[i]`
    "#]],
    );
    heap(
        "x.next = null",
        expect![[r#"
        m.al:1:39: not-stationary: every new object is in the set `A`: all of its fields are 0, false or null
            help: a new object must be in no named set: take another constant, such as `x.f = 1`, and set the field
    "#]],
    );
    heap(
        "x != root",
        expect![[r#"
        m.al:1:39: not-stationary: every new object is in the set `A`: all of its fields are 0, false or null
            help: a new object must be in no named set: take another constant, such as `x.f = 1`, and set the field
    "#]],
    );
    heap(
        "x.next' = x",
        expect![[r#"
        m.al:2:8: syntax-error: expected an operator, but found `'`
            help: an abstraction speaks of one state: it has no primes
    "#]],
    );
    heap(
        "x = x && on",
        expect![[r#"
        m.al:2:8: syntax-error: expected an operator, but found `&&`
            help: here `and` is written `&`
    "#]],
    );
    heap("forall y : T. y<left+>x => y.data = null", expect![[""]]);
    heap(
        "root<next.data>x",
        expect![[r#"
        m.al:2:17: type-mismatch: the route does not lead to T
            help: look at the types of the fields on the route
    "#]],
    );
    heap(
        "(x = root) + 1 = 2",
        expect![[r#"
        m.al:2:2: type-mismatch: this is a condition, but a value is expected
            help: conditions are joined by `&`, `|`, `=>`, `<=>`
    "#]],
    );
    heap("on = (x = root)", expect![[""]]);
    heap("count < x.size | x.size > 3", expect![[""]]);
    heap(
        "x.size.f = 1",
        expect![[r#"
        m.al:2:9: type-mismatch: a value of type int has no field `f`
            help: objects have fields, arrays a `length`
    "#]],
    );
    heap("root<next*.(data|left)>x", expect![[""]]);
}
