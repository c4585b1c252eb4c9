//! Records: a final class with private final fields, a canonical constructor, accessors, `equals` and `hashCode`, all
//! written out as syntax.

use super::ast::*;
use source::Span;
use std::rc::Rc;

pub fn add_members(decl: &mut ClassDecl, (components, varargs): (Vec<Param>, bool)) {
    decl.modifiers.is_final = true;
    decl.modifiers.is_static = true;
    let assignments: Vec<Stmt> = components
        .iter()
        .map(|c| {
            let value = expr(ExprKind::Name(c.name.name.clone()), c.name.span);
            let assign = ExprKind::Assign(None, Box::new(own(c)), Box::new(value));
            Stmt { kind: StmtKind::Expr(expr(assign, c.name.span)), span: c.name.span }
        })
        .collect();
    let mut has_canonical = false;
    let mut declared: Vec<(Name, usize)> = Vec::new();
    for member in &mut decl.members {
        let Member::Method(method) = member else { continue };
        // A compact constructor is neither marked as one nor has a result of its own.
        if !method.is_constructor && method.return_ty.span == method.name.span {
            let mut method = MethodDecl::clone(method);
            method.is_constructor = true;
            method.params = components.clone();
            method.varargs = varargs;
            method.body.get_or_insert_default().extend(assignments.iter().cloned());
            *member = Member::Method(Rc::new(method));
            has_canonical = true;
        } else if method.is_constructor {
            // Another one with as many parameters is rare; Java would tell them apart by their types.
            has_canonical |= method.params.len() == components.len();
        } else {
            declared.push((method.name.name.clone(), method.params.len()));
        }
    }
    let is_declared = |name: &str, params: usize| declared.iter().any(|(n, p)| &**n == name && *p == params);
    let mut added = Vec::new();
    for c in &components {
        let annotations = c.modifiers.annotations.clone();
        let modifiers = Modifiers { is_private: true, is_final: true, annotations, ..Modifiers::default() };
        let span = c.name.span;
        let field =
            FieldDecl { name: c.name.clone(), ty: c.ty.clone(), modifiers: Rc::new(modifiers), init: None, span };
        added.push(Member::Field(Rc::new(field)));
        if !is_declared(&c.name.name, 0) {
            added.push(method(&c.name, c.ty.clone(), Vec::new(), own(c)));
        }
    }
    let span = decl.name.span;
    let ident = |name: &str| Ident { name: name.into(), span };
    if !is_declared("equals", 1) {
        let object = TypeRef { kind: TypeRefKind::Named(vec![(ident("Object"), None)]), span };
        let other = Param { name: ident("other"), ty: object, modifiers: Modifiers::default() };
        let boolean = TypeRef { kind: TypeRefKind::Prim(Prim::Bool), span };
        let body = equals(decl, &components);
        added.push(method(&ident("equals"), boolean, vec![other], body));
    }
    if !is_declared("hashCode", 0) {
        let int = TypeRef { kind: TypeRefKind::Prim(Prim::Int), span };
        added.push(method(&ident("hashCode"), int, Vec::new(), hash_code(&components, span)));
    }
    if !has_canonical {
        let modifiers = Modifiers { is_public: true, annotations: vec![declarative(span)], ..Modifiers::default() };
        added.push(Member::Method(Rc::new(MethodDecl {
            name: decl.name.clone(),
            modifiers,
            type_params: Vec::new(),
            return_ty: TypeRef { kind: TypeRefKind::Void, span },
            params: components,
            varargs,
            throws: Vec::new(),
            body: Some(assignments),
            is_constructor: true,
            span,
        })));
    }
    decl.members.splice(0..0, added);
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

/// `this.c`
fn own(c: &Param) -> Expr {
    let this = Box::new(expr(ExprKind::This, c.name.span));
    expr(ExprKind::Field(this, c.name.clone()), c.name.span)
}

fn declarative(span: Span) -> Annotation {
    Annotation { name: Ident { name: "Declarative".into(), span }, arguments: Vec::new(), span }
}

/// A public declarative method that returns a value.
fn method(name: &Ident, return_ty: TypeRef, params: Vec<Param>, value: Expr) -> Member {
    let span = name.span;
    let modifiers = Modifiers { is_public: true, annotations: vec![declarative(span)], ..Modifiers::default() };
    Member::Method(Rc::new(MethodDecl {
        name: name.clone(),
        modifiers,
        type_params: Vec::new(),
        return_ty,
        params,
        varargs: false,
        throws: Vec::new(),
        body: Some(vec![Stmt { kind: StmtKind::Return(Some(value)), span }]),
        is_constructor: false,
        span,
    }))
}

/// `java.util.Objects.name(arguments)`
fn objects_call(name: &str, arguments: Vec<Expr>, span: Span) -> Expr {
    let ident = |name: &str| Ident { name: name.into(), span };
    let java = expr(ExprKind::Name("java".into()), span);
    let util = expr(ExprKind::Field(Box::new(java), ident("util")), span);
    let objects = expr(ExprKind::Field(Box::new(util), ident("Objects")), span);
    let call = ExprKind::Call { target: Some(Box::new(objects)), type_args: Vec::new(), name: ident(name), arguments };
    expr(call, span)
}

/// Component by component: primitives by `==`, references by `equals`.
fn equals(decl: &ClassDecl, components: &[Param]) -> Expr {
    let span = decl.name.span;
    let ty = || TypeRef { kind: TypeRefKind::Named(vec![(decl.name.clone(), None)]), span };
    let other = || Box::new(expr(ExprKind::Name("other".into()), span));
    let same_type = expr(ExprKind::InstanceOf(other(), ty(), None), span);
    components.iter().fold(same_type, |so_far, c| {
        let cast = expr(ExprKind::Cast(ty(), other()), span);
        let theirs = expr(ExprKind::Field(Box::new(cast), c.name.clone()), span);
        let equal = match c.ty.kind {
            TypeRefKind::Prim(_) => expr(ExprKind::Binary(BinaryOp::Eq, Box::new(own(c)), Box::new(theirs)), span),
            _ => objects_call("equals", vec![own(c), theirs], span),
        };
        expr(ExprKind::Binary(BinaryOp::AndThen, Box::new(so_far), Box::new(equal)), span)
    })
}

/// As the JDK's own does it, though nothing promises that.
fn hash_code(components: &[Param], span: Span) -> Expr {
    let int = |v| expr(ExprKind::Literal(Literal::Int(v)), span);
    components.iter().fold(int(0), |so_far, c| {
        let scaled = expr(ExprKind::Binary(BinaryOp::Mul, Box::new(int(31)), Box::new(so_far)), span);
        let hash = objects_call("hashCode", vec![own(c)], span);
        expr(ExprKind::Binary(BinaryOp::Add, Box::new(scaled), Box::new(hash)), span)
    })
}
