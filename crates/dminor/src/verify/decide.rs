//! One subject: proved, refuted, or neither.

use super::logic::Logic;
use super::prove::{Certifier, Doubt, Prover, Query, SHORT, Solver};
use super::reach::{has_accumulate, ill_formed};
use super::term::{Term, Terms};
use super::walk::Walker;
use super::{Answer, Certified, Condition, Options, Subject, Unproved, Verdict, Why, models, refute};
use crate::program::Program;
use crate::value::Value;
use std::rc::Rc;
use std::time::Instant;
use work::Cause;

pub(super) fn decide(
    program: &Program,
    subject: Subject,
    well_formed: &[bool],
    options: &Options,
    solver: &mut Solver,
) -> Answer {
    let (start, before) = (Instant::now(), solver.counts());
    let mut attempts =
        Attempts { program, subject, well_formed, options, conditions: 0, hints: Vec::new(), proofs: Vec::new() };
    let mut answer = Answer::of(subject, attempts.verdict(solver));
    answer.conditions = attempts.conditions;
    if let (Verdict::Verified, Some(certifier)) = (&answer.verdict, &options.certifier) {
        certify(&mut answer, attempts.proofs, &mut Certifier::new(certifier, options));
    }
    answer.spent(start, before, solver.counts());
    answer
}

/// What is tried to prove a subject.
struct Attempts<'a> {
    program: &'a Program,
    subject: Subject,
    well_formed: &'a [bool],
    options: &'a Options,
    /// Of the last attempt.
    conditions: usize,
    /// Inputs that the solver hints at.
    hints: Vec<Vec<Value>>,
    /// The proofs of the last attempt.
    proofs: Vec<(Condition, Query)>,
}

/// Inputs that the solver hints at, for one function.
const MOST_HINTS: usize = 4;

impl Attempts<'_> {
    fn verdict(&mut self, solver: &mut Solver) -> Verdict {
        // There may be very many subjects.
        if let Some(cause) = self.options.stop.cause() {
            return Verdict::Stopped(cause);
        }
        let ill = ill_formed(self.program, self.subject, self.well_formed);
        // What is not proved at once may be wrong, and an input that shows it is often found sooner than a proof is given up.
        solver.patience = SHORT.min(self.options.patience);
        let first = self.attempt(false, solver);
        solver.patience = self.options.patience;
        if let Ok(unproved) = &first
            && unproved.is_empty()
            && ill.is_empty()
        {
            return Verdict::Verified;
        }
        // Random inputs first: they do not depend on the solver.
        let few = self.options.tries / 10;
        if let Some(found) = refute::refute(self.program, self.subject, self.options, &[], few) {
            return Verdict::Violated(Box::new(found));
        }
        let second = match first {
            Ok(unproved) if !unproved.is_empty() => self.attempt(has_accumulate(self.program, self.subject), solver),
            first => first,
        };
        let mut unproved = match second {
            Ok(unproved) => unproved,
            Err(cause) => return Verdict::Stopped(cause),
        };
        unproved.extend(ill);
        if unproved.is_empty() {
            return Verdict::Verified;
        }
        let found = refute::refute(self.program, self.subject, self.options, &self.hints, self.options.tries);
        match (found, self.options.stop.cause()) {
            (Some(found), _) => Verdict::Violated(Box::new(found)),
            (None, Some(cause)) => Verdict::Stopped(cause),
            (None, None) => Verdict::NotProved(unproved),
        }
    }

    /// The conditions that are not proved; an error if the run has to end before that is known.
    fn attempt(&mut self, guesses: bool, solver: &mut Solver) -> Result<Vec<Unproved>, Cause> {
        let Options { reading, lenient_types, stop, .. } = self.options;
        // Where types need not be well-formed, a test of any of them may go wrong.
        let tested = self.well_formed.iter().map(|fine| *fine && !lenient_types).collect();
        let terms = Terms::default();
        let logic = Logic::new(self.program, &terms, *reading, Rc::new(tested), stop.clone());
        let mut walker = Walker::new(logic, solver);
        walker.guesses = guesses;
        walker.lenient_types = *lenient_types;
        walker.subject(self.subject);
        let conditions = std::mem::take(&mut walker.conditions);
        self.conditions = conditions.len();
        let (logic, parameters) = (walker.logic, walker.parameters);
        // The walk may have been cut short: then there are conditions that it did not come to.
        if let Some(cause) = stop.cause() {
            return Err(cause);
        }
        // What an earlier attempt proved is of no use to this one.
        let relied = walker.relied.into_iter().filter(|condition| condition.goal != Term::TRUE);
        self.proofs = relied.map(|condition| (condition.clone(), Query::new(&logic, &condition))).collect();
        let mut unproved = Vec::new();
        for condition in conditions {
            let query = Query::new(&logic, &condition);
            match solver.prove(&query) {
                Ok(()) => self.proofs.push((condition, query)),
                Err(Why::Unknown(smt::Why::Stopped(cause))) => return Err(cause),
                Err(why) => {
                    if self.hints.len() < MOST_HINTS && !parameters.is_empty() {
                        self.hints.extend(models::arguments(&logic, &query, &parameters, solver));
                    }
                    unproved.push(Unproved { kind: condition.kind, span: condition.span, why, path: condition.path });
                }
            }
        }
        Ok(unproved)
    }
}

/// Has the proofs repeated by a second solver. Where that has a model instead, nothing is proved.
fn certify(answer: &mut Answer, proofs: Vec<(Condition, Query)>, certifier: &mut Certifier) {
    let (mut open, mut contradicted) = (Vec::new(), Vec::new());
    let total = proofs.len();
    for (condition, query) in proofs {
        let Err(doubt) = certifier.repeat(&query) else { continue };
        let Condition { kind, span, path, .. } = condition;
        match doubt {
            Doubt::Open(why) => open.push(Unproved { kind, span, why: Why::Unknown(why), path }),
            Doubt::Contradicted => contradicted.push(Unproved { kind, span, why: Why::Disagreement, path }),
        }
    }
    if contradicted.is_empty() {
        answer.certified = Some(Certified { proofs: total, open });
    } else {
        answer.verdict = Verdict::NotProved(contradicted);
    }
}
