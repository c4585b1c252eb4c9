//! Verification conditions, forwards (docs/dminor.md, "Conditions"): an expression is walked with what is known so far, every operation
//! that can fail gives one condition at its place, and what was asserted is known from then on.
//!
//! The traps: asserts come before the operation; facts of a branch, a loop or a query leave it only guarded; a loop
//! forgets everything about its accumulator and the members to come.

use super::Subject;
use super::logic::{Env, Logic, operate, requirements};
use super::prove::{Prover, Query as Asked};
use super::term::*;
use crate::program::*;
use smt::term::Symbol;
use source::Span;

/// What a condition is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Operand(Op),
    DivisionByZero,
    Condition,
    Field(String),
    Entity(String),
    Collection,
    Test,
    Argument(String),
    Result,
    Ascription,
    AccumulatorInitial,
    Accumulator,
    InvariantInitial,
    Invariant,
    /// The invariant itself must not fail, and be a logical.
    Refinement,
    Order,
    /// An invariant that was guessed holds.
    Guessed,
    /// A named type that it rests on is not well-formed.
    IllFormed(String),
}

/// `facts |- goal`
#[derive(Clone, Debug)]
pub struct Condition {
    pub kind: Kind,
    pub span: Span,
    /// How many of the walker's constants there were.
    pub(super) declared: usize,
    pub(super) facts: Vec<Formula>,
    pub(super) goal: Formula,
    /// The conditions on the way to here, and what they are.
    pub path: Vec<(Span, bool)>,
}

pub struct Walker<'w, 'p> {
    pub logic: Logic<'p>,
    pub prover: &'w mut dyn Prover,
    pub facts: Vec<Formula>,
    pub conditions: Vec<Condition>,
    /// What was proved on the way, and is known since: invariants that were guessed, loops whose order does not matter.
    pub relied: Vec<Condition>,
    pub(super) path: Vec<(Span, bool)>,
    /// What the parameters of the function are called.
    pub parameters: Vec<Term>,
    /// Numbers that names were made of.
    names: usize,
    /// Functions of a member that stand for constants made on the way to it.
    pub(super) per_member: Vec<Symbol>,
    /// What the function promises: guesses for invariants are made of it.
    promised: Option<Type>,
    promised_env: Env,
    /// Whether invariants are guessed.
    pub guesses: bool,
    /// Whether declared types must be well-formed.
    pub lenient_types: bool,
}

impl<'w, 'p> Walker<'w, 'p> {
    pub fn new(logic: Logic<'p>, prover: &'w mut dyn Prover) -> Walker<'w, 'p> {
        Walker {
            logic,
            prover,
            facts: Vec::new(),
            conditions: Vec::new(),
            relied: Vec::new(),
            path: Vec::new(),
            parameters: Vec::new(),
            names: 0,
            per_member: Vec::new(),
            promised: None,
            promised_env: Env::new(),
            guesses: false,
            lenient_types: false,
        }
    }

    pub(super) fn name(&mut self, hint: &str) -> String {
        self.names += 1;
        let hint: String = hint.chars().filter(char::is_ascii_alphanumeric).collect();
        format!("c{}_{hint}", self.names)
    }

    pub(crate) fn fresh(&mut self, hint: &str, sort: smt::term::Sort) -> Term {
        let name = self.name(hint);
        let symbol = self.logic.terms.declare(&name, &[], sort);
        self.logic.declared.push(symbol);
        self.logic.terms.apply(symbol, &[])
    }

    /// A value of which nothing is known.
    pub(crate) fn any(&mut self, hint: &str) -> Val {
        Val::Any(self.fresh(hint, self.logic.terms.value))
    }

    /// The same value under a name, if it is long.
    pub(crate) fn named(&mut self, val: Val, hint: &str) -> Val {
        let t = self.logic.terms;
        if val.len(t) <= 24 {
            return val;
        }
        let term = val.bare(t);
        let name = self.fresh(hint, t.sort_of(term));
        self.know(t.eq(name, term));
        val.with(name)
    }

    pub(crate) fn know(&mut self, fact: Formula) {
        if fact != Term::TRUE && !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    pub(crate) fn condition(&self, kind: Kind, span: Span, goal: Formula) -> Condition {
        Condition {
            kind,
            span,
            declared: self.logic.declared.len(),
            facts: self.facts.clone(),
            goal,
            path: self.path.clone(),
        }
    }

    /// A condition, which is known to hold afterwards.
    pub(super) fn assert(&mut self, kind: Kind, span: Span, goal: Formula) {
        if goal == Term::TRUE || self.facts.contains(&goal) {
            return;
        }
        self.conditions.push(self.condition(kind, span, goal));
        self.know(goal);
    }

    /// The proof that something follows from what is known, if it is found with little work. Who relies on it adds it to `relied`.
    pub(super) fn follows(&mut self, kind: Kind, span: Span, goal: Formula) -> Option<Condition> {
        let condition = self.condition(kind, span, goal);
        let is_proved = goal == Term::TRUE || self.prover.guess(&Asked::new(&self.logic, &condition));
        is_proved.then_some(condition)
    }

    pub fn subject(&mut self, subject: Subject) {
        let program = self.logic.program;
        match subject {
            Subject::Type(id) => self.well_formed(&program.named(id).definition, &Env::new()),
            Subject::Function(id) => self.function(program.function(id)),
        }
    }

    /// A function against its signature.
    pub fn function(&mut self, function: &'p Function) {
        let mut env = Env::new();
        for (variable, ty) in &function.parameters {
            self.well_formed(ty, &env);
            let name = self.logic.program.variable(*variable).name.clone();
            let val = self.any(&name);
            self.parameters.push(val.term(self.logic.terms));
            let fact = self.logic.is_in(ty, val, &env);
            self.know(fact);
            env.insert(*variable, self.sorted(ty, val));
        }
        self.well_formed(&function.result, &env);
        // So that loops in it are known when the body comes upon them.
        self.logic.is_in(&function.result, Val::Any(self.logic.terms.null), &env);
        self.promised = Some(function.result.clone());
        self.promised_env = env.clone();
        let result = self.walk(&function.body, &env);
        let result = self.named(result, "result");
        let goal = self.logic.is_in(&function.result, result, &env);
        self.assert(Kind::Result, function.body.span, goal);
    }

    /// A value that is known to be in a type of one sort: as its payload.
    pub(crate) fn sorted(&self, ty: &Type, val: Val) -> Val {
        let sort = match self.sort_of(ty, 0) {
            Some(sort) => sort,
            None => return val,
        };
        sort.of(val.payload(sort, self.logic.terms))
    }

    fn sort_of(&self, ty: &Type, depth: usize) -> Option<Sort> {
        match &ty.kind {
            _ if depth > 50 => None,
            TypeKind::Integer => Some(Sort::Int),
            TypeKind::Text => Some(Sort::Text),
            TypeKind::Logical => Some(Sort::Bool),
            TypeKind::Refinement(_, base, _) => self.sort_of(base, depth + 1),
            TypeKind::And(a, b) => self.sort_of(a, depth + 1).or_else(|| self.sort_of(b, depth + 1)),
            TypeKind::Named(id) => self.sort_of(&self.logic.program.named(*id).definition, depth + 1),
            _ => None,
        }
    }

    /// A declared type: no condition in it fails on what it is about (docs/dminor.md, "Well-formed types").
    pub fn well_formed(&mut self, ty: &Type, env: &Env) {
        self.pure_loops(ty);
        if !self.lenient_types {
            self.well_formed_parts(ty, env);
        }
    }

    /// Loops in conditions do not depend on the order of members: otherwise there is no function that they are.
    fn pure_loops(&mut self, ty: &Type) {
        for (accumulate, span) in loops_in(ty) {
            let goal = self.order_independence(accumulate);
            let before = std::mem::take(&mut self.facts);
            self.assert(Kind::Order, span, goal);
            self.facts = before;
        }
    }

    fn well_formed_parts(&mut self, ty: &Type, env: &Env) {
        match &ty.kind {
            TypeKind::Refinement(variable, base, condition) => {
                self.well_formed_parts(base, env);
                let before = self.facts.len();
                let val = self.any("value");
                let fact = self.logic.is_in(base, val, env);
                self.know(fact);
                let mut inner = env.clone();
                inner.insert(*variable, self.sorted(base, val));
                let result = self.walk(condition, &inner);
                self.assert(Kind::Refinement, condition.span, result.is(Sort::Bool, self.logic.terms));
                self.facts.truncate(before);
            }
            TypeKind::Singleton(only) => {
                let before = self.facts.len();
                self.walk(only, env);
                self.facts.truncate(before);
            }
            _ => ty.each_part(&mut |part| self.well_formed_parts(part, env)),
        }
    }

    pub fn walk(&mut self, expr: &Expr, env: &Env) -> Val {
        let t = self.logic.terms;
        match &expr.kind {
            _ if self.logic.stop.is_due() => Val::Null,
            ExprKind::Constant(value) => self.logic.constant(value),
            ExprKind::Var(id) => env.get(id).copied().unwrap_or(Val::Null),
            ExprKind::Op(op @ (Op::And | Op::Or), operands) if !self.logic.reading.strict_ops => {
                let first = self.walk(&operands[0], env);
                self.assert(Kind::Operand(*op), operands[0].span, first.is(Sort::Bool, t));
                let truth = first.truth(t);
                let guard = if *op == Op::And { truth } else { t.not(truth) };
                let second = self.branch(guard, (operands[0].span, *op == Op::And), |walker| {
                    let second = walker.walk(&operands[1], env);
                    walker.assert(Kind::Operand(*op), operands[1].span, second.is(Sort::Bool, t));
                    second
                });
                operate(*op, &[Val::Bool(truth), Val::Bool(second.truth(t))], t)
            }
            ExprKind::Op(op, operands) => {
                let vals: Vec<Val> = operands
                    .iter()
                    .map(|operand| {
                        let val = self.walk(operand, env);
                        self.named(val, "operand")
                    })
                    .collect();
                for (k, (wanted, at)) in requirements(*op, &vals, t).into_iter().enumerate() {
                    let is_division = *op == Op::Div && k == 2;
                    let kind = if is_division { Kind::DivisionByZero } else { Kind::Operand(*op) };
                    self.assert(kind, operands[at].span, wanted);
                }
                operate(*op, &vals, t)
            }
            ExprKind::Cond(condition, then, other) => {
                let condition_val = self.walk(condition, env);
                self.assert(Kind::Condition, condition.span, condition_val.is(Sort::Bool, t));
                let truth = self.named(Val::Bool(condition_val.truth(t)), "if").truth(t);
                let a = self.branch(truth, (condition.span, true), |walker| walker.walk(then, env));
                let b = self.branch(t.not(truth), (condition.span, false), |walker| walker.walk(other, env));
                self.named(Val::choice(truth, a, b, t), "either")
            }
            ExprKind::Let(variable, value, body) => {
                let val = self.walk(value, env);
                let name = self.logic.program.variable(*variable).name.clone();
                let val = self.named(val, &name);
                let mut inner = env.clone();
                inner.insert(*variable, val);
                self.walk(body, &inner)
            }
            ExprKind::Test(value, ty) => {
                let val = self.walk(value, env);
                let val = self.named(val, "tested");
                self.pure_loops(ty);
                let wrong = self.logic.wrong(ty, val, env);
                self.assert(Kind::Test, expr.span, t.not(wrong));
                Val::Bool(self.logic.is_in(ty, val, env))
            }
            ExprKind::Ascribe(value, ty) => {
                self.well_formed(ty, env);
                let val = self.walk(value, env);
                let val = self.named(val, "ascribed");
                let goal = self.logic.is_in(ty, val, env);
                self.assert(Kind::Ascription, expr.span, goal);
                self.sorted(ty, val)
            }
            ExprKind::Entity(fields) => {
                let mut ent = t.eempty;
                for (label, part) in fields {
                    let val = self.walk(part, env);
                    let val = self.named(val, label);
                    ent = t.upd(ent, self.logic.label(label), val.term(t));
                }
                self.named(Val::Ent(ent), "entity")
            }
            ExprKind::Collection(items) => {
                let vals: Vec<Val> = items.iter().map(|item| self.walk(item, env)).collect();
                Val::Coll(vals.iter().rev().fold(t.bempty, |bag, val| t.add(val.term(t), bag)))
            }
            ExprKind::Select(base, label) => {
                let val = self.walk(base, env);
                let val = self.named(val, "base");
                self.assert(Kind::Entity(label.to_string()), expr.span, val.is(Sort::Ent, t));
                let (ent, number) = (val.payload(Sort::Ent, t), self.logic.label(label));
                self.assert(Kind::Field(label.to_string()), expr.span, t.has(ent, number));
                Val::Any(t.dot(ent, number))
            }
            ExprKind::Call(id, arguments) => self.call(*id, arguments, env),
            ExprKind::Accumulate(accumulate) => self.accumulate(accumulate, env),
            ExprKind::Query(query) => self.query(query, env),
        }
    }

    /// Walks under a guard; what is learnt leaves it guarded.
    fn branch<R>(&mut self, guard: Formula, at: (Span, bool), inner: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.facts.len();
        self.facts.push(guard);
        self.path.push(at);
        let result = inner(self);
        self.path.pop();
        let learnt = self.facts.split_off(before);
        for fact in learnt.into_iter().skip(1) {
            self.know(self.logic.terms.implies(guard, fact));
        }
        result
    }

    fn call(&mut self, id: FunId, arguments: &[Expr], env: &Env) -> Val {
        let vals: Vec<Val> = arguments
            .iter()
            .map(|argument| {
                let val = self.walk(argument, env);
                self.named(val, "argument")
            })
            .collect();
        let function = self.logic.program.function(id);
        // Loops in its signature are taken to be functions here as well.
        function.parameters.iter().for_each(|(_, ty)| self.pure_loops(ty));
        self.pure_loops(&function.result);
        let mut inner = Env::new();
        for (((variable, ty), val), argument) in function.parameters.iter().zip(vals).zip(arguments) {
            let goal = self.logic.is_in(ty, val, &inner);
            let name = self.logic.program.variable(*variable).name.clone();
            self.assert(Kind::Argument(name), argument.span, goal);
            inner.insert(*variable, val);
        }
        let result = self.any(&function.name);
        let fact = self.logic.is_in(&function.result, result, &inner);
        self.know(fact);
        self.sorted(&function.result, result)
    }

    pub(super) fn promised(&self) -> Option<(&Type, &Env)> {
        self.promised.as_ref().map(|ty| (ty, &self.promised_env))
    }
}

/// The loops in the conditions of a type, at any depth.
pub(crate) fn loops_in(ty: &Type) -> Vec<(&Accumulate, Span)> {
    fn loops<'e>(expr: &'e Expr, out: &mut Vec<(&'e Accumulate, Span)>) {
        if let ExprKind::Accumulate(accumulate) = &expr.kind {
            out.push((accumulate, expr.span));
        }
        expr.each_part(&mut |part| loops(part, out));
        expr.each_type(&mut |ty| ty.each_expr(&mut |e| loops(e, out)));
    }
    let mut all = Vec::new();
    ty.each_expr(&mut |expr| loops(expr, &mut all));
    all
}
