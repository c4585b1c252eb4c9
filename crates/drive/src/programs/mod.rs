//! Dminor programs: every named type and every function, for all inputs.

mod emit;
mod meaning;
mod run;

pub use emit::{Emit, emit};
pub use run::{Asked, Call, inhabit, run, subtype, validate};

use crate::{Audience, Event, Place};
use dminor::explain::{self, Misfit};
use dminor::program::Note;
use dminor::verify::{self, Answer, Counterexample};
use dminor::{Program, typing};
use source::Diagnostic;
use verdict::heap::Step;
use verdict::{
    Assumption, AssumptionKind, Certified, Engine, Example, Failure, InputExample, Item, ItemKind, OutOfType, Reason,
    Selector, Subject, SubjectKind, Verdict,
};
use work::Stop;

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
    pub program: Program,
}

pub fn check(
    sources: &'static [Source],
    method: Method,
    options: &verify::Options,
    stop: &Stop,
    audience: &mut dyn Audience,
) {
    audience.tell(Event::Planned(sources.iter().map(|s| planned(s, method)).collect()));
    for (subject, source) in sources.iter().enumerate() {
        if stop.is_due() {
            return;
        }
        audience.tell(Event::Waiting(source.file.clone()));
        let answers = match method {
            Method::Conditions => verify::check(&source.program, options),
            Method::Types => typing::check(&source.program, options),
        };
        for (item, answer) in answers.iter().enumerate() {
            let told = Told { source, method, options, answer };
            audience.tell(Event::Item(Place { subject, item }, Box::new(told.item())));
        }
        audience.tell(Event::Complete(subject));
    }
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
    fn name(&self, subject: verify::Subject) -> &str {
        match subject {
            verify::Subject::Type(id) => &self.source.program.named(id).name,
            verify::Subject::Function(id) => &self.source.program.function(id).name,
        }
    }

    fn item(&self) -> Item {
        let answer = self.answer;
        let kind = match answer.subject {
            verify::Subject::Type(_) => ItemKind::Type,
            verify::Subject::Function(_) => ItemKind::Function,
        };
        let open = answer.certified.iter().flat_map(|c| &c.open);
        let by = self.options.certifier.as_ref().map(|p| format!("{} {}", p.kind.name(), p.version));
        let by = by.unwrap_or_default();
        let mut reasons: Vec<Reason> = open.map(|u| Reason::Open(meaning::uncertified(u, &by))).collect();
        let (verdict, failures) = match &answer.verdict {
            // What was to be certified and is not, is not known.
            verify::Verdict::Verified if reasons.is_empty() => (Verdict::Verified, Vec::new()),
            verify::Verdict::Verified => (Verdict::Unknown, Vec::new()),
            verify::Verdict::Violated(found) => (Verdict::Violated, vec![self.failure(found)]),
            verify::Verdict::NotProved(unproved) => {
                reasons.extend(unproved.iter().map(|u| Reason::Open(meaning::resisted(u))));
                (Verdict::Unknown, Vec::new())
            }
        };
        let mut notes = Vec::new();
        if answer.late > 0 && verdict == Verdict::Unknown {
            let times = if answer.late == 1 { "once".to_string() } else { format!("{} times", answer.late) };
            notes.push(format!(
                "the clock stopped the solver {times} here: another run may decide it; --solver-timeout gives more time"
            ));
        }
        let span = match answer.subject {
            verify::Subject::Type(id) => self.source.program.named(id).name_span,
            verify::Subject::Function(id) => self.source.program.function(id).name_span,
        };
        Item {
            span: Some(span),
            failures,
            reasons,
            notes,
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
            ..Item::new(kind, self.name(answer.subject), verdict, engine(self.method))
        }
    }

    /// Functions and types that are not known to be fine, and schemas that a type differs from.
    fn rests_on(&self) -> Vec<Assumption> {
        let program = &self.source.program;
        let unproved = self.answer.assuming.iter().map(|subject| {
            let name = self.name(*subject).to_string();
            let (message, span) = match subject {
                verify::Subject::Function(id) => (format!("`{name}` meets its type"), program.function(*id).name_span),
                verify::Subject::Type(id) => (format!("`{name}` is well-formed"), program.named(*id).name_span),
            };
            Assumption { kind: AssumptionKind::Unproved, name, message, span: Some(span) }
        });
        let notes: &[Note] = match self.answer.subject {
            verify::Subject::Type(id) => &program.named(id).notes,
            verify::Subject::Function(_) => &[],
        };
        let name = self.name(self.answer.subject);
        let schema = notes.iter().map(|note| Assumption {
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
        let name = self.name(self.answer.subject);
        let call = match self.answer.subject {
            verify::Subject::Function(_) => format!("{name}({})", arguments.join(", ")),
            verify::Subject::Type(_) => format!("{} in {name}", arguments.join(", ")),
        };
        let misfits = found.failure.misfits();
        let problems = and_more(found.failure.diagnostics(), misfits);
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
            replay: meaning::replay(self.source, self.answer.subject, found, self.options.reading),
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

/// Says so where not all misfits are shown.
fn and_more(mut problems: Vec<Diagnostic>, misfits: &[Misfit]) -> Vec<Diagnostic> {
    if misfits.len() >= dminor::explain::MOST {
        let message = format!("the first {} parts that do not fit are shown; there may be more", misfits.len());
        problems.push(Diagnostic::note("more-misfits", None, message));
    }
    problems
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
