//! Loops whose rounds change the heap: the proof is cut at their head.
//!
//! What is known there: the invariants of the representation, the loop's invariant, what the procedure requires of the sets at its entry, and
//! relations between sets at entry, sets now and variables, of which those are kept that hold at first and that every round keeps
//! ([`Prover::candidates_of_sets`]). The heap at the head is laid out anew, so that nothing else of the past matters but sets. That the loop
//! ends: a set of the module loses an object in every round.

use super::execute::{Flow, State, Value};
use super::formula::{Mode, When};
use super::loops::{Loop, Round};
use super::{Prover, Shown, open};
use crate::program::*;
use source::Span;
use std::rc::Rc;

/// More relations are not tried.
const MOST_CANDIDATES: usize = 60;

impl<'p> Prover<'p> {
    pub fn cut(&mut self, mut state: State, this: &Loop<'p>, invariant: Option<&'p Formula>) -> Shown<Vec<Flow>> {
        let span = this.span;
        if self.only_follows || self.running.len() != 1 || self.recursion.is_some() {
            return open(span, "this loop changes the heap, and is not in the procedure itself");
        }
        self.invariants_hold(&mut state, None, "where this loop begins, whose rounds change the heap,")?;
        let mut head = self.anew(&state)?;
        if let Some(invariant) = invariant {
            let known = self.formula(&mut head, invariant, When::Later, Mode::May)?;
            head.assume(&known);
        }
        self.only_follows = true;
        let rounds = self.rounds(&head, this);
        self.only_follows = false;
        let rounds = rounds?;
        if state.heap.has_changed_elsewhere() || rounds.iter().any(|r| r.end.heap.has_changed_elsewhere()) {
            return open(span, "this loop changes the heap, and sets of other modules are changed in it or before it");
        }
        for formula in self.kept(&mut state, &mut head, &rounds, span)? {
            let known = self.formula(&mut head, &formula, When::Later, Mode::May)?;
            head.assume(&known);
        }
        if !self.shrinks(&head, &rounds, span)? {
            return open(span, "that this loop ends is not shown: no set of the module loses an object in every round");
        }
        let mut flows = Vec::new();
        for (inside, holds) in self.branches(head, this.condition)? {
            if !holds {
                flows.push(Flow::Next(inside));
                continue;
            }
            for flow in self.round(inside, this)? {
                let Flow::Next(mut end) = flow else {
                    flows.push(flow);
                    continue;
                };
                self.invariants_hold(&mut end, None, "after a round of the loop, whose rounds change the heap,")?;
                if let Some(invariant) = invariant {
                    self.clause(&mut end, invariant, When::Later, "that a round keeps the loop invariant")?;
                }
            }
        }
        Ok(flows)
    }

    /// Any heap that the invariants allow, any values, and any sets at the entry that the procedure allows.
    fn anew(&mut self, state: &State) -> Shown<State> {
        let mut head = self.any_heap()?;
        let mut entry = State::clone(&head);
        self.stamp(&mut entry);
        for variable in self.own_variables() {
            if matches!(self.program.spec_var(variable).kind, SpecVarKind::Set(_)) {
                let (name, x) = (self.fresh("C"), self.fresh("e"));
                head.declare(2, &name);
                head.assume(&format!("(all1 {x}: ({x} in {name} => {x} in A))"));
                head.sets.insert((entry.heap.stamp, variable), name);
            }
        }
        for &global in &self.program.module(self.module).globals {
            let is_bool = self.program.globals[global.index()].ty == Type::Bool;
            let value = if is_bool { self.any_value(&mut head, &Type::Bool) } else { Value::Other };
            entry.heap.globals.insert(global, value);
        }
        head.entry = Rc::new(entry.heap);
        let Some(&proc) = self.running.last() else { return Ok(head) };
        let proc = self.program.proc(proc);
        for &local in state.locals.keys() {
            let value = self.any_value(&mut head, &proc.locals[local.index()].ty);
            head.locals.insert(local, value);
        }
        // What it requires of the sets at its entry.
        for clause in proc.contract.requires.iter().filter(|c| is_of_sets(&c.formula)) {
            let known = self.formula(&mut head, &clause.formula, When::Later, Mode::May)?;
            head.assume(&known);
        }
        Ok(head)
    }

    /// The candidates that hold at first, and that every round keeps if all of them hold before it.
    fn kept(&mut self, first: &mut State, head: &mut State, rounds: &[Round], span: Span) -> Shown<Vec<Formula>> {
        let mut candidates = Vec::new();
        for formula in self.candidates_of_sets(first, span) {
            let text = self.formula(first, &formula, When::Later, Mode::Must)?;
            if self.follows(first, &text, span)? {
                candidates.push(formula);
            }
        }
        loop {
            let count = candidates.len();
            let mut before = head.clone();
            for formula in &candidates {
                let known = self.formula(&mut before, formula, When::Later, Mode::May)?;
                before.assume(&known);
            }
            for round in rounds {
                let mut end = round.after(&before);
                let mut kept = Vec::new();
                for formula in candidates {
                    let text = self.formula(&mut end, &formula, When::Later, Mode::Must)?;
                    if self.follows(&end, &text, span)? {
                        kept.push(formula);
                    }
                }
                candidates = kept;
            }
            if candidates.len() == count {
                return Ok(candidates);
            }
        }
    }

    /// Relations between the module's sets at entry and now, and variables that hold objects.
    fn candidates_of_sets(&self, state: &State, span: Span) -> Vec<Formula> {
        let is_set = |v: &SpecVarId| matches!(self.program.spec_var(*v).kind, SpecVarKind::Set(_));
        let sets: Vec<SpecVarId> = self.own_variables().into_iter().filter(is_set).collect();
        let name = |subject, primed| SetExpr::Name(NameRef { subject, primed, span });
        let set = |v: SpecVarId, primed| name(Subject::SpecVar(v), primed);
        let mut locals: Vec<LocalId> = state.locals.keys().copied().collect();
        locals.retain(|l| matches!(state.locals.get(l), Some(Value::Object(_))));
        locals.sort_unstable();
        let both = |make: fn(Box<SetExpr>, Box<SetExpr>) -> SetExpr, a, b| make(Box::new(a), Box::new(b));
        let mut found = Vec::new();
        for &s in &sets {
            found.push(FormulaKind::Equal(set(s, true), set(s, false)));
            found.push(FormulaKind::Subset(set(s, true), set(s, false)));
            found.push(FormulaKind::Subset(set(s, false), set(s, true)));
            for &t in sets.iter().filter(|t| **t > s) {
                let whole = |primed| both(SetExpr::Union, set(s, primed), set(t, primed));
                found.push(FormulaKind::Equal(whole(true), whole(false)));
                found.push(FormulaKind::Disjoint(vec![set(s, true), set(t, true)]));
            }
        }
        for &local in &locals {
            let v = || name(Subject::Local(local), false);
            found.push(FormulaKind::Equal(v(), SetExpr::Empty));
            found.push(FormulaKind::Card(v(), CardOp::Equal, 1));
            for &s in &sets {
                for primed in [true, false] {
                    found.push(FormulaKind::Subset(v(), set(s, primed)));
                    found.push(FormulaKind::Disjoint(vec![v(), set(s, primed)]));
                }
                found.push(FormulaKind::Equal(set(s, true), both(SetExpr::Diff, set(s, false), v())));
                found.push(FormulaKind::Equal(set(s, true), both(SetExpr::Union, set(s, false), v())));
            }
        }
        found.truncate(MOST_CANDIDATES);
        found.into_iter().map(|kind| Formula { kind, span }).collect()
    }

    /// Whether some set of the module loses an object, and gets none, in every round.
    fn shrinks(&mut self, head: &State, rounds: &[Round], span: Span) -> Shown<bool> {
        for variable in self.own_variables() {
            if !matches!(self.program.spec_var(variable).kind, SpecVarKind::Set(_)) {
                continue;
            }
            let mut before = head.clone();
            let was = self.set_of(&mut before, When::Later, true, variable, span)?;
            let mut is_less = true;
            for round in rounds {
                let mut end = round.after(&before);
                let is = self.set_of(&mut end, When::Later, true, variable, span)?;
                let x = self.fresh("e");
                let goal =
                    format!("((all1 {x}: ({x} in {is} => {x} in {was})) & (ex1 {x}: ({x} in {was} & {x} notin {is})))");
                is_less = is_less && self.follows(&end, &goal, span)?;
            }
            if is_less {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether nothing in it is about a heap.
fn is_of_sets(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Heap(_) | FormulaKind::Uninterpreted(_) | FormulaKind::OverRelation(_) => false,
        FormulaKind::Not(a) | FormulaKind::Quantified { body: a, .. } => is_of_sets(a),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().all(is_of_sets),
        FormulaKind::Implies(a, b) | FormulaKind::Iff(a, b) => is_of_sets(a) && is_of_sets(b),
        _ => true,
    }
}
