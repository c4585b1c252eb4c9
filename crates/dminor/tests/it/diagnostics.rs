//! What a user got wrong is told with its place, what is wrong and what to do: one case per kind of mistake.

use crate::corpus::{self, render};
use expect_test::{Expect, expect};
use source::SourceMap;

/// All messages about a program.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let mut map = SourceMap::default();
    let id = map.add("test.dm", text);
    let loaded = dminor::load(text, id);
    assert_eq!(loaded.program.is_none(), loaded.has_errors());
    expected.assert_eq(&render(&map, &loaded.diagnostics));
}

/// About the body of a function of `x`.
#[track_caller]
fn check_body(text: &str, expected: Expect) {
    check(&format!("f(x: Any) : Any {{\n{text}\n}}"), expected);
}

#[test]
fn nothing_is_wrong() {
    check("type T : Integer; f(x: T) : T { x }", expect![[""]]);
    check("", expect![[""]]);
}

#[test]
fn characters() {
    check_body(
        "x ≤ 3",
        expect![[r#"
            2:3: bad-character: unexpected character `≤`
                help: write `<=`
        "#]],
    );
    check_body(
        "x % 3",
        expect![[r#"
            2:3: bad-character: unexpected character `%`
                help: write `a - a / b * b` for a remainder
        "#]],
    );
    check_body(
        "'a'",
        expect![[r#"
            2:1: bad-character: unexpected character `'`
                help: write texts in double quotes: "a text"
            2:2: unknown-variable: there is no variable `a` here
                help: there are: x
            2:3: bad-character: unexpected character `'`
                help: write texts in double quotes: "a text"
        "#]],
    );
    check_body(
        "ä",
        expect![[r#"
            2:1: bad-character: unexpected character `ä`
                help: names are made of the letters a to z, digits and `_`; put other text in double quotes
            3:1: syntax-error: expected an expression, but found `}`
                help: an expression is missing here; there is no empty body
        "#]],
    );
    check_body(
        "12ab",
        expect![[r#"
        2:1: bad-number: `12ab` is neither a number nor a name
            help: names do not begin with a digit; numbers are decimal, such as 42
    "#]],
    );
    check_body(
        "1.5",
        expect![[r#"
        2:1: bad-number: `1.5` is no integer
            help: numbers are integers of any size: count in cents, say
    "#]],
    );
    check_body(
        "\"abc",
        expect![[r#"
        2:1: endless-text: this text does not end
            help: end it with `"` on the same line; a new line in it is `\n`
    "#]],
    );
    check_body(
        "\"\\q\"",
        expect![[r#"
        2:2: bad-escape: `\q` stands for no character
            help: write `\"`, `\\`, `\n`, `\t`, or a code of four digits such as `\u00e4`
    "#]],
    );
    check(
        "/* f",
        expect![[r#"
        1:1: endless-comment: this comment does not end
            help: end it with `*/`; comments do not nest
    "#]],
    );
}

#[test]
fn declarations() {
    check(
        "type T = Integer;",
        expect![[r#"
        1:8: syntax-error: expected `:` behind the name of the type, but found `=`
            help: write `type Name : T;`
    "#]],
    );
    check(
        "type T : Integer\ntype U : Text;",
        expect![[r#"
        2:1: syntax-error: expected `;` behind the type, but found `type`
            help: a type declaration ends with `;`
    "#]],
    );
    check(
        "type : Integer;",
        expect![[r#"
            1:6: syntax-error: expected the name of the type, but found `:`
                help: a type is declared as `type Name : T;`
        "#]],
    );
    check(
        "type in : Integer;",
        expect![[r#"
        1:6: syntax-error: expected the name of the type, but `in` is a word of the language
            help: take another name
    "#]],
    );
    check(
        "f(x) : Any { x }",
        expect![[r#"
            1:4: syntax-error: expected `:` and the type of the parameter, but found `)`
                help: every parameter has a type: f(x: Integer, y: Any) : T { e }
        "#]],
    );
    check(
        "f(x: Any) { x }",
        expect![[r#"
            1:11: syntax-error: expected `:` and the type of the result, but found `{`
                help: every function has a type for its result: f(x: Integer) : T { e }
        "#]],
    );
    check(
        "f(x: Any) : Any x",
        expect![[r#"
            1:17: syntax-error: expected `{` before the body of the function, but found `x`
                help: the body of a function is an expression in braces: { e }
        "#]],
    );
    check(
        "f(x: Any) : Any { x; }",
        expect![[r#"
        1:20: syntax-error: expected `}` behind the body of the function, but found `;`
            help: expressions do not end with `;`; only type declarations and fields of types do
    "#]],
    );
    check(
        "f(x: Any) : Any { }",
        expect![[r#"
            1:19: syntax-error: expected an expression, but found `}`
                help: an expression is missing here; there is no empty body
        "#]],
    );
    check(
        "module M { f() : Any { 1 }",
        expect![[r#"
        1:1: syntax-error: this module does not end
            help: close it with `}`
    "#]],
    );
    check(
        "module { }",
        expect![[r#"
            1:1: syntax-error: this module does not end
                help: close it with `}`
            1:8: syntax-error: expected the name of the module, but found `{`
                help: a module is written `module Name { … }`
        "#]],
    );
    check(
        "x + 1",
        expect![[r#"
        1:1: syntax-error: expected a declaration, but found `x`
            help: a type is `type Name : T;`, a function `name(x: T) : U { e }`
    "#]],
    );
    check(
        "}",
        expect![[r#"
        1:1: syntax-error: expected a declaration, but found `}`
            help: a type is `type Name : T;`, a function `name(x: T) : U { e }`
    "#]],
    );
}

#[test]
fn expressions() {
    check_body(
        "x = 1",
        expect![[r#"
        2:3: syntax-error: expected `}` behind the body of the function, but found `=`
            help: equality is written `==`; a field of an entity `label => value`
    "#]],
    );
    check_body(
        "x & 1",
        expect![[r#"
        2:3: syntax-error: expected `}` behind the body of the function, but found `&`
            help: in an expression, write `&&`
    "#]],
    );
    check_body(
        "x | 1",
        expect![[r#"
        2:3: syntax-error: expected `}` behind the body of the function, but found `|`
            help: in an expression, write `||`; a singleton type holds one expression
    "#]],
    );
    check_body(
        "if x then 1 else 2",
        expect![[r#"
        2:4: syntax-error: expected `}` behind the body of the function, but found `x`
            help: a condition is written `c ? a : b`
    "#]],
    );
    check_body(
        "return x",
        expect![[r#"
        2:8: syntax-error: expected `}` behind the body of the function, but found `x`
            help: the body of a function is an expression; there is no `return`
    "#]],
    );
    check_body(
        "x and x",
        expect![[r#"
        2:3: syntax-error: expected `}` behind the body of the function, but found `and`
            help: write `&&`, `||` and `!`
    "#]],
    );
    check_body(
        "x ? 1",
        expect![[r#"
            3:1: syntax-error: expected `:` and the other case of `?`, but found `}`
                help: a condition has two cases: c ? a : b
        "#]],
    );
    check_body(
        "let y = 1",
        expect![[r#"
            3:1: syntax-error: expected `in` and an expression behind `let`, but found `}`
                help: write `let x = e in e'`
        "#]],
    );
    check_body(
        "let y = x in Integer in y",
        expect![[r#"
            2:14: unknown-variable: there is no variable `Integer` here
                help: `Integer` is a type: it stands behind `in`, and behind `let x =` such a test is put in parentheses; a collection type is `Integer*`
            2:25: unknown-type: there is no type `y`
                help: the type of the value of `y` alone is {y}
        "#]],
    );
    check_body(
        "from y in x",
        expect![[r#"
            3:1: syntax-error: expected `select` (or `let … accumulate`) behind `from`, but found `}`
                help: write `from x in c select e`, `from x in c where p select e` or `from x in c let y = e accumulate e'`
        "#]],
    );
    check_body(
        "from y x select y",
        expect![[r#"
            2:8: syntax-error: expected `in` behind the variable, but found `x`
                help: write `from x in c select e`
        "#]],
    );
    check_body(
        "from y in x let z = 0 select y",
        expect![[r#"
            2:23: syntax-error: expected `accumulate` behind the first value of the accumulator, but found `select`
                help: write `from x in c select e`, `from x in c where p select e` or `from x in c let y = e accumulate e'`
        "#]],
    );
    check_body(
        "1 + from y in x select y",
        expect![[r#"
        2:5: syntax-error: expected an operand, but found `from`
            help: as part of a larger expression it stands in parentheses
    "#]],
    );
    check_body(
        "{a: 1}",
        expect![[r#"
        2:3: syntax-error: expected `}` or `,` behind a member of a collection, but found `:`
            help: a field of an entity is written `label => value`; an ascription stands in parentheses: (e : T)
    "#]],
    );
    check_body(
        "{a = 1}",
        expect![[r#"
        2:4: syntax-error: expected `}` or `,` behind a member of a collection, but found `=`
            help: equality is written `==`; a field of an entity `label => value`
    "#]],
    );
    check_body(
        "{a => 1, 2}",
        expect![[r#"
            2:10: syntax-error: expected a label, but found `2`
                help: in an entity every part has a label: {a => 1}; collections have no positions
        "#]],
    );
    check_body(
        "{1, a => 2}",
        expect![[r#"
        2:7: syntax-error: expected `}` or `,` behind a member of a collection, but found `=>`
            help: all parts of an entity have a label: {a => 1, b => 2}
    "#]],
    );
    check_body(
        "x in (Integer",
        expect![[r#"
            3:1: syntax-error: expected `)` behind the type, but found `}`
                help: a parenthesis is not closed
        "#]],
    );
    check_body(
        "x in Integer*",
        expect![[r#"
        2:13: syntax-error: expected `}` behind the body of the function, but found `*`
            help: behind `in` put such a type in parentheses: x in (Integer*)
    "#]],
    );
    check_body(
        "x.1",
        expect![[r#"
            2:3: syntax-error: expected a label, but found `1`
                help: in an entity every part has a label: {a => 1}; collections have no positions
        "#]],
    );
    check_body(
        "f(1, )",
        expect![[r#"
            2:6: syntax-error: expected an expression, but found `)`
                help: remove the comma, or write an expression behind it
        "#]],
    );
    check_body(
        "(x",
        expect![[r#"
            3:1: syntax-error: expected `)` behind the expression, but found `}`
                help: a parenthesis is not closed
        "#]],
    );
    check_body(
        "x : Integer + 1",
        expect![[r#"
        2:13: syntax-error: expected `}` behind the body of the function, but found `+`
            help: look for a bracket, comma or operator too many or too few
    "#]],
    );
}

#[test]
fn types() {
    check(
        "type T : {a: Integer, b: Text};",
        expect![[r#"
        1:21: syntax-error: expected `;` or `}` behind the type of the field, but found `,`
            help: fields of a type are separated by `;`: {a: Integer; b: Text;}
    "#]],
    );
    check(
        "type T : {a: Integer b: Text};",
        expect![[r#"
        1:22: syntax-error: expected `;` or `}` behind the type of the field, but found `b`
            help: a type declaration ends with `;`
    "#]],
    );
    check(
        "type T : {};",
        expect![[r#"
        1:11: syntax-error: expected the fields of an entity, or an expression, but found `}`
            help: the type of the empty collection is {{}}, of all entities with a field `a` {a: Any;}
    "#]],
    );
    check(
        "type T : null;",
        expect![[r#"
        1:10: syntax-error: expected a type, but found `null`
            help: the type of one value alone is written in braces: {null}
    "#]],
    );
    check(
        "type T : \"a\" | \"b\";",
        expect![[r#"
        1:10: syntax-error: expected a type, but found a text
            help: the type of one value alone is written in braces: {null}
    "#]],
    );
    check(
        "type T : {\"a\" | \"b\"};",
        expect![[r#"
        1:15: syntax-error: expected `}` behind the expression of a singleton type, but found `|`
            help: in an expression, write `||`; a singleton type holds one expression
    "#]],
    );
    check(
        "type T : (x: Integer);",
        expect![[r#"
            1:21: syntax-error: expected `where` behind the type of the variable, but found `)`
                help: write `(x: T where e)`, or the type alone in parentheses
        "#]],
    );
    check(
        "type T : Integer[];",
        expect![[r#"
            1:17: bad-character: unexpected character `[`
                help: write braces: a collection is `{1, 2}`, its type `Integer*`
            1:18: bad-character: unexpected character `]`
                help: write braces: a collection is `{1, 2}`, its type `Integer*`
        "#]],
    );
    check(
        "type T : Integer where ;",
        expect![[r#"
        1:24: syntax-error: expected an expression, but found `;`
            help: expressions do not end with `;`; only type declarations and fields of types do
    "#]],
    );
}

#[test]
fn several_mistakes_in_one_run() {
    check(
        "module M {
  type A : {a: Integer, b: Text};
  f(x: Any) : Any { x + }
  type B : Strin;
  g(x: Integer) : Integer { y }
  h(x: Integer : Integer { x }
  k(x: A) : B { g(x, x) }
}",
        expect![[r#"
            2:23: syntax-error: expected `;` or `}` behind the type of the field, but found `,`
                help: fields of a type are separated by `;`: {a: Integer; b: Text;}
            3:25: syntax-error: expected an expression, but found `}`
                help: an expression is missing here; there is no empty body
            4:12: unknown-type: there is no type `Strin`
                help: there are: Any, B, Empty, Integer, Integer32, Logical, Text
            5:29: unknown-variable: there is no variable `y` here
                help: there are: x
            6:16: syntax-error: expected `)` behind the parameters, but found `:`
                help: an ascription stands in parentheses: (e : T)
            7:17: wrong-arity: `g` takes 1 argument, but gets 2
                5:3: it is declared here
                help: pass one argument for each parameter
        "#]],
    );
}

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
                help: `Integer` is a type: it stands behind `in`, and behind `let x =` such a test is put in parentheses; a collection type is `Integer*`
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
