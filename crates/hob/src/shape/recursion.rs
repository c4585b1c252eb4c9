//! Procedures that call themselves and change no heap, such as a search through a tree: what they return, without an invariant.
//!
//! One formal that holds objects varies from call to call, all others are handed on; the result is a Boolean, or there is none. Of which
//! objects it returns true and of which false are the least two sets that the body's paths do not lead out of, calls in it taken for what the
//! sets say: a formula of second order, as for loops. Which objects it is called with is the least set that has the first and that calls do
//! not lead out of. The body is checked once, for any of those. Before that it is tried with the contract alone: calls within it ensure what it
//! says, by induction. That it ends: no call, nor several within each other, leads from an object
//! back to it.

use super::execute::{Flow, Line, State, Value};
use super::formula::{Mode, When};
use super::heap::{all, any, not, same};
use super::loops::quantified;
use super::{Prover, Shown, open};
use crate::program::*;
use crate::rests_on::reached;
use crate::visit;
use source::Span;
use std::rc::Rc;

/// What is known of the procedure while its body is followed.
#[derive(Clone, Debug)]
pub struct Recursion {
    pub proc: ProcId,
    varies: usize,
    returns: Returns,
}

/// What a call within the procedure returns.
#[derive(Clone, Debug)]
enum Returns {
    /// To be found out.
    Any,
    /// What the contract ensures.
    Ensured,
    /// True and false of the objects of these sets.
    By([String; 2]),
}

/// A path through the body: what is said on the way, and the result.
struct Path {
    lines: Vec<Rc<Line>>,
    result: String,
}

impl<'p> Prover<'p> {
    /// A call of a procedure that calls itself, from outside of it.
    pub fn recursive(
        &mut self,
        mut state: State,
        callee: ProcId,
        given: &[Value],
        span: Span,
    ) -> Shown<(State, Value)> {
        let proc = self.program.proc(callee);
        let Some(body) = &proc.body else { return open(span, format!("`{}` has no code", proc.name)) };
        let varies = self.varies(callee, span)?;
        let (Some(Value::Object(first)), has_result) = (given.get(varies), proc.result.is_some()) else {
            return open(span, format!("`{}` calls itself with more than objects that vary", proc.name));
        };
        // Any call of it: the formal that varies has a name.
        let mut head = state.clone();
        head.locals = given.iter().cloned().enumerate().map(|(i, v)| (LocalId(i as u32), v)).collect();
        let top = self.any_value(&mut head, &proc.locals[varies].ty);
        let Value::Object(top) = top else { return open(span, "this is not followed") };
        head.locals.insert(LocalId(varies as u32), Value::Object(top.clone()));
        let added = head.lines[state.lines.len()..].to_vec();
        let is_own = |line: &&Rc<Line>| !matches!(&***line, Line::Variable(_, name) if *name == top);
        let own: Vec<Rc<Line>> = added.iter().filter(is_own).cloned().collect();
        let was_only_following = std::mem::replace(&mut self.only_follows, true);
        let outer = self.recursion.replace(Recursion { proc: callee, varies, returns: Returns::Any });
        let flows = self.body(head.clone(), proc, body);
        self.only_follows = was_only_following;
        let mut paths = Vec::new();
        for flow in flows? {
            let (Flow::Return(end) | Flow::Next(end)) = flow;
            if end.heap.stamp != state.heap.stamp {
                return open(span, format!("`{}` calls itself and changes the heap", proc.name));
            }
            state.elsewhere.extend(&end.elsewhere);
            head.elsewhere.extend(&end.elsewhere);
            let result = match proc.result.and_then(|r| end.locals.get(&r)) {
                Some(Value::Bool(text)) => text.clone(),
                _ => "true".into(),
            };
            let mut lines = own.clone();
            lines.extend(end.lines[head.lines.len()..].iter().cloned());
            paths.push(Path { lines, result });
        }
        let returns = match self.believes_contracts {
            true => Returns::Ensured,
            false => Returns::By(self.returned(&mut state, &top, &paths)),
        };
        self.has_believed |= self.believes_contracts;
        head.lines = state.lines.iter().chain(&added).cloned().collect();
        let (is_called, comes_back) = self.called(first, &top, &paths);
        head.assume(&is_called);
        // Every call is shown to meet it.
        for clause in &proc.contract.requires {
            let known = self.formula(&mut head, &clause.formula, When::Entry, Mode::May)?;
            head.assume(&known);
        }
        if !self.only_follows {
            if !self.follows(&head, &not(&comes_back), span)? {
                return open(span, format!("that `{}` ends is not shown", proc.name));
            }
            self.recursion = Some(Recursion { proc: callee, varies, returns: returns.clone() });
            for flow in self.body(head, proc, body)? {
                let mut end = match flow {
                    Flow::Return(end) => end,
                    Flow::Next(mut end) if has_result => {
                        self.must(&mut end, "false", "false", proc.end, "that it returns something")?;
                        continue;
                    }
                    Flow::Next(end) => end,
                };
                self.ends_well(&mut end, callee)?;
            }
        }
        self.recursion = outer;
        self.returning(state, callee, first, &returns)
    }

    /// A call of the procedure within itself.
    pub fn again(&mut self, mut state: State, recursion: &Recursion, given: &[Value]) -> Shown<(State, Value)> {
        let proc = self.program.proc(recursion.proc);
        let Some(Value::Object(argument)) = given.get(recursion.varies) else {
            return open(proc.span, format!("`{}` calls itself with something that is not followed", proc.name));
        };
        if !matches!(recursion.returns, Returns::Any) {
            return self.returning(state, recursion.proc, argument, &recursion.returns);
        }
        let result = if proc.result.is_some() { self.any_value(&mut state, &Type::Bool) } else { Value::Other };
        let told = if let Value::Bool(name) = &result { Some(name.clone()) } else { None };
        state.lines.push(Rc::new(Line::Returned(argument.clone(), told)));
        Ok((state, result))
    }

    fn returning(
        &mut self,
        mut state: State,
        callee: ProcId,
        argument: &str,
        returns: &Returns,
    ) -> Shown<(State, Value)> {
        match returns {
            Returns::By(sets) if self.program.proc(callee).result.is_some() => {
                let value = self.any_value(&mut state, &Type::Bool);
                if let Value::Bool(name) = &value {
                    state.assume(&told(argument, name, sets));
                }
                Ok((state, value))
            }
            Returns::Ensured => self.as_ensured(state, callee),
            Returns::By(_) | Returns::Any => Ok((state, Value::Other)),
        }
    }

    /// The formal that calls in the body do not hand on.
    fn varies(&self, callee: ProcId, span: Span) -> Shown<usize> {
        let proc = self.program.proc(callee);
        let refuse = |why: &str| open(span, format!("`{}` {why}", proc.name));
        let calls = |body: &[Stmt]| {
            let mut found = false;
            visit::exprs(body, &mut |e| found |= matches!(e.kind, ExprKind::Call(p, _) if p == callee));
            found
        };
        let body = |p: ProcId| self.program.proc(p).body.as_deref().unwrap_or_default();
        if reached(self.program, callee, |_| true).into_iter().any(|p| p != callee && calls(body(p))) {
            return refuse("calls itself by way of others");
        }
        if within_loops(body(callee), &calls) {
            return refuse("calls itself in a loop");
        }
        if proc.result.is_some_and(|r| proc.locals[r.index()].ty != Type::Bool) {
            return refuse("calls itself, and returns more than true or false");
        }
        let mut varying = Vec::new();
        visit::exprs(body(callee), &mut |e| {
            if let ExprKind::Call(p, arguments) = &e.kind
                && *p == callee
            {
                for (i, argument) in arguments.iter().enumerate() {
                    let is_handed_on = matches!(argument.kind, ExprKind::Local(local) if local.index() == i);
                    if !is_handed_on && !varying.contains(&i) {
                        varying.push(i);
                    }
                }
            }
        });
        // Ints and such are not followed: any value.
        varying.retain(|i| matches!(proc.locals[*i].ty, Type::Object(_) | Type::Bool));
        match varying[..] {
            [only] if proc.locals[only].ty != Type::Bool => Ok(only),
            _ => refuse("calls itself, and not with one object that varies"),
        }
    }

    /// Names for the sets of objects that it returns true and false of.
    fn returned(&mut self, state: &mut State, top: &str, paths: &[Path]) -> [String; 2] {
        let inner = [self.fresh("S"), self.fresh("S")];
        let rules = paths.iter().flat_map(|path| {
            let ends = [path.result.clone(), not(&path.result)];
            let rule = |(end, set): (String, &String)| {
                format!("({} => {top} in {set})", quantified(&path.lines, &end, Some(&inner)))
            };
            ends.into_iter().zip(&inner).map(rule).collect::<Vec<_>>()
        });
        let closed = format!("(all1 {top}: {})", all(&rules.collect::<Vec<_>>()));
        let names = [self.fresh("R"), self.fresh("R")];
        for (name, set) in names.iter().zip(&inner) {
            let x = self.fresh("e");
            let within = format!("(all2 {}: ({closed} => {x} in {set}))", inner.join(", "));
            state.define(name, format!("(all1 {x}: ({x} in {name} <=> {within}))"));
        }
        names
    }

    /// That the object is one that calls lead to from the first; and that calls lead from it back to it.
    fn called(&mut self, first: &str, top: &str, paths: &[Path]) -> (String, String) {
        let (set, next) = (self.fresh("S"), self.fresh("m"));
        let mut steps = Vec::new();
        for path in paths {
            for (i, line) in path.lines.iter().enumerate() {
                if let Line::Returned(argument, _) = &**line {
                    steps.push(quantified(&path.lines[..i], &same(&next, argument), None));
                }
            }
        }
        let step = any(&steps);
        let closed = format!("(all1 {top}, {next}: (({top} in {set} & {step}) => {next} in {set}))");
        let is_called = format!("(all2 {set}: (({first} in {set} & {closed}) => {top} in {set}))");
        let here = self.fresh("m");
        let after = format!(
            "(ex1 {here}: ({here} = {top} & (all1 {next}: ((ex1 {top}: ({top} = {here} & {step})) => {next} in {set}))))"
        );
        let comes_back = format!("(all2 {set}: (({after} & {closed}) => {top} in {set}))");
        (is_called, comes_back)
    }
}

/// What a result says of the object that the call was about.
pub fn told(argument: &str, result: &str, [yes, no]: &[String; 2]) -> String {
    all(&[
        any(&[not(result), format!("{argument} in {yes}")]),
        any(&[result.to_owned(), format!("{argument} in {no}")]),
    ])
}

fn within_loops(body: &[Stmt], calls: &impl Fn(&[Stmt]) -> bool) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StmtKind::While { .. } => calls(std::slice::from_ref(statement)),
        StmtKind::Block(inner) => within_loops(inner, calls),
        StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
            within_loops(a, calls) || within_loops(b, calls)
        }
        _ => false,
    })
}
