//! Loops as terms (docs/dminor.md, "Loops and queries as terms"), what is known of the members that a query selects, and that the order of
//! an accumulate in a type cannot be seen.
//!
//! The axioms are true whatever the body of the loop: an accumulate goes in the order of a choice function, which is some order, and a
//! query selects with total functions. So they cannot contradict each other, even where an obligation does not hold.

use super::code::{Code, Sort, Val, and, call, extend, not};
use super::terms::{Term, bempty, eempty};
use super::{Logic, Origin, params};
use crate::program::{Accumulate, Expr, ExprKind, Obligation, Op, Query, Type, TypeKind, VarId};
use std::collections::BTreeSet;

/// More about collections, where types contain accumulates.
const CHOICE: &str = "
function choose(b: Bag): Value;
axiom (forall b: Bag :: {choose(b)} b != bempty ==> cnt(b, choose(b)) > 0);
axiom (forall v: Value, b: Bag :: {rem(add(v, b), v)} rem(add(v, b), v) == b);
axiom (forall v: Value, b: Bag, w: Value :: {rem(add(v, b), w)} v != w && cnt(b, w) > 0 ==> rem(add(v, b), w) == add(v, rem(b, w)));
";

impl Logic<'_> {
    pub(super) fn accumulate_term(&mut self, accumulate: &Accumulate) -> Term {
        let (source, initial) = (self.term(&accumulate.source), self.term(&accumulate.initial));
        let name = self.accumulate_functions(accumulate);
        let mut ok = source.ok;
        extend(&mut ok, [source.val.is(Sort::Coll)]);
        extend(&mut ok, initial.ok);
        let arguments =
            self.arguments(&free_in_loop(accumulate), &[source.val.payload(Sort::Coll), initial.val.code()]);
        let whole = Term::of(&name, &arguments);
        ok.extend(whole.ok);
        Term { ok, val: whole.val }
    }

    fn accumulate_functions(&mut self, accumulate: &Accumulate) -> String {
        let key = (Origin::Accumulate, std::ptr::from_ref(accumulate) as usize);
        if let Some(name) = self.made.get(&key) {
            return name.clone();
        }
        if !self.has_choice {
            self.has_choice = true;
            self.declare(CHOICE.trim());
        }
        let name = self.fresh("accumulate");
        self.made.insert(key, name.clone());
        let free = free_in_loop(accumulate);
        let outer = std::mem::take(&mut self.known);
        let given = self.names_of(&free);
        let [x, y] = [accumulate.item, accumulate.accumulator].map(|v| self.names[v.0 as usize].clone());
        let body = self.term(&accumulate.body);
        let step = params(&given, &[(&x, "Value"), (&y, "Value")]);
        let mut kept = Vec::new();
        if let Some(ty) = &accumulate.annotation {
            let wrong = self.wrong(ty, &Val::name(&y));
            extend(&mut kept, [not(&wrong)]);
            extend(&mut kept, self.inside(ty, &Val::name(&y)));
        }
        if let Some((rest, invariant)) = &accumulate.invariant {
            let Term { ok, val } =
                self.with(*rest, Val::Made(Sort::Coll, Code::Plain("b".to_string())), |l| l.term(invariant));
            extend(&mut kept, ok);
            extend(&mut kept, [val.is(Sort::Bool), val.truth()]);
        }
        self.known = outer;
        let fv: String = given.iter().map(|v| format!("{v}, ")).collect();
        let all = params(&given, &[("b", "Bag"), (&y, "Value")]);
        let (more, kept) = (params(&given, &[("v", "Value"), ("b", "Bag"), (&y, "Value")]), and(&kept));
        self.declare(&format!("function ok.step.{name}({step}): bool {{ {} }}", and(&body.ok)));
        self.declare(&format!("function val.step.{name}({step}): Value {{ {} }}", body.val));
        self.declare(&format!("function kept.{name}({all}): bool {{ {kept} }}"));
        self.declare(&format!("function ok.{name}({all}): bool;"));
        self.declare(&format!("function val.{name}({all}): Value;"));
        let start = params(&given, &[(&y, "Value")]);
        self.declare(&format!(
            "axiom (forall {start} :: {{val.{name}({fv}bempty, {y})}} val.{name}({fv}bempty, {y}) == {y});"
        ));
        self.declare(&format!(
            "axiom (forall {start} :: {{ok.{name}({fv}bempty, {y})}} ok.{name}({fv}bempty, {y}) <==> kept.{name}({fv}bempty, {y}));"
        ));
        let (whole, first) = ("add(v, b)", "choose(add(v, b))");
        let next = format!("rem({whole}, {first}), val.step.{name}({fv}{first}, {y})");
        self.declare(&format!(
            "axiom (forall {more} :: {{val.{name}({fv}{whole}, {y})}}\n  \
               val.{name}({fv}{whole}, {y}) == val.{name}({fv}{next}));"
        ));
        self.declare(&format!(
            "axiom (forall {more} :: {{ok.{name}({fv}{whole}, {y})}}\n  ok.{name}({fv}{whole}, {y}) <==> \
             kept.{name}({fv}{whole}, {y}) && ok.step.{name}({fv}{first}, {y}) && ok.{name}({fv}{next}));"
        ));
        name
    }

    pub(super) fn query_term(&mut self, query: &Query) -> Term {
        let source = self.term(&query.source);
        let name = self.query_functions(query);
        let mut ok = source.ok;
        extend(&mut ok, [source.val.is(Sort::Coll)]);
        let arguments = self.arguments(&free_in_query(query), &[source.val.payload(Sort::Coll)]);
        let whole = Term::of(&name, &arguments);
        ok.extend(whole.ok);
        Term { ok, val: Val::Made(Sort::Coll, whole.val.code()) }
    }

    fn query_functions(&mut self, query: &Query) -> String {
        let key = (Origin::Query, std::ptr::from_ref(query) as usize);
        if let Some(name) = self.made.get(&key) {
            return name.clone();
        }
        let name = self.fresh("query");
        self.made.insert(key, name.clone());
        let free = free_in_query(query);
        let outer = std::mem::take(&mut self.known);
        let given = self.names_of(&free);
        let filter = query.filter.as_ref().map(|e| self.term(e));
        let select = self.term(&query.select);
        let x = self.names[query.item.0 as usize].clone();
        self.known = outer;
        let (filter_ok, holds) = match filter {
            Some(Term { mut ok, val }) => {
                extend(&mut ok, [val.is(Sort::Bool)]);
                (ok, val.truth())
            }
            None => (Vec::new(), Code::True),
        };
        let fv: String = given.iter().map(|v| format!("{v}, ")).collect();
        let over = params(&given, &[("b", "Bag")]);
        let item = params(&given, &[(&x, "Value")]);
        let members = params(&given, &[("b", "Bag"), ("v", "Value")]);
        let mut ok = filter_ok;
        if !select.ok.is_empty() {
            ok.push(Code::Other(format!("({holds} ==> {})", and(&select.ok))));
        }
        self.declare(&format!(
            "function ok.{name}({over}): bool {{ (forall {x}: Value :: {{cnt(b, {x})}} cnt(b, {x}) > 0 ==> {}) }}",
            and(&ok)
        ));
        self.declare(&format!("function where.{name}({item}): bool {{ {holds} }}"));
        self.declare(&format!("function select.{name}({item}): Value {{ {} }}", select.val));
        self.declare(&format!("function val.{name}({over}): Bag;"));
        self.declare(&format!("function from.{name}({members}): Value;"));
        let relation = if query.filter.is_some() { "<=" } else { "==" };
        self.declare(&format!(
            "axiom (forall {over} :: {{val.{name}({fv}b)}} card(val.{name}({fv}b)) {relation} card(b));"
        ));
        let (none, more) = (format!("val.{name}({fv}bempty)"), format!("val.{name}({fv}add(v, b))"));
        let closed = given.is_empty();
        let start = if closed { String::new() } else { format!("forall {} :: {{{none}}} ", params(&given, &[])) };
        self.declare(&format!("axiom ({start}{none} == bempty);"));
        self.declare(&format!(
            "axiom (forall {members} :: {{{more}}}\n  {more} == (if where.{name}({fv}v) then \
             add(select.{name}({fv}v), val.{name}({fv}b)) else val.{name}({fv}b)));"
        ));
        let origin = format!("from.{name}({fv}b, v)");
        self.declare(&format!(
            "axiom (forall {members} :: {{cnt(val.{name}({fv}b), v)}} cnt(val.{name}({fv}b), v) > 0 ==>\n  \
             cnt(b, {origin}) > 0 && where.{name}({fv}{origin}) && v == select.{name}({fv}{origin}));"
        ));
        name
    }

    /// Each member of a collection is a result of the query on a member of its source.
    pub(super) fn selected(&mut self, query: &Query, selected: &Val, source: &Val) -> Code {
        let (m, x) = (self.fresh("m"), self.fresh("m"));
        let origin = self.with(query.item, Val::name(&x), |l| {
            let mut all = vec![Code::Other(format!("cnt({}, {x}) > 0", source.payload(Sort::Coll)))];
            if let Some(filter) = &query.filter {
                let holds = l.fresh("p");
                let reached = l.reached(filter, &Val::name(&holds));
                all.push(Code::Other(format!("(exists {holds}: Value :: {reached} && {holds} == VBool(true))")));
            }
            all.push(l.reached(&query.select, &Val::name(&m)));
            and(&all)
        });
        let count = format!("cnt({}, {m})", selected.payload(Sort::Coll));
        Code::Other(format!("(forall {m}: Value :: {{{count}}} {count} > 0 ==> (exists {x}: Value :: {origin}))"))
    }

    /// What is known of a result of the expression, a variable: the strongest that signatures and annotations say.
    fn reached(&mut self, expr: &Expr, out: &Val) -> Code {
        let is = |val: &Val| Code::Other(format!("({out} == {val})"));
        if is_term(expr) {
            let Term { mut ok, val } = self.term(expr);
            ok.push(is(&val));
            return and(&ok);
        }
        match &expr.kind {
            ExprKind::Cond(condition, then, other) => {
                let z = self.fresh("p");
                let guard = self.reached(condition, &Val::name(&z));
                let (then, other) = (self.reached(then, out), self.reached(other, out));
                Code::Other(format!("(exists {z}: Value :: {guard} && (if BoolOf({z}) then {then} else {other}))"))
            }
            ExprKind::Let(x, value, body) => {
                let z = self.fresh("p");
                let first = self.reached(value, &Val::name(&z));
                let second = self.with(*x, Val::name(&z), |l| l.reached(body, out));
                Code::Other(format!("(exists {z}: Value :: {first} && {second})"))
            }
            ExprKind::Ascribe(value, ty) => {
                let mut all = vec![self.reached(value, out)];
                extend(&mut all, self.inside(ty, out));
                and(&all)
            }
            ExprKind::Entity(fields) => self.given(fields.iter().map(|(_, e)| e), |l, parts| {
                let made = fields
                    .iter()
                    .zip(parts)
                    .fold(eempty(), |made, ((label, _), part)| call("upd", &[made, l.label(label), part.code()]));
                is(&Val::Made(Sort::Ent, made))
            }),
            ExprKind::Collection(items) => self.given(items.iter(), |_, parts| {
                let made = parts.iter().rev().fold(bempty(), |made, part| call("add", &[part.code(), made]));
                is(&Val::Made(Sort::Coll, made))
            }),
            ExprKind::Op(Op::And | Op::Or, _) | ExprKind::Test(..) => out.is(Sort::Bool),
            ExprKind::Op(op, parts) => self.given(parts.iter(), |_, parts| is(&super::terms::operate(*op, parts))),
            ExprKind::Select(base, label) => self.given(std::iter::once(&**base), |l, parts| {
                is(&Val::Other(call("dot", &[parts[0].payload(Sort::Ent), l.label(label)])))
            }),
            ExprKind::Call(id, arguments) => {
                let function = self.program.function(*id);
                self.given(arguments.iter(), |l, parts| {
                    let inner = function.parameters.iter().map(|(v, _)| *v).zip(parts.iter().cloned()).collect();
                    let outer = std::mem::replace(&mut l.known, inner);
                    let is_in = l.inside(&function.result, out);
                    l.known = outer;
                    and(&is_in)
                })
            }
            ExprKind::Accumulate(a) => match &a.annotation {
                Some(ty) => {
                    let is_in = self.inside(ty, out);
                    and(&is_in)
                }
                None => Code::True,
            },
            ExprKind::Query(query) => self.given(std::iter::once(&query.source), |l, parts| {
                let members = l.selected(query, out, &parts[0]);
                and(&[out.is(Sort::Coll), members])
            }),
            ExprKind::Constant(_) | ExprKind::Var(_) => out.equal(&self.term(expr).val),
        }
    }

    /// There are results of the parts, such that.
    fn given<'e>(
        &mut self,
        parts: impl Iterator<Item = &'e Expr>,
        then: impl FnOnce(&mut Self, &[Val]) -> Code,
    ) -> Code {
        let (mut names, mut bound, mut facts) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            if is_term(part) {
                let Term { ok, val } = self.term(part);
                if val.is_simple() {
                    extend(&mut facts, ok);
                    names.push(val);
                    continue;
                }
            }
            let z = self.fresh("p");
            facts.push(self.reached(part, &Val::name(&z)));
            bound.push(format!("{z}: Value"));
            names.push(Val::name(&z));
        }
        facts.push(then(self, &names));
        let facts = and(&facts);
        if bound.is_empty() { facts } else { Code::Other(format!("(exists {} :: {facts})", bound.join(", "))) }
    }

    /// A procedure that is correct if the body of an accumulate in a type does the same in either order (docs/dminor.md, "Purity").
    pub(super) fn obligation(&mut self, obligation: &Obligation, k: usize) -> String {
        let Accumulate { item, accumulator, body, .. } = &obligation.accumulate;
        let bound = [*item, *accumulator];
        let free: Vec<VarId> = free_in_expr(body).into_iter().filter(|v| !bound.contains(v)).collect();
        let mut step =
            |x: &str, y: &str| self.with(*item, Val::name(x), |l| l.with(*accumulator, Val::name(y), |l| l.term(body)));
        let firsts = [step("x1", "y"), step("x2", "y")];
        let seconds = [step("x2", "y1"), step("x1", "y2")];
        let parameters = params(&self.names_of(&free), &[("x1", "Value"), ("x2", "Value"), ("y", "Value")]);
        let ok = |k: usize| {
            let mut all = firsts[k].ok.clone();
            extend(&mut all, seconds[k].ok.clone());
            and(&all)
        };
        let steps = ["y1", "y2"].iter().zip(&firsts).chain(["y12", "y21"].iter().zip(&seconds));
        let steps: String = steps.map(|(y, term)| format!("  {y} := {};\n", term.val)).collect();
        format!(
            "procedure order.{k}({parameters})\n{{\n  var y1, y2, y12, y21: Value;\n{steps}  \
             assert {} <==> {};\n  assert {} ==> Eq(y12, y21);\n}}\n",
            ok(0),
            ok(1),
            ok(0)
        )
    }
}

/// Whether it can be written as a term: it calls nothing, and no loop in it depends on an order.
fn is_term(expr: &Expr) -> bool {
    let mut is = !matches!(expr.kind, ExprKind::Call(..) | ExprKind::Accumulate(_));
    expr.each_part(&mut |e| is &= is_term(e));
    is
}

fn free_in_loop(accumulate: &Accumulate) -> Vec<VarId> {
    let mut free = Free::default();
    free.bound.extend([accumulate.item, accumulate.accumulator]);
    free.expr(&accumulate.body);
    if let Some(ty) = &accumulate.annotation {
        free.ty(ty);
    }
    if let Some((rest, invariant)) = &accumulate.invariant {
        free.bound.insert(*rest);
        free.expr(invariant);
    }
    free.found()
}

fn free_in_query(query: &Query) -> Vec<VarId> {
    let mut free = Free::default();
    free.bound.insert(query.item);
    query.filter.iter().chain([&query.select]).for_each(|e| free.expr(e));
    free.found()
}

pub(super) fn free_in_expr(expr: &Expr) -> Vec<VarId> {
    let mut free = Free::default();
    free.expr(expr);
    free.found()
}

pub(super) fn free_in_type(ty: &Type) -> Vec<VarId> {
    let mut free = Free::default();
    free.ty(ty);
    free.found()
}

/// No two binders share a variable, so what is used and not bound is free.
#[derive(Default)]
struct Free {
    used: BTreeSet<VarId>,
    bound: BTreeSet<VarId>,
}

impl Free {
    fn found(self) -> Vec<VarId> {
        self.used.difference(&self.bound).copied().collect()
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(x) => {
                self.used.insert(*x);
            }
            ExprKind::Let(x, ..) => {
                self.bound.insert(*x);
            }
            ExprKind::Accumulate(a) => {
                self.bound.extend([a.item, a.accumulator]);
                self.bound.extend(a.invariant.as_ref().map(|(rest, _)| *rest));
            }
            ExprKind::Query(q) => {
                self.bound.insert(q.item);
            }
            _ => {}
        }
        expr.each_part(&mut |e| self.expr(e));
        expr.each_type(&mut |t| self.ty(t));
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Refinement(x, _, e) => {
                self.bound.insert(*x);
                self.expr(e);
            }
            TypeKind::Singleton(e) => self.expr(e),
            _ => {}
        }
        ty.each_part(&mut |t| self.ty(t));
    }
}
