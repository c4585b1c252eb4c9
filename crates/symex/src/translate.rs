//! The translation of declarative code (dissertation, 2.9 and Figure 5.7): H |- e => (v, E), where v is the value as a
//! formula and E holds on the states where evaluating e is an error. Under E, v means nothing.
//!
//! Guards: while the branch of a conditional is translated, its condition is taken as known, so references become single
//! objects behind a null test. A call does not see the guards of its caller: its translation is cached and must be valid
//! wherever the arguments are the same.

use crate::execute::Stop;
use crate::statements::Locals;
use crate::symbolic::Symbolic;
use crate::value::{Obj, RefId, Sym};
use formula::Lit;
use ir::*;

pub type Translated = Result<(Sym, Lit), Stop>;

impl Symbolic<'_> {
    pub fn translate(&mut self, e: &Expr, env: &mut Locals) -> Translated {
        let no_error = |value: Sym| Ok((value, Lit::FALSE));
        match &e.kind {
            ExprKind::Bool(b) => no_error(Sym::Bool(Lit::constant(*b))),
            ExprKind::Int(i) => no_error(Sym::Int(self.graph.constant(*i))),
            ExprKind::Null => no_error(Sym::Ref(self.null)),
            ExprKind::String(id) => no_error(self.string(*id)),
            ExprKind::Local(local) => match env[local.index()] {
                Some(value) => no_error(self.narrow(value)),
                None => no_error(self.default_of(e.ty)),
            },
            ExprKind::SetLocal(local, value) => {
                let (value, error) = self.translate(value, env)?;
                env[local.index()] = Some(value);
                Ok((value, error))
            }
            ExprKind::Static(field) => no_error(self.read_static(*field)),
            ExprKind::Field(object, field) => {
                let (object, error) = self.translate_ref(object, env)?;
                let (value, missing) = self.field(object, *field);
                Ok((value, self.graph.or(error, missing)))
            }
            ExprKind::SetField(object, field, value) => {
                let (object, e0) = self.translate_ref(object, env)?;
                let (value, e1) = self.translate(value, env)?;
                let slot = self.field_slots[field.index()];
                let error = self.graph.or(e0, e1);
                let missing = self.fill(object, slot, value, e)?;
                Ok((value, self.graph.or(error, missing)))
            }
            ExprKind::SetElement(array, index, value) => {
                let (array, e0) = self.translate_ref(array, env)?;
                let (index, e1) = self.translate_int(index, env)?;
                let (value, e2) = self.translate(value, env)?;
                let error = self.graph.or_all([e0, e1, e2]);
                let Some(slot) = self.graph.as_constant(index) else {
                    return Err(Stop::unsupported(e, "a write at an index that is not fixed, in declarative code"));
                };
                let Some(obj) = self.known_object(array).filter(|&o| self.heap.is_fresh(o)) else {
                    return Err(Stop::unsupported(
                        e,
                        "a write to an array that may be one of several, in declarative code",
                    ));
                };
                if slot < 0 || slot >= self.heap.fresh(obj).slots.len() as i64 {
                    return Ok((value, Lit::TRUE));
                }
                self.fill_slot(obj, slot as u32, value);
                Ok((value, error))
            }
            ExprKind::SetStatic(..) => Err(Stop::unsupported(e, "a write to a static field in declarative code")),
            ExprKind::Element(array, index) => {
                let (array, e0) = self.translate_ref(array, env)?;
                let (index, e1) = self.translate_int(index, env)?;
                let (value, e2) = self.element(array, index, e.ty);
                Ok((value, self.graph.or_all([e0, e1, e2])))
            }
            ExprKind::Length(array) => {
                let (array, error) = self.translate_ref(array, env)?;
                let (length, missing) = self.length_of(array);
                Ok((Sym::Int(length), self.graph.or(error, missing)))
            }
            ExprKind::Not(a) => {
                let (a, error) = self.translate_bool(a, env)?;
                Ok((Sym::Bool(!a), error))
            }
            ExprKind::Negate(width, a) => {
                let (a, error) = self.translate_int(a, env)?;
                Ok((Sym::Int(self.negate(*width, a)), error))
            }
            ExprKind::Complement(width, a) => {
                let (a, error) = self.translate_int(a, env)?;
                Ok((Sym::Int(self.complement(*width, a)), error))
            }
            ExprKind::Convert(a) => {
                let (a, error) = self.translate_int(a, env)?;
                Ok((Sym::Int(self.convert(e.ty, a)), error))
            }
            ExprKind::Binary(op, width, a, b) => {
                let (a, e0) = self.translate_int(a, env)?;
                let (b, e1) = self.translate_int(b, env)?;
                let (value, e2) = self.binary(*op, *width, a, b);
                Ok((Sym::Int(value), self.graph.or_all([e0, e1, e2])))
            }
            ExprKind::Compare(op, a, b) => {
                let (a, e0) = self.translate_int(a, env)?;
                let (b, e1) = self.translate_int(b, env)?;
                Ok((Sym::Bool(self.compare(*op, a, b)), self.graph.or(e0, e1)))
            }
            ExprKind::Logic(op, a, b) => {
                let (a, e0) = self.translate_bool(a, env)?;
                let (b, e1) = self.translate_bool(b, env)?;
                Ok((Sym::Bool(self.logic(*op, a, b)), self.graph.or(e0, e1)))
            }
            ExprKind::AndThen(a, b) => {
                // RD-AND
                let (c, e0) = self.translate_bool(a, env)?;
                let (d, e1) = self.under(c, |s| s.translate_bool(b, env), (Lit::FALSE, Lit::FALSE))?;
                let late = self.graph.and(c, e1);
                Ok((Sym::Bool(self.graph.and(c, d)), self.graph.or(e0, late)))
            }
            ExprKind::OrElse(a, b) => {
                // RD-OR
                let (c, e0) = self.translate_bool(a, env)?;
                let (d, e1) = self.under(!c, |s| s.translate_bool(b, env), (Lit::FALSE, Lit::FALSE))?;
                let late = self.graph.and(!c, e1);
                Ok((Sym::Bool(self.graph.or(c, d)), self.graph.or(e0, late)))
            }
            ExprKind::Conditional(c, a, b) => {
                // RD-IF
                let (c, e0) = self.translate_bool(c, env)?;
                match self.graph.known(c) {
                    Lit::TRUE => {
                        let (value, e1) = self.translate(a, env)?;
                        return Ok((value, self.graph.or(e0, e1)));
                    }
                    Lit::FALSE => {
                        let (value, e2) = self.translate(b, env)?;
                        return Ok((value, self.graph.or(e0, e2)));
                    }
                    _ => {}
                }
                let garbage = (self.default_of(e.ty), Lit::FALSE);
                let (x, e1) = self.under(c, |s| s.translate(a, env), garbage)?;
                let (y, e2) = self.under(!c, |s| s.translate(b, env), garbage)?;
                let late = self.graph.ite(c, e1, e2);
                Ok((self.ite(c, x, y), self.graph.or(e0, late)))
            }
            ExprKind::Same(a, b) => {
                let (a, e0) = self.translate_ref(a, env)?;
                let (b, e1) = self.translate_ref(b, env)?;
                Ok((Sym::Bool(self.same(a, b)), self.graph.or(e0, e1)))
            }
            ExprKind::InstanceOf(a, ty) => {
                let (a, error) = self.translate_ref(a, env)?;
                Ok((Sym::Bool(self.instance_of(a, *ty)), error))
            }
            ExprKind::Cast(a, ty) => {
                let (a, error) = self.translate_ref(a, env)?;
                let (fits, null) = (self.instance_of(a, *ty), self.is_null(a));
                let passes = self.graph.or(fits, null);
                Ok((Sym::Ref(a), self.graph.or(error, !passes)))
            }
            ExprKind::Call(method, args) => self.translate_call(*method, args, env, e.ty),
            ExprKind::CallVirtual(selector, args) => self.translate_virtual(*selector, args, env, e),
            ExprKind::New(class, constructor, args) => {
                let (args, error) = self.translate_all(args, env)?;
                let obj = self.allocate_object(*class);
                let this = self.single(obj);
                let args: Vec<Sym> = std::iter::once(this).chain(args).collect();
                let late = self.body_apart(*constructor, args)?.1;
                Ok((this, self.graph.or(error, late)))
            }
            ExprKind::NewArray(lengths) => {
                let (lengths, error) = self.translate_all(lengths, env)?;
                let (array, bad) = self.new_array(e, &lengths)?;
                let value = self.single(array);
                Ok((value, self.graph.or(error, Lit::constant(bad))))
            }
            ExprKind::ArrayLiteral(elements) => {
                let (slots, error) = self.translate_all(elements, env)?;
                let obj = self.allocate(e.ty, slots);
                Ok((self.single(obj), error))
            }
            ExprKind::Sequence(block, value) => {
                let done = self.translate_block(block, env)?;
                let (value, late) = self.translate(value, env)?;
                Ok((value, self.graph.or(done.error, late)))
            }
            ExprKind::Concat(parts) => {
                let (_, error) = self.translate_all(parts, env)?;
                let obj = self.allocate_object(self.program.known.string);
                Ok((self.single(obj), error))
            }
            ExprKind::Intrinsic(intrinsic, args) => {
                let (args, error) = self.translate_all(args, env)?;
                let (value, late) = self.intrinsic(*intrinsic, &args, e)?;
                Ok((value, self.graph.or(error, late)))
            }
            ExprKind::Unsupported(diagnostic) => Err(Stop::Unsupported(diagnostic.clone())),
        }
    }

    /// Translates with a guard taken as known; not at all if it is known to be false.
    fn under<T>(
        &mut self,
        guard: Lit,
        translate: impl FnOnce(&mut Self) -> Result<T, Stop>,
        otherwise: T,
    ) -> Result<T, Stop> {
        match self.graph.known(guard) {
            Lit::FALSE => Ok(otherwise),
            Lit::TRUE => translate(self),
            guard => {
                self.push_guard(guard);
                let result = translate(self);
                self.pop_guard();
                result
            }
        }
    }

    pub(crate) fn push_guard(&mut self, guard: Lit) {
        let mark = self.graph.push_guard(guard);
        self.guards.push((guard, mark));
    }

    pub(crate) fn pop_guard(&mut self) {
        if let Some((_, mark)) = self.guards.pop() {
            self.graph.undo_to(mark);
        }
    }

    /// Runs `translate` without the guards of the present method.
    pub(crate) fn apart<T>(&mut self, translate: impl FnOnce(&mut Self) -> T) -> T {
        let guards = std::mem::take(&mut self.guards);
        if let Some((_, mark)) = guards.first() {
            self.graph.undo_to(*mark);
        }
        let result = translate(self);
        for (guard, _) in guards {
            self.push_guard(guard);
        }
        result
    }

    pub(crate) fn translate_bool(&mut self, e: &Expr, env: &mut Locals) -> Result<(Lit, Lit), Stop> {
        match self.translate(e, env)? {
            (Sym::Bool(lit), error) => Ok((lit, error)),
            _ => Ok((Lit::FALSE, Lit::TRUE)),
        }
    }

    pub(crate) fn translate_int(&mut self, e: &Expr, env: &mut Locals) -> Result<(formula::TermId, Lit), Stop> {
        match self.translate(e, env)? {
            (Sym::Int(term), error) => Ok((term, error)),
            _ => Ok((self.graph.constant(0), Lit::TRUE)),
        }
    }

    fn translate_ref(&mut self, e: &Expr, env: &mut Locals) -> Result<(RefId, Lit), Stop> {
        match self.translate(e, env)? {
            (Sym::Ref(id), error) => Ok((id, error)),
            _ => Ok((self.null, Lit::TRUE)),
        }
    }

    pub(crate) fn translate_all(&mut self, exprs: &[Expr], env: &mut Locals) -> Result<(Vec<Sym>, Lit), Stop> {
        let (mut values, mut error) = (Vec::with_capacity(exprs.len()), Lit::FALSE);
        for e in exprs {
            let (value, late) = self.translate(e, env)?;
            values.push(value);
            error = self.graph.or(error, late);
        }
        Ok((values, error))
    }

    /// RD-FIELD-READ: the value, and when there is nothing to read from.
    pub fn field(&mut self, object: RefId, field: FieldId) -> (Sym, Lit) {
        let slot = self.field_slots[field.index()];
        let mut parts = Vec::new();
        let mut missing = Lit::FALSE;
        for (obj, guard) in self.alternatives(object) {
            if obj == Obj::NULL {
                missing = guard;
            } else if self.has_field(obj, field) {
                let value = self.read_slot(obj, slot);
                parts.push((guard, value));
            }
        }
        match self.select(parts) {
            Some(value) => (self.narrow(value), missing),
            None => (self.default_of(self.program.field(field).ty), Lit::TRUE),
        }
    }

    /// An alternative of another class cannot be the object whenever the code is well typed.
    fn has_field(&self, obj: Obj, field: FieldId) -> bool {
        match self.ty_of(obj) {
            Ty::Class(class) => self.program.is_subclass(class, self.program.field(field).class),
            _ => false,
        }
    }

    pub fn length_of(&mut self, array: RefId) -> (formula::TermId, Lit) {
        let mut parts = Vec::new();
        let mut missing = Lit::FALSE;
        for (obj, guard) in self.alternatives(array) {
            if obj == Obj::NULL {
                missing = guard;
            } else if matches!(self.ty_of(obj), Ty::Array(_)) {
                let length = Sym::Int(self.length(obj));
                parts.push((guard, length));
            }
        }
        match self.select(parts) {
            Some(Sym::Int(length)) => (length, missing),
            _ => (self.graph.constant(0), Lit::TRUE),
        }
    }

    /// An element at an index that need not be known.
    pub fn element(&mut self, array: RefId, index: formula::TermId, ty: Ty) -> (Sym, Lit) {
        let mut parts = Vec::new();
        let mut error = Lit::FALSE;
        for (obj, guard) in self.alternatives(array) {
            if obj == Obj::NULL {
                error = self.graph.or(error, guard);
                continue;
            }
            let length = self.length(obj);
            let zero = self.graph.constant(0);
            let (low, high) = (self.graph.lt(index, zero), self.graph.le(length, index));
            let outside = self.graph.or(low, high);
            let outside = self.graph.and(guard, outside);
            error = self.graph.or(error, outside);
            let (lo, hi) = self.graph.bounds(index);
            let (_, longest) = self.graph.bounds(length);
            for i in lo.max(0)..=hi.min(longest - 1) {
                let here = self.graph.eq_constant(index, i);
                let here = self.graph.and(guard, here);
                if here != Lit::FALSE {
                    let value = self.read_slot(obj, i as u32);
                    parts.push((here, value));
                }
            }
        }
        match self.select(parts) {
            Some(value) => (self.narrow(value), error),
            None => (self.default_of(ty), Lit::TRUE),
        }
    }

    pub fn logic(&mut self, op: LogicOp, a: Lit, b: Lit) -> Lit {
        match op {
            LogicOp::And => self.graph.and(a, b),
            LogicOp::Or => self.graph.or(a, b),
            LogicOp::Xor => self.graph.xor(a, b),
            LogicOp::Eq => self.graph.iff(a, b),
        }
    }

    /// Whether a reference is an object of a type; null is not.
    pub fn instance_of(&mut self, id: RefId, ty: Ty) -> Lit {
        let mut any = Lit::FALSE;
        for (obj, guard) in self.alternatives(id) {
            if obj != Obj::NULL && self.program.is_subtype(self.ty_of(obj), ty) {
                any = self.graph.or(any, guard);
            }
        }
        any
    }

    /// An assignment to a field of an object that declarative code made itself.
    fn fill(&mut self, object: RefId, slot: u32, value: Sym, e: &Expr) -> Result<Lit, Stop> {
        match self.known_object(object) {
            Some(Obj::NULL) => Ok(Lit::TRUE),
            Some(obj) if self.heap.is_fresh(obj) => {
                self.fill_slot(obj, slot, value);
                Ok(Lit::FALSE)
            }
            _ => Err(Stop::unsupported(e, "a write to an existing object in declarative code")),
        }
    }

    /// Under the guards of the present method; they are known at the moment, so the choice is built without knowledge.
    fn fill_slot(&mut self, obj: Obj, slot: u32, value: Sym) {
        let old = self.heap.fresh(obj).slots[slot as usize];
        let guards: Vec<Lit> = self.guards.iter().map(|(g, _)| *g).collect();
        let merged = if guards.is_empty() {
            value
        } else {
            self.outright(|s| {
                let all = s.graph.and_all(guards);
                s.ite(all, value, old)
            })
        };
        self.write(crate::heap::Place::Slot(obj, slot), merged);
    }

    /// Runs `build` with settled facts only.
    fn outright<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.graph.hide(true);
        let made = build(self);
        self.graph.hide(before);
        made
    }

    /// An array, and whether a length was negative. Lengths must be fixed.
    pub fn new_array(&mut self, e: &Expr, lengths: &[Sym]) -> Result<(Obj, bool), Stop> {
        let mut fixed = Vec::new();
        for &length in lengths {
            let Sym::Int(length) = length else { return Ok((Obj::NULL, true)) };
            match self.graph.as_constant(length) {
                Some(length) if length > 1 << 20 => {
                    return Err(Stop::unsupported(e, "an array of more than a million elements"));
                }
                Some(length) => fixed.push(length),
                None => return Err(Stop::unsupported(e, "an array whose length is not fixed, in declarative code")),
            }
        }
        if fixed.iter().any(|&l| l < 0) {
            return Ok((Obj::NULL, true));
        }
        Ok((self.array_of(e.ty, &fixed), false))
    }

    pub fn array_of(&mut self, ty: Ty, lengths: &[i64]) -> Obj {
        let Ty::Array(array) = ty else { return Obj::NULL };
        let element = self.program.element_ty(array);
        let Some((&length, rest)) = lengths.split_first() else { return Obj::NULL };
        let slots = (0..length).map(|_| {
            if rest.is_empty() {
                self.default_of(element)
            } else {
                let inner = self.array_of(element, rest);
                self.single(inner)
            }
        });
        let slots = slots.collect();
        self.allocate(ty, slots)
    }

    pub fn intrinsic(&mut self, intrinsic: Intrinsic, args: &[Sym], e: &Expr) -> Translated {
        match (intrinsic, args) {
            (Intrinsic::Size, _) => Ok((Sym::Int(self.graph.constant(self.space.n)), Lit::FALSE)),
            (Intrinsic::IsSameObject, &[Sym::Ref(a), Sym::Ref(b)]) => {
                let (mut left, mut right) = (self.alternatives(a), self.alternatives(b));
                for list in [&mut left, &mut right] {
                    list.iter_mut().filter(|(o, _)| *o != Obj::NULL).for_each(|(o, _)| *o = o.now());
                }
                let mut any = Lit::FALSE;
                for &(x, c) in &left {
                    for &(y, d) in right.iter().filter(|(y, _)| *y == x) {
                        debug_assert_eq!(x, y);
                        let both = self.graph.and(c, d);
                        any = self.graph.or(any, both);
                    }
                }
                Ok((Sym::Bool(any), Lit::FALSE))
            }
            (Intrinsic::IdentityHash, &[Sym::Ref(a)]) => {
                let mut parts = Vec::new();
                for (obj, guard) in self.alternatives(a) {
                    let hash = if obj == Obj::NULL { 0 } else { obj.index() as i64 };
                    let hash = Sym::Int(self.graph.constant(hash));
                    parts.push((guard, hash));
                }
                let value = self.select(parts);
                Ok((value.unwrap_or(Sym::Ref(self.null)), Lit::FALSE))
            }
            (Intrinsic::SameClass, &[Sym::Ref(a), Sym::Ref(b)]) => {
                let (left, right) = (self.alternatives(a), self.alternatives(b));
                let (mut any, mut error) = (Lit::FALSE, Lit::FALSE);
                for &(x, c) in &left {
                    for &(y, d) in &right {
                        let both = self.graph.and(c, d);
                        if x == Obj::NULL || y == Obj::NULL {
                            error = self.graph.or(error, both);
                        } else if self.ty_of(x) == self.ty_of(y) {
                            any = self.graph.or(any, both);
                        }
                    }
                }
                Ok((Sym::Bool(any), error))
            }
            _ => Err(Stop::unsupported(e, "this library call in declarative code")),
        }
    }
}
