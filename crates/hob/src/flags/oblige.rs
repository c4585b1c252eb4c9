//! What must be shown: each goal is decided where it arises, and one that fails comes with an example.

use super::reading::{Moment, Reading};
use super::vocabulary::Tracked;
use super::walk::Walk;
use crate::program::*;
use sets::{Answer, Formula as Fact, Model, Node, Sort, Store, Term, TermNode, Var};
use source::{Diagnostic, Span};
use std::time::{Duration, Instant};

/// Where something must be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Call(ProcId),
    Exit,
    Assert(Option<String>),
    /// Before the loop.
    LoopEntry,
    /// At the end of each round.
    LoopRound,
    /// With `--check-null`.
    Null,
}

/// Which part is to be shown, and where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blame {
    Requires(Span),
    Ensures(Span),
    Default {
        name: String,
        span: Span,
    },
    Invariant {
        scope: ScopeId,
        span: Span,
    },
    /// A variable that `modifies` does not list.
    Frame(SpecVarId),
    Assert(Span),
    Loop(Span),
    Null(Span),
}

impl Blame {
    pub fn of(clause: &Clause, is_requires: bool) -> Blame {
        match &clause.reason {
            Reason::Written if is_requires => Blame::Requires(clause.span),
            Reason::Written => Blame::Ensures(clause.span),
            Reason::Default(name) => Blame::Default { name: name.clone(), span: clause.span },
            Reason::Invariant(scope) => Blame::Invariant { scope: *scope, span: clause.span },
        }
    }
}

pub struct Goal {
    pub fact: Fact,
    pub blame: Blame,
    /// The conjuncts of a clause, each with its place; empty if it has no parts.
    pub parts: Vec<(Fact, Span)>,
}

impl Goal {
    pub fn new(fact: Fact, blame: Blame) -> Goal {
        Goal { fact, blame, parts: Vec::new() }
    }
}

/// A branch on the way to a failure.
pub struct Decision {
    pub var: Var,
    pub span: Span,
    pub what: &'static str,
    pub parents: Vec<(Var, bool)>,
}

/// One question to the decision procedure.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub kind: Kind,
    pub span: Span,
    /// Nodes of the formula, as a tree (paper, Table 2).
    pub nodes: u64,
    pub holds: bool,
    pub decision: Measured,
    /// The formula for MONA, if asked for: unsatisfiable if the obligation holds.
    pub mona: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Measured {
    pub method: sets::Method,
    pub elements: usize,
    pub clauses: u64,
    /// An "unsatisfiable" of the SAT solver whose proof was checked.
    pub certified: bool,
    pub time: Duration,
}

#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: Kind,
    pub blame: Blame,
    pub span: Span,
    /// The conjuncts of the clause that may not hold, or the whole clause.
    pub parts: Vec<Span>,
    /// Branches taken on the way: "if", "while", and whether the condition held.
    pub way: Vec<(Span, &'static str, bool)>,
    /// What it speaks of that a scope hides from the module.
    pub hidden: Vec<SpecVarId>,
    pub example: Example,
}

/// A heap on which it goes wrong: objects are numbers.
#[derive(Clone, Default, Debug)]
pub struct Example {
    pub objects: usize,
    /// Type of each object, where it is known.
    pub types: Vec<Option<TypeId>>,
    /// Names of sets, with members at entry and now.
    pub sets: Vec<(String, Vec<usize>, Vec<usize>)>,
    pub booleans: Vec<(String, bool, bool)>,
    /// Variables: an object or null, or a truth value.
    pub locals: Vec<(String, Shown)>,
}

impl Example {
    /// Without objects that are in no set and in no variable: nothing depends on them.
    fn without_idle_objects(mut self) -> Example {
        let held =
            self.locals.iter().filter_map(|(_, shown)| if let Shown::Object(held) = shown { *held } else { None });
        let mut used: Vec<usize> = held.collect();
        used.extend(self.sets.iter().flat_map(|(_, entry, now)| entry.iter().chain(now).copied()));
        used.sort_unstable();
        used.dedup();
        let number = |object: usize| used.binary_search(&object).unwrap_or_default();
        for (_, entry, now) in &mut self.sets {
            entry.iter_mut().chain(now).for_each(|object| *object = number(*object));
        }
        for (_, shown) in &mut self.locals {
            if let Shown::Object(Some(object)) = shown {
                *object = number(*object);
            }
        }
        self.types = used.iter().map(|object| self.types[*object]).collect();
        self.objects = used.len();
        self
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    Object(Option<usize>),
    Bool(bool),
}

/// All that the analysis of a procedure found.
#[derive(Default)]
pub struct Log {
    pub tracing: bool,
    pub decisions: Vec<Decision>,
    pub obligations: Vec<Obligation>,
    pub failures: Vec<Failure>,
    pub unknown: Vec<(Span, String)>,
    pub warnings: Vec<Diagnostic>,
    /// Questions asked to find invariants, and to see whether a point can be reached.
    pub side_questions: u64,
    /// Those of them that were about all that came before, and what was set aside lately was not enough.
    pub far_questions: u64,
    pub decision_time: Duration,
    /// Points that some run should get to, not asked yet.
    pub points: Vec<(Fact, Span, String)>,
    /// Said once.
    pub unreachable: bool,
    /// Some run may get to an end.
    pub ends: bool,
    /// Where the analysis was when it was time to stop.
    pub stopped: Option<Span>,
    /// The first rounds of loops were apart already.
    pub is_peeled: bool,
}

/// Sizes are compared with larger constants by blocks of elements (`sets`).
const LARGE: u32 = 64;
/// Of so many candidates most do not follow, as a rule.
const MANY_CANDIDATES: usize = 4;
/// Of a procedure in which much is set aside, so many times all of it is asked what a loop keeps.
const MOST_FAR: u64 = 50;

impl<'p> Walk<'_, 'p> {
    /// Everything must follow from the fact. Afterwards it is known, shown or not: one failure does not cause the next.
    pub fn oblige(&mut self, fact: Fact, goals: Vec<Goal>, kind: Kind, span: Span) -> Fact {
        let all = self.v.store.and(goals.iter().map(|g| g.fact));
        let after = self.v.store.and([fact, all]);
        if self.quiet || matches!(self.v.store.node(all), Node::True) || self.is_false(fact) {
            return after;
        }
        if self.earlier.held(&kind, span) {
            return after;
        }
        // What was shown of an earlier moment may be all that it takes; if not, nothing is concluded.
        let near = self.near(fact);
        let less = [(near != fact || self.options.rough).then_some(near), self.lately(fact)];
        let shown = less.into_iter().flatten().find_map(|known| {
            let query = self.query_of(known, all);
            let decided = self.decide(query);
            (decided.0 == Outcome::Holds).then_some((query, decided))
        });
        if shown.is_none() && self.options.rough {
            self.log.unknown.push((span, "it is not shown at once".into()));
            self.learned.is_partial |= kind != Kind::Exit;
            return self.v.store.truth(false);
        }
        let shown = shown.or_else(|| self.one_by_one(fact, all));
        let (query, (answer, decision)) = shown.unwrap_or_else(|| {
            let query = self.query(fact, all);
            (query, self.decide(query))
        });
        let mona = self.options.emit_mona.then(|| sets::mona::text(&self.v.store, query));
        let nodes = self.v.store.size(query);
        let holds = answer == Outcome::Holds;
        self.learned.held.entry(span).or_default().push_back((kind.clone(), holds));
        self.log.obligations.push(Obligation { kind: kind.clone(), span, nodes, holds, decision, mona });
        if holds {
            return after;
        }
        for goal in goals {
            if self.stops_at(span) {
                break;
            }
            self.examine(fact, goal, &kind, span, (all, &answer));
        }
        after
    }

    /// Sizes against large constants, each by itself: of two of them at once it took 77 s, of one 4 s. What one of
    /// them fails on, all fail on. None if one is not decided.
    fn one_by_one(&mut self, fact: Fact, all: Fact) -> Option<(Fact, (Outcome, Measured))> {
        let parts = self.v.store.conjuncts(all);
        let is_large = |part: &Fact| matches!(self.v.store.node(*part), Node::Card(_, _, size) if *size > LARGE);
        if parts.iter().filter(|part| is_large(part)).count() < 2 {
            return None;
        }
        let mut found = None;
        for part in parts {
            let query = self.query(fact, part);
            let decided = self.decide(query);
            let holds = match decided.0 {
                Outcome::Unknown(_) => return None,
                Outcome::Holds => true,
                Outcome::Fails(_) => false,
            };
            found = Some(decided);
            if !holds {
                break;
            }
        }
        let whole = self.query(fact, all);
        found.map(|decided| (whole, decided))
    }

    /// One of several goals that do not hold together, as was answered: if it is the one, which part of it, and an example.
    fn examine(&mut self, fact: Fact, goal: Goal, kind: &Kind, span: Span, (all, answer): (Fact, &Outcome)) {
        let whole = (goal.fact, None);
        let parts = goal.parts.iter().map(|(part, span)| (*part, Some(*span)));
        let asked: Vec<(Fact, Option<Span>)> = if goal.parts.is_empty() { vec![whole] } else { parts.collect() };
        let mut first: Option<(Fact, Model)> = None;
        let mut spans = Vec::new();
        for (part, at) in asked {
            let answer = if part == all {
                answer.clone()
            } else {
                let query = self.query(fact, part);
                self.decide(query).0
            };
            match answer {
                Outcome::Holds => {}
                Outcome::Unknown(_) if self.stops_at(span) => return,
                Outcome::Unknown(why) => self.log.unknown.push((span, why)),
                Outcome::Fails(model) => {
                    if let Some(why) = self.v.opaque_part(part).cloned() {
                        // It is the clause that asks too much, wherever that is.
                        self.log.unknown.push((at.unwrap_or(span), why));
                        continue;
                    }
                    spans.extend(at);
                    first.get_or_insert((part, model));
                }
            }
        }
        // The first round of a loop and those after it come by the same place.
        let is_known = |f: &Failure| {
            f.span == span && f.kind == *kind && f.blame == goal.blame && spans.iter().all(|s| f.parts.contains(s))
        };
        if let Some((part, model)) = first
            && !self.log.failures.iter().any(is_known)
        {
            let way = self.way_of(&model);
            let example = self.example(&model, part);
            let mut hidden: Vec<SpecVarId> = Vec::new();
            for var in self.v.store.free(part).to_vec() {
                if let Some(what @ Tracked::Spec(id)) = self.v.what(var)
                    && self.v.is_hidden(what)
                    && !hidden.contains(&id)
                {
                    hidden.push(id);
                }
            }
            let blame = goal.blame;
            self.log.failures.push(Failure { kind: kind.clone(), blame, span, parts: spans, way, hidden, example });
        }
    }

    /// A formula of a contract as a goal, its conjuncts apart.
    pub fn goal(&mut self, formula: &Formula, reading: Reading, blame: Blame) -> Goal {
        let mut parts = Vec::new();
        self.conjuncts(formula, reading, &mut parts);
        let fact = self.v.store.and(parts.iter().map(|(part, _)| *part));
        Goal { fact, blame, parts }
    }

    fn conjuncts(&mut self, formula: &Formula, reading: Reading, parts: &mut Vec<(Fact, Span)>) {
        match &formula.kind {
            // The parts of a named predicate stand elsewhere: it is one part, where it is used.
            FormulaKind::And(inner) if inner.iter().all(|part| formula.span.covers(part.span)) => {
                inner.iter().for_each(|part| self.conjuncts(part, reading, parts));
            }
            _ => parts.push((self.v.formula(formula, reading), formula.span)),
        }
    }

    /// The fact without the goal, with all that always holds: satisfiable if and only if the goal does not follow.
    fn query(&mut self, fact: Fact, goal: Fact) -> Fact {
        let known = self.with_aside(fact);
        self.query_of(known, goal)
    }

    fn query_of(&mut self, known: Fact, goal: Fact) -> Fact {
        let not_goal = self.v.store.not(goal);
        let query = self.v.store.and([known, not_goal]);
        let query = self.v.store.simplify(query);
        let vars = self.v.store.free(query).to_vec();
        let facts = self.v.facts(&vars);
        self.v.store.and(facts.into_iter().chain([query]))
    }

    fn decide(&mut self, query: Fact) -> (Outcome, Measured) {
        let found = sets::decide(&mut self.v.store, query, &self.options.limits);
        self.log.decision_time += found.time;
        let mut measured = Measured {
            method: found.method,
            elements: found.elements,
            clauses: found.clauses,
            certified: found.certified,
            time: found.time,
        };
        let answer = match found.answer {
            Answer::Unsat => Outcome::Holds,
            Answer::Unknown(why) => Outcome::Unknown(why),
            Answer::Sat(model) => {
                // That objects have one type each is seldom needed.
                let vars = self.v.store.free(query).to_vec();
                let types = self.v.type_facts(&vars);
                if types.is_empty() {
                    Outcome::Fails(model)
                } else {
                    let typed = self.v.store.and(types.into_iter().chain([query]));
                    let again = sets::decide(&mut self.v.store, typed, &self.options.limits);
                    self.log.decision_time += again.time;
                    measured.time += again.time;
                    measured.certified = again.certified;
                    match again.answer {
                        Answer::Unsat => Outcome::Holds,
                        Answer::Unknown(why) => Outcome::Unknown(why),
                        Answer::Sat(model) => Outcome::Fails(model),
                    }
                }
            }
        };
        (answer, measured)
    }

    /// Of the candidates those that follow from the fact.
    pub fn implied(&mut self, fact: Fact, candidates: Vec<Fact>) -> Vec<Fact> {
        if self.is_false(fact) {
            return candidates;
        }
        if let Some(lately) = self.lately(fact) {
            let found = self.implied_by(lately, candidates.clone());
            let is_far = !self.options.rough && self.log.far_questions < MOST_FAR;
            if found.len() == candidates.len() || !is_far {
                return found;
            }
            self.log.far_questions += 1;
        }
        let known = self.with_aside(fact);
        self.implied_by(known, candidates)
    }

    pub fn implied_by(&mut self, known: Fact, mut candidates: Vec<Fact>) -> Vec<Fact> {
        let mut limits = self.options.side_limits();
        if candidates.len() > MANY_CANDIDATES {
            let mut vars = self.v.store.free(known).to_vec();
            candidates.iter().for_each(|&candidate| vars.extend(self.v.store.free(candidate)));
            vars.sort_unstable();
            vars.dedup();
            let facts = self.v.facts(&vars);
            let known = self.v.store.and(facts.into_iter().chain([known]));
            let start = Instant::now();
            candidates = sets::unrefuted(&mut self.v.store, known, &candidates, &limits);
            limits.beyond_few = true;
            self.log.decision_time += start.elapsed();
            self.log.side_questions += 1;
        }
        while !candidates.is_empty() {
            let all = self.v.store.and(candidates.iter().copied());
            let query = self.query_of(known, all);
            let found = sets::decide(&mut self.v.store, query, &limits);
            self.log.side_questions += 1;
            self.log.decision_time += found.time;
            match found.answer {
                Answer::Unsat => break,
                Answer::Unknown(_) => candidates.clear(),
                Answer::Sat(model) => {
                    let before = candidates.len();
                    candidates.retain(|c| sets::evaluate(&self.v.store, *c, &model) == Some(true));
                    if candidates.len() == before {
                        candidates.clear();
                    }
                }
            }
        }
        candidates
    }

    /// A point that some run should get to: what is shown after one that no run gets to says nothing (paper, footnote 3). It is asked
    /// at the end of the block: if some run gets to the last of the points, it came by the others.
    pub fn reachable(&mut self, fact: Fact, span: Span, message: &str) {
        if !self.quiet && self.options.warn_unreachable && !self.log.unreachable {
            let fact = self.lately(fact).unwrap_or_else(|| self.with_aside(fact));
            self.log.points.push((fact, span, message.to_owned()));
        }
    }

    /// Warns of the first of the points that no run gets to.
    pub fn ask_points(&mut self) {
        let points = std::mem::take(&mut self.log.points);
        let aside = std::mem::take(&mut self.aside);
        self.ask(points);
        self.aside = aside;
    }

    fn ask(&mut self, points: Vec<(Fact, Span, String)>) {
        // After a failure what it asked for is taken for granted, true or not.
        if !self.log.failures.is_empty() || points.last().is_none_or(|(last, ..)| self.is_possible(*last)) {
            return;
        }
        if let Some((_, span, message)) = points.into_iter().find(|(fact, ..)| !self.is_possible(*fact)) {
            self.log.unreachable = true;
            self.log.warnings.push(Diagnostic::warning("hob-unreachable", span, message));
        }
    }

    /// Unless it is certain that no run gets there.
    pub fn is_possible(&mut self, fact: Fact) -> bool {
        let nothing = self.v.store.truth(false);
        let known = self.lately(fact).unwrap_or_else(|| self.with_aside(fact));
        let query = self.query_of(known, nothing);
        let found = sets::decide(&mut self.v.store, query, &self.options.side_limits());
        self.log.side_questions += 1;
        self.log.decision_time += found.time;
        found.answer != Answer::Unsat
    }

    /// Whether it is time to stop: what comes from here on is not analysed, and nothing is concluded from it.
    pub fn stops_at(&mut self, span: Span) -> bool {
        self.v.store.heed(&self.options.limits.stop);
        let is_stopped = self.v.store.is_stopped();
        if is_stopped {
            self.log.stopped.get_or_insert(span);
        }
        is_stopped
    }

    /// The branches that the model takes.
    fn way_of(&self, model: &Model) -> Vec<(Span, &'static str, bool)> {
        let taken = |(var, side): &(Var, bool)| model.bool(*var) == *side;
        let open = self.way.iter().map(|(var, _)| *var).collect::<Vec<_>>();
        let mut way = Vec::new();
        for decision in &self.log.decisions {
            let on_way = decision.parents.iter().all(taken);
            // A loop that was left: its body's branches were of some earlier round.
            if on_way && (mentions(model, decision.var) || open.contains(&decision.var)) {
                way.push((decision.span, decision.what, model.bool(decision.var)));
            }
        }
        way
    }

    /// The heap of a model on which the goal is false. Booleans that neither change nor occur in the goal are left out.
    fn example(&mut self, model: &Model, goal: Fact) -> Example {
        let mut example = Example { objects: model.elements, types: vec![None; model.elements], ..Example::default() };
        let program = self.v.program;
        for (i, variable) in program.spec_vars.iter().enumerate() {
            let id = SpecVarId(i as u32);
            let is_hidden = !program.sees(self.v.module, variable.module);
            if is_hidden && !self.v.tracked.contains_key(&Tracked::Spec(id)) {
                continue;
            }
            let mut name = program.name_from(self.v.module, id);
            if let Some(scope) = program.hiding(self.v.module, variable.module) {
                name += &format!(" (hidden by {})", scope.name);
            }
            match variable.kind {
                SpecVarKind::Bool => {
                    if let Some(pair) = self.v.tracked.get(&Tracked::Spec(id)).copied()
                        && (model.bool(pair.entry) != model.bool(pair.now)
                            || [pair.entry, pair.now].iter().any(|var| self.v.store.is_free(*var, goal)))
                    {
                        example.booleans.push((name, model.bool(pair.entry), model.bool(pair.now)));
                    }
                }
                SpecVarKind::Relation => {}
                SpecVarKind::Set(_) => {
                    let (entry, now) = (self.v.spec_set(id, Moment::Entry), self.v.spec_set(id, Moment::Now));
                    example.sets.push((name, members(&self.v.store, model, entry), members(&self.v.store, model, now)));
                }
            }
        }
        for (what, pair) in &self.v.tracked {
            let name = match what {
                Tracked::Local(local) => self.body().locals[local.index()].name.clone(),
                Tracked::Spot(spot) => self.v.spot_name(*spot),
                _ => continue,
            };
            // Only what the failure is about.
            if !mentions(model, pair.now) {
                continue;
            }
            let shown = match self.v.store.sort(pair.now) {
                Sort::Set => Shown::Object(model.set(pair.now).first().copied()),
                Sort::Bool => Shown::Bool(model.bool(pair.now)),
            };
            example.locals.push((name, shown));
        }
        for pair in self.v.tracked.values() {
            for var in [pair.entry, pair.now] {
                if self.v.store.sort(var) == Sort::Set
                    && let Some(ty) = self.v.element_type(var)
                {
                    for &member in model.set(var) {
                        example.types[member] = Some(ty);
                    }
                }
            }
        }
        example.without_idle_objects()
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Outcome {
    Holds,
    Fails(Model),
    Unknown(String),
}

/// Whether the formula that the model is of has the variable.
fn mentions(model: &Model, var: Var) -> bool {
    model.bools().any(|(v, _)| v == var) || model.sets().any(|(v, _)| v == var)
}

fn members(store: &Store, model: &Model, term: Term) -> Vec<usize> {
    match store.term(term) {
        TermNode::Empty => Vec::new(),
        TermNode::Var(var) => model.set(*var).to_vec(),
        TermNode::Union(parts) => {
            let mut all: Vec<usize> = parts.iter().flat_map(|part| members(store, model, *part)).collect();
            all.sort_unstable();
            all.dedup();
            all
        }
        TermNode::Inter(parts) => {
            let parts: Vec<Vec<usize>> = parts.iter().map(|part| members(store, model, *part)).collect();
            (0..model.elements).filter(|element| parts.iter().all(|part| part.contains(element))).collect()
        }
        TermNode::Diff(a, b) => {
            let without = members(store, model, *b);
            members(store, model, *a).into_iter().filter(|element| !without.contains(element)).collect()
        }
    }
}
