//! Walks over statements: every expression, and every place that is assigned.

use crate::program::*;

/// All expressions of the statements, each before its parts.
pub fn exprs<'p>(body: &'p [Stmt], found: &mut dyn FnMut(&'p Expr)) {
    stmts(body, found, &mut |_| {});
}

/// All places that the statements assign, `e++` included.
pub fn places(body: &[Stmt], found: &mut dyn FnMut(&Place)) {
    stmts(body, &mut |_| {}, found);
}

/// Both at once.
pub fn stmts<'p>(body: &'p [Stmt], on_expr: &mut dyn FnMut(&'p Expr), on_place: &mut dyn FnMut(&Place)) {
    for s in body {
        stmt(s, on_expr, on_place);
    }
}

/// The same of a condition.
pub fn condition<'p>(e: &'p Expr, on_expr: &mut dyn FnMut(&'p Expr), on_place: &mut dyn FnMut(&Place)) {
    expr(e, on_expr, on_place);
}

/// What is returned.
pub fn returns<'p>(body: &'p [Stmt], found: &mut dyn FnMut(&'p Expr)) {
    for s in body {
        match &s.kind {
            StmtKind::Return(Some(value)) => found(value),
            StmtKind::Block(body) | StmtKind::While { body, .. } => returns(body, found),
            StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                returns(a, found);
                returns(b, found);
            }
            _ => {}
        }
    }
}

fn stmt<'p>(s: &'p Stmt, on_expr: &mut dyn FnMut(&'p Expr), on_place: &mut dyn FnMut(&Place)) {
    match &s.kind {
        StmtKind::Block(body) => stmts(body, on_expr, on_place),
        StmtKind::Declare(local, value) => {
            on_place(&Place::Local(*local));
            value.iter().for_each(|e| expr(e, on_expr, on_place));
        }
        StmtKind::Assign(to, value) => {
            expr(value, on_expr, on_place);
            place(to, on_expr, on_place);
            on_place(to);
        }
        StmtKind::Expr(e) => expr(e, on_expr, on_place),
        StmtKind::Return(value) => value.iter().for_each(|e| expr(e, on_expr, on_place)),
        StmtKind::If { condition, then, otherwise } => {
            expr(condition, on_expr, on_place);
            stmts(then, on_expr, on_place);
            stmts(otherwise, on_expr, on_place);
        }
        StmtKind::While { condition, body, step, .. } => {
            expr(condition, on_expr, on_place);
            stmts(body, on_expr, on_place);
            step.iter().for_each(|s| stmt(s, on_expr, on_place));
        }
        StmtKind::Havoc(locals) => locals.iter().for_each(|l| on_place(&Place::Local(*l))),
        StmtKind::Choice(a, b) => {
            stmts(a, on_expr, on_place);
            stmts(b, on_expr, on_place);
        }
        StmtKind::Assert { .. } | StmtKind::Assume { .. } | StmtKind::Pragma(_) => {}
    }
}

fn expr<'p>(e: &'p Expr, on_expr: &mut dyn FnMut(&'p Expr), on_place: &mut dyn FnMut(&Place)) {
    on_expr(e);
    match &e.kind {
        ExprKind::Field(inner, _) | ExprKind::Length(inner) | ExprKind::Unary(_, inner) | ExprKind::ToFloat(inner) => {
            expr(inner, on_expr, on_place);
        }
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
            expr(a, on_expr, on_place);
            expr(b, on_expr, on_place);
        }
        ExprKind::Call(_, parts) | ExprKind::Intrinsic(_, parts) | ExprKind::NewArray(parts) => {
            parts.iter().for_each(|part| expr(part, on_expr, on_place));
        }
        ExprKind::Step { place: at, .. } => {
            place(at, on_expr, on_place);
            on_place(at);
        }
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Char(_)
        | ExprKind::String(_)
        | ExprKind::Null
        | ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::New(_) => {}
    }
}

fn place<'p>(at: &'p Place, on_expr: &mut dyn FnMut(&'p Expr), on_place: &mut dyn FnMut(&Place)) {
    match at {
        Place::Local(_) | Place::Global(_) => {}
        Place::Field(object, _) => expr(object, on_expr, on_place),
        Place::Index(array, index) => {
            expr(array, on_expr, on_place);
            expr(index, on_expr, on_place);
        }
    }
}
