//! Simultaneous substitution that captures nothing.
//!
//! In: a formula and a replacement for some of its free variables. Out: the formula, rebuilt by the store's constructors where a replaced
//! variable occurs, and the same handle where none does. A bound variable that a replacement mentions is renamed to a hat.

use crate::stack::with_stack;
use crate::store::{Formula, Node, Sort, Store, Term, TermNode, Var};
use rustc_hash::FxHashMap;

/// What takes a variable's place. One of the wrong sort is ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replacement {
    Set(Term),
    Bool(Formula),
}

pub(crate) type Map = FxHashMap<Var, Replacement>;

impl Store {
    pub fn substitute(&mut self, f: Formula, by: &dyn Fn(Var) -> Option<Replacement>) -> Formula {
        let map: Map = self.free(f).iter().filter_map(|&var| Some((var, by(var)?))).collect();
        self.substitute_map(f, &map)
    }

    pub fn rename(&mut self, f: Formula, names: &FxHashMap<Var, Var>) -> Formula {
        let pairs: Vec<(Var, Var)> =
            self.free(f).iter().filter_map(|&var| Some((var, *names.get(&var)?))).filter(|(a, b)| a != b).collect();
        let map = pairs.into_iter().map(|(from, to)| (from, self.variable_as_replacement(to))).collect();
        self.substitute_map(f, &map)
    }

    pub(crate) fn variable_as_replacement(&mut self, var: Var) -> Replacement {
        match self.sort(var) {
            Sort::Set => Replacement::Set(self.set(var)),
            Sort::Bool => Replacement::Bool(self.boolean(var)),
        }
    }

    pub(crate) fn substitute_map(&mut self, f: Formula, map: &Map) -> Formula {
        if map.is_empty() || !touches(self.free(f), map) {
            return f;
        }
        let depth = self.depth(f);
        with_stack(depth, || Substitution::new(self, map.clone()).formula(f))
    }

    pub(crate) fn substitute_term(&mut self, t: Term, map: &Map) -> Term {
        if map.is_empty() || !touches(self.term_free(t), map) {
            return t;
        }
        Substitution::new(self, map.clone()).term(t)
    }

    pub(crate) fn replacement_free(&self, replacement: Replacement) -> &[Var] {
        match replacement {
            Replacement::Set(t) => self.term_free(t),
            Replacement::Bool(f) => self.free(f),
        }
    }
}

fn touches(free: &[Var], map: &Map) -> bool {
    if map.len() < free.len() {
        map.keys().any(|var| free.binary_search(var).is_ok())
    } else {
        free.iter().any(|var| map.contains_key(var))
    }
}

struct Substitution<'a> {
    store: &'a mut Store,
    map: Map,
    /// Variables that replacements mention, in order.
    range: Vec<Var>,
    formulas: FxHashMap<Formula, Formula>,
    terms: FxHashMap<Term, Term>,
}

impl<'a> Substitution<'a> {
    fn new(store: &'a mut Store, map: Map) -> Substitution<'a> {
        store.step(map.len());
        let mut range: Vec<Var> = map.values().flat_map(|&by| store.replacement_free(by)).copied().collect();
        range.sort_unstable();
        range.dedup();
        Substitution { store, map, range, formulas: FxHashMap::default(), terms: FxHashMap::default() }
    }

    fn all_terms(&mut self, parts: &[Term]) -> Vec<Term> {
        parts.iter().map(|&t| self.term(t)).collect()
    }

    fn term(&mut self, t: Term) -> Term {
        if !touches(self.store.term_free(t), &self.map) {
            return t;
        }
        if let Some(&done) = self.terms.get(&t) {
            return done;
        }
        let done = match self.store.term(t).clone() {
            TermNode::Empty => t,
            TermNode::Var(var) => match self.map.get(&var) {
                Some(Replacement::Set(by)) => *by,
                _ => t,
            },
            TermNode::Union(parts) => {
                let parts = self.all_terms(&parts);
                self.store.union(parts)
            }
            TermNode::Inter(parts) => {
                let parts = self.all_terms(&parts);
                self.store.inter(parts)
            }
            TermNode::Diff(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                self.store.diff(a, b)
            }
        };
        self.terms.insert(t, done);
        done
    }

    fn all(&mut self, parts: &[Formula]) -> Vec<Formula> {
        parts.iter().map(|&f| self.formula(f)).collect()
    }

    fn formula(&mut self, f: Formula) -> Formula {
        if self.store.step(1) || !touches(self.store.free(f), &self.map) {
            return f;
        }
        if let Some(&done) = self.formulas.get(&f) {
            return done;
        }
        let done = match self.store.node(f).clone() {
            Node::True | Node::False => f,
            Node::Bool(var) => match self.map.get(&var) {
                Some(Replacement::Bool(by)) => *by,
                _ => f,
            },
            Node::Equal(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                self.store.equal(a, b)
            }
            Node::Subset(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                self.store.subset(a, b)
            }
            Node::Card(t, compare, count) => {
                let t = self.term(t);
                self.store.card(t, compare, count)
            }
            Node::Disjoint(parts) => {
                let parts = self.all_terms(&parts);
                self.store.disjoint(parts)
            }
            Node::Not(g) => {
                let g = self.formula(g);
                self.store.not(g)
            }
            Node::And(parts) => {
                let parts = self.all(&parts);
                self.store.and(parts)
            }
            Node::Or(parts) => {
                let parts = self.all(&parts);
                self.store.or(parts)
            }
            Node::Implies(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                self.store.implies(a, b)
            }
            Node::Iff(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                self.store.iff(a, b)
            }
            Node::Exists(vars, body) => self.binder(f, &vars, body, true),
            Node::Forall(vars, body) => self.binder(f, &vars, body, false),
        };
        self.formulas.insert(f, done);
        done
    }

    fn binder(&mut self, whole: Formula, vars: &[Var], body: Formula, is_exists: bool) -> Formula {
        let clashes = |var: &Var| self.map.contains_key(var) || self.range.binary_search(var).is_ok();
        if !vars.iter().any(clashes) {
            let body = self.formula(body);
            return self.store.quantifier(vars, body, is_exists);
        }
        let free = self.store.free(whole);
        let map: Map =
            self.map.iter().filter(|(var, _)| free.binary_search(var).is_ok()).map(|(&v, &r)| (v, r)).collect();
        let mut inner = Substitution::new(self.store, map);
        let mut bound = vars.to_vec();
        for var in &mut bound {
            if inner.range.binary_search(var).is_ok() {
                let hat = inner.store.fresh(*var);
                let by = inner.store.variable_as_replacement(hat);
                inner.map.insert(*var, by);
                *var = hat;
            }
        }
        let body = inner.formula(body);
        self.store.quantifier(&bound, body, is_exists)
    }
}
