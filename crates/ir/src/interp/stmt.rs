//! Executes statements (JLS chapter 14).

use super::watch::{Heads, LoopParts};
use super::{Chooser, Eval, Exit, Interp, Step, Stop};
use crate::program::*;
use crate::value::*;
use source::Span;

/// How a statement completed, if neither by an exception nor by a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    Normal,
    Break(LabelId),
    Continue(LabelId),
    /// The value is in `returned`.
    Return,
}

impl<'p, C: Chooser> Interp<'p, C> {
    pub(super) fn block(&mut self, block: &'p [Stmt]) -> Eval<Flow> {
        for stmt in block {
            match self.stmt(stmt)? {
                Flow::Normal => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Normal)
    }

    fn stmt(&mut self, stmt: &'p Stmt) -> Eval<Flow> {
        self.step()?;
        if let Some(reached) = &mut self.reached {
            reached.note(stmt.span);
        }
        match &stmt.kind {
            StmtKind::Expr(e) => {
                match &e.kind {
                    ExprKind::SetLocal(local, value) if self.blame.is_some() && value.ty == Ty::Bool => {
                        self.judged_assignment(*local, value)?;
                    }
                    _ => drop(self.eval(e)?),
                }
                Ok(Flow::Normal)
            }
            StmtKind::If { condition, then, otherwise } => {
                if self.blame.is_some() {
                    return self.judged_if(condition, then, otherwise);
                }
                let taken = self.eval_bool(condition)?;
                self.note_branch(condition.span, taken);
                self.block(if taken { then } else { otherwise })
            }
            StmtKind::Loop { label, test_first, condition, body, update } => {
                let outer = self.innermost_loop.replace(stmt.span);
                let parts = LoopParts { condition, body, update };
                let completion = self.iterate(*label, *test_first, parts, stmt.span);
                self.innermost_loop = outer;
                completion
            }
            StmtKind::Labelled { label, body } => {
                let flow = self.block(body)?;
                Ok(after(*label, flow))
            }
            StmtKind::Switch { label, on, cases } => {
                let value = self.eval_int(on)?;
                if let Some(trace) = &mut self.trace {
                    trace.push(Step::Switch { span: on.span, value });
                }
                let flow = self.cases(value, cases)?;
                Ok(after(*label, flow))
            }
            StmtKind::Break(label) => Ok(Flow::Break(*label)),
            StmtKind::Continue(label) => Ok(Flow::Continue(*label)),
            StmtKind::Return(None) => Ok(Flow::Return),
            StmtKind::Return(Some(value)) => {
                self.returned = if self.blame.is_some() && value.ty == Ty::Bool {
                    Value::Bool(self.judged_return(value, stmt.span)?)
                } else {
                    self.eval(value)?
                };
                Ok(Flow::Return)
            }
            StmtKind::Throw(e) => {
                let exception = self.eval(e)?;
                let object = self.non_null(exception, stmt.span)?;
                Err(self.throw_object(object, stmt.span))
            }
            StmtKind::Try { body, catches, finally } => self.try_stmt(body, catches, finally),
            StmtKind::Assert { condition, message } => {
                if !self.eval_bool(condition)? {
                    if let Some(message) = message {
                        self.eval(message)?;
                    }
                    return Err(self.throw(self.linked.program.known.assertion, stmt.span));
                }
                Ok(Flow::Normal)
            }
            StmtKind::Assume(condition) => {
                if self.eval_bool(condition)? {
                    Ok(Flow::Normal)
                } else {
                    self.halt(Stop::Dropped)
                }
            }
            StmtKind::Block(body) => self.block(body),
        }
    }

    pub(super) fn note_branch(&mut self, span: Span, taken: bool) {
        if let Some(trace) = &mut self.trace {
            trace.push(Step::Branch { span, taken });
        }
    }

    fn iterate(&mut self, label: LabelId, test_first: bool, parts: LoopParts<'p>, span: Span) -> Eval<Flow> {
        let LoopParts { condition, body, update } = parts;
        let mut heads = Heads::default();
        let mut test = test_first;
        loop {
            self.step()?;
            if self.watch.is_some() {
                self.watch_head(&mut heads, parts, test, span)?;
            }
            if test {
                let taken = self.eval_bool(condition)?;
                self.note_branch(condition.span, taken);
                if !taken {
                    return Ok(Flow::Normal);
                }
            }
            test = true;
            match self.block(body)? {
                Flow::Normal => {}
                Flow::Continue(to) if to == label => {}
                Flow::Break(to) if to == label => return Ok(Flow::Normal),
                other => return Ok(other),
            }
            for e in update {
                self.eval(e)?;
            }
        }
    }

    fn cases(&mut self, value: i64, cases: &'p [Case]) -> Eval<Flow> {
        let matching = cases.iter().position(|case| case.values.contains(&value));
        let Some(start) = matching.or_else(|| cases.iter().position(|case| case.is_default)) else {
            return Ok(Flow::Normal);
        };
        for case in &cases[start..] {
            match self.block(&case.body)? {
                Flow::Normal => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Normal)
    }

    /// `finally` runs however the rest completed, and overrides it unless it completes normally itself (JLS 14.20.2).
    /// A stop is no completion: nothing runs after it.
    fn try_stmt(&mut self, body: &'p [Stmt], catches: &'p [Catch], finally: &'p [Stmt]) -> Eval<Flow> {
        let height = self.stack.len();
        let mut completion = self.block(body);
        if let Err(Exit::Throw(exception)) = completion {
            // Arguments of calls that never happened.
            self.stack.truncate(height);
            let class = self.class_of(exception);
            let fits = |catch: &&Catch| catch.classes.iter().any(|&c| self.linked.is_subclass(class, c));
            if let Some(catch) = catches.iter().find(fits) {
                self.stack[self.base + catch.local.index()] = Value::Obj(exception);
                if let Some(trace) = &mut self.trace {
                    trace.push(Step::Catch { object: exception });
                }
                completion = self.block(&catch.body);
            }
        }
        if finally.is_empty() || matches!(completion, Err(Exit::Stop)) {
            return completion;
        }
        self.stack.truncate(height);
        let returned = self.returned;
        match self.block(finally)? {
            Flow::Normal => {
                self.returned = returned;
                completion
            }
            other => Ok(other),
        }
    }
}

fn after(label: LabelId, flow: Flow) -> Flow {
    if flow == Flow::Break(label) { Flow::Normal } else { flow }
}
