//! One check of one language: decide it, confirm what was found, explain it.

use super::fault::fault;
use super::witness::{alternative_witness, is_program, prod_witness, rule_witness, witnesses};
use super::{Language, limits};
use lang::enumerate::{Enumerator, Outcome};
use lang::interp::{Fault, Interp, Limit, Reading};
use lang::term::{TermId, Terms};
use lang::universe::{DEFAULT_DEPTH, Explosion, Universe};
use lang::{Bound, Expected, Lang, Premise, RuleId, SortId, SortKind, cause, explain, print};
use soundness::{Decision, Item as Shown, Said, Ways};
use source::Diagnostic;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use verdict::program::{Classes, Exercised};
use verdict::{Assumption, AssumptionKind, CoveredTypes, Engine, Example, Failure, Item, ItemKind, Reason, Verdict};
use work::{Stop, on_large_stack};

/// What is to be done.
#[derive(Clone)]
pub struct Task {
    pub language: &'static Language,
    pub check: &'static lang::Check,
    pub certify: bool,
    /// Whether or not the encoding would carry the check.
    pub enumerate: bool,
    pub stop: Stop,
    /// An earlier check of the language that speaks of the same programs: it counts classes and finds witnesses for both.
    pub counted_by: Option<&'static str>,
}

/// Whether two checks speak of the same programs: their premises are equal, steps aside.
pub fn same_programs(lang: &Lang, a: &lang::Check, b: &lang::Check) -> bool {
    let before = |check: &'_ lang::Check| -> Vec<Premise> {
        let is_step = |p: &Premise| matches!(p, Premise::Judgment(j, _) if lang.judgment(*j).reduction.is_some());
        check.premises.iter().map(|l| l.premise.clone()).filter(|p| !is_step(p)).collect()
    };
    before(a) == before(b) && a.bounds == b.bounds && a.total == b.total
}

/// Progress of a base that is assumed sound: a check of the base that asks for a step and nothing after it.
///
/// Nothing else is inherited. What the base guarantees of a step, it guarantees of programs whose types have lost what the extension
/// added; in the extension, a step may break preservation although all typing rules concerned are the base's own, since there are
/// more types now (soundness/tests/soundness/extension.rs has one). So other checks are decided in full: local obligations, one query per
/// rule, which what could be assumed would only make larger.
pub fn is_inherited(language: &Language, check: &lang::Check) -> bool {
    let steps = |c: &lang::Check| c.conclusions.iter().flatten().any(|p| matches!(p.premise, Premise::Steps(..)));
    let twin = language.base.as_ref().and_then(|base| base.checks.iter().find(|c| c.name == check.name));
    twin.is_some_and(|t| t.span == check.span && steps(t))
}

impl Task {
    /// An error if the definition turns out to be wrong.
    pub fn answer(&self) -> Result<Item, Box<Diagnostic>> {
        let start = Instant::now();
        let mut answer = match self.stop.cause() {
            Some(cause) => self.unknown(cause.into()),
            None => catch_unwind(AssertUnwindSafe(|| on_large_stack(|| self.decide())))
                .unwrap_or_else(|_| Ok(self.unknown(Reason::Internal("the check panicked".to_string()))))?,
        };
        let of_base = |base: &&Lang| base.checks.iter().any(|c| c.name == self.check.name);
        if answer.engine != Engine::Inherited
            && let Some(base) = self.language.base.as_ref().filter(of_base)
        {
            answer.notes.push(format!("checked in full: nothing of {} is assumed", base.name));
        }
        answer.seconds = start.elapsed().as_secs_f64();
        Ok(answer)
    }

    fn decide(&self) -> Result<Item, Box<Diagnostic>> {
        let universe = match self.constants_fit()? {
            Ok(universe) => universe,
            Err(explosion) => return Ok(self.unknown(self.partly(&[], 0, Some(Limit::Universe(explosion))))),
        };
        let mut answer = match &self.language.base {
            Some(base) if is_inherited(self.language, self.check) => {
                let mut answer = self.blank(Verdict::Verified, Engine::Inherited);
                let note = format!("{} is assumed sound, and every step and typing rule is one of its own", base.name);
                answer.notes.push(note.clone());
                let (kind, name) = (AssumptionKind::Sound, base.name.clone());
                answer.rests_on.push(Assumption { kind, name, message: note, span: Some(base.span) });
                answer
            }
            _ => self.decide_check()?,
        };
        answer.scope = self.bounds(Some(&universe));
        Ok(answer)
    }

    /// A constant whose type is beyond the bound would make checks hold of nothing (docs/lang.md, "Finite domains").
    fn constants_fit(&self) -> Result<Result<Universe, Explosion>, Box<Diagnostic>> {
        let lang = &self.language.lang;
        let mut terms = Terms::new(lang);
        let universe = match Universe::build(&mut terms, Some(self.check), 0) {
            Ok(universe) => universe,
            Err(explosion) => return Ok(Err(explosion)),
        };
        // Types that are unified have no bound.
        let is_bounded = !lang.prods.iter().any(|p| p.infer);
        for rule in lang.rules.iter().filter(|r| is_bounded && r.premises.is_empty()) {
            let judgment = lang.judgment(rule.judgment);
            for (form, sort) in rule.conclusion.iter().zip(&judgment.args) {
                let is_type =
                    !lang.sort(*sort).is_tree && matches!(lang.sort(lang.base(*sort)).kind, SortKind::Grammar { .. });
                let Some(term) =
                    explain::ground(&mut terms, form, &[]).filter(|_| is_type && judgment.reduction.is_none())
                else {
                    continue;
                };
                if !universe.contains(lang.base(*sort), term) {
                    let name = &lang.sort(*sort).name;
                    let message =
                        format!("{} of rule {} is beyond the bound of {name}", print::term(&terms, term), rule.name);
                    let help =
                        format!("raise it: {name} needs size {} or depth {}", terms.size(term), terms.height(term));
                    return Err(Box::new(Diagnostic::error("V1", rule.conclusion_span, message).help(help)));
                }
            }
        }
        Ok(Ok(universe))
    }

    /// Classes of programs by SAT, programs enumerated where that carries too little; the answer says so.
    fn decide_check(&self) -> Result<Item, Box<Diagnostic>> {
        let lang = &self.language.lang;
        let problem = |f: Fault| Box::new(fault(lang, &f));
        let interp = Interp::new(lang, Some(self.check), Reading::Plain).map_err(problem)?;
        let mut enumerator = Enumerator::new(interp, Some(self.check));
        let ways = Ways {
            encoding: soundness::Options {
                limits: sat::Limits::until(&self.stop),
                certify: self.certify,
                verdict_only: self.counted_by.is_some(),
                ..soundness::Options::default()
            },
            enumerate: self.enumerate,
            stop: self.stop.clone(),
        };
        match soundness::decide(&mut enumerator, self.check, &ways) {
            Ok(decision) => match self.tell(&mut enumerator, decision) {
                Err(Fault::Stopped) => Ok(self.stopped()),
                told => told.map_err(problem),
            },
            Err(Fault::Stopped) => Ok(self.stopped()),
            Err(fault) => Err(problem(fault)),
        }
    }

    fn tell(&self, enumerator: &mut Enumerator, decision: Decision) -> Result<Item, Fault> {
        let lang = &self.language.lang;
        let engine = match decision.by {
            soundness::Engine::Classes => Engine::Classes,
            soundness::Engine::Enumeration => Engine::Enumeration,
        };
        let mut answer = match &decision.held {
            Some(held) => self.held(enumerator, held),
            None => self.blank(Verdict::Verified, engine),
        };
        if let Some(report) = &decision.report {
            let mut shown = witnesses(enumerator, &report.coverage);
            // Larger programs were not looked at.
            let up_to = match &report.outcome {
                Outcome::Stopped { size } => Some(size.saturating_sub(1)),
                Outcome::Fails(failure) => Some(failure.size.saturating_sub(1)),
                Outcome::Holds | Outcome::Vacuous => None,
            };
            shown.iter_mut().filter(|w| w.example.is_none()).for_each(|w| w.asked_up_to = up_to);
            let clipped = report.clipped_instances.iter();
            let clipped = clipped.map(|(rule, n)| (lang.rule(*rule).name.clone(), *n)).collect();
            let programs = Some(report.assignments);
            answer.exercised = Some(Box::new(Exercised { classes: None, programs, witnesses: shown, clipped }));
            answer.work = vec![("assignments", report.assignments), ("clipped", report.clipped)];
        }
        answer.notes.extend(decision.notes);
        answer.covered.types = decision.covered.as_ref().map(|covered| self.covered(covered));
        let unknown = match decision.said {
            Said::Holds => return Ok(answer),
            Said::Fails { size, assignment } => {
                answer.verdict = Verdict::Violated;
                let file = &self.language.file;
                let shown = |interp: &mut Interp<'_>| explain::example(interp, self.check, &assignment, file);
                let mut example = enumerator.interp.in_reading(Reading::Open, shown)?;
                example.size = size;
                // Whatever goes wrong there changes nothing about the answer.
                example.cause = cause::find(enumerator, self.check, &assignment).unwrap_or(None);
                let problem = Diagnostic::error("broken-check", self.check.span, example.failure.clone());
                let (size, replay) = (Some(size.into()), Some(example.replay.clone()));
                let example = Some(Example::Program(example));
                answer.failures = vec![Failure { problems: vec![problem], example, size, replay }];
                if decision.by == soundness::Engine::Classes {
                    answer.work = vec![("queries", decision.work.queries), ("clauses", decision.work.clauses)];
                }
                return Ok(answer);
            }
            Said::Vacuous => Reason::NoProgram,
            Said::Partly { below, cut } => self.partly(&enumerator.inputs(self.check)?, below, cut),
            Said::Stopped { below } => {
                answer.notes.extend(below.map(|n| format!("every program below size {n} was looked at")));
                return Ok(Item { reasons: self.stopped().reasons, verdict: Verdict::Unknown, ..answer });
            }
            Said::Broken(why) => Reason::Internal(why),
        };
        Ok(Item { verdict: Verdict::Unknown, reasons: vec![unknown], ..answer })
    }

    fn partly(&self, inputs: &[lang::MetaId], below: u32, cut: Option<Limit>) -> Reason {
        limits::partly(&self.language.lang, self.check, inputs, below, cut)
    }

    fn covered(&self, covered: &soundness::Covered) -> CoveredTypes {
        let lang = &self.language.lang;
        let text = |sort: &SortId| {
            let bound = lang.bound(Some(self.check), *sort).unwrap_or(Bound::Depth(DEFAULT_DEPTH));
            format!("{}: {}", lang.sort(*sort).name, print::bound(bound))
        };
        let types: Vec<String> = covered.types.iter().map(text).collect();
        CoveredTypes { bounds: types.join(", "), all_below: covered.below }
    }

    fn held(&self, enumerator: &Enumerator, held: &soundness::Held) -> Item {
        let lang = &self.language.lang;
        let name = |rule: &RuleId| lang.rule(*rule).name.clone();
        let mut answer = self.blank(Verdict::Verified, Engine::Classes);
        let classes = Classes {
            all: held.classes as u64,
            non_empty: held.counted.then(|| held.non_empty.iter().map(|(_, n)| *n as u64).sum()),
            by_rule: held.non_empty.iter().filter(|(_, n)| *n > 0).map(|(r, n)| (name(r), *n as u64)).collect(),
        };
        let classes = self.counted_by.is_none().then_some(classes);
        let text = |w: &soundness::Witness| self.program(enumerator, &w.assignment);
        let mut all = Vec::new();
        for (id, witness) in &held.coverage.rules {
            all.push(rule_witness(lang, *id, witness.as_ref().map(text)));
        }
        for (prod, witness) in &held.coverage.prods {
            all.extend(prod_witness(lang, *prod, witness.as_ref().map(text)));
        }
        for (sort, k, witness) in &held.coverage.alternatives {
            all.extend(alternative_witness(lang, *sort, *k, witness.as_ref().map(text)));
        }
        for item in &held.coverage.unsettled {
            let from = all.len();
            match item {
                Shown::Rule(id) => all.push(rule_witness(lang, *id, None)),
                Shown::Prod(prod) => all.extend(prod_witness(lang, *prod, None)),
                Shown::Alternative(sort, k) => all.extend(alternative_witness(lang, *sort, *k, None)),
            }
            all[from..].iter_mut().for_each(|w| w.asked_up_to = Some(held.coverage.asked_up_to));
        }
        let clipped = held.clipped.iter().map(|(r, n)| (name(r), *n)).collect();
        answer.exercised = Some(Box::new(Exercised { classes, programs: None, witnesses: all, clipped }));
        if let soundness::Deeper::Differs(judgments) = &held.deeper {
            let texts: Vec<&str> = judgments.iter().map(|j| lang.judgment(*j).text.as_str()).collect();
            answer
                .notes
                .push(format!("the type bound matters for {}: types one level deeper were used", texts.join(", ")));
        }
        let work = held.work;
        answer.work = vec![
            ("slots", work.slots),
            ("members", work.members),
            ("nodes", work.nodes),
            ("variables", work.variables),
            ("clauses", work.clauses),
            ("queries", work.queries),
            ("certified", work.certified),
        ];
        if self.certify {
            // Every proof that counts was checked: one that was not gives no verdict.
            answer.certified = Some(crate::certified(work.certified, work.certified));
        }
        answer
    }

    /// The first program of an assignment.
    fn program(&self, enumerator: &Enumerator, assignment: &[Option<TermId>]) -> String {
        let program = assignment.iter().flatten().copied().find(|t| is_program(enumerator, *t));
        program.map_or(String::new(), |t| print::term(&enumerator.interp.terms, t))
    }

    fn blank(&self, verdict: Verdict, engine: Engine) -> Item {
        let expects = &self.language.lang.expects;
        let expected = expects.iter().rev().find(|e| e.check == self.check.name);
        Item {
            span: Some(self.check.span),
            scope: self.bounds(None),
            expected: expected.map(|e| match e.outcome {
                Expected::Holds => verdict::Expected { holds: true, size: None },
                Expected::Fails { size } => verdict::Expected { holds: false, size },
            }),
            counts: expected.is_some() || expects.is_empty(),
            ..Item::new(ItemKind::Check, self.check.name.clone(), verdict, engine)
        }
    }

    /// Before anything is known.
    pub fn planned(&self) -> Item {
        self.blank(Verdict::Unknown, Engine::Classes)
    }

    pub fn unknown(&self, reason: Reason) -> Item {
        let mut answer = self.blank(Verdict::Unknown, Engine::Classes);
        answer.reasons = vec![reason];
        answer
    }

    /// "t: 511 nodes, T: depth 3 (38 types), n: 0..0"
    fn bounds(&self, universe: Option<&Universe>) -> String {
        let lang = &self.language.lang;
        let mut texts = Vec::new();
        for id in lang.sort_ids() {
            if let Some(bound) = lang.bound(Some(self.check), id) {
                let sort = lang.sort(id);
                let is_type = !sort.is_tree && matches!(sort.kind, SortKind::Grammar { .. });
                let types = universe.filter(|_| is_type).map(|u| u.members(id).len());
                let count = types.map_or(String::new(), |n| format!(" ({n} type{})", if n == 1 { "" } else { "s" }));
                texts.push(format!("{}: {}{count}", sort.name, print::bound(bound)));
            }
        }
        if texts.is_empty() { "default bounds".to_string() } else { texts.join(", ") }
    }

    fn stopped(&self) -> Item {
        self.unknown(
            self.stop.cause().map(Reason::from).unwrap_or_else(|| Reason::Internal("the check stopped".to_string())),
        )
    }
}
