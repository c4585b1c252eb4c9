//! Whether a block can complete normally (JLS 14.22), as far as needed to know that a method returns.

use crate::program::*;

pub(super) fn of_block(block: &[Stmt]) -> bool {
    block.iter().all(of_stmt)
}

fn of_stmt(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Expr(e) => !matches!(e.kind, ExprKind::Unsupported(_)),
        StmtKind::Assert { .. } | StmtKind::Assume(_) => true,
        StmtKind::If { then, otherwise, .. } => of_block(then) || of_block(otherwise),
        StmtKind::Loop { label, test_first, condition, body, .. } => {
            let is_reached = *test_first || of_block(body) || jumps(body, &StmtKind::Continue(*label));
            let is_endless = matches!(condition.kind, ExprKind::Bool(true));
            is_reached && !is_endless || jumps(body, &StmtKind::Break(*label))
        }
        StmtKind::Labelled { label, body } => of_block(body) || jumps(body, &StmtKind::Break(*label)),
        StmtKind::Switch { label, cases, .. } => {
            !cases.iter().any(|case| case.is_default)
                || cases.last().is_none_or(|case| of_block(&case.body))
                || cases.iter().any(|case| jumps(&case.body, &StmtKind::Break(*label)))
        }
        StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_) | StmtKind::Throw(_) => false,
        StmtKind::Try { body, catches, finally } => {
            of_block(finally) && (of_block(body) || catches.iter().any(|catch| of_block(&catch.body)))
        }
        StmtKind::Block(body) => of_block(body),
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
