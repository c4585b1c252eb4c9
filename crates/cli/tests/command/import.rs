//! `glassbox import json-schema`, and the story of `examples/dminor`.

use crate::{glassbox, root};
use expect_test::{Expect, expect};

fn check(arguments: &[&str], expected: Expect) {
    let ran = glassbox(arguments);
    expected.assert_eq(&format!("{}{}exit {}\n", ran.stdout, ran.stderr, ran.status));
}

#[test]
fn a_schema_is_imported() {
    check(
        &["import", "json-schema", "examples/dminor/orders.schema.json"],
        expect![[r#"
            // Imported from orders.schema.json (JSON Schema 2020-12).

            // What the shop hands over.
            type Orders : Order*;

            // Not carried: #/$defs/order/properties/placed/format: an annotation unless a validator is set up otherwise; the type is the same without it.
            type Order : {
              number: Integer where value >= 1;
              contact: (Text where value != "")?;
              lines: Line* where value.Count >= 1;
            }
              & (!{placed: Any;} | {placed: Text;});

            // Amounts are in cents; a discount is taken off the amount.
            type Line : {sku: Text; amount: Cents;} & (!{discount: Any;} | {discount: Cents;});

            type Cents : Integer where value >= 0;
            warning[not-carried]: not carried: #/$defs/order/properties/placed/format: an annotation unless a validator is set up otherwise
              --> examples/dminor/orders.schema.json:13:49
               |
            13 |         "placed": { "type": "string", "format": "date" },
               |                                                 ^^^^^^
               |
               = help: the type is the same without it

            exit 0
        "#]],
    );
}

#[test]
fn what_is_not_carried_is_told() {
    check(
        &["import", "json-schema", "crates/cli/tests/data/account.schema.json"],
        expect![[r#"
            // Imported from account.schema.json (JSON Schema 2020-12 or draft-07).
            // Numbers are integers: one with a fraction is in no type.

            //# wider: #/properties/iban/pattern: texts have no patterns
            //# narrower: #/properties/owner/not/maxLength: texts have no length; only 0 can be said
            type Account : {iban: Text;} & (!{balance: Any;} | {balance: Integer;}) & (!{owner: Any;} | {owner: !Text;});
            warning[not-carried]: not carried: #/properties/iban/pattern: texts have no patterns
             --> crates/cli/tests/data/account.schema.json:4:43
              |
            4 |     "iban": {"type": "string", "pattern": "^[A-Z]{2}[0-9]+$"},
              |                                           ^^^^^^^^^^^^^^^^^^
              |
              = help: the type has more values than the schema

            warning[not-carried]: not carried: #/properties/owner/not/maxLength: texts have no length; only 0 can be said
             --> crates/cli/tests/data/account.schema.json:6:54
              |
            6 |     "owner": {"not": {"type": "string", "maxLength": 20}}
              |                                                      ^^
              |
              = help: the type has fewer values than the schema

            note[integers-only]: numbers are integers here: one with a fraction is in no type
             --> crates/cli/tests/data/account.schema.json:5:25
              |
            5 |     "balance": {"type": "number", "multipleOf": 0.01},
              |                         ^^^^^^^^
              |
              = help: glassbox reads no data with fractions, nor 1.0; count in cents, say

            exit 0
        "#]],
    );
    check(
        &["import", "json-schema", "crates/cli/tests/data/account.schema.json", "--strict", "--name", "Bank"],
        expect![[r#"
            error[not-carried]: not carried: #/properties/iban/pattern: texts have no patterns
             --> crates/cli/tests/data/account.schema.json:4:43
              |
            4 |     "iban": {"type": "string", "pattern": "^[A-Z]{2}[0-9]+$"},
              |                                           ^^^^^^^^^^^^^^^^^^
              |
              = help: the type has more values than the schema

            error[not-carried]: not carried: #/properties/owner/not/maxLength: texts have no length; only 0 can be said
             --> crates/cli/tests/data/account.schema.json:6:54
              |
            6 |     "owner": {"not": {"type": "string", "maxLength": 20}}
              |                                                      ^^
              |
              = help: the type has fewer values than the schema

            note[integers-only]: numbers are integers here: one with a fraction is in no type
             --> crates/cli/tests/data/account.schema.json:5:25
              |
            5 |     "balance": {"type": "number", "multipleOf": 0.01},
              |                         ^^^^^^^^
              |
              = help: glassbox reads no data with fractions, nor 1.0; count in cents, say

            exit 2
        "#]],
    );
}

#[test]
fn bad_schemas() {
    check(
        &["import", "json-schema", "crates/cli/tests/data/bad.schema.json"],
        expect![[r##"
        error[bad-schema]: this is not a type of JSON Schema
         --> crates/cli/tests/data/bad.schema.json:2:11
          |
        2 |   "type": "objekt",
          |           ^^^^^^^^
          |
          = help: there are null, boolean, integer, number, string, array, object, and lists of them

        error[bad-schema]: `#/$defs/line` leads nowhere: there is no such place in the schema
         --> crates/cli/tests/data/bad.schema.json:4:21
          |
        4 |   "items": {"$ref": "#/$defs/line"}
          |                     ^^^^^^^^^^^^^^
          |
          = help: definitions are referred to as "#/$defs/name"

        error[bad-schema]: `required` must be a list of names
         --> crates/cli/tests/data/bad.schema.json:3:15
          |
        3 |   "required": "name",
          |               ^^^^^^
          |
          = help: write ["a", "b"]

        exit 2
    "##]],
    );
    check(
        &["import", "json-schema", "crates/cli/tests/data/circle.schema.json"],
        expect![[r##"
        error[unguarded-reference]: this schema refers to itself for the same value: #/$defs/node → #/$defs/other → #/$defs/node
         --> crates/cli/tests/data/circle.schema.json:5:34
          |
        5 |     "other": {"allOf": [{"$ref": "#/$defs/node"}]}
          |                                  ^^^^^^^^^^^^^^
          |
          = help: a recursive schema refers to itself below properties or items

        exit 2
    "##]],
    );
    check(
        &["import", "json-schema", "nowhere.json"],
        expect![[r#"
        error[missing-file]: there is no file `nowhere.json`
         |
         = help: paths are relative to the current folder

        exit 2
    "#]],
    );
    check(
        &["import", "xsd", "nowhere.xsd"],
        expect![[r#"
        error: invalid value 'xsd' for '<FORMAT>'
          [possible values: json-schema]

        For more information, try '--help'.
        exit 2
    "#]],
    );
}

/// The types of the example are what is imported today.
#[test]
fn the_example_has_the_imported_types() {
    let mut imported = String::new();
    for schema in ["orders", "invoices"] {
        let ran = glassbox(&["import", "json-schema", &format!("examples/dminor/{schema}.schema.json")]);
        imported.push_str(&ran.stdout);
        imported.push('\n');
    }
    for program in ["invoices", "invoices-bug"] {
        let path = root().join(format!("examples/dminor/{program}.dm"));
        let text = std::fs::read_to_string(path).expect("the example");
        assert!(text.starts_with(&imported), "{program}.dm should begin with\n{imported}");
    }
}

#[test]
fn the_example_runs() {
    let orders = "@examples/dminor/orders.json";
    check(
        &["validate", "examples/dminor/invoices.dm", "Orders", "examples/dminor/orders.json"],
        expect![[r#"
        valid
        exit 0
    "#]],
    );
    check(
        &["run", "examples/dminor/invoices-bug.dm", "invoices", orders],
        expect![[r#"
        error[no-field]: there is no field `discount` in {amount => 12000, sku => "desk"}
          --> examples/dminor/invoices-bug.dm:34:13
           |
        34 |   let off = l.discount in
           |             ^^^^^^^^^^
        ...
        39 |   from l in o.lines let sum = 0 : Cents accumulate sum + charge(l)
           |                                                          --------- called here
        ...
        47 |     total => total(o)
           |              -------- called here
        ...
        52 |   from o in orders select invoice(o)
           |                           ---------- called here

        exit 1
    "#]],
    );
    check(
        &["run", "examples/dminor/invoices.dm", "invoices", orders],
        expect![[r#"
        [{"order": 1, "positions": 2, "to": "Ada", "total": 4750}, {"order": 2, "positions": 1, "to": "the buyer", "total": 12000}]
        exit 0
    "#]],
    );
    let no_contact = r#"{"number": 2, "contact": null, "lines": [{"sku": "desk", "amount": 1, "discount": 0}]}"#;
    check(
        &["run", "examples/dminor/invoices-bug.dm", "invoice", no_contact],
        expect![[r#"
        error[ill-typed-result]: the result of `invoice` is not in its type: .to is null, but must be a text
          --> examples/dminor/invoices-bug.dm:26:7
           |
        26 |   to: Text where value != "";
           |       ^^^^ does not fit

        exit 1
    "#]],
    );
}
