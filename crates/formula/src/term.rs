//! Integer terms: hash-consed, each with the interval its value lies in. The value is a mathematical integer; wrapping is
//! explicit, and disappears where the interval shows that nothing can overflow.

use crate::graph::{Graph, Lit, Node};
use crate::linear::{Linear, LinearId};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub u32);

impl TermId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A machine integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntTy {
    I8,
    I16,
    U16,
    I32,
    I64,
}

impl IntTy {
    pub fn range(self) -> (i64, i64) {
        match self {
            IntTy::I8 => (-128, 127),
            IntTy::I16 => (-32768, 32767),
            IntTy::U16 => (0, 65535),
            IntTy::I32 => (i32::MIN.into(), i32::MAX.into()),
            IntTy::I64 => (i64::MIN, i64::MAX),
        }
    }

    pub fn bits(self) -> usize {
        match self {
            IntTy::I8 => 8,
            IntTy::I16 | IntTy::U16 => 16,
            IntTy::I32 => 32,
            IntTy::I64 => 64,
        }
    }

    /// Two's complement wrap-around.
    pub fn wrap(self, value: i128) -> i64 {
        match self {
            IntTy::I8 => (value as i8).into(),
            IntTy::I16 => (value as i16).into(),
            IntTy::U16 => (value as u16).into(),
            IntTy::I32 => (value as i32).into(),
            IntTy::I64 => value as i64,
        }
    }
}

/// Operators that are not linear. Operands and result are of the given type (32 or 64 bits).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntOp {
    /// With wrap-around, where 64 bits may overflow.
    Add,
    Sub,
    Mul,
    /// Truncating; the divisor is not zero where the value matters.
    Div,
    Rem,
    And,
    Or,
    Xor,
    /// The shift distance is already masked.
    Shl,
    Shr,
    UShr,
}

impl IntOp {
    /// As Java computes it.
    pub fn apply(self, ty: IntTy, a: i64, b: i64) -> i64 {
        let (x, y) = (i128::from(a), i128::from(b));
        let wide = match self {
            IntOp::Add => x + y,
            IntOp::Sub => x - y,
            IntOp::Mul => i128::from(a.wrapping_mul(b)),
            IntOp::Div | IntOp::Rem if b == 0 => 0,
            IntOp::Div => x / y,
            IntOp::Rem => x % y,
            IntOp::And => i128::from(a & b),
            IntOp::Or => i128::from(a | b),
            IntOp::Xor => i128::from(a ^ b),
            IntOp::Shl => i128::from(a.wrapping_shl(b as u32)),
            IntOp::Shr => i128::from(a >> (b & 63)),
            IntOp::UShr if ty == IntTy::I64 => i128::from(((a as u64) >> (b & 63)) as i64),
            IntOp::UShr => i128::from(((a as u32) >> (b & 31)) as i32),
        };
        ty.wrap(wide)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    Const(i64),
    /// A free variable; the number makes it unique. Its range is that of its interval.
    Var(u32),
    Ite(Lit, TermId, TermId),
    /// A linear form with at least one term.
    Sum(LinearId),
    Op(IntOp, IntTy, TermId, TermId),
    /// The operand wrapped to the type.
    Wrap(IntTy, TermId),
}

/// Larger trees of conditionals are left as they are.
const MOST_LEAVES: u32 = 4096;

#[derive(Clone, Default)]
pub(crate) struct Terms {
    pub terms: Vec<Term>,
    pub intervals: Vec<(i64, i64)>,
    /// How many leaves a tree of conditionals over constants and variables (with a constant added) has; 0 if it is not one.
    pub choices: Vec<u32>,
    /// Whether such a tree has a variable among its leaves.
    pub has_variable: Vec<bool>,
    table: FxHashMap<Term, TermId>,
    /// By variable, the operations on it and a constant.
    operations: FxHashMap<TermId, Vec<TermId>>,
    variables: u32,
}

impl Graph {
    pub fn term(&self, id: TermId) -> Term {
        self.terms.terms[id.index()]
    }

    /// The interval known statically: without what is assumed on a path.
    pub fn interval(&self, id: TermId) -> (i64, i64) {
        self.terms.intervals[id.index()]
    }

    /// Whether it is a conditional over a few constants and variables.
    pub fn is_small_choice(&self, id: TermId) -> bool {
        const FEW: u32 = 8;
        matches!(self.term(id), Term::Ite(..)) && (2..=FEW).contains(&self.choices(id)) && self.has_variable(id)
    }

    pub(crate) fn choices(&self, id: TermId) -> u32 {
        self.terms.choices[id.index()]
    }

    pub(crate) fn has_variable(&self, id: TermId) -> bool {
        self.terms.has_variable[id.index()]
    }

    pub fn term_count(&self) -> usize {
        self.terms.terms.len()
    }

    pub(crate) fn add_term(&mut self, term: Term, interval: (i64, i64)) -> TermId {
        if let Some(&id) = self.terms.table.get(&term) {
            return id;
        }
        let id = TermId(self.terms.terms.len() as u32);
        let choices = match term {
            Term::Const(_) | Term::Var(_) => 1,
            Term::Sum(id) if self.is_shifted_variable(id) => 1,
            Term::Ite(_, a, b) if self.choices(a) > 0 && self.choices(b) > 0 => {
                self.choices(a).saturating_add(self.choices(b))
            }
            _ => 0,
        };
        let has_variable = match term {
            Term::Var(_) => true,
            Term::Sum(id) => self.is_shifted_variable(id),
            Term::Ite(_, a, b) => self.has_variable(a) || self.has_variable(b),
            _ => false,
        };
        if let Some(operand) = self.operand(term) {
            self.terms.operations.entry(operand).or_default().push(id);
        }
        self.terms.has_variable.push(has_variable);
        self.terms.terms.push(term);
        self.terms.intervals.push(interval);
        self.terms.choices.push(choices);
        self.terms.table.insert(term, id);
        self.knowledge.grow_term(interval);
        self.grow_term_places(term);
        id
    }

    /// The variable of an operation on one and a constant.
    fn operand(&self, term: Term) -> Option<TermId> {
        let Term::Op(_, _, a, b) = term else { return None };
        match (self.term(a), self.term(b)) {
            (Term::Var(_), Term::Const(_)) => Some(a),
            (Term::Const(_), Term::Var(_)) => Some(b),
            _ => None,
        }
    }

    /// The same operations on two variables: they are equal where these are.
    pub fn same_operations(&self, x: TermId, y: TermId) -> Vec<(TermId, TermId)> {
        let on_y = |&of_x: &TermId| {
            let Term::Op(op, ty, a, b) = self.term(of_x) else { return None };
            let [a, b] = [a, b].map(|operand| if operand == x { y } else { operand });
            self.terms.table.get(&Term::Op(op, ty, a, b)).map(|&of_y| (of_x, of_y))
        };
        self.terms.operations.get(&x).into_iter().flatten().filter_map(on_y).collect()
    }

    /// x + c
    fn is_shifted_variable(&self, id: LinearId) -> bool {
        matches!(self.linear(id).terms[..], [(x, 1)] if matches!(self.term(x), Term::Var(_)))
    }

    /// term + by, if that is no overflow.
    pub fn shifted(&mut self, term: TermId, by: i64) -> Option<TermId> {
        let mut linear = self.linear_of(term)?;
        linear.constant = linear.constant.checked_add(by)?;
        self.term_of_linear(linear)
    }

    pub fn constant(&mut self, value: i64) -> TermId {
        self.add_term(Term::Const(value), (value, value))
    }

    pub fn as_constant(&self, id: TermId) -> Option<i64> {
        match self.term(id) {
            Term::Const(value) => Some(value),
            _ => {
                let (lo, hi) = self.bounds(id);
                (lo == hi).then_some(lo)
            }
        }
    }

    /// What is left of a conditional whose condition is known.
    pub fn narrowed(&self, mut term: TermId) -> TermId {
        while let Term::Ite(c, x, y) = self.term(term) {
            term = match (self.knowledge.narrowed(term), self.value(c)) {
                (Some(left), _) => left,
                (None, Some(value)) => [y, x][usize::from(value)],
                (None, None) => break,
            };
        }
        term
    }

    /// The same, remembered as long as what it rests on is known: each link of a long chain is asked for.
    pub fn narrow(&mut self, term: TermId) -> TermId {
        let left = self.narrowed(term);
        if left != term {
            self.knowledge.set_narrowed(term, left);
        }
        left
    }

    /// A fresh variable with values from `lo` to `hi`.
    pub fn int_var(&mut self, lo: i64, hi: i64) -> TermId {
        if lo == hi {
            return self.constant(lo);
        }
        let number = self.terms.variables;
        self.terms.variables += 1;
        self.add_term(Term::Var(number), (lo, hi))
    }

    pub fn int_ite(&mut self, c: Lit, a: TermId, b: TermId) -> TermId {
        let c = self.known(c);
        if c == Lit::TRUE || a == b {
            return a;
        }
        if c == Lit::FALSE {
            return b;
        }
        if c.is_negated() {
            return self.int_ite(!c, b, a);
        }
        // if c then (if c then x else _) else b
        let a = match self.term(a) {
            Term::Ite(d, x, _) if d == c => x,
            _ => a,
        };
        let b = match self.term(b) {
            Term::Ite(d, _, y) if d == c => y,
            _ => b,
        };
        if a == b {
            return a;
        }
        if let (Term::Const(x), Term::Const(y)) = (self.term(a), self.term(b))
            && (x, y) != (1, 0)
        {
            // The 0/1 form of the condition exists wherever a multiple of it does: see `add_conditional`.
            self.int_of(c);
        }
        if let Some(sum) = self.hoisted(c, a, b) {
            return sum;
        }
        if let Some(term) = self.along_a_chain(c, a, b) {
            return term;
        }
        let ((al, ah), (bl, bh)) = (self.interval(a), self.interval(b));
        self.add_term(Term::Ite(c, a, b), (al.min(bl), ah.max(bh)))
    }

    /// `(h ? p : q) ? a : (h ? x : y)` as `h ? (p ? a : x) : (q ? a : y)`: what is asked of an entry of a list is asked of each
    /// entry, and found where the entry is.
    fn along_a_chain(&mut self, c: Lit, a: TermId, b: TermId) -> Option<TermId> {
        let is_chain = |term| (2..=MOST_LEAVES).contains(&self.choices(term)) && self.has_variable(term);
        let condition = |term| match self.term(term) {
            Term::Ite(h, ..) if is_chain(term) => Some(h),
            _ => None,
        };
        let (of_a, of_b) = (condition(a), condition(b));
        // Two chains would be taken apart into pieces that nothing else has.
        if !matches!(self.term(a), Term::Const(_)) && !matches!(self.term(b), Term::Const(_)) {
            return None;
        }
        for h in [of_b, of_a].into_iter().flatten() {
            if let Some((p, q)) = self.cofactors(c, h) {
                let part = |term: TermId, when: bool| match self.term(term) {
                    Term::Ite(d, x, y) if d == h => {
                        if when {
                            x
                        } else {
                            y
                        }
                    }
                    _ => term,
                };
                let ((x, y), (z, w)) = ((part(a, true), part(b, true)), (part(a, false), part(b, false)));
                let (x, y) = (self.int_ite(p, x, y), self.int_ite(q, z, w));
                return Some(self.int_ite(h, x, y));
            }
            // The list itself may be empty.
            if let Node::And(p, q) = self.node(c.node())
                && let Some((p, q)) = [(p, q), (q, p)].into_iter().find(|(_, q)| self.cofactors(*q, h).is_some())
            {
                let inner = self.int_ite(q, a, b);
                return Some(self.int_ite(p, inner, b));
            }
        }
        None
    }

    /// `c ? x + y : 0` as `x + (c ? y : 0)`, where x is zero unless c holds: so a count over a tree is one sum over its places.
    fn hoisted(&mut self, c: Lit, a: TermId, b: TermId) -> Option<TermId> {
        if self.term(b) != Term::Const(0) || !matches!(self.term(a), Term::Sum(_) | Term::Ite(..)) {
            return None;
        }
        let is_zero_unless = |term: TermId| matches!(self.term(term), Term::Ite(d, _, y) if self.entails(d, c) && self.term(y) == Term::Const(0));
        let mut rest = self.linear_of(a)?;
        let (outside, inside): (Vec<_>, Vec<_>) = rest.terms.iter().partition(|(term, _)| is_zero_unless(*term));
        if outside.is_empty() {
            return None;
        }
        rest.terms = inside;
        let rest = self.term_of_linear(rest)?;
        let zero = self.constant(0);
        let rest = self.int_ite(c, rest, zero);
        let mut all = self.linear_of(rest)?;
        all = all.plus(&Linear { constant: 0, terms: outside }, 1)?;
        self.term_of_linear(all)
    }

    /// `c ? 1 : 0`, if it was made.
    pub(crate) fn condition_as_term(&self, c: Lit) -> Option<TermId> {
        let (one, zero) = (self.terms.table.get(&Term::Const(1))?, self.terms.table.get(&Term::Const(0))?);
        self.terms.table.get(&Term::Ite(c, *one, *zero)).copied()
    }

    /// A Boolean as 0 or 1.
    pub fn int_of(&mut self, lit: Lit) -> TermId {
        let (one, zero) = (self.constant(1), self.constant(0));
        self.int_ite(lit, one, zero)
    }

    /// A sum that may overflow the type, wrapped if its interval says so.
    pub fn wrap(&mut self, ty: IntTy, a: TermId) -> TermId {
        let (lo, hi) = ty.range();
        let (al, ah) = self.interval(a);
        if lo <= al && ah <= hi {
            return a;
        }
        if let Some(value) = self.as_constant(a) {
            return self.constant(ty.wrap(value.into()));
        }
        // Leaf by leaf, and leaves may be shared many times over.
        const LEAVES: u32 = 1 << 12;
        if let Term::Ite(c, x, y) = self.term(a)
            && (1..=LEAVES).contains(&self.choices(a))
        {
            let (x, y) = (self.wrap(ty, x), self.wrap(ty, y));
            return self.int_ite(c, x, y);
        }
        self.add_term(Term::Wrap(ty, a), (lo, hi))
    }

    pub fn int_op(&mut self, op: IntOp, ty: IntTy, a: TermId, b: TermId) -> TermId {
        // What means the same is one term: constants stand second, and `% 4` of what is not negative is `& 3`.
        let is_commutative = matches!(op, IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor);
        let (a, b) = if is_commutative && self.as_constant(a).is_some() { (b, a) } else { (a, b) };
        if let (IntOp::Rem, Some(divisor @ 1..)) = (op, self.as_constant(b))
            && divisor & (divisor - 1) == 0
            && self.interval(a).0 >= 0
        {
            let mask = self.constant(divisor - 1);
            return self.int_op(IntOp::And, ty, a, mask);
        }
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(op.apply(ty, x, y));
        }
        if let Some(simple) = self.simple_op(op, a, b) {
            return simple;
        }
        // Conditionals over few constants are computed leaf by leaf: nothing is left to blast.
        const LEAVES: u32 = 16;
        for (x, left) in [(a, true), (b, false)] {
            let other = if left { b } else { a };
            if let Term::Ite(c, p, q) = self.term(x)
                && self.all_leaves_constant(x)
                && self.choices(x) <= LEAVES
                && (self.as_constant(other).is_some()
                    || self.all_leaves_constant(other) && self.choices(other) <= LEAVES)
            {
                let (p, q) = if left {
                    (self.int_op(op, ty, p, b), self.int_op(op, ty, q, b))
                } else {
                    (self.int_op(op, ty, a, p), self.int_op(op, ty, a, q))
                };
                return self.int_ite(c, p, q);
            }
        }
        let interval = self.op_interval(op, ty, a, b);
        if interval.0 == interval.1 {
            return self.constant(interval.0);
        }
        self.add_term(Term::Op(op, ty, a, b), interval)
    }

    /// What bit masks and shifts of a small value leave as it is.
    fn simple_op(&self, op: IntOp, a: TermId, b: TermId) -> Option<TermId> {
        for (x, y) in [(a, b), (b, a)] {
            let constant = match self.term(y) {
                Term::Const(c) => c,
                _ => continue,
            };
            let (lo, hi) = self.interval(x);
            match op {
                IntOp::Or | IntOp::Xor if constant == 0 => return Some(x),
                IntOp::And if constant == -1 => return Some(x),
                // A mask of ones that covers every value.
                IntOp::And
                    if constant >= 0 && constant & constant.wrapping_add(1) == 0 && lo >= 0 && hi <= constant =>
                {
                    return Some(x);
                }
                _ => {}
            }
        }
        match op {
            IntOp::Shl | IntOp::Shr | IntOp::UShr if self.term(b) == Term::Const(0) => Some(a),
            _ => None,
        }
    }

    fn all_leaves_constant(&self, a: TermId) -> bool {
        self.choices(a) > 0 && !self.has_variable(a)
    }

    fn op_interval(&self, op: IntOp, ty: IntTy, a: TermId, b: TermId) -> (i64, i64) {
        let ((al, ah), (bl, bh)) = (self.interval(a), self.interval(b));
        let (lo, hi) = ty.range();
        let all = (lo, hi);
        let corners = |f: &dyn Fn(i128, i128) -> i128| {
            let values =
                [f(al.into(), bl.into()), f(al.into(), bh.into()), f(ah.into(), bl.into()), f(ah.into(), bh.into())];
            let (min, max) = (*values.iter().min().unwrap_or(&0), *values.iter().max().unwrap_or(&0));
            if min < lo.into() || max > hi.into() { all } else { (min as i64, max as i64) }
        };
        match op {
            IntOp::Mul => corners(&|x, y| x * y),
            IntOp::Div if bl > 0 => corners(&|x, y| x / y),
            IntOp::Rem if bl > 0 && al >= 0 => (0, ah.min(bh - 1)),
            IntOp::Rem if bl > 0 => (al.max(1 - bh), if ah > 0 { ah.min(bh - 1) } else { 0 }),
            IntOp::And if al >= 0 && bl >= 0 => (0, ah.min(bh)),
            IntOp::And if al >= 0 => (0, ah),
            IntOp::And if bl >= 0 => (0, bh),
            IntOp::Or | IntOp::Xor if al >= 0 && bl >= 0 => {
                let most =
                    (ah.max(bh) as u64).checked_add(1).and_then(u64::checked_next_power_of_two).unwrap_or(1 << 63);
                (0, ((most - 1) as i64).min(hi))
            }
            IntOp::Shr if bl == bh => (al >> (bl & 63), ah >> (bl & 63)),
            IntOp::UShr if al >= 0 && bl == bh => (al >> (bl & 63), ah >> (bl & 63)),
            IntOp::Shl if bl == bh && (0..32).contains(&bl) => corners(&|x, _| x << bl),
            _ => all,
        }
    }
}
