//! Contracts at run time: `requires` at each call, `ensures` and the frame at each return, assertions and loop invariants where they
//! stand, all on the sets that the heap defines at that moment (docs/hob.md, "Contracts").
//!
//! The clauses of a contract already contain the defaults and the invariants of scopes. Private invariants are checked whoever calls:
//! an outsider need not prove them, but they must hold. Where a module is left, its representation must be in order. A clause that depends
//! on something unknown is skipped and counted.

use super::Checks;
use super::abstraction::{Abstraction, SpecValue};
use super::heap::{Heap, Watch, WithLocals};
use super::heap_formula::holds;
use super::machine::{Machine, Step};
use super::objset::ObjSet;
use super::set_formula::{Names, evaluate, evaluate_set, false_part, names_of};
use super::stop::{SetsSeen, Stop, Violation, ViolationKind, subject_name};
use super::value::Value;
use crate::flags::Effects;
use crate::program::*;
use crate::told::{Told, told};
use std::rc::Rc;

/// The sets and Booleans at entry that something in the procedure refers to.
pub(crate) struct Entry {
    /// The heap's.
    clock: u64,
    /// Ascending.
    values: Vec<(SpecVarId, SpecValue)>,
    /// How many variables of the frame are known, and how many are not.
    framed: Checks,
}

impl Entry {
    fn value(&self, variable: SpecVarId) -> SpecValue {
        match self.values.binary_search_by_key(&variable, |pair| pair.0) {
            Ok(i) => self.values[i].1.clone(),
            Err(_) => SpecValue::Unknown,
        }
    }
}

pub(crate) struct Contracts {
    abstraction: Abstraction,
    /// Of each procedure that was called: what to remember at entry.
    remembered: Vec<Option<Rc<[SpecVarId]>>>,
    /// Of each procedure that was called: the last entry, which serves again if nothing has changed.
    last: Vec<Option<Rc<Entry>>>,
    checks: Checks,
    /// Who may run during a call.
    effects: Effects,
}

impl Contracts {
    pub(crate) fn new(program: &Program) -> Contracts {
        Contracts {
            abstraction: Abstraction::new(program),
            remembered: vec![None; program.procs.len()],
            last: vec![None; program.procs.len()],
            checks: Checks::default(),
            effects: Effects::of(program),
        }
    }

    /// For the heap.
    pub(crate) fn watch(&self, program: &Program) -> Watch {
        self.abstraction.watch(program)
    }

    fn remember(&mut self, program: &Program, heap: &Heap, proc: ProcId) -> Rc<Entry> {
        let variables = self.remembered[proc.index()].get_or_insert_with(|| remembered(program, proc)).clone();
        let value = |variable: &SpecVarId| (*variable, self.abstraction.value(program, heap, *variable));
        let values = variables.iter().map(value).collect();
        let mut entry = Entry { clock: heap.clock(), values, framed: Checks::default() };
        for variable in &program.proc(proc).contract.frame {
            match entry.value(*variable) {
                SpecValue::Unknown => entry.framed.skipped += 1,
                _ => entry.framed.evaluated += 1,
            }
        }
        let entry = Rc::new(entry);
        self.last[proc.index()] = Some(Rc::clone(&entry));
        entry
    }
}

/// A moment in a procedure: what its names stand for.
struct Moment<'m> {
    program: &'m Program,
    proc: &'m Proc,
    abstraction: &'m mut Abstraction,
    heap: &'m Heap,
    locals: &'m [Value],
    /// None: this is the entry.
    entry: Option<&'m Entry>,
    /// The module that calls the procedure, if it is another one.
    caller: Option<ModuleId>,
}

impl Names for Moment<'_> {
    fn value(&mut self, name: &NameRef) -> SpecValue {
        match (name.subject, self.entry) {
            (Subject::SpecVar(variable), Some(entry)) if !name.primed => entry.value(variable),
            (Subject::SpecVar(variable), _) => self.abstraction.value(self.program, self.heap, variable),
            // Primed or not, as the flag analysis reads it: a formal never changes, and an inner variable has no value at entry.
            (Subject::Local(local), _) => {
                let is_object = matches!(self.proc.locals[local.index()].ty, Type::Object(_));
                match self.locals.get(local.index()) {
                    Some(Value::Object(id)) => SpecValue::Set(Rc::new(ObjSet::from_iter([*id]))),
                    Some(Value::Null) if is_object => SpecValue::Set(Rc::default()),
                    Some(Value::Bool(b)) => SpecValue::Bool(*b),
                    _ => SpecValue::Unknown,
                }
            }
            (Subject::Bound(_), _) => SpecValue::Unknown,
        }
    }

    fn objects(&self) -> usize {
        self.heap.object_count()
    }

    fn heap(&mut self, formula: &HeapFormula) -> Option<bool> {
        holds(self.program, &WithLocals { heap: self.heap, locals: self.locals }, formula)
    }
}

impl Moment<'_> {
    fn show(&self, value: &SpecValue) -> String {
        const SHOWN: usize = 8;
        match value {
            SpecValue::Unknown => "unknown".into(),
            SpecValue::Bool(b) => b.to_string(),
            SpecValue::Set(set) => {
                let mut names: Vec<String> =
                    set.iter().take(SHOWN).map(|object| self.heap.name(self.program, object)).collect();
                let count = set.len();
                if count > SHOWN {
                    names.push(format!("… ({count} in all)"));
                }
                if names.is_empty() { "{}".into() } else { format!("{{{}}}", names.join(", ")) }
            }
        }
    }

    /// What the names of a formula stand for, each once.
    fn seen(&mut self, proc: ProcId, formula: &Formula) -> Vec<SetsSeen> {
        let mut names: Vec<NameRef> = Vec::new();
        names_of(formula, &mut |name| names.push(*name));
        let mut seen: Vec<SetsSeen> = Vec::new();
        for name in names {
            let value = self.value(&name);
            let at = seen.iter().position(|other| other.subject == name.subject).unwrap_or_else(|| {
                let text = subject_name(self.program, proc, self.caller, name.subject);
                seen.push(SetsSeen { subject: name.subject, name: text, before: None, after: None });
                seen.len() - 1
            });
            let shown = Some(self.show(&value));
            // At entry there is only one state.
            if name.primed || self.entry.is_none() {
                seen[at].after = shown;
            } else {
                seen[at].before = shown;
            }
        }
        seen
    }
}

impl Machine<'_, '_> {
    /// How many clauses have been looked at.
    pub fn checks(&self) -> Checks {
        self.contracts.as_ref().map_or(Checks::default(), |contracts| contracts.checks)
    }

    /// The value of a set or Boolean now; unknown without [`super::Options::check_contracts`].
    pub fn spec_value(&mut self, variable: SpecVarId) -> SpecValue {
        match &mut self.contracts {
            Some(contracts) => contracts.abstraction.value(self.program, &self.heap, variable),
            None => SpecValue::Unknown,
        }
    }

    /// Whether the written `requires` of a procedure holds for these arguments now; None if that is unknown. Private invariants
    /// do not count: an outsider can do nothing about them.
    pub fn may_call(&mut self, proc: ProcId, arguments: &[Value]) -> Option<bool> {
        let called = self.program.proc(proc);
        let contracts = self.contracts.as_mut()?;
        let mut moment = Moment {
            program: self.program,
            proc: called,
            abstraction: &mut contracts.abstraction,
            heap: &self.heap,
            locals: arguments,
            entry: None,
            caller: None,
        };
        let clauses = called.contract.requires.iter();
        let mut known = true;
        for clause in clauses.filter(|clause| !matches!(clause.reason, Reason::Invariant(_))) {
            match evaluate(&clause.formula, &mut moment) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = false,
            }
        }
        known.then_some(true)
    }

    /// From now on an undefined set or Boolean has this value.
    pub(crate) fn suppose(&mut self, variable: SpecVarId, value: SpecValue) {
        if let Some(contracts) = &mut self.contracts {
            contracts.abstraction.suppose(variable, value);
        }
    }

    /// A procedure is going to run: what of its module's sets was only supposed is not known any more.
    pub(crate) fn forget_supposed(&mut self, proc: ProcId) {
        let module = self.program.proc(proc).module;
        if let Some(contracts) = &mut self.contracts
            && contracts.abstraction.forget(self.program, module)
        {
            // The heap's clock does not tell.
            contracts.last.fill(None);
        }
    }

    /// After a call whose callee has no code, whose frame is the last and whose result is known: sets and Booleans that nobody defines become
    /// what its contract says. False: it leaves open what becomes of something.
    pub(crate) fn becomes_as_told(&mut self, callee: ProcId) -> bool {
        let program = self.program;
        let (Some(contracts), Some(frame)) = (&mut self.contracts, self.frames.last()) else { return false };
        let called = program.proc(callee);
        let is_run = |m: &ModuleId| program.module(*m).has_implementation && contracts.effects.reaches(callee, *m);
        if (0..program.modules.len() as u32).map(ModuleId).any(|m| is_run(&m)) {
            return false;
        }
        let mut moment = Moment {
            program,
            proc: called,
            abstraction: &mut contracts.abstraction,
            heap: &self.heap,
            locals: &self.locals[self.base..],
            entry: None,
            caller: None,
        };
        let all = (0..program.spec_vars.len() as u32).map(SpecVarId);
        let changed = all.filter(|v| contracts.effects.changes(callee, *v) && !called.contract.frame.contains(v));
        let mut values = Vec::new();
        for variable in changed {
            let value = match told(program, callee, variable) {
                _ if moment.abstraction.is_defined(variable) => None,
                Some(Told::Set(set)) => evaluate_set(set, &mut moment).map(SpecValue::Set),
                Some(Told::Bool(formula)) => evaluate(formula, &mut moment).map(SpecValue::Bool),
                Some(Told::Always(value)) => Some(SpecValue::Bool(value)),
                None => None,
            };
            let Some(value) = value else { return false };
            values.push((variable, value));
        }
        for (variable, value) in values {
            moment.abstraction.suppose(variable, value);
        }
        moment.entry = frame.entry.as_deref();
        let is_ensured = called.contract.ensures.iter().all(|c| evaluate(&c.formula, &mut moment) == Some(true));
        // The heap's clock does not tell.
        contracts.last.fill(None);
        is_ensured
    }

    /// Checks `requires`, then remembers the sets.
    pub(crate) fn check_entry(&mut self) -> Step<()> {
        let Some(proc) = self.frames.last().map(|frame| frame.proc) else { return Ok(()) };
        let contract = &self.program.proc(proc).contract;
        self.check_clauses(&contract.requires, None, || ViolationKind::Requires)?;
        self.check_leaving(proc)?;
        let Some(contracts) = &mut self.contracts else { return Ok(()) };
        let entry = match &contracts.last[proc.index()] {
            Some(last) if last.clock == self.heap.clock() => Rc::clone(last),
            _ => contracts.remember(self.program, &self.heap, proc),
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.entry = Some(entry);
        }
        Ok(())
    }

    /// Whoever calls another module that may come back must leave in order what the code relies on that runs then.
    fn check_leaving(&mut self, callee: ProcId) -> Step<()> {
        let program = self.program;
        let Some(contracts) = &mut self.contracts else { return Ok(()) };
        let Some(caller) = self.frames.iter().rev().nth(1).map(|frame| program.proc(frame.proc).module) else {
            return Ok(());
        };
        if caller == program.proc(callee).module {
            return Ok(());
        }
        let effects = &contracts.effects;
        let broken = if effects.reaches(callee, caller) {
            contracts.abstraction.broken(program, &self.heap, caller).map(|invariant| invariant.span)
        } else {
            None
        };
        if let Some(span) = broken {
            return Err(Box::new(Stop::Violation(Violation {
                kind: ViolationKind::Leaving,
                proc: callee,
                span,
                because: None,
                stack: self.stack(),
                sets: Vec::new(),
            })));
        }
        for (scope, invariant) in effects.invariants_at_call(program, caller, callee) {
            self.check(&invariant.formula, &Reason::Invariant(scope), None, &|| ViolationKind::Leaving)?;
        }
        Ok(())
    }

    /// Checks `ensures` and the frame; the result is in its local.
    pub(crate) fn check_exit(&mut self) -> Step<()> {
        let Some((proc, Some(entry))) = self.frames.last().map(|frame| (frame.proc, frame.entry.clone())) else {
            return Ok(());
        };
        let contract = &self.program.proc(proc).contract;
        self.check_clauses(&contract.ensures, Some(&entry), || ViolationKind::Ensures)?;
        // Nothing that any set looks at has changed: neither has any set.
        if self.heap.clock() == entry.clock {
            if let Some(contracts) = &mut self.contracts {
                contracts.checks.evaluated += entry.framed.evaluated;
                contracts.checks.skipped += entry.framed.skipped;
            }
        } else {
            for variable in &contract.frame {
                self.check_frame(proc, *variable, &entry)?;
            }
        }
        self.check_representation(proc)
    }

    /// Whoever leaves a module must leave its representation in order; inside it may be broken.
    fn check_representation(&mut self, proc: ProcId) -> Step<()> {
        let Some(contracts) = &mut self.contracts else { return Ok(()) };
        let module = self.program.proc(proc).module;
        let caller = self.frames.iter().rev().nth(1).map(|frame| self.program.proc(frame.proc).module);
        if caller == Some(module) {
            return Ok(());
        }
        match contracts.abstraction.broken(self.program, &self.heap, module) {
            None => Ok(()),
            Some(invariant) => Err(Box::new(Stop::Violation(Violation {
                kind: ViolationKind::Representation,
                proc,
                span: invariant.span,
                because: None,
                stack: self.stack(),
                sets: Vec::new(),
            }))),
        }
    }

    fn check_frame(&mut self, proc: ProcId, variable: SpecVarId, entry: &Entry) -> Step<()> {
        let Some(contracts) = &mut self.contracts else { return Ok(()) };
        let name = NameRef { subject: Subject::SpecVar(variable), primed: false, span: source::Span::default() };
        let mut moment = Moment {
            program: self.program,
            proc: self.program.proc(proc),
            abstraction: &mut contracts.abstraction,
            heap: &self.heap,
            locals: &[],
            entry: Some(entry),
            caller: None,
        };
        let (before, after) = (moment.value(&name), moment.value(&NameRef { primed: true, ..name }));
        match before.same(&after) {
            None => contracts.checks.skipped += 1,
            Some(true) => contracts.checks.evaluated += 1,
            Some(false) => {
                let seen = SetsSeen {
                    subject: name.subject,
                    name: subject_name(self.program, proc, None, name.subject),
                    before: Some(moment.show(&before)),
                    after: Some(moment.show(&after)),
                };
                return Err(Box::new(Stop::Violation(Violation {
                    kind: ViolationKind::Frame(variable),
                    proc,
                    span: self.program.proc(proc).contract.span,
                    because: None,
                    stack: self.stack(),
                    sets: vec![seen],
                })));
            }
        }
        Ok(())
    }

    pub(crate) fn check_assertion(&mut self, label: Option<&str>, formula: &Formula) -> Step<()> {
        self.check_here(formula, || ViolationKind::Assertion(label.map(String::from)))
    }

    pub(crate) fn check_loop_invariant(&mut self, formula: &Formula) -> Step<()> {
        self.check_here(formula, || ViolationKind::LoopInvariant)
    }

    pub(crate) fn check_assumption(&mut self, label: Option<&str>, formula: &Formula) -> Step<()> {
        self.check_here(formula, || ViolationKind::Assertion(None)).map_err(|stop| match *stop {
            Stop::Violation(Violation { span, stack, .. }) => {
                Box::new(Stop::Assumption { label: label.map(String::from), span, stack })
            }
            _ => stop,
        })
    }

    fn check_here(&mut self, formula: &Formula, kind: impl Fn() -> ViolationKind) -> Step<()> {
        let entry = self.frames.last().and_then(|frame| frame.entry.clone());
        self.check(formula, &Reason::Written, entry.as_deref(), &kind)
    }

    fn check_clauses(
        &mut self,
        clauses: &[Clause],
        entry: Option<&Entry>,
        kind: impl Fn() -> ViolationKind,
    ) -> Step<()> {
        clauses.iter().try_for_each(|clause| self.check(&clause.formula, &clause.reason, entry, &kind))
    }

    fn check(
        &mut self,
        formula: &Formula,
        reason: &Reason,
        entry: Option<&Entry>,
        kind: &dyn Fn() -> ViolationKind,
    ) -> Step<()> {
        let (Some(contracts), Some(frame)) = (&mut self.contracts, self.frames.last()) else { return Ok(()) };
        let proc = frame.proc;
        // Where the caller is to blame, the report says which names it cannot see.
        let is_callers = matches!(kind(), ViolationKind::Requires);
        let caller = self.frames.iter().rev().nth(1).filter(|_| is_callers);
        let caller = caller.map(|frame| self.program.proc(frame.proc).module);
        let mut moment = Moment {
            program: self.program,
            proc: self.program.proc(proc),
            abstraction: &mut contracts.abstraction,
            heap: &self.heap,
            locals: &self.locals[self.base..],
            entry,
            caller: caller.filter(|module| *module != self.program.proc(proc).module),
        };
        match evaluate(formula, &mut moment) {
            None => contracts.checks.skipped += 1,
            Some(true) => contracts.checks.evaluated += 1,
            Some(false) => {
                let part = false_part(formula, &mut moment);
                let sets = moment.seen(proc, part);
                return Err(Box::new(Stop::Violation(Violation {
                    kind: kind(),
                    proc,
                    span: part.span,
                    because: because(self.program, reason),
                    stack: self.stack(),
                    sets,
                })));
            }
        }
        Ok(())
    }
}

fn because(program: &Program, reason: &Reason) -> Option<String> {
    match reason {
        Reason::Written => None,
        Reason::Default(name) => Some(format!("the default {name}")),
        Reason::Invariant(scope) => {
            let scope = &program.scopes[scope.index()];
            let what = if scope.implicit { "module" } else { "scope" };
            Some(format!("the invariant of {what} {}", scope.name))
        }
    }
}

/// The variables that `ensures`, the frame and the formulas in the body compare with their values at entry, ascending.
fn remembered(program: &Program, proc: ProcId) -> Rc<[SpecVarId]> {
    let proc = program.proc(proc);
    let mut variables = proc.contract.frame.clone();
    let mut of_formula = |formula: &Formula| {
        names_of(formula, &mut |name| match name.subject {
            Subject::SpecVar(variable) if !name.primed => variables.push(variable),
            _ => {}
        });
    };
    proc.contract.ensures.iter().for_each(|clause| of_formula(&clause.formula));
    let mut waiting: Vec<&Stmt> = proc.body.iter().flatten().collect();
    while let Some(statement) = waiting.pop() {
        match &statement.kind {
            StmtKind::Block(body) => waiting.extend(body),
            StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => waiting.extend(a.iter().chain(b)),
            StmtKind::While { invariant, body, .. } => {
                invariant.iter().for_each(&mut of_formula);
                waiting.extend(body);
            }
            StmtKind::Assert { formula, .. } | StmtKind::Assume { formula, .. } => of_formula(formula),
            _ => {}
        }
    }
    variables.sort_unstable();
    variables.dedup();
    variables.into()
}
