//! Existential variables become free ones.
//!
//! In: a formula. Out: a formula without quantifiers that is satisfiable if and only if the first is, and whose models are models of
//! the first, unless the store is stopped meanwhile; or the news that a set is quantified universally. Only what has quantifiers is rebuilt, with negations pushed inwards.
//!
//! A bound variable keeps its name unless another variable has it. A node that occurs twice is treated once: its free variables are the
//! same ones, so the same witnesses do. A universal Boolean gives two copies.

use crate::store::{Formula, Node, Sort, Store, Var};
use crate::substitute::{Map, Replacement};
use rustc_hash::{FxHashMap, FxHashSet};

/// Some set is quantified universally.
pub(crate) struct Universal;

pub(crate) fn strip(store: &mut Store, f: Formula) -> Result<Formula, Universal> {
    if !store.has_quantifier(f) {
        return Ok(f);
    }
    let used = store.free(f).iter().copied().collect();
    Strip { store, used, done: FxHashMap::default() }.formula(f, true)
}

struct Strip<'a> {
    store: &'a mut Store,
    used: FxHashSet<Var>,
    done: FxHashMap<(Formula, bool), Formula>,
}

impl Strip<'_> {
    /// `f`, or its negation unless `positive`.
    fn formula(&mut self, f: Formula, positive: bool) -> Result<Formula, Universal> {
        if self.store.step(1) {
            return Ok(f);
        }
        if !self.store.has_quantifier(f) {
            return Ok(if positive { f } else { self.store.not(f) });
        }
        if let Some(&done) = self.done.get(&(f, positive)) {
            return Ok(done);
        }
        let done = match self.store.node(f).clone() {
            Node::Not(g) => self.formula(g, !positive)?,
            Node::And(parts) => self.all(&parts, positive, positive)?,
            Node::Or(parts) => self.all(&parts, positive, !positive)?,
            Node::Implies(a, b) => {
                let (a, b) = (self.formula(a, !positive)?, self.formula(b, positive)?);
                if positive { self.store.or([a, b]) } else { self.store.and([a, b]) }
            }
            Node::Iff(a, b) => {
                let (both, neither) = (self.two(a, true, b, positive)?, self.two(a, false, b, !positive)?);
                self.store.or([both, neither])
            }
            Node::Exists(vars, body) => self.quantified(&vars, body, positive, positive)?,
            Node::Forall(vars, body) => self.quantified(&vars, body, positive, !positive)?,
            _ => f,
        };
        self.done.insert((f, positive), done);
        Ok(done)
    }

    fn all(&mut self, parts: &[Formula], positive: bool, is_and: bool) -> Result<Formula, Universal> {
        let parts = parts.iter().map(|&part| self.formula(part, positive)).collect::<Result<Vec<_>, _>>()?;
        Ok(if is_and { self.store.and(parts) } else { self.store.or(parts) })
    }

    fn two(&mut self, a: Formula, a_positive: bool, b: Formula, b_positive: bool) -> Result<Formula, Universal> {
        let (a, b) = (self.formula(a, a_positive)?, self.formula(b, b_positive)?);
        Ok(self.store.and([a, b]))
    }

    fn quantified(
        &mut self,
        vars: &[Var],
        body: Formula,
        positive: bool,
        is_existential: bool,
    ) -> Result<Formula, Universal> {
        if self.store.is_stopped() {
            return Ok(body);
        }
        let mut vars: Vec<Var> = vars.iter().copied().filter(|&var| self.store.is_free(var, body)).collect();
        if is_existential {
            let mut names = Map::default();
            for var in vars {
                if !self.used.insert(var) {
                    let hat = self.store.fresh(var);
                    self.used.insert(hat);
                    names.insert(var, self.store.variable_as_replacement(hat));
                }
            }
            let body = self.store.substitute_map(body, &names);
            return self.formula(body, positive);
        }
        let Some(var) = vars.pop() else { return self.formula(body, positive) };
        if vars.iter().chain([&var]).any(|&var| self.store.sort(var) == Sort::Set) {
            return Err(Universal);
        }
        let mut copies = Vec::new();
        for value in [false, true] {
            let value = self.store.truth(value);
            let copy = self.store.substitute_map(body, &Map::from_iter([(var, Replacement::Bool(value))]));
            copies.push(self.quantified(&vars, copy, positive, false)?);
        }
        Ok(self.store.and(copies))
    }
}
