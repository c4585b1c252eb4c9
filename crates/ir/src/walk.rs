//! Visits every expression and statement of a block, outermost first; or every expression to change it.

use crate::program::*;

pub enum Node<'n> {
    Stmt(&'n Stmt),
    Expr(&'n Expr),
}

/// All expressions.
pub fn block(block: &[Stmt], visit: &mut impl FnMut(&Expr)) {
    nodes(block, &mut |node| {
        if let Node::Expr(e) = node {
            visit(e);
        }
        true
    });
}

/// An expression and all within it.
pub fn expression(e: &Expr, visit: &mut impl FnMut(&Expr)) {
    expr(e, &mut |node| {
        if let Node::Expr(e) = node {
            visit(e);
        }
        true
    });
}

/// Statements too; what is within one is left out if the visit answers no.
pub fn nodes(block_: &[Stmt], visit: &mut impl FnMut(Node<'_>) -> bool) {
    for stmt in block_ {
        self::stmt(stmt, visit);
    }
}

fn stmt(stmt: &Stmt, visit: &mut impl FnMut(Node<'_>) -> bool) {
    if !visit(Node::Stmt(stmt)) {
        return;
    }
    match &stmt.kind {
        StmtKind::Expr(e) | StmtKind::Throw(e) | StmtKind::Assume(e) | StmtKind::Return(Some(e)) => expr(e, visit),
        StmtKind::If { condition, then, otherwise } => {
            expr(condition, visit);
            nodes(then, visit);
            nodes(otherwise, visit);
        }
        StmtKind::Loop { condition, body, update, .. } => {
            expr(condition, visit);
            nodes(body, visit);
            update.iter().for_each(|e| expr(e, visit));
        }
        StmtKind::Labelled { body, .. } | StmtKind::Block(body) => nodes(body, visit),
        StmtKind::Switch { on, cases, .. } => {
            expr(on, visit);
            cases.iter().for_each(|c| nodes(&c.body, visit));
        }
        StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {}
        StmtKind::Try { body, catches, finally } => {
            nodes(body, visit);
            catches.iter().for_each(|c| nodes(&c.body, visit));
            nodes(finally, visit);
        }
        StmtKind::Assert { condition, message } => {
            expr(condition, visit);
            message.iter().for_each(|e| expr(e, visit));
        }
    }
}

pub(crate) fn expr(e: &Expr, visit: &mut impl FnMut(Node<'_>) -> bool) {
    if !visit(Node::Expr(e)) {
        return;
    }
    match &e.kind {
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Null
        | ExprKind::String(_)
        | ExprKind::Local(_)
        | ExprKind::Static(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::SetLocal(_, a)
        | ExprKind::Field(a, _)
        | ExprKind::SetStatic(_, a)
        | ExprKind::Length(a)
        | ExprKind::Not(a)
        | ExprKind::Negate(_, a)
        | ExprKind::Complement(_, a)
        | ExprKind::Convert(a)
        | ExprKind::InstanceOf(a, _)
        | ExprKind::Cast(a, _) => expr(a, visit),
        ExprKind::SetField(a, _, b)
        | ExprKind::Element(a, b)
        | ExprKind::Binary(_, _, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::AndThen(a, b)
        | ExprKind::OrElse(a, b)
        | ExprKind::Same(a, b) => {
            expr(a, visit);
            expr(b, visit);
        }
        ExprKind::SetElement(a, b, c) | ExprKind::Conditional(a, b, c) => {
            expr(a, visit);
            expr(b, visit);
            expr(c, visit);
        }
        ExprKind::Call(_, args)
        | ExprKind::CallVirtual(_, args)
        | ExprKind::New(_, _, args)
        | ExprKind::NewArray(args)
        | ExprKind::ArrayLiteral(args)
        | ExprKind::Concat(args)
        | ExprKind::Intrinsic(_, args) => args.iter().for_each(|a| expr(a, visit)),
        ExprKind::Sequence(statements, value) => {
            nodes(statements, visit);
            expr(value, visit);
        }
    }
}

/// All expressions, to be changed; outermost first, then what the new one has within.
pub fn rewrite(block: &mut [Stmt], visit: &mut impl FnMut(&mut Expr)) {
    for stmt in block {
        match &mut stmt.kind {
            StmtKind::Expr(e) | StmtKind::Throw(e) | StmtKind::Assume(e) | StmtKind::Return(Some(e)) => {
                change(e, visit)
            }
            StmtKind::If { condition, then, otherwise } => {
                change(condition, visit);
                rewrite(then, visit);
                rewrite(otherwise, visit);
            }
            StmtKind::Loop { condition, body, update, .. } => {
                change(condition, visit);
                rewrite(body, visit);
                update.iter_mut().for_each(|e| change(e, visit));
            }
            StmtKind::Labelled { body, .. } | StmtKind::Block(body) => rewrite(body, visit),
            StmtKind::Switch { on, cases, .. } => {
                change(on, visit);
                cases.iter_mut().for_each(|c| rewrite(&mut c.body, visit));
            }
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {}
            StmtKind::Try { body, catches, finally } => {
                rewrite(body, visit);
                catches.iter_mut().for_each(|c| rewrite(&mut c.body, visit));
                rewrite(finally, visit);
            }
            StmtKind::Assert { condition, message } => {
                change(condition, visit);
                message.iter_mut().for_each(|e| change(e, visit));
            }
        }
    }
}

fn change(e: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    visit(e);
    match &mut e.kind {
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Null
        | ExprKind::String(_)
        | ExprKind::Local(_)
        | ExprKind::Static(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::SetLocal(_, a)
        | ExprKind::Field(a, _)
        | ExprKind::SetStatic(_, a)
        | ExprKind::Length(a)
        | ExprKind::Not(a)
        | ExprKind::Negate(_, a)
        | ExprKind::Complement(_, a)
        | ExprKind::Convert(a)
        | ExprKind::InstanceOf(a, _)
        | ExprKind::Cast(a, _) => change(a, visit),
        ExprKind::SetField(a, _, b)
        | ExprKind::Element(a, b)
        | ExprKind::Binary(_, _, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::AndThen(a, b)
        | ExprKind::OrElse(a, b)
        | ExprKind::Same(a, b) => {
            change(a, visit);
            change(b, visit);
        }
        ExprKind::SetElement(a, b, c) | ExprKind::Conditional(a, b, c) => {
            change(a, visit);
            change(b, visit);
            change(c, visit);
        }
        ExprKind::Call(_, args)
        | ExprKind::CallVirtual(_, args)
        | ExprKind::New(_, _, args)
        | ExprKind::NewArray(args)
        | ExprKind::ArrayLiteral(args)
        | ExprKind::Concat(args)
        | ExprKind::Intrinsic(_, args) => args.iter_mut().for_each(|a| change(a, visit)),
        ExprKind::Sequence(statements, value) => {
            rewrite(statements, visit);
            change(value, visit);
        }
    }
}
