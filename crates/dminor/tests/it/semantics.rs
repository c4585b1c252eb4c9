//! Each row of the semantics of expressions (docs/dminor.md, "Semantics"), and each Error.

use crate::corpus::eval_with;
use dminor::interp::Options;
use expect_test::{Expect, expect};

/// One expression per line, each with what it evaluates to.
pub fn check(lines: &str, expected: Expect) {
    check_with(lines, &Options::default(), expected);
}

pub fn check_with(lines: &str, options: &Options, expected: Expect) {
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
