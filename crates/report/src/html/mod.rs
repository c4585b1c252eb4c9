//! A report as one page for a browser, complete in itself: no network, no fonts, no other files. All of it is readable without its script,
//! which adds filters, stepping through paths and copying (`page.js`).
//!
//! What is in it, and how to use it: docs/formats.md, "HTML". Every text of a user passes through [`text::esc`]. The markup is also
//! well-formed XML, apart from the contents of `style` and `script`: a test reads it as such.

mod boxes;
mod derivation;
mod failure;
mod forest;
mod heap;
mod item;
mod message;
mod path;
mod sets;
mod svg;
mod text;
mod value;

use source::{Diagnostic, Severity, SourceMap};
use std::fmt::Write;
use text::{esc, prose};
use verdict::{Bounds, Item, Report, Subject, Verdict};

/// Nothing may be loaded, whatever a text may smuggle in.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const MOST_LINKS: usize = 30;

/// `command_line` is what made the report.
pub fn render(sources: &SourceMap, report: &Report, version: &str, command_line: &str) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n<meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
        esc(POLICY),
        esc(&title(report)),
        include_str!("page.css"),
    );
    header(&mut out, report, version, command_line);
    out.push_str("<main id=\"main\">\n");
    let (notes, warnings): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        report.warnings.iter().partition(|d| d.severity == Severity::Note);
    let problems = [("Errors", report.errors.iter().collect()), ("Warnings", warnings), ("Notes", notes)];
    for (title, all) in problems.into_iter().filter(|(_, all)| !all.is_empty()) {
        let _ = writeln!(out, "<section class=\"messages\"><h2>{title}</h2>\n{}</section>", message::all(sources, all));
    }
    let mut number = 0;
    for subject in &report.subjects {
        of_subject(&mut out, sources, report, subject, &mut number);
    }
    if number == 0 && report.bounds.is_empty() {
        out.push_str("<p class=\"nothing\">Nothing was checked.</p>\n");
    }
    out.push_str("<p class=\"nothing\" id=\"none-left\" hidden=\"\">No items match these filters.</p>\n");
    if !report.rests_on.is_empty() {
        let all = item::assumptions(sources, &report.rests_on);
        let _ = writeln!(out, "<section class=\"rests\"><h2>All results rest on</h2>\n{all}</section>");
    }
    for bounds in &report.bounds {
        of_bounds(&mut out, bounds);
    }
    let _ = write!(out, "</main>\n<script>\n{}</script>\n</body>\n</html>\n", include_str!("page.js"));
    out
}

fn title(report: &Report) -> String {
    let mut names: Vec<&str> = report.subjects.iter().map(|s| s.name.as_str()).collect();
    names.dedup();
    let rest = if names.len() > 3 { ", …" } else { "" };
    names.truncate(3);
    format!("{} – {}{rest}", report.verdict_name(), names.join(", "))
}

fn header(out: &mut String, report: &Report, version: &str, command_line: &str) {
    let count = |v: Verdict| report.items().filter(|(_, i)| i.verdict == v).count();
    let all = report.items().count();
    let verdict = report.verdict_name();
    let said = match report.exit_status() {
        0 => "All results are as they should be",
        1 => "Problems found",
        2 => "The input has errors",
        _ => "Some results are unknown",
    };
    let _ = writeln!(
        out,
        "<a class=\"jump\" href=\"#main\">Skip to the results</a>\n<header>\n<div class=\"top\"><h1>Glassbox <span class=\"faint\">{}</span></h1>\
         <p class=\"overall {verdict}\"><strong>{verdict}</strong> {said}</p></div>",
        esc(version)
    );
    if !command_line.is_empty() {
        let _ = writeln!(
            out,
            "<div class=\"replay\"><code id=\"command\" tabindex=\"0\">{}</code><button type=\"button\" data-copy=\"command\">Copy</button></div>",
            esc(command_line)
        );
    }
    troubles(out, report);
    out.push_str("<div class=\"filters\" role=\"group\" aria-label=\"Show\">\n");
    let _ = writeln!(out, "<button type=\"button\" data-show=\"\" aria-pressed=\"true\">All <b>{all}</b></button>");
    for verdict in [Verdict::Violated, Verdict::Unknown, Verdict::Verified] {
        let (name, n) = (verdict.name(), count(verdict));
        let disabled = if n == 0 { " disabled=\"\"" } else { "" };
        let _ = writeln!(
            out,
            "<button type=\"button\" class=\"{name}\" data-show=\"{name}\" aria-pressed=\"false\"{disabled}>{name} <b>{n}</b></button>"
        );
    }
    out.push_str(
        "<label>Name <input type=\"search\" id=\"search\" autocomplete=\"off\"/></label>\n\
         <button type=\"button\" data-fold=\"open\">Open all</button><button type=\"button\" data-fold=\"close\">Close all</button>\n\
         </div>\n</header>\n",
    );
}

/// Links to what is not as it should be: they may be far down.
fn troubles(out: &mut String, report: &Report) {
    let all: Vec<(usize, (&Subject, &Item))> =
        report.items().enumerate().filter(|(_, (s, i))| item::matters(report, s, i)).collect();
    if all.is_empty() {
        return;
    }
    out.push_str("<nav class=\"troubles\" aria-label=\"Not as it should be\"><ul>\n");
    for (k, (subject, item)) in all.iter().take(MOST_LINKS) {
        let size = subject.size.map_or(String::new(), |n| format!(" <span class=\"faint\">size {n}</span>"));
        let (number, verdict) = (k + 1, item.verdict.name());
        let name = format!("{} › {}", text::brief(&subject.name, 60), text::brief(&item.name, 60));
        let _ = writeln!(out, "<li><a class=\"{verdict}\" href=\"#i{number}\">{}</a>{size}</li>", esc(&name));
    }
    if all.len() > MOST_LINKS {
        let _ = writeln!(out, "<li class=\"faint\">and {} more</li>", all.len() - MOST_LINKS);
    }
    out.push_str("</ul></nav>\n");
}

fn of_subject(out: &mut String, sources: &SourceMap, report: &Report, subject: &Subject, number: &mut usize) {
    let size = subject.size.map_or(String::new(), |n| format!("<span class=\"size\">size {n}</span>"));
    let plugin = subject.plugin.as_ref().map_or(String::new(), |p| format!("<span class=\"size\">{}</span>", esc(p)));
    let _ = writeln!(
        out,
        "<section class=\"subject\"><h2><span class=\"kind\">{}</span> {} {size}{plugin}</h2>",
        subject.kind.name(),
        esc(&subject.name)
    );
    if !subject.scope.is_empty() {
        let _ = writeln!(out, "<p class=\"scope\">{}</p>", prose(&subject.scope));
    }
    for one in &subject.items {
        *number += 1;
        out.push_str(&item::render(sources, report, subject, one, *number));
    }
    if !subject.mutants.is_empty() {
        mutants(out, sources, subject);
    }
    out.push_str("</section>\n");
}

fn mutants(out: &mut String, sources: &SourceMap, subject: &Subject) {
    let killed = subject.mutants.iter().filter(|m| m.killed.is_some()).count();
    let all = subject.mutants.len();
    let _ = writeln!(
        out,
        "<details class=\"more mutants\"><summary>Changes of the language: {killed} of {all} noticed</summary>\n\
         <div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>Change</th><th>Place</th><th>Noticed by</th></tr></thead><tbody>"
    );
    for mutant in &subject.mutants {
        let by = match (&mutant.killed, &mutant.reason) {
            (Some((check, size)), _) => format!("{} at size {size}", esc(check)),
            (None, Some(reason)) => format!("<span class=\"missing\">{}</span>", prose(&reason.message())),
            (None, None) => "<span class=\"missing\">no check</span>".to_string(),
        };
        let place = esc(&message::place(sources, mutant.span));
        let _ = writeln!(out, "<tr><td>{}</td><td>{place}</td><td>{by}</td></tr>", prose(&mutant.what));
    }
    out.push_str("</tbody></table></div></details>\n");
}

fn of_bounds(out: &mut String, bounds: &Bounds) {
    let _ = writeln!(
        out,
        "<section class=\"bounds\"><h2><span class=\"kind\">bounds</span> {}.{} <span class=\"size\">size {}</span></h2>\n\
         <p class=\"scope\">{}; {} assignments, valid or not</p>\n<div class=\"scroll\" tabindex=\"0\"><table><tbody>",
        esc(&bounds.class),
        esc(&bounds.operation),
        bounds.size,
        prose(&bounds.space),
        crate::numbers::power(bounds.log10),
    );
    for line in &bounds.lines {
        let default = if line.is_default { "default" } else { "" };
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code></td><td>{}</td><td class=\"faint\">{default}</td></tr>",
            esc(&line.what),
            prose(&line.bound)
        );
    }
    out.push_str("</tbody></table></div></section>\n");
}
