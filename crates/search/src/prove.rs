//! Proofs without the exact solver (docs/engine.md, "Drop what is known" and "Prove by propagation"): what must hold after a run is split
//! into its conjuncts; each is known already, follows by elimination from the equations of the path, or its opposite runs into a conflict
//! when propagated. What is left is for the exact solver.

use crate::cases::{CASES, Cases, Near, TOGETHER};
use crate::nearby::Nearby;
use crate::propagate::Propagator;
use formula::{Elimination, Graph, LinearId, Lit, Node, NodeId, Term, TermId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use symex::Conjunct;

pub struct Prover<'a> {
    graph: &'a mut Graph,
    propagator: &'a mut Propagator,
    /// The equations known on this path, with what is known put in.
    facts: Elimination,
    /// All that is to be proved: one may rest on those within it, since nothing is within itself.
    conjuncts: FxHashSet<Lit>,
    /// Variables that are seen to differ from others, as far as they are.
    probed: FxHashSet<TermId>,
    luck: &'a mut Luck,
    /// Numbers whose values may be told apart, and how many cases are left for the present conjunct.
    near: Vec<TermId>,
    cases: u32,
    /// Steps left for the present conjunct.
    budget: u32,
    pub by_propagation: u64,
    pub by_elimination: u64,
}

/// How often a proof that takes long was tried on the paths so far, and how often it was found.
#[derive(Clone, Debug, Default)]
pub struct Luck {
    asked: u32,
    tried: u32,
    proved: u32,
    /// The same of proofs that take more than [`EASY`] steps.
    long_asked: u32,
    long_tried: u32,
    long_proved: u32,
    /// The same of proofs that look at everything, where what is near did not do.
    far_tried: u32,
    far_proved: u32,
    /// The same of proofs by cases.
    by_cases_tried: u32,
    by_cases: u32,
    /// Numbers whose values were told apart last.
    told_apart: Vec<TermId>,
}

impl Luck {
    /// While half of them are found; otherwise now and then.
    fn is_worth_trying(&mut self) -> bool {
        self.asked += 1;
        self.tried < 4 || self.proved * 2 >= self.tried || self.asked.is_multiple_of(32)
    }

    /// While a third of them are found; otherwise now and then. (One that fails takes ten times as long as one that is found.)
    fn is_worth_going_on(&mut self) -> bool {
        self.long_asked += 1;
        self.long_tried < 16 || self.long_proved * 3 >= self.long_tried || self.long_asked.is_multiple_of(32)
    }

    /// While a third of those that only what is far shows are found.
    fn is_worth_going_far(&self) -> bool {
        self.far_tried < 8 || self.far_proved * 3 >= self.far_tried
    }

    /// While half of the proofs by cases are found.
    pub fn is_worth_cases(&self) -> bool {
        self.by_cases_tried < 8 || self.by_cases * 2 >= self.by_cases_tried
    }
}

/// How a goal splits into smaller ones, the best way last. An equality is two comparisons that are one for propagation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Splits {
    Not,
    Disjunction,
    Conjunction,
}

/// Steps that one conjunct is worth: beyond it, the exact solver is faster.
const BUDGET: u32 = 2_000;

/// And at first.
const FIRST: u32 = 200;

/// Most proofs are found in fewer steps.
const EASY: u32 = 64;

/// Where an exact solver guides the search: propagation was too weak, and the solver has the path at hand.
const SHORT: u32 = 8;

/// Steps that one conjunct is worth where its parts are shown by cases.
const PARTS: u32 = 400;

/// Steps more for each link of a chain.
const LINK: u32 = 4;

/// Assignments of the propagator that are a step more.
const ASSIGNMENTS: u64 = 512;

/// Steps in which a formula is compared with those that are known not to hold.
const COMPARED: u32 = 256;

/// Searches that one conjunct is proved along.
const SEARCHES: usize = 2;

/// Among so many formulas a conditional like the one to be proved, or an equality, is looked for.
const ALIKE: usize = 64;

impl<'a> Prover<'a> {
    pub fn new(graph: &'a mut Graph, propagator: &'a mut Propagator, luck: &'a mut Luck) -> Prover<'a> {
        let mut facts = Elimination::default();
        for &linear in propagator.equations() {
            if let Some(resolved) = graph.resolve_linear(graph.linear(linear)) {
                facts.assume(&resolved);
            }
        }
        let (conjuncts, probed) = (FxHashSet::default(), FxHashSet::default());
        Prover {
            graph,
            propagator,
            facts,
            conjuncts,
            probed,
            luck,
            near: Vec::new(),
            cases: 0,
            budget: 0,
            by_propagation: 0,
            by_elimination: 0,
        }
    }

    /// Returns what could not be proved: on this path as much as what was to be, and simpler for the exact solver.
    pub fn discharge(&mut self, conjuncts: &[Conjunct], is_short: bool, near: Near<'_>) -> Vec<Conjunct> {
        self.conjuncts = conjuncts.iter().map(|c| c.lit).collect();
        let nearby = Nearby::new(self.graph, near.path, conjuncts.iter().map(|c| c.lit));
        self.propagator.keep_near(Some(nearby));
        let level = self.propagator.level(self.graph);
        let mut open = Vec::new();
        let mut left: Vec<Conjunct> = conjuncts.iter().rev().copied().collect();
        while let Some(conjunct) = left.pop() {
            if self.follows_at_first(conjunct.lit, is_short)
                || !is_short && self.luck.is_worth_trying() && self.follows_with_effort(conjunct.lit)
                || !is_short && self.luck.is_worth_going_far() && self.follows_from_afar(conjunct.lit)
            {
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
        if !open.is_empty() && self.luck.is_worth_cases() {
            self.near = near.find(self.graph);
            self.discharge_by_cases(&mut open);
        }
        self.propagator.keep_near(None);
        self.propagator.undo_to(self.graph, level);
        open
    }

    /// In as many steps as are worth it for any conjunct.
    fn follows_at_first(&mut self, goal: Lit, is_short: bool) -> bool {
        let goes_on = !is_short && self.luck.is_worth_going_on();
        let most = match (is_short, goes_on) {
            (true, _) => SHORT,
            (false, true) => FIRST + LINK * self.links(goal),
            (false, false) => EASY,
        };
        self.budget = most;
        let follows = self.follows(goal);
        if goes_on && self.budget + EASY < most {
            self.luck.long_tried += 1;
            self.luck.long_proved += u32::from(follows);
        }
        follows
    }

    /// The same with everything that is known, where some of it is far.
    fn follows_from_afar(&mut self, goal: Lit) -> bool {
        let nearby = self.propagator.keep_near(None);
        let is_all = nearby.as_ref().is_none_or(|nearby| !nearby.leaves_some_out(self.graph));
        let follows = !is_all && self.follows_at_first(goal, false);
        self.luck.far_tried += u32::from(!is_all);
        self.luck.far_proved += u32::from(follows);
        self.propagator.keep_near(nearby);
        follows
    }

    /// What is left, by cases: those that show the first conjunct are tried for all others at once.
    fn discharge_by_cases(&mut self, open: &mut Vec<Conjunct>) {
        let mut tried = 0;
        while tried < open.len() && self.luck.is_worth_cases() {
            if !self.follows_by_cases(open[tried].lit) {
                tried += 1;
                continue;
            }
            open.remove(tried);
            let mut left: Vec<Lit> = open[tried..].iter().map(|c| c.lit).collect();
            let numbers: Vec<TermId> = self.luck.told_apart.iter().copied().take(TOGETHER as usize).collect();
            self.keep_what_follows(&mut left, &numbers);
            open.retain(|c| !left.contains(&c.lit));
        }
    }

    /// Of some goals, those that follow for all values of some numbers.
    fn keep_what_follows(&mut self, goals: &mut Vec<Lit>, numbers: &[TermId]) {
        let Some((&x, numbers)) = numbers.split_first() else {
            goals.retain(|goal| {
                self.budget = SHORT;
                self.follows(*goal)
            });
            return;
        };
        let (lo, hi) = self.graph.bounds(x);
        for value in lo..=hi {
            if goals.is_empty() {
                return;
            }
            let is_value = self.graph.eq_constant(x, value);
            let level = self.propagator.level(self.graph);
            if self.propagator.assert(self.graph, is_value) {
                self.keep_what_follows(goals, numbers);
            }
            self.propagator.undo_to(self.graph, level);
        }
    }

    /// How deep a formula is, along what was made last: of a chain, the rest of it.
    fn links(&self, goal: Lit) -> u32 {
        let next = |node: &NodeId| match self.graph.node(*node) {
            Node::And(a, b) => Some(a.node().max(b.node())),
            _ => None,
        };
        std::iter::successors(Some(goal.node()), next).count() as u32
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
                if self.is_ruled_out(a, b) || self.is_ruled_out(b, a) {
                    return true;
                }
                if let Some((c, x, y)) = self.graph.as_conditional(a, b) {
                    return self.follows_from_alike(c, lit) || self.follows_under(c, x) && self.follows_under(!c, y);
                }
                if let Some(other) =
                    [(a, b), (b, a)].into_iter().find_map(|(x, y)| self.conjuncts.contains(&x).then_some(y))
                {
                    return self.follows(!other);
                }
                if self.follows_from_alike(a, lit) || self.follows_from_alike(b, lit) {
                    return true;
                }
                // not a or not b: the better goal is what can be split.
                let (first, second) = if self.splits(a) > self.splits(b) { (b, a) } else { (a, b) };
                let both_ways = self.splits(first) != Splits::Not;
                // Without the other if that will do: it may say much about everything else. (By cases, all of it is looked at.)
                both_ways && self.cases == 0 && (self.follows(!second) || self.follows(!first))
                    || self.follows_under(first, !second)
                    || both_ways && self.cases == 0 && self.follows_under(second, !first)
            }
            (Node::LinearEq(linear) | Node::LinearLe(linear), _) => {
                self.is_refuted(lit)
                    || self
                        .open_condition(linear)
                        .is_some_and(|c| self.follows_under(c, lit) && self.follows_under(!c, lit))
            }
            _ => self.is_refuted(lit),
        }
    }

    /// Whether both together are known not to hold by what is known of something weaker: nothing like it was in a map before the run, so
    /// nothing like it is in what is left of it. Seen by comparing formulas; nothing is assumed.
    fn is_ruled_out(&self, with: Lit, part: Lit) -> bool {
        let is_disjunction = match self.graph.node(part.node()) {
            Node::And(..) => part.is_negated(),
            _ => return false,
        };
        let is_like =
            |other: Lit| other.is_negated() == is_disjunction && matches!(self.graph.node(other.node()), Node::And(..));
        let mut steps = COMPARED;
        let parents = self.graph.parents(with.node()).iter();
        parents
            .filter(|p| p.gate.is_negated() == with.is_negated())
            .filter(|p| is_like(p.other) && self.graph.value(Lit::new(p.gate.node(), true)) == Some(false))
            .any(|p| p.other != part && self.implies(part, p.other, &mut steps))
    }

    /// Whether one formula implies another, as far as their form tells in so many steps.
    fn implies(&self, a: Lit, b: Lit, steps: &mut u32) -> bool {
        let (a, b) = (self.open_part(a), self.open_part(b));
        if a == b || self.graph.value(a) == Some(false) || self.graph.value(b) == Some(true) {
            return true;
        }
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let parts = |lit: Lit| match self.graph.node(lit.node()) {
            Node::And(x, y) => Some([self.open_part(x), self.open_part(y)]),
            _ => None,
        };
        match (parts(a).filter(|_| a.is_negated()), parts(b).filter(|_| !b.is_negated())) {
            // Each case of the one, and each part of the other.
            (Some(cases), _) if parts(b).is_none() || !b.is_negated() => {
                cases.iter().all(|x| self.implies(!*x, b, steps))
            }
            (_, Some(wanted)) if parts(a).is_none() => wanted.iter().all(|y| self.implies(a, *y, steps)),
            // Two disjunctions, or two conjunctions: the opposites of two disjunctions imply each other the other way round.
            (Some(cases), _) => parts(b).is_some_and(|other| self.each_follows(other, cases, steps)),
            (_, Some(wanted)) => parts(a).is_some_and(|given| self.each_follows(given, wanted, steps)),
            (None, None) => {
                let by_part = |lit: Lit| parts(lit).into_iter().flatten();
                by_part(a).any(|x| self.implies(x, b, steps)) || by_part(b).any(|y| self.implies(a, !y, steps))
            }
        }
    }

    /// What is left of a formula without conjunctions with what is known.
    fn open_part(&self, lit: Lit) -> Lit {
        let left = |lit: &Lit| match self.graph.node(lit.node()) {
            Node::And(a, b) if self.graph.value(a) == Some(true) => Some(b.flip(lit.is_negated())),
            Node::And(a, b) if self.graph.value(b) == Some(true) => Some(a.flip(lit.is_negated())),
            _ => None,
        };
        std::iter::successors(Some(lit), left).last().unwrap_or(lit)
    }

    /// Whether each of two follows from one of two others. Those that are the same belong together.
    fn each_follows(&self, given: [Lit; 2], wanted: [Lit; 2], steps: &mut u32) -> bool {
        wanted.into_iter().all(|w| {
            let mut open = given.into_iter().filter(|g| !wanted.contains(g));
            given.contains(&w)
                || open.any(|g| self.implies(g, w, steps))
                || given.into_iter().any(|g| self.implies(g, w, steps))
        })
    }

    /// What the value of a sum depends on, of all that is not known: the first condition in it.
    fn open_condition(&self, linear: LinearId) -> Option<Lit> {
        let open = |&(term, _): &(TermId, i64)| match self.graph.term(self.graph.narrowed(term)) {
            Term::Ite(c, ..) => Some(c),
            _ => None,
        };
        self.graph.linear(linear).terms.iter().find_map(open)
    }

    /// What the opposite of this is as a goal.
    fn splits(&self, lit: Lit) -> Splits {
        match self.graph.node(lit.node()) {
            Node::And(a, b) if self.graph.as_equality(a, b).is_some() => Splits::Not,
            Node::And(..) if lit.is_negated() => Splits::Conjunction,
            Node::And(..) => Splits::Disjunction,
            _ => Splits::Not,
        }
    }

    /// Whether a conditional follows from a known one on the same condition, part by part. Of a long chain of conditionals most parts are as
    /// they were before the run, and nothing need be assumed to see that.
    fn follows_from_alike(&mut self, c: Lit, goal: Lit) -> bool {
        let mut known = self.known_conditionals(c);
        known.retain(|known| *known != goal);
        known.sort_by_cached_key(|known| self.parts_that_differ(*known, goal));
        known.into_iter().any(|known| self.follows_part_by_part(known, goal))
    }

    /// In how many parts a chain of conditionals differs from another.
    fn parts_that_differ(&self, mut known: Lit, mut goal: Lit) -> usize {
        let mut parts = 0;
        while known != goal {
            let Some((_, [(p, q), (x, y)])) = self.common_condition(known, goal) else { return parts + 1 };
            parts += usize::from(p != x);
            (known, goal) = (q, y);
        }
        parts
    }

    /// Formulas of the form `c ? x : y` that are known to hold.
    fn known_conditionals(&self, c: Lit) -> Vec<Lit> {
        let mut found = Vec::new();
        for part in self.graph.parents(c.node()).iter().take(ALIKE) {
            for whole in self.graph.parents(part.gate.node()) {
                let lit = Lit::new(whole.gate.node(), false);
                if self.graph.value(lit) != Some(true) || found.contains(&lit) {
                    continue;
                }
                if let Node::And(a, b) = self.graph.node(lit.node())
                    && self.graph.as_conditional(a, b).is_some_and(|(d, ..)| d.node() == c.node())
                {
                    found.push(lit);
                }
            }
        }
        found
    }

    /// What did not follow, once more: what propagation does not refute may be refuted by cases.
    fn follows_by_cases(&mut self, goal: Lit) -> bool {
        (self.budget, self.cases) = (PARTS, CASES);
        let follows = self.follows(goal);
        self.luck.by_cases_tried += 1;
        self.luck.by_cases += u32::from(follows);
        self.cases = 0;
        follows
    }

    /// Whether what is assumed is refuted by cases.
    fn no_case_is_left(&mut self) -> bool {
        let Prover { graph, propagator, luck, near, .. } = self;
        let mut cases = Cases { graph, propagator, numbers: near, budget: self.cases, helpful: &mut luck.told_apart };
        let is_refuted = cases.none_is_left(TOGETHER);
        self.cases = cases.budget;
        is_refuted
    }

    fn follows_with_effort(&mut self, goal: Lit) -> bool {
        let proved = self.follows_by_searches(goal);
        self.luck.tried += 1;
        self.luck.proved += u32::from(proved);
        proved
    }

    /// A goal that looks for something, in a chain of conditionals that each compare it with another variable. First it is seen on this
    /// path which of them it is not equal to. If that will not do, then by the cases of a search for the same thing that is known to
    /// succeed: what is looked for in a map after a run was there before.
    fn follows_by_searches(&mut self, goal: Lit) -> bool {
        let sought = self.sought(goal);
        let equalities: Vec<Lit> = sought.iter().flat_map(|v| self.graph.equalities(*v)).collect();
        let is_new = sought.iter().filter(|v| self.probed.insert(**v)).count() > 0;
        if is_new {
            equalities.iter().for_each(|equality| self.probe(*equality));
        }
        let searches: BTreeSet<Lit> = equalities.iter().flat_map(|equality| self.known_searches(*equality)).collect();
        // The last search is none: the goal as it is.
        searches.into_iter().take(SEARCHES).chain([Lit::TRUE]).any(|search| {
            self.budget = BUDGET + LINK * self.links(goal);
            self.follows_along(search, goal)
        })
    }

    /// Refutes what can be refuted of an equality and its conjunctions, for the rest of the path.
    fn probe(&mut self, equality: Lit) {
        let gates = self.graph.parents(equality.node()).iter().take(ALIKE).map(|p| Lit::new(p.gate.node(), true));
        for lit in gates.chain([equality]).collect::<Vec<_>>() {
            if self.graph.value(lit).is_none() && self.under(lit, |_| false) {
                self.propagator.assert(self.graph, !lit);
            }
        }
    }

    fn follows_along(&mut self, search: Lit, goal: Lit) -> bool {
        let Node::And(a, b) = self.graph.node(search.node()) else { return self.follows(goal) };
        match self.graph.as_conditional(a, b) {
            Some((c, _, rest)) if search.is_negated() => {
                self.follows_under(c, goal) && self.under(!c, |s| s.follows_along(rest, goal))
            }
            _ => self.follows(goal),
        }
    }

    /// The variable that is compared in the first two conditions of a chain; both of an equality if there is only one.
    fn sought(&self, goal: Lit) -> Vec<TermId> {
        let mut found: Vec<TermId> = Vec::new();
        let mut left = vec![goal];
        for _ in 0..ALIKE {
            let Some(lit) = left.pop() else { break };
            match self.graph.node(lit.node()) {
                Node::LinearEq(linear) | Node::LinearLe(linear) => left.extend(self.open_condition(linear)),
                Node::And(a, b) => match (self.graph.as_equality(a, b), self.graph.as_conditional(a, b)) {
                    (Some((x, y)), _) if found.is_empty() => found = vec![x, y],
                    (Some((x, y)), _) if found.contains(&x) || found.contains(&y) => {
                        found.retain(|v| *v == x || *v == y);
                        return found;
                    }
                    (Some(_), _) => return found,
                    (None, Some((c, _, rest))) => left.extend([rest, c]),
                    (None, None) => left.extend([a, b]),
                },
                _ => {}
            }
        }
        found
    }

    /// Conditionals on an equality, or on it and something else, that are known to hold.
    fn known_searches(&self, equality: Lit) -> Vec<Lit> {
        let mut found = self.known_conditionals(equality);
        for parent in self.graph.parents(equality.node()).iter().take(ALIKE) {
            found.extend(self.known_conditionals(Lit::new(parent.gate.node(), true)));
        }
        found
    }

    fn follows_part_by_part(&mut self, mut known: Lit, mut goal: Lit) -> bool {
        // What is known as a whole is assumed already.
        if self.common_condition(known, goal).is_none() {
            return false;
        }
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
        let last = (self.graph.value(condition) != Some(true)).then_some(condition);
        std::iter::once(Lit::TRUE).chain(last).any(|condition| {
            let level = self.propagator.level(self.graph);
            let proved = !self.assert(known) || !self.assert(condition) || self.follows(goal);
            self.propagator.undo_to(self.graph, level);
            proved
        })
    }

    /// Part of the hypothesis may do: an equality of variables says much about everything that they are compared with.
    fn follows_under(&mut self, hypothesis: Lit, goal: Lit) -> bool {
        let first = match self.graph.node(hypothesis.node()) {
            Node::And(a, _) if !hypothesis.is_negated() && !matches!(self.graph.node(a.node()), Node::And(..)) => a,
            _ => Lit::TRUE,
        };
        self.under(first, |s| s.graph.value(goal) == Some(true) || s.under(hypothesis, |s| s.follows(goal)))
    }

    /// Whether it is proved where this holds; it is if it holds nowhere.
    fn under(&mut self, hypothesis: Lit, prove: impl FnOnce(&mut Self) -> bool) -> bool {
        let level = self.propagator.level(self.graph);
        let proved = !self.assert(hypothesis) || prove(self);
        self.propagator.undo_to(self.graph, level);
        proved
    }

    /// False on a conflict. What it takes is taken from the budget.
    fn assert(&mut self, lit: Lit) -> bool {
        let before = self.propagator.assignments;
        let is_consistent = self.propagator.assert(self.graph, lit);
        let steps = (self.propagator.assignments - before) / ASSIGNMENTS;
        self.budget = self.budget.saturating_sub(steps as u32);
        is_consistent
    }

    /// Whether the opposite leads to a conflict: by elimination, by propagation, or by both.
    fn is_refuted(&mut self, lit: Lit) -> bool {
        if self.eliminates(lit) {
            self.by_elimination += 1;
            return true;
        }
        let level = self.propagator.level(self.graph);
        let mut refuted = !self.assert(!lit);
        if !refuted {
            let equations_that_fail = self.propagator.inequations_since(level);
            refuted = equations_that_fail.iter().any(|&linear| {
                let resolved = self.graph.resolve_linear(self.graph.linear(linear));
                resolved.is_some_and(|l| self.facts.decide(&l) == Some(true))
            }) || self.propagator.has_no_solution(self.graph);
        }
        refuted = refuted || self.cases > 0 && self.no_case_is_left();
        self.propagator.undo_to(self.graph, level);
        self.by_propagation += u64::from(refuted);
        refuted
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propagate::tests::formula;
    use formula::{Assignment, Evaluator};
    use work::Chance;

    /// What the form of two formulas tells is true of all states.
    #[test]
    fn what_implies_another_formula_does() {
        let mut found = 0;
        for seed in 0..2_000 {
            let chance = &mut Chance::new(seed);
            let mut g = Graph::new();
            let bools: Vec<Lit> = (0..6).map(|_| g.var()).collect();
            let ints: Vec<TermId> = vec![g.int_var(0, 1)];
            let formulas: Vec<Lit> = (0..4).map(|_| formula(chance, &mut g, &ints, &bools, 3)).collect();
            let (mut propagator, mut luck) = (Propagator::default(), Luck::default());
            let prover = Prover::new(&mut g, &mut propagator, &mut luck);
            for (a, b) in formulas.iter().flat_map(|a| formulas.iter().map(move |b| (*a, *b))) {
                if a == b || a.is_constant() || b.is_constant() || !prover.implies(a, b, &mut COMPARED.clone()) {
                    continue;
                }
                found += 1;
                for case in 0..128u32 {
                    let state = Assignment {
                        bools: bools.iter().zip(0..).map(|(b, i)| (b.node(), case >> i & 1 == 1)).collect(),
                        ints: ints.iter().map(|&t| (t, i64::from(case >> 6))).collect(),
                    };
                    let holds = |lit: Lit| Evaluator::new(&state).lit(prover.graph, lit);
                    assert!(!holds(a) || holds(b), "seed {seed}: {a:?} does not imply {b:?}");
                }
            }
        }
        assert!(found > 100, "{found}");
    }
}
