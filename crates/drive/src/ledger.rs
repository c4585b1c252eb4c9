//! What is known so far. A run that is ended early still has an answer: what was planned and not decided is unknown.

use crate::Audience;
use source::{Diagnostic, SourceMap};
use std::sync::Arc;
use verdict::overview::Overview;
use verdict::program::Mutant;
use verdict::{Assumption, Bounds, Item, Reason, Report, Subject, Verdict};

/// An item of a report: subject and item, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub subject: usize,
    pub item: usize,
}

/// What happens during a run, in this order.
pub enum Event {
    /// Everything that diagnostics point into was read.
    Sources(Arc<SourceMap>),
    Warnings(Vec<Diagnostic>),
    /// These will be checked; their items are unknown, for no reason yet.
    Planned(Vec<Subject>),
    Bounds(Bounds),
    /// This is being waited for.
    Waiting(String),
    Item(Place, Box<Item>),
    /// There is no answer for this item, but something wrong with the input.
    NotAnalysed(Place, Box<Diagnostic>),
    /// All items of a subject have an answer.
    Complete(usize),
    Mutant(usize, Mutant),
    RestsOn(Vec<Assumption>),
    /// What follows from several answers together.
    Conclusion(String),
    /// A program of modules as a whole.
    Overview(Box<Overview>),
    Errors(Vec<Diagnostic>),
}

/// What is known of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// Nothing yet.
    Pending,
    Answered,
    /// There is an error instead.
    NotAnalysed,
}

/// Keeps the report.
#[derive(Default)]
pub struct Ledger {
    pub report: Report,
    /// By subject and item.
    entries: Vec<Vec<Entry>>,
}

impl Audience for Ledger {
    fn tell(&mut self, event: Event) {
        match event {
            Event::Sources(_) | Event::Waiting(_) | Event::Complete(_) => {}
            Event::Warnings(warnings) => self.report.warnings.extend(warnings),
            Event::Errors(errors) => self.report.errors.extend(errors),
            Event::Bounds(bounds) => self.report.bounds.push(bounds),
            Event::RestsOn(assumptions) => self.report.rests_on.extend(assumptions),
            Event::Conclusion(sentence) => self.report.conclusions.push(sentence),
            Event::Overview(overview) => self.report.overviews.push(*overview),
            Event::Planned(subjects) => {
                self.entries.extend(subjects.iter().map(|s| vec![Entry::Pending; s.items.len()]));
                self.report.subjects.extend(subjects);
            }
            Event::Item(place, item) => {
                self.entries[place.subject][place.item] = Entry::Answered;
                self.report.subjects[place.subject].items[place.item] = *item;
            }
            Event::NotAnalysed(place, problem) => {
                self.entries[place.subject][place.item] = Entry::NotAnalysed;
                self.report.errors.push(*problem);
            }
            Event::Mutant(subject, mutant) => self.report.subjects[subject].mutants.push(mutant),
        }
    }
}

impl Ledger {
    /// Whether something that was planned has no answer yet.
    pub fn is_pending(&self) -> bool {
        self.entries.iter().flatten().any(|e| *e == Entry::Pending)
    }

    /// Whether nothing was planned, nor anything found to be wrong.
    pub fn is_blank(&self) -> bool {
        self.entries.is_empty() && self.report.errors.is_empty()
    }

    /// The end of a run that went to its end: only answers are kept.
    pub fn end(&mut self) {
        for (subject, entries) in self.report.subjects.iter_mut().zip(&self.entries) {
            let mut entries = entries.iter();
            subject.items.retain(|_| entries.next() == Some(&Entry::Answered));
        }
        self.report.subjects.retain(|s| !s.items.is_empty());
        self.entries = self.report.subjects.iter().map(|s| vec![Entry::Answered; s.items.len()]).collect();
    }

    /// The end of a run that was cut short: what has no answer yet is unknown. Returns those.
    pub fn cut_short(&mut self, reason: &Reason) -> Vec<Place> {
        let mut open = Vec::new();
        for (subject, entries) in self.entries.iter_mut().enumerate() {
            for (item, entry) in entries.iter_mut().enumerate().filter(|(_, e)| **e == Entry::Pending) {
                *entry = Entry::Answered;
                let answer = &mut self.report.subjects[subject].items[item];
                answer.verdict = Verdict::Unknown;
                answer.reasons = vec![reason.clone()];
                open.push(Place { subject, item });
            }
        }
        open
    }
}
