//! Abstractions: which plugin checks which procedures, and what the sets of a module are (docs/hob.md, "Abstraction").
//!
//! Checked: every set of the specification is defined once, over fields of the module itself; derived sets are not cyclic; a new
//! object is in no named set. Modules of plugins that are not ours are trusted, and that is reported.

use super::foreign::Language;
use super::resolver::Resolver;
use super::sections::Naming;
use crate::program::{
    Checker, Definition, HeapInvariant, ModuleId, PluginUse, ProcId, SetDefinition, SpecVarId, SpecVarKind, Type,
};
use crate::syntax::ast::{self, Ident};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};
use std::rc::Rc;

/// What the predicates of a plugin may say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plugin {
    Flags,
    Bounded,
    /// Of another plugin whose language we read.
    Language(Language),
    /// Of somebody else.
    Unknown,
}

impl Plugin {
    pub(super) fn of(name: &str) -> Plugin {
        match name {
            // The original spells it in several ways.
            "flags" | "flag" => Plugin::Flags,
            "bounded" => Plugin::Bounded,
            _ => Language::of(name).map_or(Plugin::Unknown, Plugin::Language),
        }
    }
}

impl<'a> Resolver<'a, '_> {
    pub(super) fn abstractions(&mut self) {
        for k in 0..self.units.len() {
            let module = ModuleId(k as u32);
            let Some(section) = &self.units[k].abstraction else { continue };
            if self.units[k].is_trusted {
                continue;
            }
            let (plugins, naming, span) = (section.members, section.naming.clone(), section.span);
            let missing = match (&self.units[k].implementation, &self.units[k].specification) {
                (None, _) => "implementation",
                (_, None) => "specification",
                _ => {
                    self.abstraction(module, plugins, &naming, span);
                    continue;
                }
            };
            let message = format!("module `{}` has an abstraction, but no {missing}", self.units[k].name);
            let help = "load all files of the module: `.fl`, `.sl` and `.al`";
            self.error("missing-section", span, message, help);
        }
    }

    fn abstraction(&mut self, module: ModuleId, uses: &'a [ast::PluginUse], naming: &Rc<Naming<'a>>, span: Span) {
        if uses.is_empty() {
            let help = "write `use plugin \"flags\";`";
            return self.error("missing-plugin", span, "this abstraction uses no plugin", help);
        }
        let mut defined: FxHashMap<SpecVarId, Span> = FxHashMap::default();
        for plugin in uses {
            let resolved = self.plugin_use(module, plugin, naming, &mut defined);
            self.program.modules[module.index()].plugins.push(resolved);
        }
        self.partition(module, uses);
        self.check_cycles(module);
        self.check_stationarity(module);
        let is_open = |u: &PluginUse| matches!(u.checker, Checker::Nobody(_));
        if self.program.module(module).plugins.iter().any(is_open) {
            return;
        }
        for variable in self.program.module(module).spec_vars.clone() {
            if defined.contains_key(&variable) {
                continue;
            }
            let declared = self.program.spec_var(variable);
            let (name, at) = (declared.name.clone(), declared.span);
            let (message, help) = match declared.kind {
                SpecVarKind::Relation => continue,
                SpecVarKind::Set(_) => (
                    format!("the abstraction does not define the set `{name}`"),
                    format!("add `{name} = {{ x : T | \"x.f = 1\" }};`, or remove it from the specification"),
                ),
                SpecVarKind::Bool => (
                    format!("the abstraction does not say what the Boolean `{name}` is"),
                    format!("add `predvar {name};` for the module's variable of that name"),
                ),
            };
            let message = format!("{message}: nothing is known of it, and nothing changes it");
            let problem = Diagnostic::warning("undefined-set", span, message).related(at, "it is declared here");
            self.diagnostics.push(problem.help(help));
        }
    }

    fn plugin_use(
        &mut self,
        module: ModuleId,
        plugin: &'a ast::PluginUse,
        naming: &Rc<Naming<'a>>,
        defined: &mut FxHashMap<SpecVarId, Span>,
    ) -> PluginUse {
        let kind = Plugin::of(&plugin.plugin.text);
        let name = if kind == Plugin::Flags { "flags" } else { &plugin.plugin.text };
        let mut resolved = PluginUse {
            plugin: name.to_string(),
            span: plugin.span,
            sets: Vec::new(),
            predvars: Vec::new(),
            invariants: Vec::new(),
            backbone: None,
            procs: Vec::new(),
            checker: match kind {
                Plugin::Flags => Checker::Flags,
                Plugin::Bounded | Plugin::Language(_) => Checker::Bounded,
                Plugin::Unknown => Checker::Nobody(format!("there is no plugin \"{}\" here", plugin.plugin.text)),
            },
        };
        if let Plugin::Language(language) = kind {
            self.foreign_use(language, module, plugin, naming, defined, &mut resolved);
            return resolved;
        }
        if kind == Plugin::Unknown {
            let message =
                format!("there is no plugin \"{}\" here: what it should check is trusted", plugin.plugin.text);
            let help =
                "plugins are \"flags\" and \"bounded\"; \"PALE\", \"Bohne\" and \"vcgen\" are read as \"bounded\"";
            let problem = Diagnostic::warning("unknown-plugin", plugin.plugin.span, message);
            self.diagnostics.push(problem.help(help));
            return resolved;
        }
        self.check_formats(module, plugin, naming);
        for (name, definition) in &plugin.sets {
            let Some(variable) = self.defined_variable(module, name, false, defined) else { continue };
            let Some(definition) = self.definition(module, (kind, &[]), naming, definition) else { continue };
            self.check_elements(variable, &definition, name);
            resolved.sets.push(SetDefinition { variable, definition, span: name.span });
        }
        self.predvars(module, plugin, defined, &mut resolved);
        if kind == Plugin::Flags
            && let Some(invariant) = plugin.invariants.first()
        {
            let message = "the flag plugin does not know invariants of the representation: this one is left out";
            let help =
                "write it in the specification, over sets: `invariant disjoint(A, B);`; or use plugin \"bounded\"";
            self.diagnostics.push(Diagnostic::warning("misplaced-invariant", invariant.span, message).help(help));
        } else {
            for quoted in &plugin.invariants {
                if let Some(formula) = self.heap_formula(module, naming, quoted, None) {
                    resolved.invariants.push(HeapInvariant { formula, span: quoted.span });
                }
            }
        }
        resolved
    }

    fn predvars(
        &mut self,
        module: ModuleId,
        plugin: &'a ast::PluginUse,
        defined: &mut FxHashMap<SpecVarId, Span>,
        resolved: &mut PluginUse,
    ) {
        for name in &plugin.predvars {
            let Some(variable) = self.defined_variable(module, name, true, defined) else { continue };
            let global = self.names[module.index()].globals.get(name.text.as_str()).copied();
            let ty = global.map(|g| self.program.globals[g.index()].ty.clone());
            match (global, ty) {
                (Some(global), Some(Type::Bool)) => resolved.predvars.push((variable, global)),
                (_, Some(Type::Nothing)) => {}
                (_, ty) => {
                    let message = match ty {
                        Some(ty) => format!("the variable `{}` has type {}, not bool", name.text, self.type_text(&ty)),
                        None => format!("the module has no variable `{}`", name.text),
                    };
                    let help = format!("add `reference {} : bool;` to the implementation", name.text);
                    let message = format!("{message}: nothing is known of it, and nothing changes it");
                    self.diagnostics.push(Diagnostic::warning("bad-predvar", name.span, message).help(help));
                }
            }
        }
    }

    /// A section of another plugin: all of it is read, or it is trusted.
    fn foreign_use(
        &mut self,
        language: Language,
        module: ModuleId,
        plugin: &'a ast::PluginUse,
        naming: &Rc<Naming<'a>>,
        defined: &mut FxHashMap<SpecVarId, Span>,
        resolved: &mut PluginUse,
    ) {
        let mut unread = plugin.unread.clone();
        self.predvars(module, plugin, defined, resolved);
        for (name, definition) in &plugin.sets {
            let Some(variable) = self.defined_variable(module, name, false, defined) else { continue };
            match self.definition(module, (Plugin::Language(language), &plugin.invariants), naming, definition) {
                Some(definition) => {
                    self.check_elements(variable, &definition, name);
                    resolved.sets.push(SetDefinition { variable, definition, span: name.span });
                }
                None => unread = unread.or(Some((name.span, self.unread.take()))),
            }
        }
        match self.foreign_invariants(language, module, naming, &plugin.invariants) {
            Some((invariants, backbone)) => {
                resolved.invariants = invariants;
                resolved.backbone = backbone;
            }
            None => unread = unread.or(plugin.invariants.first().map(|i| (i.span, self.unread.take()))),
        }
        if let Some((whole, reason)) = unread {
            let (span, because) = super::foreign::told(reason, whole);
            let plugin = &plugin.plugin.text;
            let message = format!("this part of the abstraction for \"{plugin}\" is not read{because}");
            let help = "what it should check is trusted: write it for the plugin \"bounded\" to have it checked";
            self.diagnostics.push(Diagnostic::warning("unread-abstraction", span, message).help(help));
            let why = format!("its abstraction for \"{plugin}\" is not read{because}");
            resolved.checker = Checker::Nobody(why);
            resolved.sets.clear();
            resolved.invariants.clear();
            resolved.backbone = None;
        }
    }

    /// `format T { f : int; }` in a section says which fields are its own: they must be there.
    fn check_formats(&mut self, module: ModuleId, plugin: &'a ast::PluginUse, naming: &Naming<'a>) {
        for format in &plugin.formats {
            let Some(object) = self.object_type(naming, &format.name) else { continue };
            for (field, _) in &format.fields {
                if self.names[module.index()].fields.contains_key(&(object, field.text.as_str())) {
                    continue;
                }
                let message = format!("the implementation gives `{}` no field `{}`", format.name.text, field.text);
                let problem = Diagnostic::warning("unknown-field", field.span, message);
                self.diagnostics.push(problem.help("declare it there, or remove it here"));
            }
        }
    }

    /// The plugin that checks a procedure, by what is written.
    pub(super) fn plugin_of(&self, module: ModuleId, proc: &str) -> Option<&'a ast::PluginUse> {
        let uses = self.units[module.index()].abstraction.as_ref()?.members;
        let lists = |u: &&ast::PluginUse| u.procs.iter().flatten().any(|p| p.text == proc);
        uses.iter().find(lists).or(uses.iter().find(|u| u.procs.is_none()))
    }

    /// The set or Boolean of the specification that is defined here, for the first time.
    fn defined_variable(
        &mut self,
        module: ModuleId,
        name: &Ident,
        is_bool: bool,
        defined: &mut FxHashMap<SpecVarId, Span>,
    ) -> Option<SpecVarId> {
        let variable = self.set_called(module, name)?;
        if (self.program.spec_var(variable).kind == SpecVarKind::Bool) != is_bool {
            let (message, help) = if is_bool {
                (format!("`{}` is a set", name.text), "`predvar` is for Booleans; define a set by `S = …;`")
            } else {
                (format!("`{}` is a Boolean", name.text), "only sets are defined by `=`; write `predvar b;`")
            };
            self.error("type-mismatch", name.span, message, help);
            return None;
        }
        if let Some(first) = defined.insert(variable, name.span) {
            self.duplicate("definition of", name, first);
            return None;
        }
        Some(variable)
    }

    fn set_called(&mut self, module: ModuleId, name: &Ident) -> Option<SpecVarId> {
        let found = self.names[module.index()].spec_vars.get(name.text.as_str()).copied();
        if found.is_none() {
            let message = format!("the specification declares no set or Boolean `{}`", name.text);
            let known = self.names[module.index()].spec_vars.keys().copied();
            let help = self.suggest(&name.text, known, "declare it there: `specvar S : T set;`");
            self.error("unknown-name", name.span, message, help);
        }
        found
    }

    fn definition(
        &mut self,
        module: ModuleId,
        (plugin, shape): (Plugin, &[ast::Quoted]),
        naming: &Rc<Naming<'a>>,
        definition: &'a ast::SetDefinition,
    ) -> Option<Definition> {
        match definition {
            ast::SetDefinition::Union(left, right) | ast::SetDefinition::Intersection(left, right) => {
                let left = self.definition(module, (plugin, shape), naming, left);
                let right = self.definition(module, (plugin, shape), naming, right);
                let (left, right) = (Box::new(left?), Box::new(right?));
                Some(match definition {
                    ast::SetDefinition::Union(..) => Definition::Union(left, right),
                    _ => Definition::Inter(left, right),
                })
            }
            ast::SetDefinition::Named(name) => {
                let variable = self.set_called(module, name)?;
                if self.program.spec_var(variable).kind == SpecVarKind::Bool {
                    let message = format!("`{}` is a Boolean, not a set", name.text);
                    self.error("type-mismatch", name.span, message, "sets are made of sets");
                    return None;
                }
                Some(Definition::Named(variable))
            }
            ast::SetDefinition::Comprehension { variable, elements, predicate } => {
                let object = self.object_type(naming, elements)?;
                match plugin {
                    Plugin::Flags => self.flag(module, naming, variable, object, predicate),
                    Plugin::Language(language) => {
                        let formula =
                            self.foreign_condition(language, module, naming, (shape, predicate), (variable, object))?;
                        Some(Definition::Heap { object, formula })
                    }
                    _ => {
                        let formula = self.heap_formula(module, naming, predicate, Some((variable, object)))?;
                        Some(Definition::Heap { object, formula })
                    }
                }
            }
        }
    }

    /// The elements of a set that is defined by one condition have the type that the specification gives.
    fn check_elements(&mut self, variable: SpecVarId, definition: &Definition, name: &Ident) {
        let (Definition::Flag { object, .. } | Definition::Heap { object, .. }) = definition else { return };
        if let SpecVarKind::Set(Some(elements)) = self.program.spec_var(variable).kind
            && elements != *object
        {
            let (declared, defined) = (Type::Object(elements), Type::Object(*object));
            let message = format!(
                "`{}` is a set of {} here, but of {} in the specification",
                name.text,
                self.type_text(&defined),
                self.type_text(&declared)
            );
            self.error("type-mismatch", name.span, message, "write the same type in both");
        }
    }

    /// Each procedure is checked by one plugin.
    fn partition(&mut self, module: ModuleId, uses: &'a [ast::PluginUse]) {
        let all: Vec<ProcId> = self.program.module(module).procs.clone();
        if let [only] = uses
            && only.procs.is_none()
        {
            self.program.modules[module.index()].plugins[0].procs = all;
            return;
        }
        let mut listed: FxHashMap<ProcId, Span> = FxHashMap::default();
        for (k, plugin) in uses.iter().enumerate() {
            let Some(procs) = &plugin.procs else {
                let help = "write `use plugin \"…\" for { … procs p, q; }` for each of them";
                let message = "of several plugins, each says which procedures it checks";
                self.error("bad-partition", plugin.span, message, help);
                return;
            };
            for name in procs {
                let Some(id) = self.names[module.index()].procs.get(name.text.as_str()).copied() else {
                    let message = format!("the module has no procedure `{}`", name.text);
                    let known = self.names[module.index()].procs.keys().copied();
                    let help = self.suggest(&name.text, known, "list the procedures of this module");
                    self.error("unknown-procedure", name.span, message, help);
                    continue;
                };
                match listed.insert(id, name.span) {
                    Some(first) => self.duplicate("plugin for procedure", name, first),
                    None => self.program.modules[module.index()].plugins[k].procs.push(id),
                }
            }
        }
        // Without code there is nothing to check: where it is missing, that is said.
        for id in all.into_iter().filter(|id| self.texts[id.index()].implementation.is_some()) {
            if !listed.contains_key(&id) {
                let proc = self.program.proc(id);
                let message = format!("no plugin checks procedure `{}`", proc.name);
                let (span, at) = (proc.span, uses[0].span);
                let problem = Diagnostic::error("bad-partition", at, message).related(span, "it is declared here");
                self.diagnostics.push(problem.help("add it to the `procs` of one of the plugins"));
            }
        }
    }
}
