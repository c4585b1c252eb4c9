//! What a user got wrong that the grammar allows: names, purity, recursion, one case per kind of mistake.

use crate::corpus;
use crate::diagnostics::{check, check_body};
use expect_test::expect;

#[test]
fn names() {
    check_body(
        "y",
        expect![[r#"
        2:1: unknown-variable: there is no variable `y` here
            help: there are: x
    "#]],
    );
    check(
        "f(count: Any) : Any { cuont }",
        expect![[r#"
        1:23: unknown-variable: there is no variable `cuont` here
            help: did you mean `count`?
    "#]],
    );
    check_body(
        "Integer",
        expect![[r#"
            2:1: unknown-variable: there is no variable `Integer` here
                help: `Integer` is a type: write it after `in`, and after `let x =` put such a test in parentheses; a collection type is `Integer*`
        "#]],
    );
    check_body(
        "f",
        expect![[r#"
        2:1: unknown-variable: there is no variable `f` here
            help: `f` is a function: write f(…)
    "#]],
    );
    check_body(
        "value",
        expect![[r#"
        2:1: unknown-variable: there is no variable `value` here
            help: `value` is known in `T where e` only, and not if the variable has a name: (x: T where e)
    "#]],
    );
    check_body(
        "rest",
        expect![[r#"
        2:1: unknown-variable: there is no variable `rest` here
            help: `rest`, the members not yet taken, is known in an `invariant` only
    "#]],
    );
    check_body(
        "g(x)",
        expect![[r#"
        2:1: unknown-function: there is no function `g`
            help: there are: f
    "#]],
    );
    check_body(
        "x(1)",
        expect![[r#"
        2:1: unknown-function: there is no function `x`
            help: `x` is a variable; functions cannot be passed on
    "#]],
    );
    check_body(
        "if (x) ",
        expect![[r#"
        2:1: unknown-function: there is no function `if`
            help: a condition is written `c ? a : b`
    "#]],
    );
    check_body(
        "f()",
        expect![[r#"
        2:1: wrong-arity: `f` takes 1 argument, but gets 0
            1:1: it is declared here
            help: pass one argument for each parameter
    "#]],
    );
    check_body(
        "f(x, x)",
        expect![[r#"
        2:1: wrong-arity: `f` takes 1 argument, but gets 2
            1:1: it is declared here
            help: pass one argument for each parameter
    "#]],
    );
    check(
        "type Order : {a: Odrer;};",
        expect![[r#"
        1:18: unknown-type: there is no type `Odrer`
            help: did you mean `Order`?
    "#]],
    );
    check(
        "type T : String | bool | int;",
        expect![[r#"
        1:10: unknown-type: there is no type `String`
            help: it is called `Text` here
        1:19: unknown-type: there is no type `bool`
            help: it is called `Logical` here
        1:26: unknown-type: there is no type `int`
            help: it is called `Integer` here
    "#]],
    );
    check(
        "f(x: Any) : x { x }",
        expect![[r#"
        1:13: unknown-type: there is no type `x`
            help: the type of the value of `x` alone is {x}
    "#]],
    );
    check(
        "f(x: {y}, y: Any) : Any { x }",
        expect![[r#"
        1:7: unknown-variable: there is no variable `y` here
            help: bind it by `let`, or make it a parameter
    "#]],
    );
    check_body(
        "(let y = 1 in y) + y",
        expect![[r#"
        2:20: unknown-variable: there is no variable `y` here
            help: there are: x
    "#]],
    );
    check_body(
        "(from y in x select y) ++ y",
        expect![[r#"
        2:27: unknown-variable: there is no variable `y` here
            help: there are: x
    "#]],
    );
    check_body(
        "from y in x let z = z accumulate y",
        expect![[r#"
        2:21: unknown-variable: there is no variable `z` here
            help: there are: x
    "#]],
    );
    check(
        "type T : (x: Integer where value > 0);",
        expect![[r#"
        1:28: unknown-variable: there is no variable `value` here
            help: `value` is known in `T where e` only, and not if the variable has a name: (x: T where e)
    "#]],
    );
}

#[test]
fn duplicates() {
    check(
        "type T : Any; type T : Text;",
        expect![[r#"
        1:20: duplicate-name: there are two types called `T`
            1:6: the first one
            help: give one of them another name: all modules of a file share their names
    "#]],
    );
    check(
        "module A { f() : Any { 1 } } module B { f() : Any { 2 } }",
        expect![[r#"
        1:41: duplicate-name: there are two functions called `f`
            1:12: the first one
            help: give one of them another name: all modules of a file share their names
    "#]],
    );
    check(
        "module A { } module A { }",
        expect![[r#"
        1:21: duplicate-name: there are two modules called `A`
            1:8: the first one
            help: give one of them another name: all modules of a file share their names
    "#]],
    );
    check(
        "type Integer : Text;",
        expect![[r#"
        1:6: duplicate-name: `Integer` is a type of the language
            help: give your type another name
    "#]],
    );
    check(
        "f(x: Any, x: Any) : Any { x }",
        expect![[r#"
        1:11: duplicate-name: there are two parameters called `x`
            1:3: the first one
            help: give one of them another name
    "#]],
    );
    check_body(
        "{a => 1, a => 2}",
        expect![[r#"
        2:10: duplicate-label: the label `a` occurs twice
            2:2: the first one
            help: remove one; both conditions on a field are written `T & U`
    "#]],
    );
    check(
        "type T : {a: Any; a: Text;};",
        expect![[r#"
        1:19: duplicate-label: the label `a` occurs twice
            1:11: the first one
            help: remove one; both conditions on a field are written `T & U`
    "#]],
    );
    check_body(
        "from y in x let y = 0 accumulate y",
        expect![[r#"
        2:17: duplicate-name: `y` is both the member and the accumulator
            2:6: the member
            help: give one another name
    "#]],
    );
}

#[test]
fn purity() {
    check(
        "g(x: Any) : Logical { true } type T : (x: Any where g(x));",
        expect![[r#"
        1:53: impure: a refinement may not call a function
            help: write the condition out, or name it as a type and test `x in T`
    "#]],
    );
    check(
        "g(x: Any) : Any { 1 } f(x: {g(1)}) : Any { x }",
        expect![[r#"
        1:29: impure: a singleton type may not call a function
            help: write the condition out, or name it as a type and test `x in T`
    "#]],
    );
    check(
        "g(x: Any) : Any { true } f(c: Any*) : Any { from x in c let y = 0 invariant g(y) accumulate y }",
        expect![[r#"
        1:77: impure: an invariant may not call a function
            help: write the condition out, or name it as a type and test `x in T`
    "#]],
    );
    check(
        "g(x: Any) : Any { true } f(x: Any) : Any { x in (y: Any where g(y)) }",
        expect![[r#"
        1:63: impure: a refinement may not call a function
            help: write the condition out, or name it as a type and test `x in T`
    "#]],
    );
}

#[test]
fn accumulates_in_refinements_are_obligations() {
    let program = corpus::program(
        "type T : (c: Integer* where (from x in c let s = 0 accumulate s + x) > 0);
         f(c: Integer*) : Integer { from x in c let s = 0 : Integer accumulate s + x }",
    );
    assert_eq!(program.obligations.len(), 1);
}

#[test]
fn recursion_that_does_not_end() {
    check(
        "type N : N;",
        expect![[r#"
        1:10: unguarded-type: `N` is defined by itself, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type N : Integer | N;",
        expect![[r#"
        1:20: unguarded-type: `N` is defined by itself, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type N : !N;",
        expect![[r#"
        1:11: unguarded-type: `N` is defined by itself, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type N : N?;",
        expect![[r#"
        1:10: unguarded-type: `N` is defined by itself, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type N : N & {a: N;};",
        expect![[r#"
        1:10: unguarded-type: `N` is defined by itself, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type N : N where true;",
        expect![[r#"
        1:10: unguarded-type: `N` is defined by itself, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type A : B | {1}; type B : !C; type C : A;",
        expect![[r#"
        1:10: unguarded-type: `A` is defined by itself through `B`, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
        1:29: unguarded-type: `B` is defined by itself through `C`, for the same value
            1:24: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
        1:41: unguarded-type: `C` is defined by itself through `A`, for the same value
            1:37: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type N : (x: Any where x in N);",
        expect![[r#"
        1:29: unguarded-type: `N` is defined by itself, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type N : (x: Any where !(x in N));",
        expect![[r#"
        1:31: unguarded-type: `N` is defined by itself, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type N : {a: (x: Any where {a => x} in N);};",
        expect![[r#"
            1:40: unguarded-type: `N` is defined by itself, for a value that is not a part of its own
                1:6: this type
                help: a recursive type may use itself below a field or for members: {next: N;}, N*
        "#]],
    );
    check(
        "type N : (x: {a: Any;} where 1 in N);",
        expect![[r#"
            1:35: unguarded-type: `N` is defined by itself, for a value that is not a part of its own
                1:6: this type
                help: a recursive type may use itself below a field or for members: {next: N;}, N*
        "#]],
    );
    check(
        "type N : (x: {a: Any;} where let y = x in y in N);",
        expect![[r#"
        1:48: unguarded-type: `N` is defined by itself, for the same value
            1:6: this type
            help: a recursive type may use itself below a field or for members: {next: N;}, N*
    "#]],
    );
    check(
        "type N : {(let y = 1 in y in N)};",
        expect![[r#"
            1:30: unguarded-type: `N` is defined by itself, for a value that is not a part of its own
                1:6: this type
                help: a recursive type may use itself below a field or for members: {next: N;}, N*
        "#]],
    );
    check(
        "type N : (x: {a: Any*;} where (from y in {x} where y in N select y) == {});",
        expect![[r#"
            1:57: unguarded-type: `N` is defined by itself, for a value that is not a part of its own
                1:6: this type
                help: a recursive type may use itself below a field or for members: {next: N;}, N*
        "#]],
    );
}

#[test]
fn recursion_that_ends() {
    for text in [
        "type N : {l: !N;};",
        "type N : N*;",
        "type N : {null} | {next: N;};",
        "type N : !(N*);",
        "type A : {b: B;} | {null}; type B : A | !A;",
        "type N : (x: {a: Any;} where x.a in N);",
        "type N : (x: {a: Any*;} where (from y in x.a where y in N select y) == x.a);",
        "type N : (x: {a: Any;} where let y = x.a in !(y in N));",
        "type M : {1}; type N : (x: Any where {x} in (M*));",
    ] {
        corpus::program(text);
    }
}
