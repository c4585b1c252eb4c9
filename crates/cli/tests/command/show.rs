//! States as their class shows them: `toString`, or the method with `@Show`. It changes nothing else.

use crate::{items, java_file, object, run};
use serde_json::Value;

fn report(name: &str, text: &str, arguments: &str) -> Value {
    object(&run(&format!("{} {arguments} --json", java_file(name, text))))
}

/// The texts of the first counterexample, before and after.
fn check(name: &str, text: &str, expected: [Option<&str>; 2]) {
    for engine in ["glassbox", "exhaustive"] {
        let report = report(name, text, &format!("--size 3 --engine {engine}"));
        let items = items(&report);
        let failed = items.iter().find(|i| i["verdict"] == "violated").unwrap_or_else(|| panic!("{report:#}"));
        let example = &failed["failures"][0]["example"];
        let found = [example["shown_before"].as_str(), example["shown_after"].as_str()];
        assert_eq!(found, expected, "{name} by {engine}: {example:#}");
    }
}

/// A list whose `drop` forgets to count, with what is written in place of `SHOW`. `toString` is not an operation.
fn list(show: &str) -> String {
    "public class Row {
    enum Colour { RED, GREEN }
    static class Cell { @Range(\"0..1\") int value; Colour colour; Object what; @Tree Cell next; }
    @Tree Cell first;
    @Range(\"0..n\") int size;
    @Declarative boolean repOk() { return size == count(first); }
    @Declarative static int count(Cell c) { return c == null ? 0 : 1 + count(c.next); }
    @Check public void drop() { if (first != null && size == 2) first = first.next; }
    SHOW
}"
    .replace("SHOW", show)
}

#[test]
fn what_a_class_says() {
    let of = |c: &str| format!("{c} == null ? \"\" : {c}.value + (isLast({c}) ? \"\" : \", \") + text({c}.next)");
    let texts = format!(
        "static boolean isLast(Cell c) {{ return c.next == null; }}
         static String text(Cell c) {{ return {}; }}",
        of("c")
    );
    let rows = [Some("[0, 0] of 2"), Some("[0] of 2")];
    let to_string = "public String toString() { return \"[\" + text(first) + \"] of \" + size; }";
    check("Row", &list(&format!("{texts} {to_string}")), rows);
    // A name of one's own, and first of all.
    let shown = "@Show String drawing() { return \"[\" + text(first) + \"] of \" + size; }";
    check("Row", &list(&format!("{texts} {shown}")), rows);
    let other = "public String toString() { return \"a row\"; }";
    check("Row", &list(&format!("{texts} {shown} {other}")), rows);
    // An object in a format has its own text; two escapes are one character beyond the first 65,536.
    let named = "static class Name { public String toString() { return \"<\" + 7 + \">\"; } }
        public String toString() { return String.format(\"%s|%4s|%-3d|%s|\\uD83D\\uDE00 %s\",
            new Name(), 1 < 2, 5, null, new StringBuilder(\"x\").append(1)); }";
    check("Row", &list(named), [Some("<7>|true|5  |null|\u{1F600} x1"); 2]);
    // Characters, Booleans, boxes, enums, objects without a text of their own, null, a builder.
    let kinds = "public String toString() {
        StringBuilder text = new StringBuilder(\"<\").append('c').append(1 < 2).append(Integer.valueOf(7)).append((Object) null);
        char letter = 'a';
        letter++;
        return text.append(\">\").toString().concat(\"!\") + letter + Colour.GREEN + first.colour;
    }";
    check("Row", &list(kinds), [Some("<ctrue7null>!bGREENnull"), Some("<ctrue7null>!bGREENnull")]);
    // Lines stay lines.
    check("Row", &list("@Show String lines() { return \"size\\n\" + size; }"), [Some("size\n2"), Some("size\n2")]);
}

/// Strings have contents there, and their methods give what they give in Java.
#[test]
fn what_methods_of_strings_give() {
    for (text, expected) in [
        ("String.format(\"%d of %s%%\", size, Colour.RED)", "2 of RED%"),
        ("\"%b %c\".formatted(size == 2, 'x')", "true x"),
        ("\"a-b\".replace(\"-\", \"+\") + \"abc\".replace('b', 'x')", "a+baxc"),
        ("\"ab\".repeat(size) + \"hello\".substring(1, 3) + \"xyz\".charAt(size)", "ababelz"),
        ("\"\" + \"abc\".length() + \"abc\".indexOf(\"c\") + \"abc\".indexOf('x') + \" \".isBlank()", "32-1true"),
        (
            "\"abc\".startsWith(\"ab\") + \" \" + \"abc\".endsWith(\"ab\") + \" \" + \"abc\".contains(\"bc\")",
            "true false true",
        ),
        ("Colour.GREEN.name().toLowerCase() + \" a \".trim().toUpperCase()", "greenA"),
        ("(\"si\" + \"ze\" + size).equals(\"size2\") ? \"same\" : \"other\"", "same"),
        ("String.join(\", \", \"a\", \"b\" + size)", "a, b2"),
        (
            "java.util.Arrays.toString(new int[] {1, size}) + java.util.Arrays.toString(new Colour[] {null})",
            "[1, 2][null]",
        ),
        ("new StringBuilder(\"ab\").reverse().insert(0, \"x\").deleteCharAt(1).toString()", "xa"),
        ("cut(new StringBuilder(\"a, \"))", "a"),
        ("new Pair(1, new Pair(size, null)).toString()", "Pair[x=1, rest=Pair[x=2, rest=null]]"),
        ("\"\" + new Pair(size, Colour.RED)", "Pair[x=2, rest=RED]"),
        ("java.util.Objects.toString(null, \"none\") + Character.toString('c')", "nonec"),
    ] {
        let class = format!(
            "record Pair(int x, Object rest) {{}}
             static String cut(StringBuilder b) {{ b.setLength(b.length() - 2); return b.toString(); }}
             public String toString() {{ return {text}; }}"
        );
        check("Row", &list(&class), [Some(expected), Some(expected)]);
    }
}

/// Whatever is wrong with a `toString`, the verdict is the same.
#[test]
fn a_text_that_cannot_be_had() {
    check("Row", &list(""), [None, None]);
    check("Row", &list("public String toString() { return String.format(\"%05d\", size); }"), [None, None]);
    check("Row", &list("public String toString() { return \"row\".substring(4); }"), [None, None]);
    check("Row", &list("public String toString() { return java.util.List.of(first).toString(); }"), [None, None]);
    check("Row", &list("public String toString() { return first.next.next.toString(); }"), [None, None]);
    check("Row", &list("public String toString() { while (true) size = size; }"), [None, None]);
    // And it is said why.
    for (code, why) in [
        ("return \"row\".substring(4);", "`String.substring` is not supported"),
        ("return first.next.next.toString();", "it throws NullPointerException"),
        ("while (true) size = size;", "it takes too many steps"),
    ] {
        let text = list(&format!("public String toString() {{ {code} }}"));
        let item = items(&report("Row", &text, "--size 3 --engine glassbox")).remove(0);
        let notes = &item["failures"][0]["example"]["notes"];
        assert_eq!(notes, &serde_json::json!([format!("`toString` does not show this state: {why}")]), "{item:#}");
    }
    // It changes the state only of its own copy.
    let changing = "public String toString() { size++; return \"size \" + size; }";
    check("Row", &list(changing), [Some("size 3"), Some("size 3")]);
}

/// The constants of a text are in no state, and what it builds is compared by nobody.
#[test]
fn nothing_else_changes() {
    let label = "public class Label {
    String text;
    boolean isSet;
    @Declarative boolean repOk() { return isSet == (text != null); }
    public boolean put(String t) { boolean was = t != null && t.equals(text); text = t; isSet = t != null; return was; }
    SHOW
}";
    let of = |show: &str| {
        let report = report("Label", &label.replace("SHOW", show), "--size 2 --engine glassbox");
        let told = |i: &Value| format!("{} {} {}", i["name"], i["verdict"], i["work"]);
        items(&report).iter().map(told).collect::<Vec<String>>()
    };
    let plain = of("");
    assert!(plain[0].contains("verified"), "{plain:?}");
    assert_eq!(of("@Show String shown() { return \"label \" + text + (isSet ? \" set\" : \" not set\"); }"), plain);
}

#[test]
fn what_cannot_show() {
    for show in ["@Show String shown(int k) { return \"\"; }", "@Show int shown() { return 0; }"] {
        let ran = run(&format!("{} --size 1", java_file("Row", &list(show))));
        assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("`shown` cannot show a state"), "{}", ran.stderr);
        assert!(ran.stderr.contains("no parameters and returns a String"), "{}", ran.stderr);
    }
    let ran = run(&format!("{} --size 1", java_file("Row", &list("@Show String shown() { return nothing; }"))));
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
}
