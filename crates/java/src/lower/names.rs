//! What a name in a body means: a local, a captured variable, a field of this or an outer object, a static field, or
//! (before a dot) a type.

use super::body::{Body, Val, expr};
use crate::resolve::*;
use crate::syntax::ast::{self, Ident, Name};
use ir::{Expr, ExprKind, Ty};
use source::{Diagnostic, Span};

/// A name before it is read or written.
#[derive(Clone, Debug)]
pub enum Place {
    Local(usize),
    /// The object (None: static) and the field; its type as seen there.
    Field(Option<Expr>, FieldIx, Type),
}

impl Body<'_, '_> {
    /// A simple name as a variable.
    pub fn find_variable(&mut self, name: &str, span: Span) -> Option<Result<Place, Val>> {
        if let Some(i) = self.vars.iter().rposition(|v| v.in_scope && &*v.name == name) {
            return Some(Ok(Place::Local(i)));
        }
        let mut class = Some(self.class);
        while let Some(c) = class {
            let local = self.low.table.class(c).local.clone();
            if !local.as_ref().is_some_and(|l| l.is_lambda) {
                let ty = self.low.table.self_type(c);
                if let Some((field, seen)) = self.low.table.find_field(&ty, name) {
                    if self.low.table.field(field).is_static {
                        return Some(Ok(Place::Field(None, field, seen)));
                    }
                    return Some(match self.outer_instance(c, span) {
                        Ok(object) => Ok(Place::Field(Some(object), field, seen)),
                        Err(_) => Err(self.static_context(name, span)),
                    });
                }
            }
            if let Some(local) = local {
                if let Some((_, ty, constant)) = local.constants.iter().rev().find(|(n, _, _)| &**n == name) {
                    let ir_ty = self.low.ir_type(&ty.clone());
                    let value = expr(constant.clone(), ir_ty, span);
                    return Some(Err(Val { expr: value, ty: ty.clone() }));
                }
                if let Some((_, ty)) = local.captured.iter().find(|(n, _)| &**n == name) {
                    let field = self.low.captured_field(c, name, ty);
                    return Some(match self.outer_instance(c, span) {
                        Ok(object) => Ok(Place::Field(Some(object), field, ty.clone())),
                        Err(_) => Err(self.static_context(name, span)),
                    });
                }
            }
            class = self.low.table.class(c).outer;
        }
        self.static_import(name, |table, ty| table.find_field(ty, name)).map(|(f, ty)| Ok(Place::Field(None, f, ty)))
    }

    fn static_context(&mut self, name: &str, span: Span) -> Val {
        let message = format!("`{name}` belongs to an object, but there is no `this` in a static context");
        self.failed(Diagnostic::error("unknown-name", span, message))
    }

    /// Looks a member up in the classes that static imports name.
    pub fn static_import<T>(&mut self, name: &str, find: impl Fn(&mut Table, &Type) -> Option<T>) -> Option<T> {
        let unit = self.types.unit.clone()?;
        let imports = unit.imports.iter().chain(unit.specs.iter().flat_map(|spec| &spec.imports));
        for import in imports.filter(|i| i.is_static) {
            let class = match import.path.rsplit_once('.') {
                Some((class, member)) if !import.wildcard && member == name => class,
                _ if import.wildcard => &import.path,
                _ => continue,
            };
            if let Some(class) = self.low.table.find_qualified(class)
                && let Some(found) = find(&mut self.low.table, &Type::class(class))
            {
                return Some(found);
            }
        }
        None
    }

    /// The enclosing object of a lexically enclosing class: `this`, or a walk along the outer instances.
    pub fn outer_instance(&mut self, class: ClassIx, span: Span) -> Result<Expr, ()> {
        if !self.has_this {
            return Err(());
        }
        let mut object = self.this_expr(span);
        let mut at = self.class;
        while at != class {
            if self.low.table.class(at).is_static {
                return Err(());
            }
            let outer = self.low.table.class(at).outer.ok_or(())?;
            let field = self.low.outer_field(at).and_then(|f| self.low.field_id(f)).ok_or(())?;
            let ty = Ty::Class(self.low.class_id(outer));
            object = expr(ExprKind::Field(Box::new(object), field), ty, span);
            at = outer;
        }
        Ok(object)
    }

    /// `this` as the user means it: in a lambda, the object around it.
    pub fn this_value(&mut self, span: Span) -> Val {
        let mut class = self.class;
        while self.low.table.class(class).local.as_ref().is_some_and(|l| l.is_lambda) {
            match self.low.table.class(class).outer {
                Some(outer) => class = outer,
                None => break,
            }
        }
        match self.outer_instance(class, span) {
            Ok(expr) => Val { expr, ty: self.low.table.self_type(class) },
            Err(()) => {
                let message = "there is no `this` in a static context";
                self.failed(Diagnostic::error("unknown-name", span, message))
            }
        }
    }

    /// The class around the body whose members names mean: lambdas are looked through.
    pub fn lexical_class(&self) -> ClassIx {
        let mut class = self.class;
        while self.low.table.class(class).local.as_ref().is_some_and(|l| l.is_lambda) {
            match self.low.table.class(class).outer {
                Some(outer) => class = outer,
                None => break,
            }
        }
        class
    }

    /// Reads a place.
    pub fn read(&mut self, place: Place, span: Span) -> Val {
        match place {
            Place::Local(i) => {
                let var = self.vars[i].clone();
                if let Some(constant) = var.constant {
                    return Val { expr: Expr { span, ..constant }, ty: var.ty };
                }
                let ty = self.locals[var.local.index()].ty;
                Val { expr: expr(ExprKind::Local(var.local), ty, span), ty: var.ty }
            }
            Place::Field(object, field, ty) => self.read_field(object, field, ty, span),
        }
    }

    fn read_field(&mut self, object: Option<Expr>, field: FieldIx, ty: Type, span: Span) -> Val {
        let constant = match self.low.constant(field) {
            // Not part of any state: nobody looks at it.
            None if ty.is_floating() && self.low.field_id(field).is_none() => {
                let ir_ty = self.low.ir_type(&ty);
                Some(expr(ExprKind::Int(super::floating::unknown(&ty)), ir_ty, span))
            }
            constant => constant,
        };
        if let Some(constant) = constant {
            let value = Expr { span, ..constant };
            // The object only has to be there: comparing its class with itself throws if it is null.
            let is_this = |o: &Expr| self.has_this && matches!(o.kind, ExprKind::Local(ir::LocalId(0)));
            let object = object.filter(|o| !is_this(o));
            let read = object.map(|o| {
                let mut block = Vec::new();
                let o = self.bind(o, &mut block);
                let there = ExprKind::Intrinsic(ir::Intrinsic::SameClass, vec![o.clone(), o]);
                block.push(super::body::stmt(ir::StmtKind::Expr(expr(there, Ty::Bool, span)), span));
                block
            });
            let read = read.unwrap_or_default();
            return Val { expr: super::body::sequence(read, value), ty };
        }
        if object.is_none() && !self.low.is_initialised(field) {
            let what =
                format!("the static field `{}`, whose initialiser is not supported", self.low.table.field(field).name);
            return self.unsupported(span, &what, "avoid what leads here", ty);
        }
        let Some(id) = self.low.field_id(field) else { return self.floating(span) };
        let ir_ty = self.low.program.field(id).ty;
        let kind = match object {
            Some(object) => ExprKind::Field(Box::new(object), id),
            None => {
                let class = self.low.table.field(field).class;
                self.low.static_initialiser(class);
                match self.static_owner(field, span) {
                    Some(owner) => ExprKind::Field(Box::new(owner), id),
                    None => ExprKind::Static(id),
                }
            }
        };
        Val { expr: expr(kind, ir_ty, span), ty }
    }

    /// The type a name or dotted name stands for, if it is not a variable.
    pub fn as_type(&mut self, e: &ast::Expr) -> Option<Type> {
        match &e.kind {
            ast::ExprKind::Name(n) => {
                if self.is_variable(n) {
                    return None;
                }
                self.low.table.find_simple(&self.types.clone(), n)
            }
            ast::ExprKind::Field(front, last) => {
                if let Some(Type::Class(c, _)) = self.as_type(front) {
                    if self.low.table.find_field(&Type::class(c), &last.name).is_some() {
                        return None;
                    }
                    return self.low.table.member_class(c, &last.name).map(Type::class);
                }
                let path = dotted(e)?;
                let first = path.split('.').next().unwrap_or("");
                if self.is_variable(first) {
                    return None;
                }
                self.low.table.find_qualified(&path).map(Type::class)
            }
            _ => None,
        }
    }

    fn is_variable(&mut self, name: &str) -> bool {
        if self.vars.iter().any(|v| v.in_scope && &*v.name == name) {
            return true;
        }
        let mut class = Some(self.class);
        while let Some(c) = class {
            let ty = self.low.table.self_type(c);
            if self.low.table.find_field(&ty, name).is_some() {
                return true;
            }
            let info = self.low.table.class(c);
            if info.local.as_ref().is_some_and(|l| {
                l.captured.iter().any(|(n, _)| &**n == name) || l.constants.iter().any(|(n, _, _)| &**n == name)
            }) {
                return true;
            }
            class = info.outer;
        }
        self.static_import(name, |table, ty| table.find_field(ty, name)).is_some()
    }

    pub fn name(&mut self, name: &Name, span: Span) -> Val {
        match self.find_variable(name, span) {
            Some(Ok(place)) => self.read(place, span),
            Some(Err(val)) => Val { expr: Expr { span, ..val.expr }, ty: val.ty },
            None => self.unknown_name(name, span),
        }
    }

    pub fn unknown_name(&mut self, name: &str, span: Span) -> Val {
        let mut names: Vec<Name> = self.vars.iter().map(|v| v.name.clone()).collect();
        let mut class = Some(self.class);
        while let Some(c) = class {
            let members = self.low.table.members(c);
            names.extend(members.fields.iter().map(|f| self.low.table.field(*f).name.clone()));
            class = self.low.table.class(c).outer;
        }
        let mut d = Diagnostic::error("unknown-name", span, format!("`{name}` is not known here"));
        d.help = did_you_mean(name, names.iter().map(|n| &**n));
        self.failed(d)
    }

    /// `e.f`, as a place if it can be one.
    pub fn field_place(&mut self, target: &ast::Expr, field: &Ident) -> Result<Place, Val> {
        if let ast::ExprKind::Super(_) = target.kind {
            let this = self.this_value(target.span);
            let parent = self.superclass_type(&this.ty);
            return self.member_place(Some(this.expr), &parent, field);
        }
        if let Some(ty) = self.as_type(target) {
            return self.member_place(None, &ty, field);
        }
        let object = self.expr(target, None);
        if object.ty.is_error() {
            return Err(object);
        }
        let ty = object.ty.clone();
        let receiver = self.receiver(object);
        self.member_place(Some(receiver), &ty, field)
    }

    pub fn superclass_type(&mut self, ty: &Type) -> Type {
        let parents = self.low.table.supertypes(ty);
        parents.into_iter().next().unwrap_or_else(|| self.low.table.object())
    }

    /// A field that a replaced class has as well: of which of the two, only the programmer knows.
    fn replaced_field(&mut self, ty: &Type, field: &Ident) -> Option<Diagnostic> {
        let Type::Class(by, _) = *ty else { return None };
        let code = self.lexical_class();
        let modules = self.low.table.places_of(by, code);
        modules.into_iter().find(|module| {
            let own = self.low.table.self_type(*module);
            self.low.table.find_field(&own, &field.name).is_some()
        })?;
        let message = format!("`{}` is a field of a class that is replaced", field.name);
        let help = self.stands_for(ty).unwrap_or_default();
        Some(Diagnostic::error("replaced-class", field.span, message).help(help))
    }

    fn member_place(&mut self, object: Option<Expr>, ty: &Type, field: &Ident) -> Result<Place, Val> {
        let Some((fx, seen)) = self.low.table.find_field(ty, &field.name) else {
            if let Some(problem) = self.not_built_in(ty, field) {
                return Err(self.failed(problem));
            }
            let owner = self.low.table.type_name(ty);
            let names = self.field_names(ty);
            let mut d =
                Diagnostic::error("unknown-name", field.span, format!("`{owner}` has no field `{}`", field.name));
            d.help = self.stands_for(ty).or_else(|| did_you_mean(&field.name, names.iter().map(|n| &**n)));
            return Err(self.failed(d));
        };
        if let Some(problem) = self.replaced_field(ty, field) {
            return Err(self.failed(problem));
        }
        let is_static = self.low.table.field(fx).is_static;
        match (object, is_static) {
            (Some(object), false) => {
                let owner = Type::class(self.low.table.field(fx).class);
                Ok(Place::Field(Some(self.coerce(object, &owner)), fx, seen))
            }
            (Some(object), true) if !matches!(object.kind, ExprKind::Local(_) | ExprKind::Static(_)) => {
                Err(self.unsupported(field.span, "a static field of an expression", "name its class instead", seen))
            }
            (_, true) => Ok(Place::Field(None, fx, seen)),
            (None, false) => {
                let message = format!("`{}` belongs to an object, not to the class", field.name);
                Err(self.failed(Diagnostic::error("unknown-name", field.span, message)))
            }
        }
    }

    fn field_names(&mut self, ty: &Type) -> Vec<Name> {
        let Some(Type::Class(c, _)) = self.low.table.bounds(ty).into_iter().next() else { return Vec::new() };
        let members = self.low.table.members(c);
        members.fields.iter().map(|f| self.low.table.field(*f).name.clone()).collect()
    }
}

fn dotted(e: &ast::Expr) -> Option<String> {
    match &e.kind {
        ast::ExprKind::Name(n) => Some(n.to_string()),
        ast::ExprKind::Field(front, last) => Some(format!("{}.{}", dotted(front)?, last.name)),
        _ => None,
    }
}
