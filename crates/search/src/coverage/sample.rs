//! Random valid states, each with the number of states it stands for: the mean of those numbers is the number of all valid
//! states (sequential importance sampling; Knuth 1975, "Estimating the efficiency of backtrack programs").
//!
//! What goes in: a space and what is checked. What comes out: the logarithm of such a number, one by one. The same on every
//! machine: work is counted, not timed, and the dice are seeded.
//!
//! - Slots are decided from the checked object downwards. Options that unit propagation refutes in S count for nothing;
//!   few ways lead to a dead end then. One that does is taken back, as in Gogate and Dechter's SampleSearch (2011).
//! - Options are taken in proportion to how many states they leave, as far as that is known: by the size of the space at
//!   first, later by what earlier samples found. Almost all states have almost all objects; fair dice would never come
//!   upon one. The numbers are right whatever the proportions, only their spread is not.
//! - Integers that are only compared with each other are not sampled: [`super::orders`] counts them.
//! - What S does not speak of is not sampled either: the ways to choose it are computed.
//! - Every sample is valid: the interpreter has the last word.

use super::integers::{by_bounds, comparisons, integers, linear_value, value_of};
use super::shares::{Choice, Sizes, UNRELATED, domain, few};
use crate::amount::sum;
use crate::described::Described;
use crate::exhaustive::{Extent, Policy, Subject, Subjects, Walk, isomorphism, ways};
use crate::propagate::{Level, Propagator};
use formula::{Difference, Lit, Node, NodeId, TermId};
use ir::interp::{Limits, Stop};
use ir::space::{Domain, Presence};
use ir::{Location, ObjId, Ty, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use symex::{Obj, Sym};
use work::Chance;

/// Options of one decision that are looked at.
const LOOKED_AT: u64 = 64;
/// Shares of options.
const HARDLY: f64 = 1e-3;
const LIKELY: f64 = 0.97;
/// Dead ends in one sample.
const DEAD_ENDS: usize = 500;
/// Work of samples that came to few dead ends in all: a second.
const STRAIGHT: u64 = 20_000_000;
const FEW_TURNS: usize = 8;

pub struct Sampler<'a, 'p> {
    pub(super) walk: Walk<'a>,
    pub(super) described: Described<'p>,
    propagator: Propagator,
    ground: Level,
    dice: Chance,
    /// Integers that are only compared with each other, and the comparisons.
    pub(super) compared: FxHashSet<TermId>,
    pub(super) differences: Vec<(NodeId, Difference)>,
    /// All comparisons of an integer with another.
    compared_with: FxHashMap<TermId, Vec<NodeId>>,
    /// Integers that are summed up: once all else is decided, an equation says what they are.
    summed: FxHashSet<TermId>,
    /// Nodes of S itself come before this one.
    pub(super) nodes: usize,
    sizes: Sizes,
    pub(super) work: u64,
    /// Dead ends of all samples.
    turns: usize,
    // Of the sample in the making.
    agenda: Vec<Item>,
    decided: Vec<Decided>,
    /// Objects in the order they were reached, with the one they hang on.
    reached: Vec<(ObjId, Option<ObjId>)>,
    is_reached: Vec<bool>,
    /// By object: the one reached before it from the same object, or else that one.
    relative: Vec<Option<ObjId>>,
    last_child: Vec<Option<ObjId>>,
    pub(super) postponed: Vec<(Subject, TermId)>,
    late: Vec<(Subject, TermId)>,
}

/// What is still to be done, last one first.
#[derive(Clone, Copy)]
enum Item {
    Reach(ObjId, Option<ObjId>),
    Decide(Subject),
    /// Goes on with what hangs on an object.
    Descend(ObjId),
}

/// A decision that had more than one option.
struct Decided {
    subject: Subject,
    /// Decisions before it.
    length: usize,
    level: Level,
    /// Those not tried yet, with the logarithms of their shares.
    options: Vec<(u64, f64)>,
    /// Of the number of states that the choice stands for, the one on account of options not looked at apart.
    ln: f64,
    ln_unseen: f64,
    choice: Option<Choice>,
}

impl<'a, 'p> Sampler<'a, 'p> {
    /// None if propagation refutes S.
    pub fn new(subjects: Subjects<'a>, mut described: Described<'p>, seed: u64) -> Option<Sampler<'a, 'p>> {
        let mut walk = Walk::new(subjects, Extent::Elements, isomorphism(subjects.linked), Limits::default());
        walk.interp.chooser.policy = Policy::First;
        let mut propagator = Propagator::default();
        let graph = &mut described.symbolic.graph;
        propagator.spell_out(graph);
        if !described.conditions.iter().all(|&c| propagator.assert(graph, c)) {
            return None;
        }
        let (compared, differences, summed) = integers(graph);
        let compared_with = comparisons(graph);
        let sizes = Sizes::new(subjects.space, &described, &compared);
        Some(Sampler {
            ground: propagator.level(&described.symbolic.graph),
            nodes: described.symbolic.graph.node_count(),
            is_reached: vec![false; subjects.space.objects.len()],
            relative: vec![None; subjects.space.objects.len()],
            last_child: vec![None; subjects.space.objects.len()],
            walk,
            described,
            propagator,
            dice: Chance::new(seed),
            compared,
            differences,
            compared_with,
            summed,
            sizes,
            work: 0,
            turns: 0,
            agenda: Vec::new(),
            decided: Vec::new(),
            reached: Vec::new(),
            postponed: Vec::new(),
            late: Vec::new(),
        })
    }

    /// All work so far, in steps of the interpreter or what takes as long.
    pub fn work(&self) -> u64 {
        let chains = self.described.symbolic.graph.chain_steps() / 2;
        self.work + self.walk.work + self.propagator.assignments + chains
    }

    /// The logarithm of the number of states that one random state stands for; None if it led to too many dead ends, or if
    /// more than so much work was needed.
    pub fn sample(&mut self, most_work: u64) -> Result<Option<f64>, Stop> {
        self.walk.retract_to(0);
        self.propagator.undo_to(&mut self.described.symbolic.graph, self.ground);
        self.decided.clear();
        self.restart();
        let mut dead_ends = 0;
        loop {
            // What leads almost straight to a state may take longer: there is no quicker way to one.
            let most_of_descent = if self.turns <= FEW_TURNS { STRAIGHT } else { most_work };
            let found = if self.decide_all(most_of_descent)? { self.complete()? } else { None };
            if found.is_some() {
                return Ok(found);
            }
            self.turns += 1;
            self.leave_object();
            dead_ends += 1;
            if dead_ends > DEAD_ENDS || self.work() > most_work || !self.turn_back()? {
                return Ok(None);
            }
            self.restart();
        }
    }

    fn restart(&mut self) {
        self.agenda.clear();
        let arguments = 0..self.walk.subjects.space.arguments.len();
        self.agenda.extend(arguments.rev().map(|i| Item::Decide(Subject::Argument(i))));
        self.agenda.extend(self.walk.subjects.space.roots().map(|root| Item::Reach(root, None)));
        self.reached.clear();
        self.is_reached.fill(false);
        self.last_child.fill(None);
        self.postponed.clear();
        self.late.clear();
    }

    /// False at a dead end, and when more work was done than this.
    fn decide_all(&mut self, most_work: u64) -> Result<bool, Stop> {
        while let Some(item) = self.agenda.pop() {
            self.work += 1;
            if self.work() > most_work {
                return Ok(false);
            }
            match item {
                Item::Reach(object, from) => self.reach(object, from),
                Item::Descend(object) => self.descend(object),
                Item::Decide(subject) => {
                    let value = match self.content(subject) {
                        Some(value) => value,
                        None if self.described.symbol(subject).is_none() && self.walk.may_wait(subject) => continue,
                        None => match self.described.symbol(subject) {
                            Some(Sym::Int(term)) if self.compared.contains(&term) => {
                                self.postponed.push((subject, term));
                                continue;
                            }
                            Some(Sym::Int(term)) if self.summed.contains(&term) => {
                                self.late.push((subject, term));
                                continue;
                            }
                            _ => match self.decide(subject)? {
                                Some(value) => value,
                                None => return Ok(false),
                            },
                        },
                    };
                    // What hangs on an edge comes later; what is in a tree is reached by its edges.
                    let space = self.walk.subjects.space;
                    if let Value::Obj(object) = value
                        && !matches!(domain(space, subject), Domain::Slot { .. } | Domain::Grow { .. })
                        && space.object(object).presence == Presence::Always
                    {
                        self.agenda.push(Item::Reach(object, None));
                    } else if let (Value::Obj(object), Subject::Argument(_)) = (value, subject) {
                        self.agenda.push(Item::Reach(object, None));
                    }
                }
            }
        }
        self.decide_late()
    }

    fn decide_late(&mut self) -> Result<bool, Stop> {
        for (subject, term) in std::mem::take(&mut self.late) {
            let solved = self.solve(term);
            let is_decided = match (solved, domain(self.walk.subjects.space, subject)) {
                (Some(value), &Domain::Int { lo, hi }) if lo <= value && value <= hi => {
                    self.walk.decide(subject)? && {
                        self.walk.take(value.wrapping_sub(lo) as u64);
                        true
                    }
                }
                (Some(_), _) => false,
                (None, _) => self.decide(subject)?.is_some(),
            };
            if !is_decided {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What an equation says that an integer is.
    fn solve(&self, term: TermId) -> Option<i64> {
        let graph = &self.described.symbolic.graph;
        self.propagator.equations().iter().find_map(|&equation| {
            let linear = graph.linear(equation);
            let coefficient = linear.coefficient(term);
            if !matches!(coefficient, 1 | -1) {
                return None;
            }
            let others = linear.terms.iter().filter(|t| t.0 != term);
            let rest = others.map(|&(t, c)| c.checked_mul(value_of(graph, t)?)).sum::<Option<i64>>()?;
            Some(-(rest + linear.constant) * coefficient)
        })
    }

    fn content(&self, subject: Subject) -> Option<Value> {
        match subject {
            Subject::At(at) => self.walk.interp.heap.at(at),
            Subject::Argument(index) => self.walk.interp.chooser.arguments[index],
        }
    }

    fn reach(&mut self, object: ObjId, from: Option<ObjId>) {
        let space = self.walk.subjects.space;
        if object.index() < space.statics || std::mem::replace(&mut self.is_reached[object.index()], true) {
            return;
        }
        self.reached.push((object, from));
        let elder = from.and_then(|from| self.last_child[from.index()].replace(object));
        self.relative[object.index()] = elder.or(from);
        self.agenda.push(Item::Descend(object));
        let length = self.walk.interp.heap.len(object);
        let is_edge = |slot: &u32| is_edge(&space.object(object).slots[*slot as usize]);
        let item = |slot| Item::Decide(Subject::At(Location { object, slot }));
        // Edges first: what they leave open of the other slots needs no dice then.
        self.agenda.extend((0..length).rev().filter(|s| !is_edge(s)).map(item));
        self.agenda.extend((0..length).rev().filter(is_edge).map(item));
    }

    fn descend(&mut self, object: ObjId) {
        let space = self.walk.subjects.space;
        for slot in (0..self.walk.interp.heap.len(object)).rev() {
            if is_edge(&space.object(object).slots[slot as usize])
                && let Some(Value::Obj(target)) = self.walk.interp.heap.at(Location { object, slot })
            {
                self.agenda.push(Item::Reach(target, Some(object)));
            }
        }
    }

    /// The value of a slot, by chance; None at a dead end.
    fn decide(&mut self, subject: Subject) -> Result<Option<Value>, Stop> {
        let length = self.walk.interp.chooser.len();
        let level = self.propagator.level(&self.described.symbolic.graph);
        if !self.walk.decide(subject)? {
            return Ok(None);
        }
        if self.walk.interp.chooser.len() == length {
            return Ok(self.content(subject));
        }
        let (options, ln_unseen) = self.options(subject);
        self.decided.push(Decided { subject, length, level, options, ln: 0.0, ln_unseen, choice: None });
        self.choose()
    }

    /// Takes one of the open options of the last decision, which is on the walk with any of its options.
    fn choose(&mut self) -> Result<Option<Value>, Stop> {
        let Some(last) = self.decided.last_mut() else { return Ok(None) };
        if last.options.is_empty() {
            return Ok(None);
        }
        let shares: Vec<f64> = last.options.iter().map(|o| o.1).collect();
        let all = sum(&shares);
        let mut rest = self.dice.fraction();
        let chosen = shares.iter().position(|share| {
            rest -= (share - all).exp();
            rest < 0.0
        });
        let (option, share) = last.options.swap_remove(chosen.unwrap_or(shares.len() - 1));
        last.ln = all - share;
        let subject = last.subject;
        self.walk.take(option);
        let Some((value, length)) = self.walk.interp.chooser.last_option(option) else { return Ok(None) };
        let choice = self.choice(subject, value, length);
        if let Some(last) = self.decided.last_mut() {
            last.choice = choice;
        }
        if let Some(symbol) = self.described.symbol(subject) {
            let lit = self.described.is_value(symbol, value, length);
            if !self.assert(symbol, lit) {
                return Ok(None);
            }
        }
        Ok(Some(value))
    }

    /// If no integer fits, other values of earlier ones hardly help: the object should not be there.
    fn leave_object(&mut self) {
        let Some(Decided { subject: Subject::At(at), options, .. }) = self.decided.last() else { return };
        if !options.is_empty() || !matches!(domain(self.walk.subjects.space, Subject::At(*at)), Domain::Int { .. }) {
            return;
        }
        let object = Value::Obj(at.object);
        let leads_here = |d: &Decided| matches!(d.subject, Subject::At(_)) && self.content(d.subject) == Some(object);
        if let Some(edge) = self.decided.iter().rposition(leads_here) {
            self.decided.truncate(edge + 1);
        }
    }

    /// Takes another option of the last decision that has one; false if none has.
    fn turn_back(&mut self) -> Result<bool, Stop> {
        while let Some(last) = self.decided.last() {
            let (subject, length, level) = (last.subject, last.length, last.level);
            if let Some(choice) = last.choice {
                self.sizes.learned.entry(choice).or_default().dead_ends += 1;
            }
            self.walk.retract_to(length);
            self.propagator.undo_to(&mut self.described.symbolic.graph, level);
            if !last.options.is_empty() && self.walk.decide(subject)? && self.choose()?.is_some() {
                return Ok(true);
            }
            if self.decided.last().is_some_and(|d| d.options.is_empty()) {
                self.decided.pop();
            }
        }
        Ok(false)
    }

    /// The options of the decision just made that are not seen to be dead, with their shares; and the logarithm of how many
    /// times more there are, if not all were looked at.
    fn options(&mut self, subject: Subject) -> (Vec<(u64, f64)>, f64) {
        let count = self.walk.interp.chooser.last_count();
        let Some(symbol) = self.described.symbol(subject) else {
            return (vec![(self.dice.below(count as usize) as u64, 0.0)], (count as f64).ln());
        };
        let known = self.known(symbol);
        let (mut first, mut end) = (0, count);
        // Only those within the bounds of an integer.
        if let (Sym::Int(term), &Domain::Int { lo: least, .. }) = (symbol, domain(self.walk.subjects.space, subject)) {
            let (lo, hi) = self.described.symbolic.graph.bounds(term);
            first = u64::try_from(i128::from(lo) - i128::from(least)).unwrap_or(0);
            end = end.min(u64::try_from(i128::from(hi) - i128::from(least) + 1).unwrap_or(0));
        }
        let within = end.saturating_sub(first);
        let is_wide = within > LOOKED_AT && matches!(symbol, Sym::Int(_));
        let looked_at = if is_wide { LOOKED_AT } else { within };
        let offset = if is_wide { self.dice.below(within as usize) as u64 } else { 0 };
        let mut candidates = Vec::new();
        for i in 0..looked_at {
            let option = first + (offset + i * (within / looked_at)) % within;
            let Some((value, length)) = self.walk.interp.chooser.last_option(option) else { continue };
            if length.is_some() || known.is_none_or(|k| k == value) {
                candidates.push((option, value, length));
            }
        }
        let space = self.walk.subjects.space;
        let unlearned = candidates.iter().map(|&(_, v, l)| self.sizes.unlearned(space, subject, v, l)).collect();
        let choices: Vec<_> = candidates.iter().map(|&(_, v, l)| self.choice(subject, v, l)).collect();
        let shares = self.sizes.shares(unlearned, &choices);
        let all = sum(&shares);
        let mut alive = Vec::new();
        for ((option, value, length), share) in candidates.into_iter().zip(shares) {
            // One that is likely is put to the test when it is taken; one that is not hardly counts.
            let part = (share - all).exp();
            if (HARDLY..LIKELY).contains(&part) {
                let lit = self.described.is_value(symbol, value, length);
                if !self.is_alive(symbol, lit) {
                    continue;
                }
            }
            alive.push((option, share));
        }
        (alive, (within.max(1) as f64 / looked_at.max(1) as f64).ln())
    }

    /// What is learned about an option, if there are few.
    fn choice(&self, subject: Subject, value: Value, length: Option<u32>) -> Option<Choice> {
        let space = self.walk.subjects.space;
        let Subject::At(at) = subject else { return None };
        let option = few(space, value, length)?;
        let object = space.object(at.object);
        // Elements of an array are alike.
        let slot = if matches!(object.ty, Ty::Array(_)) { 0 } else { at.slot };
        let relative = self.relative[at.object.index()].filter(|&r| space.object(r).ty == object.ty);
        // Another array may be shorter.
        let heap = &self.walk.interp.heap;
        let relative = relative.filter(|&r| at.slot < heap.len(r));
        let of_relative = relative.and_then(|r| heap.at(Location { object: r, slot: at.slot }));
        let of_relative = of_relative.map_or(UNRELATED, |value| few(space, value, None).unwrap_or(UNRELATED));
        Some(Choice { ty: object.ty, places: self.sizes.places[at.object.index()], slot, option, of_relative })
    }

    fn known(&mut self, symbol: Sym) -> Option<Value> {
        let symbolic = &mut self.described.symbolic;
        match symbol {
            Sym::Bool(lit) => symbolic.graph.value(lit).map(Value::Bool),
            Sym::Int(_) => None,
            Sym::Ref(id) => symbolic.known_object(id).map(|o| match o {
                Obj::NULL => Value::Null,
                object => Value::Obj(ObjId(object.0)),
            }),
        }
    }

    fn is_alive(&mut self, symbol: Sym, lit: Lit) -> bool {
        let level = self.propagator.level(&self.described.symbolic.graph);
        let is_alive = self.assert(symbol, lit);
        self.propagator.undo_to(&mut self.described.symbolic.graph, level);
        is_alive
    }

    /// Asserts what a symbol is, and how it compares then: propagation does not look at comparisons of two integers again
    /// when their bounds change.
    fn assert(&mut self, symbol: Sym, lit: Lit) -> bool {
        let graph = &mut self.described.symbolic.graph;
        if !self.propagator.assert(graph, lit) {
            return false;
        }
        let Sym::Int(term) = symbol else { return true };
        let Some(nodes) = self.compared_with.get(&term) else { return true };
        self.work += nodes.len() as u64;
        nodes.iter().all(|&node| {
            let implied = match graph.node(node) {
                Node::Difference(d) => by_bounds(graph, d),
                Node::LinearEq(l) => linear_value(graph, l).map(|value| value == 0),
                _ => None,
            };
            implied.is_none_or(|value| self.propagator.assert(graph, Lit::new(node, value)))
        })
    }

    /// Counts what was not decided; None if the state turns out to be invalid.
    fn complete(&mut self) -> Result<Option<f64>, Stop> {
        let ln_postponed = match self.count_postponed()? {
            Some(ln) if ln > f64::NEG_INFINITY => ln,
            _ => return Ok(None),
        };
        self.walk.interp.chooser.policy = Policy::Pause;
        let ln_read = self.settle();
        self.walk.interp.chooser.policy = Policy::First;
        let Some(ln_read) = ln_read? else { return Ok(None) };
        let leaves = self.walk.leaves();
        let ln_leaves = ways(self.walk.subjects.space, self.walk.interp.chooser.numbering(), leaves).ln;
        self.work += 20 * leaves.len() as u64;
        let ln_decided: f64 = self.decided.iter().map(|d| d.ln + d.ln_unseen).sum();
        self.learn(ln_postponed, ln_leaves);
        Ok(Some(ln_decided + ln_postponed + ln_read + ln_leaves))
    }

    /// What is not decided is shared out equally.
    fn learn(&mut self, ln_postponed: f64, ln_leaves: f64) {
        let space = self.walk.subjects.space;
        let mut left = vec![0.0; space.objects.len()];
        let mut add = |subject: Subject, ln: f64| {
            if let Subject::At(at) = subject {
                left[at.object.index()] += ln;
            }
        };
        let leaves = self.walk.leaves();
        self.decided.iter().for_each(|d| add(d.subject, d.ln + d.ln_unseen));
        self.postponed.iter().for_each(|p| add(p.0, ln_postponed / self.postponed.len() as f64));
        leaves.iter().for_each(|&l| add(l, ln_leaves / leaves.len() as f64));
        for &(object, from) in self.reached.iter().rev() {
            if let Some(from) = from {
                left[from.index()] += left[object.index()];
            }
            let alike = (space.object(object).ty, self.sizes.places[object.index()]);
            self.sizes.totals.entry(alike).or_default().learn(left[object.index()]);
        }
        for decided in &self.decided {
            let Subject::At(at) = decided.subject else { continue };
            left[at.object.index()] -= decided.ln + decided.ln_unseen;
            if let Some(choice) = decided.choice {
                self.sizes.learned.entry(choice).or_default().learn(left[at.object.index()]);
            }
        }
    }

    /// Decides by fair dice what a specification reads though S does not speak of it; None if the state is invalid.
    fn settle(&mut self) -> Result<Option<f64>, Stop> {
        let mut ln = 0.0;
        loop {
            let before = self.walk.interp.chooser.len();
            if self.walk.settle()? {
                return Ok(Some(ln));
            }
            if self.walk.interp.chooser.len() == before {
                return Ok(None);
            }
            let count = self.walk.interp.chooser.last_count();
            self.walk.take(self.dice.below(count as usize) as u64);
            ln += (count as f64).ln();
        }
    }
}

fn is_edge(domain: &Domain) -> bool {
    matches!(domain, Domain::Slot { .. } | Domain::Grow { .. })
}
