//! Which modules' code may run, and which fields and module variables may be written, during a call.
//!
//! What goes in: a program. What comes out: for each procedure, an upper bound. A set of a module changes only when code of that
//! module runs, since nobody else can touch its fields (docs/hob.md, "Implementation"): that is what frames at calls rest on.

use crate::program::*;
use crate::visit;
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Written {
    Field(FieldId),
    Global(GlobalId),
    /// Of an array, whichever.
    Element,
    /// An object of that type in an array.
    ElementOf(TypeId),
    /// An array in an array.
    Row,
}

#[derive(Clone, Default, Debug)]
pub struct Effects {
    reach: Vec<FxHashSet<ModuleId>>,
    /// Variables of specifications whose module has a procedure that may run and does not promise to leave them alone.
    changes: Vec<FxHashSet<SpecVarId>>,
    writes: Vec<FxHashSet<Written>>,
}

impl Effects {
    pub fn of(program: &Program) -> Effects {
        let callees: Vec<Vec<ProcId>> = program.procs.iter().map(|proc| callees(program, proc)).collect();
        let mut effects = Effects {
            reach: program.procs.iter().map(|proc| FxHashSet::from_iter([proc.module])).collect(),
            changes: program.procs.iter().map(|proc| changed(program, proc)).collect(),
            writes: program
                .procs
                .iter()
                .map(|proc| proc.body.as_deref().map_or_else(|| written_unseen(program, proc), written))
                .collect(),
        };
        let mut callers = vec![Vec::new(); program.procs.len()];
        for (caller, callees) in callees.iter().enumerate() {
            for callee in callees {
                callers[callee.index()].push(caller);
            }
        }
        let mut work: Vec<usize> = (0..program.procs.len()).collect();
        while let Some(callee) = work.pop() {
            for &caller in &callers[callee] {
                let before = effects.size(caller);
                let (reach, writes) = (effects.reach[callee].clone(), effects.writes[callee].clone());
                let changes = effects.changes[callee].clone();
                effects.reach[caller].extend(reach);
                effects.changes[caller].extend(changes);
                effects.writes[caller].extend(writes);
                if before != effects.size(caller) {
                    work.push(caller);
                }
            }
        }
        effects
    }

    fn size(&self, proc: usize) -> usize {
        self.reach[proc].len() + self.changes[proc].len() + self.writes[proc].len()
    }

    /// Whether a call of the procedure may change the variable. One changes only while code of its module runs: if each procedure of that
    /// module which the call may get to leaves it alone, so does the call, although it need not say so of what a scope keeps to itself.
    pub fn changes(&self, proc: ProcId, variable: SpecVarId) -> bool {
        self.changes[proc.index()].contains(&variable)
    }

    /// Whether code of the module may run during a call of the procedure.
    pub fn reaches(&self, proc: ProcId, module: ModuleId) -> bool {
        self.reach[proc.index()].contains(&module)
    }

    /// Invariants of a module's scopes that must hold at a call which leaves the scope and may come back, or which others may rely on.
    pub fn invariants_at_call<'p>(
        &self,
        program: &'p Program,
        module: ModuleId,
        callee: ProcId,
    ) -> Vec<(ScopeId, &'p Invariant)> {
        let target = program.proc(callee).module;
        let mut found = Vec::new();
        for (i, scope) in program.scopes.iter().enumerate() {
            if !scope.modules.contains(&module) || scope.modules.contains(&target) {
                continue;
            }
            let returns = scope.modules.iter().any(|m| self.reaches(callee, *m));
            let kept = scope.invariants.iter().filter(|i| returns || i.public);
            found.extend(kept.map(|invariant| (ScopeId(i as u32), invariant)));
        }
        found
    }

    /// Whether a call of the procedure may write the field or variable, at any depth.
    pub fn writes(&self, proc: ProcId, what: Written) -> bool {
        self.writes[proc.index()].contains(&what)
    }
}

/// Whom a procedure may call. Without a body: what `calls` allows; without that, nobody but what a scope that exports the module keeps to
/// itself, which need not be listed.
fn callees(program: &Program, proc: &Proc) -> Vec<ProcId> {
    if let Some(body) = &proc.body {
        let mut found = Vec::new();
        visit::exprs(body, &mut |e| {
            if let ExprKind::Call(callee, _) = &e.kind {
                found.push(*callee);
            }
        });
        return found;
    }
    let public = |module: &ModuleId| {
        let procs = &program.module(*module).procs;
        procs.iter().copied().filter(|p| !program.proc(*p).private).collect::<Vec<_>>()
    };
    let exporting = program.scopes.iter().filter(|s| s.exports.contains(&proc.module));
    let kept = exporting.flat_map(|s| s.modules.iter().filter(|m| !s.exports.contains(m)));
    proc.contract.calls.iter().flatten().chain(kept).flat_map(public).collect()
}

/// What the procedure may change of its module by its contract.
fn changed(program: &Program, proc: &Proc) -> FxHashSet<SpecVarId> {
    let own = program.module(proc.module).spec_vars.iter();
    own.copied().filter(|id| !proc.contract.frame.contains(id)).collect()
}

fn written(body: &[Stmt]) -> FxHashSet<Written> {
    let mut found = FxHashSet::default();
    visit::places(body, &mut |place| match place {
        Place::Field(_, field) => drop(found.insert(Written::Field(*field))),
        Place::Global(global) => drop(found.insert(Written::Global(*global))),
        Place::Index(array, _) => found.extend(into(&array.ty)),
        Place::Local(_) => {}
    });
    found
}

/// What a write into an array of that type is.
fn into(array: &Type) -> Vec<Written> {
    let Type::Array(element) = array else { return vec![Written::Element] };
    match **element {
        Type::Object(ty) => vec![Written::Element, Written::ElementOf(ty)],
        Type::Array(_) => vec![Written::Element, Written::Row],
        _ => vec![Written::Element],
    }
}

/// Code that is not there may write into arrays that its module was given or gave away: arguments and results of its procedures, results
/// of those that they call.
fn written_unseen(program: &Program, proc: &Proc) -> FxHashSet<Written> {
    let mut found = FxHashSet::from_iter([Written::Element]);
    let procs = || program.module(proc.module).procs.iter().map(|p| program.proc(*p));
    let formals = procs().flat_map(|p| p.locals.iter().take(p.formals as usize));
    let called = procs().flat_map(|p| callees(program, p)).map(|p| program.proc(p));
    let results = procs().chain(called).filter_map(|p| p.result.map(|result| &p.locals[result.index()]));
    for given in formals.chain(results) {
        let mut ty = &given.ty;
        while let Type::Array(element) = ty {
            found.extend(into(ty));
            ty = element;
        }
    }
    found
}
