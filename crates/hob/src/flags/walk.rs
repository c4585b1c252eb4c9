//! The flag analysis of one procedure (docs/hob.md, "How the flag analysis works"): from its precondition, statement by statement, to its
//! exits.
//!
//! A fact is a formula over values at entry and values now that holds of every run which gets there. What cannot be followed (an element
//! of an array, a field that holds an object, a number) is any value of its type, so a fact never says too much. `false` is where no
//! run gets.

use super::Options;
use super::effects::Effects;
use super::lasting::Lasting;
use super::oblige::{Blame, Goal, Kind, Log};
use super::reading::{Moment, Reading, Value};
use super::spots::Spot;
use super::vocabulary::{Tracked, Vocabulary};
use crate::program::*;
use rustc_hash::FxHashMap;
use sets::{Compare, Formula as Fact, Node, Sort, Var};
use source::{Diagnostic, Span};
use std::collections::VecDeque;

pub struct Walk<'a, 'p> {
    pub v: Vocabulary<'p>,
    pub proc: ProcId,
    pub effects: &'a Effects,
    pub options: &'a Options,
    pub log: Log,
    /// Variables of values within the current statement.
    pub temps: Vec<Var>,
    /// While a loop's invariant is looked for: nothing is recorded.
    pub quiet: bool,
    /// Branches on the way to where the analysis is, each with the side taken.
    pub way: Vec<(Var, bool)>,
    /// What is known of ints within the current statement.
    pub numbers: Vec<Vec<(i64, Fact)>>,
    /// What was found to be kept by each loop.
    pub kept: FxHashMap<Span, Vec<Fact>>,
    /// What holds of earlier moments, on the way to where the analysis is: known besides the fact.
    pub aside: Vec<Aside>,
    /// How many branches the procedure has.
    pub branches: usize,
    /// Where the text mentions a local, or what hangs on it, for the last time; asked where there are many branches.
    pub lasting: FxHashMap<Tracked, u32>,
    /// So many rounds of loops may yet be gone through one by one.
    pub rounds_left: u32,
    /// What a pass before this one learned, and what this one does.
    pub earlier: Learned,
    pub learned: Learned,
}

/// What a pass found out that the next one over the same procedure need not ask again, by place in the text, in the order in which it came
/// there.
#[derive(Default)]
pub struct Learned {
    /// What loops keep.
    pub kept: FxHashMap<Span, VecDeque<Vec<Fact>>>,
    /// Whether obligations hold.
    pub held: FxHashMap<Span, VecDeque<(Kind, bool)>>,
    /// What loops keep of runs of which less is known, and so of all that get there.
    pub certain: FxHashMap<Span, Vec<Fact>>,
    /// Some obligation was not shown before an end: what comes after it is of other runs only.
    pub is_partial: bool,
}

impl Learned {
    /// Whether the next obligation of this place is known to hold.
    pub fn held(&mut self, kind: &Kind, span: Span) -> bool {
        let next = self.held.get_mut(&span).and_then(VecDeque::pop_front);
        next.is_some_and(|(of, holds)| of == *kind && holds)
    }
}

/// What holds of an earlier moment, whose values have names of their own.
pub struct Aside {
    known: Fact,
    /// Goals of the exit that hold of that moment too, as they are written; they follow from what is known.
    kept: Vec<Fact>,
    /// The same, with the names of that moment.
    shown: Fact,
}

/// A step: the fact with the old values of what changes renamed, and those old values.
pub struct Step {
    fact: Fact,
    pub hats: Vec<Var>,
    pub before: FxHashMap<Tracked, Var>,
}

/// Where there are more branches, smaller facts are set aside: their cases multiply. With 2,048 throughout, a hundred branches of whose
/// conditions nothing is known took 5 to 14 s, now 0.2 s. With fewer branches more names would be a burden (MONA, which decides the
/// obligations of the examples too, had no memory for water's). With 32 instead of 128 names outnumber what they stand for: 24 branches in
/// a loop, with a fault, took 19 s, now 1 s.
const MANY_BRANCHES: usize = 16;
const SIZE_AMONG_MANY: u64 = 128;
/// What was set aside lately, as many nodes as questions beside the obligations go back to at least, and obligations at first: the
/// questions of 2,000 branches within one another, each about all that came before, took hours.
const LATELY: u64 = 1_000;
/// The same where details are asked again if they matter.
const LATELY_AND_ROUGHLY: u64 = 200;

impl<'p> Walk<'_, 'p> {
    pub fn body(&self) -> &'p Proc {
        self.v.program.proc(self.proc)
    }

    /// Analyses the whole procedure.
    pub fn run(&mut self) {
        let proc = self.body();
        // With fewer a loop further down may need such a variable as an example of what it keeps.
        if self.branches > MANY_BRANCHES {
            self.lasting = self.lasting();
        }
        let entry = self.entry();
        self.reachable(entry, proc.contract.span, "the precondition can never hold, so nothing is checked here");
        let end = self.stmts(entry, proc.body.as_deref().unwrap_or_default());
        if proc.result.is_none() {
            self.exit(end, proc.end);
        }
        self.aside.clear();
        if self.stops_at(proc.span) {
            return;
        }
        let log = &self.log;
        // One that ensures `false` says that it never returns.
        let is_meant = proc.contract.ensures.iter().any(|c| matches!(c.formula.kind, FormulaKind::False));
        if self.options.warn_unreachable && !is_meant && !log.ends && !log.unreachable && log.failures.is_empty() {
            let message = format!("no run gets to an end of `{}`: what it ensures is not checked", proc.name);
            self.log.warnings.push(Diagnostic::warning("hob-unreachable", proc.span, message));
        }
    }

    /// Of an array or an index some other name may still ask: `a[i]` is `b[j]` if they are the same.
    fn lasting(&self) -> FxHashMap<Tracked, u32> {
        let proc = self.body();
        let mut lasting = Lasting::default();
        lasting.add(proc.body.as_deref().unwrap_or_default());
        let mut found = FxHashMap::default();
        for (local, end) in lasting.ends {
            let hanging = self.hanging_on(local);
            let is_element = |what: &Tracked| matches!(what, Tracked::Spot(Spot::Element(..)));
            let is_asked_later = local.0 < proc.formals || Some(local) == proc.result || proc.hoisted.contains(&local);
            if !is_asked_later && !hanging.iter().any(is_element) {
                found.extend(hanging.into_iter().map(|what| (what, end)));
            }
        }
        found
    }

    fn entry(&mut self) -> Fact {
        let proc = self.body();
        let mut parts = Vec::new();
        for clause in &proc.contract.requires {
            parts.push(self.v.formula(&clause.formula, Reading { primed: Moment::Entry, ..Reading::OWN }));
        }
        // A formula may speak of them before their declaration.
        for &local in &proc.hoisted {
            let value = self.default_value(&proc.locals[local.index()].ty);
            let now = self.v.now(Tracked::Local(local));
            parts.extend(match (value, now) {
                (Value::Set(empty), Some(now)) => {
                    let set = self.v.store.set(now);
                    Some(self.v.store.equal(set, empty))
                }
                (Value::Bool(_), Some(now)) => {
                    let b = self.v.store.boolean(now);
                    Some(self.v.store.not(b))
                }
                _ => None,
            });
        }
        let (program, module) = (self.v.program, self.v.module);
        let own = program.scopes.iter().filter(|s| s.modules.contains(&module)).flat_map(|s| &s.invariants);
        for invariant in own.filter(|i| self.options.trusted.contains(&i.span)) {
            parts.push(self.v.formula(&invariant.formula, Reading { primed: Moment::Entry, ..Reading::OWN }));
        }
        for invariant in self.public_invariants() {
            parts.push(self.v.formula(&invariant.formula, Reading { primed: Moment::Entry, ..Reading::OWN }));
        }
        let tracked: Vec<_> = self.v.tracked.iter().map(|(what, pair)| (*what, *pair)).collect();
        for (what, pair) in tracked {
            let is_of_proc = matches!(
                what,
                Tracked::Local(_) | Tracked::Number(..) | Tracked::AtLeast(..) | Tracked::Spot(_) | Tracked::Gap(_)
            );
            if !is_of_proc {
                parts.push(self.same(pair.now, pair.entry));
            }
        }
        let fact = self.v.store.and(parts);
        self.v.store.simplify(fact)
    }

    /// Of scopes that the module is not in, over what it can see: true wherever its code runs (docs/hob.md, "Scopes and invariants").
    pub fn public_invariants(&self) -> Vec<&'p Invariant> {
        let (program, module) = (self.v.program, self.v.module);
        let outside = program.scopes.iter().filter(|scope| !scope.modules.contains(&module));
        let relied_on = |i: &&Invariant| i.public || self.options.trusted.contains(&i.span);
        outside.flat_map(|scope| scope.invariants.iter().filter(relied_on)).collect()
    }

    /// `a = b` of sets, `a <=> b` of Booleans.
    pub fn same(&mut self, a: Var, b: Var) -> Fact {
        if self.v.store.sort(a) == Sort::Set {
            let (a, b) = (self.v.store.set(a), self.v.store.set(b));
            self.v.store.equal(a, b)
        } else {
            let (a, b) = (self.v.store.boolean(a), self.v.store.boolean(b));
            self.v.store.iff(a, b)
        }
    }

    /// Begins a step that changes some variables (docs/hob.md, "State and facts"). Without the one-point rule every variable gets an old
    /// value and a frame condition, as the paper's incorporation has it; with it, what does not change keeps its name.
    pub fn step(&mut self, fact: Fact, changes: impl IntoIterator<Item = Tracked>) -> Step {
        let mut renamed = FxHashMap::default();
        let mut before = FxHashMap::default();
        let mut frame = Vec::new();
        let changes: Vec<Tracked> = changes.into_iter().collect();
        let literal = !self.options.formulas.one_point;
        let all: Vec<Tracked> = if literal { self.v.tracked.keys().copied().collect() } else { changes.clone() };
        for what in all {
            let Some(pair) = self.v.tracked.get(&what).copied() else { continue };
            if pair.entry == pair.now || before.contains_key(&what) {
                continue;
            }
            let hat = self.v.hat(pair.now);
            renamed.insert(pair.now, hat);
            before.insert(what, hat);
            if !changes.contains(&what) {
                frame.push(self.same(pair.now, hat));
            }
        }
        frame.push(self.v.store.rename(fact, &renamed));
        let mut hats: Vec<Var> = renamed.into_values().collect();
        hats.sort_unstable();
        for &hat in &hats {
            if self.v.is_single(hat) {
                let set = self.v.store.set(hat);
                frame.push(self.v.store.card(set, Compare::AtMost, 1));
            }
        }
        Step { fact: self.v.store.and(frame), hats, before }
    }

    /// Ends a step: what relates the old values to the new ones.
    pub fn end_step(&mut self, step: Step, relation: impl IntoIterator<Item = Fact>) -> Fact {
        let fact = self.v.store.and(relation.into_iter().chain([step.fact]));
        let fact = self.v.store.exists(&step.hats, fact);
        self.v.store.simplify(fact)
    }

    pub fn is_false(&self, fact: Fact) -> bool {
        matches!(self.v.store.node(fact), Node::False)
    }

    pub fn stmts(&mut self, mut fact: Fact, body: &'p [Stmt]) -> Fact {
        let mut declared = Vec::new();
        for stmt in body {
            if self.stops_at(stmt.span) || self.is_false(fact) {
                break;
            }
            if let StmtKind::Declare(local, _) = stmt.kind
                && !self.body().hoisted.contains(&local)
            {
                let numbers = self.v.numbers_of(local);
                declared.extend(numbers.into_iter().chain([Tracked::Local(local)]).filter_map(|what| self.v.now(what)));
            }
            fact = self.stmt(fact, stmt);
        }
        self.ask_points();
        self.forget(fact, &declared)
    }

    /// Nothing will ask for these variables again.
    fn forget(&mut self, fact: Fact, vars: &[Var]) -> Fact {
        if vars.is_empty() || self.is_false(fact) {
            return fact;
        }
        let mut parts = vec![fact];
        for &var in vars {
            if self.v.is_single(var) && self.v.store.is_free(var, fact) {
                let set = self.v.store.set(var);
                parts.push(self.v.store.card(set, Compare::AtMost, 1));
            }
        }
        let fact = self.v.store.and(parts);
        // A variable declared in a loop's body is another one each time: the quantified one gets a name of its own.
        let renamed: FxHashMap<Var, Var> = vars.iter().map(|var| (*var, self.v.hat(*var))).collect();
        let fact = self.v.store.rename(fact, &renamed);
        let mut hats: Vec<Var> = renamed.into_values().collect();
        hats.sort_unstable();
        let fact = self.v.store.exists(&hats, fact);
        self.v.store.simplify(fact)
    }

    /// Forgets the values within a statement.
    pub fn settle(&mut self, fact: Fact) -> Fact {
        let temps = std::mem::take(&mut self.temps);
        self.numbers.clear();
        self.forget(fact, &temps)
    }

    /// The same of those that the text does not mention any more.
    fn forget_until(&mut self, fact: Fact, at: u32) -> Fact {
        let ends = |var: &Var| self.v.what(*var).and_then(|what| self.lasting.get(&what));
        let over: Vec<Var> =
            self.v.store.free(fact).iter().copied().filter(|var| ends(var).is_some_and(|&end| end <= at)).collect();
        self.forget(fact, &over)
    }

    fn stmt(&mut self, fact: Fact, stmt: &'p Stmt) -> Fact {
        let fact = match &stmt.kind {
            StmtKind::If { .. } | StmtKind::Choice(..) | StmtKind::While { .. } => {
                self.forget_until(fact, stmt.span.start)
            }
            _ => fact,
        };
        match &stmt.kind {
            StmtKind::Block(body) => self.stmts(fact, body),
            StmtKind::Declare(local, value) => {
                let ty = &self.body().locals[local.index()].ty;
                let (fact, assigned) = match value {
                    Some(value) => self.eval(fact, value),
                    None => (fact, self.default_value(ty)),
                };
                let fact = self.assign_local(fact, *local, assigned, value.as_ref());
                self.settle(fact)
            }
            StmtKind::Assign(place, value) => {
                let fact = self.assign(fact, place, value);
                self.settle(fact)
            }
            StmtKind::Expr(e) => {
                let (fact, _) = self.eval(fact, e);
                self.settle(fact)
            }
            StmtKind::Return(value) => {
                let mut fact = fact;
                if let Some(value) = value {
                    let (after, value) = self.eval(fact, value);
                    fact = after;
                    if let Some(result) = self.body().result {
                        fact = self.assign_tracked(fact, Tracked::Local(result), value);
                    }
                    fact = self.settle(fact);
                }
                self.exit(fact, stmt.span);
                self.v.store.truth(false)
            }
            StmtKind::If { condition, then, otherwise } => {
                let fact = self.set_aside(fact);
                let (yes, no) = self.branch(fact, condition);
                let (yes, no) = (self.settle_copy(yes), self.settle(no));
                let (yes, no) = self.decide_branch(yes, no, condition.span, "if");
                let yes = self.taking(true, |walk| walk.apart(|walk| walk.stmts(yes, then)));
                let no = self.taking(false, |walk| walk.apart(|walk| walk.stmts(no, otherwise)));
                self.way.pop();
                let joined = self.v.store.or([yes, no]);
                if self.options.rough { self.set_aside(joined) } else { joined }
            }
            StmtKind::While { invariant, condition, body, step } => self.repeat(
                fact,
                super::loops::Loop {
                    invariant: invariant.as_ref(),
                    condition,
                    body,
                    step: step.as_deref(),
                    span: stmt.span,
                },
            ),
            StmtKind::Assert { formula, label } => {
                let goals = vec![self.goal(formula, Reading::OWN, Blame::Assert(formula.span))];
                self.oblige(fact, goals, Kind::Assert(label.clone()), stmt.span)
            }
            StmtKind::Assume { formula, .. } => {
                let assumed = self.v.formula(formula, Reading::OWN);
                let fact = self.v.store.and([fact, assumed]);
                let fact = self.v.store.simplify(fact);
                self.reachable(
                    fact,
                    stmt.span,
                    "this assumption contradicts what is known here: nothing below is checked",
                );
                fact
            }
            StmtKind::Pragma(_) => fact,
            StmtKind::Havoc(locals) => {
                let changes: Vec<Tracked> = locals.iter().flat_map(|l| self.hanging_on(*l)).collect();
                let step = self.step(fact, changes);
                self.end_step(step, [])
            }
            StmtKind::Choice(a, b) => {
                let fact = self.set_aside(fact);
                let (a, b) = (self.apart(|walk| walk.stmts(fact, a)), self.apart(|walk| walk.stmts(fact, b)));
                self.v.store.or([a, b])
            }
        }
    }

    /// [`Walk::settle`] for one of two facts that share temporaries.
    pub fn settle_copy(&mut self, fact: Fact) -> Fact {
        let temps = self.temps.clone();
        self.forget(fact, &temps)
    }

    /// Marks two sides of a branch, when a way is asked for.
    pub fn decide_branch(&mut self, yes: Fact, no: Fact, span: Span, what: &'static str) -> (Fact, Fact) {
        let decision = self.v.temp_bool();
        self.way.push((decision, true));
        if !self.log.tracing {
            return (yes, no);
        }
        if !self.quiet {
            let parents = self.way[..self.way.len() - 1].to_vec();
            self.log.decisions.push(super::oblige::Decision { var: decision, span, what, parents });
        }
        let taken = self.v.store.boolean(decision);
        let not_taken = self.v.store.not(taken);
        (self.v.store.and([yes, taken]), self.v.store.and([no, not_taken]))
    }

    pub fn taking<T>(&mut self, side: bool, walk: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(last) = self.way.last_mut() {
            last.1 = side;
        }
        walk(self)
    }

    /// Before a branch, what is known would be in both of its ends, and be there twice where they meet, four times after the next one. So a
    /// large fact is kept once, as what holds of this moment, whose values get names of their own; and the fact is from now on that all is
    /// as it was then.
    fn set_aside(&mut self, fact: Fact) -> Fact {
        let is_one_of_many = self.branches > MANY_BRANCHES;
        let size = if is_one_of_many { SIZE_AMONG_MANY.min(self.options.set_aside) } else { self.options.set_aside };
        if self.v.store.size(fact) < size || self.is_false(fact) {
            return fact;
        }
        let changing = self.v.tracked.values().filter(|pair| pair.entry != pair.now).map(|pair| pair.now);
        let now: Vec<Var> = changing.filter(|&var| self.v.store.is_free(var, fact)).collect();
        let then: FxHashMap<Var, Var> = now.iter().map(|&var| (var, self.v.hat(var))).collect();
        let always = self.v.facts(&now);
        let known = self.v.store.and(always.into_iter().chain([fact]));
        let known = self.v.store.rename(known, &then);
        let kept = self.kept_so_far(fact);
        let shown = self.v.store.and(kept.iter().copied());
        let shown = self.v.store.rename(shown, &then);
        self.aside.push(Aside { known, kept, shown });
        let same: Vec<Fact> = now.iter().map(|&var| self.same(var, then[&var])).collect();
        self.v.store.and(same)
    }

    /// Goals of the exit that hold of this moment, if they held of the last one that was set aside. Most of what is promised holds all
    /// along: shown from one moment to the next it takes no time, shown for all of them at once 2,000 branches took 6 s. A value that the
    /// fact does not have may be any, so a goal that follows holds whatever it becomes.
    fn kept_so_far(&mut self, fact: Fact) -> Vec<Fact> {
        let mut candidates = match self.aside.last() {
            Some(last) => last.kept.clone(),
            None => {
                let goals = self.promises();
                let parts = |g: &Goal| g.parts.iter().map(|(part, _)| *part).collect();
                goals.iter().flat_map(|g| if g.parts.is_empty() { vec![g.fact] } else { parts(g) }).collect()
            }
        };
        let near = self.near(fact);
        // What most calls require.
        let variables = if self.options.rough { self.v.store.free(fact).to_vec() } else { Vec::new() };
        for var in variables {
            if !self.v.is_single(var) || self.v.what(var).is_none() {
                continue;
            }
            let set = self.v.store.set(var);
            let is_there = self.v.store.card(set, Compare::Equal, 1);
            if !candidates.contains(&is_there) {
                candidates.push(is_there);
            }
        }
        self.implied_by(near, candidates)
    }

    /// Of what is known where the fact is, what was shown of the last moment that was set aside.
    pub fn near(&mut self, fact: Fact) -> Fact {
        self.since(fact, self.aside.len())
    }

    /// Of what is known where the fact is, what was set aside lately; none if that is all there is.
    pub fn lately(&mut self, fact: Fact) -> Option<Fact> {
        let (mut nodes, most) = (0, if self.options.rough { LATELY_AND_ROUGHLY } else { LATELY });
        let mut is_older = |aside: &&Aside| {
            nodes += self.v.store.size(aside.known);
            nodes > most
        };
        let first = self.aside.iter().rev().skip_while(|aside| !is_older(aside)).count();
        (first > 0).then(|| self.since(fact, first))
    }

    /// Of what is known where the fact is, what was set aside from some moment on, and what was shown of the one before.
    fn since(&mut self, fact: Fact, first: usize) -> Fact {
        let shown = first.checked_sub(1).map(|before| self.aside[before].shown);
        let known: Vec<Fact> = self.aside[first..].iter().map(|aside| aside.known).collect();
        self.v.store.and(known.into_iter().chain(shown).chain([fact]))
    }

    /// All that is known where the fact is; roughly, what was set aside lately.
    pub fn with_aside(&mut self, fact: Fact) -> Fact {
        match self.lately(fact) {
            Some(lately) if self.options.rough => lately,
            _ => self.since(fact, 0),
        }
    }

    /// What is set aside within a branch holds only of runs through it.
    pub fn apart(&mut self, walk: impl FnOnce(&mut Self) -> Fact) -> Fact {
        let before = self.aside.len();
        let fact = walk(self);
        let within = self.aside.split_off(before);
        let known: Vec<Fact> = match within.last() {
            Some(last) if self.options.rough => vec![last.shown],
            _ => within.into_iter().map(|aside| aside.known).collect(),
        };
        self.v.store.and(known.into_iter().chain([fact]))
    }

    fn default_value(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Object(_) => Value::Set(self.v.store.empty()),
            Type::Bool => Value::Bool(self.v.store.truth(false)),
            Type::Int | Type::Char => Value::Int(0),
            _ => Value::Other,
        }
    }

    /// Checks what the procedure promises where it ends.
    fn exit(&mut self, fact: Fact, span: Span) {
        if self.options.warn_unreachable && !self.quiet && !self.log.ends {
            self.log.ends = self.is_possible(fact);
        }
        let goals = self.promises();
        self.oblige(fact, goals, Kind::Exit, span);
    }

    fn promises(&mut self) -> Vec<Goal> {
        let contract = &self.body().contract;
        let mut goals = Vec::new();
        for clause in &contract.ensures {
            goals.push(self.goal(&clause.formula, Reading::OWN, Blame::of(clause, false)));
        }
        for &id in &contract.frame {
            let goal = self.v.unchanged(id, Moment::Entry, Moment::Now);
            goals.push(Goal::new(goal, Blame::Frame(id)));
        }
        goals
    }
}

/// The constant that an expression is, if a base set could have it.
pub fn constant(e: &Expr) -> Option<Constant> {
    match &e.kind {
        ExprKind::Int(n) => Some(Constant::Int(*n)),
        ExprKind::Bool(b) => Some(Constant::Bool(*b)),
        ExprKind::Char(c) => Some(Constant::Int(i64::from(u32::from(*c)))),
        ExprKind::Unary(UnaryOp::Negate, inner) => match inner.kind {
            ExprKind::Int(n) => Some(Constant::Int(n.wrapping_neg())),
            _ => None,
        },
        _ => None,
    }
}
