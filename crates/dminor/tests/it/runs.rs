//! Type tests, calls, limits and orders of accumulates, as they run (docs/dminor.md, "Semantics").

use crate::corpus::{call, program, value};
use crate::semantics::{check, check_with};
use dminor::Value;
use dminor::interp::{Everywhere, First, Interp, Options, Random};
use expect_test::{Expect, expect};
use std::collections::BTreeSet;

#[test]
fn type_tests() {
    check(
        r#"
        1 in Any
        1 in Integer
        1 in Integer32
        1 in Text
        "a" in Text
        true in Logical
        null in Integer
        null in (Integer?)
        1 in (Integer?)
        1 in Empty
        {} in (Integer*)
        {1, "a"} in (Integer*)
        {1, "a"} in ((Integer | Text)*)
        {1} in {Integer*}
        1 in (Integer*)
        {a => 1, b => 2} in {a: Integer;}
        {a => "x"} in {a: Integer;}
        {b => 1} in {a: Any}
        1 in {a: Any;}
        1 in !Text
        1 in {1}
        2 in {1}
        {1, 2} in {{2, 1}}
        null in {null}
        3 in (x: Integer where x > 2)
        3 in (Integer where value > 3)
        1 in (Integer & (Integer where value < 2))
        1 in (Text | {1})
        {a => 1, b => 1} in ({a: Integer; b: Any;} where value.b in {value.a})
        "#,
        expect![[r#"
            1 in Any  =>  true
            1 in Integer  =>  true
            1 in Integer32  =>  true
            1 in Text  =>  false
            "a" in Text  =>  true
            true in Logical  =>  true
            null in Integer  =>  false
            null in (Integer?)  =>  true
            1 in (Integer?)  =>  true
            1 in Empty  =>  false
            {} in (Integer*)  =>  true
            {1, "a"} in (Integer*)  =>  false
            {1, "a"} in ((Integer | Text)*)  =>  true
            {1} in {Integer*}  =>  true
            1 in (Integer*)  =>  false
            {a => 1, b => 2} in {a: Integer;}  =>  true
            {a => "x"} in {a: Integer;}  =>  false
            {b => 1} in {a: Any}  =>  false
            1 in {a: Any;}  =>  false
            1 in !Text  =>  true
            1 in {1}  =>  true
            2 in {1}  =>  false
            {1, 2} in {{2, 1}}  =>  true
            null in {null}  =>  true
            3 in (x: Integer where x > 2)  =>  true
            3 in (Integer where value > 3)  =>  false
            1 in (Integer & (Integer where value < 2))  =>  true
            1 in (Text | {1})  =>  true
            {a => 1, b => 1} in ({a: Integer; b: Any;} where value.b in {value.a})  =>  true
        "#]],
    );
}

#[test]
fn a_refinement_runs_on_the_refined_type_only_unless_strict() {
    let lines = r#"
        "a" in (y: Integer where y > 5)
        4 in (x: Any where x > 5)
        "a" in (x: Any where x > 5)
        1 in (x: Integer where x)
        {"a"} in ((x: Integer where x > 5)*)
        {1, "a"} in ((x: Any where x > 5)*)
        "a" in (Integer & (x: Any where x > 5))
        "a" in (Text | (x: Any where x > 5))
        {a => "x"} in {a: (x: Any where x > 5); b: Any;}
        "a" in !(x: Any where x > 5)
        1 in {1 / 0}
        "#;
    check(
        lines,
        expect![[r#"
        "a" in (y: Integer where y > 5)  =>  false
        4 in (x: Any where x > 5)  =>  false
        "a" in (x: Any where x > 5)  =>  Error: `>` takes integers, but got a text "a"
        1 in (x: Integer where x)  =>  Error: the condition of a refinement is true or false, but this is an integer 1
        {"a"} in ((x: Integer where x > 5)*)  =>  false
        {1, "a"} in ((x: Any where x > 5)*)  =>  Error: `>` takes integers, but got a text "a"
        "a" in (Integer & (x: Any where x > 5))  =>  Error: `>` takes integers, but got a text "a"
        "a" in (Text | (x: Any where x > 5))  =>  Error: `>` takes integers, but got a text "a"
        {a => "x"} in {a: (x: Any where x > 5); b: Any;}  =>  Error: `>` takes integers, but got a text "x"
        "a" in !(x: Any where x > 5)  =>  Error: `>` takes integers, but got a text "a"
        1 in {1 / 0}  =>  Error: 1 is divided by 0
    "#]],
    );
    check_with(
        lines,
        &Options { strict_type_tests: true, ..Options::default() },
        expect![[r#"
        "a" in (y: Integer where y > 5)  =>  Error: `>` takes integers, but got a text "a"
        4 in (x: Any where x > 5)  =>  false
        "a" in (x: Any where x > 5)  =>  Error: `>` takes integers, but got a text "a"
        1 in (x: Integer where x)  =>  Error: the condition of a refinement is true or false, but this is an integer 1
        {"a"} in ((x: Integer where x > 5)*)  =>  Error: `>` takes integers, but got a text "a"
        {1, "a"} in ((x: Any where x > 5)*)  =>  Error: `>` takes integers, but got a text "a"
        "a" in (Integer & (x: Any where x > 5))  =>  Error: `>` takes integers, but got a text "a"
        "a" in (Text | (x: Any where x > 5))  =>  Error: `>` takes integers, but got a text "a"
        {a => "x"} in {a: (x: Any where x > 5); b: Any;}  =>  Error: `>` takes integers, but got a text "x"
        "a" in !(x: Any where x > 5)  =>  Error: `>` takes integers, but got a text "a"
        1 in {1 / 0}  =>  Error: 1 is divided by 0
    "#]],
    );
}

const CALLS: &str = r#"
type Tree : {left: Tree; right: Tree;} | {null};
type Odd : {next: Even;};
type Even : {next: Odd;} | {null};
type Other : {next: !Other;} | {null};
fact(n: Integer where value >= 0) : Integer { n <= 1 ? 1 : n * fact(n - 1) }
loop(n: Integer) : Empty { loop(n + 1) }
deep(n: Integer) : Integer { n <= 0 ? 0 : 1 + deep(n - 1) }
grow(c: Any*) : Any { grow(c ++ c) }
square(n: Integer) : Integer { square(n * n) }
nest(n: Integer, x: Any) : Any { n == 0 ? x : nest(n - 1, {x}) }
any(c: Any*) : Any { from x in c let y = null accumulate x }
between(low: Integer, high: Integer where value >= low, x: Integer where low <= value && value <= high) : (r: Integer where r == x - low) { x - low }
bad(x: Integer) : Text { x }
calls(x: Integer) : Integer { between(x, x, x) + between(0, x, 7) }
isTree(x: Any) : Logical { x in Tree }
isOdd(x: Any) : Logical { x in Odd }
isOther(x: Any) : Logical { x in Other }
"#;

fn check_calls(lines: &str, options: &Options, expected: Expect) {
    let program = program(CALLS);
    let mut out = String::new();
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (name, arguments) = line.split_once(' ').unwrap_or((line, "[]"));
        let dminor::json::Parts::Members(arguments) =
            dminor::json::parse(arguments, source::FileId(0)).expect("JSON").parts
        else {
            panic!("a list of arguments")
        };
        let arguments: Vec<Value> = arguments.into_iter().map(|a| a.value).collect();
        out.push_str(&format!("{line}  =>  {}\n", call(&program, name, &arguments, options)));
    }
    expected.assert_eq(&out);
}

#[test]
fn calls() {
    check_calls(
        r#"
        fact [30]
        fact ["a"]
        between [1, 5, 3]
        between [5, 1, 3]
        bad [1]
        calls [3]
        isTree [null]
        isTree [{"left": null, "right": {"left": null, "right": null}}]
        isTree [{"left": null, "right": {"left": null}}]
        isOdd [{"next": null}]
        isOdd [{"next": {"next": null}}]
        isOther [null]
        isOther [{"next": null}]
        isOther [{"next": {"next": null}}]
        isOther [{"next": {"next": {"next": 1}}}]
        "#,
        &Options::default(),
        expect![[r#"
            fact [30]  =>  265252859812191058636308480000000
            fact ["a"]  =>  Error: `<=` takes integers, but got a text "a"
            between [1, 5, 3]  =>  2
            between [5, 1, 3]  =>  -2
            bad [1]  =>  1
            calls [3]  =>  7
            isTree [null]  =>  true
            isTree [{"left": null, "right": {"left": null, "right": null}}]  =>  true
            isTree [{"left": null, "right": {"left": null}}]  =>  false
            isOdd [{"next": null}]  =>  true
            isOdd [{"next": {"next": null}}]  =>  false
            isOther [null]  =>  true
            isOther [{"next": null}]  =>  false
            isOther [{"next": {"next": null}}]  =>  true
            isOther [{"next": {"next": {"next": 1}}}]  =>  true
        "#]],
    );
    check_calls(
        r#"
        fact [3]
        fact [-1]
        between [1, 5, 3]
        between [5, 1, 3]
        between [1, 5, 7]
        bad [1]
        calls [3]
        calls [9]
        "#,
        &Options { contracts: true, ..Options::default() },
        expect![[r#"
            fact [3]  =>  6
            fact [-1]  =>  Error: the argument for `n` is not in its type: value is -1, for which a condition does not hold
            between [1, 5, 3]  =>  2
            between [5, 1, 3]  =>  Error: the argument for `high` is not in its type: value is 1, for which a condition does not hold
            between [1, 5, 7]  =>  Error: the argument for `x` is not in its type: value is 7, for which a condition does not hold
            bad [1]  =>  Error: the result of `bad` is not in its type: value is 1, but must be a text
            calls [3]  =>  Error: the argument for `x` is not in its type: value is 7, for which a condition does not hold
            calls [9]  =>  7
        "#]],
    );
}

#[test]
fn limits_are_not_errors() {
    check_calls(
        r#"
        deep [20000]
        loop [1]
        grow [[1]]
        square [3]
        nest [900, 1]
        nest [2000, 1]
        "#
        .replace("nest [900, 1]\n", "")
        .as_str(),
        &Options::default(),
        expect![[r#"
            deep [20000]  =>  20000
            loop [1]  =>  limit: Depth
            grow [[1]]  =>  limit: Size
            square [3]  =>  limit: Size
            nest [2000, 1]  =>  limit: Size
        "#]],
    );
    check_calls(
        "loop [1]\nfact [5]",
        &Options { fuel: Some(1000), ..Options::default() },
        expect![[r#"
        loop [1]  =>  limit: Fuel
        fact [5]  =>  120
    "#]],
    );
}

/// All results over all orders.
fn results(program: &dminor::Program, function: &str, arguments: &[Value]) -> BTreeSet<Value> {
    let id = program.function_called(function).expect("the function");
    let mut everywhere = Everywhere::default();
    let mut found = BTreeSet::new();
    loop {
        found.insert(Interp::new(program, &Options::default(), &mut everywhere).call(id, arguments).expect("a value"));
        if !everywhere.advance() {
            return found;
        }
    }
}

#[test]
fn accumulate_takes_any_order() {
    let program = program(
        "last(c: Any*) : Any { from x in c let y = null accumulate x }
         sum(c: Integer*) : Integer { from x in c let y = 0 accumulate x + y }
         chain(c: Integer*) : Integer { from x in c let y = 0 accumulate 10 * y + x }",
    );
    let c = value("[1, 2, 2, 3]");
    assert_eq!(results(&program, "last", std::slice::from_ref(&c)).len(), 3);
    assert_eq!(results(&program, "sum", std::slice::from_ref(&c)).len(), 1);
    // The distinct arrangements of a multiset: 4! / 2!
    assert_eq!(results(&program, "chain", std::slice::from_ref(&c)).len(), 12);
    let id = program.function_called("chain").expect("the function");
    let all = results(&program, "chain", std::slice::from_ref(&c));
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let result = Interp::new(&program, &Options::default(), &mut random).call(id, std::slice::from_ref(&c));
        seen.insert(result.expect("a value"));
    }
    assert_eq!(seen, all);
    let mut first = First;
    let result = Interp::new(&program, &Options::default(), &mut first).call(id, std::slice::from_ref(&c));
    assert_eq!(result.expect("a value"), Value::integer(1223));
}
