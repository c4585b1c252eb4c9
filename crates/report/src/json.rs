//! The machine's view: one object per run, whatever the input. Documented in `docs/json.md`, described by `docs/glassbox.schema.json`.
//! Keys are only ever added.

use crate::lines::{Line, unreached};
use serde_json::{Map, Value, json};
use source::{Diagnostic, Severity, SourceMap, Span};
use verdict::heap::{HeapExample, Snapshot, SnapshotField, SnapshotObject, SnapshotValue, Step};
use verdict::program::{
    Derivation, Exercised, Mutant, Part, ProgramExample, ProgramStep, Ran, Stepped, Trace, TraceEnd, Typing, Witness,
    WitnessKind,
};
use verdict::{
    Assumption, BoundLine, Bounds, Change, Example, Failure, InputExample, Item, LeftOut, Misfit, Outcome, Reason,
    Report, SetsExample, Subject,
};

/// Raised when a key changes its meaning.
pub const SCHEMA: u32 = 2;

/// More diagnostics than this help no program either; how many there were is said beside them.
const MOST_DIAGNOSTICS: usize = 1_000;

/// What every output begins with: of which command, and the status of the process.
fn envelope(command: &str, version: &str, status: u8) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("tool".into(), "glassbox".into());
    object.insert("version".into(), version.into());
    object.insert("schema".into(), SCHEMA.into());
    object.insert("command".into(), command.into());
    object.insert("exit_status".into(), status.into());
    object
}

/// A run of `check`.
pub fn report(sources: &SourceMap, report: &Report, version: &str) -> Value {
    let mut object = envelope("check", version, report.exit_status());
    object.insert("verdict".into(), report.verdict_name().into());
    object.insert("subjects".into(), report.subjects.iter().map(|s| subject(sources, s)).collect());
    object.insert("rests_on".into(), assumptions(sources, &report.rests_on));
    object.insert("conclusions".into(), report.conclusions.clone().into());
    object.insert("overviews".into(), report.overviews.iter().filter(|o| o.is_whole).map(overview).collect());
    let unreached = unreached(sources, report);
    let line = |l: &Line<'_>| json!({ "method": l.method, "place": place(sources, Some(l.span)) });
    object.insert("unreached".into(), unreached.iter().map(line).collect());
    object.insert("bounds".into(), report.bounds.iter().map(bound).collect());
    add_diagnostics(&mut object, "warnings", sources, &report.warnings);
    add_diagnostics(&mut object, "errors", sources, &report.errors);
    Value::Object(object)
}

fn overview(overview: &verdict::overview::Overview) -> Value {
    use verdict::overview::{ModuleRow, Move, Proved, ScopeBox};
    let step = |m: &Move| json!({ "from": m.from, "to": m.to, "procedure": m.procedure });
    let module = |row: &ModuleRow| {
        let size = if let Proved::UpTo(n) = row.proved { Some(n) } else { None };
        json!({
            "name": row.name,
            "plugin": row.plugin,
            "proved": row.proved.name(),
            "size": size,
            "rests_on": row.rests_on,
            "sets": row.sets,
            "moves": row.moves.iter().map(step).collect::<Vec<_>>(),
        })
    };
    let scope = |s: &ScopeBox| json!({ "name": s.name, "modules": s.modules, "exports": s.exports });
    json!({
        "modules": overview.modules.iter().map(module).collect::<Vec<_>>(),
        "scopes": overview.scopes.iter().map(scope).collect::<Vec<_>>(),
        "main": overview.main,
        "open": overview.open,
        "assumed": overview.assumed,
        "closed": overview.is_closed(),
    })
}

/// A question without parts: of `run`, `validate`, `inhabit`, `subtype`, `import`, and of any command that was refused.
pub fn outcome(sources: &SourceMap, command: &str, outcome: &Outcome, version: &str) -> Value {
    let mut object = envelope(command, version, outcome.status);
    object.insert("outcome".into(), outcome.word.into());
    object.insert("value".into(), outcome.value.clone().into());
    object.insert("misfits".into(), outcome.misfits.iter().map(|m| misfit(sources, m)).collect());
    object.insert("ran".into(), outcome.ran.as_ref().map_or(Value::Null, |r| ran(r)));
    let (errors, warnings): (Vec<_>, Vec<_>) =
        outcome.problems.iter().cloned().partition(|d| d.severity == Severity::Error);
    add_diagnostics(&mut object, "warnings", sources, &warnings);
    add_diagnostics(&mut object, "errors", sources, &errors);
    Value::Object(object)
}

/// What was made of the input, as text: `check --emit`, `check --latex`, `import`.
pub fn emitted(
    sources: &SourceMap,
    command: &str,
    what: &str,
    texts: &str,
    warnings: &[Diagnostic],
    version: &str,
) -> Value {
    let mut object = envelope(command, version, 0);
    object.insert("outcome".into(), "emitted".into());
    object.insert("emitted".into(), json!({ "what": what, "text": texts }));
    add_diagnostics(&mut object, "warnings", sources, warnings);
    add_diagnostics(&mut object, "errors", sources, &[]);
    Value::Object(object)
}

fn add_diagnostics(object: &mut Map<String, Value>, key: &str, sources: &SourceMap, all: &[Diagnostic]) {
    let shown = &all[..all.len().min(MOST_DIAGNOSTICS)];
    object.insert(key.into(), shown.iter().map(|d| diagnostic(sources, d)).collect());
    object.insert(format!("{key}_left_out"), (all.len() - shown.len()).into());
}

fn subject(sources: &SourceMap, subject: &Subject) -> Value {
    json!({
        "kind": subject.kind.name(),
        "name": subject.name,
        "size": subject.size,
        "plugin": subject.plugin,
        "scope": subject.scope,
        "items": subject.items.iter().map(|i| item(sources, i)).collect::<Vec<_>>(),
        "mutants": subject.mutants.iter().map(|m| mutant(sources, m)).collect::<Vec<_>>(),
    })
}

fn item(sources: &SourceMap, item: &Item) -> Value {
    let work: Map<String, Value> = item.work.iter().map(|&(name, n)| (name.to_string(), n.into())).collect();
    json!({
        "kind": item.kind.name(),
        "name": item.name,
        "place": place(sources, item.span),
        "verdict": item.verdict.name(),
        "engine": item.engine.name(),
        "scope": item.scope,
        "covered": covered(item),
        "expected": item.expected.map(|e| json!({ "holds": e.holds, "size": e.size })),
        "is_as_expected": item.expected.map(|_| item.is_right()),
        "is_counted": item.counts,
        "smallest_size": item.smallest(),
        "failures": item.failures.iter().map(|f| failure(sources, f)).collect::<Vec<_>>(),
        "reasons": item.reasons.iter().map(|r| reason(sources, r)).collect::<Vec<_>>(),
        "rests_on": assumptions(sources, &item.rests_on),
        "left_out": item.left_out.iter().map(|l| left_out(sources, l)).collect::<Vec<_>>(),
        "notes": item.notes,
        "warnings": item.warnings.iter().map(|d| diagnostic(sources, d)).collect::<Vec<_>>(),
        "work": work,
        "certified": item.certified.as_ref().map(|c| json!({ "by": c.by, "checked": c.checked, "proofs": c.proofs })),
        "exercised": item.exercised.as_ref().map(|e| exercised(sources, e)),
        "seconds": item.seconds,
    })
}

fn covered(item: &Item) -> Value {
    let covered = &item.covered;
    let log10 = covered.states.map(|s| (s.max(1) as f64).log10()).or(covered.log10);
    let is = match (covered.states, log10) {
        (Some(_), _) => Some("exact"),
        (None, Some(_)) => Some(if covered.is_least { "at least" } else { "estimate" }),
        (None, None) => None,
    };
    json!({
        "states": covered.states.map(whole),
        "states_log10": log10,
        "states_is": is,
        "types": covered.types.as_ref().map(|t| json!({ "bounds": t.bounds, "all_below": t.all_below })),
    })
}

/// Exact as far as a double can tell, a string of digits beyond.
fn whole(n: u128) -> Value {
    match u64::try_from(n) {
        Ok(small) if small <= 1 << 53 => small.into(),
        _ => n.to_string().into(),
    }
}

fn assumptions(sources: &SourceMap, all: &[Assumption]) -> Value {
    let one = |a: &Assumption| json!({ "kind": a.kind.name(), "name": a.name, "message": a.message, "place": place(sources, a.span) });
    all.iter().map(one).collect()
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

fn reason(sources: &SourceMap, reason: &Reason) -> Value {
    let mut object = json!({
        "code": reason.code(),
        "message": reason.message(),
        "place": null,
        "help": null,
        "related": [],
        "below": null,
        "cut": null,
        "state": null,
        "call": null,
    });
    match reason {
        Reason::Partly { below, cut, help } => {
            object["cut"] = cut.as_str().into();
            object["below"] = (*below).into();
            object["help"] = help.as_str().into();
        }
        Reason::Steps { span, state, call } => {
            object["place"] = place(sources, *span);
            object["state"] = state.as_ref().map_or(Value::Null, |s| snapshot(s));
            object["call"] = if call.is_empty() { Value::Null } else { call.as_str().into() };
        }
        Reason::Open(problem) => {
            object["place"] = place(sources, problem.span);
            object["help"] = problem.help.clone().into();
            object["related"] = related(sources, problem);
        }
        _ => {}
    }
    object
}

fn failure(sources: &SourceMap, failure: &Failure) -> Value {
    json!({
        "problems": failure.problems.iter().map(|d| diagnostic(sources, d)).collect::<Vec<_>>(),
        "size": failure.size,
        "replay": failure.replay,
        "path": failure.path().iter().map(|s| step(sources, s)).collect::<Vec<_>>(),
        "example": failure.example.as_ref().map(|e| match e {
            Example::Heap(found) => heap_example(found),
            Example::Program(found) => program_example(sources, found),
            Example::Input(found) => input_example(sources, found),
            Example::Sets(found) => sets_example(found),
        }),
    })
}

fn heap_example(found: &HeapExample) -> Value {
    json!({
        "kind": "heap",
        "before": snapshot(&found.before),
        "shown_before": found.before.text,
        "notes": found.notes,
        "call": found.call,
        "outcome": found.outcome,
        "after": found.after.as_ref().map(snapshot),
        "shown_after": found.after.as_ref().and_then(|after| after.text.as_ref()),
        "pictures": found.pictures.iter().map(|p| json!({ "title": p.title, "state": snapshot(&p.state) })).collect::<Vec<_>>(),
        "path_gap": found.gap.map(|g| json!({ "at": g.at, "steps": g.steps })),
    })
}

fn input_example(sources: &SourceMap, found: &InputExample) -> Value {
    json!({
        "kind": "input",
        "call": found.call,
        "arguments": found.arguments,
        "order": found.order,
        "value": found.value.as_ref().map(|v| json!({ "what": v.what, "json": v.json })),
        "misfits": found.misfits.iter().map(|m| misfit(sources, m)).collect::<Vec<_>>(),
    })
}

fn misfit(sources: &SourceMap, misfit: &Misfit) -> Value {
    json!({
        "path": misfit.place,
        "message": misfit.message,
        "clause": place(sources, Some(misfit.clause)),
        "place": place(sources, misfit.span),
    })
}

fn sets_example(found: &SetsExample) -> Value {
    let names = |members: &[usize]| members.iter().map(|m| found.objects[*m].0.as_str()).collect::<Vec<_>>();
    json!({
        "kind": "sets",
        "objects": found.objects.iter().map(|(name, ty)| json!({ "name": name, "type": ty })).collect::<Vec<_>>(),
        "sets": found.sets.iter().map(|s: &Change<Vec<usize>>| json!({
            "name": s.name, "entry": names(&s.entry), "now": names(&s.now),
        })).collect::<Vec<_>>(),
        "booleans": found.booleans.iter().map(|b| json!({
            "name": b.name, "entry": b.entry, "now": b.now,
        })).collect::<Vec<_>>(),
        "variables": found.variables.iter().map(|(name, value)| json!({
            "name": name, "value": value,
        })).collect::<Vec<_>>(),
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
        "kind": "program",
        "sizes": sizes,
        "parts": found.parts.iter().map(part).collect::<Vec<_>>(),
        "derivations": found.derivations.iter().map(derivation).collect::<Vec<_>>(),
        "steps": found.steps.iter().map(step).collect::<Vec<_>>(),
        "nearest": found.nearest,
        "cause": found.cause.as_ref().map(|c| {
            json!({
                "value": c.value, "sort": c.sort, "size": c.size, "judgment": c.judgment, "rule": c.rule,
                "expected": c.expected, "taken": c.taken, "others": c.others,
            })
        }),
    })
}

fn derivation(derived: &Derivation) -> Value {
    json!({
        "conclusion": derived.conclusion,
        "rule": derived.rule,
        "premises": derived.premises.iter().map(derivation).collect::<Vec<_>>(),
    })
}

fn exercised(sources: &SourceMap, exercised: &Exercised) -> Value {
    let counts =
        |all: &[(String, u64)]| -> Map<String, Value> { all.iter().map(|(n, c)| (n.clone(), (*c).into())).collect() };
    let witness = |w: &Witness| {
        let kind = match w.kind {
            WitnessKind::Step => "step",
            WitnessKind::Rule => "rule",
            WitnessKind::Alternative => "alternative",
        };
        json!({
            "kind": kind, "name": w.name, "example": w.example, "asked_up_to": w.asked_up_to,
            "place": place(sources, Some(w.span)),
        })
    };
    json!({
        "classes": exercised.classes.as_ref().map(|c| {
            json!({ "all": c.all, "non_empty": c.non_empty, "by_rule": counts(&c.by_rule) })
        }),
        "programs": exercised.programs,
        "witnesses": exercised.witnesses.iter().map(witness).collect::<Vec<_>>(),
        "clipped": counts(&exercised.clipped),
    })
}

fn mutant(sources: &SourceMap, mutant: &Mutant) -> Value {
    json!({
        "what": mutant.what,
        "place": place(sources, Some(mutant.span)),
        "is_killed": mutant.killed.is_some(),
        "check": mutant.killed.as_ref().map(|(check, _)| check),
        "size": mutant.killed.as_ref().map(|(_, size)| size),
        "reason": mutant.reason.as_ref().map(|r| reason(sources, r)),
    })
}

/// A program of a language that was run.
fn ran(ran: &Ran) -> Value {
    let typing = |t: &Typing| {
        json!({
            "judgment": t.judgment,
            "derivations": t.derivations.iter().map(derivation).collect::<Vec<_>>(),
            "more": t.more,
            "nearest": t.nearest,
        })
    };
    let step = |s: &Stepped| {
        let others: Vec<Value> = s.others.iter().map(|(after, rule)| json!({ "after": after, "rule": rule })).collect();
        json!({ "after": s.after, "rule": s.rule, "others": others })
    };
    let trace = |t: &Trace| {
        let (end, sort, nearest) = match &t.end {
            TraceEnd::Final(sort) => ("final", Some(sort.as_str()), Vec::new()),
            TraceEnd::Error => ("error", None, Vec::new()),
            TraceEnd::Stuck(nearest) => ("stuck", None, nearest.clone()),
            TraceEnd::NotDone(_) => ("not-done", None, Vec::new()),
        };
        let steps: Vec<Value> = t.steps.iter().map(step).collect();
        json!({ "start": t.start, "steps": steps, "end": end, "sort": sort, "nearest": nearest })
    };
    json!({
        "program": ran.program,
        "size": ran.size,
        "typings": ran.typings.iter().map(typing).collect::<Vec<_>>(),
        "trace": ran.trace.as_ref().map(trace),
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

/// Longer texts are not quoted in full.
const LONGEST_TEXT: usize = 4_000;

fn place(sources: &SourceMap, span: Option<Span>) -> Value {
    let Some(span) = span else { return Value::Null };
    let (start, end) = (sources.start(span), sources.line_column(span.file, span.end));
    let text = sources.text(span);
    let cut = (0..=text.len().min(LONGEST_TEXT)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    json!({
        "file": sources.file(span.file).name,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "text": text[..cut],
    })
}

fn related(sources: &SourceMap, d: &Diagnostic) -> Value {
    d.related.iter().map(|(span, text)| json!({ "place": place(sources, Some(*span)), "text": text })).collect()
}

fn diagnostic(sources: &SourceMap, d: &Diagnostic) -> Value {
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
        "related": related(sources, d),
        "help": d.help,
    })
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
