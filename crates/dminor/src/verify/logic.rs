//! The logical semantics (DMINOR.md, section 6): `F[T](t)`, "t is in T"; `W[T](t)`, "testing t in T goes wrong"; and the result of a pure
//! expression as a pair of a definedness formula and a total term.
//!
//! Names bound inside of formulas go by their depth: a term made at depth d mentions no name of depth d or more, so it may be put
//! anywhere further in without capture; and equal loops give equal texts, hence equal symbols.

use super::closures::Items;
use super::term::*;
use crate::bemol::Reading;
use crate::program::*;
use crate::value::{Label, Value};
use std::collections::HashMap;
use std::rc::Rc;
use work::Stop;

/// What variables stand for.
pub type Env = HashMap<VarId, Val>;

/// Terms longer than that are given a name before they are used more than once.
const LONG: usize = 48;

pub struct Logic<'p> {
    pub program: &'p Program,
    pub reading: Reading,
    /// Named types whose tests never go wrong.
    pub well_formed: Rc<Vec<bool>>,
    labels: Vec<Label>,
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
    pub fn new(program: &'p Program, reading: Reading, well_formed: Rc<Vec<bool>>, stop: Stop) -> Logic<'p> {
        Logic { program, reading, well_formed, labels: Vec::new(), items: Items::default(), depth: 0, stop }
    }

    /// The number of a label.
    pub fn label(&mut self, label: &Label) -> usize {
        match self.labels.iter().position(|l| l == label) {
            Some(at) => at,
            None => {
                self.labels.push(label.clone());
                self.labels.len() - 1
            }
        }
    }

    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    pub fn constant(&mut self, value: &Value) -> Val {
        match value {
            Value::Entity(fields) => {
                let mut term = "eempty".to_string();
                for (label, part) in fields.iter() {
                    let part = self.constant(part).term();
                    term = format!("(upd {term} {} {part})", self.label(label));
                }
                Val::Ent(term)
            }
            Value::Collection(bag) => {
                let mut term = "bempty".to_string();
                for member in bag.iter() {
                    term = format!("(add {} {term})", self.constant(member).term());
                }
                Val::Coll(term)
            }
            Value::Null => Val::Null,
            Value::Logical(b) => Val::Bool(b.to_string()),
            Value::Integer(n) => {
                let text = n.to_string();
                Val::Int(text.strip_prefix('-').map_or(text.clone(), |digits| format!("(- {digits})")))
            }
            Value::Text(text) => Val::Text(smt::string_literal(text)),
        }
    }

    /// Runs with a name that is bound around the result.
    fn under<R>(&mut self, prefix: &str, inner: impl FnOnce(&mut Self, &str) -> R) -> (String, R) {
        let name = format!("{prefix}{}", self.depth);
        self.depth += 1;
        let result = inner(self, &name);
        self.depth -= 1;
        (name, result)
    }

    /// A formula that speaks of a value several times: the value is given a name if it is long.
    fn sharing(&mut self, val: &Val, inner: impl FnOnce(&mut Self, &Val) -> Formula) -> Formula {
        if val.len() <= LONG {
            return inner(self, val);
        }
        let (term, sort) = match val.sort() {
            Some(sort) => (val.payload(sort), Some(sort)),
            None => (val.term(), None),
        };
        let (name, f) = self.under("n", |logic, name| {
            let named = sort.map_or(Val::Any(name.to_string()), |sort| sort.of(name.to_string()));
            inner(logic, &named)
        });
        if f.contains(&name) { format!("(let (({name} {term})) {f})") } else { f }
    }

    /// `forall m in bag. f(m)`
    pub(super) fn all_members(&mut self, bag: &str, inner: impl FnOnce(&mut Self, &Val) -> Formula) -> Formula {
        let (name, f) = self.under("m", |logic, name| inner(logic, &Val::Any(name.to_string())));
        if is_true(&f) {
            return f;
        }
        let pattern = format!("(select (arr {bag}) {name})");
        format!("(forall (({name} Value)) (! (=> {} {f}) :pattern ({pattern})))", mem(&name, bag))
    }

    /// F: whether a value is in a type.
    pub fn is_in(&mut self, ty: &Type, val: &Val, env: &Env) -> Formula {
        match &ty.kind {
            _ if self.stop.is_due() => "true".to_string(),
            TypeKind::Any => "true".to_string(),
            TypeKind::Empty => "false".to_string(),
            TypeKind::Integer => val.is(Sort::Int),
            TypeKind::Text => val.is(Sort::Text),
            TypeKind::Logical => val.is(Sort::Bool),
            _ => self.sharing(val, |logic, val| logic.is_in_parts(ty, val, env)),
        }
    }

    fn is_in_parts(&mut self, ty: &Type, val: &Val, env: &Env) -> Formula {
        match &ty.kind {
            TypeKind::Collection(inner) => {
                let is_coll = val.is(Sort::Coll);
                if is_false(&is_coll) {
                    return is_coll;
                }
                let bag = val.payload(Sort::Coll);
                and([is_coll, self.all_members(&bag, |logic, m| logic.is_in(inner, m, env))])
            }
            TypeKind::Entity(fields) => {
                let mut all = vec![val.is(Sort::Ent)];
                if is_false(&all[0]) {
                    return all.remove(0);
                }
                let ent = val.payload(Sort::Ent);
                for field in fields {
                    let label = self.label(&field.label);
                    all.push(format!("(has {ent} {label})"));
                    all.push(self.is_in(&field.ty, &Val::Any(format!("(dot {ent} {label})")), env));
                }
                and(all)
            }
            TypeKind::Refinement(variable, base, condition) => {
                let is_based = self.is_in(base, val, env);
                if is_false(&is_based) {
                    return is_based;
                }
                let mut inner = env.clone();
                inner.insert(*variable, val.clone());
                let Pure { ok, val } = self.result(condition, &inner);
                and([is_based, ok, val.truth()])
            }
            TypeKind::And(a, b) => and([self.is_in(a, val, env), self.is_in(b, val, env)]),
            TypeKind::Or(a, b) => or([self.is_in(a, val, env), self.is_in(b, val, env)]),
            TypeKind::Not(a) => not(&self.is_in(a, val, env)),
            TypeKind::Nullable(a) => or([val.is_null(), self.is_in(a, val, env)]),
            TypeKind::Singleton(only) => {
                let Pure { ok, val: only } = self.result(only, env);
                and([ok, val.equals(&only)])
            }
            TypeKind::Named(id) => {
                self.define(*id);
                format!("({} {})", in_name(self.program, *id), val.term())
            }
            _ => self.is_in(ty, val, env),
        }
    }

    /// W: whether the test of a value goes wrong.
    pub fn wrong(&mut self, ty: &Type, val: &Val, env: &Env) -> Formula {
        if self.stop.is_due() || !self.may_go_wrong(ty) {
            return "false".to_string();
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

    fn wrong_parts(&mut self, ty: &Type, val: &Val, env: &Env) -> Formula {
        match &ty.kind {
            TypeKind::Collection(inner) => {
                let is_coll = val.is(Sort::Coll);
                if is_false(&is_coll) {
                    return is_coll;
                }
                let bag = val.payload(Sort::Coll);
                let fine = self.all_members(&bag, |logic, m| not(&logic.wrong(inner, m, env)));
                and([is_coll, not(&fine)])
            }
            TypeKind::Entity(fields) => {
                let is_ent = val.is(Sort::Ent);
                if is_false(&is_ent) {
                    return is_ent;
                }
                let ent = val.payload(Sort::Ent);
                let mut any = Vec::new();
                for field in fields {
                    let label = self.label(&field.label);
                    let part = Val::Any(format!("(dot {ent} {label})"));
                    any.push(and([format!("(has {ent} {label})"), self.wrong(&field.ty, &part, env)]));
                }
                and([is_ent, or(any)])
            }
            TypeKind::Refinement(variable, base, condition) => {
                let base_wrong = self.wrong(base, val, env);
                let is_based =
                    if self.reading.strict_type_tests { "true".to_string() } else { self.is_in(base, val, env) };
                let mut inner = env.clone();
                inner.insert(*variable, val.clone());
                let Pure { ok, val } = self.result(condition, &inner);
                or([base_wrong, and([is_based, not(&and([ok, val.is(Sort::Bool)]))])])
            }
            TypeKind::And(a, b) | TypeKind::Or(a, b) => or([self.wrong(a, val, env), self.wrong(b, val, env)]),
            TypeKind::Not(a) | TypeKind::Nullable(a) => self.wrong(a, val, env),
            TypeKind::Singleton(only) => not(&self.result(only, env).ok),
            TypeKind::Named(id) => {
                self.define(*id);
                format!("({} {})", wrong_name(self.program, *id), val.term())
            }
            _ => "false".to_string(),
        }
    }

    /// R: the result of a pure expression. The value is total, and means something where it is defined.
    pub fn result(&mut self, expr: &Expr, env: &Env) -> Pure {
        match &expr.kind {
            _ if self.stop.is_due() => Pure { ok: "true".to_string(), val: Val::Null },
            ExprKind::Constant(value) => Pure { ok: "true".to_string(), val: self.constant(value) },
            ExprKind::Var(id) => {
                let val = env.get(id).cloned().unwrap_or(Val::Null);
                Pure { ok: "true".to_string(), val }
            }
            ExprKind::Op(op, operands) => self.operation(*op, operands, env),
            ExprKind::Cond(c, a, b) => {
                let c = self.result(c, env);
                let (a, b) = (self.result(a, env), self.result(b, env));
                let truth = c.val.truth();
                let ok = and([c.ok, c.val.is(Sort::Bool), ite(&truth, &a.ok, &b.ok)]);
                Pure { ok, val: Val::choice(&truth, &a.val, &b.val) }
            }
            ExprKind::Let(variable, value, body) => {
                let Pure { ok, val } = self.result(value, env);
                self.let_in(*variable, ok, &val, body, env)
            }
            ExprKind::Test(value, ty) => {
                let Pure { ok, val } = self.result(value, env);
                let fine = not(&self.wrong(ty, &val, env));
                Pure { ok: and([ok, fine]), val: Val::Bool(self.is_in(ty, &val, env)) }
            }
            ExprKind::Ascribe(value, _) => self.result(value, env),
            ExprKind::Entity(fields) => {
                let (mut oks, mut term) = (Vec::new(), "eempty".to_string());
                for (label, part) in fields {
                    let Pure { ok, val } = self.result(part, env);
                    oks.push(ok);
                    term = format!("(upd {term} {} {})", self.label(label), val.term());
                }
                Pure { ok: and(oks), val: Val::Ent(term) }
            }
            ExprKind::Collection(items) => {
                let (mut oks, mut term) = (Vec::new(), "bempty".to_string());
                for item in items.iter().rev() {
                    let Pure { ok, val } = self.result(item, env);
                    oks.push(ok);
                    term = format!("(add {} {term})", val.term());
                }
                Pure { ok: and(oks), val: Val::Coll(term) }
            }
            ExprKind::Select(base, label) => {
                let Pure { ok, val } = self.result(base, env);
                let (ent, label) = (val.payload(Sort::Ent), self.label(label));
                let has = and([val.is(Sort::Ent), format!("(has {ent} {label})")]);
                Pure { ok: and([ok, has]), val: Val::Any(format!("(dot {ent} {label})")) }
            }
            // Statics keeps calls out of refinements.
            ExprKind::Call(..) => Pure { ok: "false".to_string(), val: Val::Null },
            ExprKind::Accumulate(accumulate) => self.accumulated(accumulate, env),
            ExprKind::Query(query) => self.queried(query, env),
        }
    }

    fn let_in(&mut self, variable: VarId, ok: Formula, val: &Val, body: &Expr, env: &Env) -> Pure {
        let mut inner = env.clone();
        if val.len() <= LONG {
            inner.insert(variable, val.clone());
            let body = self.result(body, &inner);
            return Pure { ok: and([ok, body.ok]), val: body.val };
        }
        let sort = val.sort();
        let term = sort.map_or_else(|| val.term(), |sort| val.payload(sort));
        let (name, body) = self.under("n", |logic, name| {
            inner.insert(variable, sort.map_or(Val::Any(name.to_string()), |sort| sort.of(name.to_string())));
            logic.result(body, &inner)
        });
        let wrap = |text: &str| {
            if text.contains(&name) { format!("(let (({name} {term})) {text})") } else { text.to_string() }
        };
        let val = match body.val.sort() {
            Some(sort) => sort.of(wrap(&body.val.payload(sort))),
            None => Val::Any(wrap(&body.val.term())),
        };
        Pure { ok: and([ok, wrap(&body.ok)]), val }
    }

    fn operation(&mut self, op: Op, operands: &[Expr], env: &Env) -> Pure {
        let parts: Vec<Pure> = operands.iter().map(|e| self.result(e, env)).collect();
        if let (Op::And | Op::Or, [a, b], false) = (op, &parts[..], self.reading.strict_ops) {
            // The second operand counts only if the first does not decide.
            let truth = a.val.truth();
            let other = if op == Op::And { not(&truth) } else { truth };
            let second = and([b.ok.clone(), b.val.is(Sort::Bool)]);
            let ok = and([a.ok.clone(), a.val.is(Sort::Bool), or([other, second])]);
            return Pure { ok, val: connective(op, &a.val, &b.val) };
        }
        let vals: Vec<Val> = parts.iter().map(|p| p.val.clone()).collect();
        let oks = parts.into_iter().map(|p| p.ok);
        let wanted = requirements(op, &vals).into_iter().map(|(f, _)| f);
        Pure { ok: and(oks.chain(wanted)), val: operate(op, &vals) }
    }
}

fn connective(op: Op, a: &Val, b: &Val) -> Val {
    let (a, b) = (a.truth(), b.truth());
    Val::Bool(if op == Op::And { and([a, b]) } else { or([a, b]) })
}

/// What must hold of the operands, each with the number of the operand it is about.
pub fn requirements(op: Op, vals: &[Val]) -> Vec<(Formula, usize)> {
    let all = |sort: Sort| vals.iter().enumerate().map(|(i, v)| (v.is(sort), i)).collect::<Vec<_>>();
    match op {
        Op::Eq | Op::Ne => Vec::new(),
        Op::Not | Op::And | Op::Or => all(Sort::Bool),
        Op::Lt | Op::Gt | Op::Le | Op::Ge | Op::Add | Op::Sub | Op::Mul | Op::Neg => all(Sort::Int),
        Op::Div => {
            let mut wanted = all(Sort::Int);
            if let Some(divisor) = vals.get(1) {
                let zero = eq(&divisor.payload(Sort::Int), "0");
                let is_constant = divisor.payload(Sort::Int).bytes().all(|b| b.is_ascii_digit());
                let never = is_constant && !is_true(&zero);
                wanted.push((if never { "true".to_string() } else { not(&zero) }, 1));
            }
            wanted
        }
        Op::Cons => vec![(vals[1].is(Sort::Coll), 1)],
        Op::Concat | Op::Count => all(Sort::Coll),
    }
}

/// The result of an operator on operands as they are required.
pub fn operate(op: Op, vals: &[Val]) -> Val {
    let int = |i: usize| vals[i].payload(Sort::Int);
    let compare = |symbol: &str| Val::Bool(format!("({symbol} {} {})", int(0), int(1)));
    let compute = |symbol: &str| Val::Int(format!("({symbol} {} {})", int(0), int(1)));
    match op {
        Op::Not => Val::Bool(not(&vals[0].truth())),
        Op::And | Op::Or => connective(op, &vals[0], &vals[1]),
        Op::Eq => Val::Bool(vals[0].equals(&vals[1])),
        Op::Ne => Val::Bool(not(&vals[0].equals(&vals[1]))),
        Op::Lt => compare("<"),
        Op::Gt => compare(">"),
        Op::Le => compare("<="),
        Op::Ge => compare(">="),
        Op::Add => compute("+"),
        Op::Sub => compute("-"),
        Op::Mul => compute("*"),
        Op::Div => compute("div"),
        Op::Neg => Val::Int(format!("(- {})", int(0))),
        Op::Cons => Val::Coll(format!("(add {} {})", vals[0].term(), vals[1].payload(Sort::Coll))),
        Op::Concat => Val::Coll(format!("(bunion {} {})", vals[0].payload(Sort::Coll), vals[1].payload(Sort::Coll))),
        Op::Count => Val::Int(format!("(card {})", vals[0].payload(Sort::Coll))),
    }
}

pub fn in_name(program: &Program, id: TypeId) -> String {
    format!("In_{}", program.named(id).name)
}

pub fn wrong_name(program: &Program, id: TypeId) -> String {
    format!("Wrong_{}", program.named(id).name)
}
