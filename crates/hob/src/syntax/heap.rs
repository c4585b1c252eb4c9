//! Formulas about the concrete heap, which stand in the strings of abstractions: `x.f = 1`, `root<next*>x`,
//! `exists i : int. 0 <= i & i < size & a[i] = x`.
//!
//! From weak to strong: `<=>`, `=>` (to the right), `|`, `&`, `not`, comparisons, `+ -`, `* / %`. The body of a quantifier extends as far
//! as possible. What is a term and what a formula is decided later. `<` begins a route if what follows up to a `>` reads as one: it has a `*`,
//! `?` or postfix `+`, or it is made of fields only.

use super::ast::{BinaryOp, Ident, Quoted, TypeName};
use super::lexer::{self, Kind, Mode};
use super::parser::{Parsed, Parser};
use source::{Diagnostic, Span};

#[derive(Clone, Debug)]
pub struct Heap {
    pub kind: HeapKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum HeapKind {
    Null,
    Int(i64),
    Bool(bool),
    Name(String),
    Field(Box<Heap>, Ident),
    Index(Box<Heap>, Box<Heap>),
    Arithmetic(BinaryOp, Box<Heap>, Box<Heap>),
    Not(Box<Heap>),
    And(Box<Heap>, Box<Heap>),
    Or(Box<Heap>, Box<Heap>),
    Implies(Box<Heap>, Box<Heap>),
    Iff(Box<Heap>, Box<Heap>),
    Compare(BinaryOp, Box<Heap>, Box<Heap>),
    Reach(Box<Heap>, Route, Box<Heap>),
    Quantified { exists: bool, variables: Vec<Ident>, ty: TypeName, body: Box<Heap> },
}

#[derive(Clone, Debug)]
pub enum Route {
    Field(Ident),
    Sequence(Vec<Route>),
    Either(Vec<Route>),
    Star(Box<Route>),
    Plus(Box<Route>),
    Optional(Box<Route>),
}

const WORDS: [&str; 7] = ["null", "true", "false", "not", "exists", "forall", "in"];
const FORMULA: &str = "write such as `x.f = 1`, `root<next*>x` or `exists i : int. 0 <= i & i < size & a[i] = x`";
const ROUTE: &str = "a route is made of fields: `next*`, `left|right`, `(left|right)*`, `next.data`, `next+`, `next?`";

/// None: what is wrong has been reported.
pub fn parse(quoted: &Quoted, is_field: &dyn Fn(&str) -> bool, diagnostics: &mut Vec<Diagnostic>) -> Option<Heap> {
    let known = diagnostics.len();
    let tokens = lexer::tokens(&quoted.text, quoted.span.file, quoted.span.start as usize, Mode::Formula, diagnostics);
    if diagnostics.len() > known {
        return None;
    }
    let mut parser = Heaps { parser: Parser::new(tokens, &WORDS, diagnostics), is_field };
    let heap = parser.formula().ok()?;
    if !parser.parser.at_end() {
        parser.parser.unexpected("an operator, or the end of the condition", FORMULA);
        return None;
    }
    Some(heap)
}

struct Heaps<'a, 'd, 'f> {
    parser: Parser<'a, 'd>,
    is_field: &'f dyn Fn(&str) -> bool,
}

impl Heaps<'_, '_, '_> {
    fn made(&self, start: Span, kind: HeapKind) -> Heap {
        Heap { kind, span: self.parser.since(start) }
    }

    fn formula(&mut self) -> Parsed<Heap> {
        let start = self.parser.span();
        let mut left = self.implications()?;
        while self.parser.accept("<=>") {
            self.parser.link()?;
            let right = self.implications()?;
            left = self.made(start, HeapKind::Iff(Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn implications(&mut self) -> Parsed<Heap> {
        self.parser.enter()?;
        let start = self.parser.span();
        let mut left = self.alternatives()?;
        if self.parser.accept("=>") {
            self.parser.link()?;
            let right = self.implications()?;
            left = self.made(start, HeapKind::Implies(Box::new(left), Box::new(right)));
        }
        self.parser.leave();
        Ok(left)
    }

    fn alternatives(&mut self) -> Parsed<Heap> {
        let start = self.parser.span();
        let mut left = self.conjunctions()?;
        while self.parser.accept("|") {
            self.parser.link()?;
            let right = self.conjunctions()?;
            left = self.made(start, HeapKind::Or(Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn conjunctions(&mut self) -> Parsed<Heap> {
        let start = self.parser.span();
        let mut left = self.unary()?;
        while self.parser.accept("&") {
            self.parser.link()?;
            let right = self.unary()?;
            left = self.made(start, HeapKind::And(Box::new(left), Box::new(right)));
        }
        match self.parser.kind() {
            Kind::Symbol("&&") => Err(self.parser.unexpected("an operator", "here `and` is written `&`")),
            Kind::Symbol("||") => Err(self.parser.unexpected("an operator", "here `or` is written `|`")),
            Kind::Symbol("'") => {
                Err(self.parser.unexpected("an operator", "an abstraction speaks of one state: it has no primes"))
            }
            _ => Ok(left),
        }
    }

    fn unary(&mut self) -> Parsed<Heap> {
        let start = self.parser.span();
        self.parser.enter()?;
        let heap = match self.parser.kind() {
            Kind::Word("not") => {
                self.parser.advance();
                self.parser.link()?;
                let inner = self.unary()?;
                self.made(start, HeapKind::Not(Box::new(inner)))
            }
            Kind::Word(word @ ("exists" | "forall")) => {
                self.parser.advance();
                self.parser.link()?;
                let help = "write `exists i : int. …` or `forall y : T. …`";
                let variables = self.parser.idents("a variable", help)?;
                self.parser.expect(":", "after the variable", help)?;
                let ty = self.parser.type_name("the type of the variable")?;
                self.parser.expect(".", "before the body of the quantifier", help)?;
                let body = Box::new(self.formula()?);
                self.made(start, HeapKind::Quantified { exists: word == "exists", variables, ty, body })
            }
            _ => self.comparison()?,
        };
        self.parser.leave();
        Ok(heap)
    }

    fn comparison(&mut self) -> Parsed<Heap> {
        let start = self.parser.span();
        let left = self.sum()?;
        let op = match self.parser.kind() {
            Kind::Symbol("<") if self.route_ahead() => {
                self.parser.advance();
                let route = self.either()?;
                self.parser.expect(">", "after the route", ROUTE)?;
                let right = self.sum()?;
                return Ok(self.made(start, HeapKind::Reach(Box::new(left), route, Box::new(right))));
            }
            Kind::Symbol("=") => BinaryOp::Equal,
            Kind::Symbol("!=") => BinaryOp::NotEqual,
            Kind::Symbol("<") => BinaryOp::Less,
            Kind::Symbol("<=") => BinaryOp::AtMost,
            Kind::Symbol(">") => BinaryOp::Greater,
            Kind::Symbol(">=") => BinaryOp::AtLeast,
            Kind::Symbol("==") => return Err(self.parser.unexpected("an operator", "here equality is written `=`")),
            _ => return Ok(left),
        };
        self.parser.link()?;
        self.parser.advance();
        let right = self.sum()?;
        Ok(self.made(start, HeapKind::Compare(op, Box::new(left), Box::new(right))))
    }

    fn sum(&mut self) -> Parsed<Heap> {
        let start = self.parser.span();
        let mut left = self.product()?;
        loop {
            let op = match self.parser.kind() {
                Kind::Symbol("+") => BinaryOp::Add,
                Kind::Symbol("-") => BinaryOp::Subtract,
                _ => return Ok(left),
            };
            self.parser.link()?;
            self.parser.advance();
            let right = self.product()?;
            left = self.made(start, HeapKind::Arithmetic(op, Box::new(left), Box::new(right)));
        }
    }

    fn product(&mut self) -> Parsed<Heap> {
        let start = self.parser.span();
        let mut left = self.postfix()?;
        loop {
            let op = match self.parser.kind() {
                Kind::Symbol("*") => BinaryOp::Multiply,
                Kind::Symbol("/") => BinaryOp::Divide,
                Kind::Symbol("%") => BinaryOp::Remainder,
                _ => return Ok(left),
            };
            self.parser.link()?;
            self.parser.advance();
            let right = self.postfix()?;
            left = self.made(start, HeapKind::Arithmetic(op, Box::new(left), Box::new(right)));
        }
    }

    fn postfix(&mut self) -> Parsed<Heap> {
        let start = self.parser.span();
        let mut heap = self.primary()?;
        loop {
            if self.parser.accept(".") {
                self.parser.link()?;
                let field = self.parser.word("a field", FORMULA)?;
                heap = self.made(start, HeapKind::Field(Box::new(heap), field));
            } else if self.parser.accept("[") {
                self.parser.link()?;
                let index = self.sum()?;
                self.parser.expect("]", "after the index", FORMULA)?;
                heap = self.made(start, HeapKind::Index(Box::new(heap), Box::new(index)));
            } else {
                return Ok(heap);
            }
        }
    }

    fn primary(&mut self) -> Parsed<Heap> {
        let start = self.parser.span();
        let kind = match self.parser.kind() {
            Kind::Int(value) => HeapKind::Int(value),
            Kind::Symbol("-") => {
                self.parser.advance();
                let Kind::Int(value) = self.parser.kind() else {
                    return Err(self.parser.unexpected("a number after `-`", FORMULA));
                };
                HeapKind::Int(-value)
            }
            Kind::Word("null") => HeapKind::Null,
            Kind::Word("true") => HeapKind::Bool(true),
            Kind::Word("false") => HeapKind::Bool(false),
            Kind::Symbol("(") => {
                self.parser.advance();
                let inner = self.formula()?;
                self.parser.expect(")", "after the condition", "a parenthesis is not closed")?;
                return Ok(self.made(start, inner.kind));
            }
            Kind::Symbol("!") => return Err(self.parser.unexpected("a condition", "here `not` is written out")),
            _ => HeapKind::Name(self.parser.ident("a variable", FORMULA)?.text),
        };
        if !matches!(kind, HeapKind::Name(_)) {
            self.parser.advance();
        }
        Ok(self.made(start, kind))
    }

    /// Whether what follows `<` reads as a route, up to `>`.
    fn route_ahead(&self) -> bool {
        let (mut k, mut is_sure, mut only_fields) = (1, false, true);
        loop {
            let ends = |k| matches!(self.parser.ahead(k), Kind::Symbol(">" | ")" | "|" | "." | "*" | "?" | ">="));
            match self.parser.ahead(k) {
                Kind::Word(word) => only_fields &= (self.is_field)(word),
                Kind::Symbol("*" | "?") => is_sure = true,
                Kind::Symbol("+") if ends(k + 1) => is_sure = true,
                Kind::Symbol("|" | "." | "(" | ")") => {}
                Kind::Symbol(">") => return k > 1 && (is_sure || only_fields),
                _ => return false,
            }
            k += 1;
        }
    }

    fn either(&mut self) -> Parsed<Route> {
        self.parser.enter()?;
        let mut routes = vec![self.sequence()?];
        while self.parser.accept("|") {
            routes.push(self.sequence()?);
        }
        self.parser.leave();
        Ok(one_or(routes, Route::Either))
    }

    fn sequence(&mut self) -> Parsed<Route> {
        let mut routes = vec![self.repeated()?];
        while self.parser.accept(".") {
            routes.push(self.repeated()?);
        }
        Ok(one_or(routes, Route::Sequence))
    }

    fn repeated(&mut self) -> Parsed<Route> {
        let mut route = if self.parser.accept("(") {
            let inner = self.either()?;
            self.parser.expect(")", "after the route", ROUTE)?;
            inner
        } else {
            Route::Field(self.parser.ident("a field", ROUTE)?)
        };
        loop {
            let make: fn(Box<Route>) -> Route = match self.parser.kind() {
                Kind::Symbol("*") => Route::Star,
                Kind::Symbol("+") => Route::Plus,
                Kind::Symbol("?") => Route::Optional,
                _ => return Ok(route),
            };
            self.parser.link()?;
            self.parser.advance();
            route = make(Box::new(route));
        }
    }
}

fn one_or(mut routes: Vec<Route>, several: fn(Vec<Route>) -> Route) -> Route {
    match routes.len() {
        1 => routes.remove(0),
        _ => several(routes),
    }
}
