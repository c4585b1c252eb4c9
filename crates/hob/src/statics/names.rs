//! Which set or Boolean a name of a specification is.

use super::resolver::Resolver;
use super::sections::Naming;
use crate::program::{ModuleId, SpecVarId};
use crate::syntax::ast::Name;

impl<'a> Resolver<'a, '_> {
    /// `S` of the module itself, or of the only one of `among` that has it; or `M.S` if no scope hides M.
    pub(super) fn spec_var(
        &mut self,
        name: &Name,
        module: Option<ModuleId>,
        naming: &Naming<'a>,
        among: &[ModuleId],
        locals: &dyn Fn() -> Vec<String>,
    ) -> Option<SpecVarId> {
        let text = name.name.text.as_str();
        let Some(qualifier) = &name.module else { return self.unqualified(name, module, among, locals) };
        let owner = self.module(module, naming, qualifier)?;
        let Some(found) = self.names[owner.index()].spec_vars.get(text).copied() else {
            let message = format!("module `{}` has no set or Boolean `{text}`", self.module_name(owner));
            let known = self.names[owner.index()].spec_vars.keys().copied();
            let help = self.suggest(text, known, "declare it there: `specvar S : T set;`");
            self.error("unknown-name", name.name.span, message, help);
            return None;
        };
        if let Some(viewer) = module
            && self.is_hidden(owner, viewer)
        {
            let (owner, viewer) = (self.module_name(owner), self.module_name(viewer));
            let message = format!("`{owner}.{text}` is hidden from module `{viewer}` by a scope");
            let help = format!("let the scope export `{owner}`, or add `{viewer}` to the scope");
            self.error("hidden-name", name.name.span, message, help);
            return None;
        }
        Some(found)
    }

    fn unqualified(
        &mut self,
        name: &Name,
        module: Option<ModuleId>,
        among: &[ModuleId],
        locals: &dyn Fn() -> Vec<String>,
    ) -> Option<SpecVarId> {
        let text = name.name.text.as_str();
        if let Some(found) = module.and_then(|m| self.names[m.index()].spec_vars.get(text)) {
            return Some(*found);
        }
        let found: Vec<(ModuleId, SpecVarId)> =
            among.iter().filter_map(|m| self.names[m.index()].spec_vars.get(text).map(|v| (*m, *v))).collect();
        if let [(_, only)] = found[..] {
            return Some(only);
        }
        if let [(first, _), (second, _), ..] = found[..] {
            let (first, second) = (self.module_name(first), self.module_name(second));
            let message = format!("`{text}` may be of module `{first}` or of `{second}`");
            let help = format!("write `{first}.{text}` or `{second}.{text}`");
            self.error("ambiguous-name", name.name.span, message, help);
            return None;
        }
        let elsewhere = self.names.iter().position(|n| n.spec_vars.contains_key(text));
        let help = match elsewhere {
            Some(k) => format!("write `{}.{text}`", self.program.modules[k].name),
            None => {
                let own = module.into_iter().flat_map(|m| self.names[m.index()].spec_vars.keys().copied());
                let locals = locals();
                let known = own.chain(locals.iter().map(String::as_str));
                self.suggest(text, known, "declare it: `specvar S : T set;`")
            }
        };
        self.error("unknown-name", name.name.span, format!("there is no set, Boolean or formal `{text}`"), help);
        None
    }
}
