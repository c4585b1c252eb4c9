//! The classes that stand for a module: one for its state, one per type of objects, and what is known beside the user's fields.
//!
//! The state has the module's variables as fields. An object has the fields that the module gives its type; those of other modules
//! cannot matter to it. Beside them:
//! - `all T` of the state: an array of all objects of a type that a state may hold, always the same one; `is there` of an object says
//!   whether this state holds it. So a quantifier over objects is a loop, and covers what nothing refers to as well.
//! - `made T` of the state and `made before` of an object: what the run itself made, as a list.
//! - a Boolean of an object for each set of another module that a contract speaks of: the module cannot change it.
//! - `old S` of the state: whether each object was in a set when the procedure began.

use super::chosen::{Chosen, spoken_of};
use super::code::{At, THIS};
use super::space::{Integers, integers};
use crate::escape::Kept;
use crate::flags::{Effects, Written};
use crate::interp::names_of;
use crate::program::*;
use ir::{
    Bound, Class, ClassId, ClassKind, KnownClasses, Local, Method, MethodId, Parameter, SelectorId, StmtKind, Ty,
};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

/// What a field of the IR stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Global(GlobalId),
    Field(FieldId),
    /// The array of all objects of a type.
    All(TypeId),
    /// Null at the beginning: lists of new objects, memberships when the procedure began.
    Nothing,
    IsThere,
    /// Whether an object is in this set of another module; of the state, what a Boolean of another module is.
    Foreign(SpecVarId),
    /// What a spec Boolean was when the procedure began.
    OldBool,
    /// The bound n.
    Bound,
    /// A value that a run is going to meet, by its number in [`Model::chosen`].
    Chosen(u32),
    /// How many of a place's values were asked for: none at the beginning.
    Asked,
    /// Whether an object is going to be in a set that a call changes, and says no more of than a relation; whether it is going to be there.
    ChosenIn,
    /// What a field of an object is going to hold after a call that comes back, and which of the values it may have that is.
    ChosenField(FieldId),
    ChosenWhich,
    /// Whether another module may have written into arrays that it has.
    Shared,
}

/// A type of objects as a class.
#[derive(Clone, Copy, Debug)]
pub struct Objects {
    pub class: ClassId,
    pub all: ir::FieldId,
    pub made: ir::FieldId,
    pub made_before: ir::FieldId,
    pub is_there: ir::FieldId,
    pub constructor: MethodId,
}

/// Everything that is made so far.
pub struct Model<'p> {
    pub hob: &'p Program,
    pub module: ModuleId,
    pub ir: ir::Program,
    /// By field of the IR.
    pub roles: Vec<Role>,
    pub state: ClassId,
    /// What a run throws that ends the program itself: it reaches no exit of a procedure, and breaks nothing.
    pub exit: ClassId,
    objects: FxHashMap<TypeId, Objects>,
    fields: FxHashMap<FieldId, ir::FieldId>,
    globals: FxHashMap<GlobalId, ir::FieldId>,
    /// How the sets of the module are defined, by any of its plugins.
    pub definitions: FxHashMap<SpecVarId, &'p SetDefinition>,
    pub predvars: FxHashMap<SpecVarId, GlobalId>,
    foreign: FxHashMap<(SpecVarId, Option<TypeId>), ir::FieldId>,
    /// In the order they were asked for.
    pub olds: Vec<(SpecVarId, Option<TypeId>, ir::FieldId)>,
    pub members: FxHashMap<(SpecVarId, TypeId), MethodId>,
    pub routes: FxHashMap<String, Vec<MethodId>>,
    pub counts: FxHashMap<TypeId, MethodId>,
    /// By the fields that hold the arrays.
    pub longest: FxHashMap<Vec<ir::FieldId>, MethodId>,
    /// Those that a state may hold.
    pub integers: Integers,
    /// Where the bound is kept, if code depends on it.
    bound: Option<ir::FieldId>,
    pub chosen: Vec<Chosen>,
    /// Calls that are followed by the callee's contract.
    pub contracted: Vec<Span>,
    /// Whether a callee that is run to replay an example may return something else than it did there.
    pub has_other_results: bool,
    /// What the callee changes whose `ensures` is made code: see [`super::spec::When::Called`].
    pub called: Vec<SpecVarId>,
    /// Where it is kept what a set (of these objects) or Boolean was when a callee was called.
    at_calls: FxHashMap<(SpecVarId, Option<TypeId>), ir::FieldId>,
    pub effects: Effects,
    /// The methods of the invariants of the representation.
    pub representation: Vec<MethodId>,
    /// Arrays that nobody else has.
    pub kept: Kept,
    shared: Option<ir::FieldId>,
    /// Whether a call of the module's may write into arrays that another module has.
    pub shares_arrays: bool,
    /// Variables of other modules that a state keeps, and those among them that calls may change.
    pub spoken_of: Vec<SpecVarId>,
    pub changing: Vec<SpecVarId>,
    /// Of scopes that the module is outside of, about those variables: they hold whenever its code runs.
    pub public_invariants: Vec<&'p Invariant>,
    pub span: Span,
    pub problems: Vec<Diagnostic>,
}

impl<'p> Model<'p> {
    pub fn new(hob: &'p Program, module: ModuleId) -> Model<'p> {
        let declared = hob.module(module);
        let mut classes: Vec<Class> = Vec::new();
        let mut class = |name: &str, superclass: Option<ClassId>| {
            classes.push(bare_class(name, superclass, declared.span));
            ClassId(classes.len() as u32 - 1)
        };
        let object = class("Object", None);
        let throwable = class("Throwable", Some(object));
        let mut error = |name: &str| class(name, Some(throwable));
        let known = KnownClasses {
            object,
            throwable,
            null_pointer: error("NullDereference"),
            index_out_of_bounds: error("IndexOutOfBounds"),
            arithmetic: error("DivisionByZero"),
            class_cast: error("ClassCast"),
            negative_array_size: error("NegativeLength"),
            array_store: error("ArrayStore"),
            stack_overflow: error("StackOverflow"),
            assertion: error("Assertion"),
            stuck: error("Stuck"),
            string: class("String", Some(object)),
        };
        let exit = class("Exit", Some(throwable));
        let state = class(&declared.name, Some(object));
        let (spoken_of, public_invariants) = spoken_of(hob, module);
        let mut model = Model {
            hob,
            module,
            ir: ir::Program {
                classes,
                fields: Vec::new(),
                methods: Vec::new(),
                arrays: Vec::new(),
                strings: Vec::new(),
                static_initialisers: Vec::new(),
                static_state: Vec::new(),
                known,
                strings_of_shows: 0,
                float_arrays: Default::default(),
                class_objects: Vec::new(),
                named_classes: 0,
                identity: ir::Identity::default(),
                generics: Default::default(),
            },
            roles: Vec::new(),
            state,
            objects: FxHashMap::default(),
            fields: FxHashMap::default(),
            globals: FxHashMap::default(),
            definitions: declared.plugins.iter().flat_map(|p| &p.sets).map(|s| (s.variable, s)).collect(),
            predvars: declared.plugins.iter().flat_map(|p| p.predvars.iter().copied()).collect(),
            foreign: FxHashMap::default(),
            olds: Vec::new(),
            members: FxHashMap::default(),
            routes: FxHashMap::default(),
            counts: FxHashMap::default(),
            longest: FxHashMap::default(),
            integers: integers(hob, module),
            bound: None,
            chosen: Vec::new(),
            contracted: Vec::new(),
            has_other_results: false,
            called: Vec::new(),
            at_calls: FxHashMap::default(),
            effects: Effects::of(hob),
            representation: Vec::new(),
            kept: Kept::of(hob, module),
            shared: None,
            shares_arrays: false,
            spoken_of,
            changing: Vec::new(),
            public_invariants,
            exit,
            span: declared.span,
            problems: Vec::new(),
        };
        let called = model.called_elsewhere();
        model.changing = called.iter().flat_map(|callee| model.changes(*callee)).collect();
        let returns_array = |p: &Proc| p.result.is_some_and(|r| matches!(p.locals[r.index()].ty, Type::Array(_)));
        model.shares_arrays = called.iter().any(|callee| {
            returns_array(hob.proc(*callee)) || model.has_arrays() && model.effects.writes(*callee, Written::Element)
        });
        model.has_other_results = model.shares_arrays;
        model.declare();
        model
    }

    /// The module's variables, its fields, and the types that its procedures speak of.
    fn declare(&mut self) {
        let (hob, module) = (self.hob, self.hob.module(self.module));
        for &global in &module.globals {
            let declared = &hob.globals[global.index()];
            let ty = self.ty(&declared.ty);
            let field = self.field(self.state, &declared.name, ty, Role::Global(global), declared.span);
            self.globals.insert(global, field);
        }
        for &field in &module.fields {
            self.objects(hob.field(field).object);
        }
        for &proc in &module.procs {
            for local in &hob.proc(proc).locals {
                self.ty(&local.ty);
            }
            let contract = &hob.proc(proc).contract;
            for clause in contract.requires.iter().chain(&contract.ensures) {
                names_of(&clause.formula, &mut |name| {
                    if let Subject::SpecVar(variable) = name.subject
                        && let SpecVarKind::Set(Some(object)) = hob.spec_var(variable).kind
                    {
                        self.objects(object);
                    }
                });
            }
        }
    }

    pub fn field(&mut self, class: ClassId, name: &str, ty: Ty, role: Role, span: Span) -> ir::FieldId {
        let id = ir::FieldId(self.ir.fields.len() as u32);
        self.ir.fields.push(ir::Field {
            name: name.to_string(),
            class,
            ty,
            is_static: false,
            is_final: false,
            enum_constant: false,
            is_synthetic: !matches!(role, Role::Global(_) | Role::Field(_)),
            bound: Bound::default(),
            span,
        });
        self.ir.classes[class.index()].fields.push(id);
        self.roles.push(role);
        id
    }

    /// The type of values. Strings and floats are numbers that nobody may look into; so are characters and bytes.
    pub fn ty(&mut self, ty: &Type) -> Ty {
        match ty {
            Type::Bool => Ty::Bool,
            Type::Int | Type::Char | Type::Byte | Type::Float | Type::String => Ty::Int,
            Type::Object(object) => Ty::Class(self.objects(*object).class),
            Type::Array(element) => {
                let element = self.ty(element);
                self.array_of(element)
            }
            Type::Null => Ty::Null,
            Type::Nothing => Ty::Void,
        }
    }

    pub fn array_of(&mut self, element: Ty) -> Ty {
        let place = self.ir.arrays.iter().position(|&e| e == element);
        let index = place.unwrap_or_else(|| {
            self.ir.arrays.push(element);
            self.ir.arrays.len() - 1
        });
        Ty::Array(ir::ArrayId(index as u32))
    }

    /// The class of a type of objects, made when first asked for.
    pub fn objects(&mut self, object: TypeId) -> Objects {
        if let Some(&objects) = self.objects.get(&object) {
            return objects;
        }
        let (hob, span) = (self.hob, self.span);
        let name = hob.types[object.index()].name.clone();
        let class = ClassId(self.ir.classes.len() as u32);
        self.ir.classes.push(bare_class(&name, Some(self.ir.known.object), span));
        let (ty, array) = (Ty::Class(class), self.array_of(Ty::Class(class)));
        let objects = Objects {
            class,
            all: self.field(self.state, &format!("all {name}"), array, Role::All(object), span),
            made: self.field(self.state, &format!("made {name}"), ty, Role::Nothing, span),
            made_before: self.field(class, "made before", ty, Role::Nothing, span),
            is_there: self.field(class, "is there", Ty::Bool, Role::IsThere, span),
            constructor: MethodId(self.ir.methods.len() as u32),
        };
        self.objects.insert(object, objects);
        self.constructor(&objects, &name);
        for &field in &hob.module(self.module).fields {
            let declared = hob.field(field);
            if declared.object == object {
                let ty = self.ty(&declared.ty);
                let made = self.field(class, &declared.name, ty, Role::Field(field), declared.span);
                self.fields.insert(field, made);
            }
        }
        objects
    }

    /// A new object is there, and the last one made.
    fn constructor(&mut self, objects: &Objects, name: &str) {
        let (at, this, state) = (At(self.span), Ty::Class(objects.class), Ty::Class(self.state));
        let new = || at.local(THIS, this);
        let module = || at.local(ir::LocalId(1), state);
        let last = at.field(&self.ir, module(), objects.made);
        let body = vec![
            at.run(at.set_field(new(), objects.is_there, at.bool(true))),
            at.run(at.set_field(new(), objects.made_before, last)),
            at.run(at.set_field(module(), objects.made, new())),
        ];
        let parameter = |name: &str, ty| Parameter { name: name.into(), ty, bound: Bound::default() };
        let local = |name: &str, ty| Local { name: name.into(), ty };
        self.ir.methods.push(Method {
            name: name.to_string(),
            class: objects.class,
            selector: SelectorId(self.ir.methods.len() as u32),
            is_static: false,
            is_constructor: true,
            is_declarative: false,
            is_implicit: false,
            return_ty: Ty::Void,
            parameters: vec![parameter("module", state)],
            locals: vec![local("this", this), local("module", state)],
            body: Some(body),
            span: self.span,
            name_span: self.span,
        });
    }

    pub fn class_of(&self, object: TypeId) -> Option<ClassId> {
        self.objects.get(&object).map(|o| o.class)
    }

    /// The types that have objects here, in the order of the program.
    pub fn types(&self) -> Vec<TypeId> {
        let mut types: Vec<TypeId> = self.objects.keys().copied().collect();
        types.sort_unstable();
        types
    }

    /// A field that the module contributes; a problem of the program's resolution otherwise.
    pub fn field_of(&mut self, field: FieldId) -> ir::FieldId {
        self.objects(self.hob.field(field).object);
        match self.fields.get(&field) {
            Some(&made) => made,
            None => {
                let declared = self.hob.field(field);
                let owner = &self.hob.module(declared.module).name;
                let message = format!("field `{}` belongs to module `{owner}`", declared.name);
                self.problems.push(Diagnostic::error("hob-foreign-field", declared.span, message));
                let object = self.objects(declared.object);
                let ty = self.ty(&declared.ty);
                let made = self.field(object.class, &declared.name, ty, Role::Nothing, declared.span);
                self.fields.insert(field, made);
                made
            }
        }
    }

    pub fn global(&mut self, global: GlobalId) -> ir::FieldId {
        match self.globals.get(&global) {
            Some(&field) => field,
            None => {
                let declared = &self.hob.globals[global.index()];
                let message = format!("variable `{}` belongs to another module", declared.name);
                self.problems.push(Diagnostic::error("hob-foreign-variable", declared.span, message));
                let ty = self.ty(&declared.ty);
                let field = self.field(self.state, &declared.name, ty, Role::Nothing, declared.span);
                self.globals.insert(global, field);
                field
            }
        }
    }

    /// The end of the program.
    pub fn exits(&mut self, at: At) -> ir::Stmt {
        let class = Ty::Class(self.exit);
        let constructor = match self.ir.methods.iter().position(|m| m.is_constructor && m.class == self.exit) {
            Some(made) => MethodId(made as u32),
            None => {
                let made = self.method("Exit", Vec::new(), Ty::Void, self.span);
                let method = &mut self.ir.methods[made.index()];
                (method.class, method.is_constructor) = (self.exit, true);
                method.locals[0].ty = class;
                self.define(made, Vec::new(), Vec::new(), false);
                made
            }
        };
        at.stmt(StmtKind::Throw(at.expr(ir::ExprKind::New(self.exit, constructor, Vec::new()), class)))
    }

    /// The bound n.
    pub fn bound(&mut self, at: At) -> ir::Expr {
        let field = match self.bound {
            Some(field) => field,
            None => self.field(self.state, "bound", Ty::Int, Role::Bound, self.span),
        };
        self.bound = Some(field);
        self.of_state(at, field)
    }

    /// Whether another module may have written into arrays that it has.
    pub fn shared(&mut self) -> ir::FieldId {
        let field = match self.shared {
            Some(field) => field,
            None => self.field(self.state, "arrays of others are written", Ty::Bool, Role::Shared, self.span),
        };
        self.shared = Some(field);
        field
    }

    /// The Boolean that says whether an object is in a set of another module, or what a Boolean of another module is.
    pub fn foreign(&mut self, variable: SpecVarId, object: Option<TypeId>) -> ir::FieldId {
        if let Some(&field) = self.foreign.get(&(variable, object)) {
            return field;
        }
        let class = object.map_or(self.state, |o| self.objects(o).class);
        let declared = self.hob.spec_var(variable);
        let name = format!("in {}.{}", self.hob.module(declared.module).name, declared.name);
        let field = self.field(class, &name, Ty::Bool, Role::Foreign(variable), declared.span);
        self.foreign.insert((variable, object), field);
        field
    }

    pub fn at_call(&mut self, variable: SpecVarId, object: Option<TypeId>) -> ir::FieldId {
        if let Some(&field) = self.at_calls.get(&(variable, object)) {
            return field;
        }
        let class = object.map_or(self.state, |o| self.objects(o).class);
        let field = self.field(class, "when called", Ty::Bool, Role::OldBool, self.span);
        self.at_calls.insert((variable, object), field);
        field
    }

    /// Where it is kept what a set (of these objects) or Boolean was when the procedure began.
    pub fn old(&mut self, variable: SpecVarId, object: Option<TypeId>) -> ir::FieldId {
        if let Some(&(.., field)) = self.olds.iter().find(|(v, o, _)| (*v, *o) == (variable, object)) {
            return field;
        }
        let declared = self.hob.spec_var(variable);
        let (ty, role) = match object {
            Some(_) => (self.array_of(Ty::Bool), Role::Nothing),
            None => (Ty::Bool, Role::OldBool),
        };
        let field = self.field(self.state, &format!("old {}", declared.name), ty, role, declared.span);
        self.olds.push((variable, object, field));
        field
    }

    /// A method of the state, whose body is given later.
    pub fn method(&mut self, name: &str, parameters: Vec<(String, Ty)>, return_ty: Ty, span: Span) -> MethodId {
        let id = MethodId(self.ir.methods.len() as u32);
        let mut locals = vec![Local { name: "this".into(), ty: Ty::Class(self.state) }];
        locals.extend(parameters.iter().map(|(name, ty)| Local { name: name.clone(), ty: *ty }));
        let parameter = |(name, ty): (String, Ty)| Parameter { name, ty, bound: Bound::default() };
        self.ir.methods.push(Method {
            name: name.to_string(),
            class: self.state,
            selector: SelectorId(id.0),
            is_static: false,
            is_constructor: false,
            is_declarative: false,
            is_implicit: false,
            return_ty,
            parameters: parameters.into_iter().map(parameter).collect(),
            locals,
            body: None,
            span,
            name_span: span,
        });
        id
    }

    pub fn define(&mut self, method: MethodId, more_locals: Vec<Ty>, body: ir::Block, is_declarative: bool) {
        let method = &mut self.ir.methods[method.index()];
        method.locals.extend(more_locals.into_iter().map(|ty| Local { name: String::new(), ty }));
        method.body = Some(body);
        method.is_declarative = is_declarative;
    }

    /// A declarative method that returns an expression.
    pub fn returning(&mut self, name: &str, parameters: Vec<(String, Ty)>, value: ir::Expr) -> MethodId {
        let (ty, at) = (value.ty, At(value.span));
        let method = self.method(name, parameters, ty, value.span);
        self.define(method, Vec::new(), vec![at.stmt(StmtKind::Return(Some(value)))], true);
        method
    }

    pub fn this(&self, at: At) -> ir::Expr {
        at.local(THIS, Ty::Class(self.state))
    }

    /// A field of the state.
    pub fn of_state(&self, at: At, field: ir::FieldId) -> ir::Expr {
        at.field(&self.ir, self.this(at), field)
    }
}

fn bare_class(name: &str, superclass: Option<ClassId>, span: Span) -> Class {
    Class {
        name: name.to_string(),
        superclass,
        interfaces: Vec::new(),
        kind: ClassKind::Class,
        is_abstract: false,
        is_input: true,
        is_local: false,
        is_apart: false,
        is_built_in: false,
        is_ready_made: false,
        is_of_library: false,
        fields: Vec::new(),
        dispatch: FxHashMap::default(),
        max: None,
        span,
    }
}
