//! Statements of symbolic execution: control flow as Java has it, one path at a time.

use crate::execute::{Completion, Executor};
use crate::oracle::{Flow, Oracle, Restriction, Stop};
use crate::statements::Locals;
use crate::value::{Obj, Sym};
use ir::*;

type Executed = Result<Completion, Flow>;

impl<O: Oracle> Executor<'_, '_, O> {
    pub(crate) fn block(&mut self, block: &[Stmt], env: &mut Locals) -> Executed {
        for stmt in block {
            match self.stmt(stmt, env)? {
                Completion::Normal => {}
                other => return Ok(other),
            }
        }
        Ok(Completion::Normal)
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt, env: &mut Locals) -> Executed {
        if let Some(reached) = &mut self.symbolic.reached {
            reached.note(stmt.span);
        }
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.eval(e, env)?;
                Ok(Completion::Normal)
            }
            StmtKind::If { condition, then, otherwise } => {
                let branch = if self.decide(condition, env)? { then } else { otherwise };
                self.block(branch, env)
            }
            StmtKind::Loop { label, test_first, condition, body, update } => {
                let mut test = *test_first;
                loop {
                    self.tick(stmt.span)?;
                    if test && !self.decide(condition, env)? {
                        return Ok(Completion::Normal);
                    }
                    test = true;
                    match self.block(body, env)? {
                        Completion::Normal => {}
                        Completion::Break(l) if l == *label => return Ok(Completion::Normal),
                        Completion::Continue(l) if l == *label => {}
                        other => return Ok(other),
                    }
                    for e in update {
                        self.eval(e, env)?;
                    }
                }
            }
            StmtKind::Labelled { label, body } => match self.block(body, env)? {
                Completion::Break(l) if l == *label => Ok(Completion::Normal),
                other => Ok(other),
            },
            StmtKind::Switch { label, on, cases } => match self.switch(on, cases, env)? {
                Completion::Break(l) if l == *label => Ok(Completion::Normal),
                other => Ok(other),
            },
            StmtKind::Break(label) => Ok(Completion::Break(*label)),
            StmtKind::Continue(label) => Ok(Completion::Continue(*label)),
            StmtKind::Return(None) => Ok(Completion::Return(None)),
            StmtKind::Return(Some(e)) => Ok(Completion::Return(Some(self.eval(e, env)?))),
            StmtKind::Throw(e) => {
                let Sym::Ref(id) = self.eval(e, env)? else { return Ok(Completion::Normal) };
                Err(Flow::Throw(self.object(id)?))
            }
            StmtKind::Try { body, catches, finally } => {
                let mut done = self.block(body, env);
                if let Err(Flow::Throw(obj)) = done {
                    done = self.catch(obj, catches, env);
                }
                if finally.is_empty() || matches!(done, Err(Flow::Stop(_))) {
                    return done;
                }
                match self.block(finally, env)? {
                    Completion::Normal => done,
                    other => Ok(other),
                }
            }
            StmtKind::Assert { condition, message } => {
                if !self.decide(condition, env)? {
                    if let Some(message) = message {
                        self.eval(message, env)?;
                    }
                    return self.throw(self.symbolic.program.known.assertion);
                }
                Ok(Completion::Normal)
            }
            StmtKind::Assume(condition) => {
                let Sym::Bool(holds) = self.eval(condition, env)? else { return Ok(Completion::Normal) };
                match self.symbolic.graph.value(holds) {
                    Some(true) => {}
                    Some(false) => return Err(Stop::Dropped.into()),
                    None => self.oracle.restrict(&mut self.symbolic.graph, holds, Restriction::Assumed)?,
                }
                Ok(Completion::Normal)
            }
            StmtKind::Block(block) => self.block(block, env),
        }
    }

    fn catch(&mut self, obj: Obj, catches: &[Catch], env: &mut Locals) -> Executed {
        let ty = self.symbolic.ty_of(obj);
        for catch in catches {
            if catch.classes.iter().any(|&c| self.symbolic.program.is_subtype(ty, Ty::Class(c))) {
                env[catch.local.index()] = Some(self.symbolic.single(obj));
                return self.block(&catch.body, env);
            }
        }
        Err(Flow::Throw(obj))
    }

    fn switch(&mut self, on: &Expr, cases: &[Case], env: &mut Locals) -> Executed {
        let on = self.eval_int(on, env)?;
        let mut entry = None;
        for (i, case) in cases.iter().enumerate() {
            let mut here = formula::Lit::FALSE;
            for &value in &case.values {
                let equal = self.symbolic.graph.eq_constant(on, value);
                here = self.symbolic.graph.or(here, equal);
            }
            if self.test(here)? {
                entry = Some(i);
                break;
            }
        }
        let Some(entry) = entry.or(cases.iter().position(|c| c.is_default)) else { return Ok(Completion::Normal) };
        for case in &cases[entry..] {
            match self.block(&case.body, env)? {
                Completion::Normal => {}
                other => return Ok(other),
            }
        }
        Ok(Completion::Normal)
    }
}
