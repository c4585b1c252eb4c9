//! Names and types to declarations: the class table.
//!
//! What goes in: the syntax of the inputs, the prelude, and a way to ask for further library sources by qualified name.
//! What comes out: answers to "which class is `Map.Entry` here", "which fields and methods has it", "which of these
//! overloads is meant". Everything is worked out on demand and once; a type in a member's signature that cannot be
//! found is kept with the member and told only when the member is used.

mod declare;
pub mod hierarchy;
pub mod infer;
mod members;
mod names;
pub mod overload;
pub mod types;

use crate::syntax::ast::*;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, FileId, SourceMap, Span};
use std::rc::Rc;
pub use types::*;

/// Where a class comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Prelude,
    /// A ready-made abstraction, or an object for threads as we write it: part of states, but not checked for its own sake.
    Ready,
    Input,
    Library,
}

/// What a file's names mean outside its classes.
#[derive(Clone, Debug)]
pub struct UnitScope {
    pub package: String,
    pub imports: Vec<Import>,
    pub origin: Origin,
    /// Of the specifications that were put into its classes: for names that mean nothing here.
    pub specs: Vec<Rc<UnitScope>>,
}

#[derive(Clone, Debug)]
pub struct ClassInfo {
    /// For a comparison with an abstraction: in no state.
    pub is_made: bool,
    /// A specification beside the code declares it again: part of states.
    pub is_specified: bool,
    /// As the user knows it: `SearchTree.Node`; `SearchTree$1` for an anonymous one.
    pub name: String,
    pub simple: Name,
    pub decl: Rc<ClassDecl>,
    pub unit: Rc<UnitScope>,
    /// The lexically enclosing class.
    pub outer: Option<ClassIx>,
    /// Whether its objects have no enclosing instance.
    pub is_static: bool,
    /// Its own, then those of the classes around an inner one: `Outer<T>.Inner` is generic in T too.
    pub type_params: Vec<VarIx>,
    pub nested: Vec<(Name, ClassIx)>,
    /// For a class within a method: what is visible there.
    pub local: Option<Rc<LocalScope>>,
    header: Slot<Header>,
    members: Slot<Members>,
}

impl ClassInfo {
    pub fn is_interface(&self) -> bool {
        matches!(self.decl.kind, DeclKind::Interface | DeclKind::Annotation)
    }

    pub fn is_enum(&self) -> bool {
        self.decl.kind == DeclKind::Enum
    }

    /// Whether an object may be of this class and of none below it.
    pub fn has_objects(&self) -> bool {
        !self.is_interface() && !self.decl.modifiers.is_abstract && !self.is_enum()
    }

    pub fn is_input(&self) -> bool {
        (self.is_specified || matches!(self.unit.origin, Origin::Input | Origin::Ready)) && !self.is_made
    }

    /// No subclass may exist.
    pub fn is_final(&self) -> bool {
        let d = &self.decl;
        d.modifiers.is_final
            || d.name.name.is_empty()
            || (self.is_enum() && d.constants.iter().all(|c| c.body.is_none()))
    }
}

/// What a local, anonymous or lambda class sees of the method around it.
#[derive(Clone, Default, Debug)]
pub struct LocalScope {
    pub type_vars: Vec<(Name, VarIx)>,
    pub classes: Vec<(Name, ClassIx)>,
    /// Variables that it copies into fields when an object is made.
    pub captured: Vec<(Name, Type)>,
    /// Variables with constant values, which need no copy.
    pub constants: Vec<(Name, Type, ir::ExprKind)>,
    pub declarative: bool,
    /// `this` and names in it mean what they mean outside.
    pub is_lambda: bool,
}

#[derive(Clone, Debug)]
enum Slot<T> {
    Unknown,
    InProgress,
    Known(Rc<T>),
}

/// Supertypes. The superclass of an interface is `None`; of `Object` too.
#[derive(Clone, Default, Debug)]
pub struct Header {
    pub superclass: Option<Type>,
    pub interfaces: Vec<Type>,
    pub problems: Vec<Diagnostic>,
}

/// What a class declares itself.
#[derive(Clone, Default, Debug)]
pub struct Members {
    pub fields: Vec<FieldIx>,
    /// Constructors too.
    pub methods: Vec<MethodIx>,
}

#[derive(Clone, Debug)]
pub struct FieldInfo {
    pub name: Name,
    pub class: ClassIx,
    pub ty: Type,
    pub is_static: bool,
    pub is_final: bool,
    pub origin: FieldOrigin,
    pub span: Span,
    pub problems: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
pub enum FieldOrigin {
    Declared(Rc<FieldDecl>),
    EnumConstant,
    /// An outer instance or a captured variable.
    Synthetic,
}

#[derive(Clone, Debug)]
pub struct MethodInfo {
    pub name: Name,
    pub class: ClassIx,
    /// None for a default constructor, a lambda and the like.
    pub decl: Option<Rc<MethodDecl>>,
    pub type_params: Vec<VarIx>,
    pub params: Vec<Type>,
    pub ret: Type,
    pub varargs: bool,
    pub is_static: bool,
    pub is_abstract: bool,
    pub is_private: bool,
    pub is_constructor: bool,
    pub is_final: bool,
    pub span: Span,
    pub name_span: Span,
    pub problems: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
pub struct TypeVar {
    pub name: Name,
    /// Resolved on demand in the scope it was declared in.
    pub bounds: Vec<Type>,
}

/// Where a type name stands.
#[derive(Clone, Debug, Default)]
pub struct TypeScope {
    pub class: Option<ClassIx>,
    pub unit: Option<Rc<UnitScope>>,
    pub type_vars: Vec<(Name, VarIx)>,
    pub classes: Vec<(Name, ClassIx)>,
}

/// Gives the name and text of the source of a top-level class, by qualified name.
pub type Library<'a> = &'a (dyn Fn(&str) -> Option<(String, String)> + Sync);

pub struct Table<'a> {
    pub sources: &'a mut SourceMap,
    library: Library<'a>,
    beside: Library<'a>,
    pub classes: Vec<ClassInfo>,
    pub methods: Vec<MethodInfo>,
    pub fields: Vec<FieldInfo>,
    pub vars: Vec<TypeVar>,
    /// Top-level classes by qualified name; None if it was looked for in vain.
    top: FxHashMap<String, Option<ClassIx>>,
    pub diagnostics: Vec<Diagnostic>,
    /// Classes that others take for their abstractions (`--replace`).
    pub replaced: FxHashMap<ClassIx, ClassIx>,
    /// Why such a class is not of an interface that the class it replaces is of, and what to do.
    pub not_taken: FxHashMap<(ClassIx, ClassIx), (String, String)>,
    /// Classes that were made to check something: objects of them are in no other state.
    pub made: FxHashSet<ClassIx>,
    /// What was written to check something: it sees what is private.
    pub made_files: FxHashSet<source::FileId>,
    /// Files with specifications beside the code: their members are in classes of the library.
    pub spec_files: FxHashSet<FileId>,
    /// Those among them that nobody asked for: of their classes nothing is checked.
    pub taken_files: FxHashSet<FileId>,
    /// Names of methods that a specification has in the place of the original's (`@Model`).
    pub models: Vec<Span>,
    /// Anonymous classes and lambdas so far, per outermost class: they are numbered.
    anonymous: FxHashMap<ClassIx, usize>,
}

impl<'a> Table<'a> {
    pub fn new(sources: &'a mut SourceMap, library: Library<'a>, beside: Library<'a>) -> Table<'a> {
        Table {
            sources,
            library,
            beside,
            classes: Vec::new(),
            methods: Vec::new(),
            fields: Vec::new(),
            vars: Vec::new(),
            top: FxHashMap::default(),
            diagnostics: Vec::new(),
            replaced: FxHashMap::default(),
            not_taken: FxHashMap::default(),
            made: FxHashSet::default(),
            made_files: FxHashSet::default(),
            spec_files: FxHashSet::default(),
            taken_files: FxHashSet::default(),
            models: Vec::new(),
            anonymous: FxHashMap::default(),
        }
    }

    pub fn class(&self, ix: ClassIx) -> &ClassInfo {
        &self.classes[ix.index()]
    }

    pub fn method(&self, ix: MethodIx) -> &MethodInfo {
        &self.methods[ix.index()]
    }

    pub fn field(&self, ix: FieldIx) -> &FieldInfo {
        &self.fields[ix.index()]
    }

    /// The outermost class around one: private members are visible throughout it.
    pub fn outermost(&self, mut ix: ClassIx) -> ClassIx {
        while let Some(outer) = self.class(ix).outer {
            ix = outer;
        }
        ix
    }

    /// A class of the prelude, which must be there.
    pub fn known(&mut self, qualified: &str) -> ClassIx {
        self.find_top(qualified).unwrap_or(ClassIx(0))
    }

    pub fn known_type(&mut self, qualified: &str) -> Type {
        Type::class(self.known(qualified))
    }

    pub fn object(&self) -> Type {
        Type::class(ClassIx(0))
    }

    /// As a signature names a type: without package, outer classes and type arguments.
    pub fn simple_name(&self, ty: &Type) -> String {
        match ty {
            Type::Class(c, _) => self.class(*c).simple.to_string(),
            Type::Array(e) => format!("{}[]", self.simple_name(e)),
            _ => self.type_name(ty),
        }
    }

    /// The simple name of what a type erases to, as far as bounds are resolved.
    pub fn erased_name(&self, ty: &Type) -> String {
        match ty {
            Type::Var(v) => match self.vars[v.index()].bounds.first() {
                Some(bound @ (Type::Class(..) | Type::Array(_))) => self.simple_name(bound),
                _ => "Object".to_string(),
            },
            Type::Array(e) => format!("{}[]", self.erased_name(e)),
            _ => self.simple_name(ty),
        }
    }

    /// A type as a Java programmer would write it.
    pub fn type_name(&self, ty: &Type) -> String {
        self.written(ty, false)
    }

    /// The same with packages: for Java text, which may be in a file that imports nothing.
    pub fn full_name(&self, ty: &Type) -> String {
        self.written(ty, true)
    }

    fn written(&self, ty: &Type, is_full: bool) -> String {
        let inner = |ty: &Type| self.written(ty, is_full);
        match ty {
            Type::Void => "void".into(),
            Type::Prim(p) => prim_name(*p).into(),
            Type::Null => "null".into(),
            Type::Class(c, args) => {
                let ClassInfo { name, unit, .. } = self.class(*c);
                let name = match is_full && !unit.package.is_empty() {
                    true => format!("{}.{name}", unit.package),
                    false => name.clone(),
                };
                if args.is_empty() {
                    return name;
                }
                let args: Vec<String> = args.iter().map(inner).collect();
                format!("{name}<{}>", args.join(", "))
            }
            Type::Array(e) => format!("{}[]", inner(e)),
            Type::Var(v) => self.vars[v.index()].name.to_string(),
            Type::Both(parts) => parts.iter().map(inner).collect::<Vec<_>>().join(" & "),
            Type::Wild(None) => "?".into(),
            Type::Wild(Some((true, t))) => format!("? super {}", inner(t)),
            Type::Wild(Some((false, t))) => format!("? extends {}", inner(t)),
            Type::Error => "?".into(),
        }
    }
}

pub fn did_you_mean<'n>(wrong: &str, candidates: impl Iterator<Item = &'n str>) -> Option<String> {
    source::nearest(wrong, candidates).map(|c| format!("did you mean `{c}`?"))
}
