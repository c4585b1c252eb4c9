//! Small integers as a row of thresholds ("order encoding"; docs/engine.md, "Keys as an order"): unit propagation sees through sums and
//! equations of them. Rows built from outright facts are remembered; a row built on a path is folded by what is known
//! there and forgotten.

use crate::graph::{Graph, Lit, Node};
use crate::linear::Linear;
use crate::term::{Term, TermId};
use rustc_hash::FxHashMap;

/// The widest interval that is worth a row.
const WIDEST: i128 = 20;

/// A value from `lo` to `lo + at_least.len()`: `at_least[i]` says that it is at least `lo + 1 + i`.
#[derive(Clone)]
pub(crate) struct Row {
    lo: i64,
    at_least: Vec<Lit>,
}

/// Rows made for one question; None for a term that has none.
type Made = FxHashMap<TermId, Option<Row>>;

impl Row {
    fn constant(value: i64) -> Row {
        Row { lo: value, at_least: Vec::new() }
    }

    fn hi(&self) -> i64 {
        self.lo + self.at_least.len() as i64
    }

    fn at_least(&self, k: i64) -> Lit {
        if k <= self.lo {
            Lit::TRUE
        } else if k > self.hi() {
            Lit::FALSE
        } else {
            self.at_least[(k - self.lo - 1) as usize]
        }
    }
}

impl Graph {
    /// A formula that is equivalent to a linear comparison, on every path, and transparent to unit propagation; None if it
    /// would be large.
    pub fn unary_definition(&mut self, node: Node) -> Option<Lit> {
        if let Node::AtMost(term, most) = node {
            return self.outright(|g| g.tabulate(term, most));
        }
        let (Node::LinearLe(id) | Node::LinearEq(id)) = node else { return None };
        let linear = self.linear(id).clone();
        self.outright(|g| g.compare_rows(&linear, matches!(node, Node::LinearEq(_))))
    }

    /// The same, folded by what is known on this path.
    pub fn unary_comparison(&mut self, node: Node) -> Option<Lit> {
        let (Node::LinearLe(id) | Node::LinearEq(id)) = node else { return None };
        let linear = self.resolve_linear(self.linear(id))?;
        self.compare_rows(&linear, matches!(node, Node::LinearEq(_)))
    }

    /// linear = 0 or linear <= 0: the positive part against the negative part.
    fn compare_rows(&mut self, linear: &Linear, is_equation: bool) -> Option<Lit> {
        let minus = linear.constant.checked_neg()?;
        let (mut left, mut right) = (Row::constant(linear.constant.max(0)), Row::constant(minus.max(0)));
        let mut made = Made::default();
        for &(term, coefficient) in &linear.terms {
            let row = self.row(term, &mut made)?;
            let row = self.times(&row, coefficient.checked_abs()?)?;
            let side = if coefficient > 0 { &mut left } else { &mut right };
            *side = self.plus_rows(side, &row)?;
        }
        let mut all = Lit::TRUE;
        for k in left.lo.min(right.lo) + 1..=left.hi().max(right.hi()) {
            let (a, b) = (left.at_least(k), right.at_least(k));
            let part = if is_equation { self.iff(a, b) } else { self.implies(a, b) };
            all = self.and(all, part);
        }
        Some(all)
    }

    /// A comparison of an operator's result (say, a hash) with a constant as intervals of the one variable it depends on.
    fn tabulate(&mut self, term: TermId, most: i64) -> Option<Lit> {
        const VALUES: i128 = 256;
        let variable = self.only_variable(term)??;
        let (lo, hi) = self.interval(variable);
        if term == variable || i128::from(hi) - i128::from(lo) > VALUES {
            return None;
        }
        let mut any = Lit::FALSE;
        let mut start: Option<i64> = None;
        for value in lo..=hi {
            let holds = self.value_at(term, value) <= most;
            match (holds, start) {
                (true, None) => start = Some(value),
                (false, Some(first)) => {
                    let within = self.within(variable, first, value - 1);
                    any = self.or(any, within);
                    start = None;
                }
                _ => {}
            }
        }
        if let Some(first) = start {
            let within = self.within(variable, first, hi);
            any = self.or(any, within);
        }
        Some(any)
    }

    /// first <= term <= last.
    fn within(&mut self, term: TermId, first: i64, last: i64) -> Lit {
        let below = self.at_most(term, last);
        let above = first.checked_sub(1).map_or(Lit::TRUE, |before| !self.at_most(term, before));
        self.and(below, above)
    }

    /// The only variable that operators in a term depend on; Some(None) if there is none, None if there are others or conditions.
    fn only_variable(&self, term: TermId) -> Option<Option<TermId>> {
        let both = |a: Option<TermId>, b: Option<TermId>| match (a, b) {
            (Some(x), Some(y)) if x != y => None,
            (x, y) => Some(x.or(y)),
        };
        match self.term(term) {
            Term::Const(_) => Some(None),
            Term::Var(_) => Some(Some(term)),
            Term::Ite(..) => None,
            Term::Wrap(_, a) => self.only_variable(a),
            Term::Op(_, _, a, b) => both(self.only_variable(a)?, self.only_variable(b)?),
            Term::Sum(id) => {
                let mut found = None;
                for &(t, _) in &self.linear(id).terms {
                    found = both(found, self.only_variable(t)?)?;
                }
                Some(found)
            }
        }
    }

    /// The value of a term without conditions when its variable has a value.
    fn value_at(&self, term: TermId, value: i64) -> i64 {
        match self.term(term) {
            Term::Const(c) => c,
            Term::Var(_) | Term::Ite(..) => value,
            Term::Wrap(ty, a) => ty.wrap(self.value_at(a, value).into()),
            Term::Op(op, ty, a, b) => op.apply(ty, self.value_at(a, value), self.value_at(b, value)),
            Term::Sum(id) => {
                let linear = self.linear(id);
                linear.terms.iter().fold(linear.constant, |sum, &(t, c)| sum + self.value_at(t, value) * c)
            }
        }
    }

    /// Whether a term's interval is small enough for a row.
    pub(crate) fn is_narrow(&self, term: TermId) -> bool {
        let (lo, hi) = self.bounds(term);
        i128::from(hi) - i128::from(lo) <= WIDEST
    }

    /// term >= k, written out; None if the term's interval is wide.
    pub(crate) fn at_least(&mut self, term: TermId, k: i64) -> Option<Lit> {
        Some(self.row(term, &mut Made::default())?.at_least(k))
    }

    /// Terms are shared: what a question needs twice is made once.
    fn row(&mut self, term: TermId, made: &mut Made) -> Option<Row> {
        // Others are cheap to make, and outright facts are remembered for good.
        if self.is_hidden() || !matches!(self.term(term), Term::Ite(..) | Term::Sum(_)) {
            return self.new_row(term, made);
        }
        if let Some(row) = made.get(&term) {
            return row.clone();
        }
        let row = self.new_row(term, made);
        made.insert(term, row.clone());
        row
    }

    fn new_row(&mut self, term: TermId, made: &mut Made) -> Option<Row> {
        let (lo, hi) = self.bounds(term);
        if !self.is_narrow(term) {
            return None;
        }
        if let Some(row) = self.unary_forms.get(&term) {
            let row = row.clone();
            return Some(Row { lo, at_least: (lo + 1..=hi).map(|k| self.known(row.at_least(k))).collect() });
        }
        let row = match self.term(term) {
            Term::Const(value) => Row::constant(value),
            Term::Ite(c, a, b) => {
                let (a, b) = (self.row(a, made)?, self.row(b, made)?);
                Row { lo, at_least: (lo + 1..=hi).map(|k| self.select(c, a.at_least(k), b.at_least(k))).collect() }
            }
            Term::Sum(id) => {
                let linear: Linear = self.linear(id).clone();
                let mut sum = Row::constant(linear.constant);
                for (term, coefficient) in linear.terms {
                    let row = self.row(term, made)?;
                    let row = self.times(&row, coefficient)?;
                    sum = self.plus_rows(&sum, &row)?;
                }
                Row { lo, at_least: (lo + 1..=hi).map(|k| sum.at_least(k)).collect() }
            }
            Term::Var(_) | Term::Op(..) | Term::Wrap(..) => {
                Row { lo, at_least: (lo + 1..=hi).map(|k| !self.at_most(term, k - 1)).collect() }
            }
        };
        if self.is_hidden() {
            self.unary_forms.insert(term, row.clone());
        }
        Some(row)
    }

    fn times(&mut self, row: &Row, factor: i64) -> Option<Row> {
        let (a, b) = (i128::from(row.lo) * i128::from(factor), i128::from(row.hi()) * i128::from(factor));
        let (lo, hi) = (i64::try_from(a.min(b)).ok()?, i64::try_from(a.max(b)).ok()?);
        if i128::from(hi) - i128::from(lo) > WIDEST {
            return None;
        }
        let at_least = (lo + 1..=hi).map(|k| {
            if factor > 0 {
                // f*t >= k  iff  t >= ceil(k/f)
                row.at_least(-(-k).div_euclid(factor))
            } else {
                // -f*t >= k  iff  t <= floor(-k/f)  iff  not t >= floor(-k/f) + 1
                !row.at_least((-k).div_euclid(-factor) + 1)
            }
        });
        Some(Row { lo, at_least: at_least.collect() })
    }

    fn plus_rows(&mut self, a: &Row, b: &Row) -> Option<Row> {
        let (lo, hi) = (a.lo.checked_add(b.lo)?, a.hi().checked_add(b.hi())?);
        if i128::from(hi) - i128::from(lo) > 2 * WIDEST {
            return None;
        }
        let mut at_least = Vec::new();
        for k in lo + 1..=hi {
            let mut any = Lit::FALSE;
            for i in a.lo..=a.hi() {
                let both = self.and(a.at_least(i), b.at_least(k - i));
                any = self.or(any, both);
            }
            at_least.push(any);
        }
        Some(Row { lo, at_least })
    }
}
