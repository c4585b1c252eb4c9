//! JSON to values and back, and every kind of bad JSON; values are multisets and maps.

use crate::corpus::{render, value};
use dminor::generate::Generator;
use dminor::{Program, Value, json};
use expect_test::{Expect, expect};
use source::SourceMap;
use std::collections::HashSet;

#[test]
fn random_values_read_back() {
    let program = Program::default();
    let mut generator = Generator::new(&program, 7);
    let mut seen = HashSet::new();
    for _ in 0..3_000 {
        let one = generator.any(4);
        assert_eq!(value(&one.to_string()), one);
        seen.insert(one);
    }
    assert!(seen.len() > 500, "{}", seen.len());
}

#[test]
fn integers_keep_every_digit() {
    let digits = "-123456789012345678901234567890123456789012345678901234567890";
    assert_eq!(value(digits).to_string(), digits);
    assert_eq!(value(" [ 0 , -0 ] ").to_string(), "[0, 0]");
}

#[test]
fn members_have_no_order_but_a_number() {
    assert_eq!(value("[1, 2, 1]"), value("[1, 1, 2]"));
    assert_ne!(value("[1, 2, 1]"), value("[1, 2]"));
    assert_eq!(value(r#"{"a": 1, "b": [2, 1]}"#), value(r#"{"b": [1, 2], "a": 1}"#));
    assert_ne!(value("[]"), value("{}"));
    let Value::Collection(bag) = value("[3, 1, 3]") else { panic!("a collection") };
    assert_eq!((bag.count(), bag.kinds()), (3, 2));
}

#[test]
fn what_is_taken_from_a_collection_does_not_show() {
    let Value::Collection(bag) = value("[[1], 2, 2]") else { panic!("a collection") };
    let mut rest = dminor::value::Bag::clone(&bag);
    assert_eq!(rest.take(1), Some(value("[1]")));
    assert_eq!(Value::Collection(rest.into()), value("[2, 2]"));
}

#[test]
fn escapes() {
    assert_eq!(value(r#""\u00e4\ud83d\ude00\n\/\"""#), Value::text("ä😀\n/\""));
    assert_eq!(value("\"\u{1}\u{7f}\"".replace('\u{1}', "\\u0001").as_str()).to_string(), "\"\\u0001\\u007f\"");
}

fn check(text: &str, expected: Expect) {
    let mut map = SourceMap::default();
    let id = map.add("data.json", text);
    let problem = json::parse(text, id).expect_err("bad JSON");
    expected.assert_eq(&render(&map, &[problem]));
}

#[test]
fn bad_json() {
    check(
        "",
        expect![[r#"
        1:1: bad-json: expected a JSON value, but found the end
            help: a text is in double quotes; on a command line: '"text"'
    "#]],
    );
    check(
        "[1, 2",
        expect![[r#"
        1:6: bad-json: expected `,` or `]`, but found the end
            help: members of an array are separated by `,`
    "#]],
    );
    check(
        "[1 2]",
        expect![[r#"
        1:4: bad-json: expected `,` or `]`, but found `2`
            help: members of an array are separated by `,`
    "#]],
    );
    check(
        "[1,]",
        expect![[r#"
        1:4: bad-json: expected a JSON value, but found `]`
            help: a text is in double quotes; on a command line: '"text"'
    "#]],
    );
    check(
        "{\"a\" 1}",
        expect![[r#"
            1:6: bad-json: expected `:`, but found `1`
                help: a label is followed by `:` and its value
        "#]],
    );
    check(
        "{a: 1}",
        expect![[r#"
        1:2: bad-json: expected a label, but found `a`
            help: labels are in double quotes: {"a": 1}
    "#]],
    );
    check(
        "{\"a\": 1 \"b\": 2}",
        expect![[r#"
        1:9: bad-json: expected `,` or `}`, but found `"`
            help: fields are separated by `,`
    "#]],
    );
    check(
        "{\"a\": 1,\n \"a\": 2}",
        expect![[r#"
        2:2: bad-json: the label `a` occurs twice
            1:2: the first one
            help: remove one
    "#]],
    );
    check(
        "1.5",
        expect![[r#"
        1:1: bad-json: 1.5 is not written as an integer
            help: Dminor has integers only, of any size: count in cents, say
    "#]],
    );
    check(
        "[1e3]",
        expect![[r#"
        1:2: bad-json: 1e3 is not written as an integer
            help: Dminor has integers only, of any size: count in cents, say
    "#]],
    );
    check(
        "007",
        expect![[r#"
        1:1: bad-json: a number does not begin with 0
            help: remove the zeros
    "#]],
    );
    check(
        "-",
        expect![[r#"
            1:2: bad-json: expected a digit, but found the end
                help: a minus is followed by a digit
        "#]],
    );
    check(
        "'a'",
        expect![[r#"
        1:1: bad-json: expected a JSON value, but found `'`
            help: texts are in double quotes
    "#]],
    );
    check(
        "hello",
        expect![[r#"
        1:1: bad-json: expected a JSON value, but found `h`
            help: a text is in double quotes; on a command line: '"text"'
    "#]],
    );
    check(
        "\"abc",
        expect![[r#"
        1:1: bad-json: this text does not end
            help: end it with `"` on the same line
    "#]],
    );
    check(
        "\"\\x\"",
        expect![[r#"
            1:2: bad-json: this is not an escape of any character
                help: JSON knows \" \\ \/ \b \f \n \r \t and \u with four digits
        "#]],
    );
    check(
        "\"\\ud800\"",
        expect![[r#"
            1:2: bad-json: this is not an escape of any character
                help: JSON knows \" \\ \/ \b \f \n \r \t and \u with four digits
        "#]],
    );
    check(
        "1 2",
        expect![[r#"
        1:3: bad-json: expected the end of the document, but found `2`
            help: there is one JSON value per file or argument
    "#]],
    );
    check(
        "nul",
        expect![[r#"
        1:1: bad-json: expected a JSON value, but found `n`
            help: a text is in double quotes; on a command line: '"text"'
    "#]],
    );
    let deep = "[".repeat(5_000);
    check(
        &deep,
        expect![[r#"
        1:1001: bad-json: more than 1000 levels are nested here
            help: is it generated? Its parts may be given apart
    "#]],
    );
}

#[test]
fn mangled_json_is_reported_and_does_not_panic() {
    let text = r#"{"a": [1, -23, "x\u00e4\n", null, true], "b": {"c": false}}"#;
    for k in 0..text.len() {
        if text.is_char_boundary(k) {
            let _ = json::parse(&text[..k], source::FileId(0));
            for c in ["\"", "\\", "{", "]", "9", "é", "\u{0}"] {
                let _ = json::parse(&format!("{}{c}{}", &text[..k], &text[k..]), source::FileId(0));
                let end = (k + 1..=text.len()).find(|e| text.is_char_boundary(*e)).unwrap_or(text.len());
                let _ = json::parse(&format!("{}{c}{}", &text[..k], &text[end..]), source::FileId(0));
            }
        }
    }
}
