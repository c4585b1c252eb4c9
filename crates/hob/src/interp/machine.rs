//! The machine: state, frames and calls.
//!
//! Invariants: the variables of the running procedure are `locals[base..]`; arguments that are being evaluated for a call lie above
//! them, so that a callee's formals are where its frame begins. Every call pushes one frame and pops it unless the run stops.

use super::contracts::{Contracts, Entry};
use super::heap::{Heap, Watch};
use super::stack::Guard;
use super::stop::{Call, Fault, Stop};
use super::system::Opened;
use super::value::{ObjId, Value};
use super::world::World;
use super::{Ending, Options, Outcome};
use crate::program::{LocalId, Proc, ProcId, Program, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;
use std::collections::VecDeque;
use std::rc::Rc;
use work::Chance;

pub(crate) type Step<T> = Result<T, Box<Stop>>;

/// What a statement leads to. The value of a `return` waits in [`Machine::returned`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Next,
    Return,
}

pub(crate) struct Frame {
    pub(crate) proc: ProcId,
    called_at: Option<Span>,
    /// The sets at entry, if contracts are checked.
    pub(crate) entry: Option<Rc<Entry>>,
}

/// Parts of a call that is not run: the result, and whether that is an object which the callee made.
pub(crate) const RESULT: u32 = 0;
pub(crate) const IS_NEW: u32 = 1;
/// Beside a part that is an object: which of those that were made last it is, 0 if none of them.
pub(crate) const MADE: u32 = 1 << 16;

/// Steps between two questions whether to go on.
const PATIENCE: u64 = 1 << 14;

/// Of the calls that led to an error, the innermost ones that are remembered.
const REMEMBERED_CALLS: usize = 64;

pub struct Machine<'p, 'w> {
    pub(crate) program: &'p Program,
    pub(crate) world: &'w mut dyn World,
    options: Options,
    pub(crate) heap: Heap,
    pub(crate) locals: Vec<Value>,
    pub(crate) base: usize,
    pub(crate) frames: Vec<Frame>,
    pub(crate) returned: Value,
    /// Of each procedure: the variables after the formals, as they start.
    defaults: Vec<Vec<Value>>,
    pub(crate) chance: Chance,
    steps: u64,
    /// When to look at the limit and at the world again.
    pause: u64,
    guard: Guard,
    pub(crate) contracts: Option<Contracts>,
    /// A line that `Console.atEnd` has read ahead.
    pub(crate) ahead: Option<Option<String>>,
    pub(crate) files: FxHashMap<String, Option<Rc<Vec<String>>>>,
    /// By object of the library: which file it stands for, or what text it holds.
    pub(crate) handles: FxHashMap<ObjId, usize>,
    pub(crate) open_files: Vec<Opened>,
    pub(crate) buffers: FxHashMap<ObjId, Vec<u8>>,
    /// What to take where a run is free: by statement or call, and part of it.
    pub(crate) chosen: FxHashMap<(Span, u32), VecDeque<Value>>,
    /// What was taken so far.
    pub(crate) taken: Vec<Value>,
    /// Calls whose results are among these, or of no interest.
    not_run: FxHashSet<Span>,
    /// Values were chosen by somebody who knows how the run goes on.
    is_replay: bool,
}

impl<'p, 'w> Machine<'p, 'w> {
    /// In the initial state. It recurses with the program: have it run [`on_large_stack`](super::on_large_stack).
    pub fn new(program: &'p Program, world: &'w mut dyn World, options: &Options) -> Machine<'p, 'w> {
        let defaults = program.procs.iter().map(|proc| {
            let inner = proc.locals.get(proc.formals as usize..).unwrap_or(&[]);
            inner.iter().map(|local| Value::default_of(&local.ty)).collect()
        });
        let contracts = options.check_contracts.then(|| Contracts::new(program));
        let nothing = || Watch::everything(program, false);
        let mut heap = Heap::new(program, options.memory);
        heap.watch(contracts.as_ref().map_or_else(nothing, |contracts| contracts.watch(program)));
        Machine {
            program,
            world,
            heap,
            locals: Vec::new(),
            base: 0,
            frames: Vec::new(),
            returned: Value::Null,
            defaults: defaults.collect(),
            chance: Chance::new(options.seed),
            steps: 0,
            pause: 0,
            guard: Guard::new(),
            contracts,
            ahead: None,
            files: FxHashMap::default(),
            handles: FxHashMap::default(),
            open_files: Vec::new(),
            buffers: FxHashMap::default(),
            chosen: FxHashMap::default(),
            taken: Vec::new(),
            not_run: FxHashSet::default(),
            is_replay: false,
            options: options.clone(),
        }
    }

    pub fn heap(&self) -> &Heap {
        &self.heap
    }

    /// For whoever builds a state before a call.
    pub fn heap_mut(&mut self) -> &mut Heap {
        &mut self.heap
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Calls a procedure in the state that the calls before it left; the result if it has one. Arguments that are missing are 0,
    /// false, "" or null. After a stop the machine is ready for another call; the heap is as the stopped call left it.
    pub fn call(&mut self, proc: ProcId, arguments: &[Value]) -> Result<Option<Value>, Box<Stop>> {
        self.locals.clear();
        self.frames.clear();
        self.base = 0;
        let called = self.program.proc(proc);
        for (i, local) in called.locals.iter().enumerate().take(called.formals as usize) {
            let value = arguments.get(i).cloned().unwrap_or_else(|| Value::default_of(&local.ty));
            self.locals.push(value.stored_as(&local.ty));
        }
        let value = self.enter(proc, None)?;
        Ok(called.result.is_some().then_some(value))
    }

    /// The outcome of a run whose only call came to this.
    pub(crate) fn outcome(&mut self, result: Result<Option<Value>, Box<Stop>>) -> Outcome {
        let saved = self.save_all();
        // What went wrong first is what to tell.
        let is_at_end = result.as_ref().map_or_else(|stop| matches!(**stop, Stop::Exit(_)), |_| true);
        let ending = match if is_at_end { saved.and(result) } else { result } {
            Ok(value) => Ending::Returned(value),
            Err(stop) if matches!(*stop, Stop::Exit(_)) => match *stop {
                Stop::Exit(status) => Ending::Exited(status),
                _ => Ending::Stopped(stop),
            },
            Err(stop) => Ending::Stopped(stop),
        };
        Outcome { ending, steps: self.steps, checks: self.checks() }
    }

    /// Runs a procedure whose arguments lie on top of the locals, and takes them away.
    pub(crate) fn enter(&mut self, proc: ProcId, called_at: Option<Span>) -> Step<Value> {
        let called = self.program.proc(proc);
        let at = called_at.unwrap_or(called.span);
        self.step(at)?;
        if self.frames.len() >= self.options.depth || self.guard.is_used_up() {
            return Err(self.fault(Fault::TooDeep, at));
        }
        let not_run = called_at.filter(|span| self.not_run.contains(span));
        let caller_base = self.base;
        self.base = self.locals.len().saturating_sub(called.formals as usize);
        self.locals.extend_from_slice(&self.defaults[proc.index()]);
        self.frames.push(Frame { proc, called_at, entry: None });
        if self.contracts.is_some() {
            self.check_entry()?;
        }
        let flow = match (not_run, &called.body) {
            (Some(span), _) => {
                self.returned = self.chosen_result(span, called)?;
                Flow::Return
            }
            (None, Some(body)) => {
                self.forget_supposed(proc);
                self.block(body)?
            }
            (None, None) => {
                self.follow(proc, at)?;
                Flow::Return
            }
        };
        let value = match flow {
            Flow::Return => std::mem::replace(&mut self.returned, Value::Null),
            Flow::Next if called.result.is_none() => Value::Null,
            Flow::Next => return Err(self.fault(Fault::NoResult(proc), called.end)),
        };
        if not_run.is_none() && called.body.is_some() && self.contracts.is_some() {
            if let Some(result) = called.result {
                *self.local_mut(result) = value.clone();
            }
            self.check_exit()?;
        }
        self.frames.pop();
        self.locals.truncate(self.base);
        self.base = caller_base;
        Ok(value)
    }

    /// From now on these values are taken where a run is free, and these calls are not run.
    pub(crate) fn choose(&mut self, chosen: FxHashMap<(Span, u32), VecDeque<Value>>, not_run: FxHashSet<Span>) {
        (self.chosen, self.not_run, self.is_replay) = (chosen, not_run, true);
    }

    /// The next value for a place; of objects, their type.
    pub(crate) fn take_chosen(&mut self, place: (Span, u32), object: Option<TypeId>) -> Option<Value> {
        let mut value = self.chosen.get_mut(&place)?.pop_front()?;
        let which = self.chosen.get_mut(&(place.0, place.1 | MADE)).and_then(VecDeque::pop_front);
        if let (Some(ty), Some(Value::Int(which @ 1..))) = (object, which) {
            let last = self.heap.of_type(ty).iter().rev().nth(which as usize - 1);
            value = last.map_or(Value::Null, |object| Value::Object(*object));
        }
        self.taken.push(value.clone());
        Some(value)
    }

    /// A callee without code, its frame being the last: in a replay, it does what its contract says if that leaves nothing open.
    fn follow(&mut self, proc: ProcId, span: Span) -> Step<()> {
        let called = self.program.proc(proc);
        if self.is_replay && self.heap.array_count() == 0 {
            let value = self.chosen_result(span, called)?;
            if let Some(result) = called.result {
                *self.local_mut(result) = value.clone();
            }
            self.returned = value;
            if self.becomes_as_told(proc) {
                return Ok(());
            }
        }
        // It is the caller who cannot go on.
        self.frames.pop();
        Err(self.fault(Fault::NoImplementation(proc), span))
    }

    /// What a call comes to that is not run.
    fn chosen_result(&mut self, span: Span, called: &Proc) -> Step<Value> {
        let result = called.result.map(|r| &called.locals[r.index()].ty);
        let object = if let Some(Type::Object(ty)) = result { Some(*ty) } else { None };
        let value = self.take_chosen((span, RESULT), object);
        let is_new = self.take_chosen((span, IS_NEW), None) == Some(Value::Bool(true));
        match result {
            Some(Type::Object(ty)) if is_new => match self.heap.allocate(*ty) {
                Ok(object) => Ok(Value::Object(object)),
                Err(_) => Err(self.fault(Fault::OutOfMemory, span)),
            },
            Some(ty) => Ok(value.unwrap_or_else(|| Value::default_of(ty))),
            None => Ok(Value::Null),
        }
    }

    #[inline]
    pub(crate) fn local(&self, local: LocalId) -> &Value {
        &self.locals[self.base + local.index()]
    }

    #[inline]
    pub(crate) fn local_mut(&mut self, local: LocalId) -> &mut Value {
        &mut self.locals[self.base + local.index()]
    }

    /// One step more, unless there were too many.
    #[inline(always)]
    pub(crate) fn step(&mut self, span: Span) -> Step<()> {
        self.steps += 1;
        if self.steps < self.pause { Ok(()) } else { self.pause(span) }
    }

    #[cold]
    #[inline(never)]
    fn pause(&mut self, span: Span) -> Step<()> {
        if self.steps > self.options.steps {
            return Err(Box::new(Stop::Steps { span, stack: self.stack() }));
        }
        if self.world.interrupted() {
            return Err(Box::new(Stop::Interrupted));
        }
        self.pause = self.steps.saturating_add(PATIENCE).min(self.options.steps.saturating_add(1));
        Ok(())
    }

    /// From now on so many steps more.
    pub(crate) fn allow_steps(&mut self, steps: u64) {
        self.options.steps = self.steps.saturating_add(steps);
        self.pause = self.steps;
    }

    /// Native recursion follows the nesting of expressions and statements, too.
    #[inline(always)]
    pub(crate) fn check_stack(&self, span: Span) -> Step<()> {
        if self.guard.is_used_up() { Err(self.fault(Fault::TooDeep, span)) } else { Ok(()) }
    }

    #[cold]
    pub(crate) fn fault(&self, fault: Fault, span: Span) -> Box<Stop> {
        Box::new(Stop::Fault { fault, span, stack: self.stack() })
    }

    /// The calls that led here, outermost first.
    pub(crate) fn stack(&self) -> Vec<Call> {
        let skipped = self.frames.len().saturating_sub(REMEMBERED_CALLS);
        self.frames[skipped..].iter().map(|f| Call { proc: f.proc, called_at: f.called_at }).collect()
    }
}
