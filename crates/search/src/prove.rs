//! Proofs without the exact solver (docs/engine.md, "Drop what is known" and "Prove by propagation"): what must hold after a run is split
//! into its conjuncts; each is known already, follows by elimination from the equations of the path, or its opposite runs into a conflict
//! when propagated. What is left is for the exact solver.

use crate::propagate::Propagator;
use formula::{Elimination, Graph, Lit, Node};
use symex::Conjunct;

pub struct Prover<'a> {
    graph: &'a mut Graph,
    propagator: &'a mut Propagator,
    /// The equations known on this path, with what is known put in.
    facts: Elimination,
    /// Steps left for the present conjunct.
    budget: u32,
    pub by_propagation: u64,
    pub by_elimination: u64,
}

/// Steps that one conjunct is worth: beyond it, the exact solver is faster.
const BUDGET: u32 = 2_000;

/// Among so many formulas a conditional like the one to be proved is looked for.
const ALIKE: usize = 64;

impl<'a> Prover<'a> {
    pub fn new(graph: &'a mut Graph, propagator: &'a mut Propagator) -> Prover<'a> {
        let mut facts = Elimination::default();
        for &linear in propagator.equations() {
            if let Some(resolved) = graph.resolve_linear(graph.linear(linear)) {
                facts.assume(&resolved);
            }
        }
        Prover { graph, propagator, facts, budget: 0, by_propagation: 0, by_elimination: 0 }
    }

    /// Returns what could not be proved: on this path as much as what was to be, and simpler for the exact solver.
    pub fn discharge(&mut self, conjuncts: &[Conjunct]) -> Vec<Conjunct> {
        let mut open = Vec::new();
        let mut left: Vec<Conjunct> = conjuncts.iter().rev().copied().collect();
        while let Some(conjunct) = left.pop() {
            self.budget = BUDGET;
            if self.follows(conjunct.lit) {
                continue;
            }
            // Once more, spelled out as thresholds.
            match self.graph.unary_comparison(self.graph.node(conjunct.lit.node())) {
                Some(rows) if !conjunct.lit.is_negated() => {
                    let parts = self.graph.conjuncts(rows);
                    left.extend(parts.into_iter().map(|lit| Conjunct { lit, of: conjunct.of }));
                }
                _ => open.push(Conjunct { lit: self.reduced(conjunct.lit), of: conjunct.of }),
            }
        }
        open
    }

    /// A conjunction conjunct by conjunct, a conditional case by case, a disjunction by assuming the opposite of one side.
    fn follows(&mut self, lit: Lit) -> bool {
        match self.graph.value(lit) {
            Some(value) => return value,
            None if self.budget == 0 => return false,
            None => self.budget -= 1,
        }
        match (self.graph.node(lit.node()), lit.is_negated()) {
            (Node::And(a, b), false) => self.follows(a) && self.follows(b),
            (Node::And(a, b), true) => {
                if let Some((c, x, y)) = self.graph.as_conditional(a, b) {
                    return self.follows_from_alike(c, lit) || self.follows_under(c, x) && self.follows_under(!c, y);
                }
                if self.follows_from_alike(a, lit) || self.follows_from_alike(b, lit) {
                    return true;
                }
                // not a or not b: a conjunction is the better goal.
                let is_goal = |l: Lit| l.is_negated() && matches!(self.graph.node(l.node()), Node::And(..));
                let (first, second) = if is_goal(a) { (b, a) } else { (a, b) };
                let both_ways = is_goal(first);
                self.follows_under(first, !second) || both_ways && self.follows_under(second, !first)
            }
            _ => self.is_refuted(lit),
        }
    }

    /// Whether a conditional follows from a known one on the same condition, part by part. Of a long chain of conditionals most parts are as
    /// they were before the run, and nothing need be assumed to see that.
    fn follows_from_alike(&mut self, c: Lit, goal: Lit) -> bool {
        self.known_conditionals(c).into_iter().any(|known| known != goal && self.follows_part_by_part(known, goal))
    }

    /// Formulas of the form `c ? x : y` that are known to hold.
    fn known_conditionals(&self, c: Lit) -> Vec<Lit> {
        let mut found = Vec::new();
        for part in self.graph.parents(c.node()).iter().take(ALIKE) {
            for whole in self.graph.parents(part.gate.node()) {
                let lit = Lit::new(whole.gate.node(), false);
                let is_conditional = matches!(self.graph.node(lit.node()), Node::And(a, b)
                    if self.graph.as_conditional(a, b).is_some_and(|(d, ..)| d.node() == c.node()));
                if self.graph.value(lit) == Some(true) && is_conditional && !found.contains(&lit) {
                    found.push(lit);
                }
            }
        }
        found
    }

    fn follows_part_by_part(&mut self, mut known: Lit, mut goal: Lit) -> bool {
        let mut under = Lit::TRUE;
        loop {
            if known == goal || self.graph.value(goal) == Some(true) || self.graph.value(known) == Some(false) {
                return true;
            }
            let Some((c, [(p, q), (x, y)])) = self.common_condition(known, goal) else {
                return self.follows_from(under, known, goal);
            };
            if p != x && !self.follows_from(c, p, x) {
                return false;
            }
            (known, goal, under) = (q, y, !c);
        }
    }

    /// A condition that both depend on at once, and what each is where it holds and where it does not.
    fn common_condition(&self, known: Lit, goal: Lit) -> Option<(Lit, [(Lit, Lit); 2])> {
        let Node::And(a, b) = self.graph.node(goal.node()) else { return None };
        let conditional = self.graph.as_conditional(a, b).map(|(c, ..)| [c, c]);
        let shared = |c: Lit| Some((c, [self.graph.cofactors(known, c)?, self.graph.cofactors(goal, c)?]));
        conditional.unwrap_or([a, b]).into_iter().find_map(shared)
    }

    /// Without the condition if that will do: it may say much about everything else.
    fn follows_from(&mut self, condition: Lit, known: Lit, goal: Lit) -> bool {
        [Lit::TRUE, condition].into_iter().any(|condition| {
            let level = self.propagator.level(self.graph);
            let proved = !self.propagator.assert(self.graph, known)
                || !self.propagator.assert(self.graph, condition)
                || self.follows(goal);
            self.propagator.undo_to(self.graph, level);
            proved
        })
    }

    fn follows_under(&mut self, hypothesis: Lit, goal: Lit) -> bool {
        let level = self.propagator.level(self.graph);
        let proved = !self.propagator.assert(self.graph, hypothesis) || self.follows(goal);
        self.propagator.undo_to(self.graph, level);
        proved
    }

    /// Whether the opposite leads to a conflict: by elimination, by propagation, or by both.
    fn is_refuted(&mut self, lit: Lit) -> bool {
        if self.eliminates(lit) {
            self.by_elimination += 1;
            return true;
        }
        let level = self.propagator.level(self.graph);
        let mut refuted = !self.propagator.assert(self.graph, !lit);
        if !refuted {
            let equations_that_fail = self.propagator.inequations_since(level);
            refuted = equations_that_fail.iter().any(|&linear| {
                let resolved = self.graph.resolve_linear(self.graph.linear(linear));
                resolved.is_some_and(|l| self.facts.decide(&l) == Some(true))
            }) || self.leaves_no_solution();
        }
        self.propagator.undo_to(self.graph, level);
        self.by_propagation += u64::from(refuted);
        refuted
    }

    /// Whether an equation of the path has no solution within the bounds: a `size` of 0, and something that is counted.
    fn leaves_no_solution(&self) -> bool {
        self.propagator.equations().iter().any(|&linear| {
            let resolved = self.graph.resolve_linear(self.graph.linear(linear));
            let bounds = resolved.map(|l| self.graph.linear_bounds(&l));
            bounds.is_some_and(|(lo, hi)| lo > 0 || hi < 0)
        })
    }

    /// A comparison with the equations of the path put in, if it has fewer terms then: a `size` is what it counts.
    fn reduced(&mut self, lit: Lit) -> Lit {
        let (Node::LinearEq(id) | Node::LinearLe(id)) = self.graph.node(lit.node()) else { return lit };
        let linear = self.graph.linear(id);
        let reduced = self.graph.resolve_linear(linear).and_then(|resolved| self.facts.reduce(&resolved));
        let Some(reduced) = reduced.filter(|r| r.terms.len() < linear.terms.len()) else { return lit };
        let made = match self.graph.node(lit.node()) {
            Node::LinearEq(_) => self.graph.equals_zero(reduced),
            _ => self.graph.at_most_zero(reduced),
        };
        made.flip(lit.is_negated())
    }

    /// Whether a comparison follows from the equations known on the path.
    fn eliminates(&self, lit: Lit) -> bool {
        let graph = &*self.graph;
        let at_most_zero = match graph.node(lit.node()) {
            Node::LinearEq(linear) => {
                let resolved = graph.resolve_linear(graph.linear(linear));
                return resolved.and_then(|l| self.facts.decide(&l)) == Some(!lit.is_negated());
            }
            Node::LinearLe(linear) => graph.resolve_linear(graph.linear(linear)),
            Node::AtMost(term, most) => graph.linear_of(term).and_then(|mut l| {
                l.constant = l.constant.checked_sub(most)?;
                Some(l)
            }),
            _ => None,
        };
        // not (l <= 0)  iff  -l + 1 <= 0
        let at_most_zero = at_most_zero.and_then(|l| {
            if !lit.is_negated() {
                return Some(l);
            }
            let mut opposite = l.scale(-1)?;
            opposite.constant = opposite.constant.checked_add(1)?;
            Some(opposite)
        });
        at_most_zero.and_then(|l| self.facts.reduce(&l)).is_some_and(|l| graph.linear_bounds(&l).1 <= 0)
    }
}
