//! Linear forms over terms, and elimination with the equations known on a path: sums such as `size` are compared
//! syntactically and blasted only on a mismatch (docs/engine.md, "Drop what is known").

use crate::graph::{Graph, Lit};
use crate::term::{IntOp, IntTy, Term, TermId};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LinearId(pub u32);

/// constant + sum of coefficient * term; terms ascend, none is a constant or a sum, no coefficient is 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    pub constant: i64,
    pub terms: Vec<(TermId, i64)>,
}

impl Linear {
    /// self + factor * other; None on overflow.
    pub fn plus(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let mut sum =
            Linear { constant: self.constant.checked_add(other.constant.checked_mul(factor)?)?, terms: Vec::new() };
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (term, coefficient) = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(&&(t, c)), Some(&&(u, d))) if t == u => {
                    a.next();
                    b.next();
                    (t, c.checked_add(d.checked_mul(factor)?)?)
                }
                (Some(&&(t, c)), other) if other.is_none_or(|&&(u, _)| t < u) => {
                    a.next();
                    (t, c)
                }
                (_, Some(&&(u, d))) => {
                    b.next();
                    (u, d.checked_mul(factor)?)
                }
                (Some(_), None) => break,
            };
            if coefficient != 0 {
                sum.terms.push((term, coefficient));
            }
        }
        Some(sum)
    }

    pub fn coefficient(&self, term: TermId) -> i64 {
        self.terms.binary_search_by_key(&term, |(t, _)| *t).map_or(0, |i| self.terms[i].1)
    }

    pub fn scale(&self, factor: i64) -> Option<Linear> {
        Linear::default().plus(self, factor)
    }

    /// The least and greatest value, if each term lies between these.
    fn range(&self, of: impl Fn(TermId) -> (i64, i64)) -> (i128, i128) {
        let constant = i128::from(self.constant);
        self.terms.iter().fold((constant, constant), |(least, most), &(term, coefficient)| {
            let (lo, hi) = of(term);
            let (a, b) = (i128::from(lo) * i128::from(coefficient), i128::from(hi) * i128::from(coefficient));
            (least + a.min(b), most + a.max(b))
        })
    }
}

/// A linear form in the making: in any order, with repetitions.
#[derive(Default)]
struct Parts {
    constant: i64,
    terms: Vec<(TermId, i64)>,
}

impl Parts {
    fn add_constant(&mut self, value: i64, factor: i64) -> Option<()> {
        self.constant = self.constant.checked_add(value.checked_mul(factor)?)?;
        Some(())
    }

    fn merge(mut self) -> Option<Linear> {
        self.terms.sort_unstable_by_key(|(t, _)| *t);
        let mut merged: Vec<(TermId, i64)> = Vec::with_capacity(self.terms.len());
        for (term, coefficient) in self.terms {
            match merged.last_mut() {
                Some(last) if last.0 == term => last.1 = last.1.checked_add(coefficient)?,
                _ => merged.push((term, coefficient)),
            }
        }
        merged.retain(|(_, c)| *c != 0);
        Some(Linear { constant: self.constant, terms: merged })
    }
}

impl Graph {
    pub fn linear(&self, id: LinearId) -> &Linear {
        &self.linears[id.0 as usize]
    }

    pub(crate) fn intern_linear(&mut self, linear: Linear) -> LinearId {
        if let Some(&id) = self.linear_table.get(&linear) {
            return id;
        }
        let id = LinearId(self.linears.len() as u32);
        self.linears.push(linear.clone());
        self.linear_table.insert(linear, id);
        id
    }

    /// A term as a linear form, with what is known put in: conditionals whose condition is known become their branch.
    pub fn linear_of(&self, term: TermId) -> Option<Linear> {
        let mut parts = Parts::default();
        self.collect(&mut parts, term, 1)?;
        parts.merge()
    }

    /// A linear form with what is known put in.
    pub fn resolve_linear(&self, linear: &Linear) -> Option<Linear> {
        let mut parts = Parts::default();
        self.collect_linear(&mut parts, linear, 1)?;
        parts.merge()
    }

    fn collect(&self, parts: &mut Parts, term: TermId, factor: i64) -> Option<()> {
        match self.term(term) {
            Term::Const(value) => parts.add_constant(value, factor),
            Term::Sum(id) => self.collect_linear(parts, self.linear(id), factor),
            Term::Ite(c, a, b) => match self.value(c) {
                Some(true) => self.collect(parts, a, factor),
                Some(false) => self.collect(parts, b, factor),
                None => self.collect_conditional(parts, term, (c, a, b), factor),
            },
            _ => {
                let (lo, hi) = self.bounds(term);
                if lo == hi {
                    return parts.add_constant(lo, factor);
                }
                parts.terms.push((term, factor));
                Some(())
            }
        }
    }

    fn collect_linear(&self, parts: &mut Parts, linear: &Linear, factor: i64) -> Option<()> {
        parts.add_constant(linear.constant, factor)?;
        for &(term, coefficient) in &linear.terms {
            self.collect(parts, term, coefficient.checked_mul(factor)?)?;
        }
        Some(())
    }

    /// A conditional of two constants counts as a multiple of its condition, so that `c ? 4 : 3` is `3 + (c ? 1 : 0)`.
    fn collect_conditional(
        &self,
        parts: &mut Parts,
        term: TermId,
        (c, a, b): (Lit, TermId, TermId),
        factor: i64,
    ) -> Option<()> {
        if let (Term::Const(x), Term::Const(y)) = (self.term(a), self.term(b))
            && let Some(unit) = self.condition_as_term(c)
        {
            parts.add_constant(y, factor)?;
            parts.terms.push((unit, x.checked_sub(y)?.checked_mul(factor)?));
        } else {
            parts.terms.push((term, factor));
        }
        Some(())
    }

    /// The sum of many terms in 64 bits; None if it may leave them.
    pub fn sum(&mut self, terms: &[TermId]) -> Option<TermId> {
        let mut parts = Parts::default();
        for &term in terms {
            self.collect(&mut parts, term, 1)?;
        }
        let linear = parts.merge()?;
        self.term_of_linear(linear)
    }

    /// The least and greatest value a form can take, by what is known now of its terms.
    pub fn linear_bounds(&self, linear: &Linear) -> (i128, i128) {
        linear.range(|term| self.bounds(term))
    }

    /// The least and greatest value a form can take on any path, by the static intervals of its terms.
    pub(crate) fn linear_interval(&self, linear: &Linear) -> (i128, i128) {
        linear.range(|term| self.interval(term))
    }

    /// The form as a term; None if its value may leave 64 bits.
    pub(crate) fn term_of_linear(&mut self, linear: Linear) -> Option<TermId> {
        if linear.terms.is_empty() {
            return Some(self.constant(linear.constant));
        }
        if let ([(term, 1)], 0) = (&linear.terms[..], linear.constant) {
            return Some(*term);
        }
        // A term's interval must hold on every path.
        let (lo, hi) = self.linear_interval(&linear);
        let interval = (i64::try_from(lo).ok()?, i64::try_from(hi).ok()?);
        let id = self.intern_linear(linear);
        Some(self.add_term(Term::Sum(id), interval))
    }

    /// a + factor * b in the given type (32 or 64 bits), with wrap-around.
    fn add_scaled(&mut self, ty: IntTy, a: TermId, b: TermId, factor: i64, op: IntOp) -> TermId {
        let sum = (|| {
            let (x, y) = (self.linear_of(a)?, self.linear_of(b)?);
            let sum = x.plus(&y, factor)?;
            self.term_of_linear(sum)
        })();
        match sum {
            Some(sum) => self.wrap(ty, sum),
            None => self.int_op(op, ty, a, b),
        }
    }

    pub fn add(&mut self, ty: IntTy, a: TermId, b: TermId) -> TermId {
        self.add_scaled(ty, a, b, 1, IntOp::Add)
    }

    pub fn sub(&mut self, ty: IntTy, a: TermId, b: TermId) -> TermId {
        self.add_scaled(ty, a, b, -1, IntOp::Sub)
    }

    pub fn mul(&mut self, ty: IntTy, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            if let Some(factor) = self.as_constant(x) {
                let zero = self.constant(0);
                if let Some(scaled) =
                    self.linear_of(y).and_then(|l| l.scale(factor)).and_then(|l| self.term_of_linear(l))
                {
                    return self.wrap(ty, scaled);
                }
                if factor == 0 {
                    return zero;
                }
            }
        }
        self.int_op(IntOp::Mul, ty, a, b)
    }
}

/// Equations known on a path, in echelon form.
#[derive(Default)]
pub struct Elimination {
    /// Each with its pivot, whose coefficient is 1 or -1 and which no later row mentions.
    rows: Vec<(TermId, Linear)>,
}

impl Elimination {
    /// Adds the fact `linear = 0`.
    pub fn assume(&mut self, linear: &Linear) {
        let Some(reduced) = self.reduce(linear) else { return };
        if let Some(&(pivot, coefficient)) = reduced.terms.iter().find(|(_, c)| matches!(c, 1 | -1)) {
            // The pivot's coefficient becomes -1: pivot = rest.
            if let Some(row) = reduced.scale(-coefficient) {
                self.rows.push((pivot, row));
            }
        }
    }

    /// An equivalent form with the pivots put in; None on overflow.
    pub fn reduce(&self, linear: &Linear) -> Option<Linear> {
        let mut out = linear.clone();
        for (pivot, row) in &self.rows {
            let coefficient = out.coefficient(*pivot);
            if coefficient != 0 {
                out = out.plus(row, coefficient)?;
            }
        }
        Some(out)
    }

    /// Whether `linear = 0` follows (true), its negation does (false), or neither is seen.
    pub fn decide(&self, linear: &Linear) -> Option<bool> {
        let reduced = self.reduce(linear)?;
        reduced.terms.is_empty().then_some(reduced.constant == 0)
    }
}
