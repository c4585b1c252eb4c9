//! The logical semantics (docs/dminor.md, "The logical semantics"): `F[T](t)`, "t is in T"; `W[T](t)`, "testing t in T goes wrong"; and the
//! result of a pure expression as a pair of a definedness formula and a total term.
//!
//! Names bound inside of formulas go by their depth: a term made at depth d mentions no name of depth d or more, so it may be put
//! anywhere further in without capture; and equal loops give equal terms, hence equal symbols.

use super::closures::Items;
use super::term::*;
use crate::bemol::Reading;
use crate::program::*;
use crate::value::{Label, Value};
use num_bigint::Sign;
use smt::term::Symbol;
use std::collections::HashMap;
use std::rc::Rc;
use work::Stop;

/// What variables stand for.
pub type Env = HashMap<VarId, Val>;

/// Terms longer than that are given a name before they are used more than once.
const LONG: usize = 48;

pub struct Logic<'p> {
    pub program: &'p Program,
    pub terms: &'p Terms,
    pub reading: Reading,
    /// Named types whose tests never go wrong.
    pub well_formed: Rc<Vec<bool>>,
    labels: Vec<Label>,
    numbers: HashMap<Label, usize>,
    /// Constants, and functions that stand for constants, in the order in which they were made.
    pub(super) declared: Vec<Symbol>,
    pub(super) items: Items,
    pub(super) depth: usize,
    /// When it is due, what is built means nothing any more: whoever builds has to look afterwards.
    pub(crate) stop: Stop,
}

/// Definedness, and value.
pub struct Pure {
    pub ok: Formula,
    pub val: Val,
}

impl<'p> Logic<'p> {
    pub fn new(
        program: &'p Program,
        terms: &'p Terms,
        reading: Reading,
        well_formed: Rc<Vec<bool>>,
        stop: Stop,
    ) -> Logic<'p> {
        let (labels, numbers) = (Vec::new(), HashMap::new());
        let (declared, items) = (Vec::new(), Items::default());
        Logic { program, terms, reading, well_formed, labels, numbers, declared, items, depth: 0, stop }
    }

    /// The number of a label.
    pub fn label(&mut self, label: &Label) -> Term {
        let next = self.labels.len();
        let at = *self.numbers.entry(label.clone()).or_insert(next);
        if at == next {
            self.labels.push(label.clone());
        }
        self.terms.number(at)
    }

    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    pub fn constant(&mut self, value: &Value) -> Val {
        let t = self.terms;
        match value {
            Value::Entity(fields) => Val::Ent(fields.iter().fold(t.eempty, |ent, (label, part)| {
                let part = self.constant(part).term(t);
                t.upd(ent, self.label(label), part)
            })),
            Value::Collection(bag) => {
                Val::Coll(bag.iter().fold(t.bempty, |bag, member| t.add(self.constant(member).term(t), bag)))
            }
            Value::Null => Val::Null,
            Value::Logical(b) => Val::Bool(t.truth(*b)),
            Value::Integer(n) => {
                let digits = t.numeral(&n.magnitude().to_string());
                Val::Int(if n.sign() == Sign::Minus { t.op(smt::term::Op::Negate, &[digits]) } else { digits })
            }
            Value::Text(text) => Val::Text(t.text(text)),
        }
    }

    /// Runs with a variable of this sort, which is to be bound around the result.
    fn under<R>(&mut self, prefix: &str, sort: smt::term::Sort, inner: impl FnOnce(&mut Self, Term) -> R) -> (Term, R) {
        let variable = self.terms.variable(&format!("{prefix}{}", self.depth), sort);
        self.depth += 1;
        let result = inner(self, variable);
        self.depth -= 1;
        (variable, result)
    }

    /// A formula that speaks of a value several times: the value is given a name if it is long.
    fn sharing(&mut self, val: Val, inner: impl FnOnce(&mut Self, Val) -> Formula) -> Formula {
        let t = self.terms;
        if val.len(t) <= LONG {
            return inner(self, val);
        }
        let term = val.bare(t);
        let (name, f) = self.under("n", t.sort_of(term), |logic, name| inner(logic, val.with(name)));
        t.let_in(name, term, f)
    }

    /// `forall m in bag. f(m)`
    pub(super) fn all_members(&mut self, bag: Term, inner: impl FnOnce(&mut Self, Val) -> Formula) -> Formula {
        let (m, f) = self.under("m", self.terms.value, |logic, m| inner(logic, Val::Any(m)));
        if f == Term::TRUE { f } else { self.terms.all_members(bag, m, f) }
    }

    /// F: whether a value is in a type.
    pub fn is_in(&mut self, ty: &Type, val: Val, env: &Env) -> Formula {
        let t = self.terms;
        match &ty.kind {
            _ if self.stop.is_due() => Term::TRUE,
            TypeKind::Any => Term::TRUE,
            TypeKind::Empty => Term::FALSE,
            TypeKind::Integer => val.is(Sort::Int, t),
            TypeKind::Text => val.is(Sort::Text, t),
            TypeKind::Logical => val.is(Sort::Bool, t),
            _ => self.sharing(val, |logic, val| logic.is_in_parts(ty, val, env)),
        }
    }

    fn is_in_parts(&mut self, ty: &Type, val: Val, env: &Env) -> Formula {
        let t = self.terms;
        match &ty.kind {
            TypeKind::Collection(inner) => {
                let is_coll = val.is(Sort::Coll, t);
                if is_coll == Term::FALSE {
                    return is_coll;
                }
                let bag = val.payload(Sort::Coll, t);
                t.and([is_coll, self.all_members(bag, |logic, m| logic.is_in(inner, m, env))])
            }
            TypeKind::Entity(fields) => {
                let is_ent = val.is(Sort::Ent, t);
                if is_ent == Term::FALSE {
                    return is_ent;
                }
                let ent = val.payload(Sort::Ent, t);
                let mut all = vec![is_ent];
                for field in fields {
                    let label = self.label(&field.label);
                    all.push(t.has(ent, label));
                    all.push(self.is_in(&field.ty, Val::Any(t.dot(ent, label)), env));
                }
                t.and(all)
            }
            TypeKind::Refinement(variable, base, condition) => {
                let is_based = self.is_in(base, val, env);
                if is_based == Term::FALSE {
                    return is_based;
                }
                let mut inner = env.clone();
                inner.insert(*variable, val);
                let Pure { ok, val } = self.result(condition, &inner);
                t.and([is_based, ok, val.truth(t)])
            }
            TypeKind::And(a, b) => t.and([self.is_in(a, val, env), self.is_in(b, val, env)]),
            TypeKind::Or(a, b) => t.or([self.is_in(a, val, env), self.is_in(b, val, env)]),
            TypeKind::Not(a) => t.not(self.is_in(a, val, env)),
            TypeKind::Nullable(a) => t.or([val.is_null(t), self.is_in(a, val, env)]),
            TypeKind::Singleton(only) => {
                let Pure { ok, val: only } = self.result(only, env);
                t.and([ok, val.equals(only, t)])
            }
            TypeKind::Named(id) => t.apply(self.define(*id).is_in, &[val.term(t)]),
            _ => self.is_in(ty, val, env),
        }
    }

    /// W: whether the test of a value goes wrong.
    pub fn wrong(&mut self, ty: &Type, val: Val, env: &Env) -> Formula {
        if self.stop.is_due() || !self.may_go_wrong(ty) {
            return Term::FALSE;
        }
        self.sharing(val, |logic, val| logic.wrong_parts(ty, val, env))
    }

    /// Whether there is a condition in it that could.
    fn may_go_wrong(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Refinement(..) | TypeKind::Singleton(_) => true,
            TypeKind::Named(id) => self.reading.strict_type_tests || !self.well_formed[id.0 as usize],
            _ => {
                let mut any = false;
                ty.each_part(&mut |part| any |= self.may_go_wrong(part));
                any
            }
        }
    }

    fn wrong_parts(&mut self, ty: &Type, val: Val, env: &Env) -> Formula {
        let t = self.terms;
        match &ty.kind {
            TypeKind::Collection(inner) => {
                let is_coll = val.is(Sort::Coll, t);
                if is_coll == Term::FALSE {
                    return is_coll;
                }
                let bag = val.payload(Sort::Coll, t);
                let fine = self.all_members(bag, |logic, m| t.not(logic.wrong(inner, m, env)));
                t.and([is_coll, t.not(fine)])
            }
            TypeKind::Entity(fields) => {
                let is_ent = val.is(Sort::Ent, t);
                if is_ent == Term::FALSE {
                    return is_ent;
                }
                let ent = val.payload(Sort::Ent, t);
                let mut any = Vec::new();
                for field in fields {
                    let label = self.label(&field.label);
                    let part = Val::Any(t.dot(ent, label));
                    any.push(t.and([t.has(ent, label), self.wrong(&field.ty, part, env)]));
                }
                t.and([is_ent, t.or(any)])
            }
            TypeKind::Refinement(variable, base, condition) => {
                let base_wrong = self.wrong(base, val, env);
                let is_based = if self.reading.strict_type_tests { Term::TRUE } else { self.is_in(base, val, env) };
                let mut inner = env.clone();
                inner.insert(*variable, val);
                let Pure { ok, val } = self.result(condition, &inner);
                t.or([base_wrong, t.and([is_based, t.not(t.and([ok, val.is(Sort::Bool, t)]))])])
            }
            TypeKind::And(a, b) | TypeKind::Or(a, b) => t.or([self.wrong(a, val, env), self.wrong(b, val, env)]),
            TypeKind::Not(a) | TypeKind::Nullable(a) => self.wrong(a, val, env),
            TypeKind::Singleton(only) => t.not(self.result(only, env).ok),
            TypeKind::Named(id) => t.apply(self.define(*id).wrong, &[val.term(t)]),
            _ => Term::FALSE,
        }
    }

    /// R: the result of a pure expression. The value is total, and means something where it is defined.
    pub fn result(&mut self, expr: &Expr, env: &Env) -> Pure {
        let t = self.terms;
        let always = |val: Val| Pure { ok: Term::TRUE, val };
        match &expr.kind {
            _ if self.stop.is_due() => always(Val::Null),
            ExprKind::Constant(value) => always(self.constant(value)),
            ExprKind::Var(id) => always(env.get(id).copied().unwrap_or(Val::Null)),
            ExprKind::Op(op, operands) => self.operation(*op, operands, env),
            ExprKind::Cond(c, a, b) => {
                let c = self.result(c, env);
                let (a, b) = (self.result(a, env), self.result(b, env));
                let truth = c.val.truth(t);
                let ok = t.and([c.ok, c.val.is(Sort::Bool, t), t.ite(truth, a.ok, b.ok)]);
                Pure { ok, val: Val::choice(truth, a.val, b.val, t) }
            }
            ExprKind::Let(variable, value, body) => {
                let Pure { ok, val } = self.result(value, env);
                self.let_in(*variable, ok, val, body, env)
            }
            ExprKind::Test(value, ty) => {
                let Pure { ok, val } = self.result(value, env);
                let fine = t.not(self.wrong(ty, val, env));
                Pure { ok: t.and([ok, fine]), val: Val::Bool(self.is_in(ty, val, env)) }
            }
            ExprKind::Ascribe(value, _) => self.result(value, env),
            ExprKind::Entity(fields) => {
                let (mut oks, mut ent) = (Vec::new(), t.eempty);
                for (label, part) in fields {
                    let Pure { ok, val } = self.result(part, env);
                    oks.push(ok);
                    ent = t.upd(ent, self.label(label), val.term(t));
                }
                Pure { ok: t.and(oks), val: Val::Ent(ent) }
            }
            ExprKind::Collection(items) => {
                let (mut oks, mut bag) = (Vec::new(), t.bempty);
                for item in items.iter().rev() {
                    let Pure { ok, val } = self.result(item, env);
                    oks.push(ok);
                    bag = t.add(val.term(t), bag);
                }
                Pure { ok: t.and(oks), val: Val::Coll(bag) }
            }
            ExprKind::Select(base, label) => {
                let Pure { ok, val } = self.result(base, env);
                let (ent, label) = (val.payload(Sort::Ent, t), self.label(label));
                let has = t.and([val.is(Sort::Ent, t), t.has(ent, label)]);
                Pure { ok: t.and([ok, has]), val: Val::Any(t.dot(ent, label)) }
            }
            // Statics keeps calls out of refinements.
            ExprKind::Call(..) => Pure { ok: Term::FALSE, val: Val::Null },
            ExprKind::Accumulate(accumulate) => self.accumulated(accumulate, env),
            ExprKind::Query(query) => self.queried(query, env),
        }
    }

    fn let_in(&mut self, variable: VarId, ok: Formula, val: Val, body: &Expr, env: &Env) -> Pure {
        let t = self.terms;
        let mut inner = env.clone();
        if val.len(t) <= LONG {
            inner.insert(variable, val);
            let body = self.result(body, &inner);
            return Pure { ok: t.and([ok, body.ok]), val: body.val };
        }
        let term = val.bare(t);
        let (name, body) = self.under("n", t.sort_of(term), |logic, name| {
            inner.insert(variable, val.with(name));
            logic.result(body, &inner)
        });
        let wrap = |part: Term| t.let_in(name, term, part);
        Pure { ok: t.and([ok, wrap(body.ok)]), val: body.val.with(wrap(body.val.bare(t))) }
    }

    fn operation(&mut self, op: Op, operands: &[Expr], env: &Env) -> Pure {
        let t = self.terms;
        let parts: Vec<Pure> = operands.iter().map(|e| self.result(e, env)).collect();
        if let (Op::And | Op::Or, [a, b], false) = (op, &parts[..], self.reading.strict_ops) {
            // The second operand counts only if the first does not decide.
            let truth = a.val.truth(t);
            let other = if op == Op::And { t.not(truth) } else { truth };
            let second = t.and([b.ok, b.val.is(Sort::Bool, t)]);
            let ok = t.and([a.ok, a.val.is(Sort::Bool, t), t.or([other, second])]);
            return Pure { ok, val: connective(op, a.val, b.val, t) };
        }
        let vals: Vec<Val> = parts.iter().map(|p| p.val).collect();
        let oks = parts.iter().map(|p| p.ok);
        let wanted = requirements(op, &vals, t).into_iter().map(|(f, _)| f);
        Pure { ok: t.and(oks.chain(wanted)), val: operate(op, &vals, t) }
    }
}

fn connective(op: Op, a: Val, b: Val, t: &Terms) -> Val {
    let parts = [a.truth(t), b.truth(t)];
    Val::Bool(if op == Op::And { t.and(parts) } else { t.or(parts) })
}

/// What must hold of the operands, each with the number of the operand it is about.
pub fn requirements(op: Op, vals: &[Val], t: &Terms) -> Vec<(Formula, usize)> {
    let all = |sort: Sort| vals.iter().enumerate().map(|(i, v)| (v.is(sort, t), i)).collect::<Vec<_>>();
    match op {
        Op::Eq | Op::Ne => Vec::new(),
        Op::Not | Op::And | Op::Or => all(Sort::Bool),
        Op::Lt | Op::Gt | Op::Le | Op::Ge | Op::Add | Op::Sub | Op::Mul | Op::Neg => all(Sort::Int),
        Op::Div => {
            let mut wanted = all(Sort::Int);
            if let Some(divisor) = vals.get(1).map(|val| val.payload(Sort::Int, t)) {
                let zero = t.eq(divisor, t.number(0));
                let never = t.is_numeral(divisor) && zero != Term::TRUE;
                wanted.push((if never { Term::TRUE } else { t.not(zero) }, 1));
            }
            wanted
        }
        Op::Cons => vec![(vals[1].is(Sort::Coll, t), 1)],
        Op::Concat | Op::Count => all(Sort::Coll),
    }
}

/// The result of an operator on operands as they are required.
pub fn operate(op: Op, vals: &[Val], t: &Terms) -> Val {
    let int = |i: usize| vals[i].payload(Sort::Int, t);
    let coll = |i: usize| vals[i].payload(Sort::Coll, t);
    let compare = |op: smt::term::Op| Val::Bool(t.op(op, &[int(0), int(1)]));
    let compute = |op: smt::term::Op| Val::Int(t.op(op, &[int(0), int(1)]));
    match op {
        Op::Not => Val::Bool(t.not(vals[0].truth(t))),
        Op::And | Op::Or => connective(op, vals[0], vals[1], t),
        Op::Eq => Val::Bool(vals[0].equals(vals[1], t)),
        Op::Ne => Val::Bool(t.not(vals[0].equals(vals[1], t))),
        Op::Lt => compare(smt::term::Op::Less),
        Op::Gt => compare(smt::term::Op::Greater),
        Op::Le => compare(smt::term::Op::AtMost),
        Op::Ge => compare(smt::term::Op::AtLeast),
        Op::Add => compute(smt::term::Op::Add),
        Op::Sub => compute(smt::term::Op::Subtract),
        Op::Mul => compute(smt::term::Op::Multiply),
        Op::Div => compute(smt::term::Op::Divide),
        Op::Neg => Val::Int(t.op(smt::term::Op::Negate, &[int(0)])),
        Op::Cons => Val::Coll(t.add(vals[0].term(t), coll(1))),
        Op::Concat => Val::Coll(t.union(coll(0), coll(1))),
        Op::Count => Val::Int(t.card(coll(0))),
    }
}
