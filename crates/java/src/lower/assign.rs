//! Assignment, compound assignment, `++` and `--` (JLS 15.26, 15.14, 15.15). Operands of the target are evaluated once,
//! before the right side; the old value is read before the right side too.

use super::body::{Body, Val, expr, sequence, set_local, stmt};
use super::fold;
use super::names::Place;
use crate::resolve::*;
use crate::syntax::ast::{self, BinaryOp, Prim};
use ir::{Expr, ExprKind, LocalId, Stmt, StmtKind, Ty};
use source::{Diagnostic, Span};

/// A target with its operands at hand; they may be used twice.
enum Target {
    Local(LocalId, Type),
    Field(Option<Expr>, FieldIx, Type),
    Element(Expr, Expr, Type),
}

impl Target {
    fn ty(&self) -> &Type {
        match self {
            Target::Local(_, ty) | Target::Field(_, _, ty) | Target::Element(_, _, ty) => ty,
        }
    }
}

impl Body<'_, '_> {
    pub fn assign(&mut self, op: Option<BinaryOp>, target: &ast::Expr, value: &ast::Expr, span: Span) -> Val {
        let before_count = self.assignments;
        let target = match self.target(target) {
            Ok(target) => target,
            Err(val) => return val,
        };
        let ty = target.ty().clone();
        let Some(op) = op else {
            let value = self.expr(value, Some(&ty));
            if let Some(boxed) = self.boxed_by_javac(&target, &value) {
                return boxed;
            }
            let value = self.assign_to(value, &ty);
            return self.store(target, value, span);
        };
        // The operands are copied unless nothing can change them meanwhile.
        let value = self.expr(value, None);
        let disturbed = self.assignments != before_count;
        let mut before = Vec::new();
        let target = self.stabilise(target, disturbed, &mut before);
        let old = self.load(&target, span);
        let combined = self.apply(op, old, value, span);
        let combined = self.compound_result(combined, &ty, span);
        let stored = self.store(target, combined, span);
        Val { expr: sequence(before, stored.expr), ty: stored.ty }
    }

    /// `Box<Byte> b; b.v = 3;` stores a Byte (JLS 5.2), and an Integer if `javac` compiles it, since to it `v` has lost its type by then:
    /// with neither would every verdict be right.
    fn boxed_by_javac(&mut self, target: &Target, value: &Val) -> Option<Val> {
        let (given, wanted) = (value.ty.prim()?, self.low.table.unboxed(target.ty())?);
        let declared = match target {
            Target::Local(..) => return None,
            Target::Field(_, field, _) => {
                let declared = self.low.table.field(*field).ty.clone();
                self.low.ir_type(&declared)
            }
            Target::Element(array, ..) => match array.ty {
                Ty::Array(a) => self.low.program.element_ty(a),
                _ => return None,
            },
        };
        if given == wanted || declared == self.low.ir_type(target.ty()) {
            return None;
        }
        let what = "a number that becomes another kind of box where the type is a type variable";
        let instead = "cast it, as in `(byte) 3`: without that, javac stores an Integer here";
        Some(self.unsupported(value.expr.span, what, instead, target.ty().clone()))
    }

    /// A compound assignment casts its result to the type of the target.
    fn compound_result(&mut self, val: Val, ty: &Type, span: Span) -> Expr {
        if val.ty.is_error() || ty.is_error() {
            return self.poison(val.expr, ty);
        }
        match (self.low.table.as_prim(ty), val.ty.prim()) {
            (Some(to), Some(from)) if (to == Prim::Bool) == (from == Prim::Bool) => {
                let cast = self.cast(val, &Type::Prim(to), span);
                self.assign_to(cast, ty)
            }
            _ => self.assign_to(val, ty),
        }
    }

    pub fn update(&mut self, increment: bool, prefix: bool, operand: &ast::Expr, used: bool, span: Span) -> Val {
        let before_count = self.assignments;
        let target = match self.target(operand) {
            Ok(target) => target,
            Err(val) => return val,
        };
        let ty = target.ty().clone();
        let mut before: Vec<Stmt> = Vec::new();
        let disturbed = self.assignments != before_count;
        let target = self.stabilise(target, disturbed, &mut before);
        let mut old = self.load(&target, span);
        if !self.low.table.as_prim(&ty).is_some_and(|p| p != Prim::Bool) {
            if ty.is_error() {
                return old;
            }
            let message = format!("`++` and `--` do not take a `{}`", self.low.table.type_name(&ty));
            return self.failed(Diagnostic::error("type-mismatch", span, message));
        }
        if ty.is_floating() {
            return self.floating_value(span, ty);
        }
        let keep = used && !prefix;
        if keep {
            // The old value, as it was: a box stays that box.
            let local = self.temp(old.expr.ty);
            let ir_ty = old.expr.ty;
            before.push(set_local(local, old.expr, span));
            old = Val { expr: expr(ExprKind::Local(local), ir_ty, span), ty: old.ty };
        }
        let result = old.clone();
        let one = Val { expr: expr(ExprKind::Int(1), Ty::Int, span), ty: INT };
        let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
        let new = self.apply(op, old, one, span);
        let new = self.compound_result(new, &ty, span);
        let stored = self.store(target, new, span);
        if keep {
            before.push(stmt(StmtKind::Expr(stored.expr), span));
            return Val { expr: sequence(before, result.expr), ty: result.ty };
        }
        Val { expr: sequence(before, stored.expr), ty: stored.ty }
    }

    fn target(&mut self, e: &ast::Expr) -> Result<Target, Val> {
        if let ast::ExprKind::Index(array, index) = &e.kind {
            let (array, index, ty) = self.index_parts(array, index)?;
            return Ok(Target::Element(array, index, ty));
        }
        Ok(match self.place(e)? {
            Place::Local(i) => {
                self.assignments += 1;
                let var = &self.vars[i];
                Target::Local(var.local, var.ty.clone())
            }
            Place::Field(object, field, ty) => {
                let is_captured = matches!(self.low.table.field(field).origin, FieldOrigin::Synthetic);
                if is_captured {
                    let message = "a variable of the method around cannot be assigned in here";
                    return Err(self.failed(Diagnostic::error("type-mismatch", e.span, message)));
                }
                if self.low.constant(field).is_some() {
                    let message = "a constant cannot be assigned to";
                    return Err(self.failed(Diagnostic::error("type-mismatch", e.span, message)));
                }
                Target::Field(object, field, ty)
            }
        })
    }

    /// Makes the operands safe to use twice. `disturbed`: an assignment happens between the two uses.
    fn stabilise(&mut self, target: Target, disturbed: bool, before: &mut Vec<Stmt>) -> Target {
        let mut fix = |body: &mut Self, e: Expr| match e.kind {
            ExprKind::Local(_) if !disturbed => e,
            _ => body.bind(e, before),
        };
        match target {
            Target::Local(..) => target,
            Target::Field(object, field, ty) => Target::Field(object.map(|o| fix(self, o)), field, ty),
            Target::Element(array, index, ty) => {
                let array = fix(self, array);
                Target::Element(array, fix(self, index), ty)
            }
        }
    }

    fn load(&mut self, target: &Target, span: Span) -> Val {
        match target {
            Target::Local(local, ty) => {
                let ir_ty = self.locals[local.index()].ty;
                Val { expr: expr(ExprKind::Local(*local), ir_ty, span), ty: ty.clone() }
            }
            Target::Field(object, field, ty) => self.read(Place::Field(object.clone(), *field, ty.clone()), span),
            Target::Element(array, index, ty) => self.element(array.clone(), index.clone(), ty.clone(), span),
        }
    }

    fn store(&mut self, target: Target, value: Expr, span: Span) -> Val {
        match target {
            Target::Local(local, ty) => {
                let ir_ty = self.locals[local.index()].ty;
                Val { expr: expr(ExprKind::SetLocal(local, Box::new(value)), ir_ty, span), ty }
            }
            Target::Field(object, field, ty) => {
                let Some(id) = self.low.field_id(field) else { return self.store_nowhere(object, value, ty) };
                let ir_ty = self.low.program.field(id).ty;
                let kind = match object {
                    Some(object) => ExprKind::SetField(Box::new(object), id, Box::new(value)),
                    None => {
                        let class = self.low.table.field(field).class;
                        self.low.static_initialiser(class);
                        match self.static_owner(field, span) {
                            Some(owner) => ExprKind::SetField(Box::new(owner), id, Box::new(value)),
                            None => ExprKind::SetStatic(id, Box::new(value)),
                        }
                    }
                };
                Val { expr: expr(kind, ir_ty, span), ty }
            }
            Target::Element(array, index, ty) => {
                let ir_ty = match array.ty {
                    Ty::Array(a) => self.low.program.element_ty(a),
                    _ => self.low.ir_type(&ty),
                };
                let kind = ExprKind::SetElement(Box::new(array), Box::new(index), Box::new(value));
                Val { expr: expr(kind, ir_ty, span), ty }
            }
        }
    }
    /// To a field of a floating-point type, which no state has.
    fn store_nowhere(&mut self, object: Option<Expr>, value: Expr, ty: Type) -> Val {
        let mut block = Vec::new();
        let object = object.map(|o| self.bind(o, &mut block));
        let value = self.bind(value, &mut block);
        if let Some(object) = object.filter(|o| !matches!(o.kind, ExprKind::Local(LocalId(0))) || !self.has_this) {
            self.require(object, &mut block);
        }
        Val { expr: sequence(block, value), ty }
    }
}

/// The default value of a type.
pub fn default_value(ty: Ty, span: Span) -> Expr {
    match ty {
        Ty::Bool => expr(ExprKind::Bool(false), ty, span),
        _ if ty.is_integral() => fold::convert(expr(ExprKind::Int(0), Ty::Int, span), ty, span),
        _ => expr(ExprKind::Null, Ty::Null, span),
    }
}
