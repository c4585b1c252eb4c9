//! Calls (docs/hob.md, "Calls"): what must hold before, what is known after, what may have changed.

use super::effects::Written;
use super::indexes::Variable;
use super::oblige::{Blame, Kind};
use super::ranges::Int;
use super::reading::{Moment, Reading, Value};
use super::vocabulary::{Tracked, invariants_behind};
use super::walk::Walk;
use crate::program::*;
use sets::{Formula as Fact, Sort, Var};
use source::Span;

impl<'p> Walk<'_, 'p> {
    /// What a call may change, of what is followed (docs/hob.md, "Scopes and invariants" and "Calls"): variables whose module's code may
    /// run and which the callee does not promise to leave alone; base sets behind such variables, or without a name, if their field may be
    /// written.
    pub fn changes_of_call(&self, callee: ProcId) -> Vec<Tracked> {
        let program = self.v.program;
        let contract = &program.proc(callee).contract;
        let may_change = |id: &SpecVarId| self.effects.changes(callee, *id) && !contract.frame.contains(id);
        let mut kept_bases = Vec::new();
        for id in &program.module(self.v.module).spec_vars {
            if let Some(Definition::Flag { field, constant, .. }) = self.v.definition(*id)
                && !may_change(id)
            {
                kept_bases.push(Tracked::Base(*field, *constant));
            }
        }
        let changes = |what: &Tracked| match what {
            Tracked::Spec(id) => may_change(id),
            Tracked::Base(field, _) => {
                !kept_bases.contains(what) && self.effects.writes(callee, Written::Field(*field))
            }
            Tracked::Global(global) => self.effects.writes(callee, Written::Global(*global)),
            Tracked::Spot(spot) => {
                let ty = self.v.now(*what).and_then(|now| self.v.element_type(now));
                spot.changes_with(ty, |written| self.effects.writes(callee, written))
            }
            Tracked::Gap(gap) => [gap.of, gap.from].iter().any(|variable| match variable {
                Variable::Local(_) => false,
                Variable::Global(global) => self.effects.writes(callee, Written::Global(*global)),
            }),
            Tracked::AtLeast(Int::Field(_, field), _) => self.effects.writes(callee, Written::Field(*field)),
            Tracked::Local(_) | Tracked::Number(..) | Tracked::AtLeast(Int::Local(_), _) => false,
        };
        self.v.tracked.keys().filter(|what| changes(what)).copied().collect()
    }

    /// A call: its precondition is an obligation, its postcondition is known afterwards.
    pub fn call(&mut self, fact: Fact, callee: ProcId, arguments: Vec<Value>, span: Span) -> (Fact, Value) {
        let program = self.v.program;
        let proc = program.proc(callee);
        let mut locals = arguments;
        locals.resize(proc.formals as usize, Value::Other);
        let (mut fact, result) = match proc.result {
            Some(result) => self.unknown(fact, &proc.locals[result.index()].ty),
            None => (fact, Value::Other),
        };
        locals.push(result);

        let has_hidden = self.v.tracked.keys().any(|what| self.v.is_hidden(*what));
        let behind = if has_hidden { invariants_behind(program, self.v.module, callee) } else { Vec::new() };
        for invariant in &behind {
            let holds = self.v.formula(&invariant.formula, Reading::NOW);
            fact = self.v.store.and([fact, holds]);
        }
        let requires = Reading { unprimed: Moment::Now, primed: Moment::Now, locals: Some(&locals) };
        let mut goals = Vec::new();
        for clause in &proc.contract.requires {
            if !self.concerns(clause) {
                continue;
            }
            goals.push(self.goal(&clause.formula, requires, Blame::of(clause, true)));
        }
        let kept = self.effects.invariants_at_call(program, self.v.module, callee);
        for (scope, invariant) in &kept {
            goals.push(self.goal(
                &invariant.formula,
                Reading::NOW,
                Blame::Invariant { scope: *scope, span: invariant.span },
            ));
        }
        fact = self.oblige(fact, goals, Kind::Call(callee), span);

        let changes = self.changes_of_call(callee);
        let grows: Vec<Tracked> = self.default_bases(None).into_iter().filter(|what| !changes.contains(what)).collect();
        let step = self.step(fact, changes.iter().chain(&grows).copied());
        let before = Moment::Before(&step.before);
        let ensures = Reading { unprimed: before, primed: Moment::Now, locals: Some(&locals) };
        let mut relation = Vec::new();
        for clause in &proc.contract.ensures {
            let public = matches!(&clause.reason, Reason::Invariant(id)
                if program.scopes[id.index()].invariants.iter().any(|i| i.public && i.span == clause.span));
            if self.concerns(clause) || public {
                relation.push(self.v.formula(&clause.formula, ensures));
            }
        }
        for &id in &proc.contract.frame {
            if self.v.definition(id).is_some() {
                relation.push(self.v.unchanged(id, before, Moment::Now));
            }
        }
        for what in grows {
            relation.extend(self.grown_by_new_objects(what, &step.before));
        }
        for (_, invariant) in &kept {
            relation.push(self.v.formula(&invariant.formula, Reading::NOW));
        }
        for invariant in &behind {
            relation.push(self.v.formula(&invariant.formula, Reading::NOW));
        }
        for invariant in self.public_invariants() {
            relation.push(self.v.formula(&invariant.formula, Reading::NOW));
        }
        let vars: Vec<Var> =
            self.v.tracked.iter().filter(|(what, _)| matches!(what, Tracked::Base(..))).map(|(_, p)| p.now).collect();
        if !changes.is_empty() {
            relation.extend(self.v.facts(&vars));
        }
        let fact = self.end_step(step, relation);
        // One that ensures `false` says that it never returns.
        if !proc.contract.ensures.iter().any(|c| matches!(c.formula.kind, FormulaKind::False)) {
            let name = program.proc_name(callee);
            self.reachable(
                fact,
                span,
                &format!("what {name} ensures contradicts what is known here: nothing below is checked"),
            );
        }
        (fact, result)
    }

    /// Objects made by the callee join the sets of default values; they were nowhere before.
    fn grown_by_new_objects(&mut self, what: Tracked, before: &rustc_hash::FxHashMap<Tracked, Var>) -> Vec<Fact> {
        let (old, new) = (before[&what], self.v.tracked[&what].now);
        let (old, new) = (self.v.store.set(old), self.v.store.set(new));
        let added = self.v.store.diff(new, old);
        let mut relation = vec![self.v.store.subset(old, new)];
        let pairs: Vec<_> = self.v.tracked.iter().map(|(what, pair)| (*what, *pair)).collect();
        for (other, pair) in pairs {
            let then = before.get(&other).copied().unwrap_or(pair.now);
            if other != what && self.v.store.sort(then) == Sort::Set {
                let set = self.v.store.set(then);
                relation.push(self.v.store.disjoint([added, set]));
            }
        }
        relation
    }

    /// Whether a clause of a callee is the caller's business: an invariant of a scope is only within the scope (docs/hob.md, "Scopes and
    /// invariants").
    fn concerns(&self, clause: &Clause) -> bool {
        match &clause.reason {
            Reason::Invariant(scope) => self.v.program.scopes[scope.index()].modules.contains(&self.v.module),
            Reason::Written | Reason::Default(_) => true,
        }
    }
}
