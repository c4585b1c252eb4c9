//! Until where variables matter.
//!
//! What goes in: statements. What comes out: for each local that they mention where in the text the last mention ends, or the loop
//! around it if its next round may come by again. What is known of a local there can be forgotten: 34 branches within one another, each
//! with an object of its own, took more than a minute.

use crate::program::*;
use crate::visit;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub struct Lasting {
    pub ends: FxHashMap<LocalId, u32>,
    declared: FxHashSet<LocalId>,
}

impl Lasting {
    pub fn add(&mut self, body: &[Stmt]) {
        for stmt in body {
            let end = stmt.span.end;
            match &stmt.kind {
                StmtKind::Block(inner) => self.add(inner),
                StmtKind::If { condition, then: a, otherwise: b } => {
                    self.condition(condition, condition.span.end);
                    self.add(a);
                    self.add(b);
                }
                StmtKind::Choice(a, b) => {
                    self.add(a);
                    self.add(b);
                }
                StmtKind::While { invariant, condition, body, step } => {
                    let mut round = Lasting::default();
                    round.add(body);
                    round.add(step.as_deref().map(std::slice::from_ref).unwrap_or_default());
                    round.condition(condition, end);
                    invariant.iter().for_each(|i| round.formula(i, end));
                    for (local, within) in round.ends {
                        self.mention(local, if round.declared.contains(&local) { within } else { end });
                    }
                    self.declared.extend(round.declared);
                }
                StmtKind::Assert { formula, .. } | StmtKind::Assume { formula, .. } => self.formula(formula, end),
                StmtKind::Declare(..)
                | StmtKind::Assign(..)
                | StmtKind::Expr(_)
                | StmtKind::Return(_)
                | StmtKind::Havoc(_)
                | StmtKind::Pragma(_) => {
                    if let StmtKind::Declare(local, _) = stmt.kind {
                        self.declared.insert(local);
                    }
                    let statement = std::slice::from_ref(stmt);
                    self.code(|on_expr, on_place| visit::stmts(statement, on_expr, on_place), end);
                }
            }
        }
    }

    fn condition(&mut self, e: &Expr, end: u32) {
        self.code(|on_expr, on_place| visit::condition(e, on_expr, on_place), end);
    }

    fn code(&mut self, visit: impl FnOnce(&mut dyn FnMut(&Expr), &mut dyn FnMut(&Place)), end: u32) {
        let (mut read, mut assigned) = (Vec::new(), Vec::new());
        let on_expr = &mut |e: &Expr| read.extend(if let ExprKind::Local(local) = e.kind { Some(local) } else { None });
        visit(on_expr, &mut |at| assigned.extend(if let Place::Local(local) = at { Some(*local) } else { None }));
        read.into_iter().chain(assigned).for_each(|local| self.mention(local, end));
    }

    fn formula(&mut self, formula: &Formula, end: u32) {
        crate::interp::names_of(formula, &mut |name| {
            if let Subject::Local(local) = name.subject {
                self.mention(local, end);
            }
        });
    }

    fn mention(&mut self, local: LocalId, end: u32) {
        let last = self.ends.entry(local).or_insert(end);
        *last = end.max(*last);
    }
}
