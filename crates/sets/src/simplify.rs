//! Global simplification (section 4): rebuild bottom-up, and deal with each quantifier on the way.
//!
//! In: a formula. Out: an equivalent one. Per quantifier: nested ones are merged; the one-point rule replaces bound variables by what
//! they equal; what does not mention a bound variable leaves its scope; scopes shrink to single conjuncts, through `|`, `=>` and
//! `not`. `forall x. F` is treated as `not exists x. not F`, so that one rule serves both (the original's largest single win).
//!
//! The passes over a formula are remembered in the store: the options do not change, so neither does the result.

use crate::stack::with_stack;
use crate::store::{Formula, Node, Store, Term, TermNode, Var};
use crate::substitute::{Map, Replacement};

/// The first pass does nearly everything; what is left settles in one or two more.
const PASSES: usize = 3;

impl Store {
    pub fn simplify(&mut self, f: Formula) -> Formula {
        let mut f = f;
        for _ in 0..PASSES {
            let depth = self.depth(f);
            let next = with_stack(depth, || self.pass(f));
            if next == f {
                break;
            }
            f = next;
        }
        f
    }

    fn pass(&mut self, f: Formula) -> Formula {
        if let Some(&done) = self.simplified.get(&f) {
            return done;
        }
        if self.step(1) {
            return f;
        }
        let done = match self.node(f).clone() {
            Node::True | Node::False | Node::Bool(_) => f,
            Node::Equal(..) | Node::Subset(..) | Node::Card(..) | Node::Disjoint(_) => f,
            Node::Not(g) => {
                let g = self.pass(g);
                self.not(g)
            }
            Node::And(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|&part| self.pass(part)).collect();
                self.and(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|&part| self.pass(part)).collect();
                self.or(parts)
            }
            Node::Implies(a, b) => {
                let (a, b) = (self.pass(a), self.pass(b));
                self.implies(a, b)
            }
            Node::Iff(a, b) => {
                let (a, b) = (self.pass(a), self.pass(b));
                self.iff(a, b)
            }
            Node::Exists(vars, body) => {
                let body = self.pass(body);
                self.simple_exists(&vars, body)
            }
            Node::Forall(vars, body) => {
                let body = self.pass(body);
                self.simple_forall(&vars, body)
            }
        };
        if !self.is_stopped() {
            self.simplified.insert(f, done);
        }
        done
    }

    fn bound_in(&self, vars: &[Var], f: Formula) -> Vec<Var> {
        vars.iter().copied().filter(|&var| self.is_free(var, f)).collect()
    }

    /// `exists vars. body`, for a body that is simple.
    fn simple_exists(&mut self, vars: &[Var], body: Formula) -> Formula {
        let options = self.options;
        if !options.one_point && !options.nesting || self.step(vars.len()) {
            return self.exists(vars, body);
        }
        let mut vars = self.bound_in(vars, body);
        if vars.is_empty() {
            return body;
        }
        if options.nesting
            && let Some(inside) = self.exists_inside(&vars, body)
        {
            return inside;
        }
        let mut conjuncts = self.conjuncts(body);
        if options.one_point {
            self.merge_exists(&mut vars, &mut conjuncts);
            while self.one_point(&mut vars, &mut conjuncts) {
                self.merge_exists(&mut vars, &mut conjuncts);
            }
        }
        if options.nesting {
            return self.nest(vars, conjuncts);
        }
        let body = self.and(conjuncts);
        let vars = self.bound_in(&vars, body);
        self.exists(&vars, body)
    }

    /// The quantifier distributed over a disjunction, or over an implication, which is one.
    fn exists_inside(&mut self, vars: &[Var], body: Formula) -> Option<Formula> {
        match self.node(body).clone() {
            Node::Or(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|&part| self.simple_exists(vars, part)).collect();
                Some(self.or(parts))
            }
            Node::Implies(a, b) => {
                let (a, b) = (self.simple_forall(vars, a), self.simple_exists(vars, b));
                Some(self.implies(a, b))
            }
            Node::Not(g) if matches!(self.node(g), Node::And(_) | Node::Or(_) | Node::Implies(..) | Node::Not(_)) => {
                let pushed = self.negated(g);
                Some(self.simple_exists(vars, pushed))
            }
            _ => None,
        }
    }

    /// `forall vars. body`, for a body that is simple.
    fn simple_forall(&mut self, vars: &[Var], body: Formula) -> Formula {
        let options = self.options;
        if !options.one_point && !options.nesting {
            return self.forall(vars, body);
        }
        let vars = self.bound_in(vars, body);
        if vars.is_empty() {
            return body;
        }
        if options.nesting
            && let Node::Implies(a, b) = *self.node(body)
        {
            let (in_a, in_b) = (self.bound_in(&vars, a), self.bound_in(&vars, b));
            if !in_a.iter().any(|var| in_b.contains(var)) {
                let (a, b) = (self.simple_exists(&in_a, a), self.simple_forall(&in_b, b));
                return self.implies(a, b);
            }
        }
        let negated = self.negated(body);
        let exists = self.simple_exists(&vars, negated);
        self.negated(exists)
    }

    /// The negation, pushed below one connective, or below a quantifier and one connective.
    pub(crate) fn negated(&mut self, f: Formula) -> Formula {
        match self.node(f).clone() {
            Node::True => self.truth(false),
            Node::False => self.truth(true),
            Node::Not(g) => g,
            Node::And(parts) => {
                // Positive conjuncts imply one of the negated ones: easier to read than a disjunction of negations.
                let is_negation = |&part: &Formula| matches!(self.node(part), Node::Not(_));
                let (negative, positive): (Vec<Formula>, Vec<Formula>) = parts.iter().partition(|&p| is_negation(p));
                let negative: Vec<Formula> = negative.into_iter().map(|part| self.negated(part)).collect();
                if negative.is_empty() {
                    let negative: Vec<Formula> = positive.into_iter().map(|part| self.shallow_negation(part)).collect();
                    return self.or(negative);
                }
                let (a, b) = (self.and(positive), self.or(negative));
                if *self.node(a) == Node::True { b } else { self.implies(a, b) }
            }
            Node::Or(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|&part| self.shallow_negation(part)).collect();
                self.and(parts)
            }
            Node::Implies(a, b) => {
                let b = self.shallow_negation(b);
                self.and([a, b])
            }
            Node::Exists(vars, body) => {
                let body = self.negated(body);
                self.forall(&vars, body)
            }
            Node::Forall(vars, body) => {
                let body = self.negated(body);
                self.exists(&vars, body)
            }
            _ => self.not(f),
        }
    }

    fn shallow_negation(&mut self, f: Formula) -> Formula {
        match *self.node(f) {
            Node::Not(g) => g,
            Node::Exists(..) | Node::Forall(..) => self.negated(f),
            _ => self.not(f),
        }
    }

    /// Takes existential conjuncts apart, so that their equalities are seen too.
    fn merge_exists(&mut self, vars: &mut Vec<Var>, conjuncts: &mut Vec<Formula>) {
        let mut at = 0;
        while at < conjuncts.len() && !self.step(1) {
            let Node::Exists(bound, body) = self.node(conjuncts[at]).clone() else {
                at += 1;
                continue;
            };
            let mut names = Map::default();
            let mut inner = bound.to_vec();
            for var in &mut inner {
                self.step(conjuncts.len());
                let others = conjuncts.iter().enumerate().filter(|&(i, _)| i != at);
                let clashes = vars.contains(var) || others.into_iter().any(|(_, &f)| self.is_free(*var, f));
                if clashes {
                    let hat = self.fresh(*var);
                    names.insert(*var, self.variable_as_replacement(hat));
                    *var = hat;
                }
            }
            let body = self.substitute_map(body, &names);
            vars.extend(inner);
            let parts = self.conjuncts(body);
            conjuncts.splice(at..=at, parts);
        }
    }

    /// Replaces every bound variable that some conjunct defines; whether there was one.
    fn one_point(&mut self, vars: &mut Vec<Var>, conjuncts: &mut Vec<Formula>) -> bool {
        let mut map = Map::default();
        let mut rest = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts.iter() {
            if self.step(1 + map.len()) {
                return false;
            }
            match self.definition(vars, &map, conjunct) {
                Some((var, by)) => {
                    let step = Map::from_iter([(var, by)]);
                    let mut stale: Vec<Var> = map.keys().copied().collect();
                    stale.retain(|other| self.replacement_free(map[other]).binary_search(&var).is_ok());
                    for other in stale {
                        let updated = self.replace(map[&other], &step);
                        map.insert(other, updated);
                    }
                    map.insert(var, by);
                }
                None => rest.push(conjunct),
            }
        }
        if map.is_empty() {
            return false;
        }
        let rest: Vec<Formula> = rest.into_iter().map(|f| self.substitute_map(f, &map)).collect();
        let body = self.and(rest);
        *conjuncts = self.conjuncts(body);
        vars.retain(|var| !map.contains_key(var));
        true
    }

    fn replace(&mut self, by: Replacement, map: &Map) -> Replacement {
        match by {
            Replacement::Set(t) => Replacement::Set(self.substitute_term(t, map)),
            Replacement::Bool(f) => Replacement::Bool(self.substitute_map(f, map)),
        }
    }

    /// A bound variable and what the conjunct says it is, with what is already replaced taken into account.
    fn definition(&mut self, vars: &[Var], map: &Map, conjunct: Formula) -> Option<(Var, Replacement)> {
        let is_open = |var: Var| vars.contains(&var) && !map.contains_key(&var);
        match *self.node(conjunct) {
            Node::Equal(a, b) => [(a, b), (b, a)].into_iter().find_map(|(left, right)| {
                let var = self.as_variable(left).filter(|&var| is_open(var))?;
                let right = self.substitute_term(right, map);
                let is_recursive = self.term_free(right).binary_search(&var).is_ok();
                (!is_recursive).then_some((var, Replacement::Set(right)))
            }),
            Node::Iff(a, b) => [(a, b), (b, a)].into_iter().find_map(|(left, right)| {
                let (var, is_negated) = self.as_literal(left).filter(|&(var, _)| is_open(var))?;
                let right = self.substitute_map(right, map);
                let right = if is_negated { self.not(right) } else { right };
                (!self.is_free(var, right)).then_some((var, Replacement::Bool(right)))
            }),
            _ => {
                let (var, is_negated) = self.as_literal(conjunct).filter(|&(var, _)| is_open(var))?;
                Some((var, Replacement::Bool(self.truth(!is_negated))))
            }
        }
    }

    pub(crate) fn as_variable(&self, t: Term) -> Option<Var> {
        match *self.term(t) {
            TermNode::Var(var) => Some(var),
            _ => None,
        }
    }

    /// A Boolean variable, and whether it is negated.
    pub(crate) fn as_literal(&self, f: Formula) -> Option<(Var, bool)> {
        match *self.node(f) {
            Node::Bool(var) => Some((var, false)),
            Node::Not(g) => match *self.node(g) {
                Node::Bool(var) => Some((var, true)),
                _ => None,
            },
            _ => None,
        }
    }

    /// `exists vars. conjuncts` with the smallest scopes.
    fn nest(&mut self, vars: Vec<Var>, conjuncts: Vec<Formula>) -> Formula {
        if self.step(vars.len().saturating_mul(conjuncts.len())) {
            let body = self.and(conjuncts);
            return self.exists(&vars, body);
        }
        let uses: Vec<usize> =
            vars.iter().map(|&var| conjuncts.iter().filter(|&&f| self.is_free(var, f)).count()).collect();
        let with = |wanted: fn(usize) -> bool| -> Vec<Var> {
            vars.iter().zip(&uses).filter(|&(_, &count)| wanted(count)).map(|(&var, _)| var).collect()
        };
        let (single, shared) = (with(|count| count == 1), with(|count| count > 1));
        let mut scopes: Vec<(Vec<Var>, Vec<Formula>)> = Vec::new();
        let mut out = Vec::new();
        for f in conjuncts {
            let own = self.bound_in(&single, f);
            let f = match self.exists_inside_own(&own, f) {
                Some(inside) => inside,
                None => self.exists(&own, f),
            };
            let mentioned = self.bound_in(&shared, f);
            if mentioned.is_empty() {
                out.push(f);
                continue;
            }
            // Conjuncts that share a variable share a scope.
            self.step(scopes.len());
            let (touching, apart): (Vec<_>, Vec<_>) =
                scopes.into_iter().partition(|(vars, _)| vars.iter().any(|v| mentioned.contains(v)));
            scopes = apart;
            let mut scope: (Vec<Var>, Vec<Formula>) = (mentioned, vec![f]);
            for (vars, formulas) in touching {
                scope.0.extend(vars);
                scope.1.extend(formulas);
            }
            scope.0.sort_unstable();
            scope.0.dedup();
            scopes.push(scope);
        }
        for (vars, formulas) in scopes {
            let body = self.and(formulas);
            out.push(self.exists(&vars, body));
        }
        self.and(out)
    }

    fn exists_inside_own(&mut self, own: &[Var], f: Formula) -> Option<Formula> {
        if own.is_empty() { None } else { self.exists_inside(own, f) }
    }
}
