//! Texts to syntax: what is read, and what is told about what cannot be.

mod corpus;

use corpus::{SAMPLES, load, render};
use expect_test::{Expect, expect};
use hob::syntax::ast::{Files, Formula, FormulaKind, Quoted};
use hob::syntax::{parse, parse_formula};
use hob::{FileKind, Input};
use source::{FileId, SourceMap, Span};

/// All messages about one file.
#[track_caller]
#[allow(dead_code)]
fn check(name: &str, text: &str, expected: Expect) {
    let (map, loaded) = load(&[(name, text)]);
    expected.assert_eq(&render(&map, &loaded.diagnostics));
}

/// How a formula was read, with all parentheses.
#[track_caller]
fn check_formula(text: &str, expected: Expect) {
    let mut map = SourceMap::default();
    let file = map.add("formula", text);
    let mut diagnostics = Vec::new();
    let quoted = Quoted { text: text.to_string(), span: Span::new(file, 0, text.len()) };
    let shown = match parse_formula(&quoted, &mut diagnostics) {
        Some(formula) => shown(&formula),
        None => render(&map, &diagnostics),
    };
    expected.assert_eq(&shown);
}

fn shown(formula: &Formula) -> String {
    match &formula.kind {
        FormulaKind::True => "true".to_string(),
        FormulaKind::False => "false".to_string(),
        FormulaKind::Empty => "{}".to_string(),
        FormulaKind::Name { name, primed } => {
            let module = name.module.as_ref().map_or(String::new(), |m| format!("{}.", m.text));
            format!("{module}{}{}", name.name.text, if *primed { "'" } else { "" })
        }
        FormulaKind::Binary(op, a, b) => format!("({op:?} {} {})", shown(a), shown(b)),
        FormulaKind::Not(a) => format!("(Not {})", shown(a)),
        FormulaKind::Card(a, op, n) => format!("(Card {} {op:?} {n})", shown(a)),
        FormulaKind::Disjoint(all) => format!("(Disjoint {})", all.iter().map(shown).collect::<Vec<_>>().join(" ")),
        FormulaKind::Quantified { exists, variables, elements, set, body } => {
            let names: Vec<&str> = variables.iter().map(|v| v.text.as_str()).collect();
            let elements = elements.as_ref().map_or("?", |e| e.text.as_str());
            let (word, kind) = (if *exists { "Exists" } else { "Forall" }, if *set { " set" } else { "" });
            format!("({word} {} : {elements}{kind}. {})", names.join(" "), shown(body))
        }
        FormulaKind::Predicate { name, primed, arguments } => {
            let arguments: Vec<String> = arguments.iter().map(shown).collect();
            format!("@{}{}({})", name.text, if *primed { "'" } else { "" }, arguments.join(", "))
        }
        FormulaKind::Uninterpreted(quoted) => format!("{:?}", quoted.text),
    }
}

#[test]
fn the_samples_are_read() {
    let mut files = Files::default();
    let mut diagnostics = Vec::new();
    for (k, (name, text)) in SAMPLES.iter().enumerate() {
        let kind = FileKind::of(name).expect("a kind");
        parse(&Input { file: FileId(k as u32), kind, text }, &mut files, &mut diagnostics);
    }
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(files.impls.len(), 5);
    assert_eq!(files.specs.len(), 6);
    assert_eq!(files.abstractions.len(), 4);
    assert_eq!(files.scopes.len(), 1);
}

#[test]
fn precedences_of_formulas() {
    check_formula("a = b & c", expect!["(Equal a (And b c))"]);
    check_formula("(a = b) & (c <= d')", expect!["(And (Equal a b) (Subset c d'))"]);
    check_formula("a | b & c | d", expect!["(Or (Or a (And b c)) d)"]);
    check_formula("A + B - C inter D in E", expect!["(Subset (Difference (Union A B) (Intersection C D)) E)"]);
    check_formula("not a & b", expect!["(And (Not a) b)"]);
    check_formula("card(A + B) <= 3 & b", expect!["(And (Card (Union A B) AtMost 3) b)"]);
    check_formula("exists x : T. (x in S) & b", expect!["(And (Exists x : T. (Subset x S)) b)"]);
    check_formula(
        "forall x, y : T set. not exists S. M.b'",
        expect!["(Forall x y : T set. (Not (Exists S : ? set. M.b')))"],
    );
    check_formula("@p'(A, x + {}) <=> \"ALL x\"", expect![[r#"(Iff @p'(A, (Union x {})) "ALL x")"#]]);
    check_formula("disjoint(A, B', {}) => true", expect!["(Implies (Disjoint A B' {}) true)"]);
}
