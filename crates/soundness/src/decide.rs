//! A check decided by all that there is: the encoding, the interpreter that confirms what it finds, and enumeration where the encoding carries
//! too little or takes types from a bound that the meaning of a check does not have.
//!
//! In: a check. Out: its verdict, by which engine, and what a reader has to know about it. Preserved: a counterexample is one in the
//! interpreter; a check holds if no input within the bounds breaks it, except that the encoding takes the types of derivations from their
//! bounds: where rules can leave those, small programs are enumerated beside it, with types as large as they get, and the decision
//! says up to which size. What a limit of ours cuts is never a verdict. Two engines that disagree on something that both cover are an error of
//! ours, with both answers.

use crate::outcome::{Coverage, Held, Item, Options, Outcome, Witness, Work};
use crate::search;
use lang::enumerate::{self, Enumerator, Limits, Report};
use lang::interp::{Builders, Fault, Interp, Limit, Reading};
use lang::term::TermId;
use lang::*;
use work::Stop;

/// How to decide.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    pub encoding: Options,
    /// Enumerate, whether or not the encoding would carry the check.
    pub enumerate: bool,
    pub stop: Stop,
}

#[derive(Clone, Debug)]
pub struct Decision {
    pub said: Said,
    pub by: Engine,
    /// Of the encoding, if it holds there.
    pub held: Option<Box<Held>>,
    /// Of the enumeration, if that decided.
    pub report: Option<Box<Report>>,
    /// If types of derivations are within their bounds, which the meaning of a check does not say.
    pub covered: Option<Covered>,
    pub notes: Vec<String>,
    pub work: Work,
}

/// What was looked at: types within the bounds of these sorts, and in programs below a size types as large as they get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covered {
    pub types: Vec<SortId>,
    pub below: u32,
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
        cut: Option<Limit>,
    },
    /// By a deadline, or from outside; the same.
    Stopped {
        below: Option<u32>,
    },
    /// Our bug.
    Broken(String),
}

/// Assignments, draws and instances of rules, at most, where a bound is not one of size: in work, not in time, so that it is the same on every
/// machine.
const MOST: (u64, u64, u64) = (20_000, 2_000_000, u64::MAX);
/// The same beside the encoding.
const BESIDE: (u64, u64, u64) = (300, 5_000, 30_000);
/// The same if all bounds are of size: then they are likely to be reached.
const BESIDE_SIZES: (u64, u64, u64) = (3_000, 100_000, 1_000_000);

/// Decides a check. The enumerator is in the plain reading, and its terms are those of the decision.
pub fn decide<'l>(en: &mut Enumerator<'l>, check: &'l Check, ways: &Ways) -> Result<Decision, Fault> {
    Judge { en, check, ways }.decide()
}

struct Judge<'a, 'l> {
    en: &'a mut Enumerator<'l>,
    check: &'l Check,
    ways: &'a Ways,
}

impl<'l> Judge<'_, 'l> {
    fn decide(&mut self) -> Result<Decision, Fault> {
        let mut decision = match self.by_all() {
            Err(Fault::Limit(limit)) => self.of_classes(Said::Partly { below: 0, cut: Some(limit) }),
            decided => decided?,
        };
        if decision.said == Said::Holds {
            decision.notes.extend(self.left_free(&decision));
        }
        if matches!(decision.said, Said::Holds | Said::Fails { .. }) {
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
        let rules = self.names(&self.en.interp.escaped());
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
        self.en.interp.stop = self.ways.stop.clone();
        match search::check(&mut self.en.interp.terms, self.check, &self.ways.encoding) {
            Outcome::Holds(held) => self.held(held),
            Outcome::Fails(failure) => self.failed(failure.size, failure.assignment, failure.work),
            Outcome::Vacuous if self.growth().is_none() => Ok(self.of_classes(Said::Vacuous)),
            Outcome::Vacuous => {
                self.enumerate(vec!["no program has types within the bound: programs are enumerated".into()])
            }
            Outcome::NotCarried(why) => self.enumerate(vec![format!("programs are enumerated: {}", why.reason)]),
            Outcome::Stopped => Ok(self.of_classes(Said::Stopped { below: None })),
            Outcome::Exploded(e) => Err(Fault::Limit(Limit::Universe(e))),
            Outcome::Broken(why) => Ok(self.of_classes(Said::Broken(why))),
        }
    }

    fn of_classes(&self, said: Said) -> Decision {
        let (by, notes) = (Engine::Classes, Vec::new());
        Decision { said, by, held: None, report: None, covered: None, notes, work: Work::default() }
    }

    /// Nothing breaks the check in the encoding.
    fn held(&mut self, held: Box<Held>) -> Result<Decision, Fault> {
        let work = held.work;
        let decision = Decision { held: Some(held), work, ..self.of_classes(Said::Holds) };
        let Some(growth) = self.growth() else { return self.beside(decision, None, None) };
        if !growth.builders.of_steps.is_empty() {
            // In the encoding, such a step does not exist.
            let rules = self.names(&growth.builders.of_steps);
            let (names, ending) = (rules.join(", "), s(rules.len()));
            return self.enumerate(vec![format!("programs are enumerated: {names} build{ending} types in a step")]);
        }
        self.beside(decision, Some(growth), None)
    }

    /// The encoding has a counterexample: the interpreter has the last word.
    fn failed(&mut self, size: u32, assignment: Vec<Option<TermId>>, work: Work) -> Result<Decision, Fault> {
        let Some(confirmed) = self.en.confirm(self.check, &assignment)? else {
            // The encoding tries entries of new names alone: what else fits, only the interpreter sees.
            if self.check.exists.iter().any(|(_, base)| base.is_some()) {
                return self.enumerate(vec![
                    "programs are enumerated: what exists may have entries of names that were there before".to_string(),
                ]);
            }
            if !self.is_counterexample(&assignment, &[Reading::Strict, Reading::Wide])? {
                return Ok(self.disagreement("no counterexample", size, &assignment));
            }
            return self.enumerate(vec![format!(
                "a program of size {size} breaks the check only because a type it needs is beyond the bound: programs are enumerated"
            )]);
        };
        // Without programs, the size is that of the types: the encoding does not look for the smallest.
        if self.en.inputs(self.check)?.is_empty() {
            let decision = self.enumerate(Vec::new())?;
            if matches!(decision.said, Said::Fails { .. }) {
                return Ok(decision);
            }
        }
        let decision = Decision { work, ..self.of_classes(Said::Fails { size, assignment: confirmed }) };
        // A smaller one may have larger types.
        match (self.growth(), size.checked_sub(1)) {
            (Some(growth), Some(smaller)) => self.beside(decision, Some(growth), Some(smaller)),
            _ => Ok(decision),
        }
    }

    /// What the encoding says, beside small programs with types as large as they get; if there is a need for that.
    fn beside(
        &mut self,
        mut decision: Decision,
        growth: Option<Growth>,
        max_size: Option<u32>,
    ) -> Result<Decision, Fault> {
        if growth.is_none() && decision.held.as_ref().is_none_or(|held| held.coverage.unsettled.is_empty()) {
            return Ok(decision);
        }
        let report = match self.small_programs(max_size) {
            Err(Fault::Stopped) => return Err(Fault::Stopped),
            // What cannot be enumerated is not looked at.
            Err(_) => None,
            Ok(report) => Some(report),
        };
        if let (Some(held), Some(report)) = (&mut decision.held, &report) {
            settle(&mut held.coverage, report, &self.en.interp);
        }
        let below = match report.as_ref().map(|r| &r.outcome) {
            None => 0,
            Some(enumerate::Outcome::Holds | enumerate::Outcome::Vacuous) => return Ok(decision),
            Some(enumerate::Outcome::Stopped { .. }) if self.ways.stop.is_due() => {
                return Ok(self.of_classes(Said::Stopped { below: None }));
            }
            Some(enumerate::Outcome::Stopped { size }) => *size,
            Some(enumerate::Outcome::Fails(failure)) => {
                let (size, assignment) = (failure.size, failure.assignment.clone());
                if self.is_counterexample(&assignment, &[Reading::Strict])? {
                    let other = match decision.said {
                        Said::Fails { size, .. } => format!("the smallest counterexample has size {size}"),
                        _ => "the check holds".to_string(),
                    };
                    return Ok(self.disagreement(&other, size, &assignment));
                }
                decision.said = Said::Fails { size, assignment };
                decision.by = Engine::Enumeration;
                decision.held = None;
                decision
                    .notes
                    .push("found by enumeration: a type that the program needs is beyond the bound".to_string());
                decision.report = report.map(Box::new);
                return Ok(decision);
            }
        };
        decision.covered = growth.map(|growth| Covered { types: growth.types, below });
        Ok(decision)
    }

    /// How types of derivations can leave their bounds; none if they cannot: because there are no other types, or because no rule puts a type
    /// together, and no judgment computes numbers.
    fn growth(&mut self) -> Option<Growth> {
        let lang = self.en.interp.lang;
        let computes = |rule: &Rule| {
            let mut found = false;
            rule.conclusion.iter().for_each(|f| found |= has_arithmetic(f));
            rule.premises.iter().for_each(|p| p.premise.each_form(&mut |f| found |= has_arithmetic(f)));
            found && lang.judgment(rule.judgment).reduction.is_none()
        };
        let computes = lang.rules.iter().any(computes);
        let is_type = |s: &SortId| matches!(lang.sort(*s).kind, SortKind::Grammar { .. }) && !lang.sort(*s).is_tree;
        let types: Vec<SortId> =
            lang.sort_ids().filter(|s| is_type(s) && universe::is_cut(lang, Some(self.check), *s)).collect();
        if types.is_empty() && !computes {
            return None;
        }
        let builders = self.en.interp.builders(self.check);
        let is_closed = !computes && builders.all.is_empty() && !builders.is_unsure && self.has_all_parts(&types);
        (!is_closed).then_some(Growth { types, builders })
    }

    /// Whether the parts of types are within the bounds of their own sorts.
    fn has_all_parts(&self, types: &[SortId]) -> bool {
        let interp = &self.en.interp;
        let lang = interp.lang;
        types.iter().flat_map(|s| interp.universe().members(*s)).all(|term| {
            let Some((prod, args)) = interp.terms.node(*term) else { return true };
            let parts = args.iter().zip(&lang.prod(prod).args);
            parts.into_iter().all(|(part, sort)| {
                !types.contains(&lang.base(*sort)) || interp.universe().contains(lang.base(*sort), *part)
            })
        })
    }

    fn limits(&self, (max_assignments, max_draws, max_work): (u64, u64, u64), max_size: Option<u32>) -> Limits {
        let stop = self.ways.stop.clone();
        Limits { max_size, max_assignments, max_draws, max_work, stop, ..Limits::default() }
    }

    /// Whether every input has a bound of size.
    fn has_sizes(&self) -> Result<bool, Fault> {
        let lang = self.en.interp.lang;
        let bound = |sort: SortId| lang.bound(Some(self.check), sort).or(lang.bound(Some(self.check), lang.base(sort)));
        let inputs = self.en.inputs(self.check)?;
        Ok(inputs.iter().all(|m| matches!(bound(self.check.metas[m.index()].sort), Some(Bound::Size(_)))))
    }

    fn small_programs(&mut self, max_size: Option<u32>) -> Result<Report, Fault> {
        let limits = self.limits(if self.has_sizes()? { BESIDE_SIZES } else { BESIDE }, max_size);
        self.en.run(self.check, &limits)
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

    fn disagreement(&self, other: &str, size: u32, assignment: &[Option<TermId>]) -> Decision {
        let shown = self.check.metas.iter().zip(assignment).filter_map(|(meta, value)| {
            value.map(|v| format!("{} = {}", meta.name, print::term(&self.en.interp.terms, v)))
        });
        let shown: Vec<String> = shown.collect();
        let why = format!("two engines disagree: {other}, and a counterexample of size {size}: {}", shown.join(", "));
        self.of_classes(Said::Broken(why))
    }

    /// Every program, in order of size.
    fn enumerate(&mut self, mut notes: Vec<String>) -> Result<Decision, Fault> {
        let limits = if self.has_sizes()? { (u64::MAX, u64::MAX, u64::MAX) } else { MOST };
        let limits = self.limits(limits, None);
        let mut report = self.en.run(self.check, &limits)?;
        let mut covered = None;
        if let (enumerate::Outcome::Stopped { size }, Some(cut)) = (report.outcome.clone(), report.cut)
            && is_endless(&cut)
            && let Some((other, told)) = self.within_types(&limits)?
        {
            // No end of types, perhaps: there is one within the bound.
            *self.en = other;
            report = told;
            let is_smallest = matches!(&report.outcome, enumerate::Outcome::Fails(f) if f.size <= size);
            covered = self.growth().filter(|_| !is_smallest).map(|growth| Covered { types: growth.types, below: size });
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
            enumerate::Outcome::Stopped { size } if self.ways.stop.is_due() => Said::Stopped { below: Some(*size) },
            enumerate::Outcome::Stopped { size } => {
                Said::Partly { below: *size, cut: report.cut.map(|cut| self.blamed(cut)) }
            }
        };
        let by = Engine::Enumeration;
        Ok(Decision { said, by, held: None, report: Some(Box::new(report)), covered, notes, work: Work::default() })
    }

    /// Types grow where a rule binds them, because another one of its judgment builds them.
    fn blamed(&mut self, cut: Limit) -> Limit {
        let Limit::Height { rule: Some(rule), most } = cut else { return cut };
        let lang = self.en.interp.lang;
        let builders = self.en.interp.builders(self.check).all;
        let is_near = |r: &&RuleId| lang.rule(**r).judgment == lang.rule(rule).judgment;
        let builder = builders.iter().find(|r| **r == rule).or_else(|| builders.iter().find(is_near));
        Limit::Height { rule: builder.copied().or(Some(rule)), most }
    }

    /// Every program, with types within the bound; if these can all be looked at, and no step leaves it.
    fn within_types(&mut self, limits: &Limits) -> Result<Option<(Enumerator<'l>, Report)>, Fault> {
        if !self.en.interp.builders(self.check).of_steps.is_empty() {
            return Ok(None);
        }
        let strict = Limits { reading: Reading::Strict, ..limits.clone() };
        let interp = Interp::new(self.en.interp.lang, Some(self.check), Reading::Strict)?;
        let mut other = Enumerator::new(interp, Some(self.check));
        let told = other.run(self.check, &strict)?;
        Ok(told.cut.is_none().then_some((other, told)))
    }
}

/// What small programs show of what the encoding leaves unsettled.
fn settle(coverage: &mut Coverage, report: &Report, interp: &Interp) {
    let size = |assignment: &[Option<TermId>]| assignment.iter().flatten().map(|t| interp.terms.size(*t)).sum();
    let witness = |assignment: Vec<Option<TermId>>| Witness { size: size(&assignment), assignment };
    let of = |item: &Item| match item {
        Item::Rule(rule) => match report.coverage.rules[rule.index()].as_ref()? {
            enumerate::Witness::Assignment(assignment) => Some(witness(assignment.clone())),
            enumerate::Witness::Conclusion(args) => Some(witness(args.iter().map(|t| Some(*t)).collect())),
        },
        Item::Prod(prod) => report.coverage.prods[prod.index()].map(|term| witness(vec![Some(term)])),
        Item::Alternative(sort, index) => {
            let mut all = report.coverage.alternatives.iter();
            let found = all.find(|(s, i, _)| (s, i) == (sort, index));
            found.and_then(|(_, _, term)| *term).map(|term| witness(vec![Some(term)]))
        }
    };
    let is_whole = report.outcome == enumerate::Outcome::Holds;
    if let enumerate::Outcome::Stopped { size } = report.outcome {
        coverage.asked_up_to = coverage.asked_up_to.max(size.saturating_sub(1));
    }
    for item in std::mem::take(&mut coverage.unsettled) {
        match of(&item) {
            None if !is_whole => coverage.unsettled.push(item),
            witness => coverage.push(item, witness),
        }
    }
}

/// How types can leave their bounds.
struct Growth {
    types: Vec<SortId>,
    builders: Builders,
}

/// Whether types within the bound would have an end.
fn is_endless(limit: &Limit) -> bool {
    use Limit::*;
    matches!(limit, Depth { .. } | Answers { .. } | Instances { .. } | Height { .. })
}

/// The ending of a verb.
fn s(subjects: usize) -> &'static str {
    if subjects == 1 { "s" } else { "" }
}

fn has_arithmetic(form: &Form) -> bool {
    let mut found = matches!(form, Form::Arith(..));
    form.each_child(&mut |child| found |= has_arithmetic(child));
    found
}
