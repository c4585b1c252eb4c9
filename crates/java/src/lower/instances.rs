//! Type arguments of fields and parameters: which objects fit where, beyond what erasure says (see [`ir::generics`]).

use super::Lowering;
use crate::resolve::*;
use crate::syntax::ast::Prim;
use ir::generics::{InstanceId, Narrow};
use ir::{ClassId, ClassKind, FieldId};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

/// `Node<Node<T>>` in a `Node<T>` has no end.
const DEPTH: usize = 5;

/// What type arguments say of a field.
struct Told {
    /// Of what it holds, or of its innermost elements.
    ty: Type,
    /// Whether the declaration says less.
    is_more: bool,
    /// Whether it takes the place of what the specification of its class says.
    is_stronger: bool,
    /// The classes that the specification names, of which one of that type is.
    among: Vec<ClassId>,
    /// Whether numbers beside it hang on it: those that the specification names have their hash codes there.
    is_hashed: bool,
    /// What the specification says it holds, where that cannot be left.
    excluded: Option<String>,
}

#[derive(Default)]
pub(super) struct Instances {
    known: FxHashMap<(ClassIx, Vec<Type>), InstanceId>,
}

impl Lowering<'_> {
    /// For all fields and parameters, when all classes are known.
    pub(super) fn narrow_all(&mut self) {
        self.program.generics = ir::generics::Generics::default();
        let mut instances = Instances::default();
        let mut fields: Vec<(FieldId, FieldIx)> = self.field_ids.iter().map(|(fx, id)| (*id, *fx)).collect();
        fields.sort();
        for (id, fx) in fields {
            let info = self.table.field(fx).clone();
            let mut narrow = self.narrow(&info.ty, &mut instances);
            // What a final field is set to is of that class and of none below it.
            if let (true, Some((Type::Class(made, _), true))) =
                (self.program.field(id).is_final, self.made_from_the_beginning(&info))
            {
                let made = self.class_id(made);
                let of = narrow.as_mut().map(|n| &mut n.of).filter(|of| of.iter().any(|(c, _)| *c == made));
                of.into_iter().for_each(|of| of.retain(|(c, _)| *c == made));
            }
            self.program.fields[id.index()].bound.narrow = narrow;
        }
        for method in 0..self.program.methods.len() {
            let Some(mx) = self.method_of[method] else { continue };
            let params = self.table.method(mx).params.clone();
            let hidden = self.program.methods[method].parameters.len().saturating_sub(params.len());
            for (i, ty) in params.iter().enumerate() {
                let narrow = self.narrow(ty, &mut instances);
                if let Some(parameter) = self.program.methods[method].parameters.get_mut(hidden + i) {
                    parameter.bound.narrow = narrow;
                }
            }
        }
        for class in (0..self.program.classes.len() as u32).map(ClassId) {
            if self.program.class(class).is_input {
                let ty = self.table.self_type(self.class_ix(class));
                if let Some(id) = self.instance(&ty, &mut instances) {
                    self.program.generics.of_class.insert(class, id);
                }
            }
        }
    }

    /// What a field or parameter of a type with arguments holds.
    fn narrow(&mut self, ty: &Type, instances: &mut Instances) -> Option<Narrow> {
        let element = innermost(ty);
        let Type::Class(_, args) = element else { return None };
        let says_something = args.iter().any(|a| self.says_something(a));
        if says_something { self.stands_for(element, instances) } else { None }
    }

    fn says_something(&mut self, argument: &Type) -> bool {
        let object = self.table.object();
        *argument == object || self.at_most(argument) != object
    }

    /// The type that all fit that it may stand for: of a type parameter, its bound.
    fn at_most(&mut self, ty: &Type) -> Type {
        match self.table.upper(ty) {
            var @ Type::Var(_) => self.table.erasure(&var),
            ty => ty,
        }
    }

    /// What is held where a type parameter stands for this type.
    fn stands_for(&mut self, ty: &Type, instances: &mut Instances) -> Option<Narrow> {
        let ty = self.at_most(ty);
        if ty == self.table.object() {
            return Some(Narrow { ty: self.ir_type(&ty), of: Vec::new(), is_stronger: false });
        }
        let Type::Class(class, args) = &ty else {
            return matches!(ty, Type::Array(_)).then(|| Narrow {
                ty: self.ir_type(&ty),
                of: Vec::new(),
                is_stronger: false,
            });
        };
        if self.table.unboxed(&ty).is_some_and(|p| matches!(p, Prim::Float | Prim::Double)) {
            return None;
        }
        let id = self.class_id(*class);
        let info = self.program.class(id);
        if *class == self.table.known(super::class_objects::CLASS) {
            return Some(Narrow { ty: ir::Ty::Class(id), of: self.classes_of(args.first()), is_stronger: false });
        }
        if info.kind == ClassKind::Box || info.kind == ClassKind::Enum || id == self.program.known.string {
            return Some(Narrow { ty: ir::Ty::Class(id), of: Vec::new(), is_stronger: false });
        }
        let of = self.fitting(&ty, instances);
        if of.is_empty() && stands_for_integers(&self.table, *class) {
            // Any number will do, and any order: integers.
            let integer = self.table.boxed(Prim::Int);
            return self.stands_for(&integer, instances);
        }
        (!of.is_empty()).then_some(Narrow { ty: ir::Ty::Class(id), of, is_stronger: false })
    }

    /// Whether states have objects of a type.
    fn is_among_states(&mut self, ty: &Type) -> bool {
        let Type::Class(class, _) = ty else { return matches!(ty, Type::Array(_)) };
        let id = self.class_id(*class);
        let info = self.program.class(id);
        let is_plain = matches!(info.kind, ClassKind::Box | ClassKind::Enum) || id == self.program.known.string;
        is_plain || stands_for_integers(&self.table, *class) || !self.fitting_types(ty).is_empty()
    }

    /// The classes whose objects of `java.lang.Class` a `Class<X>` or a `Class<? extends X>` holds; none if it may be any.
    fn classes_of(&mut self, argument: Option<&Type>) -> Vec<(ClassId, Option<InstanceId>)> {
        let (named, is_exact) = match argument {
            Some(Type::Wild(Some((false, above)))) => (Type::clone(above), false),
            Some(exact) => (exact.clone(), true),
            None => return Vec::new(),
        };
        let Type::Class(of, _) = named else { return Vec::new() };
        let of = self.class_id(of);
        let all = (0..self.program.classes.len() as u32).map(ClassId);
        all.filter(|c| *c == of || !is_exact && self.program.is_subclass(*c, of)).map(|c| (c, None)).collect()
    }

    /// The concrete classes of the inputs whose objects fit a type, with their type arguments.
    fn fitting(&mut self, ty: &Type, instances: &mut Instances) -> Vec<(ClassId, Option<InstanceId>)> {
        let mut fitting = Vec::new();
        for (class, ty) in self.fitting_types(ty) {
            let says_something = matches!(&ty, Type::Class(_, own) if own.iter().any(|a| self.says_something(a)));
            let instance = if says_something { self.instance(&ty, instances) } else { None };
            fitting.push((class, instance));
        }
        fitting
    }

    fn fitting_types(&mut self, ty: &Type) -> Vec<(ClassId, Type)> {
        let Type::Class(wanted, args) = ty else { return Vec::new() };
        let of = self.class_id(*wanted);
        let classes: Vec<ClassId> = self.program.state_subclasses(of).collect();
        let mut fitting = Vec::new();
        for class in classes {
            let ix = self.class_ix(class);
            let this = self.table.self_type(ix);
            let Some(Type::Class(_, seen)) = self.table.as_super(&this, *wanted) else { continue };
            let vars = self.table.class(ix).type_params.clone();
            let mut map = Substitution::default();
            if seen.len() == args.len() {
                for (formal, argument) in seen.iter().zip(args.iter()) {
                    self.table.unify(formal, argument, &vars, &mut map);
                }
                let excluded = |table: &mut Table, formal: &Type, argument: &Type| {
                    !formal.mentions(&vars) && !matches!(formal, Type::Var(_)) && !table.contains(argument, formal)
                };
                if seen.iter().zip(args.iter()).any(|(f, a)| excluded(&mut self.table, f, a)) {
                    continue;
                }
            }
            let own: Vec<Type> = vars.iter().map(|v| map.get(*v).cloned().unwrap_or(Type::Var(*v))).collect();
            fitting.push((class, Type::Class(ix, own.into())));
        }
        // Views and iterators of the library are kept where nothing else fits.
        let is_view = |low: &Self, class: ClassId| {
            let ix = low.class_ix(class);
            low.is_library(ix) && low.table.class(ix).outer.is_some() && !low.table.class(ix).is_static
        };
        if fitting.iter().any(|(c, _)| !is_view(self, *c)) {
            fitting.retain(|(c, _)| !is_view(self, *c));
        }
        fitting
    }

    /// Fields and parameters of the inputs whose type arguments are others than what the specification of a library class says its objects
    /// hold: every state would be one that no program makes.
    pub(super) fn check_type_arguments(&mut self) {
        let mut declared: Vec<(ClassIx, String, Type, Span)> = Vec::new();
        let mut fields: Vec<FieldIx> = self.field_ids.keys().copied().collect();
        fields.sort_unstable();
        for fx in fields {
            let info = self.table.field(fx);
            if !info.is_static {
                declared.push((info.class, info.name.to_string(), info.ty.clone(), info.span));
            }
        }
        for &method in &self.operations {
            let Some(mx) = self.method_of[method.index()] else { continue };
            let info = self.table.method(mx);
            let names =
                info.decl.as_ref().map(|d| d.params.iter().map(|p| (p.name.name.to_string(), p.name.span)).collect());
            let names: Vec<(String, Span)> = names.unwrap_or_default();
            let params = info.params.iter().zip(names);
            declared.extend(params.map(|(ty, (name, span))| (info.class, name, ty.clone(), span)));
        }
        for (class, name, ty, span) in declared {
            let is_ours = self.table.class(class).is_input() && self.table.class(class).unit.origin == Origin::Input;
            if !is_ours {
                continue;
            }
            if let Some((field, held)) = self.contradicted(&innermost(&ty).clone(), DEPTH) {
                let ty = self.table.type_name(&ty);
                let field = self.program.field(field);
                let class = self.program.class(field.class).name.clone();
                let message = format!(
                    "`{name}` is of type `{ty}`, but the specification of `{class}` says that `{}` holds {held}",
                    field.name
                );
                let d = Diagnostic::error("type-arguments", span, message).related(field.span, "this field");
                let help = format!(
                    "a specification of your own without `@Range` and `@OneOf` on `{}` follows type arguments",
                    field.name
                );
                self.error(d.help(help));
            }
        }
    }

    /// A field of a library class with these type arguments, or of what it holds, that its specification says holds objects of other classes.
    fn contradicted(&mut self, ty: &Type, depth: usize) -> Option<(FieldId, String)> {
        let Type::Class(_, args) = ty else { return None };
        if depth == 0 || !args.iter().any(|a| self.says_something(a)) {
            return None;
        }
        for (class, ty) in self.fitting_types(ty) {
            for id in self.program.instance_fields(class) {
                let Some(told) = self.told(class, id, &ty) else { continue };
                if let Some(held) = told.excluded {
                    return Some((id, held));
                }
                let is_followed = told.is_stronger || self.program.field(id).bound.one_of.is_none();
                if told.is_more
                    && is_followed
                    && let Some(found) = self.contradicted(&told.ty, depth - 1)
                {
                    return Some(found);
                }
            }
        }
        None
    }

    /// What type arguments say of a field of an object.
    fn told(&mut self, class: ClassId, id: FieldId, ty: &Type) -> Option<Told> {
        let fx = self.field_ids.iter().find(|(_, f)| **f == id).map(|(fx, _)| *fx)?;
        let info = self.table.field(fx).clone();
        let declared = self.with_arguments(innermost(&info.ty), info.class);
        let owner = self.table.as_super(ty, info.class)?;
        let map = self.table.substitution(&owner);
        let held = declared.substitute(&map);
        let is_more = held != declared;
        let told =
            Told { ty: held.clone(), is_more, is_stronger: false, among: Vec::new(), is_hashed: false, excluded: None };
        let given = self.program.field(id).bound.one_of.clone().filter(|_| self.program.class(class).is_of_library);
        let (Some(given), Type::Class(_, args)) = (given, ty) else {
            // Keys and values in one array: opaque objects stand for neither.
            let is_mixed = matches!(info.ty, Type::Array(_)) && declared == self.table.object();
            let is_mixed = is_mixed && matches!(ty, Type::Class(_, args) if args.len() > 1);
            let is_excluded = is_mixed && self.program.class(class).is_of_library;
            let excluded = is_excluded.then(|| "objects without contents".to_string());
            return Some(Told { excluded, ..told });
        };
        // Elements that are declared as objects are of some type argument.
        let object = self.table.object();
        let is_object = declared == object;
        let is_any = if is_object { args[..] == [object.clone()] } else { held == object };
        let args: Vec<Type> = args.iter().map(|a| self.at_most(a)).collect();
        let wanted = if is_object { args } else { vec![self.at_most(&held)] };
        let is_known = matches!(declared, Type::Var(_)) || is_object;
        let fits = wanted.iter().all(|w| given.iter().any(|g| self.is_a(*g, w)));
        let is_hashed = match &info.origin {
            FieldOrigin::Declared(decl) => ["OneOf", "Range"].iter().all(|a| decl.modifiers.has(a)),
            _ => false,
        };
        Some(match &wanted[..] {
            _ if !is_known => Told { among: given, ..told },
            [one] if is_any || *one != object && self.is_among_states(one) => {
                Told { ty: one.clone(), is_more: true, is_stronger: true, is_hashed, ..told }
            }
            _ if fits => told,
            _ => {
                let names: Vec<String> = given.iter().map(|g| self.program.class(*g).name.clone()).collect();
                Told { excluded: Some(names.join(", ")), ..told }
            }
        })
    }

    /// `Entry<?, ?>` within a `Hashtable<K, V>` is an `Entry<K, V>`: it is written so where arrays of it are made.
    fn with_arguments(&self, ty: &Type, within: ClassIx) -> Type {
        let Type::Class(class, args) = ty else { return ty.clone() };
        let (info, outer) = (self.table.class(*class), self.table.class(within));
        let is_open = !args.is_empty() && args.iter().all(|a| matches!(a, Type::Wild(None)));
        let names = |vars: &[VarIx]| vars.iter().map(|v| self.table.vars[v.index()].name.clone()).collect::<Vec<_>>();
        match is_open && info.outer == Some(within) && names(&info.type_params) == names(&outer.type_params) {
            true => Type::Class(*class, outer.type_params.iter().map(|v| Type::Var(*v)).collect::<Vec<_>>().into()),
            false => ty.clone(),
        }
    }

    fn is_a(&mut self, class: ClassId, ty: &Type) -> bool {
        let class = Type::Class(self.class_ix(class), Vec::new().into());
        let ty = self.table.erasure(ty);
        self.table.is_subtype(&class, &ty)
    }

    /// A class with its arguments: None if no field depends on them.
    fn instance(&mut self, ty: &Type, instances: &mut Instances) -> Option<InstanceId> {
        let Type::Class(class, args) = ty else { return None };
        let key = (*class, args.to_vec());
        if let Some(id) = instances.known.get(&key) {
            return Some(*id);
        }
        let class_id = self.class_id(*class);
        let mut narrowed: Vec<(FieldId, Told)> = Vec::new();
        for field in self.program.instance_fields(class_id) {
            let Some(told) = self.told(class_id, field, ty) else { continue };
            let says_something = told.is_more && (told.is_stronger || told.ty != self.table.object());
            if says_something && self.depth(&told.ty) <= DEPTH {
                narrowed.push((field, told));
            }
        }
        if narrowed.is_empty() {
            return None;
        }
        let id = InstanceId(self.program.generics.instances.len() as u32);
        let is_hashed = narrowed.iter().any(|(_, told)| told.is_hashed);
        let any_number = |of: &FieldId| {
            let ir::Field { ty, bound, .. } = self.program.field(*of);
            let is_number = bound.range.is_some() && !ty.is_reference();
            (is_hashed && is_number).then_some((*of, Narrow { ty: *ty, of: Vec::new(), is_stronger: true }))
        };
        let fields = self.program.instance_fields(class_id).iter().filter_map(any_number).collect();
        self.program.generics.instances.push(ir::generics::Instance { fields });
        instances.known.insert(key, id);
        for (field, told) in narrowed {
            if let Some(narrow) = self.stands_for(&told.ty, instances) {
                let mut narrow = Narrow { is_stronger: told.is_stronger, ..narrow };
                if !told.among.is_empty() {
                    narrow.of.retain(|(c, _)| told.among.iter().any(|named| self.program.is_subclass(*c, *named)));
                    narrow.is_stronger = !narrow.of.is_empty();
                }
                self.program.generics.instances[id.index()].fields.insert(field, narrow);
            }
        }
        Some(id)
    }

    fn depth(&self, ty: &Type) -> usize {
        match ty {
            Type::Class(_, args) => 1 + args.iter().map(|a| self.depth(a)).max().unwrap_or(0),
            Type::Wild(Some((_, t))) => self.depth(t),
            Type::Array(e) => self.depth(e),
            _ => 1,
        }
    }
}

pub(super) fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array(e) => innermost(e),
        _ => ty,
    }
}

fn stands_for_integers(table: &Table, class: ClassIx) -> bool {
    let info = table.class(class);
    matches!(info.name.as_str(), "Number" | "Comparable") && info.unit.origin == Origin::Prelude
}
