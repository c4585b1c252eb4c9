//! Expressions to values, from left to right (docs/dminor.md, "Semantics").

use super::moves::is_used_once;
use super::operate::{logical, operate};
use super::{Contract, Failure, Fault, Frame, Interp, Run, Stop};
use crate::explain;
use crate::program::{Accumulate, Expr, ExprKind, Function, Op, Query, Type};
use crate::value::{Bag, Value};
use source::Span;
use std::sync::Arc;

/// How many calls around a failure are shown.
const MOST_CALLS: usize = 8;

impl Interp<'_> {
    pub(crate) fn eval(&mut self, expr: &Expr, frame: &mut Frame) -> Run<Value> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(value.clone()),
            // Every variable is bound before it is used: `statics` sees to it.
            ExprKind::Var(id) => Ok(frame.fetch(*id).unwrap_or(Value::Null)),
            _ => self.deeper(expr.span, |interp| interp.eval_parts(expr, frame)),
        }
    }

    fn eval_parts(&mut self, expr: &Expr, frame: &mut Frame) -> Run<Value> {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Var(_) => self.eval(expr, frame),
            ExprKind::Op(op @ (Op::And | Op::Or), operands) => self.connective(*op, operands, frame),
            ExprKind::Op(op, operands) => {
                let values = self.eval_all(operands, frame)?;
                let value = operate(*op, values, operands)?;
                self.sized(value, expr)
            }
            ExprKind::Cond(condition, then, other) => {
                let branch = if self.condition(condition, frame)? { then } else { other };
                self.eval(branch, frame)
            }
            ExprKind::Let(variable, value, body) => {
                let value = self.eval(value, frame)?;
                frame.set(*variable, value);
                self.eval(body, frame)
            }
            ExprKind::Test(value, ty) => {
                let value = self.eval(value, frame)?;
                Ok(Value::Logical(self.test(&value, ty, frame)?))
            }
            ExprKind::Ascribe(value, ty) => {
                let value = self.eval(value, frame)?;
                self.promise(Contract::Ascription, "", &value, ty, expr.span, frame)?;
                Ok(value)
            }
            ExprKind::Entity(fields) => {
                let mut all = Vec::with_capacity(fields.len());
                for (label, part) in fields {
                    all.push((label.clone(), self.eval(part, frame)?));
                }
                self.sized(Value::Entity(Arc::new(all.into_iter().collect())), expr)
            }
            ExprKind::Collection(items) => {
                let members = self.eval_all(items, frame)?;
                self.sized(Value::collection(members), expr)
            }
            ExprKind::Select(base, label) => {
                let value = self.eval(base, frame)?;
                let fault = match &value {
                    Value::Entity(fields) => match fields.get(label) {
                        Some(field) => return Ok(field.clone()),
                        None => Fault::NoField { label: label.clone(), value },
                    },
                    _ => Fault::NoEntity { label: label.clone(), value },
                };
                Err(Failure::new(fault, expr.span).stop())
            }
            ExprKind::Call(id, arguments) => {
                let arguments = self.eval_all(arguments, frame)?;
                let function = self.program.function(*id);
                self.apply(function, arguments, expr.span).map_err(|mut stop| {
                    if let Stop::Error(failure) = &mut *stop
                        && failure.calls.len() < MOST_CALLS
                    {
                        failure.calls.push(expr.span);
                    }
                    stop
                })
            }
            ExprKind::Accumulate(accumulate) => self.accumulate(accumulate, expr.span, frame),
            ExprKind::Query(query) => self.query(query, expr, frame),
        }
    }

    fn eval_all(&mut self, parts: &[Expr], frame: &mut Frame) -> Run<Vec<Value>> {
        parts.iter().map(|p| self.eval(p, frame)).collect()
    }

    fn connective(&mut self, op: Op, operands: &[Expr], frame: &mut Frame) -> Run<Value> {
        let [left, right] = operands else { return Ok(Value::Null) };
        let first = self.eval(left, frame)?;
        if !self.options.strict_ops {
            let first = logical(op, first, left)?;
            if first == (op == Op::Or) {
                return Ok(Value::Logical(first));
            }
            let second = self.eval(right, frame)?;
            return Ok(Value::Logical(logical(op, second, right)?));
        }
        let second = self.eval(right, frame)?;
        let (first, second) = (logical(op, first, left)?, logical(op, second, right)?);
        Ok(Value::Logical(if op == Op::Or { first || second } else { first && second }))
    }

    fn condition(&mut self, condition: &Expr, frame: &mut Frame) -> Run<bool> {
        match self.eval(condition, frame)? {
            Value::Logical(b) => Ok(b),
            value => Err(Failure::new(Fault::Condition { value }, condition.span).stop()),
        }
    }

    /// The body with the parameters bound; the call is at this place.
    pub(super) fn apply(&mut self, function: &Function, arguments: Vec<Value>, at: Span) -> Run<Value> {
        let mut frame = Frame::new(&function.variables);
        for ((variable, ty), value) in function.parameters.iter().zip(arguments) {
            let name = &self.program.variable(*variable).name;
            self.promise(Contract::Parameter, name, &value, ty, at, &mut frame)?;
            frame.set(*variable, value);
        }
        let result = self.deeper(function.name_span, |interp| interp.eval(&function.body, &mut frame))?;
        self.promise(Contract::Result, &function.name, &result, &function.result, function.body.span, &mut frame)?;
        Ok(result)
    }

    /// Where contracts are checked, the value must be in the type. `of` is the name of what is promised.
    fn promise(
        &mut self,
        contract: Contract,
        of: &str,
        value: &Value,
        ty: &Type,
        at: Span,
        frame: &mut Frame,
    ) -> Run<()> {
        if !self.options.contracts || self.test(value, ty, frame)? {
            return Ok(());
        }
        let misfits = explain::of_contract(self.program, &self.options, value, ty, frame);
        let fault = Fault::Contract { contract, of: of.to_string(), value: value.clone(), misfits };
        Err(Failure::new(fault, at).stop())
    }

    fn members(&mut self, source: &Expr, frame: &mut Frame) -> Run<Arc<Bag>> {
        match self.eval(source, frame)? {
            Value::Collection(bag) => Ok(bag),
            value => Err(Failure::new(Fault::NoCollection { value }, source.span).stop()),
        }
    }

    /// Picks any member, removes one occurrence of it, and goes on.
    fn accumulate(&mut self, accumulate: &Accumulate, span: Span, frame: &mut Frame) -> Run<Value> {
        let mut rest = Bag::clone(&*self.members(&accumulate.source, frame)?);
        let mut current = self.eval(&accumulate.initial, frame)?;
        let moves = is_used_once(&accumulate.body, accumulate.accumulator);
        let mut from = accumulate.initial.span;
        loop {
            self.keep(accumulate, &current, &rest, from, frame)?;
            from = accumulate.body.span;
            let kinds = rest.kinds();
            let choice = if kinds > 1 { self.chooser.choose(kinds) } else { 0 };
            let Some(item) = rest.take(choice) else { return Ok(current) };
            frame.set(accumulate.item, item);
            frame.set(accumulate.accumulator, current);
            self.count(span)?;
            if moves {
                frame.moving.push(accumulate.accumulator);
            }
            let next = self.eval(&accumulate.body, frame);
            if moves {
                frame.moving.pop();
            }
            current = next?;
        }
    }

    /// Where contracts are checked: the type of the accumulator, which comes from this place, and the invariant.
    fn keep(&mut self, accumulate: &Accumulate, current: &Value, rest: &Bag, from: Span, frame: &mut Frame) -> Run<()> {
        if !self.options.contracts {
            return Ok(());
        }
        if let Some(ty) = &accumulate.annotation {
            let name = &self.program.variable(accumulate.accumulator).name;
            self.promise(Contract::Accumulator, name, current, ty, from, frame)?;
        }
        if let Some((variable, invariant)) = &accumulate.invariant {
            frame.set(accumulate.accumulator, current.clone());
            frame.set(*variable, Value::Collection(Arc::new(rest.clone())));
            if !self.condition(invariant, frame)? {
                let of = self.program.variable(accumulate.accumulator).name.clone();
                let (contract, value) = (Contract::Invariant, current.clone());
                let fault = Fault::Contract { contract, of, value, misfits: Vec::new() };
                return Err(Failure::new(fault, invariant.span).stop());
            }
        }
        Ok(())
    }

    fn query(&mut self, query: &Query, expr: &Expr, frame: &mut Frame) -> Run<Value> {
        let source = self.members(&query.source, frame)?;
        let mut selected = Bag::default();
        for item in source.iter() {
            frame.set(query.item, item.clone());
            self.count(expr.span)?;
            if let Some(filter) = &query.filter
                && !self.condition(filter, frame)?
            {
                continue;
            }
            selected.insert(self.eval(&query.select, frame)?, 1);
        }
        self.sized(Value::Collection(Arc::new(selected)), expr)
    }
}
