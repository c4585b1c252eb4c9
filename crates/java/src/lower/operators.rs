//! Unary and binary operators: promotion (JLS 5.6), comparison, logic, string concatenation.

use super::body::{Body, Val, expr, is_literal};
use super::{fold, prim_ty};
use crate::resolve::*;
use crate::syntax::ast::{self, BinaryOp, Prim, TypeRef, UnaryOp};
use ir::{CompareOp, Expr, ExprKind, Intrinsic, LogicOp, Ty, Width};
use source::{Diagnostic, Span};

impl Body<'_, '_> {
    pub fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Val {
        let val = self.expr(operand, None);
        if val.ty.is_error() {
            return val;
        }
        if op == UnaryOp::Not {
            let e = self.condition(val);
            return Val { expr: fold::not(e, span), ty: BOOL };
        }
        let (e, prim) = match self.unboxed_value(val) {
            Ok((e, p)) if p != Prim::Bool => (e, p),
            Ok((_, p)) => return self.bad_operand(&Type::Prim(p), span),
            Err(val) => return self.bad_operand(&val.ty, span),
        };
        if matches!(prim, Prim::Float | Prim::Double) {
            return match op {
                UnaryOp::Minus => self.float_negate(e, prim, span),
                UnaryOp::Complement => self.bad_operand(&Type::Prim(prim), span),
                _ => Val { expr: e, ty: Type::Prim(prim) },
            };
        }
        let (width, prim) = if prim == Prim::Long { (Width::W64, Prim::Long) } else { (Width::W32, Prim::Int) };
        let e = fold::convert(e, prim_ty(prim), span);
        let expr = match op {
            UnaryOp::Minus => fold::negate(width, e, span),
            UnaryOp::Complement => fold::complement(width, e, span),
            _ => e,
        };
        Val { expr, ty: Type::Prim(prim) }
    }

    fn bad_operand(&mut self, ty: &Type, span: Span) -> Val {
        let message = format!("this operator does not take a `{}`", self.low.table.type_name(ty));
        self.failed(Diagnostic::error("type-mismatch", span, message))
    }

    pub fn binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Val {
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && let Some(val) = self.same_class(op, a, b, span)
        {
            return val;
        }
        let (mark, first) = (self.vars.len(), a);
        let a = self.expr(a, None);
        if matches!(op, BinaryOp::AndThen | BinaryOp::OrElse) {
            self.in_scope_when(mark, first, op == BinaryOp::AndThen);
        }
        let b = self.expr(b, None);
        self.out_of_scope(mark);
        self.apply(op, a, b, span)
    }

    /// Both operands lowered; their order of evaluation is that of the operands of the result.
    pub fn apply(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> Val {
        if a.ty.is_error() || b.ty.is_error() {
            let ty = match op {
                _ if is_comparison(op) || matches!(op, BinaryOp::AndThen | BinaryOp::OrElse) => BOOL,
                _ => Type::Error,
            };
            let a = self.poison(a.expr, &ty);
            let b = super::body::stmt(ir::StmtKind::Expr(b.expr), span);
            return Val { expr: super::body::sequence(vec![b], a), ty };
        }
        match op {
            BinaryOp::AndThen | BinaryOp::OrElse => {
                let (a, b) = (self.condition(a), self.condition(b));
                let both = if op == BinaryOp::AndThen { fold::and_then(a, b, span) } else { fold::or_else(a, b, span) };
                Val { expr: both, ty: BOOL }
            }
            BinaryOp::Add if self.is_string(&a.ty) || self.is_string(&b.ty) => self.concat(a, b, span),
            BinaryOp::Eq | BinaryOp::Ne if a.ty.is_reference() && b.ty.is_reference() => self.same(op, a, b, span),
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UShr => self.shift(op, a, b, span),
            _ => self.arithmetic(op, a, b, span),
        }
    }

    pub fn is_string(&mut self, ty: &Type) -> bool {
        let string = self.low.table.known("java.lang.String");
        matches!(ty, Type::Class(c, _) if *c == string)
    }

    fn same(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> Val {
        if !self.castable(&a.ty, &b.ty) && a.ty != Type::Null && b.ty != Type::Null {
            let (x, y) = (self.low.table.type_name(&a.ty), self.low.table.type_name(&b.ty));
            return self.failed(Diagnostic::error(
                "type-mismatch",
                span,
                format!("a `{x}` is never the same object as a `{y}`"),
            ));
        }
        let same = match (&a.expr.kind, &b.expr.kind) {
            (ExprKind::String(x), ExprKind::String(y)) => expr(ExprKind::Bool(x == y), Ty::Bool, span),
            _ => expr(ExprKind::Same(Box::new(a.expr), Box::new(b.expr)), Ty::Bool, span),
        };
        Val { expr: if op == BinaryOp::Eq { same } else { fold::not(same, span) }, ty: BOOL }
    }

    /// `a.getClass() == b.getClass()` and `a.getClass() == C.class`: they need no objects of classes.
    fn same_class(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Val> {
        let same = match (asked(a)?, asked(b)?) {
            (Asked::Of(a), Asked::Of(b)) => {
                let arguments = vec![self.asked_object(a, span), self.asked_object(b, span)];
                expr(ExprKind::Intrinsic(Intrinsic::SameClass, arguments), Ty::Bool, span)
            }
            (Asked::Of(object), Asked::Literal(ty)) | (Asked::Literal(ty), Asked::Of(object)) => {
                // Constants with bodies have classes of their own.
                if let Type::Class(class, _) = self.resolve(ty)
                    && self.low.table.class(class).decl.constants.iter().any(|c| c.body.is_some())
                {
                    return None;
                }
                let object = self.asked_object(object, span);
                self.is_exactly(object, ty, span)
            }
            (Asked::Literal(a), Asked::Literal(b)) => {
                let (a, b) = (self.resolve(a), self.resolve(b));
                expr(ExprKind::Bool(self.low.table.erasure(&a) == self.low.table.erasure(&b)), Ty::Bool, span)
            }
        };
        Some(Val { expr: if op == BinaryOp::Eq { same } else { fold::not(same, span) }, ty: BOOL })
    }

    fn asked_object(&mut self, object: Option<&ast::Expr>, span: Span) -> Expr {
        match object {
            Some(object) => {
                let val = self.expr(object, None);
                self.receiver(val)
            }
            None => self.this_value(span).expr,
        }
    }

    /// Whether an object, which must not be null, is of a class and of none below it.
    fn is_exactly(&mut self, object: Expr, written: &TypeRef, span: Span) -> Expr {
        let resolved = self.resolve(written);
        let same = |a: Expr, b: Expr| expr(ExprKind::Intrinsic(Intrinsic::SameClass, vec![a, b]), Ty::Bool, span);
        let one = match &resolved {
            // Of an array, and of a class that may have others below it, an object to compare with.
            Type::Array(_) => {
                let ty = self.low.ir_type(&resolved);
                let none = expr(ExprKind::Int(0), Ty::Int, span);
                Some(expr(ExprKind::NewArray(vec![none]), ty, span))
            }
            Type::Class(class, _) => self.low.bare_object(*class, span),
            _ => None,
        };
        if let Some(one) = one {
            return same(object, one);
        }
        let mut block = Vec::new();
        let object = self.bind(object, &mut block);
        let there = same(object.clone(), object.clone());
        block.push(super::body::stmt(ir::StmtKind::Expr(there), span));
        let has_objects = match &resolved {
            Type::Class(class, _) => {
                let info = self.low.table.class(*class);
                !info.is_interface() && !info.decl.modifiers.is_abstract
            }
            _ => false,
        };
        let ty = self.low.ir_type(&resolved);
        let kind = if has_objects { ExprKind::InstanceOf(Box::new(object), ty) } else { ExprKind::Bool(false) };
        super::body::sequence(block, expr(kind, Ty::Bool, span))
    }

    fn shift(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> Val {
        let (a, p) = match self.unboxed_value(a) {
            Ok(done) => done,
            Err(val) => return self.bad_operand(&val.ty, span),
        };
        let (b, q) = match self.unboxed_value(b) {
            Ok(done) => done,
            Err(val) => return self.bad_operand(&val.ty, span),
        };
        if !is_integral(p) || !is_integral(q) {
            return self.bad_operand(&Type::Prim(if is_integral(p) { q } else { p }), span);
        }
        // Each operand is promoted by itself; only the low bits of the distance count.
        let (width, ty) = if p == Prim::Long { (Width::W64, Prim::Long) } else { (Width::W32, Prim::Int) };
        let a = fold::convert(a, prim_ty(ty), span);
        let b = fold::convert(b, Ty::Int, span);
        let op = match op {
            BinaryOp::Shl => ir::BinaryOp::Shl,
            BinaryOp::Shr => ir::BinaryOp::Shr,
            _ => ir::BinaryOp::UShr,
        };
        Val { expr: fold::binary(op, width, a, b, span), ty: Type::Prim(ty) }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> Val {
        let (a, p) = match self.unboxed_value(a) {
            Ok(done) => done,
            Err(val) => return self.bad_operand(&val.ty, span),
        };
        let (b, q) = match self.unboxed_value(b) {
            Ok(done) => done,
            Err(val) => return self.bad_operand(&val.ty, span),
        };
        if p == Prim::Bool && q == Prim::Bool {
            let op = match op {
                BinaryOp::And => LogicOp::And,
                BinaryOp::Or => LogicOp::Or,
                BinaryOp::Xor | BinaryOp::Ne => LogicOp::Xor,
                BinaryOp::Eq => LogicOp::Eq,
                _ => return self.bad_operand(&BOOL, span),
            };
            return Val { expr: fold::logic(op, a, b, span), ty: BOOL };
        }
        if p == Prim::Bool || q == Prim::Bool {
            return self.bad_operand(&BOOL, span);
        }
        if !is_integral(p) || !is_integral(q) {
            return match self.float_binary(op, (a, p), (b, q), span) {
                Some(val) => val,
                None => self.bad_operand(&Type::Prim(if is_integral(p) { q } else { p }), span),
            };
        }
        let (width, prim) = match p == Prim::Long || q == Prim::Long {
            true => (Width::W64, Prim::Long),
            false => (Width::W32, Prim::Int),
        };
        let a = fold::convert(a, prim_ty(prim), span);
        let b = fold::convert(b, prim_ty(prim), span);
        if let Some(compare) = compare_op(op) {
            return Val { expr: fold::compare(compare, a, b, span), ty: BOOL };
        }
        let op = match op {
            BinaryOp::Add => ir::BinaryOp::Add,
            BinaryOp::Sub => ir::BinaryOp::Sub,
            BinaryOp::Mul => ir::BinaryOp::Mul,
            BinaryOp::Div => ir::BinaryOp::Div,
            BinaryOp::Rem => ir::BinaryOp::Rem,
            BinaryOp::And => ir::BinaryOp::And,
            BinaryOp::Or => ir::BinaryOp::Or,
            _ => ir::BinaryOp::Xor,
        };
        Val { expr: fold::binary(op, width, a, b, span), ty: Type::Prim(prim) }
    }

    /// Constants are joined now; anything else gives a new string whose contents are not modelled.
    pub fn concat(&mut self, a: Val, b: Val, span: Span) -> Val {
        if a.ty == Type::Void || b.ty == Type::Void {
            return self.bad_operand(&Type::Void, span);
        }
        if [&a, &b].iter().any(|v| v.ty.is_floating() && is_literal(&v.expr)) {
            // It may be a constant, whose text would be needed.
            let ty = self.low.table.known_type("java.lang.String");
            return self.floating_value(span, ty);
        }
        if let (Some(x), Some(y)) = (self.constant_text(&a), self.constant_text(&b)) {
            return self.string(&format!("{x}{y}"), span);
        }
        let ty = self.low.table.known_type("java.lang.String");
        let ir_ty = self.low.ir_type(&ty);
        let mut parts = match a.expr.kind {
            ExprKind::Concat(parts) => parts,
            _ => vec![self.text_of(a)],
        };
        parts.push(self.text_of(b));
        Val { expr: expr(ExprKind::Concat(parts), ir_ty, span), ty }
    }

    /// What a string is made of: the result of `toString`, where that may be one of the inputs, for it may do anything; or where it is shown,
    /// of a list for example.
    pub(super) fn text_of(&mut self, val: Val) -> Expr {
        let span = val.expr.span;
        let ty = self.low.table.erasure(&val.ty);
        let is_listed = self.low.is_showing && self.is_of_library(&ty);
        let is_builder = matches!(ty, Type::Class(class, _) if &*self.low.table.class(class).name == "StringBuilder");
        if !is_listed && !is_builder && !self.has_own_to_string(&ty) {
            return val.expr;
        }
        let mut block = Vec::new();
        let object = self.coerce(val.expr, &ty);
        let object = self.bind(object, &mut block);
        let null = expr(ExprKind::Null, Ty::Null, span);
        let is_null = expr(ExprKind::Same(Box::new(object.clone()), Box::new(null.clone())), Ty::Bool, span);
        let text = self.call_simple(Val { expr: object, ty }, "toString", span).expr;
        let text_ty = text.ty;
        let either = ExprKind::Conditional(Box::new(is_null), Box::new(null), Box::new(text));
        super::body::sequence(block, expr(either, text_ty, span))
    }

    /// Whether the type is a class of the library, but not one of those whose texts are known anyway.
    fn is_of_library(&mut self, ty: &Type) -> bool {
        let Type::Class(class, _) = *ty else { return false };
        self.low.table.class(class).unit.origin == Origin::Library
    }

    /// Whether an object of this type may be of an input class with a `toString` of its own.
    fn has_own_to_string(&mut self, ty: &Type) -> bool {
        let Type::Class(class, _) = *ty else { return false };
        let mut related = self.low.table.input_classes();
        related.push(class);
        related.into_iter().any(|c| {
            let table = &mut self.low.table;
            let is_related = table.is_subclass(c, class) || table.is_subclass(class, c);
            let methods = if is_related { table.members(c).methods.clone() } else { Vec::new() };
            table.class(c).is_input()
                && methods.iter().any(|m| {
                    let info = table.method(*m);
                    &*info.name == "toString" && info.params.is_empty() && !info.is_abstract
                })
        })
    }

    fn constant_text(&mut self, val: &Val) -> Option<String> {
        if !is_literal(&val.expr) {
            return None;
        }
        match &val.expr.kind {
            ExprKind::String(id) => Some(self.low.program.strings[id.index()].clone()),
            ExprKind::Bool(b) => Some(b.to_string()),
            ExprKind::Int(v) if val.ty == Type::Prim(Prim::Char) => Some(char::from_u32(*v as u32)?.to_string()),
            ExprKind::Int(v) => Some(v.to_string()),
            _ => None,
        }
    }
}

fn is_integral(p: Prim) -> bool {
    !matches!(p, Prim::Bool | Prim::Float | Prim::Double)
}

fn is_comparison(op: BinaryOp) -> bool {
    compare_op(op).is_some()
}

fn compare_op(op: BinaryOp) -> Option<CompareOp> {
    Some(match op {
        BinaryOp::Eq => CompareOp::Eq,
        BinaryOp::Ne => CompareOp::Ne,
        BinaryOp::Lt => CompareOp::Lt,
        BinaryOp::Le => CompareOp::Le,
        BinaryOp::Gt => CompareOp::Gt,
        BinaryOp::Ge => CompareOp::Ge,
        _ => return None,
    })
}

/// What a class is asked of: the class of an object (None: `this`), or one that is named.
enum Asked<'e> {
    Of(Option<&'e ast::Expr>),
    Literal(&'e TypeRef),
}

fn asked(e: &ast::Expr) -> Option<Asked<'_>> {
    match &e.kind {
        ast::ExprKind::Call { target, name, arguments, .. } if &*name.name == "getClass" && arguments.is_empty() => {
            Some(Asked::Of(target.as_deref()))
        }
        ast::ExprKind::ClassLiteral(ty) => Some(Asked::Literal(ty)),
        _ => None,
    }
}
