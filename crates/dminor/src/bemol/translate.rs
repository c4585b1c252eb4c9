//! The translation of section 4.1 (docs/dminor.md, "Bemol"): a command for each expression, which stores its value in a variable. Whatever
//! can go wrong is asserted before it is done. Each step restores all variables but its own (`backup`), unless it is one assignment.
//!
//! Two things differ from the figure of the paper, so that both semantics fail in the same order: a source is asserted to be a
//! collection before the initial value is computed, and a type is asserted to be testable before a value is asserted to be in it.

use super::{Assertion, Command, Expr, Formula, Invariant, Procedure, Program, Reading, Sort};
use crate::program::{self, Accumulate, ExprKind, Op, Query, Type, TypeKind, VarId};
use crate::value::{Fields, Value};
use source::Span;
use std::sync::Arc;

pub fn translate(program: &program::Program, reading: Reading) -> Program<'_> {
    let first = program.variables.len() as u32;
    let mut translator = Translator { reading, next: first };
    let result = translator.fresh();
    let procedures = program.functions.iter().map(|f| translator.function(f, result)).collect();
    Program { source: program, reading, procedures, fresh: translator.next - first }
}

struct Translator {
    reading: Reading,
    next: u32,
}

/// What is being collected: the steps of one command.
type Steps<'a> = Vec<Command<'a>>;

fn assert<'a>(formula: Formula<'a>, span: Span, otherwise: &'static str) -> Command<'a> {
    Command::Assert(Assertion { formula, span, otherwise })
}

/// The value is in the type, and finding out cannot fail.
fn promised<'a>(ty: &'a Type, variable: VarId, span: Span, otherwise: &'static str) -> Vec<Assertion<'a>> {
    let is_in = Assertion { formula: Formula::In(ty, variable), span, otherwise };
    testable(ty, variable, span).into_iter().chain([is_in]).collect()
}

/// Nothing, if the type has no expression whose evaluation could fail.
fn testable<'a>(ty: &'a Type, variable: VarId, span: Span) -> Option<Assertion<'a>> {
    let formula = Formula::Testable(ty, variable);
    may_fail(ty).then_some(Assertion { formula, span, otherwise: "testing the type fails" })
}

fn may_fail(ty: &Type) -> bool {
    let mut may = match &ty.kind {
        TypeKind::Refinement(..) | TypeKind::Named(_) => true,
        TypeKind::Singleton(e) => !matches!(e.kind, ExprKind::Constant(_)),
        _ => false,
    };
    ty.each_part(&mut |t| may |= may_fail(t));
    may
}

fn var<'a>(variable: VarId) -> Expr<'a> {
    Expr::Var(variable)
}

impl Translator {
    fn fresh(&mut self) -> VarId {
        self.next += 1;
        VarId(self.next - 1)
    }

    fn function<'a>(&mut self, function: &'a program::Function, result: VarId) -> Procedure<'a> {
        let requires = function
            .parameters
            .iter()
            .map(|(variable, ty)| promised(ty, *variable, ty.span, "the argument is not in the type of its parameter"));
        Procedure {
            function,
            requires: requires.collect(),
            body: self.expr(&function.body, result),
            ensures: promised(&function.result, result, function.body.span, "the result is not in the declared type"),
        }
    }

    /// <<e>>out
    fn expr<'a>(&mut self, expr: &'a program::Expr, out: VarId) -> Command<'a> {
        match &expr.kind {
            ExprKind::Constant(value) => Command::Assign(out, Expr::Value(value.clone())),
            ExprKind::Var(variable) => Command::Assign(out, var(*variable)),
            _ => {
                let mut steps = Vec::new();
                self.steps(expr, out, &mut steps);
                Command::Backup(out, Box::new(Command::Seq(steps)))
            }
        }
    }

    /// Stores the value of the expression in a fresh variable.
    fn part<'a>(&mut self, expr: &'a program::Expr, steps: &mut Steps<'a>) -> VarId {
        let out = self.fresh();
        steps.push(self.expr(expr, out));
        out
    }

    fn steps<'a>(&mut self, expr: &'a program::Expr, out: VarId, steps: &mut Steps<'a>) {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Var(_) => steps.push(self.expr(expr, out)),
            ExprKind::Op(op @ (Op::And | Op::Or), parts) if !self.reading.strict_ops => {
                let [left, right] = &parts[..] else { return };
                let z = self.part(left, steps);
                steps.push(assert(Formula::Sort(Sort::Logical, z), left.span, "the operand is not a logical"));
                let mut second = Vec::new();
                let y = self.part(right, &mut second);
                second.push(assert(Formula::Sort(Sort::Logical, y), right.span, "the operand is not a logical"));
                second.push(Command::Assign(out, var(y)));
                let known = Command::Assign(out, Expr::Value(Value::Logical(*op == Op::Or)));
                let (then, other) = match op {
                    Op::And => (Command::Seq(second), known),
                    _ => (known, Command::Seq(second)),
                };
                steps.push(Command::If(var(z), Box::new(then), Box::new(other)));
            }
            ExprKind::Op(op, parts) => {
                let operands: Vec<VarId> = parts.iter().map(|p| self.part(p, steps)).collect();
                for (k, (z, part)) in operands.iter().zip(parts).enumerate() {
                    if let Some((sort, otherwise)) = operand(*op, k) {
                        steps.push(assert(Formula::Sort(sort, *z), part.span, otherwise));
                    }
                }
                if let (Op::Div, [_, divisor]) = (op, &operands[..]) {
                    steps.push(assert(Formula::NotZero(*divisor), parts[1].span, "the divisor is 0"));
                }
                steps.push(Command::Assign(out, Expr::Op(*op, operands.into_iter().map(var).collect())));
            }
            ExprKind::Cond(condition, then, other) => {
                let z = self.part(condition, steps);
                let is_logical = Formula::Sort(Sort::Logical, z);
                steps.push(assert(is_logical, condition.span, "the condition is not a logical"));
                let (then, other) = (self.expr(then, out), self.expr(other, out));
                steps.push(Command::If(var(z), Box::new(then), Box::new(other)));
            }
            ExprKind::Let(variable, value, body) => {
                steps.push(self.expr(value, *variable));
                steps.push(self.expr(body, out));
            }
            ExprKind::Test(value, ty) => {
                let z = self.part(value, steps);
                steps.extend(testable(ty, z, expr.span).map(Command::Assert));
                steps.push(Command::Assign(out, Expr::Formula(Formula::In(ty, z))));
            }
            ExprKind::Ascribe(value, ty) => {
                let z = self.part(value, steps);
                let promises = promised(ty, z, expr.span, "the value is not in the type that is ascribed to it");
                steps.extend(promises.into_iter().map(Command::Assert));
                steps.push(Command::Assign(out, var(z)));
            }
            ExprKind::Entity(fields) => {
                let parts: Vec<VarId> = fields.iter().map(|(_, e)| self.part(e, steps)).collect();
                steps.push(Command::Assign(out, Expr::Value(Value::Entity(Arc::new(Fields::default())))));
                for ((label, _), z) in fields.iter().zip(parts) {
                    let updated = Expr::Update(Box::new(var(out)), label, Box::new(var(z)));
                    steps.push(Command::Assign(out, updated));
                }
            }
            ExprKind::Collection(items) => {
                let members: Vec<VarId> = items.iter().map(|e| self.part(e, steps)).collect();
                steps.push(Command::Assign(out, Expr::Value(Value::collection([]))));
                for z in members.into_iter().rev() {
                    steps.push(Command::Assign(out, Expr::Op(Op::Cons, vec![var(z), var(out)])));
                }
            }
            ExprKind::Select(base, label) => {
                let z = self.part(base, steps);
                steps.push(assert(Formula::HasField(z, label), expr.span, "there is no such field"));
                steps.push(Command::Assign(out, Expr::Select(Box::new(var(z)), label)));
            }
            ExprKind::Call(function, arguments) => {
                let arguments = arguments.iter().map(|e| self.part(e, steps)).collect();
                steps.push(Command::Call { out, function: *function, arguments, span: expr.span });
            }
            ExprKind::Accumulate(accumulate) => self.accumulate(accumulate, out, steps),
            ExprKind::Query(query) => self.query(query, expr.span, out, steps),
        }
    }

    /// The collection that a loop goes through, and a variable with what is left of it.
    fn source<'a>(&mut self, source: &'a program::Expr, steps: &mut Steps<'a>) -> VarId {
        let whole = self.part(source, steps);
        let is_collection = Formula::Sort(Sort::Collection, whole);
        steps.push(assert(is_collection, source.span, "`from` goes through what is not a collection"));
        whole
    }

    fn accumulate<'a>(&mut self, accumulate: &'a Accumulate, out: VarId, steps: &mut Steps<'a>) {
        let whole = self.source(&accumulate.source, steps);
        let rest = accumulate.invariant.as_ref().map_or_else(|| self.fresh(), |(rest, _)| *rest);
        let y = accumulate.accumulator;
        steps.push(self.expr(&accumulate.initial, y));
        steps.push(Command::Assign(rest, var(whole)));
        let kept = kept(accumulate);
        steps.extend(kept.iter().cloned().map(Command::Assert));
        let mut body = vec![
            Command::Pick { item: accumulate.item, from: rest, is_seen: true },
            Command::Assign(rest, Expr::Remove(Box::new(var(rest)), Box::new(var(accumulate.item)))),
            self.expr(&accumulate.body, y),
        ];
        let mut invariants = about_rest(rest, whole, accumulate.source.span);
        for assertion in kept {
            let (formula, span) = (assertion.formula.clone(), assertion.span);
            invariants.push(Invariant { formula, span, is_free: false });
            body.push(Command::Assert(assertion));
        }
        steps.push(looping(rest, invariants, body));
        steps.push(Command::Assign(out, var(y)));
    }

    fn query<'a>(&mut self, query: &'a Query, span: Span, out: VarId, steps: &mut Steps<'a>) {
        let whole = self.source(&query.source, steps);
        let (rest, selected) = (self.fresh(), self.fresh());
        steps.push(Command::Assign(rest, var(whole)));
        steps.push(Command::Assign(selected, Expr::Value(Value::collection([]))));
        let mut body = vec![
            Command::Pick { item: query.item, from: rest, is_seen: false },
            Command::Assign(rest, Expr::Remove(Box::new(var(rest)), Box::new(var(query.item)))),
        ];
        let mut chosen = Vec::new();
        let z = self.fresh();
        let filter = query.filter.as_ref().map(|filter| self.part(filter, &mut body));
        chosen.push(self.expr(&query.select, z));
        chosen.push(Command::Assign(selected, Expr::Op(Op::Cons, vec![var(z), var(selected)])));
        match (filter, &query.filter) {
            (Some(holds), Some(filter)) => {
                let is_logical = Formula::Sort(Sort::Logical, holds);
                body.push(assert(is_logical, filter.span, "the condition is not a logical"));
                body.push(Command::If(var(holds), Box::new(Command::Seq(chosen)), Box::new(Command::Skip)));
            }
            _ => body.extend(chosen),
        }
        let mut invariants = about_rest(rest, whole, query.source.span);
        let parts = [selected, rest];
        let formulas = [
            (Formula::Sort(Sort::Collection, selected), false),
            (Formula::Counts { parts, whole, is_exact: query.filter.is_none() }, false),
            (Formula::Selected { query, selected, source: whole }, true),
        ];
        invariants.extend(formulas.map(|(formula, is_free)| Invariant { formula, span, is_free }));
        steps.push(looping(rest, invariants, body));
        steps.push(Command::Assign(out, var(selected)));
    }
}

fn looping<'a>(rest: VarId, invariants: Vec<Invariant<'a>>, body: Steps<'a>) -> Command<'a> {
    let condition = Expr::Op(Op::Not, vec![Expr::IsEmpty(Box::new(var(rest)))]);
    Command::While { condition, invariants, body: Box::new(Command::Seq(body)) }
}

/// True of every loop: what is left is a part of the collection.
fn about_rest<'a>(rest: VarId, whole: VarId, span: Span) -> Vec<Invariant<'a>> {
    let formulas = [Formula::Sort(Sort::Collection, rest), Formula::Within(rest, whole)];
    formulas.map(|formula| Invariant { formula, span, is_free: false }).into()
}

/// The annotation and the invariant of an accumulate (docs/dminor.md, "Loop invariants"); they are asserted, for a loop invariant is not.
fn kept(accumulate: &Accumulate) -> Vec<Assertion<'_>> {
    let mut all = Vec::new();
    if let Some(ty) = &accumulate.annotation {
        all.extend(promised(ty, accumulate.accumulator, ty.span, "the accumulator is not in its type"));
    }
    if let Some((_, invariant)) = &accumulate.invariant {
        let (formula, span) = (Formula::Holds(invariant), invariant.span);
        all.push(Assertion { formula, span, otherwise: "the invariant does not hold" });
    }
    all
}

/// Of which sort the k-th operand must be.
fn operand(op: Op, k: usize) -> Option<(Sort, &'static str)> {
    match op {
        Op::Eq | Op::Ne => None,
        Op::Cons if k == 0 => None,
        Op::Not | Op::And | Op::Or => Some((Sort::Logical, "the operand is not a logical")),
        Op::Cons | Op::Concat | Op::Count => Some((Sort::Collection, "the operand is not a collection")),
        _ => Some((Sort::Integer, "the operand is not an integer")),
    }
}
