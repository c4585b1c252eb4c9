//! What the verdict on a procedure rests on within its module: the assumptions of all code that may run.

use crate::program::*;
use crate::visit;
use source::Span;

/// An `assume`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// Whose code it is in.
    pub proc: ProcId,
    pub span: Span,
    pub formula: Span,
    pub label: Option<String>,
}

/// Those of the procedure, and of the module's procedures that it may call: `bounded` runs them, and `flags` believes contracts that
/// rest on them.
pub fn assumptions(hob: &Program, proc: ProcId) -> Vec<Assumption> {
    let mut found = Vec::new();
    for proc in reached(hob, proc, |_| true) {
        let mut waiting: Vec<&Stmt> = hob.proc(proc).body.iter().flatten().collect();
        while let Some(statement) = waiting.pop() {
            match &statement.kind {
                StmtKind::Block(body) | StmtKind::While { body, .. } => waiting.extend(body),
                StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                    waiting.extend(a.iter().chain(b))
                }
                StmtKind::Assume { label, formula } => {
                    found.push(Assumption { proc, span: statement.span, formula: formula.span, label: label.clone() });
                }
                _ => {}
            }
        }
    }
    found.sort_by_key(|a| a.span);
    found
}

/// The procedures of the module that calls lead to, through such ones.
pub fn reached(hob: &Program, from: ProcId, through: impl Fn(ProcId) -> bool) -> Vec<ProcId> {
    let mut reached = vec![from];
    let mut next = 0;
    while let Some(&proc) = reached.get(next) {
        next += 1;
        visit::exprs(hob.proc(proc).body.as_deref().unwrap_or_default(), &mut |e| {
            if let ExprKind::Call(callee, _) = e.kind
                && hob.proc(callee).module == hob.proc(from).module
                && !reached.contains(&callee)
                && through(callee)
            {
                reached.push(callee);
            }
        });
    }
    reached
}
