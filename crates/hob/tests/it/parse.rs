//! Texts to syntax: what is read, and what is reported about what cannot be.

use crate::corpus::{SAMPLES, messages, program, render};
use expect_test::{Expect, expect};
use hob::program::{ExprKind, SpecVarKind, StmtKind, TypeId};
use hob::syntax::ast::{Files, Formula, FormulaKind, Quoted};
use hob::syntax::{parse, parse_formula};
use hob::{FileKind, Input};
use source::{FileId, SourceMap, Span};

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

/// The paper's spellings of declarations, and clauses in another order.
#[test]
fn spellings_of_the_paper() {
    let program = program(&[(
        "m.sl",
        "spec module M { type t; set S; set R : t; predvar b; proc p(x : t, y : t) modifies S requires b ensures true; }",
    )]);
    let kinds: Vec<SpecVarKind> = program.spec_vars.iter().map(|v| v.kind).collect();
    assert_eq!(kinds, [SpecVarKind::Set(None), SpecVarKind::Set(Some(TypeId(0))), SpecVarKind::Bool]);
    let proc = &program.procs[0];
    assert_eq!((proc.formals, proc.contract.requires.len(), proc.contract.modifies.len()), (2, 1, 1));
}

#[test]
fn literals() {
    let text = r#"impl module M { proc p() {
        int a = 0x1F; int b = 017; int c = 0; float d = 1.5; float e = 2e3; float f = .5; float g = 1.; float h = 3f;
        char i = 'x'; char j = '\n'; char k = '\''; char l = '\u00e4'; string m = "a\t\"b\\\u0041";
        string n = "two
lines"; int[][] o = new int[2][]; int q = 3-2; int r = -  1;
    } }"#;
    let program = program(&[("m.fl", text)]);
    let values: Vec<String> = program.procs[0]
        .body
        .iter()
        .flatten()
        .map(|s| match &s.kind {
            StmtKind::Declare(_, Some(value)) => match &value.kind {
                ExprKind::Int(v) => v.to_string(),
                ExprKind::Float(v) => format!("{v:?}"),
                ExprKind::Char(v) => format!("{v:?}"),
                ExprKind::String(v) => format!("{v:?}"),
                ExprKind::NewArray(lengths) => format!("{} of {:?}", lengths.len(), value.ty),
                ExprKind::Binary(op, _, _) => format!("{op:?}"),
                ExprKind::Unary(op, _) => format!("{op:?}"),
                other => format!("{other:?}"),
            },
            other => format!("{other:?}"),
        })
        .collect();
    let expected = [
        "31",
        "15",
        "0",
        "1.5",
        "2000.0",
        "0.5",
        "1.0",
        "3.0",
        "'x'",
        "'\\n'",
        "'\\''",
        "'ä'",
        r#""a\t\"b\\A""#,
        r#""two\nlines""#,
        "1 of Array(Array(Int))",
        "Subtract",
        "Negate",
    ];
    assert_eq!(values, expected);
}

/// After a mistake the next statement, member and module are read.
#[test]
fn several_mistakes() {
    let text = "--- m.fl
impl module A {
    proc p() { int i = ; i = 3 i = 4; if (i { i++; } while (i < 3) i++; }
    proc q() { if (true) { i++;
    proc r() { x..f = 1; }
    format T { f g; }
    reference a b;
    proc s() { return }
}
impl modul B { }
impl module C { proc p() { = } }
";
    expect![[r#"
        m.fl:2:24: syntax-error: expected an expression, but found `;`
            help: look for an operator or a comma too many
        m.fl:2:32: syntax-error: expected `;` after the statement, but found `i`
            help: a statement ends with `;`
        m.fl:2:45: syntax-error: expected `)` after the condition, but found `{`
            help: a condition goes in parentheses
        m.fl:4:5: syntax-error: expected a statement or `}`, but found `proc`
            m.fl:3:26: this brace is not closed
            help: add the `}` that is missing, here or before; or there is a `{` too many
        m.fl:4:18: syntax-error: expected the name of a field or procedure, but found `.`
            help: a field is read as `x.f`
        m.fl:5:18: syntax-error: expected `:` after the name of a field, but found `g`
            help: a format is written `format T { f : int; next : T; }`
        m.fl:7:23: syntax-error: expected an expression, but found `}`
            help: look for an operator or a comma too many
        m.fl:9:6: syntax-error: expected `module` after `impl`, but found `modul`
            help: a module is written `impl module M { … }`
        m.fl:10:28: syntax-error: expected an expression, but found `=`
            help: write `x = x + 1`: there is no `+=` and its kin
    "#]]
    .assert_eq(&messages(text));
}
