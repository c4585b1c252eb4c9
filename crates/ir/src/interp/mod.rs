//! The concrete interpreter: executes the IR exactly as the Java Language Specification says.
//!
//! What goes in: a [linked](Linked) well-formed program, a heap, a method and its arguments. What comes out: how the
//! method completed ([`Outcome`]), its effects in the heap, and if asked for, the path it took ([`Trace`]).
//! Assertions are enabled. An exception of the semantics itself is an object of its known class, made without running a
//! constructor. Reading an undefined slot asks the [`Chooser`]: the exhaustive engine enumerates states with it.
//!
//! It walks the tree and recurses with it. Java's depth is limited by [`Limits::depth`] (then `StackOverflowError`); Rust's
//! stack is guarded as well, and [`with_stack`] gives it enough for any code but absurdly nested expressions.
//!
//! One technique per file: `expr` and `stmt` walk the tree, `arith` computes, `array` makes and copies arrays, `blame` finds
//! the clause that made a specification false, `watch` finds a state that repeats, `copy` makes the pre-state.

pub mod arith;
mod array;
mod blame;
mod copy;
mod expr;
mod link;
mod statics;
mod stmt;
mod texts;
mod trace;
mod watch;

pub use blame::Clause;
pub use copy::{Copies, clone_state, is_copied};
pub use link::Linked;
pub use statics::{failing_initialiser, restore, run_statics, snapshot, text_of};
pub use trace::{Step, Trace};

use crate::choices::CutOff;
use crate::heap::Heap;
use crate::lines::Reached;
use crate::program::*;
use crate::value::*;
use blame::Blame;
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};
use watch::Watch;

/// Where the interpreter gives up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Statements, iterations and calls of one run.
    pub steps: u64,
    /// Nested calls before a `StackOverflowError`.
    pub depth: u32,
    /// Slots of the heap, garbage included: nothing is collected.
    pub slots: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000, depth: 2_000, slots: 1 << 22 }
    }
}

/// How a method completed.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// With its value, unless it is void.
    Normal(Option<Value>),
    Threw(ObjId),
    Stop(Stop),
}

/// Why a run ended before the method completed.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// A false `assume`.
    Dropped,
    Steps {
        innermost_loop: Option<Span>,
    },
    /// The loop came back to a state in which it was: it never ends. Only if asked for, see [`Interp::run_watched`].
    Repeats {
        span: Span,
    },
    /// More than [`Limits::slots`].
    Memory,
    /// The native stack is used up; see [`with_stack`].
    Stack,
    Unsupported(Box<Diagnostic>),
    /// The chooser has no value for this slot.
    Undefined(Location),
    /// The chooser ended the run.
    Backtrack,
    /// An exception escaped a static initialiser.
    Initialiser {
        method: MethodId,
        exception: ClassId,
        span: Option<Span>,
    },
    /// The program is not well-formed: a bug of a front-end.
    Internal(&'static str),
}

/// Gives undefined slots their initial values.
pub trait Chooser {
    /// The value that the location holds in the initial state. Within one run it must answer the same for the same
    /// location, which may have been overwritten since: a pre-state copy asks for the location of its original.
    /// The interpreter stores the answer. The chooser may allocate objects; a reset of the heap takes them back together
    /// with the answers, and when asked again it has to allocate them again.
    fn choose(&mut self, heap: &mut Heap, at: Location) -> Result<Value, Stop>;
}

/// For states without undefined slots.
#[derive(Clone, Copy, Debug)]
pub struct NoChoice;

impl Chooser for NoChoice {
    fn choose(&mut self, _: &mut Heap, at: Location) -> Result<Value, Stop> {
        Err(Stop::Undefined(at))
    }
}

/// Why evaluation does not go on. Small: it is part of every result; the reason of a stop is kept in the interpreter.
#[derive(Clone, Copy, Debug)]
enum Exit {
    Throw(ObjId),
    Stop,
}

type Eval<T> = Result<T, Exit>;

/// Where an exception was thrown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thrown {
    pub object: ObjId,
    pub span: Span,
    pub method: MethodId,
}

pub struct Interp<'p, C> {
    pub linked: &'p Linked<'p>,
    pub heap: Heap,
    pub chooser: C,
    pub limits: Limits,
    /// The objects of the pre-state.
    pub copies: Copies,
    /// Recorded if there is one.
    pub trace: Option<Box<Trace>>,
    /// What strings contain, if there is one: those it has before a run, and those that the run builds.
    pub texts: Option<FxHashMap<ObjId, String>>,
    /// Statements reached, noted if there is one.
    pub reached: Option<Box<Reached>>,
    /// `GlassBox.size()`
    size: i64,
    /// The frames of all active calls; arguments are pushed here and become the first locals.
    stack: Vec<Value>,
    /// Where the frame of the current call starts.
    base: usize,
    method: MethodId,
    depth: u32,
    steps: u64,
    /// What the latest `return` returned.
    returned: Value,
    innermost_loop: Option<Span>,
    thrown: Vec<Thrown>,
    stop: Option<Stop>,
    stack_floor: usize,
    blame: Option<Box<Blame>>,
    watch: Option<Box<Watch>>,
    /// Classes whose static initialisers have not begun: none, but in [`run_statics`].
    uninitialised: Vec<ClassId>,
    /// How many calls lead from the innermost initialiser to what is not supported.
    calls_of_initialiser: Option<usize>,
    /// Whether the last operation that was judged ended with an exception.
    pub threw: bool,
    /// What cut it off, if anything did.
    pub cut_off: CutOff,
    /// Those whose initialisers are running, outermost first.
    initialising: Vec<ClassId>,
}

impl<'p, C: Chooser> Interp<'p, C> {
    /// `size` is n.
    pub fn new(linked: &'p Linked<'p>, heap: Heap, chooser: C, size: i64) -> Interp<'p, C> {
        Interp {
            linked,
            heap,
            chooser,
            limits: Limits::default(),
            copies: Copies::default(),
            trace: None,
            texts: None,
            reached: None,
            size,
            stack: Vec::new(),
            base: 0,
            method: MethodId(0),
            depth: 0,
            steps: 0,
            returned: Value::Null,
            innermost_loop: None,
            thrown: Vec::new(),
            stop: None,
            stack_floor: 0,
            blame: None,
            watch: None,
            uninitialised: Vec::new(),
            calls_of_initialiser: None,
            threw: false,
            cut_off: CutOff::Nothing,
            initialising: Vec::new(),
        }
    }

    /// Runs exactly this method; the receiver, if it has one, is the first argument.
    pub fn run(&mut self, method: MethodId, arguments: &[Value]) -> Outcome {
        self.begin();
        self.stack.extend_from_slice(arguments);
        let declaration = self.linked.program.method(method);
        match self.invoke(method, 0, declaration.name_span) {
            Ok(_) if declaration.return_ty == Ty::Void => Outcome::Normal(None),
            Ok(value) => Outcome::Normal(Some(value)),
            Err(Exit::Throw(object)) => Outcome::Threw(object),
            Err(Exit::Stop) => Outcome::Stop(self.stopped()),
        }
    }

    fn begin(&mut self) {
        self.stack.clear();
        self.base = 0;
        self.depth = 0;
        self.steps = 0;
        self.innermost_loop = None;
        self.thrown.clear();
        self.stop = None;
        self.stack_floor = work::address().saturating_sub(stack_budget());
    }

    fn stopped(&mut self) -> Stop {
        self.stop.take().unwrap_or(Stop::Internal("a stop without a reason"))
    }

    /// Runs the method, or what overrides it in the class of the receiver (the first argument).
    pub fn run_virtual(&mut self, method: MethodId, arguments: &[Value]) -> Outcome {
        let declaration = self.linked.program.method(method);
        let target = match arguments.first() {
            Some(Value::Obj(receiver)) if !declaration.is_static && !declaration.is_constructor => {
                let class = self.class_of(*receiver);
                self.linked.dispatch(class, declaration.selector).unwrap_or(method)
            }
            _ => method,
        };
        self.run(target, arguments)
    }

    /// Steps of the latest run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Where the latest run threw that exception first: who catches it may throw it again.
    pub fn thrown_at(&self, object: ObjId) -> Option<Thrown> {
        self.thrown.iter().find(|t| t.object == object).copied()
    }

    /// The class whose methods an object has; of an array, `Object`.
    pub fn class_of(&self, object: ObjId) -> ClassId {
        match self.heap.ty(object) {
            Ty::Class(class) => class,
            _ => self.linked.program.known.object,
        }
    }

    /// Reads a slot, which is chosen now if it is undefined.
    pub fn read_slot(&mut self, object: ObjId, slot: u32) -> Result<Value, Stop> {
        self.read(object, slot).map_err(|_| self.stopped())
    }

    /// The arguments lie on the stack from `base` on; they are gone afterwards.
    fn invoke(&mut self, id: MethodId, base: usize, span: Span) -> Eval<Value> {
        let method = self.linked.program.method(id);
        let Some(body) = &method.body else { return self.internal("a call of a method without a body") };
        self.step()?;
        if self.texts.is_some()
            && method.class == self.linked.program.known.string
            && let Some(value) = self.string_method(&method.name, base)?
        {
            self.stack.truncate(base);
            return Ok(value);
        }
        if self.depth >= self.limits.depth {
            self.stack.truncate(base);
            return Err(self.throw(self.linked.program.known.stack_overflow, span));
        }
        if work::address() < self.stack_floor {
            return self.halt(Stop::Stack);
        }
        let given = self.stack.len() - base;
        match self.linked.frame(id).get(given..) {
            Some(rest) => self.stack.extend_from_slice(rest),
            None => return self.internal("a call with too many arguments"),
        }
        self.depth += 1;
        if let Some(trace) = &mut self.trace {
            trace.push(Step::Call { method: id, depth: self.depth, span });
        }
        let caller = (self.base, self.method);
        let enclosing = self.blame.as_mut().map(|blame| blame.enclosing.take());
        (self.base, self.method) = (base, id);
        let completion = self.block(body);
        // The chain of calls that leads there, innermost first; the operation itself is named by who runs it.
        let is_initialiser = method.is_static && method.name == "<clinit>";
        if completion.is_err()
            && (self.depth > 1 || is_initialiser)
            && let Some(Stop::Unsupported(problem)) = &mut self.stop
        {
            let text = match is_initialiser {
                true => format!("runs when `{}` is first used", self.linked.program.class(method.class).name),
                false => format!("`{}` is called here", method.name),
            };
            problem.related.push((span, text));
            if is_initialiser {
                self.calls_of_initialiser.get_or_insert(problem.related.len());
            }
        }
        (self.base, self.method) = caller;
        if let (Some(blame), Some(enclosing)) = (&mut self.blame, enclosing) {
            blame.leave(base, enclosing);
        }
        self.stack.truncate(base);
        self.depth -= 1;
        match completion? {
            stmt::Flow::Return => Ok(std::mem::replace(&mut self.returned, Value::Null)),
            stmt::Flow::Normal => Ok(Value::Null),
            stmt::Flow::Break(_) | stmt::Flow::Continue(_) => self.internal("a jump out of a method"),
        }
    }

    fn step(&mut self) -> Eval<()> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            let innermost_loop = self.innermost_loop;
            return self.halt(Stop::Steps { innermost_loop });
        }
        Ok(())
    }

    #[cold]
    fn halt<T>(&mut self, stop: Stop) -> Eval<T> {
        self.stop = Some(stop);
        Err(Exit::Stop)
    }

    #[cold]
    fn internal<T>(&mut self, what: &'static str) -> Eval<T> {
        self.halt(Stop::Internal(what))
    }

    /// Throws a new exception of a known class.
    #[cold]
    fn throw(&mut self, class: ClassId, span: Span) -> Exit {
        let object = self.heap.allocate(&self.linked.layout, class);
        self.throw_object(object, span)
    }

    #[cold]
    fn throw_object(&mut self, object: ObjId, span: Span) -> Exit {
        self.thrown.push(Thrown { object, span, method: self.method });
        if let Some(trace) = &mut self.trace {
            trace.push(Step::Throw { span, object });
        }
        Exit::Throw(object)
    }

    fn read(&mut self, object: ObjId, slot: u32) -> Eval<Value> {
        match self.heap.get(object, slot) {
            Some(value) => Ok(value),
            None => self.choose(Location { object, slot }),
        }
    }

    #[cold]
    fn choose(&mut self, at: Location) -> Eval<Value> {
        let value = match self.copies.original(at.object) {
            None => self.chooser.choose(&mut self.heap, at),
            Some(object) => self.chooser.choose(&mut self.heap, Location { object, ..at }).map(|value| match value {
                Value::Obj(original) => {
                    Value::Obj(self.copies.copy_late(&mut self.heap, self.linked.program, original))
                }
                other => other,
            }),
        };
        match value {
            Ok(value) => {
                self.heap.set(at.object, at.slot, value);
                Ok(value)
            }
            Err(stop) => self.halt(stop),
        }
    }

    fn int(&mut self, value: Value) -> Eval<i64> {
        match value {
            Value::Int(value) => Ok(value),
            _ => self.internal("an integer expected"),
        }
    }

    fn bool(&mut self, value: Value) -> Eval<bool> {
        match value {
            Value::Bool(value) => Ok(value),
            _ => self.internal("a Boolean expected"),
        }
    }

    /// None for null.
    fn reference(&mut self, value: Value) -> Eval<Option<ObjId>> {
        match value {
            Value::Obj(object) => Ok(Some(object)),
            Value::Null => Ok(None),
            _ => self.internal("a reference expected"),
        }
    }
}

/// A fixed number per object: what `System.identityHashCode` returns, but of boxes that Java keeps.
pub fn identity_hash(object: ObjId) -> i64 {
    object.0.into()
}

/// Of a box that Java keeps one of: boxes that are `==` have one number, whoever made them. None if it is of a number that Java keeps no box of.
pub fn identity_hash_of_box(class: ClassId, value: i64) -> Option<i64> {
    CACHED.contains(&value).then(|| ((i64::from(class.0 & 0x3fff) + 1) << 16) + value)
}

/// Used by a run at most: enough for [`Limits::depth`] calls within deep expressions.
const STACK_SIZE: usize = 512 << 20;
/// Left for one method's own nesting, which is not guarded; less where there is little.
const STACK_RESERVE: usize = 32 << 20;

/// How much of the stack a run may use from here on.
fn stack_budget() -> usize {
    let room = work::room().min(STACK_SIZE);
    room - STACK_RESERVE.min(room / 8)
}
