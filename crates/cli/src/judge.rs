//! One check of one language: decide it, confirm what was found, explain it.

use crate::args::{Check, Engine};
use crate::halt::Halt;
use crate::language::Item;
use crate::run::fault;
use lang::enumerate::{Coverage, Enumerator, Limits, Outcome, Report, Witness, run_check};
use lang::interp::{Fault, Halt as Stop};
use lang::mutate;
use lang::term::TermId;
use lang::{Bound, Expected, Lang, Premise, SortKind, explain, print};
use source::Diagnostic;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use verdict::language::{self as said, LanguageAnswer, MutantAnswer, WitnessKind};
use verdict::{Reason, Verdict};

/// What is to be done.
#[derive(Clone, Copy)]
pub struct Task {
    pub arguments: &'static Check,
    pub item: &'static Item,
    pub check: &'static lang::Check,
    pub halt: &'static Halt,
}

/// Sizes that are tried where a definition bounds nodes and its programs have to be enumerated.
const DEFAULT_SIZE: u32 = 12;

/// Assignments that are tried then, at most: a bound in work, not in time, is the same on every machine.
const MOST_ASSIGNMENTS: u64 = 50_000;

impl Task {
    /// An error if the definition turns out to be wrong.
    pub fn answer(&self) -> Result<LanguageAnswer, Box<Diagnostic>> {
        let start = Instant::now();
        let mut answer = match self.halt.reason() {
            Some(reason) => self.unknown(reason),
            None => catch_unwind(AssertUnwindSafe(|| self.decide()))
                .unwrap_or_else(|_| Ok(self.unknown(Reason::Internal("the check broke down".to_string()))))?,
        };
        answer.seconds = start.elapsed().as_secs_f64();
        Ok(answer)
    }

    fn decide(&self) -> Result<LanguageAnswer, Box<Diagnostic>> {
        if let Some(base) = self.item.base.as_ref().filter(|b| self.is_inherited(b)) {
            let mut answer = self.blank(Verdict::Verified, said::Engine::Inherited);
            answer
                .notes
                .push(format!("{} is assumed sound, and every step and typing rule is one of its own", base.name));
            return Ok(answer);
        }
        self.enumerate(Vec::new())
    }

    /// Progress: a check of the base that asks for a step and nothing after it.
    fn is_inherited(&self, base: &Lang) -> bool {
        let steps = |c: &lang::Check| c.conclusions.iter().flatten().any(|p| matches!(p.premise, Premise::Steps(..)));
        let twin = base.checks.iter().find(|c| c.name == self.check.name);
        twin.is_some_and(|t| t.span == self.check.span && steps(t))
    }

    fn blank(&self, verdict: Verdict, engine: said::Engine) -> LanguageAnswer {
        let expected = self.item.lang.expects.iter().rev().find(|e| e.check == self.check.name);
        LanguageAnswer {
            language: self.item.lang.name.clone(),
            check: self.check.name.clone(),
            verdict,
            expected: expected.map(|e| match e.outcome {
                Expected::Holds => said::Expected { holds: true, size: None },
                Expected::Fails { size } => said::Expected { holds: false, size },
            }),
            bounds: self.bounds(),
            engine,
            notes: Vec::new(),
            classes: None,
            programs: None,
            witnesses: Vec::new(),
            clipped: Vec::new(),
            counterexample: None,
            reason: None,
            seconds: 0.0,
            work: Vec::new(),
        }
    }

    fn unknown(&self, reason: Reason) -> LanguageAnswer {
        let mut answer = self.blank(Verdict::Unknown, said::Engine::Classes);
        answer.reason = Some(reason);
        answer
    }

    /// "t: 511 nodes, T: depth 3, n: 0..0"
    fn bounds(&self) -> String {
        let lang = &self.item.lang;
        let mut texts = Vec::new();
        for id in lang.sort_ids() {
            if let Some(bound) = lang.bound(Some(self.check), id) {
                texts.push(format!("{}: {}", lang.sort(id).name, print::bound(bound)));
            }
        }
        if texts.is_empty() { "default bounds".to_string() } else { texts.join(", ") }
    }

    /// The largest total size to be tried, and whether the definition says so.
    fn max_size(&self) -> (u32, bool) {
        let lang = &self.item.lang;
        let mut total = 0;
        for meta in &self.check.metas {
            let sort = lang.sort(meta.sort);
            if !sort.is_tree
                || !matches!(sort.kind, SortKind::Grammar { .. } | SortKind::Sub { .. })
                || self.is_result(meta)
            {
                continue;
            }
            let bound = lang.bound(Some(self.check), meta.sort).or(lang.bound(Some(self.check), lang.base(meta.sort)));
            match bound {
                Some(Bound::Size(n)) => total += n,
                _ => return (DEFAULT_SIZE, false),
            }
        }
        (total.max(1), true)
    }

    fn is_result(&self, meta: &lang::Meta) -> bool {
        explain::is_result(&self.item.lang, self.check, meta)
    }

    fn enumerate(&self, mut notes: Vec<String>) -> Result<LanguageAnswer, Box<Diagnostic>> {
        let lang = &self.item.lang;
        let (max_size, is_stated) = self.max_size();
        let limits = Limits {
            max_size,
            max_assignments: if is_stated { u64::MAX } else { MOST_ASSIGNMENTS },
            halt: Stop { deadline: self.halt.deadline, abort: Some(self.halt.stop.clone()) },
        };
        let told = run_check(lang, self.check, &limits, |enumerator, report| {
            self.tell(enumerator, report, max_size, is_stated)
        });
        let mut answer = match told {
            Ok(Ok(answer)) => answer,
            Ok(Err(Fault::Stopped)) | Err(Fault::Stopped) => self.stopped(),
            Ok(Err(problem)) | Err(problem) => return Err(Box::new(fault(lang, &problem))),
        };
        notes.append(&mut answer.notes);
        answer.notes = notes;
        Ok(answer)
    }

    fn stopped(&self) -> LanguageAnswer {
        self.unknown(self.halt.reason().unwrap_or_else(|| Reason::Internal("the check stopped".to_string())))
    }

    fn tell(
        &self,
        enumerator: &mut Enumerator,
        report: Report,
        max_size: u32,
        is_stated: bool,
    ) -> Result<LanguageAnswer, Fault> {
        let lang = &self.item.lang;
        let mut answer = self.blank(Verdict::Verified, said::Engine::Enumeration);
        answer.programs = Some(report.assignments);
        answer.witnesses = witnesses(enumerator, &report.coverage);
        answer.clipped = report.clipped_instances.iter().map(|(rule, n)| (lang.rule(*rule).name.clone(), *n)).collect();
        answer.work = vec![("assignments", report.assignments), ("clipped", report.clipped)];
        match report.outcome {
            Outcome::Holds => {
                if !is_stated {
                    answer.notes.push(format!("every program up to size {max_size}"));
                }
            }
            Outcome::Fails(failure) => {
                answer.verdict = Verdict::Violated;
                let mut example =
                    explain::example(&mut enumerator.interp, self.check, &failure.assignment, &self.item.file)?;
                example.size = failure.size;
                answer.counterexample = Some(example);
            }
            Outcome::Vacuous => {
                answer.verdict = Verdict::Unknown;
                answer.reason = Some(Reason::NoState);
            }
            Outcome::Stopped { size } if report.assignments >= MOST_ASSIGNMENTS && !is_stated => {
                answer.notes.push(format!("every program below size {size}"));
            }
            Outcome::Stopped { .. } => {
                answer.verdict = Verdict::Unknown;
                answer.reason = self.halt.reason();
            }
        }
        Ok(answer)
    }
}

/// One line per rule, production and alternative.
fn witnesses(enumerator: &Enumerator, coverage: &Coverage) -> Vec<said::Witness> {
    let interp = &enumerator.interp;
    let lang = interp.lang;
    let text = |term: TermId| print::term(&interp.terms, term);
    let mut all = Vec::new();
    for (id, witness) in lang.rule_ids().zip(&coverage.rules) {
        let rule = lang.rule(id);
        let judgment = lang.judgment(rule.judgment);
        let example = witness.as_ref().map(|w| match w {
            // The program that the check speaks of first.
            Witness::Assignment(values) => {
                values.iter().flatten().copied().find(|t| is_program(enumerator, *t)).map_or(String::new(), text)
            }
            Witness::Conclusion(args) => print::judgment(&interp.terms, rule.judgment, args),
        });
        let kind = if judgment.reduction.is_some() { WitnessKind::Step } else { WitnessKind::Rule };
        all.push(said::Witness {
            kind,
            name: rule.name.clone(),
            span: rule.span,
            example,
            may_be_unused: rule.unused_ok,
        });
    }
    for (production, witness) in lang.prods.iter().zip(&coverage.prods) {
        let sort = lang.sort(production.sort);
        if sort.is_tree && matches!(sort.kind, SortKind::Grammar { .. }) {
            let name = format!("{}: {}", sort.name, production.text);
            let example = witness.map(text);
            all.push(said::Witness {
                kind: WitnessKind::Alternative,
                name,
                span: production.span,
                example,
                may_be_unused: false,
            });
        }
    }
    for (sort, k, witness) in &coverage.alternatives {
        if let SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } = &lang.sort(*sort).kind
            && let Some(alt) = alts.get(*k)
        {
            let name = format!("{}: {}", lang.sort(*sort).name, alt.text);
            let example = witness.map(text);
            all.push(said::Witness {
                kind: WitnessKind::Alternative,
                name,
                span: alt.span,
                example,
                may_be_unused: false,
            });
        }
    }
    all
}

fn is_program(enumerator: &Enumerator, term: TermId) -> bool {
    let lang = enumerator.interp.lang;
    enumerator.interp.terms.node(term).is_some_and(|(p, _)| lang.sort(lang.prod(p).sort).is_tree)
}

/// Every mutant of a language, and which of its checks notices.
pub fn mutants(arguments: &'static Check, item: &Item, halt: &'static Halt) -> Vec<MutantAnswer> {
    let mut answers = Vec::new();
    for mutant in mutate::mutants(&item.lang) {
        let own: &'static Item = Box::leak(Box::new(Item { lang: mutant.lang, base: None, file: item.file.clone() }));
        let mut killed: Option<(String, u32)> = None;
        let mut reason = None;
        for check in &own.lang.checks {
            let task = Task { arguments, item: own, check, halt };
            match task.answer() {
                Ok(answer) => match (&answer.counterexample, &answer.reason) {
                    (Some(found), _) if killed.as_ref().is_none_or(|(_, size)| found.size < *size) => {
                        killed = Some((answer.check.clone(), found.size));
                    }
                    (None, Some(Reason::NoState)) => {
                        reason = Some(format!("nothing satisfies the premises of {}", answer.check))
                    }
                    (None, Some(_)) => reason = Some(format!("{} is unknown", answer.check)),
                    _ => {}
                },
                Err(problem) => reason = Some(problem.message.clone()),
            }
        }
        if killed.is_some() {
            reason = None;
        }
        answers.push(MutantAnswer {
            language: item.lang.name.clone(),
            what: mutant.what,
            span: mutant.span,
            killed,
            reason,
        });
    }
    answers
}

/// Whether programs are to be enumerated whatever else could be done.
pub fn wants_enumeration(arguments: &Check) -> bool {
    arguments.engine == Engine::Exhaustive
}
