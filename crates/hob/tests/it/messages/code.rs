//! Code that has a meaning but a wrong one: names, types, results.

use super::{check, code};
use expect_test::expect;

#[test]
fn duplicate_declarations() {
    check(
        r#"
--- m.fl
impl module M { }
impl module M { }
"#,
        expect![[r#"
            m.fl:2:13: duplicate-name: a second implementation of module `M`
                m.fl:1:13: the first one
                help: give one of them another name, or leave out one of the files
        "#]],
    );
    check(
        r#"
--- m.fl
impl module M { format T { f : int; f : bool; } format T { g : int; }
reference v : int; reference v : T; proc p() { } proc p() { } }
"#,
        expect![[r#"
            m.fl:1:37: duplicate-name: a second field `f`
                m.fl:1:28: the first one
                help: give one of them another name, or remove it
            m.fl:1:56: duplicate-name: a second format `T`
                m.fl:1:24: the first one
                help: give one of them another name, or remove it
            m.fl:2:30: duplicate-name: a second variable `v`
                m.fl:2:11: the first one
                help: give one of them another name, or remove it
            m.fl:2:55: duplicate-name: a second procedure `p`
                m.fl:2:42: the first one
                help: give one of them another name, or remove it
        "#]],
    );
    code(
        "int n; T y; T y; { T y; } for (int i = 0; i < 3; i++) { int i; }",
        expect![[r#"
        m.fl:6:13: duplicate-name: a second variable `n`
            m.fl:5:19: the first one
            help: give one of them another name, or remove it
        m.fl:6:23: duplicate-name: a second variable `y`
            m.fl:6:18: the first one
            help: give one of them another name, or remove it
    "#]],
    );
    check(
        r#"
--- m.fl
impl module M { proc p(x : int; x : int) returns x : int { return 1; } }
"#,
        expect![[r#"
            m.fl:1:33: duplicate-name: a second formal `x`
                m.fl:1:24: the first one
                help: give one of them another name, or remove it
            m.fl:1:50: duplicate-name: a second formal `x`
                m.fl:1:24: the first one
                help: give one of them another name, or remove it
        "#]],
    );
}

#[test]
fn unknown_names() {
    code(
        "y = x;",
        expect![[r#"
        m.fl:6:9: unknown-name: there is no variable `y` here
            help: there are: items, n, on, s, w, x
    "#]],
    );
    code(
        "itens = null;",
        expect![[r#"
        m.fl:6:9: unknown-name: there is no variable `itens` here
            help: did you mean `items`?
    "#]],
    );
    code(
        "x.g = 1;",
        expect![[r#"
        m.fl:6:11: unknown-field: this module gives type `T` no field `g`
            help: there are: b, f, next
    "#]],
    );
    code(
        "Q.p();",
        expect![[r#"
            m.fl:6:9: unknown-module: there is no module `Q`
                help: load the files that declare it: its specification is enough
        "#]],
    );
    code(
        "q();",
        expect![[r#"
        m.fl:6:9: unknown-procedure: module `M` has no procedure `q`
            help: there are: p
    "#]],
    );
    code(
        "M.q();",
        expect![[r#"
        m.fl:6:11: unknown-procedure: module `M` has no procedure `q`
            help: there are: p
    "#]],
    );
    code(
        r#"Console.printn("");"#,
        expect![[r#"
            m.fl:6:17: unknown-procedure: `Console.printn` is not part of the library
                help: did you mean `print`?
        "#]],
    );
    code(
        r#"String.len("");"#,
        expect![[r#"
            m.fl:6:16: unknown-procedure: `String.len` is not part of the library
                help: the nearest name is `length`; see the documentation
        "#]],
    );
    code(
        r#"Graphics.draw();"#,
        expect![[r#"
            m.fl:6:18: unknown-procedure: `Graphics.draw` is not part of the library
                help: the nearest name is `draw_image`; see the documentation
        "#]],
    );
    code(
        r#"Consle.print("");"#,
        expect![[r#"
        m.fl:6:9: unknown-module: there is no module `Consle`
            help: did you mean `Console`?
    "#]],
    );
    code(
        "x.p();",
        expect![[r#"
        m.fl:6:9: unknown-module: there is no module `x`
            help: objects have no procedures: write `M.p(x)` with the module's name
    "#]],
    );
    code(
        "n = M.items;",
        expect![[r#"
        m.fl:6:9: read-only: writing to formal parameter `n`
            help: copy it first, as in `int y = n;`
        m.fl:6:13: unknown-name: there is no variable `M` here
            help: `M` is a module: its procedures are called as `M.p(…)`, its variables are its own
    "#]],
    );
    code(
        "U y;",
        expect![[r#"
        m.fl:6:9: unknown-type: there is no type `U`
            help: there are: T
    "#]],
    );
    code(
        "T y = new U();",
        expect![[r#"
        m.fl:6:19: unknown-type: there is no type `U`
            help: there are: T
    "#]],
    );
    check(
        r#"
--- m.fl
impl module M { format T { f : U; }
reference v : Tt;
proc p(x : int[][]) returns r : V { return null; } }
"#,
        expect![[r#"
            m.fl:1:32: unknown-type: there is no type `U`
                help: there are: T
            m.fl:2:15: unknown-type: there is no type `Tt`
                help: did you mean `T`?
            m.fl:3:33: unknown-type: there is no type `V`
                help: there are: T
        "#]],
    );
}

#[test]
fn types() {
    code(
        r#"n = 1; x = null; s = "";"#,
        expect![[r#"
        m.fl:6:9: read-only: writing to formal parameter `n`
            help: copy it first, as in `int y = n;`
        m.fl:6:16: read-only: writing to formal parameter `x`
            help: copy it first, as in `T y = x;`
        m.fl:6:26: read-only: writing to formal parameter `s`
            help: copy it first, as in `string y = s;`
    "#]],
    );
    code(
        "int i = 1.5;",
        expect![[r#"
        m.fl:6:17: type-mismatch: what is assigned has type float, but int is expected
            help: write `Math.toInt(e)` or `Math.round(e)`
    "#]],
    );
    code(
        "bool b = 1;",
        expect![[r#"
        m.fl:6:18: type-mismatch: what is assigned has type int, but bool is expected
            help: compare it, as in `e != 0`; a Boolean is `true` or `false`
    "#]],
    );
    code(
        "string t = null;",
        expect![[r#"
        m.fl:6:20: type-mismatch: what is assigned has type null, but string is expected
            help: strings are never null: write `""`
    "#]],
    );
    code(
        "T y = 3;",
        expect![[r#"
        m.fl:6:15: type-mismatch: what is assigned has type int, but T is expected
            help: give it another type, or take another value
    "#]],
    );
    code(
        "if (x) n();",
        expect![[r#"
        m.fl:6:13: type-mismatch: a condition has type T, but bool is expected
            help: compare it, as in `e != null`
        m.fl:6:16: unknown-procedure: module `M` has no procedure `n`
            help: there are: p
    "#]],
    );
    code(
        "while (n) { }",
        expect![[r#"
        m.fl:6:16: type-mismatch: a condition has type int, but bool is expected
            help: compare it, as in `e != 0`; a Boolean is `true` or `false`
    "#]],
    );
    code(
        "int i = n + on;",
        expect![[r#"
        m.fl:6:17: type-mismatch: `+` does not take int and bool
            help: `+` adds numbers, or joins a string and anything
    "#]],
    );
    code(
        "int i = x + 1;",
        expect![[r#"
        m.fl:6:17: type-mismatch: `+` does not take T and int
            help: `+` adds numbers, or joins a string and anything
    "#]],
    );
    code(
        "bool b = x == n;",
        expect![[r#"
        m.fl:6:18: type-mismatch: `==` does not take T and int
            help: both sides have the same type, or one is null
    "#]],
    );
    code(
        "bool b = s == null;",
        expect![[r#"
            m.fl:6:18: string-null (warning): a string is never null: this is always false
                help: compare with `""`
        "#]],
    );
    code(
        "bool b = on && n;",
        expect![[r#"
        m.fl:6:18: type-mismatch: `&&` does not take bool and int
            help: both sides are Booleans: compare what is none, as in `x != null`
    "#]],
    );
    code(
        "int i = on << 1;",
        expect![[r#"
        m.fl:6:17: type-mismatch: `<<` does not take bool and int
            help: both sides are ints
    "#]],
    );
    code(
        "bool b = s < s;",
        expect![[r#"
        m.fl:6:18: type-mismatch: `<` does not take string and string
            help: numbers and characters are ordered
    "#]],
    );
    code(
        "int i = on | 1;",
        expect![[r#"
        m.fl:6:17: type-mismatch: `|` does not take bool and int
            help: both sides are Booleans, or both are ints
    "#]],
    );
    code(
        "int i = n[0];",
        expect![[r#"
        m.fl:6:17: type-mismatch: a value of type int has no elements
            help: only arrays have elements `a[i]`
    "#]],
    );
    code(
        "T y = items[on];",
        expect![[r#"
        m.fl:6:21: type-mismatch: an index has type bool, but int is expected
            help: give it another type, or take another value
    "#]],
    );
    code(
        "int i = items.size;",
        expect![[r#"
        m.fl:6:23: type-mismatch: a value of type T[] has no field `size`
            help: an array has a `length` and elements `a[i]`
    "#]],
    );
    code(
        "items.length = 3;",
        expect![[r#"
        m.fl:6:9: read-only: the length of an array cannot be changed
            help: make a new array
    "#]],
    );
    code(
        "int i = s.length;",
        expect![[r#"
        m.fl:6:19: type-mismatch: a value of type string has no field `length`
            help: the length of a string is `Strings.length(s)`
    "#]],
    );
    code(
        "on++;",
        expect![[r#"
        m.fl:6:9: type-mismatch: a number is expected, but this has type bool
            help: `++` and `--` are for numbers
    "#]],
    );
    code(
        "int i = p(x, 1, s, 1);",
        expect![[r#"
        m.fl:6:17: type-mismatch: this call has no result
            help: only a procedure that `returns` something can be used in an expression
    "#]],
    );
    code(
        "p(x, 1);",
        expect![[r#"
        m.fl:6:9: wrong-arguments: procedure `M.p` takes 4 arguments, but has 2 here
            m.fl:5:10: it is declared here
            help: give one argument for each formal, separated by commas
    "#]],
    );
    code(
        "p(x, 1, 2, w);",
        expect![[r#"
        m.fl:6:17: type-mismatch: argument `s` has type int, but string is expected
            help: write `"" + e`
    "#]],
    );
    code(
        "Console.print(1);",
        expect![[r#"
        m.fl:6:23: type-mismatch: argument 1 has type int, but string is expected
            help: write `"" + e`
    "#]],
    );
    code(
        "Math.sqrt();",
        expect![[r#"
        m.fl:6:9: wrong-arguments: procedure `Math.sqrt` takes 1 argument, but has 0 here
            help: give one argument for each formal, separated by commas
    "#]],
    );
    code(
        "T y = new int();",
        expect![[r#"
        m.fl:6:15: type-mismatch: there are no objects of type int
            help: `new` makes objects of formats, and arrays
    "#]],
    );
    code(
        "T[] a = new T[1.5];",
        expect![[r#"
        m.fl:6:23: type-mismatch: a length has type float, but int is expected
            help: write `Math.toInt(e)` or `Math.round(e)`
    "#]],
    );
    code(
        "return 1;",
        expect![[r#"
        m.fl:6:16: type-mismatch: procedure `p` has no result, but one is returned here
            help: write `return;`, or declare the result: `returns r : T`
    "#]],
    );
    code(
        "byte b = 300;",
        expect![[r#"
            m.fl:6:18: type-mismatch: what is assigned has type int, but byte is expected
                help: a byte is a constant from -128 to 127 or another byte
        "#]],
    );
    code(
        r#"byte b = 200; int i = b; char c = "a"; float z = -b;"#,
        expect![[r#"
            m.fl:6:18: type-mismatch: what is assigned has type int, but byte is expected
                help: a byte is a constant from -128 to 127 or another byte
            m.fl:6:43: type-mismatch: what is assigned has type string, but char is expected
                help: a character goes in single quotes: 'a'
        "#]],
    );
    code(
        "havoc on;",
        expect![[r#"
        m.fl:6:15: bad-havoc: `on` is a variable of the module
            help: `havoc` is for variables of the procedure
    "#]],
    );
    code(
        "bool b = !n;",
        expect![[r#"
        m.fl:6:19: type-mismatch: the operand of `!` has type int, but bool is expected
            help: compare it, as in `e != 0`; a Boolean is `true` or `false`
    "#]],
    );
    code(
        "float z = -s;",
        expect![[r#"
        m.fl:6:20: type-mismatch: the operand of `-` has type string, but float is expected
            help: give it another type, or take another value
    "#]],
    );
    code(
        "T y = new U[3];",
        expect![[r#"
        m.fl:6:19: unknown-type: there is no type `U`
            help: there are: T
    "#]],
    );
    code(
        "float z = 1 + 2.5; z = n; w = z;",
        expect![[r#"
        m.fl:6:35: read-only: writing to formal parameter `w`
            help: copy it first, as in `float y = w;`
    "#]],
    );
}

#[test]
fn results() {
    check(
        r#"
--- m.fl
impl module M { proc p(n : int) returns r : int {
    if (n > 0) return 1;
} }
"#,
        expect![[r#"
            m.fl:3:1: missing-return: procedure `p` can end without a result
                help: add a `return` to every way through the procedure
        "#]],
    );
    check(
        r#"
--- m.fl
impl module M {
proc q(n : int) returns r : int { while (true) { } }
proc s(n : int) returns r : int { if (n > 1) { return 1; } else return 2; }
proc t() returns r : int { return; }
proc u() returns r : int { choice return 1; | { } }
proc v() returns r : int { r = 3; return r; }
proc w() returns r : int { for (;;) { } } }
"#,
        expect![[r#"
            m.fl:4:28: type-mismatch: procedure `t` has a result, but none is returned here
                help: write `return e;`
            m.fl:5:51: missing-return: procedure `u` can end without a result
                help: add a `return` to every way through the procedure
            m.fl:6:28: read-only: writing to return parameter `r`
                help: write `return e;` at the end
        "#]],
    );
}

#[test]
fn other_modules() {
    check(
        r#"
--- m.fl
impl module M { format T { f : int; } private proc h() { } proc q(x : T) { } }
impl module N { format T { g : int; }
proc p(x : T) { x.g = 1; M.q(x);
x.f = 1;
M.h(); } }
"#,
        expect![[r#"
            m.fl:4:3: unknown-field: field `f` of `T` belongs to module `M`
                help: only `M` can touch it: call one of its procedures
            m.fl:5:3: private-procedure: procedure `M.h` is private
                help: only its own module can call it: call one of its public procedures, or make it public
        "#]],
    );
}

#[test]
fn instances() {
    check(
        r#"
--- m.fl
impl module A = B;
impl module C = C;
impl module D = E;
impl module E = D;
"#,
        expect![[r#"
            m.fl:1:17: unknown-module: there is no implementation of module `B`
                help: there are: A, C, D, E
            m.fl:2:13: cyclic-instance: module `C` is an instance of itself
                help: an instance is made of a module that has members
            m.fl:3:13: cyclic-instance: module `D` is an instance of itself
                help: an instance is made of a module that has members
            m.fl:4:13: cyclic-instance: module `E` is an instance of itself
                help: an instance is made of a module that has members
        "#]],
    );
    check(
        r#"
--- m.fl
impl module L { format E { d : T; } format T { k : int; }
proc p(x : T) { x.j = 1; } }
impl module K = L with U <- V, T <- W, E <- Z;
"#,
        expect![[r#"
            m.fl:2:19: unknown-field: this module gives type `T` no field `j`
                help: there are: k
            m.fl:2:19: unknown-field: this module gives type `W` no field `j`
                help: there are: k
            m.fl:3:24: unused-type (warning): module `L` has no type `U` to replace
                help: there are: E, T
            m.fl:3:29: unknown-type: there is no type `V`
                help: there are: E, T, W, Z
        "#]],
    );
}
