//! The loop of the dissertation, Figure 5.8, as printed: ask a solver for any unchecked state, run the operation from it,
//! check every state that takes the same path, remove them all. Slower than [`crate::glassbox`] and simpler: the oracle
//! for its counts, and the way out where propagation is weak. Propagation only folds the formulas by what P says; it
//! neither chooses a path nor proves anything.

use crate::exact::{Exact, Found};
use crate::glassbox::GlassBox;
use crate::observe::Watch;
use crate::outcome::{Counts, Options, Outcome};
use crate::propagate::Propagator;
use formula::{Assignment, Evaluator, Graph, Lit};
use ir::space::{Space, Statics};
use ir::{Checked, Operation, Program};
use sat::Preset;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use symex::{Executor, Oracle, Restriction, RunEnd, Stop, Symbolic};

/// Φ: answers every branch by evaluation under one assignment.
struct Model<'a> {
    evaluator: Evaluator<'a>,
    propagator: &'a mut Propagator,
    /// P
    path: Vec<Lit>,
    /// States isomorphic to those on the path (2.8): what must hold for the prefix, and the literal that marks them.
    isomorphic: Vec<(usize, Lit)>,
}

impl Oracle for Model<'_> {
    fn branch(&mut self, graph: &mut Graph, lit: Lit) -> Result<bool, Stop> {
        let value = self.evaluator.lit(graph, lit);
        self.extend(graph, lit.flip(!value))?;
        Ok(value)
    }

    fn restrict(&mut self, graph: &mut Graph, lit: Lit, why: Restriction) -> Result<(), Stop> {
        let value = self.evaluator.lit(graph, lit);
        if why == Restriction::Isomorphic {
            self.isomorphic.push((self.path.len(), !lit));
            return if value { self.extend(graph, lit) } else { Err(Stop::Infeasible) };
        }
        self.extend(graph, lit.flip(!value))?;
        if value { Ok(()) } else { Err(Stop::Dropped) }
    }
}

impl Model<'_> {
    /// P <- P and lit, which Φ satisfies.
    fn extend(&mut self, graph: &mut Graph, lit: Lit) -> Result<(), Stop> {
        self.path.push(lit);
        // A model of S and P cannot be in conflict with what follows from them.
        if self.propagator.assert(graph, lit) { Ok(()) } else { Err(Stop::Interrupted) }
    }
}

pub fn search(
    program: &Program,
    space: &Arc<Space>,
    statics: &Arc<Statics>,
    checked: &Checked,
    operation: &Operation,
    options: &Options,
) -> (Outcome, Counts) {
    let mut counts = Counts::default();
    let outcome = glass_box_search(program, space, statics, checked, operation, options, &mut counts);
    // The figure knows no choices: whether one is enabled is asked by execution.
    let mut glass_box = GlassBox::new(program, space, statics, checked, operation, options);
    glass_box.counts = counts;
    let outcome = glass_box.stuck(outcome.unwrap_or_else(Outcome::Stopped), None);
    (outcome, glass_box.counts)
}

fn glass_box_search(
    program: &Program,
    space: &Arc<Space>,
    statics: &Arc<Statics>,
    checked: &Checked,
    operation: &Operation,
    options: &Options,
    counts: &mut Counts,
) -> Result<Outcome, Stop> {
    let isomorphism = !program.looks_at_identity();
    let mut h = Symbolic::new(program, space, statics, options.limits);
    h.interrupted = Some(options.interrupted());
    let mut watch = Watch::new(&mut h, statics, checked, operation, options);
    // S <- s and not E
    let mut conditions = h.valid_states(checked)?;
    let arguments = h.arguments();
    conditions.extend(h.valid_arguments(operation, &arguments)?);
    h.keep();
    let mut propagator = Propagator::default();
    for &condition in &conditions {
        propagator.assert(&mut h.graph, condition);
    }
    let mut unchecked = Exact::new(&conditions, Preset::Search, options.certify, options.solver_limits());
    let mut checker = Exact::new(&conditions, Preset::Check, options.certify, options.solver_limits());
    h.graph.settle();
    let ground = propagator.level(&h.graph);
    // while S is satisfiable, with Φ any satisfying assignment of S
    let mut is_first = true;
    loop {
        let phi: Box<Assignment> = match unchecked.find(&mut h.graph, &[], &[]) {
            Found::Model(phi) => phi,
            Found::Nothing => break,
            Found::Unknown => return Err(Stop::Interrupted),
            Found::Rejected(why) => return Ok(Outcome::Rejected(why)),
        };
        is_first = false;
        // <H', P, e> <- symbolic execution with Φ
        h.reset();
        propagator.undo_to(&mut h.graph, ground);
        let evaluator = Evaluator::new(&phi);
        let mut model = Model { evaluator, propagator: &mut propagator, path: Vec::new(), isomorphic: Vec::new() };
        let run = Executor::new(&mut h, &mut model, isomorphism).operate(checked, operation, &arguments);
        let (p, isomorphic) = (model.path, model.isomorphic);
        match run {
            Err(Stop::Infeasible) => {}
            Err(Stop::Dropped) => counts.cut_off += 1,
            // A run that does not end is worth a look.
            Err(Stop::Steps(_)) => return Ok(Outcome::Violated(Box::new(h.concretize(&phi, &arguments)))),
            Err(stop) => return Err(stop),
            Ok(run) => {
                counts.states_run += 1;
                counts.thrown += u64::from(matches!(run.end, RunEnd::Threw(_)));
                options.progress.fetch_add(1, Ordering::Relaxed);
                if let Some(watch) = &mut watch {
                    watch.completed(&mut h, &mut propagator, &run, &p, true);
                }
                match run.end {
                    // a stuck state
                    RunEnd::Escaped(_) => return Ok(Outcome::Violated(Box::new(h.concretize(&phi, &arguments)))),
                    RunEnd::Final => counts.dropped += 1,
                    RunEnd::Returned(_) | RunEnd::Threw(_) => {
                        // if S and P and not R is satisfiable
                        let r = h.final_conditions(checked, operation, &run)?;
                        let not_r: Vec<Lit> = r.iter().map(|c| !c.lit).collect();
                        if !not_r.is_empty() {
                            counts.checks += 1;
                            match checker.find(&mut h.graph, &p, &not_r) {
                                Found::Nothing => {}
                                Found::Model(bad) => {
                                    return Ok(Outcome::Violated(Box::new(h.concretize(&bad, &arguments))));
                                }
                                Found::Unknown => return Err(Stop::Interrupted),
                                Found::Rejected(why) => return Ok(Outcome::Rejected(why)),
                            }
                        }
                    }
                }
                // S <- S and not P
                let not_p: Vec<Lit> = p.iter().map(|&l| !l).collect();
                unchecked.add_clause(&mut h.graph, &not_p);
                for &(prefix, marked) in &isomorphic {
                    prune_isomorphic(&mut unchecked, &mut h.graph, &p[..prefix], marked);
                }
                continue;
            }
        }
        // A dropped or isomorphic run: remove what it stands for.
        for &(prefix, marked) in &isomorphic {
            prune_isomorphic(&mut unchecked, &mut h.graph, &p[..prefix], marked);
        }
        if isomorphic.is_empty() {
            let not_p: Vec<Lit> = p.iter().map(|&l| !l).collect();
            unchecked.add_clause(&mut h.graph, &not_p);
        }
    }
    if let Some(stop) = h.cut_off() {
        return Err(stop);
    }
    if is_first {
        return Ok(Outcome::NoState);
    }
    *counts = counts.with_work(unchecked.work()).with_work(checker.work());
    counts.nodes = h.graph.node_count() as u64;
    if let Some(watch) = &mut watch {
        propagator.undo_to(&mut h.graph, ground);
        watch.settle(&mut h, &conditions, &arguments);
        watch.complete();
    }
    Ok(if counts.states_run == counts.dropped { Outcome::AllDropped } else { Outcome::Verified })
}

/// Removes the states that follow the path's prefix and are isomorphic to others there.
fn prune_isomorphic(unchecked: &mut Exact, graph: &mut Graph, prefix: &[Lit], marked: Lit) {
    let mut clause: Vec<Lit> = prefix.iter().map(|&l| !l).collect();
    clause.push(!marked);
    unchecked.add_clause(graph, &clause);
}
