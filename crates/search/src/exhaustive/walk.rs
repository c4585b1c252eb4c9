//! The walk through all elements of a space that are valid: invariant and preconditions are run on a state that is decided
//! only as far as they look (Korat). One that fails rules out every state that agrees with it there.
//!
//! What goes in: a space and what is checked. What comes out: one by one, the elements on which they hold, in the heap of
//! the interpreter, numbered as in the space. The stages, in the order in which decisions are taken: what the invariant
//! reads, arguments, what the preconditions read, the rest of the heap's structure, and the leaves: values on which
//! nothing further hangs.

use super::decisions::{Decisions, Subject};
use super::leaves::is_leaf as is_leaf_domain;
use ir::heap::{Heap, Mark};
use ir::interp::{Interp, Limits, Linked, Outcome, Stop};
use ir::space::{Concrete, Domain, Space};
use ir::tree::broken_tree;
use ir::{Checked, Location, MethodId, ObjId, Operation, OperationKind, Spec, SpecArgument, Ty, Value};

/// What is walked.
#[derive(Clone, Copy)]
pub struct Subjects<'a> {
    pub linked: &'a Linked<'a>,
    pub statics: &'a Heap,
    pub space: &'a Space,
    pub checked: &'a Checked,
    pub operation: &'a Operation,
}

/// Whether a walk that did so much work, and took these decisions, is to end.
type Interrupted<'a> = dyn FnMut(u64, &Decisions<'a>) -> bool + 'a;

/// How far an element goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The state only: neither arguments nor preconditions.
    States,
    /// Arguments too.
    Elements,
}

/// Stages of an element that are done, and how many decisions there were then.
#[derive(Clone, Default)]
struct Done {
    stages: Vec<usize>,
}

const STAGES: usize = 4;

/// From so many changes on, the log of the heap is thrown away.
const LOGGED: usize = 1 << 14;

pub struct Walk<'a> {
    pub subjects: Subjects<'a>,
    pub interp: Interp<'a, Decisions<'a>>,
    extent: Extent,
    done: Done,
    /// What is open when the structure is complete.
    leaves: Vec<Subject>,
    /// The heap without any decision.
    base: Mark,
    logged: usize,
    is_started: bool,
    is_leaf: Vec<Vec<bool>>,
    /// Whether an argument may wait for the leaves.
    may_wait: Vec<bool>,
    /// Steps of all runs, and what else takes time: the same on every machine.
    pub work: u64,
    /// Asked before every candidate; the walk ends if it says so.
    pub interrupted: Option<Box<Interrupted<'a>>>,
    /// Whether it did.
    pub is_interrupted: bool,
}

/// What a specification says about what is decided.
enum Answer {
    Holds,
    Fails,
}

impl<'a> Walk<'a> {
    pub fn new(subjects: Subjects<'a>, extent: Extent, isomorphism: bool, limits: Limits) -> Walk<'a> {
        let decisions = Decisions::new(subjects.space, isomorphism);
        let is_leaf = subjects.space.objects.iter().map(|object| {
            object.slots.iter().map(|domain| is_leaf_domain(subjects.space, &decisions, domain)).collect()
        });
        let is_leaf = is_leaf.collect();
        let has_preconditions = !subjects.operation.preconditions.is_empty();
        let arguments = subjects.space.arguments.iter();
        let may_wait =
            arguments.map(|domain| !has_preconditions && is_leaf_domain(subjects.space, &decisions, domain)).collect();
        let mut interp = Interp::new(subjects.linked, subjects.statics.clone(), decisions, subjects.space.n);
        interp.limits = limits;
        let base = interp.heap.mark();
        let mut walk = Walk {
            subjects,
            interp,
            extent,
            done: Done::default(),
            leaves: Vec::new(),
            base,
            logged: 0,
            is_started: false,
            is_leaf,
            may_wait,
            work: 0,
            interrupted: None,
            is_interrupted: false,
        };
        walk.rebuild();
        walk
    }

    /// The next element whose structure is complete; false if there is none.
    pub fn next_structure(&mut self) -> Result<bool, Stop> {
        // Leaves of the element before are not looked at.
        if self.done.stages.len() == STAGES {
            self.retract_to(self.done.stages[STAGES - 1]);
        }
        loop {
            if !self.go_on() {
                return Ok(false);
            }
            if self.settle()? {
                return Ok(true);
            }
        }
    }

    /// The next element, leaves and all; false if there is none.
    pub fn next_element(&mut self) -> Result<bool, Stop> {
        loop {
            if !self.go_on() {
                return Ok(false);
            }
            if self.settle()? && self.decide_leaves() {
                return Ok(true);
            }
        }
    }

    fn go_on(&mut self) -> bool {
        if let Some(interrupted) = &mut self.interrupted {
            self.is_interrupted |= interrupted(self.work, &self.interp.chooser);
        }
        if self.is_interrupted || self.is_started && !self.advance() {
            return false;
        }
        self.is_started = true;
        true
    }

    fn advance(&mut self) -> bool {
        self.work += 1;
        let found = self.interp.chooser.advance(&mut self.interp.heap);
        self.logged += 1;
        let changed = self.interp.chooser.len().saturating_sub(1);
        self.done.stages.retain(|&stage| stage <= changed);
        found
    }

    pub fn retract_to(&mut self, length: usize) {
        self.interp.chooser.retract_to(&mut self.interp.heap, length);
        self.done.stages.retain(|&stage| stage <= length);
    }

    /// Takes another option of the last decision.
    pub fn switch(&mut self, option: u64) {
        self.interp.chooser.switch(&mut self.interp.heap, option);
        self.logged += 2;
        let changed = self.interp.chooser.len().saturating_sub(1);
        self.done.stages.retain(|&stage| stage <= changed);
    }

    /// Decides one subject by its first option, ahead of whoever reads it. False if it has none.
    pub fn decide(&mut self, subject: Subject) -> Result<bool, Stop> {
        let before = self.interp.chooser.len();
        let decided = self.interp.chooser.decide(&mut self.interp.heap, subject);
        self.logged += 1;
        match decided {
            Ok(_) => Ok(true),
            Err(Stop::Backtrack) => Ok(self.interp.chooser.len() > before),
            Err(stop) => Err(stop),
        }
    }

    /// Takes an option of the last decision, and gives its array the decided length.
    pub fn take(&mut self, option: u64) {
        self.switch(option);
        if self.interp.chooser.is_stale || self.logged > LOGGED {
            self.rebuild();
        }
    }

    /// Whether a slot or an argument may wait until all else is decided.
    pub fn may_wait(&self, subject: Subject) -> bool {
        match subject {
            Subject::At(at) => self.is_leaf[at.object.index()][at.slot as usize],
            Subject::Argument(index) => self.may_wait[index],
        }
    }

    /// Brings the element as far as its structure; false if the decisions so far lead nowhere.
    pub fn settle(&mut self) -> Result<bool, Stop> {
        while self.done.stages.len() < STAGES {
            if self.interp.chooser.is_stale || self.logged > LOGGED {
                self.rebuild();
            }
            let stage = match self.done.stages.len() {
                0 => self.invariant(),
                1 => self.arguments(),
                2 => self.preconditions(),
                _ => self.structure(),
            };
            match stage {
                Ok(Answer::Holds) => self.done.stages.push(self.interp.chooser.len()),
                Ok(Answer::Fails) => return Ok(false),
                Err(Stop::Backtrack) if self.interp.chooser.is_stale => {}
                Err(Stop::Backtrack) => return Ok(false),
                Err(stop) => return Err(stop),
            }
        }
        if self.interp.chooser.is_stale || self.logged > LOGGED {
            self.rebuild();
        }
        Ok(true)
    }

    pub fn leaves(&self) -> &[Subject] {
        &self.leaves
    }

    fn decide_leaves(&mut self) -> bool {
        let first = self.interp.chooser.len() - self.done.stages[STAGES - 1];
        for &leaf in &self.leaves[first..] {
            if self.interp.chooser.decide(&mut self.interp.heap, leaf).is_err() {
                return false;
            }
            self.logged += 1;
        }
        true
    }

    /// The heap anew, with arrays as long as decided.
    fn rebuild(&mut self) {
        let space = self.subjects.space;
        let mut heap = self.subjects.statics.clone();
        self.work += space.objects.len() as u64;
        for (index, object) in space.objects.iter().enumerate().skip(space.statics) {
            let id = match object.ty {
                Ty::Class(class) => heap.allocate_undefined(&self.subjects.linked.layout, class),
                ty => heap.allocate_filled(ty, self.interp.chooser.length(ObjId(index as u32)), None),
            };
            for slot in 0..heap.len(id) {
                if let Domain::Fixed(value) = object.slots[slot as usize] {
                    heap.set(id, slot, value);
                }
            }
        }
        self.base = heap.mark();
        self.interp.chooser.write(&mut heap, 0);
        self.interp.heap = heap;
        self.logged = 0;
        self.interp.chooser.is_stale = false;
    }

    /// Runs something that decides what it reads and has no other effect on the state.
    fn lazily<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        let mark = self.interp.heap.mark();
        let from = self.interp.chooser.len();
        let result = f(self);
        self.undo(mark, from);
        result
    }

    fn undo(&mut self, mark: Mark, from: usize) {
        self.interp.heap.reset(mark);
        // A stale heap may have no room for them; it is built anew anyhow.
        if !self.interp.chooser.is_stale {
            self.logged += self.interp.chooser.len() - from;
            self.interp.chooser.write(&mut self.interp.heap, from);
        }
    }

    fn invariant(&mut self) -> Result<Answer, Stop> {
        let Some(main) = self.subjects.space.main else { return Ok(Answer::Holds) };
        let invariant = self.subjects.checked.invariant;
        self.lazily(|walk| match walk.ask(invariant, &[Value::Obj(main)])? {
            Answer::Holds => Ok(match broken_tree(&mut walk.interp, &[main])? {
                None => Answer::Holds,
                Some(_) => Answer::Fails,
            }),
            Answer::Fails => Ok(Answer::Fails),
        })
    }

    fn arguments(&mut self) -> Result<Answer, Stop> {
        if self.extent == Extent::Elements {
            for index in 0..self.subjects.space.arguments.len() {
                if self.interp.chooser.arguments[index].is_none() && !self.may_wait[index] {
                    self.interp.chooser.decide(&mut self.interp.heap, Subject::Argument(index))?;
                }
            }
        }
        Ok(Answer::Holds)
    }

    fn preconditions(&mut self) -> Result<Answer, Stop> {
        let operation = self.subjects.operation;
        if self.extent == Extent::States || operation.preconditions.is_empty() {
            return Ok(Answer::Holds);
        }
        self.lazily(|walk| {
            let receiver = match operation.kind {
                OperationKind::Constructor => {
                    let class = walk.subjects.linked.program.method(operation.method).class;
                    Some(walk.interp.heap.allocate(&walk.subjects.linked.layout, class))
                }
                _ => walk.subjects.space.main,
            };
            for spec in &operation.preconditions {
                let values = walk.values(spec, receiver)?;
                if let Answer::Fails = walk.ask(spec.method, &values)? {
                    return Ok(Answer::Fails);
                }
            }
            Ok(Answer::Holds)
        })
    }

    fn values(&self, spec: &Spec, receiver: Option<ObjId>) -> Result<Vec<Value>, Stop> {
        let mut values = Vec::new();
        if !self.subjects.linked.program.method(spec.method).is_static {
            values.push(receiver.map_or(Value::Null, Value::Obj));
        }
        for argument in &spec.arguments {
            values.push(match *argument {
                SpecArgument::Parameter(index) => (self.interp.chooser.arguments.get(index).copied().flatten())
                    .ok_or(Stop::Internal("a specification of a parameter that is not there"))?,
                SpecArgument::PreState | SpecArgument::Before(_) | SpecArgument::Result => Value::Null,
            });
        }
        Ok(values)
    }

    /// One that takes long is run again under watch; if it repeats it never holds (docs/java.md, "A start state").
    fn ask(&mut self, method: MethodId, arguments: &[Value]) -> Result<Answer, Stop> {
        let mark = self.interp.heap.mark();
        let from = self.interp.chooser.len();
        let mut outcome = self.interp.run_briefly(method, arguments);
        self.undo(mark, from);
        self.work += 10 + self.interp.steps();
        if let Outcome::Stop(Stop::Steps { .. }) = outcome {
            let from = self.interp.chooser.len();
            outcome = self.interp.run_watched(method, arguments);
            self.undo(mark, from);
            self.work += 10 * self.interp.steps();
        }
        match outcome {
            Outcome::Normal(Some(Value::Bool(true))) => Ok(Answer::Holds),
            Outcome::Normal(Some(Value::Bool(false))) | Outcome::Threw(_) => Ok(Answer::Fails),
            Outcome::Stop(Stop::Repeats { .. }) => Ok(Answer::Fails),
            Outcome::Normal(_) => Err(Stop::Internal("a specification that returns no Boolean")),
            Outcome::Stop(stop) => Err(stop),
        }
    }

    /// Decides everything reached but the leaves.
    fn structure(&mut self) -> Result<Answer, Stop> {
        let space = self.subjects.space;
        self.leaves.clear();
        self.work += space.objects.len() as u64 / 4;
        let mut is_reached = vec![false; space.objects.len()];
        let mut queue: Vec<ObjId> = space.roots().collect();
        for (index, argument) in self.interp.chooser.arguments.iter().enumerate() {
            match argument {
                Some(Value::Obj(object)) => queue.push(*object),
                None if self.extent == Extent::Elements => self.leaves.push(Subject::Argument(index)),
                _ => {}
            }
        }
        let mut next = 0;
        while let Some(&object) = queue.get(next) {
            next += 1;
            if object.index() < space.statics || std::mem::replace(&mut is_reached[object.index()], true) {
                continue;
            }
            let heap = &mut self.interp.heap;
            if !self.interp.chooser.is_present(heap, object)? {
                return Ok(Answer::Fails);
            }
            for slot in 0..heap.len(object) {
                let at = Location { object, slot };
                let value = match heap.at(at) {
                    Some(value) => value,
                    None if self.is_leaf[object.index()][slot as usize] => {
                        self.leaves.push(Subject::At(at));
                        continue;
                    }
                    None => {
                        self.logged += 1;
                        self.interp.chooser.decide(heap, Subject::At(at))?
                    }
                };
                if let Value::Obj(target) = value {
                    queue.push(target);
                }
            }
        }
        Ok(Answer::Holds)
    }

    /// The element as data; what is not in the state has simple values.
    pub fn concrete(&self) -> Concrete {
        let space = self.subjects.space;
        let objects = space.objects.iter().enumerate().map(|(index, object)| {
            let slots = self.interp.heap.slots(ObjId(index as u32)).iter().zip(&object.slots);
            let value = |(value, domain): (&Option<Value>, &Domain)| match (*value, domain) {
                (Some(value), _) | (None, &Domain::Fixed(value)) => value,
                (None, Domain::Bool) => Value::Bool(false),
                (None, Domain::Int { lo, .. }) => Value::Int(*lo),
                (None, Domain::Ints(values)) => Value::Int(values[0]),
                (None, _) => Value::Null,
            };
            slots.map(value).collect()
        });
        let arguments = self.interp.chooser.arguments.iter().map(|a| a.unwrap_or(Value::Null));
        Concrete { objects: objects.collect(), arguments: arguments.collect() }
    }
}
