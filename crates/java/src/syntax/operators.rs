//! Expressions made of operators: unary and binary ones, casts, `instanceof`, `++` and `--`.
//!
//! tree-sitter cannot tell a cast from a name in brackets: it reads `(x) - y * 2` as the cast of `-y`, times 2, and
//! `-y++` in a cast as the `++` of `-y`. So the shape of its tree is not used: its leaves are taken in textual order and
//! put together again by precedence. In Java a name in brackets before `+`, `-`, `++` or `--` is never a cast: only
//! casts to primitive types may stand before a sign (JLS 15.16).

use super::ast::*;
use super::{Reader, children, has_token};
use source::Span;
use std::iter::Peekable;
use tree_sitter::Node;

/// What stands in a row of operands and operators. An operator's place tells whether it is a prefix.
enum Piece {
    Operand(Expr),
    Prefix(UnaryOp, Span),
    Update {
        increment: bool,
        span: Span,
    },
    /// The span starts at the opening bracket.
    Cast(TypeRef, Span),
    Binary(BinaryOp),
    InstanceOf(Tested, Span),
}

/// What `instanceof` asks for.
enum Tested {
    Type(TypeRef, Option<Ident>),
    Pattern(Pattern),
}

#[derive(Default)]
struct Row {
    pieces: Vec<Piece>,
    /// An operator that follows is a postfix or stands between two operands.
    after_operand: bool,
}

impl Row {
    fn push(&mut self, piece: Piece) {
        self.after_operand = match piece {
            Piece::Operand(_) | Piece::InstanceOf(..) => true,
            Piece::Update { .. } => self.after_operand,
            Piece::Prefix(..) | Piece::Cast(..) | Piece::Binary(_) => false,
        };
        self.pieces.push(piece);
    }
}

impl Reader<'_> {
    pub(super) fn operators(&mut self, node: Node) -> Expr {
        let mut row = Row::default();
        self.row(node, &mut row);
        let mut pieces = row.pieces.into_iter().peekable();
        match binary(&mut pieces, 0) {
            Some(whole) if pieces.peek().is_none() => whole,
            _ => self.placeholder(node),
        }
    }

    fn row(&mut self, node: Node, row: &mut Row) {
        match node.kind() {
            "binary_expression" => {
                self.row_of(node, "left", row);
                let operator = self.field(node, "operator");
                self.operator(operator, row);
                self.row_of(node, "right", row);
            }
            "unary_expression" => {
                let operator = self.field(node, "operator");
                self.operator(operator, row);
                self.row_of(node, "operand", row);
            }
            "update_expression" => self.update(node, row),
            "cast_expression" => self.cast(node, row),
            "instanceof_expression" => {
                self.row_of(node, "left", row);
                let tested = match node.child_by_field_name("pattern") {
                    Some(pattern) => Tested::Pattern(self.pattern(pattern)),
                    None => {
                        let name = node.child_by_field_name("name").map(|n| self.ident(n));
                        let ty = self.field(node, "right");
                        Tested::Type(self.ty(ty), name)
                    }
                };
                row.push(Piece::InstanceOf(tested, self.span(node)));
            }
            // The largest negative number has no positive counterpart.
            "decimal_integer_literal" => {
                let sign = match row.pieces.last() {
                    Some(&Piece::Prefix(UnaryOp::Minus, span)) => Some(span),
                    _ => None,
                };
                let kind = ExprKind::Literal(self.integer(node, sign.is_some()));
                if sign.is_some() {
                    row.pieces.pop();
                }
                let own = self.span(node);
                row.push(Piece::Operand(Expr { kind, span: sign.map_or(own, |sign| sign.to(own)) }));
            }
            _ => {
                let operand = self.expr(node);
                row.push(Piece::Operand(operand));
            }
        }
    }

    fn row_of(&mut self, node: Node, field: &str, row: &mut Row) {
        match node.child_by_field_name(field) {
            Some(child) => self.row(child, row),
            None => self.unexpected(node),
        }
    }

    fn operator(&mut self, node: Node, row: &mut Row) {
        let text = self.text(node);
        let piece = match text {
            _ if row.after_operand => binary_op(text).map(Piece::Binary),
            _ => unary_op(text).map(|op| Piece::Prefix(op, self.span(node))),
        };
        match piece {
            Some(piece) => row.push(piece),
            None => self.unexpected(node),
        }
    }

    fn update(&mut self, node: Node, row: &mut Row) {
        let Some(&operand) = children(node).first() else { return self.unexpected(node) };
        let increment = has_token(node, "++");
        let is_prefix = operand.start_byte() > node.start_byte();
        let start = if is_prefix { node.start_byte() } else { node.end_byte().saturating_sub(2) };
        let sign = Piece::Update { increment, span: Span::new(self.file, start, start + 2) };
        if is_prefix {
            row.push(sign);
            self.row(operand, row);
        } else {
            self.row(operand, row);
            row.push(sign);
        }
    }

    fn cast(&mut self, node: Node, row: &mut Row) {
        let ty = self.field(node, "type");
        let value = self.field(node, "value");
        let span = self.span(node);
        let is_name = matches!(ty.kind(), "type_identifier" | "scoped_type_identifier");
        if is_name && self.text(value).starts_with(['+', '-']) {
            let name = self.type_as_expr(ty);
            row.push(Piece::Operand(name));
        } else {
            let ty = self.ty(ty);
            row.push(Piece::Cast(ty, span));
        }
        self.row(value, row);
    }

    /// A name that was read as a type.
    fn type_as_expr(&mut self, node: Node) -> Expr {
        let span = self.span(node);
        let kind = match children(node)[..] {
            [scope, name] => ExprKind::Field(Box::new(self.type_as_expr(scope)), self.ident(name)),
            [] => ExprKind::Name(self.text(node).into()),
            _ => self.no_expr(node),
        };
        Expr { kind, span }
    }
}

/// Precedence climbing; every binary operator of Java is left-associative.
fn binary(pieces: &mut Peekable<impl Iterator<Item = Piece>>, least: u8) -> Option<Expr> {
    let mut left = unary(pieces)?;
    loop {
        let strength = match pieces.peek() {
            Some(Piece::Binary(op)) => precedence(*op),
            Some(Piece::InstanceOf(..)) => precedence(BinaryOp::Lt),
            _ => return Some(left),
        };
        if strength < least {
            return Some(left);
        }
        left = match pieces.next()? {
            Piece::InstanceOf(tested, span) => {
                let kind = match tested {
                    Tested::Type(ty, name) => ExprKind::InstanceOf(Box::new(left), ty, name),
                    Tested::Pattern(pattern) => ExprKind::Matches(Box::new(left), pattern),
                };
                Expr { kind, span }
            }
            Piece::Binary(op) => {
                let right = binary(pieces, strength + 1)?;
                let span = left.span.to(right.span);
                Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
            }
            _ => return None,
        };
    }
}

fn unary(pieces: &mut Peekable<impl Iterator<Item = Piece>>) -> Option<Expr> {
    let (kind, span) = match pieces.next()? {
        Piece::Operand(operand) => return Some(postfix(operand, pieces)),
        Piece::Prefix(op, span) => {
            let operand = unary(pieces)?;
            let span = span.to(operand.span);
            (ExprKind::Unary(op, Box::new(operand)), span)
        }
        Piece::Update { increment, span } => {
            let operand = Box::new(unary(pieces)?);
            let span = span.to(operand.span);
            (ExprKind::Update { increment, prefix: true, operand }, span)
        }
        Piece::Cast(ty, span) => {
            let operand = unary(pieces)?;
            let span = Span { end: operand.span.end, ..span };
            (ExprKind::Cast(ty, Box::new(operand)), span)
        }
        Piece::Binary(_) | Piece::InstanceOf(..) => return None,
    };
    Some(Expr { kind, span })
}

fn postfix(mut operand: Expr, pieces: &mut Peekable<impl Iterator<Item = Piece>>) -> Expr {
    while let Some(&Piece::Update { increment, span }) = pieces.peek() {
        pieces.next();
        let span = operand.span.to(span);
        operand = Expr { kind: ExprKind::Update { increment, prefix: false, operand: Box::new(operand) }, span };
    }
    operand
}

fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::OrElse => 0,
        BinaryOp::AndThen => 1,
        BinaryOp::Or => 2,
        BinaryOp::Xor => 3,
        BinaryOp::And => 4,
        BinaryOp::Eq | BinaryOp::Ne => 5,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 6,
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UShr => 7,
        BinaryOp::Add | BinaryOp::Sub => 8,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 9,
    }
}

fn unary_op(text: &str) -> Option<UnaryOp> {
    Some(match text {
        "+" => UnaryOp::Plus,
        "-" => UnaryOp::Minus,
        "!" => UnaryOp::Not,
        "~" => UnaryOp::Complement,
        _ => return None,
    })
}

pub(super) fn binary_op(text: &str) -> Option<BinaryOp> {
    Some(match text {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "%" => BinaryOp::Rem,
        "&" => BinaryOp::And,
        "|" => BinaryOp::Or,
        "^" => BinaryOp::Xor,
        "<<" => BinaryOp::Shl,
        ">>" => BinaryOp::Shr,
        ">>>" => BinaryOp::UShr,
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        ">=" => BinaryOp::Ge,
        "&&" => BinaryOp::AndThen,
        "||" => BinaryOp::OrElse,
        _ => return None,
    })
}
