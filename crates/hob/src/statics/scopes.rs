//! Scopes and their invariants (docs/hob.md, "Scopes and invariants"): which modules they hold and export, and the checks that need no
//! proof.

use super::copies::mentioned;
use super::formulas::{Place, Purpose};
use super::resolver::{Resolver, ScopeMembers};
use super::sections::Naming;
use crate::program::{Invariant, ModuleId, Scope, ScopeId};
use crate::syntax::ast;
use rustc_hash::FxHashMap;

impl<'a> Resolver<'a, '_> {
    /// Their members; formulas need these to know what is hidden.
    pub(super) fn declare_scopes(&mut self) {
        self.scopes_of = vec![Vec::new(); self.units.len()];
        let mut names: FxHashMap<&str, source::Span> = FxHashMap::default();
        for scope in &self.files.scopes {
            if let Some(first) = names.insert(&scope.name.text, scope.name.span) {
                self.duplicate("scope", &scope.name, first);
            }
            let id = ScopeId(self.program.scopes.len() as u32);
            let modules = self.modules_of(&scope.modules);
            let exports = self.modules_of(&scope.exports);
            for (ident, module) in scope.exports.iter().zip(&exports) {
                let Some(module) = module else { continue };
                if !modules.contains(&Some(*module)) {
                    let message =
                        format!("scope `{}` exports module `{}`, which is not in it", scope.name.text, ident.text);
                    self.error("bad-scope", ident.span, message, "add it to the `modules` of the scope");
                }
                if let Some(original) = &self.program.module(*module).instance_of {
                    let message =
                        format!("scope `{}` exports `{}`, an instance of `{original}`", scope.name.text, ident.text);
                    let help = "an instance in a scope is private to it: remove it from the `exports`";
                    self.error("bad-scope", ident.span, message, help);
                }
            }
            let modules: Vec<ModuleId> = modules.into_iter().flatten().collect();
            let exports: Vec<ModuleId> = exports.into_iter().flatten().collect();
            for module in &modules {
                self.scopes_of[module.index()].push(id);
            }
            self.members.push(ScopeMembers {
                modules: modules.iter().copied().collect(),
                exports: exports.iter().copied().collect(),
            });
            self.program.scopes.push(Scope {
                name: scope.name.text.clone(),
                implicit: false,
                modules,
                exports,
                invariants: Vec::new(),
                span: scope.name.span,
            });
        }
    }

    fn modules_of(&mut self, names: &[ast::Ident]) -> Vec<Option<ModuleId>> {
        let mut seen = FxHashMap::default();
        let mut found = Vec::new();
        for name in names {
            if let Some(first) = seen.insert(name.text.as_str(), name.span) {
                self.duplicate("module in the list", name, first);
                found.push(None);
                continue;
            }
            found.push(self.module(None, &Naming::default(), name));
        }
        found
    }

    /// Of scopes, then of modules: each module with invariants is a scope of itself.
    pub(super) fn invariants(&mut self) {
        let none = Naming::default();
        for (k, scope) in self.files.scopes.iter().enumerate() {
            let among = self.program.scopes[k].modules.clone();
            for invariant in &scope.invariants {
                if let Some(resolved) = self.invariant(invariant, None, &none, &among) {
                    self.program.scopes[k].invariants.push(resolved);
                }
            }
        }
        for k in 0..self.units.len() {
            let module = ModuleId(k as u32);
            let Some(section) = &self.units[k].specification else { continue };
            let (members, naming) = (section.members, section.naming.clone());
            let invariants: Vec<Invariant> =
                members.invariants.iter().filter_map(|i| self.invariant(i, Some(module), &naming, &[module])).collect();
            if !invariants.is_empty() {
                let (name, span) = (self.program.modules[k].name.clone(), self.program.modules[k].span);
                self.program.scopes.push(Scope {
                    name,
                    implicit: true,
                    modules: vec![module],
                    exports: vec![module],
                    invariants,
                    span,
                });
            }
        }
    }

    fn invariant(
        &mut self,
        invariant: &ast::Invariant,
        module: Option<ModuleId>,
        naming: &Naming<'a>,
        among: &[ModuleId],
    ) -> Option<Invariant> {
        let place = Place {
            module,
            naming,
            among,
            locals: &|_| None,
            local_names: &Vec::new,
            purpose: Purpose::State,
            clause: None,
        };
        let formula = self.formula(&invariant.formula, &place)?;
        for (variable, span) in mentioned(&formula) {
            if !among.contains(&self.program.spec_var(variable).module) {
                let message =
                    format!("this invariant speaks of `{}`, which is of another module", self.spec_var_name(variable));
                let help = "others may change it at any time: put both modules into a scope and the invariant there";
                self.error("foreign-invariant", span, message, help);
            }
        }
        Some(Invariant { public: invariant.public, formula, span: invariant.formula.span })
    }
}
