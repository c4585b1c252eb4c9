//! What a user got wrong is reported with its place, what is wrong and what to do: characters, tokens and grammar, one case per kind of
//! mistake.

use crate::corpus::render;
use expect_test::{Expect, expect};
use source::SourceMap;

/// All messages about a program.
#[track_caller]
pub fn check(text: &str, expected: Expect) {
    let mut map = SourceMap::default();
    let id = map.add("test.dm", text);
    let loaded = dminor::load(text, id);
    assert_eq!(loaded.program.is_none(), loaded.has_errors());
    expected.assert_eq(&render(&map, &loaded.diagnostics));
}

/// About the body of a function of `x`.
#[track_caller]
pub fn check_body(text: &str, expected: Expect) {
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
            2:1: bad-number: `1.5` is not an integer
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
            2:2: bad-escape: `\q` is not an escape of any character
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
            1:8: syntax-error: expected `:` after the name of the type, but found `=`
                help: a type is declared as `type Name : T;`
        "#]],
    );
    check(
        "type T : Integer\ntype U : Text;",
        expect![[r#"
            2:1: syntax-error: expected `;` after the type, but found `type`
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
            1:20: syntax-error: expected `}` after the body of the function, but found `;`
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
            2:3: syntax-error: expected `}` after the body of the function, but found `=`
                help: equality is written `==`; a field of an entity `label => value`
        "#]],
    );
    check_body(
        "x & 1",
        expect![[r#"
            2:3: syntax-error: expected `}` after the body of the function, but found `&`
                help: in an expression, write `&&`
        "#]],
    );
    check_body(
        "x | 1",
        expect![[r#"
            2:3: syntax-error: expected `}` after the body of the function, but found `|`
                help: in an expression, write `||`; a singleton type holds one expression
        "#]],
    );
    check_body(
        "if x then 1 else 2",
        expect![[r#"
            2:4: syntax-error: expected `}` after the body of the function, but found `x`
                help: a condition is written `c ? a : b`
        "#]],
    );
    check_body(
        "return x",
        expect![[r#"
            2:8: syntax-error: expected `}` after the body of the function, but found `x`
                help: the body of a function is an expression; there is no `return`
        "#]],
    );
    check_body(
        "x and x",
        expect![[r#"
            2:3: syntax-error: expected `}` after the body of the function, but found `and`
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
            3:1: syntax-error: expected `in` and an expression after `let`, but found `}`
                help: write `let x = e in e'`
        "#]],
    );
    check_body(
        "let y = x in Integer in y",
        expect![[r#"
            2:14: unknown-variable: there is no variable `Integer` here
                help: `Integer` is a type: write it after `in`, and after `let x =` put such a test in parentheses; a collection type is `Integer*`
            2:25: unknown-type: there is no type `y`
                help: the type of the value of `y` alone is {y}
        "#]],
    );
    check_body(
        "from y in x",
        expect![[r#"
            3:1: syntax-error: expected `select` (or `let … accumulate`) after `from`, but found `}`
                help: write `from x in c select e`, `from x in c where p select e` or `from x in c let y = e accumulate e'`
        "#]],
    );
    check_body(
        "from y in x where y > 0 let z = 0 accumulate z + y",
        expect![[r#"
            2:25: syntax-error: expected `select` after the condition of `from`, but found `let`
                help: `where` goes with `select`: an accumulate leaves members out by `let y = e accumulate p ? e' : y`
        "#]],
    );
    check_body(
        "from y x select y",
        expect![[r#"
            2:8: syntax-error: expected `in` after the variable, but found `x`
                help: write `from x in c select e`
        "#]],
    );
    check_body(
        "from y in x let z = 0 select y",
        expect![[r#"
            2:23: syntax-error: expected `accumulate` after the first value of the accumulator, but found `select`
                help: write `from x in c select e`, `from x in c where p select e` or `from x in c let y = e accumulate e'`
        "#]],
    );
    check_body(
        "1 + from y in x select y",
        expect![[r#"
            2:5: syntax-error: expected an operand, but found `from`
                help: as part of a larger expression, put it in parentheses
        "#]],
    );
    check_body(
        "{a: 1}",
        expect![[r#"
            2:3: syntax-error: expected `}` or `,` after a member of a collection, but found `:`
                help: a field of an entity is written `label => value`; put an ascription in parentheses: (e : T)
        "#]],
    );
    check_body(
        "{a = 1}",
        expect![[r#"
            2:4: syntax-error: expected `}` or `,` after a member of a collection, but found `=`
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
            2:7: syntax-error: expected `}` or `,` after a member of a collection, but found `=>`
                help: all parts of an entity have a label: {a => 1, b => 2}
        "#]],
    );
    check_body(
        "x in (Integer",
        expect![[r#"
            3:1: syntax-error: expected `)` after the type, but found `}`
                help: a parenthesis is not closed
        "#]],
    );
    check_body(
        "x in Integer*",
        expect![[r#"
            2:13: syntax-error: expected `}` after the body of the function, but found `*`
                help: after `in`, put such a type in parentheses: x in (Integer*)
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
                help: remove the comma, or write an expression after it
        "#]],
    );
    check_body(
        "(x",
        expect![[r#"
            3:1: syntax-error: expected `)` after the expression, but found `}`
                help: a parenthesis is not closed
        "#]],
    );
    check_body(
        "x : Integer + 1",
        expect![[r#"
            2:13: syntax-error: expected `}` after the body of the function, but found `+`
                help: look for a bracket, comma or operator too many or too few
        "#]],
    );
}

#[test]
fn types() {
    check(
        "type T : {a: Integer, b: Text};",
        expect![[r#"
            1:21: syntax-error: expected `;` or `}` after the type of the field, but found `,`
                help: fields of a type are separated by `;`: {a: Integer; b: Text;}
        "#]],
    );
    check(
        "type T : {a: Integer b: Text};",
        expect![[r#"
            1:22: syntax-error: expected `;` or `}` after the type of the field, but found `b`
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
            1:15: syntax-error: expected `}` after the expression of a singleton type, but found `|`
                help: in an expression, write `||`; a singleton type holds one expression
        "#]],
    );
    check(
        "type T : (x: Integer);",
        expect![[r#"
            1:21: syntax-error: expected `where` after the type of the variable, but found `)`
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
            2:23: syntax-error: expected `;` or `}` after the type of the field, but found `,`
                help: fields of a type are separated by `;`: {a: Integer; b: Text;}
            3:25: syntax-error: expected an expression, but found `}`
                help: an expression is missing here; there is no empty body
            4:12: unknown-type: there is no type `Strin`
                help: there are: Any, B, Empty, Integer, Integer32, Logical, Text
            5:29: unknown-variable: there is no variable `y` here
                help: there are: x
            6:16: syntax-error: expected `)` after the parameters, but found `:`
                help: close the parameters with `)` before the type of the result
            7:17: wrong-arity: `g` takes 1 argument, but gets 2
                5:3: it is declared here
                help: pass one argument for each parameter
        "#]],
    );
}
