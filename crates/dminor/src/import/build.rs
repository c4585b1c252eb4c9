//! Types and conditions as syntax trees, with what is evident left out: `Any & T` is T, `T | {null}` is `T?`, entity types with
//! different labels are one. Every function keeps the meaning exactly.

use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Ident, Query, Type, TypeKind, UnaryOp};
use crate::value::Value;
use num_bigint::{BigInt, Sign};
use source::Span;

pub(super) fn ident(text: &str) -> Ident {
    Ident { text: text.to_string(), span: Span::default() }
}

pub(super) fn ty(kind: TypeKind) -> Type {
    Type { kind, span: Span::default() }
}

pub(super) fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

pub(super) fn named(name: &str) -> Type {
    ty(TypeKind::Name(name.to_string()))
}

pub(super) fn any() -> Type {
    named("Any")
}

pub(super) fn empty() -> Type {
    named("Empty")
}

fn is(ty: &Type, name: &str) -> bool {
    matches!(&ty.kind, TypeKind::Name(n) if n == name)
}

pub(super) fn is_any(ty: &Type) -> bool {
    is(ty, "Any")
}

pub(super) fn is_empty(ty: &Type) -> bool {
    is(ty, "Empty")
}

pub(super) fn null() -> Type {
    ty(TypeKind::Singleton(Box::new(expr(ExprKind::Null))))
}

pub(super) fn collection(of: Type) -> Type {
    ty(TypeKind::Collection(Box::new(of)))
}

pub(super) fn entity(fields: Vec<(String, Type)>) -> Type {
    ty(TypeKind::Entity(fields.into_iter().map(|(l, t)| (ident(&l), t)).collect()))
}

/// All entities that have the field.
pub(super) fn has(label: &str) -> Type {
    entity(vec![(label.to_string(), any())])
}

/// If there is such a field, it is of this type.
pub(super) fn optional(label: &str, of: Type) -> Type {
    if is_any(&of) {
        return any();
    }
    let absent = not(has(label));
    if is_empty(&of) { absent } else { or(vec![absent, entity(vec![(label.to_string(), of)])]) }
}

pub(super) fn not(inner: Type) -> Type {
    if is_any(&inner) {
        return empty();
    }
    if is_empty(&inner) {
        return any();
    }
    match inner.kind {
        TypeKind::Not(inner) => *inner,
        kind => ty(TypeKind::Not(Box::new(ty(kind)))),
    }
}

fn labels(fields: &[(Ident, Type)]) -> impl Iterator<Item = &str> {
    fields.iter().map(|(l, _)| l.text.as_str())
}

/// Among more parts equal ones are not looked for.
const MOST_COMPARED: usize = 2_000;

pub(super) fn and(parts: Vec<Type>) -> Type {
    let mut kept: Vec<Type> = Vec::new();
    for part in parts {
        if is_empty(&part) {
            return empty();
        }
        if is_any(&part) || kept.len() < MOST_COMPARED && kept.contains(&part) {
            continue;
        }
        if let TypeKind::Entity(more) = &part.kind {
            let merged = kept.iter_mut().find_map(|k| match &mut k.kind {
                TypeKind::Entity(fields) if !labels(more).any(|l| labels(fields).any(|m| m == l)) => Some(fields),
                _ => None,
            });
            if let Some(fields) = merged {
                fields.extend(more.iter().cloned());
                continue;
            }
        }
        kept.push(part);
    }
    let joined = kept.into_iter().reduce(|a, b| ty(TypeKind::And(Box::new(a), Box::new(b))));
    joined.unwrap_or_else(any)
}

pub(super) fn or(parts: Vec<Type>) -> Type {
    let null = null();
    let mut kept: Vec<Type> = Vec::new();
    let mut with_null = false;
    for part in parts {
        if is_any(&part) {
            return any();
        }
        if part == null {
            with_null = true;
        } else if !is_empty(&part) && (kept.len() >= MOST_COMPARED || !kept.contains(&part)) {
            kept.push(part);
        }
    }
    let joined = kept.into_iter().reduce(|a, b| ty(TypeKind::Or(Box::new(a), Box::new(b))));
    match joined {
        None if with_null => null,
        None => empty(),
        Some(joined) if with_null => ty(TypeKind::Nullable(Box::new(joined))),
        Some(joined) => joined,
    }
}

/// `T where c1 && c2 …`, in which the value is called `value`.
pub(super) fn refined(base: Type, conditions: Vec<Expr>) -> Type {
    match all(conditions) {
        Some(condition) => ty(TypeKind::Refinement(None, Box::new(base), Box::new(condition))),
        None => base,
    }
}

/// `(x: T where e)`
pub(super) fn such_that(variable: &str, base: Type, condition: Expr) -> Type {
    ty(TypeKind::Refinement(Some(ident(variable)), Box::new(base), Box::new(condition)))
}

pub(super) fn all(conditions: Vec<Expr>) -> Option<Expr> {
    conditions.into_iter().reduce(|a, b| binary(BinaryOp::And, a, b))
}

pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

pub(super) fn unary(op: UnaryOp, operand: Expr) -> Expr {
    expr(ExprKind::Unary(op, Box::new(operand)))
}

pub(super) fn conditional(condition: Expr, then: Expr, other: Expr) -> Expr {
    expr(ExprKind::Cond(Box::new(condition), Box::new(then), Box::new(other)))
}

pub(super) fn var(name: &str) -> Expr {
    expr(ExprKind::Var(name.to_string()))
}

/// The value that a `where` is about.
pub(super) fn value() -> Expr {
    var("value")
}

pub(super) fn logical(b: bool) -> Expr {
    expr(ExprKind::Logical(b))
}

pub(super) fn text(text: &str) -> Expr {
    expr(ExprKind::Text(text.to_string()))
}

pub(super) fn integer(n: &BigInt) -> Expr {
    let magnitude = expr(ExprKind::Integer(BigInt::from(n.magnitude().clone())));
    if n.sign() == Sign::Minus { unary(UnaryOp::Neg, magnitude) } else { magnitude }
}

pub(super) fn count(of: Expr) -> Expr {
    expr(ExprKind::Count(Box::new(of)))
}

pub(super) fn select(base: Expr, label: &str) -> Expr {
    expr(ExprKind::Select(Box::new(base), ident(label)))
}

pub(super) fn record(fields: Vec<(String, Expr)>) -> Expr {
    expr(ExprKind::Entity(fields.into_iter().map(|(l, e)| (ident(&l), e)).collect()))
}

/// `e in T`
pub(super) fn test(of: Expr, ty: Type) -> Expr {
    if is_any(&ty) {
        return logical(true);
    }
    if is_empty(&ty) {
        return logical(false);
    }
    expr(ExprKind::Test(Box::new(of), Box::new(ty)))
}

/// `from x in c where p select x`
pub(super) fn those(variable: &str, source: Expr, filter: Expr) -> Expr {
    let select = var(variable);
    expr(ExprKind::Query(Box::new(Query { item: ident(variable), source, filter: Some(filter), select })))
}

/// The value as an expression, if it has one: an entity without fields has none.
pub(super) fn constant(value: &Value) -> Option<Expr> {
    Some(match value {
        Value::Null => expr(ExprKind::Null),
        Value::Logical(b) => logical(*b),
        Value::Integer(n) => integer(n),
        Value::Text(t) => text(t),
        Value::Collection(bag) => {
            let members: Option<Vec<Expr>> = bag.iter().map(constant).collect();
            expr(ExprKind::Collection(members?))
        }
        Value::Entity(fields) => {
            let parts: Option<Vec<(String, Expr)>> =
                fields.iter().map(|(l, v)| Some((l.to_string(), constant(v)?))).collect();
            let parts = parts?;
            if parts.is_empty() {
                return None;
            }
            record(parts)
        }
    })
}

/// How many operators and parts it has.
pub(super) fn size(ty: &Type) -> usize {
    1 + match &ty.kind {
        TypeKind::Name(_) => 0,
        TypeKind::Collection(t) | TypeKind::Nullable(t) | TypeKind::Not(t) => size(t),
        TypeKind::And(a, b) | TypeKind::Or(a, b) => size(a) + size(b),
        TypeKind::Entity(fields) => fields.iter().map(|(_, t)| 1 + size(t)).sum(),
        TypeKind::Refinement(_, t, e) => size(t) + expr_size(e),
        TypeKind::Singleton(e) => expr_size(e),
    }
}

fn expr_size(of: &Expr) -> usize {
    1 + match &of.kind {
        ExprKind::Unary(_, e) | ExprKind::Select(e, _) | ExprKind::Count(e) => expr_size(e),
        ExprKind::Binary(_, a, b) => expr_size(a) + expr_size(b),
        ExprKind::Cond(a, b, c) => expr_size(a) + expr_size(b) + expr_size(c),
        ExprKind::Test(e, t) => expr_size(e) + size(t),
        ExprKind::Entity(fields) => fields.iter().map(|(_, e)| expr_size(e)).sum(),
        ExprKind::Collection(items) => items.iter().map(expr_size).sum(),
        ExprKind::Query(q) => expr_size(&q.source) + q.filter.as_ref().map_or(0, expr_size) + expr_size(&q.select),
        _ => 0,
    }
}
