//! Arrays and their indexes (docs/hob.md, "Statements"): whether two of them are the same, so that what is written with one is read with the
//! other.
//!
//! What goes in: the places that a procedure follows. What comes out: pairs of variables whose difference matters. Whether one is the other
//! plus so much (nothing, if they hold arrays) is followed as a Boolean variable would be; whether it is a constant is followed as for all
//! ints (`numbers`).

use super::spots::Spot;
use super::vocabulary::Tracked;
use super::walk::{Walk, constant};
use crate::program::*;
use sets::Formula as Fact;
use std::collections::BTreeSet;

/// A variable of the procedure or of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Variable {
    Local(LocalId),
    Global(GlobalId),
}

/// A variable plus a constant, or a constant alone; an array's variable as it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Index {
    pub of: Option<Variable>,
    pub plus: i64,
}

impl Index {
    pub fn read_by(e: &Expr) -> Option<Index> {
        match (&e.kind, constant(e)) {
            (_, Some(Constant::Int(plus))) => Some(Index { of: None, plus }),
            (ExprKind::Local(local), _) => Some(Index { of: Some(Variable::Local(*local)), plus: 0 }),
            (ExprKind::Global(global), _) => Some(Index { of: Some(Variable::Global(*global)), plus: 0 }),
            (ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b), _) => {
                let (a, b) = (Index::read_by(a)?, Index::read_by(b)?);
                match (op, a.of, b.of) {
                    (BinaryOp::Add, None, _) => Some(b.plus(a.plus)),
                    (BinaryOp::Add, _, None) => Some(a.plus(b.plus)),
                    (_, _, None) => Some(a.plus(-b.plus)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Ints wrap, so that different ones stay different.
    pub fn plus(self, by: i64) -> Index {
        Index { plus: super::numbers::sum(self.plus, by), ..self }
    }

    /// The same index, found before `variable = value` was run.
    pub fn before(self, variable: Variable, value: &Expr) -> Option<Index> {
        if self.of == Some(variable) { Some(Index::read_by(value)?.plus(self.plus)) } else { Some(self) }
    }
}

/// That one variable is another one, which comes later in order, plus so much.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Gap {
    pub of: Variable,
    pub from: Variable,
    pub plus: i64,
}

impl Gap {
    fn between(a: Index, b: Index) -> Option<Gap> {
        let (a, b) = if a.of < b.of { (a, b) } else { (b, a) };
        Some(Gap { of: a.of?, from: b.of?, plus: b.plus(-a.plus).plus })
    }

    pub fn hangs_on(self, variable: Variable) -> bool {
        self.of == variable || self.from == variable
    }

    fn sides(self) -> (Index, Index) {
        (Index { of: Some(self.of), plus: 0 }, Index { of: Some(self.from), plus: self.plus })
    }
}

/// Pairs of indexes, and of arrays, that may be the same, of different variables.
pub fn gaps<'a>(spots: impl IntoIterator<Item = (&'a Spot, &'a TypeId)>) -> BTreeSet<Gap> {
    let spots: Vec<(&Spot, &TypeId)> = spots.into_iter().collect();
    let mut found = BTreeSet::new();
    for (i, (a, ty)) in spots.iter().enumerate() {
        for (b, _) in spots[i + 1..].iter().filter(|(_, other)| other == ty) {
            let indexes = a.indexes().into_iter().flat_map(|a| b.indexes().into_iter().map(move |b| (a, b)));
            let arrays = a.array().zip(b.array()).filter(|(a, b)| a.0 == b.0).map(|(a, b)| (a.1, b.1));
            found.extend(indexes.chain(arrays).filter(|(a, b)| a.of != b.of).filter_map(|(a, b)| Gap::between(a, b)));
        }
    }
    found
}

/// Where two places are certainly the same, and where they are certainly not.
#[derive(Clone, Copy)]
pub struct Same {
    pub yes: Fact,
    pub no: Fact,
}

impl Walk<'_, '_> {
    pub fn same_if(&mut self, yes: bool, no: bool) -> Same {
        Same { yes: self.v.store.truth(yes), no: self.v.store.truth(no) }
    }

    /// As things are now.
    pub fn same_index(&mut self, a: Index, b: Index) -> Same {
        if a.of == b.of {
            return self.same_if(a.plus == b.plus, a.plus != b.plus);
        }
        let (Some(_), Some(_)) = (a.of, b.of) else {
            let (index, n) = if a.of.is_none() { (b, a.plus) } else { (a, b.plus) };
            let is = self.is_constant(index, n);
            return self.exactly(is);
        };
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for (gap, now) in Gap::between(a, b).map(|gap| self.alike(gap)).unwrap_or_default() {
            let is = self.v.store.boolean(now);
            if Gap::between(a, b) == Some(gap) {
                yes.push(is);
                no.push(self.v.store.not(is));
            } else {
                no.push(is);
            }
        }
        for n in self.constants_of(a) {
            if let (Some(x), Some(y)) = (self.is_constant(a, n), self.is_constant(b, n)) {
                let both = self.v.store.iff(x, y);
                yes.push(self.v.store.and([x, y]));
                no.push(self.v.store.not(both));
            }
        }
        Same { yes: self.v.store.or(yes), no: self.v.store.or(no) }
    }

    /// What is followed of the difference between the two variables.
    fn alike(&self, gap: Gap) -> Vec<(Gap, sets::Var)> {
        let followed = self.v.tracked.iter().filter_map(|(what, pair)| match what {
            Tracked::Gap(other) if (other.of, other.from) == (gap.of, gap.from) => Some((*other, pair.now)),
            _ => None,
        });
        followed.collect()
    }

    fn exactly(&mut self, is: Option<Fact>) -> Same {
        match is {
            Some(yes) => Same { yes, no: self.v.store.not(yes) },
            None => self.same_if(false, false),
        }
    }

    /// Values of the index that are followed.
    fn constants_of(&self, index: Index) -> Vec<i64> {
        let Some(Variable::Local(local)) = index.of else { return Vec::new() };
        let numbers = self.v.numbers_of(local).into_iter();
        numbers
            .filter_map(
                |what| if let Tracked::Number(_, n) = what { Some(super::numbers::sum(n, index.plus)) } else { None },
            )
            .collect()
    }

    fn is_constant(&mut self, index: Index, n: i64) -> Option<Fact> {
        let Some(Variable::Local(local)) = index.of else { return None };
        let var = self.v.now(Tracked::Number(local, super::numbers::sum(n, -index.plus)))?;
        Some(self.v.store.boolean(var))
    }

    /// What is followed of differences from a variable.
    pub fn gaps(&self, variable: Variable) -> Vec<Tracked> {
        let gaps = self.v.tracked.keys().filter(|what| matches!(what, Tracked::Gap(gap) if gap.hangs_on(variable)));
        gaps.copied().collect()
    }

    /// Where a difference was as it is once `variable = value` is run.
    pub fn gap_before(&mut self, gap: Gap, variable: Variable, value: &Expr) -> Same {
        let (a, b) = gap.sides();
        match (a.before(variable, value), b.before(variable, value)) {
            (Some(a), Some(b)) => self.same_index(a, b),
            // Nothing else is a new array.
            _ => self.same_if(false, matches!(value.kind, ExprKind::NewArray(_))),
        }
    }

    /// What a comparison of two indexes or arrays says beside: where it holds, and where it does not.
    pub fn compared_indexes(&mut self, sides: (Fact, Fact), op: BinaryOp, a: &Expr, b: &Expr) -> (Fact, Fact) {
        let (Some(a), Some(b)) = (Index::read_by(a), Index::read_by(b)) else { return sides };
        let Some(same) = Gap::between(a, b).and_then(|gap| self.v.now(Tracked::Gap(gap))) else { return sides };
        let same = self.v.store.boolean(same);
        let differ = self.v.store.not(same);
        let (yes, no) = match op {
            BinaryOp::Equal => (Some(same), Some(differ)),
            BinaryOp::NotEqual => (Some(differ), Some(same)),
            BinaryOp::Less | BinaryOp::Greater => (Some(differ), None),
            _ => (None, Some(differ)),
        };
        (self.v.store.and([sides.0].into_iter().chain(yes)), self.v.store.and([sides.1].into_iter().chain(no)))
    }
}
