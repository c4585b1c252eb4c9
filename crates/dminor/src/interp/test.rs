//! Whether a value is in a type (docs/dminor.md, "Semantics" and "Type tests"). All parts of a type are tested, also if the answer is known
//! before: an error in any of them is an error of the whole. Only the condition of a refinement does not run on what is not in the refined
//! type, unless type tests are strict.

use super::{Failure, Fault, Frame, Interp, Run};
use crate::program::{Type, TypeKind};
use crate::value::Value;

impl Interp<'_> {
    pub(crate) fn test(&mut self, value: &Value, ty: &Type, frame: &mut Frame) -> Run<bool> {
        match &ty.kind {
            TypeKind::Any => Ok(true),
            TypeKind::Empty => Ok(false),
            TypeKind::Integer => Ok(matches!(value, Value::Integer(_))),
            TypeKind::Text => Ok(matches!(value, Value::Text(_))),
            TypeKind::Logical => Ok(matches!(value, Value::Logical(_))),
            _ => self.deeper(ty.span, |interp| interp.test_parts(value, ty, frame)),
        }
    }

    fn test_parts(&mut self, value: &Value, ty: &Type, frame: &mut Frame) -> Run<bool> {
        match &ty.kind {
            TypeKind::Collection(inner) => {
                let Value::Collection(bag) = value else { return Ok(false) };
                let mut all = true;
                for (member, _) in bag.distinct() {
                    all &= self.test(member, inner, frame)?;
                }
                Ok(all)
            }
            TypeKind::Entity(fields) => {
                let Value::Entity(entity) = value else { return Ok(false) };
                let mut all = true;
                for field in fields {
                    all &= match entity.get(&field.label) {
                        Some(part) => self.test(part, &field.ty, frame)?,
                        None => false,
                    };
                }
                Ok(all)
            }
            TypeKind::Refinement(variable, base, condition) => {
                let is_based = self.test(value, base, frame)?;
                if !is_based && !self.options.strict_type_tests {
                    return Ok(false);
                }
                frame.set(*variable, value.clone());
                match self.eval(condition, frame)? {
                    Value::Logical(holds) => Ok(is_based && holds),
                    value => Err(Failure::new(Fault::Refinement { value }, condition.span).stop()),
                }
            }
            TypeKind::And(a, b) => {
                let first = self.test(value, a, frame)?;
                let second = self.test(value, b, frame)?;
                Ok(first && second)
            }
            TypeKind::Or(a, b) => {
                let first = self.test(value, a, frame)?;
                let second = self.test(value, b, frame)?;
                Ok(first || second)
            }
            TypeKind::Not(inner) => Ok(!self.test(value, inner, frame)?),
            TypeKind::Nullable(inner) => Ok(self.test(value, inner, frame)? || *value == Value::Null),
            TypeKind::Singleton(only) => Ok(self.eval(only, frame)? == *value),
            TypeKind::Named(id) => {
                let named = self.program.named(*id);
                self.test(value, &named.definition, &mut Frame::new(&named.variables))
            }
            TypeKind::Any | TypeKind::Empty | TypeKind::Integer | TypeKind::Text | TypeKind::Logical => {
                self.test(value, ty, frame)
            }
        }
    }
}
