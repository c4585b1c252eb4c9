//! Walks over lowered code.

use ir::{Block, Expr, ExprKind, MethodId, Program, Stmt, StmtKind};

/// Called for every expression, outermost first; if it answers false, its operands are skipped.
pub type Visit<'v> = &'v mut dyn FnMut(&Expr) -> bool;

pub fn block(block: &Block, visit: Visit) {
    for s in block {
        stmt(s, visit);
    }
}

pub fn stmt(s: &Stmt, visit: Visit) {
    match &s.kind {
        StmtKind::Expr(e) | StmtKind::Throw(e) | StmtKind::Assume(e) | StmtKind::Return(Some(e)) => expr(e, visit),
        StmtKind::If { condition, then, otherwise } => {
            expr(condition, visit);
            block(then, visit);
            block(otherwise, visit);
        }
        StmtKind::Loop { condition, body, update, .. } => {
            expr(condition, visit);
            block(body, visit);
            update.iter().for_each(|e| expr(e, visit));
        }
        StmtKind::Labelled { body, .. } | StmtKind::Block(body) => block(body, visit),
        StmtKind::Switch { on, cases, .. } => {
            expr(on, visit);
            cases.iter().for_each(|c| block(&c.body, visit));
        }
        StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {}
        StmtKind::Try { body, catches, finally } => {
            block(body, visit);
            catches.iter().for_each(|c| block(&c.body, visit));
            block(finally, visit);
        }
        StmtKind::Assert { condition, message } => {
            expr(condition, visit);
            message.iter().for_each(|m| expr(m, visit));
        }
    }
}

pub fn expr(e: &Expr, visit: Visit) {
    if !visit(e) {
        return;
    }
    for operand in operands(e) {
        expr(operand, visit);
    }
    if let ExprKind::Sequence(before, _) = &e.kind {
        block(before, visit);
    }
}

/// The direct operands, without the statements of a sequence.
pub fn operands(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Null
        | ExprKind::String(_)
        | ExprKind::Local(_)
        | ExprKind::Static(_)
        | ExprKind::Unsupported(_) => Vec::new(),
        ExprKind::SetLocal(_, a)
        | ExprKind::SetStatic(_, a)
        | ExprKind::Field(a, _)
        | ExprKind::Length(a)
        | ExprKind::Not(a)
        | ExprKind::Negate(_, a)
        | ExprKind::Complement(_, a)
        | ExprKind::Convert(a)
        | ExprKind::InstanceOf(a, _)
        | ExprKind::Cast(a, _)
        | ExprKind::Sequence(_, a) => vec![a],
        ExprKind::SetField(a, _, b)
        | ExprKind::Element(a, b)
        | ExprKind::Binary(_, _, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::AndThen(a, b)
        | ExprKind::OrElse(a, b)
        | ExprKind::Same(a, b) => vec![a, b],
        ExprKind::SetElement(a, b, c) | ExprKind::Conditional(a, b, c) => vec![a, b, c],
        ExprKind::Call(_, args)
        | ExprKind::CallVirtual(_, args)
        | ExprKind::New(_, _, args)
        | ExprKind::NewArray(args)
        | ExprKind::ArrayLiteral(args)
        | ExprKind::Concat(args)
        | ExprKind::Intrinsic(_, args) => args.iter().collect(),
    }
}

/// Whether a string built at run time goes anywhere but into an assertion or, unless `messages_escape`, an exception.
pub fn has_loose_concat(body: &Block, program: &Program, messages_escape: bool) -> bool {
    let mut loose = false;
    // Constructors of exceptions keep what they are given to themselves.
    let is_kept = |m: MethodId| {
        let method = program.method(m);
        !messages_escape && method.is_constructor && program.is_subclass(method.class, program.known.throwable)
    };
    block(body, &mut |e| match &e.kind {
        ExprKind::New(_, m, args) | ExprKind::Call(m, args) if is_kept(*m) => {
            loose |= args.iter().any(|a| !matches!(a.kind, ExprKind::Concat(_)) && mentions_concat(a));
            false
        }
        ExprKind::Concat(_) => {
            loose = true;
            false
        }
        _ => true,
    });
    loose
}

fn mentions_concat(e: &Expr) -> bool {
    let mut found = false;
    expr(e, &mut |e| {
        found |= matches!(e.kind, ExprKind::Concat(_));
        true
    });
    found
}
