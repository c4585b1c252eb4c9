//! The way through the user's source: conditions with their outcomes, calls, exceptions. Steps in library code are left
//! out.

use super::names::simple;
use super::{Ending, Scene};
use ir::interp::Step;
use ir::{MethodId, Program};
use source::Span;
use verdict::heap::Gap;

/// The calls that are active; the trace tells of a return only by where the next step stands.
struct Calls<'a> {
    program: &'a Program,
    active: Vec<MethodId>,
    /// The operation, if the run is that of a driver.
    operation: Option<MethodId>,
    /// Whether it was made to run operations in both orders, or on equal states.
    is_made: bool,
}

impl Calls<'_> {
    /// Leaves all calls that the span does not stand in.
    fn return_to(&mut self, span: Span) {
        let holds = |method: &MethodId| {
            let whole = self.program.method(*method).span;
            whole.file == span.file && whole.start <= span.start && span.end <= whole.end
        };
        if let Some(last) = self.active.iter().rposition(holds) {
            self.active.truncate(last + 1);
        }
    }

    /// In what the user wrote: methods that were added have a `$` in their names.
    fn is_in_input(&self) -> bool {
        self.active.last().is_none_or(|&m| {
            let method = self.program.method(m);
            self.program.class(method.class).is_input && !method.name.contains('$')
        })
    }

    /// Whether it is the code of the operation: if it is compared with that of an abstraction, a driver runs more.
    fn is_shown(&self) -> bool {
        match self.operation {
            Some(operation) => self.active.get(1) == Some(&operation),
            None => !self.is_made || self.active.len() > 1,
        }
    }

    fn depth(&self) -> u32 {
        (self.active.len() as u32).saturating_sub(1 + u32::from(self.operation.is_some()))
    }
}

pub(super) fn path(scene: &Scene<'_>, ending: &Ending) -> (Vec<verdict::heap::Step>, Option<Gap>) {
    let Some(trace) = &ending.trace else { return (Vec::new(), None) };
    let program = scene.linked.program;
    let operation = scene.operation.compared.as_ref().map(|c| c.operation);
    let mut calls = Calls { program, active: Vec::new(), operation, is_made: scene.operation.orders.is_some() };
    let (first, omitted, last) = trace.parts();
    let mut steps = Vec::new();
    first.iter().filter_map(|s| step(&mut calls, ending, s)).for_each(|s| push(&mut steps, s));
    let gap = (omitted > 0).then_some(Gap { at: steps.len(), steps: omitted });
    last.filter_map(|s| step(&mut calls, ending, s)).for_each(|s| push(&mut steps, s));
    (steps, gap)
}

/// A condition that was just a call says all that the call does, unless something happened in it.
fn push(steps: &mut Vec<verdict::heap::Step>, next: verdict::heap::Step) {
    let is_part = |s: &verdict::heap::Step| {
        s.note.is_empty() && s.depth == next.depth && !next.note.is_empty() && next.span.to(s.span) == next.span
    };
    if steps.last().is_some_and(|s| s.span.file == next.span.file && is_part(s)) {
        steps.pop();
    }
    steps.push(next);
}

fn step(calls: &mut Calls<'_>, ending: &Ending, step: &Step) -> Option<verdict::heap::Step> {
    let (span, note) = match *step {
        Step::Call { method, depth, span } => {
            // Neither the operation itself nor an implicit call of a constructor is a step.
            calls.active.truncate((depth as usize).saturating_sub(1));
            let caller = calls.active.last().map(|&m| calls.program.method(m));
            let is_written = caller.is_some_and(|m| span != m.name_span && span != m.span);
            // An accessor that a record has by itself tells nothing, and patterns call it without a word.
            let called = calls.program.method(method);
            let is_accessor = called.span == called.name_span && called.parameters.is_empty() && !called.is_constructor;
            // The `equals` of Object is how something is tested for null that nobody asks.
            let is_test = called.class == calls.program.known.object && called.name == "equals";
            let is_shown = is_written && !is_accessor && !is_test && calls.is_in_input();
            let at = calls.depth();
            calls.active.push(method);
            // What was made to run operations in an order: what it calls is named where it is written.
            if calls.is_made && calls.active.len() <= 2 {
                let called = calls.program.method(method);
                let is_step = calls.active.len() == 2 && !called.is_constructor && !called.is_declarative;
                let (span, note) = (called.name_span, "is called".to_string());
                return is_step.then_some(verdict::heap::Step { span, note, depth: 0 });
            }
            // Nor is the call that a driver makes.
            let is_shown = is_shown && calls.is_shown() && (calls.operation.is_none() || calls.active.len() > 2);
            return is_shown.then(|| verdict::heap::Step { span, note: String::new(), depth: at });
        }
        Step::Branch { span, taken } => (span, taken.to_string()),
        Step::Switch { span, value } => (span, format!("case {value}")),
        Step::Throw { span, object } => {
            (span, format!("throws {}", simple(&calls.program.ty_name(ending.heap.ty(object)))))
        }
        Step::Catch { .. } => return None,
    };
    calls.return_to(span);
    if !calls.is_shown() {
        return None;
    }
    calls.is_in_input().then(|| verdict::heap::Step { span, note, depth: calls.depth() })
}
