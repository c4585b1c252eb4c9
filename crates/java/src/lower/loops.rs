//! The four loops as one (see [`ir::StmtKind::Loop`]).

use super::body::{Body, JumpKind, Val, expr, set_local, stmt};
use super::fold;
use crate::resolve::*;
use crate::syntax::ast::{self, Ident, TypeRef, TypeRefKind};
use ir::{Block, CompareOp, Expr, ExprKind, StmtKind, Ty};
use source::{Diagnostic, Span};

/// How a loop over all elements goes by their numbers.
#[derive(Clone, Copy)]
enum ByIndex {
    Array,
    /// By `get`.
    List,
    /// By `glassbox.Elements`.
    Collection,
    /// The same, and then this method of each entry, if any.
    Map(&'static str),
}

impl Body<'_, '_> {
    pub fn while_loop(&mut self, condition: &ast::Expr, body: &ast::Stmt, span: Span, out: &mut Block) {
        let (mark, test) = (self.vars.len(), condition);
        let label = self.push_jump(JumpKind::Loop);
        let condition = self.expr(condition, Some(&BOOL));
        let condition = self.condition(condition);
        self.in_scope_when(mark, test, true);
        let body = self.branch(body);
        self.behind_loop(mark, test);
        out.push(stmt(StmtKind::Loop { label, test_first: true, condition, body, update: Vec::new() }, span));
    }

    pub fn do_loop(&mut self, body: &ast::Stmt, condition: &ast::Expr, span: Span, out: &mut Block) {
        let (mark, test) = (self.vars.len(), condition);
        let label = self.push_jump(JumpKind::Loop);
        let body = self.branch(body);
        let condition = self.expr(condition, Some(&BOOL));
        let condition = self.condition(condition);
        self.behind_loop(mark, test);
        out.push(stmt(StmtKind::Loop { label, test_first: false, condition, body, update: Vec::new() }, span));
    }

    /// Behind a loop that no `break` leaves, its condition was false.
    fn behind_loop(&mut self, mark: usize, condition: &ast::Expr) {
        match self.jumps.pop() {
            Some(jump) if !jump.is_left => self.in_scope_when(mark, condition, false),
            _ => self.out_of_scope(mark),
        }
    }

    pub fn for_loop(
        &mut self,
        init: &[ast::Stmt],
        condition: Option<&ast::Expr>,
        update: &[ast::Expr],
        body: &ast::Stmt,
        span: Span,
        out: &mut Block,
    ) {
        let mark = self.vars.len();
        let labels = std::mem::take(&mut self.pending_labels);
        let mut block = Vec::new();
        for s in init {
            self.stmt(s, &mut block);
        }
        self.pending_labels = labels;
        let label = self.push_jump(JumpKind::Loop);
        let (bound, test) = (self.vars.len(), condition);
        let condition = match condition {
            Some(c) => {
                let c = self.expr(c, Some(&BOOL));
                self.condition(c)
            }
            None => expr(ExprKind::Bool(true), Ty::Bool, span),
        };
        if let Some(test) = test {
            self.in_scope_when(bound, test, true);
        }
        let body = self.branch(body);
        self.jumps.pop();
        let update = update.iter().map(|u| self.update_expr(u)).collect();
        block.push(stmt(StmtKind::Loop { label, test_first: true, condition, body, update }, span));
        self.vars.truncate(mark);
        self.scoped(block, span, out);
    }

    fn update_expr(&mut self, e: &ast::Expr) -> Expr {
        match &e.kind {
            ast::ExprKind::Update { increment, prefix, operand } => {
                self.update(*increment, *prefix, operand, false, e.span).expr
            }
            _ => self.expr(e, None).expr,
        }
    }

    pub fn for_each(
        &mut self,
        ty: &TypeRef,
        name: &Ident,
        iterable: &ast::Expr,
        body: &ast::Stmt,
        span: Span,
        out: &mut Block,
    ) {
        let labels = std::mem::take(&mut self.pending_labels);
        let map = if self.declarative { self.map_of_view(iterable) } else { None };
        let (collection, by) = match map {
            Some((map, part)) => (map, Some(ByIndex::Map(part))),
            None => {
                let collection = self.expr(iterable, None);
                let by = self.by_index(&collection.ty);
                (collection, by)
            }
        };
        self.pending_labels = labels;
        match by {
            _ if collection.ty.is_error() => out.push(stmt(StmtKind::Expr(collection.expr), span)),
            Some(by) => self.for_each_index(ty, name, (collection, by), body, span, out),
            None => self.for_each_iterable(ty, name, collection, body, span, out),
        }
    }

    fn element_type(&mut self, written: &TypeRef, element: &Type) -> Type {
        let is_var = matches!(written.kind, TypeRefKind::Var);
        if is_var { self.low.table.upper(element) } else { self.resolve(written) }
    }

    /// Of declarative code, which cannot change the state of an iterator.
    fn by_index(&mut self, ty: &Type) -> Option<ByIndex> {
        if let Type::Array(_) = ty {
            return Some(ByIndex::Array);
        }
        let is_collection = self.declarative && self.is_library(ty, "java.util.Collection");
        let is_list = is_collection && self.is_library(ty, "java.util.List");
        is_collection.then_some(if is_list { ByIndex::List } else { ByIndex::Collection })
    }

    fn is_library(&mut self, ty: &Type, above: &str) -> bool {
        let Type::Class(class, _) = self.low.table.upper(ty) else { return false };
        let above = self.low.table.find_top(above);
        self.low.is_library(class) && above.is_some_and(|above| self.low.table.is_subclass(class, above))
    }

    /// The map of the library in `map.entrySet()` and the like, and what of its entries is meant.
    fn map_of_view(&mut self, e: &ast::Expr) -> Option<(Val, &'static str)> {
        let ast::ExprKind::Call { target: Some(target), name, arguments, .. } = &e.kind else { return None };
        let part = match &*name.name {
            "entrySet" => "",
            "keySet" => "getKey",
            "values" => "getValue",
            _ => return None,
        };
        if !arguments.is_empty() || self.as_type(target).is_some() {
            return None;
        }
        let map = self.expr(target, None);
        (map.ty.is_error() || self.is_library(&map.ty, "java.util.Map")).then_some((map, part))
    }

    /// An element of a collection, or an entry of a map.
    fn nth(&mut self, all: Val, number: Expr, at: Span) -> Val {
        let super_type = |body: &mut Self, name: &str| {
            let class = body.low.table.find_top(name)?;
            body.low.table.as_super(&all.ty, class).map(|ty| (class, ty))
        };
        let ty = match super_type(self, "java.util.Map") {
            Some((map, Type::Class(_, arguments))) => {
                let entry = self.low.table.nested(map, "Entry");
                entry.map(|entry| Type::Class(entry, arguments))
            }
            _ => match super_type(self, "java.lang.Iterable") {
                Some((_, Type::Class(_, arguments))) => arguments.first().cloned(),
                _ => None,
            },
        };
        let ty = ty.unwrap_or_else(|| self.low.table.object());
        let ty = self.low.table.upper(&ty);
        let elements = self.low.table.known_type("glassbox.Elements");
        let ir_ty = self.low.ir_type(&elements);
        let erased = self.low.table.erasure(&all.ty);
        let class = self.low.table.type_name(&erased);
        let is_a = |ty: Ty| expr(ExprKind::InstanceOf(Box::new(all.expr.clone()), ty), Ty::Bool, at);
        // What no path has there, such as null, whose size was asked for, is no reason to stop.
        let is_other = expr(ExprKind::Not(Box::new(is_a(all.expr.ty))), Ty::Bool, at);
        let is_known = fold::or_else(is_a(ir_ty), is_other, at);
        let seen = Val { expr: expr(ExprKind::Cast(Box::new(all.expr), ir_ty), ir_ty, at), ty: elements };
        let element = self.call_with(seen, "element", Some(number), at).expr;
        let what = format!("`for` over a `{class}` like this one in declarative code");
        let help =
            "keep what it goes through in a list, an array, or a collection whose specification comes with the command";
        let problem = ExprKind::Unsupported(Box::new(super::unsupported(at, &what, help)));
        let otherwise = expr(problem, element.ty, at);
        Val { expr: fold::conditional(is_known, element, otherwise, at), ty }
    }

    fn for_each_index(
        &mut self,
        ty: &TypeRef,
        name: &Ident,
        (all, by): (Val, ByIndex),
        body: &ast::Stmt,
        span: Span,
        out: &mut Block,
    ) {
        let mark = self.vars.len();
        let at = all.expr.span;
        let all_ty = all.ty.clone();
        let all = self.receiver(all);
        let ir_ty = all.ty;
        let mut block = Vec::new();
        let copy = self.temp(ir_ty);
        block.push(set_local(copy, all, at));
        let all = Val { expr: expr(ExprKind::Local(copy), ir_ty, at), ty: all_ty };
        let counter = self.temp(Ty::Int);
        block.push(set_local(counter, expr(ExprKind::Int(0), Ty::Int, at), at));
        let counter_expr = expr(ExprKind::Local(counter), Ty::Int, at);
        let length = match &all.ty {
            Type::Array(_) => expr(ExprKind::Length(Box::new(all.expr.clone())), Ty::Int, at),
            _ => self.call_simple(all.clone(), "size", at).expr,
        };
        let condition = fold::compare(CompareOp::Lt, counter_expr.clone(), length, at);
        let one = expr(ExprKind::Int(1), Ty::Int, at);
        let next = fold::binary(ir::BinaryOp::Add, ir::Width::W32, counter_expr.clone(), one, at);
        let update = vec![expr(ExprKind::SetLocal(counter, Box::new(next)), Ty::Int, at)];
        let label = self.push_jump(JumpKind::Loop);
        let value = match (by, all.ty.clone()) {
            (_, Type::Array(element)) => self.element(all.expr, counter_expr, Type::clone(&element), name.span),
            (ByIndex::List, _) => self.call_with(all, "get", Some(counter_expr), at),
            (ByIndex::Map(part), _) if !part.is_empty() => {
                let entry = self.nth(all, counter_expr, at);
                let entry = Val { expr: self.receiver(entry.clone()), ty: entry.ty };
                self.call_simple(entry, part, at)
            }
            _ => self.nth(all, counter_expr, at),
        };
        let body = self.for_each_body(ty, name, value, body);
        self.jumps.pop();
        block.push(stmt(StmtKind::Loop { label, test_first: true, condition, body, update }, span));
        self.vars.truncate(mark);
        self.scoped(block, span, out);
    }

    fn for_each_body(&mut self, ty: &TypeRef, name: &Ident, value: Val, body: &ast::Stmt) -> Block {
        let mark = self.vars.len();
        let ty = self.element_type(ty, &value.ty.clone());
        let value = self.assign_to(value, &ty);
        let local = self.declare(name.name.clone(), ty);
        let mut block = vec![set_local(local, value, name.span)];
        block.extend(self.branch(body));
        self.vars.truncate(mark);
        block
    }

    fn for_each_iterable(
        &mut self,
        ty: &TypeRef,
        name: &Ident,
        collection: Val,
        body: &ast::Stmt,
        span: Span,
        out: &mut Block,
    ) {
        let at = collection.expr.span;
        let iterable = self.low.table.known("java.lang.Iterable");
        let Some(seen) = self.low.table.as_super(&collection.ty, iterable) else {
            let message =
                format!("`{}` is neither an array nor an `Iterable`", self.low.table.type_name(&collection.ty));
            self.error(Diagnostic::error("type-mismatch", at, message));
            return;
        };
        let element = match &seen {
            Type::Class(_, args) if !args.is_empty() => args[0].clone(),
            _ => self.low.table.object(),
        };
        let iterator = self.call_simple(collection, "iterator", at);
        if iterator.ty.is_error() {
            return;
        }
        let iterator_ty = iterator.ty.clone();
        let iterator = self.receiver(iterator);
        let ir_ty = iterator.ty;
        let copy = self.temp(ir_ty);
        let mut block = vec![set_local(copy, iterator, at)];
        let iterator = Val { expr: expr(ExprKind::Local(copy), ir_ty, at), ty: iterator_ty };
        let condition = self.call_simple(iterator.clone(), "hasNext", at);
        let condition = self.condition(condition);
        let label = self.push_jump(JumpKind::Loop);
        let mut value = self.call_simple(iterator, "next", at);
        value.ty = self.low.table.upper(&element);
        let body = self.for_each_body(ty, name, value, body);
        self.jumps.pop();
        block.push(stmt(StmtKind::Loop { label, test_first: true, condition, body, update: Vec::new() }, span));
        self.scoped(block, span, out);
    }
}
