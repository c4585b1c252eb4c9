//! Evaluates expressions (JLS chapter 15), operands from left to right.

use super::{Chooser, Eval, Interp, Stop, arith, identity_hash, identity_hash_of_box};
use crate::program::*;
use crate::value::*;
use source::Span;

impl<'p, C: Chooser> Interp<'p, C> {
    pub(super) fn eval(&mut self, e: &'p Expr) -> Eval<Value> {
        Ok(match &e.kind {
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Null => Value::Null,
            // The constants are the first objects of every heap.
            ExprKind::String(id) => Value::Obj(ObjId(id.0)),
            ExprKind::Local(local) => self.stack[self.base + local.index()],
            ExprKind::SetLocal(local, value) => {
                let value = self.eval(value)?;
                self.stack[self.base + local.index()] = value;
                value
            }
            ExprKind::Field(object, field) => {
                let object = self.eval(object)?;
                let object = self.non_null(object, e.span)?;
                return self.read(object, self.linked.layout.slot(*field));
            }
            ExprKind::SetField(object, field, value) => {
                let object = self.eval(object)?;
                let value = self.eval(value)?;
                let object = self.non_null(object, e.span)?;
                self.heap.set(object, self.linked.layout.slot(*field), value);
                value
            }
            ExprKind::Static(field) => {
                self.use_class(self.linked.program.field(*field).class)?;
                match self.heap.get_static(&self.linked.layout, *field) {
                    Some(value) => value,
                    None => return self.internal("an undefined static field"),
                }
            }
            ExprKind::SetStatic(field, value) => {
                let value = self.eval(value)?;
                self.use_class(self.linked.program.field(*field).class)?;
                self.heap.set_static(&self.linked.layout, *field, value);
                value
            }
            ExprKind::Element(array, index) => {
                let array = self.eval(array)?;
                let index = self.eval(index)?;
                let (array, index) = self.checked_index(array, index, e.span)?;
                return self.read(array, index);
            }
            ExprKind::SetElement(array, index, value) => {
                let array = self.eval(array)?;
                let index = self.eval(index)?;
                let value = self.eval(value)?;
                let (array, index) = self.checked_index(array, index, e.span)?;
                self.store(array, index, value, e.span)?;
                value
            }
            ExprKind::Length(array) => {
                let array = self.eval(array)?;
                let array = self.non_null(array, e.span)?;
                Value::Int(self.heap.len(array).into())
            }
            ExprKind::Not(_)
            | ExprKind::Compare(..)
            | ExprKind::Logic(..)
            | ExprKind::AndThen(..)
            | ExprKind::OrElse(..)
            | ExprKind::Same(..)
            | ExprKind::InstanceOf(..) => Value::Bool(self.eval_bool(e)?),
            ExprKind::Negate(..) | ExprKind::Complement(..) | ExprKind::Binary(..) | ExprKind::Convert(_) => {
                Value::Int(self.eval_int(e)?)
            }
            ExprKind::Conditional(condition, a, b) => {
                let taken = self.eval_bool(condition)?;
                // Whether a state is shown is no question of the program's.
                if !matches!(condition.kind, ExprKind::Intrinsic(Intrinsic::ShowsTexts, _)) {
                    self.note_branch(condition.span, taken);
                }
                return self.eval(if taken { a } else { b });
            }
            ExprKind::Cast(a, ty) => {
                let a = self.eval(a)?;
                match self.reference(a)? {
                    Some(object) if !self.linked.is_instance(self.heap.ty(object), *ty) => {
                        return Err(self.throw(self.linked.program.known.class_cast, e.span));
                    }
                    _ => a,
                }
            }
            ExprKind::Call(method, args) => return self.call(*method, args, e.span),
            ExprKind::CallVirtual(selector, args) => return self.call_virtual(*selector, args, e.span),
            ExprKind::New(class, constructor, args) => return self.instantiate(*class, *constructor, args, e.span),
            ExprKind::NewArray(lengths) => return self.new_array(e.ty, lengths, e.span),
            ExprKind::ArrayLiteral(elements) => return self.array_literal(e.ty, elements),
            ExprKind::Sequence(block, value) => {
                self.effects(block)?;
                return self.eval(value);
            }
            ExprKind::Concat(parts) => return self.concat(parts),
            ExprKind::Intrinsic(intrinsic, args) => return self.intrinsic(*intrinsic, args, e.span),
            ExprKind::Unsupported(diagnostic) => return self.halt(Stop::Unsupported(diagnostic.clone())),
        })
    }

    /// Apart from [`Interp::eval`] so that the frames of both stay small.
    pub(super) fn eval_bool(&mut self, e: &'p Expr) -> Eval<bool> {
        Ok(match &e.kind {
            ExprKind::Not(a) => !self.eval_bool(a)?,
            ExprKind::Compare(op, a, b) => {
                let a = self.eval_int(a)?;
                arith::compare(*op, a, self.eval_int(b)?)
            }
            ExprKind::Logic(op, a, b) => {
                let a = self.eval_bool(a)?;
                arith::logic(*op, a, self.eval_bool(b)?)
            }
            ExprKind::AndThen(a, b) => self.eval_bool(a)? && self.eval_bool(b)?,
            ExprKind::OrElse(a, b) => self.eval_bool(a)? || self.eval_bool(b)?,
            ExprKind::Same(a, b) => {
                let a = self.eval(a)?;
                let b = self.eval(b)?;
                self.same(a, b)?
            }
            ExprKind::InstanceOf(a, ty) => {
                let a = self.eval(a)?;
                let object = self.reference(a)?;
                object.is_some_and(|o| self.linked.is_instance(self.heap.ty(o), *ty))
            }
            _ => {
                let value = self.eval(e)?;
                self.bool(value)?
            }
        })
    }

    /// Most operands are leaves: they cost no call.
    #[inline(always)]
    pub(super) fn eval_int(&mut self, e: &'p Expr) -> Eval<i64> {
        match &e.kind {
            ExprKind::Int(value) => Ok(*value),
            ExprKind::Local(local) => self.int(self.stack[self.base + local.index()]),
            _ => self.compute(e),
        }
    }

    fn compute(&mut self, e: &'p Expr) -> Eval<i64> {
        Ok(match &e.kind {
            ExprKind::Negate(width, a) => arith::negate(*width, self.eval_int(a)?),
            ExprKind::Complement(_, a) => !self.eval_int(a)?,
            ExprKind::Binary(op, width, a, b) => {
                let a = self.eval_int(a)?;
                let b = self.eval_int(b)?;
                match arith::binary(*op, *width, a, b) {
                    Some(value) => value,
                    None => return Err(self.throw(self.linked.program.known.arithmetic, e.span)),
                }
            }
            ExprKind::Convert(a) => arith::convert(e.ty, self.eval_int(a)?),
            _ => {
                let value = self.eval(e)?;
                self.int(value)?
            }
        })
    }

    /// The statements of a sequence: they complete normally or throw, jumps stay within.
    pub(super) fn effects(&mut self, block: &'p Block) -> Eval<()> {
        match self.block(block)? {
            super::stmt::Flow::Normal => Ok(()),
            _ => self.internal("a jump out of an expression"),
        }
    }

    pub(super) fn non_null(&mut self, value: Value, span: Span) -> Eval<ObjId> {
        match self.reference(value)? {
            Some(object) => Ok(object),
            None => Err(self.throw(self.linked.program.known.null_pointer, span)),
        }
    }

    #[inline(never)]
    fn call(&mut self, method: MethodId, args: &'p [Expr], span: Span) -> Eval<Value> {
        let base = self.push_arguments(args)?;
        let declaration = self.linked.program.method(method);
        if declaration.is_static {
            self.use_class(declaration.class)?;
        } else {
            self.receiver(base, span)?;
        }
        self.invoke(method, base, span)
    }

    #[inline(never)]
    fn call_virtual(&mut self, selector: SelectorId, args: &'p [Expr], span: Span) -> Eval<Value> {
        let base = self.push_arguments(args)?;
        let receiver = self.receiver(base, span)?;
        match self.linked.dispatch(self.class_of(receiver), selector) {
            Some(method) => self.invoke(method, base, span),
            None => self.internal("a class without the method that is called"),
        }
    }

    fn push_arguments(&mut self, args: &'p [Expr]) -> Eval<usize> {
        let base = self.stack.len();
        for arg in args {
            let value = self.eval(arg)?;
            self.stack.push(value);
        }
        Ok(base)
    }

    fn receiver(&mut self, base: usize, span: Span) -> Eval<ObjId> {
        match self.stack.get(base) {
            Some(&receiver) => self.non_null(receiver, span),
            None => self.internal("a call without a receiver"),
        }
    }

    #[inline(never)]
    fn instantiate(&mut self, class: ClassId, constructor: MethodId, args: &'p [Expr], span: Span) -> Eval<Value> {
        self.use_class(class)?;
        let base = self.stack.len();
        self.room_for(self.linked.layout.defaults(class).len())?;
        let object = Value::Obj(self.heap.allocate(&self.linked.layout, class));
        self.stack.push(object);
        self.push_arguments(args)?;
        self.invoke(constructor, base, span)?;
        Ok(object)
    }

    /// `==` of references. Equal small boxes are one object, as Java caches them (JLS 5.1.7).
    #[inline]
    fn same(&mut self, a: Value, b: Value) -> Eval<bool> {
        let (Value::Obj(a), Value::Obj(b)) = (a, b) else { return Ok(a == b) };
        let ty = self.heap.ty(a);
        if a == b || ty != self.heap.ty(b) || !self.linked.is_box(ty) {
            return Ok(a == b);
        }
        self.same_box(a, b)
    }

    #[cold]
    fn same_box(&mut self, a: ObjId, b: ObjId) -> Eval<bool> {
        let (a, b) = (self.read(a, 0)?, self.read(b, 0)?);
        let is_kept = match a {
            Value::Bool(_) => true,
            Value::Int(value) => CACHED.contains(&value),
            _ => false,
        };
        Ok(a == b && is_kept)
    }

    fn hash_of_box(&mut self, object: ObjId) -> Eval<Option<i64>> {
        let ty = self.heap.ty(object);
        let Ty::Class(class) = ty else { return Ok(None) };
        if !self.linked.is_box(ty) {
            return Ok(None);
        }
        Ok(match self.read(object, 0)? {
            Value::Bool(value) => identity_hash_of_box(class, value.into()),
            Value::Int(value) => identity_hash_of_box(class, value),
            _ => None,
        })
    }

    #[inline(never)]
    fn intrinsic(&mut self, intrinsic: Intrinsic, args: &'p [Expr], span: Span) -> Eval<Value> {
        let base = self.push_arguments(args)?;
        let mut values = [Value::Null; 5];
        let given = &self.stack[base..];
        match values.get_mut(..given.len()) {
            Some(values) => values.copy_from_slice(given),
            None => return self.internal("an intrinsic with too many arguments"),
        }
        self.stack.truncate(base);
        let [a, b, c, d, e] = values;
        match intrinsic {
            Intrinsic::Size => Ok(Value::Int(self.size)),
            Intrinsic::ShowsTexts => Ok(Value::Bool(self.texts.is_some())),
            Intrinsic::Surely => Ok(a),
            Intrinsic::IsSameObject => {
                let (a, b) = (self.in_state(a), self.in_state(b));
                Ok(Value::Bool(self.same(a, b)?))
            }
            Intrinsic::IdentityHash => {
                // A copy has the number of its original: hash tables of the pre-state still work.
                let original = self.in_state(a);
                let Some(object) = self.reference(original)? else { return Ok(Value::Int(0)) };
                if let Some(hash) = self.hash_of_box(object)? {
                    return Ok(Value::Int(hash));
                }
                if let Some(watch) = &mut self.watch {
                    watch.hashed(object);
                }
                Ok(Value::Int(identity_hash(object)))
            }
            Intrinsic::SameClass => {
                let a = self.non_null(a, span)?;
                let b = self.non_null(b, span)?;
                Ok(Value::Bool(self.heap.ty(a) == self.heap.ty(b)))
            }
            Intrinsic::ClassOf => {
                let object = self.non_null(a, span)?;
                let ty = self.heap.ty(object);
                let program = self.linked.program;
                let Some(&(_, field)) = program.class_objects.iter().find(|o| o.0 == ty) else {
                    return self.internal("a class without an object");
                };
                self.use_class(program.field(field).class)?;
                match self.heap.get_static(&self.linked.layout, field) {
                    Some(value) => Ok(value),
                    None => self.internal("an undefined static field"),
                }
            }
            Intrinsic::ArrayCopy => {
                let (from, to, count) = (self.int(b)?, self.int(d)?, self.int(e)?);
                self.array_copy(a, from, c, to, count, span)?;
                Ok(Value::Null)
            }
            Intrinsic::Float(op, format) => {
                let given = if args.len() > 1 { vec![self.int(a)?, self.int(b)?] } else { vec![self.int(a)?] };
                match op.apply(format, &given) {
                    Some(value) if op.is_comparison() => Ok(Value::Bool(value != 0)),
                    Some(value) => Ok(Value::Int(value)),
                    None => self.halt(Stop::Unsupported(crate::float::FloatOp::unknown(span))),
                }
            }
            Intrinsic::Clone => {
                let array = self.non_null(a, span)?;
                self.room_for(self.heap.len(array) as usize)?;
                Ok(Value::Obj(self.heap.duplicate(array)))
            }
        }
    }

    /// The object itself for a copy in the pre-state.
    fn in_state(&self, value: Value) -> Value {
        match value {
            Value::Obj(object) => Value::Obj(self.copies.original(object).unwrap_or(object)),
            other => other,
        }
    }
}
