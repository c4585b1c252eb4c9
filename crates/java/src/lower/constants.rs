//! Constant variables (JLS 4.12.4): a final field of a primitive type or String whose initialiser is a constant
//! expression is that constant wherever it is read.

use super::body::{Body, is_literal};
use super::{Constant, Lowering};
use crate::resolve::*;
use crate::syntax::ast::{self, ExprKind};

impl Lowering<'_> {
    pub fn constant(&mut self, fx: FieldIx) -> Option<ir::Expr> {
        match self.constants.get(&fx) {
            Some(Constant::Known(value)) => return value.clone(),
            Some(Constant::InProgress) => return None,
            None => {}
        }
        let value = self.find_constant(fx);
        self.constants.insert(fx, Constant::Known(value.clone()));
        value
    }

    fn find_constant(&mut self, fx: FieldIx) -> Option<ir::Expr> {
        let info = self.table.field(fx).clone();
        let FieldOrigin::Declared(decl) = &info.origin else { return None };
        let init = decl.init.as_ref().filter(|_| info.is_final)?;
        let string = self.table.known("java.lang.String");
        let is_constant_type = info.ty.prim().is_some() || matches!(&info.ty, Type::Class(c, _) if *c == string);
        if !is_constant_type || !may_be_constant(init) {
            return None;
        }
        self.constants.insert(fx, Constant::InProgress);
        let types = self.table.scope_of(info.class);
        let mark = self.table.diagnostics.len();
        let mut body = Body::new(self, info.class, false, types);
        let val = body.expr(init, Some(&info.ty));
        let value = body.assign_to(val, &info.ty);
        // If it is not a constant the initialiser is lowered again in its place, and problems are reported there.
        self.table.diagnostics.truncate(mark);
        (is_literal(&value) && !matches!(value.kind, ir::ExprKind::Null)).then_some(value)
    }
}

/// Only what JLS 15.29 lists, so that looking is without consequences.
fn may_be_constant(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(_) | ExprKind::Name(_) => true,
        ExprKind::Field(front, _) => may_be_constant(front),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => may_be_constant(a),
        ExprKind::Binary(_, a, b) => may_be_constant(a) && may_be_constant(b),
        ExprKind::Conditional(a, b, c) => may_be_constant(a) && may_be_constant(b) && may_be_constant(c),
        _ => false,
    }
}
