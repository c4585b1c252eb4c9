//! Executing statements.

use super::heap::element_type;
use super::machine::{Flow, Machine, Step};
use super::value::Value;
use crate::program::*;
use source::Span;

/// Where to put a value: a [`Place`] whose expressions are evaluated.
pub(crate) enum Target<'p> {
    Local(LocalId),
    Global(GlobalId),
    /// The object is not yet known to be one: the value is evaluated first (as in Java).
    Field(Value, FieldId, Span),
    /// The array, its expression, the index and where it is written.
    Element(Value, &'p Expr, i32, Span),
}

impl<'p> Machine<'p, '_> {
    pub(crate) fn block(&mut self, statements: &'p [Stmt]) -> Step<Flow> {
        for statement in statements {
            if self.execute(statement)? == Flow::Return {
                return Ok(Flow::Return);
            }
        }
        Ok(Flow::Next)
    }

    fn execute(&mut self, statement: &'p Stmt) -> Step<Flow> {
        self.step(statement.span)?;
        match &statement.kind {
            StmtKind::Declare(local, value) => {
                let ty = self.type_of(*local);
                let value = match value {
                    Some(value) => self.eval_as(value, ty)?,
                    None => Value::default_of(ty),
                };
                *self.local_mut(*local) = value;
            }
            StmtKind::Assign(Place::Local(local), value) => {
                *self.local_mut(*local) = self.eval_as(value, self.type_of(*local))?;
            }
            StmtKind::Assign(place, value) => {
                let target = self.target(place)?;
                let value = self.eval(value)?;
                self.store(&target, value)?;
            }
            StmtKind::Expr(expr) => {
                self.eval(expr)?;
            }
            StmtKind::If { condition, then, otherwise } => {
                self.check_stack(statement.span)?;
                let branch = if self.truth(condition)? { then } else { otherwise };
                return self.block(branch);
            }
            StmtKind::While { invariant, condition, body, step } => {
                self.check_stack(statement.span)?;
                loop {
                    if let Some(invariant) = invariant
                        && self.contracts.is_some()
                    {
                        self.check_loop_invariant(invariant)?;
                    }
                    if !self.truth(condition)? {
                        break;
                    }
                    self.step(statement.span)?;
                    if self.block(body)? == Flow::Return {
                        return Ok(Flow::Return);
                    }
                    if let Some(step) = step
                        && self.execute(step)? == Flow::Return
                    {
                        return Ok(Flow::Return);
                    }
                }
            }
            StmtKind::Block(statements) => {
                self.check_stack(statement.span)?;
                return self.block(statements);
            }
            StmtKind::Return(value) => {
                self.returned = match (value, self.running().result) {
                    (Some(value), Some(result)) => self.eval_as(value, self.type_of(result))?,
                    (Some(value), None) => self.eval(value)?,
                    (None, _) => Value::Null,
                };
                return Ok(Flow::Return);
            }
            StmtKind::Assert { label, formula } => {
                if self.contracts.is_some() {
                    self.check_assertion(label.as_deref(), formula)?;
                }
            }
            StmtKind::Assume { label, formula } => {
                if self.contracts.is_some() {
                    self.check_assumption(label.as_deref(), formula)?;
                }
            }
            StmtKind::Pragma(_) => {}
            StmtKind::Havoc(locals) => {
                for (part, local) in locals.iter().enumerate() {
                    let object = if let Type::Object(ty) = self.type_of(*local) { Some(*ty) } else { None };
                    let value = match self.take_chosen((statement.span, part as u32), object) {
                        Some(value) => value,
                        None => self.any_value(self.type_of(*local), statement.span)?,
                    };
                    *self.local_mut(*local) = value;
                }
            }
            StmtKind::Choice(one, other) => {
                self.check_stack(statement.span)?;
                let chosen = self.take_chosen((statement.span, 0), None);
                let is_first = chosen.map_or_else(|| self.chance.coin(), |chosen| chosen == Value::Bool(true));
                let branch = if is_first { one } else { other };
                return self.block(branch);
            }
        }
        Ok(Flow::Next)
    }

    /// The procedure that is running.
    fn running(&self) -> &'p Proc {
        // Statements are only executed within a frame.
        let proc = self.frames.last().map_or(ProcId(0), |frame| frame.proc);
        self.program.proc(proc)
    }

    #[inline]
    fn type_of(&self, local: LocalId) -> &'p Type {
        &self.running().locals[local.index()].ty
    }

    /// Some value of the type: a number, null or an object that exists, null or a short new array.
    fn any_value(&mut self, ty: &'p Type, span: Span) -> Step<Value> {
        Ok(match ty {
            Type::Int => match self.chance.below(8) {
                0 => Value::Int(self.chance.draw() as i32),
                _ => Value::Int(self.chance.below(17) as i32 - 8),
            },
            Type::Byte => Value::Byte(self.chance.draw() as i8),
            Type::Bool => Value::Bool(self.chance.coin()),
            Type::Char => Value::Char(char::from(b' ' + self.chance.below(95) as u8)),
            Type::Float => Value::Float((self.chance.fraction() - 0.5) * 16.0),
            Type::String => Value::text(self.chance.pick::<&str>(&["", "a", "b", "0", "1 2"])),
            Type::Object(ty) => {
                let count = self.heap.of_type(*ty).len();
                let chosen = self.chance.below(count + 1);
                self.heap.of_type(*ty).get(chosen).map_or(Value::Null, |object| Value::Object(*object))
            }
            Type::Array(element) if self.chance.coin() => {
                let length = self.chance.below(4);
                Value::Array(self.new_array(length, &Value::default_of(element), span)?)
            }
            Type::Array(_) | Type::Null | Type::Nothing => Value::Null,
        })
    }

    pub(crate) fn target(&mut self, place: &'p Place) -> Step<Target<'p>> {
        Ok(match place {
            Place::Local(local) => Target::Local(*local),
            Place::Global(global) => Target::Global(*global),
            Place::Field(object, field) => Target::Field(self.eval(object)?, *field, object.span),
            Place::Index(array, index) => {
                let found = self.eval(array)?;
                Target::Element(found, array, self.int(index)?, index.span)
            }
        })
    }

    pub(crate) fn store(&mut self, target: &Target<'p>, value: Value) -> Step<()> {
        match target {
            Target::Local(local) => {
                let value = value.stored_as(self.type_of(*local));
                *self.local_mut(*local) = value;
            }
            Target::Global(global) => {
                self.heap.set_global(*global, value.stored_as(&self.program.globals[global.index()].ty));
            }
            Target::Field(object, field, span) => {
                let object = self.object_with(object.object(), *field, *span)?;
                self.heap.set_field(object, *field, value.stored_as(&self.program.field(*field).ty));
            }
            Target::Element(array, expr, index, span) => {
                let array = self.array_with(array.array(), "an element", expr.span)?;
                if !self.heap.set_element(array, i64::from(*index), value.stored_as(element_type(&expr.ty))) {
                    return Err(self.outside(array, *index, *span));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn load(&mut self, target: &Target<'p>) -> Step<Value> {
        Ok(match target {
            Target::Local(local) => self.local(*local).clone(),
            Target::Global(global) => self.heap.global(*global).clone(),
            Target::Field(object, field, span) => {
                let object = self.object_with(object.object(), *field, *span)?;
                self.heap.field(object, *field).clone()
            }
            Target::Element(array, expr, index, span) => {
                let array = self.array_with(array.array(), "an element", expr.span)?;
                match self.heap.element(array, i64::from(*index)) {
                    Some(value) => value.clone(),
                    None => return Err(self.outside(array, *index, *span)),
                }
            }
        })
    }
}
