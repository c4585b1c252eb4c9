//! The way through the user's source: conditions with their outcomes, calls, exceptions. Steps in library code are left
//! out.

use super::names::simple;
use super::{Ending, Scene};
use ir::interp::Step;
use ir::{MethodId, Program};
use source::Span;
use verdict::Gap;

/// The calls that are active; the trace tells of a return only by where the next step stands.
struct Calls<'a> {
    program: &'a Program,
    active: Vec<MethodId>,
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

    fn is_in_input(&self) -> bool {
        self.active.last().is_none_or(|&m| self.program.class(self.program.method(m).class).is_input)
    }

    fn depth(&self) -> u32 {
        (self.active.len() as u32).saturating_sub(1)
    }
}

pub(super) fn path(scene: &Scene<'_>, ending: &Ending) -> (Vec<verdict::Step>, Option<Gap>) {
    let Some(trace) = &ending.trace else { return (Vec::new(), None) };
    let mut calls = Calls { program: scene.linked.program, active: Vec::new() };
    let (first, omitted, last) = trace.parts();
    let mut steps = Vec::new();
    steps.extend(first.iter().filter_map(|s| step(&mut calls, ending, s)));
    let gap = (omitted > 0).then_some(Gap { at: steps.len(), steps: omitted });
    steps.extend(last.filter_map(|s| step(&mut calls, ending, s)));
    (steps, gap)
}

fn step(calls: &mut Calls<'_>, ending: &Ending, step: &Step) -> Option<verdict::Step> {
    let (span, note) = match *step {
        Step::Call { method, depth, span } => {
            // The operation itself is not a step; the caller's depth is where the call stands.
            calls.active.truncate((depth as usize).saturating_sub(1));
            let is_shown = !calls.active.is_empty() && calls.is_in_input();
            let at = calls.depth();
            calls.active.push(method);
            return is_shown.then(|| verdict::Step { span, note: String::new(), depth: at });
        }
        Step::Branch { span, taken } => (span, taken.to_string()),
        Step::Switch { span, value } => (span, format!("case {value}")),
        Step::Throw { span, object } => {
            (span, format!("throws {}", simple(&calls.program.ty_name(ending.heap.ty(object)))))
        }
        Step::Catch { .. } => return None,
    };
    calls.return_to(span);
    calls.is_in_input().then(|| verdict::Step { span, note, depth: calls.depth() })
}
