//! Expressions of the implementation language as code of the IR.
//!
//! Kept: the order of evaluation, 32-bit arithmetic, and what stops a run. Texts and floats are carried around, not looked into: a
//! run whose way depends on one of them ends in a diagnostic. A call of a procedure of the same module checks its `requires`, runs
//! its body and checks the rest of the contract.

use super::body::Body;
use super::code::At;
use super::heap::comparison;
use super::spec::When;
use crate::depends::Holder;
use crate::interp::RESULT;
use crate::program::*;
use ir::{BinaryOp as Op, Expr as Code, ExprKind as Kind, LogicOp, StmtKind, Ty};
use source::Diagnostic;

impl Body<'_, '_> {
    pub fn expr(&mut self, e: &Expr) -> Code {
        let at = At(e.span);
        match &e.kind {
            ExprKind::Int(value) => at.int(*value as i32 as i64),
            ExprKind::Bool(value) => at.bool(*value),
            ExprKind::Char(c) => at.int(i64::from(*c as u32)),
            ExprKind::Float(_) | ExprKind::String(_) => at.int(0),
            ExprKind::Null => at.null(),
            ExprKind::Local(local) => self.local(at, *local),
            ExprKind::Global(global) => {
                let field = self.model.global(*global);
                self.model.of_state(at, field)
            }
            ExprKind::Field(object, field) => {
                let object = self.expr(object);
                let field = self.model.field_of(*field);
                at.field(&self.model.ir, object, field)
            }
            ExprKind::Index(array, index) => {
                let (made, index) = (self.expr(array), self.expr(index));
                let read = at.element(&self.model.ir, made, index);
                self.element(at, array, read, &e.ty)
            }
            ExprKind::Length(array) if array.ty == Type::String => self.unknown(at, &[array], e),
            ExprKind::Length(array) => at.length(self.expr(array)),
            ExprKind::Call(proc, arguments) => self.call(at, *proc, arguments, e),
            ExprKind::Intrinsic(intrinsic, arguments) => self.intrinsic(at, *intrinsic, arguments, e),
            ExprKind::New(object) => {
                let objects = self.model.objects(*object);
                let this = self.model.this(at);
                at.expr(Kind::New(objects.class, objects.constructor, vec![this]), Ty::Class(objects.class))
            }
            ExprKind::NewArray(lengths) => {
                let lengths = lengths.iter().map(|l| self.expr(l)).collect();
                let ty = self.model.ty(&e.ty);
                at.expr(Kind::NewArray(lengths), ty)
            }
            ExprKind::Unary(UnaryOp::Not, a) => at.not(self.expr(a)),
            ExprKind::Unary(UnaryOp::Negate, a) if a.ty == Type::Float => self.opaque(at, &[a]),
            ExprKind::Unary(UnaryOp::Negate, a) => at.binary(Op::Sub, at.int(0), self.expr(a)),
            ExprKind::Binary(op, a, b) => self.binary(at, *op, a, b, e),
            ExprKind::ToFloat(a) => self.opaque(at, &[a]),
            ExprKind::Step { place, up, prefix } => self.step(at, place, *up, *prefix, e),
        }
    }

    fn binary(&mut self, at: At, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr) -> Code {
        let is_opaque = |ty: &Type| matches!(ty, Type::String | Type::Float);
        // A string is never null.
        if a.ty == Type::String && (matches!(a.kind, ExprKind::Null) || matches!(b.kind, ExprKind::Null)) {
            let parts = vec![self.expr(a), self.expr(b)];
            return self.after(at, parts, at.bool(op == BinaryOp::NotEqual));
        }
        if is_opaque(&a.ty) || is_opaque(&b.ty) {
            return if is_opaque(&e.ty) { self.opaque(at, &[a, b]) } else { self.unknown(at, &[a, b], e) };
        }
        let (left, right) = (self.expr(a), self.expr(b));
        let logic = |op| at.logic(op, left.clone(), right.clone());
        let number = |op| at.binary(op, left.clone(), right.clone());
        let is_bool = left.ty == Ty::Bool;
        match op {
            BinaryOp::OrElse => at.or(left, right),
            BinaryOp::AndThen => at.and(left, right),
            BinaryOp::Or if is_bool => logic(LogicOp::Or),
            BinaryOp::Xor if is_bool => logic(LogicOp::Xor),
            BinaryOp::And if is_bool => logic(LogicOp::And),
            BinaryOp::Or => number(Op::Or),
            BinaryOp::Xor => number(Op::Xor),
            BinaryOp::And => number(Op::And),
            BinaryOp::ShiftLeft => number(Op::Shl),
            BinaryOp::ShiftRight => number(Op::Shr),
            BinaryOp::ShiftRightUnsigned => number(Op::UShr),
            BinaryOp::Add => number(Op::Add),
            BinaryOp::Subtract => number(Op::Sub),
            BinaryOp::Multiply => number(Op::Mul),
            BinaryOp::Divide => number(Op::Div),
            BinaryOp::Remainder => number(Op::Rem),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::AtMost
            | BinaryOp::AtLeast => comparison(at, op, left, right),
        }
    }

    /// A text or a float: evaluated for what may go wrong, its value is of no interest.
    fn opaque(&mut self, at: At, parts: &[&Expr]) -> Code {
        let parts: Vec<Code> = parts.iter().map(|p| self.expr(p)).collect();
        self.after(at, parts, at.int(0))
    }

    fn after(&mut self, at: At, parts: Vec<Code>, value: Code) -> Code {
        let parts: Vec<ir::Stmt> = parts.into_iter().filter(|p| !is_plain(p)).map(|part| at.run(part)).collect();
        let ty = value.ty;
        if parts.is_empty() { value } else { at.expr(Kind::Sequence(parts, Box::new(value)), ty) }
    }

    /// A number or truth value that depends on a text, a float, chance or input.
    fn unknown(&mut self, at: At, parts: &[&Expr], e: &Expr) -> Code {
        let parts: Vec<Code> = parts.iter().map(|p| self.expr(p)).collect();
        let message = "the plugin `bounded` does not know this value";
        let problem = Diagnostic::error("hob-bounded-unknown-value", e.span, message)
            .label("depends on a text, a float, chance or input")
            .help("move it into a procedure of another module, and pass the value as an argument");
        let ty = self.model.ty(&e.ty);
        let value = at.unsupported(problem, ty);
        self.after(at, parts, value)
    }

    fn intrinsic(&mut self, at: At, intrinsic: Intrinsic, arguments: &[Expr], e: &Expr) -> Code {
        let arguments: Vec<&Expr> = arguments.iter().collect();
        if intrinsic == Intrinsic::Exit {
            let mut code: Vec<ir::Stmt> = arguments.into_iter().map(|a| at.run(self.expr(a))).collect();
            code.push(self.model.exits(at));
            return at.expr(Kind::Sequence(code, Box::new(at.int(0))), Ty::Int);
        }
        match (intrinsic.constant(), &e.ty) {
            (Some(value), _) => at.int(i64::from(value)),
            (_, Type::Nothing | Type::String | Type::Float) => self.opaque(at, &arguments),
            _ => self.unknown(at, &arguments, e),
        }
    }

    /// Arguments, then the callee's `requires`, then its body and the rest of its contract.
    fn call(&mut self, at: At, callee: ProcId, arguments: &[Expr], e: &Expr) -> Code {
        let hob = self.model.hob;
        let proc = hob.proc(callee);
        let ty = self.model.ty(&e.ty);
        let name = hob.proc_name(callee);
        let is_foreign = proc.module != self.model.module;
        let refused = if is_foreign {
            let why = self.model.refusal(callee);
            why.map(|why| format!("the plugin `bounded` does not follow this call of another module: {why}"))
        } else if proc.body.is_none() {
            Some(format!("{name} cannot run: only its specification is known"))
        } else {
            None
        };
        let evaluated: Vec<Code> =
            arguments.iter().zip(&proc.locals).map(|(a, formal)| self.stored(a, &formal.ty)).collect();
        if let Some(message) = refused {
            let problem = Diagnostic::error("hob-bounded-call", e.span, message)
                .label("called here")
                .related(proc.span, "this procedure")
                .help("the verdict on what gets here is unknown; leave it to the plugin `flags`");
            let value = at.unsupported(problem, ty);
            return self.after(at, evaluated, value);
        }
        let mut before = Vec::new();
        let mut actuals = vec![self.model.this(at)];
        for (i, value) in evaluated.into_iter().enumerate() {
            let formal = self.model.ty(&proc.locals[i].ty);
            let kept = self.temporary(formal);
            before.push(at.run(at.set_local(kept, value)));
            actuals.push(at.local(kept, formal));
        }
        let mut requires: Vec<_> = self.procs.requires(self.model, callee);
        // Invariants of a scope that the call enters hold: none of its code runs.
        let is_given = |number: usize| {
            matches!(&proc.contract.requires[number].reason, Reason::Invariant(scope)
                if !hob.scopes[scope.index()].modules.contains(&self.model.module))
        };
        // They say what hidden sets may be when the rest is asked; a caller that sees all sets must do without private ones.
        if is_foreign && crate::flags::calls_with_hidden(hob, self.proc) {
            requires.sort_by_key(|(_, number)| !is_given(*number));
        }
        for (method, number) in requires {
            let condition = at.call(method, actuals.clone(), Ty::Bool);
            before.push(at.stmt(match is_given(number) {
                true => StmtKind::Assume(condition),
                false => StmtKind::Assert { condition, message: None },
            }));
        }
        if is_foreign {
            before.extend(self.at_leaving(at, callee));
        }
        let method = match is_foreign {
            true => self.model.by_contract(at, callee),
            false => self.procs.call_of(self.model, callee),
        };
        let return_ty = self.model.ir.method(method).return_ty;
        let value = at.call(method, actuals, return_ty);
        if before.is_empty() { value } else { at.expr(Kind::Sequence(before, Box::new(value)), return_ty) }
    }

    /// What must hold at a call that may come back: what the module's procedures rely on, and others of its scopes.
    fn at_leaving(&mut self, at: At, callee: ProcId) -> ir::Block {
        let model = &mut *self.model;
        let mut owed = Vec::new();
        if model.effects.reaches(callee, model.module) {
            owed.extend(model.representation.iter().map(|m| at.call(*m, vec![model.this(at)], Ty::Bool)));
        }
        for (_, invariant) in model.effects.invariants_at_call(model.hob, model.module, callee) {
            owed.push(model.holds_now(at, &invariant.formula));
        }
        owed.into_iter().map(|condition| at.stmt(StmtKind::Assert { condition, message: None })).collect()
    }

    /// An element of an array that was read. Of one that another module may have, and may have written into, it may be any value.
    fn element(&mut self, at: At, array: &Expr, read: Code, ty: &Type) -> Code {
        let holder = match &array.kind {
            ExprKind::Global(global) => Some(Holder::Global(*global)),
            ExprKind::Field(_, field) => Some(Holder::Field(*field)),
            _ => None,
        };
        let is_kept = self.model.kept.places.iter().any(|(kept, _)| Some(*kept) == holder);
        if is_kept || !self.model.shares_arrays {
            return read;
        }
        let made = read.ty;
        let other = self.model.chosen(at, RESULT, ty).unwrap_or_else(|| {
            let message = "the plugin `bounded` does not follow arrays of arrays that other modules may write into";
            at.unsupported(Diagnostic::error("hob-bounded-shared", at.0, message), made)
        });
        let (slot, shared) = (self.temporary(made), self.model.shared());
        let now = at.conditional(self.model.of_state(at, shared), other, at.local(slot, made));
        at.expr(Kind::Sequence(vec![at.run(at.set_local(slot, read))], Box::new(now)), made)
    }

    /// `e++` and its kin.
    fn step(&mut self, at: At, place: &Place, up: bool, prefix: bool, e: &Expr) -> Code {
        if e.ty == Type::Float {
            let message = "the plugin `bounded` does not compute with floats";
            return at.unsupported(Diagnostic::error("hob-bounded-unknown-value", e.span, message), Ty::Int);
        }
        if e.ty == Type::Char {
            let message = "the plugin `bounded` does not compute with characters";
            return at.unsupported(Diagnostic::error("hob-bounded-unknown-value", e.span, message), Ty::Int);
        }
        let (mut before, target) = self.place(at, place);
        let old = self.temporary(Ty::Int);
        let read = || at.local(old, Ty::Int);
        let mut value = target.read(at, &self.model.ir);
        if let Place::Index(array, _) = place {
            value = self.element(at, array, value, &e.ty);
        }
        before.push(at.run(at.set_local(old, value)));
        let new = at.add(read(), at.int(if up { 1 } else { -1 }));
        let new = if e.ty == Type::Byte { as_byte(at, new) } else { new };
        before.push(at.run(target.write(at, new.clone())));
        at.expr(Kind::Sequence(before, Box::new(if prefix { new } else { read() })), Ty::Int)
    }

    /// A value as a variable of that type holds it.
    pub fn stored(&mut self, e: &Expr, ty: &Type) -> Code {
        let (at, value) = (At(e.span), self.expr(e));
        match (ty, &e.ty) {
            (Type::Byte, Type::Int | Type::Char) => as_byte(at, value),
            (Type::Char, Type::Int | Type::Byte) => {
                let message = "the plugin `bounded` does not make characters of numbers";
                at.unsupported(Diagnostic::error("hob-bounded-unknown-value", e.span, message), Ty::Int)
            }
            (Type::Float, Type::Int | Type::Byte | Type::Char) => self.after(at, vec![value], at.int(0)),
            _ => value,
        }
    }

    /// A formula about the sets, with the variables as they are.
    pub fn here(&mut self, formula: &Formula) -> Code {
        let env = self.env();
        let at = At(formula.span);
        let value = self.model.formula(formula, &env, When::Later);
        let method = self.model.returning("here", env.parameters(), value);
        let mut actuals = vec![self.model.this(at)];
        actuals.extend(self.env_arguments(at));
        at.call(method, actuals, Ty::Bool)
    }
}

fn as_byte(at: At, value: Code) -> Code {
    let byte = at.expr(Kind::Convert(Box::new(value)), Ty::Byte);
    at.expr(Kind::Convert(Box::new(byte)), Ty::Int)
}

/// Nothing can go wrong in it.
fn is_plain(e: &Code) -> bool {
    matches!(e.kind, Kind::Int(_) | Kind::Bool(_) | Kind::Null | Kind::Local(_))
}
