//! Statements of declarative code (dissertation, 2.9.1 to 2.9.3): returns under guards, locals in SSA form merged where
//! control meets again, loops unrolled until their condition is false or they [repeat](crate::loops).
//!
//! A statement is translated relative to the point where it starts: every condition in a [`Completion`] presumes that
//! control got there.

use crate::loops::{Heads, LoopParts};
use crate::oracle::Stop;
use crate::symbolic::Symbolic;
use crate::value::Sym;
use formula::Lit;
use ir::*;

/// The locals of a method; None before the first assignment.
pub type Locals = Vec<Option<Sym>>;

/// `break` or `continue` under way.
struct Jump {
    label: LabelId,
    is_continue: bool,
    when: Lit,
    locals: Locals,
}

/// How a statement ends.
pub struct Completion {
    /// When it returned.
    returned: Lit,
    /// What it returned then.
    pub value: Option<Sym>,
    /// When evaluation was an error.
    pub error: Lit,
    jumps: Vec<Jump>,
}

impl Completion {
    fn normal() -> Completion {
        Completion { returned: Lit::FALSE, value: None, error: Lit::FALSE, jumps: Vec::new() }
    }

    fn error(error: Lit) -> Completion {
        Completion { error, ..Completion::normal() }
    }

    fn is_plain(&self) -> bool {
        self.returned == Lit::FALSE && self.jumps.is_empty()
    }
}

impl Symbolic<'_> {
    pub(crate) fn translate_block(&mut self, block: &[Stmt], env: &mut Locals) -> Result<Completion, Stop> {
        let mut error = Lit::FALSE;
        for (i, stmt) in block.iter().enumerate() {
            let done = self.translate_stmt(stmt, env)?;
            if done.is_plain() {
                error = self.graph.or(error, done.error);
                continue;
            }
            let rest = &block[i + 1..];
            let mut all = self.then(done, env, |s, env| s.translate_block(rest, env))?;
            all.error = self.graph.or(error, all.error);
            return Ok(all);
        }
        Ok(Completion::error(error))
    }

    /// When a statement ends normally.
    fn goes_on(&mut self, done: &Completion) -> Lit {
        let mut left = done.returned;
        for jump in &done.jumps {
            left = self.graph.or(left, jump.when);
        }
        !left
    }

    /// What follows `done`, translated under the guard that `done` ends normally, and both in one.
    fn then(
        &mut self,
        mut done: Completion,
        env: &mut Locals,
        follow: impl FnOnce(&mut Self, &mut Locals) -> Result<Completion, Stop>,
    ) -> Result<Completion, Stop> {
        let on = self.goes_on(&done);
        let on = self.graph.known(on);
        if on == Lit::FALSE {
            return Ok(done);
        }
        let next = self.guarded(on, |s| follow(s, env))?;
        let late = self.graph.and(on, next.error);
        done.error = self.graph.or(done.error, late);
        self.jump_under(on, next.jumps, &mut done.jumps);
        let late = self.graph.and(on, next.returned);
        done.value = self.either(done.returned, done.value, next.value);
        done.returned = self.graph.or(done.returned, late);
        Ok(done)
    }

    fn translate_stmt(&mut self, stmt: &Stmt, env: &mut Locals) -> Result<Completion, Stop> {
        match &stmt.kind {
            StmtKind::Expr(e) => Ok(Completion::error(self.translate(e, env)?.1)),
            StmtKind::Block(block) => self.translate_block(block, env),
            StmtKind::If { condition, then, otherwise } => {
                let (c, error) = self.translate_bool(condition, env)?;
                let mut done = self.branch(
                    c,
                    env,
                    |s, env| s.translate_block(then, env),
                    |s, env| s.translate_block(otherwise, env),
                )?;
                done.error = self.graph.or(error, done.error);
                Ok(done)
            }
            StmtKind::Loop { label, test_first, condition, body, update } => {
                let is_assigned = env.iter().map(Option::is_some).collect();
                let parts = LoopParts { label: *label, condition, body, update, is_assigned };
                self.iterate(&parts, *test_first, env, 0, Heads::default())
            }
            StmtKind::Labelled { label, body } => {
                let mut done = self.translate_block(body, env)?;
                self.arrive(&mut done, *label, false, env);
                Ok(done)
            }
            StmtKind::Switch { label, on, cases } => {
                let (on, error) = self.translate_int(on, env)?;
                let mut done = self.switch(on, cases, env)?;
                done.error = self.graph.or(error, done.error);
                self.arrive(&mut done, *label, false, env);
                Ok(done)
            }
            StmtKind::Break(label) | StmtKind::Continue(label) => {
                let is_continue = matches!(stmt.kind, StmtKind::Continue(_));
                let jump = Jump { label: *label, is_continue, when: Lit::TRUE, locals: env.clone() };
                Ok(Completion { jumps: vec![jump], ..Completion::normal() })
            }
            StmtKind::Return(value) => {
                let (value, error) = match value {
                    Some(e) => {
                        let (value, error) = self.translate(e, env)?;
                        (Some(value), error)
                    }
                    None => (None, Lit::FALSE),
                };
                Ok(Completion { returned: Lit::TRUE, value, error, jumps: Vec::new() })
            }
            StmtKind::Assert { condition, .. } | StmtKind::Assume(condition) => {
                let (holds, error) = self.translate_bool(condition, env)?;
                Ok(Completion::error(self.graph.or(error, !holds)))
            }
            StmtKind::Throw(_) => Ok(Completion { returned: Lit::TRUE, error: Lit::TRUE, ..Completion::normal() }),
            StmtKind::Try { body, .. } => match body.first() {
                Some(first) => Err(Stop::unsupported_at(first.span, "`try` in declarative code")),
                None => Ok(Completion::normal()),
            },
        }
    }

    /// Both sides of a condition, merged where control meets again.
    fn branch(
        &mut self,
        c: Lit,
        env: &mut Locals,
        then: impl FnOnce(&mut Self, &mut Locals) -> Result<Completion, Stop>,
        otherwise: impl FnOnce(&mut Self, &mut Locals) -> Result<Completion, Stop>,
    ) -> Result<Completion, Stop> {
        let c = self.graph.known(c);
        if c == Lit::TRUE {
            return then(self, env);
        }
        if c == Lit::FALSE {
            return otherwise(self, env);
        }
        let before = env.clone();
        let a = self.guarded(c, |s| then(s, env))?;
        let after_a = std::mem::replace(env, before);
        let b = self.guarded(!c, |s| otherwise(s, env))?;
        let (on_a, on_b) = (self.goes_on(&a), self.goes_on(&b));
        if on_b == Lit::FALSE {
            *env = after_a;
        } else if on_a != Lit::FALSE {
            self.merge(c, after_a, env);
        }
        let value = self.either(c, a.value, b.value);
        let mut jumps = Vec::new();
        self.jump_under(c, a.jumps, &mut jumps);
        self.jump_under(!c, b.jumps, &mut jumps);
        Ok(Completion {
            returned: self.graph.ite(c, a.returned, b.returned),
            value,
            error: self.graph.ite(c, a.error, b.error),
            jumps,
        })
    }

    /// `env` becomes `c ? other : env`.
    fn merge(&mut self, c: Lit, other: Locals, env: &mut Locals) {
        for (mine, theirs) in env.iter_mut().zip(other) {
            *mine = self.either(c, theirs, *mine);
        }
    }

    /// `c ? x : y`. A local that is not assigned on one side is not read afterwards without an assignment, and a side that
    /// returns nothing has no value: the other one will do.
    fn either(&mut self, c: Lit, x: Option<Sym>, y: Option<Sym>) -> Option<Sym> {
        match (x, y) {
            (Some(x), Some(y)) => Some(self.ite(c, x, y)),
            (x, y) => x.or(y),
        }
    }

    /// Adds jumps of a part that is reached under a condition.
    fn jump_under(&mut self, condition: Lit, jumps: Vec<Jump>, all: &mut Vec<Jump>) {
        for jump in jumps {
            let when = self.graph.and(condition, jump.when);
            all.push(Jump { when, ..jump });
        }
    }

    /// Jumps to a label end here, normally.
    fn arrive(&mut self, done: &mut Completion, label: LabelId, is_continue: bool, env: &mut Locals) {
        let mut on = self.goes_on(done);
        let jumps = std::mem::take(&mut done.jumps);
        for jump in jumps {
            if jump.label == label && jump.is_continue == is_continue {
                if self.graph.known(on) == Lit::FALSE {
                    *env = jump.locals;
                } else {
                    self.merge(jump.when, jump.locals, env);
                }
                on = self.graph.or(on, jump.when);
            } else {
                done.jumps.push(jump);
            }
        }
    }

    /// After so many iterations. A loop that comes back to a state does not end (2.9.1).
    fn iterate(
        &mut self,
        parts: &LoopParts<'_>,
        test: bool,
        env: &mut Locals,
        count: u32,
        mut heads: Heads,
    ) -> Result<Completion, Stop> {
        self.tick(parts.condition.span)?;
        if self.must_repeat(parts, &mut heads, env) {
            return Ok(Completion::error(Lit::TRUE));
        }
        if count > self.limits.declarative_depth {
            self.beyond.get_or_insert(parts.condition.span);
            return Ok(Completion::error(Lit::TRUE));
        }
        let (c, error) = if test { self.translate_bool(parts.condition, env)? } else { (Lit::TRUE, Lit::FALSE) };
        let mut done = self.branch(
            c,
            env,
            |s, env| {
                let mut done = s.translate_block(parts.body, env)?;
                s.arrive(&mut done, parts.label, true, env);
                let mut done = s.then(done, env, |s, env| {
                    let mut error = Lit::FALSE;
                    for e in parts.update {
                        let late = s.translate(e, env)?.1;
                        error = s.graph.or(error, late);
                    }
                    let mut rest = s.iterate(parts, true, env, count + 1, heads)?;
                    rest.error = s.graph.or(error, rest.error);
                    Ok(rest)
                })?;
                // Those of all iterations together would be guarded again in each.
                s.arrive(&mut done, parts.label, false, env);
                Ok(done)
            },
            |_, _| Ok(Completion::normal()),
        )?;
        // What the iterations leave is put together on the way back.
        self.tick(parts.condition.span)?;
        done.error = self.graph.or(error, done.error);
        Ok(done)
    }

    /// Cases in order, each entered by its values or from the one above.
    fn switch(&mut self, on: formula::TermId, cases: &[Case], env: &mut Locals) -> Result<Completion, Stop> {
        let mut matches = Vec::new();
        let mut any = Lit::FALSE;
        for case in cases {
            let mut here = Lit::FALSE;
            for &value in &case.values {
                let equal = self.graph.eq_constant(on, value);
                here = self.graph.or(here, equal);
            }
            any = self.graph.or(any, here);
            matches.push(here);
        }
        for (case, here) in cases.iter().zip(&mut matches) {
            if case.is_default {
                *here = self.graph.or(*here, !any);
            }
        }
        let has_default = cases.iter().any(|c| c.is_default);
        let before = env.clone();
        let mut all = Completion::normal();
        // Falling out of the case above.
        let mut falls = Lit::FALSE;
        for (case, here) in cases.iter().zip(matches) {
            let mut entry = before.clone();
            self.merge(falls, std::mem::take(env), &mut entry);
            *env = entry;
            let enters = self.graph.or(falls, here);
            let enters = self.graph.known(enters);
            if enters == Lit::FALSE {
                continue;
            }
            let done = self.guarded(enters, |s| s.translate_block(&case.body, env))?;
            let on = self.goes_on(&done);
            falls = self.graph.and(enters, on);
            let late = self.graph.and(enters, done.error);
            all.error = self.graph.or(all.error, late);
            let returns = self.graph.and(enters, done.returned);
            all.value = self.either(returns, done.value, all.value);
            all.returned = self.graph.or(all.returned, returns);
            self.jump_under(enters, done.jumps, &mut all.jumps);
        }
        if !has_default {
            self.merge(!any, before, env);
        }
        Ok(all)
    }
}
