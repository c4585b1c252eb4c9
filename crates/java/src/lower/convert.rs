//! Conversions that Java makes without saying so: widening, boxing, unboxing, and the casts that erasure needs.

use super::body::{Body, Val, expr};
use super::{fold, prim_ty};
use crate::resolve::*;
use crate::syntax::ast::Prim;
use ir::{Expr, ExprKind, Ty};
use source::{Diagnostic, Span};

impl Body<'_, '_> {
    /// Assignment conversion (JLS 5.2), which also narrows constants.
    pub fn assign_to(&mut self, val: Val, to: &Type) -> Expr {
        let span = val.expr.span;
        if let (Some(_), ExprKind::Int(v)) = (val.ty.prim(), &val.expr.kind)
            && let Some(target) = self.low.table.as_prim(to)
            && matches!(target, Prim::Byte | Prim::Short | Prim::Char)
            && !matches!(val.ty, Type::Prim(Prim::Long | Prim::Float | Prim::Double))
        {
            let (lo, hi) = prim_ty(target).range();
            if *v >= lo && *v <= hi {
                let narrowed = fold::convert(val.expr, prim_ty(target), span);
                return self.invoke_to(Val { expr: narrowed, ty: Type::Prim(target) }, to);
            }
        }
        self.invoke_to(val, to)
    }

    /// Method invocation conversion (JLS 5.3).
    pub fn invoke_to(&mut self, val: Val, to: &Type) -> Expr {
        let span = val.expr.span;
        let to = &self.low.table.lower(to);
        match (&val.ty, to) {
            (Type::Error, _) | (_, Type::Error) => self.poison(val.expr, to),
            (Type::Prim(a), Type::Prim(b)) if prim_widens(*a, *b) => {
                let (a, b) = (*a, *b);
                self.number_as(val.expr, a, b, span)
            }
            (Type::Prim(a), _) if to.is_reference() => {
                let a = *a;
                let boxed = self.low.table.boxed(a);
                if self.low.table.is_subtype(&boxed, to) {
                    self.box_value(val.expr, a)
                } else {
                    self.mismatch(&val.ty, to, span)
                }
            }
            (_, Type::Prim(b)) if val.ty.is_reference() => {
                let b = *b;
                match self.low.table.unboxed(&val.ty) {
                    Some(a) if prim_widens(a, b) => {
                        let value = self.unbox(val, a);
                        self.number_as(value, a, b, span)
                    }
                    _ => self.mismatch(&val.ty, to, span),
                }
            }
            _ if val.ty.is_reference() && to.is_reference() && self.low.table.is_subtype(&val.ty, to) => {
                self.coerce(val.expr, to)
            }
            _ => self.mismatch(&val.ty, to, span),
        }
    }

    /// A value whose type is not known, where one of a type is needed. It never gets there: what is not known is either
    /// an error that was reported, or stops the run where it stands.
    pub fn poison(&mut self, e: Expr, to: &Type) -> Expr {
        let ty = self.low.ir_type(to);
        if matches!(e.kind, ExprKind::Unsupported(_)) {
            return Expr { ty, ..e };
        }
        let span = e.span;
        let value = super::assign::default_value(ty, span);
        super::body::sequence(vec![super::body::stmt(ir::StmtKind::Expr(e), span)], value)
    }

    fn mismatch(&mut self, from: &Type, to: &Type, span: Span) -> Expr {
        let table = &self.low.table;
        if let (Type::Class(given, _), Type::Class(wanted, _)) = (from, to)
            && let Some((message, help)) = table.not_taken.get(&(*given, *wanted))
        {
            let problem = Diagnostic::error("bad-replacement", span, message.clone()).help(help.clone());
            return self.failed(problem).expr;
        }
        let message = format!("`{}` is given where `{}` is expected", table.type_name(from), table.type_name(to));
        self.failed(Diagnostic::error("type-mismatch", span, message)).expr
    }

    /// A reference whose erased type may be too wide (it came through a type variable): the cast that `javac` inserts.
    pub fn coerce(&mut self, e: Expr, to: &Type) -> Expr {
        let ty = self.low.ir_type(to);
        if e.ty == Ty::Null || !e.ty.is_reference() || self.low.is_ir_subtype(e.ty, ty) {
            return e;
        }
        let span = e.span;
        expr(ExprKind::Cast(Box::new(e), ty), ty, span)
    }

    /// As a receiver: the erased type must be that of the static type.
    pub fn receiver(&mut self, val: Val) -> Expr {
        let ty = val.ty.clone();
        self.coerce(val.expr, &ty)
    }

    pub fn floating(&mut self, span: Span) -> Val {
        self.floating_value(span, Type::Prim(Prim::Double))
    }

    /// Where the value of a `float` or `double` would matter: such values are stored and passed on, nothing else.
    pub fn floating_value(&mut self, span: Span, ty: Type) -> Val {
        self.unsupported(span, "floating-point arithmetic", "use `int` or `long`", ty)
    }

    /// `Integer.valueOf(e)`: which objects are one is a matter of the `Box` class kind.
    pub fn box_value(&mut self, e: Expr, prim: Prim) -> Expr {
        let span = e.span;
        if matches!(prim, Prim::Float | Prim::Double) {
            return self.floating(span).expr;
        }
        let boxed = self.low.table.boxed(prim);
        let constructor = self.low.table.constructors(&boxed).into_iter().next().map(|c| c.method);
        let (Type::Class(class, _), Some(constructor)) = (&boxed, constructor) else {
            return self.floating(span).expr;
        };
        let class = self.low.class_id(*class);
        let constructor = self.low.method_id(constructor);
        expr(ExprKind::New(class, constructor, vec![e]), Ty::Class(class), span)
    }

    /// Reads the one field of a box: null throws, as `intValue()` would.
    pub fn unbox(&mut self, val: Val, prim: Prim) -> Expr {
        let span = val.expr.span;
        let boxed = self.low.table.boxed(prim);
        let object = self.coerce(val.expr, &boxed);
        let field = self.low.table.find_field(&boxed, "value").and_then(|(f, _)| self.low.field_id(f));
        match field {
            Some(field) => expr(ExprKind::Field(Box::new(object), field), prim_ty(prim), span),
            None => self.floating(span).expr,
        }
    }

    /// The value as a primitive, if it is one or a box.
    pub fn unboxed_value(&mut self, val: Val) -> Result<(Expr, Prim), Val> {
        match val.ty.prim() {
            Some(p) => Ok((val.expr, p)),
            None => match self.low.table.unboxed(&val.ty) {
                Some(p) => Ok((self.unbox(val, p), p)),
                None => Err(val),
            },
        }
    }

    /// A Boolean condition.
    pub fn condition(&mut self, val: Val) -> Expr {
        self.invoke_to(val, &BOOL)
    }

    /// Casting conversion (JLS 5.5).
    pub fn cast(&mut self, val: Val, to: &Type, span: Span) -> Val {
        let ty = to.clone();
        if val.ty.is_error() || to.is_error() {
            return Val { expr: self.poison(val.expr, to), ty };
        }
        if val.ty.is_reference()
            && let Some(val) = self.array_interface(&val.ty, to, ty.clone(), span)
        {
            return val;
        }
        let expr = match (val.ty.prim(), to.prim()) {
            (Some(a), Some(b)) if (a == Prim::Bool) == (b == Prim::Bool) => self.number_as(val.expr, a, b, span),
            (None, Some(b)) => {
                let from = self.low.table.unboxed(&val.ty);
                match from {
                    Some(a) if prim_widens(a, b) => {
                        let e = self.unbox(val, a);
                        self.number_as(e, a, b, span)
                    }
                    None if val.ty != Type::Null => {
                        // `(int) object`: a checked cast to the box, then its value.
                        let boxed = self.low.table.boxed(b);
                        let object = self.coerce(val.expr, &boxed);
                        self.unbox(Val { expr: object, ty: boxed }, b)
                    }
                    _ => self.mismatch(&val.ty, to, span),
                }
            }
            (Some(a), None) => {
                let boxed = self.low.table.boxed(a);
                if self.low.table.is_subtype(&boxed, to) {
                    self.box_value(val.expr, a)
                } else {
                    self.mismatch(&val.ty, to, span)
                }
            }
            (None, None) if self.castable(&val.ty, to) => {
                let mut e = self.coerce(val.expr, to);
                e.span = span;
                e
            }
            _ => self.mismatch(&val.ty, to, span),
        };
        Val { expr, ty }
    }

    /// Arrays implement `Cloneable` and `Serializable`, which their run-time types do not tell here.
    pub fn array_interface(&mut self, from: &Type, to: &Type, result: Type, span: Span) -> Option<Val> {
        let array = Type::array(INT);
        let table = &mut self.low.table;
        let is_object = *to == table.object() || matches!(to, Type::Array(_));
        let concerns = !is_object && table.is_subtype(&array, to) && !table.is_subtype(from, to);
        let what = format!("a test whether an object is `{}`", table.type_name(to));
        concerns.then(|| self.unsupported(span, &what, "test for an array type or a class", result))
    }

    /// Whether a cast between two reference types can ever succeed, as far as the language asks.
    pub fn castable(&mut self, from: &Type, to: &Type) -> bool {
        let (a, b) = (self.low.table.erasure(from), self.low.table.erasure(to));
        if self.low.table.is_subtype(&a, &b) || self.low.table.is_subtype(&b, &a) {
            return true;
        }
        match (&a, &b) {
            (Type::Class(x, _), Type::Class(y, _)) => {
                let (x, y) = (self.low.table.class(*x), self.low.table.class(*y));
                (x.is_interface() && !y.is_final()) || (y.is_interface() && !x.is_final())
            }
            (Type::Array(x), Type::Array(y)) => {
                x.is_reference() && y.is_reference() && self.castable(&x.clone(), &y.clone())
            }
            _ => false,
        }
    }
}
