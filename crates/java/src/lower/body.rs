//! The body of one method while it is lowered: its locals, the names in scope, what `break` and `return` mean.

use super::Lowering;
use super::poly::Poly;
use crate::resolve::*;
use crate::syntax::ast::Name;
use ir::{Expr, ExprKind, LabelId, LocalId, Stmt, StmtKind, Ty};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};
use std::rc::Rc;

/// A lowered expression with its static type, which knows more than the erased one.
#[derive(Clone, Debug)]
pub struct Val {
    pub expr: Expr,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub struct Var {
    pub name: Name,
    pub local: LocalId,
    pub ty: Type,
    /// A final variable with a constant value.
    pub constant: Option<Expr>,
    /// Where `instanceof` binds it, if one does.
    pub pattern: Option<Span>,
    pub in_scope: bool,
}

#[derive(Clone, Debug)]
pub struct Jump {
    pub names: Vec<Name>,
    pub label: LabelId,
    pub kind: JumpKind,
    /// Whether some `break` goes after it.
    pub is_left: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum JumpKind {
    Loop,
    Switch,
    Block,
    /// A `switch` expression: where `yield` puts the value; its type, unless that is being found out; whether the context
    /// asked for it.
    Yield(LocalId, Option<Type>, bool),
}

/// What `return e` converts to.
#[derive(Clone, Debug)]
pub enum Returns {
    Type(Type),
    /// A lambda whose result decides a type argument; the type found so far.
    Inferred(Option<Type>),
    /// A lambda that is only looked at: its results go to [`Body::yielded`].
    Collected,
}

pub struct Body<'l, 'a> {
    pub low: &'l mut Lowering<'a>,
    pub class: ClassIx,
    /// Whether there is a `this`.
    pub has_this: bool,
    pub declarative: bool,
    /// Code that the user did not write: what is not known there matters only if a run gets to it.
    pub is_library: bool,
    pub locals: Vec<ir::Local>,
    pub vars: Vec<Var>,
    pub types: TypeScope,
    pub jumps: Vec<Jump>,
    pub returns: Returns,
    next_label: u32,
    /// Counts assignments to user variables: an operand needs no copy if none happens after it.
    pub assignments: usize,
    /// Labels that stand directly before the statement to come.
    pub pending_labels: Vec<Name>,
    /// What a `switch` expression yields, or a lambda returns, while its type is being found out.
    pub yielded: Vec<Rc<Poly>>,
    /// The result expressions of conditional and `switch` expressions that were looked at.
    pub polys: FxHashMap<Span, Rc<Poly>>,
    /// The expression to come is what a method is called on.
    pub asked: Option<Span>,
    /// A call that gave an abstraction in the place of its module.
    pub is_abstraction: Option<Span>,
}

impl<'l, 'a> Body<'l, 'a> {
    pub fn new(low: &'l mut Lowering<'a>, class: ClassIx, has_this: bool, types: TypeScope) -> Body<'l, 'a> {
        let is_library = low.is_library(class);
        Body {
            low,
            class,
            has_this,
            declarative: false,
            is_library,
            locals: Vec::new(),
            vars: Vec::new(),
            types,
            jumps: Vec::new(),
            returns: Returns::Type(Type::Void),
            next_label: 0,
            assignments: 0,
            pending_labels: Vec::new(),
            yielded: Vec::new(),
            polys: FxHashMap::default(),
            asked: None,
            is_abstraction: None,
        }
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.low.error(diagnostic);
    }

    pub fn label(&mut self) -> LabelId {
        self.next_label += 1;
        LabelId(self.next_label - 1)
    }

    pub fn declare(&mut self, name: Name, ty: Type) -> LocalId {
        let ir_ty = self.low.ir_type(&ty);
        let local = self.new_local(&name, ir_ty);
        self.vars.push(Var { name, local, ty, constant: None, pattern: None, in_scope: true });
        local
    }

    pub fn new_local(&mut self, name: &str, ty: Ty) -> LocalId {
        self.locals.push(ir::Local { name: name.to_string(), ty });
        LocalId(self.locals.len() as u32 - 1)
    }

    pub fn temp(&mut self, ty: Ty) -> LocalId {
        // A value of type null may be put anywhere; a variable needs a class.
        let ty = if ty == Ty::Null { Ty::Class(self.low.program.known.object) } else { ty };
        self.new_local("", ty)
    }

    /// Puts a value into a new temporary; `this` needs none.
    pub fn bind(&mut self, expr: Expr, block: &mut Vec<Stmt>) -> Expr {
        if matches!(expr.kind, ExprKind::Local(LocalId(0))) && self.has_this || is_literal(&expr) {
            return expr;
        }
        let (ty, span) = (expr.ty, expr.span);
        let local = self.temp(ty);
        let ty = self.locals[local.index()].ty;
        block.push(set_local(local, expr, span));
        Expr { kind: ExprKind::Local(local), ty, span, pure: false }
    }

    /// Puts an object into a temporary and throws if it is null: an exact call of a method without effect does.
    pub fn require(&mut self, object: Expr, block: &mut Vec<Stmt>) -> Expr {
        let span = object.span;
        let object = self.bind(object, block);
        let of = self.low.table.object();
        let equals = self.low.table.find_methods(&of, "equals").into_iter().next();
        let test = match (object.ty, equals) {
            (Ty::Array(_), _) => expr(ExprKind::Length(Box::new(object.clone())), Ty::Int, span),
            (_, Some(equals)) => {
                let arguments = vec![object.clone(), expr(ExprKind::Null, Ty::Null, span)];
                expr(ExprKind::Call(self.low.method_id(equals.method), arguments), Ty::Bool, span)
            }
            (_, None) => return object,
        };
        block.push(stmt(StmtKind::Expr(test), span));
        object
    }

    pub fn this_expr(&mut self, span: Span) -> Expr {
        let ty = Ty::Class(self.low.class_id(self.class));
        expr(ExprKind::Local(LocalId(0)), ty, span)
    }

    pub fn unsupported(&mut self, span: Span, what: &str, instead: &str, ty: Type) -> Val {
        let kind = ExprKind::Unsupported(Box::new(super::unsupported(span, what, instead)));
        let ir_ty = self.low.ir_type(&ty);
        Val { expr: expr(kind, ir_ty, span), ty }
    }

    /// After a diagnostic: stands for a value of any type.
    /// In code of the library, and where something is not supported, it is one that stops a run which gets there.
    pub fn failed(&mut self, diagnostic: Diagnostic) -> Val {
        let span = diagnostic.span.unwrap_or_default();
        if self.is_library {
            let kind = ExprKind::Unsupported(self.low.library_diagnostic(diagnostic));
            return Val { expr: expr(kind, Ty::Null, span), ty: Type::Error };
        }
        // What is declarative is a formula as a whole, also for runs that do not get there.
        if diagnostic.id == "unsupported" && !self.declarative {
            let kind = ExprKind::Unsupported(Box::new(diagnostic));
            return Val { expr: expr(kind, Ty::Null, span), ty: Type::Error };
        }
        self.error(diagnostic);
        Val { expr: expr(ExprKind::Null, Ty::Null, span), ty: Type::Error }
    }

    pub fn resolve(&mut self, ty: &crate::syntax::ast::TypeRef) -> Type {
        match self.low.table.resolve(&self.types, ty) {
            Ok(ty) => ty,
            Err(problem) => {
                self.error(*problem);
                Type::Error
            }
        }
    }
}

pub fn expr(kind: ExprKind, ty: Ty, span: Span) -> Expr {
    Expr { kind, ty, span, pure: false }
}

pub fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

pub fn set_local(local: LocalId, value: Expr, span: Span) -> Stmt {
    let ty = value.ty;
    stmt(StmtKind::Expr(expr(ExprKind::SetLocal(local, Box::new(value)), ty, span)), span)
}

pub fn is_literal(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::String(_) | ExprKind::Null)
}

/// `Sequence`, unless there is nothing before the value.
pub fn sequence(block: Vec<Stmt>, value: Expr) -> Expr {
    if block.is_empty() {
        return value;
    }
    let (ty, span) = (value.ty, value.span);
    expr(ExprKind::Sequence(block, Box::new(value)), ty, span)
}
