//! Universal sets, eliminated: what a quantified set can be depends only on the sizes of Venn regions.
//!
//! In: a formula. Out: an equivalent one in which no set is quantified universally (nor anything below such a quantifier); or why not:
//! the work is estimated before it is done and counted while it is, and refused beyond a limit.
//!
//! Quantifiers go from the inside out, `forall` as `not exists not`; first they are pushed as far in as they go (`simplify`). What is left
//! is `exists x. F`, with no quantifier in `F`. The atoms with `x` in them are about terms made of `x` and of *generators*: either
//! the largest terms without `x`, or the variables, whichever are fewer. The generators divide the universe into regions, and `x` each
//! region into two cells, the elements in `x` and those that are not. Every atom says of some cells how many elements they have
//! together: none (`=`, `<=`, `disjoint`), or a number compared with a constant. So it matters only up to a cap how many there are, and
//! going through the regions with the sums so far, one decides for every capped sum what the rest of the regions must be like
//! (`exactly 2 elements in A - B`, `at least 1`). The outside of all generators is infinite and gives any number of elements. Regions
//! whose cells occur in the same atoms are one region. Kozen, "Complexity of Boolean algebras" (1980); Kuncak, Rinard, "The first-order
//! theory of sets with cardinality constraints is decidable" (2004), with constants only.

use super::Limits;
use super::budget::{Budget, children, rebuilt};
use super::cells::{self, Problem};
use crate::store::{Formula, Node, Sort, Store, Var};
use crate::substitute::{Map, Replacement};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) fn eliminate(store: &mut Store, f: Formula, limits: &Limits) -> Result<Formula, String> {
    with_all_options(store, |store| {
        let simple = store.simplify(f);
        let budget = Budget::new(&limits.stop);
        Elimination { store, budget, done: FxHashMap::default() }.below_existential(simple, true)
    })
}

/// Whatever is measured with options off, here they help to decide.
pub(super) fn with_all_options<R>(store: &mut Store, work: impl FnOnce(&mut Store) -> R) -> R {
    let options = std::mem::take(&mut store.options);
    let remembered = (options != store.options).then(|| std::mem::take(&mut store.simplified));
    let result = work(store);
    store.options = options;
    if let Some(remembered) = remembered {
        store.simplified = remembered;
    }
    result
}

struct Elimination<'a> {
    store: &'a mut Store,
    budget: Budget,
    /// Formulas without any of their quantifiers.
    done: FxHashMap<Formula, Formula>,
}

impl Elimination<'_> {
    /// Keeps existential quantifiers; `positive` says under how many negations we are.
    fn below_existential(&mut self, f: Formula, positive: bool) -> Result<Formula, String> {
        if !self.store.has_quantifier(f) {
            return Ok(f);
        }
        match self.store.node(f).clone() {
            Node::Not(g) => {
                let g = self.below_existential(g, !positive)?;
                Ok(self.store.not(g))
            }
            Node::And(parts) => {
                let parts: Result<Vec<_>, _> = parts.iter().map(|&g| self.below_existential(g, positive)).collect();
                Ok(self.store.and(parts?))
            }
            Node::Or(parts) => {
                let parts: Result<Vec<_>, _> = parts.iter().map(|&g| self.below_existential(g, positive)).collect();
                Ok(self.store.or(parts?))
            }
            Node::Implies(a, b) => {
                let (a, b) = (self.below_existential(a, !positive)?, self.below_existential(b, positive)?);
                Ok(self.store.implies(a, b))
            }
            Node::Exists(vars, body) if self.is_kept(&vars, positive) => {
                let body = self.below_existential(body, positive)?;
                Ok(self.store.exists(&vars, body))
            }
            Node::Forall(vars, body) if self.is_kept(&vars, !positive) => {
                let body = self.below_existential(body, positive)?;
                Ok(self.store.forall(&vars, body))
            }
            _ => self.without_quantifiers(f),
        }
    }

    /// Existential, or over Booleans only, which have two values.
    fn is_kept(&self, vars: &[Var], is_existential: bool) -> bool {
        is_existential || vars.iter().all(|&var| self.store.sort(var) == Sort::Bool)
    }

    fn without_quantifiers(&mut self, f: Formula) -> Result<Formula, String> {
        if !self.store.has_quantifier(f) {
            return Ok(f);
        }
        if let Some(&done) = self.done.get(&f) {
            return Ok(done);
        }
        if self.store.is_stopped() {
            return Err(self.budget.stopped());
        }
        let done = match self.store.node(f).clone() {
            Node::Exists(vars, body) => {
                let body = self.without_quantifiers(body)?;
                self.exists(&vars, body)?
            }
            Node::Forall(vars, body) => {
                let body = self.without_quantifiers(body)?;
                let body = self.store.negated(body);
                let exists = self.exists(&vars, body)?;
                self.store.not(exists)
            }
            node => {
                let mut parts = FxHashMap::default();
                for part in children(&node) {
                    parts.insert(part, self.without_quantifiers(part)?);
                }
                rebuilt(self.store, f, &mut |part| parts[&part])
            }
        };
        self.done.insert(f, done);
        Ok(done)
    }

    /// `exists vars. body` for a body without quantifiers.
    fn exists(&mut self, vars: &[Var], body: Formula) -> Result<Formula, String> {
        let mut vars: Vec<Var> = vars.iter().copied().filter(|&var| self.store.is_free(var, body)).collect();
        // The variable that fewest others are mentioned with.
        vars.sort_by_key(|&var| std::cmp::Reverse(self.company(var, body)));
        let Some(var) = vars.pop() else { return Ok(body) };
        let quantified = self.store.exists(&[var], body);
        let simple = self.store.simplify(quantified);
        let rest = self.project(simple)?;
        self.exists(&vars, rest)
    }

    fn company(&self, var: Var, body: Formula) -> usize {
        let mut others: FxHashSet<Var> = FxHashSet::default();
        for atom in cells::atoms_with(self.store, body, var) {
            others.extend(self.store.free(atom));
        }
        others.len()
    }

    /// Quantifiers over one variable, at the places where simplification has left them.
    fn project(&mut self, f: Formula) -> Result<Formula, String> {
        if !self.store.has_quantifier(f) {
            return Ok(f);
        }
        if self.store.step(1) {
            return Err(self.budget.stopped());
        }
        match self.store.node(f).clone() {
            Node::Exists(vars, body) => {
                let body = self.project(body)?;
                vars.iter().try_fold(body, |body, &var| self.exists_one(var, body))
            }
            Node::Forall(vars, body) => {
                let body = self.project(body)?;
                let negated = self.store.negated(body);
                let exists = vars.iter().try_fold(negated, |body, &var| self.exists_one(var, body))?;
                Ok(self.store.not(exists))
            }
            node => {
                let mut parts = FxHashMap::default();
                for part in children(&node) {
                    parts.insert(part, self.project(part)?);
                }
                Ok(rebuilt(self.store, f, &mut |part| parts[&part]))
            }
        }
    }

    fn exists_one(&mut self, var: Var, body: Formula) -> Result<Formula, String> {
        if !self.store.is_free(var, body) {
            return Ok(body);
        }
        if self.store.sort(var) == Sort::Set {
            return Problem::new(self.store, var, body, &mut self.budget)?.solve();
        }
        let mut copies = Vec::new();
        for value in [false, true] {
            self.budget.spend(1)?;
            let value = self.store.truth(value);
            copies.push(self.store.substitute_map(body, &Map::from_iter([(var, Replacement::Bool(value))])));
        }
        Ok(self.store.or(copies))
    }
}
