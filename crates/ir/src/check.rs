//! Runs one operation on one concrete state and says what went wrong (docs/java.md, "What is checked").
//!
//! What goes in: a state in the interpreter's heap, the checked object, the arguments. What comes out: a [`Judgement`]; the
//! heap is left as the operation left it (the caller marks and resets), the trace holds the operation's path only.
//! This is what every counterexample is replayed with, and what the exhaustive engine does to every state.

use crate::choices::CutOff;
use crate::interp::{Chooser, Clause, Interp, Outcome, Stop, clone_state};
use crate::lines::Reached;
use crate::program::*;
use crate::task::*;
use crate::tree::{TreeBreak, broken_tree};
use crate::value::*;
use source::Span;
use verdict::heap::Kind;

#[derive(Clone, PartialEq, Debug)]
pub enum Judgement {
    /// The precondition is false or throws, the state is final, or an `assume` was false.
    Dropped,
    Fine,
    /// Broken invariants first.
    Violated(Vec<Violation>),
    /// A limit was exceeded.
    Unknown(Stop),
    /// The run could not be judged: something unsupported was reached, or the chooser ended it.
    Stopped(Stop),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    pub kind: Kind,
    /// Where to look: the broken clause, the failed assertion, what threw, the loop.
    pub span: Option<Span>,
    pub cause: Cause,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Cause {
    Tree(TreeBreak),
    /// This method is false or throws, because of that clause (None if it does not end).
    Spec {
        method: MethodId,
        clause: Option<Clause>,
    },
    /// The result, an object of the checked class, does not satisfy the invariant.
    Made {
        method: MethodId,
        clause: Option<Clause>,
    },
    /// This exception escaped.
    Escaped {
        exception: ObjId,
        class: ClassId,
    },
    /// The state repeats in a loop.
    Loop,
    /// Every choice of a nondeterministic step is cut off, between these two.
    NoChoice {
        least: i64,
        most: i64,
    },
}

/// What a specification says about a state.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    Holds,
    /// It returned false, threw, or is known never to end.
    Fails(Cause),
    Stopped(Stop),
}

/// Whether the tree property and the invariant hold for an object (docs/java.md, "A start state"). With `explain`, a failure names its
/// clause, at the cost of a second run.
pub fn check_invariant<C: Chooser>(
    interp: &mut Interp<'_, C>,
    checked: &Checked,
    object: ObjId,
    explain: bool,
) -> Answer {
    check_all(interp, checked, &[object], Some(object), None, explain)
}

/// The same where there are several whose trees are apart: the checked object and what an operation made must be valid.
fn check_all<C: Chooser>(
    interp: &mut Interp<'_, C>,
    checked: &Checked,
    roots: &[ObjId],
    object: Option<ObjId>,
    made: Option<ObjId>,
    explain: bool,
) -> Answer {
    let trace = interp.trace.take();
    let mut answer = match broken_tree(interp, roots) {
        Ok(None) => Answer::Holds,
        Ok(Some(broken)) => Answer::Fails(Cause::Tree(broken)),
        Err(stop) => Answer::Stopped(stop),
    };
    if let (Answer::Holds, Some(object)) = (&answer, object) {
        answer = ask(interp, checked.invariant, &[Value::Obj(object)], explain);
    }
    if let (Answer::Holds, Some(made)) = (&answer, made) {
        answer = match ask(interp, checked.invariant, &[Value::Obj(made)], explain) {
            Answer::Fails(Cause::Spec { method, clause }) => Answer::Fails(Cause::Made { method, clause }),
            answer => answer,
        };
    }
    interp.trace = trace;
    answer
}

/// Runs an operation on a state that is known to be valid. `receiver` is the checked object, None for a constructor (whose
/// object is the next one to be allocated) and a static method.
pub fn check_operation<C: Chooser>(
    interp: &mut Interp<'_, C>,
    checked: &Checked,
    operation: &Operation,
    receiver: Option<ObjId>,
    arguments: &[Value],
) -> Judgement {
    run_operation(interp, checked, operation, receiver, arguments).0
}

/// The same, and the objects of the class that calls may go on with: the checked object, if the run left one (a constructor that throws
/// leaves none), and what it made.
pub fn run_operation<C: Chooser>(
    interp: &mut Interp<'_, C>,
    checked: &Checked,
    operation: &Operation,
    receiver: Option<ObjId>,
    arguments: &[Value],
) -> (Judgement, Vec<ObjId>) {
    let (trace, reached) = (interp.trace.take(), interp.reached.take());
    let mut run = Run { interp, checked, operation, receiver, arguments, pre_state: Value::Null, made: None, reached };
    let judgement = run.judge(trace);
    run.interp.copies.clear();
    run.interp.reached = run.reached.take();
    let left = run.receiver.into_iter().chain(run.made).collect();
    (judgement, left)
}

/// The same for a state that may be invalid: it is dropped then.
pub fn check_state<C: Chooser>(
    interp: &mut Interp<'_, C>,
    checked: &Checked,
    operation: &Operation,
    receiver: Option<ObjId>,
    arguments: &[Value],
) -> Judgement {
    run_state(interp, checked, operation, receiver, arguments).0
}

/// The same, and the objects that it left.
pub fn run_state<C: Chooser>(
    interp: &mut Interp<'_, C>,
    checked: &Checked,
    operation: &Operation,
    receiver: Option<ObjId>,
    arguments: &[Value],
) -> (Judgement, Vec<ObjId>) {
    if let Some(object) = receiver {
        match check_invariant(interp, checked, object, false) {
            Answer::Holds => {}
            Answer::Fails(_) => return (Judgement::Dropped, Vec::new()),
            Answer::Stopped(stop) => return (stopped(stop), Vec::new()),
        }
    }
    run_operation(interp, checked, operation, receiver, arguments)
}

fn stopped(stop: Stop) -> Judgement {
    match stop {
        Stop::Dropped => Judgement::Dropped,
        Stop::Steps { .. } | Stop::Memory | Stop::Stack => Judgement::Unknown(stop),
        _ => Judgement::Stopped(stop),
    }
}

/// Evaluates a specification. One that takes long is run again under watch.
fn ask<C: Chooser>(interp: &mut Interp<'_, C>, method: MethodId, arguments: &[Value], explain: bool) -> Answer {
    let mark = interp.heap.mark();
    let mut outcome = interp.run_briefly(method, arguments);
    if let Outcome::Stop(Stop::Steps { .. }) = outcome {
        interp.heap.reset(mark);
        outcome = interp.run_watched(method, arguments);
    }
    match outcome {
        Outcome::Normal(Some(Value::Bool(true))) => Answer::Holds,
        Outcome::Normal(Some(Value::Bool(false))) | Outcome::Threw(_) => {
            let clause = if explain { interp.explain(method, arguments) } else { None };
            Answer::Fails(Cause::Spec { method, clause })
        }
        Outcome::Stop(Stop::Repeats { .. }) => Answer::Fails(Cause::Spec { method, clause: None }),
        Outcome::Normal(_) => Answer::Stopped(Stop::Internal("a specification that returns no Boolean")),
        Outcome::Stop(stop) => Answer::Stopped(stop),
    }
}

struct Run<'r, 'p, C> {
    interp: &'r mut Interp<'p, C>,
    checked: &'r Checked,
    operation: &'r Operation,
    receiver: Option<ObjId>,
    arguments: &'r [Value],
    /// The copy of the checked object; null if no postcondition asks for it.
    pre_state: Value,
    /// The result, if it is another object of the checked class.
    made: Option<ObjId>,
    /// Notes what the operation itself reaches, no specification.
    reached: Option<Box<Reached>>,
}

impl<C: Chooser> Run<'_, '_, C> {
    fn judge(&mut self, trace: Option<Box<crate::interp::Trace>>) -> Judgement {
        self.interp.cut_off = CutOff::Nothing;
        let dropped = self.before();
        self.interp.trace = trace;
        if let Err(judgement) = dropped {
            return judgement;
        }
        self.interp.reached = self.reached.take();
        let outcome = self.execute();
        self.reached = self.interp.reached.take();
        let trace = self.interp.trace.take();
        self.interp.threw = matches!(outcome, Outcome::Threw(_));
        if matches!(outcome, Outcome::Stop(Stop::Dropped)) {
            self.interp.cut_off = CutOff::Assumption;
        }
        let judgement = self.after(outcome);
        self.interp.trace = trace;
        judgement
    }

    /// Whether the run is to be judged at all; if so, makes the pre-state and the constructor's object.
    fn before(&mut self) -> Result<(), Judgement> {
        if let (CheckedKind::Language { is_final_state }, Some(object)) = (self.checked.kind, self.receiver) {
            // One that throws is as wrong as a step that does: the state is neither final nor does it go on.
            let mark = self.interp.heap.mark();
            let arguments = [Value::Obj(object)];
            match self.interp.run_virtual(is_final_state, &arguments) {
                Outcome::Normal(Some(Value::Bool(false))) => {}
                Outcome::Normal(_) => return Err(Judgement::Dropped),
                Outcome::Threw(_) => {
                    self.interp.heap.reset(mark);
                    let clause = self.interp.explain(is_final_state, &arguments);
                    let cause = Cause::Spec { method: is_final_state, clause };
                    return Err(Judgement::Violated(vec![self.broken(Kind::Exception, cause)]));
                }
                Outcome::Stop(stop) => return Err(stopped(stop)),
            }
        }
        if self.operation.kind == OperationKind::Constructor {
            let class = self.interp.linked.program.method(self.operation.method).class;
            self.receiver = Some(self.interp.heap.allocate(&self.interp.linked.layout, class));
        }
        let operation = self.operation;
        for spec in &operation.preconditions {
            match self.ask_spec(spec, Value::Null, false) {
                Answer::Holds => {}
                Answer::Fails(_) => {
                    self.interp.cut_off = CutOff::Precondition;
                    return Err(Judgement::Dropped);
                }
                Answer::Stopped(stop) => return Err(stopped(stop)),
            }
        }
        let receiver = self.receiver.filter(|_| operation.kind != OperationKind::Constructor);
        let asked = operation.postconditions.iter().flat_map(|spec| &spec.arguments);
        let asked = asked.filter_map(|argument| match *argument {
            SpecArgument::PreState => receiver,
            SpecArgument::Before(index) => match self.arguments.get(index) {
                Some(&Value::Obj(argument)) => Some(argument),
                _ => None,
            },
            SpecArgument::Parameter(_) | SpecArgument::Result => None,
        });
        let asked: Vec<ObjId> = asked.collect();
        self.interp.copies = clone_state(&mut self.interp.heap, self.interp.linked.program, &asked);
        self.pre_state = receiver.map_or(Value::Null, |object| Value::Obj(self.interp.copies.copy(object)));
        Ok(())
    }

    /// The operation itself; if it exceeds its steps, once more under watch from the same state.
    fn execute(&mut self) -> Outcome {
        let mut arguments = Vec::with_capacity(self.arguments.len() + 1);
        if self.operation.kind != OperationKind::Static {
            arguments.push(self.receiver.map_or(Value::Null, Value::Obj));
        }
        arguments.extend_from_slice(self.arguments);
        let mark = self.interp.heap.mark();
        let outcome = self.interp.run_virtual(self.operation.method, &arguments);
        if !matches!(outcome, Outcome::Stop(Stop::Steps { .. })) {
            return outcome;
        }
        self.interp.heap.reset(mark);
        let trace = self.interp.trace.take();
        let outcome = self.interp.run_watched(self.operation.method, &arguments);
        self.interp.trace = trace;
        outcome
    }

    fn after(&mut self, outcome: Outcome) -> Judgement {
        match outcome {
            Outcome::Normal(result) => self.completed(result.unwrap_or(Value::Null)),
            Outcome::Threw(exception) => self.threw(exception),
            Outcome::Stop(Stop::Repeats { span }) => {
                Judgement::Violated(vec![Violation { kind: Kind::Divergence, span: Some(span), cause: Cause::Loop }])
            }
            Outcome::Stop(stop) => stopped(stop),
        }
    }

    fn completed(&mut self, result: Value) -> Judgement {
        let mut violations = Vec::new();
        let made = self.operation.made(self.interp.linked, self.checked, &self.interp.heap, result);
        self.made = made.filter(|made| Some(*made) != self.receiver);
        let mut stop = self.invariant(&mut violations).err();
        let operation = self.operation;
        for spec in &operation.postconditions {
            match self.ask_spec(spec, result, true) {
                Answer::Holds => {}
                Answer::Fails(cause) => {
                    let compares = operation.compared.as_ref().is_some_and(|c| c.compares(spec.method));
                    let is_invariant = operation.others.contains(spec);
                    let kind = match &operation.orders {
                        _ if is_invariant => Kind::Invariant,
                        _ if compares => Kind::Abstraction,
                        Some(orders) if orders.is_abstraction => Kind::Abstraction,
                        Some(_) => Kind::Order,
                        None => Kind::Postcondition,
                    };
                    violations.push(self.broken(kind, cause));
                }
                Answer::Stopped(reason) => stop = stop.or(Some(reason)),
            }
        }
        conclude(violations, stop)
    }

    fn threw(&mut self, exception: ObjId) -> Judgement {
        let linked = self.interp.linked;
        let class = self.interp.class_of(exception);
        let is_language = matches!(self.checked.kind, CheckedKind::Language { .. });
        let kind = if linked.is_subclass(class, linked.program.known.assertion) {
            Kind::Assertion
        } else if is_language && linked.is_subclass(class, linked.program.known.stuck) {
            Kind::Progress
        } else if self.operation.may_escape(linked.program, class) {
            if self.operation.kind == OperationKind::Constructor {
                self.receiver = None;
                return Judgement::Fine;
            }
            let mut violations = Vec::new();
            let stop = self.invariant(&mut violations).err();
            return conclude(violations, stop);
        } else {
            Kind::Exception
        };
        let span = self.interp.thrown_at(exception).map(|t| t.span);
        Judgement::Violated(vec![Violation { kind, span, cause: Cause::Escaped { exception, class } }])
    }

    fn invariant(&mut self, violations: &mut Vec<Violation>) -> Result<(), Stop> {
        // Within a method none need hold, nor the tree property.
        if self.operation.block.is_some() {
            return Ok(());
        }
        let kind = match self.checked.kind {
            CheckedKind::Language { .. } if self.operation.kind == OperationKind::Method => Kind::Preservation,
            _ => Kind::Invariant,
        };
        let (program, heap) = (self.interp.linked.program, &self.interp.heap);
        let roots = self.operation.roots(program, self.checked, heap, self.receiver, self.arguments, self.made);
        match check_all(self.interp, self.checked, &roots, self.receiver, self.made, true) {
            Answer::Holds => {}
            Answer::Fails(cause) => violations.push(self.broken(kind, cause)),
            Answer::Stopped(stop) => return Err(stop),
        }
        Ok(())
    }

    fn broken(&self, kind: Kind, cause: Cause) -> Violation {
        let program = self.interp.linked.program;
        let span = match &cause {
            Cause::Tree(broken) => Some(program.field(broken.edge.field).span),
            Cause::Spec { clause: Some(clause), .. } | Cause::Made { clause: Some(clause), .. } => Some(clause.span),
            Cause::Spec { method, clause: None } | Cause::Made { method, clause: None } => {
                Some(program.method(*method).name_span)
            }
            Cause::Escaped { .. } | Cause::Loop | Cause::NoChoice { .. } => None,
        };
        Violation { kind, span, cause }
    }

    fn ask_spec(&mut self, spec: &Spec, result: Value, explain: bool) -> Answer {
        let mut values = Vec::with_capacity(spec.arguments.len() + 1);
        if !self.interp.linked.program.method(spec.method).is_static {
            values.push(self.receiver.map_or(Value::Null, Value::Obj));
        }
        for argument in &spec.arguments {
            let given = |index: usize| self.arguments.get(index).copied();
            let value = match *argument {
                SpecArgument::PreState => Some(self.pre_state),
                SpecArgument::Parameter(index) => given(index),
                SpecArgument::Before(index) => given(index).map(|value| match value {
                    Value::Obj(object) => Value::Obj(self.interp.copies.copy(object)),
                    value => value,
                }),
                SpecArgument::Result => Some(result),
            };
            let Some(value) = value else {
                return Answer::Stopped(Stop::Internal("a specification of a parameter that is not there"));
            };
            values.push(value);
        }
        ask(self.interp, spec.method, &values, explain)
    }
}

fn conclude(violations: Vec<Violation>, stop: Option<Stop>) -> Judgement {
    match stop {
        _ if !violations.is_empty() => Judgement::Violated(violations),
        Some(stop) => stopped(stop),
        None => Judgement::Fine,
    }
}
