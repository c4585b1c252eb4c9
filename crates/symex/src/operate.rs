//! One operation on the symbolic heap: its arguments, the invariant and preconditions as formulas before it, the run, and
//! what has to hold after it (dissertation, 2.5, 2.7, 2.11; docs/java.md, "What is checked").

use crate::execute::Executor;
use crate::oracle::{Flow, Oracle, Stop};
use crate::symbolic::Symbolic;
use crate::value::{Obj, Sym};
use formula::Lit;
use ir::*;
use rustc_hash::FxHashMap;

/// How a run ended.
#[derive(Clone, Copy, Debug)]
pub enum RunEnd {
    Returned(Option<Sym>),
    /// Something that may escape was thrown.
    Threw(Obj),
    /// An exception that may not escape.
    Escaped(Obj),
    /// A final state of a language: nothing to do (4.3).
    Final,
}

/// A completed run: the path is in the oracle, the heap after it in [`Symbolic`].
pub struct Run {
    pub end: RunEnd,
    /// The checked object, which a constructor made itself.
    pub main: Option<Obj>,
    /// The result, if it is another object of the checked class.
    pub made: Option<Obj>,
    pub arguments: Vec<Sym>,
}

/// Something that must hold after a run.
#[derive(Clone, Copy, Debug)]
pub struct Conjunct {
    pub lit: Lit,
    pub of: Part,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Tree,
    Invariant,
    /// By its number among the operation's.
    Postcondition(usize),
}

impl Symbolic<'_> {
    /// The initial symbolic values of the operation's arguments.
    pub fn arguments(&mut self) -> Vec<Sym> {
        let space = self.space.clone();
        space.arguments.iter().map(|domain| self.initial_of(domain)).collect()
    }

    /// When a declarative Boolean method returns true: v and not E.
    pub fn holds(&mut self, method: MethodId, args: Vec<Sym>) -> Result<Lit, Stop> {
        let (value, error) = self.call(method, args)?;
        match value {
            Some(Sym::Bool(value)) => Ok(self.graph.and(value, !error)),
            _ => Ok(Lit::FALSE),
        }
    }

    /// The conjuncts of S (2.5) that speak of the state alone: the state conditions and the invariant. They are the same for all operations
    /// that start from the same states.
    pub fn valid_states(&mut self, checked: &Checked) -> Result<Vec<Lit>, Stop> {
        let mut conditions = self.state_conditions();
        if let Some(main) = self.space.main {
            let this = self.single(Obj(main.0));
            conditions.push(self.holds(checked.invariant, vec![this])?);
        }
        Ok(conditions)
    }

    /// Those that speak of the arguments: what may not be null is not, and the preconditions.
    pub fn valid_arguments(&mut self, operation: &Operation, arguments: &[Sym]) -> Result<Vec<Lit>, Stop> {
        let space = self.space.clone();
        let main = space.main.map(|m| self.obj(m));
        let mut conditions = Vec::new();
        for (index, domain) in space.arguments.iter().enumerate() {
            if let ir::space::Domain::Slot { nullable: false, .. } | ir::space::Domain::Ref { nullable: false, .. } =
                domain
                && let Sym::Ref(id) = arguments[index]
            {
                let null = self.is_null(id);
                conditions.push(!null);
            }
        }
        for spec in &operation.preconditions {
            let args = self.spec_arguments(spec, main, arguments, None);
            conditions.push(self.holds(spec.method, args)?);
        }
        Ok(conditions)
    }

    fn spec_arguments(&mut self, spec: &Spec, main: Option<Obj>, arguments: &[Sym], result: Option<Sym>) -> Vec<Sym> {
        let mut args = Vec::new();
        if !self.program.method(spec.method).is_static {
            args.push(match main {
                Some(main) => self.single(main),
                None => Sym::Ref(self.null),
            });
        }
        for argument in &spec.arguments {
            args.push(match argument {
                SpecArgument::PreState => match self.space.main {
                    Some(main) => self.single(Obj(main.0).before()),
                    None => Sym::Ref(self.null),
                },
                SpecArgument::Parameter(i) => arguments[*i],
                SpecArgument::Before(i) => self.as_before(arguments[*i]),
                SpecArgument::Result => result.unwrap_or(Sym::Ref(self.null)),
            });
        }
        args
    }

    /// Translates the postconditions for the state before the run: most of that comes out the same after it, and is not translated again.
    /// Where one needs the result, that is known already if it is an object that the run begins with.
    pub(crate) fn foresee(&mut self, operation: &Operation, run: &Run, result: Option<Sym>) {
        let beyond = self.beyond;
        for spec in &operation.postconditions {
            if result.is_some() || !spec.arguments.contains(&SpecArgument::Result) {
                let args = self.spec_arguments(spec, run.main, &run.arguments, result);
                // Whether it is supported matters after a run.
                let _ = self.holds(spec.method, args);
            }
        }
        self.beyond = beyond;
    }

    /// Other objects of the checked class that the operation got, and when.
    fn others(&mut self, checked: &Checked, operation: &Operation, run: &Run) -> FxHashMap<Obj, Lit> {
        let mut others: FxHashMap<Obj, Lit> = FxHashMap::default();
        for index in operation.others() {
            let Sym::Ref(id) = run.arguments[index] else { continue };
            for (obj, is_it) in self.alternatives(id) {
                let is_one = obj != Obj::NULL && checked.has(self.program, self.ty_of(obj));
                if is_one && Some(obj) != run.main {
                    let when = others.entry(obj).or_insert(Lit::FALSE);
                    *when = self.graph.or(*when, is_it);
                }
            }
        }
        others.extend(run.made.map(|made| (made, Lit::TRUE)));
        others
    }

    /// Everything that must hold after a run (2.7), as conjuncts that are not known already.
    pub fn final_conditions(
        &mut self,
        checked: &Checked,
        operation: &Operation,
        run: &Run,
    ) -> Result<Vec<Conjunct>, Stop> {
        let mut conjuncts = Vec::new();
        let is_constructor = operation.kind == OperationKind::Constructor;
        let (result, threw) = match run.end {
            RunEnd::Returned(result) => (result, false),
            RunEnd::Threw(_) => (None, true),
            RunEnd::Escaped(_) | RunEnd::Final => return Ok(conjuncts),
        };
        if is_constructor && threw {
            return Ok(conjuncts);
        }
        // At the end of a block, which is within a method, none need hold.
        if operation.block.is_none() {
            let others = self.others(checked, operation, run);
            if run.main.is_some() || !others.is_empty() {
                let trees = self.tree_conditions(run.main, others).into_iter();
                conjuncts.extend(trees.map(|lit| Conjunct { lit, of: Part::Tree }));
            }
            for object in run.main.into_iter().chain(run.made) {
                let this = self.single(object);
                let invariant = self.holds(checked.invariant, vec![this])?;
                let all = self.graph.conjuncts(invariant).into_iter();
                conjuncts.extend(all.map(|lit| Conjunct { lit, of: Part::Invariant }));
            }
        }
        if !threw {
            for (number, spec) in operation.postconditions.iter().enumerate() {
                let args = self.spec_arguments(spec, run.main, &run.arguments, result);
                let holds = self.holds(spec.method, args)?;
                let of = Part::Postcondition(number);
                conjuncts.extend(self.graph.conjuncts(holds).into_iter().map(|lit| Conjunct { lit, of }));
            }
        }
        conjuncts.retain(|c| c.lit != Lit::TRUE);
        Ok(conjuncts)
    }
}

impl<O: Oracle> Executor<'_, '_, O> {
    /// Runs the operation from the initial heap (the driver of Figure 4.4 for a language).
    pub fn operate(&mut self, checked: &Checked, operation: &Operation, arguments: &[Sym]) -> Result<Run, Stop> {
        let program = self.symbolic.program;
        let method = program.method(operation.method);
        let main = match operation.kind {
            OperationKind::Method => self.symbolic.space.main.map(|m| self.symbolic.obj(m)),
            OperationKind::Constructor => Some(self.symbolic.allocate_object(method.class)),
            OperationKind::Static => None,
        };
        let mut run = Run { end: RunEnd::Final, main, made: None, arguments: arguments.to_vec() };
        if let Some(end) = self.ends_before(checked, main)? {
            return Ok(Run { end, ..run });
        }
        let mut args = Vec::new();
        if let (Some(main), false) = (main, method.is_static) {
            args.push(self.symbolic.single(main));
        }
        args.extend(arguments);
        // A constructor's object is another one in each run.
        let ended = match operation.kind {
            OperationKind::Constructor => self.run(operation.method, args),
            OperationKind::Method | OperationKind::Static => self.run_operation(operation, args, &run),
        };
        run.end = match ended {
            Ok(result) => {
                run.made = self.made(checked, operation, result)?.filter(|made| Some(*made) != main);
                // Of a static method, what a constructor would have made.
                if operation.kind == OperationKind::Static {
                    run.main = run.made.take();
                }
                RunEnd::Returned(result)
            }
            Err(Flow::Throw(obj)) => {
                let ty = self.symbolic.ty_of(obj);
                let may = matches!(ty, Ty::Class(class) if operation.may_escape(program, class));
                // A failed assertion and a stuck step are violations even if declared.
                let never = [program.known.assertion, program.known.stuck];
                let language = matches!(checked.kind, CheckedKind::Language { .. });
                let is_never = program.is_subtype(ty, Ty::Class(never[0]))
                    || language && program.is_subtype(ty, Ty::Class(never[1]));
                if may && !is_never { RunEnd::Threw(obj) } else { RunEnd::Escaped(obj) }
            }
            Err(Flow::Stop(stop)) => return Err(stop),
        };
        Ok(run)
    }

    /// The same with one choice of a nondeterministic language: a precondition that it does not satisfy cuts it off.
    pub fn choose(&mut self, checked: &Checked, step: &Operation, arguments: &[Sym]) -> Result<Run, Stop> {
        let main = self.symbolic.space.main.map(|m| self.symbolic.obj(m));
        if let Some(end) = self.ends_before(checked, main)? {
            return Ok(Run { end, main, made: None, arguments: arguments.to_vec() });
        }
        for spec in &step.preconditions {
            let args = self.symbolic.spec_arguments(spec, main, arguments, None);
            let holds = self.symbolic.holds(spec.method, args)?;
            if !self.branch(holds)? {
                return Err(Stop::Dropped);
            }
        }
        self.operate(checked, step, arguments)
    }

    /// Of a language: if there is no step to take.
    fn ends_before(&mut self, checked: &Checked, main: Option<Obj>) -> Result<Option<RunEnd>, Stop> {
        let (CheckedKind::Language { is_final_state }, Some(main)) = (checked.kind, main) else { return Ok(None) };
        let this = self.symbolic.single(main);
        let (value, error) = self.symbolic.call(is_final_state, vec![this])?;
        // Which exception does not matter here: none may escape it.
        if self.branch(error)? {
            let known = self.symbolic.program.known;
            return Ok(Some(RunEnd::Escaped(self.symbolic.allocate_object(known.null_pointer))));
        }
        let is_final = match value {
            Some(Sym::Bool(lit)) => lit,
            _ => Lit::FALSE,
        };
        Ok(self.branch(is_final)?.then_some(RunEnd::Final))
    }

    /// The result, if it is an object of the checked class: one, on each path.
    fn made(&mut self, checked: &Checked, operation: &Operation, result: Option<Sym>) -> Result<Option<Obj>, Stop> {
        let (Some(made), Some(Sym::Ref(returned))) = (operation.made, result) else { return Ok(None) };
        let found = match made {
            Made::Returned => Ok(returned),
            Made::In(field) => self.object(returned).map(|both| {
                let slot = self.symbolic.field_slots[field.index()];
                match self.symbolic.read_slot(both, slot) {
                    Sym::Ref(id) => id,
                    _ => self.symbolic.null,
                }
            }),
        };
        let one = found.and_then(|id| {
            let alternatives = self.symbolic.alternatives(id);
            let is_one = |obj: Obj| obj != Obj::NULL && checked.has(self.symbolic.program, self.symbolic.ty_of(obj));
            if !alternatives.into_iter().any(|(obj, when)| when != Lit::FALSE && is_one(obj)) {
                return Ok(None);
            }
            let is_null = self.symbolic.is_null(id);
            if self.branch(is_null)? {
                return Ok(None);
            }
            let obj = self.object(id)?;
            Ok(checked.has(self.symbolic.program, self.symbolic.ty_of(obj)).then_some(obj))
        });
        one.map_err(|flow| match flow {
            Flow::Stop(stop) => stop,
            Flow::Throw(_) => Stop::Infeasible,
        })
    }
}
