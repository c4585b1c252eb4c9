//! Which texts make up a module, with instances expanded (docs/hob.md, "Instances").
//!
//! An instance is the text of its original under another [`Naming`]: some types have other names, and the original's name means the
//! instance. Nothing is copied, so the spans of an instance lie in the original's text.

use crate::syntax::ast::{AbstBody, AbstModule, Files, Format, Ident, ImplBody, ImplModule, Instance, PluginUse, Proc};
use crate::syntax::ast::{SpecBody, SpecMembers, SpecModule, SpecVariableKind, TypeName};
use rustc_hash::{FxHashMap, FxHashSet};
use source::suggestion;
use source::{Diagnostic, Span};
use std::rc::Rc;

/// What names mean in a section.
#[derive(Clone, Debug, Default)]
pub(super) struct Naming<'a> {
    /// Types that are replaced.
    pub types: FxHashMap<&'a str, &'a str>,
    /// The module whose text it is.
    pub origin: &'a str,
}

#[derive(Clone, Debug)]
pub(super) struct Section<'a, M> {
    pub members: M,
    pub naming: Rc<Naming<'a>>,
    /// Of the module's name.
    pub span: Span,
    pub instance_of: Option<&'a str>,
    /// The types that are taken in place of others, as they are written.
    pub taken: Vec<&'a Ident>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ImplMembers<'a> {
    pub formats: &'a [Format],
    pub references: &'a [(Ident, TypeName)],
    pub procs: &'a [Proc],
}

/// The sections of one module.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit<'a> {
    pub name: &'a str,
    pub implementation: Option<Section<'a, ImplMembers<'a>>>,
    pub specification: Option<Section<'a, &'a SpecMembers>>,
    pub abstraction: Option<Section<'a, &'a [PluginUse]>>,
    /// An instance of a module whose code is not given: it has a specification, and is trusted.
    pub is_trusted: bool,
}

/// What the three kinds of sections have in common.
trait Declared {
    type Members<'a>: Copy
    where
        Self: 'a;
    const KIND: &'static str;
    fn name(&self) -> &Ident;
    /// The types that are named outside of procedures' bodies; None if they are not known.
    fn types(&self) -> Option<Vec<&str>>;
    fn body(&self) -> Result<Self::Members<'_>, &Instance>;
}

impl Declared for ImplModule {
    type Members<'a> = ImplMembers<'a>;
    const KIND: &'static str = "implementation";
    fn name(&self) -> &Ident {
        &self.name
    }
    fn types(&self) -> Option<Vec<&str>> {
        let ImplBody::Members { formats, references, procs } = &self.body else { return None };
        let mut types: Vec<&str> = formats.iter().map(|f| f.name.text.as_str()).collect();
        let fields = formats.iter().flat_map(|f| &f.fields).chain(references);
        let formals = procs.iter().flat_map(|p| p.formals.iter().chain(&p.returns));
        types.extend(fields.chain(formals).map(|(_, ty)| ty.name.text.as_str()));
        Some(types)
    }
    fn body(&self) -> Result<ImplMembers<'_>, &Instance> {
        match &self.body {
            ImplBody::Members { formats, references, procs } => Ok(ImplMembers { formats, references, procs }),
            ImplBody::Instance(instance) => Err(instance),
        }
    }
}

impl Declared for SpecModule {
    type Members<'a> = &'a SpecMembers;
    const KIND: &'static str = "specification";
    fn name(&self) -> &Ident {
        &self.name
    }
    fn types(&self) -> Option<Vec<&str>> {
        let SpecBody::Members(members) = &self.body else { return None };
        let mut types: Vec<&str> = members.formats.iter().map(|f| f.text.as_str()).collect();
        for variable in &members.variables {
            match &variable.kind {
                SpecVariableKind::Set(Some(elements)) => types.push(&elements.text),
                SpecVariableKind::Relation(elements) => types.extend(elements.iter().map(|e| e.text.as_str())),
                _ => {}
            }
        }
        let formals = members.procs.iter().flat_map(|p| p.formals.iter().chain(&p.returns));
        types.extend(formals.map(|(_, ty)| ty.name.text.as_str()));
        Some(types)
    }
    fn body(&self) -> Result<&SpecMembers, &Instance> {
        match &self.body {
            SpecBody::Members(members) => Ok(members),
            SpecBody::Instance(instance) => Err(instance),
        }
    }
}

impl Declared for AbstModule {
    type Members<'a> = &'a [PluginUse];
    const KIND: &'static str = "abstraction";
    fn name(&self) -> &Ident {
        &self.name
    }
    fn types(&self) -> Option<Vec<&str>> {
        None
    }
    fn body(&self) -> Result<&[PluginUse], &Instance> {
        match &self.body {
            AbstBody::Plugins(plugins) => Ok(plugins),
            AbstBody::Instance(instance) => Err(instance),
        }
    }
}

/// The modules in the order of their implementations, then those that have none; sections that cannot be found are reported.
pub(super) fn units<'a>(files: &'a Files, diagnostics: &mut Vec<Diagnostic>) -> Vec<Unit<'a>> {
    let mut units: Vec<Unit> = Vec::new();
    let mut ids: FxHashMap<&str, usize> = FxHashMap::default();
    let mut unit_of = |name: &'a str, units: &mut Vec<Unit<'a>>| {
        *ids.entry(name).or_insert_with(|| {
            units.push(Unit { name, ..Unit::default() });
            units.len() - 1
        })
    };
    let trusted = trusted_instances(files);
    for name in &trusted {
        let k = unit_of(name, &mut units);
        units[k].is_trusted = true;
    }
    for (name, section) in sections(&files.impls, &trusted, diagnostics) {
        let k = unit_of(name, &mut units);
        units[k].implementation = Some(section);
    }
    for (name, section) in sections(&files.specs, &FxHashSet::default(), diagnostics) {
        let k = unit_of(name, &mut units);
        units[k].specification = Some(section);
    }
    for module in files.impls.iter().filter(|m| trusted.contains(m.name.text.as_str())) {
        let k = unit_of(&module.name.text, &mut units);
        if units[k].specification.is_none()
            && let ImplBody::Instance(instance) = &module.body
        {
            let original = unit_of(&instance.of.text, &mut units);
            units[k].specification =
                units[original].specification.clone().map(|section| section.instance(module, instance));
        }
    }
    for (name, section) in sections(&files.abstractions, &trusted, diagnostics) {
        let k = unit_of(name, &mut units);
        units[k].abstraction = Some(section);
    }
    units
}

/// Instances of modules whose code is in none of the files, but whose specification is.
fn trusted_instances(files: &Files) -> FxHashSet<&str> {
    let has_code = |name: &str| files.impls.iter().any(|m| m.name.text == name);
    let has_spec = |name: &str| files.specs.iter().any(|m| m.name.text == name);
    let instances = files.impls.iter().filter_map(|m| match &m.body {
        ImplBody::Instance(instance) => Some((m.name.text.as_str(), instance.of.text.as_str())),
        ImplBody::Members { .. } => None,
    });
    instances.filter(|(name, of)| !has_code(of) && (has_spec(name) || has_spec(of))).map(|(name, _)| name).collect()
}

impl<'a> Section<'a, &'a SpecMembers> {
    /// The same section for an instance that has no specification of its own.
    fn instance(self, module: &'a ImplModule, instance: &'a Instance) -> Section<'a, &'a SpecMembers> {
        let mut naming = (*self.naming).clone();
        for (from, to) in &instance.with {
            naming.types.insert(&from.text, &to.text);
        }
        let taken = instance.with.iter().map(|(_, to)| to).collect();
        let instance_of = Some(instance.of.text.as_str());
        Section { members: self.members, naming: Rc::new(naming), span: module.name.span, instance_of, taken }
    }
}

fn sections<'a, D: Declared>(
    all: &'a [D],
    trusted: &FxHashSet<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(&'a str, Section<'a, D::Members<'a>>)> {
    let mut by_name: FxHashMap<&str, &D> = FxHashMap::default();
    let mut found = Vec::new();
    let mut firsts = Vec::new();
    for declared in all {
        let name = declared.name();
        match by_name.get(name.text.as_str()) {
            Some(first) => {
                let message = format!("a second {} of module `{}`", D::KIND, name.text);
                diagnostics.push(
                    Diagnostic::error("duplicate-name", name.span, message)
                        .related(first.name().span, "the first one")
                        .help("give one of them another name, or leave out one of the files"),
                );
            }
            None => {
                by_name.insert(&name.text, declared);
                firsts.push(declared);
            }
        }
    }
    for declared in firsts {
        if trusted.contains(declared.name().text.as_str()) && declared.body().is_err() {
            continue;
        }
        if let Some(section) = expanded(declared, &by_name, diagnostics) {
            found.push((declared.name().text.as_str(), section));
        }
    }
    found
}

fn expanded<'a, D: Declared>(
    declared: &'a D,
    by_name: &FxHashMap<&'a str, &'a D>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Section<'a, D::Members<'a>>> {
    let mut naming = Naming::default();
    let (mut at, mut instance_of) = (declared, None);
    let mut taken = Vec::new();
    let mut steps = 0;
    loop {
        let instance = match at.body() {
            Ok(members) => {
                naming.origin = &at.name().text;
                let span = declared.name().span;
                return Some(Section { members, naming: Rc::new(naming), span, instance_of, taken });
            }
            Err(instance) => instance,
        };
        instance_of.get_or_insert(instance.of.text.as_str());
        taken.extend(instance.with.iter().map(|(_, to)| to));
        // From the inside out: what the inner instance takes, the outer one may replace.
        let mut types = naming.types.clone();
        for (from, to) in &instance.with {
            let to = naming.types.get(to.text.as_str()).copied().unwrap_or(&to.text);
            types.insert(&from.text, to);
        }
        naming.types = types;
        steps += 1;
        if steps > by_name.len() {
            let message = format!("module `{}` is an instance of itself", declared.name().text);
            let problem = Diagnostic::error("cyclic-instance", declared.name().span, message);
            diagnostics.push(problem.help("an instance is made of a module that has members"));
            return None;
        }
        let Some(next) = by_name.get(instance.of.text.as_str()) else {
            let message = format!("there is no {} of module `{}`", D::KIND, instance.of.text);
            let help = suggestion(
                &instance.of.text,
                by_name.keys().copied(),
                "load the file that declares it, or write the members out",
            );
            diagnostics.push(Diagnostic::error("unknown-module", instance.of.span, message).help(help));
            return None;
        };
        at = next;
        if let Some(types) = at.types() {
            check_replaced(instance, &types, diagnostics);
        }
    }
}

/// A type to replace that does not occur is a slip.
fn check_replaced(instance: &Instance, types: &[&str], diagnostics: &mut Vec<Diagnostic>) {
    for (from, _) in &instance.with {
        if !types.contains(&from.text.as_str()) {
            let message = format!("module `{}` has no type `{}` to replace", instance.of.text, from.text);
            let mut known = types.to_vec();
            known.sort_unstable();
            known.dedup();
            known.retain(|t| super::resolver::builtin(t).is_none());
            let help = suggestion(&from.text, known.into_iter(), "remove it here, or name a type of that module");
            diagnostics.push(Diagnostic::warning("unused-type", from.span, message).help(help));
        }
    }
}
