//! Loops: given invariants are checked, and what else the loop keeps is found (docs/hob.md, "Loops").
//!
//! The original iterates and drops conjuncts, with quantifiers among them. Here the loop's head knows all that was known before about
//! what the loop cannot change, and a set of candidates about the rest: conjuncts of the fact before, clauses of the contract, frames,
//! and simple relations between the sets and variables in question. Candidates that do not hold at first go, then those that a round does
//! not keep, until all stay: at most as many rounds as candidates. A model of "not all" says at once which ones to drop.

use super::indexes::Variable;
use super::numbers::MOST_IN_LOOPS;
use super::oblige::{Blame, Goal, Kind};
use super::reading::{Moment, Reading, Value};
use super::spots::Spot;
use super::vocabulary::Tracked;
use super::walk::Walk;
use crate::depends::Touch;
use crate::program::*;
use crate::visit;
use sets::{Compare, Formula as Fact, Sort, Term, Var};
use source::Span;
use std::collections::{BTreeSet, VecDeque};

#[derive(Clone, Copy)]
pub struct Loop<'p> {
    pub invariant: Option<&'p Formula>,
    pub condition: &'p Expr,
    pub body: &'p [Stmt],
    pub step: Option<&'p Stmt>,
    pub span: Span,
}

/// A set that candidates speak of: its value at entry and now.
struct Named {
    entry: Option<Term>,
    now: Term,
    elements: Option<TypeId>,
    single: bool,
    /// The loop does not change it.
    is_kept: bool,
    /// The module it is of, if that is another one.
    of: Option<ModuleId>,
    /// Of a base set, its field: no object is in two of one field.
    field: Option<FieldId>,
}

impl Named {
    /// Whether some relation between two of them might matter: they have elements in common, one of them changes, and what another module
    /// keeps has to do with what changes of that module, and with single objects.
    fn concerns(&self, other: &Named) -> bool {
        let may_meet = self.elements.is_none() || other.elements.is_none() || self.elements == other.elements;
        let is_related = |a: &Named, b: &Named| a.of.is_none() || !a.is_kept || a.of == b.of || b.single;
        may_meet && !(self.is_kept && other.is_kept) && is_related(self, other) && is_related(other, self)
    }
}

impl<'p> Walk<'_, 'p> {
    pub fn repeat(&mut self, fact: Fact, it: Loop<'p>) -> Fact {
        let goals = |walk: &mut Self| -> Vec<Goal> {
            let blame = |i: &Formula| Blame::Loop(i.span);
            it.invariant.map(|i| walk.goal(i, Reading::OWN, blame(i))).into_iter().collect()
        };
        let wanted = goals(self);
        let given: Vec<Fact> = wanted.iter().map(|goal| goal.fact).collect();
        let fact = self.oblige(fact, wanted, Kind::LoopEntry, it.span);
        let (mut fact, mut outs) = (fact, Vec::new());
        for rounds in 0..=MOST_IN_LOOPS {
            let goes_on = rounds > 0 && self.goes_on(fact, &it);
            if !self.options.peel || self.is_false(fact) || rounds > 0 && !goes_on {
                break;
            }
            // What a loop within keeps is looked for anew each time.
            let kept = self.kept.clone();
            let (end, out) = self.round(fact, &it);
            self.kept = kept;
            let wanted = goals(self);
            fact = self.oblige(end, wanted, Kind::LoopRound, it.span);
            outs.extend((!goes_on).then_some(out));
        }
        if !self.is_false(fact) {
            outs.push(self.rounds(fact, &it, &given));
        }
        self.v.store.or(outs)
    }

    /// Whether it is certain that there is another round, of a loop whose condition is about what it counts.
    fn goes_on(&mut self, fact: Fact, it: &Loop<'p>) -> bool {
        if self.rounds_left == 0 {
            return false;
        }
        let changes = self.changes_of_loop(it);
        let is_counted = |local: LocalId| self.v.numbers_of(local).iter().any(|what| changes.contains(what));
        let (mut counts, mut has_effect) = (false, false);
        let on_expr = &mut |e: &Expr| match e.kind {
            ExprKind::Local(local) => counts |= is_counted(local),
            ExprKind::Call(..) | ExprKind::Intrinsic(..) | ExprKind::Step { .. } => has_effect = true,
            _ => {}
        };
        visit::condition(it.condition, on_expr, &mut |_| {});
        if !counts || has_effect {
            return false;
        }
        self.rounds_left -= 1;
        let no = self.quietly(|walk| walk.sides(fact, it.condition).1);
        !self.is_possible(no)
    }

    fn quietly<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let quiet = std::mem::replace(&mut self.quiet, true);
        let result = run(self);
        self.quiet = quiet;
        result
    }

    /// Any number of rounds.
    fn rounds(&mut self, fact: Fact, it: &Loop<'p>, given: &[Fact]) -> Fact {
        let it = *it;

        let changes = self.changes_of_loop(&it);
        let step = self.step(fact, changes.iter().copied());
        let now: Vec<Var> = changes.iter().filter_map(|what| self.v.now(*what)).collect();
        let always = self.v.facts(&now);
        let rest = self.end_step(step, always);

        let of_earlier = |walk: &mut Self| walk.earlier.kept.get_mut(&it.span).and_then(VecDeque::pop_front);
        let kept = match (!self.quiet).then(|| of_earlier(self)).flatten() {
            Some(kept) => kept,
            None => self.keeps(fact, rest, &it, given, &changes),
        };
        if !self.quiet {
            if self.options.rough && !self.learned.is_partial {
                let is_of_program =
                    |fact: &Fact| self.v.store.free(*fact).iter().all(|var| self.v.what(*var).is_some());
                self.learned.certain.insert(it.span, kept.iter().copied().filter(is_of_program).collect());
            }
            self.learned.kept.entry(it.span).or_default().push_back(kept.clone());
        }

        let head = self.v.store.and(kept.iter().chain(given).copied().chain([rest]));
        self.kept.insert(it.span, kept);
        let head = self.v.store.simplify(head);
        self.reachable(head, it.span, "the loop's invariant contradicts what is known here: nothing below is checked");
        let (end, out) = self.round(head, &it);
        let wanted = it.invariant.map(|i| self.goal(i, Reading::OWN, Blame::Loop(i.span))).into_iter().collect();
        self.oblige(end, wanted, Kind::LoopRound, it.span);
        out
    }

    /// What the rounds keep, besides the rest of what is known.
    fn keeps(
        &mut self,
        fact: Fact,
        rest: Fact,
        it: &Loop<'p>,
        given: &[Fact],
        changes: &BTreeSet<Tracked>,
    ) -> Vec<Fact> {
        // Within another loop: each of its rounds knows less than the one before, so that what was dropped then would be dropped again.
        let mut kept = match self.kept.get(&it.span) {
            Some(kept) => kept.clone(),
            None => self.candidates(fact, changes),
        };
        let certain = self.earlier.certain.get(&it.span).cloned().unwrap_or_default();
        kept.retain(|candidate| !certain.contains(candidate));
        kept = self.implied(fact, kept);
        loop {
            let head = self.v.store.and(certain.iter().chain(&kept).chain(given).copied().chain([rest]));
            let end = self.quietly(|walk| walk.round(head, it).0);
            let still = self.implied(end, kept.clone());
            if still.len() == kept.len() || self.stops_at(it.span) {
                return certain.into_iter().chain(kept).collect();
            }
            kept = still;
        }
    }

    /// One round: what holds at its end, and what holds when the loop is left instead.
    fn round(&mut self, head: Fact, it: &Loop<'p>) -> (Fact, Fact) {
        let (yes, no) = self.sides(head, it.condition);
        let (yes, no) = self.decide_branch(yes, no, it.condition.span, "while");
        let body = |walk: &mut Self| {
            let end = walk.stmts(yes, it.body);
            match it.step {
                Some(step) => walk.stmts(end, std::slice::from_ref(step)),
                None => end,
            }
        };
        let end = self.taking(true, |walk| walk.apart(body));
        if let Some(last) = self.way.last_mut() {
            last.1 = false;
        }
        self.way.pop();
        (end, no)
    }

    fn sides(&mut self, head: Fact, condition: &'p Expr) -> (Fact, Fact) {
        let (yes, no) = self.branch(head, condition);
        (self.settle_copy(yes), self.settle(no))
    }

    /// What the loop's statements may change, of what is followed.
    fn changes_of_loop(&self, it: &Loop<'p>) -> BTreeSet<Tracked> {
        let changes = std::cell::RefCell::new(BTreeSet::new());
        let mut on_expr = |e: &Expr| match &e.kind {
            ExprKind::Call(callee, _) => {
                changes.borrow_mut().extend(self.changes_of_call(*callee));
                changes.borrow_mut().extend(self.default_bases(None));
            }
            ExprKind::New(ty) => {
                changes.borrow_mut().extend(self.default_bases(Some(*ty)));
                changes.borrow_mut().extend(self.v.touched(&Touch::New));
            }
            ExprKind::NewArray(_) => changes.borrow_mut().extend(self.v.touched(&Touch::Element)),
            _ => {}
        };
        let mut on_place = |place: &Place| match place {
            Place::Local(local) => {
                changes.borrow_mut().extend(self.hanging_on(*local));
            }
            Place::Global(global) => {
                changes.borrow_mut().extend(self.v.global(*global));
                let variable = Variable::Global(*global);
                let is = |spot: Spot| spot == Spot::Global(*global) || spot.hangs_on(variable);
                changes.borrow_mut().extend(self.spots(is));
                changes.borrow_mut().extend(self.gaps(variable));
                changes.borrow_mut().extend(self.v.touched(&Touch::Global(*global)));
            }
            Place::Field(_, field) => {
                changes.borrow_mut().extend(self.v.over_field(*field).into_iter().map(|(what, _)| what));
                changes.borrow_mut().extend(self.v.touched(&Touch::Field(*field)));
                changes.borrow_mut().extend(self.spots(|spot| spot.is_behind(*field)));
                changes.borrow_mut().extend(self.ranges(|int| int.is_of(*field)));
            }
            Place::Index(..) => {
                changes.borrow_mut().extend(self.v.touched(&Touch::Element));
                changes.borrow_mut().extend(self.spots(|spot| matches!(spot, Spot::Element(..))));
            }
        };
        visit::stmts(it.body, &mut on_expr, &mut on_place);
        visit::stmts(it.step.map(std::slice::from_ref).unwrap_or_default(), &mut on_expr, &mut on_place);
        visit::condition(it.condition, &mut on_expr, &mut on_place);
        changes.into_inner().into_iter().filter(|what| self.v.tracked.contains_key(what)).collect()
    }

    /// What the loop might keep: facts without quantifiers that mention something it changes.
    fn candidates(&mut self, fact: Fact, changes: &BTreeSet<Tracked>) -> Vec<Fact> {
        let mut found = self.v.store.conjuncts(fact);
        let (program, module) = (self.v.program, self.v.module);
        let contract = &self.body().contract;
        for clause in contract.requires.iter().chain(&contract.ensures) {
            found.push(self.v.formula(&clause.formula, Reading::NOW));
            found.push(self.v.formula(&clause.formula, Reading::OWN));
        }
        self.about_what_is_returned(&mut found);
        for scope in program.scopes.iter().filter(|s| s.modules.contains(&module)) {
            for invariant in &scope.invariants {
                found.push(self.v.formula(&invariant.formula, Reading::NOW));
            }
        }
        found = found.into_iter().flat_map(|f| self.v.store.conjuncts(f)).collect();
        let named = self.named_sets(fact, changes);
        for (i, a) in named.iter().enumerate() {
            self.about_one(a, &mut found);
            for b in named[i + 1..].iter().filter(|b| a.concerns(b)) {
                self.about_two(a, b, &mut found);
            }
        }
        self.about_booleans(fact, &mut found);
        self.about_fields(&named, changes, &mut found);
        self.about_the_rest(&named, &mut found);
        self.about_what_is_left(&named, &mut found);

        let changed: Vec<Var> = changes.iter().filter_map(|what| self.v.now(*what)).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        found.retain(|f| {
            seen.insert(*f)
                && !self.v.store.has_quantifier(*f)
                && self.v.store.free(*f).iter().any(|v| changed.contains(v))
        });
        found
    }

    fn named_sets(&mut self, fact: Fact, changes: &BTreeSet<Tracked>) -> Vec<Named> {
        let mut named = Vec::new();
        for id in self.v.program.module(self.v.module).spec_vars.clone() {
            if let Some(definition) = self.v.definition(id)
                && !matches!(definition, Definition::Flag { .. })
                && let SpecVarKind::Set(elements) = self.v.program.spec_var(id).kind
            {
                let (entry, now) = (self.v.spec_set(id, Moment::Entry), self.v.spec_set(id, Moment::Now));
                named.push(Named {
                    entry: Some(entry),
                    now,
                    elements,
                    single: false,
                    is_kept: false,
                    of: None,
                    field: None,
                });
            }
        }
        let mut promised = BTreeSet::new();
        for clause in self.body().contract.ensures.iter().filter(|c| matches!(c.reason, Reason::Written)) {
            crate::interp::names_of(&clause.formula, &mut |name| {
                if let Subject::SpecVar(id) = name.subject {
                    promised.insert(Tracked::Spec(id));
                }
            });
        }
        let pairs: Vec<_> = self.v.tracked.iter().map(|(what, pair)| (*what, *pair)).collect();
        for (what, pair) in pairs {
            let is_local = matches!(what, Tracked::Local(_) | Tracked::Spot(_));
            // Sets of other modules matter only if the loop changes them, or if they are what something is ensured about: `x' in Bag.Content`.
            let of = if let Tracked::Spec(id) = what { Some(self.v.program.spec_var(id).module) } else { None };
            let is_left_alone = of.is_some() && !changes.contains(&what) && !promised.contains(&what);
            // Of a variable that may be anything nothing holds at first; most of these are of other blocks.
            let is_any = is_local && pair.entry != pair.now && !self.v.store.is_free(pair.now, fact);
            if self.v.store.sort(pair.now) != Sort::Set || is_left_alone || is_any {
                continue;
            }
            let entry = (!is_local).then(|| self.v.store.set(pair.entry));
            let now = self.v.store.set(pair.now);
            let is_kept = !changes.contains(&what);
            let elements = self.v.element_type(pair.now);
            let field = if let Tracked::Base(field, _) = what { Some(field) } else { None };
            named.push(Named { entry, now, elements, single: is_local, is_kept, of, field });
        }
        named
    }

    fn about_one(&mut self, a: &Named, found: &mut Vec<Fact>) {
        let empty = self.v.store.empty();
        found.push(self.v.store.equal(a.now, empty));
        if a.single {
            found.push(self.v.store.card(a.now, Compare::Equal, 1));
        }
        if let Some(entry) = a.entry {
            found.push(self.v.store.equal(a.now, entry));
            found.push(self.v.store.subset(entry, a.now));
            found.push(self.v.store.subset(a.now, entry));
        }
    }

    fn about_two(&mut self, a: &Named, b: &Named, found: &mut Vec<Fact>) {
        if a.field.is_none() || a.field != b.field {
            found.push(self.v.store.disjoint([a.now, b.now]));
            found.push(self.v.store.equal(a.now, b.now));
            found.push(self.v.store.subset(a.now, b.now));
            found.push(self.v.store.subset(b.now, a.now));
        }
        if let (Some(a_entry), Some(b_entry)) = (a.entry, b.entry) {
            let (now, entry) = (self.v.store.union([a.now, b.now]), self.v.store.union([a_entry, b_entry]));
            found.push(self.v.store.equal(now, entry));
        }
    }

    /// A field that is counted has one of the values that are followed, or of those that sets are defined by, whichever it is.
    fn about_fields(&mut self, named: &[Named], changes: &BTreeSet<Tracked>, found: &mut Vec<Fact>) {
        let counted = |what: &Tracked| match what {
            Tracked::Base(field, Constant::Int(_)) => Some(*field),
            _ => None,
        };
        let fields: BTreeSet<FieldId> = changes.iter().filter_map(counted).collect();
        for field in fields {
            let object = self.v.program.field(field).object;
            let defined = self.v.program.module(self.v.module).spec_vars.iter().filter_map(|id| self.v.definition(*id));
            let of_sets: Vec<Constant> = defined
                .filter_map(|definition| match definition {
                    Definition::Flag { field: of, constant, .. } if *of == field => Some(*constant),
                    _ => None,
                })
                .collect();
            let bases = self.v.over_field(field);
            let is_of_set = |constant: &Constant| of_sets.contains(constant);
            for only_of_sets in [false, true] {
                let some = bases.iter().filter(|(_, constant)| !only_of_sets || is_of_set(constant));
                let now: Vec<Var> = some.filter_map(|(what, _)| self.v.now(*what)).collect();
                let sets: Vec<Term> = now.into_iter().map(|now| self.v.store.set(now)).collect();
                let all = self.v.store.union(sets);
                for one in named.iter().filter(|n| n.single && n.elements.is_none_or(|of| of == object)) {
                    found.push(self.v.store.subset(one.now, all));
                }
            }
        }
    }

    /// Of objects that are in no variable which the loop leaves alone nothing moves; what it assigns is one of those.
    fn about_the_rest(&mut self, named: &[Named], found: &mut Vec<Fact>) {
        let singles: Vec<Term> = named.iter().filter(|n| n.single && n.is_kept).map(|n| n.now).collect();
        if singles.is_empty() {
            return;
        }
        let all = self.v.store.union(singles);
        for set in named {
            if set.single && !set.is_kept {
                found.push(self.v.store.subset(set.now, all));
            } else if let Some(entry) = set.entry {
                let (now, entry) = (self.v.store.diff(set.now, all), self.v.store.diff(entry, all));
                found.push(self.v.store.equal(now, entry));
            }
        }
    }

    /// What is ensured of some set, of all of it but what is left in one that the loop uses up: `Content <= Seen'` is `Content <= Seen' +
    /// Iter'` on the way.
    fn about_what_is_left(&mut self, named: &[Named], found: &mut Vec<Fact>) {
        let left: Vec<Term> =
            named.iter().filter(|n| !n.single && !n.is_kept && n.entry.is_some()).map(|n| n.now).collect();
        let ensures = &self.body().contract.ensures;
        for part in ensures.iter().flat_map(|clause| crate::bounded::conjuncts(&clause.formula)) {
            let (a, b, is_disjoint) = match &part.kind {
                FormulaKind::Subset(a, b) => (a, b, false),
                FormulaKind::Disjoint(sets) if sets.len() == 2 => (&sets[0], &sets[1], true),
                _ => continue,
            };
            let (a, b) = (self.v.set_of(a, Reading::OWN), self.v.set_of(b, Reading::OWN));
            for &rest in &left {
                found.push(if is_disjoint {
                    let a = self.v.store.diff(a, rest);
                    self.v.store.disjoint([a, b])
                } else {
                    let b = self.v.store.union([b, rest]);
                    self.v.store.subset(a, b)
                });
            }
        }
    }

    /// What is ensured of the result, of a variable that is returned afterwards.
    fn about_what_is_returned(&mut self, found: &mut Vec<Fact>) {
        let proc = self.body();
        let mut returned = BTreeSet::new();
        crate::visit::returns(proc.body.as_deref().unwrap_or_default(), &mut |value| {
            if let ExprKind::Local(local) = value.kind {
                returned.insert(local);
            }
        });
        for local in returned {
            let formals = (0..proc.formals).map(LocalId);
            let locals: Vec<Value> = formals.chain([local]).map(|local| self.v.local(local, Reading::OWN)).collect();
            for clause in &proc.contract.ensures {
                found.push(self.v.formula(&clause.formula, Reading { locals: Some(&locals), ..Reading::OWN }));
            }
        }
    }

    fn about_booleans(&mut self, fact: Fact, found: &mut Vec<Fact>) {
        let pairs: Vec<_> = self.v.tracked.values().copied().collect();
        for pair in pairs {
            if self.v.store.sort(pair.now) == Sort::Bool && self.v.store.is_free(pair.now, fact) {
                let now = self.v.store.boolean(pair.now);
                found.push(now);
                found.push(self.v.store.not(now));
                found.push(self.same(pair.now, pair.entry));
            }
        }
    }
}
