//! R\[e] as a pair (docs/dminor.md, "The logical semantics"): a formula that says that e does not fail, and a total term. F and W are in
//! `types`.
//!
//! A formula is a list of conjuncts. Terms are applications and variables, so that `VInt(…)` is known to be an integer by its first
//! letters. Sizes stay polynomial: whatever would be repeated more than a few times becomes a function with a definition.

use super::loops::free_in_expr;
use super::{Logic, Origin, params};
use crate::program::{Expr, ExprKind, Op, VarId};
use crate::value::Value;

/// Longer ones get a name, or a chain of n operators would take n² letters.
const LONGEST_TERM: usize = 4_000;

#[derive(Clone, Debug)]
pub(super) struct Term {
    /// Conjuncts.
    pub ok: Vec<String>,
    pub val: String,
}

pub(super) fn and(conjuncts: &[String]) -> String {
    match conjuncts {
        [] => "true".to_string(),
        [one] => one.clone(),
        many => format!("({})", many.join(" && ")),
    }
}

pub(super) fn not(formula: &str) -> String {
    match formula {
        "true" => "false".to_string(),
        "false" => "true".to_string(),
        f => format!("!({f})"),
    }
}

pub(super) fn or(parts: Vec<String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().filter(|p| p != "false").collect();
    match parts.len() {
        0 => "false".to_string(),
        1 => parts.remove(0),
        _ if parts.iter().any(|p| p == "true") => "true".to_string(),
        _ => format!("({})", parts.join(" || ")),
    }
}

/// More conjuncts, without those that are there, or are true.
pub(super) fn extend(conjuncts: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for one in more {
        if one != "true" && !conjuncts.contains(&one) {
            conjuncts.push(one);
        }
    }
}

/// `IntOf(t)`; of `VInt(n)` it is n.
pub(super) fn payload(constructor: &str, selector: &str, term: &str) -> String {
    let inner = term.strip_prefix(constructor).and_then(|t| t.strip_prefix('(')).and_then(|t| t.strip_suffix(')'));
    inner.map_or_else(|| format!("{selector}({term})"), str::to_string)
}

pub(super) fn int(term: &str) -> String {
    payload("VInt", "IntOf", term)
}

pub(super) fn truth(term: &str) -> String {
    payload("VBool", "BoolOf", term)
}

pub(super) fn bag(term: &str) -> String {
    payload("VColl", "CollOf", term)
}

pub(super) fn entity(term: &str) -> String {
    payload("VEnt", "EntOf", term)
}

/// `IsInt(t)` and the like; true of a term that begins with the constructor.
pub(super) fn is(sort: &str, term: &str) -> String {
    let is_made = term.strip_prefix('V').and_then(|t| t.strip_prefix(sort)).is_some_and(|t| t.starts_with('('));
    if is_made { "true".to_string() } else { format!("Is{sort}({term})") }
}

pub(super) fn equal(a: &str, b: &str) -> String {
    let is_scalar = |t: &str| t == "null" || ["VInt(", "VText(", "VBool("].iter().any(|p| t.starts_with(p));
    if is_scalar(a) || is_scalar(b) { format!("({a} == {b})") } else { format!("Eq({a}, {b})") }
}

/// The primitive operator on terms that are of its operand types.
pub(super) fn operate(op: Op, parts: &[String]) -> String {
    let infix = |wrap: &str, symbol: &str, inner: fn(&str) -> String| match parts {
        [a, b] => format!("{wrap}(({} {symbol} {}))", inner(a), inner(b)),
        _ => "null".to_string(),
    };
    match (op, parts) {
        (Op::Not, [a]) => format!("VBool({})", not(&truth(a))),
        (Op::And, _) => infix("VBool", "&&", truth),
        (Op::Or, _) => infix("VBool", "||", truth),
        (Op::Eq, [a, b]) => format!("VBool({})", equal(a, b)),
        (Op::Ne, [a, b]) => format!("VBool({})", not(&equal(a, b))),
        (Op::Lt, _) => infix("VBool", "<", int),
        (Op::Gt, _) => infix("VBool", ">", int),
        (Op::Le, _) => infix("VBool", "<=", int),
        (Op::Ge, _) => infix("VBool", ">=", int),
        (Op::Add, _) => infix("VInt", "+", int),
        (Op::Sub, _) => infix("VInt", "-", int),
        (Op::Mul, _) => infix("VInt", "*", int),
        // Euclidean, as that of SMT-LIB.
        (Op::Div, _) => infix("VInt", "div", int),
        (Op::Neg, [a]) => format!("VInt((0 - {}))", int(a)),
        (Op::Cons, [a, b]) => format!("VColl(add({a}, {}))", bag(b)),
        (Op::Concat, [a, b]) => format!("VColl(bunion({}, {}))", bag(a), bag(b)),
        (Op::Count, [a]) => format!("VInt(card({}))", bag(a)),
        _ => "null".to_string(),
    }
}

/// What the operands must be.
fn operands(op: Op, parts: &[String]) -> Vec<String> {
    let sort = match op {
        Op::Eq | Op::Ne => return Vec::new(),
        Op::Not | Op::And | Op::Or => "Bool",
        Op::Cons => return parts.get(1).map(|b| is("Coll", b)).into_iter().collect(),
        Op::Concat | Op::Count => "Coll",
        _ => "Int",
    };
    let mut all: Vec<String> = parts.iter().map(|p| is(sort, p)).collect();
    if let (Op::Div, [_, divisor]) = (op, parts) {
        let divisor = int(divisor);
        let is_known = divisor != "0" && divisor.bytes().all(|b| b.is_ascii_digit());
        all.push(if is_known { "true".to_string() } else { format!("({divisor} != 0)") });
    }
    all
}

impl Logic<'_> {
    pub(super) fn constant(&mut self, value: &Value) -> String {
        match value {
            Value::Null => "null".to_string(),
            Value::Logical(b) => format!("VBool({b})"),
            Value::Integer(n) if n.sign() == num_bigint::Sign::Minus => format!("VInt((0 - {}))", n.magnitude()),
            Value::Integer(n) => format!("VInt({n})"),
            Value::Text(text) => format!("VText({})", self.text(text)),
            // Only the empty ones are constants.
            Value::Collection(_) => "VColl(bempty)".to_string(),
            Value::Entity(_) => "VEnt(eempty)".to_string(),
        }
    }

    pub(super) fn with<T>(&mut self, variable: VarId, term: String, inner: impl FnOnce(&mut Self) -> T) -> T {
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
            if term.val.len() + term.ok.iter().map(String::len).sum::<usize>() <= LONGEST_TERM {
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
        Term { ok: vec![format!("ok.{name}({arguments})")], val: format!("val.{name}({arguments})") }
    }

    fn term_parts(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Constant(value) => Term { ok: Vec::new(), val: self.constant(value) },
            ExprKind::Var(x) => Term { ok: Vec::new(), val: self.variable(*x) },
            ExprKind::Op(op @ (Op::And | Op::Or), parts) if !self.reading.strict_ops && parts.len() == 2 => {
                let (mut first, second) = (self.term(&parts[0]), self.term(&parts[1]));
                extend(&mut first.ok, [is("Bool", &first.val)]);
                let guard = truth(&first.val);
                let mut then = Vec::new();
                extend(&mut then, second.ok);
                extend(&mut then, [is("Bool", &second.val)]);
                then.retain(|c| !first.ok.contains(c));
                if !then.is_empty() {
                    let guard = if *op == Op::And { guard } else { not(&guard) };
                    first.ok.push(format!("({guard} ==> {})", and(&then)));
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
                extend(&mut first.ok, [is("Bool", &first.val)]);
                let guard = truth(&first.val);
                for (guard, ok) in [(guard.clone(), then.ok), (not(&guard), other.ok)] {
                    let more: Vec<String> = ok.into_iter().filter(|c| !first.ok.contains(c)).collect();
                    if !more.is_empty() {
                        first.ok.push(format!("({guard} ==> {})", and(&more)));
                    }
                }
                Term { ok: first.ok, val: format!("(if {guard} then {} else {})", then.val, other.val) }
            }
            ExprKind::Let(x, value, body) => {
                let Term { mut ok, val } = self.term(value);
                let inner =
                    if simple(&val) { self.with(*x, val, |l| l.term(body)) } else { self.abstracted(*x, val, body) };
                extend(&mut ok, inner.ok);
                Term { ok, val: inner.val }
            }
            ExprKind::Test(value, ty) => {
                let Term { mut ok, val } = self.term(value);
                let wrong = self.wrong_of_term(ty, &val);
                extend(&mut ok, [not(&wrong)]);
                let is_in = self.inside_of_term(ty, &val);
                Term { ok, val: format!("VBool({})", and(&is_in)) }
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
                let made = fields.iter().zip(vals).fold("eempty".to_string(), |made, ((label, _), val)| {
                    format!("upd({made}, {}, {val})", self.label(label))
                });
                Term { ok, val: format!("VEnt({made})") }
            }
            ExprKind::Collection(items) => {
                let Terms { ok, vals } = self.terms(items.iter());
                let made = vals.into_iter().rev().fold("bempty".to_string(), |made, val| format!("add({val}, {made})"));
                Term { ok, val: format!("VColl({made})") }
            }
            ExprKind::Select(base, label) => {
                let Term { mut ok, val } = self.term(base);
                let (label, fields) = (self.label(label), entity(&val));
                extend(&mut ok, [is("Ent", &val), format!("has({fields}, {label})")]);
                Term { ok, val: format!("dot({fields}, {label})") }
            }
            // Not pure: never in a refinement.
            ExprKind::Call(..) => Term { ok: vec!["false".to_string()], val: "null".to_string() },
            ExprKind::Accumulate(accumulate) => self.accumulate_term(accumulate),
            ExprKind::Query(query) => self.query_term(query),
        }
    }

    /// The expression with a variable in it, as functions of that variable.
    fn abstracted(&mut self, x: VarId, val: String, body: &Expr) -> Term {
        let free: Vec<VarId> = free_in_expr(body).into_iter().filter(|v| *v != x).collect();
        let name = self.fresh("let");
        let arguments = self.arguments(&free, &[val]);
        let outer = std::mem::take(&mut self.known);
        let Term { ok, val } = self.term(body);
        let parameters = params(&self.names_of(&free), &[(&self.variable(x), "Value")]);
        self.known = outer;
        self.declare(&format!("function ok.{name}({parameters}): bool {{ {} }}", and(&ok)));
        self.declare(&format!("function val.{name}({parameters}): Value {{ {val} }}"));
        Term { ok: vec![format!("ok.{name}({arguments})")], val: format!("val.{name}({arguments})") }
    }
}

struct Terms {
    ok: Vec<String>,
    vals: Vec<String>,
}

/// Short enough to be repeated, and fit for a trigger: made of applications, without operators.
pub(super) fn simple(term: &str) -> bool {
    const LONGEST: usize = 200;
    term.len() <= LONGEST && !term.contains('!') && !term.replace(", ", ",").contains(' ')
}
