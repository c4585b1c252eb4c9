//! Any text gives diagnostics, never a panic, and soon: definitions mangled by a fixed generator, token soup for terms and bounds, and
//! the inputs that once took for ever.

use lang::term::Terms;
use source::{FileId, SourceMap};
use std::time::Duration;
use test_kit::effort::within;
use test_kit::mangle::{mangle, tokens};
use work::{Chance, Stop};

/// What is put in.
const PIECES: &[&str] = &[
    "language",
    "extends",
    "assuming",
    "sound",
    "var",
    "atom",
    "loc",
    "int",
    "syntax",
    "env",
    "store",
    "judgment",
    "reduction",
    "fun",
    "bounds",
    "check",
    "replace",
    "add",
    "remove",
    "expect",
    "holds",
    "fails",
    "size",
    "nodes",
    "total",
    "exists",
    "forall",
    "where",
    "fresh",
    "dom",
    "is",
    "not",
    "steps",
    "or",
    "in",
    "if",
    "error",
    "::=",
    "|",
    "[",
    "]",
    "[]",
    "(",
    ")",
    "{",
    "}",
    "'",
    "''",
    "'x0'",
    ",",
    ".",
    ":",
    ";",
    "=",
    "=>",
    "-->",
    "->",
    "|-",
    "⊢",
    "⟨",
    "⟩",
    "λ",
    "Λ",
    "\\",
    "∀",
    "·",
    "--",
    " -- ",
    "----",
    "---- N",
    "-----",
    "  [N]",
    "{left}",
    "{right}",
    "{bind x in t}",
    "{unused ok}",
    "{weight 3}",
    "_",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "t",
    "t1",
    "t'",
    "T",
    "x",
    "x1",
    "v",
    "E",
    "Γ",
    "σ",
    "Σ'",
    "⊇",
    "⊆",
    "\t",
    "\r",
    "\n",
    "   ",
    "\u{feff}",
    "\u{0}",
    "é",
    "𝔸",
    "\u{301}",
    "\u{2028}",
    "₁",
    "′",
    "🦀",
    "/",
    "..",
    "<=",
    "≠",
    "∈",
    "∉",
    "+",
    "#",
    "sucd",
];

/// Reads a text; everything it says must be about a place in it.
fn read(text: &str) -> bool {
    let mut map = SourceMap::default();
    let id = map.add("mangled.lang", text);
    let file = lang::syntax::parse(text, id);
    for d in &file.diagnostics {
        for span in d.span.iter().chain(d.related.iter().map(|(s, _)| s)) {
            assert!(span.start <= span.end && span.end as usize <= text.len(), "{d:?} in\n{text}");
            assert!(text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize), "{d:?}");
        }
        assert!(d.span.is_some() && !d.message.is_empty(), "{d:?} in\n{text}");
    }
    assert!(file.has_errors() || file.languages.iter().all(Option::is_some), "{text}");
    // What is returned can be used.
    for lang in file.langs() {
        lang::latex::definition(lang);
        for rule in &lang.rules {
            lang::print::conclusion(lang, rule);
            rule.premises.iter().for_each(|p| drop(lang::print::premise(lang, &rule.metas, &p.premise)));
        }
    }
    !file.has_errors()
}

/// How many cases; more with `GLASSBOX_FUZZ=200000`.
fn cases(usual: usize) -> usize {
    std::env::var("GLASSBOX_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn mangled_definitions() {
    let mut chance = Chance::new(1);
    // The first language of a file: mangled extensions would mostly repeat it.
    let seeds: Vec<String> = crate::corpus::definitions()
        .into_iter()
        .map(|(_, text)| {
            let mut parts = text.split("\nlanguage ");
            let first = parts.next().unwrap_or("").to_string();
            match parts.next() {
                Some(second) => format!("{first}\nlanguage {second}"),
                None => first,
            }
        })
        .collect();
    let mut good = 0;
    let all = cases(1000);
    for _ in 0..all {
        let seed = chance.pick(&seeds).clone();
        let text = mangle(&seed, PIECES, &mut chance);
        good += usize::from(soon(&text, &text));
    }
    // Neither all of them right, nor all of them wrong.
    assert!(good > all / 50 && good < all * 9 / 10, "{good} of {all}");
}

#[test]
fn soup() {
    let mut chance = Chance::new(2);
    for _ in 0..cases(1000) {
        let n = chance.below(60);
        let text: String =
            (0..n).map(|_| format!("{}{}", chance.pick(PIECES), chance.pick(&["", " ", " ", "\n", "  "]))).collect();
        read(&text);
        read(&format!("language a\n{text}"));
    }
}

#[test]
fn terms_and_bounds() {
    let mut chance = Chance::new(3);
    let files: Vec<_> =
        crate::corpus::definitions().into_iter().map(|(_, text)| lang::syntax::parse(&text, FileId(0))).collect();
    let langs: Vec<&lang::Lang> = files.iter().filter_map(|f| f.langs().next()).collect();
    for _ in 0..cases(2000) {
        let lang = *chance.pick(&langs);
        let own: Vec<String> = lang.prods.iter().flat_map(|p| tokens(&p.text)).collect();
        let n = chance.below(24);
        let text: String = (0..n)
            .map(|_| {
                let piece =
                    if chance.below(5) == 0 { chance.pick(PIECES).to_string() } else { chance.pick(&own).clone() };
                format!("{piece}{}", chance.pick(&["", " ", " "]))
            })
            .collect();
        let mut terms = Terms::new(lang);
        let sorts: Vec<lang::SortId> = lang.sort_ids().collect();
        if let Ok((sort, term)) = lang::syntax::read_term(&mut terms, &text, FileId(0), &[*chance.pick(&sorts)]) {
            let printed = lang::print::term(&terms, term);
            let again = lang::syntax::read_term(&mut terms, &printed, FileId(0), &[sort]);
            assert!(again.is_ok_and(|(_, t)| t == term), "{}: '{text}' is printed '{printed}'", lang.name);
        }
        // Whatever comes of it.
        let _ = lang::syntax::read_bounds(lang, &text, FileId(0));
    }
}

/// Reads a text, with little work.
#[track_caller]
fn soon(what: &str, text: &str) -> bool {
    within(Duration::from_secs(20), what, || read(text))
}

#[test]
fn hard_texts() {
    let head = "language hard\nvar x\nsyntax\n  t ::= x | 0 | t t {left} | λ x. t {bind x in t} | t + t\n  T ::= o\n";
    let ambiguous = "language hard\nsyntax\n  t ::= 0 | t t | t t t | t t t t | t + t\n";
    let units = |n: usize| -> String {
        let name = |k: usize| "a".repeat(k + 1);
        (0..n).map(|k| format!("  {} ::= {} | 0{k} z\n", name(k), name(k + 1))).collect()
    };
    for (what, head) in [("plain", head), ("ambiguous", ambiguous)] {
        for (form, n) in [
            ("0 ", 390),
            ("( ", 390),
            ("(0 ", 190),
            ("0 + ", 190),
            (") ", 390),
            ("[ ", 390),
            ("λ x. ", 90),
            ("0 (", 190),
        ] {
            let rule = format!("{head}reduction t --> t'\n  {} 0 --> 0  [r]\n", form.repeat(n));
            soon(&format!("{what}: {form}"), &rule);
        }
        let closed = format!("{head}reduction t --> t'\n  {}0{} --> 0  [r]\n", "(".repeat(190), ")".repeat(190));
        soon("parentheses", &closed);
        let premises = format!("{head}reduction t --> t'\njudgment t ok\n  {}\n  --- r\n  t ok\n", "t ok, ".repeat(90));
        soon("premises", &premises);
        let premises =
            format!("{head}reduction t --> t'\njudgment t ok\n  {} t\n  --- r\n  t ok\n", "t = t , ".repeat(90));
        soon("premises that come to nothing", &premises);
        let check =
            format!("{head}reduction t --> t'\ncheck c : {} => {}\n", "t = t, ".repeat(40), "t = t or ".repeat(40));
        soon("a check", &check);
    }
    soon(
        "chains",
        &format!(
            "language hard\nsyntax\n{}  {} ::= 1\nreduction a --> a'\n  {}\n",
            units(60),
            "a".repeat(61),
            "0 --> 0  [r]"
        ),
    );
    soon("one long line", &format!("language hard\nsyntax\n  t ::= {}\n", "0 | ".repeat(20_000)));
    soon(
        "long alternative",
        &format!("language hard\nsyntax\n  t ::= 0 | {}\n  v ::= 0 | {}\n", "t ".repeat(3000), "0 ".repeat(3000)),
    );
    soon(
        "many bars",
        &format!(
            "language hard\nsyntax t ::= 0\njudgment t ok\n{}\n{}\n",
            "---- a ".repeat(2000),
            "t ok   ".repeat(2000)
        ),
    );
    soon("many quotes", &format!("language hard\n{}\n", "'".repeat(100_000)));
    soon("many languages", &"language a\nsyntax t ::= 0\nlanguage b extends a\n".repeat(300));
    soon(
        "many sorts",
        &format!(
            "language hard\nsyntax\n{}",
            (0..200).map(|k| format!("  {} ::= 0 | 1\n", "s".repeat(k + 1))).collect::<String>()
        ),
    );
    soon("deep attributes", &format!("language hard\nsyntax\n  t ::= 0 {}\n", "{".repeat(50_000)));
}

/// So many operators, each with a rule of two judgments.
fn many_rules(n: usize) -> String {
    let all = |form: &dyn Fn(usize) -> String| (0..n).map(form).collect::<String>();
    let operators = all(&|i| format!(" | op{i} t t"));
    let typed = all(&|i| format!("  ⊢ t1 : N   ⊢ t2 : N\n  ----------------- T{i}\n  ⊢ op{i} t1 t2 : N\n\n"));
    let steps = all(&|i| format!("  op{i} v1 v2 --> v1  [E{i}]\n"));
    format!(
        "language many\nsyntax\n  t ::= 0{operators}\n  v ::= 0\n  T ::= N\njudgment ⊢ t : T\n{typed}reduction t --> t'\n{steps}"
    )
}

#[test]
fn reading_and_mutants_heed_a_limit() {
    let text = many_rules(2000);
    assert!(lang::syntax::parse_until(&text, FileId(0), &Stop::after(Duration::from_millis(20))).is_none());
    let text = many_rules(300);
    let file = lang::syntax::parse_until(&text, FileId(0), &Stop::default()).expect("time enough");
    let language = file.langs().next().expect("a language");
    // All of them, six for each operator, are made in seconds.
    let made = lang::mutate::mutants_until(language, &Stop::after(Duration::from_millis(100)));
    assert!(!made.is_empty() && made.len() < 6 * 300, "{}", made.len());
}

/// No type of this size has the parts it needs, and there are 10 to the power of 14 ways to see that.
#[test]
fn a_universe_is_built_in_limited_work() {
    let text = "language hard\natom a\nsyntax\n  U ::= u a a\n  T ::= t U U U U U U U U\n  e ::= 0 | e : T\njudgment ⊢ e : T\n  ⊢ e : T : T  [r]\nbounds a: 10, T: size 8, U: size 8\n";
    let file = lang::syntax::parse(text, FileId(0));
    let language = file.langs().next().unwrap_or_else(|| panic!("{:?}", file.diagnostics));
    let built = lang::universe::Universe::build(&mut Terms::new(language), None, 0);
    assert!(built.is_err(), "an explosion");
}
