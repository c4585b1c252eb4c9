//! Queries and accumulates in bodies (docs/dminor.md, "Conditions" and "Loops and queries as terms"): one round is looked at for all. A loop is
//! left with what is kept by a round, a query with where its members come from.

use super::condition::Kind;
use super::guess::{Guess, Keep};
use super::logic::{Env, Pure};
use super::term::*;
use super::walk::Walker;
use crate::program::*;
use smt::term::{Op as Operator, Seen, Symbol};
use std::collections::HashMap;

impl Walker<'_, '_> {
    pub(super) fn source(&mut self, source: &Expr, env: &Env) -> Term {
        let t = self.logic.terms;
        let val = self.walk(source, env);
        self.assert(Kind::Collection, source.span, val.is(Sort::Coll, t));
        self.named(Val::Coll(val.payload(Sort::Coll, t)), "members").bare(t)
    }

    pub(super) fn query(&mut self, query: &Query, env: &Env) -> Val {
        let t = self.logic.terms;
        let bag = self.source(&query.source, env);
        let (before, declared, depth) = (self.facts.len(), self.logic.declared.len(), self.path.len());
        let item = self.any(&self.logic.program.variable(query.item).name.clone());
        self.know(t.mem(item.term(t), bag));
        let mut inner = env.clone();
        inner.insert(query.item, item);
        let mut filter_truth = Term::TRUE;
        if let Some(filter) = &query.filter {
            let val = self.walk(filter, &inner);
            self.assert(Kind::Condition, filter.span, val.is(Sort::Bool, t));
            filter_truth = val.truth(t);
            self.know(filter_truth);
            self.path.push((filter.span, true));
        }
        let selected = self.walk(&query.select, &inner);
        self.path.truncate(depth);
        let parts: Vec<&Expr> = query.filter.iter().chain([&query.select]).collect();
        // A call has no term, and a loop may depend on the order of members.
        let is_pure =
            !parts.iter().any(|e| e.has(&|kind| matches!(kind, ExprKind::Call(..) | ExprKind::Accumulate(_))));
        if is_pure {
            self.facts.truncate(before);
            return Val::Coll(self.logic.query_term(query, env, bag));
        }
        // Each member of the result comes from a member, with everything that is known of its making.
        let known: Vec<Formula> = self.facts.split_off(before);
        let result = self.fresh("selected", t.bag);
        let member = t.variable(&self.name("member"), t.value);
        // What an inner query says of its members would need functions of both members.
        let known = known.into_iter().filter(|fact| !self.is_per_member(*fact));
        let made = t.and(known.collect::<Vec<_>>().into_iter().chain([t.eq(member, selected.term(t))]));
        let made = self.as_functions(made, declared, member);
        self.know(t.all_members(result, member, made));
        let compare = if filter_truth == Term::TRUE { Operator::Equal } else { Operator::AtMost };
        self.know(t.op(compare, &[t.card(result), t.card(bag)]));
        Val::Coll(result)
    }

    fn is_per_member(&self, fact: Formula) -> bool {
        let mut symbols = Vec::new();
        self.logic.terms.symbols(fact, &mut Seen::default(), &mut symbols);
        symbols.iter().any(|symbol| self.per_member.contains(symbol))
    }

    /// Constants that were made after a point become functions of the member.
    fn as_functions(&mut self, made: Formula, since: usize, member: Term) -> Formula {
        let t = self.logic.terms;
        let mut symbols = Vec::new();
        t.symbols(made, &mut Seen::default(), &mut symbols);
        let mut functions: HashMap<Symbol, Term> = HashMap::new();
        for symbol in symbols {
            if functions.contains_key(&symbol) || !self.logic.declared[since..].contains(&symbol) {
                continue;
            }
            let function = t.declare(&format!("of_{}", t.name(symbol)), &[t.value], t.result(symbol));
            self.logic.declared.push(function);
            self.per_member.push(function);
            functions.insert(symbol, t.apply(function, &[member]));
        }
        t.replace(made, &functions)
    }

    pub(super) fn accumulate(&mut self, accumulate: &Accumulate, env: &Env) -> Val {
        if let Some(ty) = &accumulate.annotation {
            self.well_formed(ty, env);
        }
        let bag = self.source(&accumulate.source, env);
        let initial = self.walk(&accumulate.initial, env);
        let initial = self.named(initial, "initial");
        let keep = Keep { accumulate, env, bag, initial };
        self.stated(&keep, initial, bag, [Kind::AccumulatorInitial, Kind::InvariantInitial]);
        let guesses = if self.guesses { self.invariants(&keep) } else { Vec::new() };
        // One round, with the stated invariant and the guesses.
        let before = self.facts.len();
        let (result, rest) = self.round(&keep, &guesses);
        self.stated(&keep, result, rest, [Kind::Accumulator, Kind::Invariant]);
        self.facts.truncate(before);
        let out = self.any(&self.logic.program.variable(accumulate.accumulator).name.clone());
        let out = accumulate.annotation.as_ref().map_or(out, |ty| self.sorted(ty, out));
        let known = self.kept(&keep, out, self.logic.terms.bempty, &guesses);
        self.know(known);
        self.as_term(&keep, out);
        out
    }

    /// A loop whose order does not matter is what a refinement says of the same loop.
    fn as_term(&mut self, keep: &Keep, out: Val) {
        let (t, accumulate) = (self.logic.terms, keep.accumulate);
        if accumulate.body.has(&|kind| matches!(kind, ExprKind::Call(..))) || !self.logic.knows_loop(accumulate) {
            return;
        }
        let goal = self.order_independence(accumulate);
        let before = std::mem::take(&mut self.facts);
        let proof = self.follows(Kind::Order, accumulate.body.span, goal);
        self.facts = before;
        if let Some(proof) = proof {
            self.relied.push(proof);
            let ([symbol, _], free) = self.logic.loop_symbols(accumulate);
            let args = self.logic.arguments(&free, keep.env, &[keep.bag, keep.initial.term(t)]);
            self.know(t.eq(out.term(t), t.apply(symbol, &args)));
        }
    }

    /// Two members may be taken in either order.
    pub fn order_independence(&mut self, accumulate: &Accumulate) -> Formula {
        let mut free = Vec::new();
        let mut bound = vec![accumulate.item, accumulate.accumulator];
        super::closures::free_variables(&accumulate.body, &mut bound, &mut free);
        let mut env = Env::new();
        for variable in free {
            let val = self.any("free");
            env.insert(variable, val);
        }
        let (x1, x2, y) = (self.any("first"), self.any("second"), self.any("accumulator"));
        let mut twice = |first: Val, second: Val| {
            let mut inner = env.clone();
            inner.insert(accumulate.item, first);
            inner.insert(accumulate.accumulator, y);
            let Pure { val, .. } = self.logic.result(&accumulate.body, &inner);
            inner.insert(accumulate.item, second);
            inner.insert(accumulate.accumulator, val);
            self.logic.result(&accumulate.body, &inner).val
        };
        let (a, b) = (twice(x1, x2), twice(x2, x1));
        a.equals(b, self.logic.terms)
    }

    /// What the user says of an accumulator and the members to come, as conditions.
    fn stated(&mut self, keep: &Keep, current: Val, rest: Term, [of_type, of_invariant]: [Kind; 2]) {
        if let Some(ty) = &keep.accumulate.annotation {
            let goal = self.logic.is_in(ty, current, keep.env);
            let span =
                if of_type == Kind::Accumulator { keep.accumulate.body.span } else { keep.accumulate.initial.span };
            self.assert(of_type, span, goal);
        }
        if let Some((rest_variable, invariant)) = &keep.accumulate.invariant {
            let mut inner = keep.env.clone();
            inner.insert(keep.accumulate.accumulator, current);
            inner.insert(*rest_variable, Val::Coll(rest));
            let val = self.walk(invariant, &inner);
            self.assert(of_invariant, invariant.span, val.truth(self.logic.terms));
        }
    }

    /// One round of a loop, of which only the invariants are known: what comes out, and what is left.
    pub(super) fn round(&mut self, keep: &Keep, guesses: &[Guess]) -> (Val, Term) {
        let t = self.logic.terms;
        let accumulate = keep.accumulate;
        let program = self.logic.program;
        let item = self.any(&program.variable(accumulate.item).name.clone());
        let current = self.any(&program.variable(accumulate.accumulator).name.clone());
        let current = accumulate.annotation.as_ref().map_or(current, |ty| self.sorted(ty, current));
        let rest = self.fresh("rest", t.bag);
        let bag = keep.bag;
        self.know(t.mem(item.term(t), rest));
        self.know(t.mem(item.term(t), bag));
        let at_most = |a, b| t.op(Operator::AtMost, &[a, b]);
        self.know(at_most(t.card(rest), t.card(bag)));
        let v = t.variable("v", t.value);
        self.know(t.forall(&[v], &[t.count(rest, v)], at_most(t.count(rest, v), t.count(bag, v))));
        let known = self.kept(keep, current, rest, guesses);
        self.know(known);
        let mut inner = keep.env.clone();
        inner.insert(accumulate.item, item);
        inner.insert(accumulate.accumulator, current);
        let result = self.walk(&accumulate.body, &inner);
        let result = self.named(result, "next");
        let left = self.named(Val::Coll(t.rem(rest, item.term(t))), "left");
        (result, left.bare(t))
    }

    /// Everything that is kept by a loop, of an accumulator and the members to come.
    pub(super) fn kept(&mut self, keep: &Keep, current: Val, rest: Term, guesses: &[Guess]) -> Formula {
        let mut all = Vec::new();
        if let Some(ty) = &keep.accumulate.annotation {
            all.push(self.logic.is_in(ty, current, keep.env));
        }
        if let Some((rest_variable, invariant)) = &keep.accumulate.invariant {
            let mut inner = keep.env.clone();
            inner.insert(keep.accumulate.accumulator, current);
            inner.insert(*rest_variable, Val::Coll(rest));
            let Pure { ok, val } = self.logic.result(invariant, &inner);
            all.extend([ok, val.truth(self.logic.terms)]);
        }
        for guess in guesses {
            all.push(self.guessed(guess, keep, current, rest));
        }
        self.logic.terms.and(all)
    }
}
