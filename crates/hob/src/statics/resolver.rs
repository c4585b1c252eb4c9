//! The tables that all of the statics share, and looking names up in them.

use super::sections::{Naming, Unit};
use crate::intrinsics::Shape;
use crate::program::{FieldId, GlobalId, ModuleId, ObjectType, ProcId, Program, ScopeId, SpecVarId, Type, TypeId};
use crate::syntax::ast::{Files, Ident, Predicate, Proc, ProcSpec, TypeName};
use rustc_hash::{FxHashMap, FxHashSet};
use source::suggestion;
use source::{Diagnostic, Span};

/// What a module declares, by name.
#[derive(Default)]
pub(super) struct ModuleNames<'a> {
    pub globals: FxHashMap<&'a str, GlobalId>,
    pub fields: FxHashMap<(TypeId, &'a str), FieldId>,
    pub procs: FxHashMap<&'a str, ProcId>,
    pub spec_vars: FxHashMap<&'a str, SpecVarId>,
    pub predicates: FxHashMap<&'a str, &'a Predicate>,
}

/// Where a procedure is written.
#[derive(Clone, Copy, Default)]
pub(super) struct ProcText<'a> {
    pub implementation: Option<&'a Proc>,
    pub specification: Option<&'a ProcSpec>,
}

/// Of a scope that is written as one.
#[derive(Default)]
pub(super) struct ScopeMembers {
    pub modules: FxHashSet<ModuleId>,
    pub exports: FxHashSet<ModuleId>,
}

pub(super) struct Resolver<'a, 'd> {
    pub files: &'a Files,
    /// By module.
    pub units: Vec<Unit<'a>>,
    /// By module.
    pub names: Vec<ModuleNames<'a>>,
    pub program: Program,
    pub modules: FxHashMap<&'a str, ModuleId>,
    pub types: FxHashMap<&'a str, TypeId>,
    /// By procedure.
    pub texts: Vec<ProcText<'a>>,
    /// By procedure: what it calls, and where.
    pub calls: Vec<Vec<(ProcId, Span)>>,
    /// By scope that is written as one.
    pub members: Vec<ScopeMembers>,
    /// By module: the scopes that are written as such and that it is in.
    pub scopes_of: Vec<Vec<ScopeId>>,
    pub diagnostics: &'d mut Vec<Diagnostic>,
    /// The next variable of a quantifier.
    pub bound: u32,
    /// Why a formula for another plugin is not read, and where: of the last one that was tried.
    pub unread: Option<(Span, String)>,
}

/// Beyond this many messages no nearest name is looked for: with many names that takes long.
const MOST_SUGGESTIONS: usize = 50;

impl<'a> Resolver<'a, '_> {
    pub fn error(&mut self, id: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(id, span, message).help(help));
    }

    pub fn duplicate(&mut self, what: &str, name: &Ident, first: Span) {
        let message = format!("a second {what} `{}`", name.text);
        self.diagnostics.push(
            Diagnostic::error("duplicate-name", name.span, message)
                .related(first, "the first one")
                .help("give one of them another name, or remove it"),
        );
    }

    pub fn suggest<'n>(&self, name: &str, known: impl Iterator<Item = &'n str>, otherwise: &str) -> String {
        if self.diagnostics.len() > MOST_SUGGESTIONS {
            return otherwise.to_string();
        }
        suggestion(name, known, otherwise)
    }

    /// The module of that name in a text: an original's name means the instance.
    pub fn module_called(&self, own: Option<ModuleId>, naming: &Naming, name: &str) -> Option<ModuleId> {
        if own.is_some() && name == naming.origin { own } else { self.modules.get(name).copied() }
    }

    /// As [`Resolver::module_called`]; a name that is not known is reported.
    pub fn module(&mut self, own: Option<ModuleId>, naming: &Naming, name: &Ident) -> Option<ModuleId> {
        let found = self.module_called(own, naming, &name.text);
        if found.is_none() {
            let help = self.suggest(&name.text, self.modules.keys().copied(), "load the files that declare it");
            self.error("unknown-module", name.span, format!("there is no module `{}`", name.text), help);
        }
        found
    }

    pub fn object_type(&mut self, naming: &Naming, name: &Ident) -> Option<TypeId> {
        let text = naming.types.get(name.text.as_str()).copied().unwrap_or(&name.text);
        let found = self.types.get(text).copied().or_else(|| self.library_type(text));
        // What an instance takes in its place has been reported where it is written.
        if found.is_none() && !naming.types.contains_key(name.text.as_str()) {
            let otherwise = format!(
                "declare it by `format {text} {{ … }}` in an implementation or `format {text};` in a specification"
            );
            let help = self.suggest(text, self.types.keys().copied(), &otherwise);
            self.error("unknown-type", name.span, format!("there is no type `{text}`"), help);
        }
        found
    }

    /// A type of the library, which programs may mention without declaring it.
    pub fn library_type(&mut self, name: &str) -> Option<TypeId> {
        let name = Shape::named(name)?;
        if let Some(known) = self.types.get(name) {
            return Some(*known);
        }
        Some(self.add_type(name))
    }

    pub fn add_type(&mut self, name: &'a str) -> TypeId {
        let id = TypeId(self.program.types.len() as u32);
        self.types.insert(name, id);
        self.program.types.push(ObjectType { name: name.to_string() });
        id
    }

    /// A type that the library speaks of.
    pub fn shape(&mut self, shape: Shape) -> Type {
        let array = |of: Type| Type::Array(Box::new(of));
        match shape {
            Shape::Nothing => Type::Nothing,
            Shape::Int => Type::Int,
            Shape::Bool => Type::Bool,
            Shape::Float => Type::Float,
            Shape::String => Type::String,
            Shape::Char => Type::Char,
            Shape::Byte => Type::Byte,
            Shape::Bytes => array(Type::Byte),
            Shape::Ints => array(Type::Int),
            Shape::Image => array(array(Type::Int)),
            _ => {
                let named = shape.object().and_then(|name| self.library_type(name));
                named.map_or(Type::Nothing, Type::Object)
            }
        }
    }

    pub fn type_of(&mut self, naming: &Naming, name: &TypeName) -> Option<Type> {
        let mut ty = match builtin(&name.name.text) {
            Some(ty) => ty,
            None => Type::Object(self.object_type(naming, &name.name)?),
        };
        for _ in 0..name.dimensions {
            ty = Type::Array(Box::new(ty));
        }
        Some(ty)
    }

    pub fn type_text(&self, ty: &Type) -> String {
        match ty {
            Type::Int => "int".to_string(),
            Type::Bool => "bool".to_string(),
            Type::Float => "float".to_string(),
            Type::String => "string".to_string(),
            Type::Char => "char".to_string(),
            Type::Byte => "byte".to_string(),
            Type::Object(id) => self.program.types[id.index()].name.clone(),
            Type::Array(of) => format!("{}[]", self.type_text(of)),
            Type::Null => "null".to_string(),
            Type::Nothing => "nothing".to_string(),
        }
    }

    pub fn module_name(&self, module: ModuleId) -> &str {
        &self.program.modules[module.index()].name
    }

    /// `M.S`.
    pub fn spec_var_name(&self, variable: SpecVarId) -> String {
        let variable = self.program.spec_var(variable);
        format!("{}.{}", self.module_name(variable.module), variable.name)
    }

    /// Whether a scope hides the module from the one that looks (docs/hob.md, "Scopes and invariants").
    pub fn is_hidden(&self, module: ModuleId, from: ModuleId) -> bool {
        self.scopes_of[module.index()].iter().any(|scope| {
            let members = &self.members[scope.index()];
            !members.exports.contains(&module) && !members.modules.contains(&from)
        })
    }

    /// Whether a public procedure of the module may change the owner's sets without saying so: some scope exports the module and
    /// keeps the owner to itself, so that nobody outside knows those sets. The original also lets modules that a scope keeps
    /// to itself omit each other's sets, which their callers in the scope, who do know them, would wrongly take to be unchanged.
    pub fn is_internal(&self, owner: ModuleId, module: ModuleId) -> bool {
        owner != module
            && self.scopes_of[module.index()].iter().any(|scope| {
                let members = &self.members[scope.index()];
                members.exports.contains(&module)
                    && members.modules.contains(&owner)
                    && !members.exports.contains(&owner)
            })
    }

    /// Whether some scope of the module keeps the other one to itself.
    pub fn is_kept(&self, other: ModuleId, module: ModuleId) -> bool {
        self.scopes_of[module.index()].iter().any(|scope| {
            let members = &self.members[scope.index()];
            members.modules.contains(&other) && !members.exports.contains(&other)
        })
    }
}

pub(super) fn builtin(name: &str) -> Option<Type> {
    Some(match name {
        "int" => Type::Int,
        "bool" | "boolean" => Type::Bool,
        "float" => Type::Float,
        "string" => Type::String,
        "char" => Type::Char,
        "byte" => Type::Byte,
        _ => return None,
    })
}
