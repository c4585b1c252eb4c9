//! Texts that cannot be read: what is reported, where, and what to do.

use super::{check, code, module, spec};
use expect_test::expect;

#[test]
fn code_that_cannot_be_read() {
    code(
        "x.f = 1",
        expect![[r#"
        m.fl:7:5: syntax-error: expected `;` after the statement, but found `}`
            help: a statement ends with `;`
    "#]],
    );
    code(
        "if x == null { }",
        expect![[r#"
        m.fl:6:12: syntax-error: expected `(` after `if`, but found `x`
            help: a condition goes in parentheses
    "#]],
    );
    code(
        "int if = 3;",
        expect![[r#"
        m.fl:6:13: syntax-error: expected the name of the variable, but `if` is a word of the language
            help: a variable is declared as `T x = e;`
    "#]],
    );
    code(
        "n = m = 3;",
        expect![[r#"
        m.fl:6:15: syntax-error: expected `;`, but found `=`
            help: an assignment has no value: write two of them
    "#]],
    );
    code(
        "x.f + 1;",
        expect![[r#"
        m.fl:6:9: syntax-error: this expression has no effect
            help: a statement is an assignment, a call, `x++` or `x--`
    "#]],
    );
    code(
        "n += 1;",
        expect![[r#"
        m.fl:6:12: syntax-error: expected an expression, but found `=`
            help: write `x = x + 1`: there is no `+=` and its kin
    "#]],
    );
    code(
        "while (b) { break; }",
        expect![[r#"
        m.fl:6:21: syntax-error: this expression has no effect
            help: a loop ends by its condition, or by `return`: there is no `break` and no `continue`
    "#]],
    );
    code(
        "do { x.f = 1; } while (x.b);",
        expect![[r#"
        m.fl:6:9: syntax-error: there is no `do`
            help: a loop is written `while (…) { … }`
    "#]],
    );
    code(
        "x.f = x.b ? 1 : 2;",
        expect![[r#"
        m.fl:6:19: syntax-error: expected `;` after the statement, but found `?`
            help: there is no `c ? a : b`: write an `if`
    "#]],
    );
    code(
        "int größe = 1;",
        expect![[r#"
        m.fl:6:15: bad-character: `öß` is not part of the language
            help: names are made of the letters a to z, digits, `_` and `$`; other text goes in double quotes
    "#]],
    );
    code(
        "assert x in A;",
        expect![[r#"
        m.fl:6:16: syntax-error: expected a formula in quotes, but found `x`
            help: a formula goes in quotes: `assert "x' in S'";`
    "#]],
    );
    code(
        "(n + 1) = 3;",
        expect![[r#"
        m.fl:6:9: syntax-error: nothing can be assigned to this
            help: a variable, a field `x.f` or an element `a[i]` can; equality is written `==`
    "#]],
    );
    code(
        "while (true) { n++;",
        expect![[r#"
            m.fl:9:1: syntax-error: expected `}` after the members of the module, but found the end
                m.fl:1:15: this brace is not closed
                help: add the `}` that is missing, here or before; or there is a `{` too many
        "#]],
    );
    code(
        "T y = new T(3);",
        expect![[r#"
        m.fl:6:21: syntax-error: expected `)` after `(`: objects are made without arguments, but found `3`
            help: objects are made by `new T()`, arrays by `new T[n]`
    "#]],
    );
    code(
        "else n = 1;",
        expect![[r#"
        m.fl:6:9: syntax-error: expected a statement, but found `else`
            help: an `else` comes right after the statement of its `if`
    "#]],
    );
    code(
        "x.f() = 3;",
        expect![[r#"
        m.fl:6:9: syntax-error: nothing can be assigned to this
            help: a variable, a field `x.f` or an element `a[i]` can; equality is written `==`
    "#]],
    );
    code(
        "n = 3;; }",
        expect![[r#"
        m.fl:8:1: syntax-error: expected `impl` before a module, but found `}`
            help: a module is written `impl module M { … }`
    "#]],
    );
    check(
        r#"
--- m.fl
spec module M { }
"#,
        expect![[r#"
            m.fl:1:1: syntax-error: expected `impl module`, but found `spec`
                help: specifications belong in a `.sl` file, abstractions in a `.al` file
        "#]],
    );
    check(
        r#"
--- m.fl
impl module M { proc p() { return 1 +; } prc q() { } proc r() { x = ; } }
"#,
        expect![[r#"
            m.fl:1:38: syntax-error: expected an expression, but found `;`
                help: look for an operator or a comma too many
            m.fl:1:42: syntax-error: expected `format`, `reference`, `proc` or `private proc`, but found `prc`
                help: a module has formats, variables `reference x : T;` and procedures
            m.fl:1:69: syntax-error: expected an expression, but found `;`
                help: look for an operator or a comma too many
        "#]],
    );
    check(
        r#"
--- m.fl
impl module M = N with A B;
"#,
        expect![[r#"
            m.fl:1:26: syntax-error: expected `<` after the type to replace, but found `B`
                help: an instance is written `module M = N with A <- B;`
        "#]],
    );
    check(
        r#"
--- m.fl
impl module M { proc p(x : T, y) { } format T { f int; } var x; reference y : int; }
"#,
        expect![[r#"
            m.fl:1:32: syntax-error: expected `:` after the name of a formal, but found `)`
                help: formals are written `proc p(x : T; y : int)`
            m.fl:1:51: syntax-error: expected `:` after the name of a field, but found `int`
                help: a format is written `format T { f : int; next : T; }`
            m.fl:1:63: syntax-error: expected `:` after the name of the variable, but found `;`
                help: a variable of a module is written `reference x : T;`
        "#]],
    );
}

#[test]
fn characters_and_numbers() {
    code(
        r#"string t = "abc;"#,
        expect![[r#"
        m.fl:6:20: open-string: this text is not closed
            help: close it by a double quote
    "#]],
    );
    code(
        "char c = 'ab';",
        expect![[r#"
        m.fl:6:18: bad-character: a single quote begins a character such as 'a'
            help: write one character between single quotes; texts go in double quotes
    "#]],
    );
    code(
        "int i = 09 + 0xg + 12ab + 99999999999999999999;",
        expect![[r#"
        m.fl:6:17: bad-number: `09` is not a number
            help: a number with a leading 0 is octal: its digits are 0 to 7
        m.fl:6:22: bad-number: `0xg` is not a number
            help: digits of hexadecimal numbers are 0 to 9 and a to f, at most 7fffffffffffffff
        m.fl:6:28: bad-number: `12ab` is not a number
            help: names do not begin with a digit; a number ends before the next letter
        m.fl:6:35: bad-number: `99999999999999999999` is not a number
            help: the largest number is 9223372036854775807
    "#]],
    );
    code(
        "int i = 3 ≤ 4;",
        expect![[r#"
        m.fl:6:19: bad-character: `≤` is not part of the language
            help: write `<=`
    "#]],
    );
    code(
        r#"string t = "a\q";"#,
        expect![[r#"
        m.fl:6:22: bad-escape: `\q` does not stand for a character
            help: write `\n`, `\t`, `\r`, `\"`, `\'`, `\\` or a code such as `\u00e4`
    "#]],
    );
    check(
        r#"
--- m.fl
/* open
"#,
        expect![[r#"
            m.fl:1:1: open-comment: this comment is not closed
                help: close it by `*/`
        "#]],
    );
    check(
        r#"
--- m.sl
spec module M { invariant S ∪ T = ∅; }
"#,
        expect![[r#"
            m.sl:1:29: bad-character: `∪` is not part of the language
                help: write `+`
            m.sl:1:35: bad-character: `∅` is not part of the language
                help: write `{}`
        "#]],
    );
    check(
        r#"
--- m.fl
impl module M { reference é : int; }
"#,
        expect![[r#"
            m.fl:1:27: bad-character: `é` is not part of the language
                help: names are made of the letters a to z, digits, `_` and `$`; other text goes in double quotes
        "#]],
    );
}

#[test]
fn specifications_that_cannot_be_read() {
    spec(
        "proc p();",
        expect![[r#"
        m.sl:5:6: missing-ensures: procedure `p` has no `ensures`
            help: write `ensures true` if it promises nothing but what it leaves as it is
    "#]],
    );
    spec(
        "proc p() requires A = B & B = A ensures true;",
        expect![[r#"
        m.sl:5:29: syntax-error: this is a second comparison, without parentheses to say which comes first
            help: put each comparison and each implication in parentheses: `(a = b) & (c <= d)`
    "#]],
    );
    spec(
        "proc p() ensures A == B;",
        expect![[r#"
        m.sl:5:20: syntax-error: expected an operator, but found `==`
            help: sets are compared by `=`
    "#]],
    );
    spec(
        "proc p() ensures (A = B) && on;",
        expect![[r#"
        m.sl:5:26: syntax-error: expected an operator, but found `&&`
            help: in formulas `and` is written `&`
    "#]],
    );
    spec(
        "proc p() requires A /= B ensures true;",
        expect![[r#"
        m.sl:5:21: syntax-error: expected an operator, but found `/`
            help: in formulas `not equal` is written `!=`
    "#]],
    );
    spec(
        "proc p() ensures A' = A union B;",
        expect![[r#"
        m.sl:5:25: syntax-error: expected an operator, but found `union`
            help: in formulas the union is written `+`
    "#]],
    );
    spec(
        "proc p() ensures A' = A − B;",
        expect![[r#"
        m.sl:5:25: bad-character: `−` is not part of the language
            help: write `-`
    "#]],
    );
    spec(
        "proc p() ensures card(A) > 1;",
        expect![[r#"
        m.sl:5:26: syntax-error: expected `=`, `<=` or `>=` after `card(..)`, but found `>`
            help: the number of elements is compared with a number: `card(S) = 1`, `card(S) <= 1` or `card(S) >= 1`
    "#]],
    );
    spec(
        "proc p() ensures card(A) = 5000;",
        expect![[r#"
        m.sl:5:28: syntax-error: `5000` elements are too many
            help: numbers up to 1000 can be told apart
    "#]],
    );
    spec(
        "proc p() ensures {x} in A;",
        expect![[r#"
        m.sl:5:19: syntax-error: expected `}` after `{`, but found `x`
            help: the empty set is `{}`; an object stands for the set of itself: write `x` for `{x}`
    "#]],
    );
    spec(
        "proc p() ensures not (A = B;",
        expect![[r#"
        m.sl:5:28: syntax-error: expected `)` after the formula, but found `;`
            help: a parenthesis is not closed, or an operator is missing
    "#]],
    );
    spec(
        "proc p() modifies A modifies B ensures true;",
        expect![[r#"
        m.sl:5:21: syntax-error: a second `modifies` of the same procedure
            help: write one of them; conditions are joined by `&`, names by commas
    "#]],
    );
    spec("specvar C : T;", expect![""]);
    spec(
        "proc in() ensures true;",
        expect![[r#"
        m.sl:5:6: syntax-error: expected the name of the procedure, but `in` is a word of the language
            help: a procedure is written `proc p(x : T) returns r : U requires B modifies S ensures B;`
    "#]],
    );
    spec(
        "default d : pre(some) = on;",
        expect![[r#"
        m.sl:5:17: syntax-error: expected which procedures, but found `some`
            help: procedures are selected by `proc M*.p*()`, `public(module M*)`, `all(scope C)` or `*`, joined by `&&`, `||`, `-`, `not`
    "#]],
    );
    spec(
        "default d : pre(public(proc p)) = on;",
        expect![[r#"
        m.sl:5:24: syntax-error: expected `module` or `scope`, but found `proc`
            help: procedures are selected by `proc M*.p*()`, `public(module M*)`, `all(scope C)` or `*`, joined by `&&`, `||`, `-`, `not`
    "#]],
    );
    spec(
        "proc p() ensures A > B;",
        expect![[r#"
        m.sl:5:20: syntax-error: expected an operator, but found `>`
            help: sets are compared by `=`, `!=` and `<=`, numbers of elements by `card(S) >= 2`
    "#]],
    );
    spec(
        "proc p() ensures on || on;",
        expect![[r#"
        m.sl:5:21: syntax-error: expected an operator, but found `||`
            help: in formulas `or` is written `|`
    "#]],
    );
    spec(
        "proc p() ensures !on;",
        expect![[r#"
        m.sl:5:18: syntax-error: expected a formula, but found `!`
            help: in formulas `not` is written out
    "#]],
    );
    spec(
        "proc p() ensures A cap B = A;",
        expect![[r#"
        m.sl:5:20: syntax-error: expected an operator, but found `cap`
            help: in formulas the intersection is written `inter`
    "#]],
    );
    spec(
        r#"
proc p() ensures on on;
proc q() ensures;
"#,
        expect![[r#"
            m.sl:5:21: syntax-error: expected `;` after the procedure, but found `on`
                help: an operator is missing, or the `;`; clauses are suspends, requires, modifies, calls, ensures
            m.sl:6:17: syntax-error: expected a formula, but found `;`
                help: a formula is made of sets, `{}`, `true`, `card(S) = 1`, `disjoint(S, T)`, `not`, `exists` and `forall`
        "#]],
    );
    check(
        r#"
--- s.scope
scope C { module }
"#,
        expect![[r#"
            s.scope:1:18: syntax-error: expected the name of a module, but found `}`
                help: a scope is written `scope C { modules M, N; exports M; invariant B; }`
        "#]],
    );
    check(
        r#"
--- m.sl
impl module M { }
"#,
        expect![[r#"
            m.sl:1:1: syntax-error: expected `spec module`, `scope` or `default`, but found `impl`
                help: implementations belong in a `.fl` file, abstractions in a `.al` file
        "#]],
    );
}

#[test]
fn abstractions_that_cannot_be_read() {
    module(
        " ",
        "   ",
        r#"A = { x : T | "x.f = 1" };"#,
        expect![[r#"
        m.al:2:1: syntax-error: expected `use plugin`, but found `A`
            help: an abstraction is written `abst module M { use plugin "flags"; S = { x : T | "x.f = 1" }; }`
    "#]],
    );
    module(
        " ",
        "   ",
        "use plugin flags;",
        expect![[r#"
        m.al:2:12: syntax-error: expected the name of the plugin in quotes, but found `flags`
            help: write `use plugin "flags";`, or `use plugin "flags" for { … procs p, q; }`
    "#]],
    );
    module(
        " ",
        "   ",
        r#"use plugin "flags"; A = { x | "x.f = 1" };"#,
        expect![[r#"
        m.al:2:29: syntax-error: expected `:` after the variable, but found `|`
            help: a set is `{ x : T | "x.f = 1" }`, a name, or several of them joined by `+` and `cap`
    "#]],
    );
    module(
        " ",
        "   ",
        r#"use plugin "flags"; A = { x : T | "x.f == 1" }; B = { x : T | "x.f = 2 &" }; predvar on;"#,
        expect![[r#"
            m.al:2:40: syntax-error: expected an operator, but found `==`
                help: here equality is written `=`
            m.al:2:73: syntax-error: expected a variable, but found the end
                help: write such as `x.f = 1`, `root<next*>x` or `exists i : int. 0 <= i & i < size & a[i] = x`
        "#]],
    );
    module(
        " ",
        "   ",
        r#"use plugin "flags" A = B;"#,
        expect![[r#"
        m.al:2:20: syntax-error: expected `for` after the plugin, but found `A`
            help: write `use plugin "flags";`, or `use plugin "flags" for { … procs p, q; }`
    "#]],
    );
}
