//! S, the formula of all valid states with arguments (dissertation, 2.5), by itself: what the glass box searches, to be
//! counted and to be compared with what the exhaustive engine enumerates.
//!
//! What goes in: a space and what is checked. What comes out: the conjuncts of S, what a slot that holds a value means in
//! them, and all states that satisfy them.

use crate::exact::{Exact, Found};
use crate::exhaustive::Subject;
use crate::start::Valid;
use formula::Lit;
use ir::space::{Concrete, Domain, Presence, Space, Statics};
use ir::{Checked, Location, ObjId, Operation, Program, Ty, Value};
use rustc_hash::FxHashMap;
use sat::Preset;
use std::sync::Arc;
use symex::{Limits, Obj, Stop, Sym, Symbolic};
use work::Chance;

pub struct Described<'p> {
    pub symbolic: Symbolic<'p>,
    pub conditions: Vec<Lit>,
    arguments: Vec<Sym>,
    /// What stands for a slot in S, by object and slot; None if S does not speak of it.
    slots: Vec<Vec<Option<Sym>>>,
    speaks_of_argument: Vec<bool>,
}

impl<'p> Described<'p> {
    pub fn new(
        program: &'p Program,
        space: &Arc<Space>,
        statics: &Arc<Statics>,
        checked: &Checked,
        operation: &Operation,
        limits: Limits,
    ) -> Result<Described<'p>, Stop> {
        let mut symbolic = Symbolic::new(program, space, statics, limits);
        let conditions = symbolic.valid_states(checked)?;
        Described::of((symbolic, conditions), operation)
    }

    /// From the valid states, with what is said of arguments.
    pub(crate) fn of(valid: Valid<'p>, operation: &Operation) -> Result<Described<'p>, Stop> {
        let (mut symbolic, mut conditions) = valid;
        let space = symbolic.space.clone();
        let arguments = symbolic.arguments();
        conditions.extend(symbolic.valid_arguments(operation, &arguments)?);
        let mut slots = Vec::with_capacity(space.objects.len());
        for (index, object) in space.objects.iter().enumerate() {
            let symbols = object.slots.iter().enumerate().map(|(slot, domain)| match domain {
                Domain::Slot { .. } => Some(symbolic.read_slot(Obj(index as u32), slot as u32)),
                _ => symbolic.asked(Location { object: ObjId(index as u32), slot: slot as u32 }),
            });
            slots.push(symbols.collect());
        }
        // Without preconditions, S says of an argument only whether what it refers to is there.
        let may_be_absent = |domain: &Domain| match domain {
            Domain::Ref { objects, .. } => objects.iter().any(|&o| space.object(o).presence != Presence::Always),
            Domain::Slot { .. } | Domain::Grow { .. } => true,
            Domain::Fixed(_) | Domain::Bool | Domain::Int { .. } | Domain::Ints(_) => false,
        };
        let has_preconditions = !operation.preconditions.is_empty();
        let speaks_of_argument = space.arguments.iter().map(|d| has_preconditions || may_be_absent(d)).collect();
        Ok(Described { symbolic, conditions, arguments, slots, speaks_of_argument })
    }

    /// What stands for a slot or an argument in S; None if S does not speak of it.
    pub(crate) fn symbol(&self, subject: Subject) -> Option<Sym> {
        match subject {
            Subject::At(at) => self.slots[at.object.index()][at.slot as usize],
            Subject::Argument(index) => self.speaks_of_argument[index].then_some(self.arguments[index]),
        }
    }

    /// When what stands for a slot is this value: of an array, with this length.
    pub(crate) fn is_value(&mut self, symbol: Sym, value: Value, length: Option<u32>) -> Lit {
        let same = self.symbolic.is_value(symbol, value);
        match (value, length) {
            (Value::Obj(array), Some(length)) => {
                let term = self.symbolic.length(Obj(array.0));
                let as_long = self.symbolic.graph.eq_constant(term, length.into());
                self.symbolic.graph.and(same, as_long)
            }
            _ => same,
        }
    }

    /// Calls `visit` with one state for each way to choose what S speaks of, in objects that are reached.
    pub fn each_state(&mut self, visit: &mut dyn FnMut(&Described<'p>, Concrete)) -> Result<(), String> {
        let space = self.symbolic.space.clone();
        let mut exact = Exact::new(&self.conditions, Preset::Search, false, sat::Limits::default());
        loop {
            let state = match exact.find(&mut self.symbolic.graph, &[], &[]) {
                Found::Model(model) => self.symbolic.concretize(&model, &self.arguments),
                Found::Nothing => return Ok(()),
                other => return Err(format!("{other:?}")),
            };
            let mut differs = Vec::new();
            for (subject, value) in self.spoken(&state) {
                let Some(symbol) = self.symbol(subject) else { continue };
                let length = match value {
                    Value::Obj(o) if matches!(space.object(o).ty, Ty::Array(_)) => Some(state.objects[o.index()].len()),
                    _ => None,
                };
                differs.push(!self.is_value(symbol, value, length.map(|l| l as u32)));
            }
            exact.add_clause(&mut self.symbolic.graph, &differs);
            visit(self, state);
        }
    }

    /// So many valid states with arguments, by chance: one after another, values are drawn for what a state holds, and a solver finds states that
    /// have them as far as there are any. None if no state is valid.
    pub fn random_states(&mut self, count: usize, draws: usize, dice: &mut Chance) -> Result<Vec<Concrete>, String> {
        let mut exact = Exact::new(&self.conditions, Preset::Search, false, sat::Limits::default());
        let mut states = Vec::new();
        for _ in 0..count {
            let mut drawn = Vec::new();
            let Some(mut state) = self.find(&mut exact, &drawn)? else { break };
            for _ in 0..draws {
                let held = self.held(&state);
                let Some(&(subject, _)) = held.get(dice.below(held.len())) else { break };
                let Some((value, length)) = self.draw(subject, &held, dice) else { continue };
                let symbol = match subject {
                    Subject::At(at) => self.symbolic.read_slot(Obj(at.object.0), at.slot),
                    Subject::Argument(index) => self.arguments[index],
                };
                drawn.push(self.is_value(symbol, value, length));
                match self.find(&mut exact, &drawn)? {
                    Some(found) => state = found,
                    None => drop(drawn.pop()),
                }
            }
            states.push(state);
        }
        Ok(states)
    }

    fn find(&mut self, exact: &mut Exact, path: &[Lit]) -> Result<Option<Concrete>, String> {
        match exact.find(&mut self.symbolic.graph, path, &[]) {
            Found::Model(model) => Ok(Some(self.symbolic.concretize(&model, &self.arguments))),
            Found::Nothing => Ok(None),
            other => Err(format!("{other:?}")),
        }
    }

    /// A value for a slot or an argument of a state that holds these; of an array, with a length.
    fn draw(&self, subject: Subject, held: &[(Subject, Value)], dice: &mut Chance) -> Option<(Value, Option<u32>)> {
        let space = &self.symbolic.space;
        let domain = match subject {
            Subject::At(at) => &space.object(at.object).slots[at.slot as usize],
            Subject::Argument(index) => &space.arguments[index],
        };
        let object = match domain {
            Domain::Fixed(_) => return None,
            Domain::Bool => return Some((Value::Bool(dice.coin()), None)),
            Domain::Int { lo, hi } => {
                let more = dice.draw().checked_rem(hi.abs_diff(*lo).wrapping_add(1)).unwrap_or_else(|| dice.draw());
                return Some((Value::Int(lo.wrapping_add_unsigned(more)), None));
            }
            Domain::Ints(values) => return Some((Value::Int(*dice.pick(values)), None)),
            Domain::Ref { nullable, objects } => {
                // S may not say that what it does not speak of is there.
                let is_there = |o: &ObjId| {
                    space.object(*o).presence == Presence::Always || held.iter().any(|h| h.1 == Value::Obj(*o))
                };
                let there: Vec<ObjId> = objects.iter().copied().filter(is_there).collect();
                let at = dice.below(there.len() + usize::from(*nullable));
                there.get(at).copied()
            }
            Domain::Slot { nullable, objects, .. } | Domain::Grow { nullable, objects } => {
                objects.get(dice.below(objects.len() + usize::from(*nullable))).copied()
            }
        };
        let Some(object) = object else { return Some((Value::Null, None)) };
        let (least, most) = space.object(object).length;
        let is_array = matches!(space.object(object).ty, Ty::Array(_));
        Some((Value::Obj(object), is_array.then(|| (least + dice.below((most - least + 1) as usize) as i64) as u32)))
    }

    /// What S speaks of in a state, from the checked object and the arguments on, breadth first.
    fn spoken(&self, state: &Concrete) -> Vec<(Subject, Value)> {
        self.reached(state, |subject| self.symbol(subject).is_some())
    }

    /// Everything in a state.
    fn held(&self, state: &Concrete) -> Vec<(Subject, Value)> {
        self.reached(state, |_| true)
    }

    fn reached(&self, state: &Concrete, is_wanted: impl Fn(Subject) -> bool) -> Vec<(Subject, Value)> {
        let space = &self.symbolic.space;
        let mut is_seen = vec![false; space.objects.len()];
        let mut reached: Vec<(Subject, Value)> = Vec::new();
        let mut next = 0;
        let slots_of = |object: ObjId, is_seen: &mut Vec<bool>| {
            let is_new = object.index() >= space.statics && !std::mem::replace(&mut is_seen[object.index()], true);
            let values = if is_new { &state.objects[object.index()][..] } else { &[] };
            let at = move |slot| Subject::At(Location { object, slot });
            values.iter().enumerate().map(move |(slot, &v)| (at(slot as u32), v)).collect::<Vec<_>>()
        };
        for root in space.roots() {
            reached.extend(slots_of(root, &mut is_seen));
        }
        reached.extend(state.arguments.iter().enumerate().map(|(i, &v)| (Subject::Argument(i), v)));
        reached.retain(|(subject, _)| is_wanted(*subject));
        while let Some(&(_, value)) = reached.get(next) {
            next += 1;
            if let Value::Obj(object) = value {
                let slots = slots_of(object, &mut is_seen);
                reached.extend(slots.into_iter().filter(|(subject, _)| is_wanted(*subject)));
            }
        }
        reached
    }

    /// What S speaks of in a state, up to the names of objects: equal for two states iff one can be renamed into the other.
    pub fn canonical(&self, state: &Concrete) -> Vec<(u32, i64)> {
        let space = &self.symbolic.space;
        let mut names: FxHashMap<ObjId, i64> = FxHashMap::default();
        let mut name = |object: ObjId| {
            let next = names.len() as i64;
            *names.entry(object).or_insert(next)
        };
        for root in space.roots() {
            name(root);
        }
        let spoken = self.spoken(state).into_iter();
        let values = spoken.flat_map(|(_, value)| match value {
            Value::Null => [(0, 0), (0, 0)],
            Value::Bool(value) => [(1, value.into()), (0, 0)],
            Value::Int(value) => [(2, value), (0, 0)],
            Value::Obj(object) if object.index() < space.statics => [(3, object.0.into()), (0, 0)],
            // Classes differ in their slots, arrays in their lengths.
            Value::Obj(object) => {
                let class = match space.object(object).ty {
                    Ty::Class(class) => i64::from(class.0),
                    _ => -1,
                };
                [(4, name(object)), (state.objects[object.index()].len() as u32, class)]
            }
        });
        values.collect()
    }
}
