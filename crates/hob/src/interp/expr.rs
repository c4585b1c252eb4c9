//! Evaluating expressions, left to right; `&&` and `||` only as far as needed.

use super::arith;
use super::machine::{Machine, Step};
use super::stop::Fault;
use super::value::{ArrayId, Value};
use crate::program::*;
use source::Span;

impl<'p> Machine<'p, '_> {
    pub(crate) fn eval(&mut self, expr: &'p Expr) -> Step<Value> {
        // What has no parts comes first: it needs no look at the stack.
        match &expr.kind {
            ExprKind::Local(local) => return Ok(self.local(*local).clone()),
            ExprKind::Int(n) => return Ok(Value::Int(*n as i32).stored_as(&expr.ty)),
            ExprKind::Float(n) => return Ok(Value::Float(*n)),
            ExprKind::Bool(b) => return Ok(Value::Bool(*b)),
            ExprKind::Char(c) => return Ok(Value::Char(*c)),
            ExprKind::String(text) => return Ok(Value::text(text)),
            ExprKind::Null => return Ok(Value::Null),
            ExprKind::Global(global) => return Ok(self.heap.global(*global).clone()),
            _ => {}
        }
        self.check_stack(expr.span)?;
        self.compound(expr)
    }

    fn compound(&mut self, expr: &'p Expr) -> Step<Value> {
        match &expr.kind {
            ExprKind::Field(object, field) => {
                let found = self.eval(object)?;
                let found = self.object(&found, *field, object.span)?;
                Ok(self.heap.field(found, *field).clone())
            }
            ExprKind::Index(array, index) => {
                let found = self.eval(array)?;
                let at = self.integer(index)?;
                let found = self.array(&found, "an element", array.span)?;
                match self.heap.element(found, i64::from(at)) {
                    Some(value) => Ok(value.clone()),
                    None => Err(self.outside(found, at, index.span)),
                }
            }
            ExprKind::Length(array) => {
                let found = self.eval(array)?;
                if let Value::Text(text) = &found {
                    return Ok(Value::Int(text.chars().count() as i32));
                }
                let found = self.array(&found, "the length", array.span)?;
                Ok(Value::Int(self.heap.length(found) as i32))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr.span),
            ExprKind::Unary(op, a) => {
                let value = self.eval(a)?;
                Ok(match (op, value) {
                    (UnaryOp::Not, Value::Bool(b)) => Value::Bool(!b),
                    (UnaryOp::Negate, Value::Float(n)) => Value::Float(-n),
                    (UnaryOp::Negate, value) => Value::Int(value.integer().unwrap_or(0).wrapping_neg()),
                    (UnaryOp::Not, value) => value,
                })
            }
            ExprKind::Call(proc, arguments) => {
                for (i, argument) in arguments.iter().enumerate() {
                    let value = self.eval(argument)?;
                    self.locals.push(value.stored_as(&self.program.proc(*proc).locals[i].ty));
                }
                self.enter(*proc, Some(expr.span))
            }
            ExprKind::Intrinsic(intrinsic, arguments) => self.intrinsic(*intrinsic, arguments, expr.span),
            ExprKind::New(ty) => match self.heap.allocate(*ty) {
                Ok(object) => Ok(Value::Object(object)),
                Err(_) => Err(self.fault(Fault::OutOfMemory, expr.span)),
            },
            ExprKind::NewArray(lengths) => {
                let mut evaluated = Vec::with_capacity(lengths.len());
                for length in lengths {
                    let n = self.integer(length)?;
                    evaluated.push((n, length.span));
                }
                for &(n, span) in &evaluated {
                    if n < 0 {
                        return Err(self.fault(Fault::NegativeArraySize(n), span));
                    }
                }
                self.nested_arrays(&evaluated, &expr.ty, expr.span)
            }
            ExprKind::ToFloat(a) => {
                let value = self.eval(a)?;
                Ok(value.stored_as(&Type::Float))
            }
            ExprKind::Step { place, up, prefix } => {
                let target = self.target(place)?;
                let before = self.load(&target, expr.span)?;
                let change = if *up { 1 } else { -1 };
                let after = match before {
                    Value::Float(n) => Value::Float(n + f64::from(change)),
                    Value::Byte(n) => Value::Byte(n.wrapping_add(change as i8)),
                    Value::Char(c) => Value::Int((c as u32 as i32).wrapping_add(change)).stored_as(&Type::Char),
                    ref value => Value::Int(value.integer().unwrap_or(0).wrapping_add(change)),
                };
                let value = if *prefix { after.clone() } else { before };
                self.store(&target, after, expr.span)?;
                Ok(value)
            }
            // Done by `eval`.
            _ => Ok(Value::Null),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &'p Expr, b: &'p Expr, span: Span) -> Step<Value> {
        let left = self.eval(a)?;
        match (op, &left) {
            (BinaryOp::AndThen, Value::Bool(false)) | (BinaryOp::OrElse, Value::Bool(true)) => return Ok(left),
            (BinaryOp::AndThen | BinaryOp::OrElse, _) => return self.eval(b),
            _ => {}
        }
        let right = self.eval(b)?;
        if op == BinaryOp::Add && matches!((&left, &right), (Value::Text(_), _) | (_, Value::Text(_))) {
            let mut text = String::new();
            arith::append(&mut text, &left, &self.heap, self.program);
            arith::append(&mut text, &right, &self.heap, self.program);
            return Ok(Value::Text(text.into()));
        }
        // A division by zero is the divisor's fault.
        arith::binary(op, left, right)
            .map_err(|fault| self.fault(fault, if fault_is_of_divisor(op) { b.span } else { span }))
    }

    #[inline]
    pub(crate) fn integer(&mut self, expr: &'p Expr) -> Step<i32> {
        Ok(self.eval(expr)?.integer().unwrap_or(0))
    }

    pub(crate) fn new_array(&mut self, length: usize, value: &Value, span: Span) -> Step<ArrayId> {
        self.heap.allocate_array(length, value).map_err(|_| self.fault(Fault::OutOfMemory, span))
    }

    /// `new T[2][3]` is an array of two arrays of three; further dimensions are null.
    fn nested_arrays(&mut self, lengths: &[(i32, Span)], ty: &Type, span: Span) -> Step<Value> {
        let (Some(((length, _), inner)), Type::Array(element)) = (lengths.split_first(), ty) else {
            return Ok(Value::default_of(ty));
        };
        let array = self.new_array(*length as usize, &Value::default_of(element), span)?;
        if !inner.is_empty() {
            for i in 0..i64::from(*length) {
                self.step(span)?;
                let element = self.nested_arrays(inner, element, span)?;
                self.heap.set_element(array, i, element);
            }
        }
        Ok(Value::Array(array))
    }
}

fn fault_is_of_divisor(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Divide | BinaryOp::Remainder)
}
