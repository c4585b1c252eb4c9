//! Contracts as they are written: in the specification, or in quotes on a private procedure (docs/hob.md, "Contracts"). Then the frame, and
//! what scopes join to it. Defaults are joined elsewhere.

use super::copies::{copied, prime};
use super::formulas::{Place, Purpose, Role, Visible};
use super::resolver::Resolver;
use super::sections::Naming;
use crate::program::{Clause, Formula, Intrinsic, LocalId, ModuleId, ProcId, Reason, ScopeId, SpecVarId, SpecVarKind};
use crate::syntax::ast::{Name, Quoted};
use crate::syntax::parse_formula;
use rustc_hash::FxHashSet;
use source::Span;
use std::rc::Rc;

/// A formula, read already or still in quotes.
enum Text<'t> {
    Read(&'t crate::syntax::ast::Formula),
    Quoted(&'t Quoted),
}

impl<'a> Resolver<'a, '_> {
    pub(super) fn contracts(&mut self) {
        for k in 0..self.program.procs.len() {
            self.contract(ProcId(k as u32));
        }
    }

    fn contract(&mut self, id: ProcId) {
        let text = self.texts[id.index()];
        let module = self.program.proc(id).module;
        let unit = &self.units[module.index()];
        let spec_naming = unit.specification.as_ref().map(|s| s.naming.clone());
        let impl_naming = unit.implementation.as_ref().map(|s| s.naming.clone());
        if let (Some(proc), Some(naming)) = (text.implementation, impl_naming) {
            let first = proc.requires.as_ref().or(proc.ensures.as_ref()).map(|q| q.span);
            let first = first.or(proc.modifies.first().map(|n| n.name.span));
            if let Some(span) = first {
                if !proc.private {
                    let message =
                        format!("the public procedure `{}` has clauses in its implementation", proc.name.text);
                    let help = "write them in the specification; only private procedures have them here";
                    return self.error("misplaced-clause", span, message, help);
                }
                if text.specification.is_some() {
                    let message = format!("procedure `{}` has clauses here and in the specification", proc.name.text);
                    return self.error("misplaced-clause", span, message, "write them in one of the two");
                }
                let requires = proc.requires.as_ref().map(Text::Quoted);
                let ensures = proc.ensures.as_ref().map(Text::Quoted);
                return self.written(id, module, &naming, requires, &proc.modifies, ensures);
            }
        }
        let (Some(spec), Some(naming)) = (text.specification, spec_naming) else { return };
        self.program.procs[id.index()].contract.span = spec.name.span;
        let requires = spec.requires.as_ref().map(Text::Read);
        let ensures = spec.ensures.as_ref().map(Text::Read);
        self.written(id, module, &naming, requires, &spec.modifies, ensures);
        if !spec.calls.is_empty() {
            let mut calls = Vec::new();
            for name in &spec.calls {
                // Everybody may call the library.
                if self.modules.contains_key(name.text.as_str()) || !Intrinsic::is_module(&name.text) {
                    calls.extend(self.module(Some(module), &naming, name));
                }
            }
            self.program.procs[id.index()].contract.calls = Some(calls);
        }
    }

    fn written(
        &mut self,
        id: ProcId,
        module: ModuleId,
        naming: &Rc<Naming<'a>>,
        requires: Option<Text>,
        modifies: &[Name],
        ensures: Option<Text>,
    ) {
        for (text, purpose) in [(requires, Purpose::Requires), (ensures, Purpose::Ensures)] {
            let Some(formula) = text.and_then(|t| self.clause(id, module, naming, t, purpose)) else { continue };
            let clause = Clause { reason: Reason::Written, span: formula.span, formula };
            let contract = &mut self.program.procs[id.index()].contract;
            if purpose == Purpose::Requires { &mut contract.requires } else { &mut contract.ensures }.push(clause);
        }
        let mut seen: FxHashSet<SpecVarId> = FxHashSet::default();
        for name in modifies {
            let Some(variable) = self.spec_var(name, Some(module), naming, &[], &Vec::new) else { continue };
            if seen.insert(variable) {
                self.program.procs[id.index()].contract.modifies.push(variable);
            }
        }
    }

    fn clause(
        &mut self,
        id: ProcId,
        module: ModuleId,
        naming: &Rc<Naming<'a>>,
        text: Text,
        purpose: Purpose,
    ) -> Option<Formula> {
        let read;
        let formula = match text {
            Text::Read(formula) => formula,
            Text::Quoted(quoted) => {
                read = parse_formula(quoted, self.diagnostics)?;
                &read
            }
        };
        self.formula_of_proc(id, Some(module), naming, &[], formula, purpose)
    }

    /// A formula that may speak of the formals and the result of a procedure.
    pub(super) fn formula_of_proc(
        &mut self,
        id: ProcId,
        module: Option<ModuleId>,
        naming: &Naming<'a>,
        among: &[ModuleId],
        formula: &crate::syntax::ast::Formula,
        purpose: Purpose,
    ) -> Option<Formula> {
        let proc = self.program.proc(id);
        let (formals, locals) = (proc.formals as usize, proc.locals.clone());
        let visible = |name: &str| {
            let k = locals.iter().position(|l| l.name == name)?;
            let role = if k < formals { Role::Formal } else { Role::Result };
            Some(Visible { id: LocalId(k as u32), ty: locals[k].ty.clone(), role })
        };
        let local_names = || locals.iter().map(|l| l.name.clone()).collect();
        let place = Place { module, naming, among, locals: &visible, local_names: &local_names, purpose, clause: None };
        self.formula(formula, &place)
    }

    /// What a procedure must leave as it is (docs/hob.md, "Contracts").
    pub(super) fn frames(&mut self) {
        // By module: all that it can see, and the part of it that its public procedures must say they change.
        for k in 0..self.program.modules.len() {
            let module = ModuleId(k as u32);
            if !self.program.module(module).has_specification {
                continue;
            }
            let owners: Vec<ModuleId> = (0..self.program.modules.len())
                .map(|m| ModuleId(m as u32))
                .filter(|m| !self.is_hidden(*m, module))
                .collect();
            let seen: Vec<SpecVarId> =
                owners.iter().flat_map(|m| self.program.module(*m).spec_vars.iter().copied()).collect();
            let told: Vec<SpecVarId> = owners
                .iter()
                .filter(|m| !self.is_internal(**m, module))
                .flat_map(|m| self.program.module(*m).spec_vars.iter().copied())
                .collect();
            for id in self.program.modules[k].procs.clone() {
                let proc = &mut self.program.procs[id.index()];
                let modified: FxHashSet<SpecVarId> = proc.contract.modifies.iter().copied().collect();
                let all = if proc.private { &seen } else { &told };
                let kept = all.iter().copied().filter(|v| !modified.contains(v));
                let is_decided = |v: &SpecVarId| self.program.spec_vars[v.index()].kind != SpecVarKind::Relation;
                proc.contract.frame = kept.filter(is_decided).collect();
            }
        }
    }

    /// A public procedure of a module that a scope exports keeps the scope's invariants (docs/hob.md, "Scopes and invariants").
    pub(super) fn join_invariants(&mut self) {
        for k in 0..self.program.scopes.len() {
            let scope = &self.program.scopes[k];
            let (exports, invariants) = (scope.exports.clone(), scope.invariants.clone());
            for invariant in &invariants {
                for module in &exports {
                    for id in self.program.module(*module).procs.clone() {
                        if !self.program.proc(id).private {
                            let reason = Reason::Invariant(ScopeId(k as u32));
                            self.join(id, true, true, &invariant.formula, invariant.span, &reason);
                        }
                    }
                }
            }
        }
    }

    /// Joins a formula to `requires`, and primed to `ensures`.
    pub(super) fn join(&mut self, id: ProcId, pre: bool, post: bool, formula: &Formula, span: Span, reason: &Reason) {
        let contract = &mut self.program.procs[id.index()].contract;
        if pre {
            let formula = copied(formula, &mut self.bound);
            contract.requires.push(Clause { reason: reason.clone(), formula, span });
        }
        if post {
            let mut formula = copied(formula, &mut self.bound);
            prime(&mut formula);
            contract.ensures.push(Clause { reason: reason.clone(), formula, span });
        }
    }
}
