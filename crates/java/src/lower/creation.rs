//! `new`: objects of top-level, nested, inner, local and anonymous classes; arrays.

use super::Lowering;
use super::body::{Body, Val, expr, sequence};
use super::calls::{Chosen, Pending};
use crate::resolve::*;
use crate::syntax::ast::{self, ClassDecl, Ident, Name, TypeRef, TypeRefKind};
use ir::{Expr, ExprKind, Ty};
use source::{Diagnostic, Span};
use std::rc::Rc;

impl Body<'_, '_> {
    pub fn creation(
        &mut self,
        outer: Option<&ast::Expr>,
        ty: &TypeRef,
        arguments: &[ast::Expr],
        body: Option<&Rc<ClassDecl>>,
        expected: Option<&Type>,
        span: Span,
    ) -> Val {
        let outer = outer.map(|o| self.required_outer(o));
        let resolved = match &outer {
            Some((outer_ty, _)) => self.inner_type(outer_ty, ty),
            None => self.resolve(ty),
        };
        let Type::Class(class, _) = resolved else {
            return Val { expr: expr(ExprKind::Null, Ty::Null, span), ty: Type::Error };
        };
        if let (Some(module), Some(_)) = (self.replaced_name(ty), body) {
            let problem = crate::check::extends(&self.low.table, "", module, ty.span);
            return self.failed(problem);
        }
        let diamond = is_diamond(ty);
        let pending = self.pending(arguments);
        let resolved = if diamond { self.low.table.self_type(class) } else { resolved };
        if let Some(body) = body {
            let resolved = match (diamond, expected) {
                (true, Some(expected)) => self.low.table.as_super(expected, class).unwrap_or(Type::class(class)),
                (true, None) => Type::class(class),
                _ => resolved,
            };
            return self.anonymous(&resolved, body, pending, ty, span);
        }
        let info = self.low.table.class(class);
        if info.decl.modifiers.is_abstract || info.is_interface() || info.is_enum() {
            let message = format!("`{}` is abstract: no object of it can be made", info.name);
            let at = info.decl.name.span;
            return self.failed(Diagnostic::error("abstract-class", span, message).related(at, "declared here"));
        }
        if self.low.table.unboxed(&resolved).is_some()
            && self.low.table.class(self.class).unit.origin != Origin::Prelude
        {
            // As good as `valueOf` where nobody can tell one from the other.
            match self.is_library {
                true => {
                    return self.unsupported(span, "`new` of a box class in library code", "avoid the call", resolved);
                }
                false => self.low.new_boxes.push(span),
            }
        }
        let (constructor, arguments, ty) = match self.construct(&resolved, pending, expected, diamond, ty, span) {
            Ok(constructed) => constructed,
            Err(expr) => return Val { expr, ty: resolved },
        };
        let mut all = match self.hidden_arguments(class, outer.map(|(_, e)| e), self.class, span) {
            Ok(hidden) => hidden,
            Err(val) => return val,
        };
        all.extend(arguments);
        self.new_object(class, constructor, all, ty, span)
    }

    pub fn replaced_name(&mut self, written: &TypeRef) -> Option<ClassIx> {
        let scope = self.types.clone();
        self.low.table.replaced_name(&scope, written)
    }

    /// `outer` of `outer.new Inner()` or `outer.super()`, and its type.
    pub fn required_outer(&mut self, outer: &ast::Expr) -> (Type, Expr) {
        let val = self.expr(outer, None);
        let ty = val.ty.clone();
        let mut block = Vec::new();
        let object = self.receiver(val);
        let object = self.require(object, &mut block);
        (ty, sequence(block, object))
    }

    pub fn new_object(
        &mut self,
        class: ClassIx,
        constructor: MethodIx,
        arguments: Vec<Expr>,
        ty: Type,
        span: Span,
    ) -> Val {
        self.low.static_initialiser(class);
        let id = self.low.made_class_id(class);
        let constructor = self.low.method_id(constructor);
        Val { expr: expr(ExprKind::New(id, constructor, arguments), Ty::Class(id), span), ty }
    }

    fn inner_type(&mut self, outer: &Type, ty: &TypeRef) -> Type {
        let (Type::Class(c, args), TypeRefKind::Named(parts)) = (outer, &ty.kind) else { return Type::Error };
        let Some((name, own)) = parts.first() else { return Type::Error };
        let own: Vec<Type> = own.iter().flatten().map(|a| self.resolve(a)).collect();
        match self.low.table.member_class(*c, &name.name) {
            Some(found) => self.low.table.apply_arguments(found, own, args),
            None => {
                let message = format!("`{}` has no inner class `{}`", self.low.table.type_name(outer), name.name);
                self.failed(Diagnostic::error("unknown-type", name.span, message));
                Type::Error
            }
        }
    }

    /// Picks the constructor and converts the arguments; the type with inferred arguments. What takes its place if there is none.
    fn construct(
        &mut self,
        ty: &Type,
        pending: Vec<Pending>,
        expected: Option<&Type>,
        diamond: bool,
        written: &TypeRef,
        span: Span,
    ) -> Result<(MethodIx, Vec<Expr>, Type), Expr> {
        let Type::Class(class, _) = ty else { return Err(expr(ExprKind::Null, Ty::Null, span)) };
        let candidates = self.low.table.constructors(ty);
        let name = Ident { name: self.low.table.class(*class).name.as_str().into(), span: written.span };
        let Some(Chosen { candidate, phase, mut vars }) = self.choose(&candidates, &pending, &name, span) else {
            return Err(self.evaluated(pending, span).expr);
        };
        if diamond {
            let info = self.low.table.class(*class);
            vars.extend(&info.type_params[..info.decl.type_params.len()]);
        }
        let method = candidate.method;
        if let Some(module) = self.replaced_name(written)
            && let Some(problem) = crate::check::not_made(&mut self.low.table, module, &candidate, span)
        {
            return Err(self.failed(problem).expr);
        }
        let chosen = Chosen { candidate, phase, vars };
        let passed = self.arguments(&chosen, pending, &[], expected, span);
        Ok((method, passed.arguments, passed.ret))
    }

    /// What a constructor takes before its parameters: the outer instance, then captured variables. `from` is the class
    /// at which the search for the outer instance starts.
    pub fn hidden_arguments(
        &mut self,
        class: ClassIx,
        outer: Option<Expr>,
        from: ClassIx,
        span: Span,
    ) -> Result<Vec<Expr>, Val> {
        let mut hidden = Vec::new();
        let info = self.low.table.class(class).clone();
        if let (false, Some(wanted)) = (info.is_static, info.outer) {
            let object = match outer {
                Some(object) => object,
                None => self.enclosing(wanted, info.local.is_some(), from, &info.name, span)?,
            };
            hidden.push(object);
        }
        if let Some(local) = &info.local {
            for (name, ty) in &local.captured {
                let val = self.name(name, span);
                hidden.push(self.coerce(val.expr, ty));
            }
        }
        Ok(hidden)
    }

    /// The innermost enclosing object that is a `wanted`.
    fn enclosing(&mut self, wanted: ClassIx, exact: bool, from: ClassIx, name: &str, span: Span) -> Result<Expr, Val> {
        let mut at = Some(from);
        while let Some(c) = at {
            let fits = if exact { c == wanted } else { self.low.table.is_subclass(c, wanted) };
            if fits && let Ok(object) = self.outer_instance(c, span) {
                return Ok(object);
            }
            at = self.low.table.class(c).outer;
        }
        let outer = self.low.table.class(wanted).name.clone();
        let message =
            format!("an object of the inner class `{name}` needs an enclosing `{outer}`, and there is none here");
        let d =
            Diagnostic::error("unknown-name", span, message).help("make the class `static`, or write `outer.new …`");
        Err(self.failed(d))
    }

    fn anonymous(
        &mut self,
        ty: &Type,
        body: &Rc<ClassDecl>,
        pending: Vec<Pending>,
        written: &TypeRef,
        span: Span,
    ) -> Val {
        let Type::Class(parent, _) = ty else { return self.floating(span) };
        let is_interface = self.low.table.class(*parent).is_interface();
        let class = self.declare_local(body.clone(), Name::from(""));
        let object = self.low.table.object();
        let header = match is_interface {
            true => Header { superclass: Some(object.clone()), interfaces: vec![ty.clone()], problems: Vec::new() },
            false => Header { superclass: Some(ty.clone()), interfaces: Vec::new(), problems: Vec::new() },
        };
        self.low.table.set_header(class, header);
        let parent_type = if is_interface { object } else { ty.clone() };
        let (parent_constructor, arguments, _) = match self.construct(&parent_type, pending, None, false, written, span)
        {
            Ok(constructed) => constructed,
            Err(expr) => return Val { expr, ty: ty.clone() },
        };
        let params = self.low.table.method(parent_constructor).params.clone();
        let constructor = self.low.table.implicit_constructor(class, params);
        self.low.table.add_member_method(class, constructor);
        self.low.super_constructors.insert(constructor, parent_constructor);
        let mut all = match self.hidden_arguments(class, None, self.class, span) {
            Ok(hidden) => hidden,
            Err(val) => return val,
        };
        all.extend(arguments);
        self.new_object(class, constructor, all, Type::class(class), span)
    }

    pub fn new_array(&mut self, ty: &TypeRef, lengths: &[ast::Expr], init: Option<&ast::Expr>, span: Span) -> Val {
        let ty = self.resolve(ty);
        if let Some(init) = init {
            let ast::ExprKind::ArrayInit(elements) = &init.kind else { return self.floating(span) };
            return self.array_init(&ty, elements, span);
        }
        let lengths = lengths
            .iter()
            .map(|l| {
                let val = self.expr(l, Some(&INT));
                self.int_operand(val)
            })
            .collect();
        if innermost(&ty).is_floating() {
            return self.floating_array(ty, span);
        }
        let ir_ty = self.low.ir_type(&ty);
        Val { expr: expr(ExprKind::NewArray(lengths), ir_ty, span), ty }
    }

    fn floating_array(&mut self, ty: Type, span: Span) -> Val {
        self.unsupported(span, "a new array of floating-point numbers", "use `int` or `long`", ty)
    }

    pub fn array_init(&mut self, ty: &Type, elements: &[ast::Expr], span: Span) -> Val {
        let Type::Array(element) = ty else {
            let message = format!("an array initialiser is given where `{}` is expected", self.low.table.type_name(ty));
            return self.failed(Diagnostic::error("type-mismatch", span, message));
        };
        if innermost(ty).is_floating() {
            return self.floating_array(ty.clone(), span);
        }
        let mut lowered = Vec::new();
        for e in elements {
            let val = self.expr(e, Some(element));
            lowered.push(self.assign_to(val, element));
        }
        let ir_ty = self.low.ir_type(ty);
        Val { expr: expr(ExprKind::ArrayLiteral(lowered), ir_ty, span), ty: ty.clone() }
    }
}

fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array(e) => innermost(e),
        _ => ty,
    }
}

fn is_diamond(ty: &TypeRef) -> bool {
    match &ty.kind {
        TypeRefKind::Named(parts) => parts.last().is_some_and(|(_, args)| args.as_ref().is_some_and(Vec::is_empty)),
        _ => false,
    }
}

impl Lowering<'_> {
    /// A new object of a class that no constructor runs on: only its class is looked at. None if all that is of the class is exactly of it,
    /// or nothing is.
    pub fn bare_object(&mut self, class: ClassIx, span: Span) -> Option<Expr> {
        let info = self.table.class(class);
        let has_none = info.is_interface() || info.decl.modifiers.is_abstract;
        if has_none || info.is_final() || info.is_enum() || self.table.unboxed(&Type::class(class)).is_some() {
            return None;
        }
        let id = self.made_class_id(class);
        Some(self.bare(id, span))
    }

    /// A new object that no constructor runs on.
    pub fn bare(&mut self, id: ir::ClassId, span: Span) -> Expr {
        let selector = self.selector_of(name("<bare>"), Vec::new());
        let method = self.add_synthetic(ir::Method {
            name: "<bare>".into(),
            class: id,
            selector,
            is_static: false,
            is_constructor: true,
            is_declarative: true,
            is_implicit: true,
            return_ty: Ty::Void,
            parameters: Vec::new(),
            locals: vec![ir::Local { name: "this".into(), ty: Ty::Class(id) }],
            body: Some(Vec::new()),
            span,
            name_span: span,
        });
        expr(ExprKind::New(id, method, Vec::new()), Ty::Class(id), span)
    }
}
