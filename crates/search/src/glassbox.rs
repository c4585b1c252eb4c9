//! The glass box search (dissertation, Figure 2.2), by execution. For every path: run the operation, build what must hold
//! afterwards (R), drop what is known, prove the rest by elimination and propagation, and leave what is left to the
//! exact solver, which works beside the search.
//!
//! Propagation may let through a path that no state takes. Samples are confirmed by the exact solver; when one fails, the
//! search starts again with each decision looked at by cases, and, if that is too weak as well, with the exact solver at every decision.
//!
//! With `certify`, the exact solver, whose every "unsatisfiable" is then checked by the independent checker, must agree
//! with all that propagation said: each literal it set, each conjunct it proved, and that the paths cover S.

mod empty;
mod stuck;

use crate::cases::Numbers;
use crate::checks::{Answered, Ask, Checker, Checks, Reply};
use crate::exact::{Exact, Found};
use crate::explore::{Explorer, Guidance};
use crate::observe::Watch;
use crate::outcome::{Counts, Options, Outcome};
use crate::prove::{Luck, Prover};
use crate::start::Starts;
use formula::{Lit, Mark, Mirror};
use work::spawn_with_room;

use ir::choices::Choices;
use ir::space::{Concrete, SlotId, Space, Statics};
use ir::{Checked, Operation, Program, Ty, Value};
use sat::Preset;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::Scope;
use symex::{Conjunct, Executor, RunEnd, Stop, Sym, Symbolic};

/// Conflicts that a question about what is near is worth.
const NEARBY: u32 = 5_000;

pub struct GlassBox<'p> {
    pub symbolic: Symbolic<'p>,
    statics: Arc<Statics>,
    checked: &'p Checked,
    operation: &'p Operation,
    arguments: Vec<Sym>,
    /// The conjuncts of S.
    conditions: Vec<Lit>,
    explorer: Explorer,
    isomorphism: bool,
    options: Options,
    /// With `certify`: S without the paths so far.
    uncovered: Option<Exact>,
    watch: Option<Watch<'p>>,
    luck: Luck,
    /// Places that are left out since no state fills them, once that is known.
    empty: Option<Vec<SlotId>>,
    /// If states are looked for in which none of these is enabled: nothing else is checked then.
    choices: Option<Arc<Choices>>,
    pub counts: Counts,
}

/// Something on the way that ends the search.
enum End {
    NoState,
    /// Or a run that does not end.
    Violated(Box<Concrete>),
    /// Propagation let a path through that no state takes.
    Weak,
    Stopped(Stop),
    Rejected(String),
}

impl<'p> GlassBox<'p> {
    pub fn new(
        program: &'p Program,
        space: &Arc<Space>,
        statics: &Arc<Statics>,
        checked: &'p Checked,
        operation: &'p Operation,
        options: &Options,
    ) -> GlassBox<'p> {
        let mut symbolic = Symbolic::new(program, space, statics, options.limits);
        symbolic.interrupted = Some(options.interrupted());
        let watch = Watch::new(&mut symbolic, statics, checked, operation, options);
        GlassBox {
            symbolic,
            watch,
            statics: statics.clone(),
            checked,
            operation,
            arguments: Vec::new(),
            conditions: Vec::new(),
            explorer: Explorer::new(options.solver_limits()),
            isomorphism: !program.looks_at_identity(),
            options: options.clone(),
            uncovered: None,
            luck: Luck::default(),
            empty: None,
            choices: None,
            counts: Counts::default(),
        }
    }

    /// Explores every path; the answer holds for every state of the space.
    pub fn search(&mut self) -> Outcome {
        self.search_from(None)
    }

    /// The same, from what other operations start from too. What no choice leads out of comes after what is wrong with a step.
    pub fn search_from<'q: 'p>(&mut self, starts: Option<&Starts<'q>>) -> Outcome {
        let outcome = self.search_paths(starts);
        self.stuck(outcome, starts)
    }

    fn search_paths<'q: 'p>(&mut self, starts: Option<&Starts<'q>>) -> Outcome {
        let ended = self.initialise(starts).and_then(|is_consistent| {
            let mut ended = self.explore(is_consistent, Guidance::Propagation);
            for guidance in [Guidance::Cases, Guidance::Solver] {
                if !matches!(ended, Err(End::Weak)) {
                    break;
                }
                if guidance == Guidance::Cases && !self.luck.is_worth_cases() {
                    // Propagation is too weak of each value by itself as well.
                    continue;
                }
                // From the same start, so that nothing depends on how far the search before got.
                *self = self.afresh();
                let is_consistent = self.initialise(starts)?;
                ended = self.explore(is_consistent, guidance);
            }
            ended
        });
        if let (Ok(()) | Err(End::NoState), Some(stop)) = (&ended, self.symbolic.cut_off()) {
            return Outcome::Stopped(stop);
        }
        match ended {
            Ok(()) if self.counts.states_run == self.counts.dropped => Outcome::AllDropped,
            Ok(()) => {
                self.observe();
                Outcome::Verified
            }
            Err(End::NoState) => Outcome::NoState,
            Err(End::Violated(concrete)) => Outcome::Violated(concrete),
            Err(End::Weak) => Outcome::Rejected("the exact solver found a path that it does not find again".into()),
            Err(End::Rejected(why) | End::Stopped(Stop::Rejected(why))) => Outcome::Rejected(why),
            Err(End::Stopped(stop)) => Outcome::Stopped(stop),
        }
    }

    /// The same search, before it began.
    fn afresh(&self) -> GlassBox<'p> {
        let Symbolic { program, space, .. } = &self.symbolic;
        let afresh = GlassBox::new(program, space, &self.statics, self.checked, self.operation, &self.options);
        GlassBox { choices: self.choices.clone(), empty: self.empty.clone(), ..afresh }
    }

    /// What the runs reached and how they leave the space, asked about once all are done.
    fn observe(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.settle(&mut self.symbolic, &self.conditions, &self.arguments);
            watch.complete();
        }
    }

    /// So much was collected that it is better asked about now.
    fn observe_some(&mut self, ground: Mark) {
        if let Some(watch) = self.watch.as_mut().filter(|w| w.is_full()) {
            let mut copy = self.symbolic.clone();
            copy.graph.undo_to(ground);
            let reached = watch.settle(&mut copy, &self.conditions, &self.arguments);
            if let Some(open) = &mut self.symbolic.reached {
                reached.into_iter().for_each(|span| open.close(span));
            }
        }
    }

    /// S: all valid states (2.5). False if propagation refutes it.
    fn initialise<'q: 'p>(&mut self, starts: Option<&Starts<'q>>) -> Result<bool, End> {
        let known = self.empty.clone();
        if let Some(empty) = known.iter().find(|empty| !empty.is_empty()) {
            self.symbolic.leave_empty(empty);
        }
        let mut is_consistent = self.translate(starts.filter(|_| known.iter().all(Vec::is_empty)))?;
        if is_consistent && known.is_none() {
            let empty = self.never_filled();
            if !empty.is_empty() {
                self.leave_empty(&empty)?;
                is_consistent = self.translate(None)?;
            }
            self.empty = Some(empty);
        }
        self.symbolic.graph.settle();
        Ok(is_consistent)
    }

    fn translate<'q: 'p>(&mut self, starts: Option<&Starts<'q>>) -> Result<bool, End> {
        let (s, checked) = (&mut self.symbolic, self.checked);
        self.conditions = match starts {
            Some(starts) => {
                let valid = starts.valid_states(&s.space, checked, s.limits, s.interrupted.clone());
                let (symbolic, conditions) = valid.map_err(End::Stopped)?;
                let reached = s.reached.take();
                *s = symbolic;
                s.reached = reached;
                conditions
            }
            None => s.valid_states(checked).map_err(End::Stopped)?,
        };
        let operation = match &self.choices {
            Some(choices) => {
                self.arguments = choices.values.first().map(|&v| s.value(Value::Int(v))).into_iter().collect();
                &choices.state
            }
            None => {
                self.arguments = s.arguments();
                self.operation
            }
        };
        self.conditions.extend(s.valid_arguments(operation, &self.arguments).map_err(End::Stopped)?);
        s.keep();
        let graph = &mut s.graph;
        let propagator = &mut self.explorer.propagator;
        propagator.spell_out(graph);
        Ok(propagator.assert_given(graph, &self.conditions))
    }

    fn explore(&mut self, is_consistent: bool, guidance: Guidance) -> Result<(), End> {
        let certify = self.options.certify;
        let exact = |preset| Exact::new(&self.conditions, preset, certify, self.options.solver_limits());
        let guide = matches!(guidance, Guidance::Solver).then(|| exact(Preset::Search));
        self.uncovered = certify.then(|| exact(Preset::Search));
        std::thread::scope(|scope| {
            let checks = self.spawn_checker(scope)?;
            self.explorer.numbers = Numbers::new(&self.symbolic);
            self.explorer.begin(checks, guidance, guide);
            let ended = self.every_path(is_consistent);
            if ended.is_ok() {
                self.counts = self.explorer.total(&self.symbolic.graph);
                if let Some(uncovered) = &self.uncovered {
                    self.counts = self.counts.with_work(uncovered.work());
                }
            }
            self.explorer.end();
            ended
        })
    }

    fn every_path(&mut self, is_consistent: bool) -> Result<(), End> {
        self.ask(Ask::Feasible, &[]).and_then(|()| self.wait()).map_err(|end| match end {
            End::Weak => End::NoState,
            end => end,
        })?;
        if !is_consistent {
            return Err(End::Rejected("propagation refutes an invariant that has a model".into()));
        }
        self.certify_facts(Mark::default())?;
        let ground = self.symbolic.graph.mark();
        let choices = self.choices.clone();
        // What one choice does first is not what another does.
        if choices.is_none() {
            self.symbolic.begin();
        }
        loop {
            self.symbolic.reset();
            match &choices {
                Some(choices) => self.run_choices(choices, ground)?,
                None => self.run(ground)?,
            }
            let aside = std::mem::take(&mut self.explorer.set_aside);
            if let Some(uncovered) = &mut self.uncovered {
                for set in aside {
                    let opposite: Vec<Lit> = set.into_iter().map(|l| !l).collect();
                    uncovered.add_clause(&mut self.symbolic.graph, &opposite);
                }
            }
            match self.explorer.backtrack(&mut self.symbolic.graph) {
                Ok(true) => {}
                Ok(false) => break,
                Err(stop) => return Err(self.stopped(stop)),
            }
        }
        self.wait()?;
        self.certify_cover()
    }

    /// The checker, on its own thread, with a copy of the formulas.
    fn spawn_checker<'s>(&mut self, scope: &'s Scope<'s, '_>) -> Result<Checks, End> {
        let (presences, plain) = (self.symbolic.presences(), self.symbolic.plain_values());
        let (checks, serve, limits) = Checks::new(&self.options, &self.symbolic.graph);
        let (graph, conditions) = (self.symbolic.graph.clone(), self.conditions.clone());
        let (certify, is_arbitrary) = (self.options.certify, self.is_arbitrary());
        let work = move || {
            let exact = |limits| Exact::new(&conditions, Preset::Check, certify, limits);
            let few = sat::Limits { conflicts: Some(NEARBY), ..limits.clone() };
            let (exact, near) = (exact(limits).renewing(is_arbitrary), exact(few).renewing(true));
            serve(Checker { mirror: Mirror::new(graph), exact, near, presences, plain });
        };
        spawn_with_room(scope, work).map_err(|e| End::Rejected(format!("no thread could be started: {e}")))?;
        Ok(checks)
    }

    /// One path, checked on all the states that take it.
    fn run(&mut self, ground: Mark) -> Result<(), End> {
        let mut executor = Executor::new(&mut self.symbolic, &mut self.explorer, self.isomorphism);
        let operated = executor.operate(self.checked, self.operation, &self.arguments);
        let steps = executor.steps;
        self.explorer.counts.steps += steps;
        let run = match operated {
            Ok(run) => run,
            Err(Stop::Infeasible) => return Ok(()),
            Err(Stop::Dropped) => {
                self.explorer.counts.cut_off += 1;
                self.cover();
                return Ok(());
            }
            Err(stop @ Stop::Unsupported(_)) => return self.ends_in(stop),
            Err(Stop::Steps(_)) => return self.ends(),
            Err(stop) => return Err(self.stopped(stop)),
        };
        if let RunEnd::Escaped(_) = run.end {
            return self.ends();
        }
        let runs = self.explorer.counts.states_run;
        self.count_run(matches!(run.end, RunEnd::Final));
        self.explorer.counts.thrown += u64::from(matches!(run.end, RunEnd::Threw(_)));
        let conjuncts = self.symbolic.final_conditions(self.checked, self.operation, &run).map_err(End::Stopped)?;
        let open = self.discharge(&conjuncts);
        self.explorer.counts.checks += u64::from(!open.is_empty());
        let is_confirmed = self.explorer.wants_confirmed(runs);
        if is_confirmed {
            self.ask(Ask::Feasible, &[])?;
        }
        if let Some(watch) = &mut self.watch {
            let is_taken = is_confirmed || self.explorer.is_guided();
            let (propagator, path) = self.explorer.propagator_and_path();
            watch.completed(&mut self.symbolic, propagator, &run, path, is_taken);
        }
        self.observe_some(ground);
        self.certify_facts(ground)?;
        self.ask(Ask::Open, &open)?;
        // What was asked is what propagation and elimination made of it.
        if self.options.certify { self.ask(Ask::Proved, &conjuncts) } else { Ok(()) }
    }

    fn count_run(&mut self, is_final: bool) {
        self.explorer.counts.states_run += 1;
        self.explorer.counts.dropped += u64::from(is_final);
        self.options.progress.fetch_add(1, Ordering::Relaxed);
        self.cover();
    }

    /// With `certify`: the states on the path are taken care of.
    fn cover(&mut self) {
        if let Some(uncovered) = &mut self.uncovered {
            let not_p: Vec<Lit> = self.explorer.decisions().map(|l| !l).collect();
            uncovered.add_clause(&mut self.symbolic.graph, &not_p);
        }
    }

    /// Whether objects refer to each other, and none has a place in a tree: heaps of Hob's `bounded`.
    fn is_arbitrary(&self) -> bool {
        let Symbolic { program, space, .. } = &self.symbolic;
        let refers =
            |class| program.instance_fields(class).iter().any(|&f| matches!(program.field(f).ty, Ty::Class(_)));
        let objects = space.objects.iter().skip(space.statics);
        space.slots.is_empty() && objects.filter(|o| matches!(o.ty, Ty::Class(class) if refers(class))).count() > 1
    }

    /// Proves what can be proved without the exact solver; returns the rest.
    fn discharge(&mut self, conjuncts: &[Conjunct]) -> Vec<Conjunct> {
        if conjuncts.is_empty() {
            return Vec::new();
        }
        let is_guided = self.explorer.guidance != Guidance::Propagation;
        // On arbitrary heaps propagation is weak, and proofs by it take longer than the exact solver: lists of 8 nodes 2.5 s to 0.7. Where
        // it is too weak for decisions the solver has the path at hand: trees of 5 nodes 5 s to 1.
        if self.is_arbitrary() {
            return conjuncts.iter().filter(|c| self.symbolic.graph.value(c.lit) != Some(true)).copied().collect();
        }
        let (propagator, near) = self.explorer.propagator_and_near();
        let mut prover = Prover::new(&mut self.symbolic.graph, propagator, &mut self.luck);
        let open = prover.discharge(conjuncts, is_guided, near);
        let (by_propagation, by_elimination) = (prover.by_propagation, prover.by_elimination);
        self.explorer.counts.by_propagation += by_propagation;
        self.explorer.counts.by_elimination += by_elimination;
        open
    }

    /// Asks about the present path; of the conjuncts, whether one may be false.
    fn ask(&mut self, ask: Ask, conjuncts: &[Conjunct]) -> Result<(), End> {
        if conjuncts.is_empty() && matches!(ask, Ask::Open | Ask::Proved) {
            return Ok(());
        }
        let negated = conjuncts.iter().map(|c| !c.lit).collect();
        self.explorer.ask(&self.symbolic.graph, ask, negated).map_err(|answered| self.ended(answered))
    }

    /// With `certify`: everything that propagation set since a mark follows from S and the path.
    fn certify_facts(&mut self, since: Mark) -> Result<(), End> {
        if !self.options.certify {
            return Ok(());
        }
        let opposites: Vec<Lit> = self.symbolic.graph.known_since(since).into_iter().map(|l| !l).collect();
        if opposites.is_empty() {
            return Ok(());
        }
        self.explorer.ask(&self.symbolic.graph, Ask::Proved, opposites).map_err(|answered| self.ended(answered))
    }

    /// All answers to what was asked so far.
    fn wait(&mut self) -> Result<(), End> {
        self.explorer.wait().map_err(|answered| self.ended(answered))
    }

    /// The run ends badly, if a state gets there; that none does is no weakness, but what is to be shown.
    fn ends(&mut self) -> Result<(), End> {
        // What is certified is asked of the exact solver.
        if !self.options.certify && self.explorer.never_gets_there(&mut self.symbolic.graph) {
            return Ok(());
        }
        self.wait()?;
        match self.ask(Ask::Ends, &[]).and_then(|()| self.wait()) {
            Err(End::Violated(state)) => {
                self.counts.states_run += 1;
                Err(End::Violated(state))
            }
            ended => ended,
        }
    }

    /// An error only if a state gets there.
    fn ends_in(&mut self, stop: Stop) -> Result<(), End> {
        // A violation on an earlier path may not have been answered yet.
        self.wait()?;
        match self.ends() {
            Err(End::Violated(_)) => Err(End::Stopped(stop)),
            ended => ended,
        }
    }

    fn ended(&mut self, (reply, counts): Answered) -> End {
        self.counts = counts;
        match reply {
            Reply::Infeasible => End::Weak,
            Reply::Reached(state) => End::Violated(Box::new(self.symbolic.concretize(&state, &self.arguments))),
            Reply::Fine | Reply::Unknown => End::Stopped(Stop::Interrupted),
            Reply::Rejected(why) => End::Rejected(why),
        }
    }

    /// An interruption may be the answer to an earlier question.
    fn stopped(&mut self, stop: Stop) -> End {
        if matches!(stop, Stop::Interrupted)
            && let Err(end) = self.wait()
        {
            return end;
        }
        self.counts = self.explorer.total(&self.symbolic.graph);
        End::Stopped(stop)
    }

    /// Every state of S took one of the paths.
    fn certify_cover(&mut self) -> Result<(), End> {
        let Some(uncovered) = &mut self.uncovered else { return Ok(()) };
        match uncovered.find(&mut self.symbolic.graph, &[], &[]) {
            Found::Nothing => Ok(()),
            Found::Model(_) => Err(End::Rejected("the paths do not cover every state".into())),
            Found::Unknown => Err(End::Stopped(Stop::Interrupted)),
            Found::Rejected(why) => Err(End::Rejected(why)),
        }
    }
}
