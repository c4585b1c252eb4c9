//! Each row of the semantics (docs/dminor.md, "Semantics"), and each Error.

use crate::corpus::{call, eval_with, program, value};
use dminor::Value;
use dminor::interp::{Everywhere, First, Interp, Options, Random};
use expect_test::{Expect, expect};
use std::collections::BTreeSet;

/// One expression per line, each with what it evaluates to.
fn check(lines: &str, expected: Expect) {
    check_with(lines, &Options::default(), expected);
}

fn check_with(lines: &str, options: &Options, expected: Expect) {
    let mut out = String::new();
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        out.push_str(&format!("{line}  =>  {}\n", eval_with(line, options)));
    }
    expected.assert_eq(&out);
}

#[test]
fn constants_and_variables() {
    check(
        r#"
        1
        123456789012345678901234567890
        "a\"b\\\u00e4\n"
        true
        null
        let x = 1 in x
        let x = 1 in let x = 2 in x
        let x = 1 in (let x = 2 in x) + x
        "#,
        expect![[r#"
            1  =>  1
            123456789012345678901234567890  =>  123456789012345678901234567890
            "a\"b\\\u00e4\n"  =>  "a\"b\\ä\n"
            true  =>  true
            null  =>  null
            let x = 1 in x  =>  1
            let x = 1 in let x = 2 in x  =>  2
            let x = 1 in (let x = 2 in x) + x  =>  3
        "#]],
    );
}

#[test]
fn integers_are_unbounded() {
    check(
        r#"
        9223372036854775807 + 1
        -9223372036854775808 - 1
        99999999999999999999 * 99999999999999999999
        -5
        --5
        1 - -1
        let n = 3 in n-1
        1 + 2 * 3 - 4
        "#,
        expect![[r#"
            9223372036854775807 + 1  =>  9223372036854775808
            -9223372036854775808 - 1  =>  -9223372036854775809
            99999999999999999999 * 99999999999999999999  =>  9999999999999999999800000000000000000001
            -5  =>  -5
            --5  =>  5
            1 - -1  =>  2
            let n = 3 in n-1  =>  2
            1 + 2 * 3 - 4  =>  3
        "#]],
    );
}

#[test]
fn division_is_euclidean() {
    check(
        r#"
        7 / 2
        -7 / 2
        7 / -2
        -7 / -2
        6 / 3
        -6 / 3
        0 / 5
        1 / 0
        7 - 7 / 2 * 2
        "#,
        expect![[r#"
            7 / 2  =>  3
            -7 / 2  =>  -4
            7 / -2  =>  -3
            -7 / -2  =>  4
            6 / 3  =>  2
            -6 / 3  =>  -2
            0 / 5  =>  0
            1 / 0  =>  Error: 1 is divided by 0
            7 - 7 / 2 * 2  =>  1
        "#]],
    );
}

#[test]
fn operands_must_fit() {
    check(
        r#"
        1 + "a"
        null + 1
        true - 1
        {} * 2
        -"a"
        1 < "a"
        "a" > 1
        "a" <= "b"
        null >= 0
        !1
        1 && true
        true && 1
        null || true
        false || "x"
        1 :: 2
        {1} ++ 2
        2 ++ {1}
        5.Count
        {a => 1}.Count
        null.Count
        "#,
        expect![[r#"
            1 + "a"  =>  Error: `+` takes integers, but got a text "a"
            null + 1  =>  Error: `+` takes integers, but got null
            true - 1  =>  Error: `-` takes integers, but got a logical true
            {} * 2  =>  Error: `*` takes integers, but got a collection {}
            -"a"  =>  Error: `-` takes integers, but got a text "a"
            1 < "a"  =>  Error: `<` takes integers, but got a text "a"
            "a" > 1  =>  Error: `>` takes integers, but got a text "a"
            "a" <= "b"  =>  Error: `<=` takes integers, but got a text "a"
            null >= 0  =>  Error: `>=` takes integers, but got null
            !1  =>  Error: `!` takes logicals, but got an integer 1
            1 && true  =>  Error: `&&` takes logicals, but got an integer 1
            true && 1  =>  Error: `&&` takes logicals, but got an integer 1
            null || true  =>  Error: `||` takes logicals, but got null
            false || "x"  =>  Error: `||` takes logicals, but got a text "x"
            1 :: 2  =>  Error: `::` takes a collection on the right, but got an integer 2
            {1} ++ 2  =>  Error: `++` takes collections, but got an integer 2
            2 ++ {1}  =>  Error: `++` takes collections, but got an integer 2
            5.Count  =>  Error: `.Count` takes a collection, but got an integer 5
            {a => 1}.Count  =>  Error: `.Count` takes a collection, but got an entity {a => 1}
            null.Count  =>  Error: `.Count` takes a collection, but got null
        "#]],
    );
}

#[test]
fn equality_is_total_and_structural() {
    check(
        r#"
        1 == "1"
        null == {}
        {1, 2, 2} == {2, 1, 2}
        {1, 2} == {1, 2, 2}
        {a => 1, b => 2} == {b => 2, a => 1}
        {a => 1, b => 2} == {a => 1}
        {{1}, {}} == {{}, {1}}
        1 != 2
        {} != {}
        "#,
        expect![[r#"
            1 == "1"  =>  false
            null == {}  =>  false
            {1, 2, 2} == {2, 1, 2}  =>  true
            {1, 2} == {1, 2, 2}  =>  false
            {a => 1, b => 2} == {b => 2, a => 1}  =>  true
            {a => 1, b => 2} == {a => 1}  =>  false
            {{1}, {}} == {{}, {1}}  =>  true
            1 != 2  =>  true
            {} != {}  =>  false
        "#]],
    );
}

#[test]
fn connectives_stop_early_unless_strict() {
    let lines = r#"
        false && 1
        true || 1
        false && 1 / 0 == 1
        true && false
        true || false
        false || false
        "#;
    check(
        lines,
        expect![[r#"
        false && 1  =>  false
        true || 1  =>  true
        false && 1 / 0 == 1  =>  false
        true && false  =>  false
        true || false  =>  true
        false || false  =>  false
    "#]],
    );
    check_with(
        lines,
        &Options { strict_ops: true, ..Options::default() },
        expect![[r#"
        false && 1  =>  Error: `&&` takes logicals, but got an integer 1
        true || 1  =>  Error: `||` takes logicals, but got an integer 1
        false && 1 / 0 == 1  =>  Error: 1 is divided by 0
        true && false  =>  false
        true || false  =>  true
        false || false  =>  false
    "#]],
    );
}

#[test]
fn conditions() {
    check(
        r#"
        true ? 1 : 1 / 0
        false ? 1 / 0 : 2
        1 ? 2 : 3
        null ? 2 : 3
        1 < 2 ? "a" : "b"
        false ? 1 : true ? 2 : 3
        "#,
        expect![[r#"
            true ? 1 : 1 / 0  =>  1
            false ? 1 / 0 : 2  =>  2
            1 ? 2 : 3  =>  Error: a condition is true or false, but this is an integer 1
            null ? 2 : 3  =>  Error: a condition is true or false, but this is null
            1 < 2 ? "a" : "b"  =>  "a"
            false ? 1 : true ? 2 : 3  =>  2
        "#]],
    );
}

#[test]
fn entities() {
    check(
        r#"
        {a => 1, b => {c => "x"}}
        {a => 1, b => {c => "x"}}.b.c
        {a => 1}.b
        {a => null}.a
        5.a
        null.a
        {}.a
        {type => 1, in => 2}.type
        {"first name" => 1}."first name"
        {Count => 7}."Count"
        {a => 1 / 0}.b
        "#,
        expect![[r#"
            {a => 1, b => {c => "x"}}  =>  {"a": 1, "b": {"c": "x"}}
            {a => 1, b => {c => "x"}}.b.c  =>  "x"
            {a => 1}.b  =>  Error: there is no field `b` in {a => 1}
            {a => null}.a  =>  null
            5.a  =>  Error: `.a` is asked of an integer 5, which is not an entity
            null.a  =>  Error: `.a` is asked of null, which is not an entity
            {}.a  =>  Error: `.a` is asked of a collection {}, which is not an entity
            {type => 1, in => 2}.type  =>  1
            {"first name" => 1}."first name"  =>  1
            {Count => 7}."Count"  =>  7
            {a => 1 / 0}.b  =>  Error: 1 is divided by 0
        "#]],
    );
}

#[test]
fn collections() {
    check(
        r#"
        {}
        {3, 1, 2, 1}
        1 :: {2}
        1 :: 2 :: {}
        {} :: {}
        {1, 2} ++ {2, 3}
        {1} ++ {} ++ {2}
        {}.Count
        {1, 1, 2}.Count
        {1, 1 / 0}
        "#,
        expect![[r#"
            {}  =>  []
            {3, 1, 2, 1}  =>  [1, 1, 2, 3]
            1 :: {2}  =>  [1, 2]
            1 :: 2 :: {}  =>  [1, 2]
            {} :: {}  =>  [[]]
            {1, 2} ++ {2, 3}  =>  [1, 2, 2, 3]
            {1} ++ {} ++ {2}  =>  [1, 2]
            {}.Count  =>  0
            {1, 1, 2}.Count  =>  3
            {1, 1 / 0}  =>  Error: 1 is divided by 0
        "#]],
    );
}

#[test]
fn accumulate() {
    check(
        r#"
        from x in {} let y = 5 accumulate 1 / 0
        from x in {1, 2, 3} let y = 0 accumulate y + x
        from x in {2, 2, 3} let y = 1 accumulate y * x
        from x in 5 let y = 0 accumulate y
        from x in {1} let y = 1 / 0 accumulate y
        from x in {1, "a"} let y = 0 accumulate y + x
        from x in {1, null, 2} let y = {} accumulate x != null ? x :: y : y
        from x in {1, 2} let y = 0 : Integer invariant y >= 0 accumulate y + x
        "#,
        expect![[r#"
            from x in {} let y = 5 accumulate 1 / 0  =>  5
            from x in {1, 2, 3} let y = 0 accumulate y + x  =>  6
            from x in {2, 2, 3} let y = 1 accumulate y * x  =>  12
            from x in 5 let y = 0 accumulate y  =>  Error: `from` goes through a collection, but this is an integer 5
            from x in {1} let y = 1 / 0 accumulate y  =>  Error: 1 is divided by 0
            from x in {1, "a"} let y = 0 accumulate y + x  =>  Error: `+` takes integers, but got a text "a"
            from x in {1, null, 2} let y = {} accumulate x != null ? x :: y : y  =>  [1, 2]
            from x in {1, 2} let y = 0 : Integer invariant y >= 0 accumulate y + x  =>  3
        "#]],
    );
}

/// Whether the accumulator is updated in place must not show.
#[test]
fn accumulators_that_are_used_often() {
    check(
        r#"
        from x in {1, 2} let y = {0} accumulate y ++ y
        from x in {1, 2, 3} let y = {} accumulate y.Count > 1 ? y : x :: y
        from x in {1, 2} let y = {} accumulate x > 1 ? y : x :: y
        from x in {1, 2} let y = {} accumulate let z = y in x :: z ++ z
        from x in {1, 2} let y = {} accumulate from z in {1, 2} let w = y accumulate w ++ y
        from x in {1, 2} let y = {} accumulate from z in {x} let w = y accumulate z :: w
        from x in {1, 2} let y = {} accumulate x :: (from z in {1, 2} select y)
        from x in {1, 2} let y = {} accumulate x in (z: Integer where z > y.Count) ? x :: y : y
        from x in {1, 2} let y = {} accumulate (x :: y : (z: Any where z != y))
        let c = {1} in (from x in {2} let y = c accumulate x :: y) ++ c
        "#,
        expect![[r#"
            from x in {1, 2} let y = {0} accumulate y ++ y  =>  [0, 0, 0, 0]
            from x in {1, 2, 3} let y = {} accumulate y.Count > 1 ? y : x :: y  =>  [1, 2]
            from x in {1, 2} let y = {} accumulate x > 1 ? y : x :: y  =>  [1]
            from x in {1, 2} let y = {} accumulate let z = y in x :: z ++ z  =>  [1, 1, 2]
            from x in {1, 2} let y = {} accumulate from z in {1, 2} let w = y accumulate w ++ y  =>  []
            from x in {1, 2} let y = {} accumulate from z in {x} let w = y accumulate z :: w  =>  [1, 2]
            from x in {1, 2} let y = {} accumulate x :: (from z in {1, 2} select y)  =>  [2, [1, [], []], [1, [], []]]
            from x in {1, 2} let y = {} accumulate x in (z: Integer where z > y.Count) ? x :: y : y  =>  [1, 2]
            from x in {1, 2} let y = {} accumulate (x :: y : (z: Any where z != y))  =>  [1, 2]
            let c = {1} in (from x in {2} let y = c accumulate x :: y) ++ c  =>  [1, 1, 2]
        "#]],
    );
}

#[test]
fn queries() {
    check(
        r#"
        from x in {1, 2, 3} select x * x
        from x in {1, 2, 3} where x > 1 select {n => x}
        from x in {1, 1} select x
        from x in {} select 1 / 0
        from x in 5 select x
        from x in {1} where x select x
        from x in {1, "a"} where x > 0 select x
        from x in {{1, 2}, {3}} select (from y in x select y + 1)
        (from x in {1, 2, 3} where x > 1 select x).Count
        "#,
        expect![[r#"
            from x in {1, 2, 3} select x * x  =>  [1, 4, 9]
            from x in {1, 2, 3} where x > 1 select {n => x}  =>  [{"n": 2}, {"n": 3}]
            from x in {1, 1} select x  =>  [1, 1]
            from x in {} select 1 / 0  =>  []
            from x in 5 select x  =>  Error: `from` goes through a collection, but this is an integer 5
            from x in {1} where x select x  =>  Error: a condition is true or false, but this is an integer 1
            from x in {1, "a"} where x > 0 select x  =>  Error: `>` takes integers, but got a text "a"
            from x in {{1, 2}, {3}} select (from y in x select y + 1)  =>  [[2, 3], [4]]
            (from x in {1, 2, 3} where x > 1 select x).Count  =>  2
        "#]],
    );
}

#[test]
fn ascriptions_are_not_checked_by_the_semantics() {
    let lines = r#"
        (1 : Integer)
        (1 : Text)
        from x in {1, 2} let y = 0 : Text accumulate y + x
        from x in {1, 2} let y = 0 invariant y < 3 accumulate y + x
        from x in {1, 2} let y = 0 invariant rest.Count < 2 accumulate y + x
        "#;
    check(
        lines,
        expect![[r#"
        (1 : Integer)  =>  1
        (1 : Text)  =>  1
        from x in {1, 2} let y = 0 : Text accumulate y + x  =>  3
        from x in {1, 2} let y = 0 invariant y < 3 accumulate y + x  =>  3
        from x in {1, 2} let y = 0 invariant rest.Count < 2 accumulate y + x  =>  3
    "#]],
    );
    check_with(
        lines,
        &Options { contracts: true, ..Options::default() },
        expect![[r#"
        (1 : Integer)  =>  1
        (1 : Text)  =>  Error: the value is not in the type that is ascribed to it: value is 1, but must be a text
        from x in {1, 2} let y = 0 : Text accumulate y + x  =>  Error: the accumulator `y` is not in its type: value is 0, but must be a text
        from x in {1, 2} let y = 0 invariant y < 3 accumulate y + x  =>  Error: the invariant does not hold; `y` is 3
        from x in {1, 2} let y = 0 invariant rest.Count < 2 accumulate y + x  =>  Error: the invariant does not hold; `y` is 0
    "#]],
    );
}

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
fn limits_are_no_errors() {
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
