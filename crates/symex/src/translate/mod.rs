//! The translation of declarative code (dissertation, 2.9 and Figure 5.7): H |- e => (v, E), where v is the value as a
//! formula and E holds on the states where evaluating e is an error. Under E, v means nothing.
//!
//! Guards: while the branch of a conditional is translated, its condition is taken as known, so references become single
//! objects behind a null test. A call does not see the guards of its caller: its translation is cached and must be valid
//! wherever the arguments are the same.

mod intrinsics;
mod places;

use crate::oracle::Stop;
use crate::statements::Locals;
use crate::symbolic::Symbolic;
use crate::value::{RefId, Sym};
use formula::{Lit, TermId};
use ir::*;

/// Of a guard of a caller, so many parts are looked at.
const PARTS: usize = 64;

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
                let late = self.store(array, index, value, e)?;
                Ok((value, self.graph.or(error, late)))
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
                let late = self.graph.ite(c, e1, Lit::FALSE);
                Ok((Sym::Bool(self.graph.and(c, d)), self.graph.or(e0, late)))
            }
            ExprKind::OrElse(a, b) => {
                // RD-OR
                let (c, e0) = self.translate_bool(a, env)?;
                let (d, e1) = self.under(!c, |s| s.translate_bool(b, env), (Lit::FALSE, Lit::FALSE))?;
                let late = self.graph.ite(c, Lit::FALSE, e1);
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
                let passes = self.fits(a, *ty);
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
                let obj = self.constructed(obj, *constructor);
                Ok((self.single(obj), self.graph.or(error, late)))
            }
            ExprKind::NewArray(lengths) => {
                let (lengths, error) = self.translate_all(lengths, env)?;
                let (array, bad) = self.new_array(e, &lengths)?;
                let value = self.single(array);
                Ok((value, self.graph.or(error, bad)))
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
            ExprKind::Intrinsic(Intrinsic::Surely, args) if let Some(sure) = self.surely(args, env)? => {
                no_error(Sym::Bool(Lit::constant(sure)))
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
            guard => self.guarded(guard, translate),
        }
    }

    /// Translates with a guard taken as known.
    pub(crate) fn guarded<T>(&mut self, guard: Lit, translate: impl FnOnce(&mut Self) -> T) -> T {
        if guard == Lit::TRUE {
            return translate(self);
        }
        self.push_guard(guard);
        let result = translate(self);
        self.pop_guard();
        result
    }

    fn push_guard(&mut self, guard: Lit) {
        let mark = self.graph.push_guard(guard);
        self.guards.push((guard, mark));
    }

    fn pop_guard(&mut self) {
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
        let callers = self.outer_guards.len();
        self.outer_guards.extend(guards.iter().map(|(guard, _)| *guard));
        let result = translate(self);
        self.outer_guards.truncate(callers);
        for (guard, _) in guards {
            self.push_guard(guard);
        }
        result
    }

    /// Whether the guards of this method and of its callers exclude each other, as far as a few parts of each say so: one may be an invariant
    /// of many thousands, and has no part in how a recursion ends.
    pub(crate) fn is_unreached(&mut self) -> bool {
        let mark = self.graph.mark();
        let is_excluded = (0..self.outer_guards.len()).any(|k| {
            let guard = self.graph.known(self.outer_guards[k]);
            self.graph.push_parts(guard, PARTS);
            guard == Lit::FALSE
        });
        self.graph.undo_to(mark);
        is_excluded
    }

    pub(crate) fn translate_bool(&mut self, e: &Expr, env: &mut Locals) -> Result<(Lit, Lit), Stop> {
        match self.translate(e, env)? {
            (Sym::Bool(lit), error) => Ok((lit, error)),
            _ => Ok((Lit::FALSE, Lit::TRUE)),
        }
    }

    pub(crate) fn translate_int(&mut self, e: &Expr, env: &mut Locals) -> Result<(TermId, Lit), Stop> {
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

    pub fn logic(&mut self, op: LogicOp, a: Lit, b: Lit) -> Lit {
        match op {
            LogicOp::And => self.graph.and(a, b),
            LogicOp::Or => self.graph.or(a, b),
            LogicOp::Xor => self.graph.xor(a, b),
            LogicOp::Eq => self.graph.iff(a, b),
        }
    }
}
