//! Where fields lead to: reachability in formulas of Isabelle's kind, and PALE's routes, backwards too.

use super::build::{and, either, is_null, not, or};
use super::syntax::{Term, Way};
use super::{Env, Reader};
use crate::program::{BinaryOp, FieldId, HeapFormula, HeapTerm, Route, Type, TypeId};

impl Reader<'_, '_, '_, '_> {
    /// Fields are total: a list that ends leads to null.
    pub(super) fn closure(
        &mut self,
        fields: &[String],
        strict: bool,
        from: &Term,
        to: &Term,
        env: &Env,
    ) -> Option<HeapFormula> {
        let ((from, from_ty), (to, to_ty)) = (self.term(from, env)?, self.term(to, env)?);
        let object = match (&from_ty, &to_ty) {
            (Type::Object(object), _) | (Type::Null, Type::Object(object)) => *object,
            (Type::Null, Type::Null) => return Some(HeapFormula::True),
            _ => return None,
        };
        let mut steps = Vec::new();
        for field in fields {
            let (id, ty) = self.field(object, field)?;
            if ty != Type::Object(object) {
                return None;
            }
            steps.push(id);
        }
        let step = either(steps.iter().map(|id| Route::Field(*id)).collect());
        let route = if strict { Route::Plus(Box::new(step.clone())) } else { Route::Star(Box::new(step.clone())) };
        let between = |a: &HeapTerm, b: &HeapTerm| HeapFormula::Reach(a.clone(), route.clone(), b.clone());
        // To null: from null, or over an object whose field is null.
        let number = self.number();
        let last = HeapTerm::Bound(number);
        let ends = steps.iter().map(|id| {
            let read = HeapTerm::Field(Box::new(last.clone()), *id);
            HeapFormula::Compare(BinaryOp::Equal, read, HeapTerm::Null)
        });
        let way = HeapFormula::Reach(from.clone(), Route::Star(Box::new(step)), last.clone());
        let over = and(vec![way, or(ends.collect())]);
        let ends = HeapFormula::Quantified {
            exists: true,
            variable: number,
            name: "last".to_string(),
            ty: Type::Object(object),
            body: Box::new(over),
        };
        let to_null = if matches!(from, HeapTerm::Null) { HeapFormula::True } else { or(vec![is_null(&from), ends]) };
        let to_object = if matches!(from, HeapTerm::Null) { HeapFormula::False } else { between(&from, &to) };
        Some(match to {
            HeapTerm::Null => to_null,
            _ => or(vec![and(vec![is_null(&to), to_null]), and(vec![not(is_null(&to)), to_object])]),
        })
    }

    pub(super) fn reach(
        &mut self,
        (from, from_ty): (HeapTerm, Type),
        way: &Way,
        (to, to_ty): (HeapTerm, Type),
    ) -> Option<HeapFormula> {
        if let Some(backwards) = reversed(way) {
            // Objects outside of the backbone have nothing to do with it; to take no step is no matter of fields.
            let inside = self.backbone.has(&to);
            let is_same = match way {
                Way::Star(_) => self.same(from.clone(), to.clone()),
                _ => HeapFormula::False,
            };
            let there = self.reach((to, to_ty), &backwards, (from, from_ty))?;
            return Some(or(vec![is_same, and(vec![inside, there])]));
        }
        if let Way::Sequence(parts) = way
            && has_inverse(way)
            && let [first, rest @ ..] = &parts[..]
        {
            // By way of some object between.
            let middle = self.end_of(first, &from_ty)?;
            let number = self.number();
            let at = (HeapTerm::Bound(number), Type::Object(middle));
            let first = self.reach((from, from_ty), first, at.clone())?;
            let rest = self.reach(at.clone(), &Way::Sequence(rest.to_vec()), (to, to_ty))?;
            let body = Box::new(and(vec![first, rest]));
            return Some(HeapFormula::Quantified {
                exists: true,
                variable: number,
                name: "between".into(),
                ty: at.1,
                body,
            });
        }
        let (Type::Object(start), Type::Object(_)) = (&from_ty, &to_ty) else {
            return (from_ty == Type::Null || to_ty == Type::Null).then_some(HeapFormula::False);
        };
        let (route, ends) = self.route(way, &[*start])?;
        ends.iter().any(|e| Type::Object(*e) == to_ty).then_some(HeapFormula::Reach(from, route, to))
    }

    /// The type of objects that a step leads to, if it is one.
    fn end_of(&self, way: &Way, from: &Type) -> Option<TypeId> {
        let Type::Object(start) = from else { return None };
        match way {
            Way::Inverse(field) => {
                let program = &self.resolver.program;
                let fields = program.module(self.module).fields.iter().map(|f| program.field(*f));
                fields.into_iter().find(|f| f.name == *field && f.ty == *from).map(|f| f.object)
            }
            _ => match self.route(way, &[*start])?.1[..] {
                [only] => Some(only),
                _ => None,
            },
        }
    }

    fn route(&self, way: &Way, from: &[TypeId]) -> Option<(Route, Vec<TypeId>)> {
        Some(match way {
            Way::Inverse(_) => return None,
            Way::Field(name) => {
                let found: Vec<(FieldId, Type)> = from.iter().filter_map(|t| self.field_if_any(*t, name)).collect();
                let [(id, Type::Object(to))] = &found[..] else { return None };
                (Route::Field(*id), vec![*to])
            }
            Way::Sequence(parts) => {
                let (mut at, mut routes) = (from.to_vec(), Vec::new());
                for part in parts {
                    let (route, to) = self.route(part, &at)?;
                    routes.push(route);
                    at = to;
                }
                (if routes.len() == 1 { routes.remove(0) } else { Route::Sequence(routes) }, at)
            }
            Way::Either(parts) => {
                let (mut to, mut routes) = (Vec::new(), Vec::new());
                for part in parts {
                    let (route, ends) = self.route(part, from)?;
                    routes.push(route);
                    to.extend(ends);
                }
                to.sort_unstable();
                to.dedup();
                (Route::Either(routes), to)
            }
            Way::Star(inner) => {
                let mut reached = from.to_vec();
                loop {
                    let (route, ends) = self.route(inner, &reached)?;
                    let known = reached.len();
                    reached.extend(ends);
                    reached.sort_unstable();
                    reached.dedup();
                    if reached.len() == known {
                        return Some((Route::Star(Box::new(route)), reached));
                    }
                }
            }
        })
    }
}

fn has_inverse(way: &Way) -> bool {
    match way {
        Way::Inverse(_) => true,
        Way::Field(_) => false,
        Way::Sequence(parts) | Way::Either(parts) => parts.iter().any(has_inverse),
        Way::Star(inner) => has_inverse(inner),
    }
}

/// The way back, if every step goes backwards.
fn reversed(way: &Way) -> Option<Way> {
    Some(match way {
        Way::Field(_) => return None,
        Way::Inverse(field) => Way::Field(field.clone()),
        Way::Sequence(parts) => Way::Sequence(parts.iter().rev().map(reversed).collect::<Option<_>>()?),
        Way::Either(parts) => Way::Either(parts.iter().map(reversed).collect::<Option<_>>()?),
        Way::Star(inner) => Way::Star(Box::new(reversed(inner)?)),
    })
}
