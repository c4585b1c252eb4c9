//! A graph of gates, and the clauses that say what they compute.
//!
//! Constants are folded and equal gates are one gate, so that many obligations are over before a solver is started. Invariant: the inputs of
//! a gate have smaller numbers than the gate. Clauses are written only in the direction in which a gate is used (Plaisted, Greenbaum).
//!
//! Why not `formula::Graph`: it was measured. Of circuits like those of obligations (12 sets of 6 elements, 60 equations and inclusions) this
//! graph has 840 gates, and takes 0.83 ms with its clauses; `formula::Graph` has 1,852 nodes, and takes 1.03 ms before any clause is written. A
//! conjunction of many operands is one gate here, and there are no parents, thresholds and known values to keep.

use super::cnf::Cnf;
use rustc_hash::FxHashMap;
use sat::SatLit;
use std::ops::Not;
use work::{Clock, Stop};

/// A gate's output, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Lit(u32);

impl Lit {
    pub(crate) const TRUE: Lit = Lit(0);
    pub(crate) const FALSE: Lit = Lit(1);

    fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Gate {
    True,
    Input,
    /// Of two or more, in order.
    And(Box<[Lit]>),
    /// Of two that are not negated, in order.
    Xor(Lit, Lit),
}

pub(crate) struct Gates {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, Lit>,
    scratch: Vec<Lit>,
    clock: Clock,
}

impl Gates {
    pub(crate) fn new(stop: &Stop) -> Gates {
        let (known, scratch) = (FxHashMap::default(), Vec::new());
        Gates { gates: vec![Gate::True], known, scratch, clock: Clock::new(stop) }
    }

    /// Whether it is time to stop: what was built since is not to be used.
    pub(crate) fn is_stopped(&self) -> bool {
        self.clock.is_due()
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    fn push(&mut self, gate: Gate) -> Lit {
        // The encoder stops long before this many.
        let lit = Lit(u32::try_from(self.gates.len()).unwrap_or(u32::MAX / 2).wrapping_mul(2));
        self.gates.push(gate);
        lit
    }

    pub(crate) fn input(&mut self) -> Lit {
        self.push(Gate::Input)
    }

    fn intern(&mut self, gate: Gate) -> Lit {
        if let Some(&lit) = self.known.get(&gate) {
            return lit;
        }
        let lit = self.push(gate.clone());
        self.known.insert(gate, lit);
        lit
    }

    pub(crate) fn and(&mut self, parts: impl IntoIterator<Item = Lit>) -> Lit {
        let mut parts_in_order = std::mem::take(&mut self.scratch);
        parts_in_order.clear();
        parts_in_order.extend(parts.into_iter().filter(|&lit| lit != Lit::TRUE));
        self.clock.step(1 + parts_in_order.len());
        parts_in_order.sort_unstable();
        parts_in_order.dedup();
        let is_false = |parts: &[Lit]| {
            // A literal and its negation are neighbours; so is the constant, which is the smallest.
            parts.first() == Some(&Lit::FALSE) || parts.windows(2).any(|pair| pair[0] == !pair[1])
        };
        let lit = match parts_in_order[..] {
            [] => Lit::TRUE,
            [only] => only,
            ref parts if is_false(parts) => Lit::FALSE,
            ref parts => self.intern(Gate::And(parts.into())),
        };
        self.scratch = parts_in_order;
        lit
    }

    pub(crate) fn or(&mut self, parts: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and(parts.into_iter().map(|lit| !lit))
    }

    pub(crate) fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        if a == !b {
            return Lit::FALSE;
        }
        if a.gate() == 0 || b.gate() == 0 {
            let (constant, other) = if a.gate() == 0 { (a, b) } else { (b, a) };
            return if constant == Lit::TRUE { other } else { !other };
        }
        let flip = a.is_negated() == b.is_negated();
        let (a, b) = (Lit(a.0 & !1), Lit(b.0 & !1));
        let xor = self.intern(Gate::Xor(a.min(b), a.max(b)));
        if flip { !xor } else { xor }
    }
}

/// The solver's names for gates.
pub(crate) struct Clauses {
    names: Vec<Option<SatLit>>,
    /// By gate, whether the clauses of its positive and of its negative use are there.
    written: Vec<[bool; 2]>,
    clause: Vec<SatLit>,
    stack: Vec<Lit>,
    clock: Clock,
}

impl Clauses {
    pub(crate) fn new(gates: &Gates) -> Clauses {
        Clauses {
            names: vec![None; gates.len()],
            written: vec![[false; 2]; gates.len()],
            clause: Vec::new(),
            stack: Vec::new(),
            clock: Clock::new(gates.clock.stop()),
        }
    }

    /// Whether it is time to stop: clauses may be missing.
    pub(crate) fn is_stopped(&self) -> bool {
        self.clock.is_due()
    }

    /// The literal that stands for a gate, if it occurs in clauses.
    pub(crate) fn known(&self, lit: Lit) -> Option<SatLit> {
        self.names.get(lit.gate())?.map(|name| name.flip(lit.is_negated()))
    }

    /// A gate is tried first with the value it was first wanted with, so that a disjunct is chosen and not all of them rejected but the
    /// last; an input with false, so that sets are small.
    pub(crate) fn name(&mut self, gates: &Gates, cnf: &mut Cnf, lit: Lit) -> SatLit {
        let first = !matches!(gates.gates[lit.gate()], Gate::Input) && !lit.is_negated();
        let name = *self.names[lit.gate()].get_or_insert_with(|| cnf.new_var(first));
        self.stack.push(lit);
        name.flip(lit.is_negated())
    }

    /// Adds clauses by which `lit` holds.
    pub(crate) fn assert(&mut self, gates: &Gates, cnf: &mut Cnf, lit: Lit) {
        let mut roots = vec![lit];
        while let Some(lit) = roots.pop()
            && !self.clock.step(4)
        {
            match (&gates.gates[lit.gate()], lit.is_negated()) {
                (Gate::True, false) => {}
                (Gate::True, true) => cnf.add_clause([]),
                (Gate::And(parts), false) => roots.extend(parts),
                (Gate::And(parts), true) => {
                    self.clause.clear();
                    for &part in parts {
                        let name = self.name(gates, cnf, !part);
                        self.clause.push(name);
                    }
                    cnf.add_clause(self.clause.iter().copied());
                }
                (Gate::Xor(a, b), is_equal) => {
                    for (a, b) in [(*a, *b), (!*a, !*b)] {
                        let b = if is_equal { !b } else { b };
                        let clause = [self.name(gates, cnf, a), self.name(gates, cnf, b)];
                        cnf.add_clause(clause);
                    }
                }
                (Gate::Input, _) => {
                    let name = self.name(gates, cnf, lit);
                    cnf.add_clause([name]);
                }
            }
        }
        self.define(gates, cnf);
    }

    /// Writes the clauses of every gate that was named, in the direction it is used in.
    pub(crate) fn define(&mut self, gates: &Gates, cnf: &mut Cnf) {
        while let Some(lit) = self.stack.pop()
            && !self.clock.step(4)
        {
            let written = &mut self.written[lit.gate()][usize::from(lit.is_negated())];
            if std::mem::replace(written, true) {
                continue;
            }
            let Some(own) = self.known(lit) else { continue };
            match (&gates.gates[lit.gate()], lit.is_negated()) {
                (Gate::Input, _) => {}
                (Gate::True, false) => cnf.add_clause([own]),
                (Gate::True, true) => cnf.add_clause([!own]),
                (Gate::And(parts), false) => {
                    self.clock.step(parts.len());
                    for &part in parts {
                        let part = self.name(gates, cnf, part);
                        cnf.add_clause([!own, part]);
                    }
                }
                (Gate::And(parts), true) => {
                    self.clause.clear();
                    self.clause.push(!own);
                    for &part in parts {
                        let name = self.name(gates, cnf, !part);
                        self.clause.push(name);
                    }
                    cnf.add_clause(self.clause.iter().copied());
                }
                (Gate::Xor(a, b), is_equal) => {
                    for (a, b) in [(*a, *b), (!*a, !*b)] {
                        let b = if is_equal { !b } else { b };
                        let clause = [!own, self.name(gates, cnf, a), self.name(gates, cnf, b)];
                        cnf.add_clause(clause);
                    }
                }
            }
        }
    }
}

/// Values of all gates.
pub(crate) struct Values(Vec<bool>);

impl Gates {
    pub(crate) fn evaluate(&self, input: impl Fn(Lit) -> bool) -> Values {
        let mut values = Values(Vec::with_capacity(self.gates.len()));
        for (index, gate) in self.gates.iter().enumerate() {
            let value = match gate {
                Gate::True => true,
                Gate::Input => input(Lit(u32::try_from(index).unwrap_or(0) * 2)),
                Gate::And(parts) => parts.iter().all(|part| part.value(&values)),
                Gate::Xor(a, b) => a.value(&values) != b.value(&values),
            };
            values.0.push(value);
        }
        values
    }
}

impl Lit {
    pub(crate) fn value(self, values: &Values) -> bool {
        values.0[self.gate()] != self.is_negated()
    }
}

impl Clauses {
    /// Room for gates that were made since.
    pub(crate) fn grow(&mut self, gates: &Gates) {
        self.names.resize(gates.len(), None);
        self.written.resize(gates.len(), [false; 2]);
    }
}
