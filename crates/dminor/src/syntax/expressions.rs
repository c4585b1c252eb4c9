//! Expressions (docs/dminor.md, "Grammar"): from `let` and `from`, which reach as far right as they can, down to atoms.

use super::ast::{Accumulate, BinaryOp, Expr, ExprKind, Query, UnaryOp};
use super::expected::Expected;
use super::lexer::Kind;
use super::parser::{Parsed, Parser, label_of};
use source::Span;

/// Operators of one level and the level that binds tighter, from loose to tight; `::` and `in` are apart.
const LEVELS: [&[(&str, BinaryOp)]; 6] = [
    &[("||", BinaryOp::Or)],
    &[("&&", BinaryOp::And)],
    &[("==", BinaryOp::Eq), ("!=", BinaryOp::Ne)],
    &[("<", BinaryOp::Lt), (">", BinaryOp::Gt), ("<=", BinaryOp::Le), (">=", BinaryOp::Ge)],
    &[("+", BinaryOp::Add), ("-", BinaryOp::Sub), ("++", BinaryOp::Concat)],
    &[("*", BinaryOp::Mul), ("/", BinaryOp::Div)],
];
const RELATIONS: usize = 3;

fn binary(op: BinaryOp, left: Expr, right: Expr) -> ExprKind {
    ExprKind::Binary(op, Box::new(left), Box::new(right))
}

impl Parser<'_> {
    /// `expr [: type]`
    pub(super) fn ascribed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let value = self.expr()?;
        if !self.accept(":") {
            return Ok(value);
        }
        let ascribed = self.type_()?;
        Ok(Expr { kind: ExprKind::Ascribe(Box::new(value), Box::new(ascribed)), span: self.since(start) })
    }

    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let start = self.span();
        let expr = if self.accept_keyword("let") {
            let name = self.name(Expected::Variable)?;
            self.expect(Expected::LetEquals)?;
            let in_initial = std::mem::replace(&mut self.in_initial, true);
            let value = self.ascribed()?;
            self.in_initial = in_initial;
            self.expect(Expected::LetIn)?;
            let body = self.expr()?;
            self.made(start, ExprKind::Let(name, Box::new(value), Box::new(body)))
        } else if self.accept_keyword("from") {
            self.from(start)?
        } else {
            self.conditional()?
        };
        self.leave();
        Ok(expr)
    }

    fn made(&self, start: Span, kind: ExprKind) -> Expr {
        Expr { kind, span: self.since(start) }
    }

    /// Behind `from`.
    fn from(&mut self, start: Span) -> Parsed<Expr> {
        let item = self.name(Expected::Variable)?;
        self.expect(Expected::FromIn)?;
        let source = self.conditional()?;
        if self.accept_keyword("let") {
            let accumulator = self.name(Expected::Variable)?;
            self.expect(Expected::LetEquals)?;
            let initial = self.ascribed()?;
            let invariant = if self.accept_keyword("invariant") { Some(self.conditional()?) } else { None };
            self.expect(Expected::Accumulate)?;
            let body = self.expr()?;
            let accumulate = Accumulate { item, source, accumulator, initial, invariant, body };
            return Ok(self.made(start, ExprKind::Accumulate(Box::new(accumulate))));
        }
        let filter = if self.accept_keyword("where") { Some(self.conditional()?) } else { None };
        self.expect(if filter.is_some() { Expected::SelectOfChosen } else { Expected::Select })?;
        let select = self.expr()?;
        Ok(self.made(start, ExprKind::Query(Box::new(Query { item, source, filter, select }))))
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let start = self.span();
        let mut expr = self.operators(0)?;
        if self.accept("?") {
            let then = self.expr()?;
            self.expect(Expected::OtherCase)?;
            let other = self.expr()?;
            expr = self.made(start, ExprKind::Cond(Box::new(expr), Box::new(then), Box::new(other)));
        }
        self.leave();
        Ok(expr)
    }

    /// A chain of operators of this level, to the left.
    fn operators(&mut self, level: usize) -> Parsed<Expr> {
        let start = self.span();
        let mut left = self.tighter(level)?;
        loop {
            let found = match self.kind() {
                Kind::Symbol(symbol) => LEVELS[level].iter().find(|(s, _)| s == symbol).map(|(_, op)| *op),
                _ => None,
            };
            let kind = if let Some(op) = found {
                self.advance();
                let right = self.tighter(level)?;
                binary(op, left, right)
            } else if level == RELATIONS && self.is_keyword("in") && !self.in_initial {
                self.advance();
                let tested = self.type_atom()?;
                ExprKind::Test(Box::new(left), Box::new(tested))
            } else {
                return Ok(left);
            };
            self.link()?;
            left = self.made(start, kind);
        }
    }

    fn tighter(&mut self, level: usize) -> Parsed<Expr> {
        if level == RELATIONS {
            self.cons()
        } else if level + 1 < LEVELS.len() {
            self.operators(level + 1)
        } else {
            self.unary()
        }
    }

    /// `e1 :: e2 :: e3`, to the right.
    fn cons(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut items = vec![(start, self.operators(RELATIONS + 1)?)];
        while self.accept("::") {
            self.link()?;
            items.push((self.span(), self.operators(RELATIONS + 1)?));
        }
        let end = self.since(start);
        let mut items = items.into_iter().rev();
        let Some((_, mut expr)) = items.next() else { return Err(self.unexpected(Expected::Expression)) };
        for (from, item) in items {
            expr = Expr { kind: binary(BinaryOp::Cons, item, expr), span: from.to(end) };
        }
        Ok(expr)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let op = match self.kind() {
            Kind::Symbol("-") => UnaryOp::Neg,
            Kind::Symbol("!") => UnaryOp::Not,
            _ => return self.selections(),
        };
        self.enter()?;
        self.advance();
        let operand = self.unary()?;
        self.leave();
        Ok(self.made(start, ExprKind::Unary(op, Box::new(operand))))
    }

    fn selections(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut expr = self.atom()?;
        while self.accept(".") {
            self.link()?;
            let is_count = matches!(self.kind(), Kind::Name(n) if n == "Count");
            let label = self.label()?;
            let base = Box::new(expr);
            let kind = if is_count { ExprKind::Count(base) } else { ExprKind::Select(base, label) };
            expr = self.made(start, kind);
        }
        Ok(expr)
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.kind().clone() {
            Kind::Number(n) => ExprKind::Integer(n),
            Kind::Text(text) => ExprKind::Text(text),
            Kind::Keyword("true") => ExprKind::Logical(true),
            Kind::Keyword("false") => ExprKind::Logical(false),
            Kind::Keyword("null") => ExprKind::Null,
            Kind::Name(name) if !self.symbol_ahead(1, "(") => ExprKind::Var(name),
            Kind::Name(_) => {
                let name = self.name(Expected::Function)?;
                self.expect(Expected::ArgumentsOpen)?;
                let arguments = self.bracketed(|p| p.list(")", Self::expr))?;
                self.expect(Expected::ArgumentsClose)?;
                return Ok(self.made(start, ExprKind::Call(name, arguments)));
            }
            Kind::Symbol("(") => {
                self.advance();
                let inner = self.bracketed(Self::ascribed)?;
                self.expect(Expected::ExpressionClose)?;
                return Ok(Expr { kind: inner.kind, span: self.since(start) });
            }
            Kind::Symbol("{") => {
                self.advance();
                let kind = self.bracketed(Self::braces_of_values)?;
                return Ok(self.made(start, kind));
            }
            Kind::Keyword("let" | "from") => {
                let help = "as part of a larger expression, put it in parentheses";
                return Err(self.unexpected_with(Expected::Operand, help));
            }
            _ => return Err(self.unexpected(Expected::Expression)),
        };
        self.advance();
        Ok(self.made(start, kind))
    }

    /// Within brackets an `in` ends nothing.
    fn bracketed<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter()?;
        let in_initial = std::mem::replace(&mut self.in_initial, false);
        let parsed = inner(self)?;
        self.in_initial = in_initial;
        self.leave();
        Ok(parsed)
    }

    fn list(&mut self, end: &str, item: fn(&mut Self) -> Parsed<Expr>) -> Parsed<Vec<Expr>> {
        let mut items = Vec::new();
        if self.is_symbol(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.accept(",") {
                return Ok(items);
            }
        }
    }

    /// Behind the opening brace: an entity or a collection.
    fn braces_of_values(&mut self) -> Parsed<ExprKind> {
        if label_of(self.kind()).is_none() || !self.symbol_ahead(1, "=>") {
            let items = self.list("}", Self::expr)?;
            self.expect(Expected::CollectionClose)?;
            return Ok(ExprKind::Collection(items));
        }
        let mut fields = Vec::new();
        loop {
            let label = self.label()?;
            self.expect(Expected::LabelArrow)?;
            fields.push((label, self.expr()?));
            if !self.accept(",") {
                break;
            }
        }
        self.expect(Expected::EntityClose)?;
        Ok(ExprKind::Entity(fields))
    }
}
