//! R\[e] as a pair (docs/dminor.md, "The logical semantics"): a formula that says that e does not fail, and a total term. F and W are in
//! `types`.
//!
//! A formula is a list of conjuncts. Sizes stay polynomial: whatever would be repeated more than a few times becomes a function with a
//! definition.

use super::code::{Code, Sort, Val, and, call, extend, not};
use super::loops::free_in_expr;
use super::{Logic, Origin, params};
use crate::program::{Expr, ExprKind, Op, VarId};
use crate::value::Value;

/// Longer ones get a name, or a chain of n operators would take n² letters.
const LONGEST_TERM: usize = 4_000;

#[derive(Clone, Debug)]
pub(super) struct Term {
    /// Conjuncts.
    pub ok: Vec<Code>,
    pub val: Val,
}

/// The primitive operator on values that are of its operand types.
pub(super) fn operate(op: Op, parts: &[Val]) -> Val {
    let infix = |sort: Sort, symbol: &str, of: Sort| match parts {
        [a, b] => Val::Made(sort, Code::Other(format!("({} {symbol} {})", a.payload(of), b.payload(of)))),
        _ => Val::Null,
    };
    let logic = |symbol: &str| infix(Sort::Bool, symbol, Sort::Bool);
    let compare = |symbol: &str| infix(Sort::Bool, symbol, Sort::Int);
    let compute = |symbol: &str| infix(Sort::Int, symbol, Sort::Int);
    match (op, parts) {
        (Op::Not, [a]) => Val::Made(Sort::Bool, not(&a.truth())),
        (Op::And, _) => logic("&&"),
        (Op::Or, _) => logic("||"),
        (Op::Eq, [a, b]) => Val::Made(Sort::Bool, a.equal(b)),
        (Op::Ne, [a, b]) => Val::Made(Sort::Bool, not(&a.equal(b))),
        (Op::Lt, _) => compare("<"),
        (Op::Gt, _) => compare(">"),
        (Op::Le, _) => compare("<="),
        (Op::Ge, _) => compare(">="),
        (Op::Add, _) => compute("+"),
        (Op::Sub, _) => compute("-"),
        (Op::Mul, _) => compute("*"),
        // Euclidean, as that of SMT-LIB.
        (Op::Div, _) => compute("div"),
        (Op::Neg, [a]) => Val::Made(Sort::Int, Code::Other(format!("(0 - {})", a.payload(Sort::Int)))),
        (Op::Cons, [a, b]) => Val::Made(Sort::Coll, call("add", &[a.code(), b.payload(Sort::Coll)])),
        (Op::Concat, [a, b]) => Val::Made(Sort::Coll, call("bunion", &[a.payload(Sort::Coll), b.payload(Sort::Coll)])),
        (Op::Count, [a]) => Val::Made(Sort::Int, call("card", &[a.payload(Sort::Coll)])),
        _ => Val::Null,
    }
}

/// What the operands must be.
fn operands(op: Op, parts: &[Val]) -> Vec<Code> {
    let sort = match op {
        Op::Eq | Op::Ne => return Vec::new(),
        Op::Not | Op::And | Op::Or => Sort::Bool,
        Op::Cons => return parts.get(1).map(|b| b.is(Sort::Coll)).into_iter().collect(),
        Op::Concat | Op::Count => Sort::Coll,
        _ => Sort::Int,
    };
    let mut all: Vec<Code> = parts.iter().map(|p| p.is(sort)).collect();
    if let (Op::Div, [_, divisor]) = (op, parts) {
        all.push(match divisor.payload(Sort::Int) {
            Code::Number(digits) if digits != "0" => Code::True,
            divisor => Code::Other(format!("({divisor} != 0)")),
        });
    }
    all
}

impl Logic<'_> {
    pub(super) fn constant(&mut self, value: &Value) -> Val {
        match value {
            Value::Null => Val::Null,
            Value::Logical(b) => Val::Made(Sort::Bool, Code::truth(*b)),
            Value::Integer(n) if n.sign() == num_bigint::Sign::Minus => {
                Val::Made(Sort::Int, Code::Other(format!("(0 - {})", n.magnitude())))
            }
            Value::Integer(n) => Val::Made(Sort::Int, Code::Number(n.to_string())),
            Value::Text(text) => Val::Made(Sort::Text, Code::Plain(self.text(text))),
            // Only the empty ones are constants.
            Value::Collection(_) => Val::Made(Sort::Coll, bempty()),
            Value::Entity(_) => Val::Made(Sort::Ent, eempty()),
        }
    }

    pub(super) fn with<T>(&mut self, variable: VarId, term: Val, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.known.insert(variable, term);
        let result = inner(self);
        match before {
            Some(before) => self.known.insert(variable, before),
            None => self.known.remove(&variable),
        };
        result
    }

    fn terms<'e>(&mut self, parts: impl Iterator<Item = &'e Expr>) -> Terms {
        let mut all = Terms { ok: Vec::new(), vals: Vec::new() };
        for part in parts {
            let Term { ok, val } = self.term(part);
            extend(&mut all.ok, ok);
            all.vals.push(val);
        }
        all
    }

    /// R\[e]; if it is long, as functions of the free variables.
    pub(super) fn term(&mut self, expr: &Expr) -> Term {
        let key = (Origin::Expr, std::ptr::from_ref(expr) as usize);
        if !self.made.contains_key(&key) {
            let term = self.term_parts(expr);
            if term.val.code().len() + term.ok.iter().map(Code::len).sum::<usize>() <= LONGEST_TERM {
                return term;
            }
            let outer = std::mem::take(&mut self.known);
            let Term { ok, val } = self.term_parts(expr);
            self.known = outer;
            let name = self.fresh("term");
            let parameters = params(&self.names_of(&free_in_expr(expr)), &[]);
            self.declare(&format!("function ok.{name}({parameters}): bool {{ {} }}", and(&ok)));
            self.declare(&format!("function val.{name}({parameters}): Value {{ {val} }}"));
            self.made.insert(key, name);
        }
        let arguments = self.arguments(&free_in_expr(expr), &[]);
        let name = &self.made[&key];
        Term::of(name, &arguments)
    }

    fn term_parts(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Constant(value) => Term { ok: Vec::new(), val: self.constant(value) },
            ExprKind::Var(x) => Term { ok: Vec::new(), val: self.variable(*x) },
            ExprKind::Op(op @ (Op::And | Op::Or), parts) if !self.reading.strict_ops && parts.len() == 2 => {
                let (mut first, second) = (self.term(&parts[0]), self.term(&parts[1]));
                extend(&mut first.ok, [first.val.is(Sort::Bool)]);
                let guard = first.val.truth();
                let mut then = Vec::new();
                extend(&mut then, second.ok);
                extend(&mut then, [second.val.is(Sort::Bool)]);
                then.retain(|c| !first.ok.contains(c));
                if !then.is_empty() {
                    let guard = if *op == Op::And { guard } else { not(&guard) };
                    first.ok.push(Code::Other(format!("({guard} ==> {})", and(&then))));
                }
                Term { ok: first.ok, val: operate(*op, &[first.val, second.val]) }
            }
            ExprKind::Op(op, parts) => {
                let Terms { mut ok, vals } = self.terms(parts.iter());
                extend(&mut ok, operands(*op, &vals));
                Term { ok, val: operate(*op, &vals) }
            }
            ExprKind::Cond(condition, then, other) => {
                let (mut first, then, other) = (self.term(condition), self.term(then), self.term(other));
                extend(&mut first.ok, [first.val.is(Sort::Bool)]);
                let guard = first.val.truth();
                for (guard, ok) in [(guard.clone(), then.ok), (not(&guard), other.ok)] {
                    let more: Vec<Code> = ok.into_iter().filter(|c| !first.ok.contains(c)).collect();
                    if !more.is_empty() {
                        first.ok.push(Code::Other(format!("({guard} ==> {})", and(&more))));
                    }
                }
                let val = format!("(if {guard} then {} else {})", then.val, other.val);
                Term { ok: first.ok, val: Val::Other(Code::Other(val)) }
            }
            ExprKind::Let(x, value, body) => {
                let Term { mut ok, val } = self.term(value);
                let inner =
                    if val.is_simple() { self.with(*x, val, |l| l.term(body)) } else { self.abstracted(*x, val, body) };
                extend(&mut ok, inner.ok);
                Term { ok, val: inner.val }
            }
            ExprKind::Test(value, ty) => {
                let Term { mut ok, val } = self.term(value);
                let wrong = self.wrong_of_term(ty, &val);
                extend(&mut ok, [not(&wrong)]);
                let is_in = self.inside_of_term(ty, &val);
                Term { ok, val: Val::Made(Sort::Bool, and(&is_in)) }
            }
            ExprKind::Ascribe(value, ty) => {
                let Term { mut ok, val } = self.term(value);
                let wrong = self.wrong_of_term(ty, &val);
                extend(&mut ok, [not(&wrong)]);
                extend(&mut ok, self.inside_of_term(ty, &val));
                Term { ok, val }
            }
            ExprKind::Entity(fields) => {
                let Terms { ok, vals } = self.terms(fields.iter().map(|(_, e)| e));
                let made = fields
                    .iter()
                    .zip(vals)
                    .fold(eempty(), |made, ((label, _), val)| call("upd", &[made, self.label(label), val.code()]));
                Term { ok, val: Val::Made(Sort::Ent, made) }
            }
            ExprKind::Collection(items) => {
                let Terms { ok, vals } = self.terms(items.iter());
                let made = vals.into_iter().rev().fold(bempty(), |made, val| call("add", &[val.code(), made]));
                Term { ok, val: Val::Made(Sort::Coll, made) }
            }
            ExprKind::Select(base, label) => {
                let Term { mut ok, val } = self.term(base);
                let field = [val.payload(Sort::Ent), self.label(label)];
                extend(&mut ok, [val.is(Sort::Ent), call("has", &field)]);
                Term { ok, val: Val::Other(call("dot", &field)) }
            }
            // Not pure: never in a refinement.
            ExprKind::Call(..) => Term { ok: vec![Code::False], val: Val::Null },
            ExprKind::Accumulate(accumulate) => self.accumulate_term(accumulate),
            ExprKind::Query(query) => self.query_term(query),
        }
    }

    /// The expression with a variable in it, as functions of that variable.
    fn abstracted(&mut self, x: VarId, val: Val, body: &Expr) -> Term {
        let free: Vec<VarId> = free_in_expr(body).into_iter().filter(|v| *v != x).collect();
        let name = self.fresh("let");
        let arguments = self.arguments(&free, &[val.code()]);
        let outer = std::mem::take(&mut self.known);
        let Term { ok, val } = self.term(body);
        let parameters = params(&self.names_of(&free), &[(&self.names[x.0 as usize], "Value")]);
        self.known = outer;
        self.declare(&format!("function ok.{name}({parameters}): bool {{ {} }}", and(&ok)));
        self.declare(&format!("function val.{name}({parameters}): Value {{ {val} }}"));
        Term::of(&name, &arguments)
    }
}

struct Terms {
    ok: Vec<Code>,
    vals: Vec<Val>,
}

impl Term {
    /// What the functions of this name give.
    pub fn of(name: &str, arguments: &[Code]) -> Term {
        let val = Val::Other(call(&format!("val.{name}"), arguments));
        Term { ok: vec![call(&format!("ok.{name}"), arguments)], val }
    }
}

pub(super) fn bempty() -> Code {
    Code::Plain("bempty".to_string())
}

pub(super) fn eempty() -> Code {
    Code::Plain("eempty".to_string())
}
