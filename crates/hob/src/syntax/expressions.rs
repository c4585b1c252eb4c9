//! Expressions of the implementation language: Java's, with its precedences (docs/hob.md, "Implementation").

use super::ast::{BinaryOp, Expr, ExprKind, Ident, Name, TypeName, UnaryOp};
use super::lexer::{Kind, unescaped};
use super::parser::{Parsed, Parser, inside};
use source::Span;

/// How tightly an operator binds; all of them associate to the left.
fn binary(symbol: &str) -> Option<(u8, BinaryOp)> {
    Some(match symbol {
        "||" => (1, BinaryOp::OrElse),
        "&&" => (2, BinaryOp::AndThen),
        "|" => (3, BinaryOp::Or),
        "^" => (4, BinaryOp::Xor),
        "&" => (5, BinaryOp::And),
        "==" => (6, BinaryOp::Equal),
        "!=" => (6, BinaryOp::NotEqual),
        "<" => (7, BinaryOp::Less),
        ">" => (7, BinaryOp::Greater),
        "<=" => (7, BinaryOp::AtMost),
        ">=" => (7, BinaryOp::AtLeast),
        "<<" => (8, BinaryOp::ShiftLeft),
        ">>" => (8, BinaryOp::ShiftRight),
        ">>>" => (8, BinaryOp::ShiftRightUnsigned),
        "+" => (9, BinaryOp::Add),
        "-" => (9, BinaryOp::Subtract),
        "*" => (10, BinaryOp::Multiply),
        "/" => (10, BinaryOp::Divide),
        "%" => (10, BinaryOp::Remainder),
        _ => return None,
    })
}

impl Parser<'_, '_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let expr = self.operators(1)?;
        self.leave();
        Ok(expr)
    }

    /// Operators that bind at least so tightly.
    fn operators(&mut self, least: u8) -> Parsed<Expr> {
        let start = self.span();
        let mut left = self.unary()?;
        while let Kind::Symbol(symbol) = self.kind()
            && let Some((level, op)) = binary(symbol).filter(|(level, _)| *level >= least)
        {
            self.link()?;
            self.advance();
            let right = self.operators(level + 1)?;
            left = self.made(start, ExprKind::Binary(op, Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn made(&self, start: Span, kind: ExprKind) -> Expr {
        Expr { kind, span: self.since(start) }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let Kind::Symbol(symbol @ ("!" | "-" | "++" | "--")) = self.kind() else { return self.postfix() };
        self.advance();
        self.link()?;
        self.enter()?;
        let operand = Box::new(self.unary()?);
        self.leave();
        let kind = match symbol {
            "!" => ExprKind::Unary(UnaryOp::Not, operand),
            "-" => ExprKind::Unary(UnaryOp::Negate, operand),
            _ => ExprKind::Step { place: operand, up: symbol == "++", prefix: true },
        };
        Ok(self.made(start, kind))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut expr = self.primary()?;
        loop {
            let Kind::Symbol(symbol @ ("." | "[" | "++" | "--")) = self.kind() else { return Ok(expr) };
            self.link()?;
            self.advance();
            let kind = match symbol {
                "." => {
                    let field = self.ident("the name of a field or procedure", "a field is read as `x.f`")?;
                    match expr.kind {
                        ExprKind::Name(module) if self.is("(") => {
                            let module = Some(Ident { text: module, span: expr.span });
                            ExprKind::Call(Name { module, name: field }, self.arguments()?)
                        }
                        _ => ExprKind::Field(Box::new(expr), field),
                    }
                }
                "[" => {
                    let index = self.expr()?;
                    self.expect("]", "after the index", "an element of an array is `a[i]`")?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                _ => ExprKind::Step { place: Box::new(expr), up: symbol == "++", prefix: false },
            };
            expr = self.made(start, kind);
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let help = "arguments are separated by commas: `p(x, y)`";
        self.expect("(", "before the arguments", help)?;
        let mut arguments = Vec::new();
        if self.accept(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expr()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")", "after the arguments", help)?;
        Ok(arguments)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.kind() {
            Kind::Int(value) => ExprKind::Int(value),
            Kind::Float(value) => ExprKind::Float(value),
            Kind::Char(value) => ExprKind::Char(value),
            Kind::Text(text) => ExprKind::String(unescaped(text, inside(start, text), self.diagnostics)),
            Kind::Word("true") => ExprKind::Bool(true),
            Kind::Word("false") => ExprKind::Bool(false),
            Kind::Word("null") => ExprKind::Null,
            Kind::Word("new") => {
                self.advance();
                let kind = self.new_expr()?;
                return Ok(self.made(start, kind));
            }
            Kind::Symbol("(") => {
                self.advance();
                let inner = self.expr()?;
                self.expect(")", "after the expression", "a parenthesis is not closed")?;
                return Ok(self.made(start, inner.kind));
            }
            Kind::Word(word) if !self.is_reserved(word) => {
                self.advance();
                if self.is("(") {
                    let name = Name { module: None, name: Ident { text: word.to_string(), span: start } };
                    let arguments = self.arguments()?;
                    return Ok(self.made(start, ExprKind::Call(name, arguments)));
                }
                return Ok(self.made(start, ExprKind::Name(word.to_string())));
            }
            Kind::Symbol("=") => {
                return Err(self.unexpected("an expression", "write `x = x + 1`: there is no `+=` and its kin"));
            }
            _ => return Err(self.unexpected("an expression", "look for an operator or a comma too many")),
        };
        self.advance();
        Ok(self.made(start, kind))
    }

    fn new_expr(&mut self) -> Parsed<ExprKind> {
        let help = "objects are made by `new T()`, arrays by `new T[n]`";
        let span = self.span();
        let name = match self.kind() {
            Kind::Word(word) if matches!(word, "int" | "bool" | "float") => {
                self.advance();
                Ident { text: word.to_string(), span }
            }
            _ => self.ident("a type after `new`", help)?,
        };
        if self.accept("(") {
            self.expect(")", "after `(`: objects are made without arguments", help)?;
            return Ok(ExprKind::New(name));
        }
        if !self.is("[") {
            return Err(self.unexpected("`()` or `[`", help));
        }
        let (mut lengths, mut dimensions) = (Vec::new(), 0);
        while self.is("[") {
            self.link()?;
            if self.symbol_ahead(1, "]") && dimensions > 0 {
                self.advance();
            } else if lengths.len() == dimensions {
                self.advance();
                lengths.push(self.expr()?);
            } else {
                // `new int[3][][i]`: an index of the array that was made.
                break;
            }
            self.expect("]", "after the length", help)?;
            dimensions += 1;
        }
        Ok(ExprKind::NewArray(TypeName { name, dimensions, span: self.since(span) }, lengths))
    }
}
