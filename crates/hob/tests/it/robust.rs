//! No input makes the front-end panic: files with characters and tokens removed, doubled, swapped and replaced; deep nesting; long
//! files. Every message has advice and lies in its file.

use crate::corpus::SAMPLES;
use hob::{FileKind, Input, outline};
use source::{FileId, Severity};
use std::time::Duration;
use test_kit::effort::within;
use test_kit::mangle::{mangle, mix_words};
use work::Chance;

/// Whether the files are a program; their messages are usable in any case.
fn survive(files: &[(&str, String)]) -> bool {
    let inputs: Vec<Input> = files
        .iter()
        .enumerate()
        .map(|(k, (name, text))| Input { file: FileId(k as u32), kind: FileKind::of(name).expect("a kind"), text })
        .collect();
    for input in &inputs {
        outline(input);
    }
    let loaded = hob::load(&inputs);
    for diagnostic in &loaded.diagnostics {
        assert!(diagnostic.help.is_some(), "no advice: {}", diagnostic.message);
        let related = diagnostic.related.iter().map(|(span, _)| *span);
        for span in diagnostic.span.into_iter().chain(related) {
            let text = &files[span.file.0 as usize].1;
            assert!(span.start <= span.end && span.end as usize <= text.len(), "{}", diagnostic.message);
            assert!(text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize));
        }
        let is_located = diagnostic.span.is_some() || diagnostic.id == "more-messages";
        assert!(is_located, "no place: {}", diagnostic.message);
    }
    let has_errors = loaded.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert!(loaded.program.is_some() || has_errors, "refused without a reason");
    loaded.program.is_some()
}

const PIECES: [&str; 44] = [
    "{",
    "}",
    "(",
    ")",
    ":",
    ";",
    ",",
    ".",
    "'",
    "\"",
    "=",
    "<-",
    "=>",
    "<=>",
    "<=",
    "&",
    "|",
    "+",
    "-",
    "*",
    "!",
    "[",
    "]",
    "/*",
    "@",
    "in",
    "inter",
    "not ",
    "exists x : T. ",
    "card(",
    "1",
    "x",
    "null",
    "é",
    "≤",
    "proc ",
    "module ",
    "with ",
    "private ",
    "returns ",
    "modifies ",
    "set",
    "int",
    "this",
];

/// The samples with one or two of them changed; how many of so many are still programs.
fn changed(rounds: usize, seed: u64, change: impl Fn(&str, &mut Chance) -> String) -> usize {
    let mut chance = Chance::new(seed);
    let still_good = |_: &usize| {
        let mut files: Vec<(&str, String)> = SAMPLES.iter().map(|(name, text)| (*name, text.to_string())).collect();
        for _ in 0..=chance.below(2) {
            let k = chance.below(files.len());
            files[k].1 = change(&files[k].1, &mut chance);
        }
        survive(&files)
    };
    (0..rounds).filter(still_good).count()
}

#[test]
fn mangled_files() {
    let programs = changed(1_500, 11, |text, chance| mangle(text, &PIECES, chance));
    assert!(programs > 25, "only {programs} of the mangled files are still programs");
}

/// These are read, and the statics have to cope.
#[test]
fn mixed_words() {
    let programs = changed(900, 5, mix_words);
    assert!(programs > 15, "only {programs} of the mixed files are still programs");
}

#[test]
fn files_left_out() {
    for left_out in 0..1u32 << SAMPLES.len() {
        let kept = SAMPLES.iter().enumerate().filter(|(k, _)| left_out & 1 << k == 0);
        survive(&kept.map(|(_, (name, text))| (*name, text.to_string())).collect::<Vec<_>>());
    }
}

#[test]
fn deep_nesting_and_long_chains() {
    let code = |body: &str| survive(&[("m.fl", format!("impl module M {{ proc p(x : int) {{ {body} }} }}"))]);
    let spec = |formula: &str| {
        let text = format!("spec module M {{ format T; specvar A : T set; proc p() ensures {formula}; }}");
        survive(&[("m.sl", text)])
    };
    for n in [190, 900, 60_000] {
        code(&format!("int i = {}1{};", "(".repeat(n), ")".repeat(n)));
        code(&format!("int i = {}1;", "-".repeat(n)));
        code(&format!("int i = 1{};", " + 1".repeat(n)));
        code(&format!("int i = x{};", ".f".repeat(n)));
        code(&format!("int i = x{}", "[1".repeat(n)));
        code(&format!("int{} i;", "[]".repeat(n)));
        code(&format!("int i = new int[1]{};", "[]".repeat(n)));
        code(&"{".repeat(n));
        code(&format!("{}{}", "{".repeat(n), "}".repeat(n)));
        code(&"if (true) ".repeat(n));
        code(&format!("{} ;", "if (true) ; else ".repeat(n)));
        code(&"choice ".repeat(n));
        code(&"while \"true\" (true) ".repeat(n));
        code(&format!("p({}", "p(".repeat(n)));
        spec(&format!("{}true{}", "(".repeat(n), ")".repeat(n)));
        spec(&format!("{}true", "not ".repeat(n)));
        spec(&format!("true{}", " & true".repeat(n)));
        spec(&format!("A = A{}", " + A".repeat(n)));
        spec(&"exists x : T. ".repeat(n));
        spec(&format!("disjoint(A{})", ", A".repeat(n)));
        survive(&[("m.sl", format!("default d : {}pre(*) = true;", "not ".repeat(n)))]);
        survive(&[("m.sl", format!("default d : {}pre(*){} = true;", "(".repeat(n), ")".repeat(n)))]);
        survive(&[("m.sl", format!("default d : pre(*{}) = true;", " - *".repeat(n)))]);
        let plugin = |set: &str| format!("abst module M {{ use plugin \"bounded\"; A = {set}; }}");
        let heap = |text: &str| plugin(&format!("{{ x : T | \"{text}\" }}"));
        let with = |al: String| {
            let fl = "impl module M { format T { n : T; } }".to_string();
            let sl = "spec module M { specvar A : T set; }".to_string();
            survive(&[("m.fl", fl), ("m.sl", sl), ("m.al", al)])
        };
        with(plugin(&format!("A{}", " + A".repeat(n))));
        with(plugin(&format!("{}A{}", "(".repeat(n), ")".repeat(n))));
        with(heap(&format!("{}true{}", "(".repeat(n), ")".repeat(n))));
        with(heap(&format!("true{}", " => true".repeat(n))));
        with(heap(&"exists y : T. ".repeat(n)));
        with(heap(&format!("x{} = x", ".n".repeat(n))));
        with(heap(&format!("x<n{}>x", "*".repeat(n))));
        with(heap(&format!("x<{}n{}>x", "(".repeat(n), ")".repeat(n))));
        with(heap(&format!("x<n{}>x", ".n".repeat(n))));
        survive(&[("m.fl", "impl module ".repeat(n))]);
        survive(&[("m.fl", "/* ".repeat(n))]);
        survive(&[("m.sl", "scope C { ".repeat(n))]);
    }
}

/// Predicates that double in size, and sets that are defined by each other in a long chain.
#[test]
fn definitions_that_grow() {
    let doubled: String = (1..60).map(|k| format!("predicate @p{k}(s) = @p{0}(s) & @p{0}(s);\n", k - 1)).collect();
    let text = format!(
        "spec module M {{ predicate @p0(s) = (s = s);\n{doubled} specvar A : T set; format T; proc p() ensures @p59(A); }}"
    );
    assert!(!survive(&[("m.sl", text)]));
    let nested: String = (1..3_000).map(|k| format!("predicate @p{k}() = not @p{}();\n", k - 1)).collect();
    let text = format!("spec module M {{ predicate @p0() = true;\n{nested} proc p() ensures @p2999(); }}");
    assert!(!survive(&[("m.sl", text)]));
    let arguments: String = (1..60).map(|k| format!("predicate @p{k}(s) = @p{}(s + s);\n", k - 1)).collect();
    let text = format!(
        "spec module M {{ predicate @p0(s) = (s = s);\n{arguments} specvar A : T set; format T; proc p() ensures @p59(A); }}"
    );
    assert!(!survive(&[("m.sl", text)]));
    let variables: Vec<String> = (0..2_000).map(|k| format!("S{k}")).collect();
    let chain: String = (1..2_000).map(|k| format!("S{k} = S{};\n", k - 1)).collect();
    let chained = [
        ("m.fl", "impl module M { format T { f : int; } }".to_string()),
        ("m.sl", format!("spec module M {{ specvar {} : T set; }}", variables.join(", "))),
        ("m.al", format!("abst module M {{ use plugin \"flags\"; {chain} S0 = {{ x : T | \"x.f = 1\" }}; }}")),
    ];
    assert!(survive(&chained));
}

#[test]
fn odd_texts() {
    let bytes: Vec<u8> = (0..=255).collect();
    let bytes = String::from_utf8_lossy(&bytes).to_string();
    for text in [
        "",
        "\u{feff}",
        "\u{feff}impl module M { }",
        "\0",
        "\"",
        "//",
        "/*",
        "\r\n",
        "é",
        "'",
        "'\\",
        "\"\\",
        "@",
        &bytes,
    ] {
        for name in ["a.fl", "a.sl", "a.al", "a.scope"] {
            survive(&[(name, text.to_string())]);
        }
    }
}

/// Ten thousand procedures, and a megabyte: seconds at most without optimisation, far less with it.
#[test]
fn large_programs() {
    within(Duration::from_secs(20), "reading large programs", read_large_programs);
}

fn read_large_programs() {
    let mut code = String::from("impl module M { format T { f : int; }\n");
    let mut spec =
        String::from("spec module M { format T; specvar A, B, C : T set; invariant A <= A;\ndefault d = (B = B);\n");
    for k in 0..10_000 {
        let callee = (k + 1) % 10_000;
        code += &format!(
            "proc p{k}(x : T) returns r : T {{ T y = x; if (y == null) {{ y = p{callee}(x); }} y.f = {k}; return y; }}\n"
        );
        spec += &format!(
            "proc p{k}(x : T) returns r : T requires (x in A) modifies A, B ensures (r' in A') & (A' = A + B);\n"
        );
    }
    let al =
        "abst module M { use plugin \"flags\"; A = { x : T | \"x.f = 1\" }; B = { x : T | \"x.f = 2\" }; C = A + B; }";
    assert!(code.len() > 900_000 && spec.len() > 900_000);
    let files = [("m.fl", code + "}"), ("m.sl", spec + "}"), ("m.al", al.to_string())];
    assert!(survive(&files));
    // The same with a mistake in each of the procedures.
    let wrong = [("m.fl", files[0].1.replace("y.f =", "z.g =")), files[1].clone(), files[2].clone()];
    assert!(!survive(&wrong));
    let mut long = String::from("impl module M { proc p() {\n");
    long += "int i = 1;\n";
    long += &(0..30_000)
        .map(|k| format!("int v{k} = {k} + v{};\n", if k == 0 { 0 } else { k - 1 }))
        .collect::<String>()
        .replacen("+ v0;", "+ i;", 1);
    assert!(survive(&[("m.fl", long + "} }")]));
    let modules: String = (0..2_000)
        .map(|k| format!("spec module M{k} {{ specvar A : T set; proc p() modifies A ensures true; }}\n"))
        .collect();
    assert!(survive(&[("m.sl", format!("spec module T {{ format T; }}\n{modules}"))]));
}
