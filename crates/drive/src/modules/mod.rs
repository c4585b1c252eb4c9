//! Hob modules: one answer per procedure, by the plugin that its module names.

mod bounded;
mod flags;
mod overview;
mod trusted;

pub use bounded::MOST as GREATEST_BOUND;
pub use flags::mona;

use crate::{Audience, Event, Place};
use hob::Program;
use hob::program::{ModuleId, ProcId, ScopeId};
use source::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use verdict::{Assumption, AssumptionKind, Engine, Failure, Item, ItemKind, Reason, Subject, SubjectKind, Verdict};
use work::Stop;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The bound of the plugin `bounded`.
    pub bound: i64,
    pub threads: usize,
    pub certify: bool,
    /// Every object whose field is used must be there.
    pub check_null: bool,
    /// Where MONA is, for what nothing else decides, and for proofs for all heaps.
    pub mona: Option<PathBuf>,
    /// States run so far, for whoever watches.
    pub states: Arc<AtomicU64>,
}

/// A module to check, and the procedure if it is only one.
pub type Target = (ModuleId, Option<ProcId>);

/// Which modules the user named, and what of them is wanted.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Modules that the named files declare.
    pub given: BTreeSet<String>,
    /// Only this module.
    pub module: Option<String>,
    /// Only this procedure, as `insert` or `List.insert`.
    pub proc: Option<String>,
}

impl Choice {
    /// Of the modules that the user named those with a plugin, and the procedures asked for.
    pub fn targets(&self, program: &Program) -> Result<Vec<Target>, Vec<Diagnostic>> {
        let unknown = |what: &str, name: &str, known: Vec<&str>| {
            let message = format!("there is no {what} `{name}` to check");
            let help =
                source::suggestion(name, known.into_iter(), "only modules with an abstraction section are checked");
            Err(vec![Diagnostic::error("unknown-name", None, message).help(help)])
        };
        let all = (0..program.modules.len() as u32).map(ModuleId);
        let is_given = |m: &ModuleId| self.given.contains(&program.module(*m).name);
        let mut modules: Vec<ModuleId> =
            all.filter(|m| is_given(m) && !program.module(*m).plugins.is_empty()).collect();
        if let Some(name) = &self.module {
            let known = modules.iter().map(|m| program.module(*m).name.as_str()).collect();
            modules.retain(|m| program.module(*m).name == *name);
            if modules.is_empty() {
                return unknown("module", name, known);
            }
        }
        let Some(name) = &self.proc else { return Ok(modules.into_iter().map(|m| (m, None)).collect()) };
        let procs = || modules.iter().flat_map(|m| program.module(*m).procs.iter().map(move |p| (*m, *p)));
        let found: Vec<_> = procs()
            .filter(|(_, p)| program.proc(*p).name == *name || program.proc_name(*p) == *name)
            .map(|(m, p)| (m, Some(p)))
            .collect();
        if found.is_empty() {
            return unknown("procedure", name, procs().map(|(_, p)| program.proc(p).name.as_str()).collect());
        }
        Ok(found)
    }

    fn is_all(&self) -> bool {
        self.module.is_none() && self.proc.is_none()
    }
}

/// Everything that is wanted.
pub fn check(
    program: &'static Program,
    choice: &Choice,
    targets: &[Target],
    options: &Options,
    stop: &Stop,
    audience: &mut dyn Audience,
) {
    let limits = sets::Limits {
        stop: stop.clone(),
        mona: options.mona.clone(),
        certify: options.certify,
        ..sets::Limits::default()
    };
    let mut run = Run {
        program,
        stop,
        options,
        limits,
        more: Vec::new(),
        said: BTreeSet::new(),
        answers: BTreeMap::new(),
        for_all_heaps: BTreeSet::new(),
        faults: BTreeMap::new(),
        first: 0,
    };
    run.find_more(targets);
    let flags = flags::plan(&run, targets);
    let bounded = bounded::plan(&run, targets);
    let subjects = flags.subjects.iter().chain(bounded.iter().map(|b| &b.subject)).cloned().collect();
    audience.tell(Event::Planned(subjects));
    flags::check(&mut run, &flags, audience);
    bounded::check(&mut run, &bounded, audience);
    run.scopes(targets, audience);
    let checked: Vec<ProcId> = flags.procs.iter().chain(bounded.iter().flat_map(|b| &b.procs)).copied().collect();
    audience.tell(Event::RestsOn(trusted::trusted(program, &checked, choice, targets)));
    audience.tell(Event::Overview(Box::new(overview::overview(&run, choice))));
}

/// What the plugins share.
struct Run<'a> {
    program: &'static Program,
    stop: &'a Stop,
    options: &'a Options,
    limits: sets::Limits,
    /// Problems that no plugin finds: each is part of the first answer for its procedure. A reason if it is not certain.
    more: Vec<(ProcId, Diagnostic, Option<String>)>,
    /// A default or an invariant is of many procedures: what is odd about it is said once.
    said: BTreeSet<(&'static str, Option<Span>)>,
    /// The worst answer for each procedure so far.
    answers: BTreeMap<ProcId, Verdict>,
    /// Sections whose modules are proved for all heaps, beyond the bound.
    for_all_heaps: BTreeSet<(ModuleId, Span)>,
    /// Which procedure of a generic module, or of an instance of it, was the first with a fault at these places.
    faults: BTreeMap<(String, String, Vec<Fault>), ProcId>,
    /// The number of the next subject.
    first: usize,
}

/// What is wrong, and where.
type Fault = (&'static str, Option<Span>);

impl Run<'_> {
    /// What must hold when the program starts, and arrays that escape.
    fn find_more(&mut self, targets: &[Target]) {
        let program = self.program;
        for main in hob::interp::entry_points(program) {
            for (clause, unknown) in hob::flags::not_met_at_start(program, main, &self.limits) {
                let told = hob::flags::explain::not_met_at_start(program, main, clause);
                self.more.push((main, told, unknown));
            }
        }
        for (module, _) in targets {
            for escape in hob::escapes(program, *module) {
                let may = (!escape.is_certain).then(|| escape.diagnostic.message.clone());
                self.more.push((escape.proc, escape.diagnostic, may));
            }
        }
    }

    /// The item of a procedure before anything is known.
    fn planned(&self, proc: ProcId, engine: Engine) -> Item {
        let declared = self.program.proc(proc);
        let item = Item::new(ItemKind::Procedure, declared.name.clone(), Verdict::Unknown, engine);
        Item { span: Some(declared.span), rests_on: self.assumptions(proc), ..item }
    }

    /// What a verdict about a procedure rests on in its module.
    fn assumptions(&self, proc: ProcId) -> Vec<Assumption> {
        let told = hob::assumptions(self.program, proc).into_iter().map(|a| {
            let name = self.program.proc_name(a.proc);
            let label = a.label.map_or(String::new(), |l| format!("  ({l})"));
            let message = format!("assume{label}");
            Assumption { kind: AssumptionKind::Assumed, name, message, span: Some(a.formula) }
        });
        told.collect()
    }

    /// Leaves out what was said before. Why something is not proved is said of each procedure.
    fn say_once(&mut self, item: &mut Item) {
        item.warnings.retain(|w| w.id == bounded::NOT_FOR_ALL_HEAPS || self.said.insert((w.id, w.span)));
    }

    /// Adds what no plugin finds, and leaves out warnings that were said before.
    fn complete(&mut self, proc: ProcId, item: &mut Item) {
        let mine;
        (mine, self.more) = std::mem::take(&mut self.more).into_iter().partition(|(p, ..)| *p == proc);
        for (_, problem, unknown) in mine {
            match unknown {
                None => {
                    item.verdict = Verdict::Violated;
                    item.reasons.clear();
                    item.failures.push(Failure::of(problem));
                }
                Some(_) if item.verdict == Verdict::Violated => {}
                Some(why) => {
                    item.verdict = Verdict::Unknown;
                    item.reasons.push(undecided(problem.span, why));
                }
            }
        }
        self.say_once(item);
        self.explain_once(proc, item);
        let worst = self.answers.entry(proc).or_insert(item.verdict);
        *worst = worse(*worst, item.verdict);
    }

    /// Instances share their code: a fault of it is shown once, and named for the others.
    fn explain_once(&mut self, proc: ProcId, item: &mut Item) {
        let program = self.program;
        let declared = program.proc(proc);
        let generic = program.origin(declared.module);
        for failure in &mut item.failures {
            let places = failure.problems.iter().map(|p| (p.id, p.span)).collect();
            let first = *self.faults.entry((generic.to_owned(), declared.name.clone(), places)).or_insert(proc);
            if program.proc(first).module == declared.module {
                continue;
            }
            let (id, name) = (failure.problems[0].id, program.proc_name(proc));
            let message = format!(
                "{name} has the same fault as {}: {} shares the code of {generic}",
                program.proc_name(first),
                program.module(declared.module).name
            );
            *failure = Failure { size: failure.size, ..Failure::of(Diagnostic::error(id, None, message)) };
        }
    }

    /// Of some procedures; None if one of them has no answer.
    fn worst(&self, procs: &[ProcId]) -> Option<Verdict> {
        let answers = procs.iter().filter(|p| self.program.proc(**p).body.is_some()).map(|p| self.answers.get(p));
        answers.into_iter().try_fold(Verdict::Verified, |worst, answer| Some(worse(worst, *answer?)))
    }

    /// Invariants that do not hold when everything is empty.
    fn scopes(&mut self, targets: &[Target], audience: &mut dyn Audience) {
        let program = self.program;
        for id in (0..program.scopes.len() as u32).map(ScopeId) {
            let scope = &program.scopes[id.index()];
            if !scope.modules.iter().any(|m| targets.iter().any(|(target, _)| target == m)) {
                continue;
            }
            let broken = hob::flags::broken_initially(program, id, &self.limits);
            // Whoever stopped it says why nothing is known of an item that is only planned.
            let is_over = self.stop.is_due();
            if broken.is_empty() && !is_over {
                continue;
            }
            let mut subject = Subject::new(SubjectKind::Scope, scope.name.clone());
            let mut item = Item::new(ItemKind::Start, "the start", Verdict::Unknown, Engine::Flags);
            item.span = broken.first().map(|(span, _)| *span);
            subject.items.push(item.clone());
            audience.tell(Event::Planned(vec![subject]));
            if !is_over {
                let (open, failed): (Vec<_>, Vec<_>) = broken.into_iter().partition(|(_, unknown)| unknown.is_some());
                if failed.is_empty() {
                    item.reasons =
                        open.into_iter().filter_map(|(span, why)| Some(undecided(Some(span), why?))).collect();
                } else {
                    item.verdict = Verdict::Violated;
                    item.failures =
                        failed.into_iter().map(|(span, _)| Failure::of(at_first(&scope.name, span))).collect();
                }
                audience.tell(Event::Item(Place { subject: self.first, item: 0 }, Box::new(item)));
                audience.tell(Event::Complete(self.first));
            }
            self.first += 1;
        }
    }
}

fn worse(a: Verdict, b: Verdict) -> Verdict {
    match (a, b) {
        (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
        (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
        _ => Verdict::Verified,
    }
}

fn at_first(scope: &str, span: Span) -> Diagnostic {
    let message =
        format!("an invariant of {scope} does not hold at first, when all sets are empty and all Booleans false");
    Diagnostic::error("hob-initial", span, message).help("guard it with a Boolean that an initialiser sets")
}

/// Why an obligation is not decided.
fn undecided(span: Option<Span>, why: String) -> Reason {
    Reason::Open(Diagnostic::warning("hob-unknown", span, format!("not decided: {why}")))
}
