//! Dminor programs: every named type and every function, for all inputs.

mod emit;
mod run;

pub use emit::{Emit, emit};
pub use run::{Asked, Call, inhabit, run, subtype, validate};

use crate::{Audience, Event, Place};
use dminor::explain::{self, Misfit, and_more};
use dminor::verify::{self, Answer, Counterexample};
use dminor::{Program, typing};
use source::Diagnostic;
use std::sync::Arc;
use verdict::heap::Step;
use verdict::{
    Assumption, AssumptionKind, Certified, Engine, Example, Failure, InputExample, Item, ItemKind, OutOfType, Reason,
    Selector, Subject, SubjectKind, Verdict,
};

/// How a program is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Verification conditions, and inputs that refute them.
    #[default]
    Conditions,
    /// The Dminor type system: accepted or rejected.
    Types,
}

/// A program that was read.
pub struct Source {
    /// Its file, as the user named it.
    pub file: String,
    pub program: Arc<Program>,
}

/// When `options.stop` is due, what is not decided is unknown.
pub fn check(sources: &[Source], method: Method, options: &verify::Options, audience: &mut dyn Audience) {
    audience.tell(Event::Planned(sources.iter().map(|s| planned(s, method)).collect()));
    let decide = decider(method);
    for (subject, source) in sources.iter().enumerate() {
        let mut item = 0;
        let audience = std::cell::RefCell::new(&mut *audience);
        decide(
            &source.program,
            options,
            &mut |about| {
                let what = format!("{}, {}", source.file, about.name(&source.program));
                audience.borrow_mut().tell(Event::Waiting(what));
            },
            &mut |answer| {
                let told = Told { source, method, options, answer: &answer };
                audience.borrow_mut().tell(Event::Item(Place { subject, item }, Box::new(told.item())));
                item += 1;
            },
        );
        audience.borrow_mut().tell(Event::Complete(subject));
    }
}

type Decide = fn(&Arc<Program>, &verify::Options, &mut dyn FnMut(verify::Subject), &mut dyn FnMut(Answer));

fn decider(method: Method) -> Decide {
    match method {
        Method::Conditions => verify::check,
        Method::Types => typing::check,
    }
}

/// The engine's own answers, for whoever compares them.
pub fn answers(program: &Arc<Program>, method: Method, options: &verify::Options) -> Vec<Answer> {
    let mut all = Vec::new();
    decider(method)(program, options, &mut |_| {}, &mut |answer| all.push(answer));
    all
}

fn planned(source: &Source, method: Method) -> Subject {
    let mut subject = Subject::new(SubjectKind::Program, source.file.clone());
    subject.scope = "all inputs".to_string();
    let types = source.program.types.iter().map(|t| (ItemKind::Type, &t.name));
    let functions = source.program.functions.iter().map(|f| (ItemKind::Function, &f.name));
    let item = |(kind, name): (ItemKind, &String)| Item::new(kind, name.clone(), Verdict::Unknown, engine(method));
    subject.items = types.chain(functions).map(item).collect();
    subject
}

fn engine(method: Method) -> Engine {
    match method {
        Method::Conditions => Engine::Conditions,
        Method::Types => Engine::Types,
    }
}

/// What an answer means.
struct Told<'a> {
    source: &'a Source,
    method: Method,
    options: &'a verify::Options,
    answer: &'a Answer,
}

impl Told<'_> {
    fn item(&self) -> Item {
        let (answer, program) = (self.answer, &self.source.program);
        let kind = match answer.subject {
            verify::Subject::Type(_) => ItemKind::Type,
            verify::Subject::Function(_) => ItemKind::Function,
        };
        let by = self.options.certifier.as_ref().map(|p| format!("{} {}", p.kind.name(), p.version));
        let by = by.unwrap_or_default();
        let open = answer.certified.iter().flat_map(|c| &c.open);
        let mut reasons: Vec<Reason> = open.map(|u| Reason::Open(u.uncertified(&by))).collect();
        let (mut verdict, mut failures) = (Verdict::Unknown, Vec::new());
        match &answer.verdict {
            // What was to be certified and is not, is not known.
            verify::Verdict::Verified if reasons.is_empty() => verdict = Verdict::Verified,
            verify::Verdict::Verified => {}
            verify::Verdict::Violated(found) => {
                verdict = Verdict::Violated;
                failures.push(self.failure(found));
            }
            verify::Verdict::NotProved(all) => reasons.extend(all.iter().map(|u| Reason::Open(u.diagnostic()))),
            verify::Verdict::Stopped(cause) => reasons.push((*cause).into()),
            verify::Verdict::Internal(what) => reasons.push(Reason::Internal((*what).to_string())),
        }
        Item {
            span: Some(answer.subject.span(program)),
            failures,
            reasons,
            notes: answer.note().into_iter().collect(),
            rests_on: self.rests_on(),
            certified: answer.certified.as_ref().map(|c| Certified {
                by,
                checked: (c.proofs - c.open.len()) as u64,
                proofs: c.proofs as u64,
            }),
            work: vec![
                ("conditions", answer.conditions as u64),
                ("queries", answer.queries),
                ("stopped_by_clock", answer.late),
                ("solver_microseconds", (answer.solver_seconds * 1e6) as u64),
            ],
            seconds: answer.seconds,
            ..Item::new(kind, answer.subject.name(program), verdict, engine(self.method))
        }
    }

    /// Functions and types that are not known to be fine, and schemas that a type differs from.
    fn rests_on(&self) -> Vec<Assumption> {
        let program = &self.source.program;
        let unproved = self.answer.assuming.iter().map(|subject| Assumption {
            kind: AssumptionKind::Unproved,
            name: subject.name(program).to_string(),
            message: subject.assumption(program),
            span: Some(subject.span(program)),
        });
        let name = self.answer.subject.name(program);
        let schema = self.answer.subject.notes(program).iter().map(|note| Assumption {
            kind: AssumptionKind::Schema,
            name: name.to_string(),
            message: format!("`{name}` is {} than its schema: {}", note.differs.word(), note.text),
            span: None,
        });
        unproved.chain(schema).collect()
    }

    /// The input that fails, and where it does.
    fn failure(&self, found: &Counterexample) -> Failure {
        let arguments: Vec<String> = found.arguments.iter().map(|v| v.to_string()).collect();
        let (program, subject) = (&self.source.program, self.answer.subject);
        let name = subject.name(program);
        let call = match subject {
            verify::Subject::Function(_) => format!("{name}({})", arguments.join(", ")),
            verify::Subject::Type(_) => format!("{} in {name}", arguments.join(", ")),
        };
        let misfits = found.failure.misfits();
        let mut problems = found.failure.diagnostics();
        problems.extend(and_more(misfits));
        let example = InputExample {
            call,
            arguments,
            order: found.failure.order.clone(),
            path: path(&found.failure, &problems),
            value: found.failure.out_of_type().map(|(what, value)| OutOfType { what, json: value.to_string() }),
            misfits: misfits.iter().map(misfit).collect(),
        };
        Failure {
            problems,
            example: Some(Example::Input(example)),
            size: None,
            replay: found.replay(program, &self.source.file, self.options.reading),
        }
    }
}

/// Calls, the place of the failure, and the clause of a type if that is what is missed.
fn path(failure: &dminor::interp::Failure, problems: &[Diagnostic]) -> Vec<Step> {
    let calls = failure.calls.iter().rev().enumerate();
    let mut path: Vec<Step> =
        calls.map(|(depth, span)| Step { span: *span, note: String::new(), depth: depth as u32 }).collect();
    let depth = path.len() as u32;
    let Some(problem) = problems.first() else { return path };
    let said = problem.related.iter().find(|(span, _)| *span == failure.span).map(|(_, text)| text.clone());
    path.push(Step { span: failure.span, note: said.unwrap_or_else(|| failure.message()), depth });
    if let Some(clause) = problem.span.filter(|span| *span != failure.span) {
        path.push(Step { span: clause, note: problem.label.clone(), depth });
    }
    path
}

fn misfit(misfit: &Misfit) -> verdict::Misfit {
    let selector = |step: &explain::Step| match step {
        explain::Step::Field(label) => Selector::Field(label.to_string()),
        explain::Step::Member(k) => Selector::Member(*k),
    };
    let path = misfit.path.iter().map(selector).collect();
    let (place, message) = (misfit.place(), misfit.message());
    verdict::Misfit { path, place, message, clause: misfit.clause, span: misfit.at }
}
