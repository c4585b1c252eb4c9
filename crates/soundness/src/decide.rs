//! A check decided by all that there is: the encoding, the interpreter that confirms what it finds, and enumeration where the encoding carries
//! too little or takes types from a bound that the meaning of a check does not have.
//!
//! In: a check. Out: its verdict, by which engine, and what a reader has to know about it. Preserved: a counterexample is one in the
//! interpreter; a check holds if no input within the bounds breaks it, except that the encoding takes the types of derivations from their
//! bounds: where rules can leave those, small programs are enumerated beside it, with types as large as they get, and the decision
//! says up to which size. Two engines that disagree on something that both cover are an error of ours, with both answers.

use crate::outcome::{Held, Options, Outcome, Work};
use crate::search;
use lang::enumerate::{self, Enumerator, Limits, Report};
use lang::interp::{Fault, Halt, Interp, Reading};
use lang::term::TermId;
use lang::universe::{Explosion, Universe};
use lang::*;

/// How to decide.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    pub encoding: Options,
    /// Enumerate, whether or not the encoding would carry the check.
    pub enumerate: bool,
    pub halt: Halt,
}

#[derive(Clone, Debug)]
pub struct Decision {
    pub said: Said,
    pub by: Engine,
    /// Of the encoding, if it holds there.
    pub held: Option<Box<Held>>,
    /// Of the enumeration, if that decided.
    pub report: Option<Box<Report>>,
    pub notes: Vec<String>,
    pub work: Work,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    Classes,
    Enumeration,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Holds,
    /// With the size of the inputs, and per metavariable of the check.
    Fails {
        size: u32,
        assignment: Vec<Option<TermId>>,
    },
    /// Nothing satisfies the premises.
    Vacuous,
    /// No program of inputs below this size breaks it; larger ones were not all looked at. What was cut, if it is not the limit in work.
    Partly {
        below: u32,
        cut: Option<Fault>,
    },
    /// By a deadline, or from outside; the same.
    Stopped {
        below: Option<u32>,
    },
    Exploded(Explosion),
    /// Our bug.
    Broken(String),
}

/// Assignments and draws, at most, where a bound is not one of size: in work, not in time, so that it is the same on every machine.
const MOST: (u64, u64) = (20_000, 2_000_000);
/// The same beside the encoding.
const BESIDE: (u64, u64) = (300, 5_000);
/// The same if all bounds are of size: then they are likely to be reached.
const BESIDE_SIZES: (u64, u64) = (3_000, 100_000);

/// Decides a check. The enumerator is in the plain reading, and its terms are those of the decision.
pub fn decide<'l>(en: &mut Enumerator<'l>, check: &'l Check, ways: &Ways) -> Result<Decision, Fault> {
    Judge { en, check, ways }.decide()
}

struct Judge<'a, 'l> {
    en: &'a mut Enumerator<'l>,
    check: &'l Check,
    ways: &'a Ways,
}

impl Judge<'_, '_> {
    fn decide(&mut self) -> Result<Decision, Fault> {
        let mut decision = self.by_all()?;
        if decision.said == Said::Holds {
            decision.notes.extend(self.left_free(&decision));
            decision.notes.extend(self.left_out());
        }
        Ok(decision)
    }

    /// Rules that leave types free.
    fn left_free(&self, decision: &Decision) -> Option<String> {
        let rules = self.names(&self.en.interp.guessing(self.check));
        let is_inferred = decision.report.as_ref().is_some_and(|r| r.is_inferred);
        (!rules.is_empty() && !is_inferred)
            .then(|| format!("types that {} leave{} free are taken from their bound", rules.join(", "), s(rules.len())))
    }

    /// Rules that would have let a variable out of its scope.
    fn left_out(&self) -> Option<String> {
        let escaped = self.en.interp.escaped().iter().enumerate().filter(|(_, n)| **n > 0);
        let rules: Vec<RuleId> = escaped.map(|(i, _)| RuleId(i as u32)).collect();
        let rules = self.names(&rules);
        (!rules.is_empty()).then(|| {
            let names = rules.join(", ");
            format!("{names} derive{} nothing in which a variable has left its scope; to allow that, mark a rule {{escape ok}}", s(rules.len()))
        })
    }

    fn names(&self, rules: &[RuleId]) -> Vec<String> {
        rules.iter().map(|r| self.en.interp.lang.rule(*r).name.clone()).collect()
    }

    fn by_all(&mut self) -> Result<Decision, Fault> {
        if self.ways.enumerate {
            return self.enumerate(Vec::new());
        }
        self.en.interp.halt = self.ways.halt.clone();
        match search::check(&mut self.en.interp.terms, self.check, &self.ways.encoding) {
            Outcome::Holds(held) => self.held(held),
            Outcome::Fails(failure) => self.failed(failure.size, failure.assignment, failure.work),
            Outcome::Vacuous if self.is_closed() => Ok(self.of_classes(Said::Vacuous)),
            Outcome::Vacuous => {
                self.enumerate(vec!["no program has types within the bound: programs are enumerated".into()])
            }
            Outcome::NotCarried(why) => self.enumerate(vec![format!("programs are enumerated: {}", why.reason)]),
            Outcome::Stopped => Ok(self.of_classes(Said::Stopped { below: None })),
            Outcome::Exploded(e) => Ok(self.of_classes(Said::Exploded(e))),
            Outcome::Broken(why) => Ok(self.of_classes(Said::Broken(why))),
        }
    }

    fn of_classes(&self, said: Said) -> Decision {
        Decision { said, by: Engine::Classes, held: None, report: None, notes: Vec::new(), work: Work::default() }
    }

    /// Nothing breaks the check in the encoding.
    fn held(&mut self, held: Box<Held>) -> Result<Decision, Fault> {
        let mut decision = self.of_classes(Said::Holds);
        decision.work = held.work;
        decision.held = Some(held);
        if self.is_closed() {
            return Ok(decision);
        }
        match self.beside(None)? {
            Err(note) => decision.notes.push(note),
            Ok(report) => match &report.outcome {
                enumerate::Outcome::Fails(failure) => {
                    let (size, assignment) = (failure.size, failure.assignment.clone());
                    if self.is_counterexample(&assignment, &[Reading::Strict])? {
                        return Ok(self.disagreement("the check holds".into(), size, &assignment));
                    }
                    let note = "found by enumeration: a type that the program needs is beyond the bound".to_string();
                    let said = Said::Fails { size, assignment };
                    let (by, notes) = (Engine::Enumeration, vec![note]);
                    return Ok(Decision {
                        said,
                        by,
                        held: None,
                        report: Some(Box::new(report)),
                        notes,
                        work: decision.work,
                    });
                }
                enumerate::Outcome::Stopped { .. } if self.ways.halt.is_due() => {
                    return Ok(self.of_classes(Said::Stopped { below: None }));
                }
                enumerate::Outcome::Stopped { size } => decision.notes.push(within_types(*size)),
                enumerate::Outcome::Holds | enumerate::Outcome::Vacuous => {}
            },
        }
        Ok(decision)
    }

    /// The encoding has a counterexample: the interpreter has the last word.
    fn failed(&mut self, size: u32, assignment: Vec<Option<TermId>>, work: Work) -> Result<Decision, Fault> {
        let Some(confirmed) = self.en.confirm(self.check, &assignment)? else {
            if !self.is_counterexample(&assignment, &[Reading::Strict, Reading::Wide])? {
                return Ok(self.disagreement("no counterexample".into(), size, &assignment));
            }
            return self.enumerate(vec![format!(
                "a program of size {size} breaks the check only because a type it needs is beyond the bound: programs are enumerated"
            )]);
        };
        let mut decision = self.of_classes(Said::Fails { size, assignment: confirmed });
        decision.work = work;
        if self.is_closed() || size == 0 {
            return Ok(decision);
        }
        // A smaller one may have larger types.
        if let Ok(report) = self.beside(Some(size - 1))?
            && let enumerate::Outcome::Fails(smaller) = &report.outcome
        {
            let (found, assignment) = (smaller.size, smaller.assignment.clone());
            if self.is_counterexample(&assignment, &[Reading::Strict])? {
                return Ok(self.disagreement(
                    format!("the smallest counterexample has size {size}"),
                    found,
                    &assignment,
                ));
            }
            decision.said = Said::Fails { size: found, assignment };
            decision.by = Engine::Enumeration;
            decision.notes.push("found by enumeration: a type that the program needs is beyond the bound".to_string());
            decision.report = Some(Box::new(report));
        }
        Ok(decision)
    }

    /// Whether the rules cannot leave the finite domains: these have all members there are, and no judgment computes numbers.
    fn is_closed(&mut self) -> bool {
        let lang = self.en.interp.lang;
        let computes = |rule: &Rule| {
            let mut found = false;
            rule.conclusion.iter().for_each(|f| found |= has_arithmetic(f));
            rule.premises.iter().for_each(|p| p.premise.each_form(&mut |f| found |= has_arithmetic(f)));
            found && lang.judgment(rule.judgment).reduction.is_none()
        };
        if lang.rules.iter().any(computes) {
            return false;
        }
        let terms = &mut self.en.interp.terms;
        let Ok(deeper) = Universe::build(terms, Some(self.check), 1) else { return false };
        let universe = self.en.interp.universe();
        lang.sort_ids().all(|s| universe.members(s).len() == deeper.members(s).len())
    }

    fn limits(&self, (max_assignments, max_draws): (u64, u64), max_size: Option<u32>) -> Limits {
        Limits { max_size, max_assignments, max_draws, halt: self.ways.halt.clone(), ..Limits::default() }
    }

    /// Whether every input has a bound of size.
    fn has_sizes(&self) -> Result<bool, Fault> {
        let lang = self.en.interp.lang;
        let bound = |sort: SortId| lang.bound(Some(self.check), sort).or(lang.bound(Some(self.check), lang.base(sort)));
        let inputs = self.en.inputs(self.check)?;
        Ok(inputs.iter().all(|m| matches!(bound(self.check.metas[m.index()].sort), Some(Bound::Size(_)))))
    }

    /// Small programs, with types as large as they get. If that is not possible, what to say instead.
    fn beside(&mut self, max_size: Option<u32>) -> Result<Result<Report, String>, Fault> {
        let Ok(has_sizes) = self.has_sizes() else { return Ok(Err(only_within_types())) };
        let limits = self.limits(if has_sizes { BESIDE_SIZES } else { BESIDE }, max_size);
        match self.en.run(self.check, &limits) {
            Ok(report) => Ok(Ok(report)),
            Err(Fault::Stopped) => Err(Fault::Stopped),
            Err(_) => Ok(Err(only_within_types())),
        }
    }

    /// Whether an assignment breaks the check in one of these readings.
    fn is_counterexample(&mut self, assignment: &[Option<TermId>], readings: &[Reading]) -> Result<bool, Fault> {
        for reading in readings {
            if self.en.confirm_in(*reading, self.check, assignment)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn disagreement(&self, other: String, size: u32, assignment: &[Option<TermId>]) -> Decision {
        let shown = self.check.metas.iter().zip(assignment).filter_map(|(meta, value)| {
            value.map(|v| format!("{} = {}", meta.name, print::term(&self.en.interp.terms, v)))
        });
        let shown: Vec<String> = shown.collect();
        let why = format!("two engines disagree: {other}, and a counterexample of size {size}: {}", shown.join(", "));
        self.of_classes(Said::Broken(why))
    }

    /// Every program, in order of size.
    fn enumerate(&mut self, mut notes: Vec<String>) -> Result<Decision, Fault> {
        let limits = if self.has_sizes()? { (u64::MAX, u64::MAX) } else { MOST };
        let limits = self.limits(limits, None);
        let mut report = self.en.run(self.check, &limits)?;
        if let (enumerate::Outcome::Stopped { .. }, Some(Fault::TooDeep(j) | Fault::TooMany(j))) =
            (&report.outcome, report.cut.clone())
        {
            // No end of types, perhaps: there is one within the bound.
            let lang = self.en.interp.lang;
            let strict = Limits { reading: Reading::Strict, ..limits };
            let interp = Interp::new(lang, Some(self.check), Reading::Strict)?;
            let mut other = Enumerator::new(interp, Some(self.check));
            let told = other.run(self.check, &strict)?;
            if told.cut.is_none() {
                notes.push(format!("{} has no end of types: they are taken within the bound", lang.judgment(j).text));
                *self.en = other;
                report = told;
            }
        }
        if report.is_inferred {
            notes.push("types are unified: they are not bounded".to_string());
        }
        let said = match &report.outcome {
            enumerate::Outcome::Holds => Said::Holds,
            enumerate::Outcome::Vacuous => Said::Vacuous,
            enumerate::Outcome::Fails(failure) => {
                Said::Fails { size: failure.size, assignment: failure.assignment.clone() }
            }
            enumerate::Outcome::Stopped { size } if self.ways.halt.is_due() => Said::Stopped { below: Some(*size) },
            enumerate::Outcome::Stopped { size } => Said::Partly { below: *size, cut: report.cut.clone() },
        };
        let by = Engine::Enumeration;
        Ok(Decision { said, by, held: None, report: Some(Box::new(report)), notes, work: Work::default() })
    }
}

/// The ending of a verb.
fn s(subjects: usize) -> &'static str {
    if subjects == 1 { "s" } else { "" }
}

fn within_types(size: u32) -> String {
    format!("types larger than their bound are looked at in programs below size {size} only")
}

fn only_within_types() -> String {
    "types of derivations are within their bound".to_string()
}

fn has_arithmetic(form: &Form) -> bool {
    let mut found = matches!(form, Form::Arith(..));
    form.each_child(&mut |child| found |= has_arithmetic(child));
    found
}
