//! Which integers a quantifier of a heap formula has to try: it ranges over all values of type int, and finitely many stand for them.
//!
//! What goes in: the variable and the body of a quantifier. What comes out: [`Points`], by which whoever evaluates the quantifier
//! (the interpreter on a heap, `bounded` as code) finds those integers; None where this argument finds none.
//!
//! The argument. Fix the heap and the variables around. An atom with the variable i is one of two things:
//! - it has an element `a[i + c]` in it: then it is false unless `0 <= i + c < a.length`, so all those i are tried (a *window*);
//! - it compares `i` with a value t that does not depend on i (a *mark*): its truth is the same for all i < t, and for all i > t.
//!
//! So between two neighbours among the marks and the integers of the windows the body does not change, and it is enough to try each
//! of them, the integer after it, and the least int of all. A limit (`exists i. i > t & …`) makes those beyond it superfluous, but not the
//! ends of all ints, unless it is certain that t is one and not near them. A body that asks another quantified integer j, too, may compare `i + c`
//! with `j`. Eliminating the innermost first, j need only be tried at its own marks m, at i + c, one after each of these, and at the
//! least int. Put there, an atom of i and j becomes one of i with m + d, |d| <= c + 1 (and one of two other variables, with at most
//! 2c + 1 between them). So the marks of all variables that are compared with each other count for i as well, each with a *spread* of
//! d around it that grows with each elimination; and so do the least and the greatest int, beyond which nothing may be tried.
//! Objects, Booleans and integers of windows that are quantified within the body and that a mark depends on: every value of theirs
//! makes a mark.
//!
//! Not covered, hence None: `i + i`, `i * n`, `i / 2`, `i + j` or `i - j + size` compared with anything, `a[i + j]`. More integers than needed do no harm.

use crate::program::{BinaryOp, HeapFormula, HeapTerm, Type, TypeId};

/// The least and the greatest value of type int.
pub const LEAST: i64 = i32::MIN as i64;
pub const GREATEST: i64 = i32::MAX as i64;

/// Sums of products with ints stay within 64 bits.
const GREATEST_FACTOR: u64 = 1 << 31;

/// More around each mark are not tried.
const MOST_AROUND: i64 = 1 << 12;

/// A sum: a constant, variables that are bound within the quantifier's body, and other terms, with their factors.
#[derive(Clone, Debug, Default)]
pub struct Linear<'f> {
    pub constant: i64,
    pub variables: Vec<(u32, i64)>,
    pub terms: Vec<(i64, &'f HeapTerm)>,
}

/// An element of an array: its index is ± the variable plus the rest.
#[derive(Clone, Debug)]
pub struct Window<'f> {
    pub array: &'f HeapTerm,
    pub sign: i64,
    pub rest: Linear<'f>,
}

impl Window<'_> {
    /// c if the index is the variable plus c.
    pub fn shift(&self) -> Option<i64> {
        let is_plain = self.sign == 1 && self.rest.variables.is_empty() && self.rest.terms.is_empty();
        is_plain.then_some(self.rest.constant)
    }
}

/// A variable that is bound within the body: all its values are gone through, in this order.
#[derive(Clone, Debug)]
pub enum Free<'f> {
    Object(u32, TypeId),
    Bool(u32),
    /// An integer by which an array is indexed.
    Index(u32, Window<'f>),
}

/// What the variable is compared with, and which integers around it are tried.
#[derive(Clone, Debug)]
pub struct Mark<'f> {
    pub value: Linear<'f>,
    pub around: (i64, i64),
    pub free: Vec<Free<'f>>,
}

#[derive(Clone, Debug)]
pub struct Points<'f> {
    /// How far around the integers of windows, and from the ends of all ints, are tried as well.
    pub spread: i64,
    pub marks: Vec<Mark<'f>>,
    pub windows: Vec<(Window<'f>, Vec<Free<'f>>)>,
    /// Whether the least and the greatest ints are tried.
    ends: (bool, bool),
}

impl Points<'_> {
    /// Those of the least and the greatest ints that are tried.
    pub fn ends(&self) -> Vec<(i64, i64)> {
        let most = if self.spread > 0 { LEAST + self.spread + 1 } else { LEAST };
        let mut ends = Vec::new();
        if self.ends.0 {
            ends.push((LEAST, most));
        }
        if self.ends.1 {
            ends.push((GREATEST - self.spread, GREATEST));
        }
        ends
    }
}

/// An atom, as far as integers are concerned.
struct Atom<'f> {
    /// `sum op 0`.
    comparison: Option<(BinaryOp, Linear<'f>)>,
    /// The variables in its indexes.
    windows: Vec<(u32, Window<'f>)>,
    /// The variables that are bound around it, within the quantifier; the quantifier's own comes first.
    bound: Vec<(u32, &'f Type)>,
    /// Whether the quantifier is decided where it does not hold.
    is_guard: bool,
}

impl Atom<'_> {
    fn is_window(&self, variable: u32) -> bool {
        self.windows.iter().any(|(v, _)| *v == variable)
    }

    /// The integers that it compares, unless they are integers of windows.
    fn compared(&self) -> Vec<(u32, i64)> {
        let sum = self.comparison.iter().flat_map(|(_, sum)| sum.variables.iter().copied());
        sum.filter(|(v, _)| !self.is_window(*v)).collect()
    }
}

/// What `variable` has to be tried at.
pub fn points(variable: u32, exists: bool, body: &HeapFormula) -> Option<Points<'_>> {
    let mut guards = Vec::new();
    conjuncts(body, exists, &mut |part| guards.push(std::ptr::from_ref(part)));
    let mut atoms = Vec::new();
    atoms_of(body, &mut vec![(variable, &Type::Int)], &guards, &mut atoms)?;

    // The variables that are compared with each other, from this one on.
    let mut related = vec![variable];
    let mut next = 0;
    while let Some(&u) = related.get(next) {
        next += 1;
        for atom in &atoms {
            let compared = atom.compared();
            if compared.iter().any(|(v, _)| *v == u) {
                for (v, _) in compared {
                    if !related.contains(&v) {
                        related.push(v);
                    }
                }
            }
        }
    }
    let mut distance = 0i64;
    for atom in &atoms {
        let compared = atom.compared();
        if !compared.iter().any(|(v, _)| related.contains(v)) {
            continue;
        }
        match compared[..] {
            [(_, 1 | -1)] => {}
            [(_, a), (_, b)] if a * b == -1 => {
                let (_, sum) = atom.comparison.as_ref()?;
                if !sum.terms.is_empty() || sum.variables.len() > 2 {
                    return None;
                }
                distance = distance.max(sum.constant.checked_abs()?);
            }
            _ => return None,
        }
    }
    let mut spread = 0i64;
    for _ in 1..related.len() {
        spread = spread.saturating_add(distance).saturating_add(1);
        distance = distance.saturating_mul(2).saturating_add(1);
    }
    if spread > MOST_AROUND {
        return None;
    }

    let mut points = Points { spread, marks: Vec::new(), windows: Vec::new(), ends: (true, spread > 0) };
    for atom in &atoms {
        for (u, window) in &atom.windows {
            if related.contains(u) {
                let mut terms = vec![window.array];
                terms.extend(window.rest.terms.iter().map(|(_, t)| *t));
                let free = free_of(&terms, &window.rest.variables, atom)?;
                points.windows.push((window.clone(), free));
            }
        }
        let compared = atom.compared();
        let ([(u, factor)], Some((op, sum))) = (&compared[..], &atom.comparison) else { continue };
        if !related.contains(u) {
            continue;
        }
        // factor * u + sum op 0: u op -sum, or the other way round.
        let scale = |n: &i64| n * -factor;
        let value = Linear {
            constant: sum.constant.checked_mul(-factor)?,
            variables: sum.variables.iter().filter(|(v, _)| v != u).map(|(v, n)| (*v, scale(n))).collect(),
            terms: sum.terms.iter().map(|(n, t)| (scale(n), *t)).collect(),
        };
        let op = if *factor == 1 { *op } else { mirrored(*op) };
        // An atom of the variable itself is what it is; those of others are met through them.
        let mut around = if *u == variable { (0, 1) } else { (-spread, spread + 1) };
        if atom.is_guard && *u == variable {
            match op {
                BinaryOp::Less => around.1 = -1,
                BinaryOp::AtMost => around.1 = 0,
                BinaryOp::Greater => around.0 = 1,
                BinaryOp::AtLeast => around.0 = 0,
                BinaryOp::Equal => around = (0, 0),
                _ => {}
            }
            let (least, most) = value.range();
            points.ends.0 &= match op {
                BinaryOp::Equal => false,
                BinaryOp::Greater | BinaryOp::AtLeast => least + around.0 < LEAST + spread.signum() * (spread + 2),
                _ => true,
            };
            points.ends.1 &= match op {
                BinaryOp::Equal => false,
                BinaryOp::Less | BinaryOp::AtMost => most > GREATEST - spread,
                _ => true,
            };
        }
        if around.0 <= around.1 {
            let terms: Vec<&HeapTerm> = value.terms.iter().map(|(_, t)| *t).collect();
            let free = free_of(&terms, &value.variables, atom)?;
            points.marks.push(Mark { value, around, free });
        }
    }
    Some(points)
}

/// The atoms with a variable of the quantifier in them. None: an index is not of the kind above.
fn atoms_of<'f>(
    formula: &'f HeapFormula,
    bound: &mut Vec<(u32, &'f Type)>,
    guards: &[*const HeapFormula],
    atoms: &mut Vec<Atom<'f>>,
) -> Option<()> {
    let is_guard = guards.contains(&std::ptr::from_ref(formula));
    let atom = |comparison, terms: &[&'f HeapTerm]| {
        let mut windows = Vec::new();
        for term in terms {
            windows_of(term, bound, &mut windows)?;
        }
        Some(Atom { comparison, windows, bound: bound.clone(), is_guard })
    };
    match formula {
        HeapFormula::True | HeapFormula::False => {}
        HeapFormula::Not(a) => atoms_of(a, bound, guards, atoms)?,
        HeapFormula::And(parts) | HeapFormula::Or(parts) => {
            for part in parts {
                atoms_of(part, bound, guards, atoms)?;
            }
        }
        HeapFormula::Implies(a, b) | HeapFormula::Iff(a, b) => {
            atoms_of(a, bound, guards, atoms)?;
            atoms_of(b, bound, guards, atoms)?;
        }
        HeapFormula::Compare(op, a, b) => {
            let mut sum = Linear::default();
            sum.add(a, 1, bound)?;
            sum.add(b, -1, bound)?;
            sum.variables.retain(|(_, factor)| *factor != 0);
            atoms.push(atom(Some((*op, sum)), &[a, b])?);
        }
        HeapFormula::Holds(term) => atoms.push(atom(None, &[term])?),
        HeapFormula::Reach(a, _, b) => atoms.push(atom(None, &[a, b])?),
        HeapFormula::Quantified { variable, ty, body, .. } => {
            bound.push((*variable, ty));
            let inner = atoms_of(body, bound, guards, atoms);
            bound.pop();
            inner?;
        }
    }
    Some(())
}

impl<'f> Linear<'f> {
    /// The least and the greatest value that it could have: those of a term and of a variable are ints.
    fn range(&self) -> (i64, i64) {
        let factors =
            self.terms.iter().map(|(factor, _)| *factor).chain(self.variables.iter().map(|(_, factor)| *factor));
        factors.fold((self.constant, self.constant), |(least, most), factor| {
            let (a, b) = (factor.saturating_mul(LEAST), factor.saturating_mul(GREATEST));
            (least.saturating_add(a.min(b)), most.saturating_add(a.max(b)))
        })
    }

    fn add(&mut self, term: &'f HeapTerm, factor: i64, bound: &[(u32, &Type)]) -> Option<()> {
        match term {
            HeapTerm::Int(n) => self.constant = self.constant.checked_add(n.checked_mul(factor)?)?,
            HeapTerm::Bound(v) if bound.contains(&(*v, &Type::Int)) => {
                match self.variables.iter_mut().find(|(u, _)| u == v) {
                    Some((_, so_far)) => *so_far = so_far.checked_add(factor)?,
                    None => self.variables.push((*v, factor)),
                }
            }
            HeapTerm::Arithmetic(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b) => {
                self.add(a, factor, bound)?;
                self.add(b, if *op == BinaryOp::Add { factor } else { factor.checked_neg()? }, bound)?;
            }
            HeapTerm::Arithmetic(BinaryOp::Multiply, a, b) => match (&**a, &**b) {
                (HeapTerm::Int(n), other) | (other, HeapTerm::Int(n)) => {
                    let factor = factor.checked_mul(*n).filter(|factor| factor.unsigned_abs() < GREATEST_FACTOR)?;
                    self.add(other, factor, bound)?;
                }
                _ => self.add_term(term, factor, bound)?,
            },
            _ => self.add_term(term, factor, bound)?,
        }
        Some(())
    }

    fn add_term(&mut self, term: &'f HeapTerm, factor: i64, bound: &[(u32, &Type)]) -> Option<()> {
        self.terms.push((factor, term));
        (!computes(term, bound)).then_some(())
    }
}

/// Whether an integer of the quantifier is multiplied or divided.
fn computes(term: &HeapTerm, bound: &[(u32, &Type)]) -> bool {
    match term {
        HeapTerm::Bound(v) => bound.contains(&(*v, &Type::Int)),
        HeapTerm::Arithmetic(_, a, b) => computes(a, bound) || computes(b, bound),
        _ => false,
    }
}

/// The indexes within a term that depend on an integer of the quantifier.
fn windows_of<'f>(term: &'f HeapTerm, bound: &[(u32, &Type)], windows: &mut Vec<(u32, Window<'f>)>) -> Option<()> {
    match term {
        HeapTerm::Null
        | HeapTerm::Int(_)
        | HeapTerm::Bool(_)
        | HeapTerm::Global(_)
        | HeapTerm::Local(_)
        | HeapTerm::Bound(_) => {}
        HeapTerm::Field(a, _) | HeapTerm::Length(a) => windows_of(a, bound, windows)?,
        HeapTerm::Arithmetic(_, a, b) => {
            windows_of(a, bound, windows)?;
            windows_of(b, bound, windows)?;
        }
        HeapTerm::Index(array, index) => {
            windows_of(array, bound, windows)?;
            windows_of(index, bound, windows)?;
            let mut rest = Linear::default();
            rest.add(index, 1, bound)?;
            rest.variables.retain(|(_, factor)| *factor != 0);
            match rest.variables[..] {
                [] => {}
                [(variable, sign @ (1 | -1))] => {
                    rest.variables.clear();
                    windows.push((variable, Window { array, sign, rest }));
                }
                _ => return None,
            }
        }
    }
    Some(())
}

/// The variables of the quantifier that some terms depend on, in an order in which each can be gone through.
fn free_of<'f>(terms: &[&'f HeapTerm], variables: &[(u32, i64)], atom: &Atom<'f>) -> Option<Vec<Free<'f>>> {
    let mut wanted: Vec<u32> = variables.iter().map(|(v, _)| *v).collect();
    terms.iter().for_each(|t| variables_of(t, &mut wanted));
    // An integer of a window may take further ones.
    let mut next = 0;
    while let Some(&v) = wanted.get(next) {
        next += 1;
        for (_, window) in atom.windows.iter().filter(|(u, _)| *u == v) {
            variables_of(window.array, &mut wanted);
            window.rest.terms.iter().for_each(|(_, t)| variables_of(t, &mut wanted));
        }
    }
    let mut free = Vec::new();
    let mut known: Vec<u32> = Vec::new();
    let mut integers = Vec::new();
    for v in wanted {
        match atom.bound.iter().find(|(u, _)| *u == v) {
            None => known.push(v),
            Some((_, Type::Object(ty))) => {
                known.push(v);
                free.push(Free::Object(v, *ty));
            }
            Some((_, Type::Bool)) => {
                known.push(v);
                free.push(Free::Bool(v));
            }
            Some(_) => integers.push(v),
        }
    }
    while !integers.is_empty() {
        let can_be_gone_through = |v: u32| {
            let mut windows = atom.windows.iter().filter(|(u, _)| *u == v);
            windows.find(|(_, window)| {
                let mut needed = Vec::new();
                variables_of(window.array, &mut needed);
                window.rest.terms.iter().for_each(|(_, t)| variables_of(t, &mut needed));
                needed.iter().all(|n| known.contains(n))
            })
        };
        let (place, window) = integers.iter().enumerate().find_map(|(k, v)| Some((k, &can_be_gone_through(*v)?.1)))?;
        let v = integers.remove(place);
        free.push(Free::Index(v, window.clone()));
        known.push(v);
    }
    Some(free)
}

fn variables_of(term: &HeapTerm, variables: &mut Vec<u32>) {
    match term {
        HeapTerm::Null | HeapTerm::Int(_) | HeapTerm::Bool(_) | HeapTerm::Global(_) | HeapTerm::Local(_) => {}
        HeapTerm::Bound(v) if variables.contains(v) => {}
        HeapTerm::Bound(v) => variables.push(*v),
        HeapTerm::Field(a, _) | HeapTerm::Length(a) => variables_of(a, variables),
        HeapTerm::Index(a, b) | HeapTerm::Arithmetic(_, a, b) => {
            variables_of(a, variables);
            variables_of(b, variables);
        }
    }
}

/// Calls `each` with the parts that must all hold for the body of an `exists` to be true, or for that of a `forall` to be false;
/// those within further quantifiers of the same kind as well.
pub fn conjuncts<'f>(body: &'f HeapFormula, exists: bool, each: &mut dyn FnMut(&'f HeapFormula)) {
    match body {
        HeapFormula::Quantified { exists: inner, body, .. } if *inner == exists => conjuncts(body, exists, each),
        HeapFormula::And(parts) if exists => parts.iter().for_each(|part| conjuncts(part, true, each)),
        HeapFormula::Or(parts) if !exists => parts.iter().for_each(|part| conjuncts(part, false, each)),
        HeapFormula::Implies(a, b) if !exists => {
            conjuncts(a, true, each);
            conjuncts(b, false, each);
        }
        HeapFormula::Not(a) => conjuncts(a, !exists, each),
        _ if exists => each(body),
        _ => {}
    }
}

/// `factor * i op value` must hold for a quantifier to depend on i; the factor is at least 1.
pub struct Limit<'f> {
    pub op: BinaryOp,
    pub factor: i64,
    pub value: Linear<'f>,
}

/// Those that are stated, and what follows from a chain of them: `i < j & j < n`.
pub fn limits(variable: u32, exists: bool, body: &HeapFormula) -> Vec<Limit<'_>> {
    let stated = |variable: u32| {
        let mut limits = Vec::new();
        conjuncts(body, exists, &mut |part| limits.extend(limit(variable, part)));
        limits
    };
    let (mut found, mut seen, mut next) = (stated(variable), vec![variable], 0);
    while let Some(limit) = found.get(next) {
        next += 1;
        let others = limit.value.terms.iter();
        let other =
            others.filter_map(|(n, term)| if let (1, HeapTerm::Bound(v)) = (n, term) { Some(*v) } else { None });
        let Some(other) = other.into_iter().find(|v| !seen.contains(v)) else { continue };
        seen.push(other);
        let through: Vec<Limit<'_>> =
            stated(other).iter().filter_map(|further| limit.through(other, further)).collect();
        found.extend(through);
    }
    found
}

impl<'f> Limit<'f> {
    /// What a limit of the other variable, which is part of this one, says.
    fn through(&self, other: u32, further: &Limit<'f>) -> Option<Limit<'f>> {
        let is_it = |(n, term): &(i64, &HeapTerm)| *n == 1 && matches!(term, HeapTerm::Bound(v) if *v == other);
        let (op, loose) = match (self.op, further.op) {
            (BinaryOp::Less | BinaryOp::AtMost, BinaryOp::Less | BinaryOp::AtMost) => {
                (BinaryOp::Less, BinaryOp::AtMost)
            }
            (BinaryOp::Greater | BinaryOp::AtLeast, BinaryOp::Greater | BinaryOp::AtLeast) => {
                (BinaryOp::Greater, BinaryOp::AtLeast)
            }
            _ => return None,
        };
        if further.factor != 1 {
            return None;
        }
        // Of ints, `a < b` is `a <= b - 1`.
        let room = i64::from(self.op == loose) + i64::from(further.op == loose) - 1;
        let room = if op == BinaryOp::Less { room } else { -room };
        let constant = self.value.constant.checked_add(further.value.constant)?.checked_add(room)?;
        let place = self.value.terms.iter().position(is_it)?;
        let mut terms = self.value.terms.clone();
        terms.remove(place);
        terms.extend(further.value.terms.iter().copied());
        Some(Limit { op, factor: self.factor, value: Linear { constant, variables: Vec::new(), terms } })
    }
}

fn limit(variable: u32, part: &HeapFormula) -> Option<Limit<'_>> {
    let HeapFormula::Compare(op, a, b) = part else { return None };
    let (mut sum, bound) = (Linear::default(), [(variable, &Type::Int)]);
    sum.add(a, 1, &bound)?;
    sum.add(b, -1, &bound)?;
    let [(_, factor)] = sum.variables[..] else { return None };
    if factor == 0 || sum.terms.iter().any(|(_, term)| mentions(term, variable)) {
        return None;
    }
    let sign = -factor.signum();
    let value = Linear {
        constant: sum.constant.checked_mul(sign)?,
        variables: Vec::new(),
        terms: sum.terms.into_iter().map(|(n, term)| (n * sign, term)).collect(),
    };
    Some(Limit { op: if factor > 0 { *op } else { mirrored(*op) }, factor: factor.checked_abs()?, value })
}

fn mentions(term: &HeapTerm, variable: u32) -> bool {
    let mut found = Vec::new();
    variables_of(term, &mut found);
    found.contains(&variable)
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::AtMost => BinaryOp::AtLeast,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::AtLeast => BinaryOp::AtMost,
        other => other,
    }
}

/// c if the term is the variable plus c.
pub fn shift(term: &HeapTerm, variable: u32) -> Option<i64> {
    let mut sum = Linear::default();
    sum.add(term, 1, &[(variable, &Type::Int)])?;
    (sum.terms.is_empty() && sum.variables == [(variable, 1)]).then_some(sum.constant)
}
