//! What procedures call and change, against what they say (docs/hob.md, "Contracts" and "Scopes and invariants").
//!
//! A call may go to a module only if no scope hides it; modules that `calls` lists; every set that a callee changes is listed by the
//! caller too, unless it is internal to a scope that exports the caller's module. Nobody in that scope may then call it without
//! knowing: that would be unsound.
//!
//! Between modules that share no scope the original enforces neither `calls` nor `modifies`: what is missing is a warning, and what the
//! callee changes counts as changed by the caller.

use super::resolver::Resolver;
use crate::depends::{Depends, Touch};
use crate::program::{GlobalId, ModuleId, Place, ProcId, SpecVarId};
use rustc_hash::FxHashSet;
use source::{Diagnostic, Severity, Span};

impl Resolver<'_, '_> {
    pub(super) fn effects(&mut self) {
        self.infer();
        self.widen();
        let silent = self.silent();
        for k in 0..self.program.procs.len() {
            let id = ProcId(k as u32);
            let mut seen: FxHashSet<ProcId> = FxHashSet::default();
            let mut modules: FxHashSet<ModuleId> = FxHashSet::default();
            for (callee, span) in self.calls[k].clone() {
                if !seen.insert(callee) {
                    continue;
                }
                // One message for each module.
                if modules.insert(self.program.proc(callee).module) {
                    self.check_call(id, callee, span);
                }
                if !self.is_unspecified(callee) {
                    self.check_modifies(id, callee, span);
                }
                self.check_silent(id, callee, span, &silent[callee.index()]);
            }
        }
    }

    /// Whether nothing says what a procedure requires, changes or ensures, neither in a specification nor in quotes.
    fn is_unspecified(&self, proc: ProcId) -> bool {
        let text = self.texts[proc.index()];
        let is_bare = |code: &crate::syntax::ast::Proc| {
            code.requires.is_none() && code.ensures.is_none() && code.modifies.is_empty()
        };
        text.specification.is_none() && text.implementation.is_some_and(is_bare)
    }

    /// A procedure without a contract promises nothing: it modifies what its code may change.
    fn infer(&mut self) {
        let unspecified: Vec<ProcId> =
            (0..self.program.procs.len() as u32).map(ProcId).filter(|p| self.is_unspecified(*p)).collect();
        let mut changed: Vec<Vec<SpecVarId>> = unspecified.iter().map(|p| self.changed_here(*p)).collect();
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (proc, changed) in unspecified.iter().zip(&mut changed) {
                for (callee, _) in &self.calls[proc.index()] {
                    changed.extend(&self.program.proc(*callee).contract.modifies);
                }
                let contract = &mut self.program.procs[proc.index()].contract;
                for variable in changed.drain(..) {
                    if !contract.modifies.contains(&variable) {
                        contract.modifies.push(variable);
                        contract.frame.retain(|v| *v != variable);
                        is_new = true;
                    }
                }
            }
        }
    }

    /// The variables of its module that a procedure's own statements may change.
    fn changed_here(&self, proc: ProcId) -> Vec<SpecVarId> {
        let declared = self.program.proc(proc);
        let module = self.program.module(declared.module);
        let mut touched = Vec::new();
        crate::visit::places(declared.body.as_deref().unwrap_or_default(), &mut |place| match place {
            Place::Field(_, field) => touched.push(Touch::Field(*field)),
            Place::Global(global) => touched.push(Touch::Global(*global)),
            Place::Index(..) => touched.push(Touch::Element),
            Place::Local(_) => {}
        });
        let sets = || module.plugins.iter().flat_map(|p| &p.sets);
        let named = |id: SpecVarId| sets().find(|set| set.variable == id).map(|set| &set.definition);
        let predvars = module.plugins.iter().flat_map(|p| &p.predvars);
        let is_written = |global: GlobalId| touched.iter().any(|t| matches!(t, Touch::Global(g) if *g == global));
        let mut found = Vec::new();
        for set in sets() {
            let depends = Depends::of(&set.definition, &named);
            if touched.iter().any(|touch| depends.depends_on(touch)) {
                found.push(set.variable);
            }
        }
        found.extend(predvars.filter(|(_, global)| is_written(*global)).map(|(variable, _)| *variable));
        found
    }

    /// Whether some scope has both, or they are one.
    fn shares_scope(&self, a: ModuleId, b: ModuleId) -> bool {
        a == b || self.scopes_of[a.index()].iter().any(|scope| self.members[scope.index()].modules.contains(&b))
    }

    /// What callees change in modules that share no scope with the caller's is changed by the caller, whatever it lists; a warning for
    /// each procedure that does not list it.
    fn widen(&mut self) {
        let mut missing: Vec<Vec<(SpecVarId, ProcId, Span)>> = vec![Vec::new(); self.program.procs.len()];
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (k, missing) in missing.iter_mut().enumerate() {
                let module = self.program.procs[k].module;
                if !self.program.module(module).has_specification {
                    continue;
                }
                for (callee, span) in self.calls[k].clone() {
                    for variable in self.program.proc(callee).contract.modifies.clone() {
                        let owner = self.program.spec_var(variable).module;
                        let is_listed = self.program.procs[k].contract.modifies.contains(&variable);
                        if is_listed || self.shares_scope(owner, module) || !self.must_list(ProcId(k as u32), variable)
                        {
                            continue;
                        }
                        let contract = &mut self.program.procs[k].contract;
                        contract.modifies.push(variable);
                        contract.frame.retain(|v| *v != variable);
                        missing.push((variable, callee, span));
                        is_new = true;
                    }
                }
            }
        }
        for (k, missing) in missing.into_iter().enumerate() {
            let Some((_, _, span)) = missing.first().copied() else { continue };
            let module = self.program.procs[k].module;
            let names: Vec<String> = missing.iter().map(|(v, ..)| self.name_seen_from(module, *v)).collect();
            let (quoted, name) = (quoted(&names), &self.program.procs[k].name);
            let message = format!("procedure `{name}` does not list what its callees modify: {quoted}");
            let problem = Diagnostic::warning("omitted-modifies", span, message)
                .label("changed by this call")
                .related(self.program.procs[k].contract.span, "its contract")
                .help(format!("write `modifies {}`; it counts as changed", names.join(", ")));
            self.diagnostics.push(problem);
        }
    }

    /// The call check, and `calls`.
    fn check_call(&mut self, caller: ProcId, callee: ProcId, span: Span) {
        let (from, to) = (self.program.proc(caller).module, self.program.proc(callee).module);
        if from == to {
            return;
        }
        let (from_name, to_name) = (self.module_name(from).to_string(), self.module_name(to).to_string());
        if self.is_hidden(to, from) {
            let message = format!("module `{to_name}` is hidden from `{from_name}` by a scope");
            let help = format!("let the scope export `{to_name}`, or add `{from_name}` to the scope");
            return self.error("hidden-module", span, message, help);
        }
        let carries = self.scopes_of[from.index()].iter().find(|scope| {
            let scope_is = &self.program.scopes[scope.index()];
            !scope_is.invariants.is_empty() && self.members[scope.index()].exports.contains(&to)
        });
        if let Some(scope) = carries {
            let scope = self.program.scopes[scope.index()].name.clone();
            let message = format!(
                "a call from inside of scope `{scope}`, which has invariants, to `{to_name}`, which it exports"
            );
            let help = "the invariants need not hold here, but the callee counts on them: call a module that the scope keeps to itself";
            return self.error("reentrant-call", span, message, help);
        }
        let is_analysed = !self.program.module(from).plugins.is_empty();
        if is_analysed && !self.program.module(to).has_specification {
            let message = format!("module `{to_name}` has no specification");
            let help = "what its procedures change is not known: load or write its `.sl` file";
            return self.error("missing-specification", span, message, help);
        }
        let proc = self.program.proc(caller);
        // Without `calls` it calls nobody, as its callers see it; that matters where it may come back into a scope.
        let is_listed = match &proc.contract.calls {
            Some(calls) => calls.contains(&to),
            None => proc.private || self.scopes_of[to.index()].is_empty() || self.shares_scope(from, to),
        };
        if !is_listed && !self.is_kept(to, from) && self.program.module(from).has_specification {
            let message = format!("callee module `{to_name}` is not listed in the specification of `{}`", proc.name);
            let declared = proc.contract.span;
            let is_kept_to = self.shares_scope(from, to);
            let problem = Diagnostic::error("unlisted-call", span, message).related(declared, "its contract");
            let severity = if is_kept_to { Severity::Error } else { Severity::Warning };
            self.diagnostics.push(Diagnostic { severity, ..problem.help(format!("add `{to_name}` to `calls`")) });
        }
    }

    /// What the caller must list: all that it can see, except what is internal to a scope, for a public procedure.
    fn must_list(&self, caller: ProcId, variable: SpecVarId) -> bool {
        let proc = self.program.proc(caller);
        let owner = self.program.spec_var(variable).module;
        !self.is_hidden(owner, proc.module) && (proc.private || !self.is_internal(owner, proc.module))
    }

    fn check_modifies(&mut self, caller: ProcId, callee: ProcId, span: Span) {
        let proc = self.program.proc(caller);
        if !self.program.module(proc.module).has_specification {
            return;
        }
        let listed: FxHashSet<SpecVarId> = proc.contract.modifies.iter().copied().collect();
        let omitted: Vec<SpecVarId> = self
            .program
            .proc(callee)
            .contract
            .modifies
            .iter()
            .copied()
            .filter(|v| !listed.contains(v) && self.must_list(caller, *v))
            .collect();
        self.tell_omitted(caller, callee, span, &omitted);
    }

    fn tell_omitted(&mut self, caller: ProcId, callee: ProcId, span: Span, omitted: &[SpecVarId]) {
        if omitted.is_empty() {
            return;
        }
        let module = self.program.proc(caller).module;
        let names: Vec<String> = omitted.iter().map(|v| self.name_seen_from(module, *v)).collect();
        let proc = self.program.proc(caller);
        let message = format!(
            "procedure `{}` does not list what its callee `{}` modifies: {}",
            proc.name,
            self.program.proc_name(callee),
            quoted(&names)
        );
        let declared = proc.contract.span;
        self.diagnostics.push(
            Diagnostic::error("omitted-modifies", span, message)
                .related(declared, "its contract")
                .help(format!("write `modifies {}`, beside what is listed there", names.join(", "))),
        );
    }

    fn name_seen_from(&self, module: ModuleId, variable: SpecVarId) -> String {
        let declared = self.program.spec_var(variable);
        if declared.module == module { declared.name.clone() } else { self.spec_var_name(variable) }
    }

    /// By procedure: what it may change, through calls, without saying so.
    fn silent(&self) -> Vec<FxHashSet<SpecVarId>> {
        let count = self.program.procs.len();
        let mut silent: Vec<FxHashSet<SpecVarId>> = vec![FxHashSet::default(); count];
        if self.members.is_empty() {
            return silent;
        }
        let mut callers: Vec<Vec<ProcId>> = vec![Vec::new(); count];
        let mut work: Vec<ProcId> = Vec::new();
        for (k, calls) in self.calls.iter().enumerate() {
            let id = ProcId(k as u32);
            let listed: FxHashSet<SpecVarId> = self.program.proc(id).contract.modifies.iter().copied().collect();
            for (callee, _) in calls {
                callers[callee.index()].push(id);
                let changed = self.program.proc(*callee).contract.modifies.iter();
                silent[k].extend(changed.filter(|v| !listed.contains(v)));
            }
            if !silent[k].is_empty() {
                work.push(id);
            }
        }
        while let Some(id) = work.pop() {
            let passed: Vec<SpecVarId> = silent[id.index()].iter().copied().collect();
            for caller in &callers[id.index()] {
                let listed = &self.program.proc(*caller).contract.modifies;
                let known = silent[caller.index()].len();
                silent[caller.index()].extend(passed.iter().filter(|v| !listed.contains(v)));
                if silent[caller.index()].len() > known {
                    work.push(*caller);
                }
            }
        }
        silent
    }

    /// A caller that knows a set learns from contracts only whether it changes.
    fn check_silent(&mut self, caller: ProcId, callee: ProcId, span: Span, silent: &FxHashSet<SpecVarId>) {
        let to = self.program.proc(callee).module;
        // What is hidden from the callee's module it cannot list: a call back into the scope, which the analysis looks at.
        let mut known: Vec<SpecVarId> = silent
            .iter()
            .copied()
            .filter(|v| self.must_list(caller, *v) && !self.is_hidden(self.program.spec_var(*v).module, to))
            .collect();
        known.sort();
        let Some(first) = known.first() else { return };
        if !self.must_list(callee, *first) {
            let message = format!(
                "`{}` may change `{}` without saying so, and module `{}` knows that set",
                self.program.proc_name(callee),
                self.spec_var_name(*first),
                self.module_name(self.program.proc(caller).module)
            );
            let help =
                "a procedure that a scope exports need not list what is internal: call the internal module itself";
            self.error("silent-change", span, message, help);
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}
