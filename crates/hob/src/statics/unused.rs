//! Sets and Booleans of which nothing is said: a slip, or left over.

use super::resolver::Resolver;
use crate::program::{Formula, SpecVarId, SpecVarKind, Stmt, StmtKind, Subject};
use rustc_hash::FxHashSet;
use source::Diagnostic;

impl Resolver<'_, '_> {
    /// Warns of variables that no formula, no `modifies` and no other definition mentions, in any of the files.
    pub(super) fn unused(&mut self) {
        let mut used: FxHashSet<SpecVarId> = FxHashSet::default();
        let mut of_formula = |formula: &Formula| {
            crate::interp::names_of(formula, &mut |name| {
                if let Subject::SpecVar(variable) = name.subject {
                    used.insert(variable);
                }
            });
        };
        for scope in &self.program.scopes {
            scope.invariants.iter().for_each(|invariant| of_formula(&invariant.formula));
        }
        for proc in &self.program.procs {
            let contract = &proc.contract;
            contract.requires.iter().chain(&contract.ensures).for_each(|clause| of_formula(&clause.formula));
            let mut waiting: Vec<&Stmt> = proc.body.iter().flatten().collect();
            while let Some(stmt) = waiting.pop() {
                match &stmt.kind {
                    StmtKind::Block(body) => waiting.extend(body),
                    StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                        waiting.extend(a.iter().chain(b));
                    }
                    StmtKind::While { invariant, body, .. } => {
                        invariant.iter().for_each(&mut of_formula);
                        waiting.extend(body);
                    }
                    StmtKind::Assert { formula, .. } | StmtKind::Assume { formula, .. } => of_formula(formula),
                    _ => {}
                }
            }
        }
        for proc in &self.program.procs {
            used.extend(&proc.contract.modifies);
        }
        for section in self.program.modules.iter().flat_map(|m| &m.plugins) {
            section.sets.iter().for_each(|set| set.definition.names(&mut |variable| _ = used.insert(variable)));
        }
        // An instance has the text of its original: what one of them uses is used.
        let spans: FxHashSet<_> = used.iter().map(|v| self.program.spec_var(*v).span).collect();
        // One that nobody defines either has been reported.
        let undefined = self.diagnostics.iter().filter(|d| d.id == "undefined-set").flat_map(|d| &d.related);
        let told: FxHashSet<_> = undefined.map(|(span, _)| *span).collect();
        for variable in self.program.spec_vars.iter().filter(|v| !spans.contains(&v.span)) {
            if variable.kind == SpecVarKind::Relation || told.contains(&variable.span) {
                continue;
            }
            let what = if variable.kind == SpecVarKind::Bool { "Boolean" } else { "set" };
            let message =
                format!("the {what} `{}` is not used: no contract, invariant or assertion mentions it", variable.name);
            let help = "say in the contracts what happens to it, or remove it";
            self.diagnostics.push(Diagnostic::warning("unused-set", variable.span, message).help(help));
        }
    }
}
