//! Types and expressions that are made of others: substitution, which gives every binder of the copy a fresh variable, so that nothing is ever
//! captured; which variables occur; types that say less, and mention some variables no more.

use crate::program::*;
use crate::value::{Label, Value};
use crate::verify::closures::{free_of_type, free_variables};
use source::Span;
use std::collections::HashMap;

/// What stands for variables.
pub type Map = HashMap<VarId, Expr>;

pub fn ty(kind: TypeKind, span: Span) -> Type {
    Type { kind, span }
}

pub fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

pub fn var(id: VarId, span: Span) -> Expr {
    expr(ExprKind::Var(id), span)
}

pub fn negated(e: Expr) -> Expr {
    let span = e.span;
    expr(ExprKind::Op(Op::Not, vec![e]), span)
}

pub fn null(span: Span) -> Type {
    ty(TypeKind::Singleton(Box::new(expr(ExprKind::Constant(Value::Null), span))), span)
}

/// Makes variables that are nowhere else.
pub struct Fresh {
    pub next: u32,
}

impl Fresh {
    pub fn make(&mut self) -> VarId {
        self.next = self.next.saturating_add(1);
        VarId(self.next - 1)
    }

    fn binder(&mut self, of: VarId, map: &mut Map) -> VarId {
        let fresh = self.make();
        map.insert(of, var(fresh, Span::default()));
        fresh
    }

    pub fn ty(&mut self, of: &Type, map: &Map) -> Type {
        let mut boxed = |t: &Type| Box::new(self.ty(t, map));
        let kind = match &of.kind {
            TypeKind::Collection(t) => TypeKind::Collection(boxed(t)),
            TypeKind::Not(t) => TypeKind::Not(boxed(t)),
            TypeKind::Nullable(t) => TypeKind::Nullable(boxed(t)),
            TypeKind::And(a, b) => TypeKind::And(boxed(a), boxed(b)),
            TypeKind::Or(a, b) => TypeKind::Or(boxed(a), boxed(b)),
            TypeKind::Entity(fields) => TypeKind::Entity(
                fields
                    .iter()
                    .map(|f| Field { label: f.label.clone(), label_span: f.label_span, ty: self.ty(&f.ty, map) })
                    .collect(),
            ),
            TypeKind::Refinement(variable, base, condition) => {
                let base = Box::new(self.ty(base, map));
                let mut inner = map.clone();
                let fresh = self.binder(*variable, &mut inner);
                TypeKind::Refinement(fresh, base, Box::new(self.expr(condition, &inner)))
            }
            TypeKind::Singleton(only) => TypeKind::Singleton(Box::new(self.expr(only, map))),
            simple => simple.clone(),
        };
        ty(kind, of.span)
    }

    pub fn expr(&mut self, of: &Expr, map: &Map) -> Expr {
        let mut all = |parts: &[Expr]| parts.iter().map(|e| self.expr(e, map)).collect::<Vec<_>>();
        let kind = match &of.kind {
            ExprKind::Constant(value) => ExprKind::Constant(value.clone()),
            ExprKind::Var(id) => return map.get(id).cloned().unwrap_or_else(|| of.clone()),
            ExprKind::Op(op, parts) => ExprKind::Op(*op, all(parts)),
            ExprKind::Collection(parts) => ExprKind::Collection(all(parts)),
            ExprKind::Call(id, parts) => ExprKind::Call(*id, all(parts)),
            ExprKind::Cond(a, b, c) => {
                let mut boxed = |e: &Expr| Box::new(self.expr(e, map));
                ExprKind::Cond(boxed(a), boxed(b), boxed(c))
            }
            ExprKind::Let(variable, value, body) => {
                let value = Box::new(self.expr(value, map));
                let mut inner = map.clone();
                let fresh = self.binder(*variable, &mut inner);
                ExprKind::Let(fresh, value, Box::new(self.expr(body, &inner)))
            }
            ExprKind::Test(e, t) => ExprKind::Test(Box::new(self.expr(e, map)), Box::new(self.ty(t, map))),
            ExprKind::Ascribe(e, t) => ExprKind::Ascribe(Box::new(self.expr(e, map)), Box::new(self.ty(t, map))),
            ExprKind::Select(e, label) => ExprKind::Select(Box::new(self.expr(e, map)), label.clone()),
            ExprKind::Entity(fields) => {
                ExprKind::Entity(fields.iter().map(|(label, e)| (label.clone(), self.expr(e, map))).collect())
            }
            ExprKind::Accumulate(a) => {
                let (source, initial) = (self.expr(&a.source, map), self.expr(&a.initial, map));
                let annotation = a.annotation.as_ref().map(|t| self.ty(t, map));
                let mut inner = map.clone();
                let item = self.binder(a.item, &mut inner);
                let accumulator = self.binder(a.accumulator, &mut inner);
                let invariant = a.invariant.as_ref().map(|(rest, e)| {
                    let rest = self.binder(*rest, &mut inner);
                    (rest, self.expr(e, &inner))
                });
                let body = self.expr(&a.body, &inner);
                ExprKind::Accumulate(Box::new(Accumulate {
                    item,
                    source,
                    accumulator,
                    initial,
                    annotation,
                    invariant,
                    body,
                }))
            }
            ExprKind::Query(q) => {
                let source = self.expr(&q.source, map);
                let mut inner = map.clone();
                let item = self.binder(q.item, &mut inner);
                let filter = q.filter.as_ref().map(|e| self.expr(e, &inner));
                let select = self.expr(&q.select, &inner);
                ExprKind::Query(Box::new(Query { item, source, filter, select }))
            }
        };
        expr(kind, of.span)
    }
}

/// Whether one of these variables occurs free.
pub fn mentions(of: &Type, variables: &[VarId]) -> bool {
    let mut free = Vec::new();
    free_of_type(of, &mut Vec::new(), &mut free);
    free.iter().any(|v| variables.contains(v))
}

pub fn expr_mentions(of: &Expr, variables: &[VarId]) -> bool {
    let mut free = Vec::new();
    free_variables(of, &mut Vec::new(), &mut free);
    free.iter().any(|v| variables.contains(v))
}

/// A type of all that is in one, whatever values some variables have, of which the types are known.
pub fn forget(of: &Type, hidden: &[VarId], types: &HashMap<VarId, Type>, depth: usize) -> Type {
    if depth > 200 {
        return ty(TypeKind::Any, of.span);
    }
    if !mentions(of, hidden) {
        return of.clone();
    }
    let again = |t: &Type| forget(t, hidden, types, depth + 1);
    let boxed = |t: &Type| Box::new(again(t));
    let kind = match &of.kind {
        TypeKind::Collection(t) => TypeKind::Collection(boxed(t)),
        TypeKind::Nullable(t) => TypeKind::Nullable(boxed(t)),
        TypeKind::And(a, b) => TypeKind::And(boxed(a), boxed(b)),
        TypeKind::Or(a, b) => TypeKind::Or(boxed(a), boxed(b)),
        TypeKind::Entity(fields) => TypeKind::Entity(
            fields
                .iter()
                .map(|f| Field { label: f.label.clone(), label_span: f.label_span, ty: again(&f.ty) })
                .collect(),
        ),
        TypeKind::Refinement(variable, base, condition) => {
            let mut parts = Vec::new();
            conjuncts(condition, &mut parts);
            parts.retain(|e| !expr_mentions(e, hidden));
            let Some(condition) = conjunction(parts) else { return again(base) };
            TypeKind::Refinement(*variable, boxed(base), Box::new(condition))
        }
        TypeKind::Singleton(only) => match &only.kind {
            ExprKind::Var(id) => return types.get(id).map_or(ty(TypeKind::Any, of.span), again),
            _ => TypeKind::Any,
        },
        // Less under a negation is more.
        _ => TypeKind::Any,
    };
    ty(kind, of.span)
}

pub fn conjuncts<'e>(of: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &of.kind {
        ExprKind::Op(Op::And, parts) => parts.iter().for_each(|e| conjuncts(e, out)),
        _ => out.push(of),
    }
}

pub fn conjunction<'e>(parts: impl IntoIterator<Item = &'e Expr>) -> Option<Expr> {
    parts.into_iter().cloned().reduce(|a, b| {
        let span = a.span;
        expr(ExprKind::Op(Op::And, vec![a, b]), span)
    })
}

/// `x.a.b`
pub type Path = (VarId, Vec<Label>);

pub fn path(of: &Expr) -> Option<Path> {
    match &of.kind {
        ExprKind::Var(id) => Some((*id, Vec::new())),
        ExprKind::Select(base, label) => {
            let (id, mut labels) = path(base)?;
            labels.push(label.clone());
            Some((id, labels))
        }
        _ => None,
    }
}

/// Whether two types are written alike; none with a condition is.
pub fn same(a: &Type, b: &Type) -> bool {
    match (&a.kind, &b.kind) {
        (TypeKind::Any, TypeKind::Any)
        | (TypeKind::Empty, TypeKind::Empty)
        | (TypeKind::Integer, TypeKind::Integer)
        | (TypeKind::Text, TypeKind::Text)
        | (TypeKind::Logical, TypeKind::Logical) => true,
        (TypeKind::Named(a), TypeKind::Named(b)) => a == b,
        (TypeKind::Collection(a), TypeKind::Collection(b))
        | (TypeKind::Nullable(a), TypeKind::Nullable(b))
        | (TypeKind::Not(a), TypeKind::Not(b)) => same(a, b),
        (TypeKind::And(a, b), TypeKind::And(c, d)) | (TypeKind::Or(a, b), TypeKind::Or(c, d)) => {
            same(a, c) && same(b, d)
        }
        (TypeKind::Entity(a), TypeKind::Entity(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.label == b.label && same(&a.ty, &b.ty))
        }
        (TypeKind::Singleton(a), TypeKind::Singleton(b)) => match (&a.kind, &b.kind) {
            (ExprKind::Constant(a), ExprKind::Constant(b)) => a == b,
            (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
            _ => false,
        },
        _ => false,
    }
}

pub fn union(parts: Vec<Type>, span: Span) -> Type {
    joined(parts, TypeKind::Empty, TypeKind::Or, span)
}

pub fn intersection(parts: Vec<Type>, span: Span) -> Type {
    joined(parts, TypeKind::Any, TypeKind::And, span)
}

/// Each different part once, without the one that changes nothing.
fn joined(parts: Vec<Type>, neutral: TypeKind, join: fn(Box<Type>, Box<Type>) -> TypeKind, span: Span) -> Type {
    let neutral = ty(neutral, span);
    let mut all: Vec<Type> = Vec::new();
    for part in parts {
        if !same(&part, &neutral) && !all.iter().any(|t| same(t, &part)) {
            all.push(part);
        }
    }
    all.into_iter().reduce(|a, b| ty(join(Box::new(a), Box::new(b)), span)).unwrap_or(neutral)
}

/// Nodes of a type beyond which it is taken to say nothing.
const MOST: usize = 4_000;

/// The type itself, or Any if it has grown too large.
pub fn bounded(of: Type) -> Type {
    let mut left = MOST;
    if is_small(&of, &mut left) { of } else { ty(TypeKind::Any, of.span) }
}

fn is_small(of: &Type, left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let mut small = true;
    of.each_part(&mut |t| small = small && is_small(t, left));
    if let TypeKind::Refinement(_, _, e) | TypeKind::Singleton(e) = &of.kind {
        small = small && is_small_expr(e, left);
    }
    small
}

fn is_small_expr(of: &Expr, left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let mut small = true;
    of.each_part(&mut |e| small = small && is_small_expr(e, left));
    of.each_type(&mut |t| small = small && is_small(t, left));
    small
}
