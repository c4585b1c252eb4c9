//! Answers for a person.

use super::answers::{Answers, ModuleAnswer, ProcAnswer, Reach, Verdict};
use hob::Program;
use hob::flags::{Example, Shown};
use report::{Paint, render_diagnostic};
use source::{Diagnostic, SourceMap};
use std::fmt::Write;

pub fn report(sources: &SourceMap, answers: &Answers, paint: Paint, quiet: bool) -> String {
    let mut out = String::new();
    for module in &answers.modules {
        module_text(&mut out, sources, answers, module, paint, quiet);
    }
    for (scope, span) in &answers.broken_initially {
        let name = &answers.program.scopes[scope.index()].name;
        let message =
            format!("an invariant of {name} does not hold at first, when all sets are empty and all Booleans false");
        let problem =
            Diagnostic::error("hob-initial", *span, message).help("guard it with a Boolean that an initialiser sets");
        let _ = writeln!(out, "{}\n", render_diagnostic(sources, &problem, paint));
    }
    if quiet {
        return out;
    }
    // One empty line before what follows, whatever ended the answers.
    out.truncate(out.trim_end_matches('\n').len());
    if !out.is_empty() {
        out.push('\n');
    }
    if answers.modules.iter().any(|m| !m.procs.is_empty()) {
        rests_on(&mut out, sources, answers, paint);
    }
    let _ = writeln!(out, "{}", summary(answers));
    out
}

/// What "verified" means.
fn reach_text(reach: Reach) -> String {
    match reach {
        Reach::AllHeaps => "all heaps".to_owned(),
        Reach::UpTo(n) => format!("all heaps with {}", hob::bounded::space::bound_text(n)),
    }
}

fn module_text(
    out: &mut String,
    sources: &SourceMap,
    answers: &Answers,
    module: &ModuleAnswer,
    paint: Paint,
    quiet: bool,
) {
    let program = &answers.program;
    if !quiet {
        let mut reach = reach_text(module.reach);
        if let Reach::UpTo(n) = module.reach {
            let _ = write!(reach, ", {}", hob::bounded::space::integers(program, module.module).text(n));
        }
        let name = &program.module(module.module).name;
        let _ = writeln!(out, "{}  {}", paint.strong(name), paint.faint(&format!("{}, {reach}", module.plugin)));
    }
    let width = module.procs.iter().map(|p| p.name(program).chars().count()).max().unwrap_or(0).min(40);
    for proc in &module.procs {
        proc_text(out, sources, program, proc, width, paint, quiet);
    }
}

fn proc_text(
    out: &mut String,
    sources: &SourceMap,
    program: &Program,
    proc: &ProcAnswer,
    width: usize,
    paint: Paint,
    quiet: bool,
) {
    let (sign, said) = match &proc.verdict {
        Verdict::Verified => (paint.good("✓"), paint.good("verified")),
        Verdict::Fails(_) => (paint.bad("✗"), paint.bad("violated")),
        Verdict::Unknown(_) => (paint.warn("?"), paint.warn("unknown")),
    };
    if quiet && matches!(proc.verdict, Verdict::Verified) {
        return;
    }
    let name = match quiet {
        true if proc.title.is_none() => program.proc_name(proc.proc),
        _ => proc.name(program),
    };
    let pad = " ".repeat(width.saturating_sub(name.chars().count()));
    let work = match proc.work.is_empty() {
        true => String::new(),
        false => format!(", {}  {}", proc.work, report::numbers::seconds(proc.seconds)),
    };
    let _ = writeln!(out, "  {sign} {name}{pad}  {said}{}", paint.faint(&work));
    for warning in &proc.warnings {
        let _ = writeln!(out, "\n{}\n", render_diagnostic(sources, warning, paint));
    }
    match &proc.verdict {
        Verdict::Verified => {}
        Verdict::Unknown(why) => {
            for (span, why) in why {
                let problem = Diagnostic::warning("hob-unknown", *span, format!("not decided: {why}"));
                let _ = writeln!(out, "\n{}\n", render_diagnostic(sources, &problem, paint));
            }
        }
        Verdict::Fails(problems) => {
            for problem in problems {
                let _ = writeln!(out, "\n{}\n", render_diagnostic(sources, &problem.diagnostic, paint));
                for line in &problem.drawing {
                    let _ = writeln!(out, "{}", format!("    {line}").trim_end());
                }
                if !problem.drawing.is_empty() {
                    out.push('\n');
                }
            }
        }
    }
}

/// Assumptions, and code that nobody checked.
fn rests_on(out: &mut String, sources: &SourceMap, answers: &Answers, paint: Paint) {
    let program = &answers.program;
    let mut lines = Vec::new();
    let procs = answers.modules.iter().flat_map(|m| &m.procs);
    let mut assumptions: Vec<hob::Assumption> = Vec::new();
    for assumption in procs.flat_map(|p| p.assumptions(program)) {
        if !assumptions.contains(&assumption) {
            assumptions.push(assumption);
        }
    }
    for assumption in assumptions {
        let (at, name) = (sources.start(assumption.span), program.proc_name(assumption.proc));
        let file = &sources.file(assumption.span.file).name;
        let formula = sources.text(assumption.formula);
        let label = assumption.label.as_ref().map_or(String::new(), |l| format!("  ({l})"));
        lines.push(format!("assume {formula}{label}  {}", paint.faint(&format!("in {name}, {file}:{}", at.line))));
    }
    for trusted in &answers.trusted {
        let module = program.module(trusted.module);
        // Of a module with several plugins, a part.
        let what = if trusted.procs.len() < module.procs.len() && !trusted.procs.is_empty() {
            let names: Vec<String> = trusted.procs.iter().map(|p| program.proc_name(*p)).collect();
            names.join(", ")
        } else {
            module.name.clone()
        };
        let why = match &trusted.plugin {
            Some(plugin) => format!("its code is not checked: there is no plugin \"{plugin}\" here"),
            None => "its code is not checked here".to_owned(),
        };
        lines.push(format!("the specification of {what}  {}", paint.faint(&why)));
    }
    if !lines.is_empty() {
        let _ = writeln!(out, "\nthis rests on:");
        for line in lines {
            let _ = writeln!(out, "  {line}");
        }
    }
}

fn summary(answers: &Answers) -> String {
    let procs = || answers.modules.iter().flat_map(|m| m.procs.iter().map(move |p| (m.reach, &p.verdict)));
    let count = |f: &dyn Fn(Reach, &Verdict) -> bool| procs().filter(|(reach, verdict)| f(*reach, verdict)).count();
    let mut parts = Vec::new();
    let all = count(&|reach, v| reach == Reach::AllHeaps && matches!(v, Verdict::Verified));
    let bounded = count(&|reach, v| reach != Reach::AllHeaps && matches!(v, Verdict::Verified));
    for (n, what) in [
        (all, "verified for all heaps"),
        (bounded, "verified up to the bound"),
        (count(&|_, v| matches!(v, Verdict::Fails(_))), "violated"),
        (count(&|_, v| matches!(v, Verdict::Unknown(_))), "unknown"),
    ] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    if parts.is_empty() {
        return "\nnothing to check: no module has an abstraction section (.al) that names `flags` or `bounded`"
            .to_owned();
    }
    let mut text = format!("\n{}", parts.join(", "));
    let mut by_reach: Vec<(Reach, Vec<&str>)> = Vec::new();
    for module in &answers.modules {
        if module.procs.iter().all(|p| matches!(p.verdict, Verdict::Verified)) {
            let name = answers.program.module(module.module).name.as_str();
            match by_reach.iter_mut().find(|(reach, _)| *reach == module.reach) {
                Some((_, names)) if !names.contains(&name) => names.push(name),
                Some(_) => {}
                None => by_reach.push((module.reach, vec![name])),
            }
        }
    }
    if by_reach.len() > 1 {
        for (reach, names) in by_reach {
            let _ = write!(text, "\n  on {}: {}", reach_text(reach), names.join(", "));
        }
    }
    text
}

/// Objects with the sets they are in, before and after, and what variables hold.
pub fn drawing(program: &Program, example: &Example) -> Vec<String> {
    let mut rows = Vec::new();
    for object in 0..example.objects {
        let within = |now: bool| {
            let inside =
                example.sets.iter().filter(|(_, before, after)| if now { after } else { before }.contains(&object));
            let names: Vec<&str> = inside.map(|(name, ..)| name.as_str()).collect();
            if names.is_empty() { "–".to_owned() } else { names.join(", ") }
        };
        let ty = example.types.get(object).copied().flatten().map(|ty| program.types[ty.index()].name.clone());
        rows.push([object_name(object), ty.unwrap_or_default(), within(false), within(true)]);
    }
    for (name, before, after) in &example.booleans {
        rows.push([name.clone(), String::new(), before.to_string(), after.to_string()]);
    }
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..4).map(width).collect();
    let mut lines = Vec::new();
    if !rows.is_empty() {
        let head = widths[0] + usize::from(widths[1] > 0) * (widths[1] + 1);
        lines.push(format!("{:head$}  {:w$}  now", "", "at entry", w = widths[2].max(8)));
        for row in &rows {
            let ty = if widths[1] > 0 { format!(" {:w$}", row[1], w = widths[1]) } else { String::new() };
            lines.push(format!(
                "{:w0$}{ty}  {:w2$}  {}",
                row[0],
                row[2],
                row[3],
                w0 = widths[0],
                w2 = widths[2].max(8)
            ));
        }
    }
    let shown = |value: &Shown| match value {
        Shown::Object(Some(object)) => object_name(*object),
        Shown::Object(None) => "null".to_owned(),
        Shown::Bool(b) => b.to_string(),
    };
    let locals: Vec<String> = example.locals.iter().map(|(name, value)| format!("{name} = {}", shown(value))).collect();
    if !locals.is_empty() {
        lines.push(locals.join(", "));
    }
    lines
}

/// `o1`, `o2`, …
pub fn object_name(object: usize) -> String {
    format!("o{}", object + 1)
}
