//! Loops whose rounds change no heap (of others: [`super::cuts`]): what their variables can be at the head, without an invariant by the user.
//!
//! A round leads from values of the variables to values. What a variable can be is the least set that has its first value and that no round
//! leads out of, which is a formula of second order: exact for a loop with one variable that holds objects and some Booleans. Of several
//! such variables each has a set of its own, and simple relations between two of them ([`Prover::relations`]) are kept as long as every
//! round keeps them. That the loop ends: no round, nor several, lead from a value of some variable back to it.
//!
//! An invariant by the user must hold as well, and is known.

use super::execute::{Flow, Line, State, Value};
use super::formula::{Mode, When};
use super::heap::{all, any, not, same};
use super::recursion::told;
use super::{Prover, Shown, open};
use crate::program::*;
use crate::visit;
use source::Span;
use std::fmt::Write;
use std::rc::Rc;

/// Booleans that are followed beside a variable: the sets are one for each combination.
const MOST_BOOLEANS: usize = 2;

/// What a path of a round does: variables and facts on the way, and the values at its end.
pub struct Round {
    pub lines: Vec<Rc<Line>>,
    pub end: State,
}

pub struct Loop<'p> {
    pub condition: &'p Expr,
    body: &'p [Stmt],
    step: Option<&'p Stmt>,
    pub span: Span,
}

impl Round {
    /// Its end, with what is known before it.
    pub fn after(&self, before: &State) -> State {
        let mut end = self.end.clone();
        end.lines = before.lines.iter().chain(&self.lines).cloned().collect();
        end.elsewhere.extend(&before.elsewhere);
        end
    }
}

impl<'p> Prover<'p> {
    pub fn while_loop(&mut self, mut state: State, statement: &'p Stmt) -> Shown<Vec<Flow>> {
        let StmtKind::While { invariant, condition, body, step } = &statement.kind else { return Ok(Vec::new()) };
        let invariant = invariant.as_ref().filter(|i| !matches!(i.kind, FormulaKind::Uninterpreted(_)));
        let this = Loop { condition, body, step: step.as_deref(), span: condition.span };
        if let Some(invariant) = invariant {
            self.clause(&mut state, invariant, When::Later, "that the loop invariant holds at first")?;
        }
        let carried = self.carried(&this);
        let mut inside = Vec::new();
        declared(body, &mut inside);
        let (objects, bools): (Vec<LocalId>, Vec<LocalId>) = {
            let of = |wanted: fn(&Type) -> bool| {
                carried
                    .iter()
                    .copied()
                    .filter(|l| wanted(&self.local_type(*l)) && !inside.contains(l))
                    .collect::<Vec<_>>()
            };
            (of(|t| matches!(t, Type::Object(_))), of(|t| *t == Type::Bool))
        };
        // Beginning of any round: the variables have names.
        let mut head = state.clone();
        for &local in &carried {
            let value = self.any_value(&mut head, &self.local_type(local));
            head.locals.insert(local, value);
        }
        let was_only_following = std::mem::replace(&mut self.only_follows, true);
        let rounds = self.rounds(&head, &this);
        self.only_follows = was_only_following;
        let rounds = rounds?;
        if rounds.iter().any(|round| round.end.heap.stamp != head.heap.stamp) {
            return self.cut(state, &this, invariant);
        }
        for round in &rounds {
            head.elsewhere.extend(&round.end.elsewhere);
            state.elsewhere.extend(&round.end.elsewhere);
        }
        if let Some(invariant) = invariant {
            let known = self.formula(&mut head, invariant, When::Later, Mode::May)?;
            head.assume(&known);
        }
        // In trees sets of several variables take MONA minutes, and relations between them tell as much.
        let has_sets = !self.layout.is_tree() || objects.len() == 1;
        let followed = if has_sets { &bools[..bools.len().min(MOST_BOOLEANS)] } else { &[] };
        let mut ends = Vec::new();
        let plain = head.clone();
        for &object in &objects {
            let closure =
                Closure { prover: self, first: &state, head: &plain, rounds: &rounds, object, bools: followed };
            let (reached, comes_back) = closure.texts();
            if has_sets {
                head.assume(&reached);
            }
            ends.push(comes_back);
        }
        if self.only_follows {
            // Within a loop around it: no more is asked.
        } else {
            for relation in self.relations(&state, &head, &rounds, (&objects, &bools), this.span)? {
                head.assume(&relation);
            }
            let what = "that this loop ends";
            if let [comes_back] = &ends[..]
                && !rounds.is_empty()
            {
                self.must(&mut head, &not(comes_back), "true", this.span, what)?;
            } else {
                let mut is_ending = rounds.is_empty();
                for comes_back in ends {
                    is_ending = is_ending || self.follows(&head, &not(&comes_back), this.span)?;
                }
                if !is_ending {
                    return open(this.span, format!("{what} is not shown"));
                }
            }
        }
        let mut flows = Vec::new();
        for (inside, holds) in self.branches(head, this.condition)? {
            if !holds {
                flows.push(Flow::Next(inside));
                continue;
            }
            for flow in self.round(inside, &this)? {
                match flow {
                    Flow::Return(_) => flows.push(flow),
                    Flow::Next(mut end) => {
                        if let Some(invariant) = invariant {
                            self.clause(&mut end, invariant, When::Later, "that a round keeps the loop invariant")?;
                        }
                    }
                }
            }
        }
        Ok(flows)
    }

    pub fn round(&mut self, state: State, this: &Loop<'p>) -> Shown<Vec<Flow>> {
        let mut flows = Vec::new();
        for flow in self.block(state, this.body)? {
            match (flow, this.step) {
                (Flow::Next(state), Some(step)) => flows.extend(self.statement(state, step)?),
                (flow, _) => flows.push(flow),
            }
        }
        Ok(flows)
    }

    /// The paths of a round, from any values of the variables.
    pub fn rounds(&mut self, head: &State, this: &Loop<'p>) -> Shown<Vec<Round>> {
        let mut rounds = Vec::new();
        for (inside, holds) in self.branches(head.clone(), this.condition)? {
            if !holds {
                continue;
            }
            for flow in self.round(inside, this)? {
                if let Flow::Next(end) = flow {
                    rounds.push(Round { lines: end.lines[head.lines.len()..].to_vec(), end });
                }
            }
        }
        Ok(rounds)
    }

    /// Variables that a round may give another value.
    fn carried(&self, this: &Loop<'p>) -> Vec<LocalId> {
        let mut found = Vec::new();
        let mut note = |place: &Place| {
            if let Place::Local(local) = place
                && !found.contains(local)
            {
                found.push(*local);
            }
        };
        visit::places(this.body, &mut note);
        this.step.iter().for_each(|s| visit::places(std::slice::from_ref(*s), &mut note));
        visit::condition(this.condition, &mut |_| {}, &mut note);
        found
    }

    /// Relations between two variables that hold at first and that every round keeps: of all candidates, those that remain.
    fn relations(
        &mut self,
        first: &State,
        head: &State,
        rounds: &[Round],
        (objects, bools): (&[LocalId], &[LocalId]),
        span: Span,
    ) -> Shown<Vec<String>> {
        let mut candidates = self.candidates(first, objects);
        if self.layout.is_tree() && objects.len() > 1 {
            candidates.extend(self.candidates_in_trees(objects, bools));
        }
        candidates = {
            let mut kept = Vec::new();
            for candidate in candidates {
                if let Some(text) = self.said(&candidate, first)
                    && self.follows(first, &text, span)?
                {
                    kept.push(candidate);
                }
            }
            kept
        };
        loop {
            let known: Vec<String> = candidates.iter().filter_map(|c| self.said(c, head)).collect();
            let count = candidates.len();
            for round in rounds {
                let mut before = head.clone();
                known.iter().for_each(|fact| before.assume(fact));
                let end = round.after(&before);
                let mut kept = Vec::new();
                for candidate in candidates {
                    if let Some(text) = self.said(&candidate, &end)
                        && self.follows(&end, &text, span)?
                    {
                        kept.push(candidate);
                    }
                }
                candidates = kept;
            }
            if candidates.len() == count {
                return Ok(known);
            }
        }
    }

    fn candidates(&self, first: &State, objects: &[LocalId]) -> Vec<Relation> {
        let mut found = Vec::new();
        for &a in objects {
            for &b in objects.iter().filter(|b| **b != a) {
                for &field in &self.program.module(self.module).fields {
                    let declared = self.program.field(field);
                    let fits = Type::Object(declared.object) == self.local_type(a) && declared.ty == self.local_type(b);
                    if fits && first.heap.fields.contains_key(&field) {
                        found.push(Relation::LeadsTo(a, field, b));
                    }
                }
                if let Some(Value::Object(value)) = first.locals.get(&b) {
                    found.push(Relation::NullBefore(a, b, value.clone()));
                }
            }
        }
        found
    }

    /// Beside the others: which way was taken, that a variable is in the tree at all, and that it is not null.
    fn candidates_in_trees(&self, objects: &[LocalId], bools: &[LocalId]) -> Vec<Relation> {
        let mut found = Vec::new();
        for &a in objects {
            for &field in &self.program.module(self.module).fields {
                let declared = self.program.field(field);
                if !self.layout.is_followed(field) || Type::Object(declared.object) != self.local_type(a) {
                    continue;
                }
                found.extend([Relation::InTree(a, field), Relation::NotNull(a)]);
                for &b in objects.iter().filter(|b| **b != a && declared.ty == self.local_type(**b)) {
                    for &way in bools {
                        found.extend([true, false].map(|on| Relation::LeadsToIf((way, on), a, field, b)));
                    }
                }
            }
        }
        found
    }

    fn said(&self, relation: &Relation, state: &State) -> Option<String> {
        let name = |local: &LocalId| match state.locals.get(local) {
            Some(Value::Object(name)) => Some(name.clone()),
            _ => None,
        };
        let null = self.layout.null();
        Some(match relation {
            Relation::LeadsTo(a, field, b) => {
                let (a, b) = (name(a)?, name(b)?);
                let version = state.heap.fields.get(field)?;
                any(&[same(&a, null), self.holds(&state.heap, *field, version, &a, &b, Mode::Must)])
            }
            Relation::LeadsToIf((way, on), a, field, b) => {
                let Some(Value::Bool(taken)) = state.locals.get(way) else { return None };
                let is_other = if *on { not(taken) } else { taken.clone() };
                any(&[is_other, self.said(&Relation::LeadsTo(*a, *field, *b), state)?])
            }
            Relation::InTree(a, field) => {
                let a = name(a)?;
                any(&[same(&a, null), format!("k{}({a})", field.0)])
            }
            Relation::NotNull(a) => not(&same(&name(a)?, null)),
            Relation::NullBefore(a, b, value) => any(&[not(&same(&name(a)?, null)), same(&name(b)?, value)]),
        })
    }
}

/// A candidate.
enum Relation {
    /// The first is null, or its field holds the second.
    LeadsTo(LocalId, FieldId, LocalId),
    /// The same if a Boolean is so.
    LeadsToIf((LocalId, bool), LocalId, FieldId, LocalId),
    /// It is null, or laid out where its field is followed.
    InTree(LocalId, FieldId),
    NotNull(LocalId),
    /// While the first is null the second has its first value.
    NullBefore(LocalId, LocalId, String),
}

/// What one variable can be at the head, with some Booleans.
struct Closure<'c, 'p> {
    prover: &'c mut Prover<'p>,
    first: &'c State,
    head: &'c State,
    rounds: &'c [Round],
    object: LocalId,
    bools: &'c [LocalId],
}

impl Closure<'_, '_> {
    /// That the variable has a value that rounds lead to; and that rounds lead from its value back to it.
    fn texts(self) -> (String, String) {
        let value = |state: &State, local: &LocalId| match state.locals.get(local) {
            Some(Value::Object(name) | Value::Bool(name)) => name.clone(),
            _ => "false".into(),
        };
        let combinations: Vec<Vec<bool>> =
            (0..1u32 << self.bools.len()).map(|n| (0..self.bools.len()).map(|i| n >> i & 1 == 1).collect()).collect();
        let is = |state: &State, combination: &[bool]| {
            let each = self.bools.iter().zip(combination).map(|(local, on)| {
                let text = value(state, local);
                if *on { text } else { not(&text) }
            });
            all(&each.collect::<Vec<_>>())
        };
        let now = value(self.head, &self.object);
        let (start, a, b) = (value(self.first, &self.object), now.clone(), self.prover.fresh("m"));
        // The steps from one combination to another, of the head's own names: bound around.
        let mut steps = Vec::new();
        for (i, from) in combinations.iter().enumerate() {
            for (j, to) in combinations.iter().enumerate() {
                let ways: Vec<String> = self
                    .rounds
                    .iter()
                    .map(|round| {
                        let arrives = all(&[same(&b, &value(&round.end, &self.object)), is(&round.end, to)]);
                        quantified(&round.lines, &arrives, None)
                    })
                    .collect();
                let step = self.around(&all(&[is(self.head, from), any(&ways)]));
                steps.push((i, j, step));
            }
        }
        let names: Vec<String> = combinations.iter().map(|_| self.prover.fresh("S")).collect();
        let closed: Vec<String> = steps
            .iter()
            .map(|(i, j, step)| format!("(({a} in {} & {step}) => {b} in {})", names[*i], names[*j]))
            .collect();
        let closed = format!("(all1 {a}, {b}: {})", all(&closed));
        let sets = names.join(", ");
        let with = |set: &str, state: &State, c: &[bool], x: &str| any(&[not(&is(state, c)), format!("{x} in {set}")]);
        let each = |state: &State, x: &str| {
            all(&names.iter().zip(&combinations).map(|(set, c)| with(set, state, c, x)).collect::<Vec<_>>())
        };
        let reached =
            format!("(all2 {sets}: (({} & {closed}) => {}))", each(self.first, &start), each(self.head, &now));
        // After one round from here. The names of the head are free outside: a copy of them is bound inside.
        let after: Vec<String> = steps
            .iter()
            .map(|(i, j, step)| {
                let here = self.prover.fresh("m");
                let from = is(self.head, &combinations[*i]);
                let step = format!("(ex1 {a}: ({a} = {here} & {step}))");
                format!("(ex1 {here}: ({here} = {now} & (all1 {b}: (({from} & {step}) => {b} in {}))))", names[*j])
            })
            .collect();
        let back = format!("(all2 {sets}: (({} & {closed}) => {}))", all(&after), each(self.head, &now));
        (reached, back)
    }

    /// Binds the head's names of all other variables.
    fn around(&self, text: &str) -> String {
        let own = match self.head.locals.get(&self.object) {
            Some(Value::Object(name)) => name.as_str(),
            _ => "",
        };
        let is_other = |line: &&Rc<Line>| !matches!(&***line, Line::Variable(_, name) if name == own);
        let lines: Vec<Rc<Line>> = self.head.lines[self.first.lines.len()..].iter().filter(is_other).cloned().collect();
        quantified(&lines, text, None)
    }
}

/// Variables that begin anew in each round.
fn declared(body: &[Stmt], found: &mut Vec<LocalId>) {
    for statement in body {
        match &statement.kind {
            StmtKind::Declare(local, _) => found.push(*local),
            StmtKind::Block(body) | StmtKind::While { body, .. } => declared(body, found),
            StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                declared(a, found);
                declared(b, found);
            }
            _ => {}
        }
    }
}

/// Facts and an end, for some values of the variables on the way; of calls within the procedure that runs, with what the sets say of them.
pub fn quantified(lines: &[Rc<Line>], end: &str, returns: Option<&[String; 2]>) -> String {
    let (mut text, mut close) = (String::from("("), 1);
    for line in lines {
        match &**line {
            Line::Variable(order, name) => {
                _ = write!(text, "ex{order} {name}: (");
                close += 1;
            }
            Line::Fact(fact) => _ = write!(text, "{fact} & "),
            Line::Set(name, fact) => {
                _ = write!(text, "ex2 {name}: ({fact} & ");
                close += 1;
            }
            Line::Returned(argument, Some(result)) if returns.is_some() => {
                if let Some(sets) = returns {
                    _ = write!(text, "{} & ", told(argument, result, sets));
                }
            }
            // Any result; and what is of the layout alone.
            Line::Returned(..) | Line::Text(_) => {}
        }
    }
    text += end;
    text += &")".repeat(close);
    text
}
