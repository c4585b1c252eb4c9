//! Calls of the library that have a meaning of their own: the size, identity, hashes, classes.

use super::Translated;
use crate::oracle::Stop;
use crate::statements::Locals;
use crate::symbolic::Symbolic;
use crate::value::{Obj, Sym};
use formula::Lit;
use ir::*;

impl Symbolic<'_> {
    /// `GlassBox.surely(e)`, without the formula that says when e holds; None if e may be an error.
    pub(super) fn surely(&mut self, args: &[Expr], env: &mut Locals) -> Result<Option<bool>, Stop> {
        match args {
            [e] => self.is_surely(e, true, env),
            _ => Ok(None),
        }
    }

    /// Whether a condition is seen to have this value.
    fn is_surely(&mut self, e: &Expr, value: bool, env: &mut Locals) -> Result<Option<bool>, Stop> {
        match &e.kind {
            ExprKind::Not(a) => self.is_surely(a, !value, env),
            ExprKind::AndThen(a, b) if value => match self.is_surely(a, true, env)? {
                Some(true) => self.is_surely(b, true, env),
                other => Ok(other),
            },
            ExprKind::OrElse(a, b) if value => match self.translate_bool(a, env)? {
                (first, Lit::FALSE) => self.under(!first, |s| s.is_surely(b, true, env), Some(true)),
                _ => Ok(None),
            },
            ExprKind::Compare(CompareOp::Eq, a, b) if value => self.is_one_value([a, b], env),
            ExprKind::Same(a, b) if value => self.is_one_value([a, b], env),
            ExprKind::CallVirtual(selector, args) => {
                let (args, error) = self.translate_all(args, env)?;
                let this = match args.first() {
                    Some(&Sym::Ref(this)) if error == Lit::FALSE => self.refs.only(this).filter(|&o| o != Obj::NULL),
                    _ => None,
                };
                let method = this.and_then(|this| self.method_of(this, *selector)).map(|m| self.program.method(m));
                match method.map(|m| (m, m.body.as_deref())) {
                    Some((method, Some([Stmt { kind: StmtKind::Return(Some(e)), .. }]))) if method.is_declarative => {
                        let mut env: Locals = args.into_iter().map(Some).collect();
                        env.resize(method.locals.len(), None);
                        self.apart(|s| s.is_surely(e, value, &mut env))
                    }
                    _ => Ok(None),
                }
            }
            _ => {
                let (known, error) = self.translate_bool(e, env)?;
                Ok((error == Lit::FALSE).then(|| self.graph.known(known) == Lit::constant(value)))
            }
        }
    }

    /// Whether two expressions are seen to have one value.
    fn is_one_value(&mut self, [a, b]: [&Expr; 2], env: &mut Locals) -> Result<Option<bool>, Stop> {
        let ((a, e0), (b, e1)) = (self.translate(a, env)?, self.translate(b, env)?);
        let is_one = a == b || self.narrow(a) == self.narrow(b);
        Ok((e0 == Lit::FALSE && e1 == Lit::FALSE).then_some(is_one))
    }

    pub fn intrinsic(&mut self, intrinsic: Intrinsic, args: &[Sym], e: &Expr) -> Translated {
        match (intrinsic, args) {
            (Intrinsic::Size, _) => Ok((Sym::Int(self.graph.constant(self.space.n)), Lit::FALSE)),
            (Intrinsic::ShowsTexts, _) => Ok((Sym::Bool(Lit::FALSE), Lit::FALSE)),
            (Intrinsic::Float(op, format), _) => {
                let known = args.iter().map(|a| match a {
                    Sym::Int(term) => self.graph.as_constant(*term),
                    _ => None,
                });
                let Some(known) = known.collect::<Option<Vec<i64>>>() else {
                    return Err(Stop::unsupported(
                        e,
                        "floating-point arithmetic that depends on the state, in declarative code",
                    ));
                };
                match op.apply(format, &known) {
                    Some(value) if op.is_comparison() => {
                        Ok((Sym::Bool(if value != 0 { Lit::TRUE } else { Lit::FALSE }), Lit::FALSE))
                    }
                    Some(value) => Ok((Sym::Int(self.graph.constant(value)), Lit::FALSE)),
                    None => Err(Stop::Unsupported(ir::float::FloatOp::unknown(e.span))),
                }
            }
            (Intrinsic::Surely, &[Sym::Bool(b)]) => {
                Ok((Sym::Bool(Lit::constant(self.graph.known(b) == Lit::TRUE)), Lit::FALSE))
            }
            (Intrinsic::IsSameObject, &[Sym::Ref(a), Sym::Ref(b)]) => {
                let (mut left, mut right) = (self.alternatives(a), self.alternatives(b));
                for list in [&mut left, &mut right] {
                    list.iter_mut().filter(|(o, _)| *o != Obj::NULL).for_each(|(o, _)| *o = o.now());
                }
                let mut any = Lit::FALSE;
                for &(x, c) in &left {
                    for &(_, d) in right.iter().filter(|(y, _)| *y == x) {
                        let both = self.graph.and(c, d);
                        any = self.graph.or(any, both);
                    }
                }
                Ok((Sym::Bool(any), Lit::FALSE))
            }
            (Intrinsic::IdentityHash, &[Sym::Ref(a)]) => {
                let mut parts = Vec::new();
                for (obj, guard) in self.alternatives(a) {
                    let hash = self.identity_hash(obj);
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
            (Intrinsic::ClassOf, &[Sym::Ref(a)]) => {
                let (mut parts, mut error) = (Vec::new(), Lit::FALSE);
                for (obj, guard) in self.alternatives(a) {
                    if obj == Obj::NULL {
                        error = self.graph.or(error, guard);
                        continue;
                    }
                    let ty = self.ty_of(obj);
                    let Some(&(_, field)) = self.program.class_objects.iter().find(|o| o.0 == ty) else {
                        return Err(Stop::unsupported(e, "the class of this object"));
                    };
                    parts.push((guard, self.read_static(field)));
                }
                let value = self.select(parts);
                Ok((value.unwrap_or(Sym::Ref(self.null)), error))
            }
            _ => Err(Stop::unsupported(e, "this library call in declarative code")),
        }
    }
}
