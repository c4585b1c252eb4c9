//! No input makes the front-end or the interpreter panic: programs with characters and tokens removed, doubled, swapped and replaced.

use crate::corpus;
use dminor::bemol::{self, Reading};
use dminor::generate::Generator;
use dminor::interp::{Interp, Options, Random};
use dminor::program::FunId;
use source::SourceMap;
use test_kit::mangle::mangle;
use work::Chance;

fn suite() -> Vec<String> {
    ["ok", "reject"].into_iter().flat_map(corpus::suite).map(|(_, text)| text).collect()
}

/// Reads a program; if it is one, its spans are inside the text, and its functions run.
fn survive(text: &str, seed: u64) -> bool {
    let mut map = SourceMap::default();
    let id = map.add("test.dm", text);
    let loaded = dminor::load(text, id);
    for diagnostic in &loaded.diagnostics {
        assert!(diagnostic.help.is_some(), "no advice: {}\n{text}", diagnostic.message);
        let span = diagnostic.span.expect("a place");
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{}", diagnostic.message);
        assert!(text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize));
    }
    assert!(loaded.program.is_some() || loaded.has_errors(), "refused without a reason:\n{text}");
    let Some(program) = loaded.program else { return false };
    let reading = Reading { strict_type_tests: seed.is_multiple_of(3), strict_ops: seed.is_multiple_of(2) };
    assert!(!bemol::print(&program, reading, &map).is_empty() || program.functions.is_empty());
    assert!(bemol::boogie(&program, reading, &map).contains("axiom"));
    let mut generator = Generator::new(&program, seed);
    let mut random = Random::new(seed);
    let options = Options { fuel: Some(2_000), contracts: seed.is_multiple_of(2), ..Options::default() };
    for k in 0..program.functions.len() {
        let count = program.functions[k].parameters.len();
        let arguments: Vec<_> = (0..count).map(|_| generator.any(3)).collect();
        let _ = Interp::new(&program, &options, &mut random).call(FunId(k as u32), &arguments);
    }
    true
}

const PIECES: [&str; 28] = [
    "{",
    "}",
    "(",
    ")",
    ":",
    ";",
    "in",
    "where",
    "let",
    "from",
    "?",
    "*",
    "::",
    "=>",
    "\"",
    "/*",
    "type",
    "1",
    "x",
    "null",
    "é",
    ".",
    "value",
    "accumulate",
    "select",
    "!",
    "&",
    "|",
];

#[test]
fn mangled_programs() {
    let texts = suite();
    let mut chance = Chance::new(11);
    let usable = work::on_large_stack(|| {
        let mut usable = 0;
        for seed in 0..4_000u64 {
            let mut text = chance.pick(&texts).clone();
            text.truncate(text.floor_char_boundary(4_000));
            usable += usize::from(survive(&mangle(&text, &PIECES, &mut chance), seed));
        }
        usable
    });
    assert!(usable > 100, "only {usable} of the mangled programs could still be run");
}

#[test]
fn deep_nesting_and_long_chains() {
    let wrap = |body: &str| format!("f(x: Any) : Any {{ {body} }}");
    for n in [100, 9_900, 20_000] {
        survive(&wrap(&format!("{}1{}", "(".repeat(n), ")".repeat(n))), 0);
        survive(&wrap(&format!("{}1{}", "{".repeat(n), "}".repeat(n))), 0);
        survive(&wrap(&format!("{}1", "-".repeat(n))), 0);
        survive(&wrap(&format!("1{}", " + 1".repeat(n))), 0);
        survive(&wrap(&format!("{}{{}}", "1 :: ".repeat(n))), 0);
        survive(&wrap(&format!("x{}", ".a".repeat(n))), 0);
        survive(&wrap(&"let x = 1 in ".repeat(n)), 0);
        survive(&wrap(&format!("{}1", "true ? 1 : ".repeat(n))), 0);
        // Its members are a chain of `::` each.
        survive(&wrap(&format!("{{{}1}}", "1, ".repeat(n.min(20_000)))), 0);
        survive(&format!("type T : {}Any;", "!".repeat(n)), 0);
        survive(&format!("type T : Any{};", "*".repeat(n)), 0);
        survive(&format!("type T : {}Any{};", "{a: ".repeat(n), "}".repeat(n)), 0);
        survive(&format!("type T : Any{};", " where true".repeat(n)), 0);
        survive(&"type T : {".repeat(n), 0);
        survive(&"module ".repeat(n), 0);
        survive(&"/* ".repeat(n), 0);
    }
}

#[test]
fn odd_texts() {
    for text in ["", "\u{feff}", "\u{feff}f() : Any { 1 }", "\0", "\"", "//", "/*", "module", "type", "f(", "\r\n", "é"]
    {
        survive(text, 0);
    }
    let bytes: Vec<u8> = (0..=255).collect();
    survive(&String::from_utf8_lossy(&bytes), 0);
}

/// What is written about a program stays in proportion to it: nested tests are not repeated, nor are long chains of operators.
#[test]
fn large_formulas() {
    let tests = (0..40).fold("x > 1".to_string(), |inner, k| format!("x in (x: Any where x != {k} && ({inner}))"));
    let lets = (0..40).fold("x > 1".to_string(), |inner, _| format!("let x = (x > 2 ? x + x : 2 * x) in ({inner})"));
    let fields = vec!["value.a"; 1_000].join(" && ");
    let sums = vec!["x"; 1_000].join(" + ");
    let texts: Vec<String> = (0..1_000).map(|k| format!("{{\"{k}\"}}")).collect();
    let programs = [
        format!("f(x: Integer) : (x: Any where {tests}) {{ {tests} }}"),
        format!("f(x: Integer) : (x: Integer where {lets}) {{ x }}"),
        format!("f(x: {{a: Any;}} where {fields}) : Logical {{ {} }}", fields.replace("value", "x")),
        format!("f(x: Integer) : {{{sums}}} {{ {sums} }}"),
        format!("f(x: {}) : Text {{ x }}", texts.join(" | ")),
    ];
    for text in programs {
        let mut map = SourceMap::default();
        let id = map.add("test.dm", &*text);
        let loaded = dminor::load(&text, id);
        assert!(!loaded.has_errors(), "{}", corpus::render(&map, &loaded.diagnostics));
        let program = loaded.program.expect("a program");
        let (bemol, boogie) =
            (bemol::print(&program, Reading::default(), &map), bemol::boogie(&program, Reading::default(), &map));
        let most = 20_000 + 200 * text.len();
        assert!(bemol.len() < most && boogie.len() < most, "{}: {}, {}", &text[..60], bemol.len(), boogie.len());
    }
}
