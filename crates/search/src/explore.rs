//! Search by execution (docs/engine.md, "Search by execution"): the executor explores paths depth first; at a branch the propagation
//! engine, which holds S, says which way the path must go, or the search decides, remembers, and flips later. The decisions are the path
//! constraint P.
//!
//! Paths so found are an over-approximation of the feasible ones: right for `verified`. In the weak mode an exact solver
//! guides the search: it confirms every decision, and its states choose the way, so that each path costs one question.

use crate::cases::{AT_AN_END, CASES, Cases, Near, Numbers, TOGETHER};
use crate::checks::{Answered, Ask, Checks};
use crate::exact::{Exact, Found};
use crate::nearby::Nearby;
use crate::outcome::Counts;
use crate::propagate::{Level, Propagator};
use formula::{Depth, Evaluator, Graph, Lit, TermId};
use std::sync::atomic::Ordering;
use symex::{LONG, Oracle, Restriction, Stop};

/// What confirms that a decision leaves a state.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Guidance {
    #[default]
    Propagation,
    /// Propagation, of each value of some small number.
    Cases,
    /// The exact solver: the weak mode.
    Solver,
}

struct Decision {
    lit: Lit,
    /// The test that it is, if it has a number, and how that came out.
    test: Option<(u64, bool)>,
    is_flipped: bool,
    level: Level,
    /// Length of the path before it.
    path: usize,
    /// What was found to follow from it and the decisions before it, further down the path.
    implied: Vec<Lit>,
}

pub struct Explorer {
    pub propagator: Propagator,
    decisions: Vec<Decision>,
    /// What was found to follow without any decision.
    implied: Vec<Lit>,
    /// Decisions and restrictions in force: P.
    path: Vec<Lit>,
    checks: Option<Checks>,
    pub guidance: Guidance,
    /// In the weak mode: confirms every decision.
    guide: Option<Exact>,
    /// In the weak mode: a state of S on the path.
    state: Option<Evaluator<'static>>,
    /// Decisions until the next is to be confirmed, and how many that is at present.
    countdown: u64,
    interval: u64,
    /// States that no path has to cover, each set as a conjunction: dropped by an `assume`, or isomorphic to others.
    pub set_aside: Vec<Vec<Lit>>,
    pub counts: Counts,
    limits: sat::Limits,
    /// Small numbers, and those whose values were told apart last.
    pub numbers: Numbers,
    told_apart: Vec<TermId>,
    /// Of paths that end as none should: how many were looked at by cases, and how many no state takes.
    ends: (u32, u32),
    /// The answer that ended the search within a run.
    ended: Option<Answered>,
}

impl Explorer {
    pub fn new(limits: sat::Limits) -> Explorer {
        Explorer {
            propagator: Propagator::default(),
            decisions: Vec::new(),
            implied: Vec::new(),
            path: Vec::new(),
            checks: None,
            guidance: Guidance::default(),
            guide: None,
            state: None,
            countdown: 1,
            interval: 1,
            set_aside: Vec::new(),
            counts: Counts::default(),
            limits,
            told_apart: Vec::new(),
            ends: (0, 0),
            numbers: Numbers::default(),
            ended: None,
        }
    }

    /// In the weak mode if there is a guide.
    pub fn begin(&mut self, checks: Checks, guidance: Guidance, guide: Option<Exact>) {
        self.guidance = guidance;
        self.checks = Some(checks);
        self.guide = guide;
    }

    /// The checker is not needed any more.
    pub fn end(&mut self) {
        self.checks = None;
    }

    /// Has something about the present path checked.
    pub fn ask(&mut self, graph: &Graph, ask: Ask, some: Vec<Lit>) -> Result<(), Answered> {
        let counts = self.own(graph);
        let Some(checks) = &mut self.checks else { return Ok(()) };
        checks.ask(graph, ask, self.path.clone(), some, counts)
    }

    pub fn wait(&mut self) -> Result<(), Answered> {
        match (self.ended.take(), &mut self.checks) {
            (Some(answered), _) => Err(answered),
            (None, Some(checks)) => checks.wait(),
            (None, None) => Ok(()),
        }
    }

    /// What the search did itself.
    fn own(&self, graph: &Graph) -> Counts {
        let mut counts = self.counts;
        counts.nodes = graph.node_count() as u64;
        counts.assignments = self.propagator.assignments;
        self.guide.as_ref().map_or(counts, |guide| counts.with_work(guide.work()))
    }

    /// With what the checker did for it.
    pub fn total(&self, graph: &Graph) -> Counts {
        let own = self.own(graph);
        self.checks.as_ref().map_or(own, |checks| checks.total(own))
    }

    /// Who proves what holds at the end of the path, and the small numbers there are for it.
    pub fn propagator_and_near(&mut self) -> (&mut Propagator, Near<'_>) {
        (&mut self.propagator, Near { numbers: &self.numbers, path: &self.path })
    }

    /// P, and who has propagated it: a state takes the present path iff it satisfies S and all of P.
    pub fn propagator_and_path(&mut self) -> (&mut Propagator, &[Lit]) {
        (&mut self.propagator, &self.path)
    }

    /// Whether the exact solver confirms every decision.
    pub fn is_guided(&self) -> bool {
        self.guide.is_some()
    }

    /// The decisions alone: every state that agrees with them takes the path or was [set aside](Explorer::set_aside).
    pub fn decisions(&self) -> impl Iterator<Item = Lit> + '_ {
        self.decisions.iter().map(|d| d.lit)
    }

    /// Goes back to the last decision that has another side, and takes it; false if there is none.
    pub fn backtrack(&mut self, graph: &mut Graph) -> Result<bool, Stop> {
        while let Some(decision) = self.decisions.pop() {
            self.propagator.undo_to(graph, decision.level);
            self.path.truncate(decision.path);
            if decision.is_flipped {
                continue;
            }
            let test = decision.test.map(|(nth, value)| (nth, !value));
            match self.take(graph, !decision.lit, true, test)? {
                Ok(()) if self.recall(graph) => return Ok(true),
                Ok(()) => {}
                Err(depth) => self.remember(decision.lit, depth),
            }
        }
        Ok(false)
    }

    /// What the decisions imply, found further down other paths, holds here as well; false on a conflict.
    fn recall(&mut self, graph: &mut Graph) -> bool {
        let implied = std::iter::once(&self.implied).chain(self.decisions.iter().map(|d| &d.implied));
        implied
            .zip(0..)
            .all(|(lits, depth)| lits.iter().all(|&lit| self.propagator.assert_at(graph, lit, depth).is_ok()))
    }

    /// Decides a literal. If no state is seen to be left nothing changes, and the answer is how many of the decisions are to blame.
    fn take(
        &mut self,
        graph: &mut Graph,
        lit: Lit,
        is_flipped: bool,
        test: Option<(u64, bool)>,
    ) -> Result<Result<(), Depth>, Stop> {
        let (level, path) = (self.propagator.level(graph), self.path.len());
        self.path.push(lit);
        // As if it rested on nothing: then a conflict rests on the other decisions only.
        let depth = self.depth();
        let asserted = self.propagator.assert_at(graph, lit, 0);
        let to_blame = match asserted.and_then(|()| self.propagator.narrow_sums(graph, depth)) {
            Ok(()) => match self.is_feasible(graph, lit)? {
                Ok(()) => {
                    self.decisions.push(Decision { lit, test, is_flipped, level, path, implied: Vec::new() });
                    self.propagator.deepen(graph, level, self.depth());
                    return Ok(Ok(()));
                }
                Err(depth) => depth,
            },
            Err(depth) => depth,
        };
        self.propagator.undo_to(graph, level);
        self.path.truncate(path);
        Ok(Err(to_blame))
    }

    /// A literal is implied by that many of the decisions: so it is on other paths that begin like this one.
    fn remember(&mut self, lit: Lit, depth: Depth) {
        match (depth as usize).checked_sub(1).and_then(|last| self.decisions.get_mut(last)) {
            Some(decision) => decision.implied.push(lit),
            None => self.implied.push(lit),
        }
    }

    /// How many decisions there are.
    fn depth(&self) -> Depth {
        self.decisions.len() as Depth
    }

    /// In the weak mode, whether a state is left, which the state at hand may tell; if not, how many decisions rule out the last literal.
    /// Otherwise that is asked now and then.
    fn is_feasible(&mut self, graph: &mut Graph, lit: Lit) -> Result<Result<(), Depth>, Stop> {
        if let Some(guide) = &mut self.guide {
            if let Some(state) = &mut self.state
                && state.lit(graph, lit)
            {
                return Ok(Ok(()));
            }
            self.counts.feasibility_checks += 1;
            return match guide.find(graph, &self.path, &[]) {
                Found::Nothing => {
                    let literals = guide.blamed(graph, &self.path);
                    Ok(Err(self.decisions.partition_point(|d| d.path < literals) as Depth))
                }
                Found::Model(state) => {
                    self.state = Some(Evaluator::owning(*state));
                    Ok(Ok(()))
                }
                Found::Unknown => Err(Stop::Interrupted),
                Found::Rejected(why) => Err(Stop::Rejected(why)),
            };
        }
        if self.guidance == Guidance::Cases && self.is_refuted_by_cases(graph, 1, CASES) {
            return Ok(Err(self.depth()));
        }
        self.countdown -= 1;
        if self.countdown == 0 {
            self.interval = (self.interval * 4).min(1 << 16);
            self.countdown = self.interval;
            if self.is_refuted_by_cases(graph, TOGETHER, CASES) {
                return Ok(Err(self.depth()));
            }
            self.confirm(graph)?;
        }
        Ok(Ok(()))
    }

    /// Whether no state takes the path, which ends as none should, seen by cases; while half of such paths are seen so.
    pub fn never_gets_there(&mut self, graph: &mut Graph) -> bool {
        let (tried, refuted) = self.ends;
        if tried >= 8 && refuted * 2 < tried {
            return self.is_refuted_by_cases(graph, TOGETHER, CASES);
        }
        let (together, budget) = AT_AN_END;
        let is_refuted = self.is_refuted_by_cases(graph, together, budget);
        self.ends = (tried + 1, refuted + u32::from(is_refuted));
        is_refuted
    }

    /// Whether no state takes the path, seen by cases.
    fn is_refuted_by_cases(&mut self, graph: &mut Graph, together: u32, budget: u32) -> bool {
        let Explorer { propagator, told_apart, numbers, path, .. } = self;
        propagator.keep_near(Some(Nearby::new(graph, path, std::iter::empty())));
        let near = Near { numbers, path }.find(graph);
        let mut cases = Cases { graph, propagator, numbers: &near, budget, helpful: told_apart };
        let is_refuted = cases.none_is_left(together);
        propagator.keep_near(None);
        is_refuted
    }

    /// Asks whether a state takes the path so far.
    fn confirm(&mut self, graph: &Graph) -> Result<(), Stop> {
        self.counts.feasibility_checks += 1;
        self.ask(graph, Ask::Feasible, Vec::new()).map_err(|answered| {
            self.ended = Some(answered);
            Stop::Interrupted
        })
    }

    /// An answer, the user or a limit ends the search.
    fn is_over(&self) -> bool {
        self.limits.reached() || self.checks.as_ref().is_some_and(|checks| checks.is_over.load(Ordering::Relaxed))
    }

    /// Whether a completed path, after so many others, is to be confirmed, so that a propagation that is too weak is found out
    /// before it counts paths that are none.
    pub fn wants_confirmed(&mut self, runs: u64) -> bool {
        let wants = self.guide.is_none() && (runs < 8 || runs.is_power_of_two());
        self.counts.feasibility_checks += u64::from(wants);
        wants
    }

    /// Which way to go, where propagation does not say.
    fn choose(&mut self, graph: &mut Graph, lit: Lit, nth: Option<u64>) -> Result<bool, Stop> {
        if self.is_over() {
            return Err(Stop::Interrupted);
        }
        let value = self.prefers(graph, lit);
        let lit = lit.flip(!value);
        let Err(depth) = self.take(graph, lit, false, nth.map(|nth| (nth, value)))? else { return Ok(value) };
        self.remember(!lit, depth);
        let level = self.propagator.level(graph);
        if self.propagator.assert_at(graph, !lit, depth).is_ok() {
            return Ok(!value);
        }
        self.propagator.undo_to(graph, level);
        Err(Stop::Infeasible)
    }

    /// Which side to take first: in the weak mode the one that the state at hand takes, which is feasible.
    fn prefers(&mut self, graph: &Graph, lit: Lit) -> bool {
        self.state.as_mut().is_none_or(|state| state.lit(graph, lit))
    }
}

impl Oracle for Explorer {
    fn branch(&mut self, graph: &mut Graph, lit: Lit) -> Result<bool, Stop> {
        self.choose(graph, lit, None)
    }

    /// A test that was decided comes out as it did. What is known of later decisions may have made another formula of it, in which
    /// propagation does not see that. That the new one holds rests on all decisions.
    fn decide(&mut self, graph: &mut Graph, lit: Lit, nth: u64) -> Result<bool, Stop> {
        let decided = self.decisions.iter().rev().filter_map(|d| d.test).find(|(number, _)| *number == nth);
        let Some((_, value)) = decided else { return self.choose(graph, lit, Some(nth)) };
        match self.propagator.assert_at(graph, lit.flip(!value), self.depth()) {
            Ok(()) => Ok(value),
            Err(_) => Err(Stop::Infeasible),
        }
    }

    fn restrict(&mut self, graph: &mut Graph, lit: Lit, why: Restriction) -> Result<(), Stop> {
        let aside = self.decisions().chain([!lit]).collect();
        self.set_aside.push(aside);
        self.counts.cut_off += u64::from(why == Restriction::Assumed);
        self.path.push(lit);
        if self.propagator.assert_at(graph, lit, self.depth()).is_ok()
            && (self.guide.is_none() || self.is_feasible(graph, lit)?.is_ok())
        {
            return Ok(());
        }
        Err(match why {
            Restriction::Assumed => Stop::Dropped,
            Restriction::Isomorphic => Stop::Infeasible,
        })
    }

    /// Nothing need be decided in a loop that no state gets to, and so it would run until no more steps are allowed.
    fn goes_on(&mut self, graph: &Graph, steps: u64) -> Result<(), Stop> {
        if self.is_over() {
            return Err(Stop::Interrupted);
        }
        let asks = self.guide.is_none() && (steps / LONG).is_power_of_two() && (steps / LONG).ilog2().is_multiple_of(2);
        if asks { self.confirm(graph) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propagate::tests::formula;
    use formula::Assignment;
    use work::Chance;

    /// Tests, each a formula that is put together anew in each run, and what is tested next.
    struct Code {
        seed: u64,
        next: Vec<[usize; 2]>,
    }

    impl Code {
        const TESTS: usize = 12;

        fn new(seed: u64) -> Code {
            let chance = &mut Chance::new(seed);
            let mut later = |test: usize| test + 1 + chance.below(3);
            Code { seed, next: (0..Code::TESTS).map(|test| [later(test), later(test)]).collect() }
        }

        fn test(&self, g: &mut Graph, ints: &[TermId], bools: &[Lit], test: usize) -> Lit {
            formula(&mut Chance::new(self.seed * 100 + test as u64), g, ints, bools, 3)
        }

        /// How the tests come out.
        fn run(&self, mut outcome: impl FnMut(usize) -> Result<bool, Stop>) -> Result<Vec<bool>, Stop> {
            let (mut test, mut way) = (0, Vec::new());
            while test < Code::TESTS {
                let value = outcome(test)?;
                way.push(value);
                test = self.next[test][usize::from(value)];
            }
            Ok(way)
        }
    }

    /// Every state takes one path, and goes its way. (Others may be no state's.)
    #[test]
    fn every_state_takes_the_path_that_is_its_own() {
        let mut paths = 0;
        for seed in 0..300 {
            let mut g = Graph::new();
            let ints: Vec<TermId> = (0..2).map(|_| g.int_var(0, 3)).collect();
            let bools: Vec<Lit> = (0..4).map(|_| g.var()).collect();
            let states: Vec<Assignment> = (0..256u32)
                .map(|case| Assignment {
                    bools: bools.iter().zip(0..).map(|(b, i)| (b.node(), case >> i & 1 == 1)).collect(),
                    ints: ints.iter().zip(0..).map(|(&t, i)| (t, i64::from(case >> (4 + 2 * i) & 3))).collect(),
                })
                .collect();
            let code = Code::new(seed);
            let tests: Vec<Lit> = (0..Code::TESTS).map(|test| code.test(&mut g, &ints, &bools, test)).collect();
            let ways: Vec<Vec<bool>> = states
                .iter()
                .map(|state| {
                    let mut state = Evaluator::new(state);
                    code.run(|test| Ok(state.lit(&g, tests[test]))).expect("a way")
                })
                .collect();
            let mut taken = vec![0; states.len()];
            let mut explorer = Explorer::new(sat::Limits::default());
            loop {
                let mut nth = 0;
                let way = code.run(|test| {
                    nth += 1;
                    let lit = code.test(&mut g, &ints, &bools, test);
                    g.value(lit).map_or_else(|| explorer.decide(&mut g, lit, nth), Ok)
                });
                if let Ok(way) = way {
                    paths += 1;
                    for (state, taken) in taken.iter_mut().enumerate() {
                        let is_in_force = explorer.path.iter().all(|&lit| Evaluator::new(&states[state]).lit(&g, lit));
                        let is_own = !is_in_force || ways[state] == way;
                        assert!(is_own, "seed {seed}: {way:?}, {:?}", states[state]);
                        *taken += u32::from(is_in_force);
                    }
                }
                if !matches!(explorer.backtrack(&mut g), Ok(true)) {
                    break;
                }
            }
            assert!(taken.iter().all(|&paths| paths == 1), "seed {seed}: {taken:?}");
        }
        assert!(paths > 3_000, "{paths}");
    }
}
