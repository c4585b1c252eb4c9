//! Lambdas and method references: a class of their own with one method, which captured variables are copied into.

use super::body::{Body, Returns, Val, expr, set_local, stmt};
use crate::resolve::*;
use crate::syntax::ast::{ExprKind as Written, *};
use ir::{ExprKind, LocalId, Ty};
use source::{Diagnostic, Span};
use std::rc::Rc;

impl Body<'_, '_> {
    /// `open` are type parameters of the call around that are not decided yet; the lambda may decide them.
    pub fn lambda(
        &mut self,
        lambda: &Rc<Lambda>,
        target: &Type,
        open: &[VarIx],
        map: &mut Substitution,
        span: Span,
    ) -> Val {
        if target.is_error() {
            return Val { expr: expr(ExprKind::Null, Ty::Null, span), ty: Type::Error };
        }
        let Some(function) = self.low.table.functional_method(target) else {
            let message = format!("a lambda is given where `{}` is expected", self.low.table.type_name(target));
            return self.failed(Diagnostic::error("type-mismatch", span, message));
        };
        if function.params.len() != lambda.params.len() {
            let message =
                format!("the lambda takes {} arguments, but {} are given", lambda.params.len(), function.params.len());
            return self.failed(Diagnostic::error("type-mismatch", span, message));
        }
        // Parameter types: written, or those of the interface.
        let mut params = Vec::new();
        for ((_, written), formal) in lambda.params.iter().zip(&function.params) {
            params.push(match written {
                Some(ty) => {
                    let ty = self.resolve(ty);
                    self.low.table.unify(formal, &ty, open, map);
                    ty
                }
                None => {
                    let formal = formal.substitute(map);
                    let formal = self.low.table.lower(&formal);
                    if formal.mentions(open) { self.low.table.erasure(&formal) } else { formal }
                }
            });
        }
        let class = self.lambda_class(target, span);
        let declared = self.low.table.method(function.method).clone();
        let method = self.low.table.add_method(MethodInfo {
            class,
            decl: None,
            is_static: false,
            is_abstract: false,
            is_private: false,
            is_constructor: false,
            is_final: true,
            span,
            name_span: span,
            problems: Vec::new(),
            ..declared
        });
        self.low.table.add_member_method(class, method);
        let id = self.low.new_method_id(method);
        let ret = function.ret.substitute(map);
        let ret = self.low.table.upper(&ret);
        let returns = if ret.mentions(open) { Returns::Inferred(None) } else { Returns::Type(ret.clone()) };
        let locals = std::mem::take(&mut self.low.program.methods[id.index()].locals);
        let problems = self.low.table.diagnostics.len();
        let types = self.types.clone();
        let declarative = self.declarative;
        let mut body = Body::new(&mut *self.low, class, true, types);
        body.types.class = Some(class);
        body.locals = locals;
        body.declarative = declarative;
        body.returns = returns;
        let mut out = Vec::new();
        for (i, ((name, _), ty)) in lambda.params.iter().zip(&params).enumerate() {
            body.lambda_param(name, LocalId(i as u32 + 1), ty, &mut out);
        }
        match &lambda.body {
            LambdaBody::Block(block) => body.block(block, &mut out),
            LambdaBody::Expr(e) => body.lambda_value(e, &mut out),
        }
        let locals = std::mem::take(&mut body.locals);
        let returned = body.returns.clone();
        let m = &mut self.low.program.methods[id.index()];
        m.locals = locals;
        m.body = Some(out);
        if self.low.table.diagnostics.len() == problems {
            self.low.check_return(id);
        }
        if let Returns::Inferred(Some(found)) = returned {
            self.low.table.unify(&function.ret.clone(), &found, open, map);
        }
        let mut constructor = None;
        for &m in &self.low.table.members(class).methods {
            if self.low.table.method(m).is_constructor {
                constructor = Some(m);
            }
        }
        let hidden = match self.hidden_arguments(class, None, self.class, span) {
            Ok(hidden) => hidden,
            Err(val) => return val,
        };
        match constructor {
            Some(c) => {
                let ty = target.substitute(map);
                let ty = self.low.table.upper(&ty);
                self.new_object(class, c, hidden, ty, span)
            }
            None => self.floating(span),
        }
    }

    fn lambda_class(&mut self, target: &Type, span: Span) -> ClassIx {
        let scope = Rc::new(self.local_scope(span, true));
        let decl = Rc::new(ClassDecl {
            name: Ident { name: "".into(), span },
            kind: DeclKind::Class,
            modifiers: Modifiers::default(),
            type_params: Vec::new(),
            superclass: None,
            interfaces: Vec::new(),
            constants: Vec::new(),
            members: Vec::new(),
            span,
        });
        let unit = self.low.table.class(self.class).unit.clone();
        let class = self.low.table.declare_class(decl, unit, Some(self.class), Some(scope), Some(!self.has_this));
        let object = self.low.table.object();
        let header = Header { superclass: Some(object), interfaces: vec![target.clone()], problems: Vec::new() };
        self.low.table.set_header(class, header);
        let constructor = self.low.table.implicit_constructor(class, Vec::new());
        self.low.table.add_member_method(class, constructor);
        class
    }

    /// The interface passes erased values; the lambda sees its own type.
    fn lambda_param(&mut self, name: &Ident, local: LocalId, ty: &Type, out: &mut Vec<ir::Stmt>) {
        let given = self.locals[local.index()].ty;
        let wanted = self.low.ir_type(ty);
        if self.low.is_ir_subtype(given, wanted) || !given.is_reference() {
            self.locals[local.index()].name = name.name.to_string();
            self.declare_param(name.name.clone(), local, ty.clone());
            return;
        }
        let value = expr(ExprKind::Local(local), given, name.span);
        let value = self.coerce(value, ty);
        let narrow = self.declare(name.name.clone(), ty.clone());
        out.push(set_local(narrow, value, name.span));
    }

    fn lambda_value(&mut self, e: &Expr, out: &mut Vec<ir::Stmt>) {
        if let Returns::Type(Type::Void) = self.returns {
            self.expr_stmt(e, out);
            return;
        }
        let value = self.returned(e);
        out.push(stmt(ir::StmtKind::Return(Some(value)), e.span));
    }

    pub fn method_ref(
        &mut self,
        target: &RefTarget,
        name: Option<&Ident>,
        expected: &Type,
        open: &[VarIx],
        map: &mut Substitution,
        span: Span,
    ) -> Val {
        let Some(function) = self.low.table.functional_method(expected) else {
            if expected.is_error() {
                return Val { expr: expr(ExprKind::Null, Ty::Null, span), ty: Type::Error };
            }
            let message =
                format!("a method reference is given where `{}` is expected", self.low.table.type_name(expected));
            return self.failed(Diagnostic::error("type-mismatch", span, message));
        };
        let count = function.params.len();
        self.unify_reference(target, name, &function.params, open, map);
        let (mut before, mark) = (Vec::new(), self.vars.len());
        let lambda = match self.as_lambda(target, name, count, span, &mut before) {
            Ok(lambda) => lambda,
            Err(val) => return val,
        };
        let val = self.lambda(&Rc::new(lambda), expected, open, map, span);
        self.vars.truncate(mark);
        Val { expr: super::body::sequence(before, val.expr), ty: val.ty }
    }

    /// A reference to the only static method of a name says what the parameters are (JLS 15.13.1, exact).
    fn unify_reference(
        &mut self,
        target: &RefTarget,
        name: Option<&Ident>,
        params: &[Type],
        open: &[VarIx],
        map: &mut Substitution,
    ) {
        let (RefTarget::Expr(e), Some(name)) = (target, name) else { return };
        let Some(ty) = self.as_type(e).filter(|_| !open.is_empty()) else { return };
        let candidates = self.low.table.find_methods(&ty, &name.name);
        let [only] = &candidates[..] else { return };
        let info = self.low.table.method(only.method);
        if info.is_static && info.type_params.is_empty() && info.params.len() == params.len() {
            for (formal, given) in params.iter().zip(&only.params) {
                self.low.table.unify(formal, given, open, map);
            }
        }
    }

    /// `X::m` as the lambda that it stands for.
    fn as_lambda(
        &mut self,
        target: &RefTarget,
        name: Option<&Ident>,
        count: usize,
        span: Span,
        before: &mut Vec<ir::Stmt>,
    ) -> Result<Lambda, Val> {
        let idents: Vec<Ident> = (0..count).map(|i| Ident { name: format!("p${i}").into(), span }).collect();
        let node = |kind| Expr { kind, span };
        let uses: Vec<Expr> = idents.iter().map(|i| node(Written::Name(i.name.clone()))).collect();
        let ty = match target {
            RefTarget::Type(ty) => Some(self.resolve(ty)),
            RefTarget::Expr(e) => self.as_type(e),
        };
        let mut first_type = None;
        let body = match (name, target, ty) {
            (None, _, None) => {
                return Err(self.failed(Diagnostic::error("unknown-type", span, "this type is not known")));
            }
            (None, RefTarget::Type(written), Some(Type::Array(_))) => {
                Written::NewArray { ty: written.clone(), lengths: uses, init: None }
            }
            (None, _, Some(_)) => {
                let ty = written_type(target, span, true);
                Written::New { outer: None, ty, arguments: uses, body: None }
            }
            (Some(name), _, Some(ty)) => {
                let candidates = self.low.table.find_methods(&ty, &name.name);
                if candidates.is_empty() {
                    return Err(self.unknown_method(&ty, name));
                }
                let is_static = candidates.iter().any(|c| {
                    let m = self.low.table.method(c.method);
                    m.is_static && (m.params.len() == count || m.varargs)
                });
                let call = |target: Expr, arguments| Written::Call {
                    target: Some(Box::new(target)),
                    type_args: Vec::new(),
                    name: name.clone(),
                    arguments,
                };
                if is_static {
                    let RefTarget::Expr(class) = target else { return Err(self.floating(span)) };
                    call(Expr::clone(class), uses)
                } else {
                    first_type = Some(written_type(target, span, false));
                    let mut uses = uses.into_iter();
                    let Some(receiver) = uses.next() else { return Err(self.unknown_method(&ty, name)) };
                    call(receiver, uses.collect())
                }
            }
            (Some(name), RefTarget::Expr(e), None) => {
                let receiver = self.bound_receiver(e, span, before);
                let target = Some(Box::new(receiver));
                Written::Call { target, type_args: Vec::new(), name: name.clone(), arguments: uses }
            }
            (Some(_), RefTarget::Type(_), None) => return Err(self.floating(span)),
        };
        let params = idents.into_iter().enumerate().map(|(i, ident)| (ident, first_type.clone().filter(|_| i == 0)));
        Ok(Lambda { params: params.collect(), body: LambdaBody::Expr(node(body)) })
    }

    /// The receiver of `e::m` is evaluated once, when the reference is made.
    fn bound_receiver(&mut self, e: &Expr, span: Span, before: &mut Vec<ir::Stmt>) -> Expr {
        if matches!(e.kind, Written::This | Written::Super(_)) {
            return e.clone();
        }
        let val = self.expr(e, None);
        if val.ty.is_error() {
            return e.clone();
        }
        // The name must occur in the text of the reference for it to be captured: the first identifier there does.
        let text = self.low.table.sources.text(span).to_string();
        let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').find(|w| !w.is_empty()).unwrap_or("new");
        let ty = val.ty.clone();
        let object = self.receiver(val);
        let object = self.require(object, before);
        let local = self.declare(word.into(), ty);
        before.push(set_local(local, object, span));
        Expr { kind: Written::Name(word.into()), span }
    }
}

/// The type before `::`, as a type: raw where no arguments are written, or with the diamond for `new`.
fn written_type(target: &RefTarget, span: Span, diamond: bool) -> TypeRef {
    match target {
        RefTarget::Type(ty) => ty.clone(),
        RefTarget::Expr(e) => {
            let mut parts = Vec::new();
            collect(e, &mut parts);
            if let (true, Some(last)) = (diamond, parts.last_mut()) {
                last.1 = Some(Vec::new());
            }
            TypeRef { kind: TypeRefKind::Named(parts), span }
        }
    }
}

fn collect(e: &Expr, parts: &mut Vec<(Ident, Option<Vec<TypeRef>>)>) {
    match &e.kind {
        Written::Name(n) => parts.push((Ident { name: n.clone(), span: e.span }, None)),
        Written::Field(front, last) => {
            collect(front, parts);
            parts.push((last.clone(), None));
        }
        _ => {}
    }
}

/// Whether a block returns a value anywhere (not counting classes and lambdas within).
pub fn returns_value(block: &[Stmt]) -> bool {
    // A block that only throws fits both; a value is what most interfaces want.
    let only_throws = matches!(block, [Stmt { kind: StmtKind::Throw(_), .. }]);
    fn returns(stmt: &Stmt) -> bool {
        matches!(stmt.kind, StmtKind::Return(Some(_))) || stmt.parts().into_iter().any(returns)
    }
    only_throws || block.iter().any(returns)
}
