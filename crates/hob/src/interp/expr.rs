//! Evaluating expressions, left to right; `&&` and `||` only as far as needed.
//!
//! Types are known before the program runs, so numbers and conditions are computed as what they are ([`Machine::int`],
//! [`Machine::float`], [`Machine::truth`]) and become a [`Value`] only where one is kept: twice as fast as computing with values.

use super::arith;
use super::machine::{Machine, Step};
use super::stop::Fault;
use super::value::{ArrayId, ObjId, Value};
use crate::program::*;
use source::Span;

/// A text that doubles again and again must end somewhere.
const LONGEST_TEXT: usize = 1 << 24;

impl<'p> Machine<'p, '_> {
    pub(crate) fn eval(&mut self, expr: &'p Expr) -> Step<Value> {
        match &expr.ty {
            Type::Int => self.int(expr).map(Value::Int),
            Type::Float => self.float(expr).map(Value::Float),
            Type::Bool => self.truth(expr).map(Value::Bool),
            _ => self.value(expr),
        }
    }

    /// As a variable of that type holds it.
    #[inline]
    pub(crate) fn eval_as(&mut self, expr: &'p Expr, ty: &Type) -> Step<Value> {
        let value = self.eval(expr)?;
        let same = std::mem::discriminant(&expr.ty) == std::mem::discriminant(ty);
        Ok(if same { value } else { value.stored_as(ty) })
    }

    /// Of an int, a byte or a char.
    pub(crate) fn int(&mut self, expr: &'p Expr) -> Step<i32> {
        match &expr.kind {
            ExprKind::Int(n) => Ok(*n as i32),
            ExprKind::Local(local) => Ok(self.local(*local).integer().unwrap_or(0)),
            ExprKind::Binary(op, a, b) => {
                self.check_stack(expr.span)?;
                let (x, y) = (self.int(a)?, self.int(b)?);
                arith::integers(*op, x, y).map_err(|fault| self.fault(fault, b.span))
            }
            ExprKind::Unary(UnaryOp::Negate, a) => {
                self.check_stack(expr.span)?;
                Ok(self.int(a)?.wrapping_neg())
            }
            ExprKind::Length(array) => {
                let found = self.value(array)?.array();
                let found = self.array_with(found, "the length", array.span)?;
                Ok(self.heap.length(found) as i32)
            }
            ExprKind::Field(object, field) => Ok(self.field_of(object, *field)?.integer().unwrap_or(0)),
            ExprKind::Index(array, index) => Ok(self.element_of(array, index)?.integer().unwrap_or(0)),
            _ => Ok(self.value(expr)?.integer().unwrap_or(0)),
        }
    }

    /// Of a float, or of anything that can be one.
    fn float(&mut self, expr: &'p Expr) -> Step<f64> {
        let value = match &expr.kind {
            ExprKind::Float(n) => return Ok(*n),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Binary(op, a, b) if expr.ty == Type::Float => {
                self.check_stack(expr.span)?;
                let (x, y) = (self.float(a)?, self.float(b)?);
                return Ok(arith::floats(*op, x, y));
            }
            ExprKind::Unary(UnaryOp::Negate, a) if expr.ty == Type::Float => {
                self.check_stack(expr.span)?;
                return Ok(-self.float(a)?);
            }
            ExprKind::ToFloat(a) => return Ok(f64::from(self.int(a)?)),
            ExprKind::Field(object, field) => self.field_of(object, *field)?,
            ExprKind::Index(array, index) => self.element_of(array, index)?,
            _ if is_integral(&expr.ty) => return Ok(f64::from(self.int(expr)?)),
            _ => &self.value(expr)?,
        };
        Ok(match value {
            Value::Float(n) => *n,
            other => f64::from(other.integer().unwrap_or(0)),
        })
    }

    pub(crate) fn truth(&mut self, expr: &'p Expr) -> Step<bool> {
        let value = match &expr.kind {
            ExprKind::Bool(b) => return Ok(*b),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Binary(op, a, b) => {
                self.check_stack(expr.span)?;
                return self.relation(*op, a, b);
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                self.check_stack(expr.span)?;
                return Ok(!self.truth(a)?);
            }
            ExprKind::Field(object, field) => self.field_of(object, *field)?,
            ExprKind::Index(array, index) => self.element_of(array, index)?,
            _ => &self.value(expr)?,
        };
        Ok(matches!(value, Value::Bool(true)))
    }

    fn relation(&mut self, op: BinaryOp, a: &'p Expr, b: &'p Expr) -> Step<bool> {
        Ok(match op {
            BinaryOp::AndThen => self.truth(a)? && self.truth(b)?,
            BinaryOp::OrElse => self.truth(a)? || self.truth(b)?,
            _ if is_integral(&a.ty) && is_integral(&b.ty) => {
                let (x, y) = (self.int(a)?, self.int(b)?);
                op.compares(&x, &y)
            }
            _ if a.ty == Type::Float || b.ty == Type::Float => {
                let (x, y) = (self.float(a)?, self.float(b)?);
                op.compares(&x, &y)
            }
            _ if a.ty == Type::Bool => {
                let (x, y) = (self.truth(a)?, self.truth(b)?);
                match op {
                    BinaryOp::And => x && y,
                    BinaryOp::Or => x || y,
                    BinaryOp::Equal => x == y,
                    _ => x != y,
                }
            }
            _ => {
                let (x, y) = (self.value(a)?, self.value(b)?);
                (x == y) == (op == BinaryOp::Equal)
            }
        })
    }

    /// Something that is kept somewhere and need not be copied to look at it; None: it must be computed.
    #[inline]
    fn kept(&mut self, expr: &'p Expr) -> Step<Option<&Value>> {
        Ok(Some(match &expr.kind {
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Global(global) => self.heap.global(*global),
            ExprKind::Field(object, field) => self.field_of(object, *field)?,
            ExprKind::Index(array, index) => self.element_of(array, index)?,
            _ => return Ok(None),
        }))
    }

    fn field_of(&mut self, object: &'p Expr, field: FieldId) -> Step<&Value> {
        self.check_stack(object.span)?;
        let found = match self.kept(object)? {
            Some(value) => value.object(),
            None => self.value(object)?.object(),
        };
        let found = self.object_with(found, field, object.span)?;
        Ok(self.heap.field(found, field))
    }

    fn element_of(&mut self, array: &'p Expr, index: &'p Expr) -> Step<&Value> {
        self.check_stack(array.span)?;
        let found = match self.kept(array)? {
            Some(value) => value.array(),
            None => self.value(array)?.array(),
        };
        let at = self.int(index)?;
        let found = self.array_with(found, "an element", array.span)?;
        match self.heap.element_slot(found, i64::from(at)) {
            Some(slot) => Ok(self.heap.slot_value(slot)),
            None => Err(self.outside(found, at, index.span)),
        }
    }

    /// Of any type.
    fn value(&mut self, expr: &'p Expr) -> Step<Value> {
        match &expr.kind {
            ExprKind::Int(n) => Ok(Value::Int(*n as i32).stored_as(&expr.ty)),
            ExprKind::Float(n) => Ok(Value::Float(*n)),
            ExprKind::Bool(b) => Ok(Value::Bool(*b)),
            ExprKind::Char(c) => Ok(Value::Char(*c)),
            ExprKind::String(text) => Ok(Value::text(text)),
            ExprKind::Null => Ok(Value::Null),
            ExprKind::Local(local) => Ok(self.local(*local).clone()),
            ExprKind::Global(global) => Ok(self.heap.global(*global).clone()),
            ExprKind::Field(object, field) => self.field_of(object, *field).cloned(),
            ExprKind::Index(array, index) => self.element_of(array, index).cloned(),
            ExprKind::Binary(BinaryOp::Add, a, b) if expr.ty == Type::String => {
                self.check_stack(expr.span)?;
                self.join(a, b, expr.span)
            }
            ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Length(_) | ExprKind::ToFloat(_) => match &expr.ty {
                Type::Float => self.float(expr).map(Value::Float),
                Type::Bool => self.truth(expr).map(Value::Bool),
                ty => self.int(expr).map(|n| Value::Int(n).stored_as(ty)),
            },
            ExprKind::Call(proc, arguments) => {
                self.check_stack(expr.span)?;
                for (argument, formal) in arguments.iter().zip(&self.program.proc(*proc).locals) {
                    let value = self.eval_as(argument, &formal.ty)?;
                    self.locals.push(value);
                }
                self.enter(*proc, Some(expr.span))
            }
            ExprKind::Intrinsic(intrinsic, arguments) => {
                self.check_stack(expr.span)?;
                self.intrinsic(*intrinsic, arguments, expr.span)
            }
            ExprKind::New(ty) => match self.heap.allocate(*ty) {
                Ok(object) => Ok(Value::Object(object)),
                Err(_) => Err(self.fault(Fault::OutOfMemory, expr.span)),
            },
            ExprKind::NewArray(lengths) => {
                self.check_stack(expr.span)?;
                let mut evaluated = Vec::with_capacity(lengths.len());
                for length in lengths {
                    evaluated.push((self.int(length)?, length.span));
                }
                if let Some(&(n, span)) = evaluated.iter().find(|(n, _)| *n < 0) {
                    return Err(self.fault(Fault::NegativeArraySize(n), span));
                }
                self.nested_arrays(&evaluated, &expr.ty, expr.span)
            }
            ExprKind::Step { place, up, prefix } => {
                self.check_stack(expr.span)?;
                let target = self.target(place)?;
                let before = self.load(&target)?;
                let change = if *up { 1 } else { -1 };
                let after = match before {
                    Value::Float(n) => Value::Float(n + f64::from(change)),
                    Value::Byte(n) => Value::Byte(n.wrapping_add(change as i8)),
                    Value::Char(c) => Value::Int((c as u32 as i32).wrapping_add(change)).stored_as(&Type::Char),
                    ref value => Value::Int(value.integer().unwrap_or(0).wrapping_add(change)),
                };
                let value = if *prefix { after.clone() } else { before };
                self.store(&target, after)?;
                Ok(value)
            }
        }
    }

    fn join(&mut self, a: &'p Expr, b: &'p Expr, span: Span) -> Step<Value> {
        let (left, right) = (self.eval(a)?, self.eval(b)?);
        let mut text = String::new();
        arith::append(&mut text, &left, &self.heap, self.program);
        arith::append(&mut text, &right, &self.heap, self.program);
        if text.len() > LONGEST_TEXT {
            return Err(self.fault(Fault::OutOfMemory, span));
        }
        Ok(Value::Text(text.into()))
    }

    #[inline]
    pub(crate) fn object_with(&self, found: Option<ObjId>, field: FieldId, span: Span) -> Step<ObjId> {
        match found {
            Some(id) => Ok(id),
            None => {
                let name = &self.program.field(field).name;
                Err(self.fault(Fault::NullDereference(format!("field `{name}`")), span))
            }
        }
    }

    #[inline]
    pub(crate) fn array_with(&self, found: Option<ArrayId>, what: &str, span: Span) -> Step<ArrayId> {
        found.ok_or_else(|| self.fault(Fault::NullDereference(what.into()), span))
    }

    #[cold]
    pub(crate) fn outside(&self, array: ArrayId, index: i32, span: Span) -> Box<super::Stop> {
        self.fault(Fault::IndexOutOfBounds { index, length: self.heap.length(array) }, span)
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

fn is_integral(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Byte | Type::Char)
}
