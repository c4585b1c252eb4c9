//! What the modules declare: types, fields, variables, sets, procedures; and whether implementation and specification of a procedure
//! agree.
//!
//! A variable whose type is not known has the type [`Type::Nothing`], so that the mistake is reported once.

use super::resolver::{ModuleNames, ProcText, Resolver, builtin};
use super::sections::Naming;
use crate::program::{Contract, Field, FieldId, Global, GlobalId, Local, LocalId, Module, ModuleId, Proc};
use crate::program::{ProcId, SpecVar, SpecVarId, SpecVarKind, Type};
use crate::syntax::ast::{self, Ident, SpecVariableKind, TypeName};
use source::{Diagnostic, Span};
use std::rc::Rc;

impl<'a> Resolver<'a, '_> {
    pub(super) fn declare(&mut self) {
        for k in 0..self.units.len() {
            self.declare_module(ModuleId(k as u32));
        }
        for k in 0..self.units.len() {
            self.declare_types(k);
        }
        for k in 0..self.units.len() {
            self.declare_used(k);
        }
        for k in 0..self.units.len() {
            self.check_taken(k);
        }
        for k in 0..self.units.len() {
            let module = ModuleId(k as u32);
            self.declare_implementation(module);
            self.declare_specification(module);
            self.declare_procs(module);
        }
    }

    fn declare_module(&mut self, id: ModuleId) {
        let unit = &self.units[id.index()];
        let (implementation, specification) = (&unit.implementation, &unit.specification);
        let span = match (implementation, specification, &unit.abstraction) {
            (Some(s), _, _) => s.span,
            (_, Some(s), _) => s.span,
            (_, _, Some(s)) => s.span,
            _ => Span::default(),
        };
        let instance_of = implementation.as_ref().and_then(|s| s.instance_of);
        let instance_of = instance_of.or(specification.as_ref().and_then(|s| s.instance_of));
        self.modules.insert(unit.name, id);
        self.program.modules.push(Module {
            name: unit.name.to_string(),
            span,
            has_implementation: implementation.is_some(),
            has_specification: specification.is_some(),
            instance_of: instance_of.map(str::to_string),
            globals: Vec::new(),
            fields: Vec::new(),
            procs: Vec::new(),
            spec_vars: Vec::new(),
            plugins: Vec::new(),
        });
        self.names.push(ModuleNames::default());
    }

    fn declare_types(&mut self, k: usize) {
        let unit = &self.units[k];
        let mut names: Vec<(&'a Ident, Rc<Naming<'a>>)> = Vec::new();
        let mut seen = rustc_hash::FxHashMap::default();
        let mut twice = Vec::new();
        if let Some(section) = &unit.implementation {
            names.extend(section.members.formats.iter().map(|f| (&f.name, section.naming.clone())));
            twice.extend(
                section.members.formats.iter().filter_map(|f| Some((&f.name, seen.insert(&f.name.text, f.name.span)?))),
            );
            seen.clear();
        }
        if let Some(section) = &unit.specification {
            names.extend(section.members.formats.iter().map(|f| (f, section.naming.clone())));
            twice.extend(section.members.formats.iter().filter_map(|f| Some((f, seen.insert(&f.text, f.span)?))));
        }
        for (name, first) in twice {
            self.duplicate("format", name, first);
        }
        for (ident, naming) in names {
            let name = naming.types.get(ident.text.as_str()).copied().unwrap_or(&ident.text);
            if builtin(name).is_some() {
                let help = "int, bool, float, string, char and byte are types already";
                self.error("bad-format", ident.span, format!("`{name}` is not a name for a format"), help);
            } else if !self.types.contains_key(name) {
                self.add_type(name);
            }
        }
    }

    /// A type that a specification uses and nobody declares: the original has it all the same.
    fn declare_used(&mut self, k: usize) {
        let Some(section) = &self.units[k].specification else { return };
        let (members, naming) = (section.members, section.naming.clone());
        let mut used: Vec<&'a Ident> = section.taken.clone();
        for variable in &members.variables {
            match &variable.kind {
                SpecVariableKind::Set(Some(elements)) => used.push(elements),
                SpecVariableKind::Relation(elements) => used.extend(elements),
                _ => {}
            }
        }
        let formals = members.procs.iter().flat_map(|p| p.formals.iter().chain(&p.returns));
        used.extend(formals.map(|(_, ty)| &ty.name));
        for ident in used {
            let name = naming.types.get(ident.text.as_str()).copied().unwrap_or(&ident.text);
            if builtin(name).is_some() || self.library_type(name).is_some() || self.types.contains_key(name) {
                continue;
            }
            let otherwise = format!("declare it: `format {name};`");
            let help = self.suggest(name, self.types.keys().copied(), &otherwise);
            let message = format!("no format `{name}` is declared: it is a type without fields");
            self.diagnostics.push(Diagnostic::warning("unknown-type", ident.span, message).help(help));
            self.add_type(name);
        }
    }

    /// What an instance takes in place of a type is a type of objects.
    fn check_taken(&mut self, k: usize) {
        let unit = &self.units[k];
        let mut taken: Vec<&'a Ident> = Vec::new();
        taken.extend(unit.implementation.iter().flat_map(|s| &s.taken));
        taken.extend(unit.specification.iter().flat_map(|s| &s.taken));
        taken.extend(unit.abstraction.iter().flat_map(|s| &s.taken));
        for name in taken {
            self.object_type(&Naming::default(), name);
        }
    }

    fn declare_implementation(&mut self, module: ModuleId) {
        let Some(section) = &self.units[module.index()].implementation else { return };
        let (members, naming) = (section.members, section.naming.clone());
        for format in members.formats {
            let Some(object) = self.object_type(&naming, &format.name) else { continue };
            for (name, ty) in &format.fields {
                let ty = self.type_of(&naming, ty).unwrap_or(Type::Nothing);
                if let Some(first) = self.names[module.index()].fields.get(&(object, name.text.as_str())) {
                    let first = self.program.field(*first).span;
                    self.duplicate("field", name, first);
                    continue;
                }
                let id = FieldId(self.program.fields.len() as u32);
                self.names[module.index()].fields.insert((object, &name.text), id);
                self.program.fields.push(Field { module, object, name: name.text.clone(), ty, span: name.span });
                self.program.modules[module.index()].fields.push(id);
            }
        }
        for (name, ty) in members.references {
            let ty = self.type_of(&naming, ty).unwrap_or(Type::Nothing);
            if let Some(first) = self.names[module.index()].globals.get(name.text.as_str()) {
                let first = self.program.globals[first.index()].span;
                self.duplicate("variable", name, first);
                continue;
            }
            let id = GlobalId(self.program.globals.len() as u32);
            self.names[module.index()].globals.insert(&name.text, id);
            self.program.globals.push(Global { module, name: name.text.clone(), ty, span: name.span });
            self.program.modules[module.index()].globals.push(id);
        }
    }

    fn declare_specification(&mut self, module: ModuleId) {
        let Some(section) = &self.units[module.index()].specification else { return };
        let (members, naming) = (section.members, section.naming.clone());
        for variable in &members.variables {
            let name = &variable.name;
            let kind = match &variable.kind {
                SpecVariableKind::Bool => SpecVarKind::Bool,
                SpecVariableKind::Set(None) => SpecVarKind::Set(None),
                SpecVariableKind::Set(Some(elements)) => SpecVarKind::Set(self.object_type(&naming, elements)),
                SpecVariableKind::Relation(elements) => {
                    for ty in elements {
                        self.object_type(&naming, ty);
                    }
                    SpecVarKind::Relation
                }
            };
            if let Some(first) = self.names[module.index()].spec_vars.get(name.text.as_str()) {
                let first = self.program.spec_var(*first).span;
                self.duplicate("set or Boolean", name, first);
                continue;
            }
            let id = SpecVarId(self.program.spec_vars.len() as u32);
            self.names[module.index()].spec_vars.insert(&name.text, id);
            self.program.spec_vars.push(SpecVar { module, name: name.text.clone(), kind, span: name.span });
            self.program.modules[module.index()].spec_vars.push(id);
        }
        for predicate in &members.predicates {
            match self.names[module.index()].predicates.get(predicate.name.text.as_str()) {
                Some(first) => {
                    let first = first.name.span;
                    self.duplicate("predicate", &predicate.name, first);
                }
                None => {
                    self.names[module.index()].predicates.insert(&predicate.name.text, predicate);
                }
            }
        }
    }

    /// Those of the implementation in its order, then those that only the specification has.
    fn declare_procs(&mut self, module: ModuleId) {
        let unit = &self.units[module.index()];
        let code = unit.implementation.as_ref().map(|s| (s.members.procs, s.naming.clone()));
        let specs = unit.specification.as_ref().map(|s| (s.members.procs.as_slice(), s.naming.clone()));
        let mut spec_ids: rustc_hash::FxHashMap<&'a str, &'a ast::ProcSpec> = Default::default();
        for spec in specs.iter().flat_map(|(procs, _)| *procs) {
            match spec_ids.get(spec.name.text.as_str()) {
                Some(first) => self.duplicate("specification of procedure", &spec.name, first.name.span),
                None => {
                    spec_ids.insert(&spec.name.text, spec);
                }
            }
        }
        if let Some((procs, naming)) = &code {
            for proc in *procs {
                if let Some(first) = self.names[module.index()].procs.get(proc.name.text.as_str()) {
                    let first = self.program.proc(*first).span;
                    self.duplicate("procedure", &proc.name, first);
                    continue;
                }
                let spec = spec_ids.get(proc.name.text.as_str()).copied();
                // The original takes one without a specification for private.
                let private = proc.private || spec.is_none() && specs.is_some();
                let header = Header { name: &proc.name, private, formals: &proc.formals, returns: &proc.returns };
                let id = self.declare_proc(module, header, naming, proc.span);
                self.texts.push(ProcText { implementation: Some(proc), specification: spec });
                match (spec, &specs) {
                    (Some(spec), Some((_, spec_naming))) => self.agree(id, spec, spec_naming),
                    (None, Some(_)) if !proc.private => {
                        let message = format!("procedure `{}` has no specification: it is private", proc.name.text);
                        let help = "add it to the specification of its module, or write `private`";
                        let problem = Diagnostic::warning("missing-specification", proc.name.span, message);
                        self.diagnostics.push(problem.help(help));
                    }
                    _ => {}
                }
            }
        }
        let Some((procs, naming)) = &specs else { return };
        for spec in *procs {
            if self.names[module.index()].procs.contains_key(spec.name.text.as_str()) {
                continue;
            }
            if code.is_some() {
                let message = format!("procedure `{}` has no implementation", spec.name.text);
                let help = "add it to the implementation of its module, or remove it here";
                self.error("missing-implementation", spec.name.span, message, help);
            }
            let header =
                Header { name: &spec.name, private: spec.private, formals: &spec.formals, returns: &spec.returns };
            self.declare_proc(module, header, naming, spec.span);
            self.texts.push(ProcText { implementation: None, specification: Some(spec) });
        }
    }

    fn declare_proc(&mut self, module: ModuleId, header: Header<'a>, naming: &Naming, span: Span) -> ProcId {
        let id = ProcId(self.program.procs.len() as u32);
        let mut locals: Vec<Local> = Vec::new();
        for (name, ty) in header.formals.iter().chain(header.returns) {
            if let Some(first) = locals.iter().find(|l| l.name == name.text) {
                let first = first.span;
                self.duplicate("formal", name, first);
            }
            let ty = self.type_of(naming, ty).unwrap_or(Type::Nothing);
            locals.push(Local { name: name.text.clone(), ty, span: name.span });
        }
        let formals = header.formals.len() as u32;
        self.names[module.index()].procs.insert(&header.name.text, id);
        self.program.modules[module.index()].procs.push(id);
        self.program.procs.push(Proc {
            module,
            name: header.name.text.clone(),
            span: header.name.span,
            private: header.private,
            formals,
            result: header.returns.as_ref().map(|_| LocalId(formals)),
            locals,
            contract: Contract { span: header.name.span, ..Contract::default() },
            body: None,
            end: Span { start: span.end.saturating_sub(1), ..span },
            hoisted: Vec::new(),
        });
        self.calls.push(Vec::new());
        id
    }

    /// The specification has the same formals and result as the implementation.
    fn agree(&mut self, id: ProcId, spec: &ast::ProcSpec, naming: &Naming) {
        let proc = &self.program.procs[id.index()];
        let (private, formals, span) = (proc.private, proc.formals as usize, proc.span);
        let locals = proc.locals.clone();
        let mut problem = None;
        if private != spec.private {
            let is = |private| if private { "private" } else { "public" };
            problem =
                Some(format!("the procedure is {} here and {} in its specification", is(private), is(spec.private)));
        }
        if formals != spec.formals.len() {
            problem = Some(format!(
                "the procedure has {} here and {} in its specification",
                count(formals),
                spec.formals.len()
            ));
        } else if spec.returns.is_some() != (locals.len() > formals) {
            problem = Some("of implementation and specification, one has a result and the other has none".to_string());
        } else {
            for (local, (name, ty)) in locals.iter().zip(spec.formals.iter().chain(&spec.returns)) {
                let Some(ty) = self.type_of(naming, ty) else { continue };
                if local.name != name.text {
                    problem = Some(format!("`{}` is called `{}` in the specification", local.name, name.text));
                } else if local.ty != ty && local.ty != Type::Nothing {
                    let (here, there) = (self.type_text(&local.ty), self.type_text(&ty));
                    problem = Some(format!("`{}` has type {here} here and {there} in the specification", local.name));
                }
            }
        }
        if let Some(problem) = problem {
            let message = format!("procedure `{}` does not agree with its specification: {problem}", spec.name.text);
            self.diagnostics.push(
                Diagnostic::error("specification-mismatch", span, message)
                    .related(spec.name.span, "the specification")
                    .help("write the same formals, types and result in both"),
            );
        }
    }
}

/// What implementation and specification of a procedure have in common.
struct Header<'a> {
    name: &'a Ident,
    private: bool,
    formals: &'a [(Ident, TypeName)],
    returns: &'a Option<(Ident, TypeName)>,
}

fn count(formals: usize) -> String {
    if formals == 1 { "1 formal".to_string() } else { format!("{formals} formals") }
}
