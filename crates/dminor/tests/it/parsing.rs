//! What is printed reads back to the same tree: the suite, the traps of docs/dminor.md, "Programs", and random trees.

use crate::corpus;
use dminor::interp::Random;
use dminor::syntax::ast::*;
use dminor::syntax::{self, parse, print};
use num_bigint::BigInt;
use source::{FileId, SourceMap, Span};

#[track_caller]
fn read(text: &str) -> Vec<Module> {
    let syntax::Parsed { modules, diagnostics, .. } = parse(text, FileId(0), &work::Stop::default());
    let mut map = SourceMap::default();
    map.add("test.dm", text);
    assert!(diagnostics.is_empty(), "{}\nin\n{text}", corpus::render(&map, &diagnostics));
    modules
}

/// The expression, as it is printed again: shows how it was read.
#[track_caller]
fn check(text: &str, printed: &str) {
    let modules = read(&format!("f(x: Any) : Any {{ {text} }}"));
    let Decl::Function { body, .. } = &modules[0].decls[0] else { panic!("a function") };
    assert_eq!(syntax::expression(body), printed);
}

#[track_caller]
fn check_type(text: &str, printed: &str) {
    let modules = read(&format!("type T : {text};"));
    let Decl::Type { definition, .. } = &modules[0].decls[0] else { panic!("a type") };
    assert_eq!(syntax::type_text(definition), printed);
}

#[test]
fn precedence() {
    check("1 + 2 * 3 - 4", "1 + 2 * 3 - 4");
    check("(1 + 2) * 3", "(1 + 2) * 3");
    check("1 - (2 - 3)", "1 - (2 - 3)");
    check("((1 - 2) - 3)", "1 - 2 - 3");
    check("n-1", "n - 1");
    check("1 :: 2 :: {}", "1 :: 2 :: {}");
    check("(1 :: {2}) :: {}", "(1 :: {2}) :: {}");
    check("1 :: a ++ b", "1 :: a ++ b");
    check("a && b || c && d", "a && b || c && d");
    check("a && (b || c)", "a && (b || c)");
    check("!a == b", "!a == b");
    check("!(a == b)", "!(a == b)");
    check("-x.y", "-x.y");
    check("(-x).y", "(-x).y");
    check("a < b == c < d", "a < b == c < d");
    check("a ? b : c ? d : e", "a ? b : c ? d : e");
    check("(a ? b : c) ? d : e", "(a ? b : c) ? d : e");
    check("(from x in c select x).Count", "(from x in c select x).Count");
    check("1 + (let x = 1 in x)", "1 + (let x = 1 in x)");
}

#[test]
fn after_in_there_is_no_suffix() {
    check("x in Integer ? a : b", "x in Integer ? a : b");
    check("x in (Integer?) ? a : b", "x in (Integer?) ? a : b");
    check("x in (A & B) && y", "x in (A & B) && y");
    check("x in !A", "x in !A");
    check("x in {1}", "x in {1}");
    check("x in {Integer*}", "x in (Integer*)");
    check("x in A in Logical", "x in A in Logical");
}

#[test]
fn an_in_ends_the_initialiser_of_a_let() {
    check("let y = x in y", "let y = x in y");
    check("let y = (x in A) in y", "let y = (x in A) in y");
    check("let y = {x in A} in y", "let y = {x in A} in y");
    check("let y = f(x in A) in y", "let y = f(x in A) in y");
    check("let y = let z = 1 in z in y", "let y = let z = 1 in z in y");
    check("let y = from z in c select z in y", "let y = from z in c select z in y");
    check("let y = 1 : Integer where value > 0 in y", "let y = 1 : Integer where value > 0 in y");
    check("let y = 1 in y in A", "let y = 1 in y in A");
    check("from z in c let y = z in A accumulate y", "from z in c let y = z in A accumulate y");
}

#[test]
fn ascription_and_condition() {
    check("(a ? b : c)", "a ? b : c");
    check("(a ? b : c : T)", "(a ? b : c : T)");
    check("a ? (b : T) : c", "a ? (b : T) : c");
    check("((a : T) : U)", "((a : T) : U)");
    let body = "f(x: Any) : Any { x : Integer }";
    assert_eq!(print(&read(body)), format!("{body}\n"));
}

#[test]
fn braces() {
    check("{}", "{}");
    check("{{}}", "{{}}");
    check("{a => 1, b => {2}}", "{a => 1, b => {2}}");
    check("{a}", "{a}");
    check("{type => 1}.type", "{type => 1}.type");
    check("x.\"a b\".\"Count\".Count", "x.\"a b\".\"Count\".Count");
    check_type("{a: Integer; b: Text}", "{a: Integer; b: Text;}");
    check_type("{Integer*}", "Integer*");
    check_type("{(A | B)*}", "(A | B)*");
    check_type("{a: {Integer*};}", "{a: Integer*;}");
    check_type("{\"a\"}", "{\"a\"}");
    check_type("{\"a\": Any}", "{a: Any;}");
    check_type("{{a => 1}}", "{{a => 1}}");
    check_type("{from x in c where x in (A*) select x}", "{from x in c where x in (A*) select x}");
}

#[test]
fn types() {
    check_type("A | B & C", "A | B & C");
    check_type("(A | B) & C", "(A | B) & C");
    check_type("A | B where e", "A | B where e");
    check_type("A | (B where e)", "A | (B where e)");
    check_type("A where e where f", "A where e where f");
    check_type("!A*", "!A*");
    check_type("!(A*)", "!(A*)");
    check_type("A?*", "A?*");
    check_type("(x: A | B where x == 1)*", "(x: A | B where x == 1)*");
    check_type("(x: (A where e) where x == 1)", "(x: (A where e) where x == 1)");
}

#[test]
fn the_suite_reads_back() {
    for kind in ["ok", "reject"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(kind);
        for entry in std::fs::read_dir(folder).expect("the suite") {
            let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("UTF-8");
            let modules = read(&text);
            assert_eq!(read(&print(&modules)), modules);
        }
    }
}

struct Trees(Random);

impl Trees {
    fn name(&mut self) -> Ident {
        let names = ["a", "x", "value", "rest", "Count", "Tree", "_1"];
        Ident { text: names[self.0.below(names.len())].to_string(), span: Span::default() }
    }

    fn label(&mut self) -> Ident {
        let names = ["a", "type", "in", "a b", "Count", "", "\"\\\n"];
        Ident { text: names[self.0.below(names.len())].to_string(), span: Span::default() }
    }

    fn ty(&mut self, depth: usize) -> Type {
        let inner = |t: &mut Trees| Box::new(t.ty(depth.saturating_sub(1)));
        let kind = match self.0.below(if depth == 0 { 1 } else { 10 }) {
            0 => TypeKind::Name(self.name().text),
            1 => TypeKind::Collection(inner(self)),
            2 => TypeKind::Nullable(inner(self)),
            3 => TypeKind::Not(inner(self)),
            4 => TypeKind::And(inner(self), inner(self)),
            5 => TypeKind::Or(inner(self), inner(self)),
            6 => {
                let count = 1 + self.0.below(3);
                TypeKind::Entity((0..count).map(|_| (self.label(), self.ty(depth - 1))).collect())
            }
            7 => TypeKind::Refinement(Some(self.name()), inner(self), Box::new(self.expr(depth - 1))),
            8 => TypeKind::Refinement(None, inner(self), Box::new(self.expr(depth - 1))),
            _ => TypeKind::Singleton(Box::new(self.expr(depth - 1))),
        };
        Type { kind, span: Span::default() }
    }

    fn expr(&mut self, depth: usize) -> Expr {
        let inner = |t: &mut Trees| Box::new(t.expr(depth.saturating_sub(1)));
        let many = |t: &mut Trees| {
            let count = t.0.below(4);
            (0..count).map(|_| t.expr(depth.saturating_sub(1))).collect::<Vec<_>>()
        };
        let kind = match self.0.below(if depth == 0 { 5 } else { 18 }) {
            0 => ExprKind::Null,
            1 => ExprKind::Logical(self.0.below(2) == 0),
            2 => ExprKind::Integer(BigInt::from(self.0.draw())),
            3 => ExprKind::Text(self.label().text),
            4 => ExprKind::Var(self.name().text),
            5 => ExprKind::Call(self.name(), many(self)),
            6 => {
                let op = if self.0.below(2) == 0 { UnaryOp::Neg } else { UnaryOp::Not };
                ExprKind::Unary(op, inner(self))
            }
            7 | 8 => {
                use BinaryOp::*;
                let ops = [Or, And, Eq, Ne, Lt, Gt, Le, Ge, Cons, Add, Sub, Concat, Mul, Div];
                ExprKind::Binary(ops[self.0.below(ops.len())], inner(self), inner(self))
            }
            9 => ExprKind::Cond(inner(self), inner(self), inner(self)),
            10 => ExprKind::Let(self.name(), inner(self), inner(self)),
            11 => ExprKind::Test(inner(self), Box::new(self.ty(depth - 1))),
            12 => ExprKind::Ascribe(inner(self), Box::new(self.ty(depth - 1))),
            13 => {
                let count = 1 + self.0.below(3);
                ExprKind::Entity((0..count).map(|_| (self.label(), self.expr(depth - 1))).collect())
            }
            14 => ExprKind::Collection(many(self)),
            15 => match self.0.below(3) {
                0 => ExprKind::Count(inner(self)),
                _ => ExprKind::Select(inner(self), self.label()),
            },
            16 => ExprKind::Accumulate(Box::new(Accumulate {
                item: self.name(),
                source: self.expr(depth - 1),
                accumulator: self.name(),
                initial: self.expr(depth - 1),
                invariant: if self.0.below(2) == 0 { Some(self.expr(depth - 1)) } else { None },
                body: self.expr(depth - 1),
            })),
            _ => ExprKind::Query(Box::new(Query {
                item: self.name(),
                source: self.expr(depth - 1),
                filter: if self.0.below(2) == 0 { Some(self.expr(depth - 1)) } else { None },
                select: self.expr(depth - 1),
            })),
        };
        Expr { kind, span: Span::default() }
    }
}

#[test]
fn random_trees_read_back() {
    for seed in 0..3_000 {
        let mut trees = Trees(Random::new(seed));
        let depth = 1 + trees.0.below(5);
        let parameters = (0..trees.0.below(3)).map(|_| (trees.name(), trees.ty(depth))).collect();
        let function =
            Decl::Function { name: trees.name(), parameters, result: trees.ty(depth), body: trees.expr(depth) };
        let note = Note { differs: Differs::Wider, text: "#/a: a pattern".to_string() };
        let notes = vec![note; trees.0.below(3)];
        let named = Decl::Type { name: trees.name(), definition: trees.ty(depth), notes };
        let name = if trees.0.below(2) == 0 { Some(trees.name()) } else { None };
        let modules = vec![Module { name, decls: vec![function, named] }];
        let text = print(&modules);
        assert_eq!(read(&text), modules, "{text}");
    }
}

/// A line ends with a carriage return too: what follows a comment is not hidden.
#[test]
fn lines_end_in_three_ways() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["// a comment", "type A : Integer; // and another", "f(x: A) : A { x }", ""].join(end);
        let modules = read(&text);
        assert_eq!(modules[0].decls.len(), 2, "{end:?}");
        let mut map = SourceMap::default();
        let file = map.add("test.dm", text.replace("A { x }", "A { y }"));
        let problems = dminor::load(&map.file(file).text, file).diagnostics;
        let at = map.start(problems[0].span.expect("a place"));
        assert_eq!((at.line, at.column), (3, 15), "{end:?}");
        assert_eq!(map.line(file, 3), "f(x: A) : A { y }");
        // A text does not go over lines.
        let open = format!("f() : Text {{ \"a{end}b\" }}");
        let problems = parse(&open, FileId(0), &work::Stop::default()).diagnostics;
        assert!(problems.iter().any(|d| d.id == "endless-text"), "{end:?}");
    }
}

/// How a type differs from its schema is part of the program; other comments are not.
#[test]
fn notes_on_types() {
    let text = "//# wider: #/a: no patterns\n// other\n//# narrower: #/b: no lengths\ntype A : Text;\n//# odd: x\ntype B : Text;\n";
    let modules = read(text);
    let notes = |k: usize| match &modules[0].decls[k] {
        Decl::Type { notes, .. } => notes.iter().map(|n| (n.differs, n.text.as_str())).collect::<Vec<_>>(),
        Decl::Function { .. } => Vec::new(),
    };
    assert_eq!(notes(0), [(Differs::Wider, "#/a: no patterns"), (Differs::Narrower, "#/b: no lengths")]);
    assert_eq!(notes(1), []);
    assert_eq!(read(&print(&modules)), modules);
}
