//! Expressions: everything but operators, assignments, calls and creation.

use super::body::{Body, Val, expr, is_literal, sequence, set_local, stmt};
use super::calls::is_functional;
use super::names::Place;
use super::poly::typed;
use super::{fold, prim_ty};
use crate::resolve::*;
use crate::syntax::ast::{self, Literal, Prim};
use ir::{Expr, ExprKind, StmtKind, Ty};
use source::{Diagnostic, Span};

impl Body<'_, '_> {
    /// `expected` is what the context asks for, if it asks: lambdas and generic calls need it. The value still has to be
    /// converted to it.
    pub fn expr(&mut self, e: &ast::Expr, expected: Option<&Type>) -> Val {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::Literal(literal) => self.literal(literal, span),
            ast::ExprKind::Name(n) => self.name(n, span),
            ast::ExprKind::This => self.this_value(span),
            ast::ExprKind::QualifiedThis(class) => self.qualified_this(class, span),
            ast::ExprKind::Super(_) => {
                self.failed(Diagnostic::error("syntax-error", span, "`super` must be followed by a member"))
            }
            ast::ExprKind::Field(target, field) => self.field(target, field, span),
            ast::ExprKind::Index(array, index) => self.index(array, index, span),
            ast::ExprKind::Call { target, type_args, name, arguments } => {
                self.call(target.as_deref(), type_args, name, arguments, expected, span)
            }
            ast::ExprKind::New { outer, ty, arguments, body } => {
                self.creation(outer.as_deref(), ty, arguments, body.as_ref(), expected, span)
            }
            ast::ExprKind::NewArray { ty, lengths, init } => self.new_array(ty, lengths, init.as_deref(), span),
            ast::ExprKind::ArrayInit(elements) => match expected {
                Some(ty) => self.array_init(&ty.clone(), elements, span),
                None => {
                    self.failed(Diagnostic::error("type-mismatch", span, "an array initialiser is not expected here"))
                }
            },
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ast::ExprKind::Update { increment, prefix, operand } => {
                self.update(*increment, *prefix, operand, true, span)
            }
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ast::ExprKind::Assign(op, target, value) => self.assign(*op, target, value, span),
            ast::ExprKind::InstanceOf(value, ty, name) => {
                let value = self.expr(value, None);
                self.instance_of(value, ty, name.as_ref(), span)
            }
            ast::ExprKind::Matches(value, pattern) => {
                let value = self.expr(value, None);
                self.matches(value, pattern, span)
            }
            ast::ExprKind::Cast(ty, value) => {
                let ty = self.resolve(ty);
                // A cast asks nothing of its operand, but for a function (JLS 15.16).
                let value = self.expr(value, Some(&ty).filter(|_| is_functional(value)));
                self.cast(value, &ty, span)
            }
            ast::ExprKind::Conditional(c, a, b) => self.conditional(e, [c, a, b], expected),
            ast::ExprKind::Lambda(lambda) => match expected {
                Some(ty) => self.lambda(lambda, &ty.clone(), &[], &mut Substitution::default(), span),
                None => self.failed(Diagnostic::error("type-mismatch", span, "a lambda is not expected here")),
            },
            ast::ExprKind::MethodRef(target, name) => match expected {
                Some(ty) => {
                    self.method_ref(target, name.as_ref(), &ty.clone(), &[], &mut Substitution::default(), span)
                }
                None => {
                    self.failed(Diagnostic::error("type-mismatch", span, "a method reference is not expected here"))
                }
            },
            ast::ExprKind::Switch(switch) => self.switch_expr(e, switch, expected),
            ast::ExprKind::ClassLiteral(ty) => self.class_literal(ty, span),
            ast::ExprKind::Unsupported(what, instead) => self.unsupported(span, what, instead, Type::Error),
        }
    }

    fn literal(&mut self, literal: &Literal, span: Span) -> Val {
        let int = |v, p: Prim| Val { expr: expr(ExprKind::Int(v), prim_ty(p), span), ty: Type::Prim(p) };
        match literal {
            Literal::Bool(b) => Val { expr: expr(ExprKind::Bool(*b), Ty::Bool, span), ty: BOOL },
            Literal::Int(v) => int(*v, Prim::Int),
            Literal::Long(v) => int(*v, Prim::Long),
            Literal::Char(c) => int(i64::from(*c), Prim::Char),
            Literal::Float(value) => int(ir::float::constant(ir::float::Format::Single, *value), Prim::Float),
            Literal::Double(value) => int(ir::float::constant(ir::float::Format::Double, *value), Prim::Double),
            Literal::String(text) => self.string(text, span),
            Literal::Null => Val { expr: expr(ExprKind::Null, Ty::Null, span), ty: Type::Null },
        }
    }

    pub fn string(&mut self, text: &str, span: Span) -> Val {
        let id = self.low.string_id(text);
        let ty = self.low.table.known_type("java.lang.String");
        let ir_ty = self.low.ir_type(&ty);
        Val { expr: expr(ExprKind::String(id), ir_ty, span), ty }
    }

    fn qualified_this(&mut self, class: &ast::Expr, span: Span) -> Val {
        let Some(Type::Class(c, _)) = self.as_type(class) else {
            return self.failed(Diagnostic::error("unknown-type", class.span, "this is not the name of a class"));
        };
        match self.outer_instance(c, span) {
            Ok(expr) => Val { expr, ty: self.low.table.self_type(c) },
            Err(()) => {
                let message = format!("there is no enclosing object of class `{}` here", self.low.table.class(c).name);
                self.failed(Diagnostic::error("unknown-name", span, message))
            }
        }
    }

    fn field(&mut self, target: &ast::Expr, field: &ast::Ident, span: Span) -> Val {
        if &*field.name == "length" && !matches!(target.kind, ast::ExprKind::Super(_)) && self.as_type(target).is_none()
        {
            let array = self.expr(target, None);
            if let Type::Array(_) = array.ty {
                let array = self.receiver(array);
                return Val { expr: expr(ExprKind::Length(Box::new(array)), Ty::Int, span), ty: INT };
            }
            if array.ty.is_error() {
                return array;
            }
        }
        match self.field_place(target, field) {
            Ok(place) => self.read(place, span),
            Err(val) => val,
        }
    }

    pub fn index_parts(&mut self, array: &ast::Expr, index: &ast::Expr) -> Result<(Expr, Expr, Type), Val> {
        let array_val = self.expr(array, None);
        let Type::Array(element) = array_val.ty.clone() else {
            if array_val.ty.is_error() {
                return Err(array_val);
            }
            let message = format!("`{}` is not an array", self.low.table.type_name(&array_val.ty));
            return Err(self.failed(Diagnostic::error("type-mismatch", array.span, message)));
        };
        let array = self.receiver(array_val);
        let index = self.expr(index, Some(&INT));
        let index = self.int_operand(index);
        if element.is_floating() {
            let ty = Type::clone(&element);
            return Err(self.floating_value(array.span, ty));
        }
        Ok((array, index, Type::clone(&element)))
    }

    /// Unary promotion to int, as an index, a length or a `switch` needs it.
    pub fn int_operand(&mut self, val: Val) -> Expr {
        self.invoke_to(val, &INT)
    }

    fn index(&mut self, array: &ast::Expr, index: &ast::Expr, span: Span) -> Val {
        match self.index_parts(array, index) {
            Ok((array, index, ty)) => self.element(array, index, ty, span),
            Err(val) => val,
        }
    }

    pub fn element(&mut self, array: Expr, index: Expr, ty: Type, span: Span) -> Val {
        let ir_ty = match array.ty {
            Ty::Array(a) => self.low.program.element_ty(a),
            _ => self.low.ir_type(&ty),
        };
        Val { expr: expr(ExprKind::Element(Box::new(array), Box::new(index)), ir_ty, span), ty }
    }

    pub fn instance_of(&mut self, value: Val, ty: &ast::TypeRef, name: Option<&ast::Ident>, span: Span) -> Val {
        let written = ty;
        let ty = self.resolve(ty);
        if let Some(help) = self.stands_for(&ty).filter(|_| !self.is_named(written, &ty)) {
            let message = "`instanceof` of a class that is replaced";
            return self.failed(Diagnostic::error("replaced-class", span, message).help(help));
        }
        if value.ty.is_error() || ty.is_error() {
            return Val { expr: self.poison(value.expr, &BOOL), ty: BOOL };
        }
        if !value.ty.is_reference() || !ty.is_reference() || !self.castable(&value.ty, &ty) {
            let (a, b) = (self.low.table.type_name(&value.ty), self.low.table.type_name(&ty));
            let mut d = Diagnostic::error("type-mismatch", span, format!("a `{a}` is never a `{b}`"));
            if !ty.is_reference() {
                d = d.help("patterns of primitive types, which later versions of Java have, are not supported: compare numbers");
            }
            return self.failed(d);
        }
        if let Some(val) = self.array_interface(&value.ty, &ty, BOOL, span) {
            return val;
        }
        let ir_ty = self.low.ir_type(&ty);
        let Some(name) = name else {
            return Val { expr: expr(ExprKind::InstanceOf(Box::new(value.expr), ir_ty), Ty::Bool, span), ty: BOOL };
        };
        let mut before = Vec::new();
        let value = match value.expr.kind {
            ExprKind::Local(_) => value.expr,
            _ => self.bind(value.expr, &mut before),
        };
        let test = expr(ExprKind::InstanceOf(Box::new(value.clone()), ir_ty), Ty::Bool, span);
        let local = self.declare_pattern(name, ty.clone());
        let cast = self.coerce(value, &ty);
        let bound = sequence(vec![set_local(local, cast, span)], expr(ExprKind::Bool(true), Ty::Bool, span));
        let test = expr(ExprKind::AndThen(Box::new(test), Box::new(bound)), Ty::Bool, span);
        Val { expr: sequence(before, test), ty: BOOL }
    }

    /// Whether a type is written by its own name.
    fn is_named(&self, written: &ast::TypeRef, ty: &Type) -> bool {
        match (&written.kind, ty) {
            (ast::TypeRefKind::Named(parts), Type::Class(class, _)) => {
                parts.last().is_some_and(|(name, _)| name.name == self.low.table.class(*class).simple)
            }
            _ => true,
        }
    }

    fn conditional(&mut self, e: &ast::Expr, [c, a, b]: [&ast::Expr; 3], expected: Option<&Type>) -> Val {
        let span = e.span;
        let expected = expected.filter(|t| **t != Type::Void).filter(|_| {
            let poly = self.poly(e);
            !self.is_settled(&poly)
        });
        let (mark, test) = (self.vars.len(), c);
        let c = self.expr(c, Some(&BOOL));
        let c = self.condition(c);
        self.in_scope_when(mark, test, true);
        let a = self.expr(a, expected);
        self.in_scope_when(mark, test, false);
        let b = self.expr(b, expected);
        self.out_of_scope(mark);
        let ty = match expected {
            Some(ty) => ty.clone(),
            None => self.common_type(&[typed(&a), typed(&b)]),
        };
        let (a, b) = (self.assign_to(a, &ty), self.assign_to(b, &ty));
        let ir_ty = self.low.ir_type(&ty);
        let mut result = fold::conditional(c, a, b, span);
        result.span = span;
        if !is_literal(&result) {
            result.ty = ir_ty;
        }
        Val { expr: result, ty }
    }

    /// An expression for its effects only.
    pub fn expr_stmt(&mut self, e: &ast::Expr, out: &mut Vec<ir::Stmt>) {
        let span = e.span;
        let val = match &e.kind {
            ast::ExprKind::Update { increment, prefix, operand } => {
                self.update(*increment, *prefix, operand, false, span)
            }
            _ => self.expr(e, None),
        };
        let value = val.expr;
        match value.kind {
            // The value of a sequence is not needed: its statements are enough if it cannot have an effect.
            ExprKind::Sequence(block, last) if is_literal(&last) || matches!(last.kind, ExprKind::Local(_)) => {
                out.extend(block)
            }
            kind => out.push(stmt(StmtKind::Expr(Expr { kind, ..value }), span)),
        }
    }

    /// A place that is assigned to.
    pub fn place(&mut self, e: &ast::Expr) -> Result<Place, Val> {
        match &e.kind {
            ast::ExprKind::Name(n) => match self.find_variable(n, e.span) {
                Some(found) => found,
                None => Err(self.unknown_name(n, e.span)),
            },
            ast::ExprKind::Field(target, field) => self.field_place(target, field),
            _ => Err(self.failed(Diagnostic::error("type-mismatch", e.span, "this cannot be assigned to"))),
        }
    }
}
