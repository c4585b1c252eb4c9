//! Two engines for one operation: the glass box goes alone for a while; if it takes long, or refuses, and the space is small, the
//! exhaustive engine has its turn, and then both go on. The first answer counts.
//!
//! What goes in: as for each of them. What comes out: an outcome with its counts, and whose it is. Kept: a short search is that of
//! the glass box alone, so its counts are the same on every machine. Where both end they must agree. What the exhaustive engine
//! decides it has seen on every state: code that a concrete run reaches and that is not supported ends it as well. So it also answers
//! where the glass box ends in an error of its own: a panic, or a counterexample that does not replay.

use crate::GlassBox;
use crate::exhaustive::{self, Subjects};
use crate::outcome::{Counts, Options, Outcome, Strategy};
use crate::session::Session;
use ir::check::Judgement;
use ir::replay::replay;
use ir::space::Space;
use ir::{Checked, Operation};
use sat::Rein;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use symex::Stop;
use work::with_room;

/// For so long the glass box is alone.
pub const ALONE: Duration = Duration::from_secs(2);
/// For so long the exhaustive engine is then.
const TURN: Duration = Duration::from_secs(6);
/// Steps that the exhaustive engine may be expected to take: half a minute beside the glass box, some minutes instead of a refusal.
const BESIDE: f64 = 1e9;
const INSTEAD: f64 = 1e10;

type Answer = (Outcome, Counts);

enum Event {
    GlassBoxEnded,
    Exhausted(Answer),
}

/// The answer of whichever engine has one first. The glass box is alone for a while: [`ALONE`], or less where it was late before.
pub fn race(
    session: &Session<'_>,
    space: &Arc<Space>,
    checked: &Checked,
    operation: &Operation,
    options: &Options,
    alone: Duration,
) -> (Outcome, Counts, Strategy) {
    let Session { linked, heap, .. } = session;
    let runner = Runner { subjects: Subjects { linked, statics: heap, space, checked, operation }, options, alone };
    let rein = Arc::new(Rein::default());
    let (events, happened) = channel();
    let (first, second) = std::thread::scope(|scope| {
        let beside = {
            let (rein, events) = (rein.clone(), events.clone());
            scope.spawn(move || {
                let answer = catch_unwind(AssertUnwindSafe(|| runner.beside(&rein, events, happened)));
                rein.release();
                // A panic there is no answer.
                answer.unwrap_or(None)
            })
        };
        let options = Options { rein: Some(rein), ..options.clone() };
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let mut glass_box = GlassBox::new(linked.program, space, &session.statics, checked, operation, &options);
            let outcome = glass_box.search_from(Some(&session.starts));
            (outcome, glass_box.counts)
        }));
        let _ = events.send(Event::GlassBoxEnded);
        (searched, beside.join().unwrap_or(None))
    });
    let first = match first {
        Ok((outcome, counts)) => (runner.confirmed(outcome), counts),
        Err(panic) => match second.or_else(|| runner.instead()) {
            Some((outcome, counts)) if is_decided(&outcome) => return (outcome, counts, Strategy::Exhaustive),
            _ => resume_unwind(panic),
        },
    };
    match second {
        Some((other, _)) if is_decided(&first.0) && !agree(&first.0, &other) => {
            let why = format!(
                "the engines disagree: {} by the glass box, {} by the exhaustive one",
                name(&first.0),
                name(&other)
            );
            (Outcome::Rejected(why), first.1, Strategy::Execution)
        }
        Some((outcome, counts)) if !is_decided(&first.0) => (outcome, counts, Strategy::Exhaustive),
        None if matches!(first.0, Outcome::Stopped(Stop::Unsupported(_)) | Outcome::Rejected(_)) => {
            match runner.instead() {
                Some((outcome, counts)) => (outcome, counts, Strategy::Exhaustive),
                None => (first.0, first.1, Strategy::Execution),
            }
        }
        _ => (first.0, first.1, Strategy::Execution),
    }
}

#[derive(Clone, Copy)]
struct Runner<'a> {
    subjects: Subjects<'a>,
    options: &'a Options,
    alone: Duration,
}

impl Runner<'_> {
    /// The exhaustive engine beside the glass box; its answer if it was the first.
    fn beside(self, rein: &Rein, events: Sender<Event>, happened: Receiver<Event>) -> Option<Answer> {
        if happened.recv_timeout(self.alone).is_ok() {
            return None;
        }
        rein.hold();
        if !self.is_small(BESIDE) {
            rein.release();
            return None;
        }
        let own = Arc::new(Rein::default());
        std::thread::scope(|scope| {
            let options = Options { rein: Some(own.clone()), ..self.options.clone() };
            scope.spawn(move || events.send(Event::Exhausted(self.exhaust(&options, Some(BESIDE)))));
            let mut event = happened.recv_timeout(TURN);
            if event.is_err() {
                rein.release();
                event = happened.recv().map_err(Into::into);
            }
            match event {
                Ok(Event::Exhausted(answer)) if is_decided(&answer.0) => {
                    rein.end();
                    return Some(answer);
                }
                Ok(Event::Exhausted(_)) => rein.release(),
                Ok(Event::GlassBoxEnded) | Err(_) => own.end(),
            }
            None
        })
    }

    /// A counterexample must replay, or run into a limit.
    fn confirmed(self, outcome: Outcome) -> Outcome {
        let Outcome::Violated(state) = &outcome else { return outcome };
        let Subjects { linked, statics, space, checked, operation } = self.subjects;
        let limits = ir::interp::Limits { steps: self.options.limits.steps, ..Default::default() };
        let replayed = with_room(|| replay(linked, statics, space, state, checked, operation, limits).judgement);
        match replayed {
            Ok(Judgement::Violated(_) | Judgement::Unknown(_)) | Err(_) => outcome,
            Ok(other) => Outcome::Rejected(format!("a counterexample did not replay: {other:?}")),
        }
    }

    /// The exhaustive engine after the glass box refused.
    fn instead(self) -> Option<Answer> {
        if !self.is_small(INSTEAD) {
            return None;
        }
        let answer = self.exhaust(self.options, None);
        // A limit says less than the refusal.
        let is_unsupported = matches!(answer.0, Outcome::Stopped(Stop::Unsupported(_) | Stop::Interrupted));
        (is_decided(&answer.0) || is_unsupported).then_some(answer)
    }

    fn exhaust(self, options: &Options, most: Option<f64>) -> Answer {
        exhaustive::search_within(self.subjects, options, most)
    }

    fn is_small(self, most: f64) -> bool {
        with_room(|| exhaustive::work(self.subjects)).is_ok_and(|work| work <= most)
    }
}

fn is_decided(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Verified | Outcome::Violated(_) | Outcome::NoState | Outcome::AllDropped)
}

fn agree(a: &Outcome, b: &Outcome) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Verified => "verified",
        Outcome::Violated(_) => "violated",
        Outcome::NoState => "no state",
        Outcome::AllDropped => "all dropped",
        Outcome::Stopped(_) | Outcome::Rejected(_) => "no answer",
    }
}
