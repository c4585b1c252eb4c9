//! What a caller from outside can give: not an array that a set or invariant looks into, nor one that holds such an array. Nobody
//! outside has them, as long as none escapes ([`crate::escape`]).

use super::code::At;
use super::fold::{Env, Fold, Name};
use super::model::Model;
use super::values::EACH;
use crate::depends::Holder;
use crate::program::LocalId;
use ir::{CompareOp, Expr, LogicOp, MethodId, Ty};

impl Model<'_> {
    /// A declarative method: none of these parameters is, or holds, an array that is kept, down to its depth. None: by their types
    /// they could not.
    pub fn are_from_outside(&mut self, parameters: &[(String, Ty)]) -> Option<MethodId> {
        let at = At(self.span);
        let mut env = Env::default();
        for (i, (_, ty)) in parameters.iter().enumerate() {
            env = env.with(Name::Local(LocalId(i as u32)), *ty, None);
        }
        let mut parts = Vec::new();
        for (i, &(_, ty)) in parameters.iter().enumerate() {
            let name = Name::Local(LocalId(i as u32));
            for (holder, depth) in self.kept.places.clone() {
                let field = match holder {
                    Holder::Global(global) => self.global(global),
                    Holder::Field(field) => self.field_of(field),
                };
                let Some(apart) = self.apart(at, ty, self.ir.field(field).ty, depth) else { continue };
                let ask = |model: &Self, env: &Env, array: Expr| {
                    let given = env.read(at, name).unwrap_or_else(|| at.null());
                    at.call(apart, vec![model.this(at), given, array], Ty::Bool)
                };
                parts.push(match holder {
                    Holder::Global(_) => ask(self, &env, self.of_state(at, field)),
                    Holder::Field(of) => {
                        let object = self.hob.field(of).object;
                        self.over_objects(at, &env, Fold::All, (EACH, object), |model, env| {
                            let x = env.read(at, Name::Bound(EACH)).unwrap_or_else(|| at.null());
                            ask(model, env, at.field(&model.ir, x, field))
                        })
                    }
                });
            }
        }
        (!parts.is_empty()).then(|| self.returning("are from outside", parameters.to_vec(), at.all(parts)))
    }

    /// A declarative method of a given value and a kept array: neither they nor arrays within them, of the latter down to a depth, are
    /// the same.
    fn apart(&mut self, at: At, given: Ty, kept: Ty, depth: usize) -> Option<MethodId> {
        let element = |model: &Self, ty: Ty| match ty {
            Ty::Array(array) => Some(model.ir.element_ty(array)),
            _ => None,
        };
        let within_given = element(self, given).and_then(|inner| self.apart(at, inner, kept, depth));
        let within_kept = match element(self, kept) {
            Some(inner) if depth > 1 => self.apart(at, given, inner, depth - 1),
            _ => None,
        };
        let is_array = matches!(given, Ty::Array(_)) && given == kept;
        if !is_array && within_given.is_none() && within_kept.is_none() {
            return None;
        }
        let parameters = vec![("given".to_string(), given), ("kept".to_string(), kept)];
        let method = self.method("are apart", parameters, Ty::Bool, at.0);
        let (a, b) = (at.local(ir::LocalId(1), given), at.local(ir::LocalId(2), kept));
        let (so_far, index) = (ir::LocalId(3), ir::LocalId(4));
        let is_null = at.or(at.same(a.clone(), at.null()), at.same(b.clone(), at.null()));
        let here = if is_array { at.not(at.same(a.clone(), b.clone())) } else { at.bool(true) };
        let mut body =
            vec![at.cond(is_null, vec![at.ret(at.bool(true))], Vec::new()), at.run(at.set_local(so_far, here))];
        let i = || at.local(index, Ty::Int);
        for (label, (inner, array)) in [(within_given, &a), (within_kept, &b)].into_iter().enumerate() {
            let Some(inner) = inner else { continue };
            let element = at.element(&self.ir, array.clone(), i());
            let pair = if label == 0 { [element, b.clone()] } else { [a.clone(), element] };
            let one = at.call(inner, std::iter::once(self.this(at)).chain(pair).collect(), Ty::Bool);
            let both = at.logic(LogicOp::And, at.local(so_far, Ty::Bool), one);
            let condition = at.compare(CompareOp::Lt, i(), at.length(array.clone()));
            let step = at.set_local(index, at.add(i(), at.int(1)));
            body.push(at.run(at.set_local(index, at.int(0))));
            body.push(at.while_loop(label as u32, condition, vec![at.run(at.set_local(so_far, both))], vec![step]));
        }
        body.push(at.ret(at.local(so_far, Ty::Bool)));
        self.define(method, vec![Ty::Bool, Ty::Int], body, true);
        Some(method)
    }
}
