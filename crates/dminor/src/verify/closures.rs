//! Named types, loops and queries as symbols with axioms (DMINOR.md, 6.5, 8.3 and 8.4), and which of them a text can reach.
//!
//! A loop becomes a function of its free variables, its bag and its initial value; equal loops get the same symbol, whatever their variables
//! are called. Each axiom holds of the symbol's meaning, which exists: named types are well guarded, loops in refinements do not
//! depend on the order.

use super::logic::{Env, Logic, Pure, in_name, wrong_name};
use super::term::*;
use crate::program::*;
use std::collections::HashMap;

/// A symbol.
#[derive(Clone, Debug)]
struct Item {
    name: String,
    /// Its declaration.
    declaration: String,
    /// What holds of it, in its own words.
    axioms: Vec<String>,
    /// What holds too, and is rarely needed: it may keep the solver busy forever.
    further: Vec<String>,
}

#[derive(Clone, Default, Debug)]
pub struct Items {
    all: Vec<Item>,
    by_name: HashMap<String, usize>,
    /// Loops and queries by their text.
    by_text: HashMap<String, String>,
}

impl Items {
    fn add(&mut self, item: Item) -> usize {
        self.by_name.insert(item.name.clone(), self.all.len());
        self.all.push(item);
        self.all.len() - 1
    }

    /// Whether there is more to be said of a symbol than is said at first.
    pub fn has_further(&self) -> bool {
        self.all.iter().any(|item| !item.further.is_empty())
    }

    /// Declarations and axioms of all symbols.
    pub fn everything(&self) -> String {
        let mut out: String = self.all.iter().map(|item| item.declaration.as_str()).collect();
        let axioms = self.all.iter().flat_map(|item| item.axioms.iter().chain(&item.further));
        axioms.for_each(|axiom| out.push_str(&format!("(assert {axiom})\n")));
        out
    }

    /// Declarations and axioms of every symbol that the texts mention, or that those mention.
    pub fn reached<'t>(&self, texts: impl Iterator<Item = &'t str>, further: bool) -> String {
        let mut reached = vec![false; self.all.len()];
        let mut stack = Vec::new();
        let mut look = |text: &str, stack: &mut Vec<usize>| {
            for token in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
                if let Some(at) = self.by_name.get(token)
                    && !std::mem::replace(&mut reached[*at], true)
                {
                    stack.push(*at);
                }
            }
        };
        texts.for_each(|text| look(text, &mut stack));
        let axioms = |item: &Item| {
            let more: &[String] = if further { &item.further } else { &[] };
            item.axioms.iter().chain(more).cloned().collect::<Vec<_>>()
        };
        while let Some(at) = stack.pop() {
            axioms(&self.all[at]).iter().for_each(|axiom| look(axiom, &mut stack));
        }
        let mut out = String::new();
        let chosen = || self.all.iter().zip(&reached).filter(|(_, r)| **r).map(|(item, _)| item);
        chosen().for_each(|item| out.push_str(&item.declaration));
        chosen().flat_map(axioms).for_each(|axiom| out.push_str(&format!("(assert {axiom})\n")));
        out
    }
}

/// `(forall (vars) (! f :pattern (p)))`, or `f` alone.
fn forall(variables: &[(String, &str)], pattern: &str, f: &str) -> String {
    if variables.is_empty() {
        return f.to_string();
    }
    let variables: Vec<String> = variables.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
    format!("(forall ({}) (! {f} :pattern ({pattern})))", variables.join(" "))
}

impl Logic<'_> {
    /// Makes the predicates of a named type known.
    pub(crate) fn define(&mut self, id: TypeId) {
        let (name, wrong) = (in_name(self.program, id), wrong_name(self.program, id));
        if self.items.by_name.contains_key(&name) {
            return;
        }
        let declaration = format!("(declare-fun {name} (Value) Bool)\n");
        let at = self.items.add(Item { name: name.clone(), declaration, axioms: Vec::new(), further: Vec::new() });
        let declaration = format!("(declare-fun {wrong} (Value) Bool)\n");
        let wrong_at =
            self.items.add(Item { name: wrong.clone(), declaration, axioms: Vec::new(), further: Vec::new() });
        let program = self.program;
        let definition = &program.named(id).definition;
        let depth = std::mem::replace(&mut self.depth, 0);
        let val = Val::Any("v".to_string());
        let holds = self.is_in(definition, &val, &Env::new());
        let goes_wrong = self.wrong(definition, &val, &Env::new());
        self.depth = depth;
        let variables = [("v".to_string(), "Value")];
        for (at, name, meaning) in [(at, name, holds), (wrong_at, wrong, goes_wrong)] {
            let head = format!("({name} v)");
            self.items.all[at].axioms = vec![forall(&variables, &head, &format!("(= {head} {meaning})"))];
        }
    }

    /// The free variables of expressions, but for those bound there, in order of occurrence, with parameters for them.
    fn parameters(&self, parts: &[&Expr], bound: &[VarId]) -> (Vec<VarId>, Env) {
        let mut free = Vec::new();
        parts.iter().for_each(|e| free_variables(e, &mut bound.to_vec(), &mut free));
        let mut inner = Env::new();
        for (k, variable) in free.iter().enumerate() {
            // The sort that is known here may not be known elsewhere: the symbol is one for all.
            inner.insert(*variable, Val::Any(format!("p{k}")));
        }
        (free, inner)
    }

    /// An accumulate in a refinement as a term.
    pub(crate) fn accumulated(&mut self, accumulate: &Accumulate, env: &Env) -> Pure {
        let source = self.result(&accumulate.source, env);
        let initial = self.result(&accumulate.initial, env);
        let (symbol, free) = self.loop_symbol(accumulate);
        let mut args: Vec<String> = free.iter().map(|v| env.get(v).map_or("VNull".to_string(), Val::term)).collect();
        args.push(source.val.payload(Sort::Coll));
        args.push(initial.val.term());
        let fine = app(&format!("fine_{symbol}"), &args);
        let ok = and([source.ok, source.val.is(Sort::Coll), initial.ok, fine]);
        Pure { ok, val: Val::Any(app(&symbol, &args)) }
    }

    /// Whether a refinement has the same loop.
    pub(crate) fn knows_loop(&mut self, accumulate: &Accumulate) -> bool {
        let (text, ..) = self.loop_text(accumulate);
        self.items.by_text.contains_key(&text)
    }

    /// What a round does, in words that do not depend on the names of variables.
    fn loop_text(&mut self, accumulate: &Accumulate) -> (String, Vec<VarId>, Pure) {
        let (free, mut inner) = self.parameters(&[&accumulate.body], &[accumulate.item, accumulate.accumulator]);
        inner.insert(accumulate.item, Val::Any("x".to_string()));
        inner.insert(accumulate.accumulator, Val::Any("y".to_string()));
        let depth = std::mem::replace(&mut self.depth, 0);
        let body = self.result(&accumulate.body, &inner);
        self.depth = depth;
        (format!("loop {} {} {}", free.len(), body.ok, body.val.term()), free, body)
    }

    /// The symbol of a loop, and the variables it is a function of.
    pub(crate) fn loop_symbol(&mut self, accumulate: &Accumulate) -> (String, Vec<VarId>) {
        let (text, free, body) = self.loop_text(accumulate);
        if let Some(symbol) = self.items.by_text.get(&text) {
            return (symbol.clone(), free);
        }
        let symbol = format!("acc_{}", self.items.by_text.len());
        self.items.by_text.insert(text, symbol.clone());
        let params: Vec<String> = (0..free.len()).map(|k| format!("p{k}")).collect();
        let sorts = "Value ".repeat(params.len());
        let call = |name: &str, bag: &str, initial: &str| {
            app(name, &[&params[..], &[bag.to_string(), initial.to_string()]].concat())
        };
        let own = |extra: &[(&str, &'static str)]| {
            let params = params.iter().map(|p| (p.clone(), "Value"));
            params.chain(extra.iter().map(|(n, s)| (n.to_string(), *s))).collect::<Vec<_>>()
        };
        let body_term = body.val.term();
        let empty = call(&symbol, "bempty", "y");
        let added = call(&symbol, "(add x b)", "y");
        let mut axioms = vec![
            forall(&own(&[("y", "Value")]), &empty, &format!("(= {empty} y)")),
            forall(
                &own(&[("x", "Value"), ("b", "Bag"), ("y", "Value")]),
                &added,
                &format!("(= {added} {})", call(&symbol, "b", &body_term)),
            ),
        ];
        if let Some(sort) = body.val.sort() {
            // The body gives this sort whatever it is given.
            let whole = call(&symbol, "b", "y");
            let kept = implies(&Val::Any("y".to_string()).is(sort), &Val::Any(whole.clone()).is(sort));
            axioms.push(forall(&own(&[("b", "Bag"), ("y", "Value")]), &whole, &kept));
        }
        let declaration = format!("(declare-fun {symbol} ({sorts}Bag Value) Value)\n");
        self.items.add(Item { name: symbol.clone(), declaration, axioms, further: Vec::new() });
        let fine = format!("fine_{symbol}");
        let (empty, added) = (call(&fine, "bempty", "y"), call(&fine, "(add x b)", "y"));
        let mut axioms = vec![
            forall(&own(&[("y", "Value")]), &empty, &empty),
            forall(
                &own(&[("x", "Value"), ("b", "Bag"), ("y", "Value")]),
                &added,
                &format!("(= {added} {})", and([body.ok.clone(), call(&fine, "b", &body_term)])),
            ),
        ];
        if let Some((needs_item, needs_kept)) = invariant_sorts(&body) {
            // Every round is fine if members and accumulator are of the sorts that the body asks for.
            let whole = call(&fine, "b", "y");
            let members =
                format!("(forall ((x Value)) (! (=> {} {needs_item}) :pattern ((select (arr b) x))))", mem("x", "b"));
            let f = implies(&and([needs_kept, members]), &whole);
            axioms.push(forall(&own(&[("b", "Bag"), ("y", "Value")]), &whole, &f));
        }
        let declaration = format!("(declare-fun {fine} ({sorts}Bag Value) Bool)\n");
        self.items.add(Item { name: fine, declaration, axioms, further: Vec::new() });
        (symbol, free)
    }

    /// A query as a term.
    pub(crate) fn queried(&mut self, query: &Query, env: &Env) -> Pure {
        let source = self.result(&query.source, env);
        let bag = source.val.payload(Sort::Coll);
        let members_ok = self.all_members(&bag, |logic, member| {
            let mut inner = env.clone();
            inner.insert(query.item, member.clone());
            let select = logic.result(&query.select, &inner);
            match &query.filter {
                None => select.ok,
                Some(filter) => {
                    let filter = logic.result(filter, &inner);
                    and([filter.ok, filter.val.is(Sort::Bool), implies(&filter.val.truth(), &select.ok)])
                }
            }
        });
        let (symbol, free) = self.query_symbol(query);
        let mut args: Vec<String> = free.iter().map(|v| env.get(v).map_or("VNull".to_string(), Val::term)).collect();
        args.push(bag);
        Pure { ok: and([source.ok, source.val.is(Sort::Coll), members_ok]), val: Val::Coll(app(&symbol, &args)) }
    }

    pub(crate) fn query_symbol(&mut self, query: &Query) -> (String, Vec<VarId>) {
        let parts: Vec<&Expr> = query.filter.iter().chain([&query.select]).collect();
        let (free, mut inner) = self.parameters(&parts, &[query.item]);
        inner.insert(query.item, Val::Any("x".to_string()));
        let depth = std::mem::replace(&mut self.depth, 0);
        let filter = query.filter.as_ref().map_or("true".to_string(), |f| self.result(f, &inner).val.truth());
        let select = self.result(&query.select, &inner).val.term();
        self.depth = depth;
        let text = format!("query {} {filter} {select}", free.len());
        if let Some(symbol) = self.items.by_text.get(&text) {
            return (symbol.clone(), free);
        }
        let symbol = format!("query_{}", self.items.by_text.len());
        let source = format!("source_{symbol}");
        self.items.by_text.insert(text, symbol.clone());
        let params: Vec<String> = (0..free.len()).map(|k| format!("p{k}")).collect();
        let sorts = "Value ".repeat(params.len());
        let own = |extra: &[(&str, &'static str)]| {
            let params = params.iter().map(|p| (p.clone(), "Value"));
            params.chain(extra.iter().map(|(n, s)| (n.to_string(), *s))).collect::<Vec<_>>()
        };
        let whole = |bag: &str| app(&symbol, &[&params[..], &[bag.to_string()]].concat());
        let q = whole("b");
        let from = app(&source, &[&params[..], &["b".to_string(), "v".to_string()]].concat());
        let counted = format!("(select (arr {q}) v)");
        // Each member comes from a member.
        let origin = and([mem("x", "b"), filter.clone(), eq("v", &select)]);
        let origin = implies(&mem("v", &q), &format!("(let ((x {from})) {origin})"));
        let sizes = if is_true(&filter) {
            format!("(= (card {q}) (card b))")
        } else {
            format!("(and (<= (card {q}) (card b)) (>= (card {q}) 0))")
        };
        let target = implies(&and([mem("x", "b"), filter.clone()]), &mem(&select, &q));
        let added = whole("(add x b)");
        let grown = ite(&filter, &format!("(add {select} {q})"), &q);
        let mut axioms = vec![
            forall(&own(&[("b", "Bag"), ("v", "Value")]), &counted, &origin),
            forall(&own(&[("b", "Bag")]), &q, &sizes),
            forall(&own(&[("b", "Bag"), ("x", "Value")]), &added, &format!("(= {added} {grown})")),
            forall(&own(&[]), &whole("bempty"), &format!("(= {} bempty)", whole("bempty"))),
        ];
        let further = vec![forall(&own(&[("b", "Bag"), ("x", "Value")]), &format!("{q} (select (arr b) x)"), &target)];
        if select == "x" {
            let counts = format!("(= (select (arr {q}) x) {})", ite(&filter, "(select (arr b) x)", "0"));
            let pattern = format!("(select (arr {q}) x)");
            axioms.push(forall(&own(&[("b", "Bag"), ("x", "Value")]), &pattern, &counts));
        }
        let declaration =
            format!("(declare-fun {symbol} ({sorts}Bag) Bag)\n(declare-fun {source} ({sorts}Bag Value) Value)\n");
        self.items.add(Item { name: symbol.clone(), declaration, axioms, further });
        (symbol, free)
    }
}

/// If a body asks only for sorts, of the member and of the accumulator, and gives the accumulator's again: both.
fn invariant_sorts(body: &Pure) -> Option<(Formula, Formula)> {
    let sort = body.val.sort()?;
    let kept = Val::Any("y".to_string()).is(sort);
    let conjuncts: Vec<&str> = match body.ok.strip_prefix("(and ").and_then(|s| s.strip_suffix(')')) {
        None => vec![body.ok.as_str()],
        Some(inner) => split(inner),
    };
    let mut of_item = Vec::new();
    for conjunct in conjuncts {
        let mentions = |name: &str| conjunct.split(|c: char| !c.is_ascii_alphanumeric()).any(|t| t == name);
        match (mentions("x"), mentions("y")) {
            (true, false) => of_item.push(conjunct.to_string()),
            _ if is_true(conjunct) || conjunct == kept => {}
            _ => return None,
        }
    }
    Some((and(of_item), kept))
}

/// The parts of a list, without its parentheses.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, None);
    for (i, c) in text.char_indices() {
        match c {
            '(' => {
                start.get_or_insert(i);
                depth += 1;
            }
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                parts.extend(start.take().map(|s| &text[s..i]));
                continue;
            }
            _ => {
                start.get_or_insert(i);
            }
        }
    }
    parts.extend(start.map(|s| &text[s..]));
    parts
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
