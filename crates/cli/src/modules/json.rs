//! Answers for a program.

use super::answers::{Answers, ProcAnswer, Reach, Verdict};
use super::text::object_name;
use hob::Program;
use hob::flags::{Example, Shown};
use serde_json::{Value as Json, json};
use source::{Diagnostic, SourceMap};

pub fn report(sources: &SourceMap, answers: &Answers, warnings: &[Diagnostic], status: u8) -> Json {
    let word = ["verified", "violated", "error", "unknown"][status.min(3) as usize];
    let mut object = report::json::outcome(sources, word, status, &[], env!("CARGO_PKG_VERSION"));
    let program = &answers.program;
    object["verdict"] = word.into();
    object["warnings"] = warnings.iter().map(|d| problem(sources, d)).collect();
    let module = |m: &super::answers::ModuleAnswer| {
        json!({
            "module": program.module(m.module).name,
            "plugin": m.plugin,
            "bound": match m.reach { Reach::AllHeaps => Json::Null, Reach::UpTo(n) => n.into() },
            "integers": match m.reach {
                Reach::AllHeaps => Json::Null,
                Reach::UpTo(n) => json!(hob::bounded::space::integers(program, m.module).ranges(n)),
            },
            "procs": m.procs.iter().map(|p| proc(sources, program, p)).collect::<Vec<_>>(),
        })
    };
    object["modules"] = answers.modules.iter().map(module).collect();
    let broken = |(scope, span): &(hob::program::ScopeId, source::Span)| json!({ "scope": program.scopes[scope.index()].name, "place": report::json::place(sources, Some(*span)) });
    object["broken_initially"] = answers.broken_initially.iter().map(broken).collect();
    let trusted = |t: &super::answers::Trusted| {
        json!({
            "module": program.module(t.module).name,
            "plugin": t.plugin,
            "procs": t.procs.iter().map(|p| program.proc(*p).name.as_str()).collect::<Vec<_>>(),
        })
    };
    object["trusted"] = answers.trusted.iter().map(trusted).collect();
    object
}

fn problem(sources: &SourceMap, d: &Diagnostic) -> Json {
    json!({
        "id": d.id,
        "message": d.message,
        "place": report::json::place(sources, d.span),
        "help": d.help,
        "related": d.related.iter().map(|(span, text)| json!({
            "text": text,
            "place": report::json::place(sources, Some(*span)),
        })).collect::<Vec<_>>(),
    })
}

fn proc(sources: &SourceMap, program: &Program, answer: &ProcAnswer) -> Json {
    let mut one = json!({
        "proc": answer.name(program),
        "place": report::json::place(sources, Some(program.proc(answer.proc).span)),
        "verdict": match answer.verdict {
            Verdict::Verified => "verified",
            Verdict::Fails(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        },
        "seconds": answer.seconds,
        "work": answer.counts,
        "warnings": answer.warnings.iter().map(|d| problem(sources, d)).collect::<Vec<_>>(),
        "assumptions": answer.assumptions(program).iter().map(|a| json!({
            "proc": program.proc_name(a.proc),
            "formula": sources.text(a.formula),
            "label": a.label,
            "place": report::json::place(sources, Some(a.span)),
        })).collect::<Vec<_>>(),
    });
    match &answer.verdict {
        Verdict::Verified => {}
        Verdict::Unknown(why) => {
            let reason = |(span, why): &(Option<source::Span>, String)| json!({ "why": why, "place": report::json::place(sources, *span) });
            one["reasons"] = why.iter().map(reason).collect();
        }
        Verdict::Fails(problems) => {
            let failure = |p: &super::answers::Problem| {
                let mut object = problem(sources, &p.diagnostic);
                object["example"] = p.example.clone();
                object
            };
            one["failures"] = problems.iter().map(failure).collect();
        }
    }
    one
}

/// The heap of a counterexample of the flag analysis.
pub fn example(program: &Program, example: &Example) -> Json {
    let names = |members: &[usize]| members.iter().map(|m| object_name(*m)).collect::<Vec<_>>();
    let ty =
        |object: usize| example.types.get(object).copied().flatten().map(|ty| program.types[ty.index()].name.clone());
    json!({
        "objects": (0..example.objects).map(|o| json!({ "name": object_name(o), "type": ty(o) })).collect::<Vec<_>>(),
        "sets": example.sets.iter().map(|(name, before, after)| json!({
            "name": name, "entry": names(before), "now": names(after),
        })).collect::<Vec<_>>(),
        "booleans": example.booleans.iter().map(|(name, before, after)| json!({
            "name": name, "entry": before, "now": after,
        })).collect::<Vec<_>>(),
        "variables": example.locals.iter().map(|(name, value)| json!({
            "name": name,
            "value": match value {
                Shown::Object(object) => object.map(object_name).into(),
                Shown::Bool(b) => Json::from(*b),
            },
        })).collect::<Vec<_>>(),
    })
}
