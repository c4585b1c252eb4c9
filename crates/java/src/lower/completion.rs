//! Whether control may reach the end of a block (JLS 14.22): a method with a result must not.

use ir::{Block, ExprKind, LabelId, Stmt, StmtKind};

pub fn may_complete(block: &[Stmt]) -> bool {
    block.iter().all(stmt)
}

fn stmt(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Expr(e) => !matches!(e.kind, ExprKind::Unsupported(_)),
        StmtKind::Assert { .. } | StmtKind::Assume(_) => true,
        StmtKind::If { then, otherwise, .. } => may_complete(then) || may_complete(otherwise),
        StmtKind::Loop { label, test_first, condition, body, .. } => {
            let tested = *test_first || may_complete(body) || jumps(body, Jump::Continue(*label));
            let endless = matches!(condition.kind, ExprKind::Bool(true));
            (tested && !endless) || jumps(body, Jump::Break(*label))
        }
        StmtKind::Labelled { label, body } => may_complete(body) || jumps(body, Jump::Break(*label)),
        StmtKind::Switch { label, cases, .. } => {
            !cases.iter().any(|c| c.is_default)
                || cases.last().is_none_or(|c| may_complete(&c.body))
                || cases.iter().any(|c| jumps(&c.body, Jump::Break(*label)))
        }
        StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_) | StmtKind::Throw(_) => false,
        StmtKind::Try { body, catches, finally } => {
            may_complete(finally) && (may_complete(body) || catches.iter().any(|c| may_complete(&c.body)))
        }
        StmtKind::Block(body) => may_complete(body),
    }
}

#[derive(Clone, Copy)]
enum Jump {
    Break(LabelId),
    Continue(LabelId),
}

fn jumps(block: &Block, jump: Jump) -> bool {
    block.iter().any(|s| match (&s.kind, jump) {
        (StmtKind::Break(a), Jump::Break(b)) | (StmtKind::Continue(a), Jump::Continue(b)) => *a == b,
        (StmtKind::If { then, otherwise, .. }, _) => jumps(then, jump) || jumps(otherwise, jump),
        (StmtKind::Loop { body, .. } | StmtKind::Labelled { body, .. } | StmtKind::Block(body), _) => jumps(body, jump),
        (StmtKind::Switch { cases, .. }, _) => cases.iter().any(|c| jumps(&c.body, jump)),
        (StmtKind::Try { body, catches, finally }, _) => {
            jumps(body, jump) || jumps(finally, jump) || catches.iter().any(|c| jumps(&c.body, jump))
        }
        _ => false,
    })
}
