//! Whether control may reach the end of a block (JLS 14.22): in a method with a result it must not.

use crate::program::*;

pub fn may_complete(block: &[Stmt]) -> bool {
    block.iter().all(of_stmt)
}

fn of_stmt(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Expr(e) => !matches!(e.kind, ExprKind::Unsupported(_)),
        StmtKind::Assert { .. } | StmtKind::Assume(_) => true,
        StmtKind::If { then, otherwise, .. } => may_complete(then) || may_complete(otherwise),
        StmtKind::Loop { label, test_first, condition, body, .. } => {
            let is_reached = *test_first || may_complete(body) || jumps(body, &StmtKind::Continue(*label));
            let is_endless = matches!(condition.kind, ExprKind::Bool(true));
            is_reached && !is_endless || jumps(body, &StmtKind::Break(*label))
        }
        StmtKind::Labelled { label, body } => may_complete(body) || jumps(body, &StmtKind::Break(*label)),
        StmtKind::Switch { label, cases, .. } => {
            !cases.iter().any(|case| case.is_default)
                || cases.last().is_none_or(|case| may_complete(&case.body))
                || cases.iter().any(|case| jumps(&case.body, &StmtKind::Break(*label)))
        }
        StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_) | StmtKind::Throw(_) => false,
        StmtKind::Try { body, catches, finally } => {
            may_complete(finally) && (may_complete(body) || catches.iter().any(|catch| may_complete(&catch.body)))
        }
        StmtKind::Block(body) => may_complete(body),
    }
}

/// Whether that very jump is somewhere in a block.
fn jumps(block: &[Stmt], jump: &StmtKind) -> bool {
    block.iter().any(|stmt| match (&stmt.kind, jump) {
        (StmtKind::Break(a), StmtKind::Break(b)) | (StmtKind::Continue(a), StmtKind::Continue(b)) => a == b,
        (StmtKind::If { then, otherwise, .. }, _) => jumps(then, jump) || jumps(otherwise, jump),
        (StmtKind::Loop { body, .. } | StmtKind::Labelled { body, .. } | StmtKind::Block(body), _) => jumps(body, jump),
        (StmtKind::Switch { cases, .. }, _) => cases.iter().any(|case| jumps(&case.body, jump)),
        (StmtKind::Try { body, catches, finally }, _) => {
            jumps(body, jump) || jumps(finally, jump) || catches.iter().any(|catch| jumps(&catch.body, jump))
        }
        _ => false,
    })
}
