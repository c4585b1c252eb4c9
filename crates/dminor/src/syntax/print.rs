//! Syntax trees to text that reads back to the same tree. Parentheses are put where precedence asks for them, and around a type test
//! in the initialiser of a `let` (docs/dminor.md, "Programs").

use super::ast::{BinaryOp, Decl, Expr, ExprKind, Ident, Module, Note, Type, TypeKind, UnaryOp};
use super::lexer::{is_name, quote};
use std::fmt::Write;

/// How tight an expression binds; the larger, the tighter.
const OPEN: u8 = 0;
const CONDITIONAL: u8 = 1;
const RELATION: u8 = 5;
const CONS: u8 = 6;
const UNARY: u8 = 9;
const ATOM: u8 = 10;

/// The same of types.
pub(super) const WHERE: u8 = 0;
pub(super) const UNION: u8 = 1;
pub(super) const INTERSECTION: u8 = 2;
const POSTFIX: u8 = 3;
const TYPE_ATOM: u8 = 4;

pub fn modules(modules: &[Module]) -> String {
    let mut out = String::new();
    for module in modules {
        if !out.is_empty() {
            out.push('\n');
        }
        let indent = if module.name.is_some() { "  " } else { "" };
        if let Some(name) = &module.name {
            let _ = writeln!(out, "module {} {{", name.text);
        }
        for decl in &module.decls {
            if let Decl::Type { notes, .. } = decl {
                notes.iter().for_each(|n| out.push_str(&format!("{indent}{}\n", note(n))));
            }
            let _ = writeln!(out, "{indent}{}", declaration(decl));
        }
        if module.name.is_some() {
            out.push_str("}\n");
        }
    }
    out
}

/// As a comment above a type.
pub fn note(note: &Note) -> String {
    format!("//# {}: {}", note.differs.word(), note.text)
}

fn declaration(decl: &Decl) -> String {
    match decl {
        Decl::Type { name, definition, .. } => format!("type {} : {};", name.text, type_text(definition)),
        Decl::Function { name, parameters, result, body } => {
            let parameters: Vec<String> =
                parameters.iter().map(|(n, t)| format!("{}: {}", n.text, type_text(t))).collect();
            let mut printer = Printer { out: String::new(), in_initial: false };
            printer.ascribed(body);
            format!("{}({}) : {} {{ {} }}", name.text, parameters.join(", "), type_text(result), printer.out)
        }
    }
}

pub fn expression(expr: &Expr) -> String {
    let mut printer = Printer { out: String::new(), in_initial: false };
    printer.expr(expr, OPEN);
    printer.out
}

pub fn type_text(ty: &Type) -> String {
    type_at(ty, WHERE)
}

/// Where at least this precedence is asked for.
pub(super) fn type_at(ty: &Type, least: u8) -> String {
    let mut printer = Printer { out: String::new(), in_initial: false };
    printer.type_(ty, least);
    printer.out
}

pub(super) fn type_binds(ty: &Type) -> u8 {
    match &ty.kind {
        TypeKind::Refinement(None, ..) => WHERE,
        TypeKind::Or(..) => UNION,
        TypeKind::And(..) => INTERSECTION,
        TypeKind::Collection(_) | TypeKind::Nullable(_) => POSTFIX,
        _ => TYPE_ATOM,
    }
}

/// In quotes only if it must be.
pub fn label(text: &str) -> String {
    if is_name(text) { text.to_string() } else { quote(text) }
}

fn level(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 2,
        BinaryOp::And => 3,
        BinaryOp::Eq | BinaryOp::Ne => 4,
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => RELATION,
        BinaryOp::Cons => CONS,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Concat => 7,
        BinaryOp::Mul | BinaryOp::Div => 8,
    }
}

fn binds(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Let(..) | ExprKind::Accumulate(_) | ExprKind::Query(_) => OPEN,
        ExprKind::Cond(..) => CONDITIONAL,
        ExprKind::Binary(op, ..) => level(*op),
        ExprKind::Test(..) => RELATION,
        ExprKind::Unary(..) => UNARY,
        _ => ATOM,
    }
}

struct Printer {
    out: String,
    in_initial: bool,
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn bracketed(&mut self, open: &str, close: &str, inner: impl FnOnce(&mut Printer)) {
        let in_initial = std::mem::replace(&mut self.in_initial, false);
        self.text(open);
        inner(self);
        self.text(close);
        self.in_initial = in_initial;
    }

    fn list<T>(&mut self, items: &[T], separator: &str, mut item: impl FnMut(&mut Printer, &T)) {
        for (k, one) in items.iter().enumerate() {
            if k > 0 {
                self.text(separator);
            }
            item(self, one);
        }
    }

    /// Where an ascription needs no parentheses.
    fn ascribed(&mut self, expr: &Expr) {
        if let ExprKind::Ascribe(value, ty) = &expr.kind {
            self.expr(value, OPEN);
            self.text(" : ");
            self.type_(ty, WHERE);
        } else {
            self.expr(expr, OPEN);
        }
    }

    fn expr(&mut self, expr: &Expr, least: u8) {
        let ends_initial = self.in_initial && matches!(expr.kind, ExprKind::Test(..));
        if binds(expr) < least || ends_initial || matches!(expr.kind, ExprKind::Ascribe(..)) {
            self.bracketed("(", ")", |p| match &expr.kind {
                ExprKind::Ascribe(..) => p.ascribed(expr),
                _ => p.bare(expr),
            });
        } else {
            self.bare(expr);
        }
    }

    fn bare(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Null => self.text("null"),
            ExprKind::Logical(b) => self.text(if *b { "true" } else { "false" }),
            ExprKind::Integer(n) => self.text(&n.to_string()),
            ExprKind::Text(text) => self.text(&quote(text)),
            ExprKind::Var(name) => self.text(name),
            ExprKind::Call(name, arguments) => {
                self.text(&name.text);
                self.bracketed("(", ")", |p| p.list(arguments, ", ", |p, a| p.expr(a, OPEN)));
            }
            ExprKind::Unary(op, operand) => {
                self.text(if *op == UnaryOp::Neg { "-" } else { "!" });
                self.expr(operand, UNARY);
            }
            ExprKind::Binary(BinaryOp::Cons, left, right) => {
                self.expr(left, CONS + 1);
                self.text(" :: ");
                self.expr(right, CONS);
            }
            ExprKind::Binary(op, left, right) => {
                let level = level(*op);
                self.expr(left, level);
                self.text(&format!(" {} ", op.symbol()));
                self.expr(right, level + 1);
            }
            ExprKind::Cond(condition, then, other) => {
                self.expr(condition, CONDITIONAL + 1);
                self.text(" ? ");
                self.expr(then, OPEN);
                self.text(" : ");
                self.expr(other, OPEN);
            }
            ExprKind::Let(name, value, body) => {
                self.text(&format!("let {} = ", name.text));
                let in_initial = std::mem::replace(&mut self.in_initial, true);
                self.ascribed(value);
                self.in_initial = in_initial;
                self.text(" in ");
                self.expr(body, OPEN);
            }
            ExprKind::Test(value, ty) => {
                self.expr(value, RELATION);
                self.text(" in ");
                self.type_(ty, TYPE_ATOM);
            }
            ExprKind::Ascribe(..) => self.expr(expr, OPEN),
            ExprKind::Entity(fields) => {
                let field = |p: &mut Printer, (name, value): &(Ident, Expr)| {
                    p.text(&format!("{} => ", label(&name.text)));
                    p.expr(value, OPEN);
                };
                self.bracketed("{", "}", |p| p.list(fields, ", ", field));
            }
            ExprKind::Collection(items) => {
                self.bracketed("{", "}", |p| p.list(items, ", ", |p, i| p.expr(i, OPEN)));
            }
            ExprKind::Select(base, name) => {
                self.expr(base, ATOM);
                let is_count = name.text == "Count";
                let label = if is_count { quote(&name.text) } else { label(&name.text) };
                self.text(&format!(".{label}"));
            }
            ExprKind::Count(base) => {
                self.expr(base, ATOM);
                self.text(".Count");
            }
            ExprKind::Accumulate(a) => {
                self.text(&format!("from {} in ", a.item.text));
                self.expr(&a.source, CONDITIONAL);
                self.text(&format!(" let {} = ", a.accumulator.text));
                self.ascribed(&a.initial);
                if let Some(invariant) = &a.invariant {
                    self.text(" invariant ");
                    self.expr(invariant, CONDITIONAL);
                }
                self.text(" accumulate ");
                self.expr(&a.body, OPEN);
            }
            ExprKind::Query(q) => {
                self.text(&format!("from {} in ", q.item.text));
                self.expr(&q.source, CONDITIONAL);
                if let Some(filter) = &q.filter {
                    self.text(" where ");
                    self.expr(filter, CONDITIONAL);
                }
                self.text(" select ");
                self.expr(&q.select, OPEN);
            }
        }
    }

    fn type_(&mut self, ty: &Type, least: u8) {
        if type_binds(ty) < least {
            self.bracketed("(", ")", |p| p.bare_type(ty));
        } else {
            self.bare_type(ty);
        }
    }

    fn bare_type(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Name(name) => self.text(name),
            TypeKind::Collection(inner) => {
                self.type_(inner, POSTFIX);
                self.text("*");
            }
            TypeKind::Nullable(inner) => {
                self.type_(inner, POSTFIX);
                self.text("?");
            }
            TypeKind::Not(inner) => {
                self.text("!");
                self.type_(inner, TYPE_ATOM);
            }
            TypeKind::And(left, right) => {
                self.type_(left, INTERSECTION);
                self.text(" & ");
                self.type_(right, INTERSECTION + 1);
            }
            TypeKind::Or(left, right) => {
                self.type_(left, UNION);
                self.text(" | ");
                self.type_(right, UNION + 1);
            }
            TypeKind::Entity(fields) => {
                let field = |p: &mut Printer, (name, ty): &(Ident, Type)| {
                    p.text(&format!("{}: ", label(&name.text)));
                    p.type_(ty, WHERE);
                    p.text(";");
                };
                self.bracketed("{", "}", |p| p.list(fields, " ", field));
            }
            TypeKind::Refinement(Some(name), base, condition) => self.bracketed("(", ")", |p| {
                p.text(&format!("{}: ", name.text));
                p.type_(base, UNION);
                p.text(" where ");
                p.expr(condition, OPEN);
            }),
            TypeKind::Refinement(None, base, condition) => {
                self.type_(base, WHERE);
                self.text(" where ");
                self.expr(condition, OPEN);
            }
            TypeKind::Singleton(value) => self.bracketed("{", "}", |p| p.expr(value, OPEN)),
        }
    }
}
