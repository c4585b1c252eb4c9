//! Finds the clause that made a specification false: what a report points at.
//!
//! What goes in: a declarative method that returned false (or threw). What comes out: the innermost condition that led to
//! it. The method is run once more under judgement: of a false conjunction it is the false conjunct; of a call that
//! returned false, what made it so in there; of `if (c) return false`, it is c; of a local, what was last assigned to it. A
//! clause in a library is never shown: the user's call of it is.

use super::stmt::Flow;
use super::{Chooser, Eval, Interp, Outcome};
use crate::program::*;
use crate::value::*;
use source::Span;

/// A condition in the source, and how it failed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clause {
    pub span: Span,
    /// Where it stands.
    pub method: MethodId,
    /// It did not come out false: it threw this.
    pub threw: Option<ClassId>,
}

#[derive(Clone, Copy)]
pub(super) struct Culprit {
    span: Span,
    method: MethodId,
    /// Of the call in which it was evaluated.
    depth: u32,
}

#[derive(Default)]
pub(super) struct Blame {
    /// Of the Boolean that was judged last.
    culprit: Option<Culprit>,
    /// Of the condition of the `if` around.
    pub(super) enclosing: Option<Culprit>,
    /// Of the Booleans kept in locals, by their place on the stack.
    locals: Vec<(usize, Culprit)>,
}

impl Blame {
    /// Forgets the locals of a call that is over.
    pub(super) fn leave(&mut self, base: usize, enclosing: Option<Culprit>) {
        self.enclosing = enclosing;
        self.locals.retain(|(place, _)| *place < base);
    }
}

impl<'p, C: Chooser> Interp<'p, C> {
    /// Runs the method again to find the clause that makes it false; None if it returns true or stops.
    pub fn explain(&mut self, method: MethodId, arguments: &[Value]) -> Option<Clause> {
        self.blame = Some(Box::default());
        let outcome = self.run_virtual(method, arguments);
        let culprit = self.blame.take().and_then(|blame| blame.culprit);
        match outcome {
            Outcome::Normal(Some(Value::Bool(false))) => {
                culprit.map(|c| Clause { span: c.span, method: c.method, threw: None })
            }
            Outcome::Threw(object) => {
                let threw = Some(self.class_of(object));
                self.thrown_at(object).map(|t| Clause { span: t.span, method: t.method, threw })
            }
            _ => None,
        }
    }

    /// Evaluates a Boolean, and finds out what is to blame for its value.
    fn judge(&mut self, e: &'p Expr) -> Eval<bool> {
        match &e.kind {
            ExprKind::AndThen(a, b) => {
                if !self.judge(a)? {
                    return Ok(false);
                }
                let value = self.judge(b)?;
                if value && !self.culprit_is_deeper() {
                    self.accuse(e.span);
                }
                Ok(value)
            }
            ExprKind::OrElse(a, b) => {
                if self.judge(a)? {
                    return Ok(true);
                }
                let value = self.judge(b)?;
                if !value && !self.culprit_is_deeper() {
                    self.accuse(e.span);
                }
                Ok(value)
            }
            ExprKind::Logic(LogicOp::And, a, b) => {
                let left = self.judge(a)?;
                let culprit = self.culprit();
                let right = self.judge(b)?;
                match (left, right) {
                    (false, _) => self.set_culprit(culprit),
                    (true, true) => self.accuse(e.span),
                    (true, false) => {}
                }
                Ok(left && right)
            }
            ExprKind::Not(a) => {
                let value = self.judge(a)?;
                if value || !self.culprit_is_deeper() {
                    self.accuse(e.span);
                }
                Ok(!value)
            }
            ExprKind::Conditional(condition, a, b) => {
                let branch = if self.judge(condition)? { a } else { b };
                match branch.kind {
                    ExprKind::Bool(value) => Ok(value),
                    _ => self.judge(branch),
                }
            }
            ExprKind::Sequence(block, value) => {
                self.effects(block)?;
                self.judge(value)
            }
            ExprKind::Local(local) => {
                let value = self.eval_bool(e)?;
                let place = self.base + local.index();
                let kept = self.blame.as_ref().and_then(|blame| blame.locals.iter().rev().find(|(at, _)| *at == place));
                match kept.map(|(_, culprit)| *culprit) {
                    Some(culprit) if !value => self.set_culprit(Some(culprit)),
                    _ => self.accuse(e.span),
                }
                Ok(value)
            }
            ExprKind::Call(..) | ExprKind::CallVirtual(..) => {
                self.set_culprit(None);
                let value = self.eval_bool(e)?;
                if value || !self.culprit_is_deeper() || self.culprit_is_in_library() {
                    self.accuse(e.span);
                }
                Ok(value)
            }
            _ => {
                let value = self.eval_bool(e)?;
                self.accuse(e.span);
                Ok(value)
            }
        }
    }

    /// `local = value`: who reads it later blames what made it so. A constant stands for itself.
    pub(super) fn judged_assignment(&mut self, local: LocalId, value: &'p Expr) -> Eval<()> {
        let result = self.judge(value)?;
        let place = self.base + local.index();
        self.stack[place] = Value::Bool(result);
        let culprit = self.culprit();
        if let Some(blame) = &mut self.blame {
            blame.locals.retain(|(at, _)| *at != place);
            blame.locals.extend(culprit.map(|culprit| (place, culprit)));
        }
        Ok(())
    }

    pub(super) fn judged_if(&mut self, condition: &'p Expr, then: &'p [Stmt], otherwise: &'p [Stmt]) -> Eval<Flow> {
        let taken = self.judge(condition)?;
        self.note_branch(condition.span, taken);
        let culprit = self.culprit();
        let outer = self.blame.as_mut().and_then(|blame| std::mem::replace(&mut blame.enclosing, culprit));
        let completion = self.block(if taken { then } else { otherwise });
        if let Some(blame) = &mut self.blame {
            blame.enclosing = outer;
        }
        completion
    }

    /// A constant says nothing: the condition around it does.
    pub(super) fn judged_return(&mut self, value: &'p Expr, span: Span) -> Eval<bool> {
        let ExprKind::Bool(constant) = value.kind else { return self.judge(value) };
        let enclosing = self.blame.as_ref().and_then(|blame| blame.enclosing);
        match enclosing {
            Some(culprit) => self.set_culprit(Some(culprit)),
            None => self.accuse(span),
        }
        Ok(constant)
    }

    fn culprit(&self) -> Option<Culprit> {
        self.blame.as_ref().and_then(|blame| blame.culprit)
    }

    fn set_culprit(&mut self, culprit: Option<Culprit>) {
        if let Some(blame) = &mut self.blame {
            blame.culprit = culprit;
        }
    }

    fn accuse(&mut self, span: Span) {
        self.set_culprit(Some(Culprit { span, method: self.method, depth: self.depth }));
    }

    /// Whether it was found within a call.
    fn culprit_is_deeper(&self) -> bool {
        self.culprit().is_some_and(|c| c.depth > self.depth)
    }

    /// Or in a ready-made abstraction, which code of the user's calls.
    fn culprit_is_in_library(&self) -> bool {
        let program = self.linked.program;
        let class = |m: MethodId| program.class(program.method(m).class);
        let is_users = class(self.method).is_input && !class(self.method).is_ready_made;
        self.culprit().map(|c| class(c.method)).is_some_and(|c| !c.is_input || c.is_ready_made && is_users)
    }
}
