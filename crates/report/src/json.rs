//! The machine's view: one object per run, documented in `docs/json.md`. Keys are only ever added.

use crate::lines::{Line, unreached};
use crate::terminal::why;
use serde_json::{Map, Value, json};
use source::{Diagnostic, Severity, SourceMap, Span};
use verdict::language::{
    Derivation, LanguageAnswer, LanguageReport, MutantAnswer, Part, ProgramExample, ProgramStep, Witness, WitnessKind,
};
use verdict::{
    BoundLine, Bounds, Counterexample, LeftOut, OperationReport, Reason, Report, Snapshot, SnapshotField,
    SnapshotObject, SnapshotValue, Step, Violation,
};

/// Raised when a key changes its meaning.
pub const SCHEMA: u32 = 1;

/// A whole run.
pub fn report(sources: &SourceMap, report: &Report, bounds: &[Bounds], version: &str) -> Value {
    let status = report.exit_status();
    let operations: Vec<Value> = report.operations.iter().map(|o| operation(sources, o)).collect();
    let mut object = head(version, status);
    object.insert("operations".into(), operations.into());
    let unreached = unreached(sources, report);
    let line = |l: &Line<'_>| json!({ "method": l.method, "place": place(sources, Some(l.span)) });
    object.insert("unreached".into(), unreached.iter().map(line).collect());
    object.insert("warnings".into(), diagnostics(sources, &report.warnings));
    object.insert("errors".into(), diagnostics(sources, &report.errors));
    if !bounds.is_empty() {
        object.insert("bounds".into(), bounds.iter().map(bound).collect());
    }
    Value::Object(object)
}

fn head(version: &str, status: u8) -> Map<String, Value> {
    let verdict = match status {
        0 => "verified",
        1 => "violated",
        2 => "error",
        _ => "unknown",
    };
    let mut object = Map::new();
    object.insert("tool".into(), "glassbox".into());
    object.insert("version".into(), version.into());
    object.insert("schema".into(), SCHEMA.into());
    object.insert("verdict".into(), verdict.into());
    object.insert("exit_status".into(), status.into());
    object
}

/// A run that has no verdict, but an outcome in a word: of one program on one input.
pub fn outcome(sources: &SourceMap, outcome: &str, status: u8, errors: &[Diagnostic], version: &str) -> Value {
    json!({
        "tool": "glassbox",
        "version": version,
        "schema": SCHEMA,
        "outcome": outcome,
        "exit_status": status,
        "errors": diagnostics(sources, errors),
    })
}

fn operation(sources: &SourceMap, answer: &OperationReport) -> Value {
    let covered = &answer.covered;
    let work: Map<String, Value> = answer.work.iter().map(|&(name, n)| (name.to_string(), n.into())).collect();
    let found = answer.counterexample.as_ref();
    let kind = found.and_then(|c| c.violations.first()).map(|v| v.kind.name());
    let log10 = covered.states.map(|s| (s.max(1) as f64).log10()).or(covered.log10);
    let is = match (covered.states, log10) {
        (Some(_), _) => Some("exact"),
        (None, Some(_)) => Some(if covered.is_least { "at least" } else { "estimate" }),
        (None, None) => None,
    };
    json!({
        "class": answer.class,
        "operation": answer.operation,
        "size": answer.size,
        "verdict": answer.verdict.name(),
        "kind": kind,
        "engine": answer.engine.name(),
        "states_run": answer.states_run,
        "states_covered": covered.states.map(whole),
        "states_covered_log10": log10,
        "states_covered_is": is,
        "space": covered.space,
        "seconds": answer.seconds,
        "work": work,
        "reason": answer.reason.as_ref().map(|r| reason(sources, r)),
        "counterexample": found.map(|c| counterexample(sources, c)),
        "left_out": answer.left_out.iter().map(|l| left_out(sources, l)).collect::<Vec<_>>(),
    })
}

fn left_out(sources: &SourceMap, hole: &LeftOut) -> Value {
    json!({
        "id": hole.id,
        "message": hole.message,
        "remedy": hole.remedy,
        "example": hole.example,
        "place": place(sources, hole.span),
        "is_asked_for": hole.only_json,
    })
}

/// Exact as far as a double can tell, a string of digits beyond.
fn whole(n: u128) -> Value {
    match u64::try_from(n) {
        Ok(small) if small <= 1 << 53 => small.into(),
        _ => n.to_string().into(),
    }
}

fn reason(sources: &SourceMap, reason: &Reason) -> Value {
    let code = match reason {
        Reason::Timeout => "timeout",
        Reason::Memory => "memory",
        Reason::Interrupted => "interrupted",
        Reason::Steps { .. } => "steps",
        Reason::NoState => "no-state",
        Reason::NoProgram => "no-program",
        Reason::Partly { .. } => "partly",
        Reason::AllDropped => "all-dropped",
        Reason::Internal(_) => "internal",
    };
    let mut object = json!({ "code": code, "message": why(reason) });
    if let Reason::Partly { below, cut, help } = reason {
        object["below"] = (*below).into();
        object["cut"] = cut.as_str().into();
        object["help"] = help.as_str().into();
    }
    if let Reason::Steps { span, state, call } = reason {
        object["place"] = place(sources, *span);
        object["state"] = state.as_ref().map_or(Value::Null, |s| snapshot(s));
        object["call"] = call.as_str().into();
    }
    object
}

pub fn counterexample(sources: &SourceMap, found: &Counterexample) -> Value {
    json!({
        "before": snapshot(&found.before),
        "notes": found.notes,
        "call": found.call,
        "outcome": found.outcome,
        "after": found.after.as_ref().map(snapshot),
        "path": found.path.iter().map(|s| step(sources, s)).collect::<Vec<_>>(),
        "path_gap": found.gap.map(|g| json!({ "at": g.at, "steps": g.steps })),
        "violations": found.violations.iter().map(|v| violation(sources, v)).collect::<Vec<_>>(),
    })
}

fn violation(sources: &SourceMap, violation: &Violation) -> Value {
    json!({
        "kind": violation.kind.name(),
        "message": violation.message,
        "label": violation.label,
        "place": place(sources, violation.span),
    })
}

fn step(sources: &SourceMap, step: &Step) -> Value {
    json!({ "place": place(sources, Some(step.span)), "note": step.note, "depth": step.depth })
}

fn snapshot(snapshot: &Snapshot) -> Value {
    snapshot.objects.iter().map(|o| object(snapshot, o)).collect()
}

fn object(snapshot: &Snapshot, object: &SnapshotObject) -> Value {
    json!({
        "name": object.name,
        "class": object.class,
        "is_array": object.is_array,
        "is_new": object.is_new,
        "fields": object.fields.iter().map(|f| field(snapshot, f)).collect::<Vec<_>>(),
    })
}

fn field(snapshot: &Snapshot, field: &SnapshotField) -> Value {
    let (value, is_object) = match &field.value {
        SnapshotValue::Null => (Value::Null, false),
        SnapshotValue::Text(text) => (text.as_str().into(), false),
        SnapshotValue::Object(index) => (snapshot.objects[*index].name.as_str().into(), true),
    };
    json!({
        "name": field.name,
        "value": value,
        "is_object": is_object,
        "is_tree": field.is_tree,
        "is_changed": field.is_changed,
    })
}

pub fn place(sources: &SourceMap, span: Option<Span>) -> Value {
    let Some(span) = span else { return Value::Null };
    let (start, end) = (sources.start(span), sources.line_column(span.file, span.end));
    json!({
        "file": sources.file(span.file).name,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "text": sources.text(span),
    })
}

fn diagnostics(sources: &SourceMap, all: &[Diagnostic]) -> Value {
    let one = |d: &Diagnostic| {
        let related =
            d.related.iter().map(|(span, text)| json!({ "place": place(sources, Some(*span)), "text": text }));
        json!({
            "id": d.id,
            "severity": match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            "message": d.message,
            "label": d.label,
            "place": place(sources, d.span),
            "related": related.collect::<Vec<_>>(),
            "help": d.help,
        })
    };
    all.iter().map(one).collect()
}

fn bound(bounds: &Bounds) -> Value {
    let line = |l: &BoundLine| json!({ "what": l.what, "bound": l.bound, "is_default": l.is_default });
    json!({
        "class": bounds.class,
        "operation": bounds.operation,
        "size": bounds.size,
        "space": bounds.space,
        "raw_space_log10": bounds.log10,
        "lines": bounds.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

/// A whole run over language definitions.
pub fn languages(sources: &SourceMap, report: &LanguageReport, version: &str) -> Value {
    let mut object = head(version, report.exit_status());
    object.insert("checks".into(), report.answers.iter().map(|a| language_answer(sources, a)).collect());
    if !report.mutants.is_empty() {
        object.insert("mutants".into(), report.mutants.iter().map(|m| mutant(sources, m)).collect());
    }
    object.insert("warnings".into(), diagnostics(sources, &report.warnings));
    object.insert("errors".into(), diagnostics(sources, &report.errors));
    Value::Object(object)
}

fn language_answer(sources: &SourceMap, answer: &LanguageAnswer) -> Value {
    let counts =
        |all: &[(String, u64)]| -> Map<String, Value> { all.iter().map(|(n, c)| (n.clone(), (*c).into())).collect() };
    let work: Map<String, Value> = answer.work.iter().map(|&(name, n)| (name.to_string(), n.into())).collect();
    let witness = |w: &Witness| {
        let kind = match w.kind {
            WitnessKind::Step => "step",
            WitnessKind::Rule => "rule",
            WitnessKind::Alternative => "alternative",
        };
        let place = place(sources, Some(w.span));
        json!({ "kind": kind, "name": w.name, "example": w.example, "asked_up_to": w.asked_up_to, "place": place })
    };
    json!({
        "language": answer.language,
        "check": answer.check,
        "verdict": answer.verdict.name(),
        "expected": answer.expected.map(|e| json!({ "holds": e.holds, "size": e.size })),
        "is_as_expected": answer.expected.map(|_| answer.is_right()),
        "minimal_size": answer.counterexample.as_ref().map(|c| c.size),
        "bounds": answer.bounds,
        "covered": answer.covered.as_ref().map(|c| json!({ "types": c.types, "all_types_below": c.all_types_below })),
        "engine": answer.engine.name(),
        "notes": answer.notes,
        "classes": answer.classes.as_ref().map(|c| {
            json!({ "all": c.all, "non_empty": c.non_empty, "by_rule": counts(&c.by_rule) })
        }),
        "programs": answer.programs,
        "witnesses": answer.witnesses.iter().map(witness).collect::<Vec<_>>(),
        "clipped": counts(&answer.clipped),
        "counterexample": answer.counterexample.as_ref().map(|c| program_example(sources, c)),
        "reason": answer.reason.as_ref().map(|r| reason(sources, r)),
        "seconds": answer.seconds,
        "work": work,
    })
}

fn program_example(sources: &SourceMap, found: &ProgramExample) -> Value {
    let step = |s: &ProgramStep| {
        let bindings: Map<String, Value> = s.bindings.iter().map(|(n, v)| (n.clone(), v.as_str().into())).collect();
        json!({ "before": s.before, "after": s.after, "rule": s.rule, "place": place(sources, Some(s.span)), "bindings": bindings })
    };
    let part = |p: &Part| json!({ "name": p.name, "text": p.text, "is_program": p.is_program });
    let sizes: Map<String, Value> = found.sizes.iter().map(|(n, s)| (n.clone(), (*s).into())).collect();
    json!({
        "size": found.size,
        "sizes": sizes,
        "parts": found.parts.iter().map(part).collect::<Vec<_>>(),
        "derivations": found.derivations.iter().map(derivation).collect::<Vec<_>>(),
        "steps": found.steps.iter().map(step).collect::<Vec<_>>(),
        "failure": found.failure,
        "nearest": found.nearest,
        "cause": found.cause.as_ref().map(|c| {
            json!({
                "value": c.value, "sort": c.sort, "size": c.size, "judgment": c.judgment, "rule": c.rule,
                "expected": c.expected, "taken": c.taken, "others": c.others,
            })
        }),
        "replay": found.replay,
    })
}

fn derivation(derived: &Derivation) -> Value {
    json!({
        "conclusion": derived.conclusion,
        "rule": derived.rule,
        "premises": derived.premises.iter().map(derivation).collect::<Vec<_>>(),
    })
}

fn mutant(sources: &SourceMap, answer: &MutantAnswer) -> Value {
    json!({
        "language": answer.language,
        "what": answer.what,
        "place": place(sources, Some(answer.span)),
        "is_killed": answer.killed.is_some(),
        "check": answer.killed.as_ref().map(|(check, _)| check),
        "size": answer.killed.as_ref().map(|(_, size)| size),
        "reason": answer.reason,
    })
}
