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

/// What is directly within a statement, by shared or by mutable reference: expressions and blocks.
macro_rules! within_stmt {
    ($stmt:expr, $expr:expr, $block:expr) => {
        match $stmt {
            StmtKind::Expr(e) | StmtKind::Throw(e) | StmtKind::Assume(e) | StmtKind::Return(Some(e)) => $expr(e),
            StmtKind::If { condition, then, otherwise } => {
                $expr(condition);
                $block(then);
                $block(otherwise);
            }
            StmtKind::Loop { condition, body, update, .. } => {
                $expr(condition);
                $block(body);
                for e in update {
                    $expr(e);
                }
            }
            StmtKind::Labelled { body, .. } | StmtKind::Block(body) => $block(body),
            StmtKind::Switch { on, cases, .. } => {
                $expr(on);
                for Case { body, .. } in cases {
                    $block(body);
                }
            }
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {}
            StmtKind::Try { body, catches, finally } => {
                $block(body);
                for Catch { body, .. } in catches {
                    $block(body);
                }
                $block(finally);
            }
            StmtKind::Assert { condition, message } => {
                $expr(condition);
                if let Some(e) = message {
                    $expr(e);
                }
            }
        }
    };
}

/// The same of an expression.
macro_rules! within_expr {
    ($e:expr, $expr:expr, $block:expr) => {
        match $e {
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
            | ExprKind::Cast(a, _) => $expr(a),
            ExprKind::SetField(a, _, b)
            | ExprKind::Element(a, b)
            | ExprKind::Binary(_, _, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Logic(_, a, b)
            | ExprKind::AndThen(a, b)
            | ExprKind::OrElse(a, b)
            | ExprKind::Same(a, b) => {
                $expr(a);
                $expr(b);
            }
            ExprKind::SetElement(a, b, c) | ExprKind::Conditional(a, b, c) => {
                $expr(a);
                $expr(b);
                $expr(c);
            }
            ExprKind::Call(_, args)
            | ExprKind::CallVirtual(_, args)
            | ExprKind::New(_, _, args)
            | ExprKind::NewArray(args)
            | ExprKind::ArrayLiteral(args)
            | ExprKind::Concat(args)
            | ExprKind::Intrinsic(_, args) => {
                for a in args {
                    $expr(a);
                }
            }
            ExprKind::Sequence(statements, value) => {
                $block(statements);
                $expr(value);
            }
        }
    };
}

fn stmt(stmt: &Stmt, visit: &mut impl FnMut(Node<'_>) -> bool) {
    if visit(Node::Stmt(stmt)) {
        within_stmt!(&stmt.kind, |e| expr(e, visit), |block| nodes(block, visit));
    }
}

pub(crate) fn expr(e: &Expr, visit: &mut impl FnMut(Node<'_>) -> bool) {
    if visit(Node::Expr(e)) {
        within_expr!(&e.kind, |e| expr(e, visit), |block| nodes(block, visit));
    }
}

/// All expressions, to be changed; outermost first, then what the new one has within.
pub fn rewrite(block: &mut [Stmt], visit: &mut impl FnMut(&mut Expr)) {
    for stmt in block {
        within_stmt!(&mut stmt.kind, |e| change(e, visit), |block| rewrite(block, visit));
    }
}

/// As [`rewrite`], but innermost first: what an expression becomes is not visited again.
pub fn rewrite_inside_out(block: &mut [Stmt], visit: &mut impl FnMut(&mut Expr)) {
    for stmt in block {
        within_stmt!(&mut stmt.kind, |e| change_inside_out(e, visit), |block| rewrite_inside_out(block, visit));
    }
}

fn change_inside_out(e: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    within_expr!(&mut e.kind, |e| change_inside_out(e, visit), |block| rewrite_inside_out(block, visit));
    visit(e);
}

fn change(e: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    visit(e);
    within_expr!(&mut e.kind, |e| change(e, visit), |block| rewrite(block, visit));
}
