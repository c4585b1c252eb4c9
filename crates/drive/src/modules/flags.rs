//! The plugin `flags`: set specifications, on all heaps.

use super::{Options, Run, Target, undecided};
use crate::{Audience, Event, Place, keep, no_thread};
use hob::Program;
use hob::flags::{self, Effects, Example, Finding, PLUGIN, Shown};
use hob::program::ProcId;
use source::{Diagnostic, SourceMap, Span};
use std::fmt::Write;
use verdict::heap::Step;
use verdict::{Change, Engine, Failure, Item, Reason, SetsExample, Subject, SubjectKind, Verdict};
use work::{Stop, in_order};

/// What is to be done.
pub struct Plan {
    pub subjects: Vec<Subject>,
    pub procs: Vec<ProcId>,
    places: Vec<Place>,
}

/// The procedures that are left to this plugin, in order.
fn wanted(program: &Program, targets: &[Target]) -> Vec<ProcId> {
    let of_target = |(module, only): &Target| {
        let only = *only;
        flags::procs(program, *module).into_iter().filter(move |p| only.is_none_or(|o| o == *p))
    };
    targets.iter().flat_map(of_target).collect()
}

pub fn plan(run: &Run<'_>, targets: &[Target]) -> Plan {
    let program = run.program;
    let procs = wanted(program, targets);
    let (mut subjects, mut places): (Vec<Subject>, Vec<Place>) = (Vec::new(), Vec::new());
    let mut modules = Vec::new();
    for proc in &procs {
        let module = program.proc(*proc).module;
        let subject = modules.iter().position(|m| *m == module).unwrap_or_else(|| {
            modules.push(module);
            let mut subject = Subject::new(SubjectKind::Module, program.module(module).name.clone());
            subject.plugin = Some(PLUGIN.to_owned());
            subject.scope = "all heaps".to_string();
            subjects.push(subject);
            modules.len() - 1
        });
        places.push(Place { subject, item: subjects[subject].items.len() });
        subjects[subject].items.push(run.planned(*proc, Engine::Flags));
    }
    Plan { subjects, procs, places }
}

/// How procedures are analysed.
pub fn options_of(limits: &sets::Limits, options: &Options) -> flags::Options {
    flags::Options { limits: limits.clone(), check_null: options.check_null, ..flags::Options::default() }
}

pub fn check(run: &mut Run<'_>, plan: &Plan, audience: &mut dyn Audience) {
    let program = run.program;
    run.first = plan.subjects.len();
    let options: &'static flags::Options = keep(options_of(&run.limits, run.options));
    let effects: &'static Effects = keep(Effects::of(program));
    let procs: &'static [ProcId] = keep(plan.procs.clone());
    let (stop, workers) = (run.stop, run.options.threads.clamp(1, procs.len().max(1)));
    let analyse = move |k: usize, _| Some(flags::analyse(program, effects, procs[k], options));
    let mut told = |k: usize, mut item: Item, audience: &mut dyn Audience| {
        run.complete(procs[k], &mut item);
        let place = plan.places[k];
        audience.tell(Event::Item(place, Box::new(item)));
        if plan.places.get(k + 1).is_none_or(|next| next.subject != place.subject) {
            audience.tell(Event::Complete(place.subject));
        }
    };
    let blank = |k: usize| {
        let place = plan.places[k];
        plan.subjects[place.subject].items[place.item].clone()
    };
    let certify = options.limits.certify;
    in_order(
        procs.len(),
        workers,
        stop,
        analyse,
        || {},
        |event| match event {
            work::Event::Waiting(k) => {
                audience.tell(Event::Waiting(format!("{PLUGIN}: {}", program.proc_name(procs[k]))))
            }
            work::Event::Done(k, finding) => told(k, item(program, finding, blank(k), certify), audience),
            work::Event::Late(k, cause) => told(k, Item { reasons: vec![cause.into()], ..blank(k) }, audience),
            work::Event::NoThread => audience.tell(Event::Errors(vec![no_thread()])),
        },
    );
}

fn item(program: &Program, finding: Finding, blank: Item, certify: bool) -> Item {
    let proc = finding.proc;
    let (verdict, reasons, failures) = match finding.verdict {
        flags::Verdict::Verified => (Verdict::Verified, Vec::new(), Vec::new()),
        flags::Verdict::Unknown(why) => {
            let mut reasons: Vec<Reason> = finding.stopped.into_iter().map(Reason::from).collect();
            reasons.extend(why.into_iter().map(|(span, why)| undecided(Some(span), why)));
            (Verdict::Unknown, reasons, Vec::new())
        }
        flags::Verdict::Fails(found) => {
            let failure = |failure: &flags::Failure| {
                let problem = flags::explain::diagnostic(program, proc, failure);
                let example = SetsExample { path: path(failure, &problem), ..example(program, &failure.example) };
                let example = Some(verdict::Example::Sets(example));
                Failure { problems: vec![problem], example, size: None, replay: None }
            };
            (Verdict::Violated, Vec::new(), found.iter().map(failure).collect())
        }
    };
    let obligations = finding.obligations.len() as u64;
    // What is decided without the SAT solver has no proof to check.
    let proofs = finding.obligations.iter().filter(|o| o.holds && o.decision.clauses > 0);
    let checked = proofs.clone().filter(|o| o.decision.certified).count() as u64;
    let certified = certify.then(|| crate::certified(checked, proofs.count() as u64));
    let nodes: u64 = finding.obligations.iter().fold(0, |sum, o| sum.saturating_add(o.nodes));
    Item {
        verdict,
        reasons,
        failures,
        warnings: finding.warnings,
        work: vec![
            ("obligations", obligations),
            ("formula_nodes", nodes),
            ("side_questions", finding.side_questions),
            ("decision_microseconds", finding.decision_time.as_micros() as u64),
        ],
        certified,
        seconds: finding.time.as_secs_f64(),
        ..blank
    }
}

fn path(failure: &flags::Failure, problem: &Diagnostic) -> Vec<Step> {
    let step = |span: Span, note: &str| Step { span, note: note.to_string(), depth: 0 };
    let way = failure.way.iter().map(|&(span, kind, held)| match (kind, held) {
        ("while", true) => step(span, "in a round of this loop"),
        ("while", false) => step(span, "after this loop"),
        (_, held) => step(span, if held { "true" } else { "false" }),
    });
    let end = step(failure.span, &problem.label);
    let clauses =
        failure.parts.iter().filter(|part| **part != failure.span).map(|part| step(*part, "what should hold"));
    way.chain([end]).chain(clauses).collect()
}

/// `o1`, `o2`, …
fn object_name(object: usize) -> String {
    format!("o{}", object + 1)
}

fn example(program: &Program, example: &Example) -> SetsExample {
    let ty = |o: usize| example.types.get(o).copied().flatten().map(|ty| program.types[ty.index()].name.clone());
    let shown = |value: &Shown| match value {
        Shown::Object(Some(object)) => object_name(*object),
        Shown::Object(None) => "null".to_owned(),
        Shown::Bool(b) => b.to_string(),
    };
    SetsExample {
        objects: (0..example.objects).map(|o| (object_name(o), ty(o))).collect(),
        sets: changes(&example.sets),
        booleans: changes(&example.booleans),
        variables: example.locals.iter().map(|(name, value)| (name.clone(), shown(value))).collect(),
        path: Vec::new(),
    }
}

fn changes<T: Clone>(all: &[(String, T, T)]) -> Vec<Change<T>> {
    let change =
        |(name, entry, now): &(String, T, T)| Change { name: name.clone(), entry: entry.clone(), now: now.clone() };
    all.iter().map(change).collect()
}

/// All obligations for MONA, one after the other.
pub fn mona(program: &Program, targets: &[Target], options: &Options, sources: &SourceMap, stop: &Stop) -> String {
    let limits = sets::Limits { stop: stop.clone(), mona: options.mona.clone(), ..sets::Limits::default() };
    let options = flags::Options { emit_mona: true, ..options_of(&limits, options) };
    let effects = Effects::of(program);
    let mut out = String::new();
    for proc in wanted(program, targets) {
        let finding = work::on_large_stack(|| flags::analyse(program, &effects, proc, &options));
        let texts = finding.obligations.iter().filter_map(|o| Some((o.span, o.mona.clone()?)));
        for (k, (span, text)) in texts.enumerate() {
            let (name, at): (String, Span) = (program.proc_name(proc), span);
            let (file, line) = (&sources.file(at.file).name, sources.start(at).line);
            let _ = writeln!(
                out,
                "# {name}, obligation {} ({file}:{line}): it holds if this is unsatisfiable\n{text}",
                k + 1
            );
        }
    }
    out
}
