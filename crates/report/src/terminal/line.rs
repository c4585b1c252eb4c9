//! The line of an item: a sign, a name, a verdict, what speaks for it, and how long it took.

use crate::numbers::{covered, plural, seconds};
use crate::paint::Paint;
use std::fmt::Write;
use verdict::program::{Classes, Exercised};
use verdict::{
    Assumption, AssumptionKind, Certified, CoveredTypes, Engine, Example, Item, ItemKind, Subject, SubjectKind, Verdict,
};

/// Times are below each other up to here.
const TIME_COLUMN: usize = 74;
/// A longer name does not push the verdicts of others away.
const WIDEST_NAME: usize = 40;

/// What the verdicts of a subject speak of.
pub fn scope<'a>(subject: &'a Subject, item: &'a Item) -> &'a str {
    let first = subject.items.first().map_or("", |i| i.scope.as_str());
    match (subject.kind, first.is_empty()) {
        (SubjectKind::Class, _) => &item.scope,
        (SubjectKind::Module, _) => &subject.scope,
        (_, false) => first,
        (_, true) => &subject.scope,
    }
}

/// "SearchTree, size 7: every tree within 7 places, height at most 3"
pub fn headline(subject: &Subject, item: &Item, paint: Paint) -> String {
    let title = match (subject.kind, subject.size) {
        (SubjectKind::Class, Some(size)) => format!("{}, size {size}", subject.name),
        _ => subject.name.clone(),
    };
    let plugin = subject.plugin.as_ref().map(|p| format!(" ({p})")).unwrap_or_default();
    let scope = scope(subject, item);
    // A constructor without parameters has one run: there is nothing to say of a space.
    let scope = if scope.is_empty() { String::new() } else { format!(": {scope}") };
    format!("{}{plugin}{scope}", paint.strong(&title))
}

/// How a verdict is put for this kind of item.
fn word(item: &Item) -> &'static str {
    match (item.kind, item.verdict) {
        (_, Verdict::Unknown) => "unknown",
        (ItemKind::Check, Verdict::Verified) => "holds",
        (ItemKind::Check, Verdict::Violated) => "fails",
        (ItemKind::Type, Verdict::Verified) => "well-formed",
        (_, verdict) => verdict.name(),
    }
}

/// "type Order", "total"
fn name(item: &Item) -> String {
    match item.kind {
        ItemKind::Type => format!("type {}", item.name),
        _ => item.name.clone(),
    }
}

pub fn line(subject: &Subject, item: &Item, paint: Paint) -> String {
    let rests = item.rests_on.iter().any(|a| a.kind == AssumptionKind::Unproved);
    let word = word(item);
    let (sign, said) = match (item.verdict, item.is_right()) {
        (Verdict::Verified, true) if rests => (paint.warn("✓"), paint.warn(word)),
        (Verdict::Verified, true) => (paint.good("✓"), paint.good(word)),
        (Verdict::Verified, false) => (paint.bad("✗"), paint.bad(word)),
        (Verdict::Violated, true) => (paint.good("✓"), word.to_string()),
        (Verdict::Violated, false) if !item.counts => (paint.faint("·"), word.to_string()),
        (Verdict::Violated, false) => (paint.bad("✗"), paint.bad(word)),
        (Verdict::Unknown, _) => (paint.warn("?"), paint.warn(word)),
    };
    let details = details(subject, item);
    let width = subject.items.iter().map(|i| name(i).chars().count()).max().unwrap_or(0).min(WIDEST_NAME);
    let name = format!("{:width$}", name(item));
    let used = 6 + name.chars().count() + word.chars().count() + details.chars().count();
    let gap = " ".repeat(TIME_COLUMN.saturating_sub(used).max(2));
    format!("  {sign} {name}  {said}{details}{gap}{}\n", paint.faint(&seconds(item.seconds)))
}

/// What speaks for a verdict.
fn details(subject: &Subject, item: &Item) -> String {
    let mut text = String::new();
    match (item.smallest(), subject.kind) {
        (Some(size), SubjectKind::Language) => {
            let _ = write!(text, " at size {size}");
        }
        (Some(size), SubjectKind::Module) => {
            let _ = write!(text, " at bound {size}");
        }
        (None, SubjectKind::Module) if item.verdict == Verdict::Verified && !item.scope.is_empty() => {
            let _ = write!(text, " on {}", item.scope);
        }
        _ => {}
    }
    text.push_str(&expected(item));
    if let Some(types) = &item.covered.types {
        text.push_str(&types_text(item, types));
    }
    if let Some(certified) = &item.certified {
        text.push_str(&certified_text(certified));
    }
    text.push_str(&assumed(&item.rests_on));
    let work = work(item);
    if !work.is_empty() {
        let _ = write!(text, ", {work}");
    }
    text
}

fn expected(item: &Item) -> String {
    match item.expected {
        Some(expected) if item.is_right() && !expected.holds => ", as expected".to_string(),
        Some(expected) if !item.is_right() && item.verdict != Verdict::Unknown => {
            let size = expected.size.map_or(String::new(), |s| format!(" at size {s}"));
            let what = if expected.holds { "holds".to_string() } else { format!("fails{size}") };
            format!(", but it is expected that it {what}")
        }
        _ => String::new(),
    }
}

/// What a verdict speaks of, where that is less than its bounds say.
fn types_text(item: &Item, types: &CoveredTypes) -> String {
    let all = match types.all_below {
        0 | 1 => String::new(),
        below => format!(" (all types below size {below})"),
    };
    match item.verdict {
        Verdict::Verified => format!(" for types within {}{all}", types.bounds),
        _ => format!(", smallest for types within {}{all}", types.bounds),
    }
}

fn certified_text(certified: &Certified) -> String {
    match (certified.checked, certified.proofs) {
        (_, 0) => String::new(),
        (checked, proofs) if checked == proofs => ", certified".to_string(),
        (checked, proofs) => format!(", {checked} of {proofs} proofs certified"),
    }
}

fn assumed(all: &[Assumption]) -> String {
    let unproved: Vec<&str> =
        all.iter().filter(|a| a.kind == AssumptionKind::Unproved).map(|a| a.message.as_str()).collect();
    if unproved.is_empty() { String::new() } else { format!(", assuming {}", unproved.join(" and ")) }
}

fn work(item: &Item) -> String {
    let counted = |name: &str, unit: &str| item.counted(name).map(|n| plural(n.into(), unit));
    if item.kind == ItemKind::Check {
        return if item.verdict == Verdict::Verified { exercised(item) } else { String::new() };
    }
    if let Some(states) = counted("states_run", "state") {
        let how = if item.engine == Engine::Exhaustive { " one by one" } else { "" };
        let covered = covered(&item.covered).filter(|_| item.verdict == Verdict::Verified);
        return format!("{states} run{how}{}", covered.map_or(String::new(), |c| format!(", covering {c}")));
    }
    let has_any = |name: &str| item.counted(name).is_some_and(|n| n > 0);
    let conditions = counted("conditions", "condition").filter(|_| has_any("conditions"));
    conditions.or_else(|| counted("obligations", "obligation")).unwrap_or_default()
}

fn exercised(item: &Item) -> String {
    match (item.engine, item.exercised.as_deref()) {
        (Engine::Inherited, _) => "inherited".to_string(),
        (Engine::Classes, Some(Exercised { classes: Some(classes), .. })) => classes_text(classes),
        (_, Some(Exercised { programs: Some(programs), .. })) => {
            format!("{} enumerated", plural((*programs).into(), "program"))
        }
        _ => String::new(),
    }
}

fn classes_text(classes: &Classes) -> String {
    let mut text = match classes.all {
        1 => "1 class".to_string(),
        all => format!("{} classes", crate::numbers::count(all.into())),
    };
    if classes.all > 0 && classes.non_empty == Some(0) {
        text.push_str(", no program takes a step");
    } else if let Some(non_empty) = classes.non_empty.filter(|_| classes.all > 0) {
        let _ = write!(text, ", {non_empty} non-empty");
        if !classes.by_rule.is_empty() {
            let rules: Vec<String> = classes.by_rule.iter().map(|(rule, n)| format!("{rule} {n}")).collect();
            let _ = write!(text, " ({})", rules.join(", "));
        }
    }
    text
}

/// `SearchTree.insert(int), size 3`, `List.add`, `stlc, progress`
pub fn full_name(subject: &Subject, item: &Item) -> String {
    let size = subject.size.filter(|_| subject.kind == SubjectKind::Class);
    let size = size.map_or(String::new(), |n| format!(", size {n}"));
    match subject.kind {
        SubjectKind::Class | SubjectKind::Module if item.kind != ItemKind::Start => {
            format!("{}.{}{size}", subject.name, item.name)
        }
        _ => format!("{}, {}", subject.name, name(item)),
    }
}

/// The one thing to say of an answer that is not as it should be.
pub fn said(item: &Item) -> String {
    let failure = item.failures.first();
    let problem = failure.and_then(|f| f.problems.first()).map_or("", |p| p.message.as_str());
    match (failure.and_then(|f| f.example.as_ref()), item.verdict) {
        (Some(Example::Heap(heap)), _) => format!("violated by {}: {problem}", heap.call),
        (Some(Example::Input(input)), _) => format!("violated by {}: {problem}", input.call),
        (Some(Example::Program(program)), _) => format!("fails: {problem} (size {})", program.size),
        (_, Verdict::Violated) => format!("violated: {problem}"),
        (_, Verdict::Unknown) => {
            format!("unknown: {}", item.reasons.first().map(|r| r.message()).unwrap_or_default())
        }
        (_, Verdict::Verified) => format!("{}, which is not expected", word(item)),
    }
}
