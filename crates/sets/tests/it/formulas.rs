//! Formulas by choices, and the models to try them on.

use sets::{Compare, Formula, Model, Options, Sort, Store, Term, Var};
use test_kit::choices::Choices;

/// What random formulas are made of.
#[derive(Clone, Copy)]
pub struct Shape {
    pub sets: usize,
    pub bools: usize,
    pub depth: usize,
    /// The largest constant.
    pub count: u32,
    pub set_quantifiers: usize,
    pub bool_quantifiers: usize,
}

pub struct Generator<'a> {
    pub store: &'a mut Store,
    pub choices: Choices<'a>,
    pub shape: Shape,
}

impl Generator<'_> {
    pub fn set_var(&mut self) -> Var {
        let names = ["A", "B", "C", "D"];
        let name = names[self.choices.below(self.shape.sets)];
        self.store.variable(name, Sort::Set)
    }

    pub fn bool_var(&mut self) -> Var {
        let name = ["p", "q"][self.choices.below(self.shape.bools.max(1))];
        self.store.variable(name, Sort::Bool)
    }

    pub fn term(&mut self, depth: usize) -> Term {
        match self.choices.below(if depth == 0 { 8 } else { 14 }) {
            0 => self.store.empty(),
            1..=7 => {
                let var = self.set_var();
                self.store.set(var)
            }
            kind => {
                let (a, b) = (self.term(depth - 1), self.term(depth - 1));
                match kind {
                    8..=9 => self.store.union([a, b]),
                    10..=11 => self.store.inter([a, b]),
                    _ => self.store.diff(a, b),
                }
            }
        }
    }

    pub fn atom(&mut self) -> Formula {
        let (a, b) = (self.term(2), self.term(1));
        let count = self.choices.below(self.shape.count as usize + 1) as u32;
        match self.choices.below(10) {
            0..=2 => self.store.equal(a, b),
            3..=4 => self.store.subset(a, b),
            5 => self.store.card(a, Compare::Equal, count),
            6 => self.store.card(a, Compare::AtMost, count),
            7 => self.store.card(a, Compare::AtLeast, count),
            8 => {
                let c = self.term(0);
                self.store.disjoint([a, b, c])
            }
            _ if self.shape.bools == 0 => self.store.equal(a, b),
            _ => {
                let var = self.bool_var();
                self.store.boolean(var)
            }
        }
    }

    pub fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 {
            return self.atom();
        }
        match self.choices.below(14) {
            0 => self.atom(),
            1..=2 => {
                let f = self.formula(depth - 1);
                self.store.not(f)
            }
            3..=5 => {
                let parts: Vec<Formula> = (0..2 + self.choices.below(2)).map(|_| self.formula(depth - 1)).collect();
                self.store.and(parts)
            }
            6..=8 => {
                let parts: Vec<Formula> = (0..2 + self.choices.below(2)).map(|_| self.formula(depth - 1)).collect();
                self.store.or(parts)
            }
            9 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                self.store.implies(a, b)
            }
            10 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                self.store.iff(a, b)
            }
            kind => self.quantified(depth, kind == 12),
        }
    }

    fn quantified(&mut self, depth: usize, is_forall: bool) -> Formula {
        let var = if self.shape.set_quantifiers > 0 && self.choices.below(3) > 0 {
            self.shape.set_quantifiers -= 1;
            self.set_var()
        } else if self.shape.bool_quantifiers > 0 {
            self.shape.bool_quantifiers -= 1;
            self.bool_var()
        } else {
            return self.formula(depth - 1);
        };
        let body = self.formula(depth - 1);
        if is_forall { self.store.forall(&[var], body) } else { self.store.exists(&[var], body) }
    }
}

pub fn chosen_formula<'a>(store: &'a mut Store, choices: &'a [u32], shape: Shape) -> Formula {
    Generator { store, choices: Choices::new(choices), shape }.formula(shape.depth)
}

/// Every model of the variables with exactly so many elements, up to their order.
pub fn models(store: &Store, vars: &[Var], elements: usize) -> Vec<Model> {
    let (sets, bools): (Vec<Var>, Vec<Var>) = vars.iter().partition(|&&var| store.sort(var) == Sort::Set);
    let columns = 1usize << sets.len();
    let mut out = Vec::new();
    let mut chosen = vec![0usize; elements];
    loop {
        for values in 0..1usize << bools.len() {
            let mut model = Model::new(elements);
            for (row, &var) in sets.iter().enumerate() {
                model.put_set(var, (0..elements).filter(|&element| chosen[element] >> row & 1 == 1));
            }
            for (bit, &var) in bools.iter().enumerate() {
                model.put_bool(var, values >> bit & 1 == 1);
            }
            out.push(model);
        }
        // The next columns in order: no two choices differ by the names of elements only.
        let Some(at) = (0..elements).rev().find(|&at| chosen[at] + 1 < columns) else { return out };
        let next = chosen[at] + 1;
        chosen[at..].fill(next);
    }
}

pub fn every_option() -> impl Iterator<Item = Options> {
    (0..16).map(|bits| Options {
        smart_constructors: bits & 1 == 1,
        factoring: bits >> 1 & 1 == 1,
        one_point: bits >> 2 & 1 == 1,
        nesting: bits >> 3 & 1 == 1,
    })
}
