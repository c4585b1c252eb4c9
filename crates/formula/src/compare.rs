//! Comparisons of integer terms. The result is a constant, a formula over the conditions inside the terms, or one of the
//! leaves of [`Node`], each in one canonical form, so that equal comparisons are equal literals.

use crate::graph::{Graph, Lit, Node};
use crate::knowledge::Difference;
use crate::linear::Linear;
use crate::term::{Term, TermId};

/// Up to this many pairs of leaves, a comparison moves inside conditionals.
const LEAF_PAIRS: u32 = 256;
/// Up to this many leaves, where they are all compared with one thing.
const LEAVES: u32 = 4096;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Le,
    Eq,
}

impl Graph {
    pub fn le(&mut self, a: TermId, b: TermId) -> Lit {
        self.compare(Relation::Le, a, b)
    }

    pub fn lt(&mut self, a: TermId, b: TermId) -> Lit {
        !self.compare(Relation::Le, b, a)
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> Lit {
        self.compare(Relation::Eq, a, b)
    }

    pub fn eq_constant(&mut self, a: TermId, value: i64) -> Lit {
        let b = self.constant(value);
        self.eq(a, b)
    }

    pub fn le_constant(&mut self, a: TermId, value: i64) -> Lit {
        let b = self.constant(value);
        self.le(a, b)
    }

    fn compare(&mut self, relation: Relation, a: TermId, b: TermId) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        let (m, n) = (self.choices(a), self.choices(b));
        // Variables inside are compared as such. Where all leaves are constants, a linear form says more.
        let variables = self.has_variable(a) || self.has_variable(b);
        let most = if m == 1 || n == 1 { LEAVES } else { LEAF_PAIRS };
        if variables && m > 0 && n > 0 && m.saturating_mul(n) <= most {
            if let (Term::Ite(c, x, y), Term::Ite(d, z, w)) = (self.term(a), self.term(b))
                && c == d
            {
                return self.split(relation, c, (x, z), (y, w));
            }
            if let Term::Ite(c, x, y) = self.term(a) {
                return self.split(relation, c, (x, b), (y, b));
            }
            if let Term::Ite(c, x, y) = self.term(b) {
                return self.split(relation, c, (a, x), (a, y));
            }
        }
        let difference = match (self.linear_of(a), self.linear_of(b)) {
            (Some(x), Some(y)) => x.plus(&y, -1),
            _ => None,
        };
        match (difference, relation) {
            (Some(linear), Relation::Le) => self.at_most_zero(linear),
            (Some(linear), Relation::Eq) => self.equals_zero(linear),
            // The constants alone leave 64 bits: bit by bit then.
            (None, Relation::Le) => self.blank(|g| g.le_by_bits(a, b)),
            (None, Relation::Eq) => self.blank(|g| g.eq_by_bits(a, b)),
        }
    }

    fn split(&mut self, relation: Relation, c: Lit, then: (TermId, TermId), otherwise: (TermId, TermId)) -> Lit {
        match self.value(c) {
            Some(true) => self.compare(relation, then.0, then.1),
            Some(false) => self.compare(relation, otherwise.0, otherwise.1),
            None => {
                let x = self.compare_under(c, relation, then);
                let y = self.compare_under(!c, relation, otherwise);
                self.ite(c, x, y)
            }
        }
    }

    /// Where the condition is a bound of a variable, its part of the comparison often follows from it.
    fn compare_under(&mut self, c: Lit, relation: Relation, (a, b): (TermId, TermId)) -> Lit {
        let is_bound = matches!(self.node(c.node()), Node::AtMost(term, _) if matches!(self.term(term), Term::Var(_)));
        if !is_bound {
            return self.compare(relation, a, b);
        }
        let mark = self.push_guard(c);
        let lit = self.compare(relation, a, b);
        self.undo_to(mark);
        lit
    }

    /// linear <= 0
    pub fn at_most_zero(&mut self, mut linear: Linear) -> Lit {
        let (lo, hi) = self.linear_bounds(&linear);
        if hi <= 0 {
            return Lit::TRUE;
        }
        if lo > 0 {
            return Lit::FALSE;
        }
        let divisor = divisor(&linear);
        if divisor > 1 {
            // g*l + c <= 0  iff  l + ceil(c/g) <= 0
            linear.constant = -(-linear.constant).div_euclid(divisor);
            linear.terms.iter_mut().for_each(|(_, c)| *c /= divisor);
        }
        match linear.terms[..] {
            [(term, 1)] => self.at_most(term, -linear.constant),
            // -t + c <= 0  iff  t >= c
            [(term, _)] => !self.at_most(term, linear.constant - 1),
            [(x, 1), (y, -1)] if self.both_variables(x, y) => self.difference(x, y, -linear.constant),
            [(y, -1), (x, 1)] if self.both_variables(x, y) => self.difference(x, y, -linear.constant),
            _ => {
                // not (l <= 0)  iff  -l + 1 <= 0
                let negate = linear.terms[0].1 < 0;
                if negate && let Some(mut negated) = linear.scale(-1) {
                    negated.constant += 1;
                    linear = negated;
                }
                let id = self.intern_linear(linear);
                let node = self.intern(Node::LinearLe(id));
                self.known(Lit::new(node, !negate))
            }
        }
    }

    /// linear = 0
    pub fn equals_zero(&mut self, mut linear: Linear) -> Lit {
        let (lo, hi) = self.linear_bounds(&linear);
        if lo > 0 || hi < 0 {
            return Lit::FALSE;
        }
        if lo == 0 && hi == 0 {
            return Lit::TRUE;
        }
        let divisor = divisor(&linear);
        if linear.constant % divisor != 0 {
            return Lit::FALSE;
        }
        linear.constant /= divisor;
        linear.terms.iter_mut().for_each(|(_, c)| *c /= divisor);
        if linear.terms[0].1 < 0
            && let Some(negated) = linear.scale(-1)
        {
            linear = negated;
        }
        match linear.terms[..] {
            [(term, 1)] if self.is_atomic(term) || self.is_narrow(term) => {
                let value = -linear.constant;
                let (most, less) = (self.at_most(term, value), self.at_most(term, value - 1));
                self.and(most, !less)
            }
            [(x, 1), (y, -1)] if self.both_variables(x, y) => {
                let c = -linear.constant;
                let (most, least) = (self.difference(x, y, c), self.difference(y, x, -c));
                self.and(most, least)
            }
            _ => {
                let id = self.intern_linear(linear);
                let node = self.intern(Node::LinearEq(id));
                self.known(Lit::new(node, true))
            }
        }
    }

    fn both_variables(&self, x: TermId, y: TermId) -> bool {
        matches!((self.term(x), self.term(y)), (Term::Var(_), Term::Var(_)))
    }

    /// term <= most
    pub fn at_most(&mut self, term: TermId, most: i64) -> Lit {
        let (lo, hi) = self.bounds(term);
        if hi <= most {
            return Lit::TRUE;
        }
        if lo > most {
            return Lit::FALSE;
        }
        if !self.is_atomic(term)
            && let Some(more) = self.at_least(term, most + 1)
        {
            return self.known(!more);
        }
        let node = self.intern_at_most(term, most);
        self.known(Lit::new(node, true))
    }

    /// Neither a conditional nor a sum: nothing is inside that a comparison could look at.
    fn is_atomic(&self, term: TermId) -> bool {
        matches!(self.term(term), Term::Var(_) | Term::Op(..) | Term::Wrap(..) | Term::Const(_))
    }

    /// x - y <= most
    pub(crate) fn difference(&mut self, x: TermId, y: TermId, most: i64) -> Lit {
        let d = Difference { x, y, most };
        if let Some(value) = self.implied(d) {
            return Lit::constant(value);
        }
        let (d, negate) = if x < y { (d, false) } else { (Difference { x: y, y: x, most: -most - 1 }, true) };
        let node = self.intern(Node::Difference(d));
        self.known(Lit::new(node, !negate))
    }
}

fn divisor(linear: &Linear) -> i64 {
    fn gcd(a: i64, b: i64) -> i64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    linear.terms.iter().fold(0, |g, (_, c)| gcd(g, c.saturating_abs())).max(1)
}
