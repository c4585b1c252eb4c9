//! Search by execution (CORE.md, point 2): the executor explores paths depth first; at a branch the propagation engine,
//! which holds S, says which way the path must go, or the search decides, remembers, and flips later. The decisions are
//! the path constraint P.
//!
//! Paths so found are an over-approximation of the feasible ones: right for `verified`. The exact solver is asked for
//! feasibility now and then; once it finds that propagation was too weak, at every decision, and its states guide the
//! search from then on, so that each path costs one question.

use crate::exact::{Exact, Found};
use crate::propagate::{Level, Propagator};
use formula::{Assignment, Evaluator, Graph, Lit};
use symex::{Oracle, Restriction, Stop};

struct Decision {
    lit: Lit,
    is_flipped: bool,
    level: Level,
    /// Length of the path before it.
    path: usize,
}

pub struct Explorer {
    pub propagator: Propagator,
    pub exact: Exact,
    decisions: Vec<Decision>,
    /// Decisions and restrictions in force: P.
    path: Vec<Lit>,
    /// Decisions until the exact solver is asked again, and how many that is at present.
    countdown: u64,
    interval: u64,
    /// Propagation let an infeasible path through: from then on the exact solver confirms every decision.
    is_weak: bool,
    /// A state of S on the path, or on the path as it was when it was last asked for.
    state: Option<Box<Assignment>>,
    /// States that no path has to cover, each set as a conjunction: dropped by an `assume`, or isomorphic to others.
    pub set_aside: Vec<Vec<Lit>>,
    pub feasibility_checks: u64,
    pub interrupted: Box<dyn Fn() -> bool>,
}

impl Explorer {
    pub fn new(exact: Exact, interrupted: Box<dyn Fn() -> bool>) -> Explorer {
        Explorer {
            propagator: Propagator::default(),
            exact,
            decisions: Vec::new(),
            path: Vec::new(),
            countdown: 1,
            interval: 1,
            is_weak: false,
            state: None,
            set_aside: Vec::new(),
            feasibility_checks: 0,
            interrupted,
        }
    }

    /// The decisions alone: every state that agrees with them takes the path or was [set aside](Explorer::set_aside).
    pub fn decisions(&self) -> impl Iterator<Item = Lit> + '_ {
        self.decisions.iter().map(|d| d.lit)
    }

    pub fn path(&self) -> &[Lit] {
        &self.path
    }

    /// Goes back to the last decision that has another side, and takes it; false if there is none.
    pub fn backtrack(&mut self, graph: &mut Graph) -> Result<bool, Stop> {
        while let Some(decision) = self.decisions.pop() {
            self.propagator.undo_to(graph, decision.level);
            self.path.truncate(decision.path);
            if !decision.is_flipped && self.take(graph, !decision.lit, true)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Decides a literal; false, and nothing changed, if no state is seen to be left.
    fn take(&mut self, graph: &mut Graph, lit: Lit, is_flipped: bool) -> Result<bool, Stop> {
        let level = self.propagator.level(graph);
        let path = self.path.len();
        self.path.push(lit);
        if self.propagator.assert(graph, lit) && self.is_feasible(graph, lit)? {
            self.decisions.push(Decision { lit, is_flipped, level, path });
            return Ok(true);
        }
        self.propagator.undo_to(graph, level);
        self.path.truncate(path);
        Ok(false)
    }

    /// Asks the exact solver when it is due: now and then as long as propagation sees what there is to see, and at every
    /// decision once it did not, unless the state at hand takes this path.
    fn is_feasible(&mut self, graph: &mut Graph, lit: Lit) -> Result<bool, Stop> {
        if self.is_weak {
            if let Some(state) = &self.state
                && Evaluator::new(state).lit(graph, lit)
            {
                return Ok(true);
            }
        } else {
            self.countdown -= 1;
            if self.countdown > 0 {
                return Ok(true);
            }
        }
        self.feasibility_checks += 1;
        match self.exact.find(graph, &self.path, &[]) {
            Found::Nothing => {
                self.is_weak = true;
                Ok(false)
            }
            Found::Model(state) => {
                self.state = Some(state);
                self.interval = (self.interval * 4).min(1 << 16);
                self.countdown = self.interval;
                Ok(true)
            }
            Found::Unknown => Err(Stop::Interrupted),
            Found::Rejected(why) => Err(Stop::Rejected(why)),
        }
    }

    /// Whether a completed path, after so many others, is one that some state takes. The first ones and every so many later are
    /// asked about, so that a propagation that is too weak is found out before it counts paths that are none.
    pub fn confirms(&mut self, graph: &mut Graph, runs: u64) -> Result<bool, Stop> {
        if self.is_weak || runs >= 12 && !runs.is_power_of_two() {
            return Ok(true);
        }
        self.feasibility_checks += 1;
        match self.exact.find(graph, &self.path, &[]) {
            Found::Model(_) => Ok(true),
            Found::Nothing => {
                self.found_infeasible();
                Ok(false)
            }
            Found::Unknown => Err(Stop::Interrupted),
            Found::Rejected(why) => Err(Stop::Rejected(why)),
        }
    }

    /// A path turned out to be infeasible that propagation had let through.
    pub fn found_infeasible(&mut self) {
        self.is_weak = true;
        self.state = None;
    }

    /// Which side to take first: in the weak mode the one that the state at hand takes, which is feasible.
    fn prefers(&self, graph: &Graph, lit: Lit) -> bool {
        match &self.state {
            Some(state) if self.is_weak => Evaluator::new(state).lit(graph, lit),
            _ => true,
        }
    }
}

impl Oracle for Explorer {
    fn branch(&mut self, graph: &mut Graph, lit: Lit) -> Result<bool, Stop> {
        if (self.interrupted)() {
            return Err(Stop::Interrupted);
        }
        let value = self.prefers(graph, lit);
        let lit = lit.flip(!value);
        if self.take(graph, lit, false)? {
            return Ok(value);
        }
        // The other side is implied.
        let level = self.propagator.level(graph);
        if self.propagator.assert(graph, !lit) {
            return Ok(!value);
        }
        self.propagator.undo_to(graph, level);
        Err(Stop::Infeasible)
    }

    fn restrict(&mut self, graph: &mut Graph, lit: Lit, why: Restriction) -> Result<(), Stop> {
        let aside = self.decisions().chain([!lit]).collect();
        self.set_aside.push(aside);
        self.path.push(lit);
        if self.propagator.assert(graph, lit) && (!self.is_weak || self.is_feasible(graph, lit)?) {
            return Ok(());
        }
        Err(match why {
            Restriction::Assumed => Stop::Dropped,
            Restriction::Isomorphic => Stop::Infeasible,
        })
    }
}
