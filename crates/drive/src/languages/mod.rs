//! Definitions of languages: every check of every language on a few threads, answered in the order of the file. Neither verdicts nor
//! counts depend on the number of threads.

mod check;
mod fault;
mod limits;
mod load;
mod mutants;
mod run;
mod unused;
mod witness;

pub use load::{Choice, load};
pub use run::{choose, run};

use crate::{Audience, Event, Place, keep, no_thread};
use check::{Task, is_inherited, same_programs};
use lang::Lang;
use source::Severity;
use verdict::program::{Classes, Exercised, Mutant};
use verdict::{Engine, Item, Subject, SubjectKind, Verdict};
use work::{Stop, in_order};

/// A language to be checked.
#[derive(Clone)]
pub struct Language {
    pub lang: Lang,
    /// What it extends, if it assumes that to be sound.
    pub base: Option<Lang>,
    /// Its file, as the user named it.
    pub file: String,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only this check.
    pub check: Option<String>,
    pub threads: usize,
    pub certify: bool,
    /// Whether or not the encoding would carry a check.
    pub enumerate: bool,
    /// Then change each rule and alternative in turn.
    pub mutate: bool,
}

/// All checks; then all mutants, if they are asked for.
pub fn check(languages: &'static [Language], options: &Options, stop: &Stop, audience: &mut dyn Audience) {
    let (mut tasks, mut places, mut planned) = (Vec::new(), Vec::new(), Vec::new());
    for (subject, language) in languages.iter().enumerate() {
        let own = tasks_of(language, options, stop);
        let mut described = Subject::new(SubjectKind::Language, language.lang.name.clone());
        described.items = own.iter().map(Task::planned).collect();
        described.scope = described.items.first().map(|i| i.scope.clone()).unwrap_or_default();
        planned.push(described);
        places.extend((0..own.len()).map(|item| Place { subject, item }));
        tasks.extend(own);
    }
    audience.tell(Event::Planned(planned));
    let tasks: &'static [Task] = keep(tasks);
    let workers = options.threads.clamp(1, tasks.len().max(1));
    let mut of_language: Vec<Item> = Vec::new();
    let mut told = |index: usize, answer: Result<Item, Box<source::Diagnostic>>, audience: &mut dyn Audience| {
        let place = places[index];
        match answer {
            Ok(mut item) => {
                with_classes_of_twin(&mut item, &tasks[index], &of_language);
                of_language.push(item.clone());
                audience.tell(Event::Item(place, Box::new(item)));
            }
            Err(problem) => audience.tell(Event::NotAnalysed(place, problem)),
        }
        if places.get(index + 1).is_none_or(|next| next.subject != place.subject) {
            let items = std::mem::take(&mut of_language);
            audience.tell(Event::Complete(place.subject));
            let problems = unused::unused(tasks[index].language, &items);
            let (errors, warnings) = problems.into_iter().partition(|p| p.severity == Severity::Error);
            audience.tell(Event::Warnings(warnings));
            audience.tell(Event::Errors(errors));
        }
    };
    let work = |index: usize, _| Some(tasks[index].answer());
    in_order(
        tasks.len(),
        workers,
        stop,
        work,
        || {},
        |event| match event {
            work::Event::Waiting(index) => {
                let task = &tasks[index];
                audience.tell(Event::Waiting(format!("{}, {}", task.language.lang.name, task.check.name)));
            }
            work::Event::Done(index, answer) => told(index, answer, audience),
            work::Event::Late(index, cause) => told(index, Ok(tasks[index].unknown(cause.into())), audience),
            work::Event::NoThread => audience.tell(Event::Errors(vec![no_thread()])),
        },
    );
    if options.mutate {
        mutate(languages, options, stop, audience);
    }
}

fn tasks_of(language: &'static Language, options: &Options, stop: &Stop) -> Vec<Task> {
    let wanted = |name: &str| options.check.as_ref().is_none_or(|n| n == name);
    let checks: Vec<&'static lang::Check> = language.lang.checks.iter().filter(|c| wanted(&c.name)).collect();
    let (certify, enumerate) = (options.certify, options.enumerate);
    let task = |k: usize| {
        // What is inherited counts nothing.
        let mut decided = checks[..k].iter().filter(|c| !is_inherited(language, c));
        let twin = decided.find(|c| same_programs(&language.lang, c, checks[k]));
        let counted_by = twin.map(|c| c.name.as_str());
        Task { language, check: checks[k], certify, enumerate, stop: stop.clone(), counted_by }
    };
    (0..checks.len()).map(task).collect()
}

/// A check about the same programs as an earlier one has its classes.
fn with_classes_of_twin(item: &mut Item, task: &Task, earlier: &[Item]) {
    let Some(name) = task.counted_by.filter(|_| item.engine == Engine::Classes && item.verdict == Verdict::Verified)
    else {
        return;
    };
    let twin = earlier.iter().find(|i| i.name == name).and_then(|i| i.exercised.as_ref());
    if let (Some(twin), Some(own)) = (twin, &mut item.exercised) {
        own.classes.clone_from(&twin.classes);
    }
}

fn mutate(languages: &'static [Language], options: &Options, stop: &Stop, audience: &mut dyn Audience) {
    for (subject, language) in languages.iter().enumerate() {
        let all: &'static [lang::mutate::Mutant] = keep(mutants::of(language, stop));
        if let Some(cause) = stop.cause() {
            let what = "further changes, which were not tried".to_string();
            let mutant = Mutant { what, span: language.lang.span, killed: None, reason: Some(cause.into()) };
            audience.tell(Event::Mutant(subject, mutant));
        }
        let (certify, enumerate) = (options.certify, options.enumerate);
        let workers = options.threads.clamp(1, all.len().max(1));
        let judge = {
            let stop = stop.clone();
            move |k: usize, _| Some(mutants::judge(language, &all[k], certify, enumerate, &stop))
        };
        in_order(
            all.len(),
            workers,
            stop,
            judge,
            || {},
            |event| match event {
                work::Event::Waiting(k) => {
                    let what = &all[k].what;
                    audience.tell(Event::Waiting(format!(
                        "{}, {what}: {k} of {} changes",
                        language.lang.name,
                        all.len()
                    )));
                }
                work::Event::Done(_, mutant) => audience.tell(Event::Mutant(subject, mutant)),
                work::Event::Late(k, cause) => {
                    let (what, span) = (all[k].what.clone(), all[k].span);
                    let mutant = Mutant { what, span, killed: None, reason: Some(cause.into()) };
                    audience.tell(Event::Mutant(subject, mutant));
                }
                work::Event::NoThread => audience.tell(Event::Errors(vec![no_thread()])),
            },
        );
    }
}

/// What the checks of a language have exercised together: the smallest witness of each rule and alternative.
pub fn exercised(items: &[Item]) -> Exercised {
    verdict::program::together(items.iter().filter_map(|i| i.exercised.as_deref()))
}

/// Whether classes were counted, and none has a program.
pub(crate) fn is_empty(classes: &Classes) -> bool {
    classes.all > 0 && classes.non_empty == Some(0)
}
