//! Where values are kept, and where the value of an expression may come from.

use super::Scan;
use crate::program::*;

/// A number for every field, local, result of a method, and for the elements of every array type.
pub(super) struct Places {
    fields: u32,
    arrays: u32,
    /// Of each method, its first local.
    locals: Vec<u32>,
    count: u32,
}

impl Places {
    pub fn new(program: &Program) -> Places {
        let (fields, arrays) = (program.fields.len() as u32, program.arrays.len() as u32);
        let mut count = fields + arrays + program.methods.len() as u32;
        let locals = program.methods.iter().map(|m| {
            let first = count;
            count += m.locals.len() as u32;
            first
        });
        let locals = locals.collect();
        Places { fields, arrays, locals, count }
    }

    pub fn count(&self) -> usize {
        self.count as usize
    }

    pub fn field(&self, field: FieldId) -> u32 {
        field.0
    }

    pub fn elements(&self, array: ArrayId) -> u32 {
        self.fields + array.0
    }

    pub fn result(&self, method: MethodId) -> u32 {
        self.fields + self.arrays + method.0
    }

    pub fn local(&self, method: MethodId, local: LocalId) -> u32 {
        self.locals[method.index()] + local.0
    }

    /// What is declared there.
    pub fn ty(&self, program: &Program, place: u32) -> Ty {
        let (arrays, results) = (self.fields, self.fields + self.arrays);
        if place < arrays {
            return program.fields[place as usize].ty;
        }
        if place < results {
            return program.arrays[(place - arrays) as usize];
        }
        let method = self.locals.partition_point(|&first| first <= place);
        match method.checked_sub(1) {
            // Methods without locals begin where the next one does: the last of them has it.
            Some(method) => program.methods[method].locals[(place - self.locals[method]) as usize].ty,
            None => program.methods[(place - results) as usize].return_ty,
        }
    }

    pub fn is_result(&self, place: u32) -> bool {
        !self.is_kept(place) && self.locals.first().is_none_or(|&first| place < first)
    }

    /// A field or elements: what is kept there outlives a call.
    pub fn is_kept(&self, place: u32) -> bool {
        place < self.fields + self.arrays
    }
}

/// What an expression may evaluate to.
#[derive(Clone, Debug, Default)]
pub(super) struct Value {
    /// The value, or a sum of which it is a part, is at one of these.
    pub places: Vec<u32>,
    /// It is such a sum, not what is there itself.
    pub is_sum: bool,
    /// It is computed in another way from what is at these.
    pub computed_from: Vec<u32>,
    /// It may be one of these; of an array, its length may.
    pub constants: Vec<i64>,
    /// An array is made right here: where the expression stands.
    pub allocations: Vec<u64>,
    /// The length of an array, or n.
    pub is_length: bool,
    /// Of arrays at these places.
    pub lengths_of: Vec<u32>,
}

impl Value {
    fn or(mut self, other: Value) -> Value {
        self.places.extend(other.places);
        self.is_sum |= other.is_sum;
        self.computed_from.extend(other.computed_from);
        self.constants.extend(other.constants);
        self.allocations.extend(other.allocations);
        self.is_length |= other.is_length;
        self.lengths_of.extend(other.lengths_of);
        self
    }

    /// What depends on it, and is neither it nor a sum with it.
    fn computed(mut self) -> Value {
        self.places.append(&mut self.computed_from);
        Value { computed_from: self.places, ..Value::default() }
    }
}

impl Scan<'_> {
    pub(super) fn value(&self, method: MethodId, e: &Expr) -> Value {
        let at = |place: u32| Value { places: vec![place], ..Value::default() };
        let results = |methods: &[MethodId]| Value {
            places: methods.iter().map(|&m| self.places.result(m)).collect(),
            ..Value::default()
        };
        let allocated = |length: Option<i64>| Value {
            allocations: vec![u64::from(e.span.file.0) << 32 | u64::from(e.span.start)],
            constants: length.into_iter().collect(),
            ..Value::default()
        };
        match &e.kind {
            ExprKind::Int(c) => Value { constants: vec![*c], ..Value::default() },
            ExprKind::Local(local) | ExprKind::SetLocal(local, _) => at(self.places.local(method, *local)),
            ExprKind::Field(_, field) | ExprKind::Static(field) => at(self.places.field(*field)),
            ExprKind::SetField(_, _, v) | ExprKind::SetStatic(_, v) | ExprKind::SetElement(_, _, v) => {
                self.value(method, v)
            }
            ExprKind::Element(a, _) => match a.ty {
                Ty::Array(array) => at(self.places.elements(array)),
                _ => Value::default(),
            },
            ExprKind::Length(a) => {
                Value { is_length: true, lengths_of: self.value(method, a).places, ..Value::default() }
            }
            ExprKind::Intrinsic(Intrinsic::Size, _) => Value { is_length: true, ..Value::default() },
            ExprKind::Intrinsic(Intrinsic::Clone, arguments) => {
                let lengths_of: Vec<u32> = arguments.iter().flat_map(|a| self.value(method, a).places).collect();
                Value { lengths_of, ..allocated(None) }
            }
            ExprKind::NewArray(lengths) => allocated(match lengths.first().map(|l| &l.kind) {
                Some(ExprKind::Int(length)) => Some(*length),
                _ => None,
            }),
            ExprKind::ArrayLiteral(elements) => allocated(Some(elements.len() as i64)),
            ExprKind::Convert(a) | ExprKind::Cast(a, _) | ExprKind::Sequence(_, a) => self.value(method, a),
            ExprKind::Conditional(_, a, b) => self.value(method, a).or(self.value(method, b)),
            // What is compared is a sum; how far it is from its parts is not known.
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, _, a, b) => {
                let sum = self.value(method, a).or(self.value(method, b));
                Value { constants: Vec::new(), is_sum: true, ..sum }
            }
            ExprKind::Binary(_, _, a, b) => self.value(method, a).or(self.value(method, b)).computed(),
            ExprKind::Complement(_, a) => self.value(method, a).computed(),
            ExprKind::Negate(_, a) => {
                let value = self.value(method, a);
                let constants = value.constants.iter().map(|c| c.wrapping_neg()).collect();
                Value { constants, is_sum: true, ..value }
            }
            ExprKind::Call(m, _) => results(&[*m]),
            ExprKind::CallVirtual(selector, _) => {
                results(self.targets.get(selector.index()).map(Vec::as_slice).unwrap_or_default())
            }
            _ => Value::default(),
        }
    }
}
