//! The scope of variables that `instanceof` binds (JLS 6.3.1): where the match is certain, and nowhere else. Elsewhere
//! their name may mean a field.
//!
//! Every pattern variable starts out of scope. Each construct that has a part which is reached on a certain outcome only
//! brings them into scope for that part, and takes them out again.

use super::body::Body;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use source::Span;

impl Body<'_, '_> {
    /// For what is reached only if a condition, lowered when there were `mark` variables, has the given outcome.
    pub fn in_scope_when(&mut self, mark: usize, condition: &Expr, outcome: bool) {
        let mut bound = Vec::new();
        introduced(condition, outcome, &mut bound);
        for var in &mut self.vars[mark..] {
            var.in_scope = var.pattern.is_none_or(|at| bound.contains(&at));
        }
    }

    pub fn out_of_scope(&mut self, mark: usize) {
        self.vars[mark..].iter_mut().for_each(|v| v.in_scope = v.pattern.is_none());
    }

    /// At the end of a statement: what is still in scope is so for the rest of the block.
    pub fn drop_patterns(&mut self, mark: usize) {
        let declared = self.vars.split_off(mark);
        self.vars.extend(declared.into_iter().filter(|v| v.in_scope));
    }
}

/// The places of the pattern variables that an expression introduces when it is `outcome`.
fn introduced(e: &Expr, outcome: bool, out: &mut Vec<Span>) {
    match &e.kind {
        ExprKind::InstanceOf(_, _, Some(name)) if outcome => out.push(name.span),
        ExprKind::Unary(UnaryOp::Not, operand) => introduced(operand, !outcome, out),
        ExprKind::Binary(op @ (BinaryOp::AndThen | BinaryOp::OrElse), a, b)
            if outcome == (*op == BinaryOp::AndThen) =>
        {
            introduced(a, outcome, out);
            introduced(b, outcome, out);
        }
        _ => {}
    }
}
