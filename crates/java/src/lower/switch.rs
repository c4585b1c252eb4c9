//! `switch`, old and new, as statement and as expression. Every kind becomes a switch over an int: characters and small
//! integers as they are, enums by their ordinal, strings by a search through the constants first.

use super::body::{Body, JumpKind, Val, expr, sequence, set_local, stmt};
use super::statements::never_completes;
use crate::resolve::*;
use crate::syntax::ast::{self, Arm, ArmBody, CaseLabel, Prim, Switch};
use ir::{Block, Case, Expr, ExprKind, LocalId, StmtKind, Ty};
use source::{Diagnostic, Span};

/// What the labels are.
enum On {
    Int(Type),
    Enum(ClassIx),
    /// The strings so far, in the order of their numbers.
    String(Vec<Expr>),
}

impl Body<'_, '_> {
    pub fn switch_stmt(&mut self, switch: &Switch, span: Span, out: &mut Block) {
        let (value, mut on) = match self.switched(switch) {
            Ok(found) => found,
            Err(val) => return out.push(stmt(StmtKind::Expr(val.expr), span)),
        };
        let label = self.push_jump(JumpKind::Switch);
        let mark = self.vars.len();
        let mut cases = Vec::new();
        for arm in &switch.arms {
            let Some((values, is_default)) = self.labels(arm, &mut on) else { continue };
            let mut body = Vec::new();
            match &arm.body {
                ArmBody::Expr(e) => self.expr_stmt(e, &mut body),
                ArmBody::Block(b) if arm.is_arrow => self.block(b, &mut body),
                // A group shares the scope of the whole switch block.
                ArmBody::Block(b) => b.iter().for_each(|s| self.stmt(s, &mut body)),
            }
            let ends = matches!(&arm.body, ArmBody::Block(b) if b.last().is_some_and(never_completes));
            if arm.is_arrow && !ends {
                body.push(stmt(StmtKind::Break(label), arm.span));
            }
            cases.push(Case { values, is_default, body });
        }
        self.vars.truncate(mark);
        self.jumps.pop();
        let on = self.number(value, on, span);
        out.push(stmt(StmtKind::Switch { label, on, cases }, span));
    }

    pub fn switch_expr(&mut self, e: &ast::Expr, switch: &Switch, expected: Option<&Type>) -> Val {
        let span = e.span;
        let (value, mut on) = match self.switched(switch) {
            Ok(found) => found,
            Err(val) => return val,
        };
        let (ty, is_poly) = match expected {
            Some(ty) if *ty != Type::Void => (ty.clone(), true),
            _ => {
                let poly = self.poly(e);
                (self.standalone(&poly).0, false)
            }
        };
        let ir_ty = self.low.ir_type(&ty);
        let result = self.temp(ir_ty);
        let label = self.push_jump(JumpKind::Yield(result, Some(ty.clone()), is_poly));
        let mark = self.vars.len();
        let mut cases = Vec::new();
        let mut has_default = false;
        for arm in &switch.arms {
            let Some((values, is_default)) = self.labels(arm, &mut on) else { continue };
            has_default |= is_default;
            let mut body = Vec::new();
            match &arm.body {
                ArmBody::Expr(e) => self.yield_stmt(e, arm.span, &mut body),
                ArmBody::Block(b) if arm.is_arrow => self.block(b, &mut body),
                ArmBody::Block(b) => b.iter().for_each(|s| self.stmt(s, &mut body)),
            }
            cases.push(Case { values, is_default, body });
        }
        self.vars.truncate(mark);
        self.jumps.pop();
        if let (false, On::Enum(_)) = (has_default, &on) {
            // All constants are covered, or `javac` would not take it: a null was thrown on before.
            if let Some(last) = cases.last_mut() {
                last.is_default = true;
            }
        } else if !has_default {
            let d = Diagnostic::error("type-mismatch", span, "the `switch` expression does not cover all values");
            self.error(d.help("add a `default`"));
        }
        let on = self.number(value, on, span);
        let block = vec![stmt(StmtKind::Switch { label, on, cases }, span)];
        let result = expr(ExprKind::Local(result), ir_ty, span);
        Val { expr: sequence(block, result), ty }
    }

    pub fn yield_stmt(&mut self, value: &ast::Expr, span: Span, out: &mut Block) {
        let target = self.jumps.iter().rev().find_map(|j| match &j.kind {
            JumpKind::Yield(local, ty, is_poly) => Some((j.label, *local, ty.clone(), *is_poly)),
            _ => None,
        });
        let Some((label, local, ty, is_poly)) = target else {
            self.error(Diagnostic::error("syntax-error", span, "`yield` is not inside a `switch` expression"));
            return;
        };
        let Some(ty) = ty else {
            let poly = self.poly(value);
            self.yielded.push(poly);
            return;
        };
        let val = self.expr(value, Some(&ty).filter(|_| is_poly));
        let value = self.assign_to(val, &ty);
        out.push(set_local(local, value, span));
        out.push(stmt(StmtKind::Break(label), span));
    }

    /// What is switched over; if nothing can be, a value that stands for all.
    fn switched(&mut self, switch: &Switch) -> Result<(Val, On), Val> {
        let value = self.expr(&switch.on, None);
        if let Some(prim) = self.low.table.as_prim(&value.ty)
            && matches!(prim, Prim::Int | Prim::Short | Prim::Byte | Prim::Char)
        {
            return Ok((value, On::Int(Type::Prim(prim))));
        }
        if self.is_string(&value.ty) {
            return Ok((value, On::String(Vec::new())));
        }
        match &value.ty {
            Type::Error => Err(value),
            Type::Class(c, _) if self.low.table.class(*c).is_enum() => {
                let c = *c;
                Ok((value, On::Enum(c)))
            }
            ty => {
                let message = format!("a `switch` over `{}` is not possible", self.low.table.type_name(ty));
                let error = Diagnostic::error("type-mismatch", switch.on.span, message);
                let is_class = matches!(ty, Type::Class(..));
                Err(self.failed(if is_class { error.help("use `if` with `instanceof`") } else { error }))
            }
        }
    }

    fn labels(&mut self, arm: &Arm, on: &mut On) -> Option<(Vec<i64>, bool)> {
        let mut values = Vec::new();
        let mut is_default = false;
        for label in &arm.labels {
            match label {
                CaseLabel::Default => is_default = true,
                CaseLabel::Pattern(span) => {
                    let d = super::unsupported(*span, "a pattern in a `switch`", "use `if` with `instanceof`");
                    self.error(d);
                    return None;
                }
                CaseLabel::Value(e) => values.push(self.label_value(e, on)?),
            }
        }
        Some((values, is_default))
    }

    fn label_value(&mut self, e: &ast::Expr, on: &mut On) -> Option<i64> {
        match on {
            On::Int(ty) => {
                let val = self.expr(e, None);
                let value = self.assign_to(val, &ty.clone());
                match value.kind {
                    ExprKind::Int(v) => Some(v),
                    _ => self.not_constant(e),
                }
            }
            On::Enum(class) => {
                let name = match &e.kind {
                    ast::ExprKind::Name(n) => n.clone(),
                    ast::ExprKind::Field(_, f) => f.name.clone(),
                    _ => return self.not_constant(e),
                };
                let decl = self.low.table.class(*class).decl.clone();
                match decl.constants.iter().position(|c| c.name.name == name) {
                    Some(ordinal) => Some(ordinal as i64),
                    None => {
                        let message = format!("`{}` has no constant `{name}`", self.low.table.class(*class).name);
                        let mut d = Diagnostic::error("unknown-name", e.span, message);
                        d.help = did_you_mean(&name, decl.constants.iter().map(|c| &*c.name.name));
                        self.error(d);
                        None
                    }
                }
            }
            On::String(strings) => {
                let val = self.expr(e, None);
                match val.expr.kind {
                    ExprKind::String(_) => {
                        strings.push(val.expr);
                        Some(strings.len() as i64 - 1)
                    }
                    _ => self.not_constant(e),
                }
            }
        }
    }

    fn not_constant(&mut self, e: &ast::Expr) -> Option<i64> {
        self.error(Diagnostic::error("type-mismatch", e.span, "a `case` needs a constant"));
        None
    }

    /// The int that is switched over; null throws.
    fn number(&mut self, value: Val, on: On, span: Span) -> Expr {
        match on {
            On::Int(_) => self.int_operand(value),
            On::Enum(_) => {
                let ty = self.low.table.known_type("java.lang.Enum");
                let object = self.receiver(value);
                let field = self.low.table.find_field(&ty, "ordinal").and_then(|(f, _)| self.low.field_id(f));
                match field {
                    Some(field) => expr(ExprKind::Field(Box::new(object), field), Ty::Int, span),
                    None => self.floating(span).expr,
                }
            }
            On::String(strings) => self.string_number(value, strings, span),
        }
    }

    /// `-1` for none of them. `equals` of the value throws on null, as Java does.
    fn string_number(&mut self, value: Val, strings: Vec<Expr>, span: Span) -> Expr {
        let int = |v| expr(ExprKind::Int(v), Ty::Int, span);
        let mut block = Vec::new();
        let ir_ty = value.expr.ty;
        let value = match strings.is_empty() {
            true => self.require(value.expr, &mut block),
            false => self.bind(value.expr, &mut block),
        };
        let string = self.low.table.known_type("java.lang.String");
        let equals = self.low.table.find_methods(&string, "equals").into_iter().next();
        let Some(equals) = equals.map(|c| self.low.method_id(c.method)) else { return int(-1) };
        let number: LocalId = self.temp(Ty::Int);
        block.push(set_local(number, int(-1), span));
        let mut otherwise: Block = Vec::new();
        for (i, text) in strings.into_iter().enumerate().rev() {
            let value = Expr { ty: ir_ty, ..value.clone() };
            let condition = expr(ExprKind::Call(equals, vec![value, text]), Ty::Bool, span);
            let then = vec![set_local(number, int(i as i64), span)];
            otherwise = vec![stmt(StmtKind::If { condition, then, otherwise }, span)];
        }
        block.extend(otherwise);
        sequence(block, expr(ExprKind::Local(number), Ty::Int, span))
    }
}
