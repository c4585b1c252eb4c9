//! Dminor programs: run, validate, and check, which gives no verdict.

use crate::glassbox;
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
    expected.assert_eq(&format!("{}{}exit {}\n", ran.stdout, ran.stderr, ran.status));
}

#[test]
fn a_function_is_run() {
    check(&["run", "$", "total", "@"], expect![[""]]);
    check(&["run", "$", "power", "-3", "41"], expect![[""]]);
    check(&["run", "$", "power", "2", "10", "--json"], expect![[""]]);
    check(&["run", "$", "any", "[1, 2, 3]"], expect![[""]]);
    check(&["run", "$", "any", "[1, 2, 3]", "--seed", "4"], expect![[""]]);
    check(&["run", "$", "promise", "null"], expect![[""]]);
}

#[test]
fn a_run_goes_wrong() {
    check(&["run", "$", "mean", r#"{"number": 1, "lines": [], "coupon": null}"#], expect![[""]]);
    check(&["run", "$", "price", "@"], expect![[""]]);
    check(&["run", "$", "promise", "null", "--contracts"], expect![[""]]);
    check(&["run", "$", "forever", "1", "--max-steps", "1000"], expect![[""]]);
    check(&["run", "$", "forever", "1"], expect![[""]]);
}

#[test]
fn bad_usage_of_run() {
    check(&["run", "$", "totel", "@"], expect![[""]]);
    check(&["run", "$", "power", "1"], expect![[""]]);
    check(&["run", "$", "power", "1", "-1"], expect![[""]]);
    check(&["run", "$", "total", "@crates/cli/tests/data/bad-order.json"], expect![[""]]);
    check(&["run", "$", "total", "@nowhere.json"], expect![[""]]);
    check(&["run", "$", "power", "one", "1.5"], expect![[""]]);
    check(&["run", "nowhere.dm", "total"], expect![[""]]);
    check(&["run", "crates/cli/tests/data/mistakes.dm", "f", "1"], expect![[""]]);
    check(&["run", "examples/lang/arith.lang", "pred 0", "1"], expect![[""]]);
}

#[test]
fn data_is_validated() {
    check(&["validate", "$", "Order", "crates/cli/tests/data/order.json"], expect![[""]]);
    check(&["validate", "$", "Order", "crates/cli/tests/data/bad-order.json"], expect![[""]]);
    check(&["validate", "$", "{lines: Line*;}", "crates/cli/tests/data/bad-order.json", "--json"], expect![[""]]);
}

#[test]
fn bad_usage_of_validate() {
    check(&["validate", "$", "Odrer", "crates/cli/tests/data/order.json"], expect![[""]]);
    check(&["validate", "$", "Order", "crates/cli/tests/data/half.json"], expect![[""]]);
    check(&["validate", "README.md", "Order", "crates/cli/tests/data/order.json"], expect![[""]]);
}

#[test]
fn check_gives_no_verdict_yet() {
    check(&["check", "$"], expect![[""]]);
    check(&["check", "crates/cli/tests/data/mistakes.dm"], expect![[""]]);
    check(&["check", "$", "examples/lang/arith.lang"], expect![[""]]);
}
