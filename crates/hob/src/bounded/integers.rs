//! Quantified integers as declarative code: loops over the integers that [`crate::integers`] finds.
//!
//! Those that are the index of an array are tried one by one, as numbers and not as symbols, up to the length of the longest array in
//! question. All others are an index of no array, so that atoms with an element are false there, and what is left of the body only
//! compares numbers: that is asked of the marks.

use super::code::At;
use super::fold::{Env, Fold, Name};
use super::heap::comparison;
use super::model::Model;
use crate::integers::{Free, GREATEST, LEAST, Limit, Linear, Points, Window, limits, points};
use crate::program::{BinaryOp, HeapFormula, HeapTerm};
use ir::{Expr, ExprKind, FieldId, LogicOp, MethodId, Ty};
use source::Diagnostic;

/// The number of an element while a window is gone through that is not the plain one.
const PLACE: u32 = u32::MAX - 2;

/// The quantifier whose code is made.
struct Quantifier<'e> {
    at: At,
    env: &'e Env,
    fold: Fold,
    /// The body for an integer that is an index of no array.
    beyond: MethodId,
    /// Those from the first to before the second are tried one by one.
    tried: Option<(i64, Expr)>,
}

impl Model<'_> {
    pub fn over_integers(&mut self, at: At, env: &Env, exists: bool, variable: u32, body: &HeapFormula) -> Expr {
        let fold = if exists { Fold::Any } else { Fold::All };
        let Some(points) = points(variable, exists, body) else {
            return self.between_limits(at, env, exists, variable, body);
        };
        let mut parts = Vec::new();
        let tried = self.plain_windows(at, &points);
        if let Some((first, end)) = &tried {
            let limits = self.limits(at, env, exists, variable, body);
            let end = limits.into_iter().fold(at.long(end.clone()), |end, limit| {
                at.conditional(comparison(at, BinaryOp::Less, limit.clone(), end.clone()), limit, end)
            });
            parts.push(self.over_range(at, env, fold, variable, (at.int(*first), end), |model, env| {
                model.heap_formula(at, body, env)
            }));
        }
        let mut inner = env.with(Name::Bound(variable), Ty::Int, None);
        if tried.is_some() {
            inner = inner.with_beyond(variable);
        }
        let value = self.heap_formula(at, body, &inner);
        let beyond = self.returning("each", inner.parameters(), value);
        let quantifier = Quantifier { at, env, fold, beyond, tried };
        parts.extend(self.constants(&quantifier, &points));
        for mark in points.marks.iter().filter(|mark| !is_constant(&mark.value)) {
            parts.push(self.over_free(at, env, fold, &mark.free, &mut |model, env| {
                let (is_defined, value) = model.sum(at, &mark.value, env);
                let around = (mark.around.0..=mark.around.1).map(|d| {
                    let d = at.expr(ExprKind::Int(d), Ty::Long);
                    quantifier.ask(model, at.binary_long(ir::BinaryOp::Add, value.clone(), d))
                });
                let all: Vec<Expr> = around.collect();
                quantifier.if_defined(is_defined, quantifier.join(all))
            }));
        }
        for (window, free) in points.windows.iter().filter(|(window, _)| window.shift().is_none()) {
            parts.push(self.over_free(at, env, fold, free, &mut |model, env| {
                model.over_window(at, env, fold, window, &mut |model, _, value, is_defined| {
                    let around = (-points.spread..=points.spread + 1).map(|d| {
                        let d = at.expr(ExprKind::Int(d), Ty::Long);
                        quantifier.ask(model, at.binary_long(ir::BinaryOp::Add, value.clone(), d))
                    });
                    let all: Vec<Expr> = around.collect();
                    quantifier.if_defined(is_defined, quantifier.join(all))
                })
            }));
        }
        quantifier.join(parts)
    }

    /// The integers that are an index, or near one: from which one, and before which.
    fn plain_windows(&mut self, at: At, points: &Points<'_>) -> Option<(i64, Expr)> {
        let plain = || points.windows.iter().filter_map(|(window, _)| Some((window, window.shift()?)));
        let (least, most) = (plain().map(|(_, c)| c).min()?, plain().map(|(_, c)| c).max()?);
        let mut holders = Vec::new();
        plain().for_each(|(window, _)| self.holder(window.array, &mut holders));
        let longest = self.longest(at, holders);
        // Beyond all ints there is nothing to try, and nothing that would fit into memory.
        let clamp = |n: i64| n.clamp(-(1 << 30), 1 << 30);
        let first = clamp((-most).saturating_sub(points.spread));
        let end = clamp((-least).saturating_add(points.spread + 1));
        Some((first, at.add(longest, at.int(end))))
    }

    /// From these integers on a limit in the formula (`i < size`) already decides. Only those that have a value in any case.
    fn limits(&mut self, at: At, env: &Env, exists: bool, variable: u32, body: &HeapFormula) -> Vec<Expr> {
        let mut found = Vec::new();
        for limit in limits(variable, exists, body) {
            let is_known = |term: &HeapTerm| is_always_defined(term) && env.knows(term);
            if matches!(limit.op, BinaryOp::Less | BinaryOp::AtMost)
                && limit.value.terms.iter().all(|(_, term)| is_known(term))
            {
                found.push(self.end(at, &limit, env).1);
            }
        }
        found
    }

    /// The variable or the field that holds an array, or the array that it is an element of.
    fn holder(&mut self, array: &HeapTerm, holders: &mut Vec<FieldId>) {
        match array {
            HeapTerm::Global(global) => holders.push(self.global(*global)),
            HeapTerm::Field(_, field) => holders.push(self.field_of(*field)),
            HeapTerm::Index(outer, _) => self.holder(outer, holders),
            _ => {}
        }
    }

    /// Marks that are numbers, each once, and the ends of all ints.
    fn constants(&mut self, quantifier: &Quantifier<'_>, points: &Points<'_>) -> Vec<Expr> {
        let mut numbers: Vec<i64> = Vec::new();
        for mark in points.marks.iter().filter(|mark| is_constant(&mark.value)) {
            numbers.extend((mark.around.0..=mark.around.1).filter_map(|d| mark.value.constant.checked_add(d)));
        }
        numbers.extend(points.ends().into_iter().flat_map(|(from, to)| from..=to));
        numbers.sort_unstable();
        numbers.dedup();
        numbers.retain(|n| (LEAST..=GREATEST).contains(n));
        let at = quantifier.at;
        numbers.into_iter().map(|n| quantifier.ask(self, at.expr(ExprKind::Int(n), Ty::Long))).collect()
    }

    /// Nothing is known about the integer but its limits: all between them.
    fn between_limits(&mut self, at: At, env: &Env, exists: bool, variable: u32, body: &HeapFormula) -> Expr {
        let fold = if exists { Fold::Any } else { Fold::All };
        let mut limits = limits(variable, exists, body);
        limits.retain(|limit| limit.value.terms.iter().all(|(_, term)| env.knows(term)));
        let from = limits.iter().find_map(|limit| match limit.op {
            BinaryOp::Greater | BinaryOp::AtLeast if limit.factor == 1 => Some((limit.op, plain_int(&limit.value)?)),
            _ => None,
        });
        let to = limits.iter().find(|limit| matches!(limit.op, BinaryOp::Less | BinaryOp::AtMost));
        let (Some((above, from)), Some(to)) = (from, to) else {
            let message = "the plugin `bounded` cannot tell which integers matter to this quantifier";
            let problem = Diagnostic::error("hob-bounded-integers", at.0, message)
                .label("quantified integers are added or multiplied here, or one is an index together with another")
                .help("limit each of them on both sides: `0 <= i & i < size & …`");
            return at.unsupported(problem, Ty::Bool);
        };
        let from = self.term(at, &from, env);
        let first = if above == BinaryOp::Greater { at.add(from.value, at.int(1)) } else { from.value };
        let (is_defined, end) = self.end(at, to, env);
        let whole =
            self.over_range(at, env, fold, variable, (first, end), |model, env| model.heap_formula(at, body, env));
        let are_defined = at.and(from.is_defined, is_defined);
        if exists { at.and(are_defined, whole) } else { at.or(at.not(are_defined), whole) }
    }

    /// Whether an upper limit has a value, and an integer that no multiple within it gets to.
    fn end(&mut self, at: At, limit: &Limit<'_>, env: &Env) -> (Expr, Expr) {
        let (is_defined, value) = self.sum(at, &limit.value, env);
        let long = |n: i64| at.expr(ExprKind::Int(n), Ty::Long);
        let end = at.binary_long(ir::BinaryOp::Add, value, long(i64::from(limit.op == BinaryOp::AtMost)));
        if limit.factor == 1 {
            return (is_defined, end);
        }
        let is_negative = comparison(at, BinaryOp::Less, end.clone(), long(0));
        (is_defined, at.conditional(is_negative, long(0), end))
    }

    /// `for i in first..end`, as a method.
    fn over_range(
        &mut self,
        at: At,
        env: &Env,
        fold: Fold,
        variable: u32,
        (first, end): (Expr, Expr),
        condition: impl FnOnce(&mut Self, &Env) -> Expr,
    ) -> Expr {
        let inner = env.with(Name::Bound(variable), Ty::Int, None);
        let condition = condition(self, &inner);
        let each = self.returning("each", inner.parameters(), condition);
        let parameters = env.parameters();
        let place = parameters.len() as u32 + 1;
        let (sum, index) = (ir::LocalId(place), ir::LocalId(place + 1));
        let method = self.method("every", parameters, Ty::Bool, at.0);
        let mut arguments = env.arguments(at, self);
        arguments.push(at.local(index, Ty::Int));
        let op = if fold == Fold::Any { LogicOp::Or } else { LogicOp::And };
        let one = at.logic(op, at.local(sum, Ty::Bool), at.call(each, arguments, Ty::Bool));
        let code = vec![
            at.run(at.set_local(sum, at.bool(fold != Fold::Any))),
            at.run(at.set_local(index, first)),
            at.while_loop(
                0,
                comparison(at, BinaryOp::Less, at.local(index, Ty::Int), end),
                vec![at.run(at.set_local(sum, one))],
                vec![at.set_local(index, at.add(at.local(index, Ty::Int), at.int(1)))],
            ),
            at.ret(at.local(sum, Ty::Bool)),
        ];
        self.define(method, vec![Ty::Bool, Ty::Int], code, true);
        at.call(method, env.arguments(at, self), Ty::Bool)
    }

    pub fn over_booleans(
        &mut self,
        at: At,
        env: &Env,
        fold: Fold,
        variable: u32,
        condition: impl FnOnce(&mut Self, &Env) -> Expr,
    ) -> Expr {
        let inner = env.with(Name::Bound(variable), Ty::Bool, None);
        let condition = condition(self, &inner);
        let each = self.returning("each", inner.parameters(), condition);
        let one = |value: bool| {
            let mut arguments = env.arguments(at, self);
            arguments.push(at.bool(value));
            at.call(each, arguments, Ty::Bool)
        };
        let both = [one(false), one(true)];
        if fold == Fold::Any { at.any(both) } else { at.all(both) }
    }

    /// Goes through all values of some variables.
    fn over_free(
        &mut self,
        at: At,
        env: &Env,
        fold: Fold,
        free: &[Free<'_>],
        leaf: &mut dyn FnMut(&mut Self, &Env) -> Expr,
    ) -> Expr {
        let Some((first, rest)) = free.split_first() else { return leaf(self, env) };
        match first {
            Free::Object(variable, object) => self.over_objects(at, env, fold, (*variable, *object), |model, env| {
                model.over_free(at, env, fold, rest, leaf)
            }),
            Free::Bool(variable) => {
                self.over_booleans(at, env, fold, *variable, |model, env| model.over_free(at, env, fold, rest, leaf))
            }
            Free::Index(variable, window) => match window.shift() {
                Some(c) => {
                    let mut holders = Vec::new();
                    self.holder(window.array, &mut holders);
                    let end = at.add(self.longest(at, holders), at.int(-c));
                    self.over_range(at, env, fold, *variable, (at.int(-c), end), |model, env| {
                        model.over_free(at, env, fold, rest, leaf)
                    })
                }
                None => self.over_window(at, env, fold, window, &mut |model, env, value, is_defined| {
                    let inner = env.with(Name::Bound(*variable), Ty::Int, None);
                    let condition = model.over_free(at, &inner, fold, rest, leaf);
                    let each = model.returning("each", inner.parameters(), condition);
                    let mut arguments = env.arguments(at, model);
                    arguments.push(at.expr(ExprKind::Convert(Box::new(value)), Ty::Int));
                    let whole = at.call(each, arguments, Ty::Bool);
                    if fold == Fold::Any { at.and(is_defined, whole) } else { at.or(at.not(is_defined), whole) }
                }),
            },
        }
    }

    /// The integers of a window that is not the plain one, with the condition that they are ints at all.
    fn over_window(
        &mut self,
        at: At,
        env: &Env,
        fold: Fold,
        window: &Window<'_>,
        leaf: &mut dyn FnMut(&mut Self, &Env, Expr, Expr) -> Expr,
    ) -> Expr {
        let mut holders = Vec::new();
        self.holder(window.array, &mut holders);
        let longest = self.longest(at, holders);
        self.over_range(at, env, fold, PLACE, (at.int(0), longest), |model, env| {
            let (is_defined, rest) = model.sum(at, &window.rest, env);
            let place = env.read(at, Name::Bound(PLACE)).unwrap_or_else(|| at.int(0));
            // sign * i + rest is the place.
            let (a, b) = if window.sign == 1 { (at.long(place), rest) } else { (rest, at.long(place)) };
            let value = at.binary_long(ir::BinaryOp::Sub, a, b);
            let is_int = model.is_int(at, value.clone());
            leaf(model, env, value, at.and(is_defined, is_int))
        })
    }

    fn is_int(&self, at: At, value: Expr) -> Expr {
        let limit = |n| at.expr(ExprKind::Int(n), Ty::Long);
        at.and(
            comparison(at, BinaryOp::AtMost, limit(LEAST), value.clone()),
            comparison(at, BinaryOp::AtMost, value, limit(GREATEST)),
        )
    }

    /// When a sum has a value, and the value, of 64 bits.
    fn sum(&mut self, at: At, sum: &Linear<'_>, env: &Env) -> (Expr, Expr) {
        let mut are_defined = Vec::new();
        let mut value = at.expr(ExprKind::Int(sum.constant), Ty::Long);
        let variables: Vec<(i64, HeapTerm)> = sum.variables.iter().map(|(v, f)| (*f, HeapTerm::Bound(*v))).collect();
        for (factor, term) in sum.terms.iter().map(|(f, t)| (*f, *t)).chain(variables.iter().map(|(f, t)| (*f, t))) {
            let term = self.term(at, term, env);
            are_defined.push(term.is_defined);
            let op = if factor < 0 { ir::BinaryOp::Sub } else { ir::BinaryOp::Add };
            let many = at.expr(ExprKind::Int(factor.saturating_abs()), Ty::Long);
            let part = if factor.abs() == 1 { term.value } else { at.binary_long(ir::BinaryOp::Mul, many, term.value) };
            value = at.binary_long(op, value, part);
        }
        (at.all(are_defined), value)
    }
}

impl Quantifier<'_> {
    fn join(&self, parts: Vec<Expr>) -> Expr {
        if self.fold == Fold::Any { self.at.any(parts) } else { self.at.all(parts) }
    }

    fn if_defined(&self, is_defined: Expr, asked: Expr) -> Expr {
        let at = self.at;
        if self.fold == Fold::Any { at.and(is_defined, asked) } else { at.or(at.not(is_defined), asked) }
    }

    /// The body for a value, if it is an int and not tried anyway.
    fn ask(&self, model: &Model<'_>, value: Expr) -> Expr {
        let at = self.at;
        let mut conditions = Vec::new();
        if !matches!(value.kind, ExprKind::Int(_)) {
            conditions.push(model.is_int(at, value.clone()));
        }
        if let Some((first, end)) = &self.tried {
            let is_before = match value.kind {
                ExprKind::Int(n) => at.bool(n < *first),
                _ => comparison(at, BinaryOp::Less, value.clone(), at.expr(ExprKind::Int(*first), Ty::Long)),
            };
            let is_after = comparison(at, BinaryOp::AtLeast, value.clone(), end.clone());
            conditions.push(at.or(is_before, is_after));
        }
        let mut arguments = self.env.arguments(at, model);
        arguments.push(match value.kind {
            ExprKind::Int(n) => at.int(n),
            _ => at.expr(ExprKind::Convert(Box::new(value)), Ty::Int),
        });
        self.if_defined(at.all(conditions), at.call(self.beyond, arguments, Ty::Bool))
    }
}

fn is_always_defined(term: &HeapTerm) -> bool {
    match term {
        HeapTerm::Int(_) | HeapTerm::Global(_) | HeapTerm::Bound(_) => true,
        HeapTerm::Arithmetic(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, a, b) => {
            is_always_defined(a) && is_always_defined(b)
        }
        _ => false,
    }
}

/// The value as a term, if it is an int for certain: arithmetic may go beyond all ints.
fn plain_int(value: &Linear<'_>) -> Option<HeapTerm> {
    match value.terms[..] {
        [] => i32::try_from(value.constant).ok().map(|n| HeapTerm::Int(n.into())),
        [(1, term)] if value.constant == 0 && !matches!(term, HeapTerm::Arithmetic(..)) => Some(term.clone()),
        _ => None,
    }
}

fn is_constant(sum: &Linear<'_>) -> bool {
    sum.variables.is_empty() && sum.terms.is_empty()
}
