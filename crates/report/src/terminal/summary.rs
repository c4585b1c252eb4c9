//! The sentence at the end, and what it does not say: what answers rest on, what they leave out, what was never run.

use super::{Terminal, unreached};
use crate::lines::sentence;
use crate::numbers::plural;
use source::SourceMap;
use std::fmt::Write;
use verdict::overview::{Overview, Proved};
use verdict::{AssumptionKind, Item, ItemKind, LeftOut, Reason, Report, Subject, SubjectKind, Verdict};

impl Terminal {
    /// "2 operations verified on every tree within 7 places, height at most 3"
    pub fn summary(&self, sources: &SourceMap, report: &Report) -> String {
        if self.quiet {
            return String::new();
        }
        let tables = report.overviews.iter().map(table).collect::<String>();
        if report.items().next().is_none() {
            return format!("{}{tables}", self.rests_on(sources, report));
        }
        let mut text = counts(report);
        let status = report.exit_status();
        let expected = || report.items().filter(|(_, i)| i.expected.is_some());
        if expected().next().is_some() {
            let said = match expected().filter(|(_, i)| !i.is_right()).count() {
                0 => "all as expected".to_string(),
                wrong => format!("{wrong} not as expected"),
            };
            let _ = write!(text, "; {said}");
        }
        let is_verified = report.items().all(|(_, i)| i.verdict == Verdict::Verified) && report.errors.is_empty();
        if is_verified && report.conclusions.is_empty() {
            text.push_str(&on_what(report));
        }
        let painted = match status {
            0 => self.paint.good(&text),
            1 | 2 => self.paint.bad(&text),
            _ => self.paint.warn(&text),
        };
        let gap = if self.is_open { "" } else { "\n" };
        let rests = self.rests_on(sources, report);
        format!(
            "{gap}{rests}{tables}{painted}\n{}{}{}{}{}{}",
            report.conclusions.iter().map(|c| format!("{c}\n")).collect::<String>(),
            by_scope(report),
            proofs(report),
            schemas(report),
            self.left_out(report),
            self.unreached(sources, report)
        )
    }

    /// Assumptions in the code, and code that was not checked.
    fn rests_on(&self, sources: &SourceMap, report: &Report) -> String {
        let mut lines: Vec<String> = Vec::new();
        for assumption in report.items().flat_map(|(_, i)| &i.rests_on).chain(&report.rests_on) {
            let line = match (assumption.kind, assumption.span) {
                (AssumptionKind::Assumed, Some(span)) => {
                    let (file, at) = (&sources.file(span.file).name, sources.start(span).line);
                    let place = format!("in {}, {file}:{at}", assumption.name);
                    let label = assumption.message.strip_prefix("assume").unwrap_or_default();
                    format!("assume {}{label}  {}", sources.text(span), self.paint.faint(&place))
                }
                (AssumptionKind::Trusted | AssumptionKind::Sound, _) => assumption.message.clone(),
                _ => continue,
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        if lines.is_empty() {
            return String::new();
        }
        format!("this rests on:\n{}\n", lines.iter().map(|l| format!("  {l}\n")).collect::<String>())
    }

    /// How many lines no run reached; which, if that was asked for.
    fn unreached(&self, sources: &SourceMap, report: &Report) -> String {
        let lines = unreached(sources, report);
        let Some(sentence) = sentence(&lines) else {
            let is_known = |i: &Item| i.statements.iter().all(|s| s.is_reached.is_some());
            let is_all = self.coverage && report.errors.is_empty() && report.items().all(|(_, i)| is_known(i));
            return if is_all { "every line was reached\n".to_string() } else { String::new() };
        };
        if !self.coverage {
            return format!("{sentence}; --coverage shows which\n");
        }
        let mut text = format!("{sentence}:\n");
        for line in &lines {
            let file = sources.file(line.span.file);
            let source = sources.line(line.span.file, line.number).trim();
            let _ = writeln!(text, "  {}:{}: {source}", file.name, line.number);
        }
        text
    }

    /// Each cause once, of the greatest size alone: what a smaller one leaves out is in there.
    fn left_out(&self, report: &Report) -> String {
        // Of what had nothing to run, too: that may be why.
        let is_vacuous = |i: &Item| i.reasons.iter().any(Reason::is_vacuous);
        let good = || report.items().filter(|(_, i)| i.verdict == Verdict::Verified || is_vacuous(i));
        let last = good().filter_map(|(s, _)| s.size).max();
        let mut told: Vec<&LeftOut> = Vec::new();
        for hole in good().filter(|(s, _)| s.size == last).flat_map(|(_, i)| &i.left_out) {
            // What a module and its abstraction both leave out is one thing to a reader.
            let is_told = |t: &&LeftOut| t.is_same(hole) || (&t.message, &t.remedy) == (&hole.message, &hole.remedy);
            if !hole.only_json && !told.iter().any(is_told) {
                told.push(hole);
            }
        }
        let mut text = String::new();
        for hole in told {
            let _ = writeln!(text, "{} {}", self.paint.warn("left out:"), hole.message);
            let example = hole.example.as_ref().map(|call| format!("for example {call}"));
            let remedy = Some(hole.remedy.clone()).filter(|r| !r.is_empty());
            let rest: Vec<String> = example.into_iter().chain(remedy).collect();
            if !rest.is_empty() {
                let _ = writeln!(text, "          {}", rest.join("; "));
            }
        }
        text
    }
}

fn is_range(report: &Report) -> bool {
    let sizes = || report.subjects.iter().filter(|s| s.kind == SubjectKind::Class).map(|s| s.size);
    sizes().next().is_some_and(|first| sizes().any(|size| size != first))
}

/// "1 operation violated, 2 verified"
fn counts(report: &Report) -> String {
    let kinds: Vec<ItemKind> = report.items().map(|(_, i)| i.kind).filter(|k| *k != ItemKind::Start).collect();
    let is_one_kind = kinds.windows(2).all(|k| k[0] == k[1]);
    let unit = match kinds.first() {
        _ if is_range(report) => "check",
        Some(kind) if is_one_kind => kind.name(),
        _ => "",
    };
    let is_check = is_one_kind && kinds.first() == Some(&ItemKind::Check);
    let mut parts = Vec::new();
    for (verdict, word) in [(Verdict::Violated, "fail"), (Verdict::Unknown, "unknown"), (Verdict::Verified, "hold")] {
        let n = report.items().filter(|(_, i)| i.verdict == verdict).count() as u128;
        let said = match (is_check, verdict) {
            (true, Verdict::Violated | Verdict::Verified) if n == 1 => format!("{word}s"),
            (true, _) => word.to_string(),
            (false, verdict) => verdict.name().to_string(),
        };
        match n {
            0 => {}
            n if parts.is_empty() && !unit.is_empty() => parts.push(format!("{} {said}", plural(n, unit))),
            n => parts.push(format!("{} {said}", crate::numbers::count(n))),
        }
    }
    let rests = |i: &Item| i.rests_on.iter().any(|a| a.kind == AssumptionKind::Unproved);
    match report.items().filter(|(_, i)| i.verdict == Verdict::Verified && rests(i)).count() {
        0 => {}
        n => parts.push(format!("{n} of them on an assumption")),
    }
    if !report.errors.is_empty() {
        parts.push(format!("{} not analysed", report.errors.len()));
    }
    parts.join(", ")
}

/// What a verdict speaks of: for classes the states, for others what their subject says.
fn scope_of<'a>(subject: &'a Subject, item: &'a Item) -> &'a str {
    if item.scope.is_empty() && subject.kind != SubjectKind::Class { &subject.scope } else { &item.scope }
}

/// " on every tree within 7 places", if that is the same for all.
fn on_what(report: &Report) -> String {
    let mut scopes: Vec<&str> = Vec::new();
    for (subject, item) in report.items().filter(|(s, _)| s.kind != SubjectKind::Language) {
        let scope = scope_of(subject, item);
        if !scope.is_empty() && !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    let last = report.subjects.last().and_then(|s| s.size);
    match (&scopes[..], last) {
        ([scope], _) if !is_range(report) => format!(" {} {scope}", if *scope == "all inputs" { "for" } else { "on" }),
        ([.., scope], Some(size)) if is_range(report) => format!(", up to size {size}: {scope}"),
        _ => String::new(),
    }
}

/// Of modules with different plugins, which is verified on what.
fn by_scope(report: &Report) -> String {
    let mut scopes: Vec<(&str, Vec<&str>)> = Vec::new();
    for subject in report.subjects.iter().filter(|s| s.kind == SubjectKind::Module) {
        if subject.items.iter().all(|i| i.verdict == Verdict::Verified) {
            // Wider than the subject says, if all answers are.
            let first = subject.items.first().map_or("", |i| scope_of(subject, i));
            let is_same = subject.items.iter().all(|i| scope_of(subject, i) == first);
            let of_all = if is_same { first } else { &subject.scope };
            match scopes.iter_mut().find(|(scope, _)| *scope == of_all) {
                Some((_, names)) if !names.contains(&subject.name.as_str()) => names.push(&subject.name),
                Some(_) => {}
                None => scopes.push((of_all, vec![&subject.name])),
            }
        }
    }
    if scopes.len() < 2 {
        return String::new();
    }
    scopes.iter().map(|(scope, names)| format!("  on {scope}: {}\n", names.join(", "))).collect()
}

/// "12 of 12 proofs checked by cvc5 1.0.3"
fn proofs(report: &Report) -> String {
    let mut all = report.items().filter_map(|(_, i)| i.certified.as_ref()).peekable();
    let Some(first) = all.peek().copied() else { return String::new() };
    let (checked, proofs) = all.fold((0, 0), |(checked, proofs), c| (checked + c.checked, proofs + c.proofs));
    format!("{checked} of {} checked by {}\n", plural(proofs.into(), "proof"), first.by)
}

fn schemas(report: &Report) -> String {
    let differing = report.items().flat_map(|(_, i)| &i.rests_on).filter(|a| a.kind == AssumptionKind::Schema);
    let mut names: Vec<String> = differing.map(|a| format!("`{}`", a.name)).collect();
    names.dedup();
    let differs = match names.len() {
        0 => return String::new(),
        1 => "differs",
        _ => "differ",
    };
    let names = names.join(", ");
    format!("{names} {differs} from the schema: what is proved here holds of the type, not of the schema\n")
}

/// One line for each module of a program, and whether all that it runs is checked.
fn table(overview: &Overview) -> String {
    if overview.modules.is_empty() || !overview.is_whole {
        return String::new();
    }
    let mut rows = vec![["module", "plugin", "proved", "rests on"].map(str::to_owned)];
    for row in &overview.modules {
        let proved = match row.proved {
            Proved::AllHeaps => "for all heaps".to_owned(),
            Proved::UpTo(n) => format!("up to {n}"),
            Proved::Trusted => "trusted".to_owned(),
            Proved::Violated => "violated".to_owned(),
            Proved::Unknown => "not decided".to_owned(),
        };
        let plugin = row.plugin.clone().unwrap_or_else(|| "none".to_owned());
        rows.push([row.name.clone(), plugin, proved, row.rests_on.join(", ")]);
    }
    let width = |k: usize| rows.iter().map(|r| r[k].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for [module, plugin, proved, rests] in &rows {
        let [a, b, c] = widths;
        let line = format!("{module:a$}  {plugin:b$}  {proved:c$}  {rests}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = match (&overview.main, overview.is_closed()) {
        (Some(main), Some(true)) if overview.assumed > 0 => {
            let assumed = plural(overview.assumed as u128, "assumption");
            writeln!(text, "the program is closed but for {assumed}: nothing else that {main} reaches is trusted")
        }
        (Some(main), Some(true)) => writeln!(text, "the program is closed: nothing that {main} reaches is trusted"),
        (Some(main), _) => {
            let are = if overview.open.len() == 1 { "is" } else { "are" };
            writeln!(text, "not closed: {main} reaches {}, which {are} trusted", overview.open.join(", "))
        }
        (None, _) => writeln!(text, "no program to start: there is no main"),
    };
    text.push('\n');
    text
}
