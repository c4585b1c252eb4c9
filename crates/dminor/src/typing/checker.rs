//! Environments and the judgements about types: subtyping, and well-formed types.

use super::copy::*;
use crate::program::*;
use crate::verify::condition::Kind;
use crate::verify::logic::Env;
use crate::verify::prove::Query as Asked;
use crate::verify::term::*;
use crate::verify::walk::{Walker, loops_in};
use crate::verify::{Unproved, Why};
use source::Span;
use std::collections::HashMap;

/// A type, and a pure expression of the same value.
#[derive(Clone, Debug)]
pub struct Typed {
    pub ty: Type,
    pub pure: Expr,
}

pub struct Checker<'w, 'p> {
    /// It holds the formulas of the environment.
    pub walker: Walker<'w, 'p>,
    pub env: Env,
    pub types: HashMap<VarId, Type>,
    /// In the order in which they were bound.
    pub bound: Vec<VarId>,
    /// What conditions of the environment say of paths: `x.a in T`.
    pub tests: Vec<(Path, Type)>,
    pub fresh: Fresh,
    /// Variables that stand for what is not pure.
    pub impure: usize,
    /// Loops that were asked about, and whether their order does not matter.
    pub ordered: HashMap<Span, bool>,
    pub judgements: usize,
    pub rejected: Vec<Unproved>,
}

impl<'w, 'p> Checker<'w, 'p> {
    pub fn new(walker: Walker<'w, 'p>) -> Checker<'w, 'p> {
        let next = walker.logic.program.variables.len() as u32;
        Checker {
            walker,
            env: Env::new(),
            types: HashMap::new(),
            bound: Vec::new(),
            tests: Vec::new(),
            fresh: Fresh { next },
            impure: 0,
            ordered: HashMap::new(),
            judgements: 0,
            rejected: Vec::new(),
        }
    }

    pub fn function(&mut self, function: &'p Function) {
        for (variable, ty) in &function.parameters {
            self.well_formed(ty);
            self.bind(*variable, ty.clone(), None);
        }
        self.well_formed(&function.result);
        // So that loops in it are known when the body comes upon them.
        let null = Val::Any(self.walker.logic.terms.null);
        self.walker.logic.is_in(&function.result, null, &self.env);
        self.check(&function.body, &function.result, &Kind::Result);
    }

    pub fn reject(&mut self, kind: Kind, span: Span, why: Why) {
        self.rejected.push(Unproved { kind, span, why, path: Vec::new() });
    }

    pub fn val(&mut self, pure: &Expr) -> Val {
        self.walker.logic.result(pure, &self.env).val
    }

    pub fn is_in(&mut self, ty: &Type, val: Val) -> Formula {
        self.walker.logic.is_in(ty, val, &self.env)
    }

    /// `E, x : T`, or `E, x : [e : T]`.
    pub fn bind(&mut self, variable: VarId, ty: Type, equal: Option<&Expr>) {
        let ty = bounded(ty);
        let variables = &self.walker.logic.program.variables;
        let name = variables.get(variable.0 as usize).map_or("it", |v| v.name.as_str());
        let val = self.walker.any(name);
        let fact = self.is_in(&ty, val);
        self.walker.know(fact);
        if let Some(equal) = equal {
            let equal = self.val(equal);
            self.walker.know(val.equals(equal, self.walker.logic.terms));
        }
        self.env.insert(variable, self.walker.sorted(&ty, val));
        self.types.insert(variable, ty);
        self.bound.push(variable);
    }

    /// A variable for what is not pure.
    pub fn opaque(&mut self, ty: Type, span: Span) -> Typed {
        self.impure += 1;
        let variable = self.fresh.make();
        self.bind(variable, ty.clone(), None);
        Typed { ty, pure: var(variable, span) }
    }

    /// What was typed is in its type, of which the expression by itself may not tell.
    pub fn known(&mut self, typed: Typed) -> Typed {
        let val = self.val(&typed.pure);
        let fact = self.is_in(&typed.ty, val);
        self.walker.know(fact);
        typed
    }

    /// In an environment of its own, of which nothing is known afterwards.
    pub fn scope<R>(&mut self, inner: impl FnOnce(&mut Self) -> R) -> R {
        let (facts, tests) = (self.walker.facts.len(), self.tests.len());
        let result = inner(self);
        self.walker.facts.truncate(facts);
        self.tests.truncate(tests);
        result
    }

    /// The condition as a formula, under a name if it is long.
    pub fn guard(&mut self, condition: &Expr) -> Formula {
        let t = self.walker.logic.terms;
        let truth = Val::Bool(self.val(condition).truth(t));
        self.walker.named(truth, "if").truth(t)
    }

    /// `E, e` or `E, !e`. The bindings made under a condition hold under it.
    pub fn under<R>(&mut self, condition: &Expr, guard: Formula, holds: bool, inner: impl FnOnce(&mut Self) -> R) -> R {
        let t = self.walker.logic.terms;
        let guard = if holds { guard } else { t.not(guard) };
        let (facts, tests) = (self.walker.facts.len(), self.tests.len());
        self.walker.facts.push(guard);
        tested(condition, holds, &mut self.tests);
        let result = inner(self);
        self.tests.truncate(tests);
        let learnt = self.walker.facts.split_off(facts);
        for fact in learnt.into_iter().skip(1) {
            self.walker.know(t.implies(guard, fact));
        }
        result
    }

    /// Whether a formula follows from the environment; if not, why.
    pub fn prove(&mut self, goal: Formula) -> Result<(), Why> {
        if goal == Term::TRUE || self.walker.facts.contains(&goal) {
            return Ok(());
        }
        self.judgements += 1;
        let condition = self.walker.condition(Kind::Result, Span::default(), goal);
        let asked = Asked::new(&self.walker.logic, &condition);
        self.walker.prover.prove(&asked)
    }

    /// `E |- [e : T] <: U`
    pub fn is_subtype(&mut self, typed: &Typed, of: &Type) -> Result<(), Why> {
        if matches!(of.kind, TypeKind::Any) || same(&typed.ty, of) {
            return Ok(());
        }
        self.scope(|checker| {
            let val = checker.val(&typed.pure);
            let val = checker.walker.named(val, "typed");
            let fact = checker.is_in(&typed.ty, val);
            checker.walker.know(fact);
            let goal = checker.is_in(of, val);
            checker.prove(goal)
        })
    }

    pub fn subtype(&mut self, typed: &Typed, of: &Type, kind: &Kind, span: Span) {
        if let Err(why) = self.is_subtype(typed, of) {
            self.reject(kind.clone(), span, why);
        }
    }

    /// A type that is declared or tested for: its conditions are logicals, by typing, and do not depend on any order.
    pub fn well_formed(&mut self, ty: &Type) {
        self.orders(ty);
        self.scope(|checker| checker.well_formed_parts(ty));
    }

    /// The loops in a type are functions.
    pub fn orders(&mut self, ty: &Type) {
        for (accumulate, span) in loops_in(ty) {
            if self.ordered.contains_key(&span) {
                continue;
            }
            let told = self.order(accumulate);
            self.ordered.insert(span, told.is_ok());
            if let Err(why) = told {
                self.reject(Kind::Order, span, why);
            }
        }
    }

    pub fn order(&mut self, accumulate: &Accumulate) -> Result<(), Why> {
        let goal = self.walker.order_independence(accumulate);
        let facts = std::mem::take(&mut self.walker.facts);
        let told = self.prove(goal);
        self.walker.facts = facts;
        told
    }

    fn well_formed_parts(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Refinement(variable, base, condition) => {
                self.well_formed_parts(base);
                self.scope(|checker| {
                    checker.bind(*variable, (**base).clone(), None);
                    let logical = Type { kind: TypeKind::Logical, span: condition.span };
                    checker.check(condition, &logical, &Kind::Refinement);
                });
            }
            TypeKind::Singleton(only) => {
                self.scope(|checker| checker.synth(only));
            }
            _ => ty.each_part(&mut |part| self.well_formed_parts(part)),
        }
    }
}

/// The tests of paths that hold if a condition does, or does not.
fn tested(condition: &Expr, holds: bool, out: &mut Vec<(Path, Type)>) {
    match &condition.kind {
        ExprKind::Op(Op::Not, parts) => parts.iter().for_each(|e| tested(e, !holds, out)),
        ExprKind::Op(Op::And, parts) if holds => parts.iter().for_each(|e| tested(e, true, out)),
        ExprKind::Op(Op::Or, parts) if !holds => parts.iter().for_each(|e| tested(e, false, out)),
        ExprKind::Test(value, ty) if holds => out.extend(path(value).map(|path| (path, (**ty).clone()))),
        _ => {}
    }
}
