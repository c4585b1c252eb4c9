//! Specifications that have a meaning but a wrong one: names, sets and Booleans, what is called and changed, scopes.

use super::{check, module, spec};
use expect_test::{Expect, expect};

/// About a formula of an `ensures`, which begins at column 56 of line 5.
#[track_caller]
fn ensures(formula: &str, expected: Expect) {
    spec(&format!("proc p(x : T; b : bool; n : int) returns r : T ensures {formula};"), expected);
}

/// About a scope over three modules, and the code of some of them.
#[track_caller]
fn scope(scope: &str, clauses: &str, code: &str, expected: Expect) {
    check(
        &format!(
            "--- m.sl
spec module A {{ format T; specvar S : T set; proc a() {clauses} ensures true; }}
spec module B {{ specvar R : T set; proc b() modifies R ensures true; }}
spec module O {{ specvar Q : T set; proc o() ensures true; }}
--- s.scope
{scope}
--- m.fl
{code}
"
        ),
        expected,
    );
}

#[test]
fn duplicate_declarations() {
    check(
        r#"
--- m.sl
spec module M { specvar A : T set; specvar A : bool; format T; format T;
predicate @p() = true; predicate @p() = true; }
"#,
        expect![[r#"
            m.sl:1:44: duplicate-name: a second set or Boolean `A`
                m.sl:1:25: the first one
                help: give one of them another name, or remove it
            m.sl:1:71: duplicate-name: a second format `T`
                m.sl:1:61: the first one
                help: give one of them another name, or remove it
            m.sl:2:35: duplicate-name: a second predicate `p`
                m.sl:2:12: the first one
                help: give one of them another name, or remove it
        "#]],
    );
    check(
        r#"
--- m.sl
spec module M { proc p() ensures true; proc p() ensures true;
default d = true; default d = true; }
"#,
        expect![[r#"
            m.sl:1:45: duplicate-name: a second specification of procedure `p`
                m.sl:1:22: the first one
                help: give one of them another name, or remove it
            m.sl:2:27: duplicate-name: a second default `d`
                m.sl:2:9: the first one
                help: give one of them another name, or remove it
        "#]],
    );
    check(
        r#"
--- s.scope
scope C { modules M, M; }
scope C { modules N; }
--- m.sl
spec module M { }
spec module N { }
"#,
        expect![[r#"
            s.scope:1:22: duplicate-name: a second module in the list `M`
                s.scope:1:19: the first one
                help: give one of them another name, or remove it
            s.scope:2:7: duplicate-name: a second scope `C`
                s.scope:1:7: the first one
                help: give one of them another name, or remove it
        "#]],
    );
}

#[test]
fn agreement() {
    module(
        r#"
proc p(x : T) ensures true;
proc q(x : T) returns r : T ensures true;
proc s(x : T) ensures true;
private proc t() ensures true;
proc u() ensures true;
proc w(x : T) ensures true;
"#,
        r#"
proc p(y : T) { }
proc q(x : T) { }
proc s(x : int) { }
proc t() { }
proc v() { }
proc w() { }
"#,
        "",
        expect![[r#"
            m.sl:9:6: missing-implementation: procedure `u` has no implementation
                help: add it to the implementation of its module, or remove it here
            m.fl:4:6: specification-mismatch: procedure `p` does not agree with its specification: `y` is called `x` in the specification
                m.sl:5:6: the specification
                help: write the same formals, types and result in both
            m.fl:5:6: specification-mismatch: procedure `q` does not agree with its specification: of implementation and specification, one has a result and the other has none
                m.sl:6:6: the specification
                help: write the same formals, types and result in both
            m.fl:6:6: specification-mismatch: procedure `s` does not agree with its specification: `x` has type int here and T in the specification
                m.sl:7:6: the specification
                help: write the same formals, types and result in both
            m.fl:7:6: specification-mismatch: procedure `t` does not agree with its specification: the procedure is public here and private in its specification
                m.sl:8:14: the specification
                help: write the same formals, types and result in both
            m.fl:8:6: missing-specification (warning): procedure `v` has no specification: it is private
                help: add it to the specification of its module, or write `private`
            m.fl:9:6: specification-mismatch: procedure `w` does not agree with its specification: the procedure has 0 formals here and 1 in its specification
                m.sl:10:6: the specification
                help: write the same formals, types and result in both
        "#]],
    );
    module(
        "private proc h() ensures true;",
        r#"
private proc h() requires "on" { }
private proc k() requires "A = (B" modifies A, C ensures "A = r" { }
"#,
        "",
        expect![[r#"
            m.fl:4:28: misplaced-clause: procedure `h` has clauses here and in the specification
                help: write them in one of the two
            m.fl:5:34: syntax-error: expected `)` after the formula, but found the end
                help: a parenthesis is not closed, or an operator is missing
            m.fl:5:48: unknown-name: there is no set, Boolean or formal `C`
                help: there are: A, B, on
            m.fl:5:63: unknown-name: there is no set, Boolean or formal `r`
                help: there are: A, B, on
        "#]],
    );
    module(
        "proc p(x : T) ensures true;",
        r#"proc p(x : T) requires "x in A" { }"#,
        "",
        expect![[r#"
        m.fl:4:25: misplaced-clause: the public procedure `p` has clauses in its implementation
            help: write them in the specification; only private procedures have them here
    "#]],
    );
}

#[test]
fn formulas() {
    ensures(
        "A = B & on",
        expect![[r#"
        m.sl:5:60: type-mismatch: `&` joins conditions, but a set is expected here
            help: `&` and `|` bind tighter than `=`, `<=` and `in`: put each comparison in parentheses, as in `(a = b) & (c in d)`
    "#]],
    );
    ensures(
        "A = on",
        expect![[r#"
        m.sl:5:60: type-mismatch: `on` is a Boolean, but a set is expected here
            help: sets are compared with sets; Booleans are joined by `&`, `|` and `<=>`, as in `(A = B) & b`
    "#]],
    );
    ensures("on = (A = B)", expect![[""]]);
    ensures(
        "on = b & b",
        expect![[r#"
        m.sl:5:61: loose-comparison (warning): the comparison is of all that is joined by `&` and `|` here
            help: `&` and `|` bind tighter than `=`, `<=` and `in`: put each comparison in parentheses, as in `(a = b) & (c in d)`
    "#]],
    );
    ensures(
        "x in A & B",
        expect![[r#"
        m.sl:5:61: type-mismatch: `&` joins conditions, but a set is expected here
            help: sets are joined by `inter`; `&` and `|` bind tighter than `=`, `<=` and `in`: put each comparison in parentheses, as in `(a = b) & (c in d)`
    "#]],
    );
    ensures(
        "(A | B) = A",
        expect![[r#"
        m.sl:5:56: type-mismatch: `|` joins conditions, but a set is expected here
            help: sets are joined by `+`; `&` and `|` bind tighter than `=`, `<=` and `in`: put each comparison in parentheses, as in `(a = b) & (c in d)`
    "#]],
    );
    ensures(
        "A",
        expect![[r#"
        m.sl:5:56: type-mismatch: `A` is a set, but a condition is expected here
            help: compare it, as in `x in S` or `S != {}`, in parentheses
    "#]],
    );
    ensures(
        "{}",
        expect![[r#"
        m.sl:5:56: type-mismatch: `{}` is a set, but a condition is expected here
            help: compare it: `S = {}`
    "#]],
    );
    ensures(
        "A + B",
        expect![[r#"
        m.sl:5:56: type-mismatch: this is a set, but a condition is expected here
            help: compare it, as in `x in S`, in parentheses; conditions are joined by `&` and `|`
    "#]],
    );
    ensures(
        "card(on) = 1",
        expect![[r#"
        m.sl:5:61: type-mismatch: `on` is a Boolean, but a set is expected here
            help: sets are compared with sets; Booleans are joined by `&`, `|` and `<=>`, as in `(A = B) & b`
    "#]],
    );
    ensures(
        "n = n",
        expect![[r#"
        m.sl:5:56: type-mismatch: `n` is of type int
            help: formulas speak of sets, objects and Booleans: keep what matters in a Boolean
        m.sl:5:60: type-mismatch: `n` is of type int
            help: formulas speak of sets, objects and Booleans: keep what matters in a Boolean
    "#]],
    );
    ensures(
        "C = A",
        expect![[r#"
        m.sl:5:56: unknown-name: there is no set, Boolean or formal `C`
            help: there are: A, B, b, n, on, r, x
    "#]],
    );
    ensures(
        "N.A = A",
        expect![[r#"
        m.sl:5:56: unknown-module: there is no module `N`
            help: there are: M
    "#]],
    );
    ensures(
        "M.C = A",
        expect![[r#"
        m.sl:5:58: unknown-name: module `M` has no set or Boolean `C`
            help: there are: A, B, on
    "#]],
    );
    ensures(
        "a = A",
        expect![[r#"
        m.sl:5:56: unknown-name: there is no set, Boolean or formal `a`
            help: did you mean `A`?
    "#]],
    );
    ensures(
        "exists y : T. y in A",
        expect![[r#"
        m.sl:5:56: type-mismatch: this is a condition, but a set is expected here
            help: the body of a quantifier is one atom: put all of it in parentheses, as in `exists x : T. (x in S)`
    "#]],
    );
    ensures(
        "exists y : U. (y in A)",
        expect![[r#"
        m.sl:5:67: unknown-type: there is no type `U`
            help: there are: T
    "#]],
    );
    ensures(
        "exists y : T. (y' in A)",
        expect![[r#"
        m.sl:5:71: misplaced-prime: `y` is a variable of a quantifier: it has no prime
            help: remove the prime
    "#]],
    );
    ensures(
        "r = x",
        expect![[r#"
        m.sl:5:56: unprimed-result: the result `r` must be primed
            help: write `r'`: there is no result before the procedure ends
    "#]],
    );
    ensures("r' = x'", expect![[""]]);
    ensures(
        "disjoint(A, on)",
        expect![[r#"
        m.sl:5:68: type-mismatch: `on` is a Boolean, but a set is expected here
            help: sets are compared with sets; Booleans are joined by `&`, `|` and `<=>`, as in `(A = B) & b`
    "#]],
    );
    ensures(
        "@p(A)",
        expect![[r#"
        m.sl:5:57: unknown-name: there is no predicate `@p`
            help: declare it: `predicate @p(S) = B;`
    "#]],
    );
    ensures(
        "(A = B) => A",
        expect![[r#"
        m.sl:5:67: type-mismatch: `A` is a set, but a condition is expected here
            help: compare it, as in `x in S` or `S != {}`, in parentheses
    "#]],
    );
    ensures(
        "not A",
        expect![[r#"
        m.sl:5:60: type-mismatch: `A` is a set, but a condition is expected here
            help: compare it, as in `x in S` or `S != {}`, in parentheses
    "#]],
    );
    spec(
        "proc p(x : T) returns r : T requires (A' = A) & (r' = x) ensures true;",
        expect![[r#"
        m.sl:5:39: misplaced-prime: a precondition has no primes
            help: remove the prime: `requires` speaks of the state at the entry; primed names are of the exit
        m.sl:5:50: misplaced-prime: a precondition has no primes
            help: remove the prime: `requires` speaks of the state at the entry; primed names are of the exit
    "#]],
    );
    spec(
        "proc p(x : T) returns r : T requires r = x ensures true;",
        expect![[r#"
        m.sl:5:38: misplaced-result: a precondition cannot speak of the result `r`
            help: there is no result before the procedure ends
    "#]],
    );
    spec(
        "invariant A' = A;",
        expect![[r#"
        m.sl:5:11: misplaced-prime: an invariant or default has no primes
            help: remove the prime: it speaks of one state, and is primed where it is joined to an `ensures`
    "#]],
    );
    spec(
        r#"
predicate @p(s) = @q(s);
predicate @q(s) = @p(s);
predicate @two(s, t) = (s = t);
proc p() ensures @p(A);
proc q() requires @two'(A, B) ensures @two(A);
"#,
        expect![[r#"
            m.sl:6:20: cyclic-definition: predicate `@p` is defined by itself
                help: predicates are abbreviations: they cannot recur
            m.sl:9:19: misplaced-prime: a precondition has no primes
                help: remove the prime: `requires` speaks of the state at the entry; primed names are of the exit
            m.sl:9:39: wrong-arguments: predicate `@two` takes 2 arguments, but has 1 here
                help: give as many as its declaration has parameters
        "#]],
    );
    spec(
        r#"
proc p() modifies C, M.A ensures true;
proc q() suspends d calls N ensures true;
"#,
        expect![[r#"
            m.sl:5:19: unknown-name: there is no set, Boolean or formal `C`
                help: there are: A, B, on
            m.sl:6:19: unknown-name: there is no default `d`
                help: only what a `default` declares can be suspended
            m.sl:6:27: unknown-module: there is no module `N`
                help: there are: M
        "#]],
    );
    spec(
        r#"
default d : pre(proc p(U)) = on;
default e(n) = (n in A);
proc p(n : int) ensures true;
"#,
        expect![[r#"
            m.sl:5:24: unknown-type: there is no type `U`
                help: there are: T
            m.sl:6:17: type-mismatch: `n` is a Boolean, but a set is expected here
                help: the first parameter of a default stands for the clause: write `default d(f, x) = f & (x in S)`
        "#]],
    );
    check(
        r#"
--- m.sl
spec module M { specvar A : T set; proc p() ensures S = A; format T; }
spec module N { specvar S : T set; }
"#,
        expect![[r#"
            m.sl:1:53: unknown-name: there is no set, Boolean or formal `S`
                help: write `N.S`
        "#]],
    );
}

#[test]
fn scopes() {
    scope(
        "scope C { modules A, B; exports A, O, Z; }",
        "modifies S",
        "",
        expect![[r#"
        s.scope:1:36: bad-scope: scope `C` exports module `O`, which is not in it
            help: add it to the `modules` of the scope
        s.scope:1:39: unknown-module: there is no module `Z`
            help: there are: A, B, O
    "#]],
    );
    scope(
        "scope C { modules A, B; exports A; invariant A.S <= O.Q; invariant S = R'; }",
        "modifies S",
        "",
        expect![[r#"
            s.scope:1:53: foreign-invariant: this invariant speaks of `O.Q`, which is of another module
                help: others may change it at any time: put both modules into a scope and the invariant there
            s.scope:1:72: misplaced-prime: an invariant or default has no primes
                help: remove the prime: it speaks of one state, and is primed where it is joined to an `ensures`
        "#]],
    );
    scope("scope C { modules A, B; exports A; }", "requires B.R = S", "", expect![""]);
    scope("scope C { modules A, B; exports A; }", "modifies B.R", "", expect![""]);
    scope(
        "scope C { modules A, B; exports B; }",
        "modifies S",
        "impl module O { proc o() { A.a(); B.b(); } }",
        expect![[r#"
            m.fl:1:28: hidden-module: module `A` is hidden from `O` by a scope
                help: let the scope export `A`, or add `O` to the scope
            m.fl:1:35: omitted-modifies (warning): procedure `o` does not list what its callees modify: `B.R`
                m.sl:3:41: its contract
                help: write `modifies B.R`; it counts as changed
            m.fl:1:35: unlisted-call (warning): callee module `B` is not listed in the specification of `o`
                m.sl:3:41: its contract
                help: add `B` to `calls`
        "#]],
    );
    scope(
        "scope C { modules A, B; exports A; invariant A.S <= B.R; }",
        "modifies S",
        "impl module B { proc b() { A.a(); } }",
        expect![[r#"
            m.fl:1:28: reentrant-call: a call from inside of scope `C`, which has invariants, to `A`, which it exports
                help: the invariants need not hold here, but the callee counts on them: call a module that the scope keeps to itself
            m.fl:1:28: omitted-modifies: procedure `b` does not list what its callee `A.a` modifies: `A.S`
                m.sl:2:41: its contract
                help: write `modifies A.S`, beside what is listed there
        "#]],
    );
    scope("scope C { modules A, B; exports A; }", "", "impl module A { proc a() { B.b(); } }", expect![[""]]);
    scope(
        "scope C { modules A, B, O; exports A; }",
        "",
        r#"
impl module A { proc a() { B.b(); } }
impl module O { proc o() { A.a(); } }
"#,
        expect![[r#"
            m.fl:3:28: silent-change: `A.a` may change `B.R` without saying so, and module `O` knows that set
                help: a procedure that a scope exports need not list what is internal: call the internal module itself
        "#]],
    );
    scope(
        "scope C { modules A, B; exports A; }",
        "",
        r#"
impl module O { proc o() { A.a(); } }
impl module A { proc a() { B.b(); } }
"#,
        expect![[r#"
            m.fl:2:28: unlisted-call (warning): callee module `A` is not listed in the specification of `o`
                m.sl:3:41: its contract
                help: add `A` to `calls`
        "#]],
    );
    check(
        r#"
--- m.sl
spec module L { format T; specvar S : T set; }
spec module K = L;
scope C { modules L, K; exports K; }
spec module O { specvar Q : T set; invariant Q <= L.S; proc o() ensures L.S = Q; }
"#,
        expect![[r#"
            m.sl:3:33: bad-scope: scope `C` exports `K`, an instance of `L`
                help: an instance in a scope is private to it: remove it from the `exports`
            m.sl:4:53: hidden-name: `L.S` is hidden from module `O` by a scope (here and in 1 more place)
                help: let the scope export `L`, or add `O` to the scope
        "#]],
    );
    // A set of another module without its name: one cause, one message.
    check(
        r#"
--- m.sl
spec module Store { format T; specvar Stock : T set; }
spec module Front {
    proc buy(x : T) requires not (x in Stock) modifies Stock ensures Stock' = Stock + x;
    proc sell(x : T) requires x in Stock modifies Stock ensures Stock' = Stock - x;
}
"#,
        expect![[r#"
            m.sl:3:40: unknown-name: there is no set, Boolean or formal `Stock` (here and in 7 more places)
                help: write `Store.Stock`
        "#]],
    );
}

#[test]
fn effects() {
    check(
        r#"
--- m.sl
spec module A { format T; specvar S, R : T set; proc a() modifies S, R ensures true; }
spec module B { specvar Q : T set; proc b() modifies Q, A.S calls C ensures true;
proc c() modifies A.S, A.R, Q ensures true; }
spec module C { }
--- m.fl
impl module B {
proc b() { A.a(); h(); Console.print(""); }
proc c() { A.a(); h(); }
private proc h() modifies Q { } }
"#,
        expect![[r#"
            m.fl:2:12: omitted-modifies (warning): procedure `b` does not list what its callees modify: `A.R`
                m.sl:2:41: its contract
                help: write `modifies A.R`; it counts as changed
            m.fl:2:12: unlisted-call (warning): callee module `A` is not listed in the specification of `b`
                m.sl:2:41: its contract
                help: add `A` to `calls`
        "#]],
    );
    check(
        r#"
--- m.sl
spec module M { proc p() ensures true; }
--- m.al
abst module M { use plugin "flags"; }
--- m.fl
impl module M { proc p() { N.p(); } }
impl module N { proc p() { M.p(); } }
"#,
        expect![[r#"
            m.fl:1:28: missing-specification: module `N` has no specification
                help: what its procedures change is not known: load or write its `.sl` file
        "#]],
    );
}
