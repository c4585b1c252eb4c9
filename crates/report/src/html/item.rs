//! One answer on the page: a line that opens, and below it what the answer speaks of, what it rests on, and what goes wrong.

use super::boxes::Compare;
use super::text::{esc, prose};
use super::{failure, heap, message};
use crate::lines::is_written;
use crate::numbers::{count, covered, plural, seconds};
use source::SourceMap;
use std::fmt::Write;
use verdict::program::{Exercised, Witness, WitnessKind};
use verdict::{Assumption, Covered, Engine, Item, LeftOut, Reason, Report, Statement, Subject, Verdict};

/// Whether it keeps the report from being all right.
pub fn matters(report: &Report, subject: &Subject, item: &Item) -> bool {
    let is_wrong = match item.verdict {
        Verdict::Unknown => report.is_open(subject, item),
        _ => !item.is_right(),
    };
    item.counts && is_wrong
}

/// `number` is that of the item on the page.
pub fn render(sources: &SourceMap, report: &Report, subject: &Subject, item: &Item, number: usize) -> String {
    let mut out = format!(
        "<details class=\"item {status}\" id=\"i{number}\" data-verdict=\"{verdict}\" data-name=\"{name}\"{open}>\n<summary>\
         <span class=\"sign\" aria-hidden=\"true\">{sign}</span><span class=\"name\">{name}</span>\
         <span class=\"verdict\">{verdict}</span><span class=\"short\">{short}</span><span class=\"time\">{time}</span></summary>\n<div class=\"body\">\n",
        status = status(item),
        verdict = item.verdict.name(),
        name = esc(&item.name),
        open = if matters(report, subject, item) { " open=\"\"" } else { "" },
        sign = match status(item) {
            "right" => "✓",
            "wrong" => "✗",
            "open" => "?",
            _ => "·",
        },
        short = esc(&short(item)),
        time = seconds(item.seconds),
    );
    for (k, one) in item.failures.iter().enumerate() {
        out.push_str(&failure::render(sources, one, &format!("f{number}-{}", k + 1)));
    }
    for reason in &item.reasons {
        of_reason(&mut out, sources, reason);
    }
    facts(&mut out, sources, subject, item);
    out.push_str(&message::all(sources, &item.warnings));
    if let Some(exercised) = &item.exercised {
        of_exercised(&mut out, exercised);
    }
    out.push_str("</div>\n</details>\n");
    out
}

fn status(item: &Item) -> &'static str {
    match item.verdict {
        Verdict::Unknown => "open",
        _ if item.is_right() => "right",
        _ if !item.counts => "beside",
        _ => "wrong",
    }
}

/// On the line of the item: as much as tells what the verdict is about.
fn short(item: &Item) -> String {
    let mut parts = Vec::new();
    parts.extend(item.smallest().map(|size| format!("at size {size}")));
    match item.expected {
        Some(expected) if item.is_right() && !expected.holds => parts.push("as expected".to_string()),
        Some(expected) if !item.is_right() && item.verdict != Verdict::Unknown => {
            let size = expected.size.map_or(String::new(), |s| format!(" at size {s}"));
            parts.push(format!("but expected to {}{size}", if expected.holds { "hold" } else { "fail" }));
        }
        _ => {}
    }
    if !item.counts {
        parts.push("not counted".to_string());
    }
    if item.verdict == Verdict::Verified {
        parts.extend(covered(&item.covered).map(|states| format!("covers {states}")));
    }
    parts.extend(item.reasons.first().map(|reason| reason.code().replace('-', " ")));
    if !item.rests_on.is_empty() {
        parts.push(format!("rests on {}", plural(item.rests_on.len() as u128, "assumption")));
    }
    parts.join(", ")
}

fn facts(out: &mut String, sources: &SourceMap, subject: &Subject, item: &Item) {
    let mut rows: Vec<(&str, String)> = Vec::new();
    let scope = if item.scope.is_empty() { &subject.scope } else { &item.scope };
    if !scope.is_empty() {
        let what = if item.verdict == Verdict::Verified { "Holds for" } else { "Scope" };
        rows.push((what, prose(scope)));
    }
    rows.extend(states(&item.covered).map(|states| ("Covered", states)));
    if let Some(types) = &item.covered.types {
        let below = match types.all_below {
            0 | 1 => String::new(),
            below => format!("; all types in programs below size {below}"),
        };
        rows.push(("Types", format!("<code>{}</code>{below}", esc(&types.bounds))));
    }
    rows.push(("Found by", engine(item.engine).to_string()));
    if let Some(certified) = &item.certified {
        let said = format!(
            "{} of {} checked by {}",
            count(certified.checked.into()),
            count(certified.proofs.into()),
            esc(&certified.by)
        );
        rows.push(("Proofs", said));
    }
    let work: Vec<String> = item
        .work
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(name, n)| format!("{} {}", count((*n).into()), esc(&name.replace('_', " "))))
        .collect();
    if !work.is_empty() {
        rows.push(("Work", work.join(", ")));
    }
    if !item.rests_on.is_empty() {
        rows.push(("Rests on", assumptions(sources, &item.rests_on)));
    }
    rows.extend(item.notes.iter().map(|note| ("Note", prose(note))));
    let holes = item.left_out.iter().map(|hole| ("Left out", left_out(hole)));
    rows.extend(holes);
    if let Some(lines) = unreached(sources, &item.statements) {
        rows.push(("Never reached", lines));
    }
    if let Some(span) = item.span {
        rows.push(("Source", format!("<code>{}</code>", esc(&message::place(sources, span)))));
    }
    out.push_str("<dl class=\"facts\">\n");
    for (name, text) in rows {
        let _ = writeln!(out, "<div><dt>{name}</dt><dd>{text}</dd></div>");
    }
    out.push_str("</dl>\n");
}

fn states(all: &Covered) -> Option<String> {
    covered(all).map(|states| esc(&states))
}

fn engine(engine: Engine) -> &'static str {
    match engine {
        Engine::Glassbox => "glass box search: one run for all states that behave alike",
        Engine::Exhaustive => "exhaustive search: all states one by one",
        Engine::Classes => "classes of programs that step alike, by SAT",
        Engine::Enumeration => "enumeration of well-typed programs in order of size",
        Engine::Inherited => "inherited from a language that is assumed to be sound",
        Engine::Conditions => "verification conditions, by an SMT solver",
        Engine::Types => "the Dminor type system",
        Engine::Flags => "the flag analysis: formulas over sets",
    }
}

pub fn assumptions(sources: &SourceMap, all: &[Assumption]) -> String {
    let one = |a: &Assumption| {
        let place = a
            .span
            .map_or(String::new(), |s| format!(" <span class=\"place\">{}</span>", esc(&message::place(sources, s))));
        format!(
            "<li><span class=\"id\">{}</span> <code>{}</code>: {}{place}</li>",
            a.kind.name(),
            esc(&a.name),
            prose(&a.message)
        )
    };
    format!("<ul>{}</ul>", all.iter().map(one).collect::<String>())
}

fn left_out(hole: &LeftOut) -> String {
    let example = hole.example.as_ref().map(|call| format!("; for example <code>{}</code>", esc(call)));
    let remedy = if hole.remedy.is_empty() { String::new() } else { format!("; {}", prose(&hole.remedy)) };
    format!("{}{}{remedy}", prose(&hole.message), example.unwrap_or_default())
}

/// None if all lines were reached, or nothing is known of them.
fn unreached(sources: &SourceMap, statements: &[Statement]) -> Option<String> {
    let missed = statements.iter().filter(|s| s.is_reached == Some(false) && is_written(sources, s));
    let mut lines: Vec<(String, usize)> =
        missed.map(|s| (sources.file(s.span.file).name.clone(), sources.start(s.span).line)).collect();
    lines.sort();
    lines.dedup();
    let all: Vec<String> = lines.iter().take(40).map(|(file, line)| format!("{}:{line}", esc(file))).collect();
    let more = if lines.len() > 40 { format!(" … {} in all", lines.len()) } else { String::new() };
    (!lines.is_empty()).then(|| format!("{}{more}", all.join(", ")))
}

fn of_reason(out: &mut String, sources: &SourceMap, reason: &Reason) {
    if let Reason::Open(problem) = reason {
        out.push_str(&message::render(sources, problem));
        return;
    }
    let _ = writeln!(
        out,
        "<div class=\"message warning\"><p class=\"what\">{} <span class=\"id\">{}</span></p></div>",
        prose(&reason.message()),
        esc(reason.code())
    );
    let Reason::Steps { span, state, call } = reason else { return };
    if let Some(state) = state {
        let drawn = heap::draw(state, &Compare::Alone, "State before");
        let _ = writeln!(
            out,
            "<figure><figcaption>Before</figcaption>{drawn}</figure>\n<div class=\"call\"><code>{}</code></div>",
            esc(call)
        );
    }
    if let Some(span) = span {
        let at = esc(&message::place(sources, *span));
        let _ = writeln!(out, "<p class=\"faint\">The run was at {at} when the steps ran out.</p>");
    }
}

fn of_exercised(out: &mut String, exercised: &Exercised) {
    let mut said = Vec::new();
    if let Some(classes) = &exercised.classes {
        let filled = classes.non_empty.map_or(String::new(), |n| format!(", {n} of them non-empty"));
        said.push(format!("{} classes{filled}", count(classes.all.into())));
    }
    said.extend(exercised.programs.map(|n| format!("{} enumerated", plural(n.into(), "program"))));
    said.extend(exercised.clipped.iter().map(|(rule, n)| {
        format!("{} of {} cut off by the type bound", plural((*n).into(), "ground instance"), esc(rule))
    }));
    if said.is_empty() && exercised.witnesses.is_empty() {
        return;
    }
    let _ = writeln!(out, "<details class=\"more\"><summary>What was exercised</summary>\n<p>{}</p>", said.join("; "));
    if !exercised.witnesses.is_empty() {
        out.push_str("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>Kind</th><th>Name</th><th>Smallest witness</th></tr></thead><tbody>\n");
        for witness in &exercised.witnesses {
            of_witness(out, witness);
        }
        out.push_str("</tbody></table></div>\n");
    }
    out.push_str("</details>\n");
}

fn of_witness(out: &mut String, witness: &Witness) {
    let kind = match witness.kind {
        WitnessKind::Step => "step",
        WitnessKind::Rule => "rule",
        WitnessKind::Alternative => "alternative",
    };
    let example = match (&witness.example, witness.asked_up_to) {
        (Some(example), _) => format!("<code>{}</code>", esc(example)),
        (None, None) => "<span class=\"missing\">never used</span>".to_string(),
        (None, Some(size)) => format!("<span class=\"missing\">not used up to size {size}</span>"),
    };
    let _ = writeln!(out, "<tr><td>{kind}</td><td><code>{}</code></td><td>{example}</td></tr>", esc(&witness.name));
}
