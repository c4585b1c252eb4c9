//! Dminor programs: run, validate, check, inhabit, subtype.

use crate::{glassbox, redacted};
use expect_test::{Expect, expect};

const SHOP: &str = "crates/cli/tests/data/shop.dm";
const ORDER: &str = "@crates/cli/tests/data/order.json";

/// `$` is the shop, `@` its order.
fn check(arguments: &[&str], expected: Expect) {
    let arguments: Vec<&str> = arguments
        .iter()
        .map(|a| match *a {
            "$" => SHOP,
            "@" => ORDER,
            other => other,
        })
        .collect();
    let ran = glassbox(&arguments);
    expected.assert_eq(&format!("{}{}exit {}\n", untimed(&ran.stdout), ran.stderr, ran.status));
}

#[test]
fn a_function_is_run() {
    check(
        &["run", "$", "total", "@"],
        expect![[r#"
        503
        exit 0
    "#]],
    );
    check(
        &["run", "$", "power", "-3", "41"],
        expect![[r#"
        -36472996377170786403
        exit 0
    "#]],
    );
    check(
        &["run", "$", "power", "2", "10", "--json"],
        expect![[r#"
            {
              "tool": "glassbox",
              "version": "0.1.0",
              "schema": 2,
              "command": "run",
              "exit_status": 0,
              "outcome": "value",
              "value": "1024",
              "misfits": [],
              "ran": null,
              "warnings": [],
              "warnings_left_out": 0,
              "errors": [],
              "errors_left_out": 0
            }
            exit 0
        "#]],
    );
    check(
        &["run", "$", "any", "[1, 2, 3]"],
        expect![[r#"
        3
        exit 0
    "#]],
    );
    check(
        &["run", "$", "any", "[1, 2, 3]", "--seed", "1"],
        expect![[r#"
            2
            exit 0
        "#]],
    );
    check(
        &["run", "$", "promise", "null"],
        expect![[r#"
        null
        exit 0
    "#]],
    );
}

#[test]
fn a_run_goes_wrong() {
    check(
        &["run", "$", "mean", r#"{"number": 1, "lines": [], "coupon": null}"#],
        expect![[r#"
        error[division-by-zero]: 0 is divided by 0
         --> crates/cli/tests/data/shop.dm:8:37
          |
        8 | mean(o: Order) : Cents { total(o) / o.lines.Count }
          |                                     ^^^^^^^^^^^^^

        exit 1
    "#]],
    );
    check(
        &["run", "$", "price", "@"],
        expect![[r#"
        error[ill-typed-result]: the result of `price` is not in its type: value is -503, for which a condition does not hold
         --> crates/cli/tests/data/shop.dm:1:28
          |
        1 | type Cents : Integer where value >= 0;
          |                            ^^^^^^^^^^ does not hold

        exit 1
    "#]],
    );
    check(
        &["run", "$", "promise", "null", "--contracts"],
        expect![[r#"
            error[broken-contract]: the value is not in the type that is ascribed to it: value is null, but must be an integer
              --> crates/cli/tests/data/shop.dm:13:30
               |
            13 | promise(x: Any) : Any { (x : Integer) }
               |                         -----^^^^^^^-
               |                         |    |
               |                         |    does not fit
               |                         this value

            exit 1
        "#]],
    );
    check(
        &["run", "$", "forever", "1", "--max-steps", "1000"],
        expect![[r#"
        error[out-of-fuel]: the run was given up: too many steps
          --> crates/cli/tests/data/shop.dm:11:33
           |
        11 | forever(n: Integer) : Integer { forever(n + 1) }
           |                                 ^^^^^^^^^^^^^^
           |
           = help: raise --max-steps

        exit 3
    "#]],
    );
    check(
        &["run", "$", "forever", "1"],
        expect![[r#"
        error[too-deep]: the run was given up: too many calls within calls
          --> crates/cli/tests/data/shop.dm:11:41
           |
        11 | forever(n: Integer) : Integer { forever(n + 1) }
           |                                         ^^^^^
           |
           = help: does the recursion end? Each call should be about something smaller

        exit 3
    "#]],
    );
}

#[test]
fn bad_usage_of_run() {
    check(
        &["run", "$", "totel", "@"],
        expect![[r#"
        error[unknown-function]: there is no function `totel`
         |
         = help: did you mean `total`?

        exit 2
    "#]],
    );
    check(
        &["run", "$", "power", "1"],
        expect![[r#"
            error[wrong-arity]: `power` has 2 parameters, but gets 1 argument
              --> crates/cli/tests/data/shop.dm:10:1
               |
            10 | power(b: Integer, n: Integer where value >= 0) : Integer { n == 0 ? 1 : b * power(b, n - 1) }
               | ^^^^^
               |
               = help: pass JSON for each of: b, n

            exit 2
        "#]],
    );
    check(
        &["run", "$", "power", "1", "-1"],
        expect![[r#"
            error[ill-typed-argument]: argument `n`: value is -1, for which a condition does not hold
              --> crates/cli/tests/data/shop.dm:10:36
               |
            10 | power(b: Integer, n: Integer where value >= 0) : Integer { n == 0 ? 1 : b * power(b, n - 1) }
               |                                    ^^^^^^^^^^ does not hold
               |
              ::: argument 2:1:1
               |
             1 | -1
               | -- this value

            exit 2
        "#]],
    );
    check(
        &["run", "$", "total", "@crates/cli/tests/data/bad-order.json"],
        expect![[r#"
            error[ill-typed-argument]: argument `o`: .lines[1].price is -1, for which a condition does not hold
             --> crates/cli/tests/data/shop.dm:1:28
              |
            1 | type Cents : Integer where value >= 0;
              |                            ^^^^^^^^^^ does not hold
              |
             ::: crates/cli/tests/data/bad-order.json:5:27
              |
            5 |     {"sku": "b", "price": -1}
              |                           -- this value

            error[ill-typed-argument]: argument `o`: .lines[1] has no field `quantity`
             --> crates/cli/tests/data/shop.dm:2:39
              |
            2 | type Line : {sku: Text; price: Cents; quantity: (Integer where value > 0);};
              |                                       ^^^^^^^^ is missing
              |
             ::: crates/cli/tests/data/bad-order.json:5:5
              |
            5 |     {"sku": "b", "price": -1}
              |     ------------------------- this value

            error[ill-typed-argument]: argument `o`: .coupon is 3, but must be a text or null
             --> crates/cli/tests/data/shop.dm:3:54
              |
            3 | type Order : {number: Integer; lines: Line*; coupon: Text?;};
              |                                                      ^^^^ does not fit
              |
             ::: crates/cli/tests/data/bad-order.json:7:13
              |
            7 |   "coupon": 3
              |             - this value

            exit 2
        "#]],
    );
    check(
        &["run", "$", "total", "@nowhere.json"],
        expect![[r#"
        error[missing-file]: there is no file `nowhere.json`
         |
         = help: paths are relative to the current folder

        exit 2
    "#]],
    );
    check(
        &["run", "$", "power", "one", "1.5"],
        expect![[r#"
        error[bad-json]: expected a JSON value, but found `o`
         --> argument 1:1:1
          |
        1 | one
          | ^
          |
          = help: a text is in double quotes; on a command line: '"text"'

        error[bad-json]: 1.5 is not written as an integer
         --> argument 2:1:1
          |
        1 | 1.5
          | ^^^
          |
          = help: Dminor has integers only, of any size: count in cents, say

        exit 2
    "#]],
    );
    check(
        &["run", "nowhere.dm", "total"],
        expect![[r#"
        error[missing-file]: there is no file `nowhere.dm`
         |
         = help: paths are relative to the current folder

        exit 2
    "#]],
    );
    check(
        &["run", "crates/cli/tests/data/mistakes.dm", "f", "1"],
        expect![[r#"
        error[syntax-error]: expected `;` or `}` after the type of the field, but found `,`
         --> crates/cli/tests/data/mistakes.dm:1:21
          |
        1 | type A : {a: Integer, b: Text};
          |                     ^
          |
          = help: fields of a type are separated by `;`: {a: Integer; b: Text;}

        error[unknown-type]: there is no type `B`
         --> crates/cli/tests/data/mistakes.dm:2:6
          |
        2 | f(x: B) : Strin { y }
          |      ^
          |
          = help: there are: Any, Empty, Integer, Integer32, Logical, Text

        error[unknown-type]: there is no type `Strin`
         --> crates/cli/tests/data/mistakes.dm:2:11
          |
        2 | f(x: B) : Strin { y }
          |           ^^^^^
          |
          = help: there are: Any, Empty, Integer, Integer32, Logical, Text

        error[unknown-variable]: there is no variable `y` here
         --> crates/cli/tests/data/mistakes.dm:2:19
          |
        2 | f(x: B) : Strin { y }
          |                   ^
          |
          = help: there are: x

        exit 2
    "#]],
    );
    check(
        &["run", "examples/lang/arith.lang", "pred 0", "1"],
        expect![[r#"
        error[bad-usage]: a program of a language is one argument, but `1` follows
         |
         = help: quote it: glassbox run FILE.lang 'TERM'

        exit 2
    "#]],
    );
}

#[test]
fn data_is_validated() {
    check(
        &["validate", "$", "Order", "crates/cli/tests/data/order.json"],
        expect![[r#"
        valid
        exit 0
    "#]],
    );
    check(
        &["validate", "$", "Order", "crates/cli/tests/data/bad-order.json"],
        expect![[r#"
        error[invalid]: .lines[1].price is -1, for which a condition does not hold
         --> crates/cli/tests/data/shop.dm:1:28
          |
        1 | type Cents : Integer where value >= 0;
          |                            ^^^^^^^^^^ does not hold
          |
         ::: crates/cli/tests/data/bad-order.json:5:27
          |
        5 |     {"sku": "b", "price": -1}
          |                           -- this value

        error[invalid]: .lines[1] has no field `quantity`
         --> crates/cli/tests/data/shop.dm:2:39
          |
        2 | type Line : {sku: Text; price: Cents; quantity: (Integer where value > 0);};
          |                                       ^^^^^^^^ is missing
          |
         ::: crates/cli/tests/data/bad-order.json:5:5
          |
        5 |     {"sku": "b", "price": -1}
          |     ------------------------- this value

        error[invalid]: .coupon is 3, but must be a text or null
         --> crates/cli/tests/data/shop.dm:3:54
          |
        3 | type Order : {number: Integer; lines: Line*; coupon: Text?;};
          |                                                      ^^^^ does not fit
          |
         ::: crates/cli/tests/data/bad-order.json:7:13
          |
        7 |   "coupon": 3
          |             - this value

        exit 1
    "#]],
    );
    check(
        &["validate", "$", "{lines: Line*;}", "crates/cli/tests/data/bad-order.json", "--json"],
        expect![[r#"
            {
              "tool": "glassbox",
              "version": "0.1.0",
              "schema": 2,
              "command": "validate",
              "exit_status": 1,
              "outcome": "invalid",
              "value": null,
              "misfits": [
                {
                  "path": ".lines[1].price",
                  "message": ".lines[1].price is -1, for which a condition does not hold",
                  "clause": {
                    "file": "crates/cli/tests/data/shop.dm",
                    "line": 1,
                    "column": 28,
                    "end_line": 1,
                    "end_column": 38,
                    "text": "value >= 0"
                  },
                  "place": {
                    "file": "crates/cli/tests/data/bad-order.json",
                    "line": 5,
                    "column": 27,
                    "end_line": 5,
                    "end_column": 29,
                    "text": "-1"
                  }
                },
                {
                  "path": ".lines[1]",
                  "message": ".lines[1] has no field `quantity`",
                  "clause": {
                    "file": "crates/cli/tests/data/shop.dm",
                    "line": 2,
                    "column": 39,
                    "end_line": 2,
                    "end_column": 47,
                    "text": "quantity"
                  },
                  "place": {
                    "file": "crates/cli/tests/data/bad-order.json",
                    "line": 5,
                    "column": 5,
                    "end_line": 5,
                    "end_column": 30,
                    "text": "{\"sku\": \"b\", \"price\": -1}"
                  }
                }
              ],
              "ran": null,
              "warnings": [],
              "warnings_left_out": 0,
              "errors": [
                {
                  "id": "invalid",
                  "severity": "error",
                  "message": ".lines[1].price is -1, for which a condition does not hold",
                  "label": "does not hold",
                  "place": {
                    "file": "crates/cli/tests/data/shop.dm",
                    "line": 1,
                    "column": 28,
                    "end_line": 1,
                    "end_column": 38,
                    "text": "value >= 0"
                  },
                  "related": [
                    {
                      "place": {
                        "file": "crates/cli/tests/data/bad-order.json",
                        "line": 5,
                        "column": 27,
                        "end_line": 5,
                        "end_column": 29,
                        "text": "-1"
                      },
                      "text": "this value"
                    }
                  ],
                  "help": null
                },
                {
                  "id": "invalid",
                  "severity": "error",
                  "message": ".lines[1] has no field `quantity`",
                  "label": "is missing",
                  "place": {
                    "file": "crates/cli/tests/data/shop.dm",
                    "line": 2,
                    "column": 39,
                    "end_line": 2,
                    "end_column": 47,
                    "text": "quantity"
                  },
                  "related": [
                    {
                      "place": {
                        "file": "crates/cli/tests/data/bad-order.json",
                        "line": 5,
                        "column": 5,
                        "end_line": 5,
                        "end_column": 30,
                        "text": "{\"sku\": \"b\", \"price\": -1}"
                      },
                      "text": "this value"
                    }
                  ],
                  "help": null
                }
              ],
              "errors_left_out": 0
            }
            exit 1
        "#]],
    );
}

#[test]
fn bad_usage_of_validate() {
    check(
        &["validate", "$", "Odrer", "crates/cli/tests/data/order.json"],
        expect![[r#"
        error[unknown-type]: there is no type `Odrer`
         --> the type:1:1
          |
        1 | Odrer
          | ^^^^^
          |
          = help: did you mean `Order`?

        exit 2
    "#]],
    );
    check(
        &["validate", "$", "Order", "crates/cli/tests/data/half.json"],
        expect![[r#"
        error[bad-json]: 1.5 is not written as an integer
         --> crates/cli/tests/data/half.json:1:25
          |
        1 | {"number": 7, "lines": [1.5]}
          |                         ^^^
          |
          = help: Dminor has integers only, of any size: count in cents, say

        exit 2
    "#]],
    );
    check(
        &["validate", "README.md", "Order", "crates/cli/tests/data/order.json"],
        expect![[r#"
            error[bad-usage]: `README.md` is not a Dminor program
             |
             = help: its name ends with .dm or .m

            exit 2
        "#]],
    );
}

/// Times are not compared.
fn untimed(text: &str) -> String {
    redacted(text).replace("  [time]", "")
}

#[test]
fn functions_are_verified_or_refuted() {
    let ran = glassbox(&["check", SHOP, "--threads", "2"]);
    expect![[r#"
        crates/cli/tests/data/shop.dm: all inputs
          ✓ type Cents  well-formed
          ✓ type Line   well-formed
          ✓ type Order  well-formed
          ✓ total       verified, 10 conditions
          ✗ mean        violated, 5 conditions

            mean({"coupon": null, "lines": [], "number": 0})
        error[division-by-zero]: 0 is divided by 0
         --> crates/cli/tests/data/shop.dm:8:37
          |
        8 | mean(o: Order) : Cents { total(o) / o.lines.Count }
          |                                     ^^^^^^^^^^^^^
            replay:  glassbox run --contracts crates/cli/tests/data/shop.dm mean '{"coupon": null, "lines": [], "number": 0}'

          ✗ price       violated, 1 condition

            price({"coupon": "", "lines": [{"price": 1, "quantity": 1, "sku": ""}], "number": 0})
        error[broken-contract]: the result of `price` is not in its type: value is -1, for which a condition does not hold
         --> crates/cli/tests/data/shop.dm:1:28
          |
        1 | type Cents : Integer where value >= 0;
          |                            ^^^^^^^^^^ does not hold
        ...
        9 | price(o: Order) : Cents { 0 - total(o) }
          |                           ------------ the result comes from here
            replay:  glassbox run --contracts crates/cli/tests/data/shop.dm price '{"coupon": "", "lines": [{"price": 1, "quantity": 1, "sku": ""}], "number": 0}'

          ✓ power       verified, 1 condition
          ✓ forever     verified
          ✓ any         verified
          ✗ promise     violated, 1 condition

            promise(null)
        error[broken-contract]: the value is not in the type that is ascribed to it: value is null, but must be an integer
          --> crates/cli/tests/data/shop.dm:13:30
           |
        13 | promise(x: Any) : Any { (x : Integer) }
           |                         -----^^^^^^^-
           |                         |    |
           |                         |    does not fit
           |                         this value
            replay:  glassbox run --contracts crates/cli/tests/data/shop.dm promise 'null'

        3 violated, 7 verified
        exit 1
    "#]].assert_eq(&format!("{}{}exit {}\n", untimed(&ran.stdout), ran.stderr, ran.status));
    let ran = glassbox(&["check", "examples/dminor/invoices.dm", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((&json["verdict"], &json["exit_status"]), (&"verified".into(), &0.into()));
    assert!(crate::items(&json).iter().all(|a| a["verdict"] == "verified"));
}

/// A file of its own, in a folder of its own.
fn written(name: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("glassbox-dm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_string_lossy().to_string()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let ran = glassbox(arguments);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {}{}", ran.stdout, ran.stderr))
}

/// Every replay that `check` prints is run by a shell, and fails in the same way: the same reason, place and misfits.
#[test]
fn replays_reproduce() {
    let order = "f(c: {{0,1}}) : {1} { from x in c let y = 1 : Integer accumulate x }\n\
                 two(c: {{0,1,2}}) : {1} | {2} { from x in c let y = 1 : Integer accumulate x }\n\
                 sum(c: Integer*) : Integer { from x in c let y = 0 : (Integer where value >= 0) accumulate y + x }\n";
    let texts = "f(x: Text) : {\"it's\"} { x == \"it's \\\"q\\\"\\n\" ? x : \"it's\" }\n\
                 g(x: {a: Integer;}, y: Any) : Integer { x == y ? x.b : 0 }\n";
    let strict =
        "f(x: Any) : Logical { x in Integer && x > 5 }\ng(y: Any) : Logical { y in (x: Integer where x > 5) }\n";
    let suite = |name: &str| format!("crates/dminor/tests/suite/reject/{name}.dm");
    let cases = [
        (written("order.dm", order), vec![]),
        (written("it's here.dm", texts), vec![]),
        (written("strict.dm", strict), vec!["--strict-ops", "--strict-type-tests"]),
        (suite("invoices-null-coupon"), vec![]),
        (suite("order-matters"), vec![]),
        (SHOP.to_string(), vec![]),
    ];
    let program = env!("CARGO_BIN_EXE_glassbox");
    let (mut replayed, mut ordered) = (0, 0);
    for (file, flags) in cases {
        let checked = json(&[&["check", "--json", file.as_str()], &flags[..]].concat());
        let failures: Vec<serde_json::Value> =
            crate::items(&checked).iter().flat_map(|i| i["failures"].as_array().cloned().unwrap_or_default()).collect();
        for answer in failures.iter().filter(|f| f["replay"].is_string()) {
            let command = answer["replay"].as_str().expect("a text").replacen("glassbox run", "\"$0\" run --json", 1);
            let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
            let mut shell = std::process::Command::new("sh");
            let ran = shell.args(["-c", &command, program]).current_dir(root).output().expect("a shell");
            let told: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{command}"));
            assert_eq!(told["outcome"], "failed", "{command}\n{told:#}");
            let (failure, first) = (&answer["problems"][0], &told["errors"][0]);
            let misfits = &answer["example"]["misfits"];
            assert_eq!((&failure["id"], misfits), (&first["id"], &told["misfits"]), "{command}");
            let is_there = first["place"] == failure["place"]
                || first["related"].as_array().is_some_and(|all| all.iter().any(|r| r["place"] == failure["place"]));
            assert!(is_there, "{command}\n{told:#}\n{answer:#}");
            replayed += 1;
            ordered += usize::from(command.contains("--order"));
        }
    }
    assert!(replayed >= 11 && ordered >= 2, "{replayed} replayed, {ordered} with an order");
}

#[test]
fn an_order_that_is_not_one_of_the_run() {
    check(
        &["run", "$", "any", "[1, 2, 3]", "--order", "2,1"],
        expect![[r#"
        1
        exit 0
    "#]],
    );
    check(
        &["run", "$", "any", "[1, 2, 3]", "--order", "3"],
        expect![[r#"
            error[bad-usage]: this --order does not fit the run: the run has fewer choices, or fewer members to choose from
             |
             = help: leave it out for canonical order, or take the one that `glassbox check` prints

            exit 2
        "#]],
    );
}

#[test]
fn what_a_verdict_rests_on_and_what_does_not_fit() {
    let text = "type Cents : Integer where value >= 0;\n\
                //# wider: #/properties/iban/pattern: texts have no patterns\n\
                type Account : {iban: Text; balance: Cents; tax: Cents;} where value.tax <= value.balance;\n\
                charge(a: Account, by: Cents) : Account { {iban => null, balance => a.balance - by - 1, tax => 0} }\n\
                pay(a: Account) : Account { charge(a, 3) }\n\
                balance(a: Account) : Cents { a.balance }\n";
    let file = written("account.dm", text);
    let ran = glassbox(&["check", &file]);
    let shown = untimed(&ran.stdout).replace(&file, "account.dm");
    expect![[r#"
        account.dm: all inputs
          ✓ type Cents    well-formed
          ✓ type Account  well-formed, 5 conditions
            `Account` is wider than its schema: #/properties/iban/pattern: texts have no patterns
          ✗ charge        violated, 4 conditions

            charge({"balance": 0, "iban": "", "tax": 0}, 0)
        error[broken-contract]: the result of `charge` is not in its type: .iban is null, but must be a text
         --> account.dm:3:23
          |
        3 | type Account : {iban: Text; balance: Cents; tax: Cents;} where value.tax <= value.balance;
          |                       ^^^^ does not fit
        4 | charge(a: Account, by: Cents) : Account { {iban => null, balance => a.balance - by - 1, tax => 0} }
          |                                           ------------------------------------------------------- the result comes from here

        error[broken-contract]: the result of `charge` is not in its type: .balance is -1, for which a condition does not hold
         --> account.dm:1:28
          |
        1 | type Cents : Integer where value >= 0;
          |                            ^^^^^^^^^^ does not hold
        ...
        4 | charge(a: Account, by: Cents) : Account { {iban => null, balance => a.balance - by - 1, tax => 0} }
          |                                           ------------------------------------------------------- the result comes from here

        error[broken-contract]: the result of `charge` is not in its type: value is {balance => -1, iban => null, tax => 0}, for which a condition does not hold
         --> account.dm:3:64
          |
        3 | type Account : {iban: Text; balance: Cents; tax: Cents;} where value.tax <= value.balance;
          |                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^ does not hold
        4 | charge(a: Account, by: Cents) : Account { {iban => null, balance => a.balance - by - 1, tax => 0} }
          |                                           ------------------------------------------------------- the result comes from here
            replay:  glassbox run --contracts account.dm charge '{"balance": 0, "iban": "", "tax": 0}' '0'

          ✓ pay           verified, assuming `charge` meets its type, 1 condition
          ✓ balance       verified, 3 conditions

        1 violated, 4 verified, 1 of them on an assumption
        `Account` differs from the schema: what is proved here holds of the type, not of the schema
        exit 1
    "#]].assert_eq(&format!("{shown}exit {}\n", ran.status));
    let told = json(&["check", &file, "--json"]);
    let of = |name: &str| {
        let all = crate::items(&told);
        all.iter().find(|a| a["name"] == name).cloned().expect("an answer")
    };
    let rests_on = |name: &str| {
        let all = of(name)["rests_on"].as_array().cloned().unwrap_or_default();
        all.iter().map(|a| format!("{} {}", a["kind"], a["name"]).replace('"', "")).collect::<Vec<_>>()
    };
    assert_eq!(rests_on("pay"), ["unproved charge"]);
    assert!(rests_on("balance").is_empty());
    assert_eq!(rests_on("Account")[0], "schema Account");
    let paths = |misfits: &serde_json::Value| {
        misfits.as_array().map(|all| all.iter().map(|m| m["path"].to_string()).collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(paths(&of("charge")["failures"][0]["example"]["misfits"]), ["\".iban\"", "\".balance\"", "\"value\""]);
    // The same parts without contracts, and on a line of their own each.
    let account = r#"{"iban": "", "balance": 0, "tax": 0}"#;
    let ran = json(&["run", &file, "charge", account, "0", "--json"]);
    assert_eq!(paths(&ran["misfits"]).len(), 3);
    let ran = glassbox(&["run", &file, "charge", account, "0"]);
    assert_eq!(ran.stderr.matches("error[ill-typed-result]").count(), 3, "{}", ran.stderr);
}

/// A line that ends with a carriage return alone.
#[test]
fn carriage_returns_end_lines() {
    let file = written("returns.dm", "// a comment\rf(x: Integer) : Text { x }\r");
    let ran = glassbox(&["check", &file]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("returns.dm:2:"), "{}", ran.stdout);
    let file = written("only-a-comment.dm", "// f(x: Integer) : Text { x }\r");
    assert!(glassbox(&["check", &file]).stdout.contains("nothing to check"));
}

/// Proofs are repeated by another solver; one that nobody repeats is said to be so.
#[test]
fn proofs_are_certified() {
    let ran = glassbox(&["check", "examples/dminor/invoices.dm", "--certify"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("verified, certified, "), "{}", ran.stdout);
    // It says that it is Z3, is right about the axioms, and proves everything else.
    let liar = written(
        "liar",
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'Z3 version 4.8.12'; exit; }\nn=0\nwhile read -r line; do case \"$line\" in \
         *check-sat*) if [ $n = 0 ]; then echo sat; else echo unsat; fi; n=1;; \
         *'(echo'*) echo \"$line\" | sed 's/.*(echo \"\\(.*\\)\").*/\\1/';; esac; done\n",
    );
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&liar, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    let wrong = written("needle.dm", "f(n: Integer) : Integer { n == 123456789123456789 ? n + null : n }\n");
    assert_eq!(glassbox(&["check", &wrong, "--solver", &liar]).status, 0, "nobody notices");
    let ran = glassbox(&["check", &wrong, "--solver", &liar, "--certify"]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("0 of 1 proofs certified"), "{}", ran.stdout);
    assert!(ran.stdout.contains("does not repeat the proof"), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 function unknown"), "{}", ran.stdout);
    let told = json(&["check", &wrong, "--solver", &liar, "--certify", "--json"]);
    let item = &crate::items(&told)[0];
    assert_eq!((&told["verdict"], &item["certified"]["proofs"]), (&"unknown".into(), &1.into()));
    assert_eq!((&item["reasons"][0]["code"], item["reasons"][0]["place"].is_object()), (&"not-certified".into(), true));
}

#[test]
fn a_solver_that_is_missing_or_crashes() {
    check(
        &["check", "$", "--solver", "no-such-solver"],
        expect![[r#"
        error[no-solver]: the solver `no-such-solver` cannot be run: No such file or directory (os error 2)
         |
         = help: install Z3, for example with `apt-get install z3`, or name a solver with --solver PATH or GLASSBOX_Z3

        exit 2
    "#]],
    );
    // It says that it is Z3, and then nothing more.
    let folder = std::env::temp_dir().join(format!("glassbox-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("crashes");
    std::fs::write(&path, "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Z3 version 4.8.12'\nexit 1\n").expect("a script");
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    let path = path.to_string_lossy().to_string();
    let ran = glassbox(&["check", "examples/dminor/invoices.dm", "--solver", &path]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("the solver ended unexpectedly"), "{}", ran.stdout);
    // What needs no solver, and what runs show, is known all the same.
    let ran = glassbox(&["check", "examples/dminor/invoices-bug.dm", "--solver", &path]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
}

#[test]
fn questions_about_types() {
    check(
        &["inhabit", "$", "Line"],
        expect![[r#"
        {"price": 0, "quantity": 1, "sku": ""}
        exit 0
    "#]],
    );
    check(
        &["inhabit", "$", "Cents where value < 0"],
        expect![[r#"
        empty: no value is in it
        exit 1
    "#]],
    );
    check(
        &["subtype", "$", "Line", "{price: Integer;}"],
        expect![[r#"
        a subtype: every value of it is in the other
        exit 0
    "#]],
    );
    check(
        &["subtype", "$", "{price: Integer;}", "Line"],
        expect![[r#"
        not a subtype: {"price": 0} is in it, and not in the other
        exit 1
    "#]],
    );
    check(
        &["subtype", "$", "Line", "Lien"],
        expect![[r#"
        error[unknown-type]: there is no type `Lien`
         --> the other type:1:1
          |
        1 | Lien
          | ^^^^
          |
          = help: did you mean `Line`?

        exit 2
    "#]],
    );
}

#[test]
fn nothing_to_check() {
    check(
        &["check", "crates/cli/tests/data/nothing.dm"],
        expect![[r#"
            nothing to check in crates/cli/tests/data/nothing.dm
            exit 3
        "#]],
    );
}

#[test]
fn what_cannot_be_checked() {
    check(
        &["check", "crates/cli/tests/data/mistakes.dm"],
        expect![[r#"
        error[syntax-error]: expected `;` or `}` after the type of the field, but found `,`
         --> crates/cli/tests/data/mistakes.dm:1:21
          |
        1 | type A : {a: Integer, b: Text};
          |                     ^
          |
          = help: fields of a type are separated by `;`: {a: Integer; b: Text;}

        error[unknown-type]: there is no type `B`
         --> crates/cli/tests/data/mistakes.dm:2:6
          |
        2 | f(x: B) : Strin { y }
          |      ^
          |
          = help: there are: Any, Empty, Integer, Integer32, Logical, Text

        error[unknown-type]: there is no type `Strin`
         --> crates/cli/tests/data/mistakes.dm:2:11
          |
        2 | f(x: B) : Strin { y }
          |           ^^^^^
          |
          = help: there are: Any, Empty, Integer, Integer32, Logical, Text

        error[unknown-variable]: there is no variable `y` here
         --> crates/cli/tests/data/mistakes.dm:2:19
          |
        2 | f(x: B) : Strin { y }
          |                   ^
          |
          = help: there are: x

        exit 2
    "#]],
    );
}

/// Even if we are killed.
#[test]
fn no_solver_outlives_the_command() {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, Instant};
    let folder = std::env::temp_dir().join(format!("glassbox-orphan-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (script, told) = (folder.join("z3"), folder.join("pid"));
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Z3 version 4.8.12'; exit; fi\necho $$ > {}\nexec sleep 300\n",
        told.display()
    );
    std::fs::write(&script, text).expect("a script");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(["check", "examples/dminor/invoices.dm", "--solver"])
        .arg(&script)
        .current_dir(crate::root())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the command starts");
    let wait = |what: &str, is_so: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < Duration::from_secs(60), "{what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let process = || std::fs::read_to_string(&told).unwrap_or_default().trim().to_string();
    wait("the solver is never started", &|| !process().is_empty());
    command.kill().expect("it can be killed");
    command.wait().expect("it ends");
    let stat = || std::fs::read_to_string(format!("/proc/{}/stat", process())).unwrap_or_default();
    wait("the solver lives on", &|| stat().is_empty() || stat().contains(") Z "));
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}
