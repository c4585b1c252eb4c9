//! Makes, stores into and copies arrays (JLS 15.10, 15.26.1; `System.arraycopy`).

use super::{Chooser, Eval, Exit, Interp, Stop};
use crate::heap::default_value;
use crate::program::*;
use crate::value::*;
use source::Span;

impl<'p, C: Chooser> Interp<'p, C> {
    /// Stops the run if that many more slots are too many.
    pub(super) fn room_for(&mut self, slots: usize) -> Eval<()> {
        if self.heap.slot_count().saturating_add(slots) > self.limits.slots { self.halt(Stop::Memory) } else { Ok(()) }
    }

    /// The null check, then the bounds check; operands are evaluated already.
    pub(super) fn checked_index(&mut self, array: Value, index: Value, span: Span) -> Eval<(ObjId, u32)> {
        let array = self.non_null(array, span)?;
        let index = self.int(index)?;
        match u32::try_from(index) {
            Ok(index) if index < self.heap.len(array) => Ok((array, index)),
            _ => Err(self.throw(self.linked.program.known.index_out_of_bounds, span)),
        }
    }

    /// The store check, then the store.
    pub(super) fn store(&mut self, array: ObjId, index: u32, value: Value, span: Span) -> Eval<()> {
        if let Value::Obj(object) = value
            && let Ty::Array(ty) = self.heap.ty(array)
            && !self.linked.is_instance(self.heap.ty(object), self.linked.program.element_ty(ty))
        {
            return Err(self.throw(self.linked.program.known.array_store, span));
        }
        self.heap.set(array, index, value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn new_array(&mut self, ty: Ty, lengths: &'p [Expr], span: Span) -> Eval<Value> {
        let base = self.stack.len();
        for length in lengths {
            let length = self.eval(length)?;
            self.stack.push(length);
        }
        let mut dimensions = Vec::with_capacity(lengths.len());
        for index in base..self.stack.len() {
            let length = self.int(self.stack[index])?;
            dimensions.push(u32::try_from(length));
        }
        self.stack.truncate(base);
        match dimensions.into_iter().collect::<Result<Vec<u32>, _>>() {
            Ok(dimensions) => Ok(Value::Obj(self.allocate_array(ty, &dimensions)?)),
            Err(_) => Err(self.throw(self.linked.program.known.negative_array_size, span)),
        }
    }

    fn allocate_array(&mut self, ty: Ty, dimensions: &[u32]) -> Eval<ObjId> {
        let (Ty::Array(array), Some((&length, inner))) = (ty, dimensions.split_first()) else {
            return self.internal("an array of no array type");
        };
        self.room_for(length as usize)?;
        let element = self.linked.program.element_ty(array);
        let object = self.heap.allocate_filled(ty, length, Some(default_value(element)));
        if !inner.is_empty() {
            for index in 0..length {
                let row = self.allocate_array(element, inner)?;
                self.heap.set(object, index, Value::Obj(row));
            }
        }
        Ok(object)
    }

    #[inline(never)]
    pub(super) fn array_literal(&mut self, ty: Ty, elements: &'p [Expr]) -> Eval<Value> {
        let base = self.stack.len();
        for element in elements {
            let value = self.eval(element)?;
            self.stack.push(value);
        }
        self.room_for(elements.len())?;
        let array = self.heap.allocate_filled(ty, elements.len() as u32, Some(Value::Null));
        for index in 0..elements.len() {
            self.heap.set(array, index as u32, self.stack[base + index]);
        }
        self.stack.truncate(base);
        Ok(Value::Obj(array))
    }

    /// Overlapping ranges are copied as if through a third array; what was stored before a failed store check stays.
    pub(super) fn array_copy(
        &mut self,
        source: Value,
        from: i64,
        target: Value,
        to: i64,
        count: i64,
        span: Span,
    ) -> Eval<()> {
        let source = self.non_null(source, span)?;
        let target = self.non_null(target, span)?;
        let (Ty::Array(a), Ty::Array(b)) = (self.heap.ty(source), self.heap.ty(target)) else {
            return Err(self.bad_store(span));
        };
        let (a, b) = (self.linked.program.element_ty(a), self.linked.program.element_ty(b));
        if a != b && !(a.is_reference() && b.is_reference()) {
            return Err(self.bad_store(span));
        }
        let fits = |at: i64, length: u32| at >= 0 && count >= 0 && at + count <= i64::from(length);
        if !fits(from, self.heap.len(source)) || !fits(to, self.heap.len(target)) {
            return Err(self.throw(self.linked.program.known.index_out_of_bounds, span));
        }
        let (from, to, count) = (from as u32, to as u32, count as u32);
        let backwards = source == target && from < to;
        for step in 0..count {
            let offset = if backwards { count - 1 - step } else { step };
            let value = self.read(source, from + offset)?;
            self.store(target, to + offset, value, span)?;
        }
        Ok(())
    }

    fn bad_store(&mut self, span: Span) -> Exit {
        self.throw(self.linked.program.known.array_store, span)
    }
}
