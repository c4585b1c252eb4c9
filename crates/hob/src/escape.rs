//! Arrays that leave their module. An object's fields are touched by the module that contributes them and by nobody else; the elements of
//! an array by whoever holds it. So a set or invariant that looks into an array means something only if no other module holds
//! that array.
//!
//! What goes in: a module. What comes out: every place where such an array may be handed out (returned by a public procedure, given
//! to another module, stored in an array from outside) or where an array from outside may become one. The analysis is Andersen's: for
//! each variable, field and element the arrays that it may hold, by the place where they were made, whatever the order of statements. A
//! procedure is gone through once for each call of it in the module, and once for calls from outside: a public procedure that copies an
//! array may serve both.

use crate::depends::{Depends, Holder};
use crate::program::*;
use crate::visit;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};
use std::collections::BTreeSet;

/// An array that crosses the border of its module.
#[derive(Clone, Debug)]
pub struct Escape {
    /// In whose code.
    pub proc: ProcId,
    /// Not only by what this analysis can tell: the variable itself crosses.
    pub is_certain: bool,
    pub diagnostic: Diagnostic,
}

/// The escapes of a module, in the order of its procedures.
pub fn escapes(program: &Program, module: ModuleId) -> Vec<Escape> {
    let looks = looks(program, module);
    if looks.is_empty() { Vec::new() } else { Arrays::of_module(program, module).escapes(&looks) }
}

/// The arrays of a module that sets or invariants look into and that nobody else has.
#[derive(Default)]
pub struct Kept {
    /// Their places, and how deep they are looked into. None if one may escape.
    pub places: Vec<(Holder, usize)>,
    /// Calls in the module that may give one: who calls, and whom.
    pub given: FxHashSet<(ProcId, ProcId)>,
}

impl Kept {
    pub fn of(program: &Program, module: ModuleId) -> Kept {
        let looks = looks(program, module);
        if looks.is_empty() {
            return Kept::default();
        }
        let mut arrays = Arrays::of_module(program, module);
        if !arrays.escapes(&looks).is_empty() {
            return Kept::default();
        }
        let carried: Values = looks.iter().flat_map(|look| arrays.looked_into(look)).collect();
        let mut given = FxHashSet::default();
        for &(caller, run) in &arrays.calls {
            let formals = (0..program.proc(run.proc).formals).map(LocalId);
            let values: Values = formals.flat_map(|formal| arrays.of(Node::Local(run, formal))).collect();
            if !arrays.within(&values).is_disjoint(&carried) {
                given.insert((caller, run.proc));
            }
        }
        let mut places: Vec<_> = looks.iter().map(|look| (look.holder, look.depth)).collect();
        // The deepest look at a place is enough.
        places.sort_unstable_by_key(|&(holder, depth)| (holder, std::cmp::Reverse(depth)));
        places.dedup_by_key(|(holder, _)| *holder);
        Kept { places, given }
    }
}

/// A set or invariant that looks into the arrays of a place.
struct Look {
    holder: Holder,
    depth: usize,
    what: String,
    span: Span,
}

fn looks(program: &Program, module: ModuleId) -> Vec<Look> {
    let mut found = Vec::new();
    let mut add = |depends: Depends, what: String, span: Span| {
        for (holder, depth) in depends.indexed {
            found.push(Look { holder, depth, what: what.clone(), span });
        }
    };
    for section in &program.module(module).plugins {
        for set in &section.sets {
            let name = &program.spec_var(set.variable).name;
            add(Depends::of(&set.definition, &|_| None), format!("the set `{name}`"), set.span);
        }
        for invariant in &section.invariants {
            add(Depends::of_formula(&invariant.formula), "an invariant of the representation".into(), invariant.span);
        }
    }
    found
}

/// A procedure as it is called there; None: from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Run {
    proc: ProcId,
    called_at: Option<Span>,
}

/// Arrays, by where they were made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Made {
    /// All that other modules hold.
    Outside,
    /// By the `new` that stands there; the number is the dimension.
    Here(Run, Span, usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Local(Run, LocalId),
    Holder(Holder),
    /// The elements of such an array.
    Elements(Made),
}

/// How an array may cross the border.
#[derive(Clone, Copy, Debug)]
enum Crossing<'p> {
    Returned(&'p Expr),
    Given(&'p Expr, ProcId),
    /// Into an array that other modules hold.
    StoredOutside(&'p Expr),
    /// Into a place of the module, or into an array.
    Kept(&'p Expr, Option<Holder>),
}

type Values = BTreeSet<Made>;

struct Arrays<'p> {
    program: &'p Program,
    module: ModuleId,
    runs: Vec<Run>,
    /// Who calls, and the run.
    calls: FxHashSet<(ProcId, Run)>,
    holds: FxHashMap<Node, Values>,
    /// What other modules may hold of it.
    out: FxHashSet<Made>,
    grown: bool,
}

impl<'p> Arrays<'p> {
    /// All that any order of calls from outside may lead to.
    fn of_module(program: &'p Program, module: ModuleId) -> Arrays<'p> {
        let mut arrays = Arrays {
            program,
            module,
            runs: Vec::new(),
            calls: FxHashSet::default(),
            holds: FxHashMap::default(),
            out: FxHashSet::default(),
            grown: true,
        };
        for &id in program.module(module).procs.iter().filter(|p| !program.proc(**p).private) {
            let run = Run { proc: id, called_at: None };
            arrays.runs.push(run);
            for local in (0..program.proc(id).formals).map(LocalId) {
                arrays.add(Node::Local(run, local), &[Made::Outside].into());
            }
        }
        while std::mem::take(&mut arrays.grown) {
            let mut next = 0;
            while let Some(&run) = arrays.runs.get(next) {
                arrays.proc(run, &mut |_, _| {});
                next += 1;
            }
            arrays.close();
        }
        arrays
    }

    fn escapes(&mut self, looks: &[Look]) -> Vec<Escape> {
        let mut found: Vec<Escape> = Vec::new();
        for run in self.runs.clone() {
            let mut crossings = Vec::new();
            self.proc(run, &mut |value, crossing| crossings.push((value.clone(), crossing)));
            for (value, crossing) in crossings {
                // One that crosses at a place is enough.
                if let Some(escape) = looks.iter().find_map(|look| self.escape(run, look, &value, crossing)) {
                    found.push(escape);
                }
            }
        }
        found.sort_by_key(|escape| (escape.proc, escape.diagnostic.span, !escape.is_certain));
        found.dedup_by_key(|escape| (escape.proc, escape.diagnostic.span));
        found
    }

    fn of(&self, node: Node) -> Values {
        match node {
            Node::Elements(Made::Outside) => [Made::Outside].into(),
            _ => self.holds.get(&node).cloned().unwrap_or_default(),
        }
    }

    fn add(&mut self, node: Node, values: &Values) {
        let known = self.holds.entry(node).or_default();
        let before = known.len();
        known.extend(values);
        self.grown |= known.len() > before;
    }

    /// The arrays, and those that are elements of them.
    fn within(&self, values: &Values) -> Values {
        let mut all = values.clone();
        let mut waiting: Vec<Made> = values.iter().copied().collect();
        while let Some(made) = waiting.pop() {
            waiting.extend(self.of(Node::Elements(made)).into_iter().filter(|inner| all.insert(*inner)));
        }
        all
    }

    /// Other modules put what they like into the arrays that they hold.
    fn close(&mut self) {
        for made in self.out.clone() {
            self.add(Node::Elements(made), &[Made::Outside].into());
        }
    }

    fn value(&mut self, run: Run, e: &Expr) -> Values {
        match &e.kind {
            _ if !matches!(e.ty, Type::Array(_)) => Values::new(),
            ExprKind::Local(local) => self.of(Node::Local(run, *local)),
            ExprKind::Global(global) => self.of(Node::Holder(Holder::Global(*global))),
            ExprKind::Field(_, field) => self.of(Node::Holder(Holder::Field(*field))),
            ExprKind::Index(array, _) => {
                let arrays = self.value(run, array);
                arrays.into_iter().flat_map(|made| self.of(Node::Elements(made))).collect()
            }
            ExprKind::Call(callee, _) => match self.program.proc(*callee) {
                called if called.module != self.module => [Made::Outside].into(),
                called => {
                    let inner = Run { proc: *callee, called_at: Some(e.span) };
                    called.result.map(|result| self.of(Node::Local(inner, result))).unwrap_or_default()
                }
            },
            ExprKind::NewArray(lengths) => {
                for dimension in 1..lengths.len() {
                    let inner = Made::Here(run, e.span, dimension);
                    self.add(Node::Elements(Made::Here(run, e.span, dimension - 1)), &[inner].into());
                }
                [Made::Here(run, e.span, 0)].into()
            }
            _ => Values::new(),
        }
    }

    /// One round through a procedure; what may cross the border is reported.
    fn proc(&mut self, run: Run, tell: &mut dyn FnMut(&Values, Crossing<'p>)) {
        let body: &'p [Stmt] = self.program.proc(run.proc).body.as_deref().unwrap_or_default();
        let mut calls: Vec<(ProcId, &'p [Expr], Span)> = Vec::new();
        visit::exprs(body, &mut |e| {
            if let ExprKind::Call(callee, arguments) = &e.kind {
                calls.push((*callee, arguments, e.span));
            }
        });
        for (callee, arguments, span) in calls {
            let inner = Run { proc: callee, called_at: Some(span) };
            let is_inside = self.program.proc(callee).module == self.module;
            if is_inside && self.calls.insert((run.proc, inner)) && !self.runs.contains(&inner) {
                self.runs.push(inner);
            }
            for (i, argument) in arguments.iter().enumerate() {
                let value = self.value(run, argument);
                if is_inside {
                    self.add(Node::Local(inner, LocalId(i as u32)), &value);
                } else {
                    self.leave(&value);
                    tell(&value, Crossing::Given(argument, callee));
                }
            }
        }
        self.stmts(run, body, tell);
    }

    fn leave(&mut self, value: &Values) {
        for made in self.within(value) {
            self.grown |= made != Made::Outside && self.out.insert(made);
        }
    }

    fn stmts(&mut self, run: Run, body: &'p [Stmt], tell: &mut dyn FnMut(&Values, Crossing<'p>)) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Block(inner) => self.stmts(run, inner, tell),
                StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                    self.stmts(run, a, tell);
                    self.stmts(run, b, tell);
                }
                StmtKind::While { body, step, .. } => {
                    self.stmts(run, body, tell);
                    self.stmts(run, step.as_deref().map_or(&[], std::slice::from_ref), tell);
                }
                StmtKind::Declare(local, Some(e)) => {
                    let value = self.value(run, e);
                    self.add(Node::Local(run, *local), &value);
                }
                StmtKind::Havoc(locals) => {
                    locals.iter().for_each(|local| self.add(Node::Local(run, *local), &[Made::Outside].into()));
                }
                StmtKind::Assign(place, e) => {
                    let value = self.value(run, e);
                    self.assign(run, place, e, &value, tell);
                }
                StmtKind::Return(Some(e)) => {
                    let value = self.value(run, e);
                    let proc = self.program.proc(run.proc);
                    if let Some(result) = proc.result {
                        self.add(Node::Local(run, result), &value);
                    }
                    if run.called_at.is_none() {
                        self.leave(&value);
                        tell(&value, Crossing::Returned(e));
                    }
                }
                _ => {}
            }
        }
    }

    fn assign(
        &mut self,
        run: Run,
        place: &'p Place,
        e: &'p Expr,
        value: &Values,
        tell: &mut dyn FnMut(&Values, Crossing<'p>),
    ) {
        let holder = match place {
            Place::Local(local) => return self.add(Node::Local(run, *local), value),
            Place::Global(global) => Holder::Global(*global),
            Place::Field(_, field) => Holder::Field(*field),
            Place::Index(array, _) => {
                for made in self.value(run, array) {
                    if made == Made::Outside {
                        self.leave(value);
                        tell(value, Crossing::StoredOutside(e));
                    } else {
                        self.add(Node::Elements(made), value);
                    }
                }
                return tell(value, Crossing::Kept(e, None));
            }
        };
        self.add(Node::Holder(holder), value);
        tell(value, Crossing::Kept(e, Some(holder)));
    }

    /// The arrays that are looked into.
    fn looked_into(&self, look: &Look) -> Values {
        let mut level = self.of(Node::Holder(look.holder));
        let mut all = level.clone();
        for _ in 1..look.depth {
            level = level.into_iter().flat_map(|made| self.of(Node::Elements(made))).collect();
            all.extend(&level);
        }
        all
    }

    /// What is wrong if these arrays cross there, if anything.
    fn escape(
        &self,
        Run { proc, called_at }: Run,
        look: &Look,
        value: &Values,
        crossing: Crossing<'p>,
    ) -> Option<Escape> {
        let carried = self.looked_into(look);
        let name = self.program.proc_name(proc);
        let (what, holder) = (&look.what, self.name(look.holder));
        let leaves = self.within(value).intersection(&carried).any(|made| *made != Made::Outside);
        let is_it = |e: &Expr| match e.kind {
            ExprKind::Global(global) => look.holder == Holder::Global(global),
            ExprKind::Field(_, field) => look.holder == Holder::Field(field),
            _ => false,
        };
        let (e, is_certain, message, help) = match crossing {
            Crossing::Kept(e, to) => {
                let is_kept = match to {
                    Some(to) => to == look.holder,
                    // Into an array that is looked into more than one level deep.
                    None => look.depth > 1,
                };
                if !is_kept || !value.contains(&Made::Outside) || !carried.contains(&Made::Outside) {
                    return None;
                }
                let is_formal = matches!(e.kind, ExprKind::Local(local) if local.0 < self.program.proc(proc).formals)
                    && called_at.is_none();
                let message = format!("{name} keeps an array from outside in `{holder}`, which {what} looks into");
                (e, is_formal && to.is_some(), message, "copy its elements into a new array, and keep that")
            }
            _ if !leaves => return None,
            Crossing::Returned(e) => {
                let message = format!("{name} hands out an array of `{holder}`, which {what} looks into");
                (e, is_it(e), message, "return a copy: a new array with the same elements")
            }
            Crossing::Given(e, callee) => {
                let callee = self.program.proc_name(callee);
                let message = format!("{name} gives {callee} an array of `{holder}`, which {what} looks into");
                (e, is_it(e), message, "give it a copy: a new array with the same elements")
            }
            Crossing::StoredOutside(e) => {
                let message =
                    format!("{name} stores an array of `{holder}`, which {what} looks into, where others can get it");
                (e, false, message, "store a copy: a new array with the same elements")
            }
        };
        let diagnostic = Diagnostic::error("hob-array-escape", e.span, message)
            .label("whoever holds this array can change its elements at any time")
            .related(look.span, format!("{what} depends on them"))
            .help(help);
        Some(Escape { proc, is_certain, diagnostic })
    }

    fn name(&self, holder: Holder) -> &str {
        match holder {
            Holder::Global(global) => &self.program.globals[global.index()].name,
            Holder::Field(field) => &self.program.field(field).name,
        }
    }
}
