//! Statements, but for loops and `switch`.

use super::assign::default_value;
use super::body::{Body, Jump, JumpKind, Returns, is_literal, set_local, stmt};
use super::poly::CallResult;
use crate::resolve::*;
use crate::syntax::ast::{self, Ident, StmtKind as S, TypeRef, TypeRefKind};
use ir::{Block, Expr, Stmt, StmtKind};
use source::{Diagnostic, Span};

impl Body<'_, '_> {
    /// A block with a scope of its own, spliced into `out`.
    pub fn block(&mut self, statements: &[ast::Stmt], out: &mut Block) {
        let (vars, classes) = (self.vars.len(), self.types.classes.len());
        for s in statements {
            self.stmt(s, out);
        }
        self.vars.truncate(vars);
        self.types.classes.truncate(classes);
    }

    pub fn block_stmt(&mut self, statements: &[ast::Stmt], out: &mut Block) {
        self.block(statements, out);
    }

    /// A statement as a block of its own: a branch or a loop body.
    pub fn branch(&mut self, s: &ast::Stmt) -> Block {
        let mut out = Vec::new();
        self.block(std::slice::from_ref(s), &mut out);
        out
    }

    pub fn stmt(&mut self, s: &ast::Stmt, out: &mut Block) {
        let mark = self.vars.len();
        self.stmt_inner(s, out);
        self.drop_patterns(mark);
    }

    fn stmt_inner(&mut self, s: &ast::Stmt, out: &mut Block) {
        let span = s.span;
        match &s.kind {
            S::Empty => {}
            S::Local { is_final, ty, declarators } => {
                for d in declarators {
                    self.local(*is_final, ty, d, out);
                }
            }
            S::Class(decl) => {
                self.declare_local(decl.clone(), decl.name.name.clone());
            }
            S::Expr(e) => self.expr_stmt(e, out),
            S::If(condition, then, otherwise) => {
                let (mark, test) = (self.vars.len(), condition);
                let condition = self.expr(condition, Some(&BOOL));
                let condition = self.condition(condition);
                self.in_scope_when(mark, test, true);
                let holds_behind = otherwise.is_none() && never_completes(then);
                let then = self.branch(then);
                self.in_scope_when(mark, test, false);
                let otherwise = otherwise.as_ref().map(|o| self.branch(o)).unwrap_or_default();
                if !holds_behind {
                    self.out_of_scope(mark);
                }
                out.push(stmt(StmtKind::If { condition, then, otherwise }, span));
            }
            S::While(condition, body) => self.while_loop(condition, body, span, out),
            S::Do(body, condition) => self.do_loop(body, condition, span, out),
            S::For { init, condition, update, body } => {
                self.for_loop(init, condition.as_ref(), update, body, span, out)
            }
            S::ForEach { ty, name, iterable, body } => self.for_each(ty, name, iterable, body, span, out),
            S::Labelled(label, inner) => self.labelled(label, inner, span, out),
            S::Break(label) => self.jump(label.as_ref(), false, span, out),
            S::Continue(label) => self.jump(label.as_ref(), true, span, out),
            S::Return(value) => self.return_stmt(value.as_ref(), span, out),
            S::Yield(value) => self.yield_stmt(value, span, out),
            S::Throw(value) => {
                let val = self.expr(value, None);
                let throwable = self.low.table.known_type("java.lang.Throwable");
                let value = self.invoke_to(val, &throwable);
                out.push(stmt(StmtKind::Throw(value), span));
            }
            S::Try { body, catches, finally } => self.try_stmt(body, catches, finally.as_deref(), span, out),
            S::Synchronized(lock, body) => {
                // One thread only: the lock is evaluated, and must not be null; nobody else holds it.
                let val = self.expr(lock, None);
                let value = self.receiver(val);
                if !matches!(lock.kind, ast::ExprKind::This) {
                    self.require(value, out);
                }
                self.block(body, out);
            }
            S::Assert(condition, message) => {
                let condition = self.expr(condition, Some(&BOOL));
                let condition = self.condition(condition);
                let message = message.as_ref().map(|m| self.expr(m, None).expr);
                out.push(stmt(StmtKind::Assert { condition, message }, span));
            }
            S::Switch(switch) => self.switch_stmt(switch, span, out),
            S::Block(body) => {
                let mut inner = Vec::new();
                self.block(body, &mut inner);
                out.push(stmt(StmtKind::Block(inner), span));
            }
            S::ConstructorCall { .. } => self.misplaced_constructor_call(span),
        }
    }

    fn local(&mut self, is_final: bool, _declared: &TypeRef, d: &ast::Declarator, out: &mut Block) {
        let span = d.name.span.to(d.init.as_ref().map_or(d.name.span, |i| i.span));
        let is_var =
            matches!(d.ty.kind, TypeRefKind::Var) && self.low.table.find_simple(&self.types.clone(), "var").is_none();
        let (ty, value) = match (&d.init, is_var) {
            (Some(init), true) => {
                let val = self.expr(init, None);
                let ty = if val.ty == Type::Null { self.low.table.object() } else { val.ty.clone() };
                (ty, Some(val))
            }
            (init, _) => {
                let ty = self.resolve(&d.ty);
                let value = init.as_ref().map(|i| self.expr(i, Some(&ty)));
                (ty, value)
            }
        };
        if ty == Type::Void {
            self.error(Diagnostic::error("type-mismatch", d.name.span, "a variable cannot be `void`"));
            return;
        }
        let converted = value.map(|v| self.assign_to(v, &ty));
        let local = self.declare(d.name.name.clone(), ty.clone());
        match converted {
            Some(value) => {
                let is_constant_type = (ty.prim().is_some() && !ty.is_floating()) || self.is_string(&ty);
                let constant =
                    is_final && is_constant_type && is_literal(&value) && !matches!(value.kind, ir::ExprKind::Null);
                if constant && let Some(var) = self.vars.last_mut() {
                    var.constant = Some(value.clone());
                }
                out.push(set_local(local, value, span));
            }
            None => {
                // Java proves that it is assigned before it is read; a class within the method may copy it before that.
                let ir_ty = self.locals[local.index()].ty;
                out.push(set_local(local, default_value(ir_ty, span), span));
            }
        }
    }

    fn labelled(&mut self, label: &Ident, inner: &ast::Stmt, span: Span, out: &mut Block) {
        if matches!(inner.kind, S::While(..) | S::Do(..) | S::For { .. } | S::ForEach { .. } | S::Labelled(..)) {
            self.pending_labels.push(label.name.clone());
            self.stmt(inner, out);
            self.pending_labels.clear();
            return;
        }
        let id = self.label();
        let mut names = std::mem::take(&mut self.pending_labels);
        names.push(label.name.clone());
        self.jumps.push(Jump { names, label: id, kind: JumpKind::Block, is_left: false });
        let body = self.branch(inner);
        self.jumps.pop();
        out.push(stmt(StmtKind::Labelled { label: id, body }, span));
    }

    fn jump(&mut self, label: Option<&Ident>, is_continue: bool, span: Span, out: &mut Block) {
        let fits = |j: &&mut Jump| match label {
            Some(name) => j.names.contains(&name.name) && (!is_continue || j.kind == JumpKind::Loop),
            None => j.kind == JumpKind::Loop || (!is_continue && j.kind == JumpKind::Switch),
        };
        let Some(found) = self.jumps.iter_mut().rev().find(fits) else {
            let what = if is_continue { "continue" } else { "break" };
            let message = match label {
                Some(name) => format!("there is no statement labelled `{}` to {what}", name.name),
                None => format!("`{what}` is not inside a loop"),
            };
            self.error(Diagnostic::error("unknown-name", span, message));
            return;
        };
        found.is_left |= !is_continue;
        let jump = if is_continue { StmtKind::Continue } else { StmtKind::Break };
        out.push(stmt(jump(found.label), span));
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span, out: &mut Block) {
        let is_void = matches!(self.returns, Returns::Type(Type::Void));
        if let Returns::Collected = self.returns {
            let poly = value.map(|v| self.poly(v));
            self.yielded.extend(poly);
            return;
        }
        match value {
            None if is_void => out.push(stmt(StmtKind::Return(None), span)),
            None => {
                let message = "this method must return a value";
                self.error(Diagnostic::error("type-mismatch", span, message));
            }
            Some(value) if is_void => {
                let message = "this method returns nothing";
                self.error(Diagnostic::error("type-mismatch", value.span, message));
            }
            Some(value) => {
                let value = self.returned(value);
                out.push(stmt(StmtKind::Return(Some(value)), span));
            }
        }
    }

    /// A returned value, converted; it may be what a lambda's result type is learned from.
    pub fn returned(&mut self, value: &ast::Expr) -> Expr {
        match self.returns.clone() {
            Returns::Type(ty) => {
                let val = self.expr(value, Some(&ty));
                self.assign_to(val, &ty)
            }
            // Seen by `return_stmt` only.
            Returns::Collected => self.expr(value, None).expr,
            Returns::Inferred(known) => {
                let target = self.returned_type(value).or_else(|| known.clone());
                let (val, is_open) = match &value.kind {
                    ast::ExprKind::Call { target: of, type_args, name, arguments } if target.is_none() => {
                        let (val, result) =
                            self.call_result(of.as_deref(), type_args, name, arguments, None, value.span);
                        (val, matches!(result, CallResult::Open(_)))
                    }
                    _ => (self.expr(value, target.as_ref()), false),
                };
                let boxed = match &val.ty {
                    Type::Prim(p) => self.low.table.boxed(*p),
                    Type::Null => self.low.table.object(),
                    other => other.clone(),
                };
                let joined = match known {
                    Some(before) => self.low.table.join(&before, &boxed),
                    None if val.ty == Type::Null => return val.expr,
                    // What is expected of the call around decides.
                    None if is_open => return self.assign_to(val, &boxed),
                    None => boxed.clone(),
                };
                self.returns = Returns::Inferred(Some(joined));
                self.assign_to(val, &boxed)
            }
        }
    }

    fn try_stmt(
        &mut self,
        body: &[ast::Stmt],
        catches: &[ast::Catch],
        finally: Option<&[ast::Stmt]>,
        span: Span,
        out: &mut Block,
    ) {
        let mut lowered = Vec::new();
        self.block(body, &mut lowered);
        let mut handlers = Vec::new();
        for c in catches {
            let mut classes = Vec::new();
            let mut joined: Option<Type> = None;
            for ty in &c.types {
                let ty = self.resolve(ty);
                if let Type::Class(class, _) = &ty {
                    classes.push(self.low.class_id(*class));
                    joined = Some(match joined {
                        Some(before) => self.low.table.join(&before, &ty),
                        None => ty,
                    });
                }
            }
            let mark = self.vars.len();
            let ty = joined.unwrap_or(Type::Error);
            let local = self.declare(c.name.name.clone(), ty);
            let mut body = Vec::new();
            self.block(&c.body, &mut body);
            self.vars.truncate(mark);
            handlers.push(ir::Catch { classes, local, body });
        }
        let mut last = Vec::new();
        if let Some(finally) = finally {
            self.block(finally, &mut last);
        }
        out.push(stmt(StmtKind::Try { body: lowered, catches: handlers, finally: last }, span));
    }

    pub fn push_jump(&mut self, kind: JumpKind) -> ir::LabelId {
        let label = self.label();
        let names = std::mem::take(&mut self.pending_labels);
        self.jumps.push(Jump { names, label, kind, is_left: false });
        label
    }

    /// Wraps several statements into one where a scope is needed.
    pub fn scoped(&mut self, block: Vec<Stmt>, span: Span, out: &mut Block) {
        match block.len() {
            1 => out.extend(block),
            _ => out.push(stmt(StmtKind::Block(block), span)),
        }
    }
}

/// Whether control never gets after it, as far as it is easily told.
pub fn never_completes(s: &ast::Stmt) -> bool {
    let block_never = |b: &[ast::Stmt]| b.last().is_some_and(never_completes);
    match &s.kind {
        S::Return(_) | S::Throw(_) | S::Break(_) | S::Continue(_) | S::Yield(_) => true,
        S::Block(b) | S::Synchronized(_, b) => block_never(b),
        S::If(_, a, Some(b)) => never_completes(a) && never_completes(b),
        S::Try { body, catches, finally, .. } => {
            finally.as_deref().is_some_and(block_never)
                || (block_never(body) && catches.iter().all(|c| block_never(&c.body)))
        }
        _ => false,
    }
}
