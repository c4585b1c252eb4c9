//! Which part of a value misses which clause of a type; and nothing is reported if and only if the value is in the type.

use crate::corpus;
use dminor::explain::misfits;
use dminor::generate::Generator;
use dminor::interp::{First, Interp, Options};
use dminor::json::{self, Data};
use expect_test::{Expect, expect};
use source::SourceMap;

const SHOP: &str = r#"
type Cents : Integer where value >= 0;
type Line : {sku: Text; price: Cents; quantity: (q: Integer where q > 0 && q < 100);};
type Order : {number: Integer; items: Line*; coupon: Text?;};
type Circle : {kind: {"circle"}; radius: Cents;};
type Square : {kind: {"square"}; side: Cents;};
type Shape : Circle | Square;
type Tree : {null} | {left: Tree; key: Integer; right: Tree;};
type Range : {low: Integer; high: Any;} where value.high in (h: Integer where h >= value.low);
type Odd : {a: (x: Any where x > 5);};
"#;

/// Each misfit with its place in the data and the clause it misses.
#[track_caller]
fn check(ty: &str, data: &str, expected: Expect) {
    let mut map = SourceMap::default();
    let file = map.add("shop.dm", SHOP);
    let mut program = dminor::load(SHOP, file).program.expect("a program");
    let type_file = map.add("type", ty);
    let (resolved, variables) = dminor::read_type(&mut program, ty, type_file).expect("a type");
    let data_file = map.add("data.json", data);
    let data = json::parse(data, data_file).expect("JSON");
    let found = misfits(&program, &Options::default(), &data, &resolved, &variables).expect("no limit");
    let mut out = String::new();
    for misfit in &found {
        let at = misfit.at.map(|s| map.start(s)).expect("a place");
        let clause = map.text(misfit.clause);
        out.push_str(&format!("{}:{}: {}\n    {clause}\n", at.line, at.column, misfit.message()));
    }
    expected.assert_eq(&out);
}

#[test]
fn parts_and_clauses() {
    check("Order", r#"{"number": 1, "items": [], "coupon": null}"#, expect![[""]]);
    check(
        "Order",
        "5",
        expect![[r#"
        1:1: value is 5, but must be an entity with `number`, `items`, `coupon`
            {number: Integer; items: Line*; coupon: Text?;}
    "#]],
    );
    check(
        "Order",
        r#"{"number": "1", "items": []}"#,
        expect![[r#"
        1:12: .number is "1", but must be an integer
            Integer
        1:1: value has no field `coupon`
            coupon
    "#]],
    );
    check(
        "Order",
        r#"{"number": 1, "coupon": 5, "items": [
  {"sku": "b", "price": 1, "quantity": 1},
  {"sku": "a", "price": -1, "quantity": 100},
  {"sku": null, "price": "12", "quantity": 0}]}"#,
        expect![[r#"
            3:25: .items[1].price is -1, for which a condition does not hold
                value >= 0
            3:41: .items[1].quantity is 100, for which a condition does not hold
                q < 100
            4:11: .items[2].sku is null, but must be a text
                Text
            4:26: .items[2].price is "12", but must be an integer
                Integer
            4:44: .items[2].quantity is 0, for which a condition does not hold
                q > 0
            1:25: .coupon is 5, but must be a text or null
                Text
        "#]],
    );
    check(
        "Order*",
        r#"[1, {"number": 1, "items": {}, "coupon": "x"}]"#,
        expect![[r#"
        1:2: [0] is 1, but must be an entity with `number`, `items`, `coupon`
            {number: Integer; items: Line*; coupon: Text?;}
        1:28: [1].items is the entity without fields, but must be a collection
            Line*
    "#]],
    );
}

#[test]
fn of_a_union_the_nearest_alternative() {
    check(
        "Shape",
        r#"{"kind": "square", "side": -3}"#,
        expect![[r#"
        1:28: .side is -3, for which a condition does not hold (nearest of 2 alternatives)
            value >= 0
    "#]],
    );
    check(
        "Shape",
        r#"{"kind": "circle", "side": 3}"#,
        expect![[r#"
            1:1: value has no field `radius` (nearest of 2 alternatives)
                radius
        "#]],
    );
    check(
        "Shape",
        r#"{"kind": "triangle", "side": 3}"#,
        expect![[r#"
        1:10: .kind is "triangle", but must be "square" (nearest of 2 alternatives)
            {"square"}
    "#]],
    );
    check(
        "Tree",
        r#"{"left": null, "key": 1, "right": {"left": null, "key": "x", "right": null}}"#,
        expect![[r#"
        1:57: .right.key is "x", but must be an integer (nearest of 2 alternatives)
            Integer
    "#]],
    );
}

#[test]
fn other_types() {
    check(
        "!{null}",
        "null",
        expect![[r#"
        1:1: value is null, which is excluded
            !{null}
    "#]],
    );
    check(
        "Empty",
        "1",
        expect![[r#"
        1:1: value is 1, but nothing is allowed here
            Empty
    "#]],
    );
    check(
        "{1} & Text",
        "2",
        expect![[r#"
        1:1: value is 2, but must be 1
            {1}
        1:1: value is 2, but must be a text
            Text
    "#]],
    );
    check(
        "Range",
        r#"{"low": 3, "high": 2}"#,
        expect![[r#"
        1:20: .high is 2, for which a condition does not hold
            h >= value.low
    "#]],
    );
    check(
        "Range",
        r#"{"low": 3, "high": "x"}"#,
        expect![[r#"
        1:20: .high is "x", but must be an integer
            Integer
    "#]],
    );
    check(
        "Odd",
        r#"{"a": "x"}"#,
        expect![[r#"
        1:1: value is {a => "x"}, and testing it goes wrong: `>` takes integers, but got a text "x"
            x
    "#]],
    );
    check(
        "Logical?",
        "3",
        expect![[r#"
            1:1: value is 3, but must be true or false or null
                Logical
        "#]],
    );
    check(
        "(c: Integer* where c.Count == 2)",
        "[1]",
        expect![[r#"
        1:1: value is {1}, for which a condition does not hold
            c.Count == 2
    "#]],
    );
}

#[test]
fn nothing_is_reported_of_what_fits() {
    let program = corpus::program(SHOP);
    let mut generator = Generator::new(&program, 3);
    let mut fitting = 0;
    for round in 0..2_000 {
        let named = &program.types[round % program.types.len()];
        let drawn = if round % 2 == 0 { generator.value(&named.definition, &named.variables) } else { None };
        let value = drawn.unwrap_or_else(|| generator.any(3));
        let told = misfits(&program, &Options::default(), &Data::of(&value), &named.definition, &named.variables);
        let told = told.expect("no limit");
        let is_in =
            Interp::new(&program, &Options::default(), &mut First).is_in(&value, &named.definition, &named.variables);
        assert_eq!(told.is_empty(), matches!(is_in, Ok(true)), "{}: {value}", named.name);
        fitting += usize::from(told.is_empty());
    }
    assert!(fitting > 800, "{fitting}");
}
