//! The variables of one procedure's analysis: what is followed, under which names, and what always holds of it.
//!
//! What goes in: a program, a procedure. What comes out: for each thing followed a variable for its value at entry and one for its
//! value now (primed), and the facts D of docs/hob.md, "State and facts". A named set of the module is not a variable but a term over its
//! base sets: so a derived set needs neither a frame nor a conjoined definition. Two definitions with the same field and constant are one
//! base set, so they are equal.

use super::indexes::{Gap, Index, Variable, gaps};
use super::numbers::{Node, followed};
use super::ranges::{Int, thresholds};
use super::spots::{Array, Holder, Spot, spots};
use crate::depends::{Depends, Touch};
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};
use sets::{Compare, Formula as Fact, Sort, Store, Term, Var};
use std::collections::{BTreeMap, BTreeSet};

/// What the analysis follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Tracked {
    /// Objects whose field has that value; the field is the analysed module's.
    Base(FieldId, Constant),
    /// A Boolean of the analysed module, or a variable of another module.
    Spec(SpecVarId),
    /// A Boolean variable of the analysed module that no specification mentions.
    Global(GlobalId),
    /// An object or Boolean. Formals are never assigned.
    Local(LocalId),
    /// Whether an int variable has that value.
    Number(LocalId, i64),
    /// Whether an int is at least so much, if it is compared with several constants.
    AtLeast(Int, i64),
    /// The object at a place that the procedure mentions more than once.
    Spot(Spot),
    /// Whether two indexes of arrays are so far from each other.
    Gap(Gap),
}

#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub entry: Var,
    pub now: Var,
}

pub struct Vocabulary<'p> {
    pub program: &'p Program,
    pub module: ModuleId,
    /// Of the procedure, formals first.
    locals: &'p [Local],
    formals: u32,
    pub store: Store,
    pub tracked: BTreeMap<Tracked, Pair>,
    /// Of the module's own sets.
    definitions: FxHashMap<SpecVarId, &'p Definition>,
    predvars: FxHashMap<GlobalId, SpecVarId>,
    /// The module's sets that other plugins define.
    heap_sets: Vec<(SpecVarId, Depends)>,
    by_now: FxHashMap<Var, Tracked>,
    by_entry: FxHashMap<Var, Tracked>,
    /// Sets of at most one element, and the type of elements of every set that has one.
    singles: FxHashMap<Var, ()>,
    types: FxHashMap<Var, TypeId>,
    names: FxHashSet<String>,
    /// By int variable that is followed: its constants.
    numbers: FxHashMap<LocalId, Vec<i64>>,
    /// Stand for formulas that are not interpreted here, and why.
    pub opaque: FxHashMap<Var, String>,
    temps: u32,
}

/// Variables that a scope hides from the module and that contracts of the procedures it calls speak of, or invariants about those
/// (docs/hob.md, "Scopes and invariants"). They change only while code of their module runs, as all others do.
fn hidden_from(program: &Program, module: ModuleId, proc: &Proc) -> Vec<SpecVarId> {
    let mut found = BTreeSet::new();
    let mention = |formula: &Formula, found: &mut BTreeSet<SpecVarId>| {
        crate::interp::names_of(formula, &mut |name| {
            if let Subject::SpecVar(id) = name.subject
                && !program.sees(module, program.spec_var(id).module)
            {
                found.insert(id);
            }
        });
    };
    let mut called = Vec::new();
    crate::visit::exprs(proc.body.as_deref().unwrap_or_default(), &mut |e| {
        if let ExprKind::Call(callee, _) = e.kind {
            called.push(callee);
        }
    });
    for callee in &called {
        let contract = &program.proc(*callee).contract;
        let written = contract.requires.iter().chain(&contract.ensures);
        let written = written.filter(|c| !matches!(c.reason, Reason::Invariant(_)));
        written.for_each(|clause| mention(&clause.formula, &mut found));
    }
    if !found.is_empty() {
        for invariant in called.iter().flat_map(|callee| invariants_behind(program, module, *callee)) {
            mention(&invariant.formula, &mut found);
        }
    }
    found.into_iter().collect()
}

/// Whether contracts of procedures that it calls speak of what scopes hide from it.
pub fn calls_with_hidden(program: &Program, proc: ProcId) -> bool {
    let proc = program.proc(proc);
    !hidden_from(program, proc.module, proc).is_empty()
}

/// Invariants of scopes that a call enters from outside: they hold then, since no code of the scope runs, or it was left by a call that
/// may come back, at which they must hold.
pub fn invariants_behind(program: &Program, module: ModuleId, callee: ProcId) -> Vec<&Invariant> {
    let target = program.proc(callee).module;
    let entered = program.scopes.iter().filter(|s| s.exports.contains(&target) && !s.modules.contains(&module));
    entered.flat_map(|scope| &scope.invariants).collect()
}

impl<'p> Vocabulary<'p> {
    /// For code of a module: of a procedure, or of none if only the module's state is spoken of.
    pub fn new(program: &'p Program, module: ModuleId, proc: Option<ProcId>, store: Store) -> Vocabulary<'p> {
        let proc = proc.map(|proc| program.proc(proc));
        let mut it = Vocabulary {
            program,
            module,
            locals: proc.map_or(&[], |proc| &proc.locals),
            formals: proc.map_or(0, |proc| proc.formals),
            store,
            tracked: BTreeMap::new(),
            definitions: FxHashMap::default(),
            predvars: FxHashMap::default(),
            heap_sets: Vec::new(),
            by_now: FxHashMap::default(),
            by_entry: FxHashMap::default(),
            singles: FxHashMap::default(),
            types: FxHashMap::default(),
            names: FxHashSet::default(),
            numbers: FxHashMap::default(),
            opaque: FxHashMap::default(),
            temps: 0,
        };
        for plugin in program.module(module).plugins.iter().filter(|p| p.checker == Checker::Flags) {
            for set in &plugin.sets {
                it.definitions.insert(set.variable, &set.definition);
            }
        }
        // Whichever section says so: the Boolean is the variable.
        let predvars = program.module(module).plugins.iter().flat_map(|p| &p.predvars);
        it.predvars.extend(predvars.map(|(spec, global)| (*global, *spec)));
        let others = program.module(module).plugins.iter().filter(|p| p.checker != Checker::Flags);
        let named = |id| {
            program
                .module(module)
                .plugins
                .iter()
                .flat_map(|p| &p.sets)
                .find(|s| s.variable == id)
                .map(|s| &s.definition)
        };
        it.heap_sets = others.flat_map(|p| &p.sets).map(|s| (s.variable, Depends::of(&s.definition, &named))).collect();
        let definitions: Vec<_> = it.definitions.values().copied().collect();
        for definition in definitions {
            it.add_bases(definition);
        }
        for (i, variable) in program.spec_vars.iter().enumerate() {
            let id = SpecVarId(i as u32);
            let is_seen = program.sees(module, variable.module) && variable.kind != SpecVarKind::Relation;
            if is_seen && !it.definitions.contains_key(&id) {
                let sort = if variable.kind == SpecVarKind::Bool { Sort::Bool } else { Sort::Set };
                let elements = if let SpecVarKind::Set(Some(ty)) = variable.kind { Some(ty) } else { None };
                it.add(Tracked::Spec(id), &program.name_from(module, id), sort, elements, false);
            }
        }
        for id in proc.map(|proc| hidden_from(program, module, proc)).unwrap_or_default() {
            let variable = program.spec_var(id);
            let sort = if variable.kind == SpecVarKind::Bool { Sort::Bool } else { Sort::Set };
            let elements = if let SpecVarKind::Set(Some(ty)) = variable.kind { Some(ty) } else { None };
            it.add(Tracked::Spec(id), &program.name_from(module, id), sort, elements, false);
        }
        for &global in &program.module(module).globals {
            if program.globals[global.index()].ty == Type::Bool && !it.predvars.contains_key(&global) {
                it.add(Tracked::Global(global), &program.globals[global.index()].name, Sort::Bool, None, false);
            }
        }
        for i in 0..it.locals.len() as u32 {
            it.add_local(LocalId(i));
        }
        if let Some(proc) = proc {
            let spots = spots(proc);
            it.add_numbers(proc, &spots);
            it.add_ranges(proc);
            it.add_flags(proc);
            for gap in gaps(&spots) {
                let [of, from] = [gap.of, gap.from].map(|v| it.index_name(Index { of: Some(v), plus: 0 }));
                it.add(Tracked::Gap(gap), &format!("{of} = {from} + {}", gap.plus), Sort::Bool, None, false);
            }
            for (spot, ty) in spots {
                let name = it.spot_name(spot);
                it.add(Tracked::Spot(spot), &name, Sort::Set, Some(ty), false);
            }
        }
        it
    }

    fn add_bases(&mut self, definition: &Definition) {
        match definition {
            Definition::Union(a, b) | Definition::Inter(a, b) => {
                self.add_bases(a);
                self.add_bases(b);
            }
            Definition::Flag { object, field, constant } => self.add_base(*object, *field, *constant),
            Definition::Named(_) | Definition::Heap { .. } => {}
        }
    }

    fn add_base(&mut self, object: TypeId, field: FieldId, constant: Constant) {
        let base = Tracked::Base(field, constant);
        if self.tracked.contains_key(&base) {
            return;
        }
        let named = self.definitions.iter().find(
            |(_, d)| matches!(d, Definition::Flag { field: f, constant: c, .. } if (*f, *c) == (field, constant)),
        );
        let name = match named {
            Some((id, _)) => self.program.spec_var(*id).name.clone(),
            None => format!("{{{} = {constant}}}", self.program.field(field).name),
        };
        self.add(base, &name, Sort::Set, Some(object), false);
    }

    fn add_local(&mut self, id: LocalId) {
        let local = &self.locals[id.index()];
        let (sort, elements) = match local.ty {
            Type::Bool => (Sort::Bool, None),
            Type::Object(ty) => (Sort::Set, Some(ty)),
            _ => return,
        };
        let formal = id.0 < self.formals;
        self.add(Tracked::Local(id), &local.name, sort, elements, formal);
    }

    fn add_numbers(&mut self, proc: &Proc, spots: &BTreeMap<Spot, TypeId>) {
        let bases = |field| {
            let over = self.over_field(field).into_iter();
            over.filter_map(|(_, c)| if let Constant::Int(n) = c { Some(n) } else { None }).collect()
        };
        for (node, constants) in followed(self.program, proc, &bases, spots) {
            match node {
                Node::Local(local) => {
                    let (name, formal) = (proc.locals[local.index()].name.clone(), local.0 < proc.formals);
                    for constant in &constants {
                        let what = Tracked::Number(local, *constant);
                        self.add(what, &format!("{name} = {constant}"), Sort::Bool, None, formal);
                    }
                    self.numbers.insert(local, constants);
                }
                Node::Field(field) => {
                    let object = self.program.field(field).object;
                    for constant in constants.into_iter().map(Constant::Int) {
                        self.add_base(object, field, constant);
                    }
                }
            }
        }
    }

    /// Boolean fields that no set is defined by: those that are read, and read or written elsewhere, if only by `new`.
    fn add_flags(&mut self, proc: &Proc) {
        let (mut reads, mut writes, mut made) = (FxHashMap::default(), FxHashSet::default(), FxHashSet::default());
        let on_expr = &mut |e: &Expr| match (&e.kind, &e.ty) {
            (ExprKind::Field(_, field), Type::Bool) => *reads.entry(*field).or_insert(0) += 1,
            (ExprKind::New(ty), _) => drop(made.insert(*ty)),
            _ => {}
        };
        crate::visit::stmts(proc.body.as_deref().unwrap_or_default(), on_expr, &mut |place| {
            if let Place::Field(_, field) = place {
                writes.insert(*field);
            }
        });
        let mut fields: Vec<FieldId> = reads
            .iter()
            .filter(|(f, n)| **n > 1 || writes.contains(f) || made.contains(&self.program.field(**f).object))
            .map(|(f, _)| *f)
            .collect();
        fields.sort_unstable();
        for field in fields {
            if self.over_field(field).is_empty() {
                self.add_base(self.program.field(field).object, field, Constant::Bool(true));
            }
        }
    }

    /// Of ints that are followed.
    fn add_ranges(&mut self, proc: &Proc) {
        for (int, thresholds) in thresholds(proc) {
            let (name, formal, is_followed) = match int {
                Int::Local(id) => {
                    let local = &proc.locals[id.index()];
                    (local.name.clone(), id.0 < proc.formals, self.numbers.contains_key(&id))
                }
                Int::Field(id, field) => {
                    let name = self.spot_name(Spot::Field(id, field));
                    (name, false, !self.over_field(field).is_empty())
                }
            };
            for least in thresholds.into_iter().filter(|_| is_followed) {
                self.add(Tracked::AtLeast(int, least), &format!("{name} >= {least}"), Sort::Bool, None, formal);
            }
        }
    }

    /// As code writes it.
    pub fn spot_name(&self, spot: Spot) -> String {
        let holder = |holder| match holder {
            Holder::Local(id) => self.variable_name(Variable::Local(id)),
            Holder::Global(id) => self.variable_name(Variable::Global(id)),
            Holder::Field(object, field) => self.spot_name(Spot::Field(object, field)),
        };
        match spot {
            Spot::Global(id) => self.variable_name(Variable::Global(id)),
            Spot::Field(object, field) => {
                format!("{}.{}", self.variable_name(Variable::Local(object)), self.program.field(field).name)
            }
            Spot::Element(array, index) => {
                let array = match array {
                    Array::Held(at) => holder(at),
                    Array::Row(at, row) => format!("{}[{}]", holder(at), self.index_name(row)),
                };
                format!("{array}[{}]", self.index_name(index))
            }
        }
    }

    fn variable_name(&self, variable: Variable) -> String {
        match variable {
            Variable::Local(id) => self.locals[id.index()].name.clone(),
            Variable::Global(id) => self.program.globals[id.index()].name.clone(),
        }
    }

    fn index_name(&self, index: Index) -> String {
        match (index.of.map(|v| self.variable_name(v)), index.plus) {
            (None, n) => n.to_string(),
            (Some(name), 0) => name,
            (Some(name), n) if n < 0 => format!("{name} - {}", n.unsigned_abs()),
            (Some(name), n) => format!("{name} + {n}"),
        }
    }

    /// What an int variable is followed as.
    pub fn numbers_of(&self, local: LocalId) -> Vec<Tracked> {
        self.numbers.get(&local).into_iter().flatten().map(|c| Tracked::Number(local, *c)).collect()
    }

    /// Different things have different variables, whatever they are called.
    fn add(&mut self, what: Tracked, name: &str, sort: Sort, elements: Option<TypeId>, constant: bool) {
        let mut name = name.to_owned();
        while !self.names.insert(name.clone()) {
            name.push('_');
        }
        let entry = self.store.variable(&name, sort);
        let now = if constant { entry } else { self.store.variable(&format!("{name}'"), sort) };
        self.tracked.insert(what, Pair { entry, now });
        self.by_entry.insert(entry, what);
        self.by_now.insert(now, what);
        for var in [entry, now] {
            if let Some(ty) = elements {
                self.types.insert(var, ty);
            }
            if matches!(what, Tracked::Local(_) | Tracked::Spot(_)) && sort == Sort::Set {
                self.singles.insert(var, ());
            }
        }
    }

    /// The value that the variable had before a step: a fresh one of its kind.
    pub fn hat(&mut self, var: Var) -> Var {
        let hat = self.store.fresh(var);
        if let Some(ty) = self.types.get(&var).copied() {
            self.types.insert(hat, ty);
        }
        if self.singles.contains_key(&var) {
            self.singles.insert(hat, ());
        }
        hat
    }

    /// An object, or null, that nothing is known of.
    pub fn temp_object(&mut self, ty: &Type) -> Var {
        self.temps += 1;
        // No name of a program begins with `%`.
        let var = self.store.variable(&format!("%{}", self.temps), Sort::Set);
        self.singles.insert(var, ());
        if let Type::Object(ty) = ty {
            self.types.insert(var, *ty);
        }
        var
    }

    pub fn temp_bool(&mut self) -> Var {
        self.temps += 1;
        self.store.variable(&format!("%{}", self.temps), Sort::Bool)
    }

    pub fn is_single(&self, var: Var) -> bool {
        self.singles.contains_key(&var)
    }

    pub fn element_type(&self, var: Var) -> Option<TypeId> {
        self.types.get(&var).copied()
    }

    pub fn now(&self, what: Tracked) -> Option<Var> {
        self.tracked.get(&what).map(|pair| pair.now)
    }

    /// What a Boolean module variable is followed as.
    pub fn global(&self, id: GlobalId) -> Option<Tracked> {
        let what = match self.predvars.get(&id) {
            Some(spec) => Tracked::Spec(*spec),
            None => Tracked::Global(id),
        };
        self.tracked.contains_key(&what).then_some(what)
    }

    pub fn definition(&self, id: SpecVarId) -> Option<&'p Definition> {
        self.definitions.get(&id).copied()
    }

    /// The module's sets of other plugins that such a step may change.
    pub fn touched(&self, touch: &Touch) -> Vec<Tracked> {
        let touched = self.heap_sets.iter().filter(|(_, set)| set.depends_on(touch));
        touched.map(|(id, _)| Tracked::Spec(*id)).filter(|what| self.tracked.contains_key(what)).collect()
    }

    /// Whether a scope hides it from the module: it is followed because a callee's contract speaks of it.
    pub fn is_hidden(&self, what: Tracked) -> bool {
        matches!(what, Tracked::Spec(id) if !self.program.sees(self.module, self.program.spec_var(id).module))
    }

    /// What such a variable of a fact is.
    pub fn what(&self, var: Var) -> Option<Tracked> {
        self.by_now.get(&var).or(self.by_entry.get(&var)).copied()
    }

    /// The base sets over a field, each with its constant: F(f) of docs/hob.md, "Statements".
    pub fn over_field(&self, field: FieldId) -> Vec<(Tracked, Constant)> {
        let first = Tracked::Base(field, Constant::Int(i64::MIN));
        let last = Tracked::Base(field, Constant::Bool(true));
        self.tracked
            .range(first..=last)
            .filter_map(|(what, _)| if let Tracked::Base(_, constant) = what { Some((*what, *constant)) } else { None })
            .collect()
    }

    /// D of docs/hob.md, "State and facts", as far as it concerns the variables of a formula: what variables that do not occur would add
    /// can always be met.
    pub fn facts(&mut self, of: &[Var]) -> Vec<Fact> {
        let mut facts = Vec::new();
        for &var in of {
            if self.is_single(var) {
                let set = self.store.set(var);
                facts.push(self.store.card(set, Compare::AtMost, 1));
            }
        }
        for now in [false, true] {
            let at: Vec<(Tracked, Var)> = of
                .iter()
                .filter_map(|v| if now { self.by_now.get(v) } else { self.by_entry.get(v) }.map(|what| (*what, *v)))
                .collect();
            self.base_facts(&at, &mut facts);
        }
        facts
    }

    /// An int has one value; sets of one field with different constants are disjoint; objects of the type whose Boolean field is followed both ways are in
    /// one of the two sets.
    fn base_facts(&mut self, at: &[(Tracked, Var)], facts: &mut Vec<Fact>) {
        for (i, &(what, var)) in at.iter().enumerate() {
            if let Tracked::Number(local, _) = what {
                for &(_, other) in at[i + 1..].iter().filter(|(w, _)| matches!(w, Tracked::Number(l, _) if *l == local))
                {
                    let both = [self.store.boolean(var), self.store.boolean(other)];
                    let both = self.store.and(both);
                    facts.push(self.store.not(both));
                }
            }
            let Tracked::Base(field, constant) = what else { continue };
            for &(other, other_var) in &at[i + 1..] {
                if let Tracked::Base(f, c) = other
                    && f == field
                    && c != constant
                {
                    let parts = [self.store.set(var), self.store.set(other_var)];
                    facts.push(self.store.disjoint(parts));
                }
            }
            if constant != Constant::Bool(true) {
                continue;
            }
            let Some(&(_, off)) = at.iter().find(|(w, _)| *w == Tracked::Base(field, Constant::Bool(false))) else {
                continue;
            };
            let parts = [self.store.set(var), self.store.set(off)];
            let all = self.store.union(parts);
            let of_type: Vec<Var> = at
                .iter()
                .filter(|(w, v)| {
                    self.element_type(*v) == self.element_type(var) && !matches!(w, Tracked::Base(f, _) if *f == field)
                })
                .map(|(_, v)| *v)
                .collect();
            for member in of_type {
                let member = self.store.set(member);
                facts.push(self.store.subset(member, all));
            }
        }
    }

    /// No object is of two types. Seldom needed: asked for only where a proof fails without.
    pub fn type_facts(&mut self, of: &[Var]) -> Vec<Fact> {
        let mut by_type: BTreeMap<TypeId, Vec<Term>> = BTreeMap::new();
        for &var in of {
            if let Some(ty) = self.element_type(var) {
                let term = self.store.set(var);
                by_type.entry(ty).or_default().push(term);
            }
        }
        if by_type.len() < 2 {
            return Vec::new();
        }
        let unions: Vec<Term> = by_type.into_values().map(|terms| self.store.union(terms)).collect();
        vec![self.store.disjoint(unions)]
    }
}
