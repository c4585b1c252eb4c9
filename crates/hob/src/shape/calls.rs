//! Calls of the module's own procedures: their code runs here, and their contracts must hold from the state they find, as in `bounded`. Of
//! procedures of other modules the contract is all that is known: what they require must hold, and what they change is what they ensure.

use super::execute::{State, Value, Valued};
use super::formula::{Mode, When};
use super::{Prover, Shown, open};
use crate::program::*;
use source::Span;
use std::rc::Rc;

impl<'p> Prover<'p> {
    pub fn calls_itself(&self, proc: ProcId) -> bool {
        let mut found = false;
        let body = self.program.proc(proc).body.as_deref().unwrap_or_default();
        crate::visit::exprs(body, &mut |e| found |= matches!(e.kind, ExprKind::Call(p, _) if p == proc));
        found
    }

    /// After a call that changed nothing, of which no more is known than its contract says.
    pub fn as_ensured(&mut self, mut state: State, callee: ProcId) -> Shown<(State, Value)> {
        let proc = self.program.proc(callee);
        let mut value = Value::Other;
        if let Some(result) = proc.result {
            value = self.any_value(&mut state, &proc.locals[result.index()].ty);
            state.locals.insert(result, value.clone());
        }
        state.entry = Rc::new(state.heap.clone());
        for clause in &proc.contract.ensures {
            let known = self.formula(&mut state, &clause.formula, When::Later, Mode::May)?;
            state.assume(&known);
        }
        Ok((state, value))
    }

    /// Why a call of another module's procedure cannot be followed by its contract, whatever it says of sets.
    fn refusal(&self, callee: ProcId) -> Option<String> {
        let (proc, name) = (self.program.proc(callee), self.program.proc_name(callee));
        if self.effects.reaches(callee, self.module) {
            return Some(format!("{name} may call this module in turn"));
        }
        let kept = self.effects.invariants_at_call(self.program, self.module, callee);
        if let Some((scope, _)) = kept.first() {
            let scope = &self.program.scopes[scope.index()].name;
            return Some(format!("{scope} has an invariant, which must hold when {name} is called"));
        }
        let given = proc.locals.iter().take(proc.formals as usize);
        let mut given = given.chain(proc.result.map(|r| &proc.locals[r.index()]));
        let is_array = given.any(|local| matches!(local.ty, Type::Array(_)));
        is_array.then(|| format!("{name} is given an array, or returns one"))
    }

    /// Of a procedure of another module, which cannot come back into this one: no field that is laid out changes. What it returns is there
    /// already, or new, with the fields of new objects.
    fn by_contract(&mut self, state: State, callee: ProcId, arguments: &'p [Expr], span: Span) -> Shown<Valued> {
        let (program, proc) = (self.program, self.program.proc(callee));
        if let Some(why) = self.refusal(callee) {
            return open(span, format!("this call is not followed: {why}"));
        }
        let result = proc.result.map(|r| (r, &proc.locals[r.index()].ty));
        let object = match result {
            Some((_, Type::Object(object))) if !self.layout.knows(*object) => {
                return open(span, "objects of the type that this returns are not laid out");
            }
            Some((_, Type::Object(object))) => Some(*object),
            _ => None,
        };
        let mut found = Vec::new();
        for (mut state, given) in self.values(state, arguments)? {
            let outside = (std::mem::take(&mut state.locals), state.entry.clone());
            state.locals = given.iter().cloned().enumerate().map(|(i, v)| (LocalId(i as u32), v)).collect();
            let mut requires: Vec<&Clause> = proc.contract.requires.iter().collect();
            // As in `bounded`: invariants of a scope that the call enters hold, and say what is hidden.
            let is_given = |clause: &&Clause| {
                matches!(&clause.reason, Reason::Invariant(scope)
                    if !program.scopes[scope.index()].modules.contains(&self.module))
            };
            if self.running.last().is_some_and(|caller| crate::flags::calls_with_hidden(program, *caller)) {
                requires.sort_by_key(|clause| !is_given(clause));
            }
            let requires: Vec<(&Clause, bool)> = requires.into_iter().map(|c| (c, is_given(&c))).collect();
            for (clause, is_given) in requires {
                if is_given {
                    let known = self.formula(&mut state, &clause.formula, When::Entry, Mode::May)?;
                    state.assume(&known);
                    continue;
                }
                let goal = self.formula(&mut state, &clause.formula, When::Entry, Mode::Must)?;
                self.must(&mut state, &goal, "true", span, &format!("what `{}` requires", program.proc_name(callee)))?;
            }
            state.entry = Rc::new(state.heap.clone());
            self.change_elsewhere(&mut state, callee);
            self.know_public_invariants(&mut state);
            let mut ways = vec![(state.clone(), None)];
            if let Some(object) = object {
                let mut made = state;
                let new = self.allocate(&mut made, object);
                ways.push((made, Some(Value::Object(new))));
            }
            for (mut state, new) in ways {
                let mut value = Value::Other;
                if let Some((result, ty)) = result {
                    value = new.unwrap_or_else(|| self.any_value(&mut state, ty));
                    state.locals.insert(result, value.clone());
                }
                for clause in &proc.contract.ensures {
                    let known = self.formula(&mut state, &clause.formula, When::Later, Mode::May)?;
                    state.assume(&known);
                }
                (state.locals, state.entry) = outside.clone();
                found.push((state, value));
            }
        }
        Ok(found)
    }

    /// Public invariants of scopes that the module is outside of. Where one speaks of objects that are not laid out, nothing is known of it.
    pub fn know_public_invariants(&mut self, state: &mut State) {
        for invariant in crate::bounded::public_invariants(self.program, self.module) {
            if let Ok(known) = self.formula(state, &invariant.formula, When::Entry, Mode::May) {
                state.assume(&known);
            }
        }
    }

    /// New names for what the callee may change. Objects that it made, and that nothing here holds, may be in its sets.
    fn change_elsewhere(&mut self, state: &mut State, callee: ProcId) {
        let frame = &self.program.proc(callee).contract.frame;
        let variables = (0..self.program.spec_vars.len() as u32).map(SpecVarId);
        let changed = variables.filter(|v| self.effects.changes(callee, *v) && !frame.contains(v));
        for variable in changed.collect::<Vec<_>>() {
            let (order, name) = match self.program.spec_var(variable).kind {
                SpecVarKind::Set(_) => (2, self.fresh("E")),
                SpecVarKind::Bool => (0, self.fresh("b")),
                SpecVarKind::Relation => continue,
            };
            state.declare(order, &name);
            if order == 2 {
                state.assume(&format!("{} notin {name}", self.layout.null()));
            }
            state.heap.elsewhere.insert(variable, name);
            self.stamp(state);
        }
    }

    /// Of a procedure of the module: its code runs here, and its contract must hold from the state it finds.
    pub fn call(&mut self, state: State, callee: ProcId, arguments: &'p [Expr], span: Span) -> Shown<Valued> {
        let proc = self.program.proc(callee);
        if proc.module != self.module {
            return self.by_contract(state, callee, arguments, span);
        }
        let again = self.recursion.clone().filter(|r| r.proc == callee);
        let is_recursive = self.calls_itself(callee);
        if self.running.contains(&callee) && !is_recursive {
            return open(span, format!("`{}` calls itself by way of others", proc.name));
        }
        let Some(body) = &proc.body else { return open(span, format!("`{}` has no code", proc.name)) };
        let mut found = Vec::new();
        for (mut state, given) in self.values(state, arguments)? {
            let outside = (std::mem::take(&mut state.locals), state.entry.clone());
            state.locals = given.iter().cloned().enumerate().map(|(i, v)| (LocalId(i as u32), v)).collect();
            let before = state.clone();
            let mut results = Vec::new();
            self.running.push(callee);
            for clause in &proc.contract.requires {
                let goal = self.formula(&mut state, &clause.formula, When::Entry, Mode::Must)?;
                self.must(&mut state, &goal, "true", span, &format!("what `{}` requires", proc.name))?;
            }
            let mut flows = Vec::new();
            if let Some(recursion) = &again {
                results.push(self.again(state, recursion, &given)?);
            } else if is_recursive {
                results.push(self.recursive(state, callee, &given, span)?);
            } else {
                flows = self.body(state, proc, body)?;
            }
            for flow in flows {
                let Some(mut state) = self.ended(flow, proc)? else { continue };
                self.ends_well(&mut state, callee)?;
                let result = proc.result.and_then(|r| state.locals.get(&r).cloned()).unwrap_or(Value::Other);
                results.push((state, result));
            }
            // What a callee that changes nothing does is what its contract says: shorter than how it does it.
            if self.believes_contracts
                && !is_recursive
                && results.iter().all(|(state, _)| state.heap.stamp == before.heap.stamp)
            {
                self.has_believed = true;
                results = vec![self.as_ensured(before, callee)?];
            }
            self.running.pop();
            for (mut state, result) in results {
                (state.locals, state.entry) = outside.clone();
                found.push((state, result));
            }
        }
        Ok(found)
    }
}
