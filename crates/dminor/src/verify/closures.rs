//! Named types, loops and queries as symbols with axioms (docs/dminor.md, "Recursive types" and "Loops and queries as terms"), and which of
//! them a term can reach.
//!
//! A loop becomes a function of its free variables, its bag and its initial value; equal loops get the same symbol, whatever their
//! variables are called. Each axiom holds of the symbol's meaning, which exists: named types are well guarded, loops in refinements do not
//! depend on the order.

use super::logic::{Env, Logic, Pure};
use super::term::*;
use crate::program::*;
use smt::term::{Op as Operator, Seen, Symbol};
use std::collections::HashMap;

/// Symbols that belong together.
struct Item {
    symbols: Vec<Symbol>,
    /// What holds of them.
    axioms: Vec<Formula>,
    /// What holds too, and is rarely needed: it may keep the solver busy forever.
    further: Vec<Formula>,
}

/// The predicates of a named type.
#[derive(Clone, Copy)]
pub struct Predicates {
    pub is_in: Symbol,
    pub wrong: Symbol,
}

/// A loop or a query by what it does, which does not depend on the names of variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Closure {
    /// How many variables are free, whether a round is defined, what it gives.
    Loop(usize, Formula, Term),
    /// How many variables are free, the filter, what is selected.
    Query(usize, Formula, Term),
}

#[derive(Default)]
pub struct Items {
    all: Vec<Item>,
    by_symbol: HashMap<Symbol, usize>,
    named: HashMap<TypeId, Predicates>,
    /// Of a loop its result, and whether every round is defined; of a query its result, and where members come from.
    closures: HashMap<Closure, [Symbol; 2]>,
}

impl Items {
    fn add(&mut self, symbols: &[Symbol], axioms: Vec<Formula>, further: Vec<Formula>) -> usize {
        self.by_symbol.extend(symbols.iter().map(|symbol| (*symbol, self.all.len())));
        self.all.push(Item { symbols: symbols.to_vec(), axioms, further });
        self.all.len() - 1
    }

    /// Declarations and axioms of all symbols.
    pub fn everything(&self, t: &Terms) -> String {
        self.text(self.all.iter(), true, t)
    }

    fn text<'i>(&self, items: impl Iterator<Item = &'i Item> + Clone, further: bool, t: &Terms) -> String {
        let mut out = String::new();
        items.clone().flat_map(|item| &item.symbols).for_each(|symbol| t.declaration(*symbol, &mut out));
        items.flat_map(|item| item.axioms(further)).for_each(|axiom| t.assert(axiom, &mut out));
        out
    }

    /// Declarations and axioms of every symbol that these terms mention, or that those mention. None if there is nothing further to say.
    pub fn reached(&self, terms: impl Iterator<Item = Term>, further: bool, t: &Terms) -> Option<String> {
        let mut reached = vec![false; self.all.len()];
        let (mut seen, mut symbols, mut axioms) = (Seen::default(), Vec::new(), Vec::new());
        terms.for_each(|term| t.symbols(term, &mut seen, &mut symbols));
        while let Some(symbol) = symbols.pop() {
            if let Some(at) = self.by_symbol.get(&symbol)
                && !std::mem::replace(&mut reached[*at], true)
            {
                axioms.extend(self.all[*at].axioms(further));
                axioms.drain(..).for_each(|axiom| t.symbols(axiom, &mut seen, &mut symbols));
            }
        }
        let items = self.all.iter().zip(reached).filter_map(|(item, is_reached)| is_reached.then_some(item));
        let items: Vec<&Item> = items.collect();
        let has_more = !further || items.iter().any(|item| !item.further.is_empty());
        has_more.then(|| self.text(items.iter().copied(), further, t))
    }
}

impl Item {
    fn axioms(&self, further: bool) -> impl Iterator<Item = Formula> + '_ {
        self.axioms.iter().chain(if further { &self.further[..] } else { &[] }).copied()
    }
}

/// What closures are functions of, and what their axioms speak of.
struct Frame {
    /// The variables that are free.
    free: Vec<VarId>,
    /// What they are in the axioms.
    params: Vec<Term>,
    /// A bag, a member of it, the accumulator, a member of the result.
    b: Term,
    x: Term,
    y: Term,
    v: Term,
}

impl Frame {
    /// The parameters, and more.
    fn and(&self, more: &[Term]) -> Vec<Term> {
        [&self.params, more].concat()
    }
}

impl Logic<'_> {
    /// The predicates of a named type.
    pub(crate) fn define(&mut self, id: TypeId) -> Predicates {
        if let Some(known) = self.items.named.get(&id) {
            return *known;
        }
        let t = self.terms;
        let NamedType { name, definition, .. } = self.program.named(id);
        let [is_in, wrong] =
            ["In", "Wrong"].map(|what| t.declare(&format!("{what}_{name}"), &[t.value], smt::term::Sort::BOOL));
        self.items.named.insert(id, Predicates { is_in, wrong });
        let [at, wrong_at] = [is_in, wrong].map(|symbol| self.items.add(&[symbol], Vec::new(), Vec::new()));
        let depth = std::mem::replace(&mut self.depth, 0);
        let v = t.variable("v", t.value);
        let holds = self.is_in(definition, Val::Any(v), &Env::new());
        let goes_wrong = self.wrong(definition, Val::Any(v), &Env::new());
        self.depth = depth;
        for (at, symbol, meaning) in [(at, is_in, holds), (wrong_at, wrong, goes_wrong)] {
            let head = t.apply(symbol, &[v]);
            self.items.all[at].axioms = vec![t.forall(&[v], &[head], t.op(Operator::Equal, &[head, meaning]))];
        }
        Predicates { is_in, wrong }
    }

    /// The free variables of expressions, but for those bound there, in order of occurrence, with parameters for them.
    fn frame(&self, parts: &[&Expr], bound: &[VarId]) -> (Frame, Env) {
        let t = self.terms;
        let mut free = Vec::new();
        parts.iter().for_each(|e| free_variables(e, &mut bound.to_vec(), &mut free));
        let params: Vec<Term> = (0..free.len()).map(|k| t.variable(&format!("p{k}"), t.value)).collect();
        // The sort that is known here may not be known elsewhere: the symbol is one for all.
        let env = free.iter().copied().zip(params.iter().map(|p| Val::Any(*p))).collect();
        let [x, y, v] = ["x", "y", "v"].map(|name| t.variable(name, t.value));
        (Frame { free, params, b: t.variable("b", t.bag), x, y, v }, env)
    }

    /// What the free variables are here, and more.
    pub(super) fn arguments(&self, free: &[VarId], env: &Env, more: &[Term]) -> Vec<Term> {
        let known = free.iter().map(|v| env.get(v).map_or(self.terms.null, |val| val.term(self.terms)));
        known.chain(more.iter().copied()).collect()
    }

    /// An accumulate in a refinement as a term.
    pub(crate) fn accumulated(&mut self, accumulate: &Accumulate, env: &Env) -> Pure {
        let t = self.terms;
        let source = self.result(&accumulate.source, env);
        let initial = self.result(&accumulate.initial, env);
        let ([symbol, fine], free) = self.loop_symbols(accumulate);
        let args = self.arguments(&free, env, &[source.val.payload(Sort::Coll, t), initial.val.term(t)]);
        let ok = t.and([source.ok, source.val.is(Sort::Coll, t), initial.ok, t.apply(fine, &args)]);
        Pure { ok, val: Val::Any(t.apply(symbol, &args)) }
    }

    /// Whether a refinement has the same loop.
    pub(crate) fn knows_loop(&mut self, accumulate: &Accumulate) -> bool {
        let (closure, ..) = self.round(accumulate);
        self.items.closures.contains_key(&closure)
    }

    /// What a round of a loop does.
    fn round(&mut self, accumulate: &Accumulate) -> (Closure, Frame, Pure) {
        let (frame, mut env) = self.frame(&[&accumulate.body], &[accumulate.item, accumulate.accumulator]);
        env.insert(accumulate.item, Val::Any(frame.x));
        env.insert(accumulate.accumulator, Val::Any(frame.y));
        let depth = std::mem::replace(&mut self.depth, 0);
        let body = self.result(&accumulate.body, &env);
        self.depth = depth;
        (Closure::Loop(frame.free.len(), body.ok, body.val.term(self.terms)), frame, body)
    }

    /// The symbols of a loop, and the variables they are functions of.
    pub(crate) fn loop_symbols(&mut self, accumulate: &Accumulate) -> ([Symbol; 2], Vec<VarId>) {
        let t = self.terms;
        let (closure, frame, body) = self.round(accumulate);
        if let Some(symbols) = self.items.closures.get(&closure) {
            return (*symbols, frame.free);
        }
        let name = format!("acc_{}", self.items.closures.len());
        let sorts = [&vec![t.value; frame.free.len()][..], &[t.bag, t.value]].concat();
        let symbol = t.declare(&name, &sorts, t.value);
        let fine = t.declare(&format!("fine_{name}"), &sorts, smt::term::Sort::BOOL);
        self.items.closures.insert(closure, [symbol, fine]);
        let Frame { b, x, y, .. } = frame;
        let call = |symbol, bag, initial| t.apply(symbol, &frame.and(&[bag, initial]));
        let forall = |own: &[Term], pattern, f| t.forall(&frame.and(own), &[pattern], f);
        let equal = |a, b| t.op(Operator::Equal, &[a, b]);
        let next = body.val.term(t);
        let (empty, added) = (call(symbol, t.bempty, y), call(symbol, t.add(x, b), y));
        let mut axioms =
            vec![forall(&[y], empty, equal(empty, y)), forall(&[x, b, y], added, equal(added, call(symbol, b, next)))];
        if let Some(sort) = body.val.sort() {
            // The body gives this sort whatever it is given.
            let whole = call(symbol, b, y);
            let kept = t.implies(Val::Any(y).is(sort, t), Val::Any(whole).is(sort, t));
            axioms.push(forall(&[b, y], whole, kept));
        }
        self.items.add(&[symbol], axioms, Vec::new());
        let (empty, added) = (call(fine, t.bempty, y), call(fine, t.add(x, b), y));
        let mut axioms = vec![
            forall(&[y], empty, empty),
            forall(&[x, b, y], added, equal(added, t.and([body.ok, call(fine, b, next)]))),
        ];
        if let Some((needs_item, needs_kept)) = invariant_sorts(&body, x, y, t) {
            // Every round is fine if members and accumulator are of the sorts that the body asks for.
            let whole = call(fine, b, y);
            let members = t.all_members(b, x, needs_item);
            axioms.push(forall(&[b, y], whole, t.implies(t.and([needs_kept, members]), whole)));
        }
        self.items.add(&[fine], axioms, Vec::new());
        ([symbol, fine], frame.free)
    }

    /// A query as a term.
    pub(crate) fn queried(&mut self, query: &Query, env: &Env) -> Pure {
        let t = self.terms;
        let source = self.result(&query.source, env);
        let bag = source.val.payload(Sort::Coll, t);
        let members_ok = self.all_members(bag, |logic, member| {
            let mut inner = env.clone();
            inner.insert(query.item, member);
            let select = logic.result(&query.select, &inner);
            match &query.filter {
                None => select.ok,
                Some(filter) => {
                    let filter = logic.result(filter, &inner);
                    t.and([filter.ok, filter.val.is(Sort::Bool, t), t.implies(filter.val.truth(t), select.ok)])
                }
            }
        });
        let ok = t.and([source.ok, source.val.is(Sort::Coll, t), members_ok]);
        Pure { ok, val: Val::Coll(self.query_term(query, env, bag)) }
    }

    /// What a query gives of a bag.
    pub(crate) fn query_term(&mut self, query: &Query, env: &Env, bag: Term) -> Term {
        let (symbol, free) = self.query_symbol(query);
        self.terms.apply(symbol, &self.arguments(&free, env, &[bag]))
    }

    fn query_symbol(&mut self, query: &Query) -> (Symbol, Vec<VarId>) {
        let t = self.terms;
        let parts: Vec<&Expr> = query.filter.iter().chain([&query.select]).collect();
        let (frame, mut env) = self.frame(&parts, &[query.item]);
        env.insert(query.item, Val::Any(frame.x));
        let depth = std::mem::replace(&mut self.depth, 0);
        let filter = query.filter.as_ref().map_or(Term::TRUE, |f| self.result(f, &env).val.truth(t));
        let select = self.result(&query.select, &env).val.term(t);
        self.depth = depth;
        let closure = Closure::Query(frame.free.len(), filter, select);
        if let Some([symbol, _]) = self.items.closures.get(&closure) {
            return (*symbol, frame.free);
        }
        let name = format!("query_{}", self.items.closures.len());
        let sorts = |more: &[smt::term::Sort]| [&vec![t.value; frame.free.len()][..], more].concat();
        let symbol = t.declare(&name, &sorts(&[t.bag]), t.bag);
        let source = t.declare(&format!("source_{name}"), &sorts(&[t.bag, t.value]), t.value);
        self.items.closures.insert(closure, [symbol, source]);
        let Frame { b, x, v, .. } = frame;
        let whole = |bag| t.apply(symbol, &frame.and(&[bag]));
        let forall = |own: &[Term], pattern: &[Term], f| t.forall(&frame.and(own), pattern, f);
        let equal = |a, b| t.op(Operator::Equal, &[a, b]);
        let at_most = |a, b| t.op(Operator::AtMost, &[a, b]);
        let q = whole(b);
        // Each member comes from a member.
        let origin = t.and([t.mem(x, b), filter, t.eq(v, select)]);
        let from = t.apply(source, &frame.and(&[b, v]));
        let origin = t.implies(t.mem(v, q), t.let_in(x, from, origin));
        let (size, most) = (t.card(q), t.card(b));
        let sizes = match filter {
            Term::TRUE => equal(size, most),
            _ => t.and([at_most(size, most), t.op(Operator::AtLeast, &[size, t.number(0)])]),
        };
        let (added, none) = (whole(t.add(x, b)), whole(t.bempty));
        let mut axioms = vec![
            forall(&[b, v], &[t.count(q, v)], origin),
            forall(&[b], &[q], sizes),
            forall(&[b, x], &[added], equal(added, t.ite(filter, t.add(select, q), q))),
            forall(&[], &[none], equal(none, t.bempty)),
        ];
        let target = t.implies(t.and([t.mem(x, b), filter]), t.mem(select, q));
        let further = vec![forall(&[b, x], &[q, t.count(b, x)], target)];
        if select == x {
            let counts = equal(t.count(q, x), t.ite(filter, t.count(b, x), t.number(0)));
            axioms.push(forall(&[b, x], &[t.count(q, x)], counts));
        }
        self.items.add(&[symbol, source], axioms, further);
        (symbol, frame.free)
    }
}

/// If a body asks only for sorts, of the member and of the accumulator, and gives the accumulator's again: both.
fn invariant_sorts(body: &Pure, item: Term, accumulator: Term, t: &Terms) -> Option<(Formula, Formula)> {
    let sort = body.val.sort()?;
    let kept = Val::Any(accumulator).is(sort, t);
    let mut of_item = Vec::new();
    for conjunct in t.conjuncts(body.ok) {
        match (t.occurs(item, conjunct), t.occurs(accumulator, conjunct)) {
            (true, false) => of_item.push(conjunct),
            _ if conjunct == Term::TRUE || conjunct == kept => {}
            _ => return None,
        }
    }
    Some((t.and(of_item), kept))
}

/// The variables of an expression that are bound outside of it.
pub fn free_variables(expr: &Expr, bound: &mut Vec<VarId>, out: &mut Vec<VarId>) {
    let before = bound.len();
    match &expr.kind {
        ExprKind::Var(id) if !bound.contains(id) && !out.contains(id) => out.push(*id),
        ExprKind::Let(id, ..) => bound.push(*id),
        ExprKind::Accumulate(a) => {
            bound.extend([a.item, a.accumulator]);
            bound.extend(a.invariant.iter().map(|(rest, _)| *rest));
        }
        ExprKind::Query(q) => bound.push(q.item),
        _ => {}
    }
    // Variables are unique in a program, so a binder in one part shadows nothing in another.
    expr.each_part(&mut |part| free_variables(part, bound, out));
    expr.each_type(&mut |ty| free_of_type(ty, bound, out));
    bound.truncate(before);
}

pub fn free_of_type(ty: &Type, bound: &mut Vec<VarId>, out: &mut Vec<VarId>) {
    let before = bound.len();
    match &ty.kind {
        TypeKind::Refinement(id, _, condition) => {
            bound.push(*id);
            free_variables(condition, bound, out);
        }
        TypeKind::Singleton(only) => free_variables(only, bound, out),
        _ => {}
    }
    ty.each_part(&mut |part| free_of_type(part, bound, out));
    bound.truncate(before);
}
