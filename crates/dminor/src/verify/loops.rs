//! Queries and accumulates in bodies (DMINOR.md, 7.3 and 8.4): one round stands for all. A loop is left with what is kept by a round, a query
//! with where its members come from.

use super::invariants::Guess;
use super::logic::{Env, Pure};
use super::term::*;
use super::walk::{Kind, Walker};
use crate::program::*;

/// A loop whose invariant is sought.
pub(super) struct Keep<'a> {
    pub accumulate: &'a Accumulate,
    pub env: &'a Env,
    pub bag: String,
    pub initial: Val,
}

impl Walker<'_, '_> {
    pub(super) fn source(&mut self, source: &Expr, env: &Env) -> String {
        let val = self.walk(source, env);
        self.assert(Kind::Collection, source.span, val.is(Sort::Coll));
        let val = Val::Coll(val.payload(Sort::Coll));
        self.named(val, "members").payload(Sort::Coll)
    }

    pub(super) fn query(&mut self, query: &Query, env: &Env) -> Val {
        let bag = self.source(&query.source, env);
        let (before, declared, depth) = (self.facts.len(), self.constants, self.path.len());
        let item = self.any(&self.logic.program.variable(query.item).name.clone());
        self.know(mem(&item.term(), &bag));
        let mut inner = env.clone();
        inner.insert(query.item, item.clone());
        let mut filter_truth = "true".to_string();
        if let Some(filter) = &query.filter {
            let val = self.walk(filter, &inner);
            self.assert(Kind::Condition, filter.span, val.is(Sort::Bool));
            filter_truth = val.truth();
            self.know(filter_truth.clone());
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
            let (symbol, free) = self.logic.query_symbol(query);
            let mut args: Vec<String> =
                free.iter().map(|v| env.get(v).map_or("VNull".to_string(), Val::term)).collect();
            args.push(bag);
            return Val::Coll(app(&symbol, &args));
        }
        // Each member of the result comes from a member, with everything that is known of its making.
        let known: Vec<Formula> = self.facts.split_off(before);
        let result = self.fresh("selected", "Bag");
        let member = self.name("member");
        // What an inner query says of its members would need functions of both members.
        let known = known.into_iter().filter(|fact| !fact.contains("(of_c"));
        let made = and(known.chain([eq(&member, &selected.term())]));
        let mut declarations = String::new();
        let made = self.per_member(&made, declared, &member, &mut declarations);
        self.declarations.push_str(&declarations);
        self.know(format!(
            "(forall (({member} Value)) (! (=> {} {made}) :pattern ((select (arr {result}) {member}))))",
            mem(&member, &result)
        ));
        let compare = if is_true(&filter_truth) { "=" } else { "<=" };
        self.know(format!("({compare} (card {result}) (card {bag}))"));
        Val::Coll(result)
    }

    /// Constants that were made after a point become functions of the member.
    fn per_member(&mut self, text: &str, since: usize, member: &str, declarations: &mut String) -> String {
        let mut out = String::new();
        let mut rest = text;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        while !rest.is_empty() {
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            if end == 0 {
                // Texts in quotes are left alone.
                let len = match rest.strip_prefix('"').and_then(|r| r.find('"')) {
                    Some(at) => at + 2,
                    None => rest.chars().next().map_or(1, char::len_utf8),
                };
                out.push_str(&rest[..len]);
                rest = &rest[len..];
                continue;
            }
            let word = &rest[..end];
            let number =
                word.strip_prefix('c').and_then(|w| w.split_once('_')).and_then(|(n, _)| n.parse::<usize>().ok());
            match number {
                Some(n) if n > since && word != member => {
                    let of = format!("of_{word}");
                    let declared = format!("(declare-const {word} ");
                    let sort = self.declarations.split(&declared).nth(1).and_then(|t| t.split(")\n").next());
                    let line = format!("(declare-fun {of} (Value) {})\n", sort.unwrap_or("Value"));
                    if !declarations.contains(&line) {
                        declarations.push_str(&line);
                    }
                    out.push_str(&format!("({of} {member})"));
                }
                _ => out.push_str(word),
            }
            rest = &rest[end..];
        }
        out
    }

    pub(super) fn accumulate(&mut self, accumulate: &Accumulate, env: &Env) -> Val {
        if let Some(ty) = &accumulate.annotation {
            self.well_formed(ty, env);
        }
        let bag = self.source(&accumulate.source, env);
        let initial = self.walk(&accumulate.initial, env);
        let initial = self.named(initial, "initial");
        let keep = Keep { accumulate, env, bag: bag.clone(), initial: initial.clone() };
        self.stated(&keep, &initial, &bag, [Kind::AccumulatorInitial, Kind::InvariantInitial]);
        let guesses = if self.guesses { self.invariants(&keep) } else { Vec::new() };
        // One round, with the stated invariant and the guesses.
        let before = self.facts.len();
        let (result, rest) = self.round(&keep, &guesses);
        self.stated(&keep, &result, &rest, [Kind::Accumulator, Kind::Invariant]);
        self.facts.truncate(before);
        let out = self.any(&self.logic.program.variable(accumulate.accumulator).name.clone());
        let out = accumulate.annotation.as_ref().map_or(out.clone(), |ty| self.sorted(ty, out));
        let known = self.kept(&keep, &out, "bempty", &guesses);
        self.know(known);
        self.as_term(accumulate, env, &bag, &initial, &out);
        out
    }

    /// A loop whose order does not matter is what a refinement says of the same loop.
    fn as_term(&mut self, accumulate: &Accumulate, env: &Env, bag: &str, initial: &Val, out: &Val) {
        if accumulate.body.has(&|kind| matches!(kind, ExprKind::Call(..))) || !self.logic.knows_loop(accumulate) {
            return;
        }
        let goal = self.order_independence(accumulate);
        let before = std::mem::take(&mut self.facts);
        let proof = self.follows(Kind::Order, accumulate.body.span, &goal);
        self.facts = before;
        if let Some(proof) = proof {
            self.relied.push(proof);
            let (symbol, free) = self.logic.loop_symbol(accumulate);
            let mut args: Vec<String> =
                free.iter().map(|v| env.get(v).map_or("VNull".to_string(), Val::term)).collect();
            args.extend([bag.to_string(), initial.term()]);
            self.know(eq(&out.term(), &app(&symbol, &args)));
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
        let mut twice = |first: &Val, second: &Val| {
            let mut inner = env.clone();
            inner.insert(accumulate.item, first.clone());
            inner.insert(accumulate.accumulator, y.clone());
            let Pure { val, .. } = self.logic.result(&accumulate.body, &inner);
            inner.insert(accumulate.item, second.clone());
            inner.insert(accumulate.accumulator, val);
            self.logic.result(&accumulate.body, &inner).val
        };
        let (a, b) = (twice(&x1, &x2), twice(&x2, &x1));
        a.equals(&b)
    }

    /// What the user says of an accumulator and the members to come, as conditions.
    fn stated(&mut self, keep: &Keep, current: &Val, rest: &str, [of_type, of_invariant]: [Kind; 2]) {
        if let Some(ty) = &keep.accumulate.annotation {
            let goal = self.logic.is_in(ty, current, keep.env);
            let span =
                if of_type == Kind::Accumulator { keep.accumulate.body.span } else { keep.accumulate.initial.span };
            self.assert(of_type, span, goal);
        }
        if let Some((rest_variable, invariant)) = &keep.accumulate.invariant {
            let mut inner = keep.env.clone();
            inner.insert(keep.accumulate.accumulator, current.clone());
            inner.insert(*rest_variable, Val::Coll(rest.to_string()));
            let val = self.walk(invariant, &inner);
            self.assert(of_invariant, invariant.span, val.truth());
        }
    }

    /// One round of a loop, of which only the invariants are known: what comes out, and what is left.
    pub(super) fn round(&mut self, keep: &Keep, guesses: &[Guess]) -> (Val, String) {
        let accumulate = keep.accumulate;
        let program = self.logic.program;
        let item = self.any(&program.variable(accumulate.item).name.clone());
        let current = self.any(&program.variable(accumulate.accumulator).name.clone());
        let current = accumulate.annotation.as_ref().map_or(current.clone(), |ty| self.sorted(ty, current));
        let rest = self.fresh("rest", "Bag");
        let bag = &keep.bag;
        self.know(mem(&item.term(), &rest));
        self.know(mem(&item.term(), bag));
        self.know(format!("(<= (card {rest}) (card {bag}))"));
        self.know(format!(
            "(forall ((v Value)) (! (<= (select (arr {rest}) v) (select (arr {bag}) v)) :pattern ((select (arr {rest}) v))))"
        ));
        let known = self.kept(keep, &current, &rest, guesses);
        self.know(known);
        let mut inner = keep.env.clone();
        inner.insert(accumulate.item, item.clone());
        inner.insert(accumulate.accumulator, current);
        let result = self.walk(&accumulate.body, &inner);
        let result = self.named(result, "next");
        let left = Val::Coll(format!("(rem {rest} {})", item.term()));
        let left = self.named(left, "left").payload(Sort::Coll);
        (result, left)
    }

    /// Everything that is kept by a loop, of an accumulator and the members to come.
    pub(super) fn kept(&mut self, keep: &Keep, current: &Val, rest: &str, guesses: &[Guess]) -> Formula {
        let mut all = Vec::new();
        if let Some(ty) = &keep.accumulate.annotation {
            all.push(self.logic.is_in(ty, current, keep.env));
        }
        if let Some((rest_variable, invariant)) = &keep.accumulate.invariant {
            let mut inner = keep.env.clone();
            inner.insert(keep.accumulate.accumulator, current.clone());
            inner.insert(*rest_variable, Val::Coll(rest.to_string()));
            let Pure { ok, val } = self.logic.result(invariant, &inner);
            all.extend([ok, val.truth()]);
        }
        for guess in guesses {
            all.push(self.guessed(guess, keep, current, rest));
        }
        and(all)
    }
}
