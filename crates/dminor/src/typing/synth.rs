//! The rules for expressions: `E |- e => T` and `E |- e <= T`. A rule that does not apply rejects; typing goes on, to find the others.

use super::checker::{Checker, Typed};
use super::copy::*;
use crate::program::*;
use crate::value::Value;
use crate::verify::walk::Kind;
use source::Span;

fn scalar(kind: TypeKind) -> Type {
    Type { kind, span: Span::default() }
}

fn constant(value: &Value, span: Span) -> Type {
    match value {
        Value::Integer(_) => ty(TypeKind::Integer, span),
        Value::Text(_) => ty(TypeKind::Text, span),
        Value::Logical(_) => ty(TypeKind::Logical, span),
        Value::Null => null(span),
        _ => ty(TypeKind::Any, span),
    }
}

fn is_zero_free(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Constant(Value::Integer(n)) if *n != num_bigint::BigInt::from(0))
}

impl Checker<'_, '_> {
    /// `E |- e <= T`. Gives the expression without what is not pure.
    pub fn check(&mut self, e: &Expr, of: &Type, kind: &Kind) -> Expr {
        match &e.kind {
            _ if self.walker.logic.stop.is_due() => e.clone(),
            ExprKind::Cond(condition, a, b) => {
                let condition = self.check(condition, &scalar(TypeKind::Logical), &Kind::Condition);
                let guard = self.guard(&condition);
                let a = self.under(&condition, guard, true, |checker| checker.check(a, of, kind));
                let b = self.under(&condition, guard, false, |checker| checker.check(b, of, kind));
                expr(ExprKind::Cond(Box::new(condition), Box::new(a), Box::new(b)), e.span)
            }
            ExprKind::Let(variable, value, body) => {
                let value = self.synth(value);
                self.bind(*variable, value.ty, Some(&value.pure));
                let body = self.check(body, of, kind);
                expr(ExprKind::Let(*variable, Box::new(value.pure), Box::new(body)), e.span)
            }
            ExprKind::Select(base, label) => {
                let field = |ty: Type| Field { label: label.clone(), label_span: e.span, ty };
                let at_least = ty(TypeKind::Entity(vec![field(of.clone())]), e.span);
                let base = match &base.kind {
                    ExprKind::Cond(..) | ExprKind::Let(..) | ExprKind::Select(..) => {
                        self.check(base, &at_least, &deeper(kind, label))
                    }
                    _ => {
                        let typed = self.synth(base);
                        if let Err(why) = self.is_subtype(&typed, &at_least) {
                            let any = ty(TypeKind::Entity(vec![field(scalar(TypeKind::Any))]), e.span);
                            let is_there = self.is_subtype(&typed, &any).is_ok();
                            let kind = if is_there { kind.clone() } else { Kind::Field(label.to_string()) };
                            self.reject(kind, e.span, why);
                        }
                        typed.pure
                    }
                };
                expr(ExprKind::Select(Box::new(base), label.clone()), e.span)
            }
            _ => {
                let typed = self.synth(e);
                self.subtype(&typed, of, kind, e.span);
                typed.pure
            }
        }
    }

    /// `E |- e => T`
    pub fn synth(&mut self, e: &Expr) -> Typed {
        let span = e.span;
        match &e.kind {
            _ if self.walker.logic.stop.is_due() => Typed { ty: ty(TypeKind::Any, span), pure: e.clone() },
            ExprKind::Constant(value) => Typed { ty: constant(value, span), pure: e.clone() },
            ExprKind::Var(id) => {
                let ty = self.types.get(id).cloned().unwrap_or(ty(TypeKind::Any, span));
                Typed { ty: self.as_tested(ty, e, span), pure: e.clone() }
            }
            ExprKind::Op(op, operands) => self.operation(*op, operands, span),
            ExprKind::Cond(condition, a, b) => {
                let condition = self.check(condition, &scalar(TypeKind::Logical), &Kind::Condition);
                let guard = self.guard(&condition);
                let a = self.under(&condition, guard, true, |checker| checker.synth(a));
                let b = self.under(&condition, guard, false, |checker| checker.synth(b));
                let mut guarded = |ty: Type, holds: bool| {
                    let condition = self.fresh.expr(&condition, &Map::new());
                    let condition = if holds { condition } else { negated(condition) };
                    Type { span, kind: TypeKind::Refinement(self.fresh.make(), Box::new(ty), Box::new(condition)) }
                };
                let both = if same(&a.ty, &b.ty) {
                    a.ty
                } else {
                    let (a, b) = (guarded(a.ty, true), guarded(b.ty, false));
                    ty(TypeKind::Or(Box::new(a), Box::new(b)), span)
                };
                let pure = expr(ExprKind::Cond(Box::new(condition), Box::new(a.pure), Box::new(b.pure)), span);
                Typed { ty: bounded(both), pure }
            }
            ExprKind::Let(variable, value, body) => {
                let value = self.synth(value);
                self.bind(*variable, value.ty, Some(&value.pure));
                let body = self.synth(body);
                let pure = expr(ExprKind::Let(*variable, Box::new(value.pure), Box::new(body.pure)), span);
                Typed { ty: body.ty, pure }
            }
            ExprKind::Test(value, of) => {
                let value = self.synth(value);
                self.well_formed(of);
                let pure = expr(ExprKind::Test(Box::new(value.pure.clone()), of.clone()), span);
                if self.walker.logic.reading.strict_type_tests {
                    // The conditions run on what is not in the types that they refine.
                    let told = self.scope(|checker| {
                        let val = checker.val(&value.pure);
                        let fact = checker.is_in(&value.ty, val);
                        checker.walker.know(fact);
                        let wrong = checker.walker.logic.wrong(of, val, &checker.env);
                        checker.prove(checker.walker.logic.terms.not(wrong))
                    });
                    if let Err(why) = told {
                        self.reject(Kind::Test, span, why);
                    }
                }
                Typed { ty: ty(TypeKind::Logical, span), pure }
            }
            ExprKind::Ascribe(value, of) => {
                self.well_formed(of);
                let pure = self.check(value, of, &Kind::Ascription);
                self.known(Typed { ty: (**of).clone(), pure })
            }
            ExprKind::Entity(fields) => {
                let (mut types, mut parts) = (Vec::new(), Vec::new());
                for (label, part) in fields {
                    let typed = self.synth(part);
                    types.push(Field { label: label.clone(), label_span: part.span, ty: typed.ty });
                    parts.push((label.clone(), typed.pure));
                }
                let ty = bounded(ty(TypeKind::Entity(types), span));
                Typed { ty, pure: expr(ExprKind::Entity(parts), span) }
            }
            ExprKind::Collection(items) => {
                let typed: Vec<Typed> = items.iter().map(|item| self.synth(item)).collect();
                let (types, parts): (Vec<Type>, Vec<Expr>) = typed.into_iter().map(|t| (t.ty, t.pure)).unzip();
                let ty = bounded(ty(TypeKind::Collection(Box::new(union(types, span))), span));
                Typed { ty, pure: expr(ExprKind::Collection(parts), span) }
            }
            ExprKind::Select(base, label) => {
                let base = self.synth(base);
                let of_field = match self.fields(&base, label) {
                    Ok(ty) => ty,
                    Err(why) => {
                        self.reject(Kind::Field(label.to_string()), span, why);
                        ty(TypeKind::Any, span)
                    }
                };
                let pure = expr(ExprKind::Select(Box::new(base.pure), label.clone()), span);
                Typed { ty: self.as_tested(of_field, &pure, span), pure }
            }
            ExprKind::Call(id, arguments) => self.call(*id, arguments, span),
            ExprKind::Accumulate(accumulate) => self.accumulate(accumulate, span),
            ExprKind::Query(query) => self.query(query, span),
        }
    }

    fn operation(&mut self, op: Op, operands: &[Expr], span: Span) -> Typed {
        let kind = Kind::Operand(op);
        let (wanted, result) = match op {
            Op::Not | Op::And | Op::Or => (TypeKind::Logical, TypeKind::Logical),
            Op::Eq | Op::Ne => (TypeKind::Any, TypeKind::Logical),
            Op::Lt | Op::Gt | Op::Le | Op::Ge => (TypeKind::Integer, TypeKind::Logical),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg => (TypeKind::Integer, TypeKind::Integer),
            Op::Count => (TypeKind::Collection(Box::new(scalar(TypeKind::Any))), TypeKind::Integer),
            Op::Cons | Op::Concat => return self.joined(op, operands, span),
        };
        let wanted = scalar(wanted);
        let parts: Vec<Expr> = match (op, operands) {
            (Op::And | Op::Or, [first, second]) if !self.walker.logic.reading.strict_ops => {
                let first = self.check(first, &wanted, &kind);
                let guard = self.guard(&first);
                let check = |checker: &mut Self| checker.check(second, &wanted, &kind);
                let second = self.under(&first, guard, op == Op::And, check);
                vec![first, second]
            }
            _ => operands.iter().map(|operand| self.check(operand, &wanted, &kind)).collect(),
        };
        if let (Op::Div, [_, divisor]) = (op, &parts[..])
            && !is_zero_free(divisor)
        {
            let variable = self.fresh.make();
            let zero = expr(ExprKind::Constant(Value::integer(0)), span);
            let differs = expr(ExprKind::Op(Op::Ne, vec![var(variable, span), zero]), span);
            let integer = Box::new(scalar(TypeKind::Integer));
            let nonzero = ty(TypeKind::Refinement(variable, integer.clone(), Box::new(differs)), span);
            let typed = Typed { ty: *integer, pure: divisor.clone() };
            self.subtype(&typed, &nonzero, &Kind::DivisionByZero, operands[1].span);
        }
        Typed { ty: ty(result, span), pure: expr(ExprKind::Op(op, parts), span) }
    }

    /// `e1 :: e2` and `e1 ++ e2`
    fn joined(&mut self, op: Op, operands: &[Expr], span: Span) -> Typed {
        let (mut types, mut parts) = (Vec::new(), Vec::new());
        for (k, operand) in operands.iter().enumerate() {
            let typed = self.synth(operand);
            types.push(match (op, k) {
                (Op::Cons, 0) => typed.ty,
                _ => self.members(&typed, Kind::Operand(op), operand.span),
            });
            parts.push(typed.pure);
        }
        let ty = bounded(ty(TypeKind::Collection(Box::new(union(types, span))), span));
        Typed { ty, pure: expr(ExprKind::Op(op, parts), span) }
    }

    /// The type of the members of what must be a collection.
    pub fn members(&mut self, typed: &Typed, kind: Kind, span: Span) -> Type {
        self.items(typed).unwrap_or_else(|why| {
            self.reject(kind, span, why);
            ty(TypeKind::Any, span)
        })
    }

    fn call(&mut self, id: FunId, arguments: &[Expr], span: Span) -> Typed {
        let function = self.walker.logic.program.function(id);
        function.parameters.iter().map(|(_, ty)| ty).chain([&function.result]).for_each(|ty| self.orders(ty));
        let mut map = Map::new();
        for ((variable, of), argument) in function.parameters.iter().zip(arguments) {
            let of = self.fresh.ty(of, &map);
            let name = self.walker.logic.program.variable(*variable).name.clone();
            let pure = self.check(argument, &of, &Kind::Argument(name));
            map.insert(*variable, pure);
        }
        let result = self.fresh.ty(&function.result, &map);
        self.opaque(bounded(result), span)
    }
}

/// What is wanted of the field of a field: if it is not known, it may be missing.
fn deeper(kind: &Kind, label: &str) -> Kind {
    match kind {
        Kind::Result | Kind::Argument(_) | Kind::Ascription => kind.clone(),
        _ => Kind::Field(label.to_string()),
    }
}
