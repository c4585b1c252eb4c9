//! `switch`, old and new, as statement and as expression. Without patterns it becomes a switch over an int: characters and small
//! integers as they are, enums by their ordinal, strings by a search through the constants first. With patterns, or a `case null`,
//! one case is asked after the other (JLS 14.11.3).

use super::body::{Body, JumpKind, Val, expr, sequence, set_local, stmt};
use super::statements::never_completes;
use crate::resolve::*;
use crate::syntax::ast::{self, Arm, ArmBody, BinaryOp, CaseLabel, Ident, Literal, Prim, Switch, TypeRef, TypeRefKind};
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
        if has_patterns(switch) {
            let label = self.push_jump(JumpKind::Switch);
            let body = self.case_by_case(switch, span);
            self.jumps.pop();
            return out.push(stmt(StmtKind::Labelled { label, body }, span));
        }
        let (value, mut on) = match self.switched(switch) {
            Ok(found) => found,
            Err(val) => return out.push(stmt(StmtKind::Expr(val.expr), span)),
        };
        let label = self.push_jump(JumpKind::Switch);
        let mark = self.vars.len();
        let mut cases = Vec::new();
        for arm in &switch.arms {
            let Some((values, is_default)) = self.labels(arm, &mut on) else { continue };
            let mut body = self.arm(arm);
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
        let by_number = match has_patterns(switch) {
            true => None,
            false => match self.switched(switch) {
                Ok(found) => Some(found),
                Err(val) => return val,
            },
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
        let Some((value, mut on)) = by_number else {
            let body = self.case_by_case(switch, span);
            self.jumps.pop();
            let block = vec![stmt(StmtKind::Labelled { label, body }, span)];
            return Val { expr: sequence(block, expr(ExprKind::Local(result), ir_ty, span)), ty };
        };
        let mark = self.vars.len();
        let mut cases = Vec::new();
        let mut has_default = false;
        for arm in &switch.arms {
            let Some((values, is_default)) = self.labels(arm, &mut on) else { continue };
            has_default |= is_default;
            let body = self.arm(arm);
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
                Err(self.failed(if is_class { error.help("use a pattern: `case T x -> …`") } else { error }))
            }
        }
    }

    fn labels(&mut self, arm: &Arm, on: &mut On) -> Option<(Vec<i64>, bool)> {
        let mut values = Vec::new();
        let mut is_default = false;
        for label in &arm.labels {
            match label {
                CaseLabel::Default => is_default = true,
                // Then it is not switched by numbers.
                CaseLabel::Pattern(..) => return None,
                CaseLabel::Value(e) => values.push(self.label_value(e, on)?),
            }
        }
        Some((values, is_default))
    }

    /// The first case that matches decides, and `default` where none does. Whoever compiled it saw that there always is one, unless
    /// classes changed since: then Java throws what is thrown here.
    pub fn case_by_case(&mut self, switch: &Switch, span: Span) -> Block {
        let mut block = Vec::new();
        let mark = self.vars.len();
        let value = self.expr(&switch.on, None);
        if !value.ty.is_reference() {
            if !value.ty.is_error() {
                let message =
                    format!("a pattern is for objects, and this is `{}`", self.low.table.type_name(&value.ty));
                self.error(Diagnostic::error("type-mismatch", switch.on.span, message));
            }
            return block;
        }
        let ty = value.ty.clone();
        let takes_null = labels(switch).any(is_null);
        let object = if takes_null { value.expr } else { self.require(value.expr, &mut block) };
        let on: ast::Name = format!("$on{}", span.start).into();
        let local = self.declare(on.clone(), ty.clone());
        block.push(set_local(local, object, span));
        let on = ast::Expr { kind: ast::ExprKind::Name(on), span: switch.on.span };
        let mut arms = Vec::new();
        let mut otherwise = None;
        for (nth, arm) in switch.arms.iter().enumerate() {
            let inner = self.vars.len();
            let test = arm.labels.iter().filter_map(|label| self.case(&on, &ty, label)).reduce(|a, b| {
                let span = a.span.to(b.span);
                binary(BinaryOp::OrElse, a, b, span)
            });
            let condition = test.as_ref().map(|test| {
                let holds = self.expr(test, Some(&BOOL));
                let holds = self.condition(holds);
                self.in_scope_when(inner, test, true);
                holds
            });
            let body = self.arm(arm);
            let is_last = nth + 1 == switch.arms.len();
            if let (false, false, ArmBody::Block(b)) = (arm.is_arrow, is_last, &arm.body)
                && !b.last().is_some_and(never_completes)
            {
                let what = "a case that goes on into the next one, in a `switch` with patterns,";
                self.error(super::unsupported(arm.span, what, "end it with `break`"));
            }
            self.vars.truncate(inner);
            if arm.labels.iter().any(|label| matches!(label, CaseLabel::Default)) {
                otherwise = Some(body);
            } else {
                arms.extend(condition.map(|condition| (condition, body)));
            }
        }
        let otherwise = otherwise.unwrap_or_else(|| {
            let mut none = Vec::new();
            match self.declarative {
                false => self.stmt(&no_match(span), &mut none),
                // Which does not throw by itself: a cast that fails.
                true => {
                    let object = Box::new(expr(ExprKind::Local(local), self.low.ir_type(&ty), span));
                    let error = self.low.table.known_type("java.lang.MatchException");
                    let error = self.low.ir_type(&error);
                    none.push(stmt(StmtKind::Expr(expr(ExprKind::Cast(object, error), error, span)), span));
                }
            }
            none
        });
        self.vars.truncate(mark);
        let chain = arms.into_iter().rev().fold(otherwise, |otherwise, (condition, then)| {
            vec![stmt(StmtKind::If { condition, then, otherwise }, span)]
        });
        block.extend(chain);
        block
    }

    /// What an arm of the innermost `switch` runs.
    pub fn arm(&mut self, arm: &Arm) -> Block {
        let has_value = self.jumps.last().is_some_and(|jump| matches!(jump.kind, JumpKind::Yield(..)));
        let mut body = Vec::new();
        match &arm.body {
            ArmBody::Expr(e) if has_value => self.yield_stmt(e, arm.span, &mut body),
            ArmBody::Expr(e) => self.expr_stmt(e, &mut body),
            ArmBody::Block(b) if arm.is_arrow => self.block(b, &mut body),
            // A group shares the scope of the whole switch block.
            ArmBody::Block(b) => b.iter().for_each(|s| self.stmt(s, &mut body)),
        }
        body
    }

    /// When a case applies; `default` does where no other does.
    fn case(&mut self, on: &ast::Expr, ty: &Type, label: &CaseLabel) -> Option<ast::Expr> {
        match label {
            CaseLabel::Default => None,
            CaseLabel::Pattern(pattern, guard) => {
                let kind = ast::ExprKind::Matches(Box::new(on.clone()), pattern.clone());
                let test = ast::Expr { kind, span: pattern.span };
                Some(match guard {
                    Some(guard) => binary(BinaryOp::AndThen, test, guard.clone(), pattern.span.to(guard.span)),
                    None => test,
                })
            }
            CaseLabel::Value(e) if is_null(label) => Some(binary(BinaryOp::Eq, on.clone(), e.clone(), e.span)),
            CaseLabel::Value(e) => {
                let is_there = literal(Literal::Null, e.span);
                let is_there = binary(BinaryOp::Ne, on.clone(), is_there, e.span);
                let call = |target: &ast::Expr, name: &str, arguments: Vec<ast::Expr>| {
                    let name = Ident { name: name.into(), span: e.span };
                    let target = Some(Box::new(target.clone()));
                    let kind = ast::ExprKind::Call { target, type_args: Vec::new(), name, arguments };
                    ast::Expr { kind, span: e.span }
                };
                let is_it = match (ty, &e.kind) {
                    (Type::Class(class, _), ast::ExprKind::Name(_)) if self.low.table.class(*class).is_enum() => {
                        let ordinal = self.label_value(e, &mut On::Enum(*class))?;
                        let ordinal = literal(Literal::Int(ordinal), e.span);
                        binary(BinaryOp::Eq, call(on, "ordinal", Vec::new()), ordinal, e.span)
                    }
                    _ if self.is_string(ty) => call(e, "equals", vec![on.clone()]),
                    _ => binary(BinaryOp::Eq, on.clone(), e.clone(), e.span),
                };
                Some(binary(BinaryOp::AndThen, is_there, is_it, e.span))
            }
        }
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

fn labels(switch: &Switch) -> impl Iterator<Item = &CaseLabel> {
    switch.arms.iter().flat_map(|arm| &arm.labels)
}

fn is_null(label: &CaseLabel) -> bool {
    matches!(label, CaseLabel::Value(ast::Expr { kind: ast::ExprKind::Literal(Literal::Null), .. }))
}

pub fn has_patterns(switch: &Switch) -> bool {
    labels(switch).any(|label| matches!(label, CaseLabel::Pattern(..)) || is_null(label))
}

fn literal(literal: Literal, span: Span) -> ast::Expr {
    ast::Expr { kind: ast::ExprKind::Literal(literal), span }
}

fn binary(op: BinaryOp, a: ast::Expr, b: ast::Expr, span: Span) -> ast::Expr {
    ast::Expr { kind: ast::ExprKind::Binary(op, Box::new(a), Box::new(b)), span }
}

/// `throw new MatchException()`
fn no_match(span: Span) -> ast::Stmt {
    let names = ["java", "lang", "MatchException"].map(|name| (Ident { name: name.into(), span }, None));
    let ty = TypeRef { kind: TypeRefKind::Named(names.into()), span };
    let new = ast::ExprKind::New { outer: None, ty, arguments: Vec::new(), body: None };
    ast::Stmt { kind: ast::StmtKind::Throw(ast::Expr { kind: new, span }), span }
}
