//! Proofs for all heaps, by MONA: of modules whose sets and invariants speak of lists, or of PALE's trees (docs/hob.md, "Proofs for all
//! heaps").
//!
//! What goes in: a module, what of it is to be shown (the same [`Subject`]s as `bounded` has), and where MONA is. What comes out: that
//! it is so on every heap, or why that is not shown. Nothing here says that something is wrong: that is left to `bounded`.
//!
//! How: a heap is laid out on the positions of WS1S (a list after the other) or of WS2S (trees): [`layout`]. Every run of a procedure is
//! followed symbolically ([`execute`]), its values being positions, and what must hold is a formula about positions, which MONA decides.
//! So nothing bounds the number of objects. Kept: every concrete heap and run is one of the layouts and paths; what is not known (fields
//! of objects outside of the structure, ints) may be anything. Loops: [`loops`], [`cuts`]; procedures that call themselves: [`recursion`].

mod calls;
mod cuts;
mod determined;
mod execute;
mod formula;
mod heap;
mod layout;
mod loops;
mod recursion;

use crate::bounded::Subject;
use crate::depends::{Depends, Touch};
use crate::flags::Effects;
use crate::flags::Written;
use crate::program::*;
use execute::{Flow, State, Value};
use formula::{Mode, When};
use heap::{Heap, not};
use source::Span;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;
use work::Stop;

/// How an attempt ends.
#[derive(Clone, Debug)]
pub enum Answer {
    /// On every heap.
    Proved,
    /// Why not, in words that follow "not proved for all heaps:", and where.
    Open(Span, String),
}

/// Where MONA is, and how much of the processor's time it may take for one subject: what is proved does not depend on what else the machine
/// does.
#[derive(Clone, Debug)]
pub struct Options {
    pub mona: PathBuf,
    pub most: Duration,
    pub stop: Stop,
}

/// Of the processor, for several questions at once: most take some milliseconds. What takes longer is easier one by one (trees, of which one
/// question took 9 s, and all of them more than 20).
const TOGETHER: Duration = Duration::from_secs(2);

/// Questions about one subject: more are a sign of paths without number.
const MOST_QUESTIONS: usize = 400;

/// Whether proofs are tried: of sections in a language that describes the shape of heaps.
pub fn concerns(section: &PluginUse) -> bool {
    matches!(section.plugin.as_str(), "PALE" | "pale" | "Bohne" | "Bohne decaf" | "bohne")
}

/// A module whose heaps are laid out: what all its proofs begin with.
pub struct Ground<'p> {
    program: &'p Program,
    module: ModuleId,
    effects: Effects,
    layout: Shown<layout::Layout>,
}

impl<'p> Ground<'p> {
    pub fn new(program: &'p Program, module: ModuleId, options: &Options) -> Ground<'p> {
        let effects = Effects::of(program);
        let mut prover = Prover::new(program, module, &effects, layout::Layout::of(program, module), options);
        // Every layout rests on this.
        prover.hopes_for_fields = false;
        let found = prover
            .find_roots()
            .and_then(|()| prover.find_forest())
            .and_then(|()| prover.find_payload())
            .and_then(|()| prover.is_possible());
        let layout = found.map(|()| prover.layout);
        Ground { program, module, effects, layout }
    }

    /// Whether a subject that `bounded` has verified, on some heap at least, is so on all heaps.
    pub fn prove(&self, subject: Subject, options: &Options) -> Answer {
        let shown = self.layout.clone().and_then(|layout| {
            let mut prover = Prover::new(self.program, self.module, &self.effects, layout, options);
            let mut shown = prover.subject(subject);
            if shown.is_err() && prover.was_hope_in_vain {
                prover.hopes_for_fields = false;
                shown = prover.subject(subject);
            }
            if shown.is_err() && prover.has_believed {
                prover.believes_contracts = false;
                shown = prover.subject(subject);
            }
            shown
        });
        match shown {
            Ok(()) => Answer::Proved,
            Err(open) => Answer::Open(open.span, open.why),
        }
    }
}

/// Why nothing more can be said.
#[derive(Clone, Debug)]
struct Open {
    span: Span,
    why: String,
}

type Shown<T = ()> = Result<T, Open>;

fn open<T>(span: Span, why: impl Into<String>) -> Shown<T> {
    Err(Open { span, why: why.into() })
}

/// A formula, where it is written, and what it says, in words before "is not shown".
type Goal = (String, Span, String);

/// Goals that must follow in a state.
struct Owed {
    state: State,
    goals: Vec<Goal>,
    /// Nobody asked for it: it makes the rest simpler.
    is_hope: bool,
}

struct Prover<'p> {
    program: &'p Program,
    module: ModuleId,
    effects: &'p Effects,
    options: &'p Options,
    /// The invariants of the representation, of all sections.
    invariants: Vec<&'p HeapInvariant>,
    layout: layout::Layout,
    /// Of fields that are not laid out: every object holds something that the invariants allow, as they hold.
    something_fits: Vec<String>,
    names: u32,
    questions: usize,
    /// Of MONA's time.
    left: Duration,
    /// What must hold here, and is to be asked.
    goals: Vec<Goal>,
    /// What must have held, and is asked at the end, together: each MONA that is started takes as long as most of its questions.
    owed: Vec<Owed>,
    /// Several goals are asked together.
    collects: bool,
    /// Obligations are passed over: only where runs lead to is asked.
    only_follows: bool,
    /// The procedures that run, the innermost last.
    running: Vec<ProcId>,
    /// The one of them that calls itself, and whose body is followed for any of these calls.
    recursion: Option<recursion::Recursion>,
    /// Of callees that change nothing only what they ensure is kept, which has been shown: tried first. Whether there were some.
    believes_contracts: bool,
    has_believed: bool,
    /// Fields on the way of routes are taken to be known, which is owed: tried first. Whether they are not.
    hopes_for_fields: bool,
    was_hope_in_vain: bool,
}

impl<'p> Prover<'p> {
    fn new(
        program: &'p Program,
        module: ModuleId,
        effects: &'p Effects,
        layout: layout::Layout,
        options: &'p Options,
    ) -> Prover<'p> {
        Prover {
            program,
            module,
            effects,
            options,
            invariants: program.module(module).plugins.iter().flat_map(|p| &p.invariants).collect(),
            layout,
            something_fits: Vec::new(),
            names: 0,
            questions: 0,
            left: options.most,
            goals: Vec::new(),
            owed: Vec::new(),
            collects: false,
            only_follows: false,
            running: Vec::new(),
            recursion: None,
            believes_contracts: true,
            has_believed: false,
            hopes_for_fields: true,
            was_hope_in_vain: false,
        }
    }

    fn subject(&mut self, subject: Subject) -> Shown {
        (self.questions, self.only_follows, self.collects) = (0, false, false);
        self.goals.clear();
        self.running.clear();
        self.recursion = None;
        let followed = match subject {
            Subject::Start => self.start(),
            Subject::New(object) => self.new_object(object),
            Subject::Proc(proc) => self.proc(proc),
        };
        // What was owed before nothing more could be said is the reason to tell, unless there is no time to ask.
        if followed.is_err() && (self.options.stop.is_due() || self.left.is_zero()) {
            self.owed.clear();
            return followed;
        }
        self.settle().and(followed)
    }

    /// A name that nothing else has.
    fn fresh(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// Asks whether a goal follows from what is known.
    fn follows(&mut self, state: &State, goal: &str, span: Span) -> Shown<bool> {
        if goal == "true" || state.knows(goal) {
            return Ok(true);
        }
        self.count_question(span)?;
        let text = state.text(self.layout.logic(), &not(goal));
        match sets::mona::satisfiable(&self.options.mona, &text, &self.options.stop, &mut self.left) {
            Ok(is_satisfiable) => Ok(!is_satisfiable),
            Err(why) => open(span, why),
        }
    }

    fn count_question(&mut self, span: Span) -> Shown {
        self.questions += 1;
        if self.questions > MOST_QUESTIONS { open(span, "there are too many paths") } else { Ok(()) }
    }

    /// Something that must hold here: asked, and known afterwards. `known` is what a run that goes on knows of it.
    fn must(&mut self, state: &mut State, goal: &str, known: &str, span: Span, what: &str) -> Shown {
        if !self.only_follows {
            self.goals.push((goal.to_owned(), span, what.to_owned()));
            if !self.collects {
                self.owe(state)?;
            }
        }
        // Not before it is asked.
        if !self.collects {
            state.assume(known);
        }
        Ok(())
    }

    /// All goals must follow here.
    fn owe(&mut self, state: &State) -> Shown {
        let mut goals = std::mem::take(&mut self.goals);
        goals.retain(|(goal, ..)| goal != "true" && !state.knows(goal));
        if let Some(&(_, span, _)) = goals.first() {
            self.count_question(span)?;
            self.owed.push(Owed { state: state.clone(), goals, is_hope: false });
        }
        Ok(())
    }

    /// Asks for all that is owed: together, and one by one only to say what does not follow.
    fn settle(&mut self) -> Shown {
        let owed = std::mem::take(&mut self.owed);
        let mut rest = &owed[..];
        while let [first, ..] = rest {
            let count = rest.iter().take_while(|owed| owed.state.is_laid_out_as(&first.state)).count();
            let (together, later) = rest.split_at(count);
            rest = later;
            let questions: Vec<(&State, String)> =
                together.iter().map(|owed| (&owed.state, not(&whole(&owed.goals)))).collect();
            let text = execute::any_of(self.layout.logic(), &questions);
            if count > 1 && self.is_refuted_soon(&text) {
                continue;
            }
            for Owed { state, goals, is_hope } in together {
                // What does not follow although hopes are taken for facts does not follow without them.
                self.all_follow(state, goals).inspect_err(|_| self.was_hope_in_vain = *is_hope)?;
            }
        }
        Ok(())
    }

    fn is_refuted_soon(&mut self, text: &str) -> bool {
        let given = self.left.min(TOGETHER);
        let mut left = given;
        let answer = sets::mona::satisfiable(&self.options.mona, text, &self.options.stop, &mut left);
        self.left -= given - left;
        answer == Ok(false)
    }

    fn all_follow(&mut self, state: &State, goals: &[Goal]) -> Shown {
        let Some(&(_, span, _)) = goals.first() else { return Ok(()) };
        if self.follows(state, &whole(goals), span)? {
            return Ok(());
        }
        for (goal, span, what) in goals {
            if goals.len() == 1 || !self.follows(state, goal, *span)? {
                return open(*span, format!("{what} is not shown"));
            }
        }
        Ok(())
    }

    /// Those that depend on nothing that changed since they held, on a heap that is given, are not asked.
    fn invariants_hold(&mut self, state: &mut State, since: Option<&Heap>, when: &str) -> Shown {
        for invariant in self.invariants.clone() {
            let depends = || Depends::of_formula(&invariant.formula);
            if since.is_some_and(|before| self.is_kept(&depends(), before, &state.heap)) {
                continue;
            }
            let goal = self.heap_formula(state, &invariant.formula, Mode::Must)?;
            self.must(state, &goal, "true", invariant.span, &format!("that the invariant holds {when}"))?;
        }
        Ok(())
    }

    /// Whether a formula has nothing to do with what differs between two heaps.
    fn is_kept(&self, depends: &Depends, before: &Heap, now: &Heap) -> bool {
        if before.stamp == now.stamp {
            return true;
        }
        let module = self.program.module(self.module);
        // Ints are not followed. What nothing that runs may write is the same, but of new objects.
        let is_written =
            |what: Written| self.running.first().is_some_and(|running| self.effects.writes(*running, what));
        let is_same_global = |global: &GlobalId| match (before.globals.get(global), now.globals.get(global)) {
            (Some(a), Some(b)) if a == b && *a != Value::Other => true,
            _ => !is_written(Written::Global(*global)),
        };
        let is_same_field = |field: &FieldId| match (before.fields.get(field), now.fields.get(field)) {
            (Some(a), Some(b)) if Rc::ptr_eq(a, b) => true,
            _ => !is_written(Written::Field(*field)),
        };
        module.globals.iter().all(|g| !depends.depends_on(&Touch::Global(*g)) || is_same_global(g))
            && module.fields.iter().all(|f| !depends.depends_on(&Touch::Field(*f)) || is_same_field(f))
            && (before.made.len() == now.made.len() || !depends.depends_on(&Touch::New))
            && !depends.depends_on(&Touch::Element)
    }

    /// The invariants, without what every layout keeps: of PALE's the first one, that there is a forest.
    fn assumed(&self) -> Vec<&'p HeapInvariant> {
        let plugins = &self.program.module(self.module).plugins;
        let skipped = plugins.iter().find(|p| self.layout.is_declared_forest && p.backbone.is_some());
        let forest = skipped.and_then(|p| p.invariants.first());
        self.invariants.iter().copied().filter(|i| !forest.is_some_and(|f| std::ptr::eq(f, *i))).collect()
    }

    /// A heap that the invariants of the representation allow.
    fn any_heap(&mut self) -> Shown<State> {
        let mut state = self.laid_out()?;
        for invariant in self.assumed() {
            let known = self.heap_formula(&mut state, &invariant.formula, Mode::May)?;
            state.assume(&known);
        }
        for fact in &self.something_fits {
            state.assume(fact);
        }
        Ok(state)
    }

    /// At the start there are no objects, and everything is null or false.
    fn start(&mut self) -> Shown {
        let mut state = self.laid_out()?;
        let (x, nothing) = (self.fresh("x"), self.layout.null());
        state.assume(&format!("all1 {x}: {x} notin A"));
        for value in state.heap.globals.clone().into_values() {
            match value {
                Value::Object(name) => state.assume(&format!("{name} = {nothing}")),
                Value::Bool(name) => state.assume(&format!("~{name}")),
                Value::Other => {}
            }
        }
        state.entry = Rc::new(state.heap.clone());
        self.collects = true;
        for variable in self.own_variables() {
            let declared = self.program.spec_var(variable);
            let name =
                NameRef { subject: crate::program::Subject::SpecVar(variable), primed: true, span: declared.span };
            let kind = match declared.kind {
                SpecVarKind::Set(_) => FormulaKind::Equal(SetExpr::Name(name), SetExpr::Empty),
                SpecVarKind::Bool => {
                    FormulaKind::Not(Box::new(Formula { kind: FormulaKind::Bool(name), span: name.span }))
                }
                SpecVarKind::Relation => continue,
            };
            let formula = Formula { kind, span: declared.span };
            self.clause(&mut state, &formula, When::Later, "that it is empty at the start")?;
        }
        self.invariants_hold(&mut state, None, "at the start")?;
        let module = self.module;
        for scope in self.program.scopes.iter().filter(|s| s.modules.contains(&module)) {
            for invariant in &scope.invariants {
                // Booleans of other modules are false, their sets have no objects to hold.
                self.formula(&mut state, &invariant.formula, When::Entry, Mode::Must)?;
                for (variable, is_set) in state.elsewhere.clone() {
                    if !is_set {
                        state.assume(&format!("~{}", formula::elsewhere(variable)));
                    }
                }
                self.clause(
                    &mut state,
                    &invariant.formula,
                    When::Entry,
                    "that the scope's invariant holds at the start",
                )?;
            }
        }
        self.owe(&state)
    }

    /// A new object, made by anybody, changes no set and breaks no invariant.
    fn new_object(&mut self, object: TypeId) -> Shown {
        let mut state = self.any_heap()?;
        let before = state.heap.clone();
        let new = self.allocate(&mut state, object);
        self.collects = true;
        for variable in self.own_variables() {
            if self.is_of_flags(variable) {
                continue;
            }
            let at = self.program.spec_var(variable).span;
            if let SpecVarKind::Set(_) = self.program.spec_var(variable).kind {
                let set = self.set_of(&mut state, When::Later, true, variable, at)?;
                let goal = format!("{new} notin {set}");
                self.must(&mut state, &goal, &goal, at, "that a new object is in no set")?;
            }
            let formula = crate::bounded::unchanged(self.program, variable, at);
            self.clause(&mut state, &formula, When::Later, "that a new object changes no set")?;
        }
        self.invariants_hold(&mut state, Some(&before), "with a new object")?;
        self.owe(&state)
    }

    fn proc(&mut self, id: ProcId) -> Shown {
        let proc = self.program.proc(id);
        let Some(body) = &proc.body else { return open(proc.span, "it has no code") };
        let mut state = self.any_heap()?;
        for local in (0..proc.formals).map(LocalId) {
            let value = self.any_value(&mut state, &proc.locals[local.index()].ty);
            state.locals.insert(local, value);
        }
        self.know_public_invariants(&mut state);
        for clause in &proc.contract.requires {
            let known = self.formula(&mut state, &clause.formula, When::Entry, Mode::May)?;
            state.assume(&known);
        }
        let entry = state.heap.clone();
        self.running.push(id);
        if self.calls_itself(id) {
            let given: Vec<Value> = (0..proc.formals).filter_map(|i| state.locals.get(&LocalId(i)).cloned()).collect();
            self.recursive(state, id, &given, proc.span)?;
            return Ok(());
        }
        for flow in self.body(state, proc, body)? {
            let Some(mut state) = self.ended(flow, proc)? else { continue };
            self.collects = true;
            self.ends_well(&mut state, id)?;
            self.invariants_hold(&mut state, Some(&entry), "at the end")?;
            self.collects = false;
            self.owe(&state)?;
        }
        self.running.pop();
        Ok(())
    }

    /// The state at the end of a procedure's code; none if it would return nothing there, which must not be.
    fn ended(&mut self, flow: Flow, proc: &Proc) -> Shown<Option<State>> {
        match flow {
            Flow::Next(mut state) if proc.result.is_some() => {
                self.must(&mut state, "false", "false", proc.end, "that it returns something")?;
                Ok(None)
            }
            Flow::Next(state) | Flow::Return(state) => Ok(Some(state)),
        }
    }

    /// The `ensures` and the frame of the procedure that runs.
    fn ends_well(&mut self, state: &mut State, id: ProcId) -> Shown {
        let contract = &self.program.proc(id).contract;
        for clause in &contract.ensures {
            for part in crate::bounded::conjuncts(&clause.formula) {
                self.clause(state, part, When::Later, "that this holds at the end")?;
            }
        }
        for &variable in &contract.frame {
            if !self.is_own(variable) && !state.heap.elsewhere.contains_key(&variable) {
                continue;
            }
            if let Some(definition) = self.defined_as(variable)
                && (self.is_of_flags(variable) || state.heap.made.is_empty())
                && self.is_kept(&Depends::of(definition, &|v| self.defined_as(v)), &state.entry, &state.heap)
            {
                continue;
            }
            let formula = crate::bounded::unchanged(self.program, variable, contract.span);
            let name = self.program.name_from(self.module, variable);
            self.clause(state, &formula, When::Later, &format!("that `{name}` is what it was"))?;
        }
        Ok(())
    }

    /// A formula of the specification that must hold.
    fn clause(&mut self, state: &mut State, formula: &Formula, when: When, what: &str) -> Shown {
        let goal = self.formula(state, formula, when, Mode::Must)?;
        self.must(state, &goal, "true", formula.span, what)
    }

    /// Nothing is proved of no heap at all. Of each procedure `bounded` knows a heap that it may begin with.
    fn is_possible(&mut self) -> Shown {
        let (state, span) = (self.any_heap()?, self.program.module(self.module).span);
        if self.follows(&state, "false", span)? { open(span, "no heap meets the invariants") } else { Ok(()) }
    }

    /// Sets and Booleans that the module's code may change.
    fn own_variables(&self) -> Vec<SpecVarId> {
        self.program.module(self.module).spec_vars.iter().copied().filter(|v| self.is_own(*v)).collect()
    }

    fn defined_as(&self, variable: SpecVarId) -> Option<&'p Definition> {
        let sets = self.program.module(self.module).plugins.iter().flat_map(|p| &p.sets);
        sets.into_iter().find(|s| s.variable == variable).map(|s| &s.definition)
    }

    /// Whether flags alone define it: that no new object is in it is known of all such sets (`statics::stationarity`).
    fn is_of_flags(&self, variable: SpecVarId) -> bool {
        let mut waiting = vec![self.defined_as(variable)];
        while let Some(definition) = waiting.pop() {
            match definition {
                Some(Definition::Flag { .. }) => {}
                Some(Definition::Union(a, b) | Definition::Inter(a, b)) => waiting.extend([Some(&**a), Some(&**b)]),
                Some(Definition::Named(other)) => waiting.push(self.defined_as(*other)),
                Some(Definition::Heap { .. }) | None => return false,
            }
        }
        true
    }

    fn is_own(&self, variable: SpecVarId) -> bool {
        let plugins = &self.program.module(self.program.spec_var(variable).module).plugins;
        self.program.spec_var(variable).module == self.module
            && plugins.iter().any(|p| {
                p.sets.iter().any(|s| s.variable == variable) || p.predvars.iter().any(|(v, _)| *v == variable)
            })
    }
}

fn whole(goals: &[Goal]) -> String {
    heap::all(&goals.iter().map(|(goal, ..)| goal.clone()).collect::<Vec<_>>())
}
