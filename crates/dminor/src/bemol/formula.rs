//! Whether a formula holds of values: F, W and R of the logical semantics (docs/dminor.md, "The logical semantics"), each by its own
//! definition. Where `interp::test` finds out by running whether a test fails and what it says, here are two questions with two answers.
//!
//! R\[e] is a value, or `None` for Error. Loops in refinements go in canonical order: they are pure, so that any order gives the same.

use super::operators::apply;
use super::{Ended, Formula, Reading, Sort};
use crate::program::{Accumulate, Expr, ExprKind, Op, Program, Query, Type, TypeKind, VarId};
use crate::value::{Bag, Value};
use std::sync::Arc;

/// Formulas are evaluated in a state; variables that types and terms bind come on top of it.
pub(super) struct Formulas<'s> {
    pub program: &'s Program,
    pub reading: Reading,
    pub state: &'s [Value],
    pub bound: Vec<(VarId, Value)>,
    /// Steps and levels that are left.
    pub fuel: u64,
    pub depth: usize,
}

type Said<T> = Result<T, Ended>;

impl Formulas<'_> {
    fn variable(&self, variable: VarId) -> Value {
        let innermost = self.bound.iter().rev().find(|(v, _)| *v == variable).map(|(_, value)| value);
        innermost.or_else(|| self.state.get(variable.0 as usize)).cloned().unwrap_or(Value::Null)
    }

    fn with<T>(&mut self, variable: VarId, value: Value, inner: impl FnOnce(&mut Self) -> Said<T>) -> Said<T> {
        self.bound.push((variable, value));
        let said = inner(self);
        self.bound.pop();
        said
    }

    /// Every recursion goes through here.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Said<T>) -> Said<T> {
        if self.fuel == 0 || self.depth == 0 {
            return Err(Ended::Limit);
        }
        self.fuel -= 1;
        self.depth -= 1;
        let said = inner(self);
        self.depth += 1;
        said
    }

    pub(super) fn holds(&mut self, formula: &Formula<'_>) -> Said<bool> {
        match formula {
            Formula::Sort(sort, x) => Ok(matches!(
                (sort, self.variable(*x)),
                (Sort::Integer, Value::Integer(_))
                    | (Sort::Logical, Value::Logical(_))
                    | (Sort::Collection, Value::Collection(_))
            )),
            Formula::HasField(x, label) => Ok(field(&self.variable(*x), label).is_some()),
            Formula::NotZero(x) => Ok(self.variable(*x) != Value::integer(0)),
            Formula::In(ty, x) => {
                let value = self.variable(*x);
                self.is_in(ty, &value)
            }
            Formula::Testable(ty, x) => {
                let value = self.variable(*x);
                Ok(!self.is_wrong(ty, &value)?)
            }
            Formula::Holds(e) => Ok(self.result(e)? == Some(Value::Logical(true))),
            Formula::Within(a, b) => match (self.variable(*a), self.variable(*b)) {
                (Value::Collection(a), Value::Collection(b)) => Ok(a.distinct().all(|(v, n)| n <= occurrences(&b, v))),
                _ => Ok(false),
            },
            Formula::Counts { parts, whole, is_exact } => {
                let count = |v: VarId| match self.variable(v) {
                    Value::Collection(bag) => bag.count(),
                    _ => 0,
                };
                let (some, all) = (count(parts[0]).saturating_add(count(parts[1])), count(*whole));
                Ok(if *is_exact { some == all } else { some <= all })
            }
            // How the loop is made; nothing asserts it.
            Formula::Selected { .. } => Ok(true),
        }
    }

    /// F\[T](v)
    fn is_in(&mut self, ty: &Type, value: &Value) -> Said<bool> {
        self.deeper(|f| match &ty.kind {
            TypeKind::Any => Ok(true),
            TypeKind::Empty => Ok(false),
            TypeKind::Integer => Ok(matches!(value, Value::Integer(_))),
            TypeKind::Text => Ok(matches!(value, Value::Text(_))),
            TypeKind::Logical => Ok(matches!(value, Value::Logical(_))),
            TypeKind::Collection(inner) => match value {
                Value::Collection(bag) => all(bag.distinct(), |(v, _)| f.is_in(inner, v)),
                _ => Ok(false),
            },
            TypeKind::Entity(fields) => all(fields.iter(), |t| match field(value, &t.label) {
                Some(part) => f.is_in(&t.ty, part),
                None => Ok(false),
            })
            .map(|fit| fit && matches!(value, Value::Entity(_))),
            TypeKind::Refinement(x, base, e) => {
                Ok(f.is_in(base, value)? && f.with(*x, value.clone(), |f| f.result(e))? == Some(Value::Logical(true)))
            }
            TypeKind::And(a, b) => Ok(f.is_in(a, value)? && f.is_in(b, value)?),
            TypeKind::Or(a, b) => Ok(f.is_in(a, value)? || f.is_in(b, value)?),
            TypeKind::Not(inner) => Ok(!f.is_in(inner, value)?),
            TypeKind::Nullable(inner) => Ok(*value == Value::Null || f.is_in(inner, value)?),
            TypeKind::Singleton(e) => Ok(f.result(e)?.as_ref() == Some(value)),
            TypeKind::Named(id) => {
                let program = f.program;
                f.is_in(&program.named(*id).definition, value)
            }
        })
    }

    /// W\[T](v)
    fn is_wrong(&mut self, ty: &Type, value: &Value) -> Said<bool> {
        self.deeper(|f| match &ty.kind {
            TypeKind::Any | TypeKind::Empty | TypeKind::Integer | TypeKind::Text | TypeKind::Logical => Ok(false),
            TypeKind::Collection(inner) => match value {
                Value::Collection(bag) => any(bag.distinct(), |(v, _)| f.is_wrong(inner, v)),
                _ => Ok(false),
            },
            TypeKind::Entity(fields) => any(fields.iter(), |t| match field(value, &t.label) {
                Some(part) => f.is_wrong(&t.ty, part),
                None => Ok(false),
            }),
            TypeKind::Refinement(x, base, e) => {
                if f.is_wrong(base, value)? {
                    return Ok(true);
                }
                if !f.reading.strict_type_tests && !f.is_in(base, value)? {
                    return Ok(false);
                }
                let result = f.with(*x, value.clone(), |f| f.result(e))?;
                Ok(!matches!(result, Some(Value::Logical(_))))
            }
            TypeKind::And(a, b) | TypeKind::Or(a, b) => Ok(f.is_wrong(a, value)? || f.is_wrong(b, value)?),
            TypeKind::Not(inner) | TypeKind::Nullable(inner) => f.is_wrong(inner, value),
            TypeKind::Singleton(e) => Ok(f.result(e)?.is_none()),
            TypeKind::Named(id) => {
                let program = f.program;
                f.is_wrong(&program.named(*id).definition, value)
            }
        })
    }

    /// In the type, and the test does not fail.
    fn is_surely_in(&mut self, ty: &Type, value: &Value) -> Said<bool> {
        Ok(!self.is_wrong(ty, value)? && self.is_in(ty, value)?)
    }

    /// R\[e]
    fn result(&mut self, expr: &Expr) -> Said<Option<Value>> {
        self.deeper(|f| match &expr.kind {
            ExprKind::Constant(value) => Ok(Some(value.clone())),
            ExprKind::Var(x) => Ok(Some(f.variable(*x))),
            ExprKind::Op(op @ (Op::And | Op::Or), parts) if !f.reading.strict_ops => {
                let [left, right] = &parts[..] else { return Ok(None) };
                let first = f.result(left)?;
                match first {
                    Some(Value::Logical(b)) if b == (*op == Op::Or) => Ok(first),
                    Some(Value::Logical(_)) => Ok(f.result(right)?.filter(|v| matches!(v, Value::Logical(_)))),
                    _ => Ok(None),
                }
            }
            ExprKind::Op(op, parts) => {
                let value = f.results(parts.iter())?.and_then(|values| apply(*op, &values));
                f.sized(value)
            }
            ExprKind::Cond(condition, then, other) => match f.result(condition)? {
                Some(Value::Logical(b)) => f.result(if b { then } else { other }),
                _ => Ok(None),
            },
            ExprKind::Let(x, value, body) => match f.result(value)? {
                Some(value) => f.with(*x, value, |f| f.result(body)),
                None => Ok(None),
            },
            ExprKind::Test(value, ty) => match f.result(value)? {
                Some(value) if !f.is_wrong(ty, &value)? => Ok(Some(Value::Logical(f.is_in(ty, &value)?))),
                _ => Ok(None),
            },
            ExprKind::Ascribe(value, ty) => match f.result(value)? {
                Some(value) if f.is_surely_in(ty, &value)? => Ok(Some(value)),
                _ => Ok(None),
            },
            ExprKind::Entity(fields) => {
                let values = f.results(fields.iter().map(|(_, e)| e))?;
                let labels = fields.iter().map(|(l, _)| l.clone());
                f.sized(values.map(|values| Value::Entity(Arc::new(labels.zip(values).collect()))))
            }
            ExprKind::Collection(items) => {
                let value = f.results(items.iter())?.map(Value::collection);
                f.sized(value)
            }
            ExprKind::Select(base, label) => Ok(f.result(base)?.and_then(|v| field(&v, label).cloned())),
            // Not pure, so not in a formula.
            ExprKind::Call(..) => Ok(None),
            ExprKind::Accumulate(accumulate) => f.accumulate(accumulate),
            ExprKind::Query(query) => f.query(query),
        })
    }

    fn results<'e>(&mut self, parts: impl Iterator<Item = &'e Expr>) -> Said<Option<Vec<Value>>> {
        let mut values = Vec::new();
        for part in parts {
            match self.result(part)? {
                Some(value) => values.push(value),
                None => return Ok(None),
            }
        }
        Ok(Some(values))
    }

    fn sized(&self, value: Option<Value>) -> Said<Option<Value>> {
        if value.as_ref().is_some_and(|v| v.extent().is_too_large()) { Err(Ended::Limit) } else { Ok(value) }
    }

    fn accumulate(&mut self, accumulate: &Accumulate) -> Said<Option<Value>> {
        let Some(Value::Collection(source)) = self.result(&accumulate.source)? else { return Ok(None) };
        let Some(mut current) = self.result(&accumulate.initial)? else { return Ok(None) };
        let mut rest = Bag::clone(&source);
        loop {
            if let Some(ty) = &accumulate.annotation
                && !self.is_surely_in(ty, &current)?
            {
                return Ok(None);
            }
            if let Some((variable, invariant)) = &accumulate.invariant {
                let left = Value::Collection(Arc::new(rest.clone()));
                let holds = self.with(*variable, left, |f| {
                    f.with(accumulate.accumulator, current.clone(), |f| f.result(invariant))
                })?;
                if holds != Some(Value::Logical(true)) {
                    return Ok(None);
                }
            }
            let Some(item) = rest.take(0) else { return Ok(Some(current)) };
            let next = self.with(accumulate.item, item, |f| {
                f.with(accumulate.accumulator, current, |f| f.result(&accumulate.body))
            })?;
            match next {
                Some(value) => current = value,
                None => return Ok(None),
            }
        }
    }

    fn query(&mut self, query: &Query) -> Said<Option<Value>> {
        let Some(Value::Collection(source)) = self.result(&query.source)? else { return Ok(None) };
        let mut selected = Vec::new();
        for item in source.iter() {
            let value = self.with(query.item, item.clone(), |f| {
                if let Some(filter) = &query.filter {
                    match f.result(filter)? {
                        Some(Value::Logical(true)) => {}
                        Some(Value::Logical(false)) => return Ok(Some(None)),
                        _ => return Ok(None),
                    }
                }
                Ok(f.result(&query.select)?.map(Some))
            })?;
            match value {
                Some(value) => selected.extend(value),
                None => return Ok(None),
            }
        }
        self.sized(Some(Value::collection(selected)))
    }
}

fn field<'v>(value: &'v Value, label: &str) -> Option<&'v Value> {
    match value {
        Value::Entity(fields) => fields.get(label),
        _ => None,
    }
}

fn occurrences(bag: &Bag, member: &Value) -> u64 {
    bag.distinct().find(|(v, _)| *v == member).map_or(0, |(_, n)| n)
}

fn all<T>(items: impl Iterator<Item = T>, mut holds: impl FnMut(T) -> Said<bool>) -> Said<bool> {
    for item in items {
        if !holds(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn any<T>(items: impl Iterator<Item = T>, mut holds: impl FnMut(T) -> Said<bool>) -> Said<bool> {
    for item in items {
        if holds(item)? {
            return Ok(true);
        }
    }
    Ok(false)
}
