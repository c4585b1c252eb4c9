//! What a variable holds. Objects and arrays are numbers into the [heap](super::heap); a text is shared and never changes.

use crate::program::{Constant, Type};
use std::sync::Arc;

/// An object, numbered in the order of allocation from 0 on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjId(pub u32);

impl ObjId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An array, numbered in the order of allocation from 0 on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayId(pub u32);

impl ArrayId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, PartialEq, Default, Debug)]
pub enum Value {
    Int(i32),
    Float(f64),
    Bool(bool),
    Char(char),
    Byte(i8),
    Text(Arc<str>),
    Object(ObjId),
    Array(ArrayId),
    /// Also of a call without a result: nobody can look at it.
    #[default]
    Null,
}

impl Value {
    pub fn text(text: &str) -> Value {
        Value::Text(Arc::from(text))
    }

    /// What a variable of that type holds before anything is assigned (docs/hob.md, "Implementation").
    pub fn default_of(ty: &Type) -> Value {
        match ty {
            Type::Int => Value::Int(0),
            Type::Bool => Value::Bool(false),
            Type::Float => Value::Float(0.0),
            Type::String => Value::text(""),
            Type::Char => Value::Char('\0'),
            Type::Byte => Value::Byte(0),
            Type::Object(_) | Type::Array(_) | Type::Null | Type::Nothing => Value::Null,
        }
    }

    /// As a variable of that type holds it: numbers are converted, everything else stays.
    #[inline]
    pub fn stored_as(self, ty: &Type) -> Value {
        match (ty, self) {
            (Type::Byte, Value::Int(n)) => Value::Byte(n as i8),
            (Type::Byte, Value::Char(c)) => Value::Byte(c as u32 as i8),
            (Type::Int, Value::Byte(n)) => Value::Int(i32::from(n)),
            (Type::Int, Value::Char(c)) => Value::Int(c as u32 as i32),
            (Type::Char, Value::Int(n)) => Value::Char(char::from_u32(n as u32).unwrap_or(char::REPLACEMENT_CHARACTER)),
            (Type::Char, Value::Byte(n)) => Value::Char(char::from(n as u8)),
            (Type::Float, Value::Int(n)) => Value::Float(f64::from(n)),
            (Type::Float, Value::Byte(n)) => Value::Float(f64::from(n)),
            (_, value) => value,
        }
    }

    /// The number of an int, a byte or a char.
    #[inline]
    pub fn integer(&self) -> Option<i32> {
        match self {
            Value::Int(n) => Some(*n),
            Value::Byte(n) => Some(i32::from(*n)),
            Value::Char(c) => Some(*c as u32 as i32),
            _ => None,
        }
    }

    pub fn object(&self) -> Option<ObjId> {
        match self {
            Value::Object(id) => Some(*id),
            _ => None,
        }
    }

    pub fn array(&self) -> Option<ArrayId> {
        match self {
            Value::Array(id) => Some(*id),
            _ => None,
        }
    }

    /// Whether a flag has the value that its set asks for.
    pub fn is(&self, constant: Constant) -> bool {
        match (self, constant) {
            (Value::Bool(b), Constant::Bool(c)) => *b == c,
            (value, Constant::Int(c)) => value.integer().is_some_and(|n| i64::from(n) == c),
            _ => false,
        }
    }
}
