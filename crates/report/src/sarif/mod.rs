//! A report as SARIF 2.1.0, the format that code hosts and editors read: what is wrong, open or worth a warning is a result at its place;
//! the way to a failure is a code flow. Which answer becomes what: docs/formats.md, "SARIF".
//!
//! Columns count characters, as everywhere in this project (`columnKind`). What is verified is not a result, since hosts show every result
//! as an alert: it is listed in the properties of the run.

mod parts;

use parts::{assumption, evidence, invocation, physical, rule, summary};
use serde_json::{Map, Value, json};
use source::{Diagnostic, Severity, SourceMap, Span};
use std::collections::HashSet;
use verdict::program::Mutant;
use verdict::{Example, Failure, Item, LeftOut, Reason, Report, Subject, Verdict};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Of a long path: from its start, and from its end.
const FIRST_STEPS: usize = 600;
const LAST_STEPS: usize = 300;

pub fn render(sources: &SourceMap, report: &Report, version: &str) -> String {
    let mut log = Log { sources, rules: Vec::new(), results: Vec::new(), said: HashSet::new() };
    for problem in report.errors.iter().chain(&report.warnings) {
        log.message(problem);
    }
    for (subject, item) in report.items() {
        log.item(report, subject, item);
    }
    for subject in &report.subjects {
        for mutant in &subject.mutants {
            log.mutant(subject, mutant);
        }
    }
    let driver = json!({
        "name": "glassbox",
        "version": version,
        "semanticVersion": version,
        "rules": log.rules.iter().map(|id| rule(id)).collect::<Vec<_>>(),
    });
    let run = json!({
        "tool": { "driver": driver },
        "invocations": [invocation(report)],
        "columnKind": "unicodeCodePoints",
        "results": log.results,
        "properties": {
            "verdict": report.verdict_name(),
            "restsOn": report.rests_on.iter().map(assumption).collect::<Vec<_>>(),
            "items": report.items().map(|(subject, item)| summary(subject, item)).collect::<Vec<_>>(),
        },
    });
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    format!("{log:#}\n")
}

struct Log<'a> {
    sources: &'a SourceMap,
    /// Each id once, in the order they are used first.
    rules: Vec<String>,
    results: Vec<Value>,
    /// Warnings that belong to several items are said once.
    said: HashSet<(&'static str, Option<Span>, &'a str)>,
}

impl<'a> Log<'a> {
    fn message(&mut self, problem: &'a Diagnostic) {
        if self.said.insert((problem.id, problem.span, &problem.message)) {
            let result = self.diagnostic(problem, None);
            self.results.push(result);
        }
    }

    fn item(&mut self, report: &Report, subject: &'a Subject, item: &'a Item) {
        for failure in &item.failures {
            self.failure(subject, item, failure);
        }
        if item.verdict == Verdict::Verified && item.counts && !item.is_right() {
            let text = format!("{}: the check holds, but the definition expects it to fail", item.name);
            let result = self.result("unexpected-verdict", &text, item.span, Some((subject, item)));
            self.results.push(with(result, "level", json!("error")));
        }
        let is_open = report.is_open(subject, item);
        for reason in item.reasons.iter().filter(|_| is_open) {
            let result = self.reason(subject, item, reason);
            self.results.push(result);
        }
        for warning in &item.warnings {
            self.message(warning);
        }
        // Asked for by the user, or not a problem of a verified item.
        for hole in item.left_out.iter().filter(|h| !h.only_json && item.verdict == Verdict::Verified) {
            self.left_out(subject, item, hole);
        }
    }

    fn failure(&mut self, subject: &Subject, item: &Item, failure: &Failure) {
        let is_expected = item.expected.is_some() && item.is_right();
        for (i, problem) in failure.problems.iter().enumerate() {
            let mut result = self.diagnostic(problem, Some((subject, item)));
            // Without a place, hosts drop a result: the item that fails has one.
            if problem.span.is_none() {
                result["locations"] = self.locations(item.span, Some((subject, item)));
            }
            if is_expected || !item.counts {
                result["level"] = json!("note");
            }
            if is_expected {
                let why = "the definition expects this check to fail";
                result["suppressions"] = json!([{ "kind": "inSource", "justification": why }]);
            }
            if i == 0 {
                let flow = self.code_flow(failure);
                result = with(result, "codeFlows", flow);
            }
            let properties = result["properties"].as_object_mut().expect("set by `result`");
            properties.extend(evidence(failure));
            self.results.push(result);
        }
    }

    /// A SARIF result that is open has no level.
    fn reason(&mut self, subject: &Subject, item: &Item, reason: &Reason) -> Value {
        let mut result = match reason {
            Reason::Open(problem) => {
                let mut result = self.diagnostic(problem, Some((subject, item)));
                if problem.span.is_none() {
                    result["locations"] = self.locations(item.span, Some((subject, item)));
                }
                result
            }
            _ => {
                let span = match reason {
                    Reason::Steps { span, .. } => span.or(item.span),
                    _ => item.span,
                };
                let text = format!("{}: {}", item.name, reason.message());
                self.result(reason.code(), &text, span, Some((subject, item)))
            }
        };
        result["level"] = json!("none");
        with(result, "kind", json!("open"))
    }

    fn left_out(&mut self, subject: &Subject, item: &Item, hole: &LeftOut) {
        let example = hole.example.as_ref().map(|call| format!("for example {call}"));
        let remedy = Some(hole.remedy.clone()).filter(|r| !r.is_empty());
        let mut text = hole.message.clone();
        for more in example.into_iter().chain(remedy) {
            text = format!("{text}; {more}");
        }
        let result = self.result(hole.id, &text, hole.span.or(item.span), Some((subject, item)));
        let result = with(result, "level", json!("note"));
        let is_same = |other: &Value| {
            ["ruleId", "message", "locations"].iter().all(|key| match (&other[*key], &result[*key]) {
                // Its physical place, not whose operation it was noticed in.
                (Value::Array(a), Value::Array(b)) => {
                    a.first().map(|l| &l["physicalLocation"]) == b.first().map(|l| &l["physicalLocation"])
                }
                (a, b) => a == b,
            })
        };
        if !self.results.iter().any(is_same) {
            self.results.push(result);
        }
    }

    /// A change of a language that no check notices.
    fn mutant(&mut self, subject: &Subject, mutant: &Mutant) {
        if mutant.killed.is_some() {
            return;
        }
        let result = match &mutant.reason {
            Some(reason) => {
                let text = format!("{}: {}", mutant.what, reason.message());
                let result = self.result(reason.code(), &text, Some(mutant.span), None);
                with(with(result, "level", json!("none")), "kind", json!("open"))
            }
            None => {
                let text = format!("{}: no check notices this change", mutant.what);
                with(self.result("mutant-survived", &text, Some(mutant.span), None), "level", json!("note"))
            }
        };
        self.results.push(with(result, "properties", json!({ "subject": subject.name })));
    }

    fn diagnostic(&mut self, problem: &Diagnostic, of: Option<(&Subject, &Item)>) -> Value {
        let mut text = problem.message.clone();
        for more in [Some(&problem.label).filter(|l| !l.is_empty()), problem.help.as_ref()].into_iter().flatten() {
            text = format!("{text}\n{more}");
        }
        let level = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let mut result = with(self.result(problem.id, &text, problem.span, of), "level", json!(level));
        if !problem.related.is_empty() {
            let related = problem.related.iter().enumerate().map(|(i, (span, text))| {
                let place = physical(self.sources, *span);
                json!({ "id": i + 1, "physicalLocation": place, "message": { "text": non_empty(text) } })
            });
            result["relatedLocations"] = related.collect();
        }
        result
    }

    fn result(&mut self, id: &str, text: &str, span: Option<Span>, of: Option<(&Subject, &Item)>) -> Value {
        let index = self.rules.iter().position(|rule| rule == id).unwrap_or_else(|| {
            self.rules.push(id.to_string());
            self.rules.len() - 1
        });
        let properties = of.map_or(json!({}), |(subject, item)| {
            json!({
                "subjectKind": subject.kind.name(),
                "subject": subject.name,
                "itemKind": item.kind.name(),
                "item": item.name,
                "size": subject.size,
            })
        });
        json!({
            "ruleId": id,
            "ruleIndex": index,
            "message": { "text": text },
            "locations": self.locations(span, of),
            "properties": properties,
        })
    }

    fn locations(&self, span: Option<Span>, of: Option<(&Subject, &Item)>) -> Value {
        let mut location = Map::new();
        if let Some(span) = span {
            location.insert("physicalLocation".into(), physical(self.sources, span));
        }
        if let Some((subject, item)) = of {
            let name = format!("{}.{}", subject.name, item.name);
            let logical = json!([{ "name": item.name, "fullyQualifiedName": name, "kind": item.kind.name() }]);
            location.insert("logicalLocations".into(), logical);
        }
        if location.is_empty() { json!([]) } else { json!([location]) }
    }

    /// The way through the source; what was left out of it is said where it would be.
    fn code_flow(&self, failure: &Failure) -> Value {
        let gap = match &failure.example {
            Some(Example::Heap(heap)) => heap.gap,
            _ => None,
        };
        let path = failure.path();
        let all = path.len();
        // Code hosts limit the length of a flow.
        let cut = if all > FIRST_STEPS + LAST_STEPS { FIRST_STEPS..all - LAST_STEPS } else { 0..0 };
        let step = |(i, step): (usize, verdict::heap::Step)| {
            let is_in_gap = |g: &verdict::heap::Gap| g.at == i || (i == cut.end && cut.contains(&g.at));
            let unknown = gap.filter(is_in_gap).map_or(0, |g| g.steps);
            let text = match unknown + if i == cut.end { cut.len() as u64 } else { 0 } {
                0 => step.note.clone(),
                left_out => format!("({left_out} steps left out) {}", step.note),
            };
            json!({
                "location": {
                    "physicalLocation": physical(self.sources, step.span),
                    "message": { "text": non_empty(&text) },
                },
                "nestingLevel": step.depth,
                "executionOrder": i + 1,
            })
        };
        let steps: Vec<Value> = path.into_iter().enumerate().filter(|(i, _)| !cut.contains(i)).map(step).collect();
        if steps.is_empty() { json!([]) } else { json!([{ "threadFlows": [{ "locations": steps }] }]) }
    }
}

/// With one more key.
fn with(mut object: Value, key: &str, value: Value) -> Value {
    object[key] = value;
    object
}

/// A message must say something.
fn non_empty(text: &str) -> &str {
    if text.is_empty() { "here" } else { text }
}
